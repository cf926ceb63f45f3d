/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of every view: after any number of batches, rows and remarks are those of a run that ends there; and the
 * run goes on as if there had been none.  Usage: snapshot_job STREAM IDEAL; the stream has small blocks.
 */
#include "stream_make.h"

#include "analysis/tr_registry.h"
#include "analysis/tr_view_files.h"
#include "engine/tr_runner.h"
#include "formats/tr_open.h"
#include "io/tr_spill_dir.h"

#include <unistd.h>

static struct tap tap;

/* FILES: all events, with tables in files from the start, and with threads. */
enum selection { ALL, WINDOW, STEPS, FILES, N_SELECTIONS };
static const char *const selection_names[] = { "all events", "window", "two steps", "tables in files" };

struct run {
    struct tr_input *in;
    struct tr_select *select;
    struct tr_runner *r;
    struct tr_table *t;
    struct tr_buf remarks;
    struct tr_spill *spill;
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

static void start(struct run *x, const char *path, const struct tr_view_use *a, int per, enum selection which)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    *x = (struct run){ .r = tr_runner_new(), .t = tr_table_new(TR_UNIT_NS) };
    NEED(x->r && x->t);
    if (which == FILES)
        NEED((opts.spill = x->spill = tr_spill_dir_new(0, ".")) != NULL);
    fail_on(tr_runner_add(x->r, a->analysis, a->options, per, x->t, &err), &err, a->view->full);
    tr_table_spill(x->t, x->spill);
    fail_on(tr_open(&x->in, path, &opts, &err), &err, "open");
    x->select = select_for(which, x->in);
    const struct tr_analysis_in in = { .dict = x->in->dict,
                                       .summary = x->in->summary,
                                       .sorted = x->in->sorted,
                                       .input = x->in,
                                       .select = x->select,
                                       .max_memory = 64 << 20,
                                       .temp_dir = ".",
                                       .threads = which == FILES ? 3 : 1,
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

/* The rows if the run ends, and the remarks. */
static enum tr_status finish(void *self, struct tr_buf *rows, struct tr_error *err)
{
    struct run *x = self;
    enum tr_status st = tr_runner_finish(x->r, err);
    if (st == TR_OK)
        st = tr_table_write(x->t, &tr_row_sink_tsv, rows, err);
    NEED(st != TR_OK || tr_buf_add(rows, x->remarks.data, x->remarks.len));
    return st;
}

static void release(struct run *x)
{
    tr_runner_free(x->r);
    tr_table_free(x->t);
    tr_select_free(x->select);
    tr_input_close(x->in);
    tr_spill_dir_free(x->spill);
    tr_buf_free(&x->remarks);
}

static struct tr_buf end(struct run *x)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf rows = { NULL, 0, 0 };
    fail_on(finish(x, &rows, &err), &err, "finish");
    release(x);
    return rows;
}

static struct tr_buf snapshot(struct run *x)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf rows = { NULL, 0, 0 };
    fail_on(tr_runner_snapshot(x->r, finish, x, &rows, &err), &err, "snapshot");
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

/* Snapshots after each third of the batches. */
static void test_view(const char *path, const struct tr_view_use *a, int per, enum selection which)
{
    struct run x, part;
    struct tr_buf rows, want;
    bool good = true;
    start(&x, path, a, per, which);
    const size_t n = feed(&x, SIZE_MAX);
    struct tr_buf all = end(&x);
    start(&x, path, a, per, which);
    for (size_t at = n / 3; at < n; at += n / 3) {
        feed(&x, n / 3);
        rows = snapshot(&x);
        start(&part, path, a, per, which);
        feed(&part, at);
        want = end(&part);
        good = same(&rows, &want, "snapshot") && good;
        tr_buf_free(&want);
    }
    feed(&x, SIZE_MAX);
    rows = end(&x);
    good = same(&rows, &all, "last") && good;
    tap_ok(&tap, good && n > 6, "%s (%s) per %s, %s: %zu bytes", a->view->full, a->analysis->name,
           per < 0 ? "itself" : tr_per_name((enum tr_per)per), selection_names[which], all.len);
    tr_buf_free(&all);
}

/* What a snapshot cannot do is said, and the run goes on. */
static enum tr_status fail_there(void *self, struct tr_buf *out, struct tr_error *err)
{
    NEED(tr_buf_print(out, "a part"));
    return tr_fail(err, TR_DAMAGED, "%s", (const char *)self);
}

static enum tr_status die_there(void *self, struct tr_buf *out, struct tr_error *err)
{
    (void)self;
    (void)out;
    (void)err;
    _exit(1);
}

static void test_failures(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf out = { NULL, 0, 0 };
    char why[] = "for this reason";
    tap_ok(&tap, tr_in_copy(NULL, fail_there, why, &out, &err) == TR_DAMAGED && strcmp(err.what, why) == 0,
           "a failure of a copy comes with its reason: %s", err.what);
    tap_ok(&tap, tr_in_copy(NULL, die_there, NULL, NULL, &err) == TR_SYSTEM && strstr(err.what, "early"),
           "a copy that ends early is a failure: %s", err.what);
    tr_buf_free(&out);
}

/* A view, with a key that has an analysis of its own; NULL: without one.  All groupings, and all selections. */
static void test_views(const char *path, char *ideal, const struct tr_view *v, const struct tr_view_key *key)
{
    struct tr_open_opts open = TR_OPEN_OPTS_INIT;
    const struct tr_view_host host = { .open = &open };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_view_use use;
    fail_on(tr_view_open(&use, v, &err), &err, v->full);
    if (tr_view_option_named(v, "arch"))
        fail_on(tr_view_set(&use, "arch", "MI300X", &err), &err, v->full);
    if (v->files == tr_view_ideal_files)
        fail_on(tr_view_set(&use, "attach", ideal, &err), &err, v->full);
    if (tr_view_option_named(v, "core-freq"))
        fail_on(tr_view_set(&use, "core-freq", "1000", &err), &err, v->full);
    if (key)
        fail_on(tr_view_refine(&use, key->name, &err), &err, key->name);
    if (tr_view_ready(&use, &host, &err) == TR_OK) {
        for (int per = 0; per <= TR_PER_ALL; per++)
            if (use.analysis->groups & TR_PER_BIT(per))
                test_view(path, &use, per, ALL);
        for (int which = ALL; which < N_SELECTIONS; which++)
            test_view(path, &use, -1, (enum selection)which);
    } else {
        tap_ok(&tap, false, "%s: %s", v->full, err.what);
    }
    tr_view_close(&use);
}

int main(int argc, char **argv)
{
    const struct tr_view *v;
    NEED(argc == 3);
    for (size_t i = 0; (v = tr_view_at(i)) != NULL; i++) {
        test_views(argv[1], argv[2], v, NULL);
        for (const struct tr_view_key *key = v->keys; key && key->name; key++)
            if (key->analysis)
                test_views(argv[1], argv[2], v, key);
    }
    test_failures();
    return tap_end(&tap);
}
