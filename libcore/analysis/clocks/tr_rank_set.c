/* SPDX-License-Identifier: MIT */
/* The ranks of a stream, ascending, and the rank of each source. */
#include "analysis/clocks/tr_rank_set.h"
#include "base/tr_sort.h"

#include <stdlib.h>

size_t tr_rank_set_find(const struct tr_rank_set *r, int64_t rank)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->rank[i] == rank)
            return i;
    return r->n;
}

enum tr_status tr_rank_set_init(struct tr_rank_set *r, const struct tr_dict *dict, const uint8_t *only,
                                struct tr_error *err)
{
    size_t n = 0, n_all = 0;
    r->n_sources = dict->n_sources;
    r->rank = calloc(dict->n_sources + 1, sizeof *r->rank);
    r->of_source = calloc(dict->n_sources + 1, sizeof *r->of_source);
    if (!r->rank || !r->of_source)
        return tr_fail_memory(err);
    for (size_t i = 0; i < dict->n_sources; i++) {
        if (only && !only[i])
            continue;
        if (dict->sources[i].rank < 0)
            return tr_fail(err, TR_DAMAGED, "source %zu has no rank (see tr-parse --rank)", i);
        r->rank[n_all++] = dict->sources[i].rank;
    }
    if (n_all)
        qsort(r->rank, n_all, sizeof *r->rank, tr_by_i64);
    for (size_t i = 0; i < n_all; i++)
        if (!n || r->rank[n - 1] != r->rank[i])
            r->rank[n++] = r->rank[i];
    r->n = n;
    for (size_t i = 0; i < dict->n_sources; i++)
        r->of_source[i] = (uint32_t)tr_rank_set_find(r, dict->sources[i].rank);
    return TR_OK;
}

void tr_rank_set_free(struct tr_rank_set *r)
{
    free(r->rank);
    free(r->of_source);
}
