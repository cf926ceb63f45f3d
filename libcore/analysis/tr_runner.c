/* SPDX-License-Identifier: MIT */
/* The runner: analyses and the services that they share, over one pass. */
#include "analysis/tr_runner.h"

#include "base/tr_mem.h"
#include "stream/tr_captures.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One analysis of the run. */
struct part {
    const struct tr_analysis *analysis;
    const void *options;
    int per; /* enum tr_per, or -1 */
    struct tr_table *table;
    struct tr_analysis_in in;
    void *state;
    struct tr_buf said;       /* its options, for partial results */
    int64_t *ranks;           /* ranks of a partial result, or of all that were loaded; ascending */
    size_t n_ranks, cap_ranks;
    int64_t base;             /* base of the times of a window; TR_TIME_NONE: none */
};

struct shared {
    const struct tr_service *service;
    void *options; /* a copy */
    void *state;
};

struct tr_services {
    struct shared *v;
    size_t n, cap;
    bool apart; /* each analysis loads into its own services */
    bool ended;
};

struct tr_runner {
    struct part *parts;
    size_t n, cap;
    struct tr_services services;
    const char **keys; /* of all analyses */
    size_t n_keys, cap_keys;
    /* Of a run without events. */
    struct tr_dict *dict;
    struct tr_summary *summary;
};

struct tr_runner *tr_runner_new(void)
{
    return calloc(1, sizeof(struct tr_runner));
}

void tr_runner_free(struct tr_runner *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        if (r->parts[i].state && r->parts[i].analysis->free)
            r->parts[i].analysis->free(r->parts[i].state);
        tr_buf_free(&r->parts[i].said);
        free(r->parts[i].ranks);
    }
    for (size_t i = 0; i < r->services.n; i++) {
        struct shared *s = &r->services.v[i];
        if (s->state && s->service->free)
            s->service->free(s->state);
        free(s->options);
    }
    free(r->services.v);
    free(r->parts);
    free(r->keys);
    tr_dict_free(r->dict);
    tr_summary_free(r->summary);
    free(r);
}

void tr_analysis_tell(const struct tr_analysis_in *in, enum tr_tell how, const char *place,
                      const char *fmt, ...)
{
    char text[512];
    va_list ap;
    if (!in->tell)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    in->tell(in->tell_self, how, place, text);
}

/* ---- adding ---- */

static enum tr_status check_group(const struct tr_analysis *a, int per, struct tr_error *err)
{
    char known[64] = "";
    size_t n = 0;
    if (per < 0 || (a->groups & TR_PER_BIT(per)))
        return TR_OK;
    if (!a->groups)
        return tr_fail(err, TR_USAGE, "the view %s has no groups, so --per %s has no effect", a->name,
                       tr_per_name((enum tr_per)per));
    for (int p = 0; p <= TR_PER_ALL; p++)
        if (a->groups & TR_PER_BIT(p)) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", tr_per_name((enum tr_per)p));
        }
    return tr_fail(err, TR_USAGE, "the view %s cannot be grouped by %s: --per can be %s", a->name,
                   tr_per_name((enum tr_per)per), known);
}

enum tr_status tr_runner_add(struct tr_runner *r, const struct tr_analysis *a, const void *options,
                             int per, struct tr_table *t, struct tr_error *err)
{
    struct part p = { .analysis = a, .base = TR_TIME_NONE, .per = per, .table = t };
    p.options = options ? options : a->defaults;
    enum tr_status st = check_group(a, per, err);
    if (st == TR_OK && a->check)
        st = a->check(p.options, err);
    if (st != TR_OK)
        return st;
    p.in.grouped = per >= 0;
    p.in.top = a->cuts ? tr_table_take_top(t) : 0;
    p.in.work.per = per >= 0 ? (enum tr_per)per : a->group;
    if (!tr_grow(&r->parts, &r->cap, r->n + 1, sizeof *r->parts))
        return tr_fail_memory(err);
    r->parts[r->n++] = p;
    if (a->late)
        return TR_OK;
    tr_analysis_columns(a, &p.in, p.options, t);
    return tr_table_ready(t, err);
}

