/* SPDX-License-Identifier: MIT */
/* An extract: numbers, steps, clocks, tables and counts of what stays when only some events of a stream do. */
#include "harness/tap.h"
#include "model/selection/tr_extract.h"
#include "stream/tr_clock.h"
#include "unit/view_build.h"

/*
 * Three sources; the second one stays.  Its tracks are 2 to 4; the event is on 4, and 2 is the thread of its step.
 * Its times were moved twice, by 10 and then by 100 ns.
 */
enum { HOST = 2, OTHER = 3, DEVICE = 4 };

static uint32_t clock_row(struct build *t, uint32_t src, uint32_t before, int64_t offset)
{
    struct tr_clock c = { .source = src, .before = before, .offset = offset, .keeps_summary = true };
    static const uint64_t places[] = { 0, 2, 5 };
    uint32_t id;
    c.first_ts = 7;
    c.last_end = 9999;
    for (size_t i = 0; i < 3; i++)
        need(tr_clock_add_step_fix(&c, places[i]));
    need(tr_clock_add_fix(&c, 11, TR_FIX_TS));
    id = tr_dict_add_clock(t->dict, &c);
    need(id != UINT32_MAX);
    free(c.step_fixes);
    free(c.fixes);
    return id + 1;
}

static struct tr_summary *make(struct build *t)
{
    struct tr_summary *s = tr_summary_new(3);
    need(s != NULL);
    build_start(t);
    for (uint32_t k = 0; k < 3; k++)
        source(t, 5 + k);
    track(t, 0, 1, 1, TR_I64_NONE, TR_I64_NONE);
    track(t, 0, 1, 2, TR_I64_NONE, TR_I64_NONE);
    track(t, 1, 1, 1, TR_I64_NONE, TR_I64_NONE);
    track(t, 1, 1, 2, TR_I64_NONE, TR_I64_NONE);
    track(t, 1, 0, 7, 0, 7);
    track(t, 2, 1, 1, TR_I64_NONE, TR_I64_NONE);
    clock_row(t, 0, 0, 5);
    uint32_t first = clock_row(t, 1, 0, 10);
    t->dict->tracks[DEVICE].clock = clock_row(t, 1, first, 100);
    for (int64_t n = 0; n < 3; n++)
        need(tr_summary_add_step(&s->sources[1], &(struct tr_step){ .number = n, .start = 1000 * n, .end = 1000 * (n + 1),
                                                                       .track = HOST }));
    need(tr_summary_add_damage(&s->sources[1], &(struct tr_damage){ "bad_escape", "kept", false, 3, 40 }));
    s->sources[1].n_events = 50;
    s->sorted = true;
    /* the event: of the last step by its start, of the one in the middle by its launch */
    usual(t, false, true);
    event(t, shape(t, 'X'), DEVICE, "k", 2100, 300);
    t->batch->flags[0] = TR_HAS_LAUNCH;
    t->batch->activity[0] = TR_ACT_KERNEL;
    put(t, TR_COL_LAUNCH_TS, 1900);
    put(t, TR_COL_LAUNCH_DUR, 5);
    put(t, TR_COL_LAUNCH_RECORD, 1);
    put(t, TR_COL_LAUNCH_TRACK, HOST);
    put(t, TR_COL_LAUNCH_NAME, str(t, "launch"));
    t->batch->n_cols = t->dict->n_columns;
    return s;
}

static void test_summary(const struct tr_extract *x)
{
    const struct tr_summary *s = tr_extract_summary(x);
    CHECK(s->n == 1 && s->sorted && !s->filtered);
    const struct tr_source_summary *one = &s->sources[0];
    CHECK(one->n_events == 1 && one->n_activity[TR_ACT_KERNEL] == 1 && one->n_phase[TR_SPAN] == 1);
    CHECK(one->first_ts == 2100 && one->last_end == 2400);
    CHECK(one->n_device_linked == 1 && one->lag_min == 200 && one->lag_max == 200);
    CHECK(one->n_damage == 1 && one->damage[0].count == 3);
    CHECK(one->n_steps == 1 && one->steps[0].number == 1 && one->steps[0].start == 1000 && one->steps[0].track == 0);
}

static void test_clocks(const struct tr_extract *x)
{
    size_t n;
    const struct tr_clock *c = tr_extract_clocks(x, &n);
    CHECK(n == 2);
    CHECK(c[0].source == 0 && c[0].before == 0 && c[1].source == 0 && c[1].before == 1);
    CHECK(c[0].n_fixes == 1 && c[0].fixes[0].record == 11 && c[0].fixes[0].bits == TR_FIX_TS);
    CHECK(c[0].n_step_fixes == 1 && c[0].step_fixes[0] == 0); /* of the start of step 1, which is step 0 now */
    CHECK(c[1].first_ts == 2200 && c[1].last_end == 2500);    /* what the span was before each clock */
    CHECK(c[0].first_ts == 2210 && c[0].last_end == 2510);
}

