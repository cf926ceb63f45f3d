/* SPDX-License-Identifier: MIT */
/* Facts about a source after it has been read: rank, damage, launch links, its row in the stream. */
#include "ingest/tr_process_groups_int.h"

#include "model/tr_rank.h"

#include <stdlib.h>
#include <string.h>

void tr__find_rank(struct tr__source_state *l, int64_t given)
{
    struct tr__file *f = &l->file;
    if (l->opts->rank >= 0) {
        f->rank = l->opts->rank;
        f->rank_rule = TR_RANK_OPTION;
    } else if (given >= 0) {
        f->rank = given;
        f->rank_rule = TR_RANK_METADATA;
    } else if (tr_rank_from_name(f->name, &f->rank)) {
        f->rank_rule = TR_RANK_FILE_NAME;
    } else {
        f->rank = (int64_t)f->place;
        f->rank_rule = TR_RANK_ORDER;
    }
}

void tr__set_base(struct tr__file *f, int64_t base_ns)
{
    f->has_base = true;
    f->base_ns = base_ns;
    if (!f->n_negative_ts)
        return;
    f->sum.n_suspect[TR_SUSPECT_NO] -= f->n_negative_ts;
    f->sum.n_suspect[TR_SUSPECT_BEFORE_BASE] += f->n_negative_ts;
    f->sum.first_ts = f->first_from_0;
    f->sum.last_end = f->last_from_0;
}

void tr__bytes_ended(struct tr__file *f, const struct tr_ingest_bytes *bytes, bool damaged, bool to_the_end,
                     uint64_t offset)
{
    struct tr_ingest_damage damage = { .n = 1, .first = offset };
    if (to_the_end && bytes->damage)
        damage = bytes->damage(bytes->ctx);
    if (damaged) {
        f->damage.n[TR_DAMAGE_BAD_COMPRESSION] = damage.n;
        f->damage.first[TR_DAMAGE_BAD_COMPRESSION] = damage.first;
    }
    if (damage.trailing)
        tr_damage_cause_count(&f->damage, TR_DAMAGE_TRAILING_BYTES, offset);
    f->partial = damaged || f->damage.n[TR_DAMAGE_TRUNCATED];
}

/* The first damage: its text, with the repair, and its place.  losses: only what costs something.  NULL: none. */
static const char *first_damage(const struct tr__file *f, bool losses, uint64_t *first)
{
    const char *text = NULL;
    *first = TR_NO_OFFSET;
    for (unsigned c = 0; c < TR_N_DAMAGE_CAUSES; c++)
        if (f->damage.n[c] && (!losses || tr_damage_cause_loses(c)) && (!text || f->damage.first[c] < *first)) {
            text = tr_damage_cause_text(c);
            *first = f->damage.first[c];
        }
    for (size_t i = 0; i < f->n_own; i++)
        if ((!losses || f->own[i].loses) && (!text || f->own[i].first < *first)) {
            text = f->own[i].text;
            *first = f->own[i].first;
        }
    return text;
}

static enum tr_status refuse(const struct tr__file *f, const char *why, const char *text, uint64_t first,
                             struct tr_error *err)
{
    tr_error_input(err, f->name);
    if (first != TR_NO_OFFSET)
        tr_error_place(err, "byte %llu", (unsigned long long)first);
    return tr_fail(err, TR_DAMAGED, "%s%.*s", why, (int)strcspn(text, ","), text);
}

enum tr_status tr__refuse_damage(const struct tr__file *f, struct tr_error *err)
{
    uint64_t first;
    const char *text = first_damage(f, false, &first);
    return text ? refuse(f, "", text, first, err) : TR_OK;
}

enum tr_status tr__refuse_nothing(const struct tr__file *f, struct tr_error *err)
{
    uint64_t first;
    const char *text = f->sum.n_events || f->tables.n ? NULL : first_damage(f, true, &first);
    return text ? refuse(f, "nothing could be read: ", text, first, err) : TR_OK;
}

bool tr__sum_up_damage(const struct tr__file *f, struct tr_source_summary *s)
{
    bool ok = tr_damage_cause_sum_up(&f->damage, s);
    for (size_t i = 0; ok && i < f->n_own; i++)
        ok = tr_summary_add_damage(s, &f->own[i]);
    return ok;
}

/* The starts, by work and rank.  *one_rank: all are of one, so the number of work alone identifies its call. */
static enum tr_status find_starts(const struct tr__file *f, struct tr_launch_table *starts, bool *one_rank,
                                  struct tr_error *err)
{
    enum tr_status st = TR_OK;
    const struct tr__arrow *first = NULL;
    *one_rank = true;
    for (size_t i = 0; i < f->arrows.n && st == TR_OK; i++) {
        const struct tr__arrow *a = tr_paged_at(&f->arrows, i);
        first = first ? first : a;
        *one_rank &= a->rank == first->rank;
        const struct tr_launch l = { .correlation = tr__place(a->work, a->rank, 0),
                                     .ts = a->ts,
                                     .record = (uint64_t)a->place };
        if (a->start)
            st = tr_launch_add(starts, &l, err);
    }
    return st == TR_OK ? tr_launch_finish(starts, err) : st;
}

