/* SPDX-License-Identifier: MIT */
/*
 * How long does each stage of a pipeline wait for the others, and why?
 *
 * A bubble is the time of a step in which a send or receive of the rank runs, and no compute: the rank waits for its
 * partner, or data move.  Its cause is the part of the step in which it is:
 *
 *   warmup     before the end of its first receive from the next stage; of the last stage, from the one before
 *   cooldown   after the end of its last receive from the stage before; of the first stage, of its last send
 *   imbalance  between them: stages do not take equally long
 *
 * Stages are in the order of ranks.  Only times of one rank are compared.
 */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/comm/tr_stages.h"
#include "base/tr_sort.h"
#include "model/tr_rank.h"

#include <stdlib.h>

enum { WARMUP, COOLDOWN, IMBALANCE, N_CAUSES };

struct row {
    int64_t stage, rank, step, bubble, time;
    uint32_t cause;
};

static const char *cause_word(unsigned cause)
{
    static const char *const words[] = { "warmup", "cooldown", "imbalance" };
    return words[cause];
}

static const struct tr_table_column columns[] = {
    { "stage", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, stage),
      .meaning = "place of the rank in its pipeline, from 0; empty: unknown" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, rank), .meaning = "the rank" },
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, step), .meaning = "number of the step" },
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, cause), .word = cause_word, .n_words = N_CAUSES,
      .label = true,
      .meaning = "warmup: the pipeline fills; cooldown: it drains; imbalance: between them" },
    { "bubble", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, bubble), .main = true,
      .meaning = "a send or receive ran, and no compute" },
    { "share_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "bubble", .per = "step_time",
      .meaning = "share of the step" },
    { "step_time", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, time), .extra = true,
      .meaning = "time of the step on this rank" },
};

/* A send or receive of a step. */
struct message {
    size_t step;
    int64_t start, end;
    size_t coll;
    bool receive, next; /* next: its partner is the stage after this one */
};

TR_ORDER(by_start, struct message, TR_UP(step), TR_UP(start), TR_UP(end))

/* ---- messages ---- */

static bool of_pipeline(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    unsigned axes = coll->type == TR_COLL_SEND || coll->type == TR_COLL_RECV ? tr__comm_axes(v, coll) : 0;
    return (coll->type == TR_COLL_SEND || coll->type == TR_COLL_RECV) && (!axes || axes & TR_MESH_PP);
}

/* All messages of steps; the number of them.  NULL: out of memory. */
static struct message *gather(const struct tr__comm_view *v, const struct tr_stages *s, size_t *n)
{
    const struct tr_colls *c = v->c;
    struct message *all = malloc((c->n_members + 1) * sizeof *all);
    *n = 0;
    for (size_t i = 0; all && i < c->n; i++) {
        bool counts = of_pipeline(v, &c->colls[i]);
        for (uint32_t k = 0; counts && k < c->colls[i].n; k++) {
            const struct tr_coll_member *m = &c->members[c->colls[i].first + k];
            int64_t rank = c->parties[m->party].rank, peer = c->calls[m->call].peer;
            size_t step = tr_stages_step(s, c, m);
            if (step == SIZE_MAX || rank < 0 || peer < 0 || peer == rank)
                continue;
            all[(*n)++] = (struct message){ step,           m->start - m->moved,     m->end - m->moved, i,
                                            m->type == TR_COLL_RECV, peer > rank };
        }
    }
    if (all && *n)
        qsort(all, *n, sizeof *all, by_start);
    return all;
}

