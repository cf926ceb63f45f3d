/* SPDX-License-Identifier: MIT */
/* Calls of operators, bound to their schemas. */
#include "vendor/tr_schemas.h"

#include "base/tr_time.h"
#include "vendor/tr_dtypes.h"

#include <string.h>

const char *tr_refusal_text(enum tr_refusal why)
{
    static const char *const texts[TR_N_REFUSALS] = {
        [TR_REFUSED_NOT] = "",
        [TR_REFUSED_NO_SCHEMA] = "no schema",
        [TR_REFUSED_NO_ARGS] = "no types of arguments",
        [TR_REFUSED_MISFIT] = "no schema fits",
        [TR_REFUSED_LIST] = "a list of tensors",
        [TR_REFUSED_VALUE] = "a value that is not in the trace",
        [TR_REFUSED_SHAPE] = "an impossible shape",
        [TR_REFUSED_SIZE] = "too large",
    };
    return texts[why];
}

const char *tr_tensor_init_name(enum tr_tensor_init init)
{
    static const char *const names[] = { NULL, "normal", "ones", "bool", "index" };
    return names[init];
}

/* The arguments of a call, as lists; absent: the trace has none. */
struct shown {
    struct tr_value dims, types, strides, values;
    struct tr_arena *arena;
    bool no_memory;
};

static struct tr_value item(const struct tr_value *list, size_t i)
{
    return list->type == TR_VALUE_LIST && i < list->n ? list->of.items[i] : tr_value_none();
}

static bool is_text(const struct tr_value *v, const char *text)
{
    return v->type == TR_VALUE_TEXT && tr_str_is((struct tr_str){ v->of.s, v->n }, text);
}

/* ---- tensors ---- */

/* A list of whole numbers from 0. */
static bool is_shape(const struct tr_value *v)
{
    for (size_t i = 0; v->type == TR_VALUE_LIST && i < v->n; i++)
        if (v->of.items[i].type != TR_VALUE_INT || v->of.items[i].of.i < 0)
            return false;
    return v->type == TR_VALUE_LIST;
}

/* Strides of a tensor without gaps, the last dimension next to each other.  False: they do not fit 64 bits. */
static bool full_strides(struct shown *c, const struct tr_value *shape, struct tr_value *strides)
{
    struct tr_value *items = tr_arena_alloc(c->arena, (shape->n + 1) * sizeof *items);
    int64_t step = 1;
    c->no_memory |= !items;
    for (size_t i = items ? shape->n : 0; i-- > 0;) {
        int64_t d = shape->of.items[i].of.i;
        items[i] = tr_value_int(step);
        if (d > 1 && step > INT64_MAX / d)
            return false;
        step *= d > 1 ? d : 1;
    }
    *strides = (struct tr_value){ TR_VALUE_LIST, shape->n, { .items = items } };
    return items != NULL;
}

/* Do the elements, and the gaps between them, fit 64 bits of bytes? */
static bool has_size(const struct tr_value *shape, const struct tr_value *strides, int64_t element)
{
    int64_t last = 0;
    for (size_t i = 0; i < shape->n; i++)
        if (shape->of.items[i].of.i == 0)
            return true;
    for (size_t i = 0; i < shape->n; i++) {
        int64_t steps = shape->of.items[i].of.i - 1, step = strides->of.items[i].of.i;
        if (step && steps > (INT64_MAX - last) / step)
            return false;
        last += steps * step;
    }
    return last < INT64_MAX / element;
}

static enum tr_tensor_init init_of(const struct tr_bound_arg *b)
{
    return strcmp(b->torch, "bool") == 0                                    ? TR_INIT_BOOL
           : strncmp(b->torch, "int", 3) == 0 || strcmp(b->torch, "uint8") == 0 ? TR_INIT_ONES
                                                                              : TR_INIT_NORMAL;
}

static enum tr_refusal bind_tensor(struct shown *c, size_t i, struct tr_bound_arg *b)
{
    struct tr_value type = item(&c->types, i);
    b->tensor = true;
    b->dtype = (struct tr_str){ type.of.s, type.n };
    b->torch = tr_dtype_torch(b->dtype);
    b->shape = item(&c->dims, i);
    b->strides = item(&c->strides, i);
    if (!is_shape(&b->shape))
        return TR_REFUSED_SHAPE;
    bool without = b->strides.type == TR_VALUE_ABSENT || (b->strides.type == TR_VALUE_LIST && !b->strides.n);
    if (without && !full_strides(c, &b->shape, &b->strides))
        return TR_REFUSED_SIZE;
    if (!is_shape(&b->strides) || b->strides.n != b->shape.n)
        return TR_REFUSED_SHAPE;
    b->init = init_of(b);
    return has_size(&b->shape, &b->strides, tr_dtype_size(b->dtype)) ? TR_REFUSED_NOT : TR_REFUSED_SIZE;
}

/* ---- values ---- */

