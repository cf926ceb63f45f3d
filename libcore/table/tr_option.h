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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the value of an option is read, and the type of its member. */
enum tr_option_type {
    TR_OPTION_FLAG,   /* bool: true without a value, or 0 or 1 */
    TR_OPTION_U64,    /* uint64_t */
    TR_OPTION_I64,    /* int64_t */
    TR_OPTION_DOUBLE, /* double */
    TR_OPTION_SIZE,   /* uint64_t, bytes, with units as in tr_num_size */
    TR_OPTION_TIME,   /* int64_t, ns, with units as in tr_num_time */
    TR_OPTION_TEXT,   /* const char * */
    TR_OPTION_FILE,   /* const char *, the name of a file */
    TR_OPTION_DIR,    /* const char *, the name of a folder */
    TR_OPTION_CHOICE, /* int, or an enum: index into choices; with keys, struct tr_option_by */
    TR_OPTION_LIST,   /* struct tr_option_list: may be given several times */
    TR_OPTION_NAMES,  /* struct tr_name_test: a regular expression, extended and unanchored */
    TR_OPTION_CALL,   /* the function call parses it */
};

struct tr_option_list {
    const char **items; /* owned; the texts are borrowed */
    size_t n, cap;
};

/* A choice and its keys, as in --by operator,shape. */
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
    bool (*say)(const void *field, struct tr_buf *text); /* the value as text, NULL: unknown; false: out of memory */
    bool hidden;    /* not in the help */
    bool file;      /* TR_OPTION_CALL: the value is the name of a file or folder */
    bool many;      /* TR_OPTION_LIST: all words up to the next option are its values */
    const char *views; /* for programs: names of the views that have it, with commas between; NULL: all */
    unsigned needs; /* for programs: only for those that use this of the frame; 0: for all */
};

/*
 * Store a value in a member.  Texts are borrowed.  TR_USAGE: it is malformed or out of bounds.
 *
 * value  NULL: the option was given without one
 */
enum tr_status tr_option_set(const struct tr_option *o, void *field, const char *value, struct tr_error *err);

/* Release what values of a list of options own, and forget them.  fields: the struct of options; NULL is allowed. */
void tr_option_free(const struct tr_option *list, void *fields);

#ifdef __cplusplus
}
#endif
#endif
