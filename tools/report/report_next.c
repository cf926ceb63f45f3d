/* SPDX-License-Identifier: MIT */
/*
 * tr-report: what to look at next, by simple rules for the results.
 *
 * The table at the end has all rules; the limits of their conditions are here.  tr-report(1) says when a line is there.
 */
#include "report/report_next.h"

#include "model/selection/tr_job_start.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MUCH          0.10  /* of the time of a rank: idle, communication or copies alone */
#define LITTLE        0.01  /* of the time of a rank: less is not worth a line */
#define MUCH_MORE     0.10  /* of the time of a rank: it is idle for so much longer than the mean */
#define LATE          0.05  /* of the time of a rank: the others wait so long for one; less comes and goes by chance */
#define SHARE_SHOWN   1.0   /* percent of the idle time: smaller causes are not named */
#define MAX           0.5   /* of a sum */
#define MANY_KERNELS  100.0 /* short ones */
#define SINGLE_LAUNCH 1.5   /* kernels for each call: calls that launch more launch graphs */
#define ENOUGH_STEPS  3u    /* the median of fewer is no usual time */
#define MANY_STEPS    3u    /* slow steps that a line names */
#define SLOW_STEP     1.2   /* times the median */
#define TIME_TEXT     32u
#define NAME_SHOWN    40u /* bytes of a name */

/* ---- sums over tables ---- */

/* Whose rows: of a rank, or of one of its captures. */
struct who {
    double rank, capture; /* NaN: any */
};

static const struct who all_ranks = { NAN, NAN };

static struct who of_rank(double rank)
{
    return (struct who){ rank, NAN };
}

static bool matches(const struct tr_table *t, size_t row, struct who who, const char *key, const char *text)
{
    return (isnan(who.rank) || report_cell(t, row, "rank") == who.rank) &&
           (isnan(who.capture) || report_cell(t, row, "capture") == who.capture) &&
           (!key || tr_str_is(tr_table_get(t, row, tr_table_find(t, key)), text));
}

/* The sum of a column over the rows of a rank with a given text; key NULL: with any text. */
static double sum(const struct tr_table *t, struct who who, const char *column, const char *key, const char *text)
{
    double all = 0;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double value = report_cell(t, row, column);
        if (!isnan(value) && matches(t, row, who, key, text))
            all += value;
    }
    return all;
}

/* The row of a rank with the most in a column; SIZE_MAX: none has a value. */
static size_t largest(const struct tr_table *t, struct who who, const char *column, const char *key, const char *text)
{
    size_t max = SIZE_MAX;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double value = report_cell(t, row, column);
        if (!isnan(value) && matches(t, row, who, key, text) &&
            (max == SIZE_MAX || value > report_cell(t, max, column)))
            max = row;
    }
    return max;
}

/* The number of ranks, or of their captures, that have device work: lines have means over these. */
static double parts(const struct report *r)
{
    size_t n = 0, rows = r->tables[REPORT_BREAKDOWN] ? tr_table_rows(r->tables[REPORT_BREAKDOWN]) : 0;
    for (size_t row = 0; row < rows; row++)
        n += report_cell(r->tables[REPORT_BREAKDOWN], row, "span") > 0;
    return n ? (double)n : 1;
}

static double all_spans(const struct report *r)
{
    return sum(r->tables[REPORT_BREAKDOWN], all_ranks, "span", NULL, NULL);
}

