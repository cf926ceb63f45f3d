/* SPDX-License-Identifier: MIT */
/*
 * Shared by the tests of libcore/stream: TAP, a seeded random source, streams in memory, random
 * streams, and the repair of checksums after a change.
 */
#ifndef STREAM_MAKE_H
#define STREAM_MAKE_H

#include "base/tr_mem.h"
#include "stream/format/tr_block_out_int.h"
#include "stream/format/tr_reader.h"
#include "stream/format/tr_writer.h"
#include "stream/tr_order.h"
#include "stream/tr_wire_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- TAP ---- */

struct tap {
    int n, failed;
};

static inline void tap_ok(struct tap *t, bool good, const char *fmt, ...) TR_PRINTF(3, 4);
static inline void tap_ok(struct tap *t, bool good, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("%sok %d - ", good ? "" : "not ", ++t->n);
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
    t->failed += !good;
}

static inline int tap_end(const struct tap *t)
{
    printf("1..%d\n", t->n);
    return t->failed ? 1 : 0;
}

/* Stop a test that cannot go on, for lack of memory and the like. */
#define NEED(condition)                                                                            \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (printf("Bail out! %s, line %d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

/* ---- random numbers: the same on every machine ---- */

struct rng {
    uint64_t s;
};

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->s += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline size_t rng_below(struct rng *r, size_t n)
{
    return n ? (size_t)(rng_next(r) % n) : 0;
}

/* Small mostly, of any size sometimes, and the extremes. */
static inline int64_t rng_value(struct rng *r)
{
    static const int64_t odd[] = { 0,   1,   -1,    INT64_MAX, INT64_MIN,        INT64_MIN + 1,
                                   255, 256, 65535, 65536,     INT64_C(1) << 32, -129 };
    uint64_t any;
    switch (rng_below(r, 8)) {
    case 0:
        return odd[rng_below(r, sizeof odd / sizeof *odd)];
    case 1:
        any = rng_next(r);
        return (int64_t)(any >> rng_below(r, 64));
    default:
        return (int64_t)rng_below(r, 1000);
    }
}

/* ---- streams in memory ---- */

static inline enum tr_status sink_to_buf(void *ctx, const void *bytes, size_t n,
                                         struct tr_error *err)
{
    return tr_buf_add(ctx, bytes, n) ? TR_OK : tr_fail_memory(err);
}

struct memory_source {
    const unsigned char *data;
    size_t len, at;
    size_t at_most; /* bytes per read; 0: any */
    size_t fail_at; /* a read from here on fails; 0: none does */
};

static inline enum tr_status read_memory(void *ctx, void *buf, size_t cap, size_t *got,
                                         struct tr_error *err)
{
    struct memory_source *m = ctx;
    size_t n = m->len - m->at;
    if (m->fail_at && m->at >= m->fail_at)
        return tr_fail_sys(err, 5, "cannot read");
    if (n > cap)
        n = cap;
    if (m->at_most && n > m->at_most)
        n = m->at_most;
    if (n)
        memcpy(buf, m->data + m->at, n);
    m->at += n;
    *got = n;
    return TR_OK;
}

/* ---- random streams ---- */

/* Types of columns in them: below this one.  Samples of the format keep to those that there were when they were made. */
#ifndef RANDOM_TYPES
#define RANDOM_TYPES TR_T_IN_CAT /* it has one place */
#endif

struct recipe {
    uint64_t seed;
    size_t n_events;
    bool sorted;
    uint64_t gap; /* ns between starts are below it; 0: 5000 */
};

struct made {
    struct tr_dict *dict;
    struct tr_batch *batch; /* all events */
    struct tr_summary *summary;
    struct tr_provenance *provenance;
    struct tr_side_tables tables;
};

static inline void made_free(struct made *m)
{
    tr_batch_free(m->batch);
    tr_dict_free(m->dict);
    tr_summary_free(m->summary);
    tr_provenance_free(m->provenance);
    tr_side_tables_free(&m->tables);
}

static inline uint32_t make_string(struct tr_dict *d, struct rng *r)
{
    char s[64];
    int first = (int)rng_below(r, 3); /* zero bytes too */
    int n = snprintf(s, sizeof s, "s%c%u", first, (unsigned)rng_below(r, 200));
    uint32_t id = tr_strtab_add(d->strings, s, (size_t)n);
    NEED(id != TR_NO_STR);
    return id;
}

