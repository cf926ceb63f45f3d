/* SPDX-License-Identifier: MIT */
/* What tr-diff rests on: conditions, short names, steps, sums. */
#include "analysis/compare/tr_diff.h"
#include "analysis/compare/tr_run_summary.h"
#include "analysis/compare/tr_run_summary_table.h"
#include "analysis/compare/tr_trend.h"
#include "analysis/time/tr_step_times.h"
#include "base/tr_mem.h"
#include "expr/tr_cond.h"
#include "expr/tr_expr.h"
#include "vendor/tr_short_name.h"

#include "harness/tap.h"

#include <math.h>
#include <stdarg.h>

/* What is wrong is said by the text. */
static void ok(bool good, const char *fmt, ...) TR_PRINTF(2, 3);
static void ok(bool good, const char *fmt, ...)
{
    va_list args;
    if (good)
        return;
    tap_failed = true;
    va_start(args, fmt);
    printf("# ");
    vprintf(fmt, args);
    printf("\n");
    va_end(args);
}

/* ---- conditions ---- */

enum { NAME, COUNT, TIME, PCT, N_VARS };
static const struct tr_cond_var vars[N_VARS] = { { "name", TR_COND_TEXT },
                                                 { "count", TR_COND_NUMBER },
                                                 { "diff_us", TR_COND_TIME },
                                                 { "step.diff_pct", TR_COND_PCT } };

static void holds(const char *text, bool want)
{
    struct tr_cond_value v[N_VARS] = {
        { .text = tr_str_of("gemm_a b") }, { .number = 3 }, { .number = 61500 }, { .number = 2.5 }
    };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_cond *c;
    enum tr_status st = tr_cond_compile(&c, text, vars, N_VARS, &err);
    ok(st == TR_OK && tr_cond_eval(c, v) == want, "%s: %s%s", text, want ? "true" : "false",
       err.what);
    tr_cond_free(c);
}

static void refused(const char *text, const char *place, const char *what)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_cond *c;
    enum tr_status st = tr_cond_compile(&c, text, vars, N_VARS, &err);
    ok(st == TR_USAGE && !c && strcmp(err.place, place) == 0 && strstr(err.what, what),
       "'%s' is refused at %s: %s (%s)", text, place, what, err.what);
    tr_cond_free(c);
}