static bool is_number(const struct tr_value *v)
{
    return v->type == TR_VALUE_INT || v->type == TR_VALUE_REAL || is_text(v, "inf") || is_text(v, "-inf") ||
           is_text(v, "nan");
}

static bool fits_kind(enum tr_schema_kind kind, const struct tr_value *v)
{
    switch (kind) {
    case TR_SCHEMA_NUMBER:
        return is_number(v) || v->type == TR_VALUE_BOOL;
    case TR_SCHEMA_REAL:
        return is_number(v);
    case TR_SCHEMA_BOOL:
        return v->type == TR_VALUE_BOOL;
    case TR_SCHEMA_INT:
        return v->type == TR_VALUE_INT;
    case TR_SCHEMA_DTYPE: /* c10::ScalarType, without quantized types */
        return v->type == TR_VALUE_INT &&
               ((v->of.i >= 0 && v->of.i <= 11) || v->of.i == 15 || (v->of.i >= 23 && v->of.i <= 26));
    case TR_SCHEMA_LAYOUT: /* strided */
        return v->type == TR_VALUE_INT && v->of.i == 0;
    case TR_SCHEMA_FORMAT: /* contiguous, preserve, channels last of two and three dimensions */
        return v->type == TR_VALUE_INT && v->of.i >= 0 && v->of.i <= 3;
    default:
        return false;
    }
}

static bool fits_value(const struct tr_schema_arg *a, const struct tr_value *v)
{
    if (!a->list || v->type != TR_VALUE_LIST)
        return fits_kind(a->kind, v); /* a single number does for a list of numbers, too */
    for (size_t i = 0; i < v->n; i++)
        if (!fits_kind(a->kind, &v->of.items[i]))
            return false;
    return true;
}

/* Take the default: the trace does not have the value. */
static enum tr_refusal assume(struct tr_bound_arg *b)
{
    const struct tr_schema_arg *a = b->arg;
    b->assumed = a->has_preset;
    b->value = a->preset;
    return a->has_preset ? TR_REFUSED_NOT : TR_REFUSED_VALUE;
}

/*
 * An argument that the profiler calls nothing: None, or something that it does not write, such as a text.  In a trace
 * without values, it may also be a list.
 */
static enum tr_refusal bind_nothing(const struct shown *c, struct tr_bound_arg *b)
{
    const struct tr_schema_arg *a = b->arg;
    if (a->kind == TR_SCHEMA_TENSORS)
        return TR_REFUSED_LIST;
    if (a->kind == TR_SCHEMA_TENSOR && !a->optional)
        return TR_REFUSED_MISFIT;
    if (a->optional && !(a->list && c->values.type == TR_VALUE_ABSENT)) {
        b->assumed = a->kind == TR_SCHEMA_TEXT;
        return TR_REFUSED_NOT;
    }
    return assume(b);
}

static enum tr_refusal bind_value(const struct shown *c, size_t i, struct tr_bound_arg *b)
{
    const struct tr_schema_arg *a = b->arg;
    struct tr_value type = item(&c->types, i);
    bool list = is_text(&type, "ScalarList");
    if (a->kind == TR_SCHEMA_TENSOR || a->kind == TR_SCHEMA_TENSORS || (list && !a->list))
        return TR_REFUSED_MISFIT;
    if (c->values.type == TR_VALUE_ABSENT)
        return assume(b);
    b->value = item(&c->values, i);
    if (b->value.type == TR_VALUE_TEXT && !is_number(&b->value) &&
        !tr_value_read(c->arena, (struct tr_str){ b->value.of.s, b->value.n }, &b->value))
        return TR_REFUSED_SIZE;
    if (b->value.type == TR_VALUE_ABSENT)
        return assume(b);
    return fits_value(a, &b->value) ? TR_REFUSED_NOT : TR_REFUSED_MISFIT;
}

static enum tr_refusal bind_arg(struct shown *c, size_t i, struct tr_bound_arg *b)
{
    struct tr_value type = item(&c->types, i);
    if (type.type == TR_VALUE_ABSENT || is_text(&type, ""))
        return bind_nothing(c, b);
    if (is_text(&type, "TensorList"))
        return b->arg->kind == TR_SCHEMA_TENSORS ? TR_REFUSED_LIST : TR_REFUSED_MISFIT;
    if (is_text(&type, "Scalar") || is_text(&type, "ScalarList"))
        return bind_value(c, i, b);
    bool known = type.type == TR_VALUE_TEXT && tr_dtype_torch((struct tr_str){ type.of.s, type.n });
    return known && b->arg->kind == TR_SCHEMA_TENSOR ? bind_tensor(c, i, b) : TR_REFUSED_MISFIT;
}

/* ---- contents ---- */

static const struct tr_bound_arg *named(const struct tr_bound *b, struct tr_str name)
{
    for (size_t i = 0; name.s && i < b->n; i++)
        if (tr_str_cmp(b->args[i].arg->name, name) == 0)
            return &b->args[i];
    return NULL;
}

