/* SPDX-License-Identifier: MIT */
/* tr-view: events as text, JSON or a viewer's trace, and tables of a stream.  Manual: tr-view(1). */
#include "cli/cli_select.h"
#include "cli/cli_view.h"
#include "formats/chrome/tr_chrome_write.h"
#include "formats/common/tr_overlaps.h"
#include "formats/perfetto/tr_perfetto_write.h"
#include "formats/text/tr_text_write.h"
#include "stream/format/tr_reader.h"
#include "stream/tr_batch_select.h"
#include "view/view_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum format { TEXT, TSV, JSONL, JSON, CHROME, PERFETTO, CSV, MD };
static const char *const formats[] = { "text",   "tsv",      "jsonl", "json",
                                       "chrome", "perfetto", "csv",   "md",   NULL };
static const char *const overlaps[] = { "keep", "lane", "drop", "shift", "async", NULL }; /* as enum tr_overlap */
static const char *const units[] = { "ns", "us", "ms", "s", NULL }; /* as enum tr_text_unit */

#define NOT_GIVEN    (-1)
#define TABLE_FIELDS "rank,device,stream,ts,dur,phase,activity,name"
#define TEXT_FIELDS  "rank,ts,dur,activity,name" /* the width of a line */
#define JSON_FIELDS                                                                                \
    "rank,source,record,phase,activity,kind,ts,dur,pid,tid,device,stream,name,cat,class?,suspect?" \
    ","                                                                                            \
    "members?,args,launch_record?,launch_ts?,launch_dur?,api?,n_device?,graph_id?,graph_node?,"            \
    "ts_ps?,dur_ps?"

struct view {
    int format, unit, overlap;
    struct tr_fields fields; /* none: the default fields of the format */
    uint64_t limit;
    const char *by; /* the name of tables; NULL: events */
    struct cli_select select;
    bool relative;
};

static const struct tr_option view_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct view, format), .choices = formats,
      .help = "text, tsv, jsonl, json, chrome or perfetto; csv, md of tables [text on a terminal, else tsv]" },
    { 0, "unit", "UNIT", TR_OPTION_CHOICE, offsetof(struct view, unit), .choices = units,
      .help = "unit of times: ns, us, ms, s [us; ns in JSON]" },
    { 'n', "limit", "N", TR_OPTION_U64, offsetof(struct view, limit),
      .help = "at most N events [all]" },
    { 0, "overlap", "HOW", TR_OPTION_CHOICE, offsetof(struct view, overlap), .choices = overlaps,
      .help = "spans that overlap others of their thread in part: keep them, give them a lane of their own, drop "
              "them, shift them by a few ns, or make them async [keep]" },
    { 0, "by", "TABLE", TR_OPTION_TEXT, offsetof(struct view, by),
      .help = "show the tables of this name instead of events; tr-info lists them" },
    CLI_EVENT_OPTS(struct view, select),
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

/* The writer for the format; the others are NULL. */
struct writer {
    struct tr_chrome_writer *chrome;
    struct tr_perfetto_writer *perfetto;
    struct tr_text_writer *text;
    struct tr_field_columns columns;
    struct tr_selector *selector; /* of some events of a batch */
    struct tr_batch *selected;
    struct tr_overlaps *overlaps; /* NULL: spans do not change */
};

/* Args are the largest part of a stream, so only those that will be shown are decoded. */
static enum tr_status want_fields(struct tr_input *in, const struct tr_fields *fields,
                                  struct tr_error *err)
{
    struct tr_projection want = { .fixed = TR_FIXED_ALL, .derived = (1u << TR_N_DERIVED) - 1 };
    const char **keys = calloc(fields->n, sizeof *keys);
    if (!keys)
        return tr_fail_memory(err);
    for (size_t k = 0; k < fields->n; k++) {
        const struct tr_field *f = &fields->list[k];
        want.all_packed |= f->id == TR_FIELD_ARGS || f->id == TR_FIELD_MEMBERS;
        if (f->key)
            keys[want.n_keys++] = f->key;
    }
    want.keys = keys;
    bool ok = tr_input_want(in, &want);
    free(keys);
    return ok ? TR_OK : tr_fail_memory(err);
}

