/* SPDX-License-Identifier: MIT */
/* Rows from structs: the cell of each column from the member that it names, or from other columns. */
#include "base/tr_time.h"
#include "table/tr_table_int.h"

#include <math.h>

/* A figure of a row: an integer, or a number. */
struct figure {
    bool is_real;
    int64_t i; /* TR_I64_NONE: absent */
    double d;
};

static struct figure integer(int64_t i)
{
    return (struct figure){ .i = i };
}

static struct figure real(double d)
{
    return (struct figure){ .is_real = true, .d = d };
}

static struct figure count(uint64_t n)
{
    return n <= INT64_MAX ? integer((int64_t)n) : real((double)n);
}

static struct figure of_stats(const struct tr_stats *s, const struct tr_table_column *is)
{
    switch (is->role) {
    case TR_ROLE_COUNT:
        return count(s->n);
    case TR_ROLE_SUM:
        return integer(s->n ? tr_stats_sum(s) : TR_I64_NONE);
    case TR_ROLE_MIN:
        return integer(s->n ? s->min : TR_I64_NONE);
    case TR_ROLE_MAX:
        return integer(s->n ? s->max : TR_I64_NONE);
    case TR_ROLE_QUANTILE:
        return real(tr_stats_std(s));
    default:
        return real(tr_stats_mean(s));
    }
}

static struct figure of_sample(const struct tr_sample *s, const struct tr_table_column *is)
{
    if (is->role == TR_ROLE_MAX && is->type == TR_CELL_COUNT)
        return integer(tr_sample_approx(s));
    if (is->role == TR_ROLE_QUANTILE && is->percent)
        return real(tr_sample_percentile(s, is->percent));
    return of_stats(&s->stats, is);
}

static struct figure of_values(const struct tr_hist *h, const struct tr_table_column *is)
{
    if (is->role == TR_ROLE_MAX)
        return integer(h && tr_hist_approx(h));
    return real(h ? tr_hist_quantile(h, is->percent, 100) : NAN);
}

static struct figure member(const void *at, const struct tr_table_column *is)
{
    switch (is->member) {
    case TR_MEMBER_I64:
        return integer(*(const int64_t *)at);
    case TR_MEMBER_GROUP:
        return integer(*(const int64_t *)at == INT64_MAX ? TR_I64_NONE : *(const int64_t *)at);
    case TR_MEMBER_U64:
        return count(*(const uint64_t *)at);
    case TR_MEMBER_U32:
        return integer(*(const uint32_t *)at);
    case TR_MEMBER_U8:
        return integer(*(const uint8_t *)at);
    case TR_MEMBER_FLAG:
        return integer(*(const bool *)at);
    case TR_MEMBER_REAL:
        return real(*(const double *)at);
    case TR_MEMBER_STATS:
        return of_stats(at, is);
    case TR_MEMBER_SAMPLE:
        return of_sample(at, is);
    case TR_MEMBER_VALUES:
        return of_values(*(const struct tr_hist *const *)at, is);
    default:
        return integer(TR_I64_NONE);
    }
}

static double number(struct figure f)
{
    return f.is_real ? f.d : f.i == TR_I64_NONE ? NAN : (double)f.i;
}

static const void *place(const struct tr_row *r, const struct tr_table_column *is)
{
    return (const char *)(is->member == TR_MEMBER_GROUP ? r->group : r->row) + is->at;
}

static struct figure figure_of(const struct tr_table *t, const struct tr_row *r, size_t c);

/* The figure of another column of the row. */
static struct figure other(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    return c == SIZE_MAX ? integer(TR_I64_NONE) : figure_of(t, r, c);
}

static struct figure share_of(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    const struct tr_table_column *is = &t->cols[c].is;
    struct figure given = integer(r->wholes ? r->wholes[c] : TR_I64_NONE);
    double whole = number(is->member ? member(place(r, is), is) : given), part = number(other(t, r, t->cols[c].of));
    return real(whole == 0 ? NAN : 100.0 * part / whole);
}

static struct figure ratio_of(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    const struct tr_table_column *is = &t->cols[c].is;
    double of = number(other(t, r, t->cols[c].of)), per = number(other(t, r, t->cols[c].per));
    bool percent = is->unit && strcmp(is->unit, "%") == 0;
    return real(per == 0 ? NAN : percent ? 100.0 * of / per : of / per);
}

static struct figure figure_of(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    const struct tr_table_column *is = &t->cols[c].is;
    if (is->role == TR_ROLE_SHARE && is->of)
        return share_of(t, r, c);
    if (is->member)
        return member(place(r, is), is);
    if (is->role == TR_ROLE_RATIO)
        return ratio_of(t, r, c);
    if (is->role == TR_ROLE_COUNT)
        return count(r->n_rows ? r->n_rows : 1);
    return integer(TR_I64_NONE);
}

