/* SPDX-License-Identifier: MIT */
/* The public interface: options of reports, analyses of a caller, and tables. */
#include "api_made.h"

#include <errno.h>
#include <math.h>

/* ---- options ---- */

struct text {
    char v[8000];
    size_t n, room;
};

static enum tr_status put(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    struct text *t = ctx;
    if (n > t->room)
        return tr_fail(err, TR_SYSTEM, "no room for rows");
    memcpy(t->v + t->n, bytes, n);
    t->n += n;
    t->room -= n;
    t->v[t->n] = '\0';
    return TR_OK;
}

/* What the one analysis of a report finds in the made trace, as lines. */
static const char *found(const char *name, const char *key, const char *value)
{
    static struct text text;
    struct made m;
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = make(&m, NULL);
    struct tr_report *r = tr_report_new();
    text.n = 0;
    text.v[0] = '\0';
    text.room = sizeof text.v - 1;
    CHECK(tr_report_add(r, name, err) == TR_OK);
    CHECK(!key || tr_report_set(r, key, value, err) == TR_OK);
    CHECK(tr_report_run(r, t, err) == TR_OK);
    CHECK(tr_table_print(tr_report_table(r, 0), "tsv", put, &text, err) == TR_OK);
    tr_report_free(r);
    tr_trace_close(t);
    tr_error_free(err);
    return text.v;
}

/* Each option of each analysis: values at its limits, and beyond them. */
static void test_options(void)
{
    static const struct {
        const char *names, *key, *taken, *refused;
    } cases[] = {
        { "breakdown.idle", "threshold", "0ns 30us 2ms", "20 -1ns x" },
        { "breakdown.kernel breakdown.class breakdown.annotation", "ratio", "0 0.5 1", "-0.1 1.1 x" },
        { "breakdown.annotation", "side", "host device work", "hosts both 0" },
        { "breakdown.tree", "join-backward", "0 1", "2 yes -1" },
        { "overlap.state", "classes", "gemm a,b", "" },
        { "launch launch.api", "cpu-cutoff", "0us 5us", "5 x" },
        { "launch launch.api", "queue-cutoff", "0us 5us", "5 x" },
        { "launch.launch", "queue-cutoff", "", "5us" },
        { "memory memory.peak memory.end", "keys", "operator top-operator annotation all",
          "op category, operator,annotation" },
        { "breakdown.operator", "keys", "shape shape,stack args,kernel,position", "shapes shape, ," },
        { "breakdown.operator", "op", "^aten a|b", "( [" },
        { "breakdown.time", "keys", "", "shape" },
        { "counters.power", "keys", "kernel", "kernels" },
        { "metrics.operator", "keys", "stack", "shape" },
        { "metrics.range metrics.kernel metrics.operator metrics.series", "throughput", "0 1", "2" },
        { "metrics metrics.list metrics.series", "metrics", "a,b", "" },
        { "metrics", "category", "any", "" },
        { "metrics.utilization", "core-freq", "1 1100.5", "0 x 1e9" },
        { "roofline", "arch", "H100 none", "no-such-device" },
        { "roofline", "models", "", "no-such-file" },
        { "sum", "stat", "count sum,p99", "none" },
        { "critpath", "instance", "0 3 2..5", "x -1" },
        { "patterns", "length", "1 2 18446744073709551615", "0 -1 x 18446744073709551616" },
        { "counters.full", "max-queue", "1 1024", "0 x" },
        { "critpath critpath.path critpath.edge critpath.count", "gaps", "0 1", "2" },
        { "critpath critpath.path critpath.edge critpath.count", "launch-edges", "0 1", "2" },
        { "critpath critpath.path critpath.edge critpath.count", "annotation", "any", "" },
        { "overlap breakdown.operator", "per", "rank device stream step capture all", "ranks none" },
        { "overlap", "unit", "ns us ms s", "h u" },
        { "overlap", "top", "0 1 18446744073709551615", "-1 x" },
        { "overlap", "ratio", "", "1" },
        { "breakdown.operator", "colour", "", "1" },
    };
    struct tr_error *err = tr_error_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char names[100], *next_name = NULL;
        snprintf(names, sizeof names, "%s", cases[i].names);
        for (char *name = strtok_r(names, " ", &next_name); name; name = strtok_r(NULL, " ", &next_name)) {
            struct tr_report *r = tr_report_new();
            CHECK(tr_report_add(r, name, err) == TR_OK);
            for (int taken = 0; taken < 2; taken++) {
                char values[100], *next = NULL;
                snprintf(values, sizeof values, "%s", taken ? cases[i].taken : cases[i].refused);
                for (char *value = strtok_r(values, " ", &next); value; value = strtok_r(NULL, " ", &next)) {
                    bool good = (tr_report_set(r, cases[i].key, value, err) == TR_OK) == (taken == 1);
                    if (!good)
                        printf("# %s %s %s\n", name, cases[i].key, value);
                    CHECK(good);
                }
            }
            tr_report_free(r);
        }
    }
    tr_error_free(err);
}

