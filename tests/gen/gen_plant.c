/* SPDX-License-Identifier: MIT */
/* Defects: what there is, where each goes, and those that change the list of events. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

#define T GEN_C_TOLERATED
#define L GEN_C_LOST
#define K GEN_C_SKIPPED
#define Q GEN_C_SUSPECT
#define X GEN_C_STRUCTURE
#define F GEN_C_FILE

const struct gen_plant_def gen_plants[GEN_N_PLANTS] = {
    [GEN_P_NONE] = { "", 0, 0, false, "" },
    [GEN_P_EARLY_KERNEL] = { "early-kernel", X, GEN_W_KERNEL, false,
                             "kernel that starts before its launch" },
    [GEN_P_ORPHAN_DEVICE] = { "orphan-device", X, GEN_W_LAUNCH, false,
                              "device work whose launch is not in the file" },
    [GEN_P_LONELY_LAUNCH] = { "lonely-launch", X, GEN_W_LAUNCH, false,
                              "launch whose device work is not in the file" },
    [GEN_P_REUSED_CORRELATION] = { "reused-correlation", X, GEN_W_LAUNCH, false,
                                   "every second one takes the number of the one before" },
    [GEN_P_NESTED_DRIVER] = { "nested-driver", X, GEN_W_LAUNCH, false,
                              "a driver call inside the runtime call, same correlation; it owns "
                              "the work" },
    [GEN_P_CROSSING] = { "crossing", X, GEN_W_OP, false, "operator that outlasts its parent" },
    [GEN_P_BEGIN_END] = { "begin-end", X, GEN_W_OP, false,
                          "B and E instead of X, E after its step's other events" },
    [GEN_P_END_FIRST] = { "end-first", X, GEN_W_OP, false, "B and E, E before B in the file" },
    [GEN_P_END_ARGS] = { "end-args", X, GEN_W_OP, false, "B and E, with further args on E" },
    [GEN_P_END_ANON] = { "end-anonymous", X, GEN_W_OP, false,
                         "B and E, E without name and category" },
    [GEN_P_LONE_BEGIN] = { "lone-begin", X, GEN_W_HOST, false,
                           "B that never ends (inserted, own thread)" },
    [GEN_P_LONE_END] = { "lone-end", X, GEN_W_HOST, false,
                         "E that never began (inserted, own thread)" },
    [GEN_P_EQUAL_TS] = { "equal-ts", X, GEN_W_HOST, false,
                         "annotation with the same time on every rank (inserted)" },
    [GEN_P_ASYNC] = { "async", X, GEN_W_HOST, false, "nested async b, n, e (inserted)" },
    [GEN_P_BIND_FLOW] = { "bind-flow", X, GEN_W_HOST, false,
                          "two spans tied by bind_id (inserted)" },
    [GEN_P_ODD_PHASE] = { "odd-phase", X, GEN_W_HOST, false, "one of N D v c P R S F (inserted)" },
    [GEN_P_COUNTER_STRING] = { "counter-string", X, GEN_W_HOST, false,
                               "counter whose value is a number in a string (inserted)" },
    [GEN_P_COUNTER_NAN] = { "counter-nan", X, GEN_W_HOST, true,
                            "counter with a NaN beside a number (inserted)" },
    [GEN_P_COUNTER_NO_ARGS] = { "counter-no-args", X, GEN_W_HOST, false,
                                "counter without args (inserted)" },
    [GEN_P_ASYNC_NO_ID] = { "async-no-id", X, GEN_W_HOST, false,
                            "async begin without any id (inserted)" },
    [GEN_P_FLOW_STEP] = { "flow-step", X, GEN_W_HOST, false,
                          "flow s, t, f with a string id, f first in the file (inserted)" },
    [GEN_P_ZERO_TS] = { "zero-ts", X, GEN_W_OP, false, "ts and dur 0" },
    [GEN_P_BAD_ESCAPE] = { "bad-escape", T, GEN_W_OP, true, "\\p in a name" },
    [GEN_P_CONTROL_BYTE] = { "control-byte", T, GEN_W_OP, true, "raw byte 1 or newline in a name" },
    [GEN_P_BAD_UTF8] = { "bad-utf8", T, GEN_W_OP, true, "bytes ff c3 in a name" },
    [GEN_P_LONE_SURROGATE] = { "lone-surrogate", T, GEN_W_OP, false, "\\ud83d alone in a name" },
    [GEN_P_SURROGATE_PAIR] = { "surrogate-pair", T, GEN_W_OP, false, "\\ud83d\\ude80 in a name" },
    [GEN_P_QUOTE_IN_NAME] = { "quote-in-name", T, GEN_W_OP, true,
                              "unescaped quotes inside a name" },
    [GEN_P_ESCAPED_KEY] = { "escaped-key", T, GEN_W_ANY, false, "\"n\\u0061me\" as key" },
    [GEN_P_NAN_ARG] = { "nan-arg", T, GEN_W_ANY, true, "NaN in args" },
    [GEN_P_INF_ARG] = { "inf-arg", T, GEN_W_ANY, true, "Infinity in args" },
    [GEN_P_NEG_INF_ARG] = { "neg-inf-arg", T, GEN_W_ANY, true, "-Infinity in args" },
    [GEN_P_INF_WORD_ARG] = { "inf-word-arg", T, GEN_W_ANY, true,
                             "inf and nan, as C prints them, in args" },
    [GEN_P_NAN_TS] = { "nan-ts", L, GEN_W_ANY, true, "ts is NaN" },
    [GEN_P_TS_STRING] = { "ts-string", T, GEN_W_ANY, false, "ts is a number in a string" },
    [GEN_P_TS_BAD_STRING] = { "ts-bad-string", L, GEN_W_ANY, false, "ts is the string \"12,5\"" },
    [GEN_P_TS_HUGE] = { "ts-huge", L, GEN_W_ANY, false, "ts beyond 64 bits of nanoseconds" },
    [GEN_P_TS_MISSING] = { "ts-missing", L, GEN_W_ANY, false, "X without ts" },
    [GEN_P_TS_EXPONENT] = { "ts-exponent", T, GEN_W_ANY, false, "ts as 4.458e12, exact" },
    [GEN_P_TS_LEADING_ZERO] = { "ts-leading-zero", T, GEN_W_ANY, true, "ts with a zero in front" },
    [GEN_P_TS_NEGATIVE_PARTS] = { "ts-negative-parts", Q, GEN_W_ANY, true,
                                  "ts is -1.-22, meaning -1.022; possible where no base is named" },
    [GEN_P_SUB_NS] = { "sub-ns", T, GEN_W_ANY, false,
                       "digits below a nanosecond in ts (4999) and dur (5)" },
    [GEN_P_DUR_STRING] = { "dur-string", T, GEN_W_ANY, false, "dur is a number in a string" },
    [GEN_P_DUR_NULL] = { "dur-null", T, GEN_W_HOST, false, "dur is null" },
    [GEN_P_DUR_MISSING] = { "dur-missing", T, GEN_W_HOST, false, "X without dur" },
    [GEN_P_DUR_NEGATIVE] = { "dur-negative", Q, GEN_W_ANY, false, "dur is -5.250" },
    [GEN_P_DUR_CENTURIES] = { "dur-centuries", Q, GEN_W_ANY, false, "dur of a hundred years" },
    [GEN_P_DUR_PLUS] = { "dur-plus", T, GEN_W_ANY, true, "dur with a plus sign" },
    [GEN_P_DUR_LEADING_DOT] = { "dur-leading-dot", T, GEN_W_ANY, true, "dur is .515" },
    [GEN_P_DUR_TRAILING_DOT] = { "dur-trailing-dot", T, GEN_W_ANY, true, "dur is 7." },
    [GEN_P_DUPLICATE_KEY] = { "duplicate-key", T, GEN_W_OP, false,
                              "name twice; the last one holds" },
    [GEN_P_ARGS_NOT_OBJECT] = { "args-not-object", T, GEN_W_OP, false, "args is an array" },
    [GEN_P_UINT64] = { "uint64", T, GEN_W_ANY, false, "18446744073709551615 in args" },
    [GEN_P_HUGE_INT] = { "huge-int", T, GEN_W_ANY, false, "an integer of 30 digits in args" },
    [GEN_P_DOUBLE17] = { "double17", T, GEN_W_ANY, false, "0.10000000000000001 in args" },
    [GEN_P_EXPONENT] = { "exponent", T, GEN_W_ANY, false, "1.5e3 and 1E-7 in args" },
    [GEN_P_STRING_PID] = { "string-pid", T, GEN_W_OP, false, "pid is \"CPU functions\"" },
    [GEN_P_STRING_TID] = { "string-tid", T, GEN_W_OP, false, "tid is \"stream 7\"" },
    [GEN_P_NUMERIC_STRING_TID] = { "numeric-string-tid", T, GEN_W_ANY, false,
                                   "tid in quotes: the same track" },
    [GEN_P_REAL_TID] = { "real-tid", T, GEN_W_ANY, false, "tid with .0 after it: the same track" },
    [GEN_P_MISSING_TID] = { "missing-tid", T, GEN_W_OP, false, "no tid" },
    [GEN_P_MISSING_PID] = { "missing-pid", T, GEN_W_OP, false, "no pid" },
    [GEN_P_STRING_STREAM] = { "string-stream", T, GEN_W_KERNEL, false, "args.stream in quotes" },
    [GEN_P_MISSING_PH] = { "missing-ph", L, GEN_W_ANY, false, "no ph" },
    [GEN_P_TORN] = { "torn", L, GEN_W_OP, true,
                     "event cut inside its name, the next one follows at once" },
    [GEN_P_MISSING_COMMA] = { "missing-comma", T, GEN_W_ANY, true, "no comma after the event" },
    [GEN_P_DOUBLE_COMMA] = { "double-comma", T, GEN_W_ANY, true, "two commas after the event" },
    [GEN_P_NULL_EVENT] = { "null-event", K, GEN_W_ANY, false, "null as an element (inserted)" },
    [GEN_P_NON_OBJECT] = { "non-object", K, GEN_W_ANY, false,
                           "a number, string or array as an element (inserted)" },
    [GEN_P_EMPTY_EVENT] = { "empty-event", K, GEN_W_ANY, false, "{} as an element (inserted)" },
    [GEN_P_BOM] = { "bom", F, 0, true, "byte order mark" },
    [GEN_P_TRUNCATE] = { "truncate", F, GEN_W_ANY, true,
                         "the file ends inside an event (see also --truncate-at)" },
    [GEN_P_SECOND_TRACE] = { "second-trace", F, 0, true, "another small trace after the first" },
    [GEN_P_TRAILING_GARBAGE] = { "trailing-garbage", F, 0, true, "text after the end" },
    [GEN_P_TRAILING_COMMA] = { "trailing-comma", F, 0, true, "comma before the closing bracket" },
    [GEN_P_UNCLOSED] = { "unclosed", F, 0, true, "nothing after the last event" },
};

int gen_plant_find(const char *name)
{
    for (int i = 1; i < GEN_N_PLANTS; i++)
        if (!strcmp(name, gen_plants[i].name))
            return i;
    return 0;
}

static int by_position(const void *pa, const void *pb)
{
    const struct gen_target *a = pa, *b = pb;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->plant > b->plant) - (a->plant < b->plant);
}

static void add_target(struct gen_planter *p, int which, uint64_t at, int plant)
{
    struct gen_targets *t = &p->t[which];
    t->v = gen_more(t->v, &t->cap, t->n + 1, sizeof *t->v);
    t->v[t->n++] = (struct gen_target){ at, plant };
}

/*
 * Draw a position for each wanted defect.  Host lists hold operators first and Python frames last,
 * so positions are drawn from the first quarter of a step; a defect takes the first suitable event
 * at or after its position.
 */
