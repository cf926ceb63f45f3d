/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: what of a packet is not understood.
 *
 * Readers skip fields that they do not know.  But a part that this reader uses must be a message to its end; else some
 * of it would be lost without a word.
 */
#include "formats/perfetto/tr_perfetto_read_int.h"

#define DEEPEST 8u /* levels of messages in the table */

/* A message has fields that are messages in turn; field 0: no more. */
struct part {
    uint32_t field;
    const struct part *inner;
};

static const struct part plain[] = { { 0, NULL } };
static const struct part list[] = { { 1, plain }, { 0, NULL } };
static const struct part triple_lists[] = { { 1, plain }, { 2, plain }, { 3, plain }, { 0, NULL } };
static const struct part gpu_counters[] = { { 2, list }, { 0, NULL } };
static const struct part interned[] = {
    { 1, plain },  { 2, plain },         { 3, plain },    { 23, plain },   { 24, plain },
    { 29, plain }, { 47, gpu_counters }, { 1000, plain }, { 1001, plain }, { 0, NULL },
};
static const struct part defaults[] = { { TR__FIELD_EVENT, plain }, { 0, NULL } };
static const struct part old_names[] = { { 2, plain }, { 3, plain }, { 0, NULL } };
static const struct part work[] = { { 6, plain }, { 7, old_names }, { 21, triple_lists }, { 0, NULL } };
static const struct part samples[] = { { 1, list }, { 2, plain }, { 0, NULL } };
static const struct part track[] = { { 3, plain }, { 4, plain }, { 8, plain }, { 0, NULL } };

static const struct part kinds[] = {
    { TR__FIELD_SNAPSHOT, list },        { TR__FIELD_EVENT, NULL },    { TR__FIELD_THREAD, plain },
    { TR__FIELD_DEFLATED, NULL },        { TR__FIELD_ZSTD, NULL },     { TR__FIELD_TRACK, track },
    { TR__FIELD_GPU_COUNTER, samples },  { TR__FIELD_GPU_WORK, work }, { 0, NULL },
};

static const struct part *find(const struct part *of, uint32_t field)
{
    while (of->field && of->field != field)
        of++;
    return of->field ? of : NULL;
}

bool tr__perfetto_reads(uint32_t kind)
{
    return kind == TR__FIELD_EVENT || (kind && find(kinds, kind));
}

static bool is_whole(struct tr__proto m, const struct part *of, unsigned depth)
{
    while (tr__proto_next(&m)) {
        const struct part *p = find(of, m.field);
        bool whole = !p || (m.wire == TR__WIRE_BYTES && depth && is_whole(tr__proto_inner(&m), p->inner, depth - 1));
        if (!whole)
            return false;
    }
    return !m.bad;
}

bool tr__perfetto_parts_whole(const struct tr__packet *packet)
{
    const struct part *kind = packet->kind ? find(kinds, packet->kind) : NULL;
    return is_whole(tr__proto_of(packet->interned.data, packet->interned.len), interned, DEEPEST) &&
           is_whole(tr__proto_of(packet->defaults.data, packet->defaults.len), defaults, DEEPEST) &&
           (!kind || !kind->inner || is_whole(tr__proto_of(packet->body.data, packet->body.len), kind->inner, DEEPEST));
}
