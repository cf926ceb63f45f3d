/* SPDX-License-Identifier: MIT */
/* tr-report: the rows of the page, from the rows of analyses. */
#include "report/report.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rank differs from the others if it is farther than this from their median, in deviations and as a share of it. */
#define FAR_DEVIATIONS (3 * 1.4826) /* 1.4826 median deviations are a standard deviation, if they are normal */
#define FAR_SHARE      0.05
#define ENOUGH_RANKS   4u

double report_cell_at(const struct tr_table *t, size_t row, size_t column)
{
    return column == SIZE_MAX ? NAN : tr_table_number(t, row, column);
}

double report_cell(const struct tr_table *t, size_t row, const char *column)
{
    return report_cell_at(t, row, tr_table_find(t, column));
}

void report_number(struct tr_table *t, const struct tr_table_column *c, double value)
{
    bool time = c->type == TR_CELL_TIME;
    if (!isfinite(value))
        tr_table_absent(t);
    else if (c->type == TR_CELL_INT)
        tr_table_int(t, (int64_t)value);
    else if (c->type == TR_CELL_COUNT)
        tr_table_count(t, (uint64_t)value);
    else if (time)
        tr_table_time_f(t, value);
    else
        tr_table_ratio(t, value);
}

/* The same in a column whose rows differ in unit. */
static void unlike_number(struct tr_table *t, const struct tr_table_column *c, double value)
{
    if (!isfinite(value))
        tr_table_absent(t);
    else if (c->type == TR_CELL_TIME)
        tr_table_decimal_time(t, value);
    else
        tr_table_decimal(t, value, c->type == TR_CELL_RATIO ? c->decimals : 0);
}

/* ---- rows, and their order ---- */

/* A row of an analysis. */
struct row {
    const struct tr_table *t;
    size_t at, group; /* number of the row; if ranks are separate, number of the first row of its rank */
    double value, rank, capture;
    const struct report_section *s;
    const struct report *r;
};

/* A cell in a column of the page. */
static struct tr_str text_in(const struct row *row, size_t column)
{
    return tr_table_get(row->t, row->at, row->r->places[row->s - report_sections][column]);
}

static double number_in(const struct row *row, size_t column)
{
    return tr_table_number(row->t, row->at, row->r->places[row->s - report_sections][column]);
}

TR_ORDER(by_place, struct row, TR_UP(at))

TR_ORDER(by_value, struct row, TR_UP(group), TR_DOWN(value), by_place(a, b))

static int compare_text(struct tr_str a, struct tr_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.s, b.s, n) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_keys(const struct row *a, const struct row *b)
{
    int order = 0;
    for (unsigned k = 0; k < a->s->n_keys && !order; k++) {
        if (report_columns(a->r, a->s)[k].type == TR_CELL_STRING) {
            order = compare_text(text_in(a, k), text_in(b, k));
        } else {
            double x = number_in(a, k), y = number_in(b, k);
            order = (x > y) - (x < y);
        }
    }
    return order;
}

/* Rows with equal keys are next to each other, the smallest value first. */
TR_ORDER(by_keys, struct row, compare_keys(a, b), TR_UP(value), by_place(a, b))

#define ALL_CAPTURES SIZE_MAX

