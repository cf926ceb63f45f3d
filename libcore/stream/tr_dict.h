/* SPDX-License-Identifier: MIT */
/*
 * The dictionaries of a stream: the rows that numbers in its events refer to.
 *
 * Strings, columns, shapes, tracks and sources are numbered from 0 in the order in which they were added.
 * A writer sends each row before its first use, and a reader adds rows as they arrive.  So while a stream is
 * read, the dictionary only grows, and no number changes its meaning.
 *
 *   shape   the ordered list of members of an event's JSON object: where (top level or args), key, type,
 *           and place of the value: in a fixed column of the event, in its track, or in a packed column
 *   column  packed column: values of one (place, key, type), one entry per event whose shape has it
 *   track   where an event happened; belongs to one source
 *   source  one input file in the stream: its rank, host, time base.  (A file that is being read is an input: io,
 *           formats.  The scope of a key of a launch is tr_link_scope.)
 *   clock   the changes to the times of some tracks: stream/tr_clock.h
 *
 * A dictionary owns everything in it.  Not shared between threads while it grows.
 */
#ifndef TR_DICT_H
#define TR_DICT_H

#include "base/tr_hash.h"
#include "base/tr_status.h"
#include "base/tr_str.h"
#include "base/tr_strtab.h"
#include "stream/tr_clock.h"
#include "stream/tr_event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Type of a value.  Part of the format. */
enum tr_type {
    TR_T_NULL = 0,   /* no entry in any column */
    TR_T_FALSE = 1,  /* no entry: the shape has the value */
    TR_T_TRUE = 2,
    TR_T_INT = 3,    /* int64 */
    TR_T_UINT = 4,   /* uint64, for what int64 cannot hold */
    TR_T_DECIMAL = 5, /* exact decimal: tr_decimal_* below, in an int64 */
    TR_T_DOUBLE = 6,
    TR_T_STRING = 7, /* string number */
    TR_T_JSON = 8,   /* array or object: its text, as a string number */
    TR_T_NUMBER = 9, /* a number that no other type gives back exactly: its text, as a string number */
    TR_T_QUOTED = 10, /* integer in quotes, in an int64: "-12"; only if the integer gives back the same text */
    TR_T_HEX = 11,    /* such an integer in hexadecimal digits: "0x1f" (tr_num_plain_hex) */
    TR_T_IN_CAT = 12, /* the member is the event's category with this integer, an int64, in place of its first * */
    TR_N_TYPES
};

/* The place of a member in the JSON object. */
enum tr_place {
    TR_PLACE_TOP = 0,
    TR_PLACE_ARGS = 1,
    TR_PLACE_DERIVED = 2,
    TR_PLACE_END_TOP = 3,  /* of the E event of a joined span: after the slot of role TR_ROLE_END */
    TR_PLACE_END_ARGS = 4,
    TR_N_PLACES
};

/* The place of a slot's value. */
enum tr_role {
    TR_ROLE_COLUMN = 0, /* in packed column slot.column (or nowhere: null, false, true) */
    TR_ROLE_PHASE = 1,  /* ph, whose letter is the shape's ph */
    TR_ROLE_NAME = 2,
    TR_ROLE_CAT = 3,
    TR_ROLE_TS = 4,     /* type INT: a JSON number; type STRING: the same number in a string */
    TR_ROLE_DUR = 5,
    TR_ROLE_PID = 6,    /* from the track; type STRING: in quotes, even if the track holds a number */
    TR_ROLE_TID = 7,
    TR_ROLE_ARGS = 8,   /* the args object opens here; its members follow, each with place TR_PLACE_ARGS */
    TR_ROLE_END = 9,    /* joined span: the members of its E event follow; there TR_ROLE_TS is ts + dur */
    TR_N_ROLES
};

struct tr_slot {
    uint32_t key;    /* string number */
    uint32_t column; /* packed column, or UINT32_MAX */
    uint8_t place;   /* enum tr_place */
    uint8_t role;    /* enum tr_role */
    uint8_t type;    /* enum tr_type */
};

struct tr_shape {
    struct tr_slot *slots;
    uint32_t n_slots;
    char ph; /* the letter of "ph" in the input */
};

struct tr_column {
    uint32_t key; /* string number */
    uint8_t place;
    uint8_t type;
    uint8_t flag; /* derived columns: the TR_HAS_* bit that says whether an event has an entry; else 0 */
};

/*
 * Derived columns: the first TR_N_DERIVED columns of every stream, in this order.  tr-parse and later programs compute
 * them; they are not part of the JSON text.
 */
