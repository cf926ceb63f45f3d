/* SPDX-License-Identifier: MIT */
/*
 * Databases whose rows are events: what the formats that are such databases share.  Internal to libcore.
 *
 *   tr_tables.c          opening; which profiler's database it is; its tables, one after the other
 *   tr_tables_scan.c     tables by their names
 *   tr_tables_texts.c    texts that rows name by a number
 *   tr_tables_place.c    processes and their ranks, threads, streams
 *   tr_tables_event.c    the event that a row becomes, and its args
 *   tr_tables_range.c    names of ranges that say what an operator is
 *   tr_tables_about.c    small tables; the facts of a database, and what was not read
 *
 * A format describes its databases by a struct tr__schema.  Tables are read one after the other, each once, and its
 * columns by name: tables and columns come and go with the versions.  A row becomes an event; its number over all
 * tables is the record.
 */
#ifndef TR_TABLES_INT_H
#define TR_TABLES_INT_H

#include "formats/common/tr_numbers_int.h"
#include "formats/sqlite/tr_sqlite_int.h"
#include "ingest/tr_ingest_args_int.h"

#include "base/tr_mem.h"
#include "base/tr_strtab.h"

#define TR__TABLES_ARGS 64u /* of one event */
#define TR__TABLES_KEYS 64u /* of args of a format */
#define TR__TABLES_MAX  24u /* that become events */
#define TR__TABLES_PARTS 4u /* of names of operators */
#define TR__TABLES_MIN_MEMORY ((size_t)16 << 20) /* of lists of rows, whatever the limit */

struct tr__tables;

/* A table that becomes events. */
struct tr__tables_table {
    const char *name;
    const char *const *columns;
    size_t n;
    /* Take the row of t->scan.  TR_OK; TR_END: it has not what an event needs; or a failure. */
    enum tr_status (*row)(void *own);
    bool (*wanted)(void *own); /* is it read?  NULL: yes */
};

/* The databases of a profiler.  own: the state of the format for an input. */
struct tr__schema {
    const char *name;      /* of the format, and of the table of facts */
    const char *const *marks; /* tables, of which each of its databases has one */
    size_t n_marks;
    const struct tr__tables_table *const *tables;
    size_t n_tables; /* at most TR__TABLES_MAX */
    const char *const *keys;
    size_t n_keys;
    const char *strings, *string_id, *string_text; /* the table of texts, and its columns */
    const char *device, *stream;                   /* words for names of tracks, as in "GPU 0 stream 7" */
    const char *const *about; /* starts of names of tables that are no rows to read; NULL after the last */
    void *(*make)(struct tr__tables *t); /* NULL: out of memory */
    enum tr_status (*start)(void *own);  /* before the tables */
    enum tr_status (*next)(void *own);   /* after them: TR_OK: read all tables once more; TR_END.  NULL: TR_END */
    enum tr_status (*end)(void *own);    /* after all of them */
    void (*free)(void *own);
};

/* Those that there are, each in the folder of its format. */
extern const struct tr__schema tr__schema_nsys, tr__schema_rocpd, tr__schema_rpd, tr__schema_ascend;

struct tr__tables_process {
    uint64_t key;  /* in the database */
    int64_t pid;
    int64_t rank;  /* TR_I64_NONE: not known */
    bool has_work; /* on a device */
};

/* A stream of a device, as a track. */
struct tr__tables_stream {
    uint32_t process;
    int64_t device, context, stream;
    uint32_t tid; /* number of its text, plus 1 */
};

struct tr__tables {
    struct tr_ingest *g; /* while it is read */
    struct tr_error *err;
    const char *name;    /* of the input */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
    size_t max_memory; /* for lists of rows, in bytes */
    const struct tr__schema *const *schemas; /* NULL after the last */
    const struct tr__schema *schema;         /* before it is opened: the likely one */
    void *own;
    struct tr__db *db;
    struct tr__scan scan;
    bool scanning;
    size_t table; /* that is read, or will be next */
    uint64_t record;
    uint32_t keys[TR__TABLES_KEYS];
    uint32_t parts[TR__TABLES_PARTS]; /* keys of what names of operators say */
    struct tr_buf suffix;      /* after the name of each table; empty: none */
    struct tr_buf table_name;