static inline void make_sources(struct tr_dict *d, struct rng *r, size_t n)
{
    int64_t base = rng_value(r);
    for (size_t i = 0; i < n; i++) {
        uint32_t keys[2], values[2];
        for (unsigned k = 0; k < 2; k++) {
            keys[k] = make_string(d, r);
            values[k] = make_string(d, r);
        }
        struct tr_source s = { .rank = (int64_t)i - 1,
                               .rank_rule = TR_RANK_OPTION,
                               .has_base = i & 1,
                               .partial = i == 1,
                               .host = TR_NO_STR,
                               .job = TR_NO_STR,
                               .capture = (uint32_t)i,
                               .base_ns = base,
                               .pid = i == 1 ? TR_TIME_NONE : (int64_t)i * 1000,
                               .header_keys = keys,
                               .header_values = values,
                               .n_header = 2,
                               .events_at = 1,
                               .bare_array = i == 2 };
        s.name = make_string(d, r);
        s.mesh = make_string(d, r);
        s.format = make_string(d, r);
        s.file_base_ns = rng_value(r);
        if (i == 1)
            s.job = make_string(d, r);
        NEED(tr_dict_add_source(d, &s) != UINT32_MAX);
    }
}

static inline void make_track(struct tr_dict *d, struct rng *r, size_t i, size_t n_sources)
{
    static const uint8_t types[] = { TR_T_STRING, TR_T_INT, TR_T_INT, TR_T_NULL };
    struct tr_track t = { .side = i & 1,
                          .pid_type = i % 5 ? TR_T_INT : TR_T_STRING,
                          .tid_type = types[i % 4],
                          .device = i & 1 ? (int64_t)i : TR_TIME_NONE,
                          .context = TR_I64_NONE,
                          .thread_name = TR_NO_STR,
                          .labels = TR_NO_STR,
                          .thread_sort = TR_I64_NONE };
    t.source = (uint32_t)rng_below(r, n_sources);
    t.pid = t.pid_type == TR_T_INT ? rng_value(r) : make_string(d, r);
    t.tid = t.tid_type == TR_T_NULL  ? t.pid
            : t.tid_type == TR_T_INT ? rng_value(r)
                                     : make_string(d, r);
    t.stream = rng_value(r);
    t.process_name = make_string(d, r);
    t.process_sort = rng_value(r);
    t.clock = (uint32_t)rng_below(r, 3);
    NEED(tr_dict_add_track(d, &t) != UINT32_MAX);
}

/* A column of another key, place or type than all before it. */
static inline void make_column(struct tr_dict *d, struct rng *r)
{
    static const uint8_t places[] = { TR_PLACE_TOP, TR_PLACE_ARGS, TR_PLACE_END_TOP,
                                      TR_PLACE_END_ARGS };
    struct tr_column c = { .flag = 0 };
    bool known;
    do {
        c.key = make_string(d, r);
        c.place = places[rng_below(r, rng_below(r, 2) ? 2 : 4)];
        c.type = (uint8_t)(TR_T_INT + rng_below(r, RANDOM_TYPES - TR_T_INT));
        known = false;
        for (size_t i = 0; i < d->n_columns; i++)
            known |= d->columns[i].key == c.key && d->columns[i].place == c.place &&
                     d->columns[i].type == c.type;
    } while (known);
    NEED(tr_dict_add_column(d, &c) != UINT32_MAX);
}

/* Append some of the columns of two places. */
static inline uint32_t make_slots(const struct tr_dict *d, struct rng *r, unsigned top,
                                  struct tr_slot *slots, uint32_t n)
{
    unsigned args = top == TR_PLACE_TOP ? TR_PLACE_ARGS : TR_PLACE_END_ARGS;
    for (uint32_t c = TR_N_DERIVED; c < d->n_columns; c++)
        if ((d->columns[c].place == top || d->columns[c].place == args) && rng_below(r, 3) == 0)
            slots[n++] = (struct tr_slot){ d->columns[c].key, c, d->columns[c].place,
                                           TR_ROLE_COLUMN, d->columns[c].type };
    return n;
}

