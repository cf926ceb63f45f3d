/* SPDX-License-Identifier: MIT */
/*
 * The values of fields, by batch: a column with an entry for each event, made when it is first needed.
 *
 *     tr_field_columns_start(&c, in, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
 *         tr_field_columns_batch(&c, b);
 *         const int64_t *ends = tr_field_numbers(&c, TR_FIELD_END);       NULL: out of memory
 *         const uint8_t *phases = tr_field_words(&c, TR_FIELD_STEP_PHASE);
 *     }
 *     tr_field_columns_free(&c);
 *
 * Which function is right for a field is in tr_event_fields[].from.  Columns are valid until the next batch.
 * One thread at a time.
 */
#ifndef TR_FIELD_COLUMNS_H
#define TR_FIELD_COLUMNS_H

#include "base/tr_mem.h"
#include "field/tr_event_field.h"
#include "model/tr_open_spans.h"
#include "model/tr_steps.h"
#include "service/tr_owners.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_field_columns {
    const struct tr_batch *batch;
    struct tr_owners *owners;       /* NULL: not known, so no event has an owner */
    struct tr_steps *steps;         /* NULL: no event has a step */
    struct tr_open_spans *nest;     /* NULL: no event has a depth */
    struct tr_step_columns launched;
    bool has_launched;
    struct tr_field_column {
        void *v;
        size_t cap;
        bool made; /* for this batch */
    } columns[TR_N_FIELDS];
};

/*
 * Start with an input.  asks: bits, 1 << field, of the fields that will be read; c is zero before the first call, and
 * must be freed before another one.
 *
 * Returns TR_OK; TR_DAMAGED: a field needs order, but the input has none; TR_SYSTEM.
 */
enum tr_status tr_field_columns_start(struct tr_field_columns *c, struct tr_input *in, uint64_t asks,
                                      struct tr_error *err);
/* The same for a summary; fields of owners have no values.  False: out of memory. */
bool tr_field_columns_init(struct tr_field_columns *c, const struct tr_summary *summary, uint64_t asks);
void tr_field_columns_free(struct tr_field_columns *c);

/* The next batch.  Depth counts open spans, so if it was requested, each batch is needed.  False: out of memory. */
bool tr_field_columns_batch(struct tr_field_columns *c, const struct tr_batch *b);

/* Whole numbers and times; TR_I64_NONE: an event has none.  NULL, here and below: out of memory. */
const int64_t *tr_field_numbers(struct tr_field_columns *c, enum tr_field_id field);
/* Numbers of words. */
const uint8_t *tr_field_words(struct tr_field_columns *c, enum tr_field_id field);
/* Numbers of strings in the dictionary; TR_NO_STR: an event has none. */
const uint32_t *tr_field_strings(struct tr_field_columns *c, enum tr_field_id field);

static inline enum tr_type tr__field_number(int64_t number, bool present, int64_t *value)
{
    *value = number;
    return present ? TR_T_INT : TR_T_NULL;
}

static inline enum tr_type tr__field_string(uint32_t id, int64_t *value)
{
    *value = id;
    return id == TR_NO_STR ? TR_T_NULL : TR_T_STRING;
}

/*
 * A field of a track or its source: *value, and its type, which is TR_T_INT, TR_T_UINT (as bits), TR_T_STRING (the
 * number of the string), or TR_T_NULL: it has none.
 */
static inline enum tr_type tr_field_of_track(const struct tr_dict *d, uint32_t track, enum tr_field_id field,
                                              int64_t *value)
{
    const struct tr_track *t = &d->tracks[track];
    const struct tr_source *s = &d->sources[t->source];
    switch (field) {
    case TR_FIELD_PID:
        *value = t->pid;
        return t->pid_type == TR_T_STRING ? tr__field_string((uint32_t)t->pid, value) : (enum tr_type)t->pid_type;
    case TR_FIELD_TID:
        *value = t->tid;
        return t->tid_type == TR_T_STRING ? tr__field_string((uint32_t)t->tid, value) : (enum tr_type)t->tid_type;
    case TR_FIELD_RANK:
        return tr__field_number(s->rank, s->rank >= 0, value);
    case TR_FIELD_SOURCE:
        return tr__field_number(t->source, true, value);
    case TR_FIELD_DEVICE:
        return tr__field_number(t->device, t->device != TR_I64_NONE, value);
    case TR_FIELD_STREAM:
        return tr__field_number(t->stream, t->stream != TR_I64_NONE, value);
    case TR_FIELD_CONTEXT:
        return tr__field_number(t->context, t->context != TR_I64_NONE, value);
    case TR_FIELD_HOST:
        return tr__field_string(s->host, value);
    case TR_FIELD_PROCESS:
        return tr__field_string(t->process_name, value);
    default:
        return tr__field_string(t->thread_name, value);
    }
}

/* The words of a field by their numbers; numbers below *first, and those from *n on, are no words. */
typedef const char *tr_field_word(unsigned number);
tr_field_word *tr_field_word_list(enum tr_field_id field, unsigned *first, unsigned *n);

/*
 * The text of a field of an owner, for an event with this frame; n: of a stack (0: all).  It is valid until the next
 * call with the same room.  False: out of memory.
 */
bool tr_field_owner_text(const struct tr_field_columns *c, enum tr_field_id field, size_t n, uint32_t frame,
                         struct tr_str *text, struct tr_buf *room);

/* The frames of the batch; NULL: no owners are known. */
const uint32_t *tr_field_frames(const struct tr_field_columns *c);

#ifdef __cplusplus
}
#endif
#endif
