/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: after any number of batches, rows are those of a run that ends there; and the run goes on as if there had
 * been none.  Usage: snapshot_job STREAM, of small blocks.
 */
#include "stream_make.h"

#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/tr_registry.h"
#include "engine/tr_runner.h"
#include "formats/tr_open.h"

static struct tap tap;

enum selection { ALL, WINDOW, STEPS, N_SELECTIONS };
static const char *const selection_names[] = { "all events", "window", "two steps" };

struct run {
    struct tr_input *in;
    struct tr_select *select;
    struct tr_runner *r;
    struct tr_table *t;
    struct tr_buf remarks;
};

static void fail_on(enum tr_status st, const struct tr_error *err, const char *what)
{
    if (st != TR_OK)
        printf("# %s: %s\n", what, err->what);
    NEED(st == TR_OK);
}

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    NEED(tr_buf_print(self, "%d %s: %s\n", (int)how, place ? place : "", text));
}

/* The second and third quarter of the trace, or two steps. */
static struct tr_select *select_for(enum selection which, const struct tr_input *in)
{
    struct tr_select_opts o = TR_SELECT_ALL;
    struct tr_select *s = NULL;
    const struct tr_source_summary *first = &in->summary->sources[0];
    int64_t from = tr_source_to_file(&in->dict->sources[0], first->first_ts);
    int64_t length = first->last_end - first->first_ts;
    if (which == STEPS)
        NEED(tr_select_parse_steps(&o, "16..17", NULL) == TR_OK);
    o.has_time = which == WINDOW;
    o.time = (struct tr_range){ from + length / 4, from + length / 4 * 3 };
    NEED(tr_select_new(&o, in->dict, in->summary, in->sorted, &s, NULL) == TR_OK);
    return s;
}

static void start(struct run *x, const char *path, const struct tr_analysis *a, int per, enum selection which)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    *x = (struct run){ .r = tr_runner_new(), .t = tr_table_new(TR_UNIT_NS) };
    NEED(x->r && x->t);
    fail_on(tr_runner_add(x->r, a, NULL, per, x->t, &err), &err, a->name);
    fail_on(tr_open(&x->in, path, &opts, &err), &err, "open");
    x->select = select_for(which, x->in);
    const struct tr_analysis_in in = { .dict = x->in->dict,
                                       .summary = x->in->summary,
                                       .sorted = x->in->sorted,
                                       .input = x->in,
                                       .select = x->select,
                                       .max_memory = 64 << 20,
                                       .temp_dir = ".",
                                       .remark = remark,
                                       .remark_self = &x->remarks };
    fail_on(tr_runner_start(x->r, &in, &err), &err, "start");
}

/* The next n batches; returns how many there were. */
static size_t feed(struct run *x, size_t n)
{
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_batch *b;
    const uint8_t *keep;
    size_t i = 0;
    for (; i < n && tr_input_next(x->in, &b, &err) == TR_OK; i++) {
        fail_on(tr_select_mask(x->select, b, &keep, &err), &err, "select");
        fail_on(tr_runner_feed(x->r, b, keep, &err), &err, "feed");
    }
    return i;
}

/* The rows, as they are if the run ends. */
static struct tr_buf end(struct run *x)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf rows = { NULL, 0, 0 };
    fail_on(tr_runner_finish(x->r, &err), &err, "finish");
    fail_on(tr_table_write(x->t, &tr_row_sink_tsv, &rows, &err), &err, "write");
    tr_runner_free(x->r);
    tr_table_free(x->t);
    tr_select_free(x->select);
    tr_input_close(x->in);
    return rows;
}

static struct tr_buf snapshot(struct run *x)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf rows = { NULL, 0, 0 };
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    NEED(t);
    fail_on(tr_runner_snapshot(x->r, 0, t, &err), &err, "snapshot");
    fail_on(tr_table_write(t, &tr_row_sink_tsv, &rows, &err), &err, "write");
    tr_table_free(t);
    return rows;
}

static bool same(struct tr_buf *a, const struct tr_buf *b, const char *what)
{
    bool yes = same_bytes(a, b);
    if (!yes)
        printf("# %s:\n%.*s# one run:\n%.*s", what, (int)a->len, (const char *)a->data, (int)b->len,
               (const char *)b->data);
    tr_buf_free(a);
    return yes;
}

/* Snapshots after a third of the batches, and of the rest; a view that has none says so. */
static void test_view(const char *path, const struct tr_analysis *a, int per, enum selection which)
{
    struct run x, part;
    struct tr_buf rows, want;
    bool good = true;
    start(&x, path, a, per, which);
    const size_t n = feed(&x, SIZE_MAX);
    struct tr_buf all = end(&x), remarks = x.remarks;
    start(&x, path, a, per, which);
    for (size_t at = n / 3; at < n; at += n / 3) {
        feed(&x, n / 3);
        rows = snapshot(&x);
        start(&part, path, a, per, which);
        feed(&part, at);
        want = end(&part);
        good = same(&rows, &want, "snapshot") && good;
        tr_buf_free(&want);
        tr_buf_free(&part.remarks);
    }
    feed(&x, SIZE_MAX);
    rows = end(&x);
    struct tr_buf said = x.remarks;
    good = same(&rows, &all, "last") && same(&said, &remarks, "remarks") && good;
    tap_ok(&tap, good && n > 6, "%s per %s, %s: %zu bytes", a->name, per < 0 ? "itself" : tr_per_name((enum tr_per)per),
           selection_names[which], all.len);
    tr_buf_free(&all);
    tr_buf_free(&remarks);
}

static void test_refused(const char *path, const struct tr_analysis *a, enum selection which)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_table *t = tr_table_new(TR_UNIT_NS);
    struct run x;
    start(&x, path, a, -1, which);
    NEED(t && feed(&x, 1) == 1);
    tap_ok(&tap, tr_runner_snapshot(x.r, 0, t, &err) == TR_USAGE && strstr(err.what, " once"), "%s: %s", a->name,
           err.what);
    tr_table_free(t);
    feed(&x, SIZE_MAX);
    struct tr_buf rows = end(&x);
    tr_buf_free(&rows);
    tr_buf_free(&x.remarks);
}

int main(int argc, char **argv)
{
    const struct tr_analysis *a;
    NEED(argc == 2);
    for (size_t i = 0; (a = tr_registry_analysis(i)) != NULL; i++)
        for (int per = -1; per <= TR_PER_ALL && a->snapshots; per++)
            for (int which = ALL; which < N_SELECTIONS; which++)
                if ((per < 0 || (a->groups & TR_PER_BIT(per))) && !(a->edges && which == WINDOW))
                    test_view(argv[1], a, per, (enum selection)which);
    test_refused(argv[1], &tr_analysis_collective, ALL);
    test_refused(argv[1], &tr_analysis_idle, WINDOW);
    return tap_end(&tap);
}
