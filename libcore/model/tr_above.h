/* SPDX-License-Identifier: MIT */
/*
 * What lies above an event: the operator, the module, the annotation, all spans around it; and of a host span the
 * time that it spent itself.
 *
 *     tr_above_batch(a, b, &err);
 *     for (size_t i = 0; i < b->n; i++) {
 *         tr_above_of(a, i, &of);                  of.frame, or of.ticket if more has to come first
 *         ...tr_above_frame(a, of.frame)->op...
 *     }
 *     for (size_t k = 0; k < a->n_done; k++)
 *         ...a->done[k].ticket: its frame and its own time are known
 *
 * Above a host span lie the spans of its thread that it is in (model/tr_call_path.h), above device work those that
 * its launch is in, above any other event of a thread that is no span those that are open when it comes.  Above
 * everything else, and above work whose launch is not known, lies nothing.
 *
 *   operator    the innermost span of activity cpu_op or comm_record
 *   module      the innermost Python frame that is called for a module, "nn.Module: Linear_3", without its number
 *   annotation  the innermost annotation that is no step
 *   stack       all of them but steps, the innermost N
 *
 * The own time of a host span is that in which none of its children on its thread runs, as far as it lies in the
 * window if there is one.  Of one that never ends there is none.
 *
 * Work that comes before its launch, and a span whose own time is asked for, get a ticket: what is missing stands in
 * done after the batch in which it came, or after tr_above_end.  A ticket is given out again in the next batch.
 *
 * Memory: 56 bytes for each open span, 50 for each launch whose work has not come, 24 for each set of spans around
 * something that ever was (frame).  One thread at a time.
 */
#ifndef TR_ABOVE_H
#define TR_ABOVE_H

#include "base/tr_freelist.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "model/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "model/tr_select.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ABOVE_NONE UINT32_MAX

/* What an above reads of events; RECORD and the derived columns for device work. */
#define TR_ABOVE_FIXED                                                                                    \
    (TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(NAME) | \
     TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(SUSPECT) | TR_FIXED_BIT(FLAGS))
#define TR_ABOVE_DERIVED \
    (1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK | 1u << TR_COL_N_DEVICE)

/* A span around something, and what is innermost among it and those around it; TR_NO_STR: there is none. */
struct tr_frame {
    uint32_t outer;    /* frame; TR_ABOVE_NONE: there is none */
    uint32_t name;     /* string number; TR_NO_STR of a step */
    uint32_t op, annotation; /* string numbers; op is the operator, which C++ keeps for itself */
    uint32_t module;   /* number in the texts given to tr_above_new */
};

/* Of an event: one of the two is TR_ABOVE_NONE, or both. */
struct tr_above_of {
    uint32_t frame, ticket;
};

struct tr_above_done {
    uint32_t ticket, frame;
    int64_t self; /* ns; TR_TIME_NONE: device work, or a span that never ends */
};

struct tr_above {
    const struct tr_above_of *of;    /* by event of the batch */
    const struct tr_above_done *done;
    size_t n_done;
};

/*
 * dict, texts (for names of modules) and select (for its window, may be NULL) are borrowed; self: tickets for host
 * spans, too.  NULL: out of memory.
 */
struct tr_above *tr_above_new(const struct tr_dict *dict, struct tr_strtab *texts, struct tr_select *select, bool self);
void tr_above_free(struct tr_above *a);

/* All events of the next batch, whatever was selected.  TR_OK or TR_SYSTEM. */
enum tr_status tr_above_batch(struct tr_above *a, const struct tr_batch *b, struct tr_error *err);

/* After the last batch: the tickets that are out. */
enum tr_status tr_above_end(struct tr_above *a, struct tr_error *err);

/* Valid until the next batch. */
const struct tr_frame *tr_above_frame(const struct tr_above *a, uint32_t frame);

/* Names of the innermost n spans of a frame, outermost first, " > " between; n 0: all.  False: out of memory. */
bool tr_above_stack(const struct tr_above *a, uint32_t frame, size_t n, struct tr_buf *out);

/* "nn.Module: Linear_3" is the module Linear, whichever of them.  No text: it is none. */
struct tr_str tr_module_name(struct tr_str name);

#ifdef __cplusplus
}
#endif
#endif
