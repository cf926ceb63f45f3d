/* SPDX-License-Identifier: MIT */
/*
 * Fields of device work that stand in its name: "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "Memcpy HtoD (...)".
 *
 *     kernel      gemm        the name without what unitrace adds to it (vendor/tr_intel_name.h)
 *     grid        [64,1,1]    groups, in the form of Kineto's arg of that name
 *     block       [256,1,1]   items of a group
 *     simd        32, any     width of the instructions
 *     tile        1           of the device
 *     direction   Memcpy HtoD of a copy or memset (vendor/tr_roles.h)
 *     bytes       4096        of a copy or memset
 *
 * An event has such a part if its activity is one of tr_event_field.in_name, and no arg of the field's name.
 */
#ifndef TR_NAME_PART_H
#define TR_NAME_PART_H

#include "base/tr_str.h"
#include "field/tr_event_field.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_name_part {
    bool is_number;
    int64_t number;
    struct tr_str text; /* a part of the name, a constant, or in triple */
    char triple[72];
};

/*
 * The part of a name that is the value of a field.  own: rules of the user (tr_dict.names), on which a direction
 * depends; NULL: none.  False: the name does not have it.  Do not copy *out.
 */
struct tr_names;
bool tr_name_part(const struct tr_names *own, enum tr_field_id field, struct tr_str name, struct tr_name_part *out);

/* Can the name of an event with this activity hold the field? */
static inline bool tr_name_has_part(enum tr_field_id field, unsigned activity)
{
    return activity < 32 && (tr_event_fields[field].in_name >> activity & 1u) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
