/* SPDX-License-Identifier: MIT */
/*
 * Captures of graphs: their nodes, and the calls around them.  Which capture does a launched graph come from, and which
 * node is each of its kernels?
 */
#include "analysis/graphs/tr_graph_calls.h"

#include "base/tr_hash.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "engine/tr_analysis.h"
#include "stream/tr_args.h"
#include "vendor/tr_step_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY TR_GRAPH_NONE
#define KEPT     64u /* results of searches */

/* A span of a thread that is open, by its depth. */
struct open_span {
    uint32_t dims, types, strides, args; /* strings of the trace */
    bool inside;
};

struct thread {
    bool on;          /* it is capturing */
    uint32_t capture; /* the latest one */
    int64_t end;      /* of the last launch: calls inside it are part of it */
    struct open_span *open;
    size_t cap_open;
};

/* A name and its place: of the kernels of a launch, or of the nodes of a capture. */
struct named {
    uint32_t name, place;
};

/* A result of the search, for the next launch of the same graph. */
struct found {
    uint64_t hash;
    uint32_t *kernels, *nodes; /* n of each; NULL: empty */
    size_t n, n_found;
    int64_t rank, tokens;
    uint32_t capture;
    bool several;
};

struct graphs {
    struct tr_graph_calls calls; /* first, for the caller */
    struct tr_budget *budget;
    uint64_t taken; /* of the budget */
    size_t cap_spans, cap_nodes, cap_captures;
    struct named *order; /* nodes of each capture by name, then by place */
    /* of the trace that is being read */
    const struct tr_dict *dict;
    struct tr_call_path *path;
    struct tr_arg kernel, dims, types, strides, args;
    struct thread *threads; /* by track */
    size_t n_threads, cap_threads;
    /* for the search */
    struct found kept[KEPT];
    struct named *names;
    size_t cap_names;
};

struct tr_graph_calls *tr_graph_calls_new(struct tr_budget *budget)
{
    struct graphs *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->budget = budget;
    g->calls.strings = tr_strtab_new();
    if (!g->calls.strings) {
        free(g);
        return NULL;
    }
    return &g->calls;
}

static void end_trace(struct graphs *g)
{
    for (size_t i = 0; i < g->n_threads; i++)
        free(g->threads[i].open);
    free(g->threads);
    g->threads = NULL;
    g->n_threads = g->cap_threads = 0;
    tr_call_path_free(g->path);
    g->path = NULL;
    struct tr_arg *args[] = { &g->kernel, &g->dims, &g->types, &g->strides, &g->args };
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        tr_arg_free(args[i]);
        *args[i] = (struct tr_arg){ 0 };
    }
}

void tr_graph_calls_free(struct tr_graph_calls *calls)
{
    struct graphs *g = (struct graphs *)calls;
    if (!g)
        return;
    end_trace(g);
    tr_budget_give(g->budget, g->taken);
    tr_strtab_free(g->calls.strings);
    free(g->calls.spans);
    free(g->calls.nodes);
    free(g->calls.captures);
    free(g->order);
    free(g->names);
    for (size_t i = 0; i < KEPT; i++) {
        free(g->kept[i].kernels);
        free(g->kept[i].nodes);
    }
    free(g);
}

bool tr_graph_calls_start(struct tr_graph_calls *calls, const struct tr_dict *dict)
{
    struct graphs *g = (struct graphs *)calls;
    g->dict = dict;
    g->path = tr_call_path_new();
    return g->path != NULL;
}

/* ---- spans ---- */

static bool is_op(unsigned activity)
{
    return activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD;
}

/* The number of a text of the trace.  False: out of memory. */
static bool text_of(struct graphs *g, uint32_t id, uint32_t *to)
{
    struct tr_str text = tr_dict_text_if(g->dict, id);
    *to = text.s ? tr_strtab_add(g->calls.strings, text.s, text.len) : TR_NO_STR;
    return !text.s || *to != TR_NO_STR;
}

