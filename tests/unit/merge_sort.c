/* SPDX-License-Identifier: MIT */
/*
 * A merge of streams is the sort of all their events: random streams with many equal starts, events emitted
 * by what they are and not by how a stream numbers things.
 */
#include "stream/merge/tr_merge.h"
#include "stream_make.h"

/* ---- a made stream as an input ---- */

struct made_input {
    struct tr_input in;
    struct made m;
    struct tr_batch *part; /* handed out last */
    size_t at, at_most;
};

static enum tr_status made_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct made_input *i = self;
    size_t left = i->m.batch->n - i->at, n = left < i->at_most ? left : i->at_most;
    (void)err;
    if (n == 0)
        return TR_END;
    tr_batch_free(i->part);
    i->part = part_of(i->m.batch, i->at, n);
    i->at += n;
    *batch = i->part;
    return TR_OK;
}

static void made_close(void *self)
{
    struct made_input *i = self;
    tr_batch_free(i->part);
    made_free(&i->m);
    free(i);
}

static const struct tr_input_ops made_ops = { .next = made_next, .close = made_close };

static struct made_input *made_input(const struct recipe *recipe, const char *name)
{
    struct made_input *i = calloc(1, sizeof *i);
    NEED(i);
    i->m = make_stream(recipe);
    i->at_most = 7;
    i->in = (struct tr_input){ .ops = &made_ops,
                               .self = i,
                               .dict = i->m.dict,
                               .summary = i->m.summary,
                               .provenance = i->m.provenance,
                               .sorted = recipe->sorted };
    snprintf(i->in.name, sizeof i->in.name, "%s", name);
    return i;
}

/* Times of ordinary size, so that moving them to another base never leaves 64 bits. */
static void tame(struct made_input *i, int64_t base)
{
    struct tr_batch *b = i->m.batch;
    for (size_t k = 0; k < i->m.dict->n_sources; k++) {
        struct tr_source_summary *s = &i->m.summary->sources[k];
        i->m.dict->sources[k].base_ns = base;
        s->first_ts %= 1000;
        s->last_end = s->first_ts + 1000;
        s->n_steps = 0;
    }
    for (size_t k = 0; k < b->cols[TR_COL_LAUNCH_TS].n; k++)
        b->cols[TR_COL_LAUNCH_TS].v.i64[k] %= 1000;
}

/* ---- events as text ---- */

static void add_id(struct tr_buf *out, const struct tr_dict *d, unsigned type, int64_t v)
{
    if (type == TR_T_STRING)
        add_string(out, d, (uint32_t)v);
    else
        add_number(out, v);
}

static void add_track(struct tr_buf *out, const struct tr_dict *d, uint32_t id)
{
    const struct tr_track *t = &d->tracks[id];
    const struct tr_source *s = &d->sources[t->source];
    add_text(out, " track %lld", (long long)s->rank);
    add_string(out, d, s->host);
    add_string(out, d, s->name);
    add_text(out, " %u %u %u", t->side, t->pid_type, t->tid_type);
    add_id(out, d, t->pid_type, t->pid);
    add_id(out, d, t->tid_type == TR_T_NULL ? t->pid_type : t->tid_type, t->tid);
    add_number(out, t->device);
    add_number(out, t->context);
    add_number(out, t->stream);
    add_number(out, t->process_sort);
    add_number(out, t->thread_sort);
    add_string(out, d, t->process_name);
    add_string(out, d, t->thread_name);
    add_string(out, d, t->labels);
    add_text(out, " %u", t->clock);
}

