/* SPDX-License-Identifier: MIT */
/* A temporary copy of an input gives the same events, as often as it is read. */
#include "base/tr_hash.h"
#include "stream/sort/tr_spool.h"

#include "expr_build.h"

#define N 20000u

/* An input of random events, made as they are asked for. */
struct made {
    struct tr_input in;
    struct tr_dict *dict;
    struct tr_batch *batch;
    uint64_t seed;
    size_t n;
};

static enum tr_status make(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct made *m = self;
    char name[16];
    (void)err;
    if (m->n == N)
        return TR_END;
    tr_batch_clear(m->batch);
    for (size_t k = 1 + roll(&m->seed, 3000); k && m->n < N; k--, m->n++) {
        snprintf(name, sizeof name, "name %u", roll(&m->seed, 1000));
        struct event e = { .ts = (int64_t)m->n,
                           .dur = roll(&m->seed, 50),
                           .record = m->n,
                           .name = name,
                           .n_members = (int)roll(&m->seed, 2),
                           .members = { { "k", TR_PLACE_ARGS, TR_T_INT, (int64_t)m->n, NULL } } };
        add_event(m->dict, m->batch, &e);
    }
    *batch = m->batch;
    return TR_OK;
}

/* A hash of events one after the other, however they are cut into batches, and their number. */
static uint64_t digest(const struct tr_batch *b, uint64_t hash, size_t *n)
{
    for (size_t i = 0; i < b->n; i++) {
        struct tr_buf text = { 0 };
        if (b->record[i] % 97 == 0) /* members as well */
            describe(b, i, &text);
        else
            tr_buf_add_str(&text, tr_dict_str(b->dict, b->name[i]));
        hash = tr_hash(text.data, text.len) ^ tr_mix64(hash + (uint64_t)b->ts[i], b->record[i] + 3);
        tr_buf_free(&text);
    }
    *n += b->n;
    return hash;
}

static bool spool(const char *dir, struct made *m, struct tr_spool **s, uint64_t *hash)
{
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_batch *b;
    size_t n = 0;
    enum tr_status st = tr_spool_new(s, &m->in, dir, 2, &err);
    *hash = 0;
    while (st == TR_OK && (st = make(m, &b, &err)) == TR_OK) {
        *hash = digest(b, *hash, &n);
        st = tr_spool_add(*s, b, &err);
    }
    if (st == TR_END)
        st = tr_spool_end(*s, &err);
    if (st != TR_OK)
        printf("# %s: %s\n", err.input, err.what);
    return st == TR_OK;
}

int main(void)
{
    const char *dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    struct tr_error err = TR_ERROR_INIT;
    struct made m = { .dict = must(tr_dict_new()), .batch = must(tr_batch_new()), .seed = 1 };
    struct tr_summary *summary = must(tr_summary_new(1));
    struct tr_spool *s;
    struct tr_track t;
    uint64_t hash;
    add_source(m.dict, 5, "host");
    t = host_track(0, 1, 2);
    tr_dict_add_track(m.dict, &t);
    summary->sorted = true;
    m.in.dict = m.dict;
    m.in.summary = summary;
    m.in.sorted = true;
    snprintf(m.in.name, sizeof m.in.name, "made up");

    ok(tr_spool_new(&s, &m.in, "/nonexistent/folder", 1, &err) == TR_SYSTEM && !s,
       "no such folder");
    ok(spool(dir, &m, &s, &hash), "a copy is made");
    for (int k = 0; s && k < 3; k++) {
        struct tr_input *in = NULL;
        const struct tr_batch *b;
        uint64_t again = 0;
        size_t n = 0;
        enum tr_status st = tr_spool_input(s, &in, &err);
        ok(st == TR_OK && in->sorted && strcmp(in->name, "made up") == 0, "reading %d", k);
        while (st == TR_OK && (st = tr_input_next(in, &b, &err)) == TR_OK)
            again = digest(b, again, &n);
        ok(st == TR_END && n == N, "reading %d: all events, and a proper end", k);
        ok(again == hash, "reading %d: the same values", k);
        tr_input_close(in);
    }
    tr_spool_free(s);
    tr_batch_free(m.batch);
    tr_dict_free(m.dict);
    tr_summary_free(summary);
    return tap_end();
}
