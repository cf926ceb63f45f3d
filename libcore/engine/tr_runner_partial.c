/* SPDX-License-Identifier: MIT */
/* The runner: states of analyses as partial results. */
#include "engine/tr_runner_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_rows.h"
#include "stream/tr_captures.h"

#include <string.h>

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
    const struct tr_saving *s = p->analysis->saving;
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

/* Add a rank; *twice: it was there already.  False: out of memory. */
static bool add_rank(struct part *p, int64_t rank, bool *twice)
{
    size_t at = 0;
    TR_BOUND(at, p->n_ranks, mid, p->ranks[mid] < rank);
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
        bool alone = d->n_sources == 1 && d->sources[s].rank_rule == TR_RANK_ORDER; /* unknown: it goes with no other */
        if (!alone && (d->sources[s].rank_rule == TR_RANK_ORDER || d->sources[s].rank_rule == TR_RANK_RENUMBERED))
            return refuse(err, p, "ranks come from the order of the files (--rank in tr-parse sets them)");
        if (windowed && !add_base(p, tr_select_window_base(p->in.select, s)))
            return refuse(err, p, "windows of sources with different bases (--time)");
        if (!add_rank(p, alone ? -1 : d->sources[s].rank, &twice))
            return tr_fail_memory(err);
    }
    for (size_t i = 0; i < p->n_ranks; i++)
        tr_partial_put_rank(out, p->ranks[i], p->base);
    return TR_OK;
}

static struct tr_rows *rows_of(const struct part *p)
{
    return p->analysis->saving->rows ? p->analysis->saving->rows(p->state) : p->analysis->rows(p->state);
}

enum tr_status tr_runner_save(struct tr_runner *r, size_t i, struct tr_side_tables *tables, struct tr_error *err)
{
    struct part *p = &r->parts[i];
    struct tr_partial_head head;
    struct tr_partial_out *out = NULL;
    enum tr_status st = check_saving(p, err);
    if (st == TR_OK && !p->kept && p->analysis->saving->kept == TR_KEPT_BY_TIME)
        st = refuse(err, p, "its rows were printed as they came");
    if (st == TR_OK && !p->kept && p->analysis->saving->kept)
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
        st = put_ranks(r, p, out, err);
    if (st == TR_OK)
        st = p->kept ? tr__runner_rows(p, err) : tr__runner_complete(p, err);
    if (st == TR_OK && p->kept && !r->dict && p->in.dict->n_sources)
        p->kept->base = p->in.dict->sources[0].base_ns; /* of all sources of a stream */
    if (st == TR_OK && p->kept)
        st = tr__kept_save(p->kept, p->n_ranks ? p->ranks[0] : -1, out, err);
    else if (st == TR_OK)
        st = p->analysis->saving->save ? p->analysis->saving->save(p->state, out, err)
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
        if (p->ranks[0] < 0 && (twice || p->n_ranks > 1))
            return tr_fail(err, TR_DAMAGED, "partial results of '%s' have a source of unknown rank, beside others",
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
    if (st == TR_OK && tr_partial_captures(in)) {
        p->captures = true;
        tr_table_show(p->table, "capture");
    }
    if (st == TR_OK)
        st = get_ranks(p, in, err);
    if (st == TR_OK && p->kept)
        st = tr__kept_load(p->kept, in, err);
    else if (st == TR_OK)
        st = p->analysis->saving->load ? p->analysis->saving->load(p->state, in, err)
                                       : tr_rows_load(rows_of(p), in, 0, err);
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

const int64_t *tr_runner_ranks(const struct tr_runner *r, size_t i, size_t *n)
{
    *n = r->parts[i].n_ranks;
    return r->parts[i].ranks;
}
