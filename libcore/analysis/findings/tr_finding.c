/* SPDX-License-Identifier: MIT */
/* What rules use to say what they find, and to look at tables. */
#include "analysis/findings/tr_findings_int.h"

#include "vendor/tr_roles.h"

#include <math.h>
#include <string.h>

#define MS_FROM    1e7 /* ns: longer times are said in ms */
#define NAME_SHOWN 40u /* bytes of a name in a sentence */

const struct tr_job *tr_finding_job(const struct tr_findings *f)
{
    return &f->job;
}

const struct tr_finding *tr_findings_all(const struct tr_findings *f, size_t *n)
{
    *n = f->n;
    return f->v;
}

const struct tr_findings_about *tr_finding_about(const struct tr_findings *f)
{
    return &f->about;
}

const struct tr_table *tr_finding_table(const struct tr_findings *f, enum tr_fact fact)
{
    return f->tables[fact];
}

double tr_finding_parts(const struct tr_findings *f)
{
    double steps = f->job.numbered && f->job.n_steps ? (double)f->job.n_steps : 1;
    return steps * (f->job.n_ranks ? (double)f->job.n_ranks : 1);
}

/* Idle time until launch calls end, without what waits of the host for the device caused. */
static double starved(const struct tr_job_part *p)
{
    double idle = p->of[TR_ACCOUNT_IDLE + TR_IDLE_HOST_BUSY] + p->of[TR_ACCOUNT_IDLE + TR_IDLE_LAUNCH_OVERHEAD];
    return idle > p->drained ? idle - p->drained : 0;
}

double tr_finding_starved(const struct tr_findings *f)
{
    double ns = tr_job_saving(&f->job, starved, f->job.straggler) - f->taken;
    return ns > 0 ? ns : 0;
}

void tr_finding_take_starved(struct tr_findings *f, double ns)
{
    f->taken += ns;
}

double tr_finding_waits(const struct tr_findings *f, double ns)
{
    return ns > f->taken_waits ? ns - f->taken_waits : 0;
}

void tr_finding_take_waits(struct tr_findings *f, double ns)
{
    f->taken_waits += ns;
}

double tr_finding_short_taken(const struct tr_findings *f)
{
    return f->taken_short;
}

void tr_finding_take_short(struct tr_findings *f, double part)
{
    f->taken_short = part;
}

bool tr_finding_of_graphs(const struct tr_findings *f, const struct tr_table *launches, size_t row)
{
    const struct tr_str api = tr_fact_text(launches, row, "api");
    return api.s && tr_roles_of(tr_finding_about(f)->dict->names, api.s, api.len) & TR_NAMED_GRAPH_LAUNCH;
}

/* ---- copies ---- */

static bool is_copy(const struct tr_table *kernels, size_t row)
{
    return tr_str_is(tr_fact_text(kernels, row, "kind"), "memory");
}

static bool is_pageable(struct tr_str name)
{
    return name.s && memmem(name.s, name.len, "Pageable", 8);
}

/* Do such copies go from or to a host, or another device? */
static bool leaves_device(unsigned direction)
{
    switch (direction) {
    case TR_COPY_HTOD:
    case TR_COPY_DTOH:
    case TR_COPY_HTOA:
    case TR_COPY_ATOH:
    case TR_COPY_PTOP:
        return true;
    default:
        return false;
    }
}

bool tr_finding_is_moved(const struct tr_findings *f, const struct tr_table *kernels, size_t row)
{
    const struct tr_str name = tr_fact_text(kernels, row, "name");
    return is_copy(kernels, row) && name.s && !is_pageable(name) &&
           leaves_device(tr_copy_direction(tr_finding_about(f)->dict->names, name.s, name.len));
}

struct tr_finding_copies tr_finding_copies_of(const struct tr_findings *f, enum tr_fact fact)
{
    const struct tr_table *t = tr_finding_table(f, fact);
    struct tr_finding_copies sum = { 0 };
    for (size_t row = 0; row < tr_fact_rows(t); row++) {
        if (!is_copy(t, row))
            continue;
        double ns = tr_fact_number(t, row, "sum");
        sum.all += ns;
        sum.pageable += is_pageable(tr_fact_text(t, row, "name")) ? ns : 0;
        sum.moved += tr_finding_is_moved(f, t, row) ? ns : 0;
    }
    return sum;
}

double tr_finding_limit(const struct tr_findings *f, size_t i)
{
    return f->limits[f->kind][i];
}

bool tr_finding_matters(const struct tr_findings *f, double ns, size_t i)
{
    return f->job.step > 0 && 100 * ns > tr_finding_limit(f, i) * f->job.step;
}

/*
 * Without a cause the rest of a step moves, too: other waits grow or go, so no account is more exact than this.  It is
 * what the steps of simulated jobs with and without a cause differ from their accounts.
 */
#define INEXACT 0.15

struct tr_finding *tr_finding_add(struct tr_findings *f, double impact, double low, double high)
{
    const struct tr_finding_kind *kind = f->looking;
    if (f->failed || !tr_grow(&f->v, &f->cap, f->n + 1, sizeof *f->v)) {
        f->failed = true;
        return NULL;
    }
    const double below = (1 - INEXACT) * impact, above = (1 + INEXACT) * impact;
    struct tr_finding *x = &f->v[f->n++];
    *x = (struct tr_finding){ .id = kind->id,
                              .aside = kind->aside,
                              .severity = TR_SEVERITY_NOTE,
                              .impact = impact,
                              .low = low < below ? low : below,
                              .high = high > above ? high : above,
                              .pct = NAN,
                              .rank = TR_I64_NONE,
                              .step = TR_I64_NONE,
                              .part = kind->part,
                              .place = f->kind };
    if (x->high > f->job.step && f->job.step >= impact)
        x->high = f->job.step;
    memcpy(x->commands, kind->commands, sizeof x->commands);
    return x;
}

