/* SPDX-License-Identifier: MIT */
/*
 * Tables of ranks that are printed as their spread: --per spread, host, tp, pp, dp, ep.
 *
 *     struct tr_table *of = ...;                     with a row or more for each rank, held
 *     struct cli_spread s = { .per = a->per };
 *     st = cli_spread_start(&s, in->dict, err);      the hosts or places of ranks
 *     st = cli_spread_fill(&s, of, cli_spread_figure(of, sort), true, to, err);
 *     cli_spread_free(&s);
 */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include "engine/tr_group_by.h"
#include "table/tr_table_spread.h"

struct cli_spread {
    int per; /* enum tr_per, TR_PER_SPREAD or later */
    struct cli_rank_value *values; /* of ranks, by rank */
    size_t n;
};

/* Which ranks are together.  TR_ABSENT: nothing is known of that. */
enum tr_status cli_spread_start(struct cli_spread *s, const struct tr_dict *dict, struct tr_error *err);
void cli_spread_free(struct cli_spread *s);

/*
 * The figure that --sort names: it spreads, and the order of rows is that of its medians.  NULL: it names none, so it
 * is for the columns of the spread.
 */
const char *cli_spread_figure(const struct tr_table *of, const char *sort);

/* Declare the columns; rows: and add the rows.  TR_USAGE: there are no figures of ranks. */
enum tr_status cli_spread_fill(const struct cli_spread *s, const struct tr_table *of, const char *figure, bool rows,
                               struct tr_table *to, struct tr_error *err);

#endif
