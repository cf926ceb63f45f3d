/* SPDX-License-Identifier: MIT */
/* Dictionary blocks: their rows as bytes, and back. */
#include "stream/format/tr_dict_rows_int.h"

#include "stream/tr_batch.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

size_t tr__dict_row_count(const struct tr_dict *d, enum tr_block_type type)
{
    switch (type) {
    case TR_BLOCK_STRINGS:
        return tr_strtab_count(d->strings);
    case TR_BLOCK_COLUMNS:
        return d->n_columns;
    case TR_BLOCK_SHAPES:
        return d->n_shapes;
    case TR_BLOCK_SOURCES:
        return d->n_sources;
    case TR_BLOCK_TRACKS:
        return d->n_tracks;
    case TR_BLOCK_CLOCKS:
        return d->n_clocks;
    default:
        return 0;
    }
}

/* ---- writing ---- */

/* A number that may be absent (TR_I64_NONE): bit `bit` of the presence byte says whether it
 * follows. */
static uint8_t present_bit(int64_t v, unsigned bit)
{
    return (uint8_t)((v != TR_I64_NONE) << bit);
}

static void out_optional(struct tr__out *o, int64_t v)
{
    if (v != TR_I64_NONE)
        tr__out_signed(o, v);
}

static void put_shape(struct tr__out *o, const struct tr_shape *s)
{
    tr__out_u8(o, (uint8_t)s->ph);
    tr__out_varint(o, s->n_slots);
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct tr_slot *slot = &s->slots[k];
        tr__out_varint(o, slot->key);
        tr__out_u8(o, slot->place);
        tr__out_u8(o, slot->role);
        tr__out_u8(o, slot->type);
        tr__out_ref(o, slot->column);
    }
}

static void put_source(struct tr__out *o, const struct tr_source *s)
{
    tr__out_signed(o, s->rank);
    tr__out_u8(o, s->rank_rule);
    tr__out_u8(o, (uint8_t)((s->has_base != 0) | (s->partial != 0) << 1 |
                            (s->bare_array != 0) << 2 | present_bit(s->pid, 3) | (s->of_file != 0) << 4 |
                            (s->whole != 0) << 5));
    tr__out_ref(o, s->name);
    tr__out_ref(o, s->host);
    tr__out_ref(o, s->mesh);
    tr__out_ref(o, s->format);
    tr__out_signed(o, s->base_ns);
    tr__out_signed(o, s->file_base_ns);
    out_optional(o, s->pid);
    tr__out_varint(o, s->events_at);
    tr__out_varint(o, s->n_header);
    for (uint32_t k = 0; k < s->n_header; k++) {
        tr__out_varint(o, s->header_keys[k]);
        tr__out_varint(o, s->header_values[k]);
    }
    tr__out_ref(o, s->job);
    tr__out_varint(o, s->capture);
    if (s->whole)
        tr__out_u64(o, s->whole);
}

static void put_track(struct tr__out *o, const struct tr_track *t)
{
    tr__out_varint(o, t->source);
    tr__out_u8(o, t->side);
    tr__out_u8(o, t->pid_type);
    tr__out_u8(o, t->tid_type);
    tr__out_signed(o, t->pid);
    tr__out_signed(o, t->tid);
    tr__out_u8(o, present_bit(t->device, 0) | present_bit(t->context, 1) |
                      present_bit(t->stream, 2) | present_bit(t->process_sort, 3) |
                      present_bit(t->thread_sort, 4));
    out_optional(o, t->device);
    out_optional(o, t->context);
    out_optional(o, t->stream);
    out_optional(o, t->process_sort);
    out_optional(o, t->thread_sort);
    tr__out_ref(o, t->process_name);
    tr__out_ref(o, t->thread_name);
    tr__out_ref(o, t->labels);
    tr__out_varint(o, t->clock);
}

