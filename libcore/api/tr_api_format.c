/* SPDX-License-Identifier: MIT */
/* The public interface: formats of a caller, and the calls that report what they read. */
#include "api/tr_api_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An input that is read by a format of the caller. */
struct reading {
    const struct tr_format_def *def;
    void *state;
};

static int own_probe(const struct tr_format *f, const unsigned char *start, size_t n)
{
    const struct tr_format_def *def = &((const struct tr__own_format *)f)->def;
    return def->probe ? def->probe(def->ctx, start, n) : 0;
}

static enum tr_status own_read(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    const struct reading *r = ctx;
    return r->def->read(r->state, g, err);
}

static void own_close(void *ctx)
{
    struct reading *r = ctx;
    if (r->def->close)
        r->def->close(r->state);
    free(r);
}

static enum tr_status own_open(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    const struct tr__own_format *own = (const struct tr__own_format *)f;
    struct reading *r = calloc(1, sizeof *r);
    enum tr_status st = r ? TR_OK : tr_fail_memory(err);
    if (r) {
        r->def = &own->def;
        r->state = own->def.ctx;
    }
    if (st == TR_OK && own->def.open)
        st = own->def.open(own->def.ctx, &r->state, err);
    if (st == TR_OK)
        return tr_ingest_open(out, &own->reader, r, bytes, opts, err);
    free(r);
    if (bytes->close)
        bytes->close(bytes->ctx);
    return st;
}

enum tr_status tr__own_format(struct tr__own_format *f, const struct tr_format_def *def, struct tr_error *err)
{
    if (!tr__api_take(&f->def, sizeof f->def, def))
        return tr_fail(err, TR_USAGE, "the size of struct tr_format_def is not set");
    if (!f->def.name || !f->def.read)
        return tr_fail(err, TR_USAGE, "a format needs a name and a function read");
    f->is = (struct tr_format){ .name = f->def.name,
                                .brief = f->def.brief ? f->def.brief : "",
                                .probe = own_probe,
                                .open = own_open };
    f->reader = (struct tr_ingest_reader){ f->def.name, own_read, own_close };
    return TR_OK;
}

/* ---- reporting ---- */

void tr_ingest_on_thread(struct tr_ingest *g, int64_t pid, int64_t tid)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.pid = pid;
    track.tid = tid;
    tr_ingest_track(g, &track);
}

void tr_ingest_on_stream(struct tr_ingest *g, int64_t pid, int64_t device, int64_t context, int64_t stream)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.side = TR_SIDE_DEVICE;
    track.pid = pid;
    track.tid = track.stream = stream;
    track.device = device;
    track.context = context;
    tr_ingest_track(g, &track);
}

void tr_ingest_damage(struct tr_ingest *g, const char *name, const char *text, bool loses, uint64_t offset)
{
    char own_name[TR_DAMAGE_NAME], own_text[TR_DAMAGE_TEXT];
    snprintf(own_name, sizeof own_name, "%s", name);
    snprintf(own_text, sizeof own_text, "%s", text);
    tr_ingest_damaged_by(g, &(struct tr_ingest_cause){ own_name, own_text, loses }, offset);
}
