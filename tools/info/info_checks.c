/* SPDX-License-Identifier: MIT */
/* tr-info: conditions, and whether they hold. */
#include "info/info_report.h"

#include <inttypes.h>
#include <stdio.h>

static struct info_check *add_check(struct info_report *r, const char *name, bool ok)
{
    struct info_check *c = &r->checks[r->n_checks++];
    c->name = name;
    c->ok = ok;
    return c;
}

/* A count that has to be 0. */
static void check_none(struct info_report *r, const char *name, uint64_t n)
{
    struct info_check *c = add_check(r, name, n == 0);
    snprintf(c->needed, sizeof c->needed, "0");
    snprintf(c->found, sizeof c->found, "%" PRIu64, n);
}

static uint64_t count_salvage(const struct info_report *r, bool only_losses)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->info->n_sources; i++) {
        const struct tr_source_summary *s = info_summary(r, i);
        uint64_t here = 0;
        if (!info_looks_at(r, i))
            continue;
        if (s)
            here = tr_summary_damage(s, true) + (only_losses ? 0 : tr_summary_damage(s, false));
        n += here ? here : r->in->dict->sources[i].partial;
    }
    return n;
}

static uint64_t count_suspects(const struct tr_info *info)
{
    uint64_t n = 0;
    for (size_t i = 0; i < info->n_sources; i++)
        for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
            n += info->sources[i].n_suspect[k];
    return n;
}

static void check_events(struct info_report *r, int64_t needed)
{
    uint64_t min = r->info->n_sources ? UINT64_MAX : 0;
    for (size_t i = 0; i < r->info->n_sources; i++)
        if (info_looks_at(r, i) && r->info->sources[i].n_events < min)
            min = r->info->sources[i].n_events;
    struct info_check *c = add_check(r, "min-events", min >= (uint64_t)needed);
    snprintf(c->needed, sizeof c->needed, "%" PRId64, needed);
    snprintf(c->found, sizeof c->found, "%" PRIu64, min);
}

static void check_ranks(struct info_report *r, int64_t needed)
{
    const struct tr_dict *d = r->in->dict;
    int64_t n = 0;
    bool unknown = false;
    for (size_t i = 0; i < d->n_sources; i++) {
        bool seen = d->sources[i].rank < 0;
        if (!info_looks_at(r, i))
            continue;
        unknown |= seen;
        for (size_t k = 0; k < i; k++)
            seen |= d->sources[k].rank == d->sources[i].rank;
        n += !seen;
    }
    struct info_check *c = add_check(r, "ranks", n == needed && !unknown);
    snprintf(c->needed, sizeof c->needed, "%" PRId64, needed);
    snprintf(c->found, sizeof c->found, "%" PRId64 "%s", n, unknown ? " and unknown ones" : "");
}

/* The smallest share seen so far, and the source it belongs to. */
struct share {
    double min;
    size_t source;
    bool any;
};

static void add_share(struct share *s, size_t source, uint64_t part, uint64_t whole)
{
    double share = whole ? (double)part / (double)whole : 0;
    if (s->any && share >= s->min)
        return;
    *s = (struct share){ share, source, true };
}

static void check_share(struct info_report *r, const char *name, const struct share *s,
                        double needed)
{
    struct info_check *c = add_check(r, name, s->any && s->min >= needed);
    c->coverage = true;
    snprintf(c->needed, sizeof c->needed, "%.4f", needed);
    if (s->any)
        snprintf(c->found, sizeof c->found, "%.4f in source %zu", s->min, s->source);
    else
        snprintf(c->found, sizeof c->found, "nothing to compute it from");
}

static void check_coverage(struct info_report *r, double needed)
{
    struct share s = { 0 };
    for (size_t i = 0; i < r->info->n_sources; i++) {
        const struct tr_info_source *n = &r->info->sources[i];
        if (!info_looks_at(r, i))
            continue;
        add_share(&s, i, n->coverage.work_launched, n->coverage.work); /* without device work, there is no coverage */
        if (n->coverage.launches)
            add_share(&s, i, n->coverage.launches_used, n->coverage.launches);
    }
    check_share(r, "min-coverage", &s, needed);
}

static void check_used(struct info_report *r, double needed)
{
    struct share s = { 0 };
    for (size_t i = 0; i < r->info->n_sources; i++) {
        const struct tr_coverage_counts *c = &r->info->sources[i].coverage;
        if (info_looks_at(r, i) && c->launches)
            add_share(&s, i, c->launches_used, c->launches);
    }
    check_share(r, "min-used", &s, needed);
}

static void check_causal(struct info_report *r, double needed)
{
    struct share s = { 0 };
    for (size_t i = 0; i < r->info->n_sources; i++) {
        const struct tr_trust_counts *t = &r->info->sources[i].trust;
        if (info_looks_at(r, i) && t->pairs)
            add_share(&s, i, t->pairs_causal, t->pairs);
    }
    check_share(r, "min-causal", &s, needed);
}

/* Events that a doubt is about, of all sources that it is about. */
static void check_doubt(struct info_report *r, const char *name, enum tr_doubt doubt)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->info->n_sources; i++)
        if (info_looks_at(r, i) && tr_info_doubts(&r->info->sources[i], doubt))
            n += tr_info_doubt_count(&r->info->sources[i], doubt);
    check_none(r, name, n);
}

static void check_metadata(struct info_report *r, double needed)
{
    struct share s = { 0 };
    for (size_t i = 0; i < r->info->n_sources; i++)
        if (r->info->sources[i].n_comm)
            add_share(&s, i, r->info->sources[i].n_comm_described, r->info->sources[i].n_comm);
    check_share(r, "min-metadata", &s, needed);
}

void info_make_checks(struct info_report *r, const struct info_conditions *must, bool usual)
{
    bool stated = must->no_salvage || must->no_loss || must->no_suspects || must->sorted ||
                  must->min_events >= 0 || must->ranks >= 0 || must->min_coverage >= 0 ||
                  must->min_used >= 0 || must->min_causal >= 0 || must->min_metadata >= 0 || must->no_nesting ||
                  must->no_lone_work || must->no_open_frames;
    usual = usual && !stated;
    if (must->no_salvage)
        check_none(r, "no-salvage", count_salvage(r, false));
    if (must->no_loss || usual)
        check_none(r, "no-loss", count_salvage(r, true));
    if (must->no_suspects || usual)
        check_none(r, "no-suspects", count_suspects(r->info));
    if (must->sorted || usual)
        check_none(r, "sorted", r->info->n_disordered);
    if (must->min_events >= 0)
        check_events(r, must->min_events);
    if (must->ranks >= 0)
        check_ranks(r, must->ranks);
    if (must->min_coverage >= 0)
        check_coverage(r, must->min_coverage);
    if (must->min_used >= 0)
        check_used(r, must->min_used);
    if (must->min_causal >= 0)
        check_causal(r, must->min_causal);
    if (must->no_nesting)
        check_doubt(r, "no-nesting", TR_DOUBT_SWALLOWED);
    if (must->no_lone_work)
        check_doubt(r, "no-lone-work", TR_DOUBT_LONE_WORK);
    if (must->no_open_frames)
        check_doubt(r, "no-open-frames", TR_DOUBT_FRAMES);
    if (must->min_metadata >= 0)
        check_metadata(r, must->min_metadata);
}

enum tr_status info_verdict(const struct info_report *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n_checks; i++)
        if (!r->checks[i].ok && st != TR_NO)
            st = r->checks[i].coverage ? TR_COVERAGE : TR_NO;
    return st;
}
