/* SPDX-License-Identifier: MIT */
/*
 * Idle time of known causes and lengths, at the end of each step but the last, when the device has nothing to do.
 *
 * For each cause a gap of the wanted length, then a kernel, for whose end the host waits.  Apart from the cause itself
 * a gap holds a launch of LAUNCH_NS and what the device needs after it, AFTER_NS.  Nothing here is random, and the
 * device is busy when the host goes on, so that a job with these gaps and one without differ by them alone.
 */
#include "gen_work.h"

#define LAUNCH_NS 4000  /* the call that launches */
#define AFTER_NS  1000  /* from there to the start of the kernel */
#define SHORT_NS  20000 /* of a wait of the device itself, which several make up */
#define KERNEL_NS 30000

static const char *const causes[GEN_N_IDLE] = { "host_busy",       "host_blocked",    "data_loading", "collective_wait",
                                                "launch_overhead", "device_overhead", "dependency",   "unknown" };

const char *gen_idle_name(int cause)
{
    return causes[cause];
}

/* How many gaps a cause has: waits of the device itself are short. */
static int64_t n_gaps(const struct gen_opts *o, int cause)
{
    return cause == GEN_IDLE_DEVICE ? (o->idle_ns + SHORT_NS - 1) / SHORT_NS : 1;
}

int64_t gen_idle_ns(const struct gen_opts *o, int cause)
{
    int64_t blocks = o->steps - 1, gaps = 0;
    for (int c = 0; c < GEN_IDLE_UNKNOWN; c++)
        gaps += n_gaps(o, c);
    int64_t own = cause == GEN_IDLE_DEVICE ? n_gaps(o, cause) * SHORT_NS : o->idle_ns;
    if (cause == GEN_IDLE_LAUNCH)
        own += (gaps - 1) * LAUNCH_NS;
    if (cause == GEN_IDLE_DEVICE)
        own += (gaps - n_gaps(o, cause) - 1) * AFTER_NS; /* all others but the dependency */
    return o->idle_ns ? blocks * own : 0;
}

/* The host waits for all work: the device is busy until it goes on. */
static void wait_until(struct gen_job *j, struct gen_rank *r, int64_t end)
{
    struct gen_thread *t = &r->main;
    gen_work_call(j, t, j->w->sync_stream, j->w->cb_sync, t->now, end - t->now, ++r->n_runtime, false, NULL);
    t->now = end;
}

/* What the host does before it launches. */
static void before(struct gen_job *j, struct gen_rank *r, int cause)
{
    static const char *const names[] = { "planted::host_busy", "", "enumerate(DataLoader)#planted.__next__",
                                         "gloo:all_reduce" };
    struct gen_thread *t = &r->main;
    if (cause == GEN_IDLE_BLOCKED) {
        wait_until(j, r, t->now + j->o->idle_ns);
        return;
    }
    if (cause > GEN_IDLE_COLLECTIVE)
        return;
    struct gen_ev *e = gen_work_open(j, t, cause == GEN_IDLE_DATA ? GEN_T_ANNOT : GEN_T_OP, names[cause]);
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[0];
    e->a = -1;
    t->now += j->o->idle_ns;
    gen_work_close(j, t);
}

static void kernel(struct gen_job *j, struct gen_rank *r, int64_t ts, uint64_t link)
{
    struct gen_ev *e = gen_work_device(j, GEN_T_KERNEL, GEN_LANE_DEV, ts, KERNEL_NS, link, 0);
    e->info = &j->kernels[0];
    e->corr = link ? link : ++r->n_runtime;
    if (link)
        gen_work_flow(j, GEN_L_DEV, GEN_LANE_DEV, ts, 'f', link, link, 0);
    r->stream_end[GEN_LANE_DEV] = ts + KERNEL_NS;
}

static void gap(struct gen_job *j, struct gen_rank *r, int cause)
{
    struct gen_thread *t = &r->main;
    int64_t call = cause == GEN_IDLE_LAUNCH ? j->o->idle_ns : LAUNCH_NS;
    int64_t after = cause == GEN_IDLE_DEVICE ? SHORT_NS : cause == GEN_IDLE_DEPENDENCY ? j->o->idle_ns : AFTER_NS;
    if (cause == GEN_IDLE_UNKNOWN) {
        kernel(j, r, t->now + j->o->idle_ns, 0);
        wait_until(j, r, r->stream_end[GEN_LANE_DEV]);
        return;
    }
    before(j, r, cause);
    uint64_t id = ++r->n_runtime;
    int64_t ts = t->now;
    t->now += call;
    kernel(j, r, t->now + after, id);
    gen_work_call(j, t, j->w->launch, j->w->cb_launch, ts, call, id, true, &j->kernels[0]);
    wait_until(j, r, r->stream_end[GEN_LANE_DEV]);
}

void gen_idle(struct gen_job *j, struct gen_rank *r)
{
    if (!j->o->idle_ns || r->step + 1 >= j->o->steps)
        return;
    for (int c = 0; c < GEN_N_IDLE; c++)
        for (int64_t i = 0; i < n_gaps(j->o, c); i++)
            gap(j, r, c);
}
