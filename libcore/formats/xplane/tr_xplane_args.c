/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: the args of an event, from its stats and from the instruction that it is part of. */
#include "formats/xplane/tr_xplane_event_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "ingest/tr_ingest_args_int.h"
#include "io/tr_unpack.h"

#include <stdio.h>

#define MAX_UNPACKED ((size_t)1 << 20)
#define MAX_AT_ONCE 16u /* args that are passed on together */

static void emit_text(struct tr__xplane_reader *r, const char *text, size_t n)
{
    if (!tr_utf8_valid(text, n)) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_UTF8, tr__window_offset(&r->w));
        r->text.len = 0;
        if (!tr_utf8_add(&r->text, text, n))
            return;
        text = (const char *)r->text.data;
        n = r->text.len;
    }
    tr_ingest_arg_text(r->g, NULL, n ? text : "", n);
}

static void emit_compressed(struct tr__xplane_reader *r, const struct tr__proto *m)
{
    struct tr_error why = TR_ERROR_INIT;
    r->text2.len = 0;
    if (tr_unpack(m->data, m->len, MAX_UNPACKED, &r->text2, &why) != TR_OK)
        tr__xplane_damaged(r, TR__BAD_STAT);
    emit_text(r, (const char *)r->text2.data, r->text2.len);
}

static void emit_arg(struct tr__xplane_reader *r, const struct tr__xplane_value *v)
{
    char text[40];
    int n;
    if (v->field == STAT_REF && v->ref == TR_NO_STR) {
        tr__xplane_damaged(r, TR__LOST_NAME);
        return;
    }
    tr_ingest_key(r->g, tr__xplane_number(r, v->stat->name, &v->stat->number));
    switch (v->field) {
    case STAT_DOUBLE:
        tr_ingest_arg_real(r->g, NULL, tr__proto_real(&v->value));
        break;
    case STAT_UINT:
        tr_ingest_arg_uint(r->g, NULL, v->value.v);
        break;
    case STAT_INT:
        tr_ingest_arg_int(r->g, NULL, tr__proto_int(&v->value));
        break;
    case STAT_TEXT:
        emit_text(r, (const char *)v->value.data, v->value.len);
        break;
    case STAT_BYTES: /* in a form that only its writer knows */
        n = snprintf(text, sizeof text, "%zu bytes", v->value.len);
        tr_ingest_arg_text(r->g, NULL, text, (size_t)n);
        break;
    case STAT_COMPRESSED:
        emit_compressed(r, &v->value);
        break;
    default:
        tr_ingest_arg_number(r->g, NULL, tr__xplane_number(r, v->ref, &v->ref_stat->number));
    }
}

/* The value after "grid:" in " grid:16,1,1 block:512,1,1 ...". */
static struct tr_str detail(struct tr_str s, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = s.s, *end = s.s + s.len, *next; at < end; at = next < end ? next + 1 : end) {
        next = memchr(at, ' ', (size_t)(end - at));
        next = next ? next : end;
        if ((size_t)(next - at) > n + 1 && memcmp(at, key, n) == 0 && at[n] == ':')
            return (struct tr_str){ at + n + 1, (size_t)(next - at) - n - 1 };
    }
    return (struct tr_str){ NULL, 0 };
}

/* At most three whole numbers in the form of JSON, with commas between. */
static bool is_numbers(struct tr_str s)
{
    size_t at = 0;
    for (unsigned k = 0; k < 3; k++) {
        size_t from = at;
        while (at < s.len && tr_num_is_digit(s.s[at]))
            at++;
        if (at == from || at - from > 18 || (s.s[from] == '0' && at - from > 1))
            return false;
        if (at == s.len)
            return true;
        if (s.s[at++] != ',')
            return false;
    }
    return false;
}

