/* SPDX-License-Identifier: MIT */
/* The selection that all analyses share: ranks, steps, times, conditions; and whether the stream has them. */
#include "model/selection/tr_select.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/selection/tr_job_start.h"
#include "model/tr_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tests for one source, in times of the stream. */
struct source_tests {
    bool rank_ok;
    bool host_tests;      /* any of the next two can fail */
    struct tr_range time; /* option time */
    struct tr_range host; /* option host_time and drop_last_step together */
    bool host_limited;
    bool steps_limited;
};

struct tr_select {
    struct tr_select_opts opts;
    const struct tr_dict *dict;
    struct tr_steps *steps; /* option steps only */
    int64_t *last_step;     /* drop_last_step: by source, INT64_MAX: keep all */
    size_t n_last_step;
    int64_t *starts;           /* by source, ns of the stream: the base of relative times; NULL: there are none */
    size_t n_starts, n_clocks; /* n_clocks: clocks that have their own start */
    int64_t shift;             /* from other times of users to those of the stream */
    bool shift_known;
    struct source_tests *tests;
    size_t n_tests, cap_tests;
    uint8_t *hidden; /* by source: 1 */
    size_t n_hidden, cap_hidden;
    uint8_t *keep, *before; /* before: without the test where */
    uint8_t *alone;         /* only the test where */
    struct tr_step_columns launched;
    size_t cap_keep, cap_before, cap_alone;
};

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
        return tr_fail(err, TR_DAMAGED, "input is not sorted, so its steps and launches are not known in advance");
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

static const struct tr_source *reference_of(const struct tr_dict *d)
{
    const struct tr_source *best = NULL;
    for (size_t i = 0; i < d->n_sources; i++)
        /* as unsigned numbers, so that the unknown rank -1 comes last */
        if (!best || (uint64_t)d->sources[i].rank < (uint64_t)best->rank)
            best = &d->sources[i];
    return best;
}

static int64_t start_of(const struct tr_select *s, uint32_t source)
{
    return source < s->n_starts && s->starts[source] != TR_TIME_NONE ? s->starts[source] : 0;
}

/* The reference does not change after the first batch. */
static void find_shift(struct tr_select *s)
{
    const struct tr_source *source = s->shift_known ? NULL : reference_of(s->dict);
    if (!source)
        return;
    s->shift = base_shift(source);
    s->shift_known = true;
}