static bool is_json(const struct view *v)
{
    return v->format == JSONL || v->format == JSON;
}

static enum tr_status read_fields(struct view *v, const char *columns, struct tr_error *err)
{
    if (!columns)
        return tr_fields_parse(&v->fields,
                               is_json(v)          ? JSON_FIELDS
                               : v->format == TEXT ? TEXT_FIELDS
                                                   : TABLE_FIELDS,
                               err);
    enum tr_status st = tr_fields_parse(&v->fields, strcmp(columns, "all") == 0 ? JSON_FIELDS : columns, err);
    if (st == TR_USAGE)
        tr_error_place(err, "option --columns");
    return st;
}

static enum tr_status writer_open(struct writer *w, struct view *v, size_t width, struct tr_input *in,
                                  struct tr_error *err)
{
    static const enum tr_text_format text_formats[] = {
        [TEXT] = TR_TEXT_ALIGNED,
        [TSV] = TR_TEXT_TSV,
        [JSONL] = TR_TEXT_JSONL,
        [JSON] = TR_TEXT_JSON,
    };
    bool json = is_json(v);
    w->selector = tr_selector_new();
    w->selected = tr_batch_new();
    if (!w->selector || !w->selected)
        return tr_fail_memory(err);
    enum tr_text_unit unit = v->unit != NOT_GIVEN ? (enum tr_text_unit)v->unit
                             : json               ? TR_TEXT_NS
                                                  : TR_TEXT_US;
    if (v->format == CHROME) {
        size_t n = in->summary->n;
        w->chrome =
            tr_chrome_writer_new(in->dict, n > in->dict->n_sources ? n : in->dict->n_sources);
        return w->chrome ? TR_OK : tr_fail_memory(err);
    }
    if (v->format == PERFETTO) {
        w->perfetto = tr_perfetto_writer_new(in->dict, in->summary);
        return w->perfetto ? TR_OK : tr_fail_memory(err);
    }
    enum tr_status st = tr_fields_start(&v->fields, &w->columns, in, err);
    if (st != TR_OK)
        return st;
    w->text = tr_text_writer_new(text_formats[v->format], unit, &v->fields, &w->columns);
    if (!w->text)
        return tr_fail_memory(err);
    tr_text_writer_width(w->text, width);
    if (v->relative)
        tr_text_writer_of_files(w->text);
    /* copying events needs all columns */
    return cli_select_any(&v->select) || v->overlap == TR_OVERLAP_DROP ? TR_OK : want_fields(in, &v->fields, err);
}

/* A viewer of Perfetto's format gets a track for every lane in any case. */
static enum tr_status overlaps_open(struct writer *w, const struct view *v, const struct tr_input *in,
                                    struct tr_error *err)
{
    bool lanes = v->overlap == TR_OVERLAP_LANE || v->overlap == TR_OVERLAP_ASYNC;
    if (v->overlap == TR_OVERLAP_KEEP || (lanes && v->format == PERFETTO))
        return TR_OK;
    if (!in->sorted)
        return tr_fail(err, TR_DAMAGED, "not in canonical order: sort it with tr-parse or tr-merge first");
    w->overlaps = tr_overlaps_new((enum tr_overlap)v->overlap);
    return w->overlaps ? TR_OK : tr_fail_memory(err);
}

static void writer_close(struct writer *w)
{
    tr_chrome_writer_free(w->chrome);
    tr_perfetto_writer_free(w->perfetto);
    tr_text_writer_free(w->text);
    tr_field_columns_free(&w->columns);
    tr_selector_free(w->selector);
    tr_batch_free(w->selected);
    tr_overlaps_free(w->overlaps);
}

