/* SPDX-License-Identifier: MIT */
/* A spill with temporary files in a folder. */
#include "io/tr_spill_dir.h"

#include "base/tr_budget.h"
#include "io/tr_io.h"
#include "io/tr_mmap_array.h"
#include "io/tr_temp.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES 65536u
#define LOOK_EVERY 16u /* uses between two checks of the memory; each use may read several pages */

struct spill {
    struct tr_spill ops; /* first: what others see of it */
    char *dir;
    struct tr_budget *budget;
    uint64_t max_resident;
    int statm; /* the system's file about the memory of the process; -1: none */
    uint64_t before; /* bytes of other files in memory at the start, such as the program's */
    uint64_t page;
    atomic_uint n_touched;
    pthread_mutex_t lock; /* of the files and the error */
    struct tr_spill_file *files;
    struct tr_error failed; /* the first failure */
};

struct tr_spill_file {
    struct spill *of;
    struct tr_spill_file *next, **link;
    struct tr_mmap_array *map; /* NULL: not used in place */
    int fd;                    /* -1: nothing written */
    bool shared;               /* with the process that this one is a copy of */
};

static bool take(struct tr_spill *s, uint64_t bytes)
{
    return tr_budget_take(((struct spill *)s)->budget, bytes);
}

static void give(struct tr_spill *s, uint64_t bytes)
{
    tr_budget_give(((struct spill *)s)->budget, bytes);
}

/* Bytes of mapped files in memory: their pages are the third number in statm. */
static uint64_t resident(const struct spill *s)
{
    char text[128];
    ssize_t n = s->statm >= 0 ? pread(s->statm, text, sizeof text, 0) : 0;
    uint64_t pages = 0;
    unsigned place = 0;
    for (ssize_t i = 0; i < n && place < 3; i++) {
        if (text[i] == ' ')
            place++;
        else if (place == 2)
            pages = pages * 10 + (uint64_t)(text[i] - '0');
    }
    return n > 0 ? pages * s->page : UINT64_MAX;
}

/* Keep the first failure.  Called with the lock. */
static bool done(struct spill *s, enum tr_status st, const struct tr_error *err)
{
    if (st != TR_OK && s->failed.status == TR_OK)
        s->failed = *err;
    return st == TR_OK;
}

static struct tr_spill_file *open_file(struct tr_spill *s)
{
    struct spill *of = (struct spill *)s;
    struct tr_spill_file *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->of = of;
    f->fd = -1;
    pthread_mutex_lock(&of->lock);
    if (of->statm < 0) {
        of->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
        of->before = resident(of);
    }
    f->next = of->files;
    f->link = &of->files;
    if (f->next)
        f->next->link = &f->next;
    of->files = f;
    pthread_mutex_unlock(&of->lock);
    return f;
}

static void *grow_file(struct tr_spill_file *f, uint64_t *bytes)
{
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = TR_OK;
    pthread_mutex_lock(&f->of->lock);
    if (!f->map)
        st = tr_mmap_array_open(&f->map, f->of->dir, 0, UINT64_C(1) << 36, &err);
    if (st == TR_OK)
        st = tr_mmap_array_grow(f->map, *bytes, &err);
    if (st == TR_OK)
        *bytes = tr_mmap_array_size(f->map);
    bool ok = done(f->of, st, &err);
    pthread_mutex_unlock(&f->of->lock);
    return ok ? tr_mmap_array_data(f->map) : NULL;
}

static bool fail(struct tr_spill_file *f, enum tr_status st, struct tr_error *err)
{
    tr_error_input(err, f->of->dir);
    pthread_mutex_lock(&f->of->lock);
    done(f->of, st, err);
    pthread_mutex_unlock(&f->of->lock);
    return false;
}

static bool read_file(struct tr_spill_file *f, void *to, size_t n, uint64_t at)
{
    struct tr_error err = TR_ERROR_INIT;
    size_t got = 0;
    enum tr_status st = f->fd < 0 ? TR_END : tr_pread_full(f->fd, to, n, at, &got, &err);
    if (st == TR_END)
        memset((char *)to + got, 0, n - got);
    return st == TR_OK || st == TR_END || fail(f, st, &err);
}

