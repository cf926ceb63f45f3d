/* SPDX-License-Identifier: MIT */
/* Why were devices idle?  Sums by cause, and gaps one by one. */
#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_stats.h"
#include "stream/sort/tr_record_sort.h"
#include "stream/sort/tr_record_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_TRACK;
    n->want.any_rank_order = true;
}

static void name_cell(struct tr_table *t, const struct tr_dict *d, uint32_t name)
{
    tr_table_text(t, tr_dict_text_if(d, name));
}

/* A user who looks for the idle time of a step may not expect that it starts with the first work of the step. */
static void remark_start(const struct tr_analysis_in *in)
{
    if (in->select && tr_select_by_launch(in->select))
        tr_analysis_remark(in, TR_REMARK_RESULT, "",
                           "idle time before the first selected work does not count: see tr-breakdown --by step");
}

/* ---- sums by cause ---- */

/* All parts of gaps of one group and cause, in which the host did the same; TR_NO_STR: whatever it did. */
struct entry {
    uint32_t group, during;
    enum tr_idle_cause cause;
    struct tr_stats stats;
    struct tr_hist *lengths; /* NULL: all so far are equal, or no percentiles are wanted */
};

struct sums {
    struct tr_analysis_in in;
    struct tr_idle *idle;
    bool during; /* a row for each thing that the host did */
    bool sums_only;
    struct entry *entries;
    size_t n, cap;
    struct tr_spilling entries_in; /* where the entries are */
    struct tr_hash_index index;
};

#define CAUSE_COLUMN                                                                                             \
    {                                                                                                            \
        "cause", TR_CELL_STRING, TR_ROLE_KEY, .label = true,                                                     \
        .meaning = "why nothing ran. Before the launch: host_busy, host_blocked (it waits for the device), "     \
                   "data_loading or collective_wait; in the launch: launch_overhead; after it: device_overhead " \
                   "(short) or dependency; unknown: no launch is known; edge: before the first work of a "       \
                   "window, or after the last"                                                                   \
    }
#define PART_COLUMNS                                                                                           \
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "time without work on any stream" },         \
        { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "idle",                                   \
          .meaning = "share of the idle time of the group" },                                                  \
        { "gaps", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of gaps that have such a part" },           \
        { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "idle", .per = "gaps", .meaning = "mean part" },          \
        { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median part" },                    \
        { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "99th percentile of the parts" },   \
        { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "longest part" },                                       \
        { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0,                                           \
          .meaning = "1: percentiles are approximate, to 2^-11 of their value" },

static const struct tr_table_column sum_columns[] = {
    CAUSE_COLUMN,
    { "during", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "what the launching thread did meanwhile" },
    PART_COLUMNS
};
static const struct tr_table_column cause_columns[] = { CAUSE_COLUMN, PART_COLUMNS };

#define DISTINCT ((size_t)1 << 16) /* lengths of a row up to which percentiles are exact */

