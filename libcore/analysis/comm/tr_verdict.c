/* SPDX-License-Identifier: MIT */
/* Compares what the ranks of a job called last, group by group. */
#include "analysis/comm/tr_verdict_int.h"

#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *tr_verdict_name(enum tr_verdict_kind kind)
{
    static const char *const names[] = {
        [TR_VERDICT_MISSING] = "missing_rank",     [TR_VERDICT_TYPE] = "type_mismatch",
        [TR_VERDICT_SIZE] = "size_mismatch",       [TR_VERDICT_DTYPE] = "dtype_mismatch",
        [TR_VERDICT_UNDECIDED] = "undecided",      [TR_VERDICT_STUCK] = "stuck",
        [TR_VERDICT_FOLLOWER] = "follower",        [TR_VERDICT_DEADLOCK] = "deadlock",
        [TR_VERDICT_NONE] = "none",
    };
    return names[kind];
}

/* ---- what is compared ---- */

bool tr_verdicts_dump(struct tr_verdicts *v, int64_t rank)
{
    if (!tr_grow(&v->ranks, &v->cap_dumps, v->n_dumps + 1, sizeof *v->ranks))
        return false;
    v->ranks[v->n_dumps++] = rank;
    return true;
}

bool tr_verdicts_group(struct tr_verdicts *v, const struct tr_verdict_group *g, uint32_t *number)
{
    for (size_t i = v->n_groups; i > 0; i--) /* the latest is the most likely */
        if (memcmp(&v->groups[i - 1], g, sizeof *g) == 0) {
            *number = (uint32_t)(i - 1);
            return true;
        }
    if (!tr_grow(&v->groups, &v->cap_groups, v->n_groups + 1, sizeof *g))
        return false;
    *number = (uint32_t)v->n_groups;
    v->groups[v->n_groups++] = *g;
    return true;
}

bool tr_verdicts_call(struct tr_verdicts *v, const struct tr_verdict_call *c)
{
    if (!tr_grow(&v->calls, &v->cap_calls, v->n_calls + 1, sizeof *c))
        return false;
    v->calls[v->n_calls++] = *c;
    return true;
}

bool tr_verdicts_status(struct tr_verdicts *v, const struct tr_verdict_status *s)
{
    if (!tr_grow(&v->statuses, &v->cap_statuses, v->n_statuses + 1, sizeof *s))
        return false;
    v->statuses[v->n_statuses++] = *s;
    return true;
}

void tr_verdicts_free(struct tr_verdicts *v)
{
    for (size_t i = 0; i < v->n_found; i++)
        tr__verdict_free(&v->found[i]);
    free(v->groups);
    free(v->calls);
    free(v->statuses);
    free(v->ranks);
    free(v->active);
    free(v->last);
    free(v->found);
    memset(v, 0, sizeof *v);
}

bool tr_verdict_ranks_text(const struct tr_verdict_ranks *r, struct tr_buf *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < r->n;) {
        size_t last = i;
        while (last + 1 < r->n && r->v[last + 1] == r->v[last] + 1)
            last++;
        ok = tr_buf_print(out, "%s%" PRId64, i ? " " : "", r->v[i]);
        if (ok && last > i)
            ok = tr_buf_print(out, "%s%" PRId64, last > i + 1 ? "-" : " ", r->v[last]);
        i = last + 1;
    }
    return ok;
}

/* ---- sorting ---- */

/* Calls of a group together; collectives by number, then by rank; those of one number and rank stay in their order. */
TR_ORDER(by_group, struct tr_verdict_call, TR_UP(group), TR_UP(p2p), TR_UP(number), TR_UP(dump), TR_UP(ts))
TR_ORDER(by_status, struct tr_verdict_status, TR_UP(group), TR_UP(dump))

