/* SPDX-License-Identifier: MIT */
/* The merge: the tree of inputs, which finds the next event. */
#include "stream/merge/tr_merge_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void merge_close(void *self)
{
    struct tr__merge *m = self;
    for (size_t i = 0; i < m->n; i++)
        tr__lane_free(&m->lanes[i]);
    free(m->lanes);
    free(m->tree);
    free(m->over);
    tr__gather_free(&m->gather);
    tr__turns_free(&m->turns);
    tr__joins_free(&m->joins);
    tr__wanted_free(&m->wanted);
    tr_dict_free(m->dict);
    tr_summary_free(m->summary);
    tr_side_tables_free(&m->tables);
    tr_provenance_free(m->provenance);
    tr_batch_free(m->batch);
    free(m);
}

/* ---- the tree ---- */

/* ---- batches ---- */

static enum tr_status more(struct tr__merge *m, uint32_t lane, struct tr_error *err)
{
    enum tr_status st = tr__lane_more(m, &m->lanes[lane], err);
    m->over[lane] = st == TR_END;
    return st == TR_END ? TR_OK : st;
}

/* The earliest time of the other lanes: it is among those against which the winner played. */
static int64_t earliest_other(const struct tr__merge *m, uint32_t lane)
{
    int64_t earliest = INT64_MAX;
    for (size_t k = (m->n_leaves + lane) / 2; k > 0; k /= 2)
        earliest = m->tree[k].ts < earliest ? m->tree[k].ts : earliest;
    return earliest;
}

/* Choose the current event of a lane, and all later ones that come before the events of other lanes; *n grows. */
static enum tr_status choose_run(struct tr__merge *m, uint32_t top, size_t room, size_t *n, struct tr_error *err)
{
    struct tr__lane *l = &m->lanes[top];
    const int64_t *ts = l->b->ts, limit = earliest_other(m, top), shift = l->shift;
    const uint8_t *fresh = l->fresh;
    const size_t start = l->start, end = l->end;
    uint32_t *lane = m->gather.lane;
    enum tr_status st = TR_OK;
    size_t k = *n, at = l->at;
    do {
        l->at = at;
        if (fresh[at - start] && (st = tr__lane_number(m, l, err)) != TR_OK)
            break;
        lane[k++] = top;
    } while (++at < end && k < room && (ts[at] == TR_TIME_NONE ? ts[at] : ts[at] + shift) < limit);
    l->at = at;
    *n = k;
    return st;
}

/*
 * The current event of a lane of parts: pass over it if another part has given it.  The chosen events have to be moved
 * before that.  *wait: this comes first, or the lane has no more events.
 */
static enum tr_status pass_copy(struct tr__merge *m, uint32_t top, size_t n, bool *copy, bool *wait,
                                struct tr_error *err)
{
    struct tr__lane *l = &m->lanes[top];
    enum tr_status st = tr__join_twice(m, top, copy, err);
    *wait = *copy && n;
    if (st != TR_OK || !*copy || n)
        return st;
    st = tr__join_skip(m, l, err);
    *wait = l->at == l->end;
    if (st == TR_OK && !*wait)
        tr__tree_play(m, top);
    return st;
}

/*
 * Choose events until the batch is full, or a lane has no more events in its part.  *n: their number.  A lane without
 * events is at the top, and has not been moved on.
 */
static enum tr_status choose(struct tr__merge *m, size_t room, size_t *n, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    *n = 0;
    while (*n < room) {
        uint32_t top = m->tree[0].lane;
        bool copy = false, wait = false;
        if (m->over[top])
            break;
        if (m->joins.any)
            st = pass_copy(m, top, *n, &copy, &wait, err);
        if (st != TR_OK || wait)
            break;
        if (copy)
            continue;
        st = choose_run(m, top, room, n, err);
        if (st == TR_OK && m->joins.any)
            tr__join_took(m, top);
        if (st != TR_OK || m->lanes[top].at == m->lanes[top].end)
            break;
        tr__tree_play(m, top);
    }
    return st;
}

