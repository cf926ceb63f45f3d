/* SPDX-License-Identifier: MIT */
/* The file around the events: header keys, rows of metadata, keys after the events. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

/* Text of the header as Kineto lays it out; on one line where the layout wants that. */
static void put_text(struct gen_file *f, const char *s)
{
    struct gen_out *o = &f->out;
    bool in_string = false;

    gen_room(o);
    if (!f->y.trim) {
        gen_cstr(o, s);
        return;
    }
    for (; *s; s++) {
        if (*s == '"')
            in_string = !in_string;
        if (!in_string && (*s == ' ' || *s == '\n'))
            continue;
        gen_put(o, s, 1);
        if (!in_string && (*s == ',' || *s == ':'))
            GEN_LIT(o, " ");
    }
}

static void put_fmt(struct gen_file *f, const char *fmt, ...)
{
    char text[16384];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    put_text(f, text);
}

void gen_lanes(struct gen_file *f)
{
    const struct gen_opts *o = f->j->o;
    const struct gen_words *w = f->j->w;
    static const struct gen_layout kineto = {
        GEN_STR("{\n    "),
        GEN_STR(",\n    "),
        GEN_STR(",\n    \"args\": {\n      "),
        GEN_STR("\n    }"),
        GEN_STR("\n  }"),
        GEN_STR(","),
        GEN_STR(",      "),
        false,
    };
    static const struct gen_layout compact = {
        GEN_STR("{"),  GEN_STR(", "), GEN_STR(", \"args\": {"),
        GEN_STR("}"),  GEN_STR("}"),  GEN_STR(", "),
        GEN_STR(", "), true,
    };
    int r = f->rank;

    f->y = o->compact ? compact : kineto;
    f->pid = o->pid_collision ? 542 : 2910249 + 7919 * (int64_t)r;
    f->dev = o->pid_collision ? 0 : o->vendor == GEN_MTIA ? 17 + r % o->devices : r % o->devices;
    for (int i = 0; i < GEN_LANES; i++) {
        int64_t pid = f->pid, tid = f->pid;
        if (i == GEN_LANE_BWD)
            tid = f->pid + 9503;
        else if (i == GEN_LANE_SIDE)
            tid = f->pid + 20011;
        else if (i == GEN_LANE_PY && o->pid_collision)
            pid = tid = 0;
        else if (i >= GEN_LANE_DEV) {
            pid = f->dev;
            tid = gen_stream(w, i);
            if (o->vendor == GEN_MTIA)
                tid = 34 * tid + 102; /* a hardware queue, not the stream's number */
        }
        f->tid[i] = tid;
        snprintf(f->lane_text[i], sizeof f->lane_text[i], "\"pid\": %lld, \"tid\": %lld",
                 (long long)pid, (long long)tid);
        f->lane[i] = (struct gen_str){ f->lane_text[i], strlen(f->lane_text[i]) };
    }
    size_t n = 0, first = (size_t)(r / f->j->size_of_group) * (size_t)f->j->size_of_group;
    for (size_t i = first; i < first + (size_t)f->j->size_of_group && i < (size_t)o->ranks; i++)
        n += (size_t)snprintf(f->ranks_text + n, sizeof f->ranks_text - n, "%s%zu",
                              i > first ? ", " : "[", i);
    snprintf(f->ranks_text + n, sizeof f->ranks_text - n, "]");
}

