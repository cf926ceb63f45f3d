/* SPDX-License-Identifier: MIT */
/*
 * Options: one description each, which the command line, the public interface and partial results read.
 *
 *     struct copies { uint64_t least; bool sums; };
 *     static const struct tr_option options[] = {
 *         { 'n', "least", "N", TR_OPTION_U64, offsetof(struct copies, least), .help = "of so many bytes [0]" },
 *         { 0, "sums", NULL, TR_OPTION_FLAG, offsetof(struct copies, sums), .help = "only sums" },
 *         { 0 }
 *     };
 *
 * Central: struct tr_option.
 */
#ifndef TR_OPTION_H
#define TR_OPTION_H

#include "base/tr_mem.h"
#include "base/tr_regex.h"
#include "base/tr_status.h"
#include "tracepipe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_option_list { /* TR_OPTION_LIST */
    const char **items; /* owned; the texts are borrowed */
    size_t n, cap;
};

/* A choice and its keys, as in --by operator,shape: TR_OPTION_CHOICE with keys. */
struct tr_option_by {
    int choice;
    unsigned keys; /* 1 << index into keys */
};

struct tr_option {
    char letter;      /* 0: none */
    const char *name; /* the long name; NULL ends the list */
    const char *arg;  /* name of the value, for the help; NULL for flags */
    enum tr_option_type type;
    size_t offset;    /* of the member in the struct of options */
    const char *help; /* one clause, broken into lines by --help; the default in brackets at the end */
    /* Bounds, inclusive; both 0: those of the type; lo above 0 and hi 0: no upper bound. */
    int64_t lo, hi;
    const char *const *choices; /* TR_OPTION_CHOICE: NULL-terminated */
    const char *const *keys;    /* the same for words that may follow a choice, with commas; NULL: none may follow */
    const char *if_bare;        /* the value if it is left out (--name[=VALUE]); NULL: it is required */
    /* TR_OPTION_CALL: field is the address at offset; on failure fill in err->what only */
    enum tr_status (*call)(void *field, const char *value, struct tr_error *err);
    bool (*say)(const void *field, struct tr_buf *text); /* TR_OPTION_CALL: for partial results; call reads it */
    bool hidden;                                         /* not in the help; of analyses: not set by users */
    bool shown;        /* of analyses: it changes what is shown of a state, and not the state of a partial result */
    bool file;         /* TR_OPTION_CALL: the value is the name of a file or folder */
    bool many;         /* TR_OPTION_LIST: all words up to the next option are its values */
    const char *views; /* for programs: names of the views that have it, with commas between; NULL: all */
    unsigned needs;    /* for programs: only for those that use this of the frame; 0: for all */
};

/*
 * Store a value in a member.  Texts are borrowed.  TR_USAGE: it is malformed or out of bounds.
 *
 * value  NULL: the option was given without one
 */
enum tr_status tr_option_set(const struct tr_option *o, void *field, const char *value, struct tr_error *err);

/* The value of a member as text, which tr_option_set reads; nothing if it is not set.  False: out of memory. */
bool tr_option_text(const struct tr_option *o, const void *field, struct tr_buf *text);

/*
 * The options of a list that change the state of an analysis, as "NAME=VALUE NAME=VALUE"; without those that are not
 * set.  TR_USAGE: a test of names has no text.
 */
enum tr_status tr_option_state(const struct tr_option *list, const void *fields, struct tr_buf *text,
                               struct tr_error *err);

/* Release what values of a list of options own, and forget them.  fields: the struct of options; NULL is allowed. */
void tr_option_free(const struct tr_option *list, void *fields);

#ifdef __cplusplus
}
#endif
#endif
