/* SPDX-License-Identifier: MIT */
/* How spans that share a thread or stream overlap, counted by cause. */
#include "analysis/calls/tr_nesting.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

struct tr_nestings {
    const struct tr_dict *dict;
    struct tr_call_path *tree;
    struct tr_nesting_count (*counts)[TR_N_NESTINGS]; /* by source */
    size_t n, cap;
};

struct tr_nestings *tr_nestings_new(const struct tr_dict *dict)
{
    struct tr_nestings *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->dict = dict;
    a->tree = tr_call_path_new();
    if (a->tree)
        return a;
    free(a);
    return NULL;
}

void tr_nestings_free(struct tr_nestings *a)
{
    if (!a)
        return;
    tr_call_path_free(a->tree);
    free(a->counts);
    free(a);
}

static bool count(struct tr_nestings *a, uint32_t source, const struct tr_callpath *path)
{
    if (!tr_grow(&a->counts, &a->cap, (size_t)source + 1, sizeof *a->counts))
        return false;
    for (; a->n <= source; a->n++)
        memset(&a->counts[a->n], 0, sizeof *a->counts);
    struct tr_nesting_count *c = &a->counts[source][path->nesting];
    c->n++;
    c->sum = tr_time_sum(c->sum, path->overlap);
    c->max = path->overlap > c->max ? path->overlap : c->max;
    return true;
}

enum tr_status tr_nestings_feed(struct tr_nestings *a, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err)
{
    struct tr_callpath path;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        bool call = tr_is_call(b, i);
        if (keep && !keep[i])
            continue;
        if (!call && (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE ||
                      !tr_is_device_work(b->activity[i])))
            continue;
        st = call ? tr_call_path_enter(a->tree, b, i, &path, err) : tr_call_path_device(a->tree, b, i, &path, err);
        if (st == TR_OK && !count(a, a->dict->tracks[b->track[i]].source, &path))
            st = tr_fail_memory(err);
    }
    return st;
}

const struct tr_nesting_count *tr_nestings_of(const struct tr_nestings *a, uint32_t source)
{
    return source < a->n ? a->counts[source] : NULL;
}
