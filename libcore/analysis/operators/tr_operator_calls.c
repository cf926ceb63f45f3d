/* SPDX-License-Identifier: MIT */
/* Calls of operators: their rows, their work, and when they are done. */
#include "analysis/operators/tr_operators_int.h"

#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "vendor/tr_models.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* ---- rows ---- */

uint32_t tr__operators_row_of(struct tr_operators *a, const struct tr_operator_key *key)
{
    const void *row = tr_rows_at(a->rows, key);
    return row ? (uint32_t)tr_rows_number(a->rows, row) : NO_ENTRY;
}

/* The row of a call in a group.  It is not the call's own row if the work belongs to another step. */
static struct tr_operator_row *row_in(struct tr_operators *a, const struct tr__operator_call *c, uint32_t group)
{
    struct tr_operator_key key = c->key;
    uint32_t row = c->row;
    key.group = group;
    if (group != c->key.group)
        row = tr__operators_row_of(a, &key);
    return row == NO_ENTRY ? NULL : tr__operators_row(a, row);
}

/* ---- calls ---- */

/* Other spans have the tag of the call around them.  So it is found in one step, however many spans are open. */
uint32_t tr__operators_call_around(const struct tr_callpath *path)
{
    return path->depth && path->open[path->depth - 1].tag ? (uint32_t)(path->open[path->depth - 1].tag - 1) : NO_ENTRY;
}

/* Count the time of a call, and subtract it from the self time of the call around it. */
static void count_call(struct tr_operators *a, const struct tr__operator_call *c)
{
    if (c->parent != NO_ENTRY) {
        struct tr__operator_call *around = &a->calls[c->parent];
        int64_t ns = tr_call_cover(&around->covered, around->end, c->start, c->end);
        struct tr_operator_row *row = tr__operators_row(a, around->row);
        if (around->counts)
            row->host_self = tr_time_sum(row->host_self, -ns);
    }
    if (!c->counts)
        return;
    struct tr_operator_row *row = tr__operators_row(a, c->row);
    int64_t length = tr_time_diff(c->end, c->start);
    row->calls++;
    row->host_self = tr_time_sum(row->host_self, length);
    row->host = c->inner ? row->host : tr_time_sum(row->host, length);
}

void tr__operators_count_captured(struct tr_operators *a, uint32_t call)
{
    count_call(a, &a->calls[call]);
}

/*
 * Is a call of the same row around a call?  If so, the outermost of them is noted for the row and the track.  No other
 * call replaces it while it is open.  It is open if its span is still at its place.
 */
static bool is_inner(struct tr_operators *a, uint32_t track, const struct tr_callpath *path, uint32_t number,
                     struct tr__operator_call *c)
{
    uint32_t other = tr_eventmap_get(&a->outermost, c->row, track);
    if (other != NO_ENTRY) {
        const struct tr__operator_call *o = &a->calls[other];
        c->inner = o->row == c->row && o->depth < path->depth && path->open[o->depth].tag == (uint64_t)other + 1;
    }
    return c->inner || tr_eventmap_put(&a->outermost, c->row, track, number);
}

/* A launch of an operation of XLA: more of them may come. */
static void start_launches(struct tr_operators *a, size_t i, const struct tr_callpath *path, uint64_t run,
                           struct tr__operator_call *c)
{
    uint32_t last = tr_eventmap_get(&a->launching, c->track, 0);
    const struct tr__operator_call *before = last == NO_ENTRY ? NULL : &a->calls[last];
    c->launch = true;
    c->around = path->depth ? path->open[path->depth - 1].record : UINT64_MAX;
    c->program = tr_arg_text(&a->keys.hlo_module, i);
    c->run = run;
    c->follows = before && before->live && before->launch && before->track == c->track && c->program != TR_NO_STR &&
                 before->program == c->program && before->key.name != tr_arg_text(&a->keys.hlo_op, i);
}

