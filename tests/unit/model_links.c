/* SPDX-License-Identifier: MIT */
/* What events are looked up by: the step of a moment, the call that launched work, fields by name, rules by activity. */
#include "harness/tap.h"
#include "model/calls/tr_launch.h"
#include "model/tr_classify.h"
#include "field/tr_event_field.h"
#include "field/tr_name_part.h"
#include "model/tr_rules.h"
#include "model/tr_steps.h"
#include "stream/format/tr_paged_int.h"
#include "unit/view_build.h"

static struct tr_steps *steps;

static const struct tr_dict *dict;

static void on_track(uint32_t src, uint32_t track, int64_t ts, int64_t want)
{
    int64_t number = -1;
    bool found = tr_steps_find(steps, dict, (struct tr_step_moment){ ts, src, track }, &number);
    if ((found ? number : -1) != want)
        printf("# at %lld of %u: %lld\n", (long long)ts, src, (long long)(found ? number : -1));
    CHECK((found ? number : -1) == want);
}

static void in_step(uint32_t src, int64_t ts, int64_t want)
{
    on_track(src, TR_STEPS_ANY_TRACK, ts, want);
}

static void test_steps(void)
{
    static const struct { int64_t start, end, number; } of[] = {
        { -50, 0, 1 }, { 0, 100, 2 }, { 20, 30, 3 }, { 25, 90, 4 }, { 60, 60, 5 }, { 200, INT64_MAX, 6 },
    };
    struct tr_summary *s = tr_summary_new(2);
    need(s != NULL);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct tr_step step = { 0 };
        step.start = of[i].start;
        step.end = of[i].end;
        step.number = of[i].number;
        need(tr_summary_add_step(&s->sources[0], &step));
    }
    steps = tr_steps_new(s);
    need(steps != NULL);
    tr_summary_free(s); /* is not needed any more */
    in_step(0, INT64_MIN + 1, -1);
    in_step(0, -51, -1);
    in_step(0, -50, 1);
    in_step(0, -1, 1);
    in_step(0, 0, 2); /* half-open: the end belongs to the next */
    in_step(0, 20, 3);
    in_step(0, 25, 4); /* of several the one that started last */
    in_step(0, 30, 4);
    in_step(0, 60, 4); /* a step without length covers nothing */
    in_step(0, 90, 2); /* back in what started before */
    in_step(0, 100, -1);
    in_step(0, 200, 6);
    in_step(0, INT64_MAX - 1, 6);
    in_step(0, TR_TIME_NONE, -1);
    in_step(1, 0, -1); /* a source without steps, and one that is not there */
    in_step(2, 0, -1);
    tr_steps_free(steps);
    tr_steps_free(NULL);
}

/* A summary from a file may have steps in any order. */
static void test_steps_in_disorder(void)
{
    static const struct { int64_t start, end, number; } of[] = {
        { 100, 200, 1 }, { 0, 50, 2 }, { INT64_MAX - 5, INT64_MAX, 3 }, { INT64_MIN + 1, -7, 4 }, { 20, 30, 5 },
    };
    struct tr_summary *s = tr_summary_new(1);
    need(s != NULL);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        need(tr_summary_add_step(&s->sources[0], &(struct tr_step){ .start = of[i].start, .end = of[i].end,
                                                                    .number = of[i].number }));
    steps = tr_steps_new(s);
    need(steps != NULL);
    tr_summary_free(s);
    in_step(0, INT64_MIN + 1, 4);
    in_step(0, -7, -1);
    in_step(0, 0, 2);
    in_step(0, 25, 5);
    in_step(0, 40, 2);
    in_step(0, 60, -1);
    in_step(0, 150, 1);
    in_step(0, INT64_MAX - 1, 3);
    tr_steps_free(steps);
}

