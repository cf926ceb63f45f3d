/* SPDX-License-Identifier: MIT */
/*
 * The builder: joins starts and ends when they arrive, if they come in order of time.
 *
 * The result is the same as that of tr_pair.c.  So an end is taken only if tr_pair.c would join it with the innermost
 * open start: it has no name, category, args or picoseconds.  At the first other end, all open starts, and all later
 * events of the nest, go to tr_pair.c.
 */
#include "ingest/tr_event_template_int.h"
#include "ingest/tr_ingest_builder_int.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NESTS 65536u
#define MAX_OPEN   ((size_t)64 << 20) /* bytes of starts that wait here; more go to the sort, which can use files */

/* A start that is open; its row follows, with room for the record of the end. */
struct tr__started {
    struct tr__event event;
    size_t below; /* offset of the start around it; SIZE_MAX: there is none */
};

static struct tr__started *started_at(const struct tr__nest *n, size_t at)
{
    return (struct tr__started *)(void *)(n->open.data + at);
}

static struct tr_row *row_of(struct tr__started *b)
{
    return (struct tr_row *)(void *)(b + 1);
}

static struct tr__nest *nest_of(struct tr_ingest *g)
{
    size_t n = g->n_nests;
    if (!tr_grow(&g->nests, &g->cap_nests, g->nest + (size_t)1, sizeof *g->nests))
        return NULL;
    for (; n <= g->nest; n++)
        g->nests[n] = (struct tr__nest){ .top = SIZE_MAX, .end_shape = UINT32_MAX };
    g->n_nests = n;
    return &g->nests[g->nest];
}

/* Add the start as a separate row, to be joined later. */
static bool leave(struct tr_ingest *g, struct tr__started *b)
{
    const struct tr_row *from = row_of(b);
    size_t size = from->size;
    unsigned char *mem = tr_row_arena_reserve(&g->lane.piece->rows, size);
    if (!mem)
        return false;
    memcpy(mem, from, TR_ROW_HEADER);
    memcpy(mem + TR_ROW_HEADER, (const unsigned char *)from + TR_ROW_HEADER + 8, size - TR_ROW_HEADER - 8);
    b->event.out = mem + size - 8;
    return tr__lane_add(&g->lane, &b->event, (struct tr_row *)(void *)mem);
}

static bool close_nest(struct tr_ingest *g, struct tr__nest *n)
{
    bool ok = true;
    for (size_t at = n->top; ok && at != SIZE_MAX; at = started_at(n, at)->below)
        ok = leave(g, started_at(n, at));
    g->open_bytes -= n->open.cap;
    tr_buf_free(&n->open);
    n->open = (struct tr_buf){ 0 };
    n->top = SIZE_MAX;
    n->late = true;
    return ok;
}

static bool start(struct tr_ingest *g, struct tr__nest *n, uint32_t shape)
{
    size_t at = n->open.len, before = n->open.cap;
    if (!tr_buf_reserve(&n->open, sizeof(struct tr__started) + tr__ingest_row_size(g) + 8))
        return false;
    g->open_bytes += n->open.cap - before;
    struct tr__started *b = started_at(n, at);
    unsigned char *mem = (unsigned char *)(b + 1);
    if (!tr__ingest_row(g, mem, shape, 8))
        return false;
    size_t size = ((size_t)(g->event.out - mem) + 7) & ~(size_t)7;
    memset(g->event.out, 0, (size_t)(mem + size - g->event.out));
    b->event = g->event;
    b->below = n->top;
    row_of(b)->size = (uint32_t)size;
    n->top = at;
    n->open.len = at + sizeof *b + size;
    g->in_nest = true;
    return true;
}

bool tr__start_template_of(struct tr_ingest *g, struct tr__start_template *t)
{
    struct tr__nest *n = g->nest < g->n_nests ? &g->nests[g->nest] : NULL;
    if (!n || !g->in_nest || g->again || n->top == SIZE_MAX)
        return false;
    struct tr__started *b = started_at(n, n->top);
    t->row = *row_of(b);
    t->event = b->event;
    return !(t->row.has & ~(unsigned)TR_ROW_LINK);
}

