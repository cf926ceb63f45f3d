/* tr-patterns: sequences of device work that operators launch.  Manual: tr-patterns(1). */
#include <config.h>

#include "patterns.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_opt patterns_opts[] = {
    { 0, "op", "REGEX", CLI_CALL, offsetof(struct patterns, op), .call = cli_names_parse,
      .help = "the operators: host spans with such names; needed" },
    { 0, "length", "N", CLI_U64, offsetof(struct patterns, length), .lo = 1,
      .help = "only patterns with at least N pieces of work [3]" },
    { 0, "top", "N", CLI_U64, offsetof(struct patterns, top),
      .help = "only the N most frequent patterns of each group [all]" },
    { 0, "mark", NULL, CLI_FLAG, offsetof(struct patterns, mark),
      .help = "pass the stream on with an annotation for each occurrence" },
    CLI_ANALYSIS_OPTS(struct patterns, a),
    { 0 },
};

static const struct cli_tool patterns_tool = {
    .name = "tr-patterns",
    .brief = "find the sequences of kernels that operators launch",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_TABLE | CLI_UNIT,
    .max_operands = CLI_ANY,
    .opts = patterns_opts,
};

static void columns(struct tr_table *t, enum tr_per per)
{
    tr_group_columns(t, per);
    tr_table_column(t, "pattern", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "gpu", TR_CELL_TIME, 0);
    tr_table_column(t, "cpu", TR_CELL_TIME, 0);
    tr_table_column(t, "length", TR_CELL_COUNT, 0);
}

/* Name of the operator and names of its work, with bars between. */
static bool pattern_text(const struct tr_dict *d, const struct tr_sequences_row *r,
                         struct tr_buf *text)
{
    text->len = 0;
    bool ok = tr_buf_add_text(text, r->name);
    for (size_t i = 0; ok && i < r->n_work; i++)
        ok = tr_buf_add_str(text, "|") && tr_buf_add_text(text, tr_dict_text(d, r->work[i]));
    return ok;
}

/* Is row i among those that --top leaves?  *first: of its group; it goes along. */
static bool among_top(const struct patterns *o, const struct tr_sequences_row *rows, size_t i,
                      size_t *first)
{
    if (memcmp(&rows[i].key, &rows[*first].key, sizeof rows[i].key) != 0)
        *first = i;
    return !o->top || i - *first < o->top;
}

static enum tr_status write_table(struct cli *cli, const struct patterns *o, enum tr_per per,
                                  const struct tr_sequences_row *rows, size_t n,
                                  struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    struct tr_buf text = { 0 };
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        columns(t, per);
    for (size_t i = 0, first = 0; i < n && st == TR_OK; i++) {
        if (!among_top(o, rows, i, &first))
            continue;
        if (!pattern_text(o->a.in->dict, &rows[i], &text))
            st = tr_fail_memory(err);
        tr_group_cells(t, per, &rows[i].key);
        tr_table_bytes(t, (const char *)text.data, text.len);
        tr_table_count(t, rows[i].count);
        tr_table_time(t, tr_stats_sum(&rows[i].work_dur));
        tr_table_time(t, tr_stats_sum(&rows[i].call_dur));
        tr_table_count(t, rows[i].n_work);
        if (st == TR_OK)
            st = tr_table_status(t, err);
    }
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, t, "no operator of --op launched as much work as --length says", err);
    tr_buf_free(&text);
    tr_table_free(t);
    return st;
}

/* The stream with marks for the rows that --top leaves. */
static enum tr_status write_marks(struct cli *cli, struct patterns *o,
                                  const struct tr_sequences *s, const struct tr_sequences_row *rows,
                                  size_t n, struct tr_error *err)
{
    bool *shown = calloc(n + 1, sizeof *shown);
    if (!shown)
        return tr_fail_memory(err);
    for (size_t i = 0, first = 0; i < n; i++)
        shown[i] = among_top(o, rows, i, &first);
    enum tr_status st = patterns_mark(cli, o, s, rows, shown, n, err);
    free(shown);
    return st;
}

static enum tr_status find(struct patterns *o, struct tr_sequences **s, enum tr_per *per,
                           struct tr_error *err)
{
    const struct tr_input *in = o->a.in;
    struct tr_sequences_opts opts = {
        .work = cli_analysis_work(&o->a, TR_PER_RANK),
        .match = cli_names_match,
        .match_self = &o->op,
        .outermost = true,
        .by_start = true,
        .min_length = o->length,
        .occurrences = o->mark,
    };
    const struct tr_batch *b;
    const uint8_t *keep;
    *per = opts.work.per;
    enum tr_status st =
        tr_sequences_new(&opts, in->dict, in->summary, in->sorted, o->a.selected, s, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_sequences_feed(*s, b, keep, err);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status work(struct cli *cli, struct patterns *o, struct tr_error *err)
{
    struct tr_sequences *s = NULL;
    const struct tr_sequences_row *rows;
    enum tr_per per = TR_PER_RANK;
    size_t n = 0;
    enum tr_status st = find(o, &s, &per, err);
    if (st == TR_OK)
        st = o->op.no_memory ? tr_fail_memory(err) : tr_sequences_finish(s, &rows, &n, err);
    if (st == TR_OK)
        st = o->mark ? write_marks(cli, o, s, rows, n, err)
                     : write_table(cli, o, per, rows, n, err);
    tr_sequences_free(s);
    return st;
}

static enum tr_status patterns_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    struct patterns *o = arg;
    int fd;
    if (!o->op.given)
        return tr_fail(err, TR_USAGE, "option --op says which operators: it is needed");
    if (o->mark)
        o->a.twice = &twice;
    else
        o->a.want = (struct tr_want){
            .fixed = TR_WORK_FIXED | TR_WANT(NAME) | TR_WANT(RECORD),
            .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD |
                       1u << TR_COL_LAUNCH_TRACK | 1u << TR_COL_N_DEVICE,
        };
    enum tr_status st = o->mark ? cli_output(cli, true, &fd, err) : TR_OK;
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = work(cli, o, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}

int main(int argc, char **argv)
{
    struct patterns o = { .a = CLI_ANALYSIS_INIT, .length = 3 };
    int code = cli_main(argc, argv, &patterns_tool, &o, patterns_run);
    cli_names_free(&o.op);
    return code;
}
