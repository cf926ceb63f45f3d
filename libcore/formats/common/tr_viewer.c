/* SPDX-License-Identifier: MIT */
/* Numbers of processes, threads and flows that are unique over all sources of a file for a viewer. */
#include "formats/common/tr_viewer.h"

#include "base/tr_escape.h"
#include "base/tr_sort.h"
#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

#define PID_STRIDE   10000000
#define PID_MAX_RANK 300
#define PID_OTHERS   UINT64_C(3000000000)
#define ID_BITS      40
#define ID_SOURCES   4096u
#define ID_OTHERS    (UINT64_C(1) << 52)

struct process {
    uint64_t pid;   /* as written */
    uint32_t track; /* one of its tracks; at the end the first track with a name, if there is one */
};

struct tr_viewer {
    const struct tr_dict *dict;
    struct tr_strtab *keys;    /* (source, pid) of the input -> number of process */
    struct process *processes; /* by that number */
    size_t n_processes, cap_processes;
    struct tr_strtab *taken; /* pids in use, as 8 bytes */
    uint64_t next_pid;
    uint32_t *by_track; /* number of process, by track; UINT32_MAX: not asked yet */
    size_t n_by_track, cap_by_track;
    struct tr_strtab *ids; /* ids that arithmetic does not cover */
};

struct tr_viewer *tr_viewer_new(const struct tr_dict *dict)
{
    struct tr_viewer *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->dict = dict;
    v->next_pid = PID_OTHERS;
    v->keys = tr_strtab_new();
    v->taken = tr_strtab_new();
    v->ids = tr_strtab_new();
    if (!v->keys || !v->taken || !v->ids) {
        tr_viewer_free(v);
        return NULL;
    }
    return v;
}

void tr_viewer_free(struct tr_viewer *v)
{
    if (!v)
        return;
    tr_strtab_free(v->keys);
    tr_strtab_free(v->taken);
    tr_strtab_free(v->ids);
    free(v->processes);
    free(v->by_track);
    free(v);
}

/* Take a number if it is free.  *is_new: it was free.  False: out of memory. */
static bool claim_pid(struct tr_viewer *v, uint64_t pid, bool *is_new)
{
    uint32_t n = tr_strtab_count(v->taken);
    uint32_t id = tr_strtab_add(v->taken, &pid, sizeof pid);
    *is_new = id == n;
    return id != TR_NO_STR;
}

static bool choose_pid(struct tr_viewer *v, const struct tr_track *t, uint64_t *pid)
{
    int64_t rank = v->dict->sources[t->source].rank;
    bool is_new = false;
    int64_t wanted = t->pid_type == TR_T_NULL ? 0 : t->pid;
    if (t->pid_type != TR_T_STRING && wanted >= 0 && wanted < PID_STRIDE && rank >= 0 &&
        rank < PID_MAX_RANK) {
        *pid = (uint64_t)rank * PID_STRIDE + (uint64_t)wanted;
        if (!claim_pid(v, *pid, &is_new))
            return false;
    }
    while (!is_new) {
        *pid = v->next_pid++;
        if (!claim_pid(v, *pid, &is_new))
            return false;
    }
    return true;
}

/* The identity of a process of the input. */
struct key {
    int64_t source, type, pid;
};

static struct key key_of(const struct tr_track *t)
{
    return (struct key){ t->source, t->pid_type, t->pid_type == TR_T_NULL ? 0 : t->pid };
}

/* The number of a track's process, which is added if it is new.  UINT32_MAX: out of memory. */
static uint32_t process_of(struct tr_viewer *v, uint32_t track)
{
    const struct tr_track *t = &v->dict->tracks[track];
    struct key key = key_of(t);
    uint32_t n = tr_strtab_add(v->keys, &key, sizeof key);
    if (n == TR_NO_STR)
        return UINT32_MAX;
    if (n == v->n_processes) {
        struct process p = { .track = track };
        if (!tr_grow(&v->processes, &v->cap_processes, v->n_processes + 1, sizeof p) ||
            !choose_pid(v, t, &p.pid))
            return UINT32_MAX;
        v->processes[v->n_processes++] = p;
    }
    return n;
}

bool tr_viewer_pid(struct tr_viewer *v, uint32_t track, uint64_t *pid)
{
    if (track >= v->n_by_track) {
        size_t n = v->dict->n_tracks;
        if (!tr_grow(&v->by_track, &v->cap_by_track, n, sizeof *v->by_track))
            return false;
        memset(v->by_track + v->n_by_track, 0xff, (n - v->n_by_track) * sizeof *v->by_track);
        v->n_by_track = n;
    }
    if (v->by_track[track] == UINT32_MAX)
        v->by_track[track] = process_of(v, track);
    if (v->by_track[track] == UINT32_MAX)
        return false;
    *pid = v->processes[v->by_track[track]].pid;
    return true;
}

/* Is this 17 or "0x11", below 2^ID_BITS? */
static bool small_id(const char *p, size_t len, uint64_t *id)
{
    unsigned base = 10;
    *id = 0;
    if (len > 4 && memcmp(p, "\"0x", 3) == 0 && p[len - 1] == '"') {
        base = 16;
        p += 3;
        len -= 4;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned d = p[i] >= '0' && p[i] <= '9'   ? (unsigned)(p[i] - '0')
                     : p[i] >= 'a' && p[i] <= 'f' ? (unsigned)(p[i] - 'a') + 10
                     : p[i] >= 'A' && p[i] <= 'F' ? (unsigned)(p[i] - 'A') + 10
                                                  : 16;
        if (d >= base)
            return false;
        *id = *id * base + d;
        if (*id >> ID_BITS)
            return false;
    }
    return len > 0;
}

