/* SPDX-License-Identifier: MIT */
/* tr-report: problems of the inputs, counted as in tr-info. */
#include "report/report.h"

#include "model/selection/tr_job_start.h"
#include "stream/tr_batch_select.h"
#include "stream/tr_captures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum tr_status report_trust_add(void *report, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct report *r = report;
    enum tr_status st = TR_OK;
    if (keep && memchr(keep, 0, b->n)) {
        st = tr_batch_select(r->selector, b, keep, r->part, err);
        b = r->part;
    }
    return st == TR_OK ? tr_info_add(r->info, b, err) : st;
}

bool report_one_clock(const struct report *r)
{
    size_t n = r->groups ? tr_table_rows(r->groups) : 0;
    bool compared = false, near = true;
    for (size_t row = 0; row < n; row++) {
        double ends = report_cell(r->groups, row, "end_spread_p50");
        compared = compared || !isnan(ends);
        near = near && !(ends > TR_ONE_MOMENT);
    }
    return tr_dict_aligned(r->in->dict) || r->clock.aligned || (compared && near);
}

/* The destination of findings: a table, or only a count. */
struct findings {
    const struct report *r;
    struct tr_table *to; /* NULL: they are only counted */
    size_t n;
    bool captures; /* a rank has several: they have a column */
    bool failed;   /* out of memory */
};

static const struct tr_table_column rank_column = { .name = "rank", .type = TR_CELL_INT, .role = TR_ROLE_GROUP };
static const struct tr_table_column capture_column = { .name = "capture", .type = TR_CELL_INT, .role = TR_ROLE_GROUP };
static const struct tr_table_column columns[] = {
    { .name = "count", .type = TR_CELL_COUNT, .role = TR_ROLE_COUNT },
    { .name = "pct", .type = TR_CELL_RATIO, .role = TR_ROLE_RATIO, .decimals = 2, .unit = "%" },
    { .name = "finding", .type = TR_CELL_STRING, .wide = true },
};

/* A finding that is no problem, of a source or of all (NULL); pct NaN: there is none. */
static void find(struct findings *f, const struct tr_source *of, bool counted, uint64_t count, double pct,
                 const char *what)
{
    if (f->to && !f->n) {
        tr_table_columns(f->to, &rank_column, 1);
        tr_table_columns(f->to, &capture_column, f->captures);
        tr_table_columns(f->to, columns, sizeof columns / sizeof *columns);
    }
    f->n++;
    if (!f->to)
        return;
    if (!of || of->rank < 0)
        tr_table_absent(f->to);
    else
        tr_table_int(f->to, of->rank);
    if (f->captures && of)
        tr_table_int(f->to, of->capture);
    else if (f->captures)
        tr_table_absent(f->to);
    if (counted)
        tr_table_count(f->to, count);
    else
        tr_table_absent(f->to);
    tr_table_ratio(f->to, pct);
    tr_table_string(f->to, what);
}

/* An amount, and a part of it that should be all of it. */
static void find_part(struct findings *f, const struct tr_source *of, uint64_t part, uint64_t whole, const char *what)
{
    if (part < whole)
        find(f, of, true, whole, 100 * (double)part / (double)whole, what);
}

/* What is lacking of a whole has a row of its own. */
static void find_doubt(struct findings *f, const struct tr_source *of, const struct tr_info_source *n,
                       enum tr_doubt doubt)
{
    struct tr_buf text = { 0 };
    if (!tr_info_doubts(n, doubt))
        return;
    f->failed |= !tr_info_doubt_text(n, doubt, &text);
    if (doubt != TR_DOUBT_LAUNCHES && doubt != TR_DOUBT_LINKS)
        find(f, of, doubt != TR_DOUBT_NO_WORK, tr_info_doubt_count(n, doubt), NAN, tr_buf_text(&text));
    tr_buf_free(&text);
}

static void find_source(struct findings *f, size_t i)
{
    const struct tr_input *in = f->r->in;
    const struct tr_source *source = &in->dict->sources[i];
    const struct tr_info_source *n = &f->r->info->sources[i];
    const struct tr_source_summary *sum = i < in->summary->n ? &in->summary->sources[i] : NULL;
    if (source->partial)
        find(f, source, false, 0, NAN, "its tail is missing");
    for (size_t k = 0; sum && k < sum->n_damage; k++)
        find(f, source, true, sum->damage[k].count, NAN, sum->damage[k].text);
    for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
        if (n->n_suspect[k])
            find(f, source, true, n->n_suspect[k], NAN, tr_suspect_name(k));
    if (n->n_open)
        find(f, source, true, n->n_open, NAN, "spans without an end");
    find_part(f, source, n->coverage.work_launched, n->coverage.work,
              "kernels, copies, memsets: pct linked to a launch");
    find_part(f, source, n->coverage.launches_used, n->coverage.launches, "launch calls: pct linked to device work");
    for (unsigned d = 0; d < TR_N_DOUBTS; d++)
        find_doubt(f, source, n, d);
}

/* Were the clocks of the ranks aligned, and how well? */
static void find_clocks(struct findings *f)
{
    const struct tr_one_clock *c = &f->r->clock;
    char text[100];
    if (c->aligned) {
        snprintf(text, sizeof text, "collectives that align the clocks, within %.1f us",
                 c->residual_max / 1e3);
        find(f, NULL, true, c->anchors, NAN, text);
    } else if (!report_one_clock(f->r)) {
        find(f, NULL, false, 0, NAN, "the clocks of the ranks are not aligned");
    }
}

/* Families of operators that are faster than their device can be: their figures, or the peaks, are wrong. */
static void find_fast(struct findings *f)
{
    const struct tr_table *t = f->r->tables[REPORT_FAMILIES];
    uint64_t n = 0;
    for (size_t row = 0; t && row < tr_table_rows(t); row++)
        n += report_cell(t, row, "roofline_pct") > 100 && report_cell(t, row, "pct") >= 1;
    if (n)
        find(f, NULL, true, n, NAN,
             "families of operators above their roof: another device, a cache, or a wrong model");
}

static void find_all(struct findings *f)
{
    const struct tr_dict *d = f->r->in->dict;
    size_t bases = 0;
    for (size_t i = 0; i < d->n_sources && i < f->r->info->n_sources; i++) {
        if (!tr_select_source(f->r->selected, (uint32_t)i))
            continue;
        find_source(f, i);
        bases += d->sources[i].has_base;
    }
    if (f->r->n_ranks > 1 && tr_bases_differ(d, f->r->selected) && !f->r->clock.aligned)
        find(f, NULL, false, 0, NAN, "only some inputs have a time base: ranks are not compared");
    else if (f->r->n_ranks > 1 && !bases && !f->r->clock.aligned && !tr_dict_aligned(d) && !tr_dict_one_file(d))
        find(f, NULL, false, 0, NAN, "no input has a time base: ranks may not compare");
    if (f->r->n_ranks > 1 && (f->r->clock.aligned || !tr_bases_differ(d, f->r->selected)))
        find_clocks(f);
    find_fast(f);
}

bool report_trust(const struct report *r, struct tr_table *to)
{
    struct findings f = { .r = r, .to = to, .captures = tr_captures_several(r->in->dict) };
    find_all(&f);
    return !f.failed;
}