/* What a kernel's args hold besides its identity does not change between calls. */
void gen_kernel_args(struct gen_file *f)
{
    const struct gen_job *j = f->j;
    const char *gap = f->y.trim ? ", " : ",      ";
    int sms = 132;

    f->kernel_args = gen_alloc((size_t)j->n_kernels * GEN_GRIDS, sizeof *f->kernel_args);
    for (int i = 0; i < j->n_kernels * GEN_GRIDS; i++) {
        const struct gen_kernel *k = &j->kernels[i / GEN_GRIDS];
        int grid = k->grid > 8 ? k->grid >> (i % GEN_GRIDS) : k->grid;
        long long blocks = 1000000LL * grid / sms, warps = blocks * (k->block / 32);
        long long occ = warps / 640000 > 100 ? 100 : warps / 640000;
        char t[512];
        if (j->o->vendor == GEN_NVIDIA)
            snprintf(t, sizeof t,
                     "\"registers per thread\": %d%s\"shared memory\": %d%s\"blocks per SM\": "
                     "%lld.%06lld%s"
                     "\"warps per SM\": %lld.%06lld%s\"grid\": [%d, 1, 1]%s\"block\": [%d, 1, 1]%s"
                     "\"est. achieved occupancy %%\": %lld",
                     k->regs, gap, k->smem, gap, blocks / 1000000, blocks % 1000000, gap,
                     warps / 1000000, warps % 1000000, gap, grid, gap, k->block, gap, occ);
        else
            snprintf(t, sizeof t,
                     "\"kind\": \"Dispatch Kernel\"%s\"grid\": [%d, 1, 1], \"block\": [%d, 1, 1]",
                     gap, grid, k->block);
        size_t n = strlen(t);
        char *copy = gen_alloc(n + 1, 1);
        memcpy(copy, t, n + 1);
        f->kernel_args[i] = (struct gen_str){ copy, n };
    }
}

static void devices(struct gen_file *f)
{
    const struct gen_job *j = f->j;
    put_text(f, "  \"deviceProperties\": [");
    for (int i = 0; i < j->o->devices; i++) {
        if (j->o->vendor == GEN_MTIA)
            put_fmt(
                f,
                "%s\n    {\n      \"id\": %d, \"name\": \"%s\",\n      \"runtimeMajorVersion\": 1, "
                "\"runtimeMinorVersion\": 30,\n      \"maxGridHeight\": 8, \"maxGridWidth\": 8\n   "
                " }",
                i ? "," : "", 17 + i, j->w->device);
        else
            put_fmt(f,
                    "%s\n    {\n      \"id\": %d, \"name\": \"%s\", \"totalGlobalMem\": %lld,\n"
                    "      \"computeMajor\": 9, \"computeMinor\": 0,\n      "
                    "\"maxThreadsPerBlock\": 1024, "
                    "\"maxThreadsPerMultiprocessor\": 2048,\n      \"regsPerBlock\": 65536, "
                    "\"warpSize\": %d,\n"
                    "      \"sharedMemPerBlock\": 49152, \"numSms\": %d\n    , "
                    "\"regsPerMultiprocessor\": 65536\n    }",
                    i ? "," : "", i, j->w->device, 85018279936LL,
                    j->o->vendor == GEN_NVIDIA ? 32 : 64, j->o->vendor == GEN_NVIDIA ? 132 : 304);
    }
    put_text(f, "\n  ],\n");
}

static void distributed(struct gen_file *f)
{
    const struct gen_job *j = f->j;
    put_fmt(f,
            "  \"distributedInfo\": {\"backend\": \"%s\", \"rank\": %d, \"world_size\": %lld, "
            "\"pg_count\": 1, "
            "\"pg_config\": [{\"pg_name\": \"%d\", \"pg_desc\": \"%s\", \"backend_config\": "
            "\"cuda:nccl\", "
            "\"pg_size\": %d, \"ranks\": %s}], \"nccl_version\": \"2.21.5\"},\n",
            j->w->backend, f->rank, (long long)j->o->ranks, f->rank / j->size_of_group,
            j->n_groups > 1 ? "dp_group" : "default_pg", j->size_of_group, f->ranks_text);
}

static void base_time(struct gen_file *f, const char *before, const char *after)
{
    put_fmt(f, "%s  \"displayTimeUnit\": \"ms\"", before);
    if (f->j->o->base != GEN_BASE_ABSENT)
        put_fmt(f, ",\n  \"baseTimeNanoseconds\": %lld", (long long)f->base);
    put_text(f, after);
}

