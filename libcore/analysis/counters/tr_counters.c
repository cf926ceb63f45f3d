/* SPDX-License-Identifier: MIT */
/* Counters of devices over time: queued work, copy rate, busy streams; all samples in order of time. */
#include "analysis/counters/tr_counters_int.h"

#include "analysis/comm/tr_collective_times.h"
#include "base/tr_mem.h"
#include "stream/tr_args.h"
#include "stream/tr_order.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

#define RUN_ROWS       65536u
#define SHORTEST_COPY  1000 /* ns, of a copy with a duration of 0 */
#define BYTES_PER_GB   1000000000
#define STAMPED        (1u << TR_COUNTER_POWER | 1u << TR_COUNTER_WAITING)

/* The part of a row after its header. */
struct change {
    int64_t by;
    uint64_t record;
    uint32_t series, unused;
};

enum tr_status tr_counters_new(const struct tr_counters_opts *opts, const struct tr_dict *dict,
                               const struct tr_summary *summary, bool sorted,
                               struct tr_select *select, struct tr_counters **counters,
                               struct tr_error *err)
{
    struct tr_counters *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail_memory(err);
    struct tr_group_by_opts work = opts->work;
    c->opts = *opts;
    work.per = TR_PER_DEVICE;
    enum tr_status st = tr_queue_ends_init(&c->work, &work, dict, summary, sorted, select, err);
    c->pool = tr_block_pool_new(opts->max_memory);
    c->rows.pool = c->pool;
    c->runs = tr_external_sort_new(opts->max_memory, opts->temp_dir);
    if (st == TR_OK && opts->which & 1u << TR_COUNTER_COLLECTIVE)
        st = tr_coll_finder_new(dict, select, &c->finder, err);
    if (st == TR_OK && (!c->pool || !c->runs))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        *counters = c;
    else
        tr_counters_free(c);
    return st;
}

void tr_counters_free(struct tr_counters *c)
{
    if (!c)
        return;
    tr_queue_ends_free(&c->work);
    tr_external_sort_free(c->runs);
    if (c->finder)
        tr_coll_finder_free(c->finder);
    if (c->pool)
        tr_row_arena_release(&c->rows);
    tr_block_pool_free(c->pool);
    tr_eventmap_free(&c->copy_of);
    tr_arg_free(&c->bytes);
    tr_arg_free(&c->flex_bytes);
    tr__counters_free_stamped(c);
    tr_arg_free(&c->rate);
    void *const arrays[] = { c->queue_of,  c->busy_of,       c->busy, c->series, c->values,  c->place, c->sorted,
                             c->launch_ts, c->launch_record, c->refs, c->tmp,    c->order_of };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(c);
}

/* ---- changes ---- */

/* The canonical order of sources; new ones do not change the order of those before. */
static bool order_sources(struct tr_counters *c)
{
    const struct tr_dict *d = c->work.groups.dict;
    if (c->n_order == d->n_sources)
        return true;
    if (!tr_grow(&c->order_of, &c->cap_order, d->n_sources, sizeof *c->order_of) || !tr_sources_place(d, c->order_of))
        return false;
    c->n_order = d->n_sources;
    return true;
}

static enum tr_status end_run(struct tr_counters *c, struct tr_error *err)
{
    if (!c->n_refs)
        return TR_OK;
    if (!order_sources(c))
        return tr_fail_memory(err);
    if (!tr_grow(&c->tmp, &c->cap_tmp, c->n_refs, sizeof *c->tmp))
        return tr_fail_memory(err);
    tr_refs_sort(c->refs, c->tmp, c->n_refs, c->order_of);
    enum tr_status st = tr_external_sort_add(c->runs, &c->rows, c->refs, c->n_refs, err);
    c->rows = (struct tr_row_arena){ .pool = c->pool };
    c->n_refs = 0;
    return st;
}

