/* SPDX-License-Identifier: MIT */
/*
 * Reader of memory snapshots of PyTorch (torch.cuda.memory._dump_snapshot), as pickles or as JSON.
 *
 *     {"segments": [{"device": 0, "address": ..., "total_size": ..., "stream": 0, "segment_type": "large",
 *                    "blocks": [{"address": ..., "size": ..., "state": "active_allocated", "frames": [...]}]}],
 *      "device_traces": [[{"action": "alloc", "addr": ..., "size": ..., "time_us": ..., "frames": [...]}]],
 *      "external_annotations": [{"stage": "START", "name": "forward", "device": 0, "time_us": ...}]}
 *
 * Each alloc and free of a device's trace becomes an event like those of Kineto for allocations: an instant [memory]
 * with the args Bytes, Addr, Total Allocated and Total Reserved; its Category is the first frame of its stack that is
 * not torch's own.  The totals are exact, because the segments say what they are at the end.  Blocks that were
 * allocated before the trace began become events without a time.  Segments become a table, for what is reserved and not
 * in use.
 *
 * A pickle has a stack once, however many allocations it is of, and so has its JSON: "frames" is a list, or the number
 * of one.
 */
#include "formats/common/tr_dump_int.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_numbers_int.h"
#include "formats/common/tr_pickle_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH      256u /* a pickle as JSON is so many times as large, at most: texts are shared */
#define MAX_DEVICES 1024u
#define MAX_FRAMES  64u
#define ITEMS       256u /* that are read at a time */

enum action { ALLOC, FREE_REQUESTED, FREE_COMPLETED, RESERVE, RELEASE, OTHER };

/* Bytes of a device. */
struct device {
    int64_t allocated, reserved;
};

/* A stack that a pickle has once, for many allocations: its texts, as numbers of the ingest. */
struct stack {
    bool known, too_long;
    uint32_t where, path; /* TR_NO_STR: it has none */
};

enum stage { BLOCKS, TRACES, ANNOTATIONS, END };

struct snapshot {
    struct tr_paged text; /* bytes */
    struct tr_buf name;
    struct tr__pickle_once once; /* stacks of a pickle */
    struct tr_paged stacks;      /* struct stack, by their numbers */
    bool read, cut;
    struct tr_str segments, traces, annotations; /* s NULL: it has none */
    struct tr_str list;                          /* the trace of a device */
    struct tr_str blocks;                        /* of a segment */
    int64_t of_segment;                          /* its device */
    enum stage stage;
    size_t at, in_list;     /* in the list of the stage; in its list */
    size_t device;          /* whose trace is read, plus 1 */
    struct device *devices; /* now */
    size_t n_devices, cap_devices;
    struct tr__numbers live; /* address to what is known of it in the traces: see enum known */
    struct tr_side_table *table;
    uint64_t record;
    struct tr_json_tokens tokens;
    const char *tokens_of;
    struct tr_ingest *g;
    struct tr_error *err;
};

/* What the traces have said of an address. */
enum known { FREED, ALLOCATED, REQUESTED };

/* ---- values ---- */

static bool tokenize(struct snapshot *s, struct tr_str text)
{
    s->tokens_of = text.s;
    return tr_json_tokenize(&s->tokens, text.s, text.len) && s->tokens.tok[0].kind == TR_JSON_OBJECT;
}

static struct tr_str member(const struct snapshot *s, size_t i, const char *key)
{
    size_t at = tr_json_member(&s->tokens, s->tokens_of, i, key);
    const struct tr_json_token *t = at ? &s->tokens.tok[at] : NULL;
    return t ? (struct tr_str){ s->tokens_of + t->start, (size_t)(t->end - t->start) } : (struct tr_str){ NULL, 0 };
}

static int64_t integer(const struct snapshot *s, const char *key)
{
    struct tr_number n;
    struct tr_str v = member(s, 0, key);
    bool number = v.s && tr_json_number(v.s, v.len, &n);
    if (number && n.cls == TR_NUMBER_UINT) /* an address */
        return (int64_t)n.u;
    return number && n.cls == TR_NUMBER_INT ? n.i : TR_I64_NONE;
}

