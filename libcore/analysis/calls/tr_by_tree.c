/* SPDX-License-Identifier: MIT */
/* Every span and all below it, and how spans of one thread or stream overlap. */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_nesting.h"
#include "model/calls/tr_call_tree.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdlib.h>

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "id", "Sequence number", "Fwd thread id" };
    (void)options;
    n->host = true;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK;
    n->want.keys = keys;
    n->want.n_keys = sizeof keys / sizeof *keys;
}

/* ---- the tree ---- */

struct tree {
    struct tr_analysis_in in;
    const struct tr_dict *dict;
    const struct tr_tree_options *options;
    struct tr_call_tree *sums;
    uint64_t left_out; /* device work, or launch calls of such, that --where does not select */
};

static const struct tr_table_column tree_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "index of the span in its file" },
    { "parent", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "record of the span around it" },
    { "depth", TR_CELL_COUNT, TR_ROLE_TEXT, .meaning = "spans above it" },
    { "height", TR_CELL_COUNT, TR_ROLE_MAX, .extra = true,
      .meaning = "number of levels of spans inside it" },
    { "activity", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "activity of the event" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "its name" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "its duration" },
    { "self", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "duration without the spans inside it on its thread" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of kernels, copies and memsets launched inside it" },
    { "kernel_sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of their durations" },
    { "kernel_span", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "from their first start to their last end" },
    { "first_kernel", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "their first start, as in the file" },
    { "last_kernel", TR_CELL_TIME, TR_ROLE_MAX, .extra = true, .meaning = "their last end, as in the file" },
    { "forward", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true,
      .meaning = "record of the operator whose gradient it computes" },
};

static void tree_free(void *state)
{
    struct tree *s = state;
    tr_call_tree_free(s->sums);
    free(s);
}

static enum tr_status tree_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    struct tree *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->dict = in->dict;
    s->options = options;
    s->sums = tr_call_tree_new(in->dict);
    return s->sums ? TR_OK : tr_fail_memory(err);
}

static enum tr_status tree_feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                                struct tr_table *t, struct tr_error *err)
{
    struct tree *s = state;
    (void)t;
    for (size_t i = 0; keep && i < b->n; i++)
        s->left_out += !keep[i] && ((b->flags[i] & TR_HAS_DEVICE) ||
                                    (tr_is_device_work(b->activity[i]) && (b->flags[i] & TR_HAS_LAUNCH)));
    return tr_call_tree_feed(s->sums, b, keep, err);
}

static void node_cell(struct tr_table *t, const struct tr_call_node *nodes, uint32_t node)
{
    if (node == TR_NO_NODE)
        tr_table_absent(t);
    else
        tr_table_count(t, nodes[node].record);
}

/* INT64_MAX: the end of a span that never ends. */
static void length_cell(struct tr_table *t, int64_t ns)
{
    if (ns == INT64_MAX)
        tr_table_absent(t);
    else
        tr_table_time(t, ns);
}

static void rank_cell(struct tr_table *t, const struct tr_source *source)
{
    if (source->rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, source->rank);
    tr_table_int(t, source->capture);
}

static void tree_row(struct tr_table *t, const struct tr_dict *d, const struct tr_call_node *nodes,
                     const struct tr_call_node *node)
{
    const struct tr_source *source = &d->sources[d->tracks[node->track].source];
    bool host = !tr_is_device_work(node->activity) && node->activity != TR_ACT_SYNC &&
                node->activity != TR_ACT_DEVICE_ANNOTATION;
    rank_cell(t, source);
    tr_table_count(t, node->record);
    node_cell(t, nodes, node->parent);
    if (node->in_tree)
        tr_table_count(t, node->depth);
    else
        tr_table_absent(t);
    tr_table_count(t, node->height);
    tr_table_string(t, tr_activity_name(node->activity));
    tr_table_text(t, tr_dict_text(d, node->name));
    tr_table_time(t, tr_source_to_file(source, node->ts));
    length_cell(t, node->dur);
    if (host)
        length_cell(t, node->self);
    else
        tr_table_absent(t);
    tr_table_count(t, node->kernels);
    tr_table_time(t, node->kernel_sum);
    tr_table_time(t, node->kernels ? tr_time_diff(node->last_kernel, node->first_kernel) : 0);
    if (node->kernels) {
        tr_table_time(t, tr_source_to_file(source, node->first_kernel));
        tr_table_time(t, tr_source_to_file(source, node->last_kernel));
    } else {
        tr_table_absent(t);
        tr_table_absent(t);
    }
    node_cell(t, nodes, node->forward);
}

