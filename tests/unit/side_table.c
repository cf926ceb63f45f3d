/* SPDX-License-Identifier: MIT */
/* Tables of a stream: they come back as they were written, within the limits of the format and not beyond
 * them, and damage in them is refused with its place and cause. */
#include "../spec/spec_make.h"
#include "side_make.h"

/* A random stream with tables of every shape: of sources and of none, with rows and without, of equal names. */
static struct made with_tables(uint64_t seed, bool sorted)
{
    struct made m = make_stream(&(struct recipe){ seed, 40, sorted, 0 });
    struct rng r = { seed + 1000 };
    for (uint64_t n = rng_below(&r, 5); n > 0; n--) {
        uint64_t of = rng_below(&r, m.dict->n_sources + 1);
        size_t first = rng_below(&r, N_ALL), n_rows = rng_below(&r, 3) ? rng_below(&r, 30) : 0;
        uint32_t source = of < m.dict->n_sources ? (uint32_t)of : UINT32_MAX;
        const char *name = rng_below(&r, 2) ? "samples" : "peaks";
        size_t n_columns = 1 + rng_below(&r, N_ALL - first);
        add_rows(add_table(&m.tables, name, source, n_columns, &all_types[first], N_ALL - first), m.dict, &r, n_rows);
    }
    return m;
}

/* Read b; its content as text.  What of it is wrong stays in err. */
static enum tr_status reads_as(const struct tr_buf *b, struct tr_buf *text, struct tr_error *err)
{
    struct memory_source source = { .data = b->data, .len = b->len };
    *err = (struct tr_error)TR_ERROR_INIT;
    return read_text(&source, text, err);
}

/* Do the tables of m, written, come back? */
static bool comes_back(const struct made *m, const struct tr_writer_opts *o, bool sorted)
{
    struct tr_buf out = { NULL, 0, 0 }, before = { NULL, 0, 0 }, after = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    text_of_made(m, &before);
    bool good = write_made(m, o, sorted, 0, &out, &err) == TR_OK && reads_as(&out, &after, &err) == TR_END &&
                same_bytes(&before, &after);
    if (!good)
        printf("# %s: %s\n", err.place, err.what);
    tr_buf_free(&out);
    tr_buf_free(&before);
    tr_buf_free(&after);
    return good;
}

static void test_round_trip(struct tap *t)
{
    for (unsigned codec = 0; codec < TR_N_CODECS; codec++) {
        bool good = true;
        size_t n_tables = 0, n_empty = 0, n_rows = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            struct made m = with_tables(seed, seed & 1);
            const struct tr_writer_opts o = { codec, 0, 1, 16 };
            good &= comes_back(&m, &o, seed & 1);
            n_tables += m.tables.n;
            for (size_t i = 0; i < m.tables.n; i++) {
                n_rows += (size_t)m.tables.v[i]->n_rows;
                n_empty += m.tables.v[i]->n_rows == 0;
            }
            made_free(&m);
        }
        tap_ok(t, good && n_empty > 9 && n_tables > n_empty && n_rows > 400,
               "random tables come back, codec %u: %zu, %zu of them empty, %zu rows", codec, n_tables, n_empty, n_rows);
    }
}

