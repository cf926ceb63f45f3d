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
    const char *at;
    switch (rule->verb) {
    case TR_NAME_IS:
        return len == rule->len && memcmp(name, rule->text, len) == 0;
    case TR_NAME_STARTS:
        return len >= rule->len && memcmp(name, rule->text, rule->len) == 0;
    default:
        for (; len >= rule->len; len -= (size_t)(++at - name), name = at) {
            at = memchr(name, rule->text[0], len - rule->len + 1);
            if (!at || memcmp(at, rule->text, rule->len) == 0)
                return at != NULL;
        }
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

/* What rules are about: activities, and what is needed after events have been read. */
enum about { BY_CATEGORY, BY_NAME, OF_ROLE, OF_WAIT, OF_CALL, OF_COPY, N_ABOUT };

/* A rule of the second sort as it was written. */
struct kept {
    struct tr_str section, text;
};

struct tr_names {
    struct tr_arena *texts;
    struct rules rules[N_ABOUT];
    struct kept *kept;
    size_t n, n_kept, cap_kept; /* rules in all, and those kept */
};

void tr_names_free(struct tr_names *n)
{
    if (!n)
        return;
    tr_arena_free(n->texts);
    for (int a = 0; a < N_ABOUT; a++)
        free(n->rules[a].v);
    free(n->kept);
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
    return find(&n->rules[BY_CATEGORY], category, len);
}

int tr_names_of_name(const struct tr_names *n, const char *name, size_t len)
{
    return find(&n->rules[BY_NAME], name, len);
}

unsigned tr_names_roles_of(const struct tr_names *n, const char *name, size_t len)
{
    const struct rules *r = &n->rules[OF_ROLE];
    unsigned roles = 0;
    for (size_t i = 0; i < r->n; i++)
        if (tr_name_rule_takes(&r->v[i], name, len))
            roles |= 1u << r->v[i].means;
    return roles;
}

int tr_names_wait_of(const struct tr_names *n, const char *name, size_t len)
{
    return find(&n->rules[OF_WAIT], name, len);
}

int tr_names_call_of(const struct tr_names *n, const char *name, size_t len)
{
    return find(&n->rules[OF_CALL], name, len);
}

int tr_names_copy_of(const struct tr_names *n, const char *name, size_t len)
{
    return find(&n->rules[OF_COPY], name, len);
}

bool tr_names_kept(const struct tr_names *n, size_t i, struct tr_str *section, struct tr_str *text)
{
    if (i >= n->n_kept)
        return false;
    *section = n->kept[i].section;
    *text = n->kept[i].text;
    return true;
}

/* The section that lines belong to. */
struct section {
    enum about about; /* N_ABOUT: none has started */
    struct tr_name_rule rule;
    struct tr_str title; /* kept */
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

/* What names of a kind mean, by the numbers of enum tr_name_role as bits, enum tr_device_wait, enum tr_api_role, enum
 * tr_copy_direction. */
static const char *const roles[] = {
    "launch",      "graph_launch", "locked",   "sync",         "sync_or_query",   "event_record",
    "step",        "autograd",     "autograd_op", "forward",   "backward",        "data_loading",
    "host_collective", "profiler", "profiler_overhead", "recompute", "stream_wait", "optimizer",
    "blocking_copy", NULL,
};
static const char *const waits[] = { "context", "stream", "event", "stream_for_event", NULL };
static const char *const calls[] = { "other", "launch", "memset", "append", "begin_capture", "end_capture", NULL };
static const char *const copies[] = { "memset", "htod", "dtoh", "dtod", "ptop", "htoh",
                                      "htoa",   "atoh", "atoa", "atod", "dtoa", NULL };
static const struct {
    const char *word;
    const char *const *meanings;
} kinds[N_ABOUT] = { [OF_ROLE] = { "role", roles }, [OF_WAIT] = { "wait", waits }, [OF_CALL] = { "call", calls },
                      [OF_COPY] = { "copy", copies } };

/* The start of a title: "role ROLE", "wait WAIT", "call CALL" or "copy COPY".  TR_NO: it is none of these. */
static enum tr_status take_meaning(struct tr_str *left, struct section *to, struct tr_error *err)
{
    to->about = OF_ROLE;
    while (to->about < N_ABOUT && !take_word(left, kinds[to->about].word))
        to->about++;
    if (to->about == N_ABOUT)
        return TR_NO;
    const char *const *words = kinds[to->about].meanings;
    for (to->rule.means = 0; words[to->rule.means]; to->rule.means++)
        if (take_word(left, words[to->rule.means]))
            return TR_OK;
    return tr_fail(err, TR_USAGE, "'%.*s' begins with no %s (see tr-rules(5))", left->len < 80 ? (int)left->len : 80,
                   left->s, kinds[to->about].word);
}

/* Read "ACTIVITY if category|name VERB", "role ROLE if name VERB" and so on. */
static enum tr_status read_title(struct tr_names *n, struct tr_str title, struct section *to, struct tr_error *err)
{
    static const char *const verbs[] = { "equals to", "starts with", "contains" };
    const int shown = (int)(title.len < 80 ? title.len : 80);
    struct tr_str left = title;
    unsigned verb = 0;
    enum tr_status st = take_meaning(&left, to, err);
    if (st == TR_USAGE)
        return st;
    bool activity = st == TR_NO;
    if (activity && !take_activity(&left, &to->rule.means))
        return tr_fail(err, TR_USAGE, "'[%.*s]' begins with no activity, as kernel or runtime_api (see tr-expr(7))",
                       shown, title.s);
    bool ok = take_word(&left, "if");
    if (activity)
        to->about = ok && take_word(&left, "category") ? BY_CATEGORY : BY_NAME;
    ok = ok && (to->about == BY_CATEGORY || take_word(&left, "name"));
    while (verb < 3 && !take_word(&left, verbs[verb]))
        verb++;
    if (!ok || verb == 3 || left.len)
        return tr_fail(err, TR_USAGE, "'[%.*s]': after the %s, 'if', then %sname, then equals to, starts with or "
                                      "contains",
                       shown, title.s, activity ? "activity" : kinds[to->about].word, activity ? "category or " : "");
    to->rule.verb = (enum tr_name_verb)verb;
    to->title = (struct tr_str){ tr_arena_copy(n->texts, title.s, title.len), title.len };
    return to->title.s ? TR_OK : tr_fail_memory(err);
}

static enum tr_status add_rule(struct tr_names *n, const struct section *section, struct tr_str text,
                               struct tr_error *err)
{
    struct tr_name_rule rule = section->rule;
    if (section->about == N_ABOUT)
        return tr_fail(err, TR_USAGE, "a name before the first section: [kernel if category equals to]");
    struct rules *r = &n->rules[section->about];
    if (text.len >= 2 && text.s[0] == '"' && text.s[text.len - 1] == '"')
        text = (struct tr_str){ text.s + 1, text.len - 2 };
    if (!text.len)
        return tr_fail(err, TR_USAGE, "an empty name");
    rule.text = tr_arena_copy(n->texts, text.s, text.len);
    rule.len = text.len;
    if (!rule.text || !tr_grow(&r->v, &r->cap, r->n + 1, sizeof *r->v) ||
        !tr_grow(&n->kept, &n->cap_kept, n->n_kept + 1, sizeof *n->kept))
        return tr_fail_memory(err);
    r->v[r->n++] = rule;
    n->n++;
    if (section->about >= OF_ROLE)
        n->kept[n->n_kept++] = (struct kept){ section->title, { rule.text, rule.len } };
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
    struct section to = { .about = N_ABOUT };
    unsigned number = 0;
    enum tr_status st = tr_rule_text_check(file, text, len, err);
    if (st == TR_OK && !*names && (!(*names = calloc(1, sizeof **names)) ||
                                   !((*names)->texts = tr_arena_new((size_t)1 << 12))))
        st = tr_fail_memory(err);
    size_t before = st == TR_OK ? (*names)->n : 0;
    for (size_t at = 0; at < len && st == TR_OK; number++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        st = read_line(*names, (struct tr_str){ text + at, n }, &to, err);
        at += n + 1;
    }
    if (st == TR_USAGE)
        tr_error_place(err, "line %u", number);
    if (st == TR_OK && (*names)->n == before)
        st = tr_fail(err, TR_USAGE, "holds no names");
    if (st == TR_USAGE)
        tr_error_input(err, file);
    return st;
}
