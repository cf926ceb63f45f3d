/* SPDX-License-Identifier: MIT */
/*
 * Critical paths of long traces, in parts.
 *
 * While a trace is read, the paths to nodes well before the last event are solved: all edges to them are known then.
 * What ended some time before is freed.  Of this, only a few events may have edges to later nodes.  They are kept:
 *
 *   where each thread goes on, and the holders of a lock; the last work of each stream, and the work of each device
 *   that ended last;
 *   calls whose work is not solved yet, and the first event of all (opts.gaps);
 *   work that a wait for a recorded event may wait for: the last work launched before each of the last records.
 *
 * Solved nodes that are kept have the weight of the path to them, and the node before them; or, if that is freed, the
 * sums of the path so far.  The next part makes all edges between the kept events again, and ignores those to solved
 * nodes.
 *
 * If something that comes later depends on what is freed, or changes what is solved, it is a failure: work that was
 * launched long before, another source of the rank, a thread that becomes one with another (join_backward).
 */
#include "analysis/critpath/tr_critpath_int.h"

#include "analysis/critpath/tr_critpath_queue_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

static uint32_t rep(const struct tr_critpath *c, const struct cp_kernel *k)
{
    return c->stream_track[k->stream];
}

/* Work that is read only now must not change what is known of solved work: which was alone in a queue, or the next. */
static void check_order(struct tr_critpath *c)
{
    for (size_t i = 0; i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (!k->known && k->launch_ts != TR_TIME_NONE && rep(c, k) < c->n_last)
            c->crossed |= k->launch_ts < c->last_launch[rep(c, k)] || k->launch_ts <= c->last_lone[rep(c, k)] ||
                          k->launch_ts < c->last_record[rep(c, k)];
    }
}

bool tr__cp_make_edges(struct tr_critpath *c, const struct tr_colls *colls, const struct tr_coll_gathered *part)
{
    bool ok = tr__cp_number_tracks(c) && tr__cp_find_launches(c) && tr__cp_find_groups(c) && tr__cp_add_solved(c);
    if (ok)
        check_order(c);
    if (ok && part && !c->opts.contract)
        tr__cp_keep_calls(c);
    return ok && (!c->opts.n_rules || tr__cp_find_steps(c)) &&
           (c->opts.contract ? tr__cp_find_joints(c, part->kernels, part->n_kernels)
            : part           ? tr__cp_find_peers(c, part->kernels, part->n_kernels)
                             : tr__cp_join_ranks(c, colls)) &&
           tr__cp_device_edges(c);
}

/* A node that comes after one that is not solved is not solved either. */
static void lower_moments(struct tr_critpath *c)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t from = 0; from < c->n_nodes; from++)
            for (uint32_t i = cp_is_final(c, from) ? c->first[from + 1] : c->first[from]; i < c->first[from + 1]; i++) {
                uint32_t to = c->to[i];
                if (!cp_is_final(c, to) || cp_is_solved(c, to))
                    continue;
                c->parts[cp_source(c, cp_event(c, to))].to = cp_time(c, to);
                again = true;
            }
    }
    for (uint32_t s = 0; s < c->n_parts; s++)
        tr__cp_settle_moments(c, s);
}

static bool is_new(const struct tr_critpath *c, uint32_t node)
{
    return cp_has_nodes(c, node / 2) && cp_is_final(c, node) && !cp_is_solved(c, node);
}

/* ---- the result of a part ---- */

/* A path to a node, and what is known of it. */
struct known {
    uint32_t node, position;
    struct cp_sums sums;
};

TR_ORDER(by_position, struct known, TR_UP(position))

void tr__cp_mark_forks(const struct tr_critpath *c, uint8_t *marks)
{
    for (uint32_t i = 0; i < c->n_nodes; i++) {
        uint32_t node = marks[i] == 2 ? c->before[i] : CP_NONE;
        for (; node != CP_NONE && marks[node] == 0; node = c->before[node])
            marks[node] = 1;
        if (node != CP_NONE)
            marks[node] = 2;
    }
}

/* Sums of all marked nodes. */
static struct known *known_paths(struct tr_critpath *c, uint8_t *marks, size_t *n)
{
    tr__cp_mark_forks(c, marks);
    *n = 0;
    for (size_t i = 0; i < c->n_nodes; i++)
        *n += marks[i] == 2;
    struct known *list = tr__cp_alloc_temp(c, *n + 1, sizeof *list);
    size_t at = 0;
    for (uint32_t i = 0; list && i < c->n_nodes; i++)
        if (marks[i] == 2)
            list[at++] = (struct known){ .node = i, .position = c->position[i] };
    if (list && at)
        qsort(list, at, sizeof *list, by_position);
    for (size_t i = 0; i < at; i++) {
        struct known *k = &list[i];
        uint32_t from = tr__cp_sum_up(c, k->node, marks, TR_CP_ANY_RANK, &k->sums);
        const struct known key = { .position = c->position[from] };
        const struct known *before = from == k->node ? NULL : bsearch(&key, list, i, sizeof key, by_position);
        if (before)
            tr__cp_add_sums(&k->sums, &before->sums);
        else if (cp_is_solved(c, from))
            tr__cp_add_sums(&k->sums, &c->bases[c->carried[from / 2].base[from & 1]]);
    }
    return list;
}