/* Every type alone, its extreme values and an absent cell, value by value. */
static void test_values(struct tap *t)
{
    static const int64_t numbers[] = { 0, 1, -1, INT64_MAX, INT64_MIN + 1, INT64_MIN, 127, 128, -64, -65 };
    for (size_t k = 0; k < N_ALL; k++) {
        struct made m = make_stream(&(struct recipe){ 3, 1, true, 0 });
        unsigned type = all_types[k];
        struct tr_side_table *table = add_table(&m.tables, "t", 0, 1, &type, 1);
        bool good = true;
        size_t n = type == TR_SIDE_BOOL || type == TR_SIDE_TRACK ? 2 : type == TR_SIDE_TIME ? 5 : 10, at = 0;
        for (size_t i = 0; i < n; i++) {
            struct tr_side_value v = { true, numbers[i], 0, side_texts[i % 5], strlen(side_texts[i % 5]) };
            if (type == TR_SIDE_TRACK)
                v.v = i ? (int64_t)m.dict->n_tracks - 1 : 0;
            NEED(tr_side_table_add(table, &v) && tr_side_table_add(table, &(struct tr_side_value){ .present = false }));
        }
        struct tr_side_value got;
        for (size_t i = 0; i < n; i++) {
            good &= tr_side_table_row(table, &at, &got) && got.present;
            if (tr_type_is_string(type))
                good &= got.len == strlen(side_texts[i % 5]) && !memcmp(got.text, side_texts[i % 5], got.len);
            else if (type != TR_SIDE_TRACK)
                good &= got.v == numbers[i];
            good &= tr_side_table_row(table, &at, &got) && !got.present;
        }
        good &= !tr_side_table_row(table, &at, &got) && tr_side_table_has_text(table) == tr_type_is_string(type);
        good &= comes_back(&m, &(struct tr_writer_opts){ .codec = TR_CODEC_LZ4 }, true);
        tap_ok(t, good && table->n_rows == 2 * n, "type %u: its extremes and absent cells", type);
        made_free(&m);
    }
}

/* Text with bytes of all kinds, longer than a line of a test may be. */
static void test_bytes(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 3, 1, true, 0 });
    static const unsigned type = TR_T_STRING;
    struct tr_side_table *table = add_table(&m.tables, "t", UINT32_MAX, 1, &type, 1);
    char all[100000];
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = (char)(i % 256);
    NEED(tr_side_table_add(table, &(struct tr_side_value){ .present = true, .text = all, .len = sizeof all }));
    struct tr_buf out = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    NEED(write_made(&m, NULL, true, 0, &out, &err) == TR_OK);
    struct memory_source source = { .data = out.data, .len = out.len };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    struct tr_side_value v = { .present = false };
    size_t at = 0;
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK && tr_input_next(in, &b, &err) == TR_OK);
    bool good = in->tables->n == 1 && tr_side_table_row(in->tables->v[0], &at, &v) && v.len == sizeof all &&
                memcmp(v.text, all, sizeof all) == 0;
    tap_ok(t, good, "any bytes in a text");
    tr_input_close(in);
    tr_buf_free(&out);
    made_free(&m);
}

struct outline {
    unsigned types[400], n; /* of all blocks */
    unsigned more; /* blocks of tables that go on */
};

static struct outline outline_of(const struct tr_buf *b)
{
    struct outline o = { .n = 0 };
    for (size_t at = TR_PREAMBLE_BYTES; at < b->len; at += TR_BLOCK_BYTES + tr__get32(b->data + at + 8)) {
        NEED(o.n < 400);
        unsigned type = o.types[o.n++] = tr__get16(b->data + at);
        if (type != TR_BLOCK_TABLE)
            continue;
        o.more += b->data[at + TR_BLOCK_BYTES];
        NEED(tr__get32(b->data + at + 12) <= TR_SOFT_RAW);
    }
    return o;
}

static size_t place_of(const struct outline *o, unsigned type, bool last)
{
    size_t found = o->n;
    for (size_t i = 0; i < o->n; i++)
        if (o->types[i] == type && (last || found == o->n))
            found = i;
    return found;
}

