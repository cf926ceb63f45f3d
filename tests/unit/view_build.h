/* SPDX-License-Identifier: MIT */
/*
 * Events by hand, for tests of what shows them: a dictionary and a batch that grow together.
 * Every function ends the test when memory runs out.
 */
#ifndef VIEW_BUILD_H
#define VIEW_BUILD_H

#include "base/tr_mem.h"
#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed;

static inline void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

/* Text is as expected; if not, both are shown line by line. */
static inline void same(const struct tr_buf *got, const char *expected, const char *what)
{
    bool good =
        got->len == strlen(expected) && (!got->len || !memcmp(got->data, expected, got->len));
    ok(good, what);
    if (good)
        return;
    printf("# got:\n# ");
    for (size_t i = 0; i < got->len; i++)
        printf(got->data[i] == '\n' ? "\n# " : "%c", got->data[i]);
    printf("\n# expected:\n# ");
    for (const char *p = expected; *p; p++)
        printf(*p == '\n' ? "\n# " : "%c", *p);
    printf("\n");
}

static inline void need(bool good)
{
    if (!good) {
        printf("Bail out! out of memory\n");
        exit(1);
    }
}

struct build {
    struct tr_dict *dict;
    struct tr_batch *batch;
    struct tr_slot slots[32];
    uint32_t n_slots;
};

static inline void build_start(struct build *t)
{
    memset(t, 0, sizeof *t);
    t->dict = tr_dict_new();
    t->batch = tr_batch_new();
    need(t->dict && t->batch);
    t->batch->dict = t->dict;
}

static inline void build_end(struct build *t)
{
    tr_batch_free(t->batch);
    tr_dict_free(t->dict);
}

static inline uint32_t str(struct build *t, const char *s)
{
    uint32_t id = tr_strtab_add(t->dict->strings, s, strlen(s));
    need(id != TR_NO_STR);
    return id;
}

/* Add to the shape in the making: a member with a role, or one in a packed column. */
static inline void role(struct build *t, const char *key, enum tr_role r, enum tr_type type)
{
    t->slots[t->n_slots++] =
        (struct tr_slot){ str(t, key), UINT32_MAX, TR_PLACE_TOP, (uint8_t)r, (uint8_t)type };
}

static inline void member(struct build *t, enum tr_place place, const char *key, enum tr_type type)
{
    uint32_t id = str(t, key), column = UINT32_MAX;
    for (uint32_t i = 0; i < t->dict->n_columns; i++)
        if (t->dict->columns[i].key == id && t->dict->columns[i].place == place &&
            t->dict->columns[i].type == type)
            column = i;
    if (column == UINT32_MAX && tr_type_has_entry(type)) {
        struct tr_column c = { id, (uint8_t)place, (uint8_t)type, 0 };
        column = tr_dict_add_column(t->dict, &c);
        need(column != UINT32_MAX);
    }
    t->slots[t->n_slots++] =
        (struct tr_slot){ id, column, (uint8_t)place, TR_ROLE_COLUMN, (uint8_t)type };
}

static inline uint32_t shape(struct build *t, char ph)
{
    struct tr_shape s = { .slots = t->slots, .n_slots = t->n_slots, .ph = ph };
    uint32_t id = tr_dict_add_shape(t->dict, &s);
    need(id != UINT32_MAX);
    t->n_slots = 0;
    return id;
}

/* ph, cat, name, pid, tid, ts, dur: what most shapes start with; 0 in with leaves dur out. */
static inline void usual(struct build *t, bool with_cat, bool with_dur)
{
    role(t, "ph", TR_ROLE_PHASE, TR_T_STRING);
    if (with_cat)
        role(t, "cat", TR_ROLE_CAT, TR_T_STRING);
    role(t, "name", TR_ROLE_NAME, TR_T_STRING);
    role(t, "pid", TR_ROLE_PID, TR_T_INT);
    role(t, "tid", TR_ROLE_TID, TR_T_INT);
    role(t, "ts", TR_ROLE_TS, TR_T_INT);
    if (with_dur)
        role(t, "dur", TR_ROLE_DUR, TR_T_INT);
}

static inline uint32_t source(struct build *t, int64_t rank)
{
    struct tr_source s = { .rank = rank, .name = TR_NO_STR, .host = TR_NO_STR, .mesh = TR_NO_STR, .job = TR_NO_STR };
    s.format = str(t, "kineto");
    uint32_t id = tr_dict_add_source(t->dict, &s);
    need(id != UINT32_MAX);
    return id;
}

static inline void header(struct build *t, uint32_t src, const char *key, const char *value)
{
    struct tr_source *s = &t->dict->sources[src];
    s->header_keys = realloc(s->header_keys, (s->n_header + 1) * sizeof *s->header_keys);
    s->header_values = realloc(s->header_values, (s->n_header + 1) * sizeof *s->header_values);
    need(s->header_keys && s->header_values);
    s->header_keys[s->n_header] = str(t, key);
    s->header_values[s->n_header++] = str(t, value);
}

static inline uint32_t track(struct build *t, uint32_t src, int64_t pid, int64_t tid,
                             int64_t device, int64_t stream)
{
    struct tr_track k = {
        .source = src,
        .side = device == TR_I64_NONE ? TR_SIDE_HOST : TR_SIDE_DEVICE,
        .pid_type = TR_T_INT,
        .tid_type = TR_T_INT,
        .pid = pid,
        .tid = tid,
        .device = device,
        .context = TR_I64_NONE,
        .stream = stream,
        .process_name = TR_NO_STR,
        .thread_name = TR_NO_STR,
        .labels = TR_NO_STR,
        .process_sort = TR_I64_NONE,
        .thread_sort = TR_I64_NONE,
    };
    uint32_t id = tr_dict_add_track(t->dict, &k);
    need(id != UINT32_MAX);
    return id;
}

/* Add an event; the caller changes what is not usual, by the index returned. */
static inline size_t event(struct build *t, uint32_t shp, uint32_t trk, const char *name,
                           int64_t ts, int64_t dur)
{
    struct tr_batch *b = t->batch;
    need(tr_batch_reserve(b, b->n + 1));
    size_t i = b->n++;
    b->ts[i] = ts;
    b->dur[i] = dur;
    b->record[i] = i;
    b->track[i] = trk;
    b->shape[i] = shp;
    b->name[i] = str(t, name);
    b->cat[i] = TR_NO_STR;
    b->phase[i] = TR_SPAN;
    b->activity[i] = TR_ACT_OTHER;
    b->kind[i] = b->suspect[i] = b->flags[i] = 0;
    return i;
}

/* Append an entry to a packed column: a number as stored, or the number of a string. */
static inline void put(struct build *t, uint32_t column, int64_t value)
{
    enum tr_type type = (enum tr_type)t->dict->columns[column].type;
    need(tr_batch_reserve_cols(t->batch, t->dict->n_columns));
    struct tr_col *c = &t->batch->cols[column];
    need(tr_col_reserve(c, c->n + 1, type));
    if (tr_type_is_string(type))
        c->v.str[c->n++] = (uint32_t)value;
    else
        c->v.i64[c->n++] = value;
}

/* The same by the place of the member in the shape of the event added last. */
static inline void put_at(struct build *t, uint32_t slot, int64_t value)
{
    put(t, t->dict->shapes[t->batch->shape[t->batch->n - 1]].slots[slot].column, value);
}

static inline void put_str_at(struct build *t, uint32_t slot, const char *s)
{
    put_at(t, slot, str(t, s));
}

#endif