static struct entry *entry_of(struct sums *s, uint32_t group, enum tr_idle_cause cause, uint32_t during)
{
    const uint32_t key[] = { group, (uint32_t)cause, during };
    uint64_t hash = tr_hash(key, sizeof key);
    struct tr_hash_walk walk = tr_hash_index_walk(&s->index, hash);
    for (uint32_t k; (k = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (s->entries[k].group == group && s->entries[k].cause == cause && s->entries[k].during == during)
            return &s->entries[k];
    if (s->n >= TR_HASH_NONE - 1 ||
        !tr_spilling_grow(&s->entries_in, &s->entries, &s->cap, s->n + 1, sizeof *s->entries) ||
        !tr_hash_index_add(&s->index, hash, (uint32_t)s->n))
        return NULL;
    s->entries[s->n] = (struct entry){ group, during, cause, TR_STATS_INIT, NULL };
    return &s->entries[s->n++];
}

/* A length for percentiles.  False: out of memory. */
static bool add_length(const struct sums *s, struct entry *e, int64_t ns)
{
    if (s->sums_only || (!e->lengths && (!e->stats.n || e->stats.min == ns)))
        return true;
    if (!e->lengths && (!(e->lengths = tr_hist_new(s->in.distinct ? s->in.distinct : DISTINCT)) ||
                        !tr_hist_add(e->lengths, e->stats.min, e->stats.n)))
        return false;
    return tr_hist_add(e->lengths, ns, 1);
}

static bool see_sums(void *self, const struct tr_idle_gap *gap)
{
    struct sums *s = self;
    for (size_t i = 0; i < gap->n_parts; i++) {
        const struct tr_idle_part *p = &gap->parts[i];
        tr_spilling_touched(&s->entries_in);
        struct entry *e = entry_of(s, gap->group, p->cause, s->during ? p->during : TR_NO_STR);
        if (!e || !add_length(s, e, p->ns))
            return false;
        tr_stats_add(&e->stats, p->ns);
    }
    return true;
}

static void sums_free(void *state)
{
    struct sums *s = state;
    tr_idle_free(s->idle);
    for (size_t i = 0; i < s->n; i++) {
        tr_spilling_touched(&s->entries_in);
        tr_hist_free(s->entries[i].lengths);
    }
    tr_spilling_free(&s->entries_in, s->entries);
    tr_hash_index_free(&s->index);
    free(s);
}

static enum tr_status causes_start(const struct tr_analysis_in *in, const void *options, void **state,
                                   struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct sums *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->sums_only = o->sums_only;
    s->entries_in.spill = s->index.spill = tr_strtab_spill(in->dict->strings); /* where the names are */
    return tr_idle_new(&in->work, o->threshold, in->dict, in->summary, in->sorted, in->select, see_sums, s, &s->idle,
                       err);
}

static enum tr_status sums_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    enum tr_status st = causes_start(in, options, state, err);
    if (*state)
        ((struct sums *)*state)->during = true;
    return st;
}

static enum tr_status sums_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                struct tr_error *err)
{
    struct sums *s = state;
    (void)t;
    return tr_idle_feed(s->idle, b, keep, err);
}

/*
 * An entry to be sorted, with all of its output, so that printing reads nothing else: there may be more than fit in
 * memory.  The text of `during' follows it.
 */
struct sorted {
    struct entry of;
    size_t place; /* of its group */
    int64_t sum;  /* TR_TIME_NONE: it does not fit, so it sorts as the longest */
};

static int by_sum(void *self, const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    (void)self;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->sum != b->sum)
        return (uint64_t)a->sum > (uint64_t)b->sum ? -1 : 1;
    if (a->of.cause != b->of.cause)
        return a->of.cause < b->of.cause ? -1 : 1;
    return tr_record_compare_texts((const char *)(a + 1), (const char *)(b + 1), 1);
}

/* The index of each group in the order of keys.  NULL: out of memory. */
static size_t *places_of(const struct tr_group_by *w)
{
    uint32_t *order = tr_group_by_order(w);
    size_t *places = order ? malloc((w->n_groups ? w->n_groups : 1) * sizeof *places) : NULL;
    for (size_t i = 0; places && i < w->n_groups; i++)
        places[order[i]] = i;
    free(order);
    return places;
}

/* Sort the entries, and sum up those of each group, by place. */
static enum tr_status sort_entries(const struct sums *s, struct tr_record_sort *order, int64_t *wholes,
                                   struct tr_error *err)
{
    size_t *places = places_of(tr_idle_groups(s->idle));
    struct tr_buf packed = { 0 };
    enum tr_status st = places ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < s->n && st == TR_OK; i++) {
        const struct entry *e = &s->entries[i];
        const struct sorted v = { *e, places[e->group], tr_stats_sum(&e->stats) };
        tr_spilling_touched(&s->entries_in);
        wholes[v.place] = tr_time_sum(wholes[v.place], v.sum);
        st = tr_record_start(&packed, &v, sizeof v) &&
                     tr_record_add_text(&packed, tr_dict_text_if(s->in.dict, e->during))
                 ? tr_record_sort_add(order, packed.data, packed.len, err)
                 : tr_fail_memory(err);
    }
    free(places);
    tr_buf_free(&packed);
    return st == TR_OK ? tr_record_sort_merge(order, err) : st;
}

