/* SPDX-License-Identifier: MIT */
/*
 * Starts and ends: joins B and E events, ordered by time, to spans, and starts and ends of async events likewise.
 *
 * On each track, an E ends the innermost open B with the same name and category.  An absent or empty name or category
 * of the E matches all.  An async end ends the innermost open async start of its category, scope and id, and of its
 * name, if it has one: one of its process, else one of any process, unless its id counts in its process only.
 *
 * The joined event has the place and the members of the start.  After a mark, it has the members of the end, so both
 * can be written again.  An event without a partner stays as it is.
 */
#include "ingest/tr_ingest_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * An open start, followed by a copy of its row.  It is in up to four lists of its track, each with the innermost first:
 * all open Bs, those with its name, those with its category, those with both.  An E with a name or category uses the
 * list for these, so no E has to search through all open Bs.  Async starts have lists for their process and for all.
 */
enum { BY_NAME = 1, BY_CAT = 2, ANYWHERE = BY_CAT, N_LISTS = 4 };
struct open {
    struct open *outer[N_LISTS], *inner[N_LISTS];
    uint32_t list[N_LISTS]; /* number of the list, or TR_NO_STR */
    struct tr_row *row;
};

#define MIN_OPEN ((size_t)64 << 20) /* bytes that starts may always have */
#define MOVED_TEXTS (1u << 16) /* of an interner: those whose new number is remembered, the first ones */
#define HAND_OVER_BYTES (4u << 20) /* of rows made, before they go to the sort */

/* Where the texts of an interner are in that of joined spans: the number + 1, 0: not asked yet. */
struct moved {
    uint32_t *to;
    size_t n, cap;
};

/*
 * How a start of one shape and an end of another one are joined, where this depends on the shapes only: the source of
 * each value, and the shape of the span.
 */
#define N_WAYS 64u
struct way {
    uint64_t shapes,
        from; /* of the start and the end: shapes; interners, and own_ids */
    uint32_t shape;
    char *steps; /* NULL: none yet */
    size_t n_steps;
};
enum step { STEP_TEXT = 1, STEP_VALUE, STEP_NAME, STEP_CAT, STEP_END };

struct pairing {
    struct tr__source_state *l;
    struct tr__file *f;
    struct tr__interner *to; /* of joined spans */
    struct tr_strtab *lists; /* their keys as bytes: see start_key and end_key */
    struct open **first;     /* by number of list */
    uint32_t n_first;        /* fewer than lists if memory has run out */
    size_t cap_first;
    struct tr_row_arena rows;
    struct tr_row_ref *refs;
    size_t n, cap;
    struct tr_buf key;
    enum tr__id id; /* of the async event whose key this is */
    struct tr_slot *slots;
    size_t cap_slots;
    struct tr_buf values; /* of the current span */
    struct tr_buf steps;  /* that made them */
    bool varies;          /* they depend on more than shapes */
    struct way ways[N_WAYS];
    struct moved *moved;  /* by interner */
    size_t n_moved;
    struct tr_error *err;
    enum tr_status failed; /* for another reason than memory */
    size_t open_bytes, max_open; /* of starts that wait for their ends */
};

static const struct tr__interner *interner_of(const struct pairing *p, const struct tr_row *row)
{
    return &p->l->lanes[row->interner]->interner;
}

static const struct tr__text *text_of(const struct pairing *p, const struct tr_row *row, uint32_t id)
{
    return id == TR_NO_STR ? NULL : &interner_of(p, row)->texts[id];
}

static bool add_text(struct tr_buf *b, const struct tr__text *t)
{
    return tr_buf_add(b, &t->len, sizeof t->len) && tr_buf_add(b, t->text, t->len);
}

static bool is_async(const struct tr_row *row)
{
    return row->phase == TR_ASYNC_BEGIN || row->phase == TR_ASYNC_END;
}

static bool starts(const struct tr_row *row)
{
    return row->phase == TR_BEGIN || row->phase == TR_ASYNC_BEGIN;
}

