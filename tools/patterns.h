/* tr-patterns: options, and the stream in which patterns are marked. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "analysis/tr_sequences.h"
#include "cli/cli_analysis.h"
#include "cli/cli_names.h"
#include "stream/tr_overlay.h"
#include "stream/tr_spool.h"

struct patterns {
    struct cli_analysis a;
    struct cli_names op;
    uint64_t length, top;
    bool mark;
};

/* The input, kept while patterns are looked for.  Zero-initialise, then make the spool. */
struct patterns_copy {
    struct tr_spool *spool;
    struct tr_overlay_records records;
};

enum tr_status patterns_copy_batch(struct patterns_copy *c, const struct tr_batch *b,
                                   struct tr_error *err);
void patterns_copy_free(struct patterns_copy *c);

/*
 * Write the copy with an annotation for each occurrence of the rows that are shown, n of them in
 * all.
 */
enum tr_status patterns_mark(struct cli *cli, struct patterns *o, struct patterns_copy *copy,
                             const struct tr_sequences *s, const struct tr_sequences_row *rows,
                             const bool *shown, size_t n, struct tr_error *err);

#endif
