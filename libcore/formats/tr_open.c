#include "formats/tr_open_int.h"

#include "formats/chrome/tr_chrome.h"
#include "formats/memory_timeline/tr_memory_timeline.h"
#include "io/tr_bytes.h"
#include "io/tr_io.h"
#include "stream/tr_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROBE_BYTES  64u
#define BLOCKS_AHEAD 5u

static const struct tr_format formats[] = {
    { "stream", "tracepipe's own event stream" },
    { "json", "Trace Event Format: PyTorch Kineto, rocprof, unitrace, Chrome and others" },
    { "memory-timeline", "memory timeline of PyTorch's memory profiler, in its raw form" },
};

const struct tr_format *tr_formats(size_t *n)
{
    *n = sizeof formats / sizeof formats[0];
    return formats;
}

/* An input of bytes on its way to a reader, to which it belongs in the end. */
struct opening {
    struct tr_bytes *bytes;
    struct tr_open_opts opts;
    size_t place; /* among the inputs */
    uint64_t given;               /* bytes of text */
    struct tr_ingest_damage damage; /* compressed parts that were damaged; reading went on behind them */
};

static enum tr_status open_bytes(const char *path, struct tr_bytes **out, struct tr_error *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : tr_open_fd(path, O_RDONLY, 0);
    if (fd < 0) {
        tr_error_input(err, path);
        return tr_fail_sys(err, errno, errno == EMFILE ? "cannot open: more inputs than files may be open "
                                                         "(see ulimit -n)"
                                                       : "cannot open");
    }
    const struct tr_bytes_opts opts = { .keep_fd = fd == STDIN_FILENO };
    enum tr_status st = tr_bytes_open(out, fd, name, &opts, err);
    if (st != TR_OK)
        tr_error_input(err, name);
    return st;
}

/* --- streams ---------------------------------------------------------------------------------- */

static enum tr_status stream_read(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    enum tr_status st = tr_bytes_read(ctx, buf, cap, got, err);
    if (st != TR_END)
        return st;
    *got = 0;
    return TR_OK;
}

static void stream_close(void *ctx)
{
    tr_bytes_close(ctx);
}

/* --- text ------------------------------------------------------------------------------------- */

/*
 * Read text.  Damaged compressed data end it, unless an intact part follows: what was lost between is then
 * damage in the text, which its reader finds its way over.
 */
static enum tr_status text_read(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct opening *o = ctx;
    enum tr_status st = tr_bytes_read(o->bytes, buf, cap, got, err);
    while (st == TR_DAMAGED && !o->opts.strict) {
        struct tr_error ignored = TR_ERROR_INIT;
        uint64_t skipped;
        if (o->damage.n++ == 0)
            o->damage.first = o->given;
        if (tr_bytes_resync(o->bytes, &skipped, &ignored) != TR_OK)
            return TR_DAMAGED;
        st = tr_bytes_read(o->bytes, buf, cap, got, err);
    }
    if (st == TR_OK)
        o->given += *got;
    return st == TR_END && o->damage.n ? TR_DAMAGED : st;
}

static struct tr_ingest_damage text_damage(void *ctx)
{
    struct opening *o = ctx;
    o->damage.trailing = tr_bytes_trailing(o->bytes) > 0;
    return o->damage;
}

static void text_close(void *ctx)
{
    struct opening *o = ctx;
    tr_bytes_close(o->bytes);
    free(o);
}

static void text_progress(void *ctx, uint64_t done, uint64_t total)
{
    const struct opening *o = ctx;
    (void)done;
    (void)total;
    o->opts.progress(o->opts.progress_ctx, tr_bytes_consumed(o->bytes), tr_bytes_total(o->bytes));
}

/* --- any ---------------------------------------------------------------------------------------- */

enum kind { KIND_STREAM, KIND_JSON, KIND_TIMELINE, KIND_UNKNOWN };

