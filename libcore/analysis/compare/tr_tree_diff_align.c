/* SPDX-License-Identifier: MIT */
/* Call trees of two runs: the match of two lists of children. */
#include "analysis/compare/tr_tree_diff_int.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/* Lists are compared by pairs up to this number of pairs, else in windows of WINDOW by WINDOW. */
#define WINDOW ((size_t)1024)
#define MAX_PAIRS (WINDOW * WINDOW)

/* A score is the number of matches, then the number of levels on which they agree below. */
#define LEVEL_BITS 13
_Static_assert(TR__TREE_LEVELS * WINDOW < 1u << LEVEL_BITS, "sums of levels");

bool tr__tree_push(struct tr_tree_diff *d, struct tr__tree_list *list, int side, uint32_t node)
{
    const struct tr__tree_node *n = tr__tree_node(d, side, node);
    if (!tr_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items))
        return false;
    uint32_t name = tr__tree_name(d, n);
    list->items[list->n++] = (struct tr__tree_item){ .key = name, .hash = n->hash, .node = node, .name = name };
    return true;
}

/* ---- how far trees agree below ---- */

/* Hash the names of each level below a node, in order. */
static void add_levels(const struct tr_tree_diff *d, int side, uint32_t node, unsigned depth, uint64_t hash[])
{
    const struct tr__tree_node *nodes = d->sides[side].nodes;
    for (uint32_t k = nodes[node].first; k != TR__NO_NODE; k = nodes[k].next) {
        if (!tr__tree_has_work(&nodes[k]))
            continue;
        hash[depth] = tr__tree_mix(hash[depth], (uint64_t)tr__tree_name(d, &nodes[k]) + 1);
        if (depth + 1 < TR__TREE_LEVELS)
            add_levels(d, side, k, depth + 1, hash);
    }
}

static void set_levels(const struct tr_tree_diff *d, int side, struct tr__tree_item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t hash[TR__TREE_LEVELS] = { 0 };
        add_levels(d, side, items[i].node, 0, hash);
        for (unsigned k = 0; k < TR__TREE_LEVELS; k++)
            items[i].level[k] = (uint32_t)(hash[k] ^ hash[k] >> 32);
    }
}

static uint32_t levels_of(const struct tr__tree_item *a, const struct tr__tree_item *b)
{
    uint32_t n = 0;
    while (n < TR__TREE_LEVELS && a->level[n] == b->level[n])
        n++;
    return n;
}

/* ---- the best match of two short lists ---- */

int tr__tree_by_text(const struct tr_tree_diff *d, const struct tr__tree_item *a, const struct tr__tree_item *b)
{
    size_t m = tr_strtab_len(d->texts, a->name), n = tr_strtab_len(d->texts, b->name);
    int c = memcmp(tr_strtab_get(d->texts, a->name), tr_strtab_get(d->texts, b->name), m < n ? m : n);
    c = c ? c : (m > n) - (m < n);
    return c ? c : (a->hash > b->hash) - (a->hash < b->hash);
}

/* match: for the elements of a, places in b plus base; at most MAX_PAIRS pairs. */
static bool match_pairs(const struct tr_tree_diff *d, const struct tr__tree_item *a, size_t m,
                        const struct tr__tree_item *b, size_t n, size_t base, size_t *match)
{
    const uint32_t one = 1u << LEVEL_BITS;
    size_t width = n + 1;
    uint32_t *score = calloc((m + 1) * width, sizeof *score);
    if (!score)
        return false;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            uint32_t up = score[(i - 1) * width + j], best = score[i * width + j - 1];
            best = up > best ? up : best;
            if (a[i - 1].key == b[j - 1].key) {
                uint32_t both = score[(i - 1) * width + j - 1] + one + levels_of(&a[i - 1], &b[j - 1]);
                best = both > best ? both : best;
            }
            score[i * width + j] = best;
        }
    for (size_t i = m, j = n; i && j;) {
        uint32_t here = score[i * width + j], up = score[(i - 1) * width + j], left = score[i * width + j - 1];
        const struct tr__tree_item *x = &a[i - 1], *y = &b[j - 1];
        if (x->key == y->key && here == score[(i - 1) * width + j - 1] + one + levels_of(x, y)) {
            match[--i] = base + --j;
        } else if (up == here && (left != here || tr__tree_by_text(d, x, y) >= 0)) {
            i--;
        } else {
            j--;
        }
    }
    free(score);
    return true;
}

/* ---- lists of any length ---- */

/*
 * Long lists: match the start of both, keep the matches in the first half, and go on after them.  A list that ends in
 * the window is kept until the other one ends, too.
 */
static bool match_windows(const struct tr_tree_diff *d, const struct tr__tree_list *a, size_t i, size_t m,
                          const struct tr__tree_list *b, size_t j, size_t n, size_t *match)
{
    size_t found[WINDOW];
    while (i < m && j < n) {
        if (a->items[i].key == b->items[j].key && a->items[i].hash == b->items[j].hash) {
            match[i++] = j++;
            continue;
        }
        size_t from_a = i, from_b = j;
        size_t left = m - i < WINDOW ? m - i : WINDOW, right = n - j < WINDOW ? n - j : WINDOW;
        bool last = left == m - i && right == n - j;
        size_t to_a = left < WINDOW || last ? m : i + WINDOW / 2, to_b = right < WINDOW || last ? n : j + WINDOW / 2;
        for (size_t k = 0; k < left; k++)
            found[k] = SIZE_MAX;
        if (!match_pairs(d, a->items + i, left, b->items + j, right, j, found))
            return false;
        for (size_t k = 0; k < left && from_a + k < to_a; k++)
            if (found[k] != SIZE_MAX && found[k] < to_b) {
                match[from_a + k] = found[k];
                i = from_a + k + 1;
                j = found[k] + 1;
            }
        if (last)
            return true;
        if (i == from_a && j == from_b) { /* nothing matches here */
            i = left == WINDOW ? to_a : i;
            j = right == WINDOW ? to_b : j;
        }
    }
    return true;
}

bool tr__tree_align(struct tr_tree_diff *d, const struct tr__tree_list *a, const struct tr__tree_list *b,
                    size_t *match)
{
    size_t m = a->n, n = b->n, i = 0;
    for (size_t k = 0; k < m; k++)
        match[k] = SIZE_MAX;
    while (i < m && i < n && a->items[i].key == b->items[i].key &&
           (a->items[i].hash == b->items[i].hash || m == n))
        i++;
    if (i < m || i < n) { /* the names of lists of equal length may be equal, and the trees below differ */
        i = 0;
        while (i < m && i < n && a->items[i].key == b->items[i].key && a->items[i].hash == b->items[i].hash)
            i++;
    }
    for (size_t k = 0; k < i; k++)
        match[k] = k;
    while (m > i && n > i && a->items[m - 1].key == b->items[n - 1].key &&
           a->items[m - 1].hash == b->items[n - 1].hash)
        match[--m] = --n;
    if (i == m || i == n)
        return true;
    set_levels(d, 0, a->items + i, m - i);
    set_levels(d, 1, b->items + i, n - i);
    if ((m - i) <= MAX_PAIRS / (n - i))
        return match_pairs(d, a->items + i, m - i, b->items + i, n - i, i, match + i);
    return match_windows(d, a, i, m, b, i, n, match);
}
