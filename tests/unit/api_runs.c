/* SPDX-License-Identifier: MIT */
/* The public interface: partial results, comparisons, streams of Arrow, and four threads that do all of it at once. */
#include "tracepipe.h"

#include "harness/tap.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *v;
    size_t n;
};

static enum tr_status put(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    struct text *t = ctx;
    char *grown = realloc(t->v, t->n + n + 1);
    if (!grown)
        return tr_fail_memory(err);
    t->v = grown;
    memcpy(t->v + t->n, bytes, n);
    t->n += n;
    t->v[t->n] = '\0';
    return TR_OK;
}

/* A rank with kernels of two names, each SCALE us longer than the last; the last event has another type of args. */
static struct text job(int rank, int scale, int n_kernels)
{
    struct text t = { NULL, 0 };
    char line[300];
    int n = snprintf(line, sizeof line, "{\"distributedInfo\":{\"rank\":%d},\"traceEvents\":[", rank);
    put(&t, line, (size_t)n, NULL);
    for (int i = 0; i < n_kernels; i++)
        put(&t, line, (size_t)snprintf(line, sizeof line,
                                       "%s{\"ph\":\"X\",\"ts\":%d,\"dur\":%d,\"pid\":0,\"tid\":7,\"name\":\"%s\","
                                       "\"cat\":\"kernel\",\"args\":{\"device\":0,\"stream\":7,\"n\":%s%d%s}}",
                                       i ? "," : "", 100 * i, scale + i % 3, i % 2 ? "gemm" : "add",
                                       i + 1 == n_kernels ? "\"last " : "", i, i + 1 == n_kernels ? "\"" : ""), NULL);
    put(&t, "]}", 2, NULL);
    return t;
}

static struct tr_trace *open_texts(const struct text *texts, size_t n)
{
    struct tr_memory_input inputs[4];
    const struct tr_memory_input *list[4];
    char names[4][10];
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    char text[1400];
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "input %zu", i);
        inputs[i] = (struct tr_memory_input){ sizeof inputs[i], names[i], texts[i].v, texts[i].n };
        list[i] = &inputs[i];
    }
    CHECK(tr_trace_open_memory(&t, list, n, NULL, err) == TR_OK);
    CHECK_STR(tr_error_text(err, text, sizeof text), "");
    tr_error_free(err);
    return t;
}

/* What a report of one analysis prints, of traces or of partial results; name NULL: what was saved. */
static struct text printed(const struct text *texts, size_t n, const char *name)
{
    struct text out = { NULL, 0 };
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct tr_trace *t = open_texts(texts, n);
    CHECK((name ? tr_report_add(r, name, err) : tr_report_add_saved(r, t, err)) == TR_OK);
    CHECK_STR(tr_report_name(r, 0), name ? name : "breakdown.kernel");
    CHECK(!tr_report_name(r, 1));
    CHECK(tr_report_run(r, t, err) == TR_OK);
    tr_trace_close(t); /* tables belong to the report alone */
    CHECK(tr_table_print(tr_report_table(r, 0), "tsv", put, &out, err) == TR_OK);
    tr_report_free(r);
    tr_error_free(err);
    return out;
}

static struct text saved(const struct text *texts, size_t n, const char *name)
{
    struct text out = { NULL, 0 };
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct tr_trace *t = open_texts(texts, n);
    CHECK((name ? tr_report_add(r, name, err) : tr_report_add_saved(r, t, err)) == TR_OK);
    CHECK(!name || tr_report_set(r, "per", "all", err) == TR_OK);
    CHECK(tr_report_save(r, t, put, &out, err) == TR_OK);
    CHECK(!tr_report_table(r, 0) && tr_report_save(r, t, put, &out, err) == TR_USAGE);
    tr_report_free(r);
    tr_trace_close(t);
    tr_error_free(err);
    return out;
}