bool tr__operators_inside(struct tr_operators *a, uint32_t around, const struct tr_operator_key *key)
{
    const struct tr_dict *d = a->work.dict;
    const struct tr_operator_models *m = &a->owners.models;
    uint32_t asker = around == NO_ENTRY ? NO_ENTRY : a->calls[around].asker;
    if (asker == NO_ENTRY || !m->asked(m->self, key->name) ||
        !m->asks(m->self, tr_operator_model_name(&a->calls[asker].key), key->name))
        return true;
    uint32_t *inside = &a->calls[asker].inside;
    const struct tr_model_args args = { .op = tr_dict_text_if(d, key->name),
                                        .dims = tr_dict_text_if(d, key->dims),
                                        .types = tr_dict_text_if(d, key->types),
                                        .strides = tr_dict_text_if(d, key->strides),
                                        .concrete = tr_dict_text_if(d, key->args) };
    a->room.len = 0;
    if ((*inside != NO_ENTRY && !tr_buf_add_text(&a->room, tr_operators_text(a, *inside))) ||
        !tr_model_note_inside(&args, &a->room))
        return false;
    *inside = tr_strtab_add(a->keys.texts, (const char *)a->room.data, a->room.len);
    return *inside != TR_NO_STR;
}

bool tr__operators_begin(struct tr_operators *a, uint32_t number, struct tr__operator_call *c)
{
    const struct tr_operator_models *m = &a->owners.models;
    const struct tr__operator_call *around = c->parent == NO_ENTRY ? NULL : &a->calls[c->parent];
    uint32_t name = a->owned ? tr_operator_model_name(&c->key) : TR_NO_STR;
    c->asker = around ? around->asker : NO_ENTRY;
    c->parted = around ? around->parted : NO_ENTRY;
    if (name == TR_NO_STR)
        return true;
    if (!tr__operators_inside(a, c->parent, &c->key))
        return false;
    if (m->asks(m->self, name, TR_NO_STR))
        c->asker = number;
    if (m->nested || (c->parted == NO_ENTRY && !c->owner.covered))
        c->n_parts = m->parts(m->self, name);
    if (c->n_parts)
        c->parted = number;
    return true;
}

void tr__operators_free_parts(struct tr__operator_call *c)
{
    for (unsigned i = 0; c->parts && i < c->n_parts; i++)
        tr_union_length_free(&c->parts[i].work);
    free(c->parts);
    if (c->taken) {
        tr_union_length_free(&c->taken->own);
        tr_union_length_free(&c->taken->all);
    }
    free(c->taken);
    c->parts = NULL;
    c->taken = NULL;
}

/* A piece below a call goes to the part that is for its kernel: of the call, and of those around it. */
static bool give_parts(struct tr_operators *a, const struct tr__operator_piece *p, uint32_t call, bool *taken)
{
    const struct tr_operator_models *m = &a->owners.models;
    for (uint32_t next; call != NO_ENTRY; call = next) {
        struct tr__operator_call *c = &a->calls[call];
        next = c->parent == NO_ENTRY ? NO_ENTRY : a->calls[c->parent].parted;
        unsigned k = p->name == TR_NO_STR ? c->n_parts : m->part_of(m->self, tr_operator_model_name(&c->key), p->name);
        if (k == c->n_parts)
            continue;
        if (!c->parts && !(c->parts = calloc(c->n_parts, sizeof *c->parts)))
            return false;
        struct tr__operator_part *part = &c->parts[k];
        *taken = true;
        if (!part->n++)
            part->opening = (struct tr_operator_opening)TR_OPERATOR_OPENING_INIT;
        if (p->activity == TR_ACT_KERNEL)
            tr__opening_note(&part->opening, (struct tr_operator_opening){ p->at.start, p->name });
        if (!tr_union_length_add(&part->work, p->at.start, p->at.end))
            return false;
    }
    return true;
}

static int64_t left_of(int64_t ns, const struct tr_union_length *taken)
{
    int64_t other = tr_time_of_length(tr_union_length_ns(taken));
    return ns == TR_TIME_NONE || other == TR_TIME_NONE ? ns : ns - other;
}

/* Work that a call launched is taken.  False: out of memory, here and below. */
static bool take(struct tr__operator_call *c, const struct tr_group_by_item *at)
{
    if (!c->taken && !(c->taken = calloc(1, sizeof *c->taken)))
        return false;
    c->taken->n_own++;
    return tr_union_length_add(&c->taken->own, at->start, at->end);
}

