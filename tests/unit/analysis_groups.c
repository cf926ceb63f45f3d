/* SPDX-License-Identifier: MIT */
/* Device work by rank, device, stream and step; the end of earlier work; pairs of calls and work. */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_launches.h"
#include "analysis/time/tr_queue_ends.h"
#include "engine/tr_group_by.h"
#include "engine/tr_rows.h"
#include "unit/analysis_build.h"

#include <math.h>

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, a7, a9; /* of rank 1: a host thread, streams 7 and 9 of device 0 */
static uint32_t b7, none;     /* a stream of rank 0; of no rank and no device */

static void three_ranks(void)
{
    start_stream(&t);
    uint32_t one = source(&t, 1), zero = source(&t, 0), unknown = source(&t, -1);
    host = track(&t, one, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    a7 = track(&t, one, 0, 7, 0, 7);
    a9 = track(&t, one, 0, 9, 0, 9);
    b7 = track(&t, zero, 0, 7, 0, 7);
    none = track(&t, unknown, 0, 0, TR_I64_NONE, TR_I64_NONE);
    t.dict->tracks[none].side = TR_SIDE_DEVICE;
    sum = tr_summary_new(3);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

static struct tr_group_by w;

static void groups_by(enum tr_per per, struct tr_select *sel)
{
    const struct tr_group_by_opts opts = { .per = per };
    CHECK(tr_group_by_init(&w, &opts, t.dict, sum, true, sel, &err) == TR_OK);
    CHECK(tr_group_by_batch(&w, t.batch, NULL, &err) == TR_OK);
}

static struct tr_group_by_item item_of(size_t i)
{
    struct tr_group_by_item item = { .group = 99 };
    CHECK(tr_group_by_counts(&w, i) && tr_group_by_item(&w, i, &item));
    return item;
}

static bool is_key(const struct tr_group_key *k, int64_t rank, int64_t device, int64_t stream, int64_t step_number)
{
    return k->rank == rank && k->device == device && k->stream == stream && k->step == step_number;
}

#define NO_KEY TR_GROUP_NONE

static void test_what_counts(void)
{
    three_ranks();
    static const enum tr_activity act[] = { TR_ACT_KERNEL, TR_ACT_MEMCPY, TR_ACT_MEMSET, TR_ACT_CPU_OP, TR_ACT_SYNC };
    for (size_t i = 0; i < 5; i++)
        span(&t, a7, act[i], "x", (int64_t)i, 1);
    kernel(&t, a7, "suspect", 5, 1);
    suspect(&t, TR_SUSPECT_LONG_DUR);
    t.batch->phase[kernel(&t, a7, "instant", 6, 1)] = TR_INSTANT;
    kernel(&t, a7, "no ts", TR_TIME_NONE, 1);
    kernel(&t, a7, "left out", 8, 1);
    const uint8_t keep[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0 };
    groups_by(TR_PER_RANK, NULL);
    CHECK(tr_group_by_batch(&w, t.batch, keep, &err) == TR_OK);
    for (size_t i = 0; i < t.batch->n; i++)
        CHECK(tr_group_by_counts(&w, i) == (i < 3));
    tr_group_by_free(&w);
    const struct tr_group_by_opts other = { .activities = TR_ACTIVITY_BIT(TR_ACT_CPU_OP), .suspect = true };
    CHECK(tr_group_by_init(&w, &other, t.dict, sum, true, NULL, &err) == TR_OK);
    CHECK(tr_group_by_batch(&w, t.batch, NULL, &err) == TR_OK);
    for (size_t i = 0; i < t.batch->n; i++)
        CHECK(tr_group_by_counts(&w, i) == (i == 3));
    tr_group_by_free(&w);
    CHECK(tr_group_by_init(&w, &other, t.dict, sum, false, NULL, &err) == TR_DAMAGED);
    tr_group_by_free(&w);
    tr_group_by_free(NULL);
    end();
}

static void test_keys(void)
{
    static const struct {
        enum tr_per per;
        size_t n;
        struct tr_group_key first, second;
    } of[] = {
        { TR_PER_RANK, 3, { 1, NO_KEY, NO_KEY, NO_KEY, 0 }, { 0, NO_KEY, NO_KEY, NO_KEY, 0 } },
        { TR_PER_DEVICE, 3, { 1, 0, NO_KEY, NO_KEY, 0 }, { 0, 0, NO_KEY, NO_KEY, 0 } },
        { TR_PER_STREAM, 4, { 1, 0, 7, NO_KEY, 0 }, { 1, 0, 9, NO_KEY, 0 } },
        { TR_PER_STEP, 4, { 1, NO_KEY, NO_KEY, 5, 0 }, { 1, NO_KEY, NO_KEY, NO_KEY, 0 } },
        { TR_PER_CAPTURE, 3, { 1, NO_KEY, NO_KEY, NO_KEY, 0 }, { 0, NO_KEY, NO_KEY, NO_KEY, 0 } },
        { TR_PER_ALL, 1, { NO_KEY, NO_KEY, NO_KEY, NO_KEY, 0 }, { NO_KEY, NO_KEY, NO_KEY, NO_KEY, 0 } },
    };
    static const char *const names[] = { "rank", "device", "stream", "step", "capture", "all" };
    three_ranks();
    step(sum, 0, 5, 100, 200);
    kernel(&t, a7, "in step 5 by its launch", 250, 1);
    launched(&t, "launch", 150, 1, 90, host);
    kernel(&t, a9, "its launch is not known", 160, 1);
    kernel(&t, b7, "no steps", 170, 1);
    kernel(&t, none, "no rank, no device", 180, 1);
    kernel(&t, a7, "again", 260, 1);
    launched(&t, "launch", 199, 1, 91, host);
    for (size_t i = 0; i < 6; i++) {
        CHECK_STR(tr_per_name(of[i].per), names[i]);
        groups_by(of[i].per, NULL);
        CHECK(item_of(0).group == 0 && item_of(4).group == 0); /* numbers are in the order of appearance */
        for (size_t k = 1; k < 4; k++)
            item_of(k);
        CHECK(w.n_groups == of[i].n);
        CHECK(memcmp(&w.groups[0], &of[i].first, sizeof of[i].first) == 0);
        CHECK(w.n_groups < 2 || memcmp(&w.groups[1], &of[i].second, sizeof of[i].second) == 0);
        uint32_t *order = tr_group_by_order(&w);
        need(order != NULL);
        for (size_t k = 1; k < w.n_groups; k++) {
            const struct tr_group_key *x = &w.groups[order[k - 1]], *y = &w.groups[order[k]];
            CHECK(x->rank < y->rank || (x->rank == y->rank && (x->stream < y->stream || x->step < y->step)));
        }
        CHECK(is_key(&w.groups[order[w.n_groups - 1]], NO_KEY, NO_KEY, NO_KEY,
                     NO_KEY)); /* what is not known sorts last */
        free(order);
        tr_group_by_free(&w);
    }
    end();
}

static void test_intervals(void)
{
    struct tr_select_opts opts = TR_SELECT_ALL;
    struct tr_select *sel = NULL;
    three_ranks();
    kernel(&t, a7, "negative times", -100, 60);
    kernel(&t, a7, "lowest", INT64_MIN + 1, INT64_MAX);
    kernel(&t, a7, "highest", INT64_MAX - 1, 1);
    kernel(&t, a7, "no duration", 5, TR_TIME_NONE);
    groups_by(TR_PER_RANK, NULL);
    CHECK(item_of(0).start == -100 && item_of(0).end == -40);
    CHECK(item_of(1).start == INT64_MIN + 1 && item_of(1).end == 0);
    CHECK(item_of(2).start == INT64_MAX - 1 && item_of(2).end == INT64_MAX);
    CHECK(item_of(3).start == 5 && item_of(3).end == 5);
    tr_group_by_free(&w);
    opts.has_time = true;
    opts.time = (struct tr_range){ -60, 10 };
    CHECK(tr_select_new(&opts, t.dict, sum, true, &sel, &err) == TR_OK);
    groups_by(TR_PER_RANK, sel);
    CHECK(item_of(0).start == -60 && item_of(0).end == -40);
    CHECK(item_of(1).start == -60 && item_of(1).end == 0);
    CHECK(item_of(2).start == item_of(2).end); /* outside of the window: no length is left */
    struct tr_range r = tr_group_by_span(&w, 0, -60, 0), empty = tr_group_by_span(&w, 0, INT64_MAX, INT64_MIN);
    CHECK(r.from == -60 && r.to == 10 && empty.from == -60 && empty.to == 10);
    tr_group_by_free(&w);
    tr_select_free(sel);
    groups_by(TR_PER_RANK, NULL);
    r = tr_group_by_span(&w, 0, -60, 7);
    empty = tr_group_by_span(&w, 0, INT64_MAX, INT64_MIN);
    CHECK(r.from == -60 && r.to == 7 && empty.from == empty.to);
    tr_group_by_free(&w);
    end();
}

static void test_suspects(void)
{
    const struct tr_group_by_opts opts = { .suspect = true };
    three_ranks();
    kernel(&t, a7, "ends before it starts", 10, -5);
    suspect(&t, TR_SUSPECT_NEGATIVE_DUR);
    kernel(&t, a7, "a week", 10, INT64_C(700000000000000));
    suspect(&t, TR_SUSPECT_LONG_DUR);
    kernel(&t, a7, "its end does not fit", 10, INT64_MAX - 9);
    suspect(&t, TR_SUSPECT_OVERFLOW);
    kernel(&t, a7, "its end just fits", 10, INT64_MAX - 10);
    suspect(&t, TR_SUSPECT_OVERFLOW);
    CHECK(tr_group_by_init(&w, &opts, t.dict, sum, true, NULL, &err) == TR_OK);
    CHECK(tr_group_by_batch(&w, t.batch, NULL, &err) == TR_OK);
    CHECK(item_of(0).end == 10 && item_of(1).end == INT64_C(700000000000010));
    CHECK(item_of(2).end == 10 && item_of(3).end == INT64_MAX);
    tr_group_by_free(&w);
    end();
}

static void test_no_events(void)
{
    struct tr_select_opts opts = TR_SELECT_ALL;
    struct tr_select *sel = NULL;
    const struct tr_group_key key = { 9, 1, 2, NO_KEY, 0 };
    uint32_t group = 99, again = 98;
    three_ranks();
    groups_by(TR_PER_STREAM, NULL);
    CHECK(tr_group_by_finish(&w, &err) == TR_OK && w.n_groups == 0);
    uint32_t *order = tr_group_by_order(&w);
    CHECK(order != NULL);
    free(order);
    CHECK(tr_group_by_key_group(&w, &key, &group) && group == 0);
    CHECK(tr_group_by_key_group(&w, &key, &again) && again == 0 && w.n_groups == 1);
    tr_group_by_free(&w);
    groups_by(TR_PER_RANK, NULL); /* a rank without work has a group all the same */
    CHECK(tr_group_by_finish(&w, &err) == TR_OK && w.n_groups == 3);
    tr_group_by_free(&w);
    groups_by(TR_PER_ALL, NULL);
    CHECK(tr_group_by_finish(&w, &err) == TR_OK && w.n_groups == 1);
    tr_group_by_free(&w);
    opts.n_ranks = 1;
    opts.ranks[0] = (struct tr_range){ 1, 1 };
    CHECK(tr_select_new(&opts, t.dict, sum, true, &sel, &err) == TR_OK);
    groups_by(TR_PER_RANK, sel); /* unless it is not selected */
    CHECK(tr_group_by_finish(&w, &err) == TR_OK && w.n_groups == 1 && w.groups[0].rank == 1);
    tr_group_by_free(&w);
    tr_select_free(sel);
    end();
}

static void test_queue_ends(void)
{
    const struct tr_group_by_opts opts = { .per = TR_PER_RANK };
    static const int64_t before[] = { TR_TIME_NONE, 10, TR_TIME_NONE, TR_TIME_NONE, 10, 25, 30 };
    static const uint32_t stream[] = { 0, 0, 1, 2, 0, 0, 0 }, group[] = { 0, 0, 0, 1, 0, 0, 0 };
    struct tr_queue_ends q;
    struct tr_queue_ends_item item;
    three_ranks();
    kernel(&t, a7, "first", -10, 20);
    kernel(&t, a7, "inside", -5, 3); /* does not move the end back */
    kernel(&t, a9, "another stream", 0, 100);
    kernel(&t, b7, "another rank", 1, 100);
    kernel(&t, a7, "overlaps", 5, 20);
    kernel(&t, a7, "at once", 25, 5);
    kernel(&t, a7, "a tie", 25, 5);
    CHECK(tr_queue_ends_init(&q, &opts, t.dict, sum, true, NULL, &err) == TR_OK);
    CHECK(tr_queue_ends_batch(&q, t.batch, NULL, &err) == TR_OK);
    for (size_t i = 0; i < 7; i++) {
        CHECK(tr_queue_ends_item(&q, i, &item));
        CHECK(item.before == before[i] && item.stream == stream[i] && item.work.group == group[i]);
    }
    tr_batch_clear(t.batch); /* the next batch goes on from there; an event without end is over at once */
    kernel(&t, a7, "no end", 40, TR_TIME_NONE);
    kernel(&t, a7, "last", INT64_MAX - 5, 5);
    kernel(&t, a7, "after the last", INT64_MAX, 0);
    CHECK(tr_queue_ends_batch(&q, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_queue_ends_item(&q, 0, &item) && item.before == 30 && item.work.end == 40);
    CHECK(tr_queue_ends_item(&q, 1, &item) && item.before == 40);
    CHECK(tr_queue_ends_item(&q, 2, &item) && item.before == INT64_MAX);
    tr_queue_ends_free(&q);
    tr_queue_ends_free(NULL);
    CHECK(tr_queue_ends_init(&q, &opts, t.dict, sum, false, NULL, &err) == TR_DAMAGED);
    tr_queue_ends_free(&q);
    end();
}

static void some_launches(void)
{
    three_ranks();
    kernel(&t, a7, "waits for its launch", 100, 50);
    launched(&t, "launch", 60, 10, 1, host);
    kernel(&t, a7, "queues", 150, 5);
    launched(&t, "launch", 80, 20, 2, host);
    kernel(&t, a7, "nobody knows", 170, 5);
    kernel(&t, a7, "before its call", 180, 5);
    launched(&t, "launch", 181, 20, 3, host);
    kernel(&t, a9, "no duration", 200, TR_TIME_NONE);
    launched(&t, "graph", 150, TR_TIME_NONE, 4, host);
    kernel(&t, a9, "within its call", 210, 5);
    launched(&t, "graph", 205, 30, 5, host);
}

static void test_pairs(void)
{
    static const struct {
        size_t event;
        int64_t cpu, gpu, stream_wait, start_latency;
    } of[] = {
        { 0, 10, 50, 0, 30 }, /* 100 - 70 */
        { 1, 20, 5, 50, 0 },  /* the stream was busy until 150 */
        { 3, 20, 5, 0, 0 },   { 4, TR_TIME_NONE, TR_TIME_NONE, 0, 50 }, { 5, 30, 5, 0, 0 },
    };
    const struct tr_group_by_opts opts = { .per = TR_PER_RANK };
    struct tr_pairs p;
    some_launches();
    CHECK(tr_pairs_init(&p, &opts, t.dict, sum, true, NULL, &err) == TR_OK);
    CHECK(tr_pairs_batch(&p, t.batch, NULL, &err) == TR_OK && p.n == 5);
    for (size_t i = 0; i < 5 && i < p.n; i++) {
        const struct tr_launch_pair *x = &p.pairs[i];
        CHECK(x->event == of[i].event && x->cpu == of[i].cpu && x->gpu == of[i].gpu);
        CHECK(x->stream_wait == of[i].stream_wait && x->start_latency == of[i].start_latency);
        CHECK(x->queue == x->stream_wait + x->start_latency && x->negative == (i == 2) && x->group == 0);
        CHECK_STR(tr_dict_str(t.dict, x->api), i < 3 ? "launch" : "graph");
    }
    tr_batch_clear(t.batch);
    CHECK(tr_pairs_batch(&p, t.batch, NULL, &err) == TR_OK && p.n == 0);
    kernel(&t, b7, "a queue that does not fit", INT64_MAX - 1, 1);
    launched(&t, "launch", INT64_MIN + 1, 0, 6, host);
    CHECK(tr_pairs_batch(&p, t.batch, NULL, &err) == TR_OK && p.n == 1);
    CHECK(p.n == 1 && p.pairs[0].queue == TR_TIME_NONE && p.pairs[0].stream_wait == TR_TIME_NONE);
    CHECK(p.n == 1 && p.pairs[0].start_latency == TR_TIME_NONE && !p.pairs[0].negative);
    tr_pairs_free(&p);
    end();
}

static struct tr_str string(const void *dict, uint32_t number)
{
    return tr_dict_text_if(dict, number);
}

/* The rows of launches by call, of all events of the batch, or of none. */
static struct tr_table *launch_rows(bool events)
{
    static const struct tr_launch_options options = { .cpu_cutoff = 20, .queue_cutoff = 40 };
    const struct tr_analysis *a = &tr_analysis_api;
    struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .work.per = TR_PER_RANK };
    struct tr_table *rows = tr_table_new(TR_UNIT_NS);
    struct tr_rows_cut cut = { .top = 0 };
    void *state = NULL;
    need(rows != NULL);
    CHECK(tr_analysis_start(a, &in, &options, &state, &err) == TR_DAMAGED); /* not sorted */
    tr_analysis_free(a, state);
    in.sorted = true;
    tr_analysis_columns(a, &in, &options, rows);
    tr_table_strings(rows, string, t.dict);
    CHECK(tr_analysis_start(a, &in, &options, &state, &err) == TR_OK);
    CHECK(!events || a->feed(state, t.batch, NULL, rows, &err) == TR_OK);
    CHECK(a->complete(state, &err) == TR_OK);
    a->cut(&options, &cut);
    CHECK(tr_rows_finish(a->rows(state), rows, &cut, &err) == TR_OK);
    tr_analysis_free(a, state);
    return rows;
}

static void test_launch_rows(void)
{
    static const struct {
        const char *column;
        double of[2]; /* three pairs, then two */
    } want[] = {
        { "rank", { 1, 1 } },
        { "calls", { 1, 0 } },
        { "launches", { 3, 2 } },
        { "negative", { 1, 0 } },
        { "cpu_mean", { 15, 30 } },
        { "gpu_mean", { 27.5, 5 } },
        { "queue_p99", { 49.8, 49.5 } },
        { "queue_mean", { 40, 25 } },
        { "start_latency_mean", { 15, 25 } },
        { "slow_calls", { 0, 1 } },
        { "late_starts", { 1, 1 } },
        { "short_kernels", { 1, 0 } },
        { "queue_p50", { 40, 25 } },
        { "stream_wait_mean", { 25, 0 } },
    };
    some_launches();
    span(&t, host, TR_ACT_RUNTIME_API, "launch", 210, 10);
    owns(&t, 2);
    span(&t, host, TR_ACT_RUNTIME_API, "no work of it is in the trace", 220, 10);
    owns(&t, 1);
    struct tr_table *rows = launch_rows(true);
    CHECK(tr_table_rows(rows) == 2);
    CHECK(tr_str_is(tr_table_get(rows, 0, tr_table_find(rows, "api")), "launch"));
    CHECK(tr_str_is(tr_table_get(rows, 1, tr_table_find(rows, "api")), "graph"));
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        for (size_t r = 0; r < 2; r++) {
            double v = tr_table_number(rows, r, tr_table_find(rows, want[i].column));
            if (fabs(v - want[i].of[r]) > 1e-3)
                printf("# %s of row %zu: %g, not %g\n", want[i].column, r, v, want[i].of[r]);
            CHECK(fabs(v - want[i].of[r]) < 1e-3);
        }
    tr_table_free(rows);
    rows = launch_rows(false);
    CHECK(tr_table_rows(rows) == 0);
    tr_table_free(rows);
    end();
}

static const struct tap_test tests[] = {
    { "which events count as work", test_what_counts },
    { "groups have the keys that the grouping asks for, what is unknown last", test_keys },
    { "intervals, at the bounds of time and clipped to a window", test_intervals },
    { "suspect events on demand, with durations that fit", test_suspects },
    { "ranks without work have groups", test_no_events },
    { "the end of earlier work of a stream never moves back", test_queue_ends },
    { "pairs of a call and its work", test_pairs },
    { "calls by name, those with the most pairs first", test_launch_rows },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