void gen_header(struct gen_file *f)
{
    const struct gen_opts *o = f->j->o;
    struct gen_rng g = gen_rng_make((uint64_t)o->seed, 4, (uint64_t)f->rank, (uint64_t)f->source);

    gen_room(&f->out);
    if (f->planter->want_file[GEN_P_BOM])
        GEN_LIT(&f->out, "\xef\xbb\xbf");
    if (o->bare_array) {
        GEN_LIT(&f->out, "[");
        return;
    }
    put_text(f, "\n{\n  \"schemaVersion\": 1,\n");
    devices(f);
    distributed(f);
    put_text(f, "  \"record_shapes\": 1,\n");
    put_text(f, f->j->w->header);
    put_text(f, "  \"profile_memory\": 1,\n  \"with_stack\": 1,\n");
    unsigned long long id = gen_next(&g);
    put_fmt(f, "  \"trace_id\": \"%016llX%016llX\",\n", id, (unsigned long long)gen_next(&g));
    if (o->base == GEN_BASE_EARLY)
        base_time(f, "", ",\n");
    put_text(f, "  \"traceEvents\": [");
}

/* A row of metadata.  pid and tid as JSON text; num: the value is a number. */
static void meta(struct gen_file *f, const char *name, const char *pid, const char *tid,
                 const char *key, const char *value)
{
    struct gen_out *o = &f->out;
    gen_elem_start(f);
    gen_str(o, f->y.open);
    GEN_LIT(o, "\"name\": \"");
    gen_cstr(o, name);
    GEN_LIT(o, "\", \"ph\": \"M\", \"ts\": ");
    gen_us(o, f->first_ts, f->y.trim);
    GEN_LIT(o, ", \"pid\": ");
    gen_cstr(o, pid);
    GEN_LIT(o, ", \"tid\": ");
    gen_cstr(o, tid);
    gen_str(o, f->y.args);
    GEN_LIT(o, "\"");
    gen_cstr(o, key);
    GEN_LIT(o, "\": ");
    gen_cstr(o, value);
    gen_str(o, f->y.args_end);
    gen_str(o, f->y.close);
    gen_elem_end(f, &(struct gen_seen){ NULL, "", 'M', f->first_ts, -1, 0 });
}

static void process_rows(struct gen_file *f, int64_t pid, const char *label, int64_t sort)
{
    char p[32], l[64], s[32];
    snprintf(p, sizeof p, "%lld", (long long)pid);
    snprintf(l, sizeof l, "\"%s\"", label);
    snprintf(s, sizeof s, "%lld", (long long)sort);
    meta(f, "process_name", p, "0", "name", "\"python3.10\"");
    meta(f, "process_labels", p, "0", "labels", l);
    meta(f, "process_sort_index", p, "0", "sort_index", s);
}

static void thread_rows(struct gen_file *f, int lane, const char *name)
{
    char pid[32], tid[32], n[80];
    snprintf(pid, sizeof pid, "%lld", (long long)(lane >= GEN_LANE_DEV ? f->dev : f->pid));
    snprintf(tid, sizeof tid, "%lld", (long long)f->tid[lane]);
    snprintf(n, sizeof n, "\"%s\"", name);
    meta(f, "thread_name", pid, tid, "name", n);
    meta(f, "thread_sort_index", pid, tid, "sort_index", tid);
}

static void metadata(struct gen_file *f)
{
    const struct gen_opts *o = f->j->o;
    const char *device = o->vendor == GEN_MTIA ? "MTIA" : o->vendor == GEN_XPU ? "XPU" : "GPU";
    char name[64];

    process_rows(f, f->pid, "CPU", f->pid);
    for (int64_t i = 0; i < o->devices; i++) {
        int64_t id = o->vendor == GEN_MTIA ? 17 + i : i;
        snprintf(name, sizeof name, "%s %lld", device, (long long)id);
        process_rows(f, id, name, 5000000 + id);
    }
    for (int i = GEN_LANE_DEV; i < GEN_LANES; i++) {
        if (i >= GEN_LANE_DEV + o->streams && i < GEN_LANE_COMM)
            continue;
        snprintf(name, sizeof name, "stream %lld ", (long long)f->tid[i]);
        thread_rows(f, i, name);
    }
    for (int i = GEN_LANE_MAIN; i <= GEN_LANE_BWD; i++) {
        snprintf(name, sizeof name, "thread %lld (%s)", (long long)f->tid[i],
                 i ? "pt_autograd_0" : "pt_main_thread");
        thread_rows(f, i, name);
    }
}