static enum tr_status tree_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tree *s = state;
    const struct tr_call_node *nodes = NULL;
    size_t n = 0;
    enum tr_status st = tr_call_tree_finish(s->sums, s->options->join_backward, &nodes, &n, err);
    if (st == TR_OK && n && s->left_out && s->in.select && tr_select_has_where(s->in.select))
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "--where leaves out launch calls and device work (%" PRIu64
                           " events): kernels and kernel_sum count only work that is selected together with its call",
                           s->left_out);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tree_row(t, s->dict, nodes, &nodes[i]);
        st = tr_table_status(t, err);
    }
    return st;
}

static const struct tr_tree_options tree_defaults = { .join_backward = false };
static const struct tr_option tree_options[] = {
    { 0, "join-backward", NULL, TR_OPTION_FLAG, offsetof(struct tr_tree_options, join_backward),
      .help = "make the backward pass part of the steps of the main thread" },
    { 0 },
};

const struct tr_analysis tr_analysis_tree = {
    .name = "tree",
    .chart = &(const struct tr_chart){ TR_CHART_FLAME, .x = "start", .y = { "dur", "depth" }, .series = "name",
                                       .facet = "rank" },
    .question = "What is inside each span?",
    .nothing = "no spans are selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    TR_OPTIONS(tree_options, tree_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(tree_columns),
    .start = tree_start,
    .feed = tree_feed,
    .finish = tree_finish,
    .free = tree_free,
    .unsaved = "a tree of calls is put together from single spans",
};

/* ---- overlaps ---- */

struct nesting {
    const struct tr_dict *dict;
    struct tr_nestings *nestings;
};

static const struct tr_table_column nesting_columns[] = {
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "how two spans overlap" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "how often" },
    { "overlap", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of the overlaps" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "the longest of them" },
};

static void nesting_free(void *state)
{
    struct nesting *s = state;
    tr_nestings_free(s->nestings);
    free(s);
}

static void nesting_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->host = true;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.any_rank_order = true;
}

static enum tr_status nesting_start(const struct tr_analysis_in *in, const void *options,
                                    void **state, struct tr_error *err)
{
    struct nesting *s = *state = calloc(1, sizeof *s);
    (void)options;
    if (!s)
        return tr_fail_memory(err);
    s->dict = in->dict;
    s->nestings = tr_nestings_new(in->dict);
    return s->nestings ? TR_OK : tr_fail_memory(err);
}

static enum tr_status nesting_feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_table *t, struct tr_error *err)
{
    struct nesting *s = state;
    (void)t;
    return tr_nestings_feed(s->nestings, b, keep, err);
}

static enum tr_status nesting_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct nesting *s = state;
    (void)err;
    for (uint32_t i = 0; i < s->dict->n_sources; i++) {
        const struct tr_nesting_count *counts = tr_nestings_of(s->nestings, i);
        for (unsigned c = TR_NESTING_FINE; counts && c < TR_N_NESTINGS; c++) {
            rank_cell(t, &s->dict->sources[i]);
            tr_table_string(t, tr_nesting_name((enum tr_nesting)c));
            tr_table_count(t, counts[c].n);
            tr_table_time(t, counts[c].sum);
            tr_table_time(t, counts[c].max);
        }
    }
    return TR_OK;
}

const struct tr_analysis tr_analysis_nesting = {
    .name = "nesting",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "cause", .y = { "overlap" }, .facet = "rank" },
    .question = "Do the spans of a thread or stream nest, or do they overlap?",
    .nothing = "no source is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .needs = nesting_needs,
    TR_OWN_COLUMNS(nesting_columns),
    .start = nesting_start,
    .feed = nesting_feed,
    .finish = nesting_finish,
    .free = nesting_free,
    .unsaved = "it compares the spans of a thread",
};
