/* SPDX-License-Identifier: MIT */
/* The public interface: data sets, asked by several threads, and cancelled reading. */
#include "tracepipe.h"

#include "harness/tap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* Steps of a launch and a kernel each, of four ranks in turn: a source says its rank. */
#define STEPS 4000
struct made {
    int64_t rank;
    int at;
};

static enum tr_status read_made(void *state, struct tr_ingest *g, struct tr_error *err)
{
    struct made *m = state;
    int step = m->at / 3, what = m->at % 3;
    int64_t ts = 1000 * step + 100 * what;
    if (m->at == 0)
        tr_ingest_rank(g, m->rank);
    if (m->at++ == 3 * STEPS)
        return TR_END;
    tr_ingest_begin(g, TR_SPAN, ts, what == 0 ? 900 : 50 + step * 7919 % 400);
    tr_ingest_on_thread(g, 7, 8);
    tr_ingest_arg_int(g, "size", step * 104729 % 1000003);
    if (what == 0) {
        tr_ingest_name(g, "ProfilerStep", 12);
        tr_ingest_activity(g, TR_ACT_ANNOTATION);
        tr_ingest_step(g, step);
    } else if (what == 1) {
        tr_ingest_name(g, "launch", 6);
        tr_ingest_activity(g, TR_ACT_RUNTIME_API);
        tr_ingest_correlate(g, TR_LINK_SOURCE, step);
    } else {
        tr_ingest_name(g, step % 3 ? "gemm" : "add", step % 3 ? 4 : 3);
        tr_ingest_activity(g, TR_ACT_KERNEL);
        tr_ingest_on_stream(g, 7, 2, 1, 5);
        tr_ingest_correlate(g, TR_LINK_SOURCE, step);
    }
    return tr_ingest_end(g, err);
}

static struct tr_trace *make(struct made *m, const struct tr_trace_options *options)
{
    const struct tr_format_def format = { .size = sizeof format, .name = "made", .read = read_made, .ctx = m };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    *m = (struct made){ 3, 0 };
    CHECK(tr_trace_make(&t, "made here", &format, options, err) == TR_OK);
    tr_error_free(err);
    return t;
}

/* ---- questions ---- */

static const struct question {
    const char *view, *key, *value; /* of the selection */
} questions[] = {
    { "breakdown.time", NULL, NULL },          { "breakdown.kernel", "where", "name == \"gemm\"" },
    { "breakdown.step", "step", "10..19" },    { "launch.launch", "step", "3000..3001" },
    { "breakdown.idle", "where", "dur > 90ns" }, { "sum", "time", "0us..100us" },
};
enum { N_QUESTIONS = sizeof questions / sizeof *questions, ROOM = 4000 };

struct text {
    char v[ROOM];
    size_t n;
};

static enum tr_status put(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    struct text *t = ctx;
    if (n >= ROOM - t->n)
        return tr_fail(err, TR_SYSTEM, "no room for rows");
    memcpy(t->v + t->n, bytes, n);
    t->n += n;
    t->v[t->n] = '\0';
    return TR_OK;
}

/* The table of a question, or the reason why there is none.  It closes the trace. */
static void answer(const struct question *q, struct tr_trace *t, struct text *out)
{
    struct tr_error *err = tr_error_new();
    struct tr_report *r = tr_report_new();
    *out = (struct text){ .n = 0 };
    if ((q->key && tr_trace_select(t, q->key, q->value, err) != TR_OK) || tr_report_add(r, q->view, err) != TR_OK ||
        tr_report_run(r, t, err) != TR_OK || tr_table_print(tr_report_table(r, 0), "tsv", put, out, err) != TR_OK)
        tr_error_text(err, out->v, ROOM);
    tr_report_free(r);
    tr_trace_close(t);
    tr_error_free(err);
}

static struct text want[N_QUESTIONS];

struct asking {
    const struct tr_dataset *set;
    unsigned first, wrong;
};

