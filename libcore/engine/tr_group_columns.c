/* SPDX-License-Identifier: MIT */
/* Columns of an analysis, and columns for the group of a row. */
#include "engine/tr_analysis.h"

#include <inttypes.h>
#include <stdio.h>

#define OF_GROUP(name) .member = TR_MEMBER_GROUP, .at = offsetof(struct tr_group_key, name)

static const struct tr_table_column rank = { "rank", TR_CELL_INT, TR_ROLE_GROUP, OF_GROUP(rank),
                                             .meaning = "the rank" };
/* If there are several, or on request. */
static const struct tr_table_column capture = { "capture", TR_CELL_INT, TR_ROLE_GROUP, OF_GROUP(capture), .rare = true,
                                                .meaning = "number of the recording of the rank, from 0" };
static const struct tr_table_column device = { "device", TR_CELL_INT, TR_ROLE_GROUP, OF_GROUP(device),
                                               .quiet = TR_QUIET_SAME,
                                               .meaning = "the device, as the trace numbers it" };
static const struct tr_table_column stream = { "stream", TR_CELL_INT, TR_ROLE_GROUP, OF_GROUP(stream),
                                               .meaning = "the stream of the device" };
static const struct tr_table_column step = { "step", TR_CELL_INT, TR_ROLE_GROUP, OF_GROUP(step),
                                             .meaning = "the number of the step" };

static bool has_device(enum tr_per per)
{
    return per == TR_PER_DEVICE || per == TR_PER_STREAM;
}

void tr_group_columns(struct tr_table *t, enum tr_per per)
{
    if (per != TR_PER_ALL)
        tr_table_columns(t, &rank, 1);
    tr_table_columns(t, &capture, 1);
    if (per == TR_PER_CAPTURE)
        tr_table_show(t, capture.name);
    if (has_device(per))
        tr_table_columns(t, &device, 1);
    if (per == TR_PER_STREAM)
        tr_table_columns(t, &stream, 1);
    if (per == TR_PER_STEP)
        tr_table_columns(t, &step, 1);
}

static void add_part(struct tr_table *t, int64_t part)
{
    if (part == TR_GROUP_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, part);
}

void tr_group_cells(struct tr_table *t, enum tr_per per, const struct tr_group_key *key)
{
    if (per != TR_PER_ALL)
        add_part(t, key->rank);
    tr_table_int(t, key->capture);
    if (has_device(per))
        add_part(t, key->device);
    if (per == TR_PER_STREAM)
        add_part(t, key->stream);
    if (per == TR_PER_STEP)
        add_part(t, key->step);
}

bool tr_group_remark_devices(const struct tr_analysis_in *in, const struct tr_group_by *w, const uint64_t *track_ns)
{
    struct tr_group_devices d;
    char which[40] = "a rank", unlike[TR_UNLIKE_TEXT + 2] = "", more[80] = "";
    if (!tr_group_by_devices(w, track_ns, &d))
        return false;
    if (!d.n_groups)
        return true;
    if (w->groups[d.group].rank != TR_GROUP_NONE)
        snprintf(which, sizeof which, "rank %" PRId64, w->groups[d.group].rank);
    if (d.n_groups > 1)
        snprintf(more, sizeof more, " (%zu more %s several)", d.n_groups - 1,
                 d.n_groups > 2 ? "ranks have" : "rank has");
    if (d.unlike[0])
        snprintf(unlike, sizeof unlike, "; %s", d.unlike);
    tr_analysis_remark(in, TR_REMARK_RESULT, "",
                       "%s has %zu devices%s: it is idle here only while none of them works%s (see --per device)",
                       which, d.n, more, unlike);
    return true;
}

void tr_analysis_columns(const struct tr_analysis *a, const struct tr_analysis_in *in, const void *options,
                         struct tr_table *t)
{
    if (a->columns) {
        a->columns(in, options, t);
        return;
    }
    if (a->groups)
        tr_group_columns(t, in->work.per);
    tr_table_columns(t, a->own_columns, a->n_columns);
}
