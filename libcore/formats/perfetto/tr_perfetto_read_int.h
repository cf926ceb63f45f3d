/* SPDX-License-Identifier: MIT */
/*
 * Inside of the reader of Perfetto's traces.  Internal to libcore.
 *
 *   tr_perfetto_read.c      the file: packets, two walks through them, damage
 *   tr_perfetto_packed.c    packets that stand compressed in a packet
 *   tr_perfetto_parts.c     what of a packet is not understood
 *   tr_perfetto_piece.c     pieces of the file, for several threads
 *   tr_perfetto_first_pass.c     the first walk by several threads
 *   tr_perfetto_workers.c      the second walk by several threads
 *   tr_perfetto_strings.c     texts
 *   tr_perfetto_sequence.c  what a writer said before: interned data, defaults
 *   tr_perfetto_tree.c      tracks: descriptors, and their processes and threads
 *   tr_perfetto_event.c     track events become events
 *   tr_perfetto_event_template.c     events like one before them
 *   tr_perfetto_fields.c    their fields
 *   tr_perfetto_event_track.c     where they happened
 *   tr_perfetto_arrows.c    their flows
 *   tr_perfetto_sample.c    values of counters
 *   tr_perfetto_order.c     the tracks whose starts and ends are in order of time
 *   tr_perfetto_legacy.c    phases of the Trace Event Format in track events
 *   tr_perfetto_clock.c     snapshots of clocks, and times
 *   tr_perfetto_gpu.c       work of devices
 *   tr_perfetto_gpu_counter.c  their counters
 *   tr_perfetto_annotation.c      annotations become args
 *   tr_perfetto_args_fastpath.c     those that are as in earlier events
 *   tr_perfetto_value.c     their values as JSON
 *
 * Tracks may be described anywhere in the file.  So the first walk collects them, and the second one passes on the
 * events.  The first walk also collects the numbers that writers define.  In most files a number has the same meaning
 * from start to end: such a file is settled.  Then the second walk only looks numbers up, so several threads can share
 * the tables.  Else it follows the writers packet by packet.  Numbers of fields: Perfetto's published trace format.
 */
#ifndef TR_PERFETTO_READ_INT_H
#define TR_PERFETTO_READ_INT_H

#include "base/tr_hash.h"
#include "base/tr_strtab.h"
#include "formats/common/tr_numbers_int.h"
#include "formats/common/tr_proto_read_int.h"
#include "formats/common/tr_window_int.h"
#include "ingest/tr_ingest_args_int.h"
#include "ingest/tr_ingest_part_int.h"

/* ---- tracks ---- */

enum tr__tree_kind { TR__TREE_OTHER, TR__TREE_PROCESS, TR__TREE_THREAD, TR__TREE_COUNTER };

struct tr__tree_track {
    uint64_t parent;
    uint8_t kind;       /* enum tr__tree_kind */
    bool described, has_parent, placed, incremental;
    bool used; /* it has events */
    bool has_order, unordered; /* last has a value; its starts and ends are not in order of time */
    uint32_t nest;             /* number for tr_ingest_nested; UINT32_MAX: none */
    uint32_t clock;            /* the clock of all its starts and ends that name one; UINT32_MAX: none */
    int64_t last;              /* time of its last start or end, while the order is checked */
    int64_t pid, tid;   /* TR_I64_NONE: missing, or not a number */
    int64_t rank;       /* among its siblings; TR_I64_NONE: missing */
    uint32_t name;      /* texts, or TR_NO_STR: as described; */
    uint32_t command;   /* of a process without a name; */
    uint32_t unit;      /* of a counter; */
    uint32_t scope;     /* "rank 3", if the name of its process starts so; */
    uint32_t tid_text;  /* in place of a tid, for a track that is not a thread, */
    uint32_t pid_text;  /* and in place of a missing pid */
    int64_t multiplier; /* of values of a counter */
    int64_t sum;        /* of an incremental counter, */
    uint32_t writer;    /* whose number is in sequences, UINT32_MAX: none; */
    uint32_t since;     /* sum counts from this start of the writer on */
};

