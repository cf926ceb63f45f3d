/* SPDX-License-Identifier: MIT */
/* Texts after the fixed part of a record: as they were added, absent is not empty, and their order. */
#include "stream/sort/tr_record_text.h"

#include "harness/tap.h"

#include <stdlib.h>

struct fixed {
    int64_t number;
};

/* A record with three texts; NULL: absent.  To be freed. */
static struct fixed *record(int64_t number, const char *a, const char *b, const char *c)
{
    struct tr_buf buf = { 0 };
    const struct fixed fixed = { number };
    const char *const texts[] = { a, b, c };
    CHECK(tr_record_start(&buf, &fixed, sizeof fixed));
    for (size_t i = 0; i < 3; i++)
        CHECK(tr_record_add_text(&buf, tr_str_of(texts[i])));
    return (struct fixed *)buf.data;
}

static bool same(struct tr_str text, const char *expected)
{
    return expected ? text.s && tr_str_is(text, expected) : !text.s;
}

static void test_texts(void)
{
    static const char *const cases[][3] = {
        { "kernel", "", "stream 7" }, { NULL, "x", NULL }, { "", NULL, "" }, { "a", "bb", "ccc" }, { NULL, NULL, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixed *r = record((int64_t)i, cases[i][0], cases[i][1], cases[i][2]);
        const char *at = (const char *)(r + 1);
        CHECK(r->number == (int64_t)i);
        for (size_t k = 0; k < 3; k++)
            CHECK(same(tr_record_next_text(&at), cases[i][k]));
        free(r);
    }
}

static void test_again(void)
{
    struct tr_buf buf = { 0 };
    const struct fixed first = { 1 }, second = { 2 };
    CHECK(tr_record_start(&buf, &first, sizeof first) && tr_record_add_text(&buf, tr_str_of("a long text")));
    CHECK(tr_record_start(&buf, &second, sizeof second) && tr_record_add_text(&buf, tr_str_of("b")));
    const struct fixed *r = (const struct fixed *)buf.data;
    const char *at = (const char *)(r + 1);
    CHECK(r->number == 2 && same(tr_record_next_text(&at), "b"));
    CHECK(at == (const char *)buf.data + buf.len);
    tr_buf_free(&buf);
}

static void test_order(void)
{
    /* in order: absent, empty, then by bytes; the first text that differs decides */
    static const char *const order[][3] = {
        { NULL, "z", "z" }, { "", NULL, "z" }, { "", "", "" },  { "", "", "a" },
        { "", "b", "" },    { "A", "", "" },   { "a", "", "" }, { "aa", "", "" },
    };
    const size_t n = sizeof order / sizeof *order;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            struct fixed *a = record(0, order[i][0], order[i][1], order[i][2]);
            struct fixed *b = record(0, order[k][0], order[k][1], order[k][2]);
            int c = tr_record_compare_texts((const char *)(a + 1), (const char *)(b + 1), 3);
            CHECK((c > 0) - (c < 0) == (i > k) - (i < k));
            free(a);
            free(b);
        }
    struct fixed *a = record(0, "same", "x", ""), *b = record(0, "same", "y", "");
    CHECK(tr_record_compare_texts((const char *)(a + 1), (const char *)(b + 1), 1) == 0);
    CHECK(tr_record_compare_texts((const char *)(a + 1), (const char *)(b + 1), 0) == 0);
    free(a);
    free(b);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "texts come back, absent or empty", test_texts },
        { "a record's memory is used again", test_again },
        { "order of texts", test_order },
    };
    return tap_run(tests, sizeof tests / sizeof *tests);
}
