/* SPDX-License-Identifier: MIT */
/* How long did each step take, what did the devices do in that time, and what did they wait for? */
#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_step_ends.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"

#include <stdlib.h>

/*
 * Idle time by one cause, of gaps that end by `at` and after the part before.  When a step ends is known only after the
 * last event.  So parts are kept, and those between which no step can end are merged from time to time.
 */
struct part {
    int64_t at, sum, longest;
    uint32_t during; /* in the longest one */
    uint8_t cause;
};

/* A rank. */
struct lane {
    int64_t *cuts; /* starts and ends of its steps on the host, in order */
    size_t n_cuts, cap_cuts;
    struct part *parts; /* in order of time */
    size_t n_parts, cap_parts, limit;
    bool worked;
    int64_t last_end; /* of its work */
};

struct steps {
    struct tr_analysis_in in;
    struct tr_group_by work;
    struct tr_idle *idle;
    struct tr_step_ends *ends;
    struct tr_summary *summary;
    struct lane *lanes; /* by group */
    size_t n_lanes, cap_lanes;
};

#define FEW_PARTS 16u

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.derived = TR_STEPS_DERIVED | 1u << TR_COL_LAUNCH_DUR;
    n->want.any_rank_order = true;
    n->all_in_any_order = true;
}

struct row {
    int64_t rank; /* TR_I64_NONE: unknown */
    int64_t number, start, time, dur, between, lead, busy, idle, cause_idle;
    const char *cause;
    uint32_t during;
};

static const struct tr_table_column slowest_column = { "rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct row, rank),
                                                       .meaning = "the rank on which the step takes longest" };
static const struct tr_table_column columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, number), .meaning = "number of the step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct row, start), .label = true, .extra = true,
      .meaning = "when the host starts it, as in the file" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, time), .main = true,
      .meaning = "from the end of the step before to its own end" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "how long it takes on the host" },
    { "between", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, between), .extra = true,
      .meaning = "inference: from the end of the step before to its start" },
    { "lead", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, lead), .extra = true,
      .meaning = "first step: the part of its time before its first work; not idle time" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, busy), .extra = true,
      .meaning = "some device work ran meanwhile" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, idle), .main = true,
      .meaning = "nothing ran on any stream meanwhile" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "idle", .per = "time",
      .meaning = "share of its time" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, cause), .main = true,
      .meaning = "the largest cause of this idle time, as in --by cause" },
    { "cause_idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, cause_idle), .meaning = "idle time by that cause" },
    { "during", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, during), .names = true,
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

/* ---- ranks ---- */

static int by_time(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static bool belongs(const struct steps *s, uint32_t source, uint32_t group)
{
    const struct tr_source *of = &s->in.dict->sources[source];
    const struct tr_group_key *key = &s->work.groups[group];
    return (of->rank < 0 ? TR_GROUP_NONE : of->rank) == key->rank && of->capture == key->capture;
}

static bool make_lane(const struct steps *s, uint32_t group, struct lane *l)
{
    const struct tr_dict *d = s->in.dict;
    *l = (struct lane){ .limit = FEW_PARTS };
    for (uint32_t i = 0; s->summary && i < s->summary->n && i < d->n_sources; i++) {
        const struct tr_source_summary *of = &s->summary->sources[i];
        if (!belongs(s, i, group) || !of->n_steps)
            continue;
        if (!tr_grow(&l->cuts, &l->cap_cuts, l->n_cuts + 2 * of->n_steps, sizeof *l->cuts))
            return false;
        for (size_t k = 0; k < of->n_steps; k++) {
            l->cuts[l->n_cuts++] = of->steps[k].start;
            l->cuts[l->n_cuts++] = of->steps[k].end;
        }
    }
    if (l->n_cuts)
        qsort(l->cuts, l->n_cuts, sizeof *l->cuts, by_time);
    return true;
}

static bool more_lanes(struct steps *s)
{
    if (!tr_grow(&s->lanes, &s->cap_lanes, s->work.n_groups, sizeof *s->lanes))
        return false;
    for (; s->n_lanes < s->work.n_groups; s->n_lanes++)
        if (!make_lane(s, (uint32_t)s->n_lanes, &s->lanes[s->n_lanes]))
            return s->n_lanes++, false; /* to be freed */
    return true;
}

/* ---- gaps ---- */

/* A rank is idle from the start of its first step to its first work. */
static int64_t first_step(void *self, uint32_t group, int64_t ts)
{
    const struct steps *s = self;
    const struct lane *l = &s->lanes[group];
    return l->n_cuts && l->cuts[0] < ts ? l->cuts[0] : TR_TIME_NONE;
}

/* Gaps are cut where a step starts or ends on the host, because its time may end there. */
static int64_t next_cut(void *self, uint32_t group, int64_t ts)
{
    const struct steps *s = self;
    const struct lane *l = &s->lanes[group];
    size_t low = 0, high = l->n_cuts;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->cuts[mid] <= ts)
            low = mid + 1;
        else
            high = mid;
    }
    return low < l->n_cuts ? l->cuts[low] : INT64_MAX;
}

