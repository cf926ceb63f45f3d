/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: packets that stand compressed in a packet.
 *
 * They are unpacked a little at a time, and each is used as soon as it is whole.  A packet in them may hold packets in
 * turn: then those are used first.  Damage has the offset of the packet of the file in which all of them stand.
 */
#include "formats/perfetto/tr_perfetto_read_int.h"
#include "io/tr_unpack.h"

#define STEP         ((size_t)64 << 10)
#define MAX_UNPACKED ((uint64_t)256 << 20) /* of one packet of the file, on all levels */

enum tr_status tr__perfetto_unpack(struct tr__perfetto_reader *r, const struct tr__packet *packet)
{
    if (!packet->body.len)
        return TR_OK; /* a number in place of bytes is counted by its packet */
    if (r->n_packed == TR__MAX_PACKED) {
        if (r->second)
            tr__perfetto_damaged(r, TR__TOO_DEEP, packet->offset);
        r->lost = true;
        return TR_OK;
    }
    if (r->n_packed == 0) {
        r->packed_at = packet->offset;
        r->n_unpacked = 0;
    }
    struct tr__packed *k = &r->packed[r->n_packed];
    k->from = tr_unpacker_new(packet->body.data, packet->body.len, r->err);
    if (!k->from)
        return TR_SYSTEM;
    k->buf.len = k->at = 0;
    k->ended = k->lost = false;
    r->n_packed++;
    return TR_OK;
}

/* What is left of it is lost. */
static void lose(struct tr__perfetto_reader *r, struct tr__packed *k, enum tr_damage_cause cause)
{
    tr__perfetto_damaged_at(r, cause, r->packed_at);
    k->at = k->buf.len;
    k->lost = true;
}

enum tr_status tr__packed_more(struct tr__perfetto_reader *r, struct tr__packed *k)
{
    struct tr_error why = TR_ERROR_INIT;
    size_t got = 0;
    if (k->at)
        memmove(k->buf.data, k->buf.data + k->at, k->buf.len - k->at);
    k->buf.len -= k->at;
    k->at = 0;
    if (!tr_buf_reserve(&k->buf, STEP))
        return tr_fail_memory(r->err);
    enum tr_status st = tr_unpacker_read(k->from, k->buf.data + k->buf.len, STEP, &got, &why);
    if (st == TR_SYSTEM)
        return tr_fail_memory(r->err);
    if (st == TR_DAMAGED) {
        lose(r, k, TR_DAMAGE_BAD_COMPRESSION);
    } else if (st == TR_END && k->buf.len) {
        lose(r, k, TR_DAMAGE_TRUNCATED);
    } else if (st == TR_OK) {
        k->buf.len += k->lost ? 0 : got;
        r->n_unpacked += got;
        k->ended = r->n_unpacked > MAX_UNPACKED;
        if (k->ended && !k->lost)
            lose(r, k, TR_DAMAGE_TOO_LONG);
    }
    k->ended |= st != TR_OK;
    return TR_OK;
}

bool tr__packed_next(struct tr__perfetto_reader *r, struct tr__packed *k, struct tr__span *packet)
{
    const unsigned char *p = k->buf.data, *end = p + k->buf.len;
    uint64_t len = 0;
    p += k->at;
    if (p == end)
        return false;
    const unsigned char *at = tr__perfetto_packet(p, end, &len);
    if (!at) { /* not yet, or never? */
        at = *p == TR__PACKET_MARK ? tr__proto_varint(p + 1, end, &len) : NULL;
        if (at ? len > TR__MAX_PACKET : *p != TR__PACKET_MARK || end - p > 10)
            lose(r, k, at ? TR_DAMAGE_TOO_LONG : TR_DAMAGE_BAD_EVENT);
        return false;
    }
    *packet = (struct tr__span){ at, (size_t)len };
    k->at += (size_t)(at - p) + (size_t)len;
    return true;
}

void tr__packed_end(struct tr__perfetto_reader *r)
{
    struct tr__packed *k = &r->packed[--r->n_packed];
    tr_unpacker_free(k->from);
    k->from = NULL;
    tr_buf_free(&k->buf);
}

void tr__perfetto_packed_free(struct tr__perfetto_reader *r)
{
    for (unsigned i = 0; i < TR__MAX_PACKED; i++) {
        tr_unpacker_free(r->packed[i].from);
        tr_buf_free(&r->packed[i].buf);
    }
}
