/* SPDX-License-Identifier: MIT */
/* Profiles: totals, order, two sides, sums that do not fit, and pictures of more stacks than they show. */
#include "profile/tr_profile.h"

#include "harness/tap.h"

#include <stdio.h>
#include <string.h>

static uint32_t child(struct tr_profile *p, uint32_t node, const char *name, enum tr_profile_kind kind)
{
    uint32_t n = tr_profile_child(p, node, tr_str_of(name), kind);
    CHECK(n != TR_PROFILE_NONE);
    return n;
}

static void add(struct tr_profile *p, uint32_t node, int64_t value)
{
    CHECK(tr_profile_add(p, node, TR_PROFILE_TEST, TR_PROFILE_HOST, value));
}

static int64_t total(const struct tr_profile *p, uint32_t node, enum tr_profile_side side)
{
    return tr_profile_total(p, node, side, TR_PROFILE_HOST);
}

static bool is(const struct tr_buf *b, const char *text)
{
    return b->len == strlen(text) && memcmp(b->data, text, b->len) == 0;
}

/* a > c > b, a > z, z: c is added before a's other children, and again as another kind. */
static struct tr_profile *small(void)
{
    struct tr_profile *p = tr_profile_new();
    CHECK(p != NULL);
    uint32_t z = child(p, TR_PROFILE_ROOT, "z", TR_PROFILE_OTHER);
    uint32_t a = child(p, TR_PROFILE_ROOT, "a", TR_PROFILE_PYTHON);
    uint32_t az = child(p, a, "z", TR_PROFILE_CALL), ac = child(p, a, "c", TR_PROFILE_OTHER);
    uint32_t acb = child(p, ac, "b", TR_PROFILE_OPERATOR);
    CHECK(child(p, a, "c", TR_PROFILE_OPERATOR) == ac && tr_profile_at(p, ac)->kind == TR_PROFILE_OPERATOR);
    CHECK(child(p, a, "c", TR_PROFILE_OTHER) == ac && tr_profile_at(p, ac)->kind == TR_PROFILE_OPERATOR);
    add(p, z, 1);
    add(p, az, 2);
    add(p, acb, 4);
    add(p, ac, 8);
    add(p, ac, 8);
    return p;
}

static void test_order(void)
{
    static const char *const want[] = { "", "a", "a/c", "a/c/b", "a/z", "z" };
    static const int64_t totals[] = { 23, 22, 20, 4, 2, 1 };
    struct tr_profile *p = small();
    struct tr_buf text = { 0 };
    CHECK(tr_profile_end(p) && tr_profile_count(p) == 6);
    for (size_t i = 0; i < 6; i++) {
        uint32_t node = tr_profile_ordered(p, i);
        text.len = 0;
        CHECK(tr_profile_text(p, node, "/", &text) && is(&text, want[i]));
        CHECK(total(p, node, TR_PROFILE_TEST) == totals[i]);
        for (size_t k = 0; k < 6; k++) {
            int c = tr_profile_compare(p, node, tr_profile_ordered(p, k));
            CHECK(i < k ? c < 0 : i > k ? c > 0 : c == 0);
        }
    }
    tr_buf_free(&text);
    tr_profile_free(p);
}

static void test_sides(void)
{
    struct tr_profile *p = small(), *other = tr_profile_new(), *both = tr_profile_new();
    struct tr_profile_about about = { .weight = TR_PROFILE_HOST, .compared = true };
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    CHECK(other && both);
    add(other, child(other, TR_PROFILE_ROOT, "z", TR_PROFILE_OTHER), 5);
    add(other, child(other, TR_PROFILE_ROOT, "y", TR_PROFILE_OTHER), 6);
    CHECK(tr_profile_merge(both, TR_PROFILE_TEST, p) && tr_profile_merge(both, TR_PROFILE_BASE, other));
    CHECK(tr_profile_end(both));
    CHECK(total(both, TR_PROFILE_ROOT, TR_PROFILE_TEST) == 23 && total(both, TR_PROFILE_ROOT, TR_PROFILE_BASE) == 11);
    CHECK(tr_profile_folded(both, &about, &out, &err) == TR_OK);
    CHECK(is(&out, "a;c 0 16\na;c;b 0 4\na;z 0 2\ny 6 0\nz 5 1\n"));
    tr_buf_free(&out);
    tr_profile_free(p);
    tr_profile_free(other);
    tr_profile_free(both);
}