/* ---- sequences ---- */

/* Tables of a sequence: texts, and the meaning of other numbers. */
enum tr__interned {
    TR__TEXT_CATEGORY, TR__TEXT_NAME, TR__TEXT_KEY, TR__TEXT_VALUE, TR__TEXT_STAGE, TR__TEXT_KERNEL, TR__TEXT_ARCH,
    TR__TEXT_LAUNCH_ARG, TR__TEXT_COUNTER, TR__OF_STAGE, TR__OF_CONTEXT, TR__OF_COUNTERS, TR__COUNTS_FORWARDS,
    TR__N_TEXTS
};

/* The state of one writer, which its later packets refer to. */
struct tr__sequence {
    struct tr__numbers texts[TR__N_TEXTS];
    uint64_t default_track;
    uint32_t default_clock; /* 0: the clock of the trace */
    bool has_default_track;
    bool used;           /* it has had events */
    uint32_t n_starts;   /* how often it has started again, in the second walk */
    uint32_t thread;     /* number of the track that a thread descriptor made, or UINT32_MAX */
    int64_t time_us;     /* base of deltas in microseconds */
    uint64_t *counters, *double_counters; /* tracks of extra values, if an event names none */
    size_t n_counters, cap_counters, n_double_counters, cap_double_counters;
};

/* ---- clocks ---- */

struct tr__clock {
    uint64_t unit;    /* ns of one */
    bool incremental, sorted, seen;
    bool uneven;      /* its distance to the clock of the trace changes */
    int64_t now;      /* of an incremental one */
    struct tr__clock_pair {
        int64_t at, to; /* its value, and that of the clock of the trace at the same moment */
    } *pairs;
    size_t n, cap;
};

/* ---- the reader ---- */

#define TR__PACKET_MARK 0x0a /* field 1 of the file, bytes */
#define TR__LARGE_PACKET ((size_t)4 << 10) /* larger ones may hold much that is kept: they are not skimmed */
#define TR__NEAR_TEXTS 1024u
#define TR__MAX_OF_EVENT 65536u /* flows, values of counters: of one event or packet */
#define TR__MAX_PACKED 4u /* levels of packets that stand compressed in a packet */
#define TR__PERFETTO_KINDS 256u /* packets of larger field numbers are counted together */

struct tr__span {
    const unsigned char *data;
    size_t len;
};

/* The common part of all kinds of packets. */
struct tr__packet {
    uint64_t ts, offset;
    int64_t time;          /* of the clock of the trace, in ns */
    bool timed, lost_clock; /* it has such a time; its clock could not be converted to it */
    uint32_t sequence, clock; /* clock: as in the file; with a time, its number in the reader or UINT32_MAX */
    bool has_ts, has_clock;
    unsigned flags;
    struct tr__span interned, defaults;
    uint32_t kind;         /* number of the field that has it; 0: none */
    struct tr__span body;
    bool lost_part;        /* it has two parts where only one is allowed, or a number in place of a part */
};

/* Packets that stand compressed in a packet, as far as they are unpacked. */
struct tr__packed {
    struct tr_unpacker *from;
    struct tr_buf buf;
    size_t at;  /* those before it are used */
    bool ended; /* nothing will be added to buf */
    bool lost;  /* what is left is not read as packets; it is unpacked to see whether it is damaged */
};

/* Properties of a text; they are looked up once. */
struct tr__known_text {
    const char *text;
    uint32_t len;
    uint32_t number;  /* as the builder numbered it; TR_NO_STR: not yet */
    uint8_t use;      /* as the key of an annotation: see tr_perfetto_annotation.c; 0: not yet */
    uint8_t activity; /* as a category; TR_N_ACTIVITIES: not yet */
    uint8_t name;     /* as a name: enum tr_vocab_name, plus 1; 0: not yet */
    bool empty;
};

