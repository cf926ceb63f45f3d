/* SPDX-License-Identifier: MIT */
/*
 * The peak performance of a device: operations per second by kind and precision, bytes per second of its memory.
 *
 * A file has a section for each device, and a line for each figure:
 *
 *     [H100]
 *     bandwidth = 3350       # GB/s, 10^9 bytes per second
 *     l3_bandwidth = 5500    # the same, of the L3 cache
 *     matrix_bf16 = 989.4    # TFLOP/s, 10^12 operations per second
 */
#ifndef TR_PEAKS_H
#define TR_PEAKS_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#define TR_PEAKS_MAX 40u

struct tr_peaks {
    char name[64];
    double bandwidth; /* GB/s; 0: not known */
    double l3_bandwidth; /* GB/s, of the L3 cache; 0: not known */
    struct {
        char spec[32]; /* as models name it: "matrix_bf16" */
        double tflops;
    } of[TR_PEAKS_MAX];
    size_t n;
};

/* Set a figure.  TR_USAGE: it is not valid, err->what has the reason. */
enum tr_status tr_peaks_set(struct tr_peaks *p, struct tr_str name, double value, struct tr_error *err);

/*
 * Read the section of a device from a file in text form; device NULL: its first one.  Upper and lower case are the
 * same.  TR_OK; TR_NO: the file does not have it; TR_USAGE: err has name as input and the line as place.
 */
enum tr_status tr_peaks_text(struct tr_peaks *p, const char *device, const char *name, const char *text, size_t len,
                             struct tr_error *err);

/*
 * Read the device from a file of unitrace: lines KEY,VALUE such as "FP32_GFLOPS,32000".  TR_OK; TR_NO: its first line
 * is no such line; TR_USAGE: err has name as input and the line as place.
 */
enum tr_status tr_peaks_csv(struct tr_peaks *p, const char *name, const char *text, size_t len, struct tr_error *err);

/* TFLOP/s; 0: not known. */
double tr_peaks_of(const struct tr_peaks *p, const char *spec);

/* Devices that come with the library, in the text form. */
extern const char tr_peaks_builtin[];

#endif