static void test_blocks(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 5, 60, true, 0 });
    struct rng r = { 7 };
    struct tr_buf out = { NULL, 0, 0 };
    const struct tr_writer_opts o = { TR_CODEC_NONE, 0, 1, 16 };
    add_rows(add_table(&m.tables, "small", UINT32_MAX, 2, all_types, N_ALL), m.dict, &r, 3);
    add_rows(add_table(&m.tables, "large", 0, N_ALL, all_types, N_ALL), m.dict, &r, 60000);
    add_table(&m.tables, "large", 0, N_ALL, all_types, N_ALL);
    add_rows(add_table(&m.tables, "last", 0, 3, all_types, N_ALL), m.dict, &r, 3);
    NEED(write_made(&m, &o, true, 0, &out, NULL) == TR_OK);
    struct outline x = outline_of(&out);
    tap_ok(t, comes_back(&m, &o, true) && x.more >= 2,
           "60000 rows take %u blocks more, and tables of equal heads stay two", x.more);
    size_t summary = place_of(&x, TR_BLOCK_SUMMARY, false), events = place_of(&x, TR_BLOCK_EVENTS, false);
    size_t first = place_of(&x, TR_BLOCK_TABLE, false), last = place_of(&x, TR_BLOCK_TABLE, true);
    tap_ok(t, place_of(&x, TR_BLOCK_TRACKS, true) < first && last < summary && summary < events && events < x.n,
           "sorted: all tables after the tracks that they name and before summary and events");
    out.len = 0;
    m.summary->sorted = false;
    NEED(write_made(&m, &o, false, 0, &out, NULL) == TR_OK);
    x = outline_of(&out);
    tap_ok(t, place_of(&x, TR_BLOCK_TABLE, false) > place_of(&x, TR_BLOCK_EVENTS, true) && comes_back(&m, &o, false),
           "not sorted: after the events");
    tr_buf_free(&out);
    made_free(&m);
}

/* ---- limits ---- */

static void test_head_limits(struct tap *t)
{
    char longest[TR_SIDE_MAX_NAME + 2];
    memset(longest, 'n', sizeof longest);
    for (size_t over = 0; over < 2; over++) {
        struct made m = make_stream(&(struct recipe){ 3, 1, true, 0 });
        struct rng r = { 1 };
        struct tr_buf out = { NULL, 0, 0 };
        struct tr_error err = TR_ERROR_INIT;
        struct tr_side_table *table = add_table(&m.tables, "wide", 0, TR_SIDE_MAX_COLUMNS + over, all_types, N_ALL);
        if (!over)
            add_rows(table, m.dict, &r, 5);
        enum tr_status st = write_made(&m, NULL, true, 0, &out, &err);
        tap_ok(t, over ? st == TR_USAGE && strstr(err.what, "'wide'") : comes_back(&m, NULL, true), "%zu columns: %s",
               table->n_columns, over ? err.what : "as they were");
        made_free(&m);
        for (unsigned column = 0; column < 2; column++) {
            m = make_stream(&(struct recipe){ 3, 1, true, 0 });
            longest[TR_SIDE_MAX_NAME + over] = '\0';
            table = add_table(&m.tables, column ? "t" : longest, 0, 1, all_types, N_ALL);
            NEED(tr_side_table_column(table, column ? longest : "c", TR_T_INT));
            add_rows(table, m.dict, &r, 5);
            longest[TR_SIDE_MAX_NAME + over] = 'n';
            out.len = 0;
            st = write_made(&m, NULL, true, 0, &out, &err);
            tap_ok(t, over ? st == TR_USAGE : comes_back(&m, NULL, true), "a %s of %zu bytes: %s",
                   column ? "column" : "table", TR_SIDE_MAX_NAME + over, over ? "refused" : "as it was");
            made_free(&m);
        }
        tr_buf_free(&out);
    }
    struct made m = make_stream(&(struct recipe){ 3, 1, true, 0 });
    struct tr_buf out = { NULL, 0, 0 };
    add_table(&m.tables, "none", 0, 0, all_types, N_ALL);
    tap_ok(t, write_made(&m, NULL, true, 0, &out, NULL) == TR_USAGE, "no column: refused");
    made_free(&m);
    tr_buf_free(&out);
}

/* The largest row is a block of its own: what a block may hold, less head and lengths. */
static void test_largest_row(struct tap *t)
{
    static const unsigned type = TR_T_STRING;
    /* Flags, "t", source, columns, "c0", type; of the row its length, bits, and length of the text. */
    const size_t rest = 1 + 2 + 1 + 1 + 3 + 1 + 4 + 1 + 4;
    for (size_t over = 0; over < 2; over++) {
        struct made m = make_stream(&(struct recipe){ 3, 1, true, 0 });
        struct tr_side_table *table = add_table(&m.tables, "t", UINT32_MAX, 1, &type, 1);
        size_t len = TR_MAX_RAW - rest + over;
        char *text = malloc(len);
        struct tr_buf out = { NULL, 0, 0 };
        struct tr_error err = TR_ERROR_INIT;
        NEED(text);
        memset(text, 'x', len);
        NEED(tr_side_table_add(table, &(struct tr_side_value){ .present = true, .text = text, .len = len }));
        enum tr_status st = write_made(&m, NULL, true, 0, &out, &err);
        if (over)
            tap_ok(t, st == TR_DAMAGED && strstr(err.what, "at most 16777216"), "a row of a byte more: %s", err.what);
        else
            tap_ok(t, st == TR_OK && reads_as(&out, NULL, &err) == TR_END, "a row that fills a block of 16 MiB: %s",
                   err.what);
        free(text);
        tr_buf_free(&out);
        made_free(&m);
    }
}

