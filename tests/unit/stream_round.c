/* SPDX-License-Identifier: MIT */
/* Streams come back as they were written: for every codec, block size, split into batches, thread
 * count, read size. */
#include "stream_make.h"

static const struct tr_writer_opts variants[] = {
    { TR_CODEC_NONE, 0, 1, 0 },    { TR_CODEC_LZ4, 0, 1, 0 }, { TR_CODEC_ZLIB, 0, 1, 0 },
    { TR_CODEC_NONE, 0, 1, 1 },    { TR_CODEC_LZ4, 9, 1, 7 }, { TR_CODEC_ZLIB, 9, 1, 100 },
    { TR_CODEC_LZ4, 0, 1, 65536 },
};

static void test_round_trip(struct tap *t)
{
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        bool good = true;
        for (uint64_t seed = 1; seed <= 24; seed++) {
            struct recipe recipe = { seed, seed % 6 == 0 ? 0 : (size_t)(20 * seed), seed & 1, 0 };
            struct made m = make_stream(&recipe);
            struct tr_buf out = { NULL, 0, 0 }, before = { NULL, 0, 0 }, after = { NULL, 0, 0 };
            struct tr_error err = TR_ERROR_INIT;
            text_of_made(&m, &before);
            good &= write_made(&m, &variants[v], recipe.sorted, 0, &out, &err) == TR_OK;
            struct memory_source source = { .data = out.data, .len = out.len };
            good &= read_text(&source, &after, &err) == TR_END;
            good &= same_bytes(&before, &after);
            if (!good)
                printf("# seed %d: %s: %s\n", (int)seed, err.place, err.what);
            tr_buf_free(&out);
            tr_buf_free(&before);
            tr_buf_free(&after);
            made_free(&m);
        }
        tap_ok(t, good, "random streams come back: codec %d, %zu events per block",
               (int)variants[v].codec, variants[v].block_events);
    }
}

static void test_same_bytes(struct tap *t)
{
    static const size_t pieces[] = { 1, 7, 100, 500 };
    for (unsigned codec = 0; codec < TR_N_CODECS; codec++) {
        struct made m = make_stream(&(struct recipe){ 40 + codec, 700, true, 0 });
        struct tr_writer_opts o = { codec, 0, 1, 100 };
        struct tr_buf whole = { NULL, 0, 0 };
        bool good = write_made(&m, &o, true, 0, &whole, NULL) == TR_OK;
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++)
            for (o.n_threads = 1; o.n_threads <= 3; o.n_threads += 2) {
                struct tr_buf out = { NULL, 0, 0 };
                good &= write_made(&m, &o, true, pieces[p], &out, NULL) == TR_OK;
                good &= same_bytes(&whole, &out);
                tr_buf_free(&out);
            }
        tap_ok(t, good, "batches and threads do not change a byte, codec %u", codec);
        tr_buf_free(&whole);
        made_free(&m);
    }
}

static void test_reads(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 50, 400, true, 0 });
    struct tr_buf out = { NULL, 0, 0 }, before = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    bool good = write_made(&m, &variants[1], true, 0, &out, &err) == TR_OK;
    text_of_made(&m, &before);
    for (size_t at_most = 1; at_most < 6; at_most += 2) {
        struct tr_buf after = { NULL, 0, 0 };
        struct memory_source source = { .data = out.data, .len = out.len, .at_most = at_most };
        good &= read_text(&source, &after, &err) == TR_END && same_bytes(&before, &after);
        tr_buf_free(&after);
    }
    tap_ok(t, good, "the size of reads does not matter");
    good = true;
    for (size_t at = 1; at < out.len; at += 97) {
        struct memory_source source = {
            .data = out.data, .len = out.len, .at_most = 64, .fail_at = at
        };
        err = (struct tr_error)TR_ERROR_INIT;
        good &= read_text(&source, NULL, &err) == TR_SYSTEM && err.sys_errno == 5 &&
                strcmp(err.input, "memory") == 0;
    }
    tap_ok(t, good, "a read that fails is a failure of the system, and names the input");
    tr_buf_free(&out);
    tr_buf_free(&before);
    made_free(&m);
}

