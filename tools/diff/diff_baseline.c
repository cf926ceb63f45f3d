/* SPDX-License-Identifier: MIT */
/*
 * tr-diff: a run as a small text file, which tr-diff(1) describes.
 *
 * Lines have fields with tabs between them, the name last.  The last line has the checksum of all lines before it.  So
 * a file that was cut, merged by hand or changed is not accepted as the result of a run.
 */
#include "base/tr_digest_int.h"
#include "base/tr_num.h"
#include "diff/diff.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_LINE "tr-diff-baseline\t3\n"
#define MAX_BYTES  ((size_t)1 << 28)

/* ---- text ---- */

static bool add_fmt(struct tr_buf *out, const char *fmt, ...) TR_PRINTF(2, 3);
static bool add_fmt(struct tr_buf *out, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return tr_buf_add_str(out, text);
}

static bool add_escaped(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0; i < len && ok; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c < 0x20 || c == '\\' || c == 0x7f)
            ok = add_fmt(out, "\\x%02x", c);
        else
            ok = tr_buf_add(out, s + i, 1);
    }
    return ok;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Undo escapes, in place.  False: one is not valid. */
static bool unescape(char *s, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < *len; i++) {
        if (s[i] == '\\') {
            if (*len - i < 4 || s[i + 1] != 'x' || hex_digit(s[i + 2]) < 0 ||
                hex_digit(s[i + 3]) < 0)
                return false;
            s[n++] = (char)(hex_digit(s[i + 2]) * 16 + hex_digit(s[i + 3]));
            i += 3;
        } else {
            s[n++] = s[i];
        }
    }
    *len = n;
    s[n] = '\0';
    return true;
}

static bool add_sha256(struct tr_buf *out)
{
    unsigned char digest[TR__SHA256_LEN];
    tr__sha256(out->data, out->len, digest);
    bool ok = tr_buf_add_str(out, "sha256\t");
    for (size_t i = 0; i < sizeof digest && ok; i++)
        ok = add_fmt(out, "%02x", digest[i]);
    return ok && tr_buf_add_str(out, "\n");
}

static bool add_range(struct tr_buf *out, const char *name, const struct tr_range *r)
{
    return add_fmt(out, "select\t%s\t%" PRId64 "\t%" PRId64 "\n", name, r->from, r->to);
}

/* The selection.  Runs can be compared only if they have the same selection. */
static bool add_selection(struct tr_buf *out, const struct diff_opts *o)
{
    const struct tr_select_opts *s = &o->a.select.opts;
    bool ok = true;
    for (size_t i = 0; i < s->n_ranks && ok; i++)
        ok = add_range(out, "rank", &s->ranks[i]);
    if (s->has_steps)
        ok = ok && add_range(out, "step", &s->steps);
    if (s->has_time)
        ok = ok && add_range(out, "time", &s->time);
    if (s->has_host_time)
        ok = ok && add_range(out, "host-time", &s->host_time);
    if (s->drop_last_step)
        ok = ok && tr_buf_add_str(out, "select\tdrop-last-step\n");
    if (o->a.suspect)
        ok = ok && tr_buf_add_str(out, "select\tsuspect\n");
    if (o->profiler)
        ok = ok && tr_buf_add_str(out, "select\tprofiler\n");
    for (size_t i = 0; i < o->a.select.where.n && ok; i++)
        ok = tr_buf_add_str(out, "select\twhere\t") &&
             add_escaped(out, o->a.select.where.items[i], strlen(o->a.select.where.items[i])) &&
             tr_buf_add_str(out, "\n");
    return ok;
}

/* ---- writing ---- */

static bool add_row(struct tr_buf *out, const struct tr_diff_row *r)
{
    const struct tr_diff_sums *s = &r->sums[TR_DIFF_BASE];
    return add_fmt(out,
                   "row\t%s\t%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64
                   "\t%016" PRIx64 "%016" PRIx64 "\t",
                   r->device ? "device" : "host", s->dur.n, tr_stats_sum(&s->dur), tr_diff_self(s),
                   s->dur.min, s->dur.max, s->dur.squares.hi, s->dur.squares.lo) &&
           add_escaped(out, r->name, r->len) && tr_buf_add_str(out, "\n");
}

