/* SPDX-License-Identifier: MIT */
/* Collectives as partial results: the data of every rank, before they are matched. */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_stages_int.h"
#include "base/tr_mem.h"

#include <stdlib.h>

/* A source.  Its number, and those of its tracks, are unique only within its rank. */
struct saved_source {
    int64_t rank, base, file_base; /* rank TR_I64_NONE: unknown */
    int64_t earliest;              /* base of the sources that it was saved with, or of partial results of these */
    uint64_t source, has_base;
    struct tr_str host, name, mesh, devices; /* devices: of its node, as its header lists them */
};

const struct tr_saved_column tr__comm_source_columns[] = {
    { "rank", TR_SAVED_INT, offsetof(struct saved_source, rank) },
    { "source", TR_SAVED_COUNT, offsetof(struct saved_source, source) },
    { "host", TR_SAVED_TEXT, offsetof(struct saved_source, host) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved_source, name) },
    { "mesh", TR_SAVED_TEXT, offsetof(struct saved_source, mesh) },
    { "devices", TR_SAVED_TEXT, offsetof(struct saved_source, devices) },
    { "base", TR_SAVED_INT, offsetof(struct saved_source, base) },
    { "file_base", TR_SAVED_INT, offsetof(struct saved_source, file_base) },
    { "earliest", TR_SAVED_INT, offsetof(struct saved_source, earliest) },
    { "has_base", TR_SAVED_COUNT, offsetof(struct saved_source, has_base) },
};

struct saved_group {
    struct tr_str name, ranks, sets;
    int64_t size, start, stride, set;
};

/* The place where something first came, in the order of all events. */
struct saved_place {
    int64_t rank, ts, dur;
    uint64_t source, record;
};

struct saved_groups {
    struct saved_group group;
    struct tr_str desc;
    struct saved_place first, described;
};

#define PLACE_COLUMNS(prefix, type, member)                                 \
    { prefix "_rank", TR_SAVED_INT, offsetof(type, member.rank) },          \
    { prefix "_source", TR_SAVED_COUNT, offsetof(type, member.source) },    \
    { prefix "_ts", TR_SAVED_INT, offsetof(type, member.ts) },              \
    { prefix "_dur", TR_SAVED_INT, offsetof(type, member.dur) },            \
    { prefix "_record", TR_SAVED_COUNT, offsetof(type, member.record) }

const struct tr_saved_column tr__comm_group_columns[] = {
    { "group", TR_SAVED_TEXT, offsetof(struct saved_groups, group.name) },
    { "group_ranks", TR_SAVED_TEXT, offsetof(struct saved_groups, group.ranks) },
    { "group_size", TR_SAVED_INT, offsetof(struct saved_groups, group.size) },
    { "group_start", TR_SAVED_INT, offsetof(struct saved_groups, group.start) },
    { "group_stride", TR_SAVED_INT, offsetof(struct saved_groups, group.stride) },
    { "group_sets", TR_SAVED_TEXT, offsetof(struct saved_groups, group.sets) },
    { "group_set", TR_SAVED_INT, offsetof(struct saved_groups, group.set) },
    { "description", TR_SAVED_TEXT, offsetof(struct saved_groups, desc) },
    PLACE_COLUMNS("first", struct saved_groups, first),
    PLACE_COLUMNS("described", struct saved_groups, described),
};

struct saved_member {
    int64_t rank, device, stream, start, end, seq, id, place, external, in_elems, out_elems, bytes, peer;
    uint64_t source, track, device_side, host, record, order, suspect, picked;
    uint64_t group; /* row of its group in the table of groups: lists of ranks are long, and stored once */
    struct tr_str event, name, dtype, in_split, out_split;
};