/* Spans get a number when a node is found inside them; path->open[].tag is that number + 1. */
static bool number_spans(struct graphs *g, const struct tr_callpath *path, const struct thread *t, uint32_t *innermost)
{
    size_t d = path->depth;
    while (d && !path->open[d - 1].tag)
        d--;
    *innermost = d ? (uint32_t)(path->open[d - 1].tag - 1) : NO_ENTRY;
    for (; d < path->depth; d++) {
        const struct open_span *o = &t->open[d];
        struct tr_call *c = &path->open[d];
        struct tr_graph_span s = { .outer = *innermost, .activity = c->activity, .inside = o->inside };
        if (g->calls.n_spans >= NO_ENTRY - 1 ||
            !tr_grow(&g->calls.spans, &g->cap_spans, g->calls.n_spans + 1, sizeof s) || !text_of(g, c->name, &s.name) ||
            !text_of(g, o->dims, &s.dims) || !text_of(g, o->types, &s.types) || !text_of(g, o->strides, &s.strides) ||
            !text_of(g, o->args, &s.args))
            return false;
        *innermost = (uint32_t)g->calls.n_spans;
        g->calls.spans[g->calls.n_spans++] = s;
        c->tag = g->calls.n_spans;
    }
    return true;
}

/* ---- captures ---- */

static bool has(struct tr_str name, const char *part)
{
    return tr_str_has(name, tr_str_of(part));
}

/* vLLM's annotation around a capture, "capture_32_FULL", says how many tokens it is for; -1: it does not. */
static int64_t size_of(const struct graphs *g, const struct tr_callpath *path)
{
    static const char start[] = "capture_";
    for (size_t d = path->depth; d; d--) {
        struct tr_str name = tr_dict_text_if(g->dict, path->open[d - 1].name);
        size_t at = sizeof start - 1;
        int64_t size = 0;
        if (path->open[d - 1].activity != TR_ACT_ANNOTATION || !name.s || name.len <= at ||
            memcmp(name.s, start, at) != 0)
            continue;
        while (at < name.len && name.s[at] >= '0' && name.s[at] <= '9' && size < INT32_MAX)
            size = size * 10 + (name.s[at++] - '0');
        if (at > sizeof start - 1 && (at == name.len || name.s[at] == '_'))
            return size;
    }
    return -1;
}

static bool begin_capture(struct graphs *g, const struct tr_callpath *path, uint32_t track, struct thread *t)
{
    if (g->calls.n_captures >= NO_ENTRY - 1 ||
        !tr_grow(&g->calls.captures, &g->cap_captures, g->calls.n_captures + 1, sizeof *g->calls.captures))
        return false;
    t->on = true;
    t->end = INT64_MIN;
    t->capture = (uint32_t)g->calls.n_captures++;
    g->calls.captures[t->capture] =
        (struct tr_graph_capture){ .first_span = (uint32_t)g->calls.n_spans,
                                   .rank = g->dict->sources[g->dict->tracks[track].source].rank,
                                   .size = size_of(g, path) };
    /* the spans around it are not replayed */
    for (size_t d = 0; d < path->depth; d++)
        t->open[d].inside = false;
    return true;
}

static bool kernel_of(struct graphs *g, const struct tr_batch *b, size_t i, uint32_t *kernel)
{
    struct tr_str name = tr_dict_text_if(g->dict, b->name[i]);
    if (!text_of(g, tr_arg_text(&g->kernel, i), kernel))
        return false;
    if (*kernel == TR_NO_STR)
        *kernel = has(name, "Memcpy") ? TR_GRAPH_COPY : has(name, "Memset") ? TR_GRAPH_MEMSET : TR_NO_STR;
    return true;
}

