/* SPDX-License-Identifier: MIT */
/* Sequences of device work: calls of host spans, and the work that each launched. */
#include "analysis/calls/tr_sequences.h"

#include "base/tr_freelist.h"
#include "base/tr_sort.h"
#include "model/calls/tr_call_path.h"
#include "model/calls/tr_stacks.h"
#include "service/tr_pending.h"
#include "stream/tr_order.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* One kernel, copy or memset: device work. */
struct item {
    int64_t launch_ts, start, dur;
    uint64_t launch; /* number of the launch: the order of launches at one time */
    uint64_t seq;    /* number of the work, likewise */
    uint32_t name, group;
    uint32_t next; /* of the same launch or call; NO_ENTRY: last */
};

/* A call that has launched something. */
struct call {
    int64_t start, end, dur;
    uint64_t record;
    uint32_t name, track;
    uint32_t waiting; /* launches whose work has not all come */
    uint32_t items;   /* list, latest first */
    uint32_t n_items; /* NO_ENTRY: this one is free */
};

/* A launch whose work has not all come, or that has not come itself. */
struct launch {
    int64_t ts;
    uint64_t number;
    uint32_t call;
    uint32_t items; /* work that came before it */
};
static const struct launch no_launch = { .call = NO_ENTRY, .items = NO_ENTRY };

struct tr_sequences {
    struct tr_group_by work;
    struct tr_sequences_opts opts;
    struct tr_call_path *tree;
    struct tr_pending launches;
    struct item *items;
    struct call *calls;
    struct tr_freelist item_places, call_places;
    size_t sweep_at; /* at this number of calls, look for those that are done */
    int64_t *come_to; /* by source, to the end of this batch; TR_TIME_NONE: not in this batch */
    size_t cap_come_to;
    uint64_t launch_number, work_number, unowned;
    uint8_t *matches; /* by name: 0 not looked up yet, 1 no, 2 yes */
    size_t n_matches, cap_matches;
    struct item *sorted; /* of one call */
    size_t cap_sorted;
    struct tr_stacks names; /* of work */
    struct tr_rows *rows;
    struct tr_occurrence *found;
    size_t n_found, cap_found;
};

/* ---- rows ---- */

const struct tr_table_column tr_sequences_columns[TR_SEQUENCE_COLUMNS + TR_PATTERN_COLUMNS] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_sequences_row, name), .names = true,
      .meaning = "the operator" },
    { "kernel_sequence", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_sequences_row, work), .wide = true,
      .meaning = "the kernels that it launched, in order" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct tr_sequences_row, count),
      .meaning = "calls that launched this sequence" },
    { "to_launch_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct tr_sequences_row, to_launch), .per = "count",
      .extra = true, .meaning = "mean time from the start of the call to its first launch" },
    { "launch_to_start_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct tr_sequences_row, launch_to_start),
      .per = "count", .extra = true, .meaning = "mean time from the start of that launch to the start of its kernel" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct tr_sequences_row, kernels), .extra = true,
      .meaning = "number of kernels of all these calls" },
    { "kernel_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_sequences_row, work_dur), .main = true,
      .meaning = "sum of their durations" },
    { "operator_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_sequences_row, call_dur), .extra = true,
      .meaning = "sum of durations of the calls" },

    { "pattern", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_sequences_row, work), .wide = true,
      .meaning = "name of the span and names of its work, with | between them" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct tr_sequences_row, count),
      .meaning = "number of spans that launched this work" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_sequences_row, work_dur),
      .meaning = "sum of durations of their work" },
    { "cpu", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_sequences_row, call_dur),
      .meaning = "sum of durations of the spans" },
    { "length", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct tr_sequences_row, n_work),
      .meaning = "number of kernels, copies and memsets in the pattern" },
};

void tr_sequences_names(const struct tr_sequences *a, const struct tr_sequences_row *row, uint32_t *names)
{
    tr_stacks_names(&a->names, row->work, (size_t)row->n_work, names);
}