#define MEMBER(what, kind) { #what, TR_SAVED_##kind, offsetof(struct saved_member, what) }
const struct tr_saved_column tr__comm_member_columns[] = {
    MEMBER(rank, INT), MEMBER(source, COUNT), MEMBER(track, COUNT), MEMBER(device_side, COUNT), MEMBER(device, INT),
    MEMBER(stream, INT), MEMBER(host, COUNT), MEMBER(start, INT), MEMBER(end, INT), MEMBER(record, COUNT),
    MEMBER(seq, INT), MEMBER(id, INT), MEMBER(place, INT), MEMBER(order, COUNT), MEMBER(external, INT),
    MEMBER(suspect, COUNT), MEMBER(picked, COUNT),
    MEMBER(event, TEXT),
    MEMBER(name, TEXT), MEMBER(dtype, TEXT), MEMBER(in_split, TEXT), MEMBER(out_split, TEXT), MEMBER(in_elems, INT),
    MEMBER(out_elems, INT), MEMBER(bytes, INT), MEMBER(peer, INT), MEMBER(group, COUNT),
};

enum { SOURCES, GROUPS, MEMBERS };
const struct tr_saved_table tr__comm_saved[TR__COMM_TABLES] = {
    TR__COMM_SAVED,
    TR_SAVED_TABLE("steps", tr__stages_steps),
    TR_SAVED_TABLE("marks", tr__stages_marks),
    TR_SAVED_TABLE("launches", tr__stages_launches),
    TR_SAVED_TABLE("stretches", tr__stages_stretches),
};
#define IS(what, count) \
    _Static_assert(sizeof tr__comm_##what##_columns / sizeof *tr__comm_##what##_columns == (count), "columns")
IS(source, TR__COMM_SOURCE_COLUMNS);
IS(group, TR__COMM_GROUP_COLUMNS);
IS(member, TR__COMM_MEMBER_COLUMNS);

static int64_t rank_of(const struct tr_dict *d, uint32_t source)
{
    return d->sources[source].rank < 0 ? TR_I64_NONE : d->sources[source].rank;
}

static struct saved_place save_place(const struct tr_dict *d, const struct tr_order_key *k)
{
    return (struct saved_place){ rank_of(d, k->source), k->ts, k->dur, k->source, k->record };
}

static struct saved_group save_group(const struct tr_dict *d, const struct tr_coll_group *g)
{
    return (struct saved_group){ .name = tr_dict_text_if(d, g->name),
                                 .ranks = tr_dict_text_if(d, g->ranks),
                                 .size = g->size,
                                 .start = g->start,
                                 .stride = g->stride,
                                 .sets = tr_dict_text_if(d, g->sets),
                                 .set = g->set };
}

static void save_member(const struct tr_dict *d, const struct tr_coll_gathered *g, const struct tr_coll_member *m,
                        bool host, struct tr_partial_out *out)
{
    const struct tr_coll_call *c = &g->calls[m->call];
    const struct tr_track *t = &d->tracks[m->track];
    const struct saved_member r = { .rank = rank_of(d, m->source),
                                    .source = m->source,
                                    .track = m->track,
                                    .device_side = t->side == TR_SIDE_DEVICE,
                                    .device = t->device,
                                    .stream = t->stream,
                                    .host = host,
                                    .start = m->start,
                                    .end = m->end,
                                    .record = m->record,
                                    .seq = m->seq,
                                    .id = m->id,
                                    .place = m->place,
                                    .order = m->order,
                                    .external = m->external,
                                    .suspect = m->suspect,
                                    .picked = m->picked,
                                    .event = tr_dict_text_if(d, m->name),
                                    .name = tr_dict_text_if(d, c->name),
                                    .dtype = tr_dict_text_if(d, c->dtype),
                                    .in_split = tr_dict_text_if(d, c->in_split),
                                    .out_split = tr_dict_text_if(d, c->out_split),
                                    .in_elems = c->in_elems,
                                    .out_elems = c->out_elems,
                                    .bytes = c->bytes,
                                    .peer = c->peer,
                                    .group = c->group };
    tr_partial_put(out, MEMBERS, &r);
}

enum tr_status tr__comm_save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    return tr__comm_save_members(state, true, out, err);
}

