/* Parts of tr-align: the ranks, what their clocks are fitted to, and where else offsets come from. */
#ifndef ALIGN_H
#define ALIGN_H

#include "analysis/tr_clockfit.h"
#include "expr/tr_expr.h"
#include "model/tr_collective.h"

/* The ranks of a stream, ascending; each has one clock. */
struct align_ranks {
    int64_t *rank;
    size_t n;
    uint32_t *of_source; /* index of a source's rank */
    size_t n_sources;
};

/* TR_OK; TR_DAMAGED: a source has no rank; TR_SYSTEM. */
enum tr_status align_ranks_init(struct align_ranks *r, const struct tr_dict *dict,
                                struct tr_error *err);
void align_ranks_free(struct align_ranks *r);
size_t align_ranks_find(const struct align_ranks *r, int64_t rank); /* r->n: there is none */

/* ---- align_anchors.c: events that show one moment on several clocks ---- */

struct align_anchors;

/*
 * expr  what to take, the n-th on each rank for the n-th on the others; NULL: ends of collectives
 * All is borrowed.
 */
enum tr_status align_anchors_new(struct align_anchors **out, const struct align_ranks *ranks,
                                 const struct tr_input *in, struct tr_expr *expr,
                                 struct tr_error *err);
void align_anchors_free(struct align_anchors *a);
enum tr_status align_anchors_feed(struct align_anchors *a, const struct tr_batch *b,
                                  struct tr_error *err);

/*
 * Give all anchors to a fit, whose clocks are the ranks.
 * device_shift: by rank, ns, to be added to times of device tracks; NULL: 0
 */
enum tr_status align_anchors_give(struct align_anchors *a, const int64_t *device_shift,
                                  struct tr_clockfit *fit, struct tr_error *err);

/* With an expression: do all ranks have as many matches?  Else *few and *many are the extremes. */
bool align_anchors_even(const struct align_anchors *a, size_t *few, size_t *many);

/* ---- align_device.c: device clocks against the host's ---- */

struct align_device;

enum tr_status align_device_new(struct align_device **out, const struct align_ranks *ranks,
                                struct tr_error *err);
void align_device_free(struct align_device *d);
enum tr_status align_device_feed(struct align_device *d, const struct tr_batch *b,
                                 struct tr_error *err);

/*
 * The least amount, ns, by which the device's clock of a rank is to be moved so that no work starts before
 * its launch does; work that is far off on its own is left out, and counted.
 */
int64_t align_device_shift(struct align_device *d, size_t rank, uint64_t *left_out);

/* ---- align_offsets.c: offsets from a file ---- */

/*
 * Read offset (ns) and drift (10^-12) of each rank from a table of tab separated values: with a header
 * line as --report prints it, or rank, offset in microseconds and perhaps drift in ppm.
 * TR_OK; TR_DAMAGED: no such table, or a rank is missing; TR_SYSTEM.
 */
enum tr_status align_offsets_read(const char *path, const struct align_ranks *ranks,
                                  int64_t *offset, int64_t *drift, struct tr_error *err);

#endif
