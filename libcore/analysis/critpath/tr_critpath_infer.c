/* SPDX-License-Identifier: MIT */
/*
 * Critical paths: waits of streams that a trace does not show.
 *
 * A trace may have the calls that record events and that make streams wait for them, and not say which event is of
 * which stream.  If work starts later than all that it is known to wait for, and its process made some stream wait
 * between the launch before on its stream and its own, the work can have waited for any work
 *
 *   of another stream of its device that has ended just before,
 *   and was the last one launched there when an event was recorded, before that call.
 *
 * If that is the work of one launch alone, it is the only explanation.  Of several, none is taken.
 */
#include "analysis/critpath/tr_critpath_queue_int.h"

#include "base/tr_sort.h"

#include <stdlib.h>

/* A call that makes a stream wait, or one that records an event. */
struct call {
    uint32_t source;
    int64_t ts;
};

TR_ORDER(by_time, struct call, TR_UP(source), TR_UP(ts))
TR_ORDER(by_record, struct cp_stream_wait, TR_UP(source), TR_UP(record))

struct cp_infer {
    struct tr_critpath *c;
    const size_t *first; /* by stream, in c->kernels */
    struct call *waits, *records;
    size_t n_waits, n_records;
};

void tr__cp_infer_free(struct cp_infer *in)
{
    if (in) {
        free(in->waits);
        free(in->records);
    }
    free(in);
}

/* Some waits are known: the trace shows them on their streams. */
static void find_shown(struct tr_critpath *c)
{
    if (c->n_stream_waits)
        qsort(c->stream_waits, c->n_stream_waits, sizeof *c->stream_waits, by_record);
    for (size_t i = 0; i < c->n_waits; i++) {
        const struct cp_stream_wait key = { .source = c->dict->tracks[c->waits[i].track].source,
                                            .record = c->waits[i].launch_record };
        struct cp_stream_wait *at = c->n_stream_waits ? bsearch(&key, c->stream_waits, c->n_stream_waits,
                                                                sizeof *c->stream_waits, by_record)
                                                      : NULL;
        if (at)
            at->shown = true;
    }
}

bool tr__cp_infer_new(struct tr_critpath *c, const size_t *first, struct cp_infer **out)
{
    struct cp_infer *in = *out = calloc(1, sizeof *in);
    if (!in)
        return false;
    find_shown(c);
    in->c = c;
    in->first = first;
    in->waits = tr__cp_alloc_temp(c, c->n_stream_waits + 1, sizeof *in->waits);
    in->records = tr__cp_alloc_temp(c, c->n_records + 1, sizeof *in->records);
    if (!in->waits || !in->records)
        return false;
    for (size_t i = 0; i < c->n_stream_waits; i++) {
        const struct cp_stream_wait *w = &c->stream_waits[i];
        if (!w->shown)
            in->waits[in->n_waits++] = (struct call){ w->source, w->ts };
    }
    for (size_t i = 0; i < c->n_records; i++)
        in->records[in->n_records++] = (struct call){ c->records[i].source, c->records[i].ts };
    if (in->n_waits)
        qsort(in->waits, in->n_waits, sizeof *in->waits, by_time);
    if (in->n_records)
        qsort(in->records, in->n_records, sizeof *in->records, by_time);
    return true;
}

/* The last launch before that of work on its stream, and the first one after it. */
static int64_t launched_before(const struct cp_infer *in, const struct cp_kernel *k)
{
    const struct cp_kernel *at = k, *low = &in->c->kernels[in->first[k->stream]];
    while (at > low && at->launch_ts == k->launch_ts)
        at--;
    return at->launch_ts == k->launch_ts ? INT64_MIN : at->launch_ts;
}

static int64_t launched_after(const struct cp_infer *in, const struct cp_kernel *k)
{
    const struct cp_kernel *at = k, *end = &in->c->kernels[in->first[k->stream + 1]];
    while (at < end && at->launch_ts == k->launch_ts)
        at++;
    return at == end ? INT64_MAX : at->launch_ts;
}

int64_t tr__cp_asked_at(const struct cp_infer *in, const struct cp_kernel *k)
{
    if (!in->n_waits || k->launch_ts == TR_TIME_NONE || !k->leads)
        return TR_TIME_NONE;
    const struct call key = { in->c->dict->tracks[k->track].source, k->launch_ts };
    size_t low = 0;
    TR_BOUND(low, in->n_waits, mid, by_time(&in->waits[mid], &key) < 0);
    const struct call *last = low ? &in->waits[low - 1] : NULL;
    bool since = last && last->source == key.source && last->ts > launched_before(in, k);
    return since ? last->ts : TR_TIME_NONE;
}

int64_t tr__cp_recorded_at(const struct cp_infer *in, const struct cp_kernel *k, int64_t asked)
{
    if (k->launch_ts == TR_TIME_NONE)
        return TR_TIME_NONE;
    const struct call key = { in->c->dict->tracks[k->track].source, k->launch_ts };
    const int64_t next = launched_after(in, k);
    size_t low = 0;
    TR_BOUND(low, in->n_records, mid, by_time(&in->records[mid], &key) <= 0);
    const struct call *record = low < in->n_records ? &in->records[low] : NULL;
    bool there = record && record->source == key.source && record->ts <= next && record->ts < asked;
    return there ? record->ts : TR_TIME_NONE;
}
