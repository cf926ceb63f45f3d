/* SPDX-License-Identifier: MIT */
/*
 * The text form of rules: tr-rules(5).
 */
#include "model/tr_rules.h"

#include "base/tr_rule_text.h"

#include <string.h>

/* A piece of the text. */
struct piece {
    const char *s;
    size_t n;
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct piece trim(struct piece p)
{
    while (p.n && blank(p.s[0]))
        p.s++, p.n--;
    while (p.n && blank(p.s[p.n - 1]))
        p.n--;
    return p;
}

static struct piece cut(struct piece p, size_t from, size_t to)
{
    return trim((struct piece){ p.s + from, to - from });
}

/* Is it this word, apart from blanks? */
static bool is(struct piece p, const char *word)
{
    size_t i = 0;
    for (; i < p.n; i++) {
        if (blank(p.s[i]))
            continue;
        if (p.s[i] != *word)
            return false;
        word++;
    }
    return !*word;
}

/* Remove this word from the front, if it is there. */
static bool take_word(struct piece *p, const char *word)
{
    size_t n = strlen(word);
    if (p->n <= n || memcmp(p->s, word, n) != 0 || !blank(p->s[n]))
        return false;
    *p = cut(*p, n, p->n);
    return true;
}

/* "[device|operator] equals to" and so on; without verb or with an unknown one: false. */
static bool condition_of(struct piece p, struct tr_rule *rule)
{
    static const struct {
        const char *word;
        enum tr_rule_condition condition;
    } words[] = {
        { "equalsto", TR_RULE_EQUALS },   { "equals", TR_RULE_EQUALS },
        { "startswith", TR_RULE_STARTS }, { "endswith", TR_RULE_ENDS },
        { "contains", TR_RULE_CONTAINS }, { "matches", TR_RULE_MATCHES },
        { "functioncontains", TR_RULE_FUNCTION },
        { "functionhasword", TR_RULE_WORD },
    };
    rule->target = TR_RULE_DEVICE;
    if (take_word(&p, "operator"))
        rule->target = TR_RULE_OPERATOR;
    else
        take_word(&p, "device");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(p, words[i].word)) {
            rule->condition = words[i].condition;
            return true;
        }
    return false;
}

/* The start of the last " if ", or p.n. */
static size_t find_if(struct piece p)
{
    for (size_t i = p.n; i-- > 0;)
        if (i + 3 < p.n && p.s[i + 1] == 'i' && p.s[i + 2] == 'f' && blank(p.s[i]) &&
            blank(p.s[i + 3]))
            return i;
    return p.n;
}

/* Remove the kind in brackets from the end.  TR_USAGE: there is no such kind. */
static enum tr_status take_kind(struct piece *p, enum tr_kind *kind, struct tr_error *err)
{
    char word[16];
    *kind = TR_KIND_NONE;
    if (!p->n || p->s[p->n - 1] != ')')
        return TR_OK;
    size_t open = p->n;
    while (open > 0 && p->s[open - 1] != '(')
        open--;
    if (!open)
        return tr_fail(err, TR_USAGE, "')' without '('");
    struct piece inside = cut(*p, open, p->n - 1);
    int found = -1;
    if (inside.n < sizeof word) {
        memcpy(word, inside.s, inside.n);
        word[inside.n] = '\0';
        found = tr_kind_by_name(word);
    }
    if (found <= TR_KIND_NONE)
        return tr_fail(err, TR_USAGE, "kind '%.*s': there are compute, comm, memory, other",
                       (int)(inside.n < 80 ? inside.n : 80), inside.s);
    *kind = (enum tr_kind)found;
    *p = cut(*p, 0, open - 1);
    return TR_OK;
}

#define CLASS_MAX 255u

/* Read "[CLASS[.REMARK] [(KIND)] if [device|operator] VERB]" without its brackets. */
static enum tr_status read_title(struct piece title, struct tr_rule *rule, char *label,
                                 struct tr_error *err)
{
    int shown = (int)(title.n < 80 ? title.n : 80);
    size_t at = find_if(title);
    if (at == title.n)
        return tr_fail(err, TR_USAGE, "'[%.*s]' has no ' if ': [CLASS if starts with]", shown,
                       title.s);
    if (!condition_of(cut(title, at + 4, title.n), rule))
        return tr_fail(
            err, TR_USAGE,
            "'[%.*s]': after 'if', perhaps 'operator', then equals to, starts with, ends with, "
            "contains, matches, function contains or function has word",
            shown, title.s);
    struct piece name = cut(title, 0, at);
    enum tr_status st = take_kind(&name, &rule->kind, err);
    if (st != TR_OK)
        return st;
    const char *dot = name.n ? memchr(name.s, '.', name.n) : NULL;
    if (dot)
        name = cut(name, 0, (size_t)(dot - name.s));
    if (!name.n || name.n > CLASS_MAX)
        return tr_fail(err, TR_USAGE, "'[%.*s]': a class has 1 to %u bytes", shown, title.s,
                       CLASS_MAX);
    memcpy(label, name.s, name.n);
    label[name.n] = '\0';
    rule->label = strcmp(label, "-") == 0 ? NULL : label;
    return TR_OK;
}

struct ini_state {
    struct tr_rules *rules;
    struct tr_rule rule; /* from the section */
    char label[CLASS_MAX + 1];
    bool inside, ignored; /* inside: a section has started; ignored: it is skipped */
};

static enum tr_status read_line(struct ini_state *s, struct piece line, uint32_t number,
                                struct tr_error *err)
{
    line = trim(line);
    if (!line.n || line.s[0] == '#')
        return TR_OK;
    if (line.s[0] == '[') {
        if (line.s[line.n - 1] != ']')
            return tr_fail(err, TR_USAGE, "'[' begins a section, but no ']' ends the line");
        struct piece title = cut(line, 1, line.n - 1);
        s->inside = true;
        s->ignored = is(title, "DEFAULT");
        return s->ignored ? TR_OK : read_title(title, &s->rule, s->label, err);
    }
    if (!s->inside)
        return tr_fail(err, TR_USAGE, "a text before the first section: [CLASS if starts with]");
    if (s->ignored)
        return TR_OK;
    s->rule.text = line.s;
    s->rule.line = number;
    return tr_rules_add(s->rules, &s->rule, line.n, err);
}

enum tr_status tr_rules_ini(struct tr_rules *r, const char *name, const char *text, size_t len,
                            const struct tr_rules_opts *opts, struct tr_error *err)
{
    struct ini_state s = { .rules = r };
    uint32_t number = 0;
    enum tr_status st = tr_rule_text_check(name, text, len, err);
    if (st != TR_OK)
        return st;
    st = tr_rules_start(r, name, opts, err);
    if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* byte order mark */
        text += 3, len -= 3;
    for (size_t at = 0; at < len && st == TR_OK; number++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        st = read_line(&s, (struct piece){ text + at, n }, number + 1, err);
        at += n + 1;
    }
    if (st == TR_USAGE)
        tr_error_place(err, "line %u", number);
    if (st == TR_OK)
        st = tr_rules_end(r, err);
    if (st == TR_USAGE)
        tr_error_input(err, name);
    return st;
}

enum tr_status tr_rules_add_builtin(struct tr_rules *r, const struct tr_rules_builtin *b, enum tr_rule_order order,
                                    struct tr_error *err)
{
    const struct tr_rules_opts opts = { .order = order };
    size_t lines = 0; /* not fewer than its rules */
    for (const char *at = b->text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return tr_rules_trust(r, lines) ? tr_rules_ini(r, b->name, b->text, strlen(b->text), &opts, err)
                                    : tr_fail_memory(err);
}
