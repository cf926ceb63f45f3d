/* SPDX-License-Identifier: MIT */
/* Text to tokens. */
#include "lang/tr_lang_int.h"

#include "base/tr_num.h"

#include <string.h>

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const struct tr__parser *p, char c)
{
    return is_alpha(c) || tr_num_is_digit(c) || c == '-' || (p->names->plain && c == '.');
}

static void skip_blanks(struct tr__parser *p)
{
    for (;;) {
        while (p->text[p->pos] && strchr(" \t\r\n", p->text[p->pos]))
            p->pos++;
        if (p->text[p->pos] != '#')
            return;
        p->pos += strcspn(p->text + p->pos, "\n");
    }
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    if (c >= 'A' && c <= 'F')
        c = (char)(c - 'A' + 'a');
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Read one escape; s is after the backslash.  Returns the bytes used; 0: not an escape, the backslash is plain text. */
static size_t escape(const char *s, char quote, bool plain, char *out)
{
    if (plain) {
        *out = *s;
        return *s == quote || *s == '\\';
    }
    static const char from[] = "\\\"'nrt", to[] = "\\\"'\n\r\t";
    const char *at = *s ? strchr(from, *s) : NULL;
    if (at) {
        *out = to[at - from];
        return 1;
    }
    if (*s == 'x' && hex_digit(s[1]) >= 0 && hex_digit(s[2]) >= 0) {
        *out = (char)(hex_digit(s[1]) * 16 + hex_digit(s[2]));
        return 3;
    }
    return 0;
}

static bool lex_string(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    const char quote = *s++, shielded[] = { quote, '\\', '\0' };
    const bool plain = p->names->plain;
    size_t len = 0;
    while (s[len] && s[len] != quote)
        len += s[len] == '\\' && s[len + 1] && (!plain || strchr(shielded, s[len + 1])) ? 2 : 1;
    if (!s[len])
        return tr__lang_fail_at(p, p->pos, "the quote that opens here is not closed");
    char *out = tr_arena_alloc(p->l->arena, len + 1);
    if (!out)
        return tr__lang_fail_mem(p);
    size_t n = 0;
    for (size_t i = 0; i < len;) {
        size_t used = s[i] == '\\' ? escape(s + i + 1, quote, plain, out + n) : 0;
        if (!used)
            out[n] = s[i];
        n++;
        i += 1 + used;
    }
    out[n] = '\0';
    t->text = out;
    t->text_len = n;
    p->pos += len + 2;
    return true;
}

static bool take_text(struct tr__parser *p, struct tr__token *t, size_t len)
{
    t->text = tr_arena_copy(p->l->arena, p->text + p->pos, len + 1); /* one more for the end */
    if (!t->text)
        return tr__lang_fail_mem(p);
    ((char *)t->text)[len] = '\0';
    t->text_len = len;
    p->pos += len;
    return true;
}

/* A word, or args.KEY with the key plain or quoted. */
static bool lex_word(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    size_t len = 0;
    while (is_word(p, s[len]))
        len++;
    t->type = TR__T_WORD;
    if (p->names->args == TR_LANG_NO_ARGS || len != 4 || memcmp(s, "args", 4) != 0 || s[4] != '.')
        return take_text(p, t, len);
    t->type = TR__T_ARGS;
    p->pos += 5;
    if (s[5] == '"' || s[5] == '\'')
        return lex_string(p, t);
    for (len = 0; is_word(p, s[5 + len]) || (s[5 + len] == '.' && is_word(p, s[6 + len]));)
        len++;
    if (!len)
        return tr__lang_fail_at(p, p->pos, "the name of an argument is missing after 'args.'");
    return take_text(p, t, len);
}

static bool lex_unit(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    size_t len = 0;
    while (is_alpha(s[len]) || tr_num_is_digit(s[len]))
        len++;
    if (!len && *s == '%') {
        t->unit = TR__U_PCT;
        p->pos++;
    }
    if (!len)
        return true;
    uint64_t factor = tr_num_time_unit(s, len);
    t->unit = factor ? TR__U_TIME : TR__U_SIZE;
    if (!factor)
        factor = tr_num_size_unit(s, len);
    if (!factor)
        return tr__lang_fail_at(
            p, p->pos,
            "'%.*s' is not a unit: times have ns, us, ms, s, min, h, sizes B, kB, MB, "
            "GB, TB, KiB, MiB, GiB, TiB",
            len > 40 ? 40 : (int)len, s);
    if (!tr__num_times(&t->num, factor))
        return tr__lang_fail_at(p, t->at, "this number has too many digits");
    p->pos += len;
    return true;
}

static bool lex_number(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    size_t plus = strspn(s, "+"), len = plus + tr_num_scan(s + plus, SIZE_MAX);
    t->type = TR__T_NUMBER;
    if (!tr__num_parse(s + plus, len - plus, &t->num))
        return tr__lang_fail_at(p, p->pos, "this number has too many digits");
    p->pos += len;
    return lex_unit(p, t);
}

static const struct {
    const char *text;
    enum tr__tok type;
} signs[] = {
    /* longer ones first */
    { "==", TR__T_EQ },    { "!=", TR__T_NE },       { "<=", TR__T_LE },   { ">=", TR__T_GE },
    { "=~", TR__T_MATCH }, { "!~", TR__T_NO_MATCH }, { "&&", TR__T_AND },  { "||", TR__T_OR },
    { "..", TR__T_RANGE }, { "<", TR__T_LT },        { ">", TR__T_GT },    { "!", TR__T_NOT },
    { "(", TR__T_OPEN },   { ")", TR__T_CLOSE },     { ",", TR__T_COMMA },
};

/* An i between the operator and a quoted text belongs to the operator; another one is a text. */
static void lex_any_case(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    const char *text = s + 1 + (*s == 'i' ? strspn(s + 1, " \t\r\n") : 0);
    t->any_case = (t->type == TR__T_MATCH || t->type == TR__T_NO_MATCH) && *s == 'i' && (*text == '"' || *text == '\'');
    p->pos += t->any_case;
}

static bool lex_sign(struct tr__parser *p, struct tr__token *t)
{
    const char *s = p->text + p->pos;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t len = strlen(signs[i].text);
        if (strncmp(s, signs[i].text, len) == 0) {
            t->type = signs[i].type;
            p->pos += len;
            lex_any_case(p, t);
            return true;
        }
    }
    switch (*s) {
    case '=':
        return tr__lang_fail_at(p, p->pos, "'=' is not an operator: '==' compares");
    case '&':
        return tr__lang_fail_at(p, p->pos, "'&' is not an operator: 'and' is '&&'");
    case '|':
        return tr__lang_fail_at(p, p->pos, "'|' is not an operator: 'or' is '||'");
    case '~':
        return tr__lang_fail_at(p, p->pos, "'~' is not an operator: '=~' matches a regular expression");
    default:
        if ((unsigned char)*s >= 0x20 && (unsigned char)*s < 0x7f)
            return tr__lang_fail_at(p, p->pos, "'%c' has no meaning here", *s);
        return tr__lang_fail_at(p, p->pos, "byte 0x%02x has no meaning here", (unsigned char)*s);
    }
}

bool tr__lang_lex(struct tr__parser *p)
{
    struct tr__token *t = &p->tok;
    size_t prev_end = t->at + t->len;
    memset(t, 0, sizeof *t);
    skip_blanks(p);
    t->at = p->pos;
    char c = p->text[p->pos];
    bool ok;
    if (!c) {
        t->type = TR__T_END;
        t->at = prev_end; /* the place of what is missing, before blanks and comments */
        return true;
    } else if (c == '"' || c == '\'') {
        t->type = TR__T_STRING;
        ok = lex_string(p, t);
    } else if (is_alpha(c) || (p->any_word && is_word(p, c))) {
        ok = lex_word(p, t);
    } else if (tr_num_scan(p->text + p->pos + strspn(p->text + p->pos, "+"), SIZE_MAX)) {
        ok = lex_number(p, t);
    } else {
        ok = lex_sign(p, t);
    }
    t->len = p->pos - t->at;
    return ok;
}
