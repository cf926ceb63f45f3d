/* SPDX-License-Identifier: MIT */
/* The public interface: writing streams. */
#include "api/tr_api_int.h"

#include "base/tr_num.h"
#include "io/tr_io.h"
#include "stream/format/tr_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum tr_status write_fn(void *ctx, const void *bytes, size_t n, struct tr_error *err);

struct tr_output {
    struct tr_trace *trace;
    struct tr_writer *writer;
    struct tr_summary *summary;
    struct tr_side_tables tables; /* borrowed from the trace */
    int fd;                       /* -1: none */
    char *path, *temp;            /* temp NULL: written directly */
};

/* ---- files ---- */

static enum tr_status cannot_write(const struct tr_output *o, int reason, struct tr_error *err)
{
    return tr_fail_sys(err, reason, "cannot write '%s'", o->path);
}

static enum tr_status write_file(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    const struct tr_output *o = ctx;
    struct tr_error why = TR_ERROR_INIT;
    return tr_write_full(o->fd, bytes, n, &why) == TR_OK ? TR_OK : cannot_write(o, why.sys_errno, err);
}

/* A file appears under its name when it is complete. */
static enum tr_status open_file(struct tr_output *o, const char *path, struct tr_error *err)
{
    struct stat file;
    size_t len = strlen(path), room = len + 48;
    o->path = malloc(len + 1);
    o->temp = malloc(room);
    if (!o->path || !o->temp)
        return tr_fail_memory(err);
    memcpy(o->path, path, len + 1);
    if (stat(path, &file) == 0 && !S_ISREG(file.st_mode)) {
        free(o->temp);
        o->temp = NULL;
        o->fd = tr_open_fd(path, O_WRONLY, 0);
        return o->fd < 0 ? cannot_write(o, errno, err) : TR_OK;
    }
    for (unsigned k = 0; k < 1000 && o->fd < 0; k++) {
        snprintf(o->temp, room, "%s.%ld-%u.tmp", path, (long)getpid(), k);
        o->fd = tr_open_fd(o->temp, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (o->fd < 0 && errno != EEXIST)
            break;
    }
    if (o->fd >= 0)
        return TR_OK;
    int reason = errno;
    free(o->temp); /* nothing to remove */
    o->temp = NULL;
    return cannot_write(o, reason, err);
}

static enum tr_status close_file(struct tr_output *o, struct tr_error *err)
{
    int fd = o->fd;
    o->fd = -1;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR)
        return cannot_write(o, errno, err);
    if (!o->temp)
        return TR_OK;
    if (rename(o->temp, o->path) != 0)
        return cannot_write(o, errno, err);
    free(o->temp);
    o->temp = NULL;
    return TR_OK;
}

static void release(struct tr_output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    if (o->temp)
        unlink(o->temp);
    tr_summary_free(o->summary);
    free(o->tables.v);
    free(o->temp);
    free(o->path);
    free(o);
}

/* ---- the summary and tables ---- */

/* The summary is that of all sources.  Tables of excluded sources are removed. */
static enum tr_status take_beside(struct tr_output *o, struct tr_error *err)
{
    const struct tr_input *in = o->trace->in;
    if (!o->summary)
        o->summary = tr_summary_new(0);
    if (!o->summary || !tr_summary_assign(o->summary, in->summary)) /* the writer has its address */
        return tr_fail_memory(err);
    o->summary->filtered |= o->trace->chosen;
    o->tables.n = 0;
    for (size_t i = 0; in->tables && i < in->tables->n; i++) {
        struct tr_side_table *t = in->tables->v[i];
        if (t->source != UINT32_MAX && !tr__trace_keeps(o->trace, t->source))
            continue;
        if (!tr_grow(&o->tables.v, &o->tables.cap, o->tables.n + 1, sizeof(struct tr_side_table *)))
            return tr_fail_memory(err);
        o->tables.v[o->tables.n++] = t;
    }
    return TR_OK;
}