static bool add_node(struct graphs *g, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                     struct thread *t)
{
    struct tr_graph_node n = { .capture = t->capture };
    if (b->ts[i] < t->end)
        return true;
    if (g->calls.n_nodes >= NO_ENTRY - 1 || !tr_grow(&g->calls.nodes, &g->cap_nodes, g->calls.n_nodes + 1, sizeof n) ||
        !kernel_of(g, b, i, &n.kernel) || !text_of(g, b->name[i], &n.call) || !number_spans(g, path, t, &n.span))
        return false;
    g->calls.nodes[g->calls.n_nodes++] = n;
    g->calls.named |= n.kernel < TR_GRAPH_MEMSET;
    g->calls.captures[t->capture].n++;
    g->calls.captures[t->capture].end_span = (uint32_t)g->calls.n_spans;
    t->end = b->dur[i] > 0 ? tr_time_sum(b->ts[i], b->dur[i]) : b->ts[i];
    return true;
}

/* An operator that is wanted although it may launch nothing: it and the spans around it get numbers. */
static bool add_other(struct graphs *g, const struct tr_callpath *path, struct thread *t)
{
    struct tr_callpath inner = *path;
    uint32_t span;
    inner.depth++;
    if (!number_spans(g, &inner, t, &span))
        return false;
    g->calls.captures[t->capture].end_span = (uint32_t)g->calls.n_spans;
    return true;
}

/* ---- batches ---- */

static struct thread *thread_of(struct graphs *g, uint32_t track)
{
    if (track >= g->n_threads) {
        if (!tr_grow(&g->threads, &g->cap_threads, (size_t)track + 1, sizeof *g->threads))
            return NULL;
        memset(g->threads + g->n_threads, 0, (track + 1 - g->n_threads) * sizeof *g->threads);
        g->n_threads = (size_t)track + 1;
    }
    return &g->threads[track];
}

static bool see(struct graphs *g, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    unsigned act = b->activity[i];
    struct thread *t = thread_of(g, b->track[i]);
    if (!t || tr_call_path_enter(g->path, b, i, &path, err) != TR_OK ||
        !tr_grow(&t->open, &t->cap_open, path.depth + 1, sizeof *t->open))
        return false;
    bool op = is_op(act);
    t->open[path.depth] =
        (struct open_span){ op ? tr_arg_text(&g->dims, i) : TR_NO_STR, op ? tr_arg_text(&g->types, i) : TR_NO_STR,
                            op ? tr_arg_text(&g->strides, i) : TR_NO_STR, op ? tr_arg_text(&g->args, i) : TR_NO_STR,
                            t->on };
    struct tr_str name = tr_dict_text_if(g->dict, b->name[i]);
    if (op && t->on && g->calls.also.match && name.s && g->calls.also.match(g->calls.also.self, name))
        return add_other(g, &path, t);
    if (act != TR_ACT_RUNTIME_API && act != TR_ACT_DRIVER_API)
        return true;
    if (has(name, "StreamBeginCapture"))
        return begin_capture(g, &path, b->track[i], t);
    if (has(name, "StreamEndCapture"))
        t->on = false;
    else if (t->on && (has(name, "Launch") || has(name, "Memcpy") || has(name, "Memset")))
        return add_node(g, b, i, &path, t);
    return true;
}

static bool read_args(struct graphs *g, const struct tr_batch *b)
{
    return tr_arg_read(&g->kernel, b, TR_PLACE_ARGS, "kernel") &&
           tr_arg_read(&g->dims, b, TR_PLACE_ARGS, "Input Dims") &&
           tr_arg_read(&g->types, b, TR_PLACE_ARGS, "Input type") &&
           tr_arg_read(&g->strides, b, TR_PLACE_ARGS, "Input Strides") &&
           tr_arg_read(&g->args, b, TR_PLACE_ARGS, "Concrete Inputs");
}

