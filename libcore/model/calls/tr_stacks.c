/* SPDX-License-Identifier: MIT */
/* Stacks of names, kept as a tree. */
#include "model/calls/tr_stacks.h"

#include <stdio.h>
#include <stdlib.h>

#define NO_STACK TR_STACK_NONE

void tr_stacks_free(struct tr_stacks *s)
{
    free(s->frames);
    tr_eventmap_free(&s->index);
    *s = (struct tr_stacks){ 0 };
}

bool tr_stacks_inner(struct tr_stacks *s, uint32_t outer, uint32_t name, uint32_t *frame)
{
    uint32_t around = outer == NO_STACK ? 0 : outer + 1;
    *frame = tr_eventmap_get(&s->index, around, name);
    if (*frame != TR_EVENTMAP_NONE)
        return true;
    if (s->n >= UINT32_MAX - 4 || !tr_grow(&s->frames, &s->cap, s->n + 1, sizeof *s->frames) ||
        !tr_eventmap_put(&s->index, around, name, (uint32_t)s->n))
        return false;
    *frame = (uint32_t)s->n++;
    struct tr_stack_frame f = { outer, name, 0, *frame };
    if (outer != NO_STACK) {
        /* jumps of lengths 1, 1, 3, 1, 1, 3, 7, ...: two of one length make the next one longer */
        const struct tr_stack_frame *o = &s->frames[outer], *j = &s->frames[o->jump], *k = &s->frames[j->jump];
        f.level = o->level + 1;
        f.jump = o->level - j->level == j->level - k->level ? j->jump : outer;
    }
    s->frames[*frame] = f;
    return true;
}

/* ---- stacks of spans ---- */

#define NOTE(stack) ((stack) + 2u) /* 1: the empty one; 0: not computed yet */

bool tr_stacks_path(struct tr_stacks *s, const struct tr_callpath *path, unsigned note,
                    bool (*counts)(const void *self, const struct tr_call *span), const void *self, uint32_t *stack)
{
    size_t d = path->depth;
    bool ok = true;
    while (d && !path->open[d - 1].notes[note])
        d--;
    *stack = d ? path->open[d - 1].notes[note] - 2u : NO_STACK;
    for (; ok && d < path->depth; d++) {
        if (counts(self, &path->open[d]))
            ok = tr_stacks_inner(s, *stack, path->open[d].name, stack);
        path->open[d].notes[note] = NOTE(*stack);
    }
    return ok;
}

/* ---- order ---- */

uint32_t tr_stacks_at(const struct tr_stacks *s, uint32_t stack, uint32_t level)
{
    while (s->frames[stack].level > level) {
        const struct tr_stack_frame *f = &s->frames[stack];
        stack = s->frames[f->jump].level >= level ? f->jump : f->outer;
    }
    return stack;
}

int tr_stacks_cmp(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t a, uint32_t b)
{
    size_t n = tr_stacks_depth(s, a), m = tr_stacks_depth(s, b), min = n < m ? n : m;
    if (!min)
        return (n > m) - (n < m);
    a = tr_stacks_at(s, a, (uint32_t)min - 1);
    b = tr_stacks_at(s, b, (uint32_t)min - 1);
    if (a == b)
        return (n > m) - (n < m);
    while (s->frames[a].outer != s->frames[b].outer) { /* on the same level, jumps are equally long */
        const struct tr_stack_frame *f = &s->frames[a], *g = &s->frames[b];
        bool far = f->jump != g->jump;
        a = far ? f->jump : f->outer;
        b = far ? g->jump : g->outer;
    }
    return tr_str_cmp(tr_dict_text(dict, s->frames[a].name), tr_dict_text(dict, s->frames[b].name));
}

/* ---- names ---- */

void tr_stacks_names(const struct tr_stacks *s, uint32_t stack, size_t n, uint32_t *names)
{
    for (; n-- > 0; stack = s->frames[stack].outer)
        names[n] = s->frames[stack].name;
}

/* The n innermost names of a stack. */
static bool add_names(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, size_t n,
                      const char *between, struct tr_buf *out)
{
    uint32_t names[2 * TR_STACK_ENDS];
    bool ok = true;
    tr_stacks_names(s, stack, n, names);
    for (size_t i = 0; ok && i < n; i++)
        ok = tr_buf_add_str(out, i ? between : "") && tr_buf_add_text(out, tr_dict_text(dict, names[i]));
    return ok;
}

bool tr_stacks_text(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, const char *between,
                    struct tr_buf *out)
{
    size_t n = tr_stacks_depth(s, stack);
    char more[40];
    out->len = 0;
    if (n <= 2 * TR_STACK_ENDS)
        return add_names(s, dict, stack, n, between, out);
    snprintf(more, sizeof more, "(%zu more)", n - 2 * TR_STACK_ENDS);
    return add_names(s, dict, tr_stacks_at(s, stack, TR_STACK_ENDS - 1), TR_STACK_ENDS, between, out) &&
           tr_buf_add_str(out, between) && tr_buf_add_str(out, more) && tr_buf_add_str(out, between) &&
           add_names(s, dict, stack, TR_STACK_ENDS, between, out);
}