static void span_rows(struct gen_file *f)
{
    struct gen_out *o = &f->out;
    int64_t ts = f->first_ts, dur = f->last_ts - ts;

    gen_elem_start(f);
    gen_str(o, f->y.open);
    GEN_LIT(o, "\"ph\": \"X\", \"cat\": \"Trace\", \"ts\": ");
    gen_us(o, ts, f->y.trim);
    GEN_LIT(o, ", \"dur\": ");
    gen_us(o, dur, f->y.trim);
    gen_str(o, f->y.mid);
    GEN_LIT(o, "\"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\"");
    gen_str(o, f->y.mid);
    GEN_LIT(o, "\"name\": \"PyTorch Profiler (0)\"");
    gen_str(o, f->y.args);
    GEN_LIT(o, "\"Op count\": 0");
    gen_str(o, f->y.args_end);
    gen_str(o, f->y.close);
    gen_elem_end(f, &(struct gen_seen){ NULL, "Trace", 'X', ts, dur, 0 });
    meta(f, "process_sort_index", "\"Spans\"", "0", "sort_index", "536870912");
    for (int i = 0; i < 2; i++) {
        gen_elem_start(f);
        gen_str(o, f->y.open);
        gen_cstr(o, i ? "\"name\": \"Record Window End\""
                      : "\"name\": \"Iteration Start: PyTorch Profiler\"");
        GEN_LIT(o, ", \"ph\": \"i\", \"s\": \"g\"");
        gen_str(o, f->y.mid);
        gen_cstr(o, i ? "\"pid\": \"\", \"tid\": \"\""
                      : "\"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\"");
        GEN_LIT(o, ", \"ts\": ");
        gen_us(o, i ? ts + dur : ts, f->y.trim);
        gen_str(o, f->y.close);
        gen_elem_end(f, &(struct gen_seen){ NULL, "", 'i', i ? ts + dur : ts, -1, 0 });
    }
}

static void file_planted(struct gen_file *f, int plant)
{
    f->elem_at = gen_pos(&f->out);
    if (f->truth && f->elem_at < f->out.limit)
        gen_truth_planted(f->truth, f, plant, NULL, NULL, 0);
}

static void end_of_events(struct gen_file *f)
{
    const int64_t *want = f->planter->want_file;
    if (want[GEN_P_TRAILING_COMMA]) {
        file_planted(f, GEN_P_TRAILING_COMMA);
        GEN_LIT(&f->out, ",");
    }
    if (want[GEN_P_UNCLOSED]) {
        file_planted(f, GEN_P_UNCLOSED);
        return;
    }
    put_text(f, f->j->o->bare_array ? "\n]" : "\n  ],\n");
    if (f->j->o->bare_array)
        return;
    put_fmt(f, "  \"traceName\": \"/tmp/traces/rank%d_%d.json\"", f->rank, f->source);
    if (f->j->o->base == GEN_BASE_LATE)
        base_time(f, ",\n", "");
    else if (f->j->o->base == GEN_BASE_ABSENT)
        put_text(f, ",\n  \"displayTimeUnit\": \"ms\"");
    put_text(f, "\n}");
}

void gen_tail(struct gen_file *f)
{
    const int64_t *want = f->planter->want_file;
    if (f->j->o->metadata) {
        metadata(f);
        span_rows(f);
    }
    gen_room(&f->out);
    end_of_events(f);
    if (want[GEN_P_BOM] && f->truth) {
        f->elem_at = 0;
        gen_truth_planted(f->truth, f, GEN_P_BOM, NULL, NULL, 0);
    }
    if (want[GEN_P_SECOND_TRACE]) {
        file_planted(f, GEN_P_SECOND_TRACE);
        put_fmt(f,
                "{\n  \"schemaVersion\": 1,\n  \"distributedInfo\": {\"rank\": %d},\n  "
                "\"traceEvents\": [\n  {\n"
                "    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"second::trace\", \"pid\": 1, "
                "\"tid\": 1,\n"
                "    \"ts\": 1.000, \"dur\": 2.000\n  }\n  ],\n  \"traceName\": \"second\"\n}",
                f->rank);
    }
    if (want[GEN_P_TRAILING_GARBAGE]) {
        file_planted(f, GEN_P_TRAILING_GARBAGE);
        GEN_LIT(&f->out, "\nKilled by signal 9 (see the log)\n");
    }
}
