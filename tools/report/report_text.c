/* SPDX-License-Identifier: MIT */
/* tr-report: commands and sentences on lines that fit. */
#include "report/report.h"

#include "base/tr_escape.h"

/* The end of the word that starts here: quotes of a shell may hold blanks. */
static size_t end_of_word(const char *s, size_t at, size_t len)
{
    for (bool quoted = false; at < len && (quoted || s[at] != ' '); at++) {
        if (s[at] == '\'')
            quoted = !quoted;
        else if (s[at] == '\\' && !quoted && at + 1 < len)
            at++;
    }
    return at;
}

/* A command that can be copied, on lines that fit: "$ a b \", "    c". */
bool report_command_lines(const struct report *r, const char *s, size_t len, struct tr_buf *out)
{
    size_t width = cli_width(r->cli), used = 2, at = 0;
    bool ok = tr_buf_add_str(out, "$ ");
    while (at < len && ok) {
        size_t end = end_of_word(s, at, len), rest = end < len ? 2 : 0;
        if (at && used + 1 + (end - at) + rest > width) {
            ok = tr_buf_add_str(out, " \\\n    ");
            used = 4;
        } else if (at) {
            ok = tr_buf_add_str(out, " ");
            used++;
        }
        ok = ok && tr_escape_text(out, s + at, end - at, SIZE_MAX, NULL);
        used += end - at;
        at = end < len ? end + 1 : end;
    }
    return ok && tr_buf_add_str(out, "\n");
}

/* All lines but the first start with two blanks. */
bool report_sentence(const struct report *r, const char *s, size_t len, struct tr_buf *out)
{
    size_t width = cli_width(r->cli), used = 0, at = 0;
    bool ok = true;
    while (at < len && ok) {
        const char *blank = memchr(s + at, ' ', len - at);
        size_t end, columns;
        while (blank && blank + 1 < s + len && blank[1] == '%') /* stays with its number */
            blank = memchr(blank + 1, ' ', (size_t)(s + len - blank - 1));
        end = blank ? (size_t)(blank - s) : len;
        struct tr_buf word = { 0 };
        ok = tr_escape_text(&word, s + at, end - at, SIZE_MAX, &columns);
        bool wraps = at && used + 1 + columns > width;
        ok = ok && tr_buf_add_str(out, wraps ? "\n  " : at ? " " : "") && tr_buf_add(out, word.data, word.len);
        used = wraps ? 2 + columns : used + (at > 0) + columns;
        at = end < len ? end + 1 : end;
        tr_buf_free(&word);
    }
    return ok && tr_buf_add_str(out, "\n");
}
