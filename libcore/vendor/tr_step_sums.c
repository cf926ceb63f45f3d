/* SPDX-License-Identifier: MIT */
/* Annotations of inference steps. */
#include "vendor/tr_step_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tr_step_sum_names[TR_N_STEP_SUMS] = { "c_sq", "c_sk", "c_sqsq", "c_sqsk",
                                                        "g_sq", "g_sk", "g_sqsq", "g_sqsk" };

static bool starts(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && memcmp(s.s, with, n) == 0;
}

static const char *find(struct tr_str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.len; i++)
        if (memcmp(s.s + i, what, n) == 0)
            return s.s + i;
    return NULL;
}

/* The digits at a place, as a number; NaN: there are none.  *at moves after them. */
static double digits(struct tr_str s, const char **at)
{
    double x = 0;
    const char *from = *at;
    for (; *at < s.s + s.len && **at >= '0' && **at <= '9'; ++*at)
        x = x * 10 + (**at - '0');
    return *at == from ? NAN : x;
}

/* The number after a text such as " toks="; NaN: it is not there. */
static double number_after(struct tr_str s, const char *what)
{
    const char *at = find(s, what);
    if (!at)
        return NAN;
    at += strlen(what);
    return digits(s, &at);
}

/* "(sq64sk64sqsq4096sqsk4096)" after a text: four sums. */
static void read_packed(struct tr_str s, const char *after, double *four)
{
    static const char *const names[] = { "sq", "sk", "sqsq", "sqsk" };
    const char *at = find(s, after), *end = s.s + s.len;
    at = at ? memchr(at, '(', (size_t)(end - at)) : NULL;
    if (!at++)
        return;
    for (size_t i = 0; i < 4; i++) {
        size_t n = strlen(names[i]);
        if ((size_t)(end - at) < n || memcmp(at, names[i], n) != 0)
            return;
        at += n;
        four[i] = digits(s, &at);
    }
}

/* SGLang: each sum by its name.  Without names: the sums for prompts of equal length.  True: they have names. */
static bool read_sglang(struct tr_str s, struct tr_step_sums *out)
{
    char what[16];
    for (size_t i = 0; i < TR_N_STEP_SUMS; i++) {
        snprintf(what, sizeof what, " %s=", tr_step_sum_names[i]);
        out->of[i] = number_after(s, what);
    }
    double requests = number_after(s, "bs="), tokens = number_after(s, "toks=");
    if (!isnan(out->of[TR_STEP_C_SQ]) || !(requests > 0))
        return true;
    if (starts(s, "step[DECODE")) {
        for (size_t i = TR_STEP_C_SQ; i <= TR_STEP_C_SQSK; i++)
            out->of[i] = 0;
        out->of[TR_STEP_G_SQ] = requests;
    } else if (starts(s, "step[EXTEND") && tokens > 0) {
        for (size_t i = 0; i < TR_N_STEP_SUMS; i++)
            out->of[i] = i < TR_STEP_C_SQSQ ? tokens : i < TR_STEP_G_SQ ? tokens * tokens / requests : 0;
    }
    return false;
}

static void read_atom(struct tr_str s, struct tr_step_sums *out)
{
    static const char *const names[] = { " tok=", " sk=", " sqsq=", " sqsk=" };
    size_t from = starts(s, "prefill[") ? TR_STEP_C_SQ : TR_STEP_G_SQ;
    for (size_t i = 0; i < TR_N_STEP_SUMS; i++)
        out->of[i] = i / 4 == from / 4 ? number_after(s, names[i % 4]) : 0;
}

bool tr_step_sums_read(struct tr_str name, struct tr_step_sums *out)
{
    for (size_t i = 0; i < TR_N_STEP_SUMS; i++)
        out->of[i] = NAN;
    bool named = true;
    if (!name.s)
        return false;
    if (starts(name, "step["))
        named = read_sglang(name, out);
    else if (starts(name, "prefill[") || starts(name, "decode["))
        read_atom(name, out);
    else if (starts(name, "execute_")) {
        read_packed(name, "context_", out->of + TR_STEP_C_SQ);
        read_packed(name, "generation_", out->of + TR_STEP_G_SQ);
    }
    bool any = false;
    out->all = named;
    for (size_t i = 0; i < TR_N_STEP_SUMS; i++) {
        any |= !isnan(out->of[i]);
        out->all &= !isnan(out->of[i]);
    }
    return any;
}

/* ---- requests, tokens and phase ---- */

static void know(struct tr_step_about *a, unsigned number, double x)
{
    if (!(x >= 0 && x < 0x1p53)) /* also NaN */
        return;
    a->of[number] = (int64_t)x;
    a->known |= (uint16_t)(1u << number);
}

static bool knows(const struct tr_step_about *a, unsigned number)
{
    return a->known >> number & 1;
}

/* A number is the sum of two others, if these are known. */
static void add_up(struct tr_step_about *a, unsigned number, unsigned x, unsigned y)
{
    if (!knows(a, number) && knows(a, x) && knows(a, y))
        know(a, number, (double)a->of[x] + (double)a->of[y]);
}

/* Move over a text; false: something else is here. */
static bool skip(struct tr_str s, const char **at, const char *what)
{
    size_t n = strlen(what);
    if ((size_t)(s.s + s.len - *at) < n || memcmp(*at, what, n) != 0)
        return false;
    *at += n;
    return true;
}

