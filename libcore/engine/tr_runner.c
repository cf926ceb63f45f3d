/* SPDX-License-Identifier: MIT */
/* The runner: analyses and the services that they share, over one pass. */
#include "engine/tr_runner_int.h"

#include "base/tr_mem.h"
#include "engine/tr_rows.h"
#include "model/selection/tr_job_start.h"
#include "stream/tr_captures.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tr_runner *tr_runner_new(void)
{
    return calloc(1, sizeof(struct tr_runner));
}

void tr_runner_free(struct tr_runner *r)
{
    if (!r)
        return;
    tr__runner_jobs_free(r);
    for (size_t i = 0; i < r->n; i++) {
        if (!r->parts[i].twin)
            tr_analysis_free(r->parts[i].analysis, r->parts[i].state);
        tr__kept_free(r->parts[i].kept);
        tr_buf_free(&r->parts[i].options_text);
        tr_buf_free(&r->parts[i].remarks);
        free(r->parts[i].ranks);
        free(r->parts[i].sources);
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
    struct part p = { .analysis = a, .per = per, .table = t };
    p.options = options ? options : a->defaults;
    enum tr_status st = check_group(a, per, err);
    if (st == TR_OK && a->check)
        st = a->check(p.options, err);
    if (st != TR_OK)
        return st;
    p.in.grouped = per >= 0;
    p.in.top = a->cuts ? tr_table_take_top(t, &p.in.top_per) : 0;
    p.in.work.per = per >= 0 ? (enum tr_per)per : a->group;
    if (!tr_grow(&r->parts, &r->cap, r->n + 1, sizeof *r->parts))
        return tr_fail_memory(err);
    r->parts[r->n++] = p;
    if (a->late)
        return TR_OK;
    tr_analysis_columns(a, &p.in, p.options, t);
    return tr_table_ready(t, err);
}

void tr_runner_add_observer(struct tr_runner *r, tr_runner_take *take, void *self)
{
    if (r->n_own < TR_RUNNER_OWN) {
        r->own[r->n_own].take = take;
        r->own[r->n_own++].self = self;
    }
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

/* What an analysis needs with its options and its grouping. */
static struct tr_needs needs_of(const struct part *p)
{
    struct tr_needs needs = p->analysis->needs;
    needs.per = p->in.work.per;
    if (p->analysis->more)
        p->analysis->more(p->options, &needs);
    return needs;
}

enum tr_status tr_runner_needs(struct tr_runner *r, struct tr_projection *want, bool *host, struct tr_error *err)
{
    bool ok = true, any_order = true;
    for (size_t k = 0; ok && k < want->n_keys; k++)
        ok = add_key(r, want->keys[k]);
    for (size_t i = 0; ok && i < r->n; i++) {
        const struct tr_needs needs = needs_of(&r->parts[i]);
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

/* The analysis that starts now shares a service: it is in the job of those that had it before. */
static void join_jobs(struct tr_services *all, size_t job)
{
    size_t other = all->parts[all->asking].job;
    for (size_t i = 0; i < all->n_parts; i++)
        if (all->parts[i].job == other)
            all->parts[i].job = job;
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].job == other)
            all->v[i].job = job;
}

struct part *tr__runner_saver(struct part *parts, struct part *p)
{
    const struct tr_saving *s = tr__part_saving(p);
    if (!s || !s->of_service || !p->saved_as) /* a view that has its own name is asked for alone */
        return p;
    for (struct part *q = parts; q < p; q++)
        if (q->saved_as && tr__part_saving(q) && tr__part_saving(q)->of_service &&
            tr__part_saving(q)->tables == s->tables)
            return q;
    return p;
}

enum tr_status tr_service_get(const struct tr_analysis_in *in, const struct tr_service *service,
                              const void *options, void **state, struct tr_error *err)
{
    struct tr_services *all = in->services;
    const struct part *asks = &all->parts[all->asking], *saver = tr__runner_saver(all->parts, &all->parts[all->asking]);
    for (size_t i = 0; i < all->n; i++) {
        const struct shared *s = &all->v[i];
        if (s->service == service && (!all->apart || (saver != asks && s->first == saver)) &&
            (!service->options_size || memcmp(s->options, options, service->options_size) == 0)) {
            *state = s->state;
            join_jobs(all, s->job);
            return TR_OK;
        }
    }
    if (!tr_grow(&all->v, &all->cap, all->n + 1, sizeof *all->v))
        return tr_fail_memory(err);
    struct shared *fresh = &all->v[all->n];
    *fresh = (struct shared){ .service = service,
                              .options = calloc(1, service->options_size + 1),
                              .job = asks->job,
                              .first = asks };
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

static struct tr_str string(const void *dict, uint32_t number)
{
    return tr_dict_text_if(dict, number);
}

/* An earlier one that has the same rows: a program and a summary of the run may ask for them.  NULL: none. */
static struct part *twin_of(struct tr_runner *r, const struct part *p)
{
    if (!p->analysis->rows || p->analysis->finish || p->in.saved)
        return NULL;
    for (struct part *q = r->parts; q < p; q++)
        if (!q->twin && q->analysis == p->analysis && q->options == p->options && q->in.work.per == p->in.work.per)
            return q;
    return NULL;
}

/*
 * Divide the memory of the run.  Analyses that need it get equal parts, of a half if there are others, whose rows and
 * names need the rest; those of a graph share one part, and get also what sorting the input took before.  Rows are
 * sorted at the end, if they are in files, perhaps of all analyses at once.
 */
#define ROWS_PART 16u
static void share_memory(struct tr_runner *r, size_t max)
{
    size_t of[] = { [TR_MEMORY_LITTLE] = 0, [TR_MEMORY_SORTS] = 0, [TR_MEMORY_GRAPH] = 0 };
    for (size_t i = 0; i < r->n; i++)
        of[needs_of(&r->parts[i]).memory]++;
    const size_t n = (of[TR_MEMORY_SORTS] + (of[TR_MEMORY_GRAPH] > 0)) * (of[TR_MEMORY_LITTLE] ? 2 : 1);
    for (size_t i = 0; i < r->n; i++) {
        const enum tr_memory_need need = needs_of(&r->parts[i]).memory;
        const size_t share = need == TR_MEMORY_LITTLE ? 0 : max / n;
        r->parts[i].in.max_memory = need == TR_MEMORY_GRAPH && share <= SIZE_MAX / 2 ? 2 * share : share;
        r->parts[i].in.rows_memory = max / ROWS_PART / r->n;
    }
}

enum tr_status tr_runner_start(struct tr_runner *r, const struct tr_analysis_in *in,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    r->remark = in->remark;
    r->remark_self = in->remark_self;
    r->one_clock = in->one_clock;
    r->services.parts = r->parts;
    r->services.n_parts = r->n;
    for (size_t i = 0; i < r->n; i++)
        r->parts[i].job = i;
    share_memory(r, in->max_memory);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        const struct tr_analysis_in own = p->in;
        p->runner = r;
        p->in = *in;
        p->in.work = own.work;
        p->in.work.suspect = in->work.suspect;
        p->in.grouped = own.grouped;
        p->in.top = own.top;
        p->in.top_per = own.top_per;
        p->in.max_memory = own.max_memory;
        p->in.rows_memory = own.rows_memory;
        if (in->one_clock) {
            p->clock = *in->one_clock;
            p->in.one_clock = &p->clock;
        }
        p->in.services = &r->services;
        p->in.kept = NULL;
        p->in.remark = in->remark ? tr__runner_remark : NULL;
        p->in.remark_self = p;
        r->services.asking = i;
        tr_table_strings(p->table, string, in->dict);
        tr_table_go_on(p->table, &in->go_on);
        if (tr_captures_several(in->dict))
            tr_table_show(p->table, "capture");
        p->apart = (p->analysis->compares || p->analysis->joins) && p->in.work.per == TR_PER_ALL &&
                   tr_bases_differ(in->dict, in->select);
        if (p->apart)
            tr_table_no_figures(p->table);
        if ((p->twin = twin_of(r, p)) != NULL) {
            p->state = p->twin->state;
            p->job = p->twin->job;
            continue;
        }
        if (in->saved && tr__part_saving(p) && tr__part_saving(p)->kept)
            st = tr__runner_keep(p, err);
        if (p->kept && r->dict)
            p->kept->complete = true; /* all rows are loaded, so the analysis has nothing to do */
        else if (st == TR_OK)
            st = tr_analysis_start(p->analysis, &p->in, p->options, &p->state, err);
    }
    return st == TR_OK ? tr__runner_divide(r, in->threads, err) : st;
}

/* Its rows would be moments of ranks that do not compare. */
static bool has_no_rows(const struct part *p)
{
    return p->apart && p->analysis->joins;
}

/* The table that gets its rows. */
static struct tr_table *table_of(const struct part *p)
{
    return p->kept ? p->kept->table : p->table;
}

enum tr_status tr__runner_keep(struct part *p, struct tr_error *err)
{
    p->kept = p->in.kept = tr__kept_new(tr__part_saving(p), p->table, tr_strtab_spill(p->in.dict->strings));
    if (!p->kept)
        return tr_fail_memory(err);
    tr_table_strings(p->kept->table, string, p->in.dict);
    tr_table_go_on(p->kept->table, &p->in.go_on);
    return TR_OK;
}

static enum tr_status feed_job(struct job *j, struct tr_error *err)
{
    struct tr_runner *r = j->runner;
    enum tr_status st = j->take ? j->take(j->self, r->batch, r->keep, err) : TR_OK;
    for (size_t i = 0; i < r->services.n && st == TR_OK; i++) {
        const struct shared *s = &r->services.v[i];
        if (s->job == j->number && s->service->feed)
            st = s->service->feed(s->state, r->batch, r->keep, err);
    }
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        /* a service may do all of its work, or another analysis has the same rows */
        if (p->job != j->number || !p->analysis->feed || p->twin || has_no_rows(p))
            continue;
        st = p->analysis->feed(p->state, r->batch, r->keep, p->analysis->late ? NULL : table_of(p), err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
    }
    return st;
}

enum tr_status tr_runner_feed(struct tr_runner *r, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err)
{
    struct tr_range window;
    r->batch = b;
    r->keep = keep;
    if (r->pool && r->n) { /* after this, the selection and the dictionary are only read */
        if (r->parts[0].in.select)
            tr_select_window(r->parts[0].in.select, 0, &window);
        tr_strtab_find(r->parts[0].in.dict->strings, "", 0);
    }
    return tr__runner_jobs(r, feed_job, err);
}

static enum tr_status end_service(struct shared *s, struct tr_error *err)
{
    return s->service->finish ? s->service->finish(s->state, err) : TR_OK;
}

enum tr_status tr__runner_end_services(struct tr_services *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < s->n && st == TR_OK && !s->ended; i++)
        st = end_service(&s->v[i], err);
    s->ended = true;
    return st;
}

/* Times of several ranks were compared, by clocks that may differ. */
static void doubt_clocks(const struct part *p)
{
    const struct tr_dict *d = p->in.dict;
    if (p->apart) {
        tr_analysis_remark(&p->in, TR_REMARK_RESULT, "",
                           "some inputs have a time base and others none, so times of their ranks are not compared: "
                           "tr-align(1) makes them comparable");
        return;
    }
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
        tr_analysis_remark(
            &p->in, TR_REMARK_RESULT, "",
            "the clocks of the ranks were not aligned, so times of several ranks may not compare: see tr-align(1)");
}

enum tr_status tr__runner_complete(struct part *p, struct tr_error *err)
{
    p = p->twin ? p->twin : p;
    if (p->completed || !p->analysis->complete)
        return TR_OK;
    p->completed = true;
    return p->analysis->complete(p->state, err);
}

enum tr_status tr__runner_rows(struct part *p, struct tr_error *err)
{
    const struct tr_analysis *a = p->analysis;
    struct tr_rows_cut cut = { .top = p->in.top, .within = p->in.top_per };
    if (has_no_rows(p) || (p->kept && p->kept->complete))
        return TR_OK;
    if (p->kept)
        p->kept->complete = true;
    enum tr_status st = tr__runner_complete(p, err);
    if (st == TR_OK && a->cut)
        a->cut(p->options, &cut);
    if (st == TR_OK && a->rows)
        st = tr_rows_finish(a->rows(p->state), table_of(p), &cut, err);
    return st == TR_OK && a->finish ? a->finish(p->state, table_of(p), err) : st;
}

/* Print the rows of an analysis. */
static enum tr_status finish_part(struct part *p, struct tr_error *err)
{
    enum tr_status st = tr__runner_rows(p, err);
    struct tr_kept *kept = p->kept;
    if (st != TR_OK || !kept)
        return st;
    p->kept = NULL; /* remarks are given now */
    st = tr__kept_print(kept, p->table, p->in.remark, p, err);
    p->kept = kept;
    return st;
}

static enum tr_status finish_job(struct job *j, struct tr_error *err)
{
    struct tr_runner *r = j->runner;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->services.n && st == TR_OK && !r->services.ended; i++)
        if (r->services.v[i].job == j->number)
            st = end_service(&r->services.v[i], err);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        if (p->job != j->number)
            continue;
        st = tr_go_on(&p->in.go_on, err);
        if (st == TR_OK)
            st = finish_part(p, err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
        if (st == TR_OK)
            doubt_clocks(p);
    }
    return st;
}

/* The clock of the first analysis that has looked for one; it is the same for all. */
static void find_clock(struct tr_runner *r)
{
    for (size_t i = 0; r->one_clock && i < r->n; i++) {
        const struct tr_one_clock *c = &r->parts[i].clock;
        if (c->aligned || c->anchors || *c->why) {
            *r->one_clock = *c;
            return;
        }
    }
}

enum tr_status tr_runner_finish(struct tr_runner *r, struct tr_error *err)
{
    enum tr_status st = tr__runner_jobs(r, finish_job, err);
    r->services.ended = true;
    find_clock(r);
    return st;
}

enum tr_status tr_runner_snapshot(struct tr_runner *r, tr_copy_work *work, void *self, struct tr_buf *out,
                                  struct tr_error *err)
{
    struct tr_spill *spill = r->n ? tr_strtab_spill(r->parts[0].in.dict->strings) : NULL;
    return tr_in_copy(spill, work, self, out, err);
}

const char *tr_runner_why(const struct tr_runner *r, size_t i)
{
    const struct part *p = &r->parts[i];
    if (has_no_rows(p))
        return "times of the ranks do not compare";
    return p->analysis->why && p->state ? p->analysis->why(p->state) : p->analysis->nothing;
}
