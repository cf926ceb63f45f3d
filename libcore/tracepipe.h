/* SPDX-License-Identifier: MIT */
/*
 * tracepipe.h: read, select, analyse and write traces of accelerator work.  This is the whole interface of libtrcore;
 * libtrcore(3) introduces it.
 *
 * The model
 *
 *   trace    one or several inputs of any format, read as one sequence of events, merged by time (struct tr_trace)
 *   batch    the next few thousand events of a trace, as columns: ts, dur, name, ... (struct tr_batch)
 *   dict     the strings and tracks that numbers in columns stand for (struct tr_dict)
 *   dataset  a trace that is read once, and asked any number of times (struct tr_dataset)
 *   report   any number of analyses, computed in one pass over a trace (struct tr_report)
 *   table    the rows of an analysis (struct tr_table)
 *   output   a stream of events to be written (struct tr_output)
 *   arrow    rows or events as arrays in memory, for programs that use Apache Arrow (struct ArrowArray)
 *   ingest   takes the events of a format of the caller (struct tr_ingest)
 *   error    the reason of a failure (struct tr_error)
 *
 *     files, pipes -> tr_trace -> tr_batch -> your program
 *                             \-> tr_report -> tr_table
 *                             \-> tr_output
 *
 * Rules that hold everywhere
 *
 *   Structs are opaque, except those that the caller provides.  The first member of these is `size'.  Set it to the
 *   sizeof of the struct, or use the macro that ends in _INIT; so later versions can add members.  A member that is 0
 *   means the default.
 *   A function that can fail returns an enum tr_status, and describes the failure in its last parameter.
 *   No function prints or ends the process.  None changes signals, the locale or the current folder.
 *   Only one thread at a time may use an object, except to open traces of a data set.  Objects share nothing, so each
 *   thread may have its own.
 *   Times are in ns.  An absent time is TR_TIME_NONE, an absent number TR_I64_NONE, an absent string TR_NO_STR; none
 *   of them is 0.
 *   Texts are UTF-8, but may have any bytes that the trace had.  Texts with a length may have zeros.
 *   Texts and arrays that functions return belong to the library.
 */
#ifndef TRACEPIPE_H
#define TRACEPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ABI 4u /* grows when functions or members are added */

/*
 * The TR_ABI of the library that the program runs with.  It must not be below the TR_ABI that the program was compiled
 * with.
 */
unsigned tr_abi(void);
const char *tr_version(void); /* "0.1.0" */

/* ---- status and errors ---- */

enum tr_status {
    TR_OK = 0,   /* done */
    TR_END,      /* no more data, and the input is complete; not an error */
    TR_NO,       /* done, and the answer is "no" */
    TR_USAGE,    /* the arguments of the call are wrong */
    TR_DAMAGED,  /* an input is malformed, cut short, of an unknown version or in the wrong order */
    TR_SYSTEM,   /* the system failed: read, write, memory, threads */
    TR_COVERAGE, /* the input covers less than the required minimum */
    TR_MISSING,  /* done, but the input has no data for an answer */
    TR_ABSENT,   /* no input has the selected rank, step, annotation or window; nothing was done */
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
 * The failure as one line, "INPUT: PLACE: WHAT: REASON OF THE SYSTEM", without the parts that are unknown; "" if there
 * was no failure.
 *
 * text  gets the line, cut to size > 0 bytes; 1400 bytes are always enough
 *
 * Returns text.
 */
const char *tr_error_text(const struct tr_error *err, char *text, size_t size);

/* The failure in parts. */
struct tr_error_info {
    size_t size;
    enum tr_status status; /* TR_OK: there was no failure; then all texts are "" */
    int sys_errno;         /* the reason of the system; 0: none */
    /* The byte that the place names; of a compressed input, the place says whether as stored or as decompressed. */
    int64_t offset; /* TR_I64_NONE: it names none */
    const char *input, *place, *what; /* as in the line; valid until the error changes */
};
void tr_error_fields(const struct tr_error *err, struct tr_error_info *info);

/* For functions of the caller that the library calls: set the error, and return its status. */
enum tr_status tr_fail(struct tr_error *err, enum tr_status status, const char *fmt, ...) TR_PRINTF(3, 4);
enum tr_status tr_fail_text(struct tr_error *err, enum tr_status status, const char *what); /* what is no format */
enum tr_status tr_fail_memory(struct tr_error *err); /* TR_SYSTEM: out of memory */

/* ---- events: tr-stream(5) ---- */

#define TR_I64_NONE INT64_MIN    /* an absent number */
#define TR_TIME_NONE TR_I64_NONE /* an absent time, or one beyond 64 bits */
#define TR_NO_STR UINT32_MAX     /* an absent string */

/* The sort of an event. */
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
    TR_BEGIN = 10,   /* unpaired begin: in an unsorted stream, or its end is missing */
    TR_SPAN_END = 11, /* unpaired end */
    TR_PHASE_UNKNOWN = 12,
    TR_N_PHASES
};

