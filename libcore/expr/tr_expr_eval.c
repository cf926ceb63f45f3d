/* SPDX-License-Identifier: MIT */
/* Applies a comparison to a batch: the mask has 1 or 0, and rows that do not satisfy it are cleared. */
#include "expr/tr_expr_int.h"

#include "base/tr_num.h"
#include "base/tr_wide_int.h"
#include "field/tr_name_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Results of three states, as stored in memos. */
enum { UNKNOWN = 0, IS_FALSE = 1, IS_TRUE = 2 };

static uint8_t verdict(bool yes)
{
    return yes ? IS_TRUE : IS_FALSE;
}

static bool grow_memo(uint8_t **memo, size_t *cap, size_t n)
{
    size_t old = *cap;
    if (!tr_grow(memo, cap, n, 1))
        return false;
    memset(*memo + old, UNKNOWN, *cap - old);
    return true;
}

static bool memo_room(struct tr__leaf *leaf, size_t n)
{
    return grow_memo(&leaf->memo, &leaf->memo_cap, n);
}

/* --- numbers ---------------------------------------------------------------------------------- */

TR_WIDE
static void eval_within(const int64_t *v, size_t n, int64_t lo, int64_t hi, uint8_t *restrict mask)
{
    for (size_t i = 0; i < n; i++)
        mask[i] &= (v[i] >= lo) & (v[i] <= hi);
}

/* Times and other columns of integers, where TR_I64_NONE is "missing". */
static void eval_i64(const struct tr__leaf *leaf, const int64_t *v, size_t n, uint8_t *mask)
{
    const struct tr__set *s = &leaf->set;
    if (leaf->has) {
        for (size_t i = 0; i < n; i++)
            mask[i] &= v[i] != TR_I64_NONE;
    } else if (s->n_ints == 1) {
        int64_t lo = s->ints[0].lo == INT64_MIN ? INT64_MIN + 1 : s->ints[0].lo;
        int64_t hi = s->ints[0].hi;
        if (!leaf->negate)
            eval_within(v, n, lo, hi, mask);
        else
            for (size_t i = 0; i < n; i++)
                mask[i] &= ((v[i] < lo) | (v[i] > hi)) & (v[i] != TR_I64_NONE);
    } else {
        for (size_t i = 0; i < n; i++)
            if (mask[i])
                mask[i] = v[i] != TR_I64_NONE && tr__set_has_int(s, v[i]) != leaf->negate;
    }
}

static void eval_table(const struct tr__leaf *leaf, const uint8_t *v, size_t n, uint8_t *mask)
{
    for (size_t i = 0; i < n; i++)
        mask[i] &= leaf->table[v[i]];
}

/* --- texts ------------------------------------------------------------------------------------ */

static uint8_t test_string(const struct tr_expr *e, const struct tr__leaf *leaf, uint32_t id)
{
    const char *s = tr_strtab_get(e->dict->strings, id);
    size_t len = tr_strtab_len(e->dict->strings, id);
    bool in = leaf->of.name == TR_FIELD_CAT ? tr__set_has_member(&leaf->set, s, len)
                                       : tr__set_has_text(&leaf->set, s, len);
    return verdict(in != leaf->negate);
}

static bool eval_ids(struct tr_expr *e, struct tr__leaf *leaf, const uint32_t *id, size_t n,
                     uint8_t *mask)
{
    if (leaf->has) {
        for (size_t i = 0; i < n; i++)
            mask[i] &= id[i] != TR_NO_STR;
        return true;
    }
    if (!memo_room(leaf, tr_strtab_count(e->dict->strings)))
        return false;
    uint8_t *memo = leaf->memo;
    for (size_t i = 0; i < n; i++) {
        if (!mask[i])
            continue;
        if (id[i] == TR_NO_STR) {
            mask[i] = 0;
            continue;
        }
        if (memo[id[i]] == UNKNOWN)
            memo[id[i]] = test_string(e, leaf, id[i]);
        mask[i] = memo[id[i]] == IS_TRUE;
    }
    return true;
}

