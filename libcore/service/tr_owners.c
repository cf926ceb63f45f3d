/* SPDX-License-Identifier: MIT */
/* The owners of the events of an input, which holds batches back until their owners are known. */
#include "service/tr_owners.h"

#include "stream/tr_batch_select.h"

#include <stdlib.h>
#include <string.h>

#define NO_FRAME TR_ENCLOSING_NONE

/* A batch that waits, as a copy. */
struct held {
    struct tr_batch *batch;
    size_t left; /* events whose owner is not known */
};

/* Work that came before its launch. */
struct wait {
    uint64_t batch; /* its number in the input */
    size_t event;
    int64_t launch_ts;
    bool open;
};

struct tr_owners {
    const struct tr_input_ops *ops; /* of the input itself */
    void *self;
    const struct tr_dict *dict;
    struct tr_enclosing_spans *spans;
    struct tr_strtab *texts;
    struct tr_batch direct; /* the batch of the input, with frames */
    uint32_t *frames;
    size_t cap_frames;
    int64_t *launch_ts;
    size_t cap_ts;
    struct wait *waits; /* by ticket */
    size_t n_waits, cap_waits;
    int64_t earliest;   /* no open wait has an earlier launch */
    struct held *held;  /* a queue: the first one is number first_held of the input */
    size_t n_held, cap_held;
    uint64_t n_read, first_held;
    struct tr_batch *given, *spare; /* the copy that the reader has, and one for reuse */
    struct tr_selector *selector;
    uint8_t *all;
    size_t cap_all;
    enum tr_status ended; /* TR_OK: not yet */
    struct tr_error error;
    const char *group_arg;
    uint64_t n_lost, n_said;
};

/* ---- owners that become known ---- */

static void set_frame(struct tr_owners *o, uint32_t ticket, uint32_t frame)
{
    struct wait *w = &o->waits[ticket];
    if (ticket >= o->n_waits || !w->open)
        return;
    w->open = false;
    size_t at = (size_t)(w->batch - o->first_held);
    if (at < o->n_held) {
        o->held[at].batch->frame[w->event] = frame;
        o->held[at].left--;
    } else { /* it is in the batch that was read last */
        o->frames[w->event] = frame;
    }
}

/* Launches before ts that have not come are missing in the stream. */
static void give_up(struct tr_owners *o, int64_t ts)
{
    if (ts <= o->earliest)
        return;
    o->earliest = INT64_MAX;
    for (uint32_t t = 0; t < o->n_waits; t++)
        if (o->waits[t].open && o->waits[t].launch_ts < ts) {
            set_frame(o, t, NO_FRAME);
            o->n_lost++;
        } else if (o->waits[t].open && o->waits[t].launch_ts < o->earliest) {
            o->earliest = o->waits[t].launch_ts;
        }
}

static bool wait_for(struct tr_owners *o, size_t i, uint32_t ticket)
{
    size_t old = o->n_waits;
    if (ticket >= old) {
        if (!tr_grow(&o->waits, &o->cap_waits, (size_t)ticket + 1, sizeof *o->waits))
            return false;
        o->n_waits = (size_t)ticket + 1;
        memset(o->waits + old, 0, (o->n_waits - old) * sizeof *o->waits);
    }
    o->waits[ticket] = (struct wait){ o->n_read, i, o->launch_ts[i], true };
    if (o->launch_ts[i] < o->earliest)
        o->earliest = o->launch_ts[i];
    return true;
}

/* ---- batches ---- */

