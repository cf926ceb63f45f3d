/* SPDX-License-Identifier: MIT */
/*
 * The spans around an event: its operator, module, annotation and stack; and the self time of a host span.
 *
 *     tr_enclosing_batch(a, b, &err);
 *     for (size_t i = 0; i < b->n; i++) {
 *         tr_enclosing_of(a, i, &of);                  of.frame, or of.ticket if the frame is not known yet
 *         ...tr_enclosing_frame(a, of.frame)->op...
 *     }
 *     for (size_t k = 0; k < a->n_done; k++)
 *         ...a->done[k].ticket: its frame and its own time are known
 *
 * Around a host span are the spans of its thread that contain it (model/calls/tr_call_path.h).  Around device work are
 * the spans that contain its launch, or the operator that asked for it, if the trace has an arrow from one to the other
 * (model/calls/tr_work_arrows.h).  Around any other event of a thread are the spans that are open at its time.  All
 * other events, and work whose launch is unknown, have no spans around them.
 *
 *   operator    the innermost span of activity cpu_op or comm_record
 *   module      the innermost Python frame that is called for a module, "nn.Module: Linear_3", without its number
 *   annotation  the innermost annotation that is not a step
 *   group       the process group of the record of a collective, if groups are looked for
 *   stack       all spans except steps, the innermost N
 *
 * The self time of a host span is the time in which none of its children on its thread runs; with a window, its part in
 * the window.  A span that never ends has no self time.
 *
 * Work that comes before its launch, and a span whose self time is requested, get a ticket.  The result is in `done'
 * after the batch that completes it, or after tr_enclosing_end.  The next batch may reuse the ticket.
 *
 * Memory: 56 bytes for each open span, 50 for each launch whose work has not come, 28 for each distinct set of spans
 * (frame).  One thread at a time.
 */
#ifndef TR_ENCLOSING_SPANS_H
#define TR_ENCLOSING_SPANS_H

#include "base/tr_freelist.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "model/calls/tr_call_path.h"
#include "model/calls/tr_work_arrows.h"
#include "model/selection/tr_select.h"
#include "model/tr_eventmap.h"
#include "service/tr_pending.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ENCLOSING_NONE UINT32_MAX

/* The columns that this module reads, and a key, TR_WORK_ARROWS_KEY; RECORD and the derived columns for device work. */
#define TR_ENCLOSING_FIXED                                                                                \
    (TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(NAME) | \
     TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(SUSPECT) | TR_FIXED_BIT(FLAGS))
#define TR_ENCLOSING_DERIVED TR_PENDING_DERIVED

/* A span, and the innermost operator, annotation and module among it and the spans around it; TR_NO_STR: none. */
struct tr_frame {
    uint32_t outer;    /* frame; TR_ENCLOSING_NONE: there is none */
    uint32_t name;     /* string number; TR_NO_STR of a step */
    uint32_t op, annotation, group; /* string numbers; op is the operator, which C++ keeps for itself */
    uint32_t module;   /* number in the texts given to tr_enclosing_spans_new */
    uint32_t activity; /* of the span; TR_N_ACTIVITIES: none, it stands for the group of the span around it */
};

/* Of an event: one of the two is TR_ENCLOSING_NONE, or both. */
struct tr_enclosing_of {
    uint32_t frame, ticket;
};

struct tr_enclosing_done {
    uint32_t ticket, frame;
    int64_t self; /* ns; TR_TIME_NONE: device work, or a span that never ends */
};

struct tr_enclosing_spans {
    const struct tr_enclosing_of *of;    /* by event of the batch */
    const struct tr_enclosing_done *done;
    size_t n_done;
    uint64_t n_lost; /* work so far whose launch has not come, although it should have */
};

/*
 * dict, texts (for names of modules) and select (for its window, may be NULL) are borrowed; self: also give tickets for
 * host spans.  NULL: out of memory.
 */
struct tr_enclosing_spans *tr_enclosing_spans_new(const struct tr_dict *dict, struct tr_strtab *texts,
                                                  struct tr_select *select, bool self);
/* Look for groups, in this arg of records of collectives.  Before the first batch. */
void tr_enclosing_spans_groups(struct tr_enclosing_spans *a, const char *arg);
void tr_enclosing_spans_free(struct tr_enclosing_spans *a);

/* All events of the next batch, selected or not.  TR_OK or TR_SYSTEM. */
enum tr_status tr_enclosing_batch(struct tr_enclosing_spans *a, const struct tr_batch *b, struct tr_error *err);

/* After the last batch: complete the open tickets. */
enum tr_status tr_enclosing_end(struct tr_enclosing_spans *a, struct tr_error *err);

/* Valid until the next batch. */
const struct tr_frame *tr_enclosing_frame(const struct tr_enclosing_spans *a, uint32_t frame);

/* The number of frames so far. */
size_t tr_enclosing_n_frames(const struct tr_enclosing_spans *a);

/* Names of the innermost n spans of a frame, outermost first, " > " between; n 0: all.  False: out of memory. */
bool tr_enclosing_stack(const struct tr_enclosing_spans *a, uint32_t frame, size_t n, struct tr_buf *out);

/* The module of a frame: "Linear" for "nn.Module: Linear_3".  No text: not a module. */
struct tr_str tr_module_name(struct tr_str name);

#ifdef __cplusplus
}
#endif
#endif
