/* SPDX-License-Identifier: MIT */
/* Parses numbers that people write: integers, decimals, sizes and durations. */
#include "base/tr_num.h"

#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    uint64_t value;
};

static const struct unit time_units[] = {
    { "ns", 1 },         { "us", 1000 },         { "ms", 1000000 },
    { "s", 1000000000 }, { "min", 60000000000 }, { "h", 3600000000000 },
    { NULL, 0 },
};

static const struct unit size_units[] = {
    { "B", 1 },
    { "KiB", UINT64_C(1) << 10 },
    { "K", UINT64_C(1) << 10 },
    { "kB", 1000 },
    { "KB", 1000 },
    { "MiB", UINT64_C(1) << 20 },
    { "M", UINT64_C(1) << 20 },
    { "MB", 1000000 },
    { "GiB", UINT64_C(1) << 30 },
    { "G", UINT64_C(1) << 30 },
    { "GB", 1000000000 },
    { "TiB", UINT64_C(1) << 40 },
    { "T", UINT64_C(1) << 40 },
    { "TB", 1000000000000 },
    { NULL, 0 },
};

static uint64_t find_unit(const struct unit *units, const char *name, size_t len)
{
    for (const struct unit *u = units; u->name; u++)
        if (strlen(u->name) == len && memcmp(u->name, name, len) == 0)
            return u->value;
    return 0;
}

uint64_t tr_num_time_unit(const char *name, size_t len)
{
    return find_unit(time_units, name, len);
}

uint64_t tr_num_size_unit(const char *name, size_t len)
{
    return find_unit(size_units, name, len);
}

enum outcome { GOOD, MALFORMED, OVERFLOWS, TOO_FINE };

/* *sum = *sum * factor + add; false on overflow */
static bool mul_add(uint64_t *sum, uint64_t factor, uint64_t add)
{
    if (factor && *sum > (UINT64_MAX - add) / factor)
        return false;
    *sum = *sum * factor + add;
    return true;
}

/* A run of digits at *at, which is moved past it.  At least one digit. */
static enum outcome read_digits(const char **at, uint64_t *value)
{
    const char *p = *at;
    bool fits = true;
    *value = 0;
    for (; tr_num_is_digit(*p); p++)
        fits = fits && mul_add(value, 10, (uint64_t)(*p - '0'));
    if (p == *at)
        return MALFORMED;
    *at = p;
    return fits ? GOOD : OVERFLOWS;
}

/*
 * floor(0.DIGITS * unit), from the last digit to the first, so that nothing exceeds 10 * unit
 * however many digits there are.  A remainder at any step means that the product is no whole
 * number.
 */
static uint64_t fraction_of(const char *digits, const char *end, uint64_t unit, bool *exact)
{
    uint64_t part = 0;
    while (end > digits) {
        uint64_t sum = (uint64_t)(*--end - '0') * unit + part;
        *exact = *exact && sum % 10 == 0;
        part = sum / 10;
    }
    return part;
}

/* DIGITS[.DIGITS][UNIT] as a magnitude; a number without unit counts in bare_unit; 0: only zero. */
static enum outcome read_scaled(const char *p, const struct unit *units, uint64_t bare_unit,
                                bool *exact, uint64_t *value)
{
    uint64_t whole, ignored;
    enum outcome o = read_digits(&p, &whole);
    if (o != GOOD)
        return o;
    const char *digits = p, *digits_end = p;
    if (*p == '.') {
        digits = ++p;
        if (read_digits(&p, &ignored) == MALFORMED)
            return MALFORMED;
        digits_end = p;
    }
    uint64_t unit = *p ? find_unit(units, p, strlen(p)) : bare_unit;
    if (unit == 0) {
        if (*p || whole || strspn(digits, "0") != (size_t)(digits_end - digits))
            return MALFORMED;
        unit = 1;
    }
    *exact = true;
    if (!mul_add(&whole, unit, fraction_of(digits, digits_end, unit, exact)))
        return OVERFLOWS;
    *value = whole;
    return GOOD;
}

static enum outcome apply_sign(bool negative, uint64_t magnitude, int64_t *value)
{
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return OVERFLOWS;
    if (!negative)
        *value = (int64_t)magnitude;
    else
        *value = magnitude ? -(int64_t)(magnitude - 1) - 1 : 0;
    return GOOD;
}

static bool read_sign(const char **text)
{
    bool negative = **text == '-';
    *text += **text == '-' || **text == '+';
    return negative;
}

/* The message: what was expected instead of text.  bounds is "" or starts with a blank. */
static enum tr_status refuse(struct tr_error *err, const char *text, const char *expected,
                             const char *bounds)
{
    return tr_fail(err, TR_USAGE, "'%.80s' is not %s%s", text, expected, bounds);
}