/* The activity of an event, the same for every vendor. */
enum tr_activity {
    TR_ACT_OTHER = 0,
    TR_ACT_CPU_OP = 1,
    TR_ACT_ANNOTATION = 2,        /* range on the host that the program or its framework marked */
    TR_ACT_PYTHON = 3,
    TR_ACT_RUNTIME_API = 4,
    TR_ACT_DRIVER_API = 5,
    TR_ACT_KERNEL = 6,
    TR_ACT_MEMCPY = 7,
    TR_ACT_MEMSET = 8,
    TR_ACT_SYNC = 9,              /* wait shown on the device; it is not device work */
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

/* Why a value of the event is impossible.  The value itself is unchanged. */
enum tr_suspect {
    TR_SUSPECT_NO = 0,
    TR_SUSPECT_NEGATIVE_DUR = 1,
    TR_SUSPECT_LONG_DUR = 2,   /* longer than seven days */
    TR_SUSPECT_BEFORE_BASE = 3, /* ts below 0 in a source that names a time base */
    TR_SUSPECT_OVERFLOW = 4,   /* ts or ts + dur is so far from 0 that differences may overflow */
    TR_SUSPECT_ZERO_TIME = 5,  /* device work with a launch, whose ts and dur are 0: its times were not recorded */
    TR_N_SUSPECTS
};

/* Side of a track. */
enum tr_side { TR_SIDE_HOST = 0, TR_SIDE_DEVICE = 1 };

/* Names as in tr-expr(7): "kernel", "flow_start"; "?" for an unknown number. */
const char *tr_phase_name(unsigned phase);
const char *tr_activity_name(unsigned activity);
const char *tr_kind_name(unsigned kind);
const char *tr_suspect_name(unsigned suspect);
/* The number of a name; -1: unknown name. */
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
    unsigned threads;         /* for reading and decoding [1]; any number gives the same events */
    unsigned flags;           /* TR_TRACE_STRICT | ... */
    uint64_t max_memory;      /* bytes; beyond this, events go to temporary files [256 MiB] */
    const char *temp_dir;     /* folder for temporary files ["/var/tmp"] */
    const char *input_format; /* name of a format [detected from the content] */
    const struct tr_format_def *const *formats; /* formats of the caller, in addition to those of the library */
    size_t n_formats;
    /* Called for damage and other warnings, never by two threads at once; place may be "". */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    /* Called from time to time, never by two threads at once; total_bytes is 0 while it is unknown. */
    void (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
    void *ctx; /* for warn, progress and proceed */
    /*
     * As progress, and also with each batch of a sorted trace, and while analyses make their rows after the last one.
     * False: cancel; the call fails with TR_SYSTEM and ECANCELED.
     */
    bool (*proceed)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
};
#define TR_TRACE_OPTIONS_INIT { sizeof(struct tr_trace_options), 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL }

enum {
    TR_TRACE_STRICT = 1,   /* refuse damage instead of repairing it */
    TR_TRACE_NO_SORT = 2,  /* keep the order of the file; the first events come at once */
    TR_TRACE_NO_ARGS = 4,  /* leave out args */
    TR_TRACE_RENUMBER = 8, /* if two sources have one rank, give the later source a free rank */
};

/*
 * Open n > 0 inputs as one trace: files of any format, compressed or not, archives, streams, pipes; "-" is standard
 * input, "/dev/fd/N" a descriptor.  Several inputs are merged in order of time.
 *
 * out      set on TR_OK, close it with tr_trace_close; NULL otherwise
 * options  NULL: the defaults; texts and formats must outlive the trace
 *
 * TR_OK; TR_USAGE; TR_DAMAGED: an input is not a trace; TR_SYSTEM.
 */
enum tr_status tr_trace_open(struct tr_trace **out, const char *const *paths, size_t n,
                             const struct tr_trace_options *options, struct tr_error *err);

/* An input in memory: n bytes as they would be in a file of any format, compressed or not, or an archive. */
struct tr_memory_input {
    size_t size;
    const char *name; /* for messages, and for the rank if nothing else gives one; it need not be that of a file */
    const void *bytes;
    size_t n;
};

/* The same for inputs in memory.  Their bytes must outlive the trace. */
enum tr_status tr_trace_open_memory(struct tr_trace **out, const struct tr_memory_input *const *inputs, size_t n,
                                    const struct tr_trace_options *options, struct tr_error *err);

/*
 * The same for events that are not in a file.  format->read gives the events, and has no bytes to read.
 *
 * name  of the source, for messages
 */
enum tr_status tr_trace_make(struct tr_trace **out, const char *name, const struct tr_format_def *format,
                             const struct tr_trace_options *options, struct tr_error *err);

void tr_trace_close(struct tr_trace *trace); /* NULL is allowed */

/*
 * Select events, before the first is read.  An event must pass all selections.  A second "where" adds an expression;
 * a second value of any other key replaces the first.  Keys and values are those of options of tr-breakdown(1):
 *
 *   "where"           an expression of tr-expr(7): "activity == kernel && dur > 50us"
 *   "rank"            "0,3,8..15"
 *   "step"            "3..5", numbers of training steps
 *   "time"            "FROM..TO", events that overlap this window
 *   "host-time"       "FROM..TO", events that started, or were launched, on the host in this window
 *   "drop-last-step"  "1"
 *   "suspect"         "include": analyses also count events with impossible times; selects nothing
 *
 * TR_OK; TR_USAGE: unknown key, malformed value, or events have been read; TR_SYSTEM.
 */
enum tr_status tr_trace_select(struct tr_trace *trace, const char *key, const char *value, struct tr_error *err);

/*
 * Name the fields that the caller needs, before the first event is read.  Other fields need not be decoded: their
 * columns may be NULL.  Names are those of tr_batch_int, and "ts", "dur", "name" and so on as in tr-expr(7).
 * A trace without all of its fields cannot be written.
 */
enum tr_status tr_trace_want(struct tr_trace *trace, const char *const *fields, size_t n, struct tr_error *err);

/*
 * The next batch of selected events; never empty.
 *
 * batch  valid until the next call for this trace
 *
 * TR_OK; TR_END: no more events, and the inputs are complete; TR_DAMAGED, TR_SYSTEM: events are missing, so nothing
 * computed so far is a result; TR_DAMAGED also if a selection needs a sorted trace and this one is not.
 */
enum tr_status tr_trace_next(struct tr_trace *trace, const struct tr_batch **batch, struct tr_error *err);

bool tr_trace_sorted(const struct tr_trace *trace); /* events are in order of time */
/* The dictionary of this trace.  It grows while the trace is read, but no number changes its meaning. */
const struct tr_dict *tr_trace_dict(const struct tr_trace *trace);

/* A source: one input file.  Texts may be NULL. */
struct tr_source_info {
    size_t size;
    int64_t rank;                 /* -1: unknown */
    const char *name, *host, *format;
    int64_t base_ns;              /* the time that ts counts from, ns since 1970 */
    int64_t first_ns, last_ns;    /* first start and last end of all its events, selected or not */
    uint64_t n_events, n_steps;   /* of all its events, selected or not */
    uint64_t n_repaired, n_lost;    /* parts of the input that were repaired, or lost */
};
/* A training step of a source. */
struct tr_step_info {
    size_t size;
    int64_t number, start, end; /* ns, half-open */
};
/*
 * Sources are numbered from 0, and the steps of a source in the order of their starts.  In a sorted trace, they are
 * known from the start; otherwise only after all events have been read.  False: there is no such source or step.
 */
bool tr_trace_source(const struct tr_trace *trace, size_t source, struct tr_source_info *info);
bool tr_trace_step(const struct tr_trace *trace, size_t source, size_t step, struct tr_step_info *info);

/* ---- data sets ---- */

/*
 * A trace that is read once, to be asked any number of times: with other selections, in other views, by several threads
 * at the same time.
 *
 *     tr_dataset_new(&set, trace, err);                the trace may be closed after this
 *     tr_dataset_open(set, &again, NULL, err);         as often as needed
 *     tr_trace_select(again, "step", "3..5", err);
 *     tr_report_run(report, again, err);
 *     tr_trace_close(again);
 *     tr_dataset_free(set);                            when no trace of it is open
 */
struct tr_dataset;

/*
 * Read a trace of which nothing has been read to its end, and keep the selected events: packed, in half of max_memory
 * of the options of the trace, and beyond that in a temporary file.  *out: NULL unless the result is TR_OK.  TR_OK;
 * TR_USAGE: events have been read, or only some fields are wanted; otherwise the status of tr_trace_next.
 */
enum tr_status tr_dataset_new(struct tr_dataset **out, struct tr_trace *trace, struct tr_error *err);
void tr_dataset_free(struct tr_dataset *set); /* NULL is allowed */

/* The events as a trace, from the first on.  Several threads may call it at the same time.  Status of tr_trace_open. */
enum tr_status tr_dataset_open(const struct tr_dataset *set, struct tr_trace **out,
                               const struct tr_trace_options *options, struct tr_error *err);

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
 * A field that only some events have: a member of args, "args.KEY", or a derived field: "launch_ts", "launch_dur",
 * "launch_record", "api", "n_device", "class", "graph_id", "graph_node", "ts_ps", "dur_ps" (tr-stream(5)).
 *
 * out  one entry for each event; TR_I64_NONE, NAN or TR_NO_STR if the field is missing or has another type
 *
 * tr_batch_int gives integers, and tr_batch_real any number.  tr_batch_text gives texts; arrays, objects and numbers
 * of too many digits are texts, too.
 * TR_OK; TR_USAGE: there is no such field; TR_SYSTEM: out of memory.
 */
enum tr_status tr_batch_int(const struct tr_batch *batch, const char *field, int64_t *out, struct tr_error *err);
enum tr_status tr_batch_real(const struct tr_batch *batch, const char *field, double *out, struct tr_error *err);
enum tr_status tr_batch_text(const struct tr_batch *batch, const char *field, uint32_t *out, struct tr_error *err);

/* Is it device work?  Kernels, copies and memsets are; waits and annotations on the device are not. */
bool tr_activity_is_work(unsigned activity);

/* The text of a string, with a zero after it; NULL for TR_NO_STR.  len may be NULL. */
const char *tr_dict_string(const struct tr_dict *dict, uint32_t string, size_t *len);
size_t tr_dict_string_count(const struct tr_dict *dict); /* strings are numbered from 0 */

/* Where events happen.  An unknown number, or a text instead of a number, is TR_I64_NONE; texts may be NULL. */
struct tr_track_info {
    size_t size;
    uint32_t source;
    enum tr_side side;
    int64_t rank; /* of the source; -1: unknown */
    int64_t pid, tid, device, context, stream;
    const char *process, *thread;
};
bool tr_dict_track(const struct tr_dict *dict, uint32_t track, struct tr_track_info *info); /* false: no such track */
size_t tr_dict_track_count(const struct tr_dict *dict);

/* ---- arrays of Arrow ---- */

/* The type of the cells of a column. */
enum tr_cell {
    TR_CELL_STRING,
    TR_CELL_INT,    /* int64: a rank, a stream, a step */
    TR_CELL_COUNT,  /* uint64 */
    TR_CELL_TIME,   /* int64 ns; the printed name of the column ends in the unit */
    TR_CELL_RATIO,  /* double with a fixed number of decimals */
    TR_CELL_DOUBLE, /* double with the fewest digits that give it back */
};
#define TR_CELL_ANY ((enum tr_cell)255) /* of tr_batch_arrow and tr_trace_arrow: by the values */

/*
 * The structs of Arrow's C data interface, as Apache Arrow specifies them: one describes a column or a row of columns,
 * the other has its values.  A library that imports them takes them over, and calls release when they are no longer
 * used.  A program that reads them itself calls release.  They do not depend on the object that they were made from.
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format; /* the type: "+s" columns, "l" int64, "L" uint64, "g" double, "U" UTF-8 with 64-bit offsets */
    const char *name;
    const char *metadata; /* pairs of key and value: their number, then length and bytes of each, as int32 */
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *schema); /* NULL: it has been released */
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset;
    int64_t n_buffers, n_children;
    const void **buffers; /* which entries have values, as bits; offsets of texts; the values */
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *array);
    void *private_data;
};

