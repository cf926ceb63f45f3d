/* SPDX-License-Identifier: MIT */
/* The runner: states of analyses as partial results. */
#include "engine/tr_runner_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_rows.h"
#include "model/tr_source_facts.h"
#include "stream/tr_captures.h"

#include <stdlib.h>
#include <string.h>

static enum tr_status refuse(struct tr_error *err, const struct part *p, const char *why)
{
    return tr_fail(err, TR_USAGE, "the view %s has no partial results: %s", p->analysis->name, why);
}

/* Can the analysis be saved and merged with these options? */
static enum tr_status check_saving(const struct part *p, struct tr_error *err)
{
    const struct tr_saving *s = tr__part_saving(p);
    if (!s)
        return refuse(err, p, p->analysis->unsaved);
    if (s->unions && p->in.work.per == TR_PER_ALL)
        return refuse(err, p, "times in which any rank works are no sums of those of the ranks (--per all)");
    const char *why = s->refuses ? s->refuses(p->options) : NULL;
    if (why)
        return refuse(err, p, why);
    if (s->no_steps && p->in.work.per == TR_PER_STEP)
        return refuse(err, p, "steps are those of several ranks (--per step)");
    why = s->kept ? tr__kept_refuses(p->table, p->in.work.per) : NULL;
    if (why)
        return refuse(err, p, why);
    return TR_OK;
}

void tr_runner_save_as(struct tr_runner *r, size_t i, const char *name)
{
    r->parts[i].saved_as = name;
}

size_t tr_runner_count(const struct tr_runner *r)
{
    return r->n;
}

enum tr_status tr_runner_saves(const struct tr_runner *r, size_t i, struct tr_error *err)
{
    return check_saving(&r->parts[i], err);
}

static enum tr_status head_of(struct part *p, struct tr_partial_head *h, struct tr_error *err)
{
    const struct tr_saving *s = tr__part_saving(p);
    p->options_text.len = 0;
    enum tr_status st = tr_option_state(p->analysis->options, p->options, &p->options_text, err);
    if (st == TR_OK && !tr_buf_add(&p->options_text, "", 1))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        *h = (struct tr_partial_head){ .name = p->saved_as ? p->saved_as : s->name ? s->name : p->analysis->name,
                                       .saving = p->kept ? &p->kept->saving : s,
                                       .per = p->in.work.per,
                                       .suspect = p->in.work.suspect,
                                       .distinct = p->in.distinct,
                                       .captures = p->captures || (p->in.dict && tr_captures_several(p->in.dict)),
                                       .options = { (const char *)p->options_text.data, p->options_text.len - 1 },
                                       .selection = tr_str_of(p->in.selection) };
    return st;
}

/* ---- sources ---- */

/* A time of a source, from the same moment for all. */
static int64_t time_of(const struct tr_source *source, int64_t ts)
{
    return ts == TR_TIME_NONE ? ts : tr_time_sum(source->base_ns, ts);
}

/* What partial results say of a source of events.  False: its window counts from a base that has no text. */
static struct tr_partial_source describe(const struct part *p, uint32_t s, bool alone)
{
    const struct tr_dict *d = p->in.dict;
    const struct tr_source *source = &d->sources[s];
    const struct tr_source_summary *sum = p->in.summary && s < p->in.summary->n ? &p->in.summary->sources[s] : NULL;
    bool windowed = p->in.select && tr_select_windowed(p->in.select), whole = sum && !p->in.summary->filtered;
    return (struct tr_partial_source){
        .rank = alone ? -1 : source->rank,
        .window_base = windowed ? tr_select_window_base(p->in.select, s) : TR_TIME_NONE,
        .capture = source->capture,
        .host = tr_dict_text_if(d, source->host),
        .job = tr_dict_text_if(d, source->job),
        .first = sum ? time_of(source, sum->first_ts) : TR_TIME_NONE,
        .last = sum ? time_of(source, sum->last_end) : TR_TIME_NONE,
        .events = whole && !source->whole ? (int64_t)sum->n_events : TR_I64_NONE,
        .world_size = (uint64_t)tr_source_world_size(d, source),
        .digest = sum ? tr_summary_digest(sum) : 0,
    };
}

