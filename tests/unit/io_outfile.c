/* tr_outfile.h: files that appear when they are complete. */
#include <config.h>

#include "io_tap.h"

#include "io/tr_outfile.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

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

static bool holds(const char *path, const void *p, size_t n)
{
    struct tr_buf b = { 0 };
    size_t got;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || !tr_buf_reserve(&b, n + 1))
        return false;
    bool good = tr_read_full(fd, b.data, n + 1, &got, NULL) == TR_END && got == n &&
                memcmp(b.data, p, n) == 0;
    close(fd);
    tr_buf_free(&b);
    return good;
}

static bool holds_str(const char *path, const char *s)
{
    return holds(path, s, strlen(s));
}

static void put(const char *path, const char *s, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || tr_write_full(fd, s, strlen(s), NULL) != TR_OK)
        bail(path);
    fchmod(fd, mode);
    close(fd);
}

static mode_t mode_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? s.st_mode & 07777 : 0;
}

static enum tr_status write_str(const char *path, const char *s, struct tr_error *err)
{
    struct tr_outfile *o;
    enum tr_status st = tr_outfile_open(&o, path, err);
    if (st != TR_OK)
        return st;
    st = tr_outfile_write(o, s, strlen(s), err);
    if (st == TR_OK)
        return tr_outfile_commit(o, err);
    tr_outfile_abandon(o);
    return st;
}

static void new_file(void)
{
    struct tr_outfile *o;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = trace_text(1200000, 1);
    uint32_t seed = 1;
    umask(027);
    if (!ok(tr_outfile_open(&o, "new", &err) == TR_OK, "open"))
        bail(err.what);
    size_t bad = 0;
    for (size_t at = 0; at < text.len;) {
        size_t n = next_random(&seed) % (next_random(&seed) % 30 ? 2000 : 600000);
        n = n < text.len - at ? n : text.len - at;
        bad += tr_outfile_write(o, text.data + at, n, &err) != TR_OK;
        at += n;
        bad += tr_outfile_size(o) != at;
    }
    ok(!bad && access("new", F_OK) != 0, "not there while it is written");
    ok(tr_outfile_is_regular(o) && !strcmp(tr_outfile_name(o), "new"), "a regular file");
    ok(tr_outfile_commit(o, &err) == TR_OK && holds("new", text.data, text.len),
       "there, and whole, after the commit");
    ok(mode_of("new") == 0640, "with the mode that the mask leaves");
    ok(files_in(".") == 1, "and nothing beside it");
    umask(022);
    unlink("new");
    tr_buf_free(&text);
}

static void existing(void)
{
    struct tr_outfile *o;
    struct tr_error err = TR_ERROR_INIT;
    put("old", "old contents", 0751);
    tr_outfile_open(&o, "old", &err);
    tr_outfile_write(o, "new", 3, &err);
    ok(holds_str("old", "old contents"), "the old contents stay while the new ones are written");
    tr_outfile_abandon(o);
    ok(holds_str("old", "old contents") && files_in(".") == 1, "and after giving up");
    ok(write_str("old", "new contents", &err) == TR_OK && holds_str("old", "new contents"),
       "replaced on commit");
    ok(mode_of("old") == 0751, "with its mode");
    tr_outfile_open(&o, "absent", &err);
    tr_outfile_write(o, "x", 1, &err);
    tr_outfile_abandon(o);
    tr_outfile_abandon(NULL);
    ok(files_in(".") == 1, "giving up leaves no new file");
    unlink("old");
}

static void links(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct stat s;
    mkdir("sub", 0755);
    if (symlink("sub/there", "one") != 0 || symlink("one", "two") != 0 ||
        symlink("loop", "loop") != 0)
        bail("symlink");
    ok(write_str("two", "through links", &err) == TR_OK && holds_str("sub/there", "through links"),
       "links to a file that is not there yet");
    ok(write_str("two", "again", &err) == TR_OK && holds_str("sub/there", "again") &&
           lstat("two", &s) == 0 && S_ISLNK(s.st_mode) && files_in("sub") == 1,
       "and to one that is; the links stay");
    ok(write_str("loop", "x", &err) == TR_SYSTEM && err.sys_errno == ELOOP, "a loop of links");
    unlink("one");
    unlink("two");
    unlink("loop");
    unlink("sub/there");
    rmdir("sub");
}

