/* SPDX-License-Identifier: MIT */
/*
 * A dialect of the Trace Event Format: files whose spans have no category, so that what they are follows from the names
 * of their processes and threads, or from their args.
 *
 * The reader of the Trace Event Format (formats/chrome) looks at the start of a file, and asks each dialect of
 * tr_dialect_list_int.h whether it is one of its files.  If so, the dialect sees each event in the order of the file,
 * before the event becomes a row, and says what it is.  Such files are read by one thread, and without the shortcut for
 * known shapes.  A dialect is a folder formats/NAME with a constant struct tr_dialect, and a line in the list.
 */
#ifndef TR_DIALECT_H
#define TR_DIALECT_H

#include "base/tr_str.h"
#include "stream/tr_event.h"
#include "stream/tr_side_table.h"

#include <stdbool.h>

/* A member of an event.  raw: the value as in the file, without defects; a string with its quotes. */
struct tr_dialect_member {
    struct tr_str key, raw;
    bool in_args;
};

struct tr_dialect_event {
    const struct tr_dialect_member *members; /* of the event and of its args, in their order */
    size_t n_members;
    enum tr_phase phase;
    struct tr_str name;     /* decoded; s NULL: none */
    int64_t pid, tid;       /* as numbers; 0 if they are texts */
    struct tr_str pid_text; /* s NULL: it is a number */

    /* What the dialect may change.  Times are ns, as the file has them before. */
    int64_t ts, dur;
    int64_t device, stream; /* before: TR_I64_NONE, which means those of args, else pid and tid */
    int activity;           /* enum tr_activity; before: -1, which means that of category and name */
    int kind;               /* enum tr_kind of a kernel; before: -1, which means that of its name */
    int64_t link;     /* device work and the call that launched it have the same number; before: TR_I64_NONE, none */
    bool launches;    /* the event launches the work of this number, although it is no call of an API */
    int64_t arrow;    /* a flow event that joins a launch and its work has a number, too; before: TR_I64_NONE */
    int64_t step;     /* the event is a step of this number; before: TR_I64_NONE, which it is not */
    bool step_of_device; /* such steps count only if the host has none */
};

struct tr_dialect {
    const char *name; /* the name of the format in summaries */
    /* Is this the start of one of its files?  n bytes, at most TR_DIALECT_BYTES. */
    bool (*speaks)(const unsigned char *p, size_t n);
    bool quoted_times; /* its times are in quotes, which is no damage */
    void *(*start)(void); /* the state of a file, NULL: out of memory */
    bool (*event)(void *state, struct tr_dialect_event *e); /* false: out of memory */
    void (*free)(void *state);
    /* The rank that files beside this one say; negative: none.  NULL: there are no such files. */
    int64_t (*rank)(const char *path);
    /* Add what files beside this one have as tables.  False: out of memory.  NULL: there are no such files. */
    bool (*tables)(const char *path, struct tr_side_tables *tables);
};

#define TR_DIALECT_BYTES (64u << 10)

/* ---- for dialects ---- */

/* The value of a member of args, or of the event itself; s NULL: it has none. */
struct tr_str tr_dialect_arg(const struct tr_dialect_event *e, const char *key);
struct tr_str tr_dialect_member(const struct tr_dialect_event *e, const char *key);

/* The inside of a string; s NULL: it is no string. */
struct tr_str tr_dialect_text(struct tr_str raw);
/* An integer, plain or in quotes.  False: it is none. */
bool tr_dialect_integer(struct tr_str raw, int64_t *value);

/* A number for a moment of a track, for links that arrows say: of the work and of its call, and of the arrow's ends. */
int64_t tr_dialect_place(const struct tr_dialect_event *e, int64_t ts);

/* Does a text start with a word? */
bool tr_dialect_starts(struct tr_str s, const char *word);
/* The number after a word at the start of a text; TR_I64_NONE: it is not there. */
int64_t tr_dialect_number_after(struct tr_str s, const char *word);

#endif
