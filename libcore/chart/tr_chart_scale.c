/* SPDX-License-Identifier: MIT */
/* Scales, ticks and numbers. */
#include "chart/tr_chart_scale_int.h"

#include <math.h>
#include <string.h>

/* ---- units ---- */

static const struct tr__scaled times[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\xc2\xb5s" }, { 1, "ns" } };
static const struct tr__scaled sizes[] = {
    { 1e15, "PB" }, { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 1, "B" },
};
static const struct tr__scaled counts[] = { { 1e12, "trillions" }, { 1e9, "billions" }, { 1e6, "millions" } };

static struct tr__scaled pick(const struct tr__scaled *units, size_t n, double max)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (max >= units[i].scale)
            return units[i];
    return units[n - 1];
}

struct tr__scaled tr__unit_for(struct tr__quantity q, double max)
{
    max = fabs(max) * (1 + 1e-9);
    switch (q.measure) {
    case TR__TIME:
        return pick(times, sizeof times / sizeof *times, max);
    case TR__BYTES:
        return pick(sizes, sizeof sizes / sizeof *sizes, max);
    case TR__PERCENT:
        return (struct tr__scaled){ 1, "%" };
    default:
        if (max >= 1e6 && !*q.unit)
            return pick(counts, sizeof counts / sizeof *counts, max);
        return (struct tr__scaled){ 1, q.unit };
    }
}

/* ---- numbers as text ---- */

/* 10 to the power of n, exact up to 22. */
static double power10(int n)
{
    double v = 1;
    for (int i = 0; i < (n < 0 ? -n : n); i++)
        v *= 10;
    return n < 0 ? 1 / v : v;
}

bool tr__number_add(struct tr_buf *out, double v, unsigned decimals)
{
    char text[400], *end = text + sizeof text, *p = end;
    double size = fabs(v);
    if (!isfinite(v))
        return tr_buf_add_str(out, "\xe2\x80\x93");
    if (size >= 1e15)
        return tr_buf_print(out, "%s%.0fe%d", v < 0 ? "\xe2\x88\x92" : "", size / power10((int)log10(size)),
                            (int)log10(size));
    if (decimals > 9)
        decimals = 9;
    while (decimals && size * power10((int)decimals) >= 9e17)
        decimals--;
    uint64_t scale = (uint64_t)power10((int)decimals), n = (uint64_t)llround(size * (double)scale);
    uint64_t whole = n / scale, rest = n % scale;
    for (unsigned i = 0; i < decimals; i++, rest /= 10)
        *--p = (char)('0' + rest % 10);
    if (decimals)
        *--p = '.';
    unsigned digits = 0;
    do {
        if (digits && digits % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + whole % 10);
        digits++;
    } while (whole /= 10);
    return (v >= 0 || n == 0 || tr_buf_add_str(out, "\xe2\x88\x92")) && tr_buf_add(out, p, (size_t)(end - p));
}

/* The decimals that give three significant digits. */
static unsigned three(double v)
{
    double size = fabs(v);
    unsigned d = 2;
    if (size == 0)
        return 0;
    for (; size < 0.9995 && d < 9; size *= 10)
        d++;
    return size >= 99.95 ? 0 : size >= 9.995 ? 1 : d;
}

bool tr__number_in(struct tr_buf *out, double v, struct tr__scaled unit, bool named)
{
    double in = v / unit.scale;
    unsigned d = three(in);
    if (unit.scale <= 1 && in == floor(in) && fabs(in) < 1e15)
        d = 0; /* counts, ranks, whole percent */
    if (!tr__number_add(out, in, d))
        return false;
    return !named || !*unit.name || (tr_buf_add_str(out, " ") && tr_buf_add_str(out, unit.name));
}

struct tr__scaled tr__mark_unit(struct tr__quantity q, double v)
{
    if (q.measure == TR__NUMBER && fabs(v) < 1e9)
        return (struct tr__scaled){ 1, q.unit }; /* 1,234,567 is as short as 1.23 millions */
    return tr__unit_for(q, v);
}

bool tr__number_short(struct tr_buf *out, double v, struct tr__quantity q)
{
    return tr__number_in(out, v, tr__mark_unit(q, v), true);
}

bool tr__coord_add(struct tr_buf *out, double v)
{
    char text[24], *end = text + sizeof text, *p = end;
    v = v > 1e6 ? 1e6 : v < -1e6 ? -1e6 : v == v ? v : 0;
    long long n = llround(v * 100);
    unsigned long long size = (unsigned long long)(n < 0 ? -n : n), whole = size / 100, rest = size % 100;
    if (rest) {
        if (rest % 10)
            *--p = (char)('0' + rest % 10);
        *--p = (char)('0' + rest / 10);
        *--p = '.';
    }
    do
        *--p = (char)('0' + whole % 10);
    while (whole /= 10);
    if (n < 0)
        *--p = '-';
    return tr_buf_add(out, p, (size_t)(end - p));
}

/* ---- scales ---- */