/* That an option was heard. */
static void test_heard(void)
{
    char text[8000];
    snprintf(text, sizeof text, "%s", found("breakdown.kernel", NULL, NULL));
    CHECK(strstr(text, "\tsum_us\t") && strstr(text, "first\t1\t0.050\t") && strstr(text, "second\t1\t0.100\t"));
    CHECK(strstr(found("breakdown.kernel", "unit", "ns"), "\tsum_ns\t"));
    CHECK(strstr(found("breakdown.kernel", "unit", "ns"), "second\t1\t100\t"));
    CHECK_STR(found("breakdown.kernel", "unit", "us"), text);
    CHECK_STR(found("breakdown.kernel", "columns", "count,name"), "count\tname\n1\tsecond\n1\tfirst\n");
    CHECK(strstr(found("breakdown.kernel", "top", "1"), "others\t"));
    CHECK(strstr(found("breakdown.kernel", "top", "1"), "second\t"));
    CHECK(!strstr(found("breakdown.kernel", "top", "1"), "first\t"));
    const char *sorted = found("breakdown.kernel", "sort", "name:asc");
    CHECK(strstr(sorted, "first\t") < strstr(sorted, "second\t"));
    sorted = found("breakdown.kernel", "sort", "name:desc");
    CHECK(strstr(sorted, "first\t") > strstr(sorted, "second\t"));
    CHECK(strncmp(found("breakdown.kernel", "per", "step"), "rank\tstep\t", 10) == 0);
    CHECK(strncmp(text, "rank\tkind\t", 10) == 0);
    CHECK(strncmp(found("breakdown.kernel", "per", "all"), "kind\t", 5) == 0);
}

/* That options of analyses change what is found. */
static void test_own_options(void)
{
    static const struct {
        const char *name, *key, *value;
    } cases[] = {
        { "breakdown.annotation", "side", "device" },
        { "overlap.state", "classes", "copy,gemm" },
        { "launch", "queue-cutoff", "1ns" },
    };
    char text[8000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s", found(cases[i].name, NULL, NULL));
        CHECK(strcmp(found(cases[i].name, cases[i].key, cases[i].value), text) != 0);
    }
}

static void keep_text(void *ctx, const char *text)
{
    snprintf(ctx, 400, "%s", text);
}

