/* SPDX-License-Identifier: MIT */
/* Fields of events as text, TSV and JSON lines. */
#include "formats/text/tr_text_write.h"
#include "view_build.h"

static struct tr_buf write_all(const struct build *t, enum tr_text_format format,
                               enum tr_text_unit unit, const char *list, size_t step)
{
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_fields fields = { 0 };
    enum tr_status st = tr_fields_parse(&fields, list, &err);
    if (st == TR_OK) {
        struct tr_field_columns columns = { 0 };
        struct tr_text_writer *w = tr_text_writer_new(format, unit, &fields, &columns);
        need(w);
        for (size_t at = 0; st == TR_OK && at < t->batch->n;)
            st = tr_text_batch(w, t->batch, &at, at + step < t->batch->n ? at + step : t->batch->n,
                               &out, &err);
        if (st == TR_OK)
            st = tr_text_end(w, &out, &err);
        tr_text_writer_free(w);
        tr_field_columns_free(&columns);
    }
    if (st != TR_OK) {
        out.len = 0;
        need(tr_buf_add_str(&out, err.what));
    }
    tr_fields_free(&fields);
    return out;
}

static void expect(const struct build *t, enum tr_text_format format, enum tr_text_unit unit,
                   const char *list, const char *expected, const char *what)
{
    struct tr_buf out = write_all(t, format, unit, list, SIZE_MAX / 2);
    same(&out, expected, what);
    tr_buf_free(&out);
}