enum tr_status tr__counters_change(struct tr_counters *c, int64_t ts, bool first, uint32_t series, int64_t by,
                                   uint64_t record, struct tr_error *err)
{
    size_t size = TR_ROW_HEADER + sizeof(struct change);
    unsigned char *room = tr_row_arena_reserve(&c->rows, size);
    if (!room || !tr_grow(&c->refs, &c->cap_refs, c->n_refs + 1, sizeof *c->refs))
        return tr_fail_memory(err);
    struct tr_row row = { .ts = ts,
                          .dur = TR_TIME_NONE,
                          .record = (uint64_t)!first << 63 | c->n_changes++,
                          .size = (uint32_t)size,
                          .source = c->work.groups.dict->tracks[c->series[series].track].source };
    struct change change = { by, record, series, 0 };
    memcpy(room, &row, TR_ROW_HEADER);
    memcpy(room + TR_ROW_HEADER, &change, sizeof change);
    tr_row_arena_commit(&c->rows, size);
    c->refs[c->n_refs++] = (struct tr_row_ref){ ts, (const struct tr_row *)room };
    return c->n_refs < RUN_ROWS ? TR_OK : end_run(c, err);
}

/* ---- series ---- */

bool tr__counters_add_series(struct tr_counters *c, enum tr_counter counter, const struct tr_group_key *key,
                             const char *name, uint32_t track, uint32_t *number)
{
    if (!tr_grow(&c->series, &c->cap_series, c->n_series + 1, sizeof *c->series))
        return false;
    *number = (uint32_t)c->n_series;
    c->series[c->n_series++] = (struct tr_series){ counter, *key, name, track };
    return true;
}

/* The series of a group; it is made if it is new. */
static bool series_of_group(struct tr_counters *c, enum tr_counter counter, const struct tr_group_by *w, uint32_t group,
                            uint32_t track, uint32_t **of, size_t *n, size_t *cap, uint32_t *series)
{
    if (!tr_grow(of, cap, w->n_groups, sizeof **of))
        return false;
    while (*n < w->n_groups)
        (*of)[(*n)++] = 0;
    if (!(*of)[group]) {
        if (!tr__counters_add_series(c, counter, &w->groups[group], NULL, track, series))
            return false;
        (*of)[group] = *series + 1;
    }
    *series = (*of)[group] - 1;
    return true;
}

/* The series of a kind of copy on a device; it is made if it is new. */
static bool series_of_copy(struct tr_counters *c, size_t i, uint32_t device, uint32_t *series)
{
    const struct tr_batch *b = c->batch;
    struct tr_str name = tr_dict_text(b->dict, b->name[i]);
    unsigned kind = tr_copy_direction(b->dict->names, name.s, name.len);
    *series = tr_eventmap_get(&c->copy_of, device, kind);
    return *series != TR_EVENTMAP_NONE ||
           (tr__counters_add_series(c, TR_COUNTER_BANDWIDTH, &c->work.groups.groups[device],
                        tr_copy_direction_name(kind), b->track[i], series) &&
            tr_eventmap_put(&c->copy_of, device, kind, *series));
}

/* ---- args ---- */

/*
 * Bytes per second from the GB/s of a column, whatever its type; halves are rounded up.  TR_I64_NONE: none, or too
 * many.
 */
static int64_t rate_of(struct tr_arg_value given)
{
    double d;
    int64_t v = given.v;
    if (given.type == TR_T_INT + 1)
        return v > 0 && v <= INT64_MAX / BYTES_PER_GB ? v * BYTES_PER_GB : v > 0 ? TR_I64_NONE : 0;
    if (given.type == TR_T_DECIMAL + 1)
        d = tr_decimal_double(v);
    else if (given.type == TR_T_DOUBLE + 1)
        memcpy(&d, &v, sizeof d);
    else
        return TR_I64_NONE;
    d = d * BYTES_PER_GB + 0.5;
    return d < 9e18 ? d > 0 ? (int64_t)d : 0 : d > 0 ? TR_I64_NONE : 0;
}

/* A number of bytes; it may be in quotes, as flex of IBM's AIU writes it. */
static int64_t bytes_of(struct tr_arg_value v)
{
    return v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1 || v.type == TR_T_HEX + 1 ? v.v : TR_I64_NONE;
}

/* Bytes per second of a copy; 0: not known. */
static int64_t copy_rate(const struct tr_counters *c, size_t i, int64_t dur)
{
    int64_t bytes = bytes_of(tr_arg_at(&c->bytes, i)), given = rate_of(tr_arg_at(&c->rate, i));
    if (bytes == TR_I64_NONE)
        bytes = bytes_of(tr_arg_at(&c->flex_bytes, i));
    if (bytes == TR_I64_NONE)
        bytes = tr_intel_copy_bytes(tr_dict_text(c->batch->dict, c->batch->name[i]));
    if (given != TR_I64_NONE)
        return given;
    if (bytes <= 0)
        return 0;
    double rate = (double)bytes / (double)dur * 1e9 + 0.5;
    return rate < 9e18 ? (int64_t)rate : 0;
}

