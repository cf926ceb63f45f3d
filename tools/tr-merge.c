/* SPDX-License-Identifier: MIT */
/* tr-merge: event streams and traces of many ranks to one stream.  Manual: tr-merge(1). */
#include "base/tr_num.h"
#include "cli/cli_partial.h"
#include "cli/cli_stream.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct merge {
    int rank_from; /* enum tr_rank_from */
    struct rank_list {
        int64_t *v;
        size_t n, cap;
    } ranks;
    const char *files0_from;
};

/* As enum tr_rank_from has them. */
static const char *const rank_rules[] = { "default", "option", "metadata", "name", "order", "pid", NULL };

#define MAX_RANKS (1u << 20)

static enum tr_status add_ranks(struct rank_list *list, uint64_t from, uint64_t to,
                                struct tr_error *err)
{
    if (to < from || to - from >= MAX_RANKS || list->n + (to - from) >= MAX_RANKS)
        return tr_fail(err, TR_USAGE, "ranks from %llu to %llu: not ascending, or too many",
                       (unsigned long long)from, (unsigned long long)to);
    if (!tr_grow(&list->v, &list->cap, list->n + (size_t)(to - from) + 1, sizeof *list->v))
        return tr_fail_memory(err);
    for (uint64_t r = from; r <= to; r++)
        list->v[list->n++] = (int64_t)r;
    return TR_OK;
}

/* 0,3,8..15: ranks in the order of the inputs. */
static enum tr_status read_ranks(void *field, const char *value, struct tr_error *err)
{
    struct rank_list *list = field;
    enum tr_status st = TR_OK;
    list->n = 0;
    for (const char *p = value; st == TR_OK; p++) {
        char part[64], *dots;
        uint64_t from = 0, to;
        size_t len = strcspn(p, ",");
        if (len >= sizeof part)
            return tr_fail(err, TR_USAGE, "'%.20s...' is not a rank", p);
        memcpy(part, p, len);
        part[len] = '\0';
        dots = strstr(part, "..");
        if (dots)
            *dots = '\0';
        st = tr_num_u64(part, 0, INT32_MAX, &from, err);
        to = from;
        if (st == TR_OK && dots)
            st = tr_num_u64(dots + 2, 0, INT32_MAX, &to, err);
        if (st == TR_OK)
            st = add_ranks(list, from, to, err);
        p += len;
        if (!*p)
            break;
    }
    return st;
}

static const struct tr_option merge_opts[] = {
    { 0, "rank-from", "RULE", TR_OPTION_CHOICE, offsetof(struct merge, rank_from), .choices = rank_rules,
      .help = "take ranks from option (--ranks), metadata, name, order or pid [default]" },
    { 0, "ranks", "LIST", TR_OPTION_CALL, offsetof(struct merge, ranks), .call = read_ranks,
      .help = "ranks of the inputs in their order, as in 0,3,8..15" },
    { 0, "files0-from", "FILE", TR_OPTION_FILE, offsetof(struct merge, files0_from),
      .help = "read the names of the inputs, each ended by a zero byte, from FILE or -" },
    { 0 },
};

static const struct cli_tool merge_tool = {
    .name = "tr-merge",
    .brief = "merge traces of many ranks into one stream",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_RANKS,
    .max_operands = CLI_ANY,
    .opts = merge_opts,
    .examples = { "tr-merge -o job.trs rank*.json.gz",
                  "tr-merge --rank-from name rank*.json.gz | tr-comm" },
};

/* The inputs: operands, or names read from a file. */
struct names {
    struct tr_buf text; /* has the names that were read */
    const char **list;
    size_t n, cap;
};

#define READ_BYTES  ((size_t)64 << 10)
#define NAMES_BYTES ((size_t)64 << 20) /* enough for a million names; a limit, because a device may never end */

/* Split the bytes so far into names: n_names are complete, and the next one starts at *from.  TR_OK, or a failure for
 * bytes that a list of files cannot have. */
static enum tr_status check_names(const struct tr_buf *text, size_t *from, size_t *n_names, struct tr_error *err)
{
    const unsigned char *end;
    for (; (end = memchr(text->data + *from, '\0', text->len - *from)); *from = (size_t)(end - text->data) + 1) {
        if (end == text->data + *from)
            return tr_fail(err, TR_USAGE, "name %zu is empty", *n_names + 1);
        if ((size_t)(end - text->data) - *from >= PATH_MAX)
            break;
        ++*n_names;
    }
    if (text->len - *from >= PATH_MAX)
        return tr_fail(err, TR_USAGE, "name %zu is longer than %d bytes: names end with a zero byte", *n_names + 1,
                       PATH_MAX - 1);
    return text->len > NAMES_BYTES ? tr_fail(err, TR_USAGE, "more than 64 MiB of names") : TR_OK;
}

