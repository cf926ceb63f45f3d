/* SPDX-License-Identifier: MIT */
/*
 * Arrows between slices.
 *
 * Flow events are written as flow events.  An importer binds each to the innermost slice on its track at that point of
 * the file, so each is written while that slice is open.  Flow events of profilers from launches to their work are left
 * out if the links of the stream draw the same arrows.
 */
#include "formats/perfetto/tr_perfetto_int.h"

#include "base/tr_hash.h"
#include "vendor/tr_vocab.h"

#include <stdlib.h>

/* Fields of LegacyEvent, and its directions. */
enum { LEGACY_PHASE = 2, LEGACY_ID = 6, LEGACY_BIND_ID = 8, LEGACY_ENCLOSING = 12, LEGACY_DIRECTION = 13 };
enum { FLOW_IN = 1, FLOW_OUT = 2, FLOW_BOTH = 3 };

/* The most arrows of one launch; work beyond this number gets none. */
#define MAX_WORK 65536

bool tr__perfetto_flows_init(struct tr__perfetto_flows *f)
{
    f->started = tr_strtab_new();
    f->launches = tr_strtab_new();
    return f->started && f->launches;
}

void tr__perfetto_flows_free(struct tr__perfetto_flows *f)
{
    free(f->now);
    free(f->ids);
    free(f->n_work);
    tr_strtab_free(f->started);
    tr_strtab_free(f->launches);
}

/* ---- flow events ---- */

/* The number of a flow; a new one at its start.  0: it has not started; UINT64_MAX: out of memory. */
static uint64_t flow_number(struct tr__perfetto_flows *f, const struct tr__perfetto_flow *flow)
{
    if (flow->phase != TR_FLOW_START) {
        uint32_t at = tr_strtab_find(f->started, &flow->key, sizeof flow->key);
        return at == TR_NO_STR ? 0 : f->ids[at];
    }
    uint32_t at = tr_strtab_add(f->started, &flow->key, sizeof flow->key);
    if (at == TR_NO_STR || !tr_grow(&f->ids, &f->cap_ids, at + (size_t)1, sizeof *f->ids))
        return UINT64_MAX;
    return f->ids[at] = ++f->n_ids;
}

/* Write a flow event as a packet; its slice is now the innermost on its track. */
static bool put_flow(struct tr_perfetto_writer *w, const struct tr__perfetto_flow *flow, uint64_t uuid, int64_t ts,
                     unsigned links, struct tr_buf *out)
{
    struct tr_buf *l = &w->legacy;
    bool start = flow->phase == TR_FLOW_START;
    if (links & TR__LEFT_OUT || (flow->launch && links & (start ? TR__LAUNCHES : TR__LAUNCHED)))
        return true;
    uint64_t id = flow_number(&w->flows, flow);
    if (id == 0 || id == UINT64_MAX)
        return id == 0;
    l->len = 0;
    return tr__proto_u64(l, LEGACY_PHASE, (uint64_t)tr_vocab_letter((enum tr_phase)flow->phase)) &&
           tr__proto_u64(l, LEGACY_ID, id) && tr__proto_u64(l, LEGACY_ENCLOSING, 1) &&
           tr__perfetto_start(w, 0, uuid) &&
           tr__perfetto_interned(w, TR__EVENT_CATEGORY, TR__INTERNED_CATEGORY, flow->cat) &&
           tr__perfetto_interned(w, TR__EVENT_NAME, TR__INTERNED_NAME, flow->name) &&
           tr__proto_message(&w->event, TR__EVENT_LEGACY, l) && tr__perfetto_put(w, ts, out);
}

