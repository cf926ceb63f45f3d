/* SPDX-License-Identifier: MIT */
/*
 * The cost of operators: the host time in their calls, and the device work that they launch.
 *
 * An operator is a host span of activity cpu_op or comm_record.  Device work belongs to the innermost operator
 * around its launch, on the same thread (model/calls/tr_call_path.h), and is below all operators around that one.
 *
 *   host_self    time in the calls in which no operator inside them runs on their thread
 *   host         time in the calls; a call inside another with the name of its row counts only with that one
 *   device_self  durations of the work that the calls launched themselves, added up
 *   device       the same for all work below them; below calls of one name it counts once
 *   *_busy       for each call the length of the union of that work, added up over calls (below a call of the
 *                same name nothing is added to device_busy)
 *
 * A row has all calls of a group with the same key.  The key is the name and, on request, the shapes, types and
 * strides of their arguments, the spans around them, the module around them, and their thread.  Calls and host time are
 * for the selected calls.  The test `where` is not applied to them: it selects only device work.  Work of calls that
 * are not selected still counts.  Times are clipped to the window if there is one.
 *
 * Work of a launched graph belongs to the operators around the graph's launch.  If captures are given, it belongs to
 * the operators that the capture of the graph has around its nodes (analysis/graphs/tr_graph_calls.h); these are below
 * the former.
 *
 * One pass over events in canonical order.  Memory: 230 bytes per call until it has ended and its work has come, 16 per
 * event of device work until then, 50 per launch whose work has not come, 400 per row; with captures also 60 per piece
 * of a launched graph until all of its work has come.  Memory for rows goes to files when it is short
 * (base/tr_spill.h).
 */
#ifndef TR_OPERATORS_H
#define TR_OPERATORS_H

#include "engine/tr_analysis.h"
#include "engine/tr_rows.h"

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
    /* Work has rows of its own, in addition to those of the calls: */
    TR_OPERATOR_KERNEL = 1 << 7,   /* one for each name and stream of the work of calls with one key */
    TR_OPERATOR_POSITION = 1 << 8, /* and for each place in the order in which the work of a call started */
    TR_OPERATOR_PHASE = 1 << 9,    /* of its step: enum tr_operator_phase */
    TR_OPERATOR_TREE = 1 << 10,    /* all modules around it, as the module (tr__module_path) */
    TR_OPERATOR_ALL = (1 << 11) - 1,
    /* Not keys: */
    TR_OPERATOR_LAUNCHED = 1 << 11, /* statistics of calls that launched work */
    TR_OPERATOR_SUMS = 1 << 12      /* no statistics of durations of work */
};

/*
 * Phases of steps: of an inference step, enum tr_step_phase of the step around the call; of a training step, what spans
 * around the call say, else forward.  0: no step is around it, and no span says a phase.
 */
enum tr_operator_phase {
    TR_PHASE_FORWARD = TR_N_STEP_PHASES,
    TR_PHASE_BACKWARD,
    TR_PHASE_OPTIMIZER,
    TR_N_OPERATOR_PHASES
};

struct tr_operator_key {
    uint32_t group;
    uint32_t name; /* string number; TR_NO_STR: work without an operator */
    uint32_t dims, types, strides, args; /* string numbers or TR_NO_STR */
    uint32_t stack, module, thread, recompute; /* texts of the operators; UINT32_MAX: none */
    uint32_t kernel;   /* of a row of work: its name, a string number; TR_NO_STR: a row of calls, or it has no name */
    uint32_t backward; /* 1: of the backward pass of these calls */
    int64_t stream;    /* of a row of work; TR_I64_NONE: the same, or it has no number */
    int64_t position;  /* of a row of work, from 1; of owned work its node; TR_I64_NONE: they are no key */
    uint32_t phase;    /* enum tr_operator_phase */
    uint32_t nothing;  /* 0: keys are compared byte by byte, so they have no holes */
    /* Keys of owned work only: */
    uint32_t step;  /* of its calls: the annotation of their step, a string number or TR_NO_STR */
    uint32_t model; /* the name that models know; TR_NO_STR: as name */
    uint32_t api;   /* of work of no operator: what launched it; TR_NO_STR: this is no key, or nothing did */
    uint32_t inside, part; /* texts of the operators: calls inside that models ask for, kernels that are meant */
    uint32_t no_more; /* 0, as nothing */
};
#define TR_OPERATOR_KEY_INIT                                                                                     \
    { 0,          TR_NO_STR,  TR_NO_STR, TR_NO_STR, TR_NO_STR,   TR_NO_STR,   UINT32_MAX, UINT32_MAX, UINT32_MAX, \
      UINT32_MAX, TR_NO_STR,  0,         TR_I64_NONE, TR_I64_NONE, 0,         0,          TR_NO_STR,  TR_NO_STR, \
      TR_NO_STR,  UINT32_MAX, UINT32_MAX, 0 }

