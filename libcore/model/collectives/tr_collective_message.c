/* SPDX-License-Identifier: MIT */
/*
 * Collectives made of messages: the sends and receives of a rank that one collective consists of are one member.
 *
 * A rank posts its receives and sends ahead, while the kernel still runs that makes the data.  So the member starts
 * when this kernel ends: the first one that starts after the first message, and ends within READY_NS of this message's
 * end.  Without such a kernel, it starts with the first message.
 */
#include "base/tr_mem.h"
#include "model/collectives/tr_collective_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define READY_NS 10000000

/* What a message is, whatever its number: "SenRdmaSend_17 [sync=...] DmaO" without 17. */
static uint64_t message_hash(struct tr_str name)
{
    size_t at = 0, after;
    while (at < name.len && !(name.s[at] == '_' && at + 1 < name.len && isdigit((unsigned char)name.s[at + 1])))
        at++;
    for (after = at < name.len ? at + 1 : at; after < name.len && isdigit((unsigned char)name.s[after]);)
        after++;
    const uint64_t parts[] = { tr_hash(name.s, at), tr_hash(name.s + after, name.len - after) };
    return tr_hash(parts, sizeof parts);
}

static uint64_t open_hash(uint32_t source, uint32_t party, uint32_t text)
{
    const uint32_t parts[] = { source, party, text };
    return tr_hash(parts, sizeof parts);
}

/* The collective of a rank that a message belongs to, without messages if it is new.  NULL: out of memory. */
static struct tr__coll_open *open_of(struct tr_coll_finder *f, const struct tr_coll_member *m, uint32_t text)
{
    uint64_t hash = open_hash(m->source, m->party, text);
    struct tr_hash_walk walk = tr_hash_index_walk(&f->open_index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        struct tr__coll_open *o = &f->open[i];
        if (o->source == m->source && o->party == m->party && o->text == text)
            return o;
    }
    if (f->n_open >= TR_HASH_NONE - 1 || !tr_grow(&f->open, &f->cap_open, f->n_open + 1, sizeof *f->open) ||
        !tr_hash_index_add(&f->open_index, hash, (uint32_t)f->n_open))
        return NULL;
    f->open[f->n_open] = (struct tr__coll_open){ .source = m->source, .party = m->party, .text = text };
    return &f->open[f->n_open++];
}

/* All messages of it have been seen. */
static void end_open(struct tr_coll_finder *f, struct tr__coll_open *o)
{
    struct tr_coll_member *m = &f->kernels.v[o->row];
    if (o->n_seen && o->ready != TR_TIME_NONE && o->ready > m->start && o->ready <= m->end)
        m->start = o->ready;
    o->n_seen = 0;
}

/* Has this message been seen?  Then it is the same collective again. */
static bool seen(const struct tr__coll_open *o, uint64_t hash)
{
    for (size_t i = 0; i < o->n_seen; i++)
        if (o->seen[i] == hash)
            return true;
    return false;
}

static bool start_open(struct tr_coll_finder *f, struct tr__coll_open *o, const struct tr_coll_member *m)
{
    if (!tr_grow(&f->kernels.v, &f->kernels.cap, f->kernels.n + 1, sizeof *m) ||
        !tr_grow(&f->waiting, &f->cap_waiting, f->n_waiting + 1, sizeof *f->waiting))
        return false;
    o->row = f->kernels.n;
    o->first_end = m->end;
    o->ready = TR_TIME_NONE;
    f->kernels.v[f->kernels.n++] = *m;
    f->waiting[f->n_waiting++] = (uint32_t)(o - f->open);
    return true;
}

bool tr__coll_message(struct tr_coll_finder *f, const struct tr_coll_member *message, uint32_t text, int64_t bytes)
{
    struct tr_coll_member m = *message;
    struct tr__coll_open *o = open_of(f, &m, text);
    uint64_t hash = message_hash(tr_dict_text(f->dict, m.name));
    if (!o)
        return false;
    if (seen(o, hash))
        end_open(f, o);
    if (!tr_grow(&o->seen, &o->cap_seen, o->n_seen + 1, sizeof *o->seen) || (!o->n_seen && !start_open(f, o, &m)))
        return false;
    o->seen[o->n_seen++] = hash;
    struct tr_coll_member *of = &f->kernels.v[o->row];
    struct tr_coll_call call;
    memcpy(&call, &f->calls[of->call], sizeof call); /* with its padding */
    of->end = m.end > of->end ? m.end : of->end;
    of->suspect = of->suspect || m.suspect;
    of->picked = of->picked || m.picked;
    if (bytes <= call.bytes)
        return true;
    call.bytes = bytes;
    of->call = tr__coll_call(f, &call);
    return of->call != UINT32_MAX;
}

void tr__coll_kernel(struct tr_coll_finder *f, uint32_t source, int64_t start, int64_t end)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_waiting; i++) {
        struct tr__coll_open *o = &f->open[f->waiting[i]];
        int64_t from = f->kernels.v[o->row].start, after = tr_time_diff(end, o->first_end);
        bool near = after != TR_TIME_NONE && after >= -READY_NS && after <= READY_NS;
        int64_t late = tr_time_diff(start, o->first_end);
        if (o->source == source && start > from && near)
            o->ready = end;
        else if (late == TR_TIME_NONE || late <= READY_NS) /* there may be one yet */
            f->waiting[n++] = f->waiting[i];
    }
    f->n_waiting = n;
}

void tr__coll_end_messages(struct tr_coll_finder *f)
{
    for (size_t i = 0; i < f->n_open; i++) {
        end_open(f, &f->open[i]);
        free(f->open[i].seen);
    }
    free(f->open);
    free(f->waiting);
    tr_hash_index_free(&f->open_index);
    f->open = NULL;
    f->waiting = NULL;
    f->n_open = f->cap_open = f->n_waiting = f->cap_waiting = 0;
}
