/* SPDX-License-Identifier: MIT */
/* The tables of an execution trace. */
#include "formats/execution_trace/tr_et_tables_int.h"

#include "base/tr_budget.h"
#include "base/tr_sort.h"
#include "model/tr_rank.h"

#include <stdlib.h>
#include <string.h>

#define BOTH       (TR__ET_PYTORCH | TR__ET_CHAKRA)
#define MAX_DEVICE 32u /* bytes of the name of a device */

static const struct {
    const char *name;      /* of the column */
    const char *attribute; /* NULL: the same name; "": it comes from none */
    uint8_t type, forms;
} columns[TR__ET_N_COLUMNS] = {
    [TR__ET_ID] = { "id", "", TR_T_UINT, BOTH },
    [TR__ET_NAME] = { "name", "", TR_T_STRING, BOTH },
    [TR__ET_KIND] = { "kind", "", TR_T_STRING, BOTH },
    [TR__ET_IS_CPU_OP] = { "is_cpu_op", NULL, TR_SIDE_BOOL, BOTH },
    [TR__ET_PARENT] = { "parent", "", TR_T_UINT, TR__ET_PYTORCH },
    [TR__ET_START] = { "start_ns", "", TR_T_INT, BOTH },
    [TR__ET_DUR] = { "dur_ns", "", TR_T_INT, BOTH },
    [TR__ET_SELF] = { "self_ns", "", TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_RF_ID] = { "rf_id", NULL, TR_T_UINT, BOTH },
    [TR__ET_FW_PARENT] = { "fw_parent", NULL, TR_T_UINT, BOTH },
    [TR__ET_SEQ_ID] = { "seq_id", NULL, TR_T_INT, BOTH },
    [TR__ET_SCOPE] = { "scope", NULL, TR_T_INT, BOTH },
    [TR__ET_TID] = { "tid", NULL, TR_T_INT, BOTH },
    [TR__ET_FW_TID] = { "fw_tid", NULL, TR_T_INT, BOTH },
    [TR__ET_OP_SCHEMA] = { "op_schema", NULL, TR_T_STRING, BOTH },
    [TR__ET_STREAM] = { "stream", NULL, TR_T_INT, BOTH },
    [TR__ET_COLLECTIVE] = { "collective", "collective_name", TR_T_STRING, BOTH },
    [TR__ET_DTYPE] = { "dtype", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_IN_NELEMS] = { "in_msg_nelems", NULL, TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_OUT_NELEMS] = { "out_msg_nelems", NULL, TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_IN_SPLIT] = { "in_split_size", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_OUT_SPLIT] = { "out_split_size", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_PG_NAME] = { "pg_name", NULL, TR_T_STRING, BOTH },
    [TR__ET_PG_DESC] = { "pg_desc", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_PG_SIZE] = { "pg_size", NULL, TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_RANK_START] = { "global_rank_start", NULL, TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_RANK_STRIDE] = { "global_rank_stride", NULL, TR_T_INT, TR__ET_PYTORCH },
    [TR__ET_BACKEND] = { "kernel_backend", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_FILE] = { "kernel_file", NULL, TR_T_STRING, TR__ET_PYTORCH },
    [TR__ET_COMM_TYPE] = { "comm_type", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_COMM_SIZE] = { "comm_size", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_COMM_SRC] = { "comm_src", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_COMM_DST] = { "comm_dst", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_COMM_TAG] = { "comm_tag", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_COMM_PRIORITY] = { "comm_priority", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_NUM_OPS] = { "num_ops", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_TENSOR_SIZE] = { "tensor_size", NULL, TR_T_INT, TR__ET_CHAKRA },
    [TR__ET_INVOLVED_DIM] = { "involved_dim", NULL, TR_T_STRING, TR__ET_CHAKRA },
    [TR__ET_IN_VALUES] = { "input_values", "", TR_T_STRING, BOTH },
    [TR__ET_IN_SHAPES] = { "input_shapes", "", TR_T_STRING, BOTH },
    [TR__ET_IN_TYPES] = { "input_types", "", TR_T_STRING, BOTH },
    [TR__ET_OUT_VALUES] = { "output_values", "", TR_T_STRING, BOTH },
    [TR__ET_OUT_SHAPES] = { "output_shapes", "", TR_T_STRING, BOTH },
    [TR__ET_OUT_TYPES] = { "output_types", "", TR_T_STRING, BOTH },
    [TR__ET_ATTRS] = { "attrs", "", TR_T_STRING, BOTH },
};

