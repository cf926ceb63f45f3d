/* SPDX-License-Identifier: MIT */
/*
 * Which rule takes each event of a stream: rules are asked once per distinct name.
 *
 * Device work (kernels, copies, fills) is judged by the rules for device work, operators of the host
 * (cpu_op, comm_record) by those for operators.  All other events are taken by none: calls of the
 * runtime, annotations, Python functions, and what a device shows that is no work.
 *
 * Memory: eight bytes per string of the stream.  Not shared between threads.
 */
#ifndef TR_CLASSIFY_H
#define TR_CLASSIFY_H

#include "model/tr_rules.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_classify {
    struct tr_rules *rules;
    uint32_t *memo[TR_N_RULE_TARGETS]; /* by string: rule, none, or not asked */
    size_t n[TR_N_RULE_TARGETS], cap[TR_N_RULE_TARGETS];
};

/* The rules that events of an activity are judged by, or -1: none. */
int tr_classify_target(unsigned activity);

/* Zero-initialise, set rules, which is borrowed. */
void tr_classify_free(struct tr_classify *c);

/* rule[i]: number of the rule that takes event i, or TR_RULE_NONE.  TR_OK, TR_SYSTEM. */
enum tr_status tr_classify_batch(struct tr_classify *c, const struct tr_batch *b, uint32_t *rule,
                                 struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
