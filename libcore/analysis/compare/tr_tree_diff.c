/* SPDX-License-Identifier: MIT */
/* Call trees of two runs: reading the trees. */
#include "analysis/compare/tr_tree_diff.h"

#include "analysis/compare/tr_tree_diff_int.h"
#include "base/tr_sort.h"
#include "engine/tr_group_by.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

struct tr_tree_diff *tr_tree_diff_new(enum tr_tree_diff_view view, bool suspect, size_t max_bytes)
{
    struct tr_tree_diff *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->view = view;
    d->suspect = suspect;
    d->max_bytes = max_bytes ? max_bytes : SIZE_MAX;
    d->texts = tr_strtab_new();
    if (d->texts && tr_strtab_add(d->texts, "", 0) == 0)
        return d;
    tr_tree_diff_free(d);
    return NULL;
}

/* The parts that only reading needs. */
static void free_reading(struct tr_tree_diff *d)
{
    tr_call_path_free(d->path);
    tr_call_path_free(d->steps);
    tr_eventmap_free(&d->launches);
    free(d->of_string);
    free(d->launch_record);
    free(d->launch_track);
    for (int k = 0; k < TR__TREE_N_ARGS; k++) {
        tr_arg_free(&d->arg[k]);
        d->arg[k] = (struct tr_arg){ 0 };
    }
    d->path = d->steps = NULL;
    d->of_string = NULL;
    d->launch_record = d->launch_track = NULL;
    d->n_strings = d->cap_strings = d->cap_record = d->cap_track = 0;
    d->launches = (struct tr_eventmap){ 0 };
}

void tr_tree_diff_free(struct tr_tree_diff *d)
{
    if (!d)
        return;
    free_reading(d);
    for (int side = 0; side < 2; side++) {
        free(d->sides[side].nodes);
        free(d->sides[side].tracks);
        free(d->sides[side].roots);
        free(d->marks[side]);
    }
    tr_strtab_free(d->texts);
    free(d->normal);
    free(d->args);
    tr_hash_index_free(&d->args_index);
    free(d);
}

enum tr_status tr__tree_fail(const struct tr_tree_diff *d, struct tr_error *err)
{
    if (d->full)
        return tr_fail(err, TR_SYSTEM, "the call trees need more memory than -M allows (64 bytes for each call)");
    return tr_fail_memory(err);
}

void tr_tree_diff_graphs(struct tr_tree_diff *d, int run, struct tr_graph_calls *graphs)
{
    d->graphs[run] = graphs;
}

const struct tr_graph_counts *tr_tree_diff_graph_counts(const struct tr_tree_diff *d, int run)
{
    return &d->graph_counts[run];
}

struct tr_projection tr_tree_diff_wants(enum tr_tree_diff_view view)
{
    static const char *const keys[] = { "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
    struct tr_projection want = {
        .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) |
                 TR_FIXED_BIT(NAME) | TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(SUSPECT) |
                 TR_FIXED_BIT(FLAGS),
        .derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK,
    };
    if (view == TR_TREE_DIFF_KERNEL) {
        want.keys = keys;
        want.n_keys = sizeof keys / sizeof *keys;
    }
    return want;
}

/* ---- names ---- */

/* The text of a string of the stream. */
static uint32_t text_of(struct tr_tree_diff *d, uint32_t string)
{
    if (string == TR_NO_STR)
        return tr__tree_add_name(d, (struct tr_str){ "", 0 });
    if (!d->of_string[string]) {
        uint32_t text = tr__tree_add_name(d, tr_dict_text(d->dict, string));
        if (text == TR_NO_STR)
            return TR_NO_STR;
        d->of_string[string] = text + 1;
    }
    return d->of_string[string] - 1;
}

/* ---- arguments of operators ---- */

/* The arguments of event i. */
static bool args_of(struct tr_tree_diff *d, size_t i, uint32_t *number)
{
    struct tr__tree_args args;
    for (int k = 0; k < TR__TREE_N_ARGS; k++) {
        uint32_t string = tr_arg_text(&d->arg[k], i);
        args.text[k] = string == TR_NO_STR ? TR_NO_STR : text_of(d, string);
        if (string != TR_NO_STR && args.text[k] == TR_NO_STR)
            return false;
    }
    return tr__tree_add_args(d, &args, number);
}

/* ---- reading ---- */

enum tr_status tr_tree_diff_start(struct tr_tree_diff *d, int run, const struct tr_dict *dict, struct tr_error *err)
{
    d->run = run;
    d->dict = dict;
    d->path = tr_call_path_new();
    d->steps = d->graphs[run] ? tr_call_path_new() : NULL;
    return d->path && (d->steps || !d->graphs[run]) ? TR_OK : tr_fail_memory(err);
}