static void test_large(void)
{
    struct tr_profile *p = tr_profile_new();
    CHECK(p != NULL);
    uint32_t a = child(p, TR_PROFILE_ROOT, "a", TR_PROFILE_OTHER), b = child(p, a, "b", TR_PROFILE_OTHER);
    add(p, b, INT64_MAX - 1);
    add(p, b, 5);
    add(p, a, 5);
    add(p, a, -9); /* what is not above 0 is nothing */
    CHECK(tr_profile_end(p));
    CHECK(tr_profile_self(p, b, TR_PROFILE_TEST, TR_PROFILE_HOST) == INT64_MAX);
    CHECK(tr_profile_self(p, a, TR_PROFILE_TEST, TR_PROFILE_HOST) == 5);
    CHECK(total(p, TR_PROFILE_ROOT, TR_PROFILE_TEST) == INT64_MAX);
    tr_profile_free(p);
}

static size_t count(const struct tr_buf *b, const char *part)
{
    size_t n = 0, len = strlen(part);
    for (size_t i = 0; i + len <= b->len; i++)
        n += memcmp(b->data + i, part, len) == 0;
    return n;
}

/* 60 stacks of 1100 frames each, and all of equal weight: some are drawn, always with those around them. */
/* Of a stack that is too deep, what is inside counts for the frame of the largest depth. */
static void test_deep(void)
{
    struct tr_profile *p = tr_profile_new();
    uint32_t node = TR_PROFILE_ROOT;
    CHECK(p != NULL);
    for (int i = 0; i < 2000; i++)
        add(p, node = child(p, node, i % 2 ? "a" : "b", TR_PROFILE_OTHER), 1);
    CHECK(tr_profile_end(p) && tr_profile_count(p) == TR_PROFILE_MAX_DEPTH + 1);
    CHECK(tr_profile_depth(p, node) == TR_PROFILE_MAX_DEPTH);
    CHECK(total(p, TR_PROFILE_ROOT, TR_PROFILE_TEST) == 2000);
    CHECK(total(p, node, TR_PROFILE_TEST) == 2000 - (int64_t)TR_PROFILE_MAX_DEPTH + 1);
    tr_profile_free(p);
}

static void test_many(void)
{
    struct tr_profile *p = tr_profile_new();
    struct tr_profile_about about = { .weight = TR_PROFILE_HOST };
    struct tr_buf svg = { 0 }, page = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    char name[16];
    CHECK(p != NULL);
    for (unsigned i = 0; i < 132; i++) {
        uint32_t node = TR_PROFILE_ROOT;
        for (unsigned k = 0; k < 500; k++) {
            snprintf(name, sizeof name, "%u.%u", i, k);
            node = child(p, node, name, TR_PROFILE_CALL);
        }
        add(p, node, 7);
    }
    CHECK(tr_profile_end(p));
    CHECK(tr_profile_svg(p, &about, &svg, &err) == TR_OK && tr_profile_html(p, &about, &page, &err) == TR_OK);
    CHECK(count(&svg, "<title>") == 1 + 24 * 255); /* of 12,000 nodes those in 256 rows */
    CHECK(count(&svg, "54,001 stacks are too narrow") == 1);
    CHECK(page.len < 4000000);
    tr_buf_free(&svg);
    tr_buf_free(&page);
    tr_profile_free(p);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "each node is followed by those inside it, by name, and totals have all of them", test_order },
        { "two runs are beside each other", test_sides },
        { "sums that do not fit stay at the largest number", test_large },
        { "deep stacks are bounded", test_deep },
        { "pictures and pages of many stacks are bounded", test_many },
    };
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