enum tr_status tr__comm_save_members(const struct tr__comm_state *s, bool records, struct tr_partial_out *out,
                                     struct tr_error *err)
{
    struct tr__comm_matching *m = s->matching;
    const struct tr_dict *d = s->in.dict;
    struct tr_coll_gathered g;
    if (m->colls)
        return tr_fail(err, TR_USAGE, "matched collectives cannot be saved");
    enum tr_status st = tr_coll_gathered(m->finder, &g, err);
    for (uint32_t i = 0; i < d->n_sources && st == TR_OK; i++) {
        const struct tr_source *f = &d->sources[i];
        const struct saved_source r = { .rank = rank_of(d, i),
                                        .source = i,
                                        .host = tr_dict_text_if(d, f->host),
                                        .name = tr_dict_text_if(d, f->name),
                                        .mesh = tr_dict_text_if(d, f->mesh),
                                        .devices = tr__comm_devices(d, f),
                                        .base = f->base_ns,
                                        .file_base = f->file_base_ns,
                                        .earliest = m->n_shifts ? m->base : f->base_ns,
                                        .has_base = f->has_base };
        if (!s->in.select || tr_select_source(s->in.select, i))
            tr_partial_put(out, SOURCES, &r);
    }
    for (size_t i = 0; st == TR_OK && i < g.n_groups; i++) {
        struct tr_coll_put_group p;
        tr_coll_gathered_group(m->finder, i, &p);
        const struct saved_groups r = { save_group(d, &p.group), tr_dict_text_if(d, p.group.desc),
                                        save_place(d, &p.first), save_place(d, &p.described) };
        tr_partial_put(out, GROUPS, &r);
    }
    for (size_t i = 0; st == TR_OK && i < g.n_kernels; i++)
        save_member(d, &g, &g.kernels[i], false, out);
    for (size_t i = 0; st == TR_OK && records && i < g.n_records; i++)
        save_member(d, &g, &g.records[i], true, out);
    return st == TR_OK && m->stages ? tr__stages_save(m->stages, &g, out, err) : st;
}

/* ---- loading ---- */

struct loading {
    struct tr__comm_matching *m;
    struct tr_partial_in *in;
    struct tr_dict *d;
    struct tr_coll_group *groups; /* in the order of their rows */
    size_t n_groups, cap_groups;
    size_t *first; /* by partial result: its first group */
    size_t n_first, cap_first;
};

uint32_t tr__comm_source(const struct tr__comm_matching *m, int64_t rank, uint64_t number)
{
    return number < UINT32_MAX - 1 ? tr_eventmap_get(&m->sources, (uint32_t)number, tr__comm_key(rank)) : UINT32_MAX;
}

/* The source of this dictionary; false: unknown, and this is remembered. */
static bool find_source(struct loading *l, int64_t rank, uint64_t number, uint32_t *source)
{
    return tr__comm_take_source(l->m, l->in, rank, number, source);
}

/* Converts a time of a source to the base of the first source's times. */
static bool take_time(struct loading *l, uint32_t source, int64_t t, int64_t *to)
{
    return tr__comm_take_time(l->m, l->in, source, t, to);
}

