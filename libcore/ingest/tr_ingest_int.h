/* SPDX-License-Identifier: MIT */
/*
 * Reading of sources, shared by all formats: from the pieces of a source to batches.  Internal to libcore.
 *
 *   tr_interner.c       texts, shapes and tracks as numbers
 *   tr_lane.c           turns events into rows of a piece
 *   tr_piece_commit.c         joins pieces in their order: rows go to the sort, findings to the source
 *   tr_pair.c           joins starts and ends
 *   tr_source_row.c     the row of the source in the stream; launch links; damage that is refused
 *   tr_track_names.c    names of tracks from the source
 *   tr_process_groups.c, tr_process_match.c, tr_process_rows.c
 *                       ranks of a file that was merged from several traces
 *   tr_ingest_table.c   tables of the source
 *   tr_ingest_steps.c   its steps, of training or of inference
 *   tr_batch_builder.c  turns rows into batches of one dictionary
 *   tr_ingest_sorted.c  an input in canonical order
 *   tr_ingest_live.c    an input in the order of the source, without sorting
 *   tr_ingest.c, tr_ingest_event.c, tr_event_template.c, tr_ingest_nest.c, tr_ingest_source.c
 *                       the builder, for formats that do not fill lanes themselves
 */
#ifndef TR_INGEST_INT_H
#define TR_INGEST_INT_H

#include "ingest/tr_batch_builder_int.h"
#include "ingest/tr_ingest.h"
#include "ingest/tr_lane_int.h"
#include "model/calls/tr_launch.h"
#include "stream/format/tr_paged_int.h"
#include "stream/sort/tr_external_sort_int.h"

struct tr__groups;

struct tr__step_note {
    struct tr_step step; /* track: of the interner */
    uint16_t interner;
};

/* A process that is a rank of its own. */
struct tr__rank_of {
    int64_t pid, rank; /* rank TR_I64_NONE: by order */
};

/* What is known of the source so far. */
struct tr__file {
    char *name;
    size_t place; /* among the inputs */
    struct tr__header_entry *header;
    size_t n_header, cap_header, events_at;
    bool bare_array, seen_events;
    uint64_t n_elements, n_negative_ts;
    int64_t pid, other_pid; /* as in a piece */
    uint32_t n_clocks; /* in addition to its main clock */
    struct tr_source_summary sum; /* without damage */
    struct tr_damage_cause_counts damage;
    struct tr_damage *own; /* causes that the format has added */
    size_t n_own, cap_own;
    int64_t first_from_0, last_from_0; /* as in a piece */
    struct tr__step_note *steps;
    size_t n_steps, cap_steps;
    struct tr_paged work; /* struct tr__device_work */
    struct tr_paged arrows; /* struct tr__arrow */
    struct tr__track_name *names;
    size_t n_names, cap_names, compact_at; /* when there are more, those that were replaced later are removed */
    struct tr_launch_table *launches;
    struct tr_paged launched; /* as tr_batch_builder_links needs it */
    bool counts_records;      /* as the driver has it */
    bool by_work;             /* as in a piece */
    struct tr_launch_table *arrow_ends; /* from the place of work to that of its call, as record; NULL: no arrows */
    struct tr_external_sort *ends; /* B and E */
    struct tr_side_tables tables;
    uint16_t tables_interner; /* the interner of the tracks in their cells, until tr__map_tables */
    bool partial;
    /* from the source or its name */
    int64_t rank, base_ns;
    uint8_t rank_rule;
    bool has_base;
    char host[256], mesh[128], format[16];
    struct tr__rank_of *ranks; /* of processes */
    size_t n_ranks, cap_ranks;
    struct tr__groups *groups; /* NULL: the source is one; see tr_process_groups_int.h */
};

/* The state of reading a source. */
struct tr__source_state {
    const struct tr_open_opts *opts;
    unsigned n_threads;
    bool batches_ahead; /* as in the options */
    tr__decode_fn *decode;
    struct tr__lane **lanes; /* of the format; the last is for joined spans */
    size_t n_lanes, cap_lanes;
    struct tr__lane joined;
    struct tr_block_pool *pool;
    struct tr_external_sort *runs;
    struct tr__file file;
};

/* How to read a source: the functions of a format that fills lanes itself. */
struct tr__driver {
    bool counts_records; /* no two events have the same record */
    tr__decode_fn *decode; /* of its interners */
    /* Register lanes with tr__source_state_lane.  False: out of memory. */
    bool (*start)(void *ctx, struct tr__source_state *l);
    /* Read the whole source; pieces go to tr__piece_commit_findings and tr__piece_commit_rows. */
    enum tr_status (*read)(void *ctx, struct tr__source_state *l, struct tr_error *err);
    /* Without sorting: read the next piece and commit its findings; the caller uses its rows.  TR_END: none is left. */
    enum tr_status (*next)(void *ctx, struct tr__source_state *l, struct tr__piece *piece, struct tr_error *err);
    /* After reading: fill in the facts about the source, or fail if it is empty. */
    enum tr_status (*understand)(void *ctx, struct tr__source_state *l, struct tr_error *err);
    void (*close)(void *ctx); /* the source has been read; lanes are still in use */
    void (*free)(void *ctx);
};

/*
 * Open an input that a driver reads.  The call returns after the whole source has been read; with opts->no_sort, as
 * soon as reading can start.  format: the name of the format, until understand sets a better one.  driver->free
 * releases ctx, also on failure.
 */
enum tr_status tr__ingest_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);

