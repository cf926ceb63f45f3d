/* SPDX-License-Identifier: MIT */
/* Hardware counters of profiled ranges, and the launches of these ranges. */
#include "analysis/counters/tr_metrics_int.h"

#include "base/tr_sort.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

struct tr_metrics *tr_metrics_new(const struct tr_dict *dict, const char *category, const char *list)
{
    struct tr_metrics *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->dict = dict;
    a->category = malloc(strlen(category) + 1);
    a->tree = tr_call_path_new();
    a->values_of = tr_metric_values_new(dict, list);
    if (a->category && a->tree && a->values_of) {
        memcpy(a->category, category, strlen(category) + 1);
        return a;
    }
    tr_metrics_free(a);
    return NULL;
}

void tr_metrics_free(struct tr_metrics *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n_sources; i++) {
        free(a->sources[i].launches);
        free(a->sources[i].ranges);
    }
    void *const all[] = { a->category, a->sources, a->values,        a->active,       a->waiting,
                          a->waiting_values, a->kernels, a->hits, a->launch_record, a->launch_track, a->place,
                          a->named,    a->real,    a->rows,    a->cells, a->sums, a->summed, a->of_id,
                          a->unmatched, a->loaded };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    tr_call_path_free(a->tree);
    tr_stacks_free(&a->stacks);
    tr_metric_values_free(a->values_of);
    tr_eventmap_free(&a->owners);
    tr_eventmap_free(&a->ids);
    tr_arg_free(&a->row_instance);
    tr_arg_free(&a->row_id);
    tr_arg_free(&a->kernel_id);
    free(a);
}

/* ---- events ---- */

static struct tr__metrics_source *source_of(struct tr_metrics *a, const struct tr_batch *b, size_t i)
{
    uint32_t number = a->dict->tracks[b->track[i]].source;
    if (!tr_grow(&a->sources, &a->cap_sources, (size_t)number + 1, sizeof *a->sources))
        return NULL;
    for (; a->n_sources <= number; a->n_sources++)
        memset(&a->sources[a->n_sources], 0, sizeof *a->sources);
    return &a->sources[number];
}

static bool is_launch(const struct tr_metrics *a, const struct tr_call *c)
{
    struct tr_str name = tr_dict_text(a->dict, c->name);
    return (c->activity == TR_ACT_RUNTIME_API || c->activity == TR_ACT_DRIVER_API) &&
           (tr_roles_of(a->dict->names, name.s, name.len) & TR_NAMED_LAUNCH);
}

static bool is_operator(const void *self, const struct tr_call *c)
{
    (void)self;
    return c->activity == TR_ACT_CPU_OP || c->activity == TR_ACT_COMM_RECORD;
}

/* Notes of spans: the operators around them, and whether one of them or of those around them is a launch. */
enum { STACK, LAUNCH };

static bool add_call(struct tr_metrics *a, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    uint32_t stack;
    bool owner = b->flags[i] & TR_HAS_DEVICE;
    if (tr_call_path_enter(a->tree, b, i, &path, err) != TR_OK)
        return false;
    bool inside = path.depth && path.open[path.depth - 1].notes[LAUNCH];
    bool launch = is_launch(a, &path.open[path.depth]);
    path.open[path.depth].notes[LAUNCH] = inside || launch;
    if (!launch && !owner)
        return true;
    struct tr__metrics_source *s = source_of(a, b, i);
    if (!s || !tr_stacks_path(&a->stacks, &path, STACK, is_operator, NULL, &stack) ||
        (owner && !tr_eventmap_put(&a->owners, a->dict->tracks[b->track[i]].source, b->record[i], stack + 1)))
        return false;
    if (!launch || inside)
        return true;
    if (!tr_grow(&s->launches, &s->cap_launches, s->n_launches + 1, sizeof *s->launches))
        return false;
    s->launches[s->n_launches++] = (struct tr__metrics_launch){ b->record[i], stack };
    return true;
}

/* The requested values of a range, and the duration of its kernel. */
static bool add_values(struct tr_metrics *a, size_t i, struct tr__metrics_range *r)
{
    const struct tr_metric_value *of;
    size_t n;
    r->first_value = a->n_values;
    if (!tr_metric_values_of(a->values_of, i, &of, &n) ||
        !tr_grow(&a->values, &a->cap_values, a->n_values + n + 1, sizeof *a->values))
        return false;
    for (size_t k = 0; k < n; k++) {
        if (tr_metric_is_time(tr_metric_values_name(a->values_of, of[k].metric)))
            r->time = tr_metric_number(of[k].m);
        if (tr_metric_values_wanted(a->values_of, of[k].metric))
            a->values[a->n_values++] = of[k];
    }
    r->n_values = a->n_values - r->first_value;
    return true;
}

