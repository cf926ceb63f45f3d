/* SPDX-License-Identifier: MIT */
/* Values of metrics in the args of events. */
#include "analysis/counters/tr_metric_values.h"

#include "base/tr_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static struct tr_str str_of(const char *s)
{
    return (struct tr_str){ s, strlen(s) };
}

static bool has(const char *name, const char *part)
{
    return strstr(name, part) != NULL;
}

/* Where the bracket at the end of a name starts, and its length; SIZE_MAX: there is none. */
static size_t bracket_of(const char *name, size_t *len)
{
    size_t n = strlen(name);
    char close = n ? name[n - 1] : '\0';
    for (size_t at = n; (close == ']' || close == ')') && at-- > 1;)
        if (name[at] == (close == ']' ? '[' : '(')) {
            *len = n - at;
            return at;
        }
    return SIZE_MAX;
}

struct tr_str tr_metric_unit(const char *name)
{
    size_t len, at = bracket_of(name, &len);
    if (at != SIZE_MAX)
        return (struct tr_str){ name + at + 1, len - 2 };
    if (!has(name, "__"))
        return str_of("");
    if (has(name, ".pct"))
        return str_of("%");
    if (has(name, "__bytes"))
        return str_of(has(name, ".per_second") ? "byte/s" : has(name, ".per_") || has(name, ".ratio") ? "" : "byte");
    return str_of(has(name, "__time_duration") ? "ns" : "");
}

struct tr_str tr_metric_base(const char *name)
{
    size_t len, at = bracket_of(name, &len);
    if (at == SIZE_MAX)
        return str_of(name);
    while (at > 0 && name[at - 1] == ' ')
        at--;
    return (struct tr_str){ name, at };
}

static bool one_of(struct tr_str text, const char *const *of)
{
    for (; *of; of++)
        if (text.len == strlen(*of) && memcmp(text.s, *of, text.len) == 0)
            return true;
    return false;
}

bool tr_metric_is_bytes(const char *name)
{
    static const char *const units[] = { "byte", "bytes", "Byte", "Bytes", "B", NULL };
    return one_of(tr_metric_unit(name), units);
}

bool tr_metric_is_time(const char *name)
{
    return strcmp(name, "GpuTime[ns]") == 0 || strcmp(name, "gpu__time_duration.sum") == 0;
}

/* Derived counters of AMD that are shares or means, although their names have no unit. */
static bool is_derived(const char *name)
{
    static const char *const ends[] = { "Busy",    "Utilization", "Hit",   "Stalled", "StalledByLDS", "BankConflict",
                                        "Percent", "Pct",         "PerCU", "_util",   "_rate",        NULL };
    size_t len = strlen(name);
    for (const char *const *end = ends; *end; end++) {
        size_t n = strlen(*end);
        if (len > n && memcmp(name + len - n, *end, n) == 0)
            return true;
    }
    return false;
}

bool tr_metric_counts(const char *name)
{
    static const char *const parts[] = { ".pct", ".per_", ".ratio", ".avg", ".min", ".max", NULL };
    static const char *const no_count[] = { "%",   "ns",  "us", "ms", "s", "Hz", "kHz",
                                            "MHz", "GHz", "W",  "mW", "C", "V",  NULL };
    struct tr_str unit = tr_metric_unit(name);
    if (one_of(unit, no_count) || (unit.len && memchr(unit.s, '/', unit.len)))
        return false;
    for (const char *const *part = parts; *part; part++)
        if (has(name, *part))
            return false;
    return !is_derived(name) && !tr_metric_is_time(name);
}

enum tr_metric_of_rows tr_metric_of_rows(const char *name)
{
    static const char *const times[] = { "ns", "us", "ms", "s", NULL };
    struct tr_str unit = tr_metric_unit(name);
    if (tr_metric_is_time(name))
        return TR_METRIC_ADDED;
    if (!unit.len || one_of(unit, times))
        return TR_METRIC_FIRST;
    return tr_metric_counts(name) ? TR_METRIC_ADDED : TR_METRIC_MEAN;
}

/* ---- which ---- */

struct wanted {
    struct tr_str name;
    bool seen;
};

/* A packed column of one batch. */
struct expanded {
    int64_t *of; /* by event */
    size_t cap;
    uint64_t batch; /* the n-th, from 1 */
};

struct tr_metric_values {
    const struct tr_dict *dict;
    const struct tr_batch *b;
    struct wanted *wanted;
    size_t n_wanted, cap_wanted;
    bool all;
    struct tr_strtab *names;
    size_t *place; /* in wanted, by metric; SIZE_MAX: none */
    size_t n_place, cap_place;
    struct expanded *columns; /* by number */
    size_t n_columns, cap_columns;
    uint64_t n_batches;
    uint32_t file_category,
        file_own[2];                /* strings of the batch: rows of metric files, and their args that are no metrics */
    struct tr_metric_value *values; /* of one event */
    size_t cap_values;
    struct tr_buf text;
};

