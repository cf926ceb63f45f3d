/* SPDX-License-Identifier: MIT */
/*
 * Random expressions over random streams against an evaluator that knows nothing of columns: it
 * walks the tree for each event by itself.  The stream is cut into batches at random.
 */
#include "expr/tr_expr.h"

#include "expr_build.h"

static uint64_t seed = 1;

static uint32_t r(uint32_t below)
{
    return roll(&seed, below);
}

/* --- a random stream -------------------------------------------------------------------------- */

#define N        300u
#define N_TRACKS 6u
#define N_STEPS  3u

static struct event ev[N];
static struct tr_track tracks[N_TRACKS];
static const int64_t ranks[2] = { 4, -1 };
static const char *const hosts[2] = { "node-1", NULL };
static const struct tr_step steps[N_STEPS] = { { .number = 7, .start = 10, .end = 30 },
                                               { .number = 8, .start = 30, .end = 55 },
                                               { .number = 9, .start = 60, .end = 90 } };

static const char *const names[] = { "a", "ab", "gemm", "12", "12.5", "x y", "," };
static const char *const cats[] = { NULL, "kernel", "cpu_op,kernel", "a, ab", "gemm" };
#define PICK(list) (list)[r(sizeof(list) / sizeof *(list))]

static struct member random_member(const char *key)
{
    struct member m = { key, TR_PLACE_ARGS, TR_T_INT, (int64_t)r(30) - 5, NULL };
    double d;
    switch (r(7)) {
    case 0:
        m.type = (uint8_t)r(3); /* null, false, true */
        break;
    case 1:
        m.type = TR_T_DECIMAL;
        m.v = tr_decimal_make((int64_t)r(300) - 50, 1 + r(3));
        break;
    case 2:
        m.type = TR_T_DOUBLE;
        d = (double)r(100) / 8;
        memcpy(&m.v, &d, sizeof d);
        break;
    case 3:
        m.type = TR_T_STRING;
        m.s = PICK(names);
        break;
    case 4:
        m.type = TR_T_JSON;
        m.s = "[12]";
        break;
    default:
        break;
    }
    return m;
}

static int by_order(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    int c = tr_order_cmp(x->ts, x->dur, y->ts, y->dur);
    return c ? c : (x->record > y->record) - (x->record < y->record);
}

static void random_events(void)
{
    for (size_t i = 0; i < N; i++) {
        struct event *e = &ev[i];
        memset(e, 0, sizeof *e);
        e->record = i;
        e->ts = r(20) ? (int64_t)r(100) : TR_TIME_NONE;
        e->dur = r(4) ? (int64_t)r(r(3) ? 10 : 60) : TR_TIME_NONE;
        e->track = r(N_TRACKS);
        e->name = PICK(names);
        e->cat = PICK(cats);
        e->phase = r(4) ? TR_SPAN : (uint8_t)r(TR_N_PHASES);
        e->activity = (uint8_t)r(TR_N_ACTIVITIES);
        e->kind = (uint8_t)r(TR_N_KINDS);
        if (!r(8))
            e->suspect = (uint8_t)r(TR_SUSPECT_OVERFLOW);
        if (!r(10) && e->dur == TR_TIME_NONE)
            e->flags |= TR_OPEN;
        if (!r(3)) {
            e->flags |= TR_HAS_LAUNCH;
            e->launch_ts = r(100);
        }
        if (!r(3)) {
            e->flags |= TR_HAS_CLASS;
            e->class_name = PICK(names);
        }
        if (r(2))
            e->members[e->n_members++] = random_member("k");
        if (!r(3))
            e->members[e->n_members++] = random_member("other key");
        if (!r(3))
            e->members[e->n_members++] = random_member("correlation");
    }
    qsort(ev, N, sizeof *ev, by_order);
}

