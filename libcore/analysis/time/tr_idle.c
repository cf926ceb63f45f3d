/* SPDX-License-Identifier: MIT */
/* The gaps in which nothing of a group ran, cut by cause. */
#include "analysis/time/tr_idle.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

struct group {
    int64_t first, end; /* of its work; end TR_TIME_NONE: no work yet */
    uint32_t before;    /* name of the work that ended last */
    int64_t waited;     /* until then, waits of the host for the device are counted */
};

/* A stretch of a gap with one cause and one name. */
struct stretch {
    enum tr_idle_cause cause;
    uint32_t name;
    bool frame; /* a step or a Python frame */
    int64_t ns;
};

struct tr_idle {
    struct tr_group_by work;
    int64_t threshold;
    tr_idle_see *see;
    tr_idle_lead *lead; /* NULL: no gap before the first work */
    tr_idle_cut *cut;   /* NULL: gaps are whole */
    void *self;
    struct tr_idle_hosts *hosts, *own; /* own: those of nobody else; NULL: hosts are shared */
    struct group *groups;
    size_t n_groups, cap_groups;
    const struct tr_summary *summary;
    struct stretch *stretches; /* of one gap */
    size_t n_stretches, cap_stretches;
    struct tr_idle_part parts[TR_N_IDLE_CAUSES];
    enum tr_idle_cause stage; /* of the gap that is read now: HOST_BUSY is for what the thread did */
    int64_t at, waited;       /* and where in it; time of the thread in waits for the device */
    struct group *waiting;    /* whose gap it is */
};

const char *tr_idle_cause_name(unsigned cause)
{
    static const char *const names[TR_N_IDLE_CAUSES] = {
        [TR_IDLE_HOST_BUSY] = "host_busy",
        [TR_IDLE_HOST_BLOCKED] = "host_blocked",
        [TR_IDLE_DATA_LOADING] = "data_loading",
        [TR_IDLE_COLLECTIVE_WAIT] = "collective_wait",
        [TR_IDLE_LAUNCH_OVERHEAD] = "launch_overhead",
        [TR_IDLE_DEVICE_OVERHEAD] = "device_overhead",
        [TR_IDLE_DEPENDENCY] = "dependency",
        [TR_IDLE_UNKNOWN] = "unknown",
        [TR_IDLE_EDGE] = "edge",
    };
    return names[cause];
}

enum tr_status tr_idle_new(const struct tr_group_by_opts *opts, int64_t threshold, const struct tr_dict *dict,
                           const struct tr_summary *summary, bool sorted, struct tr_select *select, tr_idle_see *see,
                           void *self, struct tr_idle **idle, struct tr_error *err)
{
    struct tr_idle *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->threshold = threshold;
    a->summary = summary;
    a->see = see;
    a->self = self;
    enum tr_status st = tr_group_by_init(&a->work, opts, dict, summary, sorted, select, err);
    if (st == TR_OK)
        *idle = a;
    else
        tr_idle_free(a);
    return st;
}

void tr_idle_free(struct tr_idle *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    if (a->hosts)
        tr_idle_hosts_leave(a->hosts, a);
    tr_idle_hosts_free(a->own);
    free(a->groups);
    free(a->stretches);
    free(a);
}

void tr_idle_set_lead(struct tr_idle *a, tr_idle_lead *lead)
{
    a->lead = lead;
}

void tr_idle_set_cut(struct tr_idle *a, tr_idle_cut *cut)
{
    a->cut = cut;
}

struct tr_group_by *tr_idle_groups(struct tr_idle *a)
{
    return &a->work;
}

/* ---- how much of the host's history to keep ---- */

