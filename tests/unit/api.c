/* SPDX-License-Identifier: MIT */
/* The public interface, by its header alone: events made here, chosen, read, analysed, written and read again. */
#include "api_made.h"

#include <math.h>

static void test_columns(void)
{
    struct made m;
    struct tr_trace *t = make(&m, NULL);
    const struct tr_batch *b;
    struct tr_error *err = tr_error_new();
    struct tr_track_info track = { .size = sizeof track };
    int64_t grid[8], launch[8];
    double share[8];
    uint32_t kind[8];
    CHECK(tr_trace_sorted(t) && tr_trace_next(t, &b, err) == TR_OK && tr_batch_count(b) == 6);
    CHECK(tr_batch_ts(b)[2] == 1200 && tr_batch_dur(b)[2] == 50 && tr_batch_record(b)[2] == 5);
    CHECK(tr_batch_phase(b)[2] == TR_SPAN && tr_batch_activity(b)[2] == TR_ACT_KERNEL);
    CHECK(tr_batch_kind(b)[2] == TR_KIND_COMPUTE && tr_batch_suspect(b)[2] == TR_SUSPECT_NO);
    CHECK_STR(tr_dict_string(tr_batch_dict(b), tr_batch_name(b)[2], NULL), "first");
    CHECK(!tr_dict_string(tr_trace_dict(t), TR_NO_STR, NULL));
    CHECK(tr_batch_int(b, "args.grid", grid, err) == TR_OK && grid[2] == 64 && grid[5] == 128);
    CHECK(grid[0] == TR_TIME_NONE);
    CHECK(tr_batch_int(b, "launch_ts", launch, err) == TR_OK && launch[2] == 1100 && launch[1] == TR_TIME_NONE);
    CHECK(tr_batch_real(b, "args.share", share, err) == TR_OK && share[2] == 0.5 && isnan(share[0]));
    CHECK(tr_batch_real(b, "args.grid", share, err) == TR_OK && share[5] == 128);
    CHECK(tr_batch_text(b, "args.kind", kind, err) == TR_OK && kind[0] == TR_NO_STR);
    CHECK_STR(tr_dict_string(tr_batch_dict(b), kind[5], NULL), "tile");
    CHECK(tr_batch_int(b, "args.none", grid, err) == TR_OK && grid[2] == TR_TIME_NONE);
    CHECK(tr_batch_int(b, "ts", grid, err) == TR_USAGE);
    tr_error_clear(err);
    CHECK(tr_dict_track(tr_batch_dict(b), tr_batch_track(b)[2], &track) && track.side == TR_SIDE_DEVICE);
    CHECK(track.rank == 4 && track.device == 2 && track.stream == 5 && track.context == 1 && track.pid == 7);
    CHECK(track.tid == 5);
    CHECK(tr_dict_track(tr_batch_dict(b), tr_batch_track(b)[1], &track) && track.device == TR_TIME_NONE);
    CHECK_STR(track.thread ? track.thread : "none", "main");
    CHECK(!tr_dict_track(tr_trace_dict(t), (uint32_t)tr_dict_track_count(tr_trace_dict(t)), &track));
    CHECK(tr_trace_next(t, &b, err) == TR_END);
    tr_trace_close(t);
    CHECK(m.closed);
    tr_error_free(err);
}

static void count_warnings(void *ctx, const char *input, const char *place, const char *what)
{
    CHECK_STR(input, "made here");
    CHECK_STR(place, "byte 12");
    CHECK_STR(what, "something odd, kept as it is");
    ++*(int *)ctx;
}

