/* SPDX-License-Identifier: MIT */
/* One input: its bytes, and the format that reads them. */
#include "formats/tr_open_int.h"

#include "formats/common/tr_not_read_int.h"
#include "formats/tr_formats_int.h"
#include "io/tr_bytes.h"
#include "io/tr_follow.h"
#include "io/tr_io.h"
#include "io/tr_reopened_files.h"
#include "io/tr_temp.h"
#include "stream/format/tr_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES  64u /* enough to detect most formats; a pipe is not waited for longer */
#define BLOCKS_AHEAD 5u

/* An input of bytes while it is opened; at the end its reader owns it. */
struct opening {
    struct tr_bytes *bytes;
    struct tr_open_opts opts;
    size_t place; /* among the inputs */
    char name[512]; /* of bytes, for as long as they are read */
    uint64_t given;               /* bytes of text */
    struct tr_ingest_damage damage; /* compressed parts that were damaged; reading went on after them */
    struct tr_temp *copy; /* a copy of bytes that must be rewound and are not a file */
    uint64_t at;          /* in it */
    struct stat file;     /* the file of fd, */
    off_t start;          /* and the start of the input in it; -1: it cannot be read again */
    int fd;                    /* belongs to bytes */
    size_t member;             /* of an archive */
    struct tr__archive_place *after; /* gets the bytes at the end; NULL: they are closed */
    struct tr_reopened_file *seen; /* NULL: the file may change while it is read */
};

static bool is_stdin(const char *path, const struct tr_open_opts *opts)
{
    return !opts->memory && strcmp(path, "-") == 0;
}

static enum tr_status open_memory(const char *path, const struct tr_open_opts *opts, struct tr_bytes **out,
                                  struct tr_error *err)
{
    const struct tr_open_memory *m = opts->memory;
    while (m->name != path)
        m++;
    return tr_bytes_open_memory(out, m->bytes, m->n, m->name, err);
}

/* *out_fd belongs to *out; -1: memory.  start: the start of the input in the file; NULL: not needed. */
static enum tr_status open_bytes(const char *path, const struct tr_open_opts *opts, struct tr_bytes **out, int *out_fd,
                                 off_t *start, struct tr_error *err)
{
    if (opts->memory) {
        *out_fd = -1;
        if (start)
            *start = -1;
        return open_memory(path, opts, out, err);
    }
    const char *name = is_stdin(path, opts) ? "standard input" : path;
    int fd = is_stdin(path, opts) ? STDIN_FILENO : tr_open_fd(path, O_RDONLY, 0);
    if (fd < 0) {
        tr_error_input(err, path);
        return tr_fail_sys(err, errno, errno == EMFILE ? "cannot open: more inputs than files may be open "
                                                         "(see ulimit -n)"
                                                       : "cannot open");
    }
    const struct tr_bytes_opts how = { .keep_fd = fd == STDIN_FILENO,
                                       .follow = opts->follow,
                                       .path = is_stdin(path, opts) ? NULL : path };
    *out_fd = fd;
    if (start)
        *start = lseek(fd, 0, SEEK_CUR);
    enum tr_status st = tr_bytes_open(out, fd, name, &how, err);
    if (st != TR_OK)
        tr_error_input(err, name);
    return st;
}

/* --- text ------------------------------------------------------------------------------------- */

/*
 * Read text.  Damaged compressed data end it, unless an intact part follows.  Then the lost data are damage in the
 * text, and its reader continues after them.
 */
static enum tr_status text_read(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct opening *o = ctx;
    enum tr_status st = tr_bytes_read(o->bytes, buf, cap, got, err);
    while (st == TR_DAMAGED && !o->opts.strict) {
        struct tr_error ignored = TR_ERROR_INIT;
        uint64_t skipped;
        if (o->damage.n++ == 0)
            o->damage.first = o->given;
        if (tr_bytes_resync(o->bytes, &skipped, &ignored) != TR_OK)
            return TR_DAMAGED;
        st = tr_bytes_read(o->bytes, buf, cap, got, err);
    }
    if (st == TR_OK)
        o->given += *got;
    if (st == TR_END && o->damage.n)
        return TR_DAMAGED;
    if ((st == TR_OK || st == TR_END) && o->seen) { /* the file may have changed since the earlier reads */
        enum tr_status still = tr_reopened_files_still(o->opts.seen, o->seen, o->fd, err);
        return still == TR_OK ? st : still;
    }
    return st;
}

static bool text_skip(void *ctx, uint64_t n)
{
    struct opening *o = ctx;
    bool done = tr_bytes_skip(o->bytes, n);
    o->given += done ? n : 0;
    return done;
}

