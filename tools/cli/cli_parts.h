/* SPDX-License-Identifier: MIT */
/*
 * Several outputs, named after a pattern: -o 'part-%s.trs'.
 *
 *     struct cli_parts parts = { .cli = cli };
 *     cli_parts_begin(&parts, err);
 *     cli_parts_open(&parts, "7", err);         part-7.trs, under a temporary name
 *     ... cli_parts_sink
 *     cli_parts_close(&parts, err);             and so on for the other parts
 *     cli_parts_end(&parts, st, err);           TR_OK: all appear under their names, else none
 *
 * The files are written to a folder beside them, and are renamed when all are complete.  Only one is open at a time.
 */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "cli/cli_main.h"

struct cli_parts {
    struct cli *cli;
    char *before, *after; /* of the name, around the part */
    char **targets;       /* names of the files so far */
    size_t n, cap;
    int fd;               /* of the open file; -1: none */
    bool begun;
};

/* Read the pattern from -o.  TR_USAGE: there is no -o, or its name does not have one %s. */
enum tr_status cli_parts_begin(struct cli_parts *p, struct tr_error *err);
/* Begin the file of a part; its name has no slash. */
enum tr_status cli_parts_open(struct cli_parts *p, const char *part, struct tr_error *err);
/* A sink for the open file; its ctx is the struct cli_parts. */
enum tr_status cli_parts_sink(void *parts, const void *bytes, size_t n, struct tr_error *err);
enum tr_status cli_parts_close(struct cli_parts *p, struct tr_error *err);
/* Rename all files if st is TR_OK, else remove them.  Releases everything. */
enum tr_status cli_parts_end(struct cli_parts *p, enum tr_status st, struct tr_error *err);

#endif