/* The smallest step of 1, 2, 5 times a power of 10 with at most so many ticks, and the decimals that it needs. */
static double step_for(double span, unsigned max_ticks, unsigned *decimals)
{
    static const int of[] = { 1, 2, 5 };
    int power = (int)floor(log10(span / max_ticks)) - 1;
    for (;; power++)
        for (size_t i = 0; i < 3; i++) {
            double step = of[i] * power10(power);
            if (floor(span / step * (1 + 1e-12)) + 1 <= max_ticks || power > 300) {
                *decimals = power < 0 ? (unsigned)-power : 0;
                return step;
            }
        }
}

static void linear_ticks(struct tr__scale *s, unsigned max_ticks, bool extend)
{
    double lo = s->lo / s->unit.scale, hi = s->hi / s->unit.scale;
    double span = hi - lo, step = step_for(span, max_ticks, &s->decimals);
    double first = ceil(lo / step - 1e-9), last = floor(hi / step + 1e-9);
    if (extend && (last + 1) * step - hi <= 0.06 * span && (last + 1) * step > hi * (1 + 1e-9)) {
        last++;
        s->hi = last * step * s->unit.scale;
    }
    if (extend && lo < 0 && lo - (first - 1) * step <= 0.06 * span && lo < first * step) {
        first--;
        s->lo = first * step * s->unit.scale;
    }
    s->n_ticks = 0;
    for (double i = first; i <= last && s->n_ticks < TR__MAX_TICKS; i++)
        s->ticks[s->n_ticks++] = i * step * s->unit.scale;
}

static void log_ticks(struct tr__scale *s, unsigned max_ticks)
{
    static const double fine[3][8] = { { 1, 2, 3, 4, 5, 6, 7, 8 }, { 1, 2, 5 }, { 1, 3 } };
    static const unsigned n_fine[] = { 8, 3, 2 };
    int from = (int)lround(log10(s->lo)), to = (int)lround(log10(s->hi));
    unsigned decades = (unsigned)(to - from), each = 1;
    unsigned most = max_ticks < 6 ? max_ticks : 9; /* decades need little room */
    s->n_ticks = 0;
    for (size_t k = 0; k < 3; k++)
        if (decades * n_fine[k] + 1 <= max_ticks) {
            for (int d = from; d < to; d++)
                for (unsigned i = 0; i < n_fine[k]; i++)
                    s->ticks[s->n_ticks++] = fine[k][i] * power10(d);
            s->ticks[s->n_ticks++] = power10(to);
            return;
        }
    while (decades / each + 1 > most)
        each++;
    for (int d = from; d <= to && s->n_ticks < TR__MAX_TICKS; d += (int)each)
        s->ticks[s->n_ticks++] = power10(d);
}

void tr__scale_set(struct tr__scale *s, struct tr__quantity q, double lo, double hi, bool log, bool zero,
                   unsigned max_ticks)
{
    s->q = q;
    s->log = log && lo > 0;
    if (s->log) {
        s->lo = power10((int)floor(log10(lo) + 1e-9));
        s->hi = power10((int)ceil(log10(hi) - 1e-9));
        if (s->hi <= s->lo)
            s->hi = s->lo * 10;
        s->unit = (struct tr__scaled){ 1, "" };
        log_ticks(s, max_ticks);
        return;
    }
    if (zero) {
        lo = lo < 0 ? lo : 0;
        hi = hi > 0 ? hi : 0;
    }
    if (!(hi > lo)) {
        double around = lo ? fabs(lo) * 0.1 : 1;
        hi = zero && lo < 0 ? 0 : lo + around;
        lo = zero ? (lo < 0 ? lo : 0) : lo - around;
    }
    s->lo = lo;
    s->hi = hi;
    s->unit = tr__unit_for(q, fmax(fabs(lo), fabs(hi)));
    linear_ticks(s, max_ticks, true);
}

void tr__scale_exact(struct tr__scale *s, struct tr__quantity q, double lo, double hi, unsigned max_ticks)
{
    s->q = q;
    s->log = false;
    s->lo = lo;
    s->hi = hi > lo ? hi : lo + 1;
    s->unit = tr__unit_for(q, fmax(fabs(s->lo), fabs(s->hi)));
    linear_ticks(s, max_ticks, false);
}

double tr__scale_at(const struct tr__scale *s, double v)
{
    double part;
    if (s->log)
        part = v > 0 ? (log10(v) - log10(s->lo)) / (log10(s->hi) - log10(s->lo)) : 0;
    else
        part = (v - s->lo) / (s->hi - s->lo);
    return s->from + part * (s->to - s->from);
}

bool tr__tick_label(struct tr_buf *out, const struct tr__scale *s, double tick)
{
    if (!s->log)
        return tr__number_add(out, tick / s->unit.scale, s->decimals);
    struct tr__scaled unit = tr__unit_for(s->q, tick);
    if (s->q.measure == TR__NUMBER)
        unit = (struct tr__scaled){ 1, "" };
    double in = tick / unit.scale;
    unsigned d = 0;
    for (double v = in; v < 0.999 && d < 9; v *= 10)
        d++;
    return tr__number_add(out, in, d) && (!*unit.name || (tr_buf_add_str(out, " ") && tr_buf_add_str(out, unit.name)));
}
