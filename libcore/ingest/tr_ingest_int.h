/* SPDX-License-Identifier: MIT */
/*
 * The way in: what all formats share, from the pieces of a source to batches.  Internal to libcore.
 *
 *   tr_interner.c       texts, shapes and tracks as numbers
 *   tr_lane.c           events to rows of a piece
 *   tr_commit.c         pieces, in their order, to the whole: rows to the sort, findings to the source
 *   tr_pair.c           joins begins and ends
 *   tr_source_row.c     the row of the source in the stream; launch links; damage that is refused
 *   tr_track_names.c    names of tracks that the source gives
 *   tr_ingest_table.c   tables of the source
 *   tr_batch_builder.c  rows to batches of one dictionary
 *   tr_batch_numbers.c  numbers of interners to those of the dictionary
 *   tr_ingest_sorted.c  an input in canonical order
 *   tr_ingest_live.c    an input in the order of the source, as it is read
 *   tr_ingest.c, tr_ingest_event.c, tr_ingest_nest.c, tr_ingest_source.c
 *                       the builder, for formats that do not fill lanes themselves
 */
#ifndef TR_INGEST_INT_H
#define TR_INGEST_INT_H

#include "ingest/tr_batch_builder_int.h"
#include "ingest/tr_ingest.h"
#include "ingest/tr_lane_int.h"
#include "model/tr_launch.h"
#include "stream/tr_paged_int.h"
#include "stream/tr_external_sort_int.h"

struct tr__step_note {
    struct tr_step step; /* track: of the interner */
    uint16_t interner;
};

/* The source, as far as it has been read. */
struct tr__file {
    char *name;
    size_t place; /* among the inputs */
    struct tr__header_entry *header;
    size_t n_header, cap_header, events_at;
    bool bare_array, seen_events;
    uint64_t n_elements, n_negative_ts;
    int64_t pid; /* of the first host event */
    uint32_t n_clocks; /* beside its own */
    struct tr_source_summary sum; /* without damage */
    struct tr_cause_counts damage;
    struct tr_damage *own; /* causes of the format's own */
    size_t n_own, cap_own;
    int64_t first_from_0, last_from_0; /* as in a piece */
    struct tr__step_note *steps;
    size_t n_steps, cap_steps;
    struct tr_paged work; /* struct tr__device_work */
    struct tr__track_name *names;
    size_t n_names, cap_names, compact_at; /* as many are looked through for such as were given anew */
    struct tr_launch_table *launches;
    struct tr_external_sort *ends; /* B and E */
    struct tr_side_tables tables;
    uint16_t tables_interner; /* whose tracks they name, until tr__map_tables */
    bool partial;
    /* said by the source or its name */
    int64_t rank, base_ns;
    uint8_t rank_rule;
    bool has_base;
    char host[256], mesh[128], format[16];
};

/* What reading a source holds. */
struct tr__load {
    const struct tr_open_opts *opts;
    unsigned n_threads;
    tr__decode_fn *decode;
    struct tr__lane **lanes; /* of the format; the last is for joined spans */
    size_t n_lanes, cap_lanes;
    struct tr__lane joined;
    struct tr_block_pool *pool;
    struct tr_external_sort *runs;
    struct tr__file file;
};

/* A format that fills lanes: how its source is read. */
struct tr__driver {
    tr__decode_fn *decode; /* of its interners */
    /* Take lanes by tr__load_lane.  False: out of memory. */
    bool (*begin)(void *ctx, struct tr__load *l);
    /* Read all of it; pieces go to tr__commit_findings and tr__commit_rows. */
    enum tr_status (*read)(void *ctx, struct tr__load *l, struct tr_error *err);
    /* Without sorting: the next piece, its findings committed; its rows are handed out.  TR_END: none is left. */
    enum tr_status (*next)(void *ctx, struct tr__load *l, struct tr__piece *piece, struct tr_error *err);
    /* It has been read: what it says of itself, or an error if it holds nothing. */
    enum tr_status (*understand)(void *ctx, struct tr__load *l, struct tr_error *err);
    void (*close)(void *ctx); /* the source is read; lanes are still used */
    void (*free)(void *ctx);
};

/*
 * Open an input that a driver reads: blocks until it has been read, or, with opts->no_sort, only until it can be.
 * format: what the source is said to be, until understand has said more.  ctx is released by driver->free, also
 * on failure.
 */
enum tr_status tr__ingest_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);

/* The two ways of it: tr_ingest_sorted.c, tr_ingest_live.c. */
enum tr_status tr__sorted_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);
enum tr_status tr__live_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                             const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);

/* The driver's understand, and what the name tells; then damage that is refused. */
enum tr_status tr__understand(struct tr__load *l, const struct tr__driver *driver, void *ctx, struct tr_error *err);

enum tr_status tr__load_init(struct tr__load *l, const struct tr__driver *driver, const char *format, void *ctx,
                             const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);
void tr__load_free(struct tr__load *l); /* the lanes' own memory is their format's, but for their interners */
bool tr__load_lane(struct tr__load *l, struct tr__lane *lane); /* kept, not copied; false: out of memory */

/* Why reading failed: memory, or more distinct strings than it allows for. */
enum tr_status tr__lane_failed(const struct tr__lane *lane, struct tr_error *err);

/* Order the rows of a piece. */
enum tr_status tr__piece_sort(struct tr__piece *pc, struct tr_error *err);

/* Put a piece's findings, all but its rows, to those of its source.  Records become those of the source. */
enum tr_status tr__commit_findings(struct tr__file *f, struct tr__piece *pc, uint16_t interner, struct tr_error *err);

/* Hand a sorted piece's rows to the sort. */
enum tr_status tr__commit_rows(struct tr__load *l, struct tr__piece *pc, struct tr_error *err);

/* Join what stands in l->file.ends; the result goes to l->runs. */
enum tr_status tr__pair_ends(struct tr__load *l, struct tr_error *err);

/* The rank by option, by the source's own word (said; negative: none), by the name, by the place. */
void tr__find_rank(struct tr__load *l, int64_t said);
/* The base time is known: what stands before it is suspect. */
void tr__set_base(struct tr__file *f, int64_t base_ns);
enum tr_status tr__refuse_damage(const struct tr__file *f, struct tr_error *err); /* what would be salvaged */

bool tr__sum_up_damage(const struct tr__file *f, struct tr_source_summary *s); /* false: out of memory */

/* Count the device work of each launch, and the lags. */
void tr__count_links(struct tr__file *f);

/* Forget names of f->names that were given anew later.  False: out of memory. */
bool tr__names_compact(struct tr__file *f);

/*
 * Tables name tracks of the stream from now on; those that are none of its first n_known are absent.
 * False: out of memory.
 */
bool tr__map_tables(struct tr__file *f, struct tr_batch_builder *b, size_t n_known);

/* Names of tracks by (pid, tid). */
struct tr__names;
struct tr__names *tr__names_new(const struct tr__load *l);
void tr__names_free(struct tr__names *n);
tr_batch_builder_name_fn tr__names_give; /* ctx: struct tr__names */

/* The source row of a file, added to a dictionary; false: out of memory. */
bool tr__add_source(struct tr_dict *d, const struct tr__load *l, const struct tr__file *f);

/* The bytes have ended, or to_the_end is false.  damaged: of the input that they came from; offset: how many. */
void tr__bytes_ended(struct tr__file *f, const struct tr_ingest_bytes *bytes, bool damaged, bool to_the_end,
                     uint64_t offset);

#endif
