/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: processes and their ranks, threads, streams. */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PROCESSES (1u << 24)
#define MAX_LOOKED_AT 4096u /* streams, for the device of a context */

/* ---- processes ---- */

/* The pid is the process's own, unless another process of the file, on another machine, has the same. */
static struct tr__tables_process *new_process(struct tr__tables *t, uint64_t key, int64_t pid)
{
    size_t n = t->n_processes;
    if (tr__numbers_get(&t->pids, (uint64_t)pid) != UINT32_MAX)
        pid = (int64_t)key;
    if (n == MAX_PROCESSES || !tr_grow(&t->processes, &t->cap_processes, n + 1, sizeof *t->processes) ||
        !tr__numbers_set(&t->process_of, key, (uint32_t)n) || !tr__numbers_set(&t->pids, (uint64_t)pid, (uint32_t)n))
        return NULL;
    t->processes[n] = (struct tr__tables_process){ key, pid, TR_I64_NONE, false };
    t->n_processes++;
    return &t->processes[n];
}

struct tr__tables_process *tr__tables_known(struct tr__tables *t, uint64_t key)
{
    uint32_t n = tr__numbers_get(&t->process_of, key);
    return n == UINT32_MAX ? NULL : &t->processes[n];
}

struct tr__tables_process *tr__tables_process(struct tr__tables *t, uint64_t key, int64_t pid)
{
    struct tr__tables_process *p = tr__tables_known(t, key);
    p = p ? p : new_process(t, key, pid);
    if (!p)
        tr_fail_memory(t->err);
    return p;
}

/* ---- tracks ---- */

static bool name_stream(struct tr__tables *t, struct tr__tables_stream *s)
{
    char text[96];
    int n = 0;
    if (s->device != TR_I64_NONE)
        n = snprintf(text, sizeof text, "%s %" PRId64 " ", t->schema->device, s->device);
    n += s->stream != TR_I64_NONE
             ? snprintf(text + n, sizeof text - (size_t)n, "%s %" PRId64, t->schema->stream, s->stream)
             : snprintf(text + n, sizeof text - (size_t)n, "all %ss", t->schema->stream);
    uint32_t number = tr_ingest_text(t->g, text, (size_t)n);
    s->tid = number + 1;
    return number != TR_NO_STR;
}

static struct tr__tables_stream *find_stream(struct tr__tables *t, uint32_t process, int64_t device, int64_t context,
                                             int64_t stream)
{
    const int64_t key[] = { process, device, context, stream };
    const struct tr__tables_stream *last = t->streams ? &t->streams[t->stream] : NULL;
    if (last && last->process == process && last->device == device && last->context == context &&
        last->stream == stream)
        return &t->streams[t->stream];
    uint32_t n = tr_strtab_count(t->stream_keys), at = tr_strtab_add(t->stream_keys, key, sizeof key);
    if (at == TR_NO_STR || !tr_grow(&t->streams, &t->cap_streams, at + (size_t)1, sizeof *t->streams))
        return NULL;
    if (at == n) {
        t->streams[at] = (struct tr__tables_stream){ process, device, context, stream, 0 };
        if (!name_stream(t, &t->streams[at]))
            return NULL;
    }
    t->stream = at;
    return &t->streams[at];
}

enum tr_status tr__tables_on_stream(struct tr__tables *t, const struct tr__tables_process *p, int64_t device,
                                    int64_t context, int64_t stream)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    const struct tr__tables_stream *s = find_stream(t, tr__tables_process_number(t, p), device, context, stream);
    if (!s)
        return tr_fail_memory(t->err);
    at.side = TR_SIDE_DEVICE;
    at.pid = p->pid;
    at.device = device;
    at.context = context;
    at.stream = s->stream;
    at.tid_text = "";
    at.tid_number = s->tid;
    tr_ingest_track(t->g, &at);
    return TR_OK;
}

int64_t tr__tables_device_of(const struct tr__tables *t, uint32_t process, int64_t context, int64_t otherwise)
{
    for (uint32_t i = 0; i < tr_strtab_count(t->stream_keys) && i < MAX_LOOKED_AT; i++)
        if (t->streams[i].process == process && t->streams[i].context == context &&
            t->streams[i].device != TR_I64_NONE)
            return t->streams[i].device;
    return otherwise;
}