/* ---- feeding ---- */

static bool start_batch(struct tr_counters *c, const struct tr_batch *b)
{
    c->batch = b;
    if (!tr_grow(&c->launch_ts, &c->cap_ts, b->n, sizeof *c->launch_ts) ||
        !tr_grow(&c->launch_record, &c->cap_record, b->n, sizeof *c->launch_record))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, c->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, 0, c->launch_record);
    if (c->opts.which & STAMPED && !tr__counters_start_stamped(c, b))
        return false;
    return !(c->opts.which & 1u << TR_COUNTER_BANDWIDTH) ||
           (tr_arg_read(&c->bytes, b, TR_PLACE_ARGS, "bytes") &&
            tr_arg_read(&c->flex_bytes, b, TR_PLACE_ARGS, "Bytes") &&
            tr_arg_read(&c->rate, b, TR_PLACE_ARGS, "memory bandwidth (GB/s)"));
}

static enum tr_status add_queue(struct tr_counters *c, size_t i, uint32_t stream, struct tr_error *err)
{
    uint32_t series;
    const struct tr_batch *b = c->batch;
    if (c->launch_ts[i] == TR_TIME_NONE)
        return TR_OK;
    if (!series_of_group(c, TR_COUNTER_QUEUE, &c->work.streams, stream, b->track[i], &c->queue_of, &c->n_queue,
                         &c->cap_queue, &series))
        return tr_fail_memory(err);
    enum tr_status st =
        tr__counters_change(c, c->launch_ts[i], true, series, 1, (uint64_t)c->launch_record[i], err);
    return st == TR_OK ? tr__counters_change(c, b->ts[i], false, series, -1, b->record[i], err) : st;
}

static enum tr_status add_interval(struct tr_counters *c, uint32_t series, const struct tr__busy *t, int64_t by,
                                   struct tr_error *err)
{
    enum tr_status st = tr__counters_change(c, t->start, false, series, by, t->first, err);
    return st == TR_OK ? tr__counters_change(c, t->end, true, series, -by, t->last, err) : st;
}

static enum tr_status add_copy(struct tr_counters *c, size_t i, const struct tr_group_by_item *work,
                               struct tr_error *err)
{
    int64_t dur = work->end > work->start ? work->end - work->start : SHORTEST_COPY;
    uint64_t record = c->batch->record[i];
    uint32_t series;
    if (!series_of_copy(c, i, work->group, &series))
        return tr_fail_memory(err);
    int64_t end = tr_time_sum(work->start, dur);
    const struct tr__busy t = { work->start, end == TR_TIME_NONE ? work->end : end, record, record, series };
    return add_interval(c, series, &t, copy_rate(c, i, dur), err);
}

/* Work on a stream extends its stretch, or ends it and starts another one. */
static enum tr_status add_busy(struct tr_counters *c, size_t i, const struct tr_queue_ends_item *item,
                               struct tr_error *err)
{
    const struct tr_group_by_item *work = &item->work;
    const struct tr_batch *b = c->batch;
    uint32_t series;
    enum tr_status st = TR_OK;
    if (work->end == work->start)
        return TR_OK;
    if (!tr_grow(&c->busy, &c->cap_streams, c->work.streams.n_groups, sizeof *c->busy) ||
        !series_of_group(c, TR_COUNTER_BUSY, &c->work.groups, work->group, b->track[i], &c->busy_of, &c->n_busy,
                         &c->cap_busy, &series))
        return tr_fail_memory(err);
    while (c->n_streams < c->work.streams.n_groups)
        c->busy[c->n_streams++] = (struct tr__busy){ .start = TR_TIME_NONE };
    struct tr__busy *t = &c->busy[item->stream];
    if (t->start != TR_TIME_NONE && work->start <= t->end) {
        t->last = work->end > t->end ? b->record[i] : t->last;
        t->end = work->end > t->end ? work->end : t->end;
        return TR_OK;
    }
    if (t->start != TR_TIME_NONE)
        st = add_interval(c, t->series, t, 1, err);
    *t = (struct tr__busy){ work->start, work->end, b->record[i], b->record[i], series };
    return st;
}

