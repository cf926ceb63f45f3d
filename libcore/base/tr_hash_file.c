/* SPDX-License-Identifier: MIT */
/* The slots of an index that are in a file. */
#include "base/tr_hash_file_int.h"

#include <stdatomic.h>
#include <stdlib.h>

#define PAGE_SLOTS 512u
#define FIRST_BITS 16u /* slots of a new file: 2 to the power of it */
#define MAX_BITS 32u

struct tr__hash_file {
    struct tr_spill *spill;
    struct tr_spill_file *file;
    uint64_t n, mask; /* entries; slots, - 1 */
    unsigned shift;
    atomic_bool failed; /* a look-up could not read: no entry is new any more */
};

/* A page of the file, in memory. */
struct page {
    struct tr__hash_file *of;
    uint64_t number; /* UINT64_MAX: none */
    bool changed;
    struct tr_hash_slot slots[PAGE_SLOTS];
};

static bool leave_page(struct page *p)
{
    struct tr__hash_file *f = p->of;
    bool ok = !p->changed || f->spill->write(f->file, p->slots, sizeof p->slots, p->number * sizeof p->slots);
    p->changed = false;
    p->number = UINT64_MAX;
    return ok;
}

static bool go_to_page(struct page *p, uint64_t number)
{
    struct tr__hash_file *f = p->of;
    if (p->number == number)
        return true;
    if (!leave_page(p) || !f->spill->read(f->file, p->slots, sizeof p->slots, number * sizeof p->slots))
        return false;
    p->number = number;
    return true;
}

static bool put(struct page *p, struct tr_hash_slot slot)
{
    for (uint64_t at = slot.tag >> p->of->shift;; at = (at + 1) & p->of->mask) {
        if (!go_to_page(p, at / PAGE_SLOTS))
            return false;
        struct tr_hash_slot *s = &p->slots[at % PAGE_SLOTS];
        if (s->number)
            continue;
        *s = slot;
        p->changed = true;
        p->of->n++;
        return true;
    }
}

static struct tr__hash_file *new_file(struct tr_spill *spill, unsigned bits)
{
    struct tr__hash_file *f = calloc(1, sizeof *f);
    if (!f || !(f->file = spill->open(spill))) {
        free(f);
        return NULL;
    }
    f->spill = spill;
    f->mask = (UINT64_C(1) << bits) - 1;
    f->shift = 32 - bits;
    atomic_init(&f->failed, false);
    return f;
}

void tr__hash_file_free(struct tr__hash_file *f)
{
    if (!f)
        return;
    f->spill->close(f->file);
    free(f);
}

/* Add the entries of a file to another one; those that wrapped around its end come last. */
static bool add_file(struct page *to, struct tr__hash_file *old)
{
    struct page from = { .of = old, .number = UINT64_MAX };
    uint64_t first = 0;
    do {
        if (!go_to_page(&from, first / PAGE_SLOTS))
            return false;
    } while (from.slots[first % PAGE_SLOTS].number && ++first);
    for (uint64_t i = 0; i <= old->mask; i++) {
        uint64_t at = (first + i) & old->mask;
        if (!go_to_page(&from, at / PAGE_SLOTS))
            return false;
        if (from.slots[at % PAGE_SLOTS].number && !put(to, from.slots[at % PAGE_SLOTS]))
            return false;
    }
    return true;
}

/* The file, or one of more slots with its entries, so that n more leave half of the slots empty. */
static bool make_room(struct tr_hash_index *x, size_t n)
{
    uint64_t n_needed = (x->file ? x->file->n : 0) + n;
    unsigned bits = x->file ? 32 - x->file->shift : FIRST_BITS;
    while (bits < MAX_BITS && n_needed * 2 > UINT64_C(1) << bits)
        bits++;
    if (n_needed * 2 > UINT64_C(1) << bits)
        return false;
    if (x->file && bits == 32 - x->file->shift)
        return true;
    struct page to = { .of = new_file(x->spill, bits), .number = UINT64_MAX };
    if (!to.of)
        return false;
    if (x->file && !(add_file(&to, x->file) && leave_page(&to))) {
        tr__hash_file_free(to.of);
        return false;
    }
    tr__hash_file_free(x->file);
    x->file = to.of;
    return true;
}

bool tr__hash_file_add(struct tr_hash_index *x)
{
    if ((x->file && atomic_load(&x->file->failed)) || !make_room(x, x->n))
        return false;
    struct page to = { .of = x->file, .number = UINT64_MAX };
    bool ok = true;
    for (size_t i = 0, first = x->n ? tr__hash_first_empty(x) : 0; x->n && i <= x->mask && ok; i++)
        if (x->slots[(first + i) & x->mask].number)
            ok = put(&to, x->slots[(first + i) & x->mask]);
    if (ok && leave_page(&to))
        return true;
    atomic_store(&x->file->failed, true); /* some are in the file, some are not */
    return false;
}

/* ---- look-ups ---- */

static void read_some(struct tr_hash_walk *w, uint32_t at)
{
    struct tr__hash_file *f = w->index->file;
    uint64_t from = at - at % TR__HASH_READ;
    if (!f->spill->read(f->file, w->some, sizeof w->some, from * sizeof *w->some)) {
        atomic_store(&f->failed, true);
        w->in_file = false;
    }
    w->n_some = TR__HASH_READ - at % TR__HASH_READ;
    w->file_at = (uint32_t)((from + TR__HASH_READ) & f->mask);
}

void tr__hash_file_walk(struct tr_hash_walk *w)
{
    read_some(w, w->tag >> w->index->file->shift);
}

uint32_t tr__hash_file_next(struct tr_hash_walk *w)
{
    while (w->in_file) {
        if (!w->n_some)
            read_some(w, w->file_at);
        for (; w->in_file && w->n_some; w->n_some--) {
            struct tr_hash_slot s = w->some[TR__HASH_READ - w->n_some];
            w->in_file = s.number != 0;
            if (s.number && s.tag == w->tag) {
                w->n_some--;
                return s.number - 1;
            }
        }
    }
    return TR_HASH_NONE;
}
