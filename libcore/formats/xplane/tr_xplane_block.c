/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: what a walk finds, for the thread that passes it on. */
#include "formats/xplane/tr_xplane_int.h"

static struct tr__xplane_found *find(struct tr__xplane_reader *r, int what)
{
    struct tr__xplane_block *b = r->block;
    if (!tr_grow(&b->found, &b->cap, b->n + 1, sizeof *b->found)) {
        b->no_memory = true;
        return NULL;
    }
    struct tr__xplane_found *f = &b->found[b->n++];
    *f = (struct tr__xplane_found){ .offset = tr__window_offset(&r->w), .what = what };
    return f;
}

bool tr__xplane_find_events(struct tr__xplane_reader *r, size_t n_events, size_t bytes)
{
    struct tr__xplane_block *b = r->block;
    struct tr__xplane_found *f = b->n ? &b->found[b->n - 1] : NULL;
    bool goes_on = f && f->what == TR__FOUND_EVENTS && f->offset + f->n == tr__window_offset(&r->w);
    if (!goes_on)
        f = find(r, TR__FOUND_EVENTS);
    if (!f || !tr_buf_add(&b->bytes, r->w.p + r->w.at, bytes))
        return tr__xplane_no_memory(r);
    f->n += (uint32_t)bytes;
    b->n_events += n_events;
    return true;
}

void tr__xplane_find_line(struct tr__xplane_reader *r)
{
    struct tr__xplane_found *f = find(r, TR__FOUND_LINE);
    if (!f)
        return;
    f->plane = (uint32_t)r->plane - 1;
    f->n = (uint32_t)r->line - 1;
}

void tr__xplane_find_damage(struct tr__xplane_reader *r, enum tr_damage_cause cause)
{
    struct tr__xplane_found *f = find(r, TR__FOUND_DAMAGE);
    if (f)
        f->n = cause;
}
