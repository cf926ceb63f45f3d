/* SPDX-License-Identifier: MIT */
/* Critical paths: in which order did streams get their work, and what waits for what on them? */
#include "analysis/critpath/tr_critpath_queue_int.h"

#include "base/tr_num.h"
#include "base/tr_sort.h"

#include <stdlib.h>

/* ---- work by launch ---- */

TR_ORDER(by_launch, struct cp_kernel, TR_UP(stream), TR_UP(launch_ts), TR_UP(launch_record), TR_UP(start),
         TR_UP(record))

static bool same_launch(const struct cp_kernel *a, const struct cp_kernel *b)
{
    return a->stream == b->stream && a->launch_ts == b->launch_ts &&
           a->launch_record == b->launch_record && a->launch_ts != TR_TIME_NONE;
}

/* When a launch put something into a queue, and when that left the queue. */
struct turn {
    int64_t start, launch;
    uint64_t record;
    size_t kernel;
};

TR_ORDER(by_start, struct turn, TR_UP(start), TR_UP(record))

/* How many of n sorted values are at most value? */
static size_t count_to(const int64_t *sorted, size_t n, int64_t value)
{
    size_t low = 0;
    TR_BOUND(low, n, mid, sorted[mid] <= value);
    return low;
}

/*
 * Which work was launched into an empty queue and left it empty when it started?  turns: the work of a stream by start;
 * launches: its launch times in order.  The work of one call counts once: its first piece on the stream.
 */
static void find_lone(struct tr_critpath *c, const struct turn *turns, const int64_t *launches,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct turn *t = &turns[i];
        struct cp_kernel *k = &c->kernels[t->kernel];
        size_t launched_by_start = count_to(launches, n, t->start);
        size_t low = 0; /* how many started before it was launched */
        TR_BOUND(low, n, mid, turns[mid].start < t->launch);
        k->lone = k->ordinal == low + 1 && launched_by_start == i + 1;
    }
}

static void one_stream(struct tr_critpath *c, size_t from, size_t to, struct turn *turns,
                       int64_t *launches)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        struct cp_kernel *k = &c->kernels[i];
        k->leads = i == from || !same_launch(&c->kernels[i - 1], k);
        if (!k->leads || k->launch_ts == TR_TIME_NONE)
            continue;
        launches[n] = k->launch_ts;
        turns[n++] = (struct turn){ k->start, k->launch_ts, k->record, i };
        k->ordinal = n;
    }
    qsort(turns, n, sizeof *turns, by_start);
    find_lone(c, turns, launches, n);
}

bool tr__cp_order_launches(struct tr_critpath *c, size_t *first)
{
    struct turn *turns = tr__cp_alloc_temp(c, c->n_kernels + 1, sizeof *turns);
    int64_t *launches = tr__cp_alloc_temp(c, c->n_kernels + 1, sizeof *launches);
    bool ok = turns && launches;
    if (ok && c->n_kernels)
        qsort(c->kernels, c->n_kernels, sizeof *c->kernels, by_launch);
    for (size_t i = 0, s = 0; ok && s <= c->n_streams; s++) {
        first[s] = i;
        while (i < c->n_kernels && c->kernels[i].stream == s)
            i++;
        if (i > first[s])
            one_stream(c, first[s], i, turns, launches);
    }
    free(turns);
    free(launches);
    return ok;
}

/* ---- recorded events ---- */

TR_ORDER(by_corr, struct cp_record, TR_UP(source), TR_UP(corr), TR_UP(ts))

/* The call that recorded the event of a wait: the last one of that number before the wait. */
static struct cp_record *record_of(const struct tr_critpath *c, const struct cp_wait *w)
{
    const struct cp_record key = { .source = c->dict->tracks[w->track].source,
                                   .corr = w->record_corr,
                                   .ts = w->launch_ts };
    size_t low = 0;
    TR_BOUND(low, c->n_records, mid, by_corr(&c->records[mid], &key) <= 0);
    if (w->record_corr == TR_I64_NONE || low == 0)
        return NULL;
    struct cp_record *r = &c->records[low - 1];
    return r->source == key.source && r->corr == key.corr ? r : NULL;
}