/* What the event is, its start as Unix time; *cursor: entries of each column that are done. */
static void event_text(const struct tr_batch *b, size_t i, size_t *cursor, struct tr_buf *out)
{
    const struct tr_dict *d = b->dict;
    const struct tr_shape *shape = &d->shapes[b->shape[i]];
    int64_t base = d->sources[d->tracks[b->track[i]].source].base_ns;
    add_number(out, b->ts[i] == TR_TIME_NONE ? TR_TIME_NONE : b->ts[i] + base);
    add_number(out, b->dur[i]);
    add_text(out, " record %llu", (unsigned long long)b->record[i]);
    add_track(out, d, b->track[i]);
    add_string(out, d, b->name[i]);
    add_string(out, d, b->cat[i]);
    add_text(out, " %u %u %u %u %u %c", b->phase[i], b->activity[i], b->kind[i], b->suspect[i],
             b->flags[i], shape->ph);
    for (uint32_t c = 0; c < TR_N_DERIVED; c++) {
        if (!(b->flags[i] & d->columns[c].flag))
            continue;
        int64_t v = tr_type_is_string(d->columns[c].type) ? b->cols[c].v.str[cursor[c]]
                                                          : b->cols[c].v.i64[cursor[c]];
        cursor[c]++;
        add_string(out, d, d->columns[c].key);
        if (c == TR_COL_LAUNCH_TRACK)
            add_track(out, d, (uint32_t)v);
        else if (c == TR_COL_LAUNCH_TS && v != TR_TIME_NONE)
            add_number(out, v + base);
        else
            add_id(out, d, d->columns[c].type, v);
    }
    for (uint32_t k = 0; k < shape->n_slots; k++) {
        const struct tr_slot *s = &shape->slots[k];
        add_string(out, d, s->key);
        add_text(out, "/%u/%u/%u", s->place, s->role, s->type);
        if (s->column == UINT32_MAX)
            continue;
        size_t at = cursor[s->column]++;
        NEED(at < b->cols[s->column].n);
        if (tr_type_is_string(s->type))
            add_string(out, d, b->cols[s->column].v.str[at]);
        else
            add_number(out, b->cols[s->column].v.i64[at]);
    }
    add_text(out, "\n");
}

/* ---- what is expected ---- */

struct item {
    int64_t ts, dur;
    const struct tr_dict *dict;
    uint32_t source;
    uint64_t record;
    size_t place; /* stream, then event: what the order cannot distinguish stays as it is */
    struct tr_buf text;
};

static int item_cmp(const void *pa, const void *pb)
{
    const struct item *a = pa, *b = pb;
    int c = tr_order_cmp(a->ts, a->dur, b->ts, b->dur);
    if (c == 0)
        c = tr_source_cmp(a->dict, a->source, b->dict, b->source);
    if (c == 0 && a->record != b->record)
        c = a->record < b->record ? -1 : 1;
    return c ? c : (a->place > b->place) - (a->place < b->place);
}

static void sort_all(struct made_input *const *in, size_t n, struct tr_buf *out)
{
    struct item *items = NULL;
    size_t n_items = 0, cap = 0;
    for (size_t i = 0; i < n; i++) {
        const struct tr_batch *b = in[i]->m.batch;
        size_t *cursor = calloc(b->dict->n_columns, sizeof *cursor);
        NEED(cursor && tr_grow(&items, &cap, n_items + b->n + 1, sizeof *items));
        for (size_t k = 0; k < b->n; k++) {
            struct tr_order_key key = tr_order_key(b, k);
            struct item *x = &items[n_items];
            *x = (struct item){ .dict = b->dict, .place = n_items++ };
            x->ts = key.ts == TR_TIME_NONE ? key.ts : key.ts + b->dict->sources[0].base_ns;
            x->dur = key.dur;
            x->source = key.source;
            x->record = key.record;
            event_text(b, k, cursor, &x->text);
        }
        free(cursor);
    }
    qsort(items, n_items, sizeof *items, item_cmp);
    for (size_t i = 0; i < n_items; i++) {
        NEED(tr_buf_add(out, items[i].text.data, items[i].text.len));
        tr_buf_free(&items[i].text);
    }
    free(items);
}

/* ---- the merge, by way of a writer and a reader, which checks the order ---- */

