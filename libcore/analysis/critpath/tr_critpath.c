/* SPDX-License-Identifier: MIT */
/* Critical paths: from the stream to a graph with its heaviest paths. */
#include "analysis/critpath/tr_critpath_int.h"

#include <stdlib.h>
#include <string.h>

const char *tr_cp_edge_name(unsigned edge)
{
    static const char *const names[] = {
        [TR_CP_OPERATOR] = "operator",
        [TR_CP_OPERATOR_FREE] = "operator",
        [TR_CP_DEPENDENCY] = "dependency",
        [TR_CP_GAP] = "gap",
        [TR_CP_LAUNCH] = "launch",
        [TR_CP_LAUNCH_FREE] = "launch",
        [TR_CP_QUEUE] = "queue",
        [TR_CP_AFTER] = "after",
        [TR_CP_INFERRED] = "inferred",
        [TR_CP_SYNC] = "sync",
        [TR_CP_PEER] = "peer",
        [TR_CP_ARRIVAL] = "collective",
        [TR_CP_TRANSFER] = "collective",
        [TR_CP_ORDER] = "queue",
    };
    return (unsigned)edge < TR_CP_N_EDGES ? names[edge] : "?";
}

const char *tr_cp_bound_name(unsigned bound)
{
    static const char *const names[] = {
        [TR_CP_BY_OPERATOR] = "operator", [TR_CP_BY_CPU] = "cpu",
        [TR_CP_BY_DATA] = "data",         [TR_CP_BY_COMPUTE] = "compute",
        [TR_CP_BY_COMM] = "comm",         [TR_CP_BY_MEMORY] = "memory",
        [TR_CP_BY_OTHER] = "other",       [TR_CP_BY_LAUNCH] = "launch",
        [TR_CP_BY_QUEUE] = "queue",       [TR_CP_BY_GAP] = "gap",
        [TR_CP_BY_SYNC] = "sync",
    };
    return (unsigned)bound < TR_CP_N_BOUNDS ? names[bound] : "?";
}

enum tr_status tr_critpath_new(const struct tr_cp_opts *opts, const struct tr_dict *dict,
                               struct tr_select *select, struct tr_critpath **out,
                               struct tr_error *err)
{
    struct tr_critpath *c = calloc(1, sizeof *c);
    *out = c;
    if (!c)
        return tr_fail_memory(err);
    c->opts = *opts;
    if (opts->join || opts->n_rules || opts->annotation)
        c->opts.part = 0;
    c->ending = !c->opts.part;
    c->dict = dict;
    c->select = select;
    c->first_kept = TR_TIME_NONE;
    c->last_kept = TR_TIME_NONE;
    return TR_OK;
}

/* The end of stages that take long. */
static enum tr_status end_stage(struct tr_critpath *c, bool ok, struct tr_error *err)
{
    return tr__cp_end_stage(c, ok) ? tr_go_on(&c->opts.go_on, err) : tr__cp_fail(c, err);
}

static void free_reading(struct tr_critpath *c)
{
    for (size_t k = 0; k < sizeof c->batch_i64 / sizeof *c->batch_i64; k++) {
        free(c->batch_i64[k]);
        c->batch_i64[k] = NULL;
        c->cap_batch[k] = 0;
    }
    for (size_t k = 0; k < TR_CP_N_KEYS; k++)
        tr_arg_free(&c->keys[k]);
    free(c->early);
    c->early = NULL;
}

/* Data needed only until the graph is made. */
static void free_making(struct tr_critpath *c)
{
    c->n_names = c->cap_names = 0;
    CP_FREE(&c->names, &c->kernels, &c->records, &c->arrows, &c->calls, &c->thread_of, &c->stream_track,
            &c->thread_names);
    c->held -= c->cap_kernels * sizeof *c->kernels + c->cap_records * sizeof *c->records +
               c->cap_arrows * sizeof *c->arrows + c->cap_calls * sizeof *c->calls;
    c->n_kernels = c->n_records = c->n_arrows = c->n_calls = 0;
    c->cap_kernels = c->cap_records = c->cap_arrows = c->cap_calls = 0;
}

void tr_critpath_free(struct tr_critpath *c)
{
    if (!c)
        return;
    free_reading(c);
    free_making(c);
    tr__cp_free_graph(c);
    CP_FREE(&c->ts, &c->end, &c->record, &c->track, &c->name, &c->parent, &c->activity, &c->kind, &c->flags, &c->rule,
             &c->waits, &c->windows, &c->annotations, &c->hub_ts, &c->hub_event, &c->lost_waits, &c->step, &c->what_if,
             &c->wait_calls, &c->unasked, &c->parts, &c->solved, &c->carried,
            &c->bases, &c->last_launch, &c->last_lone, &c->last_record, &c->stream_waits);
    free(c);
}

const struct tr_dict *tr_critpath_dict(const struct tr_critpath *c)
{
    return c->dict;
}

void tr_critpath_count(struct tr_critpath *c)
{
    c->opts.counts = true;
}

void tr_critpath_keep_whole(struct tr_critpath *c)
{
    c->opts.part = 0;
    c->ending = true;
}

enum tr_status tr_critpath_feed(struct tr_critpath *c, const struct tr_batch *b,
                                const uint8_t *keep, const uint8_t *rules, struct tr_error *err)
{
    if (c->n + b->n > CP_MAX_EVENTS)
        return tr_fail(err, TR_SYSTEM, "the window has more than %u spans",
                       (unsigned)CP_MAX_EVENTS);
    bool ok = tr__cp_read(c, b, keep, rules) && (!c->opts.part || tr__cp_solve_part(c));
    return ok ? TR_OK : tr__cp_fail(c, err);
}

enum tr_status tr__cp_make_graph(struct tr_critpath *c, const struct tr_colls *colls,
                                 const struct tr_coll_gathered *members, struct tr_error *err)
{
    bool ok = tr__cp_end_reading(c);
    c->ending = true;
    free_reading(c);
    enum tr_status st = end_stage(c, ok && tr__cp_make_edges(c, colls, members), err);
    if (st == TR_OK)
        st = end_stage(c, tr__cp_host_edges(c) && !tr__cp_crosses(c), err);
    free_making(c);
    if (st == TR_OK)
        st = end_stage(c, tr__cp_graph_index(c), err);
    return st;
}

enum tr_status tr_critpath_finish(struct tr_critpath *c, const struct tr_colls *colls,
                                  struct tr_error *err)
{
    enum tr_status st = tr__cp_make_graph(c, colls, NULL, err);
    if (st == TR_OK && c->opts.n_rules)
        st = end_stage(c, tr__cp_apply_rules(c), err);
    if (st == TR_OK)
        tr_critpath_retime(c, false);
    return st;
}
