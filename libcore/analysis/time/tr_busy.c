/* SPDX-License-Identifier: MIT */
/* Busy time of devices: compute, communication, memory, idle. */
#include "analysis/time/tr_busy.h"

#include "base/tr_interval.h"
#include "base/tr_mem.h"

#include <stdlib.h>

struct busy_state {
    struct tr_union busy, compute, comm, memory;
    struct tr_union both;  /* compute or comm */
    struct tr_union three; /* compute, comm or memory */
    int64_t first;         /* start of the first work; the end of the last is in busy */
    uint64_t n;
    uint64_t micro; /* sum of short gaps */
};

struct tr_busy {
    struct tr_group_by work;
    struct busy_state *states; /* by group */
    size_t n_states, cap_states;
    struct tr_busy_row *rows;
    uint64_t *track_ns; /* durations, by track */
    size_t n_tracks, cap_tracks;
    struct tr_range *spans; /* by group, after finish */
    int64_t micro;
    bool memsets_compute;
    bool loaded_by_launch; /* a partial result was selected by its launches */
};

enum tr_status tr_busy_new(const struct tr_group_by_opts *opts, const struct tr_dict *dict,
                           const struct tr_summary *summary, bool sorted, struct tr_select *select,
                           struct tr_busy **busy, struct tr_error *err)
{
    struct tr_busy *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    enum tr_status st = tr_group_by_init(&a->work, opts, dict, summary, sorted, select, err);
    if (st == TR_OK)
        *busy = a;
    else
        tr_busy_free(a);
    return st;
}

void tr_busy_tune(struct tr_busy *a, int64_t micro, bool memsets_compute)
{
    a->micro = micro;
    a->memsets_compute = memsets_compute;
}

void tr_busy_free(struct tr_busy *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    free(a->states);
    free(a->rows);
    free(a->spans);
    free(a->track_ns);
    free(a);
}

/* States for all groups so far; new ones start empty. */
static bool more_states(struct tr_busy *a)
{
    static const struct busy_state fresh = {
        TR_UNION_INIT, TR_UNION_INIT, TR_UNION_INIT, TR_UNION_INIT, TR_UNION_INIT, TR_UNION_INIT, INT64_MAX, 0, 0,
    };
    if (!tr_grow(&a->states, &a->cap_states, a->work.n_groups, sizeof *a->states))
        return false;
    while (a->n_states < a->work.n_groups)
        a->states[a->n_states++] = fresh;
    return true;
}

/* Count the gap from one time to another if it is short. */
static uint64_t micro_gap(const struct tr_busy *a, int64_t from, int64_t to)
{
    uint64_t gap = to > from ? (uint64_t)to - (uint64_t)from : 0;
    return gap < (uint64_t)a->micro ? gap : 0;
}

static void add(const struct tr_busy *a, struct busy_state *s, int64_t start, int64_t end, unsigned kind)
{
    s->micro += s->n ? micro_gap(a, s->busy.end_ns, start) : 0;
    s->first = start < s->first ? start : s->first;
    s->n++;
    tr_union_add(&s->busy, start, end);
    switch (kind) {
    case TR_KIND_COMPUTE:
        tr_union_add(&s->compute, start, end);
        tr_union_add(&s->both, start, end);
        tr_union_add(&s->three, start, end);
        break;
    case TR_KIND_COMM:
        tr_union_add(&s->comm, start, end);
        tr_union_add(&s->both, start, end);
        tr_union_add(&s->three, start, end);
        break;
    case TR_KIND_MEMORY:
        tr_union_add(&s->memory, start, end);
        tr_union_add(&s->three, start, end);
        break;
    default:
        break;
    }
}

/* Sums for all tracks so far. */
static bool more_tracks(struct tr_busy *a)
{
    size_t n = a->work.dict->n_tracks;
    if (!tr_grow(&a->track_ns, &a->cap_tracks, n, sizeof *a->track_ns))
        return false;
    while (a->n_tracks < n)
        a->track_ns[a->n_tracks++] = 0;
    return true;
}

