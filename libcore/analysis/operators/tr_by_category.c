/* SPDX-License-Identifier: MIT */
/* What do operators cost?  By what they are for, and by the modules that they belong to. */
#include "analysis/operators/tr_by_operator_int.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "base/tr_mem.h"
#include "model/tr_eventmap.h"

#include <stdlib.h>

static const struct tr_table_column category_columns[] = {
    { "category", TR_CELL_STRING, TR_ROLE_KEY,
      .meaning = "category of the operators; (none): work without an operator" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls of its operators" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "sum of durations of the work that they launched themselves" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "cum_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%",
      .meaning = "share of this row and the rows above it" },
};

static const struct tr_table_column module_columns[] = {
    { "module", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "module: of XLA, or the innermost one of PyTorch without its number; (none): neither" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls of its operators" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "host time in its operators, without operators inside them" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "sum of durations of the work that its operators launched themselves" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "cum_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%",
      .meaning = "share of this row and the rows above it" },
};

/* A category, or a module. */
struct sum {
    uint32_t group, place, text; /* place of the group; number of its name among s->texts */
    const struct tr__by_operator *s;
    uint64_t calls;
    int64_t host_self, device_self;
};

struct sums {
    bool modules; /* else categories */
    struct sum *of;
    size_t n, cap;
    struct tr_eventmap place; /* by group and text */
};

static struct tr_str text_of(const struct sum *c)
{
    return (struct tr_str){ tr_strtab_get(c->s->texts, c->text), tr_strtab_len(c->s->texts, c->text) };
}

static int by_device(const void *x, const void *y)
{
    const struct sum *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int c = tr__by_operator_compare(a->device_self, b->device_self);
    return c ? c : tr_str_cmp(text_of(a), text_of(b));
}

/* The name of the sum that a row is part of. */
static enum tr_status name_of(struct tr__by_operator *s, bool modules, const struct tr_operator_row *r,
                              struct tr_str *name, struct tr_error *err)
{
    if (!modules)
        return tr__by_operator_category(s, r, name, err);
    *name = tr_operators_text(s->operators, r->key.module);
    if (!name->s || r->key.name == TR_NO_STR)
        *name = tr_str_of("(none)");
    return TR_OK;
}

static enum tr_status add_up(struct tr__by_operator *s, struct sums *all, const struct tr_operator_row *r,
                             struct tr_error *err)
{
    struct tr_str name;
    enum tr_status st = name_of(s, all->modules, r, &name, err);
    if (st != TR_OK)
        return st;
    uint32_t text = tr_strtab_add(s->texts, name.s, name.len);
    uint32_t place = text == TR_NO_STR ? 0 : tr_eventmap_get(&all->place, r->key.group, text);
    if (text != TR_NO_STR && place == TR_EVENTMAP_NONE) {
        place = (uint32_t)all->n;
        if (!tr_grow(&all->of, &all->cap, all->n + 1, sizeof *all->of) ||
            !tr_eventmap_put(&all->place, r->key.group, text, place))
            return tr_fail_memory(err);
        all->of[all->n++] = (struct sum){ r->key.group, (uint32_t)s->places[r->key.group], text, s, 0, 0, 0 };
    }
    if (text == TR_NO_STR)
        return tr_fail_memory(err);
    all->of[place].calls += r->calls;
    if (r->key.name != TR_NO_STR)
        all->of[place].host_self = tr_time_sum(all->of[place].host_self, r->host_self);
    all->of[place].device_self = tr_time_sum(all->of[place].device_self, r->device_self);
    return TR_OK;
}

static enum tr_status finish(struct tr__by_operator *s, bool modules, struct tr_table *t, struct tr_error *err)
{
    struct sums all = { .modules = modules };
    size_t n = 0;
    int64_t so_far = 0;
    s->sums = true;
    enum tr_status st = tr__by_operator_take(s, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++, tr__by_operator_touched(s))
        if (tr__by_operator_shown(s, &s->rows[i]))
            st = add_up(s, &all, &s->rows[i], err);
    if (all.n)
        qsort(all.of, all.n, sizeof *all.of, by_device);
    for (size_t i = 0; i < all.n && st == TR_OK; i++) {
        const struct sum *c = &all.of[i];
        int64_t whole = s->wholes[c->group];
        so_far = i && all.of[i - 1].place == c->place ? so_far : 0;
        so_far = tr_time_sum(so_far, c->device_self);
        tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[c->group]);
        tr_table_text(t, text_of(c));
        tr_table_count(t, c->calls);
        if (modules)
            tr_table_time(t, c->host_self);
        tr_table_time(t, c->device_self);
        tr_table_pct(t, c->device_self, whole);
        tr_table_pct(t, so_far, whole);
        st = tr_table_status(t, err);
    }
    if (st == TR_OK && all.n)
        tr__by_operator_remark(s);
    free(all.of);
    tr_eventmap_free(&all.place);
    return st;
}

static enum tr_status category_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    return finish(state, false, t, err);
}

static enum tr_status module_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    return finish(state, true, t, err);
}

const struct tr_analysis tr_analysis_category = {
    .name = "category",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "category", .y = { "device_self" }, .facet = "rank" },
    .question = "Which categories of operators cost most on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = TR__BY_OPERATOR_GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr__by_operator_settings, tr__by_operator_defaults),
    .needs = tr__by_operator_needs,
    TR_OWN_COLUMNS(category_columns),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .finish = category_finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};

static const struct tr_operator_options module_defaults = { .by = TR_OPERATOR_MODULE };

const struct tr_analysis tr_analysis_module = {
    .name = "module",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "module", .y = { "device_self" }, .facet = "rank" },
    .question = "Which modules cost most on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = TR__BY_OPERATOR_GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr__by_operator_settings, module_defaults),
    .needs = tr__by_operator_needs,
    TR_OWN_COLUMNS(module_columns),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .finish = module_finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};
