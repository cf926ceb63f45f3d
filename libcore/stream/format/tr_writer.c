/* SPDX-License-Identifier: MIT */
/* Writing an event stream. */
#include "stream/format/tr_writer.h"

#include "stream/format/tr_block_builder_int.h"
#include "stream/format/tr_dict_rows_int.h"
#include "stream/format/tr_side_blocks_int.h"
#include "stream/tr_provenance_int.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

#define N_DICT_TYPES 6u

/* In this order, a row is sent after everything that it refers to. */
static const enum tr_block_type dict_types[N_DICT_TYPES] = {
    TR_BLOCK_STRINGS, TR_BLOCK_COLUMNS, TR_BLOCK_SHAPES, TR_BLOCK_SOURCES,
    TR_BLOCK_CLOCKS,  TR_BLOCK_TRACKS,
};

struct tr_writer {
    struct tr__block_out frame;
    struct tr__block_builder *elider;
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    const struct tr_side_tables *tables;
    bool started, sorted;
    enum tr_status failed; /* TR_OK, or the first failure */
    size_t n_sent[N_DICT_TYPES];
    struct tr_track *tracks; /* as sent */
    uint64_t *source_sums;   /* checksums of the rows sent */
    size_t cap_tracks, cap_sources;
    size_t n_since; /* events since all tracks were compared */
};

