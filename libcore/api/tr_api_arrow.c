/* SPDX-License-Identifier: MIT */
/*
 * Record batches of Arrow: the two structs of its C data interface, filled column by column.
 *
 * Each column owns its buffers, because a program that imports a record batch may keep some columns and release others.
 */
#include "api/tr_api_arrow_int.h"

#include "base/tr_escape.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- schemas ---- */

static void release_schema_column(struct ArrowSchema *s)
{
    free(s->private_data); /* name and metadata */
    s->release = NULL;
}

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++)
        if (s->children[i]->release)
            s->children[i]->release(s->children[i]);
    free(s->private_data); /* the structs of the columns */
    free(s->children);
    s->release = NULL;
}

static bool new_schema(struct ArrowSchema *s, size_t n_columns)
{
    struct ArrowSchema *columns = calloc(n_columns + 1, sizeof *columns);
    struct ArrowSchema **children = malloc((n_columns + 1) * sizeof(struct ArrowSchema *));
    if (!columns || !children) {
        free(columns);
        free(children);
        return false;
    }
    for (size_t i = 0; i < n_columns; i++)
        children[i] = &columns[i];
    *s = (struct ArrowSchema){ .format = "+s", .name = "", .children = children, .private_data = columns,
                               .release = release_schema };
    return true;
}

static bool add_i32(struct tr_buf *out, size_t value)
{
    int32_t v = (int32_t)value;
    return tr_buf_add(out, &v, sizeof v);
}

static bool add_utf8(struct tr_buf *out, const char *text)
{
    return tr_utf8_add(out, text, strlen(text));
}

static bool add_metadata(struct tr_buf *out, const char *const *about)
{
    size_t n = 0;
    for (size_t i = 0; about[i]; i += 2)
        n += about[i + 1] != NULL;
    bool ok = add_i32(out, n);
    for (size_t i = 0; about[i] && ok; i += 2)
        if (about[i + 1])
            ok = add_i32(out, strlen(about[i])) && tr_buf_add_str(out, about[i]) &&
                 add_i32(out, strlen(about[i + 1])) && tr_buf_add_str(out, about[i + 1]);
    return ok;
}

static bool new_schema_column(struct ArrowSchema *s, const char *format, const struct tr__arrow_name *name)
{
    struct tr_buf own = { 0 };
    bool ok = add_utf8(&own, name->name) && add_utf8(&own, name->suffix ? name->suffix : "") &&
              tr_buf_add(&own, "", 1);
    size_t at = own.len;
    ok = ok && (!name->about || add_metadata(&own, name->about));
    if (!ok) {
        tr_buf_free(&own);
        return false;
    }
    *s = (struct ArrowSchema){ .format = format, .name = (const char *)own.data, .flags = ARROW_FLAG_NULLABLE,
                               .metadata = name->about ? (const char *)own.data + at : NULL,
                               .private_data = own.data, .release = release_schema_column };
    return true;
}

/* ---- arrays ---- */

#define N_BUFFERS 3

/* The buffers of a column: which entries have values, as bits; offsets of texts; values. */
struct buffers {
    const void *seen[N_BUFFERS]; /* the array shows them */
    void *own[N_BUFFERS];
};

static void free_buffers(struct buffers *b)
{
    for (unsigned i = 0; i < N_BUFFERS; i++)
        free(b->own[i]);
    free(b);
}

static void release_array_column(struct ArrowArray *a)
{
    free_buffers(a->private_data);
    a->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
    for (int64_t i = 0; i < a->n_children; i++)
        if (a->children[i]->release)
            a->children[i]->release(a->children[i]);
    free(a->private_data); /* the structs of the columns, and its one buffer */
    free(a->children);
    a->release = NULL;
}

/* The structs of the columns of a record batch, and its buffer: all rows have values. */
struct columns {
    const void *none[1];
    struct ArrowArray of[];
};