static struct tr_ingest_damage text_damage(void *ctx)
{
    struct opening *o = ctx;
    o->damage.trailing = tr_bytes_trailing(o->bytes) > 0;
    return o->damage;
}

void tr__archive_place_close(struct tr__archive_place *a)
{
    tr_bytes_close(a->bytes);
    a->bytes = NULL;
}

/* After damage, the next member is looked for from the start of the archive. */
static void text_close(void *ctx)
{
    struct opening *o = ctx;
    if (o->after && o->bytes && tr_bytes_member(o->bytes) && !o->damage.n)
        *o->after = (struct tr__archive_place){ o->bytes, o->member, o->fd };
    else
        tr_bytes_close(o->bytes);
    tr_temp_free(o->copy);
    tr_reopened_files_close(o->opts.seen, o->seen);
    free(o);
}

static bool text_progress(void *ctx, uint64_t done, uint64_t total)
{
    const struct opening *o = ctx;
    return total ? o->opts.progress(o->opts.progress_ctx, done, total)
                 : o->opts.progress(o->opts.progress_ctx, tr_bytes_consumed(o->bytes), tr_bytes_total(o->bytes));
}

/* --- bytes that can be read again --- */

static enum tr_status copy_read(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct opening *o = ctx;
    uint64_t left = tr_temp_size(o->copy) - o->at;
    *got = left < cap ? (size_t)left : cap;
    if (*got == 0)
        return o->damage.n ? TR_DAMAGED : TR_END;
    o->at += *got;
    return tr_temp_read_at(o->copy, buf, *got, o->at - *got, err);
}

static enum tr_status copy_rewind(void *ctx, struct tr_error *err)
{
    struct opening *o = ctx;
    (void)err;
    o->at = 0;
    return TR_OK;
}

static enum tr_status copy_read_at(void *ctx, void *buf, size_t n, uint64_t at, size_t *got, struct tr_error *err)
{
    const struct opening *o = ctx;
    uint64_t size = tr_temp_size(o->copy), left = at < size ? size - at : 0;
    *got = left < n ? (size_t)left : n;
    return *got ? tr_temp_read_at(o->copy, buf, *got, at, err) : TR_OK;
}

/* Is it a file, and not a member of an archive?  Then it is read again in place. */
static bool can_reopen(struct opening *o, const struct tr_format *f)
{
    return o->start >= 0 && fstat(o->fd, &o->file) == 0 && S_ISREG(o->file.st_mode) && !tr_bytes_member(o->bytes) &&
           !(f->at_any_place && strcmp(tr_bytes_codec(o->bytes), "none"));
}

static bool has_changed(const struct opening *o)
{
    struct stat now;
    return fstat(o->fd, &now) != 0 || now.st_size != o->file.st_size || now.st_mtime != o->file.st_mtime;
}

static uint64_t size_of(const struct opening *o)
{
    return o->file.st_size > o->start ? (uint64_t)(o->file.st_size - o->start) : 0;
}

static enum tr_status file_read_at(void *ctx, void *buf, size_t n, uint64_t at, size_t *got, struct tr_error *err)
{
    const struct opening *o = ctx;
    if (has_changed(o))
        return tr_fail(err, TR_DAMAGED, "has changed while it was read");
    enum tr_status st = tr_pread_full(o->fd, buf, n, (uint64_t)o->start + at, got, err);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status file_rewind(void *ctx, struct tr_error *err)
{
    struct opening *o = ctx;
    const struct tr_bytes_opts opts = { .keep_fd = false };
    char name[512];
    if (has_changed(o))
        return tr_fail(err, TR_DAMAGED, "has changed while it was read");
    int fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 3); /* the bytes close their own descriptor */
    if (fd < 0 || lseek(fd, o->start, SEEK_SET) < 0) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        return tr_fail_sys(err, why, "cannot be read again");
    }
    snprintf(name, sizeof name, "%s", tr_bytes_name(o->bytes));
    tr_bytes_close(o->bytes);
    o->bytes = NULL;
    o->fd = fd;
    o->given = 0;
    o->damage = (struct tr_ingest_damage){ 0 };
    return tr_bytes_open(&o->bytes, fd, name, &opts, err);
}