enum tr_status tr_writer_new(struct tr_writer **out, const struct tr_sink *sink,
                             const struct tr_writer_opts *opts, struct tr_error *err)
{
    struct tr_writer_opts o = { .codec = TR_CODEC_NONE };
    if (opts)
        o = *opts;
    if (o.block_events == 0)
        o.block_events = TR_BATCH_MAX;
    if ((unsigned)o.codec >= TR_N_CODECS || o.block_events > TR_MAX_EVENTS)
        return tr_fail(err, TR_USAGE, "codec %u with %zu events per block, at most %u allowed",
                       (unsigned)o.codec, o.block_events, TR_MAX_EVENTS);
    struct tr_writer *w = calloc(1, sizeof *w);
    if (!w)
        return tr_fail_memory(err);
    w->frame.sink = *sink;
    enum tr_status st = TR_OK;
    if (o.codec != TR_CODEC_NONE) {
        w->frame.pack = tr__packer_new(o.codec, o.level);
        if (!w->frame.pack)
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr__block_builder_new(&w->elider, &w->frame, &o, err);
    if (st != TR_OK) {
        tr_writer_abandon(w);
        return st;
    }
    *out = w;
    return TR_OK;
}

void tr_writer_abandon(struct tr_writer *w)
{
    if (!w)
        return;
    tr__block_builder_free(w->elider);
    tr__block_out_free(&w->frame);
    free(w->tracks);
    free(w->source_sums);
    free(w);
}

/* ---- header, provenance, summary ---- */

static enum tr_status send_provenance(struct tr_writer *w, const struct tr_provenance *p,
                                      struct tr_error *err)
{
    uint32_t n = 0;
    for (size_t i = 0; p && i < p->n; i++) {
        if (!tr__run_put(&p->runs[i], &w->frame.row))
            return tr_fail_memory(err);
        enum tr_status st = tr__row_add(&w->frame, TR_BLOCK_PROVENANCE, &n, NULL, err);
        if (st != TR_OK)
            return st;
    }
    return n ? tr__payload_send(&w->frame, TR_BLOCK_PROVENANCE, n, err) : TR_OK;
}

static enum tr_status send_summary(struct tr_writer *w, const struct tr_summary *s,
                                   struct tr_error *err)
{
    struct tr_summary own = { .sources = NULL };
    struct tr_buf head = { NULL, 0, 0 };
    uint32_t n = 0;
    enum tr_status st = TR_OK;
    if (s)
        own = *s; /* shares the rows */
    own.sorted = w->sorted;
    if (own.n > w->dict->n_sources)
        return tr_fail(err, TR_USAGE, "a summary of %zu sources for %zu", own.n,
                       w->dict->n_sources);
    if (!tr__summary_put_head(&own, &head) || !tr_buf_add(&w->frame.payload, head.data, head.len)) {
        st = tr_fail_memory(err);
        goto out;
    }
    for (size_t i = 0; i < own.n && st == TR_OK; i++) {
        if (tr__summary_put_row(&own, i, &w->frame.row))
            st = tr__row_add(&w->frame, TR_BLOCK_SUMMARY, &n, &head, err);
        else
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr__payload_send(&w->frame, TR_BLOCK_SUMMARY, n, err);
    tr__trailer_damage(&w->frame.trailer, &own);
out:
    tr_buf_free(&head);
    return st;
}

/* ---- dictionaries ---- */

static bool same_track(const struct tr_track *a, const struct tr_track *b)
{
    return a->source == b->source && a->side == b->side && a->pid_type == b->pid_type &&
           a->tid_type == b->tid_type && a->pid == b->pid && a->tid == b->tid &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->process_name == b->process_name && a->thread_name == b->thread_name &&
           a->labels == b->labels && a->process_sort == b->process_sort &&
           a->thread_sort == b->thread_sort && a->clock == b->clock;
}

/* Is row i the same as the one that was sent with this number?  If not, it is recorded. */
static bool unchanged(struct tr_writer *w, enum tr_block_type type, size_t i, size_t n_sent)
{
    if (type == TR_BLOCK_TRACKS) {
        if (i < n_sent && same_track(&w->tracks[i], &w->dict->tracks[i]))
            return true;
        w->tracks[i] = w->dict->tracks[i];
    } else if (type == TR_BLOCK_SOURCES) {
        uint64_t sum = tr__checksum(w->frame.row.data, w->frame.row.len);
        if (i < n_sent && w->source_sums[i] == sum)
            return true;
        w->source_sums[i] = sum;
    }
    return false;
}

/* Send the new rows, and, on request, the changed ones. */
static enum tr_status send_rows(struct tr_writer *w, unsigned k, bool changed, struct tr_error *err)
{
    enum tr_block_type type = dict_types[k];
    size_t n_sent = w->n_sent[k], n_rows = tr__dict_row_count(w->dict, type);
    uint32_t n = 0;
    if (!tr_grow(&w->tracks, &w->cap_tracks, w->dict->n_tracks, sizeof *w->tracks) ||
        !tr_grow(&w->source_sums, &w->cap_sources, w->dict->n_sources, sizeof *w->source_sums))
        return tr_fail_memory(err);
    for (size_t i = changed ? 0 : n_sent; i < n_rows; i++) {
        if (type == TR_BLOCK_TRACKS && unchanged(w, type, i, n_sent))
            continue;
        w->frame.row.len = 0;
        if (!tr__dict_row_put(w->dict, type, i, &w->frame.row))
            return tr_fail_memory(err);
        if (type == TR_BLOCK_SOURCES && unchanged(w, type, i, n_sent))
            continue;
        enum tr_status st = n ? TR_OK : tr__block_builder_drain(w->elider, err); /* blocks keep their order */
        if (st == TR_OK)
            st = tr__row_add(&w->frame, type, &n, NULL, err);
        if (st != TR_OK)
            return st;
    }
    w->frame.row.len = 0; /* that of a source that has not changed */
    w->n_sent[k] = n_rows;
    return n ? tr__payload_send(&w->frame, type, n, err) : TR_OK;
}

/*
 * May tracks have changed that must be sent before a batch?  All tracks are compared after as many events as there are
 * tracks; before other batches, only the tracks of the batch are compared.  So many tracks cost no more than the
 * events.
 */
static bool tracks_due(struct tr_writer *w, const struct tr_batch *b, size_t n_sent)
{
    bool due = (w->n_since += b->n) >= n_sent;
    for (size_t i = 0; i < b->n && !due; i++)
        due = b->track[i] < n_sent && !same_track(&w->tracks[b->track[i]], &w->dict->tracks[b->track[i]]);
    if (due)
        w->n_since = 0;
    return due;
}

/* Send new and changed rows before a batch; NULL: at the start and the end of a stream.  Sources rarely change and are
 * slow to compare, so they are compared only there. */
static enum tr_status send_dict(struct tr_writer *w, const struct tr_batch *b, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (unsigned k = 0; k < N_DICT_TYPES && st == TR_OK; k++) {
        bool changed = dict_types[k] == TR_BLOCK_TRACKS ? !b || tracks_due(w, b, w->n_sent[k])
                                                        : dict_types[k] == TR_BLOCK_SOURCES && !b;
        st = send_rows(w, k, changed, err);
    }
    return st == TR_OK ? tr__block_builder_shapes(w->elider, err) : st;
}

static bool complete(const struct tr_batch *b)
{
    return b->ts && b->dur && b->record && b->track && b->shape && b->name && b->cat && b->phase &&
           b->activity && b->kind && b->suspect && b->flags;
}

static enum tr_status write_batch(struct tr_writer *w, const struct tr_batch *b,
                                  const uint8_t *mask, struct tr_error *err)
{
    if (b->n == 0)
        return TR_OK;
    if (!w->started || b->dict != w->dict || !complete(b))
        return tr_fail(err, TR_USAGE, "the batch lacks columns or belongs to another stream");
    enum tr_status st = send_dict(w, b, err);
    return st == TR_OK ? tr__block_builder_batch(w->elider, b, mask, err) : st;
}

/* ---- the public sequence ---- */

/* Keep the first failure; later calls return it again. */
static enum tr_status leave(struct tr_writer *w, enum tr_status st)
{
    if (st != TR_OK)
        w->failed = st;
    return st;
}

void tr_writer_tables(struct tr_writer *w, const struct tr_side_tables *tables)
{
    w->tables = tables;
}

static enum tr_status send_tables(struct tr_writer *w, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; w->tables && i < w->tables->n && st == TR_OK; i++)
        st = tr__side_send(&w->frame, w->tables->v[i], err);
    return st;
}

static enum tr_status start(struct tr_writer *w, const struct tr_provenance *provenance,
                            struct tr_error *err)
{
    unsigned char header[8];
    enum tr_status st = tr__block_out_start(&w->frame, err);
    if (st != TR_OK)
        return st;
    tr__put32(header, w->sorted);
    tr__put32(header + 4, TR_N_DERIVED);
    if (!tr_buf_add(&w->frame.payload, header, sizeof header))
        return tr_fail_memory(err);
    st = tr__payload_send(&w->frame, TR_BLOCK_HEADER, 1, err);
    if (st == TR_OK)
        st = send_provenance(w, provenance, err);
    if (st == TR_OK)
        st = send_dict(w, NULL, err);
    if (st == TR_OK && w->sorted)
        st = send_tables(w, err);
    if (st == TR_OK)
        st = send_summary(w, w->sorted ? w->summary : NULL, err);
    return st;
}

enum tr_status tr_writer_start(struct tr_writer *w, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance, bool sorted,
                               struct tr_error *err)
{
    if (w->started)
        return leave(w, tr_fail(err, TR_USAGE, "the stream has begun already"));
    w->started = true;
    w->dict = dict;
    w->summary = summary;
    w->sorted = sorted;
    tr__block_builder_start(w->elider, dict);
    return leave(w, start(w, provenance, err));
}

enum tr_status tr_writer_batch(struct tr_writer *w, const struct tr_batch *b, struct tr_error *err)
{
    return w->failed ? w->failed : leave(w, write_batch(w, b, NULL, err));
}

enum tr_status tr_writer_select(struct tr_writer *w, const struct tr_batch *b, const uint8_t *mask,
                                struct tr_error *err)
{
    return w->failed ? w->failed : leave(w, write_batch(w, b, mask, err));
}

enum tr_status tr_writer_flush(struct tr_writer *w, struct tr_error *err)
{
    if (w->failed)
        return w->failed;
    enum tr_status st = w->started ? tr__block_builder_cut(w->elider, err) : TR_OK;
    return leave(w, st == TR_OK ? tr__block_builder_drain(w->elider, err) : st);
}

static enum tr_status finish(struct tr_writer *w, struct tr_error *err)
{
    if (!w->started)
        return tr_fail(err, TR_USAGE, "the stream has not begun");
    enum tr_status st = tr__block_builder_cut(w->elider, err);
    if (st == TR_OK)
        st = tr__block_builder_drain(w->elider, err);
    if (st == TR_OK)
        st = send_dict(w, NULL, err);
    if (st == TR_OK && !w->sorted)
        st = send_tables(w, err);
    if (st == TR_OK && !w->sorted)
        st = send_summary(w, w->summary, err);
    w->frame.trailer.index_offset = w->frame.offset;
    if (st == TR_OK)
        st = tr__index_send(&w->frame, err);
    if (st != TR_OK)
        return st;
    unsigned char trailer[TR_TRAILER_BYTES];
    w->frame.trailer.offset = w->frame.offset;
    tr__trailer_put(&w->frame.trailer, trailer);
    if (!tr_buf_add(&w->frame.payload, trailer, sizeof trailer))
        return tr_fail_memory(err);
    return tr__payload_send(&w->frame, TR_BLOCK_TRAILER, 1, err);
}

enum tr_status tr_writer_finish(struct tr_writer *w, struct tr_error *err)
{
    if (!w)
        return TR_OK;
    enum tr_status st = w->failed ? w->failed : finish(w, err);
    tr_writer_abandon(w);
    return st;
}
