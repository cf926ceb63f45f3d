/* SPDX-License-Identifier: MIT */
/* Operators computed once for several analyses of a run. */
#include "analysis/operators/tr_operators_shared.h"

#include "analysis/operators/tr_operators_analyses.h"

#include <string.h>

/* ---- the computation ---- */

struct options {
    struct tr_group_by_opts work;
    struct tr_graph_calls *graphs;
    unsigned by;
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    const struct options *o = options;
    struct tr_analysis_in own = *in;
    struct tr_operators *a = NULL;
    own.work = o->work;
    enum tr_status st = tr_operators_new(&own, o->by | TR_OPERATOR_SUMS, &a, err);
    if (st == TR_OK)
        tr_operators_captures(a, o->graphs);
    *state = a;
    return st;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    return tr_operators_feed(state, b, keep, err);
}

static void release(void *state)
{
    tr_operators_free(state);
}

static const struct tr_service service = {
    .name = "operators",
    .options_size = sizeof(struct options),
    .start = start,
    .feed = feed,
    .free = release,
};

enum tr_status tr_operators_shared_get(const struct tr_analysis_in *in, const struct tr_operators_shared *shared,
                                       struct tr_operators **operators, struct tr_error *err)
{
    struct options o;
    void *state = NULL;
    memset(&o, 0, sizeof o); /* services are compared by bytes */
    o.work.per = in->work.per;
    o.work.suspect = in->work.suspect;
    o.by = shared->by;
    o.graphs = shared->graphs;
    enum tr_status st = tr_service_get(in, &service, &o, &state, err);
    *operators = state;
    return st;
}
