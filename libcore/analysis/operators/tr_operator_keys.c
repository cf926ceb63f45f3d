/* SPDX-License-Identifier: MIT */
/* Keys of rows of operators: shapes, stacks, modules, threads. */
#include "analysis/operators/tr_operator_keys_int.h"

#include "base/tr_mem.h"
#include "service/tr_enclosing_spans.h"
#include "vendor/tr_roles.h"
#include "vendor/tr_step_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_TEXT UINT32_MAX

bool tr__operator_keys_init(struct tr__operator_keys *k, unsigned by, const struct tr_dict *dict,
                            const struct tr_summary *summary)
{
    k->by = by;
    k->dict = dict;
    k->texts = tr_strtab_new_in(tr_strtab_spill(dict->strings));
    k->roles.in.spill = tr_strtab_spill(dict->strings); /* where the names are */
    k->steps = by & TR_OPERATOR_PHASE && summary ? tr_steps_new(summary) : NULL;
    return k->texts && (k->steps || !(by & TR_OPERATOR_PHASE) || !summary);
}

#define MODULES (TR_OPERATOR_MODULE | TR_OPERATOR_TREE)

void tr__operator_keys_free(struct tr__operator_keys *k)
{
    tr_strtab_free(k->texts);
    free(k->thread_of);
    free(k->module_of);
    tr_number_map_free(&k->roles);
    tr_stacks_free(&k->stacks);
    tr_buf_free(&k->room);
    tr_steps_free(k->steps);
    tr_arg_free(&k->dims);
    tr_arg_free(&k->types);
    tr_arg_free(&k->strides);
    tr_arg_free(&k->args);
    tr_arg_free(&k->hlo_op);
    tr_arg_free(&k->hlo_module);
    tr_arg_free(&k->hlo_operation);
    tr_arg_free(&k->program);
    tr_arg_free(&k->fqn);
}

bool tr__operator_keys_batch(struct tr__operator_keys *k, const struct tr_batch *b)
{
    if (!tr_arg_read(&k->hlo_op, b, TR_PLACE_ARGS, "hlo_op") ||
        !tr_arg_read(&k->hlo_module, b, TR_PLACE_ARGS, "hlo_module") ||
        !tr_arg_read(&k->program, b, TR_PLACE_ARGS, "module_name"))
        return false;
    if (k->by & TR_OPERATOR_ARGS && !(tr_arg_read(&k->args, b, TR_PLACE_ARGS, "Concrete Inputs") &&
                                      tr_arg_read(&k->hlo_operation, b, TR_PLACE_ARGS, "hlo_operation")))
        return false;
    if (k->by & MODULES && !tr_arg_read(&k->fqn, b, TR_PLACE_ARGS, "module_fqn"))
        return false;
    return !(k->by & TR_OPERATOR_SHAPE) ||
           (tr_arg_read(&k->dims, b, TR_PLACE_ARGS, "Input Dims") &&
            tr_arg_read(&k->types, b, TR_PLACE_ARGS, "Input type") &&
            tr_arg_read(&k->strides, b, TR_PLACE_ARGS, "Input Strides"));
}

/* The roles of a name, found once.  False: out of memory. */
static bool roles_of(struct tr__operator_keys *k, uint32_t name, uint32_t *roles)
{
    *roles = name == TR_NO_STR ? 0 : tr_number_of(&k->roles, name);
    if (*roles != TR_NUMBER_UNKNOWN)
        return true;
    struct tr_str text = tr_dict_text(k->dict, name);
    *roles = tr_roles_of(k->dict->names, text.s, text.len);
    return tr_number_map_set(&k->roles, name, *roles);
}

/* ---- stacks ---- */