/* A percentile of the parts of an entry; NaN: none is wanted. */
static double part_quantile(const struct sums *s, const struct entry *e, unsigned percent)
{
    if (e->lengths)
        return tr_hist_quantile(e->lengths, percent, 100);
    return s->sums_only ? NAN : (double)e->stats.min;
}

static void sum_row(const struct sums *s, struct tr_table *t, const struct sorted *v, int64_t whole)
{
    const struct entry *e = &v->of;
    const char *text = (const char *)(v + 1);
    if (e->lengths)
        tr_hist_seal(e->lengths);
    tr_group_cells(t, s->in.work.per, &tr_idle_groups(s->idle)->groups[e->group]);
    tr_table_string(t, tr_idle_cause_name(e->cause));
    if (s->during)
        tr_table_text(t, tr_record_next_text(&text));
    tr_table_time(t, v->sum);
    tr_table_pct(t, v->sum, whole);
    tr_table_count(t, e->stats.n);
    tr_table_time_f(t, tr_stats_mean(&e->stats));
    tr_table_time_f(t, part_quantile(s, e, 50));
    tr_table_time_f(t, part_quantile(s, e, 99));
    tr_table_time(t, e->stats.max);
    tr_table_count(t, e->lengths && tr_hist_approx(e->lengths));
}

static enum tr_status sums_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct sums *s = state;
    struct tr_record_sort *order = NULL;
    const void *v;
    size_t len;
    enum tr_status st = tr_idle_finish(s->idle, err);
    int64_t *wholes = calloc(tr_idle_groups(s->idle)->n_groups + 1, sizeof *wholes);
    if (st == TR_OK)
        st = wholes ? tr_record_sort_new(&order, s->in.max_memory / 2, s->in.temp_dir, by_sum, NULL, err)
                    : tr_fail_memory(err);
    if (st == TR_OK)
        st = sort_entries(s, order, wholes, err);
    while (st == TR_OK && (st = tr_record_sort_next(order, &v, &len, err)) == TR_OK) {
        sum_row(s, t, v, wholes[((const struct sorted *)v)->place]);
        st = tr_table_status(t, err);
    }
    st = st == TR_END ? TR_OK : st;
    tr_record_sort_free(order);
    free(wholes);
    remark_start(&s->in);
    if (st == TR_OK && !tr_group_remark_devices(&s->in, tr_idle_groups(s->idle), NULL))
        st = tr_fail_memory(err);
    return st;
}

const struct tr_idle_options tr_idle_defaults = TR_IDLE_DEFAULTS;
const struct tr_option tr_idle_settings[] = {
    { 0, "threshold", "TIME", TR_OPTION_TIME, offsetof(struct tr_idle_options, threshold), .lo = 0, .hi = INT64_MAX,
      .help = "a shorter wait after the launch is overhead of the device [30us]" },
    { 0 },
};

const struct tr_analysis tr_analysis_idle = {
    .name = "idle",
    .compares = true,
    .question = "Why were the devices idle, and what did the host do meanwhile?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(sum_columns),
    .start = sums_start,
    .feed = sums_feed,
    .finish = sums_finish,
    .free = sums_free,
    .unsaved = "causes cannot be saved",
};

const struct tr_analysis tr_analysis_cause = {
    .name = "cause",
    .compares = true,
    .question = "Why were the devices idle?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(cause_columns),
    .start = causes_start,
    .feed = sums_feed,
    .finish = sums_finish,
    .free = sums_free,
    .unsaved = "causes cannot be saved",
};

/* ---- gap by gap ---- */

struct one {
    int64_t start, length, part;
    uint32_t group, during, before, after;
    enum tr_idle_cause cause;
    size_t place, seq;
};

struct gaps {
    struct tr_analysis_in in;
    struct tr_idle *idle;
    struct one *all;
    size_t n, cap;
};