/* The names of the work, for a pattern after the name of the span. */
static bool sequence_text(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                          struct tr_str *text)
{
    const struct tr_sequences *a = self;
    const struct tr_sequences_row *r = row;
    const struct tr_dict *dict = a->work.dict;
    bool pattern = strcmp(is->name, "pattern") == 0;
    const char *between = pattern ? "|" : " -> ";
    uint32_t *names = calloc((size_t)r->n_work + 1, sizeof *names);
    bool ok = names != NULL;
    room->len = 0;
    if (ok)
        tr_sequences_names(a, r, names);
    if (ok && pattern)
        ok = tr_buf_add_text(room, tr_dict_text(dict, r->name)) && tr_buf_add_str(room, between);
    for (size_t i = 0; ok && i < r->n_work; i++)
        ok = tr_buf_add_str(room, i ? between : "") && tr_buf_add_text(room, tr_dict_text(dict, names[i]));
    free(names);
    *text = (struct tr_str){ room->data ? (const char *)room->data : "", room->len };
    return ok;
}

static int compare_sequences(void *self, const struct tr_table_column *is, const void *x, const void *y)
{
    const struct tr_sequences *a = self;
    (void)is;
    return tr_stacks_cmp(&a->names, a->work.dict, ((const struct tr_sequences_row *)x)->work,
                         ((const struct tr_sequences_row *)y)->work);
}

static bool save_sequence(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                          struct tr_str *text)
{
    const struct tr_sequences *a = self;
    (void)is;
    bool ok = tr_partial_list_stack(&a->names, a->work.dict, ((const struct tr_sequences_row *)row)->work, room);
    *text = (struct tr_str){ (const char *)room->data, room->len };
    return ok;
}

static bool load_sequence(void *self, const struct tr_table_column *is, struct tr_partial_in *in, struct tr_str text,
                          void *to)
{
    (void)is;
    return tr_partial_stack(in, &((struct tr_sequences *)self)->names, text, to);
}

static const struct tr_row_own own_texts = { sequence_text, compare_sequences, save_sequence, load_sequence };

const struct tr_row_type tr_sequences_type = {
    .name = "sequences",
    .size = sizeof(struct tr_sequences_row),
    .key_size = offsetof(struct tr_sequences_row, work) + sizeof(uint32_t),
    .columns = tr_sequences_columns,
    .n_columns = sizeof tr_sequences_columns / sizeof *tr_sequences_columns,
    .order = "count,name,kernel_sequence",
    .own = &own_texts,
};

struct tr_rows *tr_sequences_rows(const struct tr_sequences *a)
{
    return a->rows;
}

/* ---- calls and their work ---- */

enum tr_status tr_sequences_new(const struct tr_sequences_opts *opts, const struct tr_analysis_in *in,
                                struct tr_sequences **out, struct tr_error *err)
{
    struct tr_sequences *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->opts = *opts;
    a->sweep_at = 1024;
    tr_pending_init(&a->launches, in->dict, &no_launch, sizeof no_launch);
    enum tr_status st =
        tr_group_by_init(&a->work, &opts->work, in->dict, in->summary, in->sorted, in->select, err);
    if (st == TR_OK && (!(a->rows = tr_rows_new(&tr_sequences_type, in, &a->work, true)) ||
                        !(a->tree = tr_call_path_new())))
        st = tr_fail_memory(err);
    if (st == TR_OK) {
        tr_rows_owner(a->rows, a);
        *out = a;
    } else {
        tr_sequences_free(a);
    }
    return st;
}

void tr_sequences_free(struct tr_sequences *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    tr_call_path_free(a->tree);
    tr_pending_free(&a->launches);
    tr_rows_free(a->rows);
    tr_stacks_free(&a->names);
    free(a->items);
    free(a->calls);
    tr_freelist_free(&a->item_places);
    tr_freelist_free(&a->call_places);
    free(a->matches);
    free(a->sorted);
    free(a->found);
    free(a->come_to);
    free(a);
}

/* ---- places for work and calls; NO_ENTRY: out of memory ---- */

static void drop_items(struct tr_sequences *a, uint32_t list)
{
    for (; list != NO_ENTRY; list = a->items[list].next)
        tr_freelist_give(&a->item_places, list);
}

/* ---- calls that are complete ---- */

TR_ORDER(by_launch, struct item, TR_UP(launch_ts), TR_UP(launch), TR_UP(seq))

static int by_start(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    return a->seq < b->seq ? -1 : 1; /* they came in canonical order */
}

static bool add_occurrence(struct tr_sequences *a, const struct call *c, size_t row)
{
    if (!tr_grow(&a->found, &a->cap_found, a->n_found + 1, sizeof *a->found))
        return false;
    a->found[a->n_found++] = (struct tr_occurrence){ c->record, c->start, c->dur, c->track, (uint32_t)row };
    return true;
}

