/* SPDX-License-Identifier: MIT */
/* Expressions over events: their args. */
#include "expr/tr_expr_int.h"

enum tr_status tr__expr_load_arg(struct tr__arg *a, const struct tr_batch *b, struct tr_error *err)
{
    if (a->loaded)
        return TR_OK;
    if (!tr_arg_read(&a->arg, b, TR_PLACE_ARGS, a->key))
        return tr_fail_memory(err);
    if (a->arg.cut)
        return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", a->key);
    a->loaded = true;
    return TR_OK;
}

void tr__expr_decimal(int64_t d, struct tr__num *out)
{
    tr__num_from_i64(tr_decimal_mantissa(d), out);
    if (out->n)
        out->point -= (int)tr_decimal_scale(d);
}