static void put_clock(struct tr__out *o, const struct tr_clock *c)
{
    uint64_t last = 0;
    tr__out_varint(o, c->source);
    tr__out_varint(o, c->before);
    tr__out_u8(o, present_bit(c->first_ts, 0) | present_bit(c->last_end, 1) |
                      (uint8_t)(c->keeps_summary << 2) | (uint8_t)(c->domain << 3));
    tr__out_signed(o, c->frame);
    tr__out_signed(o, c->origin);
    tr__out_signed(o, c->offset);
    tr__out_signed(o, c->drift);
    out_optional(o, c->first_ts);
    out_optional(o, c->last_end);
    tr__out_varint(o, c->n_fixes);
    for (size_t k = 0; k < c->n_fixes; k++) {
        tr__out_varint(o, c->fixes[k].record - last);
        tr__out_u8(o, c->fixes[k].bits);
        last = c->fixes[k].record;
    }
    last = 0;
    tr__out_varint(o, c->n_step_fixes);
    for (size_t k = 0; k < c->n_step_fixes; k++) {
        tr__out_varint(o, c->step_fixes[k] - last);
        last = c->step_fixes[k];
    }
}

bool tr__dict_row_put(const struct tr_dict *d, enum tr_block_type type, size_t i, struct tr_buf *row)
{
    struct tr__out o = { row, false };
    switch (type) {
    case TR_BLOCK_STRINGS:
        tr__out_bytes(&o, tr_strtab_get(d->strings, (uint32_t)i),
                      tr_strtab_len(d->strings, (uint32_t)i));
        break;
    case TR_BLOCK_COLUMNS:
        tr__out_varint(&o, d->columns[i].key);
        tr__out_u8(&o, d->columns[i].place);
        tr__out_u8(&o, d->columns[i].type);
        tr__out_u8(&o, d->columns[i].flag);
        break;
    case TR_BLOCK_SHAPES:
        put_shape(&o, &d->shapes[i]);
        break;
    case TR_BLOCK_SOURCES:
        tr__out_varint(&o, i);
        put_source(&o, &d->sources[i]);
        break;
    case TR_BLOCK_CLOCKS:
        put_clock(&o, &d->clocks[i]);
        break;
    default:
        tr__out_varint(&o, i);
        put_track(&o, &d->tracks[i]);
    }
    return !o.failed;
}

/* ---- reading ---- */

void tr__dict_rows_free(struct tr__dict_rows *r)
{
    tr_strtab_free(r->columns);
    r->columns = NULL;
    free(r->seen);
    r->seen = NULL;
    r->cap_seen = 0;
}

static int64_t in_optional(struct tr__in *in, uint8_t present, unsigned bit)
{
    return present >> bit & 1 ? tr__in_signed(in) : TR_I64_NONE;
}

/* Each getter returns false for a malformed row, or, with *memory set, if memory ran out. */

static bool get_string(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_strtab *t = r->dict->strings;
    size_t len = tr__in_left(in);
    const unsigned char *s = tr__in_bytes(in, len);
    uint32_t expected = (uint32_t)r->n_strings;
    if (r->n_strings < tr_strtab_count(t)) { /* known beforehand: keys of derived columns */
        if (tr_strtab_find(t, s, len) != expected)
            return false;
    } else {
        uint32_t id = tr_strtab_add(t, s, len);
        *memory = id == TR_NO_STR;
        if (id != expected)
            return false; /* a string that was sent before */
    }
    r->n_strings++;
    return true;
}

/* Is a column the first of its key, place and type? */
static bool is_new_column(struct tr__dict_rows *r, const struct tr_column *c, bool *memory)
{
    const uint64_t content = (uint64_t)c->key << 16 | (uint64_t)c->place << 8 | c->type;
    if (!r->columns)
        r->columns = tr_strtab_new();
    uint32_t before = r->columns ? tr_strtab_count(r->columns) : 0;
    uint32_t id = r->columns ? tr_strtab_add(r->columns, &content, sizeof content) : TR_NO_STR;
    *memory = id == TR_NO_STR;
    return id == before;
}

static bool get_column(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_dict *d = r->dict;
    size_t n_strings = tr_strtab_count(d->strings);
    struct tr_column c = { .key = (uint32_t)tr__in_max(in, n_strings - 1) };
    c.place = tr__in_u8(in);
    c.type = tr__in_u8(in);
    c.flag = tr__in_u8(in);
    if (in->bad || c.place >= TR_N_PLACES || c.type >= TR_N_TYPES || !tr_type_has_entry(c.type) ||
        (c.type == TR_T_IN_CAT && c.place != TR_PLACE_TOP))
        return false;
    if (r->n_columns < TR_N_DERIVED) {
        const struct tr_column *own = &d->columns[r->n_columns];
        if (c.key != own->key || c.place != own->place || c.type != own->type ||
            c.flag != own->flag)
            return false;
    } else {
        if (c.flag || c.place == TR_PLACE_DERIVED || !is_new_column(r, &c, memory))
            return false;
        *memory = tr_dict_add_column(d, &c) == UINT32_MAX;
        if (*memory)
            return false;
    }
    r->n_columns++;
    return true;
}