static bool add_process(struct pairing *p, const struct tr_row *row)
{
    const struct tr__interner *s = interner_of(p, row);
    const struct tr_track *t = &s->tracks[row->track];
    bool is_text = tr_track_pid_is_text(t);
    const int64_t number = is_text ? 0 : t->pid;
    const unsigned char type = is_text;
    return tr_buf_add(&p->key, &number, sizeof number) && tr_buf_add(&p->key, &type, 1) &&
           (!is_text || add_text(&p->key, &s->texts[t->pid]));
}

/*
 * What a start and its end have in common, in p->key: process and thread, and not the numbers of the thread that read
 * them; of async events the id and the category.
 */
static bool start_key(struct pairing *p, const struct tr_row *row)
{
    const struct tr__interner *s = interner_of(p, row);
    const struct tr_track *t = &s->tracks[row->track];
    p->key.len = 0;
    if (is_async(row))
        return tr__async_key(s, row, &p->key, &p->id);
    bool text_tid = tr_track_tid_is_text(t);
    const int64_t tid = text_tid ? 0 : t->tid;
    const unsigned char head[2] = { 0, text_tid };
    return tr_buf_add(&p->key, head, sizeof head) && add_process(p, row) && tr_buf_add(&p->key, &tid, sizeof tid) &&
           (!text_tid || add_text(&p->key, &s->texts[t->tid]));
}

/*
 * The lists that an event can be in, or can use, after start_key.  There are no lists for an absent or empty name or
 * category.
 */
static unsigned named(const struct pairing *p, const struct tr_row *row)
{
    const struct tr__text *name = text_of(p, row, row->name), *cat = text_of(p, row, row->cat);
    unsigned more = is_async(row) ? (p->id == TR__ID_ANYWHERE ? ANYWHERE : 0u) : cat && cat->len ? BY_CAT : 0u;
    return (name && name->len ? BY_NAME : 0u) | more;
}

/* The key of a list, after what start_key made. */
static bool end_key(struct pairing *p, const struct tr_row *row, unsigned kind)
{
    const unsigned char byte = (unsigned char)kind;
    if (!tr_buf_add(&p->key, &byte, 1) || ((kind & BY_NAME) && !add_text(&p->key, text_of(p, row, row->name))))
        return false;
    if (is_async(row))
        return (kind & ANYWHERE) || add_process(p, row);
    return !(kind & BY_CAT) || add_text(&p->key, text_of(p, row, row->cat));
}

static bool keep(struct pairing *p, const struct tr_row *row)
{
    if (!tr_grow(&p->refs, &p->cap, p->n + 1, sizeof *p->refs))
        return false;
    p->refs[p->n++] = (struct tr_row_ref){ row->ts, row };
    return true;
}

static bool keep_copy(struct pairing *p, const struct tr_row *row)
{
    unsigned char *mem = tr_row_arena_reserve(&p->rows, row->size);
    if (!mem)
        return false;
    memcpy(mem, row, row->size);
    tr_row_arena_commit(&p->rows, row->size);
    return keep(p, (const struct tr_row *)(void *)mem);
}

/* A text in the interner of joined spans. */
static uint32_t move_text(struct pairing *p, const struct tr_row *row, uint32_t id)
{
    if (id == TR_NO_STR)
        return id;
    struct moved *m = &p->moved[row->interner];
    if (id < m->n && m->to[id])
        return m->to[id] - 1;
    const struct tr__text *t = &interner_of(p, row)->texts[id];
    uint32_t to = tr__intern_text(p->to, t->raw, t->raw_len, t->is_json);
    if (to == TR_NO_STR || id >= MOVED_TEXTS)
        return to;
    if (!tr_grow(&m->to, &m->cap, id + 1u, sizeof *m->to))
        return to; /* it is only looked up again */
    for (; m->n <= id; m->n++)
        m->to[m->n] = 0;
    m->to[id] = to + 1;
    return to;
}