/* A window that a user gave, on the stream's time. */
static struct tr_range window_of(const struct tr_select *s, uint32_t source, const struct tr_range *given,
                                 bool relative)
{
    return shifted(*given, relative ? start_of(s, source) : s->shift);
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
    return s->opts.time_relative ? add_clamped(of->base_ns, start_of(s, source)) : of->file_base_ns;
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

/* Clocks may have been stretched since lags were measured; tr-align refuses more than one in a thousand. */
#define STRETCH  1000
#define LAG_ROOM 1000000 /* ns */

static int64_t doubt_of(int64_t lag)
{
    return (lag < 0 ? -(lag / STRETCH) : lag / STRETCH) + LAG_ROOM;
}

/* From times of the host to those of the work that it launched: its lags are in the summary. */
static struct tr_needed with_work(struct tr_needed r, const struct tr_source_summary *s)
{
    const bool linked = s->lag_min != TR_TIME_NONE && s->lag_max != TR_TIME_NONE;
    if (s->n_activity[TR_ACT_SYNC] || (!linked && s->n_device_linked))
        return (struct tr_needed){ INT64_MIN, INT64_MAX }; /* lags are not known of all events */
    if (!linked)
        return r;
    const int64_t low = add_clamped(s->lag_min, -doubt_of(s->lag_min));
    const int64_t high = add_clamped(s->lag_max, doubt_of(s->lag_max));
    r.from = r.from == INT64_MIN || low >= 0 ? r.from : add_clamped(r.from, low);
    r.to = r.to == INT64_MAX || high <= 0 ? r.to : add_clamped(r.to, high);
    return r;
}

struct tr_needed tr_select_needed(struct tr_select *s, const struct tr_summary *summary, uint32_t source)
{
    const struct tr_source_summary *of = source < summary->n ? &summary->sources[source] : NULL;
    find_shift(s);
    const struct source_tests t = tests_of(s, source);
    struct tr_needed host = { INT64_MIN, INT64_MAX };
    if (!of || !t.rank_ok)
        return t.rank_ok ? host : (struct tr_needed){ 0, 0 };
    if (t.steps_limited)
        host = (struct tr_needed){ INT64_MAX, INT64_MIN };
    for (size_t i = 0; t.steps_limited && i < of->n_steps; i++) {
        const struct tr_step *step = &of->steps[i];
        if (!number_ok(s, &t, step))
            continue;
        host.from = step->start < host.from ? step->start : host.from;
        host.to = step->end > host.to ? step->end : host.to;
    }
    if (t.host_limited) {
        host.from = t.host.from > host.from ? t.host.from : host.from;
        host.to = t.host.to < host.to ? t.host.to : host.to;
    }
    if (t.host_tests)
        host = host.from < host.to ? with_work(host, of) : (struct tr_needed){ 0, 0 };
    return (struct tr_needed){ t.time.from > host.from ? t.time.from : host.from,
                               t.time.to < host.to ? t.time.to : host.to };
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
    return !t->steps_limited || (tr_steps_find(s->steps, s->dict, at, &number) && number >= s->opts.steps.from &&
                                 number <= s->opts.steps.to);
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

enum tr_status tr_select_mask(struct tr_select *s, const struct tr_batch *b, const uint8_t **keep, struct tr_error *err)
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

/* ---- does the stream have what was chosen? ---- */

struct question {
    const struct tr_select *s;
    const struct tr_summary *summary;
    size_t n; /* sources that both dictionary and summary know */
    tr_select_report *report;
    void *self;
    struct tr_error *err;
};

static enum tr_status absent(const struct question *q, const char *option, const char *text)
{
    tr_error_place(q->err, "option --%s", option);
    return tr_fail(q->err, TR_ABSENT, "%s", text);
}

static void doubt(const struct question *q, const char *option, const char *text)
{
    char place[40];
    snprintf(place, sizeof place, "option --%s", option);
    if (q->report)
        q->report(q->self, place, text);
}

/* "5", or "5..9"; an open side is left out. */
static const char *range_text(char *out, size_t size, const struct tr_range *r)
{
    char from[24] = "", to[24] = "";
    if (r->from != INT64_MIN)
        snprintf(from, sizeof from, "%" PRId64, r->from);
    if (r->to != INT64_MAX)
        snprintf(to, sizeof to, "%" PRId64, r->to);
    snprintf(out, size, "%s%s%s", from, r->from == r->to ? "" : "..", r->from == r->to ? "" : to);
    return out;
}

const char *tr_select_survived(const struct tr_select *s)
{
    for (uint32_t i = 0; i < s->dict->n_sources; i++)
        if (s->dict->sources[i].partial && tr_select_source(s, i))
            return " in the part that could be read";
    return "";
}

/* ---- ranks ---- */

/* The ranks of all sources, without duplicates, in order. */
static int64_t *all_ranks(const struct question *q, size_t *n)
{
    int64_t *rank = malloc((q->n + 1) * sizeof *rank);
    *n = 0;
    if (!rank)
        return NULL;
    for (size_t i = 0; i < q->n; i++)
        rank[i] = q->s->dict->sources[i].rank;
    qsort(rank, q->n, sizeof *rank, tr_by_i64);
    for (size_t i = 0; i < q->n; i++)
        if (*n == 0 || rank[*n - 1] != rank[i])
            rank[(*n)++] = rank[i];
    return rank;
}

/* "0..3, 7": the present ranks; after some of them, "...". */
static const char *ranks_text(char *out, size_t size, const int64_t *rank, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n && len + 60 < size; i++) {
        struct tr_range r = { rank[i], rank[i] };
        char text[64];
        while (i + 1 < n && rank[i + 1] == rank[i] + 1)
            r.to = rank[++i];
        len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "", range_text(text, sizeof text, &r));
        if (i + 1 < n && len + 60 >= size)
            snprintf(out + len, size - len, ", ...");
    }
    return out;
}

/* Compare one part of a list of ranks with the present ranks. */
static enum tr_status find_range(const struct question *q, const struct tr_range *r, const int64_t *rank, size_t n)
{
    char there[200] = "none", what[64], text[320];
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += rank[i] >= r->from && rank[i] <= r->to;
    range_text(what, sizeof what, r);
    ranks_text(there, sizeof there, rank, n);
    snprintf(text, sizeof text, "no input has rank %s: there %s %s", what, n == 1 ? "is only" : "are", there);
    if (found == 0)
        return absent(q, "rank", text);
    if (r->to != INT64_MAX && (uint64_t)(r->to - r->from) >= found) {
        snprintf(text, sizeof text, "not all of the ranks %s are there, only %s", what, there);
        doubt(q, "rank", text);
    }
    return TR_OK;
}

static enum tr_status find_ranks(const struct question *q)
{
    size_t n;
    enum tr_status st = TR_OK;
    int64_t *rank = all_ranks(q, &n);
    if (!rank)
        return tr_fail_memory(q->err);
    for (size_t i = 0; i < q->s->opts.n_ranks && st == TR_OK; i++)
        st = find_range(q, &q->s->opts.ranks[i], rank, n);
    free(rank);
    return st;
}

/* ---- steps ---- */

