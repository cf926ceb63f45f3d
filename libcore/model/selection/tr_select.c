/* SPDX-License-Identifier: MIT */
/* The selection that all analyses share: ranks, steps, times, conditions. */
#include "model/selection/tr_select_int.h"

#include "base/tr_mem.h"
#include "model/selection/tr_job_start.h"

#include <stdlib.h>
#include <string.h>

/* ---- time of sources ---- */

static int64_t add_clamped(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b)
        return INT64_MIN;
    return a + b;
}

static int64_t base_shift(const struct tr_source *s)
{
    return s->base_ns == INT64_MIN ? INT64_MAX : add_clamped(s->file_base_ns, -s->base_ns);
}

int64_t tr_source_to_stream(const struct tr_source *source, int64_t file_ns)
{
    return add_clamped(file_ns, base_shift(source));
}

int64_t tr_source_to_file(const struct tr_source *source, int64_t stream_ns)
{
    return tr_time_diff(stream_ns, tr_time_diff(source->file_base_ns, source->base_ns));
}

static struct tr_range shifted(struct tr_range r, int64_t by)
{
    if (r.from != INT64_MIN)
        r.from = add_clamped(r.from, by);
    if (r.to != INT64_MAX)
        r.to = add_clamped(r.to, by);
    return r;
}

/* ---- making ---- */

/* The start of the last step of a source with at least two different steps; otherwise, INT64_MAX. */
static int64_t last_step_start(const struct tr_source_summary *s)
{
    bool several = false;
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < s->n_steps; i++) {
        several |= s->steps[i].number != s->steps[0].number;
        last = s->steps[i].start > last ? s->steps[i].start : last;
    }
    return several ? last : INT64_MAX;
}

static bool find_last_steps(struct tr_select *s, const struct tr_summary *summary)
{
    size_t n = summary->n;
    s->last_step = malloc((n ? n : 1) * sizeof *s->last_step);
    if (!s->last_step)
        return false;
    for (size_t i = 0; i < n; i++)
        s->last_step[i] = last_step_start(&summary->sources[i]);
    s->n_last_step = n;
    return true;
}

static bool find_starts(struct tr_select *s, const struct tr_summary *summary)
{
    s->n_starts = s->dict->n_sources;
    s->starts = malloc((s->n_starts ? s->n_starts : 1) * sizeof *s->starts);
    if (!s->starts)
        return false;
    s->n_clocks = tr_job_starts_of(s->dict, summary, s->starts);
    return true;
}

enum tr_status tr_select_new(const struct tr_select_opts *opts, const struct tr_dict *dict,
                             const struct tr_summary *summary, bool sorted, struct tr_select **sel,
                             struct tr_error *err)
{
    *sel = NULL;
    if (!sorted && (opts->has_steps || opts->drop_last_step || opts->has_host_time))
        return tr_fail(err, TR_DAMAGED,
                       "input is not sorted, so its steps and launches are not known in advance");
    if (!sorted && (opts->time_relative || opts->host_time_relative))
        return tr_fail(err, TR_DAMAGED, "input is not sorted, so its start is not known in advance");
    struct tr_select *s = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->opts = *opts;
    s->dict = dict;
    if (opts->has_steps)
        s->steps = tr_steps_new(summary);
    if ((opts->has_steps && !s->steps) || (opts->drop_last_step && !find_last_steps(s, summary)) ||
        ((opts->time_relative || opts->host_time_relative) && !find_starts(s, summary))) {
        tr_select_free(s);
        return tr_fail_memory(err);
    }
    *sel = s;
    return TR_OK;
}

void tr_select_free(struct tr_select *s)
{
    if (!s)
        return;
    tr_steps_free(s->steps);
    free(s->last_step);
    free(s->starts);
    free(s->tests);
    free(s->hidden);
    free(s->keep);
    free(s->before);
    free(s->alone);
    tr_step_columns_free(&s->launched);
    free(s);
}

/* ---- per source ---- */

bool tr_select_timed(const struct tr_select *s)
{
    return s->opts.has_steps || s->opts.has_time || s->opts.has_host_time;
}

bool tr_select_by_launch(const struct tr_select *s)
{
    return s->opts.has_steps || s->opts.has_host_time;
}