static enum tr_status add_work(struct tr_counters *c, size_t i, struct tr_error *err)
{
    const struct tr_batch *b = c->batch;
    struct tr_queue_ends_item item;
    enum tr_status st = TR_OK;
    if (!tr_queue_ends_item(&c->work, i, &item))
        return tr_fail_memory(err);
    if (c->opts.which & 1u << TR_COUNTER_QUEUE)
        st = add_queue(c, i, item.stream, err);
    if (st == TR_OK && c->opts.which & 1u << TR_COUNTER_BUSY)
        st = add_busy(c, i, &item, err);
    bool copy = b->activity[i] == TR_ACT_MEMCPY || b->activity[i] == TR_ACT_MEMSET;
    if (st == TR_OK && copy && c->opts.which & 1u << TR_COUNTER_BANDWIDTH)
        st = add_copy(c, i, &item.work, err);
    return st;
}

enum tr_status tr_counters_feed(struct tr_counters *c, const struct tr_batch *b,
                                const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = tr_queue_ends_batch(&c->work, b, keep, err);
    if (st == TR_OK && !start_batch(c, b))
        st = tr_fail_memory(err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        if (tr_group_by_counts(&c->work.groups, i))
            st = add_work(c, i, err);
        if (st == TR_OK && c->opts.which & STAMPED)
            st = tr__counters_stamped(c, i, !keep || keep[i], err);
    }
    return st == TR_OK && c->finder ? tr_coll_feed(c->finder, b, keep, err) : st;
}

/* ---- collectives ---- */

/* The member that starts last, and the one that ends last; false: no member has usable times. */
static bool last_members(const struct tr_colls *colls, size_t i, const struct tr_coll_member **start,
                         const struct tr_coll_member **end)
{
    const struct tr_coll *coll = &colls->colls[i];
    *start = *end = NULL;
    for (uint32_t k = 0; k < coll->n; k++) {
        const struct tr_coll_member *m = &colls->members[coll->first + k];
        if (m->suspect)
            continue;
        *start = *start && (*start)->start >= m->start ? *start : m;
        *end = *end && (*end)->end >= m->end ? *end : m;
    }
    return *start != NULL;
}

/* series: of the type of the collective, + 1; 0: none yet. */
static enum tr_status add_collective(struct tr_counters *c, const struct tr_colls *colls, size_t i, uint32_t *series,
                                     struct tr_error *err)
{
    const struct tr_group_key none = { .rank = TR_GROUP_NONE, .device = TR_GROUP_NONE, .stream = TR_GROUP_NONE,
                                       .step = TR_GROUP_NONE };
    const struct tr_coll *coll = &colls->colls[i];
    const struct tr_coll_member *start, *end;
    struct tr_collective_times t;
    uint32_t number;
    if (!tr_collective_picked(colls, i) || !tr_collective_measure(c->work.groups.dict, colls, i, false, &t) ||
        (t.n > 1 && !t.compared) || !last_members(colls, i, &start, &end))
        return TR_OK;
    double factor = tr_coll_bus_factor((enum tr_coll_type)coll->type, tr_coll_size(colls, coll));
    int64_t ns = tr_time_diff(end->end, start->start);
    double rate = t.bytes > 0 && ns > 0 ? (double)t.bytes * factor / (double)ns * 1e9 + 0.5 : 0;
    if (rate < 1 || rate >= 9e18)
        return TR_OK;
    if (!*series) {
        const char *name = tr_coll_type_name((enum tr_coll_type)coll->type);
        if (!tr__counters_add_series(c, TR_COUNTER_COLLECTIVE, &none, name, colls->members[coll->first].track, &number))
            return tr_fail_memory(err);
        *series = number + 1;
    }
    enum tr_status st = tr__counters_change(c, start->start, false, *series - 1, (int64_t)rate, start->record, err);
    return st == TR_OK ? tr__counters_change(c, end->end, true, *series - 1, -(int64_t)rate, end->record, err) : st;
}

enum tr_status tr_counters_add_collectives(struct tr_counters *c, const struct tr_colls *colls, struct tr_error *err)
{
    uint32_t series[TR_COLL_N_TYPES] = { 0 };
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < colls->n; i++)
        st = add_collective(c, colls, i, &series[colls->colls[i].type], err);
    return st;
}

