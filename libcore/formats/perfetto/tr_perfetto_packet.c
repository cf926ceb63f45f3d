/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: one packet, and what it says to each walk. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "formats/perfetto/tr_perfetto_annotation_int.h"

#define SOME_PACKETS 64u

/* A packet is of one kind.  Fields that this reader does not know may stand beside it. */
static void take_body(struct tr__packet *k, const struct tr__proto *m)
{
    bool known = tr__perfetto_reads(m->field), before = tr__perfetto_reads(k->kind);
    k->lost_part |= known && (before || m->wire != TR__WIRE_BYTES);
    if (!known && (before || m->wire != TR__WIRE_BYTES) && k->kind)
        return;
    k->kind = m->field;
    k->body = (struct tr__span){ m->wire == TR__WIRE_BYTES ? m->data : NULL, m->len };
}

static void take_field(struct tr__packet *k, const struct tr__proto *m)
{
    switch (m->field) {
    case TR__FIELD_TIMESTAMP:
        k->ts = m->v;
        k->has_ts = true;
        break;
    case TR__FIELD_SEQUENCE:
        k->sequence = (uint32_t)m->v;
        break;
    case TR__FIELD_CLOCK:
        k->clock = (uint32_t)m->v;
        k->has_clock = true;
        break;
    case TR__FIELD_FLAGS:
        k->flags |= (unsigned)m->v;
        break;
    case TR__FIELD_CLEARED:
        k->flags |= m->v ? TR__FLAG_CLEARED : 0;
        break;
    case TR__FIELD_INTERNED:
        k->interned = (struct tr__span){ m->data, m->len };
        break;
    case TR__FIELD_DEFAULTS:
        k->defaults = (struct tr__span){ m->data, m->len };
        break;
    default:
        if (!tr__perfetto_is_common(m->field))
            take_body(k, m);
    }
}

/* False: these are not fields.  Most packets have only the fields that are read here in place. */
static bool read_packet(struct tr__packet *k, const unsigned char *p, size_t n)
{
    const unsigned char *end = p + n;
    uint64_t v;
    bool ok = true;
    while (ok && p < end) {
        struct tr__proto m;
        switch (*p++) {
        case TR__PROTO_KEY(TR__FIELD_TIMESTAMP, TR__WIRE_VARINT):
            ok = k->has_ts = tr__proto_take(&p, end, &k->ts);
            break;
        case TR__PROTO_KEY(TR__FIELD_SEQUENCE, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &v);
            k->sequence = ok ? (uint32_t)v : 0;
            break;
        case TR__PROTO_KEY(TR__FIELD_EVENT, TR__WIRE_BYTES):
            k->lost_part |= tr__perfetto_reads(k->kind);
            ok = tr__proto_take_bytes(&p, end, &k->body.data, &k->body.len);
            k->kind = TR__FIELD_EVENT;
            break;
        case TR__PROTO_KEY(TR__FIELD_FLAGS, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &v);
            k->flags |= ok ? (unsigned)v : 0;
            break;
        default:
            m = tr__proto_of(p - 1, (size_t)(end - p) + 1);
            ok = tr__proto_next(&m);
            if (ok)
                take_field(k, &m);
            p = m.p;
        }
    }
    return ok;
}

/* Is the kept data of the file within the limit? */
static bool within(const struct tr__perfetto_reader *r)
{
    size_t n = tr_strtab_bytes(r->strings) + (r->places ? tr_strtab_bytes(r->places) : 0) +
               r->cap_tracks * sizeof *r->tracks +
               r->cap_sequences * sizeof *r->sequences + r->n_defaults * sizeof *r->sequences->counters +
               tr__numbers_bytes(&r->track_of) + tr__numbers_bytes(&r->flows) + tr__numbers_bytes(&r->queues) +
               tr__numbers_bytes(&r->agents) + tr__numbers_bytes(&r->gpu_series) +
               r->cap_gpu_last * sizeof *r->gpu_last + 4 * r->n_interned * sizeof *r->flows.at +
               r->cap_known * sizeof *r->known + tr_strtab_bytes(r->values) + r->cap_value_of * sizeof *r->value_of +
               r->cap_steps * sizeof *r->steps +
               r->cap_clocks * sizeof *r->clocks + 2 * r->n_pairs * sizeof *r->clocks->pairs;
    for (unsigned i = 0; i < TR__MAX_PACKED; i++)
        n += r->packed[i].buf.cap;
    return n <= r->max_memory;
}

/* First walk: tracks, and numbered data. */
static enum tr_status learn(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *k)
{
    bool ok = !k->interned.len || r->in_order || tr__perfetto_interned_data(r, s, k->interned);
    switch (ok ? k->kind : 0) {
    case TR__FIELD_EVENT:
        s->used = true;
        return tr__perfetto_note_order(r, s, k) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_TRACK:
        return tr__tree_describe(r, s, k->body) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_SNAPSHOT:
        return tr__perfetto_snapshot(r, k) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_THREAD:
        r->in_order = true;
        return tr__tree_describe_thread(r, s, k->body) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_DEFLATED:
    case TR__FIELD_ZSTD:
        r->in_order = true;
        return TR_OK;
    case TR__FIELD_GPU_WORK:
    case TR__FIELD_GPU_COUNTER:
        s->used = true;
        r->in_order |= tr__perfetto_gpu_in_order(k);
        return TR_OK;
    default:
        return ok ? TR_OK : TR_SYSTEM;
    }
}

