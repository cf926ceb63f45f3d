#include <config.h>

#include "io/tr_progress.h"

#include <stdatomic.h>
#include <stdlib.h>

struct tr_progress {
    _Atomic uint64_t done, total;
    atomic_bool unknown;
};

struct tr_progress *tr_progress_new(void)
{
    struct tr_progress *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    atomic_init(&p->done, 0);
    atomic_init(&p->total, 0);
    atomic_init(&p->unknown, false);
    return p;
}

void tr_progress_free(struct tr_progress *p)
{
    free(p);
}

void tr_progress_add_input(struct tr_progress *p, uint64_t bytes)
{
    atomic_fetch_add_explicit(&p->total, bytes, memory_order_relaxed);
    if (!bytes)
        atomic_store_explicit(&p->unknown, true, memory_order_relaxed);
}

void tr_progress_add_done(struct tr_progress *p, uint64_t bytes)
{
    atomic_fetch_add_explicit(&p->done, bytes, memory_order_relaxed);
}

uint64_t tr_progress_done(const struct tr_progress *p)
{
    return atomic_load_explicit(&p->done, memory_order_relaxed);
}

bool tr_progress_total(const struct tr_progress *p, uint64_t *bytes)
{
    *bytes = atomic_load_explicit(&p->total, memory_order_relaxed);
    return !atomic_load_explicit(&p->unknown, memory_order_relaxed);
}
