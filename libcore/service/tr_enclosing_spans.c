/* SPDX-License-Identifier: MIT */
/* The spans around events, and the self time of spans. */
#include "service/tr_enclosing_spans.h"

#include "stream/tr_args.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY TR_ENCLOSING_NONE
#define A_GROUP  0xffu /* as activity: the frame inside the record of a collective, which has its group as name */

/* Something that waits: for its launch, or for its end. */
struct ticket {
    int64_t start, end, covered, self; /* of a span, clipped: children up to covered are taken from self */
    uint32_t frame;                    /* of the spans around it */
    uint32_t next;                     /* of work that waits for one launch */
    bool endless;
};

/* The tickets of the open spans of a thread. */
struct open {
    uint32_t *tickets;
    size_t n, cap;
};

struct launch {
    uint64_t left; /* work that has not come yet; of a launch that has not come yet: work that came before it */
    uint32_t frame, first; /* first: work that waits for it */
    bool come;
};

struct above {
    struct tr_enclosing_spans is;
    const struct tr_dict *dict;
    struct tr_strtab *texts;
    struct tr_select *select;
    bool self;
    const char *group_arg; /* NULL: groups are not looked for */
    struct tr_arg group;
    struct tr_call_path *path;
    struct tr_frame *frames;
    size_t n_frames, cap_frames;
    struct tr_eventmap frame_of; /* of (frame around it + 1, name and activity) */
    struct ticket *tickets;
    struct launch *launches;
    struct tr_freelist ticket_places, launch_places;
    struct tr_eventmap launch_of;
    struct open *open; /* by track */
    size_t n_open, cap_open;
    struct tr_enclosing_of *of;
    struct tr_enclosing_done *done;
    size_t cap_of, cap_done;
    int64_t *launch_ts, *launch_record, *launch_track, *n_device; /* of this batch */
    size_t cap_ts, cap_record, cap_track, cap_device;
};

struct tr_enclosing_spans *tr_enclosing_spans_new(const struct tr_dict *dict, struct tr_strtab *texts,
                                                  struct tr_select *select, bool self)
{
    struct above *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->dict = dict;
    a->texts = texts;
    a->select = select;
    a->self = self;
    a->path = tr_call_path_new();
    if (!a->path) {
        free(a);
        return NULL;
    }
    return &a->is;
}

void tr_enclosing_spans_groups(struct tr_enclosing_spans *is, const char *arg)
{
    ((struct above *)is)->group_arg = arg;
}

void tr_enclosing_spans_free(struct tr_enclosing_spans *is)
{
    struct above *a = (struct above *)is;
    if (!a)
        return;
    tr_arg_free(&a->group);
    tr_call_path_free(a->path);
    tr_eventmap_free(&a->frame_of);
    tr_eventmap_free(&a->launch_of);
    tr_freelist_free(&a->ticket_places);
    tr_freelist_free(&a->launch_places);
    for (size_t i = 0; i < a->n_open; i++)
        free(a->open[i].tickets);
    free(a->open);
    free(a->frames);
    free(a->tickets);
    free(a->launches);
    free(a->of);
    free(a->done);
    free(a->launch_ts);
    free(a->launch_record);
    free(a->launch_track);
    free(a->n_device);
    free(a);
}

const struct tr_frame *tr_enclosing_frame(const struct tr_enclosing_spans *is, uint32_t frame)
{
    return &((const struct above *)is)->frames[frame];
}

size_t tr_enclosing_n_frames(const struct tr_enclosing_spans *is)
{
    return ((const struct above *)is)->n_frames;
}

/* ---- frames ---- */

struct tr_str tr_module_name(struct tr_str name)
{
    static const char prefix[] = "nn.Module: ";
    size_t skip = sizeof prefix - 1, end = name.len;
    if (!name.s || name.len <= skip || memcmp(name.s, prefix, skip) != 0)
        return (struct tr_str){ NULL, 0 };
    while (end > skip && name.s[end - 1] >= '0' && name.s[end - 1] <= '9')
        end--;
    bool numbered = end < name.len && end > skip + 1 && name.s[end - 1] == '_';
    return (struct tr_str){ name.s + skip, (numbered ? end - 1 : name.len) - skip };
}

