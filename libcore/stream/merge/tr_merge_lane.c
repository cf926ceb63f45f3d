/* SPDX-License-Identifier: MIT */
/* The merge: one input, and its numbers as those of the result. */
#include "stream/merge/tr_merge_int.h"

#include "base/tr_sort.h"
#include "stream/tr_format.h"

#include <stdlib.h>
#include <string.h>

static void numbers_free(struct tr__numbers *t)
{
    tr_number_map_free(&t->map);
    tr_number_map_free(&t->first);
}

void tr__lane_free(struct tr__lane *l)
{
    tr_input_close(l->in);
    tr__wanted_free(&l->wanted);
    numbers_free(&l->strings);
    numbers_free(&l->tracks);
    numbers_free(&l->shapes);
    tr__layout_free(&l->layout);
    free(l->fresh);
    free(l->novelties);
    free(l->cursor);
    tr_number_map_free(&l->column_of);
    free(l->clocks);
    free(l->sources);
}

/* Tables for n numbers; new ones are unknown. */
static bool numbers_grow(struct tr__numbers *t, size_t n)
{
    if (!tr_number_map_grow(&t->map, n) || !tr_number_map_grow(&t->first, n))
        return false;
    t->first.to[0] = 0; /* TR_NO_STR is TR_NO_STR in the result, too */
    return true;
}

enum tr_status tr__merge_too_far(const struct tr__lane *l, struct tr_error *err)
{
    tr_error_input(err, l->in->name);
    return tr_fail(err, TR_DAMAGED,
                   "times leave the range of 64 bits: its time base is too far from those of the "
                   "other inputs");
}

/* ---- numbers in the result ---- */

#define STRINGS_AHEAD 16u

uint32_t tr__merge_string(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    if (id == TR_NO_STR)
        return id;
    if (!numbers_grow(&l->strings, id + (size_t)1)) {
        m->failed = true;
        return TR_NO_STR;
    }
    uint32_t *to = &l->strings.map.to[id + 1];
    if (*to == TR_NUMBER_UNKNOWN) {
        const struct tr_strtab *s = l->in->dict->strings;
        const uint32_t later = id + STRINGS_AHEAD; /* numbers are in the order of first use */
        if (later < tr_strtab_count(s))
            tr_strtab_expect(m->dict->strings, tr_strtab_get(s, later), tr_strtab_len(s, later));
        *to = tr_strtab_add(m->dict->strings, tr_strtab_get(s, id), tr_strtab_len(s, id));
        m->failed |= *to == TR_NO_STR;
    }
    return *to;
}

uint32_t tr__lane_text(void *texts, uint32_t id)
{
    const struct tr__lane_texts *of = texts;
    return tr__merge_string(of->m, of->l, id);
}

/* The number of a clock in the result; a clock without a row keeps its number. */
static uint32_t clock_number(const struct tr__lane *l, uint32_t clock)
{
    return clock && clock <= l->in->dict->n_clocks ? l->clocks[clock - 1] : clock;
}

/* All clocks of an input, moved by the shift of their source. */
enum tr_status tr__merge_clocks(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    l->clocks = calloc(l->in->dict->n_clocks + 1, sizeof *l->clocks);
    if (!l->clocks)
        return tr_fail_memory(err);
    for (size_t i = 0; i < l->in->dict->n_clocks; i++) {
        struct tr_clock c = l->in->dict->clocks[i];
        const struct tr__lane_source *s = &l->sources[c.source];
        c.source = s->number;
        c.before = clock_number(l, c.before);
        if ((!c.domain && !tr__merge_time(&c.origin, s->shift)) || !tr__merge_time(&c.first_ts, s->shift) ||
            !tr__merge_time(&c.last_end, s->shift))
            return tr__merge_too_far(l, err);
        l->clocks[i] = s->joined ? tr__join_clock(m, l, i, &c) : 0;
        if (!l->clocks[i])
            l->clocks[i] = tr_dict_add_clock(m->dict, &c) + 1; /* 0: none was added */
        if (!l->clocks[i])
            return tr_fail_memory(err);
    }
    return TR_OK;
}

/* The present row of a track, with the numbers of the result. */
static struct tr_track track_row(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    struct tr_track t = l->in->dict->tracks[id];
    tr_track_renumber(&t, tr__lane_text, &(struct tr__lane_texts){ m, l });
    t.source = l->sources[t.source].number;
    t.clock = clock_number(l, t.clock);
    return t;
}

