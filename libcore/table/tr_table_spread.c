/* SPDX-License-Identifier: MIT */
/* How the figures of a table spread over ranks. */
#include "table/tr_table_spread.h"

#include "base/tr_sort.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdlib.h>

/* An outlier is farther than this from the median, in deviations and as a share of it. */
#define FAR_DEVIATIONS (3 * 1.4826) /* 1.4826 median deviations are a standard deviation, if they are normal */
#define FAR_SHARE      0.05
#define ENOUGH         4u

bool tr_spread_median(const double *values, size_t n, double *median, double *far)
{
    double *gaps = calloc(n, sizeof *gaps);
    *median = values[(n - 1) / 2];
    *far = INFINITY;
    for (size_t i = 0; gaps && i < n; i++)
        gaps[i] = fabs(values[i] - *median);
    if (gaps && n >= ENOUGH) {
        qsort(gaps, n, sizeof *gaps, tr_by_f64);
        *far = fmax(FAR_DEVIATIONS * gaps[n / 2], FAR_SHARE * fabs(*median));
    }
    free(gaps);
    return gaps != NULL;
}

/* ---- columns ---- */

static bool is_rank(const struct tr_table_column *is)
{
    return is->role == TR_ROLE_GROUP && strcmp(is->name, "rank") == 0;
}

/* Does it keep rows apart: a key, or a group that is not the rank? */
static bool is_part(const struct tr_table_column *is)
{
    return is->role == TR_ROLE_KEY || (is->role == TR_ROLE_GROUP && !is_rank(is) && !is->rare);
}

static bool is_figure(const struct tr_table_column *is)
{
    return tr__is_figure(is) && !is->rare;
}

static size_t column_of(const struct tr_table *of, bool (*what)(const struct tr_table_column *is))
{
    size_t c = 0;
    while (c < of->n_cols && !what(&of->cols[c].is))
        c++;
    return c < of->n_cols ? c : SIZE_MAX;
}

static bool is_key(const struct tr_table_column *is)
{
    return is->role == TR_ROLE_KEY;
}

static bool is_sum(const struct tr_table_column *is)
{
    return is_figure(is) && is->role == TR_ROLE_SUM;
}

size_t tr_table_spread_figure(const struct tr_table *of, const char *figure)
{
    size_t named = figure ? tr_table_find(of, figure) : SIZE_MAX, sum = column_of(of, is_sum);
    if (column_of(of, is_rank) == SIZE_MAX)
        return SIZE_MAX;
    if (named != SIZE_MAX && is_figure(&of->cols[named].is))
        return named;
    return sum != SIZE_MAX ? sum : column_of(of, is_figure);
}

void tr_table_spread_columns(const struct tr_table *of, const struct tr_spread_by *by, struct tr_table *to)
{
    const bool keyed = column_of(of, is_key) != SIZE_MAX;
    const size_t main = tr_table_spread_figure(of, by->figure);
    bool times = false;
    if (by->group)
        tr_table_columns(to, by->group, 1);
    for (size_t c = 0; c < of->n_cols; c++) {
        const struct tr_table_column *is = &of->cols[c].is;
        times |= is->type == TR_CELL_TIME && (keyed ? c == main : is_figure(is));
        if (is_part(is))
            tr_table_columns(to,
                             &(struct tr_table_column){ .name = is->name, .type = is->type, .role = is->role,
                                                        .decimals = is->decimals, .names = is->names,
                                                        .label = is->label, .extra = is->extra, .quiet = is->quiet,
                                                        .wide = is->wide, .unit = is->unit, .meaning = is->meaning },
                             1);
    }
    const struct tr_table_column columns[] = {
        { "metric", TR_CELL_STRING, keyed ? TR_ROLE_TEXT : TR_ROLE_KEY, .meaning = "the figure, with its unit" },
        { "ranks", TR_CELL_COUNT, TR_ROLE_QUANTILE, .meaning = "ranks that have it" },
        { "median", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = times, .main = true,
          .meaning = "its median over these ranks: the figure of a rank, of an even number the lower one" },
        { "min", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = times, .meaning = "the smallest" },
        { "min_rank", TR_CELL_INT, TR_ROLE_RANK, .meaning = "the rank that has it" },
        { "max", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, .times = times, .meaning = "the largest" },
        { "max_rank", TR_CELL_INT, TR_ROLE_RANK, .meaning = "the rank that has it" },
        { "outliers", TR_CELL_COUNT, TR_ROLE_QUANTILE,
          .meaning = "ranks that are farther from the median than three deviations, estimated from the median absolute "
                     "deviation, and than 5 %" },
        { "outlier_ranks", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "these ranks" },
    };
    tr_table_columns(to, columns, sizeof columns / sizeof *columns);
}

/* ---- rows ---- */

