/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: values of counters in track events. */
#include "formats/perfetto/tr_perfetto_event_int.h"

/* One sample.  "power: W" is the member W of power.  A name without a member gets its unit as member, or "value". */
enum tr_status tr__perfetto_emit_sample(struct tr__perfetto_reader *r, uint64_t uuid, int64_t ts, bool is_real,
                                        int64_t whole, double real)
{
    struct tr__tree_track *t = tr__tree_track(r, uuid);
    struct tr_ingest_track at;
    if (!t || !tr__tree_place(r, t, &at))
        return TR_SYSTEM;
    uint32_t start = t->writer == UINT32_MAX ? 0 : r->sequences[t->writer].n_starts;
    if (t->since != start) { /* its writer has forgotten the sum */
        t->sum = 0;
        t->since = start;
    }
    if (t->incremental && !is_real) {
        t->sum = (int64_t)((uint64_t)t->sum + (uint64_t)whole);
        whole = t->sum;
    }
    struct tr_str name = tr__perfetto_str(r, t->name), unit = tr__perfetto_str(r, t->unit);
    const char *key = unit.len ? unit.s : "value";
    size_t len = name.len;
    for (size_t i = 0; !unit.len && i + 2 < name.len; i++)
        if (name.s[i] == ':' && name.s[i + 1] == ' ')
            len = i;
    if (len < name.len)
        key = name.s + len + 2;
    int64_t scaled = t->multiplier > 1 && whole <= INT64_MAX / t->multiplier && whole >= INT64_MIN / t->multiplier
                         ? whole * t->multiplier : whole;
    tr_ingest_begin(r->g, TR_COUNTER, ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->n_events++);
    tr_ingest_name(r->g, name.s ? name.s : "counter", name.s ? len : 7);
    at.tid_text = NULL;
    at.tid = TR_I64_NONE;
    tr_ingest_track(r->g, &at);
    if (is_real)
        tr_ingest_arg_real(r->g, key, real);
    else
        tr_ingest_arg_int(r->g, key, scaled);
    return tr_ingest_end(r->g, r->err);
}

enum tr_status tr__perfetto_emit_extra(struct tr__perfetto_reader *r, const struct tr__sequence *s, int64_t ts)
{
    const uint64_t *tracks = r->n_extra_tracks ? r->extra_tracks : s->counters;
    const uint64_t *doubles = r->n_extra_double_tracks ? r->extra_double_tracks : s->double_counters;
    size_t n = r->n_extra_tracks ? r->n_extra_tracks : s->n_counters;
    size_t n_doubles = r->n_extra_double_tracks ? r->n_extra_double_tracks : s->n_double_counters;
    enum tr_status st = TR_OK;
    if (r->n_extra_values > n || r->n_extra_doubles > n_doubles) /* no track is named for some */
        tr__perfetto_damaged(r, TR__BAD_VALUE, r->at);
    for (size_t i = 0; st == TR_OK && i < n && i < r->n_extra_values; i++)
        st = tr__perfetto_emit_sample(r, tracks[i], ts, false, r->extra_values[i], 0);
    for (size_t i = 0; st == TR_OK && i < n_doubles && i < r->n_extra_doubles; i++) {
        double v;
        memcpy(&v, &r->extra_doubles[i], sizeof v);
        st = tr__perfetto_emit_sample(r, doubles[i], ts, true, 0, v);
    }
    return st;
}
