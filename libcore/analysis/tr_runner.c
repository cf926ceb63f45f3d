/* The runner: analyses and the services that they share, over one pass. */
#include "analysis/tr_runner.h"

#include "base/tr_mem.h"

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
};

struct shared {
    const struct tr_service *service;
    void *options; /* a copy */
    void *state;
};

struct tr_services {
    struct shared *v;
    size_t n, cap;
};

struct tr_runner {
    struct part *parts;
    size_t n, cap;
    struct tr_services services;
    const char **keys; /* of all analyses */
    size_t n_keys, cap_keys;
};

struct tr_runner *tr_runner_new(void)
{
    return calloc(1, sizeof(struct tr_runner));
}

void tr_runner_free(struct tr_runner *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        if (r->parts[i].state)
            r->parts[i].analysis->free(r->parts[i].state);
    for (size_t i = 0; i < r->services.n; i++) {
        struct shared *s = &r->services.v[i];
        if (s->state)
            s->service->free(s->state);
        free(s->options);
    }
    free(r->services.v);
    free(r->parts);
    free(r->keys);
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

static const char *const per_names[] = { "rank", "device", "stream", "step", "all" };

static enum tr_status check_group(const struct tr_analysis *a, int per, struct tr_error *err)
{
    char known[64] = "";
    size_t n = 0;
    if (per < 0 || (a->groups & TR_PER_BIT(per)))
        return TR_OK;
    if (!a->groups)
        return tr_fail(err, TR_USAGE, "the view %s has no groups, so --per %s means nothing here", a->name,
                       per_names[per]);
    for (int p = 0; p <= TR_PER_ALL; p++)
        if (a->groups & TR_PER_BIT(p)) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", per_names[p]);
        }
    return tr_fail(err, TR_USAGE, "the view %s knows no groups by %s: --per can be %s", a->name,
                   per_names[per], known);
}

enum tr_status tr_runner_add(struct tr_runner *r, const struct tr_analysis *a, const void *options,
                             int per, struct tr_table *t, struct tr_error *err)
{
    struct part p = { .analysis = a, .options = options ? options : a->defaults, .per = per, .table = t };
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

enum tr_status tr_runner_needs(struct tr_runner *r, struct tr_want *want, bool *host,
                               struct tr_error *err)
{
    bool ok = true, any_order = true;
    for (size_t k = 0; ok && k < want->n_keys; k++)
        ok = add_key(r, want->keys[k]);
    for (size_t i = 0; ok && i < r->n; i++) {
        struct tr_needs needs = { .want = { .fixed = 0 } };
        r->parts[i].analysis->needs(r->parts[i].options, &needs);
        want->fixed |= needs.want.fixed;
        want->derived |= needs.want.derived;
        want->all_packed |= needs.want.all_packed;
        for (size_t k = 0; ok && k < needs.want.n_keys; k++)
            ok = add_key(r, needs.want.keys[k]);
        *host |= needs.host;
        any_order &= needs.want.any_rank_order && r->parts[i].in.work.per != TR_PER_ALL;
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
    for (size_t i = 0; i < all->n; i++) {
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
        st = p->analysis->start(&p->in, p->options, &p->state, err);
    }
    return st;
}

enum tr_status tr_runner_feed(struct tr_runner *r, const struct tr_batch *b, const uint8_t *keep,
                              struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->services.n && st == TR_OK; i++)
        st = r->services.v[i].service->feed(r->services.v[i].state, b, keep, err);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        if (!p->analysis->feed) /* a service does all of its work */
            continue;
        st = p->analysis->feed(p->state, b, keep, p->analysis->late ? NULL : p->table, err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
    }
    return st;
}

enum tr_status tr_runner_finish(struct tr_runner *r, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->services.n && st == TR_OK; i++)
        st = r->services.v[i].service->finish(r->services.v[i].state, err);
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct part *p = &r->parts[i];
        if (p->analysis->finish)
            st = p->analysis->finish(p->state, p->table, err);
        if (st == TR_OK)
            st = tr_table_status(p->table, err);
    }
    return st;
}

const char *tr_runner_why(const struct tr_runner *r, size_t i)
{
    const struct part *p = &r->parts[i];
    return p->analysis->why ? p->analysis->why(p->state) : p->analysis->nothing;
}
