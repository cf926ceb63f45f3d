/* SPDX-License-Identifier: MIT */
/* How large were copies, and how fast?  By direction and size. */
#include "analysis/sums/tr_sums_analyses.h"
#include "engine/tr_rows.h"
#include "stream/tr_args.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

/* Copies of one direction and size.  Classes of sizes are powers of two: 0, 1, 2 to 3, 4 to 7, ... */
struct row {
    uint32_t group, direction;
    int64_t min_bytes; /* the smallest size of the class; TR_I64_NONE: the size is unknown */
    struct tr_stats bytes, dur;
};

static const struct tr_table_column columns[] = {
    { "direction", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, direction), .word = tr_copy_direction_name,
      .n_words = TR_N_COPY_DIRECTIONS, .meaning = "direction of the copy, or Memset" },
    { "min_bytes", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, min_bytes), .unit = "bytes",
      .meaning = "sizes from this one up to its double; empty: unknown size" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, dur), .meaning = "copies" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct row, bytes), .unit = "bytes", .meaning = "sum of their sizes" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "sum of their durations" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct row, dur), .of = "sum", .per = "count",
      .meaning = "mean duration" },
    { "GBps", TR_CELL_RATIO, TR_ROLE_RATIO, 3, .unit = "GB/s", .of = "bytes", .per = "sum",
      .meaning = "bytes divided by durations, in 10^9 bytes per second" },
};

static const struct tr_row_type type = {
    .name = "copies",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, bytes),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "direction,min_bytes",
};

struct size_state {
    struct tr_grouped all;
    struct tr_arg bytes;
};

static void release(void *state)
{
    struct size_state *s = state;
    tr_arg_free(&s->bytes);
    tr_grouped_free(&s->all);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct size_state *s = state;
    (void)options;
    return tr_grouped_start(&s->all, &type, in, TR_ACTIVITY_BIT(TR_ACT_MEMCPY) | TR_ACTIVITY_BIT(TR_ACT_MEMSET), err);
}

/* The smallest size of the class of a size. */
static int64_t min_of(int64_t bytes)
{
    int64_t min = 1;
    while (bytes >> 1 >= min)
        min <<= 1;
    return bytes ? min : 0;
}

static bool add(void *state, const struct tr_batch *b, size_t i, const struct tr_group_by_item *item)
{
    struct size_state *s = state;
    int64_t bytes = tr_arg_int(&s->bytes, i);
    struct tr_str name = tr_dict_text(b->dict, b->name[i]);
    if (bytes < 0)
        bytes = tr_intel_copy_bytes(name);
    const struct row key = { .group = item->group,
                             .direction = tr_copy_direction(b->dict->names, name.s, name.len),
                             .min_bytes = bytes < 0 ? TR_I64_NONE : min_of(bytes) };
    struct row *r = tr_rows_at(s->all.rows, &key);
    if (!r)
        return false;
    tr_stats_add(&r->dur, item->end - item->start);
    if (bytes >= 0)
        tr_stats_add(&r->bytes, bytes);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct size_state *s = state;
    (void)t;
    bool ok = tr_arg_read(&s->bytes, b, TR_PLACE_ARGS, "bytes");
    return ok ? tr_grouped_feed(s, b, keep, add, err) : tr_fail_memory(err);
}

const struct tr_analysis tr_analysis_size = {
    .name = "size",
    .chart = &(const struct tr_chart){ TR_CHART_LINE, .x = "min_bytes", .y = { "GBps" }, .series = "direction",
                                       .facet = "rank", .log_x = true },
    .question = "How large were copies, and how fast?",
    .nothing = "no copies or memsets are selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), TR_KEYS("bytes"),
                         .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct size_state),
    .start = start,
    .feed = feed,
    .free = release,
    .saving = &(const struct tr_saving){ .version = 2, TR_SAVED_ROWS(type) },
};