static enum kind kind_by_content(const unsigned char *p, size_t n)
{
    size_t i = 0;
    if (tr_reader_probe(p, n))
        return KIND_STREAM;
    if (n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3))
        i = 3;
    while (i < n && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t'))
        i++;
    if (tr_memory_timeline_probe(p + i, n - i))
        return KIND_TIMELINE;
    return i == n || p[i] == '{' || p[i] == '[' ? KIND_JSON : KIND_UNKNOWN;
}

/* What cannot be read is at least named, where that tells the user what to do. */
static enum tr_status unknown_format(const unsigned char *p, size_t n, struct tr_error *err)
{
    static const struct {
        const char *magic, *name;
        size_t len;
    } packed[] = { { "BZh", "bzip2", 3 }, { "\xfd" "7zXZ", "xz", 5 }, { "7z\xbc\xaf", "7-Zip", 4 } };
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (n >= packed[i].len && !memcmp(p, packed[i].magic, packed[i].len))
            return tr_fail(err, TR_DAMAGED, "packed with %s, which is not supported: unpack it first",
                           packed[i].name);
    if (n >= 2 && (!memcmp(p, "\xff\xfe", 2) || !memcmp(p, "\xfe\xff", 2)))
        return tr_fail(err, TR_DAMAGED, "UTF-16 or UTF-32 text, which is not supported: convert it to UTF-8");
    return tr_fail(err, TR_DAMAGED, "unknown format: neither an event stream nor JSON");
}

static enum tr_status find_kind(struct tr_bytes *b, const struct tr_open_opts *opts, enum kind *kind,
                                struct tr_error *err)
{
    const unsigned char *p;
    size_t n = 0;
    if (opts->input_format) {
        for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
            if (!strcmp(opts->input_format, formats[i].name)) {
                *kind = (enum kind)i;
                return TR_OK;
            }
        }
        return tr_fail(err, TR_USAGE, "unknown input format '%s' (see tr-parse --list-formats)",
                       opts->input_format);
    }
    enum tr_status st = tr_bytes_peek(b, &p, &n, PROBE_BYTES, err);
    if (st == TR_END)
        return tr_fail(err, TR_DAMAGED, "empty input");
    if (st != TR_OK)
        return st;
    *kind = kind_by_content(p, n);
    if (*kind == KIND_UNKNOWN)
        return unknown_format(p, n, err);
    return TR_OK;
}

/* A stream tells it as the trace did when it was parsed. */
void tr_open_warn(const struct tr_input *in, const struct tr_open_opts *opts)
{
    const struct tr_summary *s = in->summary;
    bool raw = !in->provenance;
    for (size_t i = 0; opts->warn && s && i < s->n && i < in->dict->n_sources; i++) {
        const char *source = tr_dict_str(in->dict, in->dict->sources[i].name);
        for (unsigned c = 0; c < TR_N_CAUSES; c++) {
            char what[256], place[320];
            uint64_t at = s->sources[i].first_offset[c];
            const char *of = raw || !source[0] ? "" : source, *comma = raw || !source[0] ? "" : ", ";
            if (!s->sources[i].n_cause[c])
                continue;
            if (at == TR_NO_OFFSET)
                snprintf(place, sizeof place, "%.250s", of);
            else
                snprintf(place, sizeof place, "%.250s%sbyte %llu", of, comma, (unsigned long long)at);
            snprintf(what, sizeof what, "%s", tr_cause_text(c));
            if (s->sources[i].n_cause[c] > 1)
                snprintf(what, sizeof what,
                         at == TR_NO_OFFSET ? "%s (%llu times)" : "%s (%llu times, first here)",
                         tr_cause_text(c),
                         (unsigned long long)s->sources[i].n_cause[c]);
            opts->warn(opts->warn_ctx, in->name, place, what);
        }
    }
}