static void conditions(void)
{
    holds("diff_us > 61.5us", false);
    holds("diff_us >= 61.5us", true);
    holds("diff_us == 61500ns && count != 4", true);
    holds("diff_us<0.0615ms", false);
    holds("diff_us > 0", true);
    holds("step.diff_pct > 2%", true);
    holds("step.diff_pct > +2", true);
    holds("step.diff_pct < -2%", false);
    holds("count <= 3 || diff_us > 1h", true);
    holds("count > 3 || diff_us > 1h && count == 3", false);
    holds("!(count > 3) && !count == 4", true);
    holds("name == 'gemm_a b'", true);
    holds("name != \"gemm_a b\"", false);
    holds("name =~ '^gemm' && name !~ attn", true);
    holds("((count == 3))", true);
    holds("count == 3e0 && count > -1 && count > +-1", true);
    holds("diff_us > 61.501us || diff_us < 61.499us", false);
    holds("diff_us in 61us..62us && count in (1, 3) && name in (x, 'gemm_a b')", true);
    holds("has(count) && true # and nothing else", true);
    holds("name == 5us.x-y_z || name == -1 || name == 7..8 || name == .", false);
    holds("name =~ ..m && name !~ 7.x", true);       /* a word is a text, whatever it looks like */
    holds("name =~ 'gem\\m' && name != 'a\\'b'", true); /* the expression reads \\m, and a shielded quote */
    holds("name =~ \"^gemm_a\\x20b\"", false);         /* no byte in hexadecimal here */

    refused("", "column 1", "the expression is empty");
    refused("diff_us > 50", "column 11", "needs a unit");
    refused("diff_us > 50%", "column 11", "diff_us is a time");
    refused("diff_us > 50kB", "column 11", "diff_us is a time");
    refused("count > 5us", "column 9", "count is a plain number");
    refused("count > 5%", "column 9", "count is a plain number");
    refused("dur > 5us", "column 1", "no column 'dur': there are name count");
    refused("step > 5%", "column 1", "no column 'step': there are step.diff_pct");
    refused("step_us.diff_pct > 5%", "column 1", "no column 'step_us.diff_pct': there are name count");
    refused("count", "column 6", "an operator");
    refused("count = 5", "column 7", "'==' compares");
    refused("count > x", "column 9", "count is a plain number");
    refused("step.diff_pct > 5us", "column 17", "a percentage");
    refused("count > 1.2.3", "column 12", "'.' has no meaning");
    refused("count =~ x", "column 10", "count is not a text");
    refused("name > x", "column 8", "name has no order");
    refused("name == ", "column 8", "not the end");
    refused("name == 'x", "column 9", "not closed");
    refused("name =~ '('", "column 9", "not a regular expression");
    refused("(count > 1", "column 11", "')' is expected");
    refused("count > 1)", "column 10", "'&&', '||' or the end");
    refused("count > 1 count > 1", "column 11", "'&&', '||' or the end");
    refused("count > 1 &&", "column 13", "a column");

    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf shown = { 0 };
    struct tr_cond *c;
    tr_cond_compile(&c, "count > 5us", vars, N_VARS, &err);
    ok(tr_expr_caret("count > 5us", &err, &shown) && tr_buf_add(&shown, "", 1) &&
           strcmp((char *)shown.data, "  count > 5us\n          ^\n") == 0,
       "the place is shown");
    tr_buf_free(&shown);

    char deep[600];
    memset(deep, '(', 500);
    strcpy(deep + 500, "count > 1");
    ok(tr_cond_compile(&c, deep, vars, N_VARS, &err) == TR_USAGE,
       "too many parentheses are refused");

    struct tr_cond_value none[N_VARS] = {
        { 0 }, { .number = NAN }, { .number = NAN }, { .number = INFINITY }
    };
    const struct {
        const char *text;
        bool want;
    } missing[] = { { "count > 0 || count <= 0 || count != 0", false },
                    { "!(count > 0)", true },
                    { "name == x || name != x || name !~ x", false },
                    { "step.diff_pct > 2%", true },
                    { "has(name) || has(count)", false },
                    { "!has(name) && has(step.diff_pct)", true } };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        tr_cond_compile(&c, missing[i].text, vars, N_VARS, &err);
        ok(tr_cond_eval(c, none) == missing[i].want, "missing values: %s", missing[i].text);
        tr_cond_free(c);
    }
    tr_cond_compile(&c, "name == x && count > 1 && name !~ y", vars, N_VARS, &err);
    ok(tr_cond_leaves(c) == 3 && tr_cond_leaf_var(c, 1) == COUNT && tr_cond_leaf_like(c, 0) &&
           !tr_cond_leaf_like(c, 2) && tr_cond_uses(c, NAME) && !tr_cond_uses(c, PCT) &&
           !tr_cond_uses(c, TIME),
       "what a condition is about");
    tr_cond_free(c);
}

/* ---- short names ---- */

static void brief(const char *name, const char *want)
{
    struct tr_buf out = { 0 };
    bool made = tr_short_name(name, strlen(name), &out) && tr_buf_add(&out, "", 1);
    ok(made && strcmp((char *)out.data, want) == 0, "%s: %s", name, made ? (char *)out.data : "");
    tr_buf_free(&out);
}

static void short_names(void)
{
    brief("aten::mm", "aten::mm");
    brief("", "");
    brief("void at::native::vectorized_elementwise_kernel<4, X<int> >(int, X<int>)",
          "at::native::vectorized_elementwise_kernel");
    brief("at::native::(anonymous namespace)::foo<int>()", "at::native::::foo");
    brief("Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Pinned)");
    brief("Memset (Device)", "Memset (Device)");
    brief("Memset (Unknown)", "Memset (Unknown)");
    brief("model.py(12): forward", "forward");
    brief("<built-in method run>", "<built-in method run>");
    brief("x.py(12): <genexpr>", "x.py(12): <genexpr>");
    brief("std::function<void (int)>::operator()(int) const", "std::function::operator()");
    brief("bool operator<<int>(X<int> const&)", "operator<<int>");
    brief("bool ns::operator<(A, B)", "ns::operator<");
    brief("ns::operator>>(A, B)", "ns::operator>>");
    brief("X::operator->()", "X::operator->");
    brief("my_operator(int)", "my_operator");
    brief("a > b(c", "b(c");
    brief(")))(((", ")))(((");
    brief("f(g<h(i>j)k", "fk");
    brief("auto f(int) -> int", "int");
    brief("f::operator(int)", "f::operator");
    brief("foo9operator<int>(a)", "foo9operator");
    /* names of unitrace */
    brief("main::{lambda(auto:1)#1}[SIMD32 {4096; 1; 1} {256; 1; 1}]", "main::{lambda#1}");
    brief("at::impl<int, float>::gemm[SIMD16 {56; 1; 1} {64; 8; 1}]", "at::impl::gemm");
    brief("Tile #1: void f<int>(X)[SIMD_ANY {1; 1; 1} {1; 1; 1}]", "f");
    brief("Tile #12: gemm[SIMD8 {1; 1; 1} {1; 1; 1}]", "gemm");
    brief("zeCommandListAppendMemoryCopy(M2D)[4096]", "zeCommandListAppendMemoryCopy(M2D)");
    brief("zeCommandListAppendMemoryCopy(D2M)[4096 bytes]", "zeCommandListAppendMemoryCopy(D2M)");
    brief("zeCommandListAppendMemoryFill[64]", "zeCommandListAppendMemoryFill");
    brief("at::gemm<int>(X) {56; 1; 1} {64; 8; 1}]", "at::gemm"); /* of unknown width */
    brief("table[64]", "table[64]");
    brief("f[SIMDx]", "f[SIMDx]");
    brief("[SIMD8]", "[SIMD8]");
    brief("f[x][SIMD8]", "f[x]");
    brief("Tile #1: ", "Tile #1: ");
    brief("Tile #1", "Tile #1");
    brief("fooZoperator<int>(a)", "fooZoperator");
    struct tr_buf cut = { 0 }; /* a name ends where its length says */
    ok(tr_short_name("f<x>->g", 5, &cut) && cut.len == 2 && memcmp(cut.data, "f-", 2) == 0, "a name that is cut");
    tr_buf_free(&cut);
}

