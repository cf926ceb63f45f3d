/* SPDX-License-Identifier: MIT */
/* Critical paths: what they are bound by, their edges one by one, and their graph. */
#include "analysis/paths/tr_by_leg_int.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/paths/tr_critpath_graph_int.h"
#include "analysis/paths/tr_critpath_saved_int.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The view of one table on the graph that all tables share. */
struct view {
    struct cp_graph *graph;
    struct tr_analysis_in in;
};

static const struct tr_source *source_of(const struct tr_dict *d, const struct tr_cp_event *e)
{
    return &d->sources[d->tracks[e->track].source];
}

/* The rank of a row, its first member. */
struct rank_row {
    int64_t rank; /* TR_I64_NONE: unknown */
};
static const struct tr_table_column rank_column = { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct rank_row, rank),
                                                    .meaning = "the rank" };

static int64_t known(int64_t rank)
{
    return rank < 0 ? TR_I64_NONE : rank;
}

#define ADD_COLUMNS(t, columns) tr_table_columns(t, columns, sizeof(columns) / sizeof *(columns))

/* Of the bounds, the one that does not explain itself. */
#define BOUND_GAP "gap: nothing in the trace does, as the host runs none of its spans, or no work has ended for 100 us"

/* ---- summary ---- */

struct bound_row {
    int64_t rank;
    const char *bound;
    int64_t sum, what_if, change;
    double pct, what_if_pct;
};

/* One of the rows is the total, so they do not add up. */
static const struct tr_table_column summary_columns[] = {
    { "bound", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct bound_row, bound),
      .meaning = "what bounds the time, or total; " BOUND_GAP },
    { "sum", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct bound_row, sum), .meaning = "time on the path" },
    { "pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct bound_row, pct), .unit = "%",
      .meaning = "share of the total" },
};
static const struct tr_table_column what_if_columns[] = {
    { "what_if", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct bound_row, what_if),
      .meaning = "time on the path, with the what-if" },
    { "what_if_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct bound_row, what_if_pct), .unit = "%",
      .meaning = "share of the total, with the what-if" },
    { "change", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct bound_row, change), .meaning = "what_if less sum" },
};

static void add_summary_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_critpath_options *o = options;
    (void)in;
    tr_table_columns(t, &rank_column, 1);
    ADD_COLUMNS(t, summary_columns);
    if (o->rules)
        ADD_COLUMNS(t, what_if_columns);
}

static double share(int64_t part, int64_t whole)
{
    bool is = whole && whole != TR_TIME_NONE && part != TR_TIME_NONE;
    return is ? 100.0 * (double)part / (double)whole : NAN;
}

/* sums and totals: without and with what-if rules. */
static void summary_row(struct tr_table *t, int64_t rank, const char *bound, const int64_t sums[2],
                        const int64_t totals[2])
{
    const struct bound_row row = { .rank = known(rank),
                                   .bound = bound,
                                   .sum = sums[0],
                                   .what_if = sums[1],
                                   .change = tr_time_diff(sums[1], sums[0]),
                                   .pct = share(sums[0], totals[0]),
                                   .what_if_pct = share(sums[1], totals[1]) };
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

/* A path: of a group of the graph, or of a rank of a partial result. */
struct path {
    int64_t rank;
    int64_t totals[2]; /* without and with what-if rules */
    int64_t window;    /* ns, from its first to its last moment; TR_TIME_NONE: does not fit */
    int64_t long_queues, spinning, inferred;
    uint64_t n_inferred;
    uint64_t overlap, clocks; /* edges that lead back */
    uint64_t steps;           /* with rules: times from the end of a step to that of the next one */
    int64_t step_sums[2];     /* of these, as totals */
};

/* A part of the summary: a path, or its share on one rank. */
struct part {
    size_t path;
    int64_t rank, filter;
    int64_t sums[2][TR_CP_N_BOUNDS]; /* as totals */
};

/* What the paths are taken from, on all ranks. */
struct job {
    uint64_t sources, unlaunched; /* those whose device work has no launch */
    uint64_t waits, shows_waits;  /* calls that make streams wait; 1: what they waited for is known */
};

struct bounds {
    struct view view; /* its graph NULL: of partial results */
    const struct tr_critpath_options *options;
    struct path *paths;
    size_t n_paths, cap_paths;
    struct part *parts; /* in the order of their paths */
    size_t n_parts, cap_parts;
    struct job job;
    bool pays[TR_CP_MAX_RULES]; /* by what-if rule: it changes something */
    struct cp_loaded *ranks;    /* of partial results: graphs of ranks that will be joined; NULL: there are paths */
};

static void bounds_free(void *state)
{
    struct bounds *s = state;
    if (s->ranks)
        tr__cp_loaded_free(s->ranks);
    free(s->ranks);
    free(s->paths);
    free(s->parts);
}

/* Do paths have all time in their windows?  Then they say when a step ends. */
static bool has_all_time(const struct bounds *s)
{
    const struct tr_critpath_options *o = s->options;
    return o->gaps || (o->rules && o->rules->gaps) || s->view.in.work.per == TR_PER_ALL;
}

static bool add_part(struct bounds *s, const struct part *part)
{
    if (!tr_grow(&s->parts, &s->cap_parts, s->n_parts + 1, sizeof *s->parts))
        return false;
    s->parts[s->n_parts++] = *part;
    return true;
}

static bool add_path(struct bounds *s, const struct path *path)
{
    if (!tr_grow(&s->paths, &s->cap_paths, s->n_paths + 1, sizeof *s->paths))
        return false;
    s->paths[s->n_paths++] = *path;
    return true;
}

/* One path for all ranks has a part on each rank; unknown ranks, -1, come first. */
static bool parts_of_all(struct bounds *s)
{
    const struct tr_dict *d = s->view.in.dict;
    int64_t *ranks = malloc((d->n_sources + 1) * sizeof *ranks);
    bool ok = ranks != NULL;
    for (size_t i = 0; ok && i < d->n_sources; i++)
        ranks[i] = d->sources[i].rank;
    if (ok && d->n_sources)
        qsort(ranks, d->n_sources, sizeof *ranks, tr_by_i64);
    for (size_t i = 0; ok && i < d->n_sources; i++)
        if (i == 0 || ranks[i] != ranks[i - 1])
            ok = add_part(s, &(struct part){ .rank = ranks[i], .filter = ranks[i] });
    free(ranks);
    return ok;
}

static void sum_up(struct bounds *s, const struct tr_critpath *c, size_t which)
{
    for (size_t i = 0; i < s->n_parts; i++)
        tr_critpath_bounds(c, s->parts[i].path, s->parts[i].filter, s->parts[i].sums[which]);
    for (size_t g = 0; g < s->n_paths; g++)
        s->paths[g].totals[which] = tr_critpath_total(c, g);
}

static bool sum_up_steps(struct bounds *s, const struct tr_critpath *c, size_t which)
{
    bool ok = true;
    for (size_t g = 0; ok && g < s->n_paths; g++)
        ok = tr_critpath_step_times(c, g, &s->paths[g].steps, &s->paths[g].step_sums[which]);
    return ok;
}

/* The paths of the graph. */
static bool take_paths(struct bounds *s, struct tr_critpath *c)
{
    bool all = s->view.in.work.per == TR_PER_ALL;
    size_t n = tr_critpath_groups(c);
    struct tr_range *windows = malloc((n + 1) * sizeof *windows);
    bool ok = windows && (!all || !n || parts_of_all(s));
    if (ok && n)
        tr_critpath_windows(c, windows);
    for (size_t g = 0; ok && g < n; g++) {
        const struct tr_cp_back back = tr_critpath_back(c, g);
        uint64_t inferred;
        struct path path = { .rank = tr_critpath_rank(c, g),
                                   .window = tr_time_diff(windows[g].to, windows[g].from),
                                   .long_queues = tr_critpath_long_queues(c, g),
                                   .spinning = tr_critpath_spinning(c, g),
                                   .inferred = tr_critpath_inferred(c, g, &inferred),
                                   .overlap = back.overlap,
                                   .clocks = back.clocks };
        path.n_inferred = inferred;
        const struct part part = { .path = g, .rank = path.rank, .filter = TR_CP_ANY_RANK };
        ok = add_path(s, &path) && (all || add_part(s, &part));
    }
    free(windows);
    if (!ok)
        return false;
    sum_up(s, c, 0);
    if (s->options->rules) {
        ok = !has_all_time(s) || sum_up_steps(s, c, 0);
        tr_critpath_retime(c, true);
        sum_up(s, c, 1);
        ok = ok && (!has_all_time(s) || sum_up_steps(s, c, 1));
        tr_critpath_retime(c, false); /* other tables use the graph without the rules */
    }
    for (size_t k = 0; s->options->rules && k < s->options->rules->n; k++)
        s->pays[k] = tr_critpath_pays(c, (uint8_t)k);
    return ok;
}

static void take_job(struct bounds *s, const struct tr_critpath *c)
{
    size_t n;
    bool shows;
    s->job.waits = tr_critpath_stream_waits(c, &shows);
    s->job.shows_waits = shows;
    s->job.unlaunched = tr__critpath_unlaunched(s->view.in.summary, &n);
    s->job.sources = n;
}

/* ---- paths of partial results ---- */

static void add_step(struct bounds *s, const struct cp_step *step)
{
    const struct tr_dict *d = s->view.in.dict;
    struct path *path = &s->paths[0];
    path->long_queues = tr_time_sum(path->long_queues, step->sums.long_queues);
    path->spinning = tr_time_sum(path->spinning, step->sums.spinning);
    path->inferred = tr_time_sum(path->inferred, step->sums.inferred);
    path->n_inferred += step->sums.n_inferred;
    path->overlap += step->sums.back.overlap;
    path->clocks += step->sums.back.clocks;
    size_t low = 0; /* parts are by rank */
    TR_BOUND(low, s->n_parts, mid, s->parts[mid].rank < d->sources[step->source].rank);
    for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++)
        s->parts[low].sums[0][b] = tr_time_sum(s->parts[low].sums[0][b], step->sums.bounds[b]);
}

