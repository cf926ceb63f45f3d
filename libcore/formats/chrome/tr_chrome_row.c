/* SPDX-License-Identifier: MIT */
/* What the members of an event mean, and the row that the event becomes. */
#include "formats/chrome/tr_chrome_int.h"

#include "base/tr_num.h"
#include "formats/common/tr_dialect.h"
#include "formats/common/tr_json_defects_int.h"
#include "vendor/tr_vocab.h"

void tr__count_defects(struct tr__piece *piece, unsigned defects, uint64_t offset)
{
    enum tr_damage_cause causes[TR__N_DEFECTS];
    unsigned n = defects ? tr__defect_causes(defects, causes) : 0;
    for (unsigned i = 0; i < n; i++)
        tr__count(piece, causes[i], offset);
}

/* ---- the event being read ---- */

enum tr__use tr__use_of(const struct tr__text *key, unsigned place)
{
    static const struct {
        const char *key;
        unsigned place;
        enum tr__use use;
    } uses[] = {
        { "ph", TR_PLACE_TOP, TR__USE_PH },
        { "name", TR_PLACE_TOP, TR__USE_NAME },
        { "cat", TR_PLACE_TOP, TR__USE_CAT },
        { "ts", TR_PLACE_TOP, TR__USE_TS },
        { "dur", TR_PLACE_TOP, TR__USE_DUR },
        { "pid", TR_PLACE_TOP, TR__USE_PID },
        { "tid", TR_PLACE_TOP, TR__USE_TID },
        { "device", TR_PLACE_ARGS, TR__USE_DEVICE },
        { "stream", TR_PLACE_ARGS, TR__USE_STREAM },
        { "original_stream", TR_PLACE_ARGS, TR__USE_REAL_STREAM },
        { "context", TR_PLACE_ARGS, TR__USE_CONTEXT },
        { "correlation", TR_PLACE_ARGS, TR__USE_CORRELATION },
        { "corr_id", TR_PLACE_ARGS, TR__USE_CORRELATION }, /* of rocprofv3 */
        { "name", TR_PLACE_ARGS, TR__USE_TEXT },
        { "labels", TR_PLACE_ARGS, TR__USE_TEXT },
        { "sort_index", TR_PLACE_ARGS, TR__USE_NUMBER },
        { "TS1", TR_PLACE_ARGS, TR__USE_STAMP },
        { "TS2", TR_PLACE_ARGS, TR__USE_STAMP },
        { "TS3", TR_PLACE_ARGS, TR__USE_STAMP },
        { "TS4", TR_PLACE_ARGS, TR__USE_STAMP },
        { "TS5", TR_PLACE_ARGS, TR__USE_STAMP },
        { "Process Group Name", TR_PLACE_ARGS, TR__USE_PLAIN }, /* names, although many are digits */
        { "Process Group Description", TR_PLACE_ARGS, TR__USE_PLAIN },
        { "Collective name", TR_PLACE_ARGS, TR__USE_PLAIN },
    };
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (uses[i].place == place && strlen(uses[i].key) == key->len &&
            !memcmp(uses[i].key, key->text, key->len))
            return uses[i].use;
    return place == TR_PLACE_ARGS ? TR__USE_ARG : TR__USE_PLAIN;
}

void tr__take_integer(struct tr__event *e, enum tr__use use, int64_t v)
{
    switch (use) {
    case TR__USE_PID:
        e->pid = v;
        e->pid_type = TR_T_INT;
        break;
    case TR__USE_TID:
        e->tid = v;
        e->tid_type = TR_T_INT;
        break;
    case TR__USE_DEVICE:
        e->device = v;
        break;
    case TR__USE_STREAM:
        e->stream = v;
        break;
    case TR__USE_REAL_STREAM:
        e->real_stream = v;
        break;
    case TR__USE_CONTEXT:
        e->context = v;
        break;
    case TR__USE_CORRELATION:
        e->correlation = v;
        break;
    case TR__USE_NUMBER:
        e->number = v;
        break;
    default:
        break;
    }
}

