/* SPDX-License-Identifier: MIT */
/* Collectives of one process group are much slower than those of the groups like it. */
#include "analysis/findings/tr_finding.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

static const struct tr_finding_limit limits[] = { { "share", 1, "%", "of the step that it takes longer" },
                                                  { "bandwidth", 80, "%", "of the median of groups of its size" },
                                                  { NULL } };

/* A group: what makes it like others, and how fast it is. */
struct group {
    double size, count;
    bool has_busbw;
    double speed; /* collectives of a second by its median duration: for groups that do the same, as a bandwidth */
    size_t row;
    double usual; /* the median speed of the groups like it; NaN: it is the only one */
};

static struct group group_of(const struct tr_table *t, size_t row)
{
    double busbw = tr_fact_number(t, row, "busbw_p50_GBps"), dur = tr_fact_number(t, row, "dur_p50");
    return (struct group){ .size = tr_fact_number(t, row, "group_size"),
                           .count = tr_fact_number(t, row, "count"),
                           .has_busbw = busbw > 0,
                           .speed = busbw > 0 ? busbw : dur > 0 ? 1e9 / dur : NAN,
                           .row = row,
                           .usual = NAN };
}

/* Groups that are like the same others stand together. */
static int by_likeness(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = tr_by_f64(&x->size, &y->size);
    order = order ? order : x->has_busbw - y->has_busbw;
    return order ? order : tr_by_f64(&x->count, &y->count);
}

static int by_row(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

#define AS_MANY 0.9 /* collectives: at the start of a trace, some may be cut on one rank */

/* Groups with as many ranks and about as many collectives. */
static bool alike(const struct group *a, const struct group *b)
{
    return a->size == b->size && fmin(a->count, b->count) >= AS_MANY * fmax(a->count, b->count) &&
           a->has_busbw == b->has_busbw;
}

/* The speeds of all groups like x, itself among them, in order; returns how many. */
static size_t speeds_like(const struct group *x, const struct group *groups, size_t n, double *v)
{
    size_t n_v = 0;
    for (size_t i = 0; i < n; i++)
        if (alike(&groups[i], x))
            v[n_v++] = groups[i].speed;
    qsort(v, n_v, sizeof *v, tr_by_f64);
    return n_v;
}

/* The median of sorted values without one of them; NaN: it is the only one. */
static double median_without(const double *v, size_t n, double own)
{
    size_t mid = n ? (n - 1) / 2 : 0;
    return n < 2 ? NAN : own <= v[mid] ? v[mid + 1] : v[mid];
}

/* No more than what compute does not hide can be saved. */
static double most_exposed(const struct tr_job *job)
{
    double max = 0;
    for (size_t i = 0; i < job->n_ranks; i++)
        max = fmax(max, job->ranks[i].of[TR_ACCOUNT_COMM]);
    return max;
}

static void look_at(struct tr_findings *f, const struct group *g)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_table *t = tr_finding_table(f, TR_FACT_GROUPS);
    double steps = job->numbered && job->n_steps ? (double)job->n_steps : 1;
    double longer = tr_fact_number(t, g->row, "dur_sum") / steps * (1 - g->speed / g->usual);
    double ns = fmin(longer, most_exposed(job));
    if (!(100 * g->speed < tr_finding_limit(f, 1) * g->usual) || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.3 * ns, ns);
    struct tr_str role = tr_fact_text(t, g->row, "role");
    tr_finding_say(f, x, "Process group ");
    tr_finding_say_name(f, x, tr_fact_text(t, g->row, "group"));
    if (role.len)
        tr_finding_say(f, x, " (%.*s)", (int)role.len, role.s);
    tr_finding_say(f, x, " of ranks ");
    tr_finding_say_name(f, x, tr_fact_text(t, g->row, "group_ranks"));
    tr_finding_say(f, x, " is %.1f times as slow as groups like it, which costs ", g->usual / g->speed);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_evidence(x, "busbw_GBps", tr_fact_number(t, g->row, "busbw_p50_GBps"));
    tr_finding_evidence(x, "dur_p50_us", tr_fact_number(t, g->row, "dur_p50") / 1e3);
    tr_finding_evidence(x, "times_slower", g->usual / g->speed);
    tr_finding_take_waits(f, ns);
}

/* Set what is usual for each; v has room for a value of each. */
static void compare(struct group *groups, size_t n, double *v)
{
    size_t n_v = 0;
    qsort(groups, n, sizeof *groups, by_likeness);
    for (size_t i = 0; i < n; i++) {
        if (!i || by_likeness(&groups[i - 1], &groups[i]))
            n_v = speeds_like(&groups[i], groups, n, v);
        groups[i].usual = median_without(v, n_v, groups[i].speed);
    }
    qsort(groups, n, sizeof *groups, by_row);
}

static void look(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_GROUPS);
    size_t rows = tr_fact_rows(t), n = 0;
    struct group *groups = malloc((rows + 1) * sizeof *groups);
    double *v = malloc((rows + 1) * sizeof *v);
    if (!groups || !v) {
        tr_finding_no_memory(f);
        rows = 0;
    }
    for (size_t row = 0; row < rows; row++) {
        groups[n] = group_of(t, row);
        n += groups[n].speed > 0;
    }
    if (n)
        compare(groups, n, v);
    for (size_t i = 0; i < n; i++)
        look_at(f, &groups[i]);
    free(groups);
    free(v);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_fact_rows(tr_finding_table(f, TR_FACT_GROUPS)) < 2
               ? "there are not two process groups whose collectives were matched"
               : NULL;
}

const struct tr_finding_kind tr_finding_slow_link = {
    .id = "slow_link",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether a process group is slower than those like it",
    .limits = limits,
    .commands = { "tr-comm --by group --columns all" },
    .lacks = lacks,
    .look = look,
};