#endif

/*
 * Events of a batch as a record batch: a struct with a column for each field.  Names of fields are those of
 * tr_trace_want; offered are
 *
 *   record ts dur end phase name cat activity kind suspect source rank host pid tid device context stream process
 *   thread, the derived fields, and args.KEY
 *
 * Names of times end in _ns: "ts_ns".  Phases, activities, kinds and reasons of suspect are their names.  What an
 * event does not have is null; so are a pid and a tid that are texts.  Bytes that are no UTF-8 become U+FFFD.
 *
 * fields  NULL: record ts dur phase name cat activity kind rank device stream pid tid process thread, of these what was
 *         wanted; n is not used then
 * types   of columns args.KEY: TR_CELL_INT, TR_CELL_DOUBLE or TR_CELL_STRING.  A value that is none is null; all
 *         values have a text.  NULL, or TR_CELL_ANY: by the values seen so far in the trace, so it may change from
 *         batch to batch; for the other fields it does not count
 *
 * TR_OK: schema and array are set; TR_USAGE: there is no such field, or it was not wanted; TR_SYSTEM: out of memory.
 */
enum tr_status tr_batch_arrow(const struct tr_batch *batch, const char *const *fields, const enum tr_cell *types,
                              size_t n, struct ArrowSchema *schema, struct ArrowArray *array, struct tr_error *err);

