/*
 * The columns of an event block that a program asked for, as a batch.  Internal to libcore.
 */
#ifndef TR_WANT_INT_H
#define TR_WANT_INT_H

#include "stream/tr_events_int.h"
#include "stream/tr_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__wanted {
    struct tr__decoder *decoder;
    struct tr_batch batch; /* its arrays are the decoder's, all but cols */
    size_t cap_cols;
    uint32_t fixed, derived; /* as in struct tr_want */
    bool all_packed;
    struct tr_strtab *keys;
    uint8_t *wanted; /* by column, for those before n_known: has it one of the keys? */
    size_t n_known, cap_known;
};

bool tr__wanted_init(struct tr__wanted *v, const struct tr_dict *dict); /* all columns; false: memory */
void tr__wanted_free(struct tr__wanted *v);
bool tr__wanted_choose(struct tr__wanted *v, const struct tr_want *want); /* false: memory */

/* Decode a block of events into v->batch. */
enum tr_status tr__wanted_decode(struct tr__wanted *v, const struct tr_block *b,
                               const unsigned char *payload, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