static bool split(struct tr_metric_values *x, const char *list)
{
    for (;;) {
        list += strspn(list, " ");
        size_t len = strcspn(list, ",");
        if (!tr_grow(&x->wanted, &x->cap_wanted, x->n_wanted + 1, sizeof *x->wanted))
            return false;
        x->wanted[x->n_wanted++] = (struct wanted){ { list, len }, false };
        if (!list[len])
            return true;
        list += len + 1;
    }
}

struct tr_metric_values *tr_metric_values_new(const struct tr_dict *dict, const char *list)
{
    struct tr_metric_values *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->dict = dict;
    x->all = !list;
    x->names = tr_strtab_new();
    if (x->names && (!list || split(x, list)))
        return x;
    tr_metric_values_free(x);
    return NULL;
}

void tr_metric_values_free(struct tr_metric_values *x)
{
    if (!x)
        return;
    tr_strtab_free(x->names);
    for (size_t c = 0; c < x->n_columns; c++)
        free(x->columns[c].of);
    free(x->columns);
    free(x->wanted);
    free(x->place);
    free(x->values);
    tr_buf_free(&x->text);
    free(x);
}

static bool same(struct tr_str a, struct tr_str b)
{
    return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

/* A name with its unit is looked up first: if two metrics differ only in it, both can be selected. */
static size_t find_wanted(struct tr_metric_values *x, const char *name)
{
    for (int whole = 1; whole >= 0; whole--)
        for (size_t k = 0; k < x->n_wanted; k++)
            if (same(x->wanted[k].name, whole ? str_of(name) : tr_metric_base(name))) {
                x->wanted[k].seen = true;
                return k;
            }
    return SIZE_MAX;
}

static inline uint32_t metric_number(struct tr_metric_values *x, struct tr_str name)
{
    uint32_t metric = tr_strtab_add(x->names, name.s, name.len);
    if (metric == TR_NO_STR || metric < x->n_place)
        return metric;
    if (!tr_grow(&x->place, &x->cap_place, (size_t)metric + 1, sizeof *x->place))
        return TR_NO_STR;
    x->place[x->n_place++] = find_wanted(x, tr_strtab_get(x->names, metric));
    return metric;
}

uint32_t tr_metric_values_add(struct tr_metric_values *x, struct tr_str name)
{
    return metric_number(x, name);
}

uint32_t tr_metric_values_count(const struct tr_metric_values *x)
{
    return (uint32_t)x->n_place;
}

const char *tr_metric_values_name(const struct tr_metric_values *x, uint32_t metric)
{
    return tr_strtab_get(x->names, metric);
}

bool tr_metric_values_wanted(const struct tr_metric_values *x, uint32_t metric)
{
    return x->all || x->place[metric] != SIZE_MAX;
}

bool tr_metric_values_all(const struct tr_metric_values *x)
{
    return x->all;
}

struct named {
    size_t place;
    const char *name;
    uint32_t metric;
};

static int by_place(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->metric > y->metric) - (x->metric < y->metric); /* alike up to a zero */
}

size_t tr_metric_values_order(const struct tr_metric_values *x, uint32_t *order)
{
    struct named *named = calloc(x->n_place + 1, sizeof *named);
    size_t n = 0;
    if (!named)
        return SIZE_MAX;
    for (uint32_t m = 0; m < x->n_place; m++)
        if (tr_metric_values_wanted(x, m))
            named[n++] = (struct named){ x->place[m], tr_strtab_get(x->names, m), m };
    qsort(named, n, sizeof *named, by_place);
    for (size_t k = 0; k < n; k++)
        order[k] = named[k].metric;
    free(named);
    return n;
}

enum tr_status tr_metric_values_check(const struct tr_metric_values *x, struct tr_error *err)
{
    struct tr_buf there = { 0 };
    uint32_t *order = calloc(x->n_place + 1, sizeof *order);
    struct named *named = calloc(x->n_place + 1, sizeof *named);
    bool ok = order && named;
    enum tr_status st = TR_OK;
    for (uint32_t m = 0; ok && m < x->n_place; m++)
        named[m] = (struct named){ 0, tr_strtab_get(x->names, m), m };
    if (ok)
        qsort(named, x->n_place, sizeof *named, by_place);
    for (size_t k = 0; ok && k < x->n_place && k < 8; k++)
        ok = tr_buf_add_str(&there, k ? ", " : "") && tr_buf_add_str(&there, named[k].name);
    ok = ok && tr_buf_add_str(&there, x->n_place > 8 ? ", ..." : "") && tr_buf_add(&there, "", 1);
    for (size_t k = 0; ok && k < x->n_wanted && st == TR_OK; k++)
        if (!x->wanted[k].seen) {
            tr_error_place(err, "option --metrics");
            st = tr_fail(err, TR_ABSENT, "no input has the metric '%.*s': there %s %.400s", (int)x->wanted[k].name.len,
                         x->wanted[k].name.s, x->n_place == 1 ? "is only" : "are",
                         x->n_place ? (const char *)there.data : "none");
        }
    free(order);
    free(named);
    tr_buf_free(&there);
    return ok ? st : tr_fail_memory(err);
}