/* A stream of record batches, as Apache Arrow specifies its C stream interface. */
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *out); /* 0, or an errno */
    int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out); /* out->release NULL: the end */
    const char *(*get_last_error)(struct ArrowArrayStream *stream);           /* NULL: none */
    void (*release)(struct ArrowArrayStream *stream);
    void *private_data;
};

#endif

/*
 * All events of a trace of which nothing has been read, batch by batch, as tr_batch_arrow gives them.  The fields are
 * wanted by this call (tr_trace_want).  All batches have one type for a field: of args.KEY without a type, that of the
 * values known when the first batch has been read; if later values have another type, the stream fails, and says so.
 *
 * TR_OK: the stream owns the trace, and closes it when it is released; otherwise the status of tr_trace_want or
 * tr_trace_next, and the trace is still the caller's.
 */
enum tr_status tr_trace_arrow(struct tr_trace *trace, const char *const *fields, const enum tr_cell *types, size_t n,
                              struct ArrowArrayStream *stream, struct tr_error *err);

/* ---- writing streams ---- */

struct tr_output;

struct tr_output_options {
    size_t size;
    const char *compress; /* "none", "lz4", "zlib", or with a level, "zlib:9" ["none"] */
    unsigned threads;     /* for encoding [1]; any number gives the same bytes */
    /* The provenance: the program run that writes the stream.  program NULL: none. */
    const char *program, *version, *command;
};
#define TR_OUTPUT_OPTIONS_INIT { sizeof(struct tr_output_options), NULL, 0, NULL, NULL, NULL }

