/* SPDX-License-Identifier: MIT */
/* The table of distinct sequences. */
#include "analysis/calls/tr_sequences_int.h"

#include "stream/tr_order.h"

#include <stdlib.h>
#include <string.h>

bool tr__sequences_init(struct tr__sequence_table *t)
{
    t->names = tr_arena_new((size_t)1 << 16);
    return t->names != NULL;
}

void tr__sequences_release(struct tr__sequence_table *t)
{
    free(t->all);
    tr_hash_index_free(&t->index);
    tr_arena_free(t->names);
}

uint32_t tr__sequences_find(struct tr__sequence_table *t, uint32_t group, uint32_t name,
                            const uint32_t *work, size_t n_work)
{
    uint64_t hash = tr_mix64(tr_hash(work, n_work * sizeof *work) ^ group,
                             0x9e3779b97f4a7c15u + ((uint64_t)name << 1));
    struct tr_hash_walk walk = tr_hash_index_walk(&t->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        const struct tr__sequence *have = &t->all[i];
        if (have->group == group && have->name == name && have->n_work == n_work &&
            memcmp(have->work, work, n_work * sizeof *work) == 0)
            return i;
    }
    if (t->n >= UINT32_MAX - 1 || !tr_grow(&t->all, &t->cap, t->n + 1, sizeof *t->all))
        return UINT32_MAX;
    struct tr__sequence s = { .group = group, .name = name, .n_work = n_work };
    s.work = tr_arena_copy(t->names, work, n_work * sizeof *work);
    if (!s.work || !tr_hash_index_add(&t->index, hash, (uint32_t)t->n))
        return UINT32_MAX;
    s.to_launch = s.launch_to_start = s.work_dur = s.call_dur = (struct tr_stats)TR_STATS_INIT;
    t->all[t->n] = s;
    return (uint32_t)t->n++;
}

/* ---- order of rows ---- */

struct sorted {
    const struct tr__sequence *s;
    const struct tr_dict *dict;
    uint32_t place, number;
};

static int by_names(const struct sorted *x, const struct sorted *y)
{
    const struct tr__sequence *a = x->s, *b = y->s;
    int c = tr_str_cmp(tr_dict_text(x->dict, a->name), tr_dict_text(x->dict, b->name));
    for (size_t i = 0; !c && i < a->n_work && i < b->n_work; i++)
        if (a->work[i] != b->work[i])
            c = tr_str_cmp(tr_dict_text(x->dict, a->work[i]), tr_dict_text(x->dict, b->work[i]));
    return c ? c : (a->n_work > b->n_work) - (a->n_work < b->n_work);
}

static int by_row(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->s->count != y->s->count)
        return x->s->count > y->s->count ? -1 : 1;
    return by_names(x, y);
}

/* The numbers of all sequences in the order of rows; place: the index of a group.  NULL: out of memory. */
static uint32_t *order_of_rows(const struct tr__sequence_table *t, const struct tr_dict *dict,
                               const uint32_t *place)
{
    struct sorted *sorted = calloc(t->n + 1, sizeof *sorted);
    uint32_t *order = calloc(t->n + 1, sizeof *order);
    if (sorted && order) {
        for (size_t i = 0; i < t->n; i++)
            sorted[i] = (struct sorted){ &t->all[i], dict, place[t->all[i].group], (uint32_t)i };
        qsort(sorted, t->n, sizeof *sorted, by_row);
        for (size_t i = 0; i < t->n; i++)
            order[i] = sorted[i].number;
    }
    bool ok = sorted && order;
    free(sorted);
    if (ok)
        return order;
    free(order);
    return NULL;
}

/* ---- rows ---- */

struct timed {
    const struct tr_dict *dict;
    struct tr_occurrence it;
};

static int by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    const struct tr_track *tracks = x->dict->tracks;
    struct tr_order_key kx = { x->it.ts, x->it.dur, tracks[x->it.track].source, x->it.record };
    struct tr_order_key ky = { y->it.ts, y->it.dur, tracks[y->it.track].source, y->it.record };
    return tr_order_key_cmp(x->dict, &kx, &ky);
}

/* The calls in canonical order, with the rows of their sequences. */
static bool sort_occurrences(const struct tr_dict *dict, const uint32_t *row_of,
                             struct tr_occurrence *found, size_t n)
{
    struct timed *timed = calloc(n + 1, sizeof *timed);
    if (!timed)
        return false;
    for (size_t i = 0; i < n; i++) {
        timed[i] = (struct timed){ dict, found[i] };
        timed[i].it.row = row_of[found[i].row];
    }
    qsort(timed, n, sizeof *timed, by_time);
    for (size_t i = 0; i < n; i++)
        found[i] = timed[i].it;
    free(timed);
    return true;
}

