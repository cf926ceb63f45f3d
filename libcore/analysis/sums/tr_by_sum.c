/* SPDX-License-Identifier: MIT */
/* Sums of any groups of events. */
#include "analysis/sums/tr_sum_rows_int.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "engine/tr_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An event whose keys or value are not all known yet. */
struct waiting {
    int64_t ts, value;
    bool taken;
};

struct sum_state {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_analysis_in in;
    const struct tr_sum_options *options;
    struct tr__sum_keys keys;
    struct tr__sum_values values;
    struct tr__sum_recent recent;
    struct tr_group_by all; /* one group of everything */
    struct tr_row_type type;
    struct waiting *waiting; /* by ticket, and its codes */
    int64_t *waiting_codes;
    size_t cap_waiting, cap_codes;
    struct tr__sum_group rest; /* histograms: of the groups beyond those that are shown */
    uint64_t n_shown, n_rest;
    bool scaled;
    struct tr__sum_shown shown;
    struct tr_table *t;
};

static enum tr_status check(const void *options, struct tr_error *err)
{
    const struct tr_sum_options *o = options;
    struct tr_sum_stat stats[TR_SUM_STATS];
    if (!o || !o->n_keys)
        return tr_fail(err, TR_USAGE, "there is no key");
    size_t n = tr__sum_stats(o, stats);
    if (o->hist != TR_SUM_NO_HIST && (o->n_stats || o->value == TR_SUM_OF_EVENT))
        return tr_fail(err, TR_USAGE, o->n_stats ? "--hist has its own columns: it does not go with --stat"
                                                 : "--hist needs a value, and --value event has none");
    for (size_t i = 0; i < n && o->value == TR_SUM_OF_EVENT; i++)
        if (stats[i].what != TR_SUM_COUNT && stats[i].what != TR_SUM_SHARE)
            return tr_fail(err, TR_USAGE, "the statistic '%s' needs a value, and --value event has none",
                           stats[i].name);
    return TR_OK;
}

static void need_field(enum tr_field_id f, struct tr_needs *n)
{
    n->want.fixed |= tr_event_fields[f].fixed;
    n->want.derived |= tr_event_fields[f].derived;
}

static void needs(const void *options, struct tr_needs *n)
{
    const struct tr_sum_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.any_rank_order = n->all_in_any_order = true;
    n->host = true;
    for (size_t k = 0; k < o->n_keys; k++)
        if (o->keys[k].from == TR_SUM_FIELD)
            need_field(o->keys[k].field, n);
    if (o->value == TR_SUM_OF_FIELD)
        need_field(o->field, n);
    if (o->value == TR_SUM_OF_QUEUE)
        n->want.derived |= 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR;
    if (tr_sum_asks_above(o)) {
        n->want.fixed |= TR_ENCLOSING_FIXED;
        n->want.derived |= TR_ENCLOSING_DERIVED;
    }
    n->want.keys = o->args;
    n->want.n_keys = o->n_args;
}

static void columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    tr__sum_columns(options, t);
}

/* ---- the run ---- */

static void release(void *state)
{
    struct sum_state *s = state;
    tr_rows_free(s->rows);
    tr_group_by_free(&s->all);
    tr__sum_keys_free(&s->keys);
    tr__sum_values_free(&s->values);
    free(s->waiting);
    free(s->waiting_codes);
    tr_sample_free(&s->rest.values);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct sum_state *s = state;
    s->in = *in;
    s->options = options;
    s->values.options = options;
    s->values.dict = in->dict;
    s->values.select = in->select;
    s->values.suspect = in->work.suspect;
    const struct tr_group_by_opts all = { .per = TR_PER_ALL };
    const struct tr_group_key key = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0 };
    uint32_t group;
    s->type = tr__sum_type;
    enum tr_status st = tr__sum_keys_init(&s->keys, options, in, err);
    s->type.key_size = offsetof(struct tr__sum_group, codes) + s->keys.n * sizeof(int64_t);
    if (st == TR_OK)
        st = tr_group_by_init(&s->all, &all, in->dict, in->summary, true, NULL, err);
    if (st != TR_OK)
        return st;
    s->rows = tr_rows_new(&s->type, in, &s->all, !tr__sum_asks_values(options));
    if (!s->rows || !tr_group_by_key_group(&s->all, &key, &group))
        return tr_fail_memory(err);
    tr_rows_owner(s->rows, &s->keys);
    return TR_OK;
}

/* ---- events that wait ---- */