static void bad_item(struct snapshot *s, struct tr_str item)
{
    tr_ingest_damaged(s->g, TR_DAMAGE_BAD_EVENT, (uint64_t)(item.s - (const char *)s->text.data));
}

static struct device *device_of(struct snapshot *s, int64_t number)
{
    if (number < 0 || number >= MAX_DEVICES)
        return NULL;
    if ((size_t)number >= s->n_devices) {
        if (!tr_grow(&s->devices, &s->cap_devices, (size_t)number + 1, sizeof *s->devices))
            return NULL;
        memset(s->devices + s->n_devices, 0, ((size_t)number + 1 - s->n_devices) * sizeof *s->devices);
        s->n_devices = (size_t)number + 1;
    }
    return &s->devices[number];
}

static int64_t sum(int64_t a, int64_t b)
{
    int64_t v;
    return __builtin_add_overflow(a, b, &v) ? a : v;
}

/* ---- actions ---- */

struct item {
    enum action action;
    struct tr_str name; /* of the action */
    int64_t address, size, ts;
};

static enum action action_of(struct tr_str name)
{
    static const struct {
        const char *name;
        enum action action;
    } actions[] = {
        { "alloc", ALLOC }, { "free_requested", FREE_REQUESTED }, { "free_completed", FREE_COMPLETED },
        { "segment_alloc", RESERVE }, { "segment_map", RESERVE }, { "segment_free", RELEASE },
        { "segment_unmap", RELEASE },
    };
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (name.s && tr_str_is(name, actions[i].name))
            return actions[i].action;
    return OTHER;
}

/* Without a time, as old versions of PyTorch write it, its place in the trace is its time. */
static struct item item_of(const struct snapshot *s, uint64_t place)
{
    int64_t us = integer(s, "time_us"), ns;
    struct item i = { .name = member(s, 0, "action"), .address = integer(s, "addr"), .size = integer(s, "size") };
    i.action = action_of(i.name);
    i.ts = us == TR_I64_NONE || __builtin_mul_overflow(us, 1000, &ns) ? (int64_t)place : ns;
    if (i.address == TR_I64_NONE || i.size == TR_I64_NONE || i.size < 0)
        i.action = OTHER;
    return i;
}

/*
 * What an action adds to the bytes of a device.  A free counts when it is requested; where only its completion is in
 * the trace, then.  False: out of memory.
 */
static bool change_of(struct snapshot *s, const struct item *i, struct device *change)
{
    uint32_t known = tr__numbers_get(&s->live, (uint64_t)i->address), now = known;
    *change = (struct device){ 0, 0 };
    if (i->action == ALLOC || i->action == FREE_REQUESTED)
        change->allocated = i->action == ALLOC ? i->size : -i->size;
    else if (i->action == FREE_COMPLETED && known != REQUESTED)
        change->allocated = -i->size;
    else if (i->action == RESERVE || i->action == RELEASE)
        change->reserved = i->action == RESERVE ? i->size : -i->size;
    if (i->action <= FREE_COMPLETED)
        now = i->action == ALLOC ? ALLOCATED : i->action == FREE_REQUESTED ? REQUESTED : FREED;
    return i->action > FREE_COMPLETED || tr__numbers_set(&s->live, (uint64_t)i->address, now);
}

/* ---- segments ---- */

enum { COL_DEVICE, COL_ADDRESS, COL_STREAM, COL_TYPE, COL_TOTAL, COL_ALLOCATED, COL_PENDING, COL_FREE, COL_LARGEST,
       COL_BLOCKS, N_COLUMNS };

static bool add_columns(struct tr_side_table *t)
{
    static const char *const names[N_COLUMNS] = {
        [COL_DEVICE] = "device", [COL_ADDRESS] = "address", [COL_STREAM] = "stream", [COL_TYPE] = "type",
        [COL_TOTAL] = "total_bytes", [COL_ALLOCATED] = "allocated_bytes", [COL_PENDING] = "pending_bytes",
        [COL_FREE] = "free_bytes", [COL_LARGEST] = "largest_free_bytes", [COL_BLOCKS] = "blocks",
    };
    bool ok = true;
    for (size_t i = 0; ok && i < N_COLUMNS; i++)
        ok = tr_side_table_column(t, names[i], i == COL_TYPE ? TR_T_STRING : TR_T_INT);
    return ok;
}

