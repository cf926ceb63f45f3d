/* SPDX-License-Identifier: MIT */
/* The parts of a path by names, as they are saved; and those of a path that was saved, found in this run. */
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/paths/tr_critpath_graph_int.h"
#include "analysis/paths/tr_critpath_member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct state {
    const struct tr_critpath_options *options;
    struct cp_graph *graph;
    struct tr_analysis_in in;
};

struct row {
    int64_t rank;
    struct tr_cp_member m;
    int64_t after, change;
    int64_t on_path; /* TR_I64_NONE: not known */
};

#define BOUND_GAP "gap: nothing in the trace does"
static const struct tr_table_column columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct row, rank), .meaning = "rank of the event that it leads to" },
    { "place", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct row, m.place), .meaning = "number on the path, from 0" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.to.name), .names = true, .label = true,
      .meaning = "name of the event that it leads to" },
    { "nth", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct row, m.to.nth),
      .meaning = "number of that event among those of its name on its rank, from 0" },
    { "side", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.to.side), .word = tr_cp_side_name, .n_words = 3,
      .meaning = "start or end of that event; all: when all ranks are in the collective" },
    { "edge", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.edge), .word = tr_cp_edge_name,
      .n_words = TR_CP_N_EDGES, .meaning = "kind of the edge" },
    { "bound", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.bound), .word = tr_cp_bound_name,
      .n_words = TR_CP_N_BOUNDS, .meaning = "what bounds the time; " BOUND_GAP },
    { "weight", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, m.weight), .main = true,
      .meaning = "weight of the edge; with --base, in the run that was saved" },
    { "after", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, after),
      .meaning = "with --base: the same weight in this run; empty: the event is not there" },
    { "change", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, change), .meaning = "after less weight" },
    { "on_path", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, on_path),
      .meaning = "with --base: 1: it is on the path of this run, too; 0: it is not" },
    { "from_rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, m.from.rank), .extra = true,
      .meaning = "rank of the event that it comes from" },
    { "from_name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.from.name), .names = true, .extra = true,
      .meaning = "name of that event" },
    { "from_nth", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct row, m.from.nth), .extra = true,
      .meaning = "number of that event among those of its name on its rank, from 0" },
    { "from_side", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, m.from.side), .word = tr_cp_side_name, .n_words = 3,
      .extra = true, .meaning = "start or end of that event, or all" },
};
static void add_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

static void needs(const void *options, struct tr_needs *n)
{
    tr_critpath_needs(options, n);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct state *s = state;
    struct tr_critpath_key key;
    void *graph = NULL;
    memset(&key, 0, sizeof key);
    key.options = options;
    key.per = in->work.per;
    enum tr_status st = tr_service_get(in, &tr_critpath_service, &key, &graph, err);
    if (st != TR_OK)
        return st;
    *s = (struct state){ options, graph, *in };
    tr_critpath_keep_whole(s->graph->c);
    return TR_OK;
}

static void put(struct tr_table *t, const struct tr_cp_member *m, const struct tr_cp_found *found)
{
    struct row row = {
        .rank = m->to.rank, .m = *m, .after = TR_TIME_NONE, .change = TR_TIME_NONE, .on_path = TR_I64_NONE
    };
    if (found) {
        row.after = found->weight;
        row.change = tr_time_diff(found->weight, m->weight);
        row.on_path = found->weight == TR_TIME_NONE ? TR_I64_NONE : found->on_path;
    }
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static enum tr_status own_rows(const struct state *s, const struct tr_cp_finder *f, struct tr_table *t,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t g = 0; g < tr_critpath_groups(s->graph->c) && st == TR_OK; g++) {
        struct tr_cp_member *members;
        size_t n;
        st = tr_cp_members(f, g, &members, &n, err);
        for (size_t i = 0; i < n && st == TR_OK; i++) {
            put(t, &members[i], NULL);
            st = tr_table_status(t, err);
        }
        free(members);
    }
    return st;
}

static enum tr_status base_rows(const struct state *s, const struct tr_cp_finder *f, struct tr_table *t,
                                struct tr_error *err)
{
    const struct tr_cp_saved *base = s->options->base;
    size_t lost = 0;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < base->n && st == TR_OK; i++) {
        const struct tr_cp_found found = tr_cp_find(f, &base->v[i]);
        put(t, &base->v[i], &found);
        lost += found.weight == TR_TIME_NONE;
        st = tr_table_status(t, err);
    }
    if (st == TR_OK && lost)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "%zu of %zu parts of the path that was saved have events that this run does not have", lost,
                           base->n);
    return st;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct state *s = state;
    struct tr_cp_finder *f = tr_cp_finder_new(s->graph->c);
    enum tr_status st = !f ? tr_fail_memory(err) : s->options->base ? base_rows(s, f, t, err) : own_rows(s, f, t, err);
    tr_cp_finder_free(f);
    return st;
}

static const char *why(const void *state)
{
    (void)state;
    return NULL; /* the graph has already warned */
}

const struct tr_analysis tr_analysis_critpath_member = {
    .name = "path-members",
    .question = "How long do the parts of a path take, also of one that was saved?",
    .columns = add_columns,
    .more = needs,
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .joins = true,
    .state_size = sizeof(struct state),
    .start = start,
    .finish = finish,
    .why = why,
    .unsaved = "--save-path saves them",
    TR_OPTIONS(TR__CRITPATH_OF_GRAPH, tr__critpath_defaults),
};
