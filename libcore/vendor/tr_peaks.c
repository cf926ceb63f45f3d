/* SPDX-License-Identifier: MIT */
/* The peak performance of devices. */
#include "vendor/tr_peaks.h"

#include "base/tr_num.h"
#include "base/tr_rule_text.h"

#include <stdio.h>
#include <string.h>

enum tr_status tr_peaks_set(struct tr_peaks *p, struct tr_str name, double value, struct tr_error *err)
{
    int shown = (int)(name.len < 60 ? name.len : 60);
    size_t i = 0;
    if (!(value > 0 && value < 1e12))
        return tr_fail(err, TR_USAGE, "'%.*s': a figure above 0 is expected", shown, name.s);
    if (tr_str_is(name, "bandwidth")) {
        p->bandwidth = value;
        return TR_OK;
    }
    if (tr_str_is(name, "l3_bandwidth")) {
        p->l3_bandwidth = value;
        return TR_OK;
    }
    if (!name.len || name.len >= sizeof p->of[0].spec)
        return tr_fail(err, TR_USAGE, "'%.*s' is no name of a figure, as matrix_bf16 is", shown, name.s);
    while (i < p->n && !tr_str_is(name, p->of[i].spec))
        i++;
    if (i == TR_PEAKS_MAX)
        return tr_fail(err, TR_USAGE, "more than %u figures of a device", TR_PEAKS_MAX);
    memcpy(p->of[i].spec, name.s, name.len);
    p->of[i].spec[name.len] = '\0';
    p->of[i].tflops = value;
    p->n += i == p->n;
    return TR_OK;
}

double tr_peaks_of(const struct tr_peaks *p, const char *spec)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->of[i].spec, spec) == 0)
            return p->of[i].tflops;
    return 0;
}

/* ---- the text form ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool alike(struct tr_str a, const char *b)
{
    bool same = a.len == strlen(b);
    for (size_t i = 0; same && i < a.len; i++)
        same = lower(a.s[i]) == lower(b[i]);
    return same;
}

static struct tr_str trim(struct tr_str s)
{
    const char *remark = memchr(s.s, '#', s.len);
    s.len = remark ? (size_t)(remark - s.s) : s.len;
    while (s.len && strchr(" \t\r", s.s[0]))
        s.s++, s.len--;
    while (s.len && strchr(" \t\r", s.s[s.len - 1]))
        s.len--;
    return s;
}

static enum tr_status read_figure(struct tr_peaks *p, struct tr_str line, struct tr_error *err)
{
    char number[64];
    double value = 0;
    const char *sign = memchr(line.s, '=', line.len);
    if (!sign)
        return tr_fail(err, TR_USAGE, "a name, '=' and a figure are expected");
    struct tr_str name = trim((struct tr_str){ line.s, (size_t)(sign - line.s) });
    struct tr_str text = trim((struct tr_str){ sign + 1, line.len - (size_t)(sign + 1 - line.s) });
    snprintf(number, sizeof number, "%.*s", (int)(text.len < sizeof number ? text.len : 0), text.s);
    if (!tr_num_decimal(number, &value))
        return tr_fail(err, TR_USAGE, "a figure is expected after '='");
    return tr_peaks_set(p, name, value, err);
}

enum tr_status tr_peaks_text(struct tr_peaks *p, const char *device, const char *name, const char *text, size_t len,
                             struct tr_error *err)
{
    bool within = false, found = false;
    unsigned number = 0, titled = 0;
    enum tr_status st = tr_rule_text_check(name, text, len, err);
    if (st != TR_OK)
        return st;
    *p = (struct tr_peaks){ .n = 0 };
    for (size_t at = 0; at < len && st == TR_OK;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        struct tr_str line = trim((struct tr_str){ text + at, n });
        at += n + 1;
        number++;
        if (line.len > 1 && line.s[0] == '[' && line.s[line.len - 1] == ']') {
            struct tr_str title = trim((struct tr_str){ line.s + 1, line.len - 2 });
            within = !found && (!device || alike(title, device));
            if (within && (!title.len || title.len >= sizeof p->name)) {
                st = tr_fail(err, TR_USAGE, "a name of a device is expected between '[' and ']'");
            } else if (within) {
                snprintf(p->name, sizeof p->name, "%.*s", (int)title.len, title.s);
                titled = number;
            }
            found |= within;
        } else if (line.len && within) {
            st = read_figure(p, line, err);
        }
    }
    if (st == TR_OK && !found && !device) {
        st = tr_fail(err, TR_USAGE, "a section such as [H100] is expected");
    } else if (st == TR_OK && found && !p->n && p->bandwidth <= 0) {
        st = tr_fail(err, TR_USAGE, "a device without a figure");
        number = titled;
    }
    if (st == TR_USAGE) {
        tr_error_place(err, "line %u", number);
        tr_error_input(err, name);
    }
    return st == TR_OK && !found ? TR_NO : st;
}

/* ---- device files of unitrace ---- */

