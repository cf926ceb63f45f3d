/* SPDX-License-Identifier: MIT */
/*
 * Limits of the stream that its headers name: what meets one is taken, one more is refused, with the limit in the
 * message.
 *
 * TR_MAX_EVENTS, TR_MAX_SLOTS, TR_MAX_STORED, TR_MAX_RAW and TR_MAX_CAUSES.
 */
#include "stream_make.h"

#include "stream/format/tr_dict_rows_int.h"
#include "stream/tr_layout_int.h"

/* One more than a limit: status and message. */
static void refused(struct tap *t, enum tr_status st, enum tr_status want, const struct tr_error *err,
                    const char *message)
{
    tap_ok(t, st == want && strstr(err->what, message), "refused: %s", err->what);
}

/* ---- events of a block ---- */

/*
 * Blocks of the writer end at TR_SOFT_RAW bytes, long before so many events; a reader has to take them.  A block that
 * says it has n events, and has fewer, is refused for its columns if n is allowed.
 */
static void test_events(struct tap *t)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_writer_opts o = { .n_threads = 1, .block_events = TR_MAX_EVENTS };
    struct made m = make_stream(&(struct recipe){ 7, 50, true, 0 });
    struct tr_buf out = { NULL, 0, 0 };
    tap_ok(t, write_made(&m, &o, true, 0, &out, &err) == TR_OK, "blocks of %u events", TR_MAX_EVENTS);
    for (uint32_t n = TR_MAX_EVENTS; n <= TR_MAX_EVENTS + 1; n++) {
        for (size_t at = TR_PREAMBLE_BYTES; at < out.len; at += TR_BLOCK_BYTES + tr__get32(out.data + at + 8))
            if (tr__get16(out.data + at) == TR_BLOCK_EVENTS)
                tr__put32(out.data + at + 4, n);
        repair(out.data, out.len);
        struct memory_source source = { .data = out.data, .len = out.len };
        enum tr_status st = read_text(&source, NULL, &err);
        bool for_number = strstr(err.what, "events in a block, 1 to 65536 allowed");
        tap_ok(t, st == TR_DAMAGED && for_number == (n > TR_MAX_EVENTS), "a block of %u events: %s", n, err.what);
    }
    out.len = 0;
    o.block_events++;
    refused(t, write_made(&m, &o, true, 0, &out, &err), TR_USAGE, &err,
            "65537 events per block, at most 65536 allowed");
    tr_buf_free(&out);
    made_free(&m);
}

/* ---- members of a shape, columns of a block ---- */

/* A dictionary with n columns and no shapes; slots[i] is column i. */
static struct tr_dict *wide_dict(size_t n, struct tr_slot *slots)
{
    struct tr_dict *d = tr_dict_new();
    NEED(d);
    for (size_t i = 0; i < n; i++) {
        char key[16];
        size_t len = (size_t)snprintf(key, sizeof key, "k%zu", i);
        struct tr_column c = { tr_strtab_add(d->strings, key, len), TR_PLACE_ARGS, TR_T_INT, 0 };
        uint32_t id = tr_dict_add_column(d, &c);
        NEED(c.key != TR_NO_STR && id != UINT32_MAX);
        slots[i] = (struct tr_slot){ c.key, id, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT };
    }
    return d;
}

/* The layout of a block of two events of the last two shapes, and that of a batch with the same columns. */
static void columns_of_block(struct tap *t, struct tr_dict *d, size_t n_columns)
{
    struct tr__layout l = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    const uint32_t shapes[2] = { (uint32_t)d->n_shapes - 2, (uint32_t)d->n_shapes - 1 };
    const uint8_t flags[2] = { 0, 0 };
    struct tr_batch *b = tr_batch_new();
    NEED(b && tr_batch_reserve(b, 2) && tr_batch_reserve_cols(b, d->n_columns));
    b->dict = d;
    for (size_t i = 0; i < n_columns; i++)
        b->cols[TR_N_DERIVED + i].n = 1;
    enum tr_status make = tr__layout_make(&l, d, shapes, flags, 2, SIZE_MAX, &err);
    struct tr_error err_count = TR_ERROR_INIT;
    enum tr_status count = tr__layout_count(&l, b, SIZE_MAX, &err_count);
    if (n_columns <= 65536)
        tap_ok(t, make == TR_OK && count == TR_OK && l.n_present == n_columns, "%zu columns in a block", l.n_present);
    else {
        refused(t, make, TR_DAMAGED, &err, "65536 columns in one block");
        refused(t, count, TR_DAMAGED, &err_count, "65536 columns in one block");
    }
    for (size_t i = 0; i < n_columns; i++)
        b->cols[TR_N_DERIVED + i].n = 0;
    tr__layout_free(&l);
    tr_batch_free(b);
}

