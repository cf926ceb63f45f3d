/* SPDX-License-Identifier: MIT */
/* Batches with a new column class, and perhaps new kinds. */
#include "stream/tr_class_rewrite.h"

#include "base/tr_mem.h"
#include "stream/tr_number_map.h"

#include <stdlib.h>
#include <string.h>

struct tr_class_rewrite {
    const struct tr_dict *in;
    struct tr_dict *out;
    bool sorted;
    uint32_t *labels; /* string numbers */
    struct tr_number_map strings;
    uint32_t n_strings; /* number of strings that have their number */
    struct tr_batch batch; /* the result; shares most with the input's */
    uint32_t *name, *cat, *old;
    uint8_t *flags, *kind;
    size_t cap_name, cap_cat, cap_old, cap_flags, cap_kind;
    struct tr_col *cols, *own; /* by column: the columns of the result; memory of columns that change */
    size_t cap_cols, n_own, cap_own;
};

enum tr_status tr_class_rewrite_new(struct tr_class_rewrite **out, const struct tr_dict *dict, bool sorted,
                                    const char *const *labels, size_t n, struct tr_error *err)
{
    struct tr_class_rewrite *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail_memory(err);
    r->in = dict;
    r->sorted = sorted;
    r->out = tr_dict_like(dict);
    r->strings.in.spill = tr_strtab_spill(dict->strings);
    r->labels = calloc(n + 1, sizeof *r->labels);
    bool ok = r->out && r->labels;
    for (size_t i = 0; ok && i < n; i++) {
        r->labels[i] = tr_strtab_add(r->out->strings, labels[i], strlen(labels[i]));
        ok = r->labels[i] != TR_NO_STR;
    }
    enum tr_status st = ok ? tr_class_rewrite_sync(r, err) : tr_fail_memory(err);
    if (st == TR_OK)
        *out = r;
    else
        tr_class_rewrite_free(r);
    return st;
}

void tr_class_rewrite_free(struct tr_class_rewrite *r)
{
    if (!r)
        return;
    for (size_t c = 0; c < r->n_own; c++)
        free(r->own[c].v.str);
    free(r->own);
    free(r->cols);
    free(r->name);
    free(r->cat);
    free(r->old);
    free(r->flags);
    free(r->kind);
    tr_number_map_free(&r->strings);
    free(r->labels);
    tr_dict_free(r->out);
    free(r);
}

const struct tr_dict *tr_class_rewrite_dict(const struct tr_class_rewrite *r)
{
    return r->out;
}

/* ---- dictionary ---- */

static uint32_t string(void *self, uint32_t id)
{
    const struct tr_class_rewrite *r = self;
    return r->strings.to[(uint32_t)(id + 1)];
}

static bool sync_strings(struct tr_class_rewrite *r)
{
    const struct tr_strtab *s = r->in->strings;
    bool ok = tr_number_map_grow(&r->strings, tr_strtab_count(s));
    for (uint32_t *i = &r->n_strings; ok && *i < tr_strtab_count(s); ++*i)
        ok = tr_number_map_set(&r->strings, *i,
                               tr_strtab_add(r->out->strings, tr_strtab_get(s, *i), tr_strtab_len(s, *i)));
    return ok;
}

static bool sync_columns(struct tr_class_rewrite *r)
{
    while (r->out->n_columns < r->in->n_columns) {
        struct tr_column c = r->in->columns[r->out->n_columns];
        c.key = string(r, c.key);
        if (tr_dict_add_column(r->out, &c) == UINT32_MAX)
            return false;
    }
    return true;
}

static bool sync_shapes(struct tr_class_rewrite *r)
{
    while (r->out->n_shapes < r->in->n_shapes) {
        uint32_t added = tr_dict_add_shape(r->out, &r->in->shapes[r->out->n_shapes]);
        if (added == UINT32_MAX)
            return false;
        struct tr_shape *s = &r->out->shapes[added];
        for (uint32_t k = 0; k < s->n_slots; k++)
            s->slots[k].key = string(r, s->slots[k].key);
    }
    return true;
}

static bool add_source(struct tr_class_rewrite *r, const struct tr_source *from)
{
    uint32_t added = tr_dict_add_source(r->out, from);
    if (added == UINT32_MAX)
        return false;
    tr_source_renumber(&r->out->sources[added], string, r);
    return true;
}

static bool sync_sources(struct tr_class_rewrite *r)
{
    if (!r->sorted) /* again from the start, because some are complete only at the end */
        while (r->out->n_sources) {
            struct tr_source *s = &r->out->sources[--r->out->n_sources];
            free(s->header_keys);
            free(s->header_values);
        }
    while (r->out->n_sources < r->in->n_sources)
        if (!add_source(r, &r->in->sources[r->out->n_sources]))
            return false;
    while (r->out->n_clocks < r->in->n_clocks) /* numbers only */
        if (tr_dict_add_clock(r->out, &r->in->clocks[r->out->n_clocks]) == UINT32_MAX)
            return false;
    return true;
}

