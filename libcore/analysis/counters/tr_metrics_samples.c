/* SPDX-License-Identifier: MIT */
/* Samples of series, and the kernels that ran when they were taken. */
#include "analysis/counters/tr_metrics_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* Does a sample of one track belong to the kernels of another track? */
static bool about(const struct tr_metrics *a, uint32_t sample, uint32_t kernel)
{
    static const char gpu[] = "GPU ";
    const struct tr_track *s = &a->dict->tracks[sample], *k = &a->dict->tracks[kernel];
    if (s->source != k->source)
        return false;
    if (s->pid_type == TR_T_INT)
        return k->pid_type == TR_T_INT && k->pid == s->pid;
    struct tr_str pid = s->pid_type == TR_T_STRING ? tr_dict_text(a->dict, (uint32_t)s->pid) : (struct tr_str){ "", 0 };
    if (pid.len < sizeof gpu || memcmp(pid.s, gpu, sizeof gpu - 1) != 0)
        return true;
    int64_t device = 0;
    size_t at = sizeof gpu - 1, digits = at;
    for (; at < pid.len && at < digits + 9 && pid.s[at] >= '0' && pid.s[at] <= '9'; at++)
        device = device * 10 + (pid.s[at] - '0');
    return at == digits || k->device == device;
}

/* Give the kernel its first sample. */
static bool take_kernel(struct tr_metrics *a, struct tr__metrics_active *k)
{
    if (!tr_grow(&a->kernels, &a->cap_kernels, a->n_kernels + 1, sizeof *a->kernels))
        return false;
    k->kernel = a->n_kernels;
    a->kernels[a->n_kernels++] = k->is;
    return true;
}

static bool give(struct tr_metrics *a, const struct tr__metrics_sample *sample)
{
    for (size_t k = 0; k < a->n_active; k++) {
        struct tr__metrics_active *active = &a->active[k];
        if (!about(a, sample->track, active->track)) /* all are still running */
            continue;
        if ((active->kernel == SIZE_MAX && !take_kernel(a, active)) ||
            !tr_grow(&a->hits, &a->cap_hits, a->n_hits + sample->n_values, sizeof *a->hits))
            return false;
        a->kernels[active->kernel].samples++;
        for (size_t v = 0; v < sample->n_values; v++, a->n_hits++)
            a->hits[a->n_hits] = (struct tr__metrics_hit){ active->kernel, a->n_hits,
                                                           a->waiting_values[sample->first_value + v] };
    }
    return true;
}

/* Kernels that start at the time of a sample may come after it.  So it waits until a later time has come. */
static bool pass(struct tr_metrics *a, int64_t ts)
{
    size_t left = 0;
    if (!a->n_waiting || a->waiting[0].ts == ts)
        return true;
    int64_t now = a->waiting[0].ts;
    for (size_t k = 0; k < a->n_active; k++)
        if (a->active[k].end > now)
            a->active[left++] = a->active[k];
    a->n_active = left;
    for (size_t s = 0; s < a->n_waiting; s++)
        if (!give(a, &a->waiting[s]))
            return false;
    a->n_waiting = a->n_waiting_values = 0;
    return true;
}

bool tr__metrics_add_kernel(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    int64_t dur = tr_dur_used(b->dur[i], b->suspect[i]), track = a->launch_track[i];
    if (!pass(a, b->ts[i]))
        return false;
    if (a->ranged || !keep || b->suspect[i] != TR_SUSPECT_NO)
        return true;
    if (a->n_active && a->n_active == a->cap_active) { /* kernels that have ended make room */
        size_t left = 0;
        for (size_t k = 0; k < a->n_active; k++)
            if (a->active[k].end > b->ts[i])
                a->active[left++] = a->active[k];
        a->n_active = left;
    }
    if (!tr_grow(&a->active, &a->cap_active, a->n_active + 1, sizeof *a->active))
        return false;
    struct tr__metrics_active k = { .end = b->ts[i] + dur, .track = b->track[i], .kernel = SIZE_MAX };
    k.is = (struct tr__metrics_range){ .record = b->record[i],
                                       .ts = b->ts[i],
                                       .dur = dur,
                                       .time = (double)dur,
                                       .name = b->name[i],
                                       .source = a->dict->tracks[b->track[i]].source,
                                       .keep = true,
                                       .device = a->dict->tracks[b->track[i]].device,
                                       .has_launch = track >= 0 && a->launch_record[i] != TR_I64_NONE };
    if (k.is.has_launch) {
        k.is.launch_source = a->dict->tracks[track].source;
        k.is.launch = (uint64_t)a->launch_record[i];
    }
    a->active[a->n_active++] = k;
    return true;
}

bool tr__metrics_add_sample(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    const struct tr_metric_value *of;
    size_t n, wanted = 0;
    if (!tr_metric_values_of(a->values_of, i, &of, &n) || !pass(a, b->ts[i]))
        return false;
    a->found.samples += n > 0;
    if (a->ranged || !n || !keep)
        return true;
    if (!tr_grow(&a->waiting, &a->cap_waiting, a->n_waiting + 1, sizeof *a->waiting) ||
        !tr_grow(&a->waiting_values, &a->cap_waiting_values, a->n_waiting_values + n, sizeof *a->waiting_values))
        return false;
    for (size_t k = 0; k < n; k++)
        if (tr_metric_values_wanted(a->values_of, of[k].metric))
            a->waiting_values[a->n_waiting_values + wanted++] = of[k];
    if (!wanted)
        return true;
    a->waiting[a->n_waiting++] = (struct tr__metrics_sample){ b->ts[i], b->track[i], a->n_waiting_values, wanted };
    a->n_waiting_values += wanted;
    return true;
}

TR_ORDER(by_kernel, struct tr__metrics_hit, TR_UP(kernel), TR_UP(number))

bool tr__metrics_end_samples(struct tr_metrics *a)
{
    if (!a->ranged && !(pass(a, INT64_MAX) && tr_grow(&a->values, &a->cap_values, a->n_hits + 1, sizeof *a->values)))
        return false;
    if (a->ranged || !a->n_hits)
        return true;
    qsort(a->hits, a->n_hits, sizeof *a->hits, by_kernel);
    for (size_t h = 0; h < a->n_hits; h++) {
        struct tr__metrics_range *k = &a->kernels[a->hits[h].kernel];
        if (!k->n_values++)
            k->first_value = h;
        a->values[h] = a->hits[h].value;
    }
    return true;
}
