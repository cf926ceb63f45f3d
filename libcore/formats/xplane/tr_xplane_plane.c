/* SPDX-License-Identifier: MIT */
/* Reader of XPlane: the metadata of a plane, and what it says about the trace. */
#include "formats/xplane/tr_xplane_int.h"

#include "json/tr_json_write.h"
#include "vendor/tr_xla.h"

#include <stdlib.h>

enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { META_NAME = 2, META_DISPLAY_NAME = 4, META_STAT = 5 };
enum { STAT_META_NAME = 2 };
enum { EPOCH = 1000000000 }; /* s: a time in ns above this many seconds counts from 1970 */

bool tr__xplane_add(struct tr__xplane_reader *r)
{
    if (!tr_grow(&r->planes, &r->cap_planes, r->n_planes + 1, sizeof *r->planes))
        return false;
    r->planes[r->n_planes++] =
        (struct tr__xplane){ .device = TR_I64_NONE, .chip = TR_I64_NONE, .name = TR_NO_STR, .number = TR_NO_STR };
    return true;
}

void tr__xplane_free(struct tr__xplane *p)
{
    tr__numbers_free(&p->meta_of);
    tr__numbers_free(&p->stat_of);
    tr__numbers_free(&p->started);
    free(p->metas);
    free(p->stats);
    tr_buf_free(&p->own);
}

size_t tr__xplane_bytes(const struct tr__xplane *p)
{
    return tr__numbers_bytes(&p->meta_of) + tr__numbers_bytes(&p->stat_of) + tr__numbers_bytes(&p->started) +
           p->cap_metas * sizeof *p->metas +
           p->cap_stats * sizeof *p->stats + p->own.cap;
}

/* ---- names ---- */

bool tr__xplane_named(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto text)
{
    static const uint8_t kinds[] = { [TR_XLA_OTHER] = TR__PLANE_OTHER, [TR_XLA_HOST] = TR__PLANE_HOST,
                                     [TR_XLA_GPU] = TR__PLANE_GPU, [TR_XLA_TPU] = TR__PLANE_TPU };
    p->name = tr__xplane_string(r, text.p, (size_t)(text.end - text.p));
    if (p->name == TR_NO_STR)
        return false;
    struct tr_str name = tr__xplane_str(r, p->name);
    struct tr_xla_process process = tr_xla_process(name);
    p->kind = tr__xplane_starts(name, "/host:metadata")   ? TR__PLANE_PROGRAMS
              : tr__xplane_starts(name, "Task Environment") ? TR__PLANE_TASK
                                                            : kinds[process.kind];
    p->device = process.device;
    return true;
}

/* Key and value of an entry of a map. */
static void read_entry(struct tr__proto m, uint64_t *key, struct tr__proto *value)
{
    *key = 0;
    *value = tr__proto_of(NULL, 0);
    while (tr__proto_next(&m))
        if (tr__proto_is(&m, ENTRY_KEY, TR__WIRE_VARINT))
            *key = m.v;
        else if (tr__proto_is(&m, ENTRY_VALUE, TR__WIRE_BYTES))
            *value = tr__proto_inner(&m);
}

/* Only the instructions of a program are kept; a program is a stat of bytes. */
static bool take_program(struct tr__xplane_reader *r, uint64_t key, struct tr__proto value)
{
    struct tr_str name = { NULL, 0 };
    struct tr__proto hlo = tr__proto_of(NULL, 0);
    while (tr__proto_next(&value)) {
        if (tr__proto_is(&value, META_NAME, TR__WIRE_BYTES))
            name = (struct tr_str){ (const char *)value.data, value.len };
        if (!tr__proto_is(&value, META_STAT, TR__WIRE_BYTES))
            continue;
        struct tr__proto stat = tr__proto_inner(&value);
        while (tr__proto_next(&stat))
            if (tr__proto_is(&stat, STAT_BYTES, TR__WIRE_BYTES))
                hlo = tr__proto_inner(&stat);
    }
    return !hlo.p || tr__hlo_program(r, (int64_t)key, name, hlo);
}