static void test_sources(void)
{
    struct made m;
    int n = 0;
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    options.warn = count_warnings;
    options.ctx = &n;
    struct tr_trace *t = make(&m, &options);
    struct tr_source_info source = { .size = sizeof source };
    struct tr_step_info step = { .size = sizeof step };
    CHECK(n == 1);
    CHECK(tr_trace_source(t, 0, &source) && source.rank == 4 && source.n_events == 6 && source.n_steps == 2);
    CHECK_STR(source.host, "node");
    CHECK_STR(source.format, "made");
    CHECK(source.first_ns == 1000 && source.last_ns == 2900 && source.n_repaired == 1 && source.n_lost == 0);
    CHECK(!tr_trace_source(t, 1, &source) && !tr_trace_step(t, 0, 2, &step) && !tr_trace_step(t, 1, 0, &step));
    CHECK(tr_trace_step(t, 0, 1, &step) && step.number == 2 && step.start == 2000);
    /* a program that knows less of the struct gets less of it */
    struct tr_source_info early = { .size = offsetof(struct tr_source_info, name), .name = "untouched" };
    CHECK(tr_trace_source(t, 0, &early) && early.rank == 4);
    CHECK_STR(early.name, "untouched");
    tr_trace_close(t);
}

static void test_selection(void)
{
    static const struct {
        const char *key, *value, *left;
    } cases[] = {
        { "where", "activity == kernel", "5 8" },
        { "step", "2", "6 7 8" },
        { "rank", "0..3", "" },
        { "rank", "4", "3 4 5 6 7 8" },
        { "drop-last-step", "1", "3 4 5" },
        { "drop-last-step", "0", "3 4 5 6 7 8" },
        { "time", "1.85..2.05", "3 6" },
        { "host-time", "1.1..1.11", "4 5" },
    };
    struct made m;
    struct tr_error *err = tr_error_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_trace *t = make(&m, NULL);
        CHECK(tr_trace_select(t, cases[i].key, cases[i].value, err) == TR_OK);
        CHECK_STR(chosen(t), cases[i].left);
        CHECK(tr_trace_select(t, "rank", "4", err) == TR_USAGE);
        tr_trace_close(t);
    }
    struct tr_trace *t = make(&m, NULL);
    static const char *const fields[] = { "ts", "record", "args.grid" }, *const wrong[] = { "colour" };
    CHECK(tr_trace_select(t, "where", "activity == kernel", err) == TR_OK);
    CHECK(tr_trace_select(t, "where", "args.grid > 64", err) == TR_OK);
    CHECK(tr_trace_want(t, fields, 3, err) == TR_OK && tr_trace_want(t, wrong, 1, err) == TR_USAGE);
    CHECK(tr_trace_select(t, "colour", "red", err) == TR_USAGE && tr_trace_select(t, "step", "x", err) == TR_USAGE);
    CHECK(tr_trace_select(t, "drop-last-step", "2", err) == TR_USAGE);
    CHECK(tr_trace_select(t, "drop-last-step", "", err) == TR_USAGE);
    CHECK_STR(chosen(t), "8");
    tr_trace_close(t);
    tr_error_free(err);
}

/* ---- analyses ---- */

static void own_columns(void *ctx, struct tr_table *t)
{
    (void)ctx;
    tr_table_add_column(t, "name", TR_CELL_STRING, TR_ROLE_KEY, NULL, "the event");
    tr_table_add_column(t, "dur", TR_CELL_TIME, TR_ROLE_SUM, NULL, "its duration");
    tr_table_add_column(t, "n", TR_CELL_COUNT, TR_ROLE_COUNT, NULL, NULL);
    tr_table_add_column(t, "rate", TR_CELL_RATIO, TR_ROLE_QUANTILE, "GB/s", NULL);
    tr_table_add_column(t, "step", TR_CELL_INT, TR_ROLE_TEXT, NULL, NULL);
}

static enum tr_status own_feed(void *ctx, const struct tr_batch *b, struct tr_table *t, struct tr_error *err)
{
    size_t len;
    (void)err;
    for (size_t i = 0; i < tr_batch_count(b); i++, ++*(int *)ctx) {
        const char *name = tr_dict_string(tr_batch_dict(b), tr_batch_name(b)[i], &len);
        tr_table_put_text(t, name, i ? len : SIZE_MAX);
        tr_table_put_time(t, tr_batch_dur(b)[i]);
        tr_table_put_count(t, 1);
        tr_table_put_real(t, 1.5);
        tr_table_put_absent(t);
    }
    return TR_OK;
}

