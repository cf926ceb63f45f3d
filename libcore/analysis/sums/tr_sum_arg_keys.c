/* SPDX-License-Identifier: MIT */
/* Sums of groups: keys that are args, or fields that stand in an arg or a name. */
#include "analysis/sums/tr_sum_int.h"

#include "base/tr_num.h"
#include "model/tr_name_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool plain_code(struct tr__sum_keys *k, const char *text, int64_t *code)
{
    return tr__sum_text_code(k, text, strlen(text), code);
}

/* Texts of different types may be equal, so all of them are in one table. */
static bool arg_text_code(struct tr__sum_keys *k, struct tr__sum_column *c, uint32_t id, int64_t *code)
{
    int64_t *of = tr__sum_known(&c->of, id);
    if (!of)
        return false;
    struct tr_str text = tr_dict_text(k->dict, id);
    if (!*of && !(c->key->shorten ? tr__sum_short_code(k, text, of) : tr__sum_text_code(k, text.s, text.len, of)))
        return false;
    *code = *of;
    return true;
}

static bool arg_code(struct tr__sum_keys *k, struct tr__sum_column *c, struct tr_arg_value v, int64_t *code)
{
    char text[TR_NUM_TEXT];
    double d;
    *code = TR__SUM_NO_VALUE;
    switch (v.type - 1) {
    case TR_T_FALSE:
        return plain_code(k, "false", code);
    case TR_T_TRUE:
        return plain_code(k, "true", code);
    case TR_T_INT:
    case TR_T_QUOTED:
        return tr__sum_number_code(k, v.v, code);
    case TR_T_UINT:
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)v.v);
        return plain_code(k, text, code);
    case TR_T_HEX:
        tr_num_print_hex(v.v, text);
        return plain_code(k, text, code);
    case TR_T_DECIMAL:
        tr_num_print(tr_decimal_double(v.v), text);
        return plain_code(k, text, code);
    case TR_T_DOUBLE:
        memcpy(&d, &v.v, sizeof d);
        if (d != d || d - d != 0)
            return true;
        tr_num_print(d, text);
        return plain_code(k, text, code);
    case TR_T_STRING:
    case TR_T_JSON:
    case TR_T_NUMBER:
        return arg_text_code(k, c, (uint32_t)v.v, code);
    default:
        return true;
    }
}

static enum tr_status read_arg(struct tr__sum_column *c, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_arg_read(&c->arg, b, TR_PLACE_ARGS, c->key->arg))
        return tr_fail_memory(err);
    return c->arg.cut ? tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", c->key->arg) : TR_OK;
}

enum tr_status tr__sum_fill_arg(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                struct tr_error *err)
{
    enum tr_status st = read_arg(c, b, err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++)
        if (!arg_code(k, c, tr_arg_at(&c->arg, i), &c->code[i]))
            st = tr_fail_memory(err);
    return st;
}

/* ---- parts of names ---- */

static int64_t part_number(enum tr_field_id field, struct tr_str name)
{
    struct tr_name_part part;
    return tr_name_part(field, name, &part) && part.is_number ? part.number : TR_I64_NONE;
}

/* The code of a part that can be a text is found once for each name. */
static bool part_code(struct tr__sum_keys *k, struct tr__sum_column *c, uint32_t name, int64_t *code)
{
    struct tr_name_part part;
    int64_t *of = tr__sum_known(&c->of_name, name);
    if (!of)
        return false;
    if (!*of && !tr_name_part(c->key->field, tr_dict_text(k->dict, name), &part))
        *of = TR__SUM_NO_VALUE;
    else if (!*of && !(part.is_number    ? tr__sum_number_code(k, part.number, of)
                       : c->key->shorten ? tr__sum_short_code(k, part.text, of)
                                         : tr__sum_text_code(k, part.text.s, part.text.len, of)))
        return false;
    *code = *of;
    return true;
}

/* A size in an arg, also if it is in quotes. */
static int64_t whole(struct tr_arg_value v)
{
    return v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1 ? v.v : TR_I64_NONE;
}

enum tr_status tr__sum_fill_part(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                 struct tr_error *err)
{
    enum tr_field_id field = c->key->field;
    enum tr_status st = c->key->arg ? read_arg(c, b, err) : TR_OK;
    bool ok = true;
    for (size_t i = 0; i < b->n && st == TR_OK && ok; i++) {
        struct tr_arg_value v = c->key->arg ? tr_arg_at(&c->arg, i) : (struct tr_arg_value){ 0, 0 };
        if (v.type > TR_T_NULL + 1) {
            c->code[i] = whole(v);
            ok = c->number || arg_code(k, c, v, &c->code[i]);
        } else if (b->name[i] == TR_NO_STR || !tr_name_has_part(field, b->activity[i])) {
            c->code[i] = c->number ? TR_I64_NONE : TR__SUM_NO_VALUE;
        } else if (c->number) {
            c->code[i] = part_number(field, tr_dict_text(k->dict, b->name[i]));
        } else {
            ok = part_code(k, c, b->name[i], &c->code[i]);
        }
    }
    return ok ? st : tr_fail_memory(err);
}
