/* SPDX-License-Identifier: MIT */
/*
 * The nodes of execution traces beside a trace of the same run, and the chain of them that takes longest.
 *
 * A node is joined to the span whose arg "Record function id" is its rf_id, on its rank.  Device work counts for the
 * innermost joined span around its launch.
 */
#include "analysis/nodes/tr_nodes.h"
#include "analysis/nodes/tr_nodes_analyses.h"
#include "base/tr_mem.h"
#include "model/calls/tr_call_path.h"
#include "service/tr_pending.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY     "Record function id"
#define MAX_ROW 400u /* bytes of a list of producers */

/* The time of a node in the trace. */
struct times {
    int64_t start, host, self, device; /* ns; TR_TIME_NONE: it is not in the trace; self: without nodes inside it */
    uint64_t work;
};

/* A launch whose work has not come, or which has not come itself; then, of the work that has. */
struct launch {
    uint32_t node;
    int64_t device;
    uint64_t work;
};
static const struct launch no_launch = { .node = TR_NODE_NONE };

struct state {
    struct tr_analysis_in in;
    struct tr_nodes *nodes, *own; /* own: those of the input, which are read at its end */
    struct times *times;          /* by node; NULL: there is no trace beside it */
    struct tr_eventmap joined;    /* (number of the trace, rf_id): its node */
    uint32_t *trace_of;           /* by source: the execution trace of its rank; TR_NODE_NONE: none */
    size_t n_sources;
    uint64_t n_joined, n_work;
    struct tr_call_path *path;
    struct tr_pending launches;
    struct tr_arg key;
    struct tr_buf text;
    bool timeless; /* there are nodes, and none has a duration */
};

/* ---- joining ---- */

static bool join_nodes(struct state *s)
{
    struct tr_nodes *n = s->nodes;
    s->times = malloc((n->n + 1) * sizeof *s->times);
    bool ok = s->times && (s->path = tr_call_path_new()) != NULL;
    tr_pending_init(&s->launches, s->in.dict, &no_launch, sizeof no_launch);
    for (size_t i = 0; ok && i < n->n; i++) {
        const struct tr_node *x = &n->nodes[i];
        s->times[i] = (struct times){ TR_TIME_NONE, TR_TIME_NONE, TR_TIME_NONE, TR_TIME_NONE, 0 };
        if (x->host && x->rf_id && !tr_eventmap_has(&s->joined, x->trace, x->rf_id))
            ok = tr_eventmap_put(&s->joined, x->trace, x->rf_id, (uint32_t)i);
    }
    return ok;
}

/* The execution trace of a source: that of its rank, or the only one of the only source. */
static uint32_t trace_of(struct state *s, uint32_t source)
{
    const struct tr_dict *d = s->in.dict;
    for (; s->n_sources <= source; s->n_sources++) {
        uint32_t trace = s->nodes->n_traces == 1 && d->n_sources == 1 ? 0 : TR_NODE_NONE;
        int64_t rank = d->sources[s->n_sources].rank;
        for (size_t i = 0; trace == TR_NODE_NONE && rank >= 0 && i < s->nodes->n; i++)
            if (s->nodes->nodes[i].rank == rank)
                trace = s->nodes->nodes[i].trace;
        s->trace_of[s->n_sources] = trace;
    }
    return s->trace_of[source];
}

