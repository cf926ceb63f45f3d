/* SPDX-License-Identifier: MIT */
/* One event of a Trace Event Format file: reads its members by tokens, and builds the event. */
#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "formats/chrome/tr_chrome_read_int.h"
#include "formats/common/tr_dialect.h"

#include <stdlib.h>

/* A text as it is in the file: the inside of a string, or a whole array, object or number. */
bool tr__chrome_decode(const char *raw, size_t len, bool is_json, struct tr_buf *out, unsigned *defects)
{
    size_t end;
    if (is_json) {
        bool number = raw[0] != '[' && raw[0] != '{';
        return tr_json_scan(raw, len, true, NULL, &end, defects) == TR_JSON_DONE && end == len &&
               tr_json_clean(raw, len, true, number, out);
    }
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)raw[i] < 0x20)
            *defects |= TR_JSON_CONTROL;
    if (!tr_json_unescape(raw, len, out, defects))
        return false;
    if (out->len && !tr_utf8_valid((const char *)out->data, out->len))
        *defects |= TR_JSON_BAD_UTF8;
    return true;
}

void tr__parser_free(struct tr__parser *ps)
{
    tr_json_tokens_free(&ps->tokens);
    tr_buf_free(&ps->clean);
    tr_buf_free(&ps->slots);
    free(ps->starts);
    free(ps->seen); /* the tree's memory is in the interner's arena */
}

static void put8(struct tr__event *e, int64_t v)
{
    memcpy(e->out, &v, 8);
    e->out += 8;
}

static void put4(struct tr__event *e, uint32_t v)
{
    memcpy(e->out, &v, 4);
    e->out += 4;
}

/* Keep a separate text (string, JSON, number text) as the next packed value. */
static bool put_text(struct tr__parser *ps, struct tr__event *e, const char *p, size_t n, bool is_json)
{
    uint32_t id = tr__intern_text(&ps->lane.interner, p, n, is_json);
    put4(e, id);
    return id != TR_NO_STR;
}

/* A number outside int64, as a pid or tid: reals are truncated. */
static int64_t whole_part(const struct tr_number *num)
{
    double d = num->cls == TR_NUMBER_DOUBLE ? num->d : 0;
    if (num->cls == TR_NUMBER_DECIMAL)
        d = tr_decimal_double(tr_decimal_make(num->i, num->scale));
    return d > -9e18 && d < 9e18 ? (int64_t)d : 0;
}

/* A time of the years from 1990 to 2100 in ns since 1970.  In us, it does not fit. */
static bool is_ns_time(const struct tr_number *num)
{
    return num->cls == TR_NUMBER_INT && num->i > INT64_C(631152000000000000) && num->i < INT64_C(4102444800000000000);
}

static bool take_number(struct tr__parser *ps, struct tr__event *e, const struct tr__member *m,
                        struct tr_slot *slot)
{
    struct tr_number num;
    int64_t ns;
    bool exact;
    if (m->use == TR__USE_TS || m->use == TR__USE_DUR) {
        if (tr_json_us_to_ns(m->raw, m->len, &ns, &exact)) {
            *(m->use == TR__USE_TS ? &e->ts : &e->dur) = ns;
            if (exact) {
                slot->role = m->use == TR__USE_TS ? TR_ROLE_TS : TR_ROLE_DUR;
                slot->type = TR_T_INT;
                return true;
            }
        } else if (m->use == TR__USE_DUR) {
            e->bad_dur = true;
        }
    }
    if (!tr_json_number(m->raw, m->len, &num)) { /* NaN and its like */
        if (m->use == TR__USE_DUR)
            e->bad_dur = true;
        slot->type = TR_T_NUMBER;
        return put_text(ps, e, m->raw, m->len, true);
    }
    e->ns_time |= m->use == TR__USE_TS && is_ns_time(&num);
    if (m->use == TR__USE_PID || m->use == TR__USE_TID) {
        if (num.cls == TR_NUMBER_INT) {
            slot->role = m->use == TR__USE_PID ? TR_ROLE_PID : TR_ROLE_TID;
            slot->type = TR_T_INT;
            tr__take_integer(e, (enum tr__use)m->use, num.i);
            return true;
        }
        if (num.cls == TR_NUMBER_UINT) {
            slot->role = m->use == TR__USE_PID ? TR_ROLE_PID : TR_ROLE_TID;
            slot->type = TR_T_INT; /* a number; the value is in the track */
            tr__take_unsigned(e, (enum tr__use)m->use, num.u);
            return true;
        }
        tr__take_integer(e, (enum tr__use)m->use, whole_part(&num));
    }
    switch (num.cls) {
    case TR_NUMBER_INT:
        slot->type = TR_T_INT;
        tr__take_integer(e, (enum tr__use)m->use, num.i);
        put8(e, num.i);
        return true;
    case TR_NUMBER_UINT:
        slot->type = TR_T_UINT;
        put8(e, (int64_t)num.u);
        return true;
    case TR_NUMBER_DECIMAL:
        slot->type = TR_T_DECIMAL;
        put8(e, tr_decimal_make(num.i, num.scale));
        return true;
    case TR_NUMBER_DOUBLE:
        slot->type = TR_T_DOUBLE;
        memcpy(&ns, &num.d, 8);
        put8(e, ns);
        return true;
    default:
        slot->type = TR_T_NUMBER;
        return put_text(ps, e, m->raw, m->len, true);
    }
}