/* A duration as the number that the input had, in the interner of joined spans. */
static uint32_t duration_text(struct pairing *p, int64_t ns)
{
    char text[32];
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    int n = snprintf(text, sizeof text, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", v / 1000, (unsigned)(v % 1000));
    return tr__intern_text(p->to, text, (size_t)n, true);
}

/*
 * The pid or tid of an end whose start has another one, or none.  It is stored as a value, because the track of the
 * joined event does not have it.
 * Sets the slot.  False: out of memory.
 */
static bool move_id(struct pairing *p, const struct tr_row *row, bool tid, struct tr_slot *slot,
                    struct tr_buf *values)
{
    const struct tr_track *t = &interner_of(p, row)->tracks[row->track];
    int64_t v = tid ? t->tid : t->pid;
    uint32_t id;
    unsigned type = tid ? t->tid_type : t->pid_type;
    char text[TR_TRACK_DIGITS];
    slot->role = TR_ROLE_COLUMN;
    if (slot->type != TR_T_STRING) {
        slot->type = (uint8_t)type;
        return tr_buf_add(values, &v, 8);
    }
    if (type == TR_T_STRING) {
        id = move_text(p, row, (uint32_t)v);
    } else {
        size_t n = tr_track_digits(type, v, text);
        id = tr__intern_text(p->to, text, n, false);
    }
    return id != TR_NO_STR && tr_buf_add(values, &id, 4);
}

/* The pid and tid that the end has and the start has not: async events may end elsewhere than they started. */
enum { OWN_PID = 1, OWN_TID = 2 };

static bool same_id(const struct pairing *p, const struct tr_row *b, const struct tr_row *e, bool tid)
{
    const struct tr_track *of[2] = { &interner_of(p, b)->tracks[b->track], &interner_of(p, e)->tracks[e->track] };
    int64_t v[2];
    bool is_text[2];
    for (unsigned k = 0; k < 2; k++) {
        v[k] = tid ? of[k]->tid : of[k]->pid;
        is_text[k] = tid ? tr_track_tid_is_text(of[k]) : tr_track_pid_is_text(of[k]);
    }
    if (!is_text[0] || !is_text[1])
        return is_text[0] == is_text[1] && v[0] == v[1];
    const struct tr__text *x = text_of(p, b, (uint32_t)v[0]), *y = text_of(p, e, (uint32_t)v[1]);
    return x->len == y->len && !memcmp(x->text, y->text, x->len);
}

static unsigned own_ids(const struct pairing *p, const struct tr_row *b, const struct tr_row *e)
{
    const struct tr_track *t = &interner_of(p, b)->tracks[b->track];
    return (t->pid_type == TR_T_NULL || !same_id(p, b, e, false) ? OWN_PID : 0u) |
           (t->tid_type == TR_T_NULL || !same_id(p, b, e, true) ? OWN_TID : 0u);
}

static bool is_own(const struct tr_slot *slot, unsigned own)
{
    return (slot->role == TR_ROLE_PID && (own & OWN_PID)) || (slot->role == TR_ROLE_TID && (own & OWN_TID));
}

static bool add_step(struct pairing *p, enum step step)
{
    const char byte = (char)step;
    return tr_buf_add(&p->steps, &byte, 1);
}

/* Append the slots and values of a row to the joined row.  own: those of own_ids, for the end. */
static bool move_members(struct pairing *p, const struct tr_row *row, bool end, unsigned own, size_t *n_slots,
                         struct tr_buf *values)
{
    const struct tr__interner *from = interner_of(p, row);
    const struct tr_shape *shape = &from->shapes[row->shape];
    const unsigned char *v = tr_row_values(row) + tr_row_has_size(row->has);
    if (!tr_grow(&p->slots, &p->cap_slots, *n_slots + shape->n_slots + 1, sizeof *p->slots))
        return false;
    for (uint32_t i = 0; i < shape->n_slots; i++) {
        struct tr_slot slot = shape->slots[i];
        uint32_t id = TR_NO_STR;
        bool ok = true;
        if (slot.role == TR_ROLE_DUR) { /* the span's is another one */
            slot.role = TR_ROLE_COLUMN;
            slot.type = TR_T_NUMBER;
            p->varies = true;
            id = duration_text(p, row->dur);
            ok = id != TR_NO_STR && tr_buf_add(values, &id, 4);
        } else if (slot.role == TR_ROLE_COLUMN && tr_type_is_string(slot.type)) {
            memcpy(&id, v, 4);
            v += 4;
            id = move_text(p, row, id);
            ok = id != TR_NO_STR && tr_buf_add(values, &id, 4) && add_step(p, STEP_TEXT);
        } else if (slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type)) {
            ok = tr_buf_add(values, v, 8) && add_step(p, STEP_VALUE);
            v += 8;
        } else if (end && (slot.role == TR_ROLE_NAME || slot.role == TR_ROLE_CAT)) {
            ok = add_step(p, slot.role == TR_ROLE_NAME ? STEP_NAME : STEP_CAT);
            id = move_text(p, row, slot.role == TR_ROLE_NAME ? row->name : row->cat);
            slot.role = TR_ROLE_COLUMN; /* the columns of the event hold the B's */
            ok = ok && id != TR_NO_STR && tr_buf_add(values, &id, 4);
        } else if (end && is_own(&slot, own)) {
            p->varies = true;
            ok = move_id(p, row, slot.role == TR_ROLE_TID, &slot, values);
        }
        slot.key = move_text(p, row, slot.key);
        if (end)
            slot.place = slot.place == TR_PLACE_ARGS ? TR_PLACE_END_ARGS : TR_PLACE_END_TOP;
        p->slots[(*n_slots)++] = slot;
        if (!ok || slot.key == TR_NO_STR)
            return false;
    }
    return true;
}

