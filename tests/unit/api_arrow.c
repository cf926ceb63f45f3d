/* SPDX-License-Identifier: MIT */
/* The public interface: whole columns, record batches of Arrow, inputs in memory, the parts of an error. */
#include "api_made.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- reading record batches ---- */

static bool bit(const void *bits, int64_t i)
{
    return ((const unsigned char *)bits)[i / 8] >> i % 8 & 1;
}

/* A cell as a text: "-" if it is null. */
static const char *cell(const struct ArrowSchema *s, const struct ArrowArray *a, int64_t column, int64_t row)
{
    static char text[100];
    const char *format = s->children[column]->format;
    const struct ArrowArray *c = a->children[column];
    CHECK(c->offset == 0 && c->length == a->length && c->n_children == 0 && row < c->length);
    if (!bit(c->buffers[0], row))
        return "-";
    if (strcmp(format, "U") == 0) {
        const int64_t *at = c->buffers[1];
        snprintf(text, sizeof text, "%.*s", (int)(at[row + 1] - at[row]), (const char *)c->buffers[2] + at[row]);
    } else if (strcmp(format, "g") == 0) {
        snprintf(text, sizeof text, "%g", ((const double *)c->buffers[1])[row]);
    } else {
        CHECK(strcmp(format, "l") == 0 || strcmp(format, "L") == 0);
        snprintf(text, sizeof text, "%lld", (long long)((const int64_t *)c->buffers[1])[row]);
    }
    return text;
}

/* Names, and the cells of each row, as lines. */
static const char *all(const struct ArrowSchema *s, const struct ArrowArray *a)
{
    static char text[4000];
    size_t at = 0;
    CHECK_STR(s->format, "+s");
    CHECK(s->n_children == a->n_children && a->null_count == 0 && a->n_buffers == 1);
    for (int64_t row = -1; row < a->length; row++)
        for (int64_t c = 0; c < a->n_children; c++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%c",
                                   row < 0 ? s->children[c]->name : cell(s, a, c, row),
                                   c + 1 < a->n_children ? ' ' : '\n');
    for (int64_t c = 0; c < a->n_children; c++) {
        int64_t n_null = 0;
        for (int64_t row = 0; row < a->length; row++)
            n_null += !bit(a->children[c]->buffers[0], row);
        CHECK(n_null == a->children[c]->null_count && (s->children[c]->flags & ARROW_FLAG_NULLABLE));
    }
    return text;
}

static void release(struct ArrowSchema *s, struct ArrowArray *a)
{
    s->release(s);
    a->release(a);
    CHECK(!s->release && !a->release);
}

/* ---- tables ---- */

static void own_columns(void *ctx, struct tr_table *t)
{
    (void)ctx;
    tr_table_add_column(t, "what", TR_CELL_STRING, TR_ROLE_KEY, NULL, "its name");
    tr_table_add_column(t, "spent", TR_CELL_TIME, TR_ROLE_SUM, NULL, NULL);
    tr_table_add_column(t, "delta", TR_CELL_INT, TR_ROLE_TEXT, NULL, NULL);
    tr_table_add_column(t, "n", TR_CELL_COUNT, TR_ROLE_COUNT, "bytes", NULL);
    tr_table_add_column(t, "share", TR_CELL_RATIO, TR_ROLE_TEXT, "%", NULL);
    tr_table_add_column(t, "rate", TR_CELL_DOUBLE, TR_ROLE_TEXT, NULL, NULL);
}

static enum tr_status own_finish(void *ctx, struct tr_table *t, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    tr_table_put_text(t, "first", SIZE_MAX);
    tr_table_put_time(t, -1500);
    tr_table_put_int(t, INT64_MAX);
    tr_table_put_count(t, UINT64_MAX);
    tr_table_put_real(t, 12.5);
    tr_table_put_real(t, 1e300);
    for (int i = 0; i < 6; i++)
        tr_table_put_absent(t);
    tr_table_put_text(t, "a\0\xff", 3);
    tr_table_put_time(t, 0);
    tr_table_put_int(t, 0);
    tr_table_put_count(t, 0);
    tr_table_put_real(t, 0);
    tr_table_put_real(t, INFINITY);
    return TR_OK;
}

static enum tr_status no_feed(void *ctx, const struct tr_batch *b, struct tr_table *t, struct tr_error *err)
{
    (void)ctx;
    (void)b;
    (void)t;
    (void)err;
    return TR_OK;
}

static struct tr_report *run_own(const char *key, const char *value)
{
    static const struct tr_analysis_def def = { .size = sizeof def, .name = "own", .columns = own_columns,
                                                .feed = no_feed, .finish = own_finish };
    struct made m;
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = make(&m, NULL);
    struct tr_report *r = tr_report_new();
    CHECK(tr_report_add_own(r, &def, NULL, err) == TR_OK);
    CHECK(!key || tr_report_set(r, key, value, err) == TR_OK);
    CHECK(tr_report_run(r, t, err) == TR_OK);
    tr_trace_close(t);
    tr_error_free(err);
    return r;
}

