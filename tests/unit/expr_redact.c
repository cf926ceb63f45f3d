/* SPDX-License-Identifier: MIT */
/* Redaction: what stays, what becomes a token, what goes; and that nothing else gets through. */
#include "base/tr_digest_int.h"
#include "model/selection/tr_redact.h"

#include "expr_build.h"

#define KEY "sixteen bytes of key"

/* --- the hash --------------------------------------------------------------------------------- */

static bool is_digest(const unsigned char *digest, const char *hex)
{
    char text[2 * TR__SHA256_LEN + 1];
    for (unsigned i = 0; i < TR__SHA256_LEN; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return strcmp(text, hex) == 0;
}

static void check_hash(void)
{
    static unsigned char many[1000000];
    unsigned char digest[TR__SHA256_LEN];
    unsigned char key[131];
    struct hmac_sha256_ctx m;
    /* FIPS 180-4 examples */
    tr__sha256("abc", 3, digest);
    ok(is_digest(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
       "SHA-256 of abc");
    memset(many, 'a', sizeof many);
    tr__sha256(many, sizeof many, digest);
    ok(is_digest(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
       "SHA-256 of a million a");
    /* RFC 4231, cases 2 and 6 */
    hmac_sha256_set_key(&m, 4, (const unsigned char *)"Jefe");
    tr__hmac(&m, "another", 7, digest); /* leaves the key as it is */
    tr__hmac(&m, "what do ya want for nothing?", 28, digest);
    ok(is_digest(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
       "HMAC with a short key");
    memset(key, 0xaa, sizeof key);
    hmac_sha256_set_key(&m, sizeof key, key);
    tr__hmac(&m, "Test Using Larger Than Block-Size Key - Hash Key First", 54, digest);
    ok(is_digest(digest, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
       "HMAC with a long key");
}

/* --- a stream full of secrets ----------------------------------------------------------------- */

#define ARG(k, t, val, text)           \
    {                                  \
        k, TR_PLACE_ARGS, t, val, text \
    }
#define TOP(k, t, val, text)          \
    {                                 \
        k, TR_PLACE_TOP, t, val, text \
    }

static const struct event events[] = {
    { .ts = TR_TIME_NONE,
      .dur = TR_TIME_NONE,
      .phase = TR_META,
      .name = "process_name",
      .n_members = 1,
      .members = { ARG("name", TR_T_STRING, 0, "secret python") } },
    { .ts = 10,
      .dur = 50,
      .name = "ProfilerStep#12",
      .cat = "user_annotation",
      .activity = TR_ACT_ANNOTATION },
    { .ts = 11,
      .dur = 9,
      .name = "secret::op",
      .cat = "cpu_op",
      .activity = TR_ACT_CPU_OP,
      .flags = TR_HAS_DEVICE,
      .n_device = 1,
      .n_members = 5,
      .members = { ARG("Input Dims", TR_T_JSON, 0, "[[1, 512], []]"),
                   ARG("Input type", TR_T_JSON, 0, "[\"float\", \"c10::Half\"]"),
                   ARG("Concrete Inputs", TR_T_JSON, 0, "[\"secret\"]"),
                   ARG("secret key", TR_T_INT, 4711, NULL),
                   ARG("path", TR_T_STRING, 0, "/secret") } },
    { .ts = 12,
      .dur = 3,
      .track = 1,
      .name = "secret_kernel",
      .cat = "kernel",
      .activity = TR_ACT_KERNEL,
      .kind = TR_KIND_COMM,
      .flags = TR_HAS_LAUNCH | TR_HAS_CLASS,
      .launch_ts = 11,
      .launch_record = 2,
      .launch_name = "secret::op",
      .class_name = "attention",
      .n_members = 4,
      .members = { ARG("correlation", TR_T_INT, 99, NULL),
                   ARG("Input type", TR_T_JSON, 0, "[\"secret::type\"]"),
                   ARG("Collective name", TR_T_STRING, 0, "allreduce"),
                   ARG("dtype", TR_T_STRING, 0, "secret::type") } },
    { .ts = 13,
      .dur = TR_TIME_NONE,
      .phase = TR_FLOW_START,
      .name = "ac2g",
      .cat = "secret cat",
      .n_members = 2,
      .members = { TOP("id", TR_T_INT, 7, NULL), TOP("bp", TR_T_STRING, 0, "e") } },
    { .ts = 14,
      .dur = 1,
      .name = "secret_span",
      .cat = "cpu_op",
      .flags = TR_FROM_BE,
      .n_members = 1,
      .members = { ARG("correlation", TR_T_STRING, 0, "17") } },
    { .ts = 15,
      .dur = 1,
      .name = "ProfilerStep#secret",
      .n_members = 2,
      .members = { ARG("bytes", TR_T_NUMBER, 0, "1e999"), ARG("x", TR_T_NUMBER, 0, "4711e999") } },
};
#define N_EVENTS (sizeof events / sizeof *events)

struct stream {
    struct tr_dict *dict;
    struct tr_batch *batch;
};

/* The order of strings is up to the reader: shift it, and tokens must not care. */
static struct stream build(const char *first)
{
    struct stream s = { must(tr_dict_new()), must(tr_batch_new()) };
    str(s.dict, first);
    uint32_t source = add_source(s.dict, 2, "secret-host"), other = add_source(s.dict, 4, NULL);
    s.dict->sources[other].mesh = str(s.dict, "TP=secret");
    struct tr_source *row = &s.dict->sources[source];
    row->mesh = str(s.dict, "TP=0 DP=1");
    row->n_header = 1;
    row->header_keys = must(malloc(sizeof(uint32_t)));
    row->header_values = must(malloc(sizeof(uint32_t)));
    row->header_keys[0] = str(s.dict, "secret header");
    row->header_values[0] = str(s.dict, "\"secret value\"");
    struct tr_track t = host_track(source, str(s.dict, "secret pid"), 5);
    t.pid_type = TR_T_STRING;
    t.process_name = str(s.dict, "secret process");
    t.thread_name = str(s.dict, "secret thread");
    t.labels = str(s.dict, "secret label");
    tr_dict_add_track(s.dict, &t);
    t = device_track(source, 0, 7);
    tr_dict_add_track(s.dict, &t);
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct event e = events[i];
        e.record = i;
        add_event(s.dict, s.batch, &e);
    }
    return s;
}

static void destroy(struct stream *s)
{
    tr_batch_free(s->batch);
    tr_dict_free(s->dict);
}

static char *described(const struct tr_batch *b)
{
    struct tr_buf text = { 0 };
    for (size_t i = 0; i < b->n; i++)
        describe(b, i, &text);
    tr_buf_add(&text, "", 1);
    return (char *)text.data;
}

static bool is_token(const char *s)
{
    return strlen(s) == 17 && s[0] == 'x' && strspn(s + 1, "0123456789abcdef") == 16;
}

static const char *const stays[] = {
    "process_name",
    "ProfilerStep#12",
    "Input Dims:8=[[1, 512], []]",
    "Input type:8=[\"float\", \"c10::Half\"]",
    "class:7=attention",
    "correlation:3=99",
    "Collective name:7=allreduce",
    "ac2g",
    "id:3=7",
    "bp:7=e",
    "launch_ts:3=11",
    "launch_record:3=2",
    "n_device:3=1",
    "bytes:9=1e999",
    "cpu_op",
    "user_annotation",
};

int main(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct stream a = build("one"), b = build("another");
    struct tr_redact *ra, *rb, *rc;
    const struct tr_batch *oa, *ob, *oc;
    check_hash();

    ok(tr_redact_new(&ra, a.dict, true, &(struct tr_redact_opts){ .key = "short", .key_len = 5 }, &err) == TR_USAGE &&
           !ra,
       "a short key");
    const struct tr_redact_opts opts = { .key = KEY, .key_len = strlen(KEY) };
    const struct tr_redact_opts other = { .key = KEY "2", .key_len = strlen(KEY) + 1 };
    if (tr_redact_new(&ra, a.dict, true, &opts, &err) != TR_OK ||
        tr_redact_new(&rb, b.dict, false, &opts, &err) != TR_OK ||
        tr_redact_new(&rc, a.dict, true, &other, &err) != TR_OK ||
        tr_redact_batch(ra, a.batch, &oa, &err) != TR_OK ||
        tr_redact_batch(rb, b.batch, &ob, &err) != TR_OK ||
        tr_redact_batch(rc, a.batch, &oc, &err) != TR_OK) {
        ok(false, "redaction works: %s", err.what);
        return tap_end();
    }
    const struct tr_dict *d = tr_redact_dict(ra);

    bool leak = false;
    for (uint32_t i = 0; i < tr_strtab_count(d->strings); i++) {
        const char *s = tr_strtab_get(d->strings, i);
        leak |= strstr(s, "secret") || strstr(s, "4711") || strstr(s, "trace.json");
    }
    ok(!leak, "no string that must not go out is left");
    char *ta = described(oa), *tb = described(ob), *tc = described(oc);
    ok(!strstr(ta, "4711"), "no number of an unknown member is left");
    for (size_t k = 0; k < sizeof stays / sizeof *stays; k++)
        ok(strstr(ta, stays[k]) != NULL, "stays: %s", stays[k]);
    ok(strcmp(ta, tb) == 0, "the same tokens whatever the stream's numbers");
    ok(strcmp(ta, tc) != 0, "other tokens with another key");

    const char *op = tr_dict_str(d, oa->name[2]);
    ok(is_token(op), "a name is a token");
    ok(!strcmp(op, tr_dict_str(d, oa->cols[TR_COL_LAUNCH_NAME].v.str[0])),
       "the launch's name is the same token");
    ok(is_token(tr_dict_str(d, oa->name[6])), "ProfilerStep# with other than digits");
    ok(is_token(tr_dict_str(d, d->tracks[0].process_name)) &&
           is_token(tr_dict_str(d, d->tracks[0].thread_name)) &&
           is_token(tr_dict_str(d, d->tracks[0].labels)) &&
           is_token(tr_dict_str(d, (uint32_t)d->tracks[0].pid)) && d->tracks[0].tid == 5,
       "names of a track");
    ok(is_token(tr_dict_str(d, d->sources[0].host)) &&
           is_token(tr_dict_str(d, d->sources[0].name)) && !d->sources[0].n_header &&
           d->sources[0].rank == 2 && !strcmp(tr_dict_str(d, d->sources[0].mesh), "TP=0 DP=1"),
       "a source");
    ok(is_token(tr_dict_str(d, d->sources[1].mesh)), "a place in a mesh with other than numbers");
    ok(!strstr(ta, "=17"), "a text of digits where a number belongs is a token");
    ok(oa->flags[5] & TR_FROM_BE, "a span of begin and end stays one");

    const struct tr_dict *late = tr_redact_dict(rb);
    uint32_t thread = late->tracks[0].thread_name;
    b.dict->sources[0].rank = 3;
    b.dict->tracks[0].thread_name = str(b.dict, "secret later name");
    ok(tr_redact_batch(rb, b.batch, &ob, &err) == TR_OK && late->sources[0].rank == 3 &&
           is_token(tr_dict_str(late, late->sources[0].host)) && late->tracks[0].thread_name != thread &&
           is_token(tr_dict_str(late, late->tracks[0].thread_name)),
       "what becomes known of sources and tracks between batches");

    free(ta);
    free(tb);
    free(tc);
    tr_redact_free(ra);
    tr_redact_free(rb);
    tr_redact_free(rc);
    destroy(&a);
    destroy(&b);
    return tap_end();
}
