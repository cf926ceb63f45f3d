/* SPDX-License-Identifier: MIT */
/* Words of commands that programs print: a shell reads the same bytes.  tr-options(7) describes it. */
#include "base/tr_escape.h"
#include "cli/cli_main.h"

#include <string.h>

/* No shell gives these a meaning.  At the start of a word, zsh gives one to '='. */
static bool is_bare(const char *word)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=./:,@%";
    return *word && *word != '=' && word[strspn(word, bare)] == '\0';
}

static bool is_plain(const char *word, size_t len)
{
    size_t n;
    while (len && tr_escape_plain(word, len, &n)) {
        word += n;
        len -= n;
    }
    return !len;
}

static bool add_quoted(struct tr_buf *b, const char *word)
{
    bool ok = tr_buf_add_str(b, "'");
    for (; *word && ok; word++)
        ok = *word == '\'' ? tr_buf_add_str(b, "'\\''") : tr_buf_add(b, word, 1);
    return ok && tr_buf_add_str(b, "'");
}

/* Three digits each: a digit may follow. */
static bool add_octal(struct tr_buf *b, const char *s, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        const unsigned char c = (unsigned char)s[i];
        const char octal[] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)) };
        ok = tr_buf_add(b, octal, sizeof octal);
    }
    return ok;
}

/* $'...': a quote inside is in digits, too, so the first one ends the word, as it does in single quotes. */
static bool add_escaped(struct tr_buf *b, const char *word, size_t len)
{
    bool ok = tr_buf_add_str(b, "$'");
    for (size_t n; len && ok; word += n, len -= n) {
        bool plain = tr_escape_plain(word, len, &n) && *word != '\'' && *word != '\\';
        ok = plain ? tr_buf_add(b, word, n) : add_octal(b, word, n);
    }
    return ok && tr_buf_add_str(b, "'");
}

bool cli_add_word(struct tr_buf *b, const char *word)
{
    size_t len = strlen(word);
    if (is_bare(word))
        return tr_buf_add_str(b, word);
    return is_plain(word, len) ? add_quoted(b, word) : add_escaped(b, word, len);
}
