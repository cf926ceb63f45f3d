/* SPDX-License-Identifier: MIT */
/*
 * Selection, grouping, busy time and states of random traces against an oracle that looks at every
 * nanosecond and every event again for each question.
 */
#include "analysis/time/tr_busy.h"
#include "analysis/time/tr_concurrency.h"
#include "base/tr_mem.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 100
#define MOMENTS    220
#define N_SOURCES  3
#define N_TRACKS   10

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

static uint64_t rng = 7;

static int64_t below(uint64_t n)
{
    uint64_t z = (rng += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)((z ^ (z >> 31)) % n);
}

/* ---- a random trace ---- */

struct event {
    int64_t ts, dur, launch_ts;
    uint32_t track, label; /* string number or TR_NO_STR */
    unsigned activity, kind, suspect, phase;
};

struct trace {
    struct event events[MAX_EVENTS];
    size_t n;
    struct tr_dict *dict;
    struct tr_summary *summary;
    uint32_t gemm, attn;
};

static int in_order(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return tr_order_cmp(x->ts, x->dur, y->ts, y->dur);
}

static struct event random_event(const struct trace *t)
{
    static const unsigned kinds[] = { TR_KIND_COMPUTE, TR_KIND_COMPUTE, TR_KIND_COMM,
                                      TR_KIND_MEMORY, TR_KIND_OTHER };
    struct event e = { .ts = 100 + below(90),
                       .dur = below(20),
                       .launch_ts = TR_TIME_NONE,
                       .track = (uint32_t)below(N_TRACKS),
                       .label = TR_NO_STR };
    e.activity = (unsigned)below(6) ? TR_ACT_KERNEL + (unsigned)below(3) : TR_ACT_SYNC;
    e.phase = below(20) ? TR_SPAN : TR_INSTANT;
    if (e.track < N_SOURCES)
        e.activity = TR_ACT_CPU_OP;
    if (tr_is_device_work(e.activity))
        e.kind = kinds[below(5)];
    if (e.track >= N_SOURCES && below(4))
        e.launch_ts = e.ts - below(15);
    if (below(12) == 0)
        e.dur = TR_TIME_NONE;
    if (below(12) == 0) {
        e.suspect = below(2) ? TR_SUSPECT_NEGATIVE_DUR : TR_SUSPECT_BEFORE_BASE;
        if (e.suspect == TR_SUSPECT_NEGATIVE_DUR)
            e.dur = -1 - below(5);
    }
    if (below(3) == 0)
        e.label = below(2) ? t->gemm : t->attn;
    return e;
}

static bool add_tracks(struct trace *t)
{
    for (uint32_t i = 0; i < N_TRACKS; i++) {
        struct tr_track k = { .source = i % N_SOURCES,
                              .side = i < N_SOURCES ? TR_SIDE_HOST : TR_SIDE_DEVICE,
                              .device = TR_I64_NONE,
                              .stream = TR_I64_NONE,
                              .context = TR_I64_NONE,
                              .process_name = TR_NO_STR,
                              .thread_name = TR_NO_STR,
                              .labels = TR_NO_STR };
        if (i >= N_SOURCES && i < N_TRACKS - 1) {
            k.device = i % 2;
            k.stream = 7 + i / 7;
        }
        if (tr_dict_add_track(t->dict, &k) != i)
            return false;
    }
    return true;
}

/* Two sources share rank 1; each counts its file's times from another base. */
static bool make_trace(struct trace *t, int64_t base_step)
{
    t->dict = tr_dict_new();
    t->summary = tr_summary_new(N_SOURCES);
    if (!t->dict || !t->summary)
        return false;
    t->gemm = tr_strtab_add(t->dict->strings, "gemm", 4);
    t->attn = tr_strtab_add(t->dict->strings, "attn", 4);
    for (uint32_t s = 0; s < N_SOURCES; s++) {
        struct tr_source src = { .rank = s < 2 ? 1 : 0,
                                 .name = TR_NO_STR,
                                 .host = TR_NO_STR,
                                 .mesh = TR_NO_STR,
                                 .job = TR_NO_STR,
                                 .format = TR_NO_STR,
                                 .base_ns = 5000,
                                 .file_base_ns = 5000 - base_step * (int64_t)s };
        if (tr_dict_add_source(t->dict, &src) != s)
            return false;
        int64_t start = 95;
        for (int64_t n = below(5), k = 0; k < n; k++) {
            struct tr_step step = { .number = k + below(2), .start = start, .end = start + 5 + below(40), .track = s };
            if (!tr_summary_add_step(&t->summary->sources[s], &step))
                return false;
            start += 5 + below(25);
        }
    }
    t->n = (size_t)below(MAX_EVENTS + 1);
    for (size_t i = 0; i < t->n; i++)
        t->events[i] = random_event(t);
    qsort(t->events, t->n, sizeof *t->events, in_order);
    return add_tracks(t);
}