/* The number of a row's track in the interner of joined spans. */
static uint32_t move_track(struct pairing *p, const struct tr_row *row)
{
    struct tr_track t = interner_of(p, row)->tracks[row->track];
    if (tr_track_pid_is_text(&t))
        t.pid = move_text(p, row, (uint32_t)t.pid);
    if (tr_track_tid_is_text(&t))
        t.tid = move_text(p, row, (uint32_t)t.tid);
    return tr__intern_track(p->to, &t);
}

/* The correlation number among the args of a row; 0: none. */
static int64_t correlation_of(const struct pairing *p, const struct tr_row *row)
{
    const struct tr__interner *s = interner_of(p, row);
    const struct tr_shape *shape = &s->shapes[row->shape];
    const unsigned char *v = tr_row_values(row);
    int64_t found = 0;
    if (row->has & TR_ROW_LINK) {
        memcpy(&found, v, 8);
        return found;
    }
    for (uint32_t i = 0; i < shape->n_slots; i++) {
        const struct tr_slot *slot = &shape->slots[i];
        if (slot->role != TR_ROLE_COLUMN || !tr_type_has_entry(slot->type))
            continue;
        if (tr__is_correlation(&s->texts[slot->key], slot->place)) {
            uint32_t id;
            if (slot->type == TR_T_INT) {
                memcpy(&found, v, 8);
            } else if (slot->type == TR_T_STRING) {
                memcpy(&id, v, 4);
                found = s->texts[id].is_int ? s->texts[id].value : 0;
            }
        }
        v += tr_type_is_string(slot->type) ? 4 : 8;
    }
    return found;
}