/* ---- what is needed ---- */

static bool add_key(struct tr_runner *r, const char *key)
{
    for (size_t k = 0; k < r->n_keys; k++)
        if (strcmp(r->keys[k], key) == 0)
            return true;
    if (!tr_grow(&r->keys, &r->cap_keys, r->n_keys + 1, sizeof *r->keys))
        return false;
    r->keys[r->n_keys++] = key;
    return true;
}

/* more NULL: nothing. */
static bool add_want(struct tr_runner *r, struct tr_projection *want, const struct tr_projection *more)
{
    bool ok = true;
    if (!more)
        return true;
    want->fixed |= more->fixed;
    want->derived |= more->derived;
    want->all_packed |= more->all_packed;
    for (size_t k = 0; ok && k < more->n_keys; k++)
        ok = add_key(r, more->keys[k]);
    return ok;
}

enum tr_status tr_runner_needs(struct tr_runner *r, struct tr_projection *want, bool *host, struct tr_error *err)
{
    bool ok = true, any_order = true;
    for (size_t k = 0; ok && k < want->n_keys; k++)
        ok = add_key(r, want->keys[k]);
    for (size_t i = 0; ok && i < r->n; i++) {
        struct tr_needs needs = { .per = r->parts[i].in.work.per };
        r->parts[i].analysis->needs(r->parts[i].options, &needs);
        ok = add_want(r, want, &needs.want) && add_want(r, want, needs.more[0]) &&
             add_want(r, want, needs.more[1]);
        *host |= needs.host;
        any_order &= needs.want.any_rank_order &&
                     (r->parts[i].in.work.per != TR_PER_ALL || needs.all_in_any_order);
    }
    want->any_rank_order = any_order;
    want->keys = r->keys;
    want->n_keys = r->n_keys;
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- services ---- */

enum tr_status tr_service_get(const struct tr_analysis_in *in, const struct tr_service *service,
                              const void *options, void **state, struct tr_error *err)
{
    struct tr_services *all = in->services;
    for (size_t i = 0; i < all->n && !all->apart; i++) {
        const struct shared *s = &all->v[i];
        if (s->service == service &&
            (!service->options_size || memcmp(s->options, options, service->options_size) == 0)) {
            *state = s->state;
            return TR_OK;
        }
    }
    if (!tr_grow(&all->v, &all->cap, all->n + 1, sizeof *all->v))
        return tr_fail_memory(err);
    struct shared *fresh = &all->v[all->n];
    *fresh = (struct shared){ .service = service, .options = calloc(1, service->options_size + 1) };
    if (!fresh->options)
        return tr_fail_memory(err);
    all->n++;
    if (service->options_size)
        memcpy(fresh->options, options, service->options_size);
    enum tr_status st = service->start(in, fresh->options, &fresh->state, err);
    *state = fresh->state;
    return st;
}

/* ---- the run ---- */

enum tr_status tr_runner_start(struct tr_runner *r, const struct tr_analysis_in *in,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        const struct tr_analysis_in own = p->in;
        p->in = *in;
        p->in.work = own.work;
        p->in.work.suspect = in->work.suspect;
        p->in.grouped = own.grouped;
        p->in.top = own.top;
        p->in.services = &r->services;
        if (tr_captures_several(in->dict))
            tr_table_show(p->table, "capture");
        st = p->analysis->start(&p->in, p->options, &p->state, err);
    }
    return st;
}

enum tr_status tr_runner_feed(struct tr_runner *r, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->services.n && st == TR_OK; i++)
        if (r->services.v[i].service->feed)
            st = r->services.v[i].service->feed(r->services.v[i].state, b, keep, err);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        if (!p->analysis->feed) /* its service does all of its work */
            continue;
        if (p->analysis->feed)
            st = p->analysis->feed(p->state, b, keep, p->analysis->late ? NULL : p->table, err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
    }
    return st;
}