static enum tr_status add_span(struct state *s, const struct tr_batch *b, size_t i, bool counts, struct tr_error *err)
{
    struct tr_callpath path;
    enum tr_status st = tr_call_path_enter(s->path, b, i, &path, err);
    if (st != TR_OK)
        return st;
    int64_t rf = tr_arg_int(&s->key, i);
    uint32_t trace = trace_of(s, s->in.dict->tracks[b->track[i]].source), number;
    uint32_t node = rf == TR_I64_NONE || trace == TR_NODE_NONE ? TR_EVENTMAP_NONE
                                                              : tr_eventmap_get(&s->joined, trace, (uint64_t)rf);
    struct tr_call *own = &path.open[path.depth];
    own->tag = path.depth ? path.open[path.depth - 1].tag : 0;
    if (node != TR_EVENTMAP_NONE && counts && s->times[node].start == TR_TIME_NONE) {
        struct times *t = &s->times[node], *around = own->tag ? &s->times[own->tag - 1] : NULL;
        t->start = b->ts[i];
        t->host = t->self = own->dur == INT64_MAX ? TR_TIME_NONE : own->dur;
        if (around && around->self != TR_TIME_NONE && t->host != TR_TIME_NONE)
            around->self -= own->end - own->start;
        own->tag = (uint64_t)node + 1;
        s->n_joined++;
    }
    if (!(b->flags[i] & TR_HAS_DEVICE))
        return TR_OK;
    if (!tr_pending_call(&s->launches, b, i, true, &number))
        return tr_fail_memory(err);
    if (number == TR_PENDING_NONE)
        return TR_OK;
    struct launch *l = tr_pending_at(&s->launches, number);
    l->node = own->tag ? (uint32_t)(own->tag - 1) : TR_NODE_NONE;
    if (l->node != TR_NODE_NONE && l->work) {
        struct times *t = &s->times[l->node];
        t->device = tr_time_sum(t->device == TR_TIME_NONE ? 0 : t->device, l->device);
        t->work += l->work;
    }
    tr_pending_settle(&s->launches, number);
    return TR_OK;
}

static enum tr_status add_work(struct state *s, const struct tr_batch *b, size_t i, bool counts, struct tr_error *err)
{
    uint32_t number;
    bool believed = s->in.work.suspect || !b->suspect[i];
    int64_t dur = counts && believed && b->dur[i] > 0 ? b->dur[i] : 0;
    s->n_work++;
    if (!(b->flags[i] & TR_HAS_LAUNCH))
        return TR_OK;
    if (!tr_pending_work(&s->launches, b, i, &number))
        return tr_fail_memory(err);
    if (number == TR_PENDING_NONE)
        return TR_OK;
    struct launch *l = tr_pending_at(&s->launches, number);
    if (!tr_pending_has_come(&s->launches, number)) {
        l->device = tr_time_sum(l->device, dur);
        l->work += counts;
        return TR_OK;
    }
    if (l->node != TR_NODE_NONE && counts) {
        struct times *t = &s->times[l->node];
        t->device = tr_time_sum(t->device == TR_TIME_NONE ? 0 : t->device, dur);
        t->work++;
    }
    tr_pending_settle(&s->launches, number);
    return TR_OK;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct state *s = state;
    enum tr_status st = TR_OK;
    (void)t;
    if (!s->times)
        return TR_OK;
    if (!tr_pending_batch(&s->launches, b) || !tr_arg_read(&s->key, b, TR_PLACE_ARGS, KEY))
        return tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++) {
        bool counts = !keep || keep[i];
        if (tr_is_call(b, i))
            st = add_span(s, b, i, counts, err);
        else if (tr_is_device_work(b->activity[i]) && b->dur[i] != TR_TIME_NONE)
            st = add_work(s, b, i, counts, err);
    }
    return st;
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct state *s = state;
    const struct tr_node_options *o = options;
    s->in = *in;
    s->nodes = o ? o->nodes : NULL;
    if (!s->nodes)
        return (s->own = tr_nodes_new(in->max_memory)) ? TR_OK : tr_fail_memory(err);
    s->trace_of = malloc((in->dict->n_sources + 1) * sizeof *s->trace_of);
    return s->trace_of && join_nodes(s) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct state *s = state;
    if (!s->own) {
        if (s->nodes->n && !s->n_joined)
            tr_analysis_remark(&s->in, TR_REMARK_WARN, "option --attach",
                               "no span of the trace has the number (" KEY ") of a node: traces before 2023 lack it, "
                               "or it is another run or rank");
        return TR_OK;
    }
    enum tr_status st = tr_nodes_add(s->own, s->in.dict, s->in.tables, err);
    if (st == TR_OK)
        st = tr_nodes_index(s->own, err);
    s->nodes = s->own;
    return st;
}

