/* SPDX-License-Identifier: MIT */
/* Arrays that move to files when memory is short. */
#include "base/tr_spill.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define MOVE_BYTES 65536u /* to a file at a time, so that it need not be in memory as a whole */

/* Make the file large enough for n elements.  False: it does not change. */
static bool grow_file(struct tr_spill *s, struct tr_spill_file *f, void *array, size_t *cap, size_t n, size_t elem)
{
    if (n > SIZE_MAX / 2 / elem)
        return false;
    uint64_t bytes = (uint64_t)n * elem;
    void *p = s->grow(f, &bytes);
    if (!p)
        return false;
    memcpy(array, &p, sizeof p); /* array is the address of some typed pointer */
    *cap = (size_t)(bytes / elem);
    return true;
}

static bool move_out(struct tr_spilling *x, void *array, size_t *cap, size_t n, size_t elem)
{
    size_t n_old = *cap;
    void *old;
    memcpy(&old, array, sizeof old);
    struct tr_spill_file *f = x->spill->open(x->spill);
    if (!f)
        return false;
    if (!grow_file(x->spill, f, array, cap, n, elem)) {
        x->spill->close(f);
        return false;
    }
    unsigned char *now;
    memcpy(&now, array, sizeof now);
    for (size_t at = 0, piece; at < n_old * elem; at += piece) {
        piece = n_old * elem - at < MOVE_BYTES ? n_old * elem - at : MOVE_BYTES;
        memcpy(now + at, (unsigned char *)old + at, piece);
        x->spill->touched(x->spill);
    }
    free(old);
    x->spill->give(x->spill, x->held);
    x->held = 0;
    x->file = f;
    return true;
}

bool tr_spilling_grow(struct tr_spilling *x, void *array, size_t *cap, size_t n_needed, size_t elem)
{
    if (n_needed <= *cap)
        return true;
    if (!x->spill)
        return tr_grow(array, cap, n_needed, elem);
    tr_spilling_touched(x);
    if (x->file)
        return grow_file(x->spill, x->file, array, cap, n_needed, elem);
    size_t want = *cap + *cap / 2 > n_needed ? *cap + *cap / 2 : n_needed; /* as tr_grow does */
    uint64_t more = want > SIZE_MAX / elem ? UINT64_MAX : (uint64_t)(want - *cap) * elem;
    if (!x->spill->take(x->spill, more))
        return move_out(x, array, cap, n_needed, elem);
    x->held += more;
    return tr_grow(array, cap, n_needed, elem);
}

void tr_spilling_free(struct tr_spilling *x, void *data)
{
    if (x->file)
        x->spill->close(x->file);
    else
        free(data);
    if (x->spill)
        x->spill->give(x->spill, x->held);
    x->file = NULL;
    x->held = 0;
}