static bool new_array(struct ArrowArray *a, size_t n_columns, size_t n_rows)
{
    struct columns *columns = calloc(1, sizeof *columns + n_columns * sizeof(struct ArrowArray));
    struct ArrowArray **children = malloc((n_columns + 1) * sizeof(struct ArrowArray *));
    if (!columns || !children) {
        free(columns);
        free(children);
        return false;
    }
    for (size_t i = 0; i < n_columns; i++)
        children[i] = &columns->of[i];
    *a = (struct ArrowArray){ .length = (int64_t)n_rows, .n_buffers = 1, .buffers = columns->none,
                              .children = children, .private_data = columns, .release = release_array };
    return true;
}

/* A column with bits for its values, so far all 0. */
static struct buffers *new_buffers(size_t n_rows)
{
    struct buffers *b = calloc(1, sizeof *b);
    if (b && !(b->own[0] = calloc(n_rows / 8 + 1, 1))) {
        free(b);
        return NULL;
    }
    return b;
}

static void has_value(struct buffers *b, size_t row)
{
    unsigned char *bits = b->own[0];
    bits[row / 8] |= (unsigned char)(1u << row % 8);
}

/* Add a column; takes the buffers. */
static bool add_column(struct tr__arrow *a, const char *format, const struct tr__arrow_name *name, struct buffers *b,
                       size_t n_buffers, size_t n_null)
{
    struct ArrowSchema *s = a->schema->children[a->schema->n_children];
    if (!new_schema_column(s, format, name)) {
        free_buffers(b);
        return false;
    }
    for (unsigned i = 0; i < N_BUFFERS; i++)
        b->seen[i] = b->own[i];
    *a->array->children[a->array->n_children] =
        (struct ArrowArray){ .length = a->array->length, .null_count = (int64_t)n_null,
                             .n_buffers = (int64_t)n_buffers, .buffers = b->seen, .private_data = b,
                             .release = release_array_column };
    a->schema->n_children++;
    a->array->n_children++;
    return true;
}

bool tr__arrow_new(struct tr__arrow *a, size_t n_columns, size_t n_rows)
{
    if (!new_schema(a->schema, n_columns))
        return false;
    if (new_array(a->array, n_columns, n_rows))
        return true;
    release_schema(a->schema);
    return false;
}

void tr__arrow_free(struct tr__arrow *a)
{
    release_schema(a->schema);
    release_array(a->array);
}

bool tr__arrow_numbers(struct tr__arrow *a, const char *format, const struct tr__arrow_name *name, const void *values,
                       const uint8_t *valid)
{
    size_t n = (size_t)a->array->length, n_null = 0, size = sizeof(int64_t);
    struct buffers *b = new_buffers(n);
    if (!b)
        return false;
    if (!(b->own[1] = calloc(n + 1, size))) {
        free_buffers(b);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        n_null += !valid[i];
        if (!valid[i])
            continue;
        has_value(b, i);
        memcpy((char *)b->own[1] + i * size, (const char *)values + i * size, size);
    }
    return add_column(a, format, name, b, 2, n_null);
}

bool tr__arrow_texts(struct tr__arrow *a, const struct tr__arrow_name *name, const struct tr_str *texts)
{
    size_t n = (size_t)a->array->length, n_null = 0;
    struct buffers *b = new_buffers(n);
    struct tr_buf all = { 0 };
    if (!b)
        return false;
    int64_t *offsets = b->own[1] = calloc(n + 1, sizeof *offsets);
    bool ok = offsets && tr_buf_reserve(&all, 8); /* it is there even if it is empty */
    for (size_t i = 0; i < n && ok; i++) {
        n_null += !texts[i].s;
        if (texts[i].s) {
            has_value(b, i);
            ok = tr_utf8_add(&all, texts[i].s, texts[i].len);
        }
        offsets[i + 1] = (int64_t)all.len;
    }
    b->own[2] = all.data;
    if (!ok) {
        free_buffers(b);
        return false;
    }
    return add_column(a, "U", name, b, 3, n_null);
}
