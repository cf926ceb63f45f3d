/* SPDX-License-Identifier: MIT */
/* Chosen fields of events as aligned text, TSV, CSV or JSON lines. */
#include "formats/text/tr_text_write.h"

#include "base/tr_elide.h"
#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "base/tr_width.h"
#include "json/tr_json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH 1024u /* events that are aligned together */

/* Terminal columns: at most for a text if lines are short, and at least for the last text. */
enum { MAX_TEXT = 24, MIN_LAST = 16 };

struct tr_text_writer {
    enum tr_text_format format;
    enum tr_text_unit unit;
    const struct tr_fields *fields;
    struct tr_field_reader reader;
    struct tr_buf *names; /* by field: name with unit; for JSON the key with its quotes and colon */
    bool started, any;
    /* aligned text: the cells of a stretch */
    struct tr_buf cells;
    struct piece {
        size_t end;   /* in cells */
        size_t width; /* in columns of the terminal */
    } * pieces;
    size_t n_pieces, cap_pieces;
    size_t *width; /* by field, in columns of the terminal */
    size_t line;   /* columns of a line, 0: any */
    struct tr_elider **eliders; /* by field, NULL: none of its texts was cut yet */
};

static bool is_json(const struct tr_text_writer *w)
{
    return w->format == TR_TEXT_JSONL || w->format == TR_TEXT_JSON;
}

static bool name_column(struct tr_text_writer *w, size_t k)
{
    static const char *const units[] = { "_ns", "_us", "_ms", "_s" };
    const struct tr_field *f = &w->fields->list[k];
    struct tr_buf *name = &w->names[k];
    if (!tr_buf_add_str(name, f->name) ||
        (tr_field_is_time(f) && !tr_buf_add_str(name, units[w->unit])))
        return false;
    if (!is_json(w))
        return true;
    struct tr_buf key = { 0 };
    bool ok =
        tr_escape_json(&key, (const char *)name->data, name->len) && tr_buf_add(&key, ":", 1);
    tr_buf_free(name);
    *name = key;
    return ok;
}

struct tr_text_writer *tr_text_writer_new(enum tr_text_format format, enum tr_text_unit unit,
                                          const struct tr_fields *fields, struct tr_field_columns *columns)
{
    struct tr_text_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->format = format;
    w->unit = unit;
    w->fields = fields;
    w->reader.columns = columns;
    w->names = calloc(fields->n, sizeof *w->names);
    w->width = calloc(fields->n, sizeof *w->width);
    w->eliders = calloc(fields->n, sizeof *w->eliders);
    bool ok = w->names && w->width && w->eliders;
    for (size_t k = 0; ok && k < fields->n; k++)
        ok = name_column(w, k);
    if (ok)
        return w;
    tr_text_writer_free(w);
    return NULL;
}

void tr_text_writer_width(struct tr_text_writer *w, size_t width)
{
    w->line = width;
}

void tr_text_writer_of_files(struct tr_text_writer *w)
{
    w->reader.of_files = true;
}

void tr_text_writer_lanes(struct tr_text_writer *w, const uint32_t *lanes)
{
    w->reader.lanes = lanes;
}

void tr_text_writer_free(struct tr_text_writer *w)
{
    if (!w)
        return;
    for (size_t k = 0; w->eliders && k < w->fields->n; k++)
        tr_elider_free(w->eliders[k]);
    free(w->eliders);
    for (size_t k = 0; w->names && k < w->fields->n; k++)
        tr_buf_free(&w->names[k]);
    free(w->names);
    free(w->width);
    free(w->pieces);
    tr_buf_free(&w->cells);
    tr_field_reader_free(&w->reader);
    free(w);
}

