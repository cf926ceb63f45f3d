#include "stream/tr_merge.h"

#include "base/tr_mem.h"
#include "stream/tr_order.h"
#include "stream/tr_provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How an event's packed values move: from a column of the input to one of the result. */
struct move {
    uint32_t from, to;
    bool is_string;
};
struct moves {
    bool made;
    uint32_t shape; /* in the result */
    size_t n;
    struct move *m;
};

/* One input, the event it stands at, and what its numbers are in the result. */
struct lane {
    struct tr_input *in;
    const struct tr_batch *b;
    size_t at;
    size_t *cursor; /* by column: entries of the batch that lie behind */
    size_t cap_cursor;
    uint32_t *strings, *tracks;
    size_t n_strings, cap_strings, n_tracks, cap_tracks;
    struct moves *moves; /* by shape */
    size_t n_moves, cap_moves;
    uint32_t *sources; /* number of a source in the result */
    int64_t *shift;    /* by source: added to its times */
    struct tr_order_key key;
};

struct merge {
    struct tr_input input;
    struct lane *lanes;
    size_t n;
    struct lane **heap;
    size_t n_heap;
    struct tr_dict *dict;
    struct tr_summary *summary;
    struct tr_provenance *provenance;
    struct tr_strtab *columns, *shapes, *tracks; /* distinct by content */
    struct tr_batch *batch;
    bool failed; /* memory ran out */
};

static void merge_close(void *self)
{
    struct merge *m = self;
    for (size_t i = 0; i < m->n; i++) {
        struct lane *l = &m->lanes[i];
        tr_input_close(l->in);
        for (size_t k = 0; k < l->n_moves; k++)
            free(l->moves[k].m);
        free(l->moves);
        free(l->cursor);
        free(l->strings);
        free(l->tracks);
        free(l->sources);
        free(l->shift);
    }
    free(m->lanes);
    free(m->heap);
    tr_dict_free(m->dict);
    tr_summary_free(m->summary);
    tr_provenance_free(m->provenance);
    tr_strtab_free(m->columns);
    tr_strtab_free(m->shapes);
    tr_strtab_free(m->tracks);
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

static uint32_t map_string(struct merge *m, struct lane *l, uint32_t id)
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

static uint32_t map_track(struct merge *m, struct lane *l, uint32_t id)
{
    if (!grow_map(&l->tracks, &l->n_tracks, &l->cap_tracks, id + (size_t)1)) {
        m->failed = true;
        return TR_NO_STR;
    }
    if (l->tracks[id] != TR_NO_STR)
        return l->tracks[id];
    struct tr_track t = l->in->dict->tracks[id];
    if (t.pid_type == TR_T_STRING)
        t.pid = map_string(m, l, (uint32_t)t.pid);
    if (t.tid_type == TR_T_STRING || (t.tid_type == TR_T_NULL && t.pid_type == TR_T_STRING))
        t.tid = map_string(m, l, (uint32_t)t.tid);
    t.source = l->sources[t.source];
    t.process_name = map_string(m, l, t.process_name);
    t.thread_name = map_string(m, l, t.thread_name);
    t.labels = map_string(m, l, t.labels);
    const int64_t content[] = { t.source, t.side, t.pid_type, t.tid_type, t.pid, t.tid, t.device,
                                t.context, t.stream, t.clock };
    uint32_t before = tr_strtab_count(m->tracks), n = tr_strtab_add(m->tracks, content, sizeof content);
    if (n == TR_NO_STR || (n == before && tr_dict_add_track(m->dict, &t) == UINT32_MAX))
        m->failed = true;
    return l->tracks[id] = n;
}

static uint32_t map_column(struct merge *m, const struct tr_slot *slot)
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
static bool make_moves(struct merge *m, struct lane *l, uint32_t shape)
{
    if (shape >= l->n_moves) {
        if (!tr_grow(&l->moves, &l->cap_moves, shape + (size_t)1, sizeof *l->moves))
            return false;
        memset(l->moves + l->n_moves, 0, (l->cap_moves - l->n_moves) * sizeof *l->moves);
        l->n_moves = l->cap_moves;
    }
    const struct tr_shape *s = &l->in->dict->shapes[shape];
    struct moves *mv = &l->moves[shape];
    struct tr_slot *slots = calloc(s->n_slots + (size_t)1, sizeof *slots);
    uint64_t *content = calloc(2 * (size_t)s->n_slots + 1, sizeof *content);
    mv->m = calloc(s->n_slots + (size_t)1, sizeof *mv->m);
    bool ok = slots && content && mv->m;
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot *slot = &slots[i];
        *slot = s->slots[i];
        slot->key = map_string(m, l, slot->key);
        if (slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type)) {
            uint32_t from = slot->column;
            slot->column = map_column(m, slot);
            mv->m[mv->n++] = (struct move){ from, slot->column, tr_type_is_string(slot->type) };
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
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1024, TR_T_INT))
        return false;
    c->v.i64[c->n++] = v;
    return true;
}