/*
 * Start a stream of the events of a trace, after all tr_trace_select.
 *
 * path   a file, which appears under its name only when it is complete; a device or a FIFO is written directly
 * write  instead of a file: takes all n bytes or fails; ctx must outlive the output
 */
enum tr_status tr_output_open(struct tr_output **out, const char *path, struct tr_trace *trace,
                              const struct tr_output_options *options, struct tr_error *err);
enum tr_status tr_output_open_to(struct tr_output **out,
                                 enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                                 void *ctx, struct tr_trace *trace, const struct tr_output_options *options,
                                 struct tr_error *err);
/* Write a batch of tr_trace_next. */
enum tr_status tr_output_batch(struct tr_output *output, const struct tr_batch *batch, struct tr_error *err);
/*
 * End the output in one of two ways.  finish completes the stream; call it only after TR_END.  abandon leaves a stream
 * that every reader refuses as incomplete, and no file.  Both always release the output; NULL is allowed.
 */
enum tr_status tr_output_finish(struct tr_output *output, struct tr_error *err);
void tr_output_abandon(struct tr_output *output);

/* ---- analyses ---- */

struct tr_report;
struct tr_table;

/*
 * Analyses are numbered from 0.  The name of one, and the question that it answers; NULL: there are no more.  A name is
 * that of a program and its view: "breakdown.idle" is tr-breakdown --by idle.  The page of the program describes it.
 */
size_t tr_analysis_count(void);
const char *tr_analysis_name(size_t number);
const char *tr_analysis_question(size_t number);

/* How the value of an option is written, and what the program has in its struct of options. */
enum tr_option_type {
    TR_OPTION_FLAG,   /* bool: 1 or 0 */
    TR_OPTION_U64,    /* uint64_t: a whole number */
    TR_OPTION_I64,    /* int64_t: a whole number */
    TR_OPTION_DOUBLE, /* double: a number */
    TR_OPTION_SIZE,   /* uint64_t: bytes, "64MiB" */
    TR_OPTION_TIME,   /* int64_t: ns; "30us" */
    TR_OPTION_TEXT,   /* const char * */
    TR_OPTION_FILE,   /* const char *: the name of a file */
    TR_OPTION_DIR,    /* const char *: the name of a folder */
    TR_OPTION_CHOICE, /* int or an enum: one of the choices */
    TR_OPTION_LIST,   /* a list of texts: may be set several times */
    TR_OPTION_NAMES,  /* a regular expression, extended and unanchored */
    TR_OPTION_CALL,   /* a text of a form of its own, or the name of a file */
    TR_OPTION_BITS,   /* unsigned: a set of choices, with commas between */
};

struct tr_option_info {
    size_t size;
    const char *name;     /* the key of tr_report_set */
    enum tr_option_type type;
    const char *value;    /* what stands for the value in the pages: "TIME"; NULL: a flag */
    const char *help;     /* one clause, with the default in brackets */
    const char *const *choices; /* TR_OPTION_CHOICE; NULL at its end */
    char standard[64];    /* the default as a value of tr_report_set; "": none, or only help has it */
};

/* Option number i of an analysis.  False: there are no more. */
bool tr_analysis_option(size_t number, size_t i, struct tr_option_info *info);
/* Value number i of the option "keys" of an analysis.  NULL: there are no more. */
const char *tr_analysis_key(size_t number, size_t i);

struct tr_report *tr_report_new(void); /* NULL: out of memory */
void tr_report_free(struct tr_report *report); /* with its tables */

/* Add an analysis by its name; the name of a program is that of its first view.  TR_USAGE: unknown name. */
enum tr_status tr_report_add(struct tr_report *report, const char *name, struct tr_error *err);

/* An analysis of the caller: it takes events and adds rows.  Functions other than columns and feed may be NULL. */
struct tr_analysis_def {
    size_t size;
    const char *name, *question;
    void (*columns)(void *ctx, struct tr_table *table); /* tr_table_add_column for each column */
    /* The next selected events, with all columns.  It may add rows that no later event can change. */
    enum tr_status (*feed)(void *ctx, const struct tr_batch *batch, struct tr_table *table, struct tr_error *err);
    enum tr_status (*finish)(void *ctx, struct tr_table *table, struct tr_error *err); /* after the last event */
};
/* def and ctx must outlive the report. */
enum tr_status tr_report_add_own(struct tr_report *report, const struct tr_analysis_def *def, void *ctx,
                                 struct tr_error *err);

/*
 * Set an option of the analysis that was added last.  Key and value are those of the program, such as "threshold" and
 * "30us" for breakdown.idle; an option without a value takes "1" or "0", and one that may be repeated is set again.
 * Files are read at once, except those of captures and rules, which tr_report_columns or tr_report_run reads.  All
 * analyses have these options:
 *
 *   "per"      "rank", "device", "stream", "step", "capture" or "all"
 *   "sort"     "COLUMN", "COLUMN:asc" or "COLUMN:desc"
 *   "top"      "N": rows of each group; one more row sums up the others
 *   "top-per"  "COLUMN": the rows of "top" for each value of this column
 *   "columns"  "NAME,..." or "all"
 *   "align"    "1": all analyses of the report compare ranks on one clock, found from collectives: tr-comm --align
 *   "short-names"  "1": names without template arguments and parameters
 *   "unit"     of times in printed tables: "ns", "us" [us], "ms" or "s"
 *   "keys"     "KEY,...", as after the view in --by operator,shape; only of analyses that have keys
 *
 * TR_USAGE: the analysis has no such option, or the value is malformed.
 */