static double pct(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* Go on with a sum over the ranks as a mean and a share, as in "20.9 ms per rank (17.6 %)". */
static void add_mean(struct report_lines *l, double ns, double whole)
{
    const struct report *r = l->r;
    const char *per = parts(r) < 2 ? "" : r->n_captures > 1 ? " per capture" : " per rank";
    char time[TIME_TEXT];
    report_more(l, "%s%s (%.1f %%)", report_time(ns / parts(r), time, sizeof time), per, pct(ns, whole));
}

/* Is this byte inside of a character of UTF-8? */
static bool inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Go on with a name, so much of it that people can read the sentence: its start, and its end. */
static void add_name(struct report_lines *l, struct tr_str name)
{
    size_t start = name.len, end = name.len;
    if (name.len > NAME_SHOWN) {
        start = NAME_SHOWN / 2;
        end = name.len - (NAME_SHOWN / 2 - 3);
    }
    while (start < end && start && inside_character(name.s[start]))
        start--;
    while (end < name.len && inside_character(name.s[end]))
        end++;
    report_more_text(l, (struct tr_str){ name.s, start });
    if (start < end)
        report_more(l, "...");
    report_more_text(l, (struct tr_str){ name.s + end, name.len - end });
}

/* ---- the inputs ---- */

static void on_inputs(struct report_lines *l)
{
    struct tr_buf first;
    size_t n;
    l->failed |= !report_problems(l->r, &n, &first);
    if (n == 1)
        report_line(l, REPORT_NO_SIZE, REPORT_ANY_RANK, "The inputs have a problem: ");
    else if (n)
        report_line(l, REPORT_NO_SIZE, REPORT_ANY_RANK, "The inputs have %zu problems, such as: ", n);
    if (n)
        report_more_text(l, (struct tr_str){ (const char *)first.data, first.len });
    tr_buf_free(&first);
}

/* Ranks that communicate are compared. */
static bool compared(const struct report *r)
{
    return r->n_ranks > 1 && r->tables[REPORT_COMM] && tr_table_rows(r->tables[REPORT_COMM]);
}

static void on_clocks(struct report_lines *l)
{
    char text[TIME_TEXT];
    double error = report_clock_error(l->r);
    if (!compared(l->r) || report_one_clock(l->r))
        return;
    if (tr_bases_differ(l->r->in->dict, l->r->selected))
        report_line(l, REPORT_NO_SIZE, REPORT_ANY_RANK,
                    "Ranks are not compared, as only some have a time base: see whether they can be aligned");
    else if (isnan(error))
        report_line(l, REPORT_NO_SIZE, REPORT_ANY_RANK,
                    "Clocks of the ranks are not aligned, and how far they are apart is not known");
    else
        report_line(l, REPORT_NO_SIZE, REPORT_ANY_RANK,
                    "Clocks of the ranks are not aligned: ranks end collectives %s apart; smaller lags are not named",
                    report_time(error, text, sizeof text));
}

/* Is the launch of any work known?  Else no operator can own it, which the line on the inputs says. */
static bool has_launches(const struct report *r)
{
    for (size_t i = 0; i < r->info->n_sources; i++)
        if (tr_select_source(r->selected, (uint32_t)i) && r->info->sources[i].coverage.work_launched)
            return true;
    return false;
}

/* The work belongs to no operator, so no table of operators shows it. */
static void on_operators(struct report_lines *l)
{
    const struct tr_table *t = l->r->tables[REPORT_OPERATORS];
    double all = sum(t, all_ranks, "device_self", NULL, NULL), none = 0;
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++)
        if (isnan(report_cell(t, row, "calls")) && report_cell(t, row, "device_self") > 0)
            none += report_cell(t, row, "device_self");
    if (all > 0 && none > MAX * all && has_launches(l->r)) {
        report_line(l, none / parts(l->r), REPORT_ANY_RANK, "Device work of no operator: ");
        add_mean(l, none, all);
    }
}

/* ---- idle time ---- */

/* As in the tables; known: what the name alone does not say. */
static const struct {
    const char *name, *known;
} causes[] = {
    { "data_loading", NULL },
    { "host_busy", NULL },
    { "host_blocked", NULL },
    { "collective_wait", NULL },
    { "launch_overhead", NULL },
    { "device_overhead", NULL },
    { "dependency", "work is launched, and the trace does not show what it waits for" },
    { "unknown", "the launch is not known" },
    { "edge", NULL },
};
#define N_CAUSES (sizeof causes / sizeof *causes)

struct cause {
    size_t i;
    double ns;
};

