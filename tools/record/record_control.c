/* SPDX-License-Identifier: MIT */
/*
 * tr-record: what processes of a session are bidden to do, by their own tr-record or by others that know its name.
 *
 * A link tr-record.USER.NAME in the temporary folder leads to the folder of the session.  The session runs while its
 * tr-record has a lock on the file of control there; else the link is what a tr-record left that was killed.
 */
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAME 64u

void record_session_pause(struct record_session *s, bool pause)
{
    uint32_t turn = __atomic_load_n(&s->control->turn, __ATOMIC_ACQUIRE);
    while (turn != TR_REC_STOPPED && turn % 2 != pause &&
           !__atomic_compare_exchange_n(&s->control->turn, &turn, turn + 1, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        continue;
}

static enum tr_status link_path(char *path, size_t n, struct cli *cli, const char *name, struct tr_error *err)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (name[len] || !len || len > MAX_NAME)
        return tr_fail(err, TR_USAGE, "'%.80s' is no name of a session: up to %u letters, digits, _ and -", name,
                       MAX_NAME);
    if (snprintf(path, n, "%s/tr-record.%ld.%s", cli_temp_dir(cli), (long)getuid(), name) >= (int)n)
        return tr_fail(err, TR_USAGE, "the name of the temporary folder is too long");
    return TR_OK;
}

/* The file of control of the session that a link of this user leads to; -1: there is none that runs. */
static int open_running(const char *link)
{
    char folder[PATH_MAX - 20], path[PATH_MAX];
    struct stat sb;
    ssize_t len = lstat(link, &sb) == 0 && sb.st_uid == getuid() ? readlink(link, folder, sizeof folder - 1) : -1;
    if (len < 0)
        return -1;
    folder[len] = '\0';
    snprintf(path, sizeof path, "%s/" TR_REC_CONTROL, folder);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool runs = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && fstat(fd, &sb) == 0 &&
                sb.st_size == (off_t)sizeof(struct tr_rec_control);
    if (fd >= 0 && !runs)
        close(fd);
    return runs ? fd : -1;
}

/* A link is there: it goes if its session does not run. */
static enum tr_status remove_left(const char *link, const char *name, int tries, struct tr_error *err)
{
    int fd = open_running(link);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 || tries)
        return tr_fail(err, TR_USAGE, "a session '%s' runs already", name);
    return unlink(link) == 0 ? TR_OK : tr_fail_sys(err, errno, "cannot remove '%.400s'", link);
}

enum tr_status record_name(struct record_session *s, struct cli *cli, const char *name, struct tr_error *err)
{
    enum tr_status st = link_path(s->link, sizeof s->link, cli, name, err);
    if (st == TR_OK && flock(s->lock, LOCK_EX | LOCK_NB) != 0)
        st = tr_fail_sys(err, errno, "cannot lock '%.400s/" TR_REC_CONTROL "'", s->path);
    for (int tries = 0; st == TR_OK && symlink(s->path, s->link) != 0; tries++) {
        if (errno != EEXIST)
            st = tr_fail_sys(err, errno, "cannot make '%.400s'", s->link);
        else
            st = remove_left(s->link, name, tries, err);
    }
    if (st != TR_OK)
        s->link[0] = '\0';
    return st;
}

void record_unname(struct record_session *s)
{
    if (s->link[0])
        unlink(s->link);
    s->link[0] = '\0';
}

static enum tr_status steer(struct cli *cli, const char *name, bool pause, bool stop, struct tr_error *err)
{
    char link[PATH_MAX];
    enum tr_status st = link_path(link, sizeof link, cli, name, err);
    int fd = st == TR_OK ? open_running(link) : -1;
    if (st == TR_OK && fd < 0)
        return tr_fail(err, TR_ABSENT, "no session '%s' runs: there is no '%.400s' of one", name, link);
    if (st != TR_OK)
        return st;
    struct record_session s = { .path = "" };
    void *p = mmap(NULL, sizeof *s.control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int why = errno;
    close(fd);
    if (p == MAP_FAILED)
        return tr_fail_sys(err, why, "cannot control '%.400s'", link);
    s.control = p;
    if (stop)
        __atomic_store_n(&s.control->turn, TR_REC_STOPPED, __ATOMIC_RELEASE);
    else
        record_session_pause(&s, pause);
    munmap(p, sizeof *s.control);
    return TR_OK;
}

enum tr_status record_steer(struct cli *cli, const struct record *o, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (o->pause)
        st = steer(cli, o->pause, true, false, err);
    if (st == TR_OK && o->resume)
        st = steer(cli, o->resume, false, false, err);
    if (st == TR_OK && o->stop)
        st = steer(cli, o->stop, true, true, err);
    return st;
}
