/* SPDX-License-Identifier: MIT */
/* The runner: all analyses in one pass print what each prints alone, and descriptions are complete. */
#include "harness/tap.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/tr_registry.h"
#include "engine/tr_runner.h"
#include "formats/tr_open.h"

enum { MAX_ANALYSES = 64 };

/* Those that need nothing said: an analysis may refuse to run without options, as sums by rules do without rules. */
static const struct tr_analysis *ready[MAX_ANALYSES];

/* The two traces of the sample, merged.  NULL: they cannot be read. */
static struct tr_input *sample(struct tr_error *err)
{
    const char *folder = getenv("srcdir");
    char names[2][600];
    const char *paths[2] = { names[0], names[1] };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_input *in = NULL;
    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof names[i], "%s/../contrib/sample/rank%d.json.gz",
                 folder ? folder : ".", i);
    return tr_open_many(&in, paths, 2, &opts, err) == TR_OK ? in : NULL;
}

/* One pass over the sample for n analyses from number first on; their tables as text in out. */
static enum tr_status pass(size_t first, size_t n, unsigned threads, struct tr_buf *out)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in = sample(&err);
    struct tr_runner *r = tr_runner_new();
    struct tr_table *tables[MAX_ANALYSES] = { NULL };
    const struct tr_batch *b;
    enum tr_status st = in && r ? TR_OK : TR_SYSTEM;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tables[i] = tr_table_new(TR_UNIT_US);
        st = tables[i] ? tr_runner_add(r, ready[first + i], NULL, -1, tables[i], &err) : TR_SYSTEM;
    }
    if (st == TR_OK) {
        const struct tr_analysis_in run = { .dict = in->dict,
                                            .summary = in->summary,
                                            .sorted = in->sorted,
                                            .max_memory = 64 << 20,
                                            .threads = threads,
                                            .temp_dir = "." };
        st = tr_runner_start(r, &run, &err);
    }
    while (st == TR_OK && (st = tr_input_next(in, &b, &err)) == TR_OK)
        st = tr_runner_feed(r, b, NULL, &err);
    if (st == TR_END)
        st = tr_runner_finish(r, &err);
    for (size_t i = 0; i < n && st == TR_OK; i++)
        st = tr_table_write(tables[i], &tr_row_sink_tsv, &out[i], &err);
    if (st != TR_OK && st != TR_USAGE)
        printf("# %s: %s\n", ready[first]->name, err.what);
    for (size_t i = 0; i < n; i++)
        tr_table_free(tables[i]);
    tr_runner_free(r);
    tr_input_close(in);
    return st;
}

/* Analyses that their defaults suffice for.  run: and nothing but a trace; others say what they need, such as a file. */
static size_t find_ready(bool run)
{
    size_t n = 0;
    for (size_t i = 0; tr_registry_analysis(i) && n < MAX_ANALYSES; i++) {
        struct tr_buf out = { 0 };
        ready[n] = tr_registry_analysis(i);
        if (tr_registry_analysis(i)->check && tr_registry_analysis(i)->check(tr_registry_analysis(i)->defaults, NULL) != TR_OK)
            continue;
        enum tr_status st = run ? pass(n, 1, 1, &out) : TR_OK;
        CHECK(st == TR_OK || st == TR_USAGE);
        n += st == TR_OK;
        tr_buf_free(&out);
    }
    return n;
}

static void check_one_pass(unsigned threads)
{
    struct tr_buf together[MAX_ANALYSES] = { { 0 } };
    size_t n = find_ready(true);
    CHECK(n > 10 && n <= MAX_ANALYSES);
    CHECK(pass(0, n, threads, together) == TR_OK);
    for (size_t i = 0; i < n; i++) {
        struct tr_buf alone = { 0 };
        bool same = pass(i, 1, 1, &alone) == TR_OK && alone.len == together[i].len &&
                    memcmp(alone.data, together[i].data, alone.len) == 0;
        if (!same)
            printf("# %s: \"%s\"\n", ready[i]->name, ready[i]->question);
        CHECK(same);
        tr_buf_free(&alone);
        tr_buf_free(&together[i]);
    }
}

static void test_one_pass(void)
{
    check_one_pass(1);
    check_one_pass(3);
}

