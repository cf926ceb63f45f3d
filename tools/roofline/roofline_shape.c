/* SPDX-License-Identifier: MIT */
/* Calls of operators in words: from words to arguments, and to events of a trace. */
#include "roofline/roofline_shape.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "json/tr_json_write.h"
#include "vendor/tr_dtypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 64u

struct argument {
    struct tr_str dims; /* of a tensor, or of a list of tensors; no text: it is none */
    struct tr_str type; /* of this tensor; no text: that of all */
    struct tr_str value; /* no text: there is none */
};

struct reading {
    struct argument of[MAX_ARGUMENTS];
    size_t n;
    struct tr_str type; /* of all tensors without one of their own */
    struct tr_error *err;
};

static int shown(struct tr_str s)
{
    return (int)(s.len < 60 ? s.len : 60);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next word: blanks inside of brackets and quotes are part of it.  No text: there is none, or it does not end. */
static struct tr_str next_word(const char **at, bool *ended)
{
    const char *s = *at;
    size_t n = 0, depth = 0;
    bool quoted = false;
    while (is_blank(*s))
        s++;
    for (; s[n] && (depth || quoted || !is_blank(s[n])); n++) {
        quoted ^= s[n] == '"';
        depth += !quoted && s[n] == '[';
        depth -= !quoted && s[n] == ']' && depth;
    }
    *ended = !depth && !quoted;
    *at = s + n;
    return (struct tr_str){ n ? s : NULL, n };
}

/* ---- words ---- */

/* Whole numbers with commas between, in brackets; or such lists.  *nested: it is a list of lists. */
static bool is_shape(struct tr_str s, bool *nested)
{
    size_t depth = 0, digits = 0;
    bool number = false; /* one has just ended, or a list has */
    *nested = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i];
        if (is_digit(c)) {
            if ((digits && !is_digit(s.s[i - 1])) || ++digits > 15 || (number && !is_digit(s.s[i - 1])))
                return false;
            number = true;
            continue;
        }
        digits = 0;
        if (c == '[') {
            if (number || ++depth > 2)
                return false;
            *nested |= depth == 2;
        } else if (c == ']') {
            if (!depth-- || (!number && s.s[i - 1] != '['))
                return false;
            number = true;
            if (!depth)
                return i + 1 == s.len;
        } else if (c == ',') {
            if (!number)
                return false;
            number = false;
        } else if (!is_blank(c)) {
            return false;
        }
    }
    return false;
}

/* A number, a truth value or a text in quotes. */
static bool is_value(struct tr_str s)
{
    static const char *const words[] = { "True", "true", "False", "false" };
    char number[64];
    double value;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tr_str_is(s, words[i]))
            return true;
    if (s.len > 1 && s.s[0] == '"')
        return s.s[s.len - 1] == '"';
    snprintf(number, sizeof number, "%.*s", s.len < sizeof number ? (int)s.len : 0, s.s);
    return tr_num_decimal(number, &value);
}

static bool is_none(struct tr_str s)
{
    return tr_str_is(s, "none") || tr_str_is(s, "None");
}

static enum tr_status add_argument(struct reading *r, struct argument a)
{
    if (r->n == MAX_ARGUMENTS)
        return tr_fail(r->err, TR_USAGE, "more than %u arguments", MAX_ARGUMENTS);
    r->of[r->n++] = a;
    return TR_OK;
}

/* "arg(3)=[1,1]": the value of an argument; those that were left out before it are none. */
static enum tr_status read_numbered(struct reading *r, struct tr_str word)
{
    size_t number = 0, i = 4;
    while (i < word.len && is_digit(word.s[i]) && number < MAX_ARGUMENTS)
        number = number * 10 + (size_t)(word.s[i++] - '0');
    if (i == 4 || i + 2 >= word.len || word.s[i] != ')' || word.s[i + 1] != '=')
        return tr_fail(r->err, TR_USAGE, "'%.*s': arg(NUMBER)=VALUE is expected", shown(word), word.s);
    const struct tr_str value = { word.s + i + 2, word.len - i - 2 };
    const bool list = value.s[0] == '[' && value.s[value.len - 1] == ']';
    if (!list && !is_value(value))
        return tr_fail(r->err, TR_USAGE, "'%.*s' is no number, true, false, text in quotes or list of such",
                       shown(value), value.s);
    if (number < r->n)
        return tr_fail(r->err, TR_USAGE, "'%.*s': %zu arguments stand before it", shown(word), word.s, r->n);
    while (r->n < number && r->n < MAX_ARGUMENTS)
        r->of[r->n++] = (struct argument){ .value = tr_str_of(NULL) };
    return add_argument(r, (struct argument){ .value = value });
}

