/* SPDX-License-Identifier: MIT */
/* Every span and all below it, and how spans of one thread or stream overlap. */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_nesting.h"
#include "model/calls/tr_call_tree.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- the tree ---- */

struct tree {
    struct tr_analysis_in in;
    const struct tr_dict *dict;
    const struct tr_tree_options *options;
    struct tr_call_tree *sums;
    uint64_t left_out; /* device work, or launch calls of such, that --where does not select */
};

struct span {
    struct tr_call_node of;
    int64_t parent, forward; /* records; TR_I64_NONE: none */
    int64_t depth, height, start, dur, self, kernel_span, first_kernel, last_kernel;
    uint32_t activity;
};

static const struct tr_table_column tree_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct span, of.record), .meaning = "index of the span in its file" },
    { "parent", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct span, parent), .extra = true,
      .meaning = "record of the span around it" },
    { "depth", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct span, depth), .meaning = "spans above it" },
    { "height", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct span, height), .extra = true,
      .meaning = "number of levels of spans inside it" },
    { "activity", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct span, activity), .word = tr_activity_name,
      .n_words = TR_N_ACTIVITIES, .meaning = "activity of the event" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct span, of.name), .names = true, .meaning = "its name" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct span, start), .extra = true,
      .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct span, dur), .main = true, .meaning = "its duration" },
    { "self", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct span, self),
      .meaning = "duration without the spans inside it on its thread" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct span, of.kernels),
      .meaning = "number of kernels, copies and memsets launched inside it" },
    { "kernel_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct span, of.kernel_sum), .meaning = "sum of their durations" },
    { "kernel_span", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct span, kernel_span), .extra = true,
      .meaning = "from their first start to their last end" },
    { "first_kernel", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct span, first_kernel), .extra = true,
      .meaning = "their first start, as in the file" },
    { "last_kernel", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct span, last_kernel), .extra = true,
      .meaning = "their last end, as in the file" },
    { "forward", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct span, forward), .extra = true,
      .meaning = "record of the operator whose gradient it computes" },
};

static void tree_free(void *state)
{
    struct tree *s = state;
    tr_call_tree_free(s->sums);
}

static enum tr_status tree_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    struct tree *s = state;
    s->in = *in;
    s->dict = in->dict;
    s->options = options;
    s->sums = tr_call_tree_new(in->dict);
    return s->sums ? TR_OK : tr_fail_memory(err);
}

static enum tr_status tree_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                struct tr_error *err)
{
    struct tree *s = state;
    (void)t;
    for (size_t i = 0; keep && i < b->n; i++)
        s->left_out += !keep[i] && ((b->flags[i] & TR_HAS_DEVICE) ||
                                    (tr_is_device_work(b->activity[i]) && (b->flags[i] & TR_HAS_LAUNCH)));
    return tr_call_tree_feed(s->sums, b, keep, err);
}

static int64_t record_of(const struct tr_call_node *nodes, uint32_t node)
{
    return node == TR_NO_NODE ? TR_I64_NONE : (int64_t)nodes[node].record;
}

/* INT64_MAX: the end of a span that never ends. */
static int64_t length_of(int64_t ns)
{
    return ns == INT64_MAX ? TR_TIME_NONE : ns;
}

static void put(struct tr_table *t, const struct tr_source *source, const void *row)
{
    const struct tr_group_key group = { .rank = source->rank < 0 ? TR_GROUP_NONE : source->rank,
                                        .capture = source->capture };
    tr_table_row(t, &(struct tr_row){ .group = &group, .row = row });
}

static void put_span(struct tr_table *t, const struct tr_dict *d, const struct tr_call_node *nodes,
                     const struct tr_call_node *n)
{
    const struct tr_source *source = &d->sources[d->tracks[n->track].source];
    bool host =
        !tr_is_device_work(n->activity) && n->activity != TR_ACT_SYNC && n->activity != TR_ACT_DEVICE_ANNOTATION;
    const struct span row = {
        .of = *n,
        .parent = record_of(nodes, n->parent),
        .forward = record_of(nodes, n->forward),
        .depth = n->in_tree ? (int64_t)n->depth : TR_I64_NONE,
        .height = n->height,
        .start = tr_source_to_file(source, n->ts),
        .dur = length_of(n->dur),
        .self = host ? length_of(n->self) : TR_TIME_NONE,
        .kernel_span = n->kernels ? tr_time_diff(n->last_kernel, n->first_kernel) : 0,
        .first_kernel = n->kernels ? tr_source_to_file(source, n->first_kernel) : TR_TIME_NONE,
        .last_kernel = n->kernels ? tr_source_to_file(source, n->last_kernel) : TR_TIME_NONE,
        .activity = n->activity,
    };
    put(t, source, &row);
}

