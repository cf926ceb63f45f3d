/* SPDX-License-Identifier: MIT */
/* Coverage: how much of the events that take part can be explained? */
#include "analysis/calls/tr_coverage.h"

#include "base/tr_mem.h"
#include "model/calls/tr_api_role.h"
#include "model/tr_eventmap.h"

#include <stdlib.h>

#define SLACK_NS 1 /* a call may end this much after the one around it, as in model/calls/tr_call_path.h */

/* Calls of one role in one source: those that are in no other launch call, and those of them with device work. */
struct calls {
    uint64_t n, n_used;
};

struct source {
    struct tr_coverage_counts n; /* without launches, which are in calls */
    struct calls calls[TR_N_API_ROLES];
};

struct thread {
    int64_t covered; /* the time until which the operators so far run */
    int64_t call_end; /* of the last launch call that is in no other */
    enum tr_api_role role; /* of this call */
    bool used;             /* it has device work, or a call in it */
    bool captures;
};

struct tr_coverage {
    bool suspect;
    struct tr_api_roles *roles; /* NULL before the first batch */
    struct source *sources;
    size_t n_sources, cap_sources;
    struct thread *threads; /* by track */
    size_t n_threads, cap_threads;
    struct tr_eventmap unused;   /* launch calls without device work: their role */
    struct tr_pending launches;  /* by operators; with the time of work that came before its launch */
};
static const int64_t no_time = 0;

struct tr_coverage *tr_coverage_new(bool suspect)
{
    struct tr_coverage *c = calloc(1, sizeof *c);
    if (c)
        c->suspect = suspect;
    return c;
}

void tr_coverage_free(struct tr_coverage *c)
{
    if (!c)
        return;
    tr_api_roles_free(c->roles);
    tr_eventmap_free(&c->unused);
    tr_pending_free(&c->launches);
    free(c->sources);
    free(c->threads);
    free(c);
}

/* Make room for every source and track of the dictionary, and for the columns of the batch. */
static bool start_batch(struct tr_coverage *c, const struct tr_batch *b)
{
    const struct tr_dict *d = b->dict;
    if (!tr_grow(&c->sources, &c->cap_sources, d->n_sources, sizeof *c->sources) ||
        !tr_grow(&c->threads, &c->cap_threads, d->n_tracks, sizeof *c->threads))
        return false;
    while (c->n_sources < d->n_sources)
        c->sources[c->n_sources++] = (struct source){ 0 };
    while (c->n_threads < d->n_tracks)
        c->threads[c->n_threads++] = (struct thread){ .covered = INT64_MIN, .call_end = INT64_MIN };
    tr_pending_init(&c->launches, d, &no_time, sizeof no_time);
    return tr_pending_batch(&c->launches, b);
}

/* ---- the host ---- */

/* A call that launches, or whose role it is.  False: out of memory. */
static bool count_launch(struct tr_coverage *c, const struct tr_batch *b, size_t i, enum tr_api_role role)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    struct source *s = &c->sources[source];
    struct thread *t = &c->threads[b->track[i]];
    bool used = b->flags[i] & TR_HAS_DEVICE;
    int64_t end = tr_time_sum(b->ts[i], tr_dur_used(b->dur[i], b->suspect[i]));
    if (b->ts[i] < t->call_end && end - SLACK_NS <= t->call_end) {
        used |= t->used;
        if (t->role != TR_API_APPEND || role != TR_API_LAUNCH) {
            s->calls[t->role].n_used += used && !t->used;
            t->used = used;
            return true;
        }
        s->calls[TR_API_APPEND].n--; /* what it puts into a list, it launches itself */
        s->calls[TR_API_APPEND].n_used -= t->used;
        end = t->call_end;
    }
    *t = (struct thread){ t->covered, end, role, used, t->captures };
    s->calls[role].n++;
    s->calls[role].n_used += used;
    return used || tr_eventmap_put(&c->unused, source, b->record[i], role);
}

/* A wait that the device shows: the call that put it there has no device work, and is not expected to. */
static void add_wait(struct tr_coverage *c, const struct tr_batch *b, size_t i)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    uint64_t launch = (uint64_t)c->launches.launch_record[i];
    uint32_t role = b->flags[i] & TR_HAS_LAUNCH ? tr_eventmap_get(&c->unused, source, launch) : TR_EVENTMAP_NONE;
    if (role == TR_EVENTMAP_NONE)
        return;
    c->sources[source].calls[role].n--;
    tr_eventmap_remove(&c->unused, source, launch);
}

static enum tr_status add_call(struct tr_coverage *c, const struct tr_batch *b, size_t i, bool counts,
                               struct tr_error *err)
{
    struct thread *t = &c->threads[b->track[i]];
    enum tr_api_role role;
    enum tr_status st = tr_api_role_of(c->roles, b->dict, b->name[i], &role, err);
    if (st != TR_OK)
        return st;
    if (role == TR_API_BEGIN_CAPTURE || role == TR_API_END_CAPTURE) {
        t->captures = role == TR_API_BEGIN_CAPTURE;
        role = TR_API_OTHER;
    }
    bool launches = b->flags[i] & TR_HAS_DEVICE || (role != TR_API_OTHER && !t->captures);
    return !counts || !launches || count_launch(c, b, i, role) ? TR_OK : tr_fail_memory(err);
}

