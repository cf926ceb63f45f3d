/* SPDX-License-Identifier: MIT */
/* The spans of groups over which their use is measured. */
#include "analysis/util/tr_util_int.h"

bool tr_util_spans(const struct tr_group_by *work, const uint32_t *order, struct tr_range *spans,
                   struct tr_time_bins *bins)
{
    bool ok = true;
    for (size_t i = 0, end; i < work->n_groups; i = end) { /* those of one rank stand beside each other */
        const struct tr_group_key *key = &work->groups[order[i]];
        struct tr_range all = { INT64_MAX, INT64_MIN };
        for (end = i; end < work->n_groups; end++) {
            const struct tr_group_key *other = &work->groups[order[end]];
            if (other->rank != key->rank || other->capture != key->capture)
                break;
            const struct tr_range *one = &spans[order[end]];
            all.from = one->from < all.from ? one->from : all.from;
            all.to = one->to > all.to ? one->to : all.to;
        }
        for (size_t k = i; k < end; k++)
            spans[order[k]] = all;
    }
    for (uint32_t g = 0; ok && g < work->n_groups; g++) {
        spans[g] = tr_group_by_span(work, g, spans[g].from, spans[g].to);
        if (spans[g].from >= spans[g].to)
            continue;
        ok = tr_time_bins_reach(bins, g, spans[g].from, spans[g].to);
        if (ok && !tr_time_bins_hold(bins, g, spans[g]))
            spans[g] = (struct tr_range){ 0, 0 };
    }
    return ok;
}

enum tr_status tr_util_room(struct tr_time_bins *bins, const struct tr_range *spans, size_t n, struct tr_error *err)
{
    uint64_t length = (uint64_t)tr_time_bins_length(bins), all = 0;
    for (size_t g = 0; g < n; g++)
        if (spans[g].from < spans[g].to)
            all += ((uint64_t)spans[g].to - (uint64_t)spans[g].from) / length;
    bins->too_many = bins->given && all > TR_TIME_BINS_MAX;
    return bins->too_many ? tr_time_bins_fail(bins, err) : TR_OK;
}