/* Copy all bytes to a temporary file.  Damage is reported when the copy has been read to its end. */
static enum tr_status make_copy(struct opening *o, struct tr_error *err)
{
    unsigned char buf[1u << 16];
    size_t got = 0;
    enum tr_status st = tr_temp_open(&o->copy, o->opts.temp_dir, err);
    while (st == TR_OK) {
        st = text_read(o, buf, sizeof buf, &got, err);
        if (st == TR_OK)
            st = tr_temp_write(o->copy, buf, got, err);
        if (st == TR_OK)
            st = tr_open_progress(&o->opts, tr_bytes_consumed(o->bytes), tr_bytes_total(o->bytes), err);
    }
    if (st == TR_DAMAGED && !o->opts.strict) {
        *err = (struct tr_error)TR_ERROR_INIT;
        return TR_OK;
    }
    return st == TR_END ? TR_OK : st;
}

/* --- any ---------------------------------------------------------------------------------------- */

/* Name an unreadable format if that helps the user. */
static enum tr_status unknown_format(const char *input, const unsigned char *p, size_t n, struct tr_error *err)
{
    static const struct {
        const char *magic, *name;
        size_t len;
    } packed[] = { { "BZh", "bzip2", 3 }, { "\xfd" "7zXZ", "xz", 5 }, { "7z\xbc\xaf", "7-Zip", 4 } };
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (n >= packed[i].len && !memcmp(p, packed[i].magic, packed[i].len))
            return tr_fail(err, TR_DAMAGED, "compressed with %s, which is not supported: decompress it first",
                           packed[i].name);
    if (n >= 2 && (!memcmp(p, "\xff\xfe", 2) || !memcmp(p, "\xfe\xff", 2)))
        return tr_fail(err, TR_DAMAGED, "UTF-16 or UTF-32 text, which is not supported: convert it to UTF-8");
    const char *what = tr__not_read(input, p, n);
    if (what)
        return tr_fail(err, TR_DAMAGED, "%s", what);
    return tr_fail(err, TR_DAMAGED, "unknown format (see tr-parse --list-formats)");
}

static enum tr_status find_format(struct tr_bytes *b, const struct tr_open_opts *opts,
                                  const struct tr_format **format, struct tr_error *err)
{
    const unsigned char *p;
    const struct tr_format *also = NULL;
    size_t n = 0, want = FIRST_BYTES;
    int score = 0;
    if (opts->input_format) {
        *format = tr__format_by_name(opts->input_format, opts);
        return *format ? TR_OK : tr_fail(err, TR_USAGE, "unknown input format '%s' (see tr-parse --list-formats)",
                                         opts->input_format);
    }
    for (;; want = TR_PROBE_BYTES) {
        enum tr_status st = tr_bytes_peek(b, &p, &n, want, err);
        if (st == TR_END)
            return tr_fail(err, TR_DAMAGED, "empty input");
        if (st != TR_OK)
            return st;
        /* even if more is there: the answer must not depend on the size of reads */
        *format = tr__format_probe(p, n < want ? n : want, opts, &score, &also);
        if (want == TR_PROBE_BYTES || n < want || (score >= TR_PROBE_SURE && !also))
            break;
    }
    if (!*format)
        return unknown_format(tr_bytes_name(b), p, n, err);
    return also ? tr_fail(err, TR_DAMAGED, "may be %s or %s: choose one with --input-format", (*format)->name,
                          also->name)
                : TR_OK;
}

/* A stream gives the same warnings as its trace did when it was parsed. */
void tr_open_warn(const struct tr_input *in, const struct tr_open_opts *opts)
{
    const struct tr_summary *s = in->summary;
    bool raw = !in->provenance;
    for (size_t i = 0; opts->warn && s && i < s->n && i < in->dict->n_sources; i++) {
        const char *name = tr_dict_str(in->dict, in->dict->sources[i].name);
        for (size_t k = 0; k < s->sources[i].n_damage; k++) {
            char what[256], place[320];
            const struct tr_damage *d = &s->sources[i].damage[k];
            uint64_t at = d->first;
            const char *of = raw || !name[0] ? "" : name, *comma = raw || !name[0] ? "" : ", ";
            if (at == TR_NO_OFFSET)
                snprintf(place, sizeof place, "%.250s", of);
            else
                snprintf(place, sizeof place, "%.250s%sbyte %llu", of, comma, (unsigned long long)at);
            snprintf(what, sizeof what, "%s", d->text);
            if (d->count > 1)
                snprintf(what, sizeof what,
                         at == TR_NO_OFFSET ? "%s (%llu times)" : "%s (%llu times, first here)",
                         d->text, (unsigned long long)d->count);
            opts->warn(opts->warn_ctx, in->name, place, what);
        }
    }
}

