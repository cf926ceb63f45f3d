/* SPDX-License-Identifier: MIT */
/*
 * Kinds of kernels: compute, communication, memory, other, by the rules that come with the library.
 *
 * The rules are those of the files that set a kind; the first that matches a name decides.  They come before all
 * others, so all rules together, as in tr-categorize, give the same kinds.  A name that was redacted says its kind
 * itself: see tr_redact.h.
 *
 *     tr_kind_rules(&rules, &err);
 *     st = tr_kind_of_kernel(rules, name, len, &kind, &err);
 *     tr_rules_free(rules);
 *
 * Definition: tr-breakdown(1), "Kinds".  Rules are not shared between threads.
 *
 * The folder model has the meaning of events, its inner folders selections, calls of the host, and collectives.
 * Central: struct tr_rules, struct tr_steps, struct tr_open_spans, struct tr_eventmap.
 */
#ifndef TR_KINDS_H
#define TR_KINDS_H

#include "model/tr_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rules that set kinds; free them with tr_rules_free.  TR_OK, or TR_SYSTEM: *out is NULL. */
enum tr_status tr_kind_rules(struct tr_rules **out, struct tr_error *err);

/*
 * The kind of a kernel by its name; TR_KIND_COMPUTE if no rule matches.  The name needs no zero byte at its end,
 * because none of these rules is a regular expression.
 * TR_OK, or TR_SYSTEM: *kind is not set.
 */
enum tr_status tr_kind_of_kernel(struct tr_rules *rules, const char *name, size_t len, enum tr_kind *kind,
                                 struct tr_error *err);

/* The name of a kind; NULL: TR_KIND_NONE. */
const char *tr_kind_word(unsigned kind);

/* The kind that a redacted name says: "comm_x0123456789abcdef".  False: it is no such name. */
bool tr_kind_of_token(const char *name, size_t len, enum tr_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
