/* SPDX-License-Identifier: MIT */
/*
 * The edges of libcore/io: archives that are empty, damaged from the start or with names in no known characters; going
 * on where there is nothing to get over; temporary files where none can be without a name; the pool without threads.
 */
#include "locks.h"

#include "io_tap.h"

#include "io/tr_pool.h"
#include "io/tr_temp.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- archives ---- */

/* Append a tar member; the name is bytes. */
static void add_member(struct tr_buf *tar, const char *name, char type, const char *text)
{
    unsigned char head[512] = { 0 }, fill[512] = { 0 };
    size_t n = strlen(text);
    unsigned sum = 0;
    snprintf((char *)head, 100, "%s", name);
    snprintf((char *)head + 100, 8, "0000644");
    snprintf((char *)head + 108, 8, "0000000");
    snprintf((char *)head + 116, 8, "0000000");
    snprintf((char *)head + 124, 12, "%011o", (unsigned)n);
    snprintf((char *)head + 136, 12, "%011o", 0u);
    memset(head + 148, ' ', 8);
    head[156] = (unsigned char)type;
    memcpy(head + 257, "ustar\00000", 8);
    for (int i = 0; i < 512; i++)
        sum += head[i];
    snprintf((char *)head + 148, 8, "%06o", sum);
    if (!tr_buf_add(tar, head, 512) || !tr_buf_add(tar, text, n) || !tr_buf_add(tar, fill, (512 - n % 512) % 512))
        bail("memory");
}

static void end_archive(struct tr_buf *tar)
{
    unsigned char zeros[1024] = { 0 };
    if (!tr_buf_add(tar, zeros, sizeof zeros))
        bail("memory");
}

#ifdef HAVE_ARCHIVE
static void archives(void)
{
    struct tr_buf tar = { 0 }, out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_bytes *b = NULL;
    const char *name = NULL;

    add_member(&tar, "caf\303\251.json", '0', "in UTF-8");
    add_member(&tar, "caf\351.json", '0', "in another encoding");
    add_member(&tar, "sub/", '5', "");
    add_member(&tar, "last", '0', "last");
    end_archive(&tar);
    ok(tr_bytes_open(&b, file_with(tar.data, tar.len), "a.tar", NULL, &err) == TR_OK &&
           !strcmp(tr_bytes_member(b), "caf\303\251.json") && slurp(b, 99, &out, &err) == TR_END && out.len == 8,
       "a name in UTF-8");
    out.len = 0;
    enum tr_status next = tr_bytes_next_member(b, &name, &err);
    ok(next == TR_OK && !strcmp(name, "caf\351.json") &&
           !strcmp(tr_bytes_name(b), "a.tar(caf\351.json)") && slurp(b, 99, &out, &err) == TR_END && out.len == 19,
       "a name in another encoding stays as it is: %s", next == TR_OK ? name : err.what);
    ok(tr_bytes_next_member(b, &name, &err) == TR_OK && !strcmp(name, "last") &&
           tr_bytes_next_member(b, &name, &err) == TR_END && !tr_bytes_member(b) && !strcmp(tr_bytes_name(b), "a.tar"),
       "folders are no members, and after the last one there is none");
    tr_bytes_close(b);

    tar.len = 0; /* a folder alone: nothing to read, and nothing wrong */
    add_member(&tar, "sub/", '5', "");
    end_archive(&tar);
    ok(tr_bytes_open(&b, file_with(tar.data, tar.len), "a.tar", NULL, &err) == TR_OK && b, "an archive without files opens");
    if (b)
        ok(!tr_bytes_member(b) && slurp(b, 99, &out, &err) == TR_END && tr_bytes_next_member(b, &name, &err) == TR_END,
           "and is read to its end");
    tr_bytes_close(b);

    tar.len = 0; /* a file that the archive has twice: a hard link is read once */
    add_member(&tar, "first", '0', "text");
    add_member(&tar, "again", '1', "");
    memcpy(tar.data + 1024 + 157, "first", 5);
    end_archive(&tar);
    unsigned sum = 0;
    memset(tar.data + 1024 + 148, ' ', 8);
    for (int i = 0; i < 512; i++)
        sum += tar.data[1024 + i];
    snprintf((char *)tar.data + 1024 + 148, 8, "%06o", sum);
    ok(tr_bytes_open(&b, file_with(tar.data, tar.len), "a.tar", NULL, &err) == TR_OK &&
           tr_bytes_next_member(b, &name, &err) == TR_END,
       "a hard link is no member");
    tr_bytes_close(b);

    static const unsigned char torn[] = "PK\3\4\24\0\0\0\10"; /* cut within the first head */
    b = NULL;
    ok(tr_bytes_open(&b, file_with(torn, sizeof torn - 1), "a.zip", NULL, &err) == TR_DAMAGED && !b &&
           !strcmp(err.input, "a.zip"),
       "an archive without a readable start is damaged when it is opened: %s", err.what);
    tr_buf_free(&tar);
    tr_buf_free(&out);
}
#else
static void archives(void)
{
    struct tr_buf tar = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_bytes *b = NULL;
    add_member(&tar, "first", '0', "text");
    end_archive(&tar);
    ok(tr_bytes_open(&b, file_with(tar.data, tar.len), "a.tar", NULL, &err) == TR_DAMAGED && strstr(err.what, "tar"),
       "without libarchive, archives are refused by name");
    tr_buf_free(&tar);
}
#endif