/* Arrays grow by halves, and nodes are sorted in the end: twice what is used. */
static enum tr_status take_memory(struct graphs *g, struct tr_error *err)
{
    const struct tr_graph_calls *c = &g->calls;
    uint64_t used = 2 * (c->n_spans * sizeof *c->spans + c->n_nodes * (sizeof *c->nodes + sizeof *g->order) +
                         c->n_captures * sizeof *c->captures) +
                    tr_strtab_bytes(c->strings);
    if (used <= g->taken)
        return TR_OK;
    if (!tr_budget_take(g->budget, used - g->taken))
        return tr_fail(err, TR_SYSTEM,
                       "captures of graphs do not fit in memory: give more with --max-memory, or fewer captures");
    g->taken = used;
    return TR_OK;
}

enum tr_status tr_graph_calls_batch(struct tr_graph_calls *calls, const struct tr_batch *b, struct tr_error *err)
{
    struct graphs *g = (struct graphs *)calls;
    bool ok = read_args(g, b);
    for (size_t i = 0; ok && i < b->n; i++)
        ok = !tr_is_call(b, i) || see(g, b, i, err);
    return ok ? take_memory(g, err) : tr_fail_memory(err);
}

/* ---- the end of a trace ---- */

/* Nodes of several captures alternate if several threads capture at a time. */
static bool sort_nodes(struct graphs *g)
{
    struct tr_graph_calls *c = &g->calls;
    struct tr_graph_node *sorted = malloc((c->n_nodes + 1) * sizeof *sorted);
    if (!sorted)
        return false;
    uint32_t at = 0;
    for (size_t k = 0; k < c->n_captures; k++) {
        c->captures[k].first = at;
        at += c->captures[k].n;
        c->captures[k].n = 0;
    }
    for (size_t i = 0; i < c->n_nodes; i++) {
        struct tr_graph_capture *k = &c->captures[c->nodes[i].capture];
        sorted[k->first + k->n++] = c->nodes[i];
    }
    free(c->nodes);
    c->nodes = sorted;
    g->cap_nodes = c->n_nodes + 1;
    return true;
}

/* The operators of the nodes, with their arguments. */
static uint64_t content_of(const struct tr_graph_calls *c, const struct tr_graph_capture *k)
{
    uint64_t hash = k->n;
    for (uint32_t i = 0; i < k->n; i++) {
        uint32_t s = c->nodes[k->first + i].span;
        while (s != NO_ENTRY && !is_op(c->spans[s].activity))
            s = c->spans[s].outer;
        const struct tr_graph_span *of = s == NO_ENTRY ? NULL : &c->spans[s];
        hash = tr_mix64(hash ^ (of ? of->name : NO_ENTRY), UINT64_C(0xa0761d6478bd642f));
        hash = tr_mix64(hash ^ (of ? of->dims : NO_ENTRY) ^ (uint64_t)(of ? of->types : NO_ENTRY) << 32,
                        UINT64_C(0xe7037ed1a0b428db));
    }
    return hash;
}

TR_ORDER(by_name, struct named, TR_UP(name), TR_UP(place))

bool tr_graph_calls_end(struct tr_graph_calls *calls)
{
    struct graphs *g = (struct graphs *)calls;
    struct tr_graph_calls *c = &g->calls;
    end_trace(g);
    free(g->order);
    g->order = calloc(c->n_nodes + 1, sizeof *g->order);
    if (!g->order || !sort_nodes(g))
        return false;
    for (uint32_t i = 0; i < c->n_nodes; i++)
        g->order[i] = (struct named){ c->nodes[i].kernel, i };
    for (size_t k = 0; k < c->n_captures; k++) {
        qsort(g->order + c->captures[k].first, c->captures[k].n, sizeof *g->order, by_name);
        c->captures[k].content = content_of(c, &c->captures[k]);
    }
    return true;
}

/* ---- the same kernels in the same order ---- */

/* How well a capture suits: less is better. */
struct suits {
    bool nameless, other_rank;
    int64_t size; /* INT64_MAX: too small, or not known */
};

