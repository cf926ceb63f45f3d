/* SPDX-License-Identifier: MIT */
/* Records in order, from memory, from runs in a file, and from more runs than are read side by side. */
#include "stream/sort/tr_record_sort.h"

#include "harness/tap.h"

struct record {
    uint64_t key, place;
    unsigned char more[]; /* key % 50 bytes, each the low byte of the place */
};

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static int by_key(void *self, const void *a, const void *b)
{
    uint64_t x = ((const struct record *)a)->key, y = ((const struct record *)b)->key;
    ++*(size_t *)self;
    return (x > y) - (x < y);
}

static size_t make(struct record *r, uint64_t key, uint64_t place)
{
    r->key = key;
    r->place = place;
    memset(r->more, (int)(place & 255), (size_t)(key % 50));
    return sizeof *r + (size_t)(key % 50);
}

/* Everything comes once, whole, by key, equal keys in the order in which they were added; then there is no more. */
static void check_all(struct tr_record_sort *s, size_t n_added, uint64_t sum_of_places)
{
    const void *bytes = NULL;
    size_t n = 0, len = 0, wrong = 0;
    uint64_t key = 0, place = 0, sum = 0;
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_record_sort_merge(s, &err) == TR_OK);
    for (; tr_record_sort_next(s, &bytes, &len, &err) == TR_OK; n++) {
        const struct record *r = bytes;
        wrong += (uintptr_t)bytes % 16 != 0 || len != sizeof *r + r->key % 50;
        wrong += n && (r->key < key || (r->key == key && r->place < place));
        for (size_t i = 0; i < r->key % 50; i++)
            wrong += r->more[i] != (r->place & 255);
        key = r->key;
        place = r->place;
        sum += place;
    }
    CHECK(wrong == 0);
    CHECK(n == n_added && sum == sum_of_places);
    CHECK(tr_record_sort_next(s, &bytes, &len, &err) == TR_END);
    CHECK(tr_record_sort_next(s, &bytes, &len, &err) == TR_END);
}

static void add_random(size_t n, size_t max_memory, uint64_t n_keys)
{
    struct tr_record_sort *s = NULL;
    struct tr_error err = TR_ERROR_INIT;
    uint64_t state = n + max_memory, sum = 0;
    size_t compared = 0;
    _Alignas(16) unsigned char room[sizeof(struct record) + 64];
    CHECK(tr_record_sort_new(&s, max_memory, ".", by_key, &compared, &err) == TR_OK);
    for (size_t i = 0; i < n; i++) {
        size_t len = make((struct record *)(void *)room, next(&state) % n_keys, i);
        if (tr_record_sort_add(s, room, len, &err) != TR_OK)
            CHECK(false);
        sum += i;
    }
    check_all(s, n, sum);
    tr_record_sort_free(s);
}

static void test_none(void)
{
    add_random(0, 1000, 1);
}

static void test_in_memory(void)
{
    add_random(1, 1u << 20, 10);
    add_random(5000, 1u << 20, 1000000);
    add_random(5000, 1u << 20, 7);
}

static void test_in_file(void)
{
    add_random(5000, 20000, 1000000);
    add_random(5000, 20000, 7);
    add_random(5000, 1, 1000); /* more runs than are read side by side, one record each */
}

/* Runs that the caller sorts, of any length, none among them. */
static void test_runs(void)
{
    struct tr_record_sort *s = NULL;
    struct tr_error err = TR_ERROR_INIT;
    uint64_t sum = 0, place = 0;
    size_t compared = 0;
    _Alignas(16) unsigned char room[sizeof(struct record) + 64];
    CHECK(tr_record_sort_new(&s, 100000, ".", by_key, &compared, &err) == TR_OK);
    for (uint64_t run = 0; run < 600; run++) {
        for (uint64_t i = 0; i < run % 9; i++, place++) {
            size_t len = make((struct record *)(void *)room, run % 4 + i * 3, place);
            if (tr_record_sort_put(s, room, len, &err) != TR_OK)
                CHECK(false);
            sum += place;
        }
        if (tr_record_sort_cut(s, &err) != TR_OK)
            CHECK(false);
    }
    check_all(s, (size_t)place, sum);
    tr_record_sort_free(s);
}

static const struct tap_test tests[] = {
    { "nothing", test_none },
    { "all in memory", test_in_memory },
    { "runs in a file", test_in_file },
    { "runs of the caller's", test_runs },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
