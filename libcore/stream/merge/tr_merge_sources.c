/* SPDX-License-Identifier: MIT */
/* The merge: sources, ranks and summaries of the result. */
#include "stream/merge/tr_merge_int.h"

#include "base/tr_sort.h"
#include "stream/tr_captures.h"

#include <stdlib.h>
#include <string.h>

/* A source of one of the inputs. */
struct origin {
    struct tr__lane *lane;
    uint32_t number;
};

static const struct tr_source *source_of(const struct origin *o)
{
    return &o->lane->in->dict->sources[o->number];
}

static struct tr__lane_source *result_of(const struct origin *o)
{
    return &o->lane->sources[o->number];
}

/* ---- the rows of the result ---- */

/*
 * Does a source follow another group of its file in the result, too?  So it is if it does in its input, or if both come
 * from inputs of their own, as parts by rank do.
 */
static bool stays_group(const struct tr__merge *m, const struct origin *o)
{
    const struct tr_dict *in = o->lane->in->dict, *d = m->dict;
    const uint32_t before = result_of(o)->number - 1;
    if (m->n == 1 || !source_of(o)->of_file || before == UINT32_MAX)
        return m->n == 1 && source_of(o)->of_file;
    if (o->number > 0)
        return o->lane->sources[o->number - 1].number == before;
    const struct tr_source *s = source_of(o), *last = &d->sources[before];
    bool same = s->file_base_ns == last->file_base_ns && s->n_header == last->n_header &&
                !tr_str_cmp(tr_dict_text_if(in, s->name), tr_dict_text_if(d, last->name));
    for (uint32_t i = 0; same && i < s->n_header; i++)
        same = !tr_str_cmp(tr_dict_text_if(in, s->header_values[i]), tr_dict_text_if(d, last->header_values[i]));
    return same;
}

static bool add_source(struct tr__merge *m, const struct origin *o, int64_t base)
{
    if (result_of(o)->beside || result_of(o)->number < m->dict->n_sources)
        return true; /* another part adds it */
    const bool group = stays_group(m, o);
    uint32_t added = tr_dict_add_source(m->dict, source_of(o));
    if (added == UINT32_MAX)
        return false;
    struct tr_source *s = &m->dict->sources[added];
    tr_source_renumber(s, tr__lane_text, &(struct tr__lane_texts){ m, o->lane });
    s->base_ns = base;
    s->of_file = group;
    s->rank = result_of(o)->rank;
    s->rank_rule = result_of(o)->rank_rule;
    return !m->failed;
}

/* The summary of a source, with the times and tracks of the result.  row is empty before. */
static enum tr_status moved_summary(struct tr__merge *m, const struct origin *o, struct tr_source_summary *row,
                                    struct tr_error *err)
{
    const int64_t shift = result_of(o)->shift;
    if (!tr_summary_copy_source(row, &o->lane->in->summary->sources[o->number]))
        return tr_fail_memory(err);
    if (!tr__merge_time(&row->first_ts, shift) || !tr__merge_time(&row->last_end, shift))
        return tr__merge_too_far(o->lane, err);
    for (size_t i = 0; i < row->n_steps; i++) {
        struct tr_step *step = &row->steps[i];
        if (!tr__merge_time(&step->start, shift) || !tr__merge_time(&step->end, shift))
            return tr__merge_too_far(o->lane, err);
        step->track = tr__merge_track(m, o->lane, step->track);
        if (m->failed)
            return tr_fail_memory(err);
    }
    return TR_OK;
}

static bool has_whole_summary(const struct origin *o)
{
    return result_of(o)->part.own == result_of(o)->part.whole;
}

/* Add the summary of a part.  What counts the whole source, or was counted in the same way before, is not added up. */
static bool join_summary(struct tr_source_summary *to, const struct origin *all, size_t i,
                         const struct tr_source_summary *from)
{
    bool counted = false;
    for (size_t k = 0; k < i; k++)
        counted |= result_of(&all[k])->number == result_of(&all[i])->number &&
                   (has_whole_summary(&all[k]) || result_of(&all[k])->part.own == result_of(&all[i])->part.own);
    if (!counted && has_whole_summary(&all[i]))
        tr_summary_take_counts(to, from);
    else if (!counted)
        tr_summary_add_piece(to, from);
    return tr_summary_join_steps(to, from);
}

static bool add_damage(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    bool ok = true;
    for (size_t i = 0; i < from->n_damage && ok; i++) {
        size_t k = 0;
        while (k < to->n_damage && strcmp(to->damage[k].name, from->damage[i].name) != 0)
            k++;
        if (k < to->n_damage)
            to->damage[k].count += from->damage[i].count;
        else
            ok = tr_summary_add_damage(to, &from->damage[i]);
    }
    return ok;
}