/* Open what the bytes hold; o is passed on or released. */
static enum tr_status open_content(struct tr_input **out, struct opening *o, enum kind *kind,
                                   struct tr_error *err)
{
    struct tr_open_opts opts = o->opts;
    char name[512];
    *kind = KIND_UNKNOWN;
    enum tr_status st = find_kind(o->bytes, &opts, kind, err);
    snprintf(name, sizeof name, "%s", tr_bytes_name(o->bytes));
    if (st == TR_OK && *kind == KIND_STREAM) {
        const struct tr_source_bytes from = { stream_read, stream_close, o->bytes };
        st = tr_reader_open(out, &from, name, err);
        if (st == TR_OK)
            o->bytes = NULL;
        text_close(o);
    } else if (st == TR_OK) {
        const struct tr_ingest_bytes source = { .read = text_read, .close = text_close, .damage = text_damage, .ctx = o,
                                               .name = name, .place = o->place };
        opts.progress = opts.progress ? text_progress : NULL;
        opts.progress_ctx = o;
        st = *kind == KIND_TIMELINE ? tr_memory_timeline_open(out, &source, &opts, err)
                                    : tr_chrome_open(out, &source, &opts, err);
    } else {
        text_close(o);
    }
    if (st == TR_OK && (*out)->sorted)
        tr_open_warn(*out, &opts);
    else if (st != TR_OK && st != TR_USAGE)
        tr_error_input(err, name);
    return st;
}

/* An archive is damaged behind members that can be read. */
static enum tr_status lose_members(const char *path, const struct tr_open_opts *opts, struct tr_error *err)
{
    char what[sizeof err->what + 40];
    snprintf(what, sizeof what, "%s, the rest of it is lost", err->what);
    if (opts->warn)
        opts->warn(opts->warn_ctx, path, "", what);
    *err = (struct tr_error)TR_ERROR_INIT;
    return TR_END;
}

enum tr_status tr__open_member(struct tr__opened *out, const char *path, size_t member, size_t place,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    struct opening *o = calloc(1, sizeof *o);
    enum kind kind;
    enum tr_status st = o ? open_bytes(path, &o->bytes, err) : tr_fail_memory(err);
    for (size_t k = 0; st == TR_OK && k < member; k++)
        st = tr_bytes_next_member(o->bytes, NULL, err);
    if (st == TR_DAMAGED && member > 0 && !opts->strict)
        st = lose_members(path, opts, err);
    if (st != TR_OK) {
        if (o)
            tr_bytes_close(o->bytes);
        free(o);
        return st;
    }
    /* standard input cannot be started again for its next member */
    *out = (struct tr__opened){ .path = path,
                                .archive = tr_bytes_member(o->bytes) != NULL && strcmp(path, "-") != 0 };
    o->opts = *opts;
    o->place = place;
    st = open_content(&out->in, o, &kind, err);
    out->raw = kind != KIND_STREAM;
    return st;
}

enum tr_status tr__open_probe(const char *path, const struct tr_open_opts *opts, size_t max_members,
                              struct tr__probed *out, struct tr_error *err)
{
    struct stat file;
    struct tr_bytes *b;
    enum kind kind = KIND_UNKNOWN;
    *out = (struct tr__probed){ .n_members = 1 };
    if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return TR_OK;
    out->regular = true;
    out->n_bytes = (uint64_t)file.st_size;
    enum tr_status st = open_bytes(path, &b, err);
    if (st != TR_OK)
        return st;
    struct tr_error ignored = TR_ERROR_INIT; /* opening it will tell */
    out->stream = find_kind(b, opts, &kind, &ignored) == TR_OK && kind == KIND_STREAM;
    while (tr_bytes_member(b) && out->n_members < max_members &&
           tr_bytes_next_member(b, NULL, &ignored) == TR_OK)
        out->n_members++;
    tr_bytes_close(b);
    return TR_OK;
}

/*
 * A thread for each input decodes ahead, but only if there is a processor for it: threads that take turns
 * cost more than they give, by switching and by batches that have left the caches before they are used.
 */
void tr__read_ahead(struct tr_input *const *in, size_t n, const struct tr_open_opts *opts)
{
    for (size_t i = 0; opts->n_threads > 1 && n <= opts->n_threads && i < n; i++)
        tr_reader_ahead(in[i], BLOCKS_AHEAD);
}