/* ---- values ---- */

double tr_metric_number(struct tr_metric m)
{
    return m.is == TR_METRIC_NONE ? NAN : m.is == TR_METRIC_INT ? (double)m.v.i : m.v.d;
}

static struct tr_metric metric_of(unsigned type, int64_t stored)
{
    struct tr_metric m = { .is = TR_METRIC_REAL };
    if (type == TR_T_INT || (type == TR_T_UINT && stored >= 0)) {
        m.is = TR_METRIC_INT;
        m.v.i = stored;
    } else if (type == TR_T_UINT) {
        m.v.d = (double)(uint64_t)stored;
    } else if (type == TR_T_DECIMAL) {
        m.v.d = tr_decimal_double(stored);
    } else {
        memcpy(&m.v.d, &stored, sizeof m.v.d);
    }
    return m;
}

static bool is_number(const struct tr_column *c)
{
    return c->place == TR_PLACE_ARGS && (c->type == TR_T_INT || c->type == TR_T_UINT ||
                                         c->type == TR_T_DECIMAL || c->type == TR_T_DOUBLE);
}

void tr_metric_values_batch(struct tr_metric_values *x, const struct tr_batch *b)
{
    static const char *const own[] = { "instance", "sample" };
    x->b = b;
    x->n_batches++;
    x->file_category = tr_metric_file_category(x->dict);
    for (size_t k = 0; k < 2; k++)
        x->file_own[k] = tr_strtab_find(x->dict->strings, own[k], strlen(own[k]));
}

/*
 * A packed column with an entry per event.  The place of an event's entry is known only by reading from the start of
 * the column, so this is done once per batch.  NULL: out of memory.
 */
static const int64_t *column_of(struct tr_metric_values *x, uint32_t c)
{
    if (!tr_grow(&x->columns, &x->cap_columns, (size_t)c + 1, sizeof *x->columns))
        return NULL;
    for (; x->n_columns <= c; x->n_columns++)
        memset(&x->columns[x->n_columns], 0, sizeof *x->columns);
    struct expanded *e = &x->columns[c];
    if (e->batch == x->n_batches)
        return e->of;
    if (!tr_grow(&e->of, &e->cap, x->b->n, sizeof *e->of))
        return NULL;
    tr_batch_expand_i64(x->b, c, 0, e->of);
    e->batch = x->n_batches;
    return e->of;
}

/* The name of a metric of an event, as described in the header file.  False: out of memory. */
static bool name_of(struct tr_metric_values *x, size_t i, struct tr_str key, struct tr_str *name)
{
    *name = key;
    if (x->b->phase[i] != TR_COUNTER)
        return true;
    *name = tr_dict_text_if(x->dict, x->b->name[i]);
    name->s = name->s ? name->s : "";
    if (!key.len || same(key, *name) || same(key, str_of("value")))
        return true;
    x->text.len = 0;
    if (!tr_buf_add_text(&x->text, *name) || !tr_buf_add_str(&x->text, ".") || !tr_buf_add_text(&x->text, key))
        return false;
    *name = (struct tr_str){ (const char *)x->text.data, x->text.len };
    return true;
}

bool tr_metric_values_of(struct tr_metric_values *x, size_t i, const struct tr_metric_value **of, size_t *n)
{
    const struct tr_shape *shape = &x->dict->shapes[x->b->shape[i]];
    struct tr_str name;
    bool row = tr_metric_is_row(x->b, i, x->file_category);
    *n = 0;
    for (uint32_t k = 0; k < shape->n_slots; k++) {
        uint32_t c = shape->slots[k].column;
        if (c >= x->b->n_cols || c >= x->dict->n_columns || !is_number(&x->dict->columns[c]))
            continue;
        const struct tr_column *col = &x->dict->columns[c];
        if (row && (col->key == x->file_own[0] || col->key == x->file_own[1]))
            continue;
        const int64_t *stored = column_of(x, c);
        if (!stored || !name_of(x, i, tr_dict_text(x->dict, col->key), &name) ||
            !tr_grow(&x->values, &x->cap_values, *n + 1, sizeof *x->values))
            return false;
        uint32_t metric = metric_number(x, name);
        if (metric == TR_NO_STR)
            return false;
        x->values[(*n)++] = (struct tr_metric_value){ metric, 1, metric_of(col->type, stored[i]) };
    }
    *of = x->values;
    return true;
}
