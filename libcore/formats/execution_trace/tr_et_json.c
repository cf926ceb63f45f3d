/* SPDX-License-Identifier: MIT */
/*
 * Readers of execution traces as JSON: graphs of operators, which have no time line.
 *
 *     {"schema": "1.1.0-chakra.0.0.4", "pid": 7, "nodes": [                       of PyTorch, also linked with times
 *       {"id": 5, "name": "aten::mm", "ctrl_deps": 2, "inputs": {"values": [[8, 9, 0, 64, 4, "cuda:0"]], ...},
 *        "outputs": {...}, "attrs": [{"name": "rf_id", "type": "uint64", "value": 7}, ...]}, ...]}
 *
 *     {"workload_graph": [{"Id": 216, "Name": "aten::mm(0)", "NodeType": 4, "data_deps": [3], "runtime": 318, ...},
 *       ...], "workload_name": "x"}                                                 of Chakra
 *
 * They become tables (tr_et_tables_int.h) of a source without events.  Other members of the trace become those of the
 * source's header.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_defects_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "formats/execution_trace/tr_et_names_int.h"
#include "formats/execution_trace/tr_et_tables_int.h"
#include "json/tr_json_tok.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW    ((size_t)1 << 20)
#define MAX_VALUE ((size_t)16 << 20) /* bytes of a node, or of another member */

enum state { AT_START, MEMBERS, NODES, AFTER_NODE, LOST, AT_END };

struct reader {
    struct tr__et t;
    struct tr__window w;
    size_t want; /* bytes of the window */
    enum state state;
    bool any; /* a list of nodes was found */
    struct tr_json_tokens tokens;
    const char *of; /* the text of the tokens */
    uint64_t offset;
    struct tr_buf clean, text;
    int64_t rank; /* of the file's name; -1: none */
    struct tr_ingest *g;
    struct tr_error *err;
};

/* ---- values ---- */

static struct tr_str token(const struct reader *r, size_t i)
{
    const struct tr_json_token *t = &r->tokens.tok[i];
    return (struct tr_str){ r->of + t->start, (size_t)(t->end - t->start) };
}

static bool is_null(const struct reader *r, size_t i)
{
    return r->tokens.tok[i].kind == TR_JSON_PRIMITIVE && tr_str_is(token(r, i), "null");
}

/* An integer of type TR_T_INT or TR_T_UINT. */
static bool number(const struct reader *r, size_t i, unsigned type, int64_t *v)
{
    struct tr_number n;
    struct tr_str s = token(r, i);
    if (r->tokens.tok[i].kind != TR_JSON_PRIMITIVE || !tr_json_number(s.s, s.len, &n) ||
        (n.cls != TR_NUMBER_INT && n.cls != TR_NUMBER_UINT))
        return false;
    *v = n.cls == TR_NUMBER_INT ? n.i : (int64_t)n.u;
    return n.cls == TR_NUMBER_INT ? type == TR_T_INT || n.i >= 0 : type == TR_T_UINT;
}

static void bad_value(struct reader *r)
{
    static const struct tr_ingest_cause cause = { "bad_value", "value of another kind than its member has, left out",
                                                  true };
    tr_ingest_damaged_by(r->g, &cause, r->offset);
}

/* A text, or a value of another kind as its own text; without escapes. */
static bool add_text(struct reader *r, enum tr__et_column c, size_t i)
{
    struct tr_str s = token(r, i);
    unsigned defects = 0;
    r->text.len = 0;
    if (r->tokens.tok[i].kind == TR_JSON_STRING && !tr_json_unescape(s.s, s.len, &r->text, &defects))
        return false;
    if (r->tokens.tok[i].kind == TR_JSON_STRING)
        s = (struct tr_str){ r->text.data ? (const char *)r->text.data : "", r->text.len };
    return !s.len || tr__et_text(&r->t, c, s.s, s.len);
}