/* --- tracks ----------------------------------------------------------------------------------- */

static bool test_id(const struct tr_expr *e, const struct tr__leaf *leaf, uint32_t id)
{
    return id != TR_NO_STR && (leaf->has || test_string(e, leaf, id) == IS_TRUE);
}

static bool test_int(const struct tr__leaf *leaf, int64_t v, bool missing)
{
    return !missing && (leaf->has || tr__set_has_int(&leaf->set, v) != leaf->negate);
}

static bool test_number(const struct tr__leaf *leaf, const struct tr__num *v)
{
    return tr__set_has_num(&leaf->set, v) != leaf->negate;
}

static bool test_track(const struct tr_expr *e, const struct tr__leaf *leaf, uint32_t number)
{
    int64_t v;
    struct tr__num num;
    switch (tr_field_of_track(e->dict, number, (enum tr_field_id)leaf->of.name, &v)) {
    case TR_T_STRING:
        return test_id(e, leaf, (uint32_t)v);
    case TR_T_INT:
        return test_int(leaf, v, false);
    case TR_T_UINT:
        tr__num_from_u64((uint64_t)v, &num);
        return leaf->has || test_number(leaf, &num);
    default:
        return false;
    }
}

bool tr__expr_test_source(const struct tr_expr *e, const struct tr__leaf *leaf, const struct tr_source *s)
{
    return leaf->of.name == TR_FIELD_RANK ? test_int(leaf, s->rank, s->rank < 0) : test_id(e, leaf, s->host);
}

static bool eval_track(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b,
                       uint8_t *mask)
{
    if (!memo_room(leaf, e->dict->n_tracks))
        return false;
    uint8_t *memo = leaf->memo;
    if (!e->sorted) /* then known tracks may still get names and ranks */
        memset(memo, UNKNOWN, leaf->memo_cap);
    for (size_t i = 0; i < b->n; i++) {
        uint32_t t = b->track[i];
        if (memo[t] == UNKNOWN)
            memo[t] = verdict(test_track(e, leaf, t));
        mask[i] &= memo[t] >> 1;
    }
    return true;
}

/* --- owners --------------------------------------------------------------------------------- */

/* The frame around an event decides, so each frame is tested once. */
static bool eval_frames(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b, const uint32_t *frame,
                        uint8_t *mask)
{
    struct tr_str text;
    if (!memo_room(leaf, tr_owner_frames(e->columns.owners) + 1))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        if (!mask[i])
            continue;
        if (frame[i] == TR_ENCLOSING_NONE) {
            mask[i] = 0;
            continue;
        }
        uint8_t *memo = &leaf->memo[frame[i]];
        if (*memo == UNKNOWN) {
            if (!tr_field_owner_text(&e->columns, (enum tr_field_id)leaf->of.name, leaf->of.count, frame[i], &text,
                                     &e->room[0]))
                return false;
            *memo = verdict(text.s && (leaf->has || tr__set_has_text(&leaf->set, text.s, text.len) != leaf->negate));
        }
        mask[i] = *memo == IS_TRUE;
    }
    return true;
}

static enum tr_status eval_owner(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b, uint8_t *mask,
                                 struct tr_error *err)
{
    const uint32_t *frame = tr_field_frames(&e->columns);
    const struct tr__arg *a = leaf->of.key.s ? &e->args[leaf->of.arg] : NULL;
    enum tr_status st = a ? tr__expr_load_arg(&e->args[leaf->of.arg], b, err) : TR_OK;
    if (!frame)
        memset(mask, 0, b->n);
    if (st != TR_OK || !frame)
        return st;
    if (!a || !a->arg.any)
        return eval_frames(e, leaf, b, frame, mask) ? TR_OK : tr_fail_memory(err);
    /* Events with an arg of their own do not ask for their owner. */
    if (!tr_grow(&e->own, &e->cap_own, 2 * b->n + 1, 1))
        return tr_fail_memory(err);
    uint8_t *direct = e->own, *other = e->own + b->n;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t id = tr_arg_text(&a->arg, i);
        direct[i] = id != TR_NO_STR && mask[i] && test_id(e, leaf, id);
        other[i] = id == TR_NO_STR && mask[i];
    }
    if (!eval_frames(e, leaf, b, frame, other))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++)
        mask[i] = direct[i] | other[i];
    return TR_OK;
}

