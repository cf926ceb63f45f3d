/* SPDX-License-Identifier: MIT */
/* A folder as an input: finds the traces among its files, and sorts them. */
#include "formats/tr_folder.h"

#include "base/tr_mem.h"
#include "formats/tr_open_int.h"
#include "model/tr_rank.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool tr_folder_is(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_rank(const void *a, const void *b)
{
    int64_t x = INT64_MAX, y = INT64_MAX;
    tr_rank_from_name(*(char *const *)a, &x);
    tr_rank_from_name(*(char *const *)b, &y);
    return x == y ? by_text(a, b) : (x > y) - (x < y);
}

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder), len = strlen(name);
    char *path = malloc(n + len + 2);
    if (!path)
        return NULL;
    memcpy(path, folder, n);
    if (n && folder[n - 1] != '/')
        path[n++] = '/';
    memcpy(path + n, name, len + 1);
    return path;
}

static bool add(char ***list, size_t *n, char *text)
{
    size_t cap = *n; /* grown one by one: reading the files costs more */
    if (!text || !tr_grow(list, &cap, *n + 1, sizeof **list)) {
        free(text);
        return false;
    }
    (*list)[(*n)++] = text;
    return true;
}

struct looking {
    struct tr_folder *out;
    const struct tr_open_opts *opts;
    struct seen {
        dev_t device;
        ino_t number;
    } *seen; /* files and folders */
    size_t n_seen, cap_seen;
    struct link {
        char *path;
        unsigned depth;
    } *links; /* symbolic links wait for what they may lead to: its own name says more */
    size_t n_links, cap_links;
};

static enum tr_status look_into(struct looking *l, const char *folder, unsigned depth, struct tr_error *err);

/* *again: the file or folder was read before, by another name.  False: out of memory. */
static bool note_seen(struct looking *l, const struct stat *s, bool *again)
{
    *again = false;
    for (size_t i = 0; i < l->n_seen; i++)
        *again |= l->seen[i].device == s->st_dev && l->seen[i].number == s->st_ino;
    if (*again)
        return true;
    if (!tr_grow(&l->seen, &l->cap_seen, l->n_seen + 1, sizeof *l->seen))
        return false;
    l->seen[l->n_seen++] = (struct seen){ s->st_dev, s->st_ino };
    return true;
}

