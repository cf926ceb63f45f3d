/* SPDX-License-Identifier: MIT */
/*
 * The builder: makes an input of events from the calls of a reader of a trace format.
 *
 * The reader of a format only decodes bytes, and calls these functions with what it finds.  Everything else is done
 * here: strings, shapes and tracks get numbers; starts and ends are joined; device work is linked to its launches;
 * steps and counts go to the summary; events are sorted with bounded memory, and given out in batches.
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
 * All calls are made by one thread.  Texts are UTF-8, are copied, and need no zero at their end.  Keys are C strings.
 * If memory runs out, or the limit of -M is reached, the next tr_ingest_end returns the failure.
 */
#ifndef TR_INGEST_H
#define TR_INGEST_H

#include "ingest/tr_open_opts.h"
#include "model/tr_damage_causes.h"
#include "stream/tr_input.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_ingest_damage {
    uint64_t n, first; /* number of parts that could not be decoded; number of bytes before the first of them */
    bool trailing;     /* after the last part, there are bytes that belong to no part */
};

/* The bytes to read, already decompressed. */
struct tr_ingest_bytes {
    /* Like read(2): TR_OK with *got > 0, TR_END, or a failure.  TR_DAMAGED: the bytes end here because of damage. */
    enum tr_status (*read)(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err);
    /* Leave out the next n bytes without reading them.  NULL, or false: not possible. */
    bool (*skip)(void *ctx, uint64_t n);
    /* Read from the start again, for formats that need it.  NULL: not possible. */
    enum tr_status (*rewind)(void *ctx, struct tr_error *err);
    /* For formats that read at any place: n bytes from an offset on, fewer only at the end.  NULL: not possible. */
    enum tr_status (*read_at)(void *ctx, void *buf, size_t n, uint64_t at, size_t *got, struct tr_error *err);
    uint64_t size; /* for read_at */
    void (*close)(void *ctx); /* NULL: nothing to close */
    /* The damage of the compressed bytes, called after read has returned TR_END or TR_DAMAGED.
     * NULL: TR_DAMAGED counts as one damaged part, at the end. */
    struct tr_ingest_damage (*damage)(void *ctx);
    void *ctx;
    const char *name; /* for messages and for the rank; valid until it is closed */
    size_t place;     /* among the inputs, from 0: the rank if nothing else gives one */
};

struct tr_ingest;

/* A reader of a format.  It may keep what it needs in ctx. */
struct tr_ingest_reader {
    const char *format; /* the name of the format, for the summary of the source */
    /* Decode the next part, from one event to some thousands.  TR_OK; TR_END: nothing is left; or a failure. */
    enum tr_status (*read)(void *ctx, struct tr_ingest *g, struct tr_error *err);
    void (*free)(void *ctx);
};

/*
 * Open an input.  The call returns after the whole source has been read; with opts->no_sort, as soon as reading can
 * start.
 *
 * bytes  copied; closed when they have been read, by tr_input_close, or on failure
 * ctx    released by reader->free, also on failure
 *
 * Returns TR_OK; TR_DAMAGED: the source is empty, or there is damage and opts->strict is set; TR_SYSTEM.
 */
enum tr_status tr_ingest_open(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                              const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                              struct tr_error *err);

/* ---- bytes ---- */

/*
 * The next bytes of the input, at most cap.  TR_OK with *got > 0; TR_END with *got 0: there are no more; or a failure.
 * If the input ends because of damage, this is also TR_END, and the damage is counted.
 */
enum tr_status tr_ingest_read(struct tr_ingest *g, void *buf, size_t cap, size_t *got, struct tr_error *err);
/* Read the bytes from the start again.  Only for formats with needs_seek. */
enum tr_status tr_ingest_rewind(struct tr_ingest *g, struct tr_error *err);
/* Only for formats with at_any_place: n bytes from an offset on, fewer where the input ends; and the number of all. */
enum tr_status tr_ingest_read_at(struct tr_ingest *g, void *buf, size_t n, uint64_t at, size_t *got,
                                 struct tr_error *err);
uint64_t tr_ingest_size(const struct tr_ingest *g);

/* ---- events ---- */

/* Start an event.  ts_ns, dur_ns: TR_TIME_NONE if there is none. */
void tr_ingest_begin(struct tr_ingest *g, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns);