void gen_planter_init(struct gen_planter *p, const struct gen_job *j, int rank, int source)
{
    const struct gen_opts *o = j->o;
    struct gen_rng g = gen_rng_make((uint64_t)o->seed, 5, (uint64_t)rank, (uint64_t)source);
    uint32_t steps = (uint32_t)((j->steps + o->sources - 1) / o->sources);

    memset(p, 0, sizeof *p);
    for (int i = 0; i < o->n_want; i++) {
        const struct gen_plant_def *d = &gen_plants[o->want[i].plant];
        if (!d->where) {
            p->want_file[o->want[i].plant] += o->want[i].n;
            continue;
        }
        for (int64_t k = 0; k < o->want[i].n; k++) {
            bool host = d->where & GEN_W_HOST, dev = d->where & (GEN_W_KERNEL | GEN_W_LAUNCH);
            int which = host && dev ? (int)gen_below(&g, 2) : dev;
            uint64_t per_step = (which ? j->total_dev : j->total_host)[rank] / (uint64_t)j->steps;
            per_step = per_step * (uint64_t)o->keep / 1000;
            uint64_t at = per_step * gen_below(&g, steps);
            at += gen_below(&g, (uint32_t)(per_step / (which ? 2 : 4)) + 1);
            if (o->want[i].plant == GEN_P_TRUNCATE)
                at = per_step * (steps / 2) + gen_below(&g, (uint32_t)(per_step / 2) + 1);
            add_target(p, which, at, o->want[i].plant);
        }
    }
    for (int w = 0; w < 2; w++)
        if (p->t[w].n)
            qsort(p->t[w].v, p->t[w].n, sizeof *p->t[w].v, by_position);
}