static void random_tracks(struct tr_dict *d)
{
    for (uint32_t s = 0; s < 2; s++)
        add_source(d, ranks[s], hosts[s]);
    for (uint32_t t = 0; t < N_TRACKS; t++) {
        tracks[t] = t % 2 ? device_track(t / 3, t, 7) : host_track(t / 3, 1 + t / 2, t);
        tracks[t].process_name = t < 3 ? str(d, names[t]) : TR_NO_STR;
        if (t == 4) {
            tracks[t].tid_type = TR_T_STRING;
            tracks[t].tid = str(d, "12");
        }
        tr_dict_add_track(d, &tracks[t]);
    }
}

/* --- what a field is, for one event ----------------------------------------------------------- */

enum vtype { V_NONE, V_NUM, V_TEXT, V_BOOL };

struct value {
    enum vtype type;
    int64_t milli; /* numbers times 1000 */
    const char *s;
    bool here; /* for has(): there, though it may have no value (null) */
};

static struct value num(int64_t v)
{
    return v == TR_TIME_NONE ? (struct value){ V_NONE, 0, NULL, false }
                             : (struct value){ V_NUM, v * 1000, NULL, true };
}

static struct value text(const char *s)
{
    return (struct value){ s ? V_TEXT : V_NONE, 0, s, s != NULL };
}

static struct value member_value(const struct event *e, const char *key)
{
    static const int64_t ten[] = { 1000, 100, 10, 1 };
    for (int k = 0; k < e->n_members; k++) {
        const struct member *m = &e->members[k];
        double d;
        if (strcmp(m->key, key) != 0)
            continue;
        switch (m->type) {
        case TR_T_NULL:
            return (struct value){ V_NONE, 0, NULL, true };
        case TR_T_FALSE:
        case TR_T_TRUE:
            return (struct value){ V_BOOL, m->type == TR_T_TRUE, NULL, true };
        case TR_T_INT:
            return num(m->v);
        case TR_T_DECIMAL:
            return (struct value){ V_NUM, tr_decimal_mantissa(m->v) * ten[tr_decimal_scale(m->v)],
                                   NULL, true };
        case TR_T_DOUBLE:
            memcpy(&d, &m->v, sizeof d);
            return (struct value){ V_NUM, (int64_t)(d * 1000), NULL, true };
        default:
            return text(m->s);
        }
    }
    return (struct value){ V_NONE, 0, NULL, false };
}

static int64_t end_of(const struct event *e)
{
    if (e->phase != TR_SPAN || e->ts == TR_TIME_NONE)
        return TR_TIME_NONE;
    if (e->flags & TR_OPEN)
        return INT64_MAX;
    return e->dur == TR_TIME_NONE ? TR_TIME_NONE : e->ts + tr_dur_used(e->dur, e->suspect);
}

static int64_t depth_of(size_t i)
{
    int64_t n = 0;
    if (ev[i].phase != TR_SPAN || ev[i].ts == TR_TIME_NONE)
        return TR_TIME_NONE;
    for (size_t j = 0; j < i; j++)
        n += ev[j].track == ev[i].track && end_of(&ev[j]) != TR_TIME_NONE &&
             end_of(&ev[j]) > ev[i].ts;
    return n;
}

static int64_t step_of(const struct event *e)
{
    int64_t t = e->ts;
    if (e->flags & TR_HAS_LAUNCH)
        t = e->launch_ts;
    else if (tr_is_device_work(e->activity) || e->activity == TR_ACT_SYNC)
        return TR_TIME_NONE;
    if (t == TR_TIME_NONE || tracks[e->track].source != 0)
        return TR_TIME_NONE;
    for (size_t k = 0; k < N_STEPS; k++)
        if (t >= steps[k].start && t < steps[k].end)
            return steps[k].number;
    return TR_TIME_NONE;
}

enum field {
    TS,
    DUR,
    END,
    TID,
    RANK,
    DEVICE,
    STEP,
    DEPTH,
    NAME,
    CAT,
    CLASS,
    HOST,
    PROCESS,
    K,
    OTHER,
    CORR,
    ACTIVITY,
    KIND,
    PHASE,
    N_FIELDS
};

