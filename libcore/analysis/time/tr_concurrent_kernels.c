/* SPDX-License-Identifier: MIT */
/*
 * Which work runs at the same time as other work of its device?  By the names of both.
 *
 * Two pieces run beside each other if they are on the same device but on different streams, and overlap in time.  The
 * time of two names is that in which at least one pair of them does so.  It is never longer than the time of either
 * name.  The pieces that are open are kept for each device.  Work comes in the order of its starts, as do the intervals
 * of each pair of names.  So a sum and an end are enough for their union.
 *
 * Memory: 50 bytes for each device and pair of names, which go to files when memory is short.
 */
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_time.h"
#include "engine/tr_rows.h"

#include <math.h>
#include <stdlib.h>

#define MAX_OPEN 64u /* pieces per device at a time */
#define MAX_OPEN_TEXT "64"

/* Values in place of the second name: the row is about the first name alone, or about it and any other. */
#define ALONE TR_NO_STR
#define ANY (TR_NO_STR - 1)
#define UNNAMED (TR_NO_STR - 2) /* work without a name */

struct row {
    uint32_t device, name, other; /* numbers; in a pair, the smaller name first */
    uint32_t group;
    uint64_t n;
    int64_t sum, until, max; /* ns */
    bool started;
};

static const struct tr_row_type type = {
    .name = "pairs", .size = sizeof(struct row), .key_size = offsetof(struct row, group)
};

struct piece {
    int64_t end;
    uint32_t stream, name;
};

struct device {
    struct piece open[MAX_OPEN];
    unsigned n;
};

struct concurrent_kernels_state {
    struct tr_analysis_in in;
    struct tr_group_by work, streams, devices;
    struct device *open; /* by device */
    size_t n_open, cap_open;
    struct tr_rows *rows; /* by device and names */
    uint64_t left_out; /* pieces that started while too many were open */
};

/* A row as it is printed. */
struct printed {
    struct tr_group_key key;
    struct tr_str name, other;
    uint64_t n, count;
    int64_t sum, max, busy;
    double pct;
};

static const struct tr_table_column own_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct printed, name), .names = true, .label = true,
      .meaning = "name of the work" },
    { "other", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct printed, other), .names = true,
      .meaning = "name of the work on another stream of the device; (any): of any name" },
    { "pairs", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct printed, n),
      .meaning = "pairs of kernels, copies or memsets that ran at the same time" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct printed, sum), .main = true,
      .meaning = "time in which both names ran" },
    { "pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct printed, pct), .unit = "%",
      .meaning = "share of the time in which the name ran" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct printed, max), .extra = true,
      .meaning = "longest time of one pair" },
    { "busy", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct printed, busy), .extra = true,
      .meaning = "time in which the name ran" },
    { "count", TR_CELL_COUNT, TR_ROLE_QUANTILE, TR_OF(struct printed, count), .extra = true,
      .meaning = "how often the name ran" },
};

static void release(void *state)
{
    struct concurrent_kernels_state *s = state;
    tr_group_by_free(&s->work);
    tr_group_by_free(&s->streams);
    tr_group_by_free(&s->devices);
    tr_rows_free(s->rows);
    free(s->open);
}

static enum tr_status init(struct concurrent_kernels_state *s, struct tr_group_by *w, enum tr_per per,
                           struct tr_error *err)
{
    const struct tr_analysis_in *in = &s->in;
    struct tr_group_by_opts opts = in->work;
    opts.per = per;
    return tr_group_by_init(w, &opts, in->dict, in->summary, in->sorted, in->select, err);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct concurrent_kernels_state *s = state;
    (void)options;
    if (!(s->rows = tr_rows_new(&type, in, &s->devices, true)))
        return tr_fail_memory(err);
    s->in = *in;
    enum tr_status st = init(s, &s->work, in->work.per, err);
    if (st == TR_OK)
        st = init(s, &s->streams, TR_PER_STREAM, err);
    return st == TR_OK ? init(s, &s->devices, TR_PER_DEVICE, err) : st;
}

/* ---- events ---- */

