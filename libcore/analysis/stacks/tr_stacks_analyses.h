/* SPDX-License-Identifier: MIT */
/*
 * Stacks of frames of the host, and what they cost: time on the host, device work, launches, memory.
 *
 * A frame is a host span; device work and allocations count for the stack around the call that caused them
 * (service/tr_enclosing_spans.h).  Stacks that are equal by the names of their frames are one, also of several threads.
 * A step is the frame "(step)", whatever its number.  What has no frame at all counts for the stack "(none)".
 *
 * The folder has this analysis.  Central: struct tr_profile (profile/tr_profile.h), its result.
 *
 * Memory: that of tr_enclosing_spans, that of the profile, and 72 bytes for each stack.
 */
#ifndef TR_STACKS_ANALYSES_H
#define TR_STACKS_ANALYSES_H

#include "engine/tr_analysis.h"
#include "profile/tr_profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which spans are frames, as bits. */
enum tr_stack_by {
    TR_STACK_SPANS = 1 << 0,     /* all */
    TR_STACK_OPERATORS = 1 << 1, /* operators, and records of collectives */
    TR_STACK_MODULES = 1 << 2,   /* Python frames that are called for a module, without its number */
    TR_STACK_PYTHON = 1 << 3,    /* Python frames */
    TR_STACK_KERNELS = 1 << 4,   /* device work is the innermost frame of the stack that launched it */
};

struct tr_stack_options {
    unsigned by;
    int weight; /* enum tr_profile_weight: by which rows are ordered */
    /* Takes the stacks: a group that is a rank is a frame.  Not after tr_profile_end.  NULL: rows are all. */
    enum tr_status (*take)(void *self, const struct tr_profile *p, struct tr_error *err);
    void *self;
};
#define TR_STACK_DEFAULTS { .by = TR_STACK_SPANS }
extern const struct tr_analysis tr_analysis_stack;

#ifdef __cplusplus
}
#endif
#endif