bool tr_select_hide(struct tr_select *s, uint32_t source, bool hidden)
{
    if (!tr_grow(&s->hidden, &s->cap_hidden, source + (size_t)1, sizeof *s->hidden))
        return false;
    while (s->n_hidden <= source)
        s->hidden[s->n_hidden++] = 0;
    s->hidden[source] = hidden;
    s->n_tests = 0; /* they depend on it */
    return true;
}

bool tr_select_source(const struct tr_select *s, uint32_t source)
{
    if (source < s->n_hidden && s->hidden[source])
        return false;
    int64_t rank = s->dict->sources[source].rank;
    for (size_t i = 0; i < s->opts.n_ranks; i++)
        if (rank >= s->opts.ranks[i].from && rank <= s->opts.ranks[i].to)
            return true;
    return s->opts.n_ranks == 0;
}

const struct tr_source *tr__select_reference(const struct tr_dict *d)
{
    const struct tr_source *best = NULL;
    for (size_t i = 0; i < d->n_sources; i++)
        /* as unsigned numbers, so that the unknown rank -1 comes last */
        if (!best || (uint64_t)d->sources[i].rank < (uint64_t)best->rank)
            best = &d->sources[i];
    return best;
}

int64_t tr__select_start(const struct tr_select *s, uint32_t source)
{
    return source < s->n_starts && s->starts[source] != TR_TIME_NONE ? s->starts[source] : 0;
}

/* The reference does not change after the first batch. */
static void find_shift(struct tr_select *s)
{
    const struct tr_source *source = s->shift_known ? NULL : tr__select_reference(s->dict);
    if (!source)
        return;
    s->shift = base_shift(source);
    s->shift_known = true;
}

/* A window that a user gave, on the stream's time. */
static struct tr_range window_of(const struct tr_select *s, uint32_t source, const struct tr_range *given,
                                 bool relative)
{
    return shifted(*given, relative ? tr__select_start(s, source) : s->shift);
}

bool tr_select_windowed(const struct tr_select *s)
{
    return s->opts.has_time;
}

bool tr_select_window(struct tr_select *s, uint32_t source, struct tr_range *window)
{
    find_shift(s);
    *window = window_of(s, source, &s->opts.time, s->opts.time_relative);
    return s->opts.has_time;
}

int64_t tr_select_clip(struct tr_select *s, uint32_t source, int64_t ts)
{
    struct tr_range window;
    if (!s || !s->opts.has_time)
        return ts;
    tr_select_window(s, source, &window);
    return ts < window.from ? window.from : ts > window.to ? window.to : ts;
}

int64_t tr_select_window_base(const struct tr_select *s, uint32_t source)
{
    const struct tr_source *of = &s->dict->sources[source];
    return s->opts.time_relative ? add_clamped(of->base_ns, tr__select_start(s, source)) : of->file_base_ns;
}

size_t tr_select_starts(const struct tr_select *s)
{
    return s->n_clocks;
}

static struct source_tests tests_of(const struct tr_select *s, uint32_t source)
{
    struct source_tests t = { .rank_ok = tr_select_source(s, source) };
    t.time = window_of(s, source, &s->opts.time, s->opts.time_relative);
    t.host = window_of(s, source, &s->opts.host_time, s->opts.host_time_relative);
    t.host_limited = s->opts.has_host_time;
    if (source < s->n_last_step && s->last_step[source] != INT64_MAX) {
        t.host_limited = true;
        if (s->last_step[source] < t.host.to)
            t.host.to = s->last_step[source];
    }
    t.steps_limited = s->opts.has_steps;
    t.host_tests = t.host_limited || t.steps_limited;
    return t;
}

static bool number_ok(const struct tr_select *s, const struct source_tests *t, const struct tr_step *step)
{
    const struct tr_range *numbers = &s->opts.steps;
    return t->rank_ok && (!t->steps_limited || (step->number >= numbers->from && step->number <= numbers->to));
}

bool tr_select_step(struct tr_select *s, uint32_t source, const struct tr_step *step)
{
    find_shift(s);
    struct source_tests t = tests_of(s, source);
    return number_ok(s, &t, step) && (!t.host_limited || (step->start >= t.host.from && step->start < t.host.to)) &&
           (!s->opts.has_time || (step->start >= t.time.from && step->end <= t.time.to));
}

