/* SPDX-License-Identifier: MIT */
/* How long did kernels of each grid and block run, and for how long was their stream free before them? */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/time/tr_queue_ends.h"
#include "engine/tr_rows.h"
#include "stream/tr_args.h"

#include <stdlib.h>

/* Kernels of one grid and block: numbers of strings, TR_NO_STR: absent. */
struct shape {
    uint32_t group, grid, block;
    struct tr_stats gpu;
    uint64_t gaps; /* kernels before which the stream was free */
    int64_t gap;   /* ns, in sum */
};

struct shapes {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_queue_ends streams;
    struct tr_arg grid, block;
};

static const struct tr_table_column columns[] = {
    { "grid", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shape, grid),
      .meaning = "blocks of the kernel, as in the trace" },
    { "block", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shape, block),
      .meaning = "threads of a block, as in the trace" },
    { "launches", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct shape, gpu), .meaning = "number of such kernels" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shape, gpu), .meaning = "sum of their durations" },
    { "gaps", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct shape, gaps),
      .meaning = "number of those before which the stream had been free" },
    { "gap", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shape, gap),
      .meaning = "for how long in sum, since the earlier work of the stream ended" },
};

static const struct tr_row_type type = {
    .name = "shapes",
    .size = sizeof(struct shape),
    .key_size = offsetof(struct shape, block) + sizeof(uint32_t),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "gpu,grid,block",
};

static void release(void *state)
{
    struct shapes *s = state;
    tr_rows_free(s->rows);
    tr_queue_ends_free(&s->streams);
    tr_arg_free(&s->grid);
    tr_arg_free(&s->block);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct shapes *s = state;
    (void)options;
    if (!(s->rows = tr_rows_new(&type, in, &s->streams.groups, true)))
        return tr_fail_memory(err);
    return tr_queue_ends_init(&s->streams, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static bool add(struct shapes *s, const struct tr_batch *b, size_t i)
{
    struct tr_queue_ends_item item;
    if (!tr_queue_ends_item(&s->streams, i, &item))
        return false;
    if (b->activity[i] != TR_ACT_KERNEL || b->dur[i] == TR_TIME_NONE)
        return true;
    const struct shape key = { .group = item.work.group,
                               .grid = tr_arg_text(&s->grid, i),
                               .block = tr_arg_text(&s->block, i) };
    struct shape *x = tr_rows_at(s->rows, &key);
    if (!x)
        return false;
    tr_stats_add(&x->gpu, item.work.end - item.work.start);
    if (item.before != TR_TIME_NONE && item.before < item.work.start) {
        x->gaps++;
        x->gap = tr_time_sum(x->gap, item.work.start - item.before);
    }
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct shapes *s = state;
    (void)t;
    enum tr_status st = tr_queue_ends_batch(&s->streams, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = tr_arg_read(&s->grid, b, TR_PLACE_ARGS, "grid") && tr_arg_read(&s->block, b, TR_PLACE_ARGS, "block");
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_group_by_counts(&s->streams.groups, i))
            ok = add(s, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

const struct tr_analysis tr_analysis_launch_shape = {
    .name = "launch-shape",
    .question = "How long did kernels of each grid and block run, and how long was their stream free before?",
    .nothing = "no kernel is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, TR_KEYS("grid", "block"), .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct shapes),
    .start = start,
    .feed = feed,
    .free = release,
    /* A gap is between device work and the next of its stream, which may come from another file of a rank. */
    .saving = &(const struct tr_saving){ .version = 2, .whole_ranks = true, TR_SAVED_ROWS(type) },
};
