/* tr-comm: collectives across ranks.  Manual: tr-comm(1). */
#include <config.h>

#include "cli/cli_analysis.h"
#include "comm_tables.h"

#include <inttypes.h>
#include <stdio.h>

struct comm {
    struct cli_analysis a;
    int by; /* enum tr_comm_by, -1: none */
    bool members, stragglers, mismatches;
};

static const char *const by_names[] = { "name", "size", "group", NULL };

static const struct cli_opt comm_opts[] = {
    { 0, "by", "WHAT", CLI_CHOICE, offsetof(struct comm, by), .choices = by_names,
      .help = "sums by name, size or group" },
    { 0, "members", NULL, CLI_FLAG, offsetof(struct comm, members),
      .help = "a row for each rank in each collective" },
    { 0, "stragglers", NULL, CLI_FLAG, offsetof(struct comm, stragglers),
      .help = "which ranks the others waited for" },
    { 0, "mismatches", NULL, CLI_FLAG, offsetof(struct comm, mismatches),
      .help = "collectives that ranks lack, or in which they differ" },
    CLI_ANALYSIS_OPTS(struct comm, a),
    { 0 },
};

static const struct cli_tool comm_tool = {
    .name = "tr-comm",
    .brief = "say what collectives cost, and which rank the others waited for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = comm_opts,
};

/* ---- what a user must know about the numbers ---- */

struct doubts {
    uint64_t n, early, order, incomplete, differ;
};

static struct doubts count_doubts(const struct comm_view *v)
{
    struct doubts d = { 0 };
    for (size_t i = 0; i < v->c->n; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        struct tr_comm_times s;
        if (!tr_comm_picked(v->c, i))
            continue;
        d.n++;
        d.order += coll->how == TR_COLL_BY_ORDER && coll->n > 1;
        d.incomplete += (coll->wrong & TR_COLL_INCOMPLETE) != 0;
        d.differ += (coll->wrong & (TR_COLL_NAMES_DIFFER | TR_COLL_SIZES_DIFFER)) != 0;
        d.early += tr_comm_measure(v->dict, v->c, i, v->suspect, &s) && s.early;
    }
    return d;
}

static void warn_of_doubts(struct cli *cli, const struct comm *o, const struct comm_view *v)
{
    struct doubts d = count_doubts(v);
    const char *input = o->a.in->name;
    char what[256];
    if (v->c->host)
        cli_warn(cli, input, "",
                 "no kernels of collectives: times are those of the host's records");
    if (d.early) {
        snprintf(what, sizeof what,
                 "%" PRIu64 " of %" PRIu64 " collectives end on a rank before the last rank has "
                 "come: the clocks of the ranks differ, which tr-align mends",
                 d.early, d.n);
        cli_warn(cli, input, "", what);
    }
    if ((d.incomplete || d.differ) && !o->mismatches) {
        snprintf(what, sizeof what,
                 "ranks are missing in %" PRIu64 " of %" PRIu64
                 " collectives, and differ in %" PRIu64 ": --mismatches lists them",
                 d.incomplete, d.n, d.differ);
        cli_warn(cli, input, "", what);
    }
    if (d.order)
        cli_note(cli, "%" PRIu64 " of %" PRIu64 " collectives matched by their order", d.order,
                 d.n);
}

/* ---- the program ---- */

static enum tr_status read_colls(struct cli_analysis *a, struct tr_colls **c, struct tr_error *err)
{
    struct tr_coll_finder *f;
    const struct tr_batch *b;
    const uint8_t *keep;
    *c = NULL;
    enum tr_status st = tr_coll_finder_new(a->in->dict, a->selected, &f, err);
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_coll_feed(f, b, keep, err);
    if (st == TR_END)
        st = tr_coll_match(f, c, err);
    tr_coll_finder_free(f);
    return st;
}

static enum tr_status check_options(const struct comm *o, struct tr_error *err)
{
    if ((o->by >= 0) + o->members + o->stragglers + o->mismatches > 1)
        return tr_fail(err, TR_USAGE,
                       "of --by, --members, --stragglers and --mismatches only one can be used");
    if (o->a.per >= 0 && !(o->stragglers && (o->a.per == TR_PER_RANK || o->a.per == TR_PER_STEP)))
        return tr_fail(err, TR_USAGE, "--per works with --stragglers, as --per step or --per rank");
    return TR_OK;
}

static enum tr_status fill(const struct comm *o, const struct comm_view *v, struct tr_error *err)
{
    if (o->by >= 0)
        return comm_sums(v, (enum tr_comm_by)o->by, err);
    if (o->stragglers)
        return comm_stragglers(v, err);
    if (o->mismatches)
        comm_mismatches(v);
    else if (o->members)
        comm_members(v);
    else
        comm_each(v);
    return TR_OK;
}

static enum tr_status report(struct cli *cli, const struct comm *o, const struct tr_colls *c,
                             const struct tr_steps *steps, struct tr_table *t, struct tr_error *err)
{
    const struct comm_view v = {
        .dict = o->a.in->dict, .c = c, .steps = steps, .suspect = o->a.suspect, .t = t
    };
    warn_of_doubts(cli, o, &v);
    enum tr_status st = fill(o, &v, err);
    const char *why = o->mismatches && c->n ? "no rank is missing in a collective, and none differs"
                                            : "no collectives, on devices or in records of the host";
    return st == TR_OK ? cli_analysis_write(cli, &o->a, t, why, err) : st;
}

static enum tr_status comm_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct comm *o = arg;
    struct tr_table *t = cli_table_new(cli);
    struct tr_colls *c = NULL;
    struct tr_steps *steps = NULL;
    enum tr_status st = t ? check_options(o, err) : tr_fail_memory(err);
    o->a.want = (struct tr_want){ .fixed = TR_FIXED_ALL & ~TR_WANT(CAT),
                                  .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_TRACK,
                                  .keys = tr_coll_keys,
                                  .n_keys = TR_COLL_N_KEYS };
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK && o->a.per == TR_PER_STEP && !(steps = tr_steps_new(o->a.in->summary)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = read_colls(&o->a, &c, err);
    if (st == TR_OK)
        st = report(cli, o, c, steps, t, err);
    tr_colls_free(c);
    tr_steps_free(steps);
    cli_analysis_close(&o->a);
    tr_table_free(t);
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &comm_tool, &(struct comm){ .a = CLI_ANALYSIS_INIT, .by = -1 },
                    comm_run);
}
