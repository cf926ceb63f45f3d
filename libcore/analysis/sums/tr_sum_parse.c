/* SPDX-License-Identifier: MIT */
/* The options of sums of groups, as users write them. */
#include "analysis/sums/tr_sum.h"

#include "base/tr_near.h"
#include "base/tr_num.h"
#include "base/tr_regex.h"
#include "model/calls/tr_work_arrows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a text. */
struct word {
    const char *s;
    size_t len;
};

static bool is(struct word w, const char *name)
{
    return strlen(name) == w.len && memcmp(w.s, name, w.len) == 0;
}

/* The next word of a list with commas; commas in quotes and parentheses do not count.  False: no more. */
static bool take(const char **text, struct word *w)
{
    const char *s = *text, *at = s;
    bool quoted = false;
    if (!s)
        return false;
    for (int depth = 0; *at && (quoted || depth || *at != ','); at++) {
        if (quoted && *at == '\\' && at[1])
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += *at == '(' ? 1 : *at == ')' && depth ? -1 : 0;
    }
    *w = (struct word){ s, (size_t)(at - s) };
    *text = *at ? at + 1 : NULL;
    return true;
}

/* The text in the parentheses of "name(...)".  False: the word has another form. */
static bool inside(struct word w, const char *name, struct word *in)
{
    size_t n = strlen(name);
    if (w.len < n + 2 || memcmp(w.s, name, n) != 0 || w.s[n] != '(' || w.s[w.len - 1] != ')')
        return false;
    *in = (struct word){ w.s + n + 1, w.len - n - 2 };
    return true;
}

static bool copy_word(char *to, size_t size, struct word w)
{
    if (w.len >= size)
        return false;
    memcpy(to, w.s, w.len);
    to[w.len] = '\0';
    return true;
}

/* Read "args.KEY" or args."KEY": to gets "args." and the key, without quotes.  False: no key, or too long. */
static bool arg_name(struct word w, char to[TR_SUM_NAME])
{
    static const char start[] = "args.";
    size_t n = sizeof start - 1, at = n, len = n;
    if (w.len <= n || memcmp(w.s, start, n) != 0)
        return false;
    memcpy(to, start, n);
    bool quoted = w.s[at] == '"';
    if (quoted && (w.len < n + 3 || w.s[w.len - 1] != '"'))
        return false;
    size_t end = quoted ? w.len - 1 : w.len;
    for (at += quoted; at < end; at++) {
        if (quoted && w.s[at] == '\\' && at + 1 < end)
            at++;
        else if (quoted && w.s[at] == '"')
            return false;
        if (len + 1 >= TR_SUM_NAME)
            return false;
        to[len++] = w.s[at];
    }
    to[len] = '\0';
    return len > n;
}

static void read_arg(struct tr_sum_options *o, const char *arg)
{
    for (size_t i = 0; i < o->n_args; i++)
        if (strcmp(o->args[i], arg) == 0)
            return;
    o->args[o->n_args++] = arg;
}

/* Fields that differ for every event, or that no group can have in common. */
static bool is_key(enum tr_field_id f)
{
    switch (f) {
    case TR_N_FIELDS:
    case TR_FIELD_ARG:
    case TR_FIELD_ARGS:
    case TR_FIELD_MEMBERS:
    case TR_FIELD_LANE:
    case TR_FIELD_SOURCE:
    case TR_FIELD_RECORD:
    case TR_FIELD_LAUNCH_RECORD:
    case TR_FIELD_TS_PS:
    case TR_FIELD_DUR_PS:
        return false;
    default:
        return true;
    }
}