static enum tr_status parse_codec(const char *text, struct tr_writer_opts *w, struct tr_error *err)
{
    static const char *const names[TR_N_CODECS] = { "none", "lz4", "zlib" };
    static const uint64_t highest[TR_N_CODECS] = { 0, 12, 9 };
    size_t len = text ? strcspn(text, ":") : 0;
    uint64_t level = 0;
    for (unsigned c = 0; text && c < TR_N_CODECS; c++) {
        if (strlen(names[c]) != len || strncmp(text, names[c], len) != 0)
            continue;
        w->codec = (enum tr_codec)c;
        if (text[len] && (!highest[c] || tr_num_u64(text + len + 1, 1, highest[c], &level, NULL) != TR_OK))
            break;
        w->level = (int)level;
        return TR_OK;
    }
    return text ? tr_fail(err, TR_USAGE, "'%.80s' is not one of none, lz4[:LEVEL], zlib[:LEVEL]", text) : TR_OK;
}

static enum tr_status say_runs(const struct tr_output *o, const struct tr_output_options *options,
                               struct tr_provenance **out, struct tr_error *err)
{
    uint32_t head;
    struct tr_provenance *p = *out = tr_provenance_new();
    bool ok = p && tr_provenance_append(p, o->trace->in->provenance, &head) &&
              (!options->program ||
               tr_provenance_add_last(p, options->program, options->version ? options->version : "",
                                      options->command ? options->command : options->program));
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status start(struct tr_output *o, const struct tr_sink *sink, const struct tr_output_options *options,
                            struct tr_error *err)
{
    const struct tr_input *in = o->trace->in;
    struct tr_output_options own = TR_OUTPUT_OPTIONS_INIT;
    struct tr_writer_opts how = { .codec = TR_CODEC_NONE };
    struct tr_provenance *runs = NULL;
    enum tr_status st = tr__trace_start(o->trace, NULL, err);
    if (st == TR_OK && !o->trace->whole)
        st = tr_fail(err, TR_USAGE, "a trace of which only some fields are wanted cannot be written");
    if (st == TR_OK && options && !tr__api_take(&own, sizeof own, options))
        st = tr_fail(err, TR_USAGE, "the size of struct tr_output_options is not set");
    how.n_threads = own.threads;
    if (st == TR_OK)
        st = parse_codec(own.compress, &how, err);
    if (st == TR_OK)
        st = take_beside(o, err);
    if (st == TR_OK)
        st = say_runs(o, &own, &runs, err);
    if (st == TR_OK)
        st = tr_writer_new(&o->writer, sink, &how, err);
    if (st == TR_OK) {
        tr_writer_tables(o->writer, &o->tables);
        st = tr_writer_start(o->writer, in->dict, o->summary, runs, in->sorted, err);
    }
    tr_provenance_free(runs);
    return st;
}

/* path NULL: to the function write */
static enum tr_status open_output(struct tr_output **out, const char *path, write_fn *write, void *ctx,
                                  struct tr_trace *trace, const struct tr_output_options *options,
                                  struct tr_error *err)
{
    struct tr_output *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o)
        return tr_fail_memory(err);
    o->trace = trace;
    o->fd = -1;
    const struct tr_sink sink = path ? (struct tr_sink){ write_file, o } : (struct tr_sink){ write, ctx };
    enum tr_status st = path ? open_file(o, path, err) : TR_OK;
    if (st == TR_OK)
        st = start(o, &sink, options, err);
    if (st == TR_OK)
        *out = o;
    else
        tr_output_abandon(o);
    return st;
}

enum tr_status tr_output_open(struct tr_output **out, const char *path, struct tr_trace *trace,
                              const struct tr_output_options *options, struct tr_error *err)
{
    return open_output(out, path, NULL, NULL, trace, options, err);
}

enum tr_status tr_output_open_to(struct tr_output **out, write_fn *write, void *ctx, struct tr_trace *trace,
                                 const struct tr_output_options *options, struct tr_error *err)
{
    return open_output(out, NULL, write, ctx, trace, options, err);
}

enum tr_status tr_output_batch(struct tr_output *o, const struct tr_batch *batch, struct tr_error *err)
{
    return tr_writer_batch(o->writer, batch, err);
}

enum tr_status tr_output_finish(struct tr_output *o, struct tr_error *err)
{
    if (!o)
        return TR_OK;
    enum tr_status st = o->trace->in->sorted ? TR_OK : take_beside(o, err); /* else it is complete only now */
    if (st == TR_OK)
        st = tr_writer_finish(o->writer, err);
    else
        tr_writer_abandon(o->writer);
    if (st == TR_OK)
        st = close_file(o, err);
    release(o);
    return st;
}

void tr_output_abandon(struct tr_output *o)
{
    if (!o)
        return;
    tr_writer_abandon(o->writer);
    release(o);
}