/* A new frame for a span in another one.  False, here and below: out of memory. */
static bool fill_frame(struct above *a, uint32_t outer, uint32_t name, unsigned activity, struct tr_frame *f)
{
    struct tr_str text = tr_dict_text_if(a->dict, name);
    bool step = activity == TR_ACT_ANNOTATION && text.s && (tr_roles_of(text.s, text.len) & TR_NAMED_STEP);
    *f = (struct tr_frame){ outer, name, TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR };
    if (outer != NO_ENTRY) {
        *f = a->frames[outer];
        f->outer = outer;
        f->name = name;
    }
    if (activity == A_GROUP)
        f->group = name;
    if (step || activity == A_GROUP)
        f->name = TR_NO_STR;
    else if (activity == TR_ACT_ANNOTATION)
        f->annotation = name;
    if (activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD)
        f->op = name;
    struct tr_str module = activity == TR_ACT_PYTHON ? tr_module_name(text) : tr_str_of(NULL);
    if (module.s)
        f->module = tr_strtab_add(a->texts, module.s, module.len);
    return !module.s || f->module != TR_NO_STR;
}

/* The frame of a span with this name and activity in another frame. */
static bool frame_of(struct above *a, uint32_t name, unsigned activity, uint32_t outer, uint32_t *frame)
{
    uint64_t key = (uint64_t)name << 8 | activity;
    uint32_t level = outer == NO_ENTRY ? 0 : outer + 1;
    *frame = tr_eventmap_get(&a->frame_of, level, key);
    if (*frame != TR_EVENTMAP_NONE)
        return true;
    if (a->n_frames >= NO_ENTRY - 2 || !tr_grow(&a->frames, &a->cap_frames, a->n_frames + 1, sizeof *a->frames) ||
        !fill_frame(a, outer, name, activity, &a->frames[a->n_frames]) ||
        !tr_eventmap_put(&a->frame_of, level, key, (uint32_t)a->n_frames))
        return false;
    *frame = (uint32_t)a->n_frames++;
    return true;
}

bool tr_enclosing_stack(const struct tr_enclosing_spans *is, uint32_t frame, size_t n, struct tr_buf *out)
{
    const struct above *a = (const struct above *)is;
    uint32_t *names = NULL;
    size_t n_names = 0, cap = 0;
    bool ok = true;
    out->len = 0;
    for (; ok && frame != NO_ENTRY && (!n || n_names < n); frame = a->frames[frame].outer) {
        if (a->frames[frame].name == TR_NO_STR)
            continue;
        ok = tr_grow(&names, &cap, n_names + 1, sizeof *names);
        if (ok)
            names[n_names++] = a->frames[frame].name;
    }
    for (size_t k = n_names; ok && k-- > 0;)
        ok = tr_buf_add_str(out, k + 1 < n_names ? " > " : "") && tr_buf_add_text(out, tr_dict_text(a->dict, names[k]));
    free(names);
    return ok;
}

/* ---- tickets ---- */

static bool finish(struct above *a, uint32_t ticket, uint32_t frame)
{
    const struct ticket *t = &a->tickets[ticket];
    if (!tr_grow(&a->done, &a->cap_done, a->is.n_done + 1, sizeof *a->done))
        return false;
    a->done[a->is.n_done++] = (struct tr_enclosing_done){ ticket, frame, t->endless ? TR_TIME_NONE : t->self };
    return true;
}

/* Close the spans of a thread that have ended: all except the first depth ones. */
static bool close_spans(struct above *a, struct open *o, size_t depth)
{
    bool ok = true;
    for (; ok && o->n > depth; o->n--)
        ok = finish(a, o->tickets[o->n - 1], a->tickets[o->tickets[o->n - 1]].frame);
    return ok;
}

/* The time of a child is not self time of the span around it, which has none if it has no end. */
static void cover(struct ticket *around, const struct ticket *child)
{
    int64_t from = child->start > around->covered ? child->start : around->covered;
    int64_t to = child->end < around->end ? child->end : around->end;
    if (to > from && !around->endless)
        around->self -= to - from;
    around->covered = to > around->covered ? to : around->covered;
}