/* Join the graphs of ranks. */
static enum tr_status join_ranks(struct bounds *s, struct cp_joined *joined, struct tr_error *err)
{
    struct cp_loaded *l = s->ranks;
    const struct tr_dict *d = s->view.in.dict;
    enum tr_status st = tr_coll_match(l->matching.finder, &l->matching.colls, err);
    *joined = (struct cp_joined){ .steps = NULL };
    if (st == TR_OK)
        st = tr_cp_join(&l->graphs, l->matching.colls, d, joined, err);
    if (st != TR_OK || !l->graphs.n_graphs)
        return st;
    struct path path = { .rank = l->graphs.n_graphs > 1 ? -1 : d->sources[l->graphs.graphs[0].source].rank,
                         .totals = { joined->total },
                         .window = tr_time_diff(joined->window.to, joined->window.from) };
    if (!add_path(s, &path) || !parts_of_all(s))
        return tr_fail_memory(err);
    for (size_t i = 0; i < joined->n; i++)
        add_step(s, &joined->steps[i]);
    if (d->n_sources > 1)
        tr__critpath_warn_of_ranks(&s->view.in, joined->transfers, joined->early, !l->unaligned);
    if (joined->cut)
        tr_analysis_remark(&s->view.in, TR_REMARK_WARN, "",
                           "%" PRIu64 " edges close a cycle, because clocks disagree; from all traces at once, the "
                           "path may be another one", joined->cut);
    return TR_OK;
}

static void summary_rows(struct tr_table *t, const struct bounds *s)
{
    for (size_t i = 0; i < s->n_parts; i++) {
        const struct part *p = &s->parts[i];
        const struct path *path = &s->paths[p->path];
        for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++) {
            const int64_t sums[] = { p->sums[0][b], p->sums[1][b] };
            if (sums[0] || sums[1])
                summary_row(t, p->rank, tr_cp_bound_name(b), sums, path->totals);
        }
        if (i + 1 == s->n_parts || p[1].path != p->path)
            summary_row(t, path->rank, "total", path->totals, path->totals);
    }
}

/* Events that are changed have to be in the graph. */
static void warn_of_idle_rules(const struct bounds *s)
{
    const struct tr_critpath_options *o = s->options;
    for (size_t k = 0; o->rules && k < o->rules->n; k++) {
        bool scales = o->rules->rules[k].action == TR_CP_SCALE;
        if (!s->pays[k] && !scales)
            tr_analysis_remark(&s->view.in, TR_REMARK_WARN, "--what-if", "nothing in the graph is changed by '%.200s'",
                               o->rules->texts[k]);
        else if (!s->pays[k])
            tr_analysis_remark(&s->view.in, TR_REMARK_WARN, "--what-if",
                               "nothing in the graph has own time that '%.200s' would scale%s", o->rules->texts[k],
                               o->data.match ? "" : " (host spans other than operators and calls need --data)");
    }
}

enum { ENOUGH_OF_PATH = 5 }; /* percent */

static double percent_of(double part, double total)
{
    return total > 0 ? 100 * part / total : 0;
}

/* Without --gaps, a queue takes all time since the work before on its stream. */
static bool remark_long_queues(const struct bounds *s, double total)
{
    double sum = 0;
    for (size_t g = 0; g < s->n_paths; g++)
        sum += (double)s->paths[g].long_queues;
    if (percent_of(sum, total) < ENOUGH_OF_PATH)
        return false;
    tr_analysis_remark(
        &s->view.in, TR_REMARK_RESULT, "",
        "%.0f %% of the path are gaps of over 100 us between work of a stream, which may be waits for the "
        "host or for other streams, such as for communication: --gaps shows which",
        percent_of(sum, total));
    return true;
}

