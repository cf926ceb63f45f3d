/* SPDX-License-Identifier: MIT */
/* tr-diff -O junit: conditions as test cases, in the XML that CI systems read. */
#include "base/tr_escape.h"
#include "diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Text of an attribute; what XML cannot hold becomes '?'. */
static bool add_escaped(struct tr_buf *out, const char *s)
{
    bool valid = tr_utf8_valid(s, strlen(s)), ok = true;
    for (; *s && ok; s++) {
        unsigned char c = (unsigned char)*s;
        const char *as = c == '&'                                           ? "&amp;"
                         : c == '<'                                         ? "&lt;"
                         : c == '>'                                         ? "&gt;"
                         : c == '"'                                         ? "&quot;"
                         : (c < 0x20 || c == 0x7f || (c >= 0x80 && !valid)) ? "?"
                                                                            : NULL;
        ok = as ? tr_buf_add_str(out, as) : tr_buf_add(out, s, 1);
    }
    return ok;
}

static bool add_attribute(struct tr_buf *out, const char *name, const char *value)
{
    return tr_buf_add_str(out, " ") && tr_buf_add_str(out, name) && tr_buf_add_str(out, "=\"") &&
           add_escaped(out, value) && tr_buf_add_str(out, "\"");
}

static bool add_outcome(struct tr_buf *out, const struct diff *x, const struct diff_result *r)
{
    char text[480];
    bool rows = r->verdict == DIFF_FAIL && r->n_rows;
    struct tr_str where = rows ? diff_where(x, r->row) : tr_str_of("");
    struct tr_str name = rows ? diff_name(x, r->row) : tr_str_of("");
    if (r->verdict == DIFF_MISSING)
        snprintf(text, sizeof text, "%s", r->why);
    else if (r->n_rows == 0)
        snprintf(text, sizeof text, "the condition is true");
    else
        snprintf(text, sizeof text, "true of %" PRIu64 " row%s, first %.*s %.*s", r->n_rows,
                 r->n_rows == 1 ? "" : "s", (int)where.len, where.s, (int)(name.len < 300 ? name.len : 300),
                 name.s);
    return tr_buf_add_str(out, r->verdict == DIFF_MISSING ? "    <error" : "    <failure") &&
           add_attribute(out, "message", text) && tr_buf_add_str(out, "/>\n");
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
