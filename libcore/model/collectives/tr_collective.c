/* SPDX-License-Identifier: MIT */
/* Collectives: from batches to members with their args and host records. */
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/collectives/tr_collective_int.h"

#include <ctype.h>
#include <stdlib.h>

const char *const tr_coll_keys[TR_COLL_N_KEYS] = {
    "Collective name",
    "dtype",
    "Process Group Name",
    "Process Group Ranks",
    "Process Group Description",
    "In split size",
    "Out split size",
    "Input Dims",
    "Input type",
    "Device groups",
    "CollGroup",
    "In msg nelems",
    "Out msg nelems",
    "Group size",
    "Global rank start",
    "Global rank stride",
    "Src Rank",
    "Dst Rank",
    "Seq",
    "External id",
    "Comms Id",
    "Bytes",
    "Devices per rank",
    "Global device",
    "count",
    "ssize",
    "dsize",
    "src",
    "dst",
};

#define FIRST_SLOTS 64u

enum tr_status tr_coll_finder_new(const struct tr_dict *dict, const struct tr_select *select,
                                  struct tr_coll_finder **out, struct tr_error *err)
{
    struct tr_coll_finder *f = *out = calloc(1, sizeof *f);
    if (!f)
        return tr_fail_memory(err);
    f->dict = dict;
    f->select = select;
    f->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = tr_coll_keys, .n_keys = TR_COLL_N_KEYS };
    return TR_OK;
}

void tr_coll_finder_free(struct tr_coll_finder *f)
{
    if (!f)
        return;
    tr_args_free(&f->args);
    tr__coll_end_messages(f);
    free(f->track_party);
    free(f->name_type);
    free(f->calls);
    free(f->groups);
    free(f->descs);
    free(f->launch);
    free(f->launch_track);
    free(f->parties);
    tr_hash_index_free(&f->call_index);
    tr_hash_index_free(&f->group_index);
    tr_hash_index_free(&f->party_index);
    free(f->kernels.v);
    free(f->records.v);
    free(f->notes);
    free(f->host_end);
    free(f);
}

/* ---- args ---- */

struct args {
    uint32_t text[TR__COLL_MESSAGES + 1]; /* TR_NO_STR: none */
    int64_t number[TR_COLL_N_KEYS];        /* TR_I64_NONE: none */
    int64_t bytes;                         /* of a call of the host; -1: unknown */
};

static int64_t or_unknown(int64_t number)
{
    return number < 0 ? -1 : number; /* TR_I64_NONE is negative, too */
}

/* The sizes and partners of a call of the host whose args were read; count: a list with the number of elements. */
static void args_from_host_call(const struct tr_coll_finder *f, uint32_t name, uint32_t count, struct args *a)
{
    int64_t elems = count == TR_NO_STR ? a->number[TR__COLL_HOST_COUNT]
                                       : tr__coll_dims_elems(tr_dict_text(f->dict, count)),
            from = a->number[TR__COLL_HOST_SSIZE], to = a->number[TR__COLL_HOST_DSIZE];
    unsigned size =
        a->text[TR__COLL_DTYPE] == TR_NO_STR ? 0 : tr_coll_elem_size(tr_dict_text(f->dict, a->text[TR__COLL_DTYPE]));
    a->text[TR__COLL_NAME] = name;
    a->text[TR__COLL_MESSAGES] = TR_NO_STR;
    a->number[TR__COLL_SRC] = a->number[TR__COLL_HOST_SRC];
    a->number[TR__COLL_DST] = a->number[TR__COLL_HOST_DST];
    if (size && elems >= 0 && elems <= INT64_MAX / size)
        a->bytes = elems * (int64_t)size;
    else
        a->bytes = from > to ? from : to; /* TR_I64_NONE is the smallest number */
    a->bytes = or_unknown(a->bytes);
}

