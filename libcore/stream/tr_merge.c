#include "stream/tr_merge_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void merge_close(void *self)
{
    struct tr__merge *m = self;
    for (size_t i = 0; i < m->n; i++) {
        struct tr__lane *l = &m->lanes[i];
        tr_input_close(l->in);
        for (size_t k = 0; k < l->n_moves; k++)
            free(l->moves[k].m);
        free(l->moves);
        free(l->cursor);
        free(l->strings);
        free(l->tracks);
        free(l->sources);
    }
    free(m->lanes);
    free(m->heap);
    tr_dict_free(m->dict);
    tr_summary_free(m->summary);
    tr_provenance_free(m->provenance);
    tr_strtab_free(m->columns);
    tr_strtab_free(m->shapes);
    tr_batch_free(m->batch);
    free(m);
}

/* A table of numbers grows with its dictionary; new entries are unknown. */
static bool grow_map(uint32_t **map, size_t *n, size_t *cap, size_t want)
{
    if (want <= *n)
        return true;
    if (!tr_grow(map, cap, want, sizeof **map))
        return false;
    memset(*map + *n, 0xff, (*cap - *n) * sizeof **map);
    *n = *cap;
    return true;
}

uint32_t tr__merge_string(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    if (id == TR_NO_STR)
        return id;
    if (!grow_map(&l->strings, &l->n_strings, &l->cap_strings, id + (size_t)1)) {
        m->failed = true;
        return TR_NO_STR;
    }
    if (l->strings[id] == TR_NO_STR) {
        const struct tr_strtab *s = l->in->dict->strings;
        l->strings[id] = tr_strtab_add(m->dict->strings, tr_strtab_get(s, id), tr_strtab_len(s, id));
        m->failed |= l->strings[id] == TR_NO_STR;
    }
    return l->strings[id];
}

/* The number in the result of a clock; one without a row stays as it is. */
static uint32_t clock_number(const struct tr__lane *l, uint32_t clock)
{
    return clock && clock <= l->in->dict->n_clocks ? clock + l->first_clock : clock;
}

/* All clocks of an input, moved by the shift of their source. */
enum tr_status tr__merge_clocks(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    l->first_clock = (uint32_t)m->dict->n_clocks;
    for (size_t i = 0; i < l->in->dict->n_clocks; i++) {
        struct tr_clock c = l->in->dict->clocks[i];
        const struct tr__lane_source *s = &l->sources[c.source];
        c.source = s->number;
        c.before = clock_number(l, c.before);
        if (!tr__merge_time(&c.origin, s->shift) || !tr__merge_time(&c.first_ts, s->shift) ||
            !tr__merge_time(&c.last_end, s->shift))
            return tr__merge_too_far(l, err);
        if (tr_dict_add_clock(m->dict, &c) == UINT32_MAX)
            return tr_fail_memory(err);
    }
    return TR_OK;
}

/* The row of a track as it is now, with the numbers of the result. */
static struct tr_track track_row(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    struct tr_track t = l->in->dict->tracks[id];
    if (t.pid_type == TR_T_STRING)
        t.pid = tr__merge_string(m, l, (uint32_t)t.pid);
    if (t.tid_type == TR_T_STRING || (t.tid_type == TR_T_NULL && t.pid_type == TR_T_STRING))
        t.tid = tr__merge_string(m, l, (uint32_t)t.tid);
    t.source = l->sources[t.source].number;
    t.clock = clock_number(l, t.clock);
    t.process_name = tr__merge_string(m, l, t.process_name); /* in the order in which readers meet them */
    t.labels = tr__merge_string(m, l, t.labels);
    t.thread_name = tr__merge_string(m, l, t.thread_name);
    return t;
}

uint32_t tr__merge_track(struct tr__merge *m, struct tr__lane *l, uint32_t id)
{
    if (!grow_map(&l->tracks, &l->n_tracks, &l->cap_tracks, id + (size_t)1)) {
        m->failed = true;
        return UINT32_MAX;
    }
    if (l->tracks[id] == UINT32_MAX) { /* no two inputs share a source, and so none a track */
        struct tr_track t = track_row(m, l, id);
        l->tracks[id] = tr_dict_add_track(m->dict, &t);
        m->failed |= l->tracks[id] == UINT32_MAX;
    }
    return l->tracks[id];
}

