/* SPDX-License-Identifier: MIT */
/* Options: typed values from text. */
#include "table/tr_option.h"

#include "base/tr_near.h"
#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of a word among words; -1, with err filled in: it is not one of them. */
static int find_word(const char *const *words, const char *word, size_t len, struct tr_error *err)
{
    struct tr_near near = { .word = word, .len = len };
    char all[256] = "", hint[TR_NEAR_TEXT];
    for (int i = 0; words[i]; i++) {
        tr_near_try(&near, words[i]);
        if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0)
            return i;
        size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", words[i]);
    }
    tr_fail(err, TR_USAGE, "'%.*s'%s is not one of %s", (int)(len < 80 ? len : 80), word, tr_near_text(&near, hint),
            all);
    return -1;
}

static enum tr_status set_choice(const struct tr_option *o, int *field, const char *value, struct tr_error *err)
{
    size_t len = o->keys ? strcspn(value, ",") : strlen(value);
    int choice = find_word(o->choices, value, len, err);
    if (choice < 0)
        return TR_USAGE;
    *field = choice;
    if (!o->keys)
        return TR_OK;
    struct tr_option_by *by = (struct tr_option_by *)(void *)field; /* field is its first member */
    by->keys = 0;
    for (value += len; *value; value += len) {
        value++;
        len = strcspn(value, ",");
        int key = find_word(o->keys, value, len, err);
        if (key < 0)
            return TR_USAGE;
        by->keys |= 1u << key;
    }
    return TR_OK;
}

static enum tr_status add_to_list(struct tr_option_list *list, const char *value, struct tr_error *err)
{
    if (!tr_grow(&list->items, &list->cap, list->n + 1, sizeof list->items[0]))
        return tr_fail_memory(err);
    list->items[list->n++] = value;
    return TR_OK;
}

static enum tr_status set_flag(bool *field, const char *value, struct tr_error *err)
{
    uint64_t flag = 1;
    enum tr_status st = value ? tr_num_u64(value, 0, 1, &flag, err) : TR_OK;
    if (st == TR_OK)
        *field = flag;
    return st;
}

static bool match(void *self, struct tr_str name)
{
    return tr_regex_has(self, name);
}

static void free_names(struct tr_name_test *names)
{
    if (names->match == match)
        tr_regex_free(names->self);
    *names = (struct tr_name_test){ .match = NULL };
}

static enum tr_status set_names(struct tr_name_test *names, const char *value, struct tr_error *err)
{
    char why[TR_REGEX_WHY];
    struct tr_regex *re;
    enum tr_status st = tr_regex_compile(&re, value, false, why);
    if (st == TR_USAGE)
        return tr_fail(err, st, "'%.80s' is not a regular expression: %s", value, why);
    if (st != TR_OK)
        return tr_fail_memory(err);
    free_names(names);
    *names = (struct tr_name_test){ match, re, value };
    return TR_OK;
}

static enum tr_status set_bits(const struct tr_option *o, unsigned *field, const char *value, struct tr_error *err)
{
    unsigned bits = 0;
    for (size_t len; *value; value += len + (value[len] == ',')) {
        len = strcspn(value, ",");
        int bit = find_word(o->choices, value, len, err);
        if (bit < 0)
            return TR_USAGE;
        bits |= 1u << bit;
    }
    *field = bits;
    return TR_OK;
}

enum tr_status tr_option_set(const struct tr_option *o, void *field, const char *value, struct tr_error *err)
{
    bool has_lo = o->lo != 0 || o->hi != 0, has_hi = o->hi != 0 || o->lo < 0;
    uint64_t ulo = has_lo ? (uint64_t)o->lo : 0, uhi = has_hi ? (uint64_t)o->hi : UINT64_MAX;
    int64_t lo = has_lo ? o->lo : INT64_MIN, hi = has_hi ? o->hi : INT64_MAX;

    if (!value)
        value = o->if_bare;
    switch (o->type) {
    case TR_OPTION_FLAG:
        return set_flag(field, value, err);
    case TR_OPTION_U64:
        return tr_num_u64(value, ulo, uhi, field, err);
    case TR_OPTION_I64:
        return tr_num_i64(value, lo, hi, field, err);
    case TR_OPTION_DOUBLE:
        return tr_num_double(value, has_lo ? (double)lo : -1e300, has_hi ? (double)hi : 1e300, field, err);
    case TR_OPTION_SIZE:
        return tr_num_size(value, ulo, uhi, field, err);
    case TR_OPTION_TIME:
        return tr_num_time(value, lo, hi, field, err);
    case TR_OPTION_TEXT:
    case TR_OPTION_FILE:
    case TR_OPTION_DIR:
        *(const char **)field = value;
        break;
    case TR_OPTION_CHOICE:
        return set_choice(o, field, value, err);
    case TR_OPTION_LIST:
        return add_to_list(field, value, err);
    case TR_OPTION_NAMES:
        return set_names(field, value, err);
    case TR_OPTION_BITS:
        return set_bits(o, field, value, err);
    case TR_OPTION_CALL:
        return o->call(field, value, err);
    }
    return TR_OK;
}