/* A host call that launches work is known only when its end is known. */
static bool note_launch(struct pairing *p, const struct tr_row *b, int64_t dur)
{
    const struct tr__text *name = text_of(p, b, b->name);
    if (name && name->name == TR_NAME_WAIT_CALL)
        return true;
    int64_t correlation = b->activity == TR_ACT_RUNTIME_API || b->activity == TR_ACT_DRIVER_API
                              ? correlation_of(p, b) : 0;
    struct tr_launch l = { .correlation = correlation, .ts = b->ts, .dur = dur, .record = b->record,
                           .track = b->track, .name = b->name, .interner = b->interner };
    if (correlation != 0)
        p->failed = tr_launch_add(p->f->launches, &l, p->err);
    return p->failed == TR_OK;
}

/* The suspicion with which the summary counts a row.  The time base was not known when the row was read. */
static unsigned suspect_of(const struct pairing *p, const struct tr_row *row)
{
    bool early = p->f->has_base && row->ts < 0 && row->suspect == TR_SUSPECT_NO;
    return early ? TR_SUSPECT_BEFORE_BASE : row->suspect;
}

/* The picoseconds in addition to ts. */
static int64_t ps_of(const struct tr_row *row)
{
    int64_t ps = 0;
    if (row->has & TR_ROW_PS)
        memcpy(&ps, tr_row_values(row) + (row->has & TR_ROW_LINK ? 8 : 0), 8);
    return ps;
}

/*
 * Add the parts before the values of the span of b and e: the record of the E, then the extras of the B, with the
 * picoseconds of the span.  *dur: duration in ns.  It is 1 ns shorter if the E has fewer picoseconds than the B.
 */
static bool add_known(const struct tr_row *b, const struct tr_row *e, struct tr_buf *values, uint8_t *has, int64_t *dur)
{
    const unsigned char *known = tr_row_values(b);
    size_t size = tr_row_has_size(b->has), link = b->has & TR_ROW_LINK ? 8 : 0, ps_size = b->has & TR_ROW_PS ? 16 : 0;
    int64_t ps[2] = { ps_of(b), ps_of(e) - ps_of(b) };
    *has = b->has | (e->has & TR_ROW_PS);
    *dur = e->ts - b->ts;
    if (ps[1] < 0) {
        ps[1] = *dur > 0 ? ps[1] + 1000 : 0; /* within one nanosecond their order is not known: no duration */
        *dur -= *dur > 0;
    }
    return tr_buf_add(values, &e->record, 8) && (!link || tr_buf_add(values, known, link)) &&
           (!(*has & TR_ROW_PS) || tr_buf_add(values, ps, sizeof ps)) &&
           (!(b->has & TR_ROW_GRAPH) || tr_buf_add(values, known + link + ps_size, size - link - ps_size));
}

/* The way of b and e, or its place.  own: see own_ids. */
static struct way *way_of(struct pairing *p, const struct tr_row *b, const struct tr_row *e, unsigned own, bool *known)
{
    uint64_t shapes = (uint64_t)b->shape << 32 | e->shape;
    uint64_t from = (uint64_t)b->interner << 32 | (uint64_t)e->interner << 8 | own;
    struct way *w = &p->ways[tr_mix64(shapes, from ^ 0x9e3779b97f4a7c15u) % N_WAYS];
    *known = w->steps && w->shapes == shapes && w->from == from;
    if (!*known) {
        free(w->steps);
        *w = (struct way){ .shapes = shapes, .from = from };
    }
    return w;
}

/* Append the values of b and e in a known way. */
static bool follow(struct pairing *p, const struct way *w, const struct tr_row *b, const struct tr_row *e)
{
    const struct tr_row *row = b;
    const unsigned char *v = tr_row_values(row) + tr_row_has_size(row->has);
    if (!tr_buf_reserve(&p->values, 8 * w->n_steps))
        return false;
    for (size_t i = 0; i < w->n_steps; i++) {
        uint32_t id = TR_NO_STR;
        if (w->steps[i] == STEP_END) {
            row = e;
            v = tr_row_values(row) + tr_row_has_size(row->has);
            continue;
        }
        if (w->steps[i] == STEP_VALUE) {
            memcpy(p->values.data + p->values.len, v, 8);
            p->values.len += 8;
            v += 8;
            continue;
        }
        if (w->steps[i] == STEP_TEXT) {
            memcpy(&id, v, 4);
            v += 4;
        }
        id = move_text(p, row, w->steps[i] == STEP_NAME ? row->name : w->steps[i] == STEP_CAT ? row->cat : id);
        if (id == TR_NO_STR)
            return false;
        memcpy(p->values.data + p->values.len, &id, 4);
        p->values.len += 4;
    }
    return true;
}