/* Steps of two processes, of which one has a second thread with steps, and a third without. */
static void test_steps_of_threads(void)
{
    static const struct { uint32_t track; int64_t start, end, number; } of[] = {
        { 0, 0, 100, 1 }, { 3, 10, 60, 1 }, { 1, 20, 50, 2 }, { 0, 100, 200, 3 },
    };
    static const int64_t pids[] = { 100, 100, 100, 200, 300 };
    struct tr_dict *d = tr_dict_new();
    struct tr_summary *s = tr_summary_new(1);
    need(d != NULL && s != NULL);
    for (size_t i = 0; i < sizeof pids / sizeof pids[0]; i++) {
        struct tr_track t = { .side = TR_SIDE_HOST, .pid_type = TR_T_INT, .tid_type = TR_T_INT, .pid = pids[i],
                              .tid = (int64_t)i };
        need(tr_dict_add_track(d, &t) == i);
    }
    struct tr_track work = { .side = TR_SIDE_DEVICE, .pid_type = TR_T_INT, .tid_type = TR_T_INT, .tid = 7 };
    need(tr_dict_add_track(d, &work) == 5);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        need(tr_summary_add_step(&s->sources[0], &(struct tr_step){ .track = of[i].track, .start = of[i].start,
                                                                    .end = of[i].end, .number = of[i].number }));
    steps = tr_steps_new(s);
    dict = d;
    need(steps != NULL);
    on_track(0, 0, 30, 1); /* its own steps */
    on_track(0, 1, 30, 2);
    on_track(0, 1, 70, -1);
    on_track(0, 2, 30, 2); /* those of its process: the one that started last */
    on_track(0, 2, 70, 1);
    on_track(0, 3, 30, 1);
    on_track(0, 3, 70, -1);
    on_track(0, 4, 30, -1); /* a process without steps, and two with steps */
    on_track(0, 5, 30, 2); /* a device belongs to no process */
    in_step(0, 150, 3);
    tr_steps_free(steps);
    tr_summary_free(s);
    tr_dict_free(d);
    dict = NULL;
}

static void test_host_time(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0), host = track(&t, src, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    usual(&t, false, true);
    uint32_t s = shape(&t, 'X');
    static const enum tr_activity act[] = { TR_ACT_CPU_OP, TR_ACT_KERNEL, TR_ACT_SYNC };
    for (size_t i = 0; i < 3; i++) {
        event(&t, s, host, "x", -7, 1);
        t.batch->activity[i] = (uint8_t)act[i];
    }
    CHECK(tr_event_host_time(t.batch, 0, TR_TIME_NONE) == -7);
    CHECK(tr_event_host_time(t.batch, 1, TR_TIME_NONE) == TR_TIME_NONE);
    CHECK(tr_event_host_time(t.batch, 2, TR_TIME_NONE) == TR_TIME_NONE);
    CHECK(tr_event_host_time(t.batch, 1, -9) == -9);
    build_end(&t);
}

static struct tr_launch_table *calls;

static void call(int64_t correlation, int64_t ts, int64_t dur, uint64_t record)
{
    struct tr_launch l = { .correlation = correlation, .ts = ts, .dur = dur, .record = record };
    struct tr_error err = TR_ERROR_INIT;
    need(tr_launch_add(calls, &l, &err) == TR_OK);
}

static void launched_by(int64_t correlation, int64_t ts, int64_t record)
{
    const struct tr_launch *l = tr_launch_find(calls, correlation, ts);
    if ((l ? (int64_t)l->record : -1) != record)
        printf("# %lld at %lld: %lld\n", (long long)correlation, (long long)ts, l ? (long long)l->record : -1);
    CHECK((l ? (int64_t)l->record : -1) == record);
}

static void test_launches(void)
{
    struct tr_error err = TR_ERROR_INIT;
    calls = tr_launch_new((size_t)1 << 20, NULL);
    need(calls != NULL);
    CHECK(tr_launch_n(calls) == 0);
    call(7, 100, 10, 1);
    call(8, 50, 20, 2); /* a runtime call ... */
    call(8, 55, 5, 3);  /* ... around a driver call, which owns the work */
    call(9, 300, 10, 5);
    call(9, -300, 10, 4); /* the same number at another time, in any order */
    call(INT64_MIN, 1, 1, 6);
    CHECK(tr_launch_finish(calls, &err) == TR_OK && tr_launch_n(calls) == 6);
    launched_by(7, 105, 1);
    launched_by(7, 90, 1); /* clocks differ by a little */
    launched_by(8, 60, 3);
    launched_by(9, -100, 4);
    launched_by(9, 299, 4);
    launched_by(9, 300, 5);
    launched_by(9, INT64_MAX, 5);
    launched_by(9, -400, 4); /* none before the work: the first */
    launched_by(INT64_MIN, 2, 6);
    launched_by(10, 0, -1);
    launched_by(0, 0, -1);
    CHECK(tr_launch_of_record(calls, 8, 55, 3) && tr_launch_of_record(calls, 8, 55, 3)->dur == 5);
    CHECK(!tr_launch_of_record(calls, 8, 50, 2)); /* it owns nothing */
    CHECK(!tr_launch_of_record(calls, 7, 100, 2));
    tr_launch_free(calls);
    tr_launch_free(NULL);
}