/* A host launch, a kernel that it launched, and a counter with an odd name. */
static void fill(struct build *t)
{
    build_start(t);
    uint32_t src = source(t, 3);
    t->dict->sources[src].host = str(t, "node7");
    usual(t, true, true);
    role(t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(t, TR_PLACE_ARGS, "correlation", TR_T_INT);
    member(t, TR_PLACE_ARGS, "External id", TR_T_INT);
    uint32_t api = shape(t, 'X');
    usual(t, true, true);
    member(t, TR_PLACE_TOP, "s", TR_T_STRING);
    role(t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(t, TR_PLACE_ARGS, "correlation", TR_T_STRING);
    member(t, TR_PLACE_ARGS, "queued", TR_T_TRUE);
    member(t, TR_PLACE_ARGS, "ratio", TR_T_DOUBLE);
    uint32_t kernel = shape(t, 'X');
    usual(t, false, false);
    uint32_t counter = shape(t, 'C');
    uint32_t host = track(t, src, 100, 101, TR_TIME_NONE, TR_TIME_NONE);
    uint32_t gpu = track(t, src, 0, 7, 2, 7);
    t->dict->tracks[gpu].thread_name = str(t, "stream 7");

    size_t e = event(t, api, host, "cudaLaunchKernel", 1000, 5500);
    t->batch->activity[e] = TR_ACT_RUNTIME_API;
    t->batch->flags[e] = TR_HAS_DEVICE;
    put_at(t, 8, 41);
    put_at(t, 9, 9);
    put(t, TR_COL_N_DEVICE, 1);

    e = event(t, kernel, gpu, "void gemm<float, \"x\">(int)", 1234567, 89);
    t->batch->cat[e] = str(t, "kernel");
    t->batch->activity[e] = TR_ACT_KERNEL;
    t->batch->kind[e] = TR_KIND_COMPUTE;
    t->batch->flags[e] = TR_HAS_LAUNCH;
    put_str_at(t, 7, "t");
    put_str_at(t, 9, "41");
    double ratio = 0.25;
    int64_t bits;
    memcpy(&bits, &ratio, sizeof bits);
    put_at(t, 11, bits);
    put(t, TR_COL_LAUNCH_TS, 1000);
    put(t, TR_COL_LAUNCH_DUR, TR_TIME_NONE);
    put(t, TR_COL_LAUNCH_RECORD, 0);
    put(t, TR_COL_LAUNCH_TRACK, host);
    put(t, TR_COL_LAUNCH_NAME, str(t, "cudaLaunchKernel"));

    e = event(t, counter, host, "a\tb\\c\n\x1b\xff", -1, TR_TIME_NONE);
    t->batch->phase[e] = TR_COUNTER;
    t->batch->suspect[e] = TR_SUSPECT_BEFORE_BASE;
}

static void tsv(const struct build *t)
{
    expect(t, TR_TEXT_TSV, TR_TEXT_NS, "rank,device,stream,ts,dur,end,phase,activity,kind,name",
           "rank\tdevice\tstream\tts_ns\tdur_ns\tend_ns\tphase\tactivity\tkind\tname\n"
           "3\t\t\t1000\t5500\t6500\tspan\truntime_api\t\tcudaLaunchKernel\n"
           "3\t2\t7\t1234567\t89\t1234656\tspan\tkernel\tcompute\tvoid gemm<float, \"x\">(int)\n"
           "3\t\t\t-1\t\t\tcounter\tother\t\ta\\tb\\\\c\\n\\x1b\\xff\n",
           "tsv: fixed fields in ns");
    expect(t, TR_TEXT_TSV, TR_TEXT_US, "ts,launch_ts,launch_dur,launch_record,api,n_device",
           "ts_us\tlaunch_ts_us\tlaunch_dur_us\tlaunch_record\tapi\tn_device\n"
           "1.000\t\t\t\t\t1\n1234.567\t1.000\t\t0\tcudaLaunchKernel\t\n-0.001\t\t\t\t\t\n",
           "tsv: the launch, in us");
    expect(t, TR_TEXT_TSV, TR_TEXT_S,
           "dur,pid,tid,thread,host,suspect,cat,record,source,context,class",
           "dur_s\tpid\ttid\tthread\thost\tsuspect\tcat\trecord\tsource\tcontext\tclass\n"
           "0.000005500\t100\t101\t\tnode7\t\t\t0\t0\t\t\n"
           "0.000000089\t0\t7\tstream 7\tnode7\t\tkernel\t1\t0\t\t\n"
           "\t100\t101\t\tnode7\tbefore_base\t\t2\t0\t\t\n",
           "tsv: track and source, in s");
    expect(t, TR_TEXT_TSV, TR_TEXT_US,
           "correlation, args.correlation , args.\"External id\",args.External "
           "id,args.ratio,args.queued,args,members",
           "correlation\targs.correlation\targs.External id\targs.External "
           "id\targs.ratio\targs.queued\t"
           "args\tmembers\n"
           "41\t41\t9\t9\t\t\t{\"correlation\":41,\"External id\":9}\t\n"
           "41\t41\t\t\t0.25\ttrue\t{\"correlation\":\"41\",\"queued\":true,\"ratio\":0.25}\t{"
           "\"s\":\"t\"}\n"
           "\t\t\t\t\t\t\t\n",
           "tsv: args, one by one and whole");
}

static void json(const struct build *t)
{
    static const char *const list =
        "rank,source,ts,dur,kind,name,correlation,args,launch_record?,members?";
    expect(t, TR_TEXT_JSONL, TR_TEXT_NS, list,
           "{\"rank\":3,\"source\":0,\"ts_ns\":1000,\"dur_ns\":5500,\"kind\":null,"
           "\"name\":\"cudaLaunchKernel\",\"correlation\":41,"
           "\"args\":{\"correlation\":41,\"External id\":9}}\n"
           "{\"rank\":3,\"source\":0,\"ts_ns\":1234567,\"dur_ns\":89,\"kind\":\"compute\","
           "\"name\":\"void gemm<float, \\\"x\\\">(int)\",\"correlation\":\"41\","
           "\"args\":{\"correlation\":\"41\",\"queued\":true,\"ratio\":0.25},\"launch_record\":0,"
           "\"members\":{\"s\":\"t\"}}\n"
           "{\"rank\":3,\"source\":0,\"ts_ns\":-1,\"dur_ns\":null,\"kind\":null,"
           "\"name\":\"a\\tb\\\\c\\n\\u001b\xef\xbf\xbd\",\"correlation\":null,\"args\":null}\n",
           "jsonl");
    expect(
        t, TR_TEXT_JSON, TR_TEXT_US, "ts,args.\"a\\\"b\"",
        "[\n{\"ts_us\":1.000,\"args.a\\\"b\":null},\n{\"ts_us\":1234.567,\"args.a\\\"b\":null},\n"
        "{\"ts_us\":-0.001,\"args.a\\\"b\":null}\n]\n",
        "json, a key in quotes");
}

static void text(const struct build *t)
{
    expect(
        t, TR_TEXT_ALIGNED, TR_TEXT_US, "rank,stream,ts,activity,name,n_device,args.queued",
        "rank  stream     ts_us  activity     name                        n_device  args.queued\n"
        "   3       -     1.000  runtime_api  cudaLaunchKernel                   1  -\n"
        "   3       7  1234.567  kernel       void gemm<float, \"x\">(int)         -  true\n"
        "   3       -    -0.001  other        a\\x09b\\c\\x0a\\x1b\\xff               -  -\n",
        "text: aligned, escaped");
    struct tr_buf out = write_all(t, TR_TEXT_ALIGNED, TR_TEXT_MS, "name,ts", 1);
    same(&out,
         "name                 ts_ms\n"
         "cudaLaunchKernel  0.001000\n"
         "void gemm<float, \"x\">(int)  1.234567\n"
         "a\\x09b\\c\\x0a\\x1b\\xff        -0.000001\n",
         "text: columns grow on the way");
    tr_buf_free(&out);
}

static void long_names(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, -1);
    usual(&t, false, true);
    uint32_t s = shape(&t, 'X');
    uint32_t k = track(&t, src, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    char name[101], expected[400];
    for (int i = 0; i < 50; i++)
        memcpy(name + 2 * i, "\xc3\xa9", 2);
    name[100] = 0;
    event(&t, s, k, name, 0, 0);
    snprintf(expected, sizeof expected, "name%46s  rank\n%s     -\n", "", name);
    expect(&t, TR_TEXT_ALIGNED, TR_TEXT_US, "name,rank", expected,
           "text: width in characters, not bytes");
    char longer[2 * 81 + 1];
    for (int i = 0; i < 81; i++)
        memcpy(longer + 2 * i, "\xc3\xa9", 2);
    longer[162] = 0;
    t.batch->name[0] = str(&t, longer);
    snprintf(expected, sizeof expected, "name%76s  rank\n%.154s...     -\n", "", longer);
    expect(&t, TR_TEXT_ALIGNED, TR_TEXT_US, "name,rank", expected, "text: too long for a column");
    snprintf(expected, sizeof expected, "rank  name\n   -  %s\n", longer);
    expect(&t, TR_TEXT_ALIGNED, TR_TEXT_US, "rank,name", expected,
           "text: but not for the last one");
    build_end(&t);
}

static void joined(void)
{
    struct build t;
    build_start(&t);
    uint32_t src = source(&t, 0);
    role(&t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    role(&t, "args", TR_ROLE_ARGS, TR_T_JSON);
    member(&t, TR_PLACE_ARGS, "both", TR_T_INT);
    member(&t, TR_PLACE_ARGS, "begin", TR_T_INT);
    role(&t, "", TR_ROLE_END, TR_T_NULL);
    member(&t, TR_PLACE_END_TOP, "name", TR_T_STRING);
    member(&t, TR_PLACE_END_ARGS, "both", TR_T_INT);
    uint32_t s = shape(&t, 'B');
    uint32_t k = track(&t, src, 0, 0, TR_TIME_NONE, TR_TIME_NONE);
    size_t e = event(&t, s, k, "f", 1000, 500);
    t.batch->flags[e] = TR_FROM_BE;
    put(&t, TR_COL_END_RECORD, 3);
    put_at(&t, 2, 1);
    put_at(&t, 3, 2);
    put_str_at(&t, 5, "f");
    put_at(&t, 6, 3);
    expect(&t, TR_TEXT_JSONL, TR_TEXT_NS, "args.both,args.begin,args,members?",
           "{\"args.both\":3,\"args.begin\":2,\"args\":{\"begin\":2,\"both\":3}}\n",
           "a joined span has the args of both, the E's win");
    build_end(&t);
}

/* The message says which field is none, and which there are. */
static void expect_unknown(const struct build *t, const char *list, const char *start)
{
    struct tr_buf out = write_all(t, TR_TEXT_TSV, TR_TEXT_US, list, SIZE_MAX / 2);
    size_t n = strlen(start);
    bool good = out.len > n && memcmp(out.data, start, n) == 0;
    ok(good && tr_str_has((struct tr_str){ (const char *)out.data, out.len }, tr_str_of(": there are name cat ")),
       start);
    tr_buf_free(&out);
}

static void nothing(void)
{
    struct build t;
    build_start(&t);
    expect(&t, TR_TEXT_ALIGNED, TR_TEXT_US, "ts,name", "ts_us  name\n", "text without events");
    expect(&t, TR_TEXT_TSV, TR_TEXT_US, "ts,name", "ts_us\tname\n", "tsv without events");
    expect(&t, TR_TEXT_JSONL, TR_TEXT_US, "ts,name", "", "jsonl without events");
    expect(&t, TR_TEXT_JSON, TR_TEXT_US, "ts,name", "[\n]\n", "json without events");
    expect_unknown(&t, "ts,nam", "unknown field 'nam'");
    expect(&t, TR_TEXT_TSV, TR_TEXT_US, "ts,", "an empty name in the list of fields",
           "an empty field");
    expect_unknown(&t, "args.", "unknown field 'args.'");
    expect(&t, TR_TEXT_TSV, TR_TEXT_US, "args.\"x", "a quote without end in the list of fields",
           "an open quote");
    build_end(&t);
}

int main(void)
{
    struct build t;
    fill(&t);
    tsv(&t);
    json(&t);
    text(&t);
    build_end(&t);
    long_names();
    joined();
    nothing();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