static bool take_text(struct tr__parser *ps, struct tr__event *e, const struct tr__member *m,
                      struct tr_slot *slot, uint64_t offset)
{
    const char *p = m->raw + 1; /* inside the quotes */
    size_t n = m->len - 2;
    int64_t ns;
    bool exact;
    slot->type = TR_T_STRING;
    if (m->use == TR__USE_PH) {
        uint32_t id = tr__intern_text(&ps->lane.interner, p, n, false);
        if (id == TR_NO_STR)
            return false;
        const struct tr__text *t = &ps->lane.interner.texts[id];
        e->ph = t->len ? *t->text : 0; /* the first byte counts */
        if (tr__plain_phase(p, n))
            slot->role = TR_ROLE_PHASE;
        else
            put4(e, id);
        return true;
    }
    if ((m->use == TR__USE_TS || m->use == TR__USE_DUR)) {
        if (tr_json_us_to_ns(p, n, &ns, &exact)) {
            *(m->use == TR__USE_TS ? &e->ts : &e->dur) = ns;
            if (!ps->spoken || !tr__spoken_dialect(ps->spoken)->quoted_times)
                tr__count(ps->lane.piece, TR_DAMAGE_TIME_AS_STRING, offset);
        } else if (m->use == TR__USE_DUR) {
            e->bad_dur = true;
        }
        return put_text(ps, e, p, n, false); /* unchanged: "1.50" stays "1.50" */
    }
    bool quoted = (m->use == TR__USE_ARG || m->use == TR__USE_STAMP) && tr_num_plain(p, n, &ns);
    if (quoted || (m->use == TR__USE_STAMP && tr_num_plain_hex(p, n, &ns))) {
        slot->type = quoted ? TR_T_QUOTED : TR_T_HEX;
        put8(e, ns);
        return true;
    }
    uint32_t id;
    if (m->use == TR__USE_CAT) {
        if (!tr__take_arrow(ps, e, p, n, &id))
            return false;
        if (id != TR_NO_STR) {
            slot->type = TR_T_IN_CAT;
            return true;
        }
    }
    id = tr__intern_text(&ps->lane.interner, p, n, false);
    if (id == TR_NO_STR)
        return false;
    tr__count_defects(ps->lane.piece, ps->lane.interner.texts[id].defects & TR_JSON_LONE_SURROGATE, offset);
    tr__take_string(ps, e, (enum tr__use)m->use, id);
    switch (m->use) {
    case TR__USE_NAME:
        slot->role = TR_ROLE_NAME;
        return true;
    case TR__USE_CAT:
        slot->role = TR_ROLE_CAT;
        return true;
    case TR__USE_PID:
        slot->role = TR_ROLE_PID;
        return true;
    case TR__USE_TID:
        slot->role = TR_ROLE_TID;
        return true;
    default:
        put4(e, id);
        return true;
    }
}

