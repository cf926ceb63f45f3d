/* SPDX-License-Identifier: MIT */
/* The members of a row type, and their form in partial results. */
#include "engine/tr_row_layout.h"

#include <string.h>

/* The saved form of a type of member, and its size.  False: it has none. */
static bool saved_as(enum tr_member member, enum tr_saved *as, size_t *size)
{
    switch (member) {
    case TR_MEMBER_TEXT:
    case TR_MEMBER_U32:
    case TR_MEMBER_OWN:
    case TR_MEMBER_U8:
        *as = TR_SAVED_TEXT;
        *size = sizeof(struct tr_str);
        return true;
    case TR_MEMBER_I64:
        *as = TR_SAVED_INT;
        *size = sizeof(int64_t);
        return true;
    case TR_MEMBER_U64:
        *as = TR_SAVED_COUNT;
        *size = sizeof(uint64_t);
        return true;
    case TR_MEMBER_SUM:
        *as = TR_SAVED_SUM;
        *size = sizeof(struct tr_u128);
        return true;
    case TR_MEMBER_STATS:
    case TR_MEMBER_SAMPLE:
        *as = TR_SAVED_STATS;
        *size = sizeof(struct tr_stats);
        return true;
    default:
        return false;
    }
}

static bool add_column(struct tr__row_layout *l, const char *name, enum tr_saved as, size_t size)
{
    if (l->n_columns == TR_SAVED_MAX || l->size + size > TR__ROW_MAX_SAVED)
        return false;
    l->columns[l->n_columns++] = (struct tr_saved_column){ name, as, l->size };
    l->size += size;
    return true;
}

static bool known(const struct tr__row_layout *l, const struct tr_table_column *is)
{
    for (size_t m = 0; m < l->n; m++)
        if (l->members[m].is->at == is->at)
            return true;
    return false;
}

bool tr__row_layout(const struct tr_row_type *type, struct tr__row_layout *l)
{
    l->n = l->n_columns = l->size = 0;
    bool ok = add_column(l, NULL, TR_SAVED_GROUP, sizeof(struct tr_group_key));
    for (size_t c = 0; ok && c < type->n_columns; c++) {
        const struct tr_table_column *is = &type->columns[c];
        enum tr_saved as;
        size_t size;
        if (!is->member || is->member == TR_MEMBER_GROUP || is->member == TR_MEMBER_REAL ||
            known(l, is))
            continue;
        if (l->n == TR_SAVED_MAX || !saved_as(is->member, &as, &size))
            return false;
        l->members[l->n++] = (struct tr__row_member){ is, l->size, is->at < type->key_size };
        ok = add_column(l, is->name, as, size) &&
             (is->member != TR_MEMBER_SAMPLE || add_column(l, is->name, TR_SAVED_VALUES, sizeof(struct tr_hist *)));
    }
    return ok;
}
