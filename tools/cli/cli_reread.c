/* SPDX-License-Identifier: MIT */
/* Files that are read from the start as often as needed. */
#include "cli/cli_reread.h"

#include "io/tr_io.h"
#include "stream/format/tr_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stream_file(const char *path)
{
    struct stat s;
    unsigned char start[16];
    ssize_t n = 0;
    if (strcmp(path, "-") == 0 || stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    int fd = tr_open_fd(path, O_RDONLY, 0);
    if (fd < 0)
        return false;
    do
        n = read(fd, start, sizeof start);
    while (n < 0 && errno == EINTR);
    close(fd);
    return n > 0 && tr_reader_probe(start, (size_t)n);
}

static bool can_open_again(const struct cli_reread *a)
{
    size_t n;
    const char *const *operands = cli_operands(a->cli, &n);
    for (size_t k = a->first; k < n; k++)
        if (!is_stream_file(operands[k]))
            return false;
    return n > a->first;
}

enum tr_status cli_reread_open(struct cli_reread *a, struct tr_input **in, struct tr_error *err)
{
    enum tr_status st;
    if (a->spool) {
        tr_input_close(a->in);
        a->in = NULL;
        st = tr_spool_input(a->spool, &a->in, err);
        *in = a->in;
        return st;
    }
    bool copy = !a->opened && !can_open_again(a);
    if (a->opened)
        cli_open_opts(a->cli)->warn = NULL; /* warnings were given at the first reading */
    a->opened = true;
    st = cli_input_operands(a->cli, a->first, in, err);
    if (st == TR_OK && copy)
        st = tr_spool_new(&a->spool, *in, cli_temp_dir(a->cli), cli_threads(a->cli), err);
    a->copying = copy;
    return st;
}

enum tr_status cli_reread_keep(struct cli_reread *a, const struct tr_batch *b, struct tr_error *err)
{
    return a->copying ? tr_spool_add(a->spool, b, err) : TR_OK;
}

enum tr_status cli_reread_done(struct cli_reread *a, struct tr_error *err)
{
    if (!a->copying)
        return TR_OK;
    a->copying = false;
    return tr_spool_end(a->spool, err);
}

void cli_reread_close(struct cli_reread *a)
{
    tr_input_close(a->in);
    tr_spool_free(a->spool);
}