/* A dictionary that grows and changes while the stream is written. */
static void test_growth(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 60, 200, false, 0 });
    struct tr_buf out = { NULL, 0, 0 }, before = { NULL, 0, 0 }, after = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *live = tr_dict_new();
    NEED(live);
    struct tr_sink sink = { sink_to_buf, &out };
    struct tr_writer *w = NULL;
    NEED(tr_writer_new(&w, &sink, &(struct tr_writer_opts){ TR_CODEC_LZ4, 0, 2, 64 }, &err) ==
         TR_OK);
    bool good = tr_writer_start(w, live, NULL, m.provenance, false, &err) == TR_OK;
    struct made part = { live, m.batch, m.summary, m.provenance, { NULL, 0, 0 } };
    for (size_t at = 0; at < 200; at += 50) { /* the same rows, a quarter at a time */
        struct tr_batch *p = part_of(m.batch, at, 50);
        for (uint32_t i = tr_strtab_count(live->strings); i < tr_strtab_count(m.dict->strings); i++)
            NEED(tr_strtab_add(live->strings, tr_strtab_get(m.dict->strings, i),
                               tr_strtab_len(m.dict->strings, i)) == i);
        while (live->n_columns < m.dict->n_columns)
            tr_dict_add_column(live, &m.dict->columns[live->n_columns]);
        while (live->n_shapes < m.dict->n_shapes)
            tr_dict_add_shape(live, &m.dict->shapes[live->n_shapes]);
        while (live->n_sources < m.dict->n_sources)
            tr_dict_add_source(live, &m.dict->sources[live->n_sources]);
        while (live->n_tracks < m.dict->n_tracks)
            tr_dict_add_track(live, &m.dict->tracks[live->n_tracks]);
        char s[32];
        int n = snprintf(s, sizeof s, "found at %zu", at);
        uint32_t id = tr_strtab_add(live->strings, s, (size_t)n);
        NEED(id == tr_strtab_add(m.dict->strings, s, (size_t)n));
        m.dict->tracks[0].thread_name = live->tracks[0].thread_name = id;
        m.dict->sources[0].base_ns = live->sources[0].base_ns = (int64_t)at;
        p->dict = live;
        good &= tr_writer_batch(w, p, &err) == TR_OK;
        good &= tr_writer_flush(w, &err) == TR_OK;
        tr_batch_free(p);
    }
    tr_writer_abandon(w);
    struct memory_source source = { .data = out.data, .len = out.len };
    good &= read_text(&source, &after, &err) == TR_DAMAGED;
    tap_ok(t, good && strstr(err.what, "without a trailer"), "an abandoned stream is no stream: %s",
           err.what);
    /* Its last block has come out all the same: flush is for those who read along. */
    good = strstr(err.what, "ends at") != NULL;
    after.len = out.len = 0;
    m.batch->dict = live;
    good &= write_made(&part, &(struct tr_writer_opts){ .codec = TR_CODEC_NONE }, false, 30, &out,
                       &err) == TR_OK;
    source = (struct memory_source){ .data = out.data, .len = out.len };
    good &= read_text(&source, &after, &err) == TR_END;
    text_of_made(&part, &before);
    tap_ok(t, good && same_bytes(&before, &after), "rows that changed arrive as they last were");
    m.batch->dict = m.dict;
    tr_dict_free(live);
    tr_buf_free(&out);
    tr_buf_free(&before);
    tr_buf_free(&after);
    made_free(&m);
}

static void test_late_rows(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 61, 10, false, 0 });
    struct tr_buf out = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_sink sink = { sink_to_buf, &out };
    struct tr_writer *w = NULL;
    NEED(tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    bool good = tr_writer_start(w, m.dict, m.summary, NULL, false, &err) == TR_OK;
    good &= tr_writer_batch(w, m.batch, &err) == TR_OK;
    uint32_t name = tr_strtab_add(m.dict->strings, "late", 4);
    m.dict->tracks[0].process_name = name;
    m.dict->sources[0].name = name;
    const struct tr_damage late = { .name = "late", .text = "late", .loses = true, .count = 5 };
    NEED(tr_summary_add_damage(&m.summary->sources[0], &late));
    size_t n_damage = m.summary->sources[0].n_damage;
    good &= tr_writer_finish(w, &err) == TR_OK;
    struct memory_source source = { .data = out.data, .len = out.len };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK);
    good &= in->summary->n == 0 && in->provenance->n == 0;
    while (tr_input_next(in, &b, &err) == TR_OK)
        continue;
    good &= tr_input_next(in, &b, &err) == TR_END;
    good &= in->dict->tracks[0].process_name == name && in->dict->sources[0].name == name;
    good &= in->summary->sources[0].n_damage == n_damage &&
            in->summary->sources[0].damage[n_damage - 1].count == 5;
    tap_ok(t, good, "what is known only at the end of an unsorted stream comes at its end");
    tr_input_close(in);
    tr_buf_free(&out);
    made_free(&m);
}

