/* SPDX-License-Identifier: MIT */
/* Opens several inputs, and merges them in as many passes as descriptors and memory require. */
#include "formats/tr_open_int.h"

#include "base/tr_mem.h"
#include "vendor/tr_names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/*
 * What an input needs while it is open.  A stream needs its descriptor and one or two blocks.  A trace also needs its
 * temporary files, and memory for sorting.
 */
#define STREAM_BYTES   ((size_t)4 << 20)
#define TRACE_BYTES    ((size_t)64 << 20)
#define TRACE_FILES    3u
#define OTHER_BYTES    ((size_t)64 << 20) /* of the rest of the program */
#define OTHER_FILES    8u                 /* its output, temporary files */
#define TRACES_AT_ONCE 16u /* more traces are parsed in parallel, each by one thread */
#define LOOK_AT        4096 /* descriptors that are checked */
#define MERGED_EVENTS  16384u /* in a batch of a trace that is merged: these stay in the caches until they are read */

/* How many files may still be opened. */
static size_t free_files(void)
{
    struct rlimit limit;
    size_t n = 0, used = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        n = SIZE_MAX / 2;
    else
        n = (size_t)limit.rlim_cur;
    for (int fd = 0; fd < LOOK_AT && (size_t)fd < n; fd++)
        used += fcntl(fd, F_GETFD) != -1;
    return n - used;
}

struct room {
    size_t files, streams, traces;
};

static struct room find_room(const struct tr_open_opts *opts)
{
    size_t files = free_files(), bytes = opts->max_memory_bytes,
           other = OTHER_FILES + opts->n_threads;
    struct room r = { .files = files > other + 2 ? files - other : 2 };
    r.streams = bytes > OTHER_BYTES + 8 * STREAM_BYTES ? (bytes - OTHER_BYTES) / STREAM_BYTES : 8;
    r.traces = bytes / TRACE_BYTES < TRACES_AT_ONCE ? bytes / TRACE_BYTES : TRACES_AT_ONCE;
    if (r.traces < 1)
        r.traces = 1;
    return r;
}

/* Can all inputs be open at one time? */
static enum tr_status fits(const char *const *paths, size_t n, const struct room *room,
                           const struct tr_open_opts *opts, struct tr__probed *probed, bool *yes, uint64_t *n_bytes,
                           struct tr_error *err)
{
    size_t n_streams = 0, n_traces = 0;
    bool many_members = false; /* of an archive; they are not counted to the end */
    *n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        struct tr__probed *p = &probed[i];
        enum tr_status st = tr__open_probe(paths[i], opts, TRACES_AT_ONCE + 1, p, err);
        if (st != TR_OK)
            return st;
        *(p->stream || !p->regular ? &n_streams : &n_traces) += p->n_members;
        *n_bytes += p->n_bytes;
        many_members |= p->n_members > TRACES_AT_ONCE;
    }
    *yes = !many_members && n_streams + TRACE_FILES * n_traces <= room->files &&
           n_streams + n_traces <= room->streams && n_traces <= room->traces;
    return TR_OK;
}

/* ---- all at one time ---- */

struct inputs {
    struct tr_input **in;
    size_t n, cap;
    struct tr_rank_conflicts claims;
};

static enum tr_status add_input(struct inputs *list, const struct tr__opened *o,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    size_t first = list->claims.n;
    if (!tr_grow(&list->in, &list->cap, list->n + 1, sizeof(struct tr_input *))) {
        tr_input_close(o->in);
        return tr_fail_memory(err);
    }
    list->in[list->n] = o->in;
    if (!tr_rank_conflicts_add(&list->claims, o->in, list->n++))
        return tr_fail_memory(err);
    struct tr_rank_claim *own = list->claims.v + first;
    enum tr_status st = tr__ranks_by_input(own, list->claims.n - first, o, opts, err);
    if (st == TR_OK)
        st = tr__ranks_by_place(own, list->claims.n - first, o->raw, list->n - 1, opts, err);
    return st;
}

static enum tr_status open_path(struct inputs *list, const char *path,
                                const struct tr_open_opts *share, struct tr_error *err)
{
    const size_t before = list->n;
    for (size_t member = 0;; member++) { /* each is opened separately */
        struct tr__opened o;
        enum tr_status st = tr__open_member(&o, path, member, list->n, share, NULL, err);
        if (st == TR_OK && !o.left_out)
            st = add_input(list, &o, share, err);
        if (st == TR_END && list->n == before) {
            tr_error_input(err, path);
            return tr_fail(err, TR_DAMAGED, "the archive has no trace");
        }
        if (st != TR_OK)
            return st == TR_END ? TR_OK : st;
        if (!o.archive)
            return TR_OK;
    }
}

struct adding {
    struct inputs *list;
    const struct tr_open_opts *opts;
};

static enum tr_status add_opened(void *ctx, const struct tr__opened *o, struct tr_error *err)
{
    const struct adding *a = ctx;
    return add_input(a->list, o, a->opts, err);
}

/* The inputs belong to the result from now on, also on failure. */
static enum tr_status merge(struct tr_input **out, struct inputs *list,
                            const struct tr_open_opts *opts, struct tr_error *err)
{
    struct tr_merge_opts merge_opts = { 0 };
    struct tr_merge_rank *ranks = NULL;
    enum tr_status st = tr__ranks_check(opts, list->n, err);
    tr__ranks_of_places(&list->claims);
    if (st == TR_OK)
        st = tr_rank_conflicts_settle(&list->claims, opts->renumber, err);
    if (st == TR_OK && !(ranks = tr__ranks_of(&list->claims)))
        st = tr_fail_memory(err);
    merge_opts.ranks = ranks;
    if (st == TR_OK) {
        st = tr_merge_open(out, list->in, list->n, &merge_opts, err);
        list->n = 0;
    }
    free(ranks);
    return st;
}

