/* SPDX-License-Identifier: MIT */
/* The backward pass of calls: which work computes the gradients of which call of the forward pass? */
#include "analysis/operators/tr_operators_int.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A call of the forward pass whose operator has a model of its backward pass. */
struct tr__forward {
    uint32_t row, outer; /* outer: such a call around it */
    uint32_t source;
    int64_t host, start; /* its duration and its start */
    uint64_t record;
    struct tr_cover work; /* of its backward pass, so far */
    uint64_t n;
};

void tr__backward_free(struct tr__backward *w)
{
    for (size_t i = 0; i < w->n; i++)
        tr_cover_free(&w->calls[i].work);
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
    static const char begin[] = "autograd::engine::evaluate_function:";
    struct tr_str text = tr_dict_text_if(a->work.dict, name);
    return text.s && text.len >= sizeof begin - 1 && memcmp(text.s, begin, sizeof begin - 1) == 0;
}

/* Numbers count in a thread: look for the latest call on the other threads of the source. */
static uint32_t forward_of(struct tr__backward *w, uint32_t source, uint32_t track, uint64_t number)
{
    uint32_t found = NONE, on = NONE;
    for (size_t i = 0; i < w->n_tracks; i++) {
        uint32_t f = w->tracks[i] == track ? NONE : tr_eventmap_get(&w->of, w->tracks[i], number);
        if (f == NONE || w->calls[f].source != source || (found != NONE && w->calls[f].start < w->calls[found].start))
            continue;
        found = f;
        on = w->tracks[i];
    }
    if (found != NONE)
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
    c->forward = c->parent != NONE ? a->calls[c->parent].forward : NONE;
    c->node = NONE;
    if (!w->wanted)
        return true;
    int64_t number = tr_arg_int(&w->number, i);
    if (number != TR_I64_NONE && number >= 0 && is_node(a, c->key.name)) {
        c->node = forward_of(w, c->source, c->track, (uint64_t)number);
        return true;
    }
    if (c->key.name != TR_NO_STR && a->owners.models.has_backward(a->owners.models.self, c->key.name)) {
        if (w->n >= NONE - 1 || !tr_grow(&w->calls, &w->cap, w->n + 1, sizeof *w->calls))
            return false;
        w->calls[w->n] = (struct tr__forward){ .row = c->row, .outer = c->forward, .source = c->source,
                                               .host = tr_time_diff(c->end, c->start), .start = c->start,
                                               .record = c->record };
        c->forward = (uint32_t)w->n++;
    }
    return c->forward == NONE || number == TR_I64_NONE || number < 0 ||
           (note_track(w, c->track) && tr_eventmap_put(&w->of, c->track, (uint64_t)number, c->forward));
}

bool tr__backward_done(struct tr_operators *a, const struct tr__operator_call *c, uint64_t n)
{
    for (uint32_t f = n ? c->node : NONE; f != NONE; f = a->backward.calls[f].outer) {
        struct tr__forward *to = &a->backward.calls[f];
        for (size_t k = 0; k < c->below.n; k++) {
            const struct tr_cover_piece *p = &c->below.room[c->below.first + k];
            if (!tr_cover_add(&to->work, p->start, p->end))
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
        struct tr_operator_key key = a->rows[f->row].key;
        key.backward = 1;
        uint32_t row = f->n ? tr__operators_row_of(a, &key) : NONE;
        const struct tr__owner_work w = { .row = row, .host = f->host, .start = f->start, .record = f->record };
        ok = !f->n ||
             (row != NONE && tr__owners_add(&a->owners, &w, tr_time_of_length(tr_cover_length(&f->work)), f->n));
    }
    return ok;
}