/* Its two implementations: tr_ingest_sorted.c and tr_ingest_live.c. */
enum tr_status tr__sorted_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                               const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);
enum tr_status tr__live_open(struct tr_input **out, const struct tr__driver *driver, const char *format, void *ctx,
                             const char *name, size_t place, const struct tr_open_opts *opts, struct tr_error *err);

/* Call the driver's understand, use what the name of the input says, and refuse damage if it has to be refused. */
enum tr_status tr__understand(struct tr__source_state *l, const struct tr__driver *driver, void *ctx,
                              struct tr_error *err);

enum tr_status tr__source_state_init(struct tr__source_state *l, const struct tr__driver *driver, const char *format,
                                     void *ctx, const char *name, size_t place, const struct tr_open_opts *opts,
                                     struct tr_error *err);
void tr__source_state_free(
    struct tr__source_state *l); /* also frees the interners of the lanes; the format frees the lanes */
bool tr__source_state_lane(struct tr__source_state *l,
                           struct tr__lane *lane); /* kept, not copied; false: out of memory */

/* Fill in err with the reason: memory ran out, or there are more distinct strings than the limit allows. */
enum tr_status tr__lane_failed(const struct tr__lane *lane, struct tr_error *err);

/* Order the rows of a piece. */
enum tr_status tr__piece_sort(struct tr__piece *pc, struct tr_error *err);

/* Add the findings of a piece (everything except its rows) to its source.  Records become those of the source. */
enum tr_status tr__piece_commit_findings(struct tr__file *f, struct tr__piece *pc, uint16_t interner,
                                         struct tr_error *err);

/* Pass the rows of a sorted piece to the sort. */
enum tr_status tr__piece_commit_rows(struct tr__source_state *l, struct tr__piece *pc, struct tr_error *err);

/* Join the starts and ends in l->file.ends; the result goes to l->runs. */
enum tr_status tr__pair_ends(struct tr__source_state *l, struct tr_error *err);

/*
 * Add to key what the start and the end of an async event have in common besides name and process: category, scope and
 * id.  *id: where the id counts; without one the event has no partner.  False: out of memory.
 */
enum tr__id { TR__ID_NONE, TR__ID_OF_PROCESS, TR__ID_ANYWHERE };
bool tr__async_key(const struct tr__interner *s, const struct tr_row *row, struct tr_buf *key, enum tr__id *id);

/* Set the rank: from the option, the source itself (said; negative: none), the name, or the place, in this order. */
void tr__find_rank(struct tr__source_state *l, int64_t given);
/* Set the base time: events before it are suspect. */
void tr__set_base(struct tr__file *f, int64_t base_ns);
enum tr_status tr__refuse_damage(const struct tr__file *f, struct tr_error *err); /* fails if there is any */
/* The same for damage of a source of which no event and no table is left: its bytes were changed, or cut. */
enum tr_status tr__refuse_nothing(const struct tr__file *f, struct tr_error *err);

/* The steps of the source, or of a process group, in order; s has none before.  False: out of memory. */
bool tr__file_steps(const struct tr__file *f, uint32_t group, struct tr_batch_builder *builder,
                    struct tr_source_summary *s);

bool tr__sum_up_damage(const struct tr__file *f, struct tr_source_summary *s); /* false: out of memory */

/* Join the ends of arrows: f->arrow_ends.  TR_OK or TR_SYSTEM. */
enum tr_status tr__join_arrows(struct tr__source_state *l, struct tr_error *err);

/* So much work with times of 0 has no known launch: its times may be right, so it is no longer suspect. */
void tr__believe_zero_times(struct tr__file *f, uint64_t n);

/* Count the device work of each launch, and the lags. */
enum tr_status tr__count_links(struct tr__file *f, struct tr_error *err);

/* Remove the names from f->names that were replaced later.  False: out of memory. */
bool tr__names_compact(struct tr__file *f);

/*
 * Replace the track numbers in cells of tables by those of the stream.  A track that is not among the first n_known
 * tracks becomes an absent cell.  False: out of memory.
 */
bool tr__map_tables(struct tr__file *f, struct tr_batch_builder *b, size_t n_known);

/* Names of tracks by (pid, tid). */
struct tr__names;
struct tr__names *tr__names_new(const struct tr__source_state *l);
void tr__names_free(struct tr__names *n);
tr_batch_builder_name_fn tr__names_give; /* ctx: struct tr__names */

/* The name of an input without its folders, as sources have it. */
const char *tr__short_input_name(const char *path);

/* The source row of a file, added to a dictionary; false: out of memory. */
bool tr__add_source(struct tr_dict *d, const struct tr__source_state *l, const struct tr__file *f);

/*
 * The process groups of a merged file, each of which becomes a source.  Find them before the launches are complete,
 * and move rows when links are counted.  The second and third function: of a track of an interner.
 */
enum tr_status tr__find_groups(struct tr__source_state *l, struct tr_error *err);
enum tr_status tr__move_rows(struct tr__source_state *l, struct tr_error *err);
struct tr_source_summary *tr__group_sum(struct tr__file *f, size_t interner, uint32_t track);
uint32_t tr__group_of(const struct tr__file *f, size_t interner, uint32_t track);
void tr__groups_free(struct tr__groups *g);

/* Count damage of the compressed bytes.  to_the_end: all bytes were read; damaged: the last read returned TR_DAMAGED;
 * offset: number of bytes read. */
void tr__bytes_ended(struct tr__file *f, const struct tr_ingest_bytes *bytes, bool damaged, bool to_the_end,
                     uint64_t offset);

#endif
