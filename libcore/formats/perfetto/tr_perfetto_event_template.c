/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: templates of events.
 *
 * Most events have the name, the track and the kinds of args of an earlier one, and differ in their time and the values
 * of args alone.  So the last events are kept as templates, and an event that is like one of them is emitted from it.
 * Only readers of pieces do so: what tracks and names are does not change while they read.
 */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "ingest/tr_event_template_int.h"

#include <stdlib.h>

enum { TEMPLATES = 512 }; /* a power of 2 */

/* What an event has in common with those like it. */
struct like {
    uint32_t step, name, category; /* step: the last one of its args */
    uint32_t pid_text, tid_text;   /* its place, as of its track */
    int64_t pid, tid;
    int64_t device, stream, context;
    bool has_correlation, correlated; /* it may be 0 */
    bool nested;    /* it is a start that waits in a nest */
    bool enclosing; /* as in struct tr__legacy */
    uint8_t kind, phase; /* kind: of its track */
    char id_kind; /* as in struct tr__legacy; 'n': it has no id */
};

struct tr__perfetto_template {
    bool is_set;
    struct like like;
    uint8_t activity;
    struct tr_ingest_track at;
    union {
        struct tr__start_template start;
        struct tr__event_template event;
    } of;
};

static bool is_numbered(const struct tr__perfetto_reader *r, uint32_t text)
{
    return text == TR_NO_STR || (text < r->n_known && r->known[text].number != TR_NO_STR);
}

/* Has an event of another phase an id, and nothing else that differs? */
static bool has_plain_id(const struct tr__legacy *l)
{
    return l->has_id && !l->id_scope.len && !l->has_bind_id && !l->scope && !l->has_pid && !l->has_tid;
}

bool tr__perfetto_may_be_like(struct tr__perfetto_reader *r, const struct tr__track_event *e)
{
    bool with_id = e->phase == TR_ASYNC_BEGIN || e->phase == TR_ASYNC_END || e->phase == TR_ASYNC_INSTANT ||
                   e->phase == TR_FLOW_START || e->phase == TR_FLOW_STEP || e->phase == TR_FLOW_END;
    if (r->role != TR__HELPER || !e->has_track || e->work || e->api || e->n_categories > 1 ||
        (e->legacy.set ? !with_id || !has_plain_id(&e->legacy) : e->phase != TR_BEGIN && e->phase != TR_INSTANT) ||
        e->thread[0] != TR_I64_NONE || e->thread[1] != TR_I64_NONE || !is_numbered(r, e->name) ||
        !is_numbered(r, e->category))
        return false;
    uint32_t at = tr__tree_find(r, e->track);
    const struct tr__tree_track *t = at == UINT32_MAX ? NULL : &r->tracks[at];
    return t && t->placed && t->scope == TR_NO_STR && is_numbered(r, t->pid_text) && is_numbered(r, t->tid_text);
}

/* False: it depends on more. */
static bool like_of(struct tr__perfetto_reader *r, const struct tr__track_event *e, const struct tr__walk *w,
                    struct like *like)
{
    const struct tr__known_args *k = &w->known_args;
    const struct tr__tree_track *t = &r->tracks[tr__tree_find(r, e->track)];
    like->step = w->step;
    like->pid = t->pid;
    like->tid = t->tid;
    like->pid_text = t->pid_text;
    like->tid_text = t->tid_text;
    like->kind = (uint8_t)t->kind;
    like->nested = e->phase == TR_BEGIN && t->nest != UINT32_MAX;
    like->name = e->name;
    like->category = e->category;
    like->device = k->device;
    like->stream = k->stream;
    like->context = k->context;
    like->has_correlation = k->correlation != TR_I64_NONE;
    like->correlated = like->has_correlation && k->correlation != 0;
    like->phase = (uint8_t)e->phase;
    like->enclosing = e->legacy.enclosing;
    like->id_kind = e->legacy.set ? e->legacy.id_kind : 'n';
    return k->agent == TR_I64_NONE && k->from == TR_I64_NONE && k->to == TR_I64_NONE && k->copied == TR_I64_NONE &&
           (!like->correlated || tr__event_template_plain_link(k->correlation));
}