/* Add a call with its work, which is in a->sorted. */
static bool count_call(struct tr_sequences *a, const struct call *c)
{
    const struct item *first = &a->sorted[0];
    struct tr_sequences_row key = { .group = first->group, .name = c->name, .work = TR_STACK_NONE };
    int64_t sum = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < c->n_items; i++) {
        const struct item *it = &a->sorted[i];
        sum = tr_time_sum(sum, it->dur);
        if (by_launch(it, first) < 0)
            first = it;
        ok = tr_stacks_inner(&a->names, key.work, it->name, &key.work);
    }
    struct tr_sequences_row *row = ok ? tr_rows_at(a->rows, &key) : NULL;
    if (!row)
        return false;
    row->count++;
    tr_stats_add_known(&row->to_launch, tr_time_diff(first->launch_ts, c->start));
    tr_stats_add_known(&row->launch_to_start, tr_time_diff(first->start, first->launch_ts));
    tr_stats_add_known(&row->work_dur, sum);
    tr_stats_add(&row->call_dur, c->dur == INT64_MAX ? 0 : c->dur);
    return !a->opts.occurrences || add_occurrence(a, c, tr_rows_number(a->rows, row));
}

static bool finish_call(struct tr_sequences *a, uint32_t number)
{
    struct call *c = &a->calls[number];
    size_t n = c->n_items;
    bool ok = true;
    if (n && n >= a->opts.min_length) {
        ok = tr_grow(&a->sorted, &a->cap_sorted, n, sizeof *a->sorted);
        size_t k = 0;
        for (uint32_t i = c->items; ok && i != NO_ENTRY; i = a->items[i].next)
            a->sorted[k++] = a->items[i];
        if (ok)
            qsort(a->sorted, n, sizeof *a->sorted, a->opts.by_start ? by_start : by_launch);
        ok = ok && count_call(a, c);
    }
    drop_items(a, c->items);
    c->items = NO_ENTRY;
    c->n_items = NO_ENTRY;
    return ok;
}

/*
 * Find calls that have ended and whose work has all come, in the sources of a batch.  Sources of other ranks may not
 * have come as far.
 */
static bool sweep(struct tr_sequences *a, const struct tr_batch *b)
{
    const struct tr_track *tracks = a->work.dict->tracks;
    size_t n_sources = a->work.dict->n_sources, n_seen = 0;
    if (tr_freelist_used(&a->call_places) < a->sweep_at)
        return true;
    if (!tr_grow(&a->come_to, &a->cap_come_to, n_sources, sizeof *a->come_to))
        return false;
    for (size_t s = 0; s < n_sources; s++)
        a->come_to[s] = TR_TIME_NONE; /* before any end */
    for (size_t i = b->n; i-- > 0 && n_seen < n_sources;) {
        int64_t *to = &a->come_to[tracks[b->track[i]].source];
        n_seen += *to == TR_TIME_NONE;
        *to = *to < b->ts[i] ? b->ts[i] : *to;
    }
    for (uint32_t i = 0; i < a->call_places.n; i++) {
        struct call *c = &a->calls[i];
        if (c->n_items == NO_ENTRY || c->waiting || c->end >= a->come_to[tracks[c->track].source])
            continue;
        if (!finish_call(a, i))
            return false;
        tr_freelist_give(&a->call_places, i);
    }
    size_t left = tr_freelist_used(&a->call_places);
    a->sweep_at = left < 512 ? 1024 : left * 2;
    return true;
}

/* ---- events ---- */

static bool matches(struct tr_sequences *a, const struct tr_call *c)
{
    if (a->opts.callers && !(a->opts.callers >> c->activity & 1))
        return false;
    if (!a->opts.match)
        return true;
    if (c->name == TR_NO_STR)
        return false;
    if (!a->matches[c->name])
        a->matches[c->name] =
            a->opts.match(a->opts.match_self, tr_dict_text(a->work.dict, c->name)) ? 2 : 1;
    return a->matches[c->name] == 2;
}

/*
 * The span that owns the work launched by the last span of a path.  Each span notes the index of its owner in the path
 * + 1.  The owner is the span itself, or the owner of the span around it.  So this takes one step, however many spans
 * are open.
 */
