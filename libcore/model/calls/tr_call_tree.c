/* SPDX-License-Identifier: MIT */
/* Call trees as a whole: parents, children and sums of every span. */
#include "model/calls/tr_call_tree.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/calls/tr_work_arrows.h"
#include "model/tr_eventmap.h"
#include "model/tr_open_spans.h"
#include "stream/tr_args.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

/* One end of a flow, at a moment of a thread: it belongs to the innermost operator there. */
struct flow {
    int64_t ts;
    uint64_t id;
    uint32_t source, track;
    uint32_t node; /* or TR_NO_NODE */
    bool start;
};

struct tr_call_tree {
    const struct tr_dict *dict;
    struct tr_call_path *tree;
    struct tr_call_node *nodes;
    size_t n, cap;
    struct tr_eventmap forwards; /* nodes of operators where a fwdbwd flow starts, by its id */
    struct tr_work_arrows arrows; /* operators are nodes */
    struct flow *flows;          /* of the current moment; not bound to an operator yet */
    size_t n_flows, cap_flows;
    int64_t *launch_record, *launch_track;  /* of this batch */
    struct tr_arg ids, sequences, threads; /* likewise */
    struct odd { /* nodes that have another duration than that by which they are ordered; ascending */
        size_t node;
        int64_t dur;
    } *odd;
    size_t n_odd, cap_odd;
    struct tr_eventmap by_sequence; /* innermost operators of the forward pass, by their number */
    size_t cap_record, cap_track;
};

struct tr_call_tree *tr_call_tree_new(const struct tr_dict *dict)
{
    struct tr_call_tree *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->dict = s->arrows.dict = dict;
    s->tree = tr_call_path_new();
    if (s->tree)
        return s;
    tr_call_tree_free(s);
    return NULL;
}

void tr_call_tree_free(struct tr_call_tree *s)
{
    if (!s)
        return;
    tr_call_path_free(s->tree);
    tr_eventmap_free(&s->forwards);
    tr_eventmap_free(&s->by_sequence);
    free(s->odd);
    free(s->nodes);
    free(s->flows);
    free(s->launch_record);
    free(s->launch_track);
    tr_work_arrows_free(&s->arrows);
    tr_arg_free(&s->ids);
    tr_arg_free(&s->sequences);
    tr_arg_free(&s->threads);
    free(s);
}

/* ---- forward and backward ---- */

/* The moment of the waiting flows has passed, so their operators are known. */
static bool settle_flows(struct tr_call_tree *s)
{
    for (size_t k = 0; k < s->n_flows; k++) {
        const struct flow *f = &s->flows[k];
        if (f->node == TR_NO_NODE)
            continue;
        if (f->start && !tr_eventmap_put(&s->forwards, f->source, f->id, f->node))
            return false;
        uint32_t forward = f->start ? TR_NO_NODE : tr_eventmap_get(&s->forwards, f->source, f->id);
        if (forward != TR_NO_NODE) {
            s->nodes[f->node].forward = forward;
            tr_eventmap_remove(&s->forwards, f->source, f->id);
        }
    }
    s->n_flows = 0;
    return true;
}

static bool add_flow(struct tr_call_tree *s, const struct tr_batch *b, size_t i, int64_t id)
{
    size_t depth;
    const struct tr_call *open = tr_call_path_open(s->tree, b->track[i], &depth);
    struct flow f = { b->ts[i],    (uint64_t)id, s->dict->tracks[b->track[i]].source,
                      b->track[i], TR_NO_NODE,   b->phase[i] == TR_FLOW_START };
    for (size_t k = 0; k < depth; k++)
        if (open[k].end > f.ts && open[k].activity == TR_ACT_CPU_OP)
            f.node = (uint32_t)open[k].tag;
    if (!tr_grow(&s->flows, &s->cap_flows, s->n_flows + 1, sizeof *s->flows))
        return false;
    s->flows[s->n_flows++] = f;
    return true;
}

/* Bind waiting flows to an operator that starts at the same time, because it comes after them. */
static void bind_flows(struct tr_call_tree *s, const struct tr_batch *b, size_t i, uint32_t node)
{
    for (size_t k = 0; k < s->n_flows; k++)
        if (s->flows[k].track == b->track[i] && b->activity[i] == TR_ACT_CPU_OP)
            s->flows[k].node = node;
}

