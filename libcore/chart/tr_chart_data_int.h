/* SPDX-License-Identifier: MIT */
/*
 * What a picture shows: the rows of a table as points, with the names of categories, series and facets as numbers.
 *
 * Each row is a point for each y of the chart.  Rows that only sum up others are left out.  If rows agree in everything
 * that the chart names, further keys of the table distinguish them: in the names of categories of bars, of series of
 * lines, of facets of other kinds.
 */
#ifndef TR_CHART_DATA_INT_H
#define TR_CHART_DATA_INT_H

#include "base/tr_strtab.h"
#include "chart/tr_chart_scale_int.h"
#include "table/tr_chart.h"
#include "table/tr_table.h"

struct tr__point {
    double x, y;      /* y NaN: nothing to draw */
    double low, high; /* of whiskers, NaN: none; in a flame, low is the depth */
    uint32_t cat, series, facet;
    uint32_t column;     /* which y */
    uint32_t cls, place; /* of the drawing: its class, and the place of its category */
    size_t row;
};

struct tr__chart_axis {
    size_t column; /* SIZE_MAX: the axis has none */
    struct tr__quantity q;
    bool text;     /* its cells are texts */
    bool moments;  /* points of time, from the first on */
    int64_t start; /* the first */
};

struct tr__chart_data {
    struct tr_table *t;
    struct tr_chart chart; /* that is drawn: without columns that the table lacks */
    struct tr__chart_axis x, y, z;
    size_t y_columns[TR_CHART_Y];
    unsigned n_y;
    size_t series_column, facet_column; /* SIZE_MAX: none */
    size_t text_column;                 /* the name of a point or span; SIZE_MAX: none */
    size_t share;                       /* the column with the share of the first y; SIZE_MAX: none */
    struct tr__point *points;           /* in the order of the rows */
    size_t n_points, cap_points;
    struct tr_spilling points_in;
    size_t n_rows;                            /* of the table, without sums */
    size_t n_absent;                          /* points that have no value, or none that a logarithmic axis can show */
    struct tr_strtab *cats, *series, *facets; /* names for people; "others" as the table has it */
    double *cat_values;                       /* of a column of numbers: their values; NaN: absent */
    size_t cap_cat_values;
    uint32_t *cat_order; /* categories in the order of drawing */
};

/*
 * Read the rows of a table, all of which are known.  TR_USAGE: the table lacks columns that the chart needs.
 * tr__chart_data_free in any case.
 */
enum tr_status tr__chart_read(struct tr__chart_data *d, struct tr_table *t, const struct tr_chart *chart,
                              struct tr_error *err);
void tr__chart_data_free(struct tr__chart_data *d);

/* Append the printed cell of a row, with its unit, as people read it: "76,074.096 µs".  False: out of memory. */
bool tr__chart_cell(const struct tr__chart_data *d, size_t row, size_t column, bool unit, struct tr_buf *out);

/* The same for a number of that column that no cell has, such as a sum. */
bool tr__chart_value(const struct tr__chart_data *d, size_t column, double v, struct tr_buf *out);

/* What is measured in a column, and its title as words. */
struct tr__quantity tr__chart_quantity(const struct tr_table *t, size_t column);
bool tr__chart_title(const struct tr__chart_data *d, size_t column, struct tr_buf *out);

static inline struct tr_str tr__chart_name(const struct tr_strtab *names, uint32_t n)
{
    return (struct tr_str){ tr_strtab_get(names, n), tr_strtab_len(names, n) };
}

#endif