static bool add_headline(struct tr_buf *out, const struct tr_run_summary *h)
{
    bool ok = add_fmt(out, "ranks\t%" PRIu64 "\n", h->n_ranks);
    for (int m = TR_RUN_SUMMARY_STEP_TIME + 1; m < TR_N_RUN_SUMMARY && ok; m++) {
        const struct tr_stats *s = &h->steps[m];
        ok = add_fmt(out,
                     "headline\t%s\t%" PRId64 "\t%" PRIu64 "\t%016" PRIx64 "%016" PRIx64 "\t%016" PRIx64 "%016" PRIx64
                     "\n",
                     tr_run_summary_names[m], h->whole[m], s->n, s->sum.hi, s->sum.lo, s->squares.hi, s->squares.lo);
    }
    return ok;
}

static bool make_text(struct tr_buf *out, const struct diff_opts *o, const struct diff *x,
                      const struct tr_diff_row *rows, size_t n_rows)
{
    const struct diff_side *side = &x->sides[TR_DIFF_BASE];
    bool ok = tr_buf_add_str(out, FIRST_LINE) &&
              add_fmt(out, "by\t%s\n", tr_diff_by_names[x->by]) && add_selection(out, o) &&
              (!side->partial || tr_buf_add_str(out, "partial\n"));
    for (size_t i = 0; ok && i < side->steps.n; i++)
        ok = add_fmt(out, "step\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", side->steps.steps[i].number,
                     side->steps.steps[i].dur, side->steps.steps[i].capture);
    ok = ok && add_headline(out, &side->headline);
    for (size_t i = 0; ok && i < n_rows; i++)
        ok = add_row(out, &rows[i]);
    return ok && add_sha256(out);
}

enum tr_status diff_baseline_write(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                   struct tr_error *err)
{
    struct tr_buf text = { 0 };
    const struct tr_diff_row *rows;
    size_t n_rows;
    enum tr_status st = tr_diff_rows(x->d, &rows, &n_rows, err);
    if (st == TR_OK && !make_text(&text, o, x, rows, n_rows))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_write_report(cli, &text, err);
    tr_buf_free(&text);
    return st;
}

/* ---- reading ---- */

static enum tr_status read_file(const char *path, struct tr_buf *text, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    size_t got = 1;
    int fd = tr_open_fd(path, O_RDONLY, 0);
    if (fd < 0)
        return tr_fail_sys(err, errno, "cannot open");
    while (st == TR_OK && got) {
        if (text->len > MAX_BYTES)
            st = tr_fail(err, TR_DAMAGED, "is too long for a baseline of tr-diff");
        else if (!tr_buf_reserve(text, (1 << 16) + 1))
            st = tr_fail_memory(err);
        else if ((st = tr_read_full(fd, text->data + text->len, 1 << 16, &got, err)) == TR_OK)
            text->len += got;
        else if (st == TR_END) /* less than asked for */
            text->len += got;
    }
    close(fd);
    if (st == TR_OK || st == TR_END)
        text->data[text->len] = '\0';
    return st == TR_END ? TR_OK : st;
}

