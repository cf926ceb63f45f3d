/* SPDX-License-Identifier: MIT */
/* What did the devices do in the time of each step? */
#include "analysis/time/tr_step_account.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>

#define DRAINED  TR_N_ACCOUNTS /* beside the parts that add up: the same time again */
#define N_STATES (TR_N_ACCOUNTS + 1)
#define FEW      16u
#define N_BUSY   TR_ACCOUNT_IDLE

/* A stretch of time that ends by `at`; all of it counts for one state. */
struct stretch {
    int64_t at, ns, longest;
    uint32_t during; /* in the longest one */
    uint8_t state;
};

/* In order of time. */
struct stretches {
    struct stretch *v;
    size_t n, cap, limit;
};

/* A rank. */
struct lane {
    int64_t *cuts; /* starts and ends of its steps on the host, in order */
    size_t n_cuts, cap_cuts;
    struct stretches busy, idle;
    bool worked;
    int64_t now;         /* until then, busy time is in the stretches */
    int64_t end[N_BUSY]; /* of work of each kind that has started */
    int64_t *open;       /* ends of work that has started: a heap, the earliest first */
    size_t n_open, cap_open;
    int64_t wait_end; /* the end of the last gap in which the host waited for the device */
    int64_t ahead;    /* ns by which it would be ahead without that wait */
};

/* A source of a rank and capture, as groups have them. */
struct own_source {
    int64_t rank, capture;
    uint32_t source;
};

struct tr_step_accounts {
    struct tr_analysis_in in;
    struct tr_group_by work;
    struct tr_idle *idle;
    struct tr_step_ends *ends; /* owner: the run */
    struct lane *lanes; /* by group */
    size_t n_lanes, cap_lanes;
    struct own_source *sources; /* by rank, capture and number */
    size_t n_sources, cap_sources;
    struct tr_step_account *rows;
    size_t n;
};

int64_t tr_step_account_idle(const struct tr_step_account *s)
{
    int64_t sum = 0;
    for (size_t k = TR_ACCOUNT_IDLE; k < TR_N_ACCOUNTS; k++)
        sum += s->of[k];
    return sum;
}

void tr_step_accounts_needs(struct tr_needs *n)
{
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(KIND);
    n->want.derived = TR_STEPS_DERIVED | 1u << TR_COL_LAUNCH_DUR;
    n->want.any_rank_order = true;
    n->all_in_any_order = true;
}

/* ---- ranks ---- */

TR_ORDER(by_owner, struct own_source, TR_UP(rank), TR_UP(capture), TR_UP(source))

static bool know_sources(struct tr_step_accounts *a)
{
    const struct tr_dict *d = a->in.dict;
    if (a->n_sources == d->n_sources)
        return true;
    if (!tr_grow(&a->sources, &a->cap_sources, d->n_sources, sizeof *a->sources))
        return false;
    for (uint32_t i = 0; i < d->n_sources; i++)
        a->sources[i] = (struct own_source){ d->sources[i].rank < 0 ? TR_GROUP_NONE : d->sources[i].rank,
                                             (int64_t)d->sources[i].capture, i };
    a->n_sources = d->n_sources;
    qsort(a->sources, a->n_sources, sizeof *a->sources, by_owner);
    return true;
}

/* The sources of a group: n from the one that is returned. */
static const struct own_source *own_sources(const struct tr_step_accounts *a, uint32_t group, size_t *n)
{
    const struct tr_group_key *key = &a->work.groups[group];
    const struct own_source first = { key->rank, key->capture, 0 };
    size_t at = 0, end;
    TR_BOUND(at, a->n_sources, mid, by_owner(&a->sources[mid], &first) < 0);
    for (end = at; end < a->n_sources && a->sources[end].rank == key->rank && a->sources[end].capture == key->capture;)
        end++;
    *n = end - at;
    return a->sources + at;
}

