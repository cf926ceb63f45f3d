/* SPDX-License-Identifier: MIT */
/*
 * The files from one operand on, to be read from the start as often as needed: again if all of them are
 * event streams in regular files, else from a copy in the temporary folder that the first reading makes.
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
#include "stream/tr_input.h"
#include "stream/tr_spool.h"

struct cli_reread {
    struct cli *cli;
    size_t first;           /* operands before it are no files */
    bool opened;            /* before */
    struct tr_spool *spool; /* NULL: files are opened again */
    bool copying;           /* the first reading is under way */
    struct tr_input *in;    /* of the copy */
};

enum tr_status cli_reread_open(struct cli_reread *a, struct tr_input **in, struct tr_error *err);
enum tr_status cli_reread_keep(struct cli_reread *a, const struct tr_batch *b, struct tr_error *err);
enum tr_status cli_reread_done(struct cli_reread *a, struct tr_error *err); /* read to its end */
void cli_reread_close(struct cli_reread *a);

#endif