TR_ORDER(compare_suits, struct suits, TR_UP(nameless), TR_UP(other_rank), TR_UP(size))

static struct suits suits_of(const struct tr_graph_capture *c, const struct tr_graph_launch *l, bool nameless)
{
    bool large = c->size >= 0 && (l->tokens < 0 || c->size >= l->tokens);
    return (struct suits){ nameless, c->rank != l->rank, large && l->tokens >= 0 ? c->size : INT64_MAX };
}

static bool fits(const struct tr_graph_calls *g, const struct tr_graph_capture *c, const struct tr_graph_launch *l,
                 bool *nameless)
{
    *nameless = true;
    if (c->n != l->n)
        return false;
    for (size_t i = 0; i < l->n; i++) {
        uint32_t kernel = g->nodes[c->first + i].kernel;
        bool any = kernel >= TR_GRAPH_MEMSET;
        if (!any && kernel != l->kernels[i])
            return false;
        *nameless &= any;
    }
    return true;
}

static bool find_equal(const struct tr_graph_calls *g, const struct tr_graph_launch *l, struct found *f)
{
    struct suits best = { 0 };
    for (size_t k = 0; k < g->n_captures; k++) {
        bool nameless;
        if (!fits(g, &g->captures[k], l, &nameless))
            continue;
        struct suits s = suits_of(&g->captures[k], l, nameless);
        int c = f->capture == NO_ENTRY ? -1 : compare_suits(&s, &best);
        if (c == 0)
            f->several |= g->captures[k].content != g->captures[f->capture].content;
        if (c >= 0)
            continue;
        best = s;
        f->capture = (uint32_t)k;
        f->several = false;
    }
    if (f->capture == NO_ENTRY)
        return false;
    for (size_t i = 0; i < l->n; i++)
        f->nodes[i] = g->captures[f->capture].first + (uint32_t)i;
    f->n_found = l->n;
    return true;
}

/* ---- most of the kernels ---- */

TR_ORDER(by_name_then_place, struct named, TR_UP(name), TR_UP(place))

/* The n-th kernel of a name is the n-th node of that name; nodes may be NULL. */
static size_t pair_names(const struct graphs *g, const struct tr_graph_capture *c, const struct named *names, size_t n,
                         uint32_t *nodes)
{
    const struct named *order = g->order + c->first;
    size_t found = 0;
    for (size_t i = 0, k = 0; i < n && k < c->n;) {
        if (names[i].name == TR_NO_STR || order[k].name == TR_NO_STR)
            break; /* these come last */
        if (names[i].name != order[k].name) {
            if (names[i].name < order[k].name)
                i++;
            else
                k++;
            continue;
        }
        if (nodes)
            nodes[names[i].place] = order[k].place;
        found++;
        i++;
        k++;
    }
    return found;
}

static bool find_max(struct graphs *g, const struct tr_graph_launch *l, struct found *f)
{
    const struct tr_graph_calls *c = &g->calls;
    struct suits best = { 0 };
    if (!tr_grow(&g->names, &g->cap_names, l->n, sizeof *g->names))
        return false;
    for (size_t i = 0; i < l->n; i++)
        g->names[i] = (struct named){ l->kernels[i], (uint32_t)i };
    qsort(g->names, l->n, sizeof *g->names, by_name_then_place);
    for (size_t k = 0; k < c->n_captures; k++) {
        size_t found = pair_names(g, &c->captures[k], g->names, l->n, NULL);
        struct suits s = suits_of(&c->captures[k], l, false);
        if (found < l->n - l->n / 2 || found < f->n_found ||
            (found == f->n_found && f->capture != NO_ENTRY && compare_suits(&s, &best) >= 0))
            continue;
        best = s;
        f->capture = (uint32_t)k;
        f->n_found = found;
    }
    if (f->capture != NO_ENTRY)
        pair_names(g, &c->captures[f->capture], g->names, l->n, f->nodes);
    return true;
}