/* The types that a slot of a role may have, as bits. */
static const uint16_t role_types[TR_N_ROLES] = {
    [TR_ROLE_COLUMN] = (1u << TR_N_TYPES) - 1,
    [TR_ROLE_PHASE] = 1u << TR_T_STRING,
    [TR_ROLE_NAME] = 1u << TR_T_STRING,
    [TR_ROLE_CAT] = 1u << TR_T_STRING,
    [TR_ROLE_TS] = 1u << TR_T_INT | 1u << TR_T_STRING,
    [TR_ROLE_DUR] = 1u << TR_T_INT | 1u << TR_T_STRING,
    [TR_ROLE_PID] = 1u << TR_T_INT | 1u << TR_T_STRING,
    [TR_ROLE_TID] = 1u << TR_T_INT | 1u << TR_T_STRING,
    [TR_ROLE_ARGS] = 1u << TR_T_JSON,
    [TR_ROLE_END] = 1u << TR_T_NULL,
};

/* Is a slot in a valid place?  ended: there is a slot of role end before it. */
static bool good_place(const struct tr_slot *slot, bool ended)
{
    if (slot->role == TR_ROLE_END)
        return !ended && slot->place == TR_PLACE_END_TOP;
    unsigned top = ended ? TR_PLACE_END_TOP : TR_PLACE_TOP;
    unsigned args = ended ? TR_PLACE_END_ARGS : TR_PLACE_ARGS;
    return slot->place == top || (slot->place == args && slot->role == TR_ROLE_COLUMN);
}

static bool get_slot(const struct tr_dict *d, struct tr__in *in, bool ended, struct tr_slot *slot)
{
    slot->key = (uint32_t)tr__in_max(in, tr_strtab_count(d->strings) - 1);
    slot->place = tr__in_u8(in);
    slot->role = tr__in_u8(in);
    slot->type = tr__in_u8(in);
    slot->column = tr__in_ref(in, d->n_columns);
    if (in->bad || slot->role >= TR_N_ROLES || slot->type >= TR_N_TYPES ||
        !(role_types[slot->role] >> slot->type & 1) || !good_place(slot, ended))
        return false;
    if (slot->role != TR_ROLE_COLUMN || !tr_type_has_entry(slot->type))
        return slot->column == UINT32_MAX;
    if (slot->column == UINT32_MAX)
        return false;
    const struct tr_column *c = &d->columns[slot->column];
    return !c->flag && c->key == slot->key && c->place == slot->place && c->type == slot->type;
}

static bool get_shape(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_dict *d = r->dict;
    struct tr_shape s = { .ph = (char)tr__in_u8(in) };
    s.n_slots = (uint32_t)tr__in_max(in, TR_MAX_MEMBERS);
    bool ok = false, ended = false;
    if (in->bad || s.n_slots > tr__in_left(in) / 5) /* a slot has at least 5 bytes */
        return false;
    size_t before = r->cap_seen;
    s.slots = calloc(s.n_slots ? s.n_slots : 1, sizeof *s.slots);
    if (!s.slots || !tr_grow(&r->seen, &r->cap_seen, d->n_columns, sizeof *r->seen)) {
        *memory = true;
        goto out;
    }
    memset(r->seen + before, 0, (r->cap_seen - before) * sizeof *r->seen);
    for (uint32_t k = 0; k < s.n_slots; k++) {
        struct tr_slot *slot = &s.slots[k];
        if (!get_slot(d, in, ended, slot))
            goto out;
        ended |= slot->role == TR_ROLE_END;
        if (slot->column == UINT32_MAX)
            continue;
        if (r->seen[slot->column] == d->n_shapes + 1) /* a column has one value per event */
            goto out;
        r->seen[slot->column] = (uint32_t)(d->n_shapes + 1);
    }
    *memory = tr_dict_add_shape(d, &s) == UINT32_MAX;
    ok = !*memory;
out:
    free(s.slots);
    return ok;
}