/* Flows of one category, name and id belong together.  Like pids, ids are valid only inside one source. */
bool tr__perfetto_keep_flow(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, unsigned phase,
                            enum tr__flow_at at, struct tr_buf *out)
{
    struct tr__perfetto_flows *f = &w->flows;
    struct tr_str cat = tr_dict_text(w->dict, e->cat), name = tr_dict_text(w->dict, e->name);
    const uint64_t of[] = { w->dict->tracks[e->track].source, tr_hash(cat.s, cat.len), tr_hash(name.s, name.len),
                            tr_hash(w->id.data, w->id.len) };
    struct tr__perfetto_flow flow = {
        .thread = tr__perfetto_thread(&w->tracks, e->track),
        .name = e->name,
        .cat = e->cat,
        .phase = (uint8_t)phase,
        .launch = e->cat != TR_NO_STR && tr_vocab_launch_flow(cat.s, cat.len),
        .key = tr_hash(of, sizeof of),
    };
    if (flow.thread == UINT32_MAX)
        return false;
    struct tr__perfetto_thread *th = &w->tracks.threads[flow.thread];
    if (at == TR__FLOW_AT_END) {
        bool ok = true;
        uint64_t uuid;
        const struct tr__perfetto_open *ending = tr__perfetto_ending(&w->tracks, flow.thread, e->ts, &uuid, out, &ok);
        if (!ok || ending)
            return ok && put_flow(w, &flow, uuid, e->ts, ending->links, out);
    } else if (at == TR__FLOW_AT_INSTANT) {
        th->n_at_instant = th->moment == e->ts ? th->n_at_instant : 0; /* the instant of the others did not come */
        th->moment = e->ts;
        if (!tr_grow(&th->at_instant, &th->cap_at_instant, th->n_at_instant + 1, sizeof flow))
            return false;
        th->at_instant[th->n_at_instant++] = flow;
        return true;
    } else if (at == TR__FLOW_NEXT) {
        if (!tr_grow(&th->waiting, &th->cap_waiting, th->n_waiting + 1, sizeof flow))
            return false;
        th->waiting[th->n_waiting++] = flow;
        return true;
    }
    if (!tr_grow(&f->now, &f->cap, f->n + 1, sizeof flow))
        return false;
    f->now[f->n++] = flow;
    f->ts = e->ts;
    return true;
}

bool tr__perfetto_next_flows(struct tr_perfetto_writer *w, uint32_t track, uint64_t uuid, int64_t ts, unsigned links,
                             struct tr_buf *out)
{
    uint32_t thread = tr__perfetto_thread(&w->tracks, track);
    struct tr__perfetto_thread *th = thread == UINT32_MAX ? NULL : &w->tracks.threads[thread];
    bool ok = th != NULL;
    for (size_t k = 0; ok && k < th->n_waiting; k++)
        ok = put_flow(w, &th->waiting[k], uuid, ts, links, out);
    if (th)
        th->n_waiting = 0;
    return ok;
}

bool tr__perfetto_flows_wait(struct tr_perfetto_writer *w, uint32_t track, int64_t ts)
{
    uint32_t thread = tr__perfetto_thread(&w->tracks, track);
    const struct tr__perfetto_thread *th = thread == UINT32_MAX ? NULL : &w->tracks.threads[thread];
    return th && th->n_at_instant && th->moment == ts;
}

bool tr__perfetto_instant_flows(struct tr_perfetto_writer *w, uint32_t track, uint64_t uuid, int64_t ts,
                                struct tr_buf *out)
{
    struct tr__perfetto_thread *th = &w->tracks.threads[tr__perfetto_thread(&w->tracks, track)];
    bool ok = true;
    for (size_t k = 0; ok && k < th->n_at_instant; k++)
        ok = put_flow(w, &th->at_instant[k], uuid, ts, 0, out);
    th->n_at_instant = 0;
    return ok;
}