/* A path in a folder, which is taken. */
static enum tr_status look_at(struct looking *l, char *path, unsigned depth, struct tr_error *err)
{
    struct stat s;
    bool trace = false, again = false;
    enum tr_status st = TR_OK;
    if (!path)
        return tr_fail_memory(err);
    bool there = stat(path, &s) == 0, folder = there && S_ISDIR(s.st_mode);
    if (folder && depth > 1) {
        st = !note_seen(l, &s, &again) ? tr_fail_memory(err) : again ? TR_OK : look_into(l, path, depth - 1, err);
        free(path);
        return st;
    }
    if (there && S_ISREG(s.st_mode))
        st = !note_seen(l, &s, &again) ? tr_fail_memory(err)
             : again                     ? TR_OK
                                         : tr__open_looks(path, l->opts, &trace, err);
    if (st != TR_OK) {
        free(path);
        return st;
    }
    bool ok = trace ? add(&l->out->traces, &l->out->n_traces, path) : add(&l->out->others, &l->out->n_others, path);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* The same, but links wait. */
static enum tr_status look_or_wait(struct looking *l, char *path, unsigned depth, struct tr_error *err)
{
    struct stat s;
    if (!path || lstat(path, &s) != 0 || !S_ISLNK(s.st_mode))
        return look_at(l, path, depth, err);
    if (!tr_grow(&l->links, &l->cap_links, l->n_links + 1, sizeof *l->links)) {
        free(path);
        return tr_fail_memory(err);
    }
    l->links[l->n_links++] = (struct link){ path, depth };
    return TR_OK;
}

/* The names in a folder, in order. */
static enum tr_status list_names(const char *folder, char ***names, size_t *n, struct tr_error *err)
{
    struct dirent *entry;
    enum tr_status st = TR_OK;
    DIR *dir = opendir(folder);
    if (!dir) {
        tr_error_input(err, folder);
        return tr_fail_sys(err, errno, "cannot open");
    }
    while (st == TR_OK && (errno = 0, entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' && !add(names, n, strdup(entry->d_name)))
            st = tr_fail_memory(err);
    if (st == TR_OK && errno) {
        tr_error_input(err, folder);
        st = tr_fail_sys(err, errno, "cannot read");
    }
    closedir(dir);
    if (*n)
        qsort(*names, *n, sizeof **names, by_text);
    return st;
}

static enum tr_status look_into(struct looking *l, const char *folder, unsigned depth, struct tr_error *err)
{
    char **names = NULL;
    size_t n = 0;
    enum tr_status st = list_names(folder, &names, &n, err);
    for (size_t i = 0; i < n; i++) {
        if (st == TR_OK)
            st = look_or_wait(l, join(folder, names[i]), depth, err);
        free(names[i]);
    }
    free(names);
    return st;
}

/* Does unitrace's trace have all that this file of its folder has? */
static bool repeats(const struct tr_folder *f, const char *path)
{
    static const char *const same[] = { "device_timeline.txt", "call_logging.txt" };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, same[0]) && strcmp(name, same[1]))
        return false;
    for (size_t i = 0; i < f->n_traces; i++)
        if (strstr(f->traces[i], "/chrome_trace.json") && tr_result_folder_same(f->traces[i], path))
            return true;
    return false;
}

/* Files of a result folder that repeat its trace are no traces.  False: out of memory. */
static bool leave_out(struct tr_folder *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_traces; i++) {
        char *path = f->traces[i];
        if (!repeats(f, path)) {
            f->traces[n++] = path;
            continue;
        }
        if (!add(&f->others, &f->n_others, path)) {
            memmove(f->traces + n, f->traces + i + 1, (f->n_traces - i - 1) * sizeof *f->traces);
            f->n_traces -= i + 1 - n;
            return false;
        }
    }
    f->n_traces = n;
    return true;
}

enum tr_status tr_folder_read(struct tr_folder *out, const char *path, const struct tr_open_opts *opts,
                              struct tr_error *err)
{
    struct looking l = { .out = out, .opts = opts };
    struct stat s;
    bool again;
    *out = (struct tr_folder){ NULL, NULL, 0, 0 };
    enum tr_status st = stat(path, &s) == 0 && !note_seen(&l, &s, &again) ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK)
        st = look_into(&l, path, opts->depth ? opts->depth : 1, err);
    for (size_t i = 0; i < l.n_links; i++) { /* they may lead to further ones */
        if (st == TR_OK)
            st = look_at(&l, l.links[i].path, l.links[i].depth, err);
        else
            free(l.links[i].path);
    }
    free(l.links);
    free(l.seen);
    if (out->n_traces)
        qsort(out->traces, out->n_traces, sizeof *out->traces, by_rank);
    if (st == TR_OK && !leave_out(out))
        st = tr_fail_memory(err);
    if (out->n_others)
        qsort(out->others, out->n_others, sizeof *out->others, by_text);
    if (st == TR_OK && !out->n_traces) {
        tr_error_input(err, path);
        st = tr_fail(err, TR_DAMAGED, "the folder has no trace (it was read to depth %u: --depth)",
                     opts->depth ? opts->depth : 1);
    }
    return st;
}

void tr_folder_free(struct tr_folder *f)
{
    for (size_t i = 0; i < f->n_traces; i++)
        free(f->traces[i]);
    for (size_t i = 0; i < f->n_others; i++)
        free(f->others[i]);
    free(f->traces);
    free(f->others);
    *f = (struct tr_folder){ NULL, NULL, 0, 0 };
}
