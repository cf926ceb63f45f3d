/* SPDX-License-Identifier: MIT */
/* Maps from event identities: whatever is put in and taken out, what is asked for is what was put last. */
#include "model/tr_eventmap.h"

#include "harness/tap.h"

#define N 512u

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Two sources with the same records; a plain array knows the truth. */
static void random_walk(uint64_t seed)
{
    struct tr_eventmap m = { 0 };
    uint32_t *truth = malloc(2 * N * sizeof *truth);
    size_t held = 0, wrong = 0;
    for (size_t i = 0; i < 2 * N; i++)
        truth[i] = TR_EVENTMAP_NONE;
    for (uint32_t step = 0; step < 20000; step++) {
        size_t key = (size_t)(next(&seed) % (2 * N));
        uint32_t source = (uint32_t)(key / N);
        uint64_t record = key % N * 0x100000001u;
        if (next(&seed) % 5 < (step / 4000 % 2 ? 2u : 3u)) {
            held += truth[key] == TR_EVENTMAP_NONE;
            wrong += !tr_eventmap_put(&m, source, record, step);
            truth[key] = step;
        } else {
            held -= truth[key] != TR_EVENTMAP_NONE;
            tr_eventmap_remove(&m, source, record);
            truth[key] = TR_EVENTMAP_NONE;
        }
        if (step % 97)
            continue;
        for (size_t i = 0; i < 2 * N; i++)
            wrong += tr_eventmap_get(&m, (uint32_t)(i / N), i % N * 0x100000001u) != truth[i];
        wrong += m.n != held;
    }
    CHECK(wrong == 0);
    tr_eventmap_free(&m);
    free(truth);
}

static void test_empty(void)
{
    struct tr_eventmap m = { 0 };
    CHECK(tr_eventmap_get(&m, 0, 0) == TR_EVENTMAP_NONE);
    tr_eventmap_remove(&m, 0, 0);
    CHECK(!m.slots);
}

static void test_random(void)
{
    for (uint64_t seed = 1; seed <= 5; seed++)
        random_walk(seed);
}

static const struct tap_test tests[] = {
    { "an empty map holds nothing, and can lose nothing", test_empty },
    { "after any steps it holds what was put in last and not taken out", test_random },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