static bool make_lane(const struct tr_step_accounts *a, uint32_t group, struct lane *l)
{
    *l = (struct lane){ .busy.limit = FEW, .idle.limit = FEW };
    for (size_t k = 0; k < N_BUSY; k++)
        l->end[k] = INT64_MIN; /* times may be negative */
    size_t n;
    const struct own_source *own = own_sources(a, group, &n);
    const struct tr_summary *summary = tr_step_ends_summary(a->ends);
    for (size_t i = 0; i < n && own[i].source < summary->n; i++) {
        const struct tr_source_summary *of = &summary->sources[own[i].source];
        if (!of->n_steps)
            continue;
        if (!tr_grow(&l->cuts, &l->cap_cuts, l->n_cuts + 2 * of->n_steps, sizeof *l->cuts))
            return false;
        for (size_t k = 0; k < of->n_steps; k++) {
            l->cuts[l->n_cuts++] = of->steps[k].start;
            l->cuts[l->n_cuts++] = of->steps[k].end;
        }
    }
    if (l->n_cuts)
        qsort(l->cuts, l->n_cuts, sizeof *l->cuts, tr_by_i64);
    return true;
}

static bool more_lanes(struct tr_step_accounts *a)
{
    if (!know_sources(a) || !tr_grow(&a->lanes, &a->cap_lanes, a->work.n_groups, sizeof *a->lanes))
        return false;
    for (; a->n_lanes < a->work.n_groups; a->n_lanes++)
        if (!make_lane(a, (uint32_t)a->n_lanes, &a->lanes[a->n_lanes]))
            return a->n_lanes++, false; /* to be freed */
    return true;
}

/* ---- stretches ---- */

static void merge(struct stretch *to, const struct stretch *more)
{
    to->at = more->at;
    to->ns += more->ns;
    if (more->longest > to->longest) {
        to->longest = more->longest;
        to->during = more->during;
    }
}

/* Merge stretches of one state between which no step can end.  Bounds of later work are after all stretches. */
static bool shorten(const struct tr_step_accounts *a, uint32_t group, struct stretches *s)
{
    int64_t *bounds = NULL;
    size_t n_bounds = 0, cap = 0, n = 0, passed = 0, n_own, of[N_STATES];
    const struct own_source *own = own_sources(a, group, &n_own);
    bool ok = true;
    for (size_t i = 0; ok && i < n_own; i++)
        ok = tr_step_ends_bounds(a->ends, own[i].source, &bounds, &n_bounds, &cap);
    if (ok && n_bounds)
        qsort(bounds, n_bounds, sizeof *bounds, tr_by_i64);
    for (size_t k = 0; k < N_STATES; k++)
        of[k] = SIZE_MAX;
    for (size_t i = 0; ok && i < s->n; i++) {
        const struct stretch p = s->v[i];
        size_t before = passed;
        while (passed < n_bounds && bounds[passed] < p.at)
            passed++;
        for (size_t k = 0; k < N_STATES && passed > before; k++)
            of[k] = SIZE_MAX;
        if (of[p.state] == SIZE_MAX) {
            s->v[of[p.state] = n++] = p;
        } else {
            merge(&s->v[of[p.state]], &p);
        }
    }
    if (ok) {
        s->n = n;
        s->limit = 2 * n + n_bounds + FEW; /* so shortening takes little time for each stretch */
    }
    free(bounds);
    return ok;
}

static bool add(const struct tr_step_accounts *a, uint32_t group, struct stretches *s, const struct stretch *more)
{
    if ((s->n >= s->limit && !shorten(a, group, s)) || !tr_grow(&s->v, &s->cap, s->n + 1, sizeof *s->v))
        return false;
    s->v[s->n++] = *more;
    return true;
}

/* ---- gaps ---- */

/* A rank is idle from the start of its first step to its first work. */
static int64_t first_step(void *self, uint32_t group, int64_t ts)
{
    const struct tr_step_accounts *a = self;
    const struct lane *l = &a->lanes[group];
    return l->n_cuts && l->cuts[0] < ts ? l->cuts[0] : TR_TIME_NONE;
}

static size_t cut_after(const struct lane *l, int64_t ts)
{
    size_t low = 0;
    TR_BOUND(low, l->n_cuts, mid, l->cuts[mid] <= ts);
    return low;
}

/* Gaps are cut where a step starts or ends on the host, because its time may end there. */
static int64_t next_cut(void *self, uint32_t group, int64_t ts)
{
    const struct tr_step_accounts *a = self;
    const struct lane *l = &a->lanes[group];
    size_t cut = cut_after(l, ts);
    return cut < l->n_cuts ? l->cuts[cut] : INT64_MAX;
}

