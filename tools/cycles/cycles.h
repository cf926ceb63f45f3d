/* SPDX-License-Identifier: MIT */
/* What the files of tr-cycles share. */
#ifndef CYCLES_H
#define CYCLES_H

#include "analysis/clocks/tr_cycles.h"
#include "cli/cli_main.h"
#include "cli/cli_reread.h"
#include "table/tr_table.h"

struct cycles {
    const char *freq; /* LIST, or NULL */
    bool any_freq, keep_jobs, report;
    struct tr_option_by by;

    /* While it runs. */
    struct tr_cycles_given *given;
    size_t n_given;
    struct tr_cycles *of;
    const struct tr_input *in; /* the reading under way, for names of sources */
};

enum { CYCLES_BY_DEVICE, CYCLES_BY_FREQUENCY, CYCLES_BY_JOB, CYCLES_BY_EVENT };

/* What --freq says: MHz for all ranks, or RANK=MHZ, with commas between.  TR_OK, TR_USAGE, TR_SYSTEM. */
enum tr_status cycles_read_freq(struct cycles *o, struct tr_error *err);

/* Both readings; after the first, frequencies are there. */
enum tr_status cycles_first(struct cli *cli, struct cycles *o, struct cli_reread *reread, struct tr_error *err);

/* The table of --by. */
enum tr_status cycles_report(struct cli *cli, struct cycles *o, struct tr_error *err);

/* The name of a job: its file's, without folders.  NULL: its source has none. */
const char *cycles_job_name(const struct cycles *o, const struct tr_cycles_job *j);

#endif
