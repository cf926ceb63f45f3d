/* SPDX-License-Identifier: MIT */
/* Models applied to rows of operators, and rows joined. */
#include "analysis/roofline/tr_roofline.h"

#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set of arguments of an operator, and the results of its model for it. */
struct arguments {
    uint32_t name, dims, types, strides, args, step; /* numbers of strings of the stream */
    uint32_t backward;
};
struct tr__roofline_call {
    struct arguments of;
    struct tr_model_result result;
    uint32_t params;
};

void tr_roofline_free(struct tr_roofline *r)
{
    tr_spilling_free(&r->rows_in, r->rows);
    tr_spilling_free(&r->calls_in, r->calls);
    tr_hash_index_free(&r->row_of);
    tr_hash_index_free(&r->call_of);
    tr_buf_free(&r->name);
}

struct tr_str tr_roofline_text(const struct tr_roofline *r, uint32_t number)
{
    return number == TR_NO_STR ? tr_str_of(NULL)
                               : (struct tr_str){ tr_strtab_get(r->texts, number), tr_strtab_len(r->texts, number) };
}

/* The number of a text.  False: out of memory. */
static bool text_number(struct tr_roofline *r, struct tr_str text, uint32_t *number)
{
    *number = text.s ? tr_strtab_add(r->texts, text.s, text.len) : TR_NO_STR;
    return !text.s || *number != TR_NO_STR;
}

bool tr_roofline_name(const struct tr_dict *dict, uint32_t name, bool backward, struct tr_buf *out, struct tr_str *text)
{
    *text = tr_dict_text_if(dict, name);
    if (!backward || !text->s)
        return true;
    out->len = 0;
    bool ok = tr_buf_add_str(out, TR_ROOFLINE_BACKWARD) && tr_buf_add_text(out, *text);
    *text = (struct tr_str){ (const char *)out->data, out->len };
    return ok;
}

/* ---- sets of arguments ---- */

static enum tr_status apply(struct tr_roofline *r, const struct tr_model *model, struct tr__roofline_call *c,
                            struct tr_error *err)
{
    const struct tr_model_args args = { .op = tr_dict_text_if(r->dict, c->of.name),
                                        .dims = tr_dict_text_if(r->dict, c->of.dims),
                                        .types = tr_dict_text_if(r->dict, c->of.types),
                                        .strides = tr_dict_text_if(r->dict, c->of.strides),
                                        .concrete = tr_dict_text_if(r->dict, c->of.args),
                                        .step = tr_dict_text_if(r->dict, c->of.step) };
    struct tr_buf params = { 0 };
    bool wanted = !r->families && r->options->by & TR_ROOFLINE_PARAMS;
    enum tr_status st = tr_model_apply(model, &args, &c->result, wanted ? &params : NULL, err);
    c->params = TR_NO_STR;
    if (st == TR_OK && c->result.known && wanted &&
        !text_number(r, (struct tr_str){ (const char *)params.data, params.len }, &c->params))
        st = tr_fail_memory(err);
    tr_buf_free(&params);
    return st;
}

/* The results of an operator's model for a row's arguments; it is asked once for each set. */
static enum tr_status call_of(struct tr_roofline *r, const struct tr_operator_key *key, const struct tr_model *model,
                              size_t *call, struct tr_error *err)
{
    const struct arguments of = { tr_operator_model_name(key), key->dims, key->types, key->strides,
                                  key->args,                   key->step, key->backward };
    uint64_t hash = tr_hash(&of, sizeof of);
    struct tr_hash_walk walk = tr_hash_index_walk(&r->call_of, hash);
    tr_spilling_touched(&r->calls_in);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&r->calls[i].of, &of, sizeof of) == 0) {
            *call = i;
            return TR_OK;
        }
    if (!tr_spilling_grow(&r->calls_in, &r->calls, &r->cap_calls, r->n_calls + 1, sizeof *r->calls) ||
        r->n_calls >= TR_HASH_NONE - 1 || !tr_hash_index_add(&r->call_of, hash, (uint32_t)r->n_calls))
        return tr_fail_memory(err);
    *call = r->n_calls++;
    r->calls[*call] = (struct tr__roofline_call){ .of = of };
    return apply(r, model, &r->calls[*call], err);
}

/* ---- rows ---- */

static struct tr_roofline_row *row_of(struct tr_roofline *r, const struct tr_roofline_key *key)
{
    uint64_t hash = tr_hash(key, sizeof *key);
    struct tr_hash_walk walk = tr_hash_index_walk(&r->row_of, hash);
    tr_spilling_touched(&r->rows_in);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&r->rows[i].key, key, sizeof *key) == 0)
            return &r->rows[i];
    if (!tr_spilling_grow(&r->rows_in, &r->rows, &r->cap_rows, r->n_rows + 1, sizeof *r->rows) ||
        r->n_rows >= TR_HASH_NONE - 1 || !tr_hash_index_add(&r->row_of, hash, (uint32_t)r->n_rows))
        return NULL;
    r->rows[r->n_rows] = (struct tr_roofline_row){ .key = *key, .device = TR_STATS_INIT, .start = INT64_MAX,
                                                   .spec = TR_NO_STR };
    return &r->rows[r->n_rows++];
}

