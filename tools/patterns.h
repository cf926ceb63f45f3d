/* tr-patterns: options, and the stream in which patterns are marked. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "analysis/tr_sequences.h"
#include "cli/cli_analysis.h"
#include "cli/cli_names.h"

struct patterns {
    struct cli_analysis a;
    struct cli_names op;
    uint64_t length, top;
    bool mark;
};

/*
 * Write the input again with an annotation for each occurrence of the rows that are shown, n of them
 * in all.
 */
enum tr_status patterns_mark(struct cli *cli, struct patterns *o, const struct tr_sequences *s,
                             const struct tr_sequences_row *rows, const bool *shown, size_t n,
                             struct tr_error *err);

#endif