/* The args of an event.  False: a column ends before its events do. */
static bool read_args(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i, struct args *a)
{
    struct tr_arg_value v[TR_COLL_N_KEYS];
    bool whole = tr_args_get(&f->args, b, i, v);
    for (unsigned k = 0; k <= TR__COLL_MESSAGES; k++)
        a->text[k] = tr_arg_value_text(v[k]);
    for (unsigned k = 0; k < TR_COLL_N_KEYS; k++)
        a->number[k] = tr_arg_value_int(v[k]);
    a->bytes = -1;
    if (b->activity[i] == TR_ACT_HOST_COMM) {
        args_from_host_call(f, b->name[i], tr_arg_value_text(v[TR__COLL_HOST_COUNT]), a);
        return whole;
    }
    if (v[TR__COLL_ID].type == TR_T_UINT + 1)
        a->number[TR__COLL_ID] = v[TR__COLL_ID].v; /* its bits */
    if (a->text[TR__COLL_NAME] != TR_NO_STR && !tr_dict_text(f->dict, a->text[TR__COLL_NAME]).len)
        a->text[TR__COLL_NAME] = TR_NO_STR;
    if (v[TR__COLL_BYTES].type == TR_T_QUOTED + 1)
        a->number[TR__COLL_BYTES] = v[TR__COLL_BYTES].v;
    if (a->text[TR__COLL_NAME] == TR_NO_STR && a->text[TR__COLL_MESSAGES] != TR_NO_STR &&
        tr_dict_text(f->dict, a->text[TR__COLL_MESSAGES]).len) {
        struct tr_str text = tr_dict_text(f->dict, a->text[TR__COLL_MESSAGES]);
        a->text[TR__COLL_NAME] = a->text[TR__COLL_MESSAGES];
        a->number[TR__COLL_ID] = (int64_t)(tr_hash(text.s, text.len) >> 1); /* not TR_I64_NONE */
    } else {
        a->text[TR__COLL_MESSAGES] = TR_NO_STR;
    }
    return whole;
}

/* ---- calls, groups, parties ---- */

/* The number of a device among those of all ranks; -1: unknown. */
static int64_t global_device(const struct tr_coll_finder *f, const struct args *a, uint32_t track)
{
    const struct tr_track *t = &f->dict->tracks[track];
    int64_t rank = f->dict->sources[t->source].rank, n = a->number[TR__COLL_PER_RANK];
    if (a->number[TR__COLL_DEVICE] != TR_I64_NONE)
        return or_unknown(a->number[TR__COLL_DEVICE]);
    if (n <= 0 || rank < 0 || t->device < 0 || rank > (INT64_MAX - t->device) / n)
        return -1;
    return rank * n + t->device;
}

static uint32_t group_of(struct tr_coll_finder *f, const struct args *a, uint32_t track)
{
    struct tr_coll_group g;
    memset(&g, 0, sizeof g); /* padding takes part in the hash */
    g.name = a->text[TR__COLL_GROUP_NAME];
    g.ranks = a->text[TR__COLL_GROUP_RANKS];
    g.desc = TR_NO_STR;
    g.size = or_unknown(a->number[TR__COLL_SIZE]);
    g.start = g.ranks == TR_NO_STR ? or_unknown(a->number[TR__COLL_START]) : -1;
    g.stride = g.ranks == TR_NO_STR ? or_unknown(a->number[TR__COLL_STRIDE]) : -1;
    g.sets = a->text[TR__COLL_SETS];
    g.set = -1;
    if (g.sets != TR_NO_STR)
        g.set = tr__coll_set_of(tr_dict_text(f->dict, g.sets), global_device(f, a, track), &g.size);
    return tr__coll_intern(&f->group_index, &f->groups, &f->n_groups, &f->cap_groups, sizeof g, &g);
}

/* The first description of a group.  It is separate from the group, because it does not identify the group. */
static bool note_desc(struct tr_coll_finder *f, uint32_t group, const struct tr__coll_desc *now)
{
    if (!tr_grow(&f->descs, &f->cap_descs, f->n_groups, sizeof *f->descs))
        return false;
    if (f->n_descs < f->n_groups) { /* it is the last one */
        f->descs[f->n_descs++] = *now;
        return true;
    }
    struct tr__coll_desc *d = &f->descs[group];
    if (f->put && tr_order_key_cmp(f->dict, &now->first, &d->first) < 0)
        d->first = now->first;
    bool sooner = f->put && now->desc != TR_NO_STR && tr_order_key_cmp(f->dict, &now->described, &d->described) < 0;
    if (d->desc == TR_NO_STR || sooner) {
        d->desc = now->desc;
        d->described = now->described;
    }
    return true;
}

