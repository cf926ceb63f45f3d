/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: products of matrices, convolutions and attention among the instructions of a program, with what a
 * model needs to know about them (tr-models(5)).
 *
 *   xla::gemm                  batch, m, n, k, whether there is a bias, types of both operands and of the result
 *   xla::convolution, xla::convolution_backward_input, xla::convolution_backward_filter
 *                              input (batch, features, then space), filter (results, features, space), result, strides,
 *                              padding, dilation, groups, pairs of a place of the result and one of the filter, whether
 *                              there is a bias, types of input, filter and result
 *   xla::attention, xla::attention_backward
 *                              batch, queries, their heads, keys, their heads, size of a key, of a value, whether the
 *                              mask is causal, the type
 *
 * These are computed from shapes and dimension numbers, which custom calls have in their backend config.
 */
#include "formats/xplane/tr_xplane_int.h"

#include "base/tr_num.h"
#include "json/tr_json_tok.h"
#include "json/tr_json_write.h"

enum { INSTRUCTION_WINDOW = 15, INSTRUCTION_CONVOLUTION = 16, INSTRUCTION_DOT = 30, INSTRUCTION_OPERANDS = 36,
       INSTRUCTION_FEATURE_GROUPS = 50, INSTRUCTION_BATCH_GROUPS = 58 };
enum { DOT_A_CONTRACTED = 1, DOT_B_CONTRACTED = 2, DOT_A_BATCH = 3, DOT_B_BATCH = 4 };
enum { CONV_W_IN = 3, CONV_W_OUT = 4, CONV_W_SPACE = 6, CONV_X_BATCH = 7, CONV_X_FEATURE = 8, CONV_Y_BATCH = 9,
       CONV_Y_FEATURE = 10, CONV_X_SPACE = 11, CONV_Y_SPACE = 12 };
enum { WINDOW_DIMENSION = 1, DIM_SIZE = 1, DIM_STRIDE = 2, DIM_PADDING = 3, DIM_DILATION = 5, DIM_BASE_DILATION = 6 };

#define MAX_DIMS     12u
#define MAX_OPERANDS 4u
#define MAX_PLACES   4096 /* of a window that is counted place by place */

struct dims {
    int64_t v[MAX_DIMS];
    unsigned n;
};

struct array {
    struct dims dims;
    struct tr_str type;
};

/* An instruction that may be one of these. */
struct cost {
    struct tr__xplane_reader *r;
    const struct tr__hlo_cost_in *in;
    struct array operands[MAX_OPERANDS], result;
    unsigned n_operands;
    struct tr_json_doc j;
};

/* ---- shapes ---- */

/* A product that does not fit becomes -1, and stays so. */
static int64_t times(int64_t a, int64_t b)
{
    return a < 0 || b < 0 || (b && a > INT64_MAX / b) ? -1 : a * b;
}

static int64_t product(const struct dims *d)
{
    int64_t p = 1;
    for (unsigned i = 0; i < d->n; i++)
        p = times(p, d->v[i]);
    return p;
}

/* Of a tuple its first part.  False: too many dimensions, or numbers that are too large. */
static bool read_array(const struct tr__xplane_reader *r, uint32_t dims, uint32_t type, struct array *a)
{
    struct tr_str d = tr__xplane_str(r, dims), t = tr__xplane_str(r, type);
    size_t i = 0, n = 0;
    a->dims.n = 0;
    while (i < d.len && d.s[i] == '[')
        i++;
    while (i < d.len && d.s[i] != ']') {
        uint64_t v = 0;
        size_t len = tr_num_digits(d.s + i, d.len - i, (uint64_t)1 << 40, &v, NULL);
        if (len && (a->dims.n == MAX_DIMS || v == (uint64_t)1 << 40))
            return false;
        if (len)
            a->dims.v[a->dims.n++] = (int64_t)v;
        i += len ? len : 1;
    }
    for (i = 0; i < t.len && t.s[i] == '('; i++)
        ;
    while (i + n < t.len && t.s[i + n] != ',' && t.s[i + n] != ')')
        n++;
    a->type = (struct tr_str){ t.len ? t.s + i : "", n };
    return d.len > 0;
}

static bool read_operands(struct cost *c)
{
    const struct tr__hlo_part *part = &c->r->part;
    struct tr__proto m = c->in->whole;
    uint64_t id;
    while (tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_OPERANDS)
            continue;
        for (const unsigned char *p = NULL; tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(&part->of, id);
            if (c->n_operands == MAX_OPERANDS)
                return true;
            if (at == UINT32_MAX ||
                !read_array(c->r, part->shapes[at].dims, part->shapes[at].type, &c->operands[c->n_operands++]))
                return false;
        }
    }
    return true;
}

