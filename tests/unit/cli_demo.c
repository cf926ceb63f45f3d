/* SPDX-License-Identifier: MIT */
/*
 * A program that uses all of the frame and no traces, for tests/unit/frame.sh.  Its inputs are any
 * text; opening one reads it, reports progress, warns about each line that starts with "warn",
 * takes its time over "slow" and refuses "damaged" and nothing at all.
 */
#include "cli/cli_main.h"
#include "formats/tr_folder.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct demo {
    bool flag, binary, bare_run;
    uint64_t number, size;
    int64_t offset, time;
    double ratio;
    const char *text;
    int color, ending;
    struct tr_option_list words;
};

static const char *const colors[] = { "red", "green", "blue", NULL };
static const char *const endings[] = { "ok",     "end",      "no",     "usage", "damaged",
                                       "system", "coverage", "silent", "kill",  NULL };

static const struct tr_option demo_opts[] = {
    { 'x', "flag", NULL, TR_OPTION_FLAG, offsetof(struct demo, flag), .help = "a flag" },
    { 'n', "number", "N", TR_OPTION_U64, offsetof(struct demo, number), .lo = 1, .hi = 100,
      .help = "a number [7]" },
    { 0, "offset", "N", TR_OPTION_I64, offsetof(struct demo, offset), .help = "a signed number [0]" },
    { 0, "ratio", "R", TR_OPTION_DOUBLE, offsetof(struct demo, ratio), .lo = 0, .hi = 1,
      .help = "a ratio [0.5]" },
    { 0, "size", "SIZE", TR_OPTION_SIZE, offsetof(struct demo, size), .help = "a size [0]" },
    { 0, "time", "TIME", TR_OPTION_TIME, offsetof(struct demo, time), .help = "a time [0ns]" },
    { 0, "text", "TEXT", TR_OPTION_TEXT, offsetof(struct demo, text), .help = "a text [none]" },
    { 'c', "color", "COLOR", TR_OPTION_CHOICE, offsetof(struct demo, color), .choices = colors,
      .if_bare = "blue", .help = "a colour [red]" },
    { 'w', "word", "WORD", TR_OPTION_LIST, offsetof(struct demo, words),
      .help = "a word; may be repeated" },
    { 0, "binary", NULL, TR_OPTION_FLAG, offsetof(struct demo, binary), .help = "write binary" },
    { 0, "bare-run", NULL, TR_OPTION_FLAG, offsetof(struct demo, bare_run), .help = "ask for no output" },
    { 0, "ending", "STATUS", TR_OPTION_CHOICE, offsetof(struct demo, ending), .choices = endings,
      .help = "how to end [ok]" },
    { 0 },
};

static const struct cli_tool demo_tool = {
    .name = "cli_demo",
    .brief = "show what the frame does",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = 3,
    .opts = demo_opts,
};

static enum tr_status end(const struct demo *d, struct tr_error *err)
{
    switch (d->ending) {
    case 1:
        return TR_END;
    case 2:
        return TR_NO;
    case 3:
        return tr_fail(err, TR_USAGE, "used\nwrongly");
    case 4:
        tr_error_input(err, "rank3.trs");
        tr_error_place(err, "block 17, byte 1912340");
        return tr_fail(err, TR_DAMAGED, "event length 9, at least 24 expected");
    case 5:
        return tr_fail_sys(err, ENOSPC, "cannot write");
    case 6:
        return tr_fail(err, TR_COVERAGE, "coverage is 3%%, 90%% demanded");
    case 7:
        return TR_DAMAGED;
    case 8:
        raise(SIGTERM);
    }
    return TR_OK;
}

struct report {
    struct tr_buf text;
    bool failed;
};

static void add(struct report *b, const char *s)
{
    b->failed = b->failed || !tr_buf_add_str(&b->text, s);
}

static void print_words(const struct demo *d, struct report *b)
{
    for (size_t i = 0; i < d->words.n; i++) {
        add(b, "word\t");
        add(b, d->words.items[i]);
        add(b, "\n");
    }
}

static void print_common(struct cli *cli, struct report *b)
{
    char text[1024];
    int level, codec = (int)cli_codec(cli, cli_output_is_file(cli), &level);
    snprintf(text, sizeof text,
             "format\t%d\nunit\t%d\ncodec\t%d:%d\nthreads\t%u\nmemory\t%zu\ntemp\t%s\n"
             "provenance\t%d\nstrict\t%d\ncommand\t",
             (int)cli_report_format(cli), (int)cli_unit(cli), codec, level, cli_threads(cli),
             cli_max_memory(cli), cli_temp_dir(cli), cli_provenance(cli),
             cli_open_opts(cli)->strict);
    add(b, text);
    add(b, cli_command_line(cli));
    add(b, "\n");
}