static void test_columns(void)
{
    struct tr_report *r = run_own(NULL, NULL);
    struct tr_table *t = tr_report_table(r, 0);
    struct tr_error *err = tr_error_new();
    int64_t whole[3];
    double real[3];
    const char *text[3];
    size_t len[3];
    uint8_t valid[3];
    CHECK(tr_table_row_count(t) == 3);
    CHECK(tr_table_column_i64(t, 1, whole, valid, err) == TR_OK && whole[0] == -1500 && whole[1] == TR_TIME_NONE);
    CHECK(whole[2] == 0 && valid[0] == 1 && valid[1] == 0 && valid[2] == 1);
    CHECK(tr_table_column_i64(t, 3, whole, NULL, err) == TR_OK && whole[0] == INT64_MAX && whole[1] == TR_I64_NONE);
    CHECK(tr_table_column_f64(t, 3, real, valid, err) == TR_OK && real[0] == 18446744073709551615.0);
    CHECK(isnan(real[1]) && !valid[1] && valid[2]);
    CHECK(tr_table_column_f64(t, 5, real, valid, err) == TR_OK && real[0] == 1e300 && valid[0] && !valid[2]);
    CHECK(tr_table_column_str(t, 0, text, len, valid, err) == TR_OK && len[0] == 5 && len[2] == 3 && !text[1]);
    CHECK(valid[0] && !valid[1] && valid[2] && memcmp(text[2], "a\0\xff", 4) == 0);
    CHECK(tr_table_column_str(t, 0, text, NULL, NULL, err) == TR_OK);
    CHECK_STR(text[0], "first");
    CHECK(tr_table_column_i64(t, 0, whole, NULL, err) == TR_USAGE);
    CHECK(tr_table_column_i64(t, 4, whole, NULL, err) == TR_USAGE);
    CHECK(tr_table_column_f64(t, 0, real, NULL, err) == TR_USAGE);
    CHECK(tr_table_column_f64(t, 6, real, NULL, err) == TR_USAGE);
    CHECK(tr_table_column_str(t, 1, text, NULL, NULL, err) == TR_USAGE);
    CHECK(tr_table_column_i64(NULL, 0, whole, NULL, err) == TR_USAGE);
    tr_report_free(r);
    tr_error_free(err);
}

static void test_table(void)
{
    struct tr_report *r = run_own(NULL, NULL);
    struct tr_error *err = tr_error_new();
    struct ArrowSchema s;
    struct ArrowArray a;
    int32_t n;
    CHECK(tr_table_arrow(tr_report_table(r, 0), &s, &a, err) == TR_OK);
    tr_report_free(r); /* they do not need it */
    CHECK(a.length == 3);
    CHECK_STR(all(&s, &a), "what spent_ns delta n share rate\n"
                           "first -1500 9223372036854775807 -1 12.5 1e+300\n"
                           "- - - - - -\n"
                           "a 0 0 0 0 -\n");
    CHECK_STR(s.children[3]->format, "L");
    const int64_t *at = a.children[0]->buffers[1];
    CHECK(at[3] - at[2] == 5 && memcmp((const char *)a.children[0]->buffers[2] + at[2], "a\0\xef\xbf\xbd", 5) == 0);
    memcpy(&n, s.children[0]->metadata, sizeof n); /* role and meaning; it has no unit */
    CHECK(n == 2);
    memcpy(&n, s.children[0]->metadata + 4, sizeof n);
    CHECK(n == 4 && memcmp(s.children[0]->metadata + 8, "role", 4) == 0);

    /* one column is taken out, as an importing library may: it lives longer than the others */
    struct ArrowSchema name = *s.children[0];
    struct ArrowArray names = *a.children[0];
    s.children[0]->release = NULL;
    a.children[0]->release = NULL;
    release(&s, &a);
    CHECK_STR(name.name, "what");
    CHECK(names.length == 3 && memcmp(names.buffers[2], "first", 5) == 0);
    release(&name, &names);

    /* the order and the choice of columns are those of the table; the unit is not */
    r = run_own("columns", "spent,what");
    CHECK(tr_table_arrow(tr_report_table(r, 0), &s, &a, err) == TR_OK);
    CHECK_STR(all(&s, &a), "spent_ns what\n-1500 first\n- -\n0 a\n");
    release(&s, &a);
    tr_report_free(r);
    CHECK(tr_table_arrow(NULL, &s, &a, err) == TR_USAGE);
    tr_error_free(err);
}

/* ---- events ---- */

