/* SPDX-License-Identifier: MIT */
/*
 * The parts of tr-filter --split: which part an event belongs to, and a stream for each of them.
 *
 *     filter_split_parse(&s.by, "time:100ms", &err)
 *     for each reading of the input, while filter_split_more(&s):
 *         filter_split_start(&s, in, &err)
 *         filter_split_batch(&s, b, mask, &err)     for each batch; mask: the selected events
 *         filter_split_write(&s, st, &err)          the parts of this reading
 *     filter_split_end(&s, st, &err)
 *
 * Each reading makes some of the parts, as many as fit into memory.  Their events wait in temporary files.
 */
#ifndef FILTER_SPLIT_H
#define FILTER_SPLIT_H

#include "cli/cli_split_output.h"
#include "filter/filter_io.h"
#include "model/selection/tr_select.h"
#include "model/tr_steps.h"

#define FILTER_SPLIT_MAX 65536u /* parts */

struct filter_split_by {
    enum { SPLIT_NOT, SPLIT_RANK, SPLIT_STEP, SPLIT_PHASE, SPLIT_TIME } what;
    int64_t length; /* of a part by time, ns */
};

struct filter_split {
    struct cli *cli;
    struct filter_split_by by;
    struct tr_select *select; /* which sources and steps take part */

    struct cli_split_output files;
    int64_t *keys;            /* of the parts, in ascending order: ranks, steps, phases, numbers of windows */
    size_t n_keys, cap_keys;
    size_t from, to;          /* parts of this reading */
    struct part *parts;       /* of these */
    size_t n_parts;
    const struct tr_input *in;
    struct tr_steps *steps;
    int64_t start;            /* of the first window */
    struct tr_step_columns launched; /* of this batch */
    uint32_t *of;             /* part of each event */
    uint8_t *mask;
    size_t cap_of, cap_mask;
    uint64_t n_outside;       /* selected events that belong to no part */
    size_t n_written, n_empty;
};

/* A value of --split.  It is an option callback: field is a struct filter_split_by. */
enum tr_status filter_split_parse(void *field, const char *value, struct tr_error *err);

/* Before the input is opened: the names of the files.  TR_USAGE: there is no pattern. */
enum tr_status filter_split_names(struct filter_split *s, struct tr_error *err);
/* Is another reading of the input needed?  True before the first. */
bool filter_split_more(const struct filter_split *s);
enum tr_status filter_split_start(struct filter_split *s, const struct tr_input *in, struct tr_error *err);
enum tr_status filter_split_batch(struct filter_split *s, const struct tr_batch *b, const uint8_t *mask,
                                  struct tr_error *err);
enum tr_status filter_split_write(struct filter_split *s, enum tr_status st, struct tr_error *err);
/* All files appear if st is TR_OK, else none.  Releases everything. */
enum tr_status filter_split_end(struct filter_split *s, enum tr_status st, struct tr_error *err);

#endif