enum tr__et_column tr__et_attribute(unsigned form, struct tr_str name)
{
    for (unsigned c = 0; c < TR__ET_N_COLUMNS; c++)
        if (columns[c].forms & form && tr_str_is(name, columns[c].attribute ? columns[c].attribute : columns[c].name) &&
            name.len)
            return c;
    return TR__ET_N_COLUMNS;
}

unsigned tr__et_type(enum tr__et_column c)
{
    return columns[c].type;
}

/* ---- start and end ---- */

bool tr__et_init(struct tr__et *t, unsigned form, const struct tr_open_opts *opts)
{
    t->form = form;
    t->limit = (size_t)tr_budget_kept_bytes(opts->max_memory_bytes);
    t->nodes = tr_side_table_new("nodes", 0);
    t->dependencies = tr_side_table_new("dependencies", 0);
    t->tensors = tr_side_table_new("tensors", 0);
    bool ok = t->nodes && t->dependencies && t->tensors;
    for (unsigned c = 0; ok && c < TR__ET_N_COLUMNS; c++)
        ok = !(columns[c].forms & form) || tr_side_table_column(t->nodes, columns[c].name, columns[c].type);
    ok = ok && tr_side_table_column(t->dependencies, "node", TR_T_UINT) &&
         tr_side_table_column(t->dependencies, "on", TR_T_UINT) &&
         tr_side_table_column(t->dependencies, "kind", TR_T_STRING) &&
         tr_side_table_column(t->dependencies, "tensor", TR_T_UINT) &&
         tr_side_table_column(t->tensors, "node", TR_T_UINT) &&
         tr_side_table_column(t->tensors, "side", TR_T_STRING) &&
         tr_side_table_column(t->tensors, "position", TR_T_INT) &&
         tr_side_table_column(t->tensors, "tensor", TR_T_UINT) &&
         tr_side_table_column(t->tensors, "storage", TR_T_UINT) &&
         tr_side_table_column(t->tensors, "offset", TR_T_INT) &&
         tr_side_table_column(t->tensors, "elements", TR_T_INT) &&
         tr_side_table_column(t->tensors, "element_bytes", TR_T_INT) &&
         tr_side_table_column(t->tensors, "device", TR_T_STRING);
    return ok;
}

void tr__et_free(struct tr__et *t)
{
    tr_side_table_free(t->nodes);
    tr_side_table_free(t->dependencies);
    tr_side_table_free(t->tensors);
    tr_buf_free(&t->texts);
    tr_buf_free(&t->depends);
    free(t->uses);
}

/* ---- a node ---- */

void tr__et_int(struct tr__et *t, enum tr__et_column c, int64_t v)
{
    t->values[c] = (struct tr_side_value){ .present = true, .v = v };
}

bool tr__et_text(struct tr__et *t, enum tr__et_column c, const char *text, size_t len)
{
    t->text_at[c] = t->texts.len;
    t->values[c] = (struct tr_side_value){ .present = true, .len = len };
    return tr_buf_add(&t->texts, text, len);
}

bool tr__et_has(const struct tr__et *t, enum tr__et_column c)
{
    return t->values[c].present;
}

struct tr_str tr__et_text_of(const struct tr__et *t, enum tr__et_column c)
{
    const char *texts = t->texts.data ? (const char *)t->texts.data : "";
    return (struct tr_str){ texts + t->text_at[c], t->values[c].present ? t->values[c].len : 0 };
}

struct depends {
    uint64_t on;
    const char *kind;
};

bool tr__et_depends(struct tr__et *t, uint64_t on, const char *kind)
{
    const struct depends d = { on, kind };
    return tr_buf_add(&t->depends, &d, sizeof d);
}

/* ---- tensors ---- */

struct scan {
    const char *p, *end;
};

static void skip_blanks(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t' || *s->p == '\r'))
        s->p++;
}