static const struct cp_sums *sums_of(const struct tr_critpath *c, const struct known *list, size_t n, uint32_t node)
{
    const struct known key = { .position = c->position[node] };
    const struct known *k = bsearch(&key, list, n, sizeof key, by_position);
    return &k->sums;
}

/* The heaviest path to a node of this part, by source, as in tr_critpath_retime. */
static void find_heaviest(const struct tr_critpath *c, uint32_t *heaviest)
{
    for (uint32_t s = 0; s < c->dict->n_sources; s++)
        heaviest[s] = CP_NONE;
    for (uint32_t node = 0; node < c->n_nodes; node++) {
        uint32_t *end = &heaviest[cp_source(c, node / 2)];
        if (!is_new(c, node))
            continue;
        if (*end == CP_NONE || c->reach[node] > c->reach[*end] ||
            (c->reach[node] == c->reach[*end] && cp_time(c, node) < cp_time(c, *end)))
            *end = node;
    }
}

/* Keep the results of a part: the heaviest path, counts, the window. */
static bool take_results(struct tr_critpath *c, const uint32_t *heaviest, const struct known *list, size_t n)
{
    struct tr_range *windows = malloc((c->n_groups + 1) * sizeof *windows);
    struct tr_error err = TR_ERROR_INIT;
    bool ok = windows != NULL, shown;
    if (ok)
        tr_critpath_windows(c, windows);
    for (uint32_t s = 0; ok && s < c->n_solved; s++) {
        struct cp_solved *r = &c->solved[s];
        uint32_t end = heaviest[s];
        struct tr_cp_counts counts;
        if (end == CP_NONE)
            continue;
        ok = !c->opts.counts || tr_critpath_counts(c, c->group_of[s], &counts, &err) == TR_OK;
        if (c->opts.counts)
            r->counts = counts; /* those of earlier parts are in it */
        r->window = windows[c->group_of[s]];
        if (!r->any || c->reach[end] > r->reach) {
            r->reach = c->reach[end];
            r->sums = *sums_of(c, list, n, end);
        }
        r->any = true;
    }
    tr_critpath_stream_waits(c, &shown);
    c->shows_waits = shown;
    free(windows);
    return ok;
}

/* ---- what is kept ---- */

/* Is what a source has at a time kept in any case?  So is all of a source of which nothing is solved now. */
static bool stays(const struct tr_critpath *c, uint32_t source, int64_t ts)
{
    const struct cp_part *p = &c->parts[source];
    return !p->host || p->to == p->old_to || ts >= p->from;
}

static bool is_late(const struct tr_critpath *c, uint32_t e)
{
    return stays(c, cp_source(c, e), c->end[e] > c->ts[e] ? c->end[e] : c->ts[e]);
}

/* Of the work that is not kept in any case, that which came last on its stream, and that which ended last. */
static bool keep_last_work(struct tr_critpath *c)
{
    uint32_t *last = malloc((c->n_streams + 1) * sizeof *last), *ended = malloc((c->n_streams + 1) * sizeof *ended);
    bool ok = last && ended;
    for (uint32_t s = 0; ok && s < c->n_streams; s++)
        last[s] = ended[s] = CP_NONE;
    for (size_t i = 0; ok && i < c->n_kernels; i++) {
        uint32_t e = c->kernels[i].event, s = c->kernels[i].stream;
        if (e == CP_NONE || is_late(c, e))
            continue;
        if (last[s] == CP_NONE || c->ts[e] > c->ts[last[s]] || (c->ts[e] == c->ts[last[s]] && e > last[s]))
            last[s] = e;
        if (ended[s] == CP_NONE || c->end[e] > c->end[ended[s]] || (c->end[e] == c->end[ended[s]] && e > ended[s]))
            ended[s] = e;
    }
    for (uint32_t s = 0; ok && s < c->n_streams; s++)
        if (last[s] != CP_NONE)
            c->keep[last[s]] = c->keep[ended[s]] = 1;
    free(last);
    free(ended);
    return ok;
}

