/* SPDX-License-Identifier: MIT */
/* tr-diff -O junit: conditions as test cases, in the XML that CI systems read. */
#include "base/tr_escape.h"
#include "diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* U+FFFE and U+FFFF, which are not allowed in XML 1.0 (2.2, Char). */
static bool is_no_xml(const char *s, size_t len)
{
    return len == 3 && !memcmp(s, "\xef\xbf", 2) && (unsigned char)s[2] >= 0xbe;
}

/* The text of an attribute.  Characters that are not plain (tr_escape_plain), or not allowed in XML, are \xHH. */
static bool add_escaped(struct tr_buf *out, const char *s, size_t len)
{
    bool ok = true;
    for (size_t i = 0, n; ok && i < len; i += n) {
        bool plain = tr_escape_plain(s + i, len - i, &n) && !is_no_xml(s + i, n);
        const char *as = s[i] == '&'   ? "&amp;"
                         : s[i] == '<' ? "&lt;"
                         : s[i] == '>' ? "&gt;"
                         : s[i] == '"' ? "&quot;"
                                       : NULL;
        ok = as ? tr_buf_add_str(out, as) : plain ? tr_buf_add(out, s + i, n) : tr_escape_bytes(out, s + i, n);
    }
    return ok;
}

static bool add_attribute(struct tr_buf *out, const char *name, const char *value)
{
    return tr_buf_add_str(out, " ") && tr_buf_add_str(out, name) && tr_buf_add_str(out, "=\"") &&
           add_escaped(out, value, strlen(value)) && tr_buf_add_str(out, "\"");
}

/* At most 300 bytes of a name, not cut within a character. */
static size_t short_of(struct tr_str name)
{
    size_t len = name.len < 300 ? name.len : 300;
    while (len > 0 && len < name.len && ((unsigned char)name.s[len] & 0xc0) == 0x80)
        len--;
    return len;
}

/* The first row for which the condition is true. */
static bool add_row(struct tr_buf *out, const struct diff *x, const struct diff_result *r)
{
    char text[100];
    struct tr_str where = diff_where(x, r->row), name = diff_name(x, r->row);
    snprintf(text, sizeof text, "true of %" PRIu64 " row%s, first ", r->n_rows, r->n_rows == 1 ? "" : "s");
    return tr_buf_add_str(out, text) && add_escaped(out, where.s, where.len) && tr_buf_add_str(out, " ") &&
           add_escaped(out, name.s, short_of(name)) && (!r->values[0] || tr_buf_add_str(out, ": ")) &&
           add_escaped(out, r->values, strlen(r->values));
}

static bool add_outcome(struct tr_buf *out, const struct diff *x, const struct diff_result *r)
{
    bool missing = r->verdict == DIFF_MISSING;
    char text[sizeof r->values + 32];
    snprintf(text, sizeof text, "the condition is true%s%s", r->values[0] ? ": " : "", r->values);
    if (!tr_buf_add_str(out, missing ? "    <error" : "    <failure"))
        return false;
    if (missing || !r->n_rows)
        return add_attribute(out, "message", missing ? r->why : text) && tr_buf_add_str(out, "/>\n");
    return tr_buf_add_str(out, " message=\"") && add_row(out, x, r) && tr_buf_add_str(out, "\"/>\n");
}

static bool add_case(struct tr_buf *out, const struct diff *x, const struct diff_result *r)
{
    bool ok = tr_buf_add_str(out, "  <testcase classname=\"tr-diff\"") &&
              add_attribute(out, "name", r->text);
    if (!ok || r->verdict == DIFF_PASS)
        return ok && tr_buf_add_str(out, "/>\n");
    return tr_buf_add_str(out, ">\n") && add_outcome(out, x, r) &&
           tr_buf_add_str(out, "  </testcase>\n");
}

enum tr_status diff_junit(struct cli *cli, const struct diff *x, struct tr_error *err)
{
    struct tr_buf out = { 0 };
    size_t n[3] = { 0, 0, 0 };
    char text[200];
    for (size_t i = 0; i < x->n_results; i++)
        n[x->results[i].verdict]++;
    snprintf(text, sizeof text,
             "<testsuite name=\"tr-diff\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
             x->n_results, n[DIFF_FAIL], n[DIFF_MISSING]);
    bool ok = tr_buf_add_str(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") &&
              tr_buf_add_str(&out, text);
    for (size_t i = 0; i < x->n_results && ok; i++)
        ok = add_case(&out, x, &x->results[i]);
    ok = ok && tr_buf_add_str(&out, "</testsuite>\n");
    enum tr_status st = ok ? cli_write_report(cli, &out, err) : tr_fail_memory(err);
    tr_buf_free(&out);
    return st;
}
