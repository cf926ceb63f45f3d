/* SPDX-License-Identifier: MIT */
/* Partial results that are refused: asked for otherwise, foreign, damaged; and what cannot be saved. */
#include "harness/tap.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/tr_registry.h"
#include "engine/tr_runner.h"
#include "formats/tr_open.h"

enum { MAX_COLUMNS = 64 };

/* A run of one analysis, over the sample's ranks or over nothing. */
struct run {
    struct tr_runner *r;
    struct tr_table *t;
    struct tr_input *in;
    struct tr_error err;
};

static enum tr_status start(struct run *run, const struct tr_analysis *a, const void *options, int per, uint64_t top)
{
    *run = (struct run){ .r = tr_runner_new(), .t = tr_table_new(TR_UNIT_US), .err = TR_ERROR_INIT };
    if (top)
        tr_table_arrange(run->t, &(struct tr_arrange){ .top = top }, NULL);
    return tr_runner_add(run->r, a, options, per, run->t, &run->err);
}

static void end(struct run *run)
{
    tr_runner_free(run->r);
    tr_table_free(run->t);
    tr_input_close(run->in);
}

static enum tr_status read_rank(struct run *run, const char *rank, struct tr_analysis_in in)
{
    const char *folder = getenv("srcdir");
    char name[600];
    const char *paths[1] = { name };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    const struct tr_batch *b;
    snprintf(name, sizeof name, "%s/../contrib/sample/rank%s.json.gz", folder ? folder : ".", rank);
    enum tr_status st = tr_open_many(&run->in, paths, 1, &opts, &run->err);
    if (st != TR_OK)
        return st;
    in.dict = run->in->dict;
    in.summary = run->in->summary;
    in.sorted = run->in->sorted;
    st = tr_runner_start(run->r, &in, &run->err);
    while (st == TR_OK && (st = tr_input_next(run->in, &b, &run->err)) == TR_OK)
        st = tr_runner_feed(run->r, b, NULL, &run->err);
    return st == TR_END ? TR_OK : st;
}

static const struct tr_analysis_in plain = { .max_memory = 64 << 20, .temp_dir = "." };
static const struct tr_analysis_in to_save = { .max_memory = 64 << 20, .temp_dir = ".", .saved = true };

/* What an analysis saves of a rank of the sample. */
static struct tr_side_tables saved(const struct tr_analysis *a, const char *rank)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct run run;
    CHECK(start(&run, a, NULL, -1, 0) == TR_OK && read_rank(&run, rank, to_save) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_OK);
    end(&run);
    return tables;
}

/* Load into a new run, and finish.  *err says what went wrong. */
static enum tr_status load(const struct tr_analysis *a, const void *options, int per, struct tr_analysis_in in,
                           const struct tr_side_tables *tables, struct tr_error *err)
{
    struct tr_buf rows = { NULL, 0, 0 };
    struct run run;
    enum tr_status st = start(&run, a, options, per, 0);
    if (st == TR_OK)
        st = tr_runner_start_partials(run.r, &in, &run.err);
    if (st == TR_OK)
        st = tr_runner_load(run.r, 0, tables, &run.err);
    if (st == TR_OK)
        st = tr_runner_finish(run.r, &run.err);
    if (st == TR_OK)
        st = tr_table_write(run.t, &tr_row_sink_tsv, &rows, &run.err);
    tr_buf_free(&rows);
    *err = run.err;
    end(&run);
    return st;
}

/* ---- what cannot be saved ---- */