static struct tr_call *owner_of(struct tr_sequences *a, const struct tr_callpath *path)
{
    struct tr_call *span = &path->open[path->depth];
    uint32_t around = path->depth ? path->open[path->depth - 1].notes[0] : 0;
    bool own = a->opts.outermost && around ? false : matches(a, span);
    span->notes[0] = own ? (uint32_t)path->depth + 1 : around;
    return span->notes[0] ? &path->open[span->notes[0] - 1] : NULL;
}

/* The call of a span; it is made if it is new. */
static uint32_t call_of(struct tr_sequences *a, struct tr_call *span, uint32_t track)
{
    if (span->tag)
        return (uint32_t)(span->tag - 1);
    uint32_t number = tr_freelist_take(&a->call_places, &a->calls, sizeof *a->calls);
    if (number == NO_ENTRY)
        return NO_ENTRY;
    span->tag = (uint64_t)number + 1;
    a->calls[number] =
        (struct call){ .start = span->start,
                       .end = span->dur == INT64_MAX ? INT64_MAX : span->start + span->dur,
                       .dur = span->dur,
                       .record = span->record,
                       .name = span->name,
                       .track = track,
                       .items = NO_ENTRY };
    return number;
}

static void give(struct tr_sequences *a, uint32_t item, const struct launch *l)
{
    struct call *c = &a->calls[l->call];
    struct item *it = &a->items[item];
    it->launch_ts = l->ts;
    it->launch = l->number;
    it->next = c->items;
    c->items = item;
    c->n_items++;
    a->unowned--;
}

/* Work that came before its launch gets its owner. */
static void take_early(struct tr_sequences *a, struct launch *l)
{
    while (l->items != NO_ENTRY) {
        uint32_t item = l->items;
        l->items = a->items[item].next;
        give(a, item, l);
    }
}

/* Launch i comes; span: the call that gets its work, NULL: none. */
static bool add_launch(struct tr_sequences *a, const struct tr_batch *b, size_t i, struct tr_call *span)
{
    uint32_t number, call = span ? call_of(a, span, b->track[i]) : NO_ENTRY;
    if ((span && call == NO_ENTRY) || !tr_pending_call(&a->launches, b, i, span != NULL, &number))
        return false;
    uint64_t in_order = a->launch_number;
    a->launch_number += span != NULL;
    if (number == TR_PENDING_NONE)
        return true;
    struct launch *l = tr_pending_at(&a->launches, number);
    if (span) {
        l->ts = b->ts[i];
        l->number = in_order;
        l->call = call;
        take_early(a, l);
        a->calls[call].waiting += !tr_pending_is_whole(&a->launches, number);
    } else {
        drop_items(a, l->items);
    }
    tr_pending_settle(&a->launches, number);
    return true;
}

static bool add_host(struct tr_sequences *a, const struct tr_batch *b, size_t i,
                     struct tr_error *err)
{
    struct tr_callpath path;
    if (tr_call_path_enter(a->tree, b, i, &path, err) != TR_OK)
        return false;
    struct tr_call *owner = owner_of(a, &path);
    return !(b->flags[i] & TR_HAS_DEVICE) || add_launch(a, b, i, owner);
}

static bool add_device(struct tr_sequences *a, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item w;
    uint32_t number = TR_PENDING_NONE;
    bool counts = tr_group_by_counts(&a->work, i);
    a->work_number += counts;
    a->unowned += counts;
    if (!tr_is_device_work(b->activity[i]) || !tr_pending_work(&a->launches, b, i, &number))
        return !tr_is_device_work(b->activity[i]);
    if (number == TR_PENDING_NONE)
        return true;
    struct launch *l = tr_pending_at(&a->launches, number);
    if (counts) {
        uint32_t item = tr_freelist_take(&a->item_places, &a->items, sizeof *a->items);
        if (item == NO_ENTRY || !tr_group_by_item(&a->work, i, &w))
            return false;
        a->items[item] = (struct item){ .start = b->ts[i],
                                        .dur = w.end - w.start,
                                        .seq = a->work_number,
                                        .name = b->name[i],
                                        .group = w.group,
                                        .next = l->items };
        if (tr_pending_has_come(&a->launches, number))
            give(a, item, l);
        else
            l->items = item;
    }
    if (tr_pending_is_whole(&a->launches, number))
        a->calls[l->call].waiting--;
    tr_pending_settle(&a->launches, number);
    return true;
}