/* Is it a complete baseline?  Removes the last line. */
static enum tr_status check(struct tr_buf *text, struct tr_error *err)
{
    static const char start[] = "tr-diff-baseline\t";
    struct tr_buf again = { 0 };
    char *s = (char *)text->data, *last = NULL;
    if (strncmp(s, start, sizeof start - 1) != 0)
        return tr_fail(err, TR_DAMAGED, "is not a baseline of tr-diff");
    if (strncmp(s, FIRST_LINE, sizeof FIRST_LINE - 1) != 0)
        return tr_fail(err, TR_DAMAGED,
                       "is a baseline of a version that this program does not know");
    for (char *at = s; (at = strstr(at, "\nsha256\t")) != NULL; at++)
        last = at + 1;
    if (!last || strlen(s) != text->len)
        return tr_fail(err, TR_DAMAGED, "is not a complete baseline: its checksum is missing");
    size_t n = (size_t)(last - s);
    bool ok = tr_buf_add(&again, s, n) && add_sha256(&again);
    bool same = ok && again.len == text->len && memcmp(again.data + n, last, again.len - n) == 0;
    tr_buf_free(&again);
    if (!ok)
        return tr_fail_memory(err);
    if (!same)
        return tr_fail(err, TR_DAMAGED, "was changed or cut: its checksum does not match");
    *last = '\0';
    text->len = n;
    return TR_OK;
}

/* The next field of a line; *at moves past it.  NULL: there is none. */
static char *field(char **at)
{
    char *start = *at;
    if (!start)
        return NULL;
    char *tab = strchr(start, '\t');
    *at = tab ? tab + 1 : NULL;
    if (tab)
        *tab = '\0';
    return start;
}

static bool read_i64(char **at, int64_t *value)
{
    const char *text = field(at);
    return text && tr_num_i64(text, INT64_MIN, INT64_MAX, value, NULL) == TR_OK;
}

static bool read_wide(char **at, struct tr_u128 *value)
{
    const char *s = field(at);
    if (!s || strlen(s) != 32)
        return false;
    for (size_t i = 0; i < 32; i++) {
        int digit = hex_digit(s[i]);
        uint64_t *half = i < 16 ? &value->hi : &value->lo;
        if (digit < 0)
            return false;
        *half = *half << 4 | (uint64_t)digit;
    }
    return true;
}

/* Fields of a row.  *st: why it could not be kept, if the text is right. */
static bool take_row(struct diff *x, char *at, enum tr_status *st, struct tr_error *err)
{
    struct tr_diff_sums s = { .dur = TR_STATS_INIT };
    int64_t count, dur, self;
    const char *side = field(&at);
    if (!side || (strcmp(side, "host") != 0 && strcmp(side, "device") != 0))
        return false;
    if (!read_i64(&at, &count) || count < 1 || !read_i64(&at, &dur) || !read_i64(&at, &self) ||
        !read_i64(&at, &s.dur.min) || !read_i64(&at, &s.dur.max) ||
        !read_wide(&at, &s.dur.squares) || !at || strchr(at, '\t'))
        return false;
    size_t len = strlen(at);
    if (!unescape(at, &len))
        return false;
    s.dur.n = (uint64_t)count;
    s.dur.sum = tr_i128_of(dur);
    s.self = tr_i128_of(self);
    *st = tr_diff_add(x->d, TR_DIFF_BASE, side[0] == 'd', at, len, &s, err);
    return true;
}

static bool take_headline(struct diff *x, char *at)
{
    struct tr_run_summary *h = &x->sides[TR_DIFF_BASE].headline;
    const char *name = field(&at);
    int m = TR_RUN_SUMMARY_STEP_TIME + 1;
    int64_t n;
    while (m < TR_N_RUN_SUMMARY && (!name || strcmp(tr_run_summary_names[m], name) != 0))
        m++;
    if (m == TR_N_RUN_SUMMARY || !read_i64(&at, &h->whole[m]) || !read_i64(&at, &n) || n < 0 ||
        !read_wide(&at, &h->steps[m].sum) || !read_wide(&at, &h->steps[m].squares) || at)
        return false;
    h->steps[m].n = (uint64_t)n;
    return true;
}

static bool take_ranks(struct diff *x, char *at)
{
    int64_t n;
    bool ok = read_i64(&at, &n) && n >= 0 && !at;
    x->sides[TR_DIFF_BASE].headline.n_ranks = ok ? (uint64_t)n : 0;
    return ok;
}

static bool take_step(struct diff *x, char *at, enum tr_status *st, struct tr_error *err)
{
    int64_t number, dur, capture;
    if (!read_i64(&at, &number) || !read_i64(&at, &dur) || !read_i64(&at, &capture) || at)
        return false;
    if (!tr_step_times_add(&x->sides[TR_DIFF_BASE].steps, capture, number, dur))
        *st = tr_fail_memory(err);
    return true;
}