/* A queue of a device. */
struct tr__queue {
    uint64_t key;
    struct tr_ingest_track at;
    uint32_t name;  /* text; TR_NO_STR: none */
    int64_t first, end; /* start of its first work, end of its last; TR_TIME_NONE: none */
};

struct tr__later;
struct tr__step;
struct tr__flow_template;
struct tr__perfetto_template;

struct tr__perfetto_reader {
    struct tr__window w;
    struct tr_ingest *g; /* while the file is read */
    struct tr_error *err;
    size_t want, max_memory;
    bool started;        /* several threads may have made the first walk, or a part of it */
    bool second;         /* the second walk */
    bool in_order;       /* the file is not settled: the meaning of numbers changes, or events depend on earlier ones */
    enum tr__role {
        TR__ALONE,  /* it reads the whole file */
        TR__HELPER, /* it reads pieces of a settled file, in parallel; data that depends on the order waits */
        TR__EMITTER, /* it passes on the data that waited */
    } role;
    const struct tr_strtab *shared; /* texts of the first walk, the first n_shared; NULL: they are in strings */
    uint32_t n_shared;
    uint64_t at;         /* offset of the current packet */
    size_t piece_bytes;
    struct tr__later *later;
    size_t n_later, cap_later;
    bool lost, lost_place; /* something was lost; the next packet must be searched */
    uint64_t n_events, n_packets;
    size_t n_unseen; /* packets since the memory was checked */
    uint64_t n_kinds[TR__PERFETTO_KINDS];
    struct tr_strtab *strings;
    struct tr_strtab *values; /* annotations that are JSON, as in the file; they are often repeated */
    struct tr__kept_value {
        uint32_t number;      /* in the builder; TR_NO_STR: it is not read yet */
        uint32_t key;         /* of its annotation: text */
    } *value_of;              /* by number in values */
    size_t cap_value_of;
    struct tr__known_text *known; /* by number in strings */
    size_t n_known, cap_known;
    struct tr__step *steps; /* annotations of earlier events: see tr_perfetto_args_fastpath.c */
    size_t n_steps, cap_steps;
    uint32_t first_step, last_step; /* last_step: of the current event; UINT32_MAX: it has none */
    bool no_nests;       /* starts or ends name a process or thread directly, or use another clock */
    bool by_clock;       /* a packet named a clock */
    uint32_t last_track; /* the track used last; UINT32_MAX: none */
    uint64_t last_uuid;
    struct tr__numbers track_of, sequence_of, flows;
    struct tr__tree_track *tracks;
    size_t n_tracks, cap_tracks;
    struct tr_strtab *places; /* (process, name) of tracks that are not threads */
    struct tr__sequence *sequences;
    size_t n_sequences, cap_sequences, n_interned; /* n_interned: entries of all of them */
    size_t n_defaults; /* their default tracks of counters */
    struct tr__clock *clocks;
    size_t n_clocks, cap_clocks, n_pairs; /* n_pairs: of all of them */
    struct tr__numbers clock_of;
    uint32_t primary; /* the clock of the trace */
    bool has_primary, has_base;
    int64_t base;     /* its zero, in ns since 1970 */
    struct tr__numbers gpu_counters, gpu_names[2]; /* in the form of older writers, for all sequences; queues, stages */
    struct tr__numbers gpu_forwards; /* the same: 1 if values hold from their time on, 0 if up to it */
    struct tr__numbers gpu_series;   /* counters of devices by device and name: their places in gpu_last */
    int64_t *gpu_last;               /* times of the last values */
    size_t n_gpu_last, cap_gpu_last;
    struct tr__numbers queues, agents; /* of devices; maps numbers of agents to numbers of devices */
    struct tr__queue *queue;
    size_t n_queues, cap_queues;
    uint64_t n_work, n_met_work; /* device work; that which ends where the next of its queue starts */
    struct tr__packed packed[TR__MAX_PACKED]; /* each stands in the one before it, the first one in the file */
    unsigned n_packed;
    uint64_t packed_at, n_unpacked; /* offset of the first one; bytes that all of them made */
    const char *name; /* of the input */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
    /* of the current event */
    struct tr__span *annotations;
    uint64_t *flow_ids, *extra_tracks, *extra_double_tracks;
    int64_t *extra_values, *extra_doubles;
    size_t n_annotations, cap_annotations, n_flow_ids, cap_flow_ids, n_extra_tracks, cap_extra_tracks,
        n_extra_double_tracks, cap_extra_double_tracks, n_extra_values, cap_extra_values, n_extra_doubles,
        cap_extra_doubles;
    size_t n_flows_going; /* of flow_ids: the number that go on; the others end here */
    struct tr_buf category, json, clean, kept;
    uint64_t n_damaged; /* texts and values that were damaged */
    uint32_t near_values[TR__NEAR_TEXTS]; /* the same for values */
    uint32_t near_texts[TR__NEAR_TEXTS]; /* numbers of texts that have none in the file, plus 1; 0: none */
    struct tr__perfetto_template *templates; /* NULL: none yet */
    struct tr__flow_template *flow_templates; /* NULL: none yet */
    uint32_t flow_texts[9]; /* of flow events, as the builder numbered them, plus 1 */
};

