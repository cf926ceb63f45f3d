/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: the devices of a collective, from its instruction.
 *
 * An instruction numbers the participants of its program from 0.  Which devices these are, the module says in its
 * device assignment; if it has none, participant n is device n.
 */
#include "formats/xplane/tr_xplane_int.h"

#include "base/tr_sort.h"
#include "json/tr_json_write.h"

#include <stdlib.h>

enum { DEVICES_GROUP = 1, DEVICES_IOTA = 2 };
enum { IOTA_GROUPS = 1, IOTA_SIZE = 2, IOTA_DIMS = 3, IOTA_ORDER = 4 };
enum { PAIR_SOURCE = 1, PAIR_TARGET = 2 };
enum { ASSIGNMENT_DEVICES = 3, DEVICES_IDS = 1 };

#define MAX_IOTA  65536u              /* devices of groups given by a rule */
#define MAX_DIMS  16u

/* ---- the devices of a module ---- */

/* The n-th participant of replica r, of n_parts in each replica, is number r n_parts + n. */
bool tr__hlo_assign(struct tr__xplane_reader *r, struct tr__proto m)
{
    struct tr__hlo_part *p = &r->part;
    size_t n_parts = 0, part = 0;
    uint64_t id;
    p->n_assigned = 0;
    for (struct tr__proto k = m; tr__proto_next(&k);)
        n_parts += tr__proto_is(&k, ASSIGNMENT_DEVICES, TR__WIRE_BYTES);
    while (tr__proto_next(&m)) {
        if (!tr__proto_is(&m, ASSIGNMENT_DEVICES, TR__WIRE_BYTES))
            continue;
        struct tr__proto d = tr__proto_inner(&m);
        size_t replica = 0;
        while (tr__proto_next(&d)) {
            if (d.field != DEVICES_IDS)
                continue;
            for (const unsigned char *e = NULL; tr__proto_element(&d, &e, TR__WIRE_VARINT, &id); replica++) {
                size_t at = replica * n_parts + part;
                if (at >= MAX_IOTA) { /* and replica stays small */
                    p->n_assigned = 0;
                    return true;
                }
                if (!tr_grow(&p->assigned, &p->cap_assigned, at + 1, sizeof *p->assigned))
                    return false;
                while (p->n_assigned <= at)
                    p->assigned[p->n_assigned++] = -1;
                p->assigned[at] = (int64_t)id;
            }
        }
        part++;
    }
    return true;
}

/* ---- lists ---- */

/* A list that is being made. */
struct making {
    struct tr__xplane_reader *r;
    struct tr_json_doc j;
    bool devices; /* of devices, not of participants */
};

static bool put_id(struct making *k, uint64_t id)
{
    const struct tr__hlo_part *p = &k->r->part;
    bool other = k->devices && id < p->n_assigned && p->assigned[id] >= 0;
    return tr_json_doc_u64(&k->j, other ? (uint64_t)p->assigned[id] : id);
}

static bool put_list(struct making *to, const struct tr__proto *group)
{
    struct tr__proto m = tr__proto_inner(group);
    uint64_t v;
    bool ok = tr_json_doc_open(&to->j, '[');
    while (ok && tr__proto_next(&m))
        if (m.field == 1)
            for (const unsigned char *p = NULL; ok && tr__proto_element(&m, &p, TR__WIRE_VARINT, &v);)
                ok = put_id(to, v);
    return ok && tr_json_doc_close(&to->j);
}

static unsigned elements(const struct tr__proto *m, uint64_t *to, unsigned n)
{
    uint64_t v;
    for (const unsigned char *p = NULL; tr__proto_element(m, &p, TR__WIRE_VARINT, &v); n++)
        if (n < MAX_DIMS)
            to[n] = v;
    return n;
}

/* The n-th device of an array of these sizes after its dimensions are reordered. */
static uint64_t reordered(uint64_t n, const uint64_t *dims, const uint64_t *order, unsigned n_dims)
{
    uint64_t index[MAX_DIMS] = { 0 }, device = 0;
    for (unsigned k = n_dims; k-- > 0;) {
        index[order[k]] = n % dims[order[k]];
        n /= dims[order[k]];
    }
    for (unsigned k = 0; k < n_dims; k++)
        device = device * dims[k] + index[k];
    return device;
}

/*
 * Groups by a rule: an array of dims with devices 0, 1, ..., its dimensions reordered, split into groups of one size.
 */