static void test_no_launches(void)
{
    struct tr_error err = TR_ERROR_INIT;
    calls = tr_launch_new(0, NULL);
    need(calls != NULL);
    CHECK(tr_launch_finish(calls, &err) == TR_OK && tr_launch_n(calls) == 0);
    launched_by(0, 0, -1);
    tr_launch_free(calls);
}

/* What is larger than its share of memory is in a file, also if it comes at once. */
static void test_paged(void)
{
    struct tr_paged p;
    struct tr_error err = TR_ERROR_INIT;
    const size_t n = (size_t)3 << 20;
    uint64_t sum = 0;
    tr_paged_init(&p, sizeof(uint64_t), (size_t)1 << 20, NULL);
    CHECK(tr_paged_add(&p, NULL, n, &err) == TR_OK && p.n == n && p.map);
    for (size_t i = 0; i < n; i += 1000)
        *(uint64_t *)tr_paged_at(&p, i) += i;
    tr_paged_trim(&p);
    for (size_t i = 0; i < n; i++)
        sum += *(const uint64_t *)tr_paged_walk(&p, i) - (i % 1000 ? 0 : i);
    CHECK(sum == 0);
    tr_paged_free(&p);
}

static enum tr_field_id field(const char *name, unsigned where)
{
    return tr_event_field_find(name, strlen(name), where);
}

static void test_fields(void)
{
    const unsigned both[] = { TR_FIELD_TO_FILTER, TR_FIELD_TO_LIST };
    for (unsigned i = 0; i < TR_FIELD_ARG; i++)
        for (size_t w = 0; w < 2; w++)
            CHECK((field(tr_event_fields[i].name, both[w]) == (enum tr_field_id)i) ==
                  ((tr_event_fields[i].where & both[w]) != 0));
    CHECK(field("dur", TR_FIELD_TO_LIST) == TR_FIELD_DUR && tr_event_fields[TR_FIELD_DUR].type == TR_FIELD_IS_TIME);
    CHECK(field("depth", TR_FIELD_TO_LIST) == TR_N_FIELDS && field("depth", TR_FIELD_TO_FILTER) == TR_FIELD_DEPTH);
    CHECK(field("lane", TR_FIELD_TO_FILTER) == TR_N_FIELDS && field("lane", TR_FIELD_TO_LIST) == TR_FIELD_LANE);
    CHECK(field("launch_name", TR_FIELD_TO_FILTER | TR_FIELD_TO_LIST) == TR_N_FIELDS); /* it is the api */
    CHECK(field("", TR_FIELD_TO_LIST) == TR_N_FIELDS && field("Dur", TR_FIELD_TO_LIST) == TR_N_FIELDS);
    CHECK(tr_event_field_find("durable", 3, TR_FIELD_TO_LIST) == TR_FIELD_DUR); /* as long as said */
    CHECK(tr_event_field_find("durable", 4, TR_FIELD_TO_LIST) == TR_N_FIELDS);
    CHECK(field("dur", 0) == TR_N_FIELDS);
}

static bool part_is(enum tr_field_id of, const char *name, const char *text)
{
    struct tr_name_part part;
    return tr_name_part(NULL, of, tr_str_of(name), &part) && !part.is_number && tr_str_is(part.text, text);
}

