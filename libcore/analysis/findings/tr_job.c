/* SPDX-License-Identifier: MIT */
/* The account of a usual step, of each rank and of all. */
#include "analysis/findings/tr_job.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP      1.2  /* times the median: the first steps above it are left out */
#define WARM_COMPUTE 1.05 /* the same for the compute of the first step: the start of a trace does not change it */

static const char *const columns[TR_N_ACCOUNTS] = {
    [TR_ACCOUNT_COMPUTE] = "compute",
    [TR_ACCOUNT_COMM] = "exposed_comm",
    [TR_ACCOUNT_MEMORY] = "exposed_memory",
    [TR_ACCOUNT_OTHER] = "other",
};

static double number_at(const struct tr_table *t, size_t row, size_t column)
{
    double value = column == SIZE_MAX ? NAN : tr_table_number(t, row, column);
    return isnan(value) ? 0 : value;
}

static double number(const struct tr_table *t, size_t row, const char *column)
{
    return number_at(t, row, tr_table_find(t, column));
}

static int64_t whole_at(const struct tr_table *t, size_t row, size_t column, int64_t none)
{
    double value = column == SIZE_MAX ? NAN : tr_table_number(t, row, column);
    return isnan(value) ? none : (int64_t)value;
}

static int64_t whole(const struct tr_table *t, size_t row, const char *column, int64_t none)
{
    return whole_at(t, row, tr_table_find(t, column), none);
}

/* ---- parts ---- */

/* The columns of a table of steps or times, looked up once. */
struct part_columns {
    size_t rank, capture, step, time, lead, dur, drained, span, of[TR_N_ACCOUNTS];
};

static struct part_columns part_columns_of(const struct tr_table *t)
{
    struct part_columns c = { .rank = tr_table_find(t, "rank"),       .capture = tr_table_find(t, "capture"),
                              .step = tr_table_find(t, "step"),       .time = tr_table_find(t, "time"),
                              .lead = tr_table_find(t, "lead"),       .dur = tr_table_find(t, "dur"),
                              .drained = tr_table_find(t, "drained"), .span = tr_table_find(t, "span") };
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++)
        c.of[k] = tr_table_find(t, k < TR_ACCOUNT_IDLE ? columns[k] : tr_idle_cause_name(k - TR_ACCOUNT_IDLE));
    return c;
}

static struct tr_job_part part_of_step(const struct tr_table *t, const struct part_columns *c, size_t row)
{
    struct tr_job_part p = { .rank = whole_at(t, row, c->rank, TR_I64_NONE),
                             .capture = whole_at(t, row, c->capture, 0),
                             .number = whole_at(t, row, c->step, 0),
                             .time = number_at(t, row, c->time) - number_at(t, row, c->lead),
                             .host = number_at(t, row, c->dur),
                             .drained = number_at(t, row, c->drained) };
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++)
        p.of[k] = number_at(t, row, c->of[k]);
    return p;
}

/* Without numbered steps: the whole trace of a rank.  Its idle time comes later, in add_causes. */
static struct tr_job_part part_of_trace(const struct tr_table *times, const struct part_columns *c, size_t row)
{
    struct tr_job_part p = { .rank = whole_at(times, row, c->rank, TR_I64_NONE),
                             .capture = whole_at(times, row, c->capture, 0),
                             .time = number_at(times, row, c->span) };
    for (unsigned k = 0; k < TR_ACCOUNT_IDLE; k++)
        p.of[k] = number_at(times, row, c->of[k]);
    return p;
}

TR_ORDER(by_step, struct tr_job_part, TR_UP(capture), TR_UP(number), TR_UP(rank))