static int by_time(const void *x, const void *y)
{
    const struct cause *a = x, *b = y;
    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

/* All causes of the idle time of a rank, the largest first. */
static void sort_causes(const struct tr_table *idle, struct who who, struct cause *all)
{
    for (size_t i = 0; i < N_CAUSES; i++)
        all[i] = (struct cause){ i, sum(idle, who, "idle", "cause", causes[i].name) };
    qsort(all, N_CAUSES, sizeof *all, by_time);
}

/*
 * Go on with what the host did longest in most of the idle time with a cause, if that is one thing.  It need not take
 * all of that time: the host may do things that the trace does not show.
 */
static void add_during(struct report_lines *l, struct who who, const struct cause *c)
{
    const struct tr_table *t = l->r->during;
    size_t row = largest(t, who, "idle", "cause", causes[c->i].name);
    char time[TIME_TEXT];
    struct tr_str during = row == SIZE_MAX ? (struct tr_str){ 0 } : tr_table_get(t, row, tr_table_find(t, "during"));
    double ns = 0;
    if (!during.s || !during.len)
        return;
    for (size_t i = 0, n = tr_table_rows(t); i < n; i++) {
        struct tr_str other = tr_table_get(t, i, tr_table_find(t, "during"));
        if (matches(t, i, who, "cause", causes[c->i].name) && other.len == during.len &&
            memcmp(other.s, during.s, during.len) == 0)
            ns += report_cell(t, i, "idle");
    }
    if (ns <= MAX * c->ns)
        return;
    report_time(isnan(who.rank) ? ns / parts(l->r) : ns, time, sizeof time);
    report_more(l, "; longest on the host in %s of it: ", time);
    add_name(l, during);
}

/* Go on with the causes and their shares, and more of the first if it is most. */
static void add_causes(struct report_lines *l, struct who who)
{
    const struct tr_table *t = l->r->tables[REPORT_IDLE];
    struct cause all[N_CAUSES];
    double idle = sum(t, who, "idle", NULL, NULL);
    const char *between = "";
    sort_causes(t, who, all);
    for (size_t i = 0; i < N_CAUSES; i++) {
        const char *known = all[i].ns > MAX * idle ? causes[all[i].i].known : NULL;
        if (pct(all[i].ns, idle) < SHARE_SHOWN)
            continue;
        report_more(l, "%s%s %.1f %%", between, causes[all[i].i].name, pct(all[i].ns, idle));
        if (known)
            report_more(l, " (%s)", known);
        between = ", ";
    }
    if (all[0].ns > MAX * idle)
        add_during(l, who, &all[0]);
}

static void on_idle(struct report_lines *l)
{
    const struct report *r = l->r;
    double idle = sum(r->tables[REPORT_BREAKDOWN], all_ranks, "idle", NULL, NULL), spans = all_spans(r);
    if (idle <= MUCH * spans)
        return;
    report_line(l, idle / parts(r), REPORT_ANY_RANK, "Devices are idle ");
    add_mean(l, idle, spans);
    report_more(l, ": ");
    add_causes(l, all_ranks);
}

/* The rank that is idle longest, unless the line for all ranks says the same. */
static void on_idle_rank(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN];
    size_t worst = largest(t, all_ranks, "idle_pct", NULL, NULL);
    char time[TIME_TEXT];
    struct cause all[N_CAUSES], own[N_CAUSES];
    if (worst == SIZE_MAX || r->n_ranks < 2 || isnan(report_cell(t, worst, "rank")))
        return;
    struct who who = { report_cell(t, worst, "rank"), report_cell(t, worst, "capture") };
    double idle = report_cell(t, worst, "idle"), span = report_cell(t, worst, "span");
    double mean = sum(t, all_ranks, "idle", NULL, NULL) / all_spans(r);
    if (idle <= MUCH * span)
        return;
    sort_causes(r->tables[REPORT_IDLE], all_ranks, all);
    sort_causes(r->tables[REPORT_IDLE], who, own);
    if (mean > MUCH && idle <= (mean + MUCH_MORE) * span && all[0].i == own[0].i)
        return;
    report_line(l, idle, who.rank, "Rank %.0f", who.rank);
    if (r->n_captures > 1)
        report_more(l, ", capture %.0f,", who.capture);
    report_more(l, " is idle %s (%.1f %%): ", report_time(idle, time, sizeof time), pct(idle, span));
    add_causes(l, who);
}

