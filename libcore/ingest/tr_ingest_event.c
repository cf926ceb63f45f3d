/* SPDX-License-Identifier: MIT */
/* The builder: makes a row of a lane from the calls for one event. */
#include "ingest/tr_ingest_builder_int.h"

#define MAX_TEXT (15u << 20) /* of one text, so that it fits a row of a stream; longer ones are left out */
#define MAX_ARGS 30000u

void tr_ingest_begin(struct tr_ingest *g, enum tr_phase phase, int64_t ts_ns, int64_t dur_ns)
{
    tr__event_clear(&g->event);
    g->event.ts = ts_ns;
    g->event.dur = dur_ns;
    g->phase = phase;
    g->activity = g->kind = -1;
    g->record = 0;
    g->track = (struct tr_ingest_track)TR_INGEST_TRACK_INIT;
    g->link.set = g->is_step = false;
    g->ts_ps = g->dur_ps = 0;
    g->graph = g->node = TR_I64_NONE;
    g->n_slots = 8; /* room for the members that every event has */
    g->n_args = 0;
    g->values.len = 0;
    g->n_started++;
    g->again = false;
    g->last_row = NULL;
    g->nest = UINT32_MAX;
    g->in_nest = false;
    g->next_key = TR_NO_STR;
    g->like.shape = UINT32_MAX;
}

void tr_ingest_record(struct tr_ingest *g, uint64_t record)
{
    g->record = record;
}

uint32_t tr__ingest_text(struct tr_ingest *g, const char *text, size_t len, bool is_json)
{
    if (len > MAX_TEXT) {
        tr__count(g->lane.piece, TR_DAMAGE_TOO_LONG, tr__ingest_at(g));
        return TR_NO_STR;
    }
    uint32_t id = tr__intern_text(&g->lane.interner, text, len, is_json);
    g->no_memory |= id == TR_NO_STR;
    return id;
}

void tr__ingest_ids(struct tr_ingest *g, struct tr_ingest_track *t)
{
    if (t->pid_text)
        t->pid = t->pid_number ? t->pid_number - 1 : tr__ingest_text(g, t->pid_text, t->pid_len, false);
    if (t->tid_text)
        t->tid = t->tid_number ? t->tid_number - 1 : tr__ingest_text(g, t->tid_text, t->tid_len, false);
    if (t->pid_text && t->pid == TR_NO_STR)
        t->pid_text = NULL, t->pid = TR_I64_NONE;
    if (t->tid_text && t->tid == TR_NO_STR)
        t->tid_text = NULL, t->tid = TR_I64_NONE;
}

enum tr_type tr__ingest_id_type(int64_t id, const char *text)
{
    return text ? TR_T_STRING : id == TR_I64_NONE ? TR_T_NULL : TR_T_INT;
}

void tr_ingest_name(struct tr_ingest *g, const char *name, size_t len)
{
    g->event.name = tr__ingest_text(g, name, len, false);
}

void tr_ingest_category(struct tr_ingest *g, const char *cat, size_t len)
{
    g->event.cat = tr__ingest_text(g, cat, len, false);
}

uint32_t tr_ingest_text(struct tr_ingest *g, const char *text, size_t len)
{
    return tr__ingest_text(g, text, len, false);
}

uint32_t tr_ingest_json(struct tr_ingest *g, const char *json, size_t len)
{
    return tr__ingest_text(g, json, len, true);
}

void tr_ingest_name_number(struct tr_ingest *g, uint32_t text)
{
    g->event.name = text;
}

void tr_ingest_category_number(struct tr_ingest *g, uint32_t text)
{
    g->event.cat = text;
}

void tr_ingest_key(struct tr_ingest *g, uint32_t text)
{
    g->next_key = text;
}

void tr_ingest_nested(struct tr_ingest *g, uint32_t nest)
{
    g->nest = nest;
}

void tr_ingest_activity(struct tr_ingest *g, enum tr_activity activity)
{
    g->activity = (int)activity;
}

void tr_ingest_kind(struct tr_ingest *g, enum tr_kind kind)
{
    g->kind = (int)kind;
}

void tr_ingest_track(struct tr_ingest *g, const struct tr_ingest_track *track)
{
    g->track = *track;
    tr__ingest_ids(g, &g->track);
}

void tr_ingest_picoseconds(struct tr_ingest *g, unsigned ts_ps, unsigned dur_ps)
{
    g->ts_ps = ts_ps < 1000 ? ts_ps : 999;
    g->dur_ps = dur_ps < 1000 ? dur_ps : 999;
}

void tr_ingest_graph(struct tr_ingest *g, int64_t graph, int64_t node)
{
    g->graph = graph;
    g->node = node;
}

