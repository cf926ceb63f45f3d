#include <config.h>

#include "io/tr_outfile.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUFFER ((size_t)256 << 10)
#define MAX_LINKS 40
#define MAX_TRIES 100
#define NEW_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

struct tr_outfile {
    int fd;
    bool own_fd, regular;
    char *target; /* to be replaced on commit; NULL: written directly */
    char *temp;   /* name of the temporary file; NULL while it has none */
    mode_t mode;  /* of the target that is replaced; 0: there is none */
    uint64_t size;
    size_t len;
    char name[512];
    unsigned char buf[BUFFER];
};

static enum tr_status fail(const struct tr_outfile *o, struct tr_error *err, const char *what)
{
    int why = errno;
    tr_error_input(err, o->name);
    return tr_fail_sys(err, why, "%s", what);
}

static char *join(const char *dir, size_t dir_len, const char *file)
{
    size_t n = strlen(file) + 1;
    char *p = malloc(dir_len + n);
    if (p) {
        memcpy(p, dir, dir_len);
        memcpy(p + dir_len, file, n);
    }
    return p;
}

/* Length of the folder part of a path, with its slash; 0: the current folder. */
static size_t dir_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follow the links that path may be, to what is no link or does not exist.  NULL with errno. */
static char *follow(const char *path)
{
    char link[4096];
    char *at = strdup(path);
    for (int i = 0; at; i++) {
        ssize_t n = readlink(at, link, sizeof link - 1);
        if (n < 0) {
            if (errno == EINVAL || errno == ENOENT)
                return at;
            break;
        }
        if (i == MAX_LINKS || (size_t)n == sizeof link - 1) {
            errno = i == MAX_LINKS ? ELOOP : ENAMETOOLONG;
            break;
        }
        link[n] = '\0';
        char *next = join(at, link[0] == '/' ? 0 : dir_len(at), link);
        free(at);
        at = next;
    }
    int why = errno;
    free(at);
    errno = why;
    return NULL;
}

/* A name beside the target; different ones for different tries. */
static char *temp_name(const char *target, unsigned attempt)
{
    struct timespec now;
    char file[64];
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned long salt = (unsigned long)now.tv_nsec * 2654435761u + attempt;
    snprintf(file, sizeof file, ".tracepipe-%lx-%lx.tmp", (unsigned long)getpid(),
             salt & 0xffffffff);
    return join(target, dir_len(target), file);
}

/* A file without a name, if it can be given one later. */
static int open_nameless(const char *target)
{
    int fd = -1;
#ifdef O_TMPFILE
    char *dir = join(target, dir_len(target), ".");
    if (!dir)
        return -1;
    fd = tr_open_fd(dir, O_TMPFILE | O_WRONLY, NEW_MODE);
    free(dir);
    char proc[64];
    snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
    if (fd >= 0 && access(proc, F_OK) != 0) {
        close(fd);
        fd = -1;
    }
#else
    (void)target;
#endif
    return fd;
}

static enum tr_status open_temp(struct tr_outfile *o, struct tr_error *err)
{
    o->fd = open_nameless(o->target);
    for (unsigned i = 0; o->fd < 0 && i < MAX_TRIES; i++) {
        free(o->temp);
        o->temp = temp_name(o->target, i);
        if (!o->temp)
            return tr_fail_memory(err);
        o->fd = tr_open_fd(o->temp, O_CREAT | O_EXCL | O_WRONLY, NEW_MODE);
        if (o->fd < 0 && errno != EEXIST)
            break;
    }
    if (o->fd >= 0)
        return TR_OK;
    enum tr_status st = fail(o, err, "cannot make a temporary file beside it");
    free(o->temp);
    o->temp = NULL;
    return st;
}

static enum tr_status open_target(struct tr_outfile *o, const char *path, struct tr_error *err)
{
    struct stat s;
    bool exists = stat(path, &s) == 0;
    if (!exists && errno != ENOENT)
        return fail(o, err, "cannot open for writing");
    if (exists && !S_ISREG(s.st_mode)) {
        o->fd = tr_open_fd(path, O_WRONLY | O_NOCTTY, 0);
        return o->fd < 0 ? fail(o, err, "cannot open for writing") : TR_OK;
    }
    /*
     * Replacing needs no right to write to the target, but a protected file is not to be replaced.
     */
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail(o, err, "cannot open for writing");
    o->regular = true;
    o->mode = exists ? s.st_mode & 07777 : 0;
    o->target = follow(path);
    if (!o->target)
        return fail(o, err, "cannot follow the link");
    return open_temp(o, err);
}

static struct tr_outfile *new_outfile(const char *name)
{
    struct tr_outfile *o = malloc(sizeof *o);
    if (!o)
        return NULL;
    memset(o, 0, offsetof(struct tr_outfile, buf));
    o->fd = -1;
    snprintf(o->name, sizeof o->name, "%s", name);
    return o;
}