const struct tr_verdict_status *tr__verdict_status(const struct tr_verdicts *v, uint32_t group, uint32_t dump)
{
    size_t lo = 0, hi = v->n_statuses;
    const struct tr_verdict_status key = { .group = group, .dump = dump };
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (by_status(&v->statuses[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < v->n_statuses && by_status(&v->statuses[lo], &key) == 0 ? &v->statuses[lo] : NULL;
}

/* The last call of each dump: what a rank did that did not call what others did. */
static bool find_last(struct tr_verdicts *v)
{
    v->last = malloc((v->n_dumps + 1) * sizeof *v->last);
    if (!v->last)
        return false;
    memset(v->last, 0xff, v->n_dumps * sizeof *v->last);
    for (size_t c = 0; c < v->n_calls; c++) {
        size_t *last = &v->last[v->calls[c].dump];
        if (*last == SIZE_MAX || v->calls[c].ts > v->calls[*last].ts)
            *last = c;
    }
    return true;
}

/* A dump without any completed call, although its rank has completed one, has only those that are not. */
static bool find_active(struct tr_verdicts *v)
{
    v->active = calloc(v->n_dumps + 1, sizeof *v->active);
    if (!v->active)
        return false;
    for (size_t i = 0; i < v->n_statuses; i++)
        if (v->statuses[i].before)
            v->active[v->statuses[i].dump] = true;
    for (size_t i = 0; i < v->n_calls; i++)
        if (v->calls[i].state == TR_CALL_COMPLETED)
            v->active[v->calls[i].dump] = false;
    return true;
}

/* ---- members ---- */

/* The ranks of a group: those in its text, else those that have calls of it. */
static bool list_members(const struct tr_verdicts *v, struct tr__verdict_group *g)
{
    struct tr_str s = tr_dict_text_if(v->dict, v->groups[g->number].ranks);
    bool ok = true;
    for (size_t i = 0; ok && i < s.len;) {
        int64_t rank = 0;
        size_t from = i;
        while (i < s.len && s.s[i] >= '0' && s.s[i] <= '9' && i - from < 9)
            rank = rank * 10 + (s.s[i++] - '0');
        if (i > from)
            ok = tr__verdict_rank(&g->ranks, rank);
        else
            i++;
    }
    for (size_t i = 0; ok && !s.len && i < v->n_dumps; i++)
        for (size_t c = g->first; c < g->last; c++)
            if (v->calls[c].dump == i) {
                ok = tr__verdict_rank(&g->ranks, v->ranks[i]);
                break;
            }
    g->members = calloc(g->ranks.n + 1, sizeof *g->members);
    g->of_dump = malloc((v->n_dumps + 1) * sizeof *g->of_dump);
    if (!ok || !g->members || !g->of_dump)
        return false;
    memset(g->of_dump, 0xff, v->n_dumps * sizeof *g->of_dump);
    for (size_t m = 0; m < g->ranks.n; m++) {
        g->members[m] = (struct tr__verdict_member){ .rank = g->ranks.v[m], .dump = UINT32_MAX, .first = INT64_MAX };
        for (size_t i = 0; g->members[m].dump == UINT32_MAX && i < v->n_dumps; i++)
            if (v->ranks[i] == g->ranks.v[m])
                g->members[m].dump = (uint32_t)i;
        if (g->members[m].dump != UINT32_MAX)
            g->of_dump[g->members[m].dump] = (uint32_t)m;
    }
    return true;
}

static struct tr__verdict_member *member_of(struct tr__verdict_group *g, uint32_t dump)
{
    return g->of_dump[dump] == UINT32_MAX ? NULL : &g->members[g->of_dump[dump]];
}

/* The numbers that are compared: from the largest first one of a member on. */
static void find_range(const struct tr_verdicts *v, struct tr__verdict_group *g)
{
    g->from = INT64_MIN;
    g->to = INT64_MIN;
    for (size_t c = g->first; c < g->p2p; c++) {
        struct tr__verdict_member *m = member_of(g, v->calls[c].dump);
        if (!m)
            continue;
        m->first = v->calls[c].number < m->first ? v->calls[c].number : m->first;
        g->to = v->calls[c].number > g->to ? v->calls[c].number : g->to;
    }
    for (size_t m = 0; m < g->ranks.n; m++)
        if (g->members[m].first != INT64_MAX && g->members[m].first > g->from)
            g->from = g->members[m].first;
}

/* ---- one number ---- */

/* Which members have a call of this number, and how far it is. */
static void look_at(const struct tr_verdicts *v, struct tr__verdict_group *g, int64_t number, size_t *at)
{
    for (size_t m = 0; m < g->ranks.n; m++)
        g->members[m].call = g->members[m].n_calls = 0;
    while (*at < g->p2p && v->calls[*at].number < number)
        ++*at;
    for (size_t c = *at; c < g->p2p && v->calls[c].number == number; c++) {
        struct tr__verdict_member *m = member_of(g, v->calls[c].dump);
        if (!m)
            continue;
        m->call = m->n_calls ? m->call : c;
        m->state = m->n_calls && m->state < v->calls[c].state ? m->state : v->calls[c].state;
        m->n_calls++;
    }
}

enum presence { CALLED, COMPLETED, NEVER, UNKNOWN };

static enum presence presence(const struct tr_verdicts *v, const struct tr__verdict_group *g, int64_t number,
                              const struct tr__verdict_member *m)
{
    if (m->n_calls)
        return m->state == TR_CALL_COMPLETED ? COMPLETED : CALLED;
    if (m->dump == UINT32_MAX)
        return UNKNOWN;
    const struct tr_verdict_status *s = tr__verdict_status(v, g->number, m->dump);
    if (s && s->enqueued != TR_I64_NONE)
        return s->enqueued < number                                        ? NEVER
               : s->completed != TR_I64_NONE && s->completed >= number ? COMPLETED
                                                                         : UNKNOWN;
    return v->active[m->dump] ? UNKNOWN : NEVER;
}

static int64_t call_time(const struct tr_verdicts *v, const struct tr__verdict_member *m)
{
    return m->n_calls ? v->calls[m->call].ts : TR_TIME_NONE;
}

/* Those that wait in the call: they started it. */
static bool add_waiting(const struct tr_verdicts *v, const struct tr__verdict_group *g, struct tr_verdict *f)
{
    bool ok = true;
    for (size_t m = 0; ok && m < g->ranks.n; m++) {
        const struct tr__verdict_member *x = &g->members[m];
        int64_t ts = call_time(v, x);
        if (!x->n_calls || x->state != TR_CALL_STARTED)
            continue;
        ok = tr__verdict_rank(&f->waiting, x->rank);
        if (ts != TR_TIME_NONE && (f->since == TR_TIME_NONE || ts < f->since))
            f->since = ts;
    }
    return ok;
}

static enum tr_verdict_kind judge(const struct tr_verdicts *v, struct tr__verdict_group *g, int64_t number,
                                  struct tr_verdict *f, bool *ok)
{
    size_t n[4] = { 0 };
    const struct tr__verdict_member *first = NULL;
    for (size_t m = 0; m < g->ranks.n; m++) {
        n[presence(v, g, number, &g->members[m])]++;
        if (g->members[m].n_calls && !first)
            first = &g->members[m];
    }
    if (!first || n[CALLED] + n[NEVER] == 0)
        return TR_VERDICT_NONE;
    f->call = v->calls[first->call].name;
    if (n[NEVER]) {
        for (size_t m = 0; *ok && m < g->ranks.n; m++)
            if (presence(v, g, number, &g->members[m]) == NEVER)
                *ok = tr__verdict_rank(&f->culprits, g->members[m].rank);
        return TR_VERDICT_MISSING;
    }
    enum tr_verdict_kind kind = tr__verdict_compare(v, g, f, ok);
    if (kind != TR_VERDICT_NONE)
        return kind;
    if (n[UNKNOWN])
        return TR_VERDICT_UNDECIDED;
    for (size_t m = 0; *ok && m < g->ranks.n; m++)
        if (g->members[m].n_calls && g->members[m].state == TR_CALL_SCHEDULED)
            *ok = tr__verdict_rank(&f->culprits, g->members[m].rank);
    return TR_VERDICT_STUCK;
}

/* What the ranks at fault did, each place once: "3 ranks at a (x.py:1); 1 at b (y.py:2)". */
static bool add_where(const struct tr_verdicts *v, struct tr__verdict_group *g, struct tr_verdict *f)
{
    bool ok = true;
    for (size_t m = 0; m < g->ranks.n; m++) {
        struct tr__verdict_member *x = &g->members[m];
        const size_t c = x->n_calls ? x->call : x->dump == UINT32_MAX ? SIZE_MAX : v->last[x->dump];
        x->where = c == SIZE_MAX ? TR_NO_STR : v->calls[c].where;
        x->counted = x->where == TR_NO_STR;
    }
    for (size_t m = 0; ok && m < g->ranks.n; m++) {
        struct tr_verdict_ranks at = { 0 };
        if (g->members[m].counted)
            continue;
        for (size_t k = m; ok && k < g->ranks.n; k++)
            if (g->members[k].where == g->members[m].where && !g->members[k].counted) {
                g->members[k].counted = true;
                ok = tr__verdict_rank(&at, g->members[k].rank);
            }
        struct tr_str where = tr_dict_text(v->dict, g->members[m].where);
        ok = ok && tr_buf_print(&f->where, "%s%s ", f->where.len ? "; " : "", at.n == 1 ? "rank" : "ranks") &&
             tr_verdict_ranks_text(&at, &f->where) && tr_buf_add(&f->where, " at ", 4) &&
             tr_buf_add(&f->where, where.s, where.len);
        free(at.v);
    }
    return ok;
}

static bool add_found(struct tr_verdicts *v, struct tr__verdict_group *g, struct tr_verdict *f)
{
    if (!add_waiting(v, g, f) || !add_where(v, g, f) ||
        !tr_grow(&v->found, &v->cap_found, v->n_found + 1, sizeof *f))
        return false;
    v->found[v->n_found++] = *f;
    return true;
}

static bool find_group(struct tr_verdicts *v, struct tr__verdict_group *g)
{
    size_t at = g->first;
    bool ok = list_members(v, g);
    if (ok)
        find_range(v, g);
    for (int64_t number = g->from; ok && number != INT64_MIN && number <= g->to; number++) {
        struct tr_verdict f = { .group = g->number, .number = number, .call = TR_NO_STR, .follows = UINT32_MAX,
                                .since = TR_TIME_NONE };
        look_at(v, g, number, &at);
        f.kind = f.own = judge(v, g, number, &f, &ok);
        bool fault = ok && f.kind != TR_VERDICT_NONE;
        ok = ok && (!fault || add_found(v, g, &f));
        if (!ok || !fault)
            tr__verdict_free(&f);
        if (fault)
            break;
    }
    ok = ok && tr__verdict_p2p(v, g);
    free(g->ranks.v);
    free(g->members);
    free(g->of_dump);
    return ok;
}

/* ---- groups that wait for each other ---- */

/* Does a rank wait in the call that a verdict is about? */
static bool waits_in(const struct tr_verdicts *v, int64_t rank, const struct tr_verdict *f)
{
    struct tr_verdict_call key = { .group = f->group, .p2p = f->p2p, .number = f->number, .ts = INT64_MIN };
    size_t lo = 0, hi = v->n_calls;
    while (key.dump < v->n_dumps && v->ranks[key.dump] != rank)
        key.dump++;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (by_group(&v->calls[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < v->n_calls && v->calls[lo].group == key.group && v->calls[lo].p2p == key.p2p &&
           v->calls[lo].number == key.number && v->calls[lo].dump == key.dump; lo++)
        if (v->calls[lo].state != TR_CALL_COMPLETED)
            return true;
    return false;
}

static bool has_rank(const struct tr_verdict_ranks *r, int64_t rank)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i] == rank)
            return true;
    return false;
}

/* The verdict in whose call a rank waits, other than f; UINT32_MAX: there is none. */
static uint32_t waits_elsewhere(const struct tr_verdicts *v, int64_t rank, const struct tr_verdict *f)
{
    for (size_t i = 0; i < v->n_found; i++) {
        const struct tr_verdict *to = &v->found[i];
        bool other = to != f && (to->p2p || to->group != f->group || f->p2p);
        if (other && (to->p2p ? has_rank(&to->waiting, rank) : waits_in(v, rank, to)))
            return (uint32_t)i;
    }
    return UINT32_MAX;
}

/* Which ranks at fault wait nowhere else, and where the first of the others does. */
struct blame {
    struct tr_verdict_ranks rest;
    uint32_t waits; /* UINT32_MAX: none does */
};

static bool find_blame(const struct tr_verdicts *v, const struct tr_verdict *f, struct blame *b)
{
    bool ok = true;
    *b = (struct blame){ .waits = UINT32_MAX };
    for (size_t k = 0; ok && k < f->culprits.n; k++) {
        uint32_t in = waits_elsewhere(v, f->culprits.v[k], f);
        b->waits = b->waits == UINT32_MAX ? in : b->waits;
        ok = in != UINT32_MAX || tr__verdict_rank(&b->rest, f->culprits.v[k]);
    }
    return ok;
}

/* Of two missing calls, one explains the other if it needs no explanation itself, or is the earlier one. */
static bool before(const struct tr_verdicts *v, const struct blame *blames, size_t a, size_t b)
{
    bool waits[2] = { blames[a].waits != UINT32_MAX, blames[b].waits != UINT32_MAX };
    const int64_t since[2] = { v->found[a].since, v->found[b].since };
    return waits[0] != waits[1] ? waits[1] : since[0] != since[1] ? since[0] < since[1] : a < b;
}

/*
 * What a verdict follows: that in which its ranks at fault wait; of a rank that does not wait anywhere, the first call
 * that it lacks.
 */
static uint32_t followed(const struct tr_verdicts *v, const struct blame *blames, size_t f)
{
    const struct tr_verdict_ranks *rest = &blames[f].rest;
    uint32_t best = UINT32_MAX;
    if (!rest->n)
        return blames[f].waits;
    for (size_t i = 0; v->found[f].own == TR_VERDICT_MISSING && i < v->n_found; i++) {
        bool all = i != f && v->found[i].own == TR_VERDICT_MISSING && before(v, blames, i, f);
        for (size_t k = 0; all && k < rest->n; k++)
            all = has_rank(&v->found[i].culprits, rest->v[k]);
        if (all && (best == UINT32_MAX || before(v, blames, i, best)))
            best = (uint32_t)i;
    }
    return best;
}

static bool find_followers(struct tr_verdicts *v)
{
    struct blame *blames = calloc(v->n_found + 1, sizeof *blames);
    bool ok = blames != NULL;
    for (size_t i = 0; ok && i < v->n_found; i++)
        ok = find_blame(v, &v->found[i], &blames[i]);
    for (size_t i = 0; ok && i < v->n_found; i++)
        v->found[i].follows = followed(v, blames, i);
    for (size_t i = 0; blames && i < v->n_found; i++)
        free(blames[i].rest.v);
    free(blames);
    for (size_t i = 0; ok && i < v->n_found; i++) {
        uint32_t at = v->found[i].follows;
        size_t steps = 0;
        if (at == UINT32_MAX)
            continue;
        v->found[i].kind = TR_VERDICT_FOLLOWER;
        for (; at != UINT32_MAX && at != i && steps <= v->n_found; steps++)
            at = v->found[at].follows;
        if (at == i)
            v->found[i].kind = TR_VERDICT_DEADLOCK;
    }
    return ok;
}

enum tr_status tr_verdicts_find(struct tr_verdicts *v, struct tr_error *err)
{
    bool ok = find_active(v);
    if (v->n_calls)
        qsort(v->calls, v->n_calls, sizeof *v->calls, by_group);
    if (v->n_statuses)
        qsort(v->statuses, v->n_statuses, sizeof *v->statuses, by_status);
    ok = ok && find_last(v);
    for (size_t c = 0, i = 0; ok && i < v->n_groups; i++) {
        struct tr__verdict_group g = { .number = (uint32_t)i, .first = c };
        while (c < v->n_calls && v->calls[c].group == i && !v->calls[c].p2p)
            c++;
        g.p2p = c;
        while (c < v->n_calls && v->calls[c].group == i)
            c++;
        g.last = c;
        ok = find_group(v, &g);
    }
    ok = ok && find_followers(v);
    return ok ? TR_OK : tr_fail_memory(err);
}