/* A figure of a rank. */
struct item {
    const struct tr_table *of;
    size_t row;
    double value, rank; /* rank NaN: not known */
    struct tr_cell_value group;
};

/* A row of the result. */
struct line {
    const struct tr_table *of;
    size_t row, figure; /* row: one of those that it is about */
    size_t first, n;    /* items, the smallest value first */
    double median;
    struct tr_cell_value group;
};

struct spread {
    const struct tr_table *of;
    const struct tr_spread_by *by;
    struct tr_table *to;
    struct item *items; /* of one figure */
    size_t n_items;
    double *values; /* as many as items */
    struct line *lines;
    size_t n_lines, cap_lines;
};

/* The order of rows by what keeps them apart; groups: only by groups. */
static int compare_parts(const struct tr_table *t, size_t a, size_t b, bool groups)
{
    int order = 0;
    for (size_t c = 0; c < t->n_cols && !order; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        const struct tr__cell *x = tr__cell_of(t, a, c), *y = tr__cell_of(t, b, c);
        if (is_part(is) && (!groups || is->role == TR_ROLE_GROUP))
            order = x->absent || y->absent ? x->absent - y->absent : tr__compare(is->type, t, x, t, y);
    }
    return order;
}

TR_ORDER(by_rank, struct item, TR_UP(rank), TR_UP(row))

static int compare_groups(const struct tr_cell_value *a, const struct tr_cell_value *b)
{
    if (a->text.s && b->text.s)
        return tr_str_cmp(a->text, b->text);
    bool lacks = !a->text.s && a->i == TR_I64_NONE, other = !b->text.s && b->i == TR_I64_NONE;
    return lacks != other ? lacks - other : TR_CMP(a->i, b->i); /* those without one last */
}

TR_ORDER(by_part, struct item, compare_groups(&a->group, &b->group), compare_parts(a->of, a->row, b->row, false),
         TR_UP(value), by_rank(a, b))

TR_ORDER(by_value, struct item, TR_UP(value), by_rank(a, b))

TR_ORDER(by_median, struct line, compare_groups(&a->group, &b->group), compare_parts(a->of, a->row, b->row, true),
         TR_UP(figure), TR_DOWN(median), TR_UP(row))

static bool same_group(const struct line *a, const struct line *b)
{
    return !compare_groups(&a->group, &b->group) && !compare_parts(a->of, a->row, b->row, true);
}

/* The figures in a column, the rows with equal keys together. */
static void collect(struct spread *s, size_t figure)
{
    const size_t rank = column_of(s->of, is_rank), n = tr_table_rows(s->of);
    s->n_items = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = tr_table_number(s->of, i, figure), of = tr_table_number(s->of, i, rank);
        struct tr_cell_value group = { .i = TR_I64_NONE };
        if (s->by->group && !isnan(of))
            group = s->by->of_rank(s->by->self, (int64_t)of);
        if (!isnan(value))
            s->items[s->n_items++] = (struct item){ s->of, i, value, of, group };
    }
    qsort(s->items, s->n_items, sizeof *s->items, by_part);
}

static double *values_of(const struct spread *s, const struct item *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        s->values[i] = v[i].value;
    return s->values;
}

/* A line for each part.  False: out of memory. */
static bool add_lines(struct spread *s, size_t figure)
{
    double far;
    for (size_t i = 0, n; i < s->n_items; i += n) {
        const struct item *v = s->items + i;
        for (n = 1; i + n < s->n_items && compare_groups(&v->group, &v[n].group) == 0 &&
                    compare_parts(s->of, v->row, v[n].row, false) == 0;)
            n++;
        struct line line = { s->of, v->row, figure, i, n, 0, v->group };
        if (!tr_spread_median(values_of(s, v, n), n, &line.median, &far) ||
            !tr_grow(&s->lines, &s->cap_lines, s->n_lines + 1, sizeof *s->lines))
            return false;
        s->lines[s->n_lines++] = line;
    }
    return true;
}

static void put_number(const struct spread *s, size_t figure, double value)
{
    const struct tr_table_column *is = &s->of->cols[figure].is;
    if (is->type == TR_CELL_TIME)
        tr_table_decimal_time(s->to, value);
    else
        tr_table_decimal(s->to, value, is->type == TR_CELL_RATIO ? is->decimals : 0);
}

static void put_rank(const struct spread *s, double rank)
{
    if (isnan(rank))
        tr_table_absent(s->to);
    else
        tr_table_int(s->to, (int64_t)rank);
}

/* The cells that say to what a line belongs; others: all keys, the label aside, are absent. */
static void put_parts(const struct spread *s, const struct line *line, bool others)
{
    const size_t label = tr_table_label(s->of);
    if (s->by->group)
        tr_table_add_value(s->to, &line->group);
    for (size_t c = 0; c < s->of->n_cols; c++) {
        const struct tr_cell_value value = tr_table_value(s->of, line->row, c);
        if (!is_part(&s->of->cols[c].is))
            continue;
        if (others && c == label)
            tr_table_string(s->to, "others");
        else if (others && is_key(&s->of->cols[c].is))
            tr_table_absent(s->to);
        else
            tr_table_add_value(s->to, &value);
    }
}

