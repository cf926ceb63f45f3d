/* SPDX-License-Identifier: MIT */
/*
 * tracepipe.h: read, select, analyse and write traces of accelerator work.  This is all of libtrcore that a program
 * of others sees; libtrcore(3) introduces it.
 *
 * The model
 *
 *   trace    one or several inputs of any format, read as one sequence of events, merged by time (struct tr_trace)
 *   batch    the next some thousand events of a trace, as columns: ts, dur, name, ... (struct tr_batch)
 *   dict     what the numbers in columns stand for: strings and tracks (struct tr_dict)
 *   report   any number of analyses over one pass of a trace (struct tr_report)
 *   table    the rows that an analysis has found (struct tr_table)
 *   output   a stream of events that is written (struct tr_output)
 *   ingest   where a reader of a new format tells its events (struct tr_ingest)
 *   error    what went wrong (struct tr_error)
 *
 *     files, pipes -> tr_trace -> tr_batch -> your program
 *                             \-> tr_report -> tr_table
 *                             \-> tr_output
 *
 * Rules that hold everywhere
 *
 *   Structs are opaque, but for those that the caller provides: these begin with `size', to be set to their sizeof
 *   (or by the macro _INIT beside them), so that later versions can add members.  What is left 0 is the default.
 *   A function that can fail returns an enum tr_status, and says why in its last parameter; it never prints, never
 *   ends the process, and changes nothing of the process: no signals, no locale, no current folder.
 *   One object belongs to one thread at a time; objects share nothing, so each thread may have its own.
 *   Times are in ns.  A time that is absent is TR_TIME_NONE, a number TR_I64_NONE, never 0; a string TR_NO_STR.
 *   Texts are UTF-8, but may hold whatever bytes the trace had; those given with a length may hold zeros.
 *   Texts and arrays that are returned belong to the library.
 */
#ifndef TRACEPIPE_H
#define TRACEPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ABI 1u /* grows when functions or members are added */

/*
 * The TR_ABI that the library at hand was built with.  A program runs with any library whose number is not below the
 * one that it was compiled with.
 */
unsigned tr_abi(void);
const char *tr_version(void); /* "0.1.0" */

/* ---- status and errors ---- */

enum tr_status {
    TR_OK = 0,   /* done */
    TR_END,      /* no more data, and the end was a proper one; not an error */
    TR_NO,       /* done, and the answer is "no" */
    TR_USAGE,    /* the caller asked for something that makes no sense */
    TR_DAMAGED,  /* an input is malformed, cut short, of an unknown version or in the wrong order */
    TR_SYSTEM,   /* the system failed: read, write, memory, threads */
    TR_COVERAGE, /* the input covers less than the caller demanded */
    TR_MISSING,  /* done, but the input lacks what an answer would need */
    TR_ABSENT,   /* a rank, step, annotation or window that was asked for is in no input; nothing was done */
};

#if defined(__GNUC__)
#define TR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TR_PRINTF(fmt, args)
#endif

struct tr_error;
struct tr_error *tr_error_new(void); /* NULL: out of memory */
void tr_error_free(struct tr_error *err);
void tr_error_clear(struct tr_error *err); /* to use it again after a failure */

/*
 * The failure as one line, "INPUT: PLACE: WHAT: REASON OF THE SYSTEM", without what is not known; "" if there was
 * none.  Written to text, of size > 0 bytes, and cut to that (1400 are always enough).  Returns text.
 */
const char *tr_error_text(const struct tr_error *err, char *text, size_t size);

/* For functions of yours that the library calls: fill in the error and return its status. */
enum tr_status tr_fail(struct tr_error *err, enum tr_status status, const char *fmt, ...) TR_PRINTF(3, 4);
enum tr_status tr_fail_memory(struct tr_error *err); /* TR_SYSTEM: out of memory */

/* ---- what an event is made of: tr-stream(5) ---- */

#define TR_I64_NONE INT64_MIN    /* no number: absent */
#define TR_TIME_NONE TR_I64_NONE /* no time: absent, or beyond 64 bits */
#define TR_NO_STR UINT32_MAX     /* no string */