enum tr_status tr_report_set(struct tr_report *report, const char *key, const char *value, struct tr_error *err);

/* Call this function with each remark of an analysis, a text of one line.  Set it before tr_report_run. */
void tr_report_listen(struct tr_report *report, void (*say)(void *ctx, const char *text), void *ctx);

/*
 * Read a sorted trace to its end, once for all analyses.  A trace may have partial results among its inputs: then the
 * analyses are those that were saved, with the same options, and their rows are of all partial results and events
 * together.  TR_OK; TR_ABSENT: the trace does not have the selected rank,
 * step, annotation or window; otherwise the status of tr_trace_next, or of an analysis.  Captures of graphs add strings
 * to the dictionary, so their trace gets another one: call tr_trace_dict again.  After TR_SYSTEM, only close the trace.
 */
enum tr_status tr_report_run(struct tr_report *report, struct tr_trace *trace, struct tr_error *err);

/*
 * The same as tr_report_run, but the result is saved as a partial result: a stream without events, an input like any
 * other, which --save-partial of the programs writes, too.  It may be made from partial results itself.
 *
 * write  takes all n bytes or fails
 *
 * TR_USAGE also if an analysis, or one of its options, has no partial results that could be merged.
 */
enum tr_status tr_report_save(struct tr_report *report, struct tr_trace *trace,
                              enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                              void *ctx, struct tr_error *err);

/*
 * Add the analyses whose partial results a trace has, with the options that they were saved with.  TR_USAGE: there are
 * none, or of another version.
 */
enum tr_status tr_report_add_saved(struct tr_report *report, const struct tr_trace *trace, struct tr_error *err);
const char *tr_report_name(const struct tr_report *report, size_t number); /* of an analysis; NULL: there is none */

/*
 * The columns of an analysis with the options that were set, as a table without rows, for tr_table_column_info.  The
 * report owns it.  Analyses whose columns depend on the data have more of them after tr_report_run.
 *
 * number  of the analysis, from 0, as they were added
 * out     NULL unless the result is TR_OK
 *
 * TR_OK; TR_USAGE: no such analysis, or options contradict each other; TR_SYSTEM.
 */
enum tr_status tr_report_columns(struct tr_report *report, size_t number, const struct tr_table **out,
                                 struct tr_error *err);

/*
 * After a run that succeeded: the rows of an analysis, numbered from 0 as they were added.  NULL: no such analysis, or
 * there was no such run.
 */
struct tr_table *tr_report_table(struct tr_report *report, size_t number);

/* ---- two runs ---- */

struct tr_comparison;

struct tr_compare_options {
    size_t size;
    /* The rows: events with equal "name", "short-name", "kernel", "operator", "class", "step" or "path" ["name"]; */
    /* "operator,shape" and "operator,args" refine operators; "tree", "tree,kernel", "tree,pair" or "tree,node". */
    const char *by;
    const char *columns, *sort; /* as options of a report */
    uint64_t top;
    bool profiler;     /* spans of the profiler count, too */
    bool changed_only; /* only rows in which something differs */
};
#define TR_COMPARE_OPTIONS_INIT { sizeof(struct tr_compare_options), NULL, NULL, NULL, 0, false, false }

/*
 * Compare two traces of which nothing has been read, as tr-diff(1) does.  Their selections hold.
 *
 * options  NULL: the defaults
 *
 * TR_OK: *out is set; TR_USAGE: an option is malformed; otherwise the status of tr_report_run.
 */
enum tr_status tr_compare(struct tr_comparison **out, struct tr_trace *base, struct tr_trace *test,
                          const struct tr_compare_options *options, struct tr_error *err);
/*
 * The same for two tables of one analysis, as tr-diff --of does.  Rows are matched by their keys, and each figure X has
 * base_X, test_X, diff_X and pct_X.  Tables with "top" are refused, because they do not have all rows.
 *
 * keys     names of columns with commas between; NULL: as the analysis says
 * options  of these, columns, sort and top count
 */
enum tr_status tr_compare_tables(struct tr_comparison **out, struct tr_table *base, struct tr_table *test,
                                 const char *keys, const struct tr_compare_options *options, struct tr_error *err);
void tr_comparison_free(struct tr_comparison *comparison); /* with its tables; NULL is allowed */
/* The rows: what differs; and the main figures of both runs, NULL for trees and tables: tr-diff --by headline. */
struct tr_table *tr_comparison_rows(struct tr_comparison *comparison);
struct tr_table *tr_comparison_headline(struct tr_comparison *comparison);

/* ---- tables ---- */