static bool names_stream(const struct cp_wait *w)
{
    return w->on_stream != TR_I64_NONE && w->on_stream >= 0;
}

/* The stream that a wait names; CP_NONE: it has no events. */
static uint32_t stream_waited_for(const struct tr_critpath *c, const struct cp_wait *w)
{
    const struct tr_track *t = &c->dict->tracks[w->track];
    return tr__cp_find_stream(c, t->source, t->device, w->on_stream);
}

void tr__cp_order_records(struct tr_critpath *c)
{
    if (c->n_records)
        qsort(c->records, c->n_records, sizeof *c->records, by_corr);
    for (size_t i = 0; i < c->n_waits; i++) {
        struct cp_record *r = c->waits[i].counted ? NULL : record_of(c, &c->waits[i]);
        if (!r || !names_stream(&c->waits[i]))
            continue;
        uint32_t stream = stream_waited_for(c, &c->waits[i]);
        c->crossed |= r->asked && r->stream != stream;
        r->stream = stream;
        r->track = stream == CP_NONE ? CP_NONE : c->stream_track[stream];
    }
}

/* The last work that was launched on a stream before a time, in c->kernels; NULL: none. */
static struct cp_kernel *launched_before(const struct tr_critpath *c, const size_t *first, uint32_t stream, int64_t ts)
{
    size_t low = first[stream];
    TR_BOUND(low, first[stream + 1], mid, c->kernels[mid].launch_ts < ts);
    bool none = low == first[stream] || c->kernels[low - 1].launch_ts == TR_TIME_NONE;
    return none ? NULL : &c->kernels[low - 1];
}

uint32_t tr__cp_launched_before(const struct tr_critpath *c, const size_t *first, uint32_t stream, int64_t ts)
{
    const struct cp_kernel *k = launched_before(c, first, stream, ts);
    return k ? k->event : CP_NONE;
}

uint32_t tr__cp_recorded(struct tr_critpath *c, const size_t *first, const struct cp_wait *w)
{
    struct cp_record *r = record_of(c, w);
    uint32_t stream = !r ? CP_NONE : names_stream(w) ? stream_waited_for(c, w) : r->stream;
    if (r) {
        r->asked |= !names_stream(w);
        c->crossed |= r->past;
    }
    if (stream == CP_NONE)
        return CP_NONE;
    return tr__cp_launched_before(c, first, stream, r->ts);
}

/* Of the records of a source, so many may have waits in the next part. */
enum { LAST_RECORDS = 4096 };

/* records are sorted: by source and number, which grows with time. */
static void find_past(struct tr_critpath *c)
{
    size_t after = 0; /* records of the same source behind this one */
    for (size_t i = c->n_records; i-- > 0; after++) {
        if (i + 1 < c->n_records && c->records[i + 1].source != c->records[i].source)
            after = 0;
        c->records[i].past |= after >= LAST_RECORDS;
    }
}

bool tr__cp_keep_recorded(struct tr_critpath *c, uint8_t *keep)
{
    uint8_t *pending = calloc(c->n_records + 1, 1);
    size_t *first = malloc((c->n_streams + 2) * sizeof *first);
    bool ok = pending && first;
    for (size_t i = 0, s = 0; ok && s <= c->n_streams; s++) {
        first[s] = i;
        size_t last = SIZE_MAX;
        for (; i < c->n_kernels && c->kernels[i].stream == s; i++)
            last = keep[i] ? last : i;
        if (last != SIZE_MAX) /* the last work before records to come, if it is not kept in any case */
            keep[last] = 1;
    }
    for (size_t i = 0; ok && i < c->n_waits; i++) {
        const struct cp_record *r = c->waits[i].pending ? record_of(c, &c->waits[i]) : NULL;
        if (r && !r->past)
            pending[r - c->records] = 1;
    }
    if (ok)
        find_past(c);
    for (size_t i = 0; ok && i < c->n_records; i++) {
        struct cp_record *r = &c->records[i];
        r->past &= !pending[i];
        for (uint32_t s = 0; !r->past && s < c->n_streams; s++) {
            bool mine = c->dict->tracks[c->stream_track[s]].source == r->source;
            const struct cp_kernel *k = mine ? launched_before(c, first, s, r->ts) : NULL;
            if (k)
                keep[k - c->kernels] = 1;
        }
    }
    free(pending);
    free(first);
    return ok;
}