/* Add the idle time of ranks by cause to their parts, which are sorted. */
static void add_causes(struct tr_job *job, const struct tr_table *idle)
{
    size_t cause = tr_table_find(idle, "cause"), ranks = tr_table_find(idle, "rank"), dur = tr_table_find(idle, "idle");
    size_t captures = tr_table_find(idle, "capture");
    for (size_t i = 0, n = job->n_parts ? tr_table_rows(idle) : 0; i < n; i++) {
        const struct tr_job_part key = { .rank = whole_at(idle, i, ranks, TR_I64_NONE),
                                         .capture = whole_at(idle, i, captures, 0) };
        struct tr_job_part *p = bsearch(&key, job->parts, job->n_parts, sizeof *job->parts, by_step);
        for (unsigned c = 0; p && c < TR_N_IDLE_CAUSES; c++)
            if (tr_str_is(tr_table_get(idle, i, cause), tr_idle_cause_name(c)))
                p->of[TR_ACCOUNT_IDLE + c] += number_at(idle, i, dur);
    }
}

static bool same_step(const struct tr_job_part *a, const struct tr_job_part *b)
{
    return a->capture == b->capture && a->number == b->number;
}

static bool read_parts(struct tr_job *job, const struct tr_job_tables *t)
{
    const struct tr_table *from = job->numbered ? t->steps : t->times;
    const struct part_columns c = part_columns_of(from);
    size_t n = tr_table_rows(from);
    job->parts = calloc(n + 1, sizeof *job->parts);
    for (size_t i = 0; job->parts && i < n; i++) {
        struct tr_job_part of = job->numbered ? part_of_step(from, &c, i) : part_of_trace(from, &c, i);
        if (of.time > 0)
            job->parts[job->n_parts++] = of;
    }
    if (job->n_parts)
        qsort(job->parts, job->n_parts, sizeof *job->parts, by_step);
    if (!job->numbered)
        add_causes(job, t->idle);
    return job->parts != NULL;
}

/* ---- ranks ---- */

TR_ORDER(by_rank, struct tr_job_rank, TR_UP(rank))

static bool find_ranks(struct tr_job *job)
{
    size_t n = 0;
    job->ranks = calloc(job->n_parts + 1, sizeof *job->ranks);
    if (!job->ranks)
        return false;
    for (size_t i = 0; i < job->n_parts; i++)
        job->ranks[i].rank = job->parts[i].rank;
    if (job->n_parts)
        qsort(job->ranks, job->n_parts, sizeof *job->ranks, by_rank);
    for (size_t i = 0; i < job->n_parts; i++)
        if (!n || job->ranks[i].rank != job->ranks[n - 1].rank)
            job->ranks[n++].rank = job->ranks[i].rank;
    job->n_ranks = n;
    return true;
}

static size_t place(const struct tr_job *job, int64_t rank)
{
    const struct tr_job_rank key = { .rank = rank }, *at;
    at = bsearch(&key, job->ranks, job->n_ranks, sizeof *job->ranks, by_rank);
    return (size_t)(at - job->ranks);
}

double tr_job_median(const struct tr_job *job, size_t offset)
{
    double *v = malloc((job->n_ranks + 1) * sizeof *v), median = 0;
    if (!v)
        return NAN;
    for (size_t i = 0; i < job->n_ranks; i++)
        v[i] = *(const double *)((const char *)&job->ranks[i] + offset);
    if (job->n_ranks) {
        qsort(v, job->n_ranks, sizeof *v, tr_by_f64);
        median = v[(job->n_ranks - 1) / 2];
    }
    free(v);
    return median;
}

/* ---- steps ---- */

/* The ranks of a step: p[0..n-1]. */
static struct tr_job_step read_step(const struct tr_job *job, struct tr_job_part *p, size_t n)
{
    struct tr_job_step s = { .number = p->number, .parts = p, .n = n, .transfer = INFINITY, .relative = 1 };
    for (size_t i = 0; i < n; i++)
        s.transfer = fmin(s.transfer, p[i].of[TR_ACCOUNT_COMM]);
    for (size_t i = 0; i < n; i++) {
        p[i].place = place(job, p[i].rank);
        p[i].wait = job->n_ranks > 1 && !job->pipeline ? p[i].of[TR_ACCOUNT_COMM] - s.transfer : 0;
        p[i].own = p[i].time - p[i].wait;
        if (p[i].own > s.own_max) {
            s.own_second = s.own_max;
            s.own_max = p[i].own;
            s.last = p[i].place;
        } else if (p[i].own > s.own_second) {
            s.own_second = p[i].own;
        }
        s.compute += p[i].of[TR_ACCOUNT_COMPUTE] / (double)n;
        s.time = fmax(s.time, p[i].time);
        s.host = fmax(s.host, p[i].host);
    }
    return s;
}

