/* SPDX-License-Identifier: MIT */
/*
 * Rules that give names a class: "kernels whose name contains gemm are gemm".
 *
 * Rules are in sets, one for each file.  The sets are tried in their order, and the first that matches a name decides.
 * A set has one of two precedences:
 *
 *   in order  the first rule that matches the name wins
 *   longest   as in schemas of unitrace, the order of the rules does not matter: rules `equals` and `starts` win over
 *             rules `ends`; among these, the longest text wins; of equal texts, the last one
 *
 * A set that has only unitrace's three conditions, for device work and classes, is such a schema, unless the caller
 * sets its precedence.  Blanks and tabs in rules and names are ignored, unless the set has keep_spaces; regular
 * expressions see them.
 *
 *     tr_rules_new(&rules, &err);
 *     tr_rules_ini(rules, "my.rules", text, len, &opts, &err);      or start, add ..., end
 *     st = tr_rules_match(rules, TR_RULE_DEVICE, name, len, &number, &err);
 *
 * Definition of the text form: tr-rules(5).  Not shared between threads, not even for matching.
 */
#ifndef TR_RULES_H
#define TR_RULES_H

#include "base/tr_status.h"
#include "stream/tr_event.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_RULES_MAX 100000u /* rules of all sets */
#define TR_RULE_NONE UINT32_MAX

/* The events that a rule is for. */
enum tr_rule_target {
    TR_RULE_DEVICE,   /* kernels, copies and memsets */
    TR_RULE_OPERATOR, /* operators of the host */
    TR_N_RULE_TARGETS
};

enum tr_rule_condition {
    TR_RULE_EQUALS,
    TR_RULE_STARTS,
    TR_RULE_ENDS,
    TR_RULE_CONTAINS,
    TR_RULE_MATCHES, /* extended regular expression, unanchored */
    TR_RULE_FUNCTION, /* contains, for the qualified name of the function: tr_function_name */
    TR_RULE_WORD,     /* the same, but as a word: all_reduce, but not in small_reduce */
    TR_N_RULE_CONDITIONS
};

enum tr_rule_order { TR_RULES_BY_CONTENT, TR_RULES_IN_ORDER, TR_RULES_LONGEST };

struct tr_rule {
    enum tr_rule_target target;
    enum tr_rule_condition condition;
    const char *text;  /* as written */
    const char *label; /* the class; NULL: none, the rule sets only the kind */
    enum tr_kind kind; /* TR_KIND_NONE: unchanged */
    uint32_t line;     /* in its file, from 1; 0: unknown */
    uint32_t set;      /* number of the set */
    uint32_t class_id; /* number of the label; TR_RULE_NONE without */
};

struct tr_rules_opts {
    enum tr_rule_order order;
    bool keep_spaces; /* blanks and tabs count */
};

struct tr_rules;

/* No sets yet.  TR_OK, or TR_SYSTEM. */
enum tr_status tr_rules_new(struct tr_rules **out, struct tr_error *err);
void tr_rules_free(struct tr_rules *r);

/*
 * Add a set in the text form of tr-rules(5).  TR_OK; TR_USAGE with the name as input and the line as
 * place; TR_SYSTEM.  After a failure only tr_rules_free may follow.
 */
enum tr_status tr_rules_ini(struct tr_rules *r, const char *name, const char *text, size_t len,
                            const struct tr_rules_opts *opts, struct tr_error *err);

/*
 * The same rule by rule.  target, condition, text, label, kind and line of a rule are used; strings are copied; len: of
 * the text.  TR_USAGE: the rule is not valid, err->what has the reason.
 */
enum tr_status tr_rules_start(struct tr_rules *r, const char *name,
                              const struct tr_rules_opts *opts, struct tr_error *err);
enum tr_status tr_rules_add(struct tr_rules *r, const struct tr_rule *rule, size_t len,
                            struct tr_error *err);
/*
 * The next set has at most n rules, whose regular expressions are known to be good: each is compiled when a name is
 * compared with it first.  False: out of memory.
 */
bool tr_rules_trust(struct tr_rules *r, size_t n);
/* TR_USAGE: the set is empty, or cannot have the requested precedence. */
enum tr_status tr_rules_end(struct tr_rules *r, struct tr_error *err);

/*
 * The rule that matches a name, which may have any bytes; name[len] is 0, as in a table of strings.  A set without a
 * rule for the name of device work is asked for the name without what unitrace adds to it (vendor/tr_intel_name.h).
 * If no set has a rule for the name of device work, and an operator of PyTorch has that name, rules for operators
 * count.
 * Regular expressions: tr_regex.h.  TR_OK; TR_NO, *number TR_RULE_NONE: none; TR_SYSTEM.
 */
enum tr_status tr_rules_match(struct tr_rules *r, enum tr_rule_target target, const char *name,
                              size_t len, uint32_t *number, struct tr_error *err);

/* All rules in the order of sets, and there in that of their file: numbers from 0. */
size_t tr_rules_count(const struct tr_rules *r);
const struct tr_rule *tr_rules_get(const struct tr_rules *r, uint32_t number);
/* Name and order of the set of a rule; never TR_RULES_BY_CONTENT. */
const char *tr_rules_name(const struct tr_rules *r, uint32_t set);
enum tr_rule_order tr_rules_order(const struct tr_rules *r, uint32_t set);

/* All labels, distinct, by first use. */
const char *const *tr_rules_labels(const struct tr_rules *r, size_t *n);

/* "device", "operator"; "equals to", "starts with" ... as in the text form. */
const char *tr_rule_target_name(enum tr_rule_target target);
const char *tr_rule_condition_name(enum tr_rule_condition condition);

/* A file of rules that comes with the library: its name, and its text. */
struct tr_rules_builtin {
    const char *name;
    bool kinds; /* some of its rules set a kind */
    const char *text;
};
/* They are tried in this order by default: first those that set kinds.  The last one has no name. */
extern const struct tr_rules_builtin tr_rules_builtins[];

/* Add such a file as a set, trusted as by tr_rules_trust.  TR_OK or TR_SYSTEM. */
enum tr_status tr_rules_add_builtin(struct tr_rules *r, const struct tr_rules_builtin *b, enum tr_rule_order order,
                                    struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