static bool put_string(struct tr_batch *b, uint32_t column, uint32_t v)
{
    struct tr_col *c = &b->cols[column];
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1024, TR_T_STRING))
        return false;
    c->v.str[c->n++] = v;
    return true;
}

static int64_t take(struct lane *l, uint32_t column)
{
    return l->b->cols[column].v.i64[l->cursor[column]++];
}

/* Does a time stay in range when it is moved?  shift is not negative. */
static bool fits(int64_t t, int64_t shift)
{
    return t == TR_TIME_NONE || t < 0 || t <= INT64_MAX - shift;
}

static int64_t moved(int64_t t, int64_t shift)
{
    if (t == TR_TIME_NONE)
        return t;
    return fits(t, shift) ? t + shift : INT64_MAX;
}

/* The derived values of the lane's event. */
static bool move_derived(struct merge *m, struct lane *l, unsigned flags, int64_t shift)
{
    struct tr_batch *b = m->batch;
    bool ok = true;
    if (flags & TR_HAS_LAUNCH) {
        ok = put(b, TR_COL_LAUNCH_TS, moved(take(l, TR_COL_LAUNCH_TS), shift)) &&
             put(b, TR_COL_LAUNCH_DUR, take(l, TR_COL_LAUNCH_DUR)) &&
             put(b, TR_COL_LAUNCH_RECORD, take(l, TR_COL_LAUNCH_RECORD)) &&
             put(b, TR_COL_LAUNCH_TRACK, map_track(m, l, (uint32_t)take(l, TR_COL_LAUNCH_TRACK))) &&
             put_string(b, TR_COL_LAUNCH_NAME,
                        map_string(m, l, l->b->cols[TR_COL_LAUNCH_NAME].v.str[l->cursor[TR_COL_LAUNCH_NAME]++]));
    }
    if (flags & TR_HAS_DEVICE)
        ok = ok && put(b, TR_COL_N_DEVICE, take(l, TR_COL_N_DEVICE));
    if (flags & TR_HAS_CLASS)
        ok = ok && put_string(b, TR_COL_CLASS,
                              map_string(m, l, l->b->cols[TR_COL_CLASS].v.str[l->cursor[TR_COL_CLASS]++]));
    if (flags & TR_FROM_BE)
        ok = ok && put(b, TR_COL_END_RECORD, take(l, TR_COL_END_RECORD));
    return ok;
}

/* Append the event that the lane stands at to the batch. */
static bool move_event(struct merge *m, struct lane *l)
{
    const struct tr_batch *from = l->b;
    struct tr_batch *b = m->batch;
    size_t i = l->at, k = b->n;
    uint32_t shape = from->shape[i], source = from->dict->tracks[from->track[i]].source;
    int64_t shift = l->shift[source];
    b->track[k] = map_track(m, l, from->track[i]);
    b->name[k] = map_string(m, l, from->name[i]);
    b->cat[k] = map_string(m, l, from->cat[i]);
    if ((shape >= l->n_moves || !l->moves[shape].made) && !make_moves(m, l, shape))
        return false;
    if (b->n_cols < m->dict->n_columns && !tr_batch_reserve_cols(b, m->dict->n_columns))
        return false;
    const struct moves *mv = &l->moves[shape];
    b->ts[k] = moved(from->ts[i], shift);
    b->dur[k] = from->dur[i];
    b->record[k] = from->record[i];
    b->shape[k] = mv->shape;
    b->phase[k] = from->phase[i];
    b->activity[k] = from->activity[i];
    b->kind[k] = from->kind[i];
    b->suspect[k] = from->suspect[i];
    b->flags[k] = from->flags[i];
    if (from->flags[i] && !move_derived(m, l, from->flags[i], shift))
        return false;
    for (size_t c = 0; c < mv->n; c++) {
        const struct move *x = &mv->m[c];
        size_t *cursor = &l->cursor[x->from];
        bool ok = x->is_string
                      ? put_string(b, x->to, map_string(m, l, from->cols[x->from].v.str[*cursor]))
                      : put(b, x->to, from->cols[x->from].v.i64[*cursor]);
        if (!ok)
            return false;
        ++*cursor;
    }
    b->n++;
    return !m->failed;
}

