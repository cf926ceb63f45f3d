/* SPDX-License-Identifier: MIT */
/* Files that are opened more than once. */
#include "io/tr_reopened_files.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tr_reopened_file {
    struct stat was;
    unsigned n_opened;
    char path[];
};

struct tr_reopened_files {
    pthread_mutex_t lock;
    size_t n_users; /* its owner, and files that are open */
    struct tr_reopened_file **files;
    size_t n, cap;
    struct tr_hash_index by_path;
};

struct tr_reopened_files *tr_reopened_files_new(void)
{
    struct tr_reopened_files *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->n_users = 1;
    return s;
}

static void leave(struct tr_reopened_files *s)
{
    pthread_mutex_lock(&s->lock);
    bool last = --s->n_users == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last)
        return;
    for (size_t i = 0; i < s->n; i++)
        free(s->files[i]);
    free(s->files);
    tr_hash_index_free(&s->by_path);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void tr_reopened_files_free(struct tr_reopened_files *s)
{
    if (s)
        leave(s);
}

void tr_reopened_files_close(struct tr_reopened_files *s, const struct tr_reopened_file *file)
{
    if (file)
        leave(s);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static enum tr_status compare(const struct tr_reopened_file *f, int fd, struct tr_error *err)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return tr_fail_sys(err, errno, "cannot get its state");
    return is_same(&f->was, &now) ? TR_OK : tr_fail(err, TR_DAMAGED, "changed while it was read");
}

static enum tr_status add(struct tr_reopened_files *s, const char *path, int fd, struct tr_reopened_file **file,
                          struct tr_error *err)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return tr_fail_sys(err, errno, "cannot get its state");
    if (!S_ISREG(now.st_mode))
        return TR_OK;
    size_t len = strlen(path) + 1;
    struct tr_reopened_file *f = NULL;
    if (tr_grow(&s->files, &s->cap, s->n + 1, sizeof *s->files))
        f = malloc(sizeof *f + len);
    if (!f || !tr_hash_index_add(&s->by_path, tr_hash(path, len - 1), (uint32_t)s->n)) {
        free(f);
        return tr_fail_memory(err);
    }
    *f = (struct tr_reopened_file){ .was = now, .n_opened = 1 };
    memcpy(f->path, path, len);
    s->files[s->n++] = *file = f;
    return TR_OK;
}

static struct tr_reopened_file *find(const struct tr_reopened_files *s, const char *path)
{
    struct tr_hash_walk w = tr_hash_index_walk(&s->by_path, tr_hash(path, strlen(path)));
    for (uint32_t i; (i = tr_hash_index_next(&w)) != TR_HASH_NONE;)
        if (strcmp(s->files[i]->path, path) == 0)
            return s->files[i];
    return NULL;
}

enum tr_status tr_reopened_files_open(struct tr_reopened_files *s, const char *path, int fd,
                                      struct tr_reopened_file **file, struct tr_error *err)
{
    enum tr_status st;
    *file = NULL;
    pthread_mutex_lock(&s->lock);
    struct tr_reopened_file *f = find(s, path);
    if (!f) {
        st = add(s, path, fd, file, err);
    } else {
        f->n_opened++;
        st = compare(f, fd, err);
        *file = st == TR_OK ? f : NULL;
    }
    s->n_users += *file != NULL;
    pthread_mutex_unlock(&s->lock);
    return st;
}

enum tr_status tr_reopened_files_still(struct tr_reopened_files *s, const struct tr_reopened_file *file, int fd,
                                       struct tr_error *err)
{
    enum tr_status st = TR_OK;
    pthread_mutex_lock(&s->lock);
    if (file && file->n_opened > 1)
        st = compare(file, fd, err);
    pthread_mutex_unlock(&s->lock);
    return st;
}
