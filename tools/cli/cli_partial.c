/* SPDX-License-Identifier: MIT */
/* Partial results: writing one, and ranks that are missing. */
#include "cli/cli_partial.h"

#include "base/tr_sort.h"
#include "cli/cli_priv.h"
#include "cli/cli_stream.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tr_input *cli_partial_open(struct cli *cli, const char *path)
{
    struct tr_open_opts opts = *cli_open_opts(cli);
    struct tr_error ignored = TR_ERROR_INIT;
    struct tr_input *in;
    opts.input_format = "stream"; /* others are refused, not read */
    opts.warn = NULL;
    opts.seen = NULL;
    opts.follow = NULL;
    if (strcmp(path, "-") == 0 || tr_open(&in, path, &opts, &ignored) != TR_OK)
        return NULL;
    if (tr_partial_any(in->tables))
        return in;
    tr_input_close(in);
    return NULL;
}

enum tr_status cli_partial_only(struct cli *cli, const struct tr_input *in, const char *const *paths, size_t n,
                                const char *view, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!tr_partial_others(in->tables, view ? view : ""))
        return TR_OK;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        struct tr_input *one = cli_partial_open(cli, paths[i]);
        if (one && (st = tr_partial_only(one->tables, view, err)) != TR_OK)
            tr_error_input(err, paths[i]);
        if (one)
            tr_input_close(one);
    }
    if (st != TR_OK)
        return st;
    st = tr_partial_only(in->tables, view, err);
    if (st != TR_OK)
        tr_error_input(err, in->name);
    return st;
}

enum tr_status cli_partial_write_tables(struct cli *cli, const struct tr_input *in, const struct tr_dict *dict,
                                        const struct tr_summary *summary, const struct tr_side_tables *tables,
                                        struct tr_error *err)
{
    struct tr_dict *no_dict = dict ? NULL : tr_dict_new();
    struct tr_summary *no_summary = summary ? NULL : tr_summary_new(0);
    struct tr_writer *w = NULL;
    const struct cli_stream out = { .in = in,
                                    .dict = dict ? dict : no_dict,
                                    .summary = summary ? summary : no_summary,
                                    .tables = tables,
                                    .small = true };
    enum tr_status st = out.dict && out.summary ? cli_stream_start(cli, &out, &w, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_stream_end(w, TR_OK, err);
    tr_summary_free(no_summary);
    tr_dict_free(no_dict);
    return st;
}

enum tr_status cli_partial_write(struct cli *cli, const struct tr_input *in, const char *path, struct tr_runner *r,
                                 size_t n, struct tr_error *err)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < n; i++)
        st = tr_runner_save(r, i, &tables, err);
    if (st == TR_OK)
        st = cli_output_to(cli, path, err);
    if (st == TR_OK)
        st = cli_partial_write_tables(cli, in, NULL, NULL, &tables, err);
    tr_side_tables_free(&tables);
    return st;
}

/* ---- ranks ---- */

#define SHOWN 8u /* ranks that a remark names */

static bool has(const int64_t *ranks, size_t n, int64_t rank)
{
    return n && bsearch(&rank, ranks, n, sizeof *ranks, tr_by_i64);
}

/* The number of different ranks. */
static uint64_t count(const int64_t *ranks, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ranks[i] >= 0 && (!i || ranks[i] != ranks[i - 1]);
    return sum;
}

/* Name the first ranks of a range that are missing; returns how many are. */
static uint64_t name_missing(struct tr_range range, const int64_t *ranks, size_t n, char *text, size_t size,
                             uint64_t named)
{
    uint64_t missing = 0;
    for (int64_t rank = range.from; rank <= range.to; rank++) {
        size_t len = strlen(text);
        if (has(ranks, n, rank))
            continue;
        if (named + missing < SHOWN)
            snprintf(text + len, size - len, "%s%" PRId64, len ? ", " : "", rank);
        missing++;
    }
    return missing;
}

#define MAX_EXPECTED (INT64_C(1) << 24)

