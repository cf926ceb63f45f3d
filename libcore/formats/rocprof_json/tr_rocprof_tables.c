/* SPDX-License-Identifier: MIT */
/* rocprofv3: the meaning of the numbers in records. */
#include "formats/rocprof_json/tr_rocprof_int.h"

#include "base/tr_sort.h"
#include "json/tr_json.h"
#include "stream/tr_dict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGENT_GPU 2 /* type of an agent that is a device; 1: a CPU */

/* ---- members of objects ---- */

static bool is_null(const struct tr__rocprof_object *o, size_t i)
{
    const struct tr_json_token *t = &o->tokens.tok[i];
    return t->kind == TR_JSON_PRIMITIVE && t->end > t->start && o->text[t->start] == 'n';
}

size_t tr__rocprof_at(const struct tr__rocprof_object *o, size_t at, const char *key)
{
    size_t i = tr_json_member(&o->tokens, o->text, at, key);
    return i && !is_null(o, i) ? i : 0;
}

size_t tr__rocprof_within(struct tr__rocprof_object *o, size_t at, const char *key, enum tr_json_kind kind)
{
    size_t i = tr__rocprof_at(o, at, key);
    bool fits = i && o->tokens.tok[i].kind == kind;
    o->doubt |= i && !fits;
    return fits ? i : 0;
}

static bool int_of_token(struct tr__rocprof_object *o, size_t v, int64_t *out)
{
    const struct tr_json_token *t = &o->tokens.tok[v];
    struct tr_number num;
    if ((t->kind != TR_JSON_PRIMITIVE && t->kind != TR_JSON_STRING) ||
        !tr_json_number(o->text + t->start, (size_t)(t->end - t->start), &num))
        return false;
    *out = num.cls == TR_NUMBER_UINT ? (int64_t)num.u : num.i;
    return num.cls == TR_NUMBER_INT || num.cls == TR_NUMBER_UINT;
}

int64_t tr__rocprof_int(struct tr__rocprof_object *o, size_t at, const char *key)
{
    int64_t v;
    size_t whole = tr__rocprof_at(o, at, key), i = whole;
    if (i && o->tokens.tok[i].kind == TR_JSON_OBJECT)
        i = tr__rocprof_at(o, i, "handle");
    bool found = i && int_of_token(o, i, &v);
    o->doubt |= whole && !found;
    return found ? v : TR_I64_NONE;
}

static bool real_of_token(struct tr__rocprof_object *o, size_t v, double *out)
{
    const struct tr_json_token *t = &o->tokens.tok[v];
    struct tr_number num;
    if (t->kind != TR_JSON_PRIMITIVE || !tr_json_number(o->text + t->start, (size_t)(t->end - t->start), &num))
        return false;
    *out = num.cls == TR_NUMBER_INT       ? (double)num.i
           : num.cls == TR_NUMBER_UINT    ? (double)num.u
           : num.cls == TR_NUMBER_DECIMAL ? tr_decimal_double(tr_decimal_make(num.i, num.scale))
                                          : num.d;
    return num.cls != TR_NUMBER_TEXT;
}

static const char *text_of_token(struct tr__rocprof_object *o, size_t i, size_t *len)
{
    const struct tr_json_token *t = &o->tokens.tok[i];
    unsigned defects;
    o->scratch.len = 0;
    o->doubt |= t->kind != TR_JSON_STRING && !is_null(o, i);
    if (t->kind != TR_JSON_STRING || t->start == t->end ||
        !tr_json_unescape(o->text + t->start, (size_t)(t->end - t->start), &o->scratch, &defects))
        return NULL;
    *len = o->scratch.len;
    return (const char *)o->scratch.data;
}

const char *tr__rocprof_text(struct tr__rocprof_object *o, size_t at, const char *key, size_t *len)
{
    size_t i = tr__rocprof_at(o, at, key);
    return i ? text_of_token(o, i, len) : NULL;
}

/* ---- maps ---- */

static bool map_add(struct tr__rocprof_tables *t, struct tr__rocprof_map *m, int64_t id, const char *name, size_t len,
                    int64_t number)
{
    uint32_t s = name ? tr_strtab_add(t->strings, name, len) : TR_NO_STR;
    if ((name && s == TR_NO_STR) || !tr_grow(&m->v, &m->cap, m->n + 1, sizeof *m->v))
        return false;
    m->v[m->n++] = (struct tr__rocprof_entry){ id, s, number };
    m->sorted = false;
    return true;
}

