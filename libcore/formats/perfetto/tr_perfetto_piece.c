/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: pieces of whole packets, for several threads. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#define PIECE_BYTES ((size_t)1 << 20)

/* The bytes of whole packets at the beginning of a piece.  *damaged: what follows them cannot become a packet. */
static size_t whole_packets(const struct tr_buf *piece, bool *damaged)
{
    const unsigned char *p = piece->data, *end = p + piece->len, *at;
    uint64_t len = 0;
    while (p < end && (at = tr__perfetto_packet(p, end, &len)) != NULL)
        p = at + len;
    if (p < end) {
        at = *p == TR__PACKET_MARK ? tr__proto_varint(p + 1, end, &len) : NULL;
        *damaged = *p != TR__PACKET_MARK || (at ? len > TR__MAX_PACKET : end - p > 10);
    }
    return (size_t)(p - piece->data);
}

/* Read until the piece has a packet and is long enough, or nothing more will come. */
static enum tr_status fill(struct tr__pieces *of, struct tr_buf *piece, size_t *whole, struct tr_error *err)
{
    size_t bytes = of->bytes ? of->bytes : PIECE_BYTES, want = piece->len + bytes;
    enum tr_status st = TR_OK;
    bool damaged = false;
    *whole = 0;
    while (st == TR_OK && !*whole && !damaged) {
        if (!tr_buf_reserve(piece, want - piece->len))
            return tr_fail_memory(err);
        while (st == TR_OK && piece->len < want) {
            size_t got = 0;
            st = tr_ingest_read(of->g, piece->data + piece->len, want - piece->len, &got, err);
            piece->len += got;
        }
        *whole = whole_packets(piece, &damaged);
        want = 2 * piece->len;
    }
    of->ended = st == TR_END || damaged;
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr__perfetto_next_piece(struct tr__pieces *of, struct tr_buf *piece, uint64_t *offset,
                                       struct tr_error *err)
{
    size_t whole = 0;
    if (of->ended)
        return TR_END;
    piece->len = 0;
    bool ok = tr_buf_add(piece, of->carry.data, of->carry.len);
    of->carry.len = 0;
    enum tr_status st = ok ? fill(of, piece, &whole, err) : tr_fail_memory(err);
    if (st != TR_OK)
        return st;
    if (!of->ended) {
        if (!tr_buf_add(&of->carry, piece->data + whole, piece->len - whole))
            return tr_fail_memory(err);
        piece->len = whole;
    }
    *offset = of->offset;
    of->offset += piece->len;
    return TR_OK;
}