static enum tr_status fill_batch(struct tr__merge *m, struct tr_error *err)
{
    struct tr_batch *b = m->batch;
    while (b->n < TR_BATCH_MAX && !m->over[m->tree[0].lane]) {
        size_t n;
        uint32_t top;
        enum tr_status st = choose(m, TR_BATCH_MAX - b->n, &n, err);
        if (st == TR_OK && n)
            st = tr__gather_events(m, n, err);
        top = m->tree[0].lane;
        if (st == TR_OK && m->lanes[top].at == m->lanes[top].end) {
            st = more(m, top, err);
            if (st == TR_OK)
                tr__tree_play(m, top);
        }
        if (st != TR_OK)
            return st;
    }
    return b->n > 0 ? TR_OK : TR_END;
}

/* Get the first events of every lane. */
static enum tr_status start(struct tr__merge *m, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        st = more(m, (uint32_t)i, err);
    if (st == TR_OK)
        tr__tree_build(m);
    m->started = true;
    return st;
}

/* The batch without the fixed columns that are not wanted, because their contents are not valid. */
static const struct tr_batch *show(struct tr__merge *m)
{
    const uint32_t fixed = m->wanted.fixed;
    struct tr_batch *b = &m->shown;
    if (!(fixed & TR_FIXED_BIT(RECORD)))
        b->record = NULL;
    if (!(fixed & TR_FIXED_BIT(NAME)))
        b->name = NULL;
    if (!(fixed & TR_FIXED_BIT(CAT)))
        b->cat = NULL;
    if (!(fixed & TR_FIXED_BIT(ACTIVITY)))
        b->activity = NULL;
    if (!(fixed & TR_FIXED_BIT(KIND)))
        b->kind = NULL;
    return b;
}

static enum tr_status ordered_next(struct tr__merge *m, struct tr_error *err)
{
    enum tr_status st = m->started ? TR_OK : start(m, err);
    tr_batch_clear(m->batch);
    if (st == TR_OK)
        st = fill_batch(m, err);
    m->shown = *m->batch;
    m->shown.dict = m->dict;
    return st;
}

static enum tr_status merge_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct tr__merge *m = self;
    if (m->ended == TR_OK) {
        m->ended = m->turns.on ? tr__turns_next(m, err) : ordered_next(m, err);
        if (m->ended != TR_OK && err)
            m->error = *err;
    } else if (m->ended != TR_END && err) {
        *err = m->error;
    }
    *batch = show(m);
    return m->ended;
}

/*
 * The columns that the order needs are read in any case.  Records are needed to order events of equal sources, so they
 * are not needed if no two lanes have equal sources.
 */
static bool merge_want(void *self, const struct tr_projection *want)
{
    struct tr__merge *m = self;
    struct tr_projection all = *want;
    if (m->started)
        return true;
    m->turns.on = want->any_rank_order && !m->shared_rank;
    all.any_rank_order = false; /* each input stays in order */
    all.fixed |= TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(SUSPECT) | TR_FIXED_BIT(TRACK);
    bool ok = tr__wanted_choose(&m->wanted, &all);
    all.fixed |= m->shared_source ? TR_FIXED_BIT(RECORD) : 0;
    for (size_t i = 0; i < m->n && ok; i++)
        ok = tr__wanted_choose(&m->lanes[i].wanted, &all) && tr_input_want(m->lanes[i].in, &all);
    return ok;
}

static void merge_ahead(void *self, unsigned n_blocks)
{
    struct tr__merge *m = self;
    for (size_t i = 0; i < m->n; i++)
        tr_input_ahead(m->lanes[i].in, n_blocks);
}

static int64_t before_shift(int64_t t, int64_t shift, int64_t open)
{
    const int64_t moved = t == open ? TR_TIME_NONE : tr_time_diff(t, shift);
    return moved == TR_TIME_NONE ? open : moved;
}

/* Each lane gets the times of its sources, before its shift.  Without memory for that, all events come. */
static void merge_only(void *self, const struct tr_needed *needed)
{
    struct tr__merge *m = self;
    for (size_t i = 0; i < m->n && !m->started; i++) {
        const struct tr__lane *l = &m->lanes[i];
        const size_t n = l->in->dict->n_sources;
        struct tr_needed *own = calloc(n ? n : 1, sizeof *own);
        for (size_t k = 0; own && k < n; k++) {
            const struct tr_needed *of = &needed[l->sources[k].number];
            own[k] = (struct tr_needed){ before_shift(of->from, l->shift, INT64_MIN),
                                         before_shift(of->to, l->shift, INT64_MAX) };
        }
        if (own)
            tr_input_only(l->in, own);
        free(own);
    }
}

static void merge_drop_rows(void *self, const char *begin)
{
    tr_side_tables_drop_rows(&((struct tr__merge *)self)->tables, begin);
}