static void test_batch(void)
{
    static const char *const some[] = { "ts", "end", "activity", "kind", "suspect", "rank", "host", "source", "context",
                                        "launch_ts", "api", "args.grid", "args.share", "args.kind" };
    struct made m;
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = make(&m, NULL);
    const struct tr_batch *b;
    struct ArrowSchema s;
    struct ArrowArray a;
    CHECK(tr_trace_select(t, "step", "1", err) == TR_OK && tr_trace_next(t, &b, err) == TR_OK);
    CHECK(tr_batch_arrow(b, NULL, NULL, 0, &s, &a, err) == TR_OK);
    CHECK_STR(all(&s, &a), "record ts_ns dur_ns phase name cat activity kind rank device stream pid tid process "
                           "thread\n"
                           "3 1000 900 span ProfilerStep - annotation - 4 - - 7 8 - main\n"
                           "4 1100 50 span launch - runtime_api - 4 - - 7 8 - main\n"
                           "5 1200 50 span first - kernel compute 4 2 5 7 5 - -\n");
    release(&s, &a);
    CHECK(tr_batch_arrow(b, some, NULL, 14, &s, &a, err) == TR_OK);
    CHECK_STR(all(&s, &a), "ts_ns end_ns activity kind suspect rank host source context launch_ts_ns api "
                           "args.grid args.share args.kind\n"
                           "1000 1900 annotation - - 4 node 0 - - - - - -\n"
                           "1100 1150 runtime_api - - 4 node 0 - - - - - -\n"
                           "1200 1250 kernel compute - 4 node 0 1 1100 launch 64 0.5 tile\n");
    tr_trace_close(t);
    release(&s, &a);

    static const char *const wanted[] = { "ts", "args.grid" }, *const others[] = { "dur", "colour", "lane" };
    t = make(&m, NULL);
    CHECK(tr_trace_want(t, wanted, 2, err) == TR_OK && tr_trace_next(t, &b, err) == TR_OK);
    CHECK(tr_batch_arrow(b, wanted, NULL, 2, &s, &a, err) == TR_OK);
    CHECK_STR(cell(&s, &a, 1, 2), "64");
    release(&s, &a);
    for (size_t i = 1; i < 3; i++)
        CHECK(tr_batch_arrow(b, &others[i], NULL, 1, &s, &a, err) == TR_USAGE);
    CHECK(tr_batch_dur(b) || tr_batch_arrow(b, others, NULL, 1, &s, &a, err) == TR_USAGE);
    tr_trace_close(t);
    tr_error_free(err);
}

static const char values[] =
    "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"a\",\"cat\":\"cpu_op\","
    "\"args\":{\"v\":-5,\"w\":\"12\",\"x\":true,\"big\":18446744073709551615}},"
    "{\"ph\":\"X\",\"ts\":2,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"b\",\"cat\":\"cpu_op\","
    "\"args\":{\"v\":0.25,\"w\":7,\"x\":null,\"h\":\"0x1f\"}},"
    "{\"ph\":\"X\",\"ts\":3,\"dur\":1,\"pid\":\"p\",\"tid\":\"q\",\"name\":\"c\",\"cat\":\"cpu_op\","
    "\"args\":{\"v\":\"text\",\"x\":[1,2]}}]";

static struct tr_trace *open_memory(const char *name, const void *bytes, size_t n, enum tr_status expected)
{
    const struct tr_memory_input one = { sizeof one, name, bytes, n }, *const list[] = { &one };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    CHECK(tr_trace_open_memory(&t, list, 1, NULL, err) == expected);
    CHECK((expected == TR_OK) == (t != NULL));
    tr_error_free(err);
    return t;
}

static void test_types(void)
{
    static const char *const fields[] = { "args.v", "args.w",    "args.x", "args.big",
                                          "args.h", "args.none", "pid",    "tid" };
    static const enum tr_cell types[] = { TR_CELL_INT, TR_CELL_DOUBLE, TR_CELL_STRING, TR_CELL_STRING,
                                          TR_CELL_STRING, TR_CELL_INT, TR_CELL_INT, TR_CELL_INT };
    struct tr_trace *t = open_memory("values", values, sizeof values - 1, TR_OK);
    struct tr_error *err = tr_error_new();
    const struct tr_batch *b;
    struct ArrowSchema s;
    struct ArrowArray a;
    CHECK(tr_trace_next(t, &b, err) == TR_OK);
    CHECK(tr_batch_arrow(b, fields, NULL, 8, &s, &a, err) == TR_OK);
    CHECK_STR(all(&s, &a), "args.v args.w args.x args.big args.h args.none pid tid\n"
                           "-5 12 true 1.84467e+19 - - 1 1\n"
                           "0.25 7 - - 0x1f - 1 1\n"
                           "text - [1,2] - - - - -\n");
    release(&s, &a);
    CHECK(tr_batch_arrow(b, fields, types, 8, &s, &a, err) == TR_OK);
    CHECK_STR(all(&s, &a), "args.v args.w args.x args.big args.h args.none pid tid\n"
                           "-5 12 true 18446744073709551615 - - 1 1\n"
                           "- 7 - - 0x1f - 1 1\n"
                           "- - [1,2] - - - - -\n");
    release(&s, &a);
    static const enum tr_cell wrong[] = { TR_CELL_TIME };
    CHECK(tr_batch_arrow(b, fields, wrong, 1, &s, &a, err) == TR_USAGE);
    tr_trace_close(t);
    tr_error_free(err);
}