void tr_ingest_correlate(struct tr_ingest *g, enum tr_link_scope scope, int64_t key)
{
    g->link.set = true;
    g->link.is_text = false;
    g->link.scope = scope;
    g->link.number = key;
}

void tr_ingest_correlate_text(struct tr_ingest *g, enum tr_link_scope scope, const char *key, size_t len)
{
    g->link.set = g->link.is_text = true;
    g->link.scope = scope;
    g->link.text.len = 0;
    g->no_memory |= !tr_buf_add(&g->link.text, key, len);
}

void tr_ingest_step(struct tr_ingest *g, int64_t number)
{
    g->is_step = true;
    g->step = number;
}

/* The next slot has this key; an earlier slot with this key becomes void.  False: out of memory. */
static bool note_key(struct tr_ingest *g, uint32_t key)
{
    if (key >= g->cap_seen_keys) {
        size_t old = g->cap_seen_keys;
        if (!tr_grow(&g->seen_keys, &g->cap_seen_keys, key + (size_t)1, sizeof *g->seen_keys))
            return false;
        memset(g->seen_keys + old, 0, (g->cap_seen_keys - old) * sizeof *g->seen_keys);
    }
    struct tr__seen_key *k = &g->seen_keys[key];
    if (k->event == g->n_started) {
        g->slots[k->slot].key = TR_NO_STR;
        g->again = true;
    }
    *k = (struct tr__seen_key){ g->n_started, g->n_slots };
    return true;
}

/* A column of a stream has one value per event, so remove void slots and their values. */
static void leave_out_void(struct tr_ingest *g)
{
    size_t n = 8, from = 0, to = 0;
    for (size_t i = n; i < g->n_slots; i++) {
        size_t size = !tr_type_has_entry(g->slots[i].type) ? 0 : tr_type_is_string(g->slots[i].type) ? 4 : 8;
        if (g->slots[i].key != TR_NO_STR) {
            memmove(g->values.data + to, g->values.data + from, size);
            to += size;
            g->slots[n++] = g->slots[i];
        }
        from += size;
    }
    g->n_args -= g->n_slots - n;
    g->n_slots = n;
    g->values.len = to;
    tr__count(g->lane.piece, TR_DAMAGE_DUPLICATE_KEY, tr__ingest_at(g));
}

/* The args that are like those of a shape become slots.  False: out of memory. */
static bool unfold(struct tr_ingest *g)
{
    const struct tr_shape *s = &g->lane.interner.shapes[g->like.shape];
    bool ok = tr_grow(&g->slots, &g->cap_slots, g->n_slots + g->n_args, sizeof *g->slots);
    g->like.shape = UINT32_MAX;
    for (size_t i = s->n_slots - g->n_args; ok && i < s->n_slots; i++) {
        ok = note_key(g, s->slots[i].key);
        g->slots[g->n_slots++] = s->slots[i];
    }
    g->no_memory |= !ok;
    return ok;
}

/* One more member of the event; its value is given by the caller. */
static bool add_slot(struct tr_ingest *g, const char *key, enum tr_type type, enum tr_place place)
{
    bool is_arg = place == TR_PLACE_ARGS;
    if (g->like.shape != UINT32_MAX && !unfold(g))
        return false;
    if (g->n_args >= MAX_ARGS) {
        tr__count(g->lane.piece, TR_DAMAGE_TOO_LONG, tr__ingest_at(g));
        return false;
    }
    uint32_t id = key ? tr__ingest_text(g, key, strlen(key), false) : g->next_key;
    if (!key && id == TR_NO_STR) /* too long, which has been counted */
        return false;
    if (id == TR_NO_STR || !tr_grow(&g->slots, &g->cap_slots, g->n_slots + 1, sizeof *g->slots) ||
        (is_arg && !note_key(g, id))) {
        g->no_memory = true;
        return false;
    }
    g->slots[g->n_slots++] = (struct tr_slot){ id, UINT32_MAX, (uint8_t)place, TR_ROLE_COLUMN, (uint8_t)type };
    g->n_args += is_arg;
    return true;
}

/* n is a constant, so there is no call if the value fits, which is almost always so. */
static inline void add_value(struct tr_ingest *g, const void *bytes, size_t n)
{
    if (g->values.cap - g->values.len < n && !tr_buf_reserve(&g->values, n)) {
        g->no_memory = true;
        return;
    }
    memcpy(g->values.data + g->values.len, bytes, n);
    g->values.len += n;
}

static void add_number(struct tr_ingest *g, const char *key, enum tr_type type, int64_t bits)
{
    if (add_slot(g, key, type, TR_PLACE_ARGS))
        add_value(g, &bits, 8);
}

