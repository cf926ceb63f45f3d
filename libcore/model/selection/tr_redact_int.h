/* SPDX-License-Identifier: MIT */
/* The rules of redaction: tr_redact_rules.c. */
#ifndef TR_REDACT_INT_H
#define TR_REDACT_INT_H

#include "stream/tr_dict.h"

#include <stdbool.h>

/* The rule for the values of a member. */
enum tr__rule {
    TR__R_COUNT, /* numbers pass; text: token */
    TR__R_LIST,  /* numbers pass, and lists of whole numbers, also as text; other text: token */
    TR__R_INDEX, /* numbers pass, and text that is a whole number of up to four digits; other text: token */
    TR__R_PHASE, /* the letter of a phase passes; other text: token; no numbers */
    TR__R_CLASS, /* classes of the rules that come with the library pass; other text: token */
    TR__R_DTYPE, /* names of element types pass; other text: token; no numbers */
    TR__R_WORD,  /* one of a few words passes; other text: token; no numbers */
    TR__R_TOKEN, /* text: token; no numbers */
    TR__N_RULES
};

/* The rule for the member with this key; *known: the key itself may be shown. */
enum tr__rule tr__redact_rule(enum tr_place place, struct tr_str key, bool *known);

/* May this text pass under a rule? */
bool tr__redact_passes(enum tr__rule rule, const char *text, size_t len);
bool tr__redact_name_passes(const char *text);
/*
 * Is this a name of a public library: an operator of PyTorch, a call of CUDA, HIP or NCCL, a kernel of cuBLAS, cuDNN,
 * CUTLASS and the like?  All its identifiers must belong to such a library, or be words of C++ or of profilers.
 */
bool tr__redact_is_known(const char *name);
bool tr__redact_cat_passes(const char *text);
bool tr__redact_mesh_passes(const char *text);   /* "TP=0 DP=1" */
bool tr__redact_format_passes(const char *text, size_t len);
bool tr__redact_number_passes(const char *text); /* the text of a number, also NaN and infinity */
bool tr__redact_numbers_pass(enum tr__rule rule);

#endif
