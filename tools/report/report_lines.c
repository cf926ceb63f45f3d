/* SPDX-License-Identifier: MIT */
/* tr-report: lines on what to look at next: their order, and what puts them in doubt. */
#include "report/report_next.h"

#include "base/tr_mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_FROM 1e7 /* ns */

const char *report_time(double ns, char *text, size_t size)
{
    bool ms = ns >= MS_FROM;
    long long tenths = llround(ns / (ms ? 1e5 : 1e2));
    snprintf(text, size, "%lld.%lld %s", tenths / 10, tenths % 10, ms ? "ms" : "us");
    return text;
}

double report_clock_error(const struct report *r)
{
    double error = NAN;
    for (size_t row = 0, n = r->groups ? tr_table_rows(r->groups) : 0; row < n; row++)
        error = fmax(error, report_cell(r->groups, row, "end_spread_p50")); /* fmax takes the number */
    return error;
}

void report_line(struct report_lines *l, double size, double rank, const char *fmt, ...)
{
    va_list args;
    if (!tr_grow(&l->v, &l->cap, l->n + 1, sizeof *l->v)) {
        l->failed = true;
        return;
    }
    struct report_line *line = &l->v[l->n];
    *line = (struct report_line){ .rule = l->rule, .size = size, .rank = rank, .at = l->n };
    va_start(args, fmt);
    vsnprintf(line->what, sizeof line->what, fmt, args);
    va_end(args);
    l->n++;
}

/* ---- doubts ---- */

static bool doubt_of_work(const struct report *r, size_t i, char *text, size_t size)
{
    static const enum tr_doubt doubts[] = { TR_DOUBT_UNIT, TR_DOUBT_LAUNCHES, TR_DOUBT_SWALLOWED, TR_DOUBT_LONE_WORK };
    const struct tr_info_source *n = &r->info->sources[i];
    uint64_t suspect = 0;
    for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
        suspect += n->n_suspect[k];
    if (r->in->dict->sources[i].partial)
        return snprintf(text, size, "its tail is missing") > 0;
    if (i < r->in->summary->n && tr_summary_damage(&r->in->summary->sources[i], true))
        return snprintf(text, size, "events are lost") > 0;
    if (suspect)
        return snprintf(text, size, "%" PRIu64 " event%s with impossible times", suspect, suspect == 1 ? "" : "s") > 0;
    for (size_t k = 0; k < sizeof doubts / sizeof *doubts; k++)
        if (tr_info_doubts(n, doubts[k])) {
            tr_info_doubt_text(n, doubts[k], text, size);
            text[strcspn(text, ":")] = '\0'; /* what to do about it is not for this place */
            return true;
        }
    return false;
}

static bool doubt_of_launches(const struct report *r, size_t i, char *text, size_t size)
{
    const struct tr_info_source *n = &r->info->sources[i];
    if (tr_info_doubts(n, TR_DOUBT_LINKS))
        return snprintf(text, size, "%" PRIu64 " of %" PRIu64 " kernels and copies have no known launch",
                        tr_info_doubt_count(n, TR_DOUBT_LINKS), n->coverage.work) > 0;
    if (!tr_info_doubts(n, TR_DOUBT_CAUSALITY))
        return false;
    tr_info_doubt_text(n, TR_DOUBT_CAUSALITY, text, size);
    return true;
}

/* The first doubt about a source. */
static bool doubt_of_source(const struct report *r, size_t i, unsigned grounds, char *text, size_t size)
{
    return (grounds & REPORT_ON_WORK && doubt_of_work(r, i, text, size)) ||
           (grounds & REPORT_ON_LAUNCHES && doubt_of_launches(r, i, text, size));
}

static bool doubt_of_clocks(const struct report *r, char *text, size_t size)
{
    char apart[32];
    double error = report_clock_error(r);
    if (report_one_clock(r))
        return false;
    if (isnan(error))
        snprintf(text, size, "clocks are not aligned");
    else
        snprintf(text, size, "clocks are %s apart", report_time(error, apart, sizeof apart));
    return true;
}

/* Add the first reason to doubt a line. */
static void qualify(const struct report *r, struct report_line *line)
{
    char text[TR_DOUBT_TEXT] = "", rank[32] = "";
    const struct tr_dict *d = r->in->dict;
    bool doubt = line->rule->grounds & REPORT_ON_CLOCKS && doubt_of_clocks(r, text, sizeof text);
    for (size_t i = 0; !doubt && r->info && i < d->n_sources && i < r->info->n_sources; i++) {
        bool about = line->rank == REPORT_ANY_RANK || line->rank == (double)d->sources[i].rank;
        if (!about || !tr_select_source(r->selected, (uint32_t)i))
            continue;
        doubt = doubt_of_source(r, i, line->rule->grounds, text, sizeof text);
        if (r->n_ranks > 1 && d->sources[i].rank >= 0)
            snprintf(rank, sizeof rank, "rank %" PRId64 ": ", d->sources[i].rank);
    }
    size_t len = strlen(line->what);
    if (doubt)
        snprintf(line->what + len, sizeof line->what - len, " (doubtful: %s%s)", rank, text);
}

/* ---- all of them ---- */

static int by_size(const void *x, const void *y)
{
    const struct report_line *a = x, *b = y;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

void report_next(const struct report *r, struct report_page *page)
{
    struct report_lines l = { .r = r };
    for (size_t i = 0; i < report_n_rules; i++) {
        l.rule = &report_rules[i];
        l.rule->look(&l);
    }
    if (l.n)
        qsort(l.v, l.n, sizeof *l.v, by_size);
    for (size_t i = 0; i < l.n; i++) {
        qualify(r, &l.v[i]);
        report_advise(page, l.v[i].what, l.v[i].rank, l.v[i].rule->commands);
    }
    page->failed |= l.failed;
    free(l.v);
}