/*
 * The picoseconds in addition to ts and dur, 0 to 999 (more counts as 999); ts and dur are rounded down.  They are not
 * kept for an event without ts.  Events are ordered by nanoseconds only.  If a start and an end are joined to a span,
 * its duration is exact to the picosecond.
 */
void tr_ingest_picoseconds(struct tr_ingest *g, unsigned ts_ps, unsigned dur_ps);

/* The event's number in the order of the source.  It identifies the event, and orders events of equal times. */
void tr_ingest_record(struct tr_ingest *g, uint64_t record);

void tr_ingest_name(struct tr_ingest *g, const char *name, size_t len);     /* none: no name */
void tr_ingest_category(struct tr_ingest *g, const char *cat, size_t len);  /* none: no category */
void tr_ingest_activity(struct tr_ingest *g, enum tr_activity activity);    /* none: that of category and name */

void tr_ingest_kind(struct tr_ingest *g, enum tr_kind kind);                /* of a kernel; none: that of its name */

/*
 * The place of an event.  TR_I64_NONE: unknown.  device, context and stream matter only if side is TR_SIDE_DEVICE.
 * If a pid or tid is a text, it is in pid_text or tid_text, and pid or tid is ignored.  NULL: it is a number.
 */
struct tr_ingest_track {
    enum tr_side side;
    int64_t pid, tid;
    int64_t device, context, stream;
    uint32_t clock; /* of its times: 0 for the main clock of the source, else a number from tr_ingest_clock */
    const char *pid_text, *tid_text;
    size_t pid_len, tid_len;
    uint32_t pid_number, tid_number; /* numbers of these texts from tr_ingest_text, plus 1; 0: unknown */
};
#define TR_INGEST_TRACK_INIT                                                                          \
    {                                                                                                 \
        .side = TR_SIDE_HOST, .pid = TR_I64_NONE, .tid = TR_I64_NONE, .device = TR_I64_NONE,       \
        .context = TR_I64_NONE, .stream = TR_I64_NONE, .clock = 0, .pid_text = NULL,                \
        .tid_text = NULL, .pid_len = 0, .tid_len = 0, .pid_number = 0, .tid_number = 0              \
    }
void tr_ingest_track(struct tr_ingest *g, const struct tr_ingest_track *track);

/*
 * Add a clock to the source, and return its number: 1, 2, ...  It is for times that the format cannot convert to the
 * main clock, such as those of a device's counter.  The times of its tracks are in ns of this clock, and are not
 * changed.  For sorting, all times count as times of one clock.  Two tracks that differ only in the clock are different
 * tracks.
 */
uint32_t tr_ingest_clock(struct tr_ingest *g);

/* The graph that launched the device work, and the node in this graph; TR_I64_NONE: unknown.  For device work only. */
void tr_ingest_graph(struct tr_ingest *g, int64_t graph, int64_t node);

/* The correlation of a launch and its device work: both have the same key.  A key is any number or text. */
void tr_ingest_correlate(struct tr_ingest *g, enum tr_link_scope scope, int64_t key);
void tr_ingest_correlate_text(struct tr_ingest *g, enum tr_link_scope scope, const char *key, size_t len);

void tr_ingest_step(struct tr_ingest *g, int64_t number); /* the event is a training step of this number */

/*
 * The event is a start or an end, and all starts and ends of its process and thread come in order of time.  Then they
 * are joined when they arrive.  This is faster than sorting them first, and the result is the same.  nest: a small
 * number that the format chooses for this process and thread.  With no_sort, this changes nothing.
 */
void tr_ingest_nested(struct tr_ingest *g, uint32_t nest);

/*
 * Arguments, in their order.  json: one valid array or object, without blanks.  If a key comes twice, the last value
 * counts, and keeps its own place; the event is counted as damage (TR_DAMAGE_DUPLICATE_KEY).
 */
void tr_ingest_arg_int(struct tr_ingest *g, const char *key, int64_t value);
void tr_ingest_arg_uint(struct tr_ingest *g, const char *key, uint64_t value);
void tr_ingest_arg_bool(struct tr_ingest *g, const char *key, bool value);
void tr_ingest_arg_real(struct tr_ingest *g, const char *key, double value);
void tr_ingest_arg_text(struct tr_ingest *g, const char *key, const char *text, size_t len);
void tr_ingest_arg_json(struct tr_ingest *g, const char *key, const char *json, size_t len);

