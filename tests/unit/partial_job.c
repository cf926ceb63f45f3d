/* SPDX-License-Identifier: MIT */
/*
 * Partial results of the ranks of a job, merged, give the rows of one run over all of them: byte by byte, in any
 * order and as a tree.  Usage: partial_job FOLDER, with rank0.json to rank3.json.
 */
#include "stream_make.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/sums/tr_sum.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/tr_registry.h"
#include "engine/tr_runner.h"
#include "formats/tr_open.h"

#include <inttypes.h>

enum { N_RANKS = 4, N_ORDERS = 24, MAX = 480 };

static struct tap tap;

/* ---- what is run ---- */

struct config {
    const struct tr_analysis *analysis;
    const void *options;
    const char *about; /* the options */
    int per;
};
static struct config configs[MAX];
static size_t n_configs;

static bool op_matches(void *self, struct tr_str name)
{
    return tr_str_has(name, tr_str_of(self));
}
static char op_text[] = "mm";

static const struct tr_idle_options idle_short = { .threshold = 1000 };
static const struct tr_window_options two_steps = { .steps = 2 };
static const struct tr_timeline_options micro = { .micro_idle = 20000, .memsets = TR_MEMSETS_COMPUTE };
static const struct tr_launch_options cutoffs = { .cpu_cutoff = 5000, .queue_cutoff = 20000 };
static const struct tr_classes_options two_classes = { .list = "compute,comm" };
static const struct tr_name_stats_options max = { .ratio = 0.7 };
static const struct tr_name_stats_options on_device = { .ratio = 1, .side = TR_ANNOTATION_DEVICE };
static const struct tr_name_stats_options of_work = { .ratio = 1, .side = TR_ANNOTATION_WORK };
static const struct tr_sequence_options op_only = { .op = { .match = op_matches, .self = op_text, .text = op_text } };
static const struct tr_operator_options all_keys = {
    .by = TR_OPERATOR_SHAPE | TR_OPERATOR_STACK | TR_OPERATOR_MODULE | TR_OPERATOR_THREAD | TR_OPERATOR_CATEGORY
};
static const struct tr_operator_options mm_only = { .op = { .match = op_matches, .self = op_text, .text = op_text } };
static const struct tr_pattern_options long_ones = { .length = 5 };

static void add(const struct tr_analysis *a, const void *options, const char *about)
{
    for (int per = TR_PER_RANK - 1; per <= TR_PER_ALL; per++) {
        const enum tr_per group = per < 0 ? a->group : (enum tr_per)per;
        const struct tr_saving *s = tr_saving_of(a, group);
        if (per >= 0 && (!(a->groups & TR_PER_BIT(per)) || (per == TR_PER_ALL && (s->unions || s->kept)) ||
                         (per == TR_PER_STEP && s->no_steps)))
            continue;
        if (group == TR_PER_ALL && s->beside) /* of all events, whole only with traces beside: prop/critpath_ranks.sh */
            continue;
        NEED(n_configs < MAX);
        configs[n_configs++] = (struct config){ a, options, about, per };
    }
}

/* By name and step; by what lies above, with percentiles; numbers of args. */
static void add_sums(void)
{
    static const struct {
        const char *by, *value, *stat;
    } texts[] = {
        { "name,step,rank", "dur", "count,sum,share,mean,std,min,max,first,last" },
        { "operator,stack(2),short(name),args.stream", "self", "count,p50,p99" },
        { "activity,kind", "args.est. achieved occupancy %", "count,sum,min,max,p50" },
        { "cat,device,stream", "args.bytes", "sum" },
        { "host,thread,correlation", "event", "count,share" },
    };
    static struct tr_sum_options sums[sizeof texts / sizeof *texts];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sums[i] = (struct tr_sum_options)TR_SUM_DEFAULTS;
        NEED(tr_sum_parse_by(&sums[i], texts[i].by, NULL) == TR_OK &&
             tr_sum_parse_value(&sums[i], texts[i].value, NULL) == TR_OK &&
             tr_sum_parse_stat(&sums[i], texts[i].stat, NULL) == TR_OK);
        add(&tr_analysis_sum, &sums[i], texts[i].by);
    }
}

/* Those that need a file: ideal cycles, or peaks. */
static bool needs_file(const struct tr_analysis *a)
{
    return strncmp(a->name, "utilization", strlen("utilization")) == 0 || strcmp(a->name, "roof") == 0;
}

