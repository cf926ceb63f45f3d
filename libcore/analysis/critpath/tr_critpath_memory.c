/* SPDX-License-Identifier: MIT */
/* Memory of the graph of the critical path: within the limit, or a failure that says what is needed. */
#include "analysis/critpath/tr_critpath_int.h"

#include <stdlib.h>
#include <string.h>

static bool take(struct tr_critpath *c, size_t n, size_t elem)
{
    size_t max = c->opts.max_memory ? c->opts.max_memory : SIZE_MAX;
    size_t left = c->held < max ? max - c->held : 0;
    if (n <= left / elem) {
        c->held += n * elem;
        return true;
    }
    c->need = n < (SIZE_MAX - c->held) / elem ? c->held + n * elem : SIZE_MAX;
    return false;
}

bool tr__cp_grow_now(struct tr_critpath *c, void *array, size_t *cap, size_t n_needed, size_t elem)
{
    size_t before = *cap, want = before + before / 2;
    if (want < n_needed)
        want = n_needed;
    if (!take(c, want - before, elem))
        return false;
    if (!tr_grow_now(array, cap, want, elem)) {
        c->held -= (want - before) * elem;
        return false;
    }
    c->held += (*cap - want) * elem;
    return true;
}

void *tr__cp_alloc(struct tr_critpath *c, size_t n, size_t elem)
{
    return take(c, n, elem) ? malloc(n * elem) : NULL;
}

void *tr__cp_alloc_zero(struct tr_critpath *c, size_t n, size_t elem)
{
    return take(c, n, elem) ? calloc(n, elem) : NULL;
}

void *tr__cp_alloc_temp(struct tr_critpath *c, size_t n, size_t elem)
{
    if (!take(c, n, elem))
        return NULL;
    c->temp += n * elem;
    return malloc(n * elem);
}

bool tr__cp_end_stage(struct tr_critpath *c, bool ok)
{
    c->held -= c->temp;
    c->temp = 0;
    return ok;
}

void tr__cp_free_arrays(void *const *arrays, size_t n)
{
    const void *none = NULL;
    for (size_t i = 0; i < n; i++) {
        void *array;
        memcpy(&array, arrays[i], sizeof array);
        free(array);
        memcpy(arrays[i], &none, sizeof none);
    }
}
void tr__cp_free_graph(struct tr_critpath *c)
{
    CP_FREE(&c->thread_of, &c->stream_of, &c->stream_track, &c->from, &c->to, &c->type, &c->first,
             &c->order, &c->position, &c->reach, &c->rest, &c->before, &c->before_type, &c->group_of, &c->group_rank,
             &c->group_first, &c->group_end, &c->on_path, &c->other);
    memset(c->cap_edges, 0, sizeof c->cap_edges);
    c->n_edges = c->n_groups = c->n_calls = 0;
}

enum tr_status tr__cp_fail(const struct tr_critpath *c, struct tr_error *err)
{
    if (c->crossed)
        return tr_fail(err, TR_SYSTEM,
                       "the graph of the critical path needs more than -M allows, and cannot be made in parts: "
                       "something waits for what is long past; a window, such as --step, needs less");
    if (!c->need)
        return tr_fail_memory(err);
    return tr_fail(err, TR_SYSTEM,
                   "the graph of the critical path needs at least %zu MiB, and -M allows %zu MiB; a window, such as "
                   "--step, needs less",
                   (c->need >> 20) + ((c->need & 0xfffff) != 0), c->opts.max_memory >> 20);
}