/* Add some time of n pairs to a row; it starts no earlier than the times before it.  False: out of memory. */
static bool add_time(struct concurrent_kernels_state *s, const uint32_t key[3], uint32_t group, uint64_t n,
                     int64_t from, int64_t to)
{
    struct row *r = tr_rows_at(s->rows, key);
    if (!r)
        return false;
    r->until = r->started ? r->until : INT64_MIN;
    r->started = true;
    r->group = group;
    r->n += n;
    r->max = to - from > r->max ? to - from : r->max;
    if (to > r->until) {
        r->sum = tr_time_sum(r->sum, to - (from > r->until ? from : r->until));
        r->until = to;
    }
    return true;
}

static struct device *device_of(struct concurrent_kernels_state *s, uint32_t number)
{
    if (!tr_grow(&s->open, &s->cap_open, (size_t)number + 1, sizeof *s->open))
        return NULL;
    for (; s->n_open <= number; s->n_open++)
        s->open[s->n_open].n = 0;
    return &s->open[number];
}

/* Compare new device work with what is open on its device. */
static bool add_pairs(struct concurrent_kernels_state *s, const struct device *d, const struct tr_group_by_item *w,
                      uint32_t device, struct piece p)
{
    int64_t any = w->start, from = w->start;
    uint64_t n = 0;
    bool ok = true;
    for (unsigned i = 0; ok && i < d->n; i++) {
        const struct piece *o = &d->open[i];
        int64_t to = o->end < p.end ? o->end : p.end;
        uint32_t first = o->name < p.name ? o->name : p.name, second = o->name < p.name ? p.name : o->name;
        if (o->stream == p.stream)
            continue;
        any = to > any ? to : any;
        n++;
        ok = add_time(s, (const uint32_t[]){ device, first, second }, w->group, 1, from, to) &&
             add_time(s, (const uint32_t[]){ device, o->name, ANY }, w->group, o->name != p.name, from, to);
    }
    return ok && (!n || add_time(s, (const uint32_t[]){ device, p.name, ANY }, w->group, n, from, any));
}

static bool add(struct concurrent_kernels_state *s, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item w;
    uint32_t device;
    struct piece p = { .name = b->name[i] == TR_NO_STR ? UNNAMED : b->name[i] };
    if (!tr_group_by_item(&s->work, i, &w) || !tr_group_by_group(&s->streams, i, &p.stream) ||
        !tr_group_by_group(&s->devices, i, &device))
        return false;
    struct device *d = device_of(s, device);
    if (!d || !add_time(s, (const uint32_t[]){ device, p.name, ALONE }, w.group, 1, w.start, w.end))
        return false;
    unsigned n = 0;
    for (unsigned k = 0; k < d->n; k++)
        if (d->open[k].end > w.start)
            d->open[n++] = d->open[k];
    d->n = n;
    p.end = w.end;
    if (w.end == w.start)
        return true;
    if (!add_pairs(s, d, &w, device, p))
        return false;
    if (d->n < MAX_OPEN)
        d->open[d->n++] = p;
    else
        s->left_out++;
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct concurrent_kernels_state *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    if (st == TR_OK)
        st = tr_group_by_batch(&s->streams, b, keep, err);
    if (st == TR_OK)
        st = tr_group_by_batch(&s->devices, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_group_by_counts(&s->work, i) && !add(s, b, i))
            st = tr_fail_memory(err);
    return st;
}

/* ---- rows ---- */

/* A row of the result: the row of a pair of names is shown twice. */
struct shown {
    const struct concurrent_kernels_state *s;
    size_t place; /* of its group */
    uint32_t group, name, other;
    uint64_t n, count;
    int64_t sum, max, busy;
};

/* Rows of one group and name; the one about the name itself comes first. */
static int by_name(const void *x, const void *y)
{
    const struct shown *a = x, *b = y;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return a->other == b->other ? 0 : a->other > b->other ? -1 : 1;
}

static struct tr_str text_of(const struct concurrent_kernels_state *s, uint32_t name)
{
    return name == ANY ? tr_str_of("(any)") : name == UNNAMED ? tr_str_of("") : tr_dict_text(s->in.dict, name);
}

static int by_time(const void *x, const void *y)
{
    const struct shown *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->sum != b->sum)
        return (uint64_t)a->sum > (uint64_t)b->sum ? -1 : 1;
    int c = tr_str_cmp(text_of(a->s, a->name), text_of(b->s, b->name));
    return c ? c : tr_str_cmp(text_of(a->s, a->other), text_of(b->s, b->other));
}