static void test_order_of_calls(void)
{
    struct made m;
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct tr_trace *t = make(&m, NULL);
    const struct tr_batch *b;
    char text[1400], heard[400] = "";
    CHECK(tr_report_set(r, "top", "1", err) == TR_USAGE);
    CHECK_STR(tr_error_text(err, text, sizeof text), "no analysis has been added");
    tr_error_clear(err);
    CHECK(tr_report_add(r, "overla", err) == TR_USAGE && tr_report_add(r, "", err) == TR_USAGE);
    CHECK(!tr_report_table(r, 0));
    tr_error_clear(err);
    CHECK(tr_report_add(r, "overlap", err) == TR_OK && tr_report_add(r, "memory.peak", err) == TR_OK);
    CHECK(tr_report_add(r, "breakdown.operator", err) == TR_OK); /* each has options of its own size, or none */
    tr_report_listen(r, keep_text, heard);
    CHECK(tr_report_run(r, t, err) == TR_OK && tr_report_table(r, 2) && !tr_report_table(r, 3));
    CHECK(tr_table_row_count(tr_report_table(r, 0)) > 0 && tr_table_row_count(tr_report_table(r, 1)) == 0);
    CHECK(heard[0]); /* why there are no rows */
    CHECK(tr_report_set(r, "top", "1", err) == TR_USAGE);
    CHECK_STR(tr_error_text(err, text, sizeof text), "the analyses have been run");
    tr_error_clear(err);
    CHECK(tr_report_run(r, t, err) == TR_USAGE);
    CHECK_STR(tr_error_text(err, text, sizeof text), "the analyses have been run");
    tr_error_clear(err);
    tr_report_free(r);
    tr_trace_close(t);

    r = tr_report_new();
    t = make(&m, NULL);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_report_add(r, "overlap", err) == TR_OK);
    CHECK(tr_report_run(r, t, err) == TR_USAGE);
    CHECK_STR(tr_error_text(err, text, sizeof text), "events of the trace have been read");
    tr_error_clear(err);
    tr_report_free(r);
    tr_trace_close(t);

    /* columns that are not there are reported when the columns are known */
    static const char *const keys[] = { "sort", "columns" };
    static struct text none;
    none.room = sizeof none.v - 1;
    for (size_t i = 0; i < 2; i++) {
        r = tr_report_new();
        t = make(&m, NULL);
        CHECK(tr_report_add(r, "overlap", err) == TR_OK && tr_report_set(r, keys[i], "colour", err) == TR_OK);
        CHECK(tr_report_run(r, t, err) == TR_USAGE && strstr(tr_error_text(err, text, sizeof text), "colour"));
        tr_error_clear(err);
        /* nor can the table be printed, however often */
        for (int k = 0; k < 3; k++)
            CHECK(tr_table_print(tr_report_table(r, 0), "tsv", put, &none, err) == TR_USAGE && none.n == 0);
        CHECK_STR(tr_error_text(err, text, sizeof text), "there is no table");
        tr_error_clear(err);
        tr_report_free(r);
        tr_trace_close(t);
    }
    tr_error_free(err);
}

/* What an option says about itself is what it takes; columns are known before any run. */
static void test_discovery(void)
{
    struct tr_error *err = tr_error_new();
    size_t n_options = 0;
    CHECK(tr_analysis_count() >= 78 && !tr_analysis_name(tr_analysis_count()) && !tr_analysis_key(10000, 0));
    for (size_t i = 0; i < tr_analysis_count(); i++) {
        struct tr_option_info o = { .size = sizeof o };
        const struct tr_table *columns = NULL;
        struct tr_report *r = tr_report_new();
        bool needs_more = strcmp(tr_analysis_name(i), "sum.sum") == 0;
        CHECK(tr_report_add(r, tr_analysis_name(i), err) == TR_OK && strchr(tr_analysis_name(i), '.'));
        for (size_t k = 0; tr_analysis_option(i, k, &o); k++) {
            n_options++;
            CHECK(o.name && *o.help && (o.type == TR_OPTION_FLAG) == !o.value);
            CHECK((o.type == TR_OPTION_CHOICE) == (o.choices != NULL));
            for (size_t c = 0; o.choices && o.choices[c]; c++)
                CHECK(tr_report_set(r, o.name, o.choices[c], err) == TR_OK);
            if (*o.standard && strcmp(o.standard, "0") != 0 && strcmp(o.standard, "0ns") != 0)
                CHECK(tr_report_set(r, o.name, o.standard, err) == TR_OK);
        }
        CHECK(tr_report_columns(r, 0, &columns, err) == TR_OK && (needs_more || tr_table_column_count(columns) > 0));
        CHECK(tr_table_row_count(columns) == 0);
        CHECK(tr_report_columns(r, 1, &columns, err) == TR_USAGE && !columns);
        CHECK(!tr_report_table(r, 0));
        tr_error_clear(err);
        tr_report_free(r);
    }
    CHECK(n_options > 60);
    tr_error_free(err);
}