/* ---- remarks and failures of several analyses ---- */

/* An analysis that says its number with each batch, after all others have started theirs, and fails if asked to. */
struct talker {
    int number;
    bool fails;
};

struct talking {
    struct tr_analysis_in in;
    const struct talker *is;
};

static enum tr_status talker_start(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    struct talking *s = state;
    (void)err;
    *s = (struct talking){ *in, options };
    return TR_OK;
}

static enum tr_status talker_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                  struct tr_error *err)
{
    const struct talking *s = state;
    (void)b;
    (void)keep;
    (void)t;
    tr_analysis_remark(&s->in, TR_REMARK_DETAIL, s->is->number % 2 ? "odd" : NULL, "%d", s->is->number);
    return s->is->fails ? tr_fail(err, TR_DAMAGED, "number %d", s->is->number) : TR_OK;
}

static const struct tr_table_column talker_columns[] = { { .name = "a", .type = TR_CELL_INT } };
static const struct tr_analysis talker = { .name = "talker", .question = "?", .nothing = "nothing",
                                           .state_size = sizeof(struct talking), TR_OWN_COLUMNS(talker_columns),
                                           .start = talker_start, .feed = talker_feed };

static void hear(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    CHECK(how == TR_REMARK_DETAIL);
    CHECK(tr_buf_add_str(self, place ? place : "-") && tr_buf_add_str(self, text) && tr_buf_add_str(self, " "));
}

static enum tr_status also(void *self, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    size_t *n = self;
    (void)keep;
    (void)err;
    *n += b->n;
    return TR_OK;
}

/* Remarks come in the order of the analyses, and the first failure counts, whatever ends first. */
static void check_talkers(unsigned threads, const int failing[2], const char *remarks, const char *what)
{
    enum { N = 9 };
    struct talker each[N];
    struct tr_table *tables[N];
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf heard = { 0 };
    struct tr_input *in = sample(&err);
    struct tr_runner *r = tr_runner_new();
    const struct tr_batch *b = NULL;
    size_t seen = 0;
    CHECK(in && r && tr_input_next(in, &b, &err) == TR_OK);
    for (int i = 0; i < N; i++) {
        each[i] = (struct talker){ i, i == failing[0] || i == failing[1] };
        tables[i] = tr_table_new(TR_UNIT_US);
        CHECK(tr_runner_add(r, &talker, &each[i], -1, tables[i], &err) == TR_OK);
    }
    tr_runner_add_observer(r, also, &seen);
    const struct tr_analysis_in run = { .dict = in->dict, .summary = in->summary, .sorted = true, .temp_dir = ".",
                                        .threads = threads, .remark = hear, .remark_self = &heard };
    CHECK(tr_runner_start(r, &run, &err) == TR_OK);
    CHECK(tr_runner_feed(r, b, NULL, &err) == (what ? TR_DAMAGED : TR_OK));
    CHECK(tr_buf_add(&heard, "", 1));
    CHECK_STR((const char *)heard.data, remarks);
    CHECK_STR(err.what, what ? what : "");
    CHECK(seen == b->n);
    tr_runner_free(r);
    for (int i = 0; i < N; i++)
        tr_table_free(tables[i]);
    tr_buf_free(&heard);
    tr_input_close(in);
}

static void test_talkers(void)
{
    static const char all[] = "-0 odd1 -2 odd3 -4 odd5 -6 odd7 -8 ";
    for (unsigned threads = 0; threads < 5; threads++) {
        check_talkers(threads, (int[]){ -1, -1 }, all, NULL);
        check_talkers(threads, (int[]){ 7, 3 }, all, "number 3");
    }
}

/* ---- memory ---- */

/* What an analysis needs, and what it got. */
struct share {
    enum tr_memory_need need;
    size_t memory, rows;
};

static void share_needs(const void *options, struct tr_needs *n)
{
    n->memory = ((const struct share *)options)->need;
}

static enum tr_status share_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    struct share *s = (struct share *)options; /* of the test */
    (void)state;
    (void)err;
    s->memory = in->max_memory;
    s->rows = in->rows_memory;
    return TR_OK;
}

static const struct tr_analysis sharer = { .name = "sharer", .question = "?", .nothing = "nothing", .state_size = 1,
                                           TR_OWN_COLUMNS(talker_columns), .more = share_needs, .start = share_start };

