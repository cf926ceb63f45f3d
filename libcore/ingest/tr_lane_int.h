/* SPDX-License-Identifier: MIT */
/*
 * A lane: the state of one thread that reads a source.  Internal to libcore.
 *
 * Each thread that reads a source has a lane: an interner, and the piece that is being filled.  A format fills in an
 * event and the values of its row, and calls tr__lane_add.  This finds the track, adds the row to the piece, and
 * collects what is needed before the first batch: launches, device work, steps, names of tracks.
 */
#ifndef TR_LANE_INT_H
#define TR_LANE_INT_H

#include "ingest/tr_interner_int.h"
#include "model/tr_damage_causes.h"
#include "stream/sort/tr_row_arena_int.h"

/* A host call that may have launched work. */
struct tr__launch {
    int64_t correlation, ts, dur;
    uint64_t record;
    uint32_t track, name; /* in the interner of the thread that read it */
    uint16_t interner;
};
struct tr__device_work {
    int64_t correlation, ts;
    uint64_t record; /* and TR__ZERO_TIME */
    uint32_t track;  /* in the interner of the thread that read it */
    uint16_t interner;
};
#define TR__ZERO_TIME (UINT64_C(1) << 63) /* its ts and dur are 0 */

/* An end of an arrow from a call to its work: a flow event where the call or the work starts. */
struct tr__arrow {
    int64_t work, rank; /* what distinguishes the arrow from others */
    int64_t place, ts;  /* place: tr__place */
    bool start;
};

/* A number for a moment of a thread, which stands in for a correlation; never 0 or TR_I64_NONE. */
int64_t tr__place(int64_t pid, int64_t tid, int64_t ts);
/* The same for the number of work, which tiles have in common. */
int64_t tr__place_of_work(int64_t work);

/* A metadata event that names a track. */
struct tr__track_name {
    uint8_t what; /* enum tr_vocab_name */
    uint8_t pid_type, tid_type, has_tid;
    int64_t pid, tid; /* numbers, or text numbers in the interner */
    uint32_t text;    /* text number, or TR_NO_STR */
    int64_t number;   /* sort index */
    uint16_t interner;
};

struct tr__header_entry {
    char *key, *value; /* decoded key; clean JSON text */
    size_t key_len, value_len;
};

/* The contents of one piece of a source. */
struct tr__piece {
    struct tr_row_arena rows;
    struct tr_row_ref *refs; /* events that are complete, sorted when the piece is done */
    struct tr_row_ref *ends; /* B and E, to be paired later */
    size_t n_refs, cap_refs, n_ends, cap_ends;
    struct tr__launch *launches;
    size_t n_launches, cap_launches;
    struct tr__device_work *work;
    size_t n_work, cap_work;
    struct tr__arrow *arrows;
    size_t n_arrows, cap_arrows;
    struct tr__track_name *names;
    size_t n_names, cap_names;
    struct tr__header_entry *header;
    size_t n_header, cap_header;
    size_t events_at; /* header entries before the events, SIZE_MAX: they have not started */
    struct tr_source_summary sum; /* without damage */
    struct tr_damage_cause_counts damage;
    uint64_t n_counted; /* how often damage was counted, by causes of the format's own, too */
    int64_t first_from_0, last_from_0; /* first_ts and last_end of events with ts >= 0; these count */
                                       /* if the source names a time base */
    uint64_t n_elements;    /* elements, kept or not: the record of the next one */
    uint64_t n_negative_ts; /* suspect if the source names a time base */
    int64_t pid, other_pid; /* of the first event of the host or other one that has a number; TR_I64_NONE: none */
    bool bare_array, by_work; /* by_work: some work is found by its number, see tr__place_of_work */
};

/* The event being read. */
struct tr__event {
    int64_t ts, dur, pid, tid, device, stream, context, correlation, number;
    int64_t real_stream; /* replaces stream */
    int64_t work;        /* the number for the * in the category, TR_I64_NONE: there is none */
    uint32_t name, cat, text, clock;
    uint8_t pid_type, tid_type;
    char ph;
    bool bad_dur, ns_time; /* ns_time: ts is a time in ns, which does not fit */
    unsigned char *out; /* where its next packed value goes */
};

struct tr__lane {
    struct tr__interner interner;
    uint16_t interner_no;
    uint32_t source;
    struct tr__piece *piece; /* being filled */
    uint32_t last_track[64]; /* number + 1, by a hash of the tid */
};

/* Widen a span of time; both TR_TIME_NONE: empty. */
static inline void tr__widen(int64_t *first, int64_t *last, int64_t ts, int64_t end)
{
    if (ts != TR_TIME_NONE && (*first == TR_TIME_NONE || ts < *first))
        *first = ts;
    if (end != TR_TIME_NONE && (*last == TR_TIME_NONE || end > *last))
        *last = end;
}

/* Count damage; offset: of its first place, or TR_NO_OFFSET. */
void tr__count(struct tr__piece *piece, enum tr_damage_cause cause, uint64_t offset);

void tr__event_clear(struct tr__event *e);

/*
 * Add the row of an event that was read.
 *
 * row   from tr_row_arena_reserve; its values end at e->out.  The caller sets record, shape, phase, activity, kind, has
 * e     device, stream and context are used only for tracks of devices
 *
 * False: out of memory, or the interner is full.
 */
bool tr__lane_add(struct tr__lane *lane, const struct tr__event *e, struct tr_row *row);

/* Note a call that launches work, or an end of an arrow.  False: out of memory. */
bool tr__lane_launch(struct tr__lane *lane, int64_t correlation, const struct tr_row *row);
bool tr__lane_arrow(struct tr__lane *lane, const struct tr__arrow *arrow);

/* What is noted of a row in addition to the row itself. */
enum tr__lane_note {
    TR__NOTE_NONE, TR__NOTE_LAUNCH, TR__NOTE_WORK, TR__NOTE_STEP, TR__NOTE_TRACK_NAME, TR__NOTE_ARROW
};
enum tr__lane_note tr__lane_note_of(const struct tr__lane *lane, const struct tr__event *e, const struct tr_row *row);
/* The pid of an event of the host or of activity other, if it is a number; TR_I64_NONE: it is none. */
int64_t tr__lane_pid_of(const struct tr__event *e, const struct tr_row *row);

/*
 * Add a row like one that was added: it differs in times, known as those are, in record, size, extras and values.
 *
 * note         of that row: none, launch or work
 * pid          of that row
 * correlation  of this row, if it is noted
 *
 * False: out of memory.
 */
bool tr__lane_again(struct tr__lane *lane, struct tr_row *row, enum tr__lane_note note, int64_t pid,
                    int64_t correlation);

/*
 * Why the times of an event are impossible.  A span of work whose times are 0 is TR_SUSPECT_ZERO_TIME here even if it
 * has no launch: that is known only when all calls are (tr__count_links).
 */
enum tr_suspect tr__suspect_of(const struct tr_row *row);

/* Give the lane a new piece; the old one is released. */
void tr__piece_reset(struct tr__lane *lane, struct tr__piece *piece, struct tr_block_pool *pool);
void tr__piece_free(struct tr__piece *piece); /* rows are released too */

/* Is this the name of a step? */
static inline bool tr__is_step(const struct tr__text *name)
{
    return name->name == TR_NAME_STEP || name->name == TR_NAME_INFERENCE_STEP;
}

/* The step that a span is.  Steps of inference have no number until tr__file_steps. */
void tr__step(const struct tr_row *row, const struct tr__text *name, struct tr_step *step);

#endif