enum tr_status tr_busy_feed(struct tr_busy *a, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct tr_group_by *w = &a->work;
    struct tr_group_by_item item;
    enum tr_status st = tr_group_by_batch(w, b, keep, err);
    if (st != TR_OK)
        return st;
    if (!more_tracks(a))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        if (!tr_group_by_counts(w, i))
            continue;
        if (!tr_group_by_item(w, i, &item) || (item.group >= a->n_states && !more_states(a)))
            return tr_fail_memory(err);
        unsigned kind = a->memsets_compute && b->activity[i] == TR_ACT_MEMSET ? (unsigned)TR_KIND_COMPUTE : b->kind[i];
        add(a, &a->states[item.group], item.start, item.end, kind);
        a->track_ns[b->track[i]] += (uint64_t)item.end - (uint64_t)item.start;
    }
    return TR_OK;
}

/* The idle time in short gaps, also at the ends of a window. */
static uint64_t micro_of(const struct tr_busy *a, const struct busy_state *s, struct tr_range span)
{
    return s->micro + (s->n ? micro_gap(a, span.from, s->first) + micro_gap(a, s->busy.end_ns, span.to)
                            : micro_gap(a, span.from, span.to));
}

static struct tr_busy_row row_of(const struct tr_busy *a, uint32_t group)
{
    const struct busy_state *s = &a->states[group];
    struct tr_range span = a->spans[group];
    uint64_t span_ns = (uint64_t)span.to - (uint64_t)span.from;
    uint64_t busy = s->busy.sum_ns, compute = s->compute.sum_ns, comm = s->comm.sum_ns;
    return (struct tr_busy_row){
        .key = a->work.groups[group],
        .n_events = s->n,
        .span = tr_time_of_length(span_ns),
        .busy = tr_time_of_length(busy),
        .idle = tr_time_of_length(span_ns - busy),
        .compute = tr_time_of_length(compute),
        .comm = tr_time_of_length(comm),
        .memory = tr_time_of_length(s->memory.sum_ns),
        .overlap = tr_time_of_length(compute + comm - s->both.sum_ns),
        .exposed_comm = tr_time_of_length(s->both.sum_ns - compute),
        .exposed_memory = tr_time_of_length(s->three.sum_ns - s->both.sum_ns),
        .other = tr_time_of_length(busy - s->three.sum_ns),
        .non_compute = tr_time_of_length(busy - compute),
        .micro_idle = tr_time_of_length(micro_of(a, s, span)),
    };
}

/* The spans of all groups.  False: out of memory. */
static bool find_spans(struct tr_busy *a)
{
    size_t n = a->work.n_groups;
    free(a->spans);
    a->spans = calloc(n + 1, sizeof *a->spans);
    for (size_t g = 0; a->spans && g < n; g++)
        a->spans[g] = (struct tr_range){ a->states[g].first, a->states[g].busy.end_ns };
    bool ok = a->spans && tr_group_by_widen(&a->work, a->spans);
    for (size_t g = 0; ok && g < n; g++)
        a->spans[g] = tr_group_by_span(&a->work, (uint32_t)g, a->spans[g].from, a->spans[g].to);
    return ok;
}

enum tr_status tr_busy_finish(struct tr_busy *a, const struct tr_busy_row **rows, size_t *n, struct tr_error *err)
{
    enum tr_status st = tr_group_by_finish(&a->work, err);
    if (st != TR_OK)
        return st;
    size_t n_groups = a->work.n_groups, cap = 0;
    uint32_t *order = tr_group_by_order(&a->work);
    if (!order || !more_states(a) || !find_spans(a) || !tr_grow(&a->rows, &cap, n_groups, sizeof *a->rows)) {
        free(order);
        return tr_fail_memory(err);
    }
    for (size_t r = 0; r < n_groups; r++)
        a->rows[r] = row_of(a, order[r]);
    free(order);
    *rows = a->rows;
    *n = n_groups;
    return TR_OK;
}