static bool scan_byte(struct scan *s, char c)
{
    skip_blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static bool scan_number(struct scan *s, int64_t *v)
{
    skip_blanks(s);
    const char *from = s->p;
    uint64_t sum = 0;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9' && s->p - from < 19)
        sum = 10 * sum + (uint64_t)(*s->p++ - '0');
    *v = (int64_t)sum;
    return s->p > from && sum <= INT64_MAX;
}

/* A text in quotes of either kind.  False: it has no end. */
static bool scan_text(struct scan *s, struct tr_str *text)
{
    const char quote = *s->p++, *from = s->p;
    while (s->p < s->end && *s->p != quote)
        s->p += *s->p == '\\' && s->end - s->p > 1 ? 2 : 1;
    if (s->p >= s->end)
        return false;
    *text = (struct tr_str){ from, (size_t)(s->p++ - from) };
    return true;
}

enum { TENSOR, STORAGE, OFFSET, ELEMENTS, BYTES, N_NUMBERS };

/* Is there a tensor?  Then s is after it. */
static bool scan_tensor(struct scan *s, int64_t v[N_NUMBERS], struct tr_str *device)
{
    struct scan at = *s;
    bool ok = scan_byte(&at, '[');
    for (unsigned i = 0; ok && i < N_NUMBERS; i++)
        ok = scan_number(&at, &v[i]) && scan_byte(&at, ',');
    skip_blanks(&at);
    ok = ok && at.p < at.end && (*at.p == '"' || *at.p == '\'') && scan_text(&at, device) && scan_byte(&at, ']') &&
         device->len <= MAX_DEVICE;
    if (ok)
        *s = at;
    return ok;
}

static bool add_tensor(struct tr__et *t, bool out, int64_t position, const int64_t v[N_NUMBERS], struct tr_str device)
{
    const struct tr_side_value row[] = {
        t->values[TR__ET_ID],
        { .present = true, .text = out ? "out" : "in", .len = out ? 3 : 2 },
        { .present = true, .v = position },
        { .present = true, .v = v[TENSOR] },
        { .present = true, .v = v[STORAGE] },
        { .present = true, .v = v[OFFSET] },
        { .present = true, .v = v[ELEMENTS] },
        { .present = true, .v = v[BYTES] },
        { .present = true, .text = device.s, .len = device.len },
    };
    if (!tr_side_table_add(t->tensors, row))
        return false;
    if (t->form != TR__ET_PYTORCH)
        return true;
    if (!tr_grow(&t->uses, &t->cap_uses, t->n_uses + 1, sizeof *t->uses))
        return false;
    t->uses[t->n_uses++] = (struct tr__et_use){ .tensor = (uint64_t)v[TENSOR], .storage = (uint64_t)v[STORAGE],
                                                .node = (uint64_t)t->values[TR__ET_ID].v, .out = out };
    return true;
}

bool tr__et_values(struct tr__et *t, bool out, const char *text, size_t len)
{
    struct scan s = { text, text + len };
    struct tr_str device;
    int64_t v[N_NUMBERS], position = 0, depth = 0;
    bool ok = tr__et_text(t, out ? TR__ET_OUT_VALUES : TR__ET_IN_VALUES, text, len);
    while (ok && s.p < s.end) {
        if (*s.p == '[' && scan_tensor(&s, v, &device)) {
            ok = add_tensor(t, out, position, v, device);
            continue;
        }
        if (*s.p == '"' || *s.p == '\'') {
            if (!scan_text(&s, &device))
                break;
            continue;
        }
        depth += *s.p == '[' || *s.p == '(' || *s.p == '{' ? 1 : *s.p == ']' || *s.p == ')' || *s.p == '}' ? -1 : 0;
        position += *s.p == ',' && depth == 1;
        s.p++;
    }
    return ok;
}

/* ---- rows ---- */

static void forget(struct tr__et *t)
{
    memset(t->values, 0, sizeof t->values);
    t->texts.len = t->depends.len = 0;
}

void tr__et_drop(struct tr__et *t)
{
    t->n_uses = t->of_node;
    forget(t);
}

static bool add_dependency(struct tr__et *t, uint64_t node, uint64_t on, const char *kind, const uint64_t *tensor)
{
    const struct tr_side_value row[] = {
        { .present = true, .v = (int64_t)node },
        { .present = true, .v = (int64_t)on },
        { .present = true, .text = kind, .len = strlen(kind) },
        { .present = tensor != NULL, .v = tensor ? (int64_t)*tensor : 0 },
    };
    return tr_side_table_add(t->dependencies, row);
}

static enum tr_status check_memory(const struct tr__et *t, struct tr_error *err)
{
    size_t bytes = t->nodes->rows.len + t->dependencies->rows.len + t->tensors->rows.len +
                   t->n_uses * sizeof *t->uses;
    if (bytes <= t->limit)
        return TR_OK;
    return tr_fail(err, TR_SYSTEM, "the tables of the execution trace need more than the %zu MiB that -M allows",
                   t->limit >> 20);
}

enum tr_status tr__et_node(struct tr__et *t, struct tr_error *err)
{
    struct tr_side_value row[TR__ET_N_COLUMNS];
    const struct depends *d = (const void *)t->depends.data;
    size_t n = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < t->depends.len / sizeof *d; i++)
        ok = add_dependency(t, (uint64_t)t->values[TR__ET_ID].v, d[i].on, d[i].kind, NULL);
    for (unsigned c = 0; c < TR__ET_N_COLUMNS; c++) {
        if (t->values[c].present && columns[c].type == TR_T_STRING)
            t->values[c].text = tr__et_text_of(t, c).s;
        if (columns[c].forms & t->form)
            row[n++] = t->values[c];
    }
    ok = ok && tr_side_table_add(t->nodes, row);
    t->of_node = t->n_uses;
    forget(t);
    return ok ? check_memory(t, err) : tr_fail_memory(err);
}

