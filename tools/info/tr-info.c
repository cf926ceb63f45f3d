/* SPDX-License-Identifier: MIT */
/* tr-info: what is in a trace, and can it be trusted?  Manual: tr-info(1). */
#include "cli/cli_partial.h"
#include "cli/cli_select.h"
#include "info/info_report.h"
#include "stream/tr_batch_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT, JSON };
static const char *const formats[] = { "text", "json", NULL };

#define NOT_STATED (-1)

struct options {
    int format;
    bool tracks, check, texts;
    struct info_conditions must;
    struct cli_select select;
};

static const struct tr_option info_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct options, format),
      .choices = formats, .help = "text or json [$TR_FORMAT, else text]" },
    { 0, "tracks", NULL, TR_OPTION_FLAG, offsetof(struct options, tracks), .help = "list every track" },
    { 0, "texts", NULL, TR_OPTION_FLAG, offsetof(struct options, texts),
      .help = "print only the texts of the trace, a line each: what is left after tr-filter --redact?" },
    { 0, "check", NULL, TR_OPTION_FLAG, offsetof(struct options, check),
      .help = "print only the conditions and whether they hold; exit 1 or 5 if one does not" },
    { 0, "no-salvage", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_salvage),
      .help = "condition: no input was damaged" },
    { 0, "no-loss", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_loss),
      .help = "condition: no event was lost" },
    { 0, "no-suspects", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_suspects),
      .help = "condition: no time is impossible" },
    { 0, "sorted", NULL, TR_OPTION_FLAG, offsetof(struct options, must.sorted),
      .help = "condition: events are in canonical order" },
    { 0, "min-events", "N", TR_OPTION_I64, offsetof(struct options, must.min_events), .hi = INT64_MAX,
      .help = "condition: at least N events in every source" },
    { 0, "ranks", "N", TR_OPTION_I64, offsetof(struct options, must.ranks), .hi = INT64_MAX,
      .help = "condition: N different ranks, and no source without" },
    { 0, "min-coverage", "SHARE", TR_OPTION_DOUBLE, offsetof(struct options, must.min_coverage), .hi = 1,
      .help = "condition: this share of device work has its launch, and of launches device work" },
    { 0, "min-used", "SHARE", TR_OPTION_DOUBLE, offsetof(struct options, must.min_used), .hi = 1,
      .help = "condition: this share of launch calls has device work" },
    { 0, "min-causal", "SHARE", TR_OPTION_DOUBLE, offsetof(struct options, must.min_causal), .hi = 1,
      .help = "condition: this share of linked device work starts no earlier than its launch" },
    { 0, "no-nesting", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_nesting),
      .help = "condition: no span of a stream contains several others" },
    { 0, "no-lone-work", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_lone_work),
      .help = "condition: no lone device work makes the device span ten times as long" },
    { 0, "no-open-frames", NULL, TR_OPTION_FLAG, offsetof(struct options, must.no_open_frames),
      .help = "condition: Python frames do not all end at the stop of the profiler" },
    { 0, "min-metadata", "SHARE", TR_OPTION_DOUBLE, offsetof(struct options, must.min_metadata), .hi = 1,
      .help = "condition: this share of collectives says which it is" },
    CLI_EVENT_OPTS(struct options, select),
    { 0 },
};

static const struct cli_tool info_tool = {
    .name = "tr-info",
    .brief = "say what is in a trace, and whether it can be trusted",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_RELATIVE | CLI_RANKS,
    .max_operands = CLI_ANY,
    .opts = info_opts,
    .examples = { "tr-info rank*.json.gz",
                  "tr-info --check --no-loss --min-coverage 0.95 job.trs" },
};

/* ---- the program ----------------------------------------------------------------------------- */

/* Some events of a batch. */
struct part {
    struct tr_selector *selector;
    struct tr_batch *batch;
};

/* Count the events of a batch that are selected. */
static enum tr_status add(struct tr_info *info, struct cli_select *select, struct part *part, const struct tr_batch *b,
                          struct tr_error *err)
{
    const uint8_t *keep;
    enum tr_status st = cli_select_mask(select, b, &keep, err);
    if (st == TR_OK && keep && memchr(keep, 0, b->n)) {
        st = tr_batch_select(part->selector, b, keep, part->batch, err);
        b = part->batch;
    }
    return st == TR_OK ? tr_info_add(info, b, err) : st;
}

