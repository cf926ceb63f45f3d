/* SPDX-License-Identifier: MIT */
/* Statistics with the values that they are of. */
#include "base/tr_sample.h"

#include <math.h>

void tr_sample_init(struct tr_sample *s, size_t distinct)
{
    *s = (struct tr_sample){ .stats = TR_STATS_INIT, .distinct = distinct };
}

void tr_sample_free(struct tr_sample *s)
{
    tr_hist_free(s->values);
    s->values = NULL;
}

struct tr_hist *tr_sample_values(struct tr_sample *s)
{
    if (!s->values && (s->values = tr_hist_new(s->distinct)) && s->stats.n &&
        !tr_hist_add(s->values, s->stats.min, s->stats.n))
        tr_sample_free(s);
    return s->values;
}

bool tr_sample_add_other(struct tr_sample *s, int64_t value)
{
    struct tr_hist *values = tr_sample_values(s);
    return values && tr_hist_add(values, value, 1);
}

bool tr_sample_merge(struct tr_sample *s, const struct tr_sample *from)
{
    bool equal = !s->values && !from->values && (!s->stats.n || !from->stats.n || s->stats.min == from->stats.min);
    if (!equal && s->distinct != TR_SAMPLE_SUMS) {
        struct tr_hist *values = tr_sample_values(s);
        if (!values || !(from->values     ? tr_hist_merge(values, from->values)
                         : from->stats.n ? tr_hist_add(values, from->stats.min, from->stats.n)
                                         : true))
            return false;
    }
    tr_stats_merge(&s->stats, &from->stats);
    return true;
}

double tr_sample_percentile(const struct tr_sample *s, unsigned percent)
{
    if (s->distinct == TR_SAMPLE_SUMS || !s->stats.n)
        return NAN;
    if (!s->values)
        return (double)s->stats.min;
    tr_hist_seal(s->values);
    return tr_hist_quantile(s->values, percent, 100);
}

bool tr_sample_approx(const struct tr_sample *s)
{
    return s->values && tr_hist_approx(s->values);
}
