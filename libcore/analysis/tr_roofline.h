/* SPDX-License-Identifier: MIT */
/*
 * How near operators come to what their device can do.
 *
 * Each piece of device work counts once, with one call of an operator (tr_operator_owners_int.h).  A model
 * (vendor/tr_models.h) says from the call's arguments which operations and bytes it needs; it is asked once for each
 * set of arguments.  At best a call takes max(operations / peak, bytes / bandwidth).
 *
 * Made of the rows of tr_operators.h, which are those of all sets of arguments, when all events have come.
 * Memory beside those: 250 bytes for each row of the answer, 130 and the parameters for each set of arguments, which go
 * to files when memory is short.
 */
#ifndef TR_ROOFLINE_H
#define TR_ROOFLINE_H

#include "analysis/tr_analyses.h"
#include "analysis/tr_operators.h"
#include "base/tr_strtab.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"

/* What tells rows apart; texts that were not asked for are TR_NO_STR. */
struct tr_roofline_key {
    uint32_t group;
    uint32_t name, dims, types, strides, args; /* strings of the stream; name TR_NO_STR: work of no operator */
    uint32_t family, params;                   /* tr_roofline_text; family TR_NO_STR: no model */
    uint32_t thread, recompute;                /* tr_operators_text */
};

struct tr_roofline_row {
    struct tr_roofline_key key;
    uint64_t pieces;
    int64_t host;           /* ns */
    struct tr_stats device; /* ns, of calls; of work of none its pieces */
    int64_t start;          /* of the first call */
    uint64_t record;
    /* Of the calls whose arguments a model knows: */
    uint64_t known;                      /* how many */
    int64_t known_device;                /* ns */
    double flops, bytes;                 /* added up; NaN: not known of all of them */
    double per_flops, per_bytes;         /* operations and bytes per ns, added up over calls of some length */
    double per_roofline;                 /* least time by time, likewise */
    uint64_t n_inverse;                  /* how many those are */
    double roofline;                     /* ns, added up; NaN: not known of all of them */
    bool compute_bound, memory_bound;    /* some of them are */
    uint32_t spec;                       /* number of a text; TR_NO_STR: unknown, or they differ */
};

/* Rows of the answer; zero-initialise, and set the first part. */
struct tr_roofline {
    const struct tr_roofline_options *options;
    bool families; /* families tell rows apart, and nothing else does */
    const struct tr_dict *dict;
    struct tr_operators *operators; /* finished */
    struct tr_strtab *texts; /* families, parameters and specs */
    /* the answer */
    struct tr_roofline_row *rows;
    size_t n_rows, cap_rows;
    struct tr_spilling rows_in;
    struct tr_hash_index row_of;
    struct tr__roofline_call *calls; /* sets of arguments */
    size_t n_calls, cap_calls;
    struct tr_spilling calls_in;
    struct tr_hash_index call_of;
    uint64_t no_step;   /* calls whose model asks for the requests of their step, which no annotation tells */
    uint64_t no_shapes; /* calls with a model, of which the trace has no arguments */
};

/* Make the rows.  TR_OK or TR_SYSTEM. */
enum tr_status tr_roofline_make(struct tr_roofline *r, const struct tr_operator_row *rows, size_t n,
                                struct tr_error *err);
void tr_roofline_free(struct tr_roofline *r); /* but for what was set */

struct tr_str tr_roofline_text(const struct tr_roofline *r, uint32_t number); /* no text for TR_NO_STR */

#endif
