/* SPDX-License-Identifier: MIT */
/* Outputs that hold several tables. */
#include "cli/cli_book.h"

#include "base/tr_num.h"
#include "cli/cli_priv.h"
#include "sink/tr_sinks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- which output it is ---- */

static bool is_folder(const char *path)
{
    struct stat sb;
    size_t len = strlen(path);
    return len && (path[len - 1] == '/' || (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode)));
}

bool cli__is_book(struct cli *cli)
{
    const char *name = cli__format_name(cli), *path = cli->common.output;
    const struct tr_row_sink *sink = name ? tr_row_sink_by_name(name) : NULL;
    if (!sink || cli->common.arrange.help_columns)
        return false;
    bool csv = strcmp(name, "csv") == 0;
    if (!sink->book && !(csv && path && is_folder(path)))
        return false;
    cli->book.sink = sink;
    return true;
}

bool cli_book(const struct cli *cli)
{
    return cli->book.sink != NULL;
}

bool cli_book_ns(const struct cli *cli)
{
    const struct tr_row_sink *sink = cli->book.sink;
    return sink && !(sink->book && sink->book->any_unit);
}

/* ---- opening ---- */

/* When the run was; SOURCE_DATE_EPOCH in its place makes equal runs give equal files. */
static enum tr_status now(int64_t *seconds, struct tr_error *err)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    *seconds = (int64_t)time(NULL);
    if (!given || !*given || tr_num_i64(given, 0, INT64_C(253402300799), seconds, err) == TR_OK)
        return TR_OK;
    tr_error_input(err, "SOURCE_DATE_EPOCH");
    return TR_USAGE;
}

/* Is there a file with something in it, that is added to?  *st: it cannot be. */
static bool adds_to(const struct cli *cli, enum tr_status *st, struct tr_error *err)
{
    struct stat sb;
    const char *path = cli->common.output;
    if (!cli->book.sink->book->adds || stat(path, &sb) != 0 || (S_ISREG(sb.st_mode) && sb.st_size == 0))
        return false;
    tr_error_input(err, path);
    if (!S_ISREG(sb.st_mode))
        *st = tr_fail(err, TR_USAGE, "-O %s needs a regular file", cli->book.sink->name);
    else if (!(sb.st_mode & 0222)) /* root could write it all the same */
        *st = tr_fail(err, TR_DAMAGED, "the database is read-only");
    else
        err->input[0] = '\0';
    return true;
}

static enum tr_status open_file(struct cli *cli, struct tr_error *err)
{
    struct cli_book *b = &cli->book;
    struct tr_book_about about = { .name = cli->common.output, .command = cli->command_line };
    enum tr_status st = now(&about.time, err);
    about.inputs = cli->operands;
    about.n_inputs = cli->n_operands;
    about.add = st == TR_OK && adds_to(cli, &st, err);
    about.path = cli->common.output;
    if (st == TR_OK && !about.add) {
        st = cli__output_open(cli, err);
        about.path = cli->out.temp;
        about.write = cli_sink;
        about.self = cli;
        cli->out.asked = true;
        if (st == TR_OK && !about.path && b->sink->book->adds) {
            tr_error_input(err, about.name);
            st = tr_fail(err, TR_USAGE, "-O %s needs a regular file", b->sink->name);
        }
    }
    return st == TR_OK ? tr_book_open(&b->book, b->sink, &about, err) : st;
}

/* Whole numbers of ns are the only exact times of programs that know numbers of 64 bits. */
static enum tr_status check_unit(const struct cli *cli, struct tr_error *err)
{
    if (cli->common.unit < 0 || cli->common.unit == CLI_NS || !cli_book_ns(cli))
        return TR_OK;
    return tr_fail(err, TR_USAGE, "--unit: times are whole ns in %s",
                   cli->book.sink->book ? "a database" : "a folder of CSV");
}

enum tr_status cli__book_open(struct cli *cli, struct tr_error *err)
{
    struct cli_book *b = &cli->book;
    const char *path = cli->common.output;
    enum tr_status st = check_unit(cli, err);
    if (st != TR_OK)
        return st;
    if (!path || strcmp(path, "-") == 0)
        return tr_fail(err, TR_USAGE, "-O %s needs -o FILE: it is no text", b->sink->name);
    return b->sink->book ? open_file(cli, err) : cli_split_output_folder(&b->files, path, ".csv", err);
}

/* ---- tables ---- */

void cli_name_table(struct cli *cli, const char *name)
{
    cli->book.name = name;
}

static const char *program_of(const struct cli *cli)
{
    return strncmp(cli->name, "tr-", 3) == 0 ? cli->name + 3 : cli->name;
}