/* ---- getting over damage ---- */

static void nothing_to_get_over(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf out = { 0 };
    struct tr_bytes *b;
    uint64_t skipped = 99;
    if (tr_bytes_open(&b, file_with("plain text", 10), "text", NULL, &err) != TR_OK)
        bail(err.what);
    ok(tr_bytes_resync(b, &skipped, &err) == TR_OK && skipped == 0, "before the end there is nothing to get over");
    ok(slurp(b, 4, &out, &err) == TR_END && out.len == 10, "and nothing is lost");
    skipped = 99;
    ok(tr_bytes_resync(b, &skipped, &err) == TR_END && skipped == 0, "nor at the end");
    tr_bytes_close(b);

    /* A gzip member whose method is unknown, five bytes more, no other member. */
    static const unsigned char bad[] = "\37\213\10\0\0\0\0\0\0\3\7\7\7\7\7\7\7\7\7";
    if (tr_bytes_open(&b, file_with(bad, sizeof bad - 1), "bad.gz", NULL, &err) != TR_OK)
        bail(err.what);
    out.len = 0;
    ok(slurp(b, 4, &out, &err) == TR_DAMAGED && slurp(b, 4, &out, &err) == TR_DAMAGED, "damage stays");
    ok(tr_bytes_resync(b, &skipped, &err) == TR_END && slurp(b, 4, &out, &err) == TR_END, "with nothing intact after it");
    tr_bytes_close(b);
    tr_buf_free(&out);
}

/* ---- temporary files ---- */

#if defined __GLIBC__ && defined O_TMPFILE && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
static bool without_names; /* such files can be made */

/* A file system that knows no files without names. */
int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    void *address = real ? NULL : dlsym(NEXT_DEFINITION, "open");
    va_list ap;
    if (address)
        memcpy(&real, &address, sizeof real);
    va_start(ap, flags);
    int mode = flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(ap, int) : 0;
    va_end(ap);
    if ((flags & O_TMPFILE) == O_TMPFILE && !without_names) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return real(path, flags, mode);
}
#define CAN_REFUSE 1
#else
#define CAN_REFUSE 0
#endif