static bool start_batch(struct tr_tree_diff *d, const struct tr_batch *b)
{
    static const char *const keys[] = { "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
    size_t n = tr_strtab_count(d->dict->strings);
    if (!tr_grow(&d->of_string, &d->cap_strings, n + 1, sizeof *d->of_string) ||
        !tr_grow(&d->launch_record, &d->cap_record, b->n, sizeof *d->launch_record) ||
        !tr_grow(&d->launch_track, &d->cap_track, b->n, sizeof *d->launch_track))
        return false;
    memset(d->of_string + d->n_strings, 0, (n - d->n_strings) * sizeof *d->of_string);
    d->n_strings = n;
    for (int k = 0; k < TR__TREE_N_ARGS && d->view == TR_TREE_DIFF_KERNEL; k++)
        if (!tr_arg_read(&d->arg[k], b, TR_PLACE_ARGS, keys[k]))
            return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, d->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, d->launch_track);
    return true;
}

static struct tr__tree_node *add_node(struct tr_tree_diff *d, const struct tr_batch *b, size_t i, int kind)
{
    struct tr__tree_side *s = &d->sides[d->run];
    uint32_t name = text_of(d, b->name[i]);
    if (name == TR_NO_STR || s->n >= TR__NO_NODE - 1 || !tr_grow(&s->nodes, &s->cap, s->n + 1, sizeof *s->nodes))
        return NULL;
    s->nodes[s->n] = (struct tr__tree_node){ .ts = b->ts[i],
                                             .record = b->record[i],
                                             .name = name,
                                             .parent = TR__NO_NODE,
                                             .first = TR__NO_NODE,
                                             .next = TR__NO_NODE,
                                             .track = b->track[i],
                                             .kind = (uint8_t)kind };
    return &s->nodes[s->n++];
}

/* Is it the launch of a graph?  Then note how many tokens its step has. */
static bool note_graph(struct tr_tree_diff *d, const struct tr_batch *b, size_t i, struct tr__tree_node *node,
                       struct tr_error *err)
{
    struct tr_str name = tr_dict_text_if(d->dict, b->name[i]);
    struct tr_callpath path;
    if (!name.s || !(tr_roles_of(d->dict->names, name.s, name.len) & TR_NAMED_GRAPH_LAUNCH))
        return true;
    if (tr_call_path_enter(d->steps, b, i, &path, err) != TR_OK)
        return false;
    node->kind = TR__TREE_GRAPH;
    node->hash = (uint64_t)tr_graph_tokens_around(d->dict, &path);
    return true;
}

static bool add_host(struct tr_tree_diff *d, const struct tr_batch *b, size_t i, bool selected, struct tr_error *err)
{
    bool op = tr__tree_is_operator(b->activity[i]);
    struct tr_callpath path;
    struct tr__tree_node *node = add_node(d, b, i, op ? TR__TREE_OPERATOR : TR__TREE_CALL);
    if (!node || tr_call_path_enter(d->path, b, i, &path, err) != TR_OK)
        return false;
    node->unselected = !selected;
    uint32_t number = (uint32_t)(d->sides[d->run].n - 1);
    path.open[path.depth].tag = number;
    if (path.depth)
        node->parent = (uint32_t)path.open[path.depth - 1].tag;
    if (op && d->view == TR_TREE_DIFF_KERNEL && !args_of(d, i, &node->args))
        return false;
    if (!(b->flags[i] & TR_HAS_DEVICE))
        return true;
    return (op || !d->steps || note_graph(d, b, i, node, err)) &&
           tr_eventmap_put(&d->launches, d->dict->tracks[b->track[i]].source, b->record[i], number);
}

static bool add_work(struct tr_tree_diff *d, const struct tr_batch *b, size_t i)
{
    if (d->launch_track[i] == TR_I64_NONE || (uint64_t)d->launch_track[i] >= d->dict->n_tracks)
        return true; /* in no tree */
    struct tr__tree_node *node = add_node(d, b, i, TR__TREE_WORK);
    if (!node)
        return false;
    node->works = 1;
    node->activity = b->activity[i];
    node->dur = b->suspect[i] && d->suspect ? tr_group_by_suspect_dur(b, i) : tr_dur_used(b->dur[i], b->suspect[i]);
    node->hash = (uint64_t)d->launch_record[i];
    node->parent = d->dict->tracks[d->launch_track[i]].source;
    return true;
}

enum tr_status tr_tree_diff_feed(struct tr_tree_diff *d, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err)
{
    struct tr_callpath path;
    bool ok = start_batch(d, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        bool work = tr_is_device_work(b->activity[i]);
        if ((work && keep && !keep[i]) || b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue; /* a selection chooses work, and never hides the calls above it */
        if (work)
            ok = add_work(d, b, i);
        else if (tr__tree_takes_part(b->activity[i]))
            ok = add_host(d, b, i, !keep || keep[i], err);
        else if (d->steps && b->activity[i] == TR_ACT_ANNOTATION)
            ok = tr_call_path_enter(d->steps, b, i, &path, err) == TR_OK;
    }
    return ok && tr__tree_fits(d) ? TR_OK : tr__tree_fail(d, err);
}

/* ---- the end of a run ---- */

/* Work below its launch; work whose launch was not selected is in no tree. */
static void link_work(struct tr_tree_diff *d, struct tr__tree_side *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tr__tree_node *node = &s->nodes[i];
        if (node->kind != TR__TREE_WORK)
            continue;
        uint32_t launch = tr_eventmap_get(&d->launches, node->parent, node->hash);
        node->parent = launch == TR_EVENTMAP_NONE ? TR__NO_NODE : launch;
    }
}