uint32_t tr__merge_track(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    if (!numbers_grow(&l->tracks, id + (size_t)1)) {
        m->failed = true;
        return TR_NUMBER_UNKNOWN;
    }
    uint32_t *to = &l->tracks.map.to[id + 1];
    if (*to == TR_NUMBER_UNKNOWN) { /* unless two inputs have parts of a source, they share no track */
        struct tr_track t = track_row(m, l, id);
        const bool joined = l->sources[l->in->dict->tracks[id].source].joined;
        *to = joined ? tr__join_track(m, &t) : UINT32_MAX;
        if (*to == UINT32_MAX) {
            *to = tr_dict_add_track(m->dict, &t);
            m->failed |= *to == TR_NUMBER_UNKNOWN || (joined && !tr__join_track_added(m, *to));
        }
    }
    return *to;
}

/* Names of tracks may become known, or change, between batches. */
static void refresh_tracks(struct tr__merge *m, struct tr__lane *l)
{
    for (uint32_t id = 0; id < l->in->dict->n_tracks && id + (size_t)1 < l->tracks.map.n; id++) {
        uint32_t to = l->tracks.map.to[id + 1];
        if (to != TR_NUMBER_UNKNOWN)
            m->dict->tracks[to] = track_row(m, l, id);
    }
}

/* The column of the result for a slot, which already has the key of the result. */
static uint32_t map_column(struct tr__merge *m, struct tr__lane *l, const struct tr_slot *slot)
{
    struct tr_column c = { .key = slot->key, .place = slot->place, .type = slot->type };
    uint32_t to = tr_dict_need_column(m->dict, &c);
    bool ok = to != UINT32_MAX && tr_number_map_set(&l->column_of, to, slot->column);
    return ok ? to : UINT32_MAX;
}

/* Give a shape its number in the result. */
bool tr__lane_shape(struct tr__merge *m, struct tr__lane *l, uint32_t shape)
{
    uint32_t *to = &l->shapes.map.to[shape + 1];
    if (*to != TR_NUMBER_UNKNOWN)
        return true;
    const struct tr_shape *s = &l->in->dict->shapes[shape];
    struct tr_slot *slots = calloc(s->n_slots + (size_t)1, sizeof *slots);
    bool ok = slots;
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot *slot = &slots[i];
        *slot = s->slots[i];
        slot->key = tr__merge_string(m, l, slot->key);
        if (slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type)) {
            slot->column = map_column(m, l, slot);
            ok = slot->column != UINT32_MAX;
        }
    }
    if (ok) {
        const struct tr_shape out = { slots, s->n_slots, s->ph };
        *to = tr_dict_need_shape(m->dict, &out);
        ok = *to != TR_NUMBER_UNKNOWN;
    }
    free(slots);
    return ok;
}

static void number_value(struct tr__merge *m, struct tr__lane *l, uint32_t column, size_t first,
                         size_t end)
{
    for (size_t k = first; k < end; k++) {
        const struct tr__novelty *x = &l->novelties[k];
        if (x->column != column)
            continue;
        if (column == TR_COL_LAUNCH_TRACK)
            tr__merge_track(m, l, x->value);
        else
            tr__merge_string(m, l, x->value);
    }
}

enum tr_status tr__lane_number(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    size_t i = l->at, first = l->next_novelty, end = first;
    while (end < l->n_novelties && l->novelties[end].event == i - l->start)
        end++;
    l->next_novelty = end;
    tr__merge_track(m, l, b->track[i]);
    if (l->wanted.fixed & TR_FIXED_BIT(NAME))
        tr__merge_string(m, l, b->name[i]);
    if (l->wanted.fixed & TR_FIXED_BIT(CAT))
        tr__merge_string(m, l, b->cat[i]);
    if (!tr__lane_shape(m, l, b->shape[i]))
        return tr_fail_memory(err);
    for (uint32_t c = 0; c < TR_N_DERIVED && first < end; c++)
        number_value(m, l, c, first, end);
    const struct tr_shape *s = &l->in->dict->shapes[b->shape[i]];
    for (uint32_t k = 0; k < s->n_slots && first < end; k++)
        if (s->slots[k].role == TR_ROLE_COLUMN && s->slots[k].column != UINT32_MAX)
            number_value(m, l, s->slots[k].column, first, end);
    return m->failed ? tr_fail_memory(err) : TR_OK;
}

enum tr_status tr__lane_short(const struct tr__lane *l, uint32_t column, struct tr_error *err)
{
    tr_error_input(err, l->in->name);
    return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do",
                   tr_dict_str(l->in->dict, l->in->dict->columns[column].key));
}

/* ---- batches ---- */

static void now_known(struct tr__numbers *t, uint32_t number)
{
    uint32_t *first = &t->first.to[(uint32_t)(number + 1)];
    t->n_known += *first != 0;
    *first = 0;
}