/* What kind of record it is. */
enum tr_phase {
    TR_SPAN = 0,     /* has a start and, unless it never ended, a duration */
    TR_INSTANT = 1,
    TR_COUNTER = 2,
    TR_FLOW_START = 3,
    TR_FLOW_STEP = 4,
    TR_FLOW_END = 5,
    TR_ASYNC_BEGIN = 6,
    TR_ASYNC_INSTANT = 7,
    TR_ASYNC_END = 8,
    TR_META = 9,
    TR_BEGIN = 10,   /* unpaired begin: unsorted streams, or a span whose end is missing */
    TR_SPAN_END = 11, /* unpaired end */
    TR_PHASE_UNKNOWN = 12,
    TR_N_PHASES
};

/* What was done: the same for every vendor. */
enum tr_activity {
    TR_ACT_OTHER = 0,
    TR_ACT_CPU_OP = 1,
    TR_ACT_ANNOTATION = 2,        /* user range on the host */
    TR_ACT_PYTHON = 3,
    TR_ACT_RUNTIME_API = 4,
    TR_ACT_DRIVER_API = 5,
    TR_ACT_KERNEL = 6,
    TR_ACT_MEMCPY = 7,
    TR_ACT_MEMSET = 8,
    TR_ACT_SYNC = 9,              /* wait shown on the device side; never device work */
    TR_ACT_DEVICE_ANNOTATION = 10,
    TR_ACT_COMM_RECORD = 11,      /* host record that describes a collective */
    TR_ACT_MEMORY_INSTANT = 12,
    TR_ACT_OVERHEAD = 13,
    TR_ACT_OS_API = 14,           /* call of the operating system */
    TR_ACT_HOST_COMM = 15,        /* collective that the host carries out: gloo, MPI */
    TR_N_ACTIVITIES
};

/* The kind of device work; TR_KIND_NONE for everything else. */
enum tr_kind {
    TR_KIND_NONE = 0,
    TR_KIND_COMPUTE = 1,
    TR_KIND_COMM = 2,
    TR_KIND_MEMORY = 3,
    TR_KIND_OTHER = 4,
    TR_N_KINDS
};

/* Why a value of the event cannot be true.  The value stays as found. */
enum tr_suspect {
    TR_SUSPECT_NO = 0,
    TR_SUSPECT_NEGATIVE_DUR = 1,
    TR_SUSPECT_LONG_DUR = 2,   /* longer than seven days */
    TR_SUSPECT_BEFORE_BASE = 3, /* ts below 0 in a source that names a time base */
    TR_SUSPECT_OVERFLOW = 4,   /* ts or ts + dur is so far from 0 that differences need not fit */
    TR_N_SUSPECTS
};

/* Side of a track. */
enum tr_side { TR_SIDE_HOST = 0, TR_SIDE_DEVICE = 1 };

/* Names as users write them ("kernel", "flow_start"); "?" for a number that this version does not know. */
const char *tr_phase_name(unsigned phase);
const char *tr_activity_name(unsigned activity);
const char *tr_kind_name(unsigned kind);
const char *tr_suspect_name(unsigned suspect);
/* The number of such a name; -1: there is none. */
int tr_phase_by_name(const char *name);
int tr_activity_by_name(const char *name);
int tr_kind_by_name(const char *name);

/* ---- traces ---- */

struct tr_trace;
struct tr_batch;
struct tr_dict;
struct tr_format_def; /* below */

