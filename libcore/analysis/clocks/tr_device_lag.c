/* SPDX-License-Identifier: MIT */
/* Device clocks against the host's: the smallest lags between launch and start. */
#include "analysis/clocks/tr_device_lag.h"

#include "base/tr_stats.h"

#include <stdlib.h>

#define N_SMALL      1024u   /* number of smallest lags that are kept: this many may be wrong */
#define MAX_DISTINCT 100000u /* of the histogram, for percentiles */

struct rank_lags {
    struct tr_hist *all;
    int64_t *small; /* a heap with the largest at the top */
    size_t n_small;
};

struct tr_device_lag {
    const struct tr_rank_set *ranks;
    struct rank_lags *lags; /* by rank */
};

enum tr_status tr_device_lag_new(struct tr_device_lag **out, const struct tr_rank_set *ranks,
                                struct tr_error *err)
{
    struct tr_device_lag *d = calloc(1, sizeof *d);
    bool ok = d != NULL;
    if (d) {
        d->ranks = ranks;
        d->lags = calloc(ranks->n + 1, sizeof *d->lags);
        ok = d->lags != NULL;
    }
    for (size_t i = 0; ok && i < ranks->n; i++) {
        d->lags[i].all = tr_hist_new(MAX_DISTINCT);
        d->lags[i].small = calloc(N_SMALL, sizeof *d->lags[i].small);
        ok = d->lags[i].all && d->lags[i].small;
    }
    if (!ok) {
        tr_device_lag_free(d);
        return tr_fail_memory(err);
    }
    *out = d;
    return TR_OK;
}

void tr_device_lag_free(struct tr_device_lag *d)
{
    if (!d)
        return;
    for (size_t i = 0; d->lags && i < d->ranks->n; i++) {
        tr_hist_free(d->lags[i].all);
        free(d->lags[i].small);
    }
    free(d->lags);
    free(d);
}

static void sift_down(int64_t *heap, size_t n)
{
    size_t i = 0, c;
    int64_t x = heap[0];
    while ((c = 2 * i + 1) < n) {
        c += c + 1 < n && heap[c + 1] > heap[c];
        if (heap[c] <= x)
            break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = x;
}

static bool add_lag(struct rank_lags *l, int64_t lag)
{
    if (l->n_small < N_SMALL) {
        size_t i = l->n_small++;
        for (; i && l->small[(i - 1) / 2] < lag; i = (i - 1) / 2)
            l->small[i] = l->small[(i - 1) / 2];
        l->small[i] = lag;
    } else if (lag < l->small[0]) {
        l->small[0] = lag;
        sift_down(l->small, N_SMALL);
    }
    return tr_hist_add(l->all, lag, 1);
}

enum tr_status tr_device_lag_feed(struct tr_device_lag *d, const struct tr_batch *b,
                                 struct tr_error *err)
{
    size_t launch = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!(b->flags[i] & TR_HAS_LAUNCH))
            continue;
        int64_t start = b->cols[TR_COL_LAUNCH_TS].v.i64[launch++];
        if (!tr_is_device_work(b->activity[i]) || b->ts[i] == TR_TIME_NONE ||
            start == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO)
            continue;
        uint32_t source = b->dict->tracks[b->track[i]].source;
        int64_t lag = tr_time_diff(b->ts[i], start);
        if (lag != TR_TIME_NONE && !add_lag(&d->lags[d->ranks->of_source[source]], lag))
            return tr_fail_memory(err);
    }
    return TR_OK;
}

int64_t tr_device_lag_shift(struct tr_device_lag *d, size_t rank, uint64_t *left_out)
{
    struct rank_lags *l = &d->lags[rank];
    int64_t smallest = 0;
    *left_out = 0;
    if (!l->n_small)
        return 0;
    tr_hist_seal(l->all);
    double low = tr_hist_quantile(l->all, 1, 100), middle = tr_hist_quantile(l->all, 1, 2);
    double limit = low - 10 * (middle - low) - 1;
    for (size_t i = 0; i < l->n_small; i++) {
        if ((double)l->small[i] < limit)
            ++*left_out;
        else if (l->small[i] < smallest)
            smallest = l->small[i];
    }
    return -smallest;
}
