/* SPDX-License-Identifier: MIT */
/* How a program reads the files that options of views name. */
#include "cli/cli_graphs.h"

#include "cli/cli_expr.h"
#include "cli/cli_priv.h"

static enum tr_status open_trace(void *self, const char *path, struct tr_input **in, struct tr_error *err)
{
    return cli_input_open(self, &path, 1, in, err);
}

static void close_trace(void *self, struct tr_input *in)
{
    cli_input_close(self, in);
}

static enum tr_status compile(void *self, const char *text, const char *given_as, struct tr_expr **out,
                              struct tr_error *err)
{
    return cli_expr_compile(self, text, given_as, out, err);
}

static void say(void *self, const char *text)
{
    cli_remark(self, "%s", text);
}

struct tr_view_host cli_view_host(struct cli *cli)
{
    return (struct tr_view_host){ &cli->open_opts, open_trace, close_trace, compile, say, cli };
}

enum tr_status cli_graphs_read(struct cli *cli, const struct tr_option_list *files, struct tr_graph_calls **out,
                               struct tr_error *err)
{
    const struct tr_view_host host = cli_view_host(cli);
    return tr_capture_files_read(&host, files, NULL, out, err);
}