/* Take the value of one member; *slot: its place. */
static bool take_member(struct tr__parser *ps, struct tr__event *e, const struct tr__member *m,
                        struct tr_slot *slot, uint64_t offset)
{
    char c = m->raw[0];
    slot->role = TR_ROLE_COLUMN;
    if (c == '"')
        return take_text(ps, e, m, slot, offset);
    if (c == '[' || c == '{') {
        slot->type = TR_T_JSON;
        e->bad_dur |= m->use == TR__USE_DUR;
        return put_text(ps, e, m->raw, m->len, true);
    }
    if (c == 't' || c == 'f' || c == 'n') {
        slot->type = c == 't' ? TR_T_TRUE : c == 'f' ? TR_T_FALSE : TR_T_NULL;
        e->bad_dur |= m->use == TR__USE_DUR;
        return true;
    }
    return take_number(ps, e, m, slot);
}

static bool member_at(struct tr__parser *ps, const char *text, size_t key, unsigned place,
                      struct tr__member *m)
{
    const struct tr_json_token *k = &ps->tokens.tok[key], *v = &ps->tokens.tok[key + 1];
    m->place = (uint8_t)place;
    m->key = tr__intern_text(&ps->lane.interner, text + k->start, (size_t)(k->end - k->start), false);
    if (m->key == TR_NO_STR)
        return false;
    bool quoted = v->kind == TR_JSON_STRING;
    m->raw = text + v->start - quoted;
    m->len = (size_t)(v->end - v->start) + 2u * quoted;
    m->use = (uint8_t)tr__use_of(&ps->lane.interner.texts[m->key], place);
    return true;
}

/* Add a member; if its object already has the key, the earlier member is void. */
static bool push_member(struct tr__parser *ps, const struct tr__member *m, uint64_t object,
                        bool *duplicate)
{
    size_t n = ps->slots.len / sizeof *m;
    if (m->key >= ps->cap_seen) {
        size_t old = ps->cap_seen;
        if (!tr_grow(&ps->seen, &ps->cap_seen, m->key + 1u, sizeof *ps->seen))
            return false;
        memset(ps->seen + old, 0, (ps->cap_seen - old) * sizeof *ps->seen);
    }
    struct tr__seen *seen = &ps->seen[m->key];
    size_t i = m->place == TR_PLACE_ARGS;
    if (seen->object[i] == object) {
        *duplicate = true;
        ((struct tr__member *)(void *)ps->slots.data)[seen->at[i]].use = TR__USE_VOID;
    }
    seen->object[i] = object;
    seen->at[i] = n;
    return tr_buf_add(&ps->slots, m, sizeof *m);
}

/*
 * The members of an object, by tokens, into ps->slots as struct tr__member.  args: the token of the args object; a
 * marker takes its place, and its members follow.  0: none.
 */
static enum tr__took collect(struct tr__parser *ps, const char *text, size_t object, unsigned place,
                             size_t args, bool *duplicate)
{
    const struct tr_json_tokens *t = &ps->tokens;
    size_t end = tr_json_next(t, object);
    uint64_t number = ps->object;
    for (size_t k = object + 1; k < end; k = tr_json_next(t, k + 1)) {
        struct tr__member m;
        if (t->tok[k].kind != TR_JSON_STRING || t->tok[k].size != 1 || k + 1 >= end)
            return TR__BAD;
        if (!member_at(ps, text, k, place, &m))
            return TR__NO_MEMORY;
        if (args && k + 1 == args)
            m.use = TR__USE_ARGS;
        if (!push_member(ps, &m, number, duplicate))
            return TR__NO_MEMORY;
        if (args && k + 1 == args) {
            enum tr__took took = collect(ps, text, args, TR_PLACE_ARGS, 0, duplicate);
            if (took != TR__TOOK)
                return took;
        }
    }
    return TR__TOOK;
}

