/* SPDX-License-Identifier: MIT */
/* Elements of SVG. */
#include "chart/tr_svg_int.h"

#include "base/tr_escape.h"
#include "chart/tr_chart_scale_int.h"

#include <stdio.h>
#include <string.h>

static void put(struct tr__svg *s, const void *bytes, size_t n)
{
    if (!s->failed && !tr_buf_add(&s->out, bytes, n))
        s->failed = true;
}

void tr__svg_raw(struct tr__svg *s, const char *text)
{
    put(s, text, strlen(text));
}

void tr__svg_escaped(struct tr__svg *s, const char *text, size_t len)
{
    static const char replacement[] = "\xef\xbf\xbd";
    for (size_t i = 0, n, bad; i < len; i += n) {
        n = tr_utf8_char(text + i, len - i, &bad);
        const char *as = text[i] == '&'   ? "&amp;"
                         : text[i] == '<' ? "&lt;"
                         : text[i] == '>' ? "&gt;"
                         : text[i] == '"' ? "&quot;"
                                          : NULL;
        /* U+FFFE and U+FFFF are no characters of XML */
        bool none = n == 0 || (n == 1 && (unsigned char)text[i] < 0x20) ||
                    (n == 3 && memcmp(text + i, "\xef\xbf", 2) == 0 && (unsigned char)text[i + 2] >= 0xbe);
        if (n == 0)
            n = bad;
        if (none || as)
            tr__svg_raw(s, none ? replacement : as);
        else
            put(s, text + i, n);
    }
}

void tr__svg_at(struct tr__svg *s, const char *before, double v)
{
    tr__svg_raw(s, before);
    if (!s->failed && !tr__coord_add(&s->out, v))
        s->failed = true;
}

static void attribute(struct tr__svg *s, const char *name, double v)
{
    tr__svg_raw(s, " ");
    tr__svg_raw(s, name);
    tr__svg_at(s, "=\"", v);
    tr__svg_raw(s, "\"");
}

void tr__svg_rect(struct tr__svg *s, double x, double y, double w, double h, const char *classes,
                  const struct tr_buf *hover)
{
    tr__svg_raw(s, "<rect");
    attribute(s, "x", x);
    attribute(s, "y", y);
    attribute(s, "width", w);
    attribute(s, "height", h);
    tr__svg_raw(s, " class=\"");
    tr__svg_raw(s, classes);
    if (!hover || !hover->len) {
        tr__svg_raw(s, "\"/>\n");
        return;
    }
    tr__svg_raw(s, "\"><title>");
    tr__svg_escaped(s, (const char *)hover->data, hover->len);
    tr__svg_raw(s, "</title></rect>\n");
}

void tr__svg_bar(struct tr__svg *s, double x, double y, double w, double h, enum tr__colour c, bool edge,
                 const struct tr_buf *hover)
{
    char classes[24];
    s->colours |= 1u << c;
    snprintf(classes, sizeof classes, "%sf-%s", edge && w > 3 && h > 3 ? "sg " : "", tr__colour_name(c));
    tr__svg_rect(s, x, y, w, h, classes, hover);
}

void tr__svg_line(struct tr__svg *s, double x1, double y1, double x2, double y2, const char *classes)
{
    tr__svg_at(s, "<path d=\"M", x1);
    tr__svg_at(s, " ", y1);
    tr__svg_at(s, "L", x2);
    tr__svg_at(s, " ", y2);
    tr__svg_raw(s, "\" class=\"");
    tr__svg_raw(s, classes);
    tr__svg_raw(s, "\"/>\n");
}

void tr__svg_text(struct tr__svg *s, double x, double y, const char *classes, const char *text, size_t len)
{
    tr__svg_raw(s, "<text");
    attribute(s, "x", x);
    attribute(s, "y", y);
    if (*classes) {
        tr__svg_raw(s, " class=\"");
        tr__svg_raw(s, classes);
        tr__svg_raw(s, "\"");
    }
    tr__svg_raw(s, ">");
    tr__svg_escaped(s, text, len);
    tr__svg_raw(s, "</text>\n");
}