/* The figures of n > 0 ranks, the smallest first.  False: out of memory. */
static bool put_figures(const struct spread *s, size_t figure, struct item *v, size_t n)
{
    double median, far;
    struct tr_buf ranks = { 0 };
    size_t last = n - 1, n_far = 0;
    bool ok = tr_spread_median(values_of(s, v, n), n, &median, &far);
    while (last > 0 && v[last - 1].value == v[n - 1].value) /* the first of those with the largest */
        last--;
    tr_table_string(s->to, s->of->cols[figure].printed);
    tr_table_count(s->to, n);
    put_number(s, figure, median);
    put_number(s, figure, v[0].value);
    put_rank(s, v[0].rank);
    put_number(s, figure, v[n - 1].value);
    put_rank(s, v[last].rank);
    qsort(v, n, sizeof *v, by_rank);
    for (size_t i = 0; ok && i < n; i++) {
        if (fabs(v[i].value - median) <= far)
            continue;
        if (!isnan(v[i].rank))
            ok = tr_buf_print(&ranks, "%s%.0f", ranks.len ? "," : "", v[i].rank);
        n_far++;
    }
    tr_table_count(s->to, n_far);
    if (ranks.len)
        tr_table_bytes(s->to, (const char *)ranks.data, ranks.len);
    else
        tr_table_absent(s->to);
    tr_buf_free(&ranks);
    return ok;
}

/* The lines from number i on of one group as one: what they add up to on each rank.  False: out of memory. */
static bool put_others(const struct spread *s, size_t i, size_t end)
{
    const size_t figure = s->lines[i].figure;
    const enum tr_column_role role = s->of->cols[figure].is.role;
    struct item *v = calloc(s->n_items + 1, sizeof *v);
    size_t n = 0, kept = 0;
    if (!v)
        return false;
    for (size_t k = i; k < end; k++)
        for (size_t j = 0; j < s->lines[k].n; j++)
            v[n++] = s->items[s->lines[k].first + j];
    qsort(v, n, sizeof *v, by_rank);
    for (size_t k = 0; k < n; k++) {
        if (!kept || v[kept - 1].rank != v[k].rank)
            v[kept++] = v[k];
        else
            v[kept - 1].value += v[k].value;
    }
    qsort(v, kept, sizeof *v, by_value);
    put_parts(s, &s->lines[i], true);
    bool ok = true;
    if (role == TR_ROLE_SUM || role == TR_ROLE_COUNT || role == TR_ROLE_SHARE)
        ok = put_figures(s, figure, v, kept);
    else
        for (size_t c = 0; c < 9; c++) /* such figures do not add up */
            tr_table_absent(s->to);
    free(v);
    return ok;
}

/* All lines, in each group at most top of those with keys. */
static bool put_lines(struct spread *s, uint64_t top)
{
    bool ok = true;
    for (size_t i = 0, end; ok && i < s->n_lines; i = end) {
        for (end = i + 1; end < s->n_lines && same_group(&s->lines[i], &s->lines[end]);)
            end++;
        for (uint64_t n = 0; ok && i < end && (!top || n < top); i++, n++) {
            const struct line *line = &s->lines[i];
            if (column_of(s->of, is_key) == SIZE_MAX)
                collect(s, line->figure);
            put_parts(s, line, false);
            ok = put_figures(s, line->figure, s->items + line->first, line->n);
        }
        ok = ok && (i == end || put_others(s, i, end));
    }
    return ok;
}

enum tr_status tr_table_spread(const struct tr_table *of, const struct tr_spread_by *by, struct tr_table *to,
                               struct tr_error *err)
{
    const size_t n = tr_table_rows(of), main = tr_table_spread_figure(of, by->figure);
    const bool keyed = column_of(of, is_key) != SIZE_MAX;
    const char *per = NULL;
    struct spread s = { .of = of, .by = by, .to = to, .items = calloc(n + 1, sizeof *s.items),
                        .values = calloc(n + 1, sizeof *s.values) };
    bool ok = s.items && s.values;
    for (size_t c = 0; ok && c < of->n_cols; c++) {
        if (keyed ? c != main : !is_figure(&of->cols[c].is))
            continue;
        collect(&s, c);
        ok = add_lines(&s, c);
    }
    if (s.n_lines)
        qsort(s.lines, s.n_lines, sizeof *s.lines, by_median);
    ok = ok && put_lines(&s, keyed ? tr_table_take_top(to, &per) : 0);
    free(s.items);
    free(s.values);
    free(s.lines);
    return ok ? tr_table_status(to, err) : tr_fail_memory(err);
}
