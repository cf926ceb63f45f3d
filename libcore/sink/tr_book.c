/* SPDX-License-Identifier: MIT */
/* What all kinds of books share. */
#include "sink/tr_book_int.h"

#include "base/tr_escape.h"
#include "table/tr_table_int.h"

enum tr_status tr_book_open(struct tr_book **book, const struct tr_row_sink *sink, const struct tr_book_about *about,
                            struct tr_error *err)
{
    *book = NULL;
    if (!sink->book->open)
        return tr_fail(err, TR_USAGE, "-O %s needs %s, which this program was built without", sink->name,
                       sink->book->library);
    enum tr_status st = sink->book->open(book, about, err);
    if (st != TR_OK && st != TR_USAGE)
        tr_error_input(err, about->name);
    return st;
}

enum tr_status tr_book_table(struct tr_book *book, const char *name, struct tr_table *t, struct tr_error *err)
{
    return book->kind->table(book, name, t, err);
}

enum tr_status tr_book_sql(struct tr_book *book, const char *sql, struct tr_error *err)
{
    return book->kind->sql ? book->kind->sql(book, sql, err) : TR_OK;
}

enum tr_status tr_book_end(struct tr_book *book, struct tr_error *err)
{
    return book->kind->end(book, err);
}

void tr_book_free(struct tr_book *book)
{
    if (book)
        book->kind->free(book);
}

/* ---- names ---- */

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(const char *a, const char *b)
{
    while (*a && small(*a) == small(*b))
        a++, b++;
    return *a == *b;
}

bool tr__book_has(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (same(names[i], name))
            return true;
    return false;
}

const char *tr__book_name(const char *name, const char *const *others, size_t n, struct tr_arena *arena)
{
    struct tr_buf text = { 0 };
    bool ok = tr_utf8_add(&text, name, strlen(name)) && tr_buf_add(&text, "", 1);
    size_t len = ok ? text.len - 1 : 0;
    for (unsigned number = 2; ok && tr__book_has(others, n, (const char *)text.data); number++) {
        text.len = len;
        ok = tr_buf_print(&text, "_%u", number) && tr_buf_add(&text, "", 1);
    }
    const char *own = ok ? tr_arena_copy(arena, text.data, text.len) : NULL;
    tr_buf_free(&text);
    return own;
}

const char *const *tr__book_columns(const struct tr_table *t, const char *first, struct tr_arena *arena)
{
    size_t own = first != NULL;
    const char **names = tr_arena_alloc(arena, (own + t->n_shown + 1) * sizeof *names);
    if (names)
        names[0] = first;
    for (size_t k = 0; names && k < t->n_shown; k++)
        if (!(names[own + k] = tr__book_name(tr__column_at(t, k)->printed, names, own + k, arena)))
            return NULL;
    return names;
}
