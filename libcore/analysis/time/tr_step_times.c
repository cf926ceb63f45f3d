/* SPDX-License-Identifier: MIT */
/* How long did the steps of a run take, and how much did they vary? */
#include "analysis/time/tr_step_times.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>

bool tr_step_times_add(struct tr_step_times *t, int64_t capture, int64_t number, int64_t dur)
{
    if (!tr_grow(&t->steps, &t->cap, t->n + 1, sizeof *t->steps))
        return false;
    t->steps[t->n++] = (struct tr_step_time){ capture, number, dur };
    return true;
}

bool tr_step_times_gather(struct tr_step_times *t, const struct tr_dict *dict, const struct tr_step_ends *ends,
                          struct tr_select *select, const struct tr_steps_seen *seen)
{
    size_t n;
    const struct tr_step_span *s = tr_step_ends_rows(ends, &n);
    for (size_t i = 0; i < n; i++)
        if (s[i].source < dict->n_sources && tr_select_step(select, s[i].source, &s[i].at) &&
            (!seen || tr_steps_seen_has(seen, s[i].source, s[i].place)) &&
            !tr_step_times_add(t, dict->sources[s[i].source].capture, s[i].at.number, tr_step_span_time(&s[i])))
            return false;
    return true;
}

TR_ORDER(compare, struct tr_step_time, TR_UP(capture), TR_UP(number))

/* By capture and number, the longest first. */
TR_ORDER(by_number, struct tr_step_time, compare(a, b), TR_DOWN(dur))

bool tr_step_times_seal(struct tr_step_times *t)
{
    struct tr_stats s = TR_STATS_INIT;
    struct tr_hist *h = tr_hist_new(0);
    size_t n = 0;
    bool ok = h != NULL;
    if (t->n)
        qsort(t->steps, t->n, sizeof *t->steps, by_number);
    for (size_t i = 0; i < t->n && ok; i++) {
        if (n && compare(&t->steps[n - 1], &t->steps[i]) == 0)
            continue;
        t->steps[n++] = t->steps[i];
        tr_stats_add(&s, t->steps[i].dur);
        ok = tr_hist_add(h, t->steps[i].dur, 1);
    }
    t->n = n;
    t->mean = tr_stats_mean(&s);
    t->std = tr_stats_std(&s);
    if (ok)
        tr_hist_seal(h);
    t->p50 = ok ? tr_hist_quantile(h, 1, 2) : NAN;
    tr_hist_free(h);
    return ok;
}

int64_t tr_step_times_of(const struct tr_step_times *t, int64_t capture, int64_t number)
{
    const struct tr_step_time want = { capture, number, 0 };
    size_t low = 0;
    TR_BOUND(low, t->n, mid, compare(&t->steps[mid], &want) < 0);
    return low < t->n && compare(&t->steps[low], &want) == 0 ? t->steps[low].dur : 0;
}

void tr_step_times_free(struct tr_step_times *t)
{
    free(t->steps);
    *t = (struct tr_step_times){ 0 };
}