static enum tr_status write_all(struct tr_input *in, struct tr_buf *out, struct tr_error *err)
{
    struct tr_sink sink = { sink_to_buf, out };
    struct tr_writer *w;
    const struct tr_batch *b;
    NEED(tr_writer_new(&w, &sink, NULL, err) == TR_OK);
    enum tr_status st = tr_writer_start(w, in->dict, in->summary, NULL, in->sorted, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_writer_batch(w, b, err);
    if (st == TR_END)
        return tr_writer_finish(w, err);
    tr_writer_abandon(w);
    return st;
}

static enum tr_status read_events(const struct tr_buf *stream, struct tr_buf *text, struct tr_error *err)
{
    struct memory_source source = { .data = stream->data, .len = stream->len };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = tr_reader_open(&in, &from, "merged", err);
    if (st != TR_OK)
        return st;
    while ((st = tr_input_next(in, &b, err)) == TR_OK) {
        size_t *cursor = calloc(b->dict->n_columns, sizeof *cursor);
        NEED(cursor);
        for (size_t i = 0; i < b->n; i++)
            event_text(b, i, cursor, text);
        free(cursor);
    }
    tr_input_close(in);
    return st;
}

static void test_sort(struct tap *t)
{
    bool equal = true, good = true;
    size_t n_streams = 0, len = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct rng r = { seed };
        size_t n = 2 + rng_below(&r, 5);
        struct made_input *made[8];
        struct tr_input *in[8], *merged;
        struct tr_buf want = { NULL, 0, 0 }, stream = { NULL, 0, 0 }, have = { NULL, 0, 0 };
        struct tr_error err = TR_ERROR_INIT;
        for (size_t i = 0; i < n; i++) {
            /* the same seed twice makes sources that the order cannot distinguish */
            uint64_t of = 100 * seed + (rng_below(&r, 3) ? i : 0);
            made[i] = made_input(&(struct recipe){ of, rng_below(&r, 300), true, 1 + rng_below(&r, 3) },
                                 "made");
            tame(made[i], rng_below(&r, 2) ? 0 : (int64_t)rng_below(&r, 50));
            in[i] = &made[i]->in;
        }
        sort_all(made, n, &want);
        /* these all claim to be the same processes at the same time: other ranks would change the order */
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < made[i]->m.dict->n_sources; k++)
                made[i]->m.dict->sources[k].pid = TR_I64_NONE;
        good &= tr_merge_open(&merged, in, n, NULL, &err) == TR_OK;
        NEED(good);
        good &= write_all(merged, &stream, &err) == TR_OK;
        tr_input_close(merged);
        good &= good && read_events(&stream, &have, &err) == TR_END;
        if (!good)
            printf("# seed %llu: %s: %s\n", (unsigned long long)seed, err.place, err.what);
        equal &= same_bytes(&want, &have);
        n_streams += n;
        len += want.len;
        tr_buf_free(&want);
        tr_buf_free(&stream);
        tr_buf_free(&have);
    }
    tap_ok(t, good, "%zu random streams are merged, and the result is read as ordered", n_streams);
    tap_ok(t, equal && len > 100000, "the merge is the sort of all events (%zu bytes of text)", len);
}

/* ---- failures ---- */

static enum tr_status open_two(struct made_input *a, struct made_input *b, bool renumber,
                               struct tr_input **merged, struct tr_error *err)
{
    struct tr_input *in[] = { &a->in, &b->in };
    const struct tr_merge_opts opts = { .renumber = renumber };
    *err = (struct tr_error)TR_ERROR_INIT;
    return tr_merge_open(merged, in, 2, &opts, err);
}

static struct made_input *tame_input(uint64_t seed, const char *name)
{
    struct made_input *i = made_input(&(struct recipe){ seed, 20, true, 0 }, name);
    tame(i, 0);
    return i;
}

static void test_refusals(struct tap *t)
{
    struct tr_error err;
    struct tr_input *merged;
    struct made_input *a = tame_input(1, "a"), *b = made_input(&(struct recipe){ 2, 20, false, 0 }, "b");
    tame(b, 0);
    enum tr_status st = open_two(a, b, false, &merged, &err);
    tap_ok(t, st == TR_DAMAGED && strcmp(err.input, "b") == 0, "an input without order is refused: %s",
           err.what);

    a = tame_input(1, "a");
    b = tame_input(3, "b");
    a->m.dict->sources[0].base_ns = INT64_MIN + 1;
    b->m.dict->sources[0].base_ns = INT64_MAX;
    st = open_two(a, b, false, &merged, &err);
    tap_ok(t, st == TR_DAMAGED, "bases that are too far apart: %s", err.what);

    a = tame_input(1, "a");
    b = tame_input(3, "b");
    for (size_t k = 0; k < b->m.dict->n_sources; k++) {
        b->m.dict->sources[k].base_ns = 1000;
        b->m.dict->sources[k].pid = TR_I64_NONE;
    }
    b->m.batch->ts[b->m.batch->n - 1] = INT64_MAX - 10;
    st = open_two(a, b, false, &merged, &err);
    const struct tr_batch *batch;
    while (st == TR_OK)
        st = tr_input_next(merged, &batch, &err);
    struct tr_error again = TR_ERROR_INIT;
    tap_ok(t, st == TR_DAMAGED && strcmp(err.input, "b") == 0, "a time beyond 64 bits: %s", err.what);
    tap_ok(t, tr_input_next(merged, &batch, &again) == st && strcmp(again.what, err.what) == 0,
           "the failure stays");
    tr_input_close(merged);
}