TR_ORDER(by_id, struct tr__rocprof_entry, TR_UP(id), TR_UP(name))

const struct tr__rocprof_entry *tr__rocprof_find(struct tr__rocprof_map *m, int64_t id)
{
    size_t lo = 0;
    if (!m->sorted && m->n)
        qsort(m->v, m->n, sizeof *m->v, by_id);
    m->sorted = true;
    TR_BOUND(lo, m->n, mid, m->v[mid].id < id);
    return lo < m->n && m->v[lo].id == id ? &m->v[lo] : NULL;
}

bool tr__rocprof_tables_init(struct tr__rocprof_tables *t)
{
    memset(t, 0, sizeof *t);
    t->pid = TR_I64_NONE;
    t->strings = tr_strtab_new();
    return t->strings != NULL;
}

void tr__rocprof_tables_free(struct tr__rocprof_tables *t)
{
    free(t->agents.v);
    free(t->kernels.v);
    free(t->markers.v);
    free(t->counters.v);
    free(t->operations.v);
    free(t->values);
    tr_strtab_free(t->strings);
}

/* ---- their contents ---- */

bool tr__rocprof_metadata(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, struct tr_ingest *g)
{
    size_t len = 0, node = tr__rocprof_within(o, 0, "node", TR_JSON_OBJECT);
    size_t command = tr__rocprof_within(o, 0, "command", TR_JSON_ARRAY);
    const char *host = node ? tr__rocprof_text(o, node, "hostname", &len) : NULL;
    t->pid = tr__rocprof_int(o, 0, "pid");
    if (host)
        tr_ingest_host(g, host, len);
    const char *program =
        command && o->tokens.tok[command].size > 0 ? text_of_token(o, command + 1, &len) : NULL;
    for (size_t i = len; program && i > 0; i--) {
        if (program[i - 1] == '/') {
            program += i;
            len -= i;
            break;
        }
    }
    if (program && t->pid != TR_I64_NONE)
        tr_ingest_process(g, t->pid, program, len, TR_I64_NONE);
    return true;
}

/* A device has its number among devices if that is known, else its number among all agents. */
bool tr__rocprof_agent(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, struct tr_ingest *g)
{
    static const char *const numbers[] = { "gpu_index", "logical_node_type_id", "logical_node_id", "node_id" };
    int64_t id = tr__rocprof_int(o, 0, "id"), device = TR_I64_NONE;
    bool gpu = tr__rocprof_int(o, 0, "type") == AGENT_GPU;
    size_t len = 0;
    for (size_t i = 0; gpu && device < 0 && i < sizeof numbers / sizeof *numbers; i++)
        device = tr__rocprof_int(o, 0, numbers[i]);
    if (gpu && device < 0)
        device = id;
    o->doubt |= id == TR_I64_NONE;
    if (id == TR_I64_NONE)
        return true;
    const char *name = tr__rocprof_text(o, 0, "name", &len);
    if (gpu) {
        char text[120];
        int n = snprintf(text, sizeof text, "GPU %lld%s%.*s", (long long)device, name ? " " : "",
                         (int)(len < 80 ? len : 80), name ? name : "");
        tr_ingest_process(g, device, text, (size_t)n, device);
    }
    return map_add(t, &t->agents, id, name, len, device);
}

bool tr__rocprof_kernel(struct tr__rocprof_tables *t, struct tr__rocprof_object *o)
{
    static const char *const names[] = { "truncated_kernel_name", "formatted_kernel_name", "demangled_kernel_name",
                                         "kernel_name" };
    int64_t id = tr__rocprof_int(o, 0, "kernel_id");
    const char *name = NULL;
    size_t len = 0;
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++)
        name = tr__rocprof_text(o, 0, names[i], &len);
    o->doubt |= id == TR_I64_NONE;
    return id == TR_I64_NONE || !name || map_add(t, &t->kernels, id, name, len, 0);
}

bool tr__rocprof_kind(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, size_t number)
{
    size_t list = tr__rocprof_within(o, 0, "operations", TR_JSON_ARRAY), k = 0;
    if (!list)
        return true;
    for (size_t i = list + 1; i < tr_json_next(&o->tokens, list); i = tr_json_next(&o->tokens, i), k++) {
        size_t len;
        const char *name = text_of_token(o, i, &len);
        if (name && !map_add(t, &t->operations, (int64_t)((uint64_t)number << 32 | k), name, len, 0))
            return false;
    }
    return true;
}

