/* SPDX-License-Identifier: MIT */
/* The builder: several args of an event in one call, for formats that number their texts.  Internal to libcore. */
#ifndef TR_INGEST_ARGS_INT_H
#define TR_INGEST_ARGS_INT_H

#include "ingest/tr_ingest.h"

/* An arg that is not a text longer than the builder takes. */
struct tr__arg {
    uint32_t key; /* its number */
    uint8_t type; /* enum tr_type */
    int64_t bits; /* of a text or JSON: its number; of true and false: nothing */
};

/* The same as a call for each of them, in this order. */
void tr__ingest_args(struct tr_ingest *g, const struct tr__arg *args, size_t n);

/* What two events must have in common to have the same shape, besides their args. */
struct tr__like {
    uint32_t shape; /* UINT32_MAX: none */
    uint32_t top;   /* phase, and the usual members */
};

/* That of the last event; .shape UINT32_MAX: its args cannot be added by tr__ingest_args_like. */
struct tr__like tr__ingest_like(const struct tr_ingest *g);

/*
 * The same as tr__ingest_args for args of an event, whose keys and types are those of all args of an earlier one.  So
 * like is not that of an event with further args.
 */
void tr__ingest_args_like(struct tr_ingest *g, const struct tr__arg *args, size_t n, const struct tr__like *like);

#endif
