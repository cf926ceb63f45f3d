/* SPDX-License-Identifier: MIT */
/* Calls of operators, and whose work is whose. */
#include "analysis/tr_operators.h"

#include "analysis/tr_operator_keys_int.h"
#include "analysis/tr_operator_owners_int.h"
#include "base/tr_freelist.h"
#include "base/tr_interval.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A piece of work, in a list of its call's own, of what lies below the call, or of a launch that has not come. */
struct item {
    int64_t start, end;
    uint32_t group, next;
};

struct list {
    uint32_t first, last; /* NONE: empty */
};
static const struct list empty = { NONE, NONE };

/* A call of an operator. */
struct call {
    int64_t start, end;   /* clipped; of one that never ends both its start */
    int64_t open_until;   /* not clipped: nothing can lie in it after that */
    int64_t covered;      /* calls of operators inside of it, up to here, are taken from its own time */
    uint32_t parent, row, source;
    uint32_t pending;     /* launches whose work has not all come, and calls in it that are not done */
    struct list own, below;
    bool inner;           /* a call of the same row is around it */
    bool counts, live;
    struct tr_operator_key key;
    uint64_t record;
    struct tr__owner_call owner;
};

/* A launch whose work has not all come, or that has not come itself. */
struct launch {
    uint64_t left; /* work to come; of a launch still to come: what came before it */
    uint32_t call; /* NONE: the launch itself has not come */
    struct list early;
};

struct tr_operators {
    struct tr_group_by work;
    struct tr__operator_keys keys;
    bool where; /* work was tested */
    bool owned; /* owners of work were asked for */
    struct tr__owners owners;
    struct tr_call_path *path;
    struct call *calls;
    struct item *items;
    struct launch *launches;
    struct tr_freelist call_places, item_places, launch_places;
    size_t sweep_at; /* when so many calls are there, look which of them are done */
    struct tr_eventmap launch_of;
    int64_t *come_to; /* by source: the start of its latest event */
    size_t n_come, cap_come;
    struct tr_operator_row *rows;
    size_t n_rows, cap_rows;
    struct tr_hash_index row_of;
    struct item *sorted; /* of one call */
    size_t cap_sorted;
    int64_t *launch_ts, *launch_record, *launch_track, *n_device; /* of this batch */
    size_t cap_ts, cap_record, cap_track, cap_device;
};

enum tr_status tr_operators_new(const struct tr_group_by_opts *opts, unsigned by, const struct tr_dict *dict,
                                const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                struct tr_operators **out, struct tr_error *err)
{
    struct tr_operators *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->sweep_at = 1024;
    enum tr_status st = tr_group_by_init(&a->work, opts, dict, summary, sorted, select, err);
    if (st == TR_OK && (!tr__operator_keys_init(&a->keys, by, dict) || !(a->path = tr_call_path_new())))
        st = tr_fail_memory(err);
    a->where = select && tr_select_has_where(select);
    if (st == TR_OK)
        *out = a;
    else
        tr_operators_free(a);
    return st;
}

void tr_operators_free(struct tr_operators *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    tr__operator_keys_free(&a->keys);
    tr_call_path_free(a->path);
    tr__owners_free(&a->owners);
    tr_eventmap_free(&a->launch_of);
    tr_hash_index_free(&a->row_of);
    free(a->calls);
    free(a->items);
    free(a->launches);
    tr_freelist_free(&a->call_places);
    tr_freelist_free(&a->item_places);
    tr_freelist_free(&a->launch_places);
    free(a->come_to);
    free(a->rows);
    free(a->sorted);
    free(a->launch_ts);
    free(a->launch_record);
    free(a->launch_track);
    free(a->n_device);
    free(a);
}

void tr_operators_models(struct tr_operators *a, const struct tr_operator_models *models)
{
    a->owned = true;
    a->owners.models = *models;
}

const struct tr_operator_owned *tr_operators_owned(const struct tr_operators *a, size_t i)
{
    return i < a->owners.n_rows && a->owners.rows[i].pieces ? &a->owners.rows[i] : NULL;
}

const struct tr_group_by *tr_operators_groups(const struct tr_operators *a)
{
    return &a->work;
}

bool tr_operators_stack(const struct tr_operators *a, uint32_t stack, struct tr_buf *out)
{
    return tr__operator_stack(&a->keys, stack, out);
}