/* Without a table, nothing is there, and nothing crashes. */
static void test_no_table(void)
{
    struct tr_error *err = tr_error_new();
    struct tr_column_info info = { .size = sizeof info };
    static struct text text;
    size_t len = 1;
    CHECK(tr_table_row_count(NULL) == 0 && tr_table_column_count(NULL) == 0);
    CHECK(!tr_table_column_info(NULL, 0, &info) && tr_table_column_by_name(NULL, "name") == SIZE_MAX);
    CHECK(!tr_table_cell_text(NULL, 0, 0, &len) && len == 0);
    CHECK(tr_table_cell_int(NULL, 0, 0) == TR_I64_NONE && isnan(tr_table_cell_real(NULL, 0, 0)));
    CHECK(tr_table_print(NULL, "tsv", put, &text, err) == TR_USAGE);
    tr_table_add_column(NULL, "name", TR_CELL_INT, TR_ROLE_KEY, NULL, NULL);
    tr_table_put_text(NULL, "a", 1);
    tr_table_put_int(NULL, 1);
    tr_table_put_count(NULL, 1);
    tr_table_put_time(NULL, 1);
    tr_table_put_real(NULL, 1);
    tr_table_put_absent(NULL);
    tr_error_free(err);
}

/* ---- analyses of the caller ---- */

struct seen {
    int n, finished;
    int64_t grid;
    enum tr_status feed, finish;
};

static void add_columns(void *ctx, struct tr_table *t)
{
    (void)ctx;
    tr_table_add_column(t, "what", TR_CELL_STRING, TR_ROLE_KEY, NULL, NULL);
    tr_table_add_column(t, "spent", TR_CELL_TIME, TR_ROLE_SUM, NULL, "its time");
    tr_table_add_column(t, "many", TR_CELL_COUNT, TR_ROLE_COUNT, NULL, NULL);
    tr_table_add_column(t, "whole", TR_CELL_INT, TR_ROLE_TEXT, NULL, NULL);
    tr_table_add_column(t, "real", TR_CELL_DOUBLE, TR_ROLE_QUANTILE, "GB/s", NULL);
}

static enum tr_status feed(void *ctx, const struct tr_batch *b, struct tr_table *t, struct tr_error *err)
{
    struct seen *s = ctx;
    int64_t grid[8];
    (void)t;
    CHECK(tr_batch_count(b) > 0);
    s->n += (int)tr_batch_count(b);
    if (s->feed != TR_OK)
        return tr_fail(err, s->feed, "not fed");
    if (tr_batch_count(b) <= 8 && tr_batch_int(b, "args.grid", grid, err) == TR_OK)
        for (size_t i = 0; i < tr_batch_count(b); i++)
            s->grid += grid[i] == TR_I64_NONE ? 0 : grid[i];
    return TR_OK;
}

static enum tr_status finish(void *ctx, struct tr_table *t, struct tr_error *err)
{
    struct seen *s = ctx;
    s->finished++;
    if (s->finish != TR_OK)
        return tr_fail(err, s->finish, "not finished");
    tr_table_put_text(t, "abcdef", 3);
    tr_table_put_time(t, 1500);
    tr_table_put_count(t, UINT64_MAX);
    tr_table_put_int(t, -7);
    tr_table_put_real(t, 0.1);
    tr_table_put_text(t, "to its end", SIZE_MAX);
    tr_table_put_time(t, TR_TIME_NONE);
    tr_table_put_count(t, INT64_MAX);
    tr_table_put_absent(t);
    tr_table_put_real(t, (double)NAN);
    tr_table_put_text(t, NULL, SIZE_MAX);
    tr_table_put_time(t, 0);
    tr_table_put_count(t, 0);
    tr_table_put_int(t, 0);
    tr_table_put_real(t, 0);
    return TR_OK;
}

static struct tr_table *run_own(struct tr_report **r, struct tr_trace *t, struct seen *s, const char *columns)
{
    static const struct tr_analysis_def def = { sizeof def, NULL, NULL, add_columns, feed, finish };
    struct tr_error *err = tr_error_new();
    *r = tr_report_new();
    CHECK(tr_report_add_own(*r, &def, s, err) == TR_OK);
    CHECK(!columns || tr_report_set(*r, "columns", columns, err) == TR_OK);
    CHECK(tr_report_run(*r, t, err) == TR_OK);
    tr_error_free(err);
    return tr_report_table(*r, 0);
}

