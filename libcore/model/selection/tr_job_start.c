/* SPDX-License-Identifier: MIT */
/* The start of a job. */
#include "model/selection/tr_job_start.h"

bool tr__source_moved(const struct tr_dict *d, uint32_t source)
{
    for (size_t c = 0; c < d->n_clocks; c++)
        if (d->clocks[c].source == source && !d->clocks[c].domain)
            return true;
    return false;
}

/* Have all sources?  As tr_dict_aligned, but before the first track is known. */
static bool all_aligned(const struct tr_dict *d)
{
    for (uint32_t i = 0; i < d->n_sources; i++)
        if (!tr__source_moved(d, i))
            return false;
    return d->n_sources > 0;
}

/* Do the times of two sources compare? */
static bool compare(const struct tr_dict *d, bool aligned, uint32_t a, uint32_t b)
{
    const struct tr_source *x = &d->sources[a], *y = &d->sources[b];
    return x->capture == y->capture && (aligned || (x->host == y->host && x->has_base == y->has_base));
}

static size_t known(const struct tr_dict *d, const struct tr_summary *summary)
{
    return summary->n < d->n_sources ? summary->n : d->n_sources;
}

/* first: set to the first source whose times compare with this one's. */
static int64_t start_of(const struct tr_dict *d, const struct tr_summary *summary, bool aligned, uint32_t source,
                        uint32_t *first)
{
    int64_t start = TR_TIME_NONE;
    *first = source;
    for (uint32_t i = 0; i < known(d, summary); i++) {
        int64_t ts = summary->sources[i].first_ts;
        if (!compare(d, aligned, i, source))
            continue;
        *first = i < *first ? i : *first;
        if (ts != TR_TIME_NONE && (start == TR_TIME_NONE || ts < start))
            start = ts;
    }
    return start;
}

int64_t tr_job_start_of(const struct tr_dict *d, const struct tr_summary *summary, uint32_t source)
{
    uint32_t first;
    return start_of(d, summary, all_aligned(d), source, &first);
}

size_t tr_job_starts_of(const struct tr_dict *d, const struct tr_summary *summary, int64_t *starts)
{
    bool aligned = all_aligned(d);
    size_t n = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        uint32_t first;
        starts[i] = i < known(d, summary) ? start_of(d, summary, aligned, i, &first) : TR_TIME_NONE;
        n += starts[i] != TR_TIME_NONE && first == i;
    }
    return n;
}

size_t tr_job_start_from_zero(struct tr_dict *d, const struct tr_summary *summary)
{
    bool aligned = all_aligned(d);
    size_t n = 0;
    for (uint32_t i = 0; i < known(d, summary); i++) {
        uint32_t first;
        int64_t start = start_of(d, summary, aligned, i, &first), base = d->sources[i].base_ns;
        bool fits = start != TR_TIME_NONE && (start > 0 ? base <= INT64_MAX - start : base >= INT64_MIN - start);
        if (fits)
            d->sources[i].file_base_ns = base + start; /* file = stream - (file_base_ns - base_ns) */
        n += start != TR_TIME_NONE && first == i;
    }
    return n;
}
