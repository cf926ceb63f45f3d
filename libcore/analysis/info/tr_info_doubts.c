/* SPDX-License-Identifier: MIT */
/* Reasons to doubt what analyses say of a source: when there are any, and how they are worded. */
#include "analysis/info/tr_info.h"

#include <inttypes.h>

bool tr_info_doubts(const struct tr_info_source *s, enum tr_doubt doubt)
{
    const struct tr_trust_counts *t = &s->trust;
    switch (doubt) {
    case TR_DOUBT_NO_WORK:
        return !s->coverage.work && s->no_work != TR_NO_WORK_BESIDE;
    case TR_DOUBT_LAUNCHES:
        return tr_coverage_unused(&s->coverage);
    case TR_DOUBT_LINKS:
        return tr_coverage_poor(&s->coverage);
    case TR_DOUBT_CAUSALITY:
        return t->pairs - t->pairs_causal > t->pairs / 100;
    case TR_DOUBT_SWALLOWED:
        return t->swallowing > 0;
    case TR_DOUBT_LONE_WORK:
        return t->lone > 0;
    case TR_DOUBT_FRAMES:
        return t->frames > 1 && t->frames - t->frames_at_stop <= t->frames / 10;
    case TR_DOUBT_UNIT:
        return t->in_ns > 0;
    case TR_N_DOUBTS:
        break;
    }
    return false;
}

uint64_t tr_info_doubt_count(const struct tr_info_source *s, enum tr_doubt doubt)
{
    const struct tr_trust_counts *t = &s->trust;
    switch (doubt) {
    case TR_DOUBT_LAUNCHES:
        return s->coverage.launches - s->coverage.launches_used;
    case TR_DOUBT_LINKS:
        return s->coverage.work - s->coverage.work_launched;
    case TR_DOUBT_CAUSALITY:
        return t->pairs - t->pairs_causal;
    case TR_DOUBT_SWALLOWED:
        return t->swallowing;
    case TR_DOUBT_LONE_WORK:
        return t->lone;
    case TR_DOUBT_FRAMES:
        return t->frames_at_stop;
    case TR_DOUBT_UNIT:
        return t->in_ns;
    case TR_DOUBT_NO_WORK:
    case TR_N_DOUBTS:
        break;
    }
    return 0;
}

static bool links_text(const struct tr_coverage_counts *c, struct tr_buf *text)
{
    if (c->work_launched)
        return tr_buf_print(text, "more than 10 %% of the device work has no known launch: see linked_pct");
    return tr_buf_print(text, "no device work has a known launch");
}

static bool no_work_text(const struct tr_info_source *s, struct tr_buf *text)
{
    static const char *const others[TR_N_NO_WORK] = {
        [TR_NO_WORK_CALLS] = ", but collectives: see tr-comm --by verdict",
        [TR_NO_WORK_LOG] = ", but collectives: see tr-comm --by log",
        [TR_NO_WORK_GRAPH] = ", but a graph of work: see tr-critpath --by chain",
        [TR_NO_WORK_MEMORY] = ", but the use of memory: see tr-memory",
        [TR_NO_WORK_HOST] = ", but samples of the host: give them together with a trace of the device",
    };
    if (!s->n_like_device)
        return tr_buf_print(text, "no work on a device%s", others[s->no_work] ? others[s->no_work] : "");
    return tr_buf_print(text, "no work on a device, but %" PRIu64 " spans on tracks that are named like one: "
                              "this form of trace is not known (see tr-parse --names)", s->n_like_device);
}

bool tr_info_doubt_text(const struct tr_info_source *s, enum tr_doubt doubt, struct tr_buf *text)
{
    const struct tr_trust_counts *t = &s->trust;
    const uint64_t n = tr_info_doubt_count(s, doubt);
    switch (doubt) {
    case TR_DOUBT_NO_WORK:
        return no_work_text(s, text);
    case TR_DOUBT_LAUNCHES:
        return tr_buf_print(text, "%" PRIu64 " of %" PRIu64 " launch calls have no device work: see used_pct", n,
                            s->coverage.launches);
    case TR_DOUBT_LINKS:
        return links_text(&s->coverage, text);
    case TR_DOUBT_CAUSALITY:
        return tr_buf_print(text, "device work starts before its launch, %" PRIu64 " of %" PRIu64 " times", n,
                            t->pairs);
    case TR_DOUBT_SWALLOWED:
        return tr_buf_print(text, "%" PRIu64 " span%s swallow%s %" PRIu64 " others: %s probably wrong", n,
                            n == 1 ? "" : "s", n == 1 ? "s" : "", t->swallowed,
                            n == 1 ? "its end is" : "their ends are");
    case TR_DOUBT_LONE_WORK:
        return tr_buf_print(text, "%" PRIu64 " lone event%s make%s the device span %" PRId64 " times as long", n,
                            n == 1 ? "" : "s", n == 1 ? "s" : "", t->span / t->span_rest);
    case TR_DOUBT_FRAMES:
        return tr_buf_print(text, "%" PRIu64 " of %" PRIu64 " Python frames end at the stop of the profiler", n,
                            t->frames);
    case TR_DOUBT_UNIT:
        return tr_buf_print(text, "times of %" PRIu64 " events look like ns in a field of us", n);
    case TR_N_DOUBTS:
        break;
    }
    return true;
}