static void free_trace(struct trace *t)
{
    tr_dict_free(t->dict);
    tr_summary_free(t->summary);
}

static bool add_entry(struct tr_batch *b, uint32_t column, int64_t i64, uint32_t str)
{
    struct tr_col *c = &b->cols[column];
    bool is_str = column == TR_COL_CLASS;
    if (!tr_col_reserve(c, c->n + 1, is_str ? TR_T_STRING : TR_T_INT))
        return false;
    if (is_str)
        c->v.str[c->n++] = str;
    else
        c->v.i64[c->n++] = i64;
    return true;
}

/* Events from..to as a batch. */
static bool fill_batch(struct tr_batch *b, const struct trace *t, size_t from, size_t to)
{
    tr_batch_clear(b);
    b->dict = t->dict;
    if (!tr_batch_reserve(b, to - from) || !tr_batch_reserve_cols(b, TR_N_DERIVED))
        return false;
    for (size_t i = 0; from < to; i++, from++) {
        const struct event *e = &t->events[from];
        b->ts[i] = e->ts;
        b->dur[i] = e->dur;
        b->record[i] = from;
        b->track[i] = e->track;
        b->shape[i] = b->name[i] = 0;
        b->cat[i] = TR_NO_STR;
        b->phase[i] = (uint8_t)e->phase;
        b->activity[i] = (uint8_t)e->activity;
        b->kind[i] = (uint8_t)e->kind;
        b->suspect[i] = (uint8_t)e->suspect;
        b->flags[i] = (uint8_t)((e->launch_ts != TR_TIME_NONE ? TR_HAS_LAUNCH : 0) |
                                (e->label != TR_NO_STR ? TR_HAS_CLASS : 0));
        if ((e->launch_ts != TR_TIME_NONE && !add_entry(b, TR_COL_LAUNCH_TS, e->launch_ts, 0)) ||
            (e->label != TR_NO_STR && !add_entry(b, TR_COL_CLASS, 0, e->label)))
            return false;
        b->n = i + 1;
    }
    return true;
}

/* ---- the oracle ---- */

/* From the times of the lowest rank's file to those of the stream. */
static int64_t shift_of(const struct trace *t)
{
    return t->dict->sources[N_SOURCES - 1].file_base_ns - t->dict->sources[N_SOURCES - 1].base_ns;
}

/* Number of the latest step that covers a moment, -1: none. */
static int64_t step_at(const struct trace *t, uint32_t source, int64_t ts)
{
    const struct tr_source_summary *s = &t->summary->sources[source];
    int64_t best = -1;
    for (size_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].start <= ts && ts < s->steps[i].end)
            best = s->steps[i].number;
    return best;
}

static bool before_last_step(const struct trace *t, uint32_t source, int64_t ts)
{
    const struct tr_source_summary *s = &t->summary->sources[source];
    bool several = false;
    for (size_t i = 1; i < s->n_steps; i++)
        several |= s->steps[i].number != s->steps[0].number;
    return !several || ts < s->steps[s->n_steps - 1].start;
}

static bool taken(const struct trace *t, const struct event *e, const struct tr_select_opts *o)
{
    uint32_t source = t->dict->tracks[e->track].source;
    int64_t shift = shift_of(t), rank = t->dict->sources[source].rank;
    int64_t at = e->activity == TR_ACT_CPU_OP ? e->ts : e->launch_ts;
    int64_t len = e->suspect || e->dur == TR_TIME_NONE ? 0 : e->dur;
    if (o->n_ranks && (rank < o->ranks[0].from || rank > o->ranks[0].to))
        return false;
    if (o->has_time && !(e->ts - shift < o->time.to &&
                         (e->ts - shift >= o->time.from || e->ts - shift + len > o->time.from)))
        return false;
    bool last = o->drop_last_step && !before_last_step(t, source, INT64_MAX);
    if ((o->has_steps || o->has_host_time || last) && at == TR_TIME_NONE)
        return false;
    if (o->has_steps && (step_at(t, source, at) < o->steps.from ||
                         step_at(t, source, at) > o->steps.to || step_at(t, source, at) == -1))
        return false;
    if (o->has_host_time && (at - shift < o->host_time.from || at - shift >= o->host_time.to))
        return false;
    return !last || before_last_step(t, source, at);
}