/* Does a list of sizes have any? */
static bool has_parts(const struct tr_coll_finder *f, uint32_t list)
{
    struct tr_str text = tr_dict_text_if(f->dict, list);
    for (size_t i = 0; i < text.len; i++)
        if (isdigit((unsigned char)text.s[i]))
            return true;
    return false;
}

/* The type of a call, by its name; an all-to-all that lists the sizes of its parts is one whose parts may differ. */
static uint8_t type_of_call(const struct tr_coll_finder *f, const struct tr_coll_call *c)
{
    enum tr_coll_type type = c->name == TR_NO_STR ? TR_COLL_UNKNOWN : tr_coll_type_of(tr_dict_text(f->dict, c->name));
    bool parts = type == TR_COLL_ALLTOALL && (has_parts(f, c->in_split) || has_parts(f, c->out_split));
    return (uint8_t)(parts ? TR_COLL_ALLTOALLV : type);
}

static uint32_t call_of(struct tr_coll_finder *f, const struct args *a, uint32_t track)
{
    struct tr_coll_call c;
    memset(&c, 0, sizeof c);
    c.group = group_of(f, a, track);
    c.name = a->text[TR__COLL_NAME];
    c.dtype = a->text[TR__COLL_DTYPE];
    c.in_split = a->text[TR__COLL_IN_SPLIT];
    c.out_split = a->text[TR__COLL_OUT_SPLIT];
    c.in_elems = or_unknown(a->number[TR__COLL_IN_ELEMS]);
    c.out_elems = or_unknown(a->number[TR__COLL_OUT_ELEMS]);
    c.bytes = a->bytes;
    c.type = type_of_call(f, &c);
    c.peer = c.type == TR_COLL_SEND   ? or_unknown(a->number[TR__COLL_DST])
             : c.type == TR_COLL_RECV ? or_unknown(a->number[TR__COLL_SRC])
                                      : -1;
    if (c.group == UINT32_MAX)
        return UINT32_MAX;
    return tr__coll_call(f, &c);
}

static bool same_party(const struct tr_coll_party *a, const struct tr_coll_party *b)
{
    return a->rank == b->rank && a->device == b->device && (a->rank >= 0 || a->source == b->source);
}

/* Found once for each track. */
static uint32_t party_of(struct tr_coll_finder *f, uint32_t track)
{
    if (!tr_grow(&f->track_party, &f->cap_tracks, f->dict->n_tracks, sizeof *f->track_party))
        return UINT32_MAX;
    while (f->n_tracks < f->dict->n_tracks)
        f->track_party[f->n_tracks++] = UINT32_MAX;
    if (f->track_party[track] != UINT32_MAX)
        return f->track_party[track];
    const struct tr_track *t = &f->dict->tracks[track];
    struct tr_coll_party p = { f->dict->sources[t->source].rank, t->source,
                               t->side == TR_SIDE_DEVICE ? t->device : TR_I64_NONE };
    p.rank = p.rank < 0 ? -1 : p.rank;
    const int64_t key[] = { p.rank, p.device, p.rank < 0 ? (int64_t)p.source : 0 };
    uint64_t hash = tr_hash(key, sizeof key);
    struct tr_hash_walk walk = tr_hash_index_walk(&f->party_index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_party(&f->parties[i], &p))
            return f->track_party[track] = i;
    if (!tr_grow(&f->parties, &f->cap_parties, f->n_parties + 1, sizeof p) ||
        !tr_hash_index_add(&f->party_index, hash, (uint32_t)f->n_parties))
        return UINT32_MAX;
    f->parties[f->n_parties] = p;
    return f->track_party[track] = (uint32_t)f->n_parties++;
}

/* The type from the name of an event, found once for each name. */
static bool type_of_name(struct tr_coll_finder *f, uint32_t name, uint8_t *type)
{
    if (!tr_grow(&f->name_type, &f->cap_names, (size_t)name + 1, 1))
        return false;
    while (f->n_names <= name)
        f->name_type[f->n_names++] = 0;
    if (!f->name_type[name])
        f->name_type[name] = (uint8_t)(tr_coll_type_of(tr_dict_text(f->dict, name)) + 1);
    *type = (uint8_t)(f->name_type[name] - 1);
    return true;
}