static enum tr_status add_summary(struct tr__merge *m, const struct origin *all, size_t i, struct tr_error *err)
{
    const struct origin *o = &all[i];
    struct tr_source_summary *s = &m->summary->sources[result_of(o)->number], row = { 0 };
    const struct tr_summary *of = o->lane->in->summary;
    bool first = true;
    if (!of || o->number >= of->n)
        return TR_OK;
    m->summary->filtered |= of->filtered;
    m->summary->redacted |= of->redacted;
    if (result_of(o)->beside)
        return add_damage(s, &of->sources[o->number]) ? TR_OK : tr_fail_memory(err);
    for (size_t k = 0; k < i && result_of(o)->joined; k++)
        first &= result_of(&all[k])->number != result_of(o)->number;
    enum tr_status st = moved_summary(m, o, first ? s : &row, err);
    if (st == TR_OK && !first && !join_summary(s, all, i, &row))
        st = tr_fail_memory(err);
    free(row.steps);
    free(row.damage);
    return st;
}

/* Parts that are all of their source are no parts. */
static void see_whole(struct tr__merge *m, const struct origin *o)
{
    const uint32_t number = result_of(o)->number;
    struct tr_source *s = &m->dict->sources[number];
    bool whole = has_whole_summary(o) || (!m->summary->filtered &&
                                          tr_summary_identity(s, &m->summary->sources[number]) == s->whole);
    if (result_of(o)->joined && whole)
        s->whole = 0;
}

/* Canonical order, by the ranks of the result. */
TR_ORDER(origin_cmp, struct origin, TR_CMP(result_of(a)->rank, result_of(b)->rank),
         tr_source_cmp(a->lane->in->dict, a->number, b->lane->in->dict, b->number))

/* For qsort: equal sources stay in the order of the inputs. */
TR_ORDER(origin_order, struct origin, origin_cmp(a, b), TR_UP(lane), TR_UP(number))

/* All times count from the earliest base. */
static enum tr_status settle_base(struct tr__merge *m, int64_t *base, struct tr_error *err)
{
    *base = INT64_MAX;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++)
            if (m->lanes[i].in->dict->sources[k].base_ns < *base)
                *base = m->lanes[i].in->dict->sources[k].base_ns;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++) {
            const struct tr_source *s = &m->lanes[i].in->dict->sources[k];
            if (*base < 0 && s->base_ns > INT64_MAX + *base)
                return tr__merge_too_far(&m->lanes[i], err);
            m->lanes[i].sources[k].shift = s->base_ns - *base;
        }
    return TR_OK;
}

/* The ranks of all sources: the given ones, or their own, which must not collide. */
static enum tr_status settle_ranks(struct tr__merge *m, const struct tr_merge_opts *opts,
                                   struct tr_error *err)
{
    struct tr_rank_conflicts claims = { NULL, 0, 0 };
    enum tr_status st = TR_OK;
    size_t at = 0;
    for (size_t i = 0; i < m->n && !opts->ranks && st == TR_OK; i++)
        if (!tr_rank_conflicts_add(&claims, m->lanes[i].in, i))
            st = tr_fail_memory(err);
    if (st == TR_OK && !opts->ranks)
        st = tr_rank_conflicts_settle(&claims, opts->renumber, err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        for (size_t k = 0; k < m->lanes[i].in->dict->n_sources; k++, at++) {
            m->lanes[i].sources[k].rank = opts->ranks ? opts->ranks[at].rank : claims.v[at].rank;
            m->lanes[i].sources[k].rank_rule = opts->ranks ? opts->ranks[at].rule : claims.v[at].rule;
        }
    tr_rank_conflicts_free(&claims);
    return st;
}

/*
 * The events of an input are in the order of its sources.  New ranks must not change this order.
 * all: the sources in their new order.
 */
static enum tr_status check_orders(const struct tr__merge *m, const struct origin *all, size_t n,
                                   struct tr_error *err)
{
    uint32_t *last = calloc(m->n, sizeof *last); /* source of each lane before this one, + 1 */
    enum tr_status st = last ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct tr__lane *l = all[i].lane;
        uint32_t *before = &last[l - m->lanes];
        if (*before && tr_source_cmp(l->in->dict, *before - 1, l->in->dict, all[i].number) > 0) {
            tr_error_input(err, l->in->name);
            st = tr_fail(err, TR_DAMAGED, "the new ranks change the order of the sources in this stream");
        }
        *before = all[i].number + 1;
    }
    free(last);
    return st;
}

/* Compare two neighbouring sources: do two lanes share a rank, or sources?  Two unknown ranks may be the same rank. */
static void see_shared(struct tr__merge *m, const struct origin *a, const struct origin *b)
{
    int64_t x = result_of(a)->rank, y = result_of(b)->rank;
    if (a->lane == b->lane)
        return;
    m->shared_rank |= x == y || (x < 0 && y < 0);
    m->shared_source |= origin_cmp(a, b) == 0;
}