/* A wait of the host is felt in its step and the next one: up to the third cut after it, the end of the latter. */
#define FELT 3

static void wait_of(struct lane *l, const struct tr_idle_gap *gap)
{
    if (l->ahead && cut_after(l, gap->start) >= cut_after(l, l->wait_end) + FELT)
        l->ahead = 0;
    if (!gap->waited)
        return;
    l->ahead += gap->waited;
    l->wait_end = gap->end;
}

static bool avoidable(enum tr_idle_cause cause)
{
    return cause == TR_IDLE_HOST_BUSY || cause == TR_IDLE_HOST_BLOCKED || cause == TR_IDLE_LAUNCH_OVERHEAD ||
           cause == TR_IDLE_DEVICE_OVERHEAD || cause == TR_IDLE_DEPENDENCY;
}

static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    struct tr_step_accounts *a = self;
    struct lane *l = &a->lanes[gap->group];
    bool ok = true;
    wait_of(l, gap);
    for (size_t i = 0; ok && i < gap->n_parts; i++) {
        const struct tr_idle_part *p = &gap->parts[i];
        struct stretch more = { gap->end, p->ns, p->ns, p->during, (uint8_t)(TR_ACCOUNT_IDLE + (unsigned)p->cause) };
        ok = add(a, gap->group, &l->idle, &more);
        if (!avoidable(p->cause))
            continue;
        more.ns = p->ns < l->ahead ? p->ns : l->ahead;
        more.state = DRAINED;
        l->ahead -= more.ns;
        ok = ok && (!more.ns || add(a, gap->group, &l->idle, &more));
    }
    return ok;
}

/* ---- work ---- */

static bool open_end(struct lane *l, int64_t end)
{
    if (!tr_grow(&l->open, &l->cap_open, l->n_open + 1, sizeof *l->open))
        return false;
    size_t i = l->n_open++;
    for (; i && l->open[(i - 1) / 2] > end; i = (i - 1) / 2)
        l->open[i] = l->open[(i - 1) / 2];
    l->open[i] = end;
    return true;
}

static void close_first(struct lane *l)
{
    int64_t last = l->open[--l->n_open];
    size_t i = 0, child;
    for (; (child = 2 * i + 1) < l->n_open; i = child) {
        child += child + 1 < l->n_open && l->open[child + 1] < l->open[child];
        if (l->open[child] >= last)
            break;
        l->open[i] = l->open[child];
    }
    l->open[i] = last;
}

/* All work that starts before `to` is known.  A step can end where any work ends, or on the host: so stretches do. */
static bool advance(struct tr_step_accounts *a, uint32_t group, int64_t to)
{
    struct lane *l = &a->lanes[group];
    bool ok = true;
    while (ok && l->n_open && l->now < to) {
        int64_t cut = next_cut(a, group, l->now), until = l->open[0] < to ? l->open[0] : to;
        until = cut < until ? cut : until;
        unsigned state = 0;
        while (state < N_BUSY && l->end[state] <= l->now)
            state++;
        if (state < N_BUSY && until > l->now) {
            until = l->end[state] < until ? l->end[state] : until;
            const struct stretch more = { until, until - l->now, 0, TR_NO_STR, (uint8_t)state };
            ok = add(a, group, &l->busy, &more);
        }
        l->now = until > l->now ? until : l->now;
        while (l->n_open && l->open[0] <= l->now)
            close_first(l);
    }
    l->now = l->now < to && to != INT64_MAX ? to : l->now;
    return ok;
}

static bool add_work(struct tr_step_accounts *a, const struct tr_batch *b, size_t i)
{
    static const uint8_t accounts[] = {
        [TR_KIND_COMPUTE] = TR_ACCOUNT_COMPUTE, [TR_KIND_COMM] = TR_ACCOUNT_COMM, [TR_KIND_MEMORY] = TR_ACCOUNT_MEMORY
    };
    struct tr_group_by_item item;
    if (!tr_group_by_item(&a->work, i, &item) || (item.group >= a->n_lanes && !more_lanes(a)))
        return false;
    struct lane *l = &a->lanes[item.group];
    unsigned kind = b->kind[i];
    unsigned state =
        kind == TR_KIND_COMPUTE || kind == TR_KIND_COMM || kind == TR_KIND_MEMORY ? accounts[kind] : TR_ACCOUNT_OTHER;
    if (!l->worked) {
        l->worked = true;
        l->now = item.start;
    }
    if (!advance(a, item.group, item.start))
        return false;
    l->end[state] = l->end[state] < item.end ? item.end : l->end[state];
    return item.end <= l->now || open_end(l, item.end);
}

