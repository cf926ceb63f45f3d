/* SPDX-License-Identifier: MIT */
/*
 * Profiles as a page: the picture, which is complete without a script; the profile as JSON; and flame.js, which draws
 * the same boxes from it, zooms and searches.  The policy of the page allows no network, and no script but this one.
 */
#include "base/tr_digest_int.h"
#include "base/tr_escape.h"
#include "json/tr_json_write.h"
#include "profile/tr_profile_int.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 50000u

struct page {
    const struct tr_profile *p;
    const struct tr_profile_about *about;
    uint32_t *nodes, *number; /* those of the page in order; their numbers there, by node */
    size_t n;
    struct tr_json_doc j;
};

static bool key(struct page *g, const char *name)
{
    return tr_json_doc_key(&g->j, tr_str_of(name));
}

/* ---- the profile as JSON ---- */

static bool choose_nodes(struct page *g)
{
    size_t n = tr_profile_count(g->p);
    struct tr__profile_cut cut;
    g->nodes = malloc(n * sizeof *g->nodes);
    g->number = malloc(n * sizeof *g->number);
    if (!g->nodes || !g->number || !tr__profile_cut(g->p, g->about, MAX_NODES, 0, &cut))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t node = tr_profile_ordered(g->p, i);
        if (!tr__profile_takes(&cut, tr__profile_measure(g->p, g->about, node)))
            continue;
        g->number[node] = (uint32_t)g->n;
        g->nodes[g->n++] = node;
    }
    return true;
}

enum member { PARENT, NAME, KIND, TEST, SELF, BASE };

static int64_t member_of(const struct page *g, uint32_t node, enum member m)
{
    const struct tr_profile_node *at = tr_profile_at(g->p, node);
    enum tr_profile_weight w = g->about->weight;
    switch (m) {
    case PARENT:
        return at->parent == TR_PROFILE_NONE ? 0 : g->number[at->parent];
    case KIND:
        return at->kind;
    case TEST:
        return tr_profile_total(g->p, node, TR_PROFILE_TEST, w);
    case SELF:
        return tr_profile_self(g->p, node, TR_PROFILE_TEST, w);
    default:
        return tr_profile_total(g->p, node, TR_PROFILE_BASE, w);
    }
}

static bool add_member(struct page *g, const char *name, enum member m)
{
    bool ok = key(g, name) && tr_json_doc_open(&g->j, '[');
    for (size_t i = 0; ok && i < g->n; i++)
        ok = tr_json_doc_i64(&g->j, member_of(g, g->nodes[i], m));
    return ok && tr_json_doc_close(&g->j);
}

/* Names once each, as they are shown, and which of them each node has. */
static bool add_names(struct page *g)
{
    struct tr_strtab *names = tr_strtab_new();
    uint32_t *of = malloc(g->n * sizeof *of);
    bool ok = names && of && key(g, "names") && tr_json_doc_open(&g->j, '[');
    for (size_t i = 0; ok && i < g->n; i++) {
        struct tr_buf plain = { 0 };
        uint32_t had = tr_strtab_count(names);
        ok = tr__profile_plain(g->p, g->nodes[i], &plain);
        of[i] = ok ? tr_strtab_add(names, tr_buf_text(&plain), plain.len) : TR_NO_STR;
        ok = of[i] != TR_NO_STR;
        if (ok && of[i] == had)
            ok = tr_json_doc_str(&g->j, (struct tr_str){ tr_buf_text(&plain), plain.len });
        tr_buf_free(&plain);
    }
    ok = ok && tr_json_doc_close(&g->j) && key(g, "name") && tr_json_doc_open(&g->j, '[');
    for (size_t i = 0; ok && i < g->n; i++)
        ok = tr_json_doc_i64(&g->j, of[i]);
    ok = ok && tr_json_doc_close(&g->j);
    tr_strtab_free(names);
    free(of);
    return ok;
}

