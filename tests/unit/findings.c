/* SPDX-License-Identifier: MIT */
/* The account of a job, which findings rest on: steady steps, waits, a rank that is slower than the others. */
#include "analysis/findings/tr_job.h"

#include "harness/tap.h"

#include <stdlib.h>

static const struct tr_table_column step_columns[] = {
    { .name = "rank", .type = TR_CELL_INT },          { .name = "step", .type = TR_CELL_INT },
    { .name = "time", .type = TR_CELL_TIME },         { .name = "dur", .type = TR_CELL_TIME },
    { .name = "lead", .type = TR_CELL_TIME },         { .name = "compute", .type = TR_CELL_TIME },
    { .name = "exposed_comm", .type = TR_CELL_TIME }, { .name = "data_loading", .type = TR_CELL_TIME },
    { .name = "drained", .type = TR_CELL_TIME },
};
static const struct tr_table_column kernel_columns[] = {
    { .name = "rank", .type = TR_CELL_INT },
    { .name = "kind", .type = TR_CELL_STRING },
    { .name = "name", .type = TR_CELL_STRING },
    { .name = "sum", .type = TR_CELL_TIME },
};

static struct tr_table *table(const struct tr_table_column *columns, size_t n)
{
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    if (!t)
        abort();
    tr_table_hold(t);
    tr_table_columns(t, columns, n);
    return t;
}

/* A step of a rank: its compute, exposed communication and loading of data make up its time. */
static void step(struct tr_table *t, int64_t rank, int64_t number, int64_t compute, int64_t comm, int64_t loading)
{
    const int64_t cells[] = { compute + comm + loading, 50, 0, compute, comm, loading, 0 };
    tr_table_int(t, rank);
    tr_table_int(t, number);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        tr_table_time(t, cells[i]);
}

static void kernel(struct tr_table *t, int64_t rank, const char *name, int64_t sum)
{
    tr_table_int(t, rank);
    tr_table_string(t, "compute");
    tr_table_string(t, name);
    tr_table_time(t, sum);
}

static double loading(const struct tr_job_part *p)
{
    return p->of[TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING];
}

static struct tr_job read_job(const struct tr_table *steps, const struct tr_table *kernels)
{
    struct tr_table *none = table(kernel_columns, 4);
    const struct tr_job_tables tables = { .steps = steps,
                                          .times = none,
                                          .idle = none,
                                          .inference = none,
                                          .comm = none,
                                          .collectives = none,
                                          .kernels = kernels };
    struct tr_job job;
    if (!tr_job_read(&job, &tables))
        abort();
    tr_table_free(none);
    return job;
}

/*
 * Rank 1 loads data for 30 in each step, and the others wait for it: 10 is the transfer.  The first step is left out.
 */
static void waits(void)
{
    struct tr_table *t = table(step_columns, 9), *none = table(kernel_columns, 4);
    for (int64_t n = 1; n <= 4; n++)
        for (int64_t rank = 0; rank < 3; rank++)
            step(t, rank, n, 100, rank == 1 ? 10 : 40, rank == 1 ? 30 : 0);
    struct tr_job job = read_job(t, none);
    double more;
    tr_job_find_straggler(&job, 2, 60);
    bool ok = job.n_ranks == 3 && job.n_steps == 4 && job.n_steady == 3 && job.warm == 0 && job.step == 140 &&
              job.transfer == 10 && job.ranks[0].wait == 30 && job.ranks[0].own == 110 && job.ranks[1].own == 140 &&
              job.straggler == 1 && tr_job_straggler_saving(&job, 1) == 30 &&
              tr_job_longer(&job, 1, &more) == TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING && more == 30 &&
              tr_job_saving(&job, loading, SIZE_MAX) == 30 && tr_job_saving(&job, loading, 1) == 0 && job.own == 110;
    tr_job_free(&job);
    tr_table_free(t);
    tr_table_free(none);
    CHECK(ok);
}

/* The rank that is last changes from step to step: none is a straggler. */
static void chance(void)
{
    struct tr_table *t = table(step_columns, 9), *none = table(kernel_columns, 4);
    for (int64_t n = 1; n <= 6; n++)
        for (int64_t rank = 0; rank < 2; rank++)
            step(t, rank, n, rank == n % 2 ? 120 : 100, rank == n % 2 ? 10 : 30, 0);
    struct tr_job job = read_job(t, none);
    tr_job_find_straggler(&job, 2, 50);
    bool ok = job.straggler == SIZE_MAX && job.transfer == 10 && job.compute == 110;
    tr_job_free(&job);
    tr_table_free(t);
    tr_table_free(none);
    CHECK(ok);
}

/* The first two steps take longer, the second one also on the host: they warm up. */
static void warm(void)
{
    struct tr_table *t = table(step_columns, 9), *none = table(kernel_columns, 4);
    const int64_t compute[] = { 200, 150, 100, 100, 100, 100 };
    for (int64_t n = 0; n < 6; n++)
        step(t, 0, n, compute[n], 0, 0);
    struct tr_job job = read_job(t, none);
    bool ok =
        job.warm == 2 && job.n_steady == 4 && job.step == 100 && !job.steps[1].steady && job.steps[0].relative == 2;
    tr_job_free(&job);
    tr_table_free(t);
    tr_table_free(none);
    CHECK(ok);
}

/* A slow device makes all kernels longer; more work only some. */
static void uneven(void)
{
    struct tr_table *t = table(step_columns, 9), *slow = table(kernel_columns, 4), *more = table(kernel_columns, 4);
    for (int64_t n = 1; n <= 4; n++)
        for (int64_t rank = 0; rank < 2; rank++)
            step(t, rank, n, rank ? 120 : 100, rank ? 0 : 20, 0);
    kernel(slow, 0, "a", 200), kernel(slow, 0, "b", 200), kernel(slow, 1, "a", 240), kernel(slow, 1, "b", 240);
    kernel(more, 0, "a", 200), kernel(more, 0, "b", 200), kernel(more, 1, "a", 280), kernel(more, 1, "b", 200);
    struct tr_job job = read_job(t, slow);
    bool ok = !tr_job_uneven(&job, 1, slow) && tr_job_uneven(&job, 1, more) &&
              tr_job_median(&job, offsetof(struct tr_job_rank, own)) == 100;
    tr_job_free(&job);
    tr_table_free(t);
    tr_table_free(slow);
    tr_table_free(more);
    CHECK(ok);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "the rank that waits for nobody shows what the transfer takes", waits },
        { "a rank that is last by chance is no straggler", chance },
        { "steps that warm up are left out", warm },
        { "more work is no slow device", uneven },
    };
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
