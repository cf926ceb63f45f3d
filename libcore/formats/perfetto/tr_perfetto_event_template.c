/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: templates of events.
 *
 * Most events have the name, the track and the kinds of args of an earlier one, and differ in their time and the values
 * of args alone.  So the last events are kept as templates, and an event that is like one of them is emitted from it.
 * Only readers of pieces do so: what tracks and names are does not change while they read.
 */
#include "formats/perfetto/tr_perfetto_annotation_int.h"
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "ingest/tr_event_template_int.h"

#include <stdlib.h>

enum { TEMPLATES = 512 }; /* a power of 2 */

/* What an event has in common with those like it. */
struct like {
    uint32_t step, track, name, category; /* step: the last one of its args; track: by number in the reader */
    int64_t device, stream, context;
    bool has_correlation, correlated; /* it may be 0 */
    uint8_t phase;
};

struct tr__perfetto_template {
    bool is_set, is_start;
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

bool tr__perfetto_may_be_like(struct tr__perfetto_reader *r, const struct tr__track_event *e)
{
    if (r->role != TR__HELPER || !e->has_track || e->legacy.set || e->work || e->api || e->n_categories > 1 ||
        (e->phase != TR_BEGIN && e->phase != TR_INSTANT) || e->thread[0] != TR_I64_NONE ||
        e->thread[1] != TR_I64_NONE || !is_numbered(r, e->name) || !is_numbered(r, e->category))
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
    like->step = w->step;
    like->track = tr__tree_find(r, e->track);
    like->name = e->name;
    like->category = e->category;
    like->device = k->device;
    like->stream = k->stream;
    like->context = k->context;
    like->has_correlation = k->correlation != TR_I64_NONE;
    like->correlated = like->has_correlation && k->correlation != 0;
    like->phase = (uint8_t)e->phase;
    return k->agent == TR_I64_NONE && k->from == TR_I64_NONE && k->to == TR_I64_NONE && k->copied == TR_I64_NONE &&
           (!like->correlated || tr__event_template_plain_link(k->correlation));
}

static bool same(const struct like *x, const struct like *y)
{
    return x->step == y->step && x->track == y->track && x->name == y->name && x->category == y->category &&
           x->device == y->device && x->stream == y->stream && x->context == y->context &&
           x->has_correlation == y->has_correlation && x->correlated == y->correlated && x->phase == y->phase;
}

static struct tr__perfetto_template *place_of(const struct tr__perfetto_reader *r, const struct like *like)
{
    uint64_t key = ((uint64_t)like->name << 32 | like->step) * 0x9e3779b97f4a7c15u + like->track;
    return &r->templates[(key * 0xa0761d6478bd642fu >> 32) % TEMPLATES];
}

bool tr__perfetto_from_template(struct tr__perfetto_reader *r, struct tr__track_event *e, const struct tr__walk *w,
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
    if (t->is_start) {
        ok = tr__start_template_add(r->g, &t->of.start, r->tracks[like.track].nest, e->ts, record, correlation,
                                    w->args, w->n, &taken);
    } else {
        const struct tr__event_template_times when = { e->ts, TR_TIME_NONE, 0, 0 };
        tr__event_template_args(&t->of.event, w->args, w->n);
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
    /* without a shape of its args, one of their keys came twice, or members follow them */
    if (w->n && (r->last_step == UINT32_MAX || r->steps[r->last_step].like.shape == UINT32_MAX))
        return;
    if (!like_of(r, e, w, &like) || (!r->templates && !(r->templates = calloc(TEMPLATES, sizeof *r->templates))))
        return;
    struct tr__perfetto_template *t = place_of(r, &like);
    t->is_start = e->nest != UINT32_MAX;
    t->is_set = t->is_start ? tr__start_template_of(r->g, &t->of.start) : tr__event_template_of(r->g, &t->of.event);
    t->like = like;
    t->at = e->at;
    t->activity = (uint8_t)e->activity;
}
