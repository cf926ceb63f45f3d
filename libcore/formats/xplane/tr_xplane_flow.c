/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: flows.
 *
 * Which event waited for which?  An event that hands on work has the type and the number of what it makes (_pt, _p),
 * and the events that take it have the same two (_ct, _c).  Or events have one number (flow) with a direction in its
 * lowest 2 bits, a number in the next 56, and a category above.  Lines are not in order of time, so the ends are sorted
 * first; then each start goes to those that follow it, up to the next start.
 */
#include "formats/xplane/tr_xplane_event_int.h"
#include "formats/xplane/tr_xplane_flow_ends_int.h"

#include <stdlib.h>

#define FLOW_ID     ((UINT64_C(1) << 56) - 1)
#define AT_ONCE     4096u /* ends that are passed on before the builder may commit */
#define HELD        4096u /* ends that are put in order together, if there is no helper */
#define MEMORY_PART 16u   /* of the memory for names */

enum { ENDS = 64 }; /* of flows that were passed on, for others like them; a power of 2 */

enum { DIRECTION_IN = 1, DIRECTION_OUT = 2, DIRECTION_BOTH = 3 };

/* Take the ends that are held to those of the whole file. */
static enum tr_status take_held(struct tr__xplane_reader *r)
{
    tr__xplane_order_flows(r);
    return tr__xplane_take_flows(r, r, 0, r->err);
}

static enum tr_status keep(struct tr__xplane_reader *r, const struct tr__xplane_touched *e, uint64_t kind,
                           uint64_t id, enum tr__xplane_role role)
{
    struct tr__xplane_flow_end end;
    memset(&end, 0, sizeof end);
    end.kind = kind;
    end.id = id;
    end.ts = e->ts;
    end.ts_ps = (uint16_t)e->ts_ps;
    end.record = e->record;
    end.plane = (uint32_t)(e->plane - r->planes);
    end.line = (uint32_t)(e->line - r->lines);
    end.role = (uint8_t)role;
    if (!tr_buf_add(&r->own_ends, &end, sizeof end))
        return tr_fail_memory(r->err);
    return r->is_helper || r->own_ends.len < HELD * sizeof end ? TR_OK : take_held(r);
}

enum tr_status tr__xplane_keep_flows(struct tr__xplane_reader *r, const struct tr__xplane_flow *f,
                                     const struct tr__xplane_touched *e)
{
    static const enum tr__xplane_role roles[] = {
        [DIRECTION_IN] = TR__FLOW_IN, [DIRECTION_OUT] = TR__FLOW_OUT, [DIRECTION_BOTH] = TR__FLOW_BOTH
    };
    enum tr_status st = TR_OK;
    if (f->has_made)
        st = keep(r, e, f->made_type << 1, f->made, TR__FLOW_OUT);
    if (st == TR_OK && f->has_taken)
        st = keep(r, e, f->taken_type << 1, f->taken, TR__FLOW_IN);
    if (st == TR_OK && f->flow & 3)
        st = keep(r, e, f->flow >> 58 << 1 | 1, f->flow >> 2 & FLOW_ID, roles[f->flow & 3]);
    return st;
}

void tr__xplane_order_flows(struct tr__xplane_reader *r)
{
    if (r->own_ends.len)
        tr__xplane_flow_ends_order((struct tr__xplane_flow_end *)(void *)r->own_ends.data,
                                   r->own_ends.len / sizeof(struct tr__xplane_flow_end));
}

enum tr_status tr__xplane_take_flows(struct tr__xplane_reader *r, struct tr__xplane_reader *helper,
                                     uint64_t first_record, struct tr_error *err)
{
    struct tr__xplane_flow_end *ends = (struct tr__xplane_flow_end *)(void *)helper->own_ends.data;
    size_t n = helper->own_ends.len / sizeof *ends;
    for (size_t i = 0; i < n; i++)
        ends[i].record += first_record;
    helper->own_ends.len = 0;
    return n ? tr__xplane_flow_ends_add(&r->flows, ends, n, r->max_memory / MEMORY_PART, r->temp_dir, err) : TR_OK;
}

/* ---- passing on ---- */

/* What is kept of the flows that were passed on. */
struct tr__xplane_flow_templates {
    uint64_t kind, id; /* of the last one */
    uint32_t text;     /* its number; TR_NO_STR: there is none */
    struct flow_template {
        uint32_t line; /* from 1; 0: none */
        uint8_t phase;
        struct tr__event_template event; /* the number of the flow's text is the first of its values */
    } ends[ENDS];
};

/* Write the digits of a number before a place.  Returns where they start. */
static char *put_digits(char *to, uint64_t v)
{
    do
        *--to = (char)('0' + v % 10);
    while (v /= 10);
    return to;
}