/* ---- steps and sums ---- */

static void steps(void)
{
    struct tr_step_times a = { 0 }, b = { 0 }, none = { 0 };
    const int64_t base[] = { 10, 20, 30 }, test[] = { 21, 25 };
    for (int64_t i = 0; i < 3; i++)
        tr_step_times_add(&a, 0, 7 - i, base[i]);
    tr_step_times_add(&a, 0, 6, 5); /* another rank, which was faster */
    for (int64_t i = 0; i < 2; i++)
        tr_step_times_add(&b, 0, i, test[i]);
    ok(tr_step_times_seal(&a) && tr_step_times_seal(&b) && tr_step_times_seal(&none), "sealed");
    ok(a.n == 3 && a.steps[0].number == 5 && a.steps[0].dur == 30, "steps stand by number");
    ok(a.mean == 20 && a.p50 == 20 && a.std == 10 && b.p50 == 23, "mean, median, deviation");
    ok(none.n == 0 && isnan(none.mean) && isnan(none.std), "no steps, no mean");
    tr_step_times_free(&a);
    tr_step_times_free(&b);
    tr_step_times_free(&none);
}

static struct tr_diff_sums sums(int64_t first, int64_t second, int64_t self)
{
    struct tr_diff_sums s = { .dur = TR_STATS_INIT };
    tr_stats_add(&s.dur, first);
    tr_stats_add(&s.dur, second);
    s.self = tr_i128_of(self);
    return s;
}

/* Of two ranks the mean, and noise as of a sum over independent steps; what is not known has no figure. */
static void headline(void)
{
    struct tr_step_times t = { 0 };
    struct tr_run_summary h;
    struct tr_run_summary_figure f[TR_N_RUN_SUMMARY];
    tr_run_summary_init(&h);
    tr_step_times_seal(&t);
    tr_run_summary_figures(&h, &t, f);
    ok(isnan(f[TR_RUN_SUMMARY_STEP_TIME].value) && isnan(f[TR_RUN_SUMMARY_BUSY].value), "nothing is known of no ranks");
    h.n_ranks = 2;
    h.whole[TR_RUN_SUMMARY_BUSY] = 31;
    h.whole[TR_RUN_SUMMARY_IDLE] = TR_TIME_NONE;
    tr_stats_add(&h.steps[TR_RUN_SUMMARY_BUSY], 10);
    tr_stats_add(&h.steps[TR_RUN_SUMMARY_LAUNCHES], 3);
    tr_run_summary_figures(&h, &t, f);
    ok(f[TR_RUN_SUMMARY_BUSY].value == 15.5 && isnan(f[TR_RUN_SUMMARY_BUSY].variance), "one step has no noise");
    ok(isnan(f[TR_RUN_SUMMARY_IDLE].value) && f[TR_RUN_SUMMARY_COMPUTE].value == 0, "what does not fit is not known");
    tr_stats_add(&h.steps[TR_RUN_SUMMARY_BUSY], 14); /* variance 8 */
    tr_stats_add(&h.steps[TR_RUN_SUMMARY_LAUNCHES], 3);
    ok(tr_step_times_add(&t, 0, 1, 100) && tr_step_times_add(&t, 0, 2, 104) && tr_step_times_seal(&t), "steps");
    tr_run_summary_figures(&h, &t, f);
    ok(fabs(f[TR_RUN_SUMMARY_BUSY].variance - 2 * 8 / 4.0) < 1e-9 && f[TR_RUN_SUMMARY_LAUNCHES].variance == 0, "noise");
    ok(f[TR_RUN_SUMMARY_STEP_TIME].value == 102 && fabs(f[TR_RUN_SUMMARY_STEP_TIME].variance - 4) < 1e-9, "of steps, too");
    tr_step_times_free(&t);
}

