/* SPDX-License-Identifier: MIT */
/* How long did each step take, what did the devices do in that time, and what did they wait for? */
#include "analysis/tr_analyses.h"
#include "analysis/tr_idle.h"
#include "base/tr_interval.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/* A step, and the gaps that end in it, by cause. */
struct step {
    struct tr_step at;
    uint32_t source;
    uint64_t busy_before, busy_until; /* busy time of the rank before its start, and up to its end */
    int64_t idle[TR_N_IDLE_CAUSES], longest[TR_N_IDLE_CAUSES];
    uint32_t during[TR_N_IDLE_CAUSES]; /* in the longest part */
};

/* The start or the end of a step: a time at which the busy time so far is needed. */
struct moment {
    int64_t ts;
    size_t step;
    bool end;
};

/* A rank. */
struct lane {
    struct tr_union busy;
    struct step *steps; /* by start */
    struct moment *moments; /* by time */
    size_t n_steps, cap_steps, n_moments, next;
};

struct steps {
    struct tr_analysis_in in;
    struct tr_group_by work;
    struct tr_idle *idle;
    struct tr_summary *summary;
    struct lane *lanes; /* by group */
    size_t n_lanes, cap_lanes;
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_TRACK;
    n->want.any_rank_order = true;
    n->all_in_any_order = true;
}

static const struct tr_table_column slowest_column = { "rank", TR_CELL_INT, TR_ROLE_TEXT,
                                                       .meaning = "the rank on which the step takes longest" };
static const struct tr_table_column columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, .label = true, .extra = true,
      .meaning = "when the host begins it, as in the file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "how long it takes on the host" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "some device work ran meanwhile" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "nothing ran on any stream meanwhile" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "idle", .per = "dur",
      .meaning = "share of the step" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT,
      .meaning = "the largest cause of the idle gaps that end in the step, as in --by cause" },
    { "cause_idle", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "idle time by that cause" },
    { "during", TR_CELL_STRING, TR_ROLE_TEXT, .names = true,
      .meaning = "what the launching thread did in the longest part of it" },
};

static void add_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    if (in->work.per == TR_PER_ALL)
        tr_table_columns(t, &slowest_column, 1);
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

/* ---- ranks and their steps ---- */

static int by_start(const void *x, const void *y)
{
    const struct step *a = x, *b = y;
    if (a->at.start != b->at.start)
        return a->at.start < b->at.start ? -1 : 1;
    if (a->at.end != b->at.end)
        return a->at.end > b->at.end ? -1 : 1;
    if (a->at.number != b->at.number)
        return a->at.number < b->at.number ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

static int by_ts(const void *x, const void *y)
{
    const struct moment *a = x, *b = y;
    return a->ts < b->ts ? -1 : a->ts > b->ts;
}

/* The steps of a source, added to a lane. */
static bool add_steps(struct lane *l, uint32_t source, const struct tr_source_summary *of)
{
    if (!of->n_steps)
        return true;
    if (!tr_grow(&l->steps, &l->cap_steps, l->n_steps + of->n_steps, sizeof *l->steps))
        return false;
    for (size_t i = 0; i < of->n_steps; i++) {
        struct step *s = &l->steps[l->n_steps];
        memset(s, 0, sizeof *s);
        s->at = of->steps[i];
        s->source = source;
        l->n_steps += s->at.end >= s->at.start && tr_time_diff(s->at.end, s->at.start) != TR_TIME_NONE;
    }
    return true;
}

static bool make_lane(const struct steps *s, const struct tr_group_key *key, struct lane *l)
{
    const struct tr_dict *d = s->in.dict;
    *l = (struct lane){ .busy = TR_UNION_INIT };
    for (uint32_t i = 0; s->summary && i < s->summary->n && i < d->n_sources; i++)
        if ((d->sources[i].rank < 0 ? TR_GROUP_NONE : d->sources[i].rank) == key->rank &&
            d->sources[i].capture == key->capture && !add_steps(l, i, &s->summary->sources[i]))
            return false;
    l->moments = malloc((2 * l->n_steps + 1) * sizeof *l->moments);
    if (!l->moments)
        return false;
    if (l->n_steps)
        qsort(l->steps, l->n_steps, sizeof *l->steps, by_start);
    for (size_t i = 0; i < l->n_steps; i++) {
        l->moments[l->n_moments++] = (struct moment){ l->steps[i].at.start, i, false };
        l->moments[l->n_moments++] = (struct moment){ l->steps[i].at.end, i, true };
    }
    if (l->n_moments)
        qsort(l->moments, l->n_moments, sizeof *l->moments, by_ts);
    return true;
}

static bool more_lanes(struct steps *s)
{
    if (!tr_grow(&s->lanes, &s->cap_lanes, s->work.n_groups, sizeof *s->lanes))
        return false;
    for (; s->n_lanes < s->work.n_groups; s->n_lanes++)
        if (!make_lane(s, &s->work.groups[s->n_lanes], &s->lanes[s->n_lanes]))
            return s->n_lanes++, false; /* to be freed */
    return true;
}

/*
 * Find the busy time at the moments until ts.  All work so far began before the moments that are still open.  So the
 * part of the union after such a moment is one stretch.
 */
static void answer(struct lane *l, int64_t ts)
{
    for (; l->next < l->n_moments && l->moments[l->next].ts <= ts; l->next++) {
        const struct moment *m = &l->moments[l->next];
        struct step *s = &l->steps[m->step];
        uint64_t after = l->busy.end_ns > m->ts ? (uint64_t)l->busy.end_ns - (uint64_t)m->ts : 0;
        *(m->end ? &s->busy_until : &s->busy_before) = l->busy.sum_ns - after;
    }
}

/* ---- gaps ---- */

/* The step that began last before ts, if ts is still in it. */
static struct step *step_at(const struct lane *l, int64_t ts)
{
    size_t low = 0, high = l->n_steps;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->steps[mid].at.start <= ts)
            low = mid + 1;
        else
            high = mid;
    }
    return low && ts < l->steps[low - 1].at.end ? &l->steps[low - 1] : NULL;
}