/* False: out of memory. */
static bool add_value(struct reader *r, enum tr__et_column c, size_t i)
{
    int64_t v = 0;
    struct tr_str s = token(r, i);
    bool exact, fits = true, primitive = r->tokens.tok[i].kind == TR_JSON_PRIMITIVE;
    if (is_null(r, i))
        return true;
    if (tr__et_type(c) == TR_T_STRING)
        return add_text(r, c, i);
    if (c == TR__ET_START || c == TR__ET_DUR || c == TR__ET_SELF)
        fits = primitive && tr_json_us_to_ns(s.s, s.len, &v, &exact);
    else if (tr__et_type(c) == TR_SIDE_BOOL && primitive && (s.s[0] == 't' || s.s[0] == 'f'))
        v = s.s[0] == 't';
    else
        fits = tr__et_type(c) == TR_SIDE_BOOL ? number(r, i, TR_T_INT, &v) && (v == 0 || v == 1)
                                              : number(r, i, tr__et_type(c), &v);
    if (fits)
        tr__et_int(&r->t, c, v);
    else
        bad_value(r);
    return true;
}

/* Numbers of other nodes: a number, or a list. */
static bool add_depends(struct reader *r, size_t i, const char *kind)
{
    int64_t on;
    bool list = r->tokens.tok[i].kind == TR_JSON_ARRAY, ok = true;
    if (is_null(r, i))
        return true;
    for (size_t k = list ? i + 1 : i; ok && k < tr_json_next(&r->tokens, i); k = tr_json_next(&r->tokens, k))
        if (number(r, k, TR_T_UINT, &on))
            ok = tr__et_depends(&r->t, (uint64_t)on, kind);
        else
            bad_value(r);
    return ok;
}

/* ---- members of a node ---- */

/* Lists of tensors: {"values": [...], "shapes": [...], "types": [...]}, or only the values. */
static bool add_side(struct reader *r, size_t i, bool out)
{
    static const enum tr__et_column columns[2][2] = { { TR__ET_IN_SHAPES, TR__ET_IN_TYPES },
                                                      { TR__ET_OUT_SHAPES, TR__ET_OUT_TYPES } };
    bool object = r->tokens.tok[i].kind == TR_JSON_OBJECT, ok = true;
    struct tr_str values = token(r, i);
    if (r->tokens.tok[i].kind == TR_JSON_ARRAY)
        return tr__et_values(&r->t, out, values.s, values.len);
    if (!object && !is_null(r, i))
        bad_value(r);
    for (size_t k = i + 1; ok && object && k < tr_json_next(&r->tokens, i); k = tr_json_next(&r->tokens, k + 1)) {
        struct tr_str key = token(r, k);
        values = token(r, k + 1);
        if (r->tokens.tok[k + 1].kind != TR_JSON_ARRAY)
            bad_value(r);
        else if (tr_str_is(key, "values"))
            ok = tr__et_values(&r->t, out, values.s, values.len);
        else if (tr_str_is(key, "shapes") || tr_str_is(key, "types"))
            ok = add_text(r, columns[out][key.s[0] == 't'], k + 1);
    }
    return ok;
}

/* Attributes without a column, as a list of JSON. */
static bool keep_attribute(struct reader *r, struct tr_buf *others, size_t i)
{
    struct tr_str s = token(r, i);
    return tr_buf_add(others, others->len ? "," : "[", 1) && tr_buf_add(others, s.s, s.len);
}