/* A call is done: what was taken from it is taken from the call around it, too. */
static bool take_around(struct tr__operator_call *c, struct tr__operator_call *around)
{
    if (!around->taken && !(around->taken = calloc(1, sizeof *around->taken)))
        return false;
    around->taken->n_all += c->taken->n_all;
    return tr_union_length_join(&around->taken->all, &c->taken->all);
}

/* The parts of a call that is done are owned.  What no part took is left as work of the call: while a part and other
 * work of it run at once, the time is the part's. */
static bool own_parts(struct tr_operators *a, struct tr__operator_call *c, struct tr__owner_work *w)
{
    const struct tr_operator_models *m = &a->owners.models;
    w->own = left_of(w->own, &c->taken->own);
    w->n_own -= c->taken->n_own;
    c->taken->n_all += c->taken->n_own;
    if (!tr_union_length_join(&c->taken->all, &c->taken->own))
        return false;
    w->all = left_of(w->all, &c->taken->all);
    w->n_all -= c->taken->n_all;
    for (unsigned i = 0; c->parts && i < c->n_parts; i++) {
        struct tr__owner_work part = *w;
        const struct tr_str text = m->part(m->self, tr_operator_model_name(&c->key), i);
        part.key.part = tr_strtab_add(a->keys.texts, text.s, text.len);
        part.opening = c->parts[i].opening;
        if (part.key.part == TR_NO_STR ||
            (c->parts[i].n && !tr__owners_add(&a->owners, &part,
                                              tr_time_of_length(tr_union_length_ns(&c->parts[i].work)), c->parts[i].n)))
            return false;
    }
    return true;
}

/* Can a launch below no span be of the same run of its program as a call before it? */
static bool in_run(const struct tr__operator_call *c, uint64_t run)
{
    return c->run && run ? c->run == run : c->follows;
}

bool tr__operators_add_call(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                            bool counts, uint64_t run)
{
    struct tr_call *span = &path->open[path->depth];
    struct tr__operator_call c = { .open_until = span->end,
                                   .depth = path->depth,
                                   .track = b->track[i],
                                   .live = true,
                                   .names = TR_STACK_NONE,
                                   .opening = TR_OPERATOR_OPENING_INIT,
                                   .opening_below = TR_OPERATOR_OPENING_INIT,
                                   .asker = NO_ENTRY,
                                   .parted = NO_ENTRY,
                                   .inside = NO_ENTRY,
                                   .record = b->record[i],
                                   .pieces = TR__OPERATOR_LIST_INIT,
                                   .owner = TR__OWNER_CALL_INIT };
    uint32_t number = tr_freelist_take(&a->call_places, &a->calls, sizeof *a->calls);
    c.source = a->work.dict->tracks[b->track[i]].source;
    c.parent = tr__operators_call_around(path);
    c.counts = counts;
    c.start = tr_select_clip(a->work.select, c.source, span->start);
    c.end = span->dur == INT64_MAX ? c.start : tr_select_clip(a->work.select, c.source, span->end);
    c.covered = c.start;
    if (!tr__is_operator(b->activity[i]))
        start_launches(a, i, path, run, &c);
    if (number == NO_ENTRY)
        return false;
    a->calls[number] = c;
    if (!tr__operator_key(&a->keys, b, i, path, &c.key))
        return false;
    if (a->owned)
        c.key.model = tr__operator_model(&a->keys, b, i);
    uint32_t model = tr_operator_model_name(&c.key);
    if (a->owned && model != TR_NO_STR && a->owners.models.needs_step(a->owners.models.self, model))
        c.key.step = tr__operator_step(&a->keys, path);
    if (!tr_group_by_group(&a->work, i, &c.key.group) || (c.row = tr__operators_row_of(a, &c.key)) == NO_ENTRY ||
        !is_inner(a, b->track[i], path, number, &c))
        return false;
    if (a->owned)
        c.owner.model = model != TR_NO_STR && a->owners.models.has(a->owners.models.self, model);
    if (c.parent != NO_ENTRY) {
        a->calls[c.parent].pending++;
        c.owner.covered = a->calls[c.parent].owner.model || a->calls[c.parent].owner.covered;
    }
    if (!tr__backward_call(a, i, &c) || !tr__operators_begin(a, number, &c))
        return false;
    a->calls[number] = c;
    count_call(a, &a->calls[number]);
    span->tag = (uint64_t)number + 1;
    return !c.launch || tr_eventmap_put(&a->launching, b->track[i], 0, number);
}