static const char *const field_names[N_FIELDS] = {
    "ts",          "dur",      "end",     "tid",    "rank",
    "device",      "step",     "depth",   "name",   "cat",
    "class",       "host",     "process", "args.k", "args.\"other key\"",
    "correlation", "activity", "kind",    "phase",
};

static struct value field_value(enum field f, size_t i)
{
    const struct event *e = &ev[i];
    const struct tr_track *t = &tracks[e->track];
    switch (f) {
    case TS:
        return num(e->ts);
    case DUR:
        return num(e->dur);
    case END:
        return num(e->ts == TR_TIME_NONE || e->dur == TR_TIME_NONE ? TR_TIME_NONE : e->ts + e->dur);
    case TID:
        return t->tid_type == TR_T_STRING ? text("12") : num(t->tid);
    case RANK:
        return num(ranks[t->source] < 0 ? TR_TIME_NONE : ranks[t->source]);
    case DEVICE:
        return num(t->device);
    case STEP:
        return num(step_of(e));
    case DEPTH:
        return num(depth_of(i));
    case NAME:
        return text(e->name);
    case CAT:
        return text(e->cat);
    case CLASS:
        return text(e->flags & TR_HAS_CLASS ? e->class_name : NULL);
    case HOST:
        return text(hosts[t->source]);
    case PROCESS:
        return text(e->track < 3 ? names[e->track] : NULL);
    case K:
        return member_value(e, "k");
    case OTHER:
        return member_value(e, "other key");
    case CORR:
        return member_value(e, "correlation");
    case ACTIVITY:
        return text(tr_activity_name(e->activity));
    case KIND:
        return text(e->kind ? tr_kind_name(e->kind) : NULL);
    default:
        return text(tr_phase_name(e->phase));
    }
}

/* --- random expressions ----------------------------------------------------------------------- */

enum op { EQ, NE, LT, LE, GT, GE, IN_LIST, IN_RANGE, MATCH, NO_MATCH, HAS };

struct node {
    enum { AND, OR, NOT, LEAF, CONST } type;
    bool value;
    struct node *a, *b;
    enum field field;
    enum op op;
    bool is_text;
    int64_t milli[2];
    const char *s[2];
};

static struct node nodes[400];
static size_t n_nodes;

static bool is_time(enum field f)
{
    return f <= END;
}
static bool is_number(enum field f)
{
    return f == RANK || f == DEVICE || f == STEP || f == DEPTH;
}
static const char *random_word(enum field f)
{
    if (f == ACTIVITY)
        return tr_activity_name(r(TR_N_ACTIVITIES));
    if (f == KIND)
        return tr_kind_name(1 + r(TR_N_KINDS - 1));
    if (f == PHASE)
        return tr_phase_name(r(TR_N_PHASES));
    return PICK(names);
}

static struct node *random_leaf(void)
{
    struct node *n = &nodes[n_nodes++];
    memset(n, 0, sizeof *n);
    n->type = LEAF;
    n->field = (enum field)r(N_FIELDS);
    if (!r(10)) {
        n->op = HAS;
        return n;
    }
    bool any = n->field == TID || (n->field >= K && n->field <= CORR);
    n->is_text = any ? r(2) : !is_time(n->field) && !is_number(n->field);
    static const enum op for_text[] = { EQ, NE, IN_LIST, MATCH, NO_MATCH };
    n->op = n->is_text ? PICK(for_text) : (enum op)r(IN_RANGE + 1);
    for (int k = 0; k < 2; k++) {
        n->milli[k] = ((int64_t)r(40) - 5) * 1000 + (r(3) ? 0 : r(8) * 125);
        n->s[k] = random_word(n->field);
        if (n->op == MATCH || n->op == NO_MATCH)
            n->s[k] = r(2) ? "^a" : "e";
    }
    if (n->milli[1] < n->milli[0])
        n->milli[1] = n->milli[0] + 2000;
    return n;
}