/*
 * By default, profilers do not record what a stream waited for.  Then work that waited for a collective on another
 * stream has no edge from it, and the path shows no communication.
 */
static void remark_stream_waits(const struct bounds *s, double total)
{
    const struct tr_critpath_options *o = s->options;
    bool unknown = s->job.waits && !s->job.shows_waits;
    double queue = 0;
    for (size_t i = 0; i < s->n_parts; i++)
        queue += (double)s->parts[i].sums[0][TR_CP_BY_QUEUE];
    if (!remark_long_queues(s, total) && percent_of(queue, total) >= ENOUGH_OF_PATH && unknown)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "the trace does not say what streams waited for, so queue (%.0f %%) may be waits for other "
                           "streams, such as for communication",
                           percent_of(queue, total));
    else if (o->rules && (!has_all_time(s) || s->view.in.work.per == TR_PER_ALL) && unknown)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "the trace does not say what streams waited for, so the real change may be smaller than "
                           "change_us");
}

/* A rank that waits in a receive says nothing about why its partner was late. */
static void remark_peers(const struct bounds *s, double total)
{
    double spins = 0;
    for (size_t g = 0; g < s->n_paths; g++)
        spins += (double)s->paths[g].spinning;
    if (percent_of(spins, total) >= ENOUGH_OF_PATH)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "%.0f %% of the path are sends and receives, which wait for ranks that are not on it: give "
                           "the traces of all ranks, and --per all",
                           percent_of(spins, total));
}

/* Waits that the trace does not show. */
static void remark_inferred(const struct bounds *s, double total)
{
    double sum = 0;
    uint64_t n = 0;
    for (size_t g = 0; g < s->n_paths; g++) {
        sum += (double)s->paths[g].inferred;
        n += s->paths[g].n_inferred;
    }
    if (n)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "the trace does not say what streams waited for: waits that are inferred (%" PRIu64
                           "), and the work that they waited for, are %.1f %% of the path",
                           n, percent_of(sum, total));
}

/* The share of its window that a path is, in percent. */
static double share_of_window(const struct path *path)
{
    return 100 * (double)path->totals[0] / (double)path->window;
}

/* A path that is far shorter than its window does not explain why the window is long. */
static void remark_short(const struct bounds *s)
{
    enum { ENOUGH = 80 }; /* percent */
    size_t n = !has_all_time(s) ? s->n_paths : 0, n_short = 0, worst = 0;
    double min = ENOUGH;
    char more[64] = "";
    for (size_t i = 0; i < n; i++) {
        double pct = share_of_window(&s->paths[i]);
        n_short += pct < ENOUGH;
        worst = pct < min ? i : worst;
        min = pct < min ? pct : min;
    }
    if (n_short > 1)
        snprintf(more, sizeof more, ", and too little for %zu others", n_short - 1);
    if (n_short)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "rank %" PRId64 ": the path explains %.0f %% of the time of the window%s; --gaps explains "
                           "more",
                           s->paths[worst].rank, min, more);
}

/* A path that is longer than its window: how much the most, and why. */
static void remark_long(const struct bounds *s)
{
    size_t n = s->n_paths, n_long = 0, worst = 0;
    double max = 100;
    char who[32] = "", more[64] = "";
    for (size_t i = 0; i < n; i++) {
        double pct = share_of_window(&s->paths[i]);
        n_long += pct > 100;
        worst = pct > max ? i : worst;
        max = pct > max ? pct : max;
    }
    if (!n_long)
        return;
    const struct path *path = &s->paths[worst];
    if (path->rank >= 0)
        snprintf(who, sizeof who, "rank %" PRId64 ": ", path->rank);
    if (n_long > 1)
        snprintf(more, sizeof more, ", and those of %zu others are longer, too", n_long - 1);
    tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                       "%sthe path is %.2f %% longer than its window, because edges of it lead back in time: %" PRIu64
                       " as work of a stream or thread overlaps, %" PRIu64 " as clocks disagree%s",
                       who, max - 100, path->overlap, path->clocks, more);
}

/* How long steps take, which is not the length of the path divided by their number: hosts run ahead. */
static void remark_steps(const struct bounds *s)
{
    double sums[2] = { 0, 0 }, n = 0;
    for (size_t g = 0; s->options->rules && g < s->n_paths; g++) {
        n += (double)s->paths[g].steps;
        for (size_t which = 0; which < 2; which++)
            sums[which] += (double)s->paths[g].step_sums[which];
    }
    if (n > 0)
        tr_analysis_remark(&s->view.in, TR_REMARK_RESULT, "",
                           "a step takes %.3f us, and %.3f us with --what-if (%+.2f %%), as the mean of %.0f steps",
                           sums[0] / n / 1e3, sums[1] / n / 1e3, percent_of(sums[1] - sums[0], sums[0]), n);
}

static enum tr_status summary_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct bounds *s = state;
    double total = 0;
    if (s->ranks) {
        struct cp_joined joined;
        enum tr_status st = join_ranks(s, &joined, err);
        tr_cp_joined_free(&joined);
        if (st != TR_OK)
            return st;
    }
    for (size_t g = 0; g < s->n_paths; g++)
        total += (double)s->paths[g].totals[0];
    if (!s->view.graph && !s->n_paths)
        tr__critpath_warn_of_nothing(&s->view.in);
    if (!s->view.graph)
        tr__critpath_warn_of_launches(&s->view.in, s->job.unlaunched, s->job.sources);
    remark_short(s);
    remark_long(s);
    remark_stream_waits(s, total);
    remark_inferred(s, total);
    remark_peers(s, total);
    remark_steps(s);
    warn_of_idle_rules(s);
    summary_rows(t, s);
    return tr_table_status(t, err);
}

static enum tr_status legs_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct bounds *s = state;
    struct cp_joined joined;
    if (!s->ranks)
        return tr__critpath_legs(s->view.graph->c, s->view.graph->in.dict, t, err);
    enum tr_status st = join_ranks(s, &joined, err);
    if (st == TR_OK)
        st = tr__critpath_joined_legs(&joined, s->ranks->matching.colls, s->view.in.dict, t, err);
    tr_cp_joined_free(&joined);
    return st;
}

/* ---- the summary as a partial result: paths of ranks ---- */

struct saved_bound {
    int64_t rank, sum, what_if; /* rank TR_I64_NONE: unknown */
    struct tr_str bound;
};

