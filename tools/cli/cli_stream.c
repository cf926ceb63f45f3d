/* SPDX-License-Identifier: MIT */
/* Writing an event stream from a program. */
#include "cli/cli_stream.h"

#include "cli/cli_priv.h"

#include <inttypes.h>

/* The run that this program is, after those of its inputs. */
static enum tr_status provenance_of(struct cli *cli, const struct tr_input *in,
                                    struct tr_provenance **out, struct tr_error *err)
{
    uint32_t head = TR_NO_RUN;
    struct tr_provenance *p = tr_provenance_new();
    if (!p || !tr_provenance_append(p, in->provenance, &head) ||
        !tr_provenance_add_last(p, cli->name, PACKAGE_VERSION, cli_command_line(cli))) {
        tr_provenance_free(p);
        return tr_fail_memory(err);
    }
    *out = p;
    return TR_OK;
}

enum tr_status cli_stream_start(struct cli *cli, const struct cli_stream *s, struct tr_writer **w,
                                struct tr_error *err)
{
    static const enum tr_codec codecs[] = {
        [CLI_CODEC_NONE] = TR_CODEC_NONE,
        [CLI_CODEC_LZ4] = TR_CODEC_LZ4,
        [CLI_CODEC_ZLIB] = TR_CODEC_ZLIB,
    };
    struct tr_writer_opts opts = { .n_threads = cli_threads(cli), .block_events = s->block_events };
    const struct tr_sink output = { cli_sink, cli };
    struct tr_provenance *provenance = NULL;
    int fd;
    enum tr_status st = s->sink ? TR_OK : cli_output(cli, true, &fd, err);
    if (st == TR_OK && cli_provenance(cli) && !s->no_provenance)
        st = provenance_of(cli, s->in, &provenance, err);
    opts.codec = codecs[cli_codec(cli, s->packed || cli_output_is_file(cli), &opts.level)];
    if (s->small) {
        opts.codec = TR_CODEC_ZLIB;
        opts.level = 9;
    }
    if (st == TR_OK)
        st = tr_writer_new(w, s->sink ? s->sink : &output, &opts, err);
    if (st == TR_OK) {
        tr_writer_tables(*w, s->tables ? s->tables : s->in->tables);
        st = tr_writer_start(*w, s->dict, s->summary, provenance, s->in->sorted, err);
        if (st != TR_OK) {
            tr_writer_abandon(*w);
            *w = NULL;
        }
    }
    tr_provenance_free(provenance);
    return st;
}

enum tr_status cli_stream_end(struct tr_writer *w, enum tr_status st, struct tr_error *err)
{
    if (st == TR_OK || st == TR_END || st == TR_NO) {
        enum tr_status end = tr_writer_finish(w, err);
        return end == TR_OK ? st : end;
    }
    tr_writer_abandon(w);
    return st;
}

enum tr_status cli_stream_copy(struct cli *cli, struct tr_input *in, size_t block_events,
                               struct tr_error *err)
{
    struct tr_writer *w;
    const struct tr_batch *b;
    const struct cli_stream out = { .in = in, .dict = in->dict, .summary = in->summary,
                                    .block_events = block_events };
    enum tr_status st = cli_stream_start(cli, &out, &w, err);
    if (st != TR_OK)
        return st;
    cli->writer = w;
    while ((st = tr_input_next(in, &b, err)) == TR_OK && (st = tr_writer_batch(w, b, err)) == TR_OK)
        continue;
    cli->writer = NULL;
    return cli_stream_end(w, st, err);
}

void cli_report_ranks(struct cli *cli, const struct tr_input *in)
{
    static const char *const rules[TR_N_RANK_RULES] = {
        [TR_RANK_NONE] = "unknown",             [TR_RANK_OPTION] = "--rank",
        [TR_RANK_METADATA] = "distributedInfo", [TR_RANK_FILE_NAME] = "file name",
        [TR_RANK_ORDER] = "order given",        [TR_RANK_RENUMBERED] = "--renumber",
        [TR_RANK_PID] = "process id",
    };
    for (size_t i = 0; i < in->dict->n_sources; i++) {
        const struct tr_source *s = &in->dict->sources[i];
        cli_note(cli, "%s: rank %" PRId64 " (%s)", tr_dict_str(in->dict, s->name), s->rank,
                 s->rank_rule < TR_N_RANK_RULES ? rules[s->rank_rule] : "?");
    }
}