void tr_finding_say(struct tr_findings *f, struct tr_finding *x, const char *fmt, ...)
{
    va_list args;
    if (!x)
        return;
    va_start(args, fmt);
    f->failed |= !tr_buf_print_list(&x->sentence, fmt, args);
    va_end(args);
}

const char *tr_finding_each_step(const struct tr_findings *f)
{
    return f->job.numbered ? "each step" : "the recording";
}

void tr_finding_say_time(struct tr_findings *f, struct tr_finding *x, double ns)
{
    bool ms = ns >= MS_FROM;
    long long tenths = llround(ns / (ms ? 1e5 : 1e2));
    tr_finding_say(f, x, "%lld.%lld %s", tenths / 10, tenths % 10, ms ? "ms" : "us");
}

void tr_finding_say_share(struct tr_findings *f, struct tr_finding *x, double ns)
{
    tr_finding_say(f, x, " (%.1f %%)", f->job.step > 0 ? 100 * ns / f->job.step : 0);
}

/* Is this byte inside of a character of UTF-8? */
static bool inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* So much of a name that people can read the sentence: its start, and its end. */
void tr_finding_say_name(struct tr_findings *f, struct tr_finding *x, struct tr_str name)
{
    size_t start = name.len, end = name.len;
    if (!x)
        return;
    if (name.len > NAME_SHOWN) {
        start = NAME_SHOWN / 2;
        end = name.len - (NAME_SHOWN / 2 - 3);
    }
    while (start < end && start && inside_character(name.s[start]))
        start--;
    while (end < name.len && inside_character(name.s[end]))
        end++;
    f->failed |= !tr_buf_add_text(&x->sentence, (struct tr_str){ name.s, start }) ||
                 (start < end && !tr_buf_add_str(&x->sentence, "...")) ||
                 !tr_buf_add_text(&x->sentence, (struct tr_str){ name.s + end, name.len - end });
}

void tr_finding_doubt(struct tr_findings *f, struct tr_finding *x, enum tr_confidence confidence, const char *fmt, ...)
{
    va_list args;
    if (!x)
        return;
    x->confidence = confidence > x->confidence ? confidence : x->confidence;
    va_start(args, fmt);
    f->failed |= (x->why.len && !tr_buf_add_str(&x->why, "; ")) || !tr_buf_print_list(&x->why, fmt, args);
    va_end(args);
}

void tr_finding_evidence(struct tr_finding *x, const char *metric, double value)
{
    if (x && x->n_evidence < TR_FINDING_EVIDENCE && !isnan(value))
        x->evidence[x->n_evidence++] = (struct tr_finding_evidence){ metric, value };
}

void tr_finding_no_memory(struct tr_findings *f)
{
    f->failed = true;
}

/* ---- tables ---- */

size_t tr_fact_rows(const struct tr_table *t)
{
    return t ? tr_table_rows(t) : 0;
}

double tr_fact_number(const struct tr_table *t, size_t row, const char *column)
{
    size_t at = t ? tr_table_find(t, column) : SIZE_MAX;
    return at == SIZE_MAX ? NAN : tr_table_number(t, row, at);
}

struct tr_str tr_fact_text(const struct tr_table *t, size_t row, const char *column)
{
    size_t at = t ? tr_table_find(t, column) : SIZE_MAX;
    return at == SIZE_MAX ? (struct tr_str){ NULL, 0 } : tr_table_get(t, row, at);
}

/* The rows of a rank, or of all, with a text in a column, or any; and a figure of them.  Columns are looked up once. */
struct facts {
    const struct tr_table *t;
    int64_t rank;
    const char *text; /* NULL: any */
    size_t n, ranks, keys, figures;
};

static struct facts facts_of(const struct tr_table *t, int64_t rank, const char *column, const char *key,
                             const char *text)
{
    return (struct facts){ .t = t,
                           .rank = rank,
                           .text = key ? text : NULL,
                           .n = tr_fact_rows(t),
                           .ranks = t ? tr_table_find(t, "rank") : SIZE_MAX,
                           .keys = t && key ? tr_table_find(t, key) : SIZE_MAX,
                           .figures = t ? tr_table_find(t, column) : SIZE_MAX };
}

/* The figure of a row; NaN: absent, or the row is not one of them. */
static double figure_of(const struct facts *f, size_t row)
{
    if (f->figures == SIZE_MAX || (f->rank != TR_I64_NONE && (f->ranks == SIZE_MAX ||
                                                              tr_table_number(f->t, row, f->ranks) != (double)f->rank)))
        return NAN;
    if (f->text && (f->keys == SIZE_MAX || !tr_str_is(tr_table_get(f->t, row, f->keys), f->text)))
        return NAN;
    return tr_table_number(f->t, row, f->figures);
}

double tr_fact_sum(const struct tr_table *t, int64_t rank, const char *column, const char *key, const char *text)
{
    const struct facts f = facts_of(t, rank, column, key, text);
    double all = 0;
    for (size_t row = 0; row < f.n; row++) {
        double value = figure_of(&f, row);
        if (!isnan(value))
            all += value;
    }
    return all;
}

size_t tr_fact_largest(const struct tr_table *t, int64_t rank, const char *column, const char *key, const char *text)
{
    const struct facts f = facts_of(t, rank, column, key, text);
    size_t max = SIZE_MAX;
    double most = NAN;
    for (size_t row = 0; row < f.n; row++) {
        double value = figure_of(&f, row);
        if (isnan(value) || (max != SIZE_MAX && !(value > most)))
            continue;
        max = row;
        most = value;
    }
    return max;
}
