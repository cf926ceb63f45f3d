/* SPDX-License-Identifier: MIT */
/*
 * Reader of the JSON that rocprofv3 writes (rocprofiler-sdk): what its files share.  Internal to libcore.
 *
 *   tr_rocprof_json.c    the text: its parts and their places
 *   tr_rocprof_pass.c    skips values
 *   tr_rocprof_tables.c  agents, kernel symbols, names of operations, markers, counters
 *   tr_rocprof_record.c  records become events
 */
#ifndef TR_ROCPROF_INT_H
#define TR_ROCPROF_INT_H

#include "formats/common/tr_window_int.h"
#include "ingest/tr_ingest.h"
#include "json/tr_json_tok.h"

#include "base/tr_mem.h"
#include "base/tr_strtab.h"

/* An object of the text, tokenized. */
struct tr__rocprof_object {
    const char *text;
    struct tr_json_tokens tokens;
    size_t base; /* the token of the record in it */
    struct tr_buf scratch; /* of strings that are decoded */
    bool doubt; /* a member that is needed is not of its type, or missing; null is as none */
};

/* A value that is skipped, bracket by bracket. */
struct tr__rocprof_pass {
    size_t open;                 /* brackets; 0: it has ended */
    bool in_string, after_slash;
};

/* Skip it, as far as it is in the window. */
void tr__rocprof_pass(struct tr__rocprof_pass *p, struct tr__window *w);

/*
 * After damage: go to the next object after another one, or to the end of the list, which a key follows.  Else all text
 * in the window is lost.
 */
void tr__rocprof_find_again(struct tr__window *w);

/* A map from numbers to their meaning; sorted by number at the first lookup. */
struct tr__rocprof_map {
    struct tr__rocprof_entry {
        int64_t id;
        uint32_t name;   /* in the tables' strings, or TR_NO_STR */
        int64_t number;  /* of agents: the device; TR_I64_NONE: a CPU */
    } *v;
    size_t n, cap;
    bool sorted;
};

/* Values of counters, summed over their instances (dimensions). */
struct tr__rocprof_value {
    int64_t dispatch;
    uint32_t name;
    double value;
};

/* What one process says about itself. */
struct tr__rocprof_tables {
    struct tr_strtab *strings;
    struct tr__rocprof_map agents, kernels, markers, counters, operations; /* operations: kind << 32 | number */
    struct tr__rocprof_value *values;
    size_t n_values, cap_values;
    bool values_sorted;
    int64_t pid; /* TR_I64_NONE: missing */
};

bool tr__rocprof_tables_init(struct tr__rocprof_tables *t); /* false: out of memory, as of all below */
void tr__rocprof_tables_free(struct tr__rocprof_tables *t);

bool tr__rocprof_metadata(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, struct tr_ingest *g);
bool tr__rocprof_agent(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, struct tr_ingest *g);
bool tr__rocprof_kernel(struct tr__rocprof_tables *t, struct tr__rocprof_object *o);
bool tr__rocprof_kind(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, size_t number);
bool tr__rocprof_marker(struct tr__rocprof_tables *t, struct tr__rocprof_object *o);
bool tr__rocprof_counter(struct tr__rocprof_tables *t, struct tr__rocprof_object *o);
bool tr__rocprof_collection(struct tr__rocprof_tables *t, struct tr__rocprof_object *o);

/* The entry of a number, or NULL. */
const struct tr__rocprof_entry *tr__rocprof_find(struct tr__rocprof_map *m, int64_t id);

/* The values of a dispatch: *n of them. */
const struct tr__rocprof_value *tr__rocprof_values(struct tr__rocprof_tables *t, int64_t dispatch, size_t *n);

/*
 * A record, o->base, of the list named list becomes an event.  TR_OK; TR_END: it is not a record, and nothing was
 * passed on; TR_SYSTEM.
 */
enum tr_status tr__rocprof_record(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, const char *list,
                                  uint64_t record, struct tr_ingest *g, struct tr_error *err);

/* ---- members of objects; at: the object's token ---- */

/* An integer, plain, in quotes, or as { "handle": n }; TR_I64_NONE: there is none, or something else. */
int64_t tr__rocprof_int(struct tr__rocprof_object *o, size_t at, const char *key);
/* A string, decoded; NULL: there is none, or it is empty.  Valid until the next call on the object. */
const char *tr__rocprof_text(struct tr__rocprof_object *o, size_t at, const char *key, size_t *len);
/* The token of a member; 0: there is none, or it is null. */
size_t tr__rocprof_at(const struct tr__rocprof_object *o, size_t at, const char *key);
/* The same of a member that is an object or a list; 0: also if it is not. */
size_t tr__rocprof_within(struct tr__rocprof_object *o, size_t at, const char *key, enum tr_json_kind kind);

#endif
