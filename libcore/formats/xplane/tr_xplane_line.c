/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: lines of a plane, the tracks of events. */
#include "formats/xplane/tr_xplane_int.h"

#include "vendor/tr_xla.h"

bool tr__xplane_ran(const struct tr__xplane *p, struct tr_str line)
{
    return tr_xla_ran(p->kind == TR__PLANE_GPU ? TR_XLA_GPU : TR_XLA_TPU, line);
}

struct tr_ingest_track tr__xplane_track(struct tr__xplane_reader *r, struct tr__xplane *p,
                                        const struct tr__xplane_line *line)
{
    struct tr_ingest_track t = TR_INGEST_TRACK_INIT;
    struct tr_str name = tr__xplane_str(r, p->name), of = tr__xplane_str(r, line->name);
    if (name.s) {
        t.pid_text = name.s;
        t.pid_len = name.len;
        t.pid_number = tr__xplane_number(r, p->name, &p->number) + 1;
    }
    t.tid = line->id;
    if (tr__xplane_on_device(p)) {
        t.side = TR_SIDE_DEVICE;
        t.device = p->device;
        t.stream = p->kind == TR__PLANE_GPU ? tr_xla_stream(of) : tr__xplane_ran(p, of) ? line->id : TR_I64_NONE;
    }
    return t;
}

void tr__xplane_name_line(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line)
{
    struct tr_str plane = tr__xplane_str(r, p->name), name = tr__xplane_str(r, line->name);
    struct tr_ingest_track t = tr__xplane_track(r, p, line);
    if (!name.s || !name.len)
        name = tr__xplane_str(r, line->display);
    if (plane.s)
        tr_ingest_process_of(r->g, &t, plane.s, plane.len, TR_I64_NONE);
    if (name.s && name.len)
        tr_ingest_thread_of(r->g, &t, name.s, name.len, TR_I64_NONE);
}
