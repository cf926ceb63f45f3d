/* SPDX-License-Identifier: MIT */
/* Places in an array that are given out again. */
#include "base/tr_freelist.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

uint32_t tr_freelist_take(struct tr_freelist *f, void *array, size_t elem)
{
    if (f->n_unused)
        return f->unused[--f->n_unused];
    if (f->n >= TR_FREELIST_NONE - 1 || !tr_grow(array, &f->cap, f->n + 1, elem) ||
        !tr_grow(&f->unused, &f->cap_unused, f->n + 1, sizeof *f->unused))
        return TR_FREELIST_NONE;
    return (uint32_t)f->n++;
}

void tr_freelist_free(struct tr_freelist *f)
{
    free(f->unused);
    memset(f, 0, sizeof *f);
}
