/* SPDX-License-Identifier: MIT */
/* Random tables of a stream. */
#ifndef SIDE_MAKE_H
#define SIDE_MAKE_H

#include "stream_make.h"

static const unsigned all_types[] = { TR_T_INT,    TR_T_UINT,    TR_T_DECIMAL, TR_T_DOUBLE,  TR_T_STRING,   TR_T_JSON,
                                      TR_T_NUMBER, TR_T_QUOTED,  TR_SIDE_BOOL, TR_SIDE_TIME, TR_SIDE_TRACK,
                                      TR_SIDE_RECORD };
#define N_ALL (sizeof all_types / sizeof *all_types)

/* Another table of a list, of n columns c0, c1 ... whose types take turns. */
static inline struct tr_side_table *add_table(struct tr_side_tables *list, const char *name, uint32_t source,
                                              size_t n, const unsigned *types, size_t n_types)
{
    struct tr_side_table *t = tr_side_table_new(name, source);
    NEED(t && tr_side_tables_add(list, t));
    for (size_t i = 0; i < n; i++) {
        char column[24];
        snprintf(column, sizeof column, "c%zu", i);
        NEED(tr_side_table_column(t, column, types[i % n_types]));
    }
    return t;
}

static const char *const side_texts[] = { "", "a", "[1, {\"b\": 2}]", "1e400", "several words in one cell" };

static inline struct tr_side_value random_value(struct rng *r, const struct tr_dict *d, unsigned type)
{
    struct tr_side_value v = { .present = rng_below(r, 4) != 0 };
    if (tr_type_is_string(type)) {
        v.text = side_texts[rng_below(r, sizeof side_texts / sizeof *side_texts)];
        v.len = strlen(v.text);
        return v;
    }
    v.v = rng_value(r);
    if (type == TR_SIDE_BOOL)
        v.v &= 1;
    else if (type == TR_SIDE_TRACK)
        v.v = (int64_t)rng_below(r, d->n_tracks);
    else if (type == TR_SIDE_TIME)
        v.v %= INT64_C(1) << 40; /* so that clocks and other time bases keep it within 64 bits */
    if (type == TR_SIDE_TIME)
        v.of = (uint32_t)rng_below(r, d->n_tracks);
    else if (type == TR_SIDE_RECORD)
        v.of = (uint32_t)rng_below(r, d->n_sources);
    return v;
}

static inline void add_rows(struct tr_side_table *t, const struct tr_dict *d, struct rng *r, size_t n)
{
    struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
    for (; n > 0; n--) {
        for (size_t i = 0; i < t->n_columns; i++)
            row[i] = random_value(r, d, t->columns[i].type);
        NEED(tr_side_table_add(t, row));
    }
}

#endif
