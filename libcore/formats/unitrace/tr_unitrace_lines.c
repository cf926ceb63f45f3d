/* SPDX-License-Identifier: MIT */
/* A text as lines, and the parts of a line. */
#include "formats/unitrace/tr_unitrace_int.h"

#include "base/tr_num.h"

#define MAX_LINE ((size_t)256 << 10)
#define WINDOW   (2 * MAX_LINE)

/* The rest of a line that is too long.  False: its end is not in the window. */
static bool pass_long(struct tr__lines *l)
{
    const char *end = memchr(l->w.p + l->w.at, '\n', l->w.n - l->w.at);
    l->w.at = end ? (size_t)(end - l->w.p) + 1 : l->w.n;
    l->in_long = !end;
    return end != NULL;
}

/* Lines may end as on Windows. */
static struct tr_str without_return(struct tr_str line)
{
    line.len -= line.len && line.s[line.len - 1] == '\r';
    return line;
}

enum tr_status tr__lines_read(struct tr__lines *l, struct tr_ingest *g, tr__line_fn *use, void *ctx,
                              struct tr_error *err)
{
    enum tr_status st = tr__window_fill(&l->w, g, WINDOW, err);
    while (st == TR_OK && l->w.at < l->w.n) {
        if (l->in_long && !pass_long(l))
            break;
        size_t left = l->w.n - l->w.at, max = left < MAX_LINE ? left : MAX_LINE;
        const char *p = l->w.p + l->w.at, *end = max ? memchr(p, '\n', max) : NULL;
        struct tr__line line = { { p, end ? (size_t)(end - p) : left }, tr__window_offset(&l->w), end != NULL };
        if (!end && left >= MAX_LINE) {
            tr_ingest_damaged(g, TR_DAMAGE_TOO_LONG, line.offset);
            l->in_long = true;
            continue;
        }
        if (!end && (!l->w.last || !left))
            break;
        l->w.at += line.text.len + line.ended;
        line.text = without_return(line.text);
        st = use(ctx, &line, err);
    }
    return st == TR_OK && l->w.last && l->w.at == l->w.n ? TR_END : st;
}

void tr__lines_free(struct tr__lines *l)
{
    tr__window_free(&l->w);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip(struct tr_str *s, size_t n)
{
    s->s += n;
    s->len -= n;
}

void tr__skip_blanks(struct tr_str *s)
{
    while (s->len && is_blank(*s->s))
        skip(s, 1);
}

bool tr__skip_text(struct tr_str *s, const char *text)
{
    size_t n = strlen(text);
    if (s->len < n || memcmp(s->s, text, n) != 0)
        return false;
    skip(s, n);
    return true;
}

bool tr__take_int(struct tr_str *s, int64_t *v)
{
    uint64_t value;
    bool over = false;
    size_t n = tr_num_digits(s->s, s->len, INT64_MAX, &value, &over);
    if (n == 0 || over)
        return false;
    *v = (int64_t)value;
    skip(s, n);
    return true;
}

struct tr_str tr__take_word(struct tr_str *s)
{
    struct tr_str word = { s->s, 0 };
    while (word.len < s->len && !is_blank(s->s[word.len]))
        word.len++;
    skip(s, word.len);
    return word;
}

struct tr_str tr__trim(struct tr_str s)
{
    tr__skip_blanks(&s);
    while (s.len && is_blank(s.s[s.len - 1]))
        s.len--;
    return s;
}

bool tr__any_line(const unsigned char *p, size_t n, bool (*fits)(struct tr_str line))
{
    const char *at = (const char *)p, *end = at + n;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            return false;
        if (fits(without_return((struct tr_str){ at, (size_t)(stop - at) })))
            return true;
        at = stop + 1;
    }
    return false;
}
