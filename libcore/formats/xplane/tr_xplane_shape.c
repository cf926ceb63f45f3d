/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: shapes and types of arrays and tuples in programs of XLA.  Numbers of fields: ShapeProto. */
#include "formats/xplane/tr_xplane_int.h"

#include "json/tr_json_write.h"

enum { SHAPE_TYPE = 2, SHAPE_DIM = 3, SHAPE_PART = 4 };

#define MAX_PARTS 4u /* levels of tuples in tuples that are kept */

/* Types of elements by number, with XLA's names. */
static const char *type_name(uint64_t type)
{
    static const char *const names[] = {
        [1] = "pred",  [2] = "s8",    [3] = "s16",   [4] = "s32",      [5] = "s64",         [6] = "u8",
        [7] = "u16",   [8] = "u32",   [9] = "u64",   [10] = "f16",     [11] = "f32",        [12] = "f64",
        [13] = "tuple", [14] = "opaque", [15] = "c64", [16] = "bf16",  [17] = "token",      [18] = "c128",
        [19] = "f8e5m2", [20] = "f8e4m3fn", [21] = "s4", [22] = "u4",  [23] = "f8e4m3b11fnuz",
        [24] = "f8e5m2fnuz", [25] = "f8e4m3fnuz", [26] = "s2", [27] = "u2", [28] = "f8e4m3", [29] = "f8e3m4",
        [30] = "s1",   [31] = "u1",   [32] = "f4e2m1fn", [33] = "f8e8m0fnu", [34] = "buffer",
    };
    return type < sizeof names / sizeof *names && names[type] ? names[type] : "?";
}

/* dims: the sizes as JSON, a tuple as a list of them; type: "f32", "(f32,s32)". */
static bool put_shape(struct tr__proto shape, struct tr_json_doc *dims, struct tr_buf *type, unsigned depth)
{
    struct tr__proto m = shape;
    uint64_t is = 0, v;
    bool ok = true, tuple = false, first = true;
    while (tr__proto_next(&m)) {
        is = tr__proto_is(&m, SHAPE_TYPE, TR__WIRE_VARINT) ? m.v : is;
        tuple |= tr__proto_is(&m, SHAPE_PART, TR__WIRE_BYTES);
    }
    tuple &= depth < MAX_PARTS;
    ok = tr_json_doc_open(dims, '[') && (tuple ? tr_buf_add(type, "(", 1) : tr_buf_add_str(type, type_name(is)));
    for (m = shape; ok && tr__proto_next(&m);) {
        if (m.field == SHAPE_DIM)
            for (const unsigned char *p = NULL; ok && tr__proto_element(&m, &p, TR__WIRE_VARINT, &v);)
                ok = tr_json_doc_i64(dims, (int64_t)v);
        if (!tuple || !tr__proto_is(&m, SHAPE_PART, TR__WIRE_BYTES))
            continue;
        ok = (first || tr_buf_add(type, ",", 1)) && put_shape(tr__proto_inner(&m), dims, type, depth + 1);
        first = false;
    }
    return ok && tr_json_doc_close(dims) && (!tuple || tr_buf_add(type, ")", 1));
}

/* How many elements an array or a tuple has, all of one type; -1: they differ, or are too many. */
static int64_t count_elements(struct tr__proto shape, uint64_t *type, unsigned depth)
{
    struct tr__proto m = shape;
    int64_t n = 1, parts = 0;
    uint64_t is = 0, v;
    bool tuple = false;
    while (tr__proto_next(&m)) {
        is = tr__proto_is(&m, SHAPE_TYPE, TR__WIRE_VARINT) ? m.v : is;
        if (m.field == SHAPE_DIM)
            for (const unsigned char *p = NULL; tr__proto_element(&m, &p, TR__WIRE_VARINT, &v);)
                n = n < 0 || v > INT64_MAX || (v && n > INT64_MAX / (int64_t)v) ? -1 : n * (int64_t)v;
        if (!tr__proto_is(&m, SHAPE_PART, TR__WIRE_BYTES))
            continue;
        int64_t part = depth < MAX_PARTS ? count_elements(tr__proto_inner(&m), type, depth + 1) : -1;
        parts = part < 0 || parts < 0 || part > INT64_MAX - parts ? -1 : parts + part;
        tuple = true;
    }
    if (tuple)
        return parts;
    if (*type && *type != is)
        return -1;
    *type = is;
    return n;
}

static bool read_shape(struct tr__xplane_reader *r, struct tr__proto shape, struct tr__hlo_shape *s)
{
    struct tr_json_doc j = { .out = &r->json };
    r->json.len = r->text2.len = 0;
    if (!put_shape(shape, &j, &r->text2, 0))
        return false;
    s->dims = tr__xplane_string(r, r->json.data, r->json.len);
    s->type = tr__xplane_string(r, r->text2.data, r->text2.len);
    uint64_t type = 0;
    s->collective = s->element = TR_NO_STR;
    s->elements = count_elements(shape, &type, 0);
    if (s->elements >= 0) {
        const char *name = type_name(type);
        s->element = tr__xplane_string(r, (const unsigned char *)name, strlen(name));
    }
    return s->dims != TR_NO_STR && s->type != TR_NO_STR && (s->elements < 0 || s->element != TR_NO_STR);
}

uint32_t tr__hlo_keep(struct tr__xplane_reader *r, struct tr_strtab *of, const void *text, size_t len)
{
    const char *s = len ? text : "";
    uint32_t at = tr_strtab_find(of, s, len);
    if (at == TR_NO_STR && tr_strtab_bytes(r->shapes) + tr_strtab_bytes(r->operand_lists) < TR__KEPT_BYTES)
        at = tr_strtab_add(of, s, len);
    return at;
}

/* Programs have few different shapes, so each is read once. */
bool tr__hlo_shape(struct tr__xplane_reader *r, struct tr__proto shape, struct tr__hlo_shape *s)
{
    size_t len = (size_t)(shape.end - shape.p);
    uint32_t n = tr_strtab_count(r->shapes), at = TR_NO_STR;
    if (len <= TR__LONGEST_KEPT_SHAPE)
        at = tr__hlo_keep(r, r->shapes, shape.p, len);
    if (at != TR_NO_STR && !tr_grow(&r->shape_of, &r->cap_shape_of, (size_t)at + 1, sizeof *r->shape_of))
        return false;
    if (at != TR_NO_STR && at < n) {
        *s = r->shape_of[at];
        return true;
    }
    if (!read_shape(r, shape, s))
        return false;
    s->number = at;
    if (at != TR_NO_STR)
        r->shape_of[at] = *s;
    return true;
}