static bool same(const struct like *x, const struct like *y)
{
    return x->step == y->step && x->name == y->name && x->category == y->category && x->pid == y->pid &&
           x->tid == y->tid && x->pid_text == y->pid_text && x->tid_text == y->tid_text && x->kind == y->kind &&
           x->nested == y->nested && x->enclosing == y->enclosing &&
           x->device == y->device && x->stream == y->stream && x->context == y->context &&
           x->has_correlation == y->has_correlation && x->correlated == y->correlated && x->phase == y->phase &&
           x->id_kind == y->id_kind;
}

static struct tr__perfetto_template *place_of(const struct tr__perfetto_reader *r, const struct like *like)
{
    uint64_t key = ((uint64_t)like->name << 32 | like->step) * 0x9e3779b97f4a7c15u + (uint64_t)like->tid;
    return &r->templates[(key * 0xa0761d6478bd642fu >> 32) % TEMPLATES];
}

/* The id of the event as one more arg.  False: there is no room, or no memory. */
static bool add_id(struct tr__perfetto_reader *r, const struct tr__track_event *e, struct tr__walk *w, size_t *n)
{
    uint32_t id = *n < TR__MAX_AT_ONCE ? tr__perfetto_legacy_id(r, &e->legacy) : TR_NO_STR;
    if (id == TR_NO_STR)
        return false;
    w->args[(*n)++] = (struct tr__arg){ TR_NO_STR, TR_T_STRING, id };
    return true;
}

bool tr__perfetto_from_template(struct tr__perfetto_reader *r, struct tr__track_event *e, struct tr__walk *w,
                                enum tr_status *st)
{
    struct like like;
    if (!r->templates || !like_of(r, e, w, &like))
        return false;
    struct tr__perfetto_template *t = place_of(r, &like);
    if (!t->is_set || !same(&t->like, &like))
        return false;
    const bool before = e->phase == TR_INSTANT && r->n_flow_ids; /* flows of an instant come before it */
    const uint64_t record = r->n_events + (before ? r->n_flow_ids : 0);
    const int64_t correlation = w->known_args.correlation;
    bool ok, taken = true;
    if (like.nested) {
        uint32_t nest = r->tracks[tr__tree_find(r, e->track)].nest;
        ok = tr__start_template_add(r->g, &t->of.start, nest, e->ts, record, correlation, w->args, w->n, &taken);
    } else {
        const struct tr__event_template_times when = { e->ts, TR_TIME_NONE, 0, 0 };
        size_t n = w->n;
        if (e->legacy.set && !add_id(r, e, w, &n)) /* it comes after the args */
            return false;
        tr__event_template_args(&t->of.event, w->args, n);
        ok = tr__event_template_add(r->g, &t->of.event, &when, record, correlation);
    }
    if (!taken)
        return false;
    r->n_events += !before;
    *st = ok ? TR_OK : tr_fail_memory(r->err);
    if (ok && r->n_flow_ids) {
        e->at = t->at;
        e->activity = (enum tr_activity)t->activity;
        *st = tr__perfetto_emit_flows(r, e, like.correlated);
    }
    r->n_events += before;
    return true;
}

void tr__perfetto_keep_template(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                const struct tr__walk *w)
{
    struct like like;
    if (w->n && r->last_step == UINT32_MAX) /* it has more args */
        return;
    if (!like_of(r, e, w, &like) || (!r->templates && !(r->templates = calloc(TEMPLATES, sizeof *r->templates))))
        return;
    struct tr__perfetto_template *t = place_of(r, &like);
    t->is_set = like.nested ? tr__start_template_of(r->g, &t->of.start) : tr__event_template_of(r->g, &t->of.event);
    t->like = like;
    t->at = e->at;
    t->activity = (uint8_t)e->activity;
}
