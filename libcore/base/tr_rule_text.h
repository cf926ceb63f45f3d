/* SPDX-License-Identifier: MIT */
/*
 * What files of rules have in common: rules of kinds and classes, models of operators, peaks of devices.  They are
 * texts, and a line of them names something.
 */
#ifndef TR_RULE_TEXT_H
#define TR_RULE_TEXT_H

#include "base/tr_status.h"

#define TR_RULE_LINE_MAX 65535u /* bytes of a line */

/*
 * TR_OK; TR_USAGE: a line has a zero byte or is too long; err has name as input and the line as place.
 */
enum tr_status tr_rule_text_check(const char *name, const char *text, size_t len, struct tr_error *err);

#endif
