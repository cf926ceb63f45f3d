/* SPDX-License-Identifier: MIT */
/* What cannot be true of a source. */
#include "analysis/info/tr_trust.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define SEVERAL   2  /* a span that contains one other may run beside it */
#define STRETCHED 10 /* times the span of the rest */
#define SOME      3    /* kernels or calls of which all are long */
#define LONG      INT64_C(1000000)
#define VERY_LONG INT64_C(10000000000)
#define YEAR_2100 INT64_C(4102444800000000000)
#define STOP_NS   1000 /* frames that are closed at the stop end within the resolution of old traces */

/* The work of a stream that ends last so far, and what it contains. */
struct stream {
    uint32_t source;
    int64_t end;
    uint64_t n_inside;
};

/* Work that starts at one moment. */
struct moment {
    int64_t start, end;
    uint64_t n;
};

/* Events of one sort, and the shortest of them. */
struct shortest {
    uint64_t n;
    int64_t dur;
};

struct source {
    struct tr_trust_counts n;
    struct moment first, last; /* the first and the last moment of work; .n 0: there is none */
    int64_t end_before, end_after; /* the last end of work before last, and after first */
    uint64_t n_work;
    int64_t second; /* the start of the work after first */
    int64_t stop;    /* the last end of a frame */
    uint64_t n_open; /* frames whose end is missing */
    struct shortest kernels, calls; /* calls: those that launched */
    uint64_t n_far;                 /* events in a far future */
};

struct tr_trust {
    struct source *sources;
    size_t n_sources, cap_sources;
    struct stream *streams; /* by track */
    size_t n_streams, cap_streams;
    int64_t *launch_ts; /* of this batch */
    size_t cap_ts;
};

struct tr_trust *tr_trust_new(void)
{
    return calloc(1, sizeof(struct tr_trust));
}

void tr_trust_free(struct tr_trust *t)
{
    if (!t)
        return;
    free(t->sources);
    free(t->streams);
    free(t->launch_ts);
    free(t);
}

static bool start_batch(struct tr_trust *t, const struct tr_batch *b)
{
    const struct tr_dict *d = b->dict;
    if (!tr_grow(&t->sources, &t->cap_sources, d->n_sources, sizeof *t->sources) ||
        !tr_grow(&t->streams, &t->cap_streams, d->n_tracks, sizeof *t->streams) ||
        !tr_grow(&t->launch_ts, &t->cap_ts, b->n, sizeof *t->launch_ts))
        return false;
    for (; t->n_sources < d->n_sources; t->n_sources++)
        t->sources[t->n_sources] = (struct source){ .stop = TR_TIME_NONE };
    for (; t->n_streams < d->n_tracks; t->n_streams++)
        t->streams[t->n_streams] = (struct stream){ .source = d->tracks[t->n_streams].source, .end = TR_TIME_NONE };
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, t->launch_ts);
    return true;
}

/* ---- units ---- */

static void add_shortest(struct shortest *s, int64_t dur)
{
    if (dur <= 0)
        return; /* it was not timed */
    s->dur = !s->n++ || dur < s->dur ? dur : s->dur;
}

/* The units of times: also of suspect ones, because times that are far too large are suspect. */
static void add_times(const struct tr_batch *b, size_t i, const struct tr_source *source, struct source *s)
{
    bool call = b->activity[i] == TR_ACT_RUNTIME_API || b->activity[i] == TR_ACT_DRIVER_API;
    s->n_far += tr_time_sum(b->ts[i], source->has_base ? source->base_ns : 0) > YEAR_2100;
    if (b->activity[i] == TR_ACT_KERNEL)
        add_shortest(&s->kernels, b->dur[i]);
    else if (call && b->flags[i] & TR_HAS_DEVICE)
        add_shortest(&s->calls, b->dur[i]);
}

static uint64_t in_ns(const struct source *s)
{
    bool slow = s->kernels.n >= SOME && s->kernels.dur >= LONG;
    if (s->n_far)
        return s->n_far;
    if (slow && s->calls.n >= SOME && s->calls.dur >= LONG)
        return s->kernels.n + s->calls.n;
    return slow && s->kernels.dur >= VERY_LONG ? s->kernels.n : 0;
}

/* ---- device work ---- */

static void add_swallowed(struct tr_trust_counts *n, const struct stream *s)
{
    if (s->n_inside < SEVERAL)
        return;
    n->swallowing++;
    n->swallowed += s->n_inside;
}

