/* SPDX-License-Identifier: MIT */
/*
 * tr-record: the recordings of each rank as one.
 *
 * A process wrote files PID.START.PART.trr, in order, and shared PID.START.live with its threads, where the last blocks
 * of those are that did not end.  The recordings of a rank of a machine become one file; those of processes without a
 * rank, too.  Or those of each application do: of each process, up to where it becomes another program.
 */
#include "record/record.h"

#include "base/tr_sort.h"
#include "formats/recording/tr_recording.h"
#include "io/tr_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_RANK (-1)

/* A process that wrote recordings. */
struct process {
    char *name;   /* PID.START */
    char *host;
    char *application;
    int64_t rank; /* NO_RANK: none */
    int64_t pid, start;
};

struct processes {
    struct process *v;
    size_t n, cap;
};

static uint64_t get(const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | p[n];
    return v;
}

static enum tr_status cannot(const char *what, const char *path, struct tr_error *err)
{
    return tr_fail_sys(err, errno, "cannot %s '%.400s'", what, path);
}

/* ---- what the process is ---- */

/* The first block of a recording, which says it. */
static bool read_about(struct process *p, const unsigned char *b, size_t n)
{
    if (n < TR_REC_HEAD || memcmp(b, TR_REC_MAGIC, 8) != 0)
        return false;
    size_t used = (size_t)get(b + TR_REC_AT_USED, 4), end = TR_REC_HEAD + used < n ? TR_REC_HEAD + used : n;
    p->pid = (int64_t)get(b + TR_REC_AT_PID, 4);
    p->start = (int64_t)get(b + TR_REC_AT_START, 8);
    for (size_t at = TR_REC_HEAD, words; at + 16 <= end; at += 8 * words) {
        words = (size_t)get(b + at + 2, 2);
        uint64_t value = get(b + at + 8, 8);
        if (words < 2 || at + 8 * words > end)
            return false;
        if (b[at] == TR_REC_RANK)
            p->rank = (int64_t)value;
        char **text = b[at] == TR_REC_HOST ? &p->host : b[at] == TR_REC_PROCESS ? &p->application : NULL;
        if (text && !*text && value <= 8 * (words - 2))
            *text = strndup((const char *)b + at + 16, (size_t)value);
    }
    return true;
}

static void free_process(struct process *p)
{
    free(p->name);
    free(p->host);
    free(p->application);
}

/* A process by the name of its first file that is left.  TR_OK; TR_END: it is none; TR_SYSTEM. */
static enum tr_status add_process(struct processes *all, const char *folder, const char *file, size_t name_len,
                                  struct tr_error *err)
{
    unsigned char b[2048];
    char path[PATH_MAX];
    struct process p = { .rank = NO_RANK };
    for (size_t i = 0; i < all->n; i++)
        if (strncmp(all->v[i].name, file, name_len) == 0 && !all->v[i].name[name_len])
            return TR_END;
    snprintf(path, sizeof path, "%s/%.255s", folder, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, b, sizeof b);
    if (fd >= 0)
        close(fd);
    if (n < 0)
        return cannot("read", path, err);
    if (!read_about(&p, b, (size_t)n)) {
        free_process(&p);
        return TR_END; /* killed before it was written: there is nothing behind it */
    }
    p.name = strndup(file, name_len);
    p.host = p.host ? p.host : strdup("");
    p.application = p.application ? p.application : strdup("");
    if (!p.name || !p.host || !p.application || !tr_grow(&all->v, &all->cap, all->n + 1, sizeof *all->v)) {
        free_process(&p);
        return tr_fail_memory(err);
    }
    all->v[all->n++] = p;
    return TR_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of files that end so, sorted. */
static enum tr_status list_files(const char *folder, const char *end, char ***names, size_t *n, struct tr_error *err)
{
    size_t cap = 0, end_len = strlen(end);
    enum tr_status st = TR_OK;
    DIR *d = opendir(folder);
    if (!d)
        return cannot("read", folder, err);
    for (struct dirent *e; st == TR_OK && (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        if (len <= end_len || strcmp(e->d_name + len - end_len, end) != 0)
            continue;
        char *copy = strdup(e->d_name);
        if (copy && tr_grow(names, &cap, *n + 1, sizeof **names))
            (*names)[(*n)++] = copy;
        else {
            free(copy);
            st = tr_fail_memory(err);
        }
    }
    closedir(d);
    qsort(*names, *n, sizeof **names, by_name);
    return st;
}

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

/* The processes that the files PID.START.PART.trr are of. */
static enum tr_status find_processes(struct processes *all, const char *folder, char *const *files, size_t n,
                                     struct tr_error *err)
{
    const size_t end_len = strlen(".00000001.trr");
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < n && (st == TR_OK || st == TR_END); i++)
        if (strlen(files[i]) > end_len)
            st = add_process(all, folder, files[i], strlen(files[i]) - end_len, err);
    return st == TR_END ? TR_OK : st;
}

/* By rank and machine; then by start, which orders the processes of a machine. */
static int by_rank(const void *va, const void *vb)
{
    const struct process *a = va, *b = vb;
    int host = strcmp(a->host, b->host);
    return a->rank != b->rank     ? (a->rank > b->rank) - (a->rank < b->rank)
           : host                 ? host
           : a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                  : (a->pid > b->pid) - (a->pid < b->pid);
}

/* By rank, machine, process and application; then by start. */
static int by_application(const void *va, const void *vb)
{
    const struct process *a = va, *b = vb;
    int host = strcmp(a->host, b->host), application = strcmp(a->application, b->application);
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank)
           : host             ? host
           : a->pid != b->pid ? (a->pid > b->pid) - (a->pid < b->pid)
           : application      ? application
                              : (a->start > b->start) - (a->start < b->start);
}