static bool add_units(struct page *g)
{
    static const double steps[] = { 1e15, 1e12, 1e9, 1e6, 1e3, 1 };
    struct tr__quantity q = tr__profile_quantity(g->about->weight);
    const char *before = NULL;
    bool ok = key(g, "units") && tr_json_doc_open(&g->j, '[');
    for (size_t i = 0; ok && i < sizeof steps / sizeof *steps; i++) {
        struct tr__scaled unit = tr__mark_unit(q, steps[i]);
        if (before && strcmp(before, unit.name) == 0)
            continue;
        before = unit.name;
        ok = tr_json_doc_open(&g->j, '[') && tr_json_doc_double(&g->j, unit.scale) &&
             tr_json_doc_str(&g->j, tr_str_of(unit.name)) && tr_json_doc_close(&g->j);
    }
    return ok && tr_json_doc_close(&g->j);
}

static bool add_view(struct page *g)
{
    double limit = tr__profile_measure(g->p, g->about, TR_PROFILE_ROOT);
    unsigned rows = 0;
    for (size_t i = 0; i < g->n; i++) {
        unsigned depth = tr_profile_depth(g->p, g->nodes[i]) + 1;
        rows = depth > rows ? depth : rows;
    }
    bool ok = key(g, "view") && tr_json_doc_open(&g->j, '{') && key(g, "left") &&
              tr_json_doc_double(&g->j, TR__FLAME_LEFT) && key(g, "top") && tr_json_doc_double(&g->j, TR__FLAME_TOP) &&
              key(g, "width") && tr_json_doc_double(&g->j, TR__FLAME_WIDTH - 2 * TR__FLAME_LEFT) && key(g, "row") &&
              tr_json_doc_double(&g->j, limit > 0 ? tr__flame_row(rows) : 28) && key(g, "below") &&
              tr_json_doc_double(&g->j, TR__FLAME_BELOW) && tr_json_doc_close(&g->j) && key(g, "classes") &&
              tr_json_doc_open(&g->j, '[');
    for (unsigned c = 0; ok && c < TR_N_PROFILE_KINDS; c++)
        ok = tr_json_doc_str(&g->j, tr_str_of(tr__flame_classes(c)));
    return ok && tr_json_doc_close(&g->j) && key(g, "same") &&
           tr_json_doc_str(&g->j, tr_str_of(tr__flame_classes(TR__FLAME_SAME))) && key(g, "less") &&
           tr_json_doc_str(&g->j, tr_str_of(tr__flame_classes(TR__FLAME_LESS))) && key(g, "more") &&
           tr_json_doc_str(&g->j, tr_str_of(tr__flame_classes(TR__FLAME_MORE)));
}

/* JSON that ends no element of the page: "<" is only in texts. */
static bool add_json(struct page *g, struct tr_buf *out)
{
    struct tr_buf json = { 0 };
    g->j.out = &json;
    bool ok = tr_json_doc_open(&g->j, '{') && add_view(g) && add_units(g) && add_names(g) &&
              add_member(g, "parent", PARENT) && add_member(g, "kind", KIND) && add_member(g, "test", TEST) &&
              add_member(g, "self", SELF) && (!g->about->compared || add_member(g, "base", BASE)) &&
              tr_json_doc_close(&g->j);
    for (size_t i = 0, from = 0; ok && i <= json.len; i++)
        if (i == json.len || json.data[i] == '<') {
            ok = tr_buf_add(out, json.data + from, i - from) && (i == json.len || tr_buf_add_str(out, "\\u003c"));
            from = i + 1;
        }
    tr_buf_free(&json);
    return ok;
}

/* ---- the page ---- */

/* Append the SHA-256 of a text in base 64. */
static bool add_hash(struct tr_buf *out, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char sum[TR__SHA256_LEN + 1] = { 0 };
    bool ok = true;
    tr__sha256(text, strlen(text), sum);
    for (size_t i = 0; ok && i < TR__SHA256_LEN; i += 3) { /* 32 bytes: the last group has two */
        unsigned long bits = (unsigned long)sum[i] << 16 | (unsigned long)sum[i + 1] << 8;
        bool whole = i + 2 < TR__SHA256_LEN;
        bits |= whole ? sum[i + 2] : 0;
        const char four[4] = { digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                               whole ? digits[bits & 63] : '=' };
        ok = tr_buf_add(out, four, sizeof four);
    }
    return ok;
}