bool tr__xplane_meta(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto entry)
{
    struct tr__xplane_meta meta = { .name = TR_NO_STR, .number = TR_NO_STR, .whole = TR_NO_STR, .stats = r->blob.len };
    struct tr__proto value;
    uint32_t display = TR_NO_STR;
    uint64_t key;
    read_entry(entry, &key, &value);
    tr__xplane_look_at(r, p->kind == TR__PLANE_PROGRAMS ? TR__ENTRY_PROGRAM : TR__ENTRY_KIND, entry);
    if (p->kind == TR__PLANE_PROGRAMS)
        return take_program(r, key, value);
    const unsigned char *field = value.p;
    for (; tr__proto_next(&value); field = value.p) {
        if (tr__proto_is(&value, META_NAME, TR__WIRE_BYTES)) {
            meta.name = tr__xplane_string(r, value.data, value.len);
            if (meta.name == TR_NO_STR)
                return false;
        } else if (tr__proto_is(&value, META_DISPLAY_NAME, TR__WIRE_BYTES) && value.len) {
            display = tr__xplane_string(r, value.data, value.len);
            if (display == TR_NO_STR)
                return false;
        } else if (tr__proto_is(&value, META_STAT, TR__WIRE_BYTES)) {
            if (!tr_buf_add(&r->blob, field, (size_t)(value.p - field)))
                return false;
        }
    }
    meta.n_stats = r->blob.len - meta.stats;
    if (display != TR_NO_STR && display != meta.name) {
        meta.whole = meta.name;
        meta.name = display;
    }
    if (p->n_metas >= UINT32_MAX - 1 || !tr_grow(&p->metas, &p->cap_metas, p->n_metas + 1, sizeof *p->metas))
        return false;
    p->metas[p->n_metas] = meta;
    return tr__numbers_set(&p->meta_of, key, (uint32_t)p->n_metas++);
}

