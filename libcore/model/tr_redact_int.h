/* What may pass a redaction: tr_redact_rules.c. */
#ifndef TR_REDACT_INT_H
#define TR_REDACT_INT_H

#include "stream/tr_dict.h"

#include <stdbool.h>

/* What becomes of the values of a member. */
enum tr__rule {
    TR__R_KEEP,  /* passes as it is */
    TR__R_COUNT, /* numbers pass, and text made of digits, brackets and commas; other text: token */
    TR__R_DTYPE, /* names of element types pass; other text: token; no numbers */
    TR__R_WORD,  /* one of a few words passes; other text: token; no numbers */
    TR__R_TOKEN, /* text: token; no numbers */
    TR__N_RULES
};

/* The rule for the member with this key; *known: the key itself may be shown. */
enum tr__rule tr__redact_rule(enum tr_place place, const char *key, bool *known);

/* May this text pass under a rule? */
bool tr__redact_passes(enum tr__rule rule, const char *text, size_t len);
bool tr__redact_name_passes(const char *text);
bool tr__redact_cat_passes(const char *text);

#endif
