/* SPDX-License-Identifier: MIT */
/*
 * Dialect of rocmProfileData: JSON that its rpd2tracing makes of a database *.rpd.
 *
 * A process "GPUn" has the work of a device, whose type is in the arg desc; the others are host processes.  Times are
 * whole us.  Arrows start 2 us before the end of a call, rounded, so they do not say for sure which call it was: work
 * has no launch here.  The database has it.
 */
#include "formats/common/tr_dialect_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_numbers_int.h"

#include <stdlib.h>

static bool speaks(const unsigned char *p, size_t n)
{
    return tr__probe_holds(p, n, "\"process_name\"") && tr__probe_holds(p, n, "\"args\":{\"name\":\"GPU") &&
           tr__probe_holds(p, n, "\"args\":{\"name\":\"Hip ");
}

static void *start(void)
{
    return calloc(1, sizeof(struct tr__numbers)); /* the device of each process that is one */
}

static void release(void *ctx)
{
    tr__numbers_free(ctx);
    free(ctx);
}

static int work(struct tr_str type)
{
    if (tr_str_is(type, "KernelExecution") || tr_str_is(type, "Task")) /* Task: a kernel of a graph */
        return TR_ACT_KERNEL;
    if (tr_dialect_starts(type, "Copy"))
        return TR_ACT_MEMCPY;
    if (tr_dialect_starts(type, "Fill"))
        return TR_ACT_MEMSET;
    bool waits = tr_dialect_starts(type, "Barrier") || tr_dialect_starts(type, "Marker");
    return waits ? TR_ACT_SYNC : TR_ACT_DEVICE_ANNOTATION;
}

static bool event(void *ctx, struct tr_dialect_event *e)
{
    struct tr__numbers *devices = ctx;
    if (e->phase == TR_META && tr_str_is(e->name, "process_name")) {
        int64_t device = tr_dialect_number_after(tr_dialect_text(tr_dialect_arg(e, "name")), "GPU");
        return device < 0 || device >= UINT32_MAX || tr__numbers_set(devices, (uint64_t)e->pid, (uint32_t)device);
    }
    if (e->phase != TR_SPAN)
        return true;
    uint32_t device = tr__numbers_get(devices, (uint64_t)e->pid);
    if (device == UINT32_MAX) {
        e->activity = tr_dialect_starts(e->name, "hip") ? TR_ACT_RUNTIME_API : TR_ACT_ANNOTATION;
        return true;
    }
    e->activity = work(tr_dialect_text(tr_dialect_arg(e, "desc")));
    e->device = device;
    e->stream = e->tid;
    return true;
}

const struct tr_dialect tr_dialect_rpd = {
    .name = "rpd-json", .speaks = speaks, .quoted_times = true, .start = start, .event = event, .free = release,
};