static bool add_attributes(struct reader *r, size_t list)
{
    struct tr_buf others = { 0 };
    bool ok = true;
    if (r->tokens.tok[list].kind != TR_JSON_ARRAY)
        bad_value(r);
    for (size_t i = list + 1; ok && r->tokens.tok[list].kind == TR_JSON_ARRAY && i < tr_json_next(&r->tokens, list);
         i = tr_json_next(&r->tokens, i)) {
        bool object = r->tokens.tok[i].kind == TR_JSON_OBJECT;
        size_t name = object ? tr_json_member(&r->tokens, r->of, i, "name") : 0;
        size_t value = object ? tr_json_member(&r->tokens, r->of, i, "value") : 0;
        enum tr__et_column c = name ? tr__et_attribute(r->t.form, token(r, name)) : TR__ET_N_COLUMNS;
        if (!name || !value)
            bad_value(r);
        else
            ok = c < TR__ET_N_COLUMNS ? add_value(r, c, value) : keep_attribute(r, &others, i);
    }
    if (others.len)
        ok = ok && tr_buf_add(&others, "]", 1) &&
             tr__et_text(&r->t, TR__ET_ATTRS, (const char *)others.data, others.len);
    tr_buf_free(&others);
    return ok;
}

static const struct {
    const char *key;
    enum tr__et_column column;
} members[] = {
    { "id", TR__ET_ID }, { "Id", TR__ET_ID }, { "name", TR__ET_NAME }, { "Name", TR__ET_NAME },
    { "ts", TR__ET_START }, { "inclusive_dur", TR__ET_DUR },
    { "exclusive_dur", TR__ET_SELF }, { "runtime", TR__ET_DUR }, { "cat", TR__ET_KIND },
    { "input_shapes", TR__ET_IN_SHAPES }, { "input_types", TR__ET_IN_TYPES },
    { "output_shapes", TR__ET_OUT_SHAPES }, { "output_types", TR__ET_OUT_TYPES },
};
static const struct {
    const char *key, *kind;
} dependencies[] = {
    { "ctrl_deps", "control" }, { "ctrlDeps", "control" }, { "data_deps", "data" }, { "dataDeps", "data" },
    { "inter_thread_dep", "thread" }, { "sync_dep", "sync" },
};

/* False: out of memory. */
static bool take_member(struct reader *r, size_t key, size_t i)
{
    struct tr_str k = token(r, key);
    int64_t parent;
    if (r->t.form == TR__ET_PYTORCH && (tr_str_is(k, "ctrl_deps") || tr_str_is(k, "parent")) &&
        number(r, i, TR_T_UINT, &parent)) {
        tr__et_int(&r->t, TR__ET_PARENT, parent);
        return parent == r->t.values[TR__ET_ID].v || tr__et_depends(&r->t, (uint64_t)parent, "control");
    }
    for (size_t d = 0; d < sizeof dependencies / sizeof *dependencies; d++)
        if (tr_str_is(k, dependencies[d].key))
            return add_depends(r, i, dependencies[d].kind);
    if (tr_str_is(k, "inputs") || tr_str_is(k, "outputs"))
        return add_side(r, i, k.s[0] == 'o');
    if (tr_str_is(k, "attrs"))
        return add_attributes(r, i);
    if (tr_str_is(k, "NodeType") || tr_str_is(k, "type")) {
        const char *kind = number(r, i, TR_T_INT, &parent) ? tr__et_chakra_kind(parent) : NULL;
        return kind ? tr__et_text(&r->t, TR__ET_KIND, kind, strlen(kind)) : add_text(r, TR__ET_KIND, i);
    }
    enum tr__et_column c = tr__et_attribute(r->t.form, k);
    for (size_t m = 0; c == TR__ET_N_COLUMNS && m < sizeof members / sizeof *members; m++)
        if (tr_str_is(k, members[m].key))
            c = members[m].column;
    return c == TR__ET_N_COLUMNS || add_value(r, c, i);
}