/* The number that indexes are below; 0: unknown. */
static int64_t bound_of(const struct tr_bound *b, const struct tr_schema_arg *a, struct tr_arena *arena)
{
    const struct tr_bound_arg *of = named(b, a->below), *dim = named(b, a->dim);
    struct tr_value number = tr_value_none();
    if (!of)
        return 0;
    if (!a->dim.s)
        return of->value.type == TR_VALUE_INT ? of->value.of.i : 0;
    if (dim)
        number = dim->value;
    else if (!tr_value_read(arena, a->dim, &number))
        return 0;
    if (!of->tensor || number.type != TR_VALUE_INT)
        return 0;
    int64_t n = (int64_t)of->shape.n, i = number.of.i < 0 ? number.of.i + n : number.of.i;
    return i >= 0 && i < n ? of->shape.of.items[i].of.i : 0;
}

/* What tensors are filled with: indexes, nothing if they are only written. */
static void choose_contents(struct tr_bound *b, struct tr_arena *arena)
{
    bool shaped = false;
    for (size_t i = 0; i < b->n; i++)
        shaped |= b->args[i].tensor && b->args[i].shape.n;
    for (size_t i = 0; i < b->n; i++) {
        struct tr_bound_arg *a = &b->args[i];
        if (!a->tensor)
            continue;
        bool number = tr_str_is(a->dtype, "double") || tr_str_is(a->dtype, "long int") || tr_str_is(a->dtype, "long");
        a->host = shaped && !a->shape.n && number && tr_str_is(a->arg->name, "other");
        if (a->arg->written &&
            (a->arg->keyword || tr_str_is(b->schema->op, "aten::copy_") || tr_str_is(b->schema->op, "aten::fill_") ||
             tr_str_is(b->schema->op, "aten::zero_")))
            a->init = TR_INIT_NONE;
        else if (a->init == TR_INIT_ONES && a->arg->below.s && (a->below = bound_of(b, a->arg, arena)) > 0)
            a->init = TR_INIT_INDEX;
    }
}

/* ---- a call ---- */

static enum tr_refusal bind_schema(struct shown *c, const struct tr_schema *schema, struct tr_bound *out)
{
    struct tr_bound_arg *args = tr_arena_alloc(c->arena, (schema->n + 1) * sizeof *args);
    *out = (struct tr_bound){ .schema = schema, .args = args, .n = schema->n };
    c->no_memory |= !args;
    enum tr_refusal why = TR_REFUSED_NOT;
    for (size_t i = 0; args && i < schema->n && why == TR_REFUSED_NOT; i++) {
        args[i] = (struct tr_bound_arg){ .arg = &schema->args[i] };
        why = bind_arg(c, i, &args[i]);
        out->assumed |= args[i].assumed;
    }
    return why;
}

/* The first schema that fits; else the reason of one that has these types, if there is one. */
static enum tr_refusal bind_any(struct shown *c, const struct tr_schema *schema, struct tr_bound *out)
{
    enum tr_refusal why = TR_REFUSED_MISFIT;
    for (; schema && !c->no_memory; schema = schema->next) {
        if (schema->n != c->types.n)
            continue;
        enum tr_refusal this = bind_schema(c, schema, out);
        if (this == TR_REFUSED_NOT)
            return this;
        why = why == TR_REFUSED_MISFIT ? this : why;
    }
    return why;
}

static enum tr_refusal bind(struct shown *c, const struct tr_schema *schema, const struct tr_model_args *call,
                            struct tr_bound *out)
{
    if (!schema)
        return TR_REFUSED_NO_SCHEMA;
    if (!call->types.s || !call->dims.s)
        return TR_REFUSED_NO_ARGS;
    if (!tr_value_read(c->arena, call->dims, &c->dims) || !tr_value_read(c->arena, call->types, &c->types) ||
        !tr_value_read(c->arena, call->strides, &c->strides) || !tr_value_read(c->arena, call->concrete, &c->values))
        return TR_REFUSED_SIZE;
    if (c->types.type != TR_VALUE_LIST || c->dims.type != TR_VALUE_LIST)
        return TR_REFUSED_NO_ARGS;
    enum tr_refusal why = bind_any(c, schema, out);
    if (why == TR_REFUSED_NOT)
        choose_contents(out, c->arena);
    return why;
}

enum tr_status tr_schemas_bind(const struct tr_schemas *s, const struct tr_model_args *call, struct tr_arena *arena,
                               struct tr_bound *out, struct tr_error *err)
{
    struct shown c = { .arena = arena };
    struct tr_bound bound = { .n = 0 };
    enum tr_refusal why = bind(&c, tr_schemas_find(s, call->op), call, &bound);
    *out = why == TR_REFUSED_NOT ? bound : (struct tr_bound){ .refused = why };
    return c.no_memory ? tr_fail_memory(err) : TR_OK;
}