uint32_t tr__operators_continued(struct tr_operators *a, const struct tr_batch *b, size_t i,
                                 const struct tr_callpath *path, bool counts, uint64_t run)
{
    uint32_t number = tr_eventmap_get(&a->launching, b->track[i], 0);
    uint64_t around = path->depth ? path->open[path->depth - 1].record : UINT64_MAX;
    struct tr__operator_call *c = number == NO_ENTRY ? NULL : &a->calls[number];
    const struct tr_call *span = &path->open[path->depth];
    if (!c || !c->live || !c->launch || c->track != b->track[i] || c->counts != counts ||
        c->around != around || (!path->depth && !in_run(c, run)) || c->key.name != tr_arg_text(&a->keys.hlo_op, i) ||
        c->program != tr_arg_text(&a->keys.hlo_module, i))
        return NO_ENTRY;
    int64_t start = tr_select_clip(a->work.select, c->source, span->start);
    int64_t ns = span->dur == INT64_MAX ? 0 : tr_time_diff(tr_select_clip(a->work.select, c->source, span->end), start);
    if (counts) {
        struct tr_operator_row *row = tr__operators_row(a, c->row);
        row->host_self = tr_time_sum(row->host_self, ns);
        row->host = c->inner ? row->host : tr_time_sum(row->host, ns);
        c->more = tr_time_sum(c->more, ns);
    }
    return number;
}

/* ---- their work ---- */

bool tr__operators_own(struct tr_operators *a, struct tr_operator_key key, uint32_t row,
                       const struct tr__operator_piece *p, int64_t position)
{
    bool kernels = a->keys.by & TR_OPERATOR_KERNEL, named = p->module && key.module != p->module - 1;
    bool other = kernels || named || key.group != p->at.group;
    int64_t ns = tr_time_diff(p->at.end, p->at.start);
    key.group = p->at.group;
    if (named)
        key.module = p->module - 1;
    if (kernels) {
        key.kernel = p->name;
        key.stream = p->stream;
        key.position = position;
    }
    struct tr_operator_row *r = other ? tr_rows_at(a->rows, &key) : tr__operators_row(a, row);
    if (!r)
        return false;
    r->kernels++;
    r->device_self = tr_time_sum(r->device_self, ns);
    if (named) {
        r->kernels_below++;
        r->device = tr_time_sum(r->device, ns);
    }
    return !kernels || a->keys.by & TR_OPERATOR_SUMS || ns == TR_TIME_NONE || tr_sample_add(&r->own, ns);
}

/* Work of one group below a call counts with the row of the call, unless a call around it has the same row. */
static bool count_below(struct tr_operators *a, const struct tr__operator_call *c, const struct tr__operator_sum *below)
{
    struct tr_operator_row *row = row_in(a, c, below->group);
    if (row && !c->inner) {
        row->kernels_below += below->n;
        row->device = tr_time_sum(row->device, below->ns);
    }
    return row != NULL;
}

/*
 * Count the waiting work below a call; then it waits at the call around it.  If work of another group waits there, that
 * work is counted next and goes on: nearly all work below a call is of one group.
 */
static bool pass_on(struct tr_operators *a, uint32_t call)
{
    struct tr__operator_sum moved = a->calls[call].waiting;
    a->calls[call].waiting = (struct tr__operator_sum){ 0 };
    while (moved.n && call != NO_ENTRY) {
        if (!count_below(a, &a->calls[call], &moved))
            return false;
        call = a->calls[call].parent;
        if (call == NO_ENTRY)
            return true;
        struct tr__operator_sum *w = &a->calls[call].waiting, other = *w;
        if (!w->n || w->group == moved.group) {
            *w = (struct tr__operator_sum){ moved.group, w->n + moved.n, tr_time_sum(w->ns, moved.ns) };
            return true;
        }
        *w = moved;
        moved = other;
    }
    return true;
}