#define OF(type, as, name, member) { name, TR_SAVED_##as, offsetof(type, member) }
static const struct tr_saved_column path_saved[] = {
    OF(struct path, INT, "rank", rank), OF(struct path, INT, "total", totals[0]),
    OF(struct path, INT, "what_if", totals[1]), OF(struct path, INT, "window", window),
    OF(struct path, INT, "long_queues", long_queues), OF(struct path, INT, "spinning", spinning),
    OF(struct path, INT, "inferred", inferred), OF(struct path, COUNT, "inferred_waits", n_inferred),
    OF(struct path, COUNT, "overlap", overlap), OF(struct path, COUNT, "clocks", clocks),
    OF(struct path, COUNT, "steps", steps), OF(struct path, INT, "step_sum", step_sums[0]),
    OF(struct path, INT, "what_if_step_sum", step_sums[1]),
};
static const struct tr_saved_column bound_saved[] = {
    OF(struct saved_bound, INT, "rank", rank), OF(struct saved_bound, TEXT, "bound", bound),
    OF(struct saved_bound, INT, "sum", sum), OF(struct saved_bound, INT, "what_if", what_if),
};
static const struct tr_saved_column job_saved[] = {
    OF(struct job, COUNT, "sources", sources), OF(struct job, COUNT, "unlaunched", unlaunched),
    OF(struct job, COUNT, "waits", waits), OF(struct job, COUNT, "shows_waits", shows_waits),
};
#undef OF
static const struct tr_saved_column rule_saved[] = { { "scales", TR_SAVED_COUNT, 0 } };

enum { PATHS = TR__CP_TABLES, BOUNDS, JOBS, RULES };
static const struct tr_saved_table tables[] = {
    TR__CP_SAVED,
    [PATHS] = TR_SAVED_TABLE("paths", path_saved),
    [BOUNDS] = TR_SAVED_TABLE("bounds", bound_saved),
    [JOBS] = TR_SAVED_TABLE("job", job_saved),
    [RULES] = TR_SAVED_TABLE("rules", rule_saved),
};

static enum tr_status refuse(struct tr_error *err, const char *why)
{
    return tr_fail(err, TR_USAGE, "the view critical-path has no partial results: %s", why);
}

/* For one path of all ranks: what is left of their graphs. */
static enum tr_status save_ranks(struct bounds *s, struct tr_partial_out *out, struct tr_error *err)
{
    const struct cp_graph *g = s->view.graph;
    if (s->options->rules)
        return refuse(err, "--what-if changes times of what ranks do not show each other (--per all)");
    if (s->options->annotation)
        return refuse(err, "the window of an annotation begins with work of all ranks (--per all)");
    if (s->view.in.selection)
        return refuse(err, "a selection of events begins with work of all ranks (--per all)");
    if (g && !g->contracts)
        return refuse(err, "it was not started for that");
    if (!g)
        return tr__cp_save(&s->view.in, &s->ranks->matching, &s->ranks->graphs, !s->ranks->unaligned, out, err);
    struct tr__comm_matching matching = { .finder = g->finder };
    return tr__cp_save(&s->view.in, &matching, &g->contracted, tr_dict_aligned(g->in.dict), out, err);
}

static enum tr_status bounds_save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct bounds *s = state;
    enum tr_status st = s->view.in.work.per == TR_PER_ALL ? save_ranks(s, out, err) : TR_OK;
    if (st != TR_OK)
        return st;
    for (size_t i = 0; i < s->n_paths; i++) {
        struct path path = s->paths[i];
        path.rank = known(path.rank);
        tr_partial_put(out, PATHS, &path);
    }
    for (size_t i = 0; i < s->n_parts; i++)
        for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++) {
            const struct saved_bound r = { known(s->parts[i].rank), s->parts[i].sums[0][b], s->parts[i].sums[1][b],
                                           tr_str_of(tr_cp_bound_name(b)) };
            if (r.sum || r.what_if)
                tr_partial_put(out, BOUNDS, &r);
        }
    tr_partial_put(out, JOBS, &s->job);
    for (uint64_t k = 0; k < TR_CP_MAX_RULES; k++)
        if (s->pays[k])
            tr_partial_put(out, RULES, &k);
    return TR_OK;
}

static void load_bound(struct bounds *s, struct tr_partial_in *in, const struct saved_bound *r)
{
    unsigned b = 0;
    size_t i = 0;
    while (b < TR_CP_N_BOUNDS && !tr_str_is(r->bound, tr_cp_bound_name(b)))
        b++;
    while (i < s->n_parts && s->parts[i].rank != (r->rank == TR_I64_NONE ? -1 : r->rank))
        i++;
    if (b == TR_CP_N_BOUNDS || i == s->n_parts) {
        tr_partial_wrong(in, "what bounds a path");
        return;
    }
    s->parts[i].sums[0][b] = r->sum;
    s->parts[i].sums[1][b] = r->what_if;
}

static enum tr_status bounds_load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct bounds *s = state;
    struct path path;
    struct saved_bound bound;
    struct job job;
    uint64_t rule;
    bool ok = true;
    enum tr_status st = s->ranks ? tr__cp_load(s->ranks, in, err) : TR_OK;
    if (st != TR_OK)
        return st;
    while (ok && tr_partial_get(in, PATHS, &path)) {
        path.rank = path.rank == TR_I64_NONE ? -1 : path.rank;
        ok = add_path(s, &path) && add_part(s, &(struct part){ .rank = path.rank });
    }
    while (ok && tr_partial_get(in, BOUNDS, &bound))
        load_bound(s, in, &bound);
    while (ok && tr_partial_get(in, JOBS, &job)) {
        tr_partial_add_count(in, &s->job.sources, job.sources);
        tr_partial_add_count(in, &s->job.unlaunched, job.unlaunched);
        tr_partial_add_count(in, &s->job.waits, job.waits);
        s->job.shows_waits |= job.shows_waits;
    }
    while (ok && tr_partial_get(in, RULES, &rule)) {
        if (rule < TR_CP_MAX_RULES)
            s->pays[rule] = true;
        else
            tr_partial_wrong(in, "a rule");
    }
    return ok ? tr_partial_status(in, err) : tr_fail_memory(err);
}

TR_ORDER(by_rank_of_path, struct path, TR_UP(rank))
TR_ORDER(by_rank_of_part, struct part, TR_UP(rank))

static enum tr_status bounds_complete(void *state, struct tr_error *err)
{
    struct bounds *s = state;
    const struct cp_graph *g = s->view.graph;
    if (g)
        take_job(s, g->c);
    if (g)
        return g->contracts || take_paths(s, g->c) ? TR_OK : tr_fail_memory(err);
    if (s->n_paths)
        qsort(s->paths, s->n_paths, sizeof *s->paths, by_rank_of_path);
    if (s->n_parts)
        qsort(s->parts, s->n_parts, sizeof *s->parts, by_rank_of_part);
    for (size_t i = 0; i < s->n_parts; i++)
        s->parts[i].path = i;
    return TR_OK;
}