static enum tr_status keep(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    char *to = ctx;
    (void)err;
    strncat(to, bytes, n);
    return TR_OK;
}

static void test_report(void)
{
    static const struct tr_analysis_def def = { sizeof def, "own", NULL, own_columns, own_feed, NULL };
    struct made m;
    struct tr_trace *t = make(&m, NULL);
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct tr_column_info column = { .size = sizeof column };
    int n = 0;
    char text[1400] = "";
    CHECK(tr_report_set(r, "per", "rank", err) == TR_USAGE && tr_report_add(r, "colour", err) == TR_USAGE);
    CHECK(tr_report_add(r, "breakdown.idle", err) == TR_OK && tr_report_set(r, "threshold", "20us", err) == TR_OK);
    CHECK(tr_report_set(r, "threshold", "20", err) == TR_USAGE && tr_report_set(r, "ratio", "1", err) == TR_USAGE);
    CHECK(tr_report_add_own(r, &def, &n, err) == TR_OK && tr_report_set(r, "sort", "dur", err) == TR_OK);
    CHECK(tr_report_set(r, "top", "1", err) == TR_OK && tr_report_set(r, "unit", "ns", err) == TR_OK);
    CHECK(tr_trace_select(t, "where", "activity == kernel", err) == TR_OK);
    tr_error_clear(err);
    CHECK(tr_report_run(r, t, err) == TR_OK && n == 2);
    CHECK_STR(tr_error_text(err, text, sizeof text), "");
    CHECK(tr_report_run(r, t, err) == TR_USAGE && !tr_report_table(r, 2));
    struct tr_table *idle = tr_report_table(r, 0), *own = tr_report_table(r, 1);
    CHECK(tr_table_row_count(idle) > 0 && tr_table_column_by_name(idle, "cause") != SIZE_MAX);
    CHECK(tr_table_row_count(own) == 2 && tr_table_column_count(own) == 5);
    CHECK(!tr_table_column_info(own, 5, &column));
    CHECK(tr_table_column_info(own, 1, &column) && column.type == TR_CELL_TIME);
    CHECK_STR(column.name, "dur_ns");
    CHECK_STR(column.unit, "ns");
    CHECK_STR(tr_table_cell_text(own, 0, 0, NULL), "second"); /* the longest, then the others */
    CHECK_STR(tr_table_cell_text(own, 1, 0, NULL), "others");
    CHECK(tr_table_cell_int(own, 0, 1) == 100 && tr_table_cell_int(own, 1, 1) == 50);
    CHECK(tr_table_cell_int(own, 1, 2) == 1);
    CHECK(tr_table_cell_real(own, 0, 3) == 1.5 && isnan(tr_table_cell_real(own, 0, 0)));
    CHECK(tr_table_cell_int(own, 0, 4) == TR_TIME_NONE && tr_table_cell_int(own, 2, 1) == TR_TIME_NONE);
    CHECK(!tr_table_cell_text(own, 0, 1, NULL) && !tr_table_cell_text(own, 9, 0, NULL));
    CHECK(tr_table_print(own, "xlsx", keep, text, err) == TR_USAGE);
    text[0] = '\0';
    tr_trace_close(t); /* tables belong to the report alone */
    for (int i = 0; i < 2; i++) { /* a table is printed as often as needed */
        text[0] = '\0';
        CHECK(tr_table_print(own, "tsv", keep, text, err) == TR_OK && tr_table_row_count(own) == 2);
        CHECK_STR(text, "name\tdur_ns\tn\trate\tstep\nsecond\t100\t1\t1.500\t\nothers\t50\t1\t\t\n");
    }
    tr_report_free(r);
    tr_error_free(err);
}

static void keep_text(void *ctx, const char *text)
{
    snprintf(ctx, 200, "%s", text);
}

