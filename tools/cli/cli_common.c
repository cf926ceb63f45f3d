/* SPDX-License-Identifier: MIT */
/* The options that mean the same in all programs: tr-options(7). */
#include "base/tr_num.h"
#include "cli/cli_priv.h"

#include <string.h>

#define FIELD(name) offsetof(struct cli_common, name)

static const char *const formats[] = { "text", "tsv",  "csv",  "json",   "md",   "svg",
                                       "vega", "html", "sqlite", "xlsx", NULL };
static const char *const units[] = { "ns", "us", "ms", "s", NULL };
static const char *const whens[] = { "auto", "always", "never", NULL };

static enum tr_status read_codec(void *field, const char *value, struct tr_error *err)
{
    static const struct {
        const char *name;
        enum cli_codec codec;
        uint64_t max_level;
    } codecs[] = { { "none", CLI_CODEC_NONE, 0 },
                   { "lz4", CLI_CODEC_LZ4, 12 },
                   { "zlib", CLI_CODEC_ZLIB, 9 } };
    struct cli_codec_choice *choice = field;
    size_t len = strcspn(value, ":");

    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if (strlen(codecs[i].name) != len || memcmp(codecs[i].name, value, len) != 0)
            continue;
        uint64_t level = 0;
        if (value[len] == ':') {
            if (codecs[i].max_level == 0)
                return tr_fail(err, TR_USAGE, "'%s' has no levels", codecs[i].name);
            enum tr_status st = tr_num_u64(value + len + 1, 1, codecs[i].max_level, &level, err);
            if (st != TR_OK)
                return st;
        }
        *choice = (struct cli_codec_choice){ true, codecs[i].codec, (int)level };
        return TR_OK;
    }
    return tr_fail(err, TR_USAGE, "'%.80s' is not one of none, lz4[:LEVEL], zlib[:LEVEL]", value);
}

static enum tr_status read_size(void *field, const char *value, struct tr_error *err)
{
    struct cli_size *size = field;
    uint64_t w = 0, h = 0, max = 10000, min = 200;
    size_t n = tr_num_digits(value, strlen(value), max + 1, &w, NULL);
    size_t m = n && value[n] == 'x' ? tr_num_digits(value + n + 1, strlen(value + n + 1), max + 1, &h, NULL) : 0;
    if (!m || value[n + 1 + m] || w < min || h < min || w > max || h > max)
        return tr_fail(err, TR_USAGE, "'%.80s' is not WIDTHxHEIGHT in pixels, each from 200 to 10000", value);
    *size = (struct cli_size){ (unsigned)w, (unsigned)h };
    return TR_OK;
}

static enum tr_status read_terminals(void *field, const char *value, struct tr_error *err)
{
    static const char *const names[] = { "stdin", "stdout", "stderr" };
    bool *terminal = field;
    for (int fd = 0; fd < 3; fd++) {
        if (strcmp(value, names[fd]) == 0) {
            terminal[fd] = true;
            return TR_OK;
        }
    }
    return tr_fail(err, TR_USAGE, "'%.80s' is not one of stdin, stdout, stderr", value);
}