/* ---- path ---- */

struct path_row {
    int64_t rank;
    struct tr_cp_event e;
    struct tr_cp_link l;
    int64_t record, start, dur, stream, at;
};

/* Of a part of the path whose events are not here: none. */
static const char *activity_word(unsigned activity)
{
    return activity < TR_N_ACTIVITIES ? tr_activity_name(activity) : NULL;
}
static const char *edge_word(unsigned edge)
{
    return edge < TR_CP_N_EDGES ? tr_cp_edge_name(edge) : NULL;
}

static const struct tr_table_column path_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct path_row, record),
      .meaning = "index in its file of the event that the time is charged to" },
    { "activity", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct path_row, e.activity), .word = activity_word,
      .n_words = TR_N_ACTIVITIES, .extra = true, .meaning = "activity of the event" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct path_row, e.name), .names = true, .meaning = "its name" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct path_row, start), .extra = true,
      .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct path_row, dur), .meaning = "its duration" },
    { "edge", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct path_row, l.edge), .word = edge_word,
      .n_words = TR_CP_N_EDGES, .extra = true, .meaning = "kind of the edge" },
    { "weight", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct path_row, l.weight), .meaning = "weight of the edge" },
    { "slack", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct path_row, l.slack), .extra = true,
      .meaning = "how much shorter it can become before another edge decides; empty: there is no other" },
    { "bound", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct path_row, l.bound), .word = tr_cp_bound_name,
      .n_words = TR_CP_N_BOUNDS, .meaning = "what bounds the time; " BOUND_GAP },
    { "stream", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct path_row, stream), .extra = true,
      .meaning = "stream of device work" },
    { "at", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct path_row, at), .extra = true,
      .meaning = "when this part starts, from the start of the path" },
};

/* origin: the first moment of the path. */
static void path_row(struct tr_table *t, const struct tr_dict *d, const struct tr_cp_link *l, int64_t origin)
{
    struct path_row row = { .e = l->charged ? l->payer : l->to, .l = *l };
    const struct tr_source *source = source_of(d, &row.e);
    row.rank = known(source->rank);
    row.record = (int64_t)row.e.record;
    row.start = tr_source_to_file(source, row.e.ts);
    row.dur = tr_time_diff(row.e.end, row.e.ts);
    row.at = tr_time_diff(l->from_ts, origin);
    row.stream = tr_is_device_work(row.e.activity) ? d->tracks[row.e.track].stream : TR_I64_NONE;
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static void add_path_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, &rank_column, 1);
    ADD_COLUMNS(t, path_columns);
}

/* ---- the path of all ranks, from partial results: in full in ranks whose traces are beside them ---- */

/* Where the graph of a rank is here, and among all. */
struct place {
    size_t own;        /* in own.graphs; SIZE_MAX: it is not here */
    size_t own_edge, own_point, edge, point; /* its first ones */
};

struct walk {
    struct tr_table *t;
    struct cp_loaded *ranks;
    const struct tr_dict *dict;
    const struct cp_joined *joined;
    int64_t origin;       /* the first moment of the path */
    struct place *places; /* by graph */
    struct cp_expanded expanded;
    size_t *links; /* by step: its first one in expanded */
};

static bool make_places(struct walk *w)
{
    const struct cp_loaded *l = w->ranks;
    size_t edge = 0, point = 0;
    w->places = calloc(l->graphs.n_graphs + 1, sizeof *w->places);
    w->links = calloc(w->joined->n + 2, sizeof *w->links);
    for (size_t g = 0; w->places && g < l->graphs.n_graphs; g++) {
        const struct cp_contraction *graph = &l->graphs.graphs[g];
        struct place *p = &w->places[g];
        *p = (struct place){ .own = SIZE_MAX, .edge = edge, .point = point };
        size_t own_edge = 0, own_point = 0;
        for (size_t i = 0; l->c && i < l->own.n_graphs; i++) {
            const struct cp_contraction *own = &l->own.graphs[i];
            int64_t rank = tr_critpath_dict(l->c)->sources[own->source].rank;
            if (tr__comm_source(&l->matching, known(rank), own->source) == graph->source) {
                *p = (struct place){ i, own_edge, own_point, edge, point };
                tr_cp_take_reach(l->c, &l->own, i, &w->joined->reach[point], w->joined,
                                 l->matching.shifts[graph->source]);
            }
            own_edge += own->n_edges;
            own_point += own->n_points;
        }
        edge += graph->n_edges;
        point += graph->n_points;
    }
    return w->places && w->links;
}

static bool is_here(const struct walk *w, const struct cp_step *s)
{
    return w->places[s->graph].own != SIZE_MAX;
}

static enum tr_status expand(struct walk *w, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < w->joined->n; i++) {
        const struct cp_step *s = &w->joined->steps[i];
        const struct place *p = &w->places[s->graph];
        w->links[i] = w->expanded.n;
        if (s->way == CP_BY_EDGE && is_here(w, s))
            st = tr_cp_expand(w->ranks->c, &w->ranks->own, p->own_edge + (s->edge - p->edge), &w->expanded, err);
        w->links[i + 1] = w->expanded.n;
    }
    return st == TR_OK && w->ranks->c ? tr_cp_expand_end(w->ranks->c, &w->expanded, err) : st;
}

/* A row of an event of a trace that is here; its name becomes one of the dictionary of all ranks. */
static bool put_here(struct walk *w, const struct tr_cp_event *e, struct path_row *row)
{
    const struct tr_dict *d = tr_critpath_dict(w->ranks->c);
    const struct tr_source *source = source_of(d, e);
    struct tr_str name = tr_dict_text_if(d, e->name);
    row->e = *e;
    row->e.name = name.s ? tr_strtab_add(w->ranks->dict->strings, name.s, name.len) : TR_NO_STR;
    row->rank = known(source->rank);
    row->record = (int64_t)e->record;
    row->start = tr_source_to_file(source, e->ts);
    row->dur = tr_time_diff(e->end, e->ts);
    row->stream = tr_is_device_work(e->activity) ? d->tracks[e->track].stream : TR_I64_NONE;
    tr_table_row(w->t, &(struct tr_row){ .row = row });
    return !name.s || row->e.name != TR_NO_STR;
}