/* All rows of a section, or of a capture; value: the column that they are ordered by.  NULL: out of memory. */
static struct row *all_rows(const struct report *r, enum report_id id, const char *value, size_t of_capture, size_t *n)
{
    const struct report_section *s = &report_sections[id];
    const struct tr_table *t = r->tables[id];
    size_t n_rows = tr_table_rows(t), group = 0;
    const size_t ranks = tr_table_find(t, "rank"), captures = tr_table_find(t, "capture");
    const size_t values = value ? tr_table_find(t, value) : SIZE_MAX;
    const size_t devices = id == REPORT_MEMORY ? tr_table_find(t, "device") : SIZE_MAX;
    struct row *rows = calloc(n_rows + 1, sizeof *rows);
    *n = 0;
    for (size_t i = 0; rows && i < n_rows; i++) {
        double rank = report_cell_at(t, i, ranks), capture = r->n_captures > 1 ? report_cell_at(t, i, captures) : 0;
        bool host = devices != SIZE_MAX && tr_str_is(tr_table_get(t, i, devices), "host"); /* not memory of a device */
        if (host || (of_capture != ALL_CAPTURES && capture != (double)of_capture && !isnan(capture)))
            continue;
        struct row row = { t, i, 0, value ? report_cell_at(t, i, values) : 0, isnan(rank) ? -1 : rank,
                           isnan(capture) ? 0 : capture, s, r };
        if (*n && (rows[*n - 1].capture != row.capture || (rows[*n - 1].rank != row.rank && !s->of_job)))
            group = i;
        row.group = group;
        rows[(*n)++] = row;
    }
    return rows;
}

/* ---- the largest rows ---- */

static const struct tr_table_column rank_column = { .name = "rank", .type = TR_CELL_INT, .role = TR_ROLE_GROUP };
static const struct tr_table_column capture_column = { .name = "capture", .type = TR_CELL_INT, .role = TR_ROLE_GROUP };

/* The column of the capture, if there are several. */
static void capture_columns(const struct report *r, struct tr_table *to)
{
    if (r->n_captures > 1)
        tr_table_columns(to, &capture_column, 1);
}

static void put_capture(const struct report *r, struct tr_table *to, double capture)
{
    if (r->n_captures > 1)
        report_number(to, &capture_column, capture);
}

/* -1: it is not known. */
static void put_rank(struct tr_table *to, double rank)
{
    report_number(to, &rank_column, rank < 0 ? NAN : rank);
}

/* n_columns: of the section, which the caller looks up once: it may depend on all rows. */
static void put_row(struct tr_table *to, const struct row *row, bool rank, size_t n_columns)
{
    if (rank)
        put_rank(to, row->rank);
    put_capture(row->r, to, row->capture);
    for (size_t k = 0; k < n_columns; k++) {
        const struct tr_table_column *c = &report_columns(row->r, row->s)[k];
        if (c->type == TR_CELL_STRING)
            tr_table_text(to, text_in(row, k));
        else
            report_number(to, c, number_in(row, k));
    }
}

/* All rows, the largest first; unless there are few, the table makes one row of those after the first. */
static bool largest(const struct report *r, struct row *rows, size_t n, struct tr_table *to)
{
    const struct tr_arrange first = { .top = r->o->top };
    const struct report_section *s = n ? rows[0].s : NULL;
    bool rank = n && r->n_ranks > 1 && !s->of_job;
    struct tr_error err;
    if (!n)
        return true;
    if (s->n_keys && !s->all && first.top && tr_table_arrange(to, &first, &err) != TR_OK)
        return false;
    if (rank)
        tr_table_columns(to, &rank_column, 1);
    capture_columns(r, to);
    size_t n_columns = report_n_columns(r, s);
    tr_table_columns(to, report_columns(r, s), n_columns);
    for (size_t i = 0; i < n; i++)
        rows[i].value = s->in_order ? 0 : isnan(rows[i].value) ? -INFINITY : rows[i].value; /* last */
    qsort(rows, n, sizeof *rows, by_value);
    for (size_t i = 0; i < n; i++)
        put_row(to, &rows[i], rank, n_columns);
    return true;
}

/* ---- over ranks ---- */

/* Rows with equal keys, the smallest value first, as one row. */
struct over {
    const struct row *first;
    size_t n;
    double median;
    size_t at; /* the first of them in the table */
};

/* The first of those with the most. */
static const struct row *max_of(const struct row *first, size_t n)
{
    const struct row *max = first + n - 1;
    while (max > first && max[-1].value == first[n - 1].value)
        max--;
    return max;
}

