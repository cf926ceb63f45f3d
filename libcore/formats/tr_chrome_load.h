/*
 * What is known once files were read, and the stages that work on it.  Internal to libcore.
 *
 *   tr_chrome_read.c    reads the pieces of one file by threads, commits them in order
 *   tr_chrome_source.c  what a file says of itself: rank, host, time base, names of tracks
 *   tr_chrome_pair.c    joins begins and ends
 *   tr_chrome_input.c   gives batches
 */
#ifndef TR_CHROME_LOAD_H
#define TR_CHROME_LOAD_H

#include "formats/tr_chrome.h"
#include "formats/tr_chrome_int.h"
#include "formats/tr_gather.h"
#include "model/tr_launch.h"
#include "stream/tr_paged.h"
#include "stream/tr_runs.h"

struct tr__step_note {
    struct tr_step step; /* track: of the space */
    uint16_t space;
};

/* One file, as far as it has been read. */
struct tr__file {
    char *name;
    size_t place; /* among the inputs */
    struct tr__header_entry *header;
    size_t n_header, cap_header, events_at;
    bool bare_array, seen_events, seen_bracket;
    uint64_t n_elements, n_negative_ts;
    struct tr_source_summary sum;
    struct tr__step_note *steps;
    size_t n_steps, cap_steps;
    struct tr_paged work; /* struct tr__device_work */
    struct tr__track_name *names;
    size_t n_names, cap_names;
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
    struct tr_tuning tuning;
    unsigned n_threads;
    struct tr__parser *parsers; /* one per thread, and one more for joined spans */
    size_t n_parsers;
    struct tr_block_pool *pool;
    struct tr_runs *runs;
    struct tr__file *files;
    size_t n_files;
    uint32_t *order_of; /* by file: its place in the order by rank, host, name: its source number */
};

/* Read one file to its end into l->files[i]. */
enum tr_status tr__read_file(struct tr__load *l, size_t i, struct tr_text_source *source,
                             struct tr_error *err);

/* Join what stands in file->ends; the result goes to l->runs. */
enum tr_status tr__pair_ends(struct tr__load *l, size_t i, struct tr_error *err);

/* What header and name say; errors if the file holds no trace. */
enum tr_status tr__understand_file(struct tr__load *l, size_t i, struct tr_error *err);

/* Count the device work of each launch, and the lags. */
void tr__count_links(struct tr__file *f);

/* Names of tracks by (source, pid, tid). */
struct tr__names;
struct tr__names *tr__names_new(const struct tr__load *l);
void tr__names_free(struct tr__names *n);
tr_gather_name_fn tr__names_give; /* ctx: struct tr__names */

/* Put a spilled or kept row's references away: sorts and adds to runs. */
enum tr_status tr__sort_piece(struct tr__piece *pc, struct tr_error *err);

void tr__load_free(struct tr__load *l);

#endif