/* The bytes of a segment's blocks, by their state. */
static bool add_blocks(struct snapshot *s, struct tr_str blocks, struct tr_side_value *row)
{
    size_t at = 0;
    bool broken;
    for (struct tr_str b; (b = tr__dump_next(&s->text, blocks, &at, &broken)).s && !broken;) {
        if (!tokenize(s, b)) {
            if (s->tokens.no_memory)
                return false;
            bad_item(s, b);
            continue;
        }
        struct tr_str state = member(s, 0, "state");
        int64_t size = integer(s, "size");
        size = size < 0 ? 0 : size;
        bool allocated = state.s && tr_str_is(state, "active_allocated"),
             idle = state.s && tr_str_is(state, "inactive");
        struct tr_side_value *v = &row[allocated ? COL_ALLOCATED : idle ? COL_FREE : COL_PENDING];
        v->v = sum(v->v, size);
        row[COL_LARGEST].v = idle && size > row[COL_LARGEST].v ? size : row[COL_LARGEST].v;
        row[COL_BLOCKS].v++;
    }
    return true;
}

/* Add a segment to the table, and to what its device has at the end. */
static enum tr_status add_segment(struct snapshot *s, struct tr_str segment)
{
    struct tr_side_value row[N_COLUMNS] = { [COL_DEVICE] = { .v = 0 } };
    static const char *const keys[] = { [COL_DEVICE] = "device", [COL_ADDRESS] = "address", [COL_STREAM] = "stream",
                                        [COL_TOTAL] = "total_size" };
    if (!tokenize(s, segment)) {
        bad_item(s, segment);
        return s->tokens.no_memory ? tr_fail_memory(s->err) : TR_OK;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int64_t v = keys[i] ? integer(s, keys[i]) : TR_I64_NONE;
        row[i] = (struct tr_side_value){ .present = v != TR_I64_NONE, .v = v != TR_I64_NONE ? v : 0 };
    }
    struct tr_str type = member(s, 0, "segment_type"), blocks = member(s, 0, "blocks");
    row[COL_TYPE] = (struct tr_side_value){ .present = type.s != NULL, .text = type.s, .len = type.len };
    for (size_t i = COL_ALLOCATED; i < N_COLUMNS; i++)
        row[i].present = true;
    struct device *d = device_of(s, row[COL_DEVICE].v);
    if (!add_blocks(s, blocks, row) || !tr_side_table_add(s->table, row))
        return tr_fail_memory(s->err);
    if (d) {
        d->allocated = sum(d->allocated, row[COL_ALLOCATED].v);
        d->reserved = sum(d->reserved, row[COL_TOTAL].v);
    }
    return TR_OK;
}

static enum tr_status add_segments(struct snapshot *s)
{
    enum tr_status st = TR_OK;
    size_t at = 0;
    bool broken = false;
    for (struct tr_str segment;
         st == TR_OK && (segment = tr__dump_next(&s->text, s->segments, &at, &broken)).s && !broken;)
        st = add_segment(s, segment);
    return st;
}

/* From what devices have at the end, go back to what they had at the start. */
static enum tr_status go_back(struct snapshot *s)
{
    size_t at = 0, in_list;
    int64_t number = 0;
    bool broken = false;
    for (struct tr_str list; (list = tr__dump_next(&s->text, s->traces, &at, &broken)).s && !broken; number++) {
        struct device *d = device_of(s, number), change;
        in_list = 0;
        for (struct tr_str text; d && (text = tr__dump_next(&s->text, list, &in_list, &broken)).s && !broken;) {
            if (!tokenize(s, text)) {
                if (s->tokens.no_memory)
                    return tr_fail_memory(s->err);
                continue;
            }
            struct item i = item_of(s, 0);
            if (!change_of(s, &i, &change))
                return tr_fail_memory(s->err);
            d->allocated = sum(d->allocated, -change.allocated);
            d->reserved = sum(d->reserved, -change.reserved);
        }
    }
    return TR_OK;
}

