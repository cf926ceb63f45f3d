/* SPDX-License-Identifier: MIT */
/* tr-replay -O json: calls as a list of objects, in the form of TraceLens' files for replay. */
#include "replay/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum tr_status replay_json_start(struct replay_writer *w, struct tr_error *err)
{
    return cli_write(w->cli, "[", 1, err);
}

enum tr_status replay_json_call(void *writer, const struct tr_replay_call *c, struct tr_error *err)
{
    struct replay_writer *w = writer;
    const struct tr_schema *schema = c->bound.schema;
    char times[200];
    if (!schema)
        return TR_OK;
    int n = snprintf(times, sizeof times, "\",\n  \"count\": %" PRIu64, c->calls);
    if (c->device != TR_TIME_NONE)
        snprintf(times + n, sizeof times - (size_t)n, ", \"device_ns\": %" PRId64, c->device);
    w->text.len = 0;
    bool ok = tr_buf_add_str(&w->text, w->n++ ? ",\n{\"op_name\": \"" : "\n{\"op_name\": \"") &&
              tr_buf_add_text(&w->text, schema->op) && tr_buf_add_str(&w->text, "\", \"overload\": \"") &&
              tr_buf_add_text(&w->text, schema->overload) && tr_buf_add_str(&w->text, times) &&
              tr_buf_add_str(&w->text, ",\n  \"replay_ir\": {\"list_pos_args\": ") &&
              tr_replay_args(&c->bound, false, true, &w->text) &&
              tr_buf_add_str(&w->text, ",\n    \"list_kwargs\": ") && tr_replay_args(&c->bound, true, true, &w->text) &&
              tr_buf_add_str(&w->text, "}}");
    return ok ? cli_write(w->cli, w->text.data, w->text.len, err) : tr_fail_memory(err);
}

enum tr_status replay_json_end(struct replay_writer *w, struct tr_error *err)
{
    return cli_write(w->cli, "\n]\n", 3, err);
}
