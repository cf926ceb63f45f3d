/* SPDX-License-Identifier: MIT */
/*
 * Event blocks: a run of events as columns, and back.  Internal to libcore; tr-stream(5), "Events".
 *
 * Encoding reads only a range of a batch, so any thread can encode ranges in any order, with its own encoder.  Decoding
 * is by column.  The directory, the shapes and the flags are always decoded, because they say which event has which
 * values.  Other columns are decoded on request.
 */
#ifndef TR_EVENTS_INT_H
#define TR_EVENTS_INT_H

#include "stream/format/tr_block_int.h"
#include "stream/format/tr_column_int.h"
#include "stream/tr_batch.h"
#include "stream/tr_layout_int.h"
#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_FIXED_BYTES 45u  /* of an event's fixed columns in memory */
#define TR_FIRST_PACKED 64u /* id of packed column 0 in a directory */

/* Facts about the events of a block. */
struct tr__events_info {
    uint32_t n, raw;
    uint32_t source_min, source_max;
    int64_t start, end; /* or TR_TIME_NONE */
    uint32_t n_phase[TR_N_PHASES];
};

/* A range of a batch: events [from, from+n), and where each packed column's entries start (NULL:
 * at 0). */
struct tr__range {
    const struct tr_batch *batch;
    size_t from, n;
    const size_t *col_from; /* by column number */
    /* The range is a whole batch without other entries, and nothing is compressed: then it does not matter which event
     * has which entry. */
    bool plain;
};

/*
 * Prepare a range for encoding: all that needs the dictionary.
 *
 * Returns TR_OK with layout, and number, size and sources in info; TR_USAGE: the batch lacks a column or entries;
 * TR_SYSTEM.
 */
enum tr_status tr__events_plan(const struct tr__range *range, struct tr__layout *layout,
                               struct tr__events_info *info, struct tr_error *err);

struct tr__encoder; /* working memory, one per thread */
struct tr__encoder *tr__encoder_new(enum tr_codec codec, int level);
void tr__encoder_free(struct tr__encoder *e);

/*
 * Append the payload of an event block to out, and complete info.  It reads only the arrays of the batch and the
 * layout; other threads may do anything else at the same time.
 * Returns TR_OK or TR_SYSTEM.
 */
enum tr_status tr__events_encode(struct tr__encoder *e, const struct tr__range *range,
                                 struct tr__layout *layout, struct tr__events_info *info,
                                 struct tr_buf *out, struct tr_error *err);

/* How many events of a block have each phase. */
void tr__events_phases(const uint8_t *phase, size_t n, uint32_t n_phase[TR_N_PHASES]);

struct tr__decoder;
struct tr__decoder *tr__decoder_new(const struct tr_dict *dict);
void tr__decoder_free(struct tr__decoder *d);

/*
 * Start with a block: check its directory against shapes and flags.  The payload is borrowed until the next block.
 * n_strings: number of strings, used instead of that of the dictionary.
 */
enum tr_status tr__decoder_start(struct tr__decoder *d, const struct tr_block *block,
                                 const unsigned char *payload, uint32_t n_strings,
                                 struct tr_error *err);

/* A fixed column's array, decoded and checked at the first request.  Valid until the next block. */
enum tr_status tr__decoder_fixed(struct tr__decoder *d, enum tr_fixed id, void **array,
                                 struct tr_error *err);

/* The packed columns of the block, and the array of column i among them. */
const struct tr__layout *tr__decoder_layout(const struct tr__decoder *d);
enum tr_status tr__decoder_packed(struct tr__decoder *d, size_t i, void **array,
                                  struct tr_error *err);

/*
 * The smallest start and the largest end of n events, by the durations that analyses use (tr_dur_used).  If no event
 * has a start, both are TR_TIME_NONE.  An end beyond 64 bits becomes the largest time.
 */
void tr__events_span(const int64_t *ts, const int64_t *dur, const uint8_t *suspect, size_t n,
                     int64_t *start, int64_t *end);

extern const struct tr__fixed_column {
    const char *name;
    uint8_t elem, reference;
} tr__fixed_columns[TR_N_FIXED];

#ifdef __cplusplus
}
#endif
#endif