/* Numbers of calls repeat in other processes, so the link is that of both. */
void tr__tables_correlate(struct tr__tables *t, const struct tr__tables_process *p, int64_t correlation)
{
    if (correlation > 0 && correlation <= UINT32_MAX)
        tr_ingest_correlate(t->g, TR_LINK_SOURCE,
                            (int64_t)tr__tables_process_number(t, p) << 32 | correlation);
    else if (correlation != TR_I64_NONE && correlation != 0)
        tr_ingest_correlate(t->g, TR_LINK_PROCESS, correlation);
}

/* ---- names ---- */

enum tr_status tr__tables_name_thread(struct tr__tables *t, int64_t pid, int64_t tid, struct tr_str name)
{
    if (name.len && !tr__tables_clean(t, &name))
        return tr_fail_memory(t->err);
    if (name.len)
        tr_ingest_thread(t->g, pid, tid, name.s, name.len, TR_I64_NONE);
    return TR_OK;
}

enum tr_status tr__tables_name_process(struct tr__tables *t, int64_t pid, struct tr_str name)
{
    if (name.len && !tr__tables_clean(t, &name))
        return tr_fail_memory(t->err);
    if (name.len)
        tr_ingest_process(t->g, pid, name.s, name.len, TR_I64_NONE);
    return TR_OK;
}

/* ---- ranks ---- */

static const char *const best_first[] = { "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID" };
#define N_VARIABLES (sizeof best_first / sizeof *best_first)

void tr__tables_variable(struct tr__tables_environment *e, struct tr_str name, struct tr_str value)
{
    int64_t rank;
    for (size_t i = 0; i < N_VARIABLES && i < e->best; i++)
        if (tr__tables_equals(name, best_first[i]) && tr_num_plain(value.s, value.len, &rank) && rank >= 0) {
            e->rank = rank;
            e->best = i;
        }
}

/* Inside of a value, the second quote of "RANK" has a backslash before it. */
void tr__tables_variables(struct tr__tables_environment *e, struct tr_str json)
{
    for (size_t i = 0; i < N_VARIABLES && json.s; i++) {
        char key[40];
        size_t len = (size_t)snprintf(key, sizeof key, "\"%s\"", best_first[i]), n = 0;
        const char *at = memmem(json.s, json.len, key, len), *end = json.s + json.len;
        if (!at)
            continue;
        for (at += len; at < end && (*at == ' ' || *at == ':' || *at == '"'); at++)
            continue;
        while (at + n < end && at[n] >= '0' && at[n] <= '9')
            n++;
        tr__tables_variable(e, tr_str_of(best_first[i]), (struct tr_str){ at, n });
    }
}

TR_ORDER(by_rank, struct tr__tables_process, TR_UP(rank), TR_UP(pid))
TR_ORDER(by_pid, struct tr__tables_process, TR_UP(pid))

enum tr_status tr__tables_ranks(struct tr__tables *t)
{
    struct tr__tables_process *v = calloc(t->n_processes + 1, sizeof *v);
    size_t n = 0;
    bool all = true;
    if (!v)
        return tr_fail_memory(t->err);
    for (size_t i = 0; i < t->n_processes; i++)
        if (t->processes[i].has_work)
            v[n++] = t->processes[i];
    for (size_t i = 0; i < n; i++)
        all &= v[i].rank != TR_I64_NONE;
    if (n)
        qsort(v, n, sizeof *v, all ? by_rank : by_pid);
    for (size_t i = 1; i < n; i++)
        all &= v[i].rank != v[i - 1].rank;
    if (!all && n)
        qsort(v, n, sizeof *v, by_pid);
    for (size_t i = 0; n > 1 && i < n; i++)
        tr_ingest_rank_of(t->g, v[i].pid, all ? v[i].rank : TR_I64_NONE);
    if (n < 2) {
        int64_t rank = n && v[0].rank != TR_I64_NONE ? v[0].rank : t->rank;
        if (rank != TR_I64_NONE)
            tr_ingest_rank(t->g, rank);
        for (size_t i = 0; i < t->n_processes && n; i++) /* so that no processes are taken for ranks */
            if (t->processes[i].has_work)
                tr_ingest_rank_of(t->g, t->processes[i].pid, TR_I64_NONE);
    }
    free(v);
    return TR_OK;
}