static bool same_rank(const struct process *a, const struct process *b)
{
    return a->rank == b->rank && strcmp(a->host, b->host) == 0;
}

static bool same_application(const struct process *a, const struct process *b)
{
    return same_rank(a, b) && a->pid == b->pid && strcmp(a->application, b->application) == 0;
}

/* How recordings are joined. */
struct joining {
    int (*order)(const void *, const void *);
    bool (*same)(const struct process *, const struct process *);
    bool named;
};

/* The name of the folder for what an application did, as unitrace has it.  NULL: out of memory. */
static char *folder_name(const struct process *p)
{
    struct tr_buf b = { 0 };
    bool ok = p->rank == NO_RANK || tr_buf_print(&b, "rank_%" PRId64 ".", p->rank);
    for (const char *s = p->application; ok && *s; s++) {
        bool plain = (unsigned char)*s > ' ' && *s != '/' && *s != 127;
        ok = tr_buf_add(&b, plain ? s : "_", 1);
    }
    ok = ok && tr_buf_print(&b, ".%" PRId64, p->pid) && tr_buf_add(&b, "", 1);
    char *copy = ok ? strdup((const char *)b.data) : NULL;
    tr_buf_free(&b);
    return copy;
}

/* ---- joining ---- */

static enum tr_status append_file(int to, const char *path, struct tr_error *err)
{
    static unsigned char b[1 << 16];
    enum tr_status st = TR_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot("read", path, err);
    for (size_t got = 1; st == TR_OK && got;) {
        got = 0;
        st = tr_read_some(fd, b, sizeof b, &got, err);
        if (st == TR_OK)
            st = tr_write_full(to, b, got, err);
    }
    close(fd);
    return st == TR_END ? TR_OK : st;
}

/* The blocks that threads had not appended, without the room that was left in them. */
static enum tr_status append_live(int to, const char *path, struct tr_error *err)
{
    static unsigned char b[TR_REC_BYTES];
    enum tr_status st = TR_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? TR_OK : cannot("read", path, err);
    for (off_t at = 0; st == TR_OK && pread(fd, b, sizeof b, at) == (ssize_t)sizeof b; at += (off_t)sizeof b) {
        uint32_t used = (uint32_t)get(b + TR_REC_AT_USED, 4), size = TR_REC_HEAD + used;
        if (memcmp(b, TR_REC_MAGIC, 8) != 0 || !used || size > sizeof b)
            continue;
        for (size_t i = 0; i < 4; i++)
            b[TR_REC_AT_SIZE + i] = (unsigned char)(size >> 8 * i);
        st = tr_write_full(to, b, size, err);
    }
    close(fd);
    return st;
}

