/* SPDX-License-Identifier: MIT */
/* tr-report: what to look at next, by simple rules for the results. */
#include "report.h"

#include "model/tr_begin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUCH_IDLE    10.0    /* percent of the span */
#define MUCH_EXPOSED 0.10    /* of the span */
#define SHORT_KERNEL 10000.0 /* ns */
#define MANY_KERNELS 100.0
#define MANY_STEPS   3u     /* numbers of slow steps that a line names */
#define SLOW_STEP    1.2  /* times the median */
#define OFTEN_LAST   50.0 /* percent of the collectives */

#define ANY_RANK     (-1.0)
#define MUCH_LONGER  0.01 /* of the span of a rank */

static bool matches(const struct tr_table *t, size_t row, double rank, const char *key, const char *text)
{
    return (rank == ANY_RANK || report_cell(t, row, "rank") == rank) &&
           (!key || tr_str_is(tr_table_get(t, row, tr_table_find(t, key)), text));
}

/* The sum of a column over the rows of a rank with a given text; key NULL: with any text. */
static double sum(const struct tr_table *t, double rank, const char *column, const char *key, const char *text)
{
    double all = 0;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double value = report_cell(t, row, column);
        if (!isnan(value) && matches(t, row, rank, key, text))
            all += value;
    }
    return all;
}

/* The row with the most in a column; SIZE_MAX: none has a value. */
static size_t largest(const struct tr_table *t, const char *column)
{
    size_t most = SIZE_MAX;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double value = report_cell(t, row, column);
        if (!isnan(value) && (most == SIZE_MAX || value > report_cell(t, most, column)))
            most = row;
    }
    return most;
}

/* A time with one decimal, as in "33.3 ms". */
static void time_text(double ns, char *text, size_t size)
{
    bool ms = ns >= 1e6;
    long long tenths = llround(ns / (ms ? 1e5 : 1e2));
    snprintf(text, size, "%lld.%lld %s", tenths / 10, tenths % 10, ms ? "ms" : "us");
}

/* ---- rules ---- */

/* A cause of idle time, and what shows more of it. */
struct cause {
    const char *name, *what, *command;
};

static const struct cause causes[] = {
    { "data_loading", "data loading: see which gaps are the longest", "tr-breakdown --by gap --top 10" },
    { "host_busy", "work of the host: see what it does", "tr-breakdown --by operator --sort host_self --top 10" },
    { "host_blocked", "a host that waits: see for what", "tr-breakdown --by gap --top 10" },
    { "collective_wait", "collectives of the host", "tr-breakdown --by gap --top 10" },
    { "launch_overhead", "launches: see which calls are slow", "tr-launch --columns all" },
    { "device_overhead", "short gaps between kernels: see which kernels are short",
      "tr-breakdown --by kernel --where 'dur < 10us'" },
    { "dependency", "work that waits for other work", "tr-breakdown --by gap --top 10" },
};

/* The cause of more than half of the idle time of a rank; NULL: there is none. */
static const struct cause *main_cause(const struct tr_table *idle, double rank)
{
    double all = sum(idle, rank, "idle", NULL, NULL);
    for (size_t i = 0; all > 0 && i < sizeof causes / sizeof *causes; i++)
        if (sum(idle, rank, "idle", "cause", causes[i].name) > all / 2)
            return &causes[i];
    return NULL;
}

static void on_idle(const struct report *r, struct report_page *page)
{
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN], *idle = r->tables[REPORT_IDLE];
    size_t worst = largest(t, "idle_pct");
    double pct = worst == SIZE_MAX ? 0 : report_cell(t, worst, "idle_pct"), rank;
    const struct cause *common, *own;
    char what[160], name[24];
    if (pct < MUCH_IDLE)
        return;
    if ((common = main_cause(idle, ANY_RANK))) {
        snprintf(what, sizeof what, "Most idle time is %s", common->what);
        report_advise(page, what, &(struct report_command){ .words = common->command });
    }
    rank = report_cell(t, worst, "rank");
    own = r->n_ranks > 1 && !isnan(rank) ? main_cause(idle, rank) : NULL;
    if (!own || own == common)
        return;
    snprintf(name, sizeof name, "%.0f", rank);
    snprintf(what, sizeof what, "Rank %s is idle %.0f %%, most of it %s", name, pct, own->what);
    report_advise(page, what, &(struct report_command){ .words = own->command, .rank = name });
}

/* A step may be idle before its first work, which does not count elsewhere on the page. */
static void on_chosen_steps(const struct report *r, struct report_page *page)
{
    static const struct report_command command = { .words = "tr-breakdown --by step", .no_where = true };
    const struct tr_table *t = r->chosen;
    size_t row = largest(t, "idle");
    char what[160], idle[32], dur[32], where[32] = "", why[64] = "";
    if (row == SIZE_MAX || report_cell(t, row, "idle") < MUCH_IDLE / 100 * report_cell(t, row, "time"))
        return;
    double rank = report_cell(t, row, "rank");
    struct tr_str cause = tr_table_get(t, row, tr_table_find(t, "cause"));
    time_text(report_cell(t, row, "idle"), idle, sizeof idle);
    time_text(report_cell(t, row, "time"), dur, sizeof dur);
    if (r->n_ranks > 1 && !isnan(rank))
        snprintf(where, sizeof where, " on rank %.0f", rank);
    if (cause.s && report_cell(t, row, "cause_idle") > report_cell(t, row, "idle") / 2)
        snprintf(why, sizeof why, ", most of it %.*s", (int)cause.len, cause.s);
    snprintf(what, sizeof what, "Step %.0f is idle %s of %s%s%s", report_cell(t, row, "step"), idle, dur, where, why);
    report_advise(page, what, &command);
}

