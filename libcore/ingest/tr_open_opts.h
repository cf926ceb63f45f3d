/* SPDX-License-Identifier: MIT */
/*
 * How inputs are opened: the options that every reader of a format gets.  See formats/tr_open.h.
 */
#ifndef TR_OPEN_OPTS_H
#define TR_OPEN_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Knobs that change how a trace is read, but not what is read. */
struct tr_tuning {
    size_t piece_bytes;  /* of text that a thread takes at a time; 0: default */
    size_t batch_events; /* events in a batch of a raw trace; 0: TR_BATCH_MAX */
    bool tokenize_all;   /* do without the shortcut for shapes seen before */
};

/* What gives the sources of an input their rank. */
enum tr_rank_from {
    TR_RANK_FROM_DEFAULT = 0, /* what a stream says; of a trace the first of the others that tells one */
    TR_RANK_FROM_OPTION,      /* ranks of the call */
    TR_RANK_FROM_METADATA,    /* distributedInfo.rank */
    TR_RANK_FROM_NAME,        /* the name of the input; of a stream with several sources, theirs */
    TR_RANK_FROM_ORDER,       /* the place among the inputs */
};

struct tr_format; /* formats/tr_format.h */

struct tr_seen;
struct tr_budget;
struct tr_spill;

struct tr_open_opts {
    unsigned n_threads;       /* worker threads, at least 1; any number gives the same events */
    size_t max_memory_bytes;  /* for all inputs of a call together; beyond it temporary files */
    const char *temp_dir;     /* folder for these */
    const char *input_format; /* name of a format; NULL: by content */
    int64_t rank;             /* rank of a source; -1: from the trace, its name or its place */
    enum tr_rank_from rank_from;
    const int64_t *ranks;     /* with TR_RANK_FROM_OPTION: of the inputs, in their order */
    size_t n_ranks;
    bool strict;              /* refuse what would be salvaged */
    bool no_sort;             /* leave events in the order of the input */
    bool drop_args;           /* leave out args */
    bool keep_names;          /* keep the names of input files in the stream's sources */
    bool renumber;            /* of inputs whose ranks collide, give the later one free ranks */

    const struct tr_format *const *formats; /* of the caller, beside those of the library */
    size_t n_formats;

    struct tr_tuning tuning;

    /* What was opened before (tr_seen.h): a file that has changed since is refused.  NULL: not compared. */
    struct tr_seen *seen;

    /* For what is kept of streams as a whole: strings, tracks, tables.  NULL: no limit. */
    struct tr_budget *budget;
    unsigned n_copies; /* that the caller makes of that, and which count as well */
    struct tr_spill *spill; /* where strings go when memory is short; NULL: nowhere */

    /* Called from time to time, never by two threads at once; total_bytes is 0 while unknown. */
    void (*progress)(void *ctx, uint64_t done_bytes, uint64_t total_bytes);
    void *progress_ctx;

    /* Called for what is odd but not fatal, never by two threads at once; place may be "". */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

/* One thread, 256 MiB, no callbacks. */
#define TR_OPEN_OPTS_INIT                                                                          \
    {                                                                                              \
        .n_threads = 1, .max_memory_bytes = (size_t)256 << 20, .temp_dir = "/var/tmp", .rank = -1, \
        .keep_names = true                                                                         \
    }

#ifdef __cplusplus
}
#endif
#endif
