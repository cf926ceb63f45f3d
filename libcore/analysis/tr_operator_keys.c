/* SPDX-License-Identifier: MIT */
/* What tells rows of operators apart: shapes, stacks, modules, threads. */
#include "analysis/tr_operator_keys_int.h"

#include "base/tr_mem.h"
#include "vendor/tr_roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

bool tr__operator_keys_init(struct tr__operator_keys *k, unsigned by, const struct tr_dict *dict)
{
    k->by = by;
    k->dict = dict;
    k->texts = tr_strtab_new();
    return k->texts != NULL;
}

void tr__operator_keys_free(struct tr__operator_keys *k)
{
    tr_strtab_free(k->texts);
    free(k->thread_of);
    free(k->module_of);
    free(k->frames);
    tr_eventmap_free(&k->frame_of);
    tr_arg_free(&k->dims);
    tr_arg_free(&k->types);
    tr_arg_free(&k->strides);
    tr_arg_free(&k->args);
}

bool tr__operator_keys_batch(struct tr__operator_keys *k, const struct tr_batch *b)
{
    if (k->by & TR_OPERATOR_ARGS && !tr_arg_read(&k->args, b, TR_PLACE_ARGS, "Concrete Inputs"))
        return false;
    return !(k->by & TR_OPERATOR_SHAPE) ||
           (tr_arg_read(&k->dims, b, TR_PLACE_ARGS, "Input Dims") &&
            tr_arg_read(&k->types, b, TR_PLACE_ARGS, "Input type") &&
            tr_arg_read(&k->strides, b, TR_PLACE_ARGS, "Input Strides"));
}

/* ---- notes of spans ---- */

/*
 * What a span and those around it say together, noted with the span when a call inside of it asks, so that nothing is
 * looked for twice however many spans are open.
 */
enum { FRAME, MODULE };
#define NOTE(number) ((number) + 2u) /* 1: there is none; 0: not asked yet */

/* The outermost spans of a path that have noted it, and what the last of them has. */
static size_t noted(const struct tr_callpath *path, unsigned what, uint32_t *number)
{
    size_t d = path->depth;
    while (d && !path->open[d - 1].notes[what])
        d--;
    *number = d ? path->open[d - 1].notes[what] - 2u : NONE;
    return d;
}

/* ---- stacks ---- */

bool tr__operator_inner_frame(struct tr__operator_keys *k, uint32_t outer, uint32_t name, uint32_t *frame)
{
    uint32_t level = outer == NONE ? 0 : outer + 1;
    *frame = tr_eventmap_get(&k->frame_of, level, name);
    if (*frame != TR_EVENTMAP_NONE)
        return true;
    if (k->n_frames >= NONE - 2 || !tr_grow(&k->frames, &k->cap_frames, k->n_frames + 1, sizeof *k->frames) ||
        !tr_eventmap_put(&k->frame_of, level, name, (uint32_t)k->n_frames))
        return false;
    *frame = (uint32_t)k->n_frames;
    struct tr__frame f = { outer, name, 0, *frame };
    if (outer != NONE)
        f.level = k->frames[outer].level + 1;
    if (f.level >= TR__STACK_ENDS)
        f.top = k->frames[outer].top;
    k->frames[k->n_frames++] = f;
    return true;
}

static bool is_step(const struct tr__operator_keys *k, const struct tr_call *c)
{
    struct tr_str name = tr_dict_text_if(k->dict, c->name);
    return c->activity == TR_ACT_ANNOTATION && name.s && (tr_roles_of(name.s, name.len) & TR_NAMED_STEP);
}

/* All spans around a call, but for steps, which would tell all calls apart. */
static bool stack_of(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t *stack)
{
    bool ok = true;
    for (size_t d = noted(path, FRAME, stack); ok && d < path->depth; d++) {
        if (path->open[d].name != TR_NO_STR && !is_step(k, &path->open[d]))
            ok = tr__operator_inner_frame(k, *stack, path->open[d].name, stack);
        path->open[d].notes[FRAME] = NOTE(*stack);
    }
    return ok;
}

/* Names from a frame outward, n of them: outermost first, as a text after " > " or as a list. */
static bool write_names(const struct tr__operator_keys *k, uint32_t frame, size_t n, bool list, struct tr_buf *out)
{
    uint32_t *names = calloc(n + 1, sizeof *names);
    bool ok = names != NULL;
    for (size_t d = n; ok && d-- > 0; frame = k->frames[frame].outer)
        names[d] = k->frames[frame].name;
    for (size_t d = 0; ok && d < n; d++) {
        struct tr_str name = tr_dict_text(k->dict, names[d]);
        ok = list ? tr_partial_list_add(out, name)
                  : tr_buf_add_str(out, out->len ? " > " : "") && tr_buf_add_text(out, name);
    }
    free(names);
    return ok;
}