/* A launch by an operator: its work has come already, or will be found by the launch's record. */
static bool note_launch(struct tr_coverage *c, const struct tr_batch *b, size_t i, uint32_t source)
{
    uint32_t n;
    if (!tr_pending_call(&c->launches, b, i, true, &n))
        return false;
    if (n == TR_PENDING_NONE)
        return true;
    int64_t *time = &c->sources[source].n.time_by_operator, early = *(int64_t *)tr_pending_at(&c->launches, n);
    if (early) /* as a rule, work comes after its launch */
        *time = tr_time_sum(*time, early);
    tr_pending_settle(&c->launches, n);
    return true;
}

static enum tr_status add_host(struct tr_coverage *c, const struct tr_batch *b, size_t i, bool counts,
                               struct tr_error *err)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    int64_t *covered = &c->threads[b->track[i]].covered;
    unsigned activity = b->activity[i];
    if (activity == TR_ACT_SYNC)
        add_wait(c, b, i);
    if (activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD) {
        int64_t end = b->ts[i] + tr_dur_used(b->dur[i], b->suspect[i]);
        *covered = end > *covered ? end : *covered;
        return TR_OK;
    }
    if (b->flags[i] & TR_HAS_DEVICE && b->ts[i] < *covered && !note_launch(c, b, i, source))
        return tr_fail_memory(err);
    bool api = activity == TR_ACT_RUNTIME_API || activity == TR_ACT_DRIVER_API;
    return api ? add_call(c, b, i, counts, err) : TR_OK;
}

/* ---- device work ---- */

static bool add_work(struct tr_coverage *c, const struct tr_batch *b, size_t i, bool counts)
{
    uint32_t source = b->dict->tracks[b->track[i]].source;
    struct tr_coverage_counts *s = &c->sources[source].n;
    uint32_t n;
    int64_t dur = counts && b->phase[i] == TR_SPAN ? tr_dur_used(b->dur[i], b->suspect[i]) : 0;
    s->work += counts;
    s->work_launched += counts && b->flags[i] & TR_HAS_LAUNCH;
    s->time = tr_time_sum(s->time, dur);
    if (!tr_pending_work(&c->launches, b, i, &n))
        return false;
    if (n == TR_PENDING_NONE) /* not launched by an operator */
        return true;
    /* if clocks disagree, the launch is still to come, if it is one by an operator */
    int64_t *time = tr_pending_has_come(&c->launches, n) ? &s->time_by_operator : tr_pending_at(&c->launches, n);
    *time = tr_time_sum(*time, dur);
    tr_pending_settle(&c->launches, n);
    return true;
}

enum tr_status tr_coverage_add(struct tr_coverage *c, const struct tr_batch *b, const uint8_t *keep,
                               struct tr_error *err)
{
    enum tr_status st = c->roles ? TR_OK : tr_api_roles_new(&c->roles, err);
    if (st == TR_OK && !start_batch(c, b))
        st = tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        bool counts = (!keep || keep[i]) && (c->suspect || b->suspect[i] == TR_SUSPECT_NO);
        if (!tr_is_device_work(b->activity[i]))
            st = add_host(c, b, i, counts, err);
        else if (!add_work(c, b, i, counts))
            st = tr_fail_memory(err);
    }
    return st;
}

/* ---- the result ---- */

struct tr_coverage_counts tr_coverage_of(const struct tr_coverage *c, uint32_t source)
{
    struct tr_coverage_counts n = { 0 };
    if (source >= c->n_sources)
        return n;
    const struct calls *launch = &c->sources[source].calls[TR_API_LAUNCH];
    const struct calls *append = &c->sources[source].calls[TR_API_APPEND];
    const struct calls *memset = &c->sources[source].calls[TR_API_MEMSET];
    const struct calls *other = &c->sources[source].calls[TR_API_OTHER];
    n = c->sources[source].n;
    n.launches = launch->n + (launch->n ? append->n_used : append->n) + (memset->n_used ? memset->n : 0) + other->n;
    n.launches_used = launch->n_used + append->n_used + memset->n_used + other->n_used;
    return n;
}

struct tr_coverage_counts tr_coverage_all(const struct tr_coverage *c)
{
    struct tr_coverage_counts all = { 0 };
    for (uint32_t i = 0; i < c->n_sources; i++) {
        struct tr_coverage_counts n = tr_coverage_of(c, i);
        all.launches += n.launches;
        all.launches_used += n.launches_used;
        all.work += n.work;
        all.work_launched += n.work_launched;
        all.time = tr_time_sum(all.time, n.time);
        all.time_by_operator = tr_time_sum(all.time_by_operator, n.time_by_operator);
    }
    return all;
}