bool tr__rocprof_marker(struct tr__rocprof_tables *t, struct tr__rocprof_object *o)
{
    size_t len;
    int64_t id = tr__rocprof_int(o, 0, "key");
    const char *text = tr__rocprof_text(o, 0, "value", &len);
    o->doubt |= id == TR_I64_NONE;
    return id == TR_I64_NONE || !text || map_add(t, &t->markers, id, text, len, 0);
}

bool tr__rocprof_counter(struct tr__rocprof_tables *t, struct tr__rocprof_object *o)
{
    size_t len;
    int64_t id = tr__rocprof_int(o, 0, "id");
    const char *name = tr__rocprof_text(o, 0, "name", &len);
    o->doubt |= id == TR_I64_NONE;
    return id == TR_I64_NONE || !name || map_add(t, &t->counters, id, name, len, 0);
}

/* ---- values of counters ---- */

static int by_dispatch(const void *a, const void *b)
{
    const struct tr__rocprof_value *x = a, *y = b;
    if (x->dispatch != y->dispatch)
        return x->dispatch < y->dispatch ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value; /* so that sums always have the same order */
}

/* Sort the values; separate instances of a counter become one value, like adjacent ones. */
static void sort_values(struct tr__rocprof_tables *t)
{
    size_t kept = 0;
    if (t->n_values)
        qsort(t->values, t->n_values, sizeof *t->values, by_dispatch);
    for (size_t i = 0; i < t->n_values; i++) {
        struct tr__rocprof_value *last = kept ? &t->values[kept - 1] : NULL;
        if (last && last->dispatch == t->values[i].dispatch && last->name == t->values[i].name)
            last->value += t->values[i].value;
        else
            t->values[kept++] = t->values[i];
    }
    t->n_values = kept;
    t->values_sorted = true;
}

static bool add_value(struct tr__rocprof_tables *t, struct tr__rocprof_object *o, size_t at, int64_t dispatch)
{
    size_t v = tr__rocprof_at(o, at, "value");
    int64_t id = tr__rocprof_int(o, at, "counter_id");
    char name[40];
    double value;
    bool found = id != TR_I64_NONE && v && real_of_token(o, v, &value);
    o->doubt |= id == TR_I64_NONE || (v && !found);
    if (!found)
        return true;
    const struct tr__rocprof_entry *c = tr__rocprof_find(&t->counters, id);
    int n = snprintf(name, sizeof name, "counter %lld", (long long)id);
    uint32_t s = c ? c->name : tr_strtab_add(t->strings, name, (size_t)n);
    for (size_t i = t->n_values; i > 0 && t->values[i - 1].dispatch == dispatch; i--) {
        if (t->values[i - 1].name == s) { /* another instance of it */
            t->values[i - 1].value += value;
            return true;
        }
    }
    if (s == TR_NO_STR || !tr_grow(&t->values, &t->cap_values, t->n_values + 1, sizeof *t->values))
        return false;
    t->values[t->n_values++] = (struct tr__rocprof_value){ dispatch, s, value };
    t->values_sorted = false;
    return true;
}

bool tr__rocprof_collection(struct tr__rocprof_tables *t, struct tr__rocprof_object *o)
{
    size_t data = tr__rocprof_within(o, 0, "dispatch_data", TR_JSON_OBJECT);
    size_t records = tr__rocprof_within(o, 0, "records", TR_JSON_ARRAY);
    size_t info = data ? tr__rocprof_within(o, data, "dispatch_info", TR_JSON_OBJECT) : 0;
    int64_t dispatch = info ? tr__rocprof_int(o, info, "dispatch_id") : TR_I64_NONE;
    bool ok = true;
    if (dispatch == TR_I64_NONE || !records) {
        o->doubt |= records && o->tokens.tok[records].size > 0; /* whose values are they? */
        return true;
    }
    for (size_t i = records + 1; ok && i < tr_json_next(&o->tokens, records); i = tr_json_next(&o->tokens, i)) {
        bool object = o->tokens.tok[i].kind == TR_JSON_OBJECT;
        o->doubt |= !object;
        ok = !object || add_value(t, o, i, dispatch);
    }
    return ok;
}

const struct tr__rocprof_value *tr__rocprof_values(struct tr__rocprof_tables *t, int64_t dispatch, size_t *n)
{
    if (!t->values_sorted)
        sort_values(t);
    size_t lo = 0, end;
    TR_BOUND(lo, t->n_values, mid, t->values[mid].dispatch < dispatch);
    for (end = lo; end < t->n_values && t->values[end].dispatch == dispatch; end++)
        ;
    *n = end - lo;
    return t->values + lo;
}