/* Append the values of b and e, and find the shape of their span; UINT32_MAX: out of memory. */
static uint32_t join_members(struct pairing *p, const struct tr_row *b, const struct tr_row *e)
{
    size_t n_slots = 0;
    bool known;
    unsigned own = own_ids(p, b, e);
    struct way *w = way_of(p, b, e, own, &known);
    if (known)
        return follow(p, w, b, e) ? w->shape : UINT32_MAX;
    p->steps.len = 0;
    p->varies = false;
    if (!move_members(p, b, false, 0, &n_slots, &p->values) || !add_step(p, STEP_END))
        return UINT32_MAX;
    p->slots[n_slots++] = (struct tr_slot){ tr__intern_text(p->to, "", 0, false), UINT32_MAX,
                                            TR_PLACE_END_TOP, TR_ROLE_END, TR_T_NULL };
    if (!move_members(p, e, true, own, &n_slots, &p->values))
        return UINT32_MAX;
    w->shape = tr__intern_shape(p->to, p->slots, (uint32_t)n_slots,
                                is_async(b) ? interner_of(p, b)->shapes[b->shape].ph : 'B');
    if (!p->varies && (w->steps = malloc(p->steps.len))) { /* else it is worked out again */
        memcpy(w->steps, p->steps.data, p->steps.len);
        w->n_steps = p->steps.len;
    }
    return w->shape;
}

/* The joined span of b and e. */
static bool join(struct pairing *p, const struct tr_row *b, const struct tr_row *e)
{
    uint8_t has;
    int64_t dur;
    p->values.len = 0;
    uint32_t shape = add_known(b, e, &p->values, &has, &dur) ? join_members(p, b, e) : UINT32_MAX;
    bool ok = shape != UINT32_MAX;
    size_t size = (TR_ROW_HEADER + p->values.len + 7) & ~(size_t)7;
    unsigned char *mem = ok ? tr_row_arena_reserve(&p->rows, size) : NULL;
    if (mem) {
        struct tr_row *row = (struct tr_row *)(void *)mem;
        memset(mem, 0, size);
        *row = *b;
        row->dur = dur;
        row->has = has;
        row->size = (uint32_t)size;
        row->name = move_text(p, b, b->name);
        row->cat = move_text(p, b, b->cat);
        row->track = move_track(p, b);
        row->shape = shape;
        row->interner = p->l->joined.interner_no;
        row->phase = is_async(b) ? TR_ASYNC_BEGIN : TR_SPAN;
        row->flags = TR_FROM_BE;
        row->suspect = row->dur > TR_MAX_DUR_NS                       ? TR_SUSPECT_LONG_DUR
                       : tr_time_far(b->ts) || tr_time_far(e->ts) ? TR_SUSPECT_OVERFLOW
                                                                      : TR_SUSPECT_NO;
        memcpy(mem + TR_ROW_HEADER, p->values.data, p->values.len);
        ok = row->track != UINT32_MAX && keep(p, row) &&
             note_launch(p, b, row->dur);
        tr_row_arena_commit(&p->rows, size);
        struct tr_source_summary *s = &p->f->sum;
        s->n_events--;
        s->n_phase[b->phase]--;
        s->n_phase[e->phase]--;
        s->n_phase[row->phase]++;
        s->n_activity[e->activity]--;
        s->n_suspect[suspect_of(p, e)]--;
        s->n_suspect[suspect_of(p, b)]--;
        s->n_suspect[suspect_of(p, row)]++;
        const struct tr__text *name = b->name == TR_NO_STR ? NULL : &interner_of(p, b)->texts[b->name];
        if (ok && name && tr__is_step(name) && row->activity == TR_ACT_ANNOTATION) {
            struct tr__file *f = p->f;
            ok = tr_grow(&f->steps, &f->cap_steps, f->n_steps + 1, sizeof *f->steps);
            if (ok) {
                struct tr__step_note *note = &f->steps[f->n_steps++];
                tr__step(row, name, &note->step);
                note->interner = row->interner;
            }
        }
    }
    return ok && mem;
}