/* ---- inputs in memory ---- */

static void test_memory(void)
{
    static const char one[] = "{\"distributedInfo\":{\"rank\":1},\"traceEvents\":["
                              "{\"ph\":\"X\",\"ts\":2,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"b\"}]}",
                      zero[] = "{\"distributedInfo\":{\"rank\":0},\"traceEvents\":["
                               "{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"a\"},"
                               "{\"ph\":\"X\",\"ts\":3,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"c\"}]}";
    const struct tr_memory_input a = { sizeof a, "-", one, sizeof one - 1 },
                                 b = { sizeof b, "-", zero, sizeof zero - 1 }, unset = { .size = 0 },
                                 nameless = { .size = sizeof nameless }, *const both[] = { &a, &b },
                                 *const wrong[] = { &unset }, *const none[] = { &nameless };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    const struct tr_batch *batch;
    struct tr_source_info source = { .size = sizeof source };
    CHECK(tr_trace_open_memory(&t, both, 2, NULL, err) == TR_OK && tr_trace_next(t, &batch, err) == TR_OK);
    CHECK(tr_batch_count(batch) == 3 && tr_batch_ts(batch)[1] == 2000);
    CHECK_STR(tr_dict_string(tr_batch_dict(batch), tr_batch_name(batch)[1], NULL), "b");
    CHECK(tr_trace_source(t, 0, &source) && tr_trace_source(t, 1, &source) && !tr_trace_source(t, 2, &source));
    tr_trace_close(t);
    CHECK(tr_trace_open_memory(&t, both, 0, NULL, err) == TR_USAGE && !t);
    CHECK(tr_trace_open_memory(&t, wrong, 1, NULL, err) == TR_USAGE && !t);
    CHECK(tr_trace_open_memory(&t, none, 1, NULL, err) == TR_USAGE && !t);
    open_memory("empty", "", 0, TR_DAMAGED);
    open_memory("text", "hello", 5, TR_DAMAGED);
    tr_error_free(err);
}

/* ---- errors ---- */

static void test_errors(void)
{
    static const unsigned char cut[] = "\x04\x22\x4d\x18\x64\x40\xa7\xff\xff\xff\xff" "aaaaaaaaaaaaaaaa";
    const struct tr_memory_input in = { sizeof in, "cut.lz4", cut, sizeof cut - 1 }, *const list[] = { &in };
    struct tr_error_info info = { .size = sizeof info };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    const char *path = "/no/such/file";
    tr_error_fields(err, &info);
    CHECK(info.status == TR_OK && info.sys_errno == 0 && info.offset == TR_I64_NONE);
    CHECK(!*info.input && !*info.place && !*info.what);
    CHECK(tr_trace_open(&t, &path, 1, NULL, err) == TR_SYSTEM);
    tr_error_fields(err, &info);
    CHECK(info.status == TR_SYSTEM && info.sys_errno == ENOENT && info.offset == TR_I64_NONE);
    CHECK_STR(info.input, path);
    CHECK_STR(info.what, "cannot open");
    tr_error_clear(err);
    CHECK(tr_trace_open_memory(&t, list, 1, NULL, err) == TR_DAMAGED);
    tr_error_fields(err, &info);
    CHECK(info.status == TR_DAMAGED && info.sys_errno == 0 && info.offset == 7);
    CHECK_STR(info.input, "cut.lz4");
    CHECK_STR(info.place, "compressed byte 7");
    tr_error_clear(err);
    CHECK(tr_fail_text(err, TR_COVERAGE, "100 %s of nothing") == TR_COVERAGE);
    tr_error_fields(err, &info);
    CHECK(info.status == TR_COVERAGE);
    CHECK_STR(info.what, "100 %s of nothing");
    /* a program that knows less of the struct gets less of it */
    struct tr_error_info early = { .size = offsetof(struct tr_error_info, offset), .offset = 5 };
    tr_error_fields(err, &early);
    CHECK(early.status == TR_COVERAGE && early.offset == 5);
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "whole columns of a table", test_columns },
    { "rows as a record batch", test_table },
    { "events as a record batch", test_batch },
    { "args of every type", test_types },
    { "inputs in memory", test_memory },
    { "the parts of an error", test_errors },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
