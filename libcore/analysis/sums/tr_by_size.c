/* SPDX-License-Identifier: MIT */
/* How large were copies, and how fast?  By direction and size. */
#include "analysis/sums/tr_sums_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_stats.h"
#include "stream/tr_args.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

/* Classes of sizes are powers of two: 0, 1, 2 to 3, 4 to 7, ...; the last class is for unknown sizes. */
enum { N_SIZES = 65, UNKNOWN = 64 };

/* Copies of one direction and size. */
struct cell {
    uint64_t count;
    struct tr_stats bytes, dur;
};

struct size_state {
    enum tr_per per;
    struct tr_group_by work;
    struct tr_arg bytes;
    struct cell *cells; /* by group, direction and size */
    size_t n_groups, cap;
};

#define CELLS (TR_N_COPY_DIRECTIONS * (size_t)N_SIZES) /* of a group */

static const struct tr_table_column own_columns[] = {
    { "direction", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "direction of the copy, or Memset" },
    { "min_bytes", TR_CELL_INT, TR_ROLE_KEY, .unit = "bytes",
      .meaning = "sizes from this one up to its double; empty: unknown size" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "copies" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, .unit = "bytes", .meaning = "sum of their sizes" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of their durations" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "sum", .per = "count", .meaning = "mean duration" },
    { "GBps", TR_CELL_RATIO, TR_ROLE_RATIO, 3, .unit = "GB/s", .of = "bytes", .per = "sum",
      .meaning = "bytes divided by durations, in 10^9 bytes per second" },
};

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "bytes" };
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.keys = keys;
    n->want.n_keys = 1;
    n->want.any_rank_order = true;
}

static void release(void *state)
{
    struct size_state *s = state;
    tr_group_by_free(&s->work);
    tr_arg_free(&s->bytes);
    free(s->cells);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    struct size_state *s = *state = calloc(1, sizeof *s);
    (void)options;
    if (!s)
        return tr_fail_memory(err);
    s->per = in->work.per;
    work.activities = TR_ACTIVITY_BIT(TR_ACT_MEMCPY) | TR_ACTIVITY_BIT(TR_ACT_MEMSET);
    return tr_group_by_init(&s->work, &work, in->dict, in->summary, in->sorted, in->select, err);
}

static size_t size_class(int64_t bytes)
{
    size_t bits = 0;
    if (bytes < 0)
        return UNKNOWN;
    for (; bytes; bytes >>= 1)
        bits++;
    return bits;
}

/* The smallest known size of a class. */
static int64_t min_of(size_t size)
{
    return size ? INT64_C(1) << (size - 1) : 0;
}

/* Make room for the cells of one more group. */
static bool more_groups(struct size_state *s, uint32_t group)
{
    static const struct tr_stats none = TR_STATS_INIT;
    if (group < s->n_groups)
        return true;
    if (!tr_grow(&s->cells, &s->cap, (group + 1) * CELLS, sizeof *s->cells))
        return false;
    for (size_t i = s->n_groups * CELLS; i < (group + 1) * CELLS; i++)
        s->cells[i] = (struct cell){ 0, none, none };
    s->n_groups = group + 1;
    return true;
}

