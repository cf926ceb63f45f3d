/* SPDX-License-Identifier: MIT */
/* Declarations that tr_diff.c and tr_diff_feed.c share. */
#ifndef TR_DIFF_INT_H
#define TR_DIFF_INT_H

#include "analysis/compare/tr_diff.h"
#include "base/tr_hash.h"
#include "base/tr_strtab.h"

#define TR__NO_ENTRY UINT32_MAX

/* What rows are known by, without the side: numbers in keys; TR_NO_STR: the event has no such text. */
struct tr__diff_key {
    uint32_t name, more[TR_DIFF_MORE];
};

struct tr__diff_entry {
    struct tr__diff_key key;
    bool device;
    uint8_t level; /* tree: number of names in the key */
    struct tr_diff_sums sums[2];
};

struct tr__diff_named {
    struct tr_str name, more[TR_DIFF_MORE];
    uint32_t entry;
    bool device;
};

struct tr_diff {
    enum tr_diff_by by;
    unsigned refined; /* by enum tr_diff_refined */
    size_t max_bytes;
    bool full;              /* max_bytes is reached; otherwise, a failure means that memory ran out */
    struct tr_strtab *keys; /* texts of both runs */
    struct tr__diff_entry *entries;
    size_t n, cap;
    struct tr_hash_index index; /* of entries by key and side */
    struct tr_diff_row *rows;
    struct tr__diff_named *by_name; /* of n_by_name entries */
    size_t n_by_name;
};

/* The entry of a text alone; it is added if it is new.  TR__NO_ENTRY: out of memory. */
uint32_t tr__diff_entry(struct tr_diff *d, bool device, const char *name, size_t len);
/* TR_SYSTEM, with the reason why there is no entry. */
enum tr_status tr__diff_fail(const struct tr_diff *d, struct tr_error *err);
/* The same for texts that are already in keys. */
uint32_t tr__diff_entry_of_key(struct tr_diff *d, bool device, const struct tr__diff_key *key);

/* Add a number of either sign. */
static inline void tr__diff_add_self(struct tr_diff_sums *s, int64_t ns)
{
    s->self = tr_u128_add(s->self, tr_i128_of(ns));
}

#endif