/* n analyses with these needs, in a run with 960 bytes. */
static void share(struct share *each, size_t n)
{
    struct tr_table *tables[8];
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *dict = tr_dict_new();
    struct tr_runner *r = tr_runner_new();
    const struct tr_analysis_in run = { .dict = dict, .sorted = true, .max_memory = 960 };
    CHECK(dict && r && n <= 8);
    for (size_t i = 0; i < n; i++) {
        tables[i] = tr_table_new(TR_UNIT_US);
        CHECK(tr_runner_add(r, &sharer, &each[i], -1, tables[i], &err) == TR_OK);
    }
    CHECK(tr_runner_start(r, &run, &err) == TR_OK);
    tr_runner_free(r);
    for (size_t i = 0; i < n; i++)
        tr_table_free(tables[i]);
    tr_dict_free(dict);
}

/* By need: those that sort have equal shares, and graphs one; beside others, which need none, of a half. */
static void test_shares(void)
{
    struct share one[] = { { TR_MEMORY_SORTS, 0, 0 } };
    struct share graph[] = { { TR_MEMORY_GRAPH, 0, 0 } };
    struct share little[] = { { TR_MEMORY_LITTLE, 1, 0 }, { TR_MEMORY_LITTLE, 1, 0 } };
    struct share all[] = { { TR_MEMORY_SORTS, 0, 0 }, { TR_MEMORY_GRAPH, 0, 0 }, { TR_MEMORY_LITTLE, 1, 0 },
                           { TR_MEMORY_GRAPH, 0, 0 }, { TR_MEMORY_SORTS, 0, 0 } };
    share(one, 1);
    share(graph, 1);
    share(little, 2);
    CHECK(one[0].memory == 960 && one[0].rows == 60);
    CHECK(graph[0].memory == 2 * 960 && graph[0].rows == 60);
    CHECK(little[0].memory == 0 && little[1].memory == 0 && little[0].rows == 30 && little[1].rows == 30);
    share(all, 5);
    CHECK(all[0].memory == 160 && all[1].memory == 320 && all[2].memory == 0 && all[3].memory == 320);
    CHECK(all[4].memory == 160 && all[0].rows == 12 && all[4].rows == 12);
    all[2].need = TR_MEMORY_SORTS;
    share(all, 5);
    CHECK(all[0].memory == 240 && all[1].memory == 480 && all[2].memory == 240);
}

/* What --help-columns and a reader of the list need. */
static void test_descriptions(void)
{
    size_t n = find_ready(false);
    for (size_t i = 0; i < n; i++) {
        const struct tr_analysis *a = ready[i];
        const struct tr_analysis_in in = { .work.per = a->group };
        struct tr_table *t = tr_table_new(TR_UNIT_US), *about = tr_table_new(TR_UNIT_US);
        struct tr_buf text = { 0 };
        tr_analysis_columns(a, &in, a->defaults, t);
        tr_table_arrange(about, &(struct tr_arrange){ .columns = "column,meaning" }, NULL);
        tr_table_describe(t, a->chart, about);
        CHECK(tr_table_write(about, &tr_row_sink_tsv, &text, NULL) == TR_OK &&
              tr_buf_add(&text, "", 1));
        bool remarks = !strstr((const char *)text.data, "\t\n") && strchr(a->question, '?') &&
                    (!a->groups || a->groups & TR_PER_BIT(a->group)) && !a->saving == !!a->unsaved;
        if (!remarks)
            printf("# %s: %s", a->name, (const char *)text.data);
        CHECK(remarks);
        tr_buf_free(&text);
        tr_table_free(t);
        tr_table_free(about);
    }
}

static void check_column(const struct tr_analysis *a, const struct tr_table *t, const char *name)
{
    bool found = !name || tr_table_find(t, name) != SIZE_MAX;
    if (!found)
        printf("# %s: the chart has '%s'\n", a->name, name);
    CHECK(found);
}