/* The oldest end of a group to which later work of a source may belong. */
static int64_t oldest_end(const void *self, uint32_t source, int64_t now)
{
    const struct tr_idle *a = self;
    const struct tr_source *of = &a->work.dict->sources[source];
    bool started = false;
    for (size_t g = 0; g < a->n_groups; g++) {
        const struct tr_group_key *key = &a->work.groups[g];
        bool its = (key->rank == TR_GROUP_NONE || key->rank == of->rank) && key->capture == of->capture;
        started |= its && a->groups[g].end != TR_TIME_NONE;
        if (its && a->groups[g].end != TR_TIME_NONE && a->groups[g].end < now)
            now = a->groups[g].end;
    }
    return a->lead && !started ? INT64_MIN : now;
}

static size_t n_groups(const void *self)
{
    return ((const struct tr_idle *)self)->n_groups;
}

static bool join(struct tr_idle *a, struct tr_idle_hosts *hosts)
{
    const struct tr_idle_reader me = {
        .self = a, .select = a->work.select, .n_groups = n_groups, .oldest = oldest_end
    };
    if (!tr_idle_hosts_join(hosts, &me))
        return false;
    a->hosts = hosts;
    return true;
}

enum tr_status tr_idle_share(struct tr_idle *a, const struct tr_analysis_in *in, struct tr_error *err)
{
    struct tr_idle_hosts *hosts;
    enum tr_status st = tr_idle_hosts_shared(in, &hosts, err);
    return st != TR_OK || join(a, hosts) ? st : tr_fail_memory(err);
}

/* Its own hosts, unless they are shared. */
static bool feed_hosts(struct tr_idle *a, const struct tr_batch *b)
{
    if (!a->hosts)
        a->own = tr_idle_hosts_new(a->work.dict, a->summary);
    if (!a->hosts && (!a->own || !join(a, a->own)))
        return false;
    return !a->own || tr_idle_hosts_feed(a->own, b);
}

/* ---- gaps ---- */

#define LAST_STRETCHES 8u /* a host does the same few things again and again: one of these often has the name, too */

static bool add_stretch(void *self, const struct tr_host_moment *m, int64_t ns)
{
    static const enum tr_idle_cause doing[] = {
        [TR_HOST_BUSY] = TR_IDLE_HOST_BUSY,
        [TR_HOST_WAITS_FOR_DEVICE] = TR_IDLE_HOST_BLOCKED,
        [TR_HOST_LOADS_DATA] = TR_IDLE_DATA_LOADING,
        [TR_HOST_IN_COLLECTIVE] = TR_IDLE_COLLECTIVE_WAIT,
    };
    struct tr_idle *a = self;
    enum tr_idle_cause cause = a->stage == TR_IDLE_HOST_BUSY ? doing[m->doing] : a->stage;
    bool frame = m->name == TR_NO_STR;
    uint32_t name = frame ? m->frame : m->name;
    a->at += ns;
    if (cause == TR_IDLE_HOST_BLOCKED) {
        a->waited += a->at - (m->at > a->waiting->waited ? m->at : a->waiting->waited);
        a->waiting->waited = a->at;
    }
    struct stretch *last = a->stretches + a->n_stretches;
    for (size_t k = 0; k < LAST_STRETCHES && last > a->stretches; k++)
        if ((--last)->name == name && last->cause == cause && last->frame == frame) {
            last->ns += ns;
            return true;
        }
    if (!tr_grow(&a->stretches, &a->cap_stretches, a->n_stretches + 1, sizeof *a->stretches))
        return false;
    a->stretches[a->n_stretches++] = (struct stretch){ cause, name, frame, ns };
    return true;
}

TR_ORDER(by_name, struct stretch, TR_UP(cause), TR_UP(frame), TR_UP(name))

/* Does a name come before another?  No name comes last. */
static bool name_before(const struct tr_idle *a, uint32_t x, uint32_t y)
{
    if (x == TR_NO_STR || y == TR_NO_STR)
        return y == TR_NO_STR && x != TR_NO_STR;
    return tr_str_cmp(tr_dict_text(a->work.dict, x), tr_dict_text(a->work.dict, y)) < 0;
}