static enum tr_status find_steps(const struct question *q)
{
    const struct tr_range *want = &q->s->opts.steps;
    struct tr_range all = { INT64_MAX, INT64_MIN };
    const char *rest = tr_select_survived(q->s);
    bool found = false;
    char text[280], there[64], what[64];
    for (uint32_t i = 0; i < q->n; i++) {
        const struct tr_source_summary *s = &q->summary->sources[i];
        for (size_t k = 0; k < s->n_steps && tr_select_source(q->s, i); k++) {
            int64_t number = s->steps[k].number;
            found |= number >= want->from && number <= want->to;
            all.from = number < all.from ? number : all.from;
            all.to = number > all.to ? number : all.to;
        }
    }
    if (all.from > all.to)
        return absent(q, "step",
                      *rest ? "the part of the trace that could be read has no steps "
                              "(host annotations ProfilerStep#n, or of an inference engine)"
                            : "the trace has no steps "
                              "(host annotations ProfilerStep#n, or of an inference engine)");
    range_text(there, sizeof there, &all);
    range_text(what, sizeof what, want);
    snprintf(text, sizeof text, "no such step%s: %s %s", rest, all.from == all.to ? "there is only" : "the steps are",
             there);
    if (!found)
        return absent(q, "step", text);
    if ((want->from != INT64_MIN && want->from < all.from) || (want->to != INT64_MAX && want->to > all.to)) {
        snprintf(text, sizeof text, "not all of the steps %s are there%s, only %s", what, rest, there);
        doubt(q, "step", text);
    }
    return TR_OK;
}

/* ---- windows ---- */

/* The span of the selected sources, in times of users: times of the reference's file, or from the start of each source.
 * */
struct span {
    struct tr_range at; /* from > to: nothing */
    bool vague;         /* there may be more events, at impossible times */
};

static struct span span_of(const struct question *q, const struct tr_source *reference, bool relative)
{
    struct span all = { { INT64_MAX, INT64_MIN }, false };
    for (uint32_t i = 0; i < q->n; i++) {
        const struct tr_source_summary *s = &q->summary->sources[i];
        if (!tr_select_source(q->s, i))
            continue;
        for (unsigned k = 1; k < TR_N_SUSPECTS; k++)
            all.vague |= s->n_suspect[k] > 0;
        if (s->first_ts == TR_TIME_NONE)
            continue;
        int64_t start = start_of(q->s, i);
        int64_t from = relative ? tr_time_diff(s->first_ts, start) : tr_source_to_file(reference, s->first_ts);
        int64_t to = relative ? tr_time_diff(s->last_end, start) : tr_source_to_file(reference, s->last_end);
        if (from == TR_TIME_NONE || to == TR_TIME_NONE) {
            all.vague = true; /* there is no such time of a user */
            continue;
        }
        all.at.from = from < all.at.from ? from : all.at.from;
        all.at.to = to > all.at.to ? to : all.at.to;
    }
    return all;
}

/* Microseconds of a time, with a plus sign if times are relative. */
static const char *time_text(char *out, size_t size, bool relative, int64_t ns)
{
    uint64_t abs = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    snprintf(out, size, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : relative ? "+" : "", abs / 1000, (unsigned)(abs % 1000));
    return out;
}

static enum tr_status find_window(const struct question *q, const char *option, bool relative, const struct tr_range *w)
{
    const struct tr_source *source = reference_of(q->s->dict);
    char text[256], from[32], to[32];
    if (!source)
        return TR_OK;
    struct span all = span_of(q, source, relative);
    if ((all.vague && all.at.from > all.at.to))
        return TR_OK;
    if (all.at.from > all.at.to)
        return absent(q, option, "the window is empty: no event has a time");
    time_text(from, sizeof from, relative, all.at.from);
    time_text(to, sizeof to, relative, all.at.to);
    bool outside = w->to <= all.at.from || w->from > all.at.to;
    snprintf(text, sizeof text, "the window is %s %s, which goes from %s to %s us%s",
             outside ? "outside of" : "partly outside of",
             *tr_select_survived(q->s) ? "the part of the trace that could be read" : "the trace", from, to,
             outside && !relative ? "; to count from its start, use +0ms..+10ms" : "");
    if (outside && !all.vague)
        return absent(q, option, text);
    if ((w->from != INT64_MIN && w->from < all.at.from) || (w->to != INT64_MAX && w->to > all.at.to))
        doubt(q, option, text);
    return TR_OK;
}

enum tr_status tr_select_found(struct tr_select *s, const struct tr_summary *summary, tr_select_report *report,
                               void *self, struct tr_error *err)
{
    struct question q = { s, summary, summary->n, report, self, err };
    enum tr_status st = TR_OK;
    if (q.n > s->dict->n_sources)
        q.n = s->dict->n_sources;
    if (s->opts.n_ranks)
        st = find_ranks(&q);
    if (st == TR_OK && s->opts.has_steps)
        st = find_steps(&q);
    if (st == TR_OK && s->opts.has_time)
        st = find_window(&q, "time", s->opts.time_relative, &s->opts.time);
    if (st == TR_OK && s->opts.has_host_time)
        st = find_window(&q, "host-time", s->opts.host_time_relative, &s->opts.host_time);
    return st;
}
