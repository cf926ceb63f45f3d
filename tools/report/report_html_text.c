/* SPDX-License-Identifier: MIT */
/* tr-report: times and sentences as HTML has them. */
#include "report/report_html.h"

#include <math.h>
#include <string.h>

/* ---- times ---- */

static const char *scaled(double ns, double *v, int *decimals)
{
    double size = fabs(ns);
    *v = size >= 1e9 ? ns / 1e9 : size >= 1e6 ? ns / 1e6 : size >= 1e3 ? ns / 1e3 : ns;
    *decimals = size < 1e3 ? 0 : fabs(*v) >= 100 ? 0 : fabs(*v) >= 10 ? 1 : 2;
    return size >= 1e9 ? "s" : size >= 1e6 ? "ms" : size >= 1e3 ? "\xc2\xb5s" : "ns";
}

bool report_html_time(struct tr_buf *out, double ns)
{
    double v;
    int decimals;
    const char *unit = scaled(ns, &v, &decimals);
    return tr_buf_print(out, "%.*f\xc2\xa0<span class=\"unit\">%s</span>", decimals, v, unit);
}

bool report_html_plain_time(struct tr_buf *out, double ns)
{
    double v;
    int decimals;
    const char *unit = scaled(ns, &v, &decimals);
    return tr_buf_print(out, "%.*f\xc2\xa0%s", decimals, v, unit);
}

/* ---- sentences ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of a decimal number at the start of a text, and its value. */
static size_t number_at(const char *s, size_t len, double *v)
{
    size_t n = 0;
    double unit = 1;
    for (*v = 0; n < len && is_digit(s[n]); n++)
        *v = *v * 10 + (s[n] - '0');
    if (n + 1 < len && s[n] == '.' && is_digit(s[n + 1]))
        for (n++; n < len && is_digit(s[n]); n++)
            *v += (s[n] - '0') * (unit /= 10);
    return n;
}

/* The unit after a number, in ns; 0: it is no time. */
static double unit_at(const char *s, size_t len)
{
    bool ends = len == 3 || (len > 3 && (s[3] == ' ' || s[3] == ',' || s[3] == '.' || s[3] == ')' || s[3] == ':'));
    return !ends ? 0 : memcmp(s, " us", 3) == 0 ? 1e3 : memcmp(s, " ms", 3) == 0 ? 1e6 : 0;
}

bool report_html_sentence(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0, n; ok && i < len; i += n) {
        bool starts = is_digit(s[i]) && (!i || s[i - 1] == ' ' || s[i - 1] == '(');
        double v = 0, unit = 0;
        n = starts ? number_at(s + i, len - i, &v) : 1;
        unit = starts ? unit_at(s + i + n, len - i - n) : 0;
        bool share = s[i] == ' ' && i + 1 < len && s[i + 1] == '%'; /* stays with its number */
        ok = unit > 0 ? report_html_plain_time(out, v * unit)
             : share  ? tr_buf_add_str(out, "\xc2\xa0")
                      : tr_buf_add(out, s + i, n);
        n += unit > 0 ? 3 : 0;
    }
    return ok;
}
