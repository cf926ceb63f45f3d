/* SPDX-License-Identifier: MIT */
/* Critical paths: the heaviest chain through an operator, its launch and the kernel; what-if; ranks apart. */
#include "analysis/critpath/tr_critpath.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_error err = TR_ERROR_INIT;

/* An operator of a rank that launches a kernel of 50 ns at its end, all moved by a time. */
static void work(uint32_t rank, int64_t at)
{
    uint32_t src = source(&t, rank);
    uint32_t host = track(&t, src, 1, 1, TR_I64_NONE, TR_I64_NONE), device = track(&t, src, 0, 7, 0, 7);
    span(&t, host, TR_ACT_CPU_OP, "op", at, 40);
    size_t call = span(&t, host, TR_ACT_RUNTIME_API, "cudaLaunchKernel", at + 10, 10);
    owns(&t, 1);
    size_t i = kernel(&t, device, "k", at + 30, 50);
    t.batch->kind[i] = TR_KIND_COMPUTE;
    launched(&t, "cudaLaunchKernel", at + 10, 10, t.batch->record[call], host);
}

static struct tr_critpath *path_of(const struct tr_cp_opts *opts, const uint8_t *rules)
{
    struct tr_critpath *c = NULL;
    need(tr_critpath_new(opts, t.dict, NULL, &c, &err) == TR_OK);
    CHECK(tr_critpath_feed(c, t.batch, NULL, rules, &err) == TR_OK);
    CHECK(tr_critpath_finish(c, NULL, &err) == TR_OK);
    return c;
}

static void test_chain(void)
{
    struct tr_critpath *c;
    struct tr_cp_link *links = NULL, link;
    struct tr_cp_counts counts;
    int64_t sums[TR_CP_N_BOUNDS];
    size_t n = 0, at = 0, n_edges = 0, on_path = 0;
    start_stream(&t);
    work(3, -100); /* before time 0 */
    c = path_of(&(struct tr_cp_opts){ 0 }, NULL);
    need(tr_critpath_groups(c) == 1);
    CHECK(tr_critpath_rank(c, 0) == 3 && tr_critpath_total(c, 0) == 10 + 20 + 50);
    tr_critpath_bounds(c, 0, TR_CP_ANY_RANK, sums);
    CHECK(sums[TR_CP_BY_OPERATOR] == 10 && sums[TR_CP_BY_LAUNCH] == 20 && sums[TR_CP_BY_COMPUTE] == 50);
    need(tr_critpath_path(c, 0, &links, &n, &err) == TR_OK && n == 3);
    CHECK(links[0].edge == TR_CP_OPERATOR && links[0].from.ts == -100 && links[0].from_side == TR_CP_START);
    CHECK(links[1].edge == TR_CP_LAUNCH && links[1].from_ts == -90 && links[1].to_ts == -70 && links[1].weight == 20);
    CHECK(links[2].edge == TR_CP_OPERATOR && links[2].bound == TR_CP_BY_COMPUTE && links[2].to_side == TR_CP_END);
    CHECK(links[2].charged && links[2].payer.name == str(&t, "k") && links[2].payer.end == -20);
    free(links);
    CHECK(tr_critpath_slacks(c, &err) == TR_OK);
    for (; tr_critpath_edge(c, &at, &link); n_edges++) {
        on_path += link.on_path;
        CHECK(link.weight >= 0 && (!link.on_path || link.slack == 0));
        if (!link.on_path) /* the host's chain takes 40 of the 80 */
            CHECK(link.slack == 40);
    }
    CHECK(tr_critpath_counts(c, 0, &counts, &err) == TR_OK);
    CHECK(on_path == 3 && n_edges == 5 && counts.nodes == 6);
    CHECK(counts.edges[TR_CP_OPERATOR] == 4 && counts.edges[TR_CP_LAUNCH] == 1 && counts.edges[TR_CP_QUEUE] == 0);
    tr_critpath_free(c);
    build_end(&t);
}

static void test_what_if(void)
{
    static const struct tr_cp_rule half[] = { { TR_CP_SCALE, 0.5 }, { TR_CP_SCALE, 2 } };
    static const uint8_t rules[] = { TR_CP_NO_RULE, TR_CP_NO_RULE, 0 };
    start_stream(&t);
    work(0, 0);
    struct tr_critpath *c = path_of(&(struct tr_cp_opts){ .rules = half, .n_rules = 2 }, rules);
    CHECK(tr_critpath_pays(c, 0) && !tr_critpath_pays(c, 1));
    tr_critpath_retime(c, true);
    CHECK(tr_critpath_total(c, 0) == 10 + 20 + 25);
    tr_critpath_retime(c, false);
    CHECK(tr_critpath_total(c, 0) == 80);
    tr_critpath_free(c);
    build_end(&t);
}

static void test_ranks(void)
{
    start_stream(&t);
    struct tr_critpath *c = path_of(&(struct tr_cp_opts){ 0 }, NULL); /* no events */
    CHECK(tr_critpath_groups(c) == 0);
    tr_critpath_free(c);
    work(5, 0);
    work(2, 1000);
    c = path_of(&(struct tr_cp_opts){ 0 }, NULL);
    need(tr_critpath_groups(c) == 2);
    CHECK(tr_critpath_rank(c, 0) == 2 && tr_critpath_rank(c, 1) == 5);
    CHECK(tr_critpath_total(c, 0) == 80 && tr_critpath_total(c, 1) == 80);
    tr_critpath_free(c);
    CHECK_STR(tr_cp_edge_name(TR_CP_LAUNCH), "launch");
    CHECK_STR(tr_cp_bound_name(TR_CP_BY_COMPUTE), "compute");
    build_end(&t);
}

static const struct tap_test tests[] = {
    { "the chain through a launch: edges, sums, slack", test_chain },
    { "what if the kernel took half", test_what_if },
    { "ranks have paths of their own; no events have none", test_ranks },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