static struct node *random_node(int depth)
{
    if (!depth || n_nodes > 300 || !r(4))
        return random_leaf();
    struct node *n = &nodes[n_nodes++];
    memset(n, 0, sizeof *n);
    n->type = r(12) ? r(3) : CONST;
    n->value = r(2);
    if (n->type == CONST)
        return n;
    n->a = random_node(depth - 1);
    if (n->type != NOT)
        n->b = random_node(depth - 1);
    return n;
}

static void print_value(const struct node *n, int k, struct tr_buf *b)
{
    char buf[64];
    if (n->is_text) {
        snprintf(buf, sizeof buf, r(2) ? "\"%s\"" : "'%s'", n->s[k]);
    } else {
        int64_t m = n->milli[k];
        snprintf(buf, sizeof buf, "%s%lld.%03lld%s", m < 0 ? "-" : "",
                 (long long)(m < 0 ? -m : m) / 1000, (long long)(m < 0 ? -m : m) % 1000,
                 is_time(n->field) ? "ns" : "");
    }
    tr_buf_add_str(b, buf);
}

static void print(const struct node *n, struct tr_buf *b)
{
    static const char *const ops[] = { " == ", " != ",  "<",    " <= ", " > ",
                                       ">=",   " in (", " in ", "=~",   " !~ " };
    switch (n->type) {
    case AND:
    case OR:
        tr_buf_add_str(b, "(");
        print(n->a, b);
        tr_buf_add_str(b, n->type == AND ? " && " : "||");
        print(n->b, b);
        tr_buf_add_str(b, ")");
        break;
    case NOT:
        tr_buf_add_str(b, "!");
        print(n->a, b);
        break;
    case CONST:
        tr_buf_add_str(b, n->value ? "true" : "false");
        break;
    case LEAF:
        if (n->op == HAS) {
            tr_buf_add_str(b, "has(");
            tr_buf_add_str(b, field_names[n->field]);
            tr_buf_add_str(b, ")");
            return;
        }
        tr_buf_add_str(b, field_names[n->field]);
        tr_buf_add_str(b, ops[n->op]);
        print_value(n, 0, b);
        if (n->op == IN_LIST || n->op == IN_RANGE) {
            tr_buf_add_str(b, n->op == IN_LIST ? ", " : "..");
            print_value(n, 1, b);
        }
        if (n->op == IN_LIST)
            tr_buf_add_str(b, ")");
        break;
    }
}

/* --- the naive evaluator ---------------------------------------------------------------------- */

/* Texts of this test that read as numbers. */
static bool reads(const char *s, int64_t *milli)
{
    *milli = strcmp(s, "12") == 0 ? 12000 : 12500;
    return strcmp(s, "12") == 0 || strcmp(s, "12.5") == 0;
}

static bool cmp(enum op op, int64_t v, const int64_t *lit)
{
    switch (op) {
    case LT:
        return v < lit[0];
    case LE:
        return v <= lit[0];
    case GT:
        return v > lit[0];
    case GE:
        return v >= lit[0];
    case IN_LIST:
        return v == lit[0] || v == lit[1];
    case IN_RANGE:
        return v >= lit[0] && v <= lit[1];
    default:
        return v == lit[0];
    }
}

static bool text_in(const struct node *n, const char *s)
{
    if (n->op == MATCH || n->op == NO_MATCH)
        return n->s[0][0] == '^' ? s[0] == 'a' : strchr(s, 'e') != NULL;
    return strcmp(s, n->s[0]) == 0 || (n->op == IN_LIST && strcmp(s, n->s[1]) == 0);
}

