/* SPDX-License-Identifier: MIT */
/* Counts per source, device and track; order; launches; collectives. */
#include "analysis/info/tr_info.h"
#include "view_build.h"

static void is(uint64_t got, uint64_t expected, const char *what)
{
    ok(got == expected, what);
    if (got != expected)
        printf("# got %llu, expected %llu\n", (unsigned long long)got,
               (unsigned long long)expected);
}

/* The parts of a trace that the tests below look at. */
struct trace {
    struct build t;
    uint32_t host, gpu, other_gpu, second_host;
    uint32_t plain, described;
};

static void fill(struct trace *x)
{
    struct build *t = &x->t;
    build_start(t);
    uint32_t a = source(t, 0), b = source(t, 1);
    usual(t, false, true);
    x->plain = shape(t, 'X');
    usual(t, false, true);
    role(t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(t, TR_PLACE_ARGS, "Collective name", TR_T_STRING);
    x->described = shape(t, 'X');
    x->host = track(t, a, 10, 11, TR_TIME_NONE, TR_TIME_NONE);
    x->gpu = track(t, a, 0, 7, 0, 7);
    x->other_gpu = track(t, a, 0, 20, 0, 20);
    x->second_host = track(t, b, 10, 11, TR_TIME_NONE, TR_TIME_NONE);
}

static size_t api(struct trace *x, const char *name, int64_t ts, bool owns)
{
    size_t e = event(&x->t, x->plain, x->host, name, ts, 10);
    x->t.batch->activity[e] = TR_ACT_RUNTIME_API;
    x->t.batch->flags[e] = owns ? TR_HAS_DEVICE : 0;
    return e;
}

static size_t add_work(struct trace *x, uint32_t trk, int64_t ts, int64_t dur,
                       enum tr_activity activity, enum tr_kind kind, bool linked)
{
    size_t e = event(&x->t, x->plain, trk, "k", ts, dur);
    x->t.batch->activity[e] = (uint8_t)activity;
    x->t.batch->kind[e] = (uint8_t)kind;
    x->t.batch->flags[e] = linked ? TR_HAS_LAUNCH : 0;
    return e;
}

static struct tr_info *info_of(const struct build *t)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_info *info = tr_info_new();
    need(info && tr_info_add(info, t->batch, &err) == TR_OK &&
         tr_info_finish(info, t->dict, &err) == TR_OK);
    return info;
}

static void counts(void)
{
    struct trace x;
    fill(&x);
    size_t meta = event(&x.t, x.plain, x.host, "process_name", TR_TIME_NONE, TR_TIME_NONE);
    x.t.batch->phase[meta] = TR_META;
    api(&x, "cudaMalloc", 90, false);
    api(&x, "cudaLaunchKernel", 100, true);
    api(&x, "cudaLaunchKernel", 120, false);
    api(&x, "cudaLaunchKernel", 140, true);
    add_work(&x, x.gpu, 200, 50, TR_ACT_KERNEL, TR_KIND_COMPUTE, true);
    add_work(&x, x.gpu, 260, 10, TR_ACT_MEMCPY, TR_KIND_MEMORY, true);
    add_work(&x, x.gpu, 300, 10, TR_ACT_SYNC, TR_KIND_NONE, true);
    add_work(&x, x.other_gpu, 310, 100, TR_ACT_KERNEL, TR_KIND_COMM, false);
    size_t named = add_work(&x, x.other_gpu, 420, 10, TR_ACT_KERNEL, TR_KIND_COMM, false);
    x.t.batch->shape[named] = x.described;
    size_t open = event(&x.t, x.plain, x.second_host, "op", 500, TR_TIME_NONE);
    x.t.batch->flags[open] = TR_OPEN;
    size_t bad = event(&x.t, x.plain, x.second_host, "op", 600, -5);
    x.t.batch->suspect[bad] = TR_SUSPECT_NEGATIVE_DUR;

    struct tr_info *info = info_of(&x.t);
    const struct tr_info_source *a = &info->sources[0], *b = &info->sources[1];
    is(info->n_events, 12, "events");
    is(a->n_events, 10, "events of the first source");
    is(a->n_phase[TR_META], 1, "metadata events");
    is(a->n_activity[TR_ACT_RUNTIME_API], 4, "API calls");
    is(a->coverage.work, 4, "device work: kernels and copies, no sync");
    is(a->coverage.work_launched, 2, "device work with a launch");
    is(a->coverage.launches, 3, "launch calls, by their role");
    is(a->coverage.launches_used, 2, "launches with device work");
    is((uint64_t)a->coverage.time, 170, "device time");
    is((uint64_t)a->coverage.time_by_operator, 0, "device time of operators, of which there are none");
    is(a->n_comm, 2, "collectives");
    is(a->n_comm_described, 1, "collectives with metadata");
    is((uint64_t)a->first_ts, 90, "first start");
    is((uint64_t)a->last_end, 430, "last end");
    is(b->n_open, 1, "spans without end");
    is(b->n_suspect[TR_SUSPECT_NEGATIVE_DUR], 1, "suspects");
    is((uint64_t)b->last_end, 500, "suspects do not widen the span, a span without end has none");
    is(info->n_devices, 1, "devices");
    is(info->devices[0].n_streams, 2, "streams of a device");
    is(info->devices[0].n_kernels, 3, "its kernels");
    is(info->devices[0].n_copies, 1, "its copies");
    is((uint64_t)info->devices[0].first_ts, 200, "its first start");
    is((uint64_t)info->devices[0].last_end, 430, "its last end");
    is(info->tracks[x.host].n_events, 5, "events of a track");
    is(info->n_disordered, 0, "in order");
    tr_info_free(info);
    build_end(&x.t);
}

static void order(void)
{
    struct trace x;
    fill(&x);
    event(&x.t, x.plain, x.host, "a", 100, 10);
    event(&x.t, x.plain, x.host, "longer", 100, 20);
    event(&x.t, x.plain, x.second_host, "b", 100, 20);
    event(&x.t, x.plain, x.host, "rank 0 comes before rank 1", 100, 20);
    event(&x.t, x.plain, x.host, "no ts", TR_TIME_NONE, TR_TIME_NONE);
    struct tr_info *info = info_of(&x.t);
    is(info->n_disordered, 3, "events that belong before the one in front of them");
    is(info->disordered_record, 1, "the first of them");
    is(info->disordered_source, 0, "and its source");
    tr_info_free(info);
    build_end(&x.t);
}

static void nothing(void)
{
    struct build t;
    build_start(&t);
    source(&t, 0);
    track(&t, 0, 1, 1, 0, 7);
    struct tr_error err = TR_ERROR_INIT;
    struct tr_info *info = tr_info_new();
    need(info && tr_info_finish(info, t.dict, &err) == TR_OK);
    is(info->n_sources, 1, "a source without events is there");
    ok(info->sources[0].first_ts == TR_TIME_NONE, "and has no first start");
    is(info->n_devices, 0, "a device without work is none");
    tr_info_free(info);
    tr_info_free(NULL);
    build_end(&t);
}

int main(void)
{
    counts();
    order();
    nothing();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