struct tr_str tr_operators_text(const struct tr_operators *a, uint32_t text)
{
    return text == NONE ? tr_str_of(NULL)
                        : (struct tr_str){ tr_strtab_get(a->keys.texts, text), tr_strtab_len(a->keys.texts, text) };
}

/* ---- rows ---- */

/* The number of the row of a key; NONE: out of memory. */
static uint32_t row_of(struct tr_operators *a, const struct tr_operator_key *key)
{
    uint64_t hash = tr_hash(key, sizeof *key);
    struct tr_hash_walk walk = tr_hash_index_walk(&a->row_of, hash);
    for (uint32_t r; (r = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&a->rows[r].key, key, sizeof *key) == 0)
            return r;
    if (a->n_rows >= NONE - 1 || !tr_grow(&a->rows, &a->cap_rows, a->n_rows + 1, sizeof *a->rows) ||
        !tr_hash_index_add(&a->row_of, hash, (uint32_t)a->n_rows))
        return NONE;
    a->rows[a->n_rows] = (struct tr_operator_row){ .key = *key };
    return (uint32_t)a->n_rows++;
}

struct tr__operator_keys *tr__operators_keys(struct tr_operators *a)
{
    return &a->keys;
}

struct tr_group_by *tr__operators_groups(struct tr_operators *a)
{
    return &a->work;
}

struct tr_operator_row *tr__operators_row(struct tr_operators *a, const struct tr_operator_key *key)
{
    uint32_t row = row_of(a, key);
    return row == NONE ? NULL : &a->rows[row];
}

bool tr_operators_where(const struct tr_operators *a)
{
    return a->where;
}

void tr__operators_set_where(struct tr_operators *a, bool where)
{
    a->where |= where;
}

/* The row that a call has in a group, which is another than its own where work belongs to another step. */
static struct tr_operator_row *row_in(struct tr_operators *a, const struct call *c, uint32_t group)
{
    struct tr_operator_key key = c->key;
    uint32_t row = c->row;
    key.group = group;
    if (group != c->key.group)
        row = row_of(a, &key);
    return row == NONE ? NULL : &a->rows[row];
}

/* ---- lists of work ---- */

static uint32_t new_item(struct tr_operators *a, const struct tr_group_by_item *w)
{
    uint32_t i = tr_freelist_take(&a->item_places, &a->items, sizeof *a->items);
    if (i != NONE)
        a->items[i] = (struct item){ w->start, w->end, w->group, NONE };
    return i;
}

static void append(struct tr_operators *a, struct list *to, struct list from)
{
    if (from.first == NONE)
        return;
    if (to->first == NONE)
        to->first = from.first;
    else
        a->items[to->last].next = from.first;
    to->last = from.last;
}

static int by_start(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    return a->start != b->start ? (a->start < b->start ? -1 : 1) : a->end < b->end ? -1 : a->end > b->end;
}

/* The length of the union of n items in a->sorted; TR_TIME_NONE: it does not fit. */
static int64_t length_of(struct tr_operators *a, size_t n)
{
    struct tr_union u = TR_UNION_INIT;
    qsort(a->sorted, n, sizeof *a->sorted, by_start);
    for (size_t i = 0; i < n; i++)
        tr_union_add(&u, a->sorted[i].start, a->sorted[i].end);
    return tr_time_of_length(u.sum_ns);
}

static bool sort_in(struct tr_operators *a, struct list l, size_t *n)
{
    for (uint32_t i = l.first; i != NONE; i = a->items[i].next) {
        if (!tr_grow(&a->sorted, &a->cap_sorted, *n + 1, sizeof *a->sorted))
            return false;
        a->sorted[(*n)++] = a->items[i];
    }
    return true;
}

/* ---- calls that are done ---- */