/* Build the row of the event whose members are in ps->slots. */
static enum tr__took build(struct tr__parser *ps, uint64_t offset, uint32_t *shape)
{
    size_t n = ps->slots.len / sizeof(struct tr__member), n_slots = 0;
    unsigned char *mem = tr_row_arena_reserve(&ps->lane.piece->rows, TR_ROW_HEADER + 8 * n + 8);
    struct tr_slot *slots = malloc((n + 1) * sizeof *slots);
    enum tr__took took = TR__NO_MEMORY;
    struct tr__event e;
    if (!mem || !slots)
        goto out;
    tr__event_clear(&e);
    e.out = mem + TR_ROW_HEADER;
    for (size_t i = 0; i < n; i++) {
        const struct tr__member *m = (const struct tr__member *)(void *)ps->slots.data + i;
        if (m->use == TR__USE_VOID)
            continue;
        struct tr_slot *slot = &slots[n_slots++];
        *slot = (struct tr_slot){ m->key, UINT32_MAX, m->place, TR_ROLE_ARGS, TR_T_JSON };
        if (m->use != TR__USE_ARGS && !take_member(ps, &e, m, slot, offset))
            goto out;
    }
    *shape = tr__intern_shape(&ps->lane.interner, slots, (uint32_t)n_slots, e.ph);
    if (*shape != UINT32_MAX && (!ps->spoken || tr__spoken_event(ps, &e, n)))
        took = tr__finish_event(ps, &e, (struct tr_row *)(void *)mem, *shape, offset);
out:
    free(slots);
    return took;
}

/* Members of the event, and of its args if they are an object; args 0: there are none. */
static size_t n_members(const struct tr_json_token *tok, size_t args)
{
    bool more = args && tok[args].kind == TR_JSON_OBJECT;
    return (size_t)tok[0].size + (more ? (size_t)tok[args].size : 0);
}

/* Does a string hold members of an event as text?  Then it may have swallowed another event. */
static bool holds_members(const char *text, size_t len)
{
    static const char *const keys[] = { "ph", "ts", "dur", "pid", "tid", "cat", "args" };
    for (size_t i = 0; i + 4 < len; i++)
        for (size_t k = 0; text[i] == '\\' && text[i + 1] == '"' && k < sizeof keys / sizeof *keys; k++) {
            size_t n = strlen(keys[k]);
            if (i + n + 5 <= len && !memcmp(text + i + 2, keys[k], n) && !memcmp(text + i + 2 + n, "\\\":", 3))
                return true;
        }
    return false;
}

/* Does a repaired event have what an event needs, each member for itself, and not as text of another one? */
static bool is_whole(void *ctx, const char *text, size_t len)
{
    static const char *const needed[] = { "name", "ts", "pid" };
    struct tr_json_tokens *t = ctx;
    if (holds_members(text, len) || !tr_json_tokenize(t, text, len))
        return false;
    size_t ph = tr_json_member(t, text, 0, "ph");
    bool one = ph && t->tok[ph].kind == TR_JSON_STRING && t->tok[ph].end == t->tok[ph].start + 1;
    bool whole = one && (text[t->tok[ph].start] != 'X' || tr_json_member(t, text, 0, "dur"));
    for (size_t i = 0; whole && i < sizeof needed / sizeof *needed; i++)
        whole = tr_json_member(t, text, 0, needed[i]) != 0;
    return whole;
}

/* Read the event whose clean text is text[0..text_len); p[0..len) is that of the file. */
static enum tr__took take_clean(struct tr__parser *ps, const char *text, size_t text_len, const char *p, size_t len,
                                unsigned defects, uint64_t offset)
{
    bool duplicate = false, odd_args = false;
    uint32_t shape;
    if (!tr_json_tokenize(&ps->tokens, text, text_len))
        return ps->tokens.no_memory ? TR__NO_MEMORY : TR__BAD;
    size_t args = tr_json_member(&ps->tokens, text, 0, "args");
    size_t attr = tr_json_member(&ps->tokens, text, 0, "attr"); /* flex of IBM's AIU has this name for args */
    bool both = args && attr;
    if (!args && attr && ps->tokens.tok[attr].kind == TR_JSON_OBJECT)
        args = attr;
    if (n_members(ps->tokens.tok, args) > TR__MAX_MEMBERS)
        return TR__LONG; /* before its strings are stored */
    if (args && ps->tokens.tok[args].kind != TR_JSON_OBJECT) {
        tr__count(ps->lane.piece, TR_DAMAGE_ARGS_NOT_OBJECT, offset);
        odd_args = true;
        args = 0; /* kept like any other member */
    }
    ps->slots.len = 0;
    ps->object++;
    enum tr__took took = collect(ps, text, 0, TR_PLACE_TOP, args, &duplicate);
    if (took == TR__TOOK)
        took = build(ps, offset, &shape);
    if (took != TR__TOOK)
        return took;
    tr__count_defects(ps->lane.piece, defects, offset);
    if (duplicate)
        tr__count(ps->lane.piece, TR_DAMAGE_DUPLICATE_KEY, offset);
    const struct tr__member *m = (const struct tr__member *)(void *)ps->slots.data;
    /* in an event with both, the text before attr has another meaning than in other events */
    if (!defects && !duplicate && !odd_args && !both && !ps->tokenize_all &&
        !tr__short_learn(ps, p, len, m, ps->slots.len / sizeof *m, shape))
        return TR__NO_MEMORY;
    return TR__TOOK;
}