bool tr__perfetto_no_memory(struct tr__perfetto_reader *r); /* says so; false */

/* Fields of a packet that say nothing of its event: who wrote it, lost data, and flags other than a new start. */
enum { TR__FIELD_USER = 3, TR__FIELD_FLAGS = 13, TR__FIELD_DROPPED = 42 };
#define TR__FLAG_CLEARED 1u
static inline bool tr__perfetto_is_common(uint32_t field)
{
    return field == TR__FIELD_USER || field == 79 || (field >= 83 && field <= 88) || field == TR__FIELD_DROPPED;
}
static inline bool tr__perfetto_says_nothing(const struct tr__proto *m)
{
    return m->field == TR__FIELD_FLAGS ? !(m->v & TR__FLAG_CLEARED) : tr__perfetto_is_common(m->field);
}

/* The number of a text, which is made valid UTF-8; TR_NO_STR: out of memory. */
uint32_t tr__perfetto_string(struct tr__perfetto_reader *r, const unsigned char *p, size_t n);

/* The place of a text in a table of recent texts, by its ends and its length. */
static inline unsigned tr__perfetto_near(const unsigned char *p, size_t n)
{
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        memcpy(&first, p, 8);
        memcpy(&last, p + n - 8, 8);
    } else {
        memcpy(&first, p, n);
    }
    return (unsigned)tr_mix64(first ^ n, last ^ 0x9e3779b97f4a7c15u) % TR__NEAR_TEXTS;
}

/* The properties of a text of strings; valid until the next call.  NULL: out of memory. */
struct tr__known_text *tr__perfetto_learn_text(struct tr__perfetto_reader *r, uint32_t id);
static inline struct tr__known_text *tr__perfetto_known(struct tr__perfetto_reader *r, uint32_t id)
{
    return id < r->n_known && r->known[id].number != TR_NO_STR ? &r->known[id] : tr__perfetto_learn_text(r, id);
}

static inline struct tr_str tr__perfetto_str(const struct tr__perfetto_reader *r, uint32_t id)
{
    if (id == TR_NO_STR)
        return (struct tr_str){ NULL, 0 };
    if (id < r->n_shared)
        return (struct tr_str){ tr_strtab_get(r->shared, id), tr_strtab_len(r->shared, id) };
    id -= r->n_shared;
    return (struct tr_str){ tr_strtab_get(r->strings, id), tr_strtab_len(r->strings, id) };
}

/* Is this the text of a number? */
static inline bool tr__perfetto_is(const struct tr__perfetto_reader *r, uint32_t id, const unsigned char *p, size_t n)
{
    struct tr_str known = tr__perfetto_str(r, id);
    return known.len == n && (!n || !memcmp(known.s, p, n));
}