/* ---- who made the inputs ---- */

/* What a node writes comes after what it reads. */
TR_ORDER(by_tensor, struct tr__et_use, TR_UP(tensor), TR_UP(node), TR_UP(out))
TR_ORDER(by_storage, struct tr__et_use, TR_UP(storage), TR_UP(node), TR_UP(out))
TR_ORDER(by_node, struct tr__et_use, TR_UP(node), TR_UP(tensor))

/* Of inputs that nobody is known to have made: the last node before that wrote the same tensor, or the same storage. */
static void find_makers(struct tr__et *t, bool storage)
{
    const struct tr__et_use *last = NULL;
    qsort(t->uses, t->n_uses, sizeof *t->uses, storage ? by_storage : by_tensor);
    for (size_t i = 0; i < t->n_uses; i++) {
        struct tr__et_use *u = &t->uses[i];
        if (last && (storage ? last->storage != u->storage : last->tensor != u->tensor))
            last = NULL;
        if (u->out) {
            last = u;
        } else if (!u->made && last && last->node != u->node && (!storage || u->storage)) {
            u->made = true;
            u->from = last->node;
        }
    }
}

enum tr_status tr__et_give(struct tr__et *t, struct tr_ingest *g, struct tr_error *err)
{
    bool ok = true;
    if (!t->nodes->n_rows)
        return tr_fail(err, TR_DAMAGED, "no execution trace: it has no node");
    if (t->n_uses) {
        find_makers(t, false);
        find_makers(t, true);
        qsort(t->uses, t->n_uses, sizeof *t->uses, by_node);
    }
    for (size_t i = 0; ok && i < t->n_uses; i++)
        if (t->uses[i].made)
            ok = add_dependency(t, t->uses[i].node, t->uses[i].from, "tensor", &t->uses[i].tensor);
    if (!ok)
        return tr_fail_memory(err);
    tr_ingest_table(g, t->nodes);
    tr_ingest_table(g, t->dependencies);
    tr_ingest_table(g, t->tensors);
    t->nodes = t->dependencies = t->tensors = NULL;
    return TR_OK;
}

/* ---- the rank ---- */

int64_t tr__et_rank(const char *path)
{
    static const char *const ends[] = { ".gz", ".zst", ".json", ".et" };
    int64_t rank;
    if (tr_rank_from_name(path, &rank))
        return rank;
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);
        len -= len > n && !memcmp(name + len - n, ends[i], n) ? n : 0;
    }
    size_t from = len;
    while (from > 0 && name[from - 1] >= '0' && name[from - 1] <= '9')
        from--;
    if (from == len || from == 0 || len - from > 9 || !strchr("._-", name[from - 1]))
        return -1;
    for (rank = 0; from < len; from++)
        rank = 10 * rank + (name[from] - '0');
    return rank;
}
