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

/* One name in the folder. */
static enum tr_status look_at(struct tr_folder *f, const char *folder, const char *name,
                              const struct tr_open_opts *opts, struct tr_error *err)
{
    struct stat s;
    bool trace = false, ok;
    char *path = join(folder, name);
    if (!path)
        return tr_fail_memory(err);
    bool regular = stat(path, &s) == 0 && S_ISREG(s.st_mode);
    enum tr_status st = regular ? tr__open_looks(path, opts, &trace, err) : TR_OK;
    if (st == TR_OK && trace) {
        ok = add(&f->traces, &f->n_traces, path);
        return ok ? TR_OK : tr_fail_memory(err);
    }
    ok = st != TR_OK || add(&f->others, &f->n_others, strdup(name));
    free(path);
    return ok ? st : tr_fail_memory(err);
}

enum tr_status tr_folder_read(struct tr_folder *out, const char *path, const struct tr_open_opts *opts,
                              struct tr_error *err)
{
    struct dirent *entry;
    enum tr_status st = TR_OK;
    *out = (struct tr_folder){ NULL, NULL, 0, 0 };
    DIR *dir = opendir(path);
    if (!dir) {
        tr_error_input(err, path);
        return tr_fail_sys(err, errno, "cannot open");
    }
    while (st == TR_OK && (errno = 0, entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            st = look_at(out, path, entry->d_name, opts, err);
    if (st == TR_OK && errno) {
        tr_error_input(err, path);
        st = tr_fail_sys(err, errno, "cannot read");
    }
    closedir(dir);
    if (out->n_traces)
        qsort(out->traces, out->n_traces, sizeof *out->traces, by_rank);
    if (out->n_others)
        qsort(out->others, out->n_others, sizeof *out->others, by_text);
    if (st == TR_OK && !out->n_traces) {
        tr_error_input(err, path);
        st = tr_fail(err, TR_DAMAGED, "the folder has no trace (folders inside it are not read)");
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