/* A file with the same contents, in place of one that another process uses. */
static enum tr_status own_file(struct tr_spill_file *f, struct tr_error *err)
{
    unsigned char some[COPY_BYTES];
    size_t got = sizeof some;
    int fd;
    enum tr_status st = tr__temp_fd(&fd, f->of->dir, err);
    for (uint64_t at = 0; st == TR_OK; at += got) {
        st = tr_pread_full(f->fd, some, sizeof some, at, &got, err);
        if ((st == TR_OK || st == TR_END) && got && tr_pwrite_full(fd, some, got, at, err) != TR_OK)
            st = TR_SYSTEM;
    }
    if (st != TR_END) {
        if (fd >= 0)
            close(fd);
        return st;
    }
    close(f->fd);
    f->fd = fd;
    f->shared = false;
    return TR_OK;
}

static bool write_file(struct tr_spill_file *f, const void *from, size_t n, uint64_t at)
{
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = f->fd < 0 ? tr__temp_fd(&f->fd, f->of->dir, &err) : f->shared ? own_file(f, &err) : TR_OK;
    if (st == TR_OK)
        st = tr_pwrite_full(f->fd, from, n, at, &err);
    return st == TR_OK || fail(f, st, &err);
}

static void close_file(struct tr_spill_file *f)
{
    pthread_mutex_lock(&f->of->lock);
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    pthread_mutex_unlock(&f->of->lock);
    tr_mmap_array_free(f->map);
    if (f->fd >= 0)
        close(f->fd);
    free(f);
}

static void touched(struct tr_spill *spill)
{
    struct spill *s = (struct spill *)spill;
    if (atomic_fetch_add_explicit(&s->n_touched, 1, memory_order_relaxed) % LOOK_EVERY != 0)
        return;
    pthread_mutex_lock(&s->lock);
    uint64_t now = resident(s);
    bool too_much = now == UINT64_MAX || (now > s->before && now - s->before > s->max_resident);
    for (struct tr_spill_file *f = too_much ? s->files : NULL; f; f = f->next)
        if (f->map)
            tr_mmap_array_trim(f->map);
    pthread_mutex_unlock(&s->lock);
}

static void hold(struct tr_spill *spill)
{
    pthread_mutex_lock(&((struct spill *)spill)->lock);
}

static bool release(struct tr_spill *spill, bool copied)
{
    struct spill *s = (struct spill *)spill;
    bool ok = true;
    for (struct tr_spill_file *f = copied ? s->files : NULL; f; f = f->next) {
        f->shared = f->fd >= 0;
        ok = (!f->map || tr_mmap_array_own(f->map)) && ok;
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

struct tr_spill *tr_spill_dir_new(uint64_t memory_bytes, const char *dir)
{
    struct spill *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->ops = (struct tr_spill){ take, give, open_file, grow_file, read_file, write_file, close_file, touched,
                                 hold, release };
    s->dir = strdup(dir);
    s->budget = tr_budget_new(memory_bytes);
    s->max_resident = memory_bytes / 2;
    s->statm = -1;
    s->page = (uint64_t)sysconf(_SC_PAGESIZE);
    pthread_mutex_init(&s->lock, NULL);
    if (s->dir && s->budget)
        return &s->ops;
    tr_spill_dir_free(&s->ops);
    return NULL;
}

bool tr_spill_dir_failed(struct tr_spill *spill, struct tr_error *err)
{
    struct spill *s = (struct spill *)spill;
    if (!s)
        return false;
    pthread_mutex_lock(&s->lock);
    bool failed = s->failed.status != TR_OK;
    if (failed)
        *err = s->failed;
    pthread_mutex_unlock(&s->lock);
    return failed;
}

void tr_spill_dir_free(struct tr_spill *spill)
{
    struct spill *s = (struct spill *)spill;
    if (!s)
        return;
    if (s->statm >= 0)
        close(s->statm);
    tr_budget_free(s->budget);
    pthread_mutex_destroy(&s->lock);
    free(s->dir);
    free(s);
}
