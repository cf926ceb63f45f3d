/* SPDX-License-Identifier: MIT */
/*
 * One clock for all ranks of a stream: computes how to move each clock.
 *
 *     tr_align_init(&a, &opts, in, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         tr_align_feed(&a, b, marked, &err);
 *     tr_align_solve(&a, in->name, &err);
 *     tr_align_clocks(&a, source, &host, &device);      for each source, for tr_clock_apply_set
 *
 * Offsets and drifts come from anchors (tr_anchors.h, tr_clockfit.h), or from the caller, who then sets
 * offset and drift between tr_align_init and tr_align_solve.  With opts.device, device clocks are moved by the lag of
 * tr_device_lag.h.  Definitions: tr-align(1).
 *
 * The folder analysis/clocks relates clocks: ranks by anchors, devices by cycles.  Central: struct tr_align (here),
 * struct tr_clockfit, struct tr_anchors, struct tr_cycles.
 */
#ifndef TR_ALIGN_H
#define TR_ALIGN_H

#include "analysis/clocks/tr_anchors.h"
#include "analysis/clocks/tr_device_lag.h"
#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ALIGN_ANCHORS 3u /* that each rank needs, unless the caller says another number */

struct tr_align_opts {
    int64_t reference;    /* rank whose clock all ranks get; -1: rank 0, or the lowest rank */
    uint64_t min_anchors; /* number that each rank needs */
    bool drift;           /* also find drifts */
    bool device;          /* move device clocks */
    bool marked;          /* anchors are events that the caller marks, not collectives */
    bool given;           /* offsets come from the caller */
};

struct tr_align {
    struct tr_align_opts opts;
    struct tr_rank_set ranks;
    struct tr_anchors *anchors;    /* NULL: given */
    struct tr_device_lag *devices; /* NULL: not requested */
    struct tr_clockfit *fit;       /* after tr_align_solve; NULL: given, or one rank */
    size_t reference_at;           /* among the ranks; ranks.n: it is not there */
    int64_t origin;                /* ns: the reference's first event, to which offsets refer */
    /* By rank: ns, 10^-12, ns; and the number of events of device work that the shift ignores. */
    int64_t *offset, *drift, *shift;
    uint64_t *left_out;
};

/*
 * in: not read yet, and not read here; its dictionary must outlive a.  TR_OK; TR_DAMAGED: not in canonical order, a
 * source without rank, or no such reference; TR_SYSTEM.  Call tr_align_free in any case.
 */
enum tr_status tr_align_init(struct tr_align *a, const struct tr_align_opts *opts,
                             const struct tr_input *in, struct tr_error *err);
void tr_align_free(struct tr_align *a);

/* The next batch; marked as for tr_anchors_feed. */
enum tr_status tr_align_feed(struct tr_align *a, const struct tr_batch *b, const uint8_t *marked,
                             struct tr_error *err);

/*
 * After the last batch: find shifts, offsets and drifts.  input: name for messages.
 * TR_OK; TR_NO: too few anchors, none that connect a rank, or not half of them agree with one clock, whose drift is
 * within TR_DRIFT_MAX; TR_DAMAGED: given drifts without their reference, or an offset out of range; TR_SYSTEM.
 */
enum tr_status tr_align_solve(struct tr_align *a, const char *input, struct tr_error *err);

/* The rows of a source's clocks; false: the device has the host's clock. */
bool tr_align_clocks(const struct tr_align *a, uint32_t source, struct tr_clock *host,
                     struct tr_clock *device);

struct tr_colls;
struct tr_one_clock;

/*
 * The same for collectives that are matched already, as with no options: finds the offsets and moves the members.
 * TR_OK: out->aligned, or out->why; TR_SYSTEM.
 */
enum tr_status tr_align_matched(struct tr_colls *c, const struct tr_dict *dict, struct tr_one_clock *out,
                                struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