/* Pass on the members of a text of details, with the names of Kineto. */
static void emit_details(struct tr__xplane_reader *r, struct tr_str s, uint8_t use)
{
    static const struct {
        uint8_t use;
        bool list;
        const char *of, *as;
    } members[] = {
        { TR__STAT_KERNEL, true, "grid", "grid" },
        { TR__STAT_KERNEL, true, "block", "block" },
        { TR__STAT_KERNEL, false, "regs", "registers per thread" },
        { TR__STAT_COPY, false, "size", "bytes" },
        { TR__STAT_MEMSET, false, "num_bytes", "bytes" },
    };
    char text[64];
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct tr_str v = members[i].use == use ? detail(s, members[i].of) : (struct tr_str){ NULL, 0 };
        int64_t n = 0;
        if (!is_numbers(v))
            continue;
        if (members[i].list) {
            text[0] = '[';
            memcpy(text + 1, v.s, v.len); /* is_numbers: at most 56 bytes */
            text[1 + v.len] = ']';
            tr_ingest_arg_json(r->g, members[i].as, text, v.len + 2);
        } else if (!memchr(v.s, ',', v.len)) {
            for (size_t k = 0; k < v.len; k++)
                n = 10 * n + (v.s[k] - '0');
            tr_ingest_arg_int(r->g, members[i].as, n);
        }
    }
}

/* The number of participants in the first group of a list: "[[0,1],[2,3]]". */
static int64_t group_size(struct tr_str sets)
{
    int64_t n = 1;
    size_t i = 0;
    for (; i < sets.len && sets.s[i] != ']'; i++)
        n += sets.s[i] == ',';
    return i > 2 ? n : -1;
}

/* Pass on which collective the event is part of, with the names of Kineto. */
static void emit_collective(struct tr__xplane_reader *r, const struct tr__xplane_event *e,
                            const struct tr__hlo_instruction *i)
{
    struct tr_str name = tr__xplane_str(r, i->collective), sets = tr__xplane_str(r, i->sets);
    struct tr_str element = tr__xplane_str(r, i->element);
    bool starts_only = e->meta && tr__numbers_get(&e->plane->started, e->meta_number) != UINT32_MAX &&
                       tr_str_is(tr__xplane_str(r, e->line->name), "XLA Ops");
    if (starts_only || tr_str_is(name, "wait")) { /* the event on the line of asynchronous operations stands for it */
        tr_ingest_arg_text(r->g, "Collective name", "wait", 4);
        return;
    }
    int64_t n = group_size(sets), in = i->elements, out = in;
    if (tr_str_is(name, "all-gather"))
        out = n < 0 || in < 0 || in > INT64_MAX / n ? -1 : in * n;
    else if (tr_str_is(name, "reduce-scatter"))
        out = n < 0 || in < 0 ? -1 : in / n;
    tr_ingest_arg_text(r->g, "Collective name", name.s, name.len);
    if (element.s)
        tr_ingest_arg_text(r->g, "dtype", element.s, element.len);
    if (in >= 0)
        tr_ingest_arg_int(r->g, "In msg nelems", in);
    if (out >= 0)
        tr_ingest_arg_int(r->g, "Out msg nelems", out);
    if (!sets.s)
        return;
    tr_ingest_arg_json(r->g, "Device groups", sets.s, sets.len);
    if (e->plane->chip >= 0)
        tr_ingest_arg_int(r->g, "Global device", e->plane->chip);
    else
        tr_ingest_arg_int(r->g, "Devices per rank", r->n_devices);
}

/* Where the number of a string is kept; NULL: out of memory. */
static uint32_t *number_place(struct tr__xplane_reader *r, uint32_t string, bool json)
{
    size_t n = r->n_numbers[json], want = (size_t)string + 1;
    if (want > n) {
        if (!tr_grow(&r->numbers[json], &r->cap_numbers[json], want, sizeof *r->numbers[json]))
            return NULL;
        memset(r->numbers[json] + n, 0, (want - n) * sizeof *r->numbers[json]);
        r->n_numbers[json] = want;
    }
    return &r->numbers[json][string];
}

/* Pass on a string as an arg; its number and that of the key are looked up once.  False: out of memory. */
static bool emit_string(struct tr__xplane_reader *r, uint32_t *key, const char *name, uint32_t string, bool json)
{
    uint32_t *number = number_place(r, string, json);
    struct tr_str s = tr__xplane_str(r, string);
    if (!number)
        return tr__xplane_no_memory(r);
    if (!*key)
        *key = tr_ingest_text(r->g, name, strlen(name)) + 1;
    if (!*number)
        *number = (json ? tr_ingest_json(r->g, s.s, s.len) : tr_ingest_text(r->g, s.s, s.len)) + 1;
    tr_ingest_key(r->g, *key - 1);
    if (json)
        tr_ingest_arg_json_number(r->g, NULL, *number - 1);
    else
        tr_ingest_arg_number(r->g, NULL, *number - 1);
    return true;
}