/* A call whose work has all come: its unions are known, and what it holds goes to the call around it. */
static bool finish_call(struct tr_operators *a, uint32_t number)
{
    struct call *c = &a->calls[number];
    struct tr_operator_row *row = &a->rows[c->row];
    struct tr__owner_work w = { .row = c->row, .start = c->start, .record = c->record };
    size_t n = 0;
    if (!sort_in(a, c->own, &n))
        return false;
    w.n_own = n;
    w.own = n ? length_of(a, n) : 0;
    row->device_self_busy = tr_time_sum(row->device_self_busy, w.own);
    if ((!c->inner || a->owned) && !sort_in(a, c->below, &n))
        return false;
    w.n_all = n;
    w.all = n ? length_of(a, n) : 0;
    if (!c->inner)
        row->device_busy = tr_time_sum(row->device_busy, w.all);
    w.host = tr_time_diff(c->end, c->start);
    if (a->owned && !tr__owners_done(&a->owners, &c->owner, c->parent != NONE ? &a->calls[c->parent].owner : NULL, &w))
        return false;
    append(a, &c->own, c->below);
    if (c->parent != NONE) {
        append(a, &a->calls[c->parent].below, c->own);
        a->calls[c->parent].pending--;
    } else {
        for (uint32_t i = c->own.first; i != NONE; i = a->items[i].next)
            tr_freelist_give(&a->item_places, i);
    }
    c->live = false;
    tr_freelist_give(&a->call_places, number);
    return true;
}

static bool done(const struct tr_operators *a, const struct call *c, bool all)
{
    return c->live && !c->pending && (all || c->open_until < a->come_to[c->source]);
}

/* Finish calls that are done, and those around them that are done with that. */
static bool finish_calls(struct tr_operators *a, bool all)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < a->call_places.n; i++)
        for (uint32_t c = i; ok && c != NONE && done(a, &a->calls[c], all);) {
            uint32_t parent = a->calls[c].parent;
            ok = finish_call(a, c);
            c = parent;
        }
    size_t left = tr_freelist_used(&a->call_places);
    a->sweep_at = left < 512 ? 1024 : left * 2;
    return ok;
}

/* ---- calls ---- */

/* The innermost call of an operator around a span; NONE: there is none.  Other spans have the tag of the call around
 * them, so that it is found in one step however many of them are open. */
static uint32_t call_around(const struct tr_callpath *path)
{
    return path->depth && path->open[path->depth - 1].tag ? (uint32_t)(path->open[path->depth - 1].tag - 1) : NONE;
}

/* Time of a call, and no longer time of the call around it alone. */
static void count_call(struct tr_operators *a, const struct call *c)
{
    if (c->parent != NONE) {
        struct call *around = &a->calls[c->parent];
        int64_t from = c->start > around->covered ? c->start : around->covered;
        int64_t to = c->end < around->end ? c->end : around->end;
        struct tr_operator_row *row = &a->rows[around->row];
        if (to > from && around->counts)
            row->host_self = tr_time_sum(row->host_self, from - to);
        around->covered = to > around->covered ? to : around->covered;
    }
    if (!c->counts)
        return;
    struct tr_operator_row *row = &a->rows[c->row];
    int64_t length = tr_time_diff(c->end, c->start);
    row->calls++;
    row->host_self = tr_time_sum(row->host_self, length);
    row->host = c->inner ? row->host : tr_time_sum(row->host, length);
}

static bool add_call(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path, bool counts)
{
    struct tr_call *span = &path->open[path->depth];
    struct call c = { .open_until = span->end, .own = empty, .below = empty, .live = true, .record = b->record[i],
                      .owner = TR__OWNER_CALL_INIT };
    uint32_t number = tr_freelist_take(&a->call_places, &a->calls, sizeof *a->calls);
    c.source = a->work.dict->tracks[b->track[i]].source;
    c.parent = call_around(path);
    c.counts = counts;
    c.start = tr_select_clip(a->work.select, c.source, span->start);
    c.end = span->dur == INT64_MAX ? c.start : tr_select_clip(a->work.select, c.source, span->end);
    c.covered = c.start;
    if (number == NONE || !tr__operator_key(&a->keys, b, i, path, &c.key) ||
        !tr_group_by_group(&a->work, i, &c.key.group) || (c.row = row_of(a, &c.key)) == NONE)
        return false;
    for (uint32_t p = c.parent; p != NONE && !c.inner; p = a->calls[p].parent)
        c.inner = a->calls[p].row == c.row;
    if (a->owned)
        c.owner.model = c.key.name != TR_NO_STR && a->owners.models.has(a->owners.models.self, c.key.name);
    if (c.parent != NONE) {
        a->calls[c.parent].pending++;
        c.owner.covered = a->calls[c.parent].owner.model || a->calls[c.parent].owner.covered;
    }
    a->calls[number] = c;
    count_call(a, &a->calls[number]);
    span->tag = (uint64_t)number + 1;
    return true;
}

/* ---- launches and their work ---- */

