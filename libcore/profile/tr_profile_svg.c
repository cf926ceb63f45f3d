/* SPDX-License-Identifier: MIT */
/*
 * Profiles as a picture: the root on top, and below each frame those inside it, ordered by name.  Of two sides, boxes
 * are red where the test has more and blue where it has less, the stronger the larger the change is.
 */
#include "chart/tr_chart_draw_int.h"
#include "chart/tr_chart_text_int.h"
#include "profile/tr_profile_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NARROW    0.3 /* pixels of the narrowest box */
#define MAX_BOXES 12000u
#define MAX_ROWS  256u
#define MAX_NAME  1000u /* bytes */
#define NAME_ROOM 30.0 /* pixels of the narrowest box with a text */

/* ---- what pictures and pages share ---- */

struct tr__quantity tr__profile_quantity(enum tr_profile_weight w)
{
    bool time = w == TR_PROFILE_HOST || w == TR_PROFILE_DEVICE;
    return (struct tr__quantity){ time ? TR__TIME : w == TR_PROFILE_BYTES ? TR__BYTES : TR__NUMBER, "" };
}

double tr__profile_measure(const struct tr_profile *p, const struct tr_profile_about *about, uint32_t node)
{
    double test = (double)tr_profile_total(p, node, TR_PROFILE_TEST, about->weight);
    if (!about->compared)
        return test;
    return (test + (double)tr_profile_total(p, node, TR_PROFILE_BASE, about->weight)) / 2;
}