/* Pass on the XLA instruction that the event is part of. */
static bool emit_instruction(struct tr__xplane_reader *r, const struct tr__xplane_event *e)
{
    const struct tr__hlo_instruction *i =
        e->hlo_op.s ? tr__hlo_find(r, e->program, e->hlo_module, e->hlo_op) : NULL;
    if (!i)
        return true;
    static const struct {
        const char *key;
        bool json;
    } keys[TR__HLO_N_ARGS] = {
        { "hlo_opcode", false },  { "op_name", false },    { "Input Dims", true },
        { "Input type", true },   { "Output Dims", true }, { "Output type", false },
        { "replica_groups", true }, { "hlo_operation", false }, { "Concrete Inputs", true },
    };
    const uint32_t texts[TR__HLO_N_ARGS] = { i->opcode, i->op_name, i->in_dims, i->in_types,  i->dims,
                                             i->type,   i->groups,  i->operation, i->values };
    for (size_t k = 0; k < TR__HLO_N_ARGS; k++)
        if (texts[k] != TR_NO_STR && !emit_string(r, &r->keys[k], keys[k].key, texts[k], keys[k].json))
            return false;
    if (i->collective != TR_NO_STR && tr__xplane_on_device(e->plane))
        emit_collective(r, e, i);
    return true;
}

/* A number, or a text that has a number in the builder.  False: it is none. */
static inline bool plain_arg(struct tr__xplane_reader *r, const struct tr__xplane_value *v, struct tr__arg *arg)
{
    arg->key = tr__xplane_number(r, v->stat->name, &v->stat->number);
    switch (v->field) {
    case STAT_UINT:
        arg->type = v->value.v > INT64_MAX ? TR_T_UINT : TR_T_INT;
        arg->bits = (int64_t)v->value.v;
        break;
    case STAT_INT:
        arg->type = TR_T_INT;
        arg->bits = tr__proto_int(&v->value);
        break;
    case STAT_REF:
        arg->type = TR_T_STRING;
        arg->bits = v->ref == TR_NO_STR ? TR_NO_STR : tr__xplane_number(r, v->ref, &v->ref_stat->number);
        return arg->key != TR_NO_STR && arg->bits != TR_NO_STR;
    default:
        return false;
    }
    return arg->key != TR_NO_STR;
}

/* The args of all values of the event. */
static void emit_values(struct tr__xplane_reader *r)
{
    struct tr__arg args[MAX_AT_ONCE];
    size_t n = 0;
    for (size_t i = 0; i < r->n_values; i++) {
        bool plain = plain_arg(r, &r->values[i], &args[n]);
        n += plain;
        if (n && (!plain || n == MAX_AT_ONCE)) {
            tr__ingest_args(r->g, args, n);
            n = 0;
        }
        if (!plain)
            emit_arg(r, &r->values[i]);
    }
    if (n)
        tr__ingest_args(r->g, args, n);
}

bool tr__xplane_args(struct tr__xplane_reader *r, const struct tr__xplane_event *e)
{
    struct tr_str details = { NULL, 0 };
    uint8_t use = TR__STAT_ARG;
    if (e->meta && e->meta->whole != TR_NO_STR) {
        struct tr_str whole = tr__xplane_str(r, e->meta->whole);
        tr_ingest_arg_text(r->g, "long_name", whole.s, whole.len);
    }
    emit_values(r);
    for (size_t i = 0; i < r->n_values; i++) {
        const struct tr__xplane_value *v = &r->values[i];
        if (v->stat->use == TR__STAT_KERNEL || v->stat->use == TR__STAT_COPY || v->stat->use == TR__STAT_MEMSET) {
            details = tr__xplane_text(r, v);
            use = v->stat->use;
        }
    }
    if (details.s)
        emit_details(r, details, use);
    if (e->named_op)
        tr_ingest_arg_text(r->g, "hlo_op", e->hlo_op.s, e->hlo_op.len);
    return emit_instruction(r, e);
}