/* ---- members ---- */

static bool is_kernel(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_KERNEL &&
           (b->kind[i] == TR_KIND_COMM || tr_args_has_string(&f->args, b, i, TR__COLL_NAME));
}

/* There are host records of other calls, too: "init", "wait". */
static bool is_record(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_COMM_RECORD && tr_args_has_string(&f->args, b, i, TR__COLL_NAME);
}

/* A call of MPI or a task of oneCCL: it may carry out a collective. */
static bool is_host_call(const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_HOST_COMM;
}

/* "nccl:all_reduce" */
static bool is_note(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    if (b->activity[i] != TR_ACT_ANNOTATION || f->dict->tracks[b->track[i]].side == TR_SIDE_DEVICE)
        return false;
    return tr__coll_is_note(tr_dict_text(f->dict, b->name[i]));
}

static bool is_wanted(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return is_kernel(f, b, i) || is_record(f, b, i) || is_host_call(b, i) || is_note(f, b, i);
}

static bool is_message(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return b->kind[i] == TR_KIND_COMM && tr_args_has_string(&f->args, b, i, TR__COLL_MESSAGES);
}

bool tr_coll_may_have(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return is_wanted(f, b, i) || is_message(f, b, i);
}

/* A kernel that may make the data of messages. */
static bool is_other_kernel(const struct tr_coll_finder *f, const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_KERNEL && b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE &&
           b->kind[i] == TR_KIND_COMPUTE && !tr_args_has_string(&f->args, b, i, TR__COLL_MESSAGES);
}

static int64_t usable_dur(const struct tr_batch *b, size_t i)
{
    int64_t dur = b->dur[i], ts = b->ts[i];
    return dur == TR_TIME_NONE || dur < 0 || (ts > 0 && dur > INT64_MAX - ts) ? 0 : dur;
}

/* An event that only waits for a collective that another event stands for. */
static bool is_wait(const struct tr_coll_finder *f, uint32_t call)
{
    uint32_t name = f->calls[call].name;
    return name != TR_NO_STR && tr_str_is(tr_dict_text(f->dict, name), "wait");
}

/* *outer: no earlier member of its thread is around this call.  MPI may do what oneCCL asks for.  False: no memory. */
static bool outer_call(struct tr_coll_finder *f, const struct tr_coll_member *m, bool *outer)
{
    if (!tr_grow(&f->host_end, &f->cap_host, f->dict->n_tracks, sizeof *f->host_end))
        return false;
    while (f->n_host < f->dict->n_tracks)
        f->host_end[f->n_host++] = INT64_MIN;
    *outer = m->start >= f->host_end[m->track];
    if (*outer)
        f->host_end[m->track] = m->end;
    return true;
}

static bool add_member(struct tr_coll_finder *f, const struct tr_batch *b, size_t i, const struct args *a, bool picked)
{
    struct tr_coll_member m = { .start = b->ts[i], .record = b->record[i], .track = b->track[i] };
    struct tr__coll_rows *rows = b->activity[i] == TR_ACT_KERNEL ? &f->kernels : &f->records;
    bool outer = true;
    m.source = f->dict->tracks[m.track].source;
    if (f->select && !tr_select_source(f->select, m.source))
        return true;
    m.end = m.start + usable_dur(b, i);
    m.launch = f->launch[i];
    m.host_track = f->launch[i] == TR_TIME_NONE ? UINT32_MAX : (uint32_t)f->launch_track[i];
    m.seq = a->number[TR__COLL_SEQ];
    m.id = a->number[TR__COLL_ID];
    m.place = TR_I64_NONE;
    m.external = a->number[TR__COLL_EXTERNAL];
    m.name = b->name[i];
    m.call = call_of(f, a, m.track);
    m.party = party_of(f, m.track);
    m.suspect = b->suspect[i] != TR_SUSPECT_NO;
    m.picked = picked;
    if (m.call == UINT32_MAX || m.party == UINT32_MAX)
        return false;
    m.type = f->calls[m.call].type;
    const struct tr_order_key at = tr_order_key(b, i);
    const struct tr__coll_desc desc = { a->text[TR__COLL_GROUP_DESC], at, at };
    if (!note_desc(f, f->calls[m.call].group, &desc))
        return false;
    if (m.type == TR_COLL_UNKNOWN && (rows == &f->records || is_wait(f, m.call)))
        return true;
    if (m.type == TR_COLL_UNKNOWN && !type_of_name(f, m.name, &m.type))
        return false;
    if (is_host_call(b, i) && !outer_call(f, &m, &outer))
        return false;
    if (!outer)
        return true;
    if (a->text[TR__COLL_MESSAGES] != TR_NO_STR && rows == &f->kernels)
        return tr__coll_message(f, &m, a->text[TR__COLL_MESSAGES], or_unknown(a->number[TR__COLL_BYTES]));
    if (!tr_grow(&rows->v, &rows->cap, rows->n + 1, sizeof m))
        return false;
    rows->v[rows->n++] = m;
    return true;
}