/* One of several devices of a rank, which is idle for much longer than the rank as a whole. */
static void on_devices(struct report_lines *l)
{
    const struct tr_table *t = l->r->tables[REPORT_DEVICES], *ranks = l->r->tables[REPORT_BREAKDOWN];
    size_t worst = SIZE_MAX;
    double max = 0;
    char time[TIME_TEXT];
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        struct who who = { report_cell(t, row, "rank"), report_cell(t, row, "capture") };
        double more = report_cell(t, row, "idle") - sum(ranks, who, "idle", NULL, NULL);
        if (more > max && more > MUCH * report_cell(t, row, "span")) {
            max = more;
            worst = row;
        }
    }
    if (worst == SIZE_MAX)
        return;
    double idle = report_cell(t, worst, "idle"), rank = report_cell(t, worst, "rank");
    report_line(l, idle, isnan(rank) ? REPORT_ANY_RANK : rank, "Device %.0f", report_cell(t, worst, "device"));
    if (l->r->n_ranks > 1 && !isnan(rank))
        report_more(l, " of rank %.0f", rank);
    report_more(l, " is idle %s (%.1f %%)", report_time(idle, time, sizeof time),
                pct(idle, report_cell(t, worst, "span")));
}

/* A step may be idle before its first work, which does not count elsewhere on the page. */
static void on_chosen_steps(struct report_lines *l)
{
    const struct tr_table *t = l->r->chosen;
    size_t row = largest(t, all_ranks, "idle", NULL, NULL);
    char time[TIME_TEXT], dur[TIME_TEXT], part[TIME_TEXT];
    if (row == SIZE_MAX || report_cell(t, row, "idle") <= MUCH * report_cell(t, row, "time"))
        return;
    double rank = report_cell(t, row, "rank"), idle = report_cell(t, row, "idle");
    struct tr_str cause = tr_table_get(t, row, tr_table_find(t, "cause"));
    report_line(l, idle, isnan(rank) ? REPORT_ANY_RANK : rank, "Step %.0f is idle %s of %s (%.1f %%)",
                report_cell(t, row, "step"), report_time(idle, time, sizeof time),
                report_time(report_cell(t, row, "time"), dur, sizeof dur), pct(idle, report_cell(t, row, "time")));
    if (l->r->n_ranks > 1 && !isnan(rank))
        report_more(l, " on rank %.0f", rank);
    if (cause.s)
        report_more(l, ", %s of it for %.*s", report_time(report_cell(t, row, "cause_idle"), part, sizeof part),
                    (int)cause.len, cause.s);
}

/* ---- device work ---- */

/*
 * The share of the time in collectives that is waiting for the last rank to start; NaN: not known, as there is one
 * rank, or clocks are wrong by more than a small part of it.
 */
static double waiting(const struct report *r)
{
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    double time = sum(t, all_ranks, "dur", NULL, NULL), wait = sum(t, all_ranks, "wait", NULL, NULL);
    double wrong = report_clock_error(r) * sum(t, all_ranks, "collectives", NULL, NULL);
    if (r->n_ranks < 2 || !(time > 0) || !(report_one_clock(r) || wrong <= MUCH * wait))
        return NAN;
    return wait / time;
}

static double exposed_comm(const struct report *r)
{
    double exposed = sum(r->tables[REPORT_BREAKDOWN], all_ranks, "exposed_comm", NULL, NULL);
    return exposed > MUCH * all_spans(r) ? exposed : 0;
}

/* Without times of other ranks, it is not known whether a collective moves data or waits for a rank that is late. */
static void on_communication(struct report_lines *l)
{
    const struct report *r = l->r;
    double exposed = exposed_comm(r);
    if (!(exposed > 0) || !isnan(waiting(r)))
        return;
    report_line(l, exposed / parts(r), REPORT_ANY_RANK, "Communication runs alone for ");
    add_mean(l, exposed, all_spans(r));
    report_more(l, "; how much of it is waiting for other ranks is not known");
}

static void on_measured_communication(struct report_lines *l)
{
    const struct report *r = l->r;
    double exposed = exposed_comm(r), wait = waiting(r);
    if (!(exposed > 0) || isnan(wait))
        return;
    report_line(l, exposed / parts(r), REPORT_ANY_RANK, "Communication runs alone for ");
    add_mean(l, exposed, all_spans(r));
    if (wait > MAX)
        report_more(l, "; most time in collectives, %.1f %%, is waiting for the last rank, not for the network",
                    100 * wait);
    else
        report_more(l, "; of all time in collectives, %.1f %% is waiting for the last rank", 100 * wait);
}