/* The frames of a batch that was read, in o->frames.  *left: how many are not known yet. */
static enum tr_status find_frames(struct tr_owners *o, const struct tr_batch *b, size_t *left, struct tr_error *err)
{
    enum tr_status st = tr_enclosing_batch(o->spans, b, err);
    bool expanded = false, ok = st == TR_OK && tr_grow(&o->frames, &o->cap_frames, b->n + 1, sizeof *o->frames);
    for (size_t i = 0; i < b->n && ok; i++) {
        uint32_t ticket = o->spans->of[i].ticket;
        o->frames[i] = o->spans->of[i].frame;
        if (ticket == NO_FRAME)
            continue;
        if (!expanded && (ok = tr_grow(&o->launch_ts, &o->cap_ts, b->n, sizeof *o->launch_ts)) != false)
            tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, o->launch_ts);
        expanded = true;
        ok = ok && wait_for(o, i, ticket);
    }
    if (!ok)
        return st == TR_OK ? tr_fail_memory(err) : st;
    for (size_t k = 0; k < o->spans->n_done; k++)
        set_frame(o, o->spans->done[k].ticket, o->spans->done[k].frame);
    if (b->n)
        give_up(o, b->ts[b->n - 1]);
    *left = 0;
    for (size_t i = 0; i < b->n && expanded; i++) {
        uint32_t ticket = o->spans->of[i].ticket;
        *left += ticket != NO_FRAME && o->waits[ticket].open && o->waits[ticket].batch == o->n_read;
    }
    return TR_OK;
}

/* Keep a copy of the batch, behind the others. */
static enum tr_status hold(struct tr_owners *o, size_t left, struct tr_error *err)
{
    struct tr_batch *copy = o->spare ? o->spare : tr_batch_new();
    o->spare = NULL;
    if (!copy || !tr_grow(&o->held, &o->cap_held, o->n_held + 1, sizeof *o->held) ||
        !tr_grow(&o->all, &o->cap_all, o->direct.n + 1, 1)) {
        tr_batch_free(copy);
        return tr_fail_memory(err);
    }
    memset(o->all, 1, o->direct.n);
    o->held[o->n_held++] = (struct held){ copy, left };
    return tr_batch_select(o->selector, &o->direct, o->all, copy, err);
}

/* Read a batch of the input.  *now: nothing waits, so it is in o->direct for the caller. */
static enum tr_status read_one(struct tr_owners *o, bool *now, struct tr_error *err)
{
    const struct tr_batch *b;
    size_t left = 0;
    *now = false;
    enum tr_status st = o->ops->next(o->self, &b, err);
    if (st == TR_OK && !o->n_held)
        o->first_held = o->n_read;
    if (st == TR_OK)
        st = find_frames(o, b, &left, err);
    if (st != TR_OK) { /* first the batches that are held: they are as good as those before */
        o->ended = st;
        o->error = *err;
        give_up(o, INT64_MAX);
        return TR_OK;
    }
    o->direct = *b;
    o->direct.frame = o->frames;
    *now = !o->n_held && !left;
    st = *now ? TR_OK : hold(o, left, err);
    o->n_read++;
    return st;
}

static void give(struct tr_owners *o, const struct tr_batch **b)
{
    *b = o->given = o->held[0].batch;
    memmove(o->held, o->held + 1, --o->n_held * sizeof *o->held);
    o->first_held++;
}

static enum tr_status next(void *self, const struct tr_batch **b, struct tr_error *err)
{
    struct tr_owners *o = self;
    enum tr_status st = TR_OK;
    bool now = false;
    tr_batch_free(o->spare);
    o->spare = o->given;
    o->given = NULL;
    while (st == TR_OK && !now && !o->ended && !(o->n_held && !o->held[0].left))
        st = read_one(o, &now, err);
    if (st != TR_OK)
        return st;
    if (now) {
        *b = &o->direct;
        return TR_OK;
    }
    if (o->n_held) {
        give(o, b);
        return TR_OK;
    }
    *err = o->error;
    return o->ended;
}

/* ---- the input ---- */

