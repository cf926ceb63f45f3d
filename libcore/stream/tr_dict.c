/* SPDX-License-Identifier: MIT */
/* The dictionaries of a stream: strings, columns, shapes, tracks, sources. */
#include "stream/tr_dict.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key;
    uint8_t type, flag;
} derived[TR_N_DERIVED] = {
    [TR_COL_LAUNCH_TS] = { "launch_ts", TR_T_INT, TR_HAS_LAUNCH },
    [TR_COL_LAUNCH_DUR] = { "launch_dur", TR_T_INT, TR_HAS_LAUNCH },
    [TR_COL_LAUNCH_RECORD] = { "launch_record", TR_T_INT, TR_HAS_LAUNCH },
    [TR_COL_LAUNCH_TRACK] = { "launch_track", TR_T_INT, TR_HAS_LAUNCH },
    [TR_COL_LAUNCH_NAME] = { "launch_name", TR_T_STRING, TR_HAS_LAUNCH },
    [TR_COL_N_DEVICE] = { "n_device", TR_T_INT, TR_HAS_DEVICE },
    [TR_COL_CLASS] = { "class", TR_T_STRING, TR_HAS_CLASS },
    [TR_COL_END_RECORD] = { "end_record", TR_T_INT, TR_FROM_BE },
    [TR_COL_TS_PS] = { "ts_ps", TR_T_INT, TR_HAS_PS },
    [TR_COL_DUR_PS] = { "dur_ps", TR_T_INT, TR_HAS_PS },
    [TR_COL_GRAPH_ID] = { "graph_id", TR_T_INT, TR_HAS_GRAPH },
    [TR_COL_GRAPH_NODE] = { "graph_node", TR_T_INT, TR_HAS_GRAPH },
};

struct tr_dict *tr_dict_new(void)
{
    return tr_dict_new_in(NULL);
}

struct tr_dict *tr_dict_like(const struct tr_dict *d)
{
    return tr_dict_new_in(tr_strtab_spill(d->strings));
}

struct tr_dict *tr_dict_new_in(struct tr_spill *spill)
{
    struct tr_dict *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->strings = tr_strtab_new_in(spill);
    if (!d->strings)
        goto fail;
    for (unsigned i = 0; i < TR_N_DERIVED; i++) {
        struct tr_column c = {
            .key = tr_strtab_add(d->strings, derived[i].key, strlen(derived[i].key)),
            .place = TR_PLACE_DERIVED,
            .type = derived[i].type,
            .flag = derived[i].flag,
        };
        if (c.key == TR_NO_STR || tr_dict_add_column(d, &c) == UINT32_MAX)
            goto fail;
    }
    return d;
fail:
    tr_dict_free(d);
    return NULL;
}

void tr_dict_free(struct tr_dict *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n_shapes; i++)
        free(d->shapes[i].slots);
    for (size_t i = 0; i < d->n_sources; i++) {
        free(d->sources[i].header_keys);
        free(d->sources[i].header_values);
    }
    for (size_t i = 0; i < d->n_clocks; i++) {
        free(d->clocks[i].fixes);
        free(d->clocks[i].step_fixes);
    }
    if (d->free_names)
        d->free_names(d->names);
    tr_strtab_free(d->strings);
    tr_hash_index_free(&d->column_index.rows);
    tr_hash_index_free(&d->shape_index.rows);
    free(d->clocks);
    free(d->columns);
    free(d->shapes);
    free(d->tracks);
    free(d->sources);
    free(d);
}

/* Room for one more row; the last number is kept free because it means "none". */
static bool room(void *rows, size_t n, size_t *cap, size_t elem)
{
    return n < UINT32_MAX - 1 && tr_grow(rows, cap, n + 1, elem);
}

uint32_t tr_dict_add_column(struct tr_dict *d, const struct tr_column *c)
{
    if (!room(&d->columns, d->n_columns, &d->cap_columns, sizeof *d->columns))
        return UINT32_MAX;
    d->columns[d->n_columns] = *c;
    return (uint32_t)d->n_columns++;
}

/* A copy of n elements to *out (NULL for none).  False: out of memory. */
static bool copy_array(void *out, const void *from, size_t n, size_t elem)
{
    void *copy = NULL;
    if (n) {
        if (n > SIZE_MAX / elem)
            return false;
        copy = malloc(n * elem);
        if (!copy)
            return false;
        memcpy(copy, from, n * elem);
    }
    memcpy(out, &copy, sizeof copy); /* out is the address of some typed pointer */
    return true;
}

