/* SPDX-License-Identifier: MIT */
/* Comparisons of two fields of an event. */
#include "expr/tr_expr_int.h"

#include "base/tr_num.h"
#include "field/tr_name_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value of a field. */
struct value {
    enum { NOTHING, WHOLE, NUMBER, TEXT } is;
    int64_t whole;
    struct tr__num number;
    struct tr_str text;
    struct tr_name_part part;
};

/* The columns of a side for a batch; those that its field does not have are NULL. */
struct side {
    const struct tr__side *of;
    enum tr_field_id field;
    const int64_t *numbers;
    const uint8_t *words;
    const uint32_t *strings, *frames;
    const struct tr_arg *arg;
    tr_field_word *word;
    unsigned first_word;
    struct tr_buf *room;
};

static void set_whole(struct value *v, int64_t i, bool present)
{
    v->is = present ? WHOLE : NOTHING;
    v->whole = i;
}

static void set_text(struct value *v, struct tr_str text)
{
    v->is = text.s ? TEXT : NOTHING;
    v->text = text;
}

static void set_double(struct value *v, double d)
{
    char text[TR_NUM_TEXT];
    v->is = NOTHING;
    if (!isfinite(d))
        return;
    snprintf(text, sizeof text, "%.17g", d);
    v->is = tr__num_parse(text, strlen(text), &v->number) ? NUMBER : NOTHING;
}

static void set_unsigned(struct value *v, uint64_t u)
{
    v->is = NUMBER;
    tr__num_from_u64(u, &v->number);
}

static void set_typed(struct value *v, const struct tr_expr *e, unsigned type, int64_t i)
{
    char hex[TR_NUM_HEX];
    double d;
    v->is = NOTHING;
    switch (type) {
    case TR_T_FALSE:
    case TR_T_TRUE:
        set_text(v, tr_str_of(type == TR_T_TRUE ? "true" : "false"));
        break;
    case TR_T_INT:
    case TR_T_QUOTED:
        set_whole(v, i, true);
        break;
    case TR_T_UINT:
        set_unsigned(v, (uint64_t)i);
        break;
    case TR_T_DECIMAL:
        v->is = NUMBER;
        tr__expr_decimal(i, &v->number);
        break;
    case TR_T_DOUBLE:
        memcpy(&d, &i, sizeof d);
        set_double(v, d);
        break;
    case TR_T_HEX:
        v->part.text.len = tr_num_print_hex(i, hex);
        memcpy(v->part.triple, hex, v->part.text.len);
        set_text(v, (struct tr_str){ v->part.triple, v->part.text.len });
        break;
    case TR_T_STRING:
    case TR_T_JSON:
    case TR_T_NUMBER:
        set_text(v, tr_dict_text_if(e->dict, (uint32_t)i));
        break;
    default:
        break;
    }
}

static void of_part(struct value *v, const struct tr_expr *e, const struct tr_batch *b, size_t i,
                    enum tr_field_id field)
{
    v->is = NOTHING;
    if (b->name[i] == TR_NO_STR || !tr_name_has_part(field, b->activity[i]) ||
        !tr_name_part(e->dict->names, field, tr_dict_text(e->dict, b->name[i]), &v->part))
        return;
    if (v->part.is_number)
        set_whole(v, v->part.number, true);
    else
        set_text(v, v->part.text);
}

