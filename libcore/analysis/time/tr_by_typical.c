/* SPDX-License-Identifier: MIT */
/*
 * What ran on each stream in a typical step, and when?
 *
 * The typical step of a capture is the one whose time on the host is the median, the lower of two; a step of several
 * ranks is as long as on its slowest rank.  Of each rank, device work between start and end of that step counts,
 * clipped to it.  Work of one kind on one stream is joined to a row if the pause before it is shorter than a thousandth
 * of the step: so there are at most about a thousand rows for a kind and stream, and a picture shows the same.
 *
 * Steps and their times are in the summary, so one pass over events in canonical order is enough.  Memory: a row, and
 * an entry for each step, stream and source.
 */
#include "analysis/time/tr_step_times.h"
#include "analysis/time/tr_time_analyses.h"
#include "engine/tr_rows.h"
#include "model/tr_kinds.h"

#include <stdlib.h>

#define JOINED_BELOW 1000 /* pauses of less than this part of the step */

struct row {
    uint32_t group, kind;
    int64_t step, start; /* since the start of the step */
    int64_t dur, longest;
    uint64_t work;
    uint32_t name; /* of the longest work */
};

static const struct tr_table_column columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, step), .meaning = "number of the typical step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct row, start),
      .meaning = "when work starts, since the start of the step" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .main = true,
      .meaning = "until its end, with pauses shorter than a thousandth of the step" },
    { "kind", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, kind), .word = tr_kind_word, .n_words = TR_N_KINDS,
      .meaning = "compute, comm, memory or other" },
    { "work", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, work), .meaning = "kernels, copies and memsets in it" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, name), .names = true, .meaning = "the longest of them" },
};

static const struct tr_row_type type = {
    .name = "typical",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, dur),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "start:asc,kind",
};

/* The typical step of a source; start == end: it has none. */
struct window {
    int64_t number, start, end;
};

struct typical {
    struct tr_grouped all;
    const struct tr_dict *dict;
    struct window *windows; /* by source */
    int64_t (*last)[TR_N_KINDS]; /* by group: the start of the last row of a kind; TR_TIME_NONE: there is none */
    size_t n_last, cap_last;
};

static void release(void *state)
{
    struct typical *s = state;
    tr_grouped_free(&s->all);
    free(s->windows);
    free(s->last);
}

/* ---- the step ---- */

static int by_time(const void *x, const void *y)
{
    const struct tr_step_time *a = x, *b = y;
    if (a->capture != b->capture)
        return a->capture < b->capture ? -1 : 1;
    if (a->dur != b->dur)
        return a->dur < b->dur ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Does a step take part? */
static bool is_chosen(const struct tr_analysis_in *in, uint32_t source, const struct tr_step *step)
{
    return tr_time_diff(step->end, step->start) != TR_TIME_NONE &&
           (!in->select || tr_select_step(in->select, source, step));
}

/* All selected steps.  False: out of memory. */
static bool gather(const struct tr_analysis_in *in, struct tr_step_times *t)
{
    bool ok = true;
    for (uint32_t i = 0; i < in->summary->n && i < in->dict->n_sources; i++)
        for (size_t k = 0; ok && k < in->summary->sources[i].n_steps; k++) {
            const struct tr_step *step = &in->summary->sources[i].steps[k];
            if (is_chosen(in, i, step))
                ok = tr_step_times_add(t, in->dict->sources[i].capture, step->number, step->end - step->start);
        }
    return ok && tr_step_times_seal(t);
}

/* In each source the first selected step with this number. */
static void set_windows(struct typical *s, const struct tr_analysis_in *in, const struct tr_step_time *step)
{
    for (uint32_t i = 0; i < in->summary->n && i < in->dict->n_sources; i++)
        for (size_t k = 0; k < in->summary->sources[i].n_steps && in->dict->sources[i].capture == step->capture; k++) {
            const struct tr_step *at = &in->summary->sources[i].steps[k];
            if (at->number == step->number && is_chosen(in, i, at)) {
                s->windows[i] = (struct window){ at->number, at->start, at->end };
                break;
            }
        }
}

static enum tr_status choose(struct typical *s, const struct tr_analysis_in *in, struct tr_error *err)
{
    struct tr_step_times t = { .n = 0 };
    s->windows = calloc(in->dict->n_sources + (size_t)1, sizeof *s->windows);
    bool ok = s->windows && gather(in, &t);
    if (ok && t.n)
        qsort(t.steps, t.n, sizeof *t.steps, by_time);
    for (size_t i = 0, end; ok && i < t.n; i = end) {
        for (end = i; end < t.n && t.steps[end].capture == t.steps[i].capture; end++)
            ;
        set_windows(s, in, &t.steps[i + (end - i - 1) / 2]);
    }
    tr_step_times_free(&t);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct typical *s = state;
    (void)options;
    s->dict = in->dict;
    enum tr_status st = tr_grouped_start(&s->all, &type, in, 0, err);
    return st == TR_OK ? choose(s, in, err) : st;
}

/* ---- its work ---- */

/* Room for the last rows of a group.  False: out of memory. */
static bool know_group(struct typical *s, uint32_t group)
{
    if (!tr_grow(&s->last, &s->cap_last, group + (size_t)1, sizeof *s->last))
        return false;
    for (; s->n_last <= group; s->n_last++)
        for (unsigned kind = 0; kind < TR_N_KINDS; kind++)
            s->last[s->n_last][kind] = TR_TIME_NONE;
    return true;
}

/* The row that work belongs to, which may be new.  NULL: out of memory. */
static struct row *row_of(struct typical *s, uint32_t group, uint32_t kind, const struct window *w, int64_t at)
{
    int64_t *last = &s->last[group][kind];
    struct row *row = NULL;
    if (*last != TR_TIME_NONE) {
        row = tr_rows_at(s->all.rows, &(struct row){ .group = group, .kind = kind, .step = w->number, .start = *last });
        if (!row || at - (row->start + row->dur) < (w->end - w->start) / JOINED_BELOW || at == row->start)
            return row;
    }
    row = tr_rows_at(s->all.rows, &(struct row){ .group = group, .kind = kind, .step = w->number, .start = at });
    *last = at;
    return row;
}

static bool add(void *state, const struct tr_batch *b, size_t i, const struct tr_group_by_item *item)
{
    struct typical *s = state;
    const struct window *w = &s->windows[s->dict->tracks[b->track[i]].source];
    if (!know_group(s, item->group))
        return false;
    int64_t from = item->start > w->start ? item->start : w->start, to = item->end < w->end ? item->end : w->end;
    if (from >= to)
        return true;
    struct row *row = row_of(s, item->group, b->kind[i], w, from - w->start);
    if (!row)
        return false;
    int64_t end = to - w->start;
    row->dur = end > row->start + row->dur ? end - row->start : row->dur;
    if (row->work++ == 0 || to - from > row->longest) {
        row->longest = to - from;
        row->name = b->name[i];
    }
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    (void)t;
    return tr_grouped_feed(state, b, keep, add, err);
}

const struct tr_analysis tr_analysis_typical = {
    .name = "typical",
    .chart = &(const struct tr_chart){ TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "kind",
                                       .facet = "stream" },
    .question = "What ran on each stream in a typical step, and when?",
    .nothing = "no numbered step with device work is selected",
    .groups = TR_PER_BIT(TR_PER_STREAM),
    .group = TR_PER_STREAM,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct typical),
    .start = start,
    .feed = feed,
    .rows = tr_rows_first,
    .free = release,
    .unsaved = "which step is typical depends on all ranks, so each would have to save the work of every step",
};
