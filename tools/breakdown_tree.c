/* tr-breakdown --by tree and --by nesting: every span and what lies below it. */
#include <config.h>

#include "analysis/tr_nesting.h"
#include "breakdown.h"
#include "model/tr_callsums.h"

#include <stdlib.h>

static const char *const tree_keys[] = { "id", "Sequence number", "Fwd thread id" };
const struct tr_want breakdown_want_tree = {
    .fixed = TR_WORK_FIXED | TR_WANT(NAME) | TR_WANT(CAT) | TR_WANT(RECORD),
    .derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK,
    .keys = tree_keys,
    .n_keys = 3,
};

/* Take in the whole input. */
static enum tr_status gather(struct cli_analysis *a, struct tr_callsums **sums,
                             struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    *sums = tr_callsums_new(a->in->dict);
    if (!*sums)
        return tr_fail_memory(err);
    while ((st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        if ((st = tr_callsums_feed(*sums, b, keep, err)) != TR_OK)
            return st;
    return st == TR_END ? TR_OK : st;
}

static void tree_columns(struct tr_table *t)
{
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    tr_table_column(t, "record", TR_CELL_COUNT, 0);
    tr_table_column(t, "parent", TR_CELL_COUNT, 0);
    tr_table_column(t, "depth", TR_CELL_COUNT, 0);
    tr_table_column(t, "height", TR_CELL_COUNT, 0);
    tr_table_column(t, "activity", TR_CELL_STRING, 0);
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "start", TR_CELL_TIME, 0);
    tr_table_column(t, "dur", TR_CELL_TIME, 0);
    tr_table_column(t, "self", TR_CELL_TIME, 0);
    tr_table_column(t, "kernels", TR_CELL_COUNT, 0);
    tr_table_column(t, "kernel_sum", TR_CELL_TIME, 0);
    tr_table_column(t, "kernel_span", TR_CELL_TIME, 0);
    tr_table_column(t, "first_kernel", TR_CELL_TIME, 0);
    tr_table_column(t, "last_kernel", TR_CELL_TIME, 0);
    tr_table_column(t, "forward", TR_CELL_COUNT, 0);
}

static void node_cell(struct tr_table *t, const struct tr_callnode *nodes, uint32_t node)
{
    if (node == TR_NO_NODE)
        tr_table_absent(t);
    else
        tr_table_count(t, nodes[node].record);
}

/* INT64_MAX stands for a span without an end. */
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
}

static void tree_row(struct tr_table *t, const struct tr_dict *d, const struct tr_callnode *nodes,
                     const struct tr_callnode *node)
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
    tr_table_string(t, tr_dict_str(d, node->name));
    tr_table_time(t, tr_source_to_file(source, node->ts));
    length_cell(t, node->dur);
    if (host)
        length_cell(t, node->self);
    else
        tr_table_absent(t);
    tr_table_count(t, node->kernels);
    tr_table_time(t, node->kernel_sum);
    tr_table_time(t, node->kernels ? node->last_kernel - node->first_kernel : 0);
    if (node->kernels) {
        tr_table_time(t, tr_source_to_file(source, node->first_kernel));
        tr_table_time(t, tr_source_to_file(source, node->last_kernel));
    } else {
        tr_table_absent(t);
        tr_table_absent(t);
    }
    node_cell(t, nodes, node->forward);
}

enum tr_status breakdown_tree(struct cli_analysis *a, bool join_backward,
                              struct tr_table *t, struct tr_error *err)
{
    struct tr_callsums *sums;
    const struct tr_callnode *nodes = NULL;
    size_t n = 0;
    enum tr_status st = gather(a, &sums, err);
    if (st == TR_OK)
        st = tr_callsums_finish(sums, join_backward, &nodes, &n, err);
    tree_columns(t);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tree_row(t, a->in->dict, nodes, &nodes[i]);
        st = tr_table_status(t, err);
    }
    tr_callsums_free(sums);
    return st;
}

enum tr_status breakdown_nesting(struct cli_analysis *a, struct tr_table *t, struct tr_error *err)
{
    struct tr_nestings *nestings = tr_nestings_new(a->in->dict);
    enum tr_status st = nestings ? TR_OK : tr_fail_memory(err);
    const struct tr_batch *b;
    const uint8_t *keep;
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_nestings_feed(nestings, b, keep, err);
    st = st == TR_END ? TR_OK : st;
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    tr_table_column(t, "cause", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "overlap", TR_CELL_TIME, 0);
    tr_table_column(t, "max", TR_CELL_TIME, 0);
    for (uint32_t i = 0; st == TR_OK && i < a->in->dict->n_sources; i++) {
        const struct tr_nesting_count *counts = tr_nestings_of(nestings, i);
        for (unsigned c = TR_NESTING_FINE; counts && c < TR_N_NESTINGS; c++) {
            rank_cell(t, &a->in->dict->sources[i]);
            tr_table_string(t, tr_nesting_name((enum tr_nesting)c));
            tr_table_count(t, counts[c].n);
            tr_table_time(t, counts[c].sum);
            tr_table_time(t, counts[c].max);
        }
    }
    tr_nestings_free(nestings);
    return st;
}