static enum tr_status end_services(struct tr_services *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < s->n && st == TR_OK && !s->ended; i++)
        if (s->v[i].service->finish)
            st = s->v[i].service->finish(s->v[i].state, err);
    s->ended = true;
    return st;
}

/* Times of several ranks were compared, by clocks that may differ. */
static void doubt_clocks(const struct part *p)
{
    const struct tr_dict *d = p->in.dict;
    if (!p->analysis->compares || p->in.work.per != TR_PER_ALL || tr_dict_aligned(d))
        return;
    bool several = false;
    int64_t rank = -1;
    for (uint32_t s = 0; s < d->n_sources; s++) {
        if (p->in.select && !tr_select_source(p->in.select, s))
            continue;
        several |= rank != -1 && d->sources[s].rank != rank;
        rank = d->sources[s].rank;
    }
    if (several)
        tr_analysis_tell(
            &p->in, TR_TELL_REMARK, "",
            "the clocks of the ranks were not aligned, so times of several ranks may not compare: see tr-align(1)");
}

enum tr_status tr_runner_finish(struct tr_runner *r, struct tr_error *err)
{
    enum tr_status st = end_services(&r->services, err);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        if (p->analysis->finish)
            st = p->analysis->finish(p->state, p->table, err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
        if (st == TR_OK)
            doubt_clocks(p);
    }
    return st;
}

const char *tr_runner_why(const struct tr_runner *r, size_t i)
{
    const struct part *p = &r->parts[i];
    return p->analysis->why ? p->analysis->why(p->state) : p->analysis->nothing;
}

/* ---- partial results ---- */

static enum tr_status refuse(struct tr_error *err, const struct part *p, const char *why)
{
    return tr_fail(err, TR_USAGE, "the view %s has no partial results: %s", p->analysis->name, why);
}

/* Can the analysis be saved and merged with these options? */
static enum tr_status check_saving(const struct part *p, struct tr_error *err)
{
    const struct tr_saving *s = p->analysis->saving;
    if (!s)
        return refuse(err, p, p->analysis->unsaved);
    if (s->unions && p->in.work.per == TR_PER_ALL)
        return refuse(err, p, "times in which any rank works are no sums of those of the ranks (--per all)");
    if (s->no_steps && p->in.work.per == TR_PER_STEP)
        return refuse(err, p, "steps are those of several ranks (--per step)");
    return TR_OK;
}

static enum tr_status head_of(struct part *p, struct tr_partial_head *h, struct tr_error *err)
{
    const struct tr_saving *s = p->analysis->saving;
    p->said.len = 0;
    enum tr_status st = s->say ? s->say(p->options, &p->said, err) : TR_OK;
    if (st == TR_OK && !tr_buf_add(&p->said, "", 1))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        *h = (struct tr_partial_head){ .name = s->name ? s->name : p->analysis->name,
                                       .saving = s,
                                       .per = p->in.work.per,
                                       .suspect = p->in.work.suspect,
                                       .distinct = p->in.distinct,
                                       .options = { (const char *)p->said.data, p->said.len - 1 },
                                       .selection = tr_str_of(p->in.selection) };
    return st;
}

/* Add a rank; *twice: it was there already.  False: out of memory. */
static bool add_rank(struct part *p, int64_t rank, bool *twice)
{
    size_t at = 0;
    for (size_t end = p->n_ranks; at < end;) {
        size_t mid = at + (end - at) / 2;
        if (p->ranks[mid] < rank)
            at = mid + 1;
        else
            end = mid;
    }
    *twice = at < p->n_ranks && p->ranks[at] == rank;
    if (*twice)
        return true;
    if (!tr_grow(&p->ranks, &p->cap_ranks, p->n_ranks + 1, sizeof *p->ranks))
        return false;
    memmove(p->ranks + at + 1, p->ranks + at, (p->n_ranks++ - at) * sizeof *p->ranks);
    p->ranks[at] = rank;
    return true;
}

/* False: the window counts from another base, so it is another window. */
static bool add_base(struct part *p, int64_t base)
{
    bool same = p->base == TR_TIME_NONE || p->base == base;
    p->base = base;
    return same;
}

