/* SPDX-License-Identifier: MIT */
/* Calls on a thread: parents, overlaps that do not nest, their counts, and what lies below a span. */
#include "analysis/calls/tr_nesting.h"
#include "harness/tap.h"
#include "model/calls/tr_call_path.h"
#include "model/calls/tr_call_tree.h"
#include "model/calls/tr_stacks.h"
#include "model/tr_open_spans.h"
#include "unit/view_build.h"

static uint32_t host, other, queue;

/* A stream of source 0 with two threads and a queue of device 0. */
static uint32_t start(struct build *t)
{
    build_start(t);
    uint32_t src = source(t, 0);
    host = track(t, src, 1, 1, TR_TIME_NONE, TR_TIME_NONE);
    other = track(t, src, 1, 2, TR_TIME_NONE, TR_TIME_NONE);
    queue = track(t, src, 0, 7, 0, 7);
    usual(t, false, true);
    return shape(t, 'X');
}

static void span(struct build *t, uint32_t shp, uint32_t trk, const char *name, int64_t ts, int64_t dur)
{
    size_t i = event(t, shp, trk, name, ts, dur);
    t->batch->activity[i] = trk == queue ? TR_ACT_KERNEL : TR_ACT_CPU_OP;
}

static struct tr_call_path *tree;
static struct tr_callpath path;

/* The last event comes: its depth, how it nests, and by how much it does not. */
static void comes(struct build *t, size_t depth, enum tr_nesting nesting, int64_t overlap)
{
    struct tr_error err = TR_ERROR_INIT;
    size_t i = t->batch->n - 1;
    CHECK(tr_call_path_enter(tree, t->batch, i, &path, &err) == TR_OK);
    if (path.depth != depth || path.nesting != nesting || path.overlap != overlap)
        printf("# event %zu: depth %zu, %s, overlap %lld\n", i, path.depth, tr_nesting_name(path.nesting),
               (long long)path.overlap);
    CHECK(path.depth == depth && path.nesting == nesting && path.overlap == overlap);
}

static void test_parents(void)
{
    struct build t;
    uint32_t s = start(&t);
    size_t depth = 9;
    tree = tr_call_path_new();
    need(tree != NULL);
    CHECK(tr_call_path_open(tree, host, &depth) == NULL && depth == 0);
    span(&t, s, host, "a", -100, 200);
    comes(&t, 0, TR_NESTING_FINE, 0);
    span(&t, s, host, "b", -100, 50); /* the same start: the longer one is outside */
    comes(&t, 1, TR_NESTING_FINE, 0);
    path.open[path.depth].tag = 42;
    span(&t, s, host, "c", -100, 50); /* the same span again: the lower record is outside */
    comes(&t, 2, TR_NESTING_FINE, 0);
    CHECK(path.open[1].tag == 42 && path.open[0].dur == 200);
    span(&t, s, other, "d", -90, 10); /* another thread knows nothing of it */
    comes(&t, 0, TR_NESTING_FINE, 0);
    span(&t, s, host, "moment", -50, 0); /* the end of b and c counts for it */
    comes(&t, 3, TR_NESTING_FINE, 0);
    span(&t, s, host, "e", -50, 10); /* ... and not for what has a length; a moment is no parent */
    comes(&t, 1, TR_NESTING_FINE, 0);
    CHECK(tr_call_path_open(tree, host, &depth) && depth == 2);
    span(&t, s, host, "f", 90, 11); /* ends 1 ns after a: inside it, and cut to its end */
    comes(&t, 1, TR_NESTING_ROUNDING, 1);
    CHECK(path.open[1].end == 100 && path.open[1].dur == 11);
    span(&t, s, host, "g", 95, 7); /* ends 2 ns after: it has crossed a and f, and starts anew */
    comes(&t, 0, TR_NESTING_OVERRUN, 2);
    span(&t, s, host, "h", 101, 50); /* crosses g by 1: what would have to be cut off is the shorter part */
    comes(&t, 0, TR_NESTING_OVERRUN, 1);
    tr_call_path_free(tree);
    tr_call_path_free(NULL);
    build_end(&t);
}

