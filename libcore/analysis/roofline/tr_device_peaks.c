/* SPDX-License-Identifier: MIT */
/* The peaks that a roofline is drawn with. */
#include "analysis/roofline/tr_device_peaks.h"

#include "base/tr_mem.h"
#include "model/selection/tr_select.h"
#include "model/tr_source_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LEN = 64 };

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is a text a word of a name, whatever its case? */
static bool has_word(struct tr_str name, struct tr_str word)
{
    for (size_t i = 0; word.len && i + word.len <= name.len; i++) {
        size_t k = 0;
        while (k < word.len && lower(name.s[i + k]) == lower(word.s[k]))
            k++;
        if (k == word.len && (i == 0 || !is_word(name.s[i - 1])) &&
            (i + k == name.len || !is_word(name.s[i + k])))
            return true;
    }
    return false;
}

/* The next section of the library's peaks after *at; empty: the end. */
static struct tr_str next_section(const char **at)
{
    const char *open = *at;
    while (*open && !(*open == '[' && (open == tr_peaks_builtin || open[-1] == '\n')))
        open++;
    const char *close = *open ? strchr(open, ']') : NULL;
    if (!close)
        return (struct tr_str){ NULL, 0 };
    *at = close;
    return (struct tr_str){ open + 1, (size_t)(close - open - 1) };
}

/* Other boards of a product have less power, and so other peaks. */
static bool same_board(struct tr_str product, struct tr_str section)
{
    static const char *const boards[] = { "PCIe", "NVL", NULL };
    for (const char *const *board = boards; *board; board++)
        if (has_word(product, tr_str_of(*board)) != has_word(section, tr_str_of(*board)))
            return false;
    return true;
}

static bool is_of(struct tr_str product, struct tr_str section)
{
    return has_word(product, section) && same_board(product, section);
}

static struct tr_str section_of(struct tr_str product)
{
    const char *at = tr_peaks_builtin;
    struct tr_str section;
    while ((section = next_section(&at)).len && !is_of(product, section))
        ;
    return section;
}

static bool add_product(struct tr_device_peaks *p, struct tr_str name)
{
    for (size_t i = 0; i < p->n; i++)
        if (name.s ? p->products[i].s && tr_str_cmp(p->products[i], name) == 0 : !p->products[i].s)
            return true;
    if (!tr_grow(&p->products, &p->cap, p->n + 1, sizeof *p->products))
        return false;
    p->products[p->n++] = name;
    return true;
}

void tr_device_peaks_free(struct tr_device_peaks *p)
{
    free(p->products);
}

bool tr_device_peaks_sources(struct tr_device_peaks *p, const struct tr_analysis_in *in)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < in->dict->n_sources; i++)
        ok = (in->select && !tr_select_source(in->select, i)) ||
             add_product(p, tr_source_device_name(in->dict, &in->dict->sources[i]));
    return ok;
}

/*
 * The section of all devices; empty: unknown, or they differ.  *product: the name of a device, with given the first one
 * that is not of that section.
 */
static struct tr_str device_of(const struct tr_device_peaks *p, const struct tr_peaks *given, struct tr_str *product)
{
    struct tr_str found = { NULL, 0 };
    bool same = true;
    for (size_t i = 0; i < p->n; i++) {
        struct tr_str name = p->products[i], section = section_of(name);
        same = same && section.len && (!found.len || tr_str_cmp(found, section) == 0);
        found = section;
        if (name.len && (!given || (!product->len && !is_of(name, tr_str_of(given->name)))))
            *product = name;
    }
    return same ? found : (struct tr_str){ NULL, 0 };
}

static bool is_builtin(const struct tr_peaks *p)
{
    const char *at = tr_peaks_builtin;
    struct tr_str section;
    while ((section = next_section(&at)).len && !tr_str_is(section, p->name))
        ;
    return section.len > 0;
}

