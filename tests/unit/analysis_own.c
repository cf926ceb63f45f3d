/* SPDX-License-Identifier: MIT */
/* An analysis by description: columns of groups, a service that two share, remarks; what is NULL is not called. */
#include "engine/tr_analysis.h"
#include "engine/tr_runner.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t a7;

static void one_rank(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0);
    a7 = track(&t, zero, 0, 7, 0, 7);
    sum = tr_summary_new(1);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

/* A service that two analyses share: it counts batches. */
static int n_started, n_fed;

static enum tr_status service_start(const struct tr_analysis_in *in, const void *options, void **state,
                                    struct tr_error *e)
{
    (void)in, (void)options, (void)e;
    n_started++;
    *state = &n_fed;
    return TR_OK;
}

static enum tr_status service_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *e)
{
    (void)b, (void)keep, (void)e;
    ++*(int *)state;
    return TR_OK;
}

static const struct tr_service batches = { .name = "batches", .start = service_start, .feed = service_feed };

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *e)
{
    (void)options;
    tr_analysis_remark(in, TR_REMARK_RESULT, "place", "%d of %s", 7, "them");
    return tr_service_get(in, &batches, NULL, (void **)state, e);
}

static enum tr_status finish(void *state, struct tr_table *table, struct tr_error *e)
{
    static const struct tr_group_key known = { 3, 1, 20, 5, 2 },
                                     none = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0, 0 };
    (void)e;
    tr_group_cells(table, TR_PER_STREAM, &known);
    tr_table_int(table, **(int **)state); /* the service saw each batch before */
    tr_group_cells(table, TR_PER_STREAM, &none);
    tr_table_int(table, 0);
    return TR_OK;
}

static const struct tr_table_column own[] = { { "batches", TR_CELL_INT, .meaning = "how many" } };
static const struct tr_analysis counting = { .name = "counting", .question = "How many batches?", .nothing = "none",
                                             .groups = TR_PER_ANY, .group = TR_PER_STREAM, .state_size = sizeof(int *),
                                             TR_OWN_COLUMNS(own), .start = start, .finish = finish };

static char last_remark[200];
static int n_reported;

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    CHECK(self == last_remark && how == TR_REMARK_RESULT);
    snprintf(last_remark, sizeof last_remark, "%s: %s", place, text);
    n_reported++;
}

static void test_description(void)
{
    struct tr_runner *r = tr_runner_new();
    struct tr_table *tables[2] = { tr_table_new(TR_UNIT_US), tr_table_new(TR_UNIT_US) };
    struct tr_buf text = { 0 };
    one_rank();
    need(r && tables[0] && tables[1]);
    kernel(&t, a7, "k", 0, 1);
    for (int i = 0; i < 2; i++)
        CHECK(tr_runner_add(r, &counting, NULL, -1, tables[i], &err) == TR_OK);
    const struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .sorted = true, .remark = remark,
                                       .remark_self = last_remark };
    CHECK(tr_runner_start(r, &in, &err) == TR_OK);
    CHECK(tr_runner_feed(r, t.batch, NULL, &err) == TR_OK && tr_runner_feed(r, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_runner_finish(r, &err) == TR_OK && n_started == 1 && n_reported == 2);
    CHECK_STR(last_remark, "place: 7 of them");
    CHECK(tr_table_write(tables[1], &tr_row_sink_tsv, &text, &err) == TR_OK && tr_buf_add(&text, "", 1));
    CHECK_STR((const char *)text.data, "rank\tdevice\tstream\tbatches\n3\t1\t20\t2\n\t\t\t0\n");
    const struct tr_analysis_in deaf = { .dict = t.dict };
    tr_analysis_remark(&deaf, TR_REMARK_WARN, "", "nobody listens");
    CHECK(n_reported == 2);
    tr_buf_free(&text);
    tr_runner_free(r);
    tr_table_free(tables[0]);
    tr_table_free(tables[1]);
    end();
}

static const struct tap_test tests[] = {
    { "an analysis by description: groups, a shared service, remarks", test_description },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
