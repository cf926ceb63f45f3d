/* SPDX-License-Identifier: MIT */
/* tr-plot: any printed table as a picture.  Manual: tr-plot(1). */
#include "chart/tr_chart_guess.h"
#include "cli/cli_analysis.h"
#include "cli/cli_main.h"
#include "cli/cli_picture.h"
#include "io/tr_io.h"
#include "plot/plot.h"
#include "sink/tr_sinks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct plot {
    int kind; /* enum tr_chart_kind; -1: what the columns suggest */
    const char *x, *y, *series, *facet, *low, *high, *title;
    bool log_x, log_y;
};

static const char *const kinds[] = { "bar",  "stacked",  "histogram", "line", "step", "scatter",
                                     "heat", "roofline", "flame",     "band", NULL };

#define FIELD(name) offsetof(struct plot, name)

static const struct tr_option plot_opts[] = {
    { 'k', "kind", "KIND", TR_OPTION_CHOICE, FIELD(kind), .choices = kinds,
      .help = "kind of the picture [what the columns suggest]" },
    { 'x', "x", "COLUMN", TR_OPTION_TEXT, FIELD(x), .help = "the column across, or of the names of bars" },
    { 'y', "y", "LIST", TR_OPTION_TEXT, FIELD(y),
      .help = "the columns of figures, at most 6; heat: down, then colour; flame: length, then depth" },
    { 0, "series", "COLUMN", TR_OPTION_TEXT, FIELD(series), .help = "a colour for each of its values" },
    { 0, "facet", "COLUMN", TR_OPTION_TEXT, FIELD(facet), .help = "a panel for each of its values; none: no panels" },
    { 0, "low", "COLUMN", TR_OPTION_TEXT, FIELD(low), .help = "where whiskers begin" },
    { 0, "high", "COLUMN", TR_OPTION_TEXT, FIELD(high), .help = "where whiskers end; of a histogram: upper limits" },
    { 0, "log-x", NULL, TR_OPTION_FLAG, FIELD(log_x), .help = "a logarithmic axis across" },
    { 0, "log-y", NULL, TR_OPTION_FLAG, FIELD(log_y), .help = "a logarithmic axis up" },
    { 0, "title", "TEXT", TR_OPTION_TEXT, FIELD(title), .help = "the title [the names of the columns]" },
    { 0 },
};

static const struct cli_tool plot_tool = {
    .name = "tr-plot",
    .brief = "draw any table as a picture",
    .operands = "[FILE]",
    .uses = CLI_REPORT | CLI_ARRANGE,
    .max_operands = 1,
    .opts = plot_opts,
    .examples = { "tr-plot -x name -y sum_us kernels.tsv", "tr-plot -O text kernels.tsv" },
};

/* ---- reading ---- */

static enum tr_status read_table(struct cli *cli, struct tr_printed_table *from, struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    bool standard = n == 0 || strcmp(operands[0], "-") == 0;
    const char *name = standard ? "standard input" : operands[0];
    struct tr_buf text = { 0 };
    tr_error_input(err, name);
    if (standard && n == 0 && isatty(STDIN_FILENO))
        return tr_fail(err, TR_USAGE, "is a terminal: give a FILE, or pipe a table into tr-plot");
    int fd = standard ? STDIN_FILENO : tr_open_fd(operands[0], O_RDONLY, 0);
    if (fd < 0)
        return tr_fail_sys(err, errno, "cannot open");
    enum tr_status st = cli_read_text(fd, name, cli_max_memory(cli), &text, err);
    if (st == TR_OK && !text.len)
        st = tr_fail(err, TR_DAMAGED, "is empty: a table has a line with the names of its columns");
    if (st == TR_OK)
        st = tr_printed_table_read(from, &text, cli_max_memory(cli), err);
    tr_buf_free(&text);
    return st;
}

/* ---- what to draw ---- */

static enum tr_status odd_cell(const struct tr_printed_table *from, const struct plot_column *columns, size_t c,
                               struct tr_error *err)
{
    struct tr_str odd = tr_printed_table_cell(from, columns[c].odd, c), name = from->names[c];
    return tr_fail(err, TR_DAMAGED, "column '%.*s' has a text among its numbers: row %zu has '%.*s'",
                   (int)(name.len < 80 ? name.len : 80), name.s, columns[c].odd + 1, (int)(odd.len < 60 ? odd.len : 60),
                   odd.s);
}

/* A named column that there is; *name NULL: none was named. */
static enum tr_status check_column(const struct tr_table *t, const char *option, const char *name, bool number,
                                   const struct tr_printed_table *from, const struct plot_column *columns,
                                   struct tr_error *err)
{
    if (!name)
        return TR_OK;
    size_t c = tr_table_find(t, name);
    if (c == SIZE_MAX)
        return tr_fail(err, TR_USAGE, "option --%s: the table has no column '%.80s'", option, name);
    if (!number || columns[c].type != TR_CELL_STRING)
        return TR_OK;
    if (columns[c].odd == SIZE_MAX || !columns[c].n_numbers)
        return tr_fail(err, TR_USAGE, "option --%s: column '%.80s' has texts, and a picture needs numbers there",
                       option, name);
    return odd_cell(from, columns, c, err);
}

/* Without a column of figures, one that would be if it had no text explains why. */
static enum tr_status explain(const struct tr_printed_table *from, const struct plot_column *columns, enum tr_status st,
                              struct tr_error *err)
{
    for (size_t c = 0; c < from->n_cols; c++)
        if (columns[c].odd != SIZE_MAX && columns[c].n_numbers)
            return odd_cell(from, columns, c, err);
    return st;
}