/* The sizes of an array at some of its places, in their order.  False: there is no such place. */
static bool pick(const struct dims *of, const struct dims *places, struct dims *out)
{
    out->n = 0;
    for (unsigned i = 0; i < places->n; i++) {
        if (places->v[i] < 0 || places->v[i] >= of->n)
            return false;
        out->v[out->n++] = of->v[places->v[i]];
    }
    return true;
}

static bool add_number(struct dims *d, uint64_t v)
{
    if (d->n == MAX_DIMS || v > INT32_MAX)
        return false;
    d->v[d->n++] = (int64_t)v;
    return true;
}

/* Add the numbers of a field to a list. */
static bool add_numbers(const struct tr__proto *m, struct dims *d)
{
    uint64_t v;
    bool ok = true;
    for (const unsigned char *p = NULL; ok && tr__proto_element(m, &p, TR__WIRE_VARINT, &v);)
        ok = add_number(d, v);
    return ok;
}

/* ---- the result ---- */

static bool put_dims(struct tr_json_doc *j, const struct dims *d)
{
    bool ok = tr_json_doc_open(j, '[');
    for (unsigned i = 0; ok && i < d->n; i++)
        ok = tr_json_doc_i64(j, d->v[i]);
    return ok && tr_json_doc_close(j);
}

static bool start_cost(struct cost *c)
{
    c->r->json.len = 0;
    c->j = (struct tr_json_doc){ .out = &c->r->json };
    return tr_json_doc_open(&c->j, '[');
}

/* False: out of memory. */
static bool end(struct cost *c, const char *operation, uint32_t *to, uint32_t *values)
{
    if (!tr_json_doc_close(&c->j))
        return false;
    *values = tr__xplane_string(c->r, c->r->json.data, c->r->json.len);
    *to = tr__xplane_string(c->r, (const unsigned char *)operation, strlen(operation));
    return *values != TR_NO_STR && *to != TR_NO_STR;
}

/* ---- backend configs ---- */

/* The object in a config: below the member of this name if there is one, else all of it. */
static bool read_config(struct cost *c, const char *member, size_t *object)
{
    struct tr_json_tokens *t = &c->r->part.tokens;
    struct tr_str text = c->in->backend;
    *object = 0;
    if (!text.len || !tr_json_tokenize(t, text.s, text.len) || !t->n || t->tok[0].kind != TR_JSON_OBJECT)
        return false;
    size_t in = tr_json_member(t, text.s, 0, member);
    *object = in && t->tok[in].kind == TR_JSON_OBJECT ? in : 0;
    return true;
}

static struct tr_str member_of(const struct cost *c, size_t object, const char *key)
{
    const struct tr_json_tokens *t = &c->r->part.tokens;
    size_t at = tr_json_member(t, c->in->backend.s, object, key);
    if (!at)
        return (struct tr_str){ "", 0 };
    return (struct tr_str){ c->in->backend.s + t->tok[at].start, (size_t)(t->tok[at].end - t->tok[at].start) };
}

/* A list of numbers, which may be texts; one that is not there is empty.  False: it is none. */
static bool list_of(const struct cost *c, size_t object, const char *key, struct dims *d)
{
    const struct tr_json_tokens *t = &c->r->part.tokens;
    size_t at = tr_json_member(t, c->in->backend.s, object, key);
    d->n = 0;
    if (!at)
        return true;
    if (t->tok[at].kind != TR_JSON_ARRAY)
        return false;
    size_t i = at + 1;
    for (int k = 0; k < t->tok[at].size; k++, i = tr_json_next(t, i)) {
        uint64_t v = 0;
        size_t len = (size_t)(t->tok[i].end - t->tok[i].start);
        if (tr_num_digits(c->in->backend.s + t->tok[i].start, len, INT32_MAX, &v, NULL) != len || !add_number(d, v))
            return false;
    }
    return true;
}

/* ---- products of matrices ---- */

struct contraction {
    struct dims a, b, a_batch, b_batch; /* places */
    bool bias;
};

