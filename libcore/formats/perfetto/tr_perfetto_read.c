/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces in their native protocol buffers: a Trace is a sequence of packets.
 *
 * Two walks: tracks may be described after their events, so the first walk reads descriptors, and the second one
 * everything else.  A packet is read in place, in a window on the file.
 *
 * If a length or a field is not valid, the next packet is searched byte by byte.  A packet has the mark and the length
 * of one.  It has fields up to exactly its end, one of them a time or the number of a sequence.  Another mark or the
 * end of the file follows it.
 */
#include "formats/perfetto/tr_perfetto_annotation_int.h"

#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <stdio.h>
#include <stdlib.h>

#define WINDOW      ((size_t)1 << 20)
#define MAX_FOUND   ((size_t)1 << 20) /* of a packet found by a search */
#define MAX_FIELDS 64                 /* the most fields that are tested to recognise a packet */
#define MIN_MEMORY       ((size_t)64 << 20) /* bytes that tracks and texts may always take, whatever the limit */

enum took { TOOK, MORE, FAILED };

static void damaged(struct tr__perfetto_reader *r, enum tr_damage_cause cause)
{
    tr__perfetto_damaged_at(r, cause, tr__window_offset(&r->w));
}

static enum took take_packet(struct tr__perfetto_reader *r, const unsigned char *p, size_t n)
{
    bool whole = true;
    enum tr_status st = tr__perfetto_use(r, p, n, tr__window_offset(&r->w), &whole);
    if (!whole) {
        damaged(r, TR_DAMAGE_BAD_EVENT);
        r->lost_place = true;
        r->w.at++;
        return TOOK;
    }
    r->w.at += (size_t)(p + n - (const unsigned char *)(r->w.p + r->w.at));
    return st == TR_OK ? TOOK : FAILED;
}

/* ---- the file ---- */

/* This is not a packet: count it, and search for the next one from the next byte on. */
static enum took lose(struct tr__perfetto_reader *r, enum tr_damage_cause cause)
{
    damaged(r, cause);
    r->lost_place = true;
    r->w.at++;
    return TOOK;
}

/* Is there a packet at p[0 .. n)?  *want: bytes needed to decide; more than n: not known yet. */
static bool plausible(const unsigned char *p, size_t n, bool last, size_t *want)
{
    uint64_t len = 0;
    const unsigned char *at = n ? tr__proto_varint(p + 1, p + n, &len) : NULL;
    *want = at || n > 10 || last ? n : n + 10;
    if (!at || len > MAX_FOUND)
        return false;
    size_t size = (size_t)(at - p) + (size_t)len;
    if (size + !last > n) {
        *want = last ? n : size + 1;
        return false;
    }
    if (size < n && p[size] != TR__PACKET_MARK)
        return false;
    struct tr__proto m = tr__proto_of(at, (size_t)len);
    bool found = false;
    unsigned k = 0;
    while (k++ < MAX_FIELDS && tr__proto_next(&m))
        found |= m.wire == TR__WIRE_VARINT && (m.field == TR__FIELD_TIMESTAMP || m.field == TR__FIELD_SEQUENCE);
    return found && !m.bad;
}

static enum took find_packet(struct tr__perfetto_reader *r)
{
    const unsigned char *p = (const unsigned char *)r->w.p, *next = p + r->w.at, *end = p + r->w.n;
    size_t want;
    while (next < end && (next = memchr(next, TR__PACKET_MARK, (size_t)(end - next))) != NULL) {
        r->w.at = (size_t)(next - p);
        if (plausible(next, (size_t)(end - next), r->w.last, &want)) {
            r->lost_place = false;
            return TOOK;
        }
        if (want > (size_t)(end - next)) {
            r->want = want + MAX_FOUND; /* so that the window is not moved for each candidate */
            return MORE;
        }
        next++;
    }
    r->w.at = r->w.n;
    return MORE;
}

