/* SPDX-License-Identifier: MIT */
/* The graph of critical paths as a service: made once for all tables of a run, and for marks. */
#include "analysis/paths/tr_critpath_graph_int.h"

#include "analysis/comm/tr_collective_times.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "model/collectives/tr_collective.h"
#include "model/selection/tr_job_start.h"
#include "model/tr_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Spans that are read take no less than this part of the memory that their graph takes at most. */
#define PART 6

void tr_critpath_needs(const struct tr_critpath_options *o, struct tr_needs *n)
{
    static const struct tr_projection collectives = { .keys = tr_coll_keys, .n_keys = TR_COLL_N_KEYS };
    n->want.fixed = TR_FIXED_ALL;
    n->want.derived = TR_CP_DERIVED;
    n->want.keys = tr_cp_keys;
    n->want.n_keys = TR_CP_N_KEYS;
    n->want.any_rank_order = o->whole && !o->annotation && !(o->rules && o->rules->all_order);
    n->more[0] = &collectives;
    n->more[1] = o->rules ? &o->rules->want : NULL;
    n->host = true;
    n->memory = TR_MEMORY_GRAPH;
}

static void graph_free(void *state)
{
    struct cp_graph *g = state;
    tr_coll_finder_free(g->finder);
    tr_steps_free(g->steps);
    tr_critpath_free(g->c);
    tr_cp_contractions_free(&g->contracted);
    free(g);
}

static enum tr_status graph_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    const struct tr_critpath_key *key = options;
    const struct tr_critpath_options *o = key->options;
    struct cp_graph *g = *state = calloc(1, sizeof *g);
    bool join = key->per == TR_PER_ALL;
    if (!g)
        return tr_fail_memory(err);
    g->contracts = join && in->saved;
    g->options = o;
    g->in = *in;
    g->in.work.per = key->per;
    if (o->rules && o->rules->all_ranks && !join)
        return tr_fail(err, TR_USAGE, "option --what-if: ideal and 'as median' compare ranks: --per is not all");
    g->steps = o->rules && in->summary ? tr_steps_new(in->summary) : NULL;
    if (o->rules && in->summary && !g->steps)
        return tr_fail_memory(err);
    enum tr_status st = tr_coll_finder_new(in->dict, in->select, &g->finder, err);
    const struct tr_cp_opts opts = {
        .annotation = o->annotation,
        .first = o->first,
        .last = o->last,
        .join = join,
        .contract = g->contracts,
        .launch_edges = o->launch_edges || o->rules,
        .order = o->order,
        .gaps = o->gaps || join || (o->rules && o->rules->gaps),
        .suspect = in->work.suspect,
        .max_memory = in->max_memory,
        .data = o->data.match,
        .data_self = o->data.self,
        .rules = o->rules ? o->rules->rules : NULL,
        .n_rules = o->rules ? o->rules->n : 0,
        .steps = g->steps,
        .go_on = in->go_on,
        .part = in->max_memory / PART,
        .finder = g->finder,
    };
    if (st == TR_OK)
        st = tr_critpath_new(&opts, in->dict, in->select, &g->c, err);
    return st == TR_OK && o->rules ? tr_what_if_start(o->rules, in->input, err) : st;
}

static enum tr_status graph_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct cp_graph *g = state;
    const uint8_t *rules = NULL;
    enum tr_status st = g->options->rules ? tr_what_if_batch(g->options->rules, b, &rules, err) : TR_OK;
    if (st == TR_OK) /* first, because a part of the graph needs all of its members */
        st = tr_coll_feed(g->finder, b, keep, err);
    if (st == TR_OK)
        st = tr_critpath_feed(g->c, b, keep, rules, err);
    return st;
}

/* ---- why a path is doubtful, or missing ---- */

/* Describe which instance or annotation is missing, and what there is. */
static void describe_annotation(const struct cp_graph *g, char *what, size_t size)
{
    uint32_t names[6];
    uint64_t found = tr_critpath_instances(g->c);
    size_t n = tr_critpath_annotations(g->c, names, 6);
    int len;
    if (found > 0)
        len = snprintf(what, size, "there is no instance %" PRIu64 ", only %" PRIu64 ", from 0", g->options->last,
                       found);
    else
        len = snprintf(what, size, "no annotation contains '%.80s'; %s", g->options->annotation,
                       n ? "there are " : "the input has none");
    for (size_t i = 0; found == 0 && i < n && len > 0 && (size_t)len < size; i++)
        len += snprintf(what + len, size - (size_t)len, i < 5 ? "%s'%.60s'" : "%s...", i ? ", " : "",
                        tr_dict_str(g->in.dict, names[i]));
}