/* ---- reading ---- */

void tr_step_accounts_free(struct tr_step_accounts *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n_lanes; i++) {
        free(a->lanes[i].cuts);
        free(a->lanes[i].busy.v);
        free(a->lanes[i].idle.v);
        free(a->lanes[i].open);
    }
    free(a->lanes);
    free(a->sources);
    free(a->rows);
    tr_group_by_free(&a->work);
    tr_idle_free(a->idle);
    free(a);
}

enum tr_status tr_step_accounts_new(const struct tr_analysis_in *in, int64_t threshold, struct tr_step_accounts **out,
                                    struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    struct tr_step_accounts *a = *out = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->in = *in;
    work.per = TR_PER_RANK;
    enum tr_status st = tr_step_ends_shared(in, &a->ends, err);
    if (st == TR_OK)
        st = tr_group_by_init(&a->work, &work, in->dict, in->summary, in->sorted, NULL, err);
    if (st == TR_OK)
        st = tr_idle_new(&work, threshold, in->dict, in->summary, in->sorted, NULL, see_gap, a, &a->idle, err);
    if (st == TR_OK) {
        tr_idle_set_lead(a->idle, first_step);
        tr_idle_set_cut(a->idle, next_cut);
        st = tr_idle_share(a->idle, in, err);
    }
    return st;
}

enum tr_status tr_step_accounts_feed(struct tr_step_accounts *a, const struct tr_batch *b, struct tr_error *err)
{
    const uint8_t *keep = tr_select_where_alone(a->in.select);
    enum tr_status st = tr_group_by_batch(&a->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_group_by_counts(&a->work, i) && !add_work(a, b, i))
            return tr_fail_memory(err);
    return st == TR_OK ? tr_idle_feed(a->idle, b, keep, err) : st;
}

/* ---- rows ---- */

static void sum_up(const struct stretches *s, int64_t from, int64_t to, struct stretch of[N_STATES])
{
    size_t low = 0;
    TR_BOUND(low, s->n, mid, s->v[mid].at <= from);
    for (; low < s->n && s->v[low].at <= to; low++)
        merge(&of[s->v[low].state], &s->v[low]);
}

/* A step of a rank; the time that nothing explains is after the last work. */
static void account(const struct lane *l, struct tr_step_account *row)
{
    struct stretch of[N_STATES];
    int64_t from = row->step.start + row->step.lead, rest = row->step.end - from;
    for (size_t k = 0; k < N_STATES; k++)
        of[k] = (struct stretch){ .during = TR_NO_STR };
    sum_up(&l->busy, from, row->step.end, of);
    sum_up(&l->idle, from, row->step.end, of);
    for (size_t k = 0; k < TR_N_ACCOUNTS; k++) {
        row->of[k] = of[k].ns;
        rest -= of[k].ns;
        if (k >= TR_ACCOUNT_IDLE)
            row->during[k - TR_ACCOUNT_IDLE] = of[k].during;
    }
    row->of[TR_ACCOUNT_IDLE + TR_IDLE_EDGE] += rest > 0 ? rest : 0;
    row->drained = of[DRAINED].ns;
}