/* The view; the difference is made for it. */
static enum tr_status take_view(const struct cli *cli, const struct diff_opts *o, struct diff *x,
                                const char *name, struct tr_error *err)
{
    int by = 0;
    while (by < TR_N_DIFF_BY && strcmp(tr_diff_by_names[by], name) != 0)
        by++;
    if (by == TR_N_DIFF_BY)
        return tr_fail(err, TR_DAMAGED, "line 2: '%.40s' is not a view", name);
    if (o->by != DIFF_BY_UNSET && o->by != by)
        return tr_fail(err, TR_USAGE, "is a baseline by %s, not by %s", name,
                       tr_diff_by_names[o->by]);
    x->by = (enum tr_diff_by)by;
    x->d = tr_diff_new(x->by, 0, diff_max_bytes(cli));
    return x->d ? TR_OK : tr_fail_memory(err);
}

/* Lines after the view and the selection. */
static enum tr_status take_lines(struct diff *x, char *s, size_t number, struct tr_error *err)
{
    while (*s) {
        char *end = strchr(s, '\n'), *at = s;
        enum tr_status st = TR_OK;
        bool ok = end != NULL;
        if (ok) {
            *end = '\0';
            const char *what = field(&at);
            if (strcmp(what, "row") == 0)
                ok = at && take_row(x, at, &st, err);
            else if (strcmp(what, "step") == 0)
                ok = at && take_step(x, at, &st, err);
            else if (strcmp(what, "ranks") == 0)
                ok = at && take_ranks(x, at);
            else if (strcmp(what, "headline") == 0)
                ok = at && take_headline(x, at);
            else if ((ok = strcmp(what, "partial") == 0) == true)
                x->sides[TR_DIFF_BASE].partial = true;
        }
        if (st != TR_OK)
            return st;
        if (!ok)
            return tr_fail(err, TR_DAMAGED, "line %zu is not valid in a baseline", number);
        s = end + 1;
        number++;
    }
    return TR_OK;
}

static enum tr_status take_text(const struct cli *cli, const struct diff_opts *o, struct diff *x,
                                char *s, struct tr_error *err)
{
    struct tr_buf selection = { 0 };
    char *view = s + sizeof FIRST_LINE - 1, *end = strchr(view, '\n');
    if (!end || strncmp(view, "by\t", 3) != 0)
        return tr_fail(err, TR_DAMAGED, "line 2 does not name a view");
    *end = '\0';
    enum tr_status st = take_view(cli, o, x, view + 3, err);
    char *rest = end + 1, *after = rest;
    size_t number = 3;
    while (strncmp(after, "select\t", 7) == 0 && (end = strchr(after, '\n')) != NULL) {
        after = end + 1;
        number++;
    }
    size_t n = (size_t)(after - rest);
    if (st == TR_OK && !add_selection(&selection, o))
        st = tr_fail_memory(err);
    if (st == TR_OK && (selection.len != n || (n && memcmp(selection.data, rest, n) != 0)))
        st = tr_fail(err, TR_USAGE,
                     "is a baseline with another selection: give the same --step, --where and so on");
    tr_buf_free(&selection);
    return st == TR_OK ? take_lines(x, after, number, err) : st;
}

enum tr_status diff_baseline_read(const struct cli *cli, const struct diff_opts *o, struct diff *x,
                                  struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = read_file(o->baseline, &text, err);
    if (st == TR_OK)
        st = check(&text, err);
    if (st == TR_OK)
        st = take_text(cli, o, x, (char *)text.data, err);
    if (st == TR_OK && !tr_step_times_seal(&x->sides[TR_DIFF_BASE].steps))
        st = tr_fail_memory(err);
    if (st != TR_OK)
        tr_error_input(err, o->baseline);
    tr_buf_free(&text);
    return st;
}