static void on_memory(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *kernels = r->tables[REPORT_KERNELS];
    double alone = sum(r->tables[REPORT_BREAKDOWN], all_ranks, "exposed_memory", NULL, NULL);
    size_t row = largest(kernels, all_ranks, "sum", "kind", "memory");
    char time[TIME_TEXT];
    if (alone <= MUCH * all_spans(r) || row == SIZE_MAX)
        return;
    report_line(l, alone / parts(r), REPORT_ANY_RANK, "Copies and memsets run alone for ");
    add_mean(l, alone, all_spans(r));
    report_more(l, "; the longest are ");
    add_name(l, tr_table_get(kernels, row, tr_table_find(kernels, "name")));
    report_more(l, ", %s", report_time(report_cell(kernels, row, "sum"), time, sizeof time));
}

/* The share of work with known launches whose calls launch one kernel each: in graphs, a call launches many. */
static double launched_singly(const struct tr_table *t)
{
    double one = 0, all = sum(t, all_ranks, "launches", NULL, NULL);
    for (size_t row = 0, n = t ? tr_table_rows(t) : 0; row < n; row++) {
        double launches = report_cell(t, row, "launches");
        one += launches < SINGLE_LAUNCH * report_cell(t, row, "calls") ? launches : 0;
    }
    return all > 0 ? one / all : 0;
}

static void on_kernels(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *idle = r->tables[REPORT_IDLE];
    double count = sum(r->tables[REPORT_SHORT], all_ranks, "count", NULL, NULL);
    double all = sum(r->tables[REPORT_KERNELS], all_ranks, "count", NULL, NULL);
    double lost = sum(idle, all_ranks, "idle", "cause", "launch_overhead") +
                  sum(idle, all_ranks, "idle", "cause", "device_overhead");
    if (count <= MANY_KERNELS || count <= MAX * all || launched_singly(r->tables[REPORT_LAUNCHES]) <= MAX ||
        lost <= LITTLE * all_spans(r))
        return;
    report_line(l, lost / parts(r), REPORT_ANY_RANK, "Launch calls and short waits after them leave devices idle for ");
    add_mean(l, lost, all_spans(r));
    report_more(l, ", with %.0f kernels and copies shorter than 10 us: fuse them, or launch graphs", count);
}

/* ---- ranks that come late ---- */

static int by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* By how much a sum of a rank is above the median of all ranks; with two ranks, above that of the other. */
static double above_median(struct report_lines *l, const struct tr_table *t, double rank, const char *column,
                           const char *key, const char *text)
{
    const struct tr_table *ranks = l->r->tables[REPORT_BREAKDOWN];
    size_t n = tr_table_rows(ranks);
    double *sums = malloc((n + 1) * sizeof *sums), above = 0;
    l->failed |= !sums;
    for (size_t i = 0; sums && i < n; i++)
        sums[i] = sum(t, of_rank(report_cell(ranks, i, "rank")), column, key, text);
    if (sums && n) {
        qsort(sums, n, sizeof *sums, by_size);
        above = sum(t, of_rank(rank), column, key, text) - sums[(n - 1) / 2];
    }
    free(sums);
    return above;
}

/*
 * How long each other rank waits for this one in the mean, as far as it exceeds the time that this one waits for
 * others, and that by which clocks may be wrong: of two ranks, one always comes last.
 */
static double lateness(const struct report *r, size_t row)
{
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    double error = report_clock_error(r), waits = report_cell(t, row, "wait");
    return report_cell(t, row, "wait_caused") / (double)(r->n_ranks - 1) - (isnan(waits) ? 0 : waits) -
           (isnan(error) ? 0 : error) * report_cell(t, row, "last_arrivals");
}

/* Is this row of the stragglers a rank that is so late that it costs time? */
static bool comes_late(const struct report *r, size_t row)
{
    return lateness(r, row) > LATE * all_spans(r) / parts(r) &&
           !isnan(report_cell(r->tables[REPORT_STRAGGLERS], row, "rank"));
}

static size_t n_stragglers(const struct report *r)
{
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    return t && r->n_ranks > 1 && (report_one_clock(r) || !isnan(report_clock_error(r))) ? tr_table_rows(t) : 0;
}