static void test_name_parts(void)
{
    static const char kernel[] = "Tile #3: g[SIMD16 {1; 9223372036854775807; 3} {4; 5; 6}]";
    struct tr_name_part part;
    CHECK(part_is(TR_FIELD_KERNEL, kernel, "g"));
    CHECK(part_is(TR_FIELD_GRID, kernel, "[1,9223372036854775807,3]"));
    CHECK(part_is(TR_FIELD_BLOCK, kernel, "[4,5,6]"));
    CHECK(part_is(TR_FIELD_GRID, "g[SIMD8 {9223372036854775807; 9223372036854775807; 9223372036854775807} {1; 1; 1}]",
                  "[9223372036854775807,9223372036854775807,9223372036854775807]"));
    CHECK(part_is(TR_FIELD_SIMD, "g[SIMD_ANY]", "any"));
    CHECK(tr_name_part(NULL, TR_FIELD_SIMD, tr_str_of(kernel), &part) && part.is_number && part.number == 16);
    CHECK(tr_name_part(NULL, TR_FIELD_TILE, tr_str_of(kernel), &part) && part.is_number && part.number == 3);
    CHECK(part_is(TR_FIELD_DIRECTION, "Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH"));
    CHECK(tr_name_part(NULL, TR_FIELD_BYTES, tr_str_of("zeCommandListAppendMemoryFill[7]"), &part) && part.number == 7);
    CHECK(!tr_name_part(NULL, TR_FIELD_GRID, tr_str_of("g[SIMD_ANY]"), &part));
    CHECK(!tr_name_part(NULL, TR_FIELD_TILE, tr_str_of("g"), &part));
    CHECK(!tr_name_part(NULL, TR_FIELD_BYTES, tr_str_of("Memcpy DtoH"), &part));
    CHECK(!tr_name_part(NULL, TR_FIELD_KERNEL, tr_str_of(NULL), &part));
    for (unsigned a = 0; a < 300; a++) {
        bool copy = a == TR_ACT_MEMCPY || a == TR_ACT_MEMSET;
        CHECK(tr_name_has_part(TR_FIELD_SIMD, a) == (a == TR_ACT_KERNEL));
        CHECK(tr_name_has_part(TR_FIELD_TILE, a) == (a == TR_ACT_KERNEL || copy));
        CHECK(tr_name_has_part(TR_FIELD_BYTES, a) == copy && !tr_name_has_part(TR_FIELD_NAME, a));
    }
}

static void test_classify(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_classify c = { 0 };
    struct build t;
    uint32_t rule[4];
    build_start(&t);
    uint32_t src = source(&t, 0), host = track(&t, src, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    usual(&t, false, true);
    uint32_t s = shape(&t, 'X');
    need(tr_rules_new(&c.rules, &err) == TR_OK);
    struct tr_rule gemm = { .target = TR_RULE_DEVICE, .condition = TR_RULE_CONTAINS, .text = "gemm", .label = "gemm" };
    struct tr_rule norm = { .target = TR_RULE_OPERATOR, .condition = TR_RULE_STARTS, .text = "aten::", .label = "aten" };
    const struct tr_rules_opts opts = { .order = TR_RULES_IN_ORDER };
    CHECK(tr_rules_start(c.rules, "test", &opts, &err) == TR_OK);
    CHECK(tr_rules_add(c.rules, &gemm, 4, &err) == TR_OK && tr_rules_add(c.rules, &norm, 6, &err) == TR_OK);
    CHECK(tr_rules_end(c.rules, &err) == TR_OK);
    CHECK(tr_classify_target(TR_ACT_KERNEL) == TR_RULE_DEVICE && tr_classify_target(TR_ACT_MEMSET) == TR_RULE_DEVICE);
    CHECK(tr_classify_target(TR_ACT_CPU_OP) == TR_RULE_OPERATOR);
    CHECK(tr_classify_target(TR_ACT_SYNC) == -1 && tr_classify_target(TR_ACT_RUNTIME_API) == -1);
    CHECK(tr_classify_batch(&c, t.batch, rule, &err) == TR_OK); /* no events */
    static const enum tr_activity act[] = { TR_ACT_KERNEL, TR_ACT_CPU_OP, TR_ACT_RUNTIME_API, TR_ACT_CPU_OP };
    for (size_t i = 0; i < 4; i++) {
        event(&t, s, host, i < 3 ? "aten::gemm" : "gemm", (int64_t)i, 1);
        t.batch->activity[i] = (uint8_t)act[i];
    }
    for (int again = 0; again < 2; again++) {
        CHECK(tr_classify_batch(&c, t.batch, rule, &err) == TR_OK);
        CHECK(rule[0] == 0 && rule[1] == 1 && rule[2] == TR_RULE_NONE && rule[3] == TR_RULE_NONE);
    }
    tr_classify_free(&c);
    tr_rules_free(c.rules);
    build_end(&t);
}

static const struct tap_test tests[] = {
    { "the step of a moment: half-open, the last that started", test_steps },
    { "the step of a moment: steps in disorder", test_steps_in_disorder },
    { "the step of a moment on a thread: its own, else that of its process", test_steps_of_threads },
    { "the host time of an event is its own, or that of its launch", test_host_time },
    { "the call that launched work: innermost, the last before it", test_launches },
    { "no calls, none found", test_no_launches },
    { "a large table is in a file", test_paged },
    { "each field is found by its name where it can be named, and nowhere else", test_fields },
    { "fields that stand in a name", test_name_parts },
    { "a name is judged by the rules of its activity", test_classify },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
