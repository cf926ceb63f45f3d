/* SPDX-License-Identifier: MIT */
/* Which capture does a launched graph come from, and which node is each of its kernels? */
#include "analysis/graphs/tr_graph_calls_int.h"

#include "base/tr_hash.h"
#include "engine/tr_analysis.h"
#include "vendor/tr_step_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY TR_GRAPH_NONE

/* ---- the same kernels in the same order ---- */

/* How well a capture suits: less is better. */
struct suits {
    bool nameless, other_rank;
    int64_t size; /* INT64_MAX: too small, or not known */
};

static int compare_suits(const struct suits *a, const struct suits *b)
{
    if (a->nameless != b->nameless)
        return a->nameless ? 1 : -1;
    if (a->other_rank != b->other_rank)
        return a->other_rank ? 1 : -1;
    return (a->size > b->size) - (a->size < b->size);
}

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

static bool find_equal(const struct tr_graph_calls *g, const struct tr_graph_launch *l, struct tr__graph_found *f)
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

static int by_name(const void *x, const void *y)
{
    const struct tr__graph_name *a = x, *b = y;
    return a->name != b->name ? (a->name < b->name ? -1 : 1) : a->place < b->place ? -1 : a->place > b->place;
}

/* The n-th kernel of a name is the n-th node of that name; nodes may be NULL. */
static size_t pair_names(const struct tr__graphs *g, const struct tr_graph_capture *c,
                         const struct tr__graph_name *names, size_t n, uint32_t *nodes)
{
    const struct tr__graph_name *order = g->order + c->first;
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

static bool find_max(struct tr__graphs *g, const struct tr_graph_launch *l, struct tr__graph_found *f)
{
    const struct tr_graph_calls *c = &g->calls;
    struct suits best = { 0 };
    if (!tr_grow(&g->names, &g->cap_names, l->n, sizeof *g->names))
        return false;
    for (size_t i = 0; i < l->n; i++)
        g->names[i] = (struct tr__graph_name){ l->kernels[i], (uint32_t)i };
    qsort(g->names, l->n, sizeof *g->names, by_name);
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

static bool is_kept(const struct tr__graph_found *f, const struct tr_graph_launch *l, uint64_t hash)
{
    return f->kernels && f->hash == hash && f->n == l->n && f->rank == l->rank && f->tokens == l->tokens &&
           memcmp(f->kernels, l->kernels, l->n * sizeof *l->kernels) == 0;
}

static bool keep_new(struct tr__graph_found *f, const struct tr_graph_launch *l, uint64_t hash)
{
    free(f->kernels);
    free(f->nodes);
    *f = (struct tr__graph_found){ .hash = hash, .n = l->n, .rank = l->rank, .tokens = l->tokens, .capture = NO_ENTRY };
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
    struct tr__graphs *g = (struct tr__graphs *)calls;
    const uint64_t about[] = { (uint64_t)l->rank, (uint64_t)l->tokens };
    uint64_t hash = tr_mix64(tr_hash(l->kernels, l->n * sizeof *l->kernels), tr_hash(about, sizeof about));
    struct tr__graph_found *f = &g->kept[hash % TR__GRAPH_KEPT];
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