static const struct tr_table_column gap_columns[] = {
    { "start", TR_CELL_TIME, TR_ROLE_KEY, .label = true, .meaning = "start of the gap, as in its file" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "its length" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "cause of the largest part of the gap, as in --by cause" },
    { "cause_part", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "length of that part" },
    { "during", TR_CELL_STRING, TR_ROLE_TEXT, .names = true,
      .meaning = "what the launching thread did during that part" },
    { "before", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "work that ended last before the gap" },
    { "after", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "work that ends the gap" },
};

static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    struct gaps *s = self;
    const struct tr_idle_part *max = &gap->parts[0];
    for (size_t i = 1; i < gap->n_parts; i++)
        max = gap->parts[i].ns > max->ns ? &gap->parts[i] : max;
    if (!tr_grow(&s->all, &s->cap, s->n + 1, sizeof *s->all))
        return false;
    s->all[s->n] = (struct one){ gap->start,  gap->end - gap->start, max->ns, gap->group, max->during,
                                 gap->before, gap->after,            max->cause, 0,       s->n };
    s->n++;
    return true;
}

static void gaps_free(void *state)
{
    struct gaps *s = state;
    tr_idle_free(s->idle);
    free(s->all);
    free(s);
}

static enum tr_status gaps_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct gaps *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    return tr_idle_new(&in->work, o->threshold, in->dict, in->summary, in->sorted, in->select, see_gap, s, &s->idle,
                       err);
}

static enum tr_status gaps_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                struct tr_error *err)
{
    struct gaps *s = state;
    (void)t;
    return tr_idle_feed(s->idle, b, keep, err);
}

static int by_length(const void *x, const void *y)
{
    const struct one *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->start != b->start ? (a->start < b->start ? -1 : 1) : a->seq < b->seq ? -1 : a->seq > b->seq;
}

/* Times as in the file: for a group of several sources, those of the lowest rank. */
static int64_t file_time(const struct gaps *s, const struct tr_group_key *key, int64_t at)
{
    const struct tr_dict *d = s->in.dict;
    const struct tr_source *of = NULL;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        const struct tr_source *source = &d->sources[i];
        bool its = (key->rank == TR_GROUP_NONE || source->rank == key->rank) && source->capture == key->capture;
        if (its && (!of || (uint64_t)source->rank < (uint64_t)of->rank))
            of = source;
    }
    return of ? tr_source_to_file(of, at) : at;
}

static enum tr_status gaps_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct gaps *s = state;
    const struct tr_group_by *w = tr_idle_groups(s->idle);
    enum tr_status st = tr_idle_finish(s->idle, err);
    size_t *places = st == TR_OK ? places_of(w) : NULL;
    if (st == TR_OK && !places)
        st = tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < s->n; i++)
        s->all[i].place = places[s->all[i].group];
    free(places);
    if (st == TR_OK && s->n)
        qsort(s->all, s->n, sizeof *s->all, by_length);
    remark_start(&s->in);
    if (st == TR_OK && !tr_group_remark_devices(&s->in, w, NULL))
        st = tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < s->n; i++) {
        const struct one *g = &s->all[i];
        const struct tr_group_key *key = &w->groups[g->group];
        tr_group_cells(t, s->in.work.per, key);
        tr_table_time(t, file_time(s, key, g->start));
        tr_table_time(t, g->length);
        tr_table_string(t, tr_idle_cause_name(g->cause));
        tr_table_time(t, g->part);
        name_cell(t, s->in.dict, g->during);
        name_cell(t, s->in.dict, g->before);
        name_cell(t, s->in.dict, g->after);
        st = tr_table_status(t, err);
    }
    return st;
}

const struct tr_analysis tr_analysis_gap = {
    .name = "gap",
    .joins = true,
    .compares = true,
    .question = "Which were the longest gaps in the work of the devices, and why?",
    .nothing = "the devices were never idle, or no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(gap_columns),
    .start = gaps_start,
    .feed = gaps_feed,
    .finish = gaps_finish,
    .free = gaps_free,
    .unsaved = "it lists single gaps",
};