static void test_unsaved(void)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct run run;
    CHECK(start(&run, &tr_analysis_critpath_edges, NULL, -1, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view path-edges has no partial results: its edges come in the order of the "
                            "events of all ranks, which needs the whole graph");
    end(&run);
    CHECK(start(&run, &tr_analysis_critpath, NULL, TR_PER_ALL, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view critical-path has no partial results: it was not started for that");
    end(&run);
    CHECK(start(&run, &tr_analysis_launch, NULL, -1, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view launch has no partial results: its rows were printed as they came");
    end(&run);
    CHECK(start(&run, &tr_analysis_step, NULL, TR_PER_ALL, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view step has no partial results: its rows are of all ranks together");
    end(&run);
    CHECK(start(&run, &tr_analysis_time, NULL, TR_PER_ALL, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view time has no partial results: times in which any rank works are no sums of "
                            "those of the ranks (--per all)");
    end(&run);
    CHECK(start(&run, &tr_analysis_kernel, NULL, -1, 3) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK_STR(run.err.what, "the view kernel has no partial results: some rows are cut off (--top)");
    end(&run);
    CHECK(tables.n == 0);
}

static void test_rank_of_order(void)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct run run;
    CHECK(start(&run, &tr_analysis_kernel, NULL, -1, 0) == TR_OK && read_rank(&run, "0", plain) == TR_OK);
    run.in->dict->sources[0].rank_rule = TR_RANK_RENUMBERED;
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_USAGE);
    CHECK(strstr(run.err.what, "ranks come from the order of the files"));
    run.in->dict->sources[0].rank_rule = TR_RANK_ORDER; /* of the only file: it has no other */
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_OK);
    CHECK(load(&tr_analysis_kernel, NULL, -1, plain, &tables, &run.err) == TR_OK);
    CHECK(tr_runner_save(run.r, 0, &tables, &run.err) == TR_OK);
    CHECK(load(&tr_analysis_kernel, NULL, -1, plain, &tables, &run.err) == TR_DAMAGED);
    CHECK_STR(run.err.what, "partial results of 'kernel' have a source of unknown rank, beside others");
    tr_side_tables_free(&tables);
    end(&run);
}

/* ---- what was asked for otherwise ---- */

static void refused(const struct tr_analysis *a, const void *options, int per, struct tr_analysis_in in,
                    const struct tr_side_tables *tables, const char *why)
{
    struct tr_error err;
    CHECK(load(a, options, per, in, tables, &err) == TR_DAMAGED);
    CHECK(strncmp(err.what, why, strlen(why)) == 0); /* both values follow */
}

static void test_other_options(void)
{
    static const struct tr_idle_options other = { .threshold = 1 };
    struct tr_side_tables idle = saved(&tr_analysis_stream_idle, "0");
    struct tr_analysis_in in = plain;
    struct tr_error err;
    CHECK(load(&tr_analysis_stream_idle, NULL, -1, plain, &idle, &err) == TR_OK);
    refused(&tr_analysis_stream_idle, &other, -1, plain, &idle,
            "a partial result of 'stream-idle' cannot be merged: other options were given");
    refused(&tr_analysis_stream_idle, NULL, TR_PER_RANK, plain, &idle,
            "a partial result of 'stream-idle' cannot be merged: it has other groups (--per)");
    in.selection = "dur > 5us";
    refused(&tr_analysis_stream_idle, NULL, -1, in, &idle,
            "a partial result of 'stream-idle' cannot be merged: other events were selected");
    in = plain;
    in.work.suspect = true;
    refused(&tr_analysis_stream_idle, NULL, -1, in, &idle,
            "a partial result of 'stream-idle' cannot be merged: other events were selected");
    in = plain;
    in.distinct = 7;
    refused(&tr_analysis_stream_idle, NULL, -1, in, &idle,
            "a partial result of 'stream-idle' cannot be merged: another number of distinct values was kept: 0 and 7");
    refused(&tr_analysis_time, NULL, -1, plain, &idle, "there is no partial result of 'time', only of stream-idle");
    tr_side_tables_free(&idle);
}

static void test_rank_twice(void)
{
    struct tr_side_tables tables = saved(&tr_analysis_time, "1");
    struct run run;
    CHECK(start(&run, &tr_analysis_time, NULL, -1, 0) == TR_OK);
    CHECK(tr_runner_start_partials(run.r, &plain, &run.err) == TR_OK);
    CHECK(tr_runner_load(run.r, 0, &tables, &run.err) == TR_OK);
    CHECK(tr_runner_load(run.r, 0, &tables, &run.err) == TR_DAMAGED);
    CHECK_STR(run.err.what, "rank 1 is in two partial results of 'time'");
    end(&run);
    tr_side_tables_free(&tables);
}

/* ---- damage ---- */

enum what {
    NOTHING, ABSENT, HUGE_COUNT, NEGATIVE, ZERO, TEXT, LIST, DROP_ROW, DOUBLE_ROW, OTHER_TYPE, OTHER_NAME, N_CHANGES
};

/* One change of a table: of a column, a value, the number of rows. */
struct change {
    size_t table, row, column;
    enum what what;
};

static void change_value(const struct change *c, unsigned type, struct tr_side_value *v)
{
    static const char *const texts[] = {
        "x", "5:1 4:1", "7:0", "1:99999999999999999999", "3:9223372036854775807 4:9", "1:1 "
    };
    bool text = tr_type_is_string(type);
    if (c->what == ABSENT)
        v->present = !v->present;
    if (c->what == HUGE_COUNT)
        v->v = type == TR_SIDE_BOOL ? 1 : INT64_MAX;
    if (c->what == NEGATIVE)
        v->v = type == TR_SIDE_BOOL ? 1 : -1; /* of a count: the largest */
    if (c->what == ZERO)
        v->v = 0;
    if (text && (c->what == TEXT || c->what == LIST)) {
        v->present = true;
        v->text = c->what == TEXT ? "" : texts[c->row % 6];
        v->len = strlen(v->text);
    }
}

/* A copy with one change. */
static struct tr_side_table *changed(const struct tr_side_table *from, const struct change *c)
{
    struct tr_side_table *t = tr_side_table_new(from->name, UINT32_MAX);
    struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
    size_t n = 0;
    for (size_t i = 0; i < from->n_columns; i++) {
        bool this = i == c->column;
        unsigned type = from->columns[i].type;
        CHECK(tr_side_table_column(t, this && c->what == OTHER_NAME ? "renamed" : from->columns[i].name,
                                   this && c->what == OTHER_TYPE ? type == TR_T_INT ? TR_T_UINT : TR_T_INT : type));
    }
    for (size_t at = 0; tr_side_table_row(from, &at, row); n++) {
        if (n == c->row && c->what == DROP_ROW)
            continue;
        if (n == c->row)
            change_value(c, from->columns[c->column].type, &row[c->column]);
        CHECK(tr_side_table_add(t, row));
        if (n == c->row && c->what == DOUBLE_ROW)
            CHECK(tr_side_table_add(t, row));
    }
    return t;
}

/* Each change of each column, in a few rows of each table: rows, or one line that says what is wrong; never a crash. */
static void damage(const struct tr_analysis *a, size_t *n_refused, size_t *n_taken)
{
    struct tr_side_tables good = saved(a, "0");
    struct tr_error err;
    CHECK(load(a, NULL, -1, plain, &good, &err) == TR_OK);
    for (size_t t = 0; t < good.n; t++) {
        struct tr_side_table *whole = good.v[t];
        for (size_t k = 0; k < whole->n_columns * N_CHANGES * 3; k++) {
            const struct change c = { t, k / N_CHANGES % 3 * 2, k / N_CHANGES / 3, (enum what)(k % N_CHANGES) };
            good.v[t] = changed(whole, &c);
            enum tr_status st = load(a, NULL, -1, plain, &good, &err);
            if (st != TR_OK && st != TR_DAMAGED)
                printf("# %s: %s, column %zu, change %d: %s\n", a->name, whole->name, c.column, (int)c.what,
                       err.what);
            CHECK((st == TR_OK && !*err.what) ||
                  (st == TR_DAMAGED && strstr(err.what, a->saving->name ? a->saving->name : a->name)));
            if (c.what == OTHER_TYPE || c.what == OTHER_NAME)
                CHECK(st == TR_DAMAGED);
            *(st == TR_OK ? n_taken : n_refused) += 1;
            tr_side_table_free(good.v[t]);
            good.v[t] = whole;
        }
        /* one table less, but that of a partial result that has no rows there */
        good.v[t] = good.v[good.n - 1];
        good.n--;
        enum tr_status st = load(a, NULL, -1, plain, &good, &err);
        CHECK(st == TR_DAMAGED || whole->n_rows == 0 || strstr(whole->name, ".ranks"));
        good.v[good.n++] = good.v[t];
        good.v[t] = whole;
    }
    tr_side_tables_free(&good);
}

/* Do the defaults suffice, and a trace?  Others need a file. */
static bool is_ready(const struct tr_analysis *a)
{
    struct run run;
    bool ready = (!a->check || a->check(NULL, NULL) == TR_OK) && start(&run, a, NULL, -1, 0) == TR_OK;
    if (ready) {
        ready = read_rank(&run, "0", plain) == TR_OK && tr_runner_finish(run.r, &run.err) == TR_OK;
        end(&run);
    }
    return ready;
}

static void test_damage(void)
{
    size_t refusals = 0, taken = 0;
    for (size_t i = 0; tr_registry_analysis(i); i++)
        if (tr_registry_analysis(i)->saving && is_ready(tr_registry_analysis(i)))
            damage(tr_registry_analysis(i), &refusals, &taken);
    printf("# %zu refused, %zu taken\n", refusals, taken);
    CHECK(refusals > 1000);
}

static void test_version(void)
{
    struct tr_side_tables tables = saved(&tr_analysis_kernel, "0");
    struct tr_error err;
    for (size_t i = 0; i < tables.n; i++)
        if (strcmp(tables.v[i]->name, "partial.kernel") == 0) {
            const struct change c = { i, 0, 0, HUGE_COUNT };
            struct tr_side_table *other = changed(tables.v[i], &c);
            tr_side_table_free(tables.v[i]);
            tables.v[i] = other;
        }
    CHECK(load(&tr_analysis_kernel, NULL, -1, plain, &tables, &err) == TR_DAMAGED);
    CHECK(strstr(err.what, "'kernel' cannot be merged: it was saved by another version: "));
    tr_side_tables_free(&tables);
}

static const struct tap_test tests[] = {
    { "views and options that have no partial results", test_unsaved },
    { "ranks that come from the order of files", test_rank_of_order },
    { "a partial result of something else that was asked for", test_other_options },
    { "a rank in two partial results", test_rank_twice },
    { "another version", test_version },
    { "values, columns, rows and tables that are not as they were saved", test_damage },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
