/* SPDX-License-Identifier: MIT */
/*
 * Inside of opening: what its files share.  Internal to libcore.
 *
 *   tr_open.c         one input: its bytes, its format
 *   tr_open_many.c    several inputs as one, and whether they can all be open at one time
 *   tr_multipass_merge.c  if they cannot: merging them in passes
 *   tr_merge_temp.c   streams that wait for such a pass
 *   tr_open_ranks.c   which ranks their sources get
 */
#ifndef TR_OPEN_INT_H
#define TR_OPEN_INT_H

#include "formats/tr_open.h"
#include "stream/tr_rank_conflict.h"
#include "stream/tr_merge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An input, or a member of an archive. */
struct tr__opened {
    struct tr_input *in;
    const char *path;
    bool raw;     /* a trace and no stream */
    bool archive; /* there may be a next member */
};

/*
 * Open a member of an input, number 0 if it is no archive.  place: among the inputs, for the rank.
 * TR_END: there is no such member.  Else as tr_open.
 */
enum tr_status tr__open_member(struct tr__opened *out, const char *path, size_t member, size_t place,
                               const struct tr_open_opts *opts, struct tr_error *err);

/* Have the streams among n inputs decoded ahead by threads of their own. */
void tr__read_ahead(struct tr_input *const *in, size_t n, const struct tr_open_opts *opts);

/* What an input is, without reading it.  Only regular files are looked into. */
struct tr__probed {
    bool regular, stream;
    uint64_t n_bytes;
    size_t n_members; /* counted up to a limit */
};
enum tr_status tr__open_probe(const char *path, const struct tr_open_opts *opts, size_t max_members,
                              struct tr__probed *out, struct tr_error *err);

/*
 * Does a file look like a trace or a stream, so that nobody would take it for something else?  With
 * opts->input_format every file does.  TR_OK, or TR_SYSTEM: it cannot be read.
 */
#define TR_PROBE_LIKELY 50 /* what any JSON gets is less */
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
 * Ranks of the sources of one input, as its n claims say them, by opts->rank_from.  The first does
 * what needs the input itself, the second what needs its place among the inputs.
 *
 * TR_USAGE: it holds several ranks, and the rule gives it one; TR_DAMAGED: it does not tell a rank.
 */
enum tr_status tr__ranks_by_input(struct tr_rank_claim *c, size_t n, const struct tr__opened *o,
                                  const struct tr_open_opts *opts, struct tr_error *err);
enum tr_status tr__ranks_by_place(struct tr_rank_claim *c, size_t n, bool raw, size_t place,
                                  const struct tr_open_opts *opts, struct tr_error *err);

/* The ranks of settled claims as tr_merge_open wants them; NULL: out of memory. */
struct tr_merge_rank *tr__ranks_of(const struct tr_rank_conflicts *c);

/* As many inputs as ranks were given?  To be asked when all have been counted. */
enum tr_status tr__ranks_check(const struct tr_open_opts *opts, size_t n_inputs, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