static bool in_set(const struct node *n, const struct value *v)
{
    int64_t m, lit[2];
    char part[64];
    if (v->type == V_BOOL)
        return false; /* none of the texts here is a bare true or false */
    if (v->type == V_NUM && !n->is_text)
        return cmp(n->op, v->milli, n->milli);
    if (v->type == V_NUM) {
        bool hit = false;
        for (int k = 0; k < (n->op == IN_LIST ? 2 : 1); k++)
            hit |= n->op != MATCH && n->op != NO_MATCH && reads(n->s[k], &lit[k]) &&
                   v->milli == lit[k];
        return hit;
    }
    if (!n->is_text)
        return reads(v->s, &m) && cmp(n->op, m, n->milli);
    if (text_in(n, v->s))
        return true;
    if (n->field != CAT)
        return false;
    for (const char *s = v->s; s;) {
        size_t len = strcspn(s, ",");
        while (*s == ' ') {
            s++;
            len--;
        }
        memcpy(part, s, len);
        part[len] = '\0';
        if (text_in(n, part))
            return true;
        s = s[len] ? s + len + 1 : NULL;
    }
    return false;
}

static bool naive(const struct node *n, size_t i)
{
    switch (n->type) {
    case AND:
        return naive(n->a, i) && naive(n->b, i);
    case OR:
        return naive(n->a, i) || naive(n->b, i);
    case NOT:
        return !naive(n->a, i);
    case CONST:
        return n->value;
    case LEAF:
        break;
    }
    struct value v = field_value(n->field, i);
    if (n->op == HAS)
        return v.here;
    return v.type != V_NONE && in_set(n, &v) != (n->op == NE || n->op == NO_MATCH);
}

/* --- both ------------------------------------------------------------------------------------- */

static bool agree(struct tr_expr *e, const struct node *root, const char *printed)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *d = must(tr_dict_new());
    struct tr_batch *b = must(tr_batch_new());
    struct tr_summary *s = must(tr_summary_new(2));
    uint8_t mask[N];
    bool good = true;
    for (size_t k = 0; k < N_STEPS; k++)
        tr_summary_add_step(&s->sources[0], &steps[k]);
    random_tracks(d);
    struct tr_input in = { .dict = d, .summary = s, .sorted = true };
    good = tr_expr_bind(e, &in, &err) == TR_OK;
    for (size_t from = 0, to; from < N && good; from = to) {
        to = from + 1 + r(120);
        to = to < N ? to : N;
        tr_batch_clear(b);
        for (size_t i = from; i < to; i++)
            add_event(d, b, &ev[i]);
        good = tr_expr_eval(e, b, mask, &err) == TR_OK;
        for (size_t i = from; i < to && good; i++) {
            if (mask[i - from] != naive(root, i)) {
                printf("# event %zu, expected %d: %s\n", i, naive(root, i), printed);
                good = false;
            }
        }
    }
    tr_batch_free(b);
    tr_dict_free(d);
    tr_summary_free(s);
    return good;
}

static bool round_of(uint64_t number, size_t *selected)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf b = { 0 };
    struct tr_expr *e;
    seed = number;
    n_nodes = 0;
    random_events();
    struct node *root = random_node(5);
    print(root, &b);
    tr_buf_add(&b, "", 1);
    /* Fields know their tracks only once they have been made. */
    struct tr_dict *d = must(tr_dict_new());
    random_tracks(d);
    tr_dict_free(d);
    bool good = tr_expr_compile(&e, (char *)b.data, &err) == TR_OK;
    if (!good)
        printf("# %s: %s: %s\n", (char *)b.data, err.place, err.what);
    /* Twice: nothing learnt from the first stream may show in the second. */
    good = good && agree(e, root, (char *)b.data) && agree(e, root, (char *)b.data);
    for (size_t i = 0; i < N; i++)
        *selected += naive(root, i);
    tr_expr_free(e);
    tr_buf_free(&b);
    return good;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 400;
    unsigned bad = 0;
    size_t selected = 0;
    for (unsigned k = 1; k <= rounds; k++) {
        if (!round_of(k, &selected)) {
            printf("# seed %u\n", k);
            bad++;
        }
    }
    ok(!bad, "%u random expressions agree with a walk over the tree", rounds);
    ok(selected > rounds * N / 10 && selected < rounds * N / 10 * 9, "and say both yes and no");
    return tap_end();
}
