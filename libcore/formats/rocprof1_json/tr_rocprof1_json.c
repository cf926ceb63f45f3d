/* SPDX-License-Identifier: MIT */
/*
 * Dialect of AMD's rocprof (version 1): results.json.
 *
 * Its processes are roles, by their names: "CPU HIP API", "CPU HSA API", "Markers and Ranges", "COPY", "GPU0", "GPU
 * Barriers0"; the names come first.  Exact times are in args, as ns; ts and dur have whole us.  An arrow from the start
 * of a call (s) to the start of its work (t) has the times in us, so both ends are found by these.
 */
#include "formats/common/tr_dialect_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_numbers_int.h"

#include <stdlib.h>

enum role { UNKNOWN, HIP, HSA, MARKERS, COPIES, GPU, BARRIERS };

struct process {
    enum role role;
    int64_t device;
};

struct state {
    struct process *processes;
    size_t n, cap;
    struct tr__numbers by_pid;
};

static bool speaks(const unsigned char *p, size_t n)
{
    return tr__probe_holds(p, n, "\"process_name\"") &&
           (tr__probe_holds(p, n, "\"CPU HIP API\"") || tr__probe_holds(p, n, "\"CPU HSA API\"") ||
            tr__probe_holds(p, n, "\"GPU Barriers"));
}

static void *start(void)
{
    return calloc(1, sizeof(struct state));
}

static void release(void *ctx)
{
    struct state *s = ctx;
    free(s->processes);
    tr__numbers_free(&s->by_pid);
    free(s);
}

static struct process role_of(struct tr_str name)
{
    static const struct {
        const char *name;
        enum role role;
    } roles[] = {
        { "CPU HIP API", HIP }, { "CPU HSA API", HSA }, { "Markers and Ranges", MARKERS }, { "COPY", COPIES }
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (tr_str_is(name, roles[i].name))
            return (struct process){ roles[i].role, TR_I64_NONE };
    int64_t gpu = tr_dialect_number_after(name, "GPU"), barriers = tr_dialect_number_after(name, "GPU Barriers");
    if (barriers != TR_I64_NONE)
        return (struct process){ BARRIERS, barriers };
    return (struct process){ gpu != TR_I64_NONE ? GPU : UNKNOWN, gpu };
}

static bool name_process(struct state *s, const struct tr_dialect_event *e)
{
    struct tr_str name = tr_dialect_text(tr_dialect_arg(e, "name"));
    if (!name.s || !tr_str_is(e->name, "process_name"))
        return true;
    if (!tr_grow(&s->processes, &s->cap, s->n + 1, sizeof *s->processes) ||
        !tr__numbers_set(&s->by_pid, (uint64_t)e->pid, (uint32_t)s->n))
        return false;
    s->processes[s->n++] = role_of(name);
    return true;
}

static int work(const struct tr_dialect_event *e)
{
    if (tr_str_is(e->name, "<barrier packet>"))
        return TR_ACT_SYNC;
    if (tr_dialect_starts(e->name, "FillBuffer"))
        return TR_ACT_MEMSET;
    return tr_dialect_starts(e->name, "Copy") ? TR_ACT_MEMCPY : TR_ACT_KERNEL;
}

static int activity_of(enum role role, const struct tr_dialect_event *e)
{
    switch (role) {
    case HIP:
        return TR_ACT_RUNTIME_API;
    case HSA:
        return TR_ACT_DRIVER_API;
    case MARKERS:
        return TR_ACT_ANNOTATION;
    case COPIES:
        return tr_dialect_starts(e->name, "FillBuffer") ? TR_ACT_MEMSET : TR_ACT_MEMCPY;
    case GPU:
        return work(e);
    case BARRIERS:
        return TR_ACT_SYNC;
    default:
        return -1;
    }
}

/* The times in ns, and the place of a copy. */
static void read_args(const struct process *p, struct tr_dialect_event *e)
{
    int64_t begin, end, value;
    if (tr_dialect_integer(tr_dialect_arg(e, "BeginNs"), &begin) &&
        tr_dialect_integer(tr_dialect_arg(e, "EndNs"), &end) && begin >= 0 && end >= begin) {
        e->ts = begin;
        e->dur = end - begin;
    }
    if (p->role != COPIES && p->role != GPU && p->role != BARRIERS)
        return;
    e->device = p->device;
    if (e->device == TR_I64_NONE)
        e->device = tr_dialect_integer(tr_dialect_arg(e, "dev-id"), &value) ? value : 0;
    if (tr_dialect_integer(tr_dialect_arg(e, "stream-id"), &value))
        e->stream = value;
}

static bool event(void *ctx, struct tr_dialect_event *e)
{
    struct state *s = ctx;
    if (e->phase == TR_META)
        return name_process(s, e);
    uint32_t i = tr__numbers_get(&s->by_pid, (uint64_t)e->pid);
    if (i == UINT32_MAX || e->ts == TR_TIME_NONE)
        return true;
    e->link = tr_dialect_place(e, e->ts);
    if (e->phase == TR_SPAN) {
        e->activity = activity_of(s->processes[i].role, e);
        read_args(&s->processes[i], e);
    } else if (!tr_dialect_integer(tr_dialect_member(e, "id"), &e->arrow)) {
        e->arrow = TR_I64_NONE;
    }
    return true;
}

const struct tr_dialect tr_dialect_rocprof1 = {
    .name = "rocprof", .speaks = speaks, .quoted_times = true, .start = start, .event = event, .free = release,
};
