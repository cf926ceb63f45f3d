/* SPDX-License-Identifier: MIT */
/* The device work that each step launched. */
#include "analysis/time/tr_step_work.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>

void tr_step_work_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.derived = TR_STEPS_DERIVED;
    n->want.any_rank_order = true;
    n->host = true;
}

static struct tr_group_key key_of(const struct tr_step_work *w, uint32_t source)
{
    const struct tr_source *s = &w->in.dict->sources[source];
    return (struct tr_group_key){ .rank = s->rank < 0 ? TR_GROUP_NONE : s->rank, .device = TR_GROUP_NONE,
                                  .stream = TR_GROUP_NONE, .step = TR_GROUP_NONE, .capture = s->capture };
}

/* A row for each step of the summary. */
static bool make_rows(struct tr_step_work *w)
{
    for (size_t i = 0; i < w->summary->n; i++)
        w->n_all += w->summary->sources[i].n_steps;
    w->first = calloc(w->summary->n + 1, sizeof *w->first);
    w->all = calloc(w->n_all + 1, sizeof *w->all);
    w->rows = calloc(w->n_all + 1, sizeof *w->rows);
    if (!w->first || !w->all || !w->rows)
        return false;
    struct tr_step_row *r = w->all;
    for (uint32_t i = 0; i < w->summary->n; i++) {
        w->first[i] = (size_t)(r - w->all);
        for (size_t k = 0; k < w->summary->sources[i].n_steps; k++) {
            const struct tr_step *at = &w->summary->sources[i].steps[k];
            *r++ = (struct tr_step_row){ .source = i, .at = at, .busy = TR_UNION_INIT };
        }
    }
    return true;
}

static enum tr_status start(struct tr_step_work *w, const struct tr_analysis_in *in, struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    w->in = *in;
    work.per = TR_PER_RANK;
    w->summary = tr_step_ends_summary(w->ends);
    w->steps = tr_steps_new(w->summary);
    if (!w->steps || !make_rows(w))
        return tr_fail_memory(err);
    return tr_group_by_init(&w->work, &work, in->dict, in->summary, in->sorted, NULL, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct tr_step_work *w = state;
    struct tr_group_by_item item;
    keep = tr_select_where_alone(w->in.select);
    enum tr_status st = tr_group_by_batch(&w->work, b, keep, err);
    if (st == TR_OK && !tr_step_columns_read(&w->launched, b))
        st = tr_fail_memory(err);
    if (st != TR_OK)
        return st;
    for (size_t i = 0; i < b->n; i++) {
        if (!tr_group_by_counts(&w->work, i))
            continue;
        struct tr_step_moment at = tr_step_columns_moment(&w->launched, w->steps, b, i);
        size_t place = tr_steps_place(w->steps, w->in.dict, at);
        if (place == SIZE_MAX)
            continue;
        if (!tr_group_by_item(&w->work, i, &item))
            return tr_fail_memory(err);
        struct tr_step_row *r = &w->all[w->first[at.source] + place];
        tr_union_add(&r->busy, item.start, item.end);
        r->pieces++;
    }
    return TR_OK;
}

TR_ORDER(by_start, struct tr_step_row, TR_UP(key.rank), TR_UP(key.capture), TR_UP(start), TR_UP(at->start),
         TR_UP(at->number), TR_UP(source))

/* The rows get their starts and ends. */
static bool add_ends(struct tr_step_work *w)
{
    size_t n;
    if (!tr_step_ends_finish(w->ends))
        return false;
    const struct tr_step_span *spans = tr_step_ends_rows(w->ends, &n);
    for (size_t i = 0; i < n; i++) {
        struct tr_step_row *r = &w->all[w->first[spans[i].source] + spans[i].place];
        r->start = spans[i].start;
        r->end = spans[i].end;
        r->between = spans[i].between;
        r->usable = true;
    }
    return true;
}

/* Order the rows, and leave out steps that are not selected. */
static enum tr_status finish(void *state, struct tr_error *err)
{
    struct tr_step_work *w = state;
    enum tr_status st = tr_group_by_finish(&w->work, err);
    if (st == TR_OK && !add_ends(w))
        st = tr_fail_memory(err);
    w->n = 0;
    for (size_t i = 0; i < w->n_all; i++) {
        struct tr_step_row r = w->all[i];
        if (!r.usable || (w->in.select && !tr_select_step(w->in.select, r.source, r.at)))
            continue;
        r.key = key_of(w, r.source);
        w->rows[w->n++] = r;
    }
    if (w->n)
        qsort(w->rows, w->n, sizeof *w->rows, by_start);
    return st;
}

/* ---- shared ---- */

static void release(void *state)
{
    struct tr_step_work *w = state;
    tr_group_by_free(&w->work);
    tr_steps_free(w->steps);
    free(w->first);
    free(w->all);
    free(w->rows);
    tr_step_columns_free(&w->launched);
    free(w);
}

struct options {
    struct tr_step_ends *ends; /* of the run */
};

static enum tr_status start_shared(const struct tr_analysis_in *in, const void *options, void **state,
                                   struct tr_error *err)
{
    struct tr_step_work *w = *state = calloc(1, sizeof *w);
    if (!w)
        return tr_fail_memory(err);
    w->ends = ((const struct options *)options)->ends;
    return start(w, in, err);
}

static const struct tr_service service = {
    .name = "work of steps",
    .options_size = sizeof(struct options),
    .start = start_shared,
    .feed = feed,
    .finish = finish,
    .free = release,
};

enum tr_status tr_step_work_shared(const struct tr_analysis_in *in, struct tr_step_work **work, struct tr_error *err)
{
    struct options o = { NULL };
    void *state = NULL;
    enum tr_status st = tr_step_ends_shared(in, &o.ends, err);
    if (st == TR_OK)
        st = tr_service_get(in, &service, &o, &state, err);
    *work = state;
    return st;
}
