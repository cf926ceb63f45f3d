/* SPDX-License-Identifier: MIT */
/* How long did the calls that launch a kernel take, how long did it wait after them, and how long did it run? */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_launches.h"
#include "engine/tr_rows.h"

/* Kernels of one name that calls of one name launched. */
struct launched {
    uint32_t group, api, name;
    uint64_t launches, negative;            /* all of them; those that start before their call */
    struct tr_sample total, cpu, queue, gpu; /* of the others that have the value; queue: only what waited */
};

struct state {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_pairs pairs;
};

#define FIGURES(figure, count, says)                                                                                 \
    { #figure "_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct launched, figure), .per = (count),                   \
      .meaning = "mean " says },                                                                                     \
    { #figure "_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct launched, figure), .percent = 50, .extra = true,  \
      .meaning = "median of the same" },                                                                             \
    { #figure "_min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct launched, figure), .extra = true,                      \
      .meaning = "smallest of the same" },                                                                           \
    { #figure "_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct launched, figure), .extra = true,                      \
      .meaning = "largest of the same" },                                                                            \
    { #figure "_std", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct launched, figure), .extra = true,                 \
      .meaning = "standard deviation of the same, of the sample" }

static const struct tr_table_column columns[] = {
    { "api", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct launched, api), .meaning = "the call" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct launched, name), .names = true, .meaning = "the kernel" },
    { "launches", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct launched, launches), .meaning = "number of such kernels" },
    { "queued", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct launched, queue),
      .meaning = "those that started after their call had ended" },
    { "total", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct launched, total), .extra = true,
      .meaning = "sum of the times from the start of the call to the later of both ends" },
    FIGURES(total, "launches", "time from the start of the call to the later of both ends"),
    FIGURES(cpu, "launches", "duration of the call"),
    FIGURES(queue, "queued", "time from the end of the call to the start of the kernel, of those that are queued"),
    FIGURES(gpu, "launches", "duration of the kernel"),
    { "negative", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct launched, negative), .quiet = TR_QUIET_0,
      .meaning = "kernels that start before their call; left out of times" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct launched, total), .quiet = TR_QUIET_0,
      .meaning = "1: medians are approximate, to 2^-11 of their value" },
};

static const struct tr_row_type type = {
    .name = "launched",
    .size = sizeof(struct launched),
    .key_size = offsetof(struct launched, name) + sizeof(uint32_t),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "total,api,name",
    .distinct = (size_t)1 << 20,
};

static void release(void *state)
{
    struct state *s = state;
    tr_rows_free(s->rows);
    tr_pairs_free(&s->pairs);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct state *s = state;
    (void)options;
    if (!(s->rows = tr_rows_new(&type, in, &s->pairs.streams.groups, false)))
        return tr_fail_memory(err);
    return tr_pairs_init(&s->pairs, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static bool add_known(struct tr_sample *x, int64_t value)
{
    return value == TR_TIME_NONE || tr_sample_add(x, value);
}

static bool add(struct state *s, const struct tr_batch *b, const struct tr_launch_pair *p)
{
    const struct launched key = { .group = p->group, .api = p->api, .name = b->name[p->event] };
    struct launched *x = tr_rows_at(s->rows, &key);
    if (!x)
        return false;
    x->launches++;
    if (p->negative) {
        x->negative++;
        return true;
    }
    int64_t since = tr_time_diff(b->ts[p->event], s->pairs.launch_ts[p->event]), total = TR_TIME_NONE;
    if (p->cpu != TR_TIME_NONE && p->gpu != TR_TIME_NONE && since != TR_TIME_NONE) {
        total = tr_time_sum(since, p->gpu);
        total = total < p->cpu ? p->cpu : total;
    }
    return add_known(&x->total, total) && add_known(&x->cpu, p->cpu) && add_known(&x->gpu, p->gpu) &&
           (p->queue == 0 || add_known(&x->queue, p->queue));
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct state *s = state;
    (void)t;
    enum tr_status st = tr_pairs_batch(&s->pairs, b, keep, err);
    bool ok = true;
    for (size_t i = 0; st == TR_OK && ok && i < s->pairs.n; i++)
        if (b->activity[s->pairs.pairs[i].event] == TR_ACT_KERNEL)
            ok = add(s, b, &s->pairs.pairs[i]);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

const struct tr_analysis tr_analysis_launch_kernel = {
    .name = "launch-kernel",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "name", .y = { "cpu_mean", "queue_mean", "gpu_mean" },
                                       .facet = "rank" },
    .question = "How long did the launches of each kernel take, how long did it wait, and how long did it run?",
    .nothing = "no kernel whose launch is known is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME),
                         .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_NAME,
                         .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct state),
    .start = start,
    .feed = feed,
    .free = release,
    .saving = &(const struct tr_saving){ .version = 1, TR_SAVED_ROWS(type) },
};
