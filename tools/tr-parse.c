/* SPDX-License-Identifier: MIT */
/* tr-parse: traces of any format to one event stream.  Manual: tr-parse(1). */
#include "cli/cli_every.h"
#include "cli/cli_main.h"
#include "cli/cli_stream.h"
#include "io/tr_io.h"
#include "vendor/tr_names.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct parse {
    uint64_t rank, block_events, piece_bytes;
    bool no_sort, drop_args, list_formats, tokenize;
    struct tr_option_list names;
};

#define NO_RANK UINT64_MAX

static const struct tr_option parse_opts[] = {
    { 0, "rank", "N", TR_OPTION_U64, offsetof(struct parse, rank), .lo = 0, .hi = INT64_MAX - 1,
      .help = "rank of the trace [from its metadata, else its name, else its position]" },
    { 0, "no-sort", NULL, TR_OPTION_FLAG, offsetof(struct parse, no_sort),
      .help = "keep the events in the order of the input, without launch links" },
    { 0, "drop-args", NULL, TR_OPTION_FLAG, offsetof(struct parse, drop_args), .help = "leave out args" },
    { 0, "names", "FILE", TR_OPTION_LIST, offsetof(struct parse, names),
      .help = "read from FILE which activity categories and names mean, as tr-rules(5) describes" },
    { 0, "list-formats", NULL, TR_OPTION_FLAG, offsetof(struct parse, list_formats),
      .help = "print the formats that can be read, and stop" },
    { 0, "block-events", "N", TR_OPTION_U64, offsetof(struct parse, block_events), .lo = 1, .hi = 1 << 16,
      .help = "events in a block at most [8192]" },
    { 0, "no-shortcut", NULL, TR_OPTION_FLAG, offsetof(struct parse, tokenize),
      .help = "tokenize every event: slower, with the same result" },
    { 0, "piece-size", "SIZE", TR_OPTION_SIZE, offsetof(struct parse, piece_bytes), .lo = 1, .hi = 1 << 30,
      .help = "size of the text that a thread reads at a time; the result is the same [4MiB]" },
    { 0 },
};

static const struct cli_tool parse_tool = {
    .name = "tr-parse",
    .brief = "turn traces of any format into an event stream",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_FOLLOW,
    .max_operands = CLI_ANY,
    .opts = parse_opts,
    .examples = { "tr-parse -o job.trs rank*.json.gz",
                  "zcat rank0.json.gz | tr-parse | tr-breakdown" },
};

static enum tr_status list_formats(struct cli *cli, struct tr_error *err)
{
    size_t n;
    cli_operands(cli, &n);
    for (const struct tr_option *o = parse_opts; o->name; o++)
        if (n || (cli_given(cli, o->name) && strcmp(o->name, "list-formats") != 0))
            return tr_fail(err, TR_USAGE, "--list-formats reads nothing: it goes with no operand and no other option");
    const struct tr_format *const *f = tr_formats(&n);
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        char line[200];
        int len = snprintf(line, sizeof line, "%-16s %s\n", f[i]->name, f[i]->brief);
        st = cli_write(cli, line, (size_t)len, err);
    }
    return st;
}

static double seconds_since(const struct timespec *t0)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec - t0->tv_sec) + (double)(t.tv_nsec - t0->tv_nsec) * 1e-9;
}

/* One line with counts, with --verbose or on a terminal. */
static void sum_up(struct cli *cli, const struct tr_input *in, double seconds)
{
    uint64_t events = 0, fixed = 0, lost = 0;
    const struct tr_summary *s = in->summary;
    for (size_t i = 0; s && i < s->n; i++) {
        events += s->sources[i].n_events;
        fixed += tr_summary_damage(&s->sources[i], false);
        lost += tr_summary_damage(&s->sources[i], true);
    }
    if (cli_verbose(cli) || (cli_is_interactive(cli) && !cli_quiet(cli)))
        cli_remark(cli,
                   "%" PRIu64 " events in %.1f s, %" PRIu64 " repaired, %" PRIu64 " skipped", events,
                   seconds, fixed, lost);
}

/* Options that are only for one input. */
static enum tr_status check_operands(const struct cli *cli, const struct parse *p, struct tr_error *err)
{
    size_t n;
    cli_operands(cli, &n);
    if (n <= 1 || (p->rank == NO_RANK && !p->no_sort))
        return TR_OK;
    tr_error_place(err, "option --%s", p->no_sort ? "no-sort" : "rank");
    return tr_fail(err, TR_USAGE, "is only for one input, not for %zu", n);
}

#define FILE_MAX ((size_t)1 << 24)

/* The rules of the files of --names. */
static enum tr_status read_names(const struct tr_option_list *files, struct tr_names **names, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < files->n && st == TR_OK; i++) {
        struct tr_buf text = { 0 };
        st = tr_read_file(files->items[i], FILE_MAX, &text, err);
        if (st == TR_OK)
            st = tr_names_read(names, files->items[i], text.data ? (const char *)text.data : "", text.len, err);
        tr_buf_free(&text);
    }
    return st;
}

static enum tr_status parse(struct cli *cli, const struct parse *p, struct tr_error *err)
{
    struct tr_input *in;
    struct timespec t0;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st != TR_OK)
        return st;
    st = cli_stream_copy(cli, in, (size_t)p->block_events, err);
    if (st == TR_OK || st == TR_END) {
        cli_report_ranks(cli, in); /* unsorted: the metadata with the rank may come after the events */
        sum_up(cli, in, seconds_since(&t0));
    }
    return st;
}

static enum tr_status parse_run(struct cli *cli, void *arg, struct tr_error *err)
{
    const struct parse *p = arg;
    struct tr_open_opts *opts = cli_open_opts(cli);
    struct tr_names *names = NULL;
    int fd;
    if (p->list_formats)
        return list_formats(cli, err);
    enum tr_status st = check_operands(cli, p, err);
    if (st == TR_OK)
        st = read_names(&p->names, &names, err);
    if (st == TR_OK)
        st = cli_output(cli, true, &fd, err);
    opts->names = names;
    opts->rank = p->rank == NO_RANK ? -1 : (int64_t)p->rank;
    opts->no_sort = p->no_sort;
    opts->drop_args = p->drop_args;
    opts->tuning.tokenize_all = p->tokenize;
    opts->tuning.piece_bytes = (size_t)p->piece_bytes;
    if (st == TR_OK)
        st = cli_every_stream_possible(cli, err);
    if (st == TR_OK)
        st = parse(cli, p, err);
    tr_names_free(names);
    opts->names = NULL;
    return st;
}

int tr_parse_main(int argc, char **argv)
{
    return cli_main(argc, argv, &parse_tool, &(struct parse){ .rank = NO_RANK, .block_events = TR_BATCH_MAX },
                    parse_run);
}