/* A dictionary with one shape, of n members without a column. */
static struct tr_dict *long_dict(size_t n)
{
    struct tr_dict *d = tr_dict_new();
    struct tr_slot *slots = calloc(n, sizeof *slots);
    NEED(d && slots);
    uint32_t key = tr_strtab_add(d->strings, "k", 1);
    for (size_t i = 0; i < n; i++)
        slots[i] = (struct tr_slot){ key, UINT32_MAX, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_TRUE };
    NEED(key != TR_NO_STR && tr_dict_add_shape(d, &(struct tr_shape){ slots, (uint32_t)n, 'X' }) == 0);
    free(slots);
    return d;
}

static enum tr_status write_shape(const struct tr_dict *d, struct tr_error *err)
{
    struct tr_buf out = { NULL, 0, 0 };
    struct made m = make_stream(&(struct recipe){ 7, 0, true, 0 });
    tr_dict_free(m.dict);
    m.dict = (struct tr_dict *)d;
    struct tr_sink sink = { sink_to_buf, &out };
    struct tr_writer *w;
    struct tr_summary *none = tr_summary_new(0);
    NEED(none && tr_writer_new(&w, &sink, NULL, err) == TR_OK);
    enum tr_status st = tr_writer_start(w, d, none, m.provenance, true, err);
    if (st == TR_OK)
        st = tr_writer_finish(w, err);
    else
        tr_writer_abandon(w);
    tr_summary_free(none);
    m.dict = NULL;
    made_free(&m);
    tr_buf_free(&out);
    return st;
}

/* The shape as a reader gets it. */
static enum tr_status read_shape(const struct tr_dict *d, struct tr_error *err)
{
    struct tr_dict *mine = tr_dict_new();
    struct tr__dict_rows r = { .dict = mine };
    struct tr_buf row = { NULL, 0, 0 }, payload = { NULL, 0, 0 };
    struct tr__out o = { &payload, false };
    NEED(mine && tr_strtab_add(mine->strings, "k", 1) != TR_NO_STR && tr__dict_row_put(d, TR_BLOCK_SHAPES, 0, &row));
    tr__out_varint(&o, row.len);
    tr__out_bytes(&o, row.data, row.len);
    NEED(!o.failed);
    enum tr_status st = tr__dict_rows_get(&r, TR_BLOCK_SHAPES, payload.data, payload.len, 1, err);
    NEED(st != TR_OK || mine->shapes[0].n_slots == d->shapes[0].n_slots);
    tr__dict_rows_free(&r);
    tr_dict_free(mine);
    tr_buf_free(&row);
    tr_buf_free(&payload);
    return st;
}

static void test_columns(struct tap *t)
{
    struct tr_slot *slots = calloc(TR_MAX_SLOTS + 1, sizeof *slots);
    NEED(slots);
    for (size_t n = TR_MAX_SLOTS; n <= TR_MAX_SLOTS + 1; n++) {
        struct tr_dict *d = wide_dict(n, slots);
        NEED(tr_dict_add_shape(d, &(struct tr_shape){ slots, 30000, 'X' }) == 0 &&
             tr_dict_add_shape(d, &(struct tr_shape){ slots + 30000, (uint32_t)n - 30000, 'X' }) == 1);
        columns_of_block(t, d, n);
        tr_dict_free(d);
    }
    free(slots);
}

static void test_members(struct tap *t)
{
    struct tr_error err = TR_ERROR_INIT;
    for (size_t more = 0; more < 2; more++) {
        struct tr_dict *written = long_dict(TR_MAX_MEMBERS + more), *read = long_dict(TR_MAX_MEMBERS + more);
        enum tr_status st = write_shape(written, &err);
        if (more)
            refused(t, st, TR_DAMAGED, &err, "an event with 65525 members, at most 65524 can be carried");
        else
            tap_ok(t, st == TR_OK, "%u members are written", written->shapes[0].n_slots);
        st = read_shape(read, &err);
        if (more)
            refused(t, st, TR_DAMAGED, &err, "row 0 of 1 is malformed");
        else
            tap_ok(t, st == TR_OK, "%u members are read", read->shapes[0].n_slots);
        tr_dict_free(written);
        tr_dict_free(read);
    }
}