/* False: out of memory. */
static bool load_source(struct loading *l, const struct saved_source *r)
{
    struct tr__comm_matching *m = l->m;
    uint32_t key = tr_partial_string(l->in, tr_str_of(TR__COMM_DEVICES)), value = tr_partial_string(l->in, r->devices);
    int64_t first = l->d->n_sources ? l->d->sources[0].base_ns : r->base, shift = tr_time_diff(r->base, first);
    struct tr_source s = { .rank = r->rank == TR_I64_NONE ? -1 : r->rank,
                           .rank_rule = TR_RANK_OPTION,
                           .has_base = r->has_base != 0,
                           .name = tr_partial_string(l->in, r->name),
                           .host = tr_partial_string(l->in, r->host),
                           .mesh = tr_partial_string(l->in, r->mesh),
                           .format = TR_NO_STR,
                           .job = TR_NO_STR,
                           .header_keys = &key,
                           .header_values = &value,
                           .n_header = r->devices.s != NULL,
                           .base_ns = first,
                           .file_base_ns = r->file_base,
                           .pid = TR_I64_NONE };
    if (!tr__comm_small(l->in, r->source))
        return true;
    if (shift == TR_TIME_NONE || r->file_base == TR_TIME_NONE || r->earliest == TR_TIME_NONE ||
        (r->rank < 0 && r->rank != TR_I64_NONE) ||
        tr_eventmap_get(&m->sources, (uint32_t)r->source, tr__comm_key(r->rank)) != TR_EVENTMAP_NONE) {
        tr_partial_wrong(l->in, "a source is there twice, or has no base");
        return true;
    }
    uint32_t number = tr_dict_add_source(l->d, &s);
    if (number == UINT32_MAX || !tr_grow(&m->shifts, &m->cap_shifts, (size_t)number + 1, sizeof *m->shifts))
        return false;
    /* Other analyses add sources to this dictionary, too, so the first one is not number 0. */
    m->base = !m->n_shifts || r->earliest < m->base ? r->earliest : m->base;
    m->shifts[number] = shift;
    m->n_shifts = (size_t)number + 1;
    return tr_eventmap_put(&m->sources, (uint32_t)r->source, tr__comm_key(r->rank), number);
}

static bool take_place(struct loading *l, const struct saved_place *p, struct tr_order_key *k)
{
    *k = (struct tr_order_key){ .dur = p->dur, .record = p->record };
    return find_source(l, p->rank, p->source, &k->source) && take_time(l, k->source, p->ts, &k->ts);
}

static struct tr_coll_group take_group(struct loading *l, const struct saved_group *g)
{
    return (struct tr_coll_group){ .name = tr_partial_string(l->in, g->name),
                                   .ranks = tr_partial_string(l->in, g->ranks),
                                   .desc = TR_NO_STR,
                                   .size = g->size < 0 ? -1 : g->size,
                                   .start = g->start < 0 ? -1 : g->start,
                                   .stride = g->stride < 0 ? -1 : g->stride,
                                   .sets = tr_partial_string(l->in, g->sets),
                                   .set = g->set < 0 ? -1 : g->set };
}

/* Keep a group for the members that name it.  False: out of memory. */
static bool add_group(struct loading *l, const struct tr_coll_group *g)
{
    size_t partial = tr_partial_of_row(l->in);
    if (!tr_grow(&l->groups, &l->cap_groups, l->n_groups + 1, sizeof *l->groups) ||
        !tr_grow(&l->first, &l->cap_first, partial + 1, sizeof *l->first))
        return false;
    while (l->n_first <= partial)
        l->first[l->n_first++] = l->n_groups;
    l->groups[l->n_groups++] = *g;
    return true;
}

/* The group that a member names; NULL: there is none, and this is remembered. */
static const struct tr_coll_group *find_group(struct loading *l, uint64_t number)
{
    size_t partial = tr_partial_of_row(l->in);
    size_t from = partial < l->n_first ? l->first[partial] : l->n_groups;
    size_t to = partial + 1 < l->n_first ? l->first[partial + 1] : l->n_groups;
    if (number < to - from)
        return &l->groups[from + number];
    tr_partial_wrong(l->in, "a group that is not listed");
    return NULL;
}

/* False: out of memory. */
static bool load_group(struct loading *l, const struct saved_groups *r)
{
    struct tr_coll_put_group g = { .group = take_group(l, &r->group) };
    if (!add_group(l, &g.group))
        return false;
    g.group.desc = tr_partial_string(l->in, r->desc);
    if (!take_place(l, &r->first, &g.first) || !take_place(l, &r->described, &g.described))
        return true;
    return tr_partial_status(l->in, NULL) != TR_OK || tr_coll_put_group(l->m->finder, &g);
}