static enum tr_status flush(struct cli *cli, struct tr_buf *out, struct tr_error *err)
{
    size_t n = out->len;
    out->len = 0;
    return n ? cli_write(cli, out->data, n, err) : TR_OK;
}

/* The first n events of a batch. */
static enum tr_status write_batch(struct cli *cli, struct writer *w, const struct tr_batch *b,
                                  size_t n, struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t at = 0; at < n && st == TR_OK;) {
        st = w->chrome     ? tr_chrome_batch(w->chrome, b, &at, n, out, err)
             : w->perfetto ? tr_perfetto_batch(w->perfetto, b, &at, n, out, err)
                           : tr_text_batch(w->text, b, &at, n, out, err);
        if (st == TR_OK)
            st = flush(cli, out, err);
    }
    return st;
}

/* The next batch, with only the selected events. */
static enum tr_status next_selected(struct view *v, struct writer *w, struct tr_input *in, const struct tr_batch **b,
                                    struct tr_error *err)
{
    const uint8_t *keep = NULL;
    enum tr_status st = tr_input_next(in, b, err);
    if (!cli_select_any(&v->select))
        return st;
    if (st == TR_OK)
        st = cli_select_mask(&v->select, *b, &keep, err);
    if (st == TR_OK && keep && memchr(keep, 0, (*b)->n)) {
        st = tr_batch_select(w->selector, *b, keep, w->selected, err);
        *b = w->selected;
    }
    if (st == TR_END && cli_select_end(&v->select, err) != TR_OK)
        st = TR_ABSENT;
    return st;
}

/* Handle spans that overlap others in part. */
static enum tr_status resolve(struct writer *w, const struct tr_batch **b, struct tr_error *err)
{
    if (!w->overlaps)
        return TR_OK;
    enum tr_status st = tr_overlaps_batch(w->overlaps, *b, b, err);
    if (w->chrome)
        tr_chrome_writer_lanes(w->chrome, tr_overlaps_lanes(w->overlaps));
    if (w->text)
        tr_text_writer_lanes(w->text, tr_overlaps_lanes(w->overlaps));
    return st;
}

/* Report the spans that were dropped or shifted. */
static void warn_of_overlaps(struct cli *cli, const struct view *v, const struct writer *w, const struct tr_input *in)
{
    uint64_t found = w->overlaps ? tr_overlaps_found(w->overlaps) : 0;
    uint64_t shifted = found ? tr_overlaps_shifted(w->overlaps) : 0;
    char what[160];
    if (!found || (v->overlap != TR_OVERLAP_DROP && v->overlap != TR_OVERLAP_SHIFT))
        return;
    if (v->overlap == TR_OVERLAP_DROP)
        snprintf(what, sizeof what, "%" PRIu64 " spans overlap others of their thread in part: left out", found);
    else
        snprintf(what, sizeof what,
                 "%" PRIu64 " spans overlap others of their thread in part: %" PRIu64
                 " begin later by less than %d ns, "
                 "%" PRIu64 " stay",
                 found, shifted, TR_OVERLAP_SHIFT_NS, found - shifted);
    cli_warn(cli, in->name, "", what);
}

/* A file for Perfetto has no times before 0. */
static void warn_of_shift(struct cli *cli, const struct writer *w, const struct tr_input *in)
{
    int64_t shift = w->perfetto ? tr_perfetto_writer_shift(w->perfetto) : 0;
    char what[120];
    if (shift == 0)
        return;
    snprintf(what, sizeof what, "all times are %" PRId64 " ns later in the output: Perfetto has none before 0", shift);
    cli_warn(cli, in->name, "", what);
}