static void test_want(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 70, 2000, true, 0 });
    struct tr_buf out = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    NEED(write_made(&m, &variants[1], true, 0, &out, &err) == TR_OK);
    const char *key = tr_dict_str(m.dict, m.dict->columns[TR_N_DERIVED].key);
    struct tr_projection want = {
        .fixed = TR_FIXED_BIT(DUR) | TR_FIXED_BIT(NAME), .derived = 1u << TR_COL_CLASS, .keys = &key, .n_keys = 1
    };
    struct memory_source source = { .data = out.data, .len = out.len };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK && tr_input_want(in, &want));
    size_t at = 0, n_wanted = 0;
    size_t *col_at = calloc(m.dict->n_columns, sizeof *col_at);
    bool good = col_at != NULL;
    enum tr_status st;
    while (good && (st = tr_input_next(in, &b, &err)) == TR_OK) {
        good &=
            !b->cat && !b->record && !b->track && !b->kind && !b->suspect && b->flags && b->phase;
        good &= memcmp(b->ts, m.batch->ts + at, b->n * 8) == 0;
        good &= memcmp(b->dur, m.batch->dur + at, b->n * 8) == 0;
        good &= memcmp(b->name, m.batch->name + at, b->n * 4) == 0;
        for (uint32_t c = 0; c < b->n_cols; c++) {
            const struct tr_column *def = &m.dict->columns[c];
            bool wanted = c == TR_COL_CLASS ||
                          (c >= TR_N_DERIVED && def->key == m.dict->columns[TR_N_DERIVED].key);
            if (!wanted) {
                good &= b->cols[c].n == 0;
                continue;
            }
            size_t elem = tr_type_is_string(def->type) ? 4 : 8;
            const char *all = (const char *)m.batch->cols[c].v.i64 + col_at[c] * elem;
            good &= memcmp(b->cols[c].v.i64, all, b->cols[c].n * elem) == 0;
            col_at[c] += b->cols[c].n;
            n_wanted += b->cols[c].n;
        }
        at += b->n;
    }
    tap_ok(t, good && at == 2000 && n_wanted > 0, "columns that are asked for, and no others");
    struct tr_sink sink = { sink_to_buf, &out };
    struct tr_writer *w;
    NEED(tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    NEED(tr_writer_start(w, m.dict, m.summary, NULL, true, &err) == TR_OK);
    struct tr_batch *part = part_of(m.batch, 0, 10);
    uint8_t *kind = part->kind;
    part->kind = NULL;
    good = tr_writer_batch(w, part, &err) == TR_USAGE;
    part->kind = kind;
    good &= tr_writer_batch(w, part, &err) == TR_USAGE;
    tap_ok(t, good && tr_writer_finish(w, &err) == TR_USAGE,
           "a writer refuses a batch without all columns, and stays refused");
    tr_batch_free(part);
    free(col_at);
    tr_input_close(in);
    tr_buf_free(&out);
    made_free(&m);
}

static enum tr_status sink_full(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    size_t *left = ctx;
    (void)bytes;
    if (n > *left)
        return tr_fail_sys(err, 28, "cannot write");
    *left -= n;
    return TR_OK;
}

static void test_full(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 80, 1000, true, 0 });
    bool good = true;
    struct tr_buf out = { NULL, 0, 0 };
    NEED(write_made(&m, &variants[1], true, 0, &out, NULL) == TR_OK);
    for (unsigned threads = 1; threads < 3; threads++)
        for (size_t room = 0; room < out.len; room += 331) {
            size_t left = room;
            struct tr_sink sink = { sink_full, &left };
            struct tr_writer *w;
            struct tr_error err = TR_ERROR_INIT;
            NEED(tr_writer_new(&w, &sink, &(struct tr_writer_opts){ TR_CODEC_LZ4, 0, threads, 50 },
                               &err) == TR_OK);
            enum tr_status st = tr_writer_start(w, m.dict, m.summary, m.provenance, true, &err);
            if (st == TR_OK)
                st = tr_writer_batch(w, m.batch, &err);
            enum tr_status end = tr_writer_finish(w, &err);
            good &= end == TR_SYSTEM && err.sys_errno == 28 && (st == TR_OK || st == TR_SYSTEM);
        }
    tap_ok(t, good, "a sink that is full fails the writer, and no later call succeeds");
    tr_buf_free(&out);
    made_free(&m);
}