static void add_all(void)
{
    for (size_t i = 0; tr_registry_analysis(i); i++)
        if (tr_registry_analysis(i)->saving && !needs_file(tr_registry_analysis(i)) &&
            (!tr_registry_analysis(i)->check || tr_registry_analysis(i)->check(tr_registry_analysis(i)->defaults, NULL) == TR_OK))
            add(tr_registry_analysis(i), NULL, "");
    if (tr_analysis_stream_idle.saving)
        add(&tr_analysis_stream_idle, &idle_short, " threshold 1us");
    add(&tr_analysis_timeline, &micro, " micro idle");
    add(&tr_analysis_window, &two_steps, " of two steps");
    if (tr_analysis_api.saving)
        add(&tr_analysis_api, &cutoffs, " cutoffs");
    if (tr_analysis_classes.saving)
        add(&tr_analysis_classes, &two_classes, " two classes");
    if (tr_analysis_kernel.saving) {
        add(&tr_analysis_kernel, &max, " ratio 0.7");
        add(&tr_analysis_annotation, &on_device, " of the device");
        add(&tr_analysis_annotation, &of_work, " of the work");
    }
    if (tr_analysis_operator.saving) {
        add(&tr_analysis_operator, &all_keys, " all keys");
        add(&tr_analysis_operator, &mm_only, " op");
        add(&tr_analysis_category, &mm_only, " op");
    }
    if (tr_analysis_sum.saving)
        add_sums();
    if (tr_analysis_sequence.saving) {
        add(&tr_analysis_sequence, &op_only, " op");
        add(&tr_analysis_pattern, &long_ones, " length 5");
    }
}

/* ---- which events ---- */

enum selection { ALL, WHERE, STEPS, WINDOW, SKETCH, N_SELECTIONS };
static const char *const selection_names[] = { "all events", "where", "two steps", "window", "few distinct values" };
static int64_t window_from, window_to;
static bool one_base = true; /* else a window is another one for each rank */

/* By name, so that each rank decides alike. */
static enum tr_status where(void *self, const struct tr_batch *b, uint8_t *keep, struct tr_error *err)
{
    (void)self;
    (void)err;
    for (size_t i = 0; i < b->n; i++)
        keep[i] &= tr_dict_text(b->dict, b->name[i]).len % 4 != 1;
    return TR_OK;
}

static struct tr_select *select_for(enum selection which, const struct tr_input *in)
{
    struct tr_select_opts o = TR_SELECT_ALL;
    struct tr_select *s = NULL;
    o.where = which == WHERE ? where : NULL;
    if (which == STEPS)
        NEED(tr_select_parse_steps(&o, "16..17", NULL) == TR_OK);
    if (which == WINDOW) {
        o.has_time = true;
        o.time = (struct tr_range){ window_from, window_to };
    }
    NEED(tr_select_new(&o, in->dict, in->summary, in->sorted, &s, NULL) == TR_OK);
    return s;
}

/* ---- runs ---- */

struct run {
    struct tr_runner *r;
    struct tr_table *tables[MAX];
    struct tr_buf remarks;  /* what analyses remark beside their rows */
    struct tr_input *in; /* NULL: partial results */
    struct tr_select *select;
};

static void fail_on(enum tr_status st, const struct tr_error *err, const char *what)
{
    if (st != TR_OK)
        printf("# %s: %s\n", what, err->what);
    NEED(st == TR_OK);
}

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    /* Each says it when it has its own collectives, one for all when they share them. */
    char line[800];
    struct tr_buf *remarks = self;
    snprintf(line, sizeof line, "%d %s: %s\n", (int)how, place, text);
    if (!tr_str_has((struct tr_str){ (const char *)remarks->data, remarks->len }, tr_str_of(line)))
        add_text(remarks, "%s", line);
}

static void run_new(struct run *run, enum selection which, struct tr_analysis_in *in)
{
    struct tr_error err = TR_ERROR_INIT;
    memset(run, 0, sizeof *run);
    *in = (struct tr_analysis_in){ .selection = which == ALL ? NULL : selection_names[which],
                                   .distinct = which == SKETCH ? 5 : 0,
                                   .work = { .suspect = which == SKETCH },
                                   .max_memory = 64 << 20,
                                   .temp_dir = ".",
                                   .remark = remark,
                                   .remark_self = &run->remarks };
    NEED(run->r = tr_runner_new());
    for (size_t i = 0; i < n_configs; i++) {
        NEED(run->tables[i] = tr_table_new(TR_UNIT_NS));
        enum tr_status st =
            tr_runner_add(run->r, configs[i].analysis, configs[i].options, configs[i].per, run->tables[i], &err);
        fail_on(st, &err, configs[i].analysis->name);
    }
}

static void run_free(struct run *run)
{
    tr_runner_free(run->r);
    for (size_t i = 0; i < n_configs; i++)
        tr_table_free(run->tables[i]);
    tr_buf_free(&run->remarks);
    tr_select_free(run->select);
    tr_input_close(run->in);
}

