/* SPDX-License-Identifier: MIT */
/* Rules for names: which rule takes a name, and the file of a user. */
#include "vendor/tr_names.h"

#include "base/tr_mem.h"
#include "base/tr_rule_text.h"
#include "base/tr_str.h"
#include "stream/tr_event.h"

#include <stdlib.h>
#include <string.h>

bool tr_name_rule_takes(const struct tr_name_rule *rule, const char *name, size_t len)
{
    switch (rule->verb) {
    case TR_NAME_IS:
        return len == rule->len && memcmp(name, rule->text, len) == 0;
    case TR_NAME_STARTS:
        return len >= rule->len && memcmp(name, rule->text, rule->len) == 0;
    default:
        for (size_t i = 0; i + rule->len <= len; i++)
            if (name[i] == rule->text[0] && memcmp(name + i, rule->text, rule->len) == 0)
                return true;
        return false;
    }
}

const struct tr_name_rule *tr_name_list_find(const struct tr_name_list *list, const char *name, size_t len)
{
    for (size_t i = 0; i < list->n; i++)
        if (tr_name_rule_takes(&list->rules[i], name, len))
            return &list->rules[i];
    return NULL;
}

/* ---- a file of the user ---- */

struct rules {
    struct tr_name_rule *v;
    size_t n, cap;
};

struct tr_names {
    struct tr_arena *texts;
    struct rules categories, names;
};

void tr_names_free(struct tr_names *n)
{
    if (!n)
        return;
    tr_arena_free(n->texts);
    free(n->categories.v);
    free(n->names.v);
    free(n);
}

static int find(const struct rules *r, const char *text, size_t len)
{
    const struct tr_name_list list = { r->v, r->n };
    const struct tr_name_rule *rule = tr_name_list_find(&list, text, len);
    return rule ? (int)rule->means : -1;
}

int tr_names_of_category(const struct tr_names *n, const char *category, size_t len)
{
    return find(&n->categories, category, len);
}

int tr_names_of_name(const struct tr_names *n, const char *name, size_t len)
{
    return find(&n->names, name, len);
}

/* The section that lines belong to. */
struct section {
    struct rules *to; /* NULL: none has started */
    struct tr_name_rule rule;
};

static struct tr_str trim(struct tr_str s)
{
    while (s.len && strchr(" \t\r", *s.s))
        s.s++, s.len--;
    while (s.len && strchr(" \t\r", s.s[s.len - 1]))
        s.len--;
    return s;
}

/* Remove a word and the blanks after it from the front, if it is there. */
static bool take_word(struct tr_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len < n || memcmp(s->s, word, n) != 0 || (s->len > n && !strchr(" \t", s->s[n])))
        return false;
    *s = trim((struct tr_str){ s->s + n, s->len - n });
    return true;
}

static bool take_activity(struct tr_str *s, unsigned *activity)
{
    for (*activity = 0; *activity < TR_N_ACTIVITIES; ++*activity)
        if (take_word(s, tr_activity_name(*activity)))
            return true;
    return false;
}

/* Read "ACTIVITY if category|name VERB". */
static enum tr_status read_title(struct tr_names *n, struct tr_str title, struct section *to, struct tr_error *err)
{
    static const char *const verbs[] = { "equals to", "starts with", "contains" };
    const int shown = (int)(title.len < 80 ? title.len : 80);
    struct tr_str left = title;
    unsigned verb = 0;
    if (!take_activity(&left, &to->rule.means))
        return tr_fail(err, TR_USAGE, "'[%.*s]' begins with no activity, as kernel or runtime_api (see tr-expr(7))",
                       shown, title.s);
    bool ok = take_word(&left, "if");
    to->to = ok && take_word(&left, "category") ? &n->categories : ok && take_word(&left, "name") ? &n->names : NULL;
    while (verb < 3 && !take_word(&left, verbs[verb]))
        verb++;
    if (!to->to || verb == 3 || left.len)
        return tr_fail(err, TR_USAGE, "'[%.*s]': after the activity, 'if', then category or name, then equals to, "
                                      "starts with or contains",
                       shown, title.s);
    to->rule.verb = (enum tr_name_verb)verb;
    return TR_OK;
}

static enum tr_status add_rule(struct tr_names *n, struct section *to, struct tr_str text, struct tr_error *err)
{
    struct rules *r = to->to;
    if (!r)
        return tr_fail(err, TR_USAGE, "a name before the first section: [kernel if category equals to]");
    if (text.len >= 2 && text.s[0] == '"' && text.s[text.len - 1] == '"')
        text = (struct tr_str){ text.s + 1, text.len - 2 };
    if (!text.len)
        return tr_fail(err, TR_USAGE, "an empty name");
    to->rule.text = tr_arena_copy(n->texts, text.s, text.len);
    to->rule.len = text.len;
    if (!to->rule.text || !tr_grow(&r->v, &r->cap, r->n + 1, sizeof *r->v))
        return tr_fail_memory(err);
    r->v[r->n++] = to->rule;
    return TR_OK;
}

static enum tr_status read_line(struct tr_names *n, struct tr_str line, struct section *to, struct tr_error *err)
{
    line = trim(line);
    if (!line.len || line.s[0] == '#')
        return TR_OK;
    if (line.s[0] != '[')
        return add_rule(n, to, line, err);
    if (line.s[line.len - 1] != ']')
        return tr_fail(err, TR_USAGE, "'[' begins a section, but no ']' ends the line");
    return read_title(n, trim((struct tr_str){ line.s + 1, line.len - 2 }), to, err);
}

enum tr_status tr_names_read(struct tr_names **names, const char *file, const char *text, size_t len,
                             struct tr_error *err)
{
    struct section to = { 0 };
    unsigned number = 0;
    enum tr_status st = tr_rule_text_check(file, text, len, err);
    if (st == TR_OK && !*names && (!(*names = calloc(1, sizeof **names)) ||
                                   !((*names)->texts = tr_arena_new((size_t)1 << 12))))
        st = tr_fail_memory(err);
    size_t before = st == TR_OK ? (*names)->categories.n + (*names)->names.n : 0;
    for (size_t at = 0; at < len && st == TR_OK; number++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        st = read_line(*names, (struct tr_str){ text + at, n }, &to, err);
        at += n + 1;
    }
    if (st == TR_USAGE)
        tr_error_place(err, "line %u", number);
    if (st == TR_OK && (*names)->categories.n + (*names)->names.n == before)
        st = tr_fail(err, TR_USAGE, "holds no names");
    if (st == TR_USAGE)
        tr_error_input(err, file);
    return st;
}