bool tr__operators_give(struct tr_operators *a, const struct tr__operator_piece *p, uint32_t call)
{
    struct tr__operator_call *c = &a->calls[call];
    const struct tr_group_by_item *w = &p->at;
    int64_t ns = tr_time_diff(w->end, w->start);
    if ((c->waiting.n && c->waiting.group != w->group && !pass_on(a, call)) ||
        !tr_union_length_add(&c->own, w->start, w->end))
        return false;
    c->waiting = (struct tr__operator_sum){ w->group, c->waiting.n + 1, tr_time_sum(c->waiting.ns, ns) };
    c->n_own++;
    if (p->activity == TR_ACT_KERNEL)
        tr__opening_note(&c->opening, (struct tr_operator_opening){ w->start, p->name });
    bool taken = false;
    if (c->parted != NO_ENTRY && !give_parts(a, p, c->parted, &taken))
        return false;
    if (taken && !take(c, w))
        return false;
    if (a->keys.by & TR_OPERATOR_POSITION) {
        uint32_t item = tr__operators_item(a, p);
        tr__operators_append(a, &c->pieces, (struct tr__operator_list){ item, item });
        return item != NO_ENTRY;
    }
    return tr__operators_own(a, c->key, c->row, p, TR_I64_NONE) &&
           (!(a->keys.by & TR_OPERATOR_LAUNCHED) || p->name == TR_NO_STR ||
            tr_stacks_inner(&a->works, c->names, p->name, &c->names));
}

/* ---- calls that are done ---- */

TR_ORDER(by_coming, struct tr__operator_place, TR_UP(n))

/* All pieces of a call have come: they get their places.  Work that started before its launch came late. */
static bool place_pieces(struct tr_operators *a, struct tr__operator_call *c)
{
    size_t n = 0;
    if (!tr_grow(&a->places, &a->cap_places, (size_t)c->n_own, sizeof *a->places))
        return false;
    for (uint32_t i = c->pieces.first; i != NO_ENTRY; i = a->items[i].next)
        a->places[n++] = (struct tr__operator_place){ a->items[i].piece.n, i };
    qsort(a->places, n, sizeof *a->places, by_coming);
    bool ok = true;
    for (size_t k = 0; k < n; k++) {
        ok = ok && tr__operators_own(a, c->key, c->row, &a->items[a->places[k].item].piece, (int64_t)k + 1);
        tr_freelist_give(&a->item_places, a->places[k].item);
    }
    return ok;
}

/* A call launched work itself. */
static bool add_launched(struct tr_operator_row *r, const struct tr__owner_work *w)
{
    if (r->start == TR_I64_NONE || w->start < r->start || (w->start == r->start && w->record < r->record)) {
        r->start = w->start;
        r->record = w->record;
        r->names = w->names;
    }
    return (w->own == TR_TIME_NONE || tr_sample_add(&r->own, w->own)) &&
           (w->all == TR_TIME_NONE || tr_sample_add(&r->all, w->all));
}

/* A call whose work has all come: the union of its work is known, and passes on to the call around it. */
bool tr__operators_finish_call(struct tr_operators *a, uint32_t number)
{
    struct tr__operator_call *c = &a->calls[number];
    if (!pass_on(a, number) || (c->pieces.first != NO_ENTRY && !place_pieces(a, c)))
        return false;
    struct tr_operator_row *row = tr__operators_row(a, c->row);
    struct tr__operator_call *around = c->parent != NO_ENTRY ? &a->calls[c->parent] : NULL;
    struct tr__owner_work w = { .key = c->key,
                                .n_own = c->n_own,
                                .n_all = c->n_own + c->n_below,
                                .host = tr_time_sum(tr_time_diff(c->end, c->start), c->more),
                                .start = c->start,
                                .record = c->record,
                                .names = c->names,
                                .opening = c->opening };
    tr__opening_note(&row->opening, c->opening);
    tr__opening_note(&w.opening, c->opening_below);
    w.own = tr_time_of_length(tr_union_length_ns(&c->own));
    row->device_self_busy = tr_time_sum(row->device_self_busy, w.own);
    if (!tr_union_length_join(&c->below, &c->own))
        return false;
    w.all = tr_time_of_length(tr_union_length_ns(&c->below));
    if (!tr__backward_done(a, c, w.n_all))
        return false;
    if (!c->inner)
        row->device_busy = tr_time_sum(row->device_busy, w.all);
    if (a->keys.by & TR_OPERATOR_LAUNCHED && w.n_own && c->counts && !add_launched(row, &w))
        return false;
    uint64_t n_all = w.n_all;
    w.key.inside = c->inside;
    if (a->owned && ((c->taken && !own_parts(a, c, &w)) ||
                     !tr__owners_done(&a->owners, &c->owner, around ? &around->owner : NULL, &w)))
        return false;
    if (around) {
        if (!tr_union_length_join(&around->below, &c->below))
            return false;
        around->n_below += n_all;
        if (c->taken && !take_around(c, around))
            return false;
        around->pending--;
        tr__opening_note(&around->opening_below, w.opening);
    }
    tr_union_length_free(&c->own);
    tr_union_length_free(&c->below);
    tr__operators_free_parts(c);
    if (tr_eventmap_get(&a->outermost, c->row, c->track) == number)
        tr_eventmap_remove(&a->outermost, c->row, c->track);
    c->live = false;
    tr_freelist_give(&a->call_places, number);
    return true;
}

