/* The one place where programs open inputs. */
#include "cli/cli_priv.h"

#include "io/tr_seen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum tr_status take_stdin(struct cli *cli, struct tr_error *err)
{
    if (cli->stdin_used)
        return tr_fail(err, TR_USAGE, "standard input can be read only once");
    cli->stdin_used = true;
    return TR_OK;
}

enum tr_status cli_input_open(struct cli *cli, const char *const *paths, size_t n,
                              struct tr_input **in, struct tr_error *err)
{
    static const char *const only_stdin[] = { "-" };
    enum tr_status st = TR_OK;

    if (n == 0) {
        if (cli__is_terminal(cli, STDIN_FILENO))
            return tr_fail(err, TR_USAGE,
                           "no input: name a file, or '-' to read the terminal "
                           "(see %s --help)",
                           cli->name);
        paths = only_stdin;
        n = 1;
    }
    for (size_t i = 0; i < n && st == TR_OK; i++)
        if (strcmp(paths[i], "-") == 0)
            st = take_stdin(cli, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&cli->inputs, &cli->cap_inputs, cli->n_inputs + 1, sizeof cli->inputs[0]))
        return tr_fail_memory(err);
    st = n == 1 ? tr_open(in, paths[0], &cli->open_opts, err)
                : tr_open_many(in, paths, n, &cli->open_opts, err);
    if (st == TR_OK)
        cli->inputs[cli->n_inputs++] = *in;
    return st;
}

enum tr_status cli_input_operands(struct cli *cli, size_t first, struct tr_input **in,
                                  struct tr_error *err)
{
    size_t n = cli->n_operands > first ? cli->n_operands - first : 0;
    return cli_input_open(cli, n ? cli->operands + first : NULL, n, in, err);
}

void cli_input_close(struct cli *cli, struct tr_input *in)
{
    size_t i = 0;
    while (i < cli->n_inputs && cli->inputs[i] != in)
        i++;
    if (i == cli->n_inputs)
        return;
    cli->inputs[i] = cli->inputs[--cli->n_inputs];
    if (!in->sorted) /* its summary came last */
        tr_open_warn(in, &cli->open_opts);
    tr_input_close(in);
}

void cli__inputs_close(struct cli *cli)
{
    while (cli->n_inputs)
        cli_input_close(cli, cli->inputs[cli->n_inputs - 1]);
    free(cli->inputs);
    cli->inputs = NULL;
    cli->cap_inputs = 0;
    tr_seen_free(cli->open_opts.seen);
    cli->open_opts.seen = NULL;
}
