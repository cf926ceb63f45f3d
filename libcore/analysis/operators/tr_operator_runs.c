/* SPDX-License-Identifier: MIT */
/*
 * Runs of operations of XLA: which kernels belong to one run, although no operator is around them?
 *
 * On the device, kernels without a launch: those of one operation that come one after the other on a stream.  If the
 * operation has run again with nothing between, as alone in its program or in a loop, its kernels repeat.  So the
 * shortest sequence of names that repeats is a run.
 *
 * On the host, launches below no span: runs of a program are spans of the host that name it, on a line of their own.  A
 * thread belongs to the line whose span was the only one around one of its launches.
 */
#include "analysis/operators/tr_operators_int.h"

#include "base/tr_time.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* ---- on the device ---- */

/* How many kernels the runs have that these are: the last run may lack some. */
static size_t period(const struct tr__operator_piece *p, size_t n)
{
    for (size_t length = 1; 2 * length <= n; length++) {
        size_t i = 0;
        while (i + length < n && p[i].name == p[i + length].name)
            i++;
        if (i + length == n)
            return length;
    }
    return n;
}

/* The kernels of a run are a call.  False: out of memory, here and below. */
static bool one_call(struct tr_operators *a, const struct tr_operator_key *key, const struct tr__operator_piece *p,
                     size_t n)
{
    int64_t sum = 0, busy = 0, until = INT64_MIN;
    uint32_t number = tr__operators_row_of(a, key);
    if (number == NO_ENTRY)
        return false;
    for (size_t i = 0; i < n; i++) {
        int64_t from = p[i].at.start > until ? p[i].at.start : until;
        sum = tr_time_sum(sum, tr_time_diff(p[i].at.end, p[i].at.start));
        busy = p[i].at.end > from ? tr_time_sum(busy, tr_time_diff(p[i].at.end, from)) : busy;
        until = p[i].at.end > until ? p[i].at.end : until;
        if (!tr__operators_own(a, *key, number, &p[i], TR_I64_NONE))
            return false;
    }
    struct tr_operator_row *row = tr__operators_row(a, number);
    row->calls++;
    row->kernels_below += n;
    row->device = tr_time_sum(row->device, sum);
    row->device_self_busy = tr_time_sum(row->device_self_busy, busy);
    row->device_busy = tr_time_sum(row->device_busy, busy);
    return !a->owned || tr__owners_nobody(&a->owners, key, busy, n);
}

/* The kernels that wait become calls; more: others may follow, so those of a run that is not complete still wait. */
static bool make_calls(struct tr_operators *a, struct tr__operator_run *run, bool more)
{
    size_t n = run->n, length = period(run->pieces, n), done = 0;
    while (done < n && (!more || n - done >= length)) {
        size_t one = n - done < length ? n - done : length;
        if (!one_call(a, &run->key, &run->pieces[done], one))
            return false;
        done += one;
    }
    run->n = n - done;
    memmove(run->pieces, &run->pieces[done], run->n * sizeof *run->pieces);
    return true;
}

bool tr__operator_run_add(struct tr_operators *a, uint32_t track, const struct tr_operator_key *key, uint32_t program,
                          const struct tr__operator_piece *p)
{
    struct tr__operator_runs *r = &a->runs;
    if (!tr_grow(&r->of, &r->cap, (size_t)track + 1, sizeof *r->of))
        return false;
    for (; r->n <= track; r->n++)
        r->of[r->n] = NULL;
    if (!r->of[track] && !(r->of[track] = calloc(1, sizeof *r->of[track])))
        return false;
    struct tr__operator_run *run = r->of[track];
    bool same = run->n && run->program == program && memcmp(&run->key, key, sizeof *key) == 0;
    if (!same && !make_calls(a, run, false))
        return false;
    memcpy(&run->key, key, sizeof *key);
    run->program = program;
    run->pieces[run->n++] = *p;
    return run->n < TR__OPERATOR_RUN_MAX || make_calls(a, run, true);
}

bool tr__operator_run_end(struct tr_operators *a, uint32_t track)
{
    return track >= a->runs.n || !a->runs.of[track] || make_calls(a, a->runs.of[track], false);
}

bool tr__operator_runs_end(struct tr_operators *a)
{
    bool ok = true;
    for (size_t track = 0; ok && track < a->runs.n; track++)
        ok = tr__operator_run_end(a, (uint32_t)track);
    return ok;
}

void tr__operator_runs_free(struct tr__operator_runs *r)
{
    for (size_t track = 0; track < r->n; track++)
        free(r->of[track]);
    for (size_t s = 0; s < r->n_sources; s++)
        free(r->spans[s].of);
    free(r->of);
    free(r->spans);
    tr_eventmap_free(&r->line_of);
}

/* ---- on the host ---- */

/* The spans of a source that are open at a time; NULL: out of memory. */
static struct tr__program_spans *spans_at(struct tr__operator_runs *r, uint32_t source, int64_t ts)
{
    if (!tr_grow(&r->spans, &r->cap_sources, (size_t)source + 1, sizeof *r->spans))
        return NULL;
    for (; r->n_sources <= source; r->n_sources++)
        r->spans[r->n_sources] = (struct tr__program_spans){ 0 };
    struct tr__program_spans *s = &r->spans[source];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i].end > ts)
            s->of[n++] = s->of[i];
    s->n = n;
    return s;
}

bool tr__program_span(struct tr_operators *a, uint32_t track, uint32_t program, int64_t start, int64_t end)
{
    struct tr__operator_runs *r = &a->runs;
    struct tr__program_spans *s = spans_at(r, a->work.dict->tracks[track].source, start);
    if (!s)
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i].line == track && s->of[i].program == program) /* a span inside it */
            return true;
    if (!tr_grow(&s->of, &s->cap, s->n + 1, sizeof *s->of))
        return false;
    s->of[s->n++] = (struct tr__program_span){ end, ++r->n_runs, track, program };
    return true;
}

bool tr__program_run(struct tr_operators *a, uint32_t track, uint32_t program, int64_t ts, uint64_t *run)
{
    struct tr__operator_runs *r = &a->runs;
    struct tr__program_spans *s = spans_at(r, a->work.dict->tracks[track].source, ts);
    uint32_t line = tr_eventmap_get(&r->line_of, track, 0), at = NO_ENTRY;
    size_t around = 0;
    for (size_t i = 0; s && i < s->n; i++)
        if (s->of[i].program == program && (line == NO_ENTRY || s->of[i].line == line)) {
            at = s->of[i].line;
            *run = s->of[i].number;
            around++;
        }
    *run = around == 1 ? *run : 0;
    return s && (line != NO_ENTRY || around != 1 || tr_eventmap_put(&r->line_of, track, 0, at));
}
