/* SPDX-License-Identifier: MIT */
/* Terminals: what is written to one. */
#include "cli/cli_priv.h"

#include <unistd.h>

bool cli__is_terminal(const struct cli *cli, int fd)
{
    return isatty(fd) || (fd < 3 && cli->common.terminal[fd]);
}

bool cli_is_interactive(const struct cli *cli)
{
    return cli__is_terminal(cli, STDERR_FILENO);
}
