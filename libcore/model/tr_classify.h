/* SPDX-License-Identifier: MIT */
/*
 * The rule that matches each event of a stream.  Each distinct name is compared with the rules once.
 *
 * Device work (kernels, copies, memsets) is compared with the rules for device work, and operators of the host (cpu_op,
 * comm_record) with those for operators.  No rule matches any other event: calls of the runtime, annotations, Python
 * functions, waits on the device.
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
    uint32_t *memo[TR_N_RULE_TARGETS]; /* by string: rule, none, or unknown */
    size_t n[TR_N_RULE_TARGETS], cap[TR_N_RULE_TARGETS];
};

/* The rules for events of an activity; -1: none. */
int tr_classify_target(unsigned activity);

/* Zero-initialise, set rules, which is borrowed. */
void tr_classify_free(struct tr_classify *c);

/* rule[i]: number of the rule that matches event i, or TR_RULE_NONE.  TR_OK, TR_SYSTEM. */
enum tr_status tr_classify_batch(struct tr_classify *c, const struct tr_batch *b, uint32_t *rule,
                                 struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
