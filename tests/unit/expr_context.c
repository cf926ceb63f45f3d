/* SPDX-License-Identifier: MIT */
/*
 * Selection with context on random streams, against the definitions of tr_related_events.h taken
 * literally: every event is compared with every other.
 */
#include "model/selection/tr_related_events.h"

#include "expr_build.h"
#include "model/tr_open_spans.h"
#include "stream/tr_batch_select.h"

#define N        160u
#define N_TRACKS 7u

static uint64_t seed;
static struct event ev[N];
static struct tr_track tracks[N_TRACKS];
static const int64_t ranks[3] = { 0, 0, -1 };
static uint8_t keep[N], match[3][N]; /* by test of within or outside */
static uint64_t flow_id[N];
static bool has_bp[N];

static uint32_t r(uint32_t below)
{
    return roll(&seed, below);
}

/* --- a random stream -------------------------------------------------------------------------- */

static void random_tracks(struct tr_dict *d)
{
    for (uint32_t s = 0; s < 3; s++)
        add_source(d, ranks[s], NULL);
    for (uint32_t t = 0; t < N_TRACKS; t++) {
        uint32_t source = t / 3;
        tracks[t] = t % 3 == 2 ? device_track(source, 10, t) : host_track(source, 10 + t % 2, t);
        tr_dict_add_track(d, &tracks[t]);
    }
}

static int by_order(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    int c = tr_order_cmp(x->ts, x->dur, y->ts, y->dur);
    return c ? c : (x->record > y->record) - (x->record < y->record);
}

static void random_event(struct event *e, size_t record)
{
    static const char *const meta[] = { "thread_name", "process_name" };
    memset(e, 0, sizeof *e);
    e->record = record;
    e->ts = (int64_t)r(60);
    e->dur = (int64_t)r(r(4) ? 6 : 40);
    e->track = r(N_TRACKS);
    e->name = "n";
    switch (r(6)) {
    case 0:
        e->phase = TR_META;
        e->name = meta[r(2)];
        e->ts = e->dur = TR_TIME_NONE;
        break;
    case 1:
        e->phase = (uint8_t)(TR_FLOW_START + r(3));
        e->name = "flow";
        e->dur = TR_TIME_NONE;
        e->members[e->n_members++] =
            (struct member){ "id", TR_PLACE_TOP, TR_T_INT, (int64_t)r(5), NULL };
        if (r(2))
            e->members[e->n_members++] = (struct member){ "bp", TR_PLACE_TOP, TR_T_STRING, 0, "e" };
        break;
    case 2:
        e->phase = TR_INSTANT;
        e->dur = TR_TIME_NONE;
        break;
    default:
        e->activity = r(3) ? TR_ACT_CPU_OP : TR_ACT_ANNOTATION;
        if (e->track % 3 == 2)
            e->activity = r(3) ? TR_ACT_KERNEL : TR_ACT_DEVICE_ANNOTATION;
        if (!r(12)) {
            e->flags = TR_OPEN;
            e->dur = TR_TIME_NONE;
        }
        break;
    }
}

/* Some kernels get a launch among the host spans of their source. */
static void random_links(void)
{
    for (size_t i = 0; i < N; i++) {
        size_t j = r(N);
        uint32_t source = tracks[ev[i].track].source;
        if (ev[i].activity != TR_ACT_KERNEL || tracks[ev[j].track].source != source ||
            ev[j].phase != TR_SPAN || tracks[ev[j].track].side != TR_SIDE_HOST)
            continue;
        ev[i].flags |= TR_HAS_LAUNCH;
        ev[i].launch_ts = ev[j].ts;
        ev[i].launch_record = (int64_t)ev[j].record;
        ev[i].launch_track = ev[j].track;
        ev[j].flags |= TR_HAS_DEVICE;
        ev[j].n_device++;
    }
}

static void random_events(void)
{
    for (size_t i = 0; i < N; i++)
        random_event(&ev[i], i);
    random_links();
    qsort(ev, N, sizeof *ev, by_order);
    for (size_t i = 0; i < N; i++) {
        keep[i] = !r(12);
        for (size_t k = 0; k < 3; k++)
            match[k][i] = !r(8);
        flow_id[i] = ev[i].n_members ? (uint64_t)ev[i].members[0].v : 0;
        has_bp[i] = ev[i].n_members > 1;
    }
}

/* --- the definitions -------------------------------------------------------------------------- */

static int64_t end_of(size_t i)
{
    if (ev[i].phase != TR_SPAN)
        return TR_TIME_NONE;
    if (ev[i].flags & TR_OPEN)
        return INT64_MAX;
    return ev[i].ts + ev[i].dur;
}