static bool add_range(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    struct tr__metrics_source *s = source_of(a, b, i);
    struct tr__metrics_range r = { .record = b->record[i],
                                   .ts = b->ts[i],
                                   .dur = tr_dur_used(b->dur[i], b->suspect[i]),
                                   .name = b->name[i],
                                   .source = a->dict->tracks[b->track[i]].source,
                                   .samples = 1,
                                   .device = TR_I64_NONE,
                                   .keep = keep };
    r.time = (double)r.dur;
    a->ranged = true;
    if (!s || !tr_grow(&s->ranges, &s->cap_ranges, s->n_ranges + 1, sizeof *s->ranges) || !add_values(a, i, &r))
        return false;
    s->ranges[s->n_ranges++] = r;
    return true;
}

static bool expand(struct tr_metrics *a, const struct tr_batch *b)
{
    if (!tr_grow(&a->launch_record, &a->cap_record, b->n, sizeof *a->launch_record) ||
        !tr_grow(&a->launch_track, &a->cap_track, b->n, sizeof *a->launch_track))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, a->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, a->launch_track);
    return true;
}

enum tr_status tr_metrics_feed(struct tr_metrics *a, const struct tr_batch *b, const uint8_t *keep,
                               const uint8_t *sampled, struct tr_error *err)
{
    uint32_t category = tr_strtab_find(a->dict->strings, a->category, strlen(a->category));
    uint32_t of_files = tr_metric_file_category(a->dict);
    bool ok = expand(a, b) && tr_arg_read(&a->row_instance, b, TR_PLACE_ARGS, "instance") &&
              tr_arg_read(&a->row_id, b, TR_PLACE_ARGS, "GlobalInstanceId") &&
              tr_arg_read(&a->kernel_id, b, TR_PLACE_ARGS, "id");
    tr_metric_values_batch(a->values_of, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (tr_metric_is_row(b, i, of_files))
            ok = source_of(a, b, i) && tr__metrics_add_row(a, b, i, !keep || keep[i]);
        if (b->ts[i] == TR_TIME_NONE)
            continue;
        if (a->n_of_id && b->phase[i] == TR_SPAN && b->activity[i] == TR_ACT_KERNEL && ok)
            ok = tr__metrics_claim(a, b, i, !keep || keep[i]);
        if (!ok)
            break;
        if (b->phase[i] == TR_COUNTER)
            ok = tr__metrics_add_sample(a, b, i, !sampled || sampled[i]);
        else if (b->phase[i] != TR_SPAN)
            continue;
        else if (b->cat[i] == category && category != TR_NO_STR)
            ok = add_range(a, b, i, !keep || keep[i]);
        else if (b->activity[i] == TR_ACT_KERNEL)
            ok = tr__metrics_add_kernel(a, b, i, !keep || keep[i]);
        else if (tr_is_call(b, i))
            ok = add_call(a, b, i, err);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* How many ranges and launches there are, and in which sources these differ.  False: out of memory. */
static bool count_found(struct tr_metrics *a, struct tr_select *selected)
{
    a->found.sources += a->dict->n_sources;
    for (size_t i = 0; i < a->n_sources; i++) {
        const struct tr__metrics_source *s = &a->sources[i];
        uint64_t launches = s->from_file ? s->n_ranges : s->n_launches;
        a->found.ranges += s->n_ranges;
        a->found.files |= s->from_file;
        if (!s->n_ranges || s->n_ranges == launches || (selected && !tr_select_source(selected, (uint32_t)i)))
            continue;
        if (!tr_grow(&a->unmatched, &a->cap_unmatched, a->n_unmatched + 1, sizeof *a->unmatched))
            return false;
        a->unmatched[a->n_unmatched++] = (struct tr_metrics_unmatched){
            a->dict->sources[i].rank, a->dict->sources[i].name, s->n_ranges, launches };
    }
    return true;
}

TR_ORDER(by_rank, struct tr_metrics_unmatched, TR_UP(rank), TR_UP(ranges), TR_UP(launches))

enum tr_status tr_metrics_complete(struct tr_metrics *a, struct tr_select *selected, struct tr_error *err)
{
    if (!tr__metrics_close_instance(a) || !tr__metrics_end_samples(a) || !count_found(a, selected))
        return tr_fail_memory(err);
    if (a->n_loaded && a->n_unmatched)
        qsort(a->unmatched, a->n_unmatched, sizeof *a->unmatched, by_rank);
    return TR_OK;
}

const struct tr_metrics_found *tr_metrics_found(const struct tr_metrics *a, const struct tr_metrics_unmatched **v,
                                                size_t *n)
{
    *v = a->unmatched;
    *n = a->n_unmatched;
    return &a->found;
}

bool tr_metrics_adds(const struct tr_metrics *a, size_t k)
{
    return tr_metric_of_rows(tr_metric_values_name(a->values_of, a->named[k])) == TR_METRIC_ADDED;
}

const struct tr_stacks *tr_metrics_stacks(const struct tr_metrics *a)
{
    return &a->stacks;
}

bool tr_metrics_sampled(const struct tr_metrics *a)
{
    return !a->ranged;
}