bool tr__profile_plain(const struct tr_profile *p, uint32_t node, struct tr_buf *out)
{
    struct tr_str name = tr_profile_name(p, node);
    bool cut = name.len > MAX_NAME;
    if (node == TR_PROFILE_ROOT)
        return tr_buf_add_str(out, "all");
    for (name.len = cut ? MAX_NAME : name.len; cut && name.len && ((unsigned char)name.s[name.len] & 0xc0) == 0x80;)
        name.len--; /* no part of a character */
    return name.len ? tr__text_plain(out, name.s, name.len) && (!cut || tr_buf_add_str(out, "\xe2\x80\xa6"))
                    : tr_buf_add_str(out, "(no name)");
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

bool tr__profile_cut(const struct tr_profile *p, const struct tr_profile_about *about, size_t n, double at_least,
                     struct tr__profile_cut *cut)
{
    size_t count = 0, nodes = tr_profile_count(p);
    double *measures = malloc(nodes * sizeof *measures);
    *cut = (struct tr__profile_cut){ at_least, SIZE_MAX };
    if (!measures)
        return false;
    for (uint32_t i = 0; i < nodes; i++) {
        double m = tr__profile_measure(p, about, i);
        if (m >= at_least && m > 0)
            measures[count++] = m;
    }
    if (count > n) {
        qsort(measures, count, sizeof *measures, descending);
        *cut = (struct tr__profile_cut){ measures[n - 1], 0 };
        for (size_t i = n; i-- > 0 && measures[i] == cut->limit;)
            cut->ties++;
    }
    free(measures);
    return true;
}

/* ---- classes ---- */

static const struct flame_class {
    enum tr__colour colour;
    const char *says;
} classes[TR__N_FLAME_CLASSES] = {
    [TR_PROFILE_OTHER] = { TR__IDLE, "other" },
    [TR_PROFILE_PYTHON] = { TR__SERIES, "Python, module" },
    [TR_PROFILE_ANNOTATION] = { TR__OTHER, "annotation, step" },
    [TR_PROFILE_OPERATOR] = { TR__COMPUTE, "operator" },
    [TR_PROFILE_CALL] = { TR__COMM, "runtime call" },
    [TR_PROFILE_WORK] = { TR__MEMORY, "device work" },
    [TR__FLAME_SAME] = { TR__IDLE, "same" },
    [TR__FLAME_LESS] = { TR__COMPUTE, "less than the base" },
    [TR__FLAME_MORE] = { TR__COMM, "more" },
};

const char *tr__flame_classes(unsigned c)
{
    return tr__colour_name(classes[c].colour);
}

double tr__flame_row(unsigned rows)
{
    return rows <= 14 ? 28 : rows <= 40 ? 20 : 16;
}

struct flame {
    struct tr__drawing d;
    const struct tr_profile *p;
    const struct tr_profile_about *about;
    struct tr__quantity q;
    double all, row;
    struct tr__profile_cut cut;
    double *next;      /* by node: where its next child is */
    unsigned n_rows, used; /* used: classes, as bits */
    bool page;
};

static unsigned class_of(const struct flame *f, uint32_t node, const char **strength)
{
    double test = (double)tr_profile_total(f->p, node, TR_PROFILE_TEST, f->about->weight);
    double base = (double)tr_profile_total(f->p, node, TR_PROFILE_BASE, f->about->weight);
    double change = fabs(test - base) / fmax(fmax(test, base), 1);
    *strength = "";
    if (!f->about->compared)
        return tr_profile_at(f->p, node)->kind;
    if (test == base)
        return TR__FLAME_SAME;
    *strength = change < 0.05 ? "ar " : change < 0.25 ? "pt " : "";
    return test > base ? TR__FLAME_MORE : TR__FLAME_LESS;
}

/* ---- boxes ---- */

static bool add_percent(struct tr_buf *out, double part, double all)
{
    return tr__number_short(out, all > 0 ? 100 * part / all : 0, (struct tr__quantity){ TR__PERCENT, "" });
}

/* "aten::mm: 12.3 ms (4.5 %), itself 1 ms"; "aten::mm: 12.3 ms, base 10 ms (+2.3 ms)". */
static bool add_hover(const struct flame *f, uint32_t node, const struct tr_buf *name, struct tr_buf *out)
{
    enum tr_profile_weight w = f->about->weight;
    double test = (double)tr_profile_total(f->p, node, TR_PROFILE_TEST, w);
    double base = (double)tr_profile_total(f->p, node, TR_PROFILE_BASE, w);
    bool ok = tr_buf_add(out, name->data, name->len) && tr_buf_add_str(out, ": ") && tr__number_short(out, test, f->q);
    if (ok && f->about->compared)
        return tr_buf_add_str(out, ", base ") && tr__number_short(out, base, f->q) &&
               tr_buf_add_str(out, test < base ? " (" : " (+") && tr__number_short(out, test - base, f->q) &&
               tr_buf_add_str(out, ")");
    return ok && tr_buf_add_str(out, " (") && add_percent(out, test, f->all) && tr_buf_add_str(out, "), itself ") &&
           tr__number_short(out, (double)tr_profile_self(f->p, node, TR_PROFILE_TEST, w), f->q);
}

/* The name, and the share if there is room for it. */
static bool add_label(const struct flame *f, uint32_t node, const struct tr_buf *name, double room, struct tr_buf *out)
{
    struct tr_buf both = { 0 };
    double m = tr__profile_measure(f->p, f->about, node);
    bool ok = tr_buf_add(&both, name->data, name->len) && tr_buf_add_str(&both, "  ") &&
              (node == TR_PROFILE_ROOT ? tr__number_short(&both, m, f->q) : add_percent(&both, m, f->all));
    bool fits = ok && tr__text_px(tr_buf_text(&both), both.len, TR__TICK_PX, false) <= room;
    ok = ok && (fits ? tr_buf_add(out, both.data, both.len)
                     : tr__text_cut_end(out, tr_buf_text(name), name->len, TR__TICK_PX, room));
    tr_buf_free(&both);
    return ok;
}

static void draw_box(struct flame *f, uint32_t node, double x, double w)
{
    struct tr_buf name = { 0 }, hover = { 0 }, label = { 0 };
    const char *strength;
    char fill[48];
    unsigned c = class_of(f, node, &strength);
    double y = TR__FLAME_TOP + f->row * tr_profile_depth(f->p, node), h = f->row - 1;
    f->used |= 1u << c;
    f->d.svg.colours |= 1u << classes[c].colour;
    bool ok = tr__profile_plain(f->p, node, &name) && add_hover(f, node, &name, &hover);
    snprintf(fill, sizeof fill, "%s%sf-%s", w > 3 ? "sg " : "", strength, tr__colour_name(classes[c].colour));
    tr__svg_rect(&f->d.svg, x, y, w, h, fill, &hover);
    if (ok && w >= NAME_ROOM) {
        ok = add_label(f, node, &name, w - 8, &label);
        snprintf(fill, sizeof fill, "sm%s%s", *strength ? "" : " t-",
                 *strength ? "" : tr__colour_name(classes[c].colour));
        tr__svg_text(&f->d.svg, x + 4, y + h / 2 + 4, fill, tr_buf_text(&label), label.len);
    }
    f->d.svg.failed |= !ok;
    tr_buf_free(&name);
    tr_buf_free(&hover);
    tr_buf_free(&label);
}

static void draw_boxes(struct flame *f)
{
    double scale = (f->d.width - 2 * TR__FLAME_LEFT) / f->all;
    struct tr__profile_cut cut = f->cut;
    f->next[TR_PROFILE_ROOT] = 0;
    tr__svg_raw(&f->d.svg, f->page ? "<g id=\"frames\">\n" : ""); /* which the script fills in */
    for (size_t i = 0; i < tr_profile_count(f->p); i++) {
        uint32_t node = tr_profile_ordered(f->p, i), parent = tr_profile_at(f->p, node)->parent;
        double m = tr__profile_measure(f->p, f->about, node), x = parent == TR_PROFILE_NONE ? 0 : f->next[parent];
        if (parent != TR_PROFILE_NONE)
            f->next[parent] += m;
        f->next[node] = x;
        if (tr__profile_takes(&cut, m) && tr_profile_depth(f->p, node) < f->n_rows)
            draw_box(f, node, TR__FLAME_LEFT + x * scale, m * scale);
    }
    tr__svg_raw(&f->d.svg, f->page ? "</g>\n" : "");
}

static void draw_legend(struct flame *f)
{
    double x = f->d.width - TR__FLAME_LEFT;
    for (unsigned c = TR__N_FLAME_CLASSES; c-- > 0;) {
        const char *says = classes[c].says;
        if (!(f->used >> c & 1))
            continue;
        x -= tr__text_px(says, strlen(says), TR__TEXT_PX, false);
        tr__svg_text(&f->d.svg, x, 78, "", says, strlen(says));
        x -= 18;
        tr__svg_bar(&f->d.svg, x, 68, 12, 12, classes[c].colour, false, NULL);
        x -= 20;
    }
}

/* The rows that have boxes, and a note about stacks that have none. */
static void find_rows(struct flame *f)
{
    size_t n_narrow = 0;
    unsigned rows = 0;
    struct tr__profile_cut cut = f->cut;
    for (size_t i = 0; i < tr_profile_count(f->p); i++) {
        uint32_t node = tr_profile_ordered(f->p, i);
        double m = tr__profile_measure(f->p, f->about, node);
        unsigned depth = tr_profile_depth(f->p, node) + 1;
        bool drawn = tr__profile_takes(&cut, m);
        n_narrow += m > 0 && !drawn;
        rows = drawn && depth > rows ? depth : rows;
    }
    f->n_rows = rows > MAX_ROWS ? MAX_ROWS : rows;
    f->row = tr__flame_row(f->n_rows);
    f->d.height = TR__FLAME_TOP + f->row * f->n_rows + TR__FLAME_BELOW;
    if (f->n_rows < rows)
        tr__note(&f->d, "the first %u of %u rows", f->n_rows, rows);
    if (n_narrow) {
        struct tr_buf count = { 0 };
        f->d.svg.failed |= !tr__number_add(&count, (double)n_narrow, 0);
        tr__note(&f->d, "%.*s stacks are too narrow to be drawn", (int)count.len, tr_buf_text(&count));
        tr_buf_free(&count);
    }
}

enum tr_status tr__profile_draw(const struct tr_profile *p, const struct tr_profile_about *about, bool page,
                                struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_picture none = { .width = 0 };
    struct flame f = { .p = p, .about = about, .q = tr__profile_quantity(about->weight), .page = page };
    f.d.about = about->picture ? about->picture : &none;
    f.d.title = f.d.about->title ? f.d.about->title : "";
    f.d.width = TR__FLAME_WIDTH;
    f.d.height = 300;
    f.next = malloc(tr_profile_count(p) * sizeof *f.next);
    f.all = tr__profile_measure(p, about, TR_PROFILE_ROOT);
    double narrow = NARROW * f.all / (f.d.width - 2 * TR__FLAME_LEFT);
    bool ok = f.next && tr__profile_cut(p, about, MAX_BOXES, narrow, &f.cut);
    for (unsigned c = 0; page && c < TR__N_FLAME_CLASSES; c++)
        f.d.svg.colours |= 1u << classes[c].colour;
    if (about->base)
        tr__note(&f.d, "base: %s", about->base);
    tr__note(&f.d, "width: %s%s", tr_profile_says(about->weight), about->compared ? ", mean of both" : "");
    if (ok) {
        if (f.all > 0)
            find_rows(&f);
        tr__draw_title(&f.d);
        if (f.all > 0) {
            draw_boxes(&f);
            draw_legend(&f);
        } else {
            tr__draw_nothing(&f.d, "no stack has any of this weight");
        }
        ok = tr__draw_end(&f.d, out);
    }
    free(f.next);
    tr_buf_free(&f.d.svg.out);
    tr_buf_free(&f.d.notes);
    tr_buf_free(&f.d.own_title);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_profile_svg(const struct tr_profile *p, const struct tr_profile_about *about, struct tr_buf *out,
                              struct tr_error *err)
{
    return tr__profile_draw(p, about, false, out, err);
}