/* sizes: batch, m, n, k */
static bool put_product(struct cost *c, const int64_t sizes[4], bool bias, const struct array *a, const struct array *b,
                        uint32_t *to, uint32_t *values)
{
    bool ok = start_cost(c);
    for (unsigned i = 0; ok && i < 4; i++)
        ok = tr_json_doc_i64(&c->j, sizes[i]);
    return ok && tr_json_doc_bool(&c->j, bias) && tr_json_doc_str(&c->j, a->type) && tr_json_doc_str(&c->j, b->type) &&
           tr_json_doc_str(&c->j, c->result.type) && end(c, "xla::gemm", to, values);
}

static bool put_gemm(struct cost *c, const struct contraction *d, uint32_t *to, uint32_t *values)
{
    const struct array *a = &c->operands[0], *b = &c->operands[1];
    struct dims k, batch, kb, bb;
    if (c->n_operands < 2 || !pick(&a->dims, &d->a, &k) || !pick(&a->dims, &d->a_batch, &batch) ||
        !pick(&b->dims, &d->b, &kb) || !pick(&b->dims, &d->b_batch, &bb))
        return true;
    int64_t n_k = product(&k), n_batch = product(&batch), both = times(n_k, n_batch);
    if (both <= 0 || product(&kb) != n_k || product(&bb) != n_batch || product(&a->dims) < 0 || product(&b->dims) < 0)
        return true;
    const int64_t sizes[] = { n_batch, product(&a->dims) / both, product(&b->dims) / both, n_k };
    return put_product(c, sizes, d->bias, a, b, to, values);
}

static bool take_dot(struct cost *c, struct tr__proto m, uint32_t *to, uint32_t *values)
{
    struct contraction d = { .bias = false };
    while (tr__proto_next(&m)) {
        struct dims *list = m.field == DOT_A_CONTRACTED   ? &d.a
                            : m.field == DOT_B_CONTRACTED ? &d.b
                            : m.field == DOT_A_BATCH      ? &d.a_batch
                            : m.field == DOT_B_BATCH      ? &d.b_batch
                                                          : NULL;
        if (list && !add_numbers(&m, list))
            return true;
    }
    return put_gemm(c, &d, to, values);
}

/* __cublas$gemm, __cublas$lt$matmul, __cublas$lt$matmul$f8 */
static bool take_cublas(struct cost *c, uint32_t *to, uint32_t *values)
{
    struct contraction d = { .bias = false };
    size_t config, dot;
    if (!read_config(c, "gemm_backend_config", &config))
        return true;
    dot = tr_json_member(&c->r->part.tokens, c->in->backend.s, config, "dot_dimension_numbers");
    if (!dot || c->r->part.tokens.tok[dot].kind != TR_JSON_OBJECT ||
        !list_of(c, dot, "lhs_contracting_dimensions", &d.a) || !list_of(c, dot, "rhs_contracting_dimensions", &d.b) ||
        !list_of(c, dot, "lhs_batch_dimensions", &d.a_batch) || !list_of(c, dot, "rhs_batch_dimensions", &d.b_batch))
        return true;
    struct tr_str beta = member_of(c, config, "beta"), epilogue = member_of(c, config, "epilogue");
    bool zero = true; /* 0, 0.0, or not there */
    for (size_t i = 0; i < beta.len && zero; i++)
        zero = beta.s[i] == '0' || beta.s[i] == '.';
    d.bias = !zero || tr_str_has(epilogue, tr_str_of("BIAS"));
    return put_gemm(c, &d, to, values);
}

/* ---- convolutions ---- */

struct window {
    struct dims size, stride, padding, dilation, base_dilation;
};

/* Padding may be negative, and then counts as 0. */
static bool read_window(struct tr__proto m, struct window *w)
{
    while (tr__proto_next(&m)) {
        if (!tr__proto_is(&m, WINDOW_DIMENSION, TR__WIRE_BYTES))
            continue;
        struct tr__proto d = tr__proto_inner(&m);
        uint64_t v[DIM_BASE_DILATION + 1] = { [DIM_STRIDE] = 1, [DIM_DILATION] = 1, [DIM_BASE_DILATION] = 1 };
        while (tr__proto_next(&d))
            if (d.wire == TR__WIRE_VARINT && d.field <= DIM_BASE_DILATION)
                v[d.field] = d.v;
        if ((int64_t)v[DIM_PADDING] < 0)
            v[DIM_PADDING] = 0;
        if (!add_number(&w->size, v[DIM_SIZE]) || !add_number(&w->stride, v[DIM_STRIDE]) ||
            !add_number(&w->padding, v[DIM_PADDING]) || !add_number(&w->dilation, v[DIM_DILATION]) ||
            !add_number(&w->base_dilation, v[DIM_BASE_DILATION]))
            return false;
    }
    return true;
}

