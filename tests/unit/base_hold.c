/* SPDX-License-Identifier: MIT */
/* What libcore/base holds: histograms that are merged, tables of strings, arrays, buffers, arenas. */
#include "base/tr_freelist.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_stats.h"
#include "base/tr_strtab.h"
#include "harness/tap.h"

/* Each of n values step apart, as often as count says. */
static struct tr_hist *filled(size_t limit, int64_t first, int64_t n, int64_t step, uint64_t count)
{
    struct tr_hist *h = tr_hist_new(limit);
    for (int64_t i = 0; i < n; i++)
        CHECK(tr_hist_add(h, first + i * step, count));
    return h;
}

static bool same(const struct tr_hist *a, const struct tr_hist *b)
{
    bool equal = tr_hist_count(a) == tr_hist_count(b) && tr_hist_approx(a) == tr_hist_approx(b);
    for (uint64_t k = 0; k <= 1000; k++)
        equal = equal && tr_hist_quantile(a, k, 1000) == tr_hist_quantile(b, k, 1000);
    return equal;
}

/* from, sealed or not, merged into what is empty or holds other values: as if added one by one. */
static void check_merge(size_t limit_to, size_t limit_from, int64_t n, bool approx)
{
    for (int sealed = 0; sealed < 2; sealed++) {
        for (int64_t others = 0; others <= n; others += n) {
            struct tr_hist *from = filled(limit_from, -7, n, 977, 3), *to = filled(limit_to, 5, others, 1000, 2),
                           *want = filled(limit_from < limit_to ? limit_from : limit_to, 5, others, 1000, 2);
            for (int64_t i = 0; i < n; i++)
                CHECK(tr_hist_add(want, -7 + i * 977, 3));
            if (sealed)
                tr_hist_seal(from);
            CHECK(tr_hist_merge(to, from) && tr_hist_count(to) == (uint64_t)(3 * n + 2 * others));
            CHECK(tr_hist_approx(to) == approx);
            tr_hist_seal(to);
            tr_hist_seal(want);
            CHECK(same(to, want));
            tr_hist_free(from);
            tr_hist_free(to);
            tr_hist_free(want);
        }
    }
}

static void test_merge(void)
{
    check_merge(10000, 10000, 500, false);
    check_merge(20000, 20000, 50000, true);
    check_merge(200000, 20000, 50000, true); /* exact until then: what it held is made coarse, too */
}

static void test_limit(void)
{
    struct tr_hist *h = filled(100, 0, 100, 1, 1);
    CHECK(!tr_hist_approx(h) && tr_hist_add(h, 50, 1) && !tr_hist_approx(h));
    CHECK(tr_hist_add(h, 100, 0) && !tr_hist_approx(h) && tr_hist_count(h) == 101);
    CHECK(tr_hist_add(h, 100, 1) && tr_hist_approx(h) && tr_hist_count(h) == 102);
    for (int64_t v = INT64_C(1) << 11; v < INT64_C(1) << 13; v++)
        CHECK(tr_hist_add(h, v, 1) && tr_hist_add(h, -v, 1));
    tr_hist_seal(h);
    /* small values stay as they are; of others at most 2^-11 of the size is lost */
    CHECK(tr_hist_quantile(h, 1, 2) == 50 && tr_hist_quantile(h, 0, 1) == -8190 && tr_hist_quantile(h, 1, 1) == 8190);
    tr_hist_free(h);
    h = tr_hist_new(0);
    CHECK(tr_hist_add(h, 10, 1) && tr_hist_add(h, 20, 1) && tr_hist_add(h, 40, 2));
    tr_hist_seal(h);
    CHECK(tr_hist_quantile(h, 1, 3) == 20 && tr_hist_quantile(h, 1, 2) == 30 && tr_hist_quantile(h, 2, 3) == 40 &&
          tr_hist_quantile(h, 1, 6) == 15 && tr_hist_quantile(h, 5, 6) == 40);
    tr_hist_free(h);
}