static uint32_t new_launch(struct tr_operators *a)
{
    uint32_t i = tr_freelist_take(&a->launch_places, &a->launches, sizeof *a->launches);
    if (i != NONE)
        a->launches[i] = (struct launch){ .call = NONE, .early = empty };
    return i;
}

static void drop_launch(struct tr_operators *a, uint32_t launch, uint32_t source, uint64_t record)
{
    tr_freelist_give(&a->launch_places, launch);
    tr_eventmap_remove(&a->launch_of, source, record);
}

static void add_time(struct tr_operator_row *row, const struct tr_group_by_item *w, bool self, bool below)
{
    int64_t ns = tr_time_diff(w->end, w->start);
    row->kernels += self;
    row->kernels_below += below;
    row->device_self = self ? tr_time_sum(row->device_self, ns) : row->device_self;
    row->device = below ? tr_time_sum(row->device, ns) : row->device;
}

/* Work that no operator launched.  False: out of memory, here as below. */
static bool give_nobody(struct tr_operators *a, const struct tr_group_by_item *w)
{
    const struct tr_operator_key key = { w->group, TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR,
                                         NONE,     NONE,      NONE };
    uint32_t row = row_of(a, &key);
    if (row != NONE)
        add_time(&a->rows[row], w, true, true);
    return row != NONE && (!a->owned || tr__owners_nobody(&a->owners, row, tr_time_diff(w->end, w->start)));
}

static bool give(struct tr_operators *a, const struct tr_group_by_item *w, uint32_t call)
{
    uint32_t item = new_item(a, w);
    if (item == NONE)
        return false;
    append(a, &a->calls[call].own, (struct list){ item, item });
    for (uint32_t c = call; c != NONE; c = a->calls[c].parent) {
        struct tr_operator_row *row = row_in(a, &a->calls[c], w->group);
        if (!row)
            return false;
        add_time(row, w, c == call, !a->calls[c].inner);
    }
    return true;
}

/* Work that came before its launch gets its owner. */
static bool give_early(struct tr_operators *a, struct list *early, uint32_t call)
{
    bool ok = true;
    for (uint32_t i = early->first, next; ok && i != NONE; i = next) {
        const struct tr_group_by_item w = { a->items[i].group, a->items[i].start, a->items[i].end };
        next = a->items[i].next;
        tr_freelist_give(&a->item_places, i);
        ok = call == NONE ? give_nobody(a, &w) : give(a, &w, call);
    }
    *early = empty;
    return ok;
}

static bool add_launch(struct tr_operators *a, const struct tr_batch *b, size_t i, uint32_t call)
{
    uint32_t source = a->work.dict->tracks[b->track[i]].source;
    uint32_t number = tr_eventmap_get(&a->launch_of, source, b->record[i]);
    uint64_t due = a->n_device[i] > 0 ? (uint64_t)a->n_device[i] : 0;
    if (number == NONE && (call == NONE || !due))
        return true;
    if (number == NONE &&
        ((number = new_launch(a)) == NONE || !tr_eventmap_put(&a->launch_of, source, b->record[i], number)))
        return false;
    struct launch *l = &a->launches[number];
    struct list early = l->early;
    l->left = call != NONE && due > l->left ? due - l->left : 0;
    l->call = call;
    l->early = empty;
    if (l->left)
        a->calls[call].pending++;
    else
        drop_launch(a, number, source, b->record[i]);
    return give_early(a, &early, call);
}

static bool add_host(struct tr_operators *a, const struct tr_batch *b, size_t i, const uint8_t *keep,
                     struct tr_error *err)
{
    struct tr_callpath path;
    unsigned act = b->activity[i];
    bool suspect = b->suspect[i] != TR_SUSPECT_NO && !a->work.opts.suspect;
    if (tr_call_path_enter(a->path, b, i, &path, err) != TR_OK)
        return false;
    bool op = act == TR_ACT_CPU_OP || act == TR_ACT_COMM_RECORD;
    if (op && !add_call(a, b, i, &path, (!keep || keep[i]) && !suspect))
        return false;
    uint32_t call = op ? (uint32_t)(path.open[path.depth].tag - 1) : call_around(&path);
    path.open[path.depth].tag = call == NONE ? 0 : (uint64_t)call + 1;
    return !(b->flags[i] & TR_HAS_DEVICE) || add_launch(a, b, i, call);
}