/* The number of the text of a flow, "1.42" or "flow 1.42"; TR_NO_STR: out of memory. */
static uint32_t text_of(struct tr__xplane_reader *r, const struct tr__xplane_flow_end *end)
{
    struct tr__xplane_flow_templates *t = r->flow_templates;
    static const char word[] = "flow ";
    char id[64], *const id_end = id + sizeof id;
    if (t->text == TR_NO_STR || t->kind != end->kind || t->id != end->id) {
        char *p = put_digits(id_end, end->id);
        *--p = '.';
        p = put_digits(p, end->kind >> 1);
        if (end->kind & 1)
            p = memcpy(p - (sizeof word - 1), word, sizeof word - 1);
        t->text = tr_ingest_text(r->g, p, (size_t)(id_end - p));
        t->kind = end->kind;
        t->id = end->id;
    }
    return t->text;
}

static enum tr_status put(struct tr__xplane_reader *r, const struct tr__xplane_flow_end *end, enum tr_phase phase)
{
    struct flow_template *known = &r->flow_templates->ends[(end->line * 3 + (unsigned)phase) & (ENDS - 1)];
    const struct tr__event_template_times when = { end->ts, TR_TIME_NONE, end->ts_ps, 0 };
    uint32_t text = text_of(r, end);
    uint64_t record = r->n_events++;
    if (known->line == end->line + 1 && known->phase == phase && text != TR_NO_STR) {
        memcpy(known->event.values, &text, sizeof text);
        return tr__event_template_add(r->g, &known->event, &when, record, 0) ? TR_OK : tr_fail_memory(r->err);
    }
    struct tr_ingest_track track = tr__xplane_track(r, &r->planes[end->plane], &r->lines[end->line]);
    tr_ingest_begin(r->g, phase, when.ts, when.dur);
    tr_ingest_picoseconds(r->g, when.ts_ps, 0);
    tr_ingest_record(r->g, record);
    tr_ingest_name(r->g, "flow", 4);
    tr_ingest_category(r->g, "flow", 4);
    tr_ingest_track(r->g, &track);
    tr_ingest_key(r->g, tr_ingest_text(r->g, "id", 2));
    tr__ingest_member_number(r->g, text);
    tr_ingest_member_text(r->g, "bp", "e", 1);
    enum tr_status st = tr_ingest_end(r->g, r->err);
    bool kept = st == TR_OK && tr__event_template_of(r->g, &known->event);
    known->line = kept ? end->line + 1 : 0;
    known->phase = (uint8_t)phase;
    return st;
}

/* The last end that is known of a flow is its end. */
static enum tr_status close_flow(struct tr__xplane_reader *r)
{
    enum tr_status st = r->n_ends > 1 ? put(r, &r->ends[1], TR_FLOW_END) : TR_OK;
    r->n_ends = 0;
    return st;
}

static enum tr_status take_end(struct tr__xplane_reader *r, const struct tr__xplane_flow_end *end)
{
    enum tr_status st = TR_OK;
    if (r->n_ends && (end->role == TR__FLOW_OUT || end->kind != r->ends[0].kind || end->id != r->ends[0].id))
        st = close_flow(r);
    if (st != TR_OK || (!r->n_ends && end->role == TR__FLOW_IN)) /* nothing that was read hands it on */
        return st;
    if (r->n_ends == 1)
        st = put(r, &r->ends[0], TR_FLOW_START);
    else if (r->n_ends == 2)
        st = put(r, &r->ends[1], TR_FLOW_STEP);
    r->n_ends += r->n_ends < 2;
    r->ends[r->n_ends - 1] = *end;
    return st;
}

enum tr_status tr__xplane_emit_flows(struct tr__xplane_reader *r)
{
    enum tr_status st = take_held(r);
    const struct tr__xplane_flow_end *end;
    if (st != TR_OK || !r->flows)
        return st == TR_OK ? TR_END : st;
    if (!r->ends) {
        r->ends = calloc(2, sizeof *r->ends);
        r->flow_templates = calloc(1, sizeof *r->flow_templates);
        if (!r->ends || !r->flow_templates)
            return tr_fail_memory(r->err);
        r->flow_templates->text = TR_NO_STR;
    }
    for (unsigned i = 0; st == TR_OK && i < AT_ONCE; i++)
        if ((st = tr__xplane_flow_ends_next(r->flows, &end, r->err)) == TR_OK)
            st = take_end(r, end);
    if (st != TR_END)
        return st;
    st = close_flow(r);
    return st == TR_OK ? TR_END : st;
}

void tr__xplane_flows_free(struct tr__xplane_reader *r)
{
    tr__xplane_flow_ends_free(r->flows);
    tr_buf_free(&r->own_ends);
    free(r->ends);
    free(r->flow_templates);
}
