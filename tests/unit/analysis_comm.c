/* SPDX-License-Identifier: MIT */
/* What collectives took: one by one, in sums, and who came last. */
#include "analysis/comm/tr_collective_times.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_error err = TR_ERROR_INIT;

/* Collectives by hand: parties 0 to 2, one call of each size, one group. */
static struct tr_colls c;
static struct tr_coll colls[8];
static struct tr_coll_member members[32];
static struct tr_coll_call calls[4];
static struct tr_coll_group groups[2];
static struct tr_coll_party parties[3];
static uint32_t streams[3]; /* of the parties */

static void no_colls(void)
{
    start_stream(&t);
    for (uint32_t i = 0; i < 3; i++) {
        parties[i] = (struct tr_coll_party){ .rank = i, .source = source(&t, i), .device = 0 };
        streams[i] = track(&t, parties[i].source, 0, 7, 0, 7);
    }
    for (size_t i = 0; i < 4; i++)
        calls[i] = (struct tr_coll_call){ .name = str(&t, "allreduce"), .dtype = str(&t, "Float"),
                                          .in_split = TR_NO_STR, .out_split = TR_NO_STR,
                                          .in_elems = i ? 1000 * (int64_t)i : -1, .out_elems = -1, .bytes = -1, .peer = -1,
                                          .type = TR_COLL_ALLREDUCE };
    for (size_t i = 0; i < 2; i++)
        groups[i] = (struct tr_coll_group){ TR_NO_STR, TR_NO_STR, TR_NO_STR, 4, -1, -1, TR_NO_STR, -1 };
    c = (struct tr_colls){ colls, 0, members, 0, calls, 4, groups, 2, parties, 3, NULL, 0, false, false, NULL };
}

static struct tr_coll *coll(enum tr_coll_type type, uint32_t group)
{
    colls[c.n] = (struct tr_coll){ .first = c.n_members, .group = group, .type = (uint8_t)type };
    return &colls[c.n++];
}

/* A member of the last collective; of the call that moves 4000 bytes. */
static struct tr_coll_member *joins(uint32_t party, int64_t start, int64_t dur)
{
    struct tr_coll *o = &colls[c.n - 1];
    struct tr_coll_member *m = &members[c.n_members++];
    *m = (struct tr_coll_member){ .start = start, .end = start + dur, .launch = TR_TIME_NONE, .call = 1, .party = party,
                                  .source = parties[party].source, .track = streams[party], .type = o->type, .name = str(&t, "k"),
                                  .picked = true };
    o->n++;
    return m;
}

static struct tr_collective_times times_of(size_t i)
{
    struct tr_collective_times x;
    CHECK(tr_collective_measure(t.dict, &c, i, false, &x));
    return x;
}

static bool near(double have, double want)
{
    return have > want * 0.999999 && have < want * 1.000001;
}

static void test_measure(void)
{
    no_colls();
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, -100, 140);
    joins(1, -60, 100);
    joins(2, 0, 45);
    struct tr_collective_times x = times_of(0);
    CHECK(x.n == 3 && x.first == 0 && x.last == 2 && x.spread == 100 && x.transfer == 40 && x.end_spread == 5);
    CHECK(x.dur_min == 45 && x.dur_max == 140 && x.wait == 160 && x.bytes == 4000 && !x.early);
    CHECK(near(x.algbw, 4000 / 45e-9) && near(x.busbw, x.algbw * 1.5)); /* 2 * 3 / 4 */
    coll(TR_COLL_ALLREDUCE, 0); /* ties: the first party */
    joins(0, 5, 10);
    joins(1, 5, 10);
    x = times_of(1);
    CHECK(x.first == 0 && x.last == 0 && x.spread == 0 && x.wait == 0 && x.transfer == 10);
    coll(TR_COLL_ALLREDUCE, 0); /* one ended before the other had come */
    joins(0, 0, 10);
    joins(1, 15, 10);
    x = times_of(2);
    CHECK(x.transfer == -5 && x.early);
    coll(TR_COLL_BROADCAST, 0); /* which is possible here */
    joins(0, 0, 10);
    joins(1, 15, 10);
    x = times_of(3);
    CHECK(x.transfer == -5 && !x.early);
    coll(TR_COLL_ALLREDUCE, 0); /* no duration, no rate; of two sizes the larger */
    joins(0, 0, 0)->call = 3;
    joins(1, 0, 10);
    x = times_of(4);
    CHECK(x.dur_min == 0 && x.bytes == 12000 && x.algbw <= 0 && x.busbw <= 0);
    coll(TR_COLL_ALLREDUCE, 0)->wrong = TR_COLL_SIZES_DIFFER;
    joins(0, 0, 10);
    x = times_of(5);
    CHECK(x.n == 1 && x.spread == 0 && x.transfer == 10 && x.bytes == -1 && x.algbw <= 0);
    build_end(&t);
}

