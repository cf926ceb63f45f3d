/* SPDX-License-Identifier: MIT */
/* Passes a Trace Event Format file to ingest/: one lane for each thread. */
#include "formats/chrome/tr_chrome_read_int.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <stdlib.h>

static bool start_load(void *ctx, struct tr__source_state *l)
{
    struct tr__chrome *c = ctx;
    bool ok = (c->parsers = calloc(l->n_threads, sizeof *c->parsers)) != NULL;
    for (; ok && c->n_parsers < l->n_threads; c->n_parsers++) {
        c->parsers[c->n_parsers].tokenize_all = l->opts->tuning.tokenize_all || c->spoken;
        c->parsers[c->n_parsers].spoken = c->spoken;
        ok = tr__source_state_lane(l, &c->parsers[c->n_parsers].lane);
    }
    return ok;
}

static enum tr_status read_all(void *ctx, struct tr__source_state *l, struct tr_error *err)
{
    return tr__chrome_read(ctx, l, err);
}

static enum tr_status next(void *ctx, struct tr__source_state *l, struct tr__piece *piece, struct tr_error *err)
{
    return tr__chrome_next(ctx, l, piece, err);
}

static enum tr_status understand(void *ctx, struct tr__source_state *l, struct tr_error *err)
{
    return tr__chrome_understand(ctx, l, err);
}

static void close_bytes(void *ctx)
{
    struct tr__chrome *c = ctx;
    if (c->bytes.close)
        c->bytes.close(c->bytes.ctx);
    c->bytes.close = NULL;
}

static void release(void *ctx)
{
    struct tr__chrome *c = ctx;
    tr__chrome_live_free(c->live);
    tr__spoken_free(c->spoken);
    tr_buf_free(&c->ahead);
    for (size_t i = 0; i < c->n_parsers; i++)
        tr__parser_free(&c->parsers[i]);
    free(c->parsers);
    free(c);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct tr__chrome *c = state;
    (void)of;
    c->bytes = *bytes;
    c->ahead_err = (struct tr_error)TR_ERROR_INIT;
    return tr__chrome_find_dialect(c, opts->no_sort);
}

static enum tr_status open_chrome(const struct tr_format *f, struct tr_input **out,
                                  const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                  struct tr_error *err)
{
    (void)f;
    static const struct tr__driver driver = {
        .counts_records = true,
        .decode = tr__chrome_decode, .start = start_load, .read = read_all, .next = next,
        .understand = understand, .close = close_bytes, .free = release,
    };
    struct tr__chrome *c = tr__reader_state(sizeof *c, init, NULL, release, bytes, opts, err);
    return c ? tr__ingest_open(out, &driver, "chrome", c, bytes->name, bytes->place, opts, err) : TR_SYSTEM;
}

/* Any JSON may be a trace without its start; the reader reports if it is not a trace. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    static const char *const keys[] = { "\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\"",
                                        "\"displayTimeUnit\"", "\"otherData\"" };
    size_t at = tr__json_start(p, n);
    if (at == n)
        return 10;
    if (p[at] != '{' && p[at] != '[')
        return 0;
    if (p[at] == '[') {
        at = tr__json_blanks(p, n, at + 1);
        return at < n && p[at] == '{' ? TR_PROBE_SURE : 20;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (tr__probe_holds(p, n, keys[i]))
            return i ? TR_PROBE_SURE : 90;
    return 20;
}

const struct tr_format tr_format_chrome = {
    .name = "json",
    .brief = "Trace Event Format: PyTorch Kineto, JAX, Ascend, rocprof, unitrace, Chrome and others",
    .probe = probe,
    .open = open_chrome,
};