/* ---- work that waits on its stream ---- */

/* Work by the thread that launched it. */
struct launched {
    uint32_t stream, thread;
    int64_t launch_ts;
    size_t kernel;
};

TR_ORDER(by_thread, struct launched, TR_UP(stream), TR_UP(thread), TR_UP(launch_ts), TR_UP(kernel))

TR_ORDER(by_waiter, struct cp_held, TR_UP(event), TR_UP(until))

/* The first work that a thread launched on a stream after it had made the stream wait; NULL: none so far. */
static const struct cp_kernel *next_launched(const struct tr_critpath *c, const struct launched *list, size_t n,
                                             const struct cp_wait *w)
{
    const struct launched key = { w->stream, w->thread, w->launch_ts, SIZE_MAX };
    size_t low = 0;
    TR_BOUND(low, n, mid, by_thread(&list[mid], &key) <= 0);
    if (low == n || list[low].stream != w->stream || list[low].thread != w->thread)
        return NULL;
    return &c->kernels[list[low].kernel];
}

/* From when on are all events of this part kept? */
static int64_t part_from(const struct tr_critpath *c, uint32_t track)
{
    return c->keep ? c->parts[c->dict->tracks[track].source].from : INT64_MAX;
}

/* Work that was launched on a stream after a call had made the stream wait. */
static bool held_by_calls(struct tr_critpath *c, const size_t *first, struct cp_held **held, size_t *n)
{
    size_t n_held = 0, n_list = 0;
    for (size_t i = 0; i < c->n_waits; i++)
        n_held += c->waits[i].kind == TR_WAIT_STREAM_FOR_EVENT;
    struct launched *list = n_held ? tr__cp_alloc_temp(c, c->n_kernels + 1, sizeof *list) : NULL;
    *held = malloc((n_held + 1) * sizeof **held);
    *n = 0;
    bool ok = *held && (!n_held || list);
    for (size_t i = 0; ok && n_held && i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (k->leads && k->launch_ts != TR_TIME_NONE)
            list[n_list++] = (struct launched){ k->stream, k->thread, k->launch_ts, i };
    }
    if (n_list)
        qsort(list, n_list, sizeof *list, by_thread);
    for (size_t i = 0; ok && i < c->n_waits; i++) {
        struct cp_wait *w = &c->waits[i];
        if (w->kind != TR_WAIT_STREAM_FOR_EVENT)
            continue;
        const struct cp_kernel *next = next_launched(c, list, n_list, w);
        w->pending = !next || next->start >= part_from(c, next->track);
        struct cp_held h = { next ? next->event : CP_NONE, next ? tr__cp_recorded(c, first, w) : CP_NONE };
        if (h.event != CP_NONE && h.until != CP_NONE && h.event != h.until)
            (*held)[(*n)++] = h;
    }
    free(list);
    return ok;
}

/* ---- work that may wait on its stream, with other times ---- */

/* Calls by thread: a launch of work, or a call that makes a stream wait (kernel SIZE_MAX). */
struct asking {
    uint32_t thread;
    int64_t ts;
    size_t kernel;
};

TR_ORDER(by_call, struct asking, TR_UP(thread), TR_UP(ts), TR_UP(kernel))

/* Work has been asked to wait if its launch is the first one of its thread after that. */
static void ask(const struct asking *list, size_t n, int64_t *asked)
{
    int64_t since = TR_TIME_NONE, launch = TR_TIME_NONE;
    for (size_t i = 0; i < n; i++) {
        bool next = launch != TR_TIME_NONE && list[i].ts != launch;
        if (next || (i && list[i].thread != list[i - 1].thread))
            since = launch = TR_TIME_NONE;
        if (list[i].kernel == SIZE_MAX) {
            since = list[i].ts;
        } else if (since != TR_TIME_NONE) {
            asked[list[i].kernel] = since;
            launch = list[i].ts;
        }
    }
}

static bool same_call(const struct asking *a, const struct asking *b)
{
    return a->thread == b->thread && a->ts == b->ts && a->kernel != SIZE_MAX && b->kernel != SIZE_MAX;
}