static void test_suspects_and_bounds(void)
{
    struct tr_collective_times x;
    no_colls();
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 0, 10);
    joins(1, 500, 10)->suspect = true;
    joins(2, 3, 10);
    x = times_of(0);
    CHECK(x.n == 2 && x.last == 2 && x.spread == 3 && x.wait == 3);
    CHECK(tr_collective_measure(t.dict, &c, 0, true, &x) && x.n == 3 && x.last == 1 && x.spread == 500);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 0, 10)->suspect = true;
    CHECK(!tr_collective_measure(t.dict, &c, 1, false, &x) && x.n == 0);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, INT64_MIN + 1, 10);
    joins(1, INT64_MAX - 10, 10);
    x = times_of(2);
    CHECK(x.n == 2 && x.first == 0 && x.last == 1 && x.dur_min == 10);
    CHECK(x.spread == TR_TIME_NONE && x.transfer == TR_TIME_NONE && x.end_spread == TR_TIME_NONE);
    CHECK(x.wait == TR_TIME_NONE && !x.early);
    build_end(&t);
}

static void test_sums(void)
{
    struct tr_collective_sums s;
    no_colls();
    CHECK(tr_collective_sum_up(t.dict, &c, TR_COLLECTIVE_BY_NAME, false, &s, &err) == TR_OK && s.n == 0);
    tr_collective_sums_free(&s);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 0, 10);
    joins(1, 4, 10);
    coll(TR_COLL_ALLREDUCE, 1); /* another size, another group */
    joins(0, 50, 30)->call = 2;
    joins(1, 50, 40)->call = 2;
    coll(TR_COLL_ALLREDUCE, 0); /* nobody knows its size; it is alone */
    joins(0, 100, 20)->call = 0;
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 200, 1000)->picked = false;
    CHECK(!tr_collective_picked(&c, 3) && tr_collective_picked(&c, 0));
    coll(TR_COLL_BARRIER, 0);
    joins(0, 300, 60);
    calls[3].name = str(&t, "barrier");
    members[c.n_members - 1].call = 3;
    CHECK(tr_collective_sum_up(t.dict, &c, TR_COLLECTIVE_BY_NAME, false, &s, &err) == TR_OK && s.n == 2);
    CHECK(s.v[0].coll == 0 && s.v[0].dur.stats.n == 3 && tr_stats_sum(&s.v[0].dur.stats) == 60); /* a tie: the first */
    CHECK(s.v[1].coll == 4 && tr_stats_sum(&s.v[1].dur.stats) == 60 && !s.v[1].spread.hist);
    CHECK(s.v[0].spread.stats.n == 2 && s.v[0].spread.stats.max == 4 && s.v[0].algbw.stats.n == 2);
    CHECK(tr_hist_count(s.v[0].dur.hist) == 3 && tr_hist_quantile(s.v[0].dur.hist, 1, 2) > 19.9);
    tr_collective_sums_free(&s);
    CHECK(tr_collective_sum_up(t.dict, &c, TR_COLLECTIVE_BY_SIZE, false, &s, &err) == TR_OK && s.n == 4);
    CHECK(s.v[0].coll == 4 && s.v[1].bytes == 8000 && s.v[2].bytes == -1 && s.v[3].bytes == 4000);
    tr_collective_sums_free(&s);
    CHECK(tr_collective_sum_up(t.dict, &c, TR_COLLECTIVE_BY_GROUP, false, &s, &err) == TR_OK && s.n == 2);
    CHECK(s.v[0].coll == 0 && s.v[0].dur.stats.n == 3 && s.v[1].coll == 1 && s.v[1].dur.stats.n == 1);
    tr_collective_sums_free(&s);
    build_end(&t);
}