/* A rank is idle from the start of the step to its first work. */
static int64_t step_start(void *self, uint32_t group, int64_t ts)
{
    const struct steps *s = self;
    const struct step *at = step_at(&s->lanes[group], ts);
    return at ? at->at.start : TR_TIME_NONE;
}

static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    const struct steps *s = self;
    struct step *at = step_at(&s->lanes[gap->group], gap->end);
    for (size_t i = 0; at && i < gap->n_parts; i++) {
        const struct tr_idle_part *p = &gap->parts[i];
        int64_t sum = tr_time_sum(at->idle[p->cause], p->ns);
        at->idle[p->cause] = sum == TR_TIME_NONE ? INT64_MAX : sum;
        if (p->ns > at->longest[p->cause]) {
            at->longest[p->cause] = p->ns;
            at->during[p->cause] = p->during;
        }
    }
    return true;
}

/* ---- the analysis ---- */

static void steps_free(void *state)
{
    struct steps *s = state;
    for (size_t i = 0; i < s->n_lanes; i++) {
        free(s->lanes[i].steps);
        free(s->lanes[i].moments);
    }
    free(s->lanes);
    tr_group_by_free(&s->work);
    tr_idle_free(s->idle);
    tr_summary_free(s->summary);
    free(s);
}

/* Steps are selected, not work: all work is read, so that a step has the gap before its first work. */
static enum tr_status steps_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct tr_group_by_opts work = in->work;
    struct steps *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    work.per = TR_PER_RANK;
    if (in->summary && !(s->summary = tr_summary_copy(in->summary)))
        return tr_fail_memory(err);
    enum tr_status st = tr_group_by_init(&s->work, &work, in->dict, in->summary, in->sorted, NULL, err);
    if (st == TR_OK)
        st = tr_idle_new(&work, o->threshold, in->dict, in->summary, in->sorted, NULL, see_gap, s, &s->idle, err);
    if (st == TR_OK)
        tr_idle_set_lead(s->idle, step_start);
    return st;
}

static enum tr_status steps_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                 struct tr_error *err)
{
    struct steps *s = state;
    struct tr_group_by_item item;
    (void)t;
    if (!s->in.select || !tr_select_has_where(s->in.select))
        keep = NULL;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        if (!tr_group_by_counts(&s->work, i))
            continue;
        if (!tr_group_by_item(&s->work, i, &item) || (item.group >= s->n_lanes && !more_lanes(s)))
            return tr_fail_memory(err);
        answer(&s->lanes[item.group], item.start);
        tr_union_add(&s->lanes[item.group].busy, item.start, item.end);
    }
    return st == TR_OK ? tr_idle_feed(s->idle, b, keep, err) : st;
}