bool tr__start_template_add(struct tr_ingest *g, const struct tr__start_template *t, uint32_t nest, int64_t ts,
                            uint64_t record, int64_t correlation, const struct tr__arg *args, size_t n_args,
                            bool *taken)
{
    struct tr__nest *n = nest < g->n_nests ? &g->nests[nest] : NULL;
    *taken = n && !n->late && g->open_bytes <= MAX_OPEN && ts != TR_TIME_NONE && !g->no_memory;
    if (!*taken)
        return true;
    size_t at = n->open.len, before = n->open.cap;
    if (!tr_buf_reserve(&n->open, sizeof(struct tr__started) + TR_ROW_HEADER + 24 + 8 * n_args))
        return false;
    g->open_bytes += n->open.cap - before;
    struct tr__started *b = started_at(n, at);
    struct tr_row *row = row_of(b);
    unsigned char *to = (unsigned char *)row + TR_ROW_HEADER + 8;
    b->event = t->event;
    b->event.ts = ts;
    b->below = n->top;
    *row = t->row;
    row->record = record;
    if (row->has & TR_ROW_LINK) {
        b->event.correlation = correlation;
        memcpy(to, &correlation, 8);
        to += 8;
    }
    to = tr__put_args(to, args, n_args);
    size_t size = ((size_t)(to - (unsigned char *)row) + 7) & ~(size_t)7;
    memset(to, 0, (size_t)((unsigned char *)row + size - to));
    row->size = (uint32_t)size;
    n->top = at;
    n->open.len = at + sizeof *b + size;
    return true;
}

/* The shape of the span: members of the start, a mark, members of the end. */
static uint32_t join_shapes(struct tr_ingest *g, uint32_t start, uint32_t end)
{
    struct tr__interner *s = &g->lane.interner;
    const struct tr_shape *b = &s->shapes[start], *e = &s->shapes[end];
    uint32_t n = b->n_slots + 1 + e->n_slots, empty = tr__intern_text(s, "", 0, false);
    struct tr_slot *slots = malloc(n * sizeof *slots);
    if (!slots || empty == TR_NO_STR) {
        free(slots);
        return UINT32_MAX;
    }
    memcpy(slots, b->slots, b->n_slots * sizeof *slots);
    slots[b->n_slots] = (struct tr_slot){ empty, UINT32_MAX, TR_PLACE_END_TOP, TR_ROLE_END, TR_T_NULL };
    for (uint32_t i = 0; i < e->n_slots; i++) {
        struct tr_slot *slot = &slots[b->n_slots + 1 + i];
        *slot = e->slots[i];
        slot->place = slot->place == TR_PLACE_ARGS ? TR_PLACE_END_ARGS : TR_PLACE_END_TOP;
    }
    uint32_t joined = tr__intern_shape(s, slots, n, 'B');
    free(slots);
    return joined;
}

static uint32_t joined_shape(struct tr_ingest *g, uint32_t start, uint32_t end)
{
    if (start >= g->cap_joined) {
        size_t old = g->cap_joined;
        if (!tr_grow(&g->joined, &g->cap_joined, start + (size_t)1, sizeof *g->joined))
            return UINT32_MAX;
        memset(g->joined + old, 0xff, (g->cap_joined - old) * sizeof *g->joined);
    }
    struct tr__joined_shape *j = &g->joined[start];
    if (j->joined == UINT32_MAX || j->end != end)
        *j = (struct tr__joined_shape){ end, join_shapes(g, start, end) };
    return j->joined;
}

/* Can an end at a time, and at the place of the nest, only belong to this start? */
static inline bool ends(const struct tr__nest *n, struct tr__started *b, int64_t ts)
{
    const struct tr__event *e = &b->event;
    return !(row_of(b)->has & TR_ROW_PS) && e->ts != TR_TIME_NONE && e->ts <= ts &&
           (uint64_t)ts - (uint64_t)e->ts <= (uint64_t)INT64_MAX && e->pid_type == n->pid_type &&
           e->tid_type == n->tid_type && e->pid == n->pid && e->tid == n->tid;
}