/* All spans around a call except steps, which would give every call its own row. */
static bool is_in_stack(const void *self, const struct tr_call *c)
{
    const struct tr__operator_keys *k = self;
    struct tr_str name = tr_dict_text_if(k->dict, c->name);
    return name.s && !(c->activity == TR_ACT_ANNOTATION &&
                       (tr_roles_of(k->dict->names, name.s, name.len) & TR_NAMED_STEP));
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

/* The module of a span; unchanged if the span is not a module. */
static bool take_module(struct tr__operator_keys *k, const struct tr_call *c, uint32_t *module)
{
    if (c->activity != TR_ACT_PYTHON || c->name == TR_NO_STR)
        return true;
    if (!known(&k->module_of, &k->n_module, &k->cap_module, c->name))
        return false;
    uint32_t *of = &k->module_of[c->name];
    if (!*of) {
        struct tr_str text = tr_module_name(tr_dict_text(k->dict, c->name));
        uint32_t id = tr_strtab_add(k->texts, text.s ? text.s : "", text.len);
        if (id == TR_NO_STR)
            return false;
        *of = id + 1;
    }
    if (tr_strtab_len(k->texts, *of - 1))
        *module = *of - 1;
    return true;
}

/*
 * Notes of spans: their stack; their module + 2, or 1 for none; the name of their step + 2, or 1 for none; 2 if they
 * are inside a recomputation, else 1; their phase + 1.
 */
enum { STACK, MODULE, STEP, RECOMPUTE, PHASE };

/* The length of the word at a place of a name, up to the next point, and whether it is a number. */
static size_t word_at(struct tr_str name, size_t from, bool *number)
{
    size_t i = from;
    for (*number = true; i < name.len && name.s[i] != '.'; i++)
        *number = *number && name.s[i] >= '0' && name.s[i] <= '9';
    *number = *number && i > from;
    return i - from;
}

/* Is it the name of a module in a model, as "layers.0.attention": words with points between, one of them a number? */
static bool has_layer(struct tr_str name)
{
    static const char others[] = "_.";
    bool numbered = false, word = false, is;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.s[i];
        if (!memchr(others, c, 2) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'))
            return false;
    }
    for (size_t from = 0, n; from <= name.len; from += n + 1) {
        if (!(n = word_at(name, from, &is)))
            return false;
        numbered |= is && from;
        word |= !is;
    }
    return numbered && word;
}

/* The path that a name with points is: a number belongs to the word before it. */
static bool add_modules(struct tr_str name, struct tr_buf *room)
{
    static const char in = TR__MODULE_IN;
    bool ok = true, number;
    for (size_t from = 0, n; ok && from < name.len; from += n + 1) {
        n = word_at(name, from, &number);
        ok = (!from || tr_buf_add(room, number ? "." : &in, 1)) && tr_buf_add(room, name.s + from, n);
    }
    return ok;
}

/* The same name with * for each number. */
static bool add_kind(struct tr_str name, struct tr_buf *room)
{
    bool ok = true, number;
    for (size_t from = 0, n; ok && from < name.len; from += n + 1) {
        n = word_at(name, from, &number);
        ok = (!from || tr_buf_add(room, ".", 1)) &&
             (number ? tr_buf_add(room, "*", 1) : tr_buf_add(room, name.s + from, n));
    }
    return ok;
}

bool tr__operator_named_module(struct tr__operator_keys *k, size_t i, uint32_t *module)
{
    struct tr_str name = k->by & MODULES ? tr_dict_text_if(k->dict, tr_arg_text(&k->fqn, i)) : tr_str_of(NULL);
    *module = 0;
    if (!name.len)
        return true;
    k->room.len = 0;
    uint32_t text = (k->by & TR_OPERATOR_TREE ? add_modules(name, &k->room) : add_kind(name, &k->room))
                        ? tr_strtab_add(k->texts, (const char *)k->room.data, k->room.len)
                        : TR_NO_STR;
    k->python = true; /* it stands for a frame */
    *module = text == TR_NO_STR ? 0 : text + 1;
    return text != TR_NO_STR;
}

bool tr__module_path(struct tr_str name, unsigned activity, struct tr_str before, struct tr_buf *room)
{
    static const char in = TR__MODULE_IN;
    struct tr_str module = activity == TR_ACT_PYTHON ? tr_module_name(name) : tr_str_of(NULL);
    bool layer = activity == TR_ACT_ANNOTATION && name.s && has_layer(name);
    room->len = 0;
    if (module.s) /* with its number */
        return tr_buf_add(room, before.s, before.len) && (!before.len || tr_buf_add(room, &in, 1)) &&
               tr_buf_add(room, module.s, (size_t)(name.s + name.len - module.s));
    if (!layer)
        return tr_buf_add(room, before.s, before.len);
    return add_modules(name, room); /* such a name says all modules around it */
}

/* The path of a span inside one with the path *module; unchanged if it is not a module. */
static bool take_path(struct tr__operator_keys *k, const struct tr_call *c, uint32_t *module)
{
    if ((c->activity != TR_ACT_PYTHON && c->activity != TR_ACT_ANNOTATION) || c->name == TR_NO_STR)
        return true;
    struct tr_str before = *module == NO_TEXT ? (struct tr_str){ "", 0 }
                                              : (struct tr_str){ tr_strtab_get(k->texts, *module),
                                                                 tr_strtab_len(k->texts, *module) };
    if (!tr__module_path(tr_dict_text(k->dict, c->name), c->activity, before, &k->room))
        return false;
    if (k->room.len == before.len && memcmp(k->room.data ? (const char *)k->room.data : "", before.s, before.len) == 0)
        return true;
    *module = tr_strtab_add(k->texts, (const char *)k->room.data, k->room.len);
    k->python |= c->activity == TR_ACT_ANNOTATION; /* it stands for a frame */
    return *module != TR_NO_STR;
}

/* The innermost module around a call, or the path of all. */
static bool module_of(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t *module)
{
    size_t d = path->depth;
    bool ok = true;
    while (d && !path->open[d - 1].notes[MODULE])
        d--;
    *module = d ? path->open[d - 1].notes[MODULE] - 2u : NO_TEXT;
    for (; ok && d < path->depth; d++) {
        ok = k->by & TR_OPERATOR_TREE ? take_path(k, &path->open[d], module) : take_module(k, &path->open[d], module);
        path->open[d].notes[MODULE] = *module + 2u;
    }
    return ok;
}

/* Does an annotation say more about its step than the one before it, or is it the first that says anything? */
static bool has_more_sums(const struct tr__operator_keys *k, uint32_t name, uint32_t before)
{
    struct tr_step_sums sums, known;
    return tr_step_sums_read(tr_dict_text_if(k->dict, name), &sums) &&
           (sums.all || !tr_step_sums_read(tr_dict_text_if(k->dict, before), &known) || !known.all);
}

/* The innermost annotation with all data of its step, else the innermost one with some. */
uint32_t tr__operator_step(const struct tr__operator_keys *k, const struct tr_callpath *path)
{
    size_t d = path->depth;
    while (d && !path->open[d - 1].notes[STEP])
        d--;
    uint32_t step = d ? path->open[d - 1].notes[STEP] - 2u : NO_TEXT;
    for (; d < path->depth; d++) {
        const struct tr_call *c = &path->open[d];
        if (c->activity == TR_ACT_ANNOTATION && c->name != TR_NO_STR && has_more_sums(k, c->name, step))
            step = c->name;
        path->open[d].notes[STEP] = step + 2u;
    }
    return step;
}

/* The name of a thread, or its number if it has no name. */
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

/* Is a call inside the function that PyTorch's checkpoints call for a second time? */
static bool recompute_of(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t *text)
{
    static const char *const words[] = { "no", "yes" };
    size_t d = path->depth;
    while (d && !path->open[d - 1].notes[RECOMPUTE])
        d--;
    bool yes = d && path->open[d - 1].notes[RECOMPUTE] == 2;
    for (; d < path->depth; d++) {
        const struct tr_call *c = &path->open[d];
        uint32_t roles = 0;
        if (c->activity == TR_ACT_PYTHON && !roles_of(k, c->name, &roles))
            return false;
        yes |= (roles & TR_NAMED_RECOMPUTE) != 0;
        path->open[d].notes[RECOMPUTE] = yes ? 2 : 1;
    }
    uint32_t *of = &k->recompute[yes];
    if (!*of && (*text = tr_strtab_add(k->texts, words[yes], strlen(words[yes]))) != TR_NO_STR)
        *of = *text + 1;
    *text = *of - 1;
    return *of != 0;
}

/* ---- phases ---- */

/* The phase that the name of a span says; 0: none.  False: out of memory, here and below. */
static bool phase_by_name(struct tr__operator_keys *k, uint32_t name, uint32_t *phase)
{
    uint32_t roles;
    if (!roles_of(k, name, &roles))
        return false;
    *phase = roles & TR_NAMED_OPTIMIZER                           ? TR_PHASE_OPTIMIZER
             : roles & (TR_NAMED_BACKWARD | TR_NAMED_AUTOGRAD_OP) ? TR_PHASE_BACKWARD
                                                                  : 0;
    return true;
}

/* What the outermost span around a call, or the call itself, says: what runs in a backward pass is part of it. */
static bool phase_around(struct tr__operator_keys *k, const struct tr_callpath *path, uint32_t own_name,
                         uint32_t *phase)
{
    size_t d = path->depth;
    while (d && !path->open[d - 1].notes[PHASE])
        d--;
    *phase = d ? path->open[d - 1].notes[PHASE] - 1 : 0;
    for (; d < path->depth; d++) {
        if (!*phase && !phase_by_name(k, path->open[d].name, phase))
            return false;
        path->open[d].notes[PHASE] = *phase + 1;
    }
    return *phase || phase_by_name(k, own_name, phase);
}

static bool phase_of(struct tr__operator_keys *k, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                     uint32_t *phase)
{
    const struct tr_step_moment at = { b->ts[i], k->dict->tracks[b->track[i]].source, b->track[i] };
    *phase = k->steps ? tr_steps_phase(k->steps, k->dict, at) : 0;
    if (!*phase && !phase_around(k, path, b->name[i], phase))
        return false;
    if (!*phase && k->steps && tr_steps_place(k->steps, k->dict, at) != SIZE_MAX)
        *phase = TR_PHASE_FORWARD;
    return true;
}

/* The program of an operation of XLA. */
static bool program_of(struct tr__operator_keys *k, size_t i, uint32_t *module)
{
    struct tr_str name = tr_dict_text_if(k->dict, tr_arg_text(&k->hlo_module, i));
    k->programs |= name.s != NULL;
    *module = name.s ? tr_strtab_add(k->texts, name.s, name.len) : NO_TEXT;
    return !name.s || *module != TR_NO_STR;
}

uint32_t tr__operator_model(const struct tr__operator_keys *k, const struct tr_batch *b, size_t i)
{
    bool own = tr__is_operator(b->activity[i]) && tr_arg_text(&k->hlo_op, i) == TR_NO_STR;
    return own ? TR_NO_STR : tr_arg_text(&k->hlo_operation, i);
}

bool tr__operator_key(struct tr__operator_keys *k, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                      struct tr_operator_key *key)
{
    bool xla = !tr__is_operator(b->activity[i]);
    *key = (struct tr_operator_key)TR_OPERATOR_KEY_INIT;
    key->name = xla ? tr_arg_text(&k->hlo_op, i) : b->name[i];
    if (k->by & TR_OPERATOR_SHAPE) {
        key->dims = tr_arg_text(&k->dims, i);
        key->types = tr_arg_text(&k->types, i);
        key->strides = tr_arg_text(&k->strides, i);
        k->shapes |= key->dims != TR_NO_STR;
    }
    if (k->by & TR_OPERATOR_ARGS)
        key->args = tr_arg_text(&k->args, i);
    if (k->by & TR_OPERATOR_PHASE && !phase_of(k, b, i, path, &key->phase))
        return false;
    return (!(k->by & TR_OPERATOR_STACK) || tr_stacks_path(&k->stacks, path, STACK, is_in_stack, k, &key->stack)) &&
           (!(k->by & (TR_OPERATOR_MODULE | TR_OPERATOR_TREE)) ||
            (xla ? program_of(k, i, &key->module) : module_of(k, path, &key->module))) &&
           (!(k->by & TR_OPERATOR_THREAD) || thread_of(k, b->track[i], &key->thread)) &&
           (!(k->by & TR_OPERATOR_RECOMPUTE) || recompute_of(k, path, &key->recompute));
}

/* ---- calls that were captured ---- */

bool tr__operator_key_around(struct tr__operator_keys *k, const struct tr_batch *b, size_t i,
                             const struct tr_callpath *path, struct tr_operator_key *key)
{
    *key = (struct tr_operator_key)TR_OPERATOR_KEY_INIT;
    if (k->by & TR_OPERATOR_PHASE && !phase_of(k, b, i, path, &key->phase))
        return false;
    return (!(k->by & TR_OPERATOR_STACK) || (tr_stacks_path(&k->stacks, path, STACK, is_in_stack, k, &key->stack) &&
                                             tr_stacks_inner(&k->stacks, key->stack, b->name[i], &key->stack))) &&
           (!(k->by & (TR_OPERATOR_MODULE | TR_OPERATOR_TREE)) || module_of(k, path, &key->module)) &&
           (!(k->by & TR_OPERATOR_THREAD) || thread_of(k, b->track[i], &key->thread)) &&
           (!(k->by & TR_OPERATOR_RECOMPUTE) || recompute_of(k, path, &key->recompute));
}

bool tr__operator_key_inside(struct tr__operator_keys *k, uint32_t name, unsigned activity,
                             struct tr_operator_key *key)
{
    const struct tr_call call = { .name = name, .activity = (uint8_t)activity };
    k->python |= activity == TR_ACT_PYTHON;
    return (!(k->by & TR_OPERATOR_STACK) || !is_in_stack(k, &call) ||
            tr_stacks_inner(&k->stacks, key->stack, name, &key->stack)) &&
           (!(k->by & TR_OPERATOR_MODULE) || take_module(k, &call, &key->module)) &&
           (!(k->by & TR_OPERATOR_TREE) || take_path(k, &call, &key->module));
}