static void on_stragglers(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *t = r->tables[REPORT_STRAGGLERS];
    for (size_t row = 0, n = n_stragglers(r); row < n; row++) {
        double rank = report_cell(t, row, "rank");
        double size = report_cell(t, row, "wait_caused") / (double)(r->n_ranks - 1);
        char time[TIME_TEXT];
        if (comes_late(r, row))
            report_line(l, size, rank,
                        "Rank %.0f comes last to %.0f of %.0f matched collectives: %s %s for it (%.1f %%)", rank,
                        report_cell(t, row, "last_arrivals"), report_cell(t, row, "collectives"),
                        r->n_ranks > 2 ? "each other rank waits" : "the other waits",
                        report_time(size, time, sizeof time), pct(size, all_spans(r) / parts(r)));
    }
}

/* What a rank that comes late does for longer than the others: it is idle. */
static void on_late_idle(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *idle = r->tables[REPORT_IDLE];
    for (size_t row = 0, n = n_stragglers(r); row < n; row++) {
        double rank = report_cell(r->tables[REPORT_STRAGGLERS], row, "rank"), span, max = 0;
        char time[TIME_TEXT];
        const char *cause = NULL; /* of most of it */
        if (!comes_late(r, row))
            continue;
        span = sum(r->tables[REPORT_BREAKDOWN], of_rank(rank), "span", NULL, NULL);
        double above = above_median(l, r->tables[REPORT_BREAKDOWN], rank, "idle", NULL, NULL);
        /* Where the cause is not known on any rank, it may be the same one. */
        bool known = sum(idle, all_ranks, "idle", "cause", "unknown") <= MUCH * above;
        for (size_t i = 0; i < N_CAUSES && known; i++) {
            double more = above_median(l, idle, rank, "idle", "cause", causes[i].name);
            if (more > max && more > MAX * above)
                cause = causes[i].name;
            max = fmax(more, max);
        }
        if (above <= LITTLE * span)
            continue;
        report_line(l, above, rank, "Rank %.0f comes late: it is idle %s longer than the %s (%.1f %%)", rank,
                    report_time(above, time, sizeof time), r->n_ranks > 2 ? "median rank" : "other", pct(above, span));
        if (cause)
            report_more(l, ", most of it %s", cause);
    }
}

/* The same: it computes. */
static void on_late_compute(struct report_lines *l)
{
    const struct report *r = l->r;
    for (size_t row = 0, n = n_stragglers(r); row < n; row++) {
        double rank = report_cell(r->tables[REPORT_STRAGGLERS], row, "rank");
        char time[TIME_TEXT];
        if (!comes_late(r, row))
            continue;
        double above = above_median(l, r->tables[REPORT_BREAKDOWN], rank, "compute", NULL, NULL);
        double span = sum(r->tables[REPORT_BREAKDOWN], of_rank(rank), "span", NULL, NULL);
        if (above > LITTLE * span)
            report_line(l, above, rank, "Rank %.0f comes late: it computes %s longer than the %s (%.1f %%)", rank,
                        report_time(above, time, sizeof time), r->n_ranks > 2 ? "median rank" : "other",
                        pct(above, span));
    }
}

/* ---- steps ---- */

static bool is_slow(const struct tr_step_times *s, size_t i)
{
    return (double)s->steps[i].dur > SLOW_STEP * s->p50;
}

static void on_steps(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_step_times *s = &r->test.steps;
    char usual[TIME_TEXT], longer[TIME_TEXT], time[TIME_TEXT];
    double more = 0, all = 0;
    size_t n = 0, named = 0;
    for (size_t i = 0; i < s->n; i++) {
        all += (double)s->steps[i].dur;
        if (!is_slow(s, i))
            continue;
        more += (double)s->steps[i].dur - s->p50;
        n++;
    }
    if (s->n < ENOUGH_STEPS || !n || !r->device || r->o->step || more <= LITTLE * all)
        return;
    report_line(l, more, REPORT_ANY_RANK, "%zu of %zu steps take%s %s longer%s (%.1f %%) than the median of %s: ", n,
                s->n, n == 1 ? "s" : "", report_time(more, longer, sizeof longer), n > 1 ? " together" : "",
                pct(more, all), report_time(s->p50, usual, sizeof usual));
    for (size_t i = 0; i < s->n && named < MANY_STEPS; i++)
        if (is_slow(s, i))
            report_more(l, "%sstep %" PRId64 " %s", named++ ? ", " : "", s->steps[i].number,
                        report_time((double)s->steps[i].dur, time, sizeof time));
    if (n > MANY_STEPS)
        report_more(l, ", ...");
}

