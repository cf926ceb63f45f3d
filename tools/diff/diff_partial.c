/* SPDX-License-Identifier: MIT */
/*
 * tr-diff: partial results.  A run is saved as sums of its rows, times of its steps and the states of the headline's
 * analyses, which are an input of later comparisons, alone or beside traces.
 */
#include "diff/diff.h"

#include "cli/cli_partial.h"

#include <stdlib.h>
#include <string.h>

/* ---- the form ---- */

enum { ROWS, STEPS, WHOLE };

struct saved_row {
    struct tr_str side, name;
    struct tr_stats dur;
    uint64_t self_hi, self_lo;
};

struct saved_step {
    int64_t capture, number, dur;
};

struct saved_whole {
    uint64_t cut; /* traces that are cut short */
};

static const struct tr_saved_column row_columns[] = {
    { "side", TR_SAVED_TEXT, offsetof(struct saved_row, side) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved_row, name) },
    { "dur", TR_SAVED_STATS, offsetof(struct saved_row, dur) },
    { "self_hi", TR_SAVED_COUNT, offsetof(struct saved_row, self_hi) },
    { "self_lo", TR_SAVED_COUNT, offsetof(struct saved_row, self_lo) },
};
static const struct tr_saved_column step_columns[] = {
    { "capture", TR_SAVED_INT, offsetof(struct saved_step, capture) },
    { "number", TR_SAVED_INT, offsetof(struct saved_step, number) },
    { "time", TR_SAVED_INT, offsetof(struct saved_step, dur) },
};
static const struct tr_saved_column whole_columns[] = {
    { "cut_short", TR_SAVED_COUNT, offsetof(struct saved_whole, cut) },
};
static const struct tr_saved_table tables[] = {
    [ROWS] = TR_SAVED_TABLE("rows", row_columns),
    [STEPS] = TR_SAVED_TABLE("steps", step_columns),
    [WHOLE] = TR_SAVED_TABLE("whole", whole_columns),
};
static const struct tr_saving saving = {
    .version = 1, .whole_ranks = true, .tables = tables, .n_tables = sizeof tables / sizeof *tables
};

#define BY "by="

/* What a run depends on; text and selection stay until the end. */
static bool head_of(const struct diff *x, const struct cli_select *select, struct tr_buf *text,
                    struct tr_buf *selection, struct tr_partial_head *head)
{
    bool ok = tr_buf_print(text, BY "%s%s", tr_diff_by_names[x->by], x->o->profiler ? " profiler" : "") &&
              cli_select_text(select, selection);
    for (size_t i = 0; ok && i < select->opts.n_ranks; i++)
        ok = tr_buf_print(selection, "rank=%lld..%lld ", (long long)select->opts.ranks[i].from,
                          (long long)select->opts.ranks[i].to);
    *head = (struct tr_partial_head){ .name = DIFF_PARTIAL,
                                      .saving = &saving,
                                      .per = TR_PER_ALL,
                                      .suspect = x->o->a.suspect,
                                      .distinct = DIFF_DISTINCT,
                                      .options = { tr_buf_text(text), text->len },
                                      .selection = { selection->len ? (const char *)selection->data : NULL,
                                                     selection->len } };
    return ok;
}

void diff_partial_names(struct tr_runner *r)
{
    static const char *const names[] = { DIFF_PARTIAL ".headline0", DIFF_PARTIAL ".headline1",
                                         DIFF_PARTIAL ".headline2", DIFF_PARTIAL ".headline3" };
    for (size_t i = 0; i < tr_runner_count(r) && i < sizeof names / sizeof *names; i++)
        tr_runner_save_as(r, i, names[i]);
}

/* ---- saving ---- */

static enum tr_status put_rows(struct diff *x, struct tr_partial_out *out, struct tr_error *err)
{
    const struct tr_diff_row *rows;
    size_t n = 0;
    enum tr_status st = tr_diff_rows(x->d, &rows, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct tr_diff_sums *s = &rows[i].sums[TR_DIFF_BASE];
        const struct saved_row row = { .side = tr_str_of(rows[i].device ? "device" : "host"),
                                       .name = { rows[i].name, rows[i].len },
                                       .dur = s->dur,
                                       .self_hi = s->self.hi,
                                       .self_lo = s->self.lo };
        tr_partial_put(out, ROWS, &row);
    }
    return st;
}