static enum tr_status end_collectives(struct tr_counters *c, struct tr_error *err)
{
    struct tr_colls *colls = NULL;
    enum tr_status st = tr_coll_match(c->finder, &colls, err);
    if (st == TR_OK)
        st = tr_counters_add_collectives(c, colls, err);
    tr_colls_free(colls);
    return st;
}

/* ---- the result ---- */

struct placed {
    const struct tr_series *series;
    uint32_t number;
};

static int by_series(const void *a, const void *b)
{
    const struct tr_series *x = ((const struct placed *)a)->series, *y = ((const struct placed *)b)->series;
    const int64_t p[] = { x->counter, x->key.rank, x->key.device, x->key.stream };
    const int64_t q[] = { y->counter, y->key.rank, y->key.device, y->key.stream };
    for (size_t i = 0; i < sizeof p / sizeof *p; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

enum tr_status tr_counters_finish(struct tr_counters *c, const struct tr_series **series, size_t *n,
                                  struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < c->n_streams && st == TR_OK; k++)
        if (c->busy[k].start != TR_TIME_NONE)
            st = add_interval(c, c->busy[k].series, &c->busy[k], 1, err);
    if (st == TR_OK)
        st = tr__counters_end_stamped(c, err);
    if (st == TR_OK && c->finder)
        st = end_collectives(c, err);
    size_t n_series = c->n_series;
    struct placed *placed = calloc(n_series + 1, sizeof *placed);
    c->sorted = calloc(n_series + 1, sizeof *c->sorted);
    c->place = calloc(n_series + 1, sizeof *c->place);
    c->values = calloc(n_series + 1, sizeof *c->values);
    if (st == TR_OK && !(placed && c->sorted && c->place && c->values))
        st = tr_fail_memory(err);
    if (st == TR_OK) {
        for (uint32_t s = 0; s < n_series; s++)
            placed[s] = (struct placed){ &c->series[s], s };
        qsort(placed, n_series, sizeof *placed, by_series);
        for (uint32_t s = 0; s < n_series; s++) {
            c->sorted[s] = *placed[s].series;
            c->place[placed[s].number] = s;
        }
        st = end_run(c, err);
    }
    free(placed);
    if (st == TR_OK)
        st = tr_external_sort_merge(c->runs, c->order_of, err);
    *series = c->sorted;
    *n = n_series;
    return st;
}

uint64_t tr_counters_too_much(const struct tr_counters *c)
{
    return c->too_much;
}

static int64_t value_of(struct tr_u128 v)
{
    const struct tr_stats s = { .sum = v };
    return tr_stats_sum(&s);
}

enum tr_status tr_counters_next(struct tr_counters *c, struct tr_counter_sample *sample,
                                struct tr_error *err)
{
    const struct tr_row *row;
    struct change change;
    enum tr_status st = tr_external_sort_next(c->runs, &row, err);
    if (st != TR_OK)
        return st;
    memcpy(&change, tr_row_values(row), sizeof change);
    uint32_t s = c->place[change.series];
    c->values[s] = tr_u128_add(c->values[s], tr_i128_of(change.by));
    *sample = (struct tr_counter_sample){ row->ts, value_of(c->values[s]), s, change.record };
    return TR_OK;
}

/*
 * The counter has 32 bits, and makes 512 steps per ampere and microsecond; it is read at TS4.  The supply has 12 volts.
 * So n steps in t ns are 12 * n / 512 * 1000 / t watts.
 */
#define UW_NS_PER_STEP 23437500ll    /* 12 V / 512 * 1000 ns, in uW */
#define MAX_UW        100000000ll    /* no device takes 100 W: two such readings do not belong together */
#define SHORTEST       100           /* ns; a shorter event was not read at TS4 */

/* ---- devices ---- */

/* The device of a track; it is made if it is new.  NULL: out of memory. */
static struct tr__unit *unit_of(struct tr_counters *c, uint32_t track)
{
    const struct tr_dict *d = c->work.groups.dict;
    const struct tr_track *t = &d->tracks[track];
    int64_t rank = d->sources[t->source].rank;
    const struct tr_group_key key = { .rank = rank < 0 ? TR_GROUP_NONE : rank,
                                      /* a waiting request has no device */
                                      .device = t->device != TR_I64_NONE ? t->device : t->pid,
                                      .stream = TR_GROUP_NONE,
                                      .step = TR_GROUP_NONE };
    if (c->unit_of[track])
        return &c->units[c->unit_of[track] - 1];
    size_t u = 0;
    while (u < c->n_units && (c->units[u].key.rank != key.rank || c->units[u].key.device != key.device))
        u++;
    if (u == c->n_units) {
        if (!tr_grow(&c->units, &c->cap_units, u + 1, sizeof *c->units))
            return NULL;
        c->units[u] = (struct tr__unit){ .key = key };
        c->n_units++;
    }
    c->unit_of[track] = (uint32_t)u + 1;
    return &c->units[u];
}

/* The number of a series of a device; it is made if it is new.  False: out of memory. */
static bool series_of(struct tr_counters *c, struct tr__unit *u, enum tr_counter counter, uint32_t track,
                      uint32_t *number)
{
    uint32_t *of = counter == TR_COUNTER_POWER ? &u->power : &u->waiting;
    if (!*of) {
        if (!tr__counters_add_series(c, counter, &u->key, NULL, track, number))
            return false;
        *of = *number + 1;
    }
    *number = *of - 1;
    return true;
}

/* ---- power ---- */

static bool before(const struct tr__charge *a, const struct tr__charge *b)
{
    return a->ts != b->ts ? a->ts < b->ts : a->record < b->record;
}

static bool push(struct tr__unit *u, const struct tr__charge *r)
{
    if (!tr_grow(&u->later, &u->cap_later, u->n_later + 1, sizeof *r))
        return false;
    size_t at = u->n_later++;
    for (; at && before(r, &u->later[(at - 1) / 2]); at = (at - 1) / 2)
        u->later[at] = u->later[(at - 1) / 2];
    u->later[at] = *r;
    return true;
}

static struct tr__charge pop(struct tr__unit *u)
{
    struct tr__charge first = u->later[0], last = u->later[--u->n_later];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < u->n_later; at = child) {
        if (child + 1 < u->n_later && before(&u->later[child + 1], &u->later[child]))
            child++;
        if (!before(&u->later[child], &last))
            break;
        u->later[at] = u->later[child];
    }
    u->later[at] = last;
    return first;
}