static void test_wide(struct tap *t)
{
    /* More shapes than a word has bits, and blocks that end for their size. */
    struct made m = make_stream(&(struct recipe){ 0, 0, true, 0 });
    struct rng r = { 5 };
    struct tr_slot *slots = calloc(1200, sizeof *slots);
    NEED(slots);
    for (uint32_t i = 0; i < 1200; i++) {
        char key[16];
        size_t len = (size_t)snprintf(key, sizeof key, "wide%u", i);
        struct tr_column c = { tr_strtab_add(m.dict->strings, key, len), TR_PLACE_ARGS, TR_T_INT, 0 };
        NEED(c.key != TR_NO_STR);
        uint32_t id = tr_dict_add_column(m.dict, &c);
        slots[i] = (struct tr_slot){ c.key, id, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT };
    }
    for (uint32_t i = 0; i < 200; i++) {
        struct tr_shape s = { slots + i, 1000 - 4 * i, 'X' };
        NEED(tr_dict_add_shape(m.dict, &s) != UINT32_MAX);
    }
    free(slots);
    NEED(tr_batch_reserve(m.batch, 601) && tr_batch_reserve_cols(m.batch, m.dict->n_columns));
    for (size_t i = 0; i < 600; i++)
        make_event(m.batch, &r, true, 0);
    for (unsigned codec = 0; codec < 2; codec++) {
        struct tr_buf out = { NULL, 0, 0 }, before = { NULL, 0, 0 }, after = { NULL, 0, 0 };
        struct tr_error err = TR_ERROR_INIT;
        struct tr_writer_opts o = { codec, 0, 1, 0 };
        bool good = write_made(&m, &o, true, 100, &out, &err) == TR_OK;
        struct memory_source source = { .data = out.data, .len = out.len };
        good &= read_text(&source, &after, &err) == TR_END;
        text_of_made(&m, &before);
        size_t n_blocks = 0;
        bool small = true;
        for (size_t at = TR_PREAMBLE_BYTES; at < out.len;
             at += TR_BLOCK_BYTES + tr__get32(out.data + at + 8))
            if (tr__get16(out.data + at) == TR_BLOCK_EVENTS) {
                n_blocks++;
                small &= tr__get32(out.data + at + 12) <= TR_SOFT_RAW;
            }
        tap_ok(t, good && same_bytes(&before, &after) && n_blocks > 2 && small,
               "events with thousands of members: %zu blocks, none above the soft limit", n_blocks);
        tr_buf_free(&out);
        tr_buf_free(&before);
        tr_buf_free(&after);
    }
    made_free(&m);
}

static void test_provenance(struct tap *t)
{
    struct tr_provenance *a = tr_provenance_new(), *b = tr_provenance_new(),
                         *sum = tr_provenance_new();
    uint32_t heads[3], number;
    NEED(a && b && sum);
    NEED(tr_provenance_add(a, "p1", "1", "one", NULL, 0, &number));
    NEED(tr_provenance_add(a, "p2", "1", "two", &number, 1, NULL));
    NEED(tr_provenance_add(b, "p3", "1", "three", NULL, 0, NULL));
    NEED(tr_provenance_append(sum, a, &heads[0]) && tr_provenance_append(sum, b, &heads[1]) &&
         tr_provenance_append(sum, NULL, &heads[2]));
    NEED(tr_provenance_add(sum, "tr-merge", "1", "merge", heads, 3, &number));
    bool good =
        sum->n == 4 && number == 3 && heads[0] == 1 && heads[1] == 2 && heads[2] == TR_NO_RUN;
    good &=
        sum->runs[1].n_parents == 1 && sum->runs[1].parents[0] == 0 && sum->runs[2].n_parents == 0;
    good &=
        sum->runs[3].n_parents == 2 && sum->runs[3].parents[0] == 1 && sum->runs[3].parents[1] == 2;
    tap_ok(t, good, "provenance of a merge keeps the graph of its inputs");
    tr_provenance_free(a);
    tr_provenance_free(b);
    tr_provenance_free(sum);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_round_trip(&t);
    test_same_bytes(&t);
    test_reads(&t);
    test_growth(&t);
    test_late_rows(&t);
    test_want(&t);
    test_full(&t);
    test_wide(&t);
    test_provenance(&t);
    return tap_end(&t);
}
