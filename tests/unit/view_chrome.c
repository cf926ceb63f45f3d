/* SPDX-License-Identifier: MIT */
/* Chrome JSON: one source comes out as it went in, several come out apart from each other. */
#include "formats/chrome/tr_chrome_write.h"
#include "view_build.h"

/* All events of a batch and what stands around them, in steps of step events. */
static struct tr_buf chrome(const struct build *t, size_t n_sources, size_t step)
{
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_chrome_writer *w = tr_chrome_writer_new(t->dict, n_sources);
    need(w);
    enum tr_status st = TR_OK;
    for (size_t at = 0; st == TR_OK && at < t->batch->n;)
        st = tr_chrome_batch(w, t->batch, &at, at + step < t->batch->n ? at + step : t->batch->n,
                             &out, &err);
    if (st == TR_OK)
        st = tr_chrome_end(w, &out, &err);
    if (st != TR_OK) {
        out.len = 0;
        need(tr_buf_add_str(&out, err.what));
    }
    tr_chrome_writer_free(w);
    return out;
}

static void expect(const struct build *t, size_t n_sources, const char *expected, const char *what)
{
    struct tr_buf out = chrome(t, n_sources, SIZE_MAX / 2);
    same(&out, expected, what);
    tr_buf_free(&out);
}

