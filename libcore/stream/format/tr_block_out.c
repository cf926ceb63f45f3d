/* SPDX-License-Identifier: MIT */
/* Writes blocks: they are numbered, chained and indexed. */
#include "stream/format/tr_block_out_int.h"

#include "stream/tr_wire_int.h"

void tr__block_out_free(struct tr__block_out *f)
{
    tr__packer_free(f->pack);
    tr_buf_free(&f->index.rows);
    tr_buf_free(&f->out);
    tr_buf_free(&f->payload);
    tr_buf_free(&f->row);
}

enum tr_status tr__block_out_start(struct tr__block_out *f, struct tr_error *err)
{
    unsigned char preamble[TR_PREAMBLE_BYTES];
    tr__preamble_put(preamble);
    f->offset = sizeof preamble;
    return f->sink.write(f->sink.ctx, preamble, sizeof preamble, err);
}

static enum tr_status block_start(struct tr__block_out *f, struct tr_error *err)
{
    f->out.len = 0;
    if (!tr_buf_reserve(&f->out, TR_BLOCK_BYTES))
        return tr_fail_memory(err);
    f->out.len = TR_BLOCK_BYTES;
    return TR_OK;
}

enum tr_status tr__block_send(struct tr__block_out *f, struct tr_block *b, uint32_t source_min,
                              uint32_t source_max, struct tr_error *err)
{
    size_t stored = f->out.len - TR_BLOCK_BYTES;
    struct tr__index_entry e = { b->type, b->n_items, f->offset, b->start,
                                 b->end,  source_min, source_max };
    if (stored > TR_MAX_STORED || b->raw > TR_MAX_RAW)
        return tr_fail(err, TR_DAMAGED, "a block of %zu bytes is beyond the limit of the format",
                       stored);
    b->flags = tr__block_flags(b->type);
    b->stored = (uint32_t)stored;
    b->number = f->n_blocks++;
    tr__block_put(b, f->out.data);
    f->trailer.chain = tr__chain(f->trailer.chain, f->out.data);
    enum tr_status st = f->sink.write(f->sink.ctx, f->out.data, f->out.len, err);
    f->offset += f->out.len;
    if (st != TR_OK || b->type == TR_BLOCK_TRAILER)
        return st;
    if (b->type == TR_BLOCK_INDEX)
        tr__index_restart(&f->index, e.offset);
    if (!tr__index_add(&f->index, &e))
        return tr_fail_memory(err);
    return f->index.rows.len > TR_SOFT_RAW - 64 ? tr__index_send(f, err) : TR_OK;
}

enum tr_status tr__payload_send(struct tr__block_out *f, enum tr_block_type type, uint32_t n_items,
                                struct tr_error *err)
{
    struct tr_block b = { .type = (uint16_t)type,
                          .n_items = n_items,
                          .raw = (uint32_t)f->payload.len,
                          .start = TR_TIME_NONE,
                          .end = TR_TIME_NONE };
    if (f->payload.len > TR_MAX_RAW)
        return tr_fail(err, TR_DAMAGED, "%s of %zu bytes in one row, at most %u allowed",
                       tr__block_name(type), f->payload.len, TR_MAX_RAW);
    enum tr_status st = block_start(f, err);
    if (st != TR_OK)
        return st;
    if (f->pack && type != TR_BLOCK_HEADER && type != TR_BLOCK_TRAILER) {
        int codec = tr__pack(f->pack, f->payload.data, f->payload.len, &f->out);
        if (codec < 0)
            return tr_fail_memory(err);
        b.codec = (uint8_t)codec;
    } else if (!tr_buf_add(&f->out, f->payload.data, f->payload.len)) {
        return tr_fail_memory(err);
    }
    f->payload.len = 0;
    b.check = tr__checksum(f->out.data + TR_BLOCK_BYTES, f->out.len - TR_BLOCK_BYTES);
    return tr__block_send(f, &b, 0, 0, err);
}

enum tr_status tr__index_send(struct tr__block_out *f, struct tr_error *err)
{
    f->payload.len = 0;
    if (!tr__index_put(&f->index, &f->payload))
        return tr_fail_memory(err);
    return tr__payload_send(f, TR_BLOCK_INDEX, f->index.n, err);
}

enum tr_status tr__row_add(struct tr__block_out *f, enum tr_block_type type, uint32_t *n_items,
                           const struct tr_buf *head, struct tr_error *err)
{
    if (*n_items && f->payload.len + f->row.len + 10 > TR_SOFT_RAW) {
        enum tr_status st = tr__payload_send(f, type, *n_items, err);
        if (st != TR_OK)
            return st;
        *n_items = 0;
        if (head && !tr_buf_add(&f->payload, head->data, head->len))
            return tr_fail_memory(err);
    }
    struct tr__out o = { &f->payload, false };
    tr__out_varint(&o, f->row.len);
    tr__out_bytes(&o, f->row.data, f->row.len);
    f->row.len = 0;
    ++*n_items;
    return o.failed ? tr_fail_memory(err) : TR_OK;
}