/* In the order of the help. */
static const struct tr_option common_opts[] = {
    { 'o', "output", "FILE", TR_OPTION_FILE, FIELD(output), .needs = CLI_OUTPUT,
      .help = "write to FILE, which appears only when it is complete [standard output]" },
    { 'f', "force", NULL, TR_OPTION_FLAG, FIELD(force), .needs = CLI_BINARY,
      .help = "write binary even to a terminal" },
    { 'z', "compress", "CODEC[:LEVEL]", TR_OPTION_CALL, FIELD(codec), .call = read_codec,
      .needs = CLI_PACKED,
      .help = "compress blocks with none, lz4 or zlib [lz4 in a file, else none]" },
    { 0, "no-provenance", NULL, TR_OPTION_FLAG, FIELD(no_provenance), .needs = CLI_PROVENANCE,
      .help = "leave program names and command lines out of the stream" },
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, FIELD(format), .choices = formats,
      .needs = CLI_FORMAT, .help = "format of the report [$TR_FORMAT, else text on a terminal, else tsv]" },
    { 0, "size", "WxH", TR_OPTION_CALL, FIELD(size), .call = read_size, .needs = CLI_TABLE,
      .help = "pixels of a picture, -O svg or vega [800x500]" },
    { 0, "bars", NULL, TR_OPTION_FLAG, FIELD(bars), .needs = CLI_TABLE,
      .help = "text: draw the rows as bars" },
    { 0, "unit", "UNIT", TR_OPTION_CHOICE, FIELD(unit), .choices = units, .needs = CLI_UNIT,
      .help = "unit of times [us]" },
    { 0, "relative", NULL, TR_OPTION_FLAG, FIELD(relative), .needs = CLI_RELATIVE,
      .help = "times count from the start of the job" },
    { 0, "columns", "LIST", TR_OPTION_TEXT, FIELD(arrange.columns), .needs = CLI_ARRANGE,
      .help = "only these columns, in this order, or all [all, in text the main ones]" },
    { 0, "sort", "COLUMN", TR_OPTION_TEXT, FIELD(arrange.sort), .needs = CLI_ARRANGE,
      .help = "order rows by COLUMN, numbers largest first; COLUMN:asc" },
    { 0, "top", "N", TR_OPTION_U64, FIELD(arrange.top), .needs = CLI_ARRANGE,
      .help = "the first N rows of each group, then the sum of the others [all]" },
    { 0, "top-per", "COLUMN", TR_OPTION_TEXT, FIELD(arrange.top_per), .needs = CLI_ARRANGE,
      .help = "with --top: the first N rows of each kind, class or other value of COLUMN" },
    { 0, "short-names", NULL, TR_OPTION_FLAG, FIELD(arrange.short_names), .needs = CLI_ARRANGE,
      .help = "names without template arguments and parameters" },
    { 0, "human", NULL, TR_OPTION_FLAG, FIELD(arrange.human), .needs = CLI_ARRANGE,
      .help = "bytes in text as 1.5 MiB" },
    { 0, "csv-safe", NULL, TR_OPTION_FLAG, FIELD(arrange.csv_safe), .needs = CLI_ARRANGE,
      .help = "for spreadsheets: texts that begin with = + - @ after an apostrophe" },
    { 0, "help-columns", NULL, TR_OPTION_FLAG, FIELD(arrange.help_columns), .needs = CLI_ARRANGE,
      .help = "describe the columns of the table, and read nothing" },
    { 0, "save-partial", "FILE", TR_OPTION_FILE, FIELD(partial.save), .needs = CLI_PARTIAL,
      .help = "print nothing; write what the table is made from to FILE, an input of a later run" },
    { 0, "distinct", "N", TR_OPTION_U64, FIELD(partial.distinct), .lo = 1, .hi = INT64_MAX, .needs = CLI_PARTIAL,
      .help = "percentiles of more than N distinct values are approximate [exact; with --save-partial 1024, "
              "in tr-report 64]" },
    { 0, "expect-ranks", "LIST", TR_OPTION_TEXT, FIELD(partial.expect), .needs = CLI_PARTIAL | CLI_RANKS,
      .help = "end with status 5 if one of these ranks is missing, as in 0..63" },
    { 0, "min-ranks", "N", TR_OPTION_U64, FIELD(partial.min_ranks), .lo = 1, .hi = INT64_MAX,
      .needs = CLI_PARTIAL | CLI_RANKS,
      .help = "end with status 5 if there are fewer ranks" },
    { 0, "every", "TIME", TR_OPTION_TIME, FIELD(every), .lo = 1, .hi = INT64_MAX, .needs = CLI_PARTIAL | CLI_FOLLOW,
      .help = "print what is there so far each TIME, as in 5s, while events come in" },
    { 0, "follow", NULL, TR_OPTION_FLAG, FIELD(follow), .needs = CLI_PARTIAL | CLI_FOLLOW,
      .help = "read a file that grows until Ctrl-C, with --every for what is there so far" },
    { 0, "input-format", "NAME", TR_OPTION_TEXT, FIELD(input_format), .needs = CLI_INPUT,
      .help = "format of the inputs [found from their content]" },
    { 0, "strict", NULL, TR_OPTION_FLAG, FIELD(strict), .needs = CLI_INPUT,
      .help = "refuse damaged input instead of salvaging it" },
    { 0, "depth", "N", TR_OPTION_U64, FIELD(depth), .lo = 1, .hi = 64, .needs = CLI_INPUT,
      .help = "read folders to depth N; 1 is a folder alone [2]" },
    { 0, "renumber", NULL, TR_OPTION_FLAG, FIELD(renumber), .needs = CLI_INPUT,
      .help = "give inputs free ranks when theirs collide [refuse them]" },
    { 'j', "threads", "N", TR_OPTION_U64, FIELD(threads), .lo = 1, .hi = 1024, .needs = CLI_INPUT,
      .help = "use N worker threads [number of processors]" },
    { 'M', "max-memory", "SIZE", TR_OPTION_SIZE, FIELD(max_memory), .lo = 16 << 20, .needs = CLI_INPUT,
      .help = "keep memory below SIZE [a quarter of the memory]" },
    { 'T', "temp-dir", "DIR", TR_OPTION_DIR, FIELD(temp_dir), .needs = CLI_INPUT,
      .help = "folder for temporary files [$TMPDIR, else /var/tmp]" },
    { 0, "progress", "WHEN", TR_OPTION_CHOICE, FIELD(progress), .choices = whens, .if_bare = "always",
      .needs = CLI_INPUT, .help = "show progress on standard error [auto]" },
    { 'q', "quiet", NULL, TR_OPTION_FLAG, FIELD(quiet), .help = "print no warnings" },
    { 0, "verbose", NULL, TR_OPTION_FLAG, FIELD(verbose), .help = "print details on standard error" },
    { 'h', "help", NULL, TR_OPTION_FLAG, FIELD(help), .help = "print this help" },
    { 0, "version", NULL, TR_OPTION_FLAG, FIELD(version), .help = "print versions and what is built in" },
    { 0, "option-table", NULL, TR_OPTION_FLAG, FIELD(option_table), .hidden = true,
      .help = "print the options for a program to read" },
    { 0, "assume-terminal", "STREAM", TR_OPTION_CALL, FIELD(terminal), .call = read_terminals,
      .hidden = true, .help = "take stdin, stdout or stderr for a terminal" },
    { 0 },
};

const struct tr_option *cli__common_opts(void)
{
    return common_opts;
}

void cli_report_as(struct cli *cli, const char *format)
{
    for (int i = 0; formats[i]; i++)
        if (strcmp(formats[i], format) == 0)
            cli->common.format = i;
}

const struct cli_partial *cli_partial(const struct cli *cli)
{
    return &cli->common.partial;
}

bool cli_every_given(const struct cli *cli)
{
    return cli->common.every != 0;
}

int64_t cli_every_time(const struct cli *cli)
{
    return cli->common.every;
}

bool cli_follow_given(const struct cli *cli)
{
    return cli->common.follow;
}

bool cli_quiet(const struct cli *cli)
{
    return cli->common.quiet;
}