static bool read_steps(struct tr_job *job)
{
    job->steps = calloc(job->n_parts + 1, sizeof *job->steps);
    if (!job->steps)
        return false;
    for (size_t i = 0, end; i < job->n_parts; i = end) {
        for (end = i + 1; end < job->n_parts && same_step(&job->parts[i], &job->parts[end]); end++)
            ;
        job->steps[job->n_steps++] = read_step(job, &job->parts[i], end - i);
    }
    return true;
}

/* The median over steps of a phase of their times or compute. */
static double usual(const struct tr_job *job, double *room, unsigned phase, size_t offset)
{
    size_t n = 0;
    for (size_t i = 0; i < job->n_steps; i++)
        if (job->steps[i].phase == phase)
            room[n++] = *(const double *)((const char *)&job->steps[i] + offset);
    if (n)
        qsort(room, n, sizeof *room, tr_by_f64);
    return n ? room[(n - 1) / 2] : 0;
}

/* Prefill takes longer than decode, so steps of one phase are compared. */
static void find_phases(struct tr_job *job, const struct tr_table *inference)
{
    size_t at = tr_table_find(inference, "phase");
    for (size_t row = 0, n = tr_table_rows(inference); row < n; row++) {
        struct tr_str name = tr_table_get(inference, row, at);
        int64_t of = whole(inference, row, "step", -1);
        job->phases |= name.len > 0;
        for (size_t i = 0; i < job->n_steps; i++)
            if (job->steps[i].number == of)
                job->steps[i].phase = name.len ? (unsigned)(unsigned char)name.s[0] : 0;
    }
}

/* Which steps are steady, and the compute of each beside that of its phase. */
static bool find_steady(struct tr_job *job)
{
    double *room = malloc((job->n_steps + 1) * sizeof *room);
    size_t first = job->n_steps > 2 && !job->phases;
    if (!room)
        return false;
    for (size_t i = 0; i < job->n_steps; i++) {
        double compute = usual(job, room, job->steps[i].phase, offsetof(struct tr_job_step, compute));
        job->steps[i].relative = compute > 0 ? job->steps[i].compute / compute : 1;
    }
    double time = usual(job, room, 0, offsetof(struct tr_job_step, time));
    double host = usual(job, room, 0, offsetof(struct tr_job_step, host));
    free(room);
    while (first && first + 2 < job->n_steps && job->steps[first].time > WARM_UP * time)
        first++;
    job->warm = first > 1 || (first && (job->steps[0].host > WARM_UP * host || job->steps[0].relative > WARM_COMPUTE))
                    ? first
                    : 0;
    if (!(job->steps && job->steps[0].time > time))
        job->warm = 0;
    for (size_t i = first; i < job->n_steps; i++) {
        job->steps[i].steady = true;
        job->n_steady++;
        job->step += job->steps[i].time;
        job->transfer += job->steps[i].transfer;
        job->compute += job->steps[i].compute;
        job->ranks[job->steps[i].last].last++;
    }
    job->step = job->n_steady ? job->step / (double)job->n_steady : 0;
    job->compute = job->n_steady ? job->compute / (double)job->n_steady : 0;
    job->transfer = job->n_steady ? job->transfer / (double)job->n_steady : 0;
    return true;
}

static void add_part(struct tr_job_rank *r, const struct tr_job_part *p)
{
    r->n++;
    r->time += p->time;
    r->wait += p->wait;
    r->drained += p->drained;
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++)
        r->of[k] += p->of[k];
}

static void take_means(struct tr_job_rank *r)
{
    double n = r->n ? (double)r->n : 1;
    r->time /= n;
    r->wait /= n;
    r->drained /= n;
    r->own = r->time - r->wait;
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++)
        r->of[k] /= n;
}