static void test_tables(const struct tr_extract *x)
{
    struct tr_side_table *t = tr_side_table_new("samples", 1), *gone = tr_side_table_new("other", 0), *got;
    need(t && gone && tr_side_table_column(t, "at", TR_SIDE_TIME) && tr_side_table_column(t, "of", TR_SIDE_RECORD) &&
         tr_side_table_column(t, "track", TR_SIDE_TRACK) && tr_side_table_column(t, "n", TR_T_INT));
    const struct tr_side_value rows[][4] = {
        { { true, 50, DEVICE, NULL, 0 },
          { true, 3, 1, NULL, 0 },
          { true, HOST, 0, NULL, 0 },
          { .present = true, .v = 8 } },
        { { true, 50, OTHER, NULL, 0 },
          { true, 3, 1, NULL, 0 },
          { true, HOST, 0, NULL, 0 },
          { .present = true, .v = 8 } },
        { { true, 50, DEVICE, NULL, 0 },
          { true, 3, 0, NULL, 0 },
          { true, HOST, 0, NULL, 0 },
          { .present = true, .v = 8 } },
        { { .present = false }, { .present = false }, { true, OTHER, 0, NULL, 0 }, { .present = true, .v = 8 } },
        { { .present = false }, { .present = false }, { .present = false }, { .present = true, .v = 9 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        need(tr_side_table_add(t, rows[i]));
    CHECK(tr_extract_table(x, gone, &got, NULL) == TR_OK && !got);
    CHECK(tr_extract_table(x, t, &got, NULL) == TR_OK && got != NULL);
    if (got) {
        struct tr_side_value v[4];
        size_t at = 0;
        CHECK(got->source == 0 && got->n_rows == 2);
        CHECK(tr_side_table_row(got, &at, v) && v[0].v == 50 && v[0].of == 1 && v[1].of == 0 && v[2].v == 0 &&
              v[3].v == 8);
        CHECK(tr_side_table_row(got, &at, v) && !v[0].present && v[3].v == 9);
    }
    tr_side_table_free(got);
    tr_side_table_free(gone);
    tr_side_table_free(t);
}

static void test_one_event(void)
{
    struct build t;
    struct tr_extract *x;
    struct tr_summary *s = make(&t);
    need(tr_extract_new(&x, t.dict, s, NULL) == TR_OK);
    CHECK(tr_extract_add(x, t.batch, NULL) == TR_OK && tr_extract_end(x, NULL) == TR_OK);
    CHECK(tr_extract_source(x, 0) == TR_EXTRACT_GONE && tr_extract_source(x, 1) == 0 &&
          tr_extract_source(x, 2) == TR_EXTRACT_GONE && tr_extract_source(x, 3) == TR_EXTRACT_GONE);
    CHECK(tr_extract_track(x, 0) == TR_EXTRACT_GONE && tr_extract_track(x, HOST) == 0 &&
          tr_extract_track(x, OTHER) == TR_EXTRACT_GONE && tr_extract_track(x, DEVICE) == 1);
    struct tr_track moved = t.dict->tracks[DEVICE];
    tr_extract_renumber(x, &moved);
    CHECK(moved.source == 0 && moved.clock == 2);
    test_summary(x);
    test_clocks(x);
    test_tables(x);
    tr_extract_free(x);
    tr_summary_free(s);
    build_end(&t);
}

static void test_nothing(void)
{
    struct build t;
    struct tr_extract *x;
    struct tr_summary *s = make(&t);
    size_t n;
    need(tr_extract_new(&x, t.dict, s, NULL) == TR_OK);
    CHECK(tr_extract_end(x, NULL) == TR_OK && tr_extract_summary(x)->n == 0);
    CHECK(tr_extract_source(x, 1) == TR_EXTRACT_GONE && tr_extract_track(x, DEVICE) == TR_EXTRACT_GONE);
    tr_extract_clocks(x, &n);
    CHECK(n == 0);
    tr_extract_free(x);
    tr_extract_free(NULL);
    tr_summary_free(s);
    build_end(&t);
}

/* The summary of an unsorted stream is complete at its end only. */
static void test_unsorted(void)
{
    struct build t;
    struct tr_extract *x;
    struct tr_summary *s = make(&t), *late = tr_summary_new(0);
    need(late && tr_extract_new(&x, t.dict, late, NULL) == TR_OK);
    CHECK(tr_extract_add(x, t.batch, NULL) == TR_OK);
    need(tr_summary_assign(late, s));
    CHECK(tr_extract_end(x, NULL) == TR_OK);
    const struct tr_source_summary *one = &tr_extract_summary(x)->sources[0];
    CHECK(one->n_events == 1 && one->n_steps == 0 && one->n_damage == 1);
    tr_extract_free(x);
    tr_summary_free(late);
    tr_summary_free(s);
    build_end(&t);
}

static const struct tap_test tests[] = {
    { "one event: its source, its tracks, its step, its clocks, its tables", test_one_event },
    { "no event: nothing", test_nothing },
    { "a summary that comes after the events: no step stays", test_unsorted },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