static void add_text(struct tr_ingest *g, const char *key, enum tr_type type, enum tr_place place, const char *text,
                     size_t len)
{
    uint32_t id = tr__ingest_text(g, text, len, type != TR_T_STRING);
    if (id != TR_NO_STR && add_slot(g, key, type, place))
        add_value(g, &id, 4);
}

void tr_ingest_arg_int(struct tr_ingest *g, const char *key, int64_t value)
{
    add_number(g, key, TR_T_INT, value);
}

void tr_ingest_arg_uint(struct tr_ingest *g, const char *key, uint64_t value)
{
    add_number(g, key, value > INT64_MAX ? TR_T_UINT : TR_T_INT, (int64_t)value);
}

void tr_ingest_arg_bool(struct tr_ingest *g, const char *key, bool value)
{
    add_slot(g, key, value ? TR_T_TRUE : TR_T_FALSE, TR_PLACE_ARGS);
}

void tr_ingest_arg_real(struct tr_ingest *g, const char *key, double value)
{
    int64_t bits;
    memcpy(&bits, &value, 8);
    if (value - value == 0) /* infinities and NaN have no form in JSON */
        add_number(g, key, TR_T_DOUBLE, bits);
}

void tr_ingest_arg_text(struct tr_ingest *g, const char *key, const char *text, size_t len)
{
    add_text(g, key, TR_T_STRING, TR_PLACE_ARGS, text, len);
}

void tr_ingest_arg_number(struct tr_ingest *g, const char *key, uint32_t text)
{
    if (text != TR_NO_STR && add_slot(g, key, TR_T_STRING, TR_PLACE_ARGS))
        add_value(g, &text, 4);
}

void tr_ingest_arg_json_number(struct tr_ingest *g, const char *key, uint32_t json)
{
    if (json != TR_NO_STR && add_slot(g, key, TR_T_JSON, TR_PLACE_ARGS))
        add_value(g, &json, 4);
}

/* The values of args, for which there is room. */
static inline void add_values(struct tr_ingest *g, const struct tr__arg *args, size_t n)
{
    if (!n)
        return;
    g->n_args += n;
    g->values.len = (size_t)(tr__put_args(g->values.data + g->values.len, args, n) - g->values.data);
}

void tr__ingest_args(struct tr_ingest *g, const struct tr__arg *args, size_t n)
{
    if (g->like.shape != UINT32_MAX && !unfold(g))
        return;
    for (; g->n_args + n > MAX_ARGS && n > 0; n--)
        tr__count(g->lane.piece, TR_DAMAGE_TOO_LONG, tr__ingest_at(g));
    if (!tr_grow(&g->slots, &g->cap_slots, g->n_slots + n, sizeof *g->slots) || !tr_buf_reserve(&g->values, 8 * n)) {
        g->no_memory = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!note_key(g, args[i].key)) {
            g->no_memory = true;
            return;
        }
        g->slots[g->n_slots++] =
            (struct tr_slot){ args[i].key, UINT32_MAX, TR_PLACE_ARGS, TR_ROLE_COLUMN, args[i].type };
    }
    add_values(g, args, n);
}

void tr__ingest_args_like(struct tr_ingest *g, const struct tr__arg *args, size_t n, const struct tr__like *like)
{
    if (g->n_args || g->n_slots > 8) {
        tr__ingest_args(g, args, n);
    } else if (!tr_buf_reserve(&g->values, 8 * n)) {
        g->no_memory = true;
    } else {
        g->like = *like;
        add_values(g, args, n);
    }
}

struct tr__like tr__ingest_like(const struct tr_ingest *g)
{
    return g->last;
}

void tr__ingest_member_number(struct tr_ingest *g, uint32_t text)
{
    if (text != TR_NO_STR && add_slot(g, NULL, TR_T_STRING, TR_PLACE_TOP))
        add_value(g, &text, 4);
}

void tr_ingest_arg_json(struct tr_ingest *g, const char *key, const char *json, size_t len)
{
    add_text(g, key, TR_T_JSON, TR_PLACE_ARGS, json, len);
}

void tr_ingest_member_text(struct tr_ingest *g, const char *key, const char *text, size_t len)
{
    add_text(g, key, TR_T_STRING, TR_PLACE_TOP, text, len);
}

void tr_ingest_member_true(struct tr_ingest *g, const char *key)
{
    add_slot(g, key, TR_T_TRUE, TR_PLACE_TOP);
}

static struct tr_slot member(uint32_t key, enum tr_role role, unsigned type)
{
    return (struct tr_slot){ key, UINT32_MAX, TR_PLACE_TOP, (uint8_t)role, (uint8_t)type };
}