/* ---- events ---- */

static void set_track(struct snapshot *s, int64_t device)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    char text[40];
    track.pid = 0;
    track.tid_text = text;
    track.tid_len = (size_t)snprintf(text, sizeof text, "memory of GPU %" PRId64, device);
    tr_ingest_track(s->g, &track);
}

/* The stack, from its root to its leaf, joined by semicolons. */
static bool add_stack(struct snapshot *s, size_t frames)
{
    const struct tr_json_tokens *t = &s->tokens;
    size_t at[MAX_FRAMES], n = 0;
    unsigned defects = 0;
    bool ok = true;
    if (t->tok[frames].kind != TR_JSON_ARRAY)
        return false;
    for (size_t i = frames + 1; i < tr_json_next(t, frames) && n < MAX_FRAMES; i = tr_json_next(t, i))
        at[n++] = i;
    s->name.len = 0;
    while (ok && n-- > 0) {
        struct tr_str name = member(s, at[n], "name");
        ok = (!s->name.len || tr_buf_add(&s->name, ";", 1)) &&
             (!name.s || tr_json_unescape(name.s, name.len, &s->name, &defects));
    }
    return ok && s->name.len > 0;
}

/* The texts of a list of frames: its first frame of the program, and all; s NULL: it has none. */
static struct tr_str where_of(struct snapshot *s, size_t frames)
{
    s->name.len = 0;
    bool any = tr__dump_where(&s->tokens, s->tokens_of, frames, &s->name);
    return any ? (struct tr_str){ (const char *)s->name.data, s->name.len } : (struct tr_str){ NULL, 0 };
}

static struct tr_str path_of(struct snapshot *s, size_t frames)
{
    return add_stack(s, frames) ? (struct tr_str){ (const char *)s->name.data, s->name.len }
                                : (struct tr_str){ NULL, 0 };
}

static uint32_t text_number(struct snapshot *s, struct stack *of, struct tr_str text)
{
    uint32_t number = text.s ? tr_ingest_text(s->g, text.s, text.len) : TR_NO_STR;
    of->too_long |= text.s && number == TR_NO_STR;
    return number;
}

/* The texts of stack number i of a pickle.  NULL: there is no such stack. */
static const struct stack *shared_stack(struct snapshot *s, int64_t i)
{
    if (i < 0 || (uint64_t)i >= s->stacks.n)
        return NULL;
    struct stack *of = tr_paged_at(&s->stacks, (size_t)i);
    if (of->known)
        return of;
    size_t at = *(const size_t *)tr_paged_at(&s->once.at, (size_t)i), len = 0;
    const char *text = (const char *)s->text.data + at;
    unsigned defects;
    *of = (struct stack){ .known = true, .where = TR_NO_STR, .path = TR_NO_STR };
    s->tokens_of = text;
    if (tr_json_scan(text, s->text.n - at, true, NULL, &len, &defects) != TR_JSON_DONE ||
        !tr_json_tokenize(&s->tokens, text, len))
        return of;
    of->where = text_number(s, of, where_of(s, 0));
    of->path = text_number(s, of, path_of(s, 0));
    return of;
}

static void add_shared(struct snapshot *s, const char *key, int64_t number)
{
    const struct stack *of = shared_stack(s, number);
    if (!of)
        return;
    tr_ingest_arg_number(s->g, key, of->where);
    tr_ingest_arg_number(s->g, "Stack", of->path);
    if (of->too_long)
        tr_ingest_damaged(s->g, TR_DAMAGE_TOO_LONG, s->text.n);
}

/* Args about the stack: key is that of the first frame of the program.  Call it last. */
static void add_frames(struct snapshot *s, const char *key)
{
    size_t frames = tr_json_member(&s->tokens, s->tokens_of, 0, "frames");
    if (s->stacks.n && s->tokens.tok[frames].kind == TR_JSON_PRIMITIVE) {
        add_shared(s, key, integer(s, "frames"));
        return;
    }
    struct tr_str where = where_of(s, frames);
    if (where.s)
        tr_ingest_arg_text(s->g, key, where.s, where.len);
    struct tr_str path = path_of(s, frames);
    if (path.s)
        tr_ingest_arg_text(s->g, "Stack", path.s, path.len);
}