/* The row of a communication kernel, of which partial results say what is in collectives. */
static bool put_joint(struct walk *w, const struct cp_step *s, struct path_row *row)
{
    const struct cp_loaded *l = w->ranks;
    size_t joint = 0, g = 0;
    while (joint + l->graphs.graphs[g].n_joints <= s->joint)
        joint += l->graphs.graphs[g++].n_joints;
    const struct place *p = &w->places[g];
    size_t point = l->graphs.joints[s->joint].start - 1;
    const struct cp_point *start = &l->graphs.points[p->point + point];
    const struct tr_source *source = &w->dict->sources[l->graphs.graphs[g].source];
    const struct tr_coll_member *m = s->member == SIZE_MAX ? NULL : &l->matching.colls->members[s->member];
    if (p->own != SIZE_MAX) {
        const struct tr_cp_event e = tr_cp_point_event(l->c, &l->own, p->own_point + point);
        return put_here(w, &e, row);
    }
    row->rank = known(source->rank);
    row->record = (int64_t)start->record;
    row->e = (struct tr_cp_event){ .name = m ? m->name : TR_NO_STR, .activity = TR_ACT_KERNEL };
    row->start = tr_source_to_file(source, start->ts);
    row->dur = start->dur;
    row->stream = m ? w->dict->tracks[m->track].stream : TR_I64_NONE;
    tr_table_row(w->t, &(struct tr_row){ .row = row });
    return true;
}

/* Without its trace, a part of a rank is a row for each bound. */
static bool put_sums(struct walk *w, const struct cp_step *s)
{
    const struct tr_source *source = &w->dict->sources[s->source];
    for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++) {
        struct path_row row = { .rank = known(source->rank),
                                .e = { .name = TR_NO_STR, .activity = TR_N_ACTIVITIES },
                                .l = { .edge = TR_CP_N_EDGES, .bound = (uint8_t)b, .weight = s->sums.bounds[b],
                                       .slack = TR_TIME_NONE },
                                .record = TR_I64_NONE,
                                .start = tr_source_to_file(source, s->from),
                                .dur = tr_time_diff(s->to, s->from),
                                .stream = TR_I64_NONE,
                                .at = tr_time_diff(s->from, w->origin) };
        if (s->sums.bounds[b])
            tr_table_row(w->t, &(struct tr_row){ .row = &row });
    }
    return true;
}

static bool put_expanded(struct walk *w, size_t i)
{
    const struct cp_step *s = &w->joined->steps[i];
    const struct cp_contracted *edge = &w->ranks->graphs.edges[s->edge];
    const struct place *p = &w->places[s->graph];
    size_t from = w->links[i], to = w->links[i + 1];
    bool ok = true;
    if (!edge->from) { /* the gap before it */
        struct path_row row = { .l = { .edge = TR_CP_GAP, .bound = TR_CP_BY_GAP, .slack = TR_TIME_NONE,
                                       .weight = edge->start > s->from ? edge->start - s->from : 0 },
                                .at = tr_time_diff(s->from, w->origin) };
        const struct tr_cp_event e = from < to ? w->expanded.links[from].from
                                               : tr_cp_point_event(w->ranks->c, &w->ranks->own,
                                                                   p->own_point + edge->to - 1);
        ok = put_here(w, &e, &row);
    }
    for (size_t k = from; ok && k < to; k++) {
        struct path_row row = { .l = w->expanded.links[k] };
        row.at = tr_time_diff(tr_time_sum(row.l.from_ts, w->ranks->matching.shifts[s->source]), w->origin);
        const struct tr_cp_event e = row.l.charged ? row.l.payer : row.l.to;
        ok = put_here(w, &e, &row);
    }
    return ok;
}

static bool put_step(struct walk *w, size_t i)
{
    static const uint8_t edges[] = { [CP_BY_GAP] = TR_CP_GAP,           [CP_BY_OWN] = TR_CP_OPERATOR,
                                     [CP_BY_FREE] = TR_CP_OPERATOR_FREE, [CP_BY_PEER] = TR_CP_PEER,
                                     [CP_BY_TRANSFER] = TR_CP_TRANSFER,  [CP_BY_ARRIVAL] = TR_CP_ARRIVAL };
    const struct cp_step *s = &w->joined->steps[i];
    if (s->way == CP_BY_EDGE)
        return is_here(w, s) ? put_expanded(w, i) : put_sums(w, s);
    if (s->way == CP_BY_GAP && !is_here(w, s))
        return put_sums(w, s);
    struct path_row row = { .l = { .edge = edges[s->way], .slack = s->slack,
                                   .bound = s->way == CP_BY_GAP       ? TR_CP_BY_GAP
                                            : s->way == CP_BY_ARRIVAL ? TR_CP_BY_SYNC
                                                                      : TR_CP_BY_COMM },
                            .at = tr_time_diff(s->from, w->origin) };
    row.l.weight = s->sums.bounds[row.l.bound];
    if (s->way != CP_BY_GAP)
        return put_joint(w, s, &row);
    const struct place *p = &w->places[s->graph];
    const struct tr_cp_event e = tr_cp_point_event(w->ranks->c, &w->ranks->own, p->own_point + (s->point - p->point));
    return put_here(w, &e, &row);
}

static enum tr_status joined_path_finish(struct bounds *s, struct tr_table *t, struct tr_error *err)
{
    struct cp_joined joined;
    struct walk w = { .t = t, .ranks = s->ranks, .dict = s->view.in.dict, .joined = &joined };
    enum tr_status st = join_ranks(s, &joined, err);
    w.origin = st == TR_OK && joined.n ? joined.steps[0].from : 0;
    if (st == TR_OK && !make_places(&w))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = expand(&w, err);
    for (size_t i = 0; i < joined.n && st == TR_OK; i++) {
        if (!put_step(&w, i))
            st = tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_table_status(t, err);
    }
    tr_cp_expanded_free(&w.expanded);
    free(w.places);
    free(w.links);
    tr_cp_joined_free(&joined);
    return st;
}

static enum tr_status path_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct bounds *s = state;
    if (s->ranks)
        return joined_path_finish(s, t, err);
    const struct cp_graph *graph = s->view.graph;
    const struct tr_critpath *c = graph->c;
    enum tr_status st = TR_OK;
    for (size_t g = 0; g < tr_critpath_groups(c) && st == TR_OK; g++) {
        struct tr_cp_link *links;
        size_t n;
        st = tr_critpath_path(c, g, &links, &n, err);
        for (size_t i = 0; i < n && st == TR_OK; i++) {
            path_row(t, graph->in.dict, &links[i], links[0].from_ts);
            st = tr_table_status(t, err);
        }
        free(links);
    }
    return st;
}

/* ---- edges ---- */

struct edge_row {
    int64_t rank, to_rank;
    int64_t payer; /* TR_I64_NONE: none */
    struct tr_cp_link l;
};

static const char *side_name(unsigned side)
{
    static const char *const names[] = { [TR_CP_START] = "start", [TR_CP_END] = "end", [TR_CP_ALL_CAME] = "all" };
    return names[side];
}

