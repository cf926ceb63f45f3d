/* SPDX-License-Identifier: MIT */
/* Widths of text, and names cut to a width. */
#include "chart/tr_chart_text_int.h"

#include "base/tr_escape.h"
#include "base/tr_width.h"

#include <string.h>

static const char dots[] = "\xe2\x80\xa6";

#define LONGEST 4096u /* bytes of a name that a picture can show */

/* Widths of U+0020 to U+007E, in thousandths of the size. */
static const uint16_t regular[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838,
};
static const uint16_t bold_face[] = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838,
};

/* The code point of a valid character of n bytes. */
static uint32_t code_of(const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    uint32_t c = n == 1 ? u[0] : u[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (u[i] & 0x3fu);
    return c;
}

/* The width of the character at s in thousandths, and its bytes. */
static unsigned char_width(const char *s, size_t len, bool bold, size_t *n)
{
    size_t bad;
    *n = tr_utf8_char(s, len, &bad);
    if (*n == 0) {
        *n = bad;
        return 1113; /* U+FFFD */
    }
    uint32_t c = code_of(s, *n);
    if (c >= 0x20 && c < 0x7f)
        return bold ? bold_face[c - 0x20] : regular[c - 0x20];
    if (c == 0xb7)
        return bold ? 380 : 318;
    if (c == 0xb5)
        return bold ? 736 : 636;
    unsigned columns = tr_width_of(c);
    return columns == 0 ? 0 : columns == 2 ? 1100 : c < 0x600 ? (bold ? 938 : 838) : 1000;
}

double tr__text_px(const char *s, size_t len, double px, bool bold)
{
    uint64_t sum = 0;
    for (size_t i = 0, n; i < len; i += n)
        sum += char_width(s + i, len - i, bold, &n);
    return (double)sum * px / 1000;
}

bool tr__text_plain(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    bool cut = len > LONGEST;
    if (cut) {
        len = LONGEST;
        while (len > LONGEST - 4 && ((unsigned char)s[len] & 0xc0) == 0x80)
            len--; /* no part of a character */
    }
    for (size_t i = 0, n; ok && i < len; i += n)
        ok = tr_escape_plain(s + i, len - i, &n) ? tr_buf_add(out, s + i, n) : tr_escape_bytes(out, s + i, n);
    return ok && (!cut || tr_buf_add_str(out, dots));
}

/* The end of the longest start of a text that has at most this width, and its width. */
static size_t head(const char *s, size_t len, double px, double width, double *used)
{
    size_t at = 0;
    *used = 0;
    for (size_t n; at < len; at += n) {
        double w = *used + char_width(s + at, len - at, false, &n) * px / 1000;
        if (w > width)
            break;
        *used = w;
    }
    return at;
}

/* The start of the longest end of a text that has at most this width. */
static size_t tail(const char *s, size_t len, double px, double width)
{
    size_t at = len;
    double used = 0;
    while (at > 0) {
        size_t before = at - 1, n;
        while (before > 0 && ((unsigned char)s[before] & 0xc0) == 0x80)
            before--;
        used += char_width(s + before, at - before, false, &n) * px / 1000;
        if (used > width)
            break;
        at = before;
    }
    return at;
}

bool tr__text_cut_end(struct tr_buf *out, const char *s, size_t len, double px, double width)
{
    double used;
    if (tr__text_px(s, len, px, false) <= width)
        return tr_buf_add(out, s, len);
    size_t n = head(s, len, px, width - px, &used);
    while (n && s[n - 1] == ' ')
        n--;
    return tr_buf_add(out, s, n) && tr_buf_add_str(out, dots);
}

bool tr__text_cut_middle(struct tr_buf *out, const char *s, size_t len, double px, double width, size_t differ)
{
    double used, room = width - px;
    if (tr__text_px(s, len, px, false) <= width)
        return tr_buf_add(out, s, len);
    size_t end = head(s, len, px, room * 0.65, &used);
    size_t start = tail(s, len, px, room - used);
    if (differ < end || differ >= start || start <= end)
        return tr_buf_add(out, s, end) && tr_buf_add_str(out, dots) && tr_buf_add(out, s + start, len - start);
    /* a third of the room for the start; the rest from a few characters before the difference */
    room -= px;
    end = head(s, len, px, room * 0.35, &used);
    start = differ > end + 8 ? differ - 8 : end;
    while (start > end && ((unsigned char)s[start] & 0xc0) == 0x80)
        start--;
    double more;
    size_t n = head(s + start, len - start, px, room - used, &more);
    return tr_buf_add(out, s, end) && (start == end || tr_buf_add_str(out, dots)) && tr_buf_add(out, s + start, n) &&
           (start + n == len || tr_buf_add_str(out, dots));
}

static bool of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Is the rest of a text, from the bracket at s on, the parameters of a function? */
static bool is_parameters(const char *s, size_t len)
{
    static const char after[] = " const";
    size_t depth = 0, at = 0;
    do {
        depth += s[at] == '(';
        depth -= s[at] == ')';
    } while (++at < len && depth);
    return !depth && (at == len || (len - at == sizeof after - 1 && memcmp(s + at, after, len - at) == 0));
}

bool tr__text_brief(struct tr_buf *out, const char *s, size_t len)
{
    static const char anonymous[] = "(anonymous namespace)::", none[] = "void ";
    size_t start = out->len, at = 0;
    if (len > sizeof none && memcmp(s, none, sizeof none - 1) == 0)
        at = sizeof none - 1;
    for (; at < len; at++) {
        size_t left = len - at;
        if (left >= sizeof anonymous && memcmp(s + at, anonymous, sizeof anonymous - 1) == 0) {
            at += sizeof anonymous - 2;
            while (out->len > start && (of_name((char)out->data[out->len - 1]) || out->data[out->len - 1] == ':'))
                out->len--; /* the namespace that it is in */
            continue;
        }
        if (left > 2 && s[at] == ':' && s[at + 1] == ':' && of_name(s[at + 2])) {
            while (out->len > start && of_name((char)out->data[out->len - 1]))
                out->len--; /* the namespace */
            at++;
            continue;
        }
        bool called = out->len > start && (of_name(s[at - 1]) || s[at - 1] == '>');
        if (s[at] == '(' && called && is_parameters(s + at, left))
            break;
        if (!tr_buf_add(out, s + at, 1))
            return false;
    }
    return true;
}

bool tr__text_words(struct tr_buf *out, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!tr_buf_add(out, s[i] == '_' ? " " : s + i, 1))
            return false;
    return true;
}