static void row(const struct steps *s, struct tr_table *t, const struct tr_group_key *key, const struct step *at)
{
    int64_t dur = at->at.end - at->at.start, busy = (int64_t)(at->busy_until - at->busy_before);
    unsigned most = 0;
    for (unsigned c = 1; c < TR_N_IDLE_CAUSES; c++)
        most = at->idle[c] > at->idle[most] ? c : most;
    tr_group_cells(t, s->in.work.per, key);
    if (s->in.work.per == TR_PER_ALL && key->rank == TR_GROUP_NONE)
        tr_table_absent(t);
    else if (s->in.work.per == TR_PER_ALL)
        tr_table_int(t, key->rank);
    tr_table_int(t, at->at.number);
    tr_table_time(t, tr_source_to_file(&s->in.dict->sources[at->source], at->at.start));
    tr_table_time(t, dur);
    tr_table_time(t, busy);
    tr_table_time(t, dur - busy);
    tr_table_pct(t, dur - busy, dur);
    tr_table_string(t, at->idle[most] ? tr_idle_cause_name((enum tr_idle_cause)most) : NULL);
    tr_table_time(t, at->idle[most]);
    tr_table_text(t, tr_dict_text_if(s->in.dict, at->idle[most] ? at->during[most] : TR_NO_STR));
}

/* A selected step. */
struct chosen {
    const struct tr_group_key *key;
    const struct step *step;
    size_t place; /* in the order of ranks and time */
};

/* Of one number, the longest first. */
static int by_number(const void *x, const void *y)
{
    const struct chosen *a = x, *b = y;
    if (a->key->capture != b->key->capture)
        return a->key->capture < b->key->capture ? -1 : 1;
    if (a->step->at.number != b->step->at.number)
        return a->step->at.number < b->step->at.number ? -1 : 1;
    int64_t dur_a = a->step->at.end - a->step->at.start, dur_b = b->step->at.end - b->step->at.start;
    return dur_a != dur_b ? (dur_a > dur_b ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

/* All selected steps in the order of ranks and time.  NULL: out of memory. */
static struct chosen *choose(struct steps *s, const uint32_t *order, size_t *n)
{
    size_t most = 1;
    for (size_t g = 0; g < s->n_lanes; g++)
        most += s->lanes[g].n_steps;
    struct chosen *all = calloc(most, sizeof *all);
    *n = 0;
    for (size_t g = 0; all && g < s->n_lanes; g++) {
        struct lane *l = &s->lanes[order[g]];
        answer(l, INT64_MAX);
        for (size_t i = 0; i < l->n_steps; i++) {
            if (s->in.select && !tr_select_step(s->in.select, l->steps[i].source, &l->steps[i].at))
                continue;
            all[*n] = (struct chosen){ &s->work.groups[order[g]], &l->steps[i], *n };
            ++*n;
        }
    }
    return all;
}

static enum tr_status steps_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct steps *s = state;
    bool once = s->in.work.per == TR_PER_ALL; /* each step on its slowest rank */
    enum tr_status st = tr_idle_finish(s->idle, err);
    if (st == TR_OK)
        st = tr_group_by_finish(&s->work, err); /* ranks without device work have steps, too */
    if (st == TR_OK && !more_lanes(s))
        st = tr_fail_memory(err);
    uint32_t *order = st == TR_OK ? tr_group_by_order(&s->work) : NULL;
    size_t n = 0;
    struct chosen *all = order ? choose(s, order, &n) : NULL;
    if (st == TR_OK && !all)
        st = tr_fail_memory(err);
    if (once && n)
        qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        if (once && i && all[i].step->at.number == all[i - 1].step->at.number &&
            all[i].key->capture == all[i - 1].key->capture)
            continue;
        row(s, t, all[i].key, all[i].step);
        st = tr_table_status(t, err);
    }
    free(all);
    free(order);
    return st;
}

static const struct tr_idle_options defaults = TR_IDLE_DEFAULTS;

const struct tr_analysis tr_analysis_step = {
    .name = "step",
    .question = "How long did each step take, and what did the devices wait for?",
    .nothing = "no numbered step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .defaults = &defaults,
    .needs = needs,
    .columns = add_columns,
    .start = steps_start,
    .feed = steps_feed,
    .finish = steps_finish,
    .free = steps_free,
    .unsaved = "causes of idle time have no saved form",
};