const struct tr_group_by *tr_busy_groups(const struct tr_busy *a, const uint64_t **track_ns)
{
    *track_ns = a->track_ns;
    return &a->work;
}

bool tr_busy_by_launch(const struct tr_busy *a)
{
    return a->loaded_by_launch || (a->work.select && tr_select_by_launch(a->work.select));
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    uint64_t span, n, busy, compute, comm, memory, both, three;
    uint64_t micro;     /* idle time in short gaps */
    uint64_t by_launch; /* 0 or 1 */
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "span", TR_SAVED_COUNT, offsetof(struct saved, span) },
    { "events", TR_SAVED_COUNT, offsetof(struct saved, n) },
    { "busy", TR_SAVED_COUNT, offsetof(struct saved, busy) },
    { "compute", TR_SAVED_COUNT, offsetof(struct saved, compute) },
    { "comm", TR_SAVED_COUNT, offsetof(struct saved, comm) },
    { "memory", TR_SAVED_COUNT, offsetof(struct saved, memory) },
    { "compute_comm", TR_SAVED_COUNT, offsetof(struct saved, both) },
    { "compute_comm_memory", TR_SAVED_COUNT, offsetof(struct saved, three) },
    { "micro_idle", TR_SAVED_COUNT, offsetof(struct saved, micro) },
    { "by_launch", TR_SAVED_COUNT, offsetof(struct saved, by_launch) },
};

const struct tr_saved_table tr_busy_saved = TR_SAVED_TABLE("groups", columns);

void tr_busy_save(const struct tr_busy *a, struct tr_partial_out *out)
{
    for (size_t g = 0; g < a->n_states; g++) {
        const struct busy_state *s = &a->states[g];
        struct tr_range span = a->spans[g];
        const struct saved r = { .key = a->work.groups[g],
                                 .span = (uint64_t)span.to - (uint64_t)span.from,
                                 .n = s->n,
                                 .busy = s->busy.sum_ns,
                                 .compute = s->compute.sum_ns,
                                 .comm = s->comm.sum_ns,
                                 .memory = s->memory.sum_ns,
                                 .both = s->both.sum_ns,
                                 .three = s->three.sum_ns,
                                 .micro = micro_of(a, s, span),
                                 .by_launch = tr_busy_by_launch(a) };
        tr_partial_put(out, 0, &r);
    }
}

/* Can intervals have these unions? */
static bool possible(const struct saved *r)
{
    return r->busy <= r->span && r->micro <= r->span - r->busy && r->three <= r->busy && r->both <= r->three &&
           r->memory <= r->three && r->compute <= r->both && r->comm <= r->both && r->both - r->compute <= r->comm &&
           r->by_launch <= 1;
}

enum tr_status tr_busy_load(struct tr_busy *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved r;
    uint32_t g;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &a->work, &r.key, &g)) {
        if (!more_states(a))
            return tr_fail_memory(err);
        struct busy_state *s = &a->states[g];
        if (s->first != INT64_MAX || !possible(&r)) {
            tr_partial_wrong(in, "times of a group are there twice, or are no times");
            break;
        }
        s->first = r.span > INT64_MAX ? INT64_MIN : 0; /* any interval of that length */
        s->busy = (struct tr_union){ r.busy, (int64_t)((uint64_t)s->first + r.span) };
        s->compute.sum_ns = r.compute;
        s->comm.sum_ns = r.comm;
        s->memory.sum_ns = r.memory;
        s->both.sum_ns = r.both;
        s->three.sum_ns = r.three;
        s->n = r.n;
        s->micro = r.n ? r.micro : 0; /* without work, it follows from the span */
        a->loaded_by_launch |= r.by_launch != 0;
    }
    return tr_partial_status(in, err);
}
