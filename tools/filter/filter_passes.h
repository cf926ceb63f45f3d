/* SPDX-License-Identifier: MIT */
/*
 * The readings of the input that tr-filter makes.
 *
 *     filter_pass_on    one stream, or only a count: one reading; with context, some that mark events and one more
 *     filter_split_all  a stream for each part: a reading for some of the parts at a time
 *
 * Which events are selected is in the fields choice, select and windows of struct filter.
 */
#ifndef FILTER_PASSES_H
#define FILTER_PASSES_H

#include "cli/cli_main.h"
#include "cli/cli_reread.h"
#include "cli/cli_select.h"
#include "expr/tr_choice.h"
#include "filter/filter_io.h"
#include "filter/filter_split.h"
#include "model/selection/tr_related_events.h"

struct filter {
    struct tr_option_list exprs; /* -e */
    struct tr_option_list within, outside;
    const char *expr_file, *redact_key;
    uint64_t max;
    bool count, exit_status, redact, keep_known;
    struct tr_related_opts context;
    struct cli_select select;
    struct filter_split split;

    /* While it runs. */
    struct tr_choice choice;
    struct tr_choice windows; /* the tests of --within, then those of --outside */
    size_t first_file;      /* operands before it are not files */
    bool read, matched; /* an event was read; the expressions choose one, whatever else selects */
    uint64_t n_chosen;
};

/* Write the selected events, and those that context adds, to out; NULL: only count them.  Sets n_chosen. */
enum tr_status filter_pass_on(struct cli *cli, struct filter *f, struct cli_reread *reread, struct filter_out *out,
                              struct tr_error *err);
/* Write the files of --split.  Sets n_chosen. */
enum tr_status filter_split_all(struct cli *cli, struct filter *f, struct cli_reread *reread, struct tr_error *err);

#endif