/* Short numbers give the values back, in their order, and those of coarse values are close together. */
static void test_short(void)
{
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, -4096, -2048, -1, 0, 1, 2047, 2048, 2049, 4095, 4096,
                                    INT64_MAX - 1, INT64_MAX };
    for (int approx = 0; approx < 2; approx++) {
        struct tr_hist *h = tr_hist_new(0);
        int64_t value, last = 0;
        uint64_t count;
        CHECK(!approx || tr_hist_coarsen(h));
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            CHECK(tr_hist_add(h, ends[i], 1));
        for (int64_t v = 1; v < INT64_C(1) << 62; v += v / 500 + 1)
            CHECK(tr_hist_add(h, v, 1) && tr_hist_add(h, -v, 1));
        tr_hist_seal(h);
        for (size_t at = 0; tr_hist_next(h, &at, &value, &count);) {
            int64_t number = tr_hist_short(h, value);
            CHECK(tr_hist_long(h, number) == value && (at == 1 || number > last));
            CHECK(!approx || (number > -60000 && number < 60000));
            last = number;
        }
        tr_hist_free(h);
    }
}

static void test_strings(void)
{
    struct tr_strtab *t = tr_strtab_new();
    char s[40];
    size_t bytes = tr_strtab_bytes(t);
    for (uint32_t i = 0; i < 20000; i++) {
        int n = snprintf(s, sizeof s, "%u%s", i, i % 3 ? "" : "\001 and a longer end of it");
        s[1] = i % 7 ? s[1] : '\0'; /* any byte */
        uint32_t id = tr_strtab_add(t, s, (size_t)n);
        CHECK(tr_strtab_find(t, s, (size_t)n) == id && tr_strtab_add(t, s, (size_t)n) == id);
        CHECK(tr_strtab_len(t, id) == (size_t)n && !memcmp(tr_strtab_get(t, id), s, (size_t)n + 1));
        CHECK(id + 1 <= tr_strtab_count(t));
    }
    CHECK(tr_strtab_bytes(t) > bytes + 20000);
    CHECK(tr_strtab_find(t, "absent", 6) == TR_NO_STR && tr_strtab_find(t, "1", 0) == TR_NO_STR);
    uint32_t before = tr_strtab_count(t);
    CHECK(tr_strtab_add(t, "", 0) == before && tr_strtab_find(t, "x", 0) == before);
    CHECK(tr_strtab_add(t, "1\0\0", 3) == before + 1 && tr_strtab_find(t, "1", 1) != before + 1);
    tr_strtab_free(t);
}

/* Strings that came as new ones are found like all others, before and after more are added in either way. */
static void test_new_strings(void)
{
    struct tr_strtab *t = tr_strtab_new();
    char s[40];
    for (uint32_t i = 0; i < 3000; i++) {
        int n = snprintf(s, sizeof s, "string %u", i);
        tr_strtab_expect(t, s, (size_t)n);
        CHECK((i % 5 ? tr_strtab_add_new(t, s, (size_t)n) : tr_strtab_add(t, s, (size_t)n)) == i);
        n = snprintf(s, sizeof s, "string %u", i / 2);
        if (i % 7 == 0)
            CHECK(tr_strtab_find(t, s, (size_t)n) == i / 2 && tr_strtab_add(t, s, (size_t)n) == i / 2);
    }
    CHECK(tr_strtab_add_new(t, "the last", 8) == 3000 && tr_strtab_count(t) == 3001);
    CHECK(tr_strtab_find(t, "the last", 8) == 3000 && tr_strtab_add(t, "string 2999", 11) == 2999);
    CHECK(tr_strtab_find(t, "the", 3) == TR_NO_STR && tr_strtab_count(t) == 3001);
    tr_strtab_free(t);
}

/* Entries of one hash come in the order in which they were added, however often the index has grown. */
static void test_hash_index(void)
{
    struct tr_hash_index x = { 0 };
    struct tr_hash_walk walk = tr_hash_index_walk(&x, 7);
    CHECK(tr_hash_index_next(&walk) == TR_HASH_NONE && tr_hash_index_bytes(&x) == 0);
    const uint64_t ends[] = { 0, UINT64_MAX, (uint64_t)0xf174d0af << 32, (uint64_t)1 << 32, 63 }; /* third: last slot */
    for (uint32_t i = 0; i < 5000; i++)
        CHECK(tr_hash_index_add(&x, i % 10 < 5 ? ends[i % 5] : tr_mix64(i, 0x9e3779b97f4a7c15u), i));
    for (uint32_t i = 0; i < 5000; i++) {
        uint64_t hash = i % 10 < 5 ? ends[i % 5] : tr_mix64(i, 0x9e3779b97f4a7c15u);
        uint32_t last = 0, seen = 0, found = 0;
        walk = tr_hash_index_walk(&x, hash);
        for (uint32_t k; (k = tr_hash_index_next(&walk)) != TR_HASH_NONE; last = k, seen++) {
            CHECK(!seen || k > last);
            found += k == i;
        }
        CHECK(found == 1);
    }
    CHECK(tr_hash_index_bytes(&x) == 16384 * sizeof(struct tr_hash_slot));
    tr_hash_index_free(&x);
    CHECK(!x.slots && !x.n);
}

