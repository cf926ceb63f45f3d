/* SPDX-License-Identifier: MIT */
/*
 * Tables as text that fits its line: which columns are printed, how names are cut, wide characters, bars, bytes.
 * Truth: written by hand; for random names what has to hold for any: no line is too long, no two names look alike.
 */
#include "base/tr_elide.h"
#include "base/tr_width.h"
#include "table/tr_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

static char *text_of(struct tr_table *t)
{
    struct tr_buf out = { 0 };
    bool good = tr_table_write(t, &tr_row_sink_text, &out, NULL) == TR_OK && tr_buf_add(&out, "", 1);
    return good ? (char *)out.data : NULL;
}

static void is(struct tr_table *t, const char *expected, const char *what)
{
    char *text = text_of(t);
    bool good = text && strcmp(text, expected) == 0;
    ok(good, what);
    if (!good)
        printf("# got:\n%s# expected:\n%s", text ? text : "nothing\n", expected);
    free(text);
    tr_table_free(t);
}

static struct tr_table *new_table(const struct tr_table_column *columns, size_t n, size_t width,
                                  const struct tr_arrange *how)
{
    struct tr_table *t = tr_table_new(TR_UNIT_US);
    tr_table_width(t, width);
    tr_table_arrange(t, how, NULL);
    tr_table_columns(t, columns, n);
    return t;
}
#define NEW(columns, width, ...) \
    new_table(columns, sizeof(columns) / sizeof *(columns), width, &(struct tr_arrange){ __VA_ARGS__ })

/* ---- which columns ---- */

static const struct tr_table_column some[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .names = false },
    { "device", TR_CELL_INT, TR_ROLE_GROUP, .quiet = TR_QUIET_SAME },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .names = false },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true },
    { "names", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_1 },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0 },
    { "what", TR_CELL_STRING, TR_ROLE_TEXT, .quiet = TR_QUIET_SAME },
};

static void add_some(struct tr_table *t, int64_t device, const char *name, int64_t ns, uint64_t names, uint64_t approx,
                     const char *what)
{
    tr_table_int(t, 0);
    tr_table_int(t, device);
    tr_table_string(t, name);
    tr_table_time(t, ns);
    tr_table_time(t, 7);
    tr_table_count(t, names);
    tr_table_count(t, approx);
    tr_table_string(t, what);
}

static void test_columns(void)
{
    struct tr_table *t = NEW(some, 80, .sort = NULL);
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    add_some(t, 3, "relu", -17000, 1, 0, "x");
    is(t, "rank  sum_us  name\n   0       5  gemm\n   0     -17  relu\n",
       "what is extra, or says nothing, is left out; names are last, whole times have no decimals");
    t = NEW(some, 80, .sort = NULL);
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    add_some(t, 4, "relu", 17001, 2, 1, "y");
    is(t, "rank  device  sum_us  names  approx  what  name\n"
          "   0       3   5.000      1       0  x     gemm\n"
          "   0       4  17.001      2       1  y     relu\n",
       "what says something is there");
    t = NEW(some, 24, .sort = NULL);
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    add_some(t, 4, "relu", 17001, 2, 1, "y");
    is(t, "rank  device  name\n   0       3  gemm\n   0       4  relu\n",
       "what does not fit is left out, the last first, but for keys");
    t = NEW(some, 24, .sort = "std");
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    is(t, "rank  std_us  name\n   0   0.007  gemm\n", "what orders the rows is there");
    t = NEW(some, 80, .columns = "std,name,rank");
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    is(t, "std_us  name  rank\n 0.007  gemm     0\n", "columns that are asked for come as they are asked for");
    t = NEW(some, 80, .columns = "all");
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    is(t, "rank  device  sum_us  std_us  names  approx  what  name\n"
          "   0       3       5   0.007      1       0  x     gemm\n",
       "all are all");
    t = NEW(some, 20, .columns = "all");
    add_some(t, 3, "gemm", 5000, 1, 0, "x");
    is(t, "rank        0\ndevice      3\nsum_us      5\nstd_us  0.007\nnames       1\napprox      0\nwhat        x\n"
          "name     gemm\n",
       "one row on a short line is turned");
    static const struct tr_table_column about[] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true },
        { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .names = false },
        { "self", TR_CELL_COUNT, TR_ROLE_SUM, .main = true },
    };
    t = NEW(about, 12, .sort = NULL);
    tr_table_string(t, "gemm");
    tr_table_count(t, 1);
    tr_table_count(t, 2);
    is(t, "self  name\n   2  gemm\n", "what the table is about stays");
    is(NEW(some, 80, .sort = NULL), "rank  sum_us  name\n", "no rows");
}

