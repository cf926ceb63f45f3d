/* SPDX-License-Identifier: MIT */
/* The public interface: the call trees of two traces laid on each other, as tr-diff --by tree does. */
#include "api/tr_api_compare_int.h"

static enum tr_status start(struct tr_trace *t, enum tr_tree_diff_view view, struct tr_error *err)
{
    const struct tr_projection want = tr_tree_diff_wants(view);
    enum tr_status st = t->started      ? tr_fail(err, TR_USAGE, "events of the trace have been read")
                        : !t->in->sorted ? tr_fail(err, TR_DAMAGED, "events are not in order of time")
                                         : tr_partial_only(t->in->tables, NULL, err);
    if (st == TR_OK)
        st = tr__trace_start(t, &want, err);
    if (st == TR_OK)
        st = tr_select_found(t->select, t->in->summary, NULL, NULL, err);
    if (st != TR_OK)
        tr_error_input(err, t->in->name);
    return st;
}

static enum tr_status read_run(struct tr_tree_diff *d, enum tr_tree_diff_view view, int run, struct tr_trace *t,
                               struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = start(t, view, err);
    if (st == TR_OK)
        st = tr_tree_diff_start(d, run, t->in->dict, err);
    while (st == TR_OK && (st = tr__trace_masked(t, &b, &keep, err)) == TR_OK)
        st = tr_tree_diff_feed(d, b, keep, err);
    return st == TR_END ? tr_tree_diff_end(d, err) : st;
}

enum tr_status tr__compare_trees(enum tr_tree_diff_view view, struct tr_trace *const runs[2], struct tr_table *rows,
                                 struct tr_error *err)
{
    const size_t max = runs[0]->open.max_memory_bytes / 2;
    struct tr_tree_diff *d = tr_tree_diff_new(view, runs[0]->suspect || runs[1]->suspect, max);
    tr_tree_diff_columns(view, rows);
    enum tr_status st = d ? tr_table_ready(rows, err) : tr_fail_memory(err);
    for (int run = 0; run < 2 && st == TR_OK; run++)
        st = read_run(d, view, run, runs[run], err);
    if (st == TR_OK)
        st = tr_tree_diff_table(d, rows, err);
    tr_tree_diff_free(d);
    return st;
}
