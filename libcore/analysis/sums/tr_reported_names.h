/* SPDX-License-Identifier: MIT */
/*
 * Time per name as reports of a profiler state it, for streams that have reports in place of events: rows like those of
 * tr_name_sums, from the tables timing_summary and timing_totals (tr-parse(1), unitrace-text).
 *
 *     if (n_names == 0)
 *         st = tr_reported_names(&reported, dict, tables, &opts, &err);
 *     ...reported.rows[0] to reported.rows[reported.n - 1]...
 *     tr_reported_names_free(&reported);
 *
 * Rows are in the order of those of tr_name_sums.  Of each row, only count and sum are known.
 * Collectives are of kind comm, all others of kind compute.
 */
#ifndef TR_REPORTED_NAMES_H
#define TR_REPORTED_NAMES_H

#include "analysis/sums/tr_name_stats.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_reported_opts {
    bool host;     /* calls of the host in place of device work */
    bool by_rank;  /* ranks are groups; else, one group has everything */
    bool totals;   /* also the totals of a report, under the names Wallclock and, for Level Zero, L0_backend */
};

/* Zero-initialise.  Names belong to the tables. */
struct tr_reported_names {
    struct tr_name_sum *rows;
    size_t n, cap;
};

/* TR_OK, also if there are no such tables; TR_SYSTEM. */
enum tr_status tr_reported_names(struct tr_reported_names *out, const struct tr_dict *dict,
                                 const struct tr_side_tables *tables, const struct tr_reported_opts *opts,
                                 struct tr_error *err);

/*
 * The same in two steps: read single rows, of ranks in any case; and then, perhaps with rows of other runs, add up
 * those of one name.
 */
enum tr_status tr_reported_names_read(struct tr_reported_names *out, const struct tr_dict *dict,
                                      const struct tr_side_tables *tables, const struct tr_reported_opts *opts,
                                      struct tr_error *err);
bool tr_reported_names_add(struct tr_reported_names *out, int64_t rank, struct tr_str name, enum tr_kind kind,
                           int64_t calls, int64_t ns);
void tr_reported_names_end(struct tr_reported_names *out, const struct tr_reported_opts *opts);
void tr_reported_names_free(struct tr_reported_names *r);

#ifdef __cplusplus
}
#endif
#endif