void gen_planter_free(struct gen_planter *p)
{
    free(p->t[0].v);
    free(p->t[1].v);
}

/* Graph launches are left alone, so that their one-to-many links stay whole. */
static bool suits(const struct gen_ev *e, int plant)
{
    uint8_t where = gen_plants[plant].where;
    if (e->plant || e->flags & (GEN_F_STEP | GEN_F_LOST))
        return false;
    if (plant == GEN_P_CROSSING && (!e->up || !e->dur))
        return false;
    switch (e->type) {
    case GEN_T_OP: return where & GEN_W_OP;
    case GEN_T_PY: return where & GEN_W_PY;
    case GEN_T_KERNEL: return where & GEN_W_KERNEL && !(e->flags & GEN_F_GRAPH);
    case GEN_T_RUNTIME: return where & GEN_W_LAUNCH && e->info && e->link;
    default: return false;
    }
}

/* The events of one launch stand together: device work with its flows, the call, its s flow. */
static bool same_launch(const struct gen_evs *l, size_t i, uint64_t link)
{
    return i < l->n && l->v[i].link == link;
}

static void orphan_or_lonely(struct gen_evs *l, size_t i, bool drop_launch, int plant)
{
    uint64_t link = l->v[i].link;
    size_t first = i, end = i;
    while (first && same_launch(l, first - 1, link))
        first--;
    while (same_launch(l, end, link))
        end++;
    for (size_t k = first; k < end; k++) {
        struct gen_ev *e = &l->v[k];
        bool launch = k >= i;
        if (launch == drop_launch)
            e->type = GEN_T_NONE;
        else if (e->type != GEN_T_FLOW)
            e->plant = (uint8_t)plant;
    }
}

