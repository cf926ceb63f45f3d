/* SPDX-License-Identifier: MIT */
/* The builder: an event like one before it. */
#include "ingest/tr_event_template_int.h"

#include "ingest/tr_ingest_builder_int.h"

#include <string.h>

enum { CHUNK = 64 }; /* values are copied by this many bytes: an array, so there is no call */

uint64_t tr__ingest_n_damaged(const struct tr_ingest *g)
{
    return g->lane.piece->n_counted;
}

bool tr__event_template_of(const struct tr_ingest *g, struct tr__event_template *p)
{
    const struct tr_row *row = g->last_row;
    const struct tr__event *e = &g->event;
    if (!row || g->again || g->is_step || row->suspect != TR_SUSPECT_NO || row->ts == TR_TIME_NONE ||
        row->has & TR_ROW_GRAPH || g->values.len > sizeof p->values)
        return false;
    p->note = tr__lane_note_of(&g->lane, e, row);
    if (p->note > TR__NOTE_WORK)
        return false;
    p->row = *row;
    p->row.has &= TR_ROW_LINK;
    p->pid = tr__lane_pid_of(e, row);
    p->n_values = g->values.len;
    if (p->n_values)
        memcpy(p->values, g->values.data, p->n_values);
    memset(p->values + p->n_values, 0, sizeof p->values - p->n_values);
    return true;
}

void tr__event_template_args(struct tr__event_template *p, const struct tr__arg *args, size_t n)
{
    tr__put_args(p->values, args, n);
}

bool tr__event_template_add(struct tr_ingest *g, const struct tr__event_template *p,
                            const struct tr__event_template_times *when, uint64_t record, int64_t correlation)
{
    unsigned char *mem = tr_row_arena_reserve(&g->lane.piece->rows, TR_ROW_HEADER + 24 + p->n_values + CHUNK);
    const int64_t ps[2] = { when->ts_ps, when->dur_ps };
    if (!mem)
        return false;
    struct tr_row *row = (struct tr_row *)(void *)mem;
    unsigned char *to = mem + TR_ROW_HEADER;
    *row = p->row;
    row->ts = when->ts;
    row->dur = when->dur;
    row->record = record;
    if (row->has & TR_ROW_LINK) {
        memcpy(to, &correlation, 8);
        to += 8;
    }
    if (ps[0] || ps[1]) {
        row->has |= TR_ROW_PS;
        memcpy(to, ps, sizeof ps);
        to += sizeof ps;
    }
    for (size_t i = 0; i < p->n_values; i += CHUNK)
        memcpy(to + i, p->values + i, CHUNK);
    row->size = (uint32_t)((size_t)(to + p->n_values - mem) + 7) & ~7u;
    g->last_track = row->track;
    return tr__lane_again(&g->lane, row, p->note, p->pid, correlation);
}
