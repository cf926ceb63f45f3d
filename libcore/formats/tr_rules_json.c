/* SPDX-License-Identifier: MIT */
/* Rules from a schema of unitrace as JSON. */
#include "formats/tr_rules_json.h"

#include "json/tr_json_tok.h"

#include <string.h>

struct schema {
    struct tr_rules *rules;
    struct tr_json_tokens tokens;
    struct tr_buf clean; /* the text of the tokens */
    struct tr_buf path;  /* pieces on the way to a node */
    bool reverse;
};

static const char *text_of(const struct schema *s)
{
    return (const char *)s->clean.data;
}

static bool append(struct schema *s, size_t token, struct tr_buf *to)
{
    const struct tr_json_token *t = &s->tokens.tok[token];
    unsigned defects = 0;
    return tr_json_unescape(text_of(s) + t->start, (size_t)(t->end - t->start), to, &defects);
}

/* The characters of a text from last to first. */
static bool backwards(const struct tr_buf *from, struct tr_buf *to)
{
    size_t end = from->len;
    bool ok = true;
    while (ok && end) {
        size_t at = end - 1;
        while (at > 0 && (from->data[at] & 0xc0) == 0x80)
            at--;
        ok = tr_buf_add(to, from->data + at, end - at);
        end = at;
    }
    return ok;
}

static enum tr_status add_rule(struct schema *s, size_t category, bool whole, struct tr_error *err)
{
    struct tr_buf label = { 0 }, turned = { 0 };
    enum tr_status st = TR_OK;
    if (s->tokens.tok[category].kind != TR_JSON_STRING)
        return tr_fail(err, TR_USAGE, "a category is not a string");
    bool ok = append(s, category, &label) && tr_buf_add(&label, "", 1);
    if (ok && s->reverse)
        ok = tr_buf_reserve(&turned, s->path.len + 1) && backwards(&s->path, &turned);
    if (ok && strlen((const char *)label.data) + 1 != label.len)
        st = tr_fail(err, TR_USAGE, "a category holds a zero byte");
    if (ok && st == TR_OK) {
        const struct tr_buf *text = s->reverse ? &turned : &s->path;
        const struct tr_rule rule = { .target = TR_RULE_DEVICE,
                                      .condition = whole        ? TR_RULE_EQUALS
                                                   : s->reverse ? TR_RULE_ENDS
                                                                : TR_RULE_STARTS,
                                      .text = text->len ? (const char *)text->data : "",
                                      .label = (const char *)label.data };
        st = tr_rules_add(s->rules, &rule, text->len, err);
    }
    tr_buf_free(&label);
    tr_buf_free(&turned);
    return ok ? st : tr_fail_memory(err);
}

/* A node and all nodes below it; whole: it is under the empty piece. */
static enum tr_status walk(struct schema *s, size_t node, bool whole, struct tr_error *err)
{
    const struct tr_json_tokens *t = &s->tokens;
    if (t->tok[node].kind != TR_JSON_OBJECT)
        return tr_fail(err, TR_USAGE, "a node is not an object");
    size_t category = tr_json_member(t, text_of(s), node, "category");
    size_t next = tr_json_member(t, text_of(s), node, "next");
    enum tr_status st = category ? add_rule(s, category, whole, err) : TR_OK;
    if (st != TR_OK || !next)
        return st;
    if (whole || t->tok[next].kind != TR_JSON_OBJECT)
        return tr_fail(err, TR_USAGE,
                       whole ? "a node below the end of a name" : "'next' is not an object");
    size_t end = tr_json_next(t, next), len = s->path.len;
    for (size_t key = next + 1; key < end && st == TR_OK; key = tr_json_next(t, key + 1)) {
        bool ends = t->tok[key].start == t->tok[key].end;
        st = append(s, key, &s->path) ? walk(s, key + 1, ends, err) : tr_fail_memory(err);
        s->path.len = len;
    }
    return st;
}

/* The text as clean JSON, in tokens. */
static enum tr_status tokenize(struct schema *s, const char *text, size_t len, struct tr_error *err)
{
    size_t end = 0;
    unsigned defects = 0;
    while (len && tr_json_space(text[len - 1]))
        len--;
    if (len > TR_JSON_TOKENS_MAX)
        return tr_fail(err, TR_USAGE, "longer than %u bytes", TR_JSON_TOKENS_MAX);
    enum tr_json_result found = tr_json_scan(text, len, true, NULL, &end, &defects);
    if (found == TR_JSON_MORE)
        return tr_fail(err, TR_USAGE, "begins like JSON, but is cut short");
    if (found != TR_JSON_DONE || end != len || defects) {
        if (end < len)
            tr_error_place(err, "byte %zu", end);
        return tr_fail(err, TR_USAGE, "begins like JSON, but is not");
    }
    if (!tr_json_clean(text, len, true, false, &s->clean))
        return tr_fail_memory(err);
    if (tr_json_tokenize(&s->tokens, text_of(s), s->clean.len))
        return TR_OK;
    return s->tokens.no_memory ? tr_fail_memory(err)
                               : tr_fail(err, TR_USAGE, "begins like JSON, but is not");
}

/* ignore_spaces: true unless the schema says false. */
static bool keeps_spaces(const struct schema *s)
{
    size_t i = tr_json_member(&s->tokens, text_of(s), 0, "ignore_spaces");
    return i && text_of(s)[s->tokens.tok[i].start] == 'f';
}

static enum tr_status read_schema(struct schema *s, const char *name, const char *text,
                                  size_t len, struct tr_error *err)
{
    static const char *const trees[] = { "direct", "reverse" };
    enum tr_status st = tokenize(s, text, len, err);
    if (st == TR_OK) {
        const struct tr_rules_opts own = { TR_RULES_LONGEST, keeps_spaces(s) };
        st = tr_rules_start(s->rules, name, &own, err);
    }
    size_t found = 0;
    for (size_t k = 0; k < 2 && st == TR_OK; k++) {
        size_t tree = tr_json_member(&s->tokens, text_of(s), 0, trees[k]);
        s->reverse = k == 1;
        found += tree != 0;
        if (tree)
            st = walk(s, tree, false, err);
        if (st == TR_USAGE)
            tr_error_place(err, "tree '%s'", trees[k]);
    }
    if (st == TR_OK && !found)
        return tr_fail(err, TR_USAGE, "JSON, but no schema: neither 'direct' nor 'reverse'");
    return st == TR_OK ? tr_rules_end(s->rules, err) : st;
}

enum tr_status tr_rules_read(struct tr_rules *r, const char *name, const char *text, size_t len,
                             const struct tr_rules_opts *opts, struct tr_error *err)
{
    struct schema s = { .rules = r };
    size_t at = 0;
    while (at < len && tr_json_space(text[at]))
        at++;
    if (at == len || text[at] != '{')
        return tr_rules_ini(r, name, text, len, opts, err);
    enum tr_status st = read_schema(&s, name, text + at, len - at, err);
    if (st == TR_USAGE)
        tr_error_input(err, name);
    tr_json_tokens_free(&s.tokens);
    tr_buf_free(&s.clean);
    tr_buf_free(&s.path);
    return st;
}
