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
    [TR_FIELD_NAME] = { "name", "name of the event", IS(TEXT), BOTH, FROM(STRINGS), W(NAME), 0 },
    [TR_FIELD_CAT] = { "cat", "category", IS(LIST), BOTH, FROM(STRINGS), W(CAT), 0 },
    [TR_FIELD_ACTIVITY] = { "activity", "what happened, such as a kernel or a copy",
                            IS(ENUM), BOTH, FROM(WORDS), W(ACTIVITY), 0 },
    [TR_FIELD_KIND] = { "kind", "of device work: compute, comm, memory or other",
                        IS(ENUM), BOTH, FROM(WORDS), W(KIND), 0 },
    [TR_FIELD_CLASS] = { "class", "label that tr-categorize gave", IS(TEXT), BOTH, FROM(STRINGS), W(FLAGS), D(CLASS) },
    [TR_FIELD_API] = { "api", "of device work: the call that launched it",
                       IS(TEXT), BOTH, FROM(STRINGS), W(FLAGS), D(LAUNCH_NAME) },
    [TR_FIELD_PHASE] = { "phase", "sort of event, such as span or counter", IS(ENUM), BOTH, FROM(WORDS), W(PHASE), 0 },
    [TR_FIELD_TS] = { "ts", "start, from the time base of the stream", IS(TIME), BOTH, FROM(NUMBERS), W(TS), 0 },
    [TR_FIELD_DUR] = { "dur", "duration", IS(TIME), BOTH, FROM(NUMBERS), W(DUR), 0 },
    [TR_FIELD_END] = { "end", "ts plus dur", IS(TIME), BOTH, FROM(NUMBERS), W(TS) | W(DUR), 0 },
    [TR_FIELD_PID] = { "pid", "process, as in the trace", IS(ANY), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_TID] = { "tid", "thread, as in the trace", IS(ANY), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_RANK] = { "rank", "rank of the source", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_HOST] = { "host", "machine of the source", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_DEVICE] = { "device", "device of the track", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_STREAM] = { "stream", "stream of the track", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_PROCESS] = { "process", "name of the process", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_THREAD] = { "thread", "name of the thread", IS(TEXT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_CORRELATION] = { "correlation", "the same as args.correlation",
                               IS(ANY), BOTH, FROM(ARG), W(SHAPE), 0, "correlation", 0 },
    [TR_FIELD_STEP] = { "step", "the step that the event belongs to",
                        IS(INT), BOTH, FROM(NUMBERS), STEP, TR_STEPS_DERIVED },
    [TR_FIELD_STEP_PHASE] = { "step_phase", "phase of that step, of an inference engine",
                              IS(ENUM), BOTH, FROM(WORDS), STEP, TR_STEPS_DERIVED },
    [TR_FIELD_DEPTH] = { "depth", "of a span: number of spans around it on its track",
                         IS(INT), FILTER, FROM(NUMBERS), DEPTH, 0 },
    [TR_FIELD_SOURCE] = { "source", "number of the source in the stream", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_RECORD] = { "record", "index of the event among those of its source",
                          IS(INT), BOTH, FROM(NUMBERS), W(RECORD), 0 },
    [TR_FIELD_CONTEXT] = { "context", "context of the track", IS(INT), BOTH, FROM(TRACK), W(TRACK), 0 },
    [TR_FIELD_LAUNCH_RECORD] = { "launch_record", "of device work: record of its launch call",
                                 IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_RECORD) },
    [TR_FIELD_LAUNCH_TS] = { "launch_ts", "start of that call", IS(TIME), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_TS) },
    [TR_FIELD_LAUNCH_DUR] = { "launch_dur", "duration of that call",
                              IS(TIME), BOTH, FROM(NUMBERS), W(FLAGS), D(LAUNCH_DUR) },
    [TR_FIELD_N_DEVICE] = { "n_device", "of a launch call: device work that it launched",
                            IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(N_DEVICE) },
    [TR_FIELD_SUSPECT] = { "suspect", "why a time is impossible", IS(ENUM), BOTH, FROM(WORDS), W(SUSPECT), 0 },
    [TR_FIELD_TS_PS] = { "ts_ps", "picoseconds, 0 to 999, in addition to ts",
                         IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(TS_PS) },
    [TR_FIELD_DUR_PS] = { "dur_ps", "picoseconds, 0 to 999, in addition to dur",
                          IS(INT), BOTH, FROM(NUMBERS), W(DUR) | W(FLAGS), D(DUR_PS) },
    [TR_FIELD_GRAPH_ID] = { "graph_id", "of device work: the graph that it was launched with",
                            IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(GRAPH_ID) },
    [TR_FIELD_GRAPH_NODE] = { "graph_node", "the node of that graph",
                              IS(INT), BOTH, FROM(NUMBERS), W(FLAGS), D(GRAPH_NODE) },
    [TR_FIELD_KERNEL] = { "kernel", "of device work: its name, without tile, shape and bytes",
                          IS(TEXT), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_GRID] = { "grid", "of a kernel: number of groups",
                        IS(ANY), BOTH, FROM(PART), PART | W(SHAPE), 0, "grid", A(KERNEL) },
    [TR_FIELD_BLOCK] = { "block", "of a kernel: items of a group",
                         IS(ANY), BOTH, FROM(PART), PART | W(SHAPE), 0, "block", A(KERNEL) },
    [TR_FIELD_SIMD] = { "simd", "of a kernel: width of its instructions",
                        IS(ANY), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) },
    [TR_FIELD_TILE] = { "tile", "of device work: the tile of the device",
                        IS(INT), BOTH, FROM(PART), PART, 0, NULL, A(KERNEL) | COPIES },
    [TR_FIELD_DIRECTION] = { "direction", "of a copy or memset: from where to where",
                             IS(TEXT), BOTH, FROM(PART), PART, 0, NULL, COPIES },
    [TR_FIELD_BYTES] = { "bytes", "of a copy or memset: its bytes",
                         IS(SIZE), BOTH, FROM(PART), PART | W(SHAPE), 0, "bytes", COPIES },
    [TR_FIELD_OPERATOR] = { "operator", "the innermost operator around the event", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_MODULE] = { "module", "the innermost module around it, without its number",
                          IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_ANNOTATION] = { "annotation", "the innermost annotation around it that is no step",
                              IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_PARENT] = { "parent", "the innermost span around it that is no step",
                          IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_STACK] = { "stack", "the spans around it", IS(TEXT), BOTH, FROM(OWNER), OWNER },
    [TR_FIELD_GROUP] = { "group", "process group of a collective",
                         IS(TEXT), BOTH, FROM(OWNER), W(SHAPE) | OWNER, "Process Group Name", 0 },
    [TR_FIELD_QUEUE_WAIT] = { "queue_wait", "of device work: wait since the end of its launch call",
                              IS(TIME), BOTH, FROM(NUMBERS), W(TS) | W(FLAGS), WAIT },
    [TR_FIELD_LANE] = { "lane", "of a span: its lane among overlapping ones of its thread",
                        IS(INT), LIST, FROM(OTHER), W(TS) | W(DUR) | W(TRACK) | W(PHASE), 0 },
    [TR_FIELD_ARGS] = { "args", "all args, as an object", IS(ANY), LIST, FROM(OTHER), W(SHAPE), 0 },
    [TR_FIELD_MEMBERS] = { "members", "members outside args that no other field has, as an object",
                           IS(ANY), LIST, FROM(OTHER), W(SHAPE), 0 },
    [TR_FIELD_ARG] = { "args", "a member of the args", IS(ANY), 0, FROM(ARG), W(SHAPE), 0 },
};

enum tr_field_id tr_event_field_find(const char *name, size_t len, unsigned where)
{
    unsigned i = 0;
    while (i < TR_N_FIELDS && (!(tr_event_fields[i].where & where) || strlen(tr_event_fields[i].name) != len ||
                               memcmp(tr_event_fields[i].name, name, len) != 0))
        i++;
    return (enum tr_field_id)i;
}
