/* SPDX-License-Identifier: MIT */
/* Whose fault is it that a job hangs?  From dumps of flight recorders (formats/flight_recorder). */
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/comm/tr_verdict.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <stdlib.h>

enum key {
    GROUP, DESC, RANKS, NUMBER, P2P_NUMBER, IS_P2P, STATE, IN_SIZES, OUT_SIZES, IN_TYPES, OUT_TYPES, WHERE, ENQUEUED,
    COMPLETED, BEFORE, N_KEYS
};
#define KEYS                                                                                                          \
    "Process Group Name", "Process Group Description", "Process Group Ranks", "collective_seq_id", "p2p_seq_id",      \
        "is_p2p", "state", "input_sizes", "output_sizes", "input_dtypes", "output_dtypes", "where",                   \
        "last_enqueued_collective", "last_completed_collective", "completed_before"
static const char *const keys[N_KEYS] = { KEYS };

struct state {
    struct tr_analysis_in in;
    struct tr_verdicts v;
    struct tr_args args;
    uint32_t *dumps; /* by source: number of its dump + 1; 0: none yet */
    size_t cap_dumps;
};

struct row {
    const char *verdict, *cause;
    uint32_t group, group_ranks, call;
    int64_t seq;
    struct tr_str ranks, waiting, follows, expected, found, where;
    int64_t since;
};

static const struct tr_table_column columns[] = {
    { "verdict", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, verdict),
      .meaning = "what is wrong; none: nothing" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, cause),
      .meaning = "yes: it is a cause; no: it is the consequence of another one, or nothing is known" },
    { "group", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, group), .meaning = "the process group" },
    { "group_ranks", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, group_ranks), .wide = true, .extra = true,
      .meaning = "its ranks" },
    { "seq", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, seq), .meaning = "number of the call in its group" },
    { "call", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, call), .meaning = "the call, as most ranks have it" },
    { "ranks", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, ranks),
      .meaning = "ranks at fault: they lack the call, differ from the others, or wait on their stream" },
    { "waiting", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, waiting), .meaning = "ranks that wait in the call" },
    { "follows", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, follows),
      .meaning = "group and number in which the ranks at fault wait" },
    { "expected", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, expected),
      .meaning = "what most ranks call: the operation, numbers of elements, or types" },
    { "found", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, found),
      .meaning = "what the first rank at fault calls" },
    { "since", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct row, since), .extra = true,
      .meaning = "first call of those that wait" },
    { "where", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, where), .wide = true,
      .meaning = "places in the program of the ranks: of those at fault their last call" },
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct state *s = state;
    (void)options, (void)err;
    s->in = *in;
    s->v.dict = in->dict;
    s->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = keys, .n_keys = N_KEYS };
    return TR_OK;
}

static bool dump_of(struct state *s, const struct tr_batch *b, size_t i, uint32_t *dump)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    size_t old = s->cap_dumps;
    if (!tr_grow(&s->dumps, &s->cap_dumps, source + (size_t)1, sizeof *s->dumps))
        return false;
    for (; old < s->cap_dumps; old++)
        s->dumps[old] = 0;
    if (!s->dumps[source]) {
        if (!tr_verdicts_dump(&s->v, b->dict->sources[source].rank))
            return false;
        s->dumps[source] = (uint32_t)s->v.n_dumps;
    }
    *dump = s->dumps[source] - 1;
    return true;
}

static uint8_t state_of(struct tr_str s)
{
    return tr_str_is(s, "completed") ? TR_CALL_COMPLETED
           : tr_str_is(s, "started") ? TR_CALL_STARTED
                                     : TR_CALL_SCHEDULED;
}