/* For an even number, the lower one, which is a figure of a rank. */
static double median(const struct row *first, size_t n)
{
    return first[(n - 1) / 2].value;
}

static int by_median(const void *x, const void *y)
{
    const struct over *a = x, *b = y;
    if (a->median != b->median)
        return a->median > b->median ? -1 : 1;
    double more = b->first[b->n - 1].value - a->first[a->n - 1].value;
    return more != 0 ? (more > 0 ? 1 : -1) : (a->first > b->first) - (a->first < b->first);
}

TR_ORDER(by_first, struct over, TR_UP(at))

static size_t drop_absent(struct row *rows, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(rows[i].value))
            rows[kept++] = rows[i];
    return kept;
}

TR_ORDER(by_rank, struct row, TR_UP(rank), by_place(a, b))

TR_ORDER(by_figure, struct row, TR_UP(value), by_rank(a, b))

static const struct tr_table_column *main_column(const struct report *r, const struct report_section *s)
{
    const struct tr_table_column *c = report_columns(r, s);
    while (strcmp(c->name, s->main) != 0)
        c++;
    return c;
}

/* Make one row of all rows of a rank; the smallest value first.  Returns the number of ranks. */
static size_t combine(struct row *rows, size_t n)
{
    size_t n_ranks = 0;
    qsort(rows, n, sizeof *rows, by_rank);
    for (size_t i = 0; i < n; i++) {
        if (!n_ranks || rows[n_ranks - 1].rank != rows[i].rank)
            rows[n_ranks++] = rows[i];
        else if (main_column(rows[i].r, rows[i].s)->role == TR_ROLE_MAX)
            rows[n_ranks - 1].value = fmax(rows[n_ranks - 1].value, rows[i].value);
        else
            rows[n_ranks - 1].value += rows[i].value;
    }
    qsort(rows, n_ranks, sizeof *rows, by_figure);
    return n_ranks;
}

static void put_keys(struct tr_table *to, const struct row *row)
{
    for (unsigned k = 0; k < row->s->n_keys; k++) {
        const struct tr_table_column *c = &report_columns(row->r, row->s)[k];
        if (c->type == TR_CELL_STRING)
            tr_table_text(to, text_in(row, k));
        else
            report_number(to, c, number_in(row, k));
    }
}

/* The name is in the text that labels rows, or in the last one, as in a table with --top. */
static void put_others(const struct report *r, struct tr_table *to, const struct report_section *s)
{
    unsigned label = s->n_keys;
    while (label && report_columns(r, s)[label - 1].type != TR_CELL_STRING)
        label--;
    for (unsigned k = 0; k < s->n_keys; k++)
        label = report_columns(r, s)[k].label ? k + 1 : label;
    for (unsigned k = 0; k < s->n_keys; k++)
        if (k + 1 == label)
            tr_table_string(to, "others");
        else
            tr_table_absent(to);
}

/* ---- a few ranks: a column for each ---- */

void report_few_ranks(struct report *r)
{
    const struct tr_dict *d = r->in->dict;
    size_t n = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        if (!tr_select_source(r->selected, i) || (n && d->sources[i].rank == r->few[n - 1]))
            continue;
        if (n == REPORT_FEW_RANKS || d->sources[i].rank < 0 || r->n_captures > 1)
            return;
        snprintf(r->few_names[n], sizeof *r->few_names, "rank%" PRId64, d->sources[i].rank);
        r->few[n++] = d->sources[i].rank;
    }
    r->n_few = n;
}

/* Columns of figures: of each rank if they are few, else their median, minimum and maximum. */
static void figure_columns(const struct report *r, const struct tr_table_column *like, struct tr_table *to)
{
    for (size_t k = 0; k < r->n_few; k++) {
        struct tr_table_column c = *like;
        c.name = r->few_names[k];
        tr_table_columns(to, &c, 1);
    }
    static const char *const names[] = { "median", "min", "max" };
    for (size_t k = 0; !r->n_few && k < 3; k++) {
        struct tr_table_column c = *like;
        c.name = names[k];
        c.times = like->times && !k;
        tr_table_columns(to, &c, 1);
    }
}

