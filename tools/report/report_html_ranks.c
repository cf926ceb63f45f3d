/* SPDX-License-Identifier: MIT */
/* tr-report: in which part of its time a rank is above the others, as a heat map. */
#include "report/report_html.h"

#include "base/tr_sort.h"
#include "sink/tr_html.h"

#include <math.h>
#include <stdlib.h>

#define WORTH_SHOWING 0.01 /* of the time of the median rank */

static const struct part {
    const char *column, *words;
} parts[] = { { "compute", "compute" },
              { "exposed_comm", "exposed comm" },
              { "exposed_memory", "exposed memory" },
              { "other", "other" },
              { "idle", "idle" } };

/* A figure of a row, for the median of all. */
struct figure {
    double value;
};

TR_ORDER(by_value, struct figure, TR_UP(value))

/* The lower one of two in the middle; NaN: no row has a value. */
static double median_of(const struct tr_table *t, size_t column, struct figure *room)
{
    size_t n = 0;
    for (size_t row = 0; row < tr_table_rows(t); row++) {
        const double value = report_cell_at(t, row, column);
        if (!isnan(value))
            room[n++].value = value;
    }
    qsort(room, n, sizeof *room, by_value);
    return n ? room[(n - 1) / 2].value : NAN;
}

/* By how much a row is above the median of all; 0: it is not. */
static double above(const struct tr_table *of, size_t row, size_t column, double median)
{
    return fmax(0, report_cell_at(of, row, column) - median);
}

/* Rows of a part, if a rank is above the others in it.  Returns by how much the highest is. */
static double add_part(const struct tr_table *of, const struct part *part, struct figure *room, struct tr_table *t)
{
    const size_t column = tr_table_find(of, part->column), ranks = tr_table_find(of, "rank");
    const double median = median_of(of, column, room);
    double most = 0;
    for (size_t row = 0; row < tr_table_rows(of); row++)
        most = fmax(most, above(of, row, column, median));
    for (size_t row = 0; most > 0 && row < tr_table_rows(of); row++) {
        const double rank = report_cell_at(of, row, ranks);
        if (isnan(rank))
            continue;
        tr_table_int(t, (int64_t)rank);
        tr_table_string(t, part->words);
        tr_table_time_f(t, above(of, row, column, median));
    }
    return most;
}

enum tr_status report_html_ranks(const struct report *r, enum report_id id, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_table_column columns[] = {
        { .name = "rank", .type = TR_CELL_INT, .role = TR_ROLE_GROUP },
        { .name = "part", .type = TR_CELL_STRING, .role = TR_ROLE_KEY },
        { .name = "above_median", .type = TR_CELL_TIME, .role = TR_ROLE_SUM },
    };
    static const struct tr_chart chart = { TR_CHART_HEAT, .x = "rank", .y = { "part", "above_median" } };
    static const char title[] = "By how much a rank is above the median of all ranks";
    const struct tr_table *of = r->tables[id];
    if (id != REPORT_BREAKDOWN || !of || r->n_ranks <= REPORT_HTML_PANELS)
        return TR_OK;
    struct tr_table *t = cli_table_held(r->cli);
    struct figure *room = calloc(tr_table_rows(of) + 1, sizeof *room);
    enum tr_status st = t && room ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK) {
        double most = 0;
        tr_table_columns(t, columns, sizeof columns / sizeof *columns);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            most = fmax(most, add_part(of, &parts[i], room, t));
        st = tr_table_status(t, err);
        if (st == TR_OK && most > WORTH_SHOWING * median_of(of, tr_table_find(of, "span"), room))
            st = tr_html_element(out, "p class=\"notes\"", title, sizeof title - 1)
                     ? report_html_draw(t, &chart, title, out, err)
                     : tr_fail_memory(err);
    }
    free(room);
    tr_table_free(t);
    return st;
}