static bool add_time(const struct tr_text_writer *w, int64_t ns, struct tr_buf *out)
{
    static const unsigned decimals[] = { 0, 3, 6, 9 };
    return tr_json_add_scaled(out, ns, decimals[w->unit]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static bool add_json(struct tr_text_writer *w, const struct tr_field_value *v, struct tr_buf *out)
{
    static const char *const words[] = { "null", "false", "true" };
    switch (v->is) {
    case TR_VALUE_NS:
        return add_time(w, v->i, out);
    case TR_VALUE_TYPED:
        if (!tr_type_has_entry(v->type))
            return tr_buf_add_str(out, words[v->type]);
        return tr_members_value(&w->reader.members, v->type, v->i, out);
    case TR_VALUE_TEXT:
        return tr_buf_add(out, "\"", 1) && tr_buf_add(out, v->text, v->len) &&
               tr_buf_add(out, "\"", 1);
    case TR_VALUE_STR:
        return tr_members_str(&w->reader.members, (uint32_t)v->i, out);
    case TR_VALUE_PART:
        return tr_escape_json(out, v->text, v->len);
    case TR_VALUE_OBJECT:
        return tr_buf_add(out, v->text, v->len);
    default:
        return tr_buf_add(out, "null", 4);
    }
}

static bool json_event(struct tr_text_writer *w, size_t i, struct tr_buf *out)
{
    struct tr_field_value v;
    bool first = true, ok = true;
    if (w->format == TR_TEXT_JSON)
        ok = tr_buf_add_str(out, w->any ? ",\n" : "\n");
    w->any = true;
    ok = ok && tr_buf_add(out, "{", 1);
    for (size_t k = 0; ok && k < w->fields->n; k++) {
        ok = tr_field_reader_get(&w->reader, i, k, &v);
        if (!ok || (v.is == TR_VALUE_NONE && w->fields->list[k].optional))
            continue;
        ok = tr_buf_add(out, ",", first ? 0 : 1) &&
             tr_buf_add(out, w->names[k].data, w->names[k].len) && add_json(w, &v, out);
        first = false;
    }
    return ok && tr_buf_add(out, "}\n", w->format == TR_TEXT_JSONL ? 2 : 1);
}

/* ---- tsv and text --------------------------------------------------------------------------- */

/* Cut the text in out from `from` on, so that no two texts of the field look the same. */
static bool cut(struct tr_text_writer *w, size_t k, size_t max, struct tr_buf *out, size_t from, size_t *width)
{
    struct tr_str form;
    if (!w->eliders[k] || tr_elider_width(w->eliders[k]) > max) {
        tr_elider_free(w->eliders[k]);
        w->eliders[k] = tr_elider_new(max);
    }
    if (!w->eliders[k] || !tr_elider_form(w->eliders[k], (const char *)out->data + from, out->len - from, &form))
        return false;
    out->len = from;
    *width = tr_width(form.s, form.len);
    return tr_buf_add(out, form.s, form.len);
}

/* Append a string in the output format; *width is set for text. */
static bool add_string(struct tr_text_writer *w, size_t k, const char *s, size_t len,
                       struct tr_buf *out, size_t *width)
{
    if (w->format == TR_TEXT_TSV)
        return tr_escape_tsv(out, s, len);
    size_t from = out->len;
    bool last = k + 1 == w->fields->n; /* the last one has the rest of the line */
    if (!tr_escape_text(out, s, len, last || w->line ? SIZE_MAX : TR_TEXT_WIDTH, width))
        return false;
    return last || !w->line || *width <= MAX_TEXT || cut(w, k, MAX_TEXT, out, from, width);
}

static bool add_cell(struct tr_text_writer *w, size_t k, const struct tr_field_value *v,
                     struct tr_buf *out, size_t *width)
{
    const struct tr_dict *d = w->reader.members.dict;
    struct tr_buf *scratch = &w->reader.members.scratch;
    size_t from = out->len;
    bool ok = true;
    if (v->is == TR_VALUE_STR || (v->is == TR_VALUE_TYPED && tr_type_is_string(v->type)))
        return add_string(w, k, tr_dict_str(d, (uint32_t)v->i),
                          (uint32_t)v->i == TR_NO_STR ? 0
                                                      : tr_strtab_len(d->strings, (uint32_t)v->i),
                          out, width);
    if (v->is == TR_VALUE_OBJECT || v->is == TR_VALUE_PART)
        return add_string(w, k, v->text, v->len, out, width);
    if (v->is == TR_VALUE_NONE)
        ok = tr_buf_add(out, "-", w->format == TR_TEXT_TSV ? 0 : 1);
    else if (v->is == TR_VALUE_TEXT)
        ok = tr_buf_add(out, v->text, v->len);
    else if (v->is == TR_VALUE_TYPED && v->type == TR_T_DOUBLE) {
        scratch->len = 0; /* without the quotes of a text that is not a number */
        ok = tr_json_add_double(scratch, tr_members_double(v->i));
        size_t quote = ok && scratch->data[0] == '"';
        ok = ok && tr_buf_add(out, scratch->data + quote, scratch->len - 2 * quote);
    } else if (v->is == TR_VALUE_TYPED && v->type == TR_T_QUOTED) {
        ok = tr_json_add_i64(out, v->i); /* without the quotes, like any text */
    } else if (v->is == TR_VALUE_TYPED && v->type == TR_T_HEX) {
        char text[TR_NUM_HEX];
        ok = tr_buf_add(out, text, tr_num_print_hex(v->i, text));
    } else {
        ok = add_json(w, v, out);
    }
    *width = out->len - from;
    return ok;
}

static bool tsv_event(struct tr_text_writer *w, size_t i, struct tr_buf *out)
{
    struct tr_field_value v;
    size_t width;
    for (size_t k = 0; k < w->fields->n; k++)
        if (!tr_buf_add(out, "\t", k ? 1 : 0) || !tr_field_reader_get(&w->reader, i, k, &v) ||
            !add_cell(w, k, &v, out, &width))
            return false;
    return tr_buf_add(out, "\n", 1);
}

/* An event's cells, to be aligned when the stretch is complete. */
static bool text_event(struct tr_text_writer *w, size_t i)
{
    struct tr_field_value v;
    if (!tr_grow(&w->pieces, &w->cap_pieces, w->n_pieces + w->fields->n, sizeof *w->pieces))
        return false;
    for (size_t k = 0; k < w->fields->n; k++) {
        size_t width = 0;
        if (!tr_field_reader_get(&w->reader, i, k, &v) || !add_cell(w, k, &v, &w->cells, &width))
            return false;
        w->pieces[w->n_pieces++] = (struct piece){ w->cells.len, width };
        if (width > w->width[k])
            w->width[k] = width;
    }
    return true;
}

static bool add_blanks(struct tr_buf *out, size_t n)
{
    if (!n)
        return true;
    if (!tr_buf_reserve(out, n))
        return false;
    memset(out->data + out->len, ' ', n);
    out->len += n;
    return true;
}

static bool align(struct tr_text_writer *w, size_t k, const void *text, size_t len, size_t width,
                  struct tr_buf *out)
{
    size_t pad = w->width[k] - width;
    bool last = k + 1 == w->fields->n, right = tr_field_is_number(&w->fields->list[k]);
    return add_blanks(out, k ? 2 : 0) && add_blanks(out, right ? pad : 0) &&
           tr_buf_add(out, text, len) && add_blanks(out, right || last ? 0 : pad) &&
           tr_buf_add(out, "\n", last ? 1 : 0);
}

static bool header(struct tr_text_writer *w, struct tr_buf *out)
{
    bool ok = true;
    for (size_t k = 0; ok && k < w->fields->n; k++) {
        const struct tr_buf *name = &w->names[k];
        if (w->format == TR_TEXT_TSV) {
            ok = tr_buf_add(out, "\t", k ? 1 : 0) &&
                 tr_escape_tsv(out, (const char *)name->data, name->len) &&
                 tr_buf_add(out, "\n", k + 1 == w->fields->n ? 1 : 0);
        } else {
            size_t width;
            w->cells.len = 0;
            ok = tr_escape_text(&w->cells, (const char *)name->data, name->len, SIZE_MAX, &width);
            if (ok && w->width[k] < width)
                w->width[k] = width;
            ok = ok && align(w, k, w->cells.data, w->cells.len, width, out);
        }
    }
    w->cells.len = 0;
    return ok;
}

/* Names of columns also count for the widths, and come before the first cells. */
static void widen_for_names(struct tr_text_writer *w)
{
    for (size_t k = 0; k < w->fields->n; k++)
        if (w->width[k] < w->names[k].len)
            w->width[k] = w->names[k].len;
}

/* The rest of the line for the last field; SIZE_MAX: it is not cut. */
static size_t room_of_last(const struct tr_text_writer *w)
{
    size_t n = w->fields->n, used = 0;
    if (!w->line || tr_field_is_number(&w->fields->list[n - 1]))
        return SIZE_MAX;
    for (size_t k = 0; k + 1 < n; k++)
        used += w->width[k] + 2;
    return w->line > used + MIN_LAST ? w->line - used : MIN_LAST;
}

/* The last cell of a line, if it is too wide. */
static bool last_cell(struct tr_text_writer *w, const struct piece *p, size_t from, size_t room, struct tr_buf *out)
{
    size_t k = w->fields->n - 1, at = out->len, width = 0;
    return add_blanks(out, k ? 2 : 0) && (at = out->len, true) &&
           tr_buf_add(out, w->cells.data + from, p->end - from) && cut(w, k, room, out, at, &width) &&
           tr_buf_add(out, "\n", 1);
}

static bool flush_stretch(struct tr_text_writer *w, struct tr_buf *out)
{
    size_t from = 0, n = w->fields->n, room = room_of_last(w);
    bool ok = true;
    for (size_t p = 0; ok && p < w->n_pieces; p++) {
        if (p % n + 1 == n && w->pieces[p].width > room) {
            ok = last_cell(w, &w->pieces[p], from, room, out);
            from = w->pieces[p].end;
            continue;
        }
        ok = align(w, p % w->fields->n, w->cells.data + from, w->pieces[p].end - from,
                   w->pieces[p].width, out);
        from = w->pieces[p].end;
    }
    w->n_pieces = 0;
    w->cells.len = 0;
    return ok;
}

static bool text_stretch(struct tr_text_writer *w, size_t *at, size_t end, struct tr_buf *out)
{
    size_t stop = end - *at > STRETCH ? *at + STRETCH : end;
    struct tr_buf lines = { 0 };
    while (*at < stop && w->cells.len < TR_TEXT_CHUNK) {
        if (!text_event(w, *at))
            return false;
        tr_field_reader_next(&w->reader, (*at)++);
    }
    if (w->started)
        return flush_stretch(w, out);
    /* The header line comes first, but it is aligned with the lines after it. */
    w->started = true;
    widen_for_names(w);
    bool ok = flush_stretch(w, &lines) && header(w, out) && tr_buf_add(out, lines.data, lines.len);
    tr_buf_free(&lines);
    return ok;
}

static bool start(struct tr_text_writer *w, struct tr_buf *out)
{
    w->started = true;
    if (w->format == TR_TEXT_JSONL)
        return true;
    return w->format == TR_TEXT_JSON ? tr_buf_add(out, "[", 1) : header(w, out);
}

enum tr_status tr_text_batch(struct tr_text_writer *w, const struct tr_batch *b, size_t *at,
                             size_t end, struct tr_buf *out, struct tr_error *err)
{
    bool ok = true;
    if (*at == 0)
        ok = tr_field_reader_start(&w->reader, w->fields, b);
    if (w->format == TR_TEXT_ALIGNED && *at < end)
        return ok && text_stretch(w, at, end, out) ? TR_OK : tr_fail_memory(err);
    if (!w->started)
        ok = ok && start(w, out);
    while (ok && *at < end && out->len < TR_TEXT_CHUNK) {
        ok = is_json(w) ? json_event(w, *at, out) : tsv_event(w, *at, out);
        tr_field_reader_next(&w->reader, (*at)++);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_text_end(struct tr_text_writer *w, struct tr_buf *out, struct tr_error *err)
{
    bool ok = w->started || start(w, out);
    if (w->format == TR_TEXT_JSON)
        ok = ok && tr_buf_add(out, "\n]\n", 3);
    return ok ? TR_OK : tr_fail_memory(err);
}