/* In the largest unit that fits. */
static bool add_time(int64_t ns, struct tr_buf *text)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
    char value[40];
    size_t u = 0;
    while (ns % units[u].ns)
        u++;
    snprintf(value, sizeof value, "%" PRId64 "%s", ns / units[u].ns, ns ? units[u].name : "ns");
    return tr_buf_add_str(text, value);
}

static bool add_list(const struct tr_option_list *list, struct tr_buf *text)
{
    bool ok = true;
    for (size_t i = 0; ok && i < list->n; i++)
        ok = (!i || tr_buf_add(text, " ", 1)) && tr_buf_add_str(text, list->items[i]);
    return ok;
}

static bool add_bits(const struct tr_option *o, unsigned bits, struct tr_buf *text)
{
    bool ok = true, first = true;
    for (unsigned k = 0; ok && o->choices[k]; k++) {
        if (!(bits >> k & 1) || !*o->choices[k])
            continue;
        ok = (first || tr_buf_add(text, ",", 1)) && tr_buf_add_str(text, o->choices[k]);
        first = false;
    }
    return ok;
}

bool tr_option_text(const struct tr_option *o, const void *field, struct tr_buf *text)
{
    char value[TR_NUM_TEXT];
    const char *at;
    switch (o->type) {
    case TR_OPTION_FLAG:
        return tr_buf_add(text, *(const bool *)field ? "1" : "0", 1);
    case TR_OPTION_U64:
    case TR_OPTION_SIZE:
        snprintf(value, sizeof value, "%" PRIu64, *(const uint64_t *)field);
        return tr_buf_add_str(text, value);
    case TR_OPTION_I64:
        snprintf(value, sizeof value, "%" PRId64, *(const int64_t *)field);
        return tr_buf_add_str(text, value);
    case TR_OPTION_DOUBLE:
        tr_num_print(*(const double *)field, value);
        return tr_buf_add_str(text, value);
    case TR_OPTION_TIME:
        return add_time(*(const int64_t *)field, text);
    case TR_OPTION_CHOICE:
        return *(const int *)field < 0 || tr_buf_add_str(text, o->choices[*(const int *)field]);
    case TR_OPTION_TEXT:
    case TR_OPTION_FILE:
    case TR_OPTION_DIR:
        return !(at = *(const char *const *)field) || tr_buf_add_str(text, at);
    case TR_OPTION_NAMES:
        return !(at = ((const struct tr_name_test *)field)->text) || tr_buf_add_str(text, at);
    case TR_OPTION_LIST:
        return add_list(field, text);
    case TR_OPTION_BITS:
        return add_bits(o, *(const unsigned *)field, text);
    case TR_OPTION_CALL:
        return !o->say || o->say(field, text);
    }
    return true;
}

enum tr_status tr_option_state(const struct tr_option *list, const void *fields, struct tr_buf *text,
                               struct tr_error *err)
{
    for (const struct tr_option *o = list; o && o->name; o++) {
        const void *field = (const char *)fields + o->offset;
        const struct tr_name_test *names = field;
        size_t before = text->len, named;
        if (o->shown)
            continue;
        if (o->type == TR_OPTION_NAMES && names->match && !names->text)
            return tr_fail(err, TR_USAGE, "--%s without a text has no partial results", o->name);
        bool ok = (!before || tr_buf_add(text, " ", 1)) && tr_buf_add_str(text, o->name) && tr_buf_add(text, "=", 1);
        named = text->len;
        if (!ok || !tr_option_text(o, field, text))
            return tr_fail_memory(err);
        if (text->len == named)
            text->len = before;
    }
    return TR_OK;
}

void tr_option_free(const struct tr_option *list, void *fields)
{
    for (const struct tr_option *o = list; o && o->name; o++) {
        void *field = (char *)fields + o->offset;
        if (o->type == TR_OPTION_NAMES)
            free_names(field);
        if (o->type == TR_OPTION_LIST) {
            struct tr_option_list *items = field;
            free(items->items);
            *items = (struct tr_option_list){ .n = 0 };
        }
    }
}