struct piece { /* what an event comes to in an analysis */
    bool counts;
    int64_t start, end;
    struct tr_group_key key;
    uint32_t set; /* bits: compute comm memory other gemm attn */
};

static struct piece piece_of(const struct trace *t, const struct event *e, enum tr_per per,
                             bool suspect, const struct tr_select_opts *o)
{
    const struct tr_track *k = &t->dict->tracks[e->track];
    struct piece p = { .key = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0 } };
    int64_t shift = shift_of(t), step = TR_GROUP_NONE;
    p.counts = tr_is_device_work(e->activity) && e->phase == TR_SPAN && (suspect || !e->suspect) &&
               taken(t, e, o);
    p.start = e->ts;
    p.end = e->ts + (e->dur > 0 ? e->dur : 0);
    if (o->has_time) {
        p.start = p.start < o->time.from + shift ? o->time.from + shift : p.start;
        p.end = p.end > o->time.to + shift ? o->time.to + shift : p.end;
        p.end = p.end < p.start ? p.start : p.end;
    }
    if (per == TR_PER_STEP && e->launch_ts != TR_TIME_NONE &&
        step_at(t, k->source, e->launch_ts) != -1)
        step = step_at(t, k->source, e->launch_ts);
    if (per != TR_PER_ALL)
        p.key.rank = t->dict->sources[k->source].rank;
    if ((per == TR_PER_DEVICE || per == TR_PER_STREAM) && k->device != TR_I64_NONE)
        p.key.device = k->device;
    if (per == TR_PER_STREAM && k->stream != TR_I64_NONE)
        p.key.stream = k->stream;
    p.key.step = step;
    p.set = e->kind ? 1u << (e->kind - 1) : 0;
    if (e->label != TR_NO_STR)
        p.set |= e->label == t->gemm ? 16u : 32u;
    return p;
}

static bool same_key(const struct tr_group_key *a, const struct tr_group_key *b)
{
    return a->rank == b->rank && a->device == b->device && a->stream == b->stream &&
           a->step == b->step;
}

/* Time of a group by the exact set of bits active, and its extent; false: no work. */
static bool count_moments(const struct piece *p, size_t n, const struct tr_group_key *key,
                          uint64_t time[64], int64_t *first, int64_t *last, uint64_t *n_events)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    *n_events = 0;
    memset(time, 0, 64 * sizeof *time);
    for (size_t i = 0; i < n; i++) {
        if (!p[i].counts || !same_key(&p[i].key, key))
            continue;
        ++*n_events;
        *first = p[i].start < *first ? p[i].start : *first;
        *last = p[i].end > *last ? p[i].end : *last;
    }
    for (int64_t at = 0; at < MOMENTS; at++) {
        uint32_t set = 0;
        for (size_t i = 0; i < n; i++)
            if (p[i].counts && same_key(&p[i].key, key) && p[i].start <= at && at < p[i].end)
                set |= p[i].set;
        time[set]++;
    }
    return *n_events != 0;
}

/* The extent of all devices of the rank of a key. */
static void widen(const struct piece *p, size_t n, const struct tr_group_key *key, int64_t *first, int64_t *last)
{
    for (size_t i = 0; i < n; i++) {
        if (!p[i].counts || p[i].key.rank != key->rank)
            continue;
        *first = p[i].start < *first ? p[i].start : *first;
        *last = p[i].end > *last ? p[i].end : *last;
    }
}

static int64_t with(const uint64_t time[64], uint32_t any, uint32_t none)
{
    uint64_t sum = 0;
    for (uint32_t set = 1; set < 64; set++)
        if ((any == 0 || set & any) && !(set & none))
            sum += time[set];
    return (int64_t)sum;
}

/* ---- one case ---- */

struct question {
    struct tr_group_by_opts work;
    struct tr_select_opts select;
};

