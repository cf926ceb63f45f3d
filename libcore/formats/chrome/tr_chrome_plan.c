/* SPDX-License-Identifier: MIT */
/* The plan by which events of one shape become JSON text. */
#include "formats/chrome/tr_chrome_plan_int.h"

#include "base/tr_escape.h"
#include "json/tr_json_write.h"
#include "stream/tr_batch.h"

#include <stdlib.h>
#include <string.h>

/* The state of the plan of one shape while it is made. */
struct making {
    struct tr_chrome_plans *p;
    const struct tr_dict *d;
    bool merged, in_args, first, ok;
    size_t text_from; /* start of the literal text that no step has yet */
    bool has_pid, has_id2, has_scope;
    bool async, has_name, has_cat; /* async: a span that becomes a start and an end */
    char ph;
};

static void text(struct making *m, const char *s, size_t n)
{
    m->ok = m->ok && tr_buf_add(&m->p->text, s, n);
}

static void step(struct making *m, enum tr_chrome_what what, uint8_t type, uint32_t column)
{
    struct tr_chrome_plans *p = m->p;
    m->ok = m->ok && p->text.len <= UINT32_MAX &&
            tr_grow(&p->steps, &p->cap_steps, p->n_steps + 1, sizeof *p->steps);
    if (!m->ok)
        return;
    p->steps[p->n_steps++] = (struct tr_chrome_step){
        .text_at = (uint32_t)m->text_from,
        .text_len = (uint32_t)(p->text.len - m->text_from),
        .column = column,
        .what = (uint8_t)what,
        .type = type,
    };
    m->text_from = p->text.len;
}

static bool is_args(uint8_t place)
{
    return place == TR_PLACE_ARGS || place == TR_PLACE_END_ARGS;
}

static void close_args(struct making *m)
{
    if (m->in_args) {
        text(m, "}", 1);
        m->in_args = m->first = false;
    }
}

/* The comma and the key of a member, in the object where it belongs. */
static void key(struct making *m, uint8_t place, uint32_t id)
{
    if (!is_args(place))
        close_args(m);
    if (!m->in_args && is_args(place)) {
        text(m, m->first ? "\"args\":{" : ",\"args\":{", m->first ? 8 : 9);
        m->in_args = m->first = true;
    }
    if (!m->first)
        text(m, ",", 1);
    m->first = false;
    m->ok = m->ok && tr_escape_json(&m->p->text, tr_dict_str(m->d, id),
                                     id == TR_NO_STR ? 0 : tr_strtab_len(m->d->strings, id));
    text(m, ":", 1);
}

static bool key_is(const struct making *m, const struct tr_slot *s, const char *name)
{
    return !is_args(s->place) && tr_str_is(tr_dict_text(m->d, s->key), name);
}

/* Does the id of this phase link events?  Flows, async events of the old and new form, objects. */
static bool has_tying_id(char ph)
{
    return ph && strchr("stfbneSTpFNOD", ph);
}

/* A start or an end, whose dur is not that of the event. */
static bool starts_or_ends(char ph)
{
    return ph && strchr("BEbeSF", ph);
}

/* How a member in a packed column is written. */
static enum tr_chrome_what member(struct making *m, const struct tr_slot *s)
{
    if (s->type == TR_T_IN_CAT)
        return TR_CHROME_IN_CAT;
    if (key_is(m, s, "ts"))
        return TR_CHROME_EXACT_TS;
    if (key_is(m, s, "dur") && !starts_or_ends(m->ph)) /* there it is not that of the span */
        return TR_CHROME_EXACT_DUR;
    if (m->merged) {
        if (key_is(m, s, "bind_id") || (has_tying_id(m->ph) && key_is(m, s, "id")))
            return TR_CHROME_ID;
        m->has_id2 |= key_is(m, s, "id2");
        if (key_is(m, s, "scope")) {
            m->has_scope = true;
            return TR_CHROME_SCOPE;
        }
    }
    return TR_CHROME_VALUE;
}

static void packed(struct making *m, const struct tr_slot *s)
{
    static const char *const words[] = { "null", "false", "true" };
    bool has_entry = tr_type_has_entry(s->type) && s->column < m->d->n_columns;
    if (m->merged && key_is(m, s, "pid")) { /* a pid that is neither an integer nor a string */
        m->has_pid = true;
        key(m, s->place, s->key);
        step(m, TR_CHROME_PID, TR_T_INT, UINT32_MAX);
        if (has_entry)
            step(m, TR_CHROME_SKIP, s->type, s->column);
        return;
    }
    m->has_name |= key_is(m, s, "name");
    m->has_cat |= key_is(m, s, "cat");
    if (m->async && (key_is(m, s, "id") || (key_is(m, s, "dur") && !starts_or_ends(m->ph)))) {
        if (has_entry)
            step(m, TR_CHROME_SKIP, s->type, s->column);
        return;
    }
    key(m, s->place, s->key);
    if (has_entry) {
        step(m, member(m, s), s->type, s->column);
    } else {
        const char *word = words[s->type <= TR_T_TRUE ? s->type : TR_T_NULL];
        text(m, word, strlen(word));
    }
}

/* What a file for viewers needs beyond the members of the input. */
static void more_members(struct making *m)
{
    close_args(m);
    if (!m->has_pid) {
        text(m, m->first ? "\"pid\":" : ",\"pid\":", m->first ? 6 : 7);
        step(m, TR_CHROME_PID, TR_T_INT, UINT32_MAX);
    }
    if (m->has_id2 && !m->has_scope) {
        text(m, ",\"scope\":", 9);
        step(m, TR_CHROME_SCOPE, TR_T_STRING, UINT32_MAX);
    }
    m->has_pid = m->has_id2 = m->has_scope = false;
}

