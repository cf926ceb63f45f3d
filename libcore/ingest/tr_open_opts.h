/* SPDX-License-Identifier: MIT */
/*
 * Options for opening inputs; every reader of a format gets them.  See formats/tr_open.h.
 */
#ifndef TR_OPEN_OPTS_H
#define TR_OPEN_OPTS_H

#include "base/tr_status.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Settings that change the way of reading, but not the result. */
struct tr_tuning {
    size_t piece_bytes;  /* bytes of text that a thread takes at a time; 0: default */
    size_t batch_events; /* events in a batch of a raw trace; 0: TR_BATCH_MAX */
    bool tokenize_all;   /* do not use the fast path for known shapes */
};

/* The source of the ranks of an input. */
enum tr_rank_from {
    TR_RANK_FROM_DEFAULT = 0, /* for a stream its own ranks; for a trace the first of the rules below that gives one */
    TR_RANK_FROM_OPTION,      /* ranks of the call */
    TR_RANK_FROM_METADATA,    /* distributedInfo.rank */
    TR_RANK_FROM_NAME,        /* the name of the input; of a stream with several sources, theirs */
    TR_RANK_FROM_ORDER,       /* the position among the inputs */
    TR_RANK_FROM_PID,         /* the process of the first event of the host, or of activity other */
};

struct tr_format; /* formats/common/tr_format.h */

/* An input in memory.  It is read where an input is opened whose path is this name, the same pointer. */
struct tr_open_memory {
    const char *name;
    const void *bytes;
    size_t n;
};

struct tr_reopened_files;
struct tr_budget;
struct tr_follow;
struct tr_names;
struct tr_spill;

struct tr_open_opts {
    unsigned n_threads;       /* worker threads, at least 1; any number gives the same events */
    bool batches_ahead;       /* a thread of its own makes the batches of a trace, even if n_threads is 1 */
    size_t max_memory_bytes;  /* for all inputs of a call together; larger data goes to temporary files */
    const char *temp_dir;     /* folder for these */
    const char *input_format; /* name of a format; NULL: by content */
    unsigned depth;           /* to which folders are read; 1, 0: those inside a folder are not */
    int64_t rank;             /* rank of a source; -1: from the trace, its name or its place */
    enum tr_rank_from rank_from;
    const int64_t *ranks;     /* with TR_RANK_FROM_OPTION: of the inputs, in their order */
    size_t n_ranks;
    bool skip_empty;          /* leave out empty files; set while several inputs are opened */
    bool strict;              /* refuse damage that would be repaired */
    bool no_sort;             /* keep the order of the input */
    bool drop_args;           /* leave out args */
    bool keep_names;          /* keep the names of input files in the stream's sources */
    bool own_dict;            /* the result has a dictionary of its own, to which strings may be added at any time */
    bool renumber;            /* if the ranks of two inputs collide, give the later one free ranks */

    const struct tr_open_memory *memory; /* the inputs of the call, if they are in memory; NULL: they are files */

    const struct tr_format *const *formats; /* formats of the caller, in addition to those of the library */
    size_t n_formats;

    const struct tr_names *names; /* what names mean by rules of the user; NULL: none.  Outlives the input */

    struct tr_tuning tuning;

    /* Files that were opened before (tr_reopened_files.h): a file that has changed is refused.  NULL: not compared. */
    struct tr_reopened_files *seen;

    /* The limit for data that stays in memory for a whole stream: strings, tracks, tables.  NULL: no limit. */
    struct tr_budget *budget;
    unsigned n_copies; /* of this data that the caller makes; they count for the limit as well */
    struct tr_spill *spill; /* files for strings when memory is short; NULL: none */

    /* Called from time to time, never by two threads at once; total_bytes is 0 while unknown. */
    bool (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes); /* false: cancel */
    void *progress_ctx;

    /*
     * The input grows: only one can be opened, by one thread, and it is not opened a second time (tr_follow.h).  A
     * stream may end without its trailer.  NULL: inputs are what they are.
     */
    struct tr_follow *follow;

    /* Called some twenty times a second by the thread that waits for events of a stream.  TR_OK: go on; or a failure,
     * which the waiting call returns. */
    enum tr_status (*idle)(void *ctx, struct tr_error *err);
    void *idle_ctx;

    /* Called for damage and other warnings, never by two threads at once; place may be "". */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

/* One thread, 256 MiB, no callbacks. */
#define TR_OPEN_OPTS_INIT                                                                          \
    {                                                                                              \
        .n_threads = 1, .max_memory_bytes = (size_t)256 << 20, .temp_dir = "/var/tmp", .depth = 2,   \
        .rank = -1, .keep_names = true                                                             \
    }

/* Say how far reading is.  TR_SYSTEM, ECANCELED: the caller wants no more. */
static inline enum tr_status tr_open_progress(const struct tr_open_opts *o, uint64_t done, uint64_t total,
                                              struct tr_error *err)
{
    bool go_on = !o->progress || o->progress(o->progress_ctx, done, total);
    return go_on ? TR_OK : tr_fail_sys(err, ECANCELED, "reading was cancelled");
}

#ifdef __cplusplus
}
#endif
#endif