/* Rows of absent cells are two bytes: the most that a block can hold. */
static void test_max_rows(struct tap *t)
{
    static const unsigned char head[] = { 0, 1, 't', 0, 1, 1, 'c', TR_T_INT };
    struct tr_buf payload = { NULL, 0, 0 }, out = { NULL, 0, 0 };
    struct tr_error err;
    const uint32_t n = (TR_MAX_RAW - sizeof head) / 2;
    NEED(tr_buf_add(&payload, head, sizeof head) && tr_buf_reserve(&payload, 2 * (size_t)n));
    for (uint32_t i = 0; i < n; i++)
        NEED(tr_buf_add(&payload, "\1\0", 2));
    spec_table_payload(&out, &payload, n);
    struct memory_source source = { .data = out.data, .len = out.len };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK && tr_input_next(in, &b, &err) == TR_OK);
    struct tr_side_value v;
    uint32_t rows = 0;
    for (size_t at = 0; tr_side_table_row(in->tables->v[0], &at, &v); rows += !v.present)
        continue;
    tap_ok(t, rows == n && in->tables->v[0]->n_rows == n, "%u rows in one block", n);
    tr_input_close(in);
    out.len = 0;
    spec_table_payload(&out, &payload, n + 1);
    tap_ok(t, reads_as(&out, NULL, &err) == TR_DAMAGED && strstr(err.what, "row 8388604 of table 't'"),
           "one more, not there: %s", err.what);
    out.len = 0;
    spec_table_payload(&out, &payload, n - 1);
    tap_ok(t, reads_as(&out, NULL, &err) == TR_DAMAGED && strstr(err.what, "2 bytes after the last row"),
           "one too many: %s", err.what);
    tr_buf_free(&payload);
    tr_buf_free(&out);
}

/* ---- damage ---- */

struct bad {
    const char *what, *cause;
    size_t n;
    unsigned char bytes[16]; /* the payload of the block */
    uint32_t n_items;
};

