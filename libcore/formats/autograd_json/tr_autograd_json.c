/* SPDX-License-Identifier: MIT */
/*
 * Dialect of PyTorch's older profiler (torch.autograd.profiler): an array whose events have the pid "CPU functions" or
 * "CUDA functions".
 *
 * A span of a device is the time of an operator between two of its events.  An arrow (s, f) joins the operator on the
 * host and its span on the device.  Versions from 1.9 on have the host alone.
 */
#include "formats/common/tr_dialect_list_int.h"
#include "formats/common/tr_json_probe_int.h"

#include <stdlib.h>

static bool speaks(const unsigned char *p, size_t n)
{
    size_t at = tr__json_start(p, n);
    return at < n && p[at] == '[' && tr__probe_holds(p, n, "\"CPU functions\"");
}

static void *start(void)
{
    return calloc(1, 1); /* it has no state */
}

static bool event(void *ctx, struct tr_dialect_event *e)
{
    (void)ctx;
    bool host = tr_str_is(e->pid_text, "CPU functions"), device = tr_str_is(e->pid_text, "CUDA functions");
    if (!(host || device) || e->ts == TR_TIME_NONE)
        return true;
    e->link = tr_dialect_place(e, e->ts);
    if (e->phase == TR_SPAN) {
        e->activity = host ? TR_ACT_CPU_OP : TR_ACT_KERNEL;
        e->launches = host;
        if (device) {
            e->device = e->tid;
            e->stream = 0;
        }
    } else if (!tr_dialect_integer(tr_dialect_member(e, "id"), &e->arrow)) {
        e->arrow = TR_I64_NONE;
    }
    return true;
}

const struct tr_dialect tr_dialect_autograd = {
    .name = "autograd", .speaks = speaks, .start = start, .event = event, .free = free,
};