/*
 * Members outside args that only some phases have, such as the id of a flow event.  Call these after all args.  A key
 * may come only once, and must not be one that every event has.
 */
void tr_ingest_member_text(struct tr_ingest *g, const char *key, const char *text, size_t len);
void tr_ingest_member_true(struct tr_ingest *g, const char *key);

/*
 * Numbers of texts, for formats that number their texts themselves.  Such a text is looked up once; after that, its
 * number is used in place of the text.  TR_NO_STR: the text is too long (this is counted), or memory ran out.  For a
 * key, call tr_ingest_key before the call for its argument, which then has key NULL.
 */
uint32_t tr_ingest_text(struct tr_ingest *g, const char *text, size_t len);
uint32_t tr_ingest_json(struct tr_ingest *g, const char *json, size_t len);
void tr_ingest_name_number(struct tr_ingest *g, uint32_t text);
void tr_ingest_category_number(struct tr_ingest *g, uint32_t text);
void tr_ingest_key(struct tr_ingest *g, uint32_t text);
void tr_ingest_arg_number(struct tr_ingest *g, const char *key, uint32_t text);
void tr_ingest_arg_json_number(struct tr_ingest *g, const char *key, uint32_t json);

/* The event is complete.  TR_OK; TR_SYSTEM: memory ran out, or the limit of -M is reached. */
enum tr_status tr_ingest_end(struct tr_ingest *g, struct tr_error *err);

/* ---- the source ---- */

/* Facts about the source.  If one is given twice, the last one counts. */
void tr_ingest_rank(struct tr_ingest *g, int64_t rank);
/*
 * A process is a rank of its own.  If a source has several such processes, each becomes a source; other processes
 * belong to the first.  If rank is TR_I64_NONE, the order of the calls decides.  Then correlations of two processes
 * have to be different ones.
 */
void tr_ingest_rank_of(struct tr_ingest *g, int64_t pid, int64_t rank);
/* The name of the format, where only what was read says which one it is.  Static. */
void tr_ingest_format(struct tr_ingest *g, const char *format);
void tr_ingest_version(struct tr_ingest *g, const char *version); /* of the format, as in "2.1" */
void tr_ingest_host(struct tr_ingest *g, const char *host, size_t len);
void tr_ingest_base(struct tr_ingest *g, int64_t base_ns); /* the time of ts 0, in ns since 1970 */
/* A member of the source's own header, as JSON text. */
void tr_ingest_header(struct tr_ingest *g, const char *key, const char *json, size_t len);
/* In Trace Event Format, write the events as an array without an object around it. */
void tr_ingest_bare_array(struct tr_ingest *g);

/* Names of processes and threads; sort: their position in a viewer; TR_I64_NONE: not given. */
void tr_ingest_process(struct tr_ingest *g, int64_t pid, const char *name, size_t len, int64_t sort);
void tr_ingest_thread(struct tr_ingest *g, int64_t pid, int64_t tid, const char *name, size_t len, int64_t sort);

/* The same for a pid or tid that is a text.  Only the pid and tid of the track matter. */
void tr_ingest_process_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                          int64_t sort);
void tr_ingest_thread_of(struct tr_ingest *g, const struct tr_ingest_track *track, const char *name, size_t len,
                         int64_t sort);

/* ---- tables ---- */

/* The track number of the last event, for cells of tables.  It is replaced by the number of the track in the stream. */
uint32_t tr_ingest_last_track(const struct tr_ingest *g);

/* Add a table to the source, which has number 0 here.  The builder owns it from now on.  NULL: none. */
void tr_ingest_table(struct tr_ingest *g, struct tr_side_table *t);

/* ---- damage ---- */

/* Something was damaged, and was repaired or left out.  offset: its place in bytes of the input, or TR_NO_OFFSET. */
void tr_ingest_damaged(struct tr_ingest *g, enum tr_damage_cause cause, uint64_t offset);

#define TR_INGEST_MAX_CAUSES 200u /* that a format may add; with more, the input fails with TR_SYSTEM */

/* A cause that only this format has.  See struct tr_damage, also for the size of name and text. */
struct tr_ingest_cause {
    const char *name, *text;
    bool loses;
};
/* The same with such a cause, which is copied.  A cause with the name of an enum tr_damage_cause counts as that one. */
void tr_ingest_damaged_by(struct tr_ingest *g, const struct tr_ingest_cause *cause, uint64_t offset);

#ifdef __cplusplus
}
#endif
#endif
