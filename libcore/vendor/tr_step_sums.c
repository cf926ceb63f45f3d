/* SPDX-License-Identifier: MIT */
/* Annotations of inference steps. */
#include "vendor/tr_step_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tr_step_sum_names[TR_N_STEP_SUMS] = { "c_sq", "c_sk", "c_sqsq", "c_sqsk",
                                                        "g_sq", "g_sk", "g_sqsq", "g_sqsk" };

static bool begins(struct tr_str s, const char *with)
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
    if (begins(s, "step[DECODE")) {
        for (size_t i = TR_STEP_C_SQ; i <= TR_STEP_C_SQSK; i++)
            out->of[i] = 0;
        out->of[TR_STEP_G_SQ] = requests;
    } else if (begins(s, "step[EXTEND") && tokens > 0) {
        for (size_t i = 0; i < TR_N_STEP_SUMS; i++)
            out->of[i] = i < TR_STEP_C_SQSQ ? tokens : i < TR_STEP_G_SQ ? tokens * tokens / requests : 0;
    }
    return false;
}

static void read_atom(struct tr_str s, struct tr_step_sums *out)
{
    static const char *const names[] = { " tok=", " sk=", " sqsq=", " sqsk=" };
    size_t from = begins(s, "prefill[") ? TR_STEP_C_SQ : TR_STEP_G_SQ;
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
    if (begins(name, "step["))
        named = read_sglang(name, out);
    else if (begins(name, "prefill[") || begins(name, "decode["))
        read_atom(name, out);
    else if (begins(name, "execute_")) {
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
