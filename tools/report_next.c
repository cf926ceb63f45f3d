/* SPDX-License-Identifier: MIT */
/* tr-report: what to look at next, by simple rules for the results. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MUCH_IDLE    10.0    /* percent of the span */
#define MUCH_EXPOSED 0.10    /* of the span */
#define SHORT_KERNEL 10000.0 /* ns */
#define MANY_KERNELS 100.0
#define MANY_STEPS   3u     /* numbers of slow steps that a line names */
#define SLOW_STEP    1.2  /* times the median */
#define OFTEN_LAST   50.0 /* percent of the collectives */

/* The sum of a column over all rows with a given text; text NULL: over all rows. */
static double sum(const struct tr_table *t, const char *column, const char *key, const char *text)
{
    double all = 0;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double value = report_cell(t, row, column);
        if (!isnan(value) && (!text || tr_str_is(tr_table_get(t, row, tr_table_find(t, key)), text)))
            all += value;
    }
    return all;
}

static double largest(const struct tr_table *t, const char *column)
{
    double most = 0;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++)
        most = fmax(most, report_cell(t, row, column));
    return most;
}

/* ---- rules ---- */

static void on_idle(const struct report *r, struct report_page *page)
{
    static const struct {
        const char *cause, *what;
        struct report_command command;
    } causes[] = {
        { "data_loading",
          "Most idle time is data loading: see which gaps are the longest",
          { .words = "tr-breakdown --by gap --top 10" } },
        { "host_busy",
          "Most idle time is work of the host: see what it does",
          { .words = "tr-breakdown --by operator --sort host_self --top 10" } },
        { "host_blocked",
          "Most idle time is a host that waits: see for what",
          { .words = "tr-breakdown --by gap --top 10" } },
        { "collective_wait",
          "Most idle time is collectives of the host",
          { .words = "tr-breakdown --by gap --top 10" } },
        { "launch_overhead",
          "Most idle time is launches: see which calls are slow",
          { .words = "tr-launch --columns all" } },
        { "device_overhead",
          "Most idle time is short gaps between kernels: see which kernels are short",
          { .words = "tr-breakdown --by kernel --shorter 10us" } },
        { "dependency",
          "Most idle time is work that waits for other work",
          { .words = "tr-breakdown --by gap --top 10" } },
    };
    const struct tr_table *idle = r->tables[REPORT_IDLE];
    double all = sum(idle, "idle", NULL, NULL);
    if (largest(r->tables[REPORT_BREAKDOWN], "idle_pct") < MUCH_IDLE)
        return;
    for (size_t i = 0; all > 0 && i < sizeof causes / sizeof *causes; i++)
        if (sum(idle, "idle", "cause", causes[i].cause) > all / 2)
            report_advise(page, causes[i].what, &causes[i].command);
}

static void on_communication(const struct report *r, struct report_page *page)
{
    static const struct report_command overlap = { .words = "tr-overlap" };
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN];
    double span = sum(t, "span", NULL, NULL), exposed = sum(t, "exposed_comm", NULL, NULL);
    if (span > 0 && exposed > MUCH_EXPOSED * span)
        report_advise(page, "More than 10 % of the time is communication without compute", &overlap);
}

static void on_kernels(const struct report *r, struct report_page *page)
{
    static const struct report_command shorter = { .words = "tr-breakdown --by kernel --shorter 10us" };
    const struct tr_table *t = r->tables[REPORT_KERNELS];
    double count = sum(t, "count", NULL, NULL), time = sum(t, "sum", NULL, NULL);
    if (count > MANY_KERNELS && time < SHORT_KERNEL * count)
        report_advise(page, "Kernels take less than 10 us in the mean: fuse them, or launch them as graphs", &shorter);
}

static void on_stragglers(const struct report *r, struct report_page *page)
{
    static const struct report_command command = { .words = "tr-comm --by straggler --columns all" };
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    bool aligned = tr_dict_aligned(r->in->dict);
    for (size_t row = 0, n = t && r->n_ranks > 1 ? tr_table_rows(t) : 0; row < n; row++) {
        double rank = report_cell(t, row, "rank");
        char what[100];
        if (!(report_cell(t, row, "pct") > OFTEN_LAST) || isnan(rank))
            continue;
        snprintf(what, sizeof what, "Rank %.0f comes last to most collectives%s", rank,
                 aligned ? ": the others wait for it" : ", by clocks that are not aligned");
        report_advise(page, what, &command);
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
        !tr_dict_aligned(r->in->dict))
        report_advise(page, "Ranks are compared by clocks that are not aligned: see how far they are apart", &align);
}

void report_next(const struct report *r, struct report_page *page)
{
    on_trust(r, page);
    on_idle(r, page);
    on_communication(r, page);
    on_kernels(r, page);
    on_stragglers(r, page);
    on_steps(r, page);
}