/* Damage of this format alone. */
enum tr__perfetto_damage {
    TR__LOST_TEXT, TR__BAD_VALUE, TR__LOST_CLOCK, TR__TOO_DEEP, TR__BAD_PART, TR__N_PERFETTO_DAMAGES
};
void tr__perfetto_damaged(struct tr__perfetto_reader *r, enum tr__perfetto_damage d, uint64_t offset);

/* Count damage of any input in the second walk only, because both walks meet it. */
void tr__perfetto_damaged_at(struct tr__perfetto_reader *r, enum tr_damage_cause cause, uint64_t offset);

/* ---- parts ---- */

/* Numbers of the fields of a packet. */
enum {
    TR__FIELD_SNAPSHOT = 6, TR__FIELD_TIMESTAMP = 8, TR__FIELD_SEQUENCE = 10, TR__FIELD_EVENT = 11,
    TR__FIELD_INTERNED = 12, TR__FIELD_CLEARED = 41, TR__FIELD_THREAD = 44, TR__FIELD_DEFLATED = 50,
    TR__FIELD_GPU_COUNTER = 52, TR__FIELD_GPU_WORK = 53, TR__FIELD_CLOCK = 58, TR__FIELD_DEFAULTS = 59,
    TR__FIELD_TRACK = 60, TR__FIELD_ZSTD = 133,
};

/* Is a packet of this kind read? */
bool tr__perfetto_reads(uint32_t kind);
/* Can the parts that this reader uses be read to their ends?  Those of track events are not looked at. */
bool tr__perfetto_parts_whole(const struct tr__packet *packet);

/* ---- packets in packets ---- */

/* Start to read the packets that stand compressed in a packet, whose bytes must remain until all of them are used. */
enum tr_status tr__perfetto_unpack(struct tr__perfetto_reader *r, const struct tr__packet *packet);
/* Read on in the innermost one, while n_packed > 0: some packets, or more of their bytes. */
enum tr_status tr__perfetto_unpack_more(struct tr__perfetto_reader *r);
/* Unpack a little more of the packets of one level. */
enum tr_status tr__packed_more(struct tr__perfetto_reader *r, struct tr__packed *k);
/* Take the next packet of a level.  False: it is not there as a whole. */
bool tr__packed_next(struct tr__perfetto_reader *r, struct tr__packed *k, struct tr__span *packet);
void tr__packed_end(struct tr__perfetto_reader *r); /* the innermost level */
void tr__perfetto_packed_free(struct tr__perfetto_reader *r);

/* ---- sequences: false is out of memory, as of all below ---- */

struct tr__sequence *tr__perfetto_sequence(struct tr__perfetto_reader *r, uint32_t id); /* NULL: out of memory */
void tr__sequence_free(struct tr__sequence *s);
void tr__perfetto_clear(struct tr__sequence *s); /* the writer starts again */
/* The file is read in order: numbered data will come again. */
void tr__perfetto_forget_numbers(struct tr__perfetto_reader *r);
void tr__perfetto_clear_tables(struct tr__perfetto_reader *r, struct tr__sequence *s);
/* The first walk: take the defaults or the new start in a packet; sets in_order if they change. */
bool tr__perfetto_first_pass_state(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                   const struct tr__packet *packet, bool cleared);
/* An entry of a table of a sequence. */
bool tr__perfetto_set(struct tr__perfetto_reader *r, struct tr__sequence *s, enum tr__interned table, uint64_t id,
                      uint32_t value);
bool tr__perfetto_interned_data(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span data);
bool tr__perfetto_defaults(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span data);

/* The text of an entry; TR_NO_STR: there is none, which is counted as damage. */
uint32_t tr__perfetto_lost_text(struct tr__perfetto_reader *r, uint64_t id, uint64_t offset);
static inline uint32_t tr__perfetto_text_of(struct tr__perfetto_reader *r, const struct tr__sequence *s,
                                            enum tr__interned table, uint64_t id, uint64_t offset)
{
    uint32_t string = tr__numbers_get(&s->texts[table], id);
    return id && string != UINT32_MAX ? string : tr__perfetto_lost_text(r, id, offset);
}