/*
 * Pairs of a place of the result and one of the filter, in one dimension.  An input with holes between its elements, as
 * in a gradient, is multiplied only where it has elements.
 */
static int64_t pairs_of(const struct window *w, unsigned k, int64_t x, int64_t y)
{
    int64_t n = 0;
    if (w->base_dilation.v[k] <= 1 || y > MAX_PLACES || w->size.v[k] > MAX_PLACES)
        return times(y, w->size.v[k]);
    for (int64_t at = 0; at < y; at++)
        for (int64_t f = 0; f < w->size.v[k]; f++) {
            int64_t place = at * w->stride.v[k] + f * w->dilation.v[k] - w->padding.v[k];
            n += place >= 0 && place % w->base_dilation.v[k] == 0 && place / w->base_dilation.v[k] < x;
        }
    return n;
}

struct convolution {
    struct dims x, w, y; /* places: batch and features, or results and features; then space */
    uint64_t groups, batch_groups;
    struct window window;
};

static bool read_convolution(struct tr__proto m, struct convolution *v)
{
    static const struct {
        uint32_t field;
        uint8_t list, place; /* place 0 and 1: a number; 2: the rest */
    } fields[] = { { CONV_X_BATCH, 0, 0 }, { CONV_X_FEATURE, 0, 1 }, { CONV_X_SPACE, 0, 2 },
                   { CONV_W_OUT, 1, 0 },   { CONV_W_IN, 1, 1 },      { CONV_W_SPACE, 1, 2 },
                   { CONV_Y_BATCH, 2, 0 }, { CONV_Y_FEATURE, 2, 1 }, { CONV_Y_SPACE, 2, 2 } };
    struct dims *lists[] = { &v->x, &v->w, &v->y };
    v->x = v->w = v->y = (struct dims){ .n = 2 };
    while (tr__proto_next(&m))
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            struct dims *d = lists[fields[i].list];
            if (m.field != fields[i].field)
                continue;
            if (fields[i].place < 2)
                d->v[fields[i].place] = m.wire == TR__WIRE_VARINT && m.v < MAX_DIMS ? (int64_t)m.v : -1;
            else if (!add_numbers(&m, d))
                return false;
        }
    return v->x.n == v->w.n && v->x.n == v->y.n;
}

static bool put_convolution(struct cost *c, const struct convolution *v, const struct array *x, const struct array *w,
                            const struct array *y, const char *operation, bool bias, uint32_t *to, uint32_t *values)
{
    struct dims xd, wd, yd;
    int64_t pairs = 1;
    if (!pick(&x->dims, &v->x, &xd) || !pick(&w->dims, &v->w, &wd) || !pick(&y->dims, &v->y, &yd) ||
        v->window.size.n != xd.n - 2 || v->batch_groups > 1)
        return true;
    for (unsigned k = 0; k + 2 < xd.n; k++)
        pairs = times(pairs, pairs_of(&v->window, k, xd.v[k + 2], yd.v[k + 2]));
    if (pairs < 0)
        return true;
    if (xd.n == 2 && v->groups == 1) /* as a TPU multiplies matrices */
        return put_product(c, (const int64_t[]){ 1, yd.v[0], wd.v[0], wd.v[1] }, bias, x, w, to, values);
    return start_cost(c) && put_dims(&c->j, &xd) && put_dims(&c->j, &wd) && put_dims(&c->j, &yd) &&
           put_dims(&c->j, &v->window.stride) && put_dims(&c->j, &v->window.padding) &&
           put_dims(&c->j, &v->window.dilation) && tr_json_doc_u64(&c->j, v->groups) && tr_json_doc_i64(&c->j, pairs) &&
           tr_json_doc_bool(&c->j, bias) && tr_json_doc_str(&c->j, x->type) && tr_json_doc_str(&c->j, w->type) &&
           tr_json_doc_str(&c->j, y->type) && end(c, operation, to, values);
}