static void test_endless(void)
{
    struct build t;
    uint32_t s = start(&t);
    tree = tr_call_path_new();
    need(tree != NULL);
    span(&t, s, host, "open", INT64_MIN + 1, TR_TIME_NONE);
    t.batch->flags[0] |= TR_OPEN; /* its end is missing: it lasts for ever */
    comes(&t, 0, TR_NESTING_FINE, 0);
    CHECK(path.open[0].end == INT64_MAX && path.open[0].dur == INT64_MAX);
    span(&t, s, host, "impossible", 5, -3);
    t.batch->suspect[1] = TR_SUSPECT_NEGATIVE_DUR;
    comes(&t, 1, TR_NESTING_FINE, 0);
    CHECK(path.open[1].end == 5 && path.open[1].dur == 0);
    span(&t, s, host, "late", INT64_MAX - 2, 1);
    comes(&t, 1, TR_NESTING_FINE, 0);
    span(&t, s, other, "no duration", 5, TR_TIME_NONE); /* and no missing end: a moment */
    comes(&t, 0, TR_NESTING_FINE, 0);
    CHECK(path.open[0].end == 5 && path.open[0].dur == 0);
    tr_call_path_free(tree);
    build_end(&t);
}

static void test_counts(void)
{
    struct build t;
    uint32_t s = start(&t);
    struct tr_error err = TR_ERROR_INIT;
    struct tr_nestings *a = tr_nestings_new(t.dict);
    need(a != NULL);
    CHECK(tr_nestings_feed(a, t.batch, NULL, &err) == TR_OK && !tr_nestings_of(a, 0));
    span(&t, s, host, "a", 0, 10);
    span(&t, s, host, "b", 5, 9);    /* 4 past the end of a */
    span(&t, s, queue, "k1", 20, 30);
    span(&t, s, queue, "k2", 30, 5); /* swallowed, all of it */
    span(&t, s, queue, "k3", 40, 20); /* let in 10 early */
    span(&t, s, queue, "k4", 59, 9);  /* 1 early: rounding */
    span(&t, s, queue, "k5", 68, 9);  /* at once */
    span(&t, s, host, "left out", 100, 10);
    const uint8_t keep[] = { 1, 1, 1, 1, 1, 1, 1, 0 };
    CHECK(tr_nestings_feed(a, t.batch, keep, &err) == TR_OK);
    const struct tr_nesting_count *c = tr_nestings_of(a, 0);
    CHECK(c && c[TR_NESTING_FINE].n == 3 && c[TR_NESTING_FINE].sum == 0);
    CHECK(c && c[TR_NESTING_OVERRUN].n == 1 && c[TR_NESTING_OVERRUN].sum == 4);
    CHECK(c && c[TR_NESTING_SWALLOWED].n == 1 && c[TR_NESTING_SWALLOWED].sum == 5);
    CHECK(c && c[TR_NESTING_CONCURRENT].n == 1 && c[TR_NESTING_CONCURRENT].max == 10);
    CHECK(c && c[TR_NESTING_ROUNDING].n == 1 && c[TR_NESTING_ROUNDING].sum == 1);
    CHECK(!tr_nestings_of(a, 1));
    tr_nestings_free(a);
    tr_nestings_free(NULL);
    build_end(&t);
}

static void test_whole_tree(void)
{
    struct build t;
    uint32_t s = start(&t);
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_call_node *nodes = NULL;
    size_t n = 9;
    struct tr_call_tree *a = tr_call_tree_new(t.dict), *empty = tr_call_tree_new(t.dict);
    need(a && empty);
    CHECK(tr_call_tree_finish(empty, false, &nodes, &n, &err) == TR_OK && n == 0);
    tr_call_tree_free(empty);
    span(&t, s, host, "root", 0, 100);
    span(&t, s, host, "left", 10, 20);
    span(&t, s, host, "leaf", 15, 5);
    span(&t, s, queue, "unlaunched", 20, 5);
    span(&t, s, host, "right", 50, 50);
    CHECK(tr_call_tree_feed(a, t.batch, NULL, &err) == TR_OK);
    CHECK(tr_call_tree_finish(a, false, &nodes, &n, &err) == TR_OK && n == 5);
    if (n == 5) {
        CHECK(nodes[0].parent == TR_NO_NODE && nodes[1].parent == 0 && nodes[2].parent == 1 && nodes[4].parent == 0);
        CHECK(nodes[0].depth == 0 && nodes[1].depth == 1 && nodes[2].depth == 2);
        CHECK(nodes[0].height == 3 && nodes[1].height == 2 && nodes[2].height == 1 && nodes[4].height == 1);
        CHECK(nodes[0].self == 30 && nodes[1].self == 15 && nodes[2].self == 5 && nodes[4].self == 50);
        CHECK(!nodes[3].in_tree && nodes[0].kernels == 0 && nodes[0].in_tree);
    }
    tr_call_tree_free(a);
    build_end(&t);
}

