/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a batch builder: maps numbers of interners to numbers of the stream's dictionary, by content.
 * Internal to tr_batch_builder.c and tr_batch_numbers.c.
 */
#ifndef TR_BATCH_NUMBERS_INT_H
#define TR_BATCH_NUMBERS_INT_H

#include "ingest/tr_batch_builder_int.h"
#include "stream/tr_number_map.h"

#include <pthread.h>

/* How to read the values from the rows of a shape. */
struct tr__plan {
    uint32_t shape; /* in the stream */
    uint32_t n_ops;
    struct tr__op {
        uint32_t column;  /* UINT32_MAX: leave out */
        uint32_t is_string;
    } *ops;
    int32_t correlation_at; /* offset among the values, or -1 */
    bool correlation_text;
    int32_t graph_at[2]; /* the same for the numbers of a graph and of its node */
};

/* The numbers in the stream, by numbers of an interner. */
struct tr__interner_map {
    struct tr_number_map strings, tracks;
    struct tr__plan **plans; /* by shape */
    size_t n_plans;
};

struct tr_batch_builder {
    struct tr__interner *const *interners;
    size_t n_interners;
    const struct tr_launch_table *launches, *arrow_ends;
    const struct tr_paged *launched; /* NULL: not known */
    bool by_record;
    bool drop_args, failed; /* failed: memory ran out */
    struct tr__interner_map *maps;
    struct tr_dict *dict;
    struct tr_strtab *tracks; /* distinct by content */
    tr_batch_builder_name_fn *name_fn;
    void *name_ctx;
    pthread_mutex_t lock; /* held while dict grows, and while it is copied */
};

/* For the first use of a number.  TR_NO_STR, NULL: out of memory. */
uint32_t tr__add_string(struct tr_batch_builder *g, size_t interner, uint32_t id);
uint32_t tr__add_track(struct tr_batch_builder *g, size_t interner, uint32_t id);
struct tr__plan *tr__make_plan(struct tr_batch_builder *g, size_t interner, uint32_t shape);

/* The number in the stream of a text of an interner. */
static inline uint32_t tr__map_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    uint32_t n = tr_number_of(&g->maps[interner].strings, id);
    return n != TR_NUMBER_UNKNOWN || id == TR_NO_STR ? n : tr__add_string(g, interner, id);
}

/* The same for a track. */
static inline uint32_t tr__map_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    uint32_t n = tr_number_of(&g->maps[interner].tracks, id);
    return n != TR_NUMBER_UNKNOWN ? n : tr__add_track(g, interner, id);
}

/* The plan of an interner's shape; NULL: out of memory. */
static inline const struct tr__plan *tr__plan_of(struct tr_batch_builder *g, size_t interner, uint32_t shape)
{
    const struct tr__interner_map *m = &g->maps[interner];
    const struct tr__plan *p = shape < m->n_plans ? m->plans[shape] : NULL;
    return p ? p : tr__make_plan(g, interner, shape);
}

#endif
