/* SPDX-License-Identifier: MIT */
/* The frame of a page, text, pictures. */
#include "sink/tr_html.h"

#include "base/tr_digest_int.h"
#include "base/tr_escape.h"
#include "chart/tr_chart_svg.h"
#include "sink/tr_page_int.h"
#include "table/tr_table_int.h"

#include <nettle/base64.h>
#include <string.h>

#define WIDE   880u /* pixels */
#define NARROW 380u

/* ---- text ---- */

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_none(const char *s, size_t n)
{
    return n == 3 && memcmp(s, "\xef\xbf", 2) == 0 && (unsigned char)s[2] >= 0xbe;
}

static const char *entity(char c)
{
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : NULL;
}

bool tr_html_text(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0, n; ok && i < len; i += n) {
        bool plain = tr_escape_plain(s + i, len - i, &n) && !is_none(s + i, n);
        const char *as = plain ? entity(s[i]) : NULL;
        ok = !plain ? tr_escape_bytes(out, s + i, n) : as ? tr_buf_add_str(out, as) : tr_buf_add(out, s + i, n);
    }
    return ok;
}

bool tr_html_element(struct tr_buf *out, const char *open, const char *s, size_t len)
{
    return tr_buf_print(out, "<%s>", open) && tr_html_text(out, s, len) &&
           tr_buf_print(out, "</%.*s>\n", (int)strcspn(open, " "), open);
}

bool tr_html_command(struct tr_buf *out, const char *s, size_t len, bool open)
{
    return tr_buf_print(out, "<details class=\"command\"%s><summary>Command</summary>", open ? " open=\"open\"" : "") &&
           tr_html_element(out, "pre", s, len) && tr_buf_add_str(out, "</details>\n");
}

/* ---- the frame ---- */

/* The text of an element whose contents are not markup, so that it is also right in XML. */
static bool add_verbatim(struct tr_buf *to, const char *text)
{
    return tr_buf_add_str(to, "/*<![CDATA[*/\n") && tr_buf_add_str(to, text) && tr_buf_add_str(to, "/*]]>*/");
}

static bool add_style(struct tr_buf *to)
{
    struct tr_buf all = { 0 };
    bool ok = tr_buf_add_str(&all, tr__page_style) && tr_chart_figure_style(&all) && tr_buf_add(&all, "", 1) &&
              add_verbatim(to, tr_buf_text(&all));
    tr_buf_free(&all);
    return ok;
}

/* "'sha256-...'" of a text, as a policy names it. */
static bool add_digest(struct tr_buf *out, const struct tr_buf *of)
{
    unsigned char digest[TR__SHA256_LEN];
    char text[BASE64_ENCODE_RAW_LENGTH(TR__SHA256_LEN) + 1];
    tr__sha256(of->data, of->len, digest);
    base64_encode_raw(text, sizeof digest, digest);
    text[sizeof text - 1] = '\0';
    return tr_buf_print(out, "'sha256-%s'", text);
}

static bool add_policy(struct tr_buf *out, const struct tr_buf *style, const struct tr_buf *script)
{
    return tr_buf_add_str(out,
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ") &&
           add_digest(out, style) && tr_buf_add_str(out, "; script-src ") && add_digest(out, script) &&
           tr_buf_add_str(out, "; base-uri 'none'; form-action 'none'\"/>\n");
}

bool tr_html_start(struct tr_buf *out, const char *title)
{
    struct tr_buf style = { 0 }, script = { 0 };
    bool ok = add_style(&style) && add_verbatim(&script, tr__page_script) &&
              tr_buf_add_str(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                                  "<meta charset=\"utf-8\"/>\n") &&
              add_policy(out, &style, &script) &&
              tr_buf_add_str(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                                  "<meta name=\"color-scheme\" content=\"light dark\"/>\n") &&
              tr_html_element(out, "title", title, strlen(title)) && tr_buf_add_str(out, "<style>") &&
              tr_buf_add(out, style.data, style.len) &&
              tr_buf_add_str(out, "</style>\n</head>\n<body>\n<div class=\"frame\">\n");
    tr_buf_free(&style);
    tr_buf_free(&script);
    return ok;
}

bool tr_html_end(struct tr_buf *out)
{
    return tr_buf_add_str(out, "</div>\n<script>") && add_verbatim(out, tr__page_script) &&
           tr_buf_add_str(out, "</script>\n</body>\n</html>\n");
}

/* ---- pictures ---- */

static bool add_legend(struct tr_buf *out, const struct tr_chart_figure *f)
{
    bool ok = !f->n_legend || tr_buf_add_str(out, "<ul class=\"legend\">");
    for (unsigned i = 0; ok && i < f->n_legend; i++)
        ok = tr_buf_print(
                 out,
                 "<li><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"13\" height=\"13\" aria-hidden=\"true\">"
                 "<rect width=\"13\" height=\"13\" rx=\"2\" class=\"%s\"/></svg>",
                 f->legend[i].classes) &&
             tr_html_text(out, tr_buf_text(&f->legend[i].name), f->legend[i].name.len) && tr_buf_add_str(out, "</li>");
    return ok && (!f->n_legend || tr_buf_add_str(out, "</ul>\n"));
}

/* What the picture leaves out; the two sizes may differ in that. */
static bool add_notes(struct tr_buf *out, const struct tr_buf *wide, const struct tr_buf *narrow)
{
    if (!wide->len && !narrow->len)
        return true;
    if (wide->len == narrow->len && memcmp(wide->data, narrow->data, wide->len) == 0)
        return tr_html_element(out, "figcaption class=\"notes\"", tr_buf_text(wide), wide->len);
    return tr_buf_add_str(out, "<figcaption class=\"notes\">") &&
           tr_html_element(out, "div class=\"wide\"", tr_buf_text(wide), wide->len) &&
           tr_html_element(out, "div class=\"narrow\"", tr_buf_text(narrow), narrow->len) &&
           tr_buf_add_str(out, "</figcaption>\n");
}

static bool add_sizes(struct tr_buf *out, const struct tr_chart_figure *wide, const struct tr_chart_figure *narrow)
{
    return tr_buf_add_str(out, "<figure>\n") && add_legend(out, wide) && tr_buf_add_str(out, "<div class=\"wide\">") &&
           tr_buf_add(out, wide->svg.data, wide->svg.len) && tr_buf_add_str(out, "</div>\n<div class=\"narrow\">") &&
           tr_buf_add(out, narrow->svg.data, narrow->svg.len) && tr_buf_add_str(out, "</div>\n") &&
           add_notes(out, &wide->notes, &narrow->notes) && tr_buf_add_str(out, "</figure>\n");
}

enum tr_status tr_html_figure(struct tr_buf *out, struct tr_table *t, const struct tr_picture *picture,
                              struct tr_error *err)
{
    struct tr_chart_figure wide = { .n_legend = 0 }, narrow = { .n_legend = 0 };
    const char *label = picture->title ? picture->title : "picture of the table below";
    tr__table_complete(t);
    enum tr_status st = tr_chart_figure(t, picture, WIDE, label, &wide, err);
    if (st == TR_OK)
        st = tr_chart_figure(t, picture, NARROW, label, &narrow, err);
    if (st == TR_OK && wide.svg.len && !add_sizes(out, &wide, &narrow))
        st = tr_fail_memory(err);
    tr_chart_figure_free(&wide);
    tr_chart_figure_free(&narrow);
    return st;
}