static bool done(const struct tr_operators *a, uint32_t number, bool all)
{
    const struct tr__operator_call *c = &a->calls[number];
    bool may_go_on = c->launch && tr_eventmap_get(&a->launching, c->track, 0) == number;
    return c->live && !c->pending && (all || (c->open_until < a->come_to[c->source] && !may_go_on));
}

bool tr__operators_finish_calls(struct tr_operators *a, bool all)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->call_places.n; i++)
        for (uint32_t c = i; ok && c != NO_ENTRY && done(a, c, all);) {
            uint32_t parent = a->calls[c].parent;
            ok = tr__operators_finish_call(a, c);
            c = parent;
        }
    size_t left = tr_freelist_used(&a->call_places);
    a->sweep_at = left < 512 ? 1024 : left * 2;
    return ok;
}

/* A call of the forward pass whose operator has a model of its backward pass. */
struct tr__forward {
    struct tr_operator_key key;
    uint32_t outer; /* such a call around it */
    uint32_t source;
    int64_t host, start; /* its duration and its start */
    uint64_t record;
    struct tr_union_length work; /* of its backward pass, so far */
    uint64_t n;
};

void tr__backward_free(struct tr__backward *w)
{
    for (size_t i = 0; i < w->n; i++)
        tr_union_length_free(&w->calls[i].work);
    free(w->calls);
    free(w->tracks);
    tr_eventmap_free(&w->of);
    tr_arg_free(&w->number);
}

bool tr__backward_batch(struct tr_operators *a, const struct tr_batch *b)
{
    return !a->backward.wanted || tr_arg_read(&a->backward.number, b, TR_PLACE_ARGS, "Sequence number");
}

/* The autograd engine names the calls that compute gradients: their number is that of a call of the forward pass. */
static bool is_node(const struct tr_operators *a, uint32_t name)
{
    static const char prefix[] = "autograd::engine::evaluate_function:";
    struct tr_str text = tr_dict_text_if(a->work.dict, name);
    return text.s && text.len >= sizeof prefix - 1 && memcmp(text.s, prefix, sizeof prefix - 1) == 0;
}

/* Numbers count in a thread: look for the latest call on the other threads of the source. */
static uint32_t forward_of(struct tr__backward *w, uint32_t source, uint32_t track, uint64_t number)
{
    uint32_t found = NO_ENTRY, on = NO_ENTRY;
    for (size_t i = 0; i < w->n_tracks; i++) {
        uint32_t f = w->tracks[i] == track ? NO_ENTRY : tr_eventmap_get(&w->of, w->tracks[i], number);
        if (f == NO_ENTRY || w->calls[f].source != source ||
            (found != NO_ENTRY && w->calls[f].start < w->calls[found].start))
            continue;
        found = f;
        on = w->tracks[i];
    }
    if (found != NO_ENTRY)
        tr_eventmap_remove(&w->of, on, number);
    return found;
}

static bool note_track(struct tr__backward *w, uint32_t track)
{
    for (size_t i = 0; i < w->n_tracks; i++)
        if (w->tracks[i] == track)
            return true;
    if (!tr_grow(&w->tracks, &w->cap_tracks, w->n_tracks + 1, sizeof *w->tracks))
        return false;
    w->tracks[w->n_tracks++] = track;
    return true;
}