/*
 * Operators of both passes have the same sequence number.  An operator of the backward pass also has the thread of the
 * forward pass.
 */
static bool match_sequence(struct tr_call_tree *s, const struct tr_batch *b, size_t i, uint32_t node)
{
    int64_t sequence = tr_arg_int(&s->sequences, i), thread = tr_arg_int(&s->threads, i);
    uint32_t source = s->dict->tracks[b->track[i]].source;
    if (sequence == TR_I64_NONE || sequence < 0 || b->activity[i] != TR_ACT_CPU_OP)
        return true;
    if (thread == TR_I64_NONE || thread == 0)
        return tr_eventmap_put(&s->by_sequence, source, (uint64_t)sequence, node);
    s->nodes[node].forward = tr_eventmap_get(&s->by_sequence, source, (uint64_t)sequence);
    return true;
}

/* ---- nodes ---- */

static struct tr_call_node *add_node(struct tr_call_tree *s, const struct tr_batch *b, size_t i)
{
    if (s->n >= TR_NO_NODE - 1 || !tr_grow(&s->nodes, &s->cap, s->n + 1, sizeof *s->nodes))
        return NULL;
    struct tr_call_node *node = &s->nodes[s->n++];
    int64_t end = tr_span_end(b, i);
    unsigned activity = b->activity[i] < TR_N_ACTIVITIES ? b->activity[i] : TR_ACT_OTHER;
    *node = (struct tr_call_node){
        .ts = b->ts[i],
        .dur = end == TR_TIME_NONE ? 0
               : end == INT64_MAX  ? INT64_MAX
                                   : end - b->ts[i],
        .record = b->record[i],
        .parent = TR_NO_NODE,
        .forward = TR_NO_NODE,
        .track = b->track[i],
        .name = b->name[i],
        .activity = activity & 15,
    };
    int64_t order = tr_order_dur(b->dur[i], b->suspect[i]);
    if (order == node->dur || (order == TR_TIME_NONE && end == INT64_MAX))
        return node;
    if (!tr_grow(&s->odd, &s->cap_odd, s->n_odd + 1, sizeof *s->odd))
        return NULL;
    s->odd[s->n_odd++] = (struct odd){ s->n - 1, order };
    return node;
}

static bool add_host(struct tr_call_tree *s, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    struct tr_call_node *node = add_node(s, b, i);
    if (!node || tr_call_path_enter(s->tree, b, i, &path, err) != TR_OK)
        return false;
    uint32_t number = (uint32_t)(s->n - 1);
    path.open[path.depth].tag = number;
    node->in_tree = 1;
    node->self = node->dur;
    if (path.depth)
        node->parent = (uint32_t)path.open[path.depth - 1].tag;
    bind_flows(s, b, i, number);
    uint32_t old;
    for (size_t at = 0; tr_work_arrows_start(&s->arrows, b, i, &at, &old);)
        if (!tr_work_arrows_set(&s->arrows, at, number))
            return false;
    return match_sequence(s, b, i, number);
}

static bool add_device(struct tr_call_tree *s, const struct tr_batch *b, size_t i)
{
    struct tr_call_node *node = add_node(s, b, i);
    if (!node)
        return false;
    /* The launch may come later.  Until the end, its record and track are stored in the members for results. */
    node->kernel_sum = s->launch_record[i];
    node->parent = (uint32_t)(s->launch_track[i] == TR_I64_NONE ? TR_NO_NODE : s->launch_track[i]);
    uint32_t asked = tr_work_arrows_of(&s->arrows, b, i);
    if (asked != TR_WORK_ARROWS_NONE) { /* the operator takes the place of the launch */
        node->kernel_sum = (int64_t)s->nodes[asked].record;
        node->parent = s->nodes[asked].track;
    }
    return true;
}

static bool add_work_flow(struct tr_call_tree *s, const struct tr_batch *b, size_t i)
{
    size_t depth;
    const struct tr_call *open = tr_call_path_open(s->tree, b->track[i], &depth);
    while (depth && open[depth - 1].end < b->ts[i])
        depth--;
    return tr_work_arrows_add(&s->arrows, b, i, depth ? (uint32_t)open[depth - 1].tag : TR_WORK_ARROWS_NONE);
}

