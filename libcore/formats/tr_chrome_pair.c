/*
 * Begins and ends: B and E events, ordered by time, become spans.
 *
 * On each track an E ends the innermost open B whose name and category it does not contradict; an absent
 * or empty name or category on the E fits all.  The span has the B's place and members; behind them, after
 * a mark, stand the members of the E, so that both can be written again.  What finds no partner stays.
 */
#include "formats/tr_chrome_load_int.h"

#include <stddef.h>
#include <stdlib.h>

#define HAND_OVER_BYTES (4u << 20) /* of rows made, before they go to the sort */

/* An open B: a copy of its row. */
struct open {
    struct open *outer;
    struct tr_row row; /* its values behind it */
};

struct pairing {
    struct tr__load *l;
    struct tr__file *f;
    struct tr__parser *ps; /* the space of joined spans */
    struct tr_strtab *tracks; /* pid and tid of a row as bytes */
    struct open **stacks;  /* by number of track */
    size_t cap_stacks;
    struct tr_rows rows;
    struct tr_row_ref *refs;
    size_t n, cap;
    struct tr_buf key;
    struct tr_slot *slots;
    size_t cap_slots;
};

static const struct tr__space *space_of(const struct pairing *p, const struct tr_row *row)
{
    return &p->l->parsers[row->space].space;
}

/* Begins and ends belong together by process and thread, however the thread that read them numbers these. */
static struct open **stack_of(struct pairing *p, const struct tr_row *row)
{
    const struct tr__space *s = space_of(p, row);
    const struct tr_track *t = &s->tracks[row->track];
    const int64_t number[2] = { t->pid_type == TR_T_STRING ? 0 : t->pid,
                                t->tid_type == TR_T_STRING ? 0 : t->tid };
    const unsigned char type[2] = { t->pid_type == TR_T_STRING, t->tid_type == TR_T_STRING };
    p->key.len = 0;
    bool ok = tr_buf_add(&p->key, number, sizeof number) && tr_buf_add(&p->key, type, sizeof type);
    if (type[0])
        ok = ok && tr_buf_add(&p->key, s->texts[t->pid].text, s->texts[t->pid].len) &&
             tr_buf_add(&p->key, "", 1);
    if (type[1])
        ok = ok && tr_buf_add(&p->key, s->texts[t->tid].text, s->texts[t->tid].len);
    uint32_t before = tr_strtab_count(p->tracks);
    uint32_t id = ok ? tr_strtab_add(p->tracks, p->key.data, p->key.len) : TR_NO_STR;
    if (id == TR_NO_STR || !tr_grow(&p->stacks, &p->cap_stacks, id + 1u, sizeof(struct open *)))
        return NULL;
    if (id == before)
        p->stacks[id] = NULL;
    return &p->stacks[id];
}