static bool put_iota(struct making *to, struct tr__proto m)
{
    uint64_t groups = 0, size = 0, dims[MAX_DIMS] = { 0 }, order[MAX_DIMS] = { 0 }, all = 1;
    unsigned n_dims = 0, n_order = 0, seen = 0;
    bool ok = true;
    while (tr__proto_next(&m)) {
        groups = tr__proto_is(&m, IOTA_GROUPS, TR__WIRE_VARINT) ? m.v : groups;
        size = tr__proto_is(&m, IOTA_SIZE, TR__WIRE_VARINT) ? m.v : size;
        n_dims = m.field == IOTA_DIMS ? elements(&m, dims, n_dims) : n_dims;
        n_order = m.field == IOTA_ORDER ? elements(&m, order, n_order) : n_order;
    }
    if (n_dims > MAX_DIMS || (n_order && n_order != n_dims))
        return true;
    for (unsigned k = 0; k < n_dims; k++) {
        order[k] = n_order ? order[k] : k;
        all = dims[k] && dims[k] <= MAX_IOTA && all <= MAX_IOTA ? all * dims[k] : 0;
        seen |= order[k] < n_dims ? 1u << order[k] : 0;
    }
    if (!groups || !size || groups > MAX_IOTA || size > MAX_IOTA || groups * size > MAX_IOTA ||
        all != groups * size || seen != (1u << n_dims) - 1)
        return true;
    for (uint64_t g = 0; ok && g < groups; g++) {
        ok = tr_json_doc_open(&to->j, '[');
        for (uint64_t k = 0; ok && k < size; k++)
            ok = put_id(to, reordered(g * size + k, dims, order, n_dims));
        ok = ok && tr_json_doc_close(&to->j);
    }
    return ok;
}

static bool put_groups(struct making *to, struct tr__proto m)
{
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        if (tr__proto_is(&m, TR__INSTRUCTION_GROUP, TR__WIRE_BYTES))
            ok = put_list(to, &m);
        if (!tr__proto_is(&m, TR__INSTRUCTION_DEVICES, TR__WIRE_BYTES))
            continue;
        struct tr__proto d = tr__proto_inner(&m);
        while (ok && tr__proto_next(&d))
            if (tr__proto_is(&d, DEVICES_GROUP, TR__WIRE_BYTES))
                ok = put_list(to, &d);
            else if (tr__proto_is(&d, DEVICES_IOTA, TR__WIRE_BYTES))
                ok = put_iota(to, tr__proto_inner(&d));
    }
    return ok;
}

/* All that send or receive in a permutation, as one group. */
static bool put_pairs(struct making *to, struct tr__proto m)
{
    struct tr__hlo_part *p = &to->r->part;
    size_t n = 0;
    bool ok = true;
    while (tr__proto_next(&m)) {
        if (!tr__proto_is(&m, TR__INSTRUCTION_PAIR, TR__WIRE_BYTES))
            continue;
        struct tr__proto pair = tr__proto_inner(&m);
        if (!tr_grow(&p->ids, &p->cap_ids, n + 2, sizeof *p->ids))
            return false;
        p->ids[n] = p->ids[n + 1] = 0;
        while (tr__proto_next(&pair))
            if (pair.wire == TR__WIRE_VARINT && (pair.field == PAIR_SOURCE || pair.field == PAIR_TARGET))
                p->ids[n + (pair.field == PAIR_TARGET)] = pair.v;
        n += 2;
    }
    if (!n)
        return true;
    qsort(p->ids, n, sizeof *p->ids, tr_by_u64);
    ok = tr_json_doc_open(&to->j, '[');
    for (size_t i = 0; ok && i < n; i++)
        ok = (i && p->ids[i] == p->ids[i - 1]) || put_id(to, p->ids[i]);
    return ok && tr_json_doc_close(&to->j);
}

/* Without groups all devices of the module are one. */
static bool put_all(struct making *to)
{
    bool ok = tr_json_doc_open(&to->j, '[');
    for (size_t i = 0; ok && i < to->r->part.n_assigned; i++)
        ok = put_id(to, i);
    return ok && tr_json_doc_close(&to->j);
}

bool tr__hlo_groups(struct tr__xplane_reader *r, struct tr__proto m, bool devices, uint32_t *to)
{
    struct making k = { .r = r, .j = { .out = &r->json }, .devices = devices };
    r->json.len = 0;
    bool ok = tr_json_doc_open(&k.j, '[') && put_groups(&k, m) && (!devices || put_pairs(&k, m));
    if (ok && devices && r->json.len <= 1 && r->part.n_assigned)
        ok = put_all(&k);
    ok = ok && tr_json_doc_close(&k.j);
    *to = TR_NO_STR;
    return ok && (r->json.len <= 2 || (*to = tr__xplane_string(r, r->json.data, r->json.len)) != TR_NO_STR);
}
