/* SPDX-License-Identifier: MIT */
/* The length of the union of intervals. */
#include "base/tr_union_length.h"

#include <stdlib.h>
#include <string.h>

void tr_union_length_free(struct tr_union_length *c)
{
    free(c->room);
    *c = (struct tr_union_length){ 0 };
}

/* Room for one more piece at both ends. */
static bool make_room(struct tr_union_length *c)
{
    if (c->first && c->first + c->n < c->cap)
        return true;
    if (c->n > SIZE_MAX / sizeof *c->room / 4)
        return false;
    size_t cap = 2 * c->n + 4, first = (cap - c->n) / 2;
    struct tr_union_length_piece *room = malloc(cap * sizeof *room);
    if (!room)
        return false;
    if (c->n)
        memcpy(room + first, c->room + c->first, c->n * sizeof *room);
    free(c->room);
    c->room = room;
    c->first = first;
    c->cap = cap;
    return true;
}

/* The first piece that ends at start or later. */
static size_t first_at(const struct tr_union_length *c, int64_t start)
{
    const struct tr_union_length_piece *p = c->room + c->first;
    size_t low = 0, high = c->n;
    if (c->n && p[c->n - 1].end < start)
        return c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p[middle].end < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A gap at a place among the pieces. */
static void insert(struct tr_union_length *c, size_t at)
{
    struct tr_union_length_piece *p = c->room + c->first;
    if (at < c->n - at) {
        memmove(p - 1, p, at * sizeof *p);
        c->first--;
    } else {
        memmove(p + at + 1, p + at, (c->n - at) * sizeof *p);
    }
    c->n++;
}

/* Remove n pieces. */
static void take_out(struct tr_union_length *c, size_t at, size_t n)
{
    struct tr_union_length_piece *p = c->room + c->first;
    size_t after = c->n - at - n;
    if (at < after) {
        memmove(p + n, p, at * sizeof *p);
        c->first += n;
    } else {
        memmove(p + at, p + at + n, after * sizeof *p);
    }
    c->n -= n;
}

bool tr_union_length_add(struct tr_union_length *c, int64_t start, int64_t end)
{
    if (start >= end)
        return true;
    if (!make_room(c))
        return false;
    size_t at = first_at(c, start), to = at;
    for (const struct tr_union_length_piece *p = c->room + c->first; to < c->n && p[to].start <= end; to++) {
        start = p[to].start < start ? p[to].start : start;
        end = p[to].end > end ? p[to].end : end;
        c->length_ns -= (uint64_t)p[to].end - (uint64_t)p[to].start;
    }
    if (to == at)
        insert(c, at);
    else
        take_out(c, at + 1, to - at - 1);
    c->room[c->first + at] = (struct tr_union_length_piece){ start, end };
    c->length_ns += (uint64_t)end - (uint64_t)start;
    return true;
}

bool tr_union_length_join(struct tr_union_length *c, struct tr_union_length *from)
{
    if (from->n > c->n) {
        struct tr_union_length larger = *from;
        *from = *c;
        *c = larger;
    }
    for (size_t i = 0; i < from->n; i++) {
        const struct tr_union_length_piece *p = &from->room[from->first + i];
        if (!tr_union_length_add(c, p->start, p->end))
            return false;
    }
    tr_union_length_free(from);
    return true;
}
