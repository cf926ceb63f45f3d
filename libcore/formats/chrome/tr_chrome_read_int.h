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
    struct tr_buf ahead; /* bytes read to find the dialect, */
    size_t ahead_used;   /* how many of them were passed on, */
    enum tr_status ahead_status; /* and how the last read ended */
    struct tr_error ahead_err;
    struct tr__spoken *spoken; /* NULL: none */
    struct tr__parser *parsers; /* one per thread */
    size_t n_parsers;
    bool seen_bracket;
    struct tr__chrome_live *live; /* without sorting: how far it has been read */
};

/* The next bytes, like struct tr_ingest_bytes.read: first those that were read ahead. */
enum tr_status tr__chrome_bytes(struct tr__chrome *c, void *buf, size_t cap, size_t *got, struct tr_error *err);

/*
 * Read the start of the file, and find its dialect.  at_once: events are wanted as soon as they are there, so the bytes
 * that the first read gives have to be enough.  False: out of memory.
 */
bool tr__chrome_find_dialect(struct tr__chrome *c, bool at_once);

/* What a driver needs: tr_ingest_int.h. */
enum tr_status tr__chrome_read(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err);
enum tr_status tr__chrome_next(struct tr__chrome *c, struct tr__source_state *l, struct tr__piece *piece,
                               struct tr_error *err);
enum tr_status tr__chrome_understand(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err);
void tr__chrome_live_free(struct tr__chrome_live *v);

tr__decode_fn tr__chrome_decode;

#endif