/* What was chosen by number or time and is not there is an error of the report; of a part it is a remark. */
static void test_absent(void)
{
    static const struct {
        const char *key, *value, *text, *heard;
    } cases[] = {
        { "rank", "9", "option --rank: no input has rank 9: there is only 4", "" },
        { "step", "3..", "option --step: no such step: the steps are 1..2", "" },
        { "time", "9..10", "option --time: the window is outside of the trace, which goes from 1.000 to 2.900 us"
                         "; to count from its start, use +0ms..+10ms", "" },
        { "time", "2..10", "",
          "the window is partly outside of the trace, which goes from 1.000 to 2.900 us" },
        { "where", "rank == 9", "", "" },
    };
    struct tr_error *err = tr_error_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct tr_trace *t = make(&m, NULL);
        struct tr_report *r = tr_report_new();
        char text[1400], heard[200] = "";
        tr_error_clear(err);
        tr_report_listen(r, keep_text, heard);
        CHECK(tr_report_add(r, "breakdown.time", err) == TR_OK);
        CHECK(tr_trace_select(t, cases[i].key, cases[i].value, err) == TR_OK);
        CHECK(tr_report_run(r, t, err) == (cases[i].text[0] ? TR_ABSENT : TR_OK));
        CHECK(strstr(tr_error_text(err, text, sizeof text), cases[i].text) && !*text == !*cases[i].text);
        CHECK_STR(heard, cases[i].heard);
        tr_report_free(r);
        tr_trace_close(t);
    }
    tr_error_free(err);
}

/* Each analysis can be run with its defaults, unless it is about a file or a device that the caller names. */
static void test_every_analysis(void)
{
    struct tr_error *err = tr_error_new();
    struct made m;
    char text[1400];
    size_t n = 0;
    for (const char *name; (name = tr_analysis_name(n)) != NULL; n++) {
        bool asks = strcmp(name, "roofline.roof") == 0 || strcmp(name, "metrics.ideal") == 0 ||
                    strcmp(name, "metrics.utilization") == 0;
        struct tr_trace *t = make(&m, NULL);
        struct tr_report *r = tr_report_new();
        CHECK(tr_report_add(r, name, err) == TR_OK && tr_analysis_question(n) && *tr_analysis_question(n));
        enum tr_status st = tr_report_run(r, t, err);
        if (!asks)
            CHECK_STR(tr_error_text(err, text, sizeof text), "");
        CHECK(st == (asks ? TR_USAGE : TR_OK) && (tr_table_column_count(tr_report_table(r, 0)) > 0) == !asks);
        tr_error_clear(err);
        tr_report_free(r);
        tr_trace_close(t);
    }
    CHECK(n == tr_analysis_count() && !tr_analysis_question(n));
    tr_error_free(err);
}

/* ---- streams ---- */

struct bytes {
    unsigned char v[1 << 16];
    size_t n;
};

static enum tr_status add_bytes(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    struct bytes *b = ctx;
    if (n > sizeof b->v - b->n)
        return tr_fail(err, TR_SYSTEM, "no room");
    memcpy(b->v + b->n, bytes, n);
    b->n += n;
    return TR_OK;
}