static const struct bad bad_payloads[] = {
    { "an unknown flag", "the table is malformed", 8, { 2, 1, 't', 0, 1, 1, 'c', 3 }, 0 },
    { "no name", "the table is malformed", 7, { 0, 0, 0, 1, 1, 'c', 3 }, 0 },
    { "a zero byte in a name", "the table is malformed", 9, { 0, 2, 't', 0, 0, 1, 1, 'c', 3 }, 0 },
    { "a source that is not there", "the table is malformed", 8, { 0, 1, 't', 2, 1, 1, 'c', 3 }, 0 },
    { "no columns", "the table is malformed", 5, { 0, 1, 't', 0, 0 }, 0 },
    { "257 columns", "the table is malformed", 9, { 0, 1, 't', 0, 0x81, 2, 1, 'c', 3 }, 0 },
    { "a column without name", "the table is malformed", 7, { 0, 1, 't', 0, 1, 0, 3 }, 0 },
    { "type 2, which has no values", "the table is malformed", 8, { 0, 1, 't', 0, 1, 1, 'c', 2 }, 0 },
    { "type 11", "the table is malformed", 8, { 0, 1, 't', 0, 1, 1, 'c', 11 }, 0 },
    { "type 20", "the table is malformed", 8, { 0, 1, 't', 0, 1, 1, 'c', 20 }, 0 },
    { "a head that ends early", "the table is malformed", 6, { 0, 1, 't', 0, 1, 1 }, 0 },
    { "nothing", "the table is malformed", 0, { 0 }, 0 },
    { "a row that is not there", "row 0 of table 't' is malformed", 8, { 0, 1, 't', 0, 1, 1, 'c', 3 }, 1 },
    { "a row without bits", "row 0 of table 't' is malformed", 9, { 0, 1, 't', 0, 1, 1, 'c', 3, 0 }, 1 },
    { "a row without its value", "row 0 of table 't' is malformed", 10, { 0, 1, 't', 0, 1, 1, 'c', 3, 1, 1 }, 1 },
    { "a row beyond the block", "row 0 of table 't' is malformed", 10, { 0, 1, 't', 0, 1, 1, 'c', 3, 9, 1 }, 1 },
    { "truth 2", "row 0 of table 't' is malformed", 11, { 0, 1, 't', 0, 1, 1, 'c', 16, 2, 1, 2 }, 1 },
    { "a time on track 2", "row 0 of table 't' is malformed", 12, { 0, 1, 't', 0, 1, 1, 'c', 17, 3, 1, 8, 2 }, 1 },
    { "track 2", "row 0 of table 't' is malformed", 11, { 0, 1, 't', 0, 1, 1, 'c', 18, 2, 1, 2 }, 1 },
    { "a record of source 1", "row 0 of table 't' is malformed", 12, { 0, 1, 't', 0, 1, 1, 'c', 19, 3, 1, 1, 0 }, 1 },
    { "a text beyond its row", "row 0 of table 't' is malformed", 11, { 0, 1, 't', 0, 1, 1, 'c', 7, 2, 1, 1 }, 1 },
    { "a number that is not as short as possible", "row 0 of table 't' is malformed", 12,
      { 0, 1, 't', 0, 1, 1, 'c', 3, 3, 1, 0x80, 0 }, 1 },
    { "a byte after the rows", "1 bytes after the last row", 9, { 0, 1, 't', 0, 1, 1, 'c', 3, 0 }, 0 },
    { "more rows of nothing", "rows of another table than the one before", 8, { 1, 1, 't', 0, 1, 1, 'c', 3 }, 0 },
};

static void test_causes(struct tap *t)
{
    for (size_t i = 0; i < sizeof bad_payloads / sizeof *bad_payloads; i++) {
        const struct bad *bad = &bad_payloads[i];
        struct tr_buf payload = { NULL, 0, 0 }, out = { NULL, 0, 0 };
        struct tr_error err;
        NEED(tr_buf_add(&payload, bad->bytes, bad->n));
        spec_table_payload(&out, &payload, bad->n_items);
        char place[64];
        snprintf(place, sizeof place, "block 7, byte %zu", (size_t)(spec_block(&out, TR_BLOCK_TABLE) - out.data));
        bool good = reads_as(&out, NULL, &err) == TR_DAMAGED && !strcmp(err.place, place) &&
                    !strcmp(err.what, bad->cause) && !strcmp(err.input, "memory");
        tap_ok(t, good, "%s: %s: %s", bad->what, err.place, err.what);
        tr_buf_free(&payload);
        tr_buf_free(&out);
    }
}

/* Longer rows are for later versions: what they add is ignored. */
static void test_longer_row(struct tap *t)
{
    static const unsigned char bytes[] = { 0, 1, 't', 0, 1, 1, 'c', 3, 4, 1, 8, 77, 78 };
    struct tr_buf payload = { NULL, 0, 0 }, out = { NULL, 0, 0 }, text = { NULL, 0, 0 };
    struct tr_error err;
    NEED(tr_buf_add(&payload, bytes, sizeof bytes));
    spec_table_payload(&out, &payload, 1);
    bool good = reads_as(&out, &text, &err) == TR_END && tr_buf_add(&text, "", 1) &&
                strstr((char *)text.data, "c/3\nrow 4\n");
    tap_ok(t, good, "the rest of a longer row is ignored");
    tr_buf_free(&payload);
    tr_buf_free(&out);
    tr_buf_free(&text);
}