enum tr_status tr_num_u64(const char *text, uint64_t lo, uint64_t hi, uint64_t *value,
                          struct tr_error *err)
{
    const char *p = text + (*text == '+');
    uint64_t v;
    if (read_digits(&p, &v) == GOOD && *p == '\0' && v >= lo && v <= hi) {
        *value = v;
        return TR_OK;
    }
    char bounds[64];
    snprintf(bounds, sizeof bounds, " from %" PRIu64 " to %" PRIu64, lo, hi);
    return refuse(err, text, "a whole number", bounds);
}

enum tr_status tr_num_i64(const char *text, int64_t lo, int64_t hi, int64_t *value,
                          struct tr_error *err)
{
    const char *p = text;
    bool negative = read_sign(&p);
    uint64_t magnitude;
    int64_t v;
    if (read_digits(&p, &magnitude) == GOOD && *p == '\0' &&
        apply_sign(negative, magnitude, &v) == GOOD && v >= lo && v <= hi) {
        *value = v;
        return TR_OK;
    }
    char bounds[64];
    snprintf(bounds, sizeof bounds, " from %" PRId64 " to %" PRId64, lo, hi);
    return refuse(err, text, "a whole number", bounds);
}

/* The end of the digits from text[at] on. */
static size_t skip_digits(const char *text, size_t at, size_t len)
{
    while (at < len && tr_num_is_digit(text[at]))
        at++;
    return at;
}

size_t tr_num_digits(const char *text, size_t len, uint64_t max, uint64_t *value, bool *over)
{
    uint64_t v = 0;
    bool fits = true;
    size_t n = 0;
    for (; n < len && n < 19 && tr_num_is_digit(text[n]); n++)
        v = v * 10 + (uint64_t)(text[n] - '0'); /* 19 digits fit */
    for (; n < len && tr_num_is_digit(text[n]); n++)
        fits = fits && mul_add(&v, 10, (uint64_t)(text[n] - '0'));
    fits = fits && v <= max;
    if (n)
        *value = fits ? v : max;
    if (over)
        *over = !fits;
    return n;
}

bool tr_num_plain(const char *text, size_t n, int64_t *value)
{
    size_t minus = n && *text == '-';
    uint64_t v;
    bool over;
    if (n == minus || (text[minus] == '0' && n > 1)) /* "", "-", "01", "-0" */
        return false;
    if (tr_num_digits(text + minus, n - minus, (uint64_t)INT64_MAX + minus, &v, &over) != n - minus || over)
        return false;
    return apply_sign(minus, v, value) == GOOD;
}

bool tr_num_plain_hex(const char *text, size_t n, int64_t *value)
{
    int64_t v = 0;
    if (n < 3 || n > 17 || text[0] != '0' || text[1] != 'x' || (text[2] == '0' && n > 3))
        return false;
    for (size_t i = 2; i < n; i++) {
        char c = text[i];
        if (!tr_num_is_digit(c) && (c < 'a' || c > 'f'))
            return false;
        v = v << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
    }
    *value = v;
    return true;
}

size_t tr_num_print_hex(int64_t value, char text[TR_NUM_HEX])
{
    return (size_t)snprintf(text, TR_NUM_HEX, "0x%" PRIx64, (uint64_t)value);
}

bool tr_num_split(struct tr_num_parts *n, const char *text, size_t len)
{
    size_t at = 0;
    memset(n, 0, sizeof *n);
    if (len && (*text == '-' || *text == '+')) {
        n->minus = *text == '-';
        n->plus = *text == '+';
        at++;
    }
    n->whole = text + at;
    n->n_whole = skip_digits(text, at, len) - at;
    at += n->n_whole;
    if (at < len && text[at] == '.') {
        n->point = true;
        n->minus_fraction = ++at < len && text[at] == '-';
        at += n->minus_fraction;
        n->fraction = text + at;
        n->n_fraction = skip_digits(text, at, len) - at;
        at += n->n_fraction;
    }
    if (at < len && (text[at] | 32) == 'e') {
        n->exponent = text + at++;
        at += at < len && (text[at] == '-' || text[at] == '+');
        size_t end = skip_digits(text, at, len);
        if (end == at)
            return false;
        at = end;
        n->n_exponent = (size_t)(text + at - n->exponent);
    }
    return at == len && n->n_whole + n->n_fraction > 0;
}

int64_t tr_num_exponent(const struct tr_num_parts *n, uint64_t max)
{
    uint64_t e = 0;
    if (!n->n_exponent)
        return 0;
    size_t sign = n->exponent[1] == '-' || n->exponent[1] == '+';
    tr_num_digits(n->exponent + 1 + sign, n->n_exponent - 1 - sign, max, &e, NULL);
    return n->exponent[1] == '-' ? -(int64_t)e : (int64_t)e;
}

size_t tr_num_scan(const char *text, size_t len)
{
    size_t from = len && (*text == '-' || *text == '+'), at = skip_digits(text, from, len), end;
    if (at == from)
        return 0;
    if (at < len && text[at] == '.' && (end = skip_digits(text, at + 1, len)) > at + 1)
        at = end;
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        from = at + 1 + (at + 1 < len && (text[at + 1] == '-' || text[at + 1] == '+'));
        if ((end = skip_digits(text, from, len)) > from)
            at = end;
    }
    return at;
}

