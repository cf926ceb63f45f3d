/* SPDX-License-Identifier: MIT */
/* How long did kernels of each grid and block run, and for how long was their stream free before them? */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/time/tr_queue_ends.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "stream/tr_args.h"

#include <stdlib.h>

/* Kernels of one grid and block.  Texts are numbers in the table of the state, TR_NO_STR: absent. */
struct shape {
    uint32_t group, grid, block;
    struct tr_stats gpu, gap; /* gap: of those before which the stream was free */
};

struct shapes {
    enum tr_per per;
    struct tr_queue_ends streams;
    struct tr_arg grid, block;
    struct tr_strtab *texts;
    struct tr_eventmap of; /* numbers of shapes, by group, grid and block */
    struct shape *shapes;
    size_t n, cap;
};

static const struct tr_table_column columns[] = {
    { "grid", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "blocks of the kernel, as in the trace" },
    { "block", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "threads of a block, as in the trace" },
    { "launches", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of such kernels" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of their durations" },
    { "gaps", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of those before which the stream had been free" },
    { "gap", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "for how long in sum, since the earlier work of the stream ended" },
};

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const keys[] = { "grid", "block" };
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.keys = keys;
    n->want.n_keys = sizeof keys / sizeof *keys;
    n->want.any_rank_order = true;
}