/* Earlier work of a stream starts no later, so it contains what ends no later. */
static void add_to_stream(struct tr_trust *t, const struct tr_batch *b, size_t i, int64_t end)
{
    struct stream *s = &t->streams[b->track[i]];
    if (s->end != TR_TIME_NONE && b->ts[i] < s->end && end <= s->end) {
        s->n_inside++;
        return;
    }
    add_swallowed(&t->sources[s->source].n, s);
    s->end = end;
    s->n_inside = 0;
}

static void widen(int64_t *end, int64_t to)
{
    if (*end == TR_TIME_NONE || to > *end)
        *end = to;
}

static void add_moment(struct source *s, int64_t ts, int64_t end)
{
    if (!s->n_work++)
        s->first = s->last = (struct moment){ ts, end, 0 };
    if (ts != s->last.start) {
        if (s->last.start == s->first.start) {
            s->second = ts;
            s->end_before = s->last.end;
            s->end_after = end;
        }
        widen(&s->end_before, s->last.end);
        s->last = (struct moment){ ts, end, 0 };
    }
    s->last.n++;
    widen(&s->last.end, end);
    if (ts == s->first.start)
        s->first = s->last;
    else
        widen(&s->end_after, end);
}

static void add_work(struct tr_trust *t, const struct tr_batch *b, size_t i, struct source *s)
{
    if (t->launch_ts[i] != TR_TIME_NONE) {
        s->n.pairs++;
        s->n.pairs_causal += b->ts[i] >= t->launch_ts[i];
    }
    if (b->phase[i] != TR_SPAN)
        return;
    int64_t end = tr_time_sum(b->ts[i], tr_dur_used(b->dur[i], TR_SUSPECT_NO));
    add_to_stream(t, b, i, end);
    add_moment(s, b->ts[i], end);
}

/* ---- frames ---- */

static void add_frame(const struct tr_batch *b, size_t i, struct source *s)
{
    s->n.frames++;
    if (b->dur[i] == TR_TIME_NONE) {
        s->n_open++;
        return;
    }
    int64_t end = tr_time_sum(b->ts[i], tr_dur_used(b->dur[i], TR_SUSPECT_NO));
    if (s->stop == TR_TIME_NONE || tr_time_diff(end, s->stop) > STOP_NS)
        s->n.frames_at_stop = 0;
    s->n.frames_at_stop += s->stop == TR_TIME_NONE || tr_time_diff(s->stop, end) <= STOP_NS;
    widen(&s->stop, end);
}

enum tr_status tr_trust_add(struct tr_trust *t, const struct tr_batch *b, struct tr_error *err)
{
    if (!start_batch(t, b))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        uint32_t source = b->dict->tracks[b->track[i]].source;
        struct source *s = &t->sources[source];
        if (b->ts[i] != TR_TIME_NONE)
            add_times(b, i, &b->dict->sources[source], s);
        if (b->ts[i] == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO)
            continue;
        if (tr_is_device_work(b->activity[i]))
            add_work(t, b, i, s);
        else if (b->activity[i] == TR_ACT_PYTHON && b->phase[i] == TR_SPAN)
            add_frame(b, i, s);
    }
    return TR_OK;
}

/* ---- the result ---- */

/* Is the rest several works, and so far from a moment of work that this one stretches its span? */
static bool is_lone(const struct source *s, const struct moment *m, int64_t gap, int64_t rest)
{
    return s->n_work - m->n >= SEVERAL && rest > 0 && gap / (STRETCHED - 1) >= rest;
}

static void find_lone(struct source *s)
{
    int64_t after = tr_time_diff(s->end_after, s->second), before = tr_time_diff(s->end_before, s->first.start);
    int64_t span = tr_time_diff(s->last.end > s->end_before ? s->last.end : s->end_before, s->first.start);
    if (is_lone(s, &s->first, tr_time_diff(s->second, s->first.end), after)) {
        s->n.lone = s->first.n;
        s->n.span = span;
        s->n.span_rest = after;
    } else if (is_lone(s, &s->last, tr_time_diff(s->last.start, s->end_before), before)) {
        s->n.lone = s->last.n;
        s->n.span = span;
        s->n.span_rest = before;
    }
}

void tr_trust_finish(struct tr_trust *t)
{
    for (size_t i = 0; i < t->n_streams; i++)
        add_swallowed(&t->sources[t->streams[i].source].n, &t->streams[i]);
    for (size_t i = 0; i < t->n_sources; i++) {
        struct source *s = &t->sources[i];
        if (s->first.start != s->last.start)
            find_lone(s);
        s->n.frames_at_stop += s->n_open;
        s->n.in_ns = in_ns(s);
    }
}

struct tr_trust_counts tr_trust_of(const struct tr_trust *t, uint32_t source)
{
    return source < t->n_sources ? t->sources[source].n : (struct tr_trust_counts){ 0 };
}