static void sum_up(struct tr_job *job)
{
    for (size_t i = 0; i < job->n_steps; i++)
        for (size_t k = 0; job->steps[i].steady && k < job->steps[i].n; k++)
            add_part(&job->ranks[job->steps[i].parts[k].place], &job->steps[i].parts[k]);
    for (size_t i = 0; i < job->n_ranks; i++)
        take_means(&job->ranks[i]);
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++)
        job->median[k] = tr_job_median(job, offsetof(struct tr_job_rank, of) + k * sizeof(double));
    job->drained = tr_job_median(job, offsetof(struct tr_job_rank, drained));
    job->own = tr_job_median(job, offsetof(struct tr_job_rank, own));
}

/* Is most communication between two ranks? */
static bool is_pipeline(const struct tr_table *comm)
{
    double all = 0, two = 0;
    size_t name = tr_table_find(comm, "name");
    for (size_t row = 0, n = tr_table_rows(comm); row < n; row++) {
        double dur = number(comm, row, "dur_sum");
        struct tr_str of = tr_table_get(comm, row, name);
        all += dur;
        two += tr_str_is(of, "send") || tr_str_is(of, "recv") ? dur : 0;
    }
    return two > all / 2;
}

/*
 * The rank that comes last to a collective has its shortest duration, which is the transfer.  All beyond it is waiting.
 * Only collectives in which all ranks wait.
 */
static double waiting_part(const struct tr_table *collectives, const struct tr_table *kernels)
{
    double all = 0, transfer = 0;
    size_t kind = tr_table_find(kernels, "kind");
    for (size_t row = 0, n = tr_table_rows(kernels); row < n; row++)
        all += tr_str_is(tr_table_get(kernels, row, kind), "comm") ? number(kernels, row, "sum") : 0;
    for (size_t row = 0, n = tr_table_rows(collectives); row < n; row++)
        transfer += number(collectives, row, "dur_min") * number(collectives, row, "ranks");
    return all > 0 && transfer > 0 && transfer < all ? 1 - transfer / all : 0;
}

bool tr_job_read(struct tr_job *job, const struct tr_job_tables *t)
{
    *job = (struct tr_job){ .numbered = tr_table_rows(t->steps) > 0,
                            .pipeline = is_pipeline(t->comm),
                            .straggler = SIZE_MAX };
    if (!read_parts(job, t) || !find_ranks(job) || !read_steps(job))
        return false;
    find_phases(job, t->inference);
    if (!find_steady(job))
        return false;
    sum_up(job);
    job->waiting = job->n_ranks > 1 ? waiting_part(t->collectives, t->kernels) : 0;
    return true;
}

void tr_job_free(struct tr_job *job)
{
    free(job->parts);
    free(job->ranks);
    free(job->steps);
    *job = (struct tr_job){ .ranks = NULL };
}

double tr_job_saving(const struct tr_job *job, tr_job_time *time, size_t without)
{
    double sum = 0;
    for (size_t i = 0; i < job->n_steps; i++) {
        const struct tr_job_step *s = &job->steps[i];
        double with = 0, rest = 0;
        for (size_t k = 0; s->steady && k < s->n; k++) {
            const struct tr_job_part *p = &s->parts[k];
            if (p->place == without && s->n > 1)
                continue;
            with = fmax(with, p->own);
            rest = fmax(rest, p->own - time(p));
        }
        sum += with - rest;
    }
    return job->n_steady ? sum / (double)job->n_steady : 0;
}

/* ---- a rank that is slower than the others ---- */

double tr_job_straggler_saving(const struct tr_job *job, size_t at)
{
    double sum = 0;
    for (size_t i = 0; i < job->n_steps; i++)
        if (job->steps[i].steady && job->steps[i].last == at && job->steps[i].n > 1)
            sum += job->steps[i].own_max - job->steps[i].own_second;
    return job->n_steady ? sum / (double)job->n_steady : 0;
}