static bool add(struct state *s, const struct tr_batch *b, size_t i, const struct tr_arg_value *v)
{
    struct tr_str name = tr_dict_text_if(b->dict, b->name[i]);
    struct tr_verdict_group g = { tr_arg_value_text(v[GROUP]), tr_arg_value_text(v[DESC]),
                                  tr_arg_value_text(v[RANKS]) };
    uint32_t group, dump;
    if (!dump_of(s, b, i, &dump) || !tr_verdicts_group(&s->v, &g, &group))
        return false;
    if (tr_str_is(name, "process_group")) {
        struct tr_verdict_status st = { group, dump, v[BEFORE].type == TR_T_TRUE + 1,
                                        tr_arg_value_int(v[ENQUEUED]), tr_arg_value_int(v[COMPLETED]) };
        return tr_verdicts_status(&s->v, &st);
    }
    bool p2p = v[IS_P2P].type == TR_T_TRUE + 1;
    struct tr_verdict_call c = {
        .group = group, .dump = dump, .p2p = p2p, .number = tr_arg_value_int(v[p2p ? P2P_NUMBER : NUMBER]),
        .state = state_of(tr_dict_text_if(b->dict, tr_arg_value_text(v[STATE]))), .ts = b->ts[i], .name = b->name[i],
        .in_sizes = tr_arg_value_text(v[IN_SIZES]), .out_sizes = tr_arg_value_text(v[OUT_SIZES]),
        .in_types = tr_arg_value_text(v[IN_TYPES]), .out_types = tr_arg_value_text(v[OUT_TYPES]),
        .where = tr_arg_value_text(v[WHERE]),
    };
    return c.number == TR_I64_NONE || tr_verdicts_call(&s->v, &c);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct state *s = state;
    struct tr_arg_value v[N_KEYS];
    bool ok = tr_args_start(&s->args, b);
    (void)t;
    for (size_t i = 0; ok && i < b->n; i++) {
        tr_args_take(&s->args, b, i, v);
        if ((!keep || keep[i]) && tr_str_is(tr_dict_text_if(b->dict, b->cat[i]), "flight_recorder"))
            ok = add(s, b, i, v);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- rows ---- */

static uint32_t group_text(const struct tr_verdict_group *g)
{
    return g->desc != TR_NO_STR ? g->desc : g->name;
}

static bool is_cause(const struct tr_verdict *f)
{
    return f->kind != TR_VERDICT_FOLLOWER && f->kind != TR_VERDICT_UNDECIDED;
}

static struct tr_str text_of(const struct tr_buf *b)
{
    return b->len ? (struct tr_str){ (const char *)b->data, b->len } : (struct tr_str){ NULL, 0 };
}

static bool follows_text(const struct tr_verdicts *v, const struct tr_verdict *f, struct tr_buf *out)
{
    if (f->follows == UINT32_MAX)
        return true;
    const struct tr_verdict *to = &v->found[f->follows];
    struct tr_str group = tr_dict_text_if(v->dict, group_text(&v->groups[to->group]));
    return (!group.len || tr_buf_add(out, group.s, group.len)) && tr_buf_print(out, " %" PRId64, to->number);
}

static bool print(const struct tr_verdicts *v, const struct tr_verdict *f, struct tr_table *t)
{
    struct tr_buf ranks = { 0 }, waiting = { 0 }, follows = { 0 };
    const struct tr_verdict_group *g = &v->groups[f->group];
    bool ok = tr_verdict_ranks_text(&f->culprits, &ranks) && tr_verdict_ranks_text(&f->waiting, &waiting) &&
              follows_text(v, f, &follows);
    const struct row row = {
        .verdict = tr_verdict_name(f->kind), .cause = is_cause(f) ? "yes" : "no", .group = group_text(g),
        .group_ranks = g->ranks, .call = f->call, .seq = f->number, .ranks = text_of(&ranks),
        .waiting = text_of(&waiting), .follows = text_of(&follows), .expected = text_of(&f->expected),
        .found = text_of(&f->seen), .where = text_of(&f->where), .since = f->since,
    };
    if (ok)
        tr_table_row(t, &(struct tr_row){ .row = &row });
    tr_buf_free(&ranks);
    tr_buf_free(&waiting);
    tr_buf_free(&follows);
    return ok;
}

static const char *says(enum tr_verdict_kind kind)
{
    static const char *const words[] = {
        [TR_VERDICT_MISSING] = "never called", [TR_VERDICT_TYPE] = "called something else than",
        [TR_VERDICT_SIZE] = "has other sizes than the others in",
        [TR_VERDICT_DTYPE] = "has other types than the others in",
        [TR_VERDICT_STUCK] = "did not start",
    };
    return words[kind];
}

/* One sentence about a cause. */
static bool say(const struct state *s, const struct tr_verdict *f)
{
    const struct tr_verdicts *v = &s->v;
    struct tr_buf text = { 0 };
    struct tr_str call = tr_dict_text_if(v->dict, f->call);
    struct tr_str group = tr_dict_text_if(v->dict, group_text(&v->groups[f->group]));
    bool ok = true;
    if (f->kind == TR_VERDICT_DEADLOCK)
        ok = tr_buf_print(&text, "ranks wait for each other in several groups: ");
    if (f->culprits.n)
        ok = ok && tr_buf_print(&text, f->culprits.n == 1 ? "rank " : "ranks ") &&
             tr_verdict_ranks_text(&f->culprits, &text) && tr_buf_print(&text, " %s ", says(f->own));
    else
        ok = ok && tr_buf_print(&text, f->own == TR_VERDICT_STUCK ? "all ranks are in " : "ranks differ in ");
    ok = ok && tr_buf_add(&text, call.s ? call.s : "", call.len) &&
         tr_buf_print(&text, ", number %" PRId64 " of group ", f->number) &&
         tr_buf_add(&text, group.s ? group.s : "", group.len);
    if (f->waiting.n)
        ok = ok && tr_buf_print(&text, f->waiting.n == 1 ? ", in which rank " : ", in which ranks ") &&
             tr_verdict_ranks_text(&f->waiting, &text) && tr_buf_print(&text, f->waiting.n == 1 ? " waits" : " wait");
    if (ok)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%.*s", (int)(text.len < 480 ? text.len : 480),
                           tr_buf_text(&text));
    tr_buf_free(&text);
    return ok;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    size_t causes = 0, undecided = 0;
    enum tr_status st = tr_verdicts_find(&s->v, err);
    bool ok = true;
    for (size_t i = 0; st == TR_OK && ok && i < s->v.n_found; i++) {
        const struct tr_verdict *f = &s->v.found[i];
        causes += is_cause(f);
        undecided += f->kind == TR_VERDICT_UNDECIDED;
        ok = print(&s->v, f, t) && (!is_cause(f) || say(s, f));
    }
    if (st == TR_OK && !s->v.n_found && s->v.n_dumps) {
        const struct row none = { .verdict = tr_verdict_name(TR_VERDICT_NONE), .cause = "no", .group = TR_NO_STR,
                                  .group_ranks = TR_NO_STR, .call = TR_NO_STR, .seq = TR_I64_NONE,
                                  .since = TR_TIME_NONE };
        tr_table_row(t, &(struct tr_row){ .row = &none });
    }
    if (s->in.answer)
        *s->in.answer = causes ? TR_NO : undecided ? TR_COVERAGE : TR_OK;
    if (st != TR_OK || !ok)
        return st != TR_OK ? st : tr_fail_memory(err);
    return tr_table_status(t, err);
}

static void release(void *state)
{
    struct state *s = state;
    tr_verdicts_free(&s->v);
    tr_args_free(&s->args);
    free(s->dumps);
}

const struct tr_analysis tr_analysis_verdict = {
    .name = "verdict",
    .question = "Which call does a hanging job wait for, and whose fault is it?",
    .nothing = "no dumps of flight recorders",
    .group = TR_PER_ALL,
    .needs = { .want = { .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT),
                         TR_KEYS(KEYS) },
               .all_in_any_order = true, .host = true },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct state),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = "it compares calls of all ranks; dumps are small, so give them",
};
