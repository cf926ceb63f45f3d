/* How long the steps of a run took, and by how much they scatter. */
#include "analysis/tr_step_times.h"

#include "base/tr_mem.h"
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>

bool tr_step_times_add(struct tr_step_times *t, int64_t number, int64_t dur)
{
    if (!tr_grow(&t->steps, &t->cap, t->n + 1, sizeof *t->steps))
        return false;
    t->steps[t->n++] = (struct tr_step_time){ number, dur };
    return true;
}

bool tr_step_times_gather(struct tr_step_times *t, const struct tr_dict *dict,
                          const struct tr_summary *summary, struct tr_select *select)
{
    for (uint32_t i = 0; summary && i < summary->n && i < dict->n_sources; i++) {
        const struct tr_source_summary *s = &summary->sources[i];
        for (size_t k = 0; k < s->n_steps; k++) {
            int64_t dur = tr_time_diff(s->steps[k].end, s->steps[k].start);
            if (dur != TR_TIME_NONE && tr_select_step(select, i, &s->steps[k]) &&
                !tr_step_times_add(t, s->steps[k].number, dur))
                return false;
        }
    }
    return true;
}

/* By number, the longest first. */
static int by_number(const void *x, const void *y)
{
    const struct tr_step_time *a = x, *b = y;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->dur < b->dur) - (a->dur > b->dur);
}

bool tr_step_times_seal(struct tr_step_times *t)
{
    struct tr_stats s = TR_STATS_INIT;
    struct tr_hist *h = tr_hist_new(0);
    size_t n = 0;
    bool ok = h != NULL;
    if (t->n)
        qsort(t->steps, t->n, sizeof *t->steps, by_number);
    for (size_t i = 0; i < t->n && ok; i++) {
        if (n && t->steps[n - 1].number == t->steps[i].number)
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

void tr_step_times_free(struct tr_step_times *t)
{
    free(t->steps);
    *t = (struct tr_step_times){ 0 };
}
