/* The one place where programs open inputs. */
#include <config.h>

#include "cli/cli_priv.h"

#include <inttypes.h>
#include <stdio.h>
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

static bool same_time(const struct tr_source_summary *a, const struct tr_source_summary *b)
{
    return a->first_ts != TR_TIME_NONE && b->first_ts != TR_TIME_NONE && a->first_ts < b->last_end &&
           b->first_ts < a->last_end;
}

/* Two sources of one rank at one time: most often a file that is given twice, or a rank that is wrong. */
static void warn_of_twins(struct cli *cli, const struct tr_input *in)
{
    const struct tr_source *s = in->dict->sources;
    size_t n = in->summary && in->sorted ? in->summary->n : 0;
    for (size_t i = 1; i < n && i < in->dict->n_sources; i++) {
        for (size_t k = 0; k < i; k++) {
            if (s[i].rank < 0 || s[i].rank != s[k].rank || s[i].host != s[k].host ||
                s[i].base_ns != s[k].base_ns ||
                !same_time(&in->summary->sources[i], &in->summary->sources[k]))
                continue;
            char place[600], what[96];
            snprintf(place, sizeof place, "%.250s and %.250s", tr_dict_str(in->dict, s[k].name),
                     tr_dict_str(in->dict, s[i].name));
            snprintf(what, sizeof what, "both are rank %" PRId64 " at the same time, and taken as one rank",
                     s[i].rank);
            cli_warn(cli, in->name, place, what);
            break;
        }
    }
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
    if (st == TR_OK) {
        cli->inputs[cli->n_inputs++] = *in;
        warn_of_twins(cli, *in);
    }
    return st;
}

enum tr_status cli_input_operands(struct cli *cli, size_t first, struct tr_input **in,
                                  struct tr_error *err)
{
    size_t n = cli->n_operands > first ? cli->n_operands - first : 0;
    return cli_input_open(cli, n ? cli->operands + first : NULL, n, in, err);
}

void cli__inputs_close(struct cli *cli)
{
    while (cli->n_inputs)
        tr_input_close(cli->inputs[--cli->n_inputs]);
    free(cli->inputs);
    cli->inputs = NULL;
    cli->cap_inputs = 0;
}
