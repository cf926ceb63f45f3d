/* SPDX-License-Identifier: MIT */
/*
 * The list of all analyses.  Nothing in an analysis knows it: it is above them all.
 */
#ifndef TR_REGISTRY_H
#define TR_REGISTRY_H

#include "engine/tr_analysis.h"

/* All analyses, with NULL at the end. */
extern const struct tr_analysis *const tr_analyses[];

#endif