/*
 * Read an event by tokens: any layout and any key order; its text is cleaned if needed.  It is the first len of n
 * bytes; n and last are those given to tr_json_scan.
 */
static enum tr__took take_by_tokens(struct tr__parser *ps, const char *p, size_t len, size_t n, bool last,
                                    unsigned defects, uint64_t offset)
{
    if (!defects)
        return take_clean(ps, p, len, p, len, 0, offset);
    ps->clean.len = 0;
    if (!tr_json_clean(p, n, last, true, &ps->clean))
        return TR__NO_MEMORY;
    if (ps->clean.len > TR__MAX_EVENT)
        return TR__LONG;
    return take_clean(ps, (const char *)ps->clean.data, ps->clean.len, p, len, defects, offset);
}

#define MAX_REPAIRS ((size_t)32 << 20) /* bytes read in vain for repairs; then there are none, until events are good */

/* Read an event that has quotes in its strings, each a closing one only if the rest of the event fits. */
static enum tr__took take_repaired(struct tr__parser *ps, const char *p, size_t n, bool last, uint64_t offset,
                                   size_t *len)
{
    size_t end;
    unsigned defects;
    const struct tr_json_whole whole = { is_whole, &ps->tokens };
    if (*ps->repairs > MAX_REPAIRS)
        return TR__BAD;
    switch (tr_json_repair(p, n, last, ps->firsts, &whole, &end, &defects, &ps->clean)) {
    case TR_JSON_DONE:
        break;
    case TR_JSON_MORE:
        return TR__MORE;
    default:
        *ps->repairs += end;
        return TR__BAD;
    }
    enum tr__took took = take_clean(ps, (const char *)ps->clean.data, ps->clean.len, p, end, defects, offset);
    if (took != TR__BAD)
        *len = end;
    return took;
}

static bool blank(const char *p, size_t n)
{
    while (n > 0 && tr_json_space(p[n - 1]))
        n--;
    return n == 0;
}

/* Can what follows an event follow an element?  TOOK: yes; MORE: it is not there yet; BAD. */
static enum tr__took element_follows(const char *p, size_t n, bool last, size_t at)
{
    while (at < n && tr_json_space(p[at]))
        at++;
    if (at >= n)
        return last || n >= TR__MAX_EVENT ? TR__TOOK : TR__MORE;
    return p[at] == ',' || p[at] == ']' || p[at] == '{' ? TR__TOOK : TR__BAD;
}

enum tr__took tr__take_event(struct tr__parser *ps, const char *p, size_t n, bool last,
                             uint64_t offset, size_t *len)
{
    enum tr__took took = TR__BAD, follows;
    unsigned defects;
    if (!ps->tokenize_all) {
        struct tr__event e;
        *len = tr__short_event(ps, p, n, &e, offset, &took);
        if (*len)
            return took;
    }
    switch (tr_json_scan(p, n, last, ps->firsts, len, &defects)) {
    case TR_JSON_DONE:
        if ((defects & TR_JSON_INNER_QUOTE) && blank(p + *len, n - *len)) { /* perhaps the end of the text */
            if (!last && n < TR__MAX_EVENT)
                return TR__MORE;
            if (last && tr__holds_the_end(p, *len)) {
                *len = 0;
                return TR__BAD;
            }
        }
        follows = element_follows(p, n, last, *len);
        if (follows == TR__MORE)
            return TR__MORE;
        if ((defects & TR_JSON_INNER_QUOTE) || follows == TR__BAD)
            took = take_repaired(ps, p, n, last, offset, len);
        if (took != TR__BAD)
            return took;
        return take_by_tokens(ps, p, *len, n, last, defects, offset);
    case TR_JSON_MORE:
        return TR__MORE;
    default:
        return take_repaired(ps, p, n, last, offset, len);
    }
}