static void release(void *state)
{
    struct shapes *s = state;
    tr_queue_ends_free(&s->streams);
    tr_arg_free(&s->grid);
    tr_arg_free(&s->block);
    tr_strtab_free(s->texts);
    tr_eventmap_free(&s->of);
    free(s->shapes);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    struct shapes *s = *state = calloc(1, sizeof *s);
    (void)options;
    if (!s || !(s->texts = tr_strtab_new()))
        return tr_fail_memory(err);
    s->per = in->work.per;
    return tr_queue_ends_init(&s->streams, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

static uint32_t number_of(struct shapes *s, struct tr_str text)
{
    return text.s ? tr_strtab_add(s->texts, text.s, text.len) : TR_NO_STR;
}

static struct tr_str text_of(const struct shapes *s, uint32_t number)
{
    return number == TR_NO_STR ? tr_str_of(NULL)
                               : (struct tr_str){ tr_strtab_get(s->texts, number), tr_strtab_len(s->texts, number) };
}

/* NULL: out of memory. */
static struct shape *find_or_add(struct shapes *s, uint32_t group, struct tr_str grid_text, struct tr_str block_text)
{
    static const struct tr_stats none = TR_STATS_INIT;
    uint32_t grid = number_of(s, grid_text), block = number_of(s, block_text);
    uint64_t both = (uint64_t)grid << 32 | block;
    uint32_t at = tr_eventmap_get(&s->of, group, both);
    if (at != TR_EVENTMAP_NONE)
        return &s->shapes[at];
    if ((grid_text.s && grid == TR_NO_STR) || (block_text.s && block == TR_NO_STR) ||
        !tr_grow(&s->shapes, &s->cap, s->n + 1, sizeof *s->shapes) ||
        !tr_eventmap_put(&s->of, group, both, (uint32_t)s->n))
        return NULL;
    s->shapes[s->n] = (struct shape){ group, grid, block, none, none };
    return &s->shapes[s->n++];
}

static bool add(struct shapes *s, const struct tr_batch *b, size_t i)
{
    struct tr_queue_ends_item item;
    if (!tr_queue_ends_item(&s->streams, i, &item))
        return false;
    if (b->activity[i] != TR_ACT_KERNEL || b->dur[i] == TR_TIME_NONE)
        return true;
    struct shape *x = find_or_add(s, item.work.group, tr_dict_text_if(b->dict, tr_arg_text(&s->grid, i)),
                                  tr_dict_text_if(b->dict, tr_arg_text(&s->block, i)));
    if (!x)
        return false;
    tr_stats_add(&x->gpu, item.work.end - item.work.start);
    if (item.before != TR_TIME_NONE && item.before < item.work.start)
        tr_stats_add(&x->gap, item.work.start - item.before);
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

/* A shape, its place among the groups, and its texts, for sorting. */
struct sorted {
    const struct shape *x;
    uint32_t place;
    struct tr_str grid, block;
};

/* By group, the longest first; then by grid and block. */
static int by_time(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int64_t gpu_x = tr_stats_sum(&x->x->gpu), gpu_y = tr_stats_sum(&y->x->gpu);
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (gpu_x != gpu_y)
        return gpu_x > gpu_y ? -1 : 1;
    int grid = tr_str_cmp(x->grid, y->grid);
    return grid ? grid : tr_str_cmp(x->block, y->block);
}

static void add_row(const struct shapes *s, const struct sorted *row, struct tr_table *t)
{
    tr_group_cells(t, s->per, &s->streams.groups.groups[row->x->group]);
    tr_table_text(t, row->grid);
    tr_table_text(t, row->block);
    tr_table_count(t, row->x->gpu.n);
    tr_table_time(t, tr_stats_sum(&row->x->gpu));
    tr_table_count(t, row->x->gap.n);
    tr_table_time(t, tr_stats_sum(&row->x->gap));
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct shapes *s = state;
    uint32_t *order = tr_group_by_order(&s->streams.groups);
    size_t n_groups = s->streams.groups.n_groups;
    uint32_t *places = calloc(n_groups + 1, sizeof *places);
    struct sorted *rows = calloc(s->n + 1, sizeof *rows);
    bool ok = order && places && rows;
    for (size_t g = 0; ok && g < n_groups; g++)
        places[order[g]] = (uint32_t)g;
    for (size_t i = 0; ok && i < s->n; i++) {
        const struct shape *x = &s->shapes[i];
        rows[i] = (struct sorted){ x, places[x->group], text_of(s, x->grid), text_of(s, x->block) };
    }
    if (ok)
        qsort(rows, s->n, sizeof *rows, by_time);
    for (size_t i = 0; ok && i < s->n; i++)
        add_row(s, &rows[i], t);
    free(order);
    free(places);
    free(rows);
    return ok ? tr_table_status(t, err) : tr_fail_memory(err);
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str grid, block;
    struct tr_stats gpu, gap;
};

static const struct tr_saved_column saved_columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },     { "grid", TR_SAVED_TEXT, offsetof(struct saved, grid) },
    { "block", TR_SAVED_TEXT, offsetof(struct saved, block) }, { "gpu", TR_SAVED_STATS, offsetof(struct saved, gpu) },
    { "gap", TR_SAVED_STATS, offsetof(struct saved, gap) },
};
static const struct tr_saved_table saved_tables[] = { TR_SAVED_TABLE("shapes", saved_columns) };

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    const struct shapes *s = state;
    (void)err;
    for (size_t i = 0; i < s->n; i++) {
        const struct shape *x = &s->shapes[i];
        const struct saved r = { s->streams.groups.groups[x->group], text_of(s, x->grid), text_of(s, x->block), x->gpu,
                                 x->gap };
        tr_partial_put(out, 0, &r);
    }
    return TR_OK;
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct shapes *s = state;
    struct saved r;
    uint32_t group;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &s->streams.groups, &r.key, &group)) {
        struct shape *x = find_or_add(s, group, r.grid, r.block);
        if (!x)
            return tr_fail_memory(err);
        if (!tr_partial_add_stats(in, &x->gpu, &r.gpu) || !tr_partial_add_stats(in, &x->gap, &r.gap))
            break;
    }
    return tr_partial_status(in, err);
}

/* A gap is between device work and the next of its stream, which may come from another file of a rank. */
static const struct tr_saving saving = {
    .version = 1, .whole_ranks = true, .tables = saved_tables, .n_tables = 1, .save = save, .load = load
};

const struct tr_analysis tr_analysis_launch_shape = {
    .name = "launch-shape",
    .question = "How long did kernels of each grid and block run, and how long was their stream free before?",
    .nothing = "no kernel is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = needs,
    TR_OWN_COLUMNS(columns),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