static bool take_convolution(struct cost *c, uint32_t *to, uint32_t *values)
{
    struct convolution v = { .groups = 1, .batch_groups = 1 };
    struct tr__proto m = c->in->whole;
    bool ok = true, numbered = false;
    struct tr_str target = c->in->target;
    while (ok && tr__proto_next(&m))
        if (tr__proto_is(&m, INSTRUCTION_CONVOLUTION, TR__WIRE_BYTES))
            ok = numbered = read_convolution(tr__proto_inner(&m), &v);
        else if (tr__proto_is(&m, INSTRUCTION_WINDOW, TR__WIRE_BYTES))
            ok = read_window(tr__proto_inner(&m), &v.window);
        else if (tr__proto_is(&m, INSTRUCTION_FEATURE_GROUPS, TR__WIRE_VARINT) && m.v)
            v.groups = m.v;
        else if (tr__proto_is(&m, INSTRUCTION_BATCH_GROUPS, TR__WIRE_VARINT) && m.v)
            v.batch_groups = m.v;
    if (!ok || !numbered || c->n_operands < 2)
        return true;
    const struct array *a = &c->operands[0], *b = &c->operands[1], *out = &c->result;
    if (tr_str_has(target, tr_str_of("BackwardInput"))) /* dimension numbers are those of the forward pass */
        return put_convolution(c, &v, out, b, a, "xla::convolution_backward_input", false, to, values);
    if (tr_str_has(target, tr_str_of("BackwardFilter")))
        return put_convolution(c, &v, a, out, b, "xla::convolution_backward_filter", false, to, values);
    return put_convolution(c, &v, a, b, out, "xla::convolution", tr_str_has(target, tr_str_of("Bias")), to, values);
}

/* ---- attention ---- */

/* __cudnn$fmhaSoftmax and the like: the config has the shape of the scores, the operands are queries, keys, values. */
static bool take_attention(struct cost *c, uint32_t *to, uint32_t *values)
{
    struct dims s;
    size_t config, shape;
    if (c->n_operands < 3 || !read_config(c, "cudnn_fmha_backend_config", &config))
        return true;
    shape = tr_json_member(&c->r->part.tokens, c->in->backend.s, config, "intermediate_tensor_shape");
    if (!shape || c->r->part.tokens.tok[shape].kind != TR_JSON_OBJECT ||
        !list_of(c, shape, "dimensions", &s) || s.n != 4)
        return true;
    int64_t queries = times(times(s.v[0], s.v[1]), s.v[2]), keys = times(s.v[0], s.v[3]);
    if (queries <= 0 || keys <= 0)
        return true;
    int64_t d_qk = product(&c->operands[0].dims) / queries;
    int64_t heads = d_qk > 0 ? product(&c->operands[1].dims) / keys / d_qk : 0;
    int64_t d_v = heads > 0 ? product(&c->operands[2].dims) / keys / heads : 0;
    if (d_v <= 0)
        return true;
    bool causal = tr_str_has(member_of(c, config, "mask_type"), tr_str_of("CAUSAL"));
    bool back = tr_str_has(c->in->target, tr_str_of("Backward"));
    return start_cost(c) && tr_json_doc_i64(&c->j, s.v[0]) && tr_json_doc_i64(&c->j, s.v[2]) &&
           tr_json_doc_i64(&c->j, s.v[1]) && tr_json_doc_i64(&c->j, s.v[3]) && tr_json_doc_i64(&c->j, heads) &&
           tr_json_doc_i64(&c->j, d_qk) && tr_json_doc_i64(&c->j, d_v) && tr_json_doc_bool(&c->j, causal) &&
           tr_json_doc_str(&c->j, c->operands[0].type) &&
           end(c, back ? "xla::attention_backward" : "xla::attention", to, values);
}

/* ---- any ---- */

static bool starts(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && memcmp(s.s, with, n) == 0;
}

bool tr__hlo_cost(struct tr__xplane_reader *r, const struct tr__hlo_cost_in *in, uint32_t *operation, uint32_t *values)
{
    struct cost c = { .r = r, .in = in };
    struct tr__proto m = in->whole;
    bool dot = tr_str_is(in->opcode, "dot"), call = tr_str_is(in->opcode, "custom-call");
    bool convolution = tr_str_is(in->opcode, "convolution") || (call && starts(in->target, "__cudnn$conv"));
    bool cublas = call && starts(in->target, "__cublas$"), attention = call && starts(in->target, "__cudnn$fmha");
    *operation = *values = TR_NO_STR;
    if (!(dot || convolution || cublas || attention) || !read_array(r, in->dims, in->type, &c.result) ||
        !read_operands(&c))
        return true;
    if (convolution)
        return take_convolution(&c, operation, values);
    if (attention)
        return take_attention(&c, operation, values);
    if (cublas)
        return take_cublas(&c, operation, values);
    while (tr__proto_next(&m))
        if (tr__proto_is(&m, INSTRUCTION_DOT, TR__WIRE_BYTES))
            return take_dot(&c, tr__proto_inner(&m), operation, values);
    return true;
}
