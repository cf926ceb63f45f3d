/* SPDX-License-Identifier: MIT */
/*
 * Reads the files from one operand on several times.  If all are event streams in regular files, they are opened again;
 * otherwise the first reading makes a copy in the temporary folder.
 *
 *     struct cli_reread a = { .cli = cli };
 *     cli_reread_open(&a, &in, err);
 *     while ((st = tr_input_next(in, &b, err)) == TR_OK && (st = cli_reread_keep(&a, b, err)) == TR_OK)
 *         ...
 *     if (st == TR_END)
 *         st = cli_reread_done(&a, err);
 *     cli_reread_open(&a, &in, err); and so on
 *     cli_reread_close(&a);
 */
#ifndef CLI_REREAD_H
#define CLI_REREAD_H

#include "cli/cli_main.h"
#include "stream/sort/tr_spool.h"
#include "stream/tr_input.h"

struct cli_reread {
    struct cli *cli;
    size_t first;           /* operands before it are not files */
    bool opened;            /* the files have been opened once */
    struct tr_spool *spool; /* NULL: files are opened again */
    bool copying;           /* during the first reading */
    struct tr_input *in;    /* of the copy */
};

enum tr_status cli_reread_open(struct cli_reread *a, struct tr_input **in, struct tr_error *err);
enum tr_status cli_reread_keep(struct cli_reread *a, const struct tr_batch *b, struct tr_error *err);
enum tr_status cli_reread_done(struct cli_reread *a, struct tr_error *err); /* read to its end */
void cli_reread_close(struct cli_reread *a);

#endif
