/* SPDX-License-Identifier: MIT */
/*
 * Writes the input of an analysis again, with further events that depend on it.
 *
 *     struct cli_overlay twice = { .again.cli = cli };
 *     o->a.twice = &twice;                     before cli_analysis_open
 *     ... cli_analysis_next to its end ...
 *     d = tr_dict_copy(o->a.in->dict);         and what the added events need: tr_inject.h
 *     st = cli_overlay_write(cli, &twice, d, next, ctx, err);
 *     cli_overlay_close(&twice);
 *
 * Streams in files are opened again; other inputs are copied while they are read (cli_reread.h).
 */
#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "cli/cli_reread.h"
#include "stream/sort/tr_inject.h"

struct cli_overlay {
    struct cli_reread again;
    struct tr_inject_records records;  /* of the first reading */
    const struct tr_input *first;      /* the input of the first reading */
};

/* For the frame: start the first reading; a batch of it; its end. */
enum tr_status cli_overlay_open(struct cli_overlay *o, struct tr_input **in, struct tr_error *err);
enum tr_status cli_overlay_see(struct cli_overlay *o, const struct tr_batch *b, struct tr_error *err);

/*
 * Write the events of the first reading and those that next gives, in canonical order (tr_inject_open).  dict: a
 * copy of the dictionary at the end of the first reading, followed by rows for the added events.
 */
enum tr_status cli_overlay_write(struct cli *cli, struct cli_overlay *o, const struct tr_dict *dict,
                                 tr_inject_next *next, void *ctx, struct tr_error *err);
void cli_overlay_close(struct cli_overlay *o);

#endif