bool tr__operator_stack(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out)
{
    char more[40];
    size_t n = stack == NONE ? 0 : (size_t)k->frames[stack].level + 1;
    out->len = 0;
    if (n <= 2 * TR__STACK_ENDS)
        return write_names(k, stack, n, false, out);
    snprintf(more, sizeof more, " > (%zu more)", n - 2 * TR__STACK_ENDS);
    return write_names(k, k->frames[stack].top, TR__STACK_ENDS, false, out) && tr_buf_add_str(out, more) &&
           write_names(k, stack, TR__STACK_ENDS, false, out);
}

bool tr__operator_stack_list(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out)
{
    out->len = 0;
    return write_names(k, stack, stack == NONE ? 0 : (size_t)k->frames[stack].level + 1, true, out);
}

/* ---- modules and threads ---- */

static bool known(uint32_t **of, size_t *n, size_t *cap, uint32_t number)
{
    if (!tr_grow(of, cap, (size_t)number + 1, sizeof **of))
        return false;
    for (; *n <= number; (*n)++)
        (*of)[*n] = 0;
    return true;
}

/* "nn.Module: Linear_3" is the module Linear, whichever of them.  Text of length 0: it is none. */
static struct tr_str module_name(struct tr_str name)
{
    static const char begin[] = "nn.Module: ";
    size_t skip = sizeof begin - 1, end = name.len;
    if (!name.s || name.len <= skip || memcmp(name.s, begin, skip) != 0)
        return (struct tr_str){ "", 0 };
    while (end > skip && name.s[end - 1] >= '0' && name.s[end - 1] <= '9')
        end--;
    bool numbered = end < name.len && end > skip + 1 && name.s[end - 1] == '_';
    return (struct tr_str){ name.s + skip, (numbered ? end - 1 : name.len) - skip };
}

/* The module that a span is, which stays what it was if the span is none. */
static bool take_module(struct tr__operator_keys *k, const struct tr_call *c, uint32_t *module)
{
    if (c->activity != TR_ACT_PYTHON || c->name == TR_NO_STR)
        return true;
    if (!known(&k->module_of, &k->n_module, &k->cap_module, c->name))
        return false;
    uint32_t *of = &k->module_of[c->name];
    if (!*of) {
        struct tr_str text = module_name(tr_dict_text(k->dict, c->name));
        uint32_t id = tr_strtab_add(k->texts, text.s, text.len);
        if (id == TR_NO_STR)
            return false;
        *of = id + 1;
    }
    if (tr_strtab_len(k->texts, *of - 1))
        *module = *of - 1;
    return true;
}

/* The innermost module around a call. */
static bool module_of(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t *module)
{
    bool ok = true;
    for (size_t d = noted(path, MODULE, module); ok && d < path->depth; d++) {
        ok = take_module(k, &path->open[d], module);
        path->open[d].notes[MODULE] = NOTE(*module);
    }
    return ok;
}

/* The name of a thread, or its number where it has none. */
static bool thread_of(struct tr__operator_keys *k, uint32_t track, uint32_t *thread)
{
    const struct tr_track *t = &k->dict->tracks[track];
    char number[TR_TRACK_DIGITS];
    if (!known(&k->thread_of, &k->n_thread, &k->cap_thread, track))
        return false;
    uint32_t *of = &k->thread_of[track];
    if (!*of) {
        struct tr_str text = tr_dict_text_if(k->dict, t->thread_name);
        tr_track_digits(t->tid_type == TR_T_NULL ? t->pid_type : t->tid_type, t->tid, number);
        if (!text.s && tr_track_tid_is_text(t))
            text = tr_dict_text_if(k->dict, (uint32_t)t->tid);
        if (!text.s)
            text = tr_str_of(number);
        uint32_t id = tr_strtab_add(k->texts, text.s, text.len);
        if (id == TR_NO_STR)
            return false;
        *of = id + 1;
    }
    *thread = *of - 1;
    return true;
}

bool tr__operator_key(struct tr__operator_keys *k, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                      struct tr_operator_key *key)
{
    *key = (struct tr_operator_key){ 0,    b->name[i], TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR,
                                     NONE, NONE,       NONE };
    if (k->by & TR_OPERATOR_SHAPE) {
        key->dims = tr_arg_text(&k->dims, i);
        key->types = tr_arg_text(&k->types, i);
        key->strides = tr_arg_text(&k->strides, i);
    }
    if (k->by & TR_OPERATOR_ARGS)
        key->args = tr_arg_text(&k->args, i);
    return (!(k->by & TR_OPERATOR_STACK) || stack_of(k, path, &key->stack)) &&
           (!(k->by & TR_OPERATOR_MODULE) || module_of(k, path, &key->module)) &&
           (!(k->by & TR_OPERATOR_THREAD) || thread_of(k, b->track[i], &key->thread));
}
