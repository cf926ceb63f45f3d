/* SPDX-License-Identifier: MIT */
/*
 * The requested columns of an event block, as a batch.  Internal to libcore.
 */
#ifndef TR_PROJECTED_INT_H
#define TR_PROJECTED_INT_H

#include "stream/format/tr_events_int.h"
#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The requested columns. */
struct tr__wanted {
    uint32_t fixed, derived; /* as in struct tr_projection */
    bool all_packed;
    struct tr_strtab *keys;
    uint8_t *column; /* by number, for those before n_known: is it wanted? */
    size_t n_known, cap_known;
};

void tr__wanted_init(struct tr__wanted *w); /* all columns */
void tr__wanted_free(struct tr__wanted *w);
bool tr__wanted_choose(struct tr__wanted *w, const struct tr_projection *want); /* false: memory */
/* Call it when the dictionary has new columns, before events use them; false: memory. */
bool tr__wanted_learn(struct tr__wanted *w, const struct tr_dict *dict);

/* Is a packed column wanted?  It must be known. */
static inline bool tr__wanted_has(const struct tr__wanted *w, uint32_t column)
{
    return w->all_packed || (column < w->n_known && w->column[column]);
}

/* The decoded batch. */
struct tr__view {
    struct tr__decoder *decoder;
    struct tr_batch batch; /* the decoder owns its arrays, except cols */
    size_t cap_cols;
};

bool tr__view_init(struct tr__view *v, const struct tr_dict *dict); /* false: memory */
void tr__view_free(struct tr__view *v);

/* Decode a block of events into v->batch.  n_strings: the number of strings that the events may use. */
enum tr_status tr__view_decode(struct tr__view *v, const struct tr__wanted *wanted,
                               const struct tr_block *b, const unsigned char *payload,
                               uint32_t n_strings, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
