/* SPDX-License-Identifier: MIT */
/* Operators computed once for several analyses of a run. */
#include "analysis/operators/tr_operators_shared.h"

#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_operators_int.h"

#include <string.h>

/* ---- the computation ---- */

struct options {
    struct tr_group_by_opts work;
    unsigned by;
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    const struct options *o = options;
    struct tr_operators *a = NULL;
    enum tr_status st =
        tr_operators_new(&o->work, o->by, in->dict, in->summary, in->sorted, in->select, &a, err);
    if (st == TR_OK)
        tr_operators_sums_only(a);
    *state = a;
    return st;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    return tr_operators_feed(state, b, keep, err);
}

static void release(void *state)
{
    tr_operators_free(state);
}

static const struct tr_service service = {
    .name = "operators",
    .options_size = sizeof(struct options),
    .start = start,
    .feed = feed,
    .free = release,
};

enum tr_status tr_operators_shared_get(const struct tr_analysis_in *in, const struct tr_operators_shared *shared,
                                       struct tr_operators **operators, struct tr_error *err)
{
    struct options o;
    void *state = NULL;
    memset(&o, 0, sizeof o); /* services are compared by bytes */
    o.work.per = in->work.per;
    o.work.suspect = in->work.suspect;
    o.by = shared->by;
    enum tr_status st = tr_service_get(in, &service, &o, &state, err);
    *operators = state;
    return st;
}

/* ---- rows with fewer keys ---- */

static struct tr_operator_key key_of(const struct tr_operator_key *k, unsigned by)
{
    struct tr_operator_key key = TR_OPERATOR_KEY_INIT;
    key.group = k->group;
    key.name = k->name;
    if (by & TR_OPERATOR_SHAPE) {
        key.dims = k->dims;
        key.types = k->types;
        key.strides = k->strides;
    }
    key.args = by & TR_OPERATOR_ARGS ? k->args : TR_NO_STR;
    key.stack = by & TR_OPERATOR_STACK ? k->stack : UINT32_MAX;
    key.module = by & TR_OPERATOR_MODULE ? k->module : UINT32_MAX;
    key.thread = by & TR_OPERATOR_THREAD ? k->thread : UINT32_MAX;
    key.recompute = by & TR_OPERATOR_RECOMPUTE ? k->recompute : UINT32_MAX;
    if (by & TR_OPERATOR_KERNEL) {
        key.kernel = k->kernel;
        key.stream = k->stream;
    }
    key.position = by & TR_OPERATOR_POSITION ? k->position : UINT32_MAX;
    return key;
}

/* NULL: out of memory. */
static struct tr_operator_row *row_of(struct tr_operators_joined *j, const struct tr_operator_key *key)
{
    uint64_t hash = tr_hash(key, sizeof *key);
    struct tr_hash_walk walk = tr_hash_index_walk(&j->of, hash);
    tr_spilling_touched(&j->in);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&j->rows[i].key, key, sizeof *key) == 0)
            return &j->rows[i];
    if (j->n >= TR_HASH_NONE - 1 || !tr_spilling_grow(&j->in, &j->rows, &j->cap, j->n + 1, sizeof *j->rows) ||
        !tr_hash_index_add(&j->of, hash, (uint32_t)j->n))
        return NULL;
    j->rows[j->n] = (struct tr_operator_row){ .key = *key, .host = TR_TIME_NONE, .device = TR_TIME_NONE,
                                              .device_busy = TR_TIME_NONE };
    return &j->rows[j->n++];
}

enum tr_status tr_operators_join(struct tr_operators_joined *j, const struct tr_operators *a, unsigned by,
                                 const struct tr_operator_row *rows, size_t n, struct tr_error *err)
{
    j->in.spill = j->of.spill = a->rows_in.spill;
    for (size_t i = 0; i < n; i++) {
        const struct tr_operator_row *r = &rows[i];
        const struct tr_operator_key key = key_of(&r->key, by);
        struct tr_operator_row *to = row_of(j, &key);
        if (!to)
            return tr_fail_memory(err);
        to->calls += r->calls;
        to->kernels += r->kernels;
        to->kernels_below += r->kernels_below;
        to->host_self = tr_time_sum(to->host_self, r->host_self);
        to->device_self = tr_time_sum(to->device_self, r->device_self);
        to->device_self_busy = tr_time_sum(to->device_self_busy, r->device_self_busy);
        tr_operators_touched(a);
    }
    return TR_OK;
}

void tr_operators_joined_free(struct tr_operators_joined *j)
{
    tr_spilling_free(&j->in, j->rows);
    tr_hash_index_free(&j->of);
}