static bool encloses(size_t outer, size_t i)
{
    if (outer == i || ev[outer].track != ev[i].track || ev[i].ts == TR_TIME_NONE ||
        end_of(outer) == TR_TIME_NONE || ev[outer].ts > ev[i].ts || end_of(outer) <= ev[i].ts)
        return false;
    return outer < i || (end_of(i) == TR_TIME_NONE && ev[outer].ts == ev[i].ts);
}

static int64_t rank_of(size_t i)
{
    uint32_t s = tracks[ev[i].track].source;
    return ranks[s] < 0 ? -1 - (int64_t)s : ranks[s];
}

static bool is_device(size_t i)
{
    return tracks[ev[i].track].side == TR_SIDE_DEVICE;
}

static bool inside(size_t i, const uint8_t *of)
{
    int64_t host = ev[i].ts;
    if (ev[i].flags & TR_HAS_LAUNCH)
        host = ev[i].launch_ts;
    else if (ev[i].activity == TR_ACT_KERNEL)
        host = TR_TIME_NONE;
    for (size_t j = 0; j < N; j++) {
        if (!of[j] || end_of(j) == TR_TIME_NONE || rank_of(i) != rank_of(j))
            continue;
        int64_t t = is_device(j) ? (is_device(i) ? ev[i].ts : TR_TIME_NONE) : host;
        if (t != TR_TIME_NONE && t >= ev[j].ts && t < end_of(j))
            return true;
    }
    return false;
}

static bool launches(size_t launch, size_t work)
{
    return (ev[work].flags & TR_HAS_LAUNCH) && (ev[launch].flags & TR_HAS_DEVICE) &&
           tracks[ev[launch].track].source == tracks[ev[work].track].source &&
           ev[work].launch_record == (int64_t)ev[launch].record;
}

/* The span that a flow event is bound to, or N. */
static size_t bound_to(size_t i)
{
    size_t at_ts = N, around = N;
    bool to_next = ev[i].phase == TR_FLOW_END && !has_bp[i];
    for (size_t j = 0; j < N; j++) {
        if (ev[j].track != ev[i].track || end_of(j) == TR_TIME_NONE)
            continue;
        if (to_next && j > i)
            return j;
        if (ev[j].ts == ev[i].ts)
            at_ts = j;
        if (ev[j].ts < ev[i].ts && end_of(j) > ev[i].ts)
            around = j;
    }
    if (to_next)
        return N;
    return at_ts < N ? at_ts : around;
}

static bool is_flow(size_t i)
{
    return ev[i].phase >= TR_FLOW_START && ev[i].phase <= TR_FLOW_END;
}

static bool same_flow(size_t i, size_t j)
{
    return is_flow(i) && is_flow(j) && flow_id[i] == flow_id[j] &&
           tracks[ev[i].track].source == tracks[ev[j].track].source;
}

/* Is this flow event bound to a kept span, and one of the other kind too? */
static bool flow_closed(size_t i, const uint8_t *kept)
{
    bool start = false, other = false;
    if (!is_flow(i) || bound_to(i) == N || !kept[bound_to(i)])
        return false;
    for (size_t j = 0; j < N; j++) {
        if (!same_flow(i, j) || bound_to(j) == N || !kept[bound_to(j)])
            continue;
        start |= ev[j].phase == TR_FLOW_START;
        other |= ev[j].phase != TR_FLOW_START;
    }
    return start && other;
}

static bool meta_wanted(size_t i, const uint8_t *kept)
{
    const struct tr_track *a = &tracks[ev[i].track];
    if (ev[i].phase != TR_META)
        return false;
    for (size_t j = 0; j < N; j++) {
        const struct tr_track *b = &tracks[ev[j].track];
        if (kept[j] && a->source == b->source && a->pid == b->pid &&
            (ev[i].name[0] == 'p' || a->tid == b->tid))
            return true;
    }
    return false;
}