/* The figure of each of the few ranks; without a row it is 0 where zeros is set, else absent. */
static bool put_few(struct tr_table *to, const struct row *rows, size_t n, bool zeros, bool unlike,
                    const struct tr_table_column *c)
{
    const struct report *r = rows->r;
    for (size_t k = 0; k < r->n_few; k++) {
        double value = zeros ? 0 : NAN;
        for (size_t i = 0; i < n; i++)
            value = rows[i].rank == (double)r->few[k] ? rows[i].value : value;
        if (unlike)
            unlike_number(to, c, value);
        else
            report_number(to, c, value);
    }
    return r->n_few > 0;
}

/* Median, minimum, maximum and its rank, of n rows and as many zeros; or those of few ranks. */
static void put_figures(struct tr_table *to, const struct row *min, size_t n, size_t zeros)
{
    const struct row *max = max_of(min, n);
    const struct tr_table_column *value = main_column(min->r, min->s);
    if (put_few(to, min, n, zeros > 0, false, value))
        return;
    double smallest = zeros ? 0 : min->value;
    size_t middle = (n + zeros - 1) / 2;
    report_number(to, value, middle < zeros ? 0 : min[middle - zeros].value);
    report_number(to, value, smallest);
    report_number(to, value, max->value);
    put_rank(to, max->value > smallest ? max->rank : -1);
}

/* The rows of the other keys, as one row.  False: out of memory. */
static bool over_others(const struct over *all, size_t n_all, struct tr_table *to)
{
    size_t n = 0;
    for (size_t i = 0; i < n_all; i++)
        n += all[i].n;
    struct row *rows = n ? malloc(n * sizeof *rows) : NULL;
    n = 0;
    for (size_t i = 0; rows && i < n_all; n += all[i++].n)
        memcpy(&rows[n], all[i].first, all[i].n * sizeof *rows);
    if (n) {
        put_capture(rows[0].r, to, rows[0].capture);
        put_others(rows[0].r, to, rows[0].s);
        put_figures(to, rows, combine(rows, n), 0);
    }
    free(rows);
    return n || !n_all;
}

static void columns_over_keys(const struct report *r, const struct report_section *s, struct tr_table *to)
{
    static const struct tr_table_column max_rank = { .name = "max_rank", .type = TR_CELL_INT };
    const struct tr_table_column *value = main_column(r, s);
    const struct tr_table_column like = { .type = value->type, .decimals = value->decimals, .unit = value->unit };
    capture_columns(r, to);
    tr_table_columns(to, report_columns(r, s), s->n_keys);
    figure_columns(r, &like, to);
    if (!r->n_few)
        tr_table_columns(to, &max_rank, 1);
}

/*
 * Rows of one key each, of one capture.  Where all keys are shown, a rank without a row has 0, unless keys are devices.
 * Elsewhere, it does not count, so that a
 * large row of one rank stays among the first.
 */
static bool over_keys(struct row *rows, size_t n, size_t n_ranks, struct tr_table *to)
{
    const struct report_section *s = rows[0].s;
    qsort(rows, n, sizeof *rows, by_keys);
    struct over *all = calloc(n, sizeof *all);
    size_t n_all = 0, shown;
    uint64_t top = rows->r->o->top;
    for (size_t i = 0, end; all && i < n; i = end) {
        for (end = i + 1; end < n && compare_keys(&rows[i], &rows[end]) == 0; end++)
            ;
        struct over *o = &all[n_all++];
        *o = (struct over){ &rows[i], end - i, median(&rows[i], end - i), rows[i].at };
        for (size_t k = i; k < end; k++)
            o->at = rows[k].at < o->at ? rows[k].at : o->at;
    }
    if (all)
        qsort(all, n_all, sizeof *all, s->in_order ? by_first : by_median);
    shown = s->all || !top || n_all < top ? n_all : (size_t)top;
    for (size_t i = 0; i < shown; i++) {
        put_capture(rows->r, to, rows->capture);
        put_keys(to, all[i].first);
        put_figures(to, all[i].first, all[i].n, s->all && !s->devices && all[i].n < n_ranks ? n_ranks - all[i].n : 0);
    }
    bool ok = all && over_others(all + shown, n_all - shown, to);
    free(all);
    return ok;
}

