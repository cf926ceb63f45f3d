/* SPDX-License-Identifier: MIT */
/* The table of the fields of events. */
#include "model/tr_event_field.h"

#include "model/tr_steps.h"
#include "stream/tr_batch.h"

#include <string.h>

#define W(column) TR_FIXED_BIT(column)
#define D(column) (1u << TR_COL_##column)
#define BOTH      (TR_FIELD_TO_FILTER | TR_FIELD_TO_LIST)
#define STEP      (W(TS) | W(TRACK) | W(ACTIVITY) | W(FLAGS))
#define A(activity) (1u << TR_ACT_##activity)
#define PART      (W(NAME) | W(ACTIVITY))
#define COPIES    (A(MEMCPY) | A(MEMSET))
#define DEPTH     (W(TS) | W(DUR) | W(TRACK) | W(PHASE) | W(FLAGS) | W(SUSPECT) | W(ACTIVITY))

const struct tr_event_field tr_event_fields[TR_N_FIELDS] = {
    [TR_FIELD_NAME] = { "name", TR_FIELD_IS_TEXT, BOTH, W(NAME), 0 },
    [TR_FIELD_CAT] = { "cat", TR_FIELD_IS_LIST, BOTH, W(CAT), 0 },
    [TR_FIELD_ACTIVITY] = { "activity", TR_FIELD_IS_ENUM, BOTH, W(ACTIVITY), 0 },
    [TR_FIELD_KIND] = { "kind", TR_FIELD_IS_ENUM, BOTH, W(KIND), 0 },
    [TR_FIELD_CLASS] = { "class", TR_FIELD_IS_TEXT, BOTH, W(FLAGS), D(CLASS) },
    [TR_FIELD_API] = { "api", TR_FIELD_IS_TEXT, TR_FIELD_TO_FILTER, W(FLAGS), D(LAUNCH_NAME) },
    [TR_FIELD_PHASE] = { "phase", TR_FIELD_IS_ENUM, BOTH, W(PHASE), 0 },
    [TR_FIELD_TS] = { "ts", TR_FIELD_IS_TIME, BOTH, W(TS), 0 },
    [TR_FIELD_DUR] = { "dur", TR_FIELD_IS_TIME, BOTH, W(DUR), 0 },
    [TR_FIELD_END] = { "end", TR_FIELD_IS_TIME, BOTH, W(TS) | W(DUR), 0 },
    [TR_FIELD_PID] = { "pid", TR_FIELD_IS_ANY, BOTH, W(TRACK), 0 },
    [TR_FIELD_TID] = { "tid", TR_FIELD_IS_ANY, BOTH, W(TRACK), 0 },
    [TR_FIELD_RANK] = { "rank", TR_FIELD_IS_INT, BOTH, W(TRACK), 0 },
    [TR_FIELD_HOST] = { "host", TR_FIELD_IS_TEXT, BOTH, W(TRACK), 0 },
    [TR_FIELD_DEVICE] = { "device", TR_FIELD_IS_INT, BOTH, W(TRACK), 0 },
    [TR_FIELD_STREAM] = { "stream", TR_FIELD_IS_INT, BOTH, W(TRACK), 0 },
    [TR_FIELD_PROCESS] = { "process", TR_FIELD_IS_TEXT, BOTH, W(TRACK), 0 },
    [TR_FIELD_THREAD] = { "thread", TR_FIELD_IS_TEXT, BOTH, W(TRACK), 0 },
    [TR_FIELD_CORRELATION] = { "correlation", TR_FIELD_IS_ANY, BOTH, W(SHAPE), 0, "correlation", 0 },
    [TR_FIELD_STEP] = { "step", TR_FIELD_IS_INT, BOTH, STEP, TR_STEPS_DERIVED },
    [TR_FIELD_STEP_PHASE] = { "step_phase", TR_FIELD_IS_ENUM, BOTH, STEP, TR_STEPS_DERIVED },
    [TR_FIELD_DEPTH] = { "depth", TR_FIELD_IS_INT, TR_FIELD_TO_FILTER, DEPTH, 0 },
    [TR_FIELD_SOURCE] = { "source", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(TRACK), 0 },
    [TR_FIELD_RECORD] = { "record", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(RECORD), 0 },
    [TR_FIELD_CONTEXT] = { "context", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(TRACK), 0 },
    [TR_FIELD_LAUNCH_RECORD] = { "launch_record", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(FLAGS), D(LAUNCH_RECORD) },
    [TR_FIELD_LAUNCH_TS] = { "launch_ts", TR_FIELD_IS_TIME, TR_FIELD_TO_LIST, W(FLAGS), D(LAUNCH_TS) },
    [TR_FIELD_LAUNCH_DUR] = { "launch_dur", TR_FIELD_IS_TIME, TR_FIELD_TO_LIST, W(FLAGS), D(LAUNCH_DUR) },
    [TR_FIELD_LAUNCH_NAME] = { "launch_name", TR_FIELD_IS_TEXT, TR_FIELD_TO_LIST, W(FLAGS), D(LAUNCH_NAME) },
    [TR_FIELD_N_DEVICE] = { "n_device", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(FLAGS), D(N_DEVICE) },
    [TR_FIELD_SUSPECT] = { "suspect", TR_FIELD_IS_ENUM, TR_FIELD_TO_LIST, W(SUSPECT), 0 },
    [TR_FIELD_TS_PS] = { "ts_ps", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(FLAGS), D(TS_PS) },
    [TR_FIELD_DUR_PS] = { "dur_ps", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(DUR) | W(FLAGS), D(DUR_PS) },
    [TR_FIELD_GRAPH_ID] = { "graph_id", TR_FIELD_IS_INT, BOTH, W(FLAGS), D(GRAPH_ID) },
    [TR_FIELD_GRAPH_NODE] = { "graph_node", TR_FIELD_IS_INT, BOTH, W(FLAGS), D(GRAPH_NODE) },
    [TR_FIELD_KERNEL] = { "kernel", TR_FIELD_IS_TEXT, BOTH, PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_GRID] = { "grid", TR_FIELD_IS_ANY, BOTH, PART | W(SHAPE), 0, "grid", A(KERNEL) },
    [TR_FIELD_BLOCK] = { "block", TR_FIELD_IS_ANY, BOTH, PART | W(SHAPE), 0, "block", A(KERNEL) },
    [TR_FIELD_SIMD] = { "simd", TR_FIELD_IS_ANY, BOTH, PART, 0, NULL, A(KERNEL) },
    [TR_FIELD_TILE] = { "tile", TR_FIELD_IS_INT, BOTH, PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_DIRECTION] = { "direction", TR_FIELD_IS_TEXT, BOTH, PART, 0, NULL, COPIES },
    [TR_FIELD_BYTES] = { "bytes", TR_FIELD_IS_SIZE, BOTH, PART | W(SHAPE), 0, "bytes", COPIES },
    [TR_FIELD_LANE] = { "lane", TR_FIELD_IS_INT, TR_FIELD_TO_LIST, W(TS) | W(DUR) | W(TRACK) | W(PHASE), 0 },
    [TR_FIELD_ARGS] = { "args", TR_FIELD_IS_ANY, TR_FIELD_TO_LIST, W(SHAPE), 0 },
    [TR_FIELD_MEMBERS] = { "members", TR_FIELD_IS_ANY, TR_FIELD_TO_LIST, W(SHAPE), 0 },
    [TR_FIELD_ARG] = { "args", TR_FIELD_IS_ANY, 0, W(SHAPE), 0 },
};

enum tr_field_id tr_event_field_find(const char *name, size_t len, unsigned where)
{
    unsigned i = 0;
    while (i < TR_N_FIELDS && (!(tr_event_fields[i].where & where) || strlen(tr_event_fields[i].name) != len ||
                               memcmp(tr_event_fields[i].name, name, len) != 0))
        i++;
    return (enum tr_field_id)i;
}