static void test_cells(void)
{
    struct made m;
    struct seen s = { 0, 0, 0, TR_OK, TR_OK };
    struct tr_report *r;
    struct tr_trace *trace = make(&m, NULL);
    struct tr_table *t = run_own(&r, trace, &s, NULL);
    struct tr_column_info info = { .size = sizeof info };
    size_t len = 9;
    CHECK(s.n == 6 && s.finished == 1 && s.grid == 192 && tr_table_row_count(t) == 3);
    CHECK_STR(tr_table_cell_text(t, 0, 0, &len), "abc");
    CHECK(len == 3);
    CHECK_STR(tr_table_cell_text(t, 1, 0, &len), "to its end");
    CHECK(len == 10 && !tr_table_cell_text(t, 2, 0, &len) && len == 0);
    len = 9;
    CHECK(!tr_table_cell_text(t, 0, 3, &len) && len == 0 && !tr_table_cell_text(t, 3, 0, &len));
    CHECK(!tr_table_cell_text(t, 0, 5, NULL));
    CHECK(tr_table_cell_int(t, 0, 1) == 1500 && tr_table_cell_real(t, 0, 1) == 1500);
    CHECK(tr_table_cell_int(t, 1, 1) == TR_I64_NONE && isnan(tr_table_cell_real(t, 1, 1)));
    CHECK(tr_table_cell_int(t, 0, 2) == INT64_MAX && tr_table_cell_real(t, 0, 2) == 18446744073709551615.0);
    CHECK(tr_table_cell_int(t, 1, 2) == INT64_MAX && tr_table_cell_int(t, 2, 2) == 0);
    CHECK(tr_table_cell_int(t, 0, 3) == -7 && tr_table_cell_real(t, 0, 3) == -7);
    CHECK(tr_table_cell_int(t, 1, 3) == TR_I64_NONE && isnan(tr_table_cell_real(t, 1, 3)));
    CHECK(tr_table_cell_real(t, 0, 4) == 0.1 && tr_table_cell_int(t, 0, 4) == TR_I64_NONE);
    CHECK(isnan(tr_table_cell_real(t, 1, 4)) && tr_table_cell_real(t, 2, 4) == 0);
    CHECK(isnan(tr_table_cell_real(t, 0, 0)) && isnan(tr_table_cell_real(t, 3, 4)));
    CHECK(isnan(tr_table_cell_real(t, 0, 5)));
    CHECK(tr_table_column_by_name(t, "spent") == 1 && tr_table_column_by_name(t, "spent_us") == 1);
    CHECK(tr_table_column_by_name(t, "colour") == SIZE_MAX);
    CHECK(tr_table_column_info(t, 1, &info) && info.role == TR_ROLE_SUM);
    CHECK_STR(info.name, "spent_us");
    CHECK_STR(info.unit, "us");
    CHECK_STR(info.meaning, "its time");
    CHECK(tr_table_column_info(t, 4, &info) && info.type == TR_CELL_DOUBLE);
    CHECK_STR(info.unit, "GB/s");
    tr_report_free(r);
    tr_trace_close(trace);

    trace = make(&m, NULL);
    t = run_own(&r, trace, &s, "real,what");
    CHECK(tr_table_column_count(t) == 2 && tr_table_column_by_name(t, "what") == 1);
    CHECK(tr_table_column_by_name(t, "spent") == SIZE_MAX && !tr_table_column_info(t, 2, &info));
    CHECK_STR(tr_table_cell_text(t, 0, 1, NULL), "abc");
    CHECK(tr_table_cell_real(t, 0, 0) == 0.1);
    tr_report_free(r);
    tr_trace_close(trace);
}