static struct question random_question(void)
{
    struct question q = { .select = TR_SELECT_ALL };
    q.work.per = (enum tr_per)below(6);
    q.work.suspect = below(3) == 0;
    if (below(4) == 0) {
        q.select.n_ranks = 1;
        q.select.ranks[0] = (struct tr_range){ below(2), 1 };
    }
    if (below(4) == 0) {
        q.select.has_time = true;
        q.select.time = (struct tr_range){ 100 + below(60), 0 };
        q.select.time.to = q.select.time.from + 1 + below(40);
    }
    if (below(4) == 0) {
        q.select.has_steps = true;
        q.select.steps = (struct tr_range){ below(3), 3 };
    }
    if (below(4) == 0) {
        q.select.has_host_time = true;
        q.select.host_time = (struct tr_range){ below(2) ? INT64_MIN : 120, 120 + below(60) };
        q.select.host_time.to++;
    }
    q.select.drop_last_step = below(4) == 0;
    return q;
}

static bool busy_agrees(const struct trace *t, const struct question *q, const struct piece *p,
                        const struct tr_busy_row *rows, size_t n_rows)
{
    uint64_t counted = 0, expected = 0;
    for (size_t i = 0; i < t->n; i++)
        expected += p[i].counts;
    for (size_t r = 0; r < n_rows; r++) {
        const struct tr_busy_row *x = &rows[r];
        uint64_t time[64], n;
        int64_t first, last;
        bool any = count_moments(p, t->n, &x->key, time, &first, &last, &n);
        if (q->work.per == TR_PER_DEVICE)
            widen(p, t->n, &x->key, &first, &last);
        int64_t span = any ? last - first : 0;
        if (q->select.has_time && q->work.per != TR_PER_STEP)
            span = q->select.time.to - q->select.time.from;
        int64_t busy = with(time, 0, 0), compute = with(time, 1, 0);
        if (x->n_events != n || x->span != span || x->busy != busy || x->idle != span - busy ||
            x->compute != compute || x->comm != with(time, 2, 0) || x->memory != with(time, 4, 0) ||
            x->exposed_comm != with(time, 2, 1) || x->exposed_memory != with(time, 4, 3) ||
            x->other != with(time, 0, 7) || x->non_compute != busy - compute ||
            x->overlap != x->comm - x->exposed_comm)
            return false;
        if (r && rows[r - 1].key.rank > x->key.rank)
            return false;
        counted += n;
    }
    return counted == expected; /* every event is in one row */
}

static bool states_agree(const struct trace *t, const struct piece *p, const struct tr_concurrency_row *rows,
                         size_t n_rows)
{
    uint64_t total = 0, expected = 0;
    for (size_t r = 0; r < n_rows; r++) {
        const struct tr_concurrency_row *x = &rows[r];
        uint64_t time[64], n, sum = 0;
        int64_t first, last;
        count_moments(p, t->n, &x->key, time, &first, &last, &n);
        for (uint32_t set = 1; set < 64; set++) /* ours: bit 0 comm, 1 gemm, 2 attn, 3 compute */
            if (((set >> 1 & 1u) | (set >> 4 & 1u) << 1 | (set >> 5 & 1u) << 2 | (set & 1u) << 3) ==
                x->set)
                sum += time[set];
        if (x->set && (uint64_t)x->sum != sum)
            return false;
        if (x->sum <= 0 || x->sum > x->whole)
            return false;
        if (r && same_key(&rows[r - 1].key, &x->key) && rows[r - 1].sum < x->sum)
            return false;
        total += x->set ? (uint64_t)x->sum : 0;
    }
    /* all groups together, so that a missing row shows */
    for (size_t i = 0; i < t->n; i++) {
        uint64_t time[64], n;
        int64_t first, last;
        bool seen = !p[i].counts;
        for (size_t k = 0; k < i; k++)
            seen |= p[k].counts && same_key(&p[k].key, &p[i].key);
        if (!seen && count_moments(p, t->n, &p[i].key, time, &first, &last, &n))
            expected += (uint64_t)with(time, 1 | 2 | 16 | 32, 0);
    }
    return total == expected;
}

/* The rows of a group add up to its whole, and with the empty set that is its span. */
static bool states_add_up(const struct tr_concurrency_row *rows, size_t n_rows, const struct tr_busy_row *busy,
                          size_t n_busy)
{
    for (size_t g = 0; g < n_busy; g++) {
        int64_t sum = 0;
        for (size_t r = 0; r < n_rows; r++) {
            if (!same_key(&rows[r].key, &busy[g].key))
                continue;
            sum += rows[r].sum;
            if (rows[r].whole != busy[g].span)
                return false;
        }
        if (sum != busy[g].span)
            return false;
    }
    return true;
}

