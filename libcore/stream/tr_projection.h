/* SPDX-License-Identifier: MIT */
/*
 * The columns that a program reads, and whether the order between ranks matters.
 */
#ifndef TR_PROJECTION_H
#define TR_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fixed columns.  Part of the format. */
enum tr_fixed {
    TR_FIXED_TS = 0,
    TR_FIXED_DUR = 1,
    TR_FIXED_RECORD = 2,
    TR_FIXED_TRACK = 3,
    TR_FIXED_SHAPE = 4,
    TR_FIXED_NAME = 5,
    TR_FIXED_CAT = 6,
    TR_FIXED_PHASE = 7,
    TR_FIXED_ACTIVITY = 8,
    TR_FIXED_KIND = 9,
    TR_FIXED_SUSPECT = 10,
    TR_FIXED_FLAGS = 11,
    TR_N_FIXED
};
#define TR_FIXED_ALL ((1u << TR_N_FIXED) - 1)

#define TR_FIXED_BIT(column) (1u << TR_FIXED_##column)

/* The columns that a program reads. */
struct tr_projection {
    uint32_t fixed;   /* TR_FIXED_BIT(TS) | ..., or TR_FIXED_ALL; phase, shape and flags are always read */
    uint32_t derived; /* bits 1 << TR_COL_...; the derived columns */
    bool all_packed;  /* every packed column, derived ones too */
    const char *const *keys; /* otherwise, those with one of these keys, at any place; used only during the call */
    size_t n_keys;
    /*
     * The order of events of different ranks does not matter.  The events of one rank are still in canonical order, and
     * so are the events of a batch; but a batch may start before the end of an earlier batch of another rank.  All
     * events of unknown rank count as one rank.  So a merge may leave out the sorting; the events and their values are
     * the same.
     */
    bool any_rank_order;
};

/* In a struct tr_projection that is a constant: its keys. */
#define TR_KEYS(...)                              \
    .keys = (const char *const[]){ __VA_ARGS__ }, \
    .n_keys = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

#endif