void cli_table_of_view(const struct cli *cli, const char *view, char name[CLI_TABLE_NAME])
{
    const char *program = program_of(cli);
    const struct tr_view *views = cli->tool->views;
    bool alone = strcmp(view, program) == 0 || (views && !views[1].name);
    snprintf(name, CLI_TABLE_NAME, "%.40s%s%.150s", alone ? "" : program, alone ? "" : "_", view);
}

/* The name of a table, if nobody gave one. */
static const char *own_name(struct cli *cli)
{
    char view[CLI_TABLE_NAME];
    cli__name_of_view(program_of(cli), NULL, 0, view);
    for (const struct tr_option *o = cli->tool->opts; o && o->name; o++)
        if (strcmp(o->name, "by") == 0 && o->type == TR_OPTION_CHOICE && cli_given(cli, o->name)) {
            const void *field = (const char *)cli->fields[1] + o->offset;
            const struct tr_option_by *by = field; /* without keys, its first member alone */
            cli__name_of_view(o->choices[by->choice], o->keys, o->keys ? by->keys : 0, view);
        }
    cli_table_of_view(cli, view, cli->book.own);
    return cli->book.own;
}

/* Sheets of TraceLens that have the same rows; tr-migrate(7) lists them, too. */
static const struct {
    const char *table, *sheet;
} known_sheets[] = {
    { "breakdown_timeline", "gpu_timeline" },
    { "breakdown_operator", "ops_summary" },
    { "breakdown_category", "ops_summary_by_category" },
    { "breakdown_operator_args", "ops_unique_args" },
    { "roofline_operator_shape", "unified_perf_summary" },
    { "comm_collective", "nccl_implicit_sync" },
    { "comm_size", "nccl_summary_implicit_sync" },
    { "comm_member", "nccl_long" },
    { "comm_exchange", "nccl_all2allv" },
    { "comm_pair", "nccl_all2allv_heatmap" },
    { "comm_straggler", "straggler_summary" },
    { "report_timeline", "gpu_timeline" },
    { "report_operators", "ops_summary" },
    { "report_categories", "ops_summary_by_category" },
    { "report_parents", "kernel_summary" },
    { "report_stragglers", "straggler_summary" },
};

/* A workbook is of one program, so its sheets do not name it. */
static const char *sheet_of(const struct cli *cli, const char *table)
{
    const char *program = program_of(cli);
    size_t len = strlen(program);
    for (size_t i = 0; i < sizeof known_sheets / sizeof *known_sheets; i++)
        if (strcmp(known_sheets[i].table, table) == 0)
            return known_sheets[i].sheet;
    return strncmp(table, program, len) == 0 && table[len] == '_' ? table + len + 1 : table;
}

/* A table of CSV: its file is opened with its first bytes. */
struct cli_book_file {
    struct cli *cli;
    char name[CLI_TABLE_NAME];
    struct cli_part *part; /* NULL: it is not open yet */
};

static enum tr_status write_file(void *file, const void *bytes, size_t n, struct tr_error *err)
{
    struct cli_book_file *f = file;
    enum tr_status st =
        f->part ? TR_OK : cli_split_output_open(&f->cli->book.files, f->name, &f->part, err);
    return st == TR_OK ? cli_split_output_sink(f->part, bytes, n, err) : st;
}

bool cli_book_table(struct cli *cli, struct tr_table *t, const struct tr_row_sink *sink)
{
    struct cli_book *b = &cli->book;
    struct cli_book_file *f = NULL;
    const char *name = b->name ? b->name : own_name(cli);
    if (sink->book)
        return tr_book_table(b->book, sink == &tr_row_sink_xlsx ? sheet_of(cli, name) : name, t, NULL) == TR_OK;
    if (!tr_grow(&b->tables, &b->cap, b->n + 1, sizeof *b->tables) || !(f = calloc(1, sizeof *f)))
        return false;
    snprintf(f->name, sizeof f->name, "%s", name);
    f->cli = cli;
    b->tables[b->n++] = f;
    tr_table_output(t, sink, write_file, f);
    return true;
}

enum tr_status cli_book_sql(struct cli *cli, const char *sql, struct tr_error *err)
{
    return cli->book.book ? tr_book_sql(cli->book.book, sql, err) : TR_OK;
}

/* ---- the end ---- */

enum tr_status cli__book_end(struct cli *cli, bool done, struct tr_error *err)
{
    struct cli_book *b = &cli->book;
    enum tr_status st = TR_OK;
    if (done && b->book)
        st = tr_book_end(b->book, err);
    tr_book_free(b->book);
    if (b->files.started)
        st = cli_split_output_end(&b->files, done ? TR_OK : TR_SYSTEM, done ? err : NULL);
    for (size_t i = 0; i < b->n; i++)
        free(b->tables[i]);
    free(b->tables);
    *b = (struct cli_book){ .sink = NULL };
    return done ? st : TR_OK;
}
