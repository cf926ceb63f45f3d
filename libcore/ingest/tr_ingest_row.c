/* SPDX-License-Identifier: MIT */
/* An event as a row: what it is, and its values. */
#include "ingest/tr_ingest_builder_int.h"

/* The number of the correlation: a plain number of the source itself; others are numbered by content. */
static int64_t link_number(struct tr_ingest *g)
{
    const struct tr__link *k = &g->link;
    const struct tr_ingest_track *t = &g->track;
    if (!k->is_text && k->scope == TR_LINK_SOURCE && k->number != 0 && k->number > TR__LINK_NAMED)
        return k->number;
    const int64_t head[] = {
        k->scope, k->is_text, k->scope == TR_LINK_SOURCE ? 0 : t->pid,
        k->scope != TR_LINK_SOURCE && t->pid_text, k->scope == TR_LINK_CONTEXT ? t->device : 0,
        k->scope == TR_LINK_CONTEXT ? t->context : 0, k->is_text ? 0 : k->number,
    };
    struct tr_buf key = { 0 };
    bool ok = tr_buf_add(&key, head, sizeof head) && (!k->is_text || tr_buf_add(&key, k->text.data, k->text.len));
    uint32_t id = ok ? tr_strtab_add(g->links, key.data, key.len) : TR_NO_STR;
    g->no_memory |= id == TR_NO_STR;
    tr_buf_free(&key);
    return TR__LINK_NAMED - (int64_t)id;
}

static bool classify(struct tr_ingest *g, struct tr_row *row)
{
    struct tr__interner *s = &g->lane.interner;
    const struct tr__text *name = g->event.name == TR_NO_STR ? NULL : &s->texts[g->event.name];
    enum tr_activity of_category =
        g->event.cat == TR_NO_STR ? TR_ACT_OTHER : (enum tr_activity)s->texts[g->event.cat].category;
    enum tr_vocab_name of_name = name ? (enum tr_vocab_name)name->name : TR_NAME_PLAIN;
    row->activity = (uint8_t)(g->activity >= 0 ? (enum tr_activity)g->activity
                                               : tr_vocab_activity(of_category, of_name, g->phase));
    int by_user = tr__user_activity(s, g->event.name, g->event.cat, g->phase);
    if (by_user >= 0)
        row->activity = (uint8_t)by_user;
    row->kind = tr_is_device_work(row->activity) ? TR_KIND_MEMORY : TR_KIND_NONE;
    bool ok = row->activity != TR_ACT_KERNEL || tr__kernel_kind(s, g->event.name, &row->kind);
    if (g->kind >= 0 && row->activity == TR_ACT_KERNEL)
        row->kind = (uint8_t)g->kind;
    return ok;
}

/* Write the extras before the values: see enum tr_row_has. */
static void put_known(struct tr_ingest *g, struct tr_row *row)
{
    struct tr__event *e = &g->event;
    const int64_t ps[2] = { g->ts_ps, g->dur_ps }, graph[2] = { g->graph, g->node };
    bool has_ps = e->ts != TR_TIME_NONE && (g->ts_ps || g->dur_ps);
    bool has_graph = tr_is_device_work(row->activity) && (g->graph != TR_I64_NONE || g->node != TR_I64_NONE);
    row->has = (uint8_t)((g->link.set ? TR_ROW_LINK : 0) | (has_ps ? TR_ROW_PS : 0) | (has_graph ? TR_ROW_GRAPH : 0));
    if (g->link.set) {
        e->correlation = link_number(g);
        memcpy(e->out, &e->correlation, 8);
    }
    memcpy(e->out + (g->link.set ? 8 : 0), ps, has_ps ? sizeof ps : 0);
    memcpy(e->out + (g->link.set ? 8 : 0) + (has_ps ? sizeof ps : 0), graph, has_graph ? sizeof graph : 0);
    e->out += tr_row_has_size(row->has);
}

bool tr__ingest_row(struct tr_ingest *g, unsigned char *mem, uint32_t shape, size_t prefix)
{
    struct tr__event *e = &g->event;
    struct tr_row *row = (struct tr_row *)(void *)mem;
    row->record = g->record;
    row->shape = shape;
    row->phase = (uint8_t)g->phase;
    if (!classify(g, row))
        return false;
    e->out = mem + TR_ROW_HEADER + prefix;
    put_known(g, row);
    if (g->values.len)
        memcpy(e->out, g->values.data, g->values.len);
    e->out += g->values.len;
    return !g->no_memory;
}

enum tr_status tr__ingest_failed(const struct tr_ingest *g, struct tr_error *err)
{
    if (g->too_many)
        return tr_fail(err, TR_SYSTEM, "its format has more than %u causes of damage of its own", TR_INGEST_MAX_CAUSES);
    return tr__lane_failed(&g->lane, err);
}