static void by_definition(const struct tr_related_opts *o, uint8_t *out)
{
    uint8_t a[N], b[N], c[N];
    uint64_t n = 0;
    for (size_t i = 0; i < N; i++) {
        a[i] = keep[i] && n < o->max;
        for (size_t k = 0; k < o->n_within + o->n_outside; k++)
            a[i] &= inside(i, match[k]) == (k < o->n_within);
        n += a[i];
    }
    memcpy(b, a, sizeof b);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; o->children && j < N; j++)
            b[i] |= a[j] && encloses(j, i);
    memcpy(c, b, sizeof c);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            c[i] |= b[j] && o->linked && (launches(i, j) || launches(j, i));
    memcpy(a, c, sizeof a);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            a[i] |= c[j] && o->closure && launches(i, j);
    memcpy(b, a, sizeof b);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            b[i] |= encloses(i, j) &&
                    ((c[j] && o->parents) ||
                     (a[j] && o->closure && (ev[i].activity == TR_ACT_ANNOTATION ||
                                             ev[i].activity == TR_ACT_DEVICE_ANNOTATION)));
    memcpy(out, b, N);
    for (size_t i = 0; i < N; i++)
        out[i] |= o->closure && (flow_closed(i, b) || meta_wanted(i, b));
}

/* --- both ------------------------------------------------------------------------------------- */

/* One reading of the stream in batches of random size; the last pass fills out. */
static bool pass(struct tr_related_marks *c, size_t n_tests, uint8_t *out, int *n_passes)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *d = must(tr_dict_new());
    struct tr_batch *b = must(tr_batch_new());
    enum tr_related_pass p = tr_related_pass(c);
    enum tr_status st = TR_OK;
    random_tracks(d);
    for (size_t from = 0, to; from < N && st == TR_OK; from = to) {
        to = from + 1 + r(70);
        to = to < N ? to : N;
        tr_batch_clear(b);
        for (size_t i = from; i < to; i++)
            add_event(d, b, &ev[i]);
        if (p == TR_RELATED_WRITE) {
            memcpy(out + from, keep + from, to - from);
            st = tr_related_apply(c, b, out + from, &err);
        } else {
            for (size_t k = 0; p == TR_RELATED_WINDOWS && k < n_tests && st == TR_OK; k++)
                st = tr_related_window(c, k, b, match[k] + from, &err);
            if (p != TR_RELATED_WINDOWS)
                st = tr_related_scan(c, b, p == TR_RELATED_MARK ? NULL : keep + from, &err);
        }
    }
    if (p != TR_RELATED_WRITE && st == TR_OK)
        st = tr_related_end(c, d, &err);
    ++*n_passes;
    tr_batch_free(b);
    tr_dict_free(d);
    return st == TR_OK;
}

static bool agree(const struct tr_related_opts *o, size_t *selected, int *n_passes)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_related_marks *c;
    uint8_t out[N], expected[N];
    bool good = tr_related_new(&c, o, &err) == TR_OK;
    *n_passes = 0;
    size_t n_tests = o->n_within + o->n_outside;
    while (good && tr_related_pass(c) != TR_RELATED_WRITE)
        good = pass(c, n_tests, out, n_passes);
    good = good && pass(c, n_tests, out, n_passes);
    by_definition(o, expected);
    for (size_t i = 0; i < N && good; i++) {
        *selected += out[i];
        if (out[i] != expected[i]) {
            printf("# event %zu: phase %d activity %d track %u ts %lld dur %lld, expected %d\n", i,
                   ev[i].phase, ev[i].activity, ev[i].track, (long long)ev[i].ts,
                   (long long)ev[i].dur, expected[i]);
            good = false;
        }
    }
    tr_related_free(c);
    return good;
}

static void check_context(unsigned rounds)
{
    for (unsigned bits = 0; bits < 32; bits++) {
        unsigned bad = 0, max = 0;
        size_t selected = 0;
        for (unsigned k = 1; k <= rounds; k++) {
            struct tr_related_opts o = { .n_within = bits & 1 ? k % 3 : 0,
                                         .n_outside = bits & 1 ? k % 3 == 0 || k % 5 == 0 : 0,
                                         .children = bits & 2, .linked = bits & 4, .parents = bits & 8,
                                         .closure = bits & 16, .max = k % 4 ? UINT64_MAX : 3 };
            int n_passes;
            seed = k * 32 + bits;
            struct tr_dict *d = must(tr_dict_new());
            random_tracks(d);
            tr_dict_free(d);
            random_events();
            if (!agree(&o, &selected, &n_passes) && !bad++)
                printf("# round %u\n", k);
            max = (unsigned)n_passes > max ? (unsigned)n_passes : max;
        }
        ok(!bad && selected, "%s%s%s%s%s: %zu events in %u passes", bits & 1 ? " within" : "",
           bits & 2 ? " children" : "", bits & 4 ? " linked" : "", bits & 8 ? " parents" : "",
           bits & 16 ? " closure" : "", selected, max);
    }
}

/* --- open spans and selected batches ---------------------------------------------------------- */

