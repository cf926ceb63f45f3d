/* SPDX-License-Identifier: MIT */
/* The samples of the stream format, each made by a function. */
#ifndef SPEC_MAKE_H
#define SPEC_MAKE_H

#define RANDOM_TYPES TR_T_HEX
#include "../unit/stream_make.h"
#include "stream/format/tr_column_int.h"

/* ---- the stream that tr-stream(5) takes apart ---- */

static inline uint32_t spec_string(struct tr_dict *d, const char *s)
{
    uint32_t id = tr_strtab_add(d->strings, s, strlen(s));
    NEED(id != TR_NO_STR);
    return id;
}

/* A batch of n events that all have one source, and the summary that goes with them. */
static inline struct made spec_start(size_t n)
{
    struct made m = { tr_dict_new(), tr_batch_new(), tr_summary_new(1), tr_provenance_new(), { NULL, 0, 0 } };
    NEED(m.dict && m.batch && m.summary && m.provenance && tr_batch_reserve(m.batch, n));
    m.batch->dict = m.dict;
    m.batch->n = n;
    m.summary->sorted = true;
    NEED(tr_provenance_add(m.provenance, "tr-parse", "0.1.0", "tr-parse a.json", NULL, 0, NULL));
    for (size_t i = 0; i < n; i++) {
        m.batch->record[i] = i;
        m.batch->track[i] = m.batch->shape[i] = (uint32_t)i;
        m.batch->cat[i] = TR_NO_STR;
        m.batch->phase[i] = TR_SPAN;
        m.batch->activity[i] = TR_ACT_OTHER;
        m.batch->kind[i] = TR_KIND_NONE;
        m.batch->suspect[i] = TR_SUSPECT_NO;
        m.batch->flags[i] = 0;
    }
    return m;
}

static inline void spec_source(struct tr_dict *d, uint32_t format)
{
    struct tr_source s = { .rank = 3,
                           .rank_rule = TR_RANK_OPTION,
                           .name = TR_NO_STR,
                           .host = TR_NO_STR,
                           .mesh = TR_NO_STR,
                           .job = TR_NO_STR,
                           .format = format,
                           .pid = 100 };
    NEED(tr_dict_add_source(d, &s) == 0);
}

static inline struct tr_track spec_track(void)
{
    return (struct tr_track){ .pid_type = TR_T_INT,
                              .tid_type = TR_T_INT,
                              .pid = 100,
                              .tid = 101,
                              .device = TR_I64_NONE,
                              .context = TR_I64_NONE,
                              .stream = TR_I64_NONE,
                              .process_name = TR_NO_STR,
                              .thread_name = TR_NO_STR,
                              .labels = TR_NO_STR,
                              .process_sort = TR_I64_NONE,
                              .thread_sort = TR_I64_NONE };
}

