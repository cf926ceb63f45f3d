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
    uint32_t frame, first; /* first: work that waits for it */
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
    struct tr_freelist ticket_places;
    struct tr_pending launches;
    struct tr_work_arrows arrows; /* operators are frames */
    struct open *open; /* by track */
    size_t n_open, cap_open;
    struct tr_enclosing_of *of;
    struct tr_enclosing_done *done;
    size_t cap_of, cap_done;
};

static const struct launch no_launch = { NO_ENTRY, NO_ENTRY };

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
    a->arrows.dict = dict;
    tr_pending_init(&a->launches, dict, &no_launch, sizeof no_launch);
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
    tr_pending_free(&a->launches);
    tr_work_arrows_free(&a->arrows);
    tr_freelist_free(&a->ticket_places);
    for (size_t i = 0; i < a->n_open; i++)
        free(a->open[i].tickets);
    free(a->open);
    free(a->frames);
    free(a->tickets);
    free(a->of);
    free(a->done);
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
    bool step = activity == TR_ACT_ANNOTATION && text.s &&
                (tr_roles_of(a->dict->names, text.s, text.len) & TR_NAMED_STEP);
    *f = (struct tr_frame){ outer, name, TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_N_ACTIVITIES };
    if (outer != NO_ENTRY) {
        *f = a->frames[outer];
        f->outer = outer;
        f->name = name;
    }
    f->activity = activity == A_GROUP ? TR_N_ACTIVITIES : activity;
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
static inline bool frame_of(struct above *a, uint32_t name, unsigned activity, uint32_t outer, uint32_t *frame)
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
    int64_t ns = tr_call_cover(&around->covered, around->end, child->start, child->end);
    around->self -= around->endless ? 0 : ns;
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

/* Enter a launch, inside the spans of this frame. */
static bool add_launch(struct above *a, const struct tr_batch *b, size_t i, uint32_t frame)
{
    uint32_t number;
    bool ok = tr_pending_call(&a->launches, b, i, true, &number);
    if (!ok || number == TR_PENDING_NONE)
        return ok;
    struct launch *l = tr_pending_at(&a->launches, number);
    for (uint32_t t = l->first; ok && t != NO_ENTRY; t = a->tickets[t].next)
        ok = finish(a, t, frame);
    *l = (struct launch){ frame, NO_ENTRY };
    tr_pending_settle(&a->launches, number);
    return ok;
}

static bool add_work(struct above *a, const struct tr_batch *b, size_t i)
{
    struct tr_enclosing_of *of = &a->of[i];
    uint32_t number = TR_PENDING_NONE, asked = tr_work_arrows_of(&a->arrows, b, i);
    if (b->flags[i] & TR_HAS_LAUNCH && !tr_pending_work(&a->launches, b, i, &number))
        return false;
    struct launch *l = number == TR_PENDING_NONE ? NULL : tr_pending_at(&a->launches, number);
    bool come = l && tr_pending_has_come(&a->launches, number);
    of->frame = asked != TR_WORK_ARROWS_NONE ? asked : come ? l->frame : NO_ENTRY;
    if (come)
        tr_pending_settle(&a->launches, number);
    if (!l || come || asked != TR_WORK_ARROWS_NONE)
        return true;
    of->ticket = tr_freelist_take(&a->ticket_places, &a->tickets, sizeof *a->tickets);
    if (of->ticket == NO_ENTRY)
        return false;
    a->tickets[of->ticket] = (struct ticket){ .frame = NO_ENTRY, .next = l->first, .endless = true };
    l->first = of->ticket;
    return true;
}

/* ---- batches ---- */

static bool add_span(struct above *a, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    uint32_t frame, old, above = NO_ENTRY;
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
    for (size_t at = 0; tr_work_arrows_start(&a->arrows, b, i, &at, &old);)
        if (!tr_work_arrows_set(&a->arrows, at, frame))
            return false;
    if (a->self && !open_span(a, b->track[i], &path, above, &a->of[i].ticket))
        return false;
    if (a->self)
        a->of[i].frame = NO_ENTRY;
    return !(b->flags[i] & TR_HAS_DEVICE) || add_launch(a, b, i, above);
}

/* An event without length on a thread: the innermost span that covers its moment. */
static bool add_other(struct above *a, const struct tr_batch *b, size_t i)
{
    size_t depth;
    const struct tr_call *open = tr_call_path_open(a->path, b->track[i], &depth);
    while (depth && open[depth - 1].end < b->ts[i])
        depth--;
    if (depth)
        a->of[i].frame = (uint32_t)open[depth - 1].tag;
    return !a->arrows.any || tr_work_arrows_add(&a->arrows, b, i, a->of[i].frame);
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
    uint32_t frame;
    bool ok = tr_pending_batch(&a->launches, b) && tr_grow(&a->of, &a->cap_of, b->n, sizeof *a->of) &&
              tr_work_arrows_batch(&a->arrows, b) &&
              (!a->group_arg || tr_arg_read(&a->group, b, TR_PLACE_ARGS, a->group_arg));
    for (size_t i = 0; ok && i < b->n; i++) {
        a->of[i] = (struct tr_enclosing_of){ NO_ENTRY, NO_ENTRY };
        while (tr_work_arrows_passed(&a->arrows, b, i, &frame))
            continue;
        if (tr_is_call(b, i))
            ok = add_span(a, b, i, err);
        else if (tr_is_device_work(b->activity[i]))
            ok = add_work(a, b, i);
        else if (b->phase[i] != TR_SPAN && b->ts[i] != TR_TIME_NONE)
            ok = add_other(a, b, i);
    }
    is->n_lost = a->launches.n_lost;
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
    for (uint32_t n = 0; ok && n < a->launches.places.n; n++) {
        const struct launch *l = tr_pending_at(&a->launches, n);
        for (uint32_t t = l->first; ok && tr_pending_is_used(&a->launches, n) && t != NO_ENTRY; t = a->tickets[t].next)
            ok = finish(a, t, NO_ENTRY);
    }
    is->done = a->done;
    return ok ? TR_OK : tr_fail_memory(err);
}
