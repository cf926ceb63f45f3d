/* SPDX-License-Identifier: MIT */
/* Numbers the captures: which recording of its rank and host is a source? */
#include "stream/tr_captures.h"
#include "base/tr_sort.h"

#include <stdlib.h>

/* A source with known times. */
struct span {
    const struct tr_source *of;
    uint32_t source;
    int64_t start, end; /* ns, end above start */
};

/* By rank, host, start. */
TR_ORDER(by_start, struct span, TR_CMP((uint64_t)a->of->rank, (uint64_t)b->of->rank), TR_UP(of->host), TR_UP(start),
         TR_UP(source))

static bool same_machine(const struct span *a, const struct span *b)
{
    return a->of->rank == b->of->rank && a->of->host == b->of->host;
}

/*
 * Number the captures of spans [from, to) of one rank and host, which are sorted by start.  All sources of one job are
 * one capture, with all spans between the first and the last of them.
 */
static void number(struct tr_dict *d, const struct span *v, size_t from, size_t to)
{
    uint32_t capture = 0;
    int64_t end = v[from].end;
    for (size_t i = from; i < to; i++) {
        if (i > from && v[i].start >= end)
            capture++;
        d->sources[v[i].source].capture = capture;
        end = i == from || v[i].end > end ? v[i].end : end;
        for (size_t k = to; k-- > i + 1 && v[i].of->job != TR_NO_STR;)
            if (v[k].of->job == v[i].of->job) { /* the last of the job: nothing before it starts a capture */
                end = v[k].end > end ? v[k].end : end;
                break;
            }
    }
}

/* A source with only one moment gets a length of 1 ns, so that it overlaps others at this moment. */
static struct span span_of(const struct tr_source *of, uint32_t source, int64_t start, int64_t end)
{
    return (struct span){ of, source, start, end > start || start == INT64_MAX ? end : start + 1 };
}

bool tr_captures_number(struct tr_dict *d, const struct tr_summary *s)
{
    struct span *v = calloc(d->n_sources + 1, sizeof *v);
    size_t n = 0;
    if (!v)
        return false;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        struct tr_source *source = &d->sources[i];
        source->capture = 0;
        if (source->rank >= 0 && i < s->n && s->sources[i].first_ts != TR_TIME_NONE)
            v[n++] = span_of(source, i, s->sources[i].first_ts, s->sources[i].last_end);
    }
    if (n)
        qsort(v, n, sizeof *v, by_start);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && same_machine(&v[from], &v[to]); to++)
            ;
        number(d, v, from, to);
    }
    free(v);
    return true;
}

bool tr_captures_several(const struct tr_dict *d)
{
    for (size_t i = 0; i < d->n_sources; i++)
        if (d->sources[i].capture)
            return true;
    return false;
}
