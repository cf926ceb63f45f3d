/* SPDX-License-Identifier: MIT */
/*
 * Inside of opening.  Internal to libcore.
 *
 *   tr_open.c         one input: its bytes, its format
 *   tr_open_many.c    several inputs as one; decides whether all can be open at one time
 *   tr_open_parallel.c  opens several traces at the same time
 *   tr_multipass_merge.c  otherwise: merges them in passes
 *   tr_merge_temp.c   streams that wait for such a pass
 *   tr_open_ranks.c   the ranks of their sources
 */
#ifndef TR_OPEN_INT_H
#define TR_OPEN_INT_H

#include "formats/tr_open.h"
#include "stream/merge/tr_merge.h"
#include "stream/merge/tr_rank_conflict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An input, or a member of an archive. */
struct tr__opened {
    struct tr_input *in;
    const char *path;
    bool raw;     /* a trace, not a stream */
    bool archive; /* there may be a next member */
    bool left_out; /* empty, or a member that is no trace: in is NULL, and a warning was given */
};

/* An archive between two of its members, of which the first one was closed.  All zero at first. */
struct tr__archive_place {
    struct tr_bytes *bytes; /* NULL: it is opened from its start */
    size_t member;
    int fd; /* belongs to bytes */
};
void tr__archive_place_close(struct tr__archive_place *a);

/*
 * Open a member of an input, number 0 if it is not an archive.  place: position among the inputs, for the rank.
 * before: for members that are opened and closed one after the other: where the one before it left the archive, and
 * where the next one goes on.  It outlives the input.  NULL: the archive is read from its start for each of them.
 * TR_END: there is no such member.  Else as tr_open.
 */
enum tr_status tr__open_member(struct tr__opened *out, const char *path, size_t member, size_t place,
                               const struct tr_open_opts *opts, struct tr__archive_place *before,
                               struct tr_error *err);

/* Let separate threads decode the streams among n inputs in advance. */
void tr__read_ahead(struct tr_input *const *in, size_t n, const struct tr_open_opts *opts);

/* The kind of an input, without reading all of it.  Only regular files are opened. */
struct tr__probed {
    bool regular, stream, archive;
    uint64_t n_bytes;
    size_t n_members; /* counted up to a limit */
};
enum tr_status tr__open_probe(const char *path, const struct tr_open_opts *opts, size_t max_members,
                              struct tr__probed *out, struct tr_error *err);

/* Warnings that are reported later, in the order of the inputs. */
struct tr__warnings {
    struct tr__warning {
        char input[512], place[320], what[256];
    } *v;
    size_t n, cap;
};
void tr__warning_note(void *warnings, const char *input, const char *place, const char *what); /* for opts->warn */
void tr__warnings_give(const struct tr__warnings *l, const struct tr_open_opts *opts);

/* How many of n inputs should be opened at the same time?  0: they should be opened one after another. */
unsigned tr__open_workers(const struct tr__probed *p, size_t n, const struct tr_open_opts *opts);

/* Gets an input that was opened, and owns it. */
typedef enum tr_status tr__opened_fn(void *ctx, const struct tr__opened *o, struct tr_error *err);

/*
 * Open n traces, n_workers at the same time, and give them to fn in their order.  opts are those of one trace, except
 * for the threads, which are divided.  Result and warnings are those of opening them one after another.
 */
enum tr_status tr__open_together(const char *const *paths, const struct tr__probed *probed, size_t n,
                                 unsigned n_workers, const struct tr_open_opts *opts, tr__opened_fn *fn, void *ctx,
                                 struct tr_error *err);

/*
 * Is a file clearly a trace or a stream?  With opts->input_format, every file is.  TR_OK, or TR_SYSTEM: it cannot be
 * read.
 */
#define TR_PROBE_LIKELY 50 /* any other JSON has a lower score */
enum tr_status tr__open_looks(const char *path, const struct tr_open_opts *opts, bool *trace, struct tr_error *err);

/*
 * Merge n inputs in passes.
 *
 * fan_in   how many inputs may be open at one time, at least 2
 * n_bytes  of all inputs together; 0: unknown
 */
enum tr_status tr__open_passes(struct tr_input **out, const char *const *paths, size_t n, size_t fan_in,
                               uint64_t n_bytes, const struct tr_open_opts *opts, struct tr_error *err);

/*
 * Ranks of the sources of one input, from its n claims and opts->rank_from.  The first function uses the input, the
 * second its position among the inputs; tr__ranks_of_places completes this.
 *
 * TR_USAGE: the input has several ranks, but the rule gives only one; TR_DAMAGED: the input has no rank.
 */
enum tr_status tr__ranks_by_input(struct tr_rank_claim *c, size_t n, const struct tr__opened *o,
                                  const struct tr_open_opts *opts, struct tr_error *err);
enum tr_status tr__ranks_by_place(struct tr_rank_claim *c, size_t n, bool raw, size_t place,
                                  const struct tr_open_opts *opts, struct tr_error *err);

/*
 * The ranks of places, before claims are settled: from 0, in the order of the inputs.  Files of one result folder of
 * unitrace have one rank, that of one of them if it is known; so have recordings of one worker of PyTorch at different
 * times.
 */
void tr__ranks_of_places(struct tr_rank_conflicts *c);

/* The ranks of settled claims, for tr_merge_open; NULL: out of memory. */
struct tr_merge_rank *tr__ranks_of(const struct tr_rank_conflicts *c);

/* Are there as many inputs as ranks?  Call it after all inputs have been counted. */
enum tr_status tr__ranks_check(const struct tr_open_opts *opts, size_t n_inputs, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
