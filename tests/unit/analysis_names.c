/* SPDX-License-Identifier: MIT */
/* Work by name, sequences of work by call, and both as partial results. */
#include "analysis/calls/tr_sequences.h"
#include "analysis/sums/tr_name_stats.h"
#include "engine/tr_partial.h"
#include "engine/tr_rows.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, a7, a9, b7; /* of rank 0: a thread and two streams; a stream of rank 1 */

static void two_ranks(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0), one = source(&t, 1);
    host = track(&t, zero, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    a7 = track(&t, zero, 0, 7, 0, 7);
    a9 = track(&t, zero, 0, 9, 0, 9);
    b7 = track(&t, one, 0, 7, 0, 7);
    sum = tr_summary_new(2);
    need(sum != NULL);
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

/* ---- names ---- */

static struct tr_name_stats *names;
static struct tr_name_sum *rows;

static enum tr_status start_names(const struct tr_name_stats_opts *opts, const struct tr_dict *dict, bool sorted)
{
    const struct tr_analysis_in in = { .dict = dict, .summary = sum, .sorted = sorted };
    return tr_name_stats_new(opts, &in, &names, &err);
}

static void end_names(void)
{
    tr_name_stats_free(names);
    free(rows);
    names = NULL;
    rows = NULL;
}

static size_t by_name(const struct tr_name_stats_opts *opts, const uint8_t *keep)
{
    size_t n = 99;
    CHECK(start_names(opts, t.dict, true) == TR_OK);
    CHECK(tr_name_stats_feed(names, t.batch, keep, &err) == TR_OK);
    CHECK(tr_name_sums(names, &rows, &n, &err) == TR_OK);
    return n;
}

static void is_row(size_t i, int64_t rank, const char *name, uint64_t n, int64_t total)
{
    const struct tr_name_sum *r = &rows[i];
    if (r->key.rank != rank || r->count != n || r->sum != total)
        printf("# row %zu: %lld %s\n", i, (long long)r->sum, r->name.s);
    CHECK(r->key.rank == rank && r->count == n && r->sum == total && tr_str_is(r->name, name));
}

static struct tr_str text_of(const void *dict, uint32_t number)
{
    return tr_dict_text_if(dict, number);
}

/* The rows as a table. */
static void is_table(const struct tr_rows_cut *cut, const char *want)
{
    struct tr_table *table = tr_table_new(TR_UNIT_NS);
    struct tr_buf out = { 0 };
    need(table != NULL);
    tr_group_columns(table, TR_PER_RANK);
    tr_table_columns(table, tr_name_stats_columns, TR_N_NAME_STATS);
    tr_table_strings(table, text_of, t.dict);
    CHECK(tr_rows_finish(tr_name_stats_rows(names), table, cut, &err) == TR_OK);
    CHECK(tr_table_write(table, &tr_row_sink_tsv, &out, &err) == TR_OK && tr_buf_add(&out, "", 1));
    const char *body = strchr((const char *)out.data, '\n') + 1; /* below the header */
    if (strcmp(body, want) != 0)
        printf("# %s\n", body);
    CHECK(strcmp(body, want) == 0);
    tr_buf_free(&out);
    tr_table_free(table);
}

static void some_names(void)
{
    two_ranks();
    kernel(&t, b7, "gemm", -5, 3);
    kernel(&t, a7, "add", 0, 10);
    kernel(&t, a7, "gemm", 10, 40);
    kernel(&t, a9, "tanh", 20, 50);
    kernel(&t, a7, "gemm", 30, 10);
    kernel(&t, a7, "no duration", 50, TR_TIME_NONE);
    span(&t, a7, TR_ACT_MEMCPY, "add", 60, 0);
    t.batch->kind[6] = TR_KIND_MEMORY;
    kernel(&t, a7, "left out", 70, 5);
}

static const uint8_t but_last[] = { 1, 1, 1, 1, 1, 1, 1, 0 };

static void test_names(void)
{
    struct tr_name_stats_opts opts = { .sums_only = false };
    some_names();
    CHECK(by_name(&opts, but_last) == 4);
    is_row(0, 0, "gemm", 2, 50); /* a tie: by name */
    is_row(1, 0, "tanh", 1, 50);
    is_row(2, 0, "add", 2, 10);
    is_row(3, 1, "gemm", 1, 3);
    CHECK(rows[0].whole == 110 && rows[3].whole == 3 && rows[2].first < rows[0].first && rows[0].kind == TR_KIND_NONE);
    is_table(NULL, "0\t\tgemm\t2\t50\t45.45\t45.45\t25\t21\t10\t25\t40\t40\t1\t0\n"
                   "0\t\ttanh\t1\t50\t45.45\t45.45\t50\t\t50\t50\t50\t50\t1\t0\n"
                   "0\t\tadd\t2\t10\t9.09\t9.09\t5\t7\t0\t5\t10\t10\t1\t0\n"
                   "1\t\tgemm\t1\t3\t100.00\t100.00\t3\t\t3\t3\t3\t3\t1\t0\n");
    end_names();
    opts.by_kind = true;
    CHECK(by_name(&opts, but_last) == 5);
    is_row(2, 0, "add", 1, 10);
    is_row(3, 0, "add", 1, 0);
    CHECK(rows[2].kind == TR_KIND_NONE && rows[3].kind == TR_KIND_MEMORY && rows[2].whole == 110);
    end_names();
    tr_batch_clear(t.batch);
    CHECK(by_name(&opts, NULL) == 0);
    end_names();
    tr_name_stats_free(NULL);
    CHECK(start_names(&opts, t.dict, false) == TR_DAMAGED);
    end();
}

static void test_limits(void)
{
    struct tr_name_stats_opts opts = { .sums_only = false };
    const struct tr_rows_cut one = { .top = 1 }, ratio = { .ratio = 0.9 }, kinds = { .top = 1, .within = "kind" };
    some_names();
    CHECK(by_name(&opts, but_last) == 4);
    /* of single durations, not of sums of names; a limit of each group */
    is_table(&one, "0\t\tgemm\t2\t50\t45.45\t45.45\t25\t21\t10\t25\t40\t40\t1\t0\n"
                   "0\t\tothers\t3\t60\t54.55\t54.55\t20\t26\t0\t10\t49\t50\t2\t0\n"
                   "1\t\tgemm\t1\t3\t100.00\t100.00\t3\t\t3\t3\t3\t3\t1\t0\n");
    end_names();
    opts.sums_only = true;
    CHECK(by_name(&opts, but_last) == 4);
    is_table(&ratio, "0\t\tgemm\t2\t50\t45.45\t45.45\t25\t21\t10\t\t\t40\t1\t0\n" /* with tanh: 100 of 110 */
                     "0\t\ttanh\t1\t50\t45.45\t45.45\t50\t\t50\t\t\t50\t1\t0\n"
                     "0\t\tothers\t2\t10\t9.09\t9.09\t5\t7\t0\t\t\t10\t1\t0\n"
                     "1\t\tgemm\t1\t3\t100.00\t100.00\t3\t\t3\t\t\t3\t1\t0\n");
    end_names();
    opts.by_kind = true;
    CHECK(by_name(&opts, but_last) == 5);
    is_table(&kinds, "0\t\tgemm\t2\t50\t45.45\t45.45\t25\t21\t10\t\t\t40\t1\t0\n"
                     "0\tmemory\tadd\t1\t0\t0.00\t\t0\t\t0\t\t\t0\t1\t0\n"
                     "0\t\tothers\t2\t60\t54.55\t54.55\t30\t28\t10\t\t\t50\t2\t0\n"
                     "1\t\tgemm\t1\t3\t100.00\t100.00\t3\t\t3\t\t\t3\t1\t0\n");
    end_names();
    tr_batch_clear(t.batch);
    kernel(&t, a7, "a", INT64_MIN + 1, INT64_MAX);
    kernel(&t, a7, "b", 0, INT64_MAX);
    CHECK(by_name(&opts, NULL) == 2); /* two sums that fit, and one that does not */
    is_row(0, 0, "a", 1, INT64_MAX);
    CHECK(rows[0].whole == TR_TIME_NONE && rows[1].whole == TR_TIME_NONE);
    end_names();
    end();
}

static void test_cover(void)
{
    const struct tr_name_stats_opts cover = { .by_cover = true }, label = { .by_class = true };
    two_ranks();
    span(&t, a7, TR_ACT_DEVICE_ANNOTATION, "layer", 0, 100);
    span(&t, a7, TR_ACT_DEVICE_ANNOTATION, "first", 10, 20);
    span(&t, a7, TR_ACT_DEVICE_ANNOTATION, "second", 10, 20); /* of equal ones the last */
    kernel(&t, a7, "a", 10, 1);
    kernel(&t, a7, "b", 29, 2);
    kernel(&t, a7, "c", 30, 4); /* half-open */
    kernel(&t, a9, "d", 50, 8); /* not on that stream */
    kernel(&t, a7, "e", 100, 16);
    const uint8_t keep[] = { 0, 0, 0, 1, 1, 1, 1, 1 }; /* annotations cover all the same */
    CHECK(by_name(&cover, keep) == 3);
    is_row(0, 0, "", 2, 24);
    is_row(1, 0, "layer", 1, 4);
    is_row(2, 0, "second", 2, 3);
    end_names();
    tr_batch_clear(t.batch);
    t.batch->flags[kernel(&t, a7, "a", 0, 1)] |= TR_HAS_CLASS;
    put(&t, TR_COL_CLASS, str(&t, "gemm"));
    t.batch->flags[kernel(&t, a7, "b", 5, 2)] |= TR_HAS_CLASS;
    put(&t, TR_COL_CLASS, str(&t, "gemm"));
    kernel(&t, a7, "c", 9, 2);
    CHECK(by_name(&label, NULL) == 2);
    is_row(0, 0, "gemm", 2, 3);
    is_row(1, 0, "", 1, 2);
    end_names();
    end();
}

/* ---- sequences ---- */

static struct tr_sequences *seqs;
static struct tr_sequences_row calls[4]; /* the first rows in their order */
static uint32_t *order;

static size_t by_sequence(const struct tr_sequences_opts *opts)
{
    const struct tr_analysis_in in = { .dict = t.dict, .summary = sum, .sorted = true };
    CHECK(tr_sequences_new(opts, &in, &seqs, &err) == TR_OK);
    CHECK(tr_sequences_feed(seqs, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_sequences_complete(seqs, &err) == TR_OK);
    free(order);
    order = tr_rows_order(tr_sequences_rows(seqs));
    size_t n = tr_rows_count(tr_sequences_rows(seqs));
    for (size_t i = 0; i < n && i < 4; i++)
        calls[i] = *(const struct tr_sequences_row *)tr_rows_get(tr_sequences_rows(seqs), order[i]);
    return n;
}

static bool is_called(const struct tr_sequences_row *r, const char *name)
{
    return tr_str_is(tr_dict_text(t.dict, r->name), name);
}

static void launch(int64_t ts, int64_t n)
{
    span(&t, host, TR_ACT_RUNTIME_API, "launch", ts, 1);
    owns(&t, n);
}

static void work(uint32_t trk, const char *name, int64_t ts, int64_t dur, uint64_t record, int64_t launch_ts)
{
    kernel(&t, trk, name, ts, dur);
    launched(&t, "launch", launch_ts, 1, record, host);
}

/* Records 0 to 12: a step with two operators alike and one without work; work arrives in another order. */
static void a_step(void)
{
    two_ranks();
    span(&t, host, TR_ACT_ANNOTATION, "step", -10, 200); /* 0 */
    span(&t, host, TR_ACT_CPU_OP, "mm", 0, 20);          /* 1 */
    launch(5, 1);                                        /* 2 */
    launch(6, 1);                                        /* 3 */
    span(&t, host, TR_ACT_CPU_OP, "idle", 30, 5);        /* 4 */
    span(&t, host, TR_ACT_CPU_OP, "mm", 40, 10);         /* 5 */
    launch(43, 2);                                       /* 6 */
    work(a9, "y", 50, 4, 3, 6);                          /* 7 */
    work(a7, "x", 60, 3, 2, 5);                          /* 8 */
    work(a7, "x", 70, 2, 6, 43);                         /* 9 */
    work(a9, "y", 71, 2, 6, 43);                         /* 10 */
    kernel(&t, a7, "unlaunched", 80, 1);                 /* 11 */
    work(b7, "stray", 90, 1, 77, 80);                    /* 12 */
}

static bool works(const struct tr_sequences_row *r, const char *first, const char *second)
{
    uint32_t of[2];
    if (r->n_work != 2)
        return false;
    tr_sequences_names(seqs, r, of);
    return of[0] == str(&t, first) && of[1] == str(&t, second);
}

static void test_sequences(void)
{
    struct tr_sequences_opts opts = { .callers = TR_ACTIVITY_BIT(TR_ACT_CPU_OP), .occurrences = true };
    uint64_t n_work, unowned;
    size_t n = 99;
    a_step();
    CHECK(by_sequence(&opts) == 1);
    const struct tr_sequences_row *r = &calls[0];
    CHECK(is_called(r, "mm") && r->count == 2 && works(r, "x", "y"));
    CHECK(tr_rows_group(tr_sequences_rows(seqs), r)->rank == 0);
    CHECK(r->to_launch.min == 3 && r->to_launch.max == 5); /* 43 - 40, 5 - 0 */
    CHECK(r->launch_to_start.min == 27 && r->launch_to_start.max == 55); /* 70 - 43, 60 - 5 */
    CHECK(tr_stats_sum(&r->work_dur) == 11 && tr_stats_sum(&r->call_dur) == 30);
    const struct tr_occurrence *o = tr_sequences_occurrences(seqs, order, &n);
    CHECK(n == 2 && o[0].record == 1 && o[1].record == 5 && o[1].ts == 40 && o[1].dur == 10 && o[1].row == 0);
    tr_sequences_coverage(seqs, &n_work, &unowned);
    CHECK(n_work == 6 && unowned == 2);
    tr_sequences_free(seqs);
    opts.by_start = true; /* the first call's work ran in another order than it was launched */
    CHECK(by_sequence(&opts) == 2 && works(&calls[0], "x", "y") && works(&calls[1], "y", "x"));
    tr_sequences_free(seqs);
    opts = (struct tr_sequences_opts){ .callers = opts.callers, .min_length = 3 };
    CHECK(by_sequence(&opts) == 0);
    tr_sequences_free(seqs);
    opts = (struct tr_sequences_opts){ .outermost = true };
    CHECK(by_sequence(&opts) == 1 && is_called(&calls[0], "step") && calls[0].n_work == 4);
    tr_sequences_free(seqs);
    opts.outermost = false; /* any host span: the launches themselves */
    CHECK(by_sequence(&opts) == 3 && is_called(&calls[0], "launch"));
    tr_sequences_free(seqs);
    end();
}

static bool is_mm(void *self, struct tr_str name)
{
    ++*(int *)self;
    return tr_str_is(name, "mm");
}

static void test_sequence_edges(void)
{
    int asked = 0;
    struct tr_sequences_opts opts = { .match = is_mm, .match_self = &asked };
    a_step();
    CHECK(by_sequence(&opts) == 1 && calls[0].count == 2 && asked > 0);
    tr_sequences_free(seqs);
    tr_batch_clear(t.batch);
    work(a7, "early", 5, 1, 2, 10); /* before its launch: clocks differ */
    span(&t, host, TR_ACT_CPU_OP, "mm", 8, TR_TIME_NONE);
    t.batch->flags[1] |= TR_OPEN; /* it never ends */
    launch(10, 1);
    CHECK(by_sequence(&opts) == 1 && calls[0].count == 1);
    CHECK(calls[0].launch_to_start.max == -5 && calls[0].to_launch.max == 2 && calls[0].call_dur.max == 0);
    tr_sequences_free(seqs);
    tr_batch_clear(t.batch);
    CHECK(by_sequence(&opts) == 0);
    tr_sequences_free(seqs);
    tr_sequences_free(NULL);
    const struct tr_analysis_in unsorted = { .dict = t.dict, .summary = sum };
    CHECK(tr_sequences_new(&opts, &unsorted, &seqs, &err) == TR_DAMAGED);
    free(order);
    end();
}

/* ---- partial results ---- */

static const struct tr_saved_table saved = { .rows = &tr_name_stats_type };
static const struct tr_saving saving = { .version = 1, .tables = &saved, .n_tables = 1 };
static const struct tr_partial_head head = { .name = "test", .saving = &saving, .per = TR_PER_RANK };

static void save_names(const struct tr_partial_head *h, int64_t rank, struct tr_side_tables *tables)
{
    const struct tr_name_stats_opts opts = { .sums_only = false };
    struct tr_partial_out *out = tr_partial_out_new(h);
    need(out != NULL);
    CHECK(start_names(&opts, t.dict, true) == TR_OK);
    CHECK(tr_name_stats_feed(names, t.batch, but_last, &err) == TR_OK);
    tr_partial_put_source(out, &(struct tr_partial_source){ .rank = rank, .window_base = -7, .capture = 2,
                                                            .host = tr_str_of("h"), .events = 5 });
    CHECK(tr_rows_save(tr_name_stats_rows(names), out, 0, &err) == TR_OK);
    CHECK(tr_partial_out_end(out, tables, &err) == TR_OK);
    tr_partial_out_free(out);
    end_names();
}

static void test_partial(void)
{
    const struct tr_name_stats_opts opts = { .sums_only = false };
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct tr_partial_in *in = NULL;
    struct tr_dict *dict = tr_dict_new();
    struct tr_partial_source source;
    size_t n = 99, partial = 99;
    some_names();
    need(dict != NULL);
    save_names(&head, 3, &tables);
    CHECK(tr_partial_in_new(&head, &tables, dict, &in, &err) == TR_OK && tr_partial_dict(in) == dict);
    CHECK(tr_partial_get_source(in, &source, &partial) && source.rank == 3 && source.window_base == -7 && !partial);
    CHECK(source.capture == 2 && tr_str_is(source.host, "h") && source.events == 5 && !source.job.s);
    CHECK(!tr_partial_get_source(in, &source, &partial));
    CHECK(start_names(&opts, dict, true) == TR_OK);
    CHECK(tr_rows_load(tr_name_stats_rows(names), in, 0, &err) == TR_OK && tr_partial_in_end(in, &err) == TR_OK);
    CHECK(tr_partial_status(in, &err) == TR_OK);
    tr_partial_in_free(in);
    CHECK(tr_partial_in_new(&head, &tables, dict, &in, &err) == TR_OK); /* again: everything twice */
    CHECK(tr_partial_get_source(in, &source, &partial) && !tr_partial_get_source(in, &source, &partial));
    CHECK(tr_rows_load(tr_name_stats_rows(names), in, 0, &err) == TR_OK && tr_partial_in_end(in, &err) == TR_OK);
    tr_partial_in_free(in);
    CHECK(tr_name_sums(names, &rows, &n, &err) == TR_OK && n == 4);
    is_row(0, 0, "gemm", 4, 100);
    is_row(2, 0, "add", 4, 20);
    is_row(3, 1, "gemm", 2, 6);
    end_names();
    tr_side_tables_free(&tables);
    tr_dict_free(dict);
    end();
}

static void refused(struct tr_partial_head other, const struct tr_side_tables *tables)
{
    struct tr_partial_in *in = NULL;
    CHECK(tr_partial_in_new(&other, tables, t.dict, &in, &err) == TR_DAMAGED);
    tr_partial_in_free(in);
}

static void test_refused(void)
{
    const struct tr_saving newer = { .version = 2, .tables = &saved, .n_tables = 1 };
    struct tr_side_tables tables = { NULL, 0, 0 }, nothing = { NULL, 0, 0 };
    struct tr_partial_head other = head;
    struct tr_partial_in *in = NULL;
    some_names();
    save_names(&head, -1, &tables);
    refused(head, &nothing);
    other.per = TR_PER_ALL;
    refused(other, &tables);
    other = head;
    other.suspect = true;
    refused(other, &tables);
    other = head;
    other.distinct = 5;
    refused(other, &tables);
    other = head;
    other.options = tr_str_of("x=1");
    refused(other, &tables);
    other = head;
    other.selection = tr_str_of("rank 1");
    refused(other, &tables);
    other = head;
    other.saving = &newer;
    refused(other, &tables);
    other = head;
    other.name = "foreign";
    refused(other, &tables);
    CHECK(tr_partial_in_new(&head, &tables, t.dict, &in, &err) == TR_OK);
    uint64_t count = INT64_MAX - 1; /* 63 bits */
    CHECK(tr_partial_add_count(in, &count, 1) && count == INT64_MAX);
    CHECK(!tr_partial_add_count(in, &count, 1) && tr_partial_status(in, &err) == TR_DAMAGED);
    tr_partial_in_free(in);
    CHECK(tr_partial_in_new(&head, &tables, t.dict, &in, &err) == TR_OK);
    tr_partial_wrong(in, "more than all");
    CHECK(tr_partial_status(in, &err) == TR_DAMAGED && strstr(err.what, "more than all"));
    tr_partial_in_free(in);
    tr_side_tables_free(&tables);
    end();
}

static void test_lists(void)
{
    struct tr_buf list = { 0 };
    struct tr_str text;
    CHECK(tr_partial_list_add(&list, tr_str_of("a:b")) && tr_partial_list_add(&list, tr_str_of(NULL)) &&
          tr_partial_list_add(&list, tr_str_of("")));
    struct tr_str left = { (const char *)list.data, list.len };
    CHECK(tr_partial_list_take(&left, &text) && tr_str_is(text, "a:b"));
    CHECK(tr_partial_list_take(&left, &text) && text.s == NULL);
    CHECK(tr_partial_list_take(&left, &text) && text.s && text.len == 0);
    CHECK(!tr_partial_list_take(&left, &text) && left.len == 0);
    static const char *const malformed[] = { "4:abc", ":a", "x", "99999999999999999999:a", "-x", "2" };
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        left = tr_str_of(malformed[i]);
        bool taken = tr_partial_list_take(&left, &text) && (text.s || tr_partial_list_take(&left, &text));
        CHECK(!taken && left.len > 0);
    }
    tr_buf_free(&list);
}

static const struct tap_test tests[] = {
    { "durations by name and kind, the largest sum first", test_names },
    { "limits, what is beyond them, and sums that do not fit", test_limits },
    { "annotations and classes stand for names", test_cover },
    { "sequences of work by call, in the order of launches or starts", test_sequences },
    { "work before its launch, calls without an end, no events", test_sequence_edges },
    { "what is saved and loaded twice counts twice", test_partial },
    { "what was asked otherwise is not loaded", test_refused },
    { "lists of texts", test_lists },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