/* ---- clocks ---- */

void tr__perfetto_clocks_init(struct tr__perfetto_reader *r);
void tr__perfetto_clocks_free(struct tr__perfetto_reader *r);
void tr__perfetto_sort_clocks(struct tr__perfetto_reader *r); /* no snapshot will come */
bool tr__perfetto_snapshot(struct tr__perfetto_reader *r, const struct tr__packet *packet);

/* Find the time of a packet.  Call it once for each packet with a time, in order, because times may be distances. */
void tr__perfetto_convert_time(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__packet *packet);
static inline void tr__perfetto_find_time(struct tr__perfetto_reader *r, const struct tr__sequence *s,
                                          struct tr__packet *packet)
{
    if (packet->has_clock || s->default_clock || packet->ts >= INT64_MAX || !packet->has_ts) {
        tr__perfetto_convert_time(r, s, packet);
    } else { /* it is of the clock of the trace */
        packet->timed = true;
        packet->lost_clock = false;
        packet->time = (int64_t)packet->ts;
        packet->clock = UINT32_MAX;
    }
}

/* That time, for an event.  False: it has no time, or the time is out of range. */
bool tr__perfetto_time(struct tr__perfetto_reader *r, const struct tr__packet *packet, int64_t *ts);

/* ---- devices ---- */

/* Take an entry of interned data that only device events use; false: out of memory. */
bool tr__perfetto_gpu_entry(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__proto *entry);
/* An entry that describes counters; likewise. */
bool tr__perfetto_gpu_counters(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__proto m);
/* As tr__perfetto_track_event. */
enum tr_status tr__perfetto_gpu_work(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                     const struct tr__packet *packet);
enum tr_status tr__perfetto_gpu_counter(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                        const struct tr__packet *packet);

/* ---- tracks ---- */

bool tr__tree_describe(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__span descriptor);

/* The thread or process of a descriptor outside tracks, for events of a sequence that do not name a track. */
bool tr__tree_describe_thread(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span descriptor);

/* Find the places of all tracks that have events.  False: out of memory. */
bool tr__tree_place_all(struct tr__perfetto_reader *r);

/* Pass on all names of processes and threads, after all tracks are described. */
bool tr__tree_emit_names(struct tr__perfetto_reader *r);

/* The place of a track among the tracks, by its number; UINT32_MAX: it is not known. */
static inline uint32_t tr__tree_find(struct tr__perfetto_reader *r, uint64_t uuid)
{
    if (uuid == r->last_uuid && r->last_track != UINT32_MAX)
        return r->last_track;
    uint32_t at = tr__numbers_get(&r->track_of, uuid);
    if (at != UINT32_MAX) {
        r->last_uuid = uuid;
        r->last_track = at;
    }
    return at;
}

/* The track of a number; it is created if it has no descriptor.  NULL: out of memory. */
struct tr__tree_track *tr__tree_track(struct tr__perfetto_reader *r, uint64_t uuid);

/* The place of the events of a track: pid, tid.  Not for tracks with only values of counters. */
bool tr__tree_place(struct tr__perfetto_reader *r, struct tr__tree_track *t, struct tr_ingest_track *at);

/* ---- order ---- */

/* First walk: note the time of a start or end.  False: out of memory. */
bool tr__perfetto_note_order(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet);

/* A packet that has nothing but a plain event of a named track, with a time of its own.  Most packets are such. */
struct tr__skimmed {
    uint64_t track;
    int64_t time;      /* as in the file, of the default clock of its writer */
    uint32_t sequence;
    bool joins;        /* a start or an end */
};
bool tr__perfetto_skim(const unsigned char *p, size_t n, struct tr__skimmed *k); /* false: it is another packet */

