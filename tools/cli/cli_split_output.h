/* SPDX-License-Identifier: MIT */
/*
 * Several outputs, named after a pattern: -o 'part-%s.trs'; or in a folder.
 *
 *     struct cli_split_output parts = { .cli = cli };
 *     cli_split_output_start(&parts, err);
 *     cli_split_output_open(&parts, "7", &part, err);  part-7.trs, under a temporary name
 *     ... cli_split_output_sink(part, ...)
 *     cli_split_output_close(part, err);               and so on for the other parts
 *     cli_split_output_end(&parts, st, err);           TR_OK: all appear under their names, else none
 *
 * The files are written to a folder beside them, and are renamed when all are complete.
 */
#ifndef CLI_SPLIT_OUTPUT_H
#define CLI_SPLIT_OUTPUT_H

#include "cli/cli_main.h"

struct cli_part {
    char *target; /* its name */
    int fd;       /* -1: it was closed */
};

struct cli_split_output {
    struct cli *cli;
    char *before, *after; /* of the name, around the part */
    struct cli_part **parts;
    size_t n, cap;
    bool started, made; /* made: the folder of the files is new */
};

/* Read the pattern from -o.  TR_USAGE: there is no -o, or its name does not have one %s. */
enum tr_status cli_split_output_start(struct cli_split_output *p, struct tr_error *err);
/* All files in a folder, which is made if it does not exist, with this text after the names. */
enum tr_status cli_split_output_folder(struct cli_split_output *p, const char *folder, const char *after,
                                       struct tr_error *err);
/* Start the file of a part; its name has no slash. */
enum tr_status cli_split_output_open(struct cli_split_output *p, const char *name, struct cli_part **part,
                                     struct tr_error *err);
/* A sink for an open file; its ctx is the struct cli_part. */
enum tr_status cli_split_output_sink(void *part, const void *bytes, size_t n, struct tr_error *err);
enum tr_status cli_split_output_close(struct cli_part *part, struct tr_error *err);
/* Rename all files if st is TR_OK, else remove them, and a folder that was made for them.  Releases everything. */
enum tr_status cli_split_output_end(struct cli_split_output *p, enum tr_status st, struct tr_error *err);

#endif