/* A block that says from when on events count. */
static enum tr_status write_first(int to, int64_t first, struct tr_error *err)
{
    unsigned char b[TR_REC_HEAD + 16] = { 0 };
    memcpy(b + TR_REC_AT_MAGIC, TR_REC_MAGIC, 8);
    b[TR_REC_AT_SIZE] = sizeof b;
    b[TR_REC_AT_USED] = 16;
    b[TR_REC_HEAD] = TR_REC_FIRST;
    b[TR_REC_HEAD + 2] = 2; /* words */
    for (size_t i = 0; i < 8; i++)
        b[TR_REC_HEAD + 8 + i] = (unsigned char)((uint64_t)first >> 8 * i);
    return tr_write_full(to, b, sizeof b, err);
}

static enum tr_status append_process(int to, const struct record_session *s, const struct process *p,
                                     char *const *files, size_t n, struct tr_error *err)
{
    char path[PATH_MAX];
    size_t len = strlen(p->name);
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < n; i++)
        if (strncmp(files[i], p->name, len) == 0 && files[i][len] == '.') {
            snprintf(path, sizeof path, "%s/%.255s", s->path, files[i]);
            st = append_file(to, path, err);
            if (st == TR_OK && s->temporary)
                unlink(path);
        }
    snprintf(path, sizeof path, "%s/%.255s.live", s->path, p->name);
    if (st == TR_OK)
        st = append_live(to, path, err);
    return st;
}

/* The processes from first on that belong together; *next: the first that does not. */
static enum tr_status join_some(const struct record_session *s, const struct joining *by, const struct processes *all,
                                size_t first, size_t *next, char *const *files, size_t n_files,
                                struct record_joined *out, struct tr_error *err)
{
    char path[PATH_MAX];
    enum tr_status st = TR_OK;
    /* by this name, the source is known in the stream */
    if (all->v[first].rank == NO_RANK)
        snprintf(path, sizeof path, "%s/%zu.joined", s->path, out->n);
    else
        snprintf(path, sizeof path, "%s/rank%" PRId64 ".%zu.joined", s->path, all->v[first].rank, out->n);
    char *copy = strdup(path), *name = by->named ? folder_name(&all->v[first]) : strdup("");
    if (!copy || !name || !tr_grow(&out->paths, &out->cap, out->n + 1, sizeof *out->paths) ||
        !tr_grow(&out->names, &out->cap_names, out->n + 1, sizeof *out->names)) {
        free(copy);
        free(name);
        return tr_fail_memory(err);
    }
    out->names[out->n] = name;
    out->paths[out->n++] = copy;
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (to < 0)
        return cannot("write", path, err);
    if (s->first)
        st = write_first(to, s->first, err);
    for (*next = first; st == TR_OK && *next < all->n && by->same(&all->v[first], &all->v[*next]); ++*next)
        st = append_process(to, s, &all->v[*next], files, n_files, err);
    if (close(to) != 0 && st == TR_OK)
        st = cannot("write", path, err);
    return st;
}

enum tr_status record_join(const struct record_session *s, bool applications, struct record_joined *out,
                           struct tr_error *err)
{
    static const struct joining joinings[] = { { by_rank, same_rank, false },
                                               { by_application, same_application, true } };
    const struct joining *by = &joinings[applications];
    struct processes all = { .n = 0 };
    char **files = NULL;
    size_t n_files = 0;
    enum tr_status st = list_files(s->path, ".trr", &files, &n_files, err);
    if (st == TR_OK)
        st = find_processes(&all, s->path, files, n_files, err);
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by->order);
    for (size_t i = 0; st == TR_OK && i < all.n;)
        st = join_some(s, by, &all, i, &i, files, n_files, out, err);
    out->n_processes = all.n;
    for (size_t i = 0; i < all.n; i++)
        free_process(&all.v[i]);
    free(all.v);
    free_names(files, n_files);
    return st;
}

void record_joined_free(struct record_joined *j)
{
    for (size_t i = 0; i < j->n; i++) {
        unlink(j->paths[i]);
        free(j->paths[i]);
        free(j->names[i]);
    }
    free(j->paths);
    free(j->names);
}