static bool same_text(const struct tr__text *a, const struct tr__text *b)
{
    return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

/* May this name (or category) of an E end a B with that one? */
static bool fits(const struct pairing *p, const struct tr_row *e, uint32_t of_e, const struct tr_row *b,
                 uint32_t of_b)
{
    if (of_e == TR_NO_STR || space_of(p, e)->texts[of_e].len == 0)
        return true;
    return of_b != TR_NO_STR && same_text(&space_of(p, e)->texts[of_e], &space_of(p, b)->texts[of_b]);
}

static bool keep(struct pairing *p, const struct tr_row *row)
{
    if (!tr_grow(&p->refs, &p->cap, p->n + 1, sizeof *p->refs))
        return false;
    p->refs[p->n++] = (struct tr_row_ref){ row->ts, row };
    return true;
}

/* A row to keep as it is. */
static struct tr_row *copy_row(struct pairing *p, const struct tr_row *row)
{
    unsigned char *mem = tr_rows_reserve(&p->rows, row->size);
    if (!mem)
        return NULL;
    memcpy(mem, row, row->size);
    tr_rows_commit(&p->rows, row->size);
    return (struct tr_row *)(void *)mem;
}

/* A text in the space of joined spans. */
static uint32_t move_text(struct pairing *p, const struct tr_row *row, uint32_t id)
{
    if (id == TR_NO_STR)
        return id;
    const struct tr__text *t = &space_of(p, row)->texts[id];
    return tr__space_text(&p->ps->space, t->raw, t->raw_len, t->is_json);
}

/* Append a row's slots and values to the joined one.  end: they are the E's. */
static bool move_members(struct pairing *p, const struct tr_row *row, bool end, size_t *n_slots,
                         struct tr_buf *values)
{
    const struct tr__space *from = space_of(p, row);
    const struct tr_shape *shape = &from->shapes[row->shape];
    const unsigned char *v = tr_row_values(row);
    if (!tr_grow(&p->slots, &p->cap_slots, *n_slots + shape->n_slots + 1, sizeof *p->slots))
        return false;
    for (uint32_t i = 0; i < shape->n_slots; i++) {
        struct tr_slot slot = shape->slots[i];
        uint32_t id = TR_NO_STR;
        bool ok = true;
        if (slot.role == TR_ROLE_COLUMN && tr_type_is_string(slot.type)) {
            memcpy(&id, v, 4);
            v += 4;
            id = move_text(p, row, id);
            ok = id != TR_NO_STR && tr_buf_add(values, &id, 4);
        } else if (slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type)) {
            ok = tr_buf_add(values, v, 8);
            v += 8;
        } else if (end && (slot.role == TR_ROLE_NAME || slot.role == TR_ROLE_CAT)) {
            id = move_text(p, row, slot.role == TR_ROLE_NAME ? row->name : row->cat);
            slot.role = TR_ROLE_COLUMN; /* the columns of the event hold the B's */
            ok = id != TR_NO_STR && tr_buf_add(values, &id, 4);
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

/* The number of a row's track in the space of joined spans. */
static uint32_t move_track(struct pairing *p, const struct tr_row *row)
{
    struct tr_track t = space_of(p, row)->tracks[row->track];
    if (t.pid_type == TR_T_STRING)
        t.pid = move_text(p, row, (uint32_t)t.pid);
    if (t.tid_type == TR_T_STRING || (t.tid_type == TR_T_NULL && t.pid_type == TR_T_STRING))
        t.tid = move_text(p, row, (uint32_t)t.tid);
    return tr__space_track(&p->ps->space, &t);
}

/* The joined span of b and e. */
static bool join(struct pairing *p, const struct tr_row *b, const struct tr_row *e)
{
    struct tr_buf values = { 0 };
    size_t n_slots = 0;
    bool ok = tr_buf_add(&values, &e->record, 8) && move_members(p, b, false, &n_slots, &values);
    if (ok) {
        p->slots[n_slots++] = (struct tr_slot){ tr__space_text(&p->ps->space, "", 0, false), UINT32_MAX,
                                                TR_PLACE_END_TOP, TR_ROLE_END, TR_T_NULL };
        ok = move_members(p, e, true, &n_slots, &values);
    }
    size_t size = (TR_ROW_HEADER + values.len + 7) & ~(size_t)7;
    unsigned char *mem = ok ? tr_rows_reserve(&p->rows, size) : NULL;
    if (mem) {
        struct tr_row *row = (struct tr_row *)(void *)mem;
        memset(mem, 0, size);
        *row = *b;
        row->dur = e->ts - b->ts;
        row->size = (uint32_t)size;
        row->name = move_text(p, b, b->name);
        row->cat = move_text(p, b, b->cat);
        row->track = move_track(p, b);
        row->shape = tr__space_shape(&p->ps->space, p->slots, (uint32_t)n_slots, 'B');
        row->space = p->ps->space_no;
        row->phase = TR_SPAN;
        row->flags = TR_FROM_BE;
        if (row->dur > TR_MAX_DUR_NS)
            row->suspect = TR_SUSPECT_LONG_DUR;
        memcpy(mem + TR_ROW_HEADER, values.data, values.len);
        ok = row->shape != UINT32_MAX && row->track != UINT32_MAX && keep(p, row);
        tr_rows_commit(&p->rows, size);
        struct tr_source_summary *s = &p->f->sum;
        s->n_events--;
        s->n_phase[TR_BEGIN]--;
        s->n_phase[TR_SPAN_END]--;
        s->n_phase[TR_SPAN]++;
        s->n_activity[e->activity]--;
        s->n_suspect[e->suspect]--;
        s->n_suspect[b->suspect]--;
        s->n_suspect[row->suspect]++;
        const struct tr__text *name = b->name == TR_NO_STR ? NULL : &space_of(p, b)->texts[b->name];
        if (ok && name && name->name == TR_NAME_STEP && row->activity == TR_ACT_ANNOTATION) {
            struct tr__file *f = p->f;
            ok = tr_grow(&f->steps, &f->cap_steps, f->n_steps + 1, sizeof *f->steps);
            if (ok)
                f->steps[f->n_steps++] = (struct tr__step_note){
                    { name->step, row->ts, row->ts + row->dur, row->track }, row->space
                };
        }
    }
    tr_buf_free(&values);
    return ok && mem;
}

static bool take_begin(struct pairing *p, const struct tr_row *row)
{
    struct open **top = stack_of(p, row);
    struct open *o = malloc(offsetof(struct open, row) + row->size);
    if (!top || !o) {
        free(o);
        return false;
    }
    memcpy(&o->row, row, row->size);
    o->outer = *top;
    *top = o;
    return true;
}

static void count_unmatched(struct pairing *p, enum tr_cause cause)
{
    if (p->f->sum.n_cause[cause]++ == 0)
        p->f->sum.first_offset[cause] = TR_NO_OFFSET;
}

static bool take_end(struct pairing *p, const struct tr_row *row)
{
    struct open **at = stack_of(p, row);
    if (!at)
        return false;
    while (*at && !(fits(p, row, row->name, &(*at)->row, (*at)->row.name) &&
                    fits(p, row, row->cat, &(*at)->row, (*at)->row.cat)))
        at = &(*at)->outer;
    struct open *o = *at;
    if (!o) {
        count_unmatched(p, TR_CAUSE_UNMATCHED_END);
        const struct tr_row *copy = copy_row(p, row);
        return copy && keep(p, copy);
    }
    *at = o->outer;
    bool ok = join(p, &o->row, row);
    free(o);
    return ok;
}

/* A begin that was never ended: a span without duration. */
static bool leave_open(struct pairing *p, struct open *o)
{
    o->row.phase = TR_SPAN;
    o->row.flags |= TR_OPEN;
    p->f->sum.n_phase[TR_BEGIN]--;
    p->f->sum.n_phase[TR_SPAN]++;
    count_unmatched(p, TR_CAUSE_UNMATCHED_BEGIN);
    const struct tr_row *copy = copy_row(p, &o->row);
    return copy && keep(p, copy);
}

/* Hand the rows made so far to the sort. */
static enum tr_status hand_over(struct pairing *p, struct tr_error *err)
{
    struct tr_row_ref *tmp = malloc((p->n ? p->n : 1) * sizeof *tmp);
    if (!tmp)
        return tr_fail_memory(err);
    tr_refs_sort(p->refs, tmp, p->n);
    free(tmp);
    enum tr_status st = tr_runs_add(p->l->runs, &p->rows, &p->refs, p->n, err);
    p->n = p->cap = 0;
    return st;
}

/* Empty the stacks: what is left becomes spans without duration, unless something has failed before. */
static enum tr_status close_open(struct pairing *p, enum tr_status st, struct tr_error *err)
{
    for (uint32_t t = 0; t < tr_strtab_count(p->tracks); t++) {
        while (p->stacks[t]) {
            struct open *o = p->stacks[t];
            p->stacks[t] = o->outer;
            if (st == TR_OK && !leave_open(p, o))
                st = tr_fail_memory(err);
            free(o);
            if (st == TR_OK && p->rows.bytes > HAND_OVER_BYTES)
                st = hand_over(p, err);
        }
    }
    return st;
}

enum tr_status tr__pair_ends(struct tr__load *l, struct tr_error *err)
{
    struct pairing p = { .l = l, .f = &l->file, .ps = &l->parsers[l->n_threads] };
    const struct tr_row *row;
    enum tr_status st;
    p.rows.pool = l->pool;
    p.tracks = tr_strtab_new();
    if (!p.tracks)
        return tr_fail_memory(err);
    st = tr_runs_merge(p.f->ends, NULL, err);
    while (st == TR_OK && (st = tr_runs_next(p.f->ends, &row, err)) == TR_OK) {
        if (!(row->phase == TR_BEGIN ? take_begin(&p, row) : take_end(&p, row)))
            st = tr_fail_memory(err);
        else if (p.rows.bytes > HAND_OVER_BYTES)
            st = hand_over(&p, err);
    }
    st = close_open(&p, st == TR_END ? TR_OK : st, err);
    if (st == TR_OK)
        st = hand_over(&p, err);
    tr_strtab_free(p.tracks);
    free(p.stacks);
    free(p.slots);
    free(p.refs);
    tr_buf_free(&p.key);
    if (p.rows.head)
        tr_rows_release(&p.rows);
    return st;
}
