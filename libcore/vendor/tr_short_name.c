/* SPDX-License-Identifier: MIT */
/* Short names of kernels and functions. */
#include "vendor/tr_short_name.h"

#include "base/tr_num.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_vocab.h"

#include <stdlib.h>
#include <string.h>

/* The open brackets: their places in the output so far. */
struct brackets {
    size_t *at;
    size_t n, cap;
    size_t n_angle, n_round;
};

static bool open_bracket(struct brackets *b, size_t at, bool round)
{
    if (!tr_grow(&b->at, &b->cap, b->n + 1, sizeof *b->at))
        return false;
    b->at[b->n++] = at * 2 + round;
    *(round ? &b->n_round : &b->n_angle) += 1;
    return true;
}

/* Close the innermost bracket of a kind and all brackets inside it; *at is its place.  False: none is open. */
static bool close_bracket(struct brackets *b, bool round, size_t *at)
{
    if (!(round ? b->n_round : b->n_angle))
        return false;
    for (;;) {
        size_t top = b->at[--b->n];
        *((top & 1) ? &b->n_round : &b->n_angle) -= 1;
        if ((top & 1) == round) {
            *at = top / 2;
            return true;
        }
    }
}

/* Length of the operator at s, after the word "operator": "()", "<<=", "->"; 0: none. */
static size_t operator_signs(const char *s, size_t len)
{
    size_t n = 0;
    if (len >= 2 && memcmp(s, "()", 2) == 0)
        return 2;
    while (n < len && n < 3 && (s[n] == '<' || s[n] == '>' || s[n] == '=' || s[n] == '-'))
        n++;
    return n;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the appended text end with the word "operator"? */
static bool ends_in_operator(const struct tr_buf *text, size_t from)
{
    static const char word[] = "operator";
    size_t len = text->len - from, n = sizeof word - 1;
    const char *s = (const char *)text->data + from;
    return len >= n && memcmp(s + len - n, word, n) == 0 && (len == n || !is_word(s[len - n - 1]));
}

/* How many bytes from s on are neither brackets nor signs of operators. */
static size_t plain_bytes(const char *s, size_t len)
{
    size_t n = 0;
    while (n < len && s[n] != '<' && s[n] != '>' && s[n] != '(' && s[n] != ')' && s[n] != '-' && s[n] != '=')
        n++;
    return n;
}

/* Append the name without brackets and their contents. */
static bool strip(const char *name, size_t len, struct tr_buf *out)
{
    struct brackets b = { 0 };
    size_t from = out->len;
    bool ok = tr_buf_reserve(out, len);
    for (size_t i = 0; i < len && ok; i++) {
        size_t plain = plain_bytes(name + i, len - i);
        if (plain) {
            ok = tr_buf_add(out, name + i, plain);
            i += plain - 1;
            continue;
        }
        bool round = name[i] == '(' || name[i] == ')';
        size_t signs = ends_in_operator(out, from) ? operator_signs(name + i, len - i) : 0;
        if (signs) {
            ok = tr_buf_add(out, name + i, signs);
            i += signs - 1;
        } else if (name[i] == '<' || name[i] == '(') {
            ok = open_bracket(&b, out->len, round) && tr_buf_add(out, name + i, 1);
        } else if (name[i] == '-' && i + 1 < len && name[i + 1] == '>') {
            i++;
        } else if ((name[i] != '>' && name[i] != ')') || !close_bracket(&b, round, &out->len)) {
            ok = tr_buf_add(out, name + i, 1);
        }
    }
    free(b.at);
    return ok;
}

/* Keep only the last word of the text appended from a place on. */
static void last_word(struct tr_buf *out, size_t from)
{
    static const char ending[] = " const";
    size_t n = sizeof ending - 1;
    char *s = (char *)out->data;
    if (out->len - from > n && memcmp(s + out->len - n, ending, n) == 0)
        out->len -= n;
    size_t start = out->len;
    while (start > from && s[start - 1] != ' ')
        start--;
    memmove(s + from, s + start, out->len - start);
    out->len = from + (out->len - start);
}

bool tr_short_name(const char *name, size_t len, struct tr_buf *out)
{
    size_t from = out->len;
    const struct tr_str bare_name = tr_intel_bare_name((struct tr_str){ name, len });
    name = bare_name.s;
    len = bare_name.len;
    int64_t step;
    enum tr_vocab_name of = tr_vocab_name(name, len, &step);
    bool bare = !memchr(name, '<', len) && !memchr(name, '(', len);
    if (bare || of == TR_NAME_DEVICE_COPY || of == TR_NAME_DEVICE_MEMSET || of == TR_NAME_INTEL_COPY ||
        of == TR_NAME_INTEL_MEMSET)
        return tr_buf_add(out, name, len);
    if (!strip(name, len, out))
        return false;
    last_word(out, from);
    return out->len > from || tr_buf_add(out, name, len);
}

/* Append the plain text in a mangled name: "_ZN4vllm3sumIfEEvPT_" is "::vllm::sum".  False: out of memory. */
static bool add_mangled(const char *name, size_t len, struct tr_buf *out)
{
    uint64_t n;
    size_t i = 2, digits;
    bool ok = true;
    while (i < len && (name[i] == 'N' || name[i] == 'K' || name[i] == 'L')) /* nested, const, of one file only */
        i++;
    for (; ok && (digits = tr_num_digits(name + i, len - i, INT64_MAX, &n, NULL)) > 0; i += (size_t)n) {
        i += digits;
        if (!n || n > len - i)
            break;
        ok = tr_buf_add(out, "::", 2) && tr_buf_add(out, name + i, (size_t)n);
    }
    return ok;
}

bool tr_function_name(const char *name, size_t len, struct tr_buf *out)
{
    size_t from = out->len;
    if (len > 2 && name[0] == '_' && name[1] == 'Z') {
        if (!add_mangled(name, len, out))
            return false;
        if (out->len > from)
            return true;
    }
    return tr_buf_add(out, "::", 2) && tr_short_name(name, len, out);
}