static enum tr_status read_tensor(struct reading *r, struct tr_str word, size_t bracket)
{
    const struct tr_str dims = { word.s + bracket, word.len - bracket };
    struct tr_str type = { NULL, 0 };
    bool nested;
    if (!is_shape(dims, &nested))
        return tr_fail(r->err, TR_USAGE, "'%.*s' is no shape: [128,64] is one, and arg(3)=[1,1] a list of values",
                       shown(dims), dims.s);
    if (bracket && !(type = tr_dtype_called((struct tr_str){ word.s, bracket })).s)
        return tr_fail(r->err, TR_USAGE, "'%.*s' is no type, such as bf16, float32 or int64", (int)bracket, word.s);
    return add_argument(r, (struct argument){ .dims = dims, .type = nested ? tr_str_of("TensorList") : type });
}

static enum tr_status read_word(struct reading *r, struct tr_str word)
{
    const char *bracket = memchr(word.s, '[', word.len);
    if (word.len > 4 && memcmp(word.s, "arg(", 4) == 0)
        return read_numbered(r, word);
    if (is_none(word) || is_value(word))
        return add_argument(r, (struct argument){ .value = is_none(word) ? tr_str_of(NULL) : word });
    if (bracket)
        return read_tensor(r, word, (size_t)(bracket - word.s));
    const struct tr_str type = tr_dtype_called(word);
    if (!type.s || r->type.s)
        return tr_fail(r->err, TR_USAGE, type.s ? "'%.*s' is a second type for all tensors: write it before a shape, "
                                                  "as in bf16[128,64]"
                                                : "'%.*s' is no shape, type, value or none",
                       shown(word), word.s);
    r->type = type;
    return TR_OK;
}

/* ---- arguments as traces write them ---- */

static bool add_text(struct tr_buf *b, struct tr_str text)
{
    return tr_escape_json(b, text.s, text.len);
}

static bool add_without_blanks(struct tr_buf *b, struct tr_str text)
{
    bool ok = true;
    for (size_t i = 0; ok && i < text.len; i++)
        ok = is_blank(text.s[i]) || tr_buf_add(b, &text.s[i], 1);
    return ok;
}

/* The strides of a tensor whose elements lie one after the other; of a list of tensors, an empty list. */
static bool add_strides(struct tr_buf *b, struct tr_str dims, bool list)
{
    int64_t of[64];
    size_t n = 0;
    for (size_t i = 1; !list && i < dims.len && n < 64; i++)
        if (is_digit(dims.s[i]) && !is_digit(dims.s[i - 1]))
            of[n++] = strtoll(dims.s + i, NULL, 10);
    double stride = 1;
    for (size_t i = n; i-- > 0;) {
        double next = stride * (double)(of[i] > 1 ? of[i] : 1);
        of[i] = stride < 9e15 ? (int64_t)stride : 0;
        stride = next;
    }
    bool ok = tr_buf_add(b, "[", 1);
    for (size_t i = 0; ok && i < n; i++)
        ok = (!i || tr_buf_add(b, ",", 1)) && tr_json_add_i64(b, of[i]);
    return ok && tr_buf_add(b, "]", 1);
}

/* A value as Python writes it. */
static bool add_value(struct tr_buf *b, struct tr_str value)
{
    return tr_str_is(value, "true")    ? add_text(b, tr_str_of("True"))
           : tr_str_is(value, "false") ? add_text(b, tr_str_of("False"))
           : value.len > 1 && value.s[0] == '"'
               ? add_text(b, (struct tr_str){ value.s + 1, value.len - 2 })
               : add_text(b, value);
}

