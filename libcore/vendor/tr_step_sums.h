/* SPDX-License-Identifier: MIT */
/*
 * What does the annotation of an inference step say about its requests?  It has sums over the requests whose prompt is
 * processed (context) and over those that get one more token (generation).
 *
 *     vLLM    execute_64_context_1(sq64sk64sqsq4096sqsk4096)_generation_2(sq2sk300sqsq2sqsk300)
 *     SGLang  step[MIXED bs=3 toks=66 c_sq=64 c_sk=64 c_sqsq=4096 c_sqsk=4096 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=300]
 *             step[EXTEND bs=15 toks=15360]    a guess: prompts of equal length, from their start
 *     ATOM    prefill[bs=1 tok=64 sk=64 sqsq=4096 sqsk=4096], decode[...]
 *
 * Other annotations have no sums:
 *
 *     vLLM    execute_context_1(64)_generation_2(2), with the number of tokens in parentheses
 *     images  execute_diffusion_2_1024x768, with the number of images
 *
 * sq is the number of queries of a request, sk the number of keys.  sqsq and sqsk are the sums of their products.
 */
#ifndef TR_STEP_SUMS_H
#define TR_STEP_SUMS_H

#include "base/tr_str.h"
#include "stream/tr_summary.h"

#include <stdbool.h>

enum tr_step_sum {
    TR_STEP_C_SQ,
    TR_STEP_C_SK,
    TR_STEP_C_SQSQ,
    TR_STEP_C_SQSK,
    TR_STEP_G_SQ,
    TR_STEP_G_SK,
    TR_STEP_G_SQSQ,
    TR_STEP_G_SQSK,
    TR_N_STEP_SUMS
};

struct tr_step_sums {
    double of[TR_N_STEP_SUMS]; /* NaN: not in the annotation */
    bool all;                  /* all are in the annotation, and none is a guess */
};

extern const char *const tr_step_sum_names[TR_N_STEP_SUMS]; /* "c_sq" and so on */

/* Requests, tokens and phase of a step.  False: the name is not an annotation of an inference step. */
bool tr_step_about_read(struct tr_str name, struct tr_step_about *out);

/* The sums.  False: the name is not such an annotation. */
bool tr_step_sums_read(struct tr_str name, struct tr_step_sums *out);

#endif