/* Save the sources of a state.  TR_USAGE: with the files in another order, other ranks would have them. */
static enum tr_status put_sources(const struct tr_runner *r, struct part *p, struct tr_partial_out *out,
                                  struct tr_error *err)
{
    const struct tr_dict *d = p->in.dict;
    int64_t base = TR_TIME_NONE;
    for (uint32_t s = 0; s < d->n_sources && !r->dict; s++) {
        if (p->in.select && !tr_select_source(p->in.select, s))
            continue;
        bool alone = d->n_sources == 1 && d->sources[s].rank_rule == TR_RANK_ORDER; /* unknown: it goes with no other */
        if (!alone && (d->sources[s].rank_rule == TR_RANK_ORDER || d->sources[s].rank_rule == TR_RANK_RENUMBERED))
            return refuse(err, p, "ranks come from the order of the files (--rank in tr-parse sets them)");
        const struct tr_partial_source source = describe(p, s, alone);
        if (base != TR_TIME_NONE && source.window_base != base)
            return refuse(err, p, "windows of sources with different bases (--time)");
        base = source.window_base;
        tr_partial_put_source(out, &source);
    }
    for (size_t i = 0; i < p->n_sources; i++)
        tr_partial_put_source(out, &p->sources[i].is);
    return TR_OK;
}

/* The lowest rank; -1: unknown. */
static int64_t first_rank(const struct tr_runner *r, const struct part *p)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < p->n_sources; i++)
        first = p->sources[i].is.rank < first ? p->sources[i].is.rank : first;
    for (uint32_t s = 0; s < p->in.dict->n_sources && !r->dict; s++)
        if (!p->in.select || tr_select_source(p->in.select, s))
            first = p->in.dict->sources[s].rank < first ? p->in.dict->sources[s].rank : first;
    return first == INT64_MAX ? -1 : first;
}

static struct tr_rows *rows_of(const struct part *p)
{
    return tr__part_saving(p)->rows ? tr__part_saving(p)->rows(p->state) : p->analysis->rows(p->state);
}

