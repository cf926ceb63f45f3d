/* SPDX-License-Identifier: MIT */
/*
 * trgen: makes traces as Kineto writes them, together with the true answers.
 *
 * How it works.  A simulated training job (gen_sched.c) yields, step by step and rank by rank,
 * lists of events with exact times.  First all ranks are simulated side by side without output, to
 * learn when each shared collective ends (gen_job.c); then each rank is simulated again, alone,
 * with those ends, and its events are printed (gen_print.c).  Both runs draw the same random
 * numbers, so memory stays at one step however long the trace.  Defects are chosen by position
 * beforehand and worked in while listing or printing (gen_plant.c).  Whatever is printed is given to
 * gen_truth.c, which counts, keeps device intervals and links, and writes the tables beside the
 * trace.
 *
 * Times are nanoseconds.  "true" time is the job's own clock from 0; "local" time is what a rank's
 * clock shows, since 1970; "printed" time is local time less the file's base.
 */
#ifndef GEN_H
#define GEN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gen_out.h"
#include "gen_rng.h"

_Noreturn void gen_die(int code, const char *fmt, ...);
void *gen_alloc(size_t n, size_t size); /* zeroed; never NULL */
void *gen_more(void *p, size_t *cap, size_t need, size_t size);

/* ---- options (gen_opt.c) ---- */

enum gen_vendor { GEN_NVIDIA, GEN_AMD, GEN_MTIA, GEN_XPU };
enum gen_base { GEN_BASE_LATE, GEN_BASE_EARLY, GEN_BASE_ABSENT };
#define GEN_MAX_LIST 1024

struct gen_list {
    int64_t v[GEN_MAX_LIST];
    int n;
};
struct gen_want {
    int plant;
    int64_t n;
}; /* plant this defect so many times */

/* Where sequence numbers of collectives stand. */
enum { GEN_SEQ_BOTH, GEN_SEQ_RECORD, GEN_SEQ_NONE };

struct gen_opts {
    const char *out_dir;
    int64_t ranks, steps, first_step, layers, streams, collectives, comm_sizes, graphs, graph_kernels, python,
        shapes;
    int64_t memory, counters, sync, devices, sources, group_size, keep, metadata;
    int64_t vendor, compact, random_order, by_step, base, bare_array, whole_us, no_truth,
        pid_collision;
    int64_t seed, size, truncate_at, straggler, straggler_ns, jitter_ns, data_ns, stall_every,
        stall_ns;
    int64_t comm_ns, end_jitter_ns, device_scale, missing, random, seq;
    int64_t grid_ns, stretch, halves, idle_ns;
    struct gen_list offset_ns, drift_ppb, skew_ns, base_ns, join_step, epoch_ns;
    struct gen_want want[128];
    int n_want;
};

void gen_opts_init(struct gen_opts *o);
void gen_opts_parse(struct gen_opts *o, int argc, char **argv);
void gen_opts_random(struct gen_opts *o);                 /* choose all by o->seed */
int64_t gen_list_at(const struct gen_list *l, int64_t i); /* the last one holds for all after it */

/* ---- vocabulary (gen_vocab.c) ---- */

struct gen_kernel {
    struct gen_str name;
    int32_t dur_ns;
    int16_t regs;
    int32_t smem, grid, block;
};
struct gen_op { /* one line of an operator tree */
    const char *name;
    uint8_t depth; /* 0: called by the model */
    int8_t kernel; /* index of the kernel it launches, -1: none */
    uint8_t shape; /* index into gen_shapes */
    uint8_t flags; /* GEN_OP_* */
};
enum { GEN_OP_SEQ = 1, GEN_OP_ALLOC = 2, GEN_OP_MISC = 4, GEN_OP_SIDE = 8 };
struct gen_tree {
    const struct gen_op *op;
    int n;
};
struct gen_shape {
    const char *full, *dims;
};

extern const struct gen_tree gen_forward, gen_backward, gen_optimizer, gen_loss;
extern const struct gen_shape gen_shapes[];
extern const char *const gen_frames[];
extern const int gen_n_frames;

struct gen_words { /* what differs between vendors */
    const char *runtime, *driver, *launch, *launch_comm, *launch_graph, *copy, *set, *sync_stream,
        *record, *wait, *misc[4], *kernel_cat, *copy_cat, *set_cat, *comm_kernel, *backend, *device,
        *header;
    int cb_launch, cb_comm, cb_graph, cb_copy, cb_set, cb_sync, cb_record, cb_wait, cb_misc[4];
    int stream0, stream_comm, stream_copy;
};
extern const struct gen_words gen_words[4];
const struct gen_kernel *gen_kernels(int vendor, int *n);