static struct shown shown_of(const struct concurrent_kernels_state *s, const struct row *r, bool turned)
{
    uint32_t name = turned ? r->other : r->name, other = turned ? r->name : r->other;
    return (struct shown){ .s = s, .group = r->group, .name = name, .other = other, .n = r->n, .sum = r->sum,
                           .max = r->max };
}

/* Join rows of devices to rows of groups; returns their number. */
static size_t join(struct shown *of, size_t n, const size_t *places)
{
    size_t to = 0;
    struct shown alone = { .n = 0 };
    for (size_t i = 0, end; i < n; i = end) {
        struct shown v = of[i];
        for (end = i + 1; end < n && by_name(&of[i], &of[end]) == 0; end++) {
            v.n += of[end].n;
            v.sum = tr_time_sum(v.sum, of[end].sum);
            v.max = of[end].max > v.max ? of[end].max : v.max;
        }
        if (v.other == ALONE) {
            alone = v;
            continue;
        }
        v.place = places[v.group];
        v.count = alone.n;
        v.busy = alone.sum;
        of[to++] = v;
    }
    return to;
}

static void show(const struct concurrent_kernels_state *s, struct tr_table *t, const struct shown *v)
{
    bool known = v->busy && v->busy != TR_TIME_NONE && v->sum != TR_TIME_NONE;
    const struct printed row = { .key = s->work.groups[v->group],
                                 .name = text_of(s, v->name),
                                 .other = text_of(s, v->other),
                                 .n = v->n,
                                 .count = v->count,
                                 .sum = v->sum,
                                 .max = v->max,
                                 .busy = v->busy,
                                 .pct = known ? 100.0 * (double)v->sum / (double)v->busy : NAN };
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct concurrent_kernels_state *s = state;
    struct tr_spilling in = { .spill = tr_strtab_spill(s->in.dict->strings) };
    struct shown *of = NULL;
    size_t n = 0, cap = 0, n_rows = tr_rows_count(s->rows), *places = calloc(s->work.n_groups + 1, sizeof *places);
    uint32_t *order = tr_group_by_order(&s->work);
    enum tr_status st = order && places && tr_spilling_grow(&in, &of, &cap, n_rows * 2 + 1, sizeof *of)
                            ? TR_OK : tr_fail_memory(err);
    for (size_t g = 0; st == TR_OK && g < s->work.n_groups; g++)
        places[order[g]] = g;
    for (size_t i = 0; st == TR_OK && i < n_rows; i++) {
        const struct row *r = tr_rows_get(s->rows, i);
        of[n++] = shown_of(s, r, false);
        if (r->other < ANY && r->other != r->name)
            of[n++] = shown_of(s, r, true);
    }
    if (n)
        qsort(of, n, sizeof *of, by_name);
    n = st == TR_OK ? join(of, n, places) : 0;
    if (n)
        qsort(of, n, sizeof *of, by_time);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        tr_spilling_touched(&in);
        show(s, t, &of[i]);
        st = tr_table_status(t, err);
    }
    if (st == TR_OK && s->left_out)
        tr_analysis_remark_sum(&s->in, TR_REMARK_WARN, NULL, s->left_out,
                               "# kernels, copies and memsets started while " MAX_OPEN_TEXT " others ran on their "
                               "device: what started beside them later is left out");
    tr_spilling_free(&in, of);
    free(order);
    free(places);
    return st;
}

static const char *why(const void *state)
{
    const struct concurrent_kernels_state *s = state;
    return tr_rows_count(s->rows) ? "no work ran at the same time on different streams of a device"
                                  : "no device work is selected";
}

const struct tr_analysis tr_analysis_beside = {
    .name = "kernel",
    .chart = &(const struct tr_chart){ TR_CHART_HEAT, .x = "name", .y = { "other", "sum" }, .facet = "rank" },
    .question = "Which kernels ran at the same time, on different streams?",
    .nothing = "no device work is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_DEVICE) | TR_PER_BIT(TR_PER_CAPTURE) |
              TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true },
               .all_in_any_order = true },
    TR_OWN_COLUMNS(own_columns),
    .state_size = sizeof(struct concurrent_kernels_state),
    .start = start,
    .feed = feed,
    .finish = finish,
    .why = why,
    .free = release,
    .saving = &tr_saving_ranks,
};