static bool add_event(struct tr_call_tree *s, const struct tr_batch *b, size_t i, bool flows, struct tr_error *err)
{
    if (s->n_flows && b->ts[i] != s->flows[0].ts && !settle_flows(s))
        return false;
    for (uint32_t old; tr_work_arrows_passed(&s->arrows, b, i, &old);)
        continue;
    if (tr_is_call(b, i))
        return add_host(s, b, i, err);
    if (b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE)
        return add_device(s, b, i);
    if (!flows || (b->phase[i] != TR_FLOW_START && b->phase[i] != TR_FLOW_END) ||
        tr_arg_int(&s->ids, i) == TR_TIME_NONE || b->ts[i] == TR_TIME_NONE)
        return true;
    if (s->arrows.any && !add_work_flow(s, b, i))
        return false;
    struct tr_str cat = tr_dict_text(s->dict, b->cat[i]);
    return !tr_is_backward_flow(cat.s, cat.len) || add_flow(s, b, i, tr_arg_int(&s->ids, i));
}

enum tr_status tr_call_tree_feed(struct tr_call_tree *s, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err)
{
    bool flows = memchr(b->phase, TR_FLOW_START, b->n) || memchr(b->phase, TR_FLOW_END, b->n);
    bool ok = tr_grow(&s->launch_record, &s->cap_record, b->n, sizeof *s->launch_record) &&
              tr_grow(&s->launch_track, &s->cap_track, b->n, sizeof *s->launch_track) &&
              (!flows || tr_arg_read(&s->ids, b, TR_PLACE_TOP, "id")) && tr_work_arrows_batch(&s->arrows, b) &&
              tr_arg_read(&s->sequences, b, TR_PLACE_ARGS, "Sequence number") &&
              tr_arg_read(&s->threads, b, TR_PLACE_ARGS, "Fwd thread id");
    if (!ok)
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, TR_I64_NONE, s->launch_record);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, s->launch_track);
    for (size_t i = 0; i < b->n; i++)
        if ((!keep || keep[i]) && !add_event(s, b, i, flows, err))
            return tr_fail_memory(err);
    return TR_OK;
}

/* ---- the whole ---- */

static bool is_device(const struct tr_call_node *node)
{
    return tr_is_device_work(node->activity) || node->activity == TR_ACT_SYNC ||
           node->activity == TR_ACT_DEVICE_ANNOTATION;
}

static int64_t node_end(const struct tr_call_node *node)
{
    return node->ts > INT64_MAX - node->dur ? INT64_MAX : node->ts + node->dur;
}

/* The source of the launch of a device node; TR_NO_NODE: none. */
static uint32_t launch_source(const struct tr_call_tree *s, const struct tr_call_node *node)
{
    if (node->parent >= s->dict->n_tracks || node->activity == TR_ACT_DEVICE_ANNOTATION)
        return TR_NO_NODE;
    return s->dict->tracks[node->parent].source;
}

/* Find the nodes of all launches that device work refers to. */
static bool find_launches(const struct tr_call_tree *s, struct tr_eventmap *launches)
{
    const uint32_t missing = TR_NO_NODE - 1;
    for (size_t i = 0; i < s->n; i++) {
        const struct tr_call_node *node = &s->nodes[i];
        uint32_t source = is_device(node) ? launch_source(s, node) : TR_NO_NODE;
        if (source != TR_NO_NODE &&
            !tr_eventmap_put(launches, source, (uint64_t)node->kernel_sum, missing))
            return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct tr_call_node *node = &s->nodes[i];
        uint32_t source = s->dict->tracks[node->track].source;
        if (!is_device(node) &&
            tr_eventmap_get(launches, source, node->record) != TR_EVENTMAP_NONE &&
            !tr_eventmap_put(launches, source, node->record, (uint32_t)i))
            return false;
    }
    return true;
}

/* Set the parent of device work to its launch. */
static void link_device(struct tr_call_tree *s, const struct tr_eventmap *launches)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tr_call_node *node = &s->nodes[i];
        if (!is_device(node))
            continue;
        uint32_t source = launch_source(s, node);
        node->parent = TR_NO_NODE;
        if (source != TR_NO_NODE)
            node->parent = tr_eventmap_get(launches, source, (uint64_t)node->kernel_sum);
        if (node->parent >= s->n)
            node->parent = TR_NO_NODE; /* its launch was not selected */
        node->kernel_sum = 0;
        node->in_tree = node->parent != TR_NO_NODE;
        if (!tr_is_device_work(node->activity))
            continue;
        node->kernels = 1;
        node->kernel_sum = node->dur == INT64_MAX ? 0 : node->dur;
        node->first_kernel = node->ts;
        node->last_kernel = node->dur == INT64_MAX ? node->ts : node_end(node);
    }
}