uint32_t tr_dict_add_shape(struct tr_dict *d, const struct tr_shape *s)
{
    struct tr_shape copy = *s;
    if (!room(&d->shapes, d->n_shapes, &d->cap_shapes, sizeof *d->shapes) ||
        !copy_array(&copy.slots, s->slots, s->n_slots, sizeof *s->slots))
        return UINT32_MAX;
    d->shapes[d->n_shapes] = copy;
    return (uint32_t)d->n_shapes++;
}

/* ---- distinct rows ---- */

static uint64_t hash_column(const struct tr_column *c)
{
    const uint32_t content[] = { c->key, c->place, c->type };
    return tr_hash(content, sizeof content);
}

static bool same_column(const struct tr_column *a, const struct tr_column *b)
{
    return a->key == b->key && a->place == b->place && a->type == b->type;
}

static uint64_t hash_shape(const struct tr_shape *s)
{
    uint64_t hash = (unsigned char)s->ph;
    for (uint32_t i = 0; i < s->n_slots; i++) {
        const struct tr_slot *slot = &s->slots[i];
        const uint64_t content[] = { hash, (uint64_t)slot->key << 32 | slot->column,
                                     (uint64_t)slot->place << 16 | (uint64_t)slot->role << 8 | slot->type };
        hash = tr_hash(content, sizeof content);
    }
    return hash;
}

static bool same_shape(const struct tr_shape *a, const struct tr_shape *b)
{
    bool same = a->ph == b->ph && a->n_slots == b->n_slots;
    for (uint32_t i = 0; same && i < a->n_slots; i++) {
        const struct tr_slot *x = &a->slots[i], *y = &b->slots[i];
        same = x->key == y->key && x->column == y->column && x->place == y->place && x->role == y->role &&
               x->type == y->type;
    }
    return same;
}