/* ---- bytes of a block ---- */

static enum tr_status get_header(uint32_t stored, uint32_t raw, struct tr_error *err)
{
    const struct tr_block b = { .type = TR_BLOCK_STRINGS, .stored = stored, .raw = raw };
    unsigned char bytes[TR_BLOCK_BYTES];
    struct tr_block seen;
    tr__block_put(&b, bytes);
    return tr__block_get(&seen, bytes, err);
}

static enum tr_status drop_bytes(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    (void)bytes;
    (void)err;
    *(size_t *)ctx += n;
    return TR_OK;
}

/* Send a block with so many bytes of payload.  The size of what came to the sink to *sent. */
static enum tr_status send_block(size_t stored, uint32_t raw, size_t *sent, struct tr_error *err)
{
    struct tr__block_out f = { .sink = { drop_bytes, sent } };
    struct tr_block b = { .type = TR_BLOCK_EVENTS, .raw = raw };
    *sent = 0;
    NEED(tr_buf_reserve(&f.out, TR_BLOCK_BYTES + stored));
    f.out.len = TR_BLOCK_BYTES + stored;
    enum tr_status st = tr__block_send(&f, &b, 0, 0, err);
    tr__block_out_free(&f);
    return st;
}

static void test_bytes(struct tap *t)
{
    struct tr_error err = TR_ERROR_INIT;
    size_t sent;
    tap_ok(t, get_header(TR_MAX_STORED, TR_MAX_RAW, &err) == TR_OK, "a header with %u bytes, %u raw", TR_MAX_STORED,
           TR_MAX_RAW);
    refused(t, get_header(TR_MAX_STORED + 1, TR_MAX_RAW, &err), TR_DAMAGED, &err,
            "payload of 33554433 bytes, at most 33554432 allowed");
    refused(t, get_header(TR_MAX_STORED, TR_MAX_RAW + 1, &err), TR_DAMAGED, &err,
            "raw size of 16777217 bytes, at most 16777216 allowed");
    enum tr_status st = send_block(TR_MAX_STORED, TR_MAX_RAW, &sent, &err);
    tap_ok(t, st == TR_OK && sent == TR_BLOCK_BYTES + TR_MAX_STORED, "a block of %zu bytes is sent", sent);
    refused(t, send_block(TR_MAX_STORED + 1, TR_MAX_RAW, &sent, &err), TR_DAMAGED, &err,
            "a block of 33554433 bytes is beyond the limit of the format");
    tap_ok(t, send_block(8, TR_MAX_RAW + 1, &sent, &err) == TR_DAMAGED && sent == 0, "nor one that is too large raw");
}

/* ---- causes of a source ---- */

static enum tr_status read_causes(size_t n, struct tr_error *err)
{
    struct made m = make_stream(&(struct recipe){ 7, 10, true, 0 });
    struct tr_source_summary *s = &m.summary->sources[0];
    struct tr_buf out = { NULL, 0, 0 };
    const struct tr_writer_opts o = { .n_threads = 1 };
    s->n_damage = 0;
    for (size_t i = 0; i < n; i++) {
        struct tr_damage d = { .count = i + 1 };
        snprintf(d.name, sizeof d.name, "cause_%zu", i);
        snprintf(d.text, sizeof d.text, "cause %zu, met", i);
        NEED(tr_summary_add_damage(s, &d));
    }
    NEED(write_made(&m, &o, true, 0, &out, NULL) == TR_OK);
    struct memory_source source = { .data = out.data, .len = out.len };
    enum tr_status st = read_text(&source, NULL, err);
    tr_buf_free(&out);
    made_free(&m);
    return st;
}

static void test_causes(struct tap *t)
{
    struct tr_error err = TR_ERROR_INIT;
    tap_ok(t, read_causes(TR_MAX_CAUSES, &err) == TR_END, "%u causes of one source", TR_MAX_CAUSES);
    enum tr_status st = read_causes(TR_MAX_CAUSES + 1, &err);
    tap_ok(t, st == TR_DAMAGED && err.what[0], "one more is refused: %s", err.what);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_events(&t);
    test_columns(&t);
    test_members(&t);
    test_bytes(&t);
    test_causes(&t);
    return tap_end(&t);
}
