/* SPDX-License-Identifier: MIT */
/* Names of phases, activities, kinds and sides. */
#include "stream/tr_event.h"

#include <string.h>

static const char *const phase_names[TR_N_PHASES] = {
    [TR_SPAN] = "span",
    [TR_INSTANT] = "instant",
    [TR_COUNTER] = "counter",
    [TR_FLOW_START] = "flow_start",
    [TR_FLOW_STEP] = "flow_step",
    [TR_FLOW_END] = "flow_end",
    [TR_ASYNC_BEGIN] = "async_begin",
    [TR_ASYNC_INSTANT] = "async_instant",
    [TR_ASYNC_END] = "async_end",
    [TR_META] = "metadata",
    [TR_BEGIN] = "begin",
    [TR_SPAN_END] = "end",
    [TR_PHASE_UNKNOWN] = "unknown",
};

static const char *const activity_names[TR_N_ACTIVITIES] = {
    [TR_ACT_OTHER] = "other",
    [TR_ACT_CPU_OP] = "cpu_op",
    [TR_ACT_ANNOTATION] = "annotation",
    [TR_ACT_PYTHON] = "python",
    [TR_ACT_RUNTIME_API] = "runtime_api",
    [TR_ACT_DRIVER_API] = "driver_api",
    [TR_ACT_KERNEL] = "kernel",
    [TR_ACT_MEMCPY] = "memcpy",
    [TR_ACT_MEMSET] = "memset",
    [TR_ACT_SYNC] = "sync",
    [TR_ACT_DEVICE_ANNOTATION] = "device_annotation",
    [TR_ACT_COMM_RECORD] = "comm_record",
    [TR_ACT_MEMORY_INSTANT] = "memory_instant",
    [TR_ACT_OVERHEAD] = "overhead",
    [TR_ACT_OS_API] = "os_api",
    [TR_ACT_HOST_COMM] = "host_comm",
};

static const char *const kind_names[TR_N_KINDS] = {
    [TR_KIND_NONE] = "none",     [TR_KIND_COMPUTE] = "compute", [TR_KIND_COMM] = "comm",
    [TR_KIND_MEMORY] = "memory", [TR_KIND_OTHER] = "other",
};

static const char *const suspect_names[TR_N_SUSPECTS] = {
    [TR_SUSPECT_NO] = "no",
    [TR_SUSPECT_NEGATIVE_DUR] = "negative_dur",
    [TR_SUSPECT_LONG_DUR] = "long_dur",
    [TR_SUSPECT_BEFORE_BASE] = "before_base",
    [TR_SUSPECT_OVERFLOW] = "overflow",
    [TR_SUSPECT_ZERO_TIME] = "zero_time",
};

static int find(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *tr_phase_name(unsigned phase)
{
    return phase < TR_N_PHASES ? phase_names[phase] : "?";
}

const char *tr_activity_name(unsigned activity)
{
    return activity < TR_N_ACTIVITIES ? activity_names[activity] : "?";
}

const char *tr_kind_name(unsigned kind)
{
    return kind < TR_N_KINDS ? kind_names[kind] : "?";
}

const char *tr_suspect_name(unsigned suspect)
{
    return suspect < TR_N_SUSPECTS ? suspect_names[suspect] : "?";
}

int tr_phase_by_name(const char *name)
{
    return find(phase_names, TR_N_PHASES, name);
}

int tr_activity_by_name(const char *name)
{
    return find(activity_names, TR_N_ACTIVITIES, name);
}

int tr_kind_by_name(const char *name)
{
    return find(kind_names, TR_N_KINDS, name);
}