/* Mark the events of a fixed column that use a number first. */
static bool mark_fixed(struct tr__lane *l, struct tr__numbers *t, const uint32_t *v)
{
    const size_t n = l->end - l->start;
    bool any = false;
    v += l->start;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *first = &t->first.to[(uint32_t)(v[i] + 1)];
        if (*first > i + 1) {
            *first = i + 1;
            l->fresh[i] = 1;
            any = true;
        }
    }
    return any;
}

/* The numbers seen in this part are known from now on. */
static void known_fixed(const struct tr__lane *l, struct tr__numbers *t, const uint32_t *v)
{
    for (size_t i = l->start; i < l->end; i++)
        now_known(t, v[i]);
}

static bool add_novelty(struct tr__lane *l, uint32_t event, uint32_t column, uint32_t value)
{
    if (!tr_grow(&l->novelties, &l->cap_novelties, l->n_novelties + 1, sizeof *l->novelties))
        return false;
    l->novelties[l->n_novelties++] = (struct tr__novelty){ event, column, value };
    l->fresh[event] = 1;
    return true;
}

/* The same for a packed column of strings, or of tracks. */
static bool mark_packed(struct tr__lane *l, const struct tr__present *p)
{
    const struct tr_col *col = &l->b->cols[p->column];
    const uint32_t *str = col->v.str + l->cursor[p->column];
    const int64_t *i64 = col->v.i64 + l->cursor[p->column];
    bool tracks = p->column == TR_COL_LAUNCH_TRACK;
    struct tr__numbers *t = tracks ? &l->tracks : &l->strings;
    const uint16_t *event = NULL;
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t value = tracks ? (uint32_t)i64[k] : str[k],
                 *first = &t->first.to[(uint32_t)(value + 1)];
        if (*first == 0)
            continue;
        if (!event && !(event = tr__layout_events(&l->layout, p)))
            return false;
        if (*first > event[k] + 1u) {
            *first = event[k] + 1u;
            if (!add_novelty(l, event[k], p->column, value))
                return false;
        }
    }
    return true;
}

/* Does a wanted column of a batch have numbers of strings or tracks? */
static bool has_numbers(const struct tr__lane *l, uint32_t column)
{
    return column < l->b->n_cols && l->b->cols[column].n && tr__wanted_has(&l->wanted, column) &&
           (column == TR_COL_LAUNCH_TRACK || tr_type_is_string(l->in->dict->columns[column].type));
}

/* Is the layout needed before events are moved?  Only for packed columns with numbers; derived columns use flags. */
static bool needs_layout(const struct tr__lane *l)
{
    for (uint32_t c = TR_N_DERIVED; c < l->b->n_cols; c++)
        if (has_numbers(l, c))
            return true;
    return false;
}

/* As mark_packed for a derived column, without a layout. */
static enum tr_status mark_derived(struct tr__lane *l, uint32_t column, struct tr_error *err)
{
    const struct tr_col *col = &l->b->cols[column];
    const uint8_t *flags = l->b->flags + l->start, flag = l->in->dict->columns[column].flag;
    const size_t n = l->end - l->start;
    bool track = column == TR_COL_LAUNCH_TRACK;
    struct tr__numbers *t = track ? &l->tracks : &l->strings;
    size_t at = l->cursor[column];
    for (uint32_t i = 0; i < n; i++) {
        if (!(flags[i] & flag))
            continue;
        if (at == col->n)
            return tr__lane_short(l, column, err);
        uint32_t value = track ? (uint32_t)col->v.i64[at] : col->v.str[at];
        uint32_t *first = &t->first.to[(uint32_t)(value + 1)];
        at++;
        if (*first > i + 1) {
            *first = i + 1;
            if (!add_novelty(l, i, column, value))
                return tr_fail_memory(err);
        }
    }
    return TR_OK;
}

TR_ORDER(by_event, struct tr__novelty, TR_UP(event), TR_UP(column))

/* The packed columns; with a layout it has been made. */
static enum tr_status mark_columns(struct tr__lane *l, bool layout, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (uint32_t c = 0; !layout && c < TR_N_DERIVED && st == TR_OK; c++)
        if (has_numbers(l, c))
            st = mark_derived(l, c, err);
    for (size_t i = 0; layout && i < l->layout.n_present && st == TR_OK; i++) {
        const struct tr__present *p = &l->layout.present[i];
        if (has_numbers(l, p->column) && !mark_packed(l, p))
            st = tr_fail_memory(err);
    }
    return st;
}

