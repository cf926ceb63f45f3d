/* SPDX-License-Identifier: MIT */
/* Files of a dialect: finds it from the start of the file, and lets it say what events are. */
#include "formats/chrome/tr_chrome_read_int.h"

#include "formats/common/tr_dialect_list_int.h"

#include <stdlib.h>

#define TR__DIALECT(name) &tr_dialect_##name,
static const struct tr_dialect *const dialects[] = { TR__DIALECTS(TR__DIALECT) };
#undef TR__DIALECT

struct tr__spoken {
    const struct tr_dialect *dialect;
    void *state;
    struct tr_dialect_member *members; /* of the event being read */
    size_t cap_members;
    struct tr_dialect_event event;
    bool steps_of_host;
    struct tr__step_note *steps; /* those of devices */
    size_t n_steps, cap_steps;
};

static bool find(struct tr__spoken **out, const unsigned char *p, size_t n)
{
    const struct tr_dialect *d = NULL;
    *out = NULL;
    for (size_t i = 0; !d && i < sizeof dialects / sizeof *dialects; i++)
        if (dialects[i]->speaks(p, n))
            d = dialects[i];
    if (!d)
        return true;
    struct tr__spoken *s = calloc(1, sizeof *s);
    void *state = s ? d->start() : NULL;
    if (!state) {
        free(s);
        return false;
    }
    s->dialect = d;
    s->state = state;
    *out = s;
    return true;
}

enum tr_status tr__chrome_bytes(struct tr__chrome *c, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    size_t n = c->ahead.len - c->ahead_used;
    if (n == 0 && c->ahead_status == TR_OK)
        return c->bytes.read(c->bytes.ctx, buf, cap, got, err);
    *got = n < cap ? n : cap;
    if (n == 0) {
        *err = c->ahead_err;
        return c->ahead_status;
    }
    memcpy(buf, c->ahead.data + c->ahead_used, *got);
    c->ahead_used += *got;
    return TR_OK;
}

bool tr__chrome_find_dialect(struct tr__chrome *c, bool at_once)
{
    bool ok = tr_buf_reserve(&c->ahead, TR_DIALECT_BYTES);
    while (ok && c->ahead_status == TR_OK && c->ahead.len < TR_DIALECT_BYTES && !(at_once && c->ahead.len > 0)) {
        size_t got = 0;
        c->ahead_status = c->bytes.read(c->bytes.ctx, c->ahead.data + c->ahead.len, TR_DIALECT_BYTES - c->ahead.len,
                                        &got, &c->ahead_err);
        c->ahead.len += c->ahead_status == TR_OK ? got : 0;
    }
    return ok && find(&c->spoken, c->ahead.data, c->ahead.len);
}

void tr__spoken_free(struct tr__spoken *s)
{
    if (!s)
        return;
    s->dialect->free(s->state);
    free(s->members);
    free(s->steps);
    free(s);
}

const struct tr_dialect *tr__spoken_dialect(const struct tr__spoken *s)
{
    return s ? s->dialect : NULL;
}

static struct tr_str text_of(const struct tr__interner *in, uint32_t id)
{
    return id == TR_NO_STR ? (struct tr_str){ NULL, 0 } : (struct tr_str){ in->texts[id].text, in->texts[id].len };
}

/* The members of the event as the dialect sees them; *n_out: how many.  False: out of memory. */
static bool list_members(struct tr__parser *ps, size_t n, size_t *n_out)
{
    struct tr__spoken *s = ps->spoken;
    const struct tr__member *m = (const struct tr__member *)(void *)ps->slots.data;
    *n_out = 0;
    if (!tr_grow(&s->members, &s->cap_members, n + 1, sizeof *s->members))
        return false;
    for (size_t i = 0; i < n; i++)
        if (m[i].use != TR__USE_VOID && m[i].use != TR__USE_ARGS)
            s->members[(*n_out)++] = (struct tr_dialect_member){
                text_of(&ps->lane.interner, m[i].key), { m[i].raw, m[i].len }, m[i].place == TR_PLACE_ARGS
            };
    return true;
}

bool tr__spoken_event(struct tr__parser *ps, struct tr__event *e, size_t n_members)
{
    struct tr__spoken *s = ps->spoken;
    size_t n;
    if (!list_members(ps, n_members, &n))
        return false;
    s->event = (struct tr_dialect_event){
        .members = s->members, .n_members = n, .phase = tr_vocab_phase(e->ph),
        .name = text_of(&ps->lane.interner, e->name),
        .pid = e->pid_type == TR_T_INT ? e->pid : 0, .tid = e->tid_type == TR_T_INT ? e->tid : 0,
        .pid_text = e->pid_type == TR_T_STRING ? text_of(&ps->lane.interner, (uint32_t)e->pid)
                                               : (struct tr_str){ NULL, 0 },
        .ts = e->ts, .dur = e->dur, .device = TR_I64_NONE, .stream = TR_I64_NONE, .activity = -1, .kind = -1,
        .link = TR_I64_NONE, .arrow = TR_I64_NONE, .step = TR_I64_NONE,
    };
    if (!s->dialect->event(s->state, &s->event))
        return false;
    e->ts = s->event.ts;
    e->dur = s->event.dur;
    if (s->event.device != TR_I64_NONE)
        e->device = s->event.device;
    if (s->event.stream != TR_I64_NONE)
        e->stream = s->event.stream;
    return true;
}

const struct tr_dialect_event *tr__spoken_last(const struct tr__spoken *s)
{
    return &s->event;
}

/* The step that a span is. */
static bool add_step(struct tr__parser *ps, const struct tr_row *row)
{
    struct tr__spoken *s = ps->spoken;
    if (row->phase != TR_SPAN || row->ts == TR_TIME_NONE || row->dur == TR_TIME_NONE || row->suspect != TR_SUSPECT_NO)
        return true;
    struct tr__step_note note = {
        { .number = s->event.step, .start = row->ts, .end = row->ts + row->dur, .track = row->track },
        ps->lane.interner_no
    };
    if (!s->event.step_of_device) {
        s->steps_of_host = true;
        return tr_summary_add_step(&ps->lane.piece->sum, &note.step);
    }
    if (!tr_grow(&s->steps, &s->cap_steps, s->n_steps + 1, sizeof *s->steps))
        return false;
    s->steps[s->n_steps++] = note;
    return true;
}

bool tr__spoken_added(struct tr__parser *ps, const struct tr_row *row)
{
    const struct tr_dialect_event *e = &ps->spoken->event;
    bool start = row->phase == TR_FLOW_START, end = row->phase == TR_FLOW_STEP || row->phase == TR_FLOW_END;
    if (e->arrow != TR_I64_NONE && (start || end) && row->ts != TR_TIME_NONE &&
        !tr__lane_arrow(&ps->lane, &(struct tr__arrow){ e->arrow, 0, e->link, row->ts, start }))
        return false;
    if (e->launches && e->link != TR_I64_NONE && !tr__lane_launch(&ps->lane, e->link, row))
        return false;
    return e->step == TR_I64_NONE || add_step(ps, row);
}

bool tr__spoken_steps(const struct tr__spoken *s, struct tr__file *f)
{
    for (size_t i = 0; s && !s->steps_of_host && i < s->n_steps; i++) {
        if (!tr_grow(&f->steps, &f->cap_steps, f->n_steps + 1, sizeof *f->steps))
            return false;
        f->steps[f->n_steps++] = s->steps[i];
    }
    return true;
}