static bool choose_kept(struct tr_critpath *c, uint8_t *keep_kernel)
{
    for (uint32_t e = 0; e < c->n; e++)
        c->keep[e] |= is_late(c, e) && !(c->flags[e] & CP_DEAD);
    for (size_t g = 0; g < c->n_groups; g++)
        if (c->group_first[g] != CP_NONE)
            c->keep[c->group_first[g]] = 1;
    for (size_t i = 0; i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        keep_kernel[i] = k->event != CP_NONE ? is_late(c, k->event)
                                             : stays(c, c->dict->tracks[k->track].source, k->start);
    }
    if (!keep_last_work(c) || !tr__cp_keep_recorded(c, keep_kernel))
        return false;
    for (size_t i = 0; i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (k->event == CP_NONE)
            continue;
        c->keep[k->event] |= keep_kernel[i];
        keep_kernel[i] = c->keep[k->event];
        if (k->launch != CP_NONE && !cp_is_final(c, cp_start(k->event)))
            c->keep[k->launch] = 1;
    }
    return true;
}

/* Is the node before a kept one freed? */
static bool is_base(const struct tr_critpath *c, uint32_t node)
{
    return c->before[node] == CP_NONE || !c->keep[cp_event(c, c->before[node])];
}

/* The kept nodes; their bases are c->bases. */
static bool carry(struct tr_critpath *c, const struct known *list, size_t n, const uint32_t *place, size_t n_kept)
{
    struct cp_carried *carried = malloc((n_kept + 1) * sizeof *carried);
    size_t n_bases = 0, at = 0;
    for (uint32_t node = 0; node < 2 * c->n; node++)
        n_bases += c->keep[node / 2] && cp_is_final(c, node) && is_base(c, node);
    struct cp_sums *bases = malloc((n_bases + 1) * sizeof *bases);
    for (uint32_t node = 0; carried && bases && node < 2 * c->n; node++) {
        struct cp_carried *k = &carried[place[node / 2]];
        unsigned side = node & 1;
        if (!c->keep[node / 2])
            continue;
        k->solved[side] = cp_has_nodes(c, node / 2) && cp_is_final(c, node);
        k->before[side] = CP_NONE;
        if (!k->solved[side])
            continue;
        k->reach[side] = c->reach[node];
        k->type[side] = c->before_type[node];
        k->base[side] = (uint32_t)at;
        if (is_base(c, node))
            bases[at++] = *sums_of(c, list, n, node);
        else
            k->before[side] = 2 * place[c->before[node] / 2] + (c->before[node] & 1);
    }
    bool ok = carried && bases;
    free(ok ? (void *)c->carried : carried);
    free(ok ? (void *)c->bases : bases);
    if (ok) {
        c->carried = carried;
        c->bases = bases;
        c->n_bases = at;
    }
    return ok;
}

/* ---- what is freed ---- */

static const uint8_t column_sizes[] = { 8, 8, 8, 4, 4, 4, 1, 1, 1, 1 };

static void drop_events(struct tr_critpath *c, const uint32_t *place)
{
    void *const columns[] = { c->ts,     c->end,      c->record, c->track, c->name,
                              c->parent, c->activity, c->kind,   c->flags, c->rule };
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        unsigned char *bytes = columns[k];
        size_t size = column_sizes[k];
        for (size_t e = 0; e < c->n; e++)
            if (c->keep[e] && place[e] != e)
                memcpy(bytes + place[e] * size, bytes + e * size, size);
    }
}

static void drop_kernels(struct tr_critpath *c, const uint32_t *place, const uint8_t *keep_kernel)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_kernels; i++) {
        struct cp_kernel k = c->kernels[i];
        struct cp_part *p = &c->parts[c->dict->tracks[k.track].source];
        uint32_t r = rep(c, &k);
        if (p->host && k.start < p->to) {
            c->last_launch[r] = k.launch_ts > c->last_launch[r] ? k.launch_ts : c->last_launch[r];
            c->last_lone[r] = k.lone && !c->opts.gaps && k.start > c->last_lone[r] ? k.start : c->last_lone[r];
        }
        if (!keep_kernel[i])
            continue;
        k.event = k.event == CP_NONE ? CP_NONE : place[k.event];
        k.known = true;
        c->kernels[n++] = k;
    }
    c->n_kernels = n;
}

static void drop_waits(struct tr_critpath *c, const uint32_t *heaviest)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_waits; i++) {
        struct cp_wait w = c->waits[i];
        uint32_t source = c->dict->tracks[w.track].source;
        w.counted |= heaviest[source] != CP_NONE; /* then there are results of the source */
        if (w.pending || stays(c, source, w.end))
            c->waits[n++] = w;
    }
    c->n_waits = n;
}