static enum tr_status refuse_key(struct word w, struct tr_error *err)
{
    struct tr_near near = { .word = w.s, .len = w.len };
    char hint[TR_NEAR_TEXT];
    for (enum tr_field_id f = 0; f < TR_N_FIELDS; f++)
        if (is_key(f) && tr_event_fields[f].name)
            tr_near_try(&near, tr_event_fields[f].name);
    tr_near_try(&near, "capture");
    return tr_fail(err, TR_USAGE,
                   "'%.*s'%s is not a key: fields, args.KEY, capture, bin(TIME), operator, module, annotation, "
                   "stack(N), short(name), replace(name,\"REGEX\",\"TEXT\") are",
                   w.len > 80 ? 80 : (int)w.len, w.s, tr_near_text(&near, hint));
}

static enum tr_status parse_bin(struct tr_sum_key *k, struct word in, struct tr_error *err)
{
    char text[40];
    k->from = TR_SUM_BIN;
    if (!copy_word(text, sizeof text, in))
        return refuse_key(in, err);
    snprintf(k->name, sizeof k->name, "bin");
    return tr_num_time(text, 1, INT64_MAX, &k->bin, err);
}

static enum tr_status parse_stack(struct tr_sum_key *k, struct word in, struct tr_error *err)
{
    char text[40];
    uint64_t n = 0;
    k->from = TR_SUM_FIELD;
    k->field = TR_FIELD_STACK;
    if (!copy_word(text, sizeof text, in))
        return refuse_key(in, err);
    snprintf(k->name, sizeof k->name, "stack");
    enum tr_status st = tr_num_u64(text, 1, 10000, &n, err);
    k->depth = (size_t)n;
    return st;
}

static bool has_names(const struct tr_sum_key *k)
{
    if (k->from != TR_SUM_FIELD)
        return k->from == TR_SUM_ARG;
    return k->field == TR_FIELD_NAME || k->field == TR_FIELD_API || k->field == TR_FIELD_KERNEL ||
           k->field == TR_FIELD_OPERATOR || k->field == TR_FIELD_ANNOTATION;
}

static enum tr_status parse_key(struct tr_sum_key *k, struct word w, struct tr_error *err);

/* A text in quotes, in which a backslash stands before a quote alone: others are those of the expression. */
static bool quoted_text(struct word w, char to[TR_SUM_NAME])
{
    size_t len = 0;
    if (w.len < 2 || w.s[0] != '"' || w.s[w.len - 1] != '"')
        return false;
    for (size_t at = 1; at < w.len - 1; at++) {
        at += w.s[at] == '\\' && w.s[at + 1] == '"';
        if (len + 1 >= TR_SUM_NAME || at == w.len - 1)
            return false;
        to[len++] = w.s[at];
    }
    to[len] = '\0';
    return true;
}

static enum tr_status parse_replace(struct tr_sum_key *k, struct word w, struct word in, struct tr_error *err)
{
    char list[4 * TR_SUM_NAME], why[TR_REGEX_WHY];
    const char *rest = list;
    struct word of, regex, with;
    struct tr_regex *re;
    if (!copy_word(list, sizeof list, in) || !take(&rest, &of) || !take(&rest, &regex) || !take(&rest, &with) || rest ||
        !quoted_text(regex, k->regex) || !quoted_text(with, k->with))
        return tr_fail(err, TR_USAGE, "'%.*s': replace(KEY,\"REGEX\",\"TEXT\") is expected, of at most %u bytes each",
                       w.len > 80 ? 80 : (int)w.len, w.s, TR_SUM_NAME - 1);
    enum tr_status st = tr_regex_compile(&re, k->regex, false, why);
    if (st != TR_OK)
        return st == TR_USAGE ? tr_fail(err, TR_USAGE, "the expression '%.80s' of replace(): %s", k->regex, why)
                              : tr_fail_memory(err);
    tr_regex_free(re);
    st = k->replace ? refuse_key(w, err) : TR_OK;
    k->replace = true;
    return st == TR_OK ? parse_key(k, of, err) : st;
}

