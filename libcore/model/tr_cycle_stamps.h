/* SPDX-License-Identifier: MIT */
/*
 * The cycle stamps of events: five readings of a device's 32-bit counter, as IBM's AIU writes them.
 *
 * TS1 to TS5 are args: numbers, or texts with decimal digits, or with 0x and hexadecimal digits.  All events of one
 * request have the same five: its input was copied from TS1 to TS2, it waited until TS3, it ran until TS4, and its
 * output was copied until TS5.  The name of an event says which part it is.  The counter wraps, at most once between
 * two successive stamps.
 *
 *     struct tr_cycle_stamp_reader r = { 0 };
 *     tr_cycle_stamps_start(&r, b);
 *     for (size_t i = 0; i < b->n; i++)
 *         switch (tr_cycle_stamps_take(&r, b, i, &s)) { ... }
 *     tr_cycle_stamps_free(&r);
 *
 * Source: the traces of flex and of torch_spyre, as acelyzer (github.com/IBM/aiu-trace-analyzer) reads them.
 */
#ifndef TR_CYCLE_STAMPS_H
#define TR_CYCLE_STAMPS_H

#include "stream/tr_args.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_N_CYCLE_STAMPS 5u

/* The part of a request that an event shows. */
enum tr_cycle_stamp_part {
    TR_CYCLE_STAMP_WHOLE,   /* TS1 to TS5 */
    TR_CYCLE_STAMP_DMA_IN,  /* "... DmaI": TS1 to TS2 */
    TR_CYCLE_STAMP_PREP,    /* "... Cmpt Prep": TS2 to TS3 */
    TR_CYCLE_STAMP_COMPUTE, /* "... Cmpt Exec": TS3 to TS4 */
    TR_CYCLE_STAMP_DMA_OUT, /* "... DmaO": TS4 to TS5 */
    TR_N_CYCLE_STAMP_PARTS,
};
extern const char
    *const tr_cycle_stamp_part_names[TR_N_CYCLE_STAMP_PARTS]; /* "request", "dma_in", "prep", "compute", "dma_out" */

struct tr_cycle_stamps {
    enum tr_cycle_stamp_part part;
    unsigned from, to;               /* the stamps at its start and end, counted from 0 */
    uint32_t raw[TR_N_CYCLE_STAMPS]; /* as in the trace */
    int64_t at[TR_N_CYCLE_STAMPS];   /* without wraps: at[0] is raw[0], and each is at least the one before */
};

enum tr_cycle_stamps_found { TR_CYCLE_STAMPS_NONE, TR_CYCLE_STAMPS_UNUSABLE, TR_CYCLE_STAMPS_FOUND };

struct tr_cycle_stamp_reader { /* zero at first */
    struct tr_args args;
    const struct tr_dict *dict;
    uint8_t *part; /* by name: enum tr_cycle_stamp_part + 1; 0: unknown */
    size_t n_part, cap_part;
};

/* Start with a batch, at its first event.  False: out of memory. */
bool tr_cycle_stamps_start(struct tr_cycle_stamp_reader *r, const struct tr_batch *b);
void tr_cycle_stamps_free(struct tr_cycle_stamp_reader *r);

/*
 * The stamps of event i; call it for every event of the batch, in order.  NONE: it is not a span with a possible
 * duration, or has no TS1; UNUSABLE: it has TS1, but not all five stamps as numbers of 32 bits.
 */
enum tr_cycle_stamps_found tr_cycle_stamps_take(struct tr_cycle_stamp_reader *r, const struct tr_batch *b, size_t i,
                                                struct tr_cycle_stamps *out);

/* A number of 32 bits, also as a text with decimal digits, or with 0x and hexadecimal digits.  False: not a number. */
bool tr_cycle_stamp_number(const struct tr_dict *d, struct tr_arg_value v, uint32_t *out);

#ifdef __cplusplus
}
#endif
#endif