/* The track of this dictionary; it is made if it is new.  UINT32_MAX: out of memory. */
static uint32_t track_of(struct loading *l, const struct saved_member *r, uint32_t source)
{
    uint32_t number = tr_eventmap_get(&l->m->tracks, source, r->track);
    if (number != TR_EVENTMAP_NONE)
        return number;
    const struct tr_track t = { .source = source,
                                .side = r->device_side ? TR_SIDE_DEVICE : TR_SIDE_HOST,
                                .pid = TR_I64_NONE,
                                .tid = TR_I64_NONE,
                                .device = r->device,
                                .context = TR_I64_NONE,
                                .stream = r->stream,
                                .process_name = TR_NO_STR,
                                .thread_name = TR_NO_STR,
                                .labels = TR_NO_STR,
                                .process_sort = TR_I64_NONE,
                                .thread_sort = TR_I64_NONE };
    number = tr_dict_add_track(l->d, &t);
    return number != UINT32_MAX && tr_eventmap_put(&l->m->tracks, source, r->track, number) ? number : UINT32_MAX;
}

/* False: out of memory. */
static bool load_member(struct loading *l, const struct saved_member *r)
{
    const struct tr_coll_group *g = find_group(l, r->group);
    struct tr_coll_call c = { .name = tr_partial_string(l->in, r->name),
                              .dtype = tr_partial_string(l->in, r->dtype),
                              .in_split = tr_partial_string(l->in, r->in_split),
                              .out_split = tr_partial_string(l->in, r->out_split),
                              .in_elems = r->in_elems < 0 ? -1 : r->in_elems,
                              .out_elems = r->out_elems < 0 ? -1 : r->out_elems,
                              .bytes = r->bytes < 0 ? -1 : r->bytes,
                              .peer = r->peer < 0 ? -1 : r->peer };
    struct tr_coll_member m = { .record = r->record,
                                .seq = r->seq,
                                .id = r->id,
                                .place = r->place,
                                .order = r->order,
                                .external = r->external,
                                .launch = TR_TIME_NONE,
                                .host_track = UINT32_MAX,
                                .name = tr_partial_string(l->in, r->event),
                                .suspect = r->suspect != 0,
                                .picked = r->picked != 0 };
    if (!find_source(l, r->rank, r->source, &m.source) || !take_time(l, m.source, r->start, &m.start) ||
        !take_time(l, m.source, r->end, &m.end))
        return true;
    if (m.end < m.start)
        tr_partial_wrong(l->in, "a collective that ends before it starts");
    if (tr_partial_status(l->in, NULL) != TR_OK)
        return true;
    m.track = track_of(l, r, m.source);
    return m.track != UINT32_MAX && tr_coll_put(l->m->finder, r->host != 0, &m, &c, g);
}

enum tr_status tr__comm_load_members(struct tr__comm_matching *m, struct tr_partial_in *in, struct tr_error *err)
{
    struct loading l = { .m = m, .in = in, .d = tr_partial_dict(in) };
    struct saved_source source;
    struct saved_groups group;
    struct saved_member member;
    bool ok = true;
    while (ok && tr_partial_get(in, SOURCES, &source))
        ok = load_source(&l, &source);
    while (ok && tr_partial_get(in, GROUPS, &group))
        ok = load_group(&l, &group);
    while (ok && tr_partial_get(in, MEMBERS, &member))
        ok = load_member(&l, &member);
    free(l.groups);
    free(l.first);
    return ok ? tr_partial_status(in, err) : tr_fail_memory(err);
}

enum tr_status tr__comm_load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct tr__comm_matching *m = ((struct tr__comm_state *)state)->matching;
    enum tr_status st = tr__comm_load_members(m, in, err);
    if (st != TR_OK)
        return st;
    return tr__stages_load(m, in) ? tr_partial_status(in, err) : tr_fail_memory(err);
}