static void metric_name(struct tr_table *to, const struct tr_table_column *c)
{
    struct tr_buf name = { 0 };
    bool ok = tr_buf_add_str(&name, c->name);
    if (ok && c->type == TR_CELL_TIME)
        ok = tr_buf_add_str(&name, "_") && tr_buf_add_str(&name, tr_unit_name(tr_table_unit(to)));
    if (ok)
        tr_table_bytes(to, (const char *)name.data, name.len);
    else
        tr_table_no_memory(to);
    tr_buf_free(&name);
}

/* A row for each figure, of which a rank has one in a capture. */
static bool over_figures(const struct report *r, enum report_id id, size_t capture, struct tr_table *to)
{
    static const struct tr_table_column columns[] = {
        { .name = "metric", .type = TR_CELL_STRING }, { .name = "median", .type = TR_CELL_DOUBLE, .times = true },
        { .name = "min", .type = TR_CELL_DOUBLE },    { .name = "min_rank", .type = TR_CELL_INT },
        { .name = "max", .type = TR_CELL_DOUBLE },    { .name = "max_rank", .type = TR_CELL_INT },
    };
    static const struct tr_table_column like = { .type = TR_CELL_DOUBLE, .times = true };
    const struct report_section *s = &report_sections[id];
    const bool few = r->n_few > 0;
    if (!capture) {
        capture_columns(r, to);
        tr_table_columns(to, columns, few ? 1 : sizeof columns / sizeof *columns);
        if (few)
            figure_columns(r, &like, to);
    }
    for (size_t k = 0; k < report_n_columns(r, s); k++) {
        size_t n;
        struct row *rows = all_rows(r, id, report_columns(r, s)[k].name, capture, &n);
        if (!rows)
            return false;
        n = drop_absent(rows, n);
        qsort(rows, n, sizeof *rows, by_keys);
        if (n) {
            put_capture(r, to, rows->capture);
            metric_name(to, &report_columns(r, s)[k]);
        }
        if (n && !put_few(to, rows, n, false, true, &report_columns(r, s)[k])) {
            const struct row *max = max_of(rows, n);
            unlike_number(to, &report_columns(r, s)[k], median(rows, n));
            unlike_number(to, &report_columns(r, s)[k], rows->value);
            put_rank(to, max->value > rows->value ? rows->rank : -1);
            unlike_number(to, &report_columns(r, s)[k], max->value);
            put_rank(to, max->value > rows->value ? max->rank : -1);
        }
        free(rows);
    }
    return true;
}

/* Rows over ranks, of each capture.  False: out of memory. */
static bool over_ranks(const struct report *r, enum report_id id, struct tr_table *to)
{
    const struct report_section *s = &report_sections[id];
    bool ok = true, started = false;
    for (size_t capture = 0; capture < r->n_captures && ok; capture++) {
        size_t n;
        struct row *rows = all_rows(r, id, s->main, capture, &n);
        n = rows && s->n_keys ? drop_absent(rows, n) : n;
        ok = rows != NULL;
        if (n && s->n_keys && !started)
            columns_over_keys(r, s, to);
        started |= n > 0;
        if (n && s->n_keys)
            ok = ok && over_keys(rows, n, report_n_ranks(r, capture, true), to);
        else if (n)
            ok = ok && over_figures(r, id, capture, to);
        free(rows);
    }
    return ok;
}