/* Two runs side by side, and as rows. */
static void headline_compared(void)
{
    struct tr_run_summary_figure base = { 100, 9 }, test = { 110, 16 }, none = { NAN, NAN }, sure = { 0, 0 };
    struct tr_run_summary_difference d = tr_run_summary_compare(base, test);
    struct tr_table *t = tr_table_new(TR_UNIT_US);
    ok(d.base == 100 && d.test == 110 && d.diff == 10 && d.pct == 10 && d.sigma == 2, "difference, percent, sigma");
    d = tr_run_summary_compare(sure, sure);
    ok(d.diff == 0 && isnan(d.pct) && d.sigma == 0, "nothing differs: no percentage of nothing, sigma 0");
    ok(isinf(tr_run_summary_compare(sure, (struct tr_run_summary_figure){ 1, 0 }).sigma), "without noise any difference is beyond it");
    tr_table_columns(t, tr_run_summary_columns, TR_N_RUN_SUMMARY_COLUMNS);
    tr_run_summary_row(t, TR_RUN_SUMMARY_BUSY, tr_run_summary_compare(base, test));
    tr_run_summary_row(t, TR_RUN_SUMMARY_LAUNCHES, tr_run_summary_compare(none, test));
    ok(tr_str_is(tr_table_get(t, 0, 0), "busy_us") && tr_str_is(tr_table_get(t, 1, 0), "launches"),
       "a time has its unit in its name");
    ok(tr_table_number(t, 0, 5) == 2 && isnan(tr_table_number(t, 1, 3)), "what is not known is absent");
    tr_table_free(t);
}

/* What tr-diff makes of these sums. */
static void joined(struct tr_diff *d)
{
    static const char want[] = "a\thost\t2\t2\t24\t50\t0\t26\t-25\tsame\t108.33\t20\t-5\t12\t25\t11\t2.41\n"
                               "a\tdevice\t0\t2\t0\t24\t2\t24\t20\tadded\t\t0\t20\t\t12\t4\t6.00\n"
                               "b\\x00c\thost\t2\t2\t24\t24\t0\t0\t-1\tsame\t0.00\t20\t19\t12\t12\t6\t0.00\n"
                               "total\tdevice\t0\t2\t0\t20\t2\t20\t20\tadded\t\t0\t20\t\t\t\t\n"
                               "total\thost\t4\t4\t40\t14\t0\t-26\t-26\tsame\t-65.00\t40\t14\t\t\t\t\n";
    struct tr_table_column columns[TR_N_DIFF_COLUMNS];
    struct tr_table *t[3];
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf out = { 0 };
    size_t n_columns = tr_diff_columns(true, 0, columns);
    for (int i = 0; i < 3; i++)
        t[i] = tr_table_new(TR_UNIT_NS);
    for (int run = 0; run < 2; run++) {
        tr_table_columns(t[run], columns, n_columns);
        tr_diff_table(d, (enum tr_diff_run)run, t[run]);
    }
    tr_table_join_columns(columns, n_columns, tr_diff_join(0), t[2]);
    tr_table_order(t[2], tr_diff_order);
    ok(tr_table_join(t[0], t[1], tr_diff_join(0), t[2], &err) == TR_OK, "joined: %s", err.what);
    size_t noise = tr_table_find(t[2], "noise");
    ok(fabs(tr_table_number(t[2], 1, noise) - sqrt(2 * 8 + 2 * 50)) < 1e-9, "noise of a row, unrounded");
    tr_table_total(t[2], "total");
    ok(tr_table_write(t[2], &tr_row_sink_tsv, &out, &err) == TR_OK && tr_buf_add(&out, "", 1), "written");
    const char *rows = strchr((const char *)out.data, '\n');
    ok(rows && strcmp(rows + 1, want) == 0, "the largest difference first:\n%s", (const char *)out.data);
    tr_buf_free(&out);
    for (int i = 0; i < 3; i++)
        tr_table_free(t[i]);
}