/* Move to what follows the next closing parenthesis. */
static bool skip_parentheses(struct tr_str s, const char **at)
{
    const char *end = s.s + s.len;
    const char *close = *at < end ? memchr(*at, ')', (size_t)(end - *at)) : NULL;
    *at = close ? close + 1 : end;
    return close != NULL;
}

static bool about_diffusion(struct tr_str s, const char *at, struct tr_step_about *a)
{
    double images = digits(s, &at);
    if (isnan(images) || !skip(s, &at, "_") || isnan(digits(s, &at)) || !skip(s, &at, "x") || isnan(digits(s, &at)))
        return false;
    know(a, TR_STEP_REQUESTS, images);
    a->phase = TR_STEP_DIFFUSION;
    return true;
}

/* After "execute_": the number of tokens, or not; then requests of both kinds, with sums or tokens. */
static bool about_vllm(struct tr_str s, struct tr_step_about *a)
{
    const char *at = s.s + strlen("execute_");
    if (skip(s, &at, "diffusion_"))
        return about_diffusion(s, at, a);
    double tokens = digits(s, &at);
    if (!isnan(tokens) && !skip(s, &at, "_"))
        return false;
    know(a, TR_STEP_TOKENS, tokens);
    static const char *const parts[] = { "context_", "_generation_" };
    for (unsigned i = 0; i < 2; i++) {
        if (!skip(s, &at, parts[i]))
            return false;
        double requests = digits(s, &at);
        if (isnan(requests) || !skip(s, &at, "("))
            return false;
        know(a, TR_STEP_C_REQUESTS + i, requests);
        know(a, TR_STEP_C_TOKENS + 4 * i, digits(s, &at)); /* with sums, there is no digit */
        if (!skip_parentheses(s, &at))
            return false;
    }
    return true;
}

/* "step[MIXED bs=3 toks=66": a mode in capital letters, as SGLang names it. */
static bool about_sglang(struct tr_str s, struct tr_step_about *a)
{
    const char *at = s.s + strlen("step["), *from = at;
    while (at < s.s + s.len && ((*at >= 'A' && *at <= 'Z') || *at == '_'))
        at++;
    struct tr_str mode = { from, (size_t)(at - from) };
    double requests = number_after(s, " bs=");
    if (!mode.len || isnan(requests))
        return false;
    know(a, TR_STEP_REQUESTS, requests);
    know(a, TR_STEP_TOKENS, number_after(s, " toks="));
    a->phase = find(mode, "MIXED")                             ? TR_STEP_MIXED
               : find(mode, "EXTEND") || find(mode, "PREFILL") ? TR_STEP_PREFILL
               : find(mode, "DECODE") || find(mode, "VERIFY")  ? TR_STEP_DECODE
                                                               : TR_STEP_NO_PHASE;
    unsigned one = a->phase == TR_STEP_PREFILL ? 0 : a->phase == TR_STEP_DECODE ? 1 : 2;
    double tokens = knows(a, TR_STEP_TOKENS) ? (double)a->of[TR_STEP_TOKENS] : NAN;
    for (unsigned i = 0; i < 2 && one < 2; i++) {
        know(a, TR_STEP_C_REQUESTS + i, i == one ? requests : 0);
        know(a, TR_STEP_C_TOKENS + 4 * i, i == one ? tokens : 0);
    }
    return true;
}

static bool about_atom(struct tr_str s, struct tr_step_about *a)
{
    unsigned one = starts(s, "decode[");
    double requests = number_after(s, "[bs=");
    if (isnan(requests))
        return false;
    know(a, TR_STEP_C_REQUESTS + one, requests);
    know(a, TR_STEP_C_REQUESTS + !one, 0);
    return true;
}

static unsigned phase_of(const struct tr_step_about *a)
{
    bool context = a->of[TR_STEP_C_REQUESTS] > 0, generation = a->of[TR_STEP_G_REQUESTS] > 0;
    return context ? (generation ? TR_STEP_MIXED : TR_STEP_PREFILL) : generation ? TR_STEP_DECODE : TR_STEP_NO_PHASE;
}

bool tr_step_about_read(struct tr_str name, struct tr_step_about *out)
{
    struct tr_step_sums sums;
    memset(out, 0, sizeof *out);
    if (!name.s || !(starts(name, "execute_")                               ? about_vllm(name, out)
                     : starts(name, "step[")                                ? about_sglang(name, out)
                     : starts(name, "prefill[") || starts(name, "decode[") ? about_atom(name, out)
                                                                            : false))
        return false;
    if (tr_step_sums_read(name, &sums) && sums.all)
        for (unsigned i = 0; i < TR_N_STEP_SUMS; i++)
            know(out, TR_STEP_SUMS + i, sums.of[i]);
    add_up(out, TR_STEP_REQUESTS, TR_STEP_C_REQUESTS, TR_STEP_G_REQUESTS);
    add_up(out, TR_STEP_TOKENS, TR_STEP_C_TOKENS, TR_STEP_G_TOKENS);
    if (out->phase == TR_STEP_NO_PHASE)
        out->phase = (uint8_t)phase_of(out);
    return true;
}