static const struct {
    const char *key, *name; /* name NULL: that of the device */
    double unit;
} csv_keys[] = {
    { "PlatformName", NULL, 0 },
    { "FP16_GFLOPS", "vector_fp16", 1000 },
    { "FP32_GFLOPS", "vector_fp32", 1000 },
    { "FP64_GFLOPS", "vector_fp64", 1000 },
    { "FP16_XMX_GFLOPS", "matrix_fp16", 1000 },
    { "BF16_XMX_GFLOPS", "matrix_bf16", 1000 },
    { "GPU_MEMORY_BW_in_GB_per_sec", "bandwidth", 1 },
    { "L3_BW_in_GB_per_sec", "l3_bandwidth", 1 },
};
#define N_CSV_KEYS (sizeof csv_keys / sizeof *csv_keys)

static enum tr_status read_pair(struct tr_peaks *p, size_t key, struct tr_str text, struct tr_error *err)
{
    char number[64];
    double value = 0;
    if (text.len > 1 && text.s[0] == '"' && text.s[text.len - 1] == '"')
        text = (struct tr_str){ text.s + 1, text.len - 2 };
    if (!csv_keys[key].name) {
        snprintf(p->name, sizeof p->name, "%.*s", (int)(text.len < 60 ? text.len : 60), text.s);
        return TR_OK;
    }
    snprintf(number, sizeof number, "%.*s", (int)(text.len < sizeof number ? text.len : 0), text.s);
    if (!tr_num_decimal(number, &value))
        return tr_fail(err, TR_USAGE, "a figure is expected after ','");
    return tr_peaks_set(p, tr_str_of(csv_keys[key].name), value / csv_keys[key].unit, err);
}

enum tr_status tr_peaks_csv(struct tr_peaks *p, const char *name, const char *text, size_t len, struct tr_error *err)
{
    bool any = false;
    unsigned number = 0;
    enum tr_status st = tr_rule_text_check(name, text, len, err);
    if (st != TR_OK)
        return st;
    *p = (struct tr_peaks){ .n = 0 };
    for (size_t at = 0; at < len && st == TR_OK;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at, key = 0;
        struct tr_str line = trim((struct tr_str){ text + at, n });
        const char *comma = line.len ? memchr(line.s, ',', line.len) : NULL;
        at += n + 1;
        number++;
        if (!line.len)
            continue;
        struct tr_str word = trim((struct tr_str){ line.s, comma ? (size_t)(comma - line.s) : line.len });
        while (key < N_CSV_KEYS && !tr_str_is(word, csv_keys[key].key))
            key++;
        if (!any && (!comma || key == N_CSV_KEYS))
            return TR_NO;
        any = true;
        if (comma && key < N_CSV_KEYS) /* others say nothing that is of use here */
            st = read_pair(p, key, trim((struct tr_str){ comma + 1, line.len - (size_t)(comma + 1 - line.s) }), err);
    }
    if (st == TR_USAGE) {
        tr_error_place(err, "line %u", number);
        tr_error_input(err, name);
    }
    return st == TR_OK && !any ? TR_NO : st;
}