static bool add_escaped(struct tr_buf *out, const char *text)
{
    bool ok = true;
    for (size_t i = 0, len = text ? strlen(text) : 0, n; ok && i < len; i += n) {
        const char *as = text[i] == '&' ? "&amp;" : text[i] == '<' ? "&lt;" : text[i] == '>' ? "&gt;" : NULL;
        bool plain = tr_escape_plain(text + i, len - i, &n);
        ok = as ? tr_buf_add_str(out, as) : plain ? tr_buf_add(out, text + i, n) : tr_escape_bytes(out, text + i, n);
    }
    return ok;
}

static const char style[] =
    "<style>\n"
    "body{margin:12px;background:#FFFFFF;color:#1F2328;font:14px system-ui,-apple-system,\"Segoe UI\",Roboto,"
    "\"Noto Sans\",\"DejaVu Sans\",sans-serif}\n"
    "svg{width:100%;height:auto;max-width:2400px;display:block}\n"
    "#tools{position:sticky;top:0;display:flex;gap:8px;align-items:center;padding:4px 24px;background:inherit}\n"
    "#tools[hidden]{display:none}\n"
    "#frames g{cursor:pointer}\n"
    "#frames g:focus{outline:none}\n"
    "#frames g:hover rect,#frames g:focus rect{stroke:#1F2328;stroke-width:1.5}\n"
    ".dim{opacity:.35}\n"
    ".out rect{fill-opacity:.6}\n"
    ".hit{stroke:#1F2328;stroke-width:2}\n"
    "code{color:#57606A;overflow-wrap:anywhere;margin:0 24px}\n"
    "@media (prefers-color-scheme: dark){body{background:#14181D;color:#E6EAEE}code{color:#A3ACB5}"
    "#frames g:hover rect,#frames g:focus rect,.hit{stroke:#E6EAEE}}\n"
    "@media print{#tools{display:none}}\n"
    "</style>\n";

static bool add_head(const struct tr_picture *picture, struct tr_buf *out)
{
    return tr_buf_add_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                               "base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; script-src 'sha256-") &&
           add_hash(out, tr__flame_script) &&
           tr_buf_add_str(out, "'\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                               "<title>") &&
           add_escaped(out, picture ? picture->title : "") && tr_buf_add_str(out, "</title>\n") &&
           tr_buf_add_str(out, style) && tr_buf_add_str(out, "</head>\n<body>\n<div id=\"tools\" hidden></div>\n");
}

enum tr_status tr_profile_html(const struct tr_profile *p, const struct tr_profile_about *about, struct tr_buf *out,
                               struct tr_error *err)
{
    struct page g = { .p = p, .about = about };
    enum tr_status st = add_head(about->picture, out) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__profile_draw(p, about, true, out, err);
    if (st == TR_OK) {
        bool ok = tr_buf_add_str(out, "<code>") && add_escaped(out, about->picture ? about->picture->command : "") &&
                  tr_buf_add_str(out, "</code>\n");
        if (ok && tr__profile_measure(p, about, TR_PROFILE_ROOT) > 0) /* else there is nothing to zoom */
            ok = tr_buf_add_str(out, "<script type=\"application/json\" id=\"profile\">") && choose_nodes(&g) &&
                 add_json(&g, out) && tr_buf_add_str(out, "</script>\n<script>") &&
                 tr_buf_add_str(out, tr__flame_script) && tr_buf_add_str(out, "</script>\n");
        st = ok && tr_buf_add_str(out, "</body>\n</html>\n") ? TR_OK : tr_fail_memory(err);
    }
    free(g.nodes);
    free(g.number);
    return st;
}
