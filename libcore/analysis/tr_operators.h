/* SPDX-License-Identifier: MIT */
/*
 * The cost of operators: host time in their calls, and the device work that they launch.
 *
 * An operator is a host span of activity cpu_op or comm_record.  Device work belongs to the innermost operator
 * around its launch, on the same thread (model/tr_call_path.h), and is below all operators around that one.
 *
 *   host_self    time in the calls in which no operator inside of them runs on their thread
 *   host         time in the calls; a call inside one of the same row's name counts with that one alone
 *   device_self  durations of the work that the calls launched themselves, added up
 *   device       the same of all work below them; below calls of one name it counts once
 *   *_busy       of each call the length of the union of that work, added up over calls (below a call of the
 *                same name nothing is added to device_busy)
 *
 * A row has all calls of a group with the same key.  The key is the name and, on request, the shapes, types and
 * strides of their arguments, the spans around them, the module around them, and their thread.  Calls and host time are
 * those of the selected calls, without the test `where`, which selects only device work.  Calls that are not selected
 * still have their work.  Times are clipped to the window if there is one.
 *
 * One pass over events in canonical order.  Memory: 230 bytes per call until it has ended and its work has come,
 * 16 per piece of work until then, 50 per launch whose work has not come, 200 per row.  What grows
 * with rows goes to files when memory is short (base/tr_spill.h).
 */
#ifndef TR_OPERATORS_H
#define TR_OPERATORS_H

#include "analysis/tr_group_by.h"
#include "analysis/tr_partial.h"
#include "base/tr_mem.h"
#include "base/tr_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keys of rows in addition to the name, as bits. */
enum tr_operator_by {
    TR_OPERATOR_SHAPE = 1 << 0,
    TR_OPERATOR_STACK = 1 << 1,
    TR_OPERATOR_MODULE = 1 << 2,
    TR_OPERATOR_THREAD = 1 << 3,
    TR_OPERATOR_CATEGORY = 1 << 4, /* follows from the name */
    TR_OPERATOR_ARGS = 1 << 5, /* values of its arguments */
    TR_OPERATOR_RECOMPUTE = 1 << 6, /* whether it runs a second time because its results were not kept */
};

struct tr_operator_key {
    uint32_t group;
    uint32_t name; /* string number; TR_NO_STR: work without an operator */
    uint32_t dims, types, strides, args; /* string numbers or TR_NO_STR */
    uint32_t step; /* of calls that are asked for it: the annotation of their step, a string number or TR_NO_STR */
    /* numbers of tr_operators_stack, tr_operators_text; UINT32_MAX: none */
    uint32_t stack, module, thread, recompute;
};

struct tr_operator_row {
    struct tr_operator_key key;
    uint64_t calls, kernels, kernels_below;             /* pieces of device work */
    int64_t host_self, host, device_self, device;       /* ns, TR_TIME_NONE: it does not fit */
    int64_t device_self_busy, device_busy;
};

/* Which operators have a model: work below them counts with them (tr_operator_owners_int.h). */
struct tr_operator_models {
    bool (*has)(void *self, uint32_t name); /* name: string number */
    bool (*needs_step)(void *self, uint32_t name); /* its calls are told apart by the annotation of their step */
    void *self;
    bool nested; /* also those inside of others that have one */
};

/* Work that counts with the calls of a row. */
struct tr_operator_owned {
    uint64_t pieces;        /* kernels, copies and fills */
    int64_t host;           /* ns, of the calls, added up */
    struct tr_stats device; /* ns, of each call the length of the union of its work; of work of none its durations */
    struct tr_u128 inverse; /* of these lengths that are not 0, in parts of 2^-64 per ns, added up */
    uint64_t n_inverse;     /* how many those are */
    int64_t start;          /* of the first call; INT64_MAX: there is none */
    uint64_t record;        /* and its record */
};

/* Calls of a row that launched work themselves; lengths of unions, ns. */
struct tr_operator_launched {
    struct tr_stats own, all;   /* their own work, and all below them */
    double own_p50, all_p50;
    int64_t start;              /* of the first of them */
    uint64_t record;            /* its record */
    uint32_t work;              /* and names of the work that it launched: a number of tr_operators_work */
};

struct tr_operators;

/* Parameters as for tr_group_by_init; by: TR_OPERATOR_SHAPE and so on.  out is set on TR_OK only. */
enum tr_status tr_operators_new(const struct tr_group_by_opts *opts, unsigned by, const struct tr_dict *dict,
                                const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                struct tr_operators **out, struct tr_error *err);
void tr_operators_free(struct tr_operators *a);

/* Ask for owners of work, before the first batch. */
void tr_operators_models(struct tr_operators *a, const struct tr_operator_models *models);
/* After the end: what counts with row i of tr_operators_finish; NULL: nothing. */
const struct tr_operator_owned *tr_operators_owned(const struct tr_operators *a, size_t i);

/* Ask for statistics of calls, before the first batch.  After the end: those of row i; NULL: none launched work. */
void tr_operators_want_launched(struct tr_operators *a);
const struct tr_operator_launched *tr_operators_launched(const struct tr_operators *a, size_t i);

/* Names of such work, in the order in which it began, with "; " between.  False: no memory. */
bool tr_operators_work(const struct tr_operators *a, uint32_t work, struct tr_buf *out);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_operators_feed(struct tr_operators *a, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err);

/* After the last batch: the rows, in no order.  Owner: a. */
enum tr_status tr_operators_finish(struct tr_operators *a, const struct tr_operator_row **rows, size_t *n,
                                   struct tr_error *err);
const struct tr_group_by *tr_operators_groups(const struct tr_operators *a);
/* After the end: what keys that were asked for need and the trace does not have; NULL: nothing. */
const char *tr_operators_lack(const struct tr_operators *a);
/* To be called for some rows that are looked at: they may be in a file (base/tr_spill.h). */
void tr_operators_touched(const struct tr_operators *a);

/*
 * Names of the spans around a call, outermost first, with " > " between; empty for UINT32_MAX.  Of more than 256 the 128
 * outermost and the 128 innermost, and in between "(N more)": or the texts would grow with the square of the depth.
 * False: no memory.
 */
bool tr_operators_stack(const struct tr_operators *a, uint32_t stack, struct tr_buf *out);
/* Of a module, or a thread; no text for UINT32_MAX. */
struct tr_str tr_operators_text(const struct tr_operators *a, uint32_t text);

/* Does a test of the work (where) choose rows?  Of partial results: did it there? */
bool tr_operators_where(const struct tr_operators *a);

/* Save, after the last batch, and load as tables 0 and 1 of a partial result: rows, and whether work was tested. */
#define TR_OPERATORS_TABLES 2u
extern const struct tr_saved_table tr_operators_saved[TR_OPERATORS_TABLES];
enum tr_status tr_operators_save(struct tr_operators *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_operators_load(struct tr_operators *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