static void named_files(const char *dir)
{
    struct tr_temp *t;
    struct tr_error err = TR_ERROR_INIT;
    struct stat before, after;
    char back[4] = "";
    int next = dup(0); /* the number that the file will have */
    close(next);
    if (stat(dir, &before) != 0 || !ok(tr_temp_open(&t, dir, &err) == TR_OK, "a temporary file: %s", err.what))
        bail("temporary file");
    ok(fcntl(next, F_GETFD) == FD_CLOEXEC, "that no other program gets");
    ok(fstat(next, &after) == 0 && S_ISREG(after.st_mode) && after.st_nlink == 0 && (after.st_mode & 077) == 0,
       "it has no name, and nobody else may read it");
    ok(tr_temp_write(t, "abc", 3, &err) == TR_OK && tr_temp_read_at(t, back, 3, 0, &err) == TR_OK &&
           !strcmp(back, "abc"),
       "and holds what is written");
    tr_temp_free(t);
    ok(rmdir(dir) == 0 && mkdir(dir, 0700) == 0, "the folder is empty");
    err = (struct tr_error)TR_ERROR_INIT;
    ok(tr_temp_open(&t, "/nonexistent", &err) == TR_SYSTEM && err.sys_errno == ENOENT && !t &&
           !strcmp(err.input, "/nonexistent"),
       "a folder that is not there: %s", err.what);
}

static void temporary_files(void)
{
    char dir[] = "/tmp/io_edges-XXXXXX";
    if (!mkdtemp(dir))
        bail(dir);
    named_files(dir);
#if CAN_REFUSE
    without_names = true;
    named_files(dir);
#endif
#if CAN_REFUSE
    without_names = false;
#endif
    int input = dup(0), fd = -1; /* standard input is closed: the file may have its number */
    struct tr_error err = TR_ERROR_INIT;
    close(0);
    enum tr_status st = tr__temp_fd(&fd, dir, &err);
    if (st == TR_OK)
        close(fd);
    ok(st == TR_OK && fd == 0, "a file may have the number 0");
    dup2(input, 0);
    close(input);
    rmdir(dir);
}

/* ---- the pool ---- */

struct where {
    pthread_t thread;
    bool done;
};

static enum tr_status note_thread(void *arg, unsigned worker, struct tr_error *err)
{
    struct where *w = arg;
    (void)worker;
    (void)err;
    w->thread = pthread_self();
    w->done = true;
    return TR_OK;
}

static void threads_of_pools(void)
{
    struct tr_pool *pool;
    struct where here = { .done = false }, there = here;
    void *got;
    if (tr_pool_open(&pool, 1, 1, NULL) != TR_OK)
        bail("pool");
    ok(!tr_pool_full(pool) && tr_pool_outstanding(pool) == 0, "a new pool is empty");
    tr_pool_submit(pool, note_thread, &here);
    ok(here.done && pthread_equal(here.thread, pthread_self()), "a pool of one thread has none: the submitter does it");
    ok(tr_pool_full(pool) && tr_pool_outstanding(pool) == 1, "and the result waits");
    ok(tr_pool_next(pool, &got, NULL) == TR_OK && got == &here && !tr_pool_full(pool), "until it is taken");
    tr_pool_free(pool, NULL);
    if (tr_pool_open(&pool, 2, 1, NULL) != TR_OK)
        bail("pool");
    tr_pool_submit(pool, note_thread, &there);
    ok(tr_pool_next(pool, &got, NULL) == TR_OK && got == &there && !pthread_equal(there.thread, pthread_self()),
       "a pool of two has others");
    tr_pool_free(pool, NULL);

    struct tr_error err = TR_ERROR_INIT;
    ok(tr_pool_open(&pool, TR_POOL_MAX_THREADS, 1, &err) == TR_OK, "the most threads");
    tr_pool_free(pool, NULL);
    ok(tr_pool_open(&pool, 1, TR_POOL_MAX_JOBS, &err) == TR_OK, "the most jobs");
    tr_pool_free(pool, NULL);
    ok(tr_pool_open(&pool, TR_POOL_MAX_THREADS + 1, 1, &err) == TR_USAGE && !pool &&
           !strcmp(err.what, "1025 threads, 1 to 1024 expected"),
       "one thread more: %s", err.what);
    ok(tr_pool_open(&pool, 1, TR_POOL_MAX_JOBS + 1, &err) == TR_USAGE && !pool &&
           !strcmp(err.what, "65537 jobs, 1 to 65536 expected"),
       "one job more: %s", err.what);
}

int main(void)
{
    archives();
    nothing_to_get_over();
    temporary_files();
    threads_of_pools();
    return done_testing();
}
