/* SPDX-License-Identifier: MIT */
/* Compares the ranks, steps and times of a selection with those of the stream. */
#include "model/selection/tr_select_int.h"

#include "base/tr_mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The ranks of all sources, without duplicates, in order. */
static int64_t *all_ranks(const struct question *q, size_t *n)
{
    int64_t *rank = malloc((q->n + 1) * sizeof *rank);
    *n = 0;
    if (!rank)
        return NULL;
    for (size_t i = 0; i < q->n; i++)
        rank[i] = q->s->dict->sources[i].rank;
    qsort(rank, q->n, sizeof *rank, by_number);
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
        return absent(q, "step", *rest ? "the part of the trace that could be read has no steps "
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
        int64_t start = tr__select_start(q->s, i);
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
    const struct tr_source *source = tr__select_reference(q->s->dict);
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