static size_t bytes_held(const struct tr_critpath *c)
{
    size_t bytes = c->cap_kernels * sizeof *c->kernels + c->cap_waits * sizeof *c->waits +
                   c->cap_records * sizeof *c->records + c->cap_arrows * sizeof *c->arrows +
                   c->cap_stream_waits * sizeof *c->stream_waits +
                   c->cap_calls * sizeof *c->calls + c->n_carried * sizeof *c->carried +
                   c->n_bases * sizeof *c->bases;
    for (size_t k = 0; k < sizeof column_sizes; k++)
        bytes += c->cap[k] * column_sizes[k];
    return bytes;
}

static size_t bytes_used(const struct tr_critpath *c)
{
    size_t bytes = c->n_kernels * sizeof *c->kernels + c->n_waits * sizeof *c->waits;
    for (size_t k = 0; k < sizeof column_sizes; k++)
        bytes += c->n * column_sizes[k];
    return bytes;
}

/* ---- all of it ---- */

static bool end_part(struct tr_critpath *c)
{
    size_t n = 0, n_kept = 0;
    uint8_t *keep_kernel = calloc(c->n_kernels + 1, 1), *marks = calloc(c->n_nodes + 1, 1);
    uint32_t *place = tr__cp_alloc_temp(c, c->n + 1, sizeof *place);
    uint32_t *heaviest = malloc((c->dict->n_sources + 1) * sizeof *heaviest);
    struct known *list = NULL;
    bool ok = keep_kernel && marks && place && heaviest && choose_kept(c, keep_kernel);
    if (ok)
        find_heaviest(c, heaviest);
    for (uint32_t e = 0; ok && e < c->n; e++) {
        place[e] = c->keep[e] ? (uint32_t)n_kept++ : CP_NONE;
        for (uint32_t node = 2 * e; c->keep[e] && node < 2 * e + 2; node++)
            marks[node] = cp_is_final(c, node) && is_base(c, node) ? 2 : 0;
    }
    for (uint32_t s = 0; ok && s < c->dict->n_sources; s++)
        if (heaviest[s] != CP_NONE)
            marks[heaviest[s]] = 2;
    list = ok ? known_paths(c, marks, &n) : NULL;
    ok = list && take_results(c, heaviest, list, n) && carry(c, list, n, place, n_kept);
    if (ok) {
        drop_events(c, place);
        drop_kernels(c, place, keep_kernel);
        drop_waits(c, heaviest);
        c->n = c->n_carried = n_kept;
    }
    free(heaviest);
    free(list);
    free(marks);
    free(place);
    free(keep_kernel);
    return tr__cp_end_stage(c, ok);
}

static bool make_room(struct tr_critpath *c)
{
    size_t n_sources = c->dict->n_sources, n_tracks = c->dict->n_tracks;
    if (!tr_grow(&c->solved, &c->cap_solved, n_sources, sizeof *c->solved) ||
        !tr_grow(&c->last_launch, &c->cap_last[0], n_tracks, sizeof *c->last_launch) ||
        !tr_grow(&c->last_lone, &c->cap_last[1], n_tracks, sizeof *c->last_lone) ||
        !tr_grow(&c->last_record, &c->cap_last[2], n_tracks, sizeof *c->last_record))
        return false;
    for (; c->n_solved < n_sources; c->n_solved++)
        c->solved[c->n_solved] = (struct cp_solved){ .any = false };
    for (; c->n_last < n_tracks; c->n_last++)
        c->last_launch[c->n_last] = c->last_lone[c->n_last] = c->last_record[c->n_last] = INT64_MIN;
    return true;
}

static bool solve(struct tr_critpath *c, const struct tr_coll_gathered *members)
{
    c->keep = calloc(c->n + 1, 1);
    if (!c->keep || !make_room(c) ||
        !tr__cp_end_stage(c, tr__cp_make_edges(c, NULL, members)) ||
        !tr__cp_end_stage(c, tr__cp_host_edges(c)) || !tr__cp_end_stage(c, tr__cp_graph_index(c)))
        return false;
    tr_critpath_retime(c, false);
    lower_moments(c);
    return !tr__cp_crosses(c) && end_part(c);
}

bool tr__cp_solve_part(struct tr_critpath *c)
{
    struct tr_coll_gathered members = { .n_kernels = 0 };
    bool complete = true;
    if (bytes_used(c) < c->opts.part || c->n < c->retry || c->n_arrows || c->n_lists)
        return true;
    if (c->opts.finder && !tr_coll_so_far(c->opts.finder, &members, &complete))
        return false;
    bool ok = tr__cp_end_reading(c);
    if (ok && complete && tr__cp_choose_moments(c))
        ok = solve(c, &members);
    free(c->keep);
    c->keep = NULL;
    tr__cp_free_graph(c);
    c->held = bytes_held(c);
    c->retry = c->n + c->n / 2;
    return ok;
}