/* uW from the charge between two readings; the first one is the earlier. */
static int64_t power(struct tr_counters *c, const struct tr__charge *a, const struct tr__charge *b)
{
    uint32_t steps = b->charge - a->charge; /* modulo 2^32: the counter wraps */
    int64_t ns = tr_time_diff(b->ts, a->ts);
    if (ns == TR_TIME_NONE)
        return 0;
    uint64_t rest;
    struct tr_u128 uw = tr_u128_div(tr_u128_add(tr_u128_mul(steps, UW_NS_PER_STEP), tr_i128_of(ns / 2)), (uint64_t)ns,
                                    &rest);
    if (!uw.hi && uw.lo <= MAX_UW)
        return (int64_t)uw.lo;
    c->too_much++;
    return 0;
}

/* The next reading in order: it ends the interval that the last one started. */
static enum tr_status take_reading(struct tr_counters *c, struct tr__unit *u, uint32_t track,
                                   const struct tr__charge *r, struct tr_error *err)
{
    uint32_t series;
    if (!r->charge || (u->last.charge && r->ts <= u->last.ts))
        return TR_OK;
    struct tr__charge a = u->last;
    u->last = *r;
    if (!a.charge)
        return TR_OK;
    if (!series_of(c, u, TR_COUNTER_POWER, track, &series))
        return tr_fail_memory(err);
    int64_t uw = power(c, &a, r), by = uw - u->watts;
    u->watts = uw;
    return tr__counters_change(c, a.ts, false, series, by, a.record, err);
}

/* The time of TS4, from an event's own cycles and duration. */
static int64_t time_of_ts4(const struct tr_cycle_stamps *s, int64_t ts, int64_t dur)
{
    int64_t cycles = s->at[s->to] - s->at[s->from];
    if (cycles <= 0)
        return ts + dur;
    struct tr_u128 later = tr_i128_mul(s->at[3] - s->at[s->to], dur);
    bool minus = tr_i128_is_negative(later);
    uint64_t rest;
    struct tr_u128 ns = tr_u128_div(minus ? tr_i128_negate(later) : later, (uint64_t)cycles, &rest);
    bool up = minus ? 2 * rest > (uint64_t)cycles : 2 * rest >= (uint64_t)cycles; /* halves go up */
    ns = tr_u128_add(ns, tr_i128_of(up));
    if (ns.hi || ns.lo > INT64_MAX / 4)
        return TR_TIME_NONE;
    return tr_time_sum(ts + dur, minus ? -(int64_t)ns.lo : (int64_t)ns.lo);
}