/* What a node of PyTorch is; one of the device has its category. */
static bool add_kind(struct reader *r)
{
    static const char thread[] = "[pytorch|profiler|execution_trace|";
    struct tr_str name = tr__et_text_of(&r->t, TR__ET_NAME);
    tr__et_int(&r->t, TR__ET_IS_CPU_OP, !tr__et_has(&r->t, TR__ET_KIND));
    if (tr__et_has(&r->t, TR__ET_KIND))
        return true;
    const char *kind = name.len >= sizeof thread - 1 && !memcmp(name.s, thread, sizeof thread - 1) ? "root"
                       : tr_str_is(name, "## process_group:init ##")                              ? "process_groups"
                       : tr_str_is(name, "record_param_comms")                                    ? "comm_record"
                       : tr__et_has(&r->t, TR__ET_OP_SCHEMA)                                      ? "operator"
                                                                                                  : "label";
    return tr__et_text(&r->t, TR__ET_KIND, kind, strlen(kind));
}

/* The node at p, n bytes; more: of the text that follows. */
static enum tr_status take_node(struct reader *r, const char *p, size_t n, size_t more, unsigned defects)
{
    enum tr_damage_cause causes[TR__N_DEFECTS];
    unsigned n_causes = tr__defect_causes(defects, causes);
    r->offset = tr__window_offset(&r->w);
    for (unsigned i = 0; i < n_causes; i++)
        tr_ingest_damaged(r->g, causes[i], r->offset);
    r->clean.len = 0;
    if (!tr_json_clean(p, defects ? more : n, r->w.last || !defects, false, &r->clean))
        return tr_fail_memory(r->err);
    r->of = (const char *)r->clean.data;
    if (!tr_json_tokenize(&r->tokens, r->of, r->clean.len) && r->tokens.no_memory)
        return tr_fail_memory(r->err);
    bool object = r->tokens.n && r->tokens.tok[0].kind == TR_JSON_OBJECT, ok = true;
    size_t id = object ? tr_json_member(&r->tokens, r->of, 0, "id") : 0;
    int64_t v;
    id = object && !id ? tr_json_member(&r->tokens, r->of, 0, "Id") : id;
    if (!id || !number(r, id, TR_T_UINT, &v)) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, r->offset);
        return TR_OK;
    }
    tr__et_int(&r->t, TR__ET_ID, v); /* tensors need it, wherever it stands */
    for (size_t i = 1; ok && i < r->tokens.n; i = tr_json_next(&r->tokens, i + 1))
        ok = take_member(r, i, i + 1);
    if (ok && r->t.form == TR__ET_PYTORCH)
        ok = add_kind(r);
    const char *collective = tr__et_has(&r->t, TR__ET_COMM_TYPE)
                                 ? tr__et_chakra_collective(r->t.values[TR__ET_COMM_TYPE].v) : NULL;
    ok = ok && (!collective || tr__et_text(&r->t, TR__ET_COLLECTIVE, collective, strlen(collective)));
    return ok ? tr__et_node(&r->t, r->err) : tr_fail_memory(r->err);
}

/* ---- the text ---- */

/* More text is needed.  TR_END: there is no more; the damage is counted. */
static enum tr_status need_more(struct reader *r)
{
    size_t n = r->w.n - r->w.at;
    if (!r->w.last && n < MAX_VALUE) {
        r->want = 2 * n > WINDOW ? 2 * n : WINDOW;
        return TR_OK;
    }
    if (r->w.last) {
        tr_ingest_damaged(r->g, TR_DAMAGE_TRUNCATED, tr__window_offset(&r->w));
        r->w.at = r->w.n;
        r->state = AT_END;
        return TR_END;
    }
    tr_ingest_damaged(r->g, TR_DAMAGE_TOO_LONG, tr__window_offset(&r->w));
    r->w.at++;
    r->state = LOST;
    return TR_END;
}