/* Such events of one track, one after the other. */
struct tr__run_of_track {
    uint64_t track;
    int64_t first, last; /* times of starts and ends */
    bool joins;          /* there are such */
    bool unordered;      /* they are not in order of time */
};
/* First walk: note them, if their times are those of the trace's clock.  False: out of memory. */
bool tr__perfetto_note_run(struct tr__perfetto_reader *r, const struct tr__run_of_track *run);
/* First walk: use such a packet.  False: more of it must be read; nothing was noted. */
bool tr__perfetto_use_skimmed(struct tr__perfetto_reader *r, const struct tr__skimmed *k);
/* Between the walks: number the tracks whose starts and ends are in order of time.  False: out of memory. */
bool tr__perfetto_number_nests(struct tr__perfetto_reader *r);

/* The track of an event: by its own number, else the default of the sequence.  NULL: out of memory. */
struct tr__tree_track *tr__perfetto_track_of(struct tr__perfetto_reader *r, const struct tr__sequence *s,
                                             bool has_track, uint64_t track);

/* ---- events ---- */

/* A flow id of an event: its key takes two bytes.  tr__perfetto_is_flow: after the first one, is it whole? */
enum { TR__FIELD_FLOW = 47, TR__FIRST_OF_FLOW = (TR__FIELD_FLOW << 3 & 127) | 128 | TR__WIRE_64, TR__REST_OF_FLOW = 9 };
static inline bool tr__perfetto_is_flow(const unsigned char *p, const unsigned char *end)
{
    return end - p >= TR__REST_OF_FLOW && *p == TR__FIELD_FLOW >> 4;
}
static inline uint64_t tr__perfetto_flow_id(const unsigned char *p)
{
    return (uint64_t)tr__proto_fixed32(p + 5) << 32 | tr__proto_fixed32(p + 1);
}

/* One track event.  TR_OK; TR_END: it is not one, and nothing was passed on; TR_SYSTEM. */
enum tr_status tr__perfetto_track_event(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                        const struct tr__packet *packet);

/* The content of a LegacyEvent. */
struct tr__legacy {
    bool set, has_id, has_bind_id, enclosing, has_pid, has_tid;
    char phase, id_kind; /* id_kind: 'l' local, 'g' global, 0 neither */
    uint64_t id, bind_id, direction, scope, name;
    int64_t dur_us, pid, tid;
    struct tr__span id_scope;
};
bool tr__perfetto_legacy(struct tr__legacy *l, struct tr__span data); /* false: it cannot be read to its end */
/* Its id as a text, by its number in the builder; TR_NO_STR: out of memory. */
uint32_t tr__perfetto_legacy_id(struct tr__perfetto_reader *r, const struct tr__legacy *l);
/* Members of a phase other than args. */
void tr__perfetto_legacy_members(struct tr__perfetto_reader *r, const struct tr__legacy *l);
enum tr_phase tr__perfetto_legacy_phase(const struct tr__legacy *l);

#define TR__MAX_AT_ONCE 32u /* args that are passed on together */

/* What args say about their event; TR_I64_NONE: nothing. */
struct tr__known_args {
    int64_t correlation, device, stream, context;
    int64_t agent, from, to; /* rocprofv3's numbers of agents */
    int64_t copied, bytes;   /* its size of a copy; the arg that has the size for all vendors */
    unsigned uses;           /* bits, by enum tr__use of the keys */
};
/* Uses of keys: for nothing; PyTorch gives them to such events; from TR__USE_VALUE on: a value above. */
enum tr__use { TR__USE_NONE = 1, TR__USE_PYTHON, TR__USE_OPERATOR, TR__USE_GRID, TR__USE_VALUE };

/* The first annotations of an event, as far as they are like those of an earlier one. */
struct tr__walk {
    struct tr__arg args[TR__MAX_AT_ONCE];
    size_t n;
    uint32_t step; /* the last one; UINT32_MAX: none */
    struct tr__known_args known_args;
};
struct tr__track_event;
void tr__perfetto_walk_start(struct tr__walk *w);
/* True: these are all. */
bool tr__perfetto_walk(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__track_event *e,
                       struct tr__walk *w);
