/* SPDX-License-Identifier: MIT */
/*
 * --every: what a program prints at its end, also while its input goes on.
 *
 *     while ((st = next(&batch)) == TR_OK && (st = feed(batch)) == TR_OK)
 *         st = cli_every(cli, input, end_and_print, self, err);
 *     if (st == TR_END)
 *         st = end_and_print(self, err);      it calls cli_every_next before it prints
 */
#ifndef CLI_EVERY_H
#define CLI_EVERY_H

#include "cli/cli_main.h"

/* TR_USAGE: --every was given, and the output has no room for several tables. */
enum tr_status cli_every_possible(struct cli *cli, struct tr_error *err);

/* The same for a program that writes the event stream of a trace: it needs a file that is replaced, and --follow. */
enum tr_status cli_every_stream_possible(struct cli *cli, struct tr_error *err);

/*
 * If it is time, now or while the next events are waited for, let print, in a copy of the process (io/tr_copy.h), end
 * the run and print.  If it cannot print what is there so far, that is a warning.  self must be valid as long as events
 * are read.  TR_SYSTEM: the output could not be written, or there was no copy.
 */
typedef enum tr_status cli_every_print(void *self, struct tr_error *err);
enum tr_status cli_every(struct cli *cli, const char *input, cli_every_print *print, void *self, struct tr_error *err);

/* Before a table is printed: write what stands between it and the one before. */
enum tr_status cli_every_next(struct cli *cli, struct tr_error *err);

#endif