static enum took next_packet(struct tr__perfetto_reader *r)
{
    size_t n = r->w.n - r->w.at;
    const unsigned char *p = (const unsigned char *)r->w.p + r->w.at;
    uint64_t len = 0;
    if (n == 0)
        return MORE;
    if (r->lost_place)
        return find_packet(r);
    if (*p != TR__PACKET_MARK)
        return lose(r, TR_DAMAGE_BAD_EVENT);
    const unsigned char *at = tr__proto_varint(p + 1, p + n, &len);
    if (!at && n <= 10) {
        r->want = WINDOW;
        return r->w.last ? lose(r, TR_DAMAGE_TRUNCATED) : MORE;
    }
    if (!at || len > TR__MAX_PACKET)
        return lose(r, at ? TR_DAMAGE_TOO_LONG : TR_DAMAGE_BAD_EVENT);
    if (len > (size_t)(p + n - at)) {
        r->want = (size_t)(at - p) + (size_t)len + WINDOW;
        return r->w.last ? lose(r, TR_DAMAGE_TRUNCATED) : MORE;
    }
    return take_packet(r, at, (size_t)len);
}

/* ---- the walks ---- */

static enum tr_status at_end(struct tr__perfetto_reader *r);

static enum tr_status start_again(struct tr__perfetto_reader *r)
{
    if (!tr__tree_emit_names(r) || !tr__perfetto_number_nests(r) || (!r->in_order && !tr__tree_place_all(r)))
        return TR_SYSTEM;
    for (size_t i = 0; i < r->n_clocks; i++)
        r->clocks[i].now = 0;
    tr__perfetto_sort_clocks(r);
    if (r->has_base)
        tr_ingest_base(r->g, r->base);
    if (r->in_order)
        tr__perfetto_forget_numbers(r);
    for (size_t i = 0; r->in_order && i < r->n_sequences; i++) {
        tr__perfetto_clear(&r->sequences[i]);
        r->sequences[i].thread = UINT32_MAX;
    }
    bool in_parts = !r->in_order && !r->lost && tr__n_parts(r->g);
    r->second = true;
    r->lost = r->lost_place = false;
    tr__window_rewind(&r->w);
    enum tr_status st = tr_ingest_rewind(r->g, r->err);
    if (st == TR_OK && in_parts)
        st = tr__perfetto_workers(r, r->err);
    return st == TR_OK && in_parts ? at_end(r) : st;
}

/* Report how many packets of each kind there were, by the number of their field. */
static bool emit_kinds(struct tr__perfetto_reader *r)
{
    struct tr_json_doc j = { .out = &r->json };
    char key[16];
    r->json.len = 0;
    bool ok = tr_json_doc_open(&j, '{');
    for (unsigned k = 0; ok && k < TR__PERFETTO_KINDS; k++) {
        int n = snprintf(key, sizeof key, "%u", k);
        if (r->n_kinds[k])
            ok = tr_json_doc_key(&j, (struct tr_str){ key, (size_t)n }) && tr_json_doc_u64(&j, r->n_kinds[k]);
    }
    if (!ok || !tr_json_doc_close(&j))
        return tr__perfetto_no_memory(r);
    tr_ingest_header(r->g, "perfetto_packets", (const char *)r->json.data, r->json.len);
    return true;
}

/*
 * Some writers cut the end of work at the start of the next work of its queue.  The only sign in the file: many pieces
 * of work end exactly there.
 */
static void say_ends(struct tr__perfetto_reader *r)
{
    char text[160];
    if (!r->warn || r->n_met_work < 10 || r->n_met_work < r->n_work / 100)
        return;
    snprintf(text, sizeof text,
             "%llu of %llu kernels, copies and memsets start exactly where the one before ends: the writer may have "
             "cut ends there", (unsigned long long)r->n_met_work, (unsigned long long)r->n_work);
    r->warn(r->warn_ctx, r->name, "", text);
}

/* All of the file was read, but it is about other things. */
static void say_empty(struct tr__perfetto_reader *r)
{
    char text[120];
    if (!r->warn || r->n_events || r->lost || r->n_damaged)
        return;
    snprintf(text, sizeof text, "no events: none of its %llu packets is a track event, device work or a device counter",
             (unsigned long long)r->n_packets);
    r->warn(r->warn_ctx, r->name, "", text);
}

