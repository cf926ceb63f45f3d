#include <config.h>

#include "align.h"

#include "base/tr_mem.h"

#include <stdlib.h>

/* ---- ranks ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

size_t align_ranks_find(const struct align_ranks *r, int64_t rank)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->rank[i] == rank)
            return i;
    return r->n;
}

enum tr_status align_ranks_init(struct align_ranks *r, const struct tr_dict *dict,
                                struct tr_error *err)
{
    size_t n = 0;
    r->n_sources = dict->n_sources;
    r->rank = calloc(dict->n_sources + 1, sizeof *r->rank);
    r->of_source = calloc(dict->n_sources + 1, sizeof *r->of_source);
    if (!r->rank || !r->of_source)
        return tr_fail_memory(err);
    for (size_t i = 0; i < dict->n_sources; i++) {
        if (dict->sources[i].rank < 0)
            return tr_fail(err, TR_DAMAGED, "source %zu has no rank (see tr-parse --rank)", i);
        r->rank[i] = dict->sources[i].rank;
    }
    qsort(r->rank, dict->n_sources, sizeof *r->rank, by_number);
    for (size_t i = 0; i < dict->n_sources; i++)
        if (!n || r->rank[n - 1] != r->rank[i])
            r->rank[n++] = r->rank[i];
    r->n = n;
    for (size_t i = 0; i < dict->n_sources; i++)
        r->of_source[i] = (uint32_t)align_ranks_find(r, dict->sources[i].rank);
    return TR_OK;
}

void align_ranks_free(struct align_ranks *r)
{
    free(r->rank);
    free(r->of_source);
}

/* ---- anchors ---- */

struct times {
    int64_t *v;
    uint8_t *device; /* on a device's track */
    size_t n, cap, cap_device;
};

struct align_anchors {
    const struct align_ranks *ranks;
    const struct tr_dict *dict;
    struct tr_expr *expr;
    struct tr_coll_finder *finder;
    struct times *matches; /* by rank */
    uint8_t *mask;
    size_t cap_mask;
};

enum tr_status align_anchors_new(struct align_anchors **out, const struct align_ranks *ranks,
                                 const struct tr_input *in, struct tr_expr *expr,
                                 struct tr_error *err)
{
    struct align_anchors *a = calloc(1, sizeof *a);
    enum tr_status st = TR_OK;
    if (a)
        a->matches = calloc(ranks->n + 1, sizeof *a->matches);
    if (!a || !a->matches) {
        free(a);
        return tr_fail_memory(err);
    }
    a->ranks = ranks;
    a->dict = in->dict;
    a->expr = expr;
    if (expr) {
        st = tr_expr_bind(expr, in->dict, in->summary, in->sorted, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
    } else {
        st = tr_coll_finder_new(in->dict, NULL, &a->finder, err);
    }
    if (st != TR_OK) {
        align_anchors_free(a);
        return st;
    }
    *out = a;
    return TR_OK;
}

void align_anchors_free(struct align_anchors *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->ranks->n; i++) {
        free(a->matches[i].v);
        free(a->matches[i].device);
    }
    free(a->matches);
    free(a->mask);
    tr_coll_finder_free(a->finder);
    free(a);
}

static bool add_match(struct times *t, int64_t at, bool device)
{
    if (!tr_grow(&t->v, &t->cap, t->n + 1, sizeof *t->v) ||
        !tr_grow(&t->device, &t->cap_device, t->n + 1, 1))
        return false;
    t->device[t->n] = device;
    t->v[t->n++] = at;
    return true;
}

enum tr_status align_anchors_feed(struct align_anchors *a, const struct tr_batch *b,
                                  struct tr_error *err)
{
    if (!a->expr)
        return tr_coll_feed(a->finder, b, NULL, err);
    if (!tr_grow(&a->mask, &a->cap_mask, b->n + 1, 1))
        return tr_fail_memory(err);
    enum tr_status st = tr_expr_eval(a->expr, b, a->mask, err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        const struct tr_track *t = &b->dict->tracks[b->track[i]];
        if (!a->mask[i] || b->ts[i] == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO)
            continue;
        if (!add_match(&a->matches[a->ranks->of_source[t->source]], b->ts[i],
                       t->side == TR_SIDE_DEVICE))
            st = tr_fail_memory(err);
    }
    return st;
}

/* The members of one collective, one for each rank: what several devices of a rank show is taken
 * together. */
static bool give_collective(struct align_anchors *a, const struct tr_colls *all,
                            const struct tr_coll *coll, const int64_t *shift,
                            struct tr_clockfit *fit)
{
    size_t last = a->ranks->n;
    int64_t start = 0, end = 0;
    bool ok = tr_clockfit_anchor(fit);
    for (uint32_t k = 0; k < coll->n && ok; k++) {
        const struct tr_coll_member *m = &all->members[coll->first + k];
        size_t rank = a->ranks->of_source[m->source];
        int64_t by = shift && a->dict->tracks[m->track].side == TR_SIDE_DEVICE ? shift[rank] : 0;
        if (m->suspect)
            continue;
        if (rank == last) {
            start = m->start + by > start ? m->start + by : start;
            end = m->end + by > end ? m->end + by : end;
            continue;
        }
        if (last < a->ranks->n)
            ok = tr_clockfit_member(fit, last, start, end);
        last = rank;
        start = m->start + by;
        end = m->end + by;
    }
    return ok && (last == a->ranks->n || tr_clockfit_member(fit, last, start, end));
}

static enum tr_status give_collectives(struct align_anchors *a, const int64_t *shift,
                                       struct tr_clockfit *fit, struct tr_error *err)
{
    struct tr_colls *all;
    enum tr_status st = tr_coll_match(a->finder, &all, err);
    if (st != TR_OK)
        return st;
    /* Ends of host calls say nothing of the others, nor do ends of what waits for one rank only. */
    for (size_t i = 0; i < all->n && st == TR_OK && !all->host; i++)
        if (tr_coll_is_sync((enum tr_coll_type)all->colls[i].type) &&
            !(all->colls[i].wrong & TR_COLL_NAMES_DIFFER) &&
            !give_collective(a, all, &all->colls[i], shift, fit))
            st = tr_fail_memory(err);
    tr_colls_free(all);
    return st;
}

enum tr_status align_anchors_give(struct align_anchors *a, const int64_t *device_shift,
                                  struct tr_clockfit *fit, struct tr_error *err)
{
    size_t few, many;
    bool ok = true;
    if (!a->expr)
        return give_collectives(a, device_shift, fit, err);
    align_anchors_even(a, &few, &many);
    for (size_t i = 0; i < many && ok; i++) {
        ok = tr_clockfit_anchor(fit);
        for (size_t r = 0; r < a->ranks->n && ok; r++) {
            const struct times *t = &a->matches[r];
            if (i < t->n)
                ok = tr_clockfit_member(fit, r, TR_TIME_NONE,
                                        t->v[i] +
                                            (device_shift && t->device[i] ? device_shift[r] : 0));
        }
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

bool align_anchors_even(const struct align_anchors *a, size_t *few, size_t *many)
{
    *few = a->ranks->n ? a->matches[0].n : 0;
    *many = 0;
    for (size_t r = 0; r < a->ranks->n; r++) {
        *few = a->matches[r].n < *few ? a->matches[r].n : *few;
        *many = a->matches[r].n > *many ? a->matches[r].n : *many;
    }
    return *few == *many;
}
