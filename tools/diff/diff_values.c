/* SPDX-License-Identifier: MIT */
/* tr-diff: the values of what a condition is about, as in "step_time_us 76208 -> 78773 (+3.37 %, 1.9 sigma)". */
#include "diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Room for what was said so far, and for more. */
static void add(char *out, size_t size, const char *text)
{
    size_t len = strlen(out);
    snprintf(out + len, size - len, "%s", text);
}

/* Times are in microseconds, without decimals if they are long. */
static void add_number(char *out, size_t size, double value, bool time, bool whole)
{
    char text[64];
    if (isnan(value))
        snprintf(text, sizeof text, "-");
    else if (time)
        snprintf(text, sizeof text, whole ? "%.0f" : "%.3f", value / 1000);
    else
        snprintf(text, sizeof text, value == floor(value) ? "%.0f" : "%.3f", value);
    add(out, size, text);
}

void diff_values_add(char *out, size_t size, const char *label, double base, double test, double sigma, bool time)
{
    bool whole = fmin(fabs(base), fabs(test)) >= 1e7, pct = base > 0 && isfinite(test);
    char text[64];
    if (out[0])
        add(out, size, ", ");
    add(out, size, label);
    add(out, size, " ");
    add_number(out, size, base, time, whole);
    add(out, size, " -> ");
    add_number(out, size, test, time, whole);
    if (pct) {
        snprintf(text, sizeof text, " (%+.2f %%", 100 * (test - base) / base);
        add(out, size, text);
    }
    if (pct && isfinite(sigma)) {
        snprintf(text, sizeof text, ", %.1f sigma", sigma);
        add(out, size, text);
    }
    add(out, size, pct ? ")" : "");
}

/* ---- tables of any form ---- */

/* "test_dur_us" without what says whose value it is: "dur_us", with "total." before it if it is of all.  NULL: none. */
static const char *stem_of(const char *name, bool *total)
{
    static const char *const whose[] = { "base_", "test_", "diff_", "pct_" };
    *total = strncmp(name, "total.", 6) == 0;
    name += *total ? 6 : 0;
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++)
        if (strncmp(name, whose[i], strlen(whose[i])) == 0)
            return name + strlen(whose[i]);
    return NULL;
}

static size_t find(const struct tr_cond_var *vars, size_t n, bool total, const char *whose, const char *stem)
{
    char name[120];
    size_t i = 0;
    snprintf(name, sizeof name, "%s%s%s", total ? "total." : "", whose, stem);
    while (i < n && strcmp(vars[i].name, name) != 0)
        i++;
    return i;
}

void diff_values_of_table(struct diff_result *r, const struct tr_cond_var *vars, size_t n,
                          const struct tr_cond_value *values)
{
    r->values[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        bool total, known = false;
        const char *stem = stem_of(vars[i].name, &total);
        if (!stem || vars[i].type == TR_COND_TEXT || !tr_cond_uses(r->cond, i))
            continue;
        if (find(vars, n, total, "base_", stem) == n) /* a percentage is of the times */
            stem = "us";
        for (size_t k = 0; k < i && !known; k++) {
            bool of_total;
            const char *before = stem_of(vars[k].name, &of_total);
            known = before && tr_cond_uses(r->cond, k) && of_total == total && strcmp(before, stem) == 0;
        }
        size_t base = find(vars, n, total, "base_", stem), test = find(vars, n, total, "test_", stem);
        if (known || base == n || test == n)
            continue;
        char label[100];
        snprintf(label, sizeof label, "%s%s", total ? "total." : "", stem);
        diff_values_add(r->values, sizeof r->values, label, values[base].number, values[test].number, NAN,
                        vars[base].type == TR_COND_TIME);
    }
}