/* Add the stretches of one cause, from i on, as a part.  Returns the index of the next cause. */
static size_t add_part(const struct tr_idle *a, size_t i, struct tr_idle_part *part)
{
    const struct stretch *s = a->stretches;
    int64_t best = -1;
    bool frame = true;
    *part = (struct tr_idle_part){ s[i].cause, 0, TR_NO_STR };
    while (i < a->n_stretches && s[i].cause == part->cause) {
        const struct stretch *first = &s[i];
        int64_t ns = 0;
        for (; i < a->n_stretches && by_name(first, &s[i]) == 0; i++)
            ns += s[i].ns;
        part->ns += ns;
        bool none = first->name == TR_NO_STR, better = best < 0 || ns > best;
        if (ns == best)
            better = name_before(a, first->name, part->during);
        /* spans come before frames, and frames before no name, however long these were */
        if ((first->frame && !frame) || (none && part->during != TR_NO_STR))
            continue;
        if (better || (part->during == TR_NO_STR && !none)) {
            best = ns;
            part->during = first->name;
            frame = first->frame;
        }
    }
    return i;
}

static bool pass_gap(struct tr_idle *a, struct tr_idle_gap *gap)
{
    gap->n_parts = 0;
    gap->parts = a->parts;
    gap->waited = a->waited;
    a->waited = 0;
    if (a->n_stretches > 1)
        qsort(a->stretches, a->n_stretches, sizeof *a->stretches, by_name);
    for (size_t i = 0; i < a->n_stretches;)
        i = add_part(a, i, &a->parts[gap->n_parts++]);
    a->n_stretches = 0;
    return a->see(a->self, gap);
}

/* Find what the launching thread did in a stretch of a gap. */
static bool walk(struct tr_idle *a, enum tr_idle_cause stage, uint32_t track, int64_t from, int64_t to)
{
    a->stage = stage;
    a->at = from;
    return from >= to || tr_host_history_walk(a->hosts->history, track, from, to, add_stretch, a);
}

static bool add_whole(struct tr_idle *a, enum tr_idle_cause cause, int64_t ns)
{
    const struct tr_host_moment nothing = { 0, TR_NO_STR, TR_NO_STR, TR_HOST_BUSY };
    a->stage = cause;
    return add_stretch(a, &nothing, ns);
}

static int64_t within(int64_t t, int64_t from, int64_t to)
{
    return t < from ? from : t > to ? to : t;
}

/* A part of a gap; the launch call of the work that ends the gap lasts from started to done. */
static bool add_between(struct tr_idle *a, size_t i, struct tr_idle_gap part, int64_t started, int64_t done,
                        enum tr_idle_cause last)
{
    int64_t from = part.start, to = part.end;
    if (started == TR_TIME_NONE)
        return add_whole(a, TR_IDLE_UNKNOWN, to - from) && pass_gap(a, &part);
    uint32_t track = (uint32_t)a->hosts->launch_track[i];
    a->waiting = &a->groups[part.group];
    started = within(started, from, to);
    done = within(done, from, to);
    return walk(a, TR_IDLE_HOST_BUSY, track, from, started) && walk(a, TR_IDLE_LAUNCH_OVERHEAD, track, started, done) &&
           walk(a, last, track, done, to) && pass_gap(a, &part);
}

/* The gap that ends with work i. */
static bool add_gap(struct tr_idle *a, size_t i, const struct tr_idle_gap *gap)
{
    const struct tr_idle_hosts *h = a->hosts;
    int64_t from = gap->start, to = gap->end, call = h->launch_ts[i], length = h->launch_dur[i];
    int64_t started = TR_TIME_NONE, done = to;
    if (call != TR_I64_NONE && h->launch_track[i] != TR_TIME_NONE &&
        (uint64_t)h->launch_track[i] < a->work.dict->n_tracks) {
        int64_t back = tr_time_sum(call, length == TR_TIME_NONE || length < 0 ? 0 : length);
        started = within(call, from, to);
        done = within(back == TR_TIME_NONE ? to : back, started, to);
    }
    enum tr_idle_cause last = to - done < a->threshold ? TR_IDLE_DEVICE_OVERHEAD : TR_IDLE_DEPENDENCY;
    struct tr_idle_gap part = *gap;
    bool ok = true;
    for (; ok && part.start < to; part.start = part.end) {
        int64_t cut = a->cut ? a->cut(a->self, gap->group, part.start) : INT64_MAX;
        part.end = cut < to ? cut : to;
        ok = add_between(a, i, part, started, done, last);
    }
    return ok;
}