static enum tr_status end_event(struct snapshot *s)
{
    return s->tokens.no_memory ? tr_fail_memory(s->err) : tr_ingest_end(s->g, s->err);
}

static void add_number(struct snapshot *s, const char *key, const char *member_key)
{
    int64_t v = integer(s, member_key);
    if (v != TR_I64_NONE)
        tr_ingest_arg_int(s->g, key, v);
}

static void begin_memory(struct snapshot *s, enum tr_phase phase, int64_t ts, int64_t device)
{
    tr_ingest_begin(s->g, phase, ts, TR_TIME_NONE);
    tr_ingest_record(s->g, s->record++);
    tr_ingest_name(s->g, "[memory]", 8);
    tr_ingest_activity(s->g, TR_ACT_MEMORY_INSTANT);
    set_track(s, device);
}

/* A block that was allocated before the trace began. */
static enum tr_status block_event(struct snapshot *s, struct tr_str block)
{
    struct tr_str state = { NULL, 0 };
    int64_t address = TR_I64_NONE;
    if (tokenize(s, block)) {
        state = member(s, 0, "state");
        address = integer(s, "address");
    }
    if (!state.s || !tr_str_is(state, "active_allocated") ||
        (address != TR_I64_NONE && tr__numbers_get(&s->live, (uint64_t)address) == ALLOCATED))
        return TR_OK;
    begin_memory(s, TR_META, TR_TIME_NONE, s->of_segment);
    add_number(s, "Bytes", "size");
    if (address != TR_I64_NONE)
        tr_ingest_arg_int(s->g, "Addr", address);
    tr_ingest_arg_int(s->g, "Device Type", 1);
    tr_ingest_arg_int(s->g, "Device Id", s->of_segment);
    add_frames(s, "Category");
    return end_event(s);
}

static void allocation_event(struct snapshot *s, const struct item *i, const struct device *d, int64_t device,
                             int64_t bytes)
{
    begin_memory(s, TR_INSTANT, i->ts, device);
    tr_ingest_arg_int(s->g, "Bytes", bytes);
    tr_ingest_arg_int(s->g, "Addr", i->address);
    tr_ingest_arg_int(s->g, "Device Type", 1);
    tr_ingest_arg_int(s->g, "Device Id", device);
    if (!s->cut) { /* else it is not known how far the trace is from its end */
        tr_ingest_arg_int(s->g, "Total Allocated", d->allocated);
        tr_ingest_arg_int(s->g, "Total Reserved", d->reserved);
    }
    add_number(s, "stream", "stream");
    add_frames(s, i->action == ALLOC ? "Category" : "where");
}

/* Segments, completed frees, and what else there is: instants. */
static void other_event(struct snapshot *s, const struct item *i, const struct device *d, int64_t device)
{
    bool segment = i->action == RESERVE || i->action == RELEASE, oom = i->name.s && tr_str_is(i->name, "oom");
    tr_ingest_begin(s->g, TR_INSTANT, i->ts, TR_TIME_NONE);
    tr_ingest_record(s->g, s->record++);
    if (oom)
        tr_ingest_name(s->g, "out of memory", 13);
    else if (i->name.s)
        tr_ingest_name(s->g, i->name.s, i->name.len);
    tr_ingest_category(s->g, segment ? "memory_segment" : "memory", segment ? 14 : 6);
    tr_ingest_activity(s->g, TR_ACT_OTHER);
    set_track(s, device);
    add_number(s, "Size", "size");
    if (i->address != TR_I64_NONE)
        tr_ingest_arg_int(s->g, "Addr", i->address);
    tr_ingest_arg_int(s->g, "Device Id", device);
    if (segment && !s->cut)
        tr_ingest_arg_int(s->g, "Total Reserved", d->reserved);
    add_number(s, "Device Free", "device_free");
    add_number(s, "stream", "stream");
    add_frames(s, "where");
}