/* One rank, one thread, an operator and the kernel that it launched. */
static inline struct made spec_example(void)
{
    struct made m = spec_start(2);
    struct tr_dict *d = m.dict;
    struct tr_batch *b = m.batch;
    uint32_t gemm = spec_string(d, "gemm"), kernel = spec_string(d, "kernel");
    uint32_t launch = spec_string(d, "launch"), stream = spec_string(d, "stream");
    uint32_t format = spec_string(d, "kineto"), name = spec_string(d, "name");
    uint32_t ts = spec_string(d, "ts"), args = spec_string(d, "args");
    struct tr_column c = { stream, TR_PLACE_ARGS, TR_T_INT, 0 };
    uint32_t column = tr_dict_add_column(d, &c);
    struct tr_slot slots[] = {
        { name, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_NAME, TR_T_STRING },
        { ts, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
        { args, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_ARGS, TR_T_JSON },
        { stream, column, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
    };
    struct tr_shape host = { slots, 2, 'X' }, device = { slots, 4, 'X' };
    struct tr_track thread = spec_track(), gpu = spec_track();
    gpu.side = TR_SIDE_DEVICE;
    gpu.pid = 0;
    gpu.tid = gpu.stream = 7;
    gpu.device = 0;
    spec_source(d, format);
    NEED(tr_dict_add_shape(d, &host) == 0 && tr_dict_add_shape(d, &device) == 1);
    NEED(tr_dict_add_track(d, &thread) == 0 && tr_dict_add_track(d, &gpu) == 1);
    NEED(tr_batch_reserve_cols(b, d->n_columns));
    b->ts[0] = 1000;
    b->ts[1] = 1500;
    b->dur[0] = 700;
    b->dur[1] = 12000;
    b->name[0] = launch;
    b->name[1] = gemm;
    b->cat[1] = kernel;
    b->activity[0] = TR_ACT_RUNTIME_API;
    b->activity[1] = TR_ACT_KERNEL;
    b->kind[1] = TR_KIND_COMPUTE;
    NEED(tr_col_reserve(&b->cols[column], 1, TR_T_INT));
    b->cols[column].v.i64[b->cols[column].n++] = 7;
    struct tr_source_summary *s = &m.summary->sources[0];
    s->first_ts = 1000;
    s->last_end = 13500;
    s->n_events = s->n_phase[TR_SPAN] = 2;
    s->n_activity[TR_ACT_KERNEL] = s->n_activity[TR_ACT_RUNTIME_API] = 1;
    return m;
}

/*
 * What a start and an end make together:
 *
 *     {"ph": "B", "name": "work", "ts": 1, "pid": "100"}
 *     {"ph": "E", "name": "work", "ts": 3.5, "pid": "100", "args": {"x": 7}}
 */
static inline struct made spec_ends(void)
{
    struct made m = spec_start(1);
    struct tr_dict *d = m.dict;
    struct tr_batch *b = m.batch;
    uint32_t ph = spec_string(d, "ph"), name = spec_string(d, "name"), ts = spec_string(d, "ts");
    uint32_t pid = spec_string(d, "pid"), args = spec_string(d, "args"), x = spec_string(d, "x");
    uint32_t work = spec_string(d, "work"), end = spec_string(d, "");
    struct tr_column names = { name, TR_PLACE_END_TOP, TR_T_STRING, 0 };
    struct tr_column xs = { x, TR_PLACE_END_ARGS, TR_T_INT, 0 };
    uint32_t c_name = tr_dict_add_column(d, &names), c_x = tr_dict_add_column(d, &xs);
    struct tr_slot slots[] = {
        { ph, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_PHASE, TR_T_STRING },
        { name, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_NAME, TR_T_STRING },
        { ts, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
        { pid, UINT32_MAX, TR_PLACE_TOP, TR_ROLE_PID, TR_T_STRING },
        { end, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_END, TR_T_NULL },
        { ph, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_PHASE, TR_T_STRING },
        { name, c_name, TR_PLACE_END_TOP, TR_ROLE_COLUMN, TR_T_STRING },
        { ts, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_TS, TR_T_INT },
        { pid, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_PID, TR_T_STRING },
        { args, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_ARGS, TR_T_JSON },
        { x, c_x, TR_PLACE_END_ARGS, TR_ROLE_COLUMN, TR_T_INT },
    };
    struct tr_shape shape = { slots, sizeof slots / sizeof *slots, 'B' };
    struct tr_track track = spec_track();
    track.tid_type = TR_T_NULL; /* then its value is the pid's */
    track.tid = track.pid;
    spec_source(d, TR_NO_STR);
    NEED(tr_dict_add_shape(d, &shape) == 0 && tr_dict_add_track(d, &track) == 0);
    NEED(tr_batch_reserve_cols(b, d->n_columns));
    b->ts[0] = 1000;
    b->dur[0] = 2500;
    b->name[0] = work;
    b->flags[0] = TR_FROM_BE;
    NEED(tr_col_reserve(&b->cols[TR_COL_END_RECORD], 1, TR_T_INT) &&
         tr_col_reserve(&b->cols[c_name], 1, TR_T_STRING) &&
         tr_col_reserve(&b->cols[c_x], 1, TR_T_INT));
    b->cols[TR_COL_END_RECORD].v.i64[b->cols[TR_COL_END_RECORD].n++] = 1;
    b->cols[c_name].v.str[b->cols[c_name].n++] = work;
    b->cols[c_x].v.i64[b->cols[c_x].n++] = 7;
    struct tr_source_summary *s = &m.summary->sources[0];
    s->first_ts = 1000;
    s->last_end = 3500;
    s->n_events = s->n_phase[TR_SPAN] = 1;
    return m;
}

/* What only some traces have: picoseconds, a node of a graph, an integer in quotes, a job and its second capture. */
static inline struct made spec_more(void)
{
    struct made m = spec_example();
    struct tr_dict *d = m.dict;
    struct tr_batch *b = m.batch;
    const struct tr_column c = { spec_string(d, "bytes"), TR_PLACE_ARGS, TR_T_QUOTED, 0 };
    uint32_t column = tr_dict_add_column(d, &c);
    struct tr_slot *slots = realloc(d->shapes[1].slots, 5 * sizeof *slots);
    NEED(slots);
    slots[4] = (struct tr_slot){ c.key, column, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_QUOTED };
    d->shapes[1].slots = slots;
    d->shapes[1].n_slots = 5;
    d->sources[0].job = spec_string(d, "run-17");
    d->sources[0].capture = 1;
    NEED(tr_batch_reserve_cols(b, d->n_columns));
    static const struct {
        uint32_t column;
        int64_t v;
    } values[] = { { TR_COL_TS_PS, 125 }, { TR_COL_DUR_PS, 999 }, { TR_COL_GRAPH_ID, 3 }, { TR_COL_GRAPH_NODE, TR_I64_NONE } };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct tr_col *to = &b->cols[values[i].column];
        NEED(tr_col_reserve(to, 1, TR_T_INT));
        to->v.i64[to->n++] = values[i].v;
    }
    NEED(tr_col_reserve(&b->cols[column], 1, TR_T_QUOTED));
    b->cols[column].v.i64[b->cols[column].n++] = -4096;
    b->flags[1] = TR_HAS_PS | TR_HAS_GRAPH;
    return m;
}

/*
 * A category with a number; place: of the column.
 *
 *     {"ph": "s", "cat": "Flow_H2D_17_0", "ts": 1, "pid": 100, "tid": 101}
 */
static inline struct made spec_arrow(uint8_t place)
{
    struct made m = spec_start(1);
    struct tr_dict *d = m.dict;
    struct tr_batch *b = m.batch;
    const struct tr_column c = { spec_string(d, "cat"), place, TR_T_IN_CAT, 0 };
    uint32_t column = tr_dict_add_column(d, &c);
    struct tr_slot slots[] = {
        { spec_string(d, "ph"), UINT32_MAX, TR_PLACE_TOP, TR_ROLE_PHASE, TR_T_STRING },
        { c.key, column, place, TR_ROLE_COLUMN, TR_T_IN_CAT },
        { spec_string(d, "ts"), UINT32_MAX, TR_PLACE_TOP, TR_ROLE_TS, TR_T_INT },
        { spec_string(d, "pid"), UINT32_MAX, TR_PLACE_TOP, TR_ROLE_PID, TR_T_INT },
        { spec_string(d, "tid"), UINT32_MAX, TR_PLACE_TOP, TR_ROLE_TID, TR_T_INT },
    };
    struct tr_shape shape = { slots, sizeof slots / sizeof *slots, 's' };
    struct tr_track track = spec_track();
    spec_source(d, TR_NO_STR);
    NEED(tr_dict_add_shape(d, &shape) == 0 && tr_dict_add_track(d, &track) == 0);
    NEED(tr_batch_reserve_cols(b, d->n_columns) && tr_col_reserve(&b->cols[column], 1, TR_T_IN_CAT));
    b->ts[0] = 1000;
    b->dur[0] = TR_TIME_NONE;
    b->phase[0] = TR_FLOW_START;
    b->name[0] = TR_NO_STR;
    b->cat[0] = spec_string(d, "Flow_H2D_*_0");
    b->cols[column].v.i64[b->cols[column].n++] = 17;
    struct tr_source_summary *s = &m.summary->sources[0];
    s->first_ts = s->last_end = 1000;
    s->n_events = s->n_phase[TR_FLOW_START] = 1;
    return m;
}

/* A table of the example's source with a column of each kind, and one of no source. */
static inline void spec_tables(struct made *m)
{
    static const struct {
        const char *name;
        unsigned type;
    } columns[] = { { "at", TR_SIDE_TIME },   { "track", TR_SIDE_TRACK }, { "event", TR_SIDE_RECORD },
                    { "on", TR_SIDE_BOOL },   { "mhz", TR_T_INT },        { "bytes", TR_T_UINT },
                    { "load", TR_T_DECIMAL }, { "watts", TR_T_DOUBLE },   { "what", TR_T_STRING } };
    struct tr_side_table *t = tr_side_table_new("samples", 0), *peaks = tr_side_table_new("peaks", UINT32_MAX);
    bool ok = t && peaks;
    for (size_t i = 0; ok && i < sizeof columns / sizeof *columns; i++)
        ok = tr_side_table_column(t, columns[i].name, columns[i].type);
    const struct tr_side_value row[] = {
        { true, 1200, 1, NULL, 0 },
        { true, 1, 0, NULL, 0 },
        { true, 1, 0, NULL, 0 },
        { true, 1, 0, NULL, 0 },
        { true, -1980, 0, NULL, 0 },
        { true, -1, 0, NULL, 0 }, /* 2^64 - 1 */
        { true, tr_decimal_make(-125, 1), 0, NULL, 0 },
        { true, 0x3ff8000000000000, 0, NULL, 0 },
        { true, 0, 0, "warm", 4 },
    };
    struct tr_side_value none[9] = { { .present = false } };
    none[4] = row[4];
    ok = ok && tr_side_table_add(t, row) && tr_side_table_add(t, none) &&
         tr_side_table_column(peaks, "tflops", TR_T_INT) && tr_side_table_add(peaks, &row[4]);
    NEED(ok && tr_side_tables_add(&m->tables, t) && tr_side_tables_add(&m->tables, peaks));
}

static inline void spec_write(struct made *m, enum tr_codec codec, bool sorted, struct tr_buf *out)
{
    struct tr_writer_opts o = { .codec = codec, .block_events = 16 };
    NEED(write_made(m, &o, sorted, 0, out, NULL) == TR_OK);
    made_free(m);
}

static inline void make_example(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_ends(struct tr_buf *out)
{
    struct made m = spec_ends();
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_more(struct tr_buf *out)
{
    struct made m = spec_more();
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_arrow(struct tr_buf *out)
{
    struct made m = spec_arrow(TR_PLACE_TOP);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* A number of the category that is not where a category is. */
static inline void make_arrow_place(struct tr_buf *out)
{
    struct made m = spec_arrow(TR_PLACE_ARGS);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_tables(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_tables(&m);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_no_events(struct tr_buf *out)
{
    struct made m = spec_example();
    tr_batch_clear(m.batch);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_plain(struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ 1, 16, true, 0 });
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_lz4(struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ 1, 16, true, 0 });
    spec_write(&m, TR_CODEC_LZ4, true, out);
}

static inline void make_zlib(struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ 1, 16, true, 0 });
    spec_write(&m, TR_CODEC_ZLIB, true, out);
}

static inline void make_unsorted(struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ 2, 16, false, 0 });
    spec_write(&m, TR_CODEC_NONE, false, out);
}

/* ---- the example, changed ---- */

/* Where the first block of a type starts. */
static inline unsigned char *spec_block(const struct tr_buf *b, unsigned type)
{
    size_t at = TR_PREAMBLE_BYTES;
    while (tr__get16(b->data + at) != type) {
        at += TR_BLOCK_BYTES + tr__get32(b->data + at + 8);
        NEED(at < b->len);
    }
    return b->data + at;
}

static inline unsigned char *spec_payload(const struct tr_buf *b, unsigned type)
{
    return spec_block(b, type) + TR_BLOCK_BYTES;
}

/* The directory entry of a column of the first event block. */
static inline unsigned char *spec_column(const struct tr_buf *b, uint32_t id)
{
    unsigned char *p = spec_payload(b, TR_BLOCK_EVENTS) + 4;
    while (tr__get32(p) != id)
        p += 28;
    return p;
}

/* Put a block of a type that nobody knows before another one, and number all blocks anew. */
static inline void spec_insert(struct tr_buf *b, unsigned before, unsigned type, unsigned flags)
{
    unsigned char block[TR_BLOCK_BYTES + 8] = { 0 };
    size_t at = (size_t)(spec_block(b, before) - b->data);
    tr__put16(block, (uint16_t)type);
    block[2] = (unsigned char)flags;
    tr__put32(block + 8, 8);
    tr__put32(block + 12, 8);
    tr__put64(block + 16, (uint64_t)TR_TIME_NONE);
    tr__put64(block + 24, (uint64_t)TR_TIME_NONE);
    NEED(tr_buf_reserve(b, sizeof block));
    memmove(b->data + at + sizeof block, b->data + at, b->len - at);
    memcpy(b->data + at, block, sizeof block);
    b->len += sizeof block;
    uint32_t n = 0;
    for (size_t k = TR_PREAMBLE_BYTES; k < b->len; k += TR_BLOCK_BYTES + tr__get32(b->data + k + 8))
        tr__put32(b->data + k + 32, n++);
}

/* A true index of all blocks before it, and a trailer that knows where it is, after sizes have
 * changed. */
static inline void spec_index(struct tr_buf *b)
{
    struct tr__index x = { .n = 0 };
    struct tr_buf rest = { NULL, 0, 0 };
    size_t at = TR_PREAMBLE_BYTES;
    for (; tr__get16(b->data + at) != TR_BLOCK_INDEX;
         at += TR_BLOCK_BYTES + tr__get32(b->data + at + 8)) {
        const unsigned char *h = b->data + at;
        struct tr__index_entry e = { tr__get16(h),
                                     tr__get32(h + 4),
                                     at,
                                     (int64_t)tr__get64(h + 16),
                                     (int64_t)tr__get64(h + 24),
                                     0,
                                     0 };
        NEED(tr__index_add(&x, &e));
    }
    unsigned char *trailer = spec_block(b, TR_BLOCK_TRAILER);
    NEED(tr_buf_add(&rest, trailer, (size_t)(b->data + b->len - trailer)));
    b->len = at + TR_BLOCK_BYTES;
    NEED(tr__index_put(&x, b));
    uint32_t len = (uint32_t)(b->len - at - TR_BLOCK_BYTES);
    tr__put32(b->data + at + 4, x.n);
    tr__put32(b->data + at + 8, len);
    tr__put32(b->data + at + 12, len);
    tr__put64(rest.data + TR_BLOCK_BYTES + 8, at);
    tr__put64(rest.data + TR_BLOCK_BYTES + 16, b->len);
    NEED(tr_buf_add(b, rest.data, rest.len));
    repair(b->data, b->len);
    tr_buf_free(&rest);
    tr_buf_free(&x.rows);
}

/* A stream that is not sorted, with a block of eight bytes before its first events. */
static inline void spec_live(struct tr_buf *out, bool sorted, unsigned type, unsigned flags)
{
    struct made m = spec_example();
    spec_write(&m, TR_CODEC_NONE, sorted, out);
    spec_insert(out, TR_BLOCK_EVENTS, type, flags);
    spec_index(out);
}

static inline void make_watermark(struct tr_buf *out)
{
    spec_live(out, false, TR_BLOCK_WATERMARK, 0);
}

static inline void make_watermark_sorted(struct tr_buf *out)
{
    spec_live(out, true, TR_BLOCK_WATERMARK, 0);
}

static inline void make_reset(struct tr_buf *out)
{
    spec_live(out, false, TR_BLOCK_RESET, TR_CRITICAL);
}

/* A table where a sorted stream may have none: before its events. */
static inline void make_table_late(struct tr_buf *out)
{
    spec_live(out, true, TR_BLOCK_TABLE, 0);
}

static inline void make_table_track(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_tables(&m);
    const struct tr_side_value row[9] = { { true, 5, 2, NULL, 0 } }; /* there are tracks 0 and 1 */
    NEED(tr_side_table_add(m.tables.v[0], row));
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_table_type(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_tables(&m);
    m.tables.v[1]->columns[0].type = TR_T_TRUE;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* Rows of a table that no block has started. */
static inline void make_table_rest(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_tables(&m);
    spec_write(&m, TR_CODEC_NONE, true, out);
    spec_payload(out, TR_BLOCK_TABLE)[0] = 1;
    repair(out->data, out->len);
}

/* The first table block of the example, with another payload of n_items. */
static inline void spec_table_payload(struct tr_buf *out, const struct tr_buf *payload, uint32_t n_items)
{
    make_tables(out);
    size_t at = (size_t)(spec_block(out, TR_BLOCK_TABLE) - out->data);
    size_t after = at + TR_BLOCK_BYTES + tr__get32(out->data + at + 8);
    struct tr_buf rest = { NULL, 0, 0 };
    NEED(tr_buf_add(&rest, out->data + after, out->len - after));
    out->len = at + TR_BLOCK_BYTES;
    NEED(tr_buf_add(out, payload->data, payload->len) && tr_buf_add(out, rest.data, rest.len));
    tr__put32(out->data + at + 4, n_items);
    tr__put32(out->data + at + 8, (uint32_t)payload->len);
    tr__put32(out->data + at + 12, (uint32_t)payload->len);
    spec_index(out);
    tr_buf_free(&rest);
}

/* The same, its payload in words. */
static inline void spec_table_bytes(struct tr_buf *out, const char *bytes, size_t n, uint32_t n_items)
{
    struct tr_buf payload = { NULL, 0, 0 };
    NEED(tr_buf_add(&payload, bytes, n));
    spec_table_payload(out, &payload, n_items);
    tr_buf_free(&payload);
}

/* Before the table peaks of one row: two more of its rows, and no table of its own. */
static inline void make_table_more(struct tr_buf *out)
{
    static const char more[] = "\1\5peaks\0\1\6tflops\3\2\1\0\3\1\x8a\1";
    struct tr_buf x = { NULL, 0, 0 };
    struct made m = spec_example();
    spec_tables(&m);
    spec_write(&m, TR_CODEC_NONE, true, &x);
    unsigned char *first = spec_block(&x, TR_BLOCK_TABLE), *second = first + TR_BLOCK_BYTES + tr__get32(first + 8);
    unsigned char *after = spec_block(&x, TR_BLOCK_SUMMARY), head[TR_BLOCK_BYTES];
    memcpy(head, second, sizeof head);
    tr__put32(head + 4, 2);
    tr__put32(head + 8, sizeof more - 1);
    tr__put32(head + 12, sizeof more - 1);
    NEED(tr_buf_add(out, x.data, (size_t)(after - x.data)) && tr_buf_add(out, head, sizeof head) &&
         tr_buf_add(out, more, sizeof more - 1) && tr_buf_add(out, after, (size_t)(x.data + x.len - after)));
    uint32_t n = 0;
    for (size_t k = TR_PREAMBLE_BYTES; k < out->len; k += TR_BLOCK_BYTES + tr__get32(out->data + k + 8))
        tr__put32(out->data + k + 32, n++);
    spec_index(out);
    tr_buf_free(&x);
}

static inline void make_tables_unsorted(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_tables(&m);
    m.summary->sorted = false;
    spec_write(&m, TR_CODEC_NONE, false, out);
}

static inline void make_table_columns(struct tr_buf *out)
{
    spec_table_bytes(out, "\0\1t\0\0", 5, 0);
}

static inline void make_table_name(struct tr_buf *out)
{
    spec_table_bytes(out, "\0\2t\0\0\1\1c\3", 9, 0);
}

static inline void make_table_truth(struct tr_buf *out)
{
    spec_table_bytes(out, "\0\1t\0\1\1c\20\2\1\2", 11, 1);
}

static inline void make_table_after(struct tr_buf *out)
{
    spec_table_bytes(out, "\0\1t\0\1\1c\3\0", 9, 0);
}

static inline void make_unknown_block(struct tr_buf *out)
{
    make_example(out);
    spec_insert(out, TR_BLOCK_EVENTS, 900, 0);
    spec_index(out);
}

/* A column of an unknown id, of three bytes, after the fixed ones. */
static inline void spec_add_column(struct tr_buf *out, uint32_t id, uint8_t flags)
{
    unsigned char head[TR_COLUMN_BYTES + 3];
    struct tr__column c = { .id = id, .encoding = 77, .flags = flags, .n = 2, .stored = 3 };
    NEED(tr_buf_reserve(out, sizeof head));
    unsigned char *block = spec_block(out, TR_BLOCK_EVENTS), *p = block + TR_BLOCK_BYTES;
    unsigned char *entry = p + 4 + 12 * TR_COLUMN_BYTES;
    size_t bytes = 0; /* of the fixed columns, after which its own have to stand */
    for (unsigned k = 0; k < 12; k++)
        bytes += tr__get32(p + 4 + k * TR_COLUMN_BYTES + 16);
    tr__column_put(&c, head);
    memmove(entry + TR_COLUMN_BYTES, entry, (size_t)(out->data + out->len - entry));
    memcpy(entry, head, TR_COLUMN_BYTES);
    out->len += TR_COLUMN_BYTES;
    unsigned char *own = p + 4 + tr__get32(p) * TR_COLUMN_BYTES + TR_COLUMN_BYTES + bytes;
    memmove(own + 3, own, (size_t)(out->data + out->len - own));
    memcpy(own, "abc", 3);
    out->len += 3;
    tr__put32(p, tr__get32(p) + 1);
    tr__put32(block + 8, tr__get32(block + 8) + TR_COLUMN_BYTES + 3);
}

static inline void make_unknown_column(struct tr_buf *out)
{
    make_example(out);
    spec_add_column(out, 20, 0);
    spec_index(out);
}

static inline void make_critical_column(struct tr_buf *out)
{
    make_example(out);
    spec_add_column(out, 20, TR_CRITICAL);
    spec_index(out);
}

/* Two columns of unknown ids, the larger one first. */
static inline void make_column_order(struct tr_buf *out)
{
    make_example(out);
    spec_add_column(out, 20, 0);
    spec_add_column(out, 21, 0);
    spec_index(out);
}

static inline void make_column_twice(struct tr_buf *out)
{
    make_example(out);
    spec_add_column(out, 20, 0);
    spec_add_column(out, 20, 0);
    spec_index(out);
}

static inline void make_empty(struct tr_buf *out)
{
    out->len = 0;
}

static inline void make_json(struct tr_buf *out)
{
    NEED(tr_buf_add_str(out, "{\"traceEvents\": []}\n"));
}

/* As a transfer in text mode leaves it: every line feed has got a carriage return in front. */
static inline void make_text_mode(struct tr_buf *out)
{
    struct tr_buf x = { NULL, 0, 0 };
    make_example(&x);
    for (size_t i = 0; i < x.len; i++) {
        if (x.data[i] == '\n')
            NEED(tr_buf_add(out, "\r", 1));
        NEED(tr_buf_add(out, x.data + i, 1));
    }
    tr_buf_free(&x);
}

static inline void make_version_3(struct tr_buf *out)
{
    make_example(out);
    out->data[8] = 3;
    repair(out->data, out->len);
}

static inline void make_preamble_flip(struct tr_buf *out)
{
    make_example(out);
    out->data[10] ^= 1;
}

static inline void make_no_trailer(struct tr_buf *out)
{
    make_example(out);
    out->len = (size_t)(spec_block(out, TR_BLOCK_TRAILER) - out->data);
}

static inline void make_cut_header(struct tr_buf *out)
{
    make_example(out);
    out->len = (size_t)(spec_block(out, TR_BLOCK_EVENTS) - out->data) + 20;
}

static inline void make_cut_payload(struct tr_buf *out)
{
    make_example(out);
    out->len = (size_t)(spec_payload(out, TR_BLOCK_EVENTS) - out->data) + 100;
}

static inline void make_header_flip(struct tr_buf *out)
{
    make_example(out);
    spec_block(out, TR_BLOCK_EVENTS)[4] ^= 1;
}

static inline void make_payload_flip(struct tr_buf *out)
{
    make_example(out);
    spec_payload(out, TR_BLOCK_STRINGS)[3] ^= 32;
}

static inline void make_huge(struct tr_buf *out)
{
    make_example(out);
    tr__put32(spec_block(out, TR_BLOCK_EVENTS) + 8, 0x7fffffff);
    repair(out->data, out->len);
}

static inline void make_huge_raw(struct tr_buf *out)
{
    make_example(out);
    tr__put32(spec_block(out, TR_BLOCK_EVENTS) + 12, TR_MAX_RAW + 1);
    repair(out->data, out->len);
}

static inline void make_block_lost(struct tr_buf *out)
{
    make_example(out);
    size_t at = (size_t)(spec_block(out, TR_BLOCK_EVENTS) - out->data);
    size_t len = TR_BLOCK_BYTES + tr__get32(out->data + at + 8);
    memmove(out->data + at, out->data + at + len, out->len - at - len);
    out->len -= len;
    repair(out->data, out->len);
}

static inline void make_trailing(struct tr_buf *out)
{
    make_example(out);
    NEED(tr_buf_add(out, "\n", 1));
}

static inline void make_joined(struct tr_buf *out)
{
    make_example(out);
    make_example(out);
}

static inline void make_unknown_critical(struct tr_buf *out)
{
    make_example(out);
    spec_insert(out, TR_BLOCK_EVENTS, 900, TR_CRITICAL);
    repair(out->data, out->len);
}

static inline void make_unordered(struct tr_buf *out)
{
    struct made m = spec_example();
    m.batch->ts[0] = 2000;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_no_such_name(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_column(out, 5) + 20, 100); /* base of the column of names */
    repair(out->data, out->len);
}

static inline void make_no_such_track(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_column(out, 3) + 20, 2);
    repair(out->data, out->len);
}

static inline void make_no_such_shape(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_column(out, 4) + 20, 1);
    repair(out->data, out->len);
}

static inline void make_no_such_phase(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_column(out, 7) + 20, 200);
    repair(out->data, out->len);
}

static inline void make_no_such_flag(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_column(out, 11) + 20, 128);
    repair(out->data, out->len);
}