static bool more_groups(struct tr_idle *a)
{
    if (!tr_grow(&a->groups, &a->cap_groups, a->work.n_groups, sizeof *a->groups))
        return false;
    while (a->n_groups < a->work.n_groups)
        a->groups[a->n_groups++] = (struct group){ INT64_MAX, TR_TIME_NONE, TR_NO_STR, INT64_MIN };
    return true;
}

/* Add device work.  False: out of memory. */
static bool add_work(struct tr_idle *a, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item item;
    if (!tr_group_by_item(&a->work, i, &item) || !more_groups(a))
        return false;
    struct group *g = &a->groups[item.group];
    bool started = g->end != TR_TIME_NONE, ok = true;
    int64_t from = started ? g->end : a->lead ? a->lead(a->self, item.group, item.start) : TR_TIME_NONE;
    g->first = started ? g->first : item.start;
    /* A gap that does not fit in 64 bits is so long that nothing is known about it. */
    if (from != TR_TIME_NONE && item.start > from && tr_time_diff(item.start, from) != TR_TIME_NONE) {
        struct tr_idle_gap gap = { item.group, from, item.start, g->before, b->name[i], NULL, 0, 0 };
        ok = add_gap(a, i, &gap);
    }
    if (!started || item.end > g->end) {
        g->end = item.end;
        g->before = b->name[i];
    }
    return ok;
}

enum tr_status tr_idle_feed(struct tr_idle *a, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = tr_group_by_batch(&a->work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = feed_hosts(a, b);
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_group_by_counts(&a->work, i))
            ok = add_work(a, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* The gaps of a window, or of the span of a rank, before the first work and after the last. */
static bool add_edge(struct tr_idle *a, uint32_t group, int64_t from, int64_t to, uint32_t before)
{
    struct tr_idle_gap gap = { group, from, to, before, TR_NO_STR, NULL, 0, 0 };
    if (from >= to || tr_time_diff(to, from) == TR_TIME_NONE)
        return true;
    return add_whole(a, TR_IDLE_EDGE, to - from) && pass_gap(a, &gap);
}

/* From the first work to the last of each group.  NULL: out of memory. */
static struct tr_range *find_spans(const struct tr_idle *a)
{
    struct tr_range *v = calloc(a->n_groups + 1, sizeof *v);
    for (size_t g = 0; v && g < a->n_groups; g++) {
        bool none = a->groups[g].end == TR_TIME_NONE;
        v[g] = (struct tr_range){ none ? INT64_MAX : a->groups[g].first, none ? INT64_MIN : a->groups[g].end };
    }
    if (v && tr_group_by_widen(&a->work, v))
        return v;
    free(v);
    return NULL;
}

enum tr_status tr_idle_finish(struct tr_idle *a, struct tr_error *err)
{
    enum tr_status st = tr_group_by_finish(&a->work, err);
    bool ok = st != TR_OK || more_groups(a);
    struct tr_range *spans = st == TR_OK && ok ? find_spans(a) : NULL;
    ok = st != TR_OK || spans;
    for (uint32_t g = 0; spans && ok && g < a->n_groups; g++) {
        const struct group *of = &a->groups[g];
        bool none = of->end == TR_TIME_NONE;
        struct tr_range span = tr_group_by_span(&a->work, g, spans[g].from, spans[g].to);
        ok = none ? add_edge(a, g, span.from, span.to, TR_NO_STR)
                  : add_edge(a, g, span.from, of->first, TR_NO_STR) && add_edge(a, g, of->end, span.to, of->before);
    }
    free(spans);
    return st != TR_OK || ok ? st : tr_fail_memory(err);
}
