/* SPDX-License-Identifier: MIT */
/* Rows of metric files: instances of kernels, and the kernels of a trace that they are about. */
#include "analysis/counters/tr_metrics_int.h"

#include <string.h>

/* ---- instances ---- */

/* Add a value to those of the open instance. */
static bool add_value(struct tr_metrics *a, struct tr_metric_value v)
{
    if (!tr_grow(&a->sums, &a->cap_sums, (size_t)v.metric + 1, sizeof *a->sums))
        return false;
    for (; a->n_sums <= v.metric; a->n_sums++)
        a->sums[a->n_sums] = (struct tr_metric_value){ .n = 0 };
    struct tr_metric_value *sum = &a->sums[v.metric];
    if (!sum->n) {
        if (!tr_grow(&a->summed, &a->cap_summed, a->n_summed + 1, sizeof *a->summed))
            return false;
        a->summed[a->n_summed++] = v.metric;
        *sum = v;
        return true;
    }
    if (tr_metric_of_rows(tr_metric_values_name(a->values_of, v.metric)) == TR_METRIC_FIRST)
        return true;
    tr__metric_add(&sum->m, v.m);
    sum->n += sum->n < UINT32_MAX;
    return true;
}

bool tr__metrics_close_instance(struct tr_metrics *a)
{
    if (!a->instance_open)
        return true;
    struct tr__metrics_source *s = &a->sources[a->open_source];
    struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    a->instance_open = false;
    if (!tr_grow(&a->values, &a->cap_values, a->n_values + a->n_summed + 1, sizeof *a->values))
        return false;
    r->first_value = a->n_values;
    r->n_values = a->n_summed;
    for (size_t k = 0; k < a->n_summed; k++) {
        a->values[a->n_values++] = a->sums[a->summed[k]];
        a->sums[a->summed[k]].n = 0;
    }
    a->n_summed = 0;
    if (r->time > 0 && r->time < 9e18)
        r->dur = (int64_t)(r->time + 0.5);
    return true;
}

/* Which kernels are those of the file?  Those of its rank; of any, if only the order of inputs tells the rank. */
static uint32_t group_of(const struct tr_metrics *a, uint32_t source)
{
    const struct tr_source *s = &a->dict->sources[source];
    bool told =
        s->rank >= 0 && s->rank < UINT32_MAX - 2 && s->rank_rule != TR_RANK_ORDER && s->rank_rule != TR_RANK_NONE;
    return told ? (uint32_t)s->rank + 1 : 0;
}

static bool open_instance(struct tr_metrics *a, const struct tr_batch *b, size_t i, uint32_t source, bool keep)
{
    const struct tr_track *track = &a->dict->tracks[b->track[i]];
    struct tr__metrics_source *s = &a->sources[source];
    int64_t number = tr_arg_int(&a->row_instance, i), id = tr_arg_int(&a->row_id, i);
    if (!tr__metrics_close_instance(a) || !tr_grow(&s->ranges, &s->cap_ranges, s->n_ranges + 1, sizeof *s->ranges))
        return false;
    s->from_file = true;
    s->ranges[s->n_ranges++] = (struct tr__metrics_range){
        .record = b->record[i], .ts = TR_TIME_NONE, .dur = TR_TIME_NONE, .name = b->name[i], .source = source,
        .keep = keep, .of_file = true, .number = number > 0 ? (uint64_t)number : TR_METRICS_NO_INSTANCE,
        .device = track->pid_type == TR_T_INT ? track->pid : TR_I64_NONE };
    a->instance_open = true;
    a->open_source = source;
    a->open_track = b->track[i];
    if (id == TR_I64_NONE || number <= 0)
        return true;
    if (!tr_grow(&a->of_id, &a->cap_of_id, a->n_of_id + 1, sizeof *a->of_id))
        return false;
    uint32_t group = group_of(a, source);
    a->of_id[a->n_of_id] = (struct tr__metrics_of_id){ source, s->n_ranges - 1, -1 };
    return tr_eventmap_has(&a->ids, group, (uint64_t)id) ||
           tr_eventmap_put(&a->ids, group, (uint64_t)id, (uint32_t)a->n_of_id++);
}

/* Does a row belong to the open instance? */
static bool continues(const struct tr_metrics *a, const struct tr_batch *b, size_t i, uint32_t source)
{
    if (!a->instance_open || a->open_source != source || a->open_track != b->track[i])
        return false;
    const struct tr__metrics_source *s = &a->sources[source];
    const struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    int64_t number = tr_arg_int(&a->row_instance, i);
    return r->name == b->name[i] && r->number == (number > 0 ? (uint64_t)number : TR_METRICS_NO_INSTANCE);
}

bool tr__metrics_add_row(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    uint32_t source = a->dict->tracks[b->track[i]].source;
    const struct tr_metric_value *of;
    size_t n;
    a->ranged = true;
    if (!tr_metric_values_of(a->values_of, i, &of, &n))
        return false;
    if (!continues(a, b, i, source) && !open_instance(a, b, i, source, keep))
        return false;
    struct tr__metrics_source *s = &a->sources[source];
    struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    r->keep |= keep;
    r->samples++;
    for (size_t k = 0; k < n; k++) {
        if (tr_metric_is_time(tr_metric_values_name(a->values_of, of[k].metric)))
            r->time += tr_metric_number(of[k].m);
        if (tr_metric_values_wanted(a->values_of, of[k].metric) && !add_value(a, of[k]))
            return false;
    }
    return true;
}

/* ---- kernels ---- */

/* The instance with this number, of the rank or of any; NULL: none. */
static struct tr__metrics_of_id *find_instance(struct tr_metrics *a, uint32_t source, int64_t id)
{
    int64_t rank = a->dict->sources[source].rank;
    uint32_t found = TR_EVENTMAP_NONE;
    if (rank >= 0 && rank < UINT32_MAX - 2)
        found = tr_eventmap_get(&a->ids, (uint32_t)rank + 1, (uint64_t)id);
    if (found == TR_EVENTMAP_NONE)
        found = tr_eventmap_get(&a->ids, 0, (uint64_t)id);
    return found == TR_EVENTMAP_NONE ? NULL : &a->of_id[found];
}

bool tr__metrics_claim(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    struct tr_arg_value v = tr_arg_at(&a->kernel_id, i);
    uint32_t source = a->dict->tracks[b->track[i]].source;
    struct tr__metrics_of_id *of = NULL;
    if (v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1)
        of = find_instance(a, source, v.v);
    if (!of)
        return true;
    if (!tr__metrics_close_instance(a))
        return false;
    if (of->kernel_source >= 0) { /* another tile of the kernel */
        a->ambiguous |= a->dict->sources[of->kernel_source].rank != a->dict->sources[source].rank;
        return true;
    }
    struct tr__metrics_range *r = &a->sources[of->source].ranges[of->range];
    int64_t track = a->launch_track[i];
    of->kernel_source = source;
    r->source = source;
    r->record = b->record[i];
    r->ts = b->ts[i];
    r->dur = tr_dur_used(b->dur[i], b->suspect[i]);
    r->keep = keep;
    r->has_launch = track >= 0 && a->launch_record[i] != TR_I64_NONE;
    if (r->has_launch) {
        r->launch_source = a->dict->tracks[track].source;
        r->launch = (uint64_t)a->launch_record[i];
    }
    a->n_claimed++;
    return true;
}
