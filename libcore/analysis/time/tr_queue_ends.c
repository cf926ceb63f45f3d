/* SPDX-License-Identifier: MIT */
/* For device work: its group, its stream, and the end of all earlier work there. */
#include "analysis/time/tr_queue_ends.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

enum tr_status tr_queue_ends_init(struct tr_queue_ends *s, const struct tr_group_by_opts *opts,
                                  const struct tr_dict *dict, const struct tr_summary *summary, bool sorted,
                                  struct tr_select *select, struct tr_error *err)
{
    struct tr_group_by_opts by_stream = *opts;
    memset(s, 0, sizeof *s);
    by_stream.per = TR_PER_STREAM;
    enum tr_status st = tr_group_by_init(&s->groups, opts, dict, summary, sorted, select, err);
    if (st == TR_OK)
        st = tr_group_by_init(&s->streams, &by_stream, dict, summary, sorted, select, err);
    return st;
}

void tr_queue_ends_free(struct tr_queue_ends *s)
{
    if (!s)
        return;
    tr_group_by_free(&s->groups);
    tr_group_by_free(&s->streams);
    free(s->ends);
    memset(s, 0, sizeof *s);
}

enum tr_status tr_queue_ends_batch(struct tr_queue_ends *s, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_error *err)
{
    enum tr_status st = tr_group_by_batch(&s->groups, b, keep, err);
    return st == TR_OK ? tr_group_by_batch(&s->streams, b, keep, err) : st;
}

bool tr_queue_ends_item(struct tr_queue_ends *s, size_t i, struct tr_queue_ends_item *item)
{
    if (!tr_group_by_item(&s->groups, i, &item->work) || !tr_group_by_group(&s->streams, i, &item->stream) ||
        !tr_grow(&s->ends, &s->cap_ends, s->streams.n_groups, sizeof *s->ends))
        return false;
    while (s->n_ends < s->streams.n_groups)
        s->ends[s->n_ends++] = TR_TIME_NONE;
    int64_t *end = &s->ends[item->stream];
    item->before = *end;
    *end = item->work.end > *end ? item->work.end : *end;
    return true;
}