enum tr_status tr_outfile_open(struct tr_outfile **out, const char *path, struct tr_error *err)
{
    *out = NULL;
    struct tr_outfile *o = new_outfile(path);
    if (!o)
        return tr_fail_memory(err);
    o->own_fd = true;
    enum tr_status st = open_target(o, path, err);
    if (st != TR_OK) {
        tr_outfile_abandon(o);
        return st;
    }
    *out = o;
    return TR_OK;
}

enum tr_status tr_outfile_open_fd(struct tr_outfile **out, int fd, bool own_fd, const char *name,
                                  struct tr_error *err)
{
    struct stat s;
    *out = NULL;
    struct tr_outfile *o = new_outfile(name);
    if (!o) {
        if (own_fd)
            close(fd);
        return tr_fail_memory(err);
    }
    o->fd = fd;
    o->own_fd = own_fd;
    if (fstat(fd, &s) != 0) {
        enum tr_status st = fail(o, err, "cannot write");
        tr_outfile_abandon(o);
        return st;
    }
    o->regular = S_ISREG(s.st_mode);
    *out = o;
    return TR_OK;
}

static enum tr_status put(struct tr_outfile *o, const void *buf, size_t len, struct tr_error *err)
{
    enum tr_status st = tr_write_full(o->fd, buf, len, err);
    if (st != TR_OK)
        tr_error_input(err, o->name);
    return st;
}

enum tr_status tr_outfile_flush(struct tr_outfile *o, struct tr_error *err)
{
    size_t n = o->len;
    o->len = 0; /* after a failure nothing is written twice */
    return n ? put(o, o->buf, n, err) : TR_OK;
}

enum tr_status tr_outfile_write(struct tr_outfile *o, const void *buf, size_t len,
                                struct tr_error *err)
{
    o->size += len;
    if (len > BUFFER - o->len) {
        enum tr_status st = tr_outfile_flush(o, err);
        if (st != TR_OK)
            return st;
        if (len >= BUFFER)
            return put(o, buf, len, err);
    }
    if (len)
        memcpy(o->buf + o->len, buf, len);
    o->len += len;
    return TR_OK;
}

/* Give the nameless file a name beside the target. */
static enum tr_status give_name(struct tr_outfile *o, struct tr_error *err)
{
    char proc[64];
    snprintf(proc, sizeof proc, "/proc/self/fd/%d", o->fd);
    for (unsigned i = 0; i < MAX_TRIES; i++) {
        char *name = temp_name(o->target, i);
        if (!name)
            return tr_fail_memory(err);
        if (linkat(AT_FDCWD, proc, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            o->temp = name;
            return TR_OK;
        }
        int why = errno;
        free(name);
        errno = why;
        if (why != EEXIST)
            break;
    }
    return fail(o, err, "cannot name the finished file");
}

static enum tr_status close_fd(struct tr_outfile *o, struct tr_error *err)
{
    int fd = o->fd;
    o->fd = -1;
    /*
     * After EINTR the descriptor is closed on Linux and unspecified elsewhere: never close twice.
     */
    if (o->own_fd && close(fd) != 0 && errno != EINTR)
        return fail(o, err, "cannot close");
    return TR_OK;
}

enum tr_status tr_outfile_commit(struct tr_outfile *o, struct tr_error *err)
{
    enum tr_status st = tr_outfile_flush(o, err);
    if (st == TR_OK && o->target && o->mode && fchmod(o->fd, o->mode) != 0)
        st = fail(o, err, "cannot keep the mode of the file");
    if (st == TR_OK && o->target && !o->temp)
        st = give_name(o, err);
    if (st == TR_OK)
        st = close_fd(o, err);
    if (st == TR_OK && o->target) {
        if (rename(o->temp, o->target) != 0) {
            st = fail(o, err, "cannot put the finished file in place");
        } else {
            free(o->temp);
            o->temp = NULL; /* nothing to remove */
        }
    }
    tr_outfile_abandon(o);
    return st;
}

void tr_outfile_abandon(struct tr_outfile *o)
{
    if (!o)
        return;
    if (o->fd >= 0 && o->own_fd)
        close(o->fd);
    if (o->temp)
        unlink(o->temp);
    free(o->temp);
    free(o->target);
    free(o);
}

uint64_t tr_outfile_size(const struct tr_outfile *o)
{
    return o->size;
}

const char *tr_outfile_name(const struct tr_outfile *o)
{
    return o->name;
}

int tr_outfile_fd(const struct tr_outfile *o)
{
    return o->fd;
}

bool tr_outfile_is_regular(const struct tr_outfile *o)
{
    return o->regular;
}
