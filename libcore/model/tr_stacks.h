/* SPDX-License-Identifier: MIT */
/*
 * Stacks of names, kept as a tree: a frame is a name and the frame around it, so that stacks have in common what they
 * begin with, and equal stacks are one frame.
 *
 *     st = tr_stacks_path(stacks, &path, 0, counts, self, &stack);     of the spans around a call that count
 *     tr_stacks_text(stacks, dict, stack, " > ", &text);
 *
 * A step outward takes one look, one to a given level or the comparison of two stacks as many as the logarithm of the
 * depth.  Memory: 16 bytes per frame, and 32 to 64 to find it.  Not shared between threads.
 */
#ifndef TR_STACKS_H
#define TR_STACKS_H

#include "base/tr_mem.h"
#include "model/tr_call_path.h"
#include "model/tr_eventmap.h"
#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_STACK_NONE UINT32_MAX /* the empty stack */

/* So many names of a stack are in its text from either end: whole ones would grow with the square of the depth. */
#define TR_STACK_ENDS 128u

struct tr_stack_frame {
    uint32_t outer; /* TR_STACK_NONE: there is none */
    uint32_t name;  /* string number */
    uint32_t level; /* so many frames are around it */
    uint32_t jump;  /* one farther out, by which others are found; of the outermost itself */
};

struct tr_stacks {
    struct tr_stack_frame *frames;
    size_t n, cap;
    struct tr_eventmap index;
};

/* Zero-initialise. */
void tr_stacks_free(struct tr_stacks *s);

/* The frame of a name inside of another.  False: out of memory. */
bool tr_stacks_inner(struct tr_stacks *s, uint32_t outer, uint32_t name, uint32_t *frame);

/*
 * The stack of those spans around the last one of a path which count.  What is found out stands in these notes of the
 * spans, so that no span is looked at twice.  False: out of memory.
 */
bool tr_stacks_path(struct tr_stacks *s, const struct tr_callpath *path, unsigned note,
                    bool (*counts)(const void *self, const struct tr_call *span), const void *self, uint32_t *stack);

static inline size_t tr_stacks_depth(const struct tr_stacks *s, uint32_t stack)
{
    return stack == TR_STACK_NONE ? 0 : (size_t)s->frames[stack].level + 1;
}

/* The frame of a stack at a level, which it has; 0 is the outermost. */
uint32_t tr_stacks_at(const struct tr_stacks *s, uint32_t stack, uint32_t level);

/* By the texts of names, outermost first; what another stack begins with comes before it. */
int tr_stacks_cmp(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t a, uint32_t b);

/* The numbers of the n innermost names, outermost of them first. */
void tr_stacks_names(const struct tr_stacks *s, uint32_t stack, size_t n, uint32_t *names);

/*
 * The names, outermost first, with this between, instead of what was in out; of more than 2 * TR_STACK_ENDS those at both
 * ends, and "(N more)" between them.  False: out of memory.
 */
bool tr_stacks_text(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, const char *between,
                    struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
