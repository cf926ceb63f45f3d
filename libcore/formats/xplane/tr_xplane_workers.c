/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: the second walk by several threads.
 *
 * One thread at a time walks on through the file.  It puts the events that it finds into a block, with the lines that
 * start and the damage.  Then it passes them on to its own builder, while another thread walks on.  Names have other
 * numbers in each builder, so each thread has a copy of the tables that keep them.
 */
#include "formats/common/tr_ordered_workers_int.h"
#include "formats/xplane/tr_xplane_int.h"

#include <stdlib.h>

#define COPIES_PART 4u /* of the memory for names: what the copies of all threads may take */

struct helper {
    struct tr__xplane_reader *main; /* which walks */
    struct tr__xplane_reader r;
    struct tr__xplane_block block;
};

static enum tr_status find_block(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct tr__xplane_reader *r = h->main;
    enum tr_status st = TR_OK;
    h->block.n = h->block.n_events = h->block.bytes.len = 0;
    h->block.plane = r->plane;
    h->block.line = r->line;
    r->block = &h->block;
    r->err = err;
    while (st == TR_OK && !tr__xplane_block_full(r))
        st = tr__xplane_walk(r);
    h->block.step_plane = r->step_plane;
    r->block = NULL;
    if (h->block.no_memory)
        return tr_fail_memory(err);
    return st == TR_END && h->block.n ? TR_OK : st; /* the next call finds the end again */
}

/* ---- one block ---- */

/* Pass on the events in fields of a line, which start at an offset of the file. */
static enum tr_status emit_events(struct tr__xplane_reader *r, struct tr__xplane *plane,
                                  const struct tr__xplane_line *line, struct tr__proto m, uint64_t offset)
{
    const unsigned char *first = m.p, *field = m.p;
    for (; tr__proto_short(&m, LINE_EVENT) || tr__proto_next(&m); field = m.p) {
        r->w.offset = offset + (uint64_t)(field - first); /* its window, which is empty, is at this place */
        enum tr_status st = tr__xplane_event(r, plane, line, tr__proto_of(m.data, m.len));
        if (st == TR_END)
            tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, r->w.offset);
        else if (st != TR_OK)
            return st;
    }
    return TR_OK;
}

static enum tr_status emit_found(struct tr__xplane_reader *r, const struct tr__xplane_block *b)
{
    size_t plane = b->plane - 1, line = b->line - 1;
    const unsigned char *p = b->bytes.data;
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        const struct tr__xplane_found *f = &b->found[i];
        r->w.offset = f->offset;
        switch (f->what) {
        case TR__FOUND_LINE:
            plane = f->plane;
            line = f->n;
            tr__xplane_name_line(r, &r->planes[plane], &r->lines[line]);
            break;
        case TR__FOUND_DAMAGE:
            tr_ingest_damaged(r->g, (enum tr_damage_cause)f->n, f->offset);
            break;
        default:
            st = emit_events(r, &r->planes[plane], &r->lines[line], tr__proto_of(p, f->n), f->offset);
            p += f->n;
        }
    }
    return st;
}

static enum tr_status decode_block(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct tr__xplane_reader *r = &h->r;
    r->err = err;
    r->n_events = r->n_work = r->n_with_op = 0;
    r->step_plane = h->block.step_plane;
    r->own_ends.len = 0;
    tr__part_start(r->g);
    enum tr_status st = emit_found(r, &h->block);
    tr__xplane_order_flows(r);
    return st == TR_OK ? tr__part_end(r->g, err) : st;
}

static enum tr_status take_block(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct tr__xplane_reader *to = h->main, *from = &h->r;
    enum tr_status st = tr__part_commit(to->g, from->g, to->n_events, err);
    if (st == TR_OK)
        st = tr__xplane_take_flows(to, from, to->n_events, err);
    to->n_events += from->n_events;
    to->n_work += from->n_work;
    to->n_with_op += from->n_with_op;
    return st;
}

/* ---- the workers ---- */

static void *copy(const void *from, size_t n, size_t size)
{
    void *to = malloc(n ? n * size : 1);
    if (to && n)
        memcpy(to, from, n * size);
    return to;
}

/* A reader that shares what the first walk has found.  False: out of memory. */
static bool share(struct tr__xplane_reader *to, const struct tr__xplane_reader *r, struct tr_ingest *g)
{
    *to = (struct tr__xplane_reader){
        .g = g, .second = true, .is_helper = true, .max_memory = r->max_memory, .strings = r->strings, .blob = r->blob,
        .n_devices = r->n_devices, .lines = r->lines, .n_lines = r->n_lines, .has_steps = r->has_steps,
        .places = r->places, .modules = r->modules, .instructions = r->instructions,
        .n_instructions = r->n_instructions, .programs = r->programs, .n_programs = r->n_programs,
    };
    to->planes = copy(r->planes, r->n_planes, sizeof *r->planes);
    for (; to->planes && to->n_planes < r->n_planes; to->n_planes++) {
        struct tr__xplane *p = &to->planes[to->n_planes];
        p->metas = copy(p->metas, p->n_metas, sizeof *p->metas);
        p->stats = copy(p->stats, p->n_stats, sizeof *p->stats);
        p->number = TR_NO_STR;
        for (size_t i = 0; p->metas && i < p->n_metas; i++)
            p->metas[i].number = TR_NO_STR;
        for (size_t i = 0; p->stats && i < p->n_stats; i++) {
            p->stats[i].number = TR_NO_STR;
            p->stats[i].last_event = 0;
        }
        if (!p->metas || !p->stats) {
            to->n_planes++;
            return false;
        }
    }
    return to->planes != NULL;
}

static void free_own(struct helper *h)
{
    for (size_t i = 0; i < h->r.n_planes; i++) {
        free(h->r.planes[i].metas);
        free(h->r.planes[i].stats);
    }
    free(h->r.planes);
    free(h->r.numbers[0]);
    free(h->r.numbers[1]);
    free(h->r.values);
    tr__xplane_event_templates_free(h->r.templates);
    tr_buf_free(&h->r.text);
    tr_buf_free(&h->r.text2);
    tr_buf_free(&h->r.json);
    tr_buf_free(&h->r.own_ends);
    tr_buf_free(&h->block.bytes);
    free(h->block.found);
}

/* As many threads as there are parts, if the memory for names has room for their copies. */
static unsigned team_size(const struct tr__xplane_reader *r)
{
    unsigned n = tr__n_parts(r->g);
    size_t bytes = 1;
    for (size_t i = 0; i < r->n_planes; i++)
        bytes += sizeof *r->planes + r->planes[i].n_metas * sizeof *r->planes->metas +
                 r->planes[i].n_stats * sizeof *r->planes->stats;
    size_t max = r->max_memory / COPIES_PART / bytes;
    return max >= n ? n : max > 1 ? (unsigned)max : 1;
}

enum tr_status tr__xplane_workers(struct tr__xplane_reader *r, struct tr_error *err)
{
    static const struct tr__ordered_workers_steps work = { find_block, decode_block, take_block };
    unsigned n = team_size(r);
    struct helper *helpers = calloc(n, sizeof *helpers);
    bool ok = helpers != NULL;
    for (unsigned i = 0; ok && i < n; i++) {
        helpers[i].main = r;
        ok = share(&helpers[i].r, r, tr__part(r->g, i));
    }
    enum tr_status st = ok ? tr__parts_start(r->g, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__ordered_workers_run(helpers, sizeof *helpers, n, &work, err);
    for (unsigned i = 0; helpers && i < n; i++)
        free_own(&helpers[i]);
    free(helpers);
    r->err = err;
    return st;
}