static enum tr_status parse_key(struct tr_sum_key *k, struct word w, struct tr_error *err)
{
    struct word in;
    if (inside(w, "bin", &in))
        return parse_bin(k, in, err);
    if (inside(w, "stack", &in))
        return parse_stack(k, in, err);
    if (inside(w, "replace", &in)) {
        enum tr_status st = parse_replace(k, w, in, err);
        return st == TR_OK && !has_names(k) ? refuse_key(w, err) : st;
    }
    if (inside(w, "short", &in)) {
        struct word deeper;
        bool changed = inside(in, "short", &deeper) || inside(in, "replace", &deeper);
        enum tr_status st = changed ? refuse_key(w, err) : parse_key(k, in, err);
        k->shorten = true;
        return st == TR_OK && !has_names(k) ? refuse_key(w, err) : st;
    }
    if (arg_name(w, k->name)) {
        k->from = TR_SUM_ARG;
        k->arg = k->name + strlen("args.");
        return TR_OK;
    }
    if (!w.len || !copy_word(k->name, sizeof k->name, w))
        return refuse_key(w, err);
    if (is(w, "capture")) {
        k->from = TR_SUM_CAPTURE;
        return TR_OK;
    }
    k->from = TR_SUM_FIELD;
    k->field = tr_event_field_find(w.s, w.len, TR_FIELD_TO_FILTER | TR_FIELD_TO_LIST);
    if (!is_key(k->field))
        return refuse_key(w, err);
    k->arg = tr_event_fields[k->field].arg;
    return TR_OK;
}

enum tr_status tr_sum_parse_by(struct tr_sum_options *o, const char *text, struct tr_error *err)
{
    struct word w;
    o->n_keys = 0;
    while (take(&text, &w)) {
        if (o->n_keys == TR_SUM_KEYS)
            return tr_fail(err, TR_USAGE, "more than %u keys", TR_SUM_KEYS);
        struct tr_sum_key *k = &o->keys[o->n_keys];
        memset(k, 0, sizeof *k);
        enum tr_status st = parse_key(k, w, err);
        if (st != TR_OK)
            return st;
        for (size_t i = 0; i < o->n_keys; i++)
            if (strcmp(o->keys[i].name, k->name) == 0)
                return tr_fail(err, TR_USAGE, "the key '%.80s' is there twice", k->name);
        if (k->arg)
            read_arg(o, k->arg);
        if (tr_sum_is_above(k))
            read_arg(o, TR_WORK_ARROWS_KEY);
        o->n_keys++;
    }
    return TR_OK;
}

enum tr_status tr_sum_parse_value(struct tr_sum_options *o, const char *text, struct tr_error *err)
{
    struct word w = { text, strlen(text) };
    char name[TR_SUM_NAME];
    if (is(w, "self")) {
        o->value = TR_SUM_OF_SELF;
        return TR_OK;
    }
    if (is(w, "queue") || is(w, "event")) {
        o->value = is(w, "queue") ? TR_SUM_OF_QUEUE : TR_SUM_OF_EVENT;
        return TR_OK;
    }
    if (arg_name(w, name)) {
        o->value = TR_SUM_OF_ARG;
        snprintf(o->arg, sizeof o->arg, "%s", name + strlen("args."));
        read_arg(o, o->arg);
        return TR_OK;
    }
    o->value = TR_SUM_OF_FIELD;
    o->field = tr_event_field_find(w.s, w.len, TR_FIELD_TO_FILTER | TR_FIELD_TO_LIST);
    if (!is_key(o->field) || o->field == TR_FIELD_DEPTH || !tr_event_field_is_whole(o->field))
        return tr_fail(err, TR_USAGE,
                       "'%.80s' is not a value: dur, self, queue, event, other times and whole numbers, args.KEY are",
                       text);
    if (tr_event_fields[o->field].arg)
        read_arg(o, tr_event_fields[o->field].arg);
    return TR_OK;
}

