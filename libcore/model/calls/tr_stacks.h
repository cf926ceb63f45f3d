/* SPDX-License-Identifier: MIT */
/*
 * Stacks of names, stored as a tree.
 *
 * A frame is a name and the frame around it.  So stacks share the frames that they start with, and equal stacks have
 * the same innermost frame.  The number of this frame stands for the stack.
 *
 *     st = tr_stacks_path(stacks, &path, 0, counts, self, &stack);     of the spans around a call that count
 *     tr_stacks_text(stacks, dict, stack, " > ", &text);
 *
 * One frame outward is one access.  The frame at a given level, and the comparison of two stacks, take time in the
 * logarithm of the depth.  Memory: 16 bytes per frame, and 32 to 64 to find it.  Not shared between threads.
 */
#ifndef TR_STACKS_H
#define TR_STACKS_H

#include "base/tr_mem.h"
#include "model/calls/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_STACK_NONE UINT32_MAX /* the empty stack */

/* The number of names from each end of a stack that its text has.  Without a limit, the texts of all stacks together
 * would grow with the square of the depth. */
#define TR_STACK_ENDS 128u

struct tr_stack_frame {
    uint32_t outer; /* TR_STACK_NONE: there is none */
    uint32_t name;  /* string number */
    uint32_t level; /* number of frames around it */
    uint32_t jump;  /* a frame farther out, for fast access to a level; of the outermost: the frame itself */
};

struct tr_stacks {
    struct tr_stack_frame *frames;
    size_t n, cap;
    struct tr_eventmap index;
};

/* Zero-initialise. */
void tr_stacks_free(struct tr_stacks *s);

/* The frame with this name inside the frame outer.  False: out of memory. */
bool tr_stacks_inner(struct tr_stacks *s, uint32_t outer, uint32_t name, uint32_t *frame);

/*
 * The stack of those spans around the last span of a path for which counts returns true.  The result for each span is
 * kept in its notes[note], so no span is tested twice.  False: out of memory.
 */
bool tr_stacks_path(struct tr_stacks *s, const struct tr_callpath *path, unsigned note,
                    bool (*counts)(const void *self, const struct tr_call *span), const void *self, uint32_t *stack);

static inline size_t tr_stacks_depth(const struct tr_stacks *s, uint32_t stack)
{
    return stack == TR_STACK_NONE ? 0 : (size_t)s->frames[stack].level + 1;
}

/* The frame of a stack at a level that it has; 0 is the outermost. */
uint32_t tr_stacks_at(const struct tr_stacks *s, uint32_t stack, uint32_t level);

/* Compare two stacks by the texts of their names, outermost first.  If a stack starts with the other one, the shorter
 * one comes first. */
int tr_stacks_cmp(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t a, uint32_t b);

/* The string numbers of the n innermost names; the outermost of them comes first. */
void tr_stacks_names(const struct tr_stacks *s, uint32_t stack, size_t n, uint32_t *names);

/*
 * Set out to the names of a stack, outermost first, separated by the text `between'.  Of more than 2 * TR_STACK_ENDS
 * names, it has those at both ends, and "(N more)" in the middle.  False: out of memory.
 */
bool tr_stacks_text(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, const char *between,
                    struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