/* Bring the lane to its next event.  TR_END: it has no more. */
static enum tr_status step(struct lane *l, bool first, struct tr_error *err)
{
    if (!first)
        l->at++;
    while (first || l->at >= l->b->n) {
        enum tr_status st = tr_input_next(l->in, &l->b, err);
        if (st != TR_OK)
            return st;
        first = false;
        l->at = 0;
        if (!tr_grow(&l->cursor, &l->cap_cursor, l->b->n_cols + 1, sizeof *l->cursor))
            return tr_fail_memory(err);
        memset(l->cursor, 0, l->cap_cursor * sizeof *l->cursor);
    }
    l->key = tr_order_key(l->b, l->at);
    if (!fits(l->key.ts, l->shift[l->key.source])) {
        tr_error_input(err, l->in->name);
        return tr_fail(err, TR_DAMAGED, "time of record %llu too large for the common time base",
                       (unsigned long long)l->key.record);
    }
    l->key.ts = moved(l->key.ts, l->shift[l->key.source]);
    l->key.source = l->sources[l->key.source]; /* sources of the result stand in order */
    return TR_OK;
}

static bool before(const struct lane *a, const struct lane *b)
{
    int c = tr_order_cmp(a->key.ts, a->key.dur, b->key.ts, b->key.dur);
    if (c)
        return c < 0;
    if (a->key.source != b->key.source)
        return a->key.source < b->key.source;
    return a->key.record < b->key.record;
}

