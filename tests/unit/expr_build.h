/* SPDX-License-Identifier: MIT */
/* TAP, a random source, and streams built by hand, for the tests of expr and of selection. */
#ifndef EXPR_BUILD_H
#define EXPR_BUILD_H

#include "base/tr_mem.h"
#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_n, tap_failed;

static inline void ok(bool good, const char *fmt, ...) TR_PRINTF(2, 3);
static inline void ok(bool good, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("%sok %d - ", good ? "" : "not ", ++tap_n);
    vprintf(fmt, ap);
    printf("\n");
    va_end(ap);
    tap_failed += !good;
}

static inline int tap_end(void)
{
    printf("1..%d\n", tap_n);
    return tap_failed != 0;
}

static inline void *must(void *p)
{
    if (!p) {
        printf("Bail out! out of memory\n");
        exit(99);
    }
    return p;
}

static inline uint32_t roll(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* --- a stream --------------------------------------------------------------------------------- */

static inline uint32_t str(struct tr_dict *d, const char *s)
{
    return s ? tr_strtab_add(d->strings, s, strlen(s)) : TR_NO_STR;
}

static inline uint32_t add_source(struct tr_dict *d, int64_t rank, const char *host)
{
    struct tr_source s = { .rank = rank,
                           .host = str(d, host),
                           .name = str(d, "trace.json"),
                           .mesh = TR_NO_STR,
                           .job = TR_NO_STR,
                           .format = str(d, "kineto") };
    return tr_dict_add_source(d, &s);
}

static inline struct tr_track host_track(uint32_t source, int64_t pid, int64_t tid)
{
    return (struct tr_track){ .source = source,
                              .side = TR_SIDE_HOST,
                              .pid_type = TR_T_INT,
                              .tid_type = TR_T_INT,
                              .pid = pid,
                              .tid = tid,
                              .device = TR_I64_NONE,
                              .context = TR_I64_NONE,
                              .stream = TR_I64_NONE,
                              .process_name = TR_NO_STR,
                              .thread_name = TR_NO_STR,
                              .labels = TR_NO_STR,
                              .process_sort = TR_I64_NONE,
                              .thread_sort = TR_I64_NONE };
}

static inline struct tr_track device_track(uint32_t source, int64_t device, int64_t stream)
{
    struct tr_track t = host_track(source, device, stream);
    t.side = TR_SIDE_DEVICE;
    t.device = device;
    t.stream = stream;
    return t;
}

/* A packed value of an event: args (or top level) member with a key. */
struct member {
    const char *key;
    uint8_t place, type;
    int64_t v;     /* number, or double as bits */
    const char *s; /* text types */
};

#define MEMBERS_MAX 6

struct event {
    int64_t ts, dur;
    uint64_t record;
    uint32_t track;
    const char *name, *cat;
    uint8_t phase, activity, kind, suspect, flags;
    int64_t launch_ts, launch_record, launch_track, n_device;
    const char *launch_name, *class_name;
    struct member members[MEMBERS_MAX];
    int n_members;
};

static inline uint32_t column_of(struct tr_dict *d, const struct member *m)
{
    uint32_t key = str(d, m->key);
    for (size_t c = TR_N_DERIVED; c < d->n_columns; c++)
        if (d->columns[c].key == key && d->columns[c].place == m->place &&
            d->columns[c].type == m->type)
            return (uint32_t)c;
    struct tr_column c = { key, m->place, m->type, 0 };
    return tr_dict_add_column(d, &c);
}

static inline uint32_t shape_of(struct tr_dict *d, const struct event *e)
{
    struct tr_slot slots[MEMBERS_MAX];
    struct tr_shape s = { slots, (uint32_t)e->n_members, 'X' };
    memset(slots, 0, sizeof slots);
    for (int k = 0; k < e->n_members; k++) {
        const struct member *m = &e->members[k];
        slots[k].key = str(d, m->key);
        slots[k].column = tr_type_has_entry(m->type) ? column_of(d, m) : UINT32_MAX;
        slots[k].place = m->place;
        slots[k].role = TR_ROLE_COLUMN;
        slots[k].type = m->type;
    }
    for (size_t i = 0; i < d->n_shapes; i++)
        if (d->shapes[i].n_slots == s.n_slots &&
            (!s.n_slots || !memcmp(d->shapes[i].slots, slots, s.n_slots * sizeof *slots)))
            return (uint32_t)i;
    return tr_dict_add_shape(d, &s);
}

static inline void put(struct tr_dict *d, struct tr_batch *b, uint32_t column, int64_t v,
                       const char *s)
{
    uint8_t type = d->columns[column].type;
    if (!tr_batch_reserve_cols(b, d->n_columns) ||
        !tr_col_reserve(&b->cols[column], b->cols[column].n + 1, (enum tr_type)type))
        must(NULL);
    struct tr_col *c = &b->cols[column];
    if (tr_type_is_string(type))
        c->v.str[c->n++] = str(d, s);
    else
        c->v.i64[c->n++] = v;
}

static inline void add_event(struct tr_dict *d, struct tr_batch *b, const struct event *e)
{
    size_t i = b->n;
    if (!tr_batch_reserve(b, i + 1) || !tr_batch_reserve_cols(b, TR_N_DERIVED))
        must(NULL);
    b->dict = d;
    b->ts[i] = e->ts;
    b->dur[i] = e->dur;
    b->record[i] = e->record;
    b->track[i] = e->track;
    b->shape[i] = shape_of(d, e);
    b->name[i] = str(d, e->name);
    b->cat[i] = str(d, e->cat);
    b->phase[i] = e->phase;
    b->activity[i] = e->activity;
    b->kind[i] = e->kind;
    b->suspect[i] = e->suspect;
    b->flags[i] = e->flags;
    b->n++;
    if (e->flags & TR_HAS_LAUNCH) {
        put(d, b, TR_COL_LAUNCH_TS, e->launch_ts, NULL);
        put(d, b, TR_COL_LAUNCH_DUR, 1, NULL);
        put(d, b, TR_COL_LAUNCH_RECORD, e->launch_record, NULL);
        put(d, b, TR_COL_LAUNCH_TRACK, e->launch_track, NULL);
        put(d, b, TR_COL_LAUNCH_NAME, 0, e->launch_name ? e->launch_name : "launch");
    }
    if (e->flags & TR_HAS_DEVICE)
        put(d, b, TR_COL_N_DEVICE, e->n_device, NULL);
    if (e->flags & TR_HAS_CLASS)
        put(d, b, TR_COL_CLASS, 0, e->class_name);
    if (e->flags & TR_FROM_BE)
        put(d, b, TR_COL_END_RECORD, (int64_t)e->record + 1, NULL);
    for (int k = 0; k < e->n_members; k++)
        if (tr_type_has_entry(e->members[k].type))
            put(d, b, column_of(d, &e->members[k]), e->members[k].v, e->members[k].s);
}

/* All values of an event as text, whatever the numbers that stand for them. */
static inline void describe(const struct tr_batch *b, size_t i, struct tr_buf *out)
{
    char text[256];
    const struct tr_dict *d = b->dict;
    snprintf(text, sizeof text, "%lld %lld %llu %u %s %s %d %d %d %d %d", (long long)b->ts[i],
             (long long)b->dur[i], (unsigned long long)b->record[i], b->track[i],
             tr_dict_str(d, b->name[i]), b->cat[i] == TR_NO_STR ? "-" : tr_dict_str(d, b->cat[i]),
             b->phase[i], b->activity[i], b->kind[i], b->suspect[i], b->flags[i]);
    tr_buf_add_str(out, text);
    int64_t *i64 = must(malloc((b->n + 1) * sizeof *i64));
    uint32_t *ids = must(malloc((b->n + 1) * sizeof *ids));
    for (uint32_t c = 0; c < d->n_columns; c++) {
        if (!tr_batch_has(b, i, c))
            continue;
        const char *key = tr_dict_str(d, d->columns[c].key);
        if (tr_type_is_string(d->columns[c].type)) {
            tr_batch_expand_str(b, c, ids);
            snprintf(text, sizeof text, " %s:%d=%s", key, d->columns[c].type,
                     tr_dict_str(d, ids[i]));
        } else {
            tr_batch_expand_i64(b, c, 0, i64);
            snprintf(text, sizeof text, " %s:%d=%lld", key, d->columns[c].type, (long long)i64[i]);
        }
        tr_buf_add_str(out, text);
    }
    tr_buf_add(out, "\n", 1);
    free(i64);
    free(ids);
}

#endif