static void test_partials(void)
{
    struct text ranks[] = { job(0, 10, 9), job(1, 20, 9), job(2, 30, 9) };
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    struct text parts[4] = { { NULL, 0 } }, two, merged[2], want, have;
    for (int i = 0; i < 3; i++)
        parts[i] = saved(&ranks[i], 1, "breakdown.kernel");
    want = printed(ranks, 3, "breakdown.kernel");
    CHECK(strstr(want.v, "gemm"));
    free(want.v);

    /* merged in two steps, and all at once */
    two = saved(&parts[1], 2, NULL);
    merged[0] = two;
    merged[1] = parts[0];
    have = printed(merged, 2, NULL);
    want = printed(parts, 3, NULL);
    CHECK_STR(have.v, want.v);
    CHECK(strstr(want.v, "\t15\t") && strstr(want.v, "\t12\t")); /* add and gemm on all ranks */

    /* beside events */
    merged[1] = ranks[0];
    free(have.v);
    have = printed(merged, 2, NULL);
    CHECK_STR(have.v, want.v);

    /* what is not there, and what cannot be saved */
    struct tr_trace *t = open_texts(ranks, 1);
    CHECK(tr_report_add_saved(r, t, err) == TR_USAGE);
    tr_error_clear(err);
    CHECK(tr_report_save(r, t, put, &have, err) == TR_USAGE);
    CHECK(tr_report_add(r, "breakdown.kernel", err) == TR_OK && tr_report_set(r, "top", "1", err) == TR_OK);
    CHECK(tr_report_save(r, t, put, &have, err) == TR_USAGE);
    tr_report_free(r);
    tr_trace_close(t);
    r = tr_report_new();
    t = open_texts(parts, 3);
    CHECK(tr_report_add(r, "breakdown.time", err) == TR_OK && tr_report_run(r, t, err) == TR_DAMAGED);
    tr_trace_close(t);
    tr_report_free(r);
    for (int i = 0; i < 3; i++) {
        free(parts[i].v);
        free(ranks[i].v);
    }
    free(two.v);
    free(have.v);
    free(want.v);
    tr_error_free(err);
}

/* A partial result says of which events it is, and is loaded for the same ones. */
static void test_selection(void)
{
    static const char where[] = "name == \"gemm\" && dur > 1us";
    struct text rank = job(0, 10, 9), part = { NULL, 0 };
    struct tr_error *err = tr_error_new();
    for (int loads = 0; loads < 3; loads++) {
        struct tr_report *r = tr_report_new();
        struct tr_trace *t = open_texts(loads ? &part : &rank, 1);
        CHECK(tr_report_add(r, "breakdown.kernel", err) == TR_OK);
        CHECK(tr_trace_select(t, "where", loads == 2 ? "dur > 1us" : where, err) == TR_OK);
        if (!loads)
            CHECK(tr_report_save(r, t, put, &part, err) == TR_OK);
        else
            CHECK(tr_report_run(r, t, err) == (loads == 1 ? TR_OK : TR_DAMAGED));
        CHECK(loads != 1 || tr_table_row_count(tr_report_table(r, 0)) == 1);
        tr_report_free(r);
        tr_trace_close(t);
    }
    free(rank.v);
    free(part.v);
    tr_error_free(err);
}

/* ---- comparisons ---- */

static struct text compared(const struct text *runs, const struct tr_compare_options *options, bool headline)
{
    struct text out = { NULL, 0 };
    struct tr_error *err = tr_error_new();
    struct tr_trace *base = open_texts(&runs[0], 1), *test = open_texts(&runs[1], 1);
    struct tr_comparison *c;
    CHECK(tr_compare(&c, base, test, options, err) == TR_OK);
    tr_trace_close(base);
    tr_trace_close(test);
    CHECK(tr_table_print(headline ? tr_comparison_headline(c) : tr_comparison_rows(c), "tsv", put, &out, err) == TR_OK);
    tr_comparison_free(c);
    tr_error_free(err);
    return out;
}

static void test_compare(void)
{
    struct text runs[] = { job(0, 10, 9), job(0, 20, 9) }, out;
    struct tr_compare_options o = TR_COMPARE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct tr_comparison *c;
    o.by = "kernel";
    o.columns = "side,name,base_count,base,test,diff";
    out = compared(runs, &o, false);
    CHECK_STR(out.v, "side\tname\tbase_count\tbase_us\ttest_us\tdiff_us\n"
                     "device\tadd\t5\t55.000\t105.000\t50.000\n"
                     "device\tgemm\t4\t44.000\t84.000\t40.000\n"
                     "device\ttotal\t9\t99.000\t189.000\t90.000\n");
    free(out.v);
    out = compared(runs, NULL, true);
    CHECK(strstr(out.v, "busy_us\t99.000\t189.000\t90.000\t90.91"));
    free(out.v);
    o.top = 1;
    o.sort = "diff:asc";
    out = compared(runs, &o, false);
    CHECK(strstr(out.v, "\ndevice\tgemm\t") && strstr(out.v, "others") && !strstr(out.v, "\tadd\t"));
    free(out.v);
    o = (struct tr_compare_options)TR_COMPARE_OPTIONS_INIT;
    o.changed_only = true;
    free(runs[1].v);
    runs[1] = runs[0];
    out = compared(runs, &o, false);
    CHECK(strchr(out.v, '\n')[1] == '\0');
    free(out.v);

    static const char *const wrong[] = { "colour", "kernel,shape", "operator,colour", "" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tr_trace *base = open_texts(&runs[0], 1), *test = open_texts(&runs[0], 1);
        o.by = wrong[i];
        CHECK(tr_compare(&c, base, test, &o, err) == TR_USAGE && !c);
        tr_trace_close(base);
        tr_trace_close(test);
    }
    free(runs[0].v);
    tr_error_free(err);
}