    bool searched;             /* is each text looked for when it is needed? */
    struct tr__scan lookup;    /* then, in this table; else all are in strings */
    struct tr__numbers strings; /* id to number of text */
    struct tr__tables_process *processes;
    size_t n_processes, cap_processes;
    struct tr__numbers process_of, pids; /* key, pid to number in the list */
    int64_t rank; /* by the environment of all processes; TR_I64_NONE: unknown */
    struct tr_strtab *stream_keys;
    struct tr__tables_stream *streams; /* by number of key */
    size_t cap_streams;
    uint32_t stream; /* the last one */
    struct { /* names of the last sizes of grids and blocks */
        int64_t x, y, z;
        uint32_t number;
    } dims[64];

    struct tr__arg args[TR__TABLES_ARGS]; /* of the event that is made */
    size_t n_args;
    struct tr__tables_like { /* the last event of a table: most have args of the same keys and types */
        uint32_t keys[TR__TABLES_ARGS];
        uint8_t types[TR__TABLES_ARGS];
        size_t n;
        struct tr__like like;
    } likes[TR__TABLES_MAX];
    struct tr_buf text, clean;
    struct tr_side_table *about; /* what is known, and was left out */
};

/* ---- tr_tables.c ---- */

/* Open a database: it is read as the likely schema if it is one of these, else as the first that it is one of. */
enum tr_status tr__tables_open(const struct tr__schema *const *schemas, const struct tr__schema *likely,
                               struct tr_input **out, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err);
/* Is it one of the schema's?  What its first bytes say: 0: no; 95: yes; 30: it may be, its tables are elsewhere. */
int tr__tables_probe(const struct tr__schema *schema, const unsigned char *p, size_t n);
/* ---- tr_tables_scan.c ---- */

/* Count a value that is not what it should be, and is left out. */
void tr__tables_bad_value(struct tr__tables *t);
/* Start to read a table, with the suffix.  As tr__scan_start. */
enum tr_status tr__tables_scan(struct tr__tables *t, struct tr__scan *s, const char *table, const char *const *columns,
                               size_t n);
/* The same for rows by a number, as tr__find_start. */
enum tr_status tr__tables_find(struct tr__tables *t, struct tr__scan *s, const char *table, const char *id,
                               const char *const *columns, size_t n);

/* ---- tr_tables_texts.c ---- */

/* Make it valid UTF-8, in t->clean if needed.  False: out of memory. */
bool tr__tables_clean(struct tr__tables *t, struct tr_str *text);
/* The number of a text, invalid UTF-8 replaced; TR_NO_STR: it is too long (counted), or memory ran out. */
uint32_t tr__tables_number(struct tr__tables *t, struct tr_str text);
/* Start to look up texts: at the start, and with a new suffix.  TR_OK, or a failure. */
enum tr_status tr__tables_strings(struct tr__tables *t);
/* The text of a number, until the next call.  TR_OK; TR_END: there is none, or it is not searched for; TR_SYSTEM. */
enum tr_status tr__tables_text(struct tr__tables *t, int64_t id, struct tr_str *text);
/* The number of the text that a column names, or a number names; TR_NO_STR: none.  TR_OK, or a failure. */
enum tr_status tr__tables_text_of(struct tr__tables *t, int64_t id, uint32_t *number);
enum tr_status tr__tables_text_at(struct tr__tables *t, size_t column, uint32_t *number);

/* ---- tr_tables_place.c ---- */

/* The process of a key, with this pid when it is new.  NULL: out of memory, or more processes than there can be. */
struct tr__tables_process *tr__tables_process(struct tr__tables *t, uint64_t key, int64_t pid);
struct tr__tables_process *tr__tables_known(struct tr__tables *t, uint64_t key); /* NULL: no event has it */
static inline uint32_t tr__tables_process_number(const struct tr__tables *t, const struct tr__tables_process *p)
{
    return (uint32_t)(p - t->processes);
}

/* Set the track of the event to a stream of a device.  TR_OK, or a failure. */
enum tr_status tr__tables_on_stream(struct tr__tables *t, const struct tr__tables_process *p, int64_t device,
                                    int64_t context, int64_t stream);