static bool open_span(struct above *a, uint32_t track, const struct tr_callpath *path, uint32_t above, uint32_t *ticket)
{
    const struct tr_call *span = &path->open[path->depth];
    if (!tr_grow(&a->open, &a->cap_open, (size_t)track + 1, sizeof *a->open))
        return false;
    for (; a->n_open <= track; a->n_open++)
        a->open[a->n_open] = (struct open){ NULL, 0, 0 };
    struct open *o = &a->open[track];
    *ticket = tr_freelist_take(&a->ticket_places, &a->tickets, sizeof *a->tickets);
    if (*ticket == NO_ENTRY || !close_spans(a, o, path->depth) ||
        !tr_grow(&o->tickets, &o->cap, o->n + 1, sizeof *o->tickets))
        return false;
    struct ticket *t = &a->tickets[*ticket];
    *t = (struct ticket){ .frame = above, .next = NO_ENTRY, .endless = span->dur == INT64_MAX };
    uint32_t source = a->dict->tracks[track].source;
    t->start = t->covered = tr_select_clip(a->select, source, span->start);
    t->end = tr_select_clip(a->select, source, span->end);
    t->self = t->endless ? 0 : t->end - t->start;
    if (o->n)
        cover(&a->tickets[o->tickets[o->n - 1]], t);
    o->tickets[o->n++] = *ticket;
    return true;
}

/* ---- launches ---- */

static uint32_t new_launch(struct above *a, uint32_t source, uint64_t record)
{
    uint32_t i = tr_freelist_take(&a->launch_places, &a->launches, sizeof *a->launches);
    if (i == NO_ENTRY || !tr_eventmap_put(&a->launch_of, source, record, i))
        return NO_ENTRY;
    a->launches[i] = (struct launch){ 0, NO_ENTRY, NO_ENTRY, false };
    return i;
}

static void drop_launch(struct above *a, uint32_t launch, uint32_t source, uint64_t record)
{
    tr_freelist_give(&a->launch_places, launch);
    tr_eventmap_remove(&a->launch_of, source, record);
}

/* Enter a launch, inside the spans of this frame. */
static bool add_launch(struct above *a, const struct tr_batch *b, size_t i, uint32_t frame)
{
    uint32_t source = a->dict->tracks[b->track[i]].source;
    uint64_t due = a->n_device[i] > 0 ? (uint64_t)a->n_device[i] : 0;
    uint32_t number = tr_eventmap_get(&a->launch_of, source, b->record[i]);
    bool ok = true;
    if (number == NO_ENTRY && !due)
        return true;
    if (number == NO_ENTRY && (number = new_launch(a, source, b->record[i])) == NO_ENTRY)
        return false;
    struct launch *l = &a->launches[number];
    for (uint32_t t = l->first; ok && t != NO_ENTRY; t = a->tickets[t].next)
        ok = finish(a, t, frame);
    l->left = due > l->left ? due - l->left : 0;
    l->frame = frame;
    l->first = NO_ENTRY;
    l->come = true;
    if (!l->left)
        drop_launch(a, number, source, b->record[i]);
    return ok;
}

static bool add_work(struct above *a, const struct tr_batch *b, size_t i)
{
    struct tr_enclosing_of *of = &a->of[i];
    if (a->launch_track[i] == TR_I64_NONE || (uint64_t)a->launch_track[i] >= a->dict->n_tracks)
        return true;
    uint32_t source = a->dict->tracks[a->launch_track[i]].source;
    uint64_t record = (uint64_t)a->launch_record[i];
    uint32_t number = tr_eventmap_get(&a->launch_of, source, record);
    if (number != NO_ENTRY && a->launches[number].come) {
        of->frame = a->launches[number].frame;
        if (!--a->launches[number].left)
            drop_launch(a, number, source, record);
        return true;
    }
    if (a->launch_ts[i] < b->ts[i]) { /* it would have come */
        a->is.n_lost++;
        return true;
    }
    if (number == NO_ENTRY && (number = new_launch(a, source, record)) == NO_ENTRY)
        return false;
    of->ticket = tr_freelist_take(&a->ticket_places, &a->tickets, sizeof *a->tickets);
    if (of->ticket == NO_ENTRY)
        return false;
    struct launch *l = &a->launches[number];
    a->tickets[of->ticket] = (struct ticket){ .frame = NO_ENTRY, .next = l->first, .endless = true };
    l->first = of->ticket;
    l->left++;
    return true;
}