static bool sync_tracks(struct tr_class_rewrite *r)
{
    for (size_t i = 0; i < r->in->n_tracks; i++) {
        struct tr_track t = r->in->tracks[i];
        tr_track_renumber(&t, string, r);
        if (i < r->out->n_tracks)
            r->out->tracks[i] = t;
        else if (tr_dict_add_track(r->out, &t) == UINT32_MAX)
            return false;
    }
    return true;
}

enum tr_status tr_class_rewrite_sync(struct tr_class_rewrite *r, struct tr_error *err)
{
    bool ok =
        sync_strings(r) && sync_columns(r) && sync_shapes(r) && sync_sources(r) && sync_tracks(r);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- batches ---- */

static bool map_strings(const struct tr_class_rewrite *r, const uint32_t *from, size_t n, uint32_t **to, size_t *cap)
{
    if (!tr_grow(to, cap, n, sizeof **to))
        return false;
    const uint32_t *map = r->strings.to;
    for (size_t i = 0; i < n; i++)
        (*to)[i] = map[(uint32_t)(from[i] + 1)];
    return true;
}

/* Column class: an entry for each event that has a label now. */
static bool set_labels(struct tr_class_rewrite *r, const struct tr_batch *in, const uint32_t *label)
{
    struct tr_col *col = &r->own[TR_COL_CLASS];
    size_t n = in->n;
    bool ok = tr_grow(&r->flags, &r->cap_flags, n, 1) && tr_col_reserve(col, n, TR_T_STRING);
    bool keeps = false;
    for (size_t i = 0; i < n; i++)
        keeps |= label[i] == TR_CLASS_KEEP;
    if (ok && keeps) {
        ok = tr_grow(&r->old, &r->cap_old, n, sizeof *r->old);
        if (ok)
            tr_batch_expand_str(in, TR_COL_CLASS, r->old);
    }
    if (!ok)
        return false;
    col->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t id = TR_NO_STR;
        if (label[i] == TR_CLASS_KEEP)
            id = string(r, r->old[i]);
        else if (label[i] != TR_CLASS_NONE)
            id = r->labels[label[i]];
        bool has = id != TR_NO_STR;
        r->flags[i] = (uint8_t)((in->flags[i] & ~TR_HAS_CLASS) | (has ? TR_HAS_CLASS : 0));
        if (has)
            col->v.str[col->n++] = id;
    }
    return true;
}

static bool map_columns(struct tr_class_rewrite *r, const struct tr_batch *in)
{
    size_t n = in->n_cols > TR_N_DERIVED ? in->n_cols : TR_N_DERIVED, old = r->n_own;
    if (!tr_grow(&r->own, &r->cap_own, n, sizeof *r->own) ||
        !tr_grow(&r->cols, &r->cap_cols, n, sizeof *r->cols))
        return false;
    if (n > old) {
        memset(r->own + old, 0, (n - old) * sizeof *r->own);
        r->n_own = n;
    }
    for (size_t c = 0; c < n; c++) {
        r->cols[c] = c < in->n_cols ? in->cols[c] : (struct tr_col){ .n = 0 };
        if (c == TR_COL_CLASS || !r->cols[c].n || !tr_type_is_string(r->in->columns[c].type))
            continue;
        struct tr_col *own = &r->own[c];
        if (!tr_col_reserve(own, r->cols[c].n, TR_T_STRING))
            return false;
        for (size_t k = 0; k < r->cols[c].n; k++)
            own->v.str[k] = string(r, r->cols[c].v.str[k]);
        own->n = r->cols[c].n;
        r->cols[c] = *own;
    }
    r->batch.cols = r->cols;
    r->batch.n_cols = n;
    return true;
}

enum tr_status tr_class_rewrite_batch(struct tr_class_rewrite *r, const struct tr_batch *in, const uint32_t *label,
                                      const uint8_t *kind, const struct tr_batch **out, struct tr_error *err)
{
    enum tr_status st = tr_class_rewrite_sync(r, err);
    if (st != TR_OK)
        return st;
    r->batch = *in;
    if (!map_strings(r, in->name, in->n, &r->name, &r->cap_name) ||
        !map_strings(r, in->cat, in->n, &r->cat, &r->cap_cat) || !map_columns(r, in) ||
        !set_labels(r, in, label) || !tr_grow(&r->kind, &r->cap_kind, in->n, 1))
        return tr_fail_memory(err);
    if (in->n)
        memcpy(r->kind, kind, in->n);
    r->cols[TR_COL_CLASS] = r->own[TR_COL_CLASS];
    r->batch.dict = r->out;
    r->batch.name = r->name;
    r->batch.cat = r->cat;
    r->batch.flags = r->flags;
    r->batch.kind = r->kind;
    *out = &r->batch;
    return TR_OK;
}
