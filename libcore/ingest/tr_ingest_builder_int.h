/* SPDX-License-Identifier: MIT */
/*
 * The builder's own: what it holds between two calls of a format.  Internal to libcore/ingest.
 *
 *   tr_ingest.c         opening, bytes, pieces
 *   tr_ingest_event.c   one event, from begin to end
 *   tr_ingest_nest.c    begins and ends that are joined as they come
 *   tr_ingest_source.c  what the source says of itself
 */
#ifndef TR_INGEST_BUILDER_INT_H
#define TR_INGEST_BUILDER_INT_H

#include "ingest/tr_ingest_int.h"

/* The link of the event being told: its key waits for the track. */
struct tr__link {
    bool set, is_text;
    enum tr_link_scope scope;
    int64_t number;
    struct tr_buf text;
};

/* Where an event has a key: by number of the key's text. */
struct tr__told_key {
    uint64_t event; /* the last one that has it */
    size_t slot;
};

/* Begins that wait for their ends, the innermost last. */
struct tr__nest {
    struct tr_buf open; /* struct tr__begun each, with its row */
    size_t top;         /* where the innermost stands; SIZE_MAX: there is none */
    bool late;          /* from now on its events are sorted first, as all others */
};

struct tr_ingest {
    const struct tr_ingest_reader *reader;
    void *ctx;
    struct tr_ingest_bytes bytes;
    struct tr__load *load;
    struct tr__lane lane;
    struct tr__piece piece; /* of a sorted input */
    struct tr_strtab *links; /* keys that are no plain number of the source */
    bool ended, done, damaged, no_memory, too_many; /* bytes have ended; the reader has said TR_END */
    uint64_t offset; /* bytes read */
    int64_t rank, base_ns; /* rank -1: not told */
    bool has_base;
    /* the event being told */
    struct tr__event event;
    enum tr_phase phase;
    int activity; /* -1: by category and name */
    uint64_t record;
    uint32_t last_track; /* of the event before it */
    struct tr_ingest_track track; /* pid, tid: numbers of texts where pid_text, tid_text, whose bytes are gone, are not NULL */
    struct tr__link link;
    unsigned ts_ps, dur_ps;
    int64_t graph, node; /* TR_I64_NONE: not told */
    bool is_step;
    int64_t step;
    struct tr_slot *slots;
    size_t n_slots, n_args, cap_slots; /* a slot without a key is void: its key has come again */
    struct tr_buf values;
    struct tr__told_key *told;
    size_t cap_told;
    uint64_t n_begun; /* events, this one too */
    bool again; /* one of its slots is void */
    uint32_t nest, next_key; /* UINT32_MAX, TR_NO_STR: none */
    struct tr__nest *nests;
    size_t n_nests, cap_nests, open_bytes; /* open_bytes: of all of them */
    struct tr__joined_shape {
        uint32_t end, joined; /* of the end that came last for a begin of this shape, and of their span; UINT32_MAX: none */
    } *joined; /* by shape of the begin */
    size_t cap_joined;
    struct { /* keys of the members that every event has */
        uint32_t ph, name, cat, pid, tid, ts, dur, args;
    } keys;
};

/* Put numbers of the texts of a track in place of its pid and tid. */
void tr__ingest_ids(struct tr_ingest *g, struct tr_ingest_track *t);
enum tr_type tr__ingest_id_type(int64_t id, const char *text);

/* Take the event as one of a nest, if it can be.  *taken: it is; else it is like any other.  False: out of memory. */
bool tr__nest_take(struct tr_ingest *g, uint32_t shape, bool *taken);
/* What is open stays so: it is left to the joining of all others.  False: out of memory. */
bool tr__nests_close(struct tr_ingest *g);
void tr__nests_free(struct tr_ingest *g);

/* The row of the event at mem, which has room for it, with prefix bytes before what was told.  False: out of memory. */
bool tr__ingest_row(struct tr_ingest *g, unsigned char *mem, uint32_t shape, size_t prefix);
static inline size_t tr__ingest_row_size(const struct tr_ingest *g)
{
    return TR_ROW_HEADER + g->values.len + 56; /* the most that was told before the values, and what rounds it up */
}

/* Why the builder failed. */
enum tr_status tr__ingest_failed(const struct tr_ingest *g, struct tr_error *err);

/* The number of a text.  TR_NO_STR: it is too long, which is counted, or memory ran out, which is kept in mind. */
uint32_t tr__ingest_text(struct tr_ingest *g, const char *text, size_t len, bool is_json);

#endif