/* Set what makes a source collide: rank, process, and time. */
static void claim(struct made_input *i, int64_t rank, int64_t pid, int64_t from, int64_t to)
{
    for (size_t k = 0; k < i->m.dict->n_sources; k++) {
        i->m.dict->sources[k].rank = rank + (int64_t)k;
        i->m.dict->sources[k].pid = pid;
        i->m.summary->sources[k].first_ts = from;
        i->m.summary->sources[k].last_end = to;
    }
}

static void test_collisions(struct tap *t)
{
    static const struct {
        const char *what;
        int64_t rank, pid, from, to;
        bool collides;
    } cases[] = {
        { "the same rank, process and time", 0, 7, 100, 200, true },
        { "times that overlap", 0, 7, 199, 300, true },
        { "a moment inside", 0, 7, 150, 150, true },
        { "a moment at the start", 0, 7, 100, 100, true },
        { "times that touch", 0, 7, 200, 300, false },
        { "times that do not overlap", 0, 7, -50, 50, false },
        { "no times", 0, 7, TR_TIME_NONE, TR_TIME_NONE, false },
        { "another process", 0, 8, 100, 200, false },
        { "no process", 0, TR_TIME_NONE, 100, 200, false },
        { "another rank", 9, 7, 100, 200, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int renumber = 0; renumber < 2; renumber++) {
            struct made_input *a = tame_input(1, "a"), *b = tame_input(1, "b");
            struct tr_input *merged;
            struct tr_error err;
            size_t n = a->m.dict->n_sources;
            claim(a, 0, 7, 100, 200);
            claim(b, cases[i].rank, cases[i].pid, cases[i].from, cases[i].to);
            enum tr_status st = open_two(a, b, renumber, &merged, &err);
            bool good = st == (cases[i].collides && !renumber ? TR_DAMAGED : TR_OK);
            if (st == TR_OK) {
                size_t distinct = 0, renumbered = 0;
                for (size_t k = 0; k < merged->dict->n_sources; k++) {
                    const struct tr_source *s = &merged->dict->sources[k];
                    distinct += k == 0 || s->rank != s[-1].rank;
                    renumbered += s->rank_rule == TR_RANK_RENUMBERED;
                }
                bool apart = cases[i].collides || cases[i].rank != 0;
                good &= distinct == (apart ? 2 * n : n) && renumbered == (cases[i].collides ? n : 0);
                tr_input_close(merged);
            }
            tap_ok(t, good, "%s%s", cases[i].what, renumber ? ", renumbered" : "");
        }
    }
}

/* What was chosen of a merge is what the whole has there; what was not is absent. */
static void test_choice(struct tap *t)
{
    const struct tr_projection want = { .fixed = TR_FIXED_BIT(NAME), .derived = 1u << TR_COL_LAUNCH_TS };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct tr_input *in[2];
        struct tr_error err;
        const struct tr_batch *all, *few;
        bool good = true;
        for (size_t i = 0; i < 2; i++)
            NEED(open_two(tame_input(2 * seed, "a"), tame_input(2 * seed + 1, "b"), true, &in[i], &err) == TR_OK);
        good &= tr_input_want(in[1], &want);
        while (good && tr_input_next(in[0], &all, &err) == TR_OK) {
            good = tr_input_next(in[1], &few, &err) == TR_OK && few->n == all->n && !few->cat && !few->kind &&
                   !few->activity && !few->record;
            const struct tr_col *x = &all->cols[TR_COL_LAUNCH_TS], *y = &few->cols[TR_COL_LAUNCH_TS];
            good = good && x->n == y->n && (!x->n || !memcmp(x->v.i64, y->v.i64, x->n * sizeof *x->v.i64));
            for (size_t i = 0; good && i < all->n; i++)
                good = all->ts[i] == few->ts[i] &&
                       !strcmp(tr_dict_str(all->dict, all->name[i]), tr_dict_str(few->dict, few->name[i]));
            for (size_t c = 0; good && c < few->n_cols; c++)
                good = c == TR_COL_LAUNCH_TS || few->cols[c].n == 0;
        }
        good = good && tr_input_next(in[1], &few, &err) == TR_END;
        tap_ok(t, good, "a choice of columns of a merge, %llu", (unsigned long long)seed);
        tr_input_close(in[0]);
        tr_input_close(in[1]);
    }
}

