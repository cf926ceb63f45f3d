/* SPDX-License-Identifier: MIT */
/* The texts in which users write ranges of steps, ranks and times, and the text of a selection. */
#include "base/tr_num.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_PART 64u

typedef enum tr_status parse_bound(const char *text, int64_t *value, struct tr_error *err);

static enum tr_status bound_number(const char *text, int64_t *value, struct tr_error *err)
{
    return tr_num_i64(text, 0, INT64_MAX - 1, value, err);
}

static enum tr_status bound_time(const char *text, int64_t *value, struct tr_error *err)
{
    char with_unit[MAX_PART + 3];
    size_t len = strlen(text);
    bool bare = len && text[len - 1] >= '0' && text[len - 1] <= '9';
    snprintf(with_unit, sizeof with_unit, "%s%s", text, bare ? "us" : "");
    if (tr_num_time(with_unit, INT64_MIN + 1, INT64_MAX - 1, value, NULL) == TR_OK)
        return TR_OK;
    return tr_fail(err, TR_USAGE, "'%.80s' is not a time, such as 1000, 2500.5 or 3ms", text);
}

/* Copy a part of a text to a string; false: it is too long for a number. */
static bool copy_part(char part[MAX_PART], const char *from, size_t len)
{
    if (len >= MAX_PART)
        return false;
    memcpy(part, from, len);
    part[len] = '\0';
    return true;
}

/* FROM SEP TO of the first len bytes; a side left out keeps what *r holds.  sep points at SEP. */
static enum tr_status parse_sides(const char *text, size_t len, const char *sep, size_t sep_len,
                                  parse_bound *bound, struct tr_range *r, struct tr_error *err)
{
    char part[MAX_PART];
    size_t left = (size_t)(sep - text), right = len - left - sep_len;
    struct tr_range got = *r;
    enum tr_status st = TR_OK;
    if (left + right == 0 || left >= MAX_PART || right >= MAX_PART)
        return tr_fail(err, TR_USAGE, "'%.*s' is not a range", (int)(len < 80 ? len : 80), text);
    if (left && copy_part(part, text, left))
        st = bound(part, &got.from, err);
    if (st == TR_OK && right && copy_part(part, sep + sep_len, right))
        st = bound(part, &got.to, err);
    if (st != TR_OK)
        return st;
    if (got.from > got.to || (got.from == got.to && bound == bound_time))
        return tr_fail(err, TR_USAGE, "range '%.*s' is empty", (int)len, text);
    *r = got;
    return TR_OK;
}

static const char *find_dots(const char *text, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++)
        if (text[i] == '.' && text[i + 1] == '.')
            return text + i;
    return NULL;
}

enum tr_status tr_select_parse_steps(struct tr_select_opts *o, const char *text,
                                     struct tr_error *err)
{
    struct tr_range r = TR_RANGE_ALL;
    const char *dots = find_dots(text, strlen(text));
    enum tr_status st;
    if (dots) {
        st = parse_sides(text, strlen(text), dots, 2, bound_number, &r, err);
    } else {
        st = bound_number(text, &r.from, NULL);
        if (st != TR_OK)
            st = tr_fail(err, TR_USAGE, "'%.80s' is not a step or a range of steps, such as 15 or 15..17", text);
        r.to = r.from;
    }
    if (st != TR_OK)
        return st;
    o->steps = r;
    o->has_steps = true;
    return TR_OK;
}

static enum tr_status parse_rank(const char *text, size_t len, struct tr_range *r,
                                 struct tr_error *err)
{
    char part[MAX_PART];
    const char *dots = find_dots(text, len), *dash = memchr(text, '-', len);
    *r = (struct tr_range){ 0, INT64_MAX };
    if (dots)
        return parse_sides(text, len, dots, 2, bound_number, r, err);
    if (dash && dash > text && dash < text + len - 1)
        return parse_sides(text, len, dash, 1, bound_number, r, err);
    if (dash || !copy_part(part, text, len))
        return tr_fail(err, TR_USAGE, "'%.80s' is not a list of ranks", text);
    enum tr_status st = bound_number(part, &r->from, err);
    r->to = r->from;
    return st;
}

enum tr_status tr_select_parse_ranks(struct tr_select_opts *o, const char *text,
                                     struct tr_error *err)
{
    struct tr_range ranks[TR_SELECT_MAX_RANKS];
    size_t n = 0;
    for (const char *p = text;;) {
        size_t len = strcspn(p, ",");
        if (n == TR_SELECT_MAX_RANKS)
            return tr_fail(err, TR_USAGE,
                           "more than %u ranks or ranges of ranks; join them as A..B",
                           TR_SELECT_MAX_RANKS);
        enum tr_status st = parse_rank(p, len, &ranks[n], err);
        if (st != TR_OK)
            return st;
        n++;
        if (!p[len])
            break;
        p += len + 1;
    }
    memcpy(o->ranks, ranks, n * sizeof *ranks);
    o->n_ranks = n;
    return TR_OK;
}

/* relative: both sides have a plus sign, or the only one has.  On an error, nothing is set. */
static enum tr_status parse_times(const char *text, struct tr_range *out, bool *relative, struct tr_error *err)
{
    struct tr_range r = TR_RANGE_ALL;
    const char *dots = find_dots(text, strlen(text));
    if (!dots)
        return tr_fail(err, TR_USAGE, "'%.80s' is not a range of times, such as 1000..2500.5",
                       text);
    bool from = *text == '+', to = dots[2] == '+';
    if (dots > text && dots[2] && from != to)
        return tr_fail(err, TR_USAGE, "'%.80s': both sides need a plus sign, or none, as in +0ms..+10ms", text);
    enum tr_status st = parse_sides(text, strlen(text), dots, 2, bound_time, &r, err);
    if (st == TR_OK) {
        *out = r;
        *relative = from || to;
    }
    return st;
}

enum tr_status tr_select_parse_time(struct tr_select_opts *o, const char *text, struct tr_error *err)
{
    enum tr_status st = parse_times(text, &o->time, &o->time_relative, err);
    o->has_time |= st == TR_OK;
    return st;
}

enum tr_status tr_select_parse_host_time(struct tr_select_opts *o, const char *text, struct tr_error *err)
{
    enum tr_status st = parse_times(text, &o->host_time, &o->host_time_relative, err);
    o->has_host_time |= st == TR_OK;
    return st;
}

static bool add_range(struct tr_buf *text, const char *name, struct tr_range r, bool relative)
{
    char line[100];
    snprintf(line, sizeof line, "%s=%" PRId64 "..%" PRId64 "%s ", name, r.from, r.to, relative ? "+" : "");
    return tr_buf_add_str(text, line);
}

bool tr_select_text(const struct tr_select_opts *o, const char *const *where, size_t n, struct tr_buf *text)
{
    bool ok = (!o->has_steps || add_range(text, "step", o->steps, false)) &&
              (!o->has_time || add_range(text, "time", o->time, o->time_relative)) &&
              (!o->has_host_time || add_range(text, "host-time", o->host_time, o->host_time_relative)) &&
              (!o->drop_last_step || tr_buf_add_str(text, "drop-last-step "));
    for (size_t i = 0; i < n && ok; i++)
        ok = tr_buf_add_str(text, "where=") && tr_buf_add_str(text, where[i]) && tr_buf_add_str(text, " ");
    return ok;
}