struct request {
    struct tr_chart chart;
    char *y; /* the list, with zeros for commas */
};

static enum tr_status split_y(const char *list, struct request *r, struct tr_error *err)
{
    size_t n = 0, len = strlen(list) + 1;
    r->y = malloc(len);
    if (!r->y)
        return tr_fail_memory(err);
    memcpy(r->y, list, len);
    for (char *at = r->y; at; n++) {
        char *comma = strchr(at, ',');
        if (n == TR_CHART_Y)
            return tr_fail(err, TR_USAGE, "option --y: more than %u columns", TR_CHART_Y);
        if (comma)
            *comma = '\0';
        r->chart.y[n] = at;
        at = comma ? comma + 1 : NULL;
    }
    return TR_OK;
}

/* The suggested chart with the options put over it. */
static enum tr_status choose(const struct plot *o, struct tr_table *t, const struct tr_printed_table *from,
                             const struct plot_column *columns, struct request *r, struct tr_error *err)
{
    struct tr_chart *c = &r->chart;
    bool all = o->x && o->y; /* then no suggestion is needed */
    enum tr_status st = all ? TR_OK : tr_chart_suggest(t, c, err);
    if (st == TR_USAGE)
        st = explain(from, columns, st, err);
    if (all)
        *c = (struct tr_chart){ .kind = TR_CHART_BAR };
    if (st == TR_OK && o->y) {
        memset(c->y, 0, sizeof c->y);
        c->low = c->high = NULL;
        st = split_y(o->y, r, err);
    }
    if (st != TR_OK)
        return st;
    c->x = o->x ? o->x : c->x;
    c->series = o->series ? o->series : c->series;
    c->facet = o->facet ? o->facet : c->facet;
    if (c->facet && strcmp(c->facet, "none") == 0)
        c->facet = NULL;
    c->low = o->low ? o->low : c->low;
    c->high = o->high ? o->high : c->high;
    c->log_x |= o->log_x;
    c->log_y |= o->log_y;
    bool heat = o->kind == TR_CHART_HEAT;
    st = check_column(t, "x", c->x, o->kind >= TR_CHART_HISTOGRAM && !heat, from, columns, err);
    for (size_t i = 0; i < TR_CHART_Y && c->y[i] && st == TR_OK; i++)
        st = check_column(t, "y", c->y[i], !(heat && i == 0), from, columns, err);
    const char *const others[][2] = { { "series", c->series }, { "facet", c->facet } };
    for (size_t i = 0; i < 2 && st == TR_OK; i++)
        st = check_column(t, others[i][0], others[i][1], false, from, columns, err);
    if (st == TR_OK)
        st = check_column(t, "low", c->low, true, from, columns, err);
    if (st == TR_OK)
        st = check_column(t, "high", c->high, true, from, columns, err);
    if (st == TR_OK && o->kind >= 0)
        c->kind = (enum tr_chart_kind)o->kind;
    else if (st == TR_OK && all)
        c->kind = columns[tr_table_find(t, c->x)].type == TR_CELL_STRING ? TR_CHART_BAR : TR_CHART_LINE;
    if (st == TR_OK && (c->kind == TR_CHART_HEAT || c->kind == TR_CHART_FLAME) && !c->y[1])
        st = tr_fail(err, TR_USAGE, "a %s has two columns of --y", tr_chart_kind_name(c->kind));
    return st;
}

static const struct tr_row_sink *sink_of(const struct cli *cli)
{
    bool text = cli_report_format(cli) == CLI_TEXT;
    if (cli_format_chosen(cli) && !text)
        return cli_report_sink(cli);
    return text ? &tr_row_sink_bars : &tr_row_sink_svg;
}

static enum tr_status draw(struct cli *cli, const struct plot *o, const struct tr_printed_table *from,
                           struct tr_error *err)
{
    static const enum tr_unit units[] = {
        [CLI_NS] = TR_UNIT_NS, [CLI_US] = TR_UNIT_US, [CLI_MS] = TR_UNIT_MS, [CLI_S] = TR_UNIT_S
    };
    struct plot_column *columns = NULL;
    struct request r = { .y = NULL };
    int unit;
    enum tr_status st = plot_columns(from, &columns, &unit, err);
    struct tr_table *t = NULL;
    if (st == TR_OK) {
        t = cli_table_as(cli, sink_of(cli), cli_unit_given(cli) || unit < 0 ? units[cli_unit(cli)] : (enum tr_unit)unit,
                         true);
        st = t ? TR_OK : tr_fail_memory(err);
    }
    if (st == TR_OK)
        tr_table_hold(t); /* the columns are looked at before they are drawn */
    if (st == TR_OK)
        st = plot_fill(from, columns, t, err);
    if (st == TR_OK)
        st = choose(o, t, from, columns, &r, err);
    if (st == TR_OK)
        st = cli_picture(cli, t, &r.chart, o->title, NULL, NULL, err);
    if (st == TR_OK)
        st = tr_table_end(t, err);
    tr_table_free(t);
    free(columns);
    free(r.y);
    return st;
}

static enum tr_status plot_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct tr_printed_table from = { 0 };
    enum tr_status st = read_table(cli, &from, err);
    if (st == TR_OK)
        st = draw(cli, arg, &from, err);
    tr_printed_table_free(&from);
    return st;
}

int tr_plot_main(int argc, char **argv)
{
    return cli_main(argc, argv, &plot_tool, &(struct plot){ .kind = -1 }, plot_run);
}