static enum tr_status demo_run(struct cli *cli, void *arg, struct tr_error *err)
{
    const struct demo *d = arg;
    struct tr_input *in;
    struct report b = { 0 };
    char text[1024];
    int fd;

    if (d->bare_run)
        return end(d, err);
    enum tr_status st = cli_output(cli, d->binary, &fd, err);
    if (st == TR_OK)
        st = cli_input_operands(cli, 0, &in, err);
    if (st != TR_OK)
        return st;
    snprintf(text, sizeof text,
             "input\t%s\nflag\t%d\nnumber\t%" PRIu64 "\noffset\t%" PRId64 "\nratio\t%g\n"
             "size\t%" PRIu64 "\ntime\t%" PRId64 "\ntext\t%s\ncolor\t%s\n",
             in->name, d->flag, d->number, d->offset, d->ratio, d->size, d->time,
             d->text ? d->text : "none", colors[d->color]);
    add(&b, text);
    print_words(d, &b);
    print_common(cli, &b);
    cli_note(cli, "options printed");
    st = b.failed ? tr_fail_memory(err) : cli_write_report(cli, &b.text, err);
    tr_buf_free(&b.text);
    return st == TR_OK ? end(d, err) : st;
}

/* --- inputs, in place of the library's ------------------------------------------------- */

static enum tr_status read_all(FILE *f, const char *name, const struct tr_open_opts *opts,
                               struct tr_error *err)
{
    char line[256];
    uint64_t done = 0;
    while (fgets(line, sizeof line, f)) {
        char place[32];
        done += strlen(line);
        line[strcspn(line, "\n")] = '\0';
        snprintf(place, sizeof place, "byte %" PRIu64, done);
        if (strcmp(line, "damaged") == 0 || strcmp(line, "this is no trace") == 0) {
            tr_error_input(err, name);
            tr_error_place(err, "%s", place);
            return tr_fail(err, TR_DAMAGED, "says so itself");
        }
        if (strncmp(line, "warn", 4) == 0)
            opts->warn(opts->warn_ctx, name, place, line);
        if (strcmp(line, "slow") == 0)
            nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
        opts->progress(opts->progress_ctx, done, 1000);
    }
    int reason = ferror(f) ? errno : 0;
    if (!reason && done)
        return TR_OK;
    tr_error_input(err, name);
    return reason ? tr_fail_sys(err, reason, "cannot read") : tr_fail(err, TR_DAMAGED, "is empty");
}

enum tr_status tr_open(struct tr_input **out, const char *path, const struct tr_open_opts *opts,
                       struct tr_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "r");
    if (!f) {
        tr_error_input(err, path);
        return tr_fail_sys(err, errno, "cannot open");
    }
    enum tr_status st = read_all(f, is_stdin ? "standard input" : path, opts, err);
    if (!is_stdin)
        fclose(f);
    if (st != TR_OK)
        return st;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return tr_fail_memory(err);
    snprintf((*out)->name, sizeof(*out)->name, "%s", path);
    return TR_OK;
}

void tr_open_warn(const struct tr_input *in, const struct tr_open_opts *opts)
{
    (void)in; /* there is nothing to salvage */
    (void)opts;
}

enum tr_status tr_open_many(struct tr_input **out, const char *const *paths, size_t n,
                            const struct tr_open_opts *opts, struct tr_error *err)
{
    enum tr_status st = tr_open(out, paths[0], opts, err);
    for (size_t i = 1; i < n && st == TR_OK; i++) {
        struct tr_input *other;
        st = tr_open(&other, paths[i], opts, err);
        if (st == TR_OK) {
            size_t len = strlen((*out)->name);
            snprintf((*out)->name + len, sizeof(*out)->name - len, "+%s", paths[i]);
            tr_input_close(other);
        } else {
            tr_input_close(*out);
        }
    }
    return st;
}

void tr_input_close(struct tr_input *in)
{
    free(in);
}

bool tr_input_want(struct tr_input *in, const struct tr_projection *want)
{
    (void)in; /* it has no columns */
    (void)want;
    return true;
}

/* There are no folders here. */
bool tr_folder_is(const char *path)
{
    (void)path;
    return false;
}

enum tr_status tr_folder_read(struct tr_folder *out, const char *path, const struct tr_open_opts *opts,
                              struct tr_error *err)
{
    (void)out;
    (void)opts;
    return tr_fail(err, TR_DAMAGED, "'%s' is no folder", path);
}

void tr_folder_free(struct tr_folder *f)
{
    (void)f;
}

int main(int argc, char **argv)
{
    struct demo d = { .number = 7, .ratio = 0.5 };
    return cli_main(argc, argv, &demo_tool, &d, demo_run);
}
