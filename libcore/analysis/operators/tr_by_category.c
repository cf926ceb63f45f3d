/* SPDX-License-Identifier: MIT */
/* What do operators cost?  By what they are for, and by the modules that they belong to. */
#include "analysis/operators/tr_by_operator_int.h"
#include "base/tr_strtab.h"

#include <stdlib.h>

/* A category, or a module. */
struct sum {
    uint32_t group, text; /* a number of texts */
    uint64_t calls;
    int64_t host_self, device_self;
    int64_t whole; /* device work of the group */
    double above;  /* percent of it in this row and those above */
};

#define OF(name) TR_OF(struct sum, name)
static const struct tr_table_column columns[] = {
    { "category", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct sum, text),
      .meaning = "category of the operators; (none): work without an operator" },
    { "module", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct sum, text), .wide = true,
      .meaning = "module: of XLA, or the innermost one of PyTorch without its number; (none): neither" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, OF(calls), .meaning = "calls of its operators" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, OF(host_self), .extra = true,
      .meaning = "host time in its operators, without operators inside them" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, OF(device_self), .main = true,
      .meaning = "sum of durations of the work that its operators launched themselves" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, OF(whole), .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "cum_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, OF(above), .unit = "%",
      .meaning = "share of this row and the rows above it" },
};
enum { CATEGORY, MODULE, CALLS, HOST, DEVICE, N_COLUMNS = sizeof columns / sizeof *columns };

static bool name_of_sum(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                        struct tr_str *text)
{
    const struct tr__by_operator *s = self;
    uint32_t number = ((const struct sum *)row)->text;
    (void)is;
    (void)room;
    *text = (struct tr_str){ tr_strtab_get(s->texts, number), tr_strtab_len(s->texts, number) };
    return true;
}

static const struct tr_row_own own = { .text = name_of_sum };
static const struct tr_row_type type = {
    .name = "sums",
    .size = sizeof(struct sum),
    .key_size = offsetof(struct sum, calls),
    .columns = columns,
    .n_columns = N_COLUMNS,
    .order = "device_self,module",
    .own = &own,
};

static void category_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, &columns[CATEGORY], 1);
    tr_table_columns(t, &columns[CALLS], 1);
    tr_table_columns(t, &columns[DEVICE], N_COLUMNS - DEVICE);
}

static void module_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, &columns[MODULE], N_COLUMNS - MODULE);
}

/* The name of the sum that a row is part of.  No text: out of memory. */
static struct tr_str name_of(const struct tr__by_operator *s, bool modules, const struct tr_operator_row *r)
{
    struct tr_str name = tr_str_of(NULL);
    if (modules)
        name = tr_operators_text(s->operators, r->key.module);
    else if (!modules && r->key.name != TR_NO_STR)
        return tr_operators_category(s->operators, r->key.name, false);
    return name.s ? name : tr_str_of("(none)");
}

/* Add an operator to its sum.  False: out of memory. */
static bool add_up(struct tr__by_operator *s, bool modules, const struct tr_operator_row *r)
{
    struct tr_str name = name_of(s, modules, r);
    const struct sum key = { .group = r->key.group,
                             .text = name.s ? tr_strtab_add(s->texts, name.s, name.len) : TR_NO_STR };
    struct sum *to = key.text == TR_NO_STR ? NULL : tr_rows_at(s->sums, &key);
    if (!to)
        return false;
    to->calls += r->calls;
    if (r->key.name != TR_NO_STR)
        to->host_self = tr_time_sum(to->host_self, r->host_self);
    to->device_self = tr_time_sum(to->device_self, r->device_self);
    return true;
}

/* What rows are parts of, and what they are with the rows above them.  False: out of memory. */
static bool find_shares(struct tr__by_operator *s, const struct tr_rows *rows)
{
    int64_t *wholes = calloc(tr_operators_groups(s->operators)->n_groups + 1, sizeof *wholes), above = 0;
    uint32_t *order = tr_rows_order(s->sums), group = UINT32_MAX;
    bool ok = wholes && order;
    for (size_t i = 0; ok && i < tr_rows_count(rows); i++) {
        const struct tr_operator_row *r = tr_rows_get(rows, i);
        wholes[r->key.group] = tr_time_sum(wholes[r->key.group], r->device_self);
    }
    for (size_t i = 0; ok && i < tr_rows_count(s->sums); i++) {
        struct sum *to = tr_rows_get(s->sums, order[i]);
        above = tr_time_sum(to->group == group ? above : 0, to->device_self);
        group = to->group;
        to->whole = wholes[group];
        if (to->whole && to->whole != TR_TIME_NONE && above != TR_TIME_NONE)
            to->above = 100.0 * (double)above / (double)to->whole;
    }
    free(wholes);
    free(order);
    return ok;
}

static enum tr_status complete(struct tr__by_operator *s, bool modules, struct tr_error *err)
{
    enum tr_status st = tr__by_operator_complete(s, true, err);
    if (st != TR_OK)
        return st;
    const struct tr_rows *rows = tr__by_operator_rows(s);
    bool ok =
        (s->texts = tr_strtab_new()) && (s->sums = tr_rows_new(&type, &s->in, tr_operators_groups(s->operators), true));
    if (ok)
        tr_rows_owner(s->sums, s);
    for (size_t i = 0; ok && i < tr_rows_count(rows); i++) {
        const struct tr_operator_row *r = tr_rows_get(rows, i);
        ok = tr__by_operator_hides(s, r) || add_up(s, modules, r);
    }
    s->n_shown = ok ? tr_rows_count(s->sums) : 0;
    return ok && find_shares(s, rows) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status category_complete(void *state, struct tr_error *err)
{
    return complete(state, false, err);
}

static enum tr_status module_complete(void *state, struct tr_error *err)
{
    return complete(state, true, err);
}

static struct tr_rows *sums(void *state)
{
    return ((struct tr__by_operator *)state)->sums;
}

const struct tr_analysis tr_analysis_category = {
    .name = "category",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "category", .y = { "device_self" }, .facet = "rank" },
    .question = "Which categories of operators cost most on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = TR__BY_OPERATOR_GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr__by_operator_settings, tr__by_operator_defaults),
    .more = tr__by_operator_needs,
    .columns = category_columns,
    .state_size = sizeof(struct tr__by_operator),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .complete = category_complete,
    .rows = sums,
    .finish = tr__by_operator_finish,
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
    .more = tr__by_operator_needs,
    .columns = module_columns,
    .state_size = sizeof(struct tr__by_operator),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .complete = module_complete,
    .rows = sums,
    .finish = tr__by_operator_finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};