/* ---- stacks ---- */

#define N_FRAMES 600

/* The names of a stack, outermost first, by steps outward. */
static size_t walk(const struct tr_stacks *s, uint32_t stack, uint32_t *frames)
{
    size_t n = tr_stacks_depth(s, stack);
    for (size_t i = n; i-- > 0; stack = s->frames[stack].outer)
        frames[i] = stack;
    return stack == TR_STACK_NONE ? n : SIZE_MAX;
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

static int compare_walks(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t a, uint32_t b)
{
    static uint32_t x[N_FRAMES], y[N_FRAMES];
    size_t n = walk(s, a, x), m = walk(s, b, y);
    for (size_t i = 0; i < n && i < m; i++)
        if (x[i] != y[i])
            return sign(strcmp(tr_dict_str(dict, s->frames[x[i]].name), tr_dict_str(dict, s->frames[y[i]].name)));
    return sign((int64_t)n - (int64_t)m);
}

/* Half of the frames go deep, the others branch off anywhere. */
static void grow_stacks(struct tr_stacks *s, const uint32_t *names)
{
    uint32_t seed = 5, frame;
    while (s->n < N_FRAMES) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t at = seed >> 8, outer = s->n ? (uint32_t)s->n - 1 : TR_STACK_NONE;
        if (s->n > N_FRAMES / 2)
            outer = at % (uint32_t)(s->n + 1) ? at % (uint32_t)s->n : TR_STACK_NONE;
        CHECK(tr_stacks_inner(s, outer, names[at / 1000 % 3], &frame));
    }
}

static void test_stacks(void)
{
    static uint32_t frames[N_FRAMES];
    struct build t;
    struct tr_stacks s = { 0 };
    struct tr_buf text = { 0 };
    size_t wrong = 0;
    start(&t);
    const uint32_t names[] = { str(&t, "c"), str(&t, "a"), str(&t, "b") };
    grow_stacks(&s, names);
    for (uint32_t a = 0; a < N_FRAMES; a++) {
        size_t n = walk(&s, a, frames);
        for (size_t i = 0; i < n && i < N_FRAMES; i++)
            wrong += tr_stacks_at(&s, a, (uint32_t)i) != frames[i];
        for (uint32_t b = a % 7; b < N_FRAMES; b += 7)
            wrong += sign(tr_stacks_cmp(&s, t.dict, a, b)) != compare_walks(&s, t.dict, a, b);
    }
    CHECK(wrong == 0);
    CHECK(tr_stacks_cmp(&s, t.dict, TR_STACK_NONE, 0) < 0 && tr_stacks_cmp(&s, t.dict, 0, TR_STACK_NONE) > 0 &&
          tr_stacks_cmp(&s, t.dict, TR_STACK_NONE, TR_STACK_NONE) == 0);
    CHECK(tr_stacks_text(&s, t.dict, 255, ">", &text) && text.len == 256 + 255 && !memchr(text.data, '(', text.len));
    CHECK(tr_stacks_text(&s, t.dict, 265, ">", &text) && text.len == 256 + 255 + sizeof "(10 more)" &&
          memcmp((const char *)text.data + 255, ">(10 more)>", 11) == 0);
    tr_buf_free(&text);
    tr_stacks_free(&s);
    build_end(&t);
}

static const struct tap_test tests[] = {
    { "the parent of a span is what covers it, with 1 ns of grace", test_parents },
    { "spans without end, without possible length, at the bounds of time", test_endless },
    { "overlaps are counted by cause, of threads and of queues", test_counts },
    { "stacks: frames at levels, order, texts", test_stacks },
    { "depth, height and own time in a tree; device work without launch stands in none", test_whole_tree },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
