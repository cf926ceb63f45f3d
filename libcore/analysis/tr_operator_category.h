/* SPDX-License-Identifier: MIT */
/* What an operator is for, by its name and the rules that come with the library. */
#ifndef TR_OPERATOR_CATEGORY_H
#define TR_OPERATOR_CATEGORY_H

#include "base/tr_str.h"
#include "model/tr_rules.h"

/*
 * *rules is NULL at first, and the caller's to free.  *label stays valid as long; "other" where no rule takes the name.
 * TR_OK or TR_SYSTEM.
 */
enum tr_status tr_operator_category(struct tr_rules **rules, struct tr_str name, struct tr_str *label,
                                    struct tr_error *err);

#endif