static enum tr_status mark_all(struct tr__lane *l, bool layout, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    if (!tr_grow(&l->fresh, &l->cap_fresh, l->end - l->start, 1))
        return tr_fail_memory(err);
    memset(l->fresh, 0, l->end - l->start);
    l->n_novelties = l->next_novelty = 0;
    const struct tr_dict *d = l->in->dict;
    bool tracks = l->tracks.n_known < d->n_tracks && mark_fixed(l, &l->tracks, b->track),
         shapes = l->shapes.n_known < d->n_shapes && mark_fixed(l, &l->shapes, b->shape),
         names = l->wanted.fixed & TR_FIXED_BIT(NAME) && mark_fixed(l, &l->strings, b->name),
         cats = l->wanted.fixed & TR_FIXED_BIT(CAT) && mark_fixed(l, &l->strings, b->cat);
    enum tr_status st = mark_columns(l, layout, err);
    if (tracks)
        known_fixed(l, &l->tracks, b->track);
    if (shapes)
        known_fixed(l, &l->shapes, b->shape);
    if (names)
        known_fixed(l, &l->strings, b->name);
    if (cats)
        known_fixed(l, &l->strings, b->cat);
    for (size_t k = 0; k < l->n_novelties; k++) {
        bool track = l->novelties[k].column == TR_COL_LAUNCH_TRACK;
        now_known(track ? &l->tracks : &l->strings, l->novelties[k].value);
    }
    if (l->n_novelties)
        qsort(l->novelties, l->n_novelties, sizeof *l->novelties, by_event);
    return st;
}

/* Does each packed column have an entry for each event that should have one? */
static enum tr_status check_entries(const struct tr__lane *l, struct tr_error *err)
{
    for (size_t i = 0; i < l->layout.n_present; i++) {
        const struct tr__present *p = &l->layout.present[i];
        if (!tr__wanted_has(&l->wanted, p->column))
            continue;
        if (p->column >= l->b->n_cols || l->b->cols[p->column].n < l->cursor[p->column] + p->n)
            return tr__lane_short(l, p->column, err);
    }
    return TR_OK;
}

/* Do times and ends of the part stay in range after the shift?  The last event is the latest one. */
bool tr__lane_ends_fit(const struct tr__lane *l)
{
    const struct tr_batch *b = l->b;
    int64_t last = b->ts[l->end - 1];
    if (last != TR_TIME_NONE && tr_time_sum(last, l->shift) == TR_TIME_NONE)
        return false;
    for (size_t i = l->start; b->dur && b->suspect && i < l->end; i++)
        if (b->ts[i] != TR_TIME_NONE && b->suspect[i] == TR_SUSPECT_NO && b->dur[i] > 0 &&
            tr_time_sum(b->ts[i] + b->dur[i], l->shift) == TR_TIME_NONE)
            return false;
    return true;
}

bool tr__lane_numbers_grow(struct tr__lane *l)
{
    const struct tr_dict *d = l->in->dict;
    return numbers_grow(&l->strings, tr_strtab_count(d->strings)) && numbers_grow(&l->tracks, d->n_tracks) &&
           numbers_grow(&l->shapes, d->n_shapes);
}

/* Start the next part of the batch. */
static enum tr_status next_part(struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *b = l->b;
    const struct tr_dict *d = l->in->dict;
    l->start = l->from = l->at = l->end;
    l->end = b->n - l->start > TR_MAX_EVENTS ? l->start + TR_MAX_EVENTS : b->n;
    if (!tr__lane_numbers_grow(l))
        return tr_fail_memory(err);
    bool layout = needs_layout(l);
    enum tr_status st = TR_OK;
    if (layout)
        st = tr__layout_make(&l->layout, d, b->shape + l->start, b->flags + l->start, l->end - l->start, SIZE_MAX,
                             err);
    if (layout && st == TR_OK)
        st = check_entries(l, err);
    if (st == TR_OK)
        st = mark_all(l, layout, err);
    if (st == TR_OK && l->shift && !tr__lane_ends_fit(l))
        st = tr__merge_too_far(l, err);
    return st;
}

enum tr_status tr__lane_fetch(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    do {
        enum tr_status st = tr_input_next(l->in, &l->b, err);
        if (st != TR_OK) {
            l->b = NULL;
            return st;
        }
    } while (l->b->n == 0);
    refresh_tracks(m, l);
    return m->failed ? tr_fail_memory(err) : TR_OK;
}

enum tr_status tr__lane_more(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    if (l->b && l->end < l->b->n)
        return next_part(l, err);
    enum tr_status st = tr__lane_fetch(m, l, err);
    if (st != TR_OK)
        return st;
    l->end = 0;
    if (!tr_grow(&l->cursor, &l->cap_cursor, l->in->dict->n_columns, sizeof *l->cursor) ||
        !tr__wanted_learn(&l->wanted, l->in->dict))
        return tr_fail_memory(err);
    memset(l->cursor, 0, l->cap_cursor * sizeof *l->cursor);
    return next_part(l, err);
}