/* Before the first device work and after the last one, devices are idle, too, but no other line counts it. */
static void on_time_without_work(struct report_lines *l)
{
    const struct report *r = l->r;
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN];
    size_t longest = largest(t, all_ranks, "span", NULL, NULL);
    double all = 0;
    char time[TIME_TEXT], beyond[TIME_TEXT];
    for (size_t i = 0; i < r->test.steps.n; i++)
        all += (double)r->test.steps.steps[i].dur;
    double max = longest == SIZE_MAX ? 0 : report_cell(t, longest, "span");
    if (!r->device || r->o->step || r->o->time || all - max <= MUCH * all)
        return;
    report_line(l, all - max, REPORT_ANY_RANK,
                "No device works in %s (%.1f %%) of the %s of steps: it is before the first work or after the last",
                report_time(all - max, beyond, sizeof beyond), pct(all - max, all),
                report_time(all, time, sizeof time));
}

/* ---- all rules ---- */

#define BY_TIME                           \
    {                                     \
        .words = "tr-breakdown --by time" \
    }
#define BY_TIME_ALL                                     \
    {                                                   \
        .words = "tr-breakdown --by time --columns all" \
    }
#define BY_STRAGGLER                                    \
    {                                                   \
        .words = "tr-comm --by straggler --columns all" \
    }

/*
 * What a rule needs beyond its condition, so that its line is withheld:
 *
 *   operators       a launch is known, or no operator can own its work, which the line on the inputs says
 *   idle of a rank  the line for all ranks does not say the same already
 *   communication   one of both: times of other ranks say how much is waiting, or do not
 *   short kernels   they are launched one by one, and time is lost between them: not if they are launched as graphs
 *   late ranks      clocks compare; the wait exceeds that by which clocks are wrong, and the time that the rank itself
 *                   waits, by enough that it is hardly by chance: of two ranks, one is always last
 *   steps           a median that is usual, and no selection of steps
 */
const struct report_rule report_rules[] = {
    { 0, { { .words = "tr-info" } }, on_inputs },
    { 0,
      { { .words = "tr-align --report", .no_select = true }, { .words = "tr-comm --by group --columns all" } },
      on_clocks },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK, { { .words = "tr-breakdown --by operator" } }, on_operators },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK, { { .words = "tr-breakdown --by idle" }, BY_TIME }, on_idle },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK,
      { { .words = "tr-breakdown --by idle", .of_rank = true },
        { .words = "tr-breakdown --by time", .of_rank = true } },
      on_idle_rank },
    { REPORT_ON_WORK, { { .words = "tr-breakdown --by time --per device" } }, on_devices },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK,
      { { .words = "tr-breakdown --by step", .no_where = true } },
      on_chosen_steps },
    { REPORT_ON_WORK, { { .words = "tr-overlap" }, BY_TIME }, on_communication },
    { REPORT_ON_WORK | REPORT_ON_CLOCKS, { BY_TIME, BY_STRAGGLER }, on_measured_communication },
    { REPORT_ON_WORK,
      { BY_TIME_ALL, { .words = "tr-breakdown --by kernel --where 'kind == \"memory\"'" } },
      on_memory },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK,
      { { .words = "tr-breakdown --by kernel --where 'dur < 10us'" }, { .words = "tr-breakdown --by cause" } },
      on_kernels },
    { REPORT_ON_WORK | REPORT_ON_CLOCKS, { BY_STRAGGLER }, on_stragglers },
    { REPORT_ON_WORK, { BY_TIME, { .words = "tr-breakdown --by cause" } }, on_late_idle },
    { REPORT_ON_WORK, { BY_TIME }, on_late_compute },
    { REPORT_ON_LAUNCHES | REPORT_ON_WORK,
      { { .words = "tr-breakdown --by step --per all", .no_where = true } },
      on_steps },
    { REPORT_ON_WORK,
      { { .words = "tr-breakdown --by step --per all", .no_where = true }, BY_TIME },
      on_time_without_work },
};
const size_t report_n_rules = sizeof report_rules / sizeof *report_rules;
