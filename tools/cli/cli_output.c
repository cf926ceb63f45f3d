/* SPDX-License-Identifier: MIT */
/*
 * The output.  A regular file is written under another name in the same folder.  When it is complete, it is renamed.
 * So there is never an incomplete file with its name.
 */
#include "base/tr_num.h"
#include "cli/cli_priv.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The file that a signal handler has to remove.  It is at file scope, because a handler has no other arguments.  It is
 * written only while temp_pending is 0.
 */
static volatile sig_atomic_t temp_pending;
static char temp_path[PATH_MAX];

static void remove_temp(void)
{
    if (temp_pending)
        unlink(temp_path);
}

static char *join(const char *a, size_t a_len, const char *b)
{
    size_t b_len = strlen(b);
    char *s = malloc(a_len + b_len + 1);
    if (s) {
        memcpy(s, a, a_len);
        memcpy(s + a_len, b, b_len + 1);
    }
    return s;
}

/* Length of the folder part of a path, with its slash; 0: the current folder. */
static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path that a chain of symbolic links ends at, be there a file or not.  NULL: errno is set. */
static char *follow_links(const char *path)
{
    char *at = join("", 0, path), link[PATH_MAX];
    for (int hops = 0; at; hops++) {
        ssize_t n = readlink(at, link, sizeof link - 1);
        if (n < 0) {
            if (errno == EINVAL || errno == ENOENT)
                return at;
            break;
        }
        if (hops == 40) {
            errno = ELOOP;
            break;
        }
        link[n] = '\0';
        char *next = join(at, link[0] == '/' ? 0 : folder_len(at), link);
        free(at);
        at = next;
    }
    int reason = errno;
    free(at);
    errno = reason;
    return NULL;
}

static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static enum tr_status cannot_write(const struct cli *cli, int reason, const char *why,
                                   struct tr_error *err)
{
    return tr_fail_sys(err, reason, "cannot write %s%s", cli_output_name(cli), why);
}

/*
 * Create the temporary file, and keep its name for the signal handler.  A signal between these two steps would leave
 * the file.  -1 with errno.
 */
static int make_temp(char *path)
{
    char *end = path + strlen(path) - 6;
    sigset_t before;
    int fd;

    cli__hold_signals(&before);
    do {
        memcpy(end, "XXXXXX", 6);
        fd = mkstemp(path);
    } while (fd < 0 && errno == EINTR);
    int reason = errno;
    if (fd >= 0) {
        strcpy(temp_path, path);
        temp_pending = 1;
        cli__watch_signals(remove_temp);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return fd;
}

static enum tr_status open_temp(struct cli *cli, mode_t mode, struct tr_error *err)
{
    struct cli_out *out = &cli->out;
    out->temp = join(out->target, folder_len(out->target), ".tr-XXXXXX");
    if (!out->temp)
        return tr_fail_memory(err);
    bool fits = strlen(out->temp) < sizeof temp_path;
    out->fd = fits ? make_temp(out->temp) : -1;
    if (out->fd < 0) {
        int reason = fits ? errno : ENAMETOOLONG;
        free(out->temp);
        out->temp = NULL;
        return cannot_write(cli, reason, ": no file can be made in its folder", err);
    }
    if (fcntl(out->fd, F_SETFD, FD_CLOEXEC) < 0 || fchmod(out->fd, mode) < 0)
        return cannot_write(cli, errno, "", err);
    return TR_OK;
}

static enum tr_status open_direct(struct cli *cli, const char *path, struct tr_error *err)
{
    cli->out.fd = tr_open_fd(path, O_WRONLY, 0);
    return cli->out.fd < 0 ? cannot_write(cli, errno, "", err) : TR_OK;
}

/*
 * Open the file of -o.  A path below /dev is written directly, even if it leads to a regular file: /dev/stdout and
 * /dev/fd/N mean a descriptor, not a name.
 */
static enum tr_status open_named(struct cli *cli, const char *path, struct tr_error *err)
{
    struct cli_out *out = &cli->out;
    struct stat sb;
    size_t name_len = strlen(path) + 3;

    out->name = malloc(name_len);
    if (!out->name)
        return tr_fail_memory(err);
    snprintf(out->name, name_len, "'%s'", path);
    bool exists = stat(path, &sb) == 0;
    if (!exists && errno != ENOENT)
        return cannot_write(cli, errno, "", err);
    if (exists && S_ISDIR(sb.st_mode))
        return cannot_write(cli, EISDIR, "", err);
    if (exists && (!S_ISREG(sb.st_mode) || strncmp(path, "/dev/", 5) == 0))
        return open_direct(cli, path, err);
    if (exists && access(path, W_OK) != 0)
        return cannot_write(cli, errno, "", err);
    out->target = follow_links(path);
    if (!out->target)
        return cannot_write(cli, errno, "", err);
    /* permissions to read and write stay; setuid bits do not, because a new file is not the program that was trusted */
    return open_temp(cli, exists ? sb.st_mode & 0777 : default_mode(), err);
}

enum tr_status cli__output_open(struct cli *cli, struct tr_error *err)
{
    const char *path = cli->common.output;
    if (path && strcmp(path, "-") != 0)
        return open_named(cli, path, err);
    cli->out.fd = STDOUT_FILENO;
    return TR_OK;
}

enum tr_status cli__output_again(struct cli *cli, struct tr_error *err)
{
    close(cli->out.fd);
    temp_pending = 0; /* the file that is there is that of the other process */
    cli->out = (struct cli_out){ .fd = -1 };
    return cli__output_open(cli, err);
}

enum tr_status cli_output_to(struct cli *cli, const char *path, struct tr_error *err)
{
    if (cli->common.output)
        return tr_fail(err, TR_USAGE, "'%.200s' and -o both name the output", path);
    cli->common.output = path;
    cli->out = (struct cli_out){ .fd = -1 }; /* it was standard output, which stays open */
    return cli__output_open(cli, err);
}

enum tr_status cli_output(struct cli *cli, bool binary, int *fd, struct tr_error *err)
{
    if (cli->book.sink)
        return tr_fail(err, TR_USAGE, "-O %s is about tables, and this run prints none", cli->book.sink->name);
    if (binary && !cli->common.force && cli__is_terminal(cli, cli->out.fd))
        return tr_fail(err, TR_USAGE,
                       "%s is a terminal: use a pipe (to tr-view, which shows events as text), -o FILE, or -f to write "
                       "binary to it",
                       cli_output_name(cli));
    cli->out.pages = !cli->out.asked && !binary && !cli->common.every;
    cli->out.asked = true;
    *fd = cli->out.fd;
    return TR_OK;
}

bool cli_output_is_file(const struct cli *cli)
{
    struct stat sb;
    return fstat(cli->out.fd, &sb) == 0 && S_ISREG(sb.st_mode);
}

const char *cli_output_name(const struct cli *cli)
{
    return cli->out.name ? cli->out.name : "standard output";
}

enum tr_status cli_write(struct cli *cli, const void *bytes, size_t n, struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    if (cli__is_terminal(cli, cli->out.fd))
        cli__progress_stop(cli); /* two writers of one screen */
    int fd = cli__pager(cli);
    cli->out.written = true;
    if (tr_write_full(fd, bytes, n, &why) == TR_OK || (fd != cli->out.fd && why.sys_errno == EPIPE))
        return TR_OK; /* a pager that was left wants no more */
    return cannot_write(cli, why.sys_errno, "", err);
}

enum tr_status cli_sink(void *cli, const void *bytes, size_t n, struct tr_error *err)
{
    return cli_write(cli, bytes, n, err);
}

enum tr_status cli__output_commit(struct cli *cli, struct tr_error *err)
{
    struct cli_out *out = &cli->out;
    if (out->fd < 0 || !out->asked)
        return TR_OK;
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 && errno != EINTR)
        return cannot_write(cli, errno, "", err);
    if (out->temp) {
        if (rename(out->temp, out->target) != 0)
            return cannot_write(cli, errno, "", err);
        temp_pending = 0;
        free(out->temp);
        out->temp = NULL;
    }
    return TR_OK;
}

