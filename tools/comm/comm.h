/* SPDX-License-Identifier: MIT */
/* tr-comm: tables, and logs that are watched while they grow. */
#ifndef COMM_H
#define COMM_H

#include "cli/cli_main.h"

/* Watch the logs of NCCL's inspector in a folder until a signal comes, and look at them so often. */
enum tr_status comm_follow(struct cli *cli, const char *folder, struct tr_error *err);

#endif