/* The given peaks, else those of the library. */
static enum tr_status choose_sheet(struct tr_device_peaks *p, const struct tr_analysis_in *in,
                                   const struct tr_peaks *given, struct tr_error *err)
{
    struct tr_str product = { NULL, 0 }, section = device_of(p, given, &product);
    char name[NAME_MAX_LEN];
    p->use = given && given->n + (given->bandwidth > 0) ? given : NULL;
    if (given && product.len && is_builtin(given))
        tr_analysis_remark(in, TR_REMARK_WARN, "", "the peaks are of %s, but the trace is of '%.*s' (--arch)",
                           given->name, (int)product.len, product.s);
    if (given || !section.len)
        return TR_OK;
    snprintf(name, sizeof name, "%.*s", (int)section.len, section.s);
    enum tr_status st = tr_peaks_text(&p->found, name, "devices", tr_peaks_builtin, strlen(tr_peaks_builtin), err);
    if (st == TR_OK) {
        p->use = &p->found;
        tr_analysis_remark(in, TR_REMARK_RESULT, "", "peaks of %s, because the trace is of '%.*s' (--arch)", name,
                           (int)product.len, product.s);
    }
    return st == TR_NO ? TR_OK : st;
}

/* ---- measured figures ---- */

/* A measured figure in place of one of the data sheet, which it should not exceed; above: names of those that do. */
static void take(double *figure, double measured, const char *name, char names[200], char above[200])
{
    if (measured <= 0)
        return;
    const size_t at = strlen(names), over = strlen(above);
    snprintf(names + at, 200 - at, "%s%s", at ? ", " : "", name);
    if (*figure > 0 && measured > *figure)
        snprintf(above + over, 200 - over, "%s%s %.6g of %.6g", over ? ", " : "", name, measured, *figure);
    *figure = measured;
}

enum tr_status tr_device_peaks_choose(struct tr_device_peaks *p, const struct tr_analysis_in *in,
                                      const struct tr_peaks *given, const struct tr_peaks *measured,
                                      struct tr_error *err)
{
    char names[200] = "", above[200] = "";
    enum tr_status st = choose_sheet(p, in, given, err);
    if (st != TR_OK || !measured)
        return st;
    const bool sheet = p->use != NULL;
    if (sheet && p->use != &p->found)
        p->found = *p->use;
    struct tr_peaks *to = &p->found;
    take(&to->bandwidth, measured->bandwidth, "bandwidth", names, above);
    take(&to->l3_bandwidth, measured->l3_bandwidth, "l3_bandwidth", names, above);
    for (size_t i = 0; i < measured->n; i++) {
        const char *spec = measured->of[i].spec;
        double figure = tr_peaks_of(to, spec);
        take(&figure, measured->of[i].tflops, spec, names, above);
        if ((st = tr_peaks_set(to, tr_str_of(spec), figure, err)) != TR_OK)
            return st;
    }
    p->use = to;
    p->measured = true;
    tr_analysis_remark(in, TR_REMARK_RESULT, "", "roofs as measured (%s): %s%s%s", measured->name, names,
                       sheet ? "; other roofs are peaks of " : "; there are no others (--arch)",
                       sheet ? to->name : "");
    if (above[0])
        tr_analysis_remark(in, TR_REMARK_WARN, "", "measured above the peak of the device: %s (--measured, --arch)",
                           above);
    return TR_OK;
}

/* ---- partial results ---- */

const struct tr_saved_column tr_device_peaks_columns[1] = { { "device", TR_SAVED_TEXT, 0 } };

void tr_device_peaks_save(const struct tr_device_peaks *p, struct tr_partial_out *out, size_t table)
{
    for (size_t i = 0; i < p->n; i++)
        tr_partial_put(out, table, &p->products[i]);
}

enum tr_status tr_device_peaks_load(struct tr_device_peaks *p, struct tr_partial_in *in, size_t table,
                                    struct tr_error *err)
{
    struct tr_str name;
    while (tr_partial_get(in, table, &name))
        if (!add_product(p, tr_dict_text_if(tr_partial_dict(in), tr_partial_string(in, name))))
            return tr_fail_memory(err);
    return tr_partial_status(in, err);
}