static const struct tr_input_ops merge_ops = { .next = merge_next,
                                               .close = merge_close,
                                               .want = merge_want,
                                               .ahead = merge_ahead,
                                               .only = merge_only,
                                               .drop_rows = merge_drop_rows };

/* An input without order cannot be merged: name the first event that is out of place, if one is. */
static enum tr_status refuse_unsorted(struct tr_input *in, struct tr_error *err)
{
    struct tr_order_key last = { 0 };
    const struct tr_batch *b;
    uint64_t n = 0;
    enum tr_status st;
    while ((st = tr_input_next(in, &b, err)) == TR_OK)
        for (size_t i = 0; i < b->n; i++, n++) {
            struct tr_order_key key = tr_order_key(b, i);
            if (n && tr_order_key_cmp(in->dict, &last, &key) > 0) {
                tr_error_input(err, in->name);
                tr_error_place(err, "event %" PRIu64, n);
                return tr_fail(err, TR_DAMAGED,
                               "not in canonical order: cannot be merged (made with --no-sort?)");
            }
            last = key;
        }
    if (st != TR_END)
        return st;
    tr_error_input(err, in->name);
    return tr_fail(err, TR_DAMAGED,
                   "does not say that it is in canonical order: cannot be merged (made with --no-sort?)");
}

static enum tr_status open_lanes(struct tr__merge *m, const struct tr_merge_opts *opts,
                                 struct tr_error *err)
{
    uint32_t head;
    for (size_t i = 0; i < m->n; i++) {
        struct tr__lane *l = &m->lanes[i];
        if (!l->in->sorted)
            return refuse_unsorted(l->in, err);
        if (!tr_provenance_append(m->provenance, l->in->provenance, &head))
            return tr_fail_memory(err);
    }
    enum tr_status st = tr__merge_sources(m, opts, err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        m->lanes[i].shift = m->lanes[i].in->dict->n_sources ? m->lanes[i].sources[0].shift : 0;
    return st;
}

static bool allocate(struct tr__merge *m)
{
    for (m->n_leaves = 1; m->n_leaves < m->n;)
        m->n_leaves *= 2;
    m->tree = calloc(m->n_leaves + 1, sizeof *m->tree);
    m->over = malloc(m->n_leaves);
    if (m->over)
        memset(m->over, true, m->n_leaves); /* leaves without a lane remain so */
    m->dict = m->n ? tr_dict_like(m->lanes[0].in->dict) : tr_dict_new();
    m->provenance = tr_provenance_new();
    m->batch = tr_batch_new();
    return m->tree && m->over && m->dict && m->provenance && m->batch &&
           tr_batch_reserve(m->batch, TR_BATCH_MAX) && tr__gather_init(&m->gather, m->n);
}

enum tr_status tr_merge_open(struct tr_input **out, struct tr_input *const *inputs, size_t n,
                             const struct tr_merge_opts *opts, struct tr_error *err)
{
    struct tr__merge *m = calloc(1, sizeof *m);
    struct tr__lane *lanes = calloc(n, sizeof *lanes);
    if (!m || !lanes) {
        for (size_t i = 0; i < n; i++)
            tr_input_close(inputs[i]);
        free(m);
        free(lanes);
        return tr_fail_memory(err);
    }
    m->lanes = lanes;
    m->n = n;
    tr__wanted_init(&m->wanted);
    for (size_t i = 0; i < n; i++) {
        lanes[i].in = inputs[i];
        tr__wanted_init(&lanes[i].wanted);
        lanes[i].strings.map.in.spill = lanes[i].strings.first.in.spill = tr_strtab_spill(inputs[i]->dict->strings);
    }
    static const struct tr_merge_opts none = { .renumber = false };
    enum tr_status st = allocate(m) ? open_lanes(m, opts ? opts : &none, err) : tr_fail_memory(err);
    if (st != TR_OK) {
        merge_close(m);
        return st;
    }
    m->input = (struct tr_input){ .ops = &merge_ops,
                                  .self = m,
                                  .dict = m->dict,
                                  .summary = m->summary,
                                  .tables = &m->tables,
                                  .provenance = m->provenance,
                                  .sorted = true };
    snprintf(m->input.name, sizeof m->input.name, "%s", n == 1 ? inputs[0]->name : "merged inputs");
    *out = &m->input;
    return TR_OK;
}