static enum tr_status at_end(struct tr__perfetto_reader *r)
{
    if (!r->second)
        return start_again(r);
    if (r->n_packets == 0)
        return tr_fail(r->err, TR_DAMAGED, "it holds no packet that can be read");
    say_ends(r);
    say_empty(r);
    return emit_kinds(r) ? TR_END : TR_SYSTEM;
}

/* Read on at an offset of the file. */
static enum tr_status move_to(struct tr__perfetto_reader *r, uint64_t offset)
{
    struct tr__window *w = &r->w;
    enum tr_status st = tr_ingest_rewind(r->g, r->err);
    while (st == TR_OK && w->offset + w->n < offset && !w->last) {
        w->at = w->n;
        st = tr__window_fill(w, r->g, WINDOW, r->err);
    }
    w->at = offset < w->offset + w->n ? (size_t)(offset - w->offset) : w->n;
    return st;
}

/* The first walk by several threads.  *whole: all of it. */
static enum tr_status learn_in_parts(struct tr__perfetto_reader *r, bool *whole)
{
    uint64_t stopped;
    enum tr_status st = tr__perfetto_first_pass(r, &stopped, r->err);
    *whole = st == TR_OK;
    return st == TR_END ? move_to(r, stopped) : st;
}

static enum tr_status read_packets(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct tr__perfetto_reader *r = ctx;
    enum took took = TOOK;
    bool whole = false;
    enum tr_status st = TR_OK;
    r->g = g;
    r->err = err;
    if (!r->started && tr__n_parts(g))
        st = learn_in_parts(r, &whole);
    r->started = true;
    if (st != TR_OK || whole)
        return st == TR_OK ? at_end(r) : st;
    if (r->n_packed) /* they stand in the window */
        return tr__perfetto_unpack_more(r);
    st = tr__window_fill(&r->w, g, r->want > WINDOW ? r->want : WINDOW, err);
    r->want = 0;
    while (st == TR_OK && took == TOOK && !r->n_packed)
        took = next_packet(r);
    if (st != TR_OK || took == FAILED)
        return st != TR_OK ? st : err->status;
    if (r->n_packed)
        return TR_OK;
    return r->w.last && r->w.at >= r->w.n ? at_end(r) : TR_OK;
}

static void release(void *ctx)
{
    struct tr__perfetto_reader *r = ctx;
    tr__window_free(&r->w);
    for (size_t i = 0; i < r->n_sequences; i++)
        tr__sequence_free(&r->sequences[i]);
    free(r->sequences);
    free(r->tracks);
    tr__perfetto_clocks_free(r);
    tr__numbers_free(&r->track_of);
    tr__numbers_free(&r->gpu_counters);
    tr__numbers_free(&r->gpu_forwards);
    tr__numbers_free(&r->gpu_names[0]);
    tr__numbers_free(&r->gpu_names[1]);
    tr__perfetto_packed_free(r);
    tr__numbers_free(&r->sequence_of);
    tr_strtab_free(r->places);
    tr__perfetto_free_own(r);
    free(r);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct tr__perfetto_reader *r = state;
    (void)of;
    r->max_memory = opts->max_memory_bytes > MIN_MEMORY ? opts->max_memory_bytes : MIN_MEMORY;
    r->warn = opts->warn;
    r->warn_ctx = opts->warn_ctx;
    r->name = bytes->name;
    r->last_track = r->first_step = UINT32_MAX;
    r->piece_bytes = opts->tuning.piece_bytes;
    tr__perfetto_clocks_init(r);
    r->strings = tr_strtab_new();
    r->places = tr_strtab_new();
    r->values = tr_strtab_new();
    return r->strings && r->places && r->values;
}

static enum tr_status open_perfetto(const struct tr_format *f, struct tr_input **out,
                                    const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                    struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "perfetto", read_packets, release };
    struct tr__perfetto_reader *r = tr__reader_state(sizeof *r, init, NULL, release, bytes, opts, err);
    return r ? tr__ingest_open_parts(out, &reader, r, bytes, opts, err) : TR_SYSTEM;
}

