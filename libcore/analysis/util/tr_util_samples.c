/* SPDX-License-Identifier: MIT */
/* Samples of how much of a device was active. */
#include "analysis/util/tr_util_samples.h"

#include "base/tr_str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tr_util_samples_init(struct tr_util_samples *s, const struct tr_dict *dict)
{
    *s = (struct tr_util_samples){ .dict = dict, .values = tr_metric_values_new(dict, NULL) };
    return s->values != NULL;
}

void tr_util_samples_free(struct tr_util_samples *s)
{
    tr_metric_values_free(s->values);
    free(s->list);
}

/* Is a word in a name, whatever the case of its letters?  word: in lower case; a blank stands for "_", too. */
static bool has(const char *name, const char *word)
{
    for (; *name; name++) {
        size_t i = 0;
        while (word[i]) {
            char c = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 'a' - 'A') : name[i] == '_' ? ' ' : name[i];
            if (c != word[i])
                break;
            i++;
        }
        if (!word[i])
            return true;
    }
    return false;
}

/* The activity that a metric is; TR_N_UTIL_ACTIVITIES: none. */
static enum tr_util_activity activity_of(const char *name)
{
    struct tr_str unit = tr_metric_unit(name);
    if (!unit.len || unit.s[unit.len - 1] != '%')
        return TR_N_UTIL_ACTIVITIES;
    if (has(name, "tensor active"))
        return TR_UTIL_TENSOR;
    return has(name, "sm active") || has(name, "sms active") || has(name, "xve active") ? TR_UTIL_SM
                                                                                        : TR_N_UTIL_ACTIVITIES;
}

/* The device of a track of samples. */
static int64_t device_of(const struct tr_dict *d, const struct tr_track *track)
{
    static const char gpu[] = "GPU ";
    int64_t device = 0;
    if (track->pid_type == TR_T_INT)
        return track->pid;
    struct tr_str pid = track->pid_type == TR_T_STRING ? tr_dict_text(d, (uint32_t)track->pid) : tr_str_of("");
    size_t at = sizeof gpu - 1;
    if (pid.len <= at || pid.len > at + 9 || memcmp(pid.s, gpu, at) != 0)
        return TR_GROUP_NONE;
    for (; at < pid.len && pid.s[at] >= '0' && pid.s[at] <= '9'; at++)
        device = device * 10 + (pid.s[at] - '0');
    return at == pid.len ? device : TR_GROUP_NONE;
}

static bool keep_sample(struct tr_util_samples *s, const struct tr_batch *b, size_t i, const struct tr_metric_value *v)
{
    enum tr_util_activity activity = activity_of(tr_metric_values_name(s->values, v->metric));
    double value = tr_metric_number(v->m);
    if (activity == TR_N_UTIL_ACTIVITIES || !(value >= 0 && value <= 1000))
        return true;
    if (!tr_grow(&s->list, &s->cap, s->n + 1, sizeof *s->list))
        return false;
    const struct tr_track *track = &s->dict->tracks[b->track[i]];
    s->list[s->n++] = (struct tr_util_sample){ b->ts[i], device_of(s->dict, track), track->source, activity,
                                               (uint64_t)llround(value * 1e6) };
    return true;
}

bool tr_util_samples_batch(struct tr_util_samples *s, const struct tr_batch *b, const uint8_t *keep)
{
    const struct tr_metric_value *of;
    size_t n;
    bool ok = true;
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (b->phase[i] != TR_COUNTER || b->ts[i] == TR_TIME_NONE || (keep && !keep[i]))
            continue;
        ok = tr_metric_values_of(s->values, i, &of, &n);
        for (size_t k = 0; ok && k < n; k++)
            ok = keep_sample(s, b, i, &of[k]);
    }
    return ok;
}

bool tr_util_samples_add(const struct tr_util_samples *s, struct tr_group_by *work, const struct tr_range *spans,
                         size_t n_spans, struct tr_time_bins *bins, size_t first)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->n && work->opts.per <= TR_PER_DEVICE; i++) {
        const struct tr_util_sample *one = &s->list[i];
        const struct tr_source *source = &s->dict->sources[one->source];
        const struct tr_group_key key = { source->rank < 0 ? TR_GROUP_NONE : source->rank,
                                          work->opts.per == TR_PER_DEVICE ? one->device : TR_GROUP_NONE, TR_GROUP_NONE,
                                          TR_GROUP_NONE, source->capture };
        uint32_t group;
        size_t sum = first + 2 * (size_t)one->activity;
        ok = tr_group_by_key_group(work, &key, &group);
        if (ok && group < n_spans && spans[group].from <= one->ts && one->ts < spans[group].to)
            ok = tr_time_bins_add_at(bins, group, sum, one->ts, one->value) &&
                 tr_time_bins_add_at(bins, group, sum + 1, one->ts, 1);
    }
    return ok;
}