static inline void make_source_job(struct tr_buf *out)
{
    struct made m = spec_example();
    m.dict->sources[0].job = 99; /* there is no such string */
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_entries(struct tr_buf *out)
{
    make_example(out);
    tr__put32(spec_column(out, 64 + TR_N_DERIVED) + 12, 2);
    repair(out->data, out->len);
}

static inline void make_encoding(struct tr_buf *out)
{
    make_example(out);
    spec_column(out, 1)[4] = 9;
    repair(out->data, out->len);
}

static inline void make_range(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_block(out, TR_BLOCK_EVENTS) + 24, 99999);
    repair(out->data, out->len);
}

static inline void make_row_length(struct tr_buf *out)
{
    make_example(out);
    spec_payload(out, TR_BLOCK_TRACKS)[0] = 120;
    repair(out->data, out->len);
}

static inline void make_same_string(struct tr_buf *out)
{
    make_example(out);
    unsigned char *p = spec_payload(out, TR_BLOCK_STRINGS), *gemm = NULL;
    for (unsigned i = 0; i < TR_N_DERIVED + 5; i++) { /* "gemm" is the first after the derived, "name" the sixth */
        if (i == TR_N_DERIVED)
            gemm = p;
        p += 1 + *p;
    }
    NEED(gemm && memcmp(gemm, "\4gemm", 5) == 0 && memcmp(p, "\4name", 5) == 0);
    memcpy(p, gemm, 5);
    repair(out->data, out->len);
}