static int64_t sum_of(int64_t a, int64_t b)
{
    int64_t sum = tr_time_sum(a, b);
    return sum == TR_TIME_NONE ? INT64_MAX : sum;
}

static void merge(struct part *to, const struct part *more)
{
    to->at = more->at;
    to->sum = sum_of(to->sum, more->sum);
    if (more->longest > to->longest) {
        to->longest = more->longest;
        to->during = more->during;
    }
}

/* Merge parts of one cause between which no step can end.  Bounds of later work are after all parts. */
static bool shorten(const struct steps *s, uint32_t group)
{
    struct lane *l = &s->lanes[group];
    int64_t *bounds = NULL;
    size_t n_bounds = 0, cap = 0, n = 0, passed = 0, of[TR_N_IDLE_CAUSES];
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->in.dict->n_sources; i++)
        ok = !belongs(s, i, group) || tr_step_ends_bounds(s->ends, i, &bounds, &n_bounds, &cap);
    if (ok && n_bounds)
        qsort(bounds, n_bounds, sizeof *bounds, by_time);
    for (size_t c = 0; c < TR_N_IDLE_CAUSES; c++)
        of[c] = SIZE_MAX;
    for (size_t i = 0; ok && i < l->n_parts; i++) {
        const struct part p = l->parts[i];
        size_t before = passed;
        while (passed < n_bounds && bounds[passed] < p.at)
            passed++;
        for (size_t c = 0; c < TR_N_IDLE_CAUSES && passed > before; c++)
            of[c] = SIZE_MAX;
        if (of[p.cause] == SIZE_MAX)
            l->parts[of[p.cause] = n++] = p;
        else
            merge(&l->parts[of[p.cause]], &p);
    }
    if (ok) {
        l->n_parts = n;
        l->limit = 2 * n + n_bounds + FEW_PARTS; /* so shortening takes little time for each part */
    }
    free(bounds);
    return ok;
}

static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    const struct steps *s = self;
    struct lane *l = &s->lanes[gap->group];
    if (l->n_parts + gap->n_parts > l->limit && !shorten(s, gap->group))
        return false;
    if (!tr_grow(&l->parts, &l->cap_parts, l->n_parts + gap->n_parts, sizeof *l->parts))
        return false;
    for (size_t i = 0; i < gap->n_parts; i++) {
        const struct tr_idle_part *p = &gap->parts[i];
        l->parts[l->n_parts++] = (struct part){ gap->end, p->ns, p->ns, p->during, (uint8_t)p->cause };
    }
    return true;
}

/* ---- the analysis ---- */

static void steps_free(void *state)
{
    struct steps *s = state;
    for (size_t i = 0; i < s->n_lanes; i++) {
        free(s->lanes[i].cuts);
        free(s->lanes[i].parts);
    }
    free(s->lanes);
    tr_group_by_free(&s->work);
    tr_idle_free(s->idle);
    tr_step_ends_free(s->ends);
    tr_summary_free(s->summary);
    free(s);
}