static void test_lags(void)
{
    struct tr_collective_lags l;
    no_colls();
    CHECK(tr_collective_lag_of_all(t.dict, &c, NULL, false, &l, &err) == TR_OK && l.n == 0);
    tr_collective_lags_free(&l);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 0, 100);
    joins(1, 10, 90);
    joins(2, 40, 60);
    coll(TR_COLL_SENDRECV, 0);
    joins(0, 200, 10);
    joins(1, 207, 10);
    coll(TR_COLL_UNKNOWN, 0); /* all at once: nobody is last or first */
    joins(0, 300, 5);
    joins(1, 300, 5);
    coll(TR_COLL_BROADCAST, 0); /* not everybody waits */
    joins(0, 400, 10);
    joins(2, 500, 10);
    coll(TR_COLL_ALLREDUCE, 0); /* alone */
    joins(2, 600, 10);
    coll(TR_COLL_ALLREDUCE, 0); /* not chosen */
    joins(0, 700, 10)->picked = false;
    joins(1, 800, 10)->picked = false;
    CHECK(tr_collective_lag_of_all(t.dict, &c, NULL, false, &l, &err) == TR_OK && l.n == 3);
    CHECK(l.v[0].party == 2 && l.v[0].n == 1 && l.v[0].n_last == 1 && l.v[0].n_first == 0 && l.v[0].caused == 70);
    CHECK(l.v[1].party == 1 && l.v[1].n == 3 && l.v[1].n_last == 1 && l.v[1].n_first == 0 && l.v[1].caused == 7);
    CHECK(l.v[2].party == 0 && l.v[2].n == 3 && l.v[2].n_last == 0 && l.v[2].n_first == 2 && l.v[2].caused == 0);
    CHECK(tr_stats_sum(&l.v[1].lag) == 17 && tr_stats_sum(&l.v[1].wait) == 30 && l.v[1].dur == 105);
    CHECK(tr_stats_sum(&l.v[2].lag) == 0 && tr_stats_sum(&l.v[2].wait) == 47 && l.v[2].step == TR_I64_NONE);
    tr_collective_lags_free(&l);
    build_end(&t);
}

static void test_lags_by_step(void)
{
    struct tr_collective_lags l;
    struct tr_summary *sum = tr_summary_new(3);
    no_colls();
    need(sum != NULL);
    step(sum, 1, 4, -10, 10);
    step(sum, 1, 5, 10, 20);
    struct tr_steps *steps = tr_steps_new(sum);
    need(steps != NULL);
    coll(TR_COLL_ALLREDUCE, 0); /* rank 0 has no step, rank 1 launched it in step 5 */
    joins(0, 100, 10)->launch = 5;
    joins(1, 103, 10)->launch = 10;
    coll(TR_COLL_ALLREDUCE, 0); /* nobody knows */
    joins(0, 200, 10);
    joins(1, 250, 10);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 300, 10);
    joins(1, 301, 10)->launch = -10;
    CHECK(tr_collective_lag_of_all(t.dict, &c, steps, false, &l, &err) == TR_OK && l.n == 6);
    static const struct { int64_t step, caused; uint32_t party; } of[] = {
        { 4, 1, 1 }, { 4, 0, 0 }, { 5, 3, 1 }, { 5, 0, 0 }, { TR_I64_NONE, 50, 1 }, { TR_I64_NONE, 0, 0 },
    };
    for (size_t i = 0; i < 6 && i < l.n; i++)
        CHECK(l.v[i].step == of[i].step && l.v[i].caused == of[i].caused && l.v[i].party == of[i].party);
    tr_collective_lags_free(&l);
    tr_steps_free(steps);
    tr_summary_free(sum);
    build_end(&t);
}

/* Members with and without a time base do not compare, until all of them are on one clock. */
static void test_bases(void)
{
    struct tr_collective_lags l;
    no_colls();
    t.dict->sources[parties[1].source].has_base = true;
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 0, 100);
    joins(1, INT64_C(1700000000000000000), 90);
    coll(TR_COLL_ALLREDUCE, 0);
    joins(0, 200, 100);
    joins(2, 210, 80);
    struct tr_collective_times x = times_of(0);
    CHECK(x.n == 2 && !x.compared && x.spread == TR_TIME_NONE && x.transfer == TR_TIME_NONE && !x.early);
    CHECK(x.end_spread == TR_TIME_NONE && x.wait == TR_TIME_NONE && x.dur_min == 90 && x.dur_max == 100);
    x = times_of(1);
    CHECK(x.compared && x.spread == 10 && x.last == 1);
    CHECK(tr_collective_lag_of_all(t.dict, &c, NULL, false, &l, &err) == TR_OK && l.n == 2 && l.v[0].party == 2);
    CHECK(l.left.no_base == 1 && l.left.untimed == 0);
    tr_collective_lags_free(&l);
    for (uint32_t i = 0; i < 2; i++) {
        const struct tr_clock clock = { .source = parties[i].source, .frame = 0 };
        t.dict->tracks[streams[i]].clock = tr_dict_add_clock(t.dict, &clock) + 1;
    }
    CHECK(times_of(0).compared);
    build_end(&t);
}

static const struct tap_test tests[] = {
    { "one collective: who came last, waiting, moving data, rates", test_measure },
    { "members with impossible times, and at the bounds of time", test_suspects_and_bounds },
    { "sums by name, size and group, the largest first", test_sums },
    { "who comes last, and how long the others wait", test_lags },
    { "the same by the step in which it was launched", test_lags_by_step },
    { "ranks with and without a time base", test_bases },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