static bool want(void *self, const struct tr_projection *of)
{
    struct tr_owners *o = self;
    struct tr_projection all = *of;
    const char **keys = NULL;
    size_t cap = 0;
    bool ok = tr_grow(&keys, &cap, of->n_keys + 2, sizeof *keys);
    for (size_t i = 0; ok && i < of->n_keys; i++)
        keys[i] = of->keys[i];
    if (ok)
        keys[all.n_keys++] = TR_WORK_ARROWS_KEY;
    if (ok && o->group_arg)
        keys[all.n_keys++] = o->group_arg;
    all.keys = keys;
    all.fixed |= TR_ENCLOSING_FIXED;
    all.derived |= TR_ENCLOSING_DERIVED;
    all.any_rank_order = false;
    ok = ok && (!o->ops->want || o->ops->want(o->self, &all));
    free(keys);
    return ok;
}

static void ahead(void *self, unsigned n_blocks)
{
    struct tr_owners *o = self;
    if (o->ops->ahead)
        o->ops->ahead(o->self, n_blocks);
}

static void release(struct tr_owners *o)
{
    if (!o)
        return;
    tr_enclosing_spans_free(o->spans);
    tr_strtab_free(o->texts);
    tr_selector_free(o->selector);
    for (size_t i = 0; i < o->n_held; i++)
        tr_batch_free(o->held[i].batch);
    tr_batch_free(o->given);
    tr_batch_free(o->spare);
    free(o->held);
    free(o->waits);
    free(o->frames);
    free(o->launch_ts);
    free(o->all);
    free(o);
}

static void close_input(void *self)
{
    struct tr_owners *o = self;
    const struct tr_input_ops *ops = o->ops;
    void *of = o->self;
    release(o);
    ops->close(of);
}

static const struct tr_input_ops owners_ops = { .next = next, .close = close_input, .want = want, .ahead = ahead };

static struct tr_owners *new_owners(const struct tr_input *in)
{
    struct tr_owners *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->ops = in->ops;
    o->self = in->self;
    o->dict = in->dict;
    o->earliest = INT64_MAX;
    o->texts = tr_strtab_new();
    o->selector = tr_selector_new();
    o->spans = o->texts ? tr_enclosing_spans_new(in->dict, o->texts, NULL, false) : NULL;
    if (o->selector && o->spans)
        return o;
    release(o);
    return NULL;
}

enum tr_status tr_owners_watch(struct tr_input *in, const char *group_arg, struct tr_error *err)
{
    if (!in->sorted)
        return tr_fail(err, TR_DAMAGED, "what is around an event is not known: the stream must be ordered");
    struct tr_owners *o = in->owners ? in->owners : new_owners(in);
    if (!o)
        return tr_fail_memory(err);
    if (!in->owners) {
        in->owners = o;
        in->ops = &owners_ops;
        in->self = o;
    }
    if (group_arg) {
        o->group_arg = group_arg;
        tr_enclosing_spans_groups(o->spans, group_arg);
    }
    return TR_OK;
}

bool tr_owner_text(const struct tr_owners *o, uint32_t frame, enum tr_owner owner, size_t n, struct tr_str *text,
                   struct tr_buf *room)
{
    *text = tr_str_of(NULL);
    if (frame == NO_FRAME)
        return true;
    const struct tr_frame *f = tr_enclosing_frame(o->spans, frame);
    if (owner == TR_OWNER_STACK) {
        if (!tr_enclosing_stack(o->spans, frame, n, room))
            return false;
        if (room->len)
            *text = (struct tr_str){ (const char *)room->data, room->len };
        return true;
    }
    if (owner == TR_OWNER_MODULE) {
        if (f->module != TR_NO_STR)
            *text = (struct tr_str){ tr_strtab_get(o->texts, f->module), tr_strtab_len(o->texts, f->module) };
        return true;
    }
    *text = tr_dict_text_if(o->dict, owner == TR_OWNER_OPERATOR ? f->op
                                     : owner == TR_OWNER_GROUP  ? f->group
                                                                : f->annotation);
    return true;
}

uint64_t tr_owners_lost(struct tr_owners *o)
{
    uint64_t all = o->n_lost + o->spans->n_lost, before = o->n_said;
    o->n_said = all;
    return all - before;
}

size_t tr_owner_frames(const struct tr_owners *o)
{
    return tr_enclosing_n_frames(o->spans);
}