/* --- args ------------------------------------------------------------------------------------- */

/* Number text: a number that fits no type, or NaN and so on, which is not a value for numbers.
 */
static bool test_number_text(const struct tr_expr *e, const struct tr__leaf *leaf, uint32_t id)
{
    struct tr__num num;
    const char *s = tr_strtab_get(e->dict->strings, id);
    size_t len = tr_strtab_len(e->dict->strings, id);
    if (tr__num_parse(s, len, &num))
        return test_number(leaf, &num);
    if (!leaf->set.n_texts && !leaf->set.re)
        return false;
    return tr__set_has_text(&leaf->set, s, len) != leaf->negate;
}

/* An integer in quotes is a text; a text that reads as a number counts as this number. */
static bool test_quoted(const struct tr__leaf *leaf, int64_t v)
{
    char text[24];
    if (!leaf->set.n_texts && !leaf->set.re)
        return tr__set_has_int(&leaf->set, v) != leaf->negate;
    int len = snprintf(text, sizeof text, "%" PRId64, v);
    return tr__set_has_text(&leaf->set, text, (size_t)len) != leaf->negate;
}

/* Compare it as a text. */
static bool test_hex(const struct tr__leaf *leaf, int64_t v)
{
    char text[TR_NUM_HEX];
    size_t len = tr_num_print_hex(v, text);
    return tr__set_has_text(&leaf->set, text, len) != leaf->negate;
}

static bool test_arg(const struct tr_expr *e, struct tr__leaf *leaf, unsigned type, int64_t v)
{
    struct tr__num num;
    double d;
    switch (type) {
    case TR_T_FALSE:
        return leaf->set.with_false != leaf->negate;
    case TR_T_TRUE:
        return leaf->set.with_true != leaf->negate;
    case TR_T_INT:
        return tr__set_has_int(&leaf->set, v) != leaf->negate;
    case TR_T_QUOTED:
        return test_quoted(leaf, v);
    case TR_T_HEX:
        return test_hex(leaf, v);
    case TR_T_UINT:
        tr__num_from_u64((uint64_t)v, &num);
        return test_number(leaf, &num);
    case TR_T_DECIMAL:
        tr__expr_decimal(v, &num);
        return test_number(leaf, &num);
    case TR_T_DOUBLE:
        memcpy(&d, &v, sizeof d);
        return d == d && tr__set_has_double(&leaf->set, d) != leaf->negate;
    case TR_T_STRING:
    case TR_T_JSON:
        if (leaf->memo[v] == UNKNOWN)
            leaf->memo[v] = test_string(e, leaf, (uint32_t)v);
        return leaf->memo[v] == IS_TRUE;
    case TR_T_NUMBER:
        return test_number_text(e, leaf, (uint32_t)v);
    default: /* null */
        return false;
    }
}

static enum tr_status eval_arg(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b,
                               uint8_t *mask, struct tr_error *err)
{
    const struct tr_arg *a = &e->args[leaf->of.arg].arg;
    enum tr_status st = tr__expr_load_arg(&e->args[leaf->of.arg], b, err);
    if (st != TR_OK)
        return st;
    if (!memo_room(leaf, tr_strtab_count(e->dict->strings)))
        return tr_fail_memory(err);
    if (!a->any) {
        memset(mask, 0, b->n);
    } else if (leaf->has) {
        for (size_t i = 0; i < b->n; i++)
            mask[i] &= a->type[i] != 0;
    } else {
        for (size_t i = 0; i < b->n; i++)
            if (mask[i])
                mask[i] = a->type[i] && test_arg(e, leaf, a->type[i] - 1u, a->value[i]);
    }
    return TR_OK;
}

/* --- parts of names --------------------------------------------------------------------------- */