bool tr_num_decimal(const char *text, double *value)
{
    const char *dot = strchr(text, '.'), *point = localeconv()->decimal_point;
    char local[512];

    size_t len = tr_num_scan(text, SIZE_MAX);
    if (!len || text[len])
        return false;
    if (dot && strcmp(point, ".") != 0) {
        int n = snprintf(local, sizeof local, "%.*s%s%s", (int)(dot - text), text, point, dot + 1);
        if (n < 0 || (size_t)n >= sizeof local)
            return false;
        text = local;
    }
    *value = strtod(text, NULL);
    return true;
}

/* Replace the decimal point of the locale, which may have several bytes, by a point. */
static void neutral_point(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        if (strchr("0123456789+-e", *p))
            *to++ = *p;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

void tr_num_print(double v, char text[TR_NUM_TEXT])
{
    double back = 0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, TR_NUM_TEXT, "%.*g", digits, v);
        neutral_point(text);
        if (tr_num_decimal(text, &back) && memcmp(&back, &v, sizeof v) == 0)
            return;
    }
}

enum tr_status tr_num_double(const char *text, double lo, double hi, double *value,
                             struct tr_error *err)
{
    double v;
    if (tr_num_decimal(text, &v) && v >= lo && v <= hi) {
        *value = v;
        return TR_OK;
    }
    char bounds[80];
    snprintf(bounds, sizeof bounds, " from %.15g to %.15g", lo, hi);
    return refuse(err, text, "a number", bounds);
}

/* A bound in the largest unit that divides it: "64MiB", "1500us". */
static void print_bound(char *out, size_t size, const struct unit *units, bool binary,
                        bool negative, uint64_t magnitude)
{
    const struct unit *best = units;
    for (const struct unit *u = units; u->name; u++)
        if (magnitude && magnitude % u->value == 0 && u->value > best->value &&
            (!binary || (u->value & (u->value - 1)) == 0))
            best = u;
    snprintf(out, size, "%s%" PRIu64 "%s", negative ? "-" : "", magnitude / best->value,
             best->name);
}

static enum tr_status refuse_scaled(struct tr_error *err, const char *text, const char *expected,
                                    const char *lo, const char *hi)
{
    char bounds[160] = "";
    if (*lo && *hi)
        snprintf(bounds, sizeof bounds, " from %s to %s", lo, hi);
    else if (*lo)
        snprintf(bounds, sizeof bounds, " of at least %s", lo);
    else if (*hi)
        snprintf(bounds, sizeof bounds, " of at most %s", hi);
    return refuse(err, text, expected, bounds);
}

enum tr_status tr_num_size(const char *text, uint64_t lo, uint64_t hi, uint64_t *bytes,
                           struct tr_error *err)
{
    uint64_t v = 0;
    bool exact;
    enum outcome o = read_scaled(text, size_units, 1, &exact, &v);
    if (o == GOOD && v >= lo && v <= hi) {
        *bytes = v;
        return TR_OK;
    }
    char lo_text[48] = "", hi_text[48] = "";
    if (lo > 0)
        print_bound(lo_text, sizeof lo_text, size_units, true, false, lo);
    if (hi < UINT64_MAX || o == OVERFLOWS)
        print_bound(hi_text, sizeof hi_text, size_units, true, false, hi);
    return refuse_scaled(err, text, "a size (such as 512MiB)", lo_text, hi_text);
}

enum tr_status tr_num_time(const char *text, int64_t lo, int64_t hi, int64_t *ns,
                           struct tr_error *err)
{
    const char *p = text;
    bool negative = read_sign(&p), exact = true;
    uint64_t magnitude = 0;
    int64_t v = 0;
    enum outcome o = read_scaled(p, time_units, 0, &exact, &magnitude);
    if (o == GOOD)
        o = exact ? apply_sign(negative, magnitude, &v) : TOO_FINE;
    if (o == GOOD && v >= lo && v <= hi) {
        *ns = v;
        return TR_OK;
    }
    if (o == TOO_FINE)
        return tr_fail(err, TR_USAGE, "'%.80s' is finer than a nanosecond", text);
    char lo_text[48] = "", hi_text[48] = "";
    if (lo > INT64_MIN)
        print_bound(lo_text, sizeof lo_text, time_units, false, lo < 0,
                    lo < 0 ? 0 - (uint64_t)lo : (uint64_t)lo);
    if (hi < INT64_MAX || o == OVERFLOWS)
        print_bound(hi_text, sizeof hi_text, time_units, false, hi < 0,
                    hi < 0 ? 0 - (uint64_t)hi : (uint64_t)hi);
    return refuse_scaled(err, text, "a time with its unit (such as 30us)", lo_text, hi_text);
}