static int by_start(const void *x, const void *y)
{
    const struct tr_step_span *a = &((const struct tr_step_account *)x)->step;
    const struct tr_step_span *b = &((const struct tr_step_account *)y)->step;
    if (a->at.start != b->at.start)
        return a->at.start < b->at.start ? -1 : 1;
    if (a->at.end != b->at.end)
        return a->at.end > b->at.end ? -1 : 1; /* the outer one first */
    if (a->at.number != b->at.number)
        return a->at.number < b->at.number ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* The steps of a rank, in the order in which the host starts them. */
static void add_rank(struct tr_step_accounts *a, uint32_t group, uint32_t place)
{
    size_t n_spans, n_own, first = a->n;
    const struct own_source *own = own_sources(a, group, &n_own);
    const struct tr_step_span *spans = tr_step_ends_rows(a->ends, &n_spans);
    for (size_t k = 0; k < n_own; k++) {
        size_t i = 0;
        TR_BOUND(i, n_spans, mid, spans[mid].source < own[k].source);
        for (; i < n_spans && spans[i].source == own[k].source; i++) {
            struct tr_step_account row = { .key = a->work.groups[group], .group = place, .step = spans[i] };
            if (a->in.select && !tr_select_step(a->in.select, spans[i].source, &spans[i].at))
                continue;
            account(&a->lanes[group], &row);
            a->rows[a->n++] = row;
        }
    }
    if (a->n > first)
        qsort(a->rows + first, a->n - first, sizeof *a->rows, by_start);
}

/* The first n lanes are as they were, and kept is freed. */
static void restore_lanes(struct tr_step_accounts *a, struct lane *kept, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct lane *l = &a->lanes[i];
        kept[i].busy = (struct stretches){ l->busy.v, kept[i].busy.n, l->busy.cap, kept[i].busy.limit };
        kept[i].idle = (struct stretches){ l->idle.v, kept[i].idle.n, l->idle.cap, kept[i].idle.limit };
        free(l->open);
        *l = kept[i];
    }
    free(kept);
}

/*
 * Lanes that may end, and go on as they were after that: stretches are added at the end of what there is, and work that
 * is open has a copy.  NULL: out of memory.
 */
static struct lane *keep_lanes(struct tr_step_accounts *a)
{
    struct lane *kept = malloc((a->n_lanes + 1) * sizeof *kept);
    size_t n = 0;
    for (; kept && n < a->n_lanes; n++) {
        struct lane *l = &a->lanes[n];
        int64_t *open = malloc((l->n_open + 1) * sizeof *open);
        if (!open)
            break;
        kept[n] = *l;
        if (l->n_open)
            memcpy(open, l->open, l->n_open * sizeof *open);
        l->open = open;
        l->cap_open = l->n_open;
        l->busy.limit = l->idle.limit = SIZE_MAX; /* none are merged */
    }
    if (kept && n == a->n_lanes)
        return kept;
    restore_lanes(a, kept, n);
    return NULL;
}

/* The rows of all lanes, which end now. */
static enum tr_status end_lanes(struct tr_step_accounts *a, struct tr_error *err)
{
    size_t n_spans = 0;
    enum tr_status st = tr_idle_finish(a->idle, err);
    bool ok = st != TR_OK || tr_step_ends_finish(a->ends);
    for (uint32_t g = 0; st == TR_OK && ok && g < a->n_lanes; g++)
        ok = advance(a, g, INT64_MAX);
    uint32_t *order = st == TR_OK && ok ? tr_group_by_order(&a->work) : NULL;
    if (order)
        tr_step_ends_rows(a->ends, &n_spans);
    free(a->rows);
    a->rows = order ? calloc(n_spans + 1, sizeof *a->rows) : NULL;
    a->n = 0;
    for (uint32_t g = 0; a->rows && g < a->n_lanes; g++)
        add_rank(a, order[g], g);
    ok = ok && (st != TR_OK || a->rows);
    free(order);
    return ok ? st : tr_fail_memory(err);
}

enum tr_status tr_step_accounts_finish(struct tr_step_accounts *a, struct tr_error *err)
{
    enum tr_status st = tr_group_by_finish(&a->work, err); /* ranks without device work have steps, too */
    if (st == TR_OK && !more_lanes(a))
        st = tr_fail_memory(err);
    struct lane *kept = st == TR_OK ? keep_lanes(a) : NULL;
    if (st != TR_OK)
        return st;
    if (!kept)
        return tr_fail_memory(err);
    st = end_lanes(a, err);
    restore_lanes(a, kept, a->n_lanes);
    return st;
}

bool tr_step_accounts_remark(const struct tr_step_accounts *a, enum tr_step_remark which, char *text, size_t size)
{
    return tr_step_ends_remark(a->ends, a->in.select, which, text, size);
}

const struct tr_step_account *tr_step_accounts_rows(const struct tr_step_accounts *a, size_t *n)
{
    *n = a->n;
    return a->rows;
}