/* All configurations over some of the ranks. */
static void read_ranks(struct run *run, const char *folder, int first, size_t n, enum selection which)
{
    struct tr_error err = TR_ERROR_INIT;
    char names[N_RANKS][600];
    const char *paths[N_RANKS];
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    const struct tr_batch *b;
    struct tr_analysis_in in;
    const uint8_t *keep;
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "%s/rank%d.json", folder, first + (int)i);
        paths[i] = names[i];
    }
    run_new(run, which, &in);
    fail_on(tr_open_many(&run->in, paths, n, &opts, &err), &err, "open");
    if (which == ALL && n == N_RANKS) { /* the second quarter, as the file of rank 0 has times */
        const struct tr_source_summary *s = &run->in->summary->sources[0];
        int64_t length = s->last_end - s->first_ts;
        window_from = tr_source_to_file(&run->in->dict->sources[0], s->first_ts + length / 4);
        window_to = window_from + length / 4;
        for (size_t i = 1; i < n; i++)
            one_base &= run->in->dict->sources[i].file_base_ns == run->in->dict->sources[0].file_base_ns;
    }
    run->select = select_for(which, run->in);
    in.dict = run->in->dict;
    in.summary = run->in->summary;
    in.sorted = run->in->sorted;
    in.select = run->select;
    in.saved = n < N_RANKS;
    enum tr_status st = tr_runner_start(run->r, &in, &err);
    while (st == TR_OK && (st = tr_input_next(run->in, &b, &err)) == TR_OK) {
        st = tr_select_mask(run->select, b, &keep, &err);
        if (st == TR_OK)
            st = tr_runner_feed(run->r, b, keep, &err);
    }
    fail_on(st == TR_END ? TR_OK : st, &err, "feed");
}

static void start_partials(struct run *run, enum selection which)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_analysis_in in;
    run_new(run, which, &in);
    fail_on(tr_runner_start_partials(run->r, &in, &err), &err, "start");
}

/* The rows of all configurations. */
static void rows_of(struct run *run, struct tr_buf *rows)
{
    struct tr_error err = TR_ERROR_INIT;
    fail_on(tr_runner_finish(run->r, &err), &err, "finish");
    for (size_t i = 0; i < n_configs; i++) {
        rows[i] = (struct tr_buf){ NULL, 0, 0 };
        fail_on(tr_table_write(run->tables[i], &tr_row_sink_tsv, &rows[i], &err), &err, "write");
    }
}

/* ---- partial results as streams ---- */

static struct tr_buf stream_of(struct run *run, size_t i)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct tr_buf out = { NULL, 0, 0 };
    struct tr_sink sink = { sink_to_buf, &out };
    const struct tr_writer_opts opts = { .codec = TR_CODEC_NONE };
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *summary = tr_summary_new(0);
    struct tr_writer *w;
    NEED(dict && summary);
    fail_on(tr_runner_save(run->r, i, &tables, &err), &err, configs[i].analysis->name);
    fail_on(tr_writer_new(&w, &sink, &opts, &err), &err, "writer");
    tr_writer_tables(w, &tables);
    fail_on(tr_writer_start(w, dict, summary, NULL, true, &err), &err, "begin");
    fail_on(tr_writer_finish(w, &err), &err, "finish");
    tr_side_tables_free(&tables);
    tr_dict_free(dict);
    tr_summary_free(summary);
    return out;
}

static void load(struct run *run, size_t i, const struct tr_buf *stream)
{
    struct tr_error err = TR_ERROR_INIT;
    struct memory_source memory = { .data = stream->data, .len = stream->len };
    struct tr_stream_bytes from = { read_memory, NULL, &memory, NULL };
    struct tr_input *in;
    const struct tr_batch *b;
    fail_on(tr_reader_open(&in, &from, "memory", &err), &err, "open");
    NEED(tr_input_next(in, &b, &err) == TR_END);
    fail_on(tr_runner_load(run->r, i, in->tables, &err), &err, configs[i].analysis->name);
    tr_input_close(in);
}

/* ---- the comparison ---- */

static struct tr_buf want[MAX], want_remarks, parts[N_RANKS][MAX];
static bool same[MAX], same_remarks;

static void compare(struct run *run, const char *how)
{
    struct tr_buf rows[MAX];
    rows_of(run, rows);
    same_remarks &= same_bytes(&run->remarks, &want_remarks);
    for (size_t i = 0; i < n_configs; i++) {
        if (same[i] && !same_bytes(&rows[i], &want[i])) {
            printf("# %s, %s:\n%.*s# one run:\n%.*s", configs[i].analysis->name, how, (int)rows[i].len,
                   (const char *)rows[i].data, (int)want[i].len, (const char *)want[i].data);
            same[i] = false;
        }
        tr_buf_free(&rows[i]);
    }
}

