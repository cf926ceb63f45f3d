/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: a file has planes, a plane has lines and names, and a line has events; all are protocol buffers.
 *
 * Names may stand after their events, so the file is walked twice: for names, and for events.
 */
#include "formats/xplane/tr_xplane_int.h"

#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <stdlib.h>

#define MIN_MEMORY       ((size_t)64 << 20)    /* bytes that names may always take, whatever the limit */
#define PIECE_BYTES ((size_t)1 << 20)   /* of events that a thread takes at a time */

static enum tr_status at_end(struct tr__xplane_reader *r);

static enum tr_status start_again(struct tr__xplane_reader *r)
{
    if (!tr__xplane_names_end(r))
        return TR_SYSTEM;
    if (r->has_base)
        tr_ingest_base(r->g, r->base);
    if (r->host != TR_NO_STR) {
        struct tr_str host = tr__xplane_str(r, r->host);
        tr_ingest_host(r->g, host.s, host.len);
    }
    if (r->table) {
        tr_ingest_table(r->g, r->table);
        r->table = NULL;
    }
    r->second = true;
    r->lost = false;
    r->depth = 0;
    r->skip = 0;
    r->more = true;
    tr__window_rewind(&r->w);
    enum tr_status st = tr_ingest_rewind(r->g, r->err);
    if (st != TR_OK || !tr__n_parts(r->g))
        return st;
    st = tr__xplane_workers(r, r->err);
    return st == TR_OK ? at_end(r) : st;
}

static enum tr_status at_end(struct tr__xplane_reader *r)
{
    bool cut = r->skip || (r->depth && tr__window_offset(&r->w) < r->end[r->depth]);
    if (!r->second)
        return r->n_planes ? start_again(r) : tr_fail(r->err, TR_DAMAGED, "it holds no plane that can be read");
    if (cut && !r->ended)
        tr_ingest_damaged(r->g, TR_DAMAGE_TRUNCATED, tr__window_offset(&r->w));
    r->ended = true;
    enum tr_status st = tr__xplane_emit_flows(r);
    if (st != TR_END)
        return st;
    if (r->warn && r->n_work && !r->n_with_op)
        r->warn(r->warn_ctx, r->name, "",
                "device work has no hlo_op: its writer left out which operations of XLA it is part of");
    return TR_END;
}

static enum tr_status read_fields(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct tr__xplane_reader *r = ctx;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__xplane_walk(r);
    return st == TR_END ? at_end(r) : st;
}

static void release(void *ctx)
{
    struct tr__xplane_reader *r = ctx;
    tr__window_free(&r->w);
    for (size_t i = 0; i < r->n_planes; i++)
        tr__xplane_free(&r->planes[i]);
    free(r->planes);
    free(r->lines);
    tr__hlo_free(r);
    tr__xplane_flows_free(r);
    tr_strtab_free(r->strings);
    tr_buf_free(&r->blob);
    free(r->numbers[0]);
    free(r->numbers[1]);
    tr_buf_free(&r->text);
    tr_buf_free(&r->text2);
    tr_buf_free(&r->json);
    free(r->values);
    tr__xplane_event_templates_free(r->templates);
    free(r);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct tr__xplane_reader *r = state;
    (void)of;
    r->max_memory = opts->max_memory_bytes > MIN_MEMORY ? opts->max_memory_bytes : MIN_MEMORY;
    r->warn = opts->warn;
    r->warn_ctx = opts->warn_ctx;
    r->name = bytes->name;
    r->temp_dir = opts->temp_dir;
    r->host = TR_NO_STR;
    r->more = true;
    r->piece_bytes = opts->tuning.piece_bytes ? opts->tuning.piece_bytes : PIECE_BYTES;
    r->strings = tr_strtab_new();
    r->places = tr_strtab_new();
    r->modules = tr_strtab_new();
    r->shapes = tr_strtab_new();
    r->operand_lists = tr_strtab_new();
    return r->strings && r->places && r->modules && r->shapes && r->operand_lists;
}

static enum tr_status open_xplane(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "xplane", read_fields, release };
    struct tr__xplane_reader *r = tr__reader_state(sizeof *r, init, NULL, release, bytes, opts, err);
    return r ? tr__ingest_open_parts(out, &reader, r, bytes, opts, err) : TR_SYSTEM;
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return n && *p == (SPACE_PLANE << 3 | TR__WIRE_BYTES) && tr__xplane_plausible(p, n) ? 95 : 0;
}

const struct tr_format tr_format_xplane = {
    .name = "xplane",
    .brief = "XPlane (*.xplane.pb): profiles of JAX, TensorFlow, PyTorch/XLA",
    .probe = probe,
    .needs_seek = true,
    .open = open_xplane,
};
