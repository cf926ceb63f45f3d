/* SPDX-License-Identifier: MIT */
/*
 * What the profiler of Ascend writes beside its trace_view.json: kernel_details.csv, a row for each kernel with what
 * was counted of it, and communication.json, what each collective waited for and how fast its links were.  Both become
 * tables of the source.
 */
#include "formats/ascend_json/tr_ascend_tables_int.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_str.h"
#include "json/tr_json_tok.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)64 << 20) /* of a file beside a trace */
#define MAX_NAME  64u

/* ---- files ---- */

/* The file of this name in the folder of a trace.  False: there is none that can be used. */
static bool read_file(const char *trace, const char *name, struct tr_buf *text)
{
    char path[4096];
    const char *slash = strrchr(trace, '/');
    size_t n = slash ? (size_t)(slash - trace) + 1 : 0, got = 1;
    if (n + strlen(name) + 1 > sizeof path)
        return false;
    snprintf(path, sizeof path, "%.*s%s", (int)n, trace, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    while (got && text->len <= MAX_BYTES && tr_buf_reserve(text, 65536)) {
        got = fread(text->data + text->len, 1, 65536, f);
        text->len += got;
    }
    bool ok = !ferror(f) && !got && text->len && text->len <= MAX_BYTES;
    fclose(f);
    return ok;
}

/* ---- cells ---- */

static struct tr_str trim(struct tr_str s)
{
    while (s.len && strchr(" \t\r", *s.s))
        s = (struct tr_str){ s.s + 1, s.len - 1 };
    while (s.len && strchr(" \t\r", s.s[s.len - 1]))
        s.len--;
    return s;
}

static bool is_absent(struct tr_str s)
{
    return !s.len || tr_str_is(s, "N/A");
}

/* A number; its bits are those of a column of the type.  False: it is none of the type. */
static bool number_of(struct tr_str s, unsigned type, int64_t *bits)
{
    struct tr_number n;
    char text[40];
    double real;
    if (type == TR_T_INT)
        return tr_json_number(s.s, s.len, &n) && n.cls == TR_NUMBER_INT && (*bits = n.i, true);
    snprintf(text, sizeof text, "%.*s", (int)(s.len < sizeof text ? s.len : 0), s.s);
    if (!tr_num_decimal(text, &real))
        return false;
    memcpy(bits, &real, sizeof *bits);
    return true;
}

/* ---- kernel_details.csv ---- */

struct csv {
    struct tr_str *cells;
    size_t n, cap, n_columns;
};

/* Inside of a quoted field, a quote is doubled: make it one, where it stands. */
static struct tr_str undouble(char *s, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        s[to++] = s[i];
        i += s[i] == '"' && i + 1 < n && s[i + 1] == '"';
    }
    return (struct tr_str){ s, to };
}

/* The rest of a text, whose bytes are changed. */
struct rest {
    char *s;
    size_t len;
};

/* Take a field off a text; a quoted one without its quotes. */
static struct tr_str take_field(struct rest *s, bool *ends)
{
    bool quoted = s->len && *s->s == '"';
    size_t i = quoted;
    while (i < s->len && (quoted ? s->s[i] != '"' || (i + 1 < s->len && s->s[i + 1] == '"')
                                 : s->s[i] != ',' && s->s[i] != '\n'))
        i += quoted && s->s[i] == '"' ? 2 : 1;
    i = i < s->len ? i : s->len;
    struct tr_str field = { s->s + quoted, i - quoted };
    if (quoted)
        field = undouble(s->s + 1, i - 1);
    while (i < s->len && s->s[i] != ',' && s->s[i] != '\n')
        i++;
    *ends = i == s->len || s->s[i] == '\n';
    i += i < s->len;
    s->s += i;
    s->len -= i;
    return trim(field);
}

/* All cells; rows that have not as many as the first one are left out.  False: out of memory. */
static bool read_csv(struct csv *c, struct rest text)
{
    while (text.len) {
        size_t row = c->n;
        bool ends = false;
        while (!ends) {
            if (!tr_grow(&c->cells, &c->cap, c->n + 1, sizeof *c->cells))
                return false;
            c->cells[c->n++] = take_field(&text, &ends);
        }
        c->n_columns = row ? c->n_columns : c->n;
        if (c->n - row != c->n_columns)
            c->n = row;
    }
    return true;
}

/* Times become whole ns. */
static bool is_time(struct tr_str name)
{
    return tr_str_is(name, "Start Time(us)") || tr_str_is(name, "Duration(us)") || tr_str_is(name, "Wait Time(us)");
}