static void in_order(enum selection which, const int *order)
{
    struct run run;
    char how[40];
    start_partials(&run, which);
    for (size_t i = 0; i < n_configs; i++)
        for (int k = 0; k < N_RANKS; k++)
            load(&run, i, &parts[order[k]][i]);
    snprintf(how, sizeof how, "order %d %d %d %d", order[0], order[1], order[2], order[3]);
    compare(&run, how);
    run_free(&run);
}

/* Two and two, saved, and both loaded; or merged without saving, after a rank that stands alone. */
static void as_tree(enum selection which, bool straight)
{
    struct tr_error err = TR_ERROR_INIT;
    struct run left, right, all;
    start_partials(&left, which);
    start_partials(&right, which);
    start_partials(&all, which);
    for (size_t i = 0; i < n_configs; i++) {
        load(&left, i, &parts[2][i]);
        load(&left, i, &parts[0][i]);
        load(&right, i, &parts[3][i]);
        load(straight ? &all : &right, i, &parts[1][i]);
    }
    for (size_t i = 0; i < n_configs; i++) {
        struct run *of[] = { &right, &left };
        for (size_t k = 0; k < 2; k++) {
            struct tr_buf saved = stream_of(of[k], i);
            if (straight)
                fail_on(tr_runner_merge(all.r, i, NULL, of[k]->r, i, &err), &err, configs[i].analysis->name);
            else
                load(&all, i, &saved);
            tr_buf_free(&saved);
        }
    }
    compare(&all, straight ? "tree, merged" : "tree, saved");
    run_free(&left);
    run_free(&right);
    run_free(&all);
}

/* All orders of the ranks; of a selection only some, where each rank is the first and the last once. */
static void in_orders(enum selection which)
{
    static const int some[][N_RANKS] = { { 0, 1, 2, 3 }, { 1, 3, 0, 2 }, { 2, 0, 3, 1 }, { 3, 2, 1, 0 } };
    size_t n = 0;
    for (size_t k = 0; which != ALL && k < sizeof some / sizeof *some; k++)
        in_order(which, some[k]);
    for (int a = 0; which == ALL && a < N_RANKS; a++)
        for (int b = 0; b < N_RANKS; b++)
            for (int c = 0; c < N_RANKS; c++)
                if (a != b && a != c && b != c) {
                    in_order(which, (const int[]){ a, b, c, 6 - a - b - c });
                    n++;
                }
    NEED(which != ALL || n == N_ORDERS);
}

static void test_selection(const char *folder, enum selection which)
{
    struct run run;
    size_t bytes = 0;
    read_ranks(&run, folder, 0, N_RANKS, which);
    rows_of(&run, want);
    want_remarks = run.remarks;
    run.remarks = (struct tr_buf){ NULL, 0, 0 };
    run_free(&run);
    same_remarks = true;
    for (int r = 0; r < N_RANKS; r++) {
        read_ranks(&run, folder, r, 1, which);
        for (size_t i = 0; i < n_configs; i++) {
            parts[r][i] = stream_of(&run, i);
            bytes += parts[r][i].len;
        }
        run_free(&run);
    }
    for (size_t i = 0; i < n_configs; i++)
        same[i] = true;
    in_orders(which);
    as_tree(which, false);
    as_tree(which, true);
    for (size_t i = 0; i < n_configs; i++) {
        const char *per = configs[i].per < 0 ? "itself" : tr_per_name((enum tr_per)configs[i].per);
        size_t lines = 0;
        for (size_t k = 0; k < want[i].len; k++)
            lines += want[i].data[k] == '\n';
        tap_ok(&tap, same[i], "%s%s per %s, %s: %zu rows", configs[i].analysis->name, configs[i].about, per,
               selection_names[which], lines - 1);
        tr_buf_free(&want[i]);
        for (int r = 0; r < N_RANKS; r++)
            tr_buf_free(&parts[r][i]);
    }
    tap_ok(&tap, same_remarks, "what is said beside the rows, %s: %zu bytes", selection_names[which], want_remarks.len);
    tr_buf_free(&want_remarks);
    printf("# %s: %zu bytes saved\n", selection_names[which], bytes);
}

int main(int argc, char **argv)
{
    NEED(argc == 2);
    add_all();
    for (int which = ALL; which < N_SELECTIONS; which++)
        if (which != WINDOW || one_base)
            test_selection(argv[1], (enum selection)which);
    return tap_end(&tap);
}