bool tr_viewer_id(struct tr_viewer *v, uint32_t source, const char *text, size_t len, uint64_t *id)
{
    if (source < ID_SOURCES && small_id(text, len, id)) {
        *id |= (uint64_t)source << ID_BITS;
        return true;
    }
    struct tr_buf key = { 0 };
    uint32_t n = TR_NO_STR;
    if (tr_buf_add(&key, &source, sizeof source) && tr_buf_add(&key, text, len))
        n = tr_strtab_add(v->ids, key.data, key.len);
    tr_buf_free(&key);
    *id = ID_OTHERS + n;
    return n != TR_NO_STR;
}

bool tr_viewer_source_name(const struct tr_viewer *v, uint32_t source, struct tr_buf *out)
{
    const struct tr_dict *d = v->dict;
    int64_t rank = d->sources[source].rank;
    bool shared = rank < 0;
    for (size_t i = 0; i < d->n_sources && !shared; i++)
        shared = i != source && d->sources[i].rank == rank;
    bool ok = rank < 0 || (tr_buf_add_str(out, "rank ") && tr_json_add_i64(out, rank));
    if (shared)
        ok = ok && tr_buf_add_str(out, rank < 0 ? "source " : " (source ") &&
             tr_json_add_u64(out, source) && (rank < 0 || tr_buf_add(out, ")", 1));
    return ok;
}

/* A process with the values that decide its order. */
struct place {
    int64_t rank, sort, pid;
    uint32_t source, process;
};

TR_ORDER(compare_places, struct place, TR_UP(rank), TR_UP(source), TR_UP(sort), TR_UP(pid), TR_UP(process))

static bool add_process(struct tr_viewer *v, uint32_t process, size_t position, struct tr_buf *out)
{
    const struct process *p = &v->processes[process];
    const struct tr_track *t = &v->dict->tracks[p->track];
    struct tr_buf name = { 0 };
    char number[TR_TRACK_DIGITS];
    tr_track_digits(t->pid_type, t->pid_type == TR_T_NULL ? 0 : t->pid, number);
    bool ok = tr_viewer_source_name(v, t->source, &name) && tr_buf_add(&name, ": ", 2);
    if (t->process_name != TR_NO_STR)
        ok = ok && tr_buf_add_text(&name, tr_dict_text(v->dict, t->process_name));
    else if (t->pid_type == TR_T_STRING && tr_strtab_len(v->dict->strings, (uint32_t)t->pid) > 0)
        ok = ok && tr_buf_add_text(&name, tr_dict_text(v->dict, (uint32_t)t->pid));
    else if (t->pid_type == TR_T_STRING) /* these are marks of the whole trace */
        ok = ok && tr_buf_add_str(&name, "trace");
    else
        ok = ok && tr_buf_add_str(&name, "process ") && tr_buf_add_str(&name, number);
    ok = ok && tr_buf_add_str(out, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":") &&
         tr_json_add_u64(out, p->pid) && tr_buf_add_str(out, ",\"args\":{\"name\":") &&
         tr_escape_json(out, (const char *)name.data, name.len) &&
         tr_buf_add_str(out, "}},\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":") &&
         tr_json_add_u64(out, p->pid) && tr_buf_add_str(out, ",\"args\":{\"sort_index\":") &&
         tr_json_add_u64(out, position) && tr_buf_add_str(out, "}}");
    tr_buf_free(&name);
    return ok;
}

/* A name may be in any track of a process, and may come after its events. */
static void find_names(struct tr_viewer *v)
{
    for (uint32_t i = 0; i < v->dict->n_tracks; i++) {
        struct key key = key_of(&v->dict->tracks[i]);
        uint32_t n = tr_strtab_find(v->keys, &key, sizeof key);
        if (n != TR_NO_STR && v->dict->tracks[i].process_name != TR_NO_STR &&
            v->dict->tracks[v->processes[n].track].process_name == TR_NO_STR)
            v->processes[n].track = i;
    }
}

bool tr_viewer_names(struct tr_viewer *v, bool more, struct tr_buf *out)
{
    if (!v->n_processes)
        return true;
    find_names(v);
    struct place *places = calloc(v->n_processes, sizeof *places);
    bool ok = places != NULL;
    for (uint32_t i = 0; ok && i < v->n_processes; i++) {
        const struct tr_track *t = &v->dict->tracks[v->processes[i].track];
        int64_t rank = v->dict->sources[t->source].rank;
        places[i] = (struct place){
            .rank = rank < 0 ? INT64_MAX : rank, /* sources without rank come last */
            .sort = t->process_sort == TR_I64_NONE ? INT64_MAX : t->process_sort,
            .pid = t->pid,
            .source = t->source,
            .process = i,
        };
    }
    if (ok)
        qsort(places, v->n_processes, sizeof *places, compare_places);
    for (size_t i = 0; ok && i < v->n_processes; i++) {
        ok = (!more || tr_buf_add(out, ",\n", 2)) && add_process(v, places[i].process, i, out);
        more = true;
    }
    free(places);
    return ok;
}