static enum tr_status item_event(struct snapshot *s, struct tr_str text)
{
    struct device change, *d = device_of(s, (int64_t)s->device - 1);
    if (!tokenize(s, text) || !d) {
        bad_item(s, text);
        return s->tokens.no_memory ? tr_fail_memory(s->err) : TR_OK;
    }
    struct item i = item_of(s, s->in_list);
    if (!change_of(s, &i, &change))
        return tr_fail_memory(s->err);
    d->allocated = sum(d->allocated, change.allocated);
    d->reserved = sum(d->reserved, change.reserved);
    if (change.allocated || i.action == ALLOC)
        allocation_event(s, &i, d, (int64_t)s->device - 1, change.allocated);
    else
        other_event(s, &i, d, (int64_t)s->device - 1);
    return end_event(s);
}

/* A range that the program named: its start or its end. */
static enum tr_status annotation_event(struct snapshot *s, struct tr_str text)
{
    unsigned defects = 0;
    if (!tokenize(s, text)) {
        bad_item(s, text);
        return s->tokens.no_memory ? tr_fail_memory(s->err) : TR_OK;
    }
    struct tr_str stage = member(s, 0, "stage"), name = member(s, 0, "name");
    struct item i = item_of(s, s->at);
    bool end = stage.s && tr_str_is(stage, "END");
    s->name.len = 0;
    if (!name.s || !tr_json_unescape(name.s, name.len, &s->name, &defects) || !s->name.len)
        return TR_OK;
    tr_ingest_begin(s->g, end ? TR_ASYNC_END : TR_ASYNC_BEGIN, i.ts, TR_TIME_NONE);
    tr_ingest_record(s->g, s->record++);
    tr_ingest_name(s->g, (const char *)s->name.data, s->name.len);
    tr_ingest_category(s->g, "user_annotation", 15);
    tr_ingest_activity(s->g, TR_ACT_ANNOTATION);
    int64_t device = integer(s, "device");
    set_track(s, device == TR_I64_NONE ? 0 : device);
    tr_ingest_member_text(s->g, "id", (const char *)s->name.data, s->name.len);
    return tr_ingest_end(s->g, s->err);
}

/* ---- reading ---- */

static void take_member(void *ctx, struct tr_str key, struct tr_str value, bool cut)
{
    struct snapshot *s = ctx;
    (void)cut;
    if (tr_str_is(key, "\"segments\""))
        s->segments = value;
    else if (tr_str_is(key, "\"device_traces\""))
        s->traces = value;
    else if (tr_str_is(key, "\"external_annotations\""))
        s->annotations = value;
}

static enum tr_status start(struct snapshot *s)
{
    enum tr_status st = tr__dump_read(&s->text, s->g, "a memory snapshot", GROWTH, &s->once, s->err);
    if (st == TR_OK && s->once.at.n)
        st = tr_paged_add(&s->stacks, NULL, s->once.at.n, s->err);
    if (st != TR_OK)
        return st;
    s->read = true;
    if (!tr__dump_members(&s->text, take_member, s, &s->cut) || !(s->segments.s || s->traces.s))
        return tr_fail(s->err, TR_DAMAGED, "no memory snapshot: it has neither segments nor device_traces");
    tr_ingest_base(s->g, 0);
    st = add_segments(s);
    return st == TR_OK ? go_back(s) : st;
}

/* The next item of a list of lists; s NULL: there is none in this list. */
static struct tr_str next_in(struct snapshot *s, struct tr_str list, size_t *at)
{
    bool broken;
    struct tr_str item = tr__dump_next(&s->text, list, at, &broken);
    return broken ? (struct tr_str){ NULL, 0 } : item;
}

/* The next block of the next segment.  False: there are no more. */
static bool next_block(struct snapshot *s, struct tr_str *block)
{
    for (;;) {
        *block = next_in(s, s->blocks, &s->in_list);
        if (block->s)
            return true;
        struct tr_str segment = next_in(s, s->segments, &s->at);
        if (!segment.s)
            return false;
        s->in_list = 0;
        s->blocks = (struct tr_str){ NULL, 0 };
        if (tokenize(s, segment)) {
            s->blocks = member(s, 0, "blocks");
            s->of_segment = integer(s, "device");
            s->of_segment = s->of_segment == TR_I64_NONE ? 0 : s->of_segment;
        }
    }
}

