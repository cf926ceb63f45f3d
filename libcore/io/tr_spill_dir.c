/* SPDX-License-Identifier: MIT */
/* A spill whose files are temporary ones in a folder. */
#include "io/tr_spill_dir.h"

#include "base/tr_budget.h"
#include "io/tr_mmap_array.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY 64u /* uses between two looks at what is in memory, each of which may bring in several pages */

struct spill {
    struct tr_spill ops; /* first: what others see of it */
    char *dir;
    struct tr_budget *budget;
    uint64_t max_resident;
    int statm; /* what the system says of the process; -1: nothing */
    uint64_t before; /* bytes of other files that were in memory then, such as the program's */
    uint64_t page;
    atomic_uint n_touched;
    pthread_mutex_t lock; /* of the files */
    struct tr_spill_file *files;
};

struct tr_spill_file {
    struct spill *of;
    struct tr_spill_file *next, **link;
    struct tr_mmap_array *map;
};

static bool take(struct tr_spill *s, uint64_t bytes)
{
    return tr_budget_take(((struct spill *)s)->budget, bytes);
}

static void give(struct tr_spill *s, uint64_t bytes)
{
    tr_budget_give(((struct spill *)s)->budget, bytes);
}

/* Bytes of files that are mapped and in memory: pages are the third number of what the system says. */
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

static struct tr_spill_file *open_file(struct tr_spill *s)
{
    struct spill *of = (struct spill *)s;
    struct tr_spill_file *f = calloc(1, sizeof *f);
    struct tr_error err = TR_ERROR_INIT;
    if (!f || tr_mmap_array_open(&f->map, of->dir, 0, UINT64_C(1) << 36, &err) != TR_OK) {
        free(f);
        return NULL;
    }
    f->of = of;
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
    pthread_mutex_lock(&f->of->lock);
    enum tr_status st = tr_mmap_array_grow(f->map, *bytes, &err);
    *bytes = tr_mmap_array_size(f->map);
    pthread_mutex_unlock(&f->of->lock);
    return st == TR_OK ? tr_mmap_array_data(f->map) : NULL;
}

static void close_file(struct tr_spill_file *f)
{
    pthread_mutex_lock(&f->of->lock);
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    pthread_mutex_unlock(&f->of->lock);
    tr_mmap_array_free(f->map);
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
        tr_mmap_array_trim(f->map);
    pthread_mutex_unlock(&s->lock);
}

struct tr_spill *tr_spill_dir_new(uint64_t memory_bytes, const char *dir)
{
    struct spill *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->ops = (struct tr_spill){ take, give, open_file, grow_file, close_file, touched };
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
