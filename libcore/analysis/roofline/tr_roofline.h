/* SPDX-License-Identifier: MIT */
/*
 * How near do operators come to the peak of their device?
 *
 * Device work counts once, with one call of an operator (tr_operator_owners_int.h).  A model
 * (vendor/tr_models.h) says from the call's arguments how many operations and bytes it needs.  It is asked once for
 * each set of arguments.  At best, a call takes max(operations / peak, bytes / bandwidth).
 *
 * The result is made after all events have come, from rows of tr_operators.h, one for each set of arguments.  Memory in
 * addition to these rows: 250 bytes for each row of the result, and for each set of arguments 130 bytes and its
 * parameters.  It goes to files when memory is short.
 */
#ifndef TR_ROOFLINE_H
#define TR_ROOFLINE_H

#include "analysis/operators/tr_operators.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_strtab.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"

/* The keys of a row; texts that were not requested are TR_NO_STR. */
struct tr_roofline_key {
    uint32_t group;
    uint32_t name, dims, types, strides, args; /* strings of the stream; name TR_NO_STR: work without an operator */
    uint32_t family, params;                   /* tr_roofline_text; family TR_NO_STR: no model */
    uint32_t thread, recompute;                /* tr_operators_text */
    uint32_t backward;                         /* 1: of the backward pass of name */
    uint32_t api, kernel;                      /* strings of the stream, as name */
    int64_t node;                              /* TR_I64_NONE: not requested, or there is none */
};

struct tr_roofline_row {
    struct tr_roofline_key key;
    uint64_t pieces;
    struct tr_stats device; /* ns, of calls; for work without a call, of its pieces */
    int64_t calls;          /* TR_I64_NONE, as the next two: work of no call */
    int64_t host, record;   /* ns; of the first call */
    int64_t start;          /* of the first call; TR_I64_NONE: there is none */
    /* For the calls whose arguments a model knows: */
    uint64_t known;                      /* how many */
    int64_t known_device;                /* ns */
    double flops, bytes;                 /* added up; NaN: not known for all of them */
    double per_flops, per_bytes;         /* operations and bytes per ns, added up over calls with a length above 0 */
    double per_roofline;                 /* minimum time divided by time, added up likewise */
    uint64_t n_inverse;                  /* how many those are */
    double roofline;                     /* ns, added up; NaN: not known for all of them */
    bool compute_bound, memory_bound;    /* some of them are */
    uint32_t spec;                       /* number of a text; TR_NO_STR: unknown, or the calls differ */
    /* When all are added: */
    double model_pct, flop_per_byte, tflops, tb_s, roofline_pct, tflops_mean, tb_s_mean, roofline_mean_pct;
    uint8_t bound; /* enum tr_roofline_bound */
    uint8_t suspect; /* 1: faster than the device can be */
};
enum tr_roofline_bound { TR_BOUND_UNKNOWN, TR_BOUND_MEMORY, TR_BOUND_COMPUTE, TR_BOUND_MIXED };

/* The rows of the result; zero-initialise, and set the first part. */
struct tr_roofline {
    const struct tr_roofline_options *options;
    const struct tr_peaks *peaks; /* NULL: not known */
    bool families; /* families are the only key of rows */
    const struct tr_dict *dict;
    struct tr_operators *operators; /* finished */
    struct tr_strtab *texts; /* families, parameters and specs */
    struct tr_buf name;      /* of a backward pass */
    struct tr_rows *rows;
    struct tr__roofline_call *calls; /* sets of arguments */
    size_t n_calls, cap_calls;
    struct tr_spilling calls_in;
    struct tr_hash_index call_of;
    uint64_t no_step;   /* calls whose model needs the requests of their step, which no annotation gives */
    uint64_t no_shapes; /* calls with a model whose arguments are not in the trace */
};

/* Add the rows of all owned work.  TR_OK or TR_SYSTEM. */
enum tr_status tr_roofline_make(struct tr_roofline *r, struct tr_error *err);
void tr_roofline_free(struct tr_roofline *r); /* except what was set */

/* What the name of the backward pass of an operator starts with. */
#define TR_ROOFLINE_BACKWARD "backward of "

/* The name of an operator, or of its backward pass in out.  False: out of memory. */
bool tr_roofline_name(const struct tr_dict *dict, uint32_t name, bool backward, struct tr_buf *out,
                      struct tr_str *text);

struct tr_str tr_roofline_text(const struct tr_roofline *r, uint32_t number); /* no text for TR_NO_STR */

#endif