/* The device of a context, known from earlier rows; otherwise: as given. */
int64_t tr__tables_device_of(const struct tr__tables *t, uint32_t process, int64_t context, int64_t otherwise);

/* Link the event to others of its process with the same number. */
void tr__tables_correlate(struct tr__tables *t, const struct tr__tables_process *p, int64_t correlation);

/* A name of a thread; one without bytes is none.  TR_OK, or a failure. */
enum tr_status tr__tables_name_thread(struct tr__tables *t, int64_t pid, int64_t tid, struct tr_str name);
enum tr_status tr__tables_name_process(struct tr__tables *t, int64_t pid, struct tr_str name);

/* The variables of an environment that give a rank; best: place of the best one that was seen. */
struct tr__tables_environment {
    size_t best; /* before the first variable: SIZE_MAX */
    int64_t rank;
};
void tr__tables_variable(struct tr__tables_environment *e, struct tr_str name, struct tr_str value);
void tr__tables_variables(struct tr__tables_environment *e, struct tr_str json); /* an object of them */

/* Processes with work on devices are ranks: by what is known of all of them, else by their pids. */
enum tr_status tr__tables_ranks(struct tr__tables *t);

/* ---- tr_tables_event.c ---- */

/* Start an event with the times of two columns.  TR_END: it has no start. */
enum tr_status tr__tables_begin(struct tr__tables *t, enum tr_phase phase, size_t start, size_t end);
enum tr_status tr__tables_begin_at(struct tr__tables *t, enum tr_phase phase, int64_t start, int64_t end);
enum tr_status tr__tables_end(struct tr__tables *t);

/* Args of the event; absent ones are left out.  key: of the schema. */
void tr__tables_arg_int(struct tr__tables *t, size_t key, int64_t value);
void tr__tables_arg_column(struct tr__tables *t, size_t key, size_t column);
void tr__tables_arg_real(struct tr__tables *t, size_t key, double value);
void tr__tables_arg_text(struct tr__tables *t, size_t key, uint32_t number);
void tr__tables_arg_json(struct tr__tables *t, size_t key, uint32_t number);
void tr__tables_arg_dims(struct tr__tables *t, size_t key, const int64_t v[3]); /* as [x,y,z] */
/* The number of work groups and their size, of work items that a device counts; and the items themselves. */
void tr__tables_arg_groups(struct tr__tables *t, size_t grid, size_t block, size_t grid_size, const int64_t items[3],
                           const int64_t group[3]);
/* An arg by the number of its key. */
void tr__tables_add(struct tr__tables *t, uint32_t key, enum tr_type type, int64_t bits);
/* An arg of a key that is no key of the schema, by its number; a whole number where it is one. */
void tr__tables_arg_value(struct tr__tables *t, uint32_t key, double value);

/* ---- tr_tables_range.c ---- */

extern const char *const tr__tables_parts[TR__TABLES_PARTS]; /* keys of args of operators */
/* The number of the name of a range; what it says of an operator becomes args, and *op is set. */
uint32_t tr__tables_range(struct tr__tables *t, struct tr_str text, bool *op);

/* ---- tr_tables_about.c ---- */

/* Call fn for each row of a small table.  TR_OK, or a failure; fn may return TR_END, which ends it. */
typedef enum tr_status tr__tables_row_fn(void *own, void *ctx);
enum tr_status tr__tables_each(struct tr__tables *t, const char *table, const char *const *columns, size_t n,
                               tr__tables_row_fn *fn, void *ctx);

/* Add a row to the facts; text: none if s is NULL; n: TR_I64_NONE: none. */
enum tr_status tr__tables_fact(struct tr__tables *t, const char *fact, struct tr_str text, int64_t n);
/* Facts on the rows of tables that were not read; then, the facts are a table of the source. */
enum tr_status tr__tables_facts_end(struct tr__tables *t);

static inline bool tr__tables_equals(struct tr_str s, const char *text)
{
    return s.s && s.len == strlen(text) && (!s.len || memcmp(s.s, text, s.len) == 0);
}

#endif
