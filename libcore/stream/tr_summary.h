/*
 * The summary of a sorted stream: what only the whole trace tells, sent before its first event.
 *
 * One struct tr_source_summary per source.  Filters pass the summary on unchanged, so it describes the
 * sources, not what is left of them.  Owned by whoever made it; tr_summary_free releases all.
 * An input keeps one summary under one address from its opening to its end, and fills it in there: see
 * tr_input.h.
 */
#ifndef TR_SUMMARY_H
#define TR_SUMMARY_H

#include "stream/tr_event.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Salvage causes: what was wrong with an input and how it was read all the same.  Part of the format. */
enum tr_cause {
    TR_CAUSE_BAD_ESCAPE = 0,     /* unknown escape in a string: kept literally */
    TR_CAUSE_CONTROL_BYTE = 1,   /* raw control byte in a string: kept */
    TR_CAUSE_BAD_UTF8 = 2,       /* invalid UTF-8 in a string: bytes kept */
    TR_CAUSE_LONE_SURROGATE = 3, /* \ud800 without partner: U+FFFD */
    TR_CAUSE_INNER_QUOTE = 4,    /* unescaped quote inside a string: taken as part of it */
    TR_CAUSE_NOT_A_NUMBER = 5,   /* NaN or infinity: kept as number text, missing for analyses */
    TR_CAUSE_ODD_NUMBER = 6,     /* 03, +1, .5, 1., -1.-22: taken */
    TR_CAUSE_MISSING_COMMA = 7,
    TR_CAUSE_EXTRA_COMMA = 8,
    TR_CAUSE_NOT_AN_OBJECT = 9,  /* element of traceEvents that is no object: skipped */
    TR_CAUSE_TIME_AS_STRING = 10, /* ts or dur in quotes: taken */
    TR_CAUSE_BAD_DUR = 11,       /* dur of another type, or none on a span: taken as absent */
    TR_CAUSE_DUPLICATE_KEY = 12, /* the last one wins */
    TR_CAUSE_BYTE_ORDER_MARK = 13,
    TR_CAUSE_SECOND_TRACE = 14,  /* one trace after the other in one file: read on */
    TR_CAUSE_BAD_EVENT = 15,     /* lost: text that cannot be read as an event */
    TR_CAUSE_BAD_TIME = 16,      /* ts missing or not a number: kept, without a time and of no phase */
    TR_CAUSE_BAD_PHASE = 17,     /* ph missing or empty: kept, of no phase */
    TR_CAUSE_TOO_LONG = 18,      /* lost: one event beyond the size limit */
    TR_CAUSE_TRUNCATED = 19,     /* the text ends in the middle: what stands before is kept */
    TR_CAUSE_BAD_COMPRESSION = 20, /* damaged compressed data: what decodes is kept */
    TR_CAUSE_TRAILING_BYTES = 21, /* text behind the end: ignored */
    TR_CAUSE_ARGS_NOT_OBJECT = 22, /* kept raw */
    TR_CAUSE_UNMATCHED_END = 23, /* E without B: kept as an event of its own */
    TR_CAUSE_UNMATCHED_BEGIN = 24, /* B without E: span without duration */
    TR_CAUSE_BAD_HEADER = 25,    /* lost: member beside traceEvents that cannot be read, and what follows it */
    TR_N_CAUSES
};

const char *tr_cause_name(unsigned cause); /* "bad_escape"; stable, for tables */
/* "unknown escape in a string, kept as it is": up to the comma what is wrong, then what was made of it. */
const char *tr_cause_text(unsigned cause);
bool tr_cause_loses(unsigned cause);       /* does it cost events (or the tail)? */

#define TR_NO_OFFSET UINT64_MAX /* a cause that has no place in the text */

struct tr_step {
    int64_t number;  /* n of ProfilerStep#n */
    int64_t start, end; /* ns, half-open */
    uint32_t track;
};

struct tr_source_summary {
    int64_t first_ts, last_end; /* span of all events with ts, suspects left out; TR_TIME_NONE: none */
    uint64_t n_events;
    uint64_t n_phase[TR_N_PHASES];
    uint64_t n_activity[TR_N_ACTIVITIES];
    uint64_t n_suspect[TR_N_SUSPECTS];
    uint64_t n_device_linked, n_launches, n_launches_linked; /* device work with a launch, launch calls, those with work */
    uint64_t n_cause[TR_N_CAUSES];
    uint64_t first_offset[TR_N_CAUSES]; /* byte in the (uncompressed) input; valid if n_cause is not 0; or TR_NO_OFFSET */
    int64_t lag_min, lag_max; /* ns from launch start to device start; TR_TIME_NONE: no linked work */
    struct tr_step *steps;    /* by start */
    size_t n_steps, cap_steps;
};

struct tr_summary {
    struct tr_source_summary *sources; /* by source number */
    size_t n;
    bool sorted;   /* events are in canonical order */
    bool filtered; /* a later program has removed or changed events */
};

/* A summary for n sources, all counts 0.  NULL: out of memory. */
struct tr_summary *tr_summary_new(size_t n);
struct tr_summary *tr_summary_copy(const struct tr_summary *s);
/*
 * Begin anew in place, for those who have the address of s: n sources, all counts 0; or what another one
 * says.  The rows that were there are released.  False: out of memory, s is sound but not complete.
 */
bool tr_summary_reset(struct tr_summary *s, size_t n);
bool tr_summary_assign(struct tr_summary *to, const struct tr_summary *from);
bool tr_summary_add_step(struct tr_source_summary *s, const struct tr_step *step);
void tr_summary_free(struct tr_summary *s);

#ifdef __cplusplus
}
#endif
#endif