/* probed: of n inputs; NULL: unknown */
static enum tr_status open_at_once(struct tr_input **out, const char *const *paths, const struct tr__probed *probed,
                                   size_t n, const struct tr_open_opts *opts, struct tr_error *err)
{
    struct inputs list = { 0 };
    struct tr_open_opts share = *opts;
    enum tr_status st = TR_OK;
    share.max_memory_bytes /= n;
    share.skip_empty = n > 1 && !opts->strict && opts->rank_from != TR_RANK_FROM_OPTION;
    if (n > 1 && !share.tuning.batch_events)
        share.tuning.batch_events = MERGED_EVENTS;
    share.n_copies += n > 1 || opts->own_dict; /* the common dictionary */
    const unsigned n_workers = probed ? tr__open_workers(probed, n, opts) : 0;
    if (n_workers)
        st = tr__open_together(paths, probed, n, n_workers, &share, add_opened, &(struct adding){ &list, &share }, err);
    for (size_t i = 0; !n_workers && i < n && st == TR_OK; i++)
        st = open_path(&list, paths[i], &share, err);
    if (st == TR_OK && n && !list.n) {
        tr_error_input(err, paths[0]);
        st = tr_fail(err, TR_DAMAGED, "empty input");
    }
    if (st == TR_OK)
        tr__read_ahead(list.in, list.n, opts);
    if (st == TR_OK && list.n == 1 && opts->rank_from == TR_RANK_FROM_DEFAULT && !opts->own_dict) {
        *out = list.in[0];
        list.n = 0;
    } else if (st == TR_OK) {
        st = merge(out, &list, opts, err);
    }
    while (list.n > 0)
        tr_input_close(list.in[--list.n]);
    free(list.in);
    tr_rank_conflicts_free(&list.claims);
    return st;
}

/* ---- any number ---- */

static enum tr_status open_inputs(struct tr_input **out, const char *const *paths, size_t n,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    bool yes = true;
    uint64_t n_bytes = 0;
    if (n <= 1) { /* members of an archive are opened as several inputs are */
        struct tr__probed one = { .n_members = 1 };
        enum tr_status st = n && !opts->follow ? tr__open_probe(paths[0], opts, 2, &one, err) : TR_OK;
        if (st != TR_OK || one.n_members <= 1)
            return st != TR_OK ? st : open_at_once(out, paths, NULL, n, opts, err);
    }
    const struct room room = find_room(opts);
    struct tr__probed *probed = calloc(n, sizeof *probed);
    enum tr_status st = probed ? fits(paths, n, &room, opts, probed, &yes, &n_bytes, err) : tr_fail_memory(err);
    if (st == TR_OK && yes)
        st = open_at_once(out, paths, n > 1 ? probed : NULL, n, opts, err);
    else if (st == TR_OK)
        st = tr__open_passes(out, paths, n, room.files < room.streams ? room.files : room.streams, n_bytes, opts, err);
    free(probed);
    return st;
}

/* Rules of the user for roles of names, from a table; a table of another form is none. */
static enum tr_status read_roles(const struct tr_side_table *t, struct tr_names **names, struct tr_error *err)
{
    struct tr_side_value cells[TR_SIDE_MAX_COLUMNS];
    struct tr_buf text = { 0 };
    bool ok = true;
    if (t->n_columns != 2 || t->columns[0].type != TR_T_STRING || t->columns[1].type != TR_T_STRING)
        return TR_OK;
    for (size_t at = 0; ok && tr_side_table_row(t, &at, cells);)
        ok = tr_buf_print(&text, "[%.*s]\n\"", (int)cells[0].len, cells[0].present ? cells[0].text : "") &&
             tr_buf_add(&text, cells[1].text, cells[1].present ? cells[1].len : 0) && tr_buf_add_str(&text, "\"\n");
    enum tr_status st = ok ? tr_names_read(names, "table " TR_NAME_ROLES, tr_buf_text(&text), text.len, err)
                           : tr_fail_memory(err);
    tr_buf_free(&text);
    return st == TR_USAGE ? (err->status = TR_DAMAGED) : st;
}

/* Give the dictionary the rules for roles of names that the stream has. */
static enum tr_status take_roles(struct tr_input *in, struct tr_error *err)
{
    struct tr_dict *dict = (struct tr_dict *)in->dict;
    enum tr_status st = TR_OK;
    for (size_t i = 0; in->tables && !dict->names && i < in->tables->n && st == TR_OK; i++)
        if (strcmp(in->tables->v[i]->name, TR_NAME_ROLES) == 0)
            st = read_roles(in->tables->v[i], &dict->names, err);
    dict->free_names = tr_names_free;
    return st;
}

enum tr_status tr_open_many(struct tr_input **out, const char *const *paths, size_t n,
                            const struct tr_open_opts *opts, struct tr_error *err)
{
    enum tr_status st = open_inputs(out, paths, n, opts, err);
    if (st == TR_OK && (st = take_roles(*out, err)) != TR_OK) {
        tr_input_close(*out);
        *out = NULL;
    }
    return st;
}

enum tr_status tr_open(struct tr_input **out, const char *path_or_dash,
                       const struct tr_open_opts *opts, struct tr_error *err)
{
    return tr_open_many(out, &path_or_dash, 1, opts, err);
}
