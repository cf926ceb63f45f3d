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
    uint32_t inside, part; /* texts of the operators */
};
struct tr__roofline_call {
    struct arguments of;
    struct tr_model_result result;
    uint32_t params;
};

void tr_roofline_free(struct tr_roofline *r)
{
    tr_rows_free(r->rows);
    tr_spilling_free(&r->calls_in, r->calls);
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
                                        .step = tr_dict_text_if(r->dict, c->of.step),
                                        .inside = tr_operators_text(r->operators, c->of.inside) };
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
                                  key->args,                   key->step, key->backward, key->inside, key->part };
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
    if (!row->known)
        row->flops = row->bytes = row->roofline = 0;
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
                                     .backward = r->families ? 0 : k->backward,
                                     .api = r->families ? TR_NO_STR : k->api,
                                     .kernel = r->families ? TR_NO_STR : k->kernel,
                                     .node = r->families ? TR_I64_NONE : k->position };
    const char *family = model ? tr_model_family(model) : lost ? "(none)" : NULL;
    return text_number(r, tr_str_of(family), &key->family) ? TR_OK : tr_fail_memory(err);
}

/* The model of an operator, or of some of its kernels. */
static const struct tr_model *model_of(const struct tr_roofline *r, struct tr_str name, uint32_t part)
{
    size_t n;
    if (part == UINT32_MAX)
        return tr_models_find(r->options->models, name);
    const struct tr_model *const *parts = tr_models_parts(r->options->models, name, &n);
    for (size_t i = 0; i < n; i++)
        if (tr_str_cmp(tr_model_kernels(parts[i]), tr_operators_text(r->operators, part)) == 0)
            return parts[i];
    return NULL;
}

/* Add owned work to its row.  Real numbers are added up in the order of arguments, so that sums do not depend on that
 * of events. */
static enum tr_status add_row(void *self, const void *owned, const struct tr_str *texts, struct tr_error *err)
{
    struct tr_roofline *r = self;
    const struct tr_operator_owned *o = owned;
    const struct tr_operator_key *k = &o->key;
    (void)texts;
    struct tr_str name;
    if (!tr_roofline_name(r->dict, tr_operator_model_name(k), k->backward, &r->name, &name))
        return tr_fail_memory(err);
    const struct tr_model *model = model_of(r, name, k->part);
    struct tr_roofline_key key;
    struct tr_roofline_row *row;
    size_t call = 0;
    enum tr_status st = model ? call_of(r, k, model, &call, err) : TR_OK;
    if (st == TR_OK)
        st = key_of(r, k, model, model ? r->calls[call].params : TR_NO_STR, &key, err);
    if (st != TR_OK)
        return st;
    if (!(row = tr_rows_at(r->rows, &key)))
        return tr_fail_memory(err);
    if (!row->pieces)
        row->start = TR_I64_NONE;
    row->pieces += o->pieces;
    row->host = tr_time_sum(row->host, o->host);
    tr_stats_merge(&row->device, &o->device);
    if (o->start != TR_I64_NONE &&
        (row->start == TR_I64_NONE || o->start < row->start ||
         (o->start == row->start && o->record < (uint64_t)row->record))) {
        row->start = o->start;
        row->record = (int64_t)o->record;
    }
    if (model && k->dims == TR_NO_STR)
        r->no_shapes += o->device.n;
    if (model && k->step == TR_NO_STR && tr_model_needs_step(model))
        r->no_step += o->device.n;
    return !model || !r->calls[call].result.known || add_known(r, row, o, &r->calls[call].result) ? TR_OK
                                                                                                 : tr_fail_memory(err);
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* The figures of a row, of which all calls are known. */
static void complete(struct tr_roofline_row *r)
{
    const double ns = (double)r->known_device, n = (double)r->n_inverse;
    int64_t device = tr_stats_sum(&r->device);
    bool known = r->known > 0, whole = device && device != TR_TIME_NONE;
    /* Work without launches can be a call of what it names, but is of no call of the host. */
    bool called = r->start != TR_I64_NONE, counted = called || known || r->key.name != TR_NO_STR;
    r->calls = counted ? (int64_t)r->device.n : TR_I64_NONE;
    r->host = called ? r->host : TR_TIME_NONE;
    r->record = called ? r->record : TR_I64_NONE;
    r->model_pct = !known ? (device > 0 ? 0 : NAN)
                   : whole && r->known_device != TR_TIME_NONE ? 100.0 * ns / (double)device : NAN;
    r->flop_per_byte = known ? quotient(r->flops, r->bytes) : NAN;
    r->tflops = known ? quotient(r->flops, ns * 1000) : NAN;
    r->tb_s = known ? quotient(r->bytes, ns * 1000) : NAN;
    r->roofline_pct = known ? quotient(100 * r->roofline, ns) : NAN;
    r->suspect = r->roofline_pct > 100;
    r->tflops_mean = known ? quotient(r->per_flops / 1000, n) : NAN;
    r->tb_s_mean = known ? quotient(r->per_bytes / 1000, n) : NAN;
    r->roofline_mean_pct = known ? quotient(r->per_roofline * 100, n) : NAN;
    r->bound = !known || isnan(r->roofline) ? TR_BOUND_UNKNOWN
               : !r->compute_bound          ? TR_BOUND_MEMORY
               : r->memory_bound            ? TR_BOUND_MIXED
                                            : TR_BOUND_COMPUTE;
}

enum tr_status tr_roofline_make(struct tr_roofline *r, struct tr_error *err)
{
    r->calls_in.spill = r->call_of.spill = tr_strtab_spill(r->texts);
    enum tr_status st = tr_rows_each(tr_operators_owned(r->operators),
                                     "name,shapes,dtypes,strides,args,thread,recompute,step,model,backward,api,kernel,"
                                     "node,inside,part", add_row, r,
                                     err);
    for (size_t i = 0; i < tr_rows_count(r->rows); i++)
        complete(tr_rows_get(r->rows, i));
    return st;
}