void tr__take_unsigned(struct tr__event *e, enum tr__use use, uint64_t v)
{
    tr__take_integer(e, use, (int64_t)v);
    *(use == TR__USE_PID ? &e->pid_type : &e->tid_type) = TR_T_UINT;
}

void tr__take_string(const struct tr__parser *ps, struct tr__event *e, enum tr__use use, uint32_t id)
{
    const struct tr__text *t = &ps->lane.interner.texts[id];
    switch (use) {
    case TR__USE_NAME:
        e->name = id;
        break;
    case TR__USE_CAT:
        e->cat = id;
        break;
    case TR__USE_TEXT:
        e->text = id;
        break;
    case TR__USE_PID:
        e->pid = id;
        e->pid_type = TR_T_STRING;
        break;
    case TR__USE_TID:
        e->tid = id;
        e->tid_type = TR_T_STRING;
        break;
    default:
        break;
    }
    /* a string that is a plain number means that number: a track must not depend on quotes */
    if (t->is_int)
        tr__take_integer(e, use, t->value);
}

bool tr__take_arrow(struct tr__parser *ps, struct tr__event *e, const char *p, size_t n, uint32_t *id)
{
    char text[64];
    size_t at, digits;
    int64_t work;
    *id = TR_NO_STR;
    if (!tr__flow_phase(e->ph) || n >= sizeof text || !tr_vocab_arrow_digits(p, n, &at, &digits) ||
        !tr_num_plain(p + at, digits, &work))
        return true;
    memcpy(text, p, at);
    text[at] = '*';
    memcpy(text + at + 1, p + at + digits, n - at - digits);
    *id = tr__intern_text(&ps->lane.interner, text, n - digits + 1, false);
    if (*id == TR_NO_STR)
        return false;
    e->cat = *id;
    e->work = work;
    memcpy(e->out, &work, 8);
    e->out += 8;
    return true;
}

/* The arg id of an event, an integer in quotes; 0: there is none. */
static int64_t work_number(const struct tr__parser *ps, const struct tr_row *row, uint32_t shape)
{
    const struct tr_shape *s = &ps->lane.interner.shapes[shape];
    const unsigned char *at = tr_row_values(row);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        const struct tr__text *key = &ps->lane.interner.texts[s->slots[i].key];
        int64_t v;
        if (s->slots[i].role != TR_ROLE_COLUMN || !tr_type_has_entry(s->slots[i].type))
            continue;
        if (s->slots[i].place == TR_PLACE_ARGS && s->slots[i].type == TR_T_QUOTED && key->len == 2 &&
            memcmp(key->text, "id", 2) == 0) {
            memcpy(&v, at, 8);
            return v;
        }
        at += tr_type_is_string(s->slots[i].type) ? 4 : 8;
    }
    return 0;
}

/* Give a row a number that joins work and its call.  Values move, to make room. */
static void put_link(struct tr__event *e, struct tr_row *row, int64_t number)
{
    unsigned char *values = (unsigned char *)row + TR_ROW_HEADER;
    e->correlation = number;
    memmove(values + 8, values, (size_t)(e->out - values));
    memcpy(values, &number, 8);
    e->out += 8;
    row->has = TR_ROW_LINK;
}

/* Calls and work without a correlation that arrows join: their place takes its part. */
static void link_by_place(const struct tr__parser *ps, struct tr__event *e, struct tr_row *row)
{
    const struct tr__text *cat = e->cat == TR_NO_STR ? NULL : &ps->lane.interner.texts[e->cat];
    bool call = row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API;
    if (!cat || !cat->has_arrows || !(call || tr_vocab_on_device(row->activity)) || row->phase != TR_SPAN ||
        e->correlation != TR_I64_NONE || e->ts == TR_TIME_NONE || e->pid_type != TR_T_INT || e->tid_type != TR_T_INT)
        return;
    const struct tr__text *name = e->name == TR_NO_STR ? NULL : &ps->lane.interner.texts[e->name];
    int64_t work = !call && name && tr_vocab_of_tile(name->text, name->len) ? work_number(ps, row, row->shape) : 0;
    ps->lane.piece->by_work |= work != 0;
    put_link(e, row, work ? tr__place_of_work(work) : tr__place(e->pid, e->tid, e->ts));
}