_Static_assert(TR_N_ACTIVITIES <= 16, "tr_call_node.activity");

#define MAX_DEPTH  16383u
#define MAX_HEIGHT 8191u

static unsigned one_more(unsigned v, unsigned max)
{
    return v < max ? v + 1 : max;
}

static void set_depths(struct tr_call_tree *s)
{
    /* Parents are before their children, except for device work that seems to start before its launch. */
    for (int device = 0; device < 2; device++)
        for (size_t i = 0; i < s->n; i++) {
            struct tr_call_node *node = &s->nodes[i];
            if (is_device(node) == device && node->parent != TR_NO_NODE)
                node->depth = one_more(s->nodes[node->parent].depth, MAX_DEPTH) & MAX_DEPTH;
        }
}

/*
 * Subtract the union of the children from the time of each host span.  Children come in the order of their starts, so
 * only the end of their union has to be known.  It is stored in last_kernel until then.
 */
static void set_self(struct tr_call_tree *s)
{
    for (size_t i = 0; i < s->n; i++) {
        struct tr_call_node *node = &s->nodes[i];
        if (is_device(node))
            continue;
        node->last_kernel = node->ts;
        struct tr_call_node *parent = node->parent == TR_NO_NODE ? NULL : &s->nodes[node->parent];
        if (!parent || parent->track != node->track || parent->self == INT64_MAX)
            continue;
        int64_t end = node_end(node), from = node->ts;
        end = end > node_end(parent) ? node_end(parent) : end;
        from = from < parent->last_kernel ? parent->last_kernel : from;
        parent->self -= end > from ? end - from : 0;
        parent->last_kernel = end > from ? end : from;
    }
    for (size_t i = 0; i < s->n; i++)
        if (!is_device(&s->nodes[i]))
            s->nodes[i].last_kernel = 0;
}

static void add_up(struct tr_call_node *parent, const struct tr_call_node *node)
{
    unsigned height = one_more(node->height, MAX_HEIGHT);
    parent->height = (height > parent->height ? height : parent->height) & MAX_HEIGHT;
    if (!node->kernels)
        return;
    if (!parent->kernels || node->first_kernel < parent->first_kernel)
        parent->first_kernel = node->first_kernel;
    if (!parent->kernels || node->last_kernel > parent->last_kernel)
        parent->last_kernel = node->last_kernel;
    parent->kernels += node->kernels;
    parent->kernel_sum = tr_time_sum(parent->kernel_sum, node->kernel_sum);
}

static void set_sums(struct tr_call_tree *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->nodes[i].height = !is_device(&s->nodes[i]);
    for (size_t i = 0; i < s->n; i++)
        if (is_device(&s->nodes[i]) && s->nodes[i].parent != TR_NO_NODE)
            add_up(&s->nodes[s->nodes[i].parent], &s->nodes[i]);
    for (size_t i = s->n; i-- > 0;)
        if (!is_device(&s->nodes[i]) && s->nodes[i].parent != TR_NO_NODE)
            add_up(&s->nodes[s->nodes[i].parent], &s->nodes[i]);
}

/* ---- the backward pass ---- */

/* The properties of a thread, from the names of its spans. */
enum { IS_MAIN = 1, IS_BACKWARD = 2, HAS_RANGE = 4 };
enum { NAME_STEP = 1, NAME_AUTOGRAD = 2, NAME_BACKWARD = 4, NAME_KNOWN = 8 };

static uint8_t look_at(const struct tr_names *own, const char *name, size_t len)
{
    unsigned roles = tr_roles_of(own, name, len), is = NAME_KNOWN;
    is |= roles & TR_NAMED_STEP ? NAME_STEP : 0;
    is |= roles & TR_NAMED_AUTOGRAD_OP ? NAME_AUTOGRAD : 0;
    is |= roles & TR_NAMED_BACKWARD ? NAME_BACKWARD : 0;
    return (uint8_t)is;
}

struct joining {
    uint8_t *names, *tracks;
    uint32_t *main, *backward; /* track by source; TR_NO_NODE: none, TR_NO_NODE - 1: several */
};

static void note_one(uint32_t *track, size_t number)
{
    *track = *track == TR_NO_NODE ? (uint32_t)number : TR_NO_NODE - 1;
}