enum tr_derived {
    TR_COL_LAUNCH_TS = 0,     /* INT, ns */
    TR_COL_LAUNCH_DUR = 1,    /* INT, ns, TR_TIME_NONE if unknown */
    TR_COL_LAUNCH_RECORD = 2, /* INT */
    TR_COL_LAUNCH_TRACK = 3,  /* INT, track number */
    TR_COL_LAUNCH_NAME = 4,   /* STRING: the API's name */
    TR_COL_N_DEVICE = 5,      /* INT: device events that this launch owns */
    TR_COL_CLASS = 6,         /* STRING */
    TR_COL_END_RECORD = 7,    /* INT: record of the E that ends this span */
    TR_COL_TS_PS = 8,         /* INT, 0 to 999: picoseconds in addition to ts */
    TR_COL_DUR_PS = 9,        /* INT, 0 to 999: picoseconds in addition to dur */
    TR_COL_GRAPH_ID = 10,     /* INT: number of the graph that launched a device event; TR_I64_NONE: unknown */
    TR_COL_GRAPH_NODE = 11,   /* INT: number of the node in that graph */
    TR_N_DERIVED = 12
};

struct tr_track {
    uint32_t source;
    uint8_t side;                /* enum tr_side */
    uint8_t pid_type, tid_type;  /* TR_T_INT, TR_T_UINT, TR_T_STRING; TR_T_NULL: absent in the input */
    int64_t pid, tid;            /* number, its 64 bits if it is from 2^63 on, or string number */
    int64_t device, context, stream; /* TR_I64_NONE: unknown */
    uint32_t process_name, thread_name, labels; /* string numbers or TR_NO_STR */
    int64_t process_sort, thread_sort;          /* TR_I64_NONE: none */
    uint32_t clock;              /* 0: the main clock of its source in the input; n: row n - 1 of clocks, if present */
};

/*
 * Are the pid and the tid string numbers?  An absent tid repeats the pid, and is a string number if the pid is one.
 * For code that renumbers strings.
 */
static inline bool tr_track_pid_is_text(const struct tr_track *t)
{
    return t->pid_type == TR_T_STRING;
}

static inline bool tr_track_tid_is_text(const struct tr_track *t)
{
    return t->tid_type == TR_T_STRING || (t->tid_type == TR_T_NULL && t->pid_type == TR_T_STRING);
}

#define TR_TRACK_DIGITS 24u
/* The digits of a pid or a tid that is a number, of such a type; ends with 0.  Returns how many. */
size_t tr_track_digits(unsigned type, int64_t id, char text[TR_TRACK_DIGITS]);

struct tr_source {
    int64_t rank;             /* -1: unknown */
    uint8_t rank_rule;        /* enum tr_rank_rule */
    uint8_t has_base;         /* the input names a time base */
    uint8_t partial;          /* its tail is missing */
    uint32_t name;            /* original file name, or TR_NO_STR when left out */
    uint32_t host;            /* or TR_NO_STR */
    uint32_t mesh;            /* "TP=0 DP=1", or TR_NO_STR */
    uint32_t format;          /* "kineto", "chrome", ... */
    uint32_t job;             /* text that joins the sources of one run, or TR_NO_STR */
    uint32_t capture;         /* which recording of its rank and host, from 0 */
    int64_t base_ns;          /* the time that times of this source count from in this stream, Unix ns */
    int64_t file_base_ns;     /* baseTimeNanoseconds of the input; 0 if none */
    int64_t pid;              /* of the first host event; TR_I64_NONE: none, or not a number */
    int64_t other_pid;        /* of the first event of activity other, in the same way; streams do not have it */
    /* Members of the JSON object other than traceEvents, in their order: key and JSON text. */
    uint32_t *header_keys, *header_values;
    uint32_t n_header, events_at; /* traceEvents is before header entry number events_at */
    uint8_t bare_array;           /* the input is an array of events without an object around it */
    uint8_t of_file;              /* it and the source before it are process groups of one file: tr_dict_one_file */
    uint64_t whole;               /* a piece of a source: identity of the whole (tr_parts.h); 0: no piece */
};

enum tr_rank_rule {
    TR_RANK_NONE = 0,
    TR_RANK_OPTION = 1,
    TR_RANK_METADATA = 2,
    TR_RANK_FILE_NAME = 3,
    TR_RANK_ORDER = 4,
    TR_RANK_RENUMBERED = 5, /* by a merge, because another source had the rank */
    TR_RANK_PID = 6,
    TR_N_RANK_RULES
};