/* Steps are selected, not work: all work is read, because the end of a step depends on that of the step before. */
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
    if (!(s->ends = tr_step_ends_new(in->dict, in->summary)))
        return tr_fail_memory(err);
    enum tr_status st = tr_group_by_init(&s->work, &work, in->dict, in->summary, in->sorted, NULL, err);
    if (st == TR_OK)
        st = tr_idle_new(&work, o->threshold, in->dict, in->summary, in->sorted, NULL, see_gap, s, &s->idle, err);
    if (st == TR_OK) {
        tr_idle_set_lead(s->idle, first_step);
        tr_idle_set_cut(s->idle, next_cut);
    }
    return st;
}

static enum tr_status steps_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                 struct tr_error *err)
{
    struct steps *s = state;
    struct tr_group_by_item item;
    (void)t;
    keep = tr_select_where_alone(s->in.select);
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        if (!tr_group_by_counts(&s->work, i))
            continue;
        if (!tr_group_by_item(&s->work, i, &item) || (item.group >= s->n_lanes && !more_lanes(s)))
            return tr_fail_memory(err);
        struct lane *l = &s->lanes[item.group];
        l->last_end = l->worked && l->last_end > item.end ? l->last_end : item.end;
        l->worked = true;
    }
    if (st == TR_OK && !tr_step_ends_feed(s->ends, b, keep))
        return tr_fail_memory(err);
    return st == TR_OK ? tr_idle_feed(s->idle, b, keep, err) : st; /* after the ends, for shorten */
}

/* ---- rows ---- */

/* The idle time of a step. */
struct idle {
    int64_t all;
    struct part of[TR_N_IDLE_CAUSES];
};

static void add_idle(const struct lane *l, const struct tr_step_span *s, struct idle *idle)
{
    int64_t from = s->start + s->lead, after = l->worked && l->last_end > from ? l->last_end : from;
    size_t low = 0, high = l->n_parts;
    *idle = (struct idle){ .all = s->end > after ? s->end - after : 0 };
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->parts[mid].at <= from)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < l->n_parts && l->parts[low].at <= s->end; low++) {
        merge(&idle->of[l->parts[low].cause], &l->parts[low]);
        idle->all = sum_of(idle->all, l->parts[low].sum);
    }
    idle->all = idle->all < s->end - from ? idle->all : s->end - from;
}

static void put_step(const struct steps *s, struct tr_table *t, uint32_t group, const struct tr_step_span *at)
{
    const struct tr_group_key *key = &s->work.groups[group];
    int64_t time = tr_step_span_time(at);
    struct idle idle;
    unsigned max = 0;
    add_idle(&s->lanes[group], at, &idle);
    for (unsigned c = 1; c < TR_N_IDLE_CAUSES; c++)
        max = idle.of[c].sum > idle.of[max].sum ? c : max;
    const struct row row = {
        .rank = key->rank == TR_GROUP_NONE ? TR_I64_NONE : key->rank,
        .number = at->at.number,
        .start = tr_source_to_file(&s->in.dict->sources[at->source], at->at.start),
        .time = time,
        .dur = at->at.end - at->at.start,
        .between = at->between,
        .lead = at->lead,
        .busy = time - at->lead - idle.all,
        .idle = idle.all,
        .cause_idle = idle.of[max].sum,
        .cause = idle.of[max].sum ? tr_idle_cause_name(max) : NULL,
        .during = idle.of[max].sum ? idle.of[max].during : TR_NO_STR,
    };
    tr_table_row(t, &(struct tr_row){ .group = key, .row = &row });
}

/* A selected step. */
struct chosen {
    const struct tr_group_key *key;
    const struct tr_step_span *step;
    uint32_t group;
    size_t place; /* in the order of ranks and time */
};