static void sift_down(struct merge *m)
{
    struct lane *x = m->heap[0];
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

static void push(struct merge *m, struct lane *x)
{
    size_t i = m->n_heap++;
    for (; i > 0 && before(x, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = x;
}

static enum tr_status merge_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct merge *m = self;
    tr_batch_clear(m->batch);
    while (m->n_heap > 0 && m->batch->n < TR_BATCH_MAX) {
        struct lane *l = m->heap[0];
        if (!move_event(m, l))
            return tr_fail_memory(err);
        enum tr_status st = step(l, false, err);
        if (st == TR_END)
            m->heap[0] = m->heap[--m->n_heap];
        else if (st != TR_OK)
            return st;
        if (m->n_heap > 0)
            sift_down(m);
    }
    m->batch->dict = m->dict;
    *batch = m->batch;
    return m->batch->n > 0 ? TR_OK : TR_END;
}

static const struct tr_input_ops merge_ops = { merge_next, merge_close };

/* A source of one of the inputs. */
struct origin {
    struct lane *lane;
    uint32_t number;
};

static bool add_source(struct merge *m, const struct origin *o, int64_t base)
{
    const struct tr_source *from = &o->lane->in->dict->sources[o->number];
    struct tr_source s = *from;
    size_t n = s.n_header ? s.n_header : 1;
    s.header_keys = calloc(n, sizeof *s.header_keys);
    s.header_values = calloc(n, sizeof *s.header_values);
    bool ok = s.header_keys && s.header_values;
    s.name = map_string(m, o->lane, from->name);
    s.host = map_string(m, o->lane, from->host);
    s.mesh = map_string(m, o->lane, from->mesh);
    s.format = map_string(m, o->lane, from->format);
    for (uint32_t i = 0; ok && i < s.n_header; i++) {
        s.header_keys[i] = map_string(m, o->lane, from->header_keys[i]);
        s.header_values[i] = map_string(m, o->lane, from->header_values[i]);
    }
    o->lane->shift[o->number] = s.base_ns - base;
    s.base_ns = base;
    ok = ok && tr_dict_add_source(m->dict, &s) != UINT32_MAX;
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

static bool add_summary(struct merge *m, const struct origin *o, size_t at)
{
    struct tr_source_summary *s = &m->summary->sources[at];
    const struct tr_summary *of = o->lane->in->summary;
    if (!of || o->number >= of->n)
        return true;
    int64_t shift = o->lane->shift[o->number];
    *s = of->sources[o->number];
    s->first_ts = moved(s->first_ts, shift);
    s->last_end = moved(s->last_end, shift);
    s->steps = NULL;
    s->n_steps = s->cap_steps = 0;
    for (size_t i = 0; i < of->sources[o->number].n_steps; i++) {
        struct tr_step step = of->sources[o->number].steps[i];
        step.start = moved(step.start, shift);
        step.end = moved(step.end, shift);
        step.track = map_track(m, o->lane, step.track);
        if (!tr_summary_add_step(s, &step))
            return false;
    }
    m->summary->filtered |= of->filtered;
    return true;
}

static int origin_cmp(const struct origin *a, const struct origin *b)
{
    return tr_source_cmp(a->lane->in->dict, a->number, b->lane->in->dict, b->number);
}

/* All sources of all inputs in order; equal ones stay in the order of the inputs. */
static struct origin *list_origins(struct merge *m, size_t *n_out)
{
    size_t n = 0, cap = 0;
    struct origin *all = NULL;
    for (size_t i = 0; i < m->n; i++) {
        for (uint32_t s = 0; s < m->lanes[i].in->dict->n_sources; s++) {
            struct origin o = { &m->lanes[i], s };
            if (!tr_grow(&all, &cap, n + 1, sizeof *all)) {
                free(all);
                return NULL;
            }
            size_t k = n++;
            for (; k > 0 && origin_cmp(&all[k - 1], &o) > 0; k--)
                all[k] = all[k - 1];
            all[k] = o;
        }
    }
    *n_out = n;
    return all;
}

/* Do the times of a source stay in range when they count from base, which is not above its own? */
static bool can_move(const struct origin *o, int64_t base)
{
    const struct tr_summary *of = o->lane->in->summary;
    int64_t own = o->lane->in->dict->sources[o->number].base_ns;
    uint64_t shift = (uint64_t)own - (uint64_t)base;
    if (shift > (uint64_t)INT64_MAX)
        return false;
    return !of || o->number >= of->n || fits(of->sources[o->number].last_end, (int64_t)shift);
}

static enum tr_status make_sources(struct merge *m, struct tr_error *err)
{
    size_t n = 0;
    struct origin *all = list_origins(m, &n);
    enum tr_status st = TR_OK;
    int64_t base = INT64_MAX;
    m->summary = tr_summary_new(n);
    if (!m->summary || (!all && n)) {
        free(all);
        return tr_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        int64_t b = all[i].lane->in->dict->sources[all[i].number].base_ns;
        base = b < base ? b : base;
    }
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        all[i].lane->sources[all[i].number] = (uint32_t)i;
        if (!can_move(&all[i], base)) {
            tr_error_input(err, all[i].lane->in->name);
            st = tr_fail(err, TR_DAMAGED, "time base too far from those of the other inputs");
        } else if (!add_source(m, &all[i], base)) {
            st = tr_fail_memory(err);
        }
    }
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (!add_summary(m, &all[i], i))
            st = tr_fail_memory(err);
    m->summary->sorted = true;
    free(all);
    return st;
}

static enum tr_status open_lanes(struct merge *m, struct tr_error *err)
{
    uint32_t head;
    for (size_t i = 0; i < m->n; i++) {
        struct lane *l = &m->lanes[i];
        size_t n = l->in->dict->n_sources;
        if (!l->in->sorted) {
            tr_error_input(err, l->in->name);
            return tr_fail(err, TR_DAMAGED, "not in canonical order: cannot be merged");
        }
        l->sources = calloc(n ? n : 1, sizeof *l->sources);
        l->shift = calloc(n ? n : 1, sizeof *l->shift);
        if (!l->sources || !l->shift || !tr_provenance_append(m->provenance, l->in->provenance, &head))
            return tr_fail_memory(err);
    }
    return make_sources(m, err);
}

enum tr_status tr_merge_open(struct tr_input **out, struct tr_input *const *inputs, size_t n,
                             struct tr_error *err)
{
    struct merge *m = calloc(1, sizeof *m);
    struct lane *lanes = calloc(n, sizeof *lanes);
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
    m->heap = calloc(n, sizeof(struct lane *));
    m->dict = tr_dict_new();
    m->provenance = tr_provenance_new();
    m->columns = tr_strtab_new();
    m->shapes = tr_strtab_new();
    m->tracks = tr_strtab_new();
    m->batch = tr_batch_new();
    enum tr_status st = TR_OK;
    if (!m->heap || !m->dict || !m->provenance || !m->columns || !m->shapes || !m->tracks || !m->batch ||
        !tr_batch_reserve(m->batch, TR_BATCH_MAX))
        st = tr_fail_memory(err);
    else
        st = open_lanes(m, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        st = step(&lanes[i], true, err);
        if (st == TR_OK)
            push(m, &lanes[i]);
        st = st == TR_END ? TR_OK : st;
    }
    if (st != TR_OK) {
        merge_close(m);
        return st;
    }
    m->input.ops = &merge_ops;
    m->input.self = m;
    m->input.dict = m->dict;
    m->input.summary = m->summary;
    m->input.provenance = m->provenance;
    m->input.sorted = true;
    snprintf(m->input.name, sizeof m->input.name, "merged inputs");
    *out = &m->input;
    return TR_OK;
}