/* Open the content of the bytes; o is passed on or released. */
static enum tr_status open_content(struct tr_input **out, struct opening *o, const struct tr_format **format,
                                   struct tr_error *err)
{
    struct tr_open_opts opts = o->opts;
    char name[512];
    *format = NULL;
    enum tr_status st = find_format(o->bytes, &opts, format, err);
    snprintf(name, sizeof name, "%s", tr_bytes_name(o->bytes));
    snprintf(o->name, sizeof o->name, "%s", name);
    o->opts.strict |= st == TR_OK && (*format)->is_stream;
    if (st == TR_OK && !(*format)->is_stream) { /* it is kept in memory, or parsed again */
        tr_reopened_files_close(o->opts.seen, o->seen);
        o->seen = NULL;
    }
    if (st == TR_OK && opts.follow)
        opts.follow->is_stream = (*format)->is_stream;
    bool again = st == TR_OK && (*format)->needs_seek && !opts.follow && can_reopen(o, *format);
    if (st == TR_OK && (*format)->needs_seek && !again)
        st = make_copy(o, err);
    if (st == TR_OK) {
        bool anywhere = (*format)->at_any_place;
        const struct tr_ingest_bytes bytes = { .read = o->copy ? copy_read : text_read,
                                               .skip = o->copy ? NULL : text_skip,
                                               .rewind = again ? file_rewind : o->copy ? copy_rewind : NULL,
                                               .read_at = !anywhere ? NULL : again ? file_read_at : copy_read_at,
                                               .size = !anywhere ? 0
                                                       : again   ? size_of(o)
                                                                 : tr_temp_size(o->copy),
                                               .close = text_close,
                                               .damage = text_damage, .ctx = o, .name = o->name,
                                               .place = o->place };
        opts.progress = opts.progress && !o->copy ? text_progress : NULL;
        opts.progress_ctx = o;
        st = (*format)->open(*format, out, &bytes, &opts, err);
    } else {
        text_close(o);
    }
    if (st == TR_OK && (*out)->sorted)
        tr_open_warn(*out, &opts);
    else if (st != TR_OK && st != TR_USAGE)
        tr_error_input(err, name);
    return st;
}

/* An archive is damaged after readable members. */
static enum tr_status lose_members(const char *path, const struct tr_open_opts *opts, struct tr_error *err)
{
    char what[sizeof err->what + 40];
    snprintf(what, sizeof what, "%s, the rest of it is lost", err->what);
    if (opts->warn)
        opts->warn(opts->warn_ctx, path, "", what);
    *err = (struct tr_error)TR_ERROR_INIT;
    return TR_END;
}

/* Is this the name of a member that is no file of the user's: "__MACOSX/._rank0.json"? */
static bool hidden(const char *name)
{
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += p > name;
        if ((p[0] == '.' && p[1] != '/' && strncmp(p, "../", 3)) || !strncmp(p, "__MACOSX", 8))
            return true;
    }
    return false;
}

/*
 * An archive often has more than traces.  A process that reported nothing leaves an empty file, or an empty member in
 * the archive of a job.  The others are still of use.
 */
static enum tr_status find_left_out(struct opening *o, bool *left_out, struct tr_error *err)
{
    const struct tr_format *also;
    const unsigned char *p;
    const char *member = tr_bytes_member(o->bytes), *why = NULL;
    size_t n = 0;
    int score = TR_PROBE_LIKELY;
    struct tr_error ignored = TR_ERROR_INIT; /* damage is reported by those who read it */
    enum tr_status st = tr_bytes_peek(o->bytes, &p, &n, member ? TR_PROBE_BYTES : 1, &ignored);
    if (st == TR_OK && member && !o->opts.input_format)
        tr__format_probe(p, n < TR_PROBE_BYTES ? n : TR_PROBE_BYTES, &o->opts, &score, &also);
    if (member && hidden(member))
        why = "hidden, left out";
    else if (st == TR_END && !o->opts.strict)
        why = "empty, left out";
    else if (st == TR_OK && score < TR_PROBE_LIKELY)
        why = "no trace, left out";
    *left_out = why != NULL;
    if (why && o->opts.warn)
        o->opts.warn(o->opts.warn_ctx, tr_bytes_name(o->bytes), "", why);
    if (st == TR_SYSTEM)
        *err = ignored;
    return st == TR_SYSTEM ? st : TR_OK;
}

/* The bytes of a member, from the one before it if that is known. */
static enum tr_status find_member(struct opening *o, const char *path, size_t member,
                                  struct tr__archive_place *before, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (before && before->bytes) {
        o->bytes = before->bytes;
        o->fd = before->fd;
        o->member = before->member;
        o->start = -1; /* only what is no archive is read again in place */
        before->bytes = NULL;
    } else {
        st = open_bytes(path, &o->opts, &o->bytes, &o->fd, &o->start, err);
    }
    for (; st == TR_OK && o->member < member; o->member++)
        st = tr_bytes_next_member(o->bytes, NULL, err);
    return st;
}

