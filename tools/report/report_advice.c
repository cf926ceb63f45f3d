/* SPDX-License-Identifier: MIT */
/* tr-report: the lines on what to look at next, largest first, and the doubts that go with each. */
#include "report/report_next.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool doubt_of_work(const struct report *r, size_t i, struct tr_buf *why, bool *failed)
{
    static const enum tr_doubt doubts[] = { TR_DOUBT_UNIT, TR_DOUBT_LAUNCHES, TR_DOUBT_SWALLOWED, TR_DOUBT_LONE_WORK };
    const struct tr_info_source *n = &r->info->sources[i];
    uint64_t suspect = 0;
    bool ok = true, doubt = true;
    size_t k = 0;
    for (unsigned s = TR_SUSPECT_NO + 1; s < TR_N_SUSPECTS; s++)
        suspect += n->n_suspect[s];
    while (k < sizeof doubts / sizeof *doubts && !tr_info_doubts(n, doubts[k]))
        k++;
    if (r->in->dict->sources[i].partial) {
        ok = tr_buf_print(why, "its tail is missing");
    } else if (i < r->in->summary->n && tr_summary_damage(&r->in->summary->sources[i], true)) {
        ok = tr_buf_print(why, "events are lost");
    } else if (suspect) {
        ok = tr_buf_print(why, "%" PRIu64 " event%s with impossible times", suspect, suspect == 1 ? "" : "s");
    } else if (k < sizeof doubts / sizeof *doubts) {
        ok = tr_info_doubt_text(n, doubts[k], why);
        why->len = strcspn(tr_buf_text(why), ":"); /* what to do about it is not for this place */
    } else {
        doubt = false;
    }
    *failed |= !ok;
    return doubt;
}

static bool doubt_of_launches(const struct report *r, size_t i, struct tr_buf *why, bool *failed)
{
    const struct tr_info_source *n = &r->info->sources[i];
    bool links = tr_info_doubts(n, TR_DOUBT_LINKS), causality = tr_info_doubts(n, TR_DOUBT_CAUSALITY);
    if (links)
        *failed |= !tr_buf_print(why, "%" PRIu64 " of %" PRIu64 " kernels and copies have no known launch",
                                 tr_info_doubt_count(n, TR_DOUBT_LINKS), n->coverage.work);
    else if (causality)
        *failed |= !tr_info_doubt_text(n, TR_DOUBT_CAUSALITY, why);
    return links || causality;
}

static bool doubt_of_source(const struct report *r, size_t i, unsigned grounds, struct tr_buf *why, bool *failed)
{
    return (grounds & REPORT_ON_WORK && doubt_of_work(r, i, why, failed)) ||
           (grounds & REPORT_ON_LAUNCHES && doubt_of_launches(r, i, why, failed));
}

static bool doubt_of_clocks(const struct report *r, struct tr_buf *why, bool *failed)
{
    char apart[32];
    double error = report_clock_error(r);
    if (report_one_clock(r))
        return false;
    if (isnan(error))
        *failed |= !tr_buf_print(why, "clocks are not aligned");
    else
        *failed |= !tr_buf_print(why, "clocks are %s apart", report_time(error, apart, sizeof apart));
    return true;
}

static int by_size(const void *x, const void *y)
{
    const struct report_line *a = x, *b = y;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Add the first reason to doubt a line. */
static void qualify(struct report_lines *l, struct report_line *line)
{
    const struct report *r = l->r;
    const struct tr_dict *d = r->in->dict;
    char rank[32] = "";
    struct tr_buf why = { 0 };
    bool doubt = line->rule->grounds & REPORT_ON_CLOCKS && doubt_of_clocks(r, &why, &l->failed);
    for (size_t i = 0; !doubt && r->info && i < d->n_sources && i < r->info->n_sources; i++) {
        bool about = line->rank == REPORT_ANY_RANK || line->rank == (double)d->sources[i].rank;
        if (!about || !tr_select_source(r->selected, (uint32_t)i))
            continue;
        doubt = doubt_of_source(r, i, line->rule->grounds, &why, &l->failed);
        if (r->n_ranks > 1 && d->sources[i].rank >= 0)
            snprintf(rank, sizeof rank, "rank %" PRId64 ": ", d->sources[i].rank);
    }
    if (doubt && !l->failed)
        l->failed |= !tr_buf_print(&line->what, " (doubtful: %s%.*s)", rank, (int)why.len, tr_buf_text(&why));
    tr_buf_free(&why);
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
        const struct report_line *line = &l.v[i];
        qualify(&l, &l.v[i]);
        report_advise(page, (struct tr_str){ (const char *)line->what.data, line->what.len }, line->rank,
                      line->rule->commands);
        tr_buf_free(&l.v[i].what);
    }
    page->failed |= l.failed;
    free(l.v);
}