static bool wait_for(struct sum_state *s, const struct tr_batch *b, size_t i, const int64_t *codes, uint32_t ticket)
{
    size_t n = s->keys.n;
    size_t old = s->cap_waiting;
    if (!tr_grow(&s->waiting, &s->cap_waiting, (size_t)ticket + 1, sizeof *s->waiting) ||
        !tr_grow(&s->waiting_codes, &s->cap_codes, s->cap_waiting * n, sizeof *s->waiting_codes))
        return false;
    for (; old < s->cap_waiting; old++)
        s->waiting[old].taken = false;
    s->waiting[ticket] = (struct waiting){ b->ts[i], s->values.value[i], true };
    memcpy(s->waiting_codes + ticket * n, codes, n * sizeof *codes);
    return true;
}

/* The missing keys or value have come. */
static enum tr_status take_done(struct sum_state *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    const struct tr_enclosing_spans *a = s->keys.above;
    for (size_t i = 0; a && i < a->n_done && st == TR_OK; i++) {
        const struct tr_enclosing_done *d = &a->done[i];
        if (d->ticket >= s->cap_waiting || !s->waiting[d->ticket].taken)
            continue;
        struct waiting *w = &s->waiting[d->ticket];
        int64_t *codes = s->waiting_codes + d->ticket * s->keys.n;
        bool ok = true;
        w->taken = false;
        for (size_t k = 0; ok && k < s->keys.n; k++)
            if (tr_sum_is_above(&s->options->keys[k]) && codes[k] == TR__SUM_NO_VALUE)
                ok = tr__sum_above_code(&s->keys, k, d->frame, &codes[k]);
        if (!ok)
            return tr_fail_memory(err);
        struct tr__sum_group key = { .fraction = s->values.fraction };
        memcpy(key.codes, codes, s->keys.n * sizeof *codes);
        bool span = s->options->value == TR_SUM_OF_SELF && w->value == TR_I64_NONE;
        if (!span || d->self != TR_TIME_NONE)
            st = tr__sum_add(s->rows, &key, w->ts, span ? d->self : w->value) ? TR_OK : tr_fail_memory(err);
    }
    return st;
}

/* ---- batches ---- */

static enum tr_status add_event(struct sum_state *s, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    uint32_t ticket = s->keys.above ? s->keys.above->of[i].ticket : TR_ENCLOSING_NONE;
    if (ticket == TR_ENCLOSING_NONE) {
        bool ok = tr__sum_add_event(s->rows, &s->recent, &s->keys, i, s->values.fraction, b->ts[i], s->values.value[i]);
        return ok ? TR_OK : tr_fail_memory(err);
    }
    int64_t codes[TR_SUM_KEYS];
    for (size_t k = 0; k < s->keys.n; k++)
        codes[k] = s->keys.columns[k].code[i];
    if (s->options->value == TR_SUM_OF_SELF && tr_is_call(b, i))
        s->values.value[i] = TR_I64_NONE; /* not its duration */
    return wait_for(s, b, i, codes, ticket) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct sum_state *s = state;
    bool whole = !s->values.fraction;
    (void)t;
    enum tr_status st = tr__sum_keys_batch(&s->keys, b, err);
    if (st == TR_OK)
        st = tr__sum_values_batch(&s->values, b, keep, err);
    for (size_t i = 0; st == TR_OK && whole && s->values.fraction && i < s->cap_waiting; i++)
        s->waiting[i].value = s->waiting[i].taken ? s->waiting[i].value * TR__SUM_FRACTION : 0;
    for (size_t i = 0; i < b->n && st == TR_OK && s->keys.value.key; i++)
        if (s->values.value[i] != TR_I64_NONE)
            s->values.value[i] = s->keys.value.code[i];
    for (size_t i = 0; i < b->n && st == TR_OK; i++)
        if (s->values.value[i] != TR_I64_NONE)
            st = add_event(s, b, i, err);
    return st == TR_OK ? take_done(s, err) : st;
}

/* ---- rows ---- */

/* Codes of the row for the others: its first text says so. */
static bool name_rest(struct sum_state *s)
{
    bool named = false;
    for (size_t k = 0; k < s->keys.n; k++) {
        bool text = !s->keys.columns[k].number;
        s->rest.codes[k] = text ? TR__SUM_NO_VALUE : TR_I64_NONE;
        if (text && !named && !tr__sum_text_code(&s->keys, "others", strlen("others"), &s->rest.codes[k]))
            return false;
        named |= text;
    }
    return true;
}

/* Beyond some groups, those that follow share one histogram. */
static bool add_rest(struct sum_state *s, const struct tr__sum_group *x)
{
    if (!s->n_rest) {
        s->rest.fraction = x->fraction;
        tr_sample_init(&s->rest.values, x->values.distinct);
    }
    return (s->n_rest || name_rest(s)) && tr__sum_merge(&s->rest, x, !s->n_rest++);
}