#define AHEAD 16u /* rows until the place of a number is needed */

enum tr_status tr__join_arrows(struct tr__source_state *l, struct tr_error *err)
{
    struct tr__file *f = &l->file;
    size_t share = l->opts->max_memory_bytes / 16;
    bool one_rank = true, by_work;
    if (f->arrows.n == 0)
        return TR_OK;
    struct tr_launch_table *starts = tr_launch_new(share, l->opts->temp_dir);
    f->arrow_ends = tr_launch_new(share, l->opts->temp_dir);
    enum tr_status st = starts && f->arrow_ends ? find_starts(f, starts, &one_rank, err) : tr_fail_memory(err);
    by_work = one_rank && f->by_work;
    for (size_t i = 0; i < f->arrows.n && st == TR_OK; i++) {
        const struct tr__arrow *a = tr_paged_at(&f->arrows, i);
        const struct tr__arrow *later = i + AHEAD < f->arrows.n ? tr_paged_at(&f->arrows, i + AHEAD) : a;
        tr_launch_expect(starts, tr__place(later->work, later->rank, 0));
        const struct tr_launch *s = a->start ? NULL : tr_launch_find(starts, tr__place(a->work, a->rank, 0), a->ts);
        struct tr_launch end = { .correlation = a->place, .ts = a->ts, .record = s ? s->record : (uint64_t)a->place };
        if (a->start && by_work)
            end.correlation = tr__place_of_work(a->work);
        if (s || (a->start && by_work))
            st = tr_launch_add(f->arrow_ends, &end, err);
        if (i % (1u << 16) == 0) {
            tr_launch_trim(starts);
            tr_launch_trim(f->arrow_ends);
            tr_paged_trim(&f->arrows);
        }
    }
    tr_launch_free(starts);
    return st == TR_OK ? tr_launch_finish(f->arrow_ends, err) : st;
}

/* The key of the launch of work i; the slot for later work is loaded meanwhile. */
static int64_t launch_key_ahead(const struct tr__file *f, size_t i)
{
    const struct tr__device_work *w = tr_paged_at(&f->work, i);
    const struct tr__device_work *later = i + AHEAD < f->work.n ? tr_paged_at(&f->work, i + AHEAD) : w;
    if (f->arrow_ends)
        tr_launch_expect(f->arrow_ends, later->correlation);
    return tr__launch_key(f->arrow_ends, w->correlation, w->ts);
}

void tr__believe_zero_times(struct tr__file *f, uint64_t n)
{
    if (!n)
        return;
    f->sum.n_suspect[TR_SUSPECT_ZERO_TIME] -= n;
    f->sum.n_suspect[TR_SUSPECT_NO] += n;
    tr__widen(&f->sum.first_ts, &f->sum.last_end, 0, 0);
}

enum tr_status tr__count_links(struct tr__file *f, struct tr_error *err)
{
    enum tr_status st = f->work.n ? tr_paged_add(&f->launched, NULL, (size_t)f->n_elements, err) : TR_OK;
    if (st != TR_OK)
        return st;
    f->sum.lag_min = f->sum.lag_max = TR_TIME_NONE;
    int64_t keys[AHEAD]; /* of the next launches, in turn */
    uint64_t n_zero = 0; /* work with a launch, and without times */
    for (size_t i = 0, k = 0; i < f->work.n; i++) {
        for (; k < f->work.n && k < i + AHEAD; k++) {
            keys[k % AHEAD] = launch_key_ahead(f, k);
            tr_launch_expect(f->launches, keys[k % AHEAD]);
        }
        const struct tr__device_work *w = tr_paged_at(&f->work, i);
        struct tr_launch *l = tr_launch_find(f->launches, keys[i % AHEAD], w->ts);
        if (i % (1u << 16) == 0) {
            tr_launch_trim(f->launches);
            tr_paged_trim(&f->work);
            tr_paged_trim(&f->launched);
        }
        if (!l)
            continue;
        struct tr_source_summary *s = tr__group_sum(f, l->interner, l->track);
        s->n_launches_linked += l->n_device++ == 0;
        const uint32_t number = tr_launch_number(f->launches, l) + 1;
        const uint64_t record = w->record & ~TR__ZERO_TIME;
        const bool zero = w->record != record;
        if (l->record < f->launched.n)
            *(uint32_t *)tr_paged_at(&f->launched, (size_t)l->record) = number;
        if (f->counts_records && record < f->launched.n)
            *(uint32_t *)tr_paged_at(&f->launched, (size_t)record) = number;
        s->n_device_linked++;
        n_zero += zero;
        int64_t lag = tr_time_diff(w->ts, l->ts);
        if (lag == TR_TIME_NONE || zero)
            continue;
        if (s->lag_min == TR_TIME_NONE || lag < s->lag_min)
            s->lag_min = lag;
        if (s->lag_max == TR_TIME_NONE || lag > s->lag_max)
            s->lag_max = lag;
    }
    for (size_t i = 0; f->groups && i < tr_launch_n(f->launches); i++) {
        const struct tr_launch *l = tr_launch_walk(f->launches, i);
        tr__group_sum(f, l->interner, l->track)->n_launches++;
    }
    f->sum.n_launches = tr_launch_n(f->launches);
    tr__believe_zero_times(f, f->sum.n_suspect[TR_SUSPECT_ZERO_TIME] - n_zero);
    return TR_OK;
}