static void unlink_open(struct pairing *p, struct open *o)
{
    p->open_bytes -= sizeof *o + o->row->size;
    for (unsigned k = 0; k < N_LISTS; k++) {
        if (o->inner[k])
            o->inner[k]->outer[k] = o->outer[k];
        else if (o->list[k] != TR_NO_STR)
            p->first[o->list[k]] = o->outer[k];
        if (o->outer[k])
            o->outer[k]->inner[k] = o->inner[k];
    }
}

static bool take_start(struct pairing *p, const struct tr_row *row)
{
    struct open *o = malloc(sizeof *o + row->size);
    if (!o || !start_key(p, row)) {
        free(o);
        return false;
    }
    memset(o, 0, sizeof *o);
    for (unsigned k = 0; k < N_LISTS; k++)
        o->list[k] = TR_NO_STR;
    o->row = (struct tr_row *)(void *)(o + 1);
    memcpy(o->row, row, row->size);
    if (p->open_bytes + sizeof *o + row->size > p->max_open) {
        free(o);
        p->failed = tr_fail(p->err, TR_SYSTEM, "its begin events without an end event need more memory than -M allows");
        return false;
    }
    p->open_bytes += sizeof *o + row->size;
    size_t key_len = p->key.len;
    unsigned has = named(p, row);
    for (unsigned k = 0; k < N_LISTS; k++) {
        if (k & ~has)
            continue;
        p->key.len = key_len;
        uint32_t before = tr_strtab_count(p->lists);
        uint32_t id = end_key(p, row, k) ? tr_strtab_add(p->lists, p->key.data, p->key.len) : TR_NO_STR;
        if (id == TR_NO_STR || !tr_grow(&p->first, &p->cap_first, id + 1u, sizeof(struct open *))) {
            unlink_open(p, o);
            free(o);
            return false;
        }
        if (id == before) {
            p->first[id] = NULL;
            p->n_first = id + 1;
        }
        o->list[k] = id;
        o->outer[k] = p->first[id];
        if (o->outer[k])
            o->outer[k]->inner[k] = o;
        p->first[id] = o;
    }
    return true;
}

static void count_unmatched(struct pairing *p, enum tr_damage_cause cause)
{
    tr_damage_cause_count(&p->f->damage, cause, TR_NO_OFFSET);
}

/* The innermost open start of a list; NULL: there is none.  False: out of memory. */
static bool find_open(struct pairing *p, const struct tr_row *end, unsigned kind, struct open **found)
{
    size_t key_len = p->key.len;
    bool ok = end_key(p, end, kind);
    uint32_t id = ok ? tr_strtab_find(p->lists, p->key.data, p->key.len) : TR_NO_STR;
    *found = id == TR_NO_STR ? NULL : p->first[id];
    p->key.len = key_len;
    return ok;
}

static bool take_end(struct pairing *p, const struct tr_row *row)
{
    struct open *o = NULL;
    if (!start_key(p, row))
        return false;
    unsigned kind = named(p, row);
    if (is_async(row)) {
        if (p->id != TR__ID_NONE && !find_open(p, row, kind & ~(unsigned)ANYWHERE, &o))
            return false;
        if (!o && (kind & ANYWHERE) && !find_open(p, row, kind, &o))
            return false;
    } else if (!find_open(p, row, kind, &o)) {
        return false;
    }
    if (o && (uint64_t)row->ts - (uint64_t)o->row->ts > (uint64_t)INT64_MAX)
        o = NULL; /* the duration does not fit */
    if (!o) {
        count_unmatched(p, TR_DAMAGE_UNMATCHED_END);
        return keep_copy(p, row);
    }
    unlink_open(p, o);
    bool ok = join(p, o->row, row);
    free(o);
    return ok;
}