static enum tr_status tree_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tree *s = state;
    const struct tr_call_node *nodes = NULL;
    size_t n = 0;
    enum tr_status st = tr_call_tree_finish(s->sums, s->options->join_backward, &nodes, &n, err);
    if (st == TR_OK && n && s->left_out && s->in.select && tr_select_has_where(s->in.select))
        tr_analysis_remark_sum(&s->in, TR_REMARK_RESULT, "", s->left_out,
                               "--where leaves out launch calls and device work (# events): kernels and kernel_sum "
                               "count only work that is selected together with its call");
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tr_analysis_at(&s->in, s->dict->tracks[nodes[i].track].source, nodes[i].ts, tr_call_tree_order_dur(s->sums, i));
        put_span(t, s->dict, nodes, &nodes[i]);
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
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT) | TR_FIXED_BIT(RECORD),
                         .derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK,
                         TR_KEYS("id", "Sequence number", "Fwd thread id") }, .host = true },
    TR_OWN_COLUMNS(tree_columns),
    .state_size = sizeof(struct tree),
    .start = tree_start,
    .feed = tree_feed,
    .finish = tree_finish,
    .free = tree_free,
    .saving = &tr_saving_times,
};

/* ---- overlaps ---- */

struct nesting {
    const struct tr_dict *dict;
    struct tr_nestings *nestings;
};

struct nesting_row {
    const char *cause;
    struct tr_nesting_count of;
};

static const struct tr_table_column nesting_columns[] = {
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct nesting_row, cause), .meaning = "how two spans overlap" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct nesting_row, of.n), .meaning = "how often" },
    { "overlap", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct nesting_row, of.sum), .meaning = "sum of the overlaps" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct nesting_row, of.max), .meaning = "the longest of them" },
};

static void nesting_free(void *state)
{
    struct nesting *s = state;
    tr_nestings_free(s->nestings);
}

static enum tr_status nesting_start(const struct tr_analysis_in *in, const void *options, void *state,
                                    struct tr_error *err)
{
    struct nesting *s = state;
    (void)options;
    s->dict = in->dict;
    s->nestings = tr_nestings_new(in->dict);
    return s->nestings ? TR_OK : tr_fail_memory(err);
}

static enum tr_status nesting_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                   struct tr_error *err)
{
    struct nesting *s = state;
    (void)t;
    return tr_nestings_feed(s->nestings, b, keep, err);
}

/* Unknown ranks last, captures of a rank by their numbers. */
static int by_capture(const void *a, const void *b)
{
    const struct tr_source *x = *(const struct tr_source *const *)a, *y = *(const struct tr_source *const *)b;
    if (x->rank != y->rank)
        return (uint64_t)x->rank < (uint64_t)y->rank ? -1 : 1;
    if (x->capture != y->capture)
        return x->capture < y->capture ? -1 : 1;
    return (x > y) - (x < y);
}

static enum tr_status nesting_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct nesting *s = state;
    size_t n = s->dict->n_sources;
    const struct tr_source **sources = calloc(n + 1, sizeof *sources);
    if (!sources)
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        sources[i] = &s->dict->sources[i];
    if (n)
        qsort(sources, n, sizeof *sources, by_capture);
    for (size_t i = 0; i < n; i++) {
        const struct tr_nesting_count *counts = tr_nestings_of(s->nestings, (uint32_t)(sources[i] - s->dict->sources));
        for (unsigned c = TR_NESTING_FINE; counts && c < TR_N_NESTINGS; c++) {
            const struct nesting_row row = { tr_nesting_name((enum tr_nesting)c), counts[c] };
            put(t, sources[i], &row);
        }
    }
    free(sources);
    return TR_OK;
}

const struct tr_analysis tr_analysis_nesting = {
    .name = "nesting",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "cause", .y = { "overlap" }, .facet = "rank" },
    .question = "Do the spans of a thread or stream nest, or do they overlap?",
    .nothing = "no source is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD),
                         .any_rank_order = true }, .host = true },
    TR_OWN_COLUMNS(nesting_columns),
    .state_size = sizeof(struct nesting),
    .start = nesting_start,
    .feed = nesting_feed,
    .finish = nesting_finish,
    .free = nesting_free,
    .saving = &tr_saving_ranks,
};