/* Second walk: events. */
static enum tr_status emit_packet(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *k)
{
    enum tr_status st = TR_OK;
    r->n_kinds[k->kind < TR__PERFETTO_KINDS ? k->kind : 0]++;
    bool plain = k->kind == TR__FIELD_EVENT && !k->interned.len && !k->defaults.len;
    if (k->lost_part || (!plain && !tr__perfetto_parts_whole(k)))
        tr__perfetto_damaged(r, TR__BAD_PART, k->offset);
    if (k->interned.len && r->in_order && !tr__perfetto_interned_data(r, s, k->interned))
        return TR_SYSTEM;
    switch (k->kind) {
    case TR__FIELD_THREAD:
        return tr__tree_describe_thread(r, s, k->body) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_SNAPSHOT:
        return !r->in_order || tr__perfetto_snapshot(r, k) ? TR_OK : TR_SYSTEM;
    case TR__FIELD_EVENT:
        st = tr__perfetto_track_event(r, s, k);
        break;
    case TR__FIELD_GPU_WORK:
        st = tr__perfetto_gpu_work(r, s, k);
        break;
    case TR__FIELD_GPU_COUNTER:
        st = tr__perfetto_gpu_counter(r, s, k);
        break;
    default:
        break;
    }
    if (st == TR_END) {
        tr__perfetto_damaged_at(r, TR_DAMAGE_BAD_EVENT, k->offset);
        st = TR_OK;
    }
    return st;
}

/* What the writer says about its later packets. */
static bool follow(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *k)
{
    bool cleared = k->flags & TR__FLAG_CLEARED;
    if (!cleared && !k->defaults.len)
        return true;
    if (!r->second)
        return tr__perfetto_first_pass_state(r, s, k, cleared);
    if (!r->in_order)
        return true;
    if (cleared) {
        tr__perfetto_clear_tables(r, s);
        tr__perfetto_clear(s);
        s->n_starts++;
    }
    return !k->defaults.len || tr__perfetto_defaults(r, s, k->defaults);
}

/* Does the kept data fit?  For a file that is not settled, some numbers can be dropped. */
static bool fits(struct tr__perfetto_reader *r)
{
    if (within(r))
        return true;
    if (r->second || r->in_order)
        return false;
    tr__perfetto_forget_numbers(r);
    return within(r);
}

enum tr_status tr__perfetto_count_packets(struct tr__perfetto_reader *r, size_t n)
{
    r->n_unseen += n;
    if (r->n_unseen < SOME_PACKETS) /* they do not have much */
        return TR_OK;
    r->n_unseen = 0;
    return fits(r) ? TR_OK
                   : tr_fail(r->err, TR_SYSTEM,
                             "its tracks, texts and compressed packets need more memory than -M allows");
}

enum tr_status tr__perfetto_use(struct tr__perfetto_reader *r, const unsigned char *p, size_t n, uint64_t offset,
                                bool *whole)
{
    struct tr__skimmed skimmed;
    if (!r->second && n <= TR__LARGE_PACKET && r->n_unseen + 1 < SOME_PACKETS && tr__perfetto_skim(p, n, &skimmed) &&
        tr__perfetto_use_skimmed(r, &skimmed)) {
        r->n_unseen++;
        r->at = offset;
        tr__ingest_stands(r->g, offset);
        return TR_OK;
    }
    struct tr__packet k = { .offset = offset };
    if (!read_packet(&k, p, n)) {
        *whole = false;
        return TR_OK;
    }
    struct tr__sequence *s = tr__perfetto_sequence(r, k.sequence);
    if (!s)
        return r->err->status;
    r->at = offset;
    tr__ingest_stands(r->g, offset);
    r->n_packets += r->second;
    if (!follow(r, s, &k))
        return TR_SYSTEM;
    if (k.kind != TR__FIELD_SNAPSHOT)
        tr__perfetto_find_time(r, s, &k);
    enum tr_status st = r->second ? emit_packet(r, s, &k) : learn(r, s, &k);
    if (st == TR_OK && (k.kind == TR__FIELD_DEFLATED || k.kind == TR__FIELD_ZSTD))
        st = tr__perfetto_unpack(r, &k);
    return st == TR_OK ? tr__perfetto_count_packets(r, n > TR__LARGE_PACKET ? SOME_PACKETS : 1) : st;
}

enum tr_status tr__perfetto_unpack_more(struct tr__perfetto_reader *r)
{
    unsigned level = r->n_packed;
    struct tr__packed *k = &r->packed[level - 1];
    struct tr__span packet;
    enum tr_status st = TR_OK;
    while (st == TR_OK && r->n_packed == level && tr__packed_next(r, k, &packet)) {
        bool whole = true;
        st = tr__perfetto_use(r, packet.data, packet.len, r->packed_at, &whole);
        if (!whole)
            tr__perfetto_damaged_at(r, TR_DAMAGE_BAD_EVENT, r->packed_at);
    }
    if (st != TR_OK || r->n_packed > level)
        return st;
    if (!k->ended)
        return tr__packed_more(r, k);
    tr__packed_end(r);
    return TR_OK;
}