/* The next item of the next device's trace.  A trace that is cut is read up to there. */
static bool next_item(struct snapshot *s, struct tr_str *item)
{
    bool broken;
    for (;;) {
        *item = next_in(s, s->list, &s->in_list);
        if (item->s)
            return true;
        s->list = tr__dump_next(&s->text, s->traces, &s->at, &broken);
        s->in_list = 0;
        s->device++;
        if (!s->list.s)
            return false;
    }
}

static void next_stage(struct snapshot *s)
{
    s->stage++;
    s->at = s->in_list = 0;
    if (s->stage == TRACES)
        tr__numbers_clear(&s->live);
}

static enum tr_status read_item(struct snapshot *s)
{
    struct tr_str item = { NULL, 0 };
    bool more = s->stage == BLOCKS ? next_block(s, &item) : s->stage == TRACES ? next_item(s, &item) : false;
    if (s->stage == ANNOTATIONS)
        more = (item = next_in(s, s->annotations, &s->at)).s != NULL;
    if (!more) {
        next_stage(s);
        return s->stage == END ? TR_END : TR_OK;
    }
    return s->stage == BLOCKS   ? block_event(s, item)
           : s->stage == TRACES ? item_event(s, item)
                                : annotation_event(s, item);
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct snapshot *s = ctx;
    s->g = g;
    s->err = err;
    enum tr_status st = s->read ? TR_OK : start(s);
    for (unsigned i = 0; st == TR_OK && i < ITEMS; i++)
        st = read_item(s);
    if (st != TR_END)
        return st;
    if (s->cut)
        tr_ingest_damaged(g, TR_DAMAGE_TRUNCATED, s->text.n);
    if (s->table->n_rows) {
        tr_ingest_table(g, s->table);
        s->table = NULL;
    }
    return TR_END;
}

static void release(void *ctx)
{
    struct snapshot *s = ctx;
    tr_paged_free(&s->text);
    tr_paged_free(&s->once.at);
    tr_paged_free(&s->stacks);
    tr_buf_free(&s->name);
    tr_json_tokens_free(&s->tokens);
    tr__numbers_free(&s->live);
    tr_side_table_free(s->table);
    free(s->devices);
    free(s);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct snapshot *s = state;
    (void)of;
    (void)bytes;
    tr__dump_init(&s->text, opts);
    s->once.key = "frames";
    tr_paged_init(&s->once.at, sizeof(size_t), s->text.max_bytes, s->text.dir);
    tr_paged_init(&s->stacks, sizeof(struct stack), s->text.max_bytes, s->text.dir);
    return (s->table = tr_side_table_new("memory_segments", 0)) && add_columns(s->table);
}

static enum tr_status open_snapshot(const struct tr_format *f, struct tr_input **out,
                                    const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                    struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "memory-snap", read_some, release };
    return tr__reader_open(out, &reader, sizeof(struct snapshot), init, NULL, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    size_t at = tr__json_start(p, n);
    if (n > 2 && p[0] == 0x80 && p[1] <= 5)
        return tr__probe_holds(p, n, "device_traces") || tr__probe_holds(p, n, "segments") ? 92 : 0;
    if (at == n || p[at] != '{')
        return 0;
    bool known = tr__probe_holds(p, n, "\"device_traces\"") ||
                 (tr__probe_holds(p, n, "\"segments\"") && tr__probe_holds(p, n, "\"total_size\""));
    return known && !tr__probe_holds(p, n, "\"traceEvents\"") ? 92 : 0;
}

const struct tr_format tr_format_memory_snapshot = {
    .name = "memory-snapshot",
    .brief = "memory snapshot of PyTorch, as a pickle or JSON: allocations with stacks, segments",
    .probe = probe,
    .open = open_snapshot,
};