static void remark_run(struct cli *cli, const struct cli_ranks *r, const char *what)
{
    cli_remark(cli, "%s%s%s", r->run ? r->run : "", r->run ? ": " : "", what);
}

static void ranks_are_missing(struct cli *cli, const struct cli_ranks *r, const char *what)
{
    remark_run(cli, r, what);
    cli->ranks_missing = true;
}

static enum tr_status check_expected(struct cli *cli, const struct cli_ranks *r, const int64_t *ranks, size_t n,
                                     struct tr_error *err)
{
    const char *list = cli->common.partial.expect;
    struct tr_select_opts o = TR_SELECT_ALL;
    char text[256] = "", what[400];
    uint64_t missing = 0;
    enum tr_status st = tr_select_parse_ranks(&o, list, err);
    for (size_t i = 0; i < o.n_ranks && st == TR_OK; i++)
        if (o.ranks[i].to > MAX_EXPECTED)
            st = tr_fail(err, TR_USAGE, "'%.80s' has ranks beyond 2^24", list);
    if (st != TR_OK) {
        tr_error_place(err, "option --expect-ranks");
        return st;
    }
    for (size_t i = 0; i < o.n_ranks; i++)
        missing += name_missing(o.ranks[i], ranks, n, text, sizeof text, missing);
    snprintf(what, sizeof what, "%" PRIu64 " rank%s missing: %s%s", missing, missing == 1 ? " is" : "s are", text,
             missing > SHOWN ? ", ..." : "");
    if (missing)
        ranks_are_missing(cli, r, what);
    return TR_OK;
}

static void check_number(struct cli *cli, const struct cli_ranks *r, const int64_t *ranks, size_t n)
{
    const uint64_t there = count(ranks, n), least = cli->common.partial.min_ranks;
    char what[100];
    snprintf(what, sizeof what, "%" PRIu64 " rank%s of at least %" PRIu64, there, there == 1 ? "" : "s", least);
    if (there < least)
        ranks_are_missing(cli, r, what);
}

/* A job says how many ranks it has; that some are not here is no failure. */
static void remark_missing(struct cli *cli, const struct cli_ranks *r, const int64_t *ranks, size_t n)
{
    char text[256] = "", what[400];
    struct tr_range all = { 0, (int64_t)r->world_size - 1 };
    if (n && ranks[0] < 0)
        return; /* a source of unknown rank */
    uint64_t missing = name_missing(all, ranks, n, text, sizeof text, 0);
    snprintf(what, sizeof what, "%" PRIu64 " of %" PRIu64 " ranks %s missing: %s%s", missing, r->world_size,
             missing == 1 ? "is" : "are", text, missing > SHOWN ? ", ..." : "");
    if (missing && !cli_quiet(cli))
        remark_run(cli, r, what);
}

enum tr_status cli_ranks_there(struct cli *cli, const struct cli_ranks *r, struct tr_error *err)
{
    const struct cli_partial *p = cli_partial(cli);
    const size_t n_sources = r->dict ? r->dict->n_sources : 0;
    enum tr_status st = TR_OK;
    size_t n = 0;
    if (!p->expect && !p->min_ranks && !r->world_size)
        return TR_OK;
    int64_t *ranks = malloc((r->n_loaded + n_sources + 1) * sizeof *ranks);
    if (!ranks)
        return tr_fail_memory(err);
    for (; n < r->n_loaded; n++)
        ranks[n] = r->loaded[n];
    for (uint32_t i = 0; i < n_sources; i++)
        if (!r->selected || tr_select_source(r->selected, i))
            ranks[n++] = r->dict->sources[i].rank;
    if (n)
        qsort(ranks, n, sizeof *ranks, tr_by_i64);
    if (p->expect)
        st = check_expected(cli, r, ranks, n, err);
    else if (r->world_size && r->world_size <= (uint64_t)MAX_EXPECTED)
        remark_missing(cli, r, ranks, n);
    if (st == TR_OK && p->min_ranks)
        check_number(cli, r, ranks, n);
    free(ranks);
    return st;
}

bool cli_ranks_missing(const struct cli *cli)
{
    return cli->ranks_missing;
}
