/* SPDX-License-Identifier: MIT */
/* Fields of device work that stand in its name. */
#include "field/tr_name_part.h"

#include "vendor/tr_intel_name.h"
#include "vendor/tr_roles.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_text(struct tr_name_part *out, struct tr_str text)
{
    out->is_number = false;
    out->text = text;
    return true;
}

static bool is_number(struct tr_name_part *out, int64_t number)
{
    out->is_number = true;
    out->number = number;
    return number >= 0;
}

/* The form of args of Kineto. */
static bool is_triple(struct tr_name_part *out, const int64_t v[3])
{
    int n = snprintf(out->triple, sizeof out->triple, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", v[0], v[1], v[2]);
    return is_text(out, (struct tr_str){ out->triple, (size_t)n });
}

static bool of_shape(enum tr_field_id field, struct tr_str name, struct tr_name_part *out)
{
    struct tr_intel_shape shape;
    if (!tr_intel_shape(name, &shape))
        return false;
    if (field == TR_FIELD_SIMD)
        return shape.simd == TR_INTEL_SIMD_ANY ? is_text(out, tr_str_of("any"))
                                               : is_number(out, shape.simd) && shape.simd > 0;
    return shape.sized && is_triple(out, field == TR_FIELD_GRID ? shape.groups : shape.items);
}

bool tr_name_part(const struct tr_names *own, enum tr_field_id field, struct tr_str name, struct tr_name_part *out)
{
    switch (field) {
    case TR_FIELD_KERNEL:
        return name.s && is_text(out, tr_intel_bare_name(name));
    case TR_FIELD_TILE:
        return is_number(out, tr_intel_tile(name));
    case TR_FIELD_DIRECTION:
        return is_text(out, tr_str_of(tr_copy_direction_name(tr_copy_direction(own, name.s, name.len))));
    case TR_FIELD_BYTES:
        return is_number(out, tr_intel_copy_bytes(name));
    default:
        return of_shape(field, name, out);
    }
}