/*
 * The first source that has the same order and is joined with source i; i: none.  Of sources with the same order, which
 * start at source group, those of one input follow each other.
 */
static size_t find_joined(const struct origin *all, size_t group, size_t i)
{
    if (!tr_part_is(&result_of(&all[i])->part))
        return i;
    for (size_t k = group; k < i && all[k].lane != all[i].lane; k++)
        if (tr_parts_join(&result_of(&all[k])->part, &result_of(&all[i])->part))
            return k;
    return i;
}

static bool has_events(const struct origin *o)
{
    const struct tr_summary *s = o->lane->in->summary;
    return !s || o->number >= s->n || s->sources[o->number].n_events;
}

/*
 * A report beside a trace, in the same folder of results: it has tables only, which become those of the trace.
 * n: there is no such trace.
 */
static size_t find_trace(const struct origin *all, size_t n, size_t i)
{
    const struct tr_dict *d = all[i].lane->in->dict;
    const struct tr_source *s = source_of(&all[i]);
    if (s->job == TR_NO_STR || has_events(&all[i]))
        return n;
    for (size_t k = 0; k < n; k++)
        if (all[k].lane != all[i].lane && has_events(&all[k]) && result_of(&all[k])->rank == result_of(&all[i])->rank &&
            !tr_str_cmp(tr_dict_text_if(all[k].lane->in->dict, source_of(&all[k])->job), tr_dict_text(d, s->job)))
            return k;
    return n;
}

/* All sources of all inputs in canonical order, numbered.  n_numbers: parts of one source have one number. */
static struct origin *list_origins(struct tr__merge *m, size_t n, uint32_t *n_numbers)
{
    struct origin *all = calloc(n ? n : 1, sizeof *all);
    size_t at = 0;
    if (!all)
        return NULL;
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t k = 0; k < m->lanes[i].in->dict->n_sources; k++)
            all[at++] = (struct origin){ &m->lanes[i], k };
    qsort(all, n, sizeof *all, origin_order);
    uint32_t order = 0;
    size_t group = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && origin_cmp(&all[i - 1], &all[i]) != 0) {
            order++;
            group = i;
        }
        if (i > 0)
            see_shared(m, &all[i - 1], &all[i]);
        struct tr__lane_source *s = result_of(&all[i]), *same = result_of(&all[find_joined(all, group, i)]);
        s->beside = m->n > 1 && find_trace(all, n, i) < n;
        if (s->beside)
            continue;
        m->joins.any |= same != s;
        s->joined = same->joined |= same != s;
        s->number = same != s ? same->number : (*n_numbers)++;
        s->order = order;
    }
    for (size_t i = 0; i < n; i++)
        if (result_of(&all[i])->beside)
            result_of(&all[i])->number = result_of(&all[find_trace(all, n, i)])->number;
    return all;
}

enum tr_status tr__merge_sources(struct tr__merge *m, const struct tr_merge_opts *opts,
                                 struct tr_error *err)
{
    size_t n = 0;
    uint32_t n_numbers = 0;
    int64_t base;
    struct origin *all = NULL;
    for (size_t i = 0; i < m->n; i++) {
        size_t n_own = m->lanes[i].in->dict->n_sources;
        m->lanes[i].sources = calloc(n_own ? n_own : 1, sizeof *m->lanes[i].sources);
        if (!m->lanes[i].sources)
            return tr_fail_memory(err);
        n += n_own;
        for (uint32_t k = 0; k < n_own && m->n > 1; k++)
            m->lanes[i].sources[k].part = tr_part_of(m->lanes[i].in->dict, m->lanes[i].in->summary, k);
    }
    enum tr_status st = settle_base(m, &base, err);
    if (st == TR_OK)
        st = settle_ranks(m, opts, err);
    if (st == TR_OK) {
        all = list_origins(m, n, &n_numbers);
        st = all ? check_orders(m, all, n, err) : tr_fail_memory(err);
    }
    m->summary = tr_summary_new(n_numbers);
    if (!m->summary)
        st = tr_fail_memory(err);
    else
        m->summary->sorted = true;
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (!add_source(m, &all[i], base))
            st = tr_fail_memory(err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        st = tr__merge_clocks(m, &m->lanes[i], err);
    for (size_t i = 0; i < n && st == TR_OK; i++) /* their steps name tracks, which name sources */
        if (!result_of(&all[i])->beside)
            st = add_summary(m, all, i, err);
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (result_of(&all[i])->beside)
            st = add_summary(m, all, i, err);
    if (st == TR_OK && m->joins.any && !tr__join_step_fixes(m))
        st = tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK && m->joins.any; i++)
        see_whole(m, &all[i]);
    if (st == TR_OK && !tr_captures_number(m->dict, m->summary))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__merge_tables(m, err);
    free(all);
    return st;
}