/* How the cells of a column are combined when rows are summed up or two tables are compared. */
enum tr_column_role {
    TR_ROLE_TEXT,  /* describes a row; a row that sums up others has no value */
    TR_ROLE_GROUP, /* the part of the job that the row is about: rank, device, stream, step */
    TR_ROLE_KEY,   /* distinguishes the rows of a group */
    TR_ROLE_SUM,   /* is added up */
    TR_ROLE_COUNT, /* a number of things; is added up */
    TR_ROLE_MIN,
    TR_ROLE_MAX,
    TR_ROLE_INCLUSIVE, /* includes amounts of other rows; the combined value is the sum of column `of` */
    TR_ROLE_SHARE,     /* column `of` in percent of its sum; is added up */
    TR_ROLE_RATIO,     /* column `of` divided by column `per`, in percent if that is its unit */
    TR_ROLE_DIFFERENCE, /* column `of` less column `per` */
    TR_ROLE_CHANGE,    /* text: how the count in column `of` compares with the one in column `per` */
    TR_ROLE_VARIANCE,  /* square of the standard error of column `of`; for comparisons */
    TR_ROLE_QUANTILE,  /* a figure that rows do not determine: a quantile, a standard deviation */
    TR_ROLE_MEAN,      /* a mean; combined with the counts of column `per` as weights */
    TR_ROLE_TIME,      /* a moment; a row that sums up others has no value, and two moments are not compared */
    TR_ROLE_RANK,      /* a rank that the row names, likewise */
};

/* Texts may be NULL. */
struct tr_column_info {
    size_t size;
    const char *name; /* as printed: "busy_us" */
    enum tr_cell type;
    enum tr_column_role role;
    const char *unit, *meaning; /* unit of a time: that of the printed name; tr_table_cell_int gives ns in any case */
};

/*
 * Rows and columns are numbered from 0, in the order of the options "sort" and "columns".  For NULL instead of a table,
 * functions give what they give for a row or column that does not exist; tr_table_print returns TR_USAGE.
 */
size_t tr_table_row_count(const struct tr_table *table);
size_t tr_table_column_count(const struct tr_table *table);
bool tr_table_column_info(const struct tr_table *table, size_t column, struct tr_column_info *info); /* false: none */
/* The column with a name, with or without the unit; SIZE_MAX: there is none. */
size_t tr_table_column_by_name(const struct tr_table *table, const char *name);

/*
 * A cell.  NULL, TR_I64_NONE or NAN: the cell is absent or of another type, or there is no such row or column.
 *
 * text  has a zero after it, and is valid as long as the table; len may be NULL
 * int   of TR_CELL_INT, TR_CELL_COUNT (at most INT64_MAX) and TR_CELL_TIME in ns
 * real  any number; times in ns
 */
const char *tr_table_cell_text(const struct tr_table *table, size_t row, size_t column, size_t *len);
int64_t tr_table_cell_int(const struct tr_table *table, size_t row, size_t column);
double tr_table_cell_real(const struct tr_table *table, size_t row, size_t column);

/*
 * A whole column: one entry for each row, in the order of rows.
 *
 * values  TR_I64_NONE, NAN or NULL: the cell is absent
 * lens    of the texts, in bytes; NULL: not needed
 * valid   one byte for each row: 1 if the cell has a value, else 0; NULL: not needed
 *
 * Types and texts are as for cells: i64 takes no column of TR_CELL_RATIO or TR_CELL_DOUBLE.
 * TR_OK; TR_USAGE: there is no such column, or it has another type.
 */
enum tr_status tr_table_column_i64(const struct tr_table *table, size_t column, int64_t *values, uint8_t *valid,
                                   struct tr_error *err);
enum tr_status tr_table_column_f64(const struct tr_table *table, size_t column, double *values, uint8_t *valid,
                                   struct tr_error *err);
enum tr_status tr_table_column_str(const struct tr_table *table, size_t column, const char **values, size_t *lens,
                                   uint8_t *valid, struct tr_error *err);

/*
 * The rows as a record batch of Arrow: a struct with a column for each column of the table.  Integers and times are
 * int64, counts uint64, others double or text.  Times are in ns, and their names end in _ns, whatever unit the table is
 * printed in.  Absent cells are null.  The metadata of a column have its role, unit and meaning.  Bytes that are no
 * UTF-8 become U+FFFD.
 *
 * TR_OK: schema and array are set; TR_USAGE: there is no table; TR_SYSTEM: out of memory.
 */
enum tr_status tr_table_arrow(const struct tr_table *table, struct ArrowSchema *schema, struct ArrowArray *array,
                              struct tr_error *err);

/*
 * Print a table as "text", "tsv", "csv", "json", "md" or "html", or draw what its columns suggest: a picture, "svg", or
 * a specification of Vega-Lite, "vega".  write takes the output in pieces, and may fail.  The table keeps its rows, so
 * it can be printed again, in another format.
 */
enum tr_status tr_table_print(struct tr_table *table, const char *format,
                              enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                              void *ctx, struct tr_error *err);

/*
 * For analyses: add columns, and then cells from left to right, row by row.  A cell has the type of its column.  Texts
 * are copied; unit and meaning may be NULL.  tr_report_run returns the first failure of these functions.
 */