static const struct tr_table_column edge_columns[] = {
    { "from_record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct edge_row, l.from.record),
      .meaning = "index in its file of the event that it comes from" },
    { "from_side", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct edge_row, l.from_side), .word = side_name, .n_words = 3,
      .meaning = "start or end of that event; all: when all ranks are in the collective" },
    { "to_rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct edge_row, to_rank),
      .meaning = "rank of the event that it leads to" },
    { "to_record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct edge_row, l.to.record),
      .meaning = "index in its file of that event" },
    { "to_side", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct edge_row, l.to_side), .word = side_name, .n_words = 3,
      .meaning = "start or end of that event, or all" },
    { "edge", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct edge_row, l.edge), .word = tr_cp_edge_name,
      .n_words = TR_CP_N_EDGES, .meaning = "kind of the edge" },
    { "weight", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct edge_row, l.weight), .meaning = "weight of the edge" },
    { "slack", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct edge_row, l.slack), .extra = true,
      .meaning = "how much longer it can become without a longer path" },
    { "payer_record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct edge_row, payer), .extra = true,
      .meaning = "index in its file of the event that the time is charged to" },
    { "bound", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct edge_row, l.bound), .word = tr_cp_bound_name,
      .n_words = TR_CP_N_BOUNDS, .extra = true, .meaning = "what bounds the time; " BOUND_GAP },
    { "on_path", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct edge_row, l.on_path), .meaning = "1: on the path, 0: not" },
};

static void edge_row(struct tr_table *t, const struct tr_dict *d, const struct tr_cp_link *l)
{
    const struct edge_row row = { .rank = known(source_of(d, &l->from)->rank),
                                  .to_rank = known(source_of(d, &l->to)->rank),
                                  .payer = l->charged ? (int64_t)l->payer.record : TR_I64_NONE,
                                  .l = *l };
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static void add_edge_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, &rank_column, 1);
    ADD_COLUMNS(t, edge_columns);
}

static enum tr_status edges_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct view *v = state;
    struct tr_critpath *c = v->graph->c;
    struct tr_cp_link link;
    size_t at = 0;
    enum tr_status st = tr_critpath_slacks(c, err);
    while (st == TR_OK && tr_critpath_edge(c, &at, &link)) {
        edge_row(t, v->in.dict, &link);
        st = tr_table_status(t, err);
    }
    return st;
}

/* ---- counts ---- */

struct count_row {
    int64_t rank;
    const char *item;
    uint64_t count;
    int64_t weight; /* TR_TIME_NONE: it has none */
};

/* Some items are parts of others, so they do not add up. */
static const struct tr_table_column count_columns[] = {
    { "item", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct count_row, item), .meaning = "what is counted" },
    { "count", TR_CELL_COUNT, TR_ROLE_QUANTILE, TR_OF(struct count_row, count), .meaning = "number of them" },
    { "weight", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct count_row, weight),
      .meaning = "of edges: sum of their weights" },
};

static void count_row(struct tr_table *t, int64_t rank, const char *item, uint64_t count, int64_t weight)
{
    const struct count_row row = { known(rank), item, count, weight };
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

/* Kinds of edges with the same name share one row. */
static void count_edges(struct tr_table *t, int64_t rank, const struct tr_cp_counts *n)
{
    static const uint8_t shown[][2] = {
        { TR_CP_OPERATOR, TR_CP_OPERATOR_FREE },
        { TR_CP_DEPENDENCY, TR_CP_DEPENDENCY },
        { TR_CP_GAP, TR_CP_GAP },
        { TR_CP_LAUNCH, TR_CP_LAUNCH_FREE },
        { TR_CP_QUEUE, TR_CP_QUEUE },
        { TR_CP_AFTER, TR_CP_AFTER },
        { TR_CP_INFERRED, TR_CP_INFERRED },
        { TR_CP_SYNC, TR_CP_SYNC },
        { TR_CP_PEER, TR_CP_PEER },
        { TR_CP_ARRIVAL, TR_CP_TRANSFER },
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        uint8_t a = shown[i][0], b = shown[i][1];
        uint64_t count = n->edges[a] + (a == b ? 0 : n->edges[b]);
        int64_t weight = tr_time_sum(n->weight[a], a == b ? 0 : n->weight[b]);
        if (count)
            count_row(t, rank, tr_cp_edge_name(a), count, weight);
    }
}

static void add_count_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, &rank_column, 1);
    ADD_COLUMNS(t, count_columns);
}

static enum tr_status counts_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct tr_critpath *c = ((struct view *)state)->graph->c;
    enum tr_status st = TR_OK;
    for (size_t g = 0; g < tr_critpath_groups(c) && st == TR_OK; g++) {
        struct tr_cp_counts n;
        int64_t rank = tr_critpath_rank(c, g);
        st = tr_critpath_counts(c, g, &n, err);
        if (st != TR_OK)
            break;
        count_row(t, rank, "nodes", n.nodes, TR_TIME_NONE);
        count_edges(t, rank, &n);
        count_row(t, rank, "waits", n.waits, TR_TIME_NONE);
        count_row(t, rank, "stream_syncs", n.stream_syncs, TR_TIME_NONE);
        count_row(t, rank, "lost_waits", n.lost_waits, TR_TIME_NONE);
        count_row(t, rank, "negative", n.negative, TR_TIME_NONE);
        count_row(t, rank, "cut", n.cut, TR_TIME_NONE);
        count_row(t, rank, "unexplained", n.unexplained, TR_TIME_NONE);
    }
    return st;
}

/* ---- descriptions ---- */

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct view *v = state;
    struct tr_critpath_key key;
    void *graph = NULL;
    memset(&key, 0, sizeof key);
    key.options = options;
    key.per = in->work.per;
    enum tr_status st = tr_service_get(in, &tr_critpath_service, &key, &graph, err);
    v->graph = graph;
    v->in = *in;
    return st;
}

/* Edges one by one need all nodes. */
static enum tr_status start_whole(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    enum tr_status st = start(in, options, state, err);
    if (st == TR_OK)
        tr_critpath_keep_whole(((struct view *)state)->graph->c);
    return st;
}

static enum tr_status start_counts(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    enum tr_status st = start(in, options, state, err);
    if (st == TR_OK)
        tr_critpath_count(((struct view *)state)->graph->c);
    return st;
}

/* Partial results are loaded into a state without sources, which has no graph. */
static enum tr_status bounds_start(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    struct bounds *s = state;
    s->view.in = *in;
    s->options = options;
    if (!in->saved || in->dict->n_sources)
        return start(in, options, &s->view, err);
    if (in->work.per != TR_PER_ALL)
        return TR_OK;
    s->ranks = calloc(1, sizeof *s->ranks);
    return s->ranks ? tr__cp_loaded_start(s->ranks, in->dict, err) : tr_fail_memory(err);
}

static void needs(const void *options, struct tr_needs *n)
{
    tr_critpath_needs(options, n);
}