/* ---- names ---- */

static const struct tr_table_column named[] = {
    { "n", TR_CELL_INT, TR_ROLE_GROUP, .names = false },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true },
};

static void add_named(struct tr_table *t, int64_t n, const char *name)
{
    tr_table_int(t, n);
    tr_table_string(t, name);
}

static void test_names(void)
{
    struct tr_table *t = NEW(named, 27, .sort = NULL);
    add_named(t, 1, "elementwise_kernel<add_functor<float>, array<char*, 3> >");
    add_named(t, 2, "elementwise_kernel<mul_functor<float>, array<char*, 3> >");
    add_named(t, 3, "short");
    add_named(t, 4, "another name that is too long by some characters");
    add_named(t, 1, "elementwise_kernel<add_functor<float>, array<char*, 3> >");
    is(t, "n  name\n"
          "1  element..._kernel<add...\n"
          "2  element..._kernel<mul...\n"
          "3  short\n"
          "4  another nam...characters\n"
          "1  element..._kernel<add...\n",
       "names are cut in the middle, and where they differ if they would look alike");
    t = NEW(named, 27, .sort = NULL);
    for (int64_t i = 0; i < 4; i++) {
        static const char *const names[] = { "aaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaa1aaaaaaaaa",
                                             "aaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaaaaa1aaaaaaaaa",
                                             "aaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaa2aaaaaaaaa",
                                             "aaaaaaaaaaaaaaaaaaa2aaaaaaaaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaaaaa1aaaaaaaaa" };
        add_named(t, i, names[i]);
    }
    is(t, "n  name\n"
          "0  aaaaaaa...aaaaaaaa1aa...\n"
          "1  aaaaaaaaaa...aaaaaaaaa#1\n"
          "2  aaaaaaaaaaa...2aaaaaaaaa\n"
          "3  aaaaaaaaaa...aaaaaaaaa#2\n",
       "those that cannot be told apart so have numbers");
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A name of few letters, so that many start and end alike; some of them wide, some without width. */
static void random_name(uint32_t *seed, char *name)
{
    static const char *const parts[] = { "a", "b", "at::", "native", "<float>", "\xe8\xa1\xa8", "e\xcc\x81", "..." };
    size_t n = next_random(seed) % 30;
    *name = '\0';
    for (size_t i = 0; i < n; i++)
        strcat(name, parts[next_random(seed) % (next_random(seed) % 8 + 1)]);
}

struct shown {
    char name[240], line[400];
};

/* Are lines short enough, and of names that differ the ends of lines, too?  Lines in the order of names. */
static bool holds(char *text, struct shown *shown, size_t n, size_t width)
{
    char *line = strtok(text, "\n");
    for (size_t i = 0; i < n; i++) {
        line = strtok(NULL, "\n");
        if (!line || tr_width(line, strlen(line)) > width)
            return false;
        snprintf(shown[i].line, sizeof shown[i].line, "%s", line);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if ((strcmp(shown[i].name, shown[k].name) == 0) != (strcmp(shown[i].line, shown[k].line) == 0))
                return false;
    return strtok(NULL, "\n") == NULL;
}

static void test_random(void)
{
    static struct shown shown[60];
    const size_t n = sizeof shown / sizeof *shown;
    bool good = true;
    for (uint32_t seed = 1; seed <= 300 && good; seed++) {
        uint32_t random = seed;
        size_t width = 27 + seed % 40;
        struct tr_table *t = NEW(named, width, .sort = NULL);
        for (size_t i = 0; i < n; i++) {
            random_name(&random, shown[i].name);
            add_named(t, 1, shown[i].name);
        }
        char *text = text_of(t);
        good = text && holds(text, shown, n, width);
        if (!good)
            printf("# seed %u, width %zu\n", seed, width);
        free(text);
        tr_table_free(t);
    }
    ok(good, "random names: no line is too long, and no two names look alike");
}

/* Names that come one by one: each has a form of its own, the same each time. */
static void test_elider(void)
{
    static struct shown shown[60];
    const size_t n = sizeof shown / sizeof *shown;
    bool good = true;
    for (uint32_t seed = 1; seed <= 300 && good; seed++) {
        uint32_t random = seed;
        size_t width = 12 + seed % 40;
        struct tr_elider *c = tr_elider_new(width);
        struct tr_str form;
        for (size_t i = 0; i < n; i++)
            random_name(&random, shown[i].name);
        for (size_t i = 0; i < 2 * n && good; i++) {
            struct shown *s = &shown[i % n];
            good = tr_elider_form(c, s->name, strlen(s->name), &form) && tr_width(form.s, form.len) <= width &&
                   (i < n || strncmp(s->line, form.s, form.len + 1) == 0);
            snprintf(s->line, sizeof s->line, "%s", form.s);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++)
                good &= (strcmp(shown[i].name, shown[k].name) == 0) == (strcmp(shown[i].line, shown[k].line) == 0);
        if (!good)
            printf("# seed %u, width %zu\n", seed, width);
        tr_elider_free(c);
    }
    ok(good, "random names, one by one: none is too long, and no two look alike");
}

static enum tr_status collect(void *self, const void *bytes, size_t n, struct tr_error *err)
{
    return tr_buf_add(self, bytes, n) ? TR_OK : tr_fail_memory(err);
}

/* Rows that wait in a file are printed as those that are held, in blocks, too. */
static void test_long(size_t width, const char *what)
{
    struct tr_buf out = { 0 };
    struct tr_table *held = NEW(some, width, .columns = "all"), *filed = NEW(some, width, .columns = "all");
    bool good = tr_table_temp_dir(filed, ".");
    tr_table_output(filed, &tr_row_sink_text, collect, &out);
    for (int64_t i = 0; i < 70000; i++) {
        char name[80];
        snprintf(name, sizeof name, "kernel number %d of a long name with a tail", (int)(i % 1000));
        add_some(held, i % 8, name, i * 1000, 1, 0, "x");
        add_some(filed, i % 8, name, i * 1000, 1, 0, "x");
    }
    good = good && tr_table_rows(filed) < 40000 && tr_table_end(filed, NULL) == TR_OK;
    char *text = text_of(held);
    ok(good && text && strlen(text) == out.len && memcmp(text, out.data, out.len) == 0, what);
    free(text);
    tr_buf_free(&out);
    tr_table_free(held);
    tr_table_free(filed);
}

/* ---- characters, bars, bytes ---- */

static void test_characters(void)
{
    static const struct tr_table_column columns[] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = false },
        { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .names = false },
    };
    static const char *const names[] = { "\xe8\xa1\xa8\xe7\x8f\xbe", "e\xcc\x81t\xc3\xa9", "\xf0\x9f\x98\x80", "ab" };
    struct tr_table *t = NEW(columns, 80, .sort = NULL);
    for (uint64_t i = 0; i < 4; i++) {
        tr_table_string(t, names[i]);
        tr_table_count(t, i);
    }
    is(t, "name  count\n\xe8\xa1\xa8\xe7\x8f\xbe      0\ne\xcc\x81t\xc3\xa9       1\n\xf0\x9f\x98\x80        2\n"
          "ab        3\n",
       "columns are as wide as their characters are on a terminal");
    ok(tr_width_of('a') == 1 && tr_width_of(0x300) == 0 && tr_width_of(0x4e00) == 2 && tr_width_of(0x2003) == 1 &&
           tr_width_of(0xff21) == 2 && tr_width_of(0x200d) == 0 && tr_width_of(0x1f600) == 2 &&
           tr_width_of(0xac00) == 2 && tr_width_of(0x10ffff) == 1,
       "characters of no, one and two columns");
    static const char s[] = "a\xe8\xa1\xa8" "e\xcc\x81" "b";
    ok(tr_width(s, 8) == 5 && tr_width_head(s, 8, 2) == 1 && tr_width_head(s, 8, 4) == 7 &&
           tr_width_tail(s, 8, 2) == 4 && tr_width_tail(s, 8, 3) == 4 && tr_width_tail(s, 8, 1) == 7 &&
           tr_width_tail(s, 8, 9) == 0 && tr_width("\xff\xe8", 2) == 2,
       "beginnings and ends of so many columns");
}