/* Does it take so many classes?  What is wrong is said. */
static bool takes_classes(unsigned n)
{
    char names[TR_SWEEP_MAX_CLASSES + 1][8];
    const char *list[TR_SWEEP_MAX_CLASSES + 1];
    const struct tr_concurrency_opts opts = { .classes = list, .n_classes = n, .with_none = true };
    const struct tr_select_opts everything = { 0 };
    struct trace t = { .n = 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_select *sel = NULL;
    struct tr_concurrency *c = NULL;
    for (unsigned i = 0; i <= TR_SWEEP_MAX_CLASSES; i++) {
        snprintf(names[i], sizeof names[i], "c%u", i);
        list[i] = names[i];
    }
    bool good = make_trace(&t, 0) && tr_select_new(&everything, t.dict, t.summary, true, &sel, &err) == TR_OK &&
                tr_concurrency_new(&opts, t.dict, t.summary, true, sel, &c, &err) == TR_OK;
    if (good)
        tr_concurrency_free(c);
    tr_select_free(sel);
    free_trace(&t);
    return good || err.status != TR_USAGE;
}

static bool run_case(int *bad)
{
    static const char *const classes[] = { "comm", "gemm", "attn", "compute" };
    struct trace t = { .n = 0 };
    struct question q = random_question();
    struct tr_error err = TR_ERROR_INIT;
    struct tr_select *sel = NULL;
    struct tr_busy *busy = NULL;
    struct tr_concurrency *states = NULL;
    struct tr_batch *b = tr_batch_new();
    const struct tr_busy_row *rows;
    const struct tr_concurrency_row *state_rows;
    struct piece p[MAX_EVENTS];
    size_t n, n_states;
    bool good = b && make_trace(&t, below(2) ? 17 : 0);
    struct tr_concurrency_opts so = { .work = q.work, .classes = classes, .n_classes = 4, .with_none = true };
    good = good && tr_select_new(&q.select, t.dict, t.summary, true, &sel, &err) == TR_OK &&
           tr_busy_new(&q.work, t.dict, t.summary, true, sel, &busy, &err) == TR_OK &&
           tr_concurrency_new(&so, t.dict, t.summary, true, sel, &states, &err) == TR_OK;
    for (size_t at = 0; good && at < t.n;) {
        size_t to = at + 1 + (size_t)below(20);
        const uint8_t *keep;
        to = to > t.n ? t.n : to;
        good = fill_batch(b, &t, at, to) && tr_select_mask(sel, b, &keep, &err) == TR_OK;
        for (size_t i = at; good && i < to; i++)
            bad[0] += (!keep || keep[i - at]) != taken(&t, &t.events[i], &q.select);
        good =
            good && tr_busy_feed(busy, b, keep, &err) == TR_OK && tr_concurrency_feed(states, b, keep, &err) == TR_OK;
        at = to;
    }
    good = good && tr_busy_finish(busy, &rows, &n, &err) == TR_OK &&
           tr_concurrency_finish(states, &state_rows, &n_states, &err) == TR_OK;
    for (size_t i = 0; good && i < t.n; i++)
        p[i] = piece_of(&t, &t.events[i], q.work.per, q.work.suspect, &q.select);
    if (good) {
        bad[1] += !busy_agrees(&t, &q, p, rows, n);
        bad[2] += !states_agree(&t, p, state_rows, n_states);
        bad[3] += !states_add_up(state_rows, n_states, rows, n);
    }
    tr_concurrency_free(states);
    tr_busy_free(busy);
    tr_select_free(sel);
    tr_batch_free(b);
    free_trace(&t);
    return good;
}

int main(void)
{
    int bad[4] = { 0 }, broken = 0;
    for (int i = 0; i < 1000; i++)
        broken += !run_case(bad);
    ok(broken == 0, "1000 random traces and questions are answered");
    ok(bad[0] == 0, "the same events are selected as by looking at each");
    ok(bad[1] == 0, "busy time, by group, is what counting moments gives");
    ok(bad[2] == 0, "so is the time of every set of classes");
    ok(bad[3] == 0, "the times of all sets add up to the span");
    ok(takes_classes(TR_SWEEP_MAX_CLASSES) && !takes_classes(TR_SWEEP_MAX_CLASSES + 1),
       "as many classes as a sweep can have are taken, and no more");
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