static void refused(void)
{
    struct tr_error err = TR_ERROR_INIT;
    ok(write_str("no/such/folder", "x", &err) == TR_SYSTEM && err.sys_errno == ENOENT &&
           !strcmp(err.input, "no/such/folder"),
       "a missing folder");
    mkdir("sub", 0755);
    err = (struct tr_error)TR_ERROR_INIT;
    ok(write_str("sub", "x", &err) == TR_SYSTEM && err.sys_errno == EISDIR, "a folder");
    rmdir("sub");
    put("protected", "keep", 0444);
    if (access("protected", W_OK) == 0)
        skip("a protected file", "this user may write to everything");
    else
        ok(write_str("protected", "x", &err) == TR_SYSTEM && err.sys_errno == EACCES &&
               holds_str("protected", "keep"),
           "a protected file");
    unlink("protected");
}

static void *read_fifo(void *arg)
{
    static char got[32];
    size_t n;
    int fd = open("fifo", O_RDONLY);
    (void)arg;
    tr_read_full(fd, got, sizeof got - 1, &n, NULL);
    close(fd);
    return got;
}

static void direct(void)
{
    struct tr_outfile *o;
    struct tr_error err = TR_ERROR_INIT;
    pthread_t t;
    void *got;
    if (mkfifo("fifo", 0600) != 0)
        bail("mkfifo");
    pthread_create(&t, NULL, read_fifo, NULL);
    ok(write_str("fifo", "by fifo", &err) == TR_OK, "a FIFO");
    pthread_join(t, &got);
    ok(!strcmp(got, "by fifo") && files_in(".") == 1, "is written directly, and stays");
    unlink("fifo");
    if (access("/dev/full", W_OK) == 0)
        ok(write_str("/dev/full", "x", &err) == TR_SYSTEM && err.sys_errno == ENOSPC &&
               !strcmp(err.input, "/dev/full"),
           "a full device is noticed at the latest on commit");
    else
        skip("a full device", "there is no /dev/full");

    char buf[8] = "";
    int ends[2];
    size_t n;
    if (pipe(ends) != 0)
        bail("pipe");
    tr_outfile_open_fd(&o, ends[1], false, "standard output", &err);
    tr_outfile_write(o, "abc", 3, &err);
    tr_outfile_flush(o, &err);
    ok(tr_read_some(ends[0], buf, 8, &n, NULL) == TR_OK && n == 3 && !tr_outfile_is_regular(o) &&
           tr_outfile_fd(o) == ends[1],
       "a flush is seen at the other end");
    tr_outfile_write(o, "def", 3, &err);
    ok(tr_outfile_commit(o, &err) == TR_OK && tr_read_some(ends[0], buf, 8, &n, NULL) == TR_OK &&
           n == 3 && fcntl(ends[1], F_GETFD) >= 0,
       "a commit flushes and leaves a borrowed descriptor open");
    tr_outfile_open_fd(&o, ends[1], true, "standard output", &err);
    tr_outfile_commit(o, &err);
    ok(fcntl(ends[1], F_GETFD) < 0, "and closes an owned one");
    close(ends[0]);

    int closed = open("/dev/null", O_RDONLY);
    err = (struct tr_error)TR_ERROR_INIT;
    tr_outfile_open_fd(&o, closed, true, "standard output", &err);
    tr_outfile_write(o, "x", 1, &err);
    ok(tr_outfile_commit(o, &err) == TR_SYSTEM && !strcmp(err.input, "standard output"),
       "a descriptor that cannot be written to");
}

int main(void)
{
    char dir[] = "io_outfile.XXXXXX";
    if (!mkdtemp(dir) || chdir(dir) != 0)
        bail("mkdtemp");
    new_file();
    existing();
    links();
    refused();
    direct();
    ok(files_in(".") == 0, "nothing is left behind");
    if (chdir("..") == 0)
        rmdir(dir);
    return done_testing();
}
