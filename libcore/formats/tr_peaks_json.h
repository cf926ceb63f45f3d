/* SPDX-License-Identifier: MIT */
/*
 * Peaks of a device from a file of any form: the text of tr-models(5); the device file of unitrace; or the JSON of
 * TraceLens: an object with name, mem_bw_gbps and max_achievable_tflops, an object of figures.
 */
#ifndef TR_PEAKS_JSON_H
#define TR_PEAKS_JSON_H

#include "vendor/tr_peaks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As tr_peaks_text, for the first device; a text that starts with a brace is JSON. */
enum tr_status tr_peaks_read(struct tr_peaks *p, const char *name, const char *text, size_t len, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
