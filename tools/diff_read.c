/* tr-diff: traces and streams become one of the two runs. */
#include "analysis/tr_coverage.h"
#include "diff.h"

#include <string.h>

/* The smallest share of a source, defined as in tr-info(1). */
static double coverage_of(const struct tr_coverage *c, size_t n_sources)
{
    double least = n_sources ? 1 : 0;
    for (uint32_t i = 0; i < n_sources; i++) {
        struct tr_coverage_counts n = tr_coverage_of(c, i);
        double work = n.work ? (double)n.work_launched / (double)n.work : 0;
        double launches = n.launches ? (double)n.launches_used / (double)n.launches : 1;
        least = work < least ? work : least;
        least = launches < least ? launches : least;
    }
    return least;
}

static struct tr_projection columns_for(enum tr_diff_by by, bool coverage)
{
    struct tr_projection want = { .fixed = TR_GROUP_BY_FIXED | TR_COVERAGE_FIXED };
    if (by == TR_DIFF_BY_OPERATOR || by == TR_DIFF_BY_TREE || coverage)
        want.derived |= 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD |
                        1u << TR_COL_LAUNCH_TRACK | 1u << TR_COL_N_DEVICE;
    if (by == TR_DIFF_BY_CLASS)
        want.derived |= 1u << TR_COL_CLASS;
    return want;
}

static enum tr_status feed_all(struct cli_analysis *a, struct tr_diff_feed *feed,
                               struct tr_coverage *covered, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(a, &b, &keep, err)) == TR_OK) {
        if (covered && (st = tr_coverage_add(covered, b, NULL, err)) != TR_OK)
            return st;
        if ((st = tr_diff_feed(feed, b, keep, err)) != TR_OK)
            return st;
    }
    return st == TR_END ? tr_diff_feed_end(feed, err) : st;
}

static enum tr_status read_run(const struct diff_opts *o, struct cli_analysis *a, struct diff *x,
                               enum tr_diff_run run, struct tr_error *err)
{
    struct diff_side *side = &x->sides[run];
    struct tr_diff_opts opts = { .suspect = o->a.suspect, .profiler = o->profiler };
    struct tr_diff_feed *feed = NULL;
    struct tr_coverage *covered = o->min_coverage >= 0 ? tr_coverage_new(true) : NULL;
    enum tr_status st = o->min_coverage >= 0 && !covered ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK)
        st = tr_diff_feed_new(x->d, run, &opts, a->in->dict, a->in->summary, a->selected, &feed,
                              err);
    if (st == TR_OK)
        st = feed_all(a, feed, covered, err);
    if (st == TR_OK && covered)
        side->coverage = coverage_of(covered, a->in->dict->n_sources);
    if (st == TR_OK &&
        !tr_step_times_gather(&side->steps, a->in->dict, a->in->summary, a->selected))
        st = tr_fail_memory(err);
    for (uint32_t i = 0; st == TR_OK && i < a->in->dict->n_sources; i++)
        side->partial |= a->in->dict->sources[i].partial && tr_select_source(a->selected, i);
    tr_diff_feed_free(feed);
    tr_coverage_free(covered);
    return st;
}

enum tr_status diff_read(struct cli *cli, const struct diff_opts *o, struct diff *x,
                         enum tr_diff_run run, const char *const *paths, size_t n,
                         struct tr_error *err)
{
    struct cli_analysis a = o->a; /* both runs are selected from alike */
    a.want = columns_for(x->by, o->min_coverage >= 0);
    a.host = x->by != TR_DIFF_BY_KERNEL;
    enum tr_status st = cli_analysis_open_paths(cli, &a, paths, n, err);
    if (st == TR_OK)
        st = read_run(o, &a, x, run, err);
    cli_analysis_close(&a);
    if (st == TR_OK)
        cli_input_close(cli, a.in);
    return st;
}