/* ---- events ---- */

/* What .a .b .c hold stands after each type. */
enum gen_type {
    GEN_T_NONE,      /* removed from its list */
    GEN_T_OP,        /* sequence number or -1, forward thread */
    GEN_T_ANNOT,     /* -, -, length of the device list when it opened */
    GEN_T_PY,        /* id, parent's id or 0, module or -1 */
    GEN_T_MEM,       /* address, bytes, allocated in all */
    GEN_T_COMM_OP,   /* -, sequence number, elements */
    GEN_T_RUNTIME,   /* callback number */
    GEN_T_DRIVER,    /* the same */
    GEN_T_KERNEL,    /* grid variant; device work is from here ... */
    GEN_T_COMM,      /* index in its step, sequence number, elements */
    GEN_T_COPY,      /* bytes, kind */
    GEN_T_SET,       /* bytes, kind; ... to here */
    GEN_T_SYNC,      /* - */
    GEN_T_DEV_ANNOT, /* - */
    GEN_T_FLOW,      /* id */
    GEN_T_COUNTER,   /* value, thousandths */
};
/* Flags of events. */
enum {
    GEN_F_NUM = 1,     /* print .num after the name */
    GEN_F_STEP = 2,    /* a ProfilerStep */
    GEN_F_LAUNCH = 4,  /* a runtime call that may own device work */
    GEN_F_GRAPH = 8,   /* a kernel of a graph */
    GEN_F_FWDBWD = 16, /* a flow from forward to backward */
    GEN_F_LOST = 32,   /* a collective that this rank's profiler missed: never printed */
};
/* Lanes are the tracks of a file: threads, then streams. */
enum {
    GEN_LANE_MAIN,
    GEN_LANE_BWD,
    GEN_LANE_PY,
    GEN_LANE_SIDE,
    GEN_LANE_DEV = 8, /* compute streams, at most 16 */
    GEN_LANE_COMM = GEN_LANE_DEV + 16,
    GEN_LANE_COPY,
    GEN_LANES,
};
int gen_stream(const struct gen_words *w, int lane); /* number of a device lane's stream */

struct gen_ev {
    int64_t ts, dur; /* true time */
    const char *name;
    const void *info; /* kernel, shape or copy kind */
    uint64_t link; /* number of the runtime call, from 1; 0: none.  Ties launch and device work */
    uint64_t corr; /* what is printed for it */
    uint64_t ext;
    int64_t a, b, c; /* by type, see gen_print.c */
    int32_t num;     /* printed after the name with GEN_F_NUM; of a collective: its step */
    int32_t up;      /* distance to the enclosing event in its list, 0: none */
    uint8_t type, ph, lane, flags;
    uint8_t plant; /* defect to work in while printing, 0: none */
};
struct gen_evs {
    struct gen_ev *v;
    size_t n, cap;
};
struct gen_ev *gen_push(struct gen_evs *l);

/* ---- the job (gen_sched.c, gen_job.c) ---- */

enum { GEN_L_BWD, GEN_L_MAIN, GEN_L_MEM, GEN_L_PY, GEN_L_DEV, GEN_L_DEV_ANNOT, GEN_LISTS };
#define GEN_DEPTH 64

struct gen_thread {
    int64_t now;
    int list, lane, depth;
    int32_t open[GEN_DEPTH];
};

struct gen_rank { /* the state of one rank's simulation; a plain value */
    int id;
    int64_t step;
    struct gen_rng rng;
    struct gen_thread main, bwd, py;
    int64_t stream_end[GEN_LANES];
    uint64_t n_runtime, n_ext, n_seq, n_py, n_addr, n_comm;
    int64_t allocated;
};

struct gen_job {
    const struct gen_opts *o;
    const struct gen_words *w;
    const struct gen_kernel *kernels;
    int n_kernels, n_groups, size_of_group;
    int64_t steps;
    int64_t *coll_end; /* [step][group][collective], true time */
    int64_t *ready;    /* [rank][collective] of the step being planned */
    bool planning;
    struct gen_evs list[GEN_LISTS];
    uint64_t seqs[4096]; /* forward operators that wait for their backward */
    int n_seqs;
    uint64_t *total_host, *total_dev; /* per rank */
};

void gen_rank_init(const struct gen_job *j, struct gen_rank *r, int id);
void gen_step_start(struct gen_job *j, struct gen_rank *r); /* up to the last collective's launch */
void gen_step_end(struct gen_job *j, struct gen_rank *r);