/* False: out of memory. */
static bool value_of(struct tr_expr *e, const struct side *s, const struct tr_batch *b, size_t i, struct value *v)
{
    struct tr_arg_value arg = s->arg ? tr_arg_at(s->arg, i) : (struct tr_arg_value){ 0, 0 };
    struct tr_str text;
    enum tr_type type;
    int64_t number;
    if (arg.type > TR_T_NULL + 1) {
        set_typed(v, e, arg.type - 1u, arg.v);
        return true;
    }
    switch (tr_event_fields[s->field].from) {
    case TR_FIELD_FROM_NUMBERS:
        set_whole(v, s->numbers[i], s->numbers[i] != TR_I64_NONE);
        return true;
    case TR_FIELD_FROM_WORDS:
        set_text(v, tr_str_of(s->words[i] < s->first_word ? NULL : s->word(s->words[i])));
        return true;
    case TR_FIELD_FROM_STRINGS:
        set_text(v, tr_dict_text_if(e->dict, s->strings[i]));
        return true;
    case TR_FIELD_FROM_PART:
        of_part(v, e, b, i, s->field);
        return true;
    case TR_FIELD_FROM_OWNER:
        if (!tr_field_owner_text(&e->columns, s->field, s->of->count, s->frames ? s->frames[i] : TR_ENCLOSING_NONE,
                                 &text, s->room))
            return false;
        set_text(v, text);
        return true;
    case TR_FIELD_FROM_TRACK:
        type = tr_field_of_track(e->dict, b->track[i], s->field, &number);
        set_typed(v, e, type, number);
        return true;
    default:
        v->is = NOTHING;
        return true;
    }
}

/* ---- comparing ---- */

/* A text that reads as a number is this number, if the other side is one. */
static bool as_number(struct value *v)
{
    if (v->is == WHOLE)
        tr__num_from_i64(v->whole, &v->number);
    return v->is != TEXT || tr__num_parse(v->text.s, v->text.len, &v->number);
}

/* The order of two values, as a bit; 0: there is none. */
static unsigned order_of(struct value *x, struct value *y)
{
    int c;
    if (x->is == NOTHING || y->is == NOTHING)
        return 0;
    if (x->is == WHOLE && y->is == WHOLE)
        c = (x->whole > y->whole) - (x->whole < y->whole);
    else if (x->is == TEXT && y->is == TEXT) /* no text is less than another one */
        return tr_str_cmp(x->text, y->text) == 0 ? TR__EQUAL : TR__LESS | TR__GREATER;
    else if (as_number(x) && as_number(y))
        c = tr__num_cmp(&x->number, &y->number);
    else
        return TR__LESS | TR__GREATER;
    return c < 0 ? TR__LESS : c > 0 ? TR__GREATER : TR__EQUAL;
}

static enum tr_status start_side(struct tr_expr *e, const struct tr__side *of, struct tr_buf *room,
                                 const struct tr_batch *b, struct side *s, struct tr_error *err)
{
    unsigned n;
    bool ok = true;
    *s = (struct side){ .of = of, .field = (enum tr_field_id)of->name, .room = room };
    enum tr_status st = of->key.s ? tr__expr_load_arg(&e->args[of->arg], b, err) : TR_OK;
    s->arg = of->key.s ? &e->args[of->arg].arg : NULL;
    switch (tr_event_fields[s->field].from) {
    case TR_FIELD_FROM_NUMBERS:
        ok = (s->numbers = tr_field_numbers(&e->columns, s->field)) != NULL;
        break;
    case TR_FIELD_FROM_WORDS:
        s->word = tr_field_word_list(s->field, &s->first_word, &n);
        ok = (s->words = tr_field_words(&e->columns, s->field)) != NULL;
        break;
    case TR_FIELD_FROM_STRINGS:
        ok = (s->strings = tr_field_strings(&e->columns, s->field)) != NULL;
        break;
    default:
        s->frames = tr_field_frames(&e->columns);
        break;
    }
    return st != TR_OK || ok ? st : tr_fail_memory(err);
}

enum tr_status tr__expr_eval_pair(struct tr_expr *e, struct tr__leaf *leaf, const struct tr_batch *b, uint8_t *mask,
                                  struct tr_error *err)
{
    struct side x, y;
    struct value a, c;
    enum tr_status st = start_side(e, &leaf->of, &e->room[0], b, &x, err);
    if (st == TR_OK)
        st = start_side(e, &leaf->other, &e->room[1], b, &y, err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        if (!mask[i])
            continue;
        if (!value_of(e, &x, b, i, &a) || !value_of(e, &y, b, i, &c))
            st = tr_fail_memory(err);
        unsigned order = st == TR_OK ? order_of(&a, &c) : 0;
        bool neither = order == (TR__LESS | TR__GREATER); /* only != is true of values without an order */
        mask[i] = neither ? leaf->order == order : (leaf->order & order) != 0;
    }
    return st;
}
