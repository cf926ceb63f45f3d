/* SPDX-License-Identifier: MIT */
/* Several outputs.  They are made in a folder of their own, and appear under their names when all are complete. */
#include "cli/cli_split_output.h"

#include "base/tr_mem.h"
#include "cli/cli_priv.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The folder and the number of files in it, which a signal handler has to remove.  At file scope, because a handler has
 * no other arguments.  A file is named by its number.
 */
static volatile sig_atomic_t folder_made, files_made;
static char folder[PATH_MAX];

/* The path of a file in the folder; only functions that a signal handler may call. */
static void path_of(size_t number, char path[PATH_MAX + 24])
{
    char digits[24];
    size_t n = 0, len = strlen(folder);
    do
        digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    memcpy(path, folder, len);
    path[len++] = '/';
    while (n)
        path[len++] = digits[--n];
    path[len] = '\0';
}

void cli__parts_remove(void)
{
    char path[PATH_MAX + 24];
    if (!folder_made)
        return;
    for (sig_atomic_t i = 0; i < files_made; i++) {
        path_of((size_t)i, path);
        unlink(path);
    }
    rmdir(folder);
    folder_made = 0;
}

static enum tr_status cannot_write(const char *name, int reason, struct tr_error *err)
{
    return tr_fail_sys(err, reason, "cannot write '%.400s'", name);
}

/* ---- the pattern ---- */

enum tr_status cli_split_output_start(struct cli_split_output *p, struct tr_error *err)
{
    const char *pattern = p->cli->common.output;
    size_t n = 0, places = 0;
    if (!pattern)
        return tr_fail(err, TR_USAGE, "parts need names: -o FILE with %%s for the part, such as -o 'part-%%s.trs'");
    p->before = malloc(2 * strlen(pattern) + 2);
    if (!p->before)
        return tr_fail_memory(err);
    for (const char *s = pattern; *s; s++) {
        if (*s != '%') {
            p->before[n++] = *s;
        } else if (s[1] == '%') {
            p->before[n++] = *++s;
        } else if (s[1] == 's' && !places++) {
            p->before[n++] = '\0';
            p->after = p->before + n;
            s++;
        } else {
            places = 2;
            break;
        }
    }
    p->before[n] = '\0';
    if (places != 1)
        return tr_fail(err, TR_USAGE, "option -o: '%.200s' needs one %%s, where the part stands (and %%%% for %%)",
                       pattern);
    p->started = true;
    return TR_OK;
}

enum tr_status cli_split_output_folder(struct cli_split_output *p, const char *path, const char *after,
                                       struct tr_error *err)
{
    size_t len = strlen(path), slash = len && path[len - 1] != '/', after_len = strlen(after) + 1;
    p->before = malloc(len + slash + 1 + after_len);
    if (!p->before)
        return tr_fail_memory(err);
    memcpy(p->before, path, len);
    strcpy(p->before + len, slash ? "/" : "");
    p->after = p->before + len + slash + 1;
    memcpy(p->after, after, after_len);
    p->started = true;
    p->made = mkdir(path, 0777) == 0;
    return p->made || errno == EEXIST ? TR_OK : cannot_write(path, errno, err);
}

/* ---- files ---- */

static enum tr_status make_folder(struct cli_split_output *p, struct tr_error *err)
{
    const char *slash = strrchr(p->before, '/');
    size_t len = slash ? (size_t)(slash - p->before) + 1 : 0;
    sigset_t before;
    if (len + sizeof ".tr-XXXXXX" > sizeof folder)
        return cannot_write(p->before, ENAMETOOLONG, err);
    memcpy(folder, p->before, len);
    strcpy(folder + len, ".tr-XXXXXX");
    cli__hold_signals(&before);
    int reason = mkdtemp(folder) ? 0 : errno;
    files_made = 0;
    folder_made = !reason;
    cli__watch_signals(cli__parts_remove);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason ? cannot_write(p->before, reason, err) : TR_OK;
}

/* May a file appear under this name?  An existing one is replaced only if it is a regular file that may be written. */
static enum tr_status check_target(const char *target, struct tr_error *err)
{
    struct stat sb;
    if (stat(target, &sb) != 0)
        return errno == ENOENT ? TR_OK : cannot_write(target, errno, err);
    if (S_ISDIR(sb.st_mode))
        return cannot_write(target, EISDIR, err);
    if (!S_ISREG(sb.st_mode))
        return tr_fail(err, TR_SYSTEM, "cannot write '%.400s': it is not a regular file", target);
    return access(target, W_OK) == 0 ? TR_OK : cannot_write(target, errno, err);
}

enum tr_status cli_split_output_open(struct cli_split_output *p, const char *name, struct cli_part **part,
                                     struct tr_error *err)
{
    char path[PATH_MAX + 24];
    size_t len = strlen(p->before) + strlen(name) + strlen(p->after) + 1;
    enum tr_status st = p->n ? TR_OK : make_folder(p, err);
    if (st != TR_OK)
        return st;
    struct cli_part *x = calloc(1, sizeof *x);
    if (!x || !tr_grow(&p->parts, &p->cap, p->n + 1, sizeof *p->parts) || !(x->target = malloc(len))) {
        free(x);
        return tr_fail_memory(err);
    }
    snprintf(x->target, len, "%s%s%s", p->before, name, p->after);
    x->fd = -1;
    path_of(p->n, path);
    p->parts[p->n++] = x;
    st = strchr(name, '/') ? cannot_write(x->target, EINVAL, err) : check_target(x->target, err);
    if (st != TR_OK)
        return st;
    files_made = (sig_atomic_t)p->n;
    x->fd = tr_open_fd(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    *part = x;
    return x->fd < 0 ? cannot_write(x->target, errno, err) : TR_OK;
}

enum tr_status cli_split_output_sink(void *part, const void *bytes, size_t n, struct tr_error *err)
{
    const struct cli_part *x = part;
    struct tr_error why = TR_ERROR_INIT;
    return tr_write_full(x->fd, bytes, n, &why) == TR_OK ? TR_OK : cannot_write(x->target, why.sys_errno, err);
}

enum tr_status cli_split_output_close(struct cli_part *part, struct tr_error *err)
{
    int fd = part->fd;
    part->fd = -1;
    return fd >= 0 && close(fd) != 0 && errno != EINTR ? cannot_write(part->target, errno, err) : TR_OK;
}

enum tr_status cli_split_output_end(struct cli_split_output *p, enum tr_status st, struct tr_error *err)
{
    char path[PATH_MAX + 24];
    for (size_t i = 0; i < p->n; i++) {
        enum tr_status closed = cli_split_output_close(p->parts[i], st == TR_OK ? err : NULL);
        st = st == TR_OK ? closed : st;
    }
    for (size_t i = 0; st == TR_OK && i < p->n; i++) {
        path_of(i, path);
        if (rename(path, p->parts[i]->target) != 0)
            st = cannot_write(p->parts[i]->target, errno, err);
    }
    cli__parts_remove(); /* what was not renamed */
    if (st != TR_OK && p->made)
        rmdir(p->before);
    for (size_t i = 0; i < p->n; i++) {
        free(p->parts[i]->target);
        free(p->parts[i]);
    }
    free(p->parts);
    free(p->before);
    return st;
}