/* "p99.9" */
static bool parse_quantile(struct tr_sum_stat *s, struct word w)
{
    uint64_t whole, rest = 0;
    size_t n = w.len < 2 || w.s[0] != 'p' ? 0 : tr_num_digits(w.s + 1, w.len - 1, 1000, &whole, NULL), m = 0;
    if (!n)
        return false;
    if (n + 1 < w.len) {
        if (w.s[n + 1] != '.' || (m = tr_num_digits(w.s + n + 2, w.len - n - 2, 1000000, &rest, NULL)) == 0 ||
            m > 3 || n + 2 + m != w.len)
            return false;
        for (size_t k = m; k < 3; k++)
            rest *= 10;
    }
    s->what = TR_SUM_QUANTILE;
    s->num = (uint32_t)(whole * 1000 + rest);
    s->den = 100000;
    return s->num <= s->den;
}

enum tr_status tr_sum_parse_stat(struct tr_sum_options *o, const char *text, struct tr_error *err)
{
    static const struct {
        const char *name, *column;
        enum tr_sum_what what;
    } names[] = {
        { "count", "count", TR_SUM_COUNT }, { "sum", "sum", TR_SUM_SUM },       { "share", "pct", TR_SUM_SHARE },
        { "mean", "mean", TR_SUM_MEAN },    { "std", "std", TR_SUM_STD },       { "min", "min", TR_SUM_MIN },
        { "max", "max", TR_SUM_MAX },       { "first", "first", TR_SUM_FIRST }, { "last", "last", TR_SUM_LAST },
    };
    struct word w;
    char hint[TR_NEAR_TEXT];
    for (o->n_stats = 0; take(&text, &w); o->n_stats++) {
        if (o->n_stats == TR_SUM_STATS)
            return tr_fail(err, TR_USAGE, "more than %u statistics", TR_SUM_STATS);
        struct tr_sum_stat *s = &o->stats[o->n_stats];
        bool found = copy_word(s->name, sizeof s->name, w) && parse_quantile(s, w);
        for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
            if (is(w, names[i].name)) {
                s->what = names[i].what;
                snprintf(s->name, sizeof s->name, "%s", names[i].column);
                found = true;
            }
        struct tr_near near = { .word = w.s, .len = w.len };
        for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
            tr_near_try(&near, names[i].name);
        if (!found)
            return tr_fail(err, TR_USAGE,
                           "'%.*s'%s is not a statistic: count, sum, share, mean, std, min, max, first, last, pNN are",
                           w.len > 80 ? 80 : (int)w.len, w.s, tr_near_text(&near, hint));
        for (size_t i = 0; i < o->n_stats; i++)
            if (strcmp(o->stats[i].name, s->name) == 0)
                return tr_fail(err, TR_USAGE, "the statistic '%s' is there twice", s->name);
    }
    return TR_OK;
}

enum tr_status tr_sum_parse_hist(struct tr_sum_options *o, const char *text, struct tr_error *err)
{
    o->hist = strcmp(text, "log") == 0 ? TR_SUM_HIST_LOG : TR_SUM_HIST_EQUAL;
    return o->hist == TR_SUM_HIST_LOG ? TR_OK : tr_num_u64(text, 1, 1000, &o->bins, err);
}

bool tr_sum_is_time(const struct tr_sum_options *o)
{
    return o->value == TR_SUM_OF_SELF || o->value == TR_SUM_OF_QUEUE ||
           (o->value == TR_SUM_OF_FIELD && tr_event_fields[o->field].type == TR_FIELD_IS_TIME);
}

bool tr_sum_is_above(const struct tr_sum_key *k)
{
    return k->from == TR_SUM_FIELD && tr_event_field_is_owner(k->field);
}

bool tr_sum_asks_above(const struct tr_sum_options *o)
{
    bool above = o->value == TR_SUM_OF_SELF;
    for (size_t k = 0; k < o->n_keys; k++)
        above |= tr_sum_is_above(&o->keys[k]);
    return above;
}