enum tr_status tr_runner_save(struct tr_runner *r, size_t i, struct tr_side_tables *tables, struct tr_error *err)
{
    struct part *p = &r->parts[i];
    struct tr_partial_head head;
    struct tr_partial_out *out = NULL;
    enum tr_status st = check_saving(p, err);
    if (st == TR_OK && tr__runner_saver(r->parts, p) != p)
        return TR_OK;
    if (st == TR_OK && !p->kept && tr__part_saving(p)->kept == TR_KEPT_BY_TIME)
        st = refuse(err, p, "its rows were printed as they came");
    if (st == TR_OK && !p->kept && tr__part_saving(p)->kept)
        st = tr__runner_keep(p, err);
    if (st == TR_OK && p->in.top)
        st = refuse(err, p, "some rows are cut off (--top)");
    if (st == TR_OK)
        st = head_of(p, &head, err);
    if (st == TR_OK)
        st = tr__runner_end_services(&r->services, err);
    if (st == TR_OK && !(out = tr_partial_out_new(&head)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = put_sources(r, p, out, err);
    if (st == TR_OK)
        st = p->kept ? tr__runner_rows(p, err) : tr__runner_complete(p, err);
    if (st == TR_OK && p->kept && !r->dict && p->in.dict->n_sources)
        p->kept->base = p->in.dict->sources[0].base_ns; /* of all sources of a stream */
    if (st == TR_OK && p->kept)
        st = tr__kept_save(p->kept, first_rank(r, p), out, err);
    else if (st == TR_OK)
        st = tr__part_saving(p)->save ? tr__part_saving(p)->save(p->state, out, err)
                                       : tr_rows_save(rows_of(p), out, 0, err);
    if (st == TR_OK)
        st = tr_partial_out_end(out, tables, err);
    tr_partial_out_free(out);
    return st;
}

enum tr_status tr_runner_start_partials(struct tr_runner *r, const struct tr_analysis_in *in, struct tr_error *err)
{
    struct tr_analysis_in own = *in;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n && st == TR_OK; i++)
        st = check_saving(&r->parts[i], err);
    if (st != TR_OK)
        return st;
    r->dict = tr_dict_new();
    r->summary = tr_summary_new(0);
    if (!r->dict || !r->summary)
        return tr_fail_memory(err);
    own.dict = r->dict;
    own.summary = r->summary;
    own.sorted = true;
    own.select = NULL;
    own.saved = true;
    r->services.apart = true;
    return tr_runner_start(r, &own, err);
}

/* ---- loading ---- */

/* Are rows of different captures different rows? */
static bool by_capture(const struct part *p)
{
    return tr_table_find(p->table, "capture") != SIZE_MAX;
}

static struct tr_str keep_text(struct tr_partial_in *in, struct tr_str text)
{
    uint32_t id = tr_partial_string(in, text);
    return tr_dict_text_if(tr_partial_dict(in), id);
}

/* The sources of more partial results. */
static enum tr_status get_sources(struct part *p, struct tr_partial_in *in, struct tr_error *err)
{
    struct tr__source s;
    for (size_t i = 0; i < p->n_sources; i++) {
        p->sources[i].partial = SIZE_MAX;
        p->sources[i].own = p->sources[i].is.capture;
    }
    while (tr_partial_get_source(in, &s.is, &s.partial)) {
        s.own = s.is.capture;
        s.is.host = keep_text(in, s.is.host);
        s.is.job = keep_text(in, s.is.job);
        if (!tr_grow(&p->sources, &p->cap_sources, p->n_sources + 1, sizeof *p->sources))
            return tr_fail_memory(err);
        p->sources[p->n_sources++] = s;
    }
    return tr_partial_status(in, err);
}

/* Number the captures of all sources, as in one stream. */
static bool number_captures(struct part *p)
{
    struct tr_dict *d = tr_dict_new();
    struct tr_summary *sum = tr_summary_new(p->n_sources);
    bool ok = d && sum;
    for (size_t i = 0; ok && i < p->n_sources; i++) {
        const struct tr_partial_source *from = &p->sources[i].is;
        struct tr_source to = { .rank = from->rank, .host = TR_NO_STR, .job = TR_NO_STR, .name = TR_NO_STR,
                                .mesh = TR_NO_STR, .format = TR_NO_STR };
        to.host = from->host.s ? tr_strtab_add(d->strings, from->host.s, from->host.len) : TR_NO_STR;
        to.job = from->job.s ? tr_strtab_add(d->strings, from->job.s, from->job.len) : TR_NO_STR;
        ok = (!from->host.s || to.host != TR_NO_STR) && (!from->job.s || to.job != TR_NO_STR) &&
             tr_dict_add_source(d, &to) != UINT32_MAX;
        sum->sources[i].first_ts = from->first;
        sum->sources[i].last_end = from->last;
    }
    ok = ok && tr_captures_number(d, sum);
    for (size_t i = 0; ok && i < p->n_sources; i++)
        p->sources[i].is.capture = d->sources[i].capture;
    tr_summary_free(sum);
    tr_dict_free(d);
    return ok;
}

/* Do two partial results have a source in common, as far as they say? */
static bool same_source(const struct tr_partial_source *a, const struct tr_partial_source *b)
{
    return a->rank == b->rank && a->events != TR_I64_NONE && a->events == b->events && a->first == b->first &&
           a->digest == b->digest && !a->host.s == !b->host.s && (!a->host.s || tr_str_cmp(a->host, b->host) == 0);
}

static int by_rank(const void *x, const void *y)
{
    const struct tr__source *a = x, *b = y;
    if (a->is.rank != b->is.rank)
        return a->is.rank < b->is.rank ? -1 : 1;
    if (a->is.capture != b->is.capture)
        return a->is.capture < b->is.capture ? -1 : 1;
    if (a->is.first != b->is.first)
        return a->is.first < b->is.first ? -1 : 1;
    return (a->is.last > b->is.last) - (a->is.last < b->is.last);
}

/* No source may come twice; for some analyses, no capture may come in parts.  The sources are sorted by rank. */
static enum tr_status check_sources(const struct part *p, struct tr_error *err)
{
    const char *name = p->analysis->name;
    int64_t base = TR_TIME_NONE;
    /* rows are of all captures of a rank, or in an order that only the analysis knows */
    bool mixed = p->kept || (!by_capture(p) && !tr__part_saving(p)->all_captures);
    for (size_t i = 0; i < p->n_sources; i++) {
        const struct tr__source *s = &p->sources[i], *last = i ? s - 1 : NULL;
        if (s->is.rank < 0 && p->n_sources > 1)
            return tr_fail(err, TR_DAMAGED, "partial results of '%s' have a source of unknown rank, beside others",
                           name);
        if (s->is.window_base != TR_TIME_NONE && base != TR_TIME_NONE && s->is.window_base != base)
            return tr_fail(err, TR_DAMAGED, "partial results of '%s' have windows of different bases", name);
        base = s->is.window_base != TR_TIME_NONE ? s->is.window_base : base;
        bool apart = last && last->is.rank == s->is.rank && last->partial != s->partial &&
                     (mixed || last->is.capture == s->is.capture);
        if (apart && (tr__part_saving(p)->whole_ranks || same_source(&last->is, &s->is)))
            return tr_fail(err, TR_DAMAGED, "rank %lld is in two partial results of '%s'%s", (long long)s->is.rank,
                           name, same_source(&last->is, &s->is) || mixed ? "" : ", at the same time");
        if (s->partial == SIZE_MAX && s->is.capture != s->own)
            return tr_fail(err, TR_DAMAGED, "captures of rank %lld come in another order than that of time",
                           (long long)s->is.rank);
    }
    return TR_OK;
}

/* Renumber the captures in the groups of rows that are loaded, if need be.  *v: free it after that. */
static bool renumber(const struct part *p, struct tr_partial_in *in, struct tr_partial_capture **v)
{
    size_t n = 0;
    bool other = false;
    *v = calloc(p->n_sources + 1, sizeof **v);
    for (size_t i = 0; *v && i < p->n_sources; i++) {
        const struct tr__source *s = &p->sources[i];
        if (s->partial == SIZE_MAX)
            continue;
        (*v)[n++] = (struct tr_partial_capture){ s->partial, s->is.rank, (int64_t)s->own, (int64_t)s->is.capture };
        other |= s->own != s->is.capture;
    }
    if (other && !tr__part_saving(p)->all_captures)
        tr_partial_renumber(in, *v, n);
    return *v != NULL;
}

/* The ranks of all sources, each once. */
static bool list_ranks(struct part *p)
{
    int64_t *ranks = realloc(p->ranks, (p->n_sources + 1) * sizeof *ranks);
    if (!ranks)
        return false;
    p->ranks = ranks;
    p->n_ranks = 0;
    for (size_t i = 0; i < p->n_sources; i++)
        if (!p->n_ranks || ranks[p->n_ranks - 1] != p->sources[i].is.rank)
            ranks[p->n_ranks++] = p->sources[i].is.rank;
    return true;
}

static enum tr_status load_sources(struct part *p, struct tr_partial_in *in, struct tr_partial_capture **renumbered,
                                   struct tr_error *err)
{
    enum tr_status st = get_sources(p, in, err);
    bool ok = st != TR_OK || number_captures(p);
    if (ok && p->n_sources)
        qsort(p->sources, p->n_sources, sizeof *p->sources, by_rank);
    if (st == TR_OK && ok)
        st = check_sources(p, err);
    if (!ok || (st == TR_OK && (!renumber(p, in, renumbered) || !list_ranks(p))))
        return tr_fail_memory(err);
    for (size_t i = 0; i < p->n_sources && st == TR_OK; i++)
        p->captures |= p->sources[i].is.capture != 0;
    return st;
}

/* Another analysis has loaded its state: it has the same ranks. */
static enum tr_status take_loaded(struct part *p, const struct part *from, struct tr_error *err)
{
    p->captures |= from->captures;
    if (p->captures)
        tr_table_show(p->table, "capture");
    p->n_sources = 0;
    if (!tr_grow(&p->sources, &p->cap_sources, from->n_sources, sizeof *p->sources))
        return tr_fail_memory(err);
    for (; p->n_sources < from->n_sources; p->n_sources++)
        p->sources[p->n_sources] = from->sources[p->n_sources];
    return list_ranks(p) ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_runner_load(struct tr_runner *r, size_t i, const struct tr_side_tables *tables, struct tr_error *err)
{
    struct part *p = &r->parts[i];
    const struct part *saver = tr__runner_saver(r->parts, p);
    struct tr_partial_head head;
    struct tr_partial_in *in = NULL;
    struct tr_partial_capture *renumbered = NULL;
    if (saver != p)
        return take_loaded(p, saver, err);
    enum tr_status st = head_of(p, &head, err);
    if (st == TR_OK)
        st = tr_partial_in_new(&head, tables, r->dict, &in, err);
    if (st == TR_OK)
        st = load_sources(p, in, &renumbered, err);
    if (st == TR_OK && (p->captures |= tr_partial_captures(in)))
        tr_table_show(p->table, "capture");
    if (st == TR_OK && p->kept)
        st = tr__kept_load(p->kept, in, err);
    else if (st == TR_OK)
        st = tr__part_saving(p)->load ? tr__part_saving(p)->load(p->state, in, err)
                                       : tr_rows_load(rows_of(p), in, 0, err);
    if (st == TR_OK)
        st = tr_partial_in_end(in, err);
    if (st == TR_OK && p->analysis->joins && p->in.work.per == TR_PER_ALL)
        p->apart = tr_bases_differ(r->dict, NULL);
    tr_partial_in_free(in);
    free(renumbered);
    return st;
}

/* Do tables have a partial result of the analysis?  Another state beside them does not stand for it. */
static enum tr_status check_tables(struct tr_runner *r, size_t i, const struct tr_side_tables *tables,
                                   struct tr_error *err)
{
    struct tr_partial_head head;
    struct tr_partial_in *in = NULL;
    enum tr_status st = head_of(&r->parts[i], &head, err);
    if (st == TR_OK)
        st = tr_partial_in_new(&head, tables, r->dict, &in, err);
    tr_partial_in_free(in);
    return st;
}

enum tr_status tr_runner_merge(struct tr_runner *r, size_t i, const struct tr_side_tables *tables,
                               struct tr_runner *from, size_t k, struct tr_error *err)
{
    struct tr_side_tables own = { NULL, 0, 0 };
    if (tr__runner_saver(r->parts, &r->parts[i]) != &r->parts[i])
        return tr_runner_load(r, i, tables, err);
    enum tr_status st = tables ? check_tables(r, i, tables, err) : TR_OK;
    if (st == TR_OK && from)
        st = tr_runner_save(from, k, &own, err);
    size_t n = own.n;
    for (size_t t = 0; tables && t < tables->n && st == TR_OK; t++) {
        if (tr_grow(&own.v, &own.cap, own.n + 1, sizeof *own.v))
            own.v[own.n++] = tables->v[t];
        else
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr_runner_load(r, i, &own, err);
    own.n = n; /* the others are borrowed */
    tr_side_tables_free(&own);
    const struct part *p = &r->parts[i];
    const struct tr_saving *s = tr__part_saving(p);
    if (st == TR_OK && from && s->beside)
        s->beside(p->state, from->parts[k].state);
    return st;
}

const int64_t *tr_runner_ranks(const struct tr_runner *r, size_t i, size_t *n, uint64_t *world_size)
{
    const struct part *p = &r->parts[i];
    *world_size = 0;
    for (size_t s = 0; s < p->n_sources; s++)
        *world_size = p->sources[s].is.world_size > *world_size ? p->sources[s].is.world_size : *world_size;
    *n = p->n_ranks;
    return p->ranks;
}
