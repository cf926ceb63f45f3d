/* SPDX-License-Identifier: MIT */
/* The table of the fields of events. */
#include "field/tr_event_field.h"

#include "model/tr_steps.h"
#include "service/tr_owners.h"

#include <string.h>

#define W(column) TR_FIXED_BIT(column)
#define D(column) (1u << TR_COL_##column)
#define FILTER    TR_FIELD_TO_FILTER
#define LIST      TR_FIELD_TO_LIST
#define BOTH      (FILTER | LIST)
#define IS(type)  TR_FIELD_IS_##type
#define FROM(way) TR_FIELD_FROM_##way
#define STEP      (W(TS) | W(TRACK) | W(ACTIVITY) | W(FLAGS))
#define A(activity) (1u << TR_ACT_##activity)
#define PART      (W(NAME) | W(ACTIVITY))
#define COPIES    (A(MEMCPY) | A(MEMSET))
#define DEPTH     (W(TS) | W(DUR) | W(TRACK) | W(PHASE) | W(FLAGS) | W(SUSPECT) | W(ACTIVITY))
#define WAIT      (D(LAUNCH_TS) | D(LAUNCH_DUR))
#define OWNER     TR_ENCLOSING_FIXED, TR_ENCLOSING_DERIVED

const struct tr_event_field tr_event_fields[TR_N_FIELDS] = {
    [TR_FIELD_NAME] = { "name", IS(TEXT), BOTH, FROM(STRINGS), W(NAME), 0 },
    [TR_FIELD_CAT] = { "cat", IS(LIST), BOTH, FROM(STRINGS), W(CAT), 0 },
    [TR_FIELD_ACTIVITY] = { "activity", IS(ENUM), BOTH, FROM(WORDS), W(ACTIVITY), 0 },
    [TR_FIELD_KIND] = { "kind", IS(ENUM), BOTH, FROM(WORDS), W(KIND), 0 },
    [TR_FIELD_CLASS] = { "class", IS(TEXT), BOTH, FROM(STRINGS), W(FLAGS), D(CLASS) },
    [TR_FIELD_API] = { "api", IS(TEXT), BOTH, FROM(STRINGS), W(FLAGS), D(LAUNCH_NAME) },
    [TR_FIELD_PHASE] = { "phase", IS(ENUM), BOTH, FROM(WORDS), W(PHASE), 0 },
    [TR_FIELD_TS] = { "ts", IS(TIME), BOTH, FROM(NUMBERS), W(TS), 0 },
    [TR_FIELD_DUR] = { "dur", IS(TIME), BOTH, FROM(NUMBERS), W(DUR), 0 },
    [TR_FIELD_END] = { "end", IS(TIME), BOTH, FROM(NUMBERS), W(TS) | W(DUR), 0 },
    [TR_FIELD_PID] = { "pid", IS(ANY), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_TID] = { "tid", IS(ANY), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_RANK] = { "rank", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_HOST] = { "host", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_DEVICE] = { "device", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_STREAM] = { "stream", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_PROCESS] = { "process", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_THREAD] = { "thread", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_CORRELATION] = { "correlation", IS(ANY), BOTH, FROM(ARG), W(SHAPE), 0, "correlation", 0 },
    [TR_FIELD_STEP] = { "step", IS(INT), BOTH, FROM(NUMBERS), STEP, TR_STEPS_DERIVED },
    [TR_FIELD_STEP_PHASE] = { "step_phase", IS(ENUM), BOTH, FROM(WORDS), STEP, TR_STEPS_DERIVED },
    [TR_FIELD_DEPTH] = { "depth", IS(INT), FILTER, FROM(NUMBERS), DEPTH, 0 },
    [TR_FIELD_SOURCE] = { "source", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_RECORD] = { "record", IS(INT), BOTH, FROM(NUMBERS), W(RECORD), 0 },
    [TR_FIELD_CONTEXT] = { "context", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_LAUNCH_RECORD] = { "launch_record", IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_RECORD) },
    [TR_FIELD_LAUNCH_TS] = { "launch_ts", IS(TIME), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_TS) },
    [TR_FIELD_LAUNCH_DUR] = { "launch_dur", IS(TIME), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_DUR) },
    [TR_FIELD_N_DEVICE] = { "n_device", IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(N_DEVICE) },
    [TR_FIELD_SUSPECT] = { "suspect", IS(ENUM), BOTH, FROM(WORDS), W(SUSPECT), 0 },
    [TR_FIELD_TS_PS] = { "ts_ps", IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(TS_PS) },
    [TR_FIELD_DUR_PS] = { "dur_ps", IS(INT), BOTH, FROM(NUMBERS), W(DUR) | W(FLAGS), D(DUR_PS) },
    [TR_FIELD_GRAPH_ID] = { "graph_id", IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(GRAPH_ID) },
    [TR_FIELD_GRAPH_NODE] = { "graph_node", IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(GRAPH_NODE) },
    [TR_FIELD_KERNEL] = { "kernel", IS(TEXT), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_GRID] = { "grid", IS(ANY), BOTH, FROM(PART), PART | W(SHAPE), 0, "grid", A(KERNEL) },
    [TR_FIELD_BLOCK] = { "block", IS(ANY), BOTH, FROM(PART), PART | W(SHAPE), 0, "block", A(KERNEL) },
    [TR_FIELD_SIMD] = { "simd", IS(ANY), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) },
    [TR_FIELD_TILE] = { "tile", IS(INT), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_DIRECTION] = { "direction", IS(TEXT), BOTH, FROM(PART), PART, 0, NULL, COPIES },
    [TR_FIELD_BYTES] = { "bytes", IS(SIZE), BOTH, FROM(PART), PART | W(SHAPE), 0, "bytes", COPIES },
    [TR_FIELD_OPERATOR] = { "operator", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_MODULE] = { "module", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_ANNOTATION] = { "annotation", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_PARENT] = { "parent", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_STACK] = { "stack", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_GROUP] = { "group", IS(TEXT), BOTH, FROM(OWNER), W(SHAPE) | OWNER, "Process Group Name", 0 },
    [TR_FIELD_QUEUE_WAIT] = { "queue_wait", IS(TIME), BOTH, FROM(NUMBERS), W(TS) | W(FLAGS), WAIT },
    [TR_FIELD_LANE] = { "lane", IS(INT), LIST, FROM(OTHER), W(TS) | W(DUR) | W(TRACK) | W(PHASE), 0 },
    [TR_FIELD_ARGS] = { "args", IS(ANY), LIST, FROM(OTHER), W(SHAPE), 0 },
    [TR_FIELD_MEMBERS] = { "members", IS(ANY), LIST, FROM(OTHER), W(SHAPE), 0 },
    [TR_FIELD_ARG] = { "args", IS(ANY), 0, FROM(ARG), W(SHAPE), 0 },
};

enum tr_field_id tr_event_field_find(const char *name, size_t len, unsigned where)
{
    unsigned i = 0;
    while (i < TR_N_FIELDS && (!(tr_event_fields[i].where & where) || strlen(tr_event_fields[i].name) != len ||
                               memcmp(tr_event_fields[i].name, name, len) != 0))
        i++;
    return (enum tr_field_id)i;
}