/* -1: unknown, since it is the place among the inputs. */
static int64_t rank_of(const struct tr_source *s)
{
    return s->rank_rule == TR_RANK_ORDER ? -1 : s->rank;
}

/* A rank may have several sources, next to each other. */
static bool first_of_rank(const struct tr_dict *d, const struct tr_select *select, uint32_t source)
{
    bool first = tr_select_source(select, source);
    for (uint32_t i = 0; i < source && first; i++)
        first = !tr_select_source(select, i) || rank_of(&d->sources[i]) != rank_of(&d->sources[source]);
    return first;
}

static void put_rank(struct tr_partial_out *out, int64_t rank)
{
    tr_partial_put_source(out, &(struct tr_partial_source){ .rank = rank, .window_base = TR_TIME_NONE,
                                                            .first = TR_TIME_NONE, .last = TR_TIME_NONE,
                                                            .events = TR_I64_NONE });
}

enum tr_status diff_partial_save(struct cli *cli, struct diff *x, const struct cli_analysis *a,
                                 struct tr_runner *headline, struct tr_error *err)
{
    const struct diff_side *side = &x->sides[TR_DIFF_BASE];
    const struct tr_dict *d = a->in->dict;
    struct tr_side_tables saved = { NULL, 0, 0 };
    struct tr_buf text = { 0 }, selection = { 0 };
    struct tr_partial_head head;
    struct tr_partial_out *out = NULL;
    enum tr_status st = head_of(x, &a->select, &text, &selection, &head) && (out = tr_partial_out_new(&head))
                            ? put_rows(x, out, err)
                            : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < side->steps.n; i++)
        tr_partial_put(out, STEPS, &(struct saved_step){ side->steps.steps[i].capture, side->steps.steps[i].number,
                                                         side->steps.steps[i].dur });
    if (st == TR_OK)
        tr_partial_put(out, WHOLE, &(struct saved_whole){ side->partial });
    for (size_t i = 0; st == TR_OK && i < side->n_ranks; i++)
        put_rank(out, side->ranks[i]);
    for (uint32_t i = 0; st == TR_OK && i < d->n_sources; i++)
        if (first_of_rank(d, a->select.selected, i))
            put_rank(out, rank_of(&d->sources[i]));
    if (st == TR_OK)
        st = tr_partial_out_end(out, &saved, err);
    for (size_t i = 0; i < tr_runner_count(headline) && st == TR_OK; i++)
        st = tr_runner_save(headline, i, &saved, err);
    if (st == TR_OK)
        st = cli_partial_write_tables(cli, a->in, NULL, NULL, &saved, err);
    tr_side_tables_free(&saved);
    tr_partial_out_free(out);
    tr_buf_free(&text);
    tr_buf_free(&selection);
    return st;
}

/* ---- loading ---- */

static enum tr_status take_rows(struct diff *x, enum tr_diff_run run, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved_row r;
    enum tr_status st = TR_OK;
    while (st == TR_OK && tr_partial_get(in, ROWS, &r)) {
        const struct tr_diff_sums s = { r.dur, { r.self_hi, r.self_lo } };
        if (!r.name.s || !r.dur.n || !(tr_str_is(r.side, "host") || tr_str_is(r.side, "device")))
            tr_partial_wrong(in, "a row without side or events");
        else
            st = tr_diff_add(x->d, run, tr_str_is(r.side, "device"), r.name.s, r.name.len, &s, err);
    }
    return st;
}

static bool take_steps(struct diff_side *side, struct tr_partial_in *in)
{
    struct saved_step s;
    struct saved_whole w;
    bool ok = true;
    while (ok && tr_partial_get(in, STEPS, &s))
        ok = tr_step_times_add(&side->steps, s.capture, s.number, s.dur);
    while (ok && tr_partial_get(in, WHOLE, &w))
        side->partial |= w.cut > 0;
    return ok;
}

