/* SPDX-License-Identifier: MIT */
/* Collectives as they are matched: the list, and numbers by sequence. */
#include "model/collectives/tr_collective_int.h"

bool tr__coll_add(struct tr__coll_matcher *w, size_t n, const struct tr__coll_key *like, int64_t seq)
{
    struct tr_colls *c = w->c;
    if (n > UINT32_MAX - 1 - c->n || !tr_grow(&c->colls, &w->cap_colls, c->n + n, sizeof *c->colls))
        return false;
    for (; n > 0; n--)
        c->colls[c->n++] = (struct tr_coll){
            .group = like->group, .seq = seq, .line = (uint32_t)w->n_lines, .how = like->how
        };
    return true;
}

bool tr__coll_match_seq(struct tr__coll_matcher *w, struct tr__coll_key *k, size_t n)
{
    size_t base = w->c->n, part = 0;
    for (size_t i = 0; i < n; i++) {
        part = i && k[i].party == k[i - 1].party ? part + 1 : 0;
        if (base + part == w->c->n && !tr__coll_add(w, 1, k, k->seq))
            return false;
        k[i].coll = (uint32_t)(base + part);
    }
    return true;
}
