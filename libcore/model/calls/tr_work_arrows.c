/* SPDX-License-Identifier: MIT */
/* Arrows from operators to the work that they asked for. */
#include "model/calls/tr_work_arrows.h"

#include "base/tr_mem.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

void tr_work_arrows_free(struct tr_work_arrows *w)
{
    tr_arg_free(&w->id);
    tr_eventmap_free(&w->operators);
    free(w->starts);
    free(w->ends);
}

static bool is_flow(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i)
{
    bool flow = b->phase[i] == TR_FLOW_START || b->phase[i] == TR_FLOW_STEP || b->phase[i] == TR_FLOW_END;
    struct tr_str name = flow ? tr_dict_text_if(w->dict, b->name[i]) : (struct tr_str){ NULL, 0 };
    return name.s && tr_is_work_flow(name.s, name.len) && b->ts[i] != TR_TIME_NONE;
}

bool tr_work_arrows_batch(struct tr_work_arrows *w, const struct tr_batch *b)
{
    w->any = false;
    for (size_t i = 0; !w->any && i < b->n; i++)
        w->any = is_flow(w, b, i);
    return !w->any || tr_arg_read(&w->id, b, TR_PLACE_TOP, TR_WORK_ARROWS_KEY);
}

static uint32_t source_of(const struct tr_work_arrows *w, uint32_t track)
{
    return w->dict->tracks[track].source;
}

/* Leave out starts of this source at other moments. */
static void forget_starts(struct tr_work_arrows *w, uint32_t source, int64_t ts)
{
    size_t kept = 0;
    for (size_t k = 0; k < w->n_starts; k++)
        if (w->starts[k].ts == ts || source_of(w, w->starts[k].track) != source)
            w->starts[kept++] = w->starts[k];
    w->n_starts = kept;
}

bool tr_work_arrows_is_start(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i)
{
    return w->any && b->phase[i] == TR_FLOW_START && is_flow(w, b, i) && tr_arg_int(&w->id, i) != TR_I64_NONE;
}

bool tr_work_arrows_add(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, uint32_t operator_of)
{
    if (!w->any || !is_flow(w, b, i) || tr_arg_int(&w->id, i) == TR_I64_NONE)
        return true;
    uint32_t source = source_of(w, b->track[i]);
    struct tr_work_arrow a = { b->ts[i], (uint64_t)tr_arg_int(&w->id, i), b->track[i], operator_of };
    if (b->phase[i] == TR_FLOW_START) {
        forget_starts(w, source, a.ts);
        if (!tr_grow(&w->starts, &w->cap_starts, w->n_starts + 1, sizeof a))
            return false;
        w->starts[w->n_starts++] = a;
        return operator_of == TR_WORK_ARROWS_NONE || tr_eventmap_put(&w->operators, source, a.id, operator_of);
    }
    a.operator_of = tr_eventmap_get(&w->operators, source, a.id);
    if (a.operator_of == TR_EVENTMAP_NONE)
        return true;
    if (!tr_grow(&w->ends, &w->cap_ends, w->n_ends + 1, sizeof a))
        return false;
    w->ends[w->n_ends++] = a;
    tr_eventmap_remove(&w->operators, source, a.id);
    return true;
}

bool tr__work_arrows_start(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, size_t *at, uint32_t *old)
{
    while (*at < w->n_starts) {
        const struct tr_work_arrow *a = &w->starts[(*at)++];
        if (a->ts == b->ts[i] && a->track == b->track[i]) {
            *old = a->operator_of;
            return true;
        }
    }
    return false;
}

bool tr_work_arrows_set(struct tr_work_arrows *w, size_t at, uint32_t operator_of)
{
    struct tr_work_arrow *a = &w->starts[at - 1];
    a->operator_of = operator_of;
    return tr_eventmap_put(&w->operators, source_of(w, a->track), a->id, operator_of);
}

/* Of one process and thread, of which one track may be of the host and one of the device. */
static bool same_thread(const struct tr_track *a, const struct tr_track *b)
{
    return a->source == b->source && a->pid_type == b->pid_type && a->pid == b->pid && a->tid_type == b->tid_type &&
           a->tid == b->tid;
}

uint32_t tr__work_arrows_of(const struct tr_work_arrows *w, const struct tr_batch *b, size_t i)
{
    for (size_t k = 0; k < w->n_ends; k++)
        if (w->ends[k].ts == b->ts[i] && same_thread(&w->dict->tracks[w->ends[k].track], &w->dict->tracks[b->track[i]]))
            return w->ends[k].operator_of;
    return TR_WORK_ARROWS_NONE;
}

bool tr__work_arrows_passed(struct tr_work_arrows *w, const struct tr_batch *b, size_t i, uint32_t *operator_of)
{
    for (size_t k = 0; k < w->n_ends; k++)
        if (w->ends[k].ts != b->ts[i] && source_of(w, w->ends[k].track) == source_of(w, b->track[i])) {
            *operator_of = w->ends[k].operator_of;
            w->ends[k] = w->ends[--w->n_ends];
            return true;
        }
    return false;
}