static void release(void *state)
{
    struct state *s = state;
    tr_nodes_free(s->own);
    free(s->times);
    free(s->trace_of);
    tr_eventmap_free(&s->joined);
    tr_call_path_free(s->path);
    tr_pending_free(&s->launches);
    tr_arg_free(&s->key);
    tr_buf_free(&s->text);
}

/* ---- rows ---- */

struct row {
    int64_t rank, node, parent, depth, host, device, work, start, sum, position;
    struct tr_str name, kind, producers;
    const char *need;
};

static void set_node(const struct state *s, uint32_t i, struct row *r)
{
    const struct tr_node *n = &s->nodes->nodes[i];
    const struct times *t = s->times ? &s->times[i] : NULL;
    *r = (struct row){ .rank = n->rank < 0 ? TR_I64_NONE : n->rank, .node = (int64_t)n->id, .depth = n->depth,
                       .parent = n->parent == TR_NODE_NONE ? TR_I64_NONE
                                                           : (int64_t)s->nodes->nodes[n->parent].id,
                       .name = tr_nodes_text(s->nodes, n->name), .kind = tr_nodes_text(s->nodes, n->kind),
                       .host = t ? t->host : n->dur, .device = t ? t->device : TR_TIME_NONE,
                       .work = t && t->work ? (int64_t)t->work : TR_I64_NONE, .start = t ? t->start : TR_TIME_NONE };
}

/* "7 aten::mm, 9 aten::cat"; what is too long is cut at an entry. */
static bool list_producers(struct state *s, uint32_t i)
{
    const struct tr_nodes *n = s->nodes;
    char number[24];
    bool ok = true;
    s->text.len = 0;
    for (size_t e = n->first[i]; ok && e < n->first[i + 1]; e++) {
        if (n->edges[e].need != TR_NEED_DATA || n->edges[e].on == TR_NODE_NONE)
            continue;
        if (s->text.len > MAX_ROW)
            return tr_buf_add(&s->text, ", ...", 5);
        struct tr_str name = tr_nodes_text(n, n->nodes[n->edges[e].on].name);
        int len = snprintf(number, sizeof number, "%s%" PRIu64 " ", s->text.len ? ", " : "", n->edges[e].to);
        ok = tr_buf_add(&s->text, number, (size_t)len) && (!name.len || tr_buf_add(&s->text, name.s, name.len));
    }
    return ok;
}

static enum tr_status finish_nodes(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    enum tr_status st = TR_OK;
    for (uint32_t i = 0; st == TR_OK && i < s->nodes->n; i++) {
        struct row r;
        set_node(s, i, &r);
        if (!list_producers(s, i))
            return tr_fail_memory(err);
        if (s->text.len)
            r.producers = (struct tr_str){ (const char *)s->text.data, s->text.len };
        tr_table_row(t, &(struct tr_row){ .row = &r });
        st = tr_table_status(t, err);
    }
    return st;
}

static enum tr_status add_chain(struct state *s, uint32_t trace, const int64_t *weights, struct tr_table *t,
                                struct tr_error *err)
{
    uint32_t *chain;
    size_t len;
    uint64_t circles = 0;
    struct row r = { 0 };
    enum tr_status st = tr_nodes_chain(s->nodes, trace, weights, &chain, &len, &circles) ? TR_OK : tr_fail_memory(err);
    int64_t sum = 0;
    for (size_t k = 0; st == TR_OK && k < len; k++) {
        const struct tr_nodes *n = s->nodes;
        set_node(s, chain[k], &r);
        r.position = (int64_t)k + 1;
        r.host = weights[chain[k]];
        r.sum = sum = tr_time_sum(sum, weights[chain[k]] > 0 ? weights[chain[k]] : 0);
        for (size_t e = n->first[chain[k]]; k && !r.need && e < n->first[chain[k] + 1]; e++)
            if (n->edges[e].on == chain[k - 1] && n->edges[e].need != TR_NEED_PARENT)
                r.need = tr_node_need_name(n->edges[e].need);
        tr_table_row(t, &(struct tr_row){ .row = &r });
        st = tr_table_status(t, err);
    }
    free(chain);
    if (circles)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, NULL,
                           "%" PRIu64 " nodes of execution trace %" PRIu32 " need themselves by way of others, or what "
                           "such nodes make: they are in no chain", circles, trace + 1);
    return st;
}