/* Can the end only belong to the innermost start? */
static bool fits(const struct tr_ingest *g, struct tr__nest *n)
{
    const struct tr__event *e = &g->event;
    if (n->top == SIZE_MAX || g->n_slots > 8 || g->n_args || e->name != TR_NO_STR || e->cat != TR_NO_STR ||
        g->link.set || g->ts_ps || g->dur_ps || e->ts == TR_TIME_NONE)
        return false;
    n->end_shape = UINT32_MAX;
    n->pid_type = e->pid_type;
    n->tid_type = e->tid_type;
    n->pid = e->pid;
    n->tid = e->tid;
    return ends(n, started_at(n, n->top), e->ts);
}

static bool end(struct tr_ingest *g, struct tr__nest *n, uint32_t shape)
{
    struct tr__started *b = started_at(n, n->top);
    size_t size = row_of(b)->size;
    unsigned char *mem = tr_row_arena_reserve(&g->lane.piece->rows, size);
    uint32_t joined = joined_shape(g, row_of(b)->shape, shape);
    if (!mem || joined == UINT32_MAX)
        return false;
    struct tr_row *row = (struct tr_row *)(void *)mem;
    memcpy(mem, row_of(b), size);
    memcpy(mem + TR_ROW_HEADER, &g->record, 8);
    row->shape = joined;
    row->phase = TR_SPAN;
    b->event.dur = g->event.ts - b->event.ts;
    b->event.out = mem + size;
    n->open.len = n->top;
    n->top = b->below;
    bool ok = tr__lane_add(&g->lane, &b->event, row);
    row->flags |= TR_FROM_BE;
    return ok;
}

bool tr__nest_take(struct tr_ingest *g, uint32_t shape, bool *taken)
{
    *taken = false;
    bool starts = g->phase == TR_BEGIN;
    if (g->load->opts->no_sort || g->nest >= MAX_NESTS || (!starts && g->phase != TR_SPAN_END))
        return true;
    struct tr__nest *n = nest_of(g);
    if (!n)
        return false;
    if (!starts && n->top == SIZE_MAX && g->event.ts != TR_TIME_NONE)
        return true; /* it ends what started in a part before, or nothing */
    if (!n->late && (starts ? g->open_bytes > MAX_OPEN || g->event.ts == TR_TIME_NONE : !fits(g, n)) &&
        !close_nest(g, n))
        return false;
    *taken = !n->late;
    n->end_shape = starts || n->late ? n->end_shape : shape;
    return n->late || (starts ? start(g, n, shape) : end(g, n, shape));
}

bool tr__nest_end(struct tr_ingest *g, uint32_t nest, int64_t ts, uint64_t record, bool *taken)
{
    struct tr__nest *n = nest < g->n_nests ? &g->nests[nest] : NULL;
    *taken = n && !n->late && n->top != SIZE_MAX && n->end_shape != UINT32_MAX && !g->no_memory &&
             ts != TR_TIME_NONE && ends(n, started_at(n, n->top), ts);
    if (!*taken)
        return true;
    g->event.ts = ts;
    g->record = record;
    return end(g, n, n->end_shape);
}

bool tr__nests_close(struct tr_ingest *g)
{
    bool ok = true;
    for (size_t i = 0; ok && i < g->n_nests; i++)
        ok = close_nest(g, &g->nests[i]);
    return ok;
}

void tr__nests_start(struct tr_ingest *g)
{
    for (size_t i = 0; i < g->n_nests; i++)
        g->nests[i].late = false;
}

bool tr__nest_leave(struct tr_ingest *g, uint32_t nest)
{
    g->nest = nest;
    struct tr__nest *n = nest >= MAX_NESTS ? NULL : nest_of(g);
    return nest >= MAX_NESTS || (n && (n->late || close_nest(g, n)));
}

void tr__nests_free(struct tr_ingest *g)
{
    for (size_t i = 0; i < g->n_nests; i++)
        tr_buf_free(&g->nests[i].open);
    free(g->nests);
    free(g->joined);
}