/* ---- detection ---- */

/* Is it a field that identifies a packet, with the right wire type? */
static bool is_typical(const struct tr__proto *m)
{
    static const uint32_t numbers[] = { TR__FIELD_TIMESTAMP, TR__FIELD_SEQUENCE, TR__FIELD_FLAGS, TR__FIELD_CLOCK };
    static const uint32_t bytes[] = { 6, TR__FIELD_EVENT, TR__FIELD_INTERNED, 33, 36, 43, TR__FIELD_THREAD,
                                      TR__FIELD_DEFAULTS, TR__FIELD_TRACK, 50, 52, 53, 89, 133 };
    bool is_number = m->wire == TR__WIRE_VARINT;
    const uint32_t *of = is_number ? numbers : bytes;
    size_t n = is_number ? sizeof numbers / sizeof *numbers : sizeof bytes / sizeof *bytes;
    for (size_t i = 0; i < n; i++)
        if (of[i] == m->field)
            return is_number || m->wire == TR__WIRE_BYTES;
    return false;
}

/* Is it a field of other kinds of packets: events of the kernel, processes, counters of the system and the like? */
static bool is_of_packet(const struct tr__proto *m)
{
    return m->wire == TR__WIRE_BYTES && (m->field <= 7 || m->field == 9 || m->field >= 33) && m->field != 3 && m->v;
}

/* Are all bytes, as far as they are there, packets of such kinds?  Some writers give them no time and no sequence. */
static bool all_packets(const unsigned char *p, const unsigned char *end)
{
    bool found = false;
    while (p < end) {
        uint64_t len = 0;
        const unsigned char *at = *p == TR__PACKET_MARK ? tr__proto_varint(p + 1, end, &len) : NULL;
        if (!at)
            return found && *p == TR__PACKET_MARK && end - p <= 10;
        bool all = len <= (uint64_t)(end - at);
        struct tr__proto m = tr__proto_of(at, all ? (size_t)len : (size_t)(end - at));
        while (tr__proto_next(&m)) {
            if (m.wire == TR__WIRE_BYTES && !is_of_packet(&m) && !is_typical(&m))
                return false;
            found |= is_of_packet(&m);
        }
        if (!all) /* the last field that is there is cut */
            return len <= TR__MAX_PACKET && (found || (m.v <= len && is_of_packet(&m)));
        if (m.bad)
            return false;
        p = at + len;
    }
    return found;
}

/* Is the first packet, as far as it is there, a packet? */
static bool first_is_typical(const unsigned char *p, size_t n)
{
    uint64_t len = 0;
    const unsigned char *at = n && *p == TR__PACKET_MARK ? tr__proto_varint(p + 1, p + n, &len) : NULL;
    if (!at || !len || len > TR__MAX_PACKET)
        return false;
    bool all = len <= (size_t)(p + n - at), typical = false;
    struct tr__proto m = tr__proto_of(at, all ? (size_t)len : (size_t)(p + n - at));
    while (!typical && m.p < m.end) {
        const unsigned char *field = m.p;
        bool is_field = tr__proto_next(&m);
        bool is_cut = !is_field && !all && m.wire == TR__WIRE_BYTES && m.v <= len && m.v > (uint64_t)(m.end - m.p);
        if (!is_field && !is_cut && (all || m.end - field > 10))
            break;
        typical = (is_field || is_cut) && is_typical(&m);
        if (!is_field)
            break;
    }
    return typical && !(all && p + n > at + len && at[len] != TR__PACKET_MARK);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return first_is_typical(p, n) ? 90 : n && all_packets(p, p + n) ? 40 : 0;
}

const struct tr_format tr_format_perfetto = {
    .name = "perfetto",
    .brief = "native trace of Perfetto (protocol buffers): rocprofv3, PyTorch, tr-view",
    .probe = probe,
    .needs_seek = true,
    .open = open_perfetto,
};
