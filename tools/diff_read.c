/* tr-diff: traces and streams become one of the two runs. */
#include <config.h>

#include "analysis/tr_info.h"
#include "diff.h"

#include <string.h>

/* The smallest share of a source, defined as in tr-info(1). */
static double coverage_of(const struct tr_info *info)
{
    double least = info->n_sources ? 1 : 0;
    for (size_t i = 0; i < info->n_sources; i++) {
        const struct tr_info_source *s = &info->sources[i];
        double work = s->n_device ? (double)s->n_device_linked / (double)s->n_device : 0;
        double launches = s->n_launches ? (double)s->n_launches_linked / (double)s->n_launches : 1;
        least = work < least ? work : least;
        least = launches < least ? launches : least;
    }
    return least;
}

static struct tr_want columns_for(enum tr_diff_by by, bool coverage)
{
    struct tr_want want = { .fixed = CLI_WANT_WORK | TR_WANT(NAME) | TR_WANT(RECORD) };
    if (by == TR_DIFF_BY_OPERATOR || by == TR_DIFF_BY_TREE || coverage)
        want.derived |= 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD |
                        1u << TR_COL_LAUNCH_TRACK | 1u << TR_COL_N_DEVICE;
    if (by == TR_DIFF_BY_CLASS)
        want.derived |= 1u << TR_COL_CLASS;
    return want;
}

static enum tr_status feed_all(struct cli_analysis *a, struct tr_diff_feed *feed,
                               struct tr_info *info, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(a, &b, &keep, err)) == TR_OK) {
        if (info && (st = tr_info_add(info, b, err)) != TR_OK)
            return st;
        if ((st = tr_diff_feed(feed, b, keep, err)) != TR_OK)
            return st;
    }
    if (st == TR_END)
        st = tr_diff_feed_end(feed, err);
    return st == TR_OK && info ? tr_info_finish(info, a->in->dict, err) : st;
}

static enum tr_status take(const struct diff_opts *o, struct cli_analysis *a, struct diff *x,
                           enum tr_diff_run run, struct tr_error *err)
{
    struct diff_side *side = &x->sides[run];
    struct tr_diff_opts opts = { .suspect = o->a.suspect };
    struct tr_diff_feed *feed = NULL;
    struct tr_info *info = o->min_coverage >= 0 ? tr_info_new() : NULL;
    enum tr_status st = o->min_coverage >= 0 && !info ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK)
        st = tr_diff_feed_new(x->d, run, &opts, a->in->dict, a->in->summary, a->selected, &feed,
                              err);
    if (st == TR_OK)
        st = feed_all(a, feed, info, err);
    if (st == TR_OK && info)
        side->coverage = coverage_of(info);
    if (st == TR_OK &&
        !tr_step_times_gather(&side->steps, a->in->dict, a->in->summary, a->selected))
        st = tr_fail_memory(err);
    for (uint32_t i = 0; st == TR_OK && i < a->in->dict->n_sources; i++)
        side->partial |= a->in->dict->sources[i].partial && tr_select_source(a->selected, i);
    tr_diff_feed_free(feed);
    tr_info_free(info);
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
        st = take(o, &a, x, run, err);
    cli_analysis_close(&a);
    if (st == TR_OK)
        cli_input_close(cli, a.in);
    return st;
}
