/* SPDX-License-Identifier: MIT */
/* tr-view: events as text, JSON or a viewer's trace, and tables of a stream.  Manual: tr-view(1). */
#include "cli/cli_book.h"
#include "cli/cli_view.h"
#include "formats/text/tr_text_write.h"
#include "sink/tr_sinks.h"
#include "view/view.h"
#include "view/view_book.h"
#include "view/view_table.h"

static const char *const formats[] = { "text", "tsv", "jsonl",  "json", "chrome", "perfetto",
                                       "csv",  "md",  "sqlite", "xlsx", NULL }; /* as enum view_format */
static const char *const overlaps[] = { "keep", "lane", "drop", "shift", "async", NULL }; /* as enum tr_overlap */
static const char *const units[] = { "ns", "us", "ms", "s", NULL }; /* as enum tr_text_unit */

static const struct tr_option view_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct view, format), .choices = formats,
      .help = "text, tsv, jsonl, json, chrome or perfetto; sqlite, xlsx, or csv in a folder (-o DIR/), with all that "
              "belongs to events; csv, md of tables [$TR_FORMAT, else text on a terminal, else tsv]" },
    { 0, "unit", "UNIT", TR_OPTION_CHOICE, offsetof(struct view, unit), .choices = units,
      .help = "unit of times: ns, us, ms, s [us; ns in JSON]" },
    { 'n', "limit", "N", TR_OPTION_U64, offsetof(struct view, limit),
      .help = "at most N events [all]" },
    { 0, "overlap", "HOW", TR_OPTION_CHOICE, offsetof(struct view, overlap), .choices = overlaps,
      .help = "spans that overlap others of their thread in part: keep them, give them a lane of their own, drop "
              "them, shift them by a few ns, or make them async [keep]" },
    { 0, "by", "TABLE", TR_OPTION_TEXT, offsetof(struct view, by),
      .help = "show the tables of this name instead of events; tr-info lists them" },
    { 0, "args", "LIST", TR_OPTION_TEXT, offsetof(struct view, args),
      .help = "sqlite, csv: columns for these args, or rows: a table with a row for each arg [none]" },
    CLI_EVENT_OPTS(struct view, select),
    { 0, "budget", "SIZE", TR_OPTION_SIZE, offsetof(struct view, budget), .lo = 1,
      .help = "-O perfetto: at most SIZE bytes; the shortest spans of each thread and stream are left out [all]" },
    { 0, "gpu-stages", NULL, TR_OPTION_FLAG, offsetof(struct view, gpu_stages),
      .help = "-O perfetto: device work also as render stages" },
    { 0, "open", NULL, TR_OPTION_FLAG, offsetof(struct view, open),
      .help = "give the trace, or the page FILE, to a browser on this machine, and print the address to open" },
    { 0, "port", "N", TR_OPTION_U64, offsetof(struct view, port), .hi = 65535,
      .help = "--open: listen on this port; 0: on any free one [9001]" },
    { 0, "keep", NULL, TR_OPTION_FLAG, offsetof(struct view, keep),
      .help = "--open: do not end after the first complete read" },
    { 0 },
};

static const struct cli_tool view_tool = {
    .name = "tr-view",
    .brief = "show events as text, JSON or a viewer's trace",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = view_opts,
    .examples = { "tr-view --rank 0 --step 16 --where 'kind == comm' job.trs",
                  "tr-view -O chrome --step 16 job.trs >step16.json" },
};

/* Refuse options that only one way of writing has. */
static enum tr_status check_form(struct cli *cli, struct view *v, struct tr_error *err)
{
    if (v->open && (v->by || (cli_given(cli, "output-format") && v->format != VIEW_PERFETTO)))
        return tr_fail(err, TR_USAGE, "--open is for '-O perfetto'");
    if (v->open)
        v->format = VIEW_PERFETTO;
    if (!v->open && (v->keep || cli_given(cli, "port")))
        return tr_fail(err, TR_USAGE, "--port and --keep go with --open");
    if (v->format != VIEW_PERFETTO && (v->budget || v->gpu_stages))
        return tr_fail(err, TR_USAGE, "--budget and --gpu-stages go with '-O perfetto'");
    return TR_OK;
}

/* Events as tables: times are whole ns. */
static enum tr_status check_book(const struct view *v, struct tr_error *err)
{
    const int unit = v->format == VIEW_XLSX ? TR_TEXT_US : TR_TEXT_NS;
    if (v->unit != VIEW_NOT_GIVEN && v->unit != unit)
        return tr_fail(err, TR_USAGE, "--unit: times of events are in %s in -O %s", units[unit], formats[v->format]);
    return TR_OK;
}