/* The launch of work i, and its source; NONE: nobody's.  *ok false: out of memory. */
static uint32_t launch_of(struct tr_operators *a, const struct tr_batch *b, size_t i, uint32_t *source, bool *ok)
{
    const struct tr_dict *d = a->work.dict;
    if (a->launch_track[i] == TR_I64_NONE || (uint64_t)a->launch_track[i] >= d->n_tracks)
        return NONE;
    *source = d->tracks[a->launch_track[i]].source;
    uint64_t record = (uint64_t)a->launch_record[i];
    uint32_t number = tr_eventmap_get(&a->launch_of, *source, record);
    if (number == NONE && a->launch_ts[i] >= b->ts[i]) { /* perhaps it is still to come */
        number = new_launch(a);
        *ok = number != NONE && tr_eventmap_put(&a->launch_of, *source, record, number);
    }
    return number;
}

static bool add_device(struct tr_operators *a, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item w;
    bool ok = true, counts = tr_group_by_counts(&a->work, i);
    uint32_t source = 0, number = launch_of(a, b, i, &source, &ok);
    if (ok && counts)
        ok = tr_group_by_item(&a->work, i, &w);
    if (!ok || number == NONE)
        return ok && (!counts || give_nobody(a, &w));
    struct launch *l = &a->launches[number];
    if (l->call == NONE) {
        uint32_t item = counts ? new_item(a, &w) : NONE;
        l->left++;
        if (counts && item != NONE)
            append(a, &l->early, (struct list){ item, item });
        return !counts || item != NONE;
    }
    uint32_t call = l->call;
    ok = !counts || give(a, &w, call);
    if (!--l->left) {
        a->calls[call].pending--;
        drop_launch(a, number, source, (uint64_t)a->launch_record[i]);
    }
    return ok;
}

/* ---- batches ---- */

static bool expand(struct tr_operators *a, const struct tr_batch *b)
{
    size_t n_sources = a->work.dict->n_sources;
    if (!tr_grow(&a->launch_ts, &a->cap_ts, b->n, sizeof *a->launch_ts) ||
        !tr_grow(&a->launch_record, &a->cap_record, b->n, sizeof *a->launch_record) ||
        !tr_grow(&a->launch_track, &a->cap_track, b->n, sizeof *a->launch_track) ||
        !tr_grow(&a->n_device, &a->cap_device, b->n, sizeof *a->n_device) ||
        !tr_grow(&a->come_to, &a->cap_come, n_sources, sizeof *a->come_to) || !tr__operator_keys_batch(&a->keys, b))
        return false;
    for (; a->n_come < n_sources; a->n_come++)
        a->come_to[a->n_come] = TR_TIME_NONE;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, a->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, a->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, a->launch_track);
    tr_batch_expand_i64(b, TR_COL_N_DEVICE, 0, a->n_device);
    return true;
}

enum tr_status tr_operators_feed(struct tr_operators *a, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err)
{
    const uint8_t *host = a->work.select ? tr_select_before_where(a->work.select, keep) : keep;
    enum tr_status st = tr_group_by_batch(&a->work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = expand(a, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (tr_is_call(b, i))
            ok = add_host(a, b, i, host, err);
        else if (b->phase[i] == TR_SPAN && tr_is_device_work(b->activity[i]))
            ok = add_device(a, b, i);
        a->come_to[a->work.dict->tracks[b->track[i]].source] = b->ts[i];
    }
    if (ok && tr_freelist_used(&a->call_places) >= a->sweep_at)
        ok = finish_calls(a, false);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_operators_finish(struct tr_operators *a, const struct tr_operator_row **rows, size_t *n,
                                   struct tr_error *err)
{
    bool ok = true;
    /* Launches that never came own nothing; what others wait for does not come either. */
    for (size_t i = 0; ok && i < a->launch_places.n; i++)
        ok = give_early(a, &a->launches[i].early, NONE);
    for (size_t i = 0; i < a->call_places.n; i++)
        a->calls[i].pending = 0;
    for (size_t i = 0; i < a->call_places.n; i++)
        if (a->calls[i].live && a->calls[i].parent != NONE)
            a->calls[a->calls[i].parent].pending++;
    ok = ok && finish_calls(a, true);
    *rows = a->rows;
    *n = a->n_rows;
    return ok ? TR_OK : tr_fail_memory(err);
}