/* Count the work below each call, and cut off calls that are not selected and have none. */
static void count_work(struct tr__tree_side *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->nodes[i].kind == TR__TREE_WORK && s->nodes[i].parent != TR__NO_NODE)
            s->nodes[s->nodes[i].parent].works++;
    for (size_t i = s->n; i-- > 0;) { /* parents come before their calls */
        struct tr__tree_node *node = &s->nodes[i];
        if (node->kind == TR__TREE_WORK || node->parent == TR__NO_NODE)
            continue;
        s->nodes[node->parent].works += node->works;
        if (node->unselected && !node->works)
            node->parent = TR__NO_NODE;
    }
}

/*
 * Children in the order of their starts, and sums, from the last node to the first: but for work, parents come before
 * children.
 */
static void link_children(const struct tr_tree_diff *d, struct tr__tree_side *s)
{
    for (size_t i = s->n; i-- > 0;) {
        struct tr__tree_node *node = &s->nodes[i];
        if (node->parent == TR__NO_NODE)
            continue;
        struct tr__tree_node *parent = &s->nodes[node->parent];
        node->next = parent->first;
        parent->first = (uint32_t)i;
        if (node->kind != TR__TREE_WORK)
            continue;
        node->hash = tr__tree_mix(tr__tree_name(d, node), 1);
        parent->launches = true;
        parent->dur = tr_time_sum(parent->dur, node->dur);
    }
    for (size_t i = s->n; i-- > 0;) {
        struct tr__tree_node *node = &s->nodes[i];
        if (node->kind == TR__TREE_WORK)
            continue;
        node->hash = tr__tree_mix(tr__tree_name(d, node), 2);
        for (uint32_t k = node->first; k != TR__NO_NODE; k = s->nodes[k].next)
            if (tr__tree_has_work(&s->nodes[k]))
                node->hash = tr__tree_mix(node->hash, s->nodes[k].hash);
        if (node->parent != TR__NO_NODE)
            s->nodes[node->parent].dur = tr_time_sum(s->nodes[node->parent].dur, node->dur);
    }
}

static bool add_root(struct tr__tree_side *s, uint32_t node, uint32_t *threads, uint32_t *n_threads)
{
    uint32_t track = s->nodes[node].track;
    if (!tr_grow(&s->roots, &s->cap_roots, s->n_roots + 1, sizeof *s->roots))
        return false;
    if (!threads[track])
        threads[track] = ++*n_threads;
    s->roots[s->n_roots++] = (struct tr__tree_root){ s->tracks[track], threads[track], node };
    return true;
}

TR_ORDER(compare_roots, struct tr__tree_root, tr__tree_compare_ranks(&a->of, &b->of), TR_UP(thread), TR_UP(node))

/* Roots of one rank are together: by thread, then in their order. */
static bool gather_roots(struct tr__tree_side *s)
{
    uint32_t *threads = calloc(s->n_tracks + 1, sizeof *threads), n_threads = 0;
    bool ok = threads != NULL;
    for (size_t i = 0; ok && i < s->n; i++) {
        const struct tr__tree_node *node = &s->nodes[i];
        bool root = (node->kind == TR__TREE_OPERATOR && !node->unselected) ||
                    (node->kind != TR__TREE_WORK && tr__tree_has_work(node));
        if (root && node->parent == TR__NO_NODE)
            ok = add_root(s, (uint32_t)i, threads, &n_threads);
    }
    free(threads);
    if (ok && s->n_roots)
        qsort(s->roots, s->n_roots, sizeof *s->roots, compare_roots);
    return ok;
}

enum tr_status tr_tree_diff_end(struct tr_tree_diff *d, struct tr_error *err)
{
    struct tr__tree_side *s = &d->sides[d->run];
    s->n_tracks = d->dict->n_tracks;
    s->tracks = calloc(s->n_tracks + 1, sizeof *s->tracks);
    if (!s->tracks)
        return tr_fail_memory(err);
    for (size_t t = 0; t < s->n_tracks; t++) {
        const struct tr_source *source = &d->dict->sources[d->dict->tracks[t].source];
        s->tracks[t] = (struct tr__tree_track){ source->rank, source->capture };
    }
    link_work(d, s);
    bool ok = tr__tree_graft(d);
    if (ok) {
        count_work(s);
        link_children(d, s);
    }
    ok = ok && gather_roots(s);
    free_reading(d);
    return ok ? TR_OK : tr__tree_fail(d, err);
}
