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
    k->frames[k->n_frames++] = (struct tr__frame){ outer, name };
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
    *stack = NONE;
    for (size_t d = 0; ok && d < path->depth; d++)
        if (path->open[d].name != TR_NO_STR && !is_step(k, &path->open[d]))
            ok = tr__operator_inner_frame(k, *stack, path->open[d].name, stack);
    return ok;
}

/* The names of a stack, outermost first, as a text or as a list. */
static bool write_stack(const struct tr__operator_keys *k, uint32_t stack, bool list, struct tr_buf *out)
{
    uint32_t *path = NULL;
    size_t n = 0, cap = 0;
    bool ok = true;
    out->len = 0;
    for (; ok && stack != NONE; stack = k->frames[stack].outer) {
        ok = tr_grow(&path, &cap, n + 1, sizeof *path);
        if (ok)
            path[n++] = k->frames[stack].name;
    }
    for (size_t d = n; ok && d-- > 0;) {
        struct tr_str name = tr_dict_text(k->dict, path[d]);
        ok = list ? tr_partial_list_add(out, name)
                  : tr_buf_add_str(out, d + 1 < n ? " > " : "") && tr_buf_add_text(out, name);
    }
    free(path);
    return ok;
}

bool tr__operator_stack(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out)
{
    return write_stack(k, stack, false, out);
}

bool tr__operator_stack_list(const struct tr__operator_keys *k, uint32_t stack, struct tr_buf *out)
{
    return write_stack(k, stack, true, out);
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

static bool module_of(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t *module)
{
    *module = NONE;
    for (size_t d = path->depth; d-- > 0 && *module == NONE;) {
        const struct tr_call *c = &path->open[d];
        if (c->activity != TR_ACT_PYTHON || c->name == TR_NO_STR)
            continue;
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
        *module = tr_strtab_len(k->texts, *of - 1) ? *of - 1 : NONE;
    }
    return true;
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