/* A table of kernels of a trace, which the report owns. */
static struct tr_table *kernels(const struct text *trace, const char *key, const char *value, struct tr_report **r)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = open_texts(trace, 1);
    *r = tr_report_new();
    CHECK(tr_report_add(*r, "breakdown.kernel", err) == TR_OK && tr_report_set(*r, key, value, err) == TR_OK);
    CHECK(tr_report_run(*r, t, err) == TR_OK);
    tr_trace_close(t);
    tr_error_free(err);
    return tr_report_table(*r, 0);
}

static void test_tables(void)
{
    struct text runs[] = { job(0, 10, 9), job(0, 20, 8) }, out = { NULL, 0 };
    struct tr_compare_options o = TR_COMPARE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct tr_report *r[3];
    struct tr_comparison *c;
    struct tr_table *base = kernels(&runs[0], "columns", "all", &r[0]), *test = kernels(&runs[1], "columns", "all", &r[1]),
                    *few = kernels(&runs[1], "top", "1", &r[2]);
    o.columns = "name,run,base_count,test_count,base_sum,diff_sum,pct_sum_us";
    CHECK(tr_compare_tables(&c, base, test, NULL, &o, err) == TR_OK && !tr_comparison_headline(c));
    CHECK(tr_table_row_count(base) == 2); /* as it was */
    tr_report_free(r[0]);
    tr_report_free(r[1]);
    CHECK(tr_table_print(tr_comparison_rows(c), "tsv", put, &out, err) == TR_OK);
    CHECK_STR(out.v, "name\trun\tbase_count\ttest_count\tbase_sum_us\tdiff_sum_us\tpct_sum_us\n"
                     "add\tboth\t5\t4\t55.000\t28.000\t50.91\n"
                     "gemm\tboth\t4\t4\t44.000\t40.000\t90.91\n");
    tr_comparison_free(c);
    CHECK(tr_compare_tables(&c, few, few, NULL, NULL, err) == TR_USAGE && !c);
    CHECK(tr_compare_tables(&c, NULL, few, NULL, NULL, err) == TR_USAGE && !c);
    tr_report_free(r[2]);
    base = kernels(&runs[0], "unit", "ns", &r[0]);
    CHECK(tr_compare_tables(&c, base, base, "colour", NULL, err) == TR_USAGE && !c);
    CHECK(tr_compare_tables(&c, base, base, "name", NULL, err) == TR_OK);
    tr_comparison_free(c);
    tr_report_free(r[0]);
    free(runs[0].v);
    free(runs[1].v);
    free(out.v);
    tr_error_free(err);
}

/* ---- streams of Arrow ---- */

/* Read a stream to its end: rows, or minus the errno of its failure. */
static int64_t count_rows(struct ArrowArrayStream *stream, const char *formats, size_t *n_batches)
{
    int64_t rows = 0;
    int failed;
    struct ArrowSchema schema;
    struct ArrowArray array;
    for (*n_batches = 0; (failed = stream->get_next(stream, &array)) == 0 && array.release; ++*n_batches) {
        CHECK(array.length > 0 && array.n_children == (int64_t)strlen(formats) && array.null_count == 0);
        rows += array.length;
        array.release(&array);
    }
    CHECK(stream->get_schema(stream, &schema) == 0);
    CHECK_STR(schema.format, "+s");
    for (int64_t i = 0; i < schema.n_children; i++)
        CHECK(schema.children[i]->format[0] == formats[i]);
    schema.release(&schema);
    return failed ? -failed : rows;
}