static void test_output(void)
{
    static struct bytes written;
    static const char *const fields[] = { "ts" }, *const path[] = { "api.trs" };
    struct tr_output_options options = TR_OUTPUT_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct made m;
    struct tr_trace *t = make(&m, NULL);
    struct tr_output *o;
    const struct tr_batch *b;
    options.compress = "zlib:9";
    options.program = "unit";
    CHECK(tr_trace_select(t, "step", "1", err) == TR_OK);
    CHECK(tr_output_open(&o, "api.trs", t, &options, err) == TR_OK);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_output_batch(o, b, err) == TR_OK);
    CHECK(access("api.trs", F_OK) != 0);
    CHECK(tr_trace_next(t, &b, err) == TR_END && tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);
    CHECK(tr_trace_open(&t, path, 1, NULL, err) == TR_OK);
    CHECK_STR(chosen(t), "3 4 5");
    tr_trace_close(t);
    CHECK(remove("api.trs") == 0);

    /* in the order of the source: what is known of it comes last, also into the stream */
    struct tr_trace_options unsorted = TR_TRACE_OPTIONS_INIT;
    struct tr_source_info source = { .size = sizeof source };
    unsorted.flags = TR_TRACE_NO_SORT;
    t = make_unread(&m, &unsorted);
    CHECK(!tr_trace_sorted(t) && tr_trace_select(t, "where", "dur >= 100ns", err) == TR_OK);
    CHECK(tr_output_open(&o, "api.trs", t, NULL, err) == TR_OK);
    while (tr_trace_next(t, &b, err) == TR_OK)
        CHECK(tr_output_batch(o, b, err) == TR_OK);
    CHECK(tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);
    CHECK(tr_trace_open(&t, path, 1, NULL, err) == TR_OK && !tr_trace_sorted(t));
    CHECK_STR(chosen(t), "3 6 7 8");
    CHECK(tr_trace_source(t, 0, &source) && source.n_events == 6 && source.rank == 4);
    struct tr_report *r = tr_report_new();
    CHECK(tr_report_add(r, "breakdown.time", err) == TR_OK && tr_report_run(r, t, err) == TR_USAGE);
    tr_report_free(r);
    tr_trace_close(t);
    CHECK(remove("api.trs") == 0);

    t = make(&m, NULL);
    CHECK(tr_output_open_to(&o, add_bytes, &written, t, NULL, err) == TR_OK && written.n > 16);
    tr_output_abandon(o);
    options.compress = "lz5";
    CHECK(tr_output_open(&o, "api.trs", t, &options, err) == TR_USAGE && !o);
    CHECK(access("api.trs", F_OK) != 0);
    tr_trace_close(t);
    t = make(&m, NULL);
    CHECK(tr_trace_want(t, fields, 1, err) == TR_OK && tr_output_open(&o, "api.trs", t, NULL, err) == TR_USAGE);
    tr_trace_close(t);
    tr_error_free(err);
}

static void test_errors(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    struct tr_trace_options none = { .size = 0 };
    static const char *const path[] = { "/no/such/file" };
    char text[1400], brief[8];
    CHECK(tr_abi() == TR_ABI && *tr_version());
    CHECK(tr_trace_open(&t, path, 1, NULL, err) == TR_SYSTEM && !t);
    CHECK_STR(tr_error_text(err, text, sizeof text), "/no/such/file: cannot open: No such file or directory");
    CHECK_STR(tr_error_text(err, brief, sizeof brief), "/no/suc");
    tr_error_clear(err);
    CHECK_STR(tr_error_text(err, text, sizeof text), "");
    CHECK(tr_trace_open(&t, path, 0, NULL, err) == TR_USAGE && tr_trace_open(&t, path, 1, &none, err) == TR_USAGE);
    tr_error_clear(err);
    CHECK(tr_fail_memory(err) == TR_SYSTEM);
    CHECK_STR(tr_error_text(err, text, sizeof text), "out of memory");
    CHECK(tr_activity_is_work(TR_ACT_MEMSET) && !tr_activity_is_work(TR_ACT_SYNC));
    CHECK(tr_activity_by_name("kernel") == TR_ACT_KERNEL && tr_phase_by_name("none") == -1);
    tr_trace_close(NULL);
    tr_report_free(NULL);
    tr_output_abandon(NULL);
    CHECK(tr_output_finish(NULL, err) == TR_OK);
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "columns of batches, and what their numbers stand for", test_columns },
    { "what is known of sources, and structs of an earlier size", test_sources },
    { "choosing events", test_selection },
    { "what is not there", test_absent },
    { "a report of two analyses, one of them its own", test_report },
    { "every analysis by its name", test_every_analysis },
    { "streams, in files and elsewhere", test_output },
    { "errors", test_errors },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