static void test_printing(void)
{
    static const struct {
        const char *format, *start;
    } cases[] = {
        { "tsv", "what\tspent_us\tmany\twhole\treal\nabc\t1.500\t18446744073709551615\t-7\t0.1\n" },
        { "csv", "what,spent_us,many,whole,real\r\nabc,1.500,18446744073709551615,-7,0.1\r\n" },
        { "md", "| what " },
        { "json", "[" },
        { "text", "what " },
    };
    static struct text text;
    struct tr_error *err = tr_error_new();
    char message[1400];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct seen s = { 0, 0, 0, TR_OK, TR_OK };
        struct tr_report *r;
        struct tr_trace *trace = make(&m, NULL);
        struct tr_table *t = run_own(&r, trace, &s, NULL);
        size_t n_rows = tr_table_row_count(t), length = 0;
        for (int again = 0; again < 2; again++) {
            text.n = 0;
            text.room = sizeof text.v - 1;
            CHECK(tr_table_print(t, cases[i].format, put, &text, err) == TR_OK && tr_table_row_count(t) == n_rows);
            CHECK(strncmp(text.v, cases[i].start, strlen(cases[i].start)) == 0 && strstr(text.v, "to its end"));
            CHECK(!again || text.n == length);
            length = text.n;
        }
        tr_report_free(r);
        tr_trace_close(trace);
        trace = make(&m, NULL);
        t = run_own(&r, trace, &s, NULL);
        text.room = 0;
        CHECK(tr_table_print(t, cases[i].format, put, &text, err) == TR_SYSTEM);
        CHECK_STR(tr_error_text(err, message, sizeof message), "no room for rows");
        tr_error_clear(err);
        tr_report_free(r);
        tr_trace_close(trace);
    }
    tr_error_free(err);
}

/* Args are there also when the trace is a stream, which decodes what is asked for. */
static void test_from_stream(void)
{
    struct made m;
    struct seen s = { 0, 0, 0, TR_OK, TR_OK };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = make(&m, NULL);
    struct tr_output *o;
    struct tr_report *r;
    const struct tr_batch *b;
    CHECK(tr_output_open(&o, "api_r.trs", t, NULL, err) == TR_OK);
    while (tr_trace_next(t, &b, err) == TR_OK)
        CHECK(tr_output_batch(o, b, err) == TR_OK);
    CHECK(tr_output_finish(o, err) == TR_OK);
    tr_trace_close(t);
    for (int some = 0; some < 3; some++) {
        s = (struct seen){ 0, 0, 0, TR_OK, TR_OK };
        t = open_one("api_r.trs", NULL);
        const char *where = some == 1 ? "args.share > 0 && args.grid > 64" : "pid == 1";
        CHECK(!some || tr_trace_select(t, "where", where, err) == TR_OK);
        run_own(&r, t, &s, NULL);
        CHECK(s.n == (some == 0 ? 6 : some == 1 ? 1 : 0) && s.grid == (some == 0 ? 192 : some == 1 ? 128 : 0));
        CHECK(s.finished == 1);
        tr_report_free(r);
        tr_trace_close(t);
    }
    remove("api_r.trs");
    tr_error_free(err);
}

static void test_failing(void)
{
    struct tr_analysis_def def = { sizeof def, NULL, NULL, add_columns, feed, finish };
    struct tr_error *err = tr_error_new();
    char text[1400];
    for (int at = 0; at < 2; at++) {
        struct made m;
        struct seen s = { 0, 0, 0, at ? TR_OK : TR_MISSING, at ? TR_DAMAGED : TR_OK };
        struct tr_trace *t = make(&m, NULL);
        struct tr_report *r = tr_report_new();
        CHECK(tr_report_add_own(r, &def, &s, err) == TR_OK && tr_report_set(r, "threshold", "1us", err) == TR_USAGE);
        tr_error_clear(err);
        CHECK(tr_report_run(r, t, err) == (at ? TR_DAMAGED : TR_MISSING) && s.finished == at);
        CHECK(strstr(tr_error_text(err, text, sizeof text), at ? "not finished" : "not fed"));
        tr_error_clear(err);
        tr_report_free(r);
        tr_trace_close(t);
    }
    struct tr_report *r = tr_report_new();
    def.feed = NULL;
    CHECK(tr_report_add_own(r, &def, NULL, err) == TR_USAGE);
    def.feed = feed;
    def.columns = NULL;
    CHECK(tr_report_add_own(r, &def, NULL, err) == TR_USAGE);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "an analysis needs functions columns and feed"));
    tr_error_clear(err);
    def.columns = add_columns;
    def.size = 0;
    CHECK(tr_report_add_own(r, &def, NULL, err) == TR_USAGE);
    CHECK(strstr(tr_error_text(err, text, sizeof text), "the size of struct tr_analysis_def is not set"));
    CHECK(!tr_report_table(r, 0));
    tr_report_free(r);
    tr_error_free(err);
}