static inline void make_column_place(struct tr_buf *out)
{
    make_example(out);
    unsigned char *p = spec_payload(out, TR_BLOCK_COLUMNS);
    p[2] = TR_PLACE_ARGS; /* of the first derived column */
    repair(out->data, out->len);
}

/* Two columns of one key, place and type. */
static inline void make_same_column(struct tr_buf *out)
{
    struct made m = spec_example();
    struct tr_column again = m.dict->columns[TR_N_DERIVED];
    NEED(tr_dict_add_column(m.dict, &again) != UINT32_MAX);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* A member of the end before the slot that says that the end starts. */
static inline void make_slot_place(struct tr_buf *out)
{
    struct made m = spec_ends();
    struct tr_shape *s = &m.dict->shapes[0];
    struct tr_slot end = s->slots[4];
    s->slots[4] = s->slots[6];
    s->slots[6] = end;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_slot_type(struct tr_buf *out)
{
    struct made m = spec_example();
    m.dict->shapes[0].slots[0].type = TR_T_INT; /* of the name */
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* A type that none is, though the types allowed are looked up by its last five bits. */
static inline void make_no_such_type(struct tr_buf *out)
{
    struct made m = spec_example();
    m.dict->shapes[0].slots[0].type = TR_T_STRING + 32; /* of the name */
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_no_such_role(struct tr_buf *out)
{
    struct made m = spec_example();
    m.dict->shapes[0].slots[0].role = TR_N_ROLES;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_track_tid(struct tr_buf *out)
{
    struct made m = spec_ends();
    m.dict->tracks[0].pid_type = TR_T_STRING; /* there is no string 100 */
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* The example, moved by 500 ns from a clock that is 40 ppm fast, with fixes to be kept. */
static inline struct made spec_clocks(void)
{
    struct made m = spec_example();
    struct tr_clock c = { .frame = 0,
                          .origin = 1000000,
                          .offset = -500,
                          .drift = 40000000,
                          .keeps_summary = true,
                          .first_ts = 460,
                          .last_end = 12961 };
    NEED(tr_clock_add_fix(&c, 1, TR_FIX_END) && tr_clock_add_step_fix(&c, 3));
    NEED(tr_dict_add_clock(m.dict, &c) == 0);
    free(c.fixes);
    free(c.step_fixes);
    m.dict->tracks[0].clock = m.dict->tracks[1].clock = 1;
    return m;
}

static inline void make_clocks(struct tr_buf *out)
{
    struct made m = spec_clocks();
    spec_write(&m, TR_CODEC_NONE, true, out);
}

/* The device of the example has a clock of its own. */
static inline struct made spec_domain(void)
{
    struct made m = spec_example();
    NEED(tr_dict_add_domain(m.dict, 0) == 0);
    m.dict->tracks[1].clock = 1;
    return m;
}

static inline void make_domain(struct tr_buf *out)
{
    struct made m = spec_domain();
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_domain_moved(struct tr_buf *out)
{
    struct made m = spec_domain();
    m.dict->clocks[0].offset = 1;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_clock_drift(struct tr_buf *out)
{
    struct made m = spec_clocks();
    m.dict->clocks[0].drift = TR_DRIFT_MAX + 1;
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_clock_source(struct tr_buf *out)
{
    struct made m = spec_clocks();
    m.dict->clocks[0].source = 1; /* there is one source, number 0 */
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_two_bases(struct tr_buf *out)
{
    struct made m = spec_example();
    struct tr_source other = { .name = TR_NO_STR,
                               .host = TR_NO_STR,
                               .mesh = TR_NO_STR,
                               .job = TR_NO_STR,
                               .format = TR_NO_STR,
                               .base_ns = 1,
                               .pid = TR_I64_NONE };
    NEED(tr_dict_add_source(m.dict, &other) == 1);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_trailer_events(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_payload(out, TR_BLOCK_TRAILER), 3);
    repair(out->data, out->len);
}

static inline void make_trailer_phase(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_payload(out, TR_BLOCK_TRAILER) + 32, 1);
    repair(out->data, out->len);
}

static inline void make_trailer_damage(struct tr_buf *out)
{
    make_example(out);
    tr__put64(spec_payload(out, TR_BLOCK_TRAILER) + 32 + 8 * 16, 1);
    repair(out->data, out->len);
}

/* What was wrong with the source of the example. */
static inline void spec_damage(struct made *m, const char *name, bool loses, uint64_t first)
{
    struct tr_damage d = { .loses = loses, .count = 2, .first = first };
    snprintf(d.name, sizeof d.name, "%s", name);
    snprintf(d.text, sizeof d.text, "%s", "a comma too many, ignored");
    NEED(tr_summary_add_damage(&m->summary->sources[0], &d));
}

static inline void make_damage(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_damage(&m, "extra_comma", false, 17);
    spec_damage(&m, "of_another_format", true, TR_NO_OFFSET);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_cause_twice(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_damage(&m, "extra_comma", false, 17);
    spec_damage(&m, "extra_comma", true, 18);
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_cause_text(struct tr_buf *out)
{
    struct made m = spec_example();
    spec_damage(&m, "extra_comma", false, 17);
    m.summary->sources[0].damage[0].text[0] = '\0';
    spec_write(&m, TR_CODEC_NONE, true, out);
}

static inline void make_index_offset(struct tr_buf *out)
{
    make_example(out);
    spec_payload(out, TR_BLOCK_INDEX)[8 + 2]++; /* offset of the first block */
    repair(out->data, out->len);
}

/* The index's row of the first block with times: its byte that says so; those of sources end the row. */
static inline unsigned char *spec_index_range(struct tr_buf *out)
{
    unsigned char *block = spec_block(out, TR_BLOCK_INDEX);
    const unsigned char *p = block + TR_BLOCK_BYTES;
    struct tr__in in = { p + 8, p + tr__get32(block + 8), false };
    for (;;) {
        for (int i = 0; i < 3; i++) /* type, items, offset */
            tr__in_varint(&in);
        unsigned char *range = block + (in.p - block);
        if (tr__in_u8(&in) == 1)
            return range;
        tr__in_varint(&in); /* sources */
        tr__in_varint(&in);
        NEED(!in.bad);
    }
}

static inline void make_index_range(struct tr_buf *out)
{
    make_example(out);
    *spec_index_range(out) = 2; /* neither with times nor without */
    repair(out->data, out->len);
}

static inline void make_index_sources(struct tr_buf *out)
{
    make_example(out);
    spec_payload(out, TR_BLOCK_INDEX)[8 + 4] = 1; /* the first row, of a byte for each number: from source 1 to 0 */
    repair(out->data, out->len);
}

static inline void make_index_rows(struct tr_buf *out)
{
    make_example(out);
    unsigned char *block = spec_block(out, TR_BLOCK_INDEX);
    tr__put32(block + 4, tr__get32(block + 4) - 1); /* one row is after the last */
    repair(out->data, out->len);
}

static inline void make_summary_order(struct tr_buf *out)
{
    make_example(out);
    spec_payload(out, TR_BLOCK_SUMMARY)[0] = 0;
    repair(out->data, out->len);
}

static const struct {
    const char *name;
    bool good;
    bool packed; /* depends on the version of a compressor */
    void (*make)(struct tr_buf *out);
} spec_samples[] = {
    { "example", true, false, make_example },
    { "ends", true, false, make_ends },
    { "more", true, false, make_more },
    { "arrow", true, false, make_arrow },
    { "tables", true, false, make_tables },
    { "table-more", true, false, make_table_more },
    { "tables-unsorted", true, false, make_tables_unsorted },
    { "watermark", true, false, make_watermark },
    { "no-events", true, false, make_no_events },
    { "plain", true, false, make_plain },
    { "lz4", true, true, make_lz4 },
    { "zlib", true, true, make_zlib },
    { "unsorted", true, false, make_unsorted },
    { "clocks", true, false, make_clocks },
    { "domain", true, false, make_domain },
    { "damage", true, false, make_damage },
    { "unknown-block", true, false, make_unknown_block },
    { "unknown-column", true, false, make_unknown_column },
    { "critical-column", false, false, make_critical_column },
    { "column-order", false, false, make_column_order },
    { "column-twice", false, false, make_column_twice },
    { "empty", false, false, make_empty },
    { "json", false, false, make_json },
    { "text-mode", false, false, make_text_mode },
    { "version-1", false, false, NULL }, /* as a program of format 1.0 wrote it */
    { "version-3", false, false, make_version_3 },
    { "preamble-flip", false, false, make_preamble_flip },
    { "no-trailer", false, false, make_no_trailer },
    { "cut-header", false, false, make_cut_header },
    { "cut-payload", false, false, make_cut_payload },
    { "header-flip", false, false, make_header_flip },
    { "payload-flip", false, false, make_payload_flip },
    { "huge", false, false, make_huge },
    { "huge-raw", false, false, make_huge_raw },
    { "block-lost", false, false, make_block_lost },
    { "trailing", false, false, make_trailing },
    { "joined", false, false, make_joined },
    { "unknown-critical", false, false, make_unknown_critical },
    { "unordered", false, false, make_unordered },
    { "no-such-name", false, false, make_no_such_name },
    { "no-such-track", false, false, make_no_such_track },
    { "no-such-shape", false, false, make_no_such_shape },
    { "no-such-phase", false, false, make_no_such_phase },
    { "no-such-flag", false, false, make_no_such_flag },
    { "source-job", false, false, make_source_job },
    { "table-late", false, false, make_table_late },
    { "table-track", false, false, make_table_track },
    { "table-type", false, false, make_table_type },
    { "table-rest", false, false, make_table_rest },
    { "table-columns", false, false, make_table_columns },
    { "table-name", false, false, make_table_name },
    { "table-truth", false, false, make_table_truth },
    { "table-after", false, false, make_table_after },
    { "watermark-sorted", false, false, make_watermark_sorted },
    { "reset", false, false, make_reset },
    { "entries", false, false, make_entries },
    { "encoding", false, false, make_encoding },
    { "range", false, false, make_range },
    { "row-length", false, false, make_row_length },
    { "same-string", false, false, make_same_string },
    { "same-column", false, false, make_same_column },
    { "column-place", false, false, make_column_place },
    { "arrow-place", false, false, make_arrow_place },
    { "slot-place", false, false, make_slot_place },
    { "slot-type", false, false, make_slot_type },
    { "no-such-type", false, false, make_no_such_type },
    { "no-such-role", false, false, make_no_such_role },
    { "track-tid", false, false, make_track_tid },
    { "two-bases", false, false, make_two_bases },
    { "clock-drift", false, false, make_clock_drift },
    { "clock-source", false, false, make_clock_source },
    { "domain-moved", false, false, make_domain_moved },
    { "trailer-events", false, false, make_trailer_events },
    { "trailer-phase", false, false, make_trailer_phase },
    { "trailer-damage", false, false, make_trailer_damage },
    { "cause-twice", false, false, make_cause_twice },
    { "cause-text", false, false, make_cause_text },
    { "index-offset", false, false, make_index_offset },
    { "index-range", false, false, make_index_range },
    { "index-sources", false, false, make_index_sources },
    { "index-rows", false, false, make_index_rows },
    { "summary-order", false, false, make_summary_order },
};

#endif