/* The shape of the event: first those of the usual members that it has, then args. */
static uint32_t shape_of(struct tr_ingest *g, char ph)
{
    struct tr_slot top[8];
    size_t n = 0;
    top[n++] = member(g->keys.ph, TR_ROLE_PHASE, TR_T_STRING);
    if (g->event.name != TR_NO_STR)
        top[n++] = member(g->keys.name, TR_ROLE_NAME, TR_T_STRING);
    if (g->event.cat != TR_NO_STR)
        top[n++] = member(g->keys.cat, TR_ROLE_CAT, TR_T_STRING);
    if (g->event.pid_type != TR_T_NULL)
        top[n++] = member(g->keys.pid, TR_ROLE_PID, g->event.pid_type);
    if (g->event.tid_type != TR_T_NULL)
        top[n++] = member(g->keys.tid, TR_ROLE_TID, g->event.tid_type);
    if (g->event.ts != TR_TIME_NONE)
        top[n++] = member(g->keys.ts, TR_ROLE_TS, TR_T_INT);
    if (g->event.dur != TR_TIME_NONE)
        top[n++] = member(g->keys.dur, TR_ROLE_DUR, TR_T_INT);
    if (g->n_args)
        top[n++] = member(g->keys.args, TR_ROLE_ARGS, TR_T_JSON);
    struct tr_slot *first = g->slots + 8 - n;
    memcpy(first, top, n * sizeof *top);
    return tr__intern_shape(&g->lane.interner, first, (uint32_t)(n + g->n_slots - 8), ph);
}

/* What the shape depends on besides args. */
static uint32_t top_of(const struct tr_ingest *g)
{
    const struct tr__event *e = &g->event;
    unsigned has = (e->name != TR_NO_STR ? 1u : 0) | (e->cat != TR_NO_STR ? 2u : 0) |
                   (e->ts != TR_TIME_NONE ? 4u : 0) | (e->dur != TR_TIME_NONE ? 8u : 0);
    return (uint32_t)g->phase << 24 | (uint32_t)e->pid_type << 16 | (uint32_t)e->tid_type << 8 | has;
}

/* The shape of the event; that of an earlier one, if its args came as those of this one. */
static uint32_t find_shape(struct tr_ingest *g)
{
    size_t n_args = g->n_args;
    uint32_t top = top_of(g);
    if (g->like.shape != UINT32_MAX && g->like.top == top) {
        g->last = g->like;
        return g->like.shape;
    }
    if (g->like.shape != UINT32_MAX && !unfold(g))
        return UINT32_MAX;
    uint32_t shape = shape_of(g, tr_vocab_letter(g->phase));
    bool plain = !g->again && g->n_slots == 8 + n_args; /* no members after the args */
    g->last = (struct tr__like){ plain ? shape : UINT32_MAX, top };
    return shape;
}

static void set_track(struct tr_ingest *g)
{
    struct tr__event *e = &g->event;
    const struct tr_ingest_track *t = &g->track;
    e->pid_type = (uint8_t)tr__ingest_id_type(t->pid, t->pid_text);
    e->tid_type = (uint8_t)tr__ingest_id_type(t->tid, t->tid_text);
    e->pid = t->pid == TR_I64_NONE ? 0 : t->pid;
    e->tid = t->tid == TR_I64_NONE ? 0 : t->tid;
    e->device = t->device;
    e->context = t->context;
    e->stream = t->stream;
    e->clock = t->clock;
}

static bool add_event(struct tr_ingest *g)
{
    bool taken = false;
    if (g->no_memory)
        return false;
    set_track(g);
    if (g->again)
        leave_out_void(g);
    uint32_t shape = find_shape(g);
    if (shape == UINT32_MAX || (g->nest != UINT32_MAX && !tr__nest_take(g, shape, &taken)))
        return false;
    if (taken)
        return true;
    unsigned char *mem = tr_row_arena_reserve(&g->lane.piece->rows, tr__ingest_row_size(g));
    if (!mem || !tr__ingest_row(g, mem, shape, 0))
        return false;
    struct tr_row *row = (struct tr_row *)(void *)mem;
    if (!tr__lane_add(&g->lane, &g->event, row))
        return false;
    g->last_track = row->track;
    g->last_row = row;
    if (!g->is_step || row->ts == TR_TIME_NONE || row->dur == TR_TIME_NONE || row->suspect != TR_SUSPECT_NO)
        return true;
    struct tr_step step = { .number = g->step, .start = row->ts, .end = row->ts + row->dur, .track = row->track };
    return tr_summary_add_step(&g->lane.piece->sum, &step);
}

enum tr_status tr_ingest_end(struct tr_ingest *g, struct tr_error *err)
{
    return add_event(g) ? TR_OK : tr__ingest_failed(g, err);
}