/* ---- batches ---- */

static bool add_span(struct above *a, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    uint32_t frame, above = NO_ENTRY;
    if (tr_call_path_enter(a->path, b, i, &path, err) != TR_OK)
        return false;
    if (path.depth)
        above = (uint32_t)path.open[path.depth - 1].tag;
    if (!frame_of(a, b->name[i], b->activity[i], above, &frame))
        return false;
    if (a->group_arg && b->activity[i] == TR_ACT_COMM_RECORD) {
        uint32_t group = tr_arg_text(&a->group, i);
        if (group != TR_NO_STR && !frame_of(a, group, A_GROUP, frame, &frame))
            return false;
    }
    path.open[path.depth].tag = frame;
    a->of[i].frame = above;
    if (a->self && !open_span(a, b->track[i], &path, above, &a->of[i].ticket))
        return false;
    if (a->self)
        a->of[i].frame = NO_ENTRY;
    return !(b->flags[i] & TR_HAS_DEVICE) || add_launch(a, b, i, above);
}

/* An event without length on a thread: the innermost span that covers its moment. */
static void add_other(struct above *a, const struct tr_batch *b, size_t i)
{
    size_t depth;
    const struct tr_call *open = tr_call_path_open(a->path, b->track[i], &depth);
    while (depth && open[depth - 1].end < b->ts[i])
        depth--;
    if (depth)
        a->of[i].frame = (uint32_t)open[depth - 1].tag;
}

static bool expand(struct above *a, const struct tr_batch *b)
{
    if (!tr_grow(&a->launch_ts, &a->cap_ts, b->n, sizeof *a->launch_ts) ||
        !tr_grow(&a->launch_record, &a->cap_record, b->n, sizeof *a->launch_record) ||
        !tr_grow(&a->launch_track, &a->cap_track, b->n, sizeof *a->launch_track) ||
        !tr_grow(&a->n_device, &a->cap_device, b->n, sizeof *a->n_device) ||
        !tr_grow(&a->of, &a->cap_of, b->n, sizeof *a->of))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, a->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, a->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, a->launch_track);
    tr_batch_expand_i64(b, TR_COL_N_DEVICE, 0, a->n_device);
    return true;
}

/* Remove the results of the last batch, which the caller has used. */
static void forget_done(struct above *a)
{
    for (size_t k = 0; k < a->is.n_done; k++)
        tr_freelist_give(&a->ticket_places, a->done[k].ticket);
    a->is.n_done = 0;
}

enum tr_status tr_enclosing_batch(struct tr_enclosing_spans *is, const struct tr_batch *b, struct tr_error *err)
{
    struct above *a = (struct above *)is;
    forget_done(a);
    bool ok = expand(a, b) && (!a->group_arg || tr_arg_read(&a->group, b, TR_PLACE_ARGS, a->group_arg));
    for (size_t i = 0; ok && i < b->n; i++) {
        a->of[i] = (struct tr_enclosing_of){ NO_ENTRY, NO_ENTRY };
        if (tr_is_call(b, i))
            ok = add_span(a, b, i, err);
        else if (tr_is_device_work(b->activity[i]))
            ok = !(b->flags[i] & TR_HAS_LAUNCH) || add_work(a, b, i);
        else if (b->phase[i] != TR_SPAN && b->ts[i] != TR_TIME_NONE)
            add_other(a, b, i);
    }
    is->of = a->of;
    is->done = a->done;
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_enclosing_end(struct tr_enclosing_spans *is, struct tr_error *err)
{
    struct above *a = (struct above *)is;
    bool ok = true;
    forget_done(a);
    for (size_t t = 0; ok && t < a->n_open; t++)
        ok = close_spans(a, &a->open[t], 0);
    for (size_t l = 0; ok && l < a->launch_places.n; l++)
        for (uint32_t t = a->launches[l].first; ok && t != NO_ENTRY; t = a->tickets[t].next)
            ok = finish(a, t, NO_ENTRY);
    is->done = a->done;
    return ok ? TR_OK : tr_fail_memory(err);
}