/* All edges come in the order of their first moments, also across ranks. */
static void edges_need(const void *options, struct tr_needs *n)
{
    tr_critpath_needs(options, n);
    n->want.any_rank_order = false;
}

/* The path of all ranks is saved as their bounds are. */
static enum tr_status path_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    enum tr_status st = bounds_start(in, options, state, err);
    if (st == TR_OK && ((struct bounds *)state)->view.graph)
        tr_critpath_keep_whole(((struct bounds *)state)->view.graph->c);
    return st;
}

static enum tr_status path_complete(void *state, struct tr_error *err)
{
    const struct bounds *s = state;
    return s->view.graph && !s->view.graph->contracts ? TR_OK : bounds_complete(state, err);
}

/* If there is no path, the graph has already warned. */
static const char *why(const void *state)
{
    (void)state;
    return NULL;
}

static enum tr_status parse_instances(void *options, const char *value, struct tr_error *err)
{
    struct tr_critpath_options *o = options;
    struct tr_select_opts as_steps = TR_SELECT_ALL;
    enum tr_status st = tr_select_parse_steps(&as_steps, value, err);
    if (st == TR_OK && (as_steps.steps.from < 0 || as_steps.steps.to == INT64_MAX))
        return tr_fail(err, TR_USAGE, "'%.80s' is not N or A..B, counted from 0", value);
    if (st == TR_OK) {
        o->first = (uint64_t)as_steps.steps.from;
        o->last = (uint64_t)as_steps.steps.to;
    }
    return st;
}

const struct tr_critpath_options tr__critpath_defaults = { .annotation = NULL };
const struct tr_option tr__critpath_options[] = {
    { 0, "what-if", "RULE", TR_OPTION_LIST, offsetof(struct tr_critpath_options, what_if),
      .help = "compute the path again: 'EXPR scale=X', '[EXPR] ideal[:best|:median]', 'comm overlap', "
              "'rank LIST as median' or 'launch graph'" },
    { 0, "annotation", "NAME", TR_OPTION_TEXT, offsetof(struct tr_critpath_options, annotation),
      .help = "only the window of a host annotation whose name contains NAME" },
    { 0, "instance", "A[..B]", TR_OPTION_CALL, 0, .call = parse_instances,
      .help = "number of the annotation, or from A to B, counted from 0 [0]" },
    { 0, "gaps", NULL, TR_OPTION_FLAG, offsetof(struct tr_critpath_options, gaps),
      .help = "time between the outermost spans of a thread counts, too" },
    { 0, "launch-edges", NULL, TR_OPTION_FLAG, offsetof(struct tr_critpath_options, launch_edges),
      .help = "no work on a device begins before its launch, even if times change" },
    { 0, "data", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_critpath_options, data),
      .help = "host spans with such names load data" },
    { 0 },
};

/* Each rank has a path of its own, unless there is one for all. */
static const struct tr_saving saving = { .version = 2, .whole_ranks = true, .kept = TR_KEPT_BY_RANK };

#define GRAPH_ANALYSIS                                                                               \
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL), .group = TR_PER_RANK, .joins = true, \
    .state_size = sizeof(struct view), .why = why

static void bounds_beside(void *state, void *events)
{
    struct cp_loaded *l = ((struct bounds *)state)->ranks;
    struct cp_graph *g = ((struct bounds *)events)->view.graph;
    if (!l || !g || !g->contracts)
        return;
    l->c = g->c;
    l->own = g->contracted;
    g->c = NULL;
    g->contracted = (struct cp_contractions){ .n_graphs = 0 };
}

static const struct tr_saving bounds_saving = { .name = "critical-path", .version = 3, .whole_ranks = true,
                                                .tables = tables, .n_tables = sizeof tables / sizeof *tables,
                                                .save = bounds_save, .load = bounds_load,
                                                .beside = bounds_beside };
static const struct tr_saving path_saving = { .version = 1, .whole_ranks = true, .kept = TR_KEPT_BY_RANK,
                                              .all = &bounds_saving };

const struct tr_analysis tr_analysis_critpath = {
    .name = "critical-path",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "sum" }, .series = "bound",
                                       .sums = "total" },
    .question = "What bounds the time of the window?",
    .columns = add_summary_columns,
    .more = needs,
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .joins = true,
    .state_size = sizeof(struct bounds),
    .start = bounds_start,
    .complete = bounds_complete,
    .finish = summary_finish,
    .why = why,
    .free = bounds_free,
    .saving = &bounds_saving,
    TR_OPTIONS(tr__critpath_options, tr__critpath_defaults),
};

/* The same partial results answer it. */
const struct tr_analysis tr_analysis_critpath_legs = {
    .name = "path-legs",
    .question = "Through which ranks does the path of all lead, and when?",
    .columns = tr__critpath_leg_columns,
    .more = needs,
    .groups = TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_ALL,
    .joins = true,
    .state_size = sizeof(struct bounds),
    .start = bounds_start,
    .complete = bounds_complete,
    .finish = legs_finish,
    .why = why,
    .free = bounds_free,
    .saving = &bounds_saving,
    TR_OPTIONS(TR__CRITPATH_OF_GRAPH, tr__critpath_defaults),
};

const struct tr_analysis tr_analysis_critpath_path = {
    .name = "path",
    .chart = &(const struct tr_chart){ TR_CHART_BAND, .x = "at", .y = { "weight" }, .series = "bound",
                                       .facet = "rank" },
    .question = "Which chain of work decides how long the window takes?",
    .columns = add_path_columns,
    .more = needs,
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .joins = true,
    .state_size = sizeof(struct bounds),
    .start = path_start,
    .complete = path_complete,
    .finish = path_finish,
    .why = why,
    .free = bounds_free,
    .saving = &path_saving,
    TR_OPTIONS(TR__CRITPATH_OF_GRAPH, tr__critpath_defaults),
};

const struct tr_analysis tr_analysis_critpath_edges = {
    .name = "path-edges",
    .question = "Which events had to wait for which others?",
    .columns = add_edge_columns,
    .more = edges_need,
    .start = start_whole,
    .finish = edges_finish,
    .unsaved = "its edges come in the order of the events of all ranks, which needs the whole graph",
    TR_OPTIONS(TR__CRITPATH_OF_GRAPH, tr__critpath_defaults),
    GRAPH_ANALYSIS,
};

const struct tr_analysis tr_analysis_critpath_counts = {
    .name = "path-counts",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "item", .y = { "weight" }, .facet = "rank" },
    .question = "What does the graph of the critical path contain, and what does it not explain?",
    .columns = add_count_columns,
    .more = needs,
    .start = start_counts,
    .finish = counts_finish,
    .saving = &saving,
    TR_OPTIONS(TR__CRITPATH_OF_GRAPH, tr__critpath_defaults),
    GRAPH_ANALYSIS,
};