/* Sends and receives are left out: their annotations do not name the partner. */
static bool add_note(struct tr_coll_finder *f, const struct tr_batch *b, size_t i, const struct args *a)
{
    uint8_t type;
    if (!type_of_name(f, b->name[i], &type))
        return false;
    if (type == TR_COLL_UNKNOWN || type >= TR_COLL_SEND)
        return true;
    if (!tr_grow(&f->notes, &f->cap_notes, f->n_notes + 1, sizeof *f->notes))
        return false;
    f->notes[f->n_notes++] = (struct tr__coll_note){ .start = b->ts[i],
                                                     .end = b->ts[i] + usable_dur(b, i),
                                                     .record = b->record[i],
                                                     .track = b->track[i],
                                                     .name = b->name[i],
                                                     .dims = a->text[TR__COLL_DIMS],
                                                     .dtype = a->text[TR__COLL_INPUT_TYPE] };
    return true;
}

enum tr_status tr_coll_feed(struct tr_coll_finder *f, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err)
{
    if (!tr_args_start(&f->args, b))
        return tr_fail_memory(err);
    size_t last = b->n; /* after the last event of interest, counting is not needed */
    bool messages = f->n_waiting > 0;
    for (size_t k = 0; k < b->n && !messages; k++)
        messages = is_message(f, b, k);
    while (!messages && last > 0 && !is_wanted(f, b, last - 1))
        last--;
    if (last == 0)
        return TR_OK;
    if (!tr_grow(&f->launch, &f->cap_launch, b->n, sizeof *f->launch) ||
        !tr_grow(&f->launch_track, &f->cap_launch_track, b->n, sizeof *f->launch_track))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, f->launch);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, UINT32_MAX, f->launch_track);
    for (size_t i = 0; i < last; i++) {
        if (b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE && is_wanted(f, b, i)) {
            struct args a;
            if (!read_args(f, b, i, &a))
                return tr_fail(err, TR_DAMAGED, "a column of args ends before its events do");
            if (!(is_note(f, b, i) ? add_note(f, b, i, &a) : add_member(f, b, i, &a, !keep || keep[i])))
                return tr_fail_memory(err);
        } else if (f->n_waiting && is_other_kernel(f, b, i)) {
            tr__coll_kernel(f, f->dict->tracks[b->track[i]].source, b->ts[i], b->ts[i] + usable_dur(b, i));
        }
        tr_args_pass(&f->args, b, i);
    }
    return TR_OK;
}

/* ---- collected members, out and in ---- */

enum tr_status tr_coll_gathered(struct tr_coll_finder *f, struct tr_coll_gathered *g, struct tr_error *err)
{
    if (!tr__coll_join(f))
        return tr_fail_memory(err);
    *g = (struct tr_coll_gathered){ .kernels = f->kernels.v,
                                    .n_kernels = f->kernels.n,
                                    .records = f->records.v,
                                    .n_records = f->records.n,
                                    .calls = f->calls,
                                    .groups = f->groups,
                                    .n_groups = f->n_groups };
    return TR_OK;
}

bool tr_coll_so_far(struct tr_coll_finder *f, struct tr_coll_gathered *g, bool *complete)
{
    *complete = f->n_open == 0;
    bool ok = !*complete || tr__coll_join(f);
    *g = (struct tr_coll_gathered){ .kernels = f->kernels.v, .n_kernels = *complete ? f->kernels.n : 0 };
    return ok;
}

