/* SPDX-License-Identifier: MIT */
/*
 * The summary of a sorted stream: facts that need the whole trace, sent before its first event.
 *
 * There is one struct tr_source_summary per source.  Filters pass the summary on unchanged, so it describes the whole
 * sources.  Its creator owns it; tr_summary_free releases all.  The summary of an input has one address from its
 * opening to its end, and is filled in there: see tr_input.h.
 */
#ifndef TR_SUMMARY_H
#define TR_SUMMARY_H

#include "stream/tr_event.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NO_OFFSET UINT64_MAX /* a cause without an offset */
#define TR_DAMAGE_NAME 32u /* room for the name of a cause, with the 0 after it */
#define TR_DAMAGE_TEXT 96u
#define TR_MAX_CAUSES 255u /* of one source */

/* A cause of damage in an input.  Formats may add their own causes. */
struct tr_damage {
    char name[TR_DAMAGE_NAME]; /* "bad_escape"; stable, for tables */
    char text[TR_DAMAGE_TEXT]; /* "unknown escape in a string, kept unchanged": the damage up to the comma, */
                              /* then what was done */
    bool loses;               /* does it cost events (or the tail)? */
    uint64_t count;
    uint64_t first; /* byte in the (uncompressed) input, or TR_NO_OFFSET */
};

/* What a step of an inference engine does. */
enum tr_step_phase {
    TR_STEP_NO_PHASE, /* unknown, or nothing */
    TR_STEP_PREFILL,  /* reads prompts */
    TR_STEP_DECODE,   /* adds a token to requests */
    TR_STEP_MIXED,    /* both */
    TR_STEP_DIFFUSION,
    TR_N_STEP_PHASES
};

/*
 * What the annotation of an inference step says: c_ is about requests whose prompt is processed (context), g_ about
 * those that get another token (generation).  sq is the number of queries of a request, sk the number of keys; sqsq and
 * sqsk are the sums of their products.
 */
enum tr_step_number {
    TR_STEP_REQUESTS,
    TR_STEP_TOKENS,
    TR_STEP_C_REQUESTS,
    TR_STEP_G_REQUESTS,
    TR_STEP_SUMS, /* the eight sums */
    TR_STEP_C_TOKENS = TR_STEP_SUMS, /* c_sq c_sk c_sqsq c_sqsk */
    TR_STEP_C_KEYS,
    TR_STEP_G_TOKENS = TR_STEP_SUMS + 4, /* g_sq g_sk g_sqsq g_sqsk */
    TR_STEP_G_KEYS,
    TR_N_STEP_NUMBERS = TR_STEP_SUMS + 8
};

struct tr_step_about {
    uint8_t phase; /* enum tr_step_phase */
    uint16_t known; /* a bit for each number that is known */
    int64_t of[TR_N_STEP_NUMBERS];
};

struct tr_step {
    int64_t number;  /* n of ProfilerStep#n; without these, of the inference steps in the source, from 0 */
    int64_t start, end; /* ns, half-open */
    uint32_t track;
    struct tr_step_about about;
};

struct tr_source_summary {
    int64_t first_ts, last_end; /* span of all events with ts, suspects left out; TR_TIME_NONE: none */
    uint64_t n_events;
    uint64_t n_phase[TR_N_PHASES];
    uint64_t n_activity[TR_N_ACTIVITIES];
    uint64_t n_suspect[TR_N_SUSPECTS];
    /* device work with a launch, launch calls, those with work */
    uint64_t n_device_linked, n_launches, n_launches_linked;
    struct tr_damage *damage; /* no two of one name */
    size_t n_damage, cap_damage;
    int64_t lag_min, lag_max; /* ns from launch start to device start; TR_TIME_NONE: no linked work */
    struct tr_step *steps;    /* by start */
    size_t n_steps, cap_steps;
};

struct tr_summary {
    struct tr_source_summary *sources; /* by source number */
    size_t n;
    bool sorted;   /* events are in canonical order */
    bool filtered; /* a later program has removed or changed events */
    bool redacted; /* a later program has replaced texts by tokens, at least in some of the sources */
};

/* A summary for n sources, all counts 0.  NULL: out of memory. */
struct tr_summary *tr_summary_new(size_t n);
struct tr_summary *tr_summary_copy(const struct tr_summary *s);
/*
 * Reset a summary at the same address: to n sources with all counts 0, or to a copy of another one.  Its old rows are
 * released.  False: out of memory; s is valid but not complete.
 */
bool tr_summary_reset(struct tr_summary *s, size_t n);
bool tr_summary_assign(struct tr_summary *to, const struct tr_summary *from);
/* Copy the row of a source to an empty one.  False: out of memory, and it stays empty. */
bool tr_summary_copy_source(struct tr_source_summary *to, const struct tr_source_summary *from);
bool tr_summary_add_step(struct tr_source_summary *s, const struct tr_step *step);
/* Does the source have steps of inference? */
bool tr_summary_infers(const struct tr_source_summary *s);
/* "prefill" and so on; NULL: no phase. */
const char *tr_step_phase_name(unsigned phase);
bool tr_summary_add_damage(struct tr_source_summary *s, const struct tr_damage *d);
/* How many times a source was repaired, or lost something. */
uint64_t tr_summary_damage(const struct tr_source_summary *s, bool loses);
/*
 * A digest of a source: of its numbers of events by kind, and of its times, steps and links.  It is the same on every
 * machine, for a trace and for its stream, alone and beside other sources.
 */
uint64_t tr_summary_digest(const struct tr_source_summary *s);
/* The events of all sources; 0 also if s is NULL. */
uint64_t tr_summary_events(const struct tr_summary *s);
void tr_summary_free(struct tr_summary *s);

#ifdef __cplusplus
}
#endif
#endif