struct tr_names;
struct tr_dict {
    struct tr_strtab *strings;
    struct tr_column *columns;
    struct tr_shape *shapes;
    struct tr_track *tracks;
    struct tr_source *sources;
    struct tr_clock *clocks;
    size_t n_columns, n_shapes, n_tracks, n_sources, n_clocks;
    size_t cap_columns, cap_shapes, cap_tracks, cap_sources, cap_clocks;
    struct tr_dict_index { /* for tr_dict_need_column and tr_dict_need_shape */
        struct tr_hash_index rows;
        size_t n; /* number of rows in it */
    } column_index, shape_index;
    /* What names mean by rules of the user (vendor/tr_names.h), owned, and what releases it; NULL: there are none. */
    struct tr_names *names;
    void (*free_names)(struct tr_names *names);
};

/* A new dictionary that holds the derived columns.  NULL: out of memory. */
struct tr_dict *tr_dict_new(void);
/* The same, but strings go to files when memory is short; spill may be NULL.  And an empty one with the spill of d. */
struct tr_dict *tr_dict_new_in(struct tr_spill *spill);
struct tr_dict *tr_dict_like(const struct tr_dict *d);
void tr_dict_free(struct tr_dict *d);

/* A copy with the same numbers, to which rows can be added.  NULL: out of memory. */
struct tr_dict *tr_dict_copy(const struct tr_dict *d);

/* Add; the dictionary copies arrays.  Return the new number, or UINT32_MAX when memory ran out. */
uint32_t tr_dict_add_column(struct tr_dict *d, const struct tr_column *c);
uint32_t tr_dict_add_shape(struct tr_dict *d, const struct tr_shape *s);
uint32_t tr_dict_add_track(struct tr_dict *d, const struct tr_track *t);
uint32_t tr_dict_add_source(struct tr_dict *d, const struct tr_source *s);

/* Are all sources process groups of one file?  Then no two events have the same record. */
bool tr_dict_one_file(const struct tr_dict *d);

/* A clock with its fixes.  Its number is what this returns plus one. */
uint32_t tr_dict_add_clock(struct tr_dict *d, const struct tr_clock *c);
/* Add a further clock of the input. */
uint32_t tr_dict_add_domain(struct tr_dict *d, uint32_t source);

/* The clock of a track; NULL: the main clock of the input, or one without a row. */
static inline const struct tr_clock *tr_dict_clock(const struct tr_dict *d, uint32_t track)
{
    uint32_t n = d->tracks[track].clock;
    return n && n <= d->n_clocks ? &d->clocks[n - 1] : NULL;
}

/* Are the times of every track on a new clock, as after tr-align? */
bool tr_dict_aligned(const struct tr_dict *d);

/* The number of the column with this key, place and type, or of the shape with this letter and these slots.  It is
 * added if it is new: a stream has each only once.  UINT32_MAX: out of memory. */
uint32_t tr_dict_need_column(struct tr_dict *d, const struct tr_column *c);
uint32_t tr_dict_need_shape(struct tr_dict *d, const struct tr_shape *s);

/* The size of a dictionary; and a function that adds the rows after an earlier size to a copy, except sources.
 * False: out of memory. */
struct tr_dict_state {
    size_t n_strings, n_columns, n_shapes, n_tracks, n_clocks;
};
struct tr_dict_state tr_dict_state(const struct tr_dict *d);
bool tr_dict_follow(struct tr_dict *copy, const struct tr_dict *d, const struct tr_dict_state *state);

/* All packed columns with this key and place: writes at most max of their numbers to out, and returns their count. */
size_t tr_dict_find_columns(const struct tr_dict *d, enum tr_place place, const char *key,
                            uint32_t *out, size_t max);

/* String by number; "" for TR_NO_STR. */
const char *tr_dict_str(const struct tr_dict *d, uint32_t id);

/* The same with its length: names may contain zeros. */
struct tr_str tr_dict_text(const struct tr_dict *d, uint32_t id);
struct tr_str tr_dict_text_if(const struct tr_dict *d, uint32_t id); /* no text for TR_NO_STR */

/*
 * Exact decimals: value = mantissa / 10^scale, |mantissa| < 2^57, 0 <= scale < 64, in one int64.
 */
#define TR_DECIMAL_MAX_MANTISSA ((INT64_C(1) << 57) - 1)
static inline int64_t tr_decimal_make(int64_t mantissa, unsigned scale)
{
    return (int64_t)(((uint64_t)mantissa << 6) | (scale & 63u));
}
static inline int64_t tr_decimal_mantissa(int64_t d)
{
    return d >> 6; /* arithmetic on every compiler we support; checked by a unit test */
}
static inline unsigned tr_decimal_scale(int64_t d)
{
    return (unsigned)d & 63u;
}
/* The nearest double. */
double tr_decimal_double(int64_t d);

#ifdef __cplusplus
}
#endif
#endif