static void find_threads(const struct tr_call_tree *s, struct joining *j)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct tr_call_node *node = &s->nodes[i];
        if (is_device(node) || node->name == TR_NO_STR)
            continue;
        uint8_t *name = &j->names[node->name], *track = &j->tracks[node->track];
        if (!*name)
            *name = look_at(s->dict->names, tr_dict_str(s->dict, node->name),
                            tr_strtab_len(s->dict->strings, node->name));
        if ((*name & NAME_STEP) && node->activity == TR_ACT_ANNOTATION)
            *track |= IS_MAIN;
        if (*name & NAME_AUTOGRAD)
            *track |= IS_BACKWARD;
        if (*name & NAME_BACKWARD)
            *track |= HAS_RANGE;
    }
    for (size_t i = 0; i < s->dict->n_sources; i++)
        j->main[i] = j->backward[i] = TR_NO_NODE;
    for (size_t t = 0; t < s->dict->n_tracks; t++) {
        uint32_t source = s->dict->tracks[t].source;
        if (j->tracks[t] & IS_MAIN)
            note_one(&j->main[source], t);
        else if (j->tracks[t] & IS_BACKWARD)
            note_one(&j->backward[source], t);
    }
}

/* Roots of the backward threads become children of the ranges of their main threads. */
static void join_roots(struct tr_call_tree *s, const struct joining *j, uint32_t *range)
{
    for (size_t i = 0; i < s->dict->n_sources; i++)
        range[i] = TR_NO_NODE;
    for (size_t i = 0; i < s->n; i++) {
        struct tr_call_node *node = &s->nodes[i];
        uint32_t source = s->dict->tracks[node->track].source;
        uint32_t main = j->main[source];
        if (is_device(node) || main >= s->dict->n_tracks || node->name == TR_NO_STR)
            continue;
        unsigned wanted = j->tracks[main] & HAS_RANGE ? NAME_BACKWARD : NAME_STEP;
        if (node->track == main && (j->names[node->name] & wanted) &&
            node->activity == TR_ACT_ANNOTATION)
            range[source] = (uint32_t)i;
        if (node->track != j->backward[source] || node->parent != TR_NO_NODE ||
            range[source] == TR_NO_NODE)
            continue;
        const struct tr_call_node *r = &s->nodes[range[source]];
        int64_t into = tr_time_diff(node->ts, r->ts);
        if (r->dur == INT64_MAX || (into != TR_TIME_NONE && node->dur <= r->dur && into <= r->dur - node->dur))
            node->parent = range[source];
    }
}

static bool join(struct tr_call_tree *s)
{
    size_t n_sources = s->dict->n_sources + 1;
    struct joining j = { calloc(tr_strtab_count(s->dict->strings) + 1, 1),
                         calloc(s->dict->n_tracks + 1, 1), calloc(n_sources, sizeof *j.main),
                         calloc(n_sources, sizeof *j.backward) };
    uint32_t *range = calloc(n_sources, sizeof *range);
    bool ok = j.names && j.tracks && j.main && j.backward && range;
    if (ok) {
        find_threads(s, &j);
        join_roots(s, &j, range);
    }
    free(j.names);
    free(j.tracks);
    free(j.main);
    free(j.backward);
    free(range);
    return ok;
}

enum tr_status tr_call_tree_finish(struct tr_call_tree *s, bool join_backward, const struct tr_call_node **nodes,
                                   size_t *n, struct tr_error *err)
{
    struct tr_eventmap launches = { 0 };
    bool ok = settle_flows(s) && find_launches(s, &launches);
    if (ok)
        link_device(s, &launches);
    tr_eventmap_free(&launches);
    if (!ok)
        return tr_fail_memory(err);
    if (join_backward && !join(s))
        return tr_fail_memory(err);
    set_depths(s);
    set_self(s);
    set_sums(s);
    *nodes = s->nodes;
    *n = s->n;
    return TR_OK;
}

int64_t tr_call_tree_order_dur(const struct tr_call_tree *s, size_t node)
{
    size_t low = 0;
    TR_BOUND(low, s->n_odd, mid, s->odd[mid].node < node);
    if (low < s->n_odd && s->odd[low].node == node)
        return s->odd[low].dur;
    return s->nodes[node].dur == INT64_MAX ? TR_TIME_NONE : s->nodes[node].dur;
}