static void members(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0);
    header(&t, src, "schemaVersion", "1");
    header(&t, src, "a \"key\"", "{\n  \"x\": [1, NaN]\n}");
    t.dict->sources[src].events_at = 1;
    usual(&t, true, true);
    role(&t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(&t, TR_PLACE_ARGS, "int", TR_T_INT);
    member(&t, TR_PLACE_ARGS, "uint", TR_T_UINT);
    member(&t, TR_PLACE_ARGS, "dec", TR_T_DECIMAL);
    member(&t, TR_PLACE_ARGS, "dbl", TR_T_DOUBLE);
    member(&t, TR_PLACE_ARGS, "str", TR_T_STRING);
    member(&t, TR_PLACE_ARGS, "json", TR_T_JSON);
    member(&t, TR_PLACE_ARGS, "num", TR_T_NUMBER);
    member(&t, TR_PLACE_ARGS, "yes", TR_T_TRUE);
    member(&t, TR_PLACE_ARGS, "no", TR_T_FALSE);
    member(&t, TR_PLACE_ARGS, "none", TR_T_NULL);
    member(&t, TR_PLACE_TOP, "s", TR_T_STRING);
    uint32_t full = shape(&t, 'X');
    role(&t, "name", TR_ROLE_NAME, TR_T_STRING);
    role(&t, "args", TR_ROLE_ARGS, TR_T_JSON);
    role(&t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    uint32_t empty = shape(&t, 'M');
    uint32_t k = track(&t, src, 12, -7, TR_TIME_NONE, TR_TIME_NONE);
    double d = 1e-7;
    int64_t bits;
    memcpy(&bits, &d, sizeof bits);
    for (int i = 0; i < 2; i++) {
        size_t e = event(&t, full, k, "op\n", 1234567 * i, 1000 + i);
        t.batch->cat[e] = str(&t, "cpu_op");
        put_at(&t, 8, -5 - i);
        put_at(&t, 9, -1);
        put_at(&t, 10, tr_decimal_make(1234, 2));
        put_at(&t, 11, bits);
        put_str_at(&t, 12, i ? "quo\"te" : "plain");
        put_str_at(&t, 13, "[[1, 2],\n []]");
        put_str_at(&t, 14, i ? "NaN" : "03");
        put_str_at(&t, 18, "t");
        event(&t, empty, k, "m", TR_TIME_NONE, TR_TIME_NONE);
    }
    static const char *const expected =
        "{\n\"schemaVersion\": 1,\n\"traceEvents\": [\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\\n\",\"pid\":12,\"tid\":-7,\"ts\":0,"
        "\"dur\":1,"
        "\"args\":{\"int\":-5,\"uint\":18446744073709551615,\"dec\":12.34,\"dbl\":1e-07,\"str\":"
        "\"plain\","
        "\"json\":[[1, 2], []],\"num\":3,\"yes\":true,\"no\":false,\"none\":null},\"s\":\"t\"},\n"
        "{\"name\":\"m\",\"args\":{},\"ph\":\"M\"},\n"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\\n\",\"pid\":12,\"tid\":-7,\"ts\":1234.567,"
        "\"dur\":1.001,\"args\":{\"int\":-6,\"uint\":18446744073709551615,\"dec\":12.34,\"dbl\":1e-"
        "07,"
        "\"str\":\"quo\\\"te\",\"json\":[[1, 2], []],\"num\":\"NaN\",\"yes\":true,\"no\":false,"
        "\"none\":null},\"s\":\"t\"},\n"
        "{\"name\":\"m\",\"args\":{},\"ph\":\"M\"}\n"
        "],\n\"a \\\"key\\\"\": {\n  \"x\": [1, \"NaN\"]\n}\n}\n";
    expect(&t, 1, expected, "every type of member, in the order of the shape, with header members");
    struct tr_buf out = chrome(&t, 1, 1);
    same(&out, expected, "the same one event at a time");
    tr_buf_free(&out);
    build_end(&t);
}

static void containers(void)
{
    struct build t;
    build_start(&t);
    expect(&t, 0, "{\n\"traceEvents\": [\n]\n}\n", "a stream without sources");
    uint32_t src = source(&t, -1);
    t.dict->sources[src].bare_array = 1;
    expect(&t, 1, "[\n]\n", "a bare array without events");
    role(&t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    uint32_t s = shape(&t, '"');
    uint32_t nothing = shape(&t, 'X');
    uint32_t k = track(&t, src, 0, 0, TR_TIME_NONE, TR_TIME_NONE);
    event(&t, s, k, "", 0, TR_TIME_NONE);
    event(&t, nothing, k, "", 0, TR_TIME_NONE);
    expect(&t, 1, "[\n{\"ph\":\"\\\"\"},\n{}\n]\n", "a bare array, odd events");
    source(&t, 1);
    t.batch->track[1] = track(&t, 1, 0, 0, TR_TIME_NONE, TR_TIME_NONE);
    expect(&t, 1, "a second source appears where one was announced",
           "a source that was not announced");
    build_end(&t);
}

static void numbers_in_quotes(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0);
    role(&t, "ts", TR_ROLE_TS, TR_T_STRING);
    role(&t, "dur", TR_ROLE_DUR, TR_T_STRING);
    role(&t, "pid", TR_ROLE_PID, TR_T_STRING);
    role(&t, "tid", TR_ROLE_TID, TR_T_STRING);
    uint32_t s = shape(&t, 'X');
    role(&t, "pid", TR_ROLE_PID, TR_T_STRING);
    uint32_t named = shape(&t, 'X');
    uint32_t k = track(&t, src, 5, 6, TR_TIME_NONE, TR_TIME_NONE);
    uint32_t spans = track(&t, src, 0, 6, TR_TIME_NONE, TR_TIME_NONE);
    t.dict->tracks[spans].pid_type = TR_T_STRING;
    t.dict->tracks[spans].pid = str(&t, "Spans");
    event(&t, s, k, "", 1500, 20);
    event(&t, named, spans, "", 0, 0);
    expect(&t, 1,
           "{\n\"traceEvents\": [\n{\"ts\":\"1.5\",\"dur\":\"0.02\",\"pid\":\"5\",\"tid\":\"6\"},\n"
           "{\"pid\":\"Spans\"}\n]\n}\n",
           "numbers that stood in quotes, and names for pids");
    build_end(&t);
}

static void time_bases(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0);
    struct tr_source *s = &t.dict->sources[src];
    s->has_base = 1;
    s->base_ns = 5000;
    s->file_base_ns = 2000;
    role(&t, "ts", TR_ROLE_TS, TR_T_INT);
    uint32_t plain = shape(&t, 'X');
    member(&t, TR_PLACE_TOP, "ts", TR_T_DECIMAL);
    member(&t, TR_PLACE_TOP, "dur", TR_T_NUMBER);
    uint32_t exact = shape(&t, 'X');
    uint32_t k = track(&t, src, 0, 0, TR_TIME_NONE, TR_TIME_NONE);
    event(&t, plain, k, "", 10, TR_TIME_NONE);
    event(&t, exact, k, "", 10, 2001);
    put_at(&t, 0, tr_decimal_make(30104, 4));
    put_str_at(&t, 1, "2.00065");
    event(&t, exact, k, "", 500, 2002);
    put_at(&t, 0, tr_decimal_make(30104, 4));
    put_str_at(&t, 1, "1.00065");
    expect(&t, 1,
           "{\n\"traceEvents\": [\n{\"ts\":3.01},\n{\"ts\":3.0104,\"dur\":2.00065},\n"
           "{\"ts\":3.5,\"dur\":2.002}\n]\n}\n",
           "times count from the base of the file; exact text holds while it agrees");
    t.batch->ts[0] = INT64_MAX;
    expect(&t, 1, "record 0: time out of range", "a time that leaves its range");
    build_end(&t);
}