/* All questions, from another one on in each thread. */
static void *ask(void *arg)
{
    struct asking *a = arg;
    struct tr_error *err = tr_error_new();
    for (unsigned i = 0; i < N_QUESTIONS; i++) {
        unsigned q = (a->first + i) % N_QUESTIONS;
        struct tr_trace *t;
        struct text have;
        if (tr_dataset_open(a->set, &t, NULL, err) != TR_OK) {
            a->wrong++;
            continue;
        }
        answer(&questions[q], t, &have);
        a->wrong += strcmp(have.v, want[q].v) != 0;
    }
    tr_error_free(err);
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct asking asking[THREADS];
    struct tr_error *err = tr_error_new();
    struct tr_trace *t;
    struct tr_dataset *set;
    struct made m;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        answer(&questions[q], make(&m, NULL), &want[q]);
        CHECK(want[q].n > 40);
    }
    t = make(&m, NULL);
    CHECK(tr_dataset_new(&set, t, err) == TR_OK);
    tr_trace_close(t);
    for (unsigned i = 0; i < THREADS; i++) {
        asking[i] = (struct asking){ set, i, 0 };
        CHECK(pthread_create(&threads[i], NULL, ask, &asking[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0 && asking[i].wrong == 0);
    tr_dataset_free(set);
    tr_dataset_free(NULL);
    tr_error_free(err);
}

/* A data set of selected events has these alone. */
static void test_selected(void)
{
    const struct question all = { "breakdown.step", NULL, NULL };
    struct tr_error *err = tr_error_new();
    struct tr_trace *t, *again;
    struct tr_dataset *set;
    struct text have;
    const struct tr_batch *b;
    struct made m;
    answer(&questions[1], make(&m, NULL), &want[1]);
    t = make(&m, NULL);
    CHECK(tr_trace_select(t, "where", "name == \"gemm\"", err) == TR_OK);
    CHECK(tr_dataset_new(&set, t, err) == TR_OK);
    CHECK(tr_dataset_open(set, &again, NULL, err) == TR_OK);
    answer(&(struct question){ "breakdown.kernel", NULL, NULL }, again, &have);
    CHECK_STR(have.v, want[1].v);
    tr_dataset_free(set);
    CHECK(tr_dataset_new(&set, t, err) == TR_USAGE && !set); /* it has been read */
    tr_trace_close(t);
    t = make(&m, NULL);
    CHECK(tr_trace_next(t, &b, err) == TR_OK && tr_dataset_new(&set, t, err) == TR_USAGE && !set);
    answer(&all, t, &have);
    CHECK(strstr(have.v, "have been read") != NULL);
    tr_error_free(err);
}

/* ---- where it is, and how it ends ---- */

static void test_file(void)
{
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct tr_error_info info = { .size = sizeof info };
    struct tr_dataset *set;
    struct tr_trace *t;
    struct made m;
    struct text have;
    options.max_memory = 1; /* all of it goes to a file */
    options.temp_dir = ".";
    answer(&questions[0], make(&m, NULL), &want[0]);
    t = make(&m, &options);
    CHECK(tr_dataset_new(&set, t, err) == TR_OK);
    tr_trace_close(t);
    tr_error_fields(err, &info);
    CHECK_STR(info.what, "");
    CHECK(tr_dataset_open(set, &t, NULL, err) == TR_OK);
    answer(&questions[0], t, &have);
    CHECK_STR(have.v, want[0].v);
    tr_dataset_free(set);
    options.temp_dir = "no such folder";
    options.max_memory = 0;
    t = make(&m, &options);
    CHECK(tr_dataset_new(&set, t, err) == TR_OK); /* there is room in memory */
    tr_dataset_free(set);
    tr_trace_close(t);
    tr_error_free(err);
}

static bool stop_at(void *ctx, uint64_t done, uint64_t total)
{
    int *left = ctx;
    (void)done;
    (void)total;
    return (*left)-- > 0;
}

/* The call that was cancelled, by its status. */
static void is_cancelled(enum tr_status st, struct tr_error *err)
{
    struct tr_error_info info = { .size = sizeof info };
    tr_error_fields(err, &info);
    CHECK(st == TR_SYSTEM && info.sys_errno == ECANCELED);
    CHECK_STR(info.what, "reading was cancelled");
    tr_error_clear(err);
}

static void test_cancel(void)
{
    static const char json[] = "{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"name\": \"a\"}]}";
    const struct tr_memory_input input = { sizeof input, "json", json, sizeof json - 1 }, *const inputs[] = { &input };
    struct tr_trace_options options = TR_TRACE_OPTIONS_INIT;
    struct tr_error *err = tr_error_new();
    struct tr_dataset *set;
    struct tr_trace *t;
    struct made m;
    int left = 1;
    options.proceed = stop_at;
    options.ctx = &left;
    t = make(&m, &options);
    is_cancelled(tr_dataset_new(&set, t, err), err);
    CHECK(!set);
    tr_trace_close(t);
    left = 0;
    is_cancelled(tr_trace_open_memory(&t, inputs, 1, &options, err), err);
    CHECK(!t);
    left = 1000000;
    CHECK(tr_trace_open_memory(&t, inputs, 1, &options, err) == TR_OK && left < 1000000);
    tr_trace_close(t);
    tr_error_free(err);
}

static const struct tap_test tests[] = {
    { "threads that ask have the answers of traces that are read anew", test_threads },
    { "a data set has the selected events, of a trace that was not read", test_selected },
    { "events that do not fit into memory are in a file", test_file },
    { "the caller cancels reading", test_cancel },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
