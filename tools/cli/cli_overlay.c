/* SPDX-License-Identifier: MIT */
/* Writing the input of an analysis again, with events added. */
#include "cli/cli_overlay.h"

#include "cli/cli_stream.h"

enum tr_status cli_overlay_open(struct cli_overlay *o, struct tr_input **in, struct tr_error *err)
{
    enum tr_status st = cli_reread_open(&o->again, in, err);
    o->first = *in;
    return st;
}

enum tr_status cli_overlay_see(struct cli_overlay *o, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_inject_see(&o->records, b))
        return tr_fail_memory(err);
    return cli_reread_keep(&o->again, b, err);
}

enum tr_status cli_overlay_write(struct cli *cli, struct cli_overlay *o, const struct tr_dict *dict,
                                 tr_inject_next *next, void *ctx, struct tr_error *err)
{
    struct tr_input *base, *all = NULL;
    enum tr_status st = cli_reread_open(&o->again, &base, err);
    if (st == TR_OK)
        st = tr_inject_open(&all, base, dict, &o->records, next, ctx, err);
    if (st == TR_OK) {
        all->provenance = o->first->provenance; /* that of a copy would name it twice */
        st = cli_stream_copy(cli, all, 0, err);
    }
    tr_input_close(all);
    return st == TR_END ? TR_OK : st;
}

void cli_overlay_close(struct cli_overlay *o)
{
    cli_reread_close(&o->again);
    tr_inject_records_free(&o->records);
}