/* A member of an archive is ARCHIVE(MEMBER), and may have slashes of its own. */
const char *tr__short_input_name(const char *path)
{
    const char *end = path + strlen(path), *open = strrchr(path, '(');
    if (open && end > open && end[-1] == ')')
        end = open;
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

/* The number of a string, TR_NO_STR for an empty one.  False: out of memory. */
static bool add_string(struct tr_strtab *t, const char *s, size_t len, uint32_t *id)
{
    *id = len ? tr_strtab_add(t, s, len) : TR_NO_STR;
    return len == 0 || *id != TR_NO_STR;
}

static bool add_text(struct tr_dict *d, const char *s, uint32_t *id)
{
    return add_string(d->strings, s, strlen(s), id);
}

/* What differs between the process groups of a file. */
static bool of_group(struct tr_dict *d, const struct tr__file *f, uint32_t group, struct tr_source *s)
{
    const struct tr__group *g = &f->groups->v[group];
    s->rank = g->label.rank;
    if (f->rank_rule != TR_RANK_OPTION && g->label.text[0])
        s->rank_rule = TR_RANK_METADATA;
    s->pid = g->pid;
    s->other_pid = TR_I64_NONE;
    s->of_file = group > 0;
    return (!g->label.mesh[0] || add_text(d, g->label.mesh, &s->mesh)) &&
           (!g->label.host[0] || add_text(d, g->label.host, &s->host));
}

/* group: TR_NO_STR: the file is one source */
static bool add_source(struct tr_dict *d, const struct tr__source_state *l, const struct tr__file *f, uint32_t group)
{
    struct tr_source s;
    memset(&s, 0, sizeof s);
    size_t n = f->n_header ? f->n_header : 1;
    s.header_keys = calloc(n, sizeof *s.header_keys);
    s.header_values = calloc(n, sizeof *s.header_values);
    bool ok = s.header_keys && s.header_values;
    struct tr_result_folder folder;
    bool result = tr_result_folder(f->name, &folder);
    s.rank = f->rank;
    s.rank_rule = f->rank_rule;
    s.job = TR_NO_STR;
    s.has_base = f->has_base;
    s.partial = f->partial;
    ok = ok && add_text(d, l->opts->keep_names ? tr__short_input_name(f->name) : "", &s.name) &&
         add_text(d, f->host, &s.host) && add_text(d, f->mesh, &s.mesh) && add_text(d, f->format, &s.format);
    s.base_ns = s.file_base_ns = f->base_ns;
    s.other_pid = f->other_pid;
    s.pid = result && f->pid == TR_I64_NONE ? folder.pid : f->pid;
    if (result && l->opts->keep_names)
        ok = ok && add_string(d->strings, folder.name, folder.len, &s.job);
    for (size_t i = 0; ok && i < f->n_header; i++) {
        s.header_keys[i] = tr_strtab_add(d->strings, f->header[i].key, f->header[i].key_len);
        s.header_values[i] = tr_strtab_add(d->strings, f->header[i].value, f->header[i].value_len);
        ok = s.header_keys[i] != TR_NO_STR && s.header_values[i] != TR_NO_STR;
    }
    s.n_header = (uint32_t)f->n_header;
    s.events_at = (uint32_t)f->events_at;
    s.bare_array = f->bare_array && !f->seen_events && !f->n_header; /* all of its traces are */
    ok = ok && (group == TR_NO_STR || of_group(d, f, group, &s)) && tr_dict_add_source(d, &s) != UINT32_MAX;
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

bool tr__add_source(struct tr_dict *d, const struct tr__source_state *l, const struct tr__file *f)
{
    bool ok = f->groups || add_source(d, l, f, TR_NO_STR);
    for (uint32_t i = 0; ok && f->groups && i < f->groups->n; i++)
        ok = add_source(d, l, f, i);
    return ok;
}
