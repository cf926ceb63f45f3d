/* SPDX-License-Identifier: MIT */
/* Defects of JSON text, as causes of damage. */
#include "formats/common/tr_json_defects_int.h"

#include "json/tr_json.h"

#include <stddef.h>

unsigned tr__defect_causes(unsigned defects, enum tr_damage_cause causes[TR__N_DEFECTS])
{
    static const struct {
        unsigned bit;
        enum tr_damage_cause cause;
    } of[TR__N_DEFECTS] = {
        { TR_JSON_BAD_ESCAPE, TR_DAMAGE_BAD_ESCAPE },
        { TR_JSON_CONTROL, TR_DAMAGE_CONTROL_BYTE },
        { TR_JSON_BAD_UTF8, TR_DAMAGE_BAD_UTF8 },
        { TR_JSON_LONE_SURROGATE, TR_DAMAGE_LONE_SURROGATE },
        { TR_JSON_INNER_QUOTE, TR_DAMAGE_INNER_QUOTE },
        { TR_JSON_NOT_A_NUMBER, TR_DAMAGE_NOT_A_NUMBER },
        { TR_JSON_ODD_NUMBER, TR_DAMAGE_ODD_NUMBER },
        { TR_JSON_MISSING_COMMA, TR_DAMAGE_MISSING_COMMA },
        { TR_JSON_EXTRA_COMMA, TR_DAMAGE_EXTRA_COMMA },
    };
    unsigned n = 0;
    for (size_t i = 0; i < TR__N_DEFECTS; i++)
        if (defects & of[i].bit)
            causes[n++] = of[i].cause;
    return n;
}