static enum tr_status show(void *self, const void *row, const struct tr_str *texts, struct tr_error *err)
{
    struct sum_state *s = self;
    const struct tr__sum_group *x = row;
    bool rest = s->options->hist != TR_SUM_NO_HIST && s->n_shown >= s->options->hist_groups, ok = true;
    (void)texts;
    if (s->scaled && !x->fraction)
        return TR_OK;
    s->n_shown++;
    ok = rest ? add_rest(s, x) : tr__sum_row(&s->shown, x, s->t);
    return ok ? tr_table_status(s->t, err) : tr_fail_memory(err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct sum_state *s = state;
    enum tr_status st = s->keys.above ? tr_enclosing_end(s->keys.above, err) : TR_OK;
    return st == TR_OK ? take_done(s, err) : st;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct sum_state *s = state;
    struct tr_stats total = TR_STATS_INIT;
    s->t = t;
    if (!tr__sum_scale(s->rows, &s->scaled))
        return tr_fail_memory(err);
    for (size_t i = 0; i < tr_rows_count(s->rows); i++) {
        const struct tr__sum_group *x = tr_rows_get(s->rows, i);
        if (!s->scaled || x->fraction)
            tr_stats_merge(&total, &x->values.stats);
    }
    const struct tr_stats all = { .n = 1, .sum = total.sum };
    s->shown = (struct tr__sum_shown){ s->options, &s->keys, tr_stats_mean(&all), total.n };
    enum tr_status st = tr_rows_each(s->rows, s->type.order, show, s, err);
    if (st == TR_OK && s->n_rest && !tr__sum_row(&s->shown, &s->rest, t))
        st = tr_fail_memory(err);
    if (st == TR_OK && s->values.lost)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "%" PRIu64 " values of args do not fit into 64 bits and are left out", s->values.lost);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct sum_state *s = state;
    if (tr__sum_has_moments(s->options))
        return tr_fail(err, TR_USAGE, "times of the trace as key or value count from its own base");
    for (size_t i = 0; i < s->options->n_keys; i++)
        if (s->options->keys[i].from == TR_SUM_CAPTURE)
            return tr_fail(err, TR_USAGE, "captures as a key have other numbers in another run");
    return tr_rows_save(s->rows, out, 0, err);
}

/* The frames above an event may come from another file of its rank. */
static const struct tr_saving saving = {
    .version = 4, .whole_ranks = true, .all_captures = true,
    .tables = &tr__sum_saved, .n_tables = 1, .rows = tr_rows_first, .save = save
};

static enum tr_status parse_by(void *options, const char *value, struct tr_error *err)
{
    return tr_sum_parse_by(options, value, err);
}

static enum tr_status parse_value(void *options, const char *value, struct tr_error *err)
{
    return tr_sum_parse_value(options, value, err);
}

static enum tr_status parse_stat(void *options, const char *value, struct tr_error *err)
{
    return tr_sum_parse_stat(options, value, err);
}

static enum tr_status parse_hist(void *options, const char *value, struct tr_error *err)
{
    return tr_sum_parse_hist(options, value, err);
}

static bool say_values(const void *options, struct tr_buf *text)
{
    return !tr__sum_asks_values(options) || tr_buf_add_str(text, "count,sum,share,mean,std,min,p50,max");
}

static const struct tr_sum_options defaults = TR_SUM_DEFAULTS;
static const struct tr_option settings[] = {
    { 0, "by", "KEY[,KEY]...", TR_OPTION_CALL, 0, .call = parse_by, .say = tr__sum_say_keys,
      .help = "keys of the groups: fields, args.KEY, bin(TIME), operator, module, annotation, stack(N), short(KEY), "
              "replace(KEY,\"REGEX\",\"TEXT\") [name]" },
    { 0, "value", "FIELD", TR_OPTION_CALL, 0, .call = parse_value, .say = tr__sum_say_value,
      .help = "value to sum up: dur, self, queue, args.KEY, another number; event: count only [dur]" },
    { 0, "stat", "LIST", TR_OPTION_CALL, 0, .call = parse_stat, .say = say_values,
      .help = "count, sum, share, mean, std, min, max, pNN, first, last [count,sum,share,mean,std,min,max]" },
    { 0, "hist", "BINS|log", TR_OPTION_CALL, 0, .call = parse_hist, .shown = true, .if_bare = "20",
      .help = "print a histogram instead: this number of equal bins [20], or powers of two; of the first 5 groups, or "
              "--top N, and of all others together" },
    { 0 },
};

const struct tr_analysis tr_analysis_sum = {
    .name = "sum",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "sum" } },
    .question = "What is the sum, the mean, the spread of a value, by any keys?",
    .nothing = "no selected event has the value",
    TR_OPTIONS(settings, defaults),
    .check = check,
    .more = needs,
    .columns = columns,
    .state_size = sizeof(struct sum_state),
    .start = start,
    .feed = feed,
    .complete = complete,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