/* ---- results that are kept ---- */

static bool is_kept(const struct found *f, const struct tr_graph_launch *l, uint64_t hash)
{
    return f->kernels && f->hash == hash && f->n == l->n && f->rank == l->rank && f->tokens == l->tokens &&
           memcmp(f->kernels, l->kernels, l->n * sizeof *l->kernels) == 0;
}

static bool keep_new(struct found *f, const struct tr_graph_launch *l, uint64_t hash)
{
    free(f->kernels);
    free(f->nodes);
    *f = (struct found){ .hash = hash, .n = l->n, .rank = l->rank, .tokens = l->tokens, .capture = NO_ENTRY };
    f->kernels = calloc(l->n + 1, sizeof *f->kernels);
    f->nodes = calloc(l->n + 1, sizeof *f->nodes);
    if (!f->kernels || !f->nodes)
        return false;
    memcpy(f->kernels, l->kernels, l->n * sizeof *l->kernels);
    for (size_t i = 0; i < l->n; i++)
        f->nodes[i] = NO_ENTRY;
    return true;
}

bool tr_graph_calls_match(struct tr_graph_calls *calls, const struct tr_graph_launch *l, struct tr_graph_match *match)
{
    struct graphs *g = (struct graphs *)calls;
    const uint64_t about[] = { (uint64_t)l->rank, (uint64_t)l->tokens };
    uint64_t hash = tr_mix64(tr_hash(l->kernels, l->n * sizeof *l->kernels), tr_hash(about, sizeof about));
    struct found *f = &g->kept[hash % KEPT];
    if (!is_kept(f, l, hash)) {
        if (!keep_new(f, l, hash))
            return false;
        if (!find_equal(calls, l, f) && !find_max(g, l, f))
            return false;
    }
    *match = (struct tr_graph_match){ f->nodes, f->n_found, f->capture, f->several };
    return true;
}

/* ---- launches ---- */

int64_t tr_graph_tokens_around(const struct tr_dict *dict, const struct tr_callpath *path)
{
    struct tr_step_about about;
    for (size_t d = path->depth; d; d--)
        if (path->open[d - 1].activity == TR_ACT_ANNOTATION &&
            tr_step_about_read(tr_dict_text_if(dict, path->open[d - 1].name), &about) &&
            about.known >> TR_STEP_TOKENS & 1)
            return about.of[TR_STEP_TOKENS];
    return -1;
}

void tr_graph_count(struct tr_graph_counts *c, const struct tr_graph_launch *launch, const struct tr_graph_match *match)
{
    c->launches++;
    c->unknown += match->capture == NO_ENTRY;
    c->several += match->several;
    c->kernels += launch->n;
    c->no_operator += launch->n - match->n_found;
}

void tr_graph_counts_remark(const struct tr_graph_counts *c, const struct tr_analysis_in *in, const char *place)
{
    if (!c->launches)
        tr_analysis_remark(in, TR_REMARK_RESULT, place,
                           "no launch of a graph has work here, so the captures change nothing");
    if (c->unknown)
        tr_analysis_remark(in, TR_REMARK_WARN, place,
                           "no capture fits %" PRIu64 " of %" PRIu64
                           " launches of graphs: their work has no operator of "
                           "a capture",
                           c->unknown, c->launches);
    if (c->no_operator && c->unknown < c->launches)
        tr_analysis_remark(in, TR_REMARK_RESULT, place,
                           "%" PRIu64 " of %" PRIu64 " kernels, copies and memsets of launched graphs are not in the "
                           "captures",
                           c->no_operator, c->kernels);
    if (c->several)
        tr_analysis_remark(in, TR_REMARK_WARN, place,
                           "several captures of other operators or shapes fit %" PRIu64 " of %" PRIu64 " launches of "
                           "graphs: the first one is taken, so shapes may be those of another batch size",
                           c->several, c->launches);
}
