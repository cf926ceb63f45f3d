/* SPDX-License-Identifier: MIT */
/*
 * Dialect of XLA's profiler: *.trace.json.gz of JAX, TensorFlow and PyTorch/XLA.
 *
 * Names of processes and threads say what a span is (vendor/tr_xla.h); they come before all spans.  All values of args
 * are texts.  A profile has these events again in *.xplane.pb, more of them and exact.
 */
#include "formats/common/tr_dialect_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_numbers_int.h"
#include "ingest/tr_lane_int.h"
#include "vendor/tr_xla.h"

#include <stdlib.h>

struct thread {
    int64_t stream;
    bool ran, ops, steps; /* it has device work; it is "XLA Ops"; it is a line of steps */
};

struct process {
    struct tr_xla_process is;
    bool has_streams;
};

struct state {
    struct process *processes;
    struct thread *threads;
    size_t n_processes, cap_processes, n_threads, cap_threads;
    struct tr__numbers by_pid, by_thread; /* the latter by a number for pid and tid */
    bool has_steps;
    int64_t steps_pid; /* of the first device with a line of steps */
};

static bool speaks(const unsigned char *p, size_t n)
{
    return tr__probe_holds(p, n, "\"process_name\"") &&
           (tr__probe_holds(p, n, "\"/device:GPU:") || tr__probe_holds(p, n, "\"/device:TPU:") ||
            tr__probe_holds(p, n, "\"/device:CUSTOM:") || tr__probe_holds(p, n, "\"/host:CPU\"") ||
            tr__probe_holds(p, n, "/device:GPU:0/stream:") || tr__probe_holds(p, n, "\"/gpu:0"));
}

static void *start(void)
{
    return calloc(1, sizeof(struct state));
}

static void release(void *ctx)
{
    struct state *s = ctx;
    free(s->processes);
    free(s->threads);
    tr__numbers_free(&s->by_pid);
    tr__numbers_free(&s->by_thread);
    free(s);
}

static struct process *find_process(const struct state *s, int64_t pid)
{
    uint32_t i = tr__numbers_get(&s->by_pid, (uint64_t)pid);
    return i == UINT32_MAX ? NULL : &s->processes[i];
}

static bool name_process(struct state *s, int64_t pid, struct tr_str name)
{
    if (!tr_grow(&s->processes, &s->cap_processes, s->n_processes + 1, sizeof *s->processes) ||
        !tr__numbers_set(&s->by_pid, (uint64_t)pid, (uint32_t)s->n_processes))
        return false;
    s->processes[s->n_processes++] = (struct process){ .is = tr_xla_process(name) };
    return true;
}

static bool name_thread(struct state *s, const struct tr_dialect_event *e, struct tr_str name)
{
    struct process *p = find_process(s, e->pid);
    if (!p || (p->is.kind != TR_XLA_GPU && p->is.kind != TR_XLA_TPU))
        return true;
    if (!tr_grow(&s->threads, &s->cap_threads, s->n_threads + 1, sizeof *s->threads) ||
        !tr__numbers_set(&s->by_thread, (uint64_t)tr__place(e->pid, e->tid, 0), (uint32_t)s->n_threads))
        return false;
    struct thread t = { tr_xla_stream(name), tr_xla_ran(p->is.kind, name), tr_str_is(name, "XLA Ops"),
                        tr_xla_is_step_line(name) };
    p->has_streams |= p->is.kind == TR_XLA_GPU && t.ran;
    s->threads[s->n_threads++] = t;
    return true;
}

/* Names that come after the first span are too late for it: writers put them first. */
static bool metadata(struct state *s, const struct tr_dialect_event *e)
{
    struct tr_str name = tr_dialect_text(tr_dialect_arg(e, "name"));
    if (!name.s)
        return true;
    if (tr_str_is(e->name, "process_name"))
        return name_process(s, e->pid, name);
    return !tr_str_is(e->name, "thread_name") || name_thread(s, e, name);
}

static int device_activity(const struct tr_dialect_event *e)
{
    if (tr_dialect_arg(e, "kernel_details").s)
        return TR_ACT_KERNEL;
    if (tr_dialect_arg(e, "memset_details").s || tr_dialect_arg(e, "Memset_details").s)
        return TR_ACT_MEMSET;
    return tr_dialect_arg(e, "memcpy_details").s ? TR_ACT_MEMCPY : (int)tr_xla_device_activity(e->name);
}

/* A GPU without streams, as some writers cut it, has its operations. */
static bool ran(const struct process *p, const struct thread *t)
{
    if (p->is.stream != TR_I64_NONE || p->is.repeats)
        return !p->is.repeats;
    return t && (t->ran || (p->is.kind == TR_XLA_GPU && !p->has_streams && t->ops));
}

static void on_device(struct state *s, const struct process *p, const struct thread *t, struct tr_dialect_event *e)
{
    e->device = p->is.device;
    e->stream = p->is.stream != TR_I64_NONE ? p->is.stream : t ? t->stream : TR_I64_NONE;
    e->activity = ran(p, t) ? device_activity(e) : TR_ACT_DEVICE_ANNOTATION;
    e->step_of_device = t && t->steps && (!s->has_steps || s->steps_pid == e->pid) &&
                        tr_dialect_integer(e->name, &e->step);
    if (!e->step_of_device)
        return;
    s->has_steps = true;
    s->steps_pid = e->pid;
}

static void on_host(struct tr_dialect_event *e)
{
    bool correlated = tr_dialect_arg(e, "correlation_id").s;
    e->activity = tr_xla_host_activity(e->name, correlated, tr_dialect_arg(e, "hlo_op").s);
    if (!tr_dialect_integer(tr_dialect_arg(e, "step_num"), &e->step))
        e->step = TR_I64_NONE;
}

static bool event(void *ctx, struct tr_dialect_event *e)
{
    struct state *s = ctx;
    if (e->phase == TR_META)
        return metadata(s, e);
    const struct process *p = find_process(s, e->pid);
    if (e->phase != TR_SPAN || !p)
        return true;
    uint32_t i = tr__numbers_get(&s->by_thread, (uint64_t)tr__place(e->pid, e->tid, 0));
    if (p->is.kind == TR_XLA_GPU || p->is.kind == TR_XLA_TPU)
        on_device(s, p, i == UINT32_MAX ? NULL : &s->threads[i], e);
    else if (p->is.kind == TR_XLA_HOST)
        on_host(e);
    bool call = e->activity == TR_ACT_RUNTIME_API || e->activity == TR_ACT_DRIVER_API;
    if ((call || tr_is_device_work((unsigned)e->activity)) &&
        !tr_dialect_integer(tr_dialect_arg(e, "correlation_id"), &e->link))
        e->link = TR_I64_NONE;
    return true;
}

const struct tr_dialect tr_dialect_xla = {
    .name = "xla-json", .speaks = speaks, .start = start, .event = event, .free = release,
};