static enum tr_status read_selected(struct tr_input *in, struct tr_info *info, struct cli_select *select,
                                    struct part *part, struct tr_error *err)
{
    struct tr_projection want = {
        .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) |
                 TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(KIND) | TR_FIXED_BIT(SUSPECT) | TR_COVERAGE_FIXED,
        .derived = TR_COVERAGE_DERIVED,
    };
    const struct tr_batch *b;
    enum tr_status st = cli_select_bind(select, in, err);
    if (st == TR_OK && !cli_select_any(select) && !tr_input_want(in, &want)) /* copying events needs all columns */
        st = tr_fail_memory(err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = add(info, select, part, b, err);
    if (st == TR_END)
        st = cli_select_end(select, err);
    return st == TR_OK ? tr_info_finish(info, in->dict, err) : st;
}

static enum tr_status read_all(struct tr_input *in, struct tr_info *info, struct cli_select *select,
                               struct tr_error *err)
{
    struct part part = { tr_selector_new(), tr_batch_new() };
    enum tr_status st = part.selector && part.batch ? read_selected(in, info, select, &part, err) : tr_fail_memory(err);
    tr_selector_free(part.selector);
    tr_batch_free(part.batch);
    return st;
}

static enum tr_status write_report(struct cli *cli, struct info_report *r, const struct options *o,
                                   struct tr_error *err)
{
    struct tr_buf out = { 0 };
    enum tr_status st = TR_OK;
    info_make_checks(r, &o->must, o->check);
    if (o->texts)
        st = info_texts(r, o->format == JSON, &out, err);
    else if (o->format == JSON)
        st = info_json(r, &out, err);
    else if (!r->n_checks || !o->check)
        st = info_text(r, &out, err);
    if (st == TR_OK && o->format == TEXT && r->n_checks && !o->texts) {
        if (out.len && !tr_buf_add_str(&out, "\nconditions\n"))
            st = tr_fail_memory(err);
        if (st == TR_OK)
            st = info_text_checks(r, &out, err);
    }
    if (st == TR_OK)
        st = cli_write_report(cli, &out, err);
    tr_buf_free(&out);
    return st == TR_OK ? info_verdict(r) : st;
}

/* Check options that are only for the text. */
static enum tr_status check_options(const struct cli *cli, const struct options *o, struct tr_error *err)
{
    if (cli_unit_given(cli) && (o->format == JSON || o->check))
        return tr_fail(err, TR_USAGE, "--unit is about the text: %s no unit to choose",
                       o->check ? "conditions have" : "JSON is in ns and has");
    if (cli_relative(cli) && (o->format == JSON || o->check))
        return tr_fail(err, TR_USAGE, "--relative is about times in the text: %s",
                       o->check ? "conditions have none" : "those of JSON count from base_ns");
    if (o->texts && (o->check || o->tracks || cli_select_any(&o->select)))
        return tr_fail(err, TR_USAGE,
                       "--texts lists the texts of the whole trace: leave --check, --tracks and selections out");
    if (o->tracks && o->check)
        return tr_fail(err, TR_USAGE, "--tracks is about the whole text: --check prints conditions");
    return TR_OK;
}

static enum tr_status info_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct options *o = arg;
    struct info_report r = { .unit = (enum tr_unit)cli_unit(cli), .tracks = o->tracks, .relative = cli_relative(cli),
                             .selects = cli_select_any(&o->select),
                             .width = cli_width(cli), .colour = cli_colour(cli) };
    struct tr_input *in;
    enum tr_status st = check_options(cli, o, err);
    if (st == TR_OK)
        st = cli_select_compile(cli, &o->select, err);
    if (st == TR_OK)
        st = cli_input_operands(cli, 0, &in, err);
    if (st != TR_OK)
        return st;
    struct tr_info *info = tr_info_new();
    r.in = in;
    r.info = info;
    st = info ? read_all(in, info, &o->select, err) : tr_fail_memory(err);
    r.selected = o->select.selected;
    const struct cli_ranks ranks = { .dict = in->dict, .selected = o->select.selected };
    if (st == TR_OK)
        st = cli_ranks_there(cli, &ranks, err);
    if (st == TR_OK)
        st = write_report(cli, &r, o, err);
    tr_info_free(info);
    return st;
}

int tr_info_main(int argc, char **argv)
{
    struct options o = {
        .must.min_coverage = NOT_STATED,
        .must.min_used = NOT_STATED,
        .must.min_causal = NOT_STATED,
        .must.min_metadata = NOT_STATED,
        .must.min_events = NOT_STATED,
        .must.ranks = NOT_STATED,
        .select = CLI_SELECT_INIT,
    };
    int code = cli_main(argc, argv, &info_tool, &o, info_run);
    cli_select_free(&o.select);
    return code;
}