/* A chart is made of columns that the table has, and the parts say so. */
static void test_charts(void)
{
    size_t n = find_ready(false), n_charts = 0;
    for (size_t i = 0; i < n; i++) {
        const struct tr_analysis *a = ready[i];
        const struct tr_chart *c = a->chart;
        const struct tr_analysis_in in = { .work.per = a->group };
        struct tr_table *t = tr_table_new(TR_UNIT_US);
        struct tr_buf part = { 0 };
        tr_analysis_columns(a, &in, a->defaults, t);
        if (c) {
            n_charts++;
            CHECK(c->x && c->y[0] && *tr_chart_kind_name(c->kind) != '?');
            CHECK((c->kind == TR_CHART_HEAT || c->kind == TR_CHART_FLAME) <= !!c->y[1] && !c->low == !c->high);
            for (size_t k = 0; k < TR_CHART_Y; k++)
                check_column(a, t, c->y[k]);
            const char *const others[] = { c->x, c->series, c->facet, c->low, c->high };
            for (size_t k = 0; k < sizeof others / sizeof *others; k++)
                check_column(a, t, others[k]);
            CHECK(tr_chart_part(c, c->x, &part) && strstr(tr_buf_text(&part), " x"));
        }
        tr_buf_free(&part);
        tr_table_free(t);
    }
    CHECK(n_charts > n / 2);
}

/* A table without rows owes a reason. */
static void test_reasons(void)
{
    for (size_t i = 0; tr_registry_analysis(i); i++) {
        if (!tr_registry_analysis(i)->nothing && !tr_registry_analysis(i)->why)
            printf("# %s\n", tr_registry_analysis(i)->name);
        CHECK(tr_registry_analysis(i)->nothing || tr_registry_analysis(i)->why);
    }
}

static void test_refusals(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_table *t = tr_table_new(TR_UNIT_US);
    struct tr_runner *r = tr_runner_new();
    CHECK(tr_runner_add(r, &tr_analysis_tree, NULL, TR_PER_STEP, t, &err) == TR_USAGE);
    CHECK_STR(err.what, "the view tree cannot be grouped by step: --per can be rank");
    CHECK(tr_runner_add(r, &tr_analysis_collective, NULL, TR_PER_RANK, t, &err) == TR_USAGE);
    CHECK_STR(err.what, "the view collective has no groups, so --per rank has no effect");
    tr_runner_free(r);
    tr_table_free(t);
}

/* Does a run of analyses leave the order between ranks open? */
static bool any_order(const struct tr_analysis *a, int per, const struct tr_analysis *b)
{
    struct tr_projection want = { .any_rank_order = true };
    struct tr_table *tables[2] = { tr_table_new(TR_UNIT_US), tr_table_new(TR_UNIT_US) };
    struct tr_runner *r = tr_runner_new();
    bool host = false;
    CHECK(tr_runner_add(r, a, NULL, per, tables[0], NULL) == TR_OK);
    CHECK(!b || tr_runner_add(r, b, NULL, -1, tables[1], NULL) == TR_OK);
    CHECK(tr_runner_needs(r, &want, &host, NULL) == TR_OK);
    tr_runner_free(r);
    tr_table_free(tables[0]);
    tr_table_free(tables[1]);
    return want.any_rank_order;
}

static void test_rank_order(void)
{
    CHECK(any_order(&tr_analysis_time, -1, NULL));
    CHECK(any_order(&tr_analysis_time, TR_PER_STREAM, &tr_analysis_kernel));
    CHECK(!any_order(&tr_analysis_time, TR_PER_ALL, NULL));
    CHECK(!any_order(&tr_analysis_time, TR_PER_ALL, &tr_analysis_kernel));
    CHECK(!any_order(&tr_analysis_time, -1, &tr_analysis_tree));
    CHECK(!any_order(&tr_analysis_launch, -1, NULL)); /* a listing */
}

static const struct tap_test tests[] = {
    { "the order between ranks matters if one analysis says so, and to groups over all ranks", test_rank_order },
    { "all analyses in one pass print what each prints alone, in one thread and in several", test_one_pass },
    { "remarks and failures do not depend on threads", test_talkers },
    { "the memory of a run is shared by need", test_shares },
    { "each analysis has a question, and each column a meaning", test_descriptions },
    { "charts are made of columns that there are", test_charts },
    { "each analysis can say why there are no rows", test_reasons },
    { "groups that an analysis does not know", test_refusals },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