/* Idle time of known causes (gen_idle.c), at the end of a step; its truth for a file with all steps, ns. */
enum {
    GEN_IDLE_BUSY,
    GEN_IDLE_BLOCKED,
    GEN_IDLE_DATA,
    GEN_IDLE_COLLECTIVE,
    GEN_IDLE_LAUNCH,
    GEN_IDLE_DEVICE,
    GEN_IDLE_DEPENDENCY,
    GEN_IDLE_UNKNOWN,
    GEN_N_IDLE
};
void gen_idle(struct gen_job *j, struct gen_rank *r);
const char *gen_idle_name(int cause);
int64_t gen_idle_ns(const struct gen_opts *o, int cause);

int64_t *gen_coll_end(const struct gen_job *j, int rank, int64_t step, int64_t coll);
void gen_job_plan(struct gen_job *j);
void gen_job_write(struct gen_job *j);
void gen_job_free(struct gen_job *j);

/* ---- defects (gen_plant.c) ---- */

enum gen_class {
    GEN_C_TOLERATED = 1,
    GEN_C_LOST,
    GEN_C_SKIPPED,
    GEN_C_SUSPECT,
    GEN_C_STRUCTURE,
    GEN_C_FILE
};
enum { /* on which events */
       GEN_W_OP = 1,
       GEN_W_PY = 2,
       GEN_W_KERNEL = 4,
       GEN_W_LAUNCH = 8,
       GEN_W_HOST = GEN_W_OP | GEN_W_PY,
       GEN_W_ANY = GEN_W_HOST | GEN_W_KERNEL,
};
enum gen_plant { /* the order of gen_plants[] */
                 GEN_P_NONE,
                 GEN_P_EARLY_KERNEL,
                 GEN_P_ORPHAN_DEVICE,
                 GEN_P_LONELY_LAUNCH,
                 GEN_P_REUSED_CORRELATION,
                 GEN_P_NESTED_DRIVER,
                 GEN_P_CROSSING,
                 GEN_P_BEGIN_END,
                 GEN_P_END_FIRST,
                 GEN_P_END_ARGS,
                 GEN_P_END_ANON,
                 GEN_P_LONE_BEGIN,
                 GEN_P_LONE_END,
                 GEN_P_EQUAL_TS,
                 GEN_P_ASYNC,
                 GEN_P_BIND_FLOW,
                 GEN_P_ODD_PHASE,
                 GEN_P_COUNTER_STRING,
                 GEN_P_COUNTER_NAN,
                 GEN_P_COUNTER_NO_ARGS,
                 GEN_P_ASYNC_NO_ID,
                 GEN_P_FLOW_STEP,
                 GEN_P_ZERO_TS,
                 GEN_P_BAD_ESCAPE,
                 GEN_P_CONTROL_BYTE,
                 GEN_P_BAD_UTF8,
                 GEN_P_LONE_SURROGATE,
                 GEN_P_SURROGATE_PAIR,
                 GEN_P_QUOTE_IN_NAME,
                 GEN_P_ESCAPED_KEY,
                 GEN_P_NAN_ARG,
                 GEN_P_INF_ARG,
                 GEN_P_NEG_INF_ARG,
                 GEN_P_INF_WORD_ARG,
                 GEN_P_NAN_TS,
                 GEN_P_TS_STRING,
                 GEN_P_TS_BAD_STRING,
                 GEN_P_TS_HUGE,
                 GEN_P_TS_MISSING,
                 GEN_P_TS_EXPONENT,
                 GEN_P_TS_LEADING_ZERO,
                 GEN_P_TS_NEGATIVE_PARTS,
                 GEN_P_SUB_NS,
                 GEN_P_DUR_STRING,
                 GEN_P_DUR_NULL,
                 GEN_P_DUR_MISSING,
                 GEN_P_DUR_NEGATIVE,
                 GEN_P_DUR_CENTURIES,
                 GEN_P_DUR_PLUS,
                 GEN_P_DUR_LEADING_DOT,
                 GEN_P_DUR_TRAILING_DOT,
                 GEN_P_DUPLICATE_KEY,
                 GEN_P_ARGS_NOT_OBJECT,
                 GEN_P_UINT64,
                 GEN_P_HUGE_INT,
                 GEN_P_DOUBLE17,
                 GEN_P_EXPONENT,
                 GEN_P_STRING_PID,
                 GEN_P_STRING_TID,
                 GEN_P_NUMERIC_STRING_TID,
                 GEN_P_REAL_TID,
                 GEN_P_MISSING_TID,
                 GEN_P_MISSING_PID,
                 GEN_P_STRING_STREAM,
                 GEN_P_MISSING_PH,
                 GEN_P_TORN,
                 GEN_P_MISSING_COMMA,
                 GEN_P_DOUBLE_COMMA,
                 GEN_P_NULL_EVENT,
                 GEN_P_NON_OBJECT,
                 GEN_P_EMPTY_EVENT,
                 GEN_P_BOM,
                 GEN_P_TRUNCATE,
                 GEN_P_SECOND_TRACE,
                 GEN_P_TRAILING_GARBAGE,
                 GEN_P_TRAILING_COMMA,
                 GEN_P_UNCLOSED,
                 GEN_N_PLANTS
};
struct gen_plant_def {
    const char *name;
    uint8_t cls, where;
    bool breaks_json; /* a strict JSON parser refuses the file */
    const char *help;
};
extern const struct gen_plant_def gen_plants[GEN_N_PLANTS];
int gen_plant_find(const char *name); /* 0: no such defect */