static void test_freelist(void)
{
    struct tr_freelist f = { 0 };
    int64_t *array = NULL;
    bool distinct = true, kept = true;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t place = tr_freelist_take(&f, &array, sizeof *array);
        distinct = distinct && place == i;
        array[place] = -(int64_t)i;
    }
    CHECK(distinct && f.n == 1000 && tr_freelist_used(&f) == 1000);
    for (uint32_t i = 0; i < 1000; i += 2)
        tr_freelist_give(&f, i);
    CHECK(f.n == 1000 && tr_freelist_used(&f) == 500);
    CHECK(tr_freelist_take(&f, &array, sizeof *array) == 998); /* the one that came back last */
    for (uint32_t i = 0; i < 499; i++) {
        uint32_t place = tr_freelist_take(&f, &array, sizeof *array);
        distinct = distinct && place < 998 && place % 2 == 0 && array[place] == -(int64_t)place;
        array[place] = 1; /* so that one given twice is seen */
    }
    CHECK(distinct && f.n == 1000 && tr_freelist_used(&f) == 1000);
    CHECK(tr_freelist_take(&f, &array, sizeof *array) == 1000);
    for (int64_t i = 1; i < 1000; i += 2)
        kept = kept && array[i] == -i;
    CHECK(kept);
    tr_freelist_free(&f);
    CHECK(!f.n && !f.unused);
    free(array);
}

static void test_memory(void)
{
    int64_t *v = NULL;
    size_t cap = 0;
    CHECK(tr_grow(&v, &cap, 3, sizeof *v) && cap >= 3);
    v[0] = 1, v[1] = 2, v[2] = 3;
    size_t was = cap;
    CHECK(tr_grow(&v, &cap, was, sizeof *v) && cap == was);
    CHECK(tr_grow(&v, &cap, was + 1, sizeof *v) && cap >= was + was / 2 && v[0] == 1 && v[1] == 2 && v[2] == 3);
    was = cap;
    CHECK(!tr_grow(&v, &cap, SIZE_MAX / 4, sizeof *v) && cap == was && v[2] == 3);
    CHECK(!tr_grow(&v, &cap, SIZE_MAX, 1) && cap == was);
    free(v);

    struct tr_buf b = { 0 };
    CHECK(tr_buf_reserve(&b, 10) && b.len == 0 && b.cap >= 10);
    for (size_t i = 0; i < 1000; i++)
        CHECK(tr_buf_add(&b, "abc", 2) && tr_buf_add_str(&b, "de"));
    CHECK(b.len == 4000 && b.cap >= b.len && !memcmp(b.data + 3992, "abdeabde", 8));
    CHECK(!tr_buf_reserve(&b, SIZE_MAX - 10) && b.len == 4000);
    tr_buf_free(&b);
    CHECK(b.data == NULL && b.len == 0 && b.cap == 0);

    struct tr_arena *a = tr_arena_new(1000);
    char *parts[200];
    for (size_t i = 0; i < 200; i++) {
        size_t n = i % 50 ? i : 3000; /* some larger than a piece */
        parts[i] = tr_arena_alloc(a, n);
        CHECK(parts[i] && (uintptr_t)parts[i] % 16 == 0);
        memset(parts[i], (int)i, n);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < (i % 50 ? i : 3000); k++)
            CHECK(parts[i][k] == (char)i);
    char *copy = tr_arena_copy(a, "text", 5);
    CHECK(copy && !strcmp(copy, "text"));
    CHECK(tr_arena_bytes(a) >= 4 * 3000 + 19900);
    tr_arena_free(a);
}

static const struct tap_test tests[] = {
    { "histograms are merged", test_merge },
    { "limits and quantiles of histograms", test_limit },
    { "short numbers of values", test_short },
    { "tables of strings", test_strings },
    { "strings that are new", test_new_strings },
    { "hash index", test_hash_index },
    { "places that are given out again", test_freelist },
    { "arrays, buffers, arenas", test_memory },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof *tests);
}
