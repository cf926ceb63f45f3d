/* SPDX-License-Identifier: MIT */
/*
 * The internal state of the builder, between two calls of a format.  Internal to libcore/ingest.
 *
 *   tr_ingest.c         opening, bytes, pieces
 *   tr_ingest_event.c   one event, from start to end
 *   tr_event_template.c   an event like one before it
 *   tr_ingest_nest.c    joins starts and ends when they arrive
 *   tr_ingest_source.c  facts about the source
 *   tr_ingest_part.c    parts of a source that other threads read
 */
#ifndef TR_INGEST_BUILDER_INT_H
#define TR_INGEST_BUILDER_INT_H

#include "ingest/tr_ingest_args_int.h"
#include "ingest/tr_ingest_int.h"
#include "ingest/tr_ingest_part_int.h"

/* Correlations that are not a number of the source get numbers from here down, by their place in links. */
#define TR__LINK_NAMED (-(INT64_C(1) << 62))

#define TR__PIECE_BYTES ((size_t)4 << 20) /* of rows, before they go to the sort */

/* The correlation of the current event.  It is processed when the track is known. */
struct tr__link {
    bool set, is_text;
    enum tr_link_scope scope;
    int64_t number;
    struct tr_buf text;
};

/* The place of a key in an event, by the number of the key's text. */
struct tr__seen_key {
    uint64_t event; /* the last event that has it */
    size_t slot;
};

/* Starts that wait for their ends, the innermost last. */
struct tr__nest {
    struct tr_buf open; /* struct tr__started each, with its row */
    size_t top;         /* offset of the innermost one; SIZE_MAX: there is none */
    bool late;          /* from now on, its events are sorted before they are joined */
    uint32_t end_shape; /* of its last end that was joined; UINT32_MAX: none; and its place: */
    uint8_t pid_type, tid_type;
    int64_t pid, tid;
};

struct tr_ingest {
    const struct tr_ingest_reader *reader;
    const char *format; /* its name; not copied */
    void *ctx;
    struct tr_ingest_bytes bytes;
    struct tr__source_state *load;
    struct tr__lane lane;
    struct tr__piece piece; /* of a sorted input */
    struct tr_strtab *links; /* keys that are no plain number of the source */
    bool ended, done, damaged, no_memory, too_many; /* ended: no more bytes; done: the reader has returned TR_END */
    uint64_t offset; /* bytes read */
    uint64_t at;     /* where the event being added stands; TR_NO_OFFSET: unknown */
    bool in_parts, is_part; /* there may be parts; it is one */
    struct tr_ingest *parts;
    unsigned n_parts;
    struct tr_damage *own; /* causes of the format's own, of a part */
    size_t n_own, cap_own;
    int64_t rank, base_ns; /* rank -1: not given */
    bool has_base;
    /* the current event */
    struct tr__event event;
    enum tr_phase phase;
    int activity; /* -1: by category and name */
    int kind;     /* of a kernel; -1: by its name */
    uint64_t record;
    uint32_t last_track; /* of the event before it */
    const struct tr_row *last_row; /* of the current event, after its end; NULL: it has none of its own */
    /* If pid_text or tid_text is not NULL, pid or tid is the number of the text; the text itself is no longer valid. */
    struct tr_ingest_track track;
    struct tr__link link;
    unsigned ts_ps, dur_ps;
    int64_t graph, node; /* TR_I64_NONE: not given */
    bool is_step;
    int64_t step;
    struct tr_slot *slots;
    size_t n_slots, n_args, cap_slots; /* a slot without a key is void: its key came again later */
    struct tr_buf values;
    struct tr__seen_key *seen_keys;
    size_t cap_seen_keys;
    uint64_t n_started; /* events, including this one */
    bool again; /* one of its slots is void */
    struct tr__like like; /* its args are those of this shape, and are not in slots; or shape UINT32_MAX */
    struct tr__like last; /* of the last event */
    bool in_nest; /* it is a start that waits in its nest */
    uint32_t nest, next_key; /* UINT32_MAX, TR_NO_STR: none */
    struct tr__nest *nests;
    size_t n_nests, cap_nests, open_bytes; /* open_bytes: of all nests together */
    struct tr__joined_shape {
        uint32_t end, joined; /* shapes of the last end joined to such a start, and of the span; UINT32_MAX: none */
    } *joined; /* by shape of the start */
    size_t cap_joined;
    struct { /* keys of the members that every event has */
        uint32_t ph, name, cat, pid, tid, ts, dur, args;
    } keys;
};

/* Replace the pid and tid of a track by the numbers of its texts, if they are texts. */
void tr__ingest_ids(struct tr_ingest *g, struct tr_ingest_track *t);
enum tr_type tr__ingest_id_type(int64_t id, const char *text);

/* Take the event into its nest, if possible.  *taken: it was taken; otherwise, treat it like any other event.
 * False: out of memory. */
bool tr__nest_take(struct tr_ingest *g, uint32_t shape, bool *taken);
/* Pass the starts that are still open to tr_pair.c.  False: out of memory. */
bool tr__nests_close(struct tr_ingest *g);
void tr__nests_free(struct tr_ingest *g);

/* Write the row of the event to mem, which has room for it; after the header, prefix bytes stay free.
 * False: out of memory. */
bool tr__ingest_row(struct tr_ingest *g, unsigned char *mem, uint32_t shape, size_t prefix);
static inline size_t tr__ingest_row_size(const struct tr_ingest *g)
{
    return TR_ROW_HEADER + g->values.len + 56; /* the largest optional part before the values, and padding */
}

/* Write the values of args as in a row, at most 8 bytes each.  Returns the place after them. */
static inline unsigned char *tr__put_args(unsigned char *to, const struct tr__arg *args, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct tr__arg *a = &args[i];
        uint32_t text = (uint32_t)a->bits;
        if (tr_type_is_string(a->type)) {
            memcpy(to, &text, 4);
            to += 4;
        } else if (tr_type_has_entry(a->type)) {
            memcpy(to, &a->bits, 8);
            to += 8;
        }
    }
    return to;
}

/* Where damage of the event being added is. */
static inline uint64_t tr__ingest_at(const struct tr_ingest *g)
{
    return g->at == TR_NO_OFFSET ? g->offset : g->at;
}

/* Count damage by a cause of the format's own in a list of such.  False: out of memory, or too many causes. */
bool tr__count_own(struct tr_damage **own, size_t *n, size_t *cap, const struct tr_damage *more);

/* What has been added goes to the source, its rows to the sort. */
enum tr_status tr__ingest_commit(struct tr_ingest *g, struct tr_error *err);
/* Nests start anew. */
void tr__nests_start(struct tr_ingest *g);

/* Fill in err with the reason why the builder failed. */
enum tr_status tr__ingest_failed(const struct tr_ingest *g, struct tr_error *err);

/* The number of a text.  TR_NO_STR: it is too long (this is counted), or memory ran out (g->no_memory is set). */
uint32_t tr__ingest_text(struct tr_ingest *g, const char *text, size_t len, bool is_json);

#endif