/* A member of the trace.  TR_OK: it needs more text; TR_END: it was taken. */
static enum tr_status take_header(struct reader *r)
{
    const char *p = r->w.p + r->w.at;
    size_t n = r->w.n - r->w.at, key_len, len, at;
    unsigned defects;
    enum tr_json_result found = tr_json_scan(p, n, false, NULL, &key_len, &defects);
    for (at = key_len; found == TR_JSON_DONE && at < n && (tr_json_space(p[at]) || p[at] == ':');)
        at++;
    if (found == TR_JSON_MORE || (found == TR_JSON_DONE && at >= n))
        return need_more(r);
    struct tr_str key = { p + 1, found == TR_JSON_DONE ? key_len - 2 : 0 };
    if (found == TR_JSON_DONE && p[at] == '[' && (tr_str_is(key, "nodes") || tr_str_is(key, "workload_graph"))) {
        r->any = true;
        r->w.at += at + 1;
        r->state = NODES;
        return TR_END;
    }
    found = found == TR_JSON_DONE ? tr_json_scan(p + at, n - at, r->w.last, NULL, &len, &defects) : found;
    if (found == TR_JSON_MORE)
        return need_more(r);
    if (found == TR_JSON_BAD) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_HEADER, tr__window_offset(&r->w));
        r->w.at += 1;
        r->state = LOST;
        return TR_END;
    }
    r->clean.len = r->text.len = 0;
    if (!tr_json_clean(p + at, n - at, r->w.last, false, &r->clean) ||
        !tr_json_unescape(key.s, key.len, &r->text, &defects) || !tr_buf_add(&r->text, "", 1))
        return tr_fail_memory(r->err);
    tr_ingest_header(r->g, (const char *)r->text.data, (const char *)r->clean.data, r->clean.len);
    r->w.at += at + len;
    return TR_END;
}

static enum tr_status take_element(struct reader *r)
{
    const char *p = r->w.p + r->w.at;
    size_t n = r->w.n - r->w.at, len;
    unsigned defects;
    enum tr_json_result found = tr_json_scan(p, n, r->w.last, NULL, &len, &defects);
    enum tr_status st = TR_OK;
    if (found == TR_JSON_MORE)
        return need_more(r);
    if (found == TR_JSON_DONE)
        st = take_node(r, p, len, n, defects);
    else
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, tr__window_offset(&r->w));
    r->w.at += found == TR_JSON_DONE ? len : 1;
    r->state = found == TR_JSON_DONE ? AFTER_NODE : LOST;
    return st == TR_OK ? TR_END : st;
}

/* Go on at the next object that starts with its number. */
static void find_node(struct reader *r)
{
    const char *p = r->w.p + r->w.at, *end = r->w.p + r->w.n, *at = p;
    while ((at = memchr(at, '{', (size_t)(end - at))) != NULL) {
        const char *key = at + 1;
        while (key < end && tr_json_space(*key))
            key++;
        if (end - key < 5 && !r->w.last)
            break;
        if (end - key >= 5 && (!memcmp(key, "\"id\":", 5) || !memcmp(key, "\"Id\":", 5))) {
            r->state = NODES;
            r->any = true;
            break;
        }
        at++;
    }
    r->w.at = (size_t)((at ? at : end) - r->w.p);
    if (r->state == LOST && r->w.last) {
        r->w.at = r->w.n;
        r->state = AT_END;
    }
}

