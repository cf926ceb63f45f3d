/* SPDX-License-Identifier: MIT */
/* tr-cycles: compute times from the cycle stamps of a device.  Manual: tr-cycles(1). */
#include "cycles/cycles.h"

#include "base/tr_num.h"
#include "cli/cli_stream.h"
#include "cli/cli_view.h"
#include "stream/sort/tr_resort.h"

#include <stdlib.h>

static const char *const by_names[] = { "device", "frequency", "job", "event", NULL };

static const struct tr_option cycles_opts[] = {
    { 0, "freq", "LIST", TR_OPTION_TEXT, offsetof(struct cycles, freq),
      .help = "frequency of the counter in MHz; RANK=MHZ,... for single ranks [what its stamps show]" },
    { 0, "any-freq", NULL, TR_OPTION_FLAG, offsetof(struct cycles, any_freq),
      .help = "use --freq even if the stamps contradict it" },
    { 0, "keep-jobs", NULL, TR_OPTION_FLAG, offsetof(struct cycles, keep_jobs),
      .help = "do not move jobs whose work lies outside their round trip" },
    { 0, "report", NULL, TR_OPTION_FLAG, offsetof(struct cycles, report),
      .help = "print a table instead of the stream" },
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct cycles, by), .choices = by_names,
      .help = "print this table: device, frequency (as estimated in several ways), job, or event (its stamps) "
              "[device]" },
    { 0 },
};

static const struct cli_tool cycles_tool = {
    .name = "tr-cycles",
    .brief = "compute times from the cycle stamps of a device",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = cycles_opts,
    .examples = { "tr-cycles aiu*.json.gz | tr-breakdown --by kernel",
                  "tr-cycles --report aiu*.json.gz" },
};

/* ---- --freq ---- */

/* MHz with at most six decimals, as Hz.  False: it is none. */
static bool read_mhz(const char *s, size_t n, int64_t *hz)
{
    uint64_t whole = 0, part = 0;
    size_t at = tr_num_digits(s, n, (uint64_t)TR_CYCLES_HZ_MAX / 1000000, &whole, NULL);
    size_t from = at + 1;
    if (!at)
        return false;
    if (at < n && s[at] == '.') {
        at = from + tr_num_digits(s + from, n - from, 999999, &part, NULL);
        if (at == from || at - from > 6)
            return false;
        for (size_t digits = at - from; digits < 6; digits++)
            part *= 10;
    }
    *hz = (int64_t)(whole * 1000000 + part);
    return at == n && *hz >= 1 && *hz <= TR_CYCLES_HZ_MAX;
}

static bool read_item(const char *s, size_t n, struct tr_cycles_given *out)
{
    const char *equals = memchr(s, '=', n);
    uint64_t rank = 0;
    out->rank = -1;
    if (equals) {
        size_t len = (size_t)(equals - s);
        if (!len || tr_num_digits(s, len, INT64_MAX, &rank, NULL) != len)
            return false;
        out->rank = (int64_t)rank;
        n -= len + 1;
        s = equals + 1;
    }
    return read_mhz(s, n, &out->hz);
}

enum tr_status cycles_read_freq(struct cycles *o, struct tr_error *err)
{
    size_t n = 1;
    if (!o->freq)
        return TR_OK;
    for (const char *s = o->freq; *s; s++)
        n += *s == ',';
    o->given = calloc(n, sizeof *o->given);
    if (!o->given)
        return tr_fail_memory(err);
    for (const char *s = o->freq;;) {
        size_t len = strcspn(s, ",");
        struct tr_cycles_given *g = &o->given[o->n_given];
        if (!read_item(s, len, g))
            return tr_fail(err, TR_USAGE, "option --freq: '%.*s' is neither a frequency in MHz nor RANK=MHZ", (int)len,
                           s);
        for (size_t i = 0; i < o->n_given; i++)
            if (o->given[i].rank == g->rank)
                return tr_fail(err, TR_USAGE, "option --freq: two frequencies for one rank: '%.*s'", (int)len, s);
        o->n_given++;
        if (!s[len])
            return TR_OK;
        s += len + 1;
    }
}

/* ---- what was found ---- */

/* ---- the first reading ---- */

/* ---- the stream ---- */

/* Move everything, sort it anew and write it. */
static enum tr_status rewrite(struct cli *cli, struct cycles *o, struct tr_input *in, struct tr_error *err)
{
    struct tr_resort *sort = NULL;
    struct tr_input *sorted = NULL;
    const struct tr_batch *b, *moved;
    enum tr_status st = tr_resort_new(&sort, in->dict, cli_max_memory(cli) / 2, cli_temp_dir(cli), err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_cycles_apply(o->of, b, &moved, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
        else
            st = tr_resort_add(sort, moved, err);
    }
    const struct tr_summary *summary = st == TR_END && in->summary ? tr_cycles_summary(o->of, in->summary) : NULL;
    if (st == TR_END && in->summary && !summary)
        st = tr_fail_memory(err);
    if (st == TR_END) {
        st = tr_resort_input(sort, in->dict, summary, in->provenance, in->tables, in->name, &sorted, err);
        sort = NULL;
    }
    if (st == TR_OK)
        st = cli_stream_copy(cli, sorted, 0, err);
    tr_input_close(sorted);
    tr_resort_free(sort);
    return st;
}

static enum tr_status run_stream(struct cli *cli, struct cycles *o, struct tr_error *err)
{
    struct cli_reread reread = { .cli = cli };
    struct tr_input *in;
    enum tr_status st = cli_table_none(cli, "--report", err);
    if (st == TR_OK)
        st = cycles_first(cli, o, &reread, err);
    if (st == TR_OK)
        st = cli_reread_open(&reread, &in, err);
    if (st == TR_OK)
        st = rewrite(cli, o, in, err);
    cli_reread_close(&reread);
    return st;
}

/* ---- the program ---- */

static enum tr_status cycles_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct cycles *o = arg;
    enum tr_status st = cycles_read_freq(o, err);
    if (st == TR_OK && o->any_freq && !o->freq)
        st = tr_fail(err, TR_USAGE, "--any-freq goes with --freq");
    if (st == TR_OK)
        st = o->report || cli_given(cli, "by") ? cycles_report(cli, o, err) : run_stream(cli, o, err);
    tr_cycles_free(o->of);
    free(o->given);
    return st;
}

int tr_cycles_main(int argc, char **argv)
{
    struct cycles o = { .freq = NULL };
    return cli_main(argc, argv, &cycles_tool, &o, cycles_run);
}