/* Members that make a span the start or the end of an async event.  Viewers pair the two by category, name and id. */
static void async_members(struct making *m)
{
    close_args(m);
    if (!m->has_name) {
        text(m, ",\"name\":", 8);
        step(m, TR_CHROME_NAME, TR_T_STRING, UINT32_MAX);
    }
    if (!m->has_cat)
        text(m, ",\"cat\":\"overlap\"", 16);
    text(m, ",\"id\":", 6);
    step(m, TR_CHROME_ASYNC, TR_T_STRING, UINT32_MAX);
    m->has_name = m->has_cat = false;
}

/* From the B of a joined span to its E: one span becomes two events. */
static void end_event(struct making *m)
{
    if (m->merged)
        more_members(m);
    if (m->async)
        async_members(m);
    close_args(m);
    text(m, "},\n", 3);
    step(m, TR_CHROME_END, TR_T_NULL, UINT32_MAX);
    text(m, "{", 1);
    m->first = true;
    m->ph = m->ph == 'b' ? 'e' : m->ph == 'S' ? 'F' : 'E';
}

static void slot(struct making *m, const struct tr_slot *s)
{
    static const uint8_t what[TR_N_ROLES] = {
        [TR_ROLE_NAME] = TR_CHROME_NAME, [TR_ROLE_CAT] = TR_CHROME_CAT,
        [TR_ROLE_TS] = TR_CHROME_TS,     [TR_ROLE_DUR] = TR_CHROME_DUR,
        [TR_ROLE_PID] = TR_CHROME_PID,   [TR_ROLE_TID] = TR_CHROME_TID,
    };
    m->has_pid |= s->role == TR_ROLE_PID;
    m->has_name |= s->role == TR_ROLE_NAME;
    m->has_cat |= s->role == TR_ROLE_CAT;
    if (m->async && s->role == TR_ROLE_DUR)
        return; /* its end has it */
    switch (s->role) {
    case TR_ROLE_COLUMN:
        packed(m, s);
        break;
    case TR_ROLE_ARGS:
        if (m->in_args)
            break; /* a second bracket would not be valid JSON */
        if (m->merged) { /* viewers know only this name */
            text(m, m->first ? "" : ",", m->first ? 0 : 1);
            text(m, "\"args\":", 7);
        } else {
            key(m, s->place, s->key);
        }
        text(m, "{", 1);
        m->in_args = m->first = true;
        break;
    case TR_ROLE_END:
        end_event(m);
        break;
    case TR_ROLE_PHASE:
        key(m, TR_PLACE_TOP, s->key);
        m->ok = m->ok && tr_escape_json(&m->p->text, m->async ? m->ph == 'E' ? "e" : "b" : &m->ph, m->ph ? 1 : 0);
        break;
    default:
        if (s->role >= TR_N_ROLES)
            break;
        key(m, TR_PLACE_TOP, s->key);
        step(m, what[s->role], s->type, UINT32_MAX);
        break;
    }
}

/* The end of a span without an end event. */
static void async_end(struct making *m, const struct tr_shape *s)
{
    text(m, "},\n{\"ph\":\"e\"", 12);
    step(m, TR_CHROME_END, TR_T_NULL, UINT32_MAX);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        const struct tr_slot *k = &s->slots[i];
        bool of_event = k->role == TR_ROLE_NAME || k->role == TR_ROLE_CAT || k->role == TR_ROLE_PID ||
                        k->role == TR_ROLE_TID;
        if (of_event)
            slot(m, k);
    }
    text(m, ",\"ts\":", 6);
    step(m, TR_CHROME_TS, TR_T_INT, UINT32_MAX);
    if (m->merged)
        more_members(m);
    async_members(m);
}

static bool make(struct tr_chrome_plans *p, const struct tr_dict *d, uint32_t shape, bool merged)
{
    const struct tr_shape *s = &d->shapes[shape];
    struct making m = {
        .p = p,
        .d = d,
        .merged = merged,
        .first = true,
        .ok = true,
        .text_from = p->text.len,
        .ph = s->ph,
        .async = p->async && (s->ph == 'X' || s->ph == 'B'),
    };
    bool joined = false;
    struct tr_chrome_plan plan = { .first = p->n_steps };
    text(&m, "{", 1);
    for (uint32_t i = 0; i < s->n_slots; i++)
        if (s->slots[i].place != TR_PLACE_DERIVED) {
            slot(&m, &s->slots[i]);
            joined |= s->slots[i].role == TR_ROLE_END;
        }
    if (merged)
        more_members(&m);
    if (m.async)
        async_members(&m);
    if (m.async && !joined)
        async_end(&m, s);
    close_args(&m);
    text(&m, "}", 1);
    plan.n = p->n_steps - plan.first;
    plan.tail_at = (uint32_t)m.text_from;
    plan.tail_len = (uint32_t)(p->text.len - m.text_from);
    p->plans[shape] = plan;
    return m.ok;
}

bool tr__chrome_plan(struct tr_chrome_plans *p, const struct tr_dict *d, bool merged)
{
    if (!tr_grow(&p->plans, &p->cap_plans, d->n_shapes, sizeof *p->plans))
        return false;
    for (; p->n_plans < d->n_shapes; p->n_plans++)
        if (!make(p, d, (uint32_t)p->n_plans, merged))
            return false;
    return p->text.len <= UINT32_MAX;
}

void tr__chrome_plans_free(struct tr_chrome_plans *p)
{
    free(p->steps);
    free(p->plans);
    tr_buf_free(&p->text);
}