bool tr_select_part_of_step(struct tr_select *s, uint32_t source, const struct tr_step *step)
{
    find_shift(s);
    struct source_tests t = tests_of(s, source);
    return number_ok(s, &t, step) && (!t.host_limited || (step->end >= t.host.from && step->start < t.host.to)) &&
           (!s->opts.has_time || (step->end >= t.time.from && step->start < t.time.to));
}

/* Sources may enter the dictionary while the stream is read. */
static bool update_sources(struct tr_select *s)
{
    find_shift(s);
    if (!tr_grow(&s->tests, &s->cap_tests, s->dict->n_sources, sizeof *s->tests))
        return false;
    for (; s->n_tests < s->dict->n_sources; s->n_tests++)
        s->tests[s->n_tests] = tests_of(s, (uint32_t)s->n_tests);
    return true;
}

/* ---- per event ---- */

static bool host_time_ok(const struct tr_select *s, const struct source_tests *t, struct tr_step_moment at)
{
    int64_t number;
    if (at.ts == TR_TIME_NONE)
        return false;
    if (t->host_limited && (at.ts < t->host.from || at.ts >= t->host.to))
        return false;
    return !t->steps_limited || (tr_steps_find(s->steps, s->dict, at, &number) &&
                                 number >= s->opts.steps.from && number <= s->opts.steps.to);
}

/* Does an event from ts on, of a length that may be 0, meet a window? */
static bool meets(int64_t ts, int64_t dur, const struct tr_range *window)
{
    return ts < window->to && (ts >= window->from || add_clamped(ts, dur) > window->from);
}

static bool event_ok(const struct tr_select *s, const struct tr_batch *b, size_t i)
{
    uint32_t source = s->dict->tracks[b->track[i]].source;
    const struct source_tests *t = &s->tests[source];
    if (!t->rank_ok)
        return false;
    if (b->ts[i] == TR_TIME_NONE)
        return true;
    if (s->opts.has_time && !meets(b->ts[i], tr_dur_used(b->dur[i], b->suspect[i]), &t->time))
        return false;
    return !t->host_tests || host_time_ok(s, t, tr_step_columns_moment(&s->launched, s->steps, b, i));
}

enum tr_status tr_select_mask(struct tr_select *s, const struct tr_batch *b, const uint8_t **keep,
                              struct tr_error *err)
{
    const struct tr_select_opts *o = &s->opts;
    bool host_tests = o->has_steps || o->has_host_time || o->drop_last_step;
    bool built_in = host_tests || o->n_ranks || o->has_time;
    *keep = NULL;
    if (!built_in && !o->where)
        return TR_OK;
    if (!update_sources(s) || !tr_grow(&s->keep, &s->cap_keep, b->n, 1) ||
        (host_tests && !tr_step_columns_read(&s->launched, b)))
        return tr_fail_memory(err);
    if (built_in)
        for (size_t i = 0; i < b->n; i++)
            s->keep[i] = event_ok(s, b, i);
    else if (b->n)
        memset(s->keep, 1, b->n);
    *keep = s->keep;
    if (o->where && (!tr_grow(&s->before, &s->cap_before, b->n, 1) || !tr_grow(&s->alone, &s->cap_alone, b->n, 1)))
        return tr_fail_memory(err);
    if (o->where && b->n)
        memcpy(s->before, s->keep, b->n);
    enum tr_status st = o->where ? o->where(o->where_self, b, s->keep, err) : TR_OK;
    for (size_t i = 0; o->where && i < b->n; i++)
        s->alone[i] = s->keep[i] || !s->before[i];
    return st;
}

const uint8_t *tr_select_before_where(const struct tr_select *s, const uint8_t *keep)
{
    return s->opts.where && keep ? s->before : keep;
}

const uint8_t *tr_select_where_alone(const struct tr_select *s)
{
    return s && s->opts.where ? s->alone : NULL;
}

bool tr_select_has_where(const struct tr_select *s)
{
    return s->opts.where != NULL;
}

bool tr_bases_differ(const struct tr_dict *d, const struct tr_select *select)
{
    size_t with = 0, n = 0, moved = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        if (select && !tr_select_source(select, i))
            continue;
        n++;
        with += d->sources[i].has_base;
    }
    if (!with || with == n)
        return false;
    for (uint32_t i = 0; i < d->n_sources; i++)
        moved += (!select || tr_select_source(select, i)) && tr__source_moved(d, i);
    return moved < n;
}