/* Names of tracks may become known, or change, between batches. */
static void refresh_tracks(struct tr__merge *m, struct tr__lane *l)
{
    for (uint32_t id = 0; id < l->n_tracks; id++)
        if (l->tracks[id] != UINT32_MAX)
            m->dict->tracks[l->tracks[id]] = track_row(m, l, id);
}

static uint32_t map_column(struct tr__merge *m, const struct tr_slot *slot)
{
    struct tr_column c = { .key = slot->key, .place = slot->place, .type = slot->type };
    const uint64_t content = (uint64_t)slot->key << 32 | (uint64_t)slot->place << 8 | slot->type;
    uint32_t before = tr_strtab_count(m->columns);
    uint32_t id = tr_strtab_add(m->columns, &content, sizeof content);
    if (id == TR_NO_STR || (id == before && tr_dict_add_column(m->dict, &c) == UINT32_MAX)) {
        m->failed = true;
        return UINT32_MAX;
    }
    return id + TR_N_DERIVED;
}

/* Give a shape its number in the result, and learn how its values move. */
static bool make_moves(struct tr__merge *m, struct tr__lane *l, uint32_t shape)
{
    if (shape < l->n_moves && l->moves[shape].made)
        return true;
    if (shape >= l->n_moves) {
        if (!tr_grow(&l->moves, &l->cap_moves, shape + (size_t)1, sizeof *l->moves))
            return false;
        memset(l->moves + l->n_moves, 0, (l->cap_moves - l->n_moves) * sizeof *l->moves);
        l->n_moves = l->cap_moves;
    }
    const struct tr_shape *s = &l->in->dict->shapes[shape];
    struct tr__moves *mv = &l->moves[shape];
    struct tr_slot *slots = calloc(s->n_slots + (size_t)1, sizeof *slots);
    uint64_t *content = calloc(2 * (size_t)s->n_slots + 1, sizeof *content);
    mv->m = calloc(s->n_slots + (size_t)1, sizeof *mv->m);
    bool ok = slots && content && mv->m;
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot *slot = &slots[i];
        *slot = s->slots[i];
        slot->key = tr__merge_string(m, l, slot->key);
        if (slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type)) {
            uint32_t from = slot->column;
            slot->column = map_column(m, slot);
            mv->m[mv->n++] = (struct tr__move){ from, slot->column, tr_type_is_string(slot->type) };
        }
        content[2 * i] = (uint64_t)slot->key << 32 | slot->column;
        content[2 * i + 1] = (uint64_t)slot->place << 16 | (uint64_t)slot->role << 8 | slot->type;
    }
    if (ok) {
        struct tr_shape out = { slots, s->n_slots, s->ph };
        uint32_t before = tr_strtab_count(m->shapes);
        content[2 * (size_t)s->n_slots] = (unsigned char)s->ph;
        mv->shape = tr_strtab_add(m->shapes, content, (2 * (size_t)s->n_slots + 1) * sizeof *content);
        ok = mv->shape != TR_NO_STR &&
             (mv->shape != before || tr_dict_add_shape(m->dict, &out) != UINT32_MAX);
        mv->made = ok;
    }
    free(slots);
    free(content);
    return ok;
}

static bool put(struct tr_batch *b, uint32_t column, int64_t v)
{
    struct tr_col *c = &b->cols[column];
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1, TR_T_INT))
        return false;
    c->v.i64[c->n++] = v;
    return true;
}

static bool put_string(struct tr_batch *b, uint32_t column, uint32_t v)
{
    struct tr_col *c = &b->cols[column];
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1, TR_T_STRING))
        return false;
    c->v.str[c->n++] = v;
    return true;
}

static int64_t take(struct tr__lane *l, uint32_t column)
{
    return l->b->cols[column].v.i64[l->cursor[column]++];
}

static uint32_t take_string(struct tr__merge *m, struct tr__lane *l, uint32_t column)
{
    return tr__merge_string(m, l, l->b->cols[column].v.str[l->cursor[column]++]);
}

