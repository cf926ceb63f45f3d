/* SPDX-License-Identifier: MIT */
/* A limit of memory that several tables share. */
#include "base/tr_budget.h"

#include <stdatomic.h>
#include <stdlib.h>

struct tr_budget {
    _Atomic uint64_t left;
};

struct tr_budget *tr_budget_new(uint64_t bytes)
{
    struct tr_budget *b = malloc(sizeof *b);
    if (b)
        atomic_init(&b->left, bytes);
    return b;
}

uint64_t tr_budget_kept_bytes(uint64_t max_memory)
{
    const uint64_t min = UINT64_C(64) << 20; /* as of raw traces */
    return max_memory > min ? max_memory : min;
}

struct tr_budget *tr_budget_kept(uint64_t max_memory)
{
    return tr_budget_new(tr_budget_kept_bytes(max_memory));
}

void tr_budget_free(struct tr_budget *b)
{
    free(b);
}

bool tr_budget_take(struct tr_budget *b, uint64_t bytes)
{
    uint64_t left = b ? atomic_load(&b->left) : UINT64_MAX;
    do
        if (bytes > left)
            return false;
    while (b && !atomic_compare_exchange_weak(&b->left, &left, left - bytes));
    return true;
}

void tr_budget_give(struct tr_budget *b, uint64_t bytes)
{
    if (b)
        atomic_fetch_add(&b->left, bytes);
}