bool tr__backward_call(struct tr_operators *a, size_t i, struct tr__operator_call *c)
{
    struct tr__backward *w = &a->backward;
    c->forward = c->parent != NO_ENTRY ? a->calls[c->parent].forward : NO_ENTRY;
    c->node = NO_ENTRY;
    if (!w->wanted)
        return true;
    int64_t number = tr_arg_int(&w->number, i);
    if (number != TR_I64_NONE && number >= 0 && is_node(a, c->key.name)) {
        c->node = forward_of(w, c->source, c->track, (uint64_t)number);
        return true;
    }
    if (c->key.name != TR_NO_STR && a->owners.models.has_backward(a->owners.models.self, c->key.name)) {
        if (w->n >= NO_ENTRY - 1 || !tr_grow(&w->calls, &w->cap, w->n + 1, sizeof *w->calls))
            return false;
        w->calls[w->n] = (struct tr__forward){ .key = c->key, .outer = c->forward, .source = c->source,
                                               .host = tr_time_diff(c->end, c->start), .start = c->start,
                                               .record = c->record };
        c->forward = (uint32_t)w->n++;
    }
    return c->forward == NO_ENTRY || number == TR_I64_NONE || number < 0 ||
           (note_track(w, c->track) && tr_eventmap_put(&w->of, c->track, (uint64_t)number, c->forward));
}

bool tr__backward_done(struct tr_operators *a, const struct tr__operator_call *c, uint64_t n)
{
    for (uint32_t f = n ? c->node : NO_ENTRY; f != NO_ENTRY; f = a->backward.calls[f].outer) {
        struct tr__forward *to = &a->backward.calls[f];
        for (size_t k = 0; k < c->below.n; k++) {
            const struct tr_union_length_piece *p = &c->below.room[c->below.first + k];
            if (!tr_union_length_add(&to->work, p->start, p->end))
                return false;
        }
        to->n += n;
    }
    return true;
}

bool tr__backward_finish(struct tr_operators *a)
{
    bool ok = true;
    for (size_t i = 0; ok && i < a->backward.n; i++) {
        const struct tr__forward *f = &a->backward.calls[i];
        struct tr__owner_work w = { .key = f->key, .host = f->host, .start = f->start,
                                    .record = f->record, .opening = TR_OPERATOR_OPENING_INIT };
        w.key.backward = 1;
        ok = !f->n || tr__owners_add(&a->owners, &w, tr_time_of_length(tr_union_length_ns(&f->work)), f->n);
    }
    return ok;
}

uint32_t tr__operators_item(struct tr_operators *a, const struct tr__operator_piece *p)
{
    uint32_t i = tr_freelist_take(&a->item_places, &a->items, sizeof *a->items);
    if (i != NO_ENTRY)
        a->items[i] = (struct tr__operator_item){ *p, NO_ENTRY };
    return i;
}

void tr__operators_append(struct tr_operators *a, struct tr__operator_list *to, struct tr__operator_list from)
{
    if (from.first == NO_ENTRY)
        return;
    if (to->first == NO_ENTRY)
        to->first = from.first;
    else
        a->items[to->last].next = from.first;
    to->last = from.last;
}

/* Work that no operator launched.  False: out of memory, here and below. */
bool tr__operators_give_nobody(struct tr_operators *a, const struct tr__operator_piece *p)
{
    struct tr_operator_key key = TR_OPERATOR_KEY_INIT;
    int64_t ns = tr_time_diff(p->at.end, p->at.start);
    key.group = p->at.group;
    if (p->module)
        key.module = p->module - 1;
    uint32_t number = tr__operators_row_of(a, &key);
    if (number == NO_ENTRY || !tr__operators_own(a, key, number, p, TR_I64_NONE))
        return false;
    struct tr_operator_row *row = tr__operators_row(a, number);
    row->kernels_below++;
    row->device = tr_time_sum(row->device, ns);
    unsigned keys = a->owned ? a->owners.models.nobody : 0;
    if (keys & TR_NOBODY_API)
        key.api = p->api;
    if (keys & TR_NOBODY_KERNEL)
        key.kernel = p->name;
    if (keys & TR_NOBODY_NODE)
        key.position = p->node;
    return !a->owned || tr__owners_nobody(&a->owners, &key, ns, 1);
}
