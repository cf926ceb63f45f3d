/* SPDX-License-Identifier: MIT */
/* Joins of two tables, and the row that stands for all: what the roles of columns make of them. */
#include "base/tr_time.h"
#include "table/tr_table_join.h"

#include "harness/tap.h"

#include <math.h>
#include <string.h>

static void ok(bool good, const char *what)
{
    if (!good)
        printf("# %s\n", what);
    tap_failed |= !good;
}

static void prints(struct tr_table *t, const char *want)
{
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    bool good = tr_table_write(t, &tr_row_sink_tsv, &out, &err) == TR_OK && tr_buf_add(&out, "", 1) &&
                strcmp((const char *)out.data, want) == 0;
    ok(good, "the rows are these");
    if (!good)
        printf("# %s\n%s# not\n%s", err.what, out.data ? (const char *)out.data : "", want);
    tr_buf_free(&out);
}

/* A column of each role. */
static const struct tr_table_column columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the name" },
    { "grid", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "text" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls" },
    { "all", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .of = "self" },
    { "self", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "self time" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, .meaning = "least" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 1, .unit = "%", .of = "self" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "self", .per = "calls" },
    { "variance", TR_CELL_DOUBLE, TR_ROLE_VARIANCE, .of = "all" },
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

struct row {
    int64_t rank;
    const char *name, *grid;
    uint64_t calls;
    int64_t all, self, min;
    double pct, mean, variance;
};

static void fill(struct tr_table *t, const struct row *rows, size_t n)
{
    tr_table_columns(t, columns, N_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        tr_table_int(t, rows[i].rank);
        tr_table_string(t, rows[i].name);
        tr_table_string(t, rows[i].grid);
        tr_table_count(t, rows[i].calls);
        tr_table_time(t, rows[i].all);
        tr_table_time(t, rows[i].self);
        tr_table_time(t, rows[i].min);
        tr_table_ratio(t, rows[i].pct);
        tr_table_time_f(t, rows[i].mean);
        tr_table_ratio(t, rows[i].variance);
    }
}

static struct tr_table *table(const struct row *rows, size_t n)
{
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    fill(t, rows, n);
    return t;
}

static struct tr_table *joined(const struct row *a, size_t n, const struct row *b, size_t m,
                               const struct tr_table_join *how, const char *order)
{
    struct tr_table *base = table(a, n), *test = table(b, m), *t = tr_table_new(TR_UNIT_NS);
    struct tr_error err = TR_ERROR_INIT;
    tr_table_join_columns(columns, N_COLUMNS, how, t);
    if (order)
        tr_table_order(t, order);
    ok(tr_table_join(base, test, how, t, &err) == TR_OK, err.what);
    tr_table_free(base);
    tr_table_free(test);
    return t;
}

static const struct row base_rows[] = { { 1, "a", "8", 4, 50, 40, 2, 80, 10, 9 },
                                        { 0, "b", "8", 1, 10, 10, 10, 20, 10, NAN },
                                        { 1, "gone", "2", 2, 6, 6, 3, 10, 3, 0 } };
static const struct row test_rows[] = { { 0, "b", "4", 3, 31, 31, 9, 100, 31.0 / 3, 7 },
                                        { 1, "a", "8", 4, 50, 41, 1, 90, 10.25, 0 },
                                        { 1, "new", "1", 1, 5, 5, 5, 9, 5, NAN } };

static void all_columns(void)
{
    const struct tr_table_join how = { .main = "all" };
    struct tr_table *t = joined(base_rows, 3, test_rows, 3, &how, NULL);
    prints(t, "rank\tname\tgrid\tbase_calls\ttest_calls\tdiff_calls\tbase_ns\ttest_ns\tdiff_ns\tbase_self_ns\t"
              "test_self_ns\tdiff_self_ns\tbase_min_ns\ttest_min_ns\tdiff_min_ns\tbase_pct\ttest_pct\tdiff_pct\t"
              "base_mean_ns\ttest_mean_ns\tdiff_mean_ns\tchange\tdiff_pct\tnoise_ns\tsigma\n"
              "0\tb\t4\t1\t3\t2\t10\t31\t21\t10\t31\t21\t10\t9\t-1\t20.0\t100.0\t80.0\t10\t10\t0\tmore\t"
              "210.00\t\t\n"
              "1\ta\t8\t4\t4\t0\t50\t50\t0\t40\t41\t1\t2\t1\t-1\t80.0\t90.0\t10.0\t10\t10\t0\tsame\t"
              "0.00\t3\t0.00\n"
              "1\tgone\t2\t2\t0\t-2\t6\t0\t-6\t6\t0\t-6\t3\t\t\t10.0\t0.0\t-10.0\t3\t\t\tremoved\t"
              "-100.00\t0\t\n"
              "1\tnew\t1\t0\t1\t1\t0\t5\t5\t0\t5\t5\t\t5\t\t0.0\t9.0\t9.0\t\t5\t\tadded\t\t\t\n");
    tr_table_free(t);
}

/* Without noise nothing is no times the noise, and anything else is beyond it. */
static void no_noise(void)
{
    static const struct row base[] = { { 0, "less", "", 1, 5, 5, 5, 5, 5, 0 }, { 0, "more", "", 1, 5, 5, 5, 5, 5, 0 },
                                       { 0, "same", "", 1, 5, 5, 5, 5, 5, 0 } };
    static const struct row test[] = { { 0, "less", "", 1, 4, 5, 5, 5, 5, 0 }, { 0, "more", "", 1, 6, 5, 5, 5, 5, 0 },
                                       { 0, "same", "", 1, 5, 5, 5, 5, 5, 0 } };
    const struct tr_table_join how = { .main = "all", .columns = "name,diff,noise,sigma" };
    struct tr_table *t = joined(base, 3, test, 3, &how, "name:asc");
    size_t sigma = tr_table_find(t, "sigma");
    ok(tr_table_number(t, 2, sigma) == 0, "without a difference");
    prints(t, "name\tdiff_ns\tnoise_ns\tsigma\nless\t-1\t0\t\nmore\t1\t0\t\nsame\t0\t0\t0.00\n");
    tr_table_free(t);
}

static void total(void)
{
    const struct tr_table_join how = { .main = "all",
                                       .columns = "name,base_calls,test_calls,base,test,diff,base_self,test_self,"
                                                  "diff_self,base_min,test_min,base_mean,test_mean,change,noise" };
    struct tr_table *t = joined(base_rows, 3, test_rows, 3, &how, "diff_self:size,name:desc");
    tr_table_hide(t, 3);
    tr_table_total(t, "sum");
    size_t mean = tr_table_find(t, "test_mean");
    ok(tr_table_number(t, 0, mean) == 31.0 / 3 && isnan(tr_table_number(t, 2, mean)), "numbers are not rounded");
    ok(tr_table_before(t, 0, 1) && !tr_table_before(t, 1, 0) && strcmp(tr_table_get(t, 4, 0).s, "sum") == 0,
       "the order can be asked for, and a name");
    prints(t, "name\tbase_calls\ttest_calls\tbase_ns\ttest_ns\tdiff_ns\tbase_self_ns\ttest_self_ns\tdiff_self_ns\t"
              "base_min_ns\ttest_min_ns\tbase_mean_ns\ttest_mean_ns\tchange\tnoise_ns\n"
              "b\t1\t3\t10\t31\t21\t10\t31\t21\t10\t9\t10\t10\tmore\t\n"
              "gone\t2\t0\t6\t0\t-6\t6\t0\t-6\t3\t\t3\t\tremoved\t0\n"
              "a\t4\t4\t50\t50\t0\t40\t41\t1\t2\t1\t10\t10\tsame\t3\n"
              "sum\t7\t8\t56\t77\t21\t56\t77\t21\t2\t1\t8\t10\tmore\t\n");
    tr_table_free(t);
}

/* Groups are not added: each has its total, in the order of their first rows, and hidden ones stay away. */
static void totals(void)
{
    const struct row a[] = { { 1, "a", "", 1, 5, 5, 1, 0, 1, 0 }, { 0, "b", "", 1, 7, 7, 1, 0, 1, 0 },
                             { 1, "c", "", 1, 9, 9, 1, 0, 1, 0 } };
    const struct tr_arrange first = { .columns = "rank,name,all", .top = 1 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    ok(tr_table_arrange(t, &first, &err) == TR_OK, "arranged");
    tr_table_order(t, "self:size");
    fill(t, a, 3);
    tr_table_total(t, "total");
    ok(tr_table_rows(t) == 5 && tr_table_same_group(t, 3, 0) && tr_table_same_group(t, 4, 1) &&
           !tr_table_same_group(t, 0, 1), "a total of each group");
    prints(t, "rank\tname\tall_ns\n"
              "1\tc\t9\n"
              "0\tb\t7\n"
              "1\tothers\t5\n"
              "1\ttotal\t14\n"
              "0\ttotal\t7\n");
    tr_table_free(t);
}

static void nothing(void)
{
    const struct tr_table_join how = {
        .main = "all", .columns = "name,base_calls,test_calls,base,test,diff,base_self,test_self,change"
    };
    struct tr_table *t = joined(NULL, 0, NULL, 0, &how, "diff:size");
    tr_table_total(t, "total");
    prints(t, "name\tbase_calls\ttest_calls\tbase_ns\ttest_ns\tdiff_ns\tbase_self_ns\ttest_self_ns\tchange\n"
              "total\t0\t0\t0\t0\t0\t0\t0\tsame\n");
    tr_table_free(t);
}

/* What does not fit is absent, and so is what is calculated from it, whatever comes later. */
static void too_large(void)
{
    const int64_t much = INT64_MAX - 5;
    const struct row a[] = { { 0, "a", "", 1, much, much, 1, 0, 1, 0 }, { 0, "b", "", 1, 9, 9, 1, 0, 1, 0 },
                             { 0, "c", "", 1, 9, TR_TIME_NONE, 1, 0, 1, 0 } };
    const struct row b[] = { { 0, "a", "", 1, -much, -much, 1, 0, 1, 0 }, { 0, "b", "", 1, 8, 8, 1, 0, 1, 0 },
                             { 0, "c", "", 1, 9, 7, 1, 0, 1, 0 } };
    const struct tr_table_join how = { .main = "all", .columns = "name,base,test,diff,base_self,test_self,diff_self" };
    struct tr_table *t = joined(a, 3, b, 3, &how, "diff_self:size,name:asc");
    tr_table_total(t, "total");
    prints(t, "name\tbase_ns\ttest_ns\tdiff_ns\tbase_self_ns\ttest_self_ns\tdiff_self_ns\n"
              "a\t9223372036854775802\t-9223372036854775802\t\t9223372036854775802\t-9223372036854775802\t\n"
              "c\t9\t9\t0\t\t7\t\n"
              "b\t9\t8\t-1\t9\t8\t-1\n"
              "total\t\t-9223372036854775787\t\t\t-9223372036854775787\t\n");
    tr_table_free(t);

    t = table(a, 2);
    tr_table_total(t, "total");
    ok(isnan(tr_table_number(t, 2, tr_table_find(t, "self"))), "a sum that does not fit");
    tr_table_free(t);
    const struct row c[] = { a[0], a[1], b[1] };
    t = table(c, 3);
    tr_table_total(t, "total");
    ok(isnan(tr_table_number(t, 3, tr_table_find(t, "self"))), "does not begin anew");
    tr_table_free(t);
}

static void percent(void)
{
    static const struct tr_table_column parts[] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name" },
        { "idle", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "time" },
        { "span", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "time" },
        { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "idle", .per = "span" },
    };
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    tr_table_arrange(t, &(struct tr_arrange){ .top = 1 }, NULL);
    tr_table_columns(t, parts, 4);
    for (int i = 0; i < 3; i++) {
        tr_table_string(t, "x");
        tr_table_time(t, i);
        tr_table_time(t, 4);
        tr_table_pct(t, i, 4);
    }
    prints(t, "name\tidle_ns\tspan_ns\tidle_pct\nx\t0\t4\t0.00\nothers\t3\t8\t37.50\n");
    tr_table_free(t);
}

static void refused(void)
{
    const struct tr_table_join how = { .main = "all" }, no_main = { .main = "sum" },
                               no_column = { .main = "all", .columns = "name,base_sum" };
    struct tr_table *t = tr_table_new(TR_UNIT_NS), *a = table(NULL, 0), *b = tr_table_new(TR_UNIT_NS);
    struct tr_error err = TR_ERROR_INIT;
    tr_table_columns(b, columns, N_COLUMNS - 1);
    ok(tr_table_join(a, b, &how, t, &err) == TR_USAGE && strstr(err.what, "different columns"), "unlike tables");
    ok(tr_table_join(a, a, &no_main, t, &err) == TR_USAGE && strstr(err.what, "'sum'"), "no main column");
    tr_table_join_columns(columns, N_COLUMNS, &no_column, t);
    ok(tr_table_status(t, &err) == TR_USAGE && strstr(err.what, "'base_sum'"), "no such column");
    tr_table_free(t);
    tr_table_free(a);
    tr_table_free(b);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "what becomes of each role", all_columns },
        { "differences without noise", no_noise },
        { "a total, order, rows that are hidden", total },
        { "totals of groups", totals },
        { "a total of nothing", nothing },
        { "what does not fit", too_large },
        { "ratios in percent", percent },
        { "what is refused", refused },
    };
    return tap_run(tests, sizeof tests / sizeof *tests);
}