static bool get_source(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_dict *d = r->dict;
    size_t n_strings = tr_strtab_count(d->strings);
    size_t number = tr__in_size(in, d->n_sources);
    struct tr_source s = { .rank = tr__in_signed(in), .other_pid = TR_I64_NONE };
    s.rank_rule = tr__in_u8(in);
    uint8_t bits = tr__in_u8(in);
    s.has_base = bits & 1;
    s.partial = bits >> 1 & 1;
    s.bare_array = bits >> 2 & 1;
    s.of_file = bits >> 4 & 1;
    s.name = tr__in_ref(in, n_strings);
    s.host = tr__in_ref(in, n_strings);
    s.mesh = tr__in_ref(in, n_strings);
    s.format = tr__in_ref(in, n_strings);
    s.base_ns = tr__in_signed(in);
    s.file_base_ns = tr__in_signed(in);
    s.pid = in_optional(in, bits, 3);
    s.events_at = (uint32_t)tr__in_max(in, UINT32_MAX);
    s.n_header = (uint32_t)tr__in_max(in, tr__in_left(in) / 2); /* an entry has at least 2 bytes */
    if (in->bad || s.rank_rule >= TR_N_RANK_RULES || bits > 63 || s.events_at > s.n_header)
        return false;
    bool ok = false;
    s.header_keys = calloc(s.n_header + 1u, sizeof *s.header_keys);
    s.header_values = calloc(s.n_header + 1u, sizeof *s.header_values);
    if (!s.header_keys || !s.header_values) {
        *memory = true;
        goto out;
    }
    for (uint32_t k = 0; k < s.n_header; k++) {
        s.header_keys[k] = (uint32_t)tr__in_max(in, n_strings - 1);
        s.header_values[k] = (uint32_t)tr__in_max(in, n_strings - 1);
    }
    s.job = tr__in_ref(in, n_strings);
    s.capture = (uint32_t)tr__in_max(in, UINT32_MAX);
    if (bits >> 5 & 1)
        s.whole = tr__in_u64(in);
    if (in->bad)
        goto out;
    if (number < d->n_sources) { /* replaced: swap, so that the old arrays are freed below */
        struct tr_source old = d->sources[number];
        d->sources[number] = s;
        s = old;
        ok = true;
    } else {
        *memory = tr_dict_add_source(d, &s) == UINT32_MAX;
        ok = !*memory;
    }
out:
    free(s.header_keys);
    free(s.header_values);
    return ok;
}

/* pid and tid: a string has to exist. */
static bool good_id(uint8_t type, int64_t id, size_t n_strings)
{
    return type == TR_T_NULL || type == TR_T_INT || (type == TR_T_UINT && id < 0) ||
           (type == TR_T_STRING && id >= 0 && (uint64_t)id < n_strings);
}

static bool get_track(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_dict *d = r->dict;
    size_t n_strings = tr_strtab_count(d->strings);
    size_t number = tr__in_size(in, d->n_tracks);
    struct tr_track t = { .source = (uint32_t)tr__in_max(in, UINT32_MAX) };
    t.side = tr__in_u8(in);
    t.pid_type = tr__in_u8(in);
    t.tid_type = tr__in_u8(in);
    t.pid = tr__in_signed(in);
    t.tid = tr__in_signed(in);
    uint8_t present = tr__in_u8(in);
    t.device = in_optional(in, present, 0);
    t.context = in_optional(in, present, 1);
    t.stream = in_optional(in, present, 2);
    t.process_sort = in_optional(in, present, 3);
    t.thread_sort = in_optional(in, present, 4);
    t.process_name = tr__in_ref(in, n_strings);
    t.thread_name = tr__in_ref(in, n_strings);
    t.labels = tr__in_ref(in, n_strings);
    t.clock = (uint32_t)tr__in_max(in, UINT32_MAX);
    if (in->bad || t.source >= d->n_sources || t.side > TR_SIDE_DEVICE || present > 31 ||
        !good_id(t.pid_type, t.pid, n_strings) ||
        !good_id(t.tid_type == TR_T_NULL ? t.pid_type : t.tid_type, t.tid, n_strings))
        return false; /* without a tid, its value is the pid's */
    if (number < d->n_tracks) {
        if (d->tracks[number].source != t.source)
            return false; /* events of this track have been checked already */
        d->tracks[number] = t;
        return true;
    }
    *memory = tr_dict_add_track(d, &t) == UINT32_MAX;
    return !*memory;
}