bool tr__perfetto_now_flows(struct tr_perfetto_writer *w, struct tr_buf *out)
{
    struct tr__perfetto_flows *f = &w->flows;
    bool ok = true;
    for (size_t k = 0; k < f->n && ok; k++) {
        uint64_t uuid;
        const struct tr__perfetto_open *around =
            tr__perfetto_around(&w->tracks, f->now[k].thread, f->ts, &uuid, out, &ok);
        if (around)
            ok = put_flow(w, &f->now[k], uuid, f->ts, around->links, out);
    }
    f->n = 0;
    return ok;
}

/* ---- links of the stream ---- */

unsigned tr__perfetto_links(const struct tr__perfetto_event *e)
{
    return (e->derived[TR_COL_N_DEVICE] > 0 ? TR__LAUNCHES : 0) |
           (e->derived[TR_COL_LAUNCH_RECORD] != TR_I64_NONE && tr_is_device_work(e->b->activity[e->i]) ? TR__LAUNCHED
                                                                                                       : 0);
}

/* The arrow from a launch to one piece of its work. */
static uint64_t launch_flow(uint32_t source, uint64_t record, uint32_t work)
{
    const uint64_t of[] = { source, record, work };
    return tr_hash(of, sizeof of) | 1;
}

/*
 * How many numbers has the device work of a launch got so far?  Only launches with several pieces, and launches
 * that come after their first work, are remembered: the work of others is always number 0.  NULL: not remembered (*ok
 * is true), or out of memory.
 */
static uint32_t *work_of(struct tr__perfetto_flows *f, uint32_t source, uint64_t record, bool add, bool *ok)
{
    const uint64_t key[] = { source, record };
    uint32_t before = tr_strtab_count(f->launches);
    uint32_t at = add ? tr_strtab_add(f->launches, key, sizeof key) : tr_strtab_find(f->launches, key, sizeof key);
    *ok = true;
    if (at == TR_NO_STR) {
        *ok = !add;
        return NULL;
    }
    if (at == before) {
        *ok = tr_grow(&f->n_work, &f->cap_work, at + (size_t)1, sizeof *f->n_work);
        if (!*ok)
            return NULL;
        f->n_work[at] = 0;
    }
    return &f->n_work[at];
}

bool tr__perfetto_add_links(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e)
{
    uint32_t source = w->dict->tracks[e->track].source;
    unsigned links = tr__perfetto_links(e);
    bool ok = true;
    if (links & TR__LAUNCHES) {
        int64_t n = e->derived[TR_COL_N_DEVICE];
        if (n > 1)
            work_of(&w->flows, source, e->b->record[e->i], true, &ok);
        for (uint32_t k = 0; ok && k < n && k < MAX_WORK; k++)
            ok = tr__proto_fixed64(&w->event, TR__EVENT_FLOW, launch_flow(source, e->b->record[e->i], k));
    }
    if (ok && links & TR__LAUNCHED) {
        uint64_t record = (uint64_t)e->derived[TR_COL_LAUNCH_RECORD];
        bool early = e->derived[TR_COL_LAUNCH_TS] == TR_I64_NONE || e->derived[TR_COL_LAUNCH_TS] >= e->b->ts[e->i];
        uint32_t *given = work_of(&w->flows, source, record, early, &ok);
        uint32_t k = given ? (*given)++ : 0;
        ok = ok && tr__proto_fixed64(&w->event, TR__EVENT_FLOW, launch_flow(source, record, k));
    }
    return ok;
}

/* ---- arrows by bind_id ---- */

bool tr__perfetto_add_bind(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, bool in, bool out)
{
    struct tr_buf *l = &w->legacy;
    const uint64_t of[] = { w->dict->tracks[e->track].source, tr_hash(w->id.data, w->id.len) };
    l->len = 0;
    return tr__proto_u64(l, LEGACY_BIND_ID, tr_hash(of, sizeof of)) &&
           tr__proto_u64(l, LEGACY_DIRECTION, in && out ? FLOW_BOTH : in ? FLOW_IN : FLOW_OUT) &&
           tr__proto_message(&w->event, TR__EVENT_LEGACY, l);
}