void tr_coll_gathered_group(const struct tr_coll_finder *f, size_t i, struct tr_coll_put_group *group)
{
    const struct tr__coll_desc *d = &f->descs[i];
    group->group = f->groups[i];
    group->group.desc = d->desc;
    group->first = d->first;
    group->described = d->described;
}

static uint32_t put_group(struct tr_coll_finder *f, const struct tr_coll_group *group)
{
    struct tr_coll_group g;
    memset(&g, 0, sizeof g);
    g.name = group->name;
    g.ranks = group->ranks;
    g.desc = TR_NO_STR;
    g.size = group->size;
    g.start = group->start;
    g.stride = group->stride;
    g.sets = group->sets;
    g.set = group->set;
    return tr__coll_intern(&f->group_index, &f->groups, &f->n_groups, &f->cap_groups, sizeof g, &g);
}

bool tr_coll_put_group(struct tr_coll_finder *f, const struct tr_coll_put_group *group)
{
    const struct tr__coll_desc desc = { group->group.desc, group->first, group->described };
    f->put = true;
    uint32_t number = put_group(f, &group->group);
    return number != UINT32_MAX && note_desc(f, number, &desc);
}

bool tr_coll_put(struct tr_coll_finder *f, bool host, const struct tr_coll_member *member,
                 const struct tr_coll_call *call, const struct tr_coll_group *group)
{
    struct tr__coll_rows *rows = host ? &f->records : &f->kernels;
    struct tr_coll_member m = *member;
    struct tr_coll_call c;
    size_t n_groups = f->n_groups;
    memset(&c, 0, sizeof c);
    c.group = put_group(f, group);
    c.name = call->name;
    c.dtype = call->dtype;
    c.in_split = call->in_split;
    c.out_split = call->out_split;
    c.in_elems = call->in_elems;
    c.out_elems = call->out_elems;
    c.bytes = call->bytes;
    c.type = type_of_call(f, &c);
    c.peer = call->peer;
    if (c.group == UINT32_MAX)
        return false;
    if (f->n_groups > n_groups) { /* without tr_coll_put_group: first here */
        const struct tr_order_key at = { m.start, 0, m.source, m.record };
        const struct tr__coll_desc desc = { TR_NO_STR, at, at };
        if (!note_desc(f, c.group, &desc))
            return false;
    }
    m.call = tr__coll_call(f, &c);
    m.party = party_of(f, m.track);
    m.type = c.type;
    if (m.call == UINT32_MAX || m.party == UINT32_MAX ||
        (m.type == TR_COLL_UNKNOWN && m.name != TR_NO_STR && !type_of_name(f, m.name, &m.type)) ||
        !tr_grow(&rows->v, &rows->cap, rows->n + 1, sizeof m))
        return false;
    rows->v[rows->n++] = m;
    return true;
}

struct placed_group {
    const struct tr_coll_finder *f;
    uint32_t number;
};

TR_ORDER(by_first, struct placed_group,
         tr_order_key_cmp(a->f->dict, &a->f->descs[a->number].first, &b->f->descs[b->number].first))

bool tr__coll_order_groups(struct tr_coll_finder *f)
{
    size_t n = f->n_groups;
    struct placed_group *order = calloc(n + 1, sizeof *order);
    uint32_t *place = calloc(n + 1, sizeof *place);
    struct tr_coll_group *groups = calloc(n + 1, sizeof *groups);
    struct tr__coll_desc *descs = calloc(n + 1, sizeof *descs);
    bool ok = order && place && groups && descs;
    for (size_t g = 0; ok && g < n; g++)
        order[g] = (struct placed_group){ f, (uint32_t)g };
    if (ok && n)
        qsort(order, n, sizeof *order, by_first);
    for (size_t g = 0; ok && g < n; g++) {
        groups[g] = f->groups[order[g].number];
        descs[g] = f->descs[order[g].number];
        place[order[g].number] = (uint32_t)g;
    }
    for (size_t i = 0; ok && i < f->n_calls; i++)
        f->calls[i].group = place[f->calls[i].group];
    if (ok && n) {
        memcpy(f->groups, groups, n * sizeof *groups);
        memcpy(f->descs, descs, n * sizeof *descs);
    }
    free(order);
    free(place);
    free(groups);
    free(descs);
    return ok;
}