/* The shape of a span joined from B and E; returns its number. */
static uint32_t joined_shape(struct build *t)
{
    role(t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    role(t, "ts", TR_ROLE_TS, TR_T_INT);
    role(t, "name", TR_ROLE_NAME, TR_T_STRING);
    role(t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(t, TR_PLACE_ARGS, "a", TR_T_INT);
    role(t, "", TR_ROLE_END, TR_T_NULL);
    t->slots[t->n_slots - 1].place = TR_PLACE_END_TOP;
    member(t, TR_PLACE_END_TOP, "name", TR_T_STRING);
    role(t, "args", TR_ROLE_ARGS, TR_T_JSON);
    t->slots[t->n_slots - 1].place = TR_PLACE_END_TOP;
    member(t, TR_PLACE_END_ARGS, "a", TR_T_INT);
    member(t, TR_PLACE_END_TOP, "ts", TR_T_DECIMAL);
    role(t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    t->slots[t->n_slots - 1].place = TR_PLACE_END_TOP;
    return shape(t, 'B');
}

static void start_and_end(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0);
    uint32_t s = joined_shape(&t);
    uint32_t k = track(&t, src, 0, 0, TR_TIME_NONE, TR_TIME_NONE);
    for (int i = 0; i < 2; i++) {
        size_t e = event(&t, s, k, "f", 1000 + i, 500);
        t.batch->flags[e] = TR_FROM_BE;
        put(&t, TR_COL_END_RECORD, 3);
        put_at(&t, 4, i);
        put_str_at(&t, 6, "g");
        put_at(&t, 8, 7);
        put_at(&t, 9, tr_decimal_make(15004, 4));
    }
    expect(&t, 1,
           "{\n\"traceEvents\": [\n"
           "{\"ph\":\"B\",\"ts\":1,\"name\":\"f\",\"args\":{\"a\":0}},\n"
           "{\"name\":\"g\",\"args\":{\"a\":7},\"ts\":1.5004,\"ph\":\"E\"},\n"
           "{\"ph\":\"B\",\"ts\":1.001,\"name\":\"f\",\"args\":{\"a\":1}},\n"
           "{\"name\":\"g\",\"args\":{\"a\":7},\"ts\":1.501,\"ph\":\"E\"}\n]\n}\n",
           "a joined span is written as B and E");
    source(&t, 1);
    t.batch->n = 1;
    expect(&t, 2,
           "{\n\"traceEvents\": [\n"
           "{\"ph\":\"B\",\"ts\":1,\"name\":\"f\",\"args\":{\"a\":0},\"pid\":0},\n"
           "{\"name\":\"g\",\"args\":{\"a\":7},\"ts\":1.5004,\"ph\":\"E\",\"pid\":0},\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,"
           "\"args\":{\"name\":\"rank 0: process 0\"}},\n"
           "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":0,\"args\":{\"sort_index\":0}}\n"
           "],\n\"tracepipeSources\": [\n"
           "{\"rank\":0,\"name\":null,\"host\":null,\"header\":{}},\n"
           "{\"rank\":1,\"name\":null,\"host\":null,\"header\":{}}\n]\n}\n",
           "both get the pid of the file for viewers");
    build_end(&t);
}

static void two_sources(void)
{
    struct build t;
    build_start(&t);
    for (int i = 0; i < 3; i++) {
        uint32_t src = source(&t, i < 2 ? 1 : -1);
        header(&t, src, "baseTimeNanoseconds", i ? "6000" : "8000");
        header(&t, src, "who", i ? "[2]" : "[1]");
        t.dict->sources[src].events_at = 1;
        t.dict->sources[src].has_base = i < 2;
        t.dict->sources[src].file_base_ns = t.dict->sources[src].base_ns = i ? 6000 : 8000;
    }
    role(&t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    role(&t, "pid", TR_ROLE_PID, TR_T_INT);
    member(&t, TR_PLACE_TOP, "id", TR_T_INT);
    role(&t, "ts", TR_ROLE_TS, TR_T_INT);
    role(&t, "args", TR_ROLE_ARGS, TR_T_JSON);
    uint32_t flow = shape(&t, 's');
    role(&t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    member(&t, TR_PLACE_TOP, "id", TR_T_STRING);
    member(&t, TR_PLACE_TOP, "id2", TR_T_JSON);
    uint32_t async = shape(&t, 'b');
    role(&t, "name", TR_ROLE_NAME, TR_T_STRING);
    role(&t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(&t, TR_PLACE_ARGS, "name", TR_T_STRING);
    uint32_t meta = shape(&t, 'M');
    for (uint32_t src = 0; src < 3; src++) {
        uint32_t k = track(&t, src, 7, 1, TR_TIME_NONE, TR_TIME_NONE);
        event(&t, flow, k, "f", 100, TR_TIME_NONE);
        put_at(&t, 2, 17);
        size_t e = event(&t, meta, k, "process_name", TR_TIME_NONE, TR_TIME_NONE);
        put_str_at(&t, 2, "python");
        t.batch->phase[e] = TR_META;
        t.dict->tracks[k].process_name = src ? TR_NO_STR : str(&t, "python");
        event(&t, async, k, "a", 200, TR_TIME_NONE);
        put_str_at(&t, 1, src ? "x" : "0x11");
        put_str_at(&t, 2, "{\"global\":1}");
    }
    expect(&t, 3,
           "{\n\"baseTimeNanoseconds\": 6000,\n\"traceEvents\": [\n"
           "{\"ph\":\"s\",\"pid\":10000007,\"id\":17,\"ts\":2.1,\"args\":{}},\n"
           "{\"ph\":\"b\",\"id\":17,\"id2\":{\"global\":1},\"pid\":10000007,\"scope\":\"0:\"},\n"
           "{\"ph\":\"s\",\"pid\":3000000000,\"id\":1099511627793,\"ts\":0.1,\"args\":{}},\n"
           "{\"ph\":\"b\",\"id\":4503599627370496,\"id2\":{\"global\":1},\"pid\":3000000000,"
           "\"scope\":\"1:\"},\n"
           "{\"ph\":\"s\",\"pid\":3000000001,\"id\":2199023255569,\"ts\":0.1,\"args\":{}},\n"
           "{\"ph\":\"b\",\"id\":4503599627370497,\"id2\":{\"global\":1},\"pid\":3000000001,"
           "\"scope\":\"2:\"},\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":10000007,"
           "\"args\":{\"name\":\"rank 1 (source 0): python\"}},\n"
           "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":10000007,\"args\":{\"sort_"
           "index\":0}},\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3000000000,"
           "\"args\":{\"name\":\"rank 1 (source 1): process 7\"}},\n"
           "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":3000000000,"
           "\"args\":{\"sort_index\":1}},\n"
           "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":3000000001,"
           "\"args\":{\"name\":\"source 2: process 7\"}},\n"
           "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":3000000001,"
           "\"args\":{\"sort_index\":2}}\n"
           "],\n\"who\": [1],\n\"tracepipeSources\": [\n"
           "{\"rank\":1,\"name\":null,\"host\":null,\"header\":{\"baseTimeNanoseconds\":8000,"
           "\"who\":[1]}},\n"
           "{\"rank\":1,\"name\":null,\"host\":null,\"header\":{\"baseTimeNanoseconds\":6000,"
           "\"who\":[2]}},\n"
           "{\"rank\":null,\"name\":null,\"host\":null,"
           "\"header\":{\"baseTimeNanoseconds\":6000,\"who\":[2]}}\n]\n}\n",
           "several sources: pids, ids, names, time base, headers");
    build_end(&t);
}

int main(void)
{
    members();
    containers();
    numbers_in_quotes();
    time_bases();
    start_and_end();
    two_sources();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