/* When calls make streams wait, by source. */
struct wait_time {
    uint32_t source;
    int64_t ts;
};

TR_ORDER(by_wait, struct wait_time, TR_UP(source), TR_UP(ts))

/* Has any thread made a stream wait since the launch before on the stream of work? */
static bool may_be_asked(const struct tr_critpath *c, const struct wait_time *waits, size_t i)
{
    const struct cp_kernel *k = &c->kernels[i], *last = i && k[-1].stream == k->stream ? k - 1 : NULL;
    const struct wait_time key = { cp_source(c, k->event), last ? last->launch_ts : INT64_MIN };
    size_t low = 0;
    TR_BOUND(low, c->n_wait_calls, mid, by_wait(&waits[mid], &key) <= 0);
    return low < c->n_wait_calls && waits[low].source == key.source && waits[low].ts < k->launch_ts;
}

/* Work with a launch of its own that no call can have asked to wait, on streams whose work was asked at other times. */
static bool find_unasked(struct tr_critpath *c, const struct asking *list, size_t n, const int64_t *asked)
{
    uint8_t *has = calloc(c->n_streams + 1, 1);
    struct wait_time *waits = tr__cp_alloc_temp(c, c->n_wait_calls + 1, sizeof *waits);
    c->unasked = tr__cp_alloc_zero(c, c->n + 1, 1);
    bool ok = has && waits && c->unasked;
    for (size_t i = 0; ok && i < c->n_wait_calls; i++)
        waits[i] = (struct wait_time){ cp_source(c, c->wait_calls[i]), c->ts[c->wait_calls[i]] };
    if (ok && c->n_wait_calls)
        qsort(waits, c->n_wait_calls, sizeof *waits, by_wait);
    for (size_t i = 0; ok && i < c->n_kernels; i++)
        has[c->kernels[i].stream] |= asked[i] != TR_TIME_NONE;
    for (size_t i = 0; ok && i < n; i++) {
        bool shared = (i && same_call(&list[i - 1], &list[i])) || (i + 1 < n && same_call(&list[i], &list[i + 1]));
        const struct cp_kernel *k = list[i].kernel == SIZE_MAX ? NULL : &c->kernels[list[i].kernel];
        if (k && k->event != CP_NONE)
            c->unasked[k->event] = !shared && has[k->stream] && !may_be_asked(c, waits, list[i].kernel);
    }
    free(has);
    free(waits);
    return ok;
}

bool tr__cp_find_asked(struct tr_critpath *c, int64_t **asked)
{
    struct asking *list = tr__cp_alloc_temp(c, c->n_kernels + c->n_wait_calls + 1, sizeof *list);
    size_t n = 0;
    bool shown = false;
    *asked = tr__cp_alloc_temp(c, c->n_kernels + 1, sizeof **asked);
    bool ok = list && *asked;
    tr_critpath_stream_waits(c, &shown);
    size_t n_calls = 0;
    for (size_t i = 0; i < c->n_wait_calls; i++) /* those in the window */
        if (!(c->flags[c->wait_calls[i]] & CP_DEAD))
            c->wait_calls[n_calls++] = c->wait_calls[i];
    c->n_wait_calls = n_calls;
    for (size_t i = 0; ok && i < c->n_kernels; i++) {
        (*asked)[i] = TR_TIME_NONE;
        if (c->kernels[i].launch != CP_NONE)
            list[n++] = (struct asking){ c->thread_of[c->track[c->kernels[i].launch]], c->kernels[i].launch_ts, i };
    }
    for (size_t i = 0; ok && !shown && i < c->n_wait_calls; i++)
        list[n++] = (struct asking){ c->thread_of[c->track[c->wait_calls[i]]], c->ts[c->wait_calls[i]], SIZE_MAX };
    if (ok && n) {
        qsort(list, n, sizeof *list, by_call);
        ask(list, n, *asked);
        ok = shown || find_unasked(c, list, n, *asked);
    }
    free(list);
    return ok;
}

/* ---- work that names the work that it waited for ---- */

/* Entries of a list that are used.  A stream can give the same long list to any number of events. */
#define MAX_NAMED 1000u