static inline uint32_t tr_operator_model_name(const struct tr_operator_key *key)
{
    return key->model == TR_NO_STR ? key->name : key->model;
}

/* The first kernel that calls launched, of owned work also that of calls inside them. */
struct tr_operator_opening {
    int64_t start;   /* TR_I64_NONE: there is none */
    uint32_t kernel; /* a string number */
};
#define TR_OPERATOR_OPENING_INIT { TR_I64_NONE, TR_NO_STR }

struct tr_operator_row {
    struct tr_operator_key key;
    uint64_t calls, kernels, kernels_below;             /* device work */
    int64_t host_self, host, device_self, device;       /* ns, TR_TIME_NONE: it does not fit */
    int64_t device_self_busy, device_busy;
    /* Of calls that launched work themselves: lengths of unions, ns; of a row of work its durations, in own. */
    struct tr_sample own, all; /* of their own work, and of all work below them */
    int64_t start;             /* of the first of them */
    double since;              /* after the first of all rows; not a number: there is none */
    uint64_t record;           /* its record */
    uint32_t names;            /* and the names of the work that it launched, a text of the operators */
    struct tr_operator_opening opening; /* of the calls */
};

/* The columns of the first texts of rows, for tr_rows_each. */
enum {
    TR_OPERATOR_TEXT_NAME,
    TR_OPERATOR_TEXT_DIMS,
    TR_OPERATOR_TEXT_TYPES,
    TR_OPERATOR_TEXT_STRIDES,
    TR_OPERATOR_TEXT_ARGS
};

/* Operators that have a model: work below them counts with them (tr_operator_owners_int.h). */
struct tr_operator_models {
    bool (*has)(void *self, uint32_t name); /* name: string number */
    bool (*needs_step)(void *self, uint32_t name); /* the annotation of the step is a key of its calls */
    bool (*has_backward)(void *self, uint32_t name); /* its backward pass has one; NULL: it does not count */
    /* Does some model ask for values of calls of this operator inside other calls; does that of outer do so, inside
     * TR_NO_STR: for those of any operator? */
    bool (*asked)(void *self, uint32_t name);
    bool (*asks)(void *self, uint32_t outer, uint32_t inside);
    /* How many models are of some of its kernels, which of them takes a kernel, and their expressions. */
    unsigned (*parts)(void *self, uint32_t name);
    unsigned (*part_of)(void *self, uint32_t name, uint32_t kernel); /* the number of parts: none does */
    struct tr_str (*part)(void *self, uint32_t name, unsigned number);
    void *self;
    bool nested; /* also calls inside others that have a model */
    unsigned nobody; /* keys of work of no operator, as TR_NOBODY_API and so on */
};
/* What launched it, its name, and its node in a graph that was launched. */
enum { TR_NOBODY_API = 1 << 0, TR_NOBODY_KERNEL = 1 << 1, TR_NOBODY_NODE = 1 << 2 };

/* Work that counts with the calls of a key. */
struct tr_operator_owned {
    struct tr_operator_key key;
    uint64_t pieces;        /* kernels, copies and memsets */
    int64_t host;           /* ns, of the calls, added up */
    struct tr_stats device; /* ns, per call the length of the union of its work; for work without a call, durations */
    struct tr_u128 inverse; /* sum of 1 / length over the lengths above that are not 0, in units of 2^-64 per ns */
    uint64_t n_inverse;     /* how many those are */
    int64_t start;          /* of the first call; TR_I64_NONE: there is none */
    uint64_t record;        /* and its record */
    struct tr_operator_opening opening; /* of the calls */
};

struct tr_operators;
struct tr_graph_calls;
struct tr_graph_counts;

/*
 * What operators with such keys need of a stream.  After the keys of args that are asked for come those that models
 * need: the name of an operation, and for backward passes the number of a call.
 */