static enum tr_status write_events(struct cli *cli, struct view *v, struct writer *w, struct tr_input *in,
                                   struct tr_error *err)
{
    struct tr_buf out = { 0 };
    const struct tr_batch *b;
    enum tr_status st = TR_OK;
    uint64_t left = v->limit;
    while (left && st == TR_OK && (st = next_selected(v, w, in, &b, err)) == TR_OK) {
        st = resolve(w, &b, err);
        if (st != TR_OK)
            break;
        size_t n = b->n < left ? b->n : (size_t)left;
        st = write_batch(cli, w, b, n, &out, err);
        left -= n;
    }
    if (st == TR_OK || st == TR_END) {
        cli_owners_warn(cli, in);
        warn_of_overlaps(cli, v, w, in);
        warn_of_shift(cli, w, in);
    }
    if (st == TR_OK || st == TR_END)
        st = w->chrome     ? tr_chrome_end(w->chrome, &out, err)
             : w->perfetto ? tr_perfetto_end(w->perfetto, &out, err)
                           : tr_text_end(w->text, &out, err);
    if (st == TR_OK)
        st = flush(cli, &out, err);
    tr_buf_free(&out);
    return st;
}

/* Refuse options for events if there are tables, and options for tables if there are events. */
static enum tr_status check_options(struct cli *cli, const struct view *v, struct tr_error *err)
{
    bool of_tables = v->format == CSV || v->format == MD;
    bool of_events = v->format == JSONL || v->format == CHROME || v->format == PERFETTO;
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
    static const struct tr_row_sink *const sinks[] = { [TEXT] = &tr_row_sink_text, [TSV] = &tr_row_sink_tsv,
                                                       [JSON] = &tr_row_sink_json, [CSV] = &tr_row_sink_csv,
                                                       [MD] = &tr_row_sink_md };
    static const enum tr_unit table_units[] = { TR_UNIT_NS, TR_UNIT_US, TR_UNIT_MS, TR_UNIT_S };
    enum tr_unit unit = v->format == JSON ? TR_UNIT_NS : TR_UNIT_US;
    return view_table(cli, v->by, sinks[v->format], v->unit != NOT_GIVEN ? table_units[v->unit] : unit, err);
}

static enum tr_status view_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct view *v = arg;
    struct writer w = { 0 };
    struct tr_input *in = NULL;
    int fd;
    enum tr_status st = check_options(cli, v, err);
    if (st == TR_OK)
        st = cli_output(cli, v->format == PERFETTO, &fd, err);
    if (st != TR_OK)
        return st;
    if (v->format == NOT_GIVEN) /* as reports have it */
        v->format = cli_report_format(cli) == CLI_TEXT ? TEXT : TSV;
    if (v->by)
        return show_table(cli, v, err);
    if ((v->format == CHROME || v->format == PERFETTO) &&
        (cli_arrange(cli)->columns || v->unit != NOT_GIVEN || cli_relative(cli)))
        return tr_fail(err, TR_USAGE,
                       "'-O %s' writes every member of an event and takes neither "
                       "--columns, --unit nor --relative", formats[v->format]);
    v->relative = cli_relative(cli);
    st = cli_select_compile(cli, &v->select, err);
    if (st == TR_OK)
        st = read_fields(v, cli_arrange(cli)->columns, err);
    if (st == TR_OK)
        st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = cli_select_bind(&v->select, in, err);
    if (st == TR_OK)
        st = writer_open(&w, v, cli_width(cli), in, err);
    if (st == TR_OK)
        st = overlaps_open(&w, v, in, err);
    if (st == TR_OK)
        st = write_events(cli, v, &w, in, err);
    if (st == TR_DAMAGED && in)
        tr_error_input(err, in->name);
    writer_close(&w);
    return st;
}

int main(int argc, char **argv)
{
    struct view view = { .format = NOT_GIVEN,
                         .unit = NOT_GIVEN,
                         .overlap = TR_OVERLAP_KEEP,
                         .limit = UINT64_MAX,
                         .select = CLI_SELECT_INIT };
    int code = cli_main(argc, argv, &view_tool, &view, view_run);
    cli_select_free(&view.select);
    tr_fields_free(&view.fields);
    return code;
}
