/* SPDX-License-Identifier: MIT */
/*
 * Causes of damage in text formats, and the repairs.
 *
 * They are counted by number while an input is read, and stored in its summary by name (struct tr_damage).
 */
#ifndef TR_DAMAGE_CAUSES_H
#define TR_DAMAGE_CAUSES_H

#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_damage_cause {
    TR_DAMAGE_BAD_ESCAPE = 0,    /* unknown escape in a string: kept unchanged */
    TR_DAMAGE_CONTROL_BYTE = 1,  /* raw control byte in a string: kept */
    TR_DAMAGE_BAD_UTF8 = 2,      /* invalid UTF-8 in a string: bytes kept */
    TR_DAMAGE_LONE_SURROGATE = 3, /* \ud800 without partner: U+FFFD */
    TR_DAMAGE_INNER_QUOTE = 4,   /* unescaped quote inside a string: kept as part of it */
    TR_DAMAGE_NOT_A_NUMBER = 5,  /* NaN or infinity: kept as number text, missing for analyses */
    TR_DAMAGE_ODD_NUMBER = 6,    /* 03, +1, .5, 1., -1.-22: accepted */
    TR_DAMAGE_MISSING_COMMA = 7,
    TR_DAMAGE_EXTRA_COMMA = 8,
    TR_DAMAGE_NOT_AN_OBJECT = 9, /* element of traceEvents that is not an object: skipped */
    TR_DAMAGE_TIME_AS_STRING = 10, /* ts or dur in quotes: read as a number */
    TR_DAMAGE_BAD_DUR = 11,      /* dur of another type, or none on a span: absent */
    TR_DAMAGE_DUPLICATE_KEY = 12, /* the last one wins */
    TR_DAMAGE_BYTE_ORDER_MARK = 13,
    TR_DAMAGE_SECOND_TRACE = 14, /* several traces in one file: all are read */
    TR_DAMAGE_BAD_EVENT = 15,    /* lost: text that cannot be read as an event */
    TR_DAMAGE_BAD_TIME = 16,     /* ts missing or not a number: kept, without a time and of no phase */
    TR_DAMAGE_BAD_PHASE = 17,    /* ph missing or empty: kept, of no phase */
    TR_DAMAGE_TOO_LONG = 18,     /* lost: one event beyond the size limit */
    TR_DAMAGE_TRUNCATED = 19,    /* the text ends in the middle: the part before is kept */
    TR_DAMAGE_BAD_COMPRESSION = 20, /* damaged compressed data: the decodable part is kept */
    TR_DAMAGE_TRAILING_BYTES = 21, /* text after the end: ignored */
    TR_DAMAGE_ARGS_NOT_OBJECT = 22, /* kept as text */
    TR_DAMAGE_UNMATCHED_END = 23, /* E without B: kept as a separate event */
    TR_DAMAGE_UNMATCHED_BEGIN = 24, /* B without E: span without duration */
    TR_DAMAGE_BAD_HEADER = 25,   /* lost: unreadable member other than traceEvents, and the members after it */
    TR_DAMAGE_TIME_IN_NS = 26,   /* ts is a time of today in ns, where us belong: as BAD_TIME */
    TR_N_DAMAGE_CAUSES
};

/* The count of each cause, and the offset of the first; the offset is valid if the count is not 0. */
struct tr_damage_cause_counts {
    uint64_t n[TR_N_DAMAGE_CAUSES];
    uint64_t first[TR_N_DAMAGE_CAUSES]; /* or TR_NO_OFFSET */
};

/* Count once more; offset: of its place, or TR_NO_OFFSET. */
void tr_damage_cause_count(struct tr_damage_cause_counts *c, enum tr_damage_cause cause, uint64_t offset);
/* Add the counts of a later part of the same input. */
void tr_damage_cause_add(struct tr_damage_cause_counts *c, const struct tr_damage_cause_counts *more);

const char *tr_damage_cause_name(unsigned cause); /* "bad_escape"; "?" for a number out of range */
const char *tr_damage_cause_text(unsigned cause); /* see struct tr_damage */
bool tr_damage_cause_loses(unsigned cause);

/* Store the counts in a summary, in the order of the numbers.  False: out of memory. */
bool tr_damage_cause_sum_up(const struct tr_damage_cause_counts *c, struct tr_source_summary *s);

#ifdef __cplusplus
}
#endif
#endif