/* Refuse options for events if there are tables, and options for tables if there are events. */
static enum tr_status check_options(struct cli *cli, struct view *v, struct tr_error *err)
{
    bool book = cli_book(cli);
    if (v->args && (!book || v->by))
        return tr_fail(err, TR_USAGE, "--args goes with events as -O sqlite, or as -O csv in a folder");
    if (book && !v->by) {
        enum tr_status st = check_book(v, err);
        return st == TR_OK ? cli_arrange_columns(cli, "--by", err) : st;
    }
    bool of_tables =
        v->format == VIEW_CSV || v->format == VIEW_MD || v->format == VIEW_SQLITE || v->format == VIEW_XLSX;
    if (!v->by && of_tables)
        of_tables = !cli_format_forget(cli);
    bool of_events = v->format == VIEW_JSONL || v->format == VIEW_CHROME || v->format == VIEW_PERFETTO;
    if (!v->by && of_tables)
        return tr_fail(err, TR_USAGE, "'-O %s' is about tables: it goes with --by", formats[v->format]);
    if (!v->by)
        return cli_arrange_columns(cli, "--by", err);
    if (of_events)
        return tr_fail(err, TR_USAGE, "'-O %s' is about events, not for --by", formats[v->format]);
    if (cli_select_any(&v->select))
        return tr_fail(err, TR_USAGE, "--rank, --step, --time and --where are about events, not for --by");
    if (v->overlap != TR_OVERLAP_KEEP)
        return tr_fail(err, TR_USAGE, "--overlap is about events, not for --by");
    if (v->limit != UINT64_MAX)
        return tr_fail(err, TR_USAGE, "--limit is about events: --top cuts a table");
    return TR_OK;
}

static enum tr_status show_table(struct cli *cli, const struct view *v, struct tr_error *err)
{
    static const struct tr_row_sink *const sinks[] = { [VIEW_TEXT] = &tr_row_sink_text, [VIEW_TSV] = &tr_row_sink_tsv,
                                                       [VIEW_JSON] = &tr_row_sink_json, [VIEW_CSV] = &tr_row_sink_csv,
                                                       [VIEW_MD] = &tr_row_sink_md,
                                                       [VIEW_SQLITE] = &tr_row_sink_sqlite,
                                                       [VIEW_XLSX] = &tr_row_sink_xlsx };
    static const enum tr_unit table_units[] = { TR_UNIT_NS, TR_UNIT_US, TR_UNIT_MS, TR_UNIT_S };
    cli_name_table(cli, v->by);
    enum tr_unit unit = v->format == VIEW_JSON ? TR_UNIT_NS : TR_UNIT_US;
    const struct tr_row_sink *sink = sinks[v->format];
    if (sink->book && !cli_book(cli))
        sink = &tr_row_sink_text; /* of columns that are described */
    return view_table(cli, v->by, sink, v->unit != VIEW_NOT_GIVEN ? table_units[v->unit] : unit, err);
}

static enum tr_status view_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct view *v = arg;
    const struct view_sink to = { .write = cli_sink, .self = cli };
    int fd;
    enum tr_status st = check_form(cli, v, err);
    if (st == TR_OK)
        st = check_options(cli, v, err);
    if (st == TR_OK && cli_book(cli)) {
        const struct view_book book = { .select = &v->select, .args = v->args, .limit = v->limit,
                                        .overlap = v->overlap };
        cli_report_as(cli, formats[v->format]);
        return v->by ? show_table(cli, v, err) : view_book_write(cli, &book, err);
    }
    if (st == TR_OK)
        st = cli_output(cli, v->format == VIEW_PERFETTO && !v->open, &fd, err);
    if (st != TR_OK)
        return st;
    if (v->format == VIEW_NOT_GIVEN) /* as reports have it */
        v->format = cli_report_format(cli) == CLI_TEXT ? VIEW_TEXT : VIEW_TSV;
    if (v->by)
        return show_table(cli, v, err);
    if ((v->format == VIEW_CHROME || v->format == VIEW_PERFETTO) &&
        (cli_arrange(cli)->columns || v->unit != VIEW_NOT_GIVEN || cli_relative(cli)))
        return tr_fail(err, TR_USAGE,
                       "'-O %s' writes every member of an event and takes neither "
                       "--columns, --unit nor --relative", formats[v->format]);
    v->relative = cli_relative(cli);
    st = cli_select_compile(cli, &v->select, err);
    if (st == TR_OK)
        st = view_fields(v, cli_arrange(cli)->columns, err);
    if (st == TR_OK)
        st = v->open ? view_open(cli, v, err) : view_events(cli, v, &to, err);
    return st;
}

int tr_view_main(int argc, char **argv)
{
    struct view view = { .format = VIEW_NOT_GIVEN,
                         .unit = VIEW_NOT_GIVEN,
                         .overlap = TR_OVERLAP_KEEP,
                         .limit = UINT64_MAX,
                         .port = 9001,
                         .select = CLI_SELECT_INIT };
    int code = cli_main(argc, argv, &view_tool, &view, view_run);
    cli_select_free(&view.select);
    tr_fields_free(&view.fields);
    return code;
}
