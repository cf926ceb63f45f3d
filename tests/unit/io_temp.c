/* SPDX-License-Identifier: MIT */
/* tr_temp.h and tr_mmap_array.h. */
#include "io_tap.h"

#include "io/tr_mmap_array.h"
#include "io/tr_temp.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define MIB ((size_t)1 << 20)

static int files_in(const char *dir)
{
    int n = -2; /* . and .. */
    DIR *d = opendir(dir);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static void temp(const char *dir)
{
    struct tr_temp *t;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = trace_text(1500000, 1);
    unsigned char *back = malloc(text.len);
    uint32_t seed = 2;
    if (!ok(tr_temp_open(&t, dir, &err) == TR_OK, "open"))
        bail(err.what);
    ok(files_in(dir) == 0, "without a name");
    size_t at = 0, bad = 0;
    while (at < text.len) {
        size_t n = next_random(&seed) % (next_random(&seed) % 20 ? 3000 : 400000);
        if (n > text.len - at)
            n = text.len - at;
        bad += tr_temp_write(t, text.data + at, n, &err) != TR_OK;
        at += n;
        bad += tr_temp_size(t) != at;
        if (at) { /* what was written just now can be read */
            size_t from = next_random(&seed) % at;
            bad += tr_temp_read_at(t, back, at - from, from, &err) != TR_OK ||
                   memcmp(back, text.data + from, at - from) != 0;
        }
    }
    ok(!bad, "writes and reads in turn");
    ok(tr_temp_flush(t, &err) == TR_OK && tr_temp_read_at(t, back, text.len, 0, &err) == TR_OK &&
           !memcmp(back, text.data, text.len),
       "all of it");
    ok(tr_temp_read_at(t, back, 2, text.len - 1, &err) == TR_USAGE, "not beyond the end");
    ok(tr_temp_read_at(t, back, 2, UINT64_MAX, &err) == TR_USAGE, "nor far beyond");
    int open_now = files_in("/proc/self/fd");
    tr_temp_free(t);
    ok(files_in("/proc/self/fd") == open_now - (open_now > 0), "its descriptor is closed");
    tr_temp_free(NULL);
    err = (struct tr_error)TR_ERROR_INIT;
    ok(tr_temp_open(&t, "/nonexistent/folder", &err) == TR_SYSTEM && err.sys_errno == ENOENT &&
           !strcmp(err.input, "/nonexistent/folder") && !t,
       "a missing folder is named");
    free(back);
    tr_buf_free(&text);
}

static bool filled(const uint32_t *p, size_t n, size_t from)
{
    for (size_t i = from; i < n; i++)
        if (p[i] != (uint32_t)(i * 2654435761u))
            return false;
    return true;
}

static void fill(uint32_t *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        p[i] = (uint32_t)(i * 2654435761u);
}

/* Pages of this process that are resident, in bytes; 0 if the system does not say. */
static size_t resident(void)
{
    unsigned long all, res;
    FILE *f = fopen("/proc/self/statm", "r");
    int n = f ? fscanf(f, "%lu %lu", &all, &res) : 0;
    if (f)
        fclose(f);
    return n == 2 ? res * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static void spill(const char *dir)
{
    struct tr_mmap_array *m;
    struct tr_error err = TR_ERROR_INIT;
    if (!ok(tr_mmap_array_open(&m, dir, 4 * MIB, UINT64_MAX, &err) == TR_OK, "open"))
        bail(err.what);
    uint32_t *p = tr_mmap_array_data(m);
    ok(tr_mmap_array_size(m) == 0 && tr_mmap_array_limit(m) >= 64 * MIB, "empty, with room");
    size_t n = 0, bad = 0;
    bool was_on_disk = false;
    for (size_t want = 1000; want < 48 * MIB; want += want / 3) {
        bad += tr_mmap_array_grow(m, want, &err) != TR_OK || tr_mmap_array_size(m) < want;
        bad += tr_mmap_array_data(m) != p;
        bad += tr_mmap_array_on_disk(m) != (want > 4 * MIB);
        size_t to = (size_t)tr_mmap_array_size(m) / sizeof *p;
        for (size_t i = n; i < to; i += 100)
            bad += p[i] != 0;
        fill(p, n, to);
        n = to;
        if (tr_mmap_array_on_disk(m) && !was_on_disk)
            bad += !filled(p, n, 0);
        was_on_disk = tr_mmap_array_on_disk(m);
        if (want % 2)
            tr_mmap_array_trim(m);
    }
    ok(!bad, "it grows in memory and on disk, at one address, with zeros");
    ok(filled(p, n, 0), "the contents survive growth and trimming");
    ok(files_in(dir) == 0, "the file has no name");
    size_t before = resident();
    tr_mmap_array_trim(m);
    size_t after = resident();
    if (before)
        ok(before > after + 32 * MIB, "trimming releases memory (%zu to %zu MiB)", before / MIB,
           after / MIB);
    else
        skip("trimming releases memory", "resident size is unknown");
    ok(filled(p, n, 0), "and keeps the contents");
    uint64_t size = tr_mmap_array_size(m);
    ok(tr_mmap_array_grow(m, 10, &err) == TR_OK && tr_mmap_array_size(m) == size, "it never shrinks");
    tr_mmap_array_free(m);
    tr_mmap_array_free(NULL);
}

static void limits(const char *dir)
{
    struct tr_mmap_array *m;
    struct tr_error err = TR_ERROR_INIT;
    ok(tr_mmap_array_open(&m, dir, 0, 3 * MIB, &err) == TR_OK, "a limit");
    ok(tr_mmap_array_grow(m, 3 * MIB, &err) == TR_OK && tr_mmap_array_on_disk(m), "up to the limit");
    fill(tr_mmap_array_data(m), 0, 3 * MIB / 4);
    ok(tr_mmap_array_grow(m, 3 * MIB + 8192, &err) == TR_SYSTEM && err.sys_errno == ENOMEM &&
           tr_mmap_array_size(m) == 3 * MIB && filled(tr_mmap_array_data(m), 3 * MIB / 4, 0),
       "not beyond, and nothing is lost");
    tr_mmap_array_free(m);
    ok(tr_mmap_array_open(&m, dir, 0, 0, &err) == TR_USAGE && !m, "no room at all");

    /* What is asked for where there are more addresses. */
    for (unsigned bits = 26; bits < 64; bits += 3) {
        err = (struct tr_error)TR_ERROR_INIT;
        bool open = tr_mmap_array_open(&m, dir, 0, UINT64_C(1) << bits, &err) == TR_OK;
        ok(open && tr_mmap_array_grow(m, 3 * MIB, &err) == TR_OK, "a limit of 2^%u: %s", bits, open ? "" : err.what);
        tr_mmap_array_free(m);
    }

    err = (struct tr_error)TR_ERROR_INIT;
    tr_mmap_array_open(&m, "/nonexistent", MIB, 64 * MIB, &err);
    ok(tr_mmap_array_grow(m, MIB, &err) == TR_OK, "memory needs no folder");
    fill(tr_mmap_array_data(m), 0, MIB / 4);
    ok(tr_mmap_array_grow(m, 2 * MIB, &err) == TR_SYSTEM && err.sys_errno == ENOENT && !tr_mmap_array_on_disk(m) &&
           filled(tr_mmap_array_data(m), MIB / 4, 0),
       "the file does, and its failure loses nothing");
    tr_mmap_array_free(m);
}

/* A limit on the size of files stands for a full disk: an error, not a signal on access. */
static void full(const char *dir)
{
    struct tr_mmap_array *m;
    struct tr_error err = TR_ERROR_INIT;
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 5 * MIB;
    signal(SIGXFSZ, SIG_IGN);
    tr_mmap_array_open(&m, dir, MIB, UINT64_MAX, &err);
    setrlimit(RLIMIT_FSIZE, &small);
    ok(tr_mmap_array_grow(m, 3 * MIB, &err) == TR_OK, "before the disk is full");
    uint64_t size = tr_mmap_array_size(m);
    fill(tr_mmap_array_data(m), 0, (size_t)size / 4);
    ok(tr_mmap_array_grow(m, 30 * MIB, &err) == TR_SYSTEM && err.sys_errno == EFBIG && !strcmp(err.input, dir) &&
           tr_mmap_array_size(m) == size,
       "a full disk is an error");
    ok(filled(tr_mmap_array_data(m), (size_t)size / 4, 0), "and costs nothing");
    tr_mmap_array_free(m);
    struct tr_temp *t;
    char *big = calloc(6, MIB);
    err = (struct tr_error)TR_ERROR_INIT;
    tr_temp_open(&t, dir, NULL);
    ok(big && tr_temp_write(t, big, 6 * MIB, &err) == TR_SYSTEM && err.sys_errno == EFBIG,
       "for temporary files, too");
    tr_temp_free(t);
    free(big);
    setrlimit(RLIMIT_FSIZE, &old);
}

int main(void)
{
    char dir[] = "io_temp.XXXXXX";
    if (!mkdtemp(dir))
        bail("mkdtemp");
    temp(dir);
    spill(dir);
    limits(dir);
    full(dir);
    rmdir(dir);
    return done_testing();
}
