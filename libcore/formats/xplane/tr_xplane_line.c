/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: lines of a plane, the tracks of events. */
#include "formats/xplane/tr_xplane_int.h"

#include "base/tr_num.h"

/* The number in "Stream #17(Kernel)"; TR_I64_NONE: it is not a stream. */
static int64_t stream_of(struct tr_str line)
{
    static const char start[] = "Stream #";
    int64_t v = 0;
    size_t n = sizeof start - 1;
    if (!tr__xplane_starts(line, start) || n == line.len || !tr_num_is_digit(line.s[n]))
        return TR_I64_NONE;
    for (; n < line.len && tr_num_is_digit(line.s[n]) && v < INT64_MAX / 20; n++)
        v = 10 * v + (line.s[n] - '0');
    return v;
}

bool tr__xplane_is_step_line(struct tr_str line)
{
    return tr_str_is(line, "Steps") || tr_str_is(line, "Sparse Core Steps");
}

bool tr__xplane_ran(const struct tr__xplane *p, struct tr_str line)
{
    if (p->kind == TR__PLANE_GPU)
        return tr__xplane_starts(line, "Stream #");
    return tr_str_is(line, "XLA Ops") || tr_str_is(line, "Async XLA Ops") || tr_str_is(line, "Sparse Core Ops");
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
        t.stream = p->kind == TR__PLANE_GPU ? stream_of(of) : tr__xplane_ran(p, of) ? line->id : TR_I64_NONE;
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