static void get_fixes(struct tr__in *in, struct tr_clock *c, bool *memory)
{
    uint64_t n = tr__in_max(in, tr__in_left(in) / 2), last = 0;
    for (uint64_t k = 0; k < n && !in->bad && !*memory; k++) {
        uint64_t more = tr__in_varint(in);
        uint8_t bits = tr__in_u8(in);
        in->bad |= more > UINT64_MAX - last || bits > TR_FIX_ALL || (k && !more);
        last += more;
        *memory = !tr_clock_add_fix(c, last, bits);
    }
    n = tr__in_max(in, tr__in_left(in));
    last = 0;
    for (uint64_t k = 0; k < n && !in->bad && !*memory; k++) {
        uint64_t more = tr__in_varint(in);
        in->bad |= more > UINT64_MAX - last || (k && !more);
        last += more;
        *memory = !tr_clock_add_step_fix(c, last);
    }
}

/* A further clock of the input, which was not changed. */
static bool is_domain(const struct tr_clock *c, uint8_t present)
{
    return present == 8 && !c->before && c->frame == -1 && !c->origin && !c->offset && !c->drift && !c->n_fixes &&
           !c->n_step_fixes;
}

static bool get_clock(struct tr__dict_rows *r, struct tr__in *in, bool *memory)
{
    struct tr_dict *d = r->dict;
    struct tr_clock c = { .source = (uint32_t)tr__in_max(in, UINT32_MAX) };
    c.before = (uint32_t)tr__in_max(in, UINT32_MAX);
    uint8_t present = tr__in_u8(in);
    c.frame = tr__in_signed(in);
    c.origin = tr__in_signed(in);
    c.offset = tr__in_signed(in);
    c.drift = tr__in_signed(in);
    c.keeps_summary = present >> 2 & 1;
    c.domain = present >> 3 & 1;
    c.first_ts = in_optional(in, present, 0);
    c.last_end = in_optional(in, present, 1);
    get_fixes(in, &c, memory);
    bool ok = !*memory && !in->bad && c.source < d->n_sources && (present <= 7 || is_domain(&c, present)) &&
              c.drift >= -TR_DRIFT_MAX && c.drift <= TR_DRIFT_MAX;
    if (ok) {
        *memory = tr_dict_add_clock(d, &c) == UINT32_MAX;
        ok = !*memory;
    }
    free(c.fixes);
    free(c.step_fixes);
    return ok;
}

enum tr_status tr__dict_rows_get(struct tr__dict_rows *r, enum tr_block_type type,
                            const unsigned char *payload, size_t len, uint32_t n_items,
                            struct tr_error *err)
{
    struct tr__in in = { payload, payload + len, false };
    for (uint32_t i = 0; i < n_items; i++) {
        size_t n = tr__in_size(&in, tr__in_left(&in));
        const unsigned char *p = tr__in_bytes(&in, n);
        if (in.bad)
            return tr_fail(err, TR_DAMAGED, "row %u of %u has a bad length", i, n_items);
        struct tr__in row = { p, p + n, false };
        bool memory = false, ok;
        switch (type) {
        case TR_BLOCK_STRINGS:
            ok = get_string(r, &row, &memory);
            break;
        case TR_BLOCK_COLUMNS:
            ok = get_column(r, &row, &memory);
            break;
        case TR_BLOCK_SHAPES:
            ok = get_shape(r, &row, &memory);
            break;
        case TR_BLOCK_SOURCES:
            ok = get_source(r, &row, &memory);
            break;
        case TR_BLOCK_CLOCKS:
            ok = get_clock(r, &row, &memory);
            break;
        default:
            ok = get_track(r, &row, &memory);
        }
        if (memory)
            return tr_fail_memory(err);
        if (!ok)
            return tr_fail(err, TR_DAMAGED, "row %u of %u is malformed", i, n_items);
    }
    if (tr__in_left(&in))
        return tr_fail(err, TR_DAMAGED, "%zu bytes after the last row", tr__in_left(&in));
    return TR_OK;
}