/* The place of a rank in the list of its pipeline, else in the mesh of its job. */
static enum tr_status stage_of(const struct tr__comm_view *v, const struct tr_stage_step *step,
                               const struct tr_coll *coll, int64_t *stage, struct tr_error *err)
{
    uint32_t mesh = v->dict->sources[step->span.source].mesh;
    struct tr__comm_list list = { NULL, 0, 0 };
    bool ok = tr__comm_ranks(v, coll, &list), listed = false;
    int64_t place = mesh == TR_NO_STR ? -1 : tr_mesh_place(tr_dict_str(v->dict, mesh), "pp"), below = 0;
    for (size_t i = 0; i < list.n; i++) {
        below += list.v[i] < step->rank;
        listed |= list.v[i] == step->rank;
    }
    *stage = tr__comm_number(listed ? below : place);
    free(list.v);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- bubbles ---- */

static int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When the pipeline is full for the rank of these messages, and when it drains. */
static void find_phases(const struct message *m, size_t n, const struct tr_step_span *span, int64_t *full,
                        int64_t *drains)
{
    int64_t first[2] = { INT64_MAX, INT64_MAX }, last = INT64_MIN, sent = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        if (m[i].receive)
            first[m[i].next] = min_of(first[m[i].next], m[i].end);
        if (m[i].receive && !m[i].next)
            last = max_of(last, m[i].end);
        if (!m[i].receive && m[i].next)
            sent = max_of(sent, m[i].end);
    }
    int64_t fills = first[1] != INT64_MAX ? first[1] : first[0], ends = last != INT64_MIN ? last : sent;
    *full = fills != INT64_MAX ? fills : span->start;
    *drains = max_of(*full, ends != INT64_MIN ? ends : span->end);
}

static int64_t without_compute(const struct tr_stages *s, uint32_t source, int64_t from, int64_t to)
{
    int64_t of[TR_N_STAGE_CAUSES];
    if (from >= to)
        return 0;
    tr_stages_account(s, source, from, to, of);
    return to - from - of[TR_STAGE_COMPUTE];
}

/* The bubbles of a step of a rank, from its n messages. */
static void sum_up(const struct tr_stages *s, const struct message *m, size_t n, int64_t of[N_CAUSES])
{
    const struct tr_step_span *span = &s->steps[m->step].span;
    int64_t at = span->start, full, drains;
    find_phases(m, n, span, &full, &drains);
    for (size_t i = 0; i < n; i++) {
        int64_t from = max_of(m[i].start, at), to = min_of(m[i].end, span->end);
        of[WARMUP] += without_compute(s, span->source, from, min_of(to, full));
        of[IMBALANCE] += without_compute(s, span->source, max_of(from, full), min_of(to, drains));
        of[COOLDOWN] += without_compute(s, span->source, max_of(from, drains), to);
        at = max_of(at, to);
    }
}

static enum tr_status put_step(const struct tr__comm_view *v, const struct tr_stages *s, const struct message *m,
                               size_t n, struct tr_error *err)
{
    const struct tr_stage_step *step = &s->steps[m->step];
    struct row row = { .rank = step->rank, .step = step->span.at.number, .time = tr_step_span_time(&step->span) };
    int64_t of[N_CAUSES] = { 0 };
    enum tr_status st = stage_of(v, step, &v->c->colls[m->coll], &row.stage, err);
    sum_up(s, m, n, of);
    for (row.cause = 0; st == TR_OK && row.cause < N_CAUSES; row.cause++) {
        row.bubble = of[row.cause];
        if (row.bubble)
            tr__comm_row(v, &row);
    }
    return st == TR_OK ? tr_table_status(v->t, err) : st;
}

static enum tr_status bubble_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    struct tr_stages *s;
    size_t n = 0;
    enum tr_status st = tr__comm_stages(v, &s, err);
    struct message *all = st == TR_OK ? gather(v, s, &n) : NULL;
    if (st == TR_OK && !all)
        st = tr_fail_memory(err);
    for (size_t i = 0, end; st == TR_OK && i < n; i = end) {
        for (end = i; end < n && all[end].step == all[i].step; end++)
            ;
        st = put_step(v, s, &all[i], end - i, err);
    }
    free(all);
    return st;
}

/* ---- the analysis ---- */

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, bubble_rows, TR__COMM_SAYS_NOTHING, err);
}

const struct tr_analysis tr_analysis_bubble = {
    .name = "bubble",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "bubble" }, .series = "cause" },
    .question = "How long does each stage of a pipeline wait for the others, and why?",
    .nothing = "no sends or receives between stages of a pipeline, in numbered steps and with partners that are known",
    .needs = { .want = { .fixed = TR_FIXED_ALL & ~TR_FIXED_BIT(CAT),
                         .derived = TR_STAGES_DERIVED,
                         .keys = tr_coll_keys,
                         .n_keys = TR_COLL_N_KEYS } },
    TR_OPTIONS(NULL, tr__comm_defaults),
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start_stages,
    .finish = finish,
    TR__COMM_SAVING("bubble"),
};