/* A start without an end: a span without duration. */
static bool leave_open(struct pairing *p, struct open *o)
{
    o->row->flags |= TR_OPEN;
    p->f->sum.n_phase[o->row->phase]--;
    o->row->phase = is_async(o->row) ? TR_ASYNC_BEGIN : TR_SPAN;
    p->f->sum.n_phase[o->row->phase]++;
    count_unmatched(p, TR_DAMAGE_UNMATCHED_BEGIN);
    return keep_copy(p, o->row) && note_launch(p, o->row, TR_TIME_NONE);
}

/* Pass the rows made so far to the sort. */
static enum tr_status hand_over(struct pairing *p)
{
    struct tr_row_ref *tmp = malloc((p->n ? p->n : 1) * sizeof *tmp);
    if (!tmp)
        return tr_fail_memory(p->err);
    tr_refs_sort(p->refs, tmp, p->n, NULL);
    free(tmp);
    enum tr_status st = tr_external_sort_add(p->l->runs, &p->rows, p->refs, p->n, p->err);
    p->n = 0;
    return st;
}

/* The result of a row; from time to time, rows go to the sort. */
static enum tr_status taken(struct pairing *p, bool ok)
{
    if (!ok)
        return p->failed != TR_OK ? p->failed : tr_fail_memory(p->err);
    return p->rows.bytes > HAND_OVER_BYTES ? hand_over(p) : TR_OK;
}

/* Empty the lists: the remaining Bs become spans without duration, unless there was a failure before. */
static enum tr_status close_open(struct pairing *p, enum tr_status st)
{
    for (uint32_t k = 0; k < p->n_first; k++) {
        while (p->first[k]) {
            struct open *o = p->first[k];
            unlink_open(p, o);
            if (st == TR_OK)
                st = taken(p, leave_open(p, o));
            free(o);
        }
    }
    return st;
}

enum tr_status tr__pair_ends(struct tr__source_state *l, struct tr_error *err)
{
    struct pairing p = { .l = l, .f = &l->file, .to = &l->joined.interner, .err = err };
    const struct tr_row *row;
    enum tr_status st;
    p.max_open = l->opts->max_memory_bytes < MIN_OPEN ? MIN_OPEN : l->opts->max_memory_bytes;
    p.rows.pool = l->pool;
    p.lists = tr_strtab_new();
    p.n_moved = l->n_lanes;
    p.moved = calloc(p.n_moved + 1, sizeof *p.moved);
    if (!p.lists || !p.moved) {
        tr_strtab_free(p.lists);
        free(p.moved);
        return tr_fail_memory(err);
    }
    st = tr_external_sort_merge(p.f->ends, NULL, err);
    while (st == TR_OK && (st = tr_external_sort_next(p.f->ends, &row, err)) == TR_OK)
        st = taken(&p, starts(row) ? take_start(&p, row) : take_end(&p, row));
    st = close_open(&p, st == TR_END ? TR_OK : st);
    if (st == TR_OK)
        st = hand_over(&p);
    tr_strtab_free(p.lists);
    free(p.first);
    free(p.slots);
    free(p.refs);
    tr_buf_free(&p.key);
    tr_buf_free(&p.values);
    tr_buf_free(&p.steps);
    for (size_t i = 0; i < N_WAYS; i++)
        free(p.ways[i].steps);
    for (size_t i = 0; i < p.n_moved; i++)
        free(p.moved[i].to);
    free(p.moved);
    if (p.rows.head)
        tr_row_arena_release(&p.rows);
    return st;
}
