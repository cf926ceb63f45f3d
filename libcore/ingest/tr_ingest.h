/* SPDX-License-Identifier: MIT */
/*
 * The way in: a reader of a format tells what its source holds, and an input of events comes of it.
 *
 * A format knows its bytes and nothing else.  Everything after it is done here: strings, shapes and tracks
 * get numbers, begins and ends are joined, device work is linked to its launches, steps and counts go to the
 * summary, events are sorted with bounded memory and handed out in batches.
 *
 *     static enum tr_status read(void *ctx, struct tr_ingest *g, struct tr_error *err)
 *     {
 *         ...decode one thing...
 *         tr_ingest_begin(g, TR_SPAN, start_ns, dur_ns);
 *         tr_ingest_record(g, number);
 *         tr_ingest_name(g, "matmul", 6);
 *         tr_ingest_activity(g, TR_ACT_KERNEL);
 *         tr_ingest_track(g, &(struct tr_ingest_track){ .side = TR_SIDE_DEVICE, .pid = pid, .tid = tid, ... });
 *         tr_ingest_correlate(g, TR_LINK_SOURCE, correlation);
 *         tr_ingest_arg_int(g, "grid", 64);
 *         return tr_ingest_end(g, err);          TR_OK: call again; TR_END: the source is read
 *     }
 *
 * Everything is said in one thread.  Texts are UTF-8, copied, and need no zero at their end; keys are strings.
 * What is out of memory or beyond -M is kept in mind, and tr_ingest_end returns it.
 */
#ifndef TR_INGEST_H
#define TR_INGEST_H

#include "model/tr_causes.h"
#include "ingest/tr_open_opts.h"
#include "stream/tr_input.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_ingest_damage {
    uint64_t n, first; /* parts that could not be decoded, and how many bytes came before the first of them */
    bool trailing;     /* bytes after the last part that belong to none */
};

/* The bytes to read, already decompressed. */
struct tr_ingest_bytes {
    /* Like read(2): TR_OK with *got > 0, TR_END, or a failure.  TR_DAMAGED: what came is all there is. */
    enum tr_status (*read)(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err);
    /* Read from the beginning again: formats that need it only.  NULL: cannot be done. */
    enum tr_status (*rewind)(void *ctx, struct tr_error *err);
    void (*close)(void *ctx); /* NULL: nothing to close */
    /* What was wrong with the bytes that these came from, asked when read has said TR_END or TR_DAMAGED.
     * NULL: with TR_DAMAGED one thing, at the end. */
    struct tr_ingest_damage (*damage)(void *ctx);
    void *ctx;
    const char *name; /* for messages and for the rank; valid until it is closed */
    size_t place;     /* among the inputs, from 0: the rank if nothing else tells it */
};

struct tr_ingest;

/* A reader of a format.  It may keep what it needs in ctx. */
struct tr_ingest_reader {
    const char *format; /* what the source is said to be */
    /* Say what comes next, an event or some thousands.  TR_OK; TR_END: nothing is left; or a failure. */
    enum tr_status (*read)(void *ctx, struct tr_ingest *g, struct tr_error *err);
    void (*free)(void *ctx);
};

/*
 * Open an input: blocks until the source has been read, or, with opts->no_sort, only until it can be.
 *
 * bytes  copied; closed when they have been read, by tr_input_close, or on failure
 * ctx    released by reader->free, also on failure
 *
 * Returns TR_OK; TR_DAMAGED: it holds nothing, or opts->strict and there is damage; TR_SYSTEM.
 */
enum tr_status tr_ingest_open(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                              const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                              struct tr_error *err);

/* ---- bytes ---- */

/*
 * The next bytes of the input, at most cap.  TR_OK with *got > 0; TR_END with *got 0: there are no more, even if
 * the input is damaged there, which is counted; or a failure.
 */
enum tr_status tr_ingest_read(struct tr_ingest *g, void *buf, size_t cap, size_t *got, struct tr_error *err);
/* Begin the bytes again.  Only for formats whose bytes can: needs_seek. */
enum tr_status tr_ingest_rewind(struct tr_ingest *g, struct tr_error *err);