static enum tr_status finish_chain(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    int64_t *weights = malloc((s->nodes->n + 1) * sizeof *weights);
    bool any = false;
    enum tr_status st = weights ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < s->nodes->n; i++) {
        weights[i] = !s->times ? s->nodes->nodes[i].self : s->n_work ? s->times[i].device : s->times[i].self;
        any |= weights[i] > 0;
    }
    for (uint32_t trace = 0; any && st == TR_OK && trace < s->nodes->n_traces; trace++)
        st = add_chain(s, trace, weights, t, err);
    s->timeless = s->nodes->n && !any;
    free(weights);
    return st;
}

static const char *why(const void *state)
{
    const struct state *s = state;
    return !s->timeless ? "there is no execution trace, neither as input nor with --attach"
           : s->times   ? "no node has a duration: none is in the trace"
                        : "no node has a duration: give the trace of the profiler, and the execution trace with "
                          "--attach";
}

/* ---- descriptions ---- */

#define RANK \
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct row, rank), .meaning = "rank of the execution trace" }
#define NODE \
    { "node", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, node), .meaning = "its number in the execution trace" }
#define NAME                                                                                             \
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, name), .names = true, .meaning = "its name" }
#define KIND \
    { "kind", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, kind), .meaning = "what it is: see tr-parse(1)" }

static const struct tr_table_column node_columns[] = {
    RANK,
    NODE,
    NAME,
    KIND,
    { "parent", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct row, parent), .meaning = "the node around it" },
    { "depth", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct row, depth), .meaning = "the number of nodes around it" },
    { "host", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct row, host),
      .meaning = "time on the host, of the attached trace's run; else its duration in the execution trace" },
    { "device", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct row, device),
      .meaning = "sum of durations of the work that it launched itself" },
    { "work", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct row, work), .meaning = "kernels, copies and memsets of that" },
    { "start", TR_CELL_TIME, TR_ROLE_TIME, TR_OF(struct row, start), .meaning = "its start in the trace" },
    { "producers", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, producers), .wide = true,
      .meaning = "nodes that made its inputs, each with its number and name" },
};

static const struct tr_table_column chain_columns[] = {
    RANK,
    { "position", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, position), .meaning = "place in the chain, from 1" },
    NODE,
    NAME,
    KIND,
    { "dur", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct row, host),
      .meaning = "its time without nodes inside it; beside a trace of device work, that of the work it launched" },
    { "sum", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct row, sum), .meaning = "sum of the durations up to here" },
    { "need", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, need),
      .meaning = "why it comes after the node before: data, or order" },
};

#define OF_NODES                                                                                                      \
    .nothing = "there is no execution trace, neither as input nor with --attach",                                    \
    .group = TR_PER_ALL, .options_size = sizeof(struct tr_node_options),                                             \
    .defaults = &(const struct tr_node_options){ 0 },                                                                \
    .needs = { .want = { .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) |  \
                                  TR_FIXED_BIT(NAME) | TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) |                \
                                  TR_FIXED_BIT(SUSPECT) | TR_FIXED_BIT(FLAGS),                                       \
                         .derived = TR_PENDING_DERIVED, TR_KEYS(KEY), .any_rank_order = true },                      \
               .all_in_any_order = true, .host = true, .memory = TR_MEMORY_GRAPH },                                 \
    .state_size = sizeof(struct state), .start = start, .feed = feed, .complete = complete, .free = release,         \
    .unsaved = "execution traces are read as they are"

const struct tr_analysis tr_analysis_node = {
    .name = "node",
    .question = "What made the inputs of each node of an execution trace, and what did it take in the trace?",
    TR_OWN_COLUMNS(node_columns),
    .finish = finish_nodes,
    OF_NODES,
};

const struct tr_analysis tr_analysis_node_chain = {
    .name = "node-chain",
    .question = "Which nodes of an execution trace that need each other's data take longest, one after the other?",
    TR_OWN_COLUMNS(chain_columns),
    .finish = finish_chain,
    .why = why,
    OF_NODES,
};
