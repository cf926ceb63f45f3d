/* SPDX-License-Identifier: MIT */
/* Ideal cycles of kernels from the logs of a compiler. */
#include "vendor/tr_ideal.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CYCLES ((uint64_t)1 << 53)

static char *copy(struct tr_str s)
{
    char *c = malloc(s.len + 1);
    if (c) {
        memcpy(c, s.s, s.len);
        c[s.len] = '\0';
    }
    return c;
}

bool tr_ideal_start(struct tr_ideal *ideal, const char *phase, bool autopilot)
{
    if (!tr_grow(&ideal->tables, &ideal->cap_tables, ideal->n_tables + 1, sizeof *ideal->tables))
        return false;
    struct tr_ideal_table *t = &ideal->tables[ideal->n_tables++];
    *t = (struct tr_ideal_table){ .file = ideal->n_files, .phase = copy(tr_str_of(phase)), .autopilot = autopilot,
                                  .total = -1 };
    return t->phase;
}

bool tr_ideal_add(struct tr_ideal *ideal, struct tr_str kernel, struct tr_str category, int64_t cycles)
{
    struct tr_ideal_table *t = &ideal->tables[ideal->n_tables - 1];
    if (!tr_grow(&t->rows, &t->cap_rows, t->n_rows + 1, sizeof *t->rows))
        return false;
    struct tr_ideal_row *r = &t->rows[t->n_rows++];
    *r = (struct tr_ideal_row){ copy(kernel), category.s ? copy(category) : NULL, cycles };
    if (!category.s && t->total < 0)
        t->total = cycles;
    return r->kernel && (!category.s || r->category);
}

/* ---- rows by name ---- */

static int by_name(const struct tr_ideal_row *rows, uint32_t a, uint32_t b)
{
    int c = strcmp(rows[a].kernel, rows[b].kernel);
    return c ? c : (a > b) - (a < b);
}

/* Merge sort: qsort cannot pass the rows to the comparison. */
static void sort(const struct tr_ideal_row *rows, uint32_t *v, uint32_t *tmp, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, a = 0, b = half;
    sort(rows, v, tmp, half);
    sort(rows, v + half, tmp, n - half);
    for (size_t i = 0; i < n; i++)
        tmp[i] = b == n || (a < half && by_name(rows, v[a], v[b]) <= 0) ? v[a++] : v[b++];
    memcpy(v, tmp, n * sizeof *v);
}

bool tr_ideal_end(struct tr_ideal *ideal)
{
    struct tr_ideal_table *t = &ideal->tables[ideal->n_tables - 1];
    uint32_t *tmp = malloc((t->n_rows + 1) * sizeof *tmp);
    t->by_name = malloc((t->n_rows + 1) * sizeof *t->by_name);
    if (!tmp || !t->by_name || t->n_rows >= UINT32_MAX) {
        free(tmp);
        return false;
    }
    int64_t sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].category)
            t->by_name[n++] = (uint32_t)i;
    sort(t->rows, t->by_name, tmp, n);
    free(tmp);
    for (size_t i = 0; i < n; i++) {
        const struct tr_ideal_row *r = &t->rows[t->by_name[i]];
        if (t->n_by_name && !strcmp(t->rows[t->by_name[t->n_by_name - 1]].kernel, r->kernel))
            continue; /* the first row counts */
        t->by_name[t->n_by_name++] = t->by_name[i];
        sum += r->cycles;
    }
    t->total = t->total < 0 ? sum : t->total;
    return true;
}

const struct tr_ideal_row *tr_ideal_find(const struct tr_ideal_table *t, struct tr_str kernel)
{
    size_t lo = 0;
    TR_BOUND(lo, t->n_by_name, mid, tr_str_cmp(tr_str_of(t->rows[t->by_name[mid]].kernel), kernel) < 0);
    const struct tr_ideal_row *r = lo < t->n_by_name ? &t->rows[t->by_name[lo]] : NULL;
    return r && tr_str_cmp(tr_str_of(r->kernel), kernel) == 0 ? r : NULL;
}