/* Remove an output that is not complete, and release everything. */
void cli__output_abandon(struct cli *cli)
{
    struct cli_out *out = &cli->out;
    if (out->fd > STDERR_FILENO)
        close(out->fd);
    if (out->temp)
        unlink(out->temp);
    temp_pending = 0;
    free(out->temp);
    free(out->target);
    free(out->name);
    *out = (struct cli_out){ .fd = -1 };
}

enum cli_codec cli_codec(const struct cli *cli, bool is_file, int *level)
{
    const struct cli_codec_choice *choice = &cli->common.codec;
    *level = choice->level;
    if (choice->given)
        return choice->codec;
    return is_file ? CLI_CODEC_LZ4 : CLI_CODEC_NONE;
}

bool cli_bars(const struct cli *cli)
{
    return cli->common.bars;
}

bool cli_sized(const struct cli *cli)
{
    return cli->common.size.width != 0;
}

bool cli_relative(const struct cli *cli)
{
    return cli->common.relative;
}

bool cli_unit_given(const struct cli *cli)
{
    return cli->common.unit >= 0;
}

const struct cli_arrange *cli_arrange(const struct cli *cli)
{
    return &cli->common.arrange;
}

void cli_columns_default(struct cli *cli, const char *columns)
{
    if (!cli->common.arrange.columns)
        cli->common.arrange.columns = columns;
}

void cli_headings(struct cli *cli, const struct tr_table_heading *headings)
{
    cli->common.arrange.headings = headings;
}

void cli_unit_default(struct cli *cli, enum cli_unit unit)
{
    if (cli->common.unit < 0)
        cli->common.unit = (int)unit;
}

uint64_t cli_take_top(struct cli *cli)
{
    uint64_t top = cli->common.arrange.top;
    cli->common.arrange.top = 0;
    return top;
}

size_t cli_width(const struct cli *cli)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t n;
    if (isatty(cli->out.fd) && ioctl(cli->out.fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return columns && tr_num_u64(columns, 1, 1 << 20, &n, NULL) == TR_OK ? (size_t)n : 80;
}

bool cli_colour(const struct cli *cli)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return cli__is_terminal(cli, cli->out.fd) && !(no && *no) && term && *term && strcmp(term, "dumb") != 0;
}

enum tr_status cli_write_report(struct cli *cli, const struct tr_buf *text, struct tr_error *err)
{
    int fd;
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, text->data, text->len, err) : st;
}
