/* SPDX-License-Identifier: MIT */
/* The one place where programs open inputs. */
#include "cli/cli_priv.h"

#include "base/tr_budget.h"
#include "formats/tr_folder.h"
#include "io/tr_bytes.h"
#include "io/tr_io.h"
#include "io/tr_reopened_files.h"
#include "io/tr_spill_dir.h"
#include "model/selection/tr_job_start.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum tr_status take_stdin(struct cli *cli, struct tr_error *err)
{
    if (cli->stdin_used)
        return tr_fail(err, TR_USAGE, "standard input can be read only once");
    cli->stdin_used = true;
    return TR_OK;
}

/* Inputs, with folders replaced by the traces in them, and lists and patterns by the files that they name. */
struct expanded {
    const char **paths;
    struct tr_folder *folders; /* which own the names of those */
    size_t n, cap, n_folders, cap_folders;
    struct tr_buf *lists; /* with names that end with zeros */
    size_t n_lists, cap_lists;
    glob_t *matches;
    size_t n_matches, cap_matches;
};

static void expanded_free(struct expanded *x)
{
    for (size_t i = 0; i < x->n_lists; i++)
        tr_buf_free(&x->lists[i]);
    for (size_t i = 0; i < x->n_matches; i++)
        globfree(&x->matches[i]);
    free(x->lists);
    free(x->matches);
    for (size_t i = 0; i < x->n_folders; i++)
        tr_folder_free(&x->folders[i]);
    free(x->folders);
    free(x->paths);
}

/* "a, sub/b and 3 more": names in a folder. */
static const char *names_text(char *out, size_t size, const char *folder, char *const *names, size_t n)
{
    size_t len = 0, i = 0, skip = strlen(folder);
    for (out[0] = '\0'; i < n && len + 60 < size; i++) {
        const char *name = names[i];
        if (strncmp(name, folder, skip) == 0)
            name += skip;
        while (*name == '/')
            name++;
        len += (size_t)snprintf(out + len, size - len, "%s%.50s", i ? ", " : "", name);
    }
    if (i < n && len < size)
        snprintf(out + len, size - len, " and %zu more", n - i);
    return out;
}

static void report_folder(struct cli *cli, const char *path, const struct tr_folder *f)
{
    char traces[360], others[360];
    if (cli_quiet(cli))
        return;
    names_text(traces, sizeof traces, path, f->traces, f->n_traces);
    names_text(others, sizeof others, path, f->others, f->n_others);
    cli_remark(cli, "%.200s: a folder, of which %s %s read%s%s", path, traces, f->n_traces == 1 ? "is" : "are",
               f->n_others ? "; skipped as no traces: " : "", others);
}

static enum tr_status add_folder(struct cli *cli, struct expanded *x, const char *path, struct tr_error *err)
{
    if (!tr_grow(&x->folders, &x->cap_folders, x->n_folders + 1, sizeof *x->folders))
        return tr_fail_memory(err);
    struct tr_folder *f = &x->folders[x->n_folders++];
    enum tr_status st = tr_folder_read(f, path, &cli->open_opts, err);
    if (st == TR_OK && !tr_grow(&x->paths, &x->cap, x->n + f->n_traces, sizeof *x->paths))
        st = tr_fail_memory(err);
    for (size_t i = 0; i < f->n_traces && st == TR_OK; i++)
        x->paths[x->n++] = f->traces[i];
    if (st == TR_OK)
        report_folder(cli, path, f);
    return st;
}

static enum tr_status add_file(struct cli *cli, struct expanded *x, const char *path, struct tr_error *err)
{
    if (tr_folder_is(path))
        return add_folder(cli, x, path, err);
    if (!tr_grow(&x->paths, &x->cap, x->n + 1, sizeof *x->paths))
        return tr_fail_memory(err);
    x->paths[x->n++] = path;
    return TR_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files that a pattern names; without any, it is the name of a file that is not there. */
static enum tr_status add_matches(struct cli *cli, struct expanded *x, const char *pattern, struct tr_error *err)
{
    if (!tr_grow(&x->matches, &x->cap_matches, x->n_matches + 1, sizeof *x->matches))
        return tr_fail_memory(err);
    glob_t *g = &x->matches[x->n_matches];
    *g = (glob_t){ 0 };
    int found = glob(pattern, GLOB_NOSORT, NULL, g);
    if (found == GLOB_NOSPACE)
        return tr_fail_memory(err);
    if (found != 0)
        return add_file(cli, x, pattern, err);
    x->n_matches++;
    qsort(g->gl_pathv, g->gl_pathc, sizeof *g->gl_pathv, by_name); /* glob would sort by the locale */
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < g->gl_pathc && st == TR_OK; i++)
        st = add_file(cli, x, g->gl_pathv[i], err);
    return st;
}