uint32_t tr_dict_need_column(struct tr_dict *d, const struct tr_column *c)
{
    struct tr_dict_index *x = &d->column_index;
    uint32_t i;
    for (; x->n < d->n_columns; x->n++)
        if (!tr_hash_index_add(&x->rows, hash_column(&d->columns[x->n]), (uint32_t)x->n))
            return UINT32_MAX;
    struct tr_hash_walk walk = tr_hash_index_walk(&x->rows, hash_column(c));
    while ((i = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (same_column(&d->columns[i], c))
            return i;
    return tr_dict_add_column(d, c);
}

uint32_t tr_dict_need_shape(struct tr_dict *d, const struct tr_shape *s)
{
    struct tr_dict_index *x = &d->shape_index;
    uint32_t i;
    for (; x->n < d->n_shapes; x->n++)
        if (!tr_hash_index_add(&x->rows, hash_shape(&d->shapes[x->n]), (uint32_t)x->n))
            return UINT32_MAX;
    struct tr_hash_walk walk = tr_hash_index_walk(&x->rows, hash_shape(s));
    while ((i = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (same_shape(&d->shapes[i], s))
            return i;
    return tr_dict_add_shape(d, s);
}

/* ---- tracks, sources, clocks ---- */

size_t tr_track_digits(unsigned type, int64_t id, char text[TR_TRACK_DIGITS])
{
    int n = type == TR_T_UINT ? snprintf(text, TR_TRACK_DIGITS, "%" PRIu64, (uint64_t)id)
                              : snprintf(text, TR_TRACK_DIGITS, "%" PRId64, id);
    return (size_t)n;
}

uint32_t tr_dict_add_track(struct tr_dict *d, const struct tr_track *t)
{
    if (!room(&d->tracks, d->n_tracks, &d->cap_tracks, sizeof *d->tracks))
        return UINT32_MAX;
    d->tracks[d->n_tracks] = *t;
    return (uint32_t)d->n_tracks++;
}

uint32_t tr_dict_add_source(struct tr_dict *d, const struct tr_source *s)
{
    struct tr_source copy = *s;
    copy.header_keys = copy.header_values = NULL;
    if (!room(&d->sources, d->n_sources, &d->cap_sources, sizeof *d->sources) ||
        !copy_array(&copy.header_keys, s->header_keys, s->n_header, sizeof *s->header_keys) ||
        !copy_array(&copy.header_values, s->header_values, s->n_header, sizeof *s->header_values)) {
        free(copy.header_keys);
        return UINT32_MAX;
    }
    d->sources[d->n_sources] = copy;
    return (uint32_t)d->n_sources++;
}

bool tr_dict_one_file(const struct tr_dict *d)
{
    bool one = d->n_sources > 0;
    for (size_t i = 1; i < d->n_sources; i++)
        one &= d->sources[i].of_file;
    return one;
}

bool tr_dict_aligned(const struct tr_dict *d)
{
    for (size_t t = 0; t < d->n_tracks; t++) {
        const struct tr_clock *c = tr_dict_clock(d, (uint32_t)t);
        if (!c || c->domain)
            return false;
    }
    return d->n_tracks > 0;
}

uint32_t tr_dict_add_clock(struct tr_dict *d, const struct tr_clock *c)
{
    struct tr_clock copy = *c;
    copy.fixes = NULL;
    copy.step_fixes = NULL;
    copy.cap_fixes = c->n_fixes;
    copy.cap_step_fixes = c->n_step_fixes;
    if (!room(&d->clocks, d->n_clocks, &d->cap_clocks, sizeof *d->clocks) ||
        !copy_array(&copy.fixes, c->fixes, c->n_fixes, sizeof *c->fixes) ||
        !copy_array(&copy.step_fixes, c->step_fixes, c->n_step_fixes, sizeof *c->step_fixes)) {
        free(copy.fixes);
        return UINT32_MAX;
    }
    d->clocks[d->n_clocks] = copy;
    return (uint32_t)d->n_clocks++;
}

uint32_t tr_dict_add_domain(struct tr_dict *d, uint32_t source)
{
    const struct tr_clock c = { .source = source, .domain = true, .frame = -1, .first_ts = TR_TIME_NONE,
                                .last_end = TR_TIME_NONE };
    return tr_dict_add_clock(d, &c);
}

struct tr_dict_state tr_dict_state(const struct tr_dict *d)
{
    return (struct tr_dict_state){ tr_strtab_count(d->strings), d->n_columns, d->n_shapes, d->n_tracks, d->n_clocks };
}

bool tr_dict_follow(struct tr_dict *copy, const struct tr_dict *d, const struct tr_dict_state *state)
{
    bool ok = true;
    for (uint32_t i = tr_strtab_count(copy->strings); ok && i < state->n_strings; i++)
        ok = tr_strtab_add_new(copy->strings, tr_strtab_get(d->strings, i), tr_strtab_len(d->strings, i)) == i;
    while (ok && copy->n_columns < state->n_columns)
        ok = tr_dict_add_column(copy, &d->columns[copy->n_columns]) != UINT32_MAX;
    while (ok && copy->n_shapes < state->n_shapes)
        ok = tr_dict_add_shape(copy, &d->shapes[copy->n_shapes]) != UINT32_MAX;
    while (ok && copy->n_clocks < state->n_clocks)
        ok = tr_dict_add_clock(copy, &d->clocks[copy->n_clocks]) != UINT32_MAX;
    while (ok && copy->n_tracks < state->n_tracks)
        ok = tr_dict_add_track(copy, &d->tracks[copy->n_tracks]) != UINT32_MAX;
    return ok;
}

struct tr_dict *tr_dict_copy(const struct tr_dict *d)
{
    const struct tr_dict_state state = tr_dict_state(d);
    struct tr_dict *copy = tr_dict_like(d);
    bool ok = copy && tr_dict_follow(copy, d, &state);
    for (size_t i = 0; ok && i < d->n_sources; i++)
        ok = tr_dict_add_source(copy, &d->sources[i]) != UINT32_MAX;
    if (!ok) {
        tr_dict_free(copy);
        return NULL;
    }
    return copy;
}

size_t tr_dict_find_columns(const struct tr_dict *d, enum tr_place place, const char *key,
                            uint32_t *out, size_t max)
{
    uint32_t id = tr_strtab_find(d->strings, key, strlen(key));
    size_t n = 0;
    if (id == TR_NO_STR)
        return 0;
    for (size_t i = 0; i < d->n_columns && n < max; i++)
        if (d->columns[i].key == id && d->columns[i].place == place)
            out[n++] = (uint32_t)i;
    return n;
}

const char *tr_dict_str(const struct tr_dict *d, uint32_t id)
{
    return id == TR_NO_STR ? "" : tr_strtab_get(d->strings, id);
}

struct tr_str tr_dict_text(const struct tr_dict *d, uint32_t id)
{
    struct tr_str text = { "", 0 };
    if (id != TR_NO_STR)
        text = (struct tr_str){ tr_strtab_get(d->strings, id), tr_strtab_len(d->strings, id) };
    return text;
}

struct tr_str tr_dict_text_if(const struct tr_dict *d, uint32_t id)
{
    return id == TR_NO_STR ? tr_str_of(NULL) : tr_dict_text(d, id);
}

double tr_decimal_double(int64_t d)
{
    static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    int64_t m = tr_decimal_mantissa(d);
    unsigned scale = tr_decimal_scale(d);
    /* Both numbers are exact in a double, so one division rounds correctly.  Otherwise, convert it as text. */
    if (m > -(INT64_C(1) << 53) && m < (INT64_C(1) << 53) && scale < sizeof ten / sizeof *ten)
        return (double)m / ten[scale];
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 "e-%u", m, scale);
    double v = 0;
    tr_num_decimal(text, &v);
    return v;
}
