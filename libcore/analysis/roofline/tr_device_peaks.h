/* SPDX-License-Identifier: MIT */
/*
 * The peaks that a roofline is drawn with: those that were given, else those of the library for the device that the
 * trace names.
 *
 * Traces of PyTorch name their devices ("NVIDIA H100 80GB HBM3"): tr_source_facts.h.  A section of the library's peaks
 * is that of a device if its name is a word of this name.  Boards with less power (PCIe, NVL) have
 * other peaks than the module of the same name, so they need a section of their own.  Sources that name devices of
 * several sections have none.  Given peaks without a figure mean that none are used.
 *
 * What was measured on the device takes the place of these, figure by figure.
 */
#ifndef TR_DEVICE_PEAKS_H
#define TR_DEVICE_PEAKS_H

#include "engine/tr_analysis.h"
#include "vendor/tr_peaks.h"

struct tr_device_peaks {
    struct tr_str *products; /* names of devices, one of each source; no text: it names none */
    size_t n, cap;
    struct tr_peaks found;      /* of the library, or with measured figures */
    const struct tr_peaks *use; /* given or found; NULL: none */
    bool measured;              /* it has measured figures */
};
/* Read the names of the devices of the sources that are selected.  False: out of memory. */
bool tr_device_peaks_sources(struct tr_device_peaks *p, const struct tr_analysis_in *in);
/* Release the names. */
void tr_device_peaks_free(struct tr_device_peaks *p);

/*
 * Choose the peaks for these devices, with a remark if they come from the trace, and a warning if the trace is of
 * another device than the given one.  A remark says which figures were measured, a warning which of them are above
 * those of the data sheet.  given and measured may be NULL.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_device_peaks_choose(struct tr_device_peaks *p, const struct tr_analysis_in *in,
                                      const struct tr_peaks *given, const struct tr_peaks *measured,
                                      struct tr_error *err);

/* The names as a table of a partial result, with these columns. */
extern const struct tr_saved_column tr_device_peaks_columns[1];
void tr_device_peaks_save(const struct tr_device_peaks *p, struct tr_partial_out *out, size_t table);
enum tr_status tr_device_peaks_load(struct tr_device_peaks *p, struct tr_partial_in *in, size_t table,
                                    struct tr_error *err);

#endif
