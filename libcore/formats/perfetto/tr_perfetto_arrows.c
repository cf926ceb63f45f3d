/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: ids of flows in track events become flow events. */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "vendor/tr_vocab.h"

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

static enum tr_status put_flow(struct tr__perfetto_reader *r, enum tr_phase phase, const struct tr__later *flow,
                               const char *category, uint64_t record)
{
    char text[24], *digits = text + sizeof text;
    uint64_t id = flow->id;
    tr_ingest_begin(r->g, phase, flow->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, record);
    tr_ingest_name_number(r->g, known(r, &r->flow_texts[0], "flow"));
    tr_ingest_category_number(r->g, known(r, &r->flow_texts[1 + (*category == 'a')], category));
    tr_ingest_track(r->g, &flow->at);
    do {
        *--digits = (char)('0' + id % 10);
    } while (id /= 10);
    uint32_t number = tr_ingest_text(r->g, digits, (size_t)(text + sizeof text - digits));
    tr_ingest_key(r->g, known(r, &r->flow_texts[3], "id"));
    tr__ingest_member_number(r->g, number);
    tr_ingest_key(r->g, known(r, &r->flow_texts[4], "bp"));
    tr__ingest_member_number(r->g, known(r, &r->flow_texts[5], "e"));
    if (flow->of) {
        bool end = flow->of == TR__FLOW_OF_END;
        tr_ingest_key(r->g, known(r, &r->flow_texts[6], "of"));
        tr__ingest_member_number(r->g, known(r, &r->flow_texts[7 + end], end ? "end" : "instant"));
    }
    return tr_ingest_end(r->g, r->err);
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