struct tr_trace_options {
    size_t size;
    unsigned threads;         /* that read and decode [1]; any number gives the same events */
    unsigned flags;           /* TR_TRACE_STRICT | ... */
    uint64_t max_memory;      /* bytes for what has to be held; beyond it temporary files [256 MiB] */
    const char *temp_dir;     /* folder for these ["/var/tmp"] */
    const char *input_format; /* name of a format [told from the content] */
    const struct tr_format_def *const *formats; /* of the caller's, beside those of the library */
    size_t n_formats;
    /* Called for what is odd but not fatal, never by two threads at once; place may be "". */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    /* Called from time to time, likewise; total is 0 while it is unknown. */
    void (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
    void *ctx; /* of these two */
};
#define TR_TRACE_OPTIONS_INIT { sizeof(struct tr_trace_options), 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL }

enum {
    TR_TRACE_STRICT = 1,   /* refuse what would be mended */
    TR_TRACE_NO_SORT = 2,  /* leave the events of a trace in the order of the file, and begin at once */
    TR_TRACE_NO_ARGS = 4,  /* leave out args */
    TR_TRACE_RENUMBER = 8, /* give the later one of two sources of equal rank a free one */
};

/*
 * Open n > 0 inputs as one trace: files of any format, compressed or not, archives, streams, pipes; "-" is standard
 * input, "/dev/fd/N" a descriptor.  Several are merged in order of time.
 *
 * out      set on TR_OK, to be closed; NULL otherwise
 * options  NULL: the defaults; texts and formats have to outlive the trace
 *
 * TR_OK; TR_USAGE; TR_DAMAGED: an input is no trace; TR_SYSTEM.
 */
enum tr_status tr_trace_open(struct tr_trace **out, const char *const *paths, size_t n,
                             const struct tr_trace_options *options, struct tr_error *err);

/*
 * The same for events that come from no file: format->read is asked for them, and has no bytes to read.  name: of
 * the source, in messages.
 */
enum tr_status tr_trace_make(struct tr_trace **out, const char *name, const struct tr_format_def *format,
                             const struct tr_trace_options *options, struct tr_error *err);

void tr_trace_close(struct tr_trace *trace); /* NULL is allowed */

/*
 * Choose the events that take part, before the first is read.  All that is said has to hold; said again, "where"
 * adds an expression, and others take the place of what they were.  The keys and values are those of the options of
 * tr-breakdown(1):
 *
 *   "where"           an expression of tr-expr(7): "activity == kernel && dur > 50us"
 *   "rank"            "0,3,8..15"
 *   "step"            "3..5", numbers of training steps
 *   "time"            "FROM..TO", events that meet it; "host-time": those that the host began or launched in it
 *   "drop-last-step"  "1"
 *
 * TR_OK; TR_USAGE: there is no such key, or the value is malformed; or events have been read; TR_SYSTEM.
 */
enum tr_status tr_trace_select(struct tr_trace *trace, const char *key, const char *value, struct tr_error *err);

/*
 * Say which fields will be looked at, before the first event is read: others need not be decoded.  Names as for
 * tr_batch_int, and "ts", "dur", "name" and so on, as in tr-expr(7).  It is a hint: columns that were not named may
 * be NULL or not.  A trace of which some fields are left out cannot be written.
 */
enum tr_status tr_trace_want(struct tr_trace *trace, const char *const *fields, size_t n, struct tr_error *err);

/*
 * The next batch of events that were chosen; never an empty one.
 *
 * batch  valid until the next call for this trace
 *
 * TR_OK; TR_END: that was all, and the inputs were whole; TR_DAMAGED, TR_SYSTEM: something is missing, so what was
 * computed so far is no result; TR_DAMAGED also if steps or order are asked for and the trace is not sorted.
 */
enum tr_status tr_trace_next(struct tr_trace *trace, const struct tr_batch **batch, struct tr_error *err);

bool tr_trace_sorted(const struct tr_trace *trace); /* events come in order of time */
/* Of this trace; grows while it is read, and no number in it changes its meaning. */
const struct tr_dict *tr_trace_dict(const struct tr_trace *trace);

/* A source: one input file.  Texts may be NULL. */
struct tr_source_info {
    size_t size;
    int64_t rank;                 /* -1: unknown */
    const char *name, *host, *format;
    int64_t base_ns;              /* what ts counts from, ns since 1970 */
    int64_t first_ns, last_ns;    /* of all its events, chosen or not */
    uint64_t n_events, n_steps;   /* likewise */
    uint64_t n_mended, n_lost;    /* parts of the input that were damaged */
};
/* A training step of a source. */
struct tr_step_info {
    size_t size;
    int64_t number, start, end; /* ns, half-open */
};
/*
 * Sources are numbered from 0, the steps of one by start.  Complete from the beginning in a sorted trace, else only
 * when all events have been read.  False: there is no such source or step.
 */
bool tr_trace_source(const struct tr_trace *trace, size_t source, struct tr_source_info *info);
bool tr_trace_step(const struct tr_trace *trace, size_t source, size_t step, struct tr_step_info *info);

/* ---- batches: columns with one entry for each event, NULL if the column was not wanted ---- */

size_t tr_batch_count(const struct tr_batch *batch); /* events */
const struct tr_dict *tr_batch_dict(const struct tr_batch *batch);
const int64_t *tr_batch_ts(const struct tr_batch *batch);
const int64_t *tr_batch_dur(const struct tr_batch *batch);
const uint64_t *tr_batch_record(const struct tr_batch *batch);     /* number in its source */
const uint32_t *tr_batch_track(const struct tr_batch *batch);      /* for tr_dict_track */
const uint32_t *tr_batch_name(const struct tr_batch *batch);       /* for tr_dict_string, as is category */
const uint32_t *tr_batch_category(const struct tr_batch *batch);
const uint8_t *tr_batch_phase(const struct tr_batch *batch);       /* enum tr_phase */
const uint8_t *tr_batch_activity(const struct tr_batch *batch);    /* enum tr_activity */
const uint8_t *tr_batch_kind(const struct tr_batch *batch);        /* enum tr_kind */
const uint8_t *tr_batch_suspect(const struct tr_batch *batch);     /* enum tr_suspect */

/*
 * What not every event has: a member of its args, "args.KEY"; or what was worked out when the trace was parsed,
 * "launch_ts", "launch_dur", "launch_record", "launch_name", "n_device", "class", "graph_id", "graph_node", "ts_ps",
 * "dur_ps" (tr-expr(7)).
 *
 * out  one entry for each event: TR_I64_NONE, NAN or TR_NO_STR if it has no such member, or one of another type
 *
 * int: integers.  real: any number.  text: texts; arrays, objects and long numbers as their text.
 * TR_OK; TR_USAGE: there is no such field; TR_SYSTEM: out of memory.
 */
enum tr_status tr_batch_int(const struct tr_batch *batch, const char *field, int64_t *out, struct tr_error *err);
enum tr_status tr_batch_real(const struct tr_batch *batch, const char *field, double *out, struct tr_error *err);
enum tr_status tr_batch_text(const struct tr_batch *batch, const char *field, uint32_t *out, struct tr_error *err);

/* Device work is kernels, copies and fills; bars for waits and annotations are none. */
bool tr_activity_is_work(unsigned activity);

/* The text of a string number, with a zero after it; len may be NULL.  NULL: TR_NO_STR. */
const char *tr_dict_string(const struct tr_dict *dict, uint32_t string, size_t *len);
size_t tr_dict_string_count(const struct tr_dict *dict); /* numbers are below it */

/* Where events happen.  Numbers that are unknown, or are no numbers, are TR_I64_NONE; texts may be NULL. */
struct tr_track_info {
    size_t size;
    uint32_t source;
    enum tr_side side;
    int64_t rank; /* of the source; -1: unknown */
    int64_t pid, tid, device, context, stream;
    const char *process, *thread;
};
bool tr_dict_track(const struct tr_dict *dict, uint32_t track, struct tr_track_info *info); /* false: no such */
size_t tr_dict_track_count(const struct tr_dict *dict);

/* ---- writing streams ---- */

struct tr_output;

struct tr_output_options {
    size_t size;
    const char *compress; /* "none", "lz4", "zlib", or with a level, "zlib:9" ["none"] */
    unsigned threads;     /* that encode [1]; any number gives the same bytes */
    /* The program run that makes the stream, for those who ask where it comes from; program NULL: not told. */
    const char *program, *version, *command;
};
#define TR_OUTPUT_OPTIONS_INIT { sizeof(struct tr_output_options), NULL, 0, NULL, NULL, NULL }

/*
 * Begin a stream of events of a trace, after what is chosen of it was said.
 *
 * path   a file, which gets its name when it is complete; a device or a FIFO is written directly
 * write  instead: takes all n bytes or fails; ctx has to outlive the output
 */
enum tr_status tr_output_open(struct tr_output **out, const char *path, struct tr_trace *trace,
                              const struct tr_output_options *options, struct tr_error *err);
enum tr_status tr_output_open_to(struct tr_output **out,
                                 enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                                 void *ctx, struct tr_trace *trace, const struct tr_output_options *options,
                                 struct tr_error *err);
/* Write a batch that tr_trace_next has given. */
enum tr_status tr_output_batch(struct tr_output *output, const struct tr_batch *batch, struct tr_error *err);
/*
 * The end, one of two: a stream that is whole, to be written only after TR_END; or one that every reader will know
 * to be incomplete, and no file.  Both release the output, whatever they return; NULL is allowed.
 */
enum tr_status tr_output_finish(struct tr_output *output, struct tr_error *err);
void tr_output_abandon(struct tr_output *output);

/* ---- analyses ---- */

struct tr_report;
struct tr_table;

/*
 * The analyses that there are, by number from 0: name, and the question that it answers.  NULL: there are no more.
 * Names are those of programs and their views: "breakdown.idle" is tr-breakdown --by idle, whose page describes it.
 */
const char *tr_analysis_name(size_t number);
const char *tr_analysis_question(size_t number);

struct tr_report *tr_report_new(void); /* NULL: out of memory */
void tr_report_free(struct tr_report *report); /* with its tables */

/* Add an analysis by its name.  TR_USAGE: there is none. */
enum tr_status tr_report_add(struct tr_report *report, const char *name, struct tr_error *err);

/* An analysis of the caller's: events in, rows out.  Functions other than columns and feed may be NULL. */
struct tr_analysis_def {
    size_t size;
    const char *name, *question;
    void (*columns)(void *ctx, struct tr_table *table); /* tr_table_add_column for each column */
    /* Events that were chosen, all of their columns.  Rows may be added at once, if no more can change them. */
    enum tr_status (*feed)(void *ctx, const struct tr_batch *batch, struct tr_table *table, struct tr_error *err);
    enum tr_status (*finish)(void *ctx, struct tr_table *table, struct tr_error *err); /* after the last event */
};
/* def and ctx have to outlive the report. */
enum tr_status tr_report_add_own(struct tr_report *report, const struct tr_analysis_def *def, void *ctx,
                                 struct tr_error *err);

/*
 * An option of the analysis that was added last, by the name and value that its program knows: "threshold", "30us"
 * for breakdown.idle, "1" and "0" for options without a value; and of any "per": "rank", "device", "stream", "step", "capture",
 * "all"; "sort": "COLUMN[:asc|:desc]"; "top": "N",
 * rows of each group, then one for the others; "columns": "NAME,..." or "all"; "unit" of times that are printed:
 * "ns", "us" [us], "ms", "s".  TR_USAGE: the analysis has no such option, or the value is malformed.
 */
enum tr_status tr_report_set(struct tr_report *report, const char *key, const char *value, struct tr_error *err);

/* What an analysis has to say beside its rows.  Before tr_report_run; text is one line. */
void tr_report_listen(struct tr_report *report, void (*say)(void *ctx, const char *text), void *ctx);

/*
 * Read a sorted trace to its end, once for all analyses.  TR_OK; TR_ABSENT: a rank, step, annotation or window that
 * was chosen by is not in it; else as tr_trace_next, or what the analyses return.
 */
enum tr_status tr_report_run(struct tr_report *report, struct tr_trace *trace, struct tr_error *err);

/* After that: the rows of an analysis, by number in the order of adding.  NULL: there is none. */
struct tr_table *tr_report_table(struct tr_report *report, size_t number);

/* ---- tables ---- */

enum tr_cell {
    TR_CELL_STRING,
    TR_CELL_INT,    /* int64: a rank, a stream, a step */
    TR_CELL_COUNT,  /* uint64 */
    TR_CELL_TIME,   /* int64 ns; the printed name gets the unit as its suffix */
    TR_CELL_RATIO,  /* double with the column's number of decimals */
    TR_CELL_DOUBLE, /* double in the fewest digits that give it back */
};

/* What becomes of a column when rows are put together or two tables are compared. */
enum tr_column_role {
    TR_ROLE_TEXT,  /* says more about a row; of several rows together nothing is said */
    TR_ROLE_GROUP, /* the part of the job that the row is about: rank, device, stream, step */
    TR_ROLE_KEY,   /* tells the rows of a group apart */
    TR_ROLE_SUM,   /* adds up */
    TR_ROLE_COUNT, /* adds up; how many */
    TR_ROLE_MIN,
    TR_ROLE_MAX,
    TR_ROLE_INCLUSIVE, /* holds what other rows count too; of several rows together it is the sum of column `of` */
    TR_ROLE_SHARE,     /* percentage that column `of` is of a whole; shares of one whole add up */
    TR_ROLE_RATIO,     /* column `of` divided by column `per`, in percent if that is its unit */
    TR_ROLE_DIFFERENCE, /* column `of` less column `per` */
    TR_ROLE_CHANGE,    /* text: how the count in column `of` compares with that in column `per` */
    TR_ROLE_VARIANCE,  /* square of the standard error of column `of`; for comparisons */
    TR_ROLE_QUANTILE,  /* or another figure that rows do not determine, such as a standard deviation */
};

/* Texts may be NULL. */
struct tr_column_info {
    size_t size;
    const char *name; /* as printed: "busy_us" */
    enum tr_cell type;
    enum tr_column_role role;
    const char *unit, *meaning; /* of times: the unit of the name; tr_table_int is in ns all the same */
};

/* Rows and columns in the order that was asked for, from 0. */
size_t tr_table_row_count(const struct tr_table *table);
size_t tr_table_column_count(const struct tr_table *table);
bool tr_table_column_info(const struct tr_table *table, size_t column, struct tr_column_info *info); /* false: none */
/* The column of a name, with its unit or without; SIZE_MAX: there is none. */
size_t tr_table_column_by_name(const struct tr_table *table, const char *name);

/*
 * A cell.  text: with a zero after it, valid as long as the table; len may be NULL.  int: of TR_CELL_INT, _COUNT (cut
 * to INT64_MAX) and _TIME, in ns.  real: any number, times in ns.
 * NULL, TR_I64_NONE, NAN: the cell is absent, of another type, or there is no such row or column.
 */
const char *tr_table_cell_text(const struct tr_table *table, size_t row, size_t column, size_t *len);
int64_t tr_table_cell_int(const struct tr_table *table, size_t row, size_t column);
double tr_table_cell_real(const struct tr_table *table, size_t row, size_t column);

/*
 * Print a table: "text", "tsv", "csv", "json" or "md".  write gets it in pieces, and may fail.  Afterwards the table
 * has no rows.
 */
enum tr_status tr_table_print(struct tr_table *table, const char *format,
                              enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                              void *ctx, struct tr_error *err);

/*
 * For analyses: a column, and then cells from left to right, row by row; a cell has the type of its column.  unit,
 * meaning: may be NULL; copied, as are texts.  What goes wrong is kept, and tr_report_run returns it.
 */
void tr_table_add_column(struct tr_table *table, const char *name, enum tr_cell type, enum tr_column_role role,
                         const char *unit, const char *meaning);
/* NULL: absent.  len SIZE_MAX: up to its zero. */
void tr_table_put_text(struct tr_table *table, const char *text, size_t len);
void tr_table_put_int(struct tr_table *table, int64_t value);
void tr_table_put_count(struct tr_table *table, uint64_t value);
void tr_table_put_time(struct tr_table *table, int64_t ns);   /* TR_TIME_NONE: absent */
void tr_table_put_real(struct tr_table *table, double value); /* NAN: absent */
void tr_table_put_absent(struct tr_table *table);

/* ---- formats ---- */

struct tr_ingest;

/* A format of the caller's.  Functions other than read may be NULL. */
struct tr_format_def {
    size_t size;
    const char *name, *brief; /* "csv"; one line */
    /*
     * How much does an input that begins so look like this format?  0: not at all; 100: it can be nothing else; from
     * 80 on the first 64 bytes are enough, else it is asked again with 64 KiB.  The best score wins.  NULL: only
     * where options->input_format names it.
     */
    int (*probe)(void *ctx, const unsigned char *start, size_t n);
    /* An input is opened: *state is what read gets.  NULL: ctx. */
    enum tr_status (*open)(void *ctx, void **state, struct tr_error *err);
    /* Tell what comes next, one event or some thousands.  TR_OK: call again; TR_END: that was all; or a failure. */
    enum tr_status (*read)(void *state, struct tr_ingest *ingest, struct tr_error *err);
    void (*close)(void *state); /* after open has given TR_OK */
    void *ctx;
};

/* The next bytes of the input, decompressed, at most cap.  TR_OK with *got > 0, TR_END, or a failure. */
enum tr_status tr_ingest_read(struct tr_ingest *ingest, void *bytes, size_t cap, size_t *got, struct tr_error *err);

/*
 * An event: begin, what is known of it in any order, end.  Steps, launches and their work, order and counts are
 * worked out by the library.
 */
void tr_ingest_begin(struct tr_ingest *ingest, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns);
void tr_ingest_record(struct tr_ingest *ingest, uint64_t record); /* its number in the order of the source */
void tr_ingest_name(struct tr_ingest *ingest, const char *name, size_t len);
void tr_ingest_category(struct tr_ingest *ingest, const char *category, size_t len);
void tr_ingest_activity(struct tr_ingest *ingest, enum tr_activity activity); /* [what category and name suggest] */
/* Where it happened; TR_I64_NONE: not known. */
void tr_ingest_on_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid);
void tr_ingest_on_stream(struct tr_ingest *ingest, int64_t pid, int64_t device, int64_t context, int64_t stream);

