/* SPDX-License-Identifier: MIT */
/*
 * Fields of events: names, types and sources of all that an event has, and of what services derive for it.
 *
 * Fields get their names only here.  The language of expressions (expr), the columns of tr-view (formats/text) and the
 * keys and values of tr-sum read this list, and their values by batch with tr_field_columns.h; tr-expr(7) defines them.
 *
 * The folder field has this list and the values.  Central: struct tr_event_field (here), struct tr_field_columns.
 */
#ifndef TR_EVENT_FIELD_H
#define TR_EVENT_FIELD_H

#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_field_id {
    TR_FIELD_NAME,
    TR_FIELD_CAT,
    TR_FIELD_ACTIVITY,
    TR_FIELD_KIND,
    TR_FIELD_CLASS,
    TR_FIELD_API,
    TR_FIELD_PHASE,
    TR_FIELD_TS,
    TR_FIELD_DUR,
    TR_FIELD_END,
    TR_FIELD_PID,
    TR_FIELD_TID,
    TR_FIELD_RANK,
    TR_FIELD_HOST,
    TR_FIELD_DEVICE,
    TR_FIELD_STREAM,
    TR_FIELD_PROCESS,
    TR_FIELD_THREAD,
    TR_FIELD_CORRELATION,
    TR_FIELD_STEP,
    TR_FIELD_STEP_PHASE,
    TR_FIELD_DEPTH,
    TR_FIELD_SOURCE,
    TR_FIELD_RECORD,
    TR_FIELD_CONTEXT,
    TR_FIELD_LAUNCH_RECORD,
    TR_FIELD_LAUNCH_TS,
    TR_FIELD_LAUNCH_DUR,
    TR_FIELD_N_DEVICE,
    TR_FIELD_SUSPECT,
    TR_FIELD_TS_PS,
    TR_FIELD_DUR_PS,
    TR_FIELD_GRAPH_ID,
    TR_FIELD_GRAPH_NODE,
    TR_FIELD_KERNEL, /* this and the next ones: an arg, or a part of the name (tr_name_part.h) */
    TR_FIELD_GRID,
    TR_FIELD_BLOCK,
    TR_FIELD_SIMD,
    TR_FIELD_TILE,
    TR_FIELD_DIRECTION,
    TR_FIELD_BYTES,
    TR_FIELD_OPERATOR, /* this and the next ones: around the event (service/tr_owners.h) */
    TR_FIELD_MODULE,
    TR_FIELD_ANNOTATION,
    TR_FIELD_PARENT,
    TR_FIELD_STACK,
    TR_FIELD_GROUP,
    TR_FIELD_QUEUE_WAIT,
    TR_FIELD_LANE,    /* of a span, among those of its thread */
    TR_FIELD_ARGS,    /* all args, as an object */
    TR_FIELD_MEMBERS, /* members outside args that no other field has, as an object */
    TR_FIELD_ARG,     /* args.KEY: any of them */
    TR_N_FIELDS
};

/* The type of a field, which decides what it can be compared with. */
enum tr_field_type {
    TR_FIELD_IS_TEXT,
    TR_FIELD_IS_LIST, /* a text that may hold several, with commas */
    TR_FIELD_IS_ENUM, /* a word from a list */
    TR_FIELD_IS_TIME, /* ns */
    TR_FIELD_IS_INT,
    TR_FIELD_IS_SIZE, /* a whole number of bytes */
    TR_FIELD_IS_ANY, /* the type of the value in the trace */
};

/* Where the values of a field come from, and in which form. */
enum tr_field_from {
    TR_FIELD_FROM_OTHER,   /* each user of fields has its own way */
    TR_FIELD_FROM_NUMBERS, /* tr_field_numbers */
    TR_FIELD_FROM_WORDS,   /* tr_field_words */
    TR_FIELD_FROM_STRINGS, /* tr_field_strings */
    TR_FIELD_FROM_TRACK,   /* the track of the event, or its source */
    TR_FIELD_FROM_ARG,
    TR_FIELD_FROM_PART,    /* an arg, or a part of the name (tr_name_part.h) */
    TR_FIELD_FROM_OWNER,   /* tr_field_owner_text */
};

/* Where the name of a field can be used, as bits. */
enum { TR_FIELD_TO_FILTER = 1, TR_FIELD_TO_LIST = 2 };

struct tr_event_field {
    const char *name, *meaning;
    enum tr_field_type type;
    unsigned where;
    enum tr_field_from from;
    uint32_t fixed, derived; /* columns that it is made from, as in struct tr_projection */
    const char *arg;         /* the key of the arg that is its value; NULL: none */
    uint32_t in_name;        /* activities whose names hold it, as bits: it is there if the arg is missing or null */
};
extern const struct tr_event_field tr_event_fields[TR_N_FIELDS];

/* Are its values whole numbers, times among them? */
static inline bool tr_event_field_is_whole(enum tr_field_id f)
{
    enum tr_field_type type = tr_event_fields[f].type;
    return type == TR_FIELD_IS_INT || type == TR_FIELD_IS_TIME || type == TR_FIELD_IS_SIZE;
}

/* Is it a point in time, and not a duration? */
static inline bool tr_event_field_is_moment(enum tr_field_id f)
{
    return f == TR_FIELD_TS || f == TR_FIELD_END || f == TR_FIELD_LAUNCH_TS;
}

/* Is it something around the event? */
static inline bool tr_event_field_is_owner(enum tr_field_id f)
{
    return tr_event_fields[f].from == TR_FIELD_FROM_OWNER;
}

/* The field with this name that can be used there; TR_N_FIELDS: none.  The caller handles "args.KEY" itself. */
enum tr_field_id tr_event_field_find(const char *name, size_t len, unsigned where);

#ifdef __cplusplus
}
#endif
#endif