/* In the order of ranks, by start. */
static int by_start(const void *x, const void *y)
{
    const struct chosen *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    const struct tr_step *s = &a->step->at, *t = &b->step->at;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    if (s->end != t->end)
        return s->end > t->end ? -1 : 1;
    if (s->number != t->number)
        return s->number < t->number ? -1 : 1;
    if (a->step->source != b->step->source)
        return a->step->source < b->step->source ? -1 : 1;
    return a->step->place < b->step->place ? -1 : a->step->place > b->step->place;
}

/* Of one number, the longest first. */
static int by_number(const void *x, const void *y)
{
    const struct chosen *a = x, *b = y;
    if (a->key->capture != b->key->capture)
        return a->key->capture < b->key->capture ? -1 : 1;
    if (a->step->at.number != b->step->at.number)
        return a->step->at.number < b->step->at.number ? -1 : 1;
    int64_t time_a = tr_step_span_time(a->step), time_b = tr_step_span_time(b->step);
    return time_a != time_b ? (time_a > time_b ? -1 : 1) : (a->place > b->place) - (a->place < b->place);
}

/* All selected steps in the order of ranks and time.  NULL: out of memory. */
static struct chosen *choose(const struct steps *s, const uint32_t *order, size_t *n)
{
    size_t n_spans;
    const struct tr_step_span *spans = tr_step_ends_rows(s->ends, &n_spans);
    struct chosen *all = calloc(n_spans + 1, sizeof *all);
    *n = 0;
    for (size_t i = 0; all && i < n_spans; i++) {
        size_t g = 0;
        if (s->in.select && !tr_select_step(s->in.select, spans[i].source, &spans[i].at))
            continue;
        while (g < s->n_lanes && !belongs(s, spans[i].source, order[g]))
            g++;
        if (g < s->n_lanes)
            all[(*n)++] = (struct chosen){ &s->work.groups[order[g]], &spans[i], order[g], g };
    }
    if (all && *n)
        qsort(all, *n, sizeof *all, by_start);
    for (size_t i = 0; i < *n; i++)
        all[i].place = i;
    return all;
}

static void remark_steps(const struct steps *s)
{
    char text[200];
    for (int which = 0; which < TR_N_STEP_REMARKS; which++)
        if (tr_step_ends_remark(s->ends, s->in.select, (enum tr_step_remark)which, text, sizeof text))
            tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%s", text);
}

static enum tr_status steps_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct steps *s = state;
    bool once = s->in.work.per == TR_PER_ALL; /* each step on its slowest rank */
    enum tr_status st = tr_idle_finish(s->idle, err);
    if (st == TR_OK)
        st = tr_group_by_finish(&s->work, err); /* ranks without device work have steps, too */
    if (st == TR_OK && (!more_lanes(s) || !tr_step_ends_finish(s->ends)))
        st = tr_fail_memory(err);
    uint32_t *order = st == TR_OK ? tr_group_by_order(&s->work) : NULL;
    size_t n = 0;
    struct chosen *all = order ? choose(s, order, &n) : NULL;
    if (st == TR_OK && !all)
        st = tr_fail_memory(err);
    if (st == TR_OK)
        remark_steps(s);
    if (once && n)
        qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        if (once && i && all[i].step->at.number == all[i - 1].step->at.number &&
            all[i].key->capture == all[i - 1].key->capture)
            continue;
        put_step(s, t, all[i].group, all[i].step);
        st = tr_table_status(t, err);
    }
    free(all);
    free(order);
    return st;
}

const struct tr_analysis tr_analysis_step = {
    .name = "step",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "step", .y = { "busy", "idle" }, .facet = "rank" },
    .question = "How long did each step take, and what did the devices wait for?",
    .nothing = "no numbered step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = needs,
    .columns = add_columns,
    .start = steps_start,
    .feed = steps_feed,
    .finish = steps_finish,
    .free = steps_free,
    .saving = &tr_saving_ranks,
};