/* ---- events ---- */

/* Begin an event.  ts_ns, dur_ns: TR_TIME_NONE if there is none. */
void tr_ingest_begin(struct tr_ingest *g, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns);

/*
 * What ts and dur leave out, 0 to 999 ps (more counts as 999); ts and dur are rounded down.  Of an event without
 * ts nothing is kept.  Events are ordered by nanoseconds.  A span that is joined from begin and end has the
 * picoseconds that lie between the two.
 */
void tr_ingest_picoseconds(struct tr_ingest *g, unsigned ts_ps, unsigned dur_ps);

/* The event's number in the order of the source: its identity, and what orders events of equal times. */
void tr_ingest_record(struct tr_ingest *g, uint64_t record);

void tr_ingest_name(struct tr_ingest *g, const char *name, size_t len);     /* none: no name */
void tr_ingest_category(struct tr_ingest *g, const char *cat, size_t len);  /* none: no category */
void tr_ingest_activity(struct tr_ingest *g, enum tr_activity activity);    /* none: that of category and name */

/*
 * Where it happened.  TR_I64_NONE: not known; device, context and stream count on the device's side.  A pid or
 * tid that is a text stands in pid_text or tid_text (NULL: it is a number), and pid or tid does not count.
 */
struct tr_ingest_track {
    enum tr_side side;
    int64_t pid, tid;
    int64_t device, context, stream;
    uint32_t clock; /* that its times are of: 0 the source's own, else a number that tr_ingest_clock gave */
    const char *pid_text, *tid_text;
    size_t pid_len, tid_len;
    uint32_t pid_number, tid_number; /* of these texts plus 1, by tr_ingest_text; 0: not known */
};
#define TR_INGEST_TRACK_INIT                                                                          \
    {                                                                                                 \
        .side = TR_SIDE_HOST, .pid = TR_I64_NONE, .tid = TR_I64_NONE, .device = TR_I64_NONE,       \
        .context = TR_I64_NONE, .stream = TR_I64_NONE, .clock = 0, .pid_text = NULL,                \
        .tid_text = NULL, .pid_len = 0, .tid_len = 0, .pid_number = 0, .tid_number = 0              \
    }
void tr_ingest_track(struct tr_ingest *g, const struct tr_ingest_track *track);

/*
 * One more clock of the source, such as a device's counter that the format could not bring to the clock of all
 * other times: 1, 2, ...  Times of its tracks are told in ns as they are on it, and stay so.  All are ordered as if
 * they were of one clock.  Two tracks that differ in nothing but the clock are two.
 */
uint32_t tr_ingest_clock(struct tr_ingest *g);

/* The graph that device work was launched by, and the node of it; TR_I64_NONE: not known.  Others have none. */
void tr_ingest_graph(struct tr_ingest *g, int64_t graph, int64_t node);

/* The event launches work, or is work that was launched: the same key on both.  Any number or text is a key. */
void tr_ingest_correlate(struct tr_ingest *g, enum tr_link_scope scope, int64_t key);
void tr_ingest_correlate_text(struct tr_ingest *g, enum tr_link_scope scope, const char *key, size_t len);

void tr_ingest_step(struct tr_ingest *g, int64_t number); /* the event is a training step of this number */

/*
 * The event is a begin or an end, and all begins and ends of its process and thread come in order of time: they are
 * joined as they come, which is faster than to sort them first, and gives the same.  nest: a small number that the
 * format gives to this process and thread.  Without sorting this changes nothing.
 */
void tr_ingest_nested(struct tr_ingest *g, uint32_t nest);

/*
 * Arguments, in their order.  json: one array or object, clean and without blanks.  Of a key told again the last
 * value counts, in its own place; such an event is counted as damage (TR_CAUSE_DUPLICATE_KEY).
 */