static void early(struct gen_evs *l, size_t i)
{
    struct gen_ev *k = &l->v[i];
    for (size_t n = i; same_launch(l, n, k->link); n++)
        if (l->v[n].flags & GEN_F_LAUNCH) {
            k->ts = l->v[n].ts - 2345;
            if (i + 1 < l->n && l->v[i + 1].type == GEN_T_FLOW)
                l->v[i + 1].ts = k->ts;
            return;
        }
}

static void reuse(struct gen_planter *p, struct gen_evs *l, size_t i)
{
    uint64_t link = l->v[i].link;
    if (!p->reuse_corr) {
        p->reuse_corr = l->v[i].corr;
        return;
    }
    for (size_t k = i; same_launch(l, k, link); k--) {
        l->v[k].corr = p->reuse_corr;
        if (!k)
            break;
    }
    for (size_t k = i + 1; same_launch(l, k, link); k++)
        l->v[k].corr = p->reuse_corr;
    p->reuse_corr = 0;
}

static void apply(struct gen_planter *p, struct gen_evs *l, size_t i, int plant)
{
    struct gen_ev *e = &l->v[i];
    e->plant = (uint8_t)plant;
    switch (plant) {
    case GEN_P_EARLY_KERNEL: early(l, i); break;
    case GEN_P_ORPHAN_DEVICE: orphan_or_lonely(l, i, true, plant); break;
    case GEN_P_LONELY_LAUNCH: orphan_or_lonely(l, i, false, plant); break;
    case GEN_P_REUSED_CORRELATION: reuse(p, l, i); break;
    case GEN_P_CROSSING: {
        const struct gen_ev *up = &l->v[i - (size_t)e->up];
        e->dur = up->ts + up->dur + 1500 - e->ts;
        break;
    }
    default: break;
    }
}

void gen_plant_list(struct gen_planter *p, struct gen_evs *l, int which, uint64_t first)
{
    struct gen_targets *t = &p->t[which];
    for (size_t i = 0; i < l->n && t->next < t->n; i++) {
        for (size_t k = t->next; k < t->n && t->v[k].at <= first + i; k++) {
            int plant = t->v[k].plant;
            if (plant && suits(&l->v[i], plant)) {
                apply(p, l, i, plant);
                t->v[k].plant = 0;
                break;
            }
        }
        while (t->next < t->n && !t->v[t->next].plant)
            t->next++;
    }
}