static void test_stream(void)
{
    static const char *const fields[] = { "ts", "name", "kind", "rank", "launch_ts", "api", "args.n", "args.none" };
    static const enum tr_cell texts[] = { 0, 0, 0, 0, 0, 0, TR_CELL_STRING, TR_CELL_ANY };
    enum { N = 8, LINES = 20000 };
    struct text rank = job(0, 10, LINES), small = job(0, 10, 1);
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = open_texts(&rank, 1), *again;
    struct ArrowArrayStream stream;
    struct tr_dataset *set;
    size_t n_batches;

    CHECK(tr_trace_arrow(t, fields, texts, N, &stream, err) == TR_OK);
    CHECK(count_rows(&stream, "lUUllUUU", &n_batches) == LINES && n_batches > 1);
    CHECK(!stream.get_last_error(&stream));
    stream.release(&stream);
    CHECK(!stream.release);

    /* values become known block by block: the type does not change silently */
    t = open_texts(&rank, 1);
    CHECK(tr_dataset_new(&set, t, err) == TR_OK);
    tr_trace_close(t);
    CHECK(tr_dataset_open(set, &again, NULL, err) == TR_OK);
    CHECK(tr_trace_arrow(again, &fields[6], NULL, 1, &stream, err) == TR_OK);
    int64_t rows = count_rows(&stream, "l", &n_batches);
    CHECK(rows == -EINVAL && strstr(stream.get_last_error(&stream), "'args.n' come with another type"));
    stream.release(&stream);
    tr_dataset_free(set);

    /* the usual fields; no events; what there is not */
    t = open_texts(&small, 1);
    CHECK(tr_trace_arrow(t, NULL, NULL, 0, &stream, err) == TR_OK);
    CHECK(count_rows(&stream, "lllUUUUUlllllUU", &n_batches) == 1 && n_batches == 1);
    stream.release(&stream);
    t = open_texts(&small, 1);
    CHECK(tr_trace_select(t, "where", "dur > 1s", err) == TR_OK);
    CHECK(tr_trace_arrow(t, fields, NULL, N, &stream, err) == TR_OK);
    CHECK(count_rows(&stream, "lUUllUUU", &n_batches) == 0 && n_batches == 0);
    stream.release(&stream);
    t = open_texts(&small, 1);
    static const char *const colour[] = { "colour" };
    CHECK(tr_trace_arrow(t, colour, NULL, 1, &stream, err) == TR_USAGE);
    tr_trace_close(t);
    free(rank.v);
    free(small.v);
    tr_error_free(err);
}

/* ---- threads ---- */

#define THREADS 4

struct question {
    const struct text *ranks; /* shared, only read */
    const struct tr_dataset *set;
    struct text parts[2], table, differs;
    int64_t rows;
    bool failed;
};

static void *ask(void *arg)
{
    static const char *const fields[] = { "ts", "name", "kind" };
    struct question *q = arg;
    struct tr_compare_options o = TR_COMPARE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    struct ArrowArrayStream stream;
    size_t n_batches;
    o.by = "kernel";
    for (int i = 0; i < 2; i++)
        q->parts[i] = saved(&q->ranks[i], 1, "breakdown.kernel");
    q->table = printed(q->parts, 2, NULL);
    q->differs = compared(q->ranks, &o, false);
    q->failed = tr_dataset_open(q->set, &t, NULL, err) != TR_OK ||
                tr_trace_arrow(t, fields, NULL, 3, &stream, err) != TR_OK;
    if (!q->failed) {
        q->rows = count_rows(&stream, "lUU", &n_batches);
        stream.release(&stream);
    }
    tr_error_free(err);
    return NULL;
}

static void test_threads(void)
{
    struct text ranks[] = { job(0, 10, 500), job(1, 20, 500) };
    struct question all[THREADS];
    pthread_t threads[THREADS];
    struct tr_error *err = tr_error_new();
    struct tr_trace *t = open_texts(ranks, 1);
    struct tr_dataset *set;
    CHECK(tr_trace_select(t, "where", "args.n < 400", err) == TR_OK && tr_dataset_new(&set, t, err) == TR_OK);
    tr_trace_close(t);
    for (int i = 0; i < THREADS; i++) {
        all[i] = (struct question){ .ranks = ranks, .set = set };
        CHECK(pthread_create(&threads[i], NULL, ask, &all[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(!all[i].failed && all[i].rows == 400);
        CHECK_STR(all[i].table.v, all[0].table.v);
        CHECK_STR(all[i].differs.v, all[0].differs.v);
        CHECK(all[i].parts[0].n == all[0].parts[0].n);
        CHECK(memcmp(all[i].parts[0].v, all[0].parts[0].v, all[0].parts[0].n) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        free(all[i].parts[0].v);
        free(all[i].parts[1].v);
        free(all[i].table.v);
        free(all[i].differs.v);
    }
    tr_dataset_free(set);
    free(ranks[0].v);
    free(ranks[1].v);
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "partial results", test_partials },
    { "partial results of selected events", test_selection },
    { "two runs", test_compare },
    { "two tables", test_tables },
    { "events as a stream of Arrow", test_stream },
    { "four threads", test_threads },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