/* An analysis whose rows all come after the last event, and a caller who wants no more after some of them. */
struct ending {
    bool began;
    int rows, wanted;
};

static bool wanted(void *ctx, uint64_t done, uint64_t total)
{
    const struct ending *e = ctx;
    (void)done;
    (void)total;
    return !e->began || e->rows < e->wanted;
}

static enum tr_status end_long(void *ctx, struct tr_table *t, struct tr_error *err)
{
    struct ending *e = ctx;
    e->began = true;
    (void)err;
    for (; e->rows < 50000; e->rows++) {
        tr_table_put_text(t, "row", SIZE_MAX);
        tr_table_put_time(t, e->rows);
        tr_table_put_count(t, 1);
        tr_table_put_int(t, 2);
        tr_table_put_real(t, 3);
    }
    return TR_OK;
}

static enum tr_status feed_nothing(void *ctx, const struct tr_batch *b, struct tr_table *t, struct tr_error *err)
{
    (void)ctx, (void)b, (void)t, (void)err;
    return TR_OK;
}

static void test_cancelled_end(void)
{
    static const struct tr_analysis_def def = { sizeof def, NULL, NULL, add_columns, feed_nothing, end_long };
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    options.proceed = wanted;
    for (int n = 0; n < 2; n++) {
        struct ending e = { false, 0, n ? 50000 : 20000 }; /* between analyses; between rows */
        struct tr_error_info info = { .size = sizeof info };
        struct made m;
        options.ctx = &e;
        struct tr_trace *t = make(&m, &options);
        struct tr_report *r = tr_report_new();
        CHECK(tr_report_add_own(r, &def, &e, err) == TR_OK);
        CHECK(!n || tr_report_add(r, "critpath.edge", err) == TR_OK);
        CHECK(tr_report_run(r, t, err) == TR_SYSTEM && e.began && !tr_report_table(r, 0));
        tr_error_fields(err, &info);
        CHECK(info.sys_errno == ECANCELED);
        CHECK_STR(info.what, "the analysis was cancelled");
        tr_error_clear(err);
        tr_report_free(r);
        tr_trace_close(t);
    }
    tr_error_free(err);
}

/* Every name leads back to its number. */
static void test_names(void)
{
    for (int i = 0; i < TR_N_PHASES; i++)
        CHECK(tr_phase_by_name(tr_phase_name((unsigned)i)) == i);
    for (int i = 0; i < TR_N_ACTIVITIES; i++) {
        CHECK(tr_activity_by_name(tr_activity_name((unsigned)i)) == i);
        CHECK(tr_activity_is_work((unsigned)i) == (i == TR_ACT_KERNEL || i == TR_ACT_MEMCPY || i == TR_ACT_MEMSET));
    }
    for (int i = 0; i < TR_N_KINDS; i++)
        CHECK(tr_kind_by_name(tr_kind_name((unsigned)i)) == i);
    CHECK(tr_kind_by_name("kernel") == -1 && tr_activity_by_name("") == -1 && tr_phase_by_name("spa") == -1);
    CHECK_STR(tr_phase_name(TR_N_PHASES), "?");
    CHECK_STR(tr_activity_name(TR_N_ACTIVITIES), "?");
    CHECK_STR(tr_kind_name(TR_N_KINDS), "?");
    CHECK_STR(tr_suspect_name(TR_N_SUSPECTS), "?");
    CHECK_STR(tr_suspect_name(TR_SUSPECT_NEGATIVE_DUR), "negative_dur");
}

static const struct tap_test tests[] = {
    { "options of every analysis", test_options },
    { "the caller cancels after the last event", test_cancelled_end },
    { "what there is, before any run", test_discovery },
    { "no table", test_no_table },
    { "options are heard", test_heard },
    { "options of analyses are heard", test_own_options },
    { "the order of calls", test_order_of_calls },
    { "cells of every type", test_cells },
    { "printing in every form, and to what fails", test_printing },
    { "an analysis of the caller, of a stream", test_from_stream },
    { "an analysis of the caller that fails", test_failing },
    { "names and numbers", test_names },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