/* Pass on the annotations of the event as args.  w: the first of them, for which the event had not begun. */
bool tr__perfetto_annotations(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__track_event *e,
                              struct tr__walk *w);
/* The event is complete: it has the shape of the next one with such annotations.  Only if last_step is set. */
void tr__perfetto_learn_shape(struct tr__perfetto_reader *r);

/* ---- several threads ---- */

/* Use a packet at an offset of the file.  *whole becomes false if it is not a packet. */
enum tr_status tr__perfetto_use(struct tr__perfetto_reader *r, const unsigned char *p, size_t n, uint64_t offset,
                                bool *whole);

/* A file of packets is cut into pieces of whole packets.  Zero-initialise, with the first two members set. */
struct tr__pieces {
    struct tr_ingest *g;
    size_t bytes;        /* of a piece, at least; 0: the default */
    struct tr_buf carry; /* the start of a packet */
    uint64_t offset;     /* of the next piece */
    bool ended;
};
#define TR__MAX_PACKET ((size_t)16 << 20)
/*
 * The next piece, and its offset in the file.  The last one ends with bytes that are not a whole packet, if the file
 * has such: after them, there is nothing more.  TR_OK; TR_END: there is none; or a failure.
 */
enum tr_status tr__perfetto_next_piece(struct tr__pieces *of, struct tr_buf *piece, uint64_t *offset,
                                       struct tr_error *err);
/* The packet at p, and its length; NULL: there is no whole packet. */
static inline const unsigned char *tr__perfetto_packet(const unsigned char *p, const unsigned char *end, uint64_t *len)
{
    const unsigned char *at = *p == TR__PACKET_MARK ? tr__proto_varint(p + 1, end, len) : NULL;
    return at && *len <= TR__MAX_PACKET && *len <= (uint64_t)(end - at) ? at : NULL;
}

/*
 * The first walk, as far as there is no damage.  TR_OK; TR_END: from *stopped on, the packets must be read one after
 * the other; or a failure.
 */
enum tr_status tr__perfetto_first_pass(struct tr__perfetto_reader *r, uint64_t *stopped, struct tr_error *err);
/* First walk: n packets were used without it; does the kept data still fit?  TR_OK, or a failure. */
enum tr_status tr__perfetto_count_packets(struct tr__perfetto_reader *r, size_t n);

/* The second walk through a settled file without damage.  TR_OK, or a failure. */
enum tr_status tr__perfetto_workers(struct tr__perfetto_reader *r, struct tr_error *err);
/* Free what a reader owns, but not what it shares. */
void tr__perfetto_free_own(struct tr__perfetto_reader *r);

/* What a flow belongs to, if it is not a slice that starts. */
enum tr__flow_of { TR__FLOW_OF_START, TR__FLOW_OF_END, TR__FLOW_OF_INSTANT };

/* Data that waits until all earlier events are passed on. */
struct tr__later {
    enum { TR__LATER_FLOW, TR__LATER_EVENT, TR__LATER_AGENT, TR__LATER_COUNTERS } what;
    bool last;
    char of;         /* enum tr__flow_of */
    uint64_t id;     /* of a flow; of an agent */
    int64_t ts;      /* of a flow; of an agent: its device */
    uint64_t record;
    uint32_t sequence;
    struct tr_ingest_track at;
    struct tr__packet packet;
};

/* A flow event at a slice; its record is the reader's next. */
enum tr_status tr__perfetto_emit_flow(struct tr__perfetto_reader *r, const struct tr__later *flow);

/* The queue of a key, and whether it is new.  NULL: out of memory. */
struct tr__queue *tr__perfetto_queue(struct tr__perfetto_reader *r, uint64_t key, bool *is_new);
void tr__perfetto_name_queue(struct tr__perfetto_reader *r, const struct tr__queue *q);

/* Does a packet of devices have data that later packets need? */
bool tr__perfetto_gpu_in_order(const struct tr__packet *packet);

#endif
