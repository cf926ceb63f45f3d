# SPDX-License-Identifier: MIT
"""Made by cdef.py from tracepipe.h: do not edit."""

ABI = 4
CDEF = """\
unsigned tr_abi(void);
const char *tr_version(void);
enum tr_status {
TR_OK = 0,
TR_END,
TR_NO,
TR_USAGE,
TR_DAMAGED,
TR_SYSTEM,
TR_COVERAGE,
TR_MISSING,
TR_ABSENT,
};
struct tr_error;
struct tr_error *tr_error_new(void);
void tr_error_free(struct tr_error *err);
void tr_error_clear(struct tr_error *err);
const char *tr_error_text(const struct tr_error *err, char *text, size_t size);
struct tr_error_info {
size_t size;
enum tr_status status;
int sys_errno;
int64_t offset;
const char *input, *place, *what;
};
void tr_error_fields(const struct tr_error *err, struct tr_error_info *info);
enum tr_status tr_fail(struct tr_error *err, enum tr_status status, const char *fmt, ...);
enum tr_status tr_fail_text(struct tr_error *err, enum tr_status status, const char *what);
enum tr_status tr_fail_memory(struct tr_error *err);
enum tr_phase {
TR_SPAN = 0,
TR_INSTANT = 1,
TR_COUNTER = 2,
TR_FLOW_START = 3,
TR_FLOW_STEP = 4,
TR_FLOW_END = 5,
TR_ASYNC_BEGIN = 6,
TR_ASYNC_INSTANT = 7,
TR_ASYNC_END = 8,
TR_META = 9,
TR_BEGIN = 10,
TR_SPAN_END = 11,
TR_PHASE_UNKNOWN = 12,
TR_N_PHASES
};
enum tr_activity {
TR_ACT_OTHER = 0,
TR_ACT_CPU_OP = 1,
TR_ACT_ANNOTATION = 2,
TR_ACT_PYTHON = 3,
TR_ACT_RUNTIME_API = 4,
TR_ACT_DRIVER_API = 5,
TR_ACT_KERNEL = 6,
TR_ACT_MEMCPY = 7,
TR_ACT_MEMSET = 8,
TR_ACT_SYNC = 9,
TR_ACT_DEVICE_ANNOTATION = 10,
TR_ACT_COMM_RECORD = 11,
TR_ACT_MEMORY_INSTANT = 12,
TR_ACT_OVERHEAD = 13,
TR_ACT_OS_API = 14,
TR_ACT_HOST_COMM = 15,
TR_N_ACTIVITIES
};
enum tr_kind {
TR_KIND_NONE = 0,
TR_KIND_COMPUTE = 1,
TR_KIND_COMM = 2,
TR_KIND_MEMORY = 3,
TR_KIND_OTHER = 4,
TR_N_KINDS
};
enum tr_suspect {
TR_SUSPECT_NO = 0,
TR_SUSPECT_NEGATIVE_DUR = 1,
TR_SUSPECT_LONG_DUR = 2,
TR_SUSPECT_BEFORE_BASE = 3,
TR_SUSPECT_OVERFLOW = 4,
TR_SUSPECT_ZERO_TIME = 5,
TR_N_SUSPECTS
};
enum tr_side { TR_SIDE_HOST = 0, TR_SIDE_DEVICE = 1 };
const char *tr_phase_name(unsigned phase);
const char *tr_activity_name(unsigned activity);
const char *tr_kind_name(unsigned kind);
const char *tr_suspect_name(unsigned suspect);
int tr_phase_by_name(const char *name);
int tr_activity_by_name(const char *name);
int tr_kind_by_name(const char *name);
struct tr_trace;
struct tr_batch;
struct tr_dict;
struct tr_format_def;
struct tr_trace_options {
size_t size;
unsigned threads;
unsigned flags;
uint64_t max_memory;
const char *temp_dir;
const char *input_format;
const struct tr_format_def *const *formats;
size_t n_formats;
void (*warn)(void *ctx, const char *input, const char *place, const char *what);
void (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
void *ctx;
bool (*proceed)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
};
enum {
TR_TRACE_STRICT = 1,
TR_TRACE_NO_SORT = 2,
TR_TRACE_NO_ARGS = 4,
TR_TRACE_RENUMBER = 8,
};
enum tr_status tr_trace_open(struct tr_trace **out, const char *const *paths, size_t n,
const struct tr_trace_options *options, struct tr_error *err);
struct tr_memory_input {
size_t size;
const char *name;
const void *bytes;
size_t n;
};
enum tr_status tr_trace_open_memory(struct tr_trace **out, const struct tr_memory_input *const *inputs, size_t n,
const struct tr_trace_options *options, struct tr_error *err);
enum tr_status tr_trace_make(struct tr_trace **out, const char *name, const struct tr_format_def *format,
const struct tr_trace_options *options, struct tr_error *err);
void tr_trace_close(struct tr_trace *trace);
enum tr_status tr_trace_select(struct tr_trace *trace, const char *key, const char *value, struct tr_error *err);
enum tr_status tr_trace_want(struct tr_trace *trace, const char *const *fields, size_t n, struct tr_error *err);
enum tr_status tr_trace_next(struct tr_trace *trace, const struct tr_batch **batch, struct tr_error *err);
bool tr_trace_sorted(const struct tr_trace *trace);
const struct tr_dict *tr_trace_dict(const struct tr_trace *trace);
struct tr_source_info {
size_t size;
int64_t rank;
const char *name, *host, *format;
int64_t base_ns;
int64_t first_ns, last_ns;
uint64_t n_events, n_steps;
uint64_t n_repaired, n_lost;
};
struct tr_step_info {
size_t size;
int64_t number, start, end;
};
bool tr_trace_source(const struct tr_trace *trace, size_t source, struct tr_source_info *info);
bool tr_trace_step(const struct tr_trace *trace, size_t source, size_t step, struct tr_step_info *info);
struct tr_dataset;
enum tr_status tr_dataset_new(struct tr_dataset **out, struct tr_trace *trace, struct tr_error *err);
void tr_dataset_free(struct tr_dataset *set);
enum tr_status tr_dataset_open(const struct tr_dataset *set, struct tr_trace **out,
const struct tr_trace_options *options, struct tr_error *err);
size_t tr_batch_count(const struct tr_batch *batch);
const struct tr_dict *tr_batch_dict(const struct tr_batch *batch);
const int64_t *tr_batch_ts(const struct tr_batch *batch);
const int64_t *tr_batch_dur(const struct tr_batch *batch);
const uint64_t *tr_batch_record(const struct tr_batch *batch);
const uint32_t *tr_batch_track(const struct tr_batch *batch);
const uint32_t *tr_batch_name(const struct tr_batch *batch);
const uint32_t *tr_batch_category(const struct tr_batch *batch);
const uint8_t *tr_batch_phase(const struct tr_batch *batch);
const uint8_t *tr_batch_activity(const struct tr_batch *batch);
const uint8_t *tr_batch_kind(const struct tr_batch *batch);
const uint8_t *tr_batch_suspect(const struct tr_batch *batch);
enum tr_status tr_batch_int(const struct tr_batch *batch, const char *field, int64_t *out, struct tr_error *err);
enum tr_status tr_batch_real(const struct tr_batch *batch, const char *field, double *out, struct tr_error *err);
enum tr_status tr_batch_text(const struct tr_batch *batch, const char *field, uint32_t *out, struct tr_error *err);
bool tr_activity_is_work(unsigned activity);
const char *tr_dict_string(const struct tr_dict *dict, uint32_t string, size_t *len);
size_t tr_dict_string_count(const struct tr_dict *dict);
struct tr_track_info {
size_t size;
uint32_t source;
enum tr_side side;
int64_t rank;
int64_t pid, tid, device, context, stream;
const char *process, *thread;
};
bool tr_dict_track(const struct tr_dict *dict, uint32_t track, struct tr_track_info *info);
size_t tr_dict_track_count(const struct tr_dict *dict);
enum tr_cell {
TR_CELL_STRING,
TR_CELL_INT,
TR_CELL_COUNT,
TR_CELL_TIME,
TR_CELL_RATIO,
TR_CELL_DOUBLE,
};
struct ArrowSchema {
const char *format;
const char *name;
const char *metadata;
int64_t flags;
int64_t n_children;
struct ArrowSchema **children;
struct ArrowSchema *dictionary;
void (*release)(struct ArrowSchema *schema);
void *private_data;
};
struct ArrowArray {
int64_t length, null_count, offset;
int64_t n_buffers, n_children;
const void **buffers;
struct ArrowArray **children;
struct ArrowArray *dictionary;
void (*release)(struct ArrowArray *array);
void *private_data;
};
enum tr_status tr_batch_arrow(const struct tr_batch *batch, const char *const *fields, const enum tr_cell *types,
size_t n, struct ArrowSchema *schema, struct ArrowArray *array, struct tr_error *err);
struct ArrowArrayStream {
int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *out);
int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *out);
const char *(*get_last_error)(struct ArrowArrayStream *stream);
void (*release)(struct ArrowArrayStream *stream);
void *private_data;
};
enum tr_status tr_trace_arrow(struct tr_trace *trace, const char *const *fields, const enum tr_cell *types, size_t n,
struct ArrowArrayStream *stream, struct tr_error *err);
struct tr_output;
struct tr_output_options {
size_t size;
const char *compress;
unsigned threads;
const char *program, *version, *command;
};
enum tr_status tr_output_open(struct tr_output **out, const char *path, struct tr_trace *trace,
const struct tr_output_options *options, struct tr_error *err);
enum tr_status tr_output_open_to(struct tr_output **out,
enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
void *ctx, struct tr_trace *trace, const struct tr_output_options *options,
struct tr_error *err);
enum tr_status tr_output_batch(struct tr_output *output, const struct tr_batch *batch, struct tr_error *err);
enum tr_status tr_output_finish(struct tr_output *output, struct tr_error *err);
void tr_output_abandon(struct tr_output *output);
struct tr_report;
struct tr_table;
size_t tr_analysis_count(void);
const char *tr_analysis_name(size_t number);
const char *tr_analysis_question(size_t number);
enum tr_option_type {
TR_OPTION_FLAG,
TR_OPTION_U64,
TR_OPTION_I64,
TR_OPTION_DOUBLE,
TR_OPTION_SIZE,
TR_OPTION_TIME,
TR_OPTION_TEXT,
TR_OPTION_FILE,
TR_OPTION_DIR,
TR_OPTION_CHOICE,
TR_OPTION_LIST,
TR_OPTION_NAMES,
TR_OPTION_CALL,
TR_OPTION_BITS,
};
struct tr_option_info {
size_t size;
const char *name;
enum tr_option_type type;
const char *value;
const char *help;
const char *const *choices;
char standard[64];
};
bool tr_analysis_option(size_t number, size_t i, struct tr_option_info *info);
const char *tr_analysis_key(size_t number, size_t i);
struct tr_report *tr_report_new(void);
void tr_report_free(struct tr_report *report);
enum tr_status tr_report_add(struct tr_report *report, const char *name, struct tr_error *err);
struct tr_analysis_def {
size_t size;
const char *name, *question;
void (*columns)(void *ctx, struct tr_table *table);
enum tr_status (*feed)(void *ctx, const struct tr_batch *batch, struct tr_table *table, struct tr_error *err);
enum tr_status (*finish)(void *ctx, struct tr_table *table, struct tr_error *err);
};
enum tr_status tr_report_add_own(struct tr_report *report, const struct tr_analysis_def *def, void *ctx,
struct tr_error *err);
enum tr_status tr_report_set(struct tr_report *report, const char *key, const char *value, struct tr_error *err);
void tr_report_listen(struct tr_report *report, void (*say)(void *ctx, const char *text), void *ctx);
enum tr_status tr_report_run(struct tr_report *report, struct tr_trace *trace, struct tr_error *err);
enum tr_status tr_report_save(struct tr_report *report, struct tr_trace *trace,
enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
void *ctx, struct tr_error *err);
enum tr_status tr_report_add_saved(struct tr_report *report, const struct tr_trace *trace, struct tr_error *err);
const char *tr_report_name(const struct tr_report *report, size_t number);
enum tr_status tr_report_columns(struct tr_report *report, size_t number, const struct tr_table **out,
struct tr_error *err);
struct tr_table *tr_report_table(struct tr_report *report, size_t number);
struct tr_comparison;
struct tr_compare_options {
size_t size;
const char *by;
const char *columns, *sort;
uint64_t top;
bool profiler;
bool changed_only;
};
enum tr_status tr_compare(struct tr_comparison **out, struct tr_trace *base, struct tr_trace *test,
const struct tr_compare_options *options, struct tr_error *err);
enum tr_status tr_compare_tables(struct tr_comparison **out, struct tr_table *base, struct tr_table *test,
const char *keys, const struct tr_compare_options *options, struct tr_error *err);
void tr_comparison_free(struct tr_comparison *comparison);
struct tr_table *tr_comparison_rows(struct tr_comparison *comparison);
struct tr_table *tr_comparison_headline(struct tr_comparison *comparison);
enum tr_column_role {
TR_ROLE_TEXT,
TR_ROLE_GROUP,
TR_ROLE_KEY,
TR_ROLE_SUM,
TR_ROLE_COUNT,
TR_ROLE_MIN,
TR_ROLE_MAX,
TR_ROLE_INCLUSIVE,
TR_ROLE_SHARE,
TR_ROLE_RATIO,
TR_ROLE_DIFFERENCE,
TR_ROLE_CHANGE,
TR_ROLE_VARIANCE,
TR_ROLE_QUANTILE,
TR_ROLE_MEAN,
TR_ROLE_TIME,
TR_ROLE_RANK,
};
struct tr_column_info {
size_t size;
const char *name;
enum tr_cell type;
enum tr_column_role role;
const char *unit, *meaning;
};
size_t tr_table_row_count(const struct tr_table *table);
size_t tr_table_column_count(const struct tr_table *table);
bool tr_table_column_info(const struct tr_table *table, size_t column, struct tr_column_info *info);
size_t tr_table_column_by_name(const struct tr_table *table, const char *name);
const char *tr_table_cell_text(const struct tr_table *table, size_t row, size_t column, size_t *len);
int64_t tr_table_cell_int(const struct tr_table *table, size_t row, size_t column);
double tr_table_cell_real(const struct tr_table *table, size_t row, size_t column);
enum tr_status tr_table_column_i64(const struct tr_table *table, size_t column, int64_t *values, uint8_t *valid,
struct tr_error *err);
enum tr_status tr_table_column_f64(const struct tr_table *table, size_t column, double *values, uint8_t *valid,
struct tr_error *err);
enum tr_status tr_table_column_str(const struct tr_table *table, size_t column, const char **values, size_t *lens,
uint8_t *valid, struct tr_error *err);
enum tr_status tr_table_arrow(const struct tr_table *table, struct ArrowSchema *schema, struct ArrowArray *array,
struct tr_error *err);
enum tr_status tr_table_print(struct tr_table *table, const char *format,
enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
void *ctx, struct tr_error *err);
void tr_table_add_column(struct tr_table *table, const char *name, enum tr_cell type, enum tr_column_role role,
const char *unit, const char *meaning);
void tr_table_put_text(struct tr_table *table, const char *text, size_t len);
void tr_table_put_int(struct tr_table *table, int64_t value);
void tr_table_put_count(struct tr_table *table, uint64_t value);
void tr_table_put_time(struct tr_table *table, int64_t ns);
void tr_table_put_real(struct tr_table *table, double value);
void tr_table_put_absent(struct tr_table *table);
struct tr_ingest;
struct tr_format_def {
size_t size;
const char *name, *brief;
int (*probe)(void *ctx, const unsigned char *start, size_t n);
enum tr_status (*open)(void *ctx, void **state, struct tr_error *err);
enum tr_status (*read)(void *state, struct tr_ingest *ingest, struct tr_error *err);
void (*close)(void *state);
void *ctx;
};
enum tr_status tr_ingest_read(struct tr_ingest *ingest, void *bytes, size_t cap, size_t *got, struct tr_error *err);
void tr_ingest_begin(struct tr_ingest *ingest, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns);
void tr_ingest_record(struct tr_ingest *ingest, uint64_t record);
void tr_ingest_name(struct tr_ingest *ingest, const char *name, size_t len);
void tr_ingest_category(struct tr_ingest *ingest, const char *category, size_t len);
void tr_ingest_activity(struct tr_ingest *ingest, enum tr_activity activity);
void tr_ingest_on_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid);
void tr_ingest_on_stream(struct tr_ingest *ingest, int64_t pid, int64_t device, int64_t context, int64_t stream);
enum tr_link_scope {
TR_LINK_SOURCE,
TR_LINK_PROCESS,
TR_LINK_CONTEXT,
};
void tr_ingest_correlate(struct tr_ingest *ingest, enum tr_link_scope scope, int64_t key);
void tr_ingest_step(struct tr_ingest *ingest, int64_t number);
void tr_ingest_arg_int(struct tr_ingest *ingest, const char *key, int64_t value);
void tr_ingest_arg_real(struct tr_ingest *ingest, const char *key, double value);
void tr_ingest_arg_text(struct tr_ingest *ingest, const char *key, const char *text, size_t len);
void tr_ingest_arg_json(struct tr_ingest *ingest, const char *key, const char *json, size_t len);
enum tr_status tr_ingest_end(struct tr_ingest *ingest, struct tr_error *err);
void tr_ingest_rank(struct tr_ingest *ingest, int64_t rank);
void tr_ingest_host(struct tr_ingest *ingest, const char *host, size_t len);
void tr_ingest_base(struct tr_ingest *ingest, int64_t base_ns);
void tr_ingest_process(struct tr_ingest *ingest, int64_t pid, const char *name, size_t len, int64_t sort);
void tr_ingest_thread(struct tr_ingest *ingest, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort);
void tr_ingest_damage(struct tr_ingest *ingest, const char *name, const char *text, bool loses, uint64_t offset);
"""
