/* SPDX-License-Identifier: MIT */
/* The columns that a program reads of events. */
#include "stream/format/tr_projected_int.h"

#include <stdlib.h>
#include <string.h>

/* The reader itself needs these: for the order, the counts, and the layout of packed columns. */
#define ALWAYS (TR_FIXED_BIT(TS) | TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(SHAPE) | TR_FIXED_BIT(FLAGS))

void tr__wanted_init(struct tr__wanted *w)
{
    *w = (struct tr__wanted){ .fixed = TR_FIXED_ALL, .all_packed = true };
}

void tr__wanted_free(struct tr__wanted *w)
{
    tr_strtab_free(w->keys);
    free(w->column);
}

bool tr__wanted_choose(struct tr__wanted *w, const struct tr_projection *want)
{
    struct tr_strtab *keys = tr_strtab_new();
    if (!keys)
        return false;
    for (size_t i = 0; i < want->n_keys; i++)
        if (tr_strtab_add(keys, want->keys[i], strlen(want->keys[i])) == TR_NO_STR) {
            tr_strtab_free(keys);
            return false;
        }
    tr_strtab_free(w->keys);
    w->keys = keys;
    w->n_known = 0;
    w->fixed = (want->fixed & TR_FIXED_ALL) | ALWAYS;
    w->derived = want->derived;
    w->all_packed = want->all_packed;
    return true;
}

bool tr__wanted_learn(struct tr__wanted *w, const struct tr_dict *d)
{
    if (w->all_packed || w->n_known == d->n_columns)
        return true;
    if (!tr_grow(&w->column, &w->cap_known, d->n_columns, 1))
        return false;
    for (; w->n_known < d->n_columns; w->n_known++) {
        const struct tr_column *c = &d->columns[w->n_known];
        const char *key = tr_strtab_get(d->strings, c->key);
        size_t len = tr_strtab_len(d->strings, c->key);
        bool wanted = w->n_known < TR_N_DERIVED ? w->derived >> w->n_known & 1
                                                : tr_strtab_find(w->keys, key, len) != TR_NO_STR;
        w->column[w->n_known] = wanted;
    }
    return true;
}

bool tr__view_init(struct tr__view *v, const struct tr_dict *dict)
{
    *v = (struct tr__view){ .decoder = tr__decoder_new(dict) };
    v->batch.dict = dict;
    return v->decoder != NULL;
}

void tr__view_free(struct tr__view *v)
{
    tr__decoder_free(v->decoder);
    free(v->batch.cols);
}

static enum tr_status decode_fixed(struct tr__view *v, const struct tr__wanted *wanted,
                                   struct tr_error *err)
{
    struct tr_batch *b = &v->batch;
    void *p[TR_N_FIXED] = { NULL };
    for (unsigned id = 0; id < TR_N_FIXED; id++) {
        enum tr_status st = TR_OK;
        if (wanted->fixed >> id & 1)
            st = tr__decoder_fixed(v->decoder, id, &p[id], err);
        if (st != TR_OK)
            return st;
    }
    b->ts = p[TR_FIXED_TS];
    b->dur = p[TR_FIXED_DUR];
    b->record = p[TR_FIXED_RECORD];
    b->track = p[TR_FIXED_TRACK];
    b->shape = p[TR_FIXED_SHAPE];
    b->name = p[TR_FIXED_NAME];
    b->cat = p[TR_FIXED_CAT];
    b->phase = p[TR_FIXED_PHASE];
    b->activity = p[TR_FIXED_ACTIVITY];
    b->kind = p[TR_FIXED_KIND];
    b->suspect = p[TR_FIXED_SUSPECT];
    b->flags = p[TR_FIXED_FLAGS];
    return TR_OK;
}

static enum tr_status decode_packed(struct tr__view *v, const struct tr__wanted *wanted,
                                    struct tr_error *err)
{
    struct tr_batch *b = &v->batch;
    const struct tr__layout *l = tr__decoder_layout(v->decoder);
    size_t n_columns = b->dict->n_columns;
    if (!tr_grow(&b->cols, &v->cap_cols, n_columns, sizeof *b->cols))
        return tr_fail_memory(err);
    if (b->n_cols < n_columns)
        memset(b->cols + b->n_cols, 0, (n_columns - b->n_cols) * sizeof *b->cols);
    b->n_cols = n_columns;
    for (size_t i = 0; i < l->n_present; i++) {
        const struct tr__present *p = &l->present[i];
        struct tr_col *c = &b->cols[p->column];
        void *array;
        if (!wanted->all_packed && !wanted->column[p->column])
            continue;
        enum tr_status st = tr__decoder_packed(v->decoder, i, &array, err);
        if (st != TR_OK)
            return st;
        c->n = c->cap = p->n;
        if (p->elem == 4)
            c->v.str = array;
        else
            c->v.i64 = array;
    }
    return TR_OK;
}

/* Forget the block before: its arrays are about to be overwritten. */
static void clear(struct tr__view *v)
{
    const struct tr__layout *l = tr__decoder_layout(v->decoder);
    for (size_t i = 0; i < l->n_present; i++)
        if (l->present[i].column < v->batch.n_cols)
            v->batch.cols[l->present[i].column] = (struct tr_col){ 0 };
    v->batch.n = v->batch.cap = 0;
}

enum tr_status tr__view_decode(struct tr__view *v, const struct tr__wanted *wanted,
                               const struct tr_block *b, const unsigned char *payload,
                               uint32_t n_strings, struct tr_error *err)
{
    clear(v);
    enum tr_status st = tr__decoder_start(v->decoder, b, payload, n_strings, err);
    if (st == TR_OK)
        st = decode_fixed(v, wanted, err);
    if (st == TR_OK)
        st = decode_packed(v, wanted, err);
    if (st == TR_OK)
        v->batch.n = v->batch.cap = b->n_items;
    return st;
}