static enum tr_status add_reading(struct tr_counters *c, size_t i, const struct tr_cycle_stamps *s,
                                  struct tr_error *err)
{
    const struct tr_batch *b = c->batch;
    struct tr__charge r = { .record = b->record[i] };
    enum tr_status st = TR_OK;
    if (b->dur[i] <= SHORTEST || !tr_cycle_stamp_number(b->dict, tr_arg_at(&c->charge, i), &r.charge))
        return TR_OK;
    r.ts = time_of_ts4(s, b->ts[i], b->dur[i]);
    struct tr__unit *u = unit_of(c, b->track[i]);
    if (!u || (r.ts != TR_TIME_NONE && !push(u, &r)))
        return tr_fail_memory(err);
    /* TS4 is at the start of an event or after it: no reading to come is earlier than this start. */
    while (st == TR_OK && u->n_later && u->later[0].ts < b->ts[i]) {
        struct tr__charge next = pop(u);
        st = take_reading(c, u, b->track[i], &next, err);
    }
    return st;
}

/* ---- waiting requests ---- */

static enum tr_status add_wait(struct tr_counters *c, size_t i, struct tr_error *err)
{
    const struct tr_batch *b = c->batch;
    struct tr__unit *u = unit_of(c, b->track[i]);
    uint32_t series;
    int64_t end = tr_time_sum(b->ts[i], b->dur[i]);
    if (!u || !series_of(c, u, TR_COUNTER_WAITING, b->track[i], &series))
        return tr_fail_memory(err);
    if (!b->dur[i] || end == TR_TIME_NONE)
        return TR_OK;
    enum tr_status st = tr__counters_change(c, b->ts[i], false, series, 1, b->record[i], err);
    return st == TR_OK ? tr__counters_change(c, end, true, series, -1, b->record[i], err) : st;
}

/* ---- feeding ---- */

bool tr__counters_start_stamped(struct tr_counters *c, const struct tr_batch *b)
{
    size_t n = b->dict->n_tracks;
    if (!tr_grow(&c->unit_of, &c->cap_unit_of, n + 1, sizeof *c->unit_of))
        return false;
    for (; c->n_unit_of < n; c->n_unit_of++)
        c->unit_of[c->n_unit_of] = 0;
    return tr_cycle_stamps_start(&c->stamps, b) && tr_arg_read(&c->charge, b, TR_PLACE_ARGS, "Power");
}

enum tr_status tr__counters_stamped(struct tr_counters *c, size_t i, bool keep, struct tr_error *err)
{
    struct tr_cycle_stamps s;
    if (tr_cycle_stamps_take(&c->stamps, c->batch, i, &s) != TR_CYCLE_STAMPS_FOUND || !keep)
        return TR_OK;
    if (s.part == TR_CYCLE_STAMP_PREP)
        return c->opts.which & 1u << TR_COUNTER_WAITING ? add_wait(c, i, err) : TR_OK;
    return c->opts.which & 1u << TR_COUNTER_POWER ? add_reading(c, i, &s, err) : TR_OK;
}

enum tr_status tr__counters_end_stamped(struct tr_counters *c, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (uint32_t track = 0; track < c->n_unit_of; track++) {
        struct tr__unit *u = c->unit_of[track] ? &c->units[c->unit_of[track] - 1] : NULL;
        while (st == TR_OK && u && u->n_later) {
            struct tr__charge next = pop(u);
            st = take_reading(c, u, track, &next, err);
        }
    }
    for (size_t i = 0; i < c->n_units && st == TR_OK; i++) {
        const struct tr__unit *u = &c->units[i];
        if (u->power)
            st = tr__counters_change(c, u->last.ts, false, u->power - 1, -u->watts, u->last.record, err);
    }
    return st;
}

void tr__counters_free_stamped(struct tr_counters *c)
{
    for (size_t u = 0; u < c->n_units; u++)
        free(c->units[u].later);
    free(c->units);
    free(c->unit_of);
    tr_cycle_stamps_free(&c->stamps);
    tr_arg_free(&c->charge);
}