enum tr__took tr__finish_event(struct tr__parser *ps, struct tr__event *e, struct tr_row *row,
                               uint32_t shape, uint64_t offset)
{
    struct tr__piece *pc = ps->lane.piece;
    const struct tr__text *name = e->name == TR_NO_STR ? NULL : &ps->lane.interner.texts[e->name];
    enum tr_phase phase = tr_vocab_phase(e->ph);
    if (!e->ph) {
        if (ps->lane.interner.shapes[shape].n_slots) /* else it is {}, with which writers end the list */
            tr__count(pc, TR_DAMAGE_BAD_PHASE, offset);
    } else if (e->ts == TR_TIME_NONE && phase != TR_META && phase != TR_PHASE_UNKNOWN) {
        tr__count(pc, e->ns_time ? TR_DAMAGE_TIME_IN_NS : TR_DAMAGE_BAD_TIME, offset);
        phase = TR_PHASE_UNKNOWN;
    }
    if (e->bad_dur || (phase == TR_SPAN && e->dur == TR_TIME_NONE))
        tr__count(pc, TR_DAMAGE_BAD_DUR, offset);
    row->record = pc->n_elements;
    row->shape = shape;
    row->has = 0;
    row->phase = (uint8_t)phase;
    row->activity = (uint8_t)tr_vocab_activity(
        e->cat == TR_NO_STR ? TR_ACT_OTHER : (enum tr_activity)ps->lane.interner.texts[e->cat].category,
        name ? (enum tr_vocab_name)name->name : TR_NAME_PLAIN, phase);
    if (row->activity == TR_ACT_OTHER && e->cat == TR_NO_STR && ps->lane.interner.stamped[shape] &&
        (phase == TR_SPAN || phase == TR_BEGIN || phase == TR_SPAN_END))
        row->activity = (uint8_t)tr_vocab_stamped(name ? (enum tr_vocab_name)name->name : TR_NAME_PLAIN);
    const struct tr_dialect_event *said = ps->spoken ? tr__spoken_last(ps->spoken) : NULL;
    if (said && said->activity >= 0 && (phase == TR_SPAN || phase == TR_BEGIN || phase == TR_SPAN_END))
        row->activity = (uint8_t)said->activity;
    int by_user = tr__user_activity(&ps->lane.interner, e->name, e->cat, phase);
    if (by_user >= 0)
        row->activity = (uint8_t)by_user;
    row->kind = tr_is_device_work(row->activity) ? TR_KIND_MEMORY : TR_KIND_NONE;
    if (row->activity == TR_ACT_KERNEL && !tr__kernel_kind(&ps->lane.interner, e->name, &row->kind))
        return TR__NO_MEMORY;
    if (said && said->kind >= 0 && row->activity == TR_ACT_KERNEL)
        row->kind = (uint8_t)said->kind;
    /* what is not in args is in the pid and tid of a device event */
    if (e->device == TR_I64_NONE && e->pid_type == TR_T_INT)
        e->device = e->pid;
    if (e->real_stream != TR_I64_NONE)
        e->stream = e->real_stream; /* the other one is the row in a viewer */
    if (e->stream == TR_I64_NONE && e->tid_type == TR_T_INT)
        e->stream = tr_vocab_stream_of_thread((enum tr_activity)row->activity, e->tid);
    bool joins = row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API ||
                 tr_is_device_work(row->activity) || (said && said->launches);
    if (!said)
        link_by_place(ps, e, row);
    else if (said->link != TR_I64_NONE && joins)
        put_link(e, row, said->link);
    if (!tr__lane_add(&ps->lane, e, row) || (said && !tr__spoken_added(ps, row)))
        return TR__NO_MEMORY;
    pc->n_elements++;
    return TR__TOOK;
}
