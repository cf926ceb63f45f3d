/*
 * What is known once the file was read, and the stages that work on it.  Internal to libcore.
 *
 *   tr_chrome_read.c    reads the pieces of one file by threads, commits them in order
 *   tr_chrome_source.c  what a file says of itself: rank, host, time base, names of tracks
 *   tr_chrome_pair.c    joins begins and ends
 *   tr_chrome_input.c   gives batches
 */
#ifndef TR_CHROME_LOAD_INT_H
#define TR_CHROME_LOAD_INT_H

#include "formats/chrome/tr_chrome.h"
#include "formats/chrome/tr_chrome_int.h"
#include "ingest/tr_batch_builder_int.h"
#include "model/tr_launch.h"
#include "stream/tr_paged_int.h"
#include "stream/tr_runs_int.h"

struct tr__step_note {
    struct tr_step step; /* track: of the interner */
    uint16_t interner;
};

/* The file, as far as it has been read. */
struct tr__file {
    char *name;
    size_t place; /* among the inputs */
    struct tr__header_entry *header;
    size_t n_header, cap_header, events_at;
    bool bare_array, seen_events, seen_bracket;
    uint64_t n_elements, n_negative_ts;
    int64_t pid; /* of the first host event */
    struct tr_source_summary sum;
    int64_t first_from_0, last_from_0; /* as in a piece */
    struct tr__step_note *steps;
    size_t n_steps, cap_steps;
    struct tr_paged work; /* struct tr__device_work */
    struct tr__track_name *names;
    size_t n_names, cap_names, compact_at; /* as many are looked through for such as were given anew */
    struct tr_launch_table *launches;
    struct tr_runs *ends; /* B and E */
    bool partial;
    /* said by the header or the name */
    int64_t rank, base_ns;
    uint8_t rank_rule;
    bool has_base;
    char host[256], mesh[128], format[16];
};

struct tr__load {
    const struct tr_open_opts *opts;
    const struct tr__dialect *dialect;
    unsigned n_threads;
    struct tr__parser *parsers; /* one per thread, and one more for joined spans */
    size_t n_parsers;
    struct tr_block_pool *pool;
    struct tr_runs *runs;
    struct tr__file file;
};

/* Read the file to its end into l->file. */
enum tr_status tr__read_file(struct tr__load *l, struct tr_text_source *source, struct tr_error *err);

/*
 * Reading without sorting: pieces in the order of the text, by the calling thread, as soon as they are
 * there.  The piece holds the rows; all else goes to l->file.  source is borrowed.
 */
struct tr__live;
enum tr_status tr__live_open(struct tr__live **out, struct tr__load *l, struct tr_text_source *source,
                             struct tr_error *err);
enum tr_status tr__live_next(struct tr__live *v, struct tr__piece *piece, struct tr_error *err);
void tr__live_free(struct tr__live *v);

/* Join what stands in l->file.ends; the result goes to l->runs. */
enum tr_status tr__pair_ends(struct tr__load *l, struct tr_error *err);

/* What header and name say; an error if the file holds no trace, or is damaged and that is refused. */
enum tr_status tr__understand_file(struct tr__load *l, struct tr_error *err);
enum tr_status tr__refuse_damage(const struct tr__file *f, struct tr_error *err); /* what would be salvaged */
bool tr__find_rank(struct tr__load *l); /* false: out of memory */

/* Count the device work of each launch, and the lags. */
void tr__count_links(struct tr__file *f);

/* Forget names of f->names that were given anew later.  False: out of memory. */
bool tr__names_compact(struct tr__file *f);

/* Names of tracks by (pid, tid). */
struct tr__names;
struct tr__names *tr__names_new(const struct tr__load *l);
void tr__names_free(struct tr__names *n);
tr_batch_builder_name_fn tr__names_give; /* ctx: struct tr__names */

enum tr_status tr__load_init(struct tr__load *l, const struct tr_open_opts *opts,
                             const struct tr__dialect *dialect, struct tr_error *err);
void tr__load_free(struct tr__load *l);
bool tr__file_init(const struct tr__load *l, struct tr__file *f, const struct tr_text_source *source);

/* The source row of a file, added to a dictionary; false: out of memory. */
bool tr__add_source(struct tr_dict *d, const struct tr__load *l, const struct tr__file *f);
const char *tr__base_name(const char *path); /* last component */

/* An input without sorting: tr_chrome_live.c. */
enum tr_status tr__live_input_open(struct tr_input **out, const struct tr_text_source *source,
                                   const struct tr_open_opts *opts, const struct tr__dialect *dialect,
                                   struct tr_error *err);

/* As tr_chrome_open, for text of any dialect; the dialect must live as long as the input. */
enum tr_status tr__text_open(struct tr_input **out, const struct tr_text_source *source,
                             const struct tr_open_opts *opts, const struct tr__dialect *dialect,
                             struct tr_error *err);

#endif