static uint8_t use_of(struct tr_str name)
{
    static const struct {
        const char *name;
        uint8_t use;
    } uses[] = {
        { "correlation_id", TR__STAT_CORRELATION }, { "step_num", TR__STAT_STEP },
        { "kernel_details", TR__STAT_KERNEL },      { "memcpy_details", TR__STAT_COPY },
        { "Memset_details", TR__STAT_MEMSET },        { "memset_details", TR__STAT_MEMSET },
        { "hlo_op", TR__STAT_HLO_OP },              { "hlo_module", TR__STAT_HLO_MODULE },
        { "program_id", TR__STAT_PROGRAM },         { "profile_start_time", TR__STAT_PROFILE_START },
        { "global_chip_id", TR__STAT_CHIP },        { "_p", TR__STAT_MADE },
        { "_pt", TR__STAT_MADE_TYPE },              { "_c", TR__STAT_TAKEN },
        { "_ct", TR__STAT_TAKEN_TYPE },             { "flow", TR__STAT_FLOW },
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (name.len == strlen(uses[i].name) && memcmp(name.s, uses[i].name, name.len) == 0)
            return uses[i].use;
    return TR__STAT_ARG;
}

bool tr__xplane_stat(struct tr__xplane_reader *r, struct tr__xplane *p, struct tr__proto entry)
{
    struct tr__xplane_stat stat = { .name = TR_NO_STR, .number = TR_NO_STR };
    struct tr__proto value;
    uint64_t key;
    read_entry(entry, &key, &value);
    tr__xplane_look_at(r, TR__ENTRY_NAME, entry);
    while (tr__proto_next(&value))
        if (tr__proto_is(&value, STAT_META_NAME, TR__WIRE_BYTES) &&
            (stat.name = tr__xplane_string(r, value.data, value.len)) == TR_NO_STR)
            return false;
    if (stat.name != TR_NO_STR)
        stat.use = use_of(tr__xplane_str(r, stat.name));
    if (p->n_stats >= UINT32_MAX - 1 || !tr_grow(&p->stats, &p->cap_stats, p->n_stats + 1, sizeof *p->stats))
        return false;
    r->has_steps |= stat.use == TR__STAT_STEP && p->kind == TR__PLANE_HOST;
    p->stats[p->n_stats] = stat;
    return tr__numbers_set(&p->stat_of, key, (uint32_t)p->n_stats++);
}

/* ---- stats ---- */

unsigned tr__xplane_value(const struct tr__xplane *p, struct tr__proto stat, struct tr__xplane_value *v)
{
    unsigned doubts = 0;
    *v = (struct tr__xplane_value){ .ref = TR_NO_STR };
    while (tr__proto_next(&stat)) {
        doubts |= tr__xplane_doubt_stat(&stat);
        if (tr__proto_is(&stat, STAT_NAME, TR__WIRE_VARINT)) {
            uint32_t at = tr__numbers_get(&p->stat_of, stat.v);
            v->stat = at != UINT32_MAX && p->stats[at].name != TR_NO_STR ? &p->stats[at] : NULL;
        } else if (stat.field >= STAT_DOUBLE && stat.field <= STAT_COMPRESSED) {
            v->field = stat.field;
            v->value = stat;
        }
    }
    if (v->field == STAT_REF) {
        uint32_t at = tr__numbers_get(&p->stat_of, v->value.v);
        v->ref_stat = at != UINT32_MAX ? &p->stats[at] : NULL;
        v->ref = at != UINT32_MAX ? p->stats[at].name : TR_NO_STR;
    }
    return doubts | (stat.bad ? TR__DOUBT_PART : 0u);
}

/* ---- the trace ---- */

static bool put_value(struct tr__xplane_reader *r, struct tr_json_doc *j, const struct tr__xplane_value *v)
{
    switch (v->field) {
    case STAT_DOUBLE:
        return tr_json_doc_double(j, tr__proto_real(&v->value));
    case STAT_UINT:
        return tr_json_doc_u64(j, v->value.v);
    case STAT_INT:
        return tr_json_doc_i64(j, tr__proto_int(&v->value));
    case STAT_TEXT:
        return tr_json_doc_str(j, (struct tr_str){ v->value.len ? (const char *)v->value.data : "", v->value.len });
    case STAT_REF:
        return tr_json_doc_str(j, tr__xplane_str(r, v->ref));
    default:
        return tr_json_doc_null(j);
    }
}

/* What a plane says about its device, as an object.  Of several values with one name, the last is used. */
static bool put_plane(struct tr__xplane_reader *r, struct tr_json_doc *j, struct tr__xplane *p, uint64_t mark)
{
    struct tr__proto m = tr__proto_of(p->own.data, p->own.len);
    struct tr__xplane_value v;
    struct tr_str name = p->name != TR_NO_STR ? tr__xplane_str(r, p->name) : tr_str_of("");
    bool ok = tr_json_doc_key(j, name) && tr_json_doc_open(j, '{');
    while (ok && tr__proto_next(&m)) {
        unsigned doubts = tr__xplane_value(p, tr__proto_inner(&m), &v);
        tr__xplane_doubted(r, doubts);
        if (!(doubts & TR__DOUBT_PART) && (!v.stat || (v.field == STAT_REF && v.ref == TR_NO_STR)))
            tr__xplane_damaged(r, TR__LOST_NAME);
        if (doubts & TR__DOUBT_PART || !v.stat || v.stat->last_event == mark)
            continue;
        v.stat->last_event = mark;
        ok = tr_json_doc_key(j, tr__xplane_str(r, v.stat->name)) && put_value(r, j, &v);
        if (v.stat->use == TR__STAT_CHIP && (v.field == STAT_UINT || v.field == STAT_INT))
            p->chip = tr__proto_int(&v.value);
        if (v.stat->use == TR__STAT_PROFILE_START && p->kind == TR__PLANE_TASK) {
            r->has_base = v.field == STAT_UINT || v.field == STAT_INT;
            r->base = tr__proto_int(&v.value);
        }
    }
    return ok && tr_json_doc_close(j);
}

/* Times count from 1970, or from the start of the profile. */
static void find_base(struct tr__xplane_reader *r)
{
    for (size_t i = 0; i < r->n_lines; i++)
        if (r->lines[i].start_ns / EPOCH > EPOCH) {
            r->has_base = true;
            r->base = 0;
        }
}

/* Chips with several devices do not distinguish these. */
static void find_devices(struct tr__xplane_reader *r)
{
    bool known = true;
    for (size_t i = 0; i < r->n_planes; i++) {
        if (!tr__xplane_on_device(&r->planes[i]))
            continue;
        r->n_devices++;
        known &= r->planes[i].chip >= 0;
        for (size_t k = 0; k < i && known; k++)
            known = !tr__xplane_on_device(&r->planes[k]) || r->planes[k].chip != r->planes[i].chip;
    }
    for (size_t i = 0; i < r->n_planes && !known; i++)
        r->planes[i].chip = TR_I64_NONE;
}

bool tr__xplane_names_end(struct tr__xplane_reader *r)
{
    struct tr_json_doc j = { .out = &r->json };
    r->json.len = 0;
    bool ok = tr_json_doc_open(&j, '{');
    for (size_t i = 0; ok && i < r->n_planes; i++)
        if (r->planes[i].own.len)
            ok = put_plane(r, &j, &r->planes[i], UINT64_MAX);
    if (!ok || !tr_json_doc_close(&j))
        return tr__xplane_no_memory(r);
    find_base(r);
    find_devices(r);
    tr_ingest_header(r->g, "xplane", (const char *)r->json.data, r->json.len);
    return true;
}
