/* SPDX-License-Identifier: MIT */
/*
 * Which stage of a step costs what, and which rank leads it?
 *
 * d(r,k) is the duration of stage k on rank r (tr_stages.h).  The frontier of a step is where the rank is that has got
 * farthest, by durations alone:
 *
 *     F(k) = max over r of d(r,1) + ... + d(r,k)
 *
 * Stage k costs F(k) - F(k-1), which is not negative, and the rank that attains F(k) leads it.  So a stage in which all
 * wait for one rank costs little, if that rank was late in the stage before; that one costs the delay.  Costs of the
 * stages add up to F of the last one: the step of the rank on which it takes longest.  Where collectives cut a stage
 * into parts, each part has its cost and its leader, and a row has the parts of a stage that one rank leads.
 */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/comm/tr_stages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    struct tr_str stage;
    int64_t rank, step, exposed, late, time, dur, parts[TR_N_STAGE_CAUSES], capture;
    uint64_t place, ranks;
    uint32_t cause;
};

static const char *cause_word(unsigned cause)
{
    static const char *const words[] = { "compute", "communication", "memory", "other", "host", "idle" };
    return words[cause];
}

static const struct tr_table_column columns[] = {
    { "stage", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, stage), .names = true, .label = true,
      .meaning = "an annotation or a collective that all ranks have, or the time before or after it" },
    { "rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct row, rank),
      .meaning = "the rank that leads: the latest at its end" },
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, step), .meaning = "number of the step" },
    { "exposed", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, exposed), .main = true,
      .meaning = "what the stage adds to the step; stages add up to it" },
    { "share_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "exposed", .per = "step_time",
      .meaning = "share of the step" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, cause), .word = cause_word,
      .n_words = TR_N_STAGE_CAUSES,
      .meaning = "most of the stage on that rank: compute, communication, memory or other work; host: the next work "
                 "was not yet launched; idle: it was" },
    { "place", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct row, place), .extra = true,
      .meaning = "number of the stage in the step, from 0" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .extra = true,
      .meaning = "how long the stage took on that rank" },
    { "step_time", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, time), .extra = true,
      .meaning = "time of the step on its slowest rank" },
#define PART(name, which, says)                                                                              \
    {                                                                                                        \
        (name), TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, parts[which]), .extra = true, .meaning = (says) \
    }
    PART("compute", TR_STAGE_COMPUTE, "of dur: compute ran"),
    PART("comm", TR_STAGE_COMM, "of dur: communication ran, and no compute"),
    PART("memory", TR_STAGE_MEMORY, "of dur: copies or memsets ran, and neither compute nor communication"),
    PART("other", TR_STAGE_OTHER, "of dur: only other work ran"),
    PART("host", TR_STAGE_HOST, "of dur: nothing ran, and the next work was not yet launched"),
    PART("idle", TR_STAGE_IDLE, "of dur: nothing ran, although the next work was launched"),
#undef PART
    { "ranks", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, ranks), .extra = true,
      .meaning = "ranks that have the step" },
    { "capture", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, capture), .quiet = TR_QUIET_0, .extra = true,
      .meaning = "the recording, from 0" },
    { "late", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, late), .extra = true,
      .meaning = "of exposed: how much farther behind all other ranks it is at the end than at the start" },
};

/* ---- names ---- */

static struct tr_str mark_name(const struct tr__comm_view *v, const struct tr_stage_mark *m)
{
    return m->coll == SIZE_MAX ? tr_dict_text(v->dict, m->name) : tr_coll_label(v->dict, v->c, &v->c->colls[m->coll]);
}

/* The name of a stage: "before allreduce#2", in text.  A mark has a number if there are several of its name. */
static struct tr_str stage_name(const struct tr__comm_view *v, const struct tr_stage_step *step, size_t place)
{
    size_t last = place == 2 * step->n_marks, at = last ? place / 2 - 1 : place / 2, n = 0, before = 0;
    if (!step->n_marks)
        return tr_str_of("step");
    struct tr_str name = mark_name(v, &step->marks[at]);
    for (size_t k = 0; k < step->n_marks; k++)
        if (tr_str_cmp(mark_name(v, &step->marks[k]), name) == 0) {
            n++;
            before += k < at;
        }
    v->text->len = 0;
    bool ok = tr_buf_print(v->text, "%s%.*s", last ? "after " : place % 2 ? "" : "before ", (int)name.len, name.s) &&
              (n < 2 || tr_buf_print(v->text, "#%zu", before + 1));
    return ok ? (struct tr_str){ (const char *)v->text->data, v->text->len } : tr_str_of(NULL);
}

/* ---- rows ---- */