void tr_operators_needs(unsigned by, struct tr_needs *n);

/* by: TR_OPERATOR_SHAPE and so on.  out is set on TR_OK only. */
enum tr_status tr_operators_new(const struct tr_analysis_in *in, unsigned by, struct tr_operators **out,
                                struct tr_error *err);
void tr_operators_free(struct tr_operators *a);

/* Request owners of work, before the first batch; their rows are struct tr_operator_owned. */
enum tr_status tr_operators_models(struct tr_operators *a, const struct tr_analysis_in *in,
                                   const struct tr_operator_models *models, struct tr_error *err);
struct tr_rows *tr_operators_owned(const struct tr_operators *a);

/*
 * Give work of a launched graph to the operators of its capture, which graphs has; before the first batch.  Such a call
 * starts with the launch and takes no host time.  Around it are the spans around the launch, the launch itself, and the
 * spans that the capture has around it.  The dictionary must be one that takes strings (tr_open_opts.own_dict).
 */
void tr_operators_captures(struct tr_operators *a, struct tr_graph_calls *graphs);
/* After the end. */
const struct tr_graph_counts *tr_operators_graphs(const struct tr_operators *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_operators_feed(struct tr_operators *a, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err);

/* After the last batch, any number of times: rows are complete, and the texts of these have all their names. */
enum tr_status tr_operators_finish(struct tr_operators *a, struct tr_error *err);
struct tr_rows *tr_operators_rows(const struct tr_operators *a);
struct tr_group_by *tr_operators_groups(struct tr_operators *a);

/*
 * Other rows with the texts of these operators; and rows with fewer keys, which are added up from them: times of calls
 * inside calls of a row are known only with all keys, so they are TR_TIME_NONE.  NULL: out of memory.
 */
const struct tr_row_type *tr_operators_type(unsigned by);
struct tr_rows *tr_operators_more(struct tr_operators *a, const struct tr_analysis_in *in,
                                  const struct tr_row_type *type);
struct tr_rows *tr_operators_join(struct tr_operators *a, const struct tr_analysis_in *in, unsigned by);

/* Columns of rows with these keys, after those of the group. */
void tr_operators_columns(struct tr_table *t, unsigned by);

/* After the end: remark what rows and these keys need and the trace lacks.  how: how much missing keys matter. */
void tr_operators_remark(const struct tr_operators *a, unsigned by, enum tr_remark_kind how,
                         const struct tr_analysis_in *in);
/* After the end: remark how much work is of no operator because its launch is not known, if it is much. */
void tr_operators_remark_unlinked(const struct tr_operators *a, const struct tr_analysis_in *in);
/* Does the trace have operators, and the shapes of their arguments, if they are a key? */
bool tr_operators_any(const struct tr_operators *a);
bool tr_operators_shaped(const struct tr_operators *a);
/*
 * After the end: the category of a name, by the rules that come with the library; if none takes the name, the class of
 * the first kernel of its calls; else "other".  owned: of the rows of owned work.  No text: out of memory.
 */
struct tr_str tr_operators_category(struct tr_operators *a, uint32_t name, bool owned);
/* Append the operators that inductor made a kernel of, by its name.  False: out of memory. */
bool tr_operators_fused(struct tr_operators *a, struct tr_str kernel, struct tr_buf *out);
/* The text of a module, a thread or a recomputation; no text for UINT32_MAX. */
struct tr_str tr_operators_text(const struct tr_operators *a, uint32_t text);

/* Does a test of the work (where) choose rows?  For partial results: did it when they were made? */
bool tr_operators_where(const struct tr_operators *a);

/*
 * Save, after the last batch, and load as tables of a partial result: rows of calls, of calls with statistics, of work,
 * of which one has rows; and what is true of all rows.  owned: owned work, and what is true of all.
 */
#define TR_OPERATORS_TABLES 4u
#define TR_OPERATORS_ALL 4u
extern const struct tr_saved_table tr_operators_saved[TR_OPERATORS_TABLES];
extern const struct tr_saved_column tr_operators_all[TR_OPERATORS_ALL];
extern const struct tr_row_type tr_operators_owned_type;
enum tr_status tr_operators_save(struct tr_operators *a, bool owned, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_operators_load(struct tr_operators *a, bool owned, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