void tr_table_add_column(struct tr_table *table, const char *name, enum tr_cell type, enum tr_column_role role,
                         const char *unit, const char *meaning);
/* text NULL: absent.  len SIZE_MAX: the text ends in a zero. */
void tr_table_put_text(struct tr_table *table, const char *text, size_t len);
void tr_table_put_int(struct tr_table *table, int64_t value);
void tr_table_put_count(struct tr_table *table, uint64_t value);
void tr_table_put_time(struct tr_table *table, int64_t ns);   /* TR_TIME_NONE: absent */
void tr_table_put_real(struct tr_table *table, double value); /* NAN: absent */
void tr_table_put_absent(struct tr_table *table);

/* ---- formats ---- */

struct tr_ingest;

/* A format of the caller.  Functions other than read may be NULL. */
struct tr_format_def {
    size_t size;
    const char *name, *brief; /* "csv"; one line */
    /*
     * How likely is it that an input with this start has this format?  From 0: it does not, to 100: it certainly has.
     * The format with the highest score reads the input.  The first call has 64 bytes; if no score is 80 or more, a
     * second call has 64 KiB.  NULL: the format is used only if options->input_format names it.
     */
    int (*probe)(void *ctx, const unsigned char *start, size_t n);
    /* Open an input.  *state is passed to read and close.  NULL: they get ctx. */
    enum tr_status (*open)(void *ctx, void **state, struct tr_error *err);
    /* Pass on the next events, one or several thousand.  TR_OK: call again; TR_END: no more events; or a failure. */
    enum tr_status (*read)(void *state, struct tr_ingest *ingest, struct tr_error *err);
    void (*close)(void *state); /* only after open returned TR_OK */
    void *ctx;
};

/* The next bytes of the input, decompressed, at most cap.  TR_OK with *got > 0, TR_END, or a failure. */
enum tr_status tr_ingest_read(struct tr_ingest *ingest, void *bytes, size_t cap, size_t *got, struct tr_error *err);

/*
 * Add an event: call tr_ingest_begin, then functions for what is known of it, in any order, then tr_ingest_end.  The
 * library links launches to their work, finds steps, sorts and counts.
 */
void tr_ingest_begin(struct tr_ingest *ingest, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns);
void tr_ingest_record(struct tr_ingest *ingest, uint64_t record); /* its number in the order of the source */
void tr_ingest_name(struct tr_ingest *ingest, const char *name, size_t len);
void tr_ingest_category(struct tr_ingest *ingest, const char *category, size_t len);
void tr_ingest_activity(struct tr_ingest *ingest, enum tr_activity activity); /* [by category and name] */
/* The track of the event; TR_I64_NONE: unknown. */
void tr_ingest_on_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid);
void tr_ingest_on_stream(struct tr_ingest *ingest, int64_t pid, int64_t device, int64_t context, int64_t stream);

/* The scope within which a key links launches and device work. */
enum tr_link_scope {
    TR_LINK_SOURCE,
    TR_LINK_PROCESS, /* of the event's track */
    TR_LINK_CONTEXT, /* pid, device and context of the event's track */
};
/* Link a launch and its work: both events have the same key. */
void tr_ingest_correlate(struct tr_ingest *ingest, enum tr_link_scope scope, int64_t key);
void tr_ingest_step(struct tr_ingest *ingest, int64_t number); /* the event is a training step of this number */
/* Arguments, in their order.  json: one array or object, valid and without blanks. */
void tr_ingest_arg_int(struct tr_ingest *ingest, const char *key, int64_t value);
void tr_ingest_arg_real(struct tr_ingest *ingest, const char *key, double value);
void tr_ingest_arg_text(struct tr_ingest *ingest, const char *key, const char *text, size_t len);
void tr_ingest_arg_json(struct tr_ingest *ingest, const char *key, const char *json, size_t len);
enum tr_status tr_ingest_end(struct tr_ingest *ingest, struct tr_error *err);

/* Facts about the source, once. */
void tr_ingest_rank(struct tr_ingest *ingest, int64_t rank);
void tr_ingest_host(struct tr_ingest *ingest, const char *host, size_t len);
void tr_ingest_base(struct tr_ingest *ingest, int64_t base_ns); /* the time of ts 0, in ns since 1970 */
/* Names of processes and threads; sort: their position in a viewer, TR_I64_NONE: none. */
void tr_ingest_process(struct tr_ingest *ingest, int64_t pid, const char *name, size_t len, int64_t sort);
void tr_ingest_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort);

/*
 * A part of the input was damaged, and was repaired or left out.  The library counts it, calls warn, and stores the
 * count with the events.
 *
 * name    of the cause, at most 31 bytes, the same in all versions: "bad_line"
 * text    at most 95 bytes: the damage, a comma, and what was done: "not a number, left out"
 * loses   events were lost
 * offset  of the damage, in bytes of the input
 */
void tr_ingest_damage(struct tr_ingest *ingest, const char *name, const char *text, bool loses, uint64_t offset);

#ifdef __cplusplus
}
#endif
#endif