bool tr__sequences_rows(const struct tr__sequence_table *t, const struct tr_group_by *w, struct tr_occurrence *found,
                        size_t n_found, struct tr_sequences_row **rows)
{
    size_t n = t->n, n_groups = w->n_groups;
    uint32_t *groups = tr_group_by_order(w), *place = calloc(n_groups + 1, sizeof *place);
    uint32_t *order = NULL, *row_of = calloc(n + 1, sizeof *row_of);
    struct tr_sequences_row *row = *rows = calloc(n + 1, sizeof *row);
    for (size_t g = 0; groups && place && g < n_groups; g++)
        place[groups[g]] = (uint32_t)g;
    if (groups && place && row_of && row)
        order = order_of_rows(t, w->dict, place);
    for (size_t r = 0; order && r < n; r++) {
        const struct tr__sequence *s = &t->all[order[r]];
        row_of[order[r]] = (uint32_t)r;
        row[r] = (struct tr_sequences_row){ w->groups[s->group], tr_dict_text(w->dict, s->name), s->work,
                                            s->n_work,           s->count,                      s->to_launch,
                                            s->launch_to_start,  s->work_dur,                   s->call_dur };
    }
    bool ok = order != NULL && sort_occurrences(w->dict, row_of, found, n_found);
    free(groups);
    free(place);
    free(order);
    free(row_of);
    return ok;
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str name, work; /* work: a list */
    uint64_t count;
    struct tr_stats to_launch, launch_to_start, work_dur, call_dur;
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved, name) },
    { "work", TR_SAVED_TEXT, offsetof(struct saved, work) },
    { "count", TR_SAVED_COUNT, offsetof(struct saved, count) },
    { "to_launch", TR_SAVED_STATS, offsetof(struct saved, to_launch) },
    { "launch_to_start", TR_SAVED_STATS, offsetof(struct saved, launch_to_start) },
    { "work_dur", TR_SAVED_STATS, offsetof(struct saved, work_dur) },
    { "call_dur", TR_SAVED_STATS, offsetof(struct saved, call_dur) },
};

struct saved_coverage {
    uint64_t work, unowned;
};

static const struct tr_saved_column coverage_columns[] = {
    { "work", TR_SAVED_COUNT, offsetof(struct saved_coverage, work) },
    { "unowned", TR_SAVED_COUNT, offsetof(struct saved_coverage, unowned) },
};

const struct tr_saved_table tr_sequences_saved[TR_SEQUENCES_TABLES] = {
    TR_SAVED_TABLE("sequences", columns),
    TR_SAVED_TABLE("coverage", coverage_columns),
};

bool tr__sequences_put(const struct tr__sequence_table *t, const struct tr_group_by *w, struct tr_partial_out *out)
{
    struct tr_buf work = { NULL, 0, 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < t->n; i++) {
        const struct tr__sequence *s = &t->all[i];
        work.len = 0;
        for (size_t k = 0; ok && k < s->n_work; k++)
            ok = tr_partial_list_add(&work, tr_dict_text_if(w->dict, s->work[k]));
        const struct saved r = { .key = w->groups[s->group],
                                 .name = tr_dict_text_if(w->dict, s->name),
                                 .work = { (const char *)work.data, work.len },
                                 .count = s->count,
                                 .to_launch = s->to_launch,
                                 .launch_to_start = s->launch_to_start,
                                 .work_dur = s->work_dur,
                                 .call_dur = s->call_dur };
        tr_partial_put(out, 0, &r);
    }
    tr_buf_free(&work);
    return ok;
}

/*
 * The names of a list as numbers; returns how many, or SIZE_MAX: out of memory, or another failure in the status of in.
 */
static size_t take_work(struct tr_partial_in *in, struct tr_str list, uint32_t **work, size_t *cap)
{
    struct tr_str text;
    size_t n = 0;
    for (; tr_partial_list_take(&list, &text); n++) {
        if (!tr_grow(work, cap, n + 1, sizeof **work))
            return SIZE_MAX;
        (*work)[n] = tr_partial_string(in, text);
    }
    if (list.len || !n)
        tr_partial_wrong(in, "a list of names");
    return tr_partial_status(in, NULL) == TR_OK ? n : SIZE_MAX;
}

static void add_saved(struct tr_partial_in *in, struct tr__sequence *to, const struct saved *from)
{
    tr_partial_add_count(in, &to->count, from->count);
    tr_partial_add_stats(in, &to->to_launch, &from->to_launch);
    tr_partial_add_stats(in, &to->launch_to_start, &from->launch_to_start);
    tr_partial_add_stats(in, &to->work_dur, &from->work_dur);
    tr_partial_add_stats(in, &to->call_dur, &from->call_dur);
}

bool tr__sequences_get(struct tr__sequence_table *t, struct tr_group_by *w, struct tr_partial_in *in)
{
    struct saved r;
    uint32_t group, *work = NULL, number = 0;
    size_t cap = 0, n = 0;
    while (number != UINT32_MAX && n != SIZE_MAX && tr_partial_get(in, 0, &r) &&
           tr_partial_group(in, w, &r.key, &group)) {
        uint32_t name = tr_partial_string(in, r.name);
        n = take_work(in, r.work, &work, &cap);
        number = n == SIZE_MAX ? number : tr__sequences_find(t, group, name, work, n);
        if (n != SIZE_MAX && number != UINT32_MAX)
            add_saved(in, &t->all[number], &r);
    }
    free(work);
    return number != UINT32_MAX && (n != SIZE_MAX || tr_partial_status(in, NULL) != TR_OK);
}