void tr_ideal_free(struct tr_ideal *ideal)
{
    for (size_t t = 0; t < ideal->n_tables; t++) {
        struct tr_ideal_table *of = &ideal->tables[t];
        for (size_t r = 0; r < of->n_rows; r++) {
            free(of->rows[r].kernel);
            free(of->rows[r].category);
        }
        free(of->rows);
        free(of->by_name);
        free(of->phase);
    }
    free(ideal->tables);
    memset(ideal, 0, sizeof *ideal);
}

/* ---- logs ---- */

static size_t find(struct tr_str s, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= s.len; i++)
        if (!memcmp(s.s + i, word, len))
            return i;
    return SIZE_MAX;
}

static bool has(struct tr_str s, const char *word)
{
    return find(s, word) != SIZE_MAX;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The phase that a line names: one word, blanks on both sides; NULL: none. */
static const char *phase_of(struct tr_str line)
{
    size_t from = 0, to = line.len;
    while (from < to && blank(line.s[from]))
        from++;
    while (to > from && blank(line.s[to - 1]))
        to--;
    struct tr_str word = { line.s + from, to - from };
    if (!from || to == line.len)
        return NULL;
    return tr_str_is(word, "PREFILL") ? "PREFILL" : tr_str_is(word, "DECODING") ? "DECODING" : NULL;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Does the line have a name, blanks and a number? */
static bool row_of(struct tr_str line, struct tr_str *name, int64_t *cycles)
{
    uint64_t value;
    size_t at = 0;
    while (at < line.len && in_name(line.s[at]))
        at++;
    *name = (struct tr_str){ line.s, at };
    size_t gap = at;
    while (at < line.len && blank(line.s[at]))
        at++;
    size_t digits = at > gap ? tr_num_digits(line.s + at, line.len - at, MAX_CYCLES, &value, NULL) : 0;
    at += digits;
    while (at < line.len && blank(line.s[at]))
        at++;
    *cycles = digits ? (int64_t)value : 0;
    return name->len && digits && at == line.len;
}

/* Add the row of a name as the log writes it.  False: out of memory. */
static bool add_row(struct tr_ideal *ideal, struct tr_str name, int64_t cycles)
{
    struct tr_str category = { NULL, 0 };
    size_t at = find(name, "-opCat");
    if (has(name, "Precompute") || has(name, "-LxPreload"))
        return true;
    if (at != SIZE_MAX) {
        category = (struct tr_str){ name.s + at + 6, name.len - at - 6 };
        name.len = at;
    } else if (name.len > 3 && !memcmp(name.s + name.len - 3, "-NA", 3)) {
        category = tr_str_of("NotAvailable");
        name.len -= 3;
    }
    return tr_ideal_add(ideal, name, category, cycles);
}

enum tr_status tr_ideal_log(struct tr_ideal *ideal, const char *text, size_t len, struct tr_error *err)
{
    const char *phase = "UNKN", *now;
    bool open = false, autopilot = false, ok = true;
    size_t before = ideal->n_tables;
    struct tr_str name;
    int64_t cycles;
    for (size_t at = 0, end; at < len && ok; at = end + 1) {
        const char *nl = memchr(text + at, '\n', len - at);
        end = nl ? (size_t)(nl - text) : len;
        struct tr_str line = { text + at, end - at };
        if (has(line, "DSM-AutoPilot BEGIN"))
            autopilot = true;
        if ((now = phase_of(line)) != NULL)
            phase = now;
        if (has(line, " Ideal/Total Cycles ") || (open && has(line, "====== Perf Summary End ======"))) {
            ok = !open || tr_ideal_end(ideal);
            open = ok && has(line, " Ideal/Total Cycles ");
            ok = ok && (!open || tr_ideal_start(ideal, phase, autopilot));
        } else if (open && row_of(line, &name, &cycles)) {
            ok = add_row(ideal, name, cycles);
        }
    }
    if (!ok || (open && !tr_ideal_end(ideal)))
        return tr_fail_memory(err);
    ideal->n_files++;
    return ideal->n_tables > before ? TR_OK : tr_fail(err, TR_NO, "a compiler's log without a table of ideal cycles");
}