/* Bytes of the blocks of tables: cut, flipped, and flipped with true checksums. */
static void test_bytes_of_tables(struct tap *t)
{
    struct tr_buf s = { NULL, 0, 0 };
    struct tr_error err;
    make_tables(&s);
    size_t from = (size_t)(spec_block(&s, TR_BLOCK_TABLE) - s.data);
    size_t to = (size_t)(spec_block(&s, TR_BLOCK_SUMMARY) - s.data);
    bool cuts = true, flips = true, repaired = true;
    size_t n_whole = 0, n_damaged = 0, len = s.len;
    for (size_t at = from; at < to; at++) {
        char want[100];
        snprintf(want, sizeof want, "ends at byte %zu without a trailer: the writer failed or was stopped", at);
        s.len = at;
        cuts &= reads_as(&s, NULL, &err) == TR_DAMAGED && strcmp(err.what, want) == 0;
        s.len = len;
        for (unsigned bit = 0; bit < 8; bit++) {
            s.data[at] ^= (unsigned char)(1u << bit);
            flips &= reads_as(&s, NULL, &err) == TR_DAMAGED && strncmp(err.place, "block ", 6) == 0 && err.what[0];
            s.data[at] ^= (unsigned char)(1u << bit);
        }
    }
    tap_ok(t, cuts, "cut at each of %zu bytes of tables: damaged, and the byte is named", to - from);
    tap_ok(t, flips, "each of %zu bits of tables flipped: damaged, and the block is named", 8 * (to - from));
    for (size_t at = from; at < to; at++)
        for (unsigned x = 1; x < 256; x++) {
            struct tr_buf copy = { NULL, 0, 0 }, text = { NULL, 0, 0 };
            NEED(tr_buf_add(&copy, s.data, len));
            copy.data[at] ^= (unsigned char)x;
            repair(copy.data, copy.len);
            enum tr_status st = reads_as(&copy, &text, &err);
            repaired &= st == TR_END || (st == TR_DAMAGED && err.what[0]);
            n_whole += st == TR_END;
            n_damaged += st == TR_DAMAGED;
            tr_buf_free(&copy);
            tr_buf_free(&text);
        }
    tap_ok(t, repaired && n_whole && n_damaged, "changed under true checksums: %zu damaged, %zu other tables",
           n_damaged, n_whole);
    tr_buf_free(&s);
}

/* ---- times ---- */

/* Times stay as they were; the clock of their track, and those before it, say how they are shown. */
static void test_times(struct tap *t)
{
    struct made m = spec_example();
    struct tr_clock first = { .source = 0, .frame = 3, .offset = 500 };
    struct tr_clock second = { .source = 0, .frame = 3, .offset = -2000, .before = 1 };
    const struct tr_side_value on_host = { true, 1200, 0, NULL, 0 }, on_device = { true, 1200, 1, NULL, 0 };
    int64_t now;
    bool good = tr_side_time(m.dict, &on_host, &now) && now == 1200;
    NEED(tr_dict_add_clock(m.dict, &first) == 0 && tr_dict_add_clock(m.dict, &second) == 1);
    m.dict->tracks[1].clock = 2;
    int64_t want, between;
    NEED(tr_clock_apply(&m.dict->clocks[0], 1200, &between) && tr_clock_apply(&m.dict->clocks[1], between, &want));
    good &= tr_side_time(m.dict, &on_host, &now) && now == 1200;
    good &= tr_side_time(m.dict, &on_device, &now) && now == want;
    tap_ok(t, good && want == 1200 - 500 + 2000, "a time is shown as its track's clock, and the one before it, say");
    const struct tr_side_value far = { true, INT64_MAX - 1000, 1, NULL, 0 };
    tap_ok(t, !tr_side_time(m.dict, &far, &now), "a time beyond 64 bits is none");
    made_free(&m);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_round_trip(&t);
    test_values(&t);
    test_bytes(&t);
    test_blocks(&t);
    test_head_limits(&t);
    test_largest_row(&t);
    test_max_rows(&t);
    test_causes(&t);
    test_longer_row(&t);
    test_bytes_of_tables(&t);
    test_times(&t);
    return tap_end(&t);
}
