/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: ids of flows in track events become flow events. */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "ingest/tr_event_template_int.h"
#include "vendor/tr_vocab.h"

#include <stdlib.h>

enum tr_status tr__perfetto_keep_later(struct tr__perfetto_reader *r, const struct tr__later *what)
{
    if (!tr_grow(&r->later, &r->cap_later, r->n_later + 1, sizeof *r->later))
        return tr_fail_memory(r->err);
    struct tr__later *l = &r->later[r->n_later++];
    *l = *what;
    l->at.pid_number = l->at.tid_number = 0; /* another builder passes it on */
    return TR_OK;
}

/* The number of a short text that is frequent; it is looked up once. */
static uint32_t known(struct tr__perfetto_reader *r, uint32_t *number, const char *text)
{
    if (!*number)
        *number = tr_ingest_text(r->g, text, strlen(text)) + 1; /* TR_NO_STR: 0 again */
    return *number - 1;
}

/* A flow event, for others at the same place; the number of the flow's text is the first of its values. */
struct tr__flow_template {
    bool is_set;
    struct tr_ingest_track at;
    uint8_t phase;
    char of, category; /* category: its first letter */
    struct tr__event_template event;
};

enum { TEMPLATES = 64 }; /* a power of 2 */

static bool same_place(const struct tr_ingest_track *x, const struct tr_ingest_track *y)
{
    return x->side == y->side && x->pid == y->pid && x->tid == y->tid && x->device == y->device &&
           x->context == y->context && x->stream == y->stream && x->clock == y->clock &&
           x->pid_number == y->pid_number && x->tid_number == y->tid_number && !x->pid_text == !y->pid_text &&
           !x->tid_text == !y->tid_text;
}

/* The template for such a flow event, or the place for one; NULL: there is none, because a text has no number. */
static struct tr__flow_template *template_of(struct tr__perfetto_reader *r, enum tr_phase phase,
                                             const struct tr__later *flow, char category)
{
    const struct tr_ingest_track *at = &flow->at;
    if ((at->pid_text && !at->pid_number) || (at->tid_text && !at->tid_number) ||
        (!r->flow_templates && !(r->flow_templates = calloc(TEMPLATES, sizeof *r->flow_templates))))
        return NULL;
    uint64_t place = tr_mix64((uint64_t)at->pid ^ at->pid_number, (uint64_t)at->tid ^ at->tid_number) ^
                     (uint64_t)at->stream;
    struct tr__flow_template *t = &r->flow_templates[(place * 3 + (unsigned)phase) % TEMPLATES];
    t->is_set = t->is_set && t->phase == phase && t->of == flow->of && t->category == category &&
                same_place(&t->at, at);
    if (!t->is_set) {
        t->phase = (uint8_t)phase;
        t->of = flow->of;
        t->category = category;
        t->at = *at;
    }
    return t;
}

static enum tr_status put_flow(struct tr__perfetto_reader *r, enum tr_phase phase, const struct tr__later *flow,
                               const char *category, uint64_t record)
{
    char text[24], *digits = text + sizeof text;
    uint64_t id = flow->id;
    struct tr__flow_template *like = template_of(r, phase, flow, *category);
    do {
        *--digits = (char)('0' + id % 10);
    } while (id /= 10);
    const size_t n_digits = (size_t)(text + sizeof text - digits);
    uint32_t number = TR_NO_STR;
    if (like && like->is_set)
        number = tr_ingest_text(r->g, digits, n_digits);
    if (number != TR_NO_STR) {
        const struct tr__event_template_times when = { flow->ts, TR_TIME_NONE, 0, 0 };
        memcpy(like->event.values, &number, sizeof number);
        return tr__event_template_add(r->g, &like->event, &when, record, 0) ? TR_OK : tr_fail_memory(r->err);
    }
    tr_ingest_begin(r->g, phase, flow->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, record);
    tr_ingest_name_number(r->g, known(r, &r->flow_texts[0], "flow"));
    tr_ingest_category_number(r->g, known(r, &r->flow_texts[1 + (*category == 'a')], category));
    tr_ingest_track(r->g, &flow->at);
    number = tr_ingest_text(r->g, digits, n_digits);
    tr_ingest_key(r->g, known(r, &r->flow_texts[3], "id"));
    tr__ingest_member_number(r->g, number);
    tr_ingest_key(r->g, known(r, &r->flow_texts[4], "bp"));
    tr__ingest_member_number(r->g, known(r, &r->flow_texts[5], "e"));
    if (flow->of) {
        bool end = flow->of == TR__FLOW_OF_END;
        tr_ingest_key(r->g, known(r, &r->flow_texts[6], "of"));
        tr__ingest_member_number(r->g, known(r, &r->flow_texts[7 + end], end ? "end" : "instant"));
    }
    enum tr_status st = tr_ingest_end(r->g, r->err);
    if (like)
        like->is_set = st == TR_OK && tr__event_template_of(r->g, &like->event);
    return st;
}

enum tr_status tr__perfetto_emit_flow(struct tr__perfetto_reader *r, const struct tr__later *flow)
{
    bool started = tr__numbers_get(&r->flows, flow->id) == 1;
    uint64_t record = r->n_events++;
    if (!tr__numbers_set(&r->flows, flow->id, !flow->last))
        return tr_fail_memory(r->err);
    if (flow->last && !started)
        return TR_OK;
    enum tr_phase phase = !started ? TR_FLOW_START : flow->last ? TR_FLOW_END : TR_FLOW_STEP;
    return put_flow(r, phase, flow, "flow", record);
}

/*
 * If launch and work are joined by their correlation, flows link the same events, and have the category of such flows.
 */
static enum tr_status emit_launch_flow(struct tr__perfetto_reader *r, const struct tr__later *flow, bool work)
{
    return put_flow(r, work ? TR_FLOW_END : TR_FLOW_START, flow, "ac2g", r->n_events++);
}

enum tr_status tr__perfetto_emit_flows(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                       bool correlated)
{
    bool work = correlated && tr_vocab_on_device(e->activity);
    bool launch = work || (correlated && (e->activity == TR_ACT_RUNTIME_API || e->activity == TR_ACT_DRIVER_API));
    char of = e->phase == TR_SPAN_END ? TR__FLOW_OF_END : e->phase == TR_INSTANT ? TR__FLOW_OF_INSTANT
                                                                                : TR__FLOW_OF_START;
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n_flow_ids; i++) {
        struct tr__later flow = { .what = TR__LATER_FLOW, .id = r->flow_ids[i], .last = i >= r->n_flows_going,
                                  .ts = e->ts, .at = e->at, .record = r->n_events, .of = of };
        if (launch) {
            st = emit_launch_flow(r, &flow, work);
        } else if (r->role == TR__HELPER) {
            st = tr__perfetto_keep_later(r, &flow);
            r->n_events++;
        } else {
            st = tr__perfetto_emit_flow(r, &flow);
        }
    }
    return st;
}