struct gen_target {
    uint64_t at;
    int plant;
};
struct gen_targets { /* defects of one list (host or device), by position */
    struct gen_target *v;
    size_t n, next, cap;
};
struct gen_planter {
    struct gen_targets t[2];
    uint64_t reuse_corr; /* correlation kept for a later launch, 0: none */
    int64_t want_file[GEN_N_PLANTS];
    uint64_t missed;
};
void gen_planter_init(struct gen_planter *p, const struct gen_job *j, int rank, int source);
void gen_planter_free(struct gen_planter *p);
/* Mark and change the events of a list whose first event has the given position; which: 0 host, 1
 * device. */
void gen_plant_list(struct gen_planter *p, struct gen_evs *l, int which, uint64_t first);

/* ---- printing (gen_print.c, gen_file.c) ---- */

struct gen_layout {
    struct gen_str open, mid, args, args_end, close, tight, wide;
    bool trim;
};

struct gen_file {
    const struct gen_job *j;
    struct gen_layout y;
    struct gen_out out;
    struct gen_truth *truth; /* NULL: not wanted */
    struct gen_planter *planter;
    struct gen_rng rng;
    int rank, source;
    int64_t base, offset, drift, skew;
    int64_t first_ts, last_ts; /* printed time */
    bool any;                  /* has an event been printed? */
    uint64_t n_elements, ev_idx, n_equal;
    uint64_t elem_at; /* offset of the element being printed */
    size_t elem_buf;  /* the same in the buffer */
    bool skip_comma;
    uint64_t cut_element; /* UINT64_MAX, or the element inside which the file ends */
    char lane_text[GEN_LANES][96];
    struct gen_str lane[GEN_LANES];
    int64_t pid, tid[GEN_LANES], dev;
    struct gen_str *kernel_args; /* rendered once per kernel and grid variant */
    struct gen_evs pending;      /* E elements to be printed after their chunk */
    char ranks_text[8192];       /* "[0, 1, ...]" of the process group */
};

struct gen_seen {            /* what a reader must get from an element */
    const struct gen_ev *ev; /* NULL for elements that are no scheduled event */
    const char *cat;         /* "" if it has none */
    char ph;
    int64_t ts, dur; /* printed time; dur -1: absent */
    int cls;         /* 0, or enum gen_class: planted */
};

int64_t gen_printed_ts(const struct gen_file *f, const struct gen_ev *e);
int64_t gen_printed_end(const struct gen_file *f, const struct gen_ev *e);
const char *gen_cat(const struct gen_file *f, const struct gen_ev *e);
void gen_elem_start(struct gen_file *f);
void gen_elem_end(struct gen_file *f, const struct gen_seen *s);
void gen_print_body(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur);
void gen_print(struct gen_file *f, const struct gen_ev *e);
void gen_print_planted(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur);
void gen_print_inserted(struct gen_file *f, const struct gen_ev *e, int64_t ts);
void gen_lanes(struct gen_file *f);
void gen_header(struct gen_file *f);
void gen_tail(struct gen_file *f);
void gen_kernel_args(struct gen_file *f);
#define GEN_GRIDS 4

/* ---- the true answers (gen_truth.c) ---- */

struct gen_truth *gen_truth_new(void);
void gen_truth_free(struct gen_truth *t);
void gen_truth_element(struct gen_truth *t, const struct gen_file *f, const struct gen_seen *s);
/* A planted defect: what must come out of it, or NULL where nothing does. name: of n bytes. */
void gen_truth_planted(struct gen_truth *t, const struct gen_file *f, int plant,
                       const struct gen_seen *s, const char *name, size_t n);
void gen_truth_write(struct gen_truth *t, const struct gen_file *f, const char *stem);

#endif