/* An annotation that is missing is an error, unless a condition may have left it out. */
static enum tr_status find_annotation(const struct cp_graph *g, struct tr_error *err)
{
    char what[512];
    const char *option = tr_critpath_instances(g->c) ? "option --instance" : "option --annotation";
    if (!g->options->annotation || tr_critpath_instances(g->c) > g->options->last)
        return TR_OK;
    describe_annotation(g, what, sizeof what);
    if (g->in.select && tr_select_has_where(g->in.select)) {
        tr_analysis_remark(&g->in, TR_REMARK_WARN, option, "%s", what);
        return TR_OK;
    }
    tr_error_place(err, "%s", option);
    return tr_fail(err, TR_ABSENT, "%s", what);
}

void tr__critpath_warn_of_nothing(const struct tr_analysis_in *in)
{
    tr_analysis_remark(in, TR_REMARK_WARN, "",
                       "no critical path: there are no operators, no runtime calls and no device work");
}

size_t tr__critpath_unlaunched(const struct tr_summary *s, size_t *n)
{
    size_t without = 0;
    *n = s ? s->n : 0;
    for (size_t i = 0; i < *n; i++) {
        uint64_t work = 0;
        for (unsigned a = 0; a < TR_N_ACTIVITIES; a++)
            work += tr_is_device_work(a) ? s->sources[i].n_activity[a] : 0;
        without += work > 0 && s->sources[i].n_device_linked == 0;
    }
    return without;
}

/* Device work without a launch in the trace waits only for its stream. */
void tr__critpath_warn_of_launches(const struct tr_analysis_in *in, uint64_t without, uint64_t n)
{
    char which[64] = "";
    if (without == 0)
        return;
    if (n > 1)
        snprintf(which, sizeof which, "%" PRIu64 " of %" PRIu64 " sources: ", without, n);
    tr_analysis_remark(in, TR_REMARK_WARN, "",
                       "%sno device work has a known launch: the path is a chain of work that waited for its stream, "
                       "and may be far shorter than the trace",
                       which);
}

void tr__critpath_warn_of_ranks(const struct tr_analysis_in *in, uint64_t transfers, uint64_t early, bool aligned)
{
    if (!transfers)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "no collective joins the ranks: the critical path is that of one rank");
    if (early)
        tr_analysis_remark(in, aligned ? TR_REMARK_RESULT : TR_REMARK_WARN, "",
                           "%" PRIu64 " of %" PRIu64 " ends of collectives come before the last rank does%s",
                           early, transfers, aligned ? TR_COLLECTIVE_ALIGNED : TR_COLLECTIVE_NOT_ALIGNED);
}

static enum tr_status warn_of_ranks(const struct cp_graph *g, struct tr_error *err)
{
    struct tr_cp_counts n;
    if (g->in.work.per != TR_PER_ALL || g->in.dict->n_sources < 2 || !tr_critpath_groups(g->c) ||
        tr_bases_differ(g->in.dict, g->in.select)) /* then there is no path */
        return TR_OK;
    enum tr_status st = tr_critpath_counts(g->c, 0, &n, err);
    if (st != TR_OK)
        return st;
    tr__critpath_warn_of_ranks(&g->in, n.edges[TR_CP_TRANSFER], n.early_ends, tr_dict_aligned(g->in.dict));
    return TR_OK;
}

static enum tr_status contract(struct cp_graph *g, struct tr_error *err)
{
    struct tr_coll_gathered members;
    enum tr_status st = tr_coll_gathered(g->finder, &members, err);
    return st == TR_OK ? tr_cp_contract(g->c, &members, &g->contracted, err) : st;
}

static enum tr_status graph_finish(void *state, struct tr_error *err)
{
    struct cp_graph *g = state;
    struct tr_colls *colls = NULL;
    if (g->contracts)
        return contract(g, err);
    enum tr_status st = tr_coll_match(g->finder, &colls, err);
    if (st == TR_OK)
        st = tr_critpath_finish(g->c, colls, err);
    tr_colls_free(colls);
    if (st == TR_OK)
        st = find_annotation(g, err);
    if (st == TR_OK)
        st = warn_of_ranks(g, err);
    if (st != TR_OK)
        return st;
    size_t n, without = tr__critpath_unlaunched(g->in.summary, &n);
    if (!tr_critpath_groups(g->c) && !(g->options->annotation && tr_critpath_instances(g->c) <= g->options->last))
        tr__critpath_warn_of_nothing(&g->in);
    tr__critpath_warn_of_launches(&g->in, without, n);
    return TR_OK;
}

const struct tr_service tr_critpath_service = {
    .name = "graph of critical paths",
    .options_size = sizeof(struct tr_critpath_key),
    .start = graph_start,
    .feed = graph_feed,
    .finish = graph_finish,
    .free = graph_free,
};

struct tr_critpath *tr_critpath_of(const void *state)
{
    return ((const struct cp_graph *)state)->c;
}