static unsigned type_of(const struct csv *c, size_t column)
{
    int64_t bits;
    bool whole = true, real = true;
    if (is_time(c->cells[column]))
        return TR_T_INT;
    for (size_t i = c->n_columns + column; i < c->n && real; i += c->n_columns) {
        bool absent = is_absent(c->cells[i]);
        whole = whole && (absent || number_of(c->cells[i], TR_T_INT, &bits));
        real = absent || number_of(c->cells[i], TR_T_DOUBLE, &bits);
    }
    return whole && real ? TR_T_INT : real ? TR_T_DOUBLE : TR_T_STRING;
}

/* A column without a name, as after a comma at the end of lines, gets one by its place. */
static bool add_column(struct tr_side_table *t, struct tr_str name, unsigned type)
{
    char text[MAX_NAME];
    size_t len = name.len < sizeof text ? name.len : sizeof text - 1;
    if (is_time(name))
        snprintf(text, sizeof text, "%s", *name.s == 'S' ? "start_ns" : *name.s == 'D' ? "dur_ns" : "wait_ns");
    else
        snprintf(text, sizeof text, "%.*s", (int)len, name.s);
    if (!*text)
        snprintf(text, sizeof text, "column_%zu", t->n_columns + 1);
    return tr_side_table_column(t, text, type);
}

static struct tr_side_value value_of(struct tr_str s, bool time, unsigned type)
{
    struct tr_side_value v = { .present = !is_absent(s) };
    bool exact;
    if (time)
        v.present = v.present && tr_json_us_to_ns(s.s, s.len, &v.v, &exact);
    else if (type == TR_T_STRING)
        v = (struct tr_side_value){ .present = v.present, .text = s.s, .len = s.len };
    else
        v.present = v.present && number_of(s, type, &v.v);
    return v;
}

static struct tr_side_table *table_of(const struct csv *c)
{
    struct tr_side_table *t = tr_side_table_new("kernel_details", 0);
    struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
    unsigned types[TR_SIDE_MAX_COLUMNS];
    bool ok = t != NULL;
    for (size_t k = 0; ok && k < c->n_columns; k++) {
        types[k] = type_of(c, k);
        ok = add_column(t, c->cells[k], types[k]);
    }
    for (size_t at = c->n_columns; ok && at < c->n; at += c->n_columns) {
        for (size_t k = 0; k < c->n_columns; k++)
            row[k] = value_of(c->cells[at + k], is_time(c->cells[k]), types[k]);
        ok = tr_side_table_add(t, row);
    }
    if (ok)
        return t;
    tr_side_table_free(t);
    return NULL;
}

/* ---- communication.json ---- */

static const char *const times[] = { "Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)",
                                     "Synchronization Time(ms)", "Idle Time(ms)" };