static void check_nest(void)
{
    struct tr_open_spans *n = must(tr_open_spans_new());
    struct tr_open_spans_track *t = tr_open_spans_at(n, 5, 0);
    ok(t && t->n == 0, "nothing is open at first");
    tr_open_spans_push(t, 0, 10, 1, false);
    tr_open_spans_push(t, 2, 20, 2, true);
    tr_open_spans_push(t, 3, 4, 3, false);
    ok(tr_open_spans_at(n, 5, 3)->n == 3 && tr_open_spans_in_root(tr_open_spans_at(n, 5, 3)), "three spans open");
    ok(tr_open_spans_at(n, 5, 4)->n == 2, "an end is not inside");
    t = tr_open_spans_at(n, 5, 10);
    ok(t->n == 1 && t->spans[t->first].tag == 2 && tr_open_spans_innermost(t)->tag == 2, "a span that ends before one inside it is closed");
    ok(tr_open_spans_at(n, 0, 10)->n == 0, "tracks are apart");
    tr_open_spans_free(n);
}

/* Are those open which started before and end later, in order? */
static bool open_are(const struct tr_open_spans_track *t, const int64_t *ends, const bool *roots, size_t n, int64_t ts)
{
    size_t at = t->first, n_open = 0;
    bool any_root = false;
    for (size_t i = 0; i < n; i++) {
        if (ends[i] <= ts)
            continue;
        n_open++;
        any_root |= roots[i];
        while (at < t->len && t->spans[at].closed)
            at++;
        if (at == t->len || t->spans[at++].tag != i)
            return false;
    }
    return at == t->len && n_open == t->n && any_root == tr_open_spans_in_root(t);
}

/* Spans of one track: with short ones, with such as all last equally long, with some that never end, and nested ones. */
static void check_nests(unsigned rounds)
{
    static int64_t ends[400];
    static bool roots[400];
    unsigned bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        struct tr_open_spans *nest = must(tr_open_spans_new());
        uint32_t longest = 1 + r(200), way = r(4);
        int64_t ts = 0;
        size_t n = 0;
        while (n < 400) {
            ts += r(way == 3 ? 2 : 4);
            struct tr_open_spans_track *t = must(tr_open_spans_at(nest, 0, ts));
            bad += !open_are(t, ends, roots, n, ts);
            ends[n] = ts + 1 + (way == 1 ? (int64_t)longest : r(longest));
            if (way == 2 && !r(20))
                ends[n] = INT64_MAX;
            if (way == 3 && t->n && ends[n] > tr_open_spans_innermost(t)->end)
                ends[n] = tr_open_spans_innermost(t)->end;
            roots[n] = !r(10);
            if (!tr_open_spans_push(t, ts, ends[n], n, roots[n]))
                bad++;
            n++;
        }
        tr_open_spans_free(nest);
    }
    ok(!bad, "%u tracks: the open spans are those that have not ended", rounds);
}

static void check_select(unsigned rounds)
{
    unsigned bad = 0;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_batch *out = must(tr_batch_new());
    struct tr_selector *sel = must(tr_selector_new());
    for (unsigned k = 1; k <= rounds; k++) {
        struct tr_dict *d = must(tr_dict_new());
        struct tr_batch *b = must(tr_batch_new());
        struct tr_buf got = { 0 }, expected = { 0 };
        uint8_t mask[N];
        seed = k;
        random_tracks(d);
        random_events();
        for (size_t i = 0; i < N; i++) {
            add_event(d, b, &ev[i]);
            mask[i] = k % 5 == 0 || (k % 5 > 1 && r(k % 5) == 0);
        }
        for (size_t i = 0; i < N; i++)
            if (mask[i])
                describe(b, i, &expected);
        bad += tr_batch_select(sel, b, mask, out, &err) != TR_OK;
        for (size_t i = 0; i < out->n; i++)
            describe(out, i, &got);
        bad += got.len != expected.len || (got.len && memcmp(got.data, expected.data, got.len));
        tr_buf_free(&got);
        tr_buf_free(&expected);
        if (k == rounds) {
            b->cols[TR_COL_LAUNCH_TS].n = 0;
            memset(mask, 1, sizeof mask);
            ok(tr_batch_select(sel, b, mask, out, &err) == TR_DAMAGED, "a column that is too short");
        }
        tr_batch_free(b);
        tr_dict_free(d);
    }
    tr_selector_free(sel);
    tr_batch_free(out);
    ok(!bad, "selected events keep all their values");
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 60;
    check_nest();
    check_nests(rounds);
    check_select(rounds);
    check_context(rounds);
    return tap_end();
}
