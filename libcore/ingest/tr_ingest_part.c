/* SPDX-License-Identifier: MIT */
/* The builder: parts of a source that other threads decode. */
#include "ingest/tr_ingest_builder_int.h"

#include <stdlib.h>
#include <string.h>

unsigned tr__n_parts(const struct tr_ingest *g)
{
    return g->n_parts;
}

struct tr_ingest *tr__part(struct tr_ingest *g, unsigned i)
{
    return &g->parts[i];
}

enum tr_status tr__parts_start(struct tr_ingest *g, struct tr_error *err)
{
    return tr__ingest_commit(g, err);
}

void tr__part_start(struct tr_ingest *part)
{
    tr__piece_reset(&part->lane, &part->piece, part->load->pool);
    tr__nests_start(part);
    part->n_own = 0;
}

enum tr_status tr__part_end(struct tr_ingest *part, struct tr_error *err)
{
    if (!tr__nests_close(part) || part->no_memory)
        return tr__ingest_failed(part, err);
    return tr__piece_sort(part->lane.piece, err);
}

/* A joined span has the record of its end before its values; its own is counted up with all others. */
static void count_ends_from(struct tr__piece *pc, uint64_t first)
{
    for (size_t i = 0; i < pc->n_refs; i++) {
        unsigned char *row = (unsigned char *)(uintptr_t)pc->refs[i].row;
        uint64_t record;
        if (!(((struct tr_row *)(void *)row)->flags & TR_FROM_BE))
            continue;
        memcpy(&record, row + TR_ROW_HEADER, sizeof record);
        record += first;
        memcpy(row + TR_ROW_HEADER, &record, sizeof record);
    }
}

static void renumber(int64_t *link, const uint32_t *to, uint32_t n)
{
    if (*link <= TR__LINK_NAMED && TR__LINK_NAMED - *link < (int64_t)n)
        *link = TR__LINK_NAMED - (int64_t)to[TR__LINK_NAMED - *link];
}

static void renumber_rows(const struct tr_row_ref *refs, size_t n_refs, const uint32_t *to, uint32_t n)
{
    for (size_t i = 0; i < n_refs; i++) {
        const struct tr_row *row = refs[i].row;
        unsigned char *at = (unsigned char *)(uintptr_t)row + TR_ROW_HEADER + (row->flags & TR_FROM_BE ? 8 : 0);
        int64_t link;
        if (!(row->has & TR_ROW_LINK))
            continue;
        memcpy(&link, at, sizeof link);
        renumber(&link, to, n);
        memcpy(at, &link, sizeof link);
    }
}

/* Correlations with a number of the part get that of the whole.  False: out of memory. */
static bool join_links(struct tr_ingest *g, struct tr_ingest *part)
{
    struct tr__piece *pc = part->lane.piece;
    uint32_t n = tr_strtab_count(part->links);
    uint32_t *to = n ? malloc(n * sizeof *to) : NULL;
    bool ok = !n || to;
    for (uint32_t i = 0; ok && i < n; i++) {
        to[i] = tr_strtab_add(g->links, tr_strtab_get(part->links, i), tr_strtab_len(part->links, i));
        ok = to[i] != TR_NO_STR;
    }
    if (ok && n) {
        renumber_rows(pc->refs, pc->n_refs, to, n);
        renumber_rows(pc->ends, pc->n_ends, to, n);
        for (size_t i = 0; i < pc->n_launches; i++)
            renumber(&pc->launches[i].correlation, to, n);
        for (size_t i = 0; i < pc->n_work; i++)
            renumber(&pc->work[i].correlation, to, n);
        tr_strtab_free(part->links);
        ok = (part->links = tr_strtab_new()) != NULL;
    }
    free(to);
    g->no_memory |= !ok;
    return ok;
}

enum tr_status tr__part_commit(struct tr_ingest *g, struct tr_ingest *part, uint64_t first_record, struct tr_error *err)
{
    struct tr__file *f = &g->load->file;
    for (size_t i = 0; i < part->n_own; i++)
        if (!tr__count_own(&f->own, &f->n_own, &f->cap_own, &part->own[i])) {
            g->too_many |= f->n_own >= TR_INGEST_MAX_CAUSES;
            return tr__ingest_failed(g, err);
        }
    if (!join_links(g, part))
        return tr__ingest_failed(g, err);
    count_ends_from(part->lane.piece, first_record);
    f->n_elements = first_record; /* what records of a piece count from; the builder's own have all of their number */
    enum tr_status st = tr__piece_commit_findings(f, part->lane.piece, part->lane.interner_no, err);
    f->n_elements = 0;
    if (st == TR_OK)
        st = tr__piece_commit_rows(g->load, part->lane.piece, err);
    if (st == TR_OK && g->piece.rows.bytes > TR__PIECE_BYTES)
        st = tr__ingest_commit(g, err);
    return st;
}

void tr__ingest_stands(struct tr_ingest *g, uint64_t offset)
{
    g->at = offset;
}
