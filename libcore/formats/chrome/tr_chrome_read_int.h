/* SPDX-License-Identifier: MIT */
/*
 * Reading a file in the Trace Event Format.  Internal to libcore.
 */
#ifndef TR_CHROME_READ_INT_H
#define TR_CHROME_READ_INT_H

#include "formats/chrome/tr_chrome_int.h"

struct tr__chrome_live;

struct tr__chrome {
    struct tr_ingest_bytes bytes;
    struct tr__parser *parsers; /* one per thread */
    size_t n_parsers;
    bool seen_bracket;
    struct tr__chrome_live *live; /* without sorting: how far it has been read */
};

/* What a driver needs: tr_ingest_int.h. */
enum tr_status tr__chrome_read(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err);
enum tr_status tr__chrome_next(struct tr__chrome *c, struct tr__source_state *l, struct tr__piece *piece,
                               struct tr_error *err);
enum tr_status tr__chrome_understand(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err);
void tr__chrome_live_free(struct tr__chrome_live *v);

tr__decode_fn tr__chrome_decode;

#endif
