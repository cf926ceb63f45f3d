/* SPDX-License-Identifier: MIT */
/* The value of a field that stands in a name. */
#include "formats/text/tr_fields_int.h"

void tr__field_part(const struct tr_batch *b, size_t i, enum tr_field_id field, struct tr_name_part *part,
                    struct tr_field_value *v)
{
    if (v->is != TR_VALUE_NONE && !(v->is == TR_VALUE_TYPED && v->type == TR_T_NULL))
        return;
    v->is = TR_VALUE_NONE;
    if (b->name[i] == TR_NO_STR || !tr_name_has_part(field, b->activity[i]) ||
        !tr_name_part(field, tr_dict_text(b->dict, b->name[i]), part))
        return;
    if (part->is_number) {
        v->is = TR_VALUE_TYPED;
        v->type = TR_T_INT;
        v->i = part->number;
        return;
    }
    v->is = part->text.s == part->triple ? TR_VALUE_OBJECT : TR_VALUE_PART; /* a list of JSON, or any text */
    v->text = part->text.s;
    v->len = part->text.len;
}
