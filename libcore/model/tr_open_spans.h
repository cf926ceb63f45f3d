/* SPDX-License-Identifier: MIT */
/*
 * Open spans per track, while a stream is read in canonical order.
 *
 * A span is open at ts if it started before ts, or at ts but earlier in the order, and has not ended.  Intervals are
 * half-open.  Spans that overlap without nesting are all open.  The time for a span grows with the logarithm of the
 * number of open spans.  Memory: 40 bytes per open span, up to 100 if they do not nest.
 *
 *     struct tr_open_spans_track *t = tr_open_spans_at(nest, b->track[i], b->ts[i]);
 *     depth = t->n;
 *     tr_open_spans_push(t, b->ts[i], end, position, false);
 */
#ifndef TR_OPEN_SPANS_H
#define TR_OPEN_SPANS_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_open_spans_span {
    int64_t start, end; /* ns; end INT64_MAX: never */
    uint64_t tag;       /* for the caller */
    bool mark;          /* for the caller; false at first */
    bool root;          /* as given to tr_open_spans_push */
    bool closed;        /* it has ended */
};

/* The end of a span, and its place in spans; the span may be gone already. */
struct tr_open_spans_end {
    int64_t end;
    size_t at;
};

struct tr_open_spans_track {
    struct tr_open_spans_span *spans; /* outermost first; some may be closed, but not the last one */
    size_t n;                         /* number of open spans */
    size_t len, cap;                  /* spans in the array */
    size_t first;                     /* the outermost open span, if there is one */
    size_t n_roots;                   /* number of open spans that were pushed as roots */
    struct tr_open_spans_end *ends;   /* heap, earliest first, for tracks whose spans do not nest; otherwise empty */
    size_t n_ends, cap_ends;
    bool crossed;                     /* since the track was empty, a span ended after the one before it */
};

struct tr_open_spans;

struct tr_open_spans *tr_open_spans_new(void); /* NULL: out of memory */
void tr_open_spans_free(struct tr_open_spans *n);

/*
 * The spans that are open on a track at ts.  On one track, ts must not decrease.
 * NULL: out of memory.  Valid until the next call of tr_open_spans_at.
 */
struct tr_open_spans_track *tr_open_spans_at(struct tr_open_spans *n, uint32_t track, int64_t ts);

/* The same without a new ts, after the last tr_open_spans_at and pushes. */
struct tr_open_spans_track *tr_open_spans_peek(struct tr_open_spans *n, uint32_t track);

/* Open a span.  False: out of memory. */
bool tr_open_spans_push(struct tr_open_spans_track *t, int64_t start, int64_t end, uint64_t tag, bool root);

/* Is there an open span that was pushed as a root? */
static inline bool tr_open_spans_in_root(const struct tr_open_spans_track *t)
{
    return t->n_roots > 0;
}

/* The innermost open span; NULL: there is none. */
static inline struct tr_open_spans_span *tr_open_spans_innermost(const struct tr_open_spans_track *t)
{
    return t->len ? &t->spans[t->len - 1] : NULL;
}

/*
 * The end of the span of event i: its start plus its duration, INT64_MAX if its end is missing
 * (TR_OPEN).  TR_TIME_NONE: it is not a span, or has no usable duration.
 */
static inline int64_t tr_span_end(const struct tr_batch *b, size_t i)
{
    if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
        return TR_TIME_NONE;
    if (b->flags[i] & TR_OPEN)
        return INT64_MAX;
    if (b->dur[i] == TR_TIME_NONE || b->suspect[i] == TR_SUSPECT_OVERFLOW)
        return TR_TIME_NONE;
    int64_t dur = tr_dur_used(b->dur[i], b->suspect[i]);
    return b->ts[i] > INT64_MAX - dur ? TR_TIME_NONE : b->ts[i] + dur;
}

/*
 * The bounds for nesting.  A profiler may write an annotation of the device 1 ns longer at both ends than the work that
 * it names, so that viewers nest the work in it.  Then it overlaps the work before and after it.  So an annotation of
 * at least TR_ANNOTATION_MIN_NS counts without these: it ends 1 ns earlier for spans that start inside it, and a span
 * that ends within 1 ns after its start has ended before it.
 */
#define TR_ANNOTATION_MIN_NS 1000
static inline bool tr_span_is_widened(const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_DEVICE_ANNOTATION && b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE &&
           b->ts[i] < INT64_MAX && b->dur[i] != TR_TIME_NONE && b->dur[i] >= TR_ANNOTATION_MIN_NS;
}
static inline int64_t tr_span_inner_start(const struct tr_batch *b, size_t i)
{
    return tr_span_is_widened(b, i) ? b->ts[i] + 1 : b->ts[i];
}
static inline int64_t tr_span_inner_end(const struct tr_batch *b, size_t i)
{
    int64_t end = tr_span_end(b, i);
    return end != TR_TIME_NONE && end != INT64_MAX && end > b->ts[i] && tr_span_is_widened(b, i) ? end - 1 : end;
}

#ifdef __cplusplus
}
#endif
#endif