/* What is between the numbers of a list. */
static bool is_between(char c)
{
    return c == '[' || c == ']' || c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Work by its number. */
struct numbered {
    uint32_t source, event;
    int64_t number;
    const struct cp_kernel *kernel;
};

TR_ORDER(by_number, struct numbered, TR_UP(source), TR_UP(number), TR_UP(event))

struct names {
    struct tr_critpath *c;
    struct numbered *list;
    size_t n;
    struct cp_held **held;
    size_t *n_held, cap;
};

/* Of the work with a number, that which came last before other work of its source; or NULL. */
static const struct cp_kernel *find_number(const struct names *s, int64_t number, uint32_t before)
{
    const struct numbered key = { cp_source(s->c, before), before, number, NULL };
    size_t low = 0;
    TR_BOUND(low, s->n, mid, by_number(&s->list[mid], &key) < 0);
    const struct numbered *found = low ? &s->list[low - 1] : NULL;
    return found && found->source == key.source && found->number == number ? found->kernel : NULL;
}

/* Of all work on one stream that work k waits for, only the last counts.  from: the first entry of k. */
static bool hold(struct names *s, size_t from, const struct cp_kernel *k, const struct cp_kernel *until)
{
    struct tr_critpath *c = s->c;
    bool same_call = k->launch != CP_NONE && until->launch == k->launch; /* the wait of a graph inside itself */
    c->shows_waits |= !same_call && until->stream != k->stream;
    for (size_t i = from; i < *s->n_held; i++) {
        uint32_t *other = &(*s->held)[i].until;
        if (c->stream_of[c->track[*other]] == until->stream) {
            *other = until->event > *other ? until->event : *other;
            return true;
        }
    }
    if (!tr_grow(s->held, &s->cap, *s->n_held + 1, sizeof **s->held))
        return false;
    (*s->held)[(*s->n_held)++] = (struct cp_held){ k->event, until->event };
    return true;
}

/*
 * What is not a number, or no number of earlier work, is counted.  So is the rest of a list that is too long, as one.
 */
static bool hold_by_list(struct names *s, const struct cp_kernel *k)
{
    struct tr_str text = tr_dict_text(s->c->dict, k->waits_for);
    uint64_t *lost = &s->c->lost_waits[cp_source(s->c, k->event)];
    size_t from = *s->n_held, at = 0;
    bool ok = true;
    for (size_t n = 0; ok && at < text.len; n++) {
        while (at < text.len && is_between(text.s[at]))
            at++;
        size_t first = at;
        while (at < text.len && !is_between(text.s[at]))
            at++;
        int64_t number;
        if (n == MAX_NAMED && at > first) {
            ++*lost;
            break;
        }
        const struct cp_kernel *until =
            tr_num_plain(text.s + first, at - first, &number) ? find_number(s, number, k->event) : NULL;
        *lost += !until && at > first;
        ok = !until || hold(s, from, k, until);
    }
    return ok;
}

static bool held_by_names(struct tr_critpath *c, struct cp_held **held, size_t *n)
{
    struct names s = { .c = c, .held = held, .n_held = n, .cap = *n };
    c->lost_waits = calloc(c->dict->n_sources + 1, sizeof *c->lost_waits);
    s.list = tr__cp_alloc_temp(c, c->n_kernels + 1, sizeof *s.list);
    bool ok = c->lost_waits && s.list;
    for (size_t i = 0; ok && i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (k->event != CP_NONE && k->number != TR_I64_NONE)
            s.list[s.n++] = (struct numbered){ cp_source(c, k->event), k->event, k->number, k };
    }
    if (s.n)
        qsort(s.list, s.n, sizeof *s.list, by_number);
    for (size_t i = 0; ok && i < c->n_kernels; i++)
        if (c->kernels[i].event != CP_NONE && c->kernels[i].waits_for != TR_NO_STR)
            ok = hold_by_list(&s, &c->kernels[i]);
    free(s.list);
    return ok;
}

bool tr__cp_held_work(struct tr_critpath *c, const size_t *first, struct cp_held **held, size_t *n)
{
    bool ok = held_by_calls(c, first, held, n) && (!c->n_lists || held_by_names(c, held, n));
    if (ok && *n)
        qsort(*held, *n, sizeof **held, by_waiter);
    return ok;
}