static const char *const time_columns[] = { "elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "idle_ns" };
static const char *const links[] = { "RDMA", "HCCS", "PCIE", "SDMA", "SIO" };
enum { STEP, KIND, NAME, GROUP, START, TIMES, LINKS = TIMES + 5, N_COLUMNS = LINKS + 10 };

static bool add_comm_columns(struct tr_side_table *t)
{
    bool ok = tr_side_table_column(t, "step", TR_T_STRING) && tr_side_table_column(t, "kind", TR_T_STRING) &&
              tr_side_table_column(t, "name", TR_T_STRING) && tr_side_table_column(t, "group", TR_T_STRING) &&
              tr_side_table_column(t, "start_ns", TR_T_INT);
    for (size_t i = 0; ok && i < sizeof times / sizeof *times; i++)
        ok = tr_side_table_column(t, time_columns[i], TR_T_INT);
    for (size_t i = 0; ok && i < sizeof links / sizeof *links; i++) {
        char mb[24], gbs[24];
        snprintf(mb, sizeof mb, "%s_mb", links[i]);
        snprintf(gbs, sizeof gbs, "%s_gbs", links[i]);
        ok = tr_side_table_column(t, mb, TR_T_DOUBLE) && tr_side_table_column(t, gbs, TR_T_DOUBLE);
    }
    return ok;
}

static struct tr_str token(const struct tr_json_tokens *k, const char *text, size_t i)
{
    return (struct tr_str){ text + k->tok[i].start, (size_t)(k->tok[i].end - k->tok[i].start) };
}

/* A time in us, or in ms, as ns. */
static struct tr_side_value time_value(const struct tr_json_tokens *k, const char *text, size_t i, bool ms)
{
    struct tr_side_value v = { .present = false };
    struct tr_str s = i ? token(k, text, i) : (struct tr_str){ NULL, 0 };
    bool exact;
    int64_t bits;
    double real;
    if (!ms) {
        v.present = i && tr_json_us_to_ns(s.s, s.len, &v.v, &exact);
    } else if (i && number_of(s, TR_T_DOUBLE, &bits)) {
        memcpy(&real, &bits, sizeof real);
        v.present = real > -9e9 && real < 9e9;
        v.v = v.present ? (int64_t)(real * 1e6 + (real < 0 ? -0.5 : 0.5)) : 0;
    }
    return v;
}

static struct tr_side_value text_value(struct tr_str s)
{
    return (struct tr_side_value){ .present = s.len > 0, .text = s.s, .len = s.len };
}

/* The row of a collective, whose value is token i. */
static bool add_collective(struct tr_side_table *t, const struct tr_json_tokens *k, const char *text,
                           struct tr_side_value *row, struct tr_str name, size_t i)
{
    const char *at = memchr(name.s, '@', name.len);
    size_t len = at ? (size_t)(at - name.s) : name.len;
    size_t when = tr_json_member(k, text, i, "Communication Time Info"),
           how = tr_json_member(k, text, i, "Communication Bandwidth Info");
    row[NAME] = text_value((struct tr_str){ name.s, len });
    row[GROUP] = text_value((struct tr_str){ name.s + len + (at != NULL), name.len - len - (at != NULL) });
    row[START] = time_value(k, text, when ? tr_json_member(k, text, when, "Start Timestamp(us)") : 0, false);
    for (size_t n = 0; n < sizeof times / sizeof *times; n++)
        row[TIMES + n] = time_value(k, text, when ? tr_json_member(k, text, when, times[n]) : 0, true);
    for (size_t n = 0; n < sizeof links / sizeof *links; n++) {
        static const char *const what[] = { "Transit Size(MB)", "Bandwidth(GB/s)" };
        size_t link = how ? tr_json_member(k, text, how, links[n]) : 0;
        for (size_t m = 0; m < 2; m++) {
            size_t of = link ? tr_json_member(k, text, link, what[m]) : 0;
            struct tr_side_value v = { .present = false };
            v.present = of && number_of(token(k, text, of), TR_T_DOUBLE, &v.v);
            row[LINKS + 2 * n + m] = v;
        }
    }
    return tr_side_table_add(t, row);
}

static bool is_object(const struct tr_json_tokens *k, size_t i)
{
    return i < k->n && k->tok[i].kind == TR_JSON_OBJECT;
}

/* Call add_collective for {step: {kind: {name: {...}}}}. */
static bool add_steps(struct tr_side_table *t, const struct tr_json_tokens *k, const char *text)
{
    struct tr_side_value row[N_COLUMNS];
    bool ok = true;
    for (size_t s = 1; ok && is_object(k, 0) && s < k->n; s = tr_json_next(k, s + 1))
        for (size_t d = s + 2; ok && is_object(k, s + 1) && d < tr_json_next(k, s + 1); d = tr_json_next(k, d + 1))
            for (size_t n = d + 2; ok && is_object(k, d + 1) && n < tr_json_next(k, d + 1);
                 n = tr_json_next(k, n + 1)) {
                row[STEP] = text_value(token(k, text, s));
                row[KIND] = text_value(token(k, text, d));
                ok = !is_object(k, n + 1) || add_collective(t, k, text, row, token(k, text, n), n + 1);
            }
    return ok;
}

static struct tr_side_table *table_of_comm(const char *text, size_t n, bool *ok)
{
    struct tr_json_tokens k = { 0 };
    struct tr_side_table *t = NULL;
    if (tr_json_tokenize(&k, text, n)) {
        t = tr_side_table_new("communication", 0);
        *ok = t && add_comm_columns(t) && add_steps(t, &k, text);
    } else {
        *ok = !k.no_memory;
    }
    tr_json_tokens_free(&k);
    if (*ok && t && t->n_rows)
        return t;
    tr_side_table_free(t);
    return NULL;
}

/* ---- both ---- */

static bool keep(struct tr_side_tables *tables, struct tr_side_table *t)
{
    if (!t)
        return true;
    if (tr_grow(&tables->v, &tables->cap, tables->n + 1, sizeof(struct tr_side_table *))) {
        tables->v[tables->n++] = t;
        return true;
    }
    tr_side_table_free(t);
    return false;
}

bool tr__ascend_tables(const char *trace, struct tr_side_tables *tables)
{
    struct tr_buf text = { 0 };
    struct csv c = { .n = 0 };
    bool ok = true;
    if (read_file(trace, "kernel_details.csv", &text)) {
        ok = read_csv(&c, (struct rest){ (char *)text.data, text.len });
        if (ok && c.n_columns && c.n_columns <= TR_SIDE_MAX_COLUMNS && c.n > c.n_columns) {
            struct tr_side_table *t = table_of(&c);
            ok = t && keep(tables, t);
        }
    }
    free(c.cells);
    text.len = 0;
    if (ok && read_file(trace, "communication.json", &text)) {
        struct tr_side_table *t = table_of_comm((const char *)text.data, text.len, &ok);
        ok = ok && keep(tables, t);
    }
    tr_buf_free(&text);
    return ok;
}