static bool start_batch(struct tr_sequences *a, const struct tr_batch *b)
{
    size_t n_names = tr_strtab_count(a->work.dict->strings);
    if (!tr_pending_batch(&a->launches, b) || !tr_grow(&a->matches, &a->cap_matches, n_names + 1, 1))
        return false;
    memset(a->matches + a->n_matches, 0, n_names - a->n_matches);
    a->n_matches = n_names;
    return true;
}

enum tr_status tr_sequences_feed(struct tr_sequences *a, const struct tr_batch *b,
                                 const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = tr_group_by_batch(&a->work, b, keep, err);
    bool ok = st == TR_OK && start_batch(a, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue;
        if (!tr_is_call(b, i))
            ok = add_device(a, b, i);
        else if (!keep || keep[i])
            ok = add_host(a, b, i, err);
    }
    ok = ok && sweep(a, b);
    return st != TR_OK || ok ? st : tr_fail_memory(err);
}

/* ---- the result ---- */

enum tr_status tr_sequences_complete(struct tr_sequences *a, struct tr_error *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->call_places.n; i++)
        if (a->calls[i].n_items != NO_ENTRY)
            ok = finish_call(a, i);
    for (size_t i = 0; ok && i < tr_rows_count(a->rows); i++) {
        struct tr_sequences_row *r = tr_rows_get(a->rows, i);
        r->n_work = tr_stacks_depth(&a->names, r->work);
        r->kernels = r->n_work * r->count;
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

struct timed {
    const struct tr_dict *dict;
    struct tr_occurrence it;
};

static int by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    const struct tr_track *tracks = x->dict->tracks;
    struct tr_order_key kx = { x->it.ts, x->it.dur, tracks[x->it.track].source, x->it.record };
    struct tr_order_key ky = { y->it.ts, y->it.dur, tracks[y->it.track].source, y->it.record };
    return tr_order_key_cmp(x->dict, &kx, &ky);
}

const struct tr_occurrence *tr_sequences_occurrences(struct tr_sequences *a, const uint32_t *order, size_t *n)
{
    size_t n_rows = tr_rows_count(a->rows);
    struct timed *timed = calloc(a->n_found + 1, sizeof *timed);
    uint32_t *place = calloc(n_rows + 1, sizeof *place);
    bool ok = timed && place && tr_grow(&a->found, &a->cap_found, 1, sizeof *a->found);
    for (uint32_t i = 0; ok && i < n_rows; i++)
        place[order[i]] = i;
    for (size_t i = 0; ok && i < a->n_found; i++) {
        timed[i] = (struct timed){ a->work.dict, a->found[i] };
        timed[i].it.row = place[a->found[i].row];
    }
    if (ok)
        qsort(timed, a->n_found, sizeof *timed, by_time);
    for (size_t i = 0; ok && i < a->n_found; i++)
        a->found[i] = timed[i].it;
    free(timed);
    free(place);
    *n = a->n_found;
    return ok ? a->found : NULL;
}

void tr_sequences_coverage(const struct tr_sequences *a, uint64_t *work, uint64_t *unowned)
{
    *work = a->work_number;
    *unowned = a->unowned;
}

/* ---- partial results ---- */

struct coverage {
    uint64_t work, unowned;
};
static const struct tr_saved_column coverage_columns[] = {
    { "work", TR_SAVED_COUNT, offsetof(struct coverage, work) },
    { "unowned", TR_SAVED_COUNT, offsetof(struct coverage, unowned) },
};
const struct tr_saved_table tr_sequences_saved[TR_SEQUENCES_TABLES] = {
    { .rows = &tr_sequences_type },
    TR_SAVED_TABLE("coverage", coverage_columns),
};

enum tr_status tr_sequences_save(struct tr_sequences *a, struct tr_partial_out *out, struct tr_error *err)
{
    tr_partial_put(out, 1, &(struct coverage){ a->work_number, a->unowned });
    return tr_rows_save(a->rows, out, 0, err);
}

enum tr_status tr_sequences_load(struct tr_sequences *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct coverage c;
    enum tr_status st = tr_rows_load(a->rows, in, 0, err);
    while (st == TR_OK && tr_partial_get(in, 1, &c)) {
        tr_partial_add_count(in, &a->work_number, c.work);
        tr_partial_add_count(in, &a->unowned, c.unowned);
    }
    return st == TR_OK ? tr_partial_status(in, err) : st;
}
