/* SPDX-License-Identifier: MIT */
/*
 * Fields of events by name, for writers that show some of them: "ts,dur,rank,args.correlation".
 *
 * Names are those of field/tr_event_field.h: rank, ts, operator, stack(3), args.KEY, args."KEY" (quotes for keys with
 * commas or quotes, \" and \\) and so on; a step and what is around an event are absent if they are not known.
 *
 * The values come out as cells: typed, and bound to the batch they come from.
 */
#ifndef TR_FIELDS_H
#define TR_FIELDS_H

#include "base/tr_mem.h"
#include "formats/common/tr_members.h"
#include "field/tr_field_columns.h"
#include "field/tr_name_part.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_field {
    enum tr_field_id id;
    char *name;    /* as asked for; args.KEY without quotes */
    char *key;     /* of the arg that is the value; NULL: none */
    size_t count;  /* stack(N): N; 0: all */
    bool optional; /* JSON leaves it out when it is absent, instead of null */
};

struct tr_fields {
    struct tr_field *list;
    size_t n, cap;
};

/*
 * Read a comma-separated list; blanks around names are allowed, "name?" makes a field optional.
 * f is zero-initialised by the caller and released by tr_fields_free.
 * TR_OK; TR_USAGE with the reason: unknown field, empty list, quote without end; TR_SYSTEM.
 */
enum tr_status tr_fields_parse(struct tr_fields *f, const char *list, struct tr_error *err);
void tr_fields_free(struct tr_fields *f);

/*
 * Prepare the columns of the fields for an input.  Steps of an unsorted one are not known.  TR_OK; TR_DAMAGED: what is
 * around events of an unsorted one; TR_SYSTEM.
 */
enum tr_status tr_fields_start(const struct tr_fields *f, struct tr_field_columns *c, struct tr_input *in,
                               struct tr_error *err);

/* Is this field a time, so that its column's name gets a unit? */
bool tr_field_is_time(const struct tr_field *f);
/* Are the values of this field usually numbers, so that text aligns them to the right? */
bool tr_field_is_number(const struct tr_field *f);

/* A value of one event. */
struct tr_field_value {
    enum {
        TR_VALUE_NONE,
        TR_VALUE_NS,     /* i: time */
        TR_VALUE_TYPED,  /* i: as stored, by type; also null, false and true */
        TR_VALUE_TEXT,   /* text: a name that needs no escape */
        TR_VALUE_STR,    /* i: string number */
        TR_VALUE_PART,   /* text, len: a part of a string */
        TR_VALUE_OBJECT, /* text, len: JSON, valid until the next cell is read */
    } is;
    uint8_t type;
    int64_t i;
    const char *text;
    size_t len;
};

/*
 * Reads fields of the events of a batch, from first to last.  Opaque, except its size.  Zero-initialise.
 */
struct tr_field_reader {
    const struct tr_fields *fields;
    struct tr_field_columns *columns; /* set by the caller, borrowed */
    const uint32_t *lanes;        /* likewise, by event of the batch (tr_overlaps.h); NULL: none is known */
    bool of_files;                /* likewise: times are those of files, not of the stream */
    struct tr_members members;
    struct tr_field_loaded { /* by field: its column of the batch, as tr_field_columns.h has it */
        const int64_t *numbers;
        const uint8_t *words;
        const uint32_t *strings;
        tr_field_word *word;
        unsigned first_word;
        enum tr_field_from from; /* of the field, as the two below */
        bool is_time, is_moment;
    } *loaded;
    size_t cap_loaded;
    uint32_t *slot_of; /* by shape and field: slot that has the value, UINT32_MAX: none */
    size_t n_shapes, cap_slot_of;
    struct tr_buf object, owner;
    struct tr_name_part part;
};

/* Start a batch; dict and fields stay the same from call to call.  False: out of memory. */
bool tr_field_reader_start(struct tr_field_reader *r, const struct tr_fields *f,
                           const struct tr_batch *b);
/*
 * Field number k of event i, the current event of tr_field_reader_next.  False: out of memory.
 */
bool tr_field_reader_get(struct tr_field_reader *r, size_t i, size_t k, struct tr_field_value *v);
/*
 * An arg of event i, the current event: that of slot *at or a later one of its shape, which becomes the slot after it.
 * False: there are no more.
 */
bool tr_field_reader_arg(struct tr_field_reader *r, size_t i, uint32_t *at, struct tr_str *key,
                         struct tr_field_value *v);
/* Event i is done. */
void tr_field_reader_next(struct tr_field_reader *r, size_t i);
void tr_field_reader_free(struct tr_field_reader *r);

#ifdef __cplusplus
}
#endif
#endif