enum tr_status tr__open_member(struct tr__opened *out, const char *path, size_t member, size_t place,
                               const struct tr_open_opts *opts, struct tr__archive_place *before,
                               struct tr_error *err)
{
    struct opening *o = calloc(1, sizeof *o);
    const struct tr_format *format;
    if (o)
        o->opts = *opts;
    enum tr_status st = o ? find_member(o, path, member, before, err) : tr_fail_memory(err);
    if (st == TR_DAMAGED && member > 0 && !opts->strict)
        st = lose_members(path, opts, err);
    if (st == TR_OK && opts->seen && !opts->memory) {
        st = tr_reopened_files_open(opts->seen, path, o->fd, &o->seen, err);
        if (st != TR_OK)
            tr_error_input(err, path);
    }
    if (st != TR_OK) {
        if (o)
            tr_bytes_close(o->bytes);
        free(o);
        return st;
    }
    /* standard input cannot be started again for its next member */
    *out = (struct tr__opened){ .path = path,
                                .archive = tr_bytes_member(o->bytes) != NULL && !is_stdin(path, opts) };
    o->place = place;
    o->after = before;
    bool whole = opts->memory || (fstat(o->fd, &o->file) == 0 && S_ISREG(o->file.st_mode));
    bool look = out->archive || (opts->skip_empty && whole);
    if (look && (st = find_left_out(o, &out->left_out, err)) != TR_OK) {
        text_close(o);
        return st;
    }
    if (out->left_out) {
        text_close(o);
        return TR_OK;
    }
    st = open_content(&out->in, o, &format, err);
    out->raw = !format || !format->is_stream;
    return st;
}

enum tr_status tr__open_probe(const char *path, const struct tr_open_opts *opts, size_t max_members,
                              struct tr__probed *out, struct tr_error *err)
{
    struct stat file;
    struct tr_bytes *b;
    const struct tr_format *format = NULL;
    *out = (struct tr__probed){ .n_members = 1 };
    if (!opts->memory && (is_stdin(path, opts) || stat(path, &file) != 0 || !S_ISREG(file.st_mode)))
        return TR_OK;
    out->regular = true;
    int fd;
    enum tr_status st = open_bytes(path, opts, &b, &fd, NULL, err);
    if (st != TR_OK)
        return st;
    out->n_bytes = tr_bytes_total(b);
    struct tr_error ignored = TR_ERROR_INIT; /* opening it will report the error */
    out->stream = find_format(b, opts, &format, &ignored) == TR_OK && format->is_stream;
    out->archive = tr_bytes_member(b) != NULL;
    while (tr_bytes_member(b) && out->n_members < max_members &&
           tr_bytes_next_member(b, NULL, &ignored) == TR_OK)
        out->n_members++;
    tr_bytes_close(b);
    return TR_OK;
}

enum tr_status tr__open_looks(const char *path, const struct tr_open_opts *opts, bool *trace, struct tr_error *err)
{
    const struct tr_format *also;
    const unsigned char *p;
    struct tr_bytes *b;
    size_t n = 0;
    int fd, score = 0;
    enum tr_status st = open_bytes(path, opts, &b, &fd, NULL, err);
    if (st != TR_OK)
        return st;
    st = tr_bytes_peek(b, &p, &n, TR_PROBE_BYTES, err);
    if (st == TR_OK)
        tr__format_probe(p, n < TR_PROBE_BYTES ? n : TR_PROBE_BYTES, opts, &score, &also);
    *trace = opts->input_format || score >= TR_PROBE_LIKELY;
    tr_bytes_close(b);
    if (st == TR_SYSTEM) {
        tr_error_input(err, path);
        return st;
    }
    *err = (struct tr_error)TR_ERROR_INIT; /* an empty or damaged file has no format */
    return TR_OK;
}

/*
 * A thread for each input decodes ahead, but only if there is a CPU for it.  Threads that share a CPU cost more than
 * they save: they switch, and batches leave the caches before they are used.
 */
void tr__read_ahead(struct tr_input *const *in, size_t n, const struct tr_open_opts *opts)
{
    const bool have_cpu = opts->n_threads > 1 && n <= opts->n_threads, one_waits = n == 1 && opts->idle;
    for (size_t i = 0; (have_cpu || one_waits) && i < n; i++)
        tr_input_ahead(in[i], BLOCKS_AHEAD);
}
