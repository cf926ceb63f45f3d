/* SPDX-License-Identifier: MIT */
/* The data of tr-info after the input has been read, and the two forms of the report. */
#ifndef INFO_REPORT_H
#define INFO_REPORT_H

#include "analysis/info/tr_info.h"
#include "base/tr_mem.h"
#include "model/selection/tr_select.h"
#include "stream/format/tr_reader.h"
#include "table/tr_table.h"

#define INFO_MAX_CHECKS 13

/* A condition that was stated, and whether it holds. */
struct info_check {
    const char *name;
    bool ok, coverage; /* coverage: a minimum share, whose failure has a separate exit code */
    char found[64], needed[64];
};

struct info_report {
    const struct tr_input *in; /* read to its end */
    const struct tr_info *info;
    enum tr_unit unit;
    size_t width; /* of a line of text */
    bool colour;
    bool tracks; /* list them in text */
    bool relative; /* --relative */
    bool selects; /* only selected events were counted */
    const struct tr_select *selected;
    struct info_check checks[INFO_MAX_CHECKS];
    size_t n_checks;
};

/* Is a source selected, by its rank? */
bool info_looks_at(const struct info_report *r, size_t source);

const char *info_rank_rule(unsigned rule);

/* Salvage, steps and launches of a source; NULL if the input has no summary of it. */
const struct tr_source_summary *info_summary(const struct info_report *r, size_t source);

/* Append the report, or only its checks.  TR_OK, TR_SYSTEM: out of memory. */
enum tr_status info_text(const struct info_report *r, struct tr_buf *out, struct tr_error *err);
enum tr_status info_text_checks(const struct info_report *r, struct tr_buf *out,
                                struct tr_error *err);
/* The part with the problems of the trace. */
enum tr_status info_notes(const struct info_report *r, bool with_source, struct tr_buf *out,
                          struct tr_error *err);
/* All texts of the stream, in the order of their numbers: a line each, or as JSON. */
enum tr_status info_texts(const struct info_report *r, bool json, struct tr_buf *out, struct tr_error *err);
enum tr_status info_json(const struct info_report *r, struct tr_buf *out, struct tr_error *err);

/* ---- info_checks.c ---- */

/* Conditions of --check; a number below 0 is not stated. */
struct info_conditions {
    bool no_salvage, no_loss, no_suspects, sorted, no_nesting, no_lone_work, no_open_frames;
    double min_coverage, min_used, min_causal, min_metadata;
    int64_t min_events, ranks;
};

/* Find out whether the stated conditions hold; if none is stated and usual, those that every trace should meet. */
void info_make_checks(struct info_report *r, const struct info_conditions *must, bool usual);
/* TR_NO if a condition fails, TR_COVERAGE if all that fail are minimum shares. */
enum tr_status info_verdict(const struct info_report *r);

#endif
