/* SPDX-License-Identifier: MIT */
/*
 * The contents of a stream: counts per source, device and track, and whether events are in order.
 *
 * One pass over all events; memory by the number of sources, tracks and API names.  The summary has the facts that only
 * the readers of the input know (salvage, steps, lags).  This module counts the events of the stream, which are fewer
 * than those of the sources after a filter.
 *
 *     struct tr_info *info = tr_info_new();
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         if ((st = tr_info_add(info, b, &err)) != TR_OK)
 *             break;
 *     if (st == TR_END)
 *         st = tr_info_finish(info, in->dict, &err);
 *
 * Not shared between threads.
 *
 * The folder analysis/info says what a trace is and whether it can be trusted.  Central: struct tr_info (here),
 * struct tr_trust.
 */
#ifndef TR_INFO_H
#define TR_INFO_H

#include "analysis/calls/tr_coverage.h"
#include "analysis/info/tr_trust.h"
#include "base/tr_mem.h"
#include "model/tr_rules.h"
#include "stream/tr_batch.h"
#include "stream/tr_order.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a source has no device work, as far as it is known. */
enum tr_no_work {
    TR_NO_WORK_UNKNOWN,
    TR_NO_WORK_BESIDE, /* another source of its job and rank has it */
    TR_NO_WORK_CALLS,  /* by their formats: a dump of collectives, */
    TR_NO_WORK_LOG,    /* a log of collectives, */
    TR_NO_WORK_GRAPH,  /* a graph of work, */
    TR_NO_WORK_MEMORY, /* the use of memory, */
    TR_NO_WORK_HOST,   /* samples of the host */
    TR_N_NO_WORK
};

struct tr_info_source {
    uint64_t n_events;
    uint64_t n_phase[TR_N_PHASES], n_activity[TR_N_ACTIVITIES], n_suspect[TR_N_SUSPECTS];
    int64_t first_ts, last_end; /* of events with ts, without suspects and metadata; TR_TIME_NONE: none */
    struct tr_coverage_counts coverage; /* suspect events are counted, too; by tr_info_finish */
    uint64_t n_comm,
        n_comm_described; /* device work of kind comm; the part of it whose args name a collective */
    uint64_t n_open;      /* spans whose end is missing */
    struct tr_trust_counts trust; /* by tr_info_finish */
    uint64_t n_like_device; /* spans on tracks with names of devices, if there is no device work; by tr_info_finish */
    enum tr_no_work no_work; /* if there is no device work; by tr_info_finish */
};

/* Reasons to doubt what analyses say of a source, besides damage, suspect events and missing ends. */
enum tr_doubt {
    TR_DOUBT_NO_WORK,   /* there is no device work */
    TR_DOUBT_LAUNCHES,  /* more than a tenth of the launch calls has no device work */
    TR_DOUBT_LINKS,     /* more than a tenth of the device work has no known launch */
    TR_DOUBT_CAUSALITY, /* more than one in a hundred works starts before its launch */
    TR_DOUBT_SWALLOWED, /* a span contains several others of its stream */
    TR_DOUBT_LONE_WORK, /* the device span is ten times as long as without one moment of work */
    TR_DOUBT_FRAMES,    /* Python functions end at the stop of the profiler, nine in ten or more */
    TR_DOUBT_UNIT,      /* times look like nanoseconds in a field of microseconds */
    TR_N_DOUBTS
};

/* Is there this reason?  After tr_info_finish. */
bool tr_info_doubts(const struct tr_info_source *s, enum tr_doubt doubt);
/* The number of events that the doubt is about, and a sentence with that number, appended.  False: out of memory. */
uint64_t tr_info_doubt_count(const struct tr_info_source *s, enum tr_doubt doubt);
bool tr_info_doubt_text(const struct tr_info_source *s, enum tr_doubt doubt, struct tr_buf *text);

struct tr_info_track {
    uint64_t n_events, n_spans, n_kernels, n_copies; /* copies: memcpy and memset */
    int64_t first_ts, last_end;             /* as above */
};

/* Device work by device; ordered by source and device. */
struct tr_info_device {
    uint32_t source;
    int64_t device; /* TR_I64_NONE: the input does not say */
    uint64_t n_streams, n_kernels, n_copies;
    int64_t first_ts, last_end;
};

/* Kernels of kind comm with one name; the most frequent name first, then by name. */
struct tr_info_comm {
    uint32_t name;
    uint64_t n;
    uint32_t rule; /* in comm_rules, the rule that gives it this kind; TR_RULE_NONE: no rule of the library */
};

struct tr_info {
    struct tr_info_source *sources; /* by source number */
    struct tr_info_track *tracks;   /* by track number */
    struct tr_info_device *devices; /* by tr_info_finish */
    struct tr_info_comm *comm;      /* by tr_info_finish */
    struct tr_rules *comm_rules;    /* by tr_info_finish; NULL: there are no such kernels */
    size_t n_sources, n_tracks, n_devices, n_comm, cap_sources, cap_tracks;
    uint64_t n_events;

    /* Order: the number of events that should come before the event before them, and the first of these. */
    uint64_t n_disordered;
    uint32_t disordered_source;
    uint64_t disordered_record;
    struct tr_order_key last; /* of the event before */

    uint64_t *comm_names; /* by string number: kernels of kind comm */
    size_t n_comm_names, cap_comm_names;
    uint8_t *described; /* by shape: does it name a collective? */
    size_t n_shapes, cap_shapes;
    struct tr_coverage *coverage;
    struct tr_trust *trust;
};

struct tr_info *tr_info_new(void); /* NULL: out of memory */
void tr_info_free(struct tr_info *info);

/* Count the events of a batch.  TR_OK, or TR_SYSTEM: out of memory. */
enum tr_status tr_info_add(struct tr_info *info, const struct tr_batch *b, struct tr_error *err);

/*
 * Group tracks by device, find the rules of communication, and add rows for sources and tracks without events.  Call it
 * after the last batch.
 * TR_OK, or TR_SYSTEM: out of memory.
 */
enum tr_status tr_info_finish(struct tr_info *info, const struct tr_dict *d, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
