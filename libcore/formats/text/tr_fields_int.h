/* SPDX-License-Identifier: MIT */
/*
 * Inside of fields.
 *
 *   tr_fields.c      lists of fields, and the value of a field
 *   tr_field_part.c  the value of a field that stands in a name
 */
#ifndef TR_FIELDS_INT_H
#define TR_FIELDS_INT_H

#include "formats/text/tr_fields.h"

/* If v has no value, or null: the part of the name of event i, which points into part. */
void tr__field_part(const struct tr_batch *b, size_t i, enum tr_field_id field, struct tr_name_part *part,
                    struct tr_field_value *v);

#endif
