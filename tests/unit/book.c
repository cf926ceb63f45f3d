/* SPDX-License-Identifier: MIT */
/* Unit tests for tr_book.h: numbers at the limits of a database.  prop/books.sh has all that programs write. */
#include "sink/tr_book.h"
#include "harness/tap.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static const struct tr_table_column columns[] = {
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "a count" },
    { "any", TR_CELL_COUNT, TR_ROLE_TEXT, .mixed = true, .meaning = "a number of a trace" },
};
static const uint64_t values[] = { 0, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX };
#define N (sizeof values / sizeof *values)

/* A database with a row for each value.  False: the programs were built without the library. */
static bool write_book(const char *path)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_book *book;
    const struct tr_book_about about = { .path = path, .name = path, .command = "x" };
    enum tr_status st = tr_book_open(&book, &tr_row_sink_sqlite, &about, &err);
    if (st == TR_USAGE)
        return false;
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    CHECK(st == TR_OK && t && tr_book_table(book, "numbers", t, &err) == TR_OK);
    tr_table_columns(t, columns, 2);
    for (size_t i = 0; i < N; i++) {
        tr_table_count(t, values[i]);
        tr_table_count(t, values[i]);
    }
    CHECK(tr_table_end(t, &err) == TR_OK && tr_book_end(book, &err) == TR_OK);
    tr_table_free(t);
    tr_book_free(book);
    return true;
}

/* The function of libsqlite3 with this name, which the book has loaded. */
static void find(const char *name, void *function)
{
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW), *address = library ? dlsym(library, name) : NULL;
    CHECK(address);
    memcpy(function, &address, sizeof address);
}

static int keep(void *text, int n, char **cells, char **names)
{
    (void)n, (void)names;
    snprintf(text, 200, "%s", cells[0]);
    return 0;
}

/* What a query gives. */
static void ask(const char *path, const char *sql, char text[200])
{
    int (*open_file)(const char *, void **);
    int (*exec)(void *, const char *, int (*)(void *, int, char **, char **), void *, char **);
    int (*close_file)(void *);
    void *db = NULL;
    *text = '\0';
    find("sqlite3_open", &open_file);
    find("sqlite3_exec", &exec);
    find("sqlite3_close", &close_file);
    CHECK(open_file(path, &db) == 0 && exec(db, sql, keep, text, NULL) == 0);
    close_file(db);
}

static void limits(void)
{
    char path[] = "/tmp/tr-book.XXXXXX", text[200];
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    if (write_book(path)) {
        /* whole numbers of a database end at 2^63 - 1; a real number would have lost digits */
        ask(path, "SELECT group_concat(typeof(count) || ' ' || ifnull(count, ''), ',') FROM numbers", text);
        CHECK_STR(text, "integer 0,integer 9223372036854775807,null ,null ");
        /* a column without a type has them as texts */
        ask(path, "SELECT group_concat(typeof(\"any\") || ' ' || \"any\", ',') FROM numbers", text);
        CHECK_STR(text, "integer 0,integer 9223372036854775807,text 9223372036854775808,text 18446744073709551615");
    }
    close(fd);
    unlink(path);
}

int main(void)
{
    static const struct tap_test tests[] = { { "counts beyond 2^63 - 1", limits } };
    return tap_run(tests, sizeof tests / sizeof *tests);
}