/* The derived values of the lane's event. */
static enum tr_status move_derived(struct tr__merge *m, struct tr__lane *l, unsigned flags,
                                   int64_t shift, struct tr_error *err)
{
    struct tr_batch *b = m->batch;
    bool ok = true;
    if (flags & TR_HAS_LAUNCH) {
        int64_t ts = take(l, TR_COL_LAUNCH_TS);
        if (!tr__merge_time(&ts, shift))
            return tr__merge_too_far(l, err);
        ok = put(b, TR_COL_LAUNCH_TS, ts) &&
             put(b, TR_COL_LAUNCH_DUR, take(l, TR_COL_LAUNCH_DUR)) &&
             put(b, TR_COL_LAUNCH_RECORD, take(l, TR_COL_LAUNCH_RECORD)) &&
             put(b, TR_COL_LAUNCH_TRACK,
                 tr__merge_track(m, l, (uint32_t)take(l, TR_COL_LAUNCH_TRACK))) &&
             put_string(b, TR_COL_LAUNCH_NAME, take_string(m, l, TR_COL_LAUNCH_NAME));
    }
    if (flags & TR_HAS_DEVICE)
        ok = ok && put(b, TR_COL_N_DEVICE, take(l, TR_COL_N_DEVICE));
    if (flags & TR_HAS_CLASS)
        ok = ok && put_string(b, TR_COL_CLASS, take_string(m, l, TR_COL_CLASS));
    if (flags & TR_FROM_BE)
        ok = ok && put(b, TR_COL_END_RECORD, take(l, TR_COL_END_RECORD));
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Append the event that the lane stands at to the batch. */
static enum tr_status move_event(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_batch *from = l->b;
    struct tr_batch *b = m->batch;
    size_t i = l->at, k = b->n;
    uint32_t shape = from->shape[i], source = from->dict->tracks[from->track[i]].source;
    b->track[k] = tr__merge_track(m, l, from->track[i]);
    b->name[k] = tr__merge_string(m, l, from->name[i]);
    b->cat[k] = tr__merge_string(m, l, from->cat[i]);
    if (!make_moves(m, l, shape) ||
        (b->n_cols < m->dict->n_columns && !tr_batch_reserve_cols(b, m->dict->n_columns)))
        return tr_fail_memory(err);
    const struct tr__moves *mv = &l->moves[shape];
    b->ts[k] = l->key.ts;
    b->dur[k] = from->dur[i];
    b->record[k] = from->record[i];
    b->shape[k] = mv->shape;
    b->phase[k] = from->phase[i];
    b->activity[k] = from->activity[i];
    b->kind[k] = from->kind[i];
    b->suspect[k] = from->suspect[i];
    b->flags[k] = from->flags[i];
    if (from->flags[i]) {
        enum tr_status st = move_derived(m, l, from->flags[i], l->sources[source].shift, err);
        if (st != TR_OK)
            return st;
    }
    bool ok = true;
    for (size_t c = 0; c < mv->n && ok; c++) {
        const struct tr__move *x = &mv->m[c];
        ok = x->is_string ? put_string(b, x->to, take_string(m, l, x->from))
                          : put(b, x->to, take(l, x->from));
    }
    b->n++;
    return ok && !m->failed ? TR_OK : tr_fail_memory(err);
}

/* The lane's next batch that holds events.  TR_END: there is none. */
static enum tr_status next_batch(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    do {
        enum tr_status st = tr_input_next(l->in, &l->b, err);
        if (st != TR_OK)
            return st;
    } while (l->b->n == 0);
    l->at = 0;
    if (!tr_grow(&l->cursor, &l->cap_cursor, l->b->n_cols + 1, sizeof *l->cursor))
        return tr_fail_memory(err);
    memset(l->cursor, 0, l->cap_cursor * sizeof *l->cursor);
    refresh_tracks(m, l);
    return m->failed ? tr_fail_memory(err) : TR_OK;
}

/* Bring the lane to its next event.  TR_END: it has no more. */
static enum tr_status step(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    if (!l->b || ++l->at >= l->b->n) {
        enum tr_status st = next_batch(m, l, err);
        if (st != TR_OK)
            return st;
    }
    l->key = tr_order_key(l->b, l->at);
    const struct tr__lane_source *s = &l->sources[l->key.source];
    l->order = s->order;
    l->key.source = s->number;
    return tr__merge_time(&l->key.ts, s->shift) ? TR_OK : tr__merge_too_far(l, err);
}

/* Canonical order; what it cannot tell apart stays in the order of the inputs. */
static bool before(const struct tr__lane *a, const struct tr__lane *b)
{
    int c = tr_order_cmp(a->key.ts, a->key.dur, b->key.ts, b->key.dur);
    if (c)
        return c < 0;
    if (a->order != b->order)
        return a->order < b->order;
    if (a->key.record != b->key.record)
        return a->key.record < b->key.record;
    return a->key.source < b->key.source;
}

static void sift_down(struct tr__merge *m)
{
    struct tr__lane *x = m->heap[0];
    size_t i = 0, c;
    while ((c = 2 * i + 1) < m->n_heap) {
        if (c + 1 < m->n_heap && before(m->heap[c + 1], m->heap[c]))
            c++;
        if (!before(m->heap[c], x))
            break;
        m->heap[i] = m->heap[c];
        i = c;
    }
    m->heap[i] = x;
}

static void push(struct tr__merge *m, struct tr__lane *x)
{
    size_t i = m->n_heap++;
    for (; i > 0 && before(x, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = x;
}

static enum tr_status fill_batch(struct tr__merge *m, struct tr_error *err)
{
    while (m->n_heap > 0 && m->batch->n < TR_BATCH_MAX) {
        struct tr__lane *l = m->heap[0];
        enum tr_status st = move_event(m, l, err);
        if (st == TR_OK)
            st = step(m, l, err);
        if (st == TR_END)
            m->heap[0] = m->heap[--m->n_heap];
        else if (st != TR_OK)
            return st;
        if (m->n_heap > 0)
            sift_down(m);
    }
    return m->batch->n > 0 ? TR_OK : TR_END;
}

static enum tr_status merge_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct tr__merge *m = self;
    if (m->ended == TR_OK) {
        tr_batch_clear(m->batch);
        m->ended = fill_batch(m, err);
        if (m->ended != TR_OK && err)
            m->error = *err;
    } else if (m->ended != TR_END && err) {
        *err = m->error;
    }
    m->batch->dict = m->dict;
    *batch = m->batch;
    return m->ended;
}

static const struct tr_input_ops merge_ops = { merge_next, merge_close };

static enum tr_status open_lanes(struct tr__merge *m, bool renumber, struct tr_error *err)
{
    uint32_t head;
    for (size_t i = 0; i < m->n; i++) {
        struct tr__lane *l = &m->lanes[i];
        if (!l->in->sorted) {
            tr_error_input(err, l->in->name);
            return tr_fail(err, TR_DAMAGED, "not in canonical order: cannot be merged");
        }
        if (!tr_provenance_append(m->provenance, l->in->provenance, &head))
            return tr_fail_memory(err);
    }
    enum tr_status st = tr__merge_sources(m, renumber, err);
    for (size_t i = 0; i < m->n && st == TR_OK; i++) {
        st = step(m, &m->lanes[i], err);
        if (st == TR_OK)
            push(m, &m->lanes[i]);
        st = st == TR_END ? TR_OK : st;
    }
    return st;
}

static bool allocate(struct tr__merge *m)
{
    m->heap = calloc(m->n, sizeof(struct tr__lane *));
    m->dict = tr_dict_new();
    m->provenance = tr_provenance_new();
    m->columns = tr_strtab_new();
    m->shapes = tr_strtab_new();
    m->batch = tr_batch_new();
    return m->heap && m->dict && m->provenance && m->columns && m->shapes && m->batch &&
           tr_batch_reserve(m->batch, TR_BATCH_MAX);
}

enum tr_status tr_merge_open(struct tr_input **out, struct tr_input *const *inputs, size_t n,
                             const struct tr_merge_opts *opts, struct tr_error *err)
{
    struct tr__merge *m = calloc(1, sizeof *m);
    struct tr__lane *lanes = calloc(n, sizeof *lanes);
    if (!m || !lanes) {
        for (size_t i = 0; i < n; i++)
            tr_input_close(inputs[i]);
        free(m);
        free(lanes);
        return tr_fail_memory(err);
    }
    m->lanes = lanes;
    m->n = n;
    for (size_t i = 0; i < n; i++)
        lanes[i].in = inputs[i];
    enum tr_status st = allocate(m) ? open_lanes(m, opts && opts->renumber, err) : tr_fail_memory(err);
    if (st != TR_OK) {
        merge_close(m);
        return st;
    }
    m->input = (struct tr_input){ .ops = &merge_ops,
                                  .self = m,
                                  .dict = m->dict,
                                  .summary = m->summary,
                                  .provenance = m->provenance,
                                  .sorted = true,
                                  .name = "merged inputs" };
    *out = &m->input;
    return TR_OK;
}