static void on_communication(const struct report *r, struct report_page *page)
{
    static const struct report_command overlap = { .words = "tr-overlap" };
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN];
    double span = sum(t, ANY_RANK, "span", NULL, NULL), exposed = sum(t, ANY_RANK, "exposed_comm", NULL, NULL);
    if (span > 0 && exposed > MUCH_EXPOSED * span)
        report_advise(page, "More than 10 % of the time is communication without compute", &overlap);
}

static void on_kernels(const struct report *r, struct report_page *page)
{
    static const struct report_command shorter = { .words = "tr-breakdown --by kernel --where 'dur < 10us'" };
    const struct tr_table *t = r->tables[REPORT_KERNELS];
    double count = sum(t, ANY_RANK, "count", NULL, NULL), time = sum(t, ANY_RANK, "sum", NULL, NULL);
    if (count > MANY_KERNELS && time < SHORT_KERNEL * count)
        report_advise(page, "Kernels take less than 10 us in the mean: fuse them, or launch them as graphs", &shorter);
}

/* ---- what a rank that comes late does differently ---- */

static int by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* By how much a sum of a rank is above the median of all ranks.  False: out of memory. */
static bool above_median(const struct report *r, const struct tr_table *t, double rank, const char *column,
                         const char *key, const char *text, double *above)
{
    const struct tr_table *ranks = r->tables[REPORT_BREAKDOWN];
    size_t n = tr_table_rows(ranks);
    double *sums = malloc((n + 1) * sizeof *sums);
    if (!sums)
        return false;
    for (size_t i = 0; i < n; i++)
        sums[i] = sum(t, report_cell(ranks, i, "rank"), column, key, text);
    qsort(sums, n, sizeof *sums, by_size);
    *above = n ? sum(t, rank, column, key, text) - sums[(n - 1) / 2] : 0;
    free(sums);
    return true;
}

/* A rank that comes late may do something for much longer than the others. */
static void on_late_rank(const struct report *r, struct report_page *page, double rank)
{
    static const struct report_command by_cause = { .words = "tr-breakdown --by cause" },
                                       by_time = { .words = "tr-breakdown --by time" };
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN], *idle = r->tables[REPORT_IDLE];
    const char *cause = NULL;
    char what[160], text[32];
    double most = 0, above = 0, much = MUCH_LONGER * sum(t, rank, "span", NULL, NULL);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        page->failed |= !above_median(r, idle, rank, "idle", "cause", causes[i].name, &above);
        if (above > most) {
            most = above;
            cause = causes[i].name;
        }
    }
    page->failed |= !above_median(r, t, rank, "compute", NULL, NULL, &above);
    time_text(fmax(most, above), text, sizeof text);
    if (fmax(most, above) <= much)
        return;
    if (above > most)
        snprintf(what, sizeof what, "Rank %.0f comes late; it computes %s longer than the median", rank, text);
    else
        snprintf(what, sizeof what, "Rank %.0f comes late; it is idle %s longer than the median, for %s", rank, text,
                 cause);
    report_advise(page, what, above > most ? &by_time : &by_cause);
}

static void on_stragglers(const struct report *r, struct report_page *page)
{
    static const struct report_command command = { .words = "tr-comm --by straggler --columns all" };
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    const char *clocks = report_one_clock(r) ? ": the others wait for it" : ", by clocks that are not aligned";
    for (size_t row = 0, n = t && r->n_ranks > 1 ? tr_table_rows(t) : 0; row < n; row++) {
        double rank = report_cell(t, row, "rank");
        char what[100];
        if (!(report_cell(t, row, "pct") > OFTEN_LAST) || isnan(rank))
            continue;
        snprintf(what, sizeof what, "Rank %.0f comes last to most collectives%s", rank, clocks);
        report_advise(page, what, &command);
        on_late_rank(r, page, rank);
    }
}

static void on_steps(const struct report *r, struct report_page *page)
{
    const struct tr_step_times *s = &r->test.steps;
    static const struct report_command command = { .words = "tr-breakdown --by step", .no_where = true };
    char what[160], numbers[80] = "";
    size_t n = 0, len = 0;
    for (size_t i = 0; i < s->n; i++) {
        if ((double)s->steps[i].dur <= SLOW_STEP * s->p50)
            continue;
        if (n++ < MANY_STEPS)
            len += (size_t)snprintf(numbers + len, sizeof numbers - len, "%s%lld", n > 1 ? ", " : "",
                                    (long long)s->steps[i].number);
    }
    if (s->n < 2 || !n || !r->device || r->o->step)
        return;
    snprintf(what, sizeof what, "%zu of %zu steps take%s much longer than the median (%s%s): see what they wait for", n,
             s->n, n == 1 ? "s" : "", numbers, n > MANY_STEPS ? ", ..." : "");
    report_advise(page, what, &command);
}

static void on_trust(const struct report *r, struct report_page *page)
{
    static const struct report_command align = { .words = "tr-align --report", .no_select = true },
                                       info = { .words = "tr-info" };
    if (report_doubt(r))
        report_advise(page, "The inputs have problems: see which", &info);
    if (r->n_ranks > 1 && r->tables[REPORT_COMM] && tr_table_rows(r->tables[REPORT_COMM]) &&
        !report_one_clock(r))
        report_advise(page,
                      tr_bases_differ(r->in->dict, r->selected)
                          ? "Ranks are not compared, as only some have a time base: see whether they can be aligned"
                          : "Ranks are compared by clocks that are not aligned: see how far they are apart",
                      &align);
}

void report_next(const struct report *r, struct report_page *page)
{
    on_trust(r, page);
    on_idle(r, page);
    on_chosen_steps(r, page);
    on_communication(r, page);
    on_kernels(r, page);
    on_stragglers(r, page);
    on_steps(r, page);
}