/* The minimum time of a call, ns; NaN: the peaks are not known.  *compute: bound by compute, not by memory. */
static double min_time(const struct tr_peaks *peaks, const struct tr_model_result *m, bool *compute)
{
    *compute = false;
    double tflops = peaks && m->spec[0] ? tr_peaks_of(peaks, m->spec) : 0;
    if (!peaks || !m->has_bytes || !m->has_flops || peaks->bandwidth <= 0 || (m->flops > 0 && tflops <= 0))
        return NAN;
    double memory = m->bytes / peaks->bandwidth, work = m->flops > 0 ? m->flops / tflops / 1000 : 0;
    *compute = work >= memory && work > 0;
    return *compute ? work : memory;
}

/* Add calls of one set of arguments to a row. */
static bool add_known(struct tr_roofline *r, struct tr_roofline_row *row, const struct tr_operator_owned *o,
                      const struct tr_model_result *m)
{
    double calls = (double)o->device.n, inverse = ldexp((double)o->inverse.hi, 64) + (double)o->inverse.lo;
    bool compute;
    double min = min_time(r->peaks, m, &compute);
    uint32_t spec;
    if (!text_number(r, tr_str_of(m->spec[0] ? m->spec : NULL), &spec))
        return false;
    row->spec = !row->known || row->spec == spec ? spec : TR_NO_STR;
    row->known += o->device.n;
    row->known_device = tr_time_sum(row->known_device, tr_stats_sum(&o->device));
    row->flops += m->has_flops ? m->flops * calls : NAN;
    row->bytes += m->has_bytes ? m->bytes * calls : NAN;
    row->per_flops += m->has_flops ? m->flops * ldexp(inverse, -64) : NAN;
    row->per_bytes += m->has_bytes ? m->bytes * ldexp(inverse, -64) : NAN;
    row->per_roofline += min * ldexp(inverse, -64);
    row->n_inverse += o->n_inverse;
    row->roofline += min * calls;
    row->compute_bound |= !isnan(min) && compute;
    row->memory_bound |= !isnan(min) && !compute;
    return true;
}

static enum tr_status key_of(struct tr_roofline *r, const struct tr_operator_key *k, const struct tr_model *model,
                             uint32_t params, struct tr_roofline_key *key, struct tr_error *err)
{
    unsigned by = r->families ? 0 : r->options->by;
    bool shape = by & TR_ROOFLINE_SHAPE;
    bool lost = r->families && k->name == TR_NO_STR; /* work of no operator */
    *key = (struct tr_roofline_key){ .group = k->group,
                                     .name = r->families ? TR_NO_STR : k->name,
                                     .dims = shape ? k->dims : TR_NO_STR,
                                     .types = shape ? k->types : TR_NO_STR,
                                     .strides = shape ? k->strides : TR_NO_STR,
                                     .args = shape ? k->args : TR_NO_STR,
                                     .params = by & TR_ROOFLINE_PARAMS ? params : TR_NO_STR,
                                     .thread = k->thread,
                                     .recompute = k->recompute,
                                     .backward = r->families ? 0 : k->backward };
    const char *family = model ? tr_model_family(model) : lost ? "(none)" : NULL;
    return text_number(r, tr_str_of(family), &key->family) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status add_row(struct tr_roofline *r, const struct tr_operator_key *k,
                              const struct tr_operator_owned *o, struct tr_error *err)
{
    struct tr_str name;
    if (!tr_roofline_name(r->dict, tr_operator_model_name(k), k->backward, &r->name, &name))
        return tr_fail_memory(err);
    const struct tr_model *model = tr_models_find(r->options->models, name);
    struct tr_roofline_key key;
    struct tr_roofline_row *row;
    size_t call = 0;
    enum tr_status st = model ? call_of(r, k, model, &call, err) : TR_OK;
    if (st == TR_OK)
        st = key_of(r, k, model, model ? r->calls[call].params : TR_NO_STR, &key, err);
    if (st != TR_OK)
        return st;
    if (!(row = row_of(r, &key)))
        return tr_fail_memory(err);
    row->pieces += o->pieces;
    row->host = tr_time_sum(row->host, o->host);
    tr_stats_merge(&row->device, &o->device);
    if (o->start < row->start || (o->start == row->start && o->record < row->record)) {
        row->start = o->start;
        row->record = o->record;
    }
    if (model && k->dims == TR_NO_STR)
        r->no_shapes += o->device.n;
    if (model && k->step == TR_NO_STR && tr_model_needs_step(model))
        r->no_step += o->device.n;
    return !model || !r->calls[call].result.known || add_known(r, row, o, &r->calls[call].result) ? TR_OK
                                                                                                 : tr_fail_memory(err);
}

enum tr_status tr_roofline_make(struct tr_roofline *r, const struct tr_operator_row *rows, size_t n,
                                struct tr_error *err)
{
    enum tr_status st = TR_OK;
    r->rows_in.spill = r->calls_in.spill = r->row_of.spill = r->call_of.spill = tr_strtab_spill(r->texts);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct tr_operator_owned *o = tr_operators_owned(r->operators, i);
        tr_operators_touched(r->operators);
        if (o)
            st = add_row(r, &rows[i].key, o, err);
    }
    return st;
}