bool report_rows(const struct report *r, enum report_id id, struct tr_table *to)
{
    const struct report_section *s = &report_sections[id];
    size_t n;
    if (r->n_ranks > 1 && r->o->per == REPORT_PER_ALL && !s->of_job)
        return over_ranks(r, id, to);
    struct row *rows = all_rows(r, id, s->main, ALL_CAPTURES, &n);
    bool ok = rows && largest(r, rows, n, to);
    free(rows);
    return ok;
}

/* ---- ranks unlike the others ---- */

/* How far from the median a figure may be; rows by value. */
static bool far_from(const struct row *rows, size_t n, double *far)
{
    double *gaps = calloc(n, sizeof *gaps), middle = median(rows, n);
    if (!gaps)
        return false;
    for (size_t i = 0; i < n; i++)
        gaps[i] = fabs(rows[i].value - middle);
    qsort(gaps, n, sizeof *gaps, tr_by_f64);
    *far = fmax(FAR_DEVIATIONS * gaps[n / 2], FAR_SHARE * fabs(middle));
    free(gaps);
    return true;
}

/* Those of a figure of a capture.  False: out of memory. */
static bool outliers_of(const struct report *r, const struct tr_table_column *c, size_t capture, struct tr_table *to)
{
    static const struct tr_table_column columns[] = {
        { .name = "metric", .type = TR_CELL_STRING },
        { .name = "value", .type = TR_CELL_DOUBLE, .times = true },
        { .name = "median", .type = TR_CELL_DOUBLE },
    };
    size_t n;
    double far = 0;
    struct row *rows = all_rows(r, REPORT_BREAKDOWN, c->name, capture, &n);
    n = rows ? drop_absent(rows, n) : 0;
    if (n)
        qsort(rows, n, sizeof *rows, by_keys);
    bool ok = rows && (n < ENOUGH_RANKS || far_from(rows, n, &far));
    for (size_t i = 0; ok && n >= ENOUGH_RANKS && i < n; i++) {
        if (fabs(rows[i].value - median(rows, n)) <= far)
            continue;
        if (tr_table_empty(to)) {
            tr_table_columns(to, &rank_column, 1);
            capture_columns(r, to);
            tr_table_columns(to, columns, sizeof columns / sizeof *columns);
        }
        put_rank(to, rows[i].rank);
        put_capture(r, to, rows[i].capture);
        metric_name(to, c);
        unlike_number(to, c, rows[i].value);
        unlike_number(to, c, median(rows, n));
    }
    free(rows);
    return ok;
}

bool report_outliers(const struct report *r, struct tr_table *to)
{
    const struct report_section *s = &report_sections[REPORT_BREAKDOWN];
    bool ok = true;
    for (size_t capture = 0; capture < r->n_captures; capture++)
        for (size_t k = 0; k < report_n_columns(r, s) && ok; k++)
            ok = outliers_of(r, &report_columns(r, s)[k], capture, to);
    return ok;
}

size_t report_n_ranks(const struct report *r, size_t capture, bool device)
{
    const struct tr_input *in = r->in;
    size_t n = 0;
    int64_t last = -1;
    for (uint32_t i = 0; i < in->dict->n_sources && i < in->summary->n; i++) {
        const struct tr_source *s = &in->dict->sources[i];
        const uint64_t *k = in->summary->sources[i].n_activity;
        if (!tr_select_source(r->selected, i) || (capture != SIZE_MAX && s->capture != capture) ||
            (device && !(k[TR_ACT_KERNEL] + k[TR_ACT_MEMCPY] + k[TR_ACT_MEMSET])))
            continue;
        n += s->rank < 0 || s->rank != last; /* sources are in the order of their ranks */
        last = s->rank;
    }
    return n;
}