static bool test_part(const struct tr_expr *e, const struct tr__leaf *leaf, uint32_t name)
{
    struct tr_name_part part;
    if (!tr_name_part(e->dict->names, (enum tr_field_id)leaf->of.name, tr_dict_text(e->dict, name), &part))
        return false;
    if (leaf->has)
        return true;
    return (part.is_number ? tr__set_has_int(&leaf->set, part.number)
                           : tr__set_has_text(&leaf->set, part.text.s, part.text.len)) != leaf->negate;
}

/* The arg that is the value of the field, else the part of the name. */
static enum tr_status eval_part(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b, uint8_t *mask,
                                struct tr_error *err)
{
    const struct tr_arg *a = leaf->of.key.s ? &e->args[leaf->of.arg].arg : NULL;
    size_t strings = tr_strtab_count(e->dict->strings);
    enum tr_status st = a ? tr__expr_load_arg(&e->args[leaf->of.arg], b, err) : TR_OK;
    if (st != TR_OK)
        return st;
    if ((a && !memo_room(leaf, strings)) || !grow_memo(&leaf->name_memo, &leaf->name_memo_cap, strings))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        if (!mask[i])
            continue;
        uint32_t name = b->name[i];
        if (a && tr_arg_at(a, i).type > TR_T_NULL + 1) {
            mask[i] = leaf->has || test_arg(e, leaf, a->type[i] - 1u, a->value[i]);
        } else if (name == TR_NO_STR || !tr_name_has_part((enum tr_field_id)leaf->of.name, b->activity[i])) {
            mask[i] = 0;
        } else {
            if (leaf->name_memo[name] == UNKNOWN)
                leaf->name_memo[name] = verdict(test_part(e, leaf, name));
            mask[i] = leaf->name_memo[name] == IS_TRUE;
        }
    }
    return TR_OK;
}

/* --- all fields ------------------------------------------------------------------------------- */

struct of_batch {
    struct tr_expr *e;
    const struct tr_batch *b;
};

static enum tr_status eval_leaf(void *of, struct tr__leaf *leaf, size_t n, uint8_t *mask, struct tr_error *err)
{
    struct tr_expr *e = ((struct of_batch *)of)->e;
    const struct tr_batch *b = ((struct of_batch *)of)->b;
    enum tr_field_id field = (enum tr_field_id)leaf->of.name;
    const int64_t *numbers;
    const uint8_t *words;
    const uint32_t *strings;
    bool ok;
    if (leaf->order)
        return tr__expr_eval_pair(e, leaf, b, mask, err);
    switch (tr_event_fields[field].from) {
    case TR_FIELD_FROM_NUMBERS:
        if ((ok = (numbers = tr_field_numbers(&e->columns, field)) != NULL))
            eval_i64(leaf, numbers, n, mask);
        break;
    case TR_FIELD_FROM_WORDS:
        if ((ok = (words = tr_field_words(&e->columns, field)) != NULL))
            eval_table(leaf, words, n, mask);
        break;
    case TR_FIELD_FROM_STRINGS:
        strings = tr_field_strings(&e->columns, field);
        ok = strings && eval_ids(e, leaf, strings, n, mask);
        break;
    case TR_FIELD_FROM_PART:
        return eval_part(e, leaf, b, mask, err);
    case TR_FIELD_FROM_ARG:
        return eval_arg(e, leaf, b, mask, err);
    case TR_FIELD_FROM_OWNER:
        return eval_owner(e, leaf, b, mask, err);
    default:
        ok = eval_track(e, leaf, b, mask);
        break;
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                             struct tr_error *err)
{
    if (!b->n)
        return TR_OK;
    for (size_t i = 0; i < e->n_args; i++)
        e->args[i].loaded = false;
    /* Depth follows the stream, so it needs every batch, also when other tests exclude all events. */
    if (!tr_field_columns_batch(&e->columns, b))
        return tr_fail_memory(err);
    struct of_batch of = { e, b };
    return tr__lang_eval(e->lang, eval_leaf, &of, b->n, mask, err);
}