/* A file, or a pattern of files. */
static enum tr_status add_name(struct cli *cli, struct expanded *x, const char *name, struct tr_error *err)
{
    bool pattern = strpbrk(name, "*?[") && access(name, F_OK) != 0;
    return pattern ? add_matches(cli, x, name, err) : add_file(cli, x, name, err);
}

#define LIST_MAX ((size_t)64 << 20) /* bytes of names */

/* The names in a file, a line each. */
static enum tr_status add_list(struct cli *cli, struct expanded *x, const char *path, struct tr_error *err)
{
    if (!tr_grow(&x->lists, &x->cap_lists, x->n_lists + 1, sizeof *x->lists))
        return tr_fail_memory(err);
    struct tr_buf *b = &x->lists[x->n_lists++];
    *b = (struct tr_buf){ 0 };
    enum tr_status st = tr_read_file(path, LIST_MAX, b, err);
    if (st == TR_OK && !tr_buf_add(b, "", 1))
        st = tr_fail_memory(err);
    for (char *at = (char *)b->data, *end = at + b->len; st == TR_OK && at < end;) {
        size_t len = strcspn(at, "\r\n");
        at[len] = '\0';
        if (len)
            st = add_name(cli, x, at, err);
        at += len + 1;
    }
    return st;
}

static enum tr_status expand(struct cli *cli, const char *const *paths, size_t n, struct expanded *x,
                             struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        bool list = paths[i][0] == '@' && paths[i][1] && access(paths[i], F_OK) != 0;
        st = list ? add_list(cli, x, paths[i] + 1, err) : add_name(cli, x, paths[i], err);
    }
    return st;
}

void cli__report_starts(struct cli *cli, const char *name, size_t n)
{
    if (n > 1 && !cli_quiet(cli))
        cli_remark(cli, "%s: times count from the start of each of %zu hosts or captures, whose clocks do not compare",
                   name, n);
}

/* --relative: the frame may change the dictionary until the first read of the input. */
static enum tr_status count_from_start(struct cli *cli, struct tr_input *in, struct tr_error *err)
{
    if (!in->sorted) {
        tr_error_input(err, in->name);
        tr_error_place(err, "option --relative");
        return tr_fail(err, TR_DAMAGED, "input is not sorted, so its start is not known in advance");
    }
    size_t n = tr_job_start_from_zero((struct tr_dict *)in->dict, in->summary);
    cli__report_starts(cli, in->name, n);
    return TR_OK;
}

static bool has_where(const struct cli *cli)
{
    for (const struct tr_option *o = cli->tool->opts; o && o->name; o++)
        if (strcmp(o->name, "where") == 0)
            return true;
    return false;
}

/* tr-filter takes an expression as an operand, other programs do not: an absent file may be meant as one. */
static void hint_at_expression(const struct cli *cli, const char *const *paths, size_t n, struct tr_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (strpbrk(paths[i], "=<>") && access(paths[i], F_OK) != 0 && errno == ENOENT) {
            if (has_where(cli))
                tr_fail_sys(err, ENOENT, "cannot open (an expression is given with --where)");
            return;
        }
}

/* With --follow: what holds for the input, and not for other files, such as that of --base. */
static enum tr_status follow(const struct cli *cli, const char *const *paths, size_t n, struct tr_open_opts *opts,
                             struct tr_error *err)
{
    const bool is_input = cli->n_operands ? paths == cli->operands : strcmp(paths[0], "-") == 0;
    if (!is_input)
        opts->follow = NULL;
    if (!opts->follow)
        return TR_OK;
    if (n != 1 || tr_folder_is(paths[0]))
        return tr_fail(err, TR_USAGE, "--follow reads one file%s", n == 1 ? ", and no folder" : "");
    opts->n_threads = 1; /* a copy of the process has one */
    opts->seen = NULL;
    return TR_OK;
}

enum tr_status cli_input_open(struct cli *cli, const char *const *paths, size_t n,
                              struct tr_input **in, struct tr_error *err)
{
    static const char *const only_stdin[] = { "-" };
    enum tr_status st = TR_OK;