/*
 * Is a rank slower than the slowest of the others by more than chance?  Ranks with work of random size are now slower,
 * now faster: then the mean of the differences is small beside its standard error.
 */
#define BEYOND_CHANCE 4.0 /* standard errors */

static bool always_slower(const struct tr_job *job, size_t at)
{
    double n = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < job->n_steps; i++) {
        const struct tr_job_step *s = &job->steps[i];
        double own = 0, others = 0;
        for (size_t k = 0; s->steady && k < s->n; k++)
            if (s->parts[k].place == at)
                own = s->parts[k].own;
            else
                others = fmax(others, s->parts[k].own);
        if (own > 0 && others > 0) {
            n++;
            sum += own - others;
            squares += (own - others) * (own - others);
        }
    }
    double variance = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
    return n < 3 || sum / n > BEYOND_CHANCE * sqrt(fmax(variance, 0) / n);
}

void tr_job_find_straggler(struct tr_job *job, double share_pct, double steps_pct)
{
    job->straggler = SIZE_MAX;
    for (size_t i = 0; i < job->n_ranks && job->n_ranks > 1 && !job->pipeline; i++)
        if (100.0 * (double)job->ranks[i].last >= steps_pct * (double)job->n_steady &&
            100 * tr_job_straggler_saving(job, i) > share_pct * job->step && always_slower(job, i))
            job->straggler = i;
}

static double idle_of(const double of[TR_N_ACCOUNTS])
{
    double sum = 0;
    for (unsigned k = TR_ACCOUNT_IDLE; k < TR_N_ACCOUNTS; k++)
        sum += of[k];
    return sum;
}

/* If causes are unknown on some ranks, they may be the same: a cause differs by no more than all idle time. */
unsigned tr_job_longer(const struct tr_job *job, size_t at, double *ns)
{
    const double idle = idle_of(job->ranks[at].of) - idle_of(job->median);
    unsigned max = TR_ACCOUNT_COMPUTE;
    *ns = 0;
    for (unsigned k = 0; k < TR_N_ACCOUNTS; k++) {
        double more = job->ranks[at].of[k] - job->median[k];
        if (k >= TR_ACCOUNT_IDLE && more > idle)
            more = idle;
        if (k != TR_ACCOUNT_COMM && more > *ns) {
            *ns = more;
            max = k;
        }
    }
    return max;
}

/* ---- more work, or a slower device ---- */

#define SAME    0.25 /* of how much longer all compute is: a kernel that is not even so much longer stays the same */
#define SAME_OF 0.1  /* of the time in compute, if so much stays the same, the work is uneven */

/* Sums of one kernel on the ranks. */
struct kernel {
    struct tr_str name;
    int64_t rank;
    double sum;
};

TR_ORDER(by_name, struct kernel, tr_str_cmp(a->name, b->name), TR_UP(sum))

bool tr_job_uneven(const struct tr_job *job, size_t at, const struct tr_table *t)
{
    const size_t n_rows = tr_table_rows(t), kind = tr_table_find(t, "kind"), name = tr_table_find(t, "name");
    const double longer = job->ranks[at].of[TR_ACCOUNT_COMPUTE] / job->median[TR_ACCOUNT_COMPUTE] - 1;
    struct kernel *v = malloc((n_rows + 1) * sizeof *v);
    double all = 0, same = 0;
    size_t n = 0;
    for (size_t row = 0; v && row < n_rows; row++)
        if (tr_str_is(tr_table_get(t, row, kind), "compute"))
            v[n++] = (struct kernel){ tr_table_get(t, row, name), whole(t, row, "rank", TR_I64_NONE),
                                      number(t, row, "sum") };
    if (n)
        qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0, end; i < n; i = end) {
        double own = 0, median;
        for (end = i; end < n && tr_str_cmp(v[i].name, v[end].name) == 0; end++)
            own = v[end].rank == job->ranks[at].rank ? v[end].sum : own;
        median = v[i + (end - i - 1) / 2].sum;
        all += median;
        same += own < (1 + SAME * longer) * median ? median : 0;
    }
    free(v);
    return all > 0 && same > SAME_OF * all;
}