static void test_bars(void)
{
    static const struct tr_table_column columns[] = {
        { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%" },
        { "n", TR_CELL_COUNT, TR_ROLE_COUNT, .names = false },
    };
    static const double shares[] = { 100, 44.89, 4.99, -9, -1, 300 };
    for (size_t width = 9; width <= 23; width += 14) {
        struct tr_table *t = NEW(columns, width, .sort = NULL);
        for (uint64_t i = 0; i < 6; i++) {
            if (i == 4)
                tr_table_absent(t);
            else
                tr_table_ratio(t, shares[i]);
            tr_table_count(t, i + 1);
        }
        is(t, width == 9 ? "   pct  n\n100.00  1\n 44.89  2\n  4.99  3\n -9.00  4\n     -  5\n300.00  6\n"
                         : "   pct                n\n100.00 #############  1\n 44.89 ######         2\n"
                           "  4.99 #              3\n -9.00                4\n     -                5\n"
                           "300.00 #############  6\n",
           width == 9 ? "shares without room have no bars" : "shares have bars");
    }
}

static void test_bytes(void)
{
    static const struct tr_table_column columns[] = { { "a", TR_CELL_INT, TR_ROLE_SUM, .unit = "bytes" },
                                                      { "b", TR_CELL_COUNT, TR_ROLE_SUM, .unit = "bytes" } };
    static const int64_t sizes[] = { 0, 1023, 1024, -1536, 1048575, 6246335488, INT64_MAX, INT64_MIN };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_table *t = NEW(columns, 80, .human = true);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tr_table_int(t, sizes[i]);
        tr_table_count(t, (uint64_t)sizes[i]);
    }
    is(t, "       a         b\n"
          "     0 B       0 B\n"
          "  1023 B    1023 B\n"
          " 1.0 KiB   1.0 KiB\n"
          "-1.5 KiB  16.0 EiB\n"
          " 1.0 MiB   1.0 MiB\n"
          " 5.8 GiB   5.8 GiB\n"
          " 8.0 EiB   8.0 EiB\n"
          "-8.0 EiB   8.0 EiB\n",
       "bytes for people");
    t = NEW(named, 80, .human = true);
    ok(tr_table_ready(t, &err) == TR_USAGE, "only where there are bytes");
    tr_table_free(t);
    t = NEW(columns, 80, .human = true);
    tr_table_output(t, &tr_row_sink_tsv, collect, NULL);
    ok(tr_table_ready(t, &err) == TR_USAGE, "and only in text");
    tr_table_free(t);
}

int main(void)
{
    test_columns();
    test_names();
    test_random();
    test_elider();
    test_long(80, "many rows are the same from a file");
    test_long(50, "in blocks, too");
    test_characters();
    test_bars();
    test_bytes();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
