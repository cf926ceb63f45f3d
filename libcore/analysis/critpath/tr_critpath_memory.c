/* SPDX-License-Identifier: MIT */
/* Memory of the graph of the critical path: within the limit, or a failure that says what is needed. */
#include "analysis/critpath/tr_critpath_int.h"

#include <stdlib.h>

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

enum tr_status tr__cp_fail(const struct tr_critpath *c, struct tr_error *err)
{
    if (!c->need)
        return tr_fail_memory(err);
    return tr_fail(err, TR_SYSTEM,
                   "the graph of the critical path needs at least %zu MiB, and -M allows %zu MiB; a window, such as "
                   "--step, needs less",
                   (c->need >> 20) + ((c->need & 0xfffff) != 0), c->opts.max_memory >> 20);
}