static void rows(void)
{
    struct tr_diff *d = tr_diff_new(TR_DIFF_BY_NAME, 0, 0);
    struct tr_diff_sums a = sums(10, 14, 20), b = sums(20, 30, -5), c = sums(10, 14, 19);
    const struct tr_diff_row *r;
    struct tr_error err = TR_ERROR_INIT;
    size_t n;
    tr_diff_add(d, TR_DIFF_BASE, false, "a", 1, &a, &err);
    tr_diff_add(d, TR_DIFF_TEST, false, "a", 1, &b, &err);
    tr_diff_add(d, TR_DIFF_TEST, true, "a", 1, &a, &err);
    tr_diff_add(d, TR_DIFF_BASE, false, "b\0c", 3, &a, &err);
    tr_diff_add(d, TR_DIFF_TEST, false, "b\0c", 3, &c, &err);
    ok(tr_diff_rows(d, &r, &n, &err) == TR_OK && n == 3, "three rows");
    ok(!r[0].device && !r[1].device && r[1].len == 3 && r[2].device, "by side and name");
    ok(tr_diff_self(&r[0].sums[TR_DIFF_TEST]) == -5, "a sum below 0");
    joined(d);
    tr_diff_free(d);

    d = tr_diff_new(TR_DIFF_BY_NAME, 0, 100000);
    enum tr_status st = TR_OK;
    for (n = 0; n < 1000000 && st == TR_OK; n++) {
        char name[32];
        int len = snprintf(name, sizeof name, "name %zu", n);
        st = tr_diff_add(d, TR_DIFF_BASE, false, name, (size_t)len, &a, &err);
    }
    ok(st == TR_SYSTEM && n > 10 && n < 1000 && strstr(err.what, "-M"), "rows within bounds: %zu",
       n);
    tr_diff_free(d);
}

/* Runs, of which some start a new level: '|' before them. */
static void trend_of(const char *name, const double *values, const double *variances, size_t n, const char *changes)
{
    struct tr_run_summary_figure of[16];
    struct tr_trend_level levels[16];
    char found[17] = "";
    for (size_t i = 0; i < n; i++)
        of[i] = (struct tr_run_summary_figure){ values[i], variances ? variances[i] : NAN };
    ok(tr_trend_levels(of, n, levels), "%s: no memory", name);
    for (size_t i = 0; i < n; i++)
        found[i] = levels[i].changed ? '|' : '.';
    ok(strcmp(found, changes) == 0, "%s: %s, not %s", name, found, changes);
}

static void trend(void)
{
    static const double third[] = { 100, 101, 110, 111, 110 }, two[] = { 100, 100, 120, 120, 120, 90, 90 };
    static const double noisy[] = { 100, 110, 105, 111, 98 }, spike[] = { 100, 101, 150, 100, 101 };
    static const double small[] = { 100, 100, 100.9, 100.9 }, pair[] = { 100, 110 }, lost[] = { 100, 100, NAN, 120 };
    static const double sure[] = { 1, 1 }, unsure[] = { 25, 25 }, zero[] = { 0, 0, 0, 5, 5 };
    struct tr_run_summary_figure of[5];
    struct tr_trend_level l[5];
    trend_of("at the third", third, NULL, 5, "..|..");
    trend_of("up and down", two, NULL, 7, "..|..|.");
    trend_of("noise", noisy, NULL, 5, ".....");
    trend_of("one run unlike both neighbours", spike, NULL, 5, "..||.");
    trend_of("less than a hundredth", small, NULL, 4, "....");
    trend_of("two runs", pair, NULL, 2, "..");
    trend_of("two runs whose steps hardly vary", pair, sure, 2, ".|");
    trend_of("two runs whose steps vary", pair, unsure, 2, "..");
    trend_of("a run without the figure", lost, NULL, 4, "....");
    trend_of("from nothing", zero, NULL, 5, "...|.");
    for (size_t i = 0; i < 5; i++)
        of[i] = (struct tr_run_summary_figure){ third[i], NAN };
    ok(tr_trend_levels(of, 5, l), "no memory");
    /* the median of the differences 1, 9, 1, 1 is 1 */
    ok(l[0].mean == 100.5 && fabs(l[4].mean - 331.0 / 3) < 1e-9 && l[2].before == 100.5 &&
           fabs(l[2].sigma - (331.0 / 3 - 100.5) * 0.954 / sqrt(5.0 / 6)) < 1e-9,
       "levels and sigma: %g, %g, %g", l[0].mean, l[4].mean, l[2].sigma);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "conditions", conditions },
        { "short names", short_names },
        { "durations of steps", steps },
        { "rows of two runs", rows },
        { "the headline", headline },
        { "the headline of two runs", headline_compared },
        { "changes over several runs", trend },
    };
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
