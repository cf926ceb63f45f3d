/* SPDX-License-Identifier: MIT */
/*
 * The ends of flows in order: by flow, then by time.  Internal to libcore/formats/xplane.
 *
 *     tr__xplane_flow_ends_order(ends, n);                                            for each part of a file
 *     tr__xplane_flow_ends_add(&e, ends, n, max_memory, temp_dir, &err);
 *     while ((st = tr__xplane_flow_ends_next(e, &end, &err)) == TR_OK) ...            all of them
 *
 * They are in memory as far as max_memory (bytes) allows, else in a temporary file.
 */
#ifndef TR_XPLANE_FLOW_ENDS_INT_H
#define TR_XPLANE_FLOW_ENDS_INT_H

#include "base/tr_status.h"

#include <stddef.h>
#include <stdint.h>

/* At one moment, starts come first. */
enum tr__xplane_role { TR__FLOW_OUT, TR__FLOW_BOTH, TR__FLOW_IN };

/* Where a flow touches an event. */
struct tr__xplane_flow_end {
    uint64_t kind, id; /* kind: twice the type, or twice the category plus 1 */
    int64_t ts;
    uint64_t record;
    uint32_t plane, line; /* from 0 */
    uint16_t ts_ps;
    uint8_t role; /* enum tr__xplane_role */
};

struct tr__xplane_flow_ends;

void tr__xplane_flow_ends_order(struct tr__xplane_flow_end *ends, size_t n);
/* Add ends in order; they are copied.  *e NULL: the first ones.  TR_OK or TR_SYSTEM. */
enum tr_status tr__xplane_flow_ends_add(struct tr__xplane_flow_ends **e, const struct tr__xplane_flow_end *ends,
                                        size_t n, size_t max_memory, const char *temp_dir, struct tr_error *err);
/* The next of all; nothing may be added any more.  It is valid until the next call.  TR_END after the last. */
enum tr_status tr__xplane_flow_ends_next(struct tr__xplane_flow_ends *e, const struct tr__xplane_flow_end **end,
                                         struct tr_error *err);
void tr__xplane_flow_ends_free(struct tr__xplane_flow_ends *e);

#endif