/* Where a key that joins launches and device work means one thing. */
enum tr_link_scope {
    TR_LINK_SOURCE,
    TR_LINK_PROCESS, /* of the event's track */
    TR_LINK_CONTEXT, /* pid, device and context of the event's track */
};
/* The event launches work, or is work that was launched: the same key on both. */
void tr_ingest_correlate(struct tr_ingest *ingest, enum tr_link_scope scope, int64_t key);
void tr_ingest_step(struct tr_ingest *ingest, int64_t number); /* the event is a training step of this number */
/* Arguments, in their order.  json: one array or object, clean and without blanks. */
void tr_ingest_arg_int(struct tr_ingest *ingest, const char *key, int64_t value);
void tr_ingest_arg_real(struct tr_ingest *ingest, const char *key, double value);
void tr_ingest_arg_text(struct tr_ingest *ingest, const char *key, const char *text, size_t len);
void tr_ingest_arg_json(struct tr_ingest *ingest, const char *key, const char *json, size_t len);
enum tr_status tr_ingest_end(struct tr_ingest *ingest, struct tr_error *err);

/* What the source says of itself, once. */
void tr_ingest_rank(struct tr_ingest *ingest, int64_t rank);
void tr_ingest_host(struct tr_ingest *ingest, const char *host, size_t len);
void tr_ingest_base(struct tr_ingest *ingest, int64_t base_ns); /* what ts 0 is, in ns since 1970 */
/* Names of processes and threads; sort: their place among others in a viewer, TR_I64_NONE: none is told. */
void tr_ingest_process(struct tr_ingest *ingest, int64_t pid, const char *name, size_t len, int64_t sort);
void tr_ingest_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort);

/*
 * Something was damaged, and mended or left out: counted, told by warn, and passed on with the events.
 *
 * name    of the cause, stable, at most 31 bytes: "bad_line"
 * text    at most 95 bytes: what is wrong, a comma, what was made of it: "no number, left out"
 * loses   it costs events
 * offset  where, in bytes of the input
 */
void tr_ingest_damage(struct tr_ingest *ingest, const char *name, const char *text, bool loses, uint64_t offset);

#ifdef __cplusplus
}
#endif
#endif