/* Save the ranks of a state.  TR_USAGE: with the files in another order, other ranks would have them. */
static enum tr_status put_ranks(const struct tr_runner *r, struct part *p, struct tr_partial_out *out,
                                struct tr_error *err)
{
    const struct tr_dict *d = p->in.dict;
    bool twice, windowed = p->in.select && tr_select_windowed(p->in.select);
    for (uint32_t s = 0; s < d->n_sources && !r->dict; s++) {
        if (p->in.select && !tr_select_source(p->in.select, s))
            continue;
        if (d->sources[s].rank_rule == TR_RANK_ORDER || d->sources[s].rank_rule == TR_RANK_RENUMBERED)
            return refuse(err, p, "ranks come from the order of the files (--rank in tr-parse sets them)");
        if (windowed && !add_base(p, tr_select_window_base(p->in.select, s)))
            return refuse(err, p, "windows of sources with different bases (--time)");
        if (!add_rank(p, d->sources[s].rank, &twice))
            return tr_fail_memory(err);
    }
    for (size_t i = 0; i < p->n_ranks; i++)
        tr_partial_put_rank(out, p->ranks[i], p->base);
    return TR_OK;
}

enum tr_status tr_runner_save(struct tr_runner *r, size_t i, struct tr_side_tables *tables, struct tr_error *err)
{
    struct part *p = &r->parts[i];
    struct tr_partial_head head;
    struct tr_partial_out *out = NULL;
    enum tr_status st = check_saving(p, err);
    if (st == TR_OK && p->in.top)
        st = refuse(err, p, "some rows are cut off (--top)");
    if (st == TR_OK)
        st = head_of(p, &head, err);
    if (st == TR_OK)
        st = end_services(&r->services, err);
    if (st == TR_OK && !(out = tr_partial_out_new(&head)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = put_ranks(r, p, out, err);
    if (st == TR_OK)
        st = p->analysis->saving->save(p->state, out, err);
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
    r->services.apart = true;
    return tr_runner_start(r, &own, err);
}

/* The ranks of one more partial result. */
static enum tr_status get_ranks(struct part *p, struct tr_partial_in *in, struct tr_error *err)
{
    int64_t rank, base;
    while (tr_partial_get_rank(in, &rank, &base)) {
        bool twice;
        if (!add_rank(p, rank, &twice))
            return tr_fail_memory(err);
        if (base != TR_TIME_NONE && !add_base(p, base))
            return tr_fail(err, TR_DAMAGED, "partial results of '%s' have windows of different bases",
                           p->analysis->name);
        if (twice && p->analysis->saving->whole_ranks && rank < 0)
            return tr_fail(err, TR_DAMAGED, "two partial results of '%s' have a source of unknown rank",
                           p->analysis->name);
        if (twice && p->analysis->saving->whole_ranks)
            return tr_fail(err, TR_DAMAGED, "rank %lld is in two partial results of '%s'", (long long)rank,
                           p->analysis->name);
    }
    return tr_partial_status(in, err);
}

enum tr_status tr_runner_load(struct tr_runner *r, size_t i, const struct tr_side_tables *tables, struct tr_error *err)
{
    struct part *p = &r->parts[i];
    struct tr_partial_head head;
    struct tr_partial_in *in = NULL;
    enum tr_status st = head_of(p, &head, err);
    if (st == TR_OK)
        st = tr_partial_in_new(&head, tables, r->dict, &in, err);
    if (st == TR_OK)
        st = get_ranks(p, in, err);
    if (st == TR_OK)
        st = p->analysis->saving->load(p->state, in, err);
    if (st == TR_OK)
        st = tr_partial_in_end(in, err);
    tr_partial_in_free(in);
    return st;
}

enum tr_status tr_runner_merge(struct tr_runner *r, size_t i, struct tr_runner *from, size_t k, struct tr_error *err)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    enum tr_status st = tr_runner_save(from, k, &tables, err);
    if (st == TR_OK)
        st = tr_runner_load(r, i, &tables, err);
    tr_side_tables_free(&tables);
    return st;
}