/* ---- batches in turn ---- */

/* Ranks from a first one on, of processes that nothing else has. */
static void move_ranks(struct made_input *i, int64_t first, int64_t pid)
{
    for (size_t k = 0; k < i->m.dict->n_sources; k++) {
        i->m.dict->sources[k].rank = first + (int64_t)k;
        i->m.dict->sources[k].pid = pid + (int64_t)k;
    }
}

struct seen_rank {
    struct tr_buf text; /* of its events, as they came */
    int64_t last;
};

/* All events of an input by rank, unknown ones last.  *mixed: a batch started before the one before it had ended. */
static bool read_ranks(struct tr_input *in, struct seen_rank *ranks, size_t n, bool *mixed)
{
    const struct tr_batch *b;
    struct tr_error err;
    enum tr_status st;
    int64_t end = TR_TIME_NONE;
    bool good = true;
    *mixed = false;
    while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
        size_t *cursor = calloc(b->dict->n_columns, sizeof *cursor);
        NEED(cursor && b->n > 0);
        *mixed |= b->ts[0] < end;
        end = b->ts[b->n - 1];
        for (size_t i = 0; i < b->n; i++) {
            int64_t rank = b->dict->sources[b->dict->tracks[b->track[i]].source].rank;
            struct seen_rank *r = &ranks[rank < 0 || (uint64_t)rank >= n - 1 ? n - 1 : (size_t)rank];
            event_text(b, i, cursor, &r->text);
            good &= b->ts[i] >= r->last && (i == 0 || b->ts[i] >= b->ts[i - 1]);
            r->last = b->ts[i];
        }
        free(cursor);
    }
    return good && st == TR_END;
}

/* Two inputs, with and without turns: each rank has the same events in the same order. */
static bool same_ranks(uint64_t seed, int64_t first, int64_t second, bool turns, bool *mixed)
{
    enum { RANKS = 64 };
    struct seen_rank ranks[2][RANKS] = { { { { 0 }, 0 } } };
    bool good = true, in_order = false;
    for (int way = 0; way < 2; way++) {
        const struct tr_projection want = { .fixed = TR_FIXED_ALL, .all_packed = true, .any_rank_order = way };
        struct made_input *in[2];
        struct tr_input *merged;
        struct tr_error err;
        for (uint64_t i = 0; i < 2; i++) {
            in[i] = made_input(&(struct recipe){ 2 * seed + i, 300, true, 0 }, i ? "b" : "a");
            tame(in[i], (int64_t)(i * (seed % 3) * 100));
            move_ranks(in[i], i ? second : first, i ? 100 : 1);
        }
        for (size_t r = 0; r < RANKS; r++)
            ranks[way][r].last = TR_TIME_NONE;
        NEED(open_two(in[0], in[1], false, &merged, &err) == TR_OK && tr_input_want(merged, &want));
        good &= read_ranks(merged, ranks[way], RANKS, way ? mixed : &in_order) && !(way ? *mixed && !turns : in_order);
        tr_input_close(merged);
    }
    for (size_t r = 0; r < RANKS; r++) {
        const struct tr_buf *x = &ranks[0][r].text, *y = &ranks[1][r].text;
        good &= x->len == y->len && (!x->len || memcmp(x->data, y->data, x->len) == 0);
        tr_buf_free(&ranks[0][r].text);
        tr_buf_free(&ranks[1][r].text);
    }
    return good;
}

static void test_turns(struct tap *t)
{
    bool apart = true, shared = true, unknown = true, mixed, any = false;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        apart &= same_ranks(seed, 0, 20, true, &mixed);
        any |= mixed;
        shared &= same_ranks(seed, 0, 0, false, &mixed);
        unknown &= same_ranks(seed, -20, -10, false, &mixed);
    }
    tap_ok(t, apart, "batches in turn: each rank has its events, in order");
    tap_ok(t, any, "batches in turn: they are not brought into one order");
    tap_ok(t, shared, "batches in turn: not of inputs that share a rank");
    tap_ok(t, unknown, "batches in turn: not of inputs with unknown ranks");
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_turns(&t);
    test_choice(&t);
    test_sort(&t);
    test_refusals(&t);
    test_collisions(&t);
    return tap_end(&t);
}
