/* SPDX-License-Identifier: MIT */
/* Peaks of a device from JSON. */
#include "formats/tr_peaks_json.h"

#include "base/tr_num.h"
#include "json/tr_json_tok.h"

#include <stdio.h>
#include <string.h>

static bool number_of(const struct tr_json_tokens *t, const char *text, size_t token, double *value)
{
    char number[64];
    size_t len = (size_t)(t->tok[token].end - t->tok[token].start);
    if (len >= sizeof number)
        return false;
    memcpy(number, text + t->tok[token].start, len);
    number[len] = '\0';
    return tr_num_decimal(number, value);
}

/* Set a figure; its name is the text of a token, or a given one. */
static enum tr_status set(struct tr_peaks *p, const struct tr_json_tokens *t, const char *text, struct tr_str name,
                          size_t token, struct tr_error *err)
{
    double value;
    if (!number_of(t, text, token, &value))
        return tr_fail(err, TR_USAGE, "'%.*s' is no number", (int)(name.len < 60 ? name.len : 60), name.s);
    return tr_peaks_set(p, name, value, err);
}

static enum tr_status read_object(struct tr_peaks *p, const struct tr_json_tokens *t, const char *text,
                                  struct tr_error *err)
{
    size_t name = tr_json_member(t, text, 0, "name");
    size_t bandwidth = tr_json_member(t, text, 0, "mem_bw_gbps");
    size_t figures = tr_json_member(t, text, 0, "max_achievable_tflops");
    enum tr_status st = TR_OK;
    if (!figures || t->tok[figures].kind != TR_JSON_OBJECT)
        return tr_fail(err, TR_USAGE, "there is no object 'max_achievable_tflops'");
    if (name)
        snprintf(p->name, sizeof p->name, "%.*s", (int)(t->tok[name].end - t->tok[name].start) % 60,
                 text + t->tok[name].start);
    if (bandwidth)
        st = set(p, t, text, tr_str_of("bandwidth"), bandwidth, err);
    size_t end = tr_json_next(t, figures);
    for (size_t key = figures + 1; key < end && st == TR_OK; key = tr_json_next(t, key + 1)) {
        struct tr_str spec = { text + t->tok[key].start, (size_t)(t->tok[key].end - t->tok[key].start) };
        st = set(p, t, text, spec, key + 1, err);
    }
    return st;
}

static enum tr_status read_json(struct tr_peaks *p, const char *text, size_t len, struct tr_error *err)
{
    struct tr_json_tokens tokens = { 0 };
    struct tr_buf clean = { 0 };
    size_t end = 0;
    unsigned defects = 0;
    enum tr_status st = TR_OK;
    *p = (struct tr_peaks){ .n = 0 };
    while (len && tr_json_space(text[len - 1]))
        len--;
    if (len > TR_JSON_TOKENS_MAX)
        return tr_fail(err, TR_USAGE, "longer than %u bytes", TR_JSON_TOKENS_MAX);
    if (tr_json_scan(text, len, true, NULL, &end, &defects) != TR_JSON_DONE || end != len || defects)
        return tr_fail(err, TR_USAGE, "begins like JSON, but is not");
    if (!tr_json_clean(text, len, true, false, &clean))
        st = tr_fail_memory(err);
    else if (!tr_json_tokenize(&tokens, (const char *)clean.data, clean.len))
        st = tokens.no_memory ? tr_fail_memory(err) : tr_fail(err, TR_USAGE, "begins like JSON, but is not");
    if (st == TR_OK)
        st = read_object(p, &tokens, (const char *)clean.data, err);
    tr_json_tokens_free(&tokens);
    tr_buf_free(&clean);
    return st;
}

enum tr_status tr_peaks_read(struct tr_peaks *p, const char *name, const char *text, size_t len, struct tr_error *err)
{
    size_t at = 0;
    while (at < len && tr_json_space(text[at]))
        at++;
    if (at == len || text[at] != '{') {
        enum tr_status csv = tr_peaks_csv(p, name, text, len, err);
        return csv == TR_NO ? tr_peaks_text(p, NULL, name, text, len, err) : csv;
    }
    enum tr_status st = read_json(p, text + at, len - at, err);
    if (st == TR_USAGE)
        tr_error_input(err, name);
    return st;
}
