/* SPDX-License-Identifier: MIT */
/* The ends of flows in order: from memory, and from runs in a file. */
#include "formats/xplane/tr_xplane_flow_ends_int.h"

#include "harness/tap.h"

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static int order(const struct tr__xplane_flow_end *x, const struct tr__xplane_flow_end *y)
{
    const uint64_t a[] = { x->kind, x->id, (uint64_t)x->ts + INT64_MAX, x->ts_ps, x->role, x->record };
    const uint64_t b[] = { y->kind, y->id, (uint64_t)y->ts + INT64_MAX, y->ts_ps, y->role, y->record };
    size_t i = 0;
    while (i < 5 && a[i] == b[i])
        i++;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* Parts of a file with up to most ends each: all come once, whole and in order; then there is no more. */
static void check_parts(size_t n_parts, size_t max, size_t max_memory)
{
    struct tr__xplane_flow_ends *e = NULL;
    struct tr__xplane_flow_end part[400], last = { 0 };
    const struct tr__xplane_flow_end *end = NULL;
    struct tr_error err = TR_ERROR_INIT;
    uint64_t state = n_parts + max, record = 0, n = 0, wrong = 0, sum = 0;
    for (size_t i = 0; i < n_parts; i++) {
        size_t k = (size_t)(next(&state) % (max + 1));
        memset(part, 0, sizeof part);
        for (size_t j = 0; j < k; j++) {
            part[j].kind = next(&state) % 2;
            part[j].id = next(&state) % 7;
            part[j].ts = (int64_t)(next(&state) % 9) - 4;
            part[j].ts_ps = (uint16_t)(next(&state) % 3);
            part[j].role = (uint8_t)(next(&state) % 3);
            part[j].line = (uint32_t)record;
            part[j].record = record++;
        }
        tr__xplane_flow_ends_order(part, k);
        CHECK(tr__xplane_flow_ends_add(&e, part, k, max_memory, ".", &err) == TR_OK);
    }
    for (; tr__xplane_flow_ends_next(e, &end, &err) == TR_OK; n++) {
        wrong += (n && order(&last, end) >= 0) || end->line != (uint32_t)end->record;
        sum += end->record;
        last = *end;
    }
    CHECK(wrong == 0);
    CHECK(n == record && sum == (record ? record * (record - 1) / 2 : 0));
    CHECK(tr__xplane_flow_ends_next(e, &end, &err) == TR_END);
    tr__xplane_flow_ends_free(e);
}

static void test_in_memory(void)
{
    check_parts(1, 0, 1u << 20);
    check_parts(1, 1, 1u << 20);
    check_parts(500, 1, 1u << 20);
    check_parts(100, 400, 16u << 20);
}

static void test_in_file(void)
{
    check_parts(100, 400, 100000);
    check_parts(100, 400, 1); /* each part is a run */
}

static const struct tap_test tests[] = {
    { "in memory", test_in_memory },
    { "in a file", test_in_file },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