void tr_ingest_arg_int(struct tr_ingest *g, const char *key, int64_t value);
void tr_ingest_arg_uint(struct tr_ingest *g, const char *key, uint64_t value);
void tr_ingest_arg_bool(struct tr_ingest *g, const char *key, bool value);
void tr_ingest_arg_real(struct tr_ingest *g, const char *key, double value);
void tr_ingest_arg_text(struct tr_ingest *g, const char *key, const char *text, size_t len);
void tr_ingest_arg_json(struct tr_ingest *g, const char *key, const char *json, size_t len);

/*
 * Members beside args that only some phases have, such as the id of a flow event; after all args.  No key twice, and
 * none that every event has.
 */
void tr_ingest_member_text(struct tr_ingest *g, const char *key, const char *text, size_t len);
void tr_ingest_member_true(struct tr_ingest *g, const char *key);

/*
 * Texts that a format itself has numbered, and that come again and again, are looked up once: their number in this
 * input says the same as they.  TR_NO_STR: it is too long, which is counted, or memory ran out.  A key is told by
 * tr_ingest_key before its arg, which then has key NULL.
 */
uint32_t tr_ingest_text(struct tr_ingest *g, const char *text, size_t len);
uint32_t tr_ingest_json(struct tr_ingest *g, const char *json, size_t len);
void tr_ingest_name_number(struct tr_ingest *g, uint32_t text);
void tr_ingest_category_number(struct tr_ingest *g, uint32_t text);
void tr_ingest_key(struct tr_ingest *g, uint32_t text);
void tr_ingest_arg_number(struct tr_ingest *g, const char *key, uint32_t text);
void tr_ingest_arg_json_number(struct tr_ingest *g, const char *key, uint32_t json);

/* The event is complete.  TR_OK; TR_SYSTEM: out of memory, or of what -M allows for. */
enum tr_status tr_ingest_end(struct tr_ingest *g, struct tr_error *err);

/* ---- the source ---- */

/* What the source says of itself; what it says again counts. */
void tr_ingest_rank(struct tr_ingest *g, int64_t rank);
void tr_ingest_host(struct tr_ingest *g, const char *host, size_t len);
void tr_ingest_base(struct tr_ingest *g, int64_t base_ns); /* what ts 0 is, in ns since 1970 */
/* A member of the source's own header, as JSON text. */
void tr_ingest_header(struct tr_ingest *g, const char *key, const char *json, size_t len);
/* Written as Trace Event Format, the events stand in an array without an object around it. */
void tr_ingest_bare_array(struct tr_ingest *g);

/* Names of processes and threads; sort: their place among others in a viewer, TR_I64_NONE: none is told. */
void tr_ingest_process(struct tr_ingest *g, int64_t pid, const char *name, size_t len, int64_t sort);
void tr_ingest_thread(struct tr_ingest *g, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort);

/* The same for texts; of the track, pid and tid count. */
void tr_ingest_process_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                          int64_t sort);
void tr_ingest_thread_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                         int64_t sort);

/* ---- tables ---- */

/* The number of the track of the event told last, for cells of tables: the stream's own is put in its place. */
uint32_t tr_ingest_last_track(const struct tr_ingest *g);

/* The source, number 0 here, has a table beside its events; the builder's from now on.  NULL: none. */
void tr_ingest_table(struct tr_ingest *g, struct tr_side_table *t);

/* ---- damage ---- */

/* Something was damaged, and mended or left out.  offset: where, in bytes of the input, or TR_NO_OFFSET. */
void tr_ingest_damaged(struct tr_ingest *g, enum tr_cause cause, uint64_t offset);

#define TR_INGEST_MAX_CAUSES 200u /* of a format's own; beyond, the input fails with TR_SYSTEM */

/* A cause that only this format knows: see struct tr_damage, also for the room that name and text have. */
struct tr_ingest_cause {
    const char *name, *text;
    bool loses;
};
/* The same by a cause of the format's own, copied.  One that bears the name of an enum tr_cause counts as that. */
void tr_ingest_damaged_by(struct tr_ingest *g, const struct tr_ingest_cause *cause, uint64_t offset);

#ifdef __cplusplus
}
#endif
#endif