static bool add_arguments(const struct reading *r, struct roofline_call *c)
{
    struct tr_buf *const all[] = { &c->dims, &c->types, &c->strides, &c->args };
    bool ok = true;
    for (size_t k = 0; ok && k < 4; k++)
        ok = tr_buf_add(all[k], "[", 1);
    for (size_t i = 0; ok && i < r->n; i++) {
        const struct argument *a = &r->of[i];
        const struct tr_str empty = tr_str_of(""), none = tr_str_of("[]");
        struct tr_str type = a->type.s ? a->type : r->type;
        if (!a->dims.s)
            type = !a->value.s ? empty : tr_str_of(a->value.s[0] == '[' ? "ScalarList" : "Scalar");
        for (size_t k = 0; ok && i && k < 4; k++)
            ok = tr_buf_add(all[k], ",", 1);
        ok = ok && add_without_blanks(&c->dims, a->dims.s ? a->dims : none) && add_text(&c->types, type) &&
             add_strides(&c->strides, a->dims, tr_str_is(type, "TensorList")) &&
             add_value(&c->args, a->value.s ? a->value : empty);
    }
    for (size_t k = 0; ok && k < 4; k++)
        ok = tr_buf_add(all[k], "]", 1);
    return ok;
}

enum tr_status roofline_call_read(struct roofline_call *c, const char *words, struct tr_error *err)
{
    struct reading r = { .err = err };
    const char *at = words;
    bool ended;
    *c = (struct roofline_call){ .op = next_word(&at, &ended) };
    if (!c->op.s || !ended || c->op.s[0] == '[')
        return tr_fail(err, TR_USAGE, "the name of an operator is expected first");
    enum tr_status st = TR_OK;
    for (struct tr_str word; st == TR_OK && (word = next_word(&at, &ended)).s;)
        st = ended ? read_word(&r, word)
                   : tr_fail(err, TR_USAGE, "'%.*s' does not end: a bracket or a quote is missing", shown(word),
                             word.s);
    for (size_t i = 0; st == TR_OK && i < r.n; i++)
        if (r.of[i].dims.s && !r.of[i].type.s && !r.type.s)
            st = tr_fail(err, TR_USAGE, "tensors need a type: one for all, such as bf16, or one before a shape, as in "
                                        "bf16[128,64]");
    return st != TR_OK || add_arguments(&r, c) ? st : tr_fail_memory(err);
}

void roofline_call_free(struct roofline_call *c)
{
    tr_buf_free(&c->dims);
    tr_buf_free(&c->types);
    tr_buf_free(&c->strides);
    tr_buf_free(&c->args);
}

static struct tr_str text_of(const struct tr_buf *b)
{
    return (struct tr_str){ (const char *)b->data, b->len };
}

struct tr_model_args roofline_call_args(const struct roofline_call *c)
{
    return (struct tr_model_args){ .op = c->op,
                                   .dims = text_of(&c->dims),
                                   .types = text_of(&c->types),
                                   .strides = text_of(&c->strides),
                                   .concrete = text_of(&c->args) };
}

bool roofline_call_events(const struct roofline_call *c, size_t n, struct tr_buf *events)
{
    char launch[400];
    /* The kernel is what makes the call count: work counts with the operator that launched it. */
    snprintf(launch, sizeof launch,
             "}},{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
             "\"ts\":%zu.001,\"dur\":0,\"args\":{\"correlation\":%zu}},"
             "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel\",\"pid\":0,\"tid\":0,\"ts\":%zu.001,\"dur\":0,"
             "\"args\":{\"device\":0,\"stream\":0,\"correlation\":%zu}}",
             n, n + 1, n, n + 1);
    return (!n || tr_buf_add(events, ",", 1)) &&
           tr_buf_add_str(events, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"dur\":0.002,\"ts\":") &&
           tr_json_add_u64(events, n) && tr_buf_add_str(events, ",\"name\":") && add_text(events, c->op) &&
           tr_buf_add_str(events, ",\"args\":{\"Input Dims\":") && tr_buf_add_text(events, text_of(&c->dims)) &&
           tr_buf_add_str(events, ",\"Input type\":") && tr_buf_add_text(events, text_of(&c->types)) &&
           tr_buf_add_str(events, ",\"Input Strides\":") && tr_buf_add_text(events, text_of(&c->strides)) &&
           tr_buf_add_str(events, ",\"Concrete Inputs\":") && tr_buf_add_text(events, text_of(&c->args)) &&
           tr_buf_add_str(events, launch);
}