/* Most cells are integers of a row: the short way.  False: the cell is none. */
static bool add_integer(struct tr_table *t, const struct tr_row *r, const struct tr_table_column *is)
{
    const void *at = place(r, is);
    int64_t v;
    if (is->member == TR_MEMBER_I64)
        v = *(const int64_t *)at;
    else if (is->member == TR_MEMBER_U64 && *(const uint64_t *)at <= INT64_MAX)
        v = (int64_t) * (const uint64_t *)at;
    else if (is->member == TR_MEMBER_U32)
        v = *(const uint32_t *)at;
    else if (is->member == TR_MEMBER_GROUP)
        v = *(const int64_t *)at == INT64_MAX ? TR_I64_NONE : *(const int64_t *)at;
    else
        return false;
    if (is->role == TR_ROLE_SHARE || is->type == TR_CELL_RATIO || is->type == TR_CELL_DOUBLE)
        return false;
    /* the row has room, so the cell is written as it is */
    t->cells[t->n_cells++] = (struct tr__cell){ .absent = v == TR_I64_NONE, .v.i = v };
    return true;
}

static void add_figure(struct tr_table *t, enum tr_cell type, struct figure f)
{
    if (!f.is_real && f.i == TR_I64_NONE)
        tr_table_absent(t);
    else if (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE)
        tr_table_ratio(t, number(f));
    else if (type == TR_CELL_TIME && f.is_real)
        tr_table_time_f(t, f.d);
    else if (type == TR_CELL_TIME)
        tr_table_time(t, f.i);
    else if (isnan(number(f)))
        tr_table_absent(t);
    else if (type == TR_CELL_COUNT)
        tr_table_count(t, f.is_real ? (uint64_t)f.d : (uint64_t)f.i);
    else
        tr_table_int(t, f.is_real ? (int64_t)round(f.d) : f.i);
}

static struct tr_str text_of(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    const struct tr_table_column *is = &t->cols[c].is;
    const void *at = place(r, is);
    uint32_t n = is->member == TR_MEMBER_U8 ? *(const uint8_t *)at : 0;
    switch (is->member) {
    case TR_MEMBER_WORD:
        return tr_str_of(*(const char *const *)at);
    case TR_MEMBER_U32:
        n = *(const uint32_t *)at;
        /* fall through */
    case TR_MEMBER_U8:
        if (is->word)
            return tr_str_of(is->word(n));
        if (!r->texts)
            return t->string && n != UINT32_MAX ? t->string(t->string_self, n) : tr_str_of(NULL);
        /* fall through */
    case TR_MEMBER_TEXT:
    case TR_MEMBER_OWN:
        return r->texts ? r->texts[c] : is->member == TR_MEMBER_TEXT ? *(const struct tr_str *)at : tr_str_of(NULL);
    default:
        return tr_str_of(NULL);
    }
}

static void add_text(struct tr_table *t, const struct tr_row *r, size_t c)
{
    struct tr_str text = text_of(t, r, c);
    tr_table_text(t, text.s ? text : tr_str_of(t->cols[c].is.none));
}

/* Does a row lack the value that its cells in other columns need? */
static bool lacks(const struct tr_table *t, const struct tr_row *r, size_t c)
{
    const struct tr_table_column *is = c == SIZE_MAX ? NULL : &t->cols[c].is;
    return is && !r->label &&
           (is->type == TR_CELL_STRING ? !text_of(t, r, c).s
                                       : !figure_of(t, r, c).is_real && figure_of(t, r, c).i == TR_I64_NONE);
}

/* Find the columns that others name, once. */
static void link_columns(struct tr_table *t)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        t->cols[c].of = is->of ? tr__find_column(t, is->of, strlen(is->of)) : SIZE_MAX;
        t->cols[c].per = is->per ? tr__find_column(t, is->per, strlen(is->per)) : SIZE_MAX;
        t->cols[c].with = is->with ? tr__find_column(t, is->with, strlen(is->with)) : SIZE_MAX;
    }
    t->linked = true;
}

void tr_table_row(struct tr_table *t, const struct tr_row *r)
{
    if (!t->linked)
        link_columns(t);
    size_t label = r->label ? tr_table_label(t) : SIZE_MAX;
    bool room = tr__row_open(t), direct = room && !t->no_figures;
    for (size_t c = 0; c < t->n_cols && t->err.status == TR_OK; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        if (r->label && c == label)
            tr_table_string(t, r->label);
        else if (r->label && (is->role == TR_ROLE_TEXT || (r->differ ? r->differ[c] : is->role == TR_ROLE_KEY)))
            tr_table_absent(t);
        else if (lacks(t, r, t->cols[c].with))
            tr_table_absent(t);
        else if (is->type == TR_CELL_STRING)
            add_text(t, r, c);
        else if (!direct || !add_integer(t, r, is))
            add_figure(t, is->type, figure_of(t, r, c));
    }
}

void tr_table_grouped_rows(struct tr_table *t, const void *rows, size_t n, size_t size)
{
    for (size_t i = 0; i < n && t->err.status == TR_OK; i++) {
        const char *row = (const char *)rows + i * size;
        tr_table_row(t, &(struct tr_row){ .group = row, .row = row });
    }
}

void tr_table_strings(struct tr_table *t, struct tr_str (*text)(const void *self, uint32_t number), const void *self)
{
    t->string = text;
    t->string_self = self;
}

const struct tr_table_column *tr_table_column_at(const struct tr_table *t, size_t column)
{
    return column < t->n_cols ? &t->cols[column].is : NULL;
}