    if (n == 0) {
        if (cli__is_terminal(cli, STDIN_FILENO))
            return tr_fail(err, TR_USAGE,
                           "no input: name a file, or '-' to read the terminal "
                           "(see %s --help)",
                           cli->name);
        paths = only_stdin;
        n = 1;
    }
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (strcmp(paths[i], "-") == 0)
            st = take_stdin(cli, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&cli->inputs, &cli->cap_inputs, cli->n_inputs + 1, sizeof cli->inputs[0]))
        return tr_fail_memory(err);
    struct expanded x = { NULL };
    struct tr_open_opts opts = cli->open_opts;
    st = follow(cli, paths, n, &opts, err);
    if (st == TR_OK)
        st = expand(cli, paths, n, &x, err);
    if (st == TR_OK)
        st = tr_open_many(in, x.paths, x.n, &opts, err);
    if (st == TR_SYSTEM)
        hint_at_expression(cli, x.paths, x.n, err);
    if (st == TR_OK)
        cli->inputs[cli->n_inputs++] = *in;
    if (st == TR_OK && cli->common.relative)
        st = count_from_start(cli, *in, err);
    expanded_free(&x);
    return st;
}

enum tr_status cli_input_text(struct cli *cli, const char *name, const struct tr_buf *text, struct tr_input **in,
                              struct tr_error *err)
{
    const struct tr_open_memory memory = { name, text->data, text->len };
    struct tr_open_opts opts = cli->open_opts;
    opts.memory = &memory;
    opts.input_format = NULL;
    if (!tr_grow(&cli->inputs, &cli->cap_inputs, cli->n_inputs + 1, sizeof cli->inputs[0]))
        return tr_fail_memory(err);
    enum tr_status st = tr_open(in, name, &opts, err);
    if (st == TR_OK)
        cli->inputs[cli->n_inputs++] = *in;
    return st;
}

enum tr_status cli_input_operands(struct cli *cli, size_t first, struct tr_input **in,
                                  struct tr_error *err)
{
    size_t n = cli->n_operands > first ? cli->n_operands - first : 0;
    return cli_input_open(cli, n ? cli->operands + first : NULL, n, in, err);
}

void cli_input_close(struct cli *cli, struct tr_input *in)
{
    size_t i = 0;
    while (i < cli->n_inputs && cli->inputs[i] != in)
        i++;
    if (i == cli->n_inputs)
        return;
    cli->inputs[i] = cli->inputs[--cli->n_inputs];
    if (!in->sorted) /* its summary came last */
        tr_open_warn(in, &cli->open_opts);
    tr_input_close(in);
}

static void close_all(struct cli *cli)
{
    while (cli->n_inputs)
        cli_input_close(cli, cli->inputs[cli->n_inputs - 1]);
}

bool cli__inputs_anew(struct cli *cli, struct tr_error *err)
{
    if (!cli->anew)
        return false;
    close_all(cli);
    cli->n_remarks = 0;
    cli->ranks_missing = false;
    cli->every.print = NULL;
    cli->anew = false;
    *err = (struct tr_error)TR_ERROR_INIT;
    return true;
}

void cli__inputs_close(struct cli *cli)
{
    close_all(cli);
    free(cli->inputs);
    cli->inputs = NULL;
    cli->cap_inputs = 0;
    tr_reopened_files_free(cli->open_opts.seen);
    cli->open_opts.seen = NULL;
    tr_budget_free(cli->open_opts.budget);
    cli->open_opts.budget = NULL;
    tr_spill_dir_free(cli->open_opts.spill);
    cli->open_opts.spill = NULL;
}

enum tr_status cli_read_text(int fd, const char *name, size_t max_bytes, struct tr_buf *text, struct tr_error *err)
{
    struct tr_bytes *b = NULL;
    const struct tr_bytes_opts opts = { .keep_fd = fd == STDIN_FILENO };
    enum tr_status st = tr_bytes_open(&b, fd, name, &opts, err);
    while (st == TR_OK) {
        size_t got = 0;
        if (text->len > max_bytes)
            st = tr_fail(err, TR_SYSTEM, "the table needs more than %zu MiB of memory", max_bytes >> 20);
        else if (!tr_buf_reserve(text, (1 << 18) + 1))
            st = tr_fail_memory(err);
        else if ((st = tr_bytes_read(b, text->data + text->len, 1 << 18, &got, err)) == TR_OK)
            text->len += got;
    }
    tr_bytes_close(b);
    return st == TR_END ? TR_OK : st;
}