static inline void make_shape(struct tr_dict *d, struct rng *r)
{
    struct tr_slot slots[40] = {
        { make_string(d, r), UINT32_MAX, TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
    };
    uint32_t n = make_slots(d, r, TR_PLACE_TOP, slots, 1);
    slots[n] = (struct tr_slot){ make_string(d, r), UINT32_MAX, TR_PLACE_ARGS, TR_ROLE_COLUMN,
                                 TR_T_TRUE };
    n++;
    bool joined = rng_below(r, 3) == 0;
    if (joined) { /* a span made of a start and an end */
        slots[n] = (struct tr_slot){ make_string(d, r), UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_END,
                                     TR_T_NULL };
        slots[n + 1] = (struct tr_slot){ make_string(d, r), UINT32_MAX, TR_PLACE_END_TOP,
                                         TR_ROLE_PID, TR_T_STRING };
        n = make_slots(d, r, TR_PLACE_END_TOP, slots, n + 2);
    }
    struct tr_shape s = { slots, n, joined ? 'B' : 'X' };
    NEED(tr_dict_add_shape(d, &s) != UINT32_MAX);
}

static inline void make_dict(struct tr_dict *d, struct rng *r)
{
    /* One call per statement: the order of calls inside an initializer is the compiler's choice. */
    size_t n_sources = 1 + rng_below(r, 3);
    size_t n_tracks = 1 + rng_below(r, 12);
    size_t n_columns = 1 + rng_below(r, 20);
    bool many = rng_below(r, 4) == 0;
    size_t n_shapes = 1 + rng_below(r, many ? 150 : 8);
    make_sources(d, r, n_sources);
    for (size_t i = 0; i < n_tracks; i++)
        make_track(d, r, i, n_sources);
    for (size_t i = 0; i < n_columns; i++)
        make_column(d, r);
    for (size_t i = 0; i < n_shapes; i++)
        make_shape(d, r);
}

static inline bool entry_in(const struct tr_dict *d, uint32_t shape, uint8_t flags, uint32_t column)
{
    if (d->columns[column].flag)
        return flags & d->columns[column].flag;
    for (uint32_t k = 0; k < d->shapes[shape].n_slots; k++)
        if (d->shapes[shape].slots[k].column == column)
            return true;
    return false;
}

static inline void make_entry(struct tr_batch *b, uint32_t column, struct rng *r)
{
    const struct tr_dict *d = b->dict;
    struct tr_col *c = &b->cols[column];
    uint8_t type = d->columns[column].type;
    NEED(tr_col_reserve(c, c->n + 1, type));
    if (tr_type_is_string(type))
        c->v.str[c->n++] = (uint32_t)rng_below(r, tr_strtab_count(d->strings));
    else if (column == TR_COL_LAUNCH_TRACK)
        c->v.i64[c->n++] = (int64_t)rng_below(r, d->n_tracks);
    else {
        c->v.i64[c->n] = column % 3 == 0 ? (int64_t)c->n * 7 : rng_value(r);
        c->n++;
    }
}

static inline void make_event(struct tr_batch *b, struct rng *r, bool sorted, uint64_t gap)
{
    const struct tr_dict *d = b->dict;
    size_t i = b->n++;
    int64_t before = i ? b->ts[i - 1] : TR_TIME_NONE;
    if (!sorted)
        b->ts[i] = rng_below(r, 5) ? rng_value(r) : TR_TIME_NONE;
    else if (before == TR_TIME_NONE)
        b->ts[i] = rng_below(r, 3) ? TR_TIME_NONE : (int64_t)rng_below(r, 1000) - 500;
    else
        b->ts[i] = before + (int64_t)(rng_below(r, 3) ? rng_below(r, gap ? (size_t)gap : 5000) : 0);
    b->dur[i] = rng_below(r, 3) ? (int64_t)rng_below(r, 100000) : TR_TIME_NONE;
    b->suspect[i] = rng_below(r, 20) ? TR_SUSPECT_NO : (uint8_t)rng_below(r, TR_N_SUSPECTS);
    if (b->suspect[i] == TR_SUSPECT_OVERFLOW)
        b->dur[i] = INT64_MAX;
    if (b->suspect[i] == TR_SUSPECT_NO && b->dur[i] > 0 && b->ts[i] > INT64_MAX - b->dur[i])
        b->suspect[i] = TR_SUSPECT_OVERFLOW; /* readers refuse what is not marked */
    b->record[i] = rng_below(r, 10) ? i * 2 : rng_next(r);
    b->track[i] = (uint32_t)rng_below(r, d->n_tracks);
    b->shape[i] = (uint32_t)rng_below(r, d->n_shapes);
    b->name[i] = rng_below(r, 30) ? (uint32_t)rng_below(r, tr_strtab_count(d->strings)) : TR_NO_STR;
    b->cat[i] = b->name[i] % 3 ? b->name[i] : TR_NO_STR;
    b->phase[i] = (uint8_t)rng_below(r, TR_N_PHASES);
    b->activity[i] = (uint8_t)(b->name[i] % TR_N_ACTIVITIES);
    b->kind[i] = (uint8_t)(b->shape[i] % TR_N_KINDS);
    b->flags[i] = rng_below(r, 3) ? 0 : (uint8_t)rng_below(r, 32);
    if (sorted && i) { /* where starts are equal, do what the order asks for */
        struct tr_order_key last = tr_order_key(b, i - 1), key = tr_order_key(b, i);
        if (tr_order_key_cmp(d, &last, &key) > 0) {
            b->dur[i] = b->dur[i - 1];
            b->suspect[i] = b->suspect[i - 1];
            b->track[i] = b->track[i - 1];
            b->record[i] = b->record[i - 1];
        }
    }
    for (uint32_t c = 0; c < d->n_columns; c++)
        if (entry_in(d, b->shape[i], b->flags[i], c))
            make_entry(b, c, r);
}

static inline struct made make_stream(const struct recipe *recipe)
{
    struct rng r = { recipe->seed };
    struct made m = { tr_dict_new(), tr_batch_new(), NULL, tr_provenance_new(), { NULL, 0, 0 } };
    NEED(m.dict && m.batch && m.provenance);
    make_dict(m.dict, &r);
    m.batch->dict = m.dict;
    NEED(tr_batch_reserve(m.batch, recipe->n_events + 1) &&
         tr_batch_reserve_cols(m.batch, m.dict->n_columns));
    for (size_t i = 0; i < recipe->n_events; i++)
        make_event(m.batch, &r, recipe->sorted, recipe->gap);
    m.summary = tr_summary_new(m.dict->n_sources);
    NEED(m.summary);
    m.summary->sorted = recipe->sorted;
    for (size_t i = 0; i < m.summary->n; i++) {
        struct tr_source_summary *s = &m.summary->sources[i];
        s->n_events = rng_next(&r);
        s->first_ts = rng_value(&r);
        s->lag_min = rng_value(&r);
        uint64_t k = rng_below(&r, TR_N_PHASES);
        s->n_phase[k] = rng_next(&r);
        for (k = rng_below(&r, 4); k > 0; k--) {
            struct tr_damage d = { .loses = k % 2, .count = 1 + rng_below(&r, 1000), .first = rng_next(&r) };
            snprintf(d.name, sizeof d.name, "cause_%u", (unsigned)k);
            snprintf(d.text, sizeof d.text, "cause %u, met", (unsigned)k);
            NEED(tr_summary_add_damage(s, &d));
        }
        for (k = rng_below(&r, 5); k > 0; k--) {
            struct tr_step step = { .number = (int64_t)k };
            step.start = rng_value(&r);
            step.end = rng_value(&r);
            step.track = (uint32_t)rng_below(&r, m.dict->n_tracks);
            NEED(tr_summary_add_step(s, &step));
        }
    }
    uint32_t first = 0;
    NEED(tr_provenance_add(m.provenance, "tr-parse", "0.1.0", "tr-parse x.json", NULL, 0, &first));
    NEED(tr_provenance_add(m.provenance, "tr-filter", "0.1.0", "tr-filter 'dur > 1ms'", &first, 1,
                           NULL));
    return m;
}

/* Events [from, from+n) of a batch as a batch of its own. */
static inline struct tr_batch *part_of(const struct tr_batch *b, size_t from, size_t n)
{
    const struct tr_dict *d = b->dict;
    struct tr_batch *p = tr_batch_new();
    NEED(p && tr_batch_reserve(p, n + 1) && tr_batch_reserve_cols(p, b->n_cols));
    p->dict = d;
    for (size_t i = from; i < from + n; i++) {
        size_t k = p->n++;
        p->ts[k] = b->ts[i];
        p->dur[k] = b->dur[i];
        p->record[k] = b->record[i];
        p->track[k] = b->track[i];
        p->shape[k] = b->shape[i];
        p->name[k] = b->name[i];
        p->cat[k] = b->cat[i];
        p->phase[k] = b->phase[i];
        p->activity[k] = b->activity[i];
        p->kind[k] = b->kind[i];
        p->suspect[k] = b->suspect[i];
        p->flags[k] = b->flags[i];
    }
    for (uint32_t c = 0; c < b->n_cols; c++) {
        size_t at = 0;
        for (size_t i = 0; i < from + n && b->cols[c].n; i++) {
            if (!entry_in(d, b->shape[i], b->flags[i], c))
                continue;
            NEED(tr_col_reserve(&p->cols[c], p->cols[c].n + 1, d->columns[c].type));
            if (i >= from && tr_type_is_string(d->columns[c].type))
                p->cols[c].v.str[p->cols[c].n++] = b->cols[c].v.str[at];
            else if (i >= from)
                p->cols[c].v.i64[p->cols[c].n++] = b->cols[c].v.i64[at];
            at++;
        }
    }
    return p;
}

/* Write a stream, its events in batches of at most `piece` (0: one batch). */
static inline enum tr_status write_made(const struct made *m, const struct tr_writer_opts *o,
                                        bool sorted, size_t piece, struct tr_buf *out,
                                        struct tr_error *err)
{
    struct tr_sink sink = { sink_to_buf, out };
    struct tr_writer *w;
    enum tr_status st = tr_writer_new(&w, &sink, o, err);
    if (st != TR_OK)
        return st;
    tr_writer_tables(w, &m->tables);
    st = tr_writer_start(w, m->dict, m->summary, m->provenance, sorted, err);
    for (size_t at = 0; st == TR_OK && at < m->batch->n && piece;) {
        size_t n = m->batch->n - at < piece ? m->batch->n - at : piece;
        struct tr_batch *p = part_of(m->batch, at, n);
        st = tr_writer_batch(w, p, err);
        tr_batch_free(p);
        at += n;
    }
    if (st == TR_OK && !piece)
        st = tr_writer_batch(w, m->batch, err);
    if (st != TR_OK) {
        tr_writer_abandon(w);
        return st;
    }
    return tr_writer_finish(w, err);
}

/* ---- what a stream holds, as text, so that two streams can be compared ---- */

static inline void add_text(struct tr_buf *out, const char *fmt, ...) TR_PRINTF(2, 3);
static inline void add_text(struct tr_buf *out, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    NEED(tr_buf_add_str(out, line));
}

static inline void add_string(struct tr_buf *out, const struct tr_dict *d, uint32_t id)
{
    if (id == TR_NO_STR) {
        add_text(out, " -");
        return;
    }
    add_text(out, " \"");
    for (size_t i = 0; i < tr_strtab_len(d->strings, id); i++) {
        unsigned char c = (unsigned char)tr_strtab_get(d->strings, id)[i];
        add_text(out, c < 32 || c > 126 ? "\\x%02x" : "%c", c);
    }
    add_text(out, "\"");
}

static inline void add_number(struct tr_buf *out, int64_t v)
{
    if (v == TR_TIME_NONE)
        add_text(out, " -");
    else
        add_text(out, " %lld", (long long)v);
}

static inline void text_of_dict(const struct tr_dict *d, struct tr_buf *out)
{
    for (size_t i = 0; i < d->n_sources; i++) {
        const struct tr_source *s = &d->sources[i];
        add_text(out, "source %zu rank %lld rule %u base %u partial %u bare %u", i,
                 (long long)s->rank, s->rank_rule, s->has_base, s->partial, s->bare_array);
        add_string(out, d, s->name);
        add_string(out, d, s->host);
        add_string(out, d, s->mesh);
        add_string(out, d, s->format);
        add_string(out, d, s->job);
        add_text(out, " capture %u", s->capture);
        add_number(out, s->base_ns);
        add_number(out, s->file_base_ns);
        add_number(out, s->pid);
        add_text(out, " header at %u:", s->events_at);
        for (uint32_t k = 0; k < s->n_header; k++) {
            add_string(out, d, s->header_keys[k]);
            add_string(out, d, s->header_values[k]);
        }
        add_text(out, "\n");
    }
    for (size_t i = 0; i < d->n_clocks; i++) {
        const struct tr_clock *c = &d->clocks[i];
        add_text(out, "clock %zu source %u before %u frame %lld origin %lld offset %lld drift %lld", i + 1,
                 c->source, c->before, (long long)c->frame, (long long)c->origin,
                 (long long)c->offset, (long long)c->drift);
        add_text(out, " keeps %d domain %d", c->keeps_summary, c->domain);
        add_number(out, c->first_ts);
        add_number(out, c->last_end);
        add_text(out, " fixes");
        for (size_t k = 0; k < c->n_fixes; k++)
            add_text(out, " %llu:%u", (unsigned long long)c->fixes[k].record, c->fixes[k].bits);
        add_text(out, " steps");
        for (size_t k = 0; k < c->n_step_fixes; k++)
            add_text(out, " %llu", (unsigned long long)c->step_fixes[k]);
        add_text(out, "\n");
    }
    for (size_t i = 0; i < d->n_tracks; i++) {
        const struct tr_track *t = &d->tracks[i];
        const int64_t numbers[] = { t->device, t->context, t->stream, t->process_sort,
                                    t->thread_sort };
        add_text(out, "track %zu source %u side %u pid %u:%lld tid %u:%lld clock %u", i, t->source,
                 t->side, t->pid_type, (long long)t->pid, t->tid_type, (long long)t->tid, t->clock);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            add_number(out, numbers[k]);
        add_string(out, d, t->process_name);
        add_string(out, d, t->thread_name);
        add_string(out, d, t->labels);
        add_text(out, "\n");
    }
    for (size_t i = 0; i < d->n_columns; i++) {
        add_text(out, "column %zu", i);
        add_string(out, d, d->columns[i].key);
        add_text(out, "/%u/%u/%u\n", d->columns[i].place, d->columns[i].type, d->columns[i].flag);
    }
    for (size_t i = 0; i < d->n_shapes; i++) {
        add_text(out, "shape %zu %c:", i, d->shapes[i].ph);
        for (uint32_t k = 0; k < d->shapes[i].n_slots; k++) {
            const struct tr_slot *s = &d->shapes[i].slots[k];
            add_string(out, d, s->key);
            add_text(out, "/%u/%u/%u/%d", s->place, s->role, s->type, (int)s->column);
        }
        add_text(out, "\n");
    }
}

static inline void text_of_summary(const struct tr_summary *s, struct tr_buf *out)
{
    add_text(out, "summary of %zu sorted %d filtered %d\n", s->n, s->sorted, s->filtered);
    for (size_t i = 0; i < s->n; i++) {
        const struct tr_source_summary *x = &s->sources[i];
        add_text(out, "source %zu events %llu", i, (unsigned long long)x->n_events);
        add_number(out, x->first_ts);
        add_number(out, x->last_end);
        add_number(out, x->lag_min);
        add_number(out, x->lag_max);
        for (unsigned k = 0; k < TR_N_PHASES; k++)
            add_text(out, " %llu", (unsigned long long)x->n_phase[k]);
        for (size_t k = 0; k < x->n_damage; k++)
            add_text(out, " %s \"%s\" %d %llu@%llu", x->damage[k].name, x->damage[k].text, x->damage[k].loses,
                     (unsigned long long)x->damage[k].count, (unsigned long long)x->damage[k].first);
        for (size_t k = 0; k < x->n_steps; k++)
            add_text(out, " step %lld %lld %lld %u", (long long)x->steps[k].number,
                     (long long)x->steps[k].start, (long long)x->steps[k].end, x->steps[k].track);
        add_text(out, "\n");
    }
}

static inline void text_of_tables(const struct tr_side_tables *tables, struct tr_buf *out)
{
    for (size_t i = 0; tables && i < tables->n; i++) {
        const struct tr_side_table *t = tables->v[i];
        struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
        add_text(out, "table %s source %d:", t->name, (int)t->source);
        for (size_t k = 0; k < t->n_columns; k++)
            add_text(out, " %s/%u", t->columns[k].name, t->columns[k].type);
        add_text(out, "\n");
        for (size_t at = 0; tr_side_table_row(t, &at, v);) {
            add_text(out, "row");
            for (size_t k = 0; k < t->n_columns; k++) {
                unsigned type = t->columns[k].type;
                if (!v[k].present)
                    add_text(out, " -");
                else if (tr_type_is_string(type))
                    add_text(out, " \"%.*s\"", (int)v[k].len, v[k].text);
                else
                    add_text(out, " %lld", (long long)v[k].v);
                if (v[k].present && (type == TR_SIDE_TIME || type == TR_SIDE_RECORD))
                    add_text(out, "@%u", v[k].of);
            }
            add_text(out, "\n");
        }
    }
}

static inline void text_of_batch(const struct tr_batch *b, struct tr_buf *out)
{
    const struct tr_dict *d = b->dict;
    size_t *at = calloc(d->n_columns, sizeof *at);
    NEED(at);
    for (size_t i = 0; i < b->n; i++) {
        add_text(out, "event");
        add_number(out, b->ts[i]);
        add_number(out, b->dur[i]);
        add_text(out, " record %llu track %u shape %u", (unsigned long long)b->record[i],
                 b->track[i], b->shape[i]);
        add_string(out, d, b->name[i]);
        add_string(out, d, b->cat[i]);
        add_text(out, " %s %s %s %s flags %u", tr_phase_name(b->phase[i]),
                 tr_activity_name(b->activity[i]), tr_kind_name(b->kind[i]),
                 tr_suspect_name(b->suspect[i]), b->flags[i]);
        for (uint32_t c = 0; c < d->n_columns; c++) {
            if (!entry_in(d, b->shape[i], b->flags[i], c))
                continue;
            NEED(c < b->n_cols && at[c] < b->cols[c].n);
            add_string(out, d, d->columns[c].key);
            add_text(out, ":");
            if (tr_type_is_string(d->columns[c].type))
                add_string(out, d, b->cols[c].v.str[at[c]++]);
            else
                add_number(out, b->cols[c].v.i64[at[c]++]);
        }
        add_text(out, "\n");
    }
    free(at);
}

static inline void text_of_runs(const struct tr_provenance *p, struct tr_buf *out)
{
    for (size_t i = 0; i < p->n; i++) {
        add_text(out, "run %s %s %s <", p->runs[i].program, p->runs[i].version, p->runs[i].command);
        for (size_t k = 0; k < p->runs[i].n_parents; k++)
            add_text(out, " %u", p->runs[i].parents[k]);
        add_text(out, "\n");
    }
}

/* Read a stream to its end; its content to out (may be NULL).  Returns TR_END or what went wrong.
 */
static inline enum tr_status read_text(struct memory_source *m, struct tr_buf *out,
                                       struct tr_error *err)
{
    struct tr_stream_bytes from = { read_memory, NULL, m, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    struct tr_buf events = { NULL, 0, 0 };
    enum tr_status st = tr_reader_open(&in, &from, "memory", err);
    if (st != TR_OK)
        return st;
    while ((st = tr_input_next(in, &b, err)) == TR_OK)
        if (out)
            text_of_batch(b, &events);
    if (out) {
        text_of_runs(in->provenance, out);
        text_of_dict(in->dict, out);
        text_of_tables(in->tables, out);
        text_of_summary(in->summary, out);
        NEED(tr_buf_add(out, events.data, events.len));
    }
    tr_buf_free(&events);
    tr_input_close(in);
    return st;
}

static inline void text_of_made(const struct made *m, struct tr_buf *out)
{
    text_of_runs(m->provenance, out);
    text_of_dict(m->dict, out);
    text_of_tables(&m->tables, out);
    text_of_summary(m->summary, out);
    text_of_batch(m->batch, out);
}

static inline bool same_bytes(const struct tr_buf *a, const struct tr_buf *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/*
 * Make all checksums true again after bytes were changed, as far as block headers can still be
 * followed: so that damage reaches the checks that follow the checksums.
 */
static inline void repair(unsigned char *p, size_t len)
{
    if (len < TR_PREAMBLE_BYTES)
        return;
    tr__put32(p + 12, (uint32_t)tr__checksum(p, 12));
    uint64_t chain = 0;
    for (size_t at = TR_PREAMBLE_BYTES; len - at >= TR_BLOCK_BYTES;) {
        unsigned char *head = p + at, *payload = head + TR_BLOCK_BYTES;
        size_t stored = tr__get32(head + 8);
        if (stored > len - at - TR_BLOCK_BYTES)
            stored = len - at - TR_BLOCK_BYTES;
        if (tr__get16(head) == TR_BLOCK_TRAILER && stored >= 32)
            tr__put64(payload + 24, chain);
        tr__put32(head + 36, (uint32_t)tr__checksum(head, 36));
        tr__put64(head + 40, tr__checksum(payload, stored));
        chain = tr__chain(chain, head);
        at += TR_BLOCK_BYTES + stored;
    }
}

#endif