static enum tr_status read_file(const char *file, struct tr_buf *out, struct tr_error *err)
{
    int fd = strcmp(file, "-") == 0 ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    enum tr_status st = TR_OK;
    size_t from = 0, n_names = 0;
    if (fd < 0)
        return tr_fail_sys(err, errno, "cannot open");
    while (st == TR_OK) {
        size_t got = 0;
        st = tr_buf_reserve(out, READ_BYTES)
                 ? tr_read_some(fd, out->data + out->len, READ_BYTES, &got, err)
                 : tr_fail_memory(err);
        out->len += got;
        if (st == TR_OK)
            st = check_names(out, &from, &n_names, err);
    }
    if (fd != STDIN_FILENO)
        close(fd);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status split_names(struct names *names, struct tr_error *err)
{
    const char *p = (const char *)names->text.data, *end = p + names->text.len;
    for (; p < end; p += strlen(p) + 1) {
        if (!tr_grow(&names->list, &names->cap, names->n + 1, sizeof(const char *)))
            return tr_fail_memory(err);
        names->list[names->n++] = p;
    }
    return names->n ? TR_OK : tr_fail(err, TR_USAGE, "holds no names");
}

static enum tr_status read_names(const char *file, struct names *names, struct tr_error *err)
{
    enum tr_status st = read_file(file, &names->text, err);
    if (st == TR_OK && names->text.len && names->text.data[names->text.len - 1] != '\0' &&
        !tr_buf_add(&names->text, "", 1)) /* the last may lack its zero byte */
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = split_names(names, err);
    for (size_t i = 0; i < names->n && st == TR_OK && !strcmp(file, "-"); i++)
        if (!strcmp(names->list[i], "-"))
            st = tr_fail(err, TR_USAGE,
                         "names come from standard input, which cannot be an input, too");
    if (st != TR_OK)
        tr_error_input(err, file);
    return st;
}

static enum tr_status check_ranks(struct merge *m, size_t n_inputs, struct tr_error *err)
{
    if (m->ranks.n && m->rank_from == TR_RANK_FROM_DEFAULT)
        m->rank_from = TR_RANK_FROM_OPTION;
    if (m->ranks.n ? m->rank_from != TR_RANK_FROM_OPTION : m->rank_from == TR_RANK_FROM_OPTION) {
        tr_error_place(err, "option --rank-from");
        return tr_fail(err, TR_USAGE, "--ranks and '--rank-from option' belong together");
    }
    if (m->ranks.n && m->ranks.n != n_inputs) {
        tr_error_place(err, "option --ranks");
        return tr_fail(err, TR_USAGE, "%zu ranks for %zu inputs", m->ranks.n, n_inputs);
    }
    return TR_OK;
}

static enum tr_status merge_inputs(struct cli *cli, struct merge *m, const char *const *paths,
                                   size_t n, struct tr_error *err)
{
    struct tr_open_opts *opts = cli_open_opts(cli);
    struct tr_input *in;
    enum tr_status st = check_ranks(m, n ? n : 1, err);
    if (st != TR_OK)
        return st;
    opts->rank_from = (enum tr_rank_from)m->rank_from;
    opts->ranks = m->ranks.v;
    opts->n_ranks = m->ranks.n;
    st = cli_input_open(cli, paths, n, &in, err);
    if (st != TR_OK)
        return st;
    cli_report_ranks(cli, in);
    st = cli_stream_copy(cli, in, 0, err);
    if (st == TR_OK || st == TR_END)
        st = cli_ranks_there(cli, &(struct cli_ranks){ .dict = in->dict }, err);
    return st;
}

static enum tr_status merge_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct merge *m = arg;
    struct names names = { { NULL, 0, 0 }, NULL, 0, 0 };
    size_t n;
    const char *const *paths = cli_operands(cli, &n);
    int fd;
    if (m->files0_from && n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s': --files0-from names all inputs",
                       paths[0]);
    enum tr_status st = cli_output(cli, true, &fd, err);
    if (st == TR_OK && m->files0_from)
        st = read_names(m->files0_from, &names, err);
    if (st == TR_OK)
        st = merge_inputs(cli, m, names.n ? names.list : paths, names.n ? names.n : n, err);
    free(names.list);
    tr_buf_free(&names.text);
    return st;
}

int tr_merge_main(int argc, char **argv)
{
    struct merge m = { .rank_from = TR_RANK_FROM_DEFAULT };
    int code = cli_main(argc, argv, &merge_tool, &m, merge_run);
    free(m.ranks.v);
    return code;
}