/* One step.  TR_OK: more text is needed; TR_END: go on. */
static enum tr_status take_next(struct reader *r)
{
    const char c = r->w.p[r->w.at];
    switch (r->state) {
    case AT_START:
        if (c != '{')
            return tr_fail(r->err, TR_DAMAGED, "no execution trace: it is no JSON object");
        r->w.at++;
        r->state = MEMBERS;
        return TR_END;
    case MEMBERS:
        if (c == '"')
            return take_header(r);
        r->w.at++;
        if (c == '}')
            r->state = AT_END;
        else if (c != ',')
            tr_ingest_damaged(r->g, TR_DAMAGE_BAD_HEADER, tr__window_offset(&r->w) - 1);
        return TR_END;
    case NODES:
    case AFTER_NODE:
        if (c != ']' && c != ',') {
            if (r->state == AFTER_NODE)
                tr_ingest_damaged(r->g, TR_DAMAGE_MISSING_COMMA, tr__window_offset(&r->w));
            r->state = NODES; /* so that this counts once, although the node may need more text */
            return take_element(r);
        }
        if (c == ',' && r->state == NODES)
            tr_ingest_damaged(r->g, TR_DAMAGE_EXTRA_COMMA, tr__window_offset(&r->w));
        r->w.at++;
        r->state = c == ']' ? MEMBERS : NODES;
        return TR_END;
    case LOST:
        find_node(r);
        return r->state == LOST ? TR_OK : TR_END;
    default:
        tr_ingest_damaged(r->g, TR_DAMAGE_TRAILING_BYTES, tr__window_offset(&r->w));
        r->w.at = r->w.n;
        return TR_OK;
    }
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, r->want, err);
    if (st != TR_OK)
        return st;
    if (tr__window_offset(&r->w) == 0 && r->w.n >= 3 && !memcmp(r->w.p, "\xef\xbb\xbf", 3)) {
        tr_ingest_damaged(g, TR_DAMAGE_BYTE_ORDER_MARK, 0);
        r->w.at = 3;
    }
    if (r->rank >= 0)
        tr_ingest_rank(g, r->rank);
    r->want = WINDOW;
    for (st = TR_END; st == TR_END && tr__window_skip_blanks(&r->w);)
        st = take_next(r);
    if (st != TR_OK && st != TR_END)
        return st;
    if (!r->w.last || r->w.at < r->w.n)
        return TR_OK;
    if (!r->any)
        return tr_fail(err, TR_DAMAGED, "no execution trace: it has no list of nodes");
    if (r->state != AT_END)
        tr_ingest_damaged(g, TR_DAMAGE_TRUNCATED, tr__window_offset(&r->w));
    st = tr__et_give(&r->t, g, err);
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    tr__et_free(&r->t);
    tr__window_free(&r->w);
    tr_json_tokens_free(&r->tokens);
    tr_buf_free(&r->clean);
    tr_buf_free(&r->text);
    free(r);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct reader *r = state;
    r->want = WINDOW;
    r->rank = tr__et_rank(bytes->name ? bytes->name : "");
    return tr__et_init(&r->t, of == &tr_format_pytorch_et ? TR__ET_PYTORCH : TR__ET_CHAKRA, opts);
}

static enum tr_status open_trace(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                 const struct tr_open_opts *opts, struct tr_error *err)
{
    static const struct tr_ingest_reader pytorch = { "pytorch-et", read_some, release };
    static const struct tr_ingest_reader chakra = { "chakra-json", read_some, release };
    return tr__reader_open(out, f == &tr_format_pytorch_et ? &pytorch : &chakra, sizeof(struct reader), init, f, bytes,
                           opts, err);
}

static bool is_object(const unsigned char *p, size_t n)
{
    size_t at = tr__json_start(p, n);
    return at < n && p[at] == '{';
}

static int probe_pytorch(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    if (!is_object(p, n) || !tr__probe_holds(p, n, "\"schema\"") || tr__probe_holds(p, n, "\"traceEvents\""))
        return 0;
    return tr__probe_holds(p, n, "-chakra.") || tr__probe_holds(p, n, "\"nodes\"") ? 94 : 0;
}

static int probe_chakra(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return is_object(p, n) && tr__probe_holds(p, n, "\"workload_graph\"") ? 94 : 0;
}

const struct tr_format tr_format_pytorch_et = {
    .name = "pytorch-et",
    .brief = "execution trace of PyTorch, as JSON: a graph of operators, without times or linked with them",
    .probe = probe_pytorch,
    .open = open_trace,
};

const struct tr_format tr_format_chakra_json = {
    .name = "chakra-json",
    .brief = "execution trace of Chakra, as JSON: a graph of work with durations",
    .probe = probe_chakra,
    .open = open_trace,
};