static bool has_rank(const struct diff_side *side, const struct tr_dict *d, const struct tr_select *select,
                     int64_t rank)
{
    bool has = false;
    for (size_t i = 0; i < side->n_ranks; i++)
        has = has || side->ranks[i] == rank;
    for (uint32_t i = 0; i < d->n_sources; i++)
        has = has || (tr_select_source(select, i) && d->sources[i].rank == rank);
    return has;
}

/* The ranks of partial results; what one of them has, no other and no trace may have. */
static enum tr_status take_ranks(struct diff_side *side, const struct cli_analysis *a, struct tr_partial_in *in,
                                 struct tr_error *err)
{
    struct tr_partial_source source;
    size_t partial;
    while (tr_partial_get_source(in, &source, &partial)) {
        int64_t rank = source.rank;
        if ((rank < 0 && (side->n_ranks || a->in->dict->n_sources)) || (side->n_ranks && side->ranks[0] < 0))
            return tr_fail(err, TR_DAMAGED, "a partial result of the %s has a source of unknown rank, beside others",
                           side->what);
        if (has_rank(side, a->in->dict, a->select.selected, rank))
            return tr_fail(err, TR_DAMAGED, "rank %lld of the %s is there twice", (long long)rank, side->what);
        if (!tr_grow(&side->ranks, &side->cap_ranks, side->n_ranks + 1, sizeof *side->ranks))
            return tr_fail_memory(err);
        side->ranks[side->n_ranks++] = rank;
    }
    return TR_OK;
}

static enum tr_status load(struct diff *x, enum tr_diff_run run, const struct cli_analysis *a, struct tr_dict *dict,
                           struct tr_error *err)
{
    struct tr_buf text = { 0 }, selection = { 0 };
    struct tr_partial_head head;
    struct tr_partial_in *in = NULL;
    enum tr_status st = head_of(x, &a->select, &text, &selection, &head)
                            ? tr_partial_in_new(&head, a->in->tables, dict, &in, err)
                            : tr_fail_memory(err);
    if (st == TR_OK)
        st = take_ranks(&x->sides[run], a, in, err);
    if (st == TR_OK)
        st = take_rows(x, run, in, err);
    if (st == TR_OK && !take_steps(&x->sides[run], in))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_partial_in_end(in, err);
    tr_partial_in_free(in);
    tr_buf_free(&text);
    tr_buf_free(&selection);
    return st;
}

enum tr_status diff_partial_load(struct diff *x, enum tr_diff_run run, const struct cli_analysis *a,
                                 struct tr_runner *headline, struct tr_runner *events, struct tr_error *err)
{
    struct tr_dict *dict = tr_dict_new();
    enum tr_status st = dict ? load(x, run, a, dict, err) : tr_fail_memory(err);
    for (size_t i = 0; headline && i < tr_runner_count(headline) && st == TR_OK; i++)
        st = tr_runner_merge(headline, i, a->in->tables, a->in->dict->n_sources ? events : NULL, i, err);
    if (st != TR_OK)
        tr_error_input(err, a->in->name);
    tr_dict_free(dict);
    return st;
}

/* ---- the view ---- */

/* The view of rows of the first partial result of tr-diff among files; -1: there is none. */
static int view_of(struct cli *cli, const struct diff_paths *files)
{
    int by = -1;
    for (size_t i = 0; i < files->n && by < 0; i++) {
        struct tr_input *in = cli_partial_open(cli, files->v[i]);
        struct tr_partial_about about;
        if (in && tr_partial_describe(in->tables, &saving, DIFF_PARTIAL, &about))
            for (int k = 0; k < TR_N_DIFF_BY; k++) {
                size_t len = strlen(tr_diff_by_names[k]), skip = sizeof BY - 1;
                if (about.options.len >= skip + len && !memcmp(about.options.s + skip, tr_diff_by_names[k], len) &&
                    (about.options.len == skip + len || about.options.s[skip + len] == ' '))
                    by = k;
            }
        if (in)
            tr_input_close(in);
    }
    return by;
}

int diff_partial_view(struct cli *cli, const struct diff_paths runs[2])
{
    int by = view_of(cli, &runs[TR_DIFF_BASE]);
    return by < 0 ? view_of(cli, &runs[TR_DIFF_TEST]) : by;
}