/* The rank that is latest at the end of a part, the first of several; *frontier: since its step started. */
static size_t leader(const struct tr_stage_step *steps, size_t n, size_t part, int64_t *frontier)
{
    size_t max = 0;
    for (size_t i = 1; i < n; i++)
        if (steps[i].ends[part] - steps[i].span.start > steps[max].ends[part] - steps[max].span.start)
            max = i;
    *frontier = steps[max].ends[part] - steps[max].span.start;
    return max;
}

/* How far behind all other ranks a rank is at the end of a part, at least 0; part SIZE_MAX: at the start. */
static int64_t behind(const struct tr_stage_step *steps, size_t n, size_t at, size_t part)
{
    int64_t min = INT64_MAX;
    for (size_t i = 0; i < n && part != SIZE_MAX; i++) {
        int64_t more = (steps[at].ends[part] - steps[at].span.start) - (steps[i].ends[part] - steps[i].span.start);
        min = i != at && more < min ? more : min;
    }
    return min == INT64_MAX || min < 0 ? 0 : min;
}

/* A part of a stage, added to the row of its leader. */
static void add_part(const struct tr_stages *s, const struct tr_stage_step *step, size_t part, int64_t cost,
                     int64_t late, struct row *row)
{
    int64_t end = step->ends[part], start = part ? step->ends[part - 1] : step->span.start, of[TR_N_STAGE_CAUSES];
    tr_stages_account(s, step->span.source, start, end, of);
    for (size_t k = 0; k < TR_N_STAGE_CAUSES; k++)
        row->parts[k] += of[k];
    row->dur += end - start;
    row->exposed += cost;
    row->late += late > 0 ? late : 0;
}

/* The rows of a stage, by rank. */
static void put_stage(const struct tr__comm_view *v, const struct tr_stage_step *steps, size_t n, struct row *rows)
{
    for (size_t i = 0; i < n; i++) {
        struct row *row = &rows[i];
        if (!row->exposed)
            continue;
        row->cause = 0;
        for (uint32_t k = 1; k < TR_N_STAGE_CAUSES; k++)
            row->cause = row->parts[k] > row->parts[row->cause] ? k : row->cause;
        row->rank = steps[i].rank == INT64_MAX ? TR_I64_NONE : steps[i].rank;
        row->stage = stage_name(v, steps, row->place);
        tr__comm_row(v, row);
    }
}

/* rows: room for one of each rank. */
static void put_step(const struct tr__comm_view *v, const struct tr_stages *s, const struct tr_stage_job *job,
                     struct row *rows)
{
    const struct tr_stage_step *steps = &s->steps[job->first];
    int64_t before = 0, frontier;
    struct row row = { .step = steps->span.at.number, .ranks = job->n, .capture = steps->capture };
    leader(steps, job->n, job->n_parts - 1, &row.time);
    for (size_t part = 0; part < job->n_parts; part++) {
        size_t at = leader(steps, job->n, part, &frontier);
        row.place = job->stages[part];
        for (size_t i = 0; i < job->n && (!part || job->stages[part - 1] != row.place); i++)
            rows[i] = row;
        if (frontier > before)
            add_part(s, &steps[at], part, frontier - before,
                     behind(steps, job->n, at, part) - behind(steps, job->n, at, part - 1), &rows[at]);
        before = frontier;
        if (part + 1 == job->n_parts || job->stages[part + 1] != row.place)
            put_stage(v, steps, job->n, rows);
    }
}

static enum tr_status stage_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    struct tr_stages *s;
    size_t whole = 0;
    enum tr_status st = tr__comm_stages(v, &s, err);
    struct row *rows = malloc((s->n_steps + 1) * sizeof *rows);
    st = st == TR_OK && !rows ? tr_fail_memory(err) : st;
    for (size_t i = 0; i < s->n_jobs && st == TR_OK; i++) {
        put_step(v, s, &s->jobs[i], rows);
        whole += s->jobs[i].n_marks == 0;
        st = tr_table_status(v->t, err);
    }
    free(rows);
    if (whole && st == TR_OK)
        tr_analysis_remark(v->in, TR_REMARK_RESULT, "",
                           "%zu of %zu steps are one stage: their ranks have no annotations and no collectives in "
                           "common that divide them",
                           whole, s->n_jobs);
    return st;
}

/* ---- the analysis ---- */

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, stage_rows, TR__COMM_SAYS_NOTHING, err);
}

const struct tr_analysis tr_analysis_stage = {
    .name = "stage",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "step", .y = { "exposed" }, .series = "stage" },
    .question = "Which stage of a step costs what, and which rank leads it?",
    .nothing = "no numbered step is selected",
    .needs = { .want = { .fixed = TR_FIXED_ALL & ~TR_FIXED_BIT(CAT),
                         .derived = TR_STAGES_DERIVED,
                         .keys = tr_coll_keys,
                         .n_keys = TR_COLL_N_KEYS } },
    TR_OPTIONS(NULL, tr__comm_defaults),
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start_stages,
    .finish = finish,
    TR__COMM_SAVING("stage"),
};