static bool add(struct size_state *s, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item item;
    int64_t bytes = tr_arg_int(&s->bytes, i);
    if (!tr_group_by_item(&s->work, i, &item) || !more_groups(s, item.group))
        return false;
    struct tr_str name = tr_dict_text(b->dict, b->name[i]);
    if (bytes < 0)
        bytes = tr_intel_copy_bytes(name);
    unsigned direction = tr_copy_direction(name.s, name.len);
    struct cell *c = &s->cells[(item.group * TR_N_COPY_DIRECTIONS + direction) * N_SIZES + size_class(bytes)];
    c->count++;
    tr_stats_add(&c->dur, item.end - item.start);
    if (bytes >= 0)
        tr_stats_add(&c->bytes, bytes);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct size_state *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = tr_arg_read(&s->bytes, b, TR_PLACE_ARGS, "bytes");
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_group_by_counts(&s->work, i) && b->dur[i] != TR_TIME_NONE)
            ok = add(s, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

static void add_row(const struct size_state *s, struct tr_table *t, uint32_t group, unsigned direction, size_t size)
{
    const struct cell *c = &s->cells[(group * TR_N_COPY_DIRECTIONS + direction) * N_SIZES + size];
    int64_t bytes = tr_stats_sum(&c->bytes), dur = tr_stats_sum(&c->dur);
    tr_group_cells(t, s->per, &s->work.groups[group]);
    tr_table_string(t, tr_copy_direction_name(direction));
    if (size == UNKNOWN) {
        tr_table_absent(t);
    } else {
        tr_table_int(t, min_of(size));
    }
    tr_table_count(t, c->count);
    if (size == UNKNOWN)
        tr_table_absent(t);
    else
        tr_table_int(t, bytes);
    tr_table_time(t, dur);
    tr_table_time_f(t, tr_stats_mean(&c->dur));
    if (size == UNKNOWN || dur == 0)
        tr_table_absent(t);
    else
        tr_table_ratio(t, (double)bytes / (double)dur);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct size_state *s = state;
    uint32_t *order = tr_group_by_order(&s->work);
    if (!order)
        return tr_fail_memory(err);
    for (size_t g = 0; g < s->work.n_groups; g++)
        for (unsigned d = 0; order[g] < s->n_groups && d < TR_N_COPY_DIRECTIONS; d++)
            for (size_t size = 0; size < N_SIZES; size++)
                if (s->cells[(order[g] * TR_N_COPY_DIRECTIONS + d) * N_SIZES + size].count)
                    add_row(s, t, order[g], d, size);
    free(order);
    return TR_OK;
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str direction;
    int64_t min_bytes; /* TR_I64_NONE: the size is not known */
    struct tr_stats bytes, dur;
};

static const struct tr_saved_column saved_columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "direction", TR_SAVED_TEXT, offsetof(struct saved, direction) },
    { "min_bytes", TR_SAVED_INT, offsetof(struct saved, min_bytes) },
    { "bytes", TR_SAVED_STATS, offsetof(struct saved, bytes) },
    { "dur", TR_SAVED_STATS, offsetof(struct saved, dur) },
};
static const struct tr_saved_table saved_tables[] = { TR_SAVED_TABLE("copies", saved_columns) };

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    const struct size_state *s = state;
    (void)err;
    for (size_t i = 0; i < s->n_groups * CELLS; i++) {
        const struct cell *c = &s->cells[i];
        size_t size = i % N_SIZES;
        unsigned direction = (unsigned)(i / N_SIZES % TR_N_COPY_DIRECTIONS);
        const struct saved r = { .key = s->work.groups[i / CELLS],
                                 .direction = tr_str_of(tr_copy_direction_name(direction)),
                                 .min_bytes = size == UNKNOWN ? TR_I64_NONE : min_of(size),
                                 .bytes = c->bytes,
                                 .dur = c->dur };
        if (c->count)
            tr_partial_put(out, 0, &r);
    }
    return TR_OK;
}

/* The cell of a row; NULL: there is no such direction or size. */
static struct cell *cell_of(struct size_state *s, uint32_t group, const struct saved *r)
{
    unsigned d = 0;
    size_t size = r->min_bytes == TR_I64_NONE ? UNKNOWN : size_class(r->min_bytes);
    while (d < TR_N_COPY_DIRECTIONS && !tr_str_is(r->direction, tr_copy_direction_name(d)))
        d++;
    bool good = d < TR_N_COPY_DIRECTIONS && (r->min_bytes == TR_I64_NONE || r->min_bytes >= 0) &&
                (size == UNKNOWN || min_of(size) == r->min_bytes);
    return good ? &s->cells[(group * TR_N_COPY_DIRECTIONS + d) * N_SIZES + size] : NULL;
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct size_state *s = state;
    struct saved r;
    uint32_t group;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &s->work, &r.key, &group)) {
        if (!more_groups(s, group))
            return tr_fail_memory(err);
        struct cell *c = cell_of(s, group, &r);
        if (!c)
            tr_partial_wrong(in, "copies of no direction or size");
        if (!c || !tr_partial_add_count(in, &c->count, r.dur.n) || !tr_partial_add_stats(in, &c->dur, &r.dur) ||
            !tr_partial_add_stats(in, &c->bytes, &r.bytes))
            break;
    }
    return tr_partial_status(in, err);
}

static const struct tr_saving saving = {
    .version = 1, .tables = saved_tables, .n_tables = 1, .save = save, .load = load
};

const struct tr_analysis tr_analysis_size = {
    .name = "size",
    .question = "How large were copies, and how fast?",
    .nothing = "no copies or memsets are selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = needs,
    TR_OWN_COLUMNS(own_columns),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
