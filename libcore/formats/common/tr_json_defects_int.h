/* SPDX-License-Identifier: MIT */
/*
 * Repaired defects of JSON text, as causes of damage.  Internal to libcore.
 */
#ifndef TR_JSON_DEFECTS_INT_H
#define TR_JSON_DEFECTS_INT_H

#include "model/tr_damage_causes.h"

#define TR__N_DEFECTS 9u /* different ones at most */

/* The causes of defects, TR_JSON_* bits.  Returns the number of causes. */
unsigned tr__defect_causes(unsigned defects, enum tr_damage_cause causes[TR__N_DEFECTS]);

#endif
