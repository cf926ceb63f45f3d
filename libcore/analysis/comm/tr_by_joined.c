/* SPDX-License-Identifier: MIT */
/*
 * Members of collectives in traces beside the entries of flight recorders (formats/flight_recorder) about them.
 *
 * Both have the number that a process group counts on all its ranks.  So a member and an entry of one rank, group and
 * number are one call.  Places in a file and times are not used.
 */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/comm/tr_verdict_int.h"
#include "base/tr_sort.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { GROUP, RANKS, NUMBER, IS_P2P, STATE, N_KEYS };
#define KEYS "Process Group Name", "Process Group Ranks", "collective_seq_id", "is_p2p", "state"
static const char *const keys[N_KEYS] = { KEYS };

/* A call in a log.  Texts are numbers of the dictionary. */
struct entry {
    int64_t rank, number;
    uint64_t record;
    uint32_t group, ranks; /* name and list of ranks */
    uint32_t call, state;
    int64_t ts, dur;
    bool several;     /* others of its rank have its number */
    uint32_t members; /* that it belongs to: with several, it is not known which */
};

TR_ORDER(by_call, struct entry, TR_UP(rank), TR_UP(number), TR_UP(group), TR_UP(ranks))
TR_ORDER(by_number, struct entry, by_call(a, b), TR_UP(record))

/* Of the groups of one name: how many members and entries there are, and how many of them have no partner. */
struct count {
    uint32_t group;
    uint64_t members, lone_members, entries, lone_entries;
};

struct joined {
    struct tr__comm_state comm; /* first: tr__comm_finish */
    struct tr_args args;
    struct entry *entries;
    size_t n_entries, cap_entries;
    struct count *counts;
    size_t n_counts, cap_counts;
    struct tr__comm_list ranks; /* of a group */
    uint64_t inspector, p2p_entries, p2p_members; /* that are not joined */
    uint64_t other, shared; /* members: their entries have another operation; others of the rank have the number, too */
};

struct row {
    struct tr__comm_of of;
    int64_t rank, bytes, dur, log_dur, lag, transfer, delay;
    double busbw;
    uint32_t state, call;
    uint64_t record, entry;
    bool differ;
};

static const struct tr_table_column columns[] = {
    TR__COMM_OF(struct row),
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, of.name), .meaning = "what it does" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, rank), .meaning = "the rank" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "duration of the rank's member" },
    { "log_dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, log_dur),
      .meaning = "duration in the log; empty: it has none" },
    { "lag", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, lag), .meaning = "start minus that of the first rank" },
    { "transfer", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, transfer),
      .meaning = "earliest end minus last start; empty: a rank ended before the last one started" },
    { "delay", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, delay),
      .meaning = "start minus the time of the call in the log; empty: the trace does not count from 1970" },
    { "state", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, state), .meaning = "how far it is, by the log" },
    { "busbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct row, busbw), .unit = "GB/s",
      .meaning = "bus bandwidth of the collective, by its shortest duration in traces" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct row, bytes), .unit = "bytes",
      .meaning = "size of the data; empty: unknown, or not the same on all ranks" },
    { "call", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, call), .extra = true, .meaning = "its name in the log" },
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct row, record), .extra = true,
      .meaning = "index of the member in its trace" },
    { "entry", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct row, entry), .extra = true,
      .meaning = "index of the entry in its log" },
    TR__COMM_GROUP_RANKS(struct row),
    TR__COMM_DIFFER(struct row, differ),
};

/* ---- entries ---- */

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct joined *s = state;
    s->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = keys, .n_keys = N_KEYS };
    return tr__comm_start(in, options, state, err);
}

static bool add(struct joined *s, const struct tr_batch *b, size_t i, const struct tr_arg_value *v)
{
    const struct entry e = {
        .rank = b->dict->sources[b->dict->tracks[b->track[i]].source].rank, .number = tr_arg_value_int(v[NUMBER]),
        .record = b->record[i], .group = tr_arg_value_text(v[GROUP]), .ranks = tr_arg_value_text(v[RANKS]),
        .call = b->name[i], .state = tr_arg_value_text(v[STATE]), .ts = b->ts[i],
        .dur = b->phase[i] == TR_SPAN ? b->dur[i] : TR_TIME_NONE,
    };
    bool p2p = v[IS_P2P].type == TR_T_TRUE + 1;
    s->p2p_entries += p2p;
    if (p2p || e.number == TR_I64_NONE)
        return true;
    if (!tr_grow(&s->entries, &s->cap_entries, s->n_entries + 1, sizeof e))
        return false;
    s->entries[s->n_entries++] = e;
    return true;
}

/* A selection is one of members; but a rank that is left out has no entries. */
static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct joined *s = state;
    const struct tr_select *select = s->comm.in.select;
    struct tr_arg_value v[N_KEYS];
    bool ok = tr_args_start(&s->args, b);
    (void)keep, (void)t;
    for (size_t i = 0; ok && i < b->n; i++) {
        struct tr_str cat = tr_dict_text_if(b->dict, b->cat[i]);
        tr_args_take(&s->args, b, i, v);
        s->inspector += tr_str_is(cat, "nccl_inspector");
        if (tr_str_is(cat, "flight_recorder") &&
            (!select || tr_select_source(select, b->dict->tracks[b->track[i]].source)))
            ok = add(s, b, i, v);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- members with their entries ---- */

static struct tr_str operation_of(const struct tr__comm_view *v, const struct entry *e)
{
    return tr__verdict_operation(tr_dict_text_if(v->dict, e->call));
}

static bool is_coalesced(const struct tr__comm_view *v, const struct entry *e)
{
    return tr_str_is(operation_of(v, e), "coalesced");
}

/* Sort the entries, and keep one of each number: of coalesced calls the one that stands for all. */
static void sort_entries(struct joined *s, const struct tr__comm_view *v)
{
    size_t n = 0;
    if (s->n_entries)
        qsort(s->entries, s->n_entries, sizeof *s->entries, by_number);
    for (size_t i = 0; i < s->n_entries; i++) {
        struct entry *last = n ? &s->entries[n - 1] : NULL, *e = &s->entries[i];
        e->members = 0;
        if (!last || by_call(last, e) != 0)
            s->entries[n++] = *e;
        else if (is_coalesced(v, e) && !is_coalesced(v, last))
            *last = *e;
        else if (is_coalesced(v, e) || !is_coalesced(v, last))
            last->several = true;
    }
    s->n_entries = n;
}

/* Has a group of a trace the ranks that a log lists?  A list in a trace may be shortened, or missing. */
static bool same_ranks(struct joined *s, const struct tr__comm_view *v, const struct tr_coll *coll, uint32_t ranks,
                       bool *ok)
{
    const struct tr_coll_group *g = &v->c->groups[coll->group];
    struct tr_str list = tr_dict_text_if(v->dict, ranks), own = tr_dict_text_if(v->dict, g->ranks);
    if (g->ranks == ranks || !list.len)
        return true;
    if (!tr__comm_ranks(v, coll, &s->ranks)) {
        *ok = false;
        return false;
    }
    size_t n = 0;
    for (int64_t rank; tr__comm_list_next(&list, &rank); n++)
        if (n < s->ranks.n && s->ranks.v[n] != rank)
            return false;
    bool whole = s->ranks.n && !tr_str_has(own, tr_str_of("..."));
    return n >= s->ranks.n && (!whole || n == s->ranks.n) && (g->size < 0 || (size_t)g->size == n);
}

static bool is_message(enum tr_coll_type type)
{
    return type == TR_COLL_SEND || type == TR_COLL_RECV || type == TR_COLL_SENDRECV;
}

static bool is_alltoall(enum tr_coll_type type)
{
    return type == TR_COLL_ALLTOALL || type == TR_COLL_ALLTOALLV;
}

/* Do a member and an entry have one operation?  A barrier of NCCL is an all-reduce. */
static bool same_operation(const struct tr__comm_view *v, const struct tr_coll_member *m, const struct entry *e)
{
    struct tr_str name = tr_dict_text_if(v->dict, v->c->calls[m->call].name), call = operation_of(v, e);
    enum tr_coll_type type = (enum tr_coll_type)m->type, other = tr_coll_type_of(call);
    if (is_coalesced(v, e) || (type == TR_COLL_UNKNOWN && !name.len))
        return true;
    if (type == TR_COLL_UNKNOWN || other == TR_COLL_UNKNOWN)
        return tr_str_cmp(name, call) == 0;
    return type == other || (is_alltoall(type) && is_alltoall(other)) ||
           (type == TR_COLL_BARRIER && other == TR_COLL_ALLREDUCE && tr_str_has(call, tr_str_of("barrier")));
}

/* The entry of a member; NULL: there is none, or there are several, because the ranks of its group are not known. */
static struct entry *entry_of(struct joined *s, const struct tr__comm_view *v, const struct tr_coll *coll,
                              const struct tr_coll_member *m, bool *ok)
{
    const int64_t rank = v->c->parties[m->party].rank;
    struct entry *found = NULL;
    size_t i = 0, n = 0;
    if (rank < 0 || m->seq == TR_I64_NONE || is_message((enum tr_coll_type)m->type))
        return NULL;
    TR_BOUND(i, s->n_entries, mid,
             s->entries[mid].rank < rank || (s->entries[mid].rank == rank && s->entries[mid].number < m->seq));
    for (; *ok && i < s->n_entries && s->entries[i].rank == rank && s->entries[i].number == m->seq; i++)
        if (s->entries[i].group == v->c->groups[coll->group].name &&
            same_ranks(s, v, coll, s->entries[i].ranks, ok)) {
            found = &s->entries[i];
            n++;
        }
    return n == 1 ? found : NULL;
}

static struct count *count_of(struct joined *s, uint32_t group)
{
    for (size_t i = s->n_counts; i > 0; i--)
        if (s->counts[i - 1].group == group)
            return &s->counts[i - 1];
    if (!tr_grow(&s->counts, &s->cap_counts, s->n_counts + 1, sizeof *s->counts))
        return NULL;
    s->counts[s->n_counts] = (struct count){ .group = group };
    return &s->counts[s->n_counts++];
}

static void print(const struct tr__comm_view *v, const struct tr_coll *coll, const struct tr_collective_times *times,
                  const struct tr_coll_member *m, const struct entry *e)
{
    const int64_t year_2001 = INT64_C(1000000000000000000); /* ns; clocks that do not count from 1970 are far before */
    const struct tr_coll_member *all = &v->c->members[coll->first];
    bool timed = v->suspect || !m->suspect, several = timed && times->compared;
    int64_t base = v->dict->sources[m->source].base_ns, begun = tr_time_diff(m->start, m->moved);
    bool wall = timed && tr_time_sum(base, begun) >= year_2001 && tr_time_sum(base, e->ts) >= year_2001;
    const struct row row = {
        .of = tr__comm_of(v, coll),
        .rank = e->rank,
        .bytes = tr__comm_number(times->bytes),
        .dur = timed ? m->end - m->start : TR_TIME_NONE,
        .log_dur = e->dur,
        .lag = several ? tr_time_diff(m->start, all[times->first].start) : TR_TIME_NONE,
        .transfer = times->compared && times->transfer >= 0 ? times->transfer : TR_TIME_NONE,
        .busbw = tr__comm_gbps(times->busbw),
        .delay = wall ? tr_time_diff(begun, e->ts) : TR_TIME_NONE,
        .state = e->state,
        .call = e->call,
        .record = m->record,
        .entry = e->record,
        .differ = tr_collective_differs(v->c, coll),
    };
    tr__comm_row(v, &row);
}

/* Count a selected member, and print it if it has an entry of its own. */
static bool member_row(struct joined *s, const struct tr__comm_view *v, const struct tr_coll *coll,
                       const struct tr_collective_times *times, const struct tr_coll_member *m)
{
    bool ok = true;
    struct entry *e = entry_of(s, v, coll, m, &ok);
    if (is_message((enum tr_coll_type)m->type)) {
        s->p2p_members++;
        return true;
    }
    struct count *count = count_of(s, v->c->groups[coll->group].name);
    if (!ok || !count)
        return false;
    bool other = e && !same_operation(v, m, e), shared = e && !other && (e->several || e->members > 1);
    count->members++;
    count->lone_members += !e;
    s->other += other;
    s->shared += shared;
    if (e && !other && !shared)
        print(v, coll, times, m, e);
    return true;
}

/* How many members each entry has, of all: a selection does not change what is joined. */
static bool claim(struct joined *s, const struct tr__comm_view *v)
{
    bool ok = true;
    for (size_t i = 0; i < v->c->n; i++)
        for (uint32_t k = 0; ok && k < v->c->colls[i].n; k++) {
            struct entry *e = entry_of(s, v, &v->c->colls[i], &v->c->members[v->c->colls[i].first + k], &ok);
            if (e)
                e->members++;
        }
    return ok;
}

/* ---- what only one side has ---- */

static bool count_entries(struct joined *s)
{
    for (size_t i = 0; i < s->n_entries; i++) {
        struct count *c = count_of(s, s->entries[i].group);
        if (!c)
            return false;
        c->entries++;
        c->lone_entries += !s->entries[i].members;
    }
    return true;
}

#define ENOUGH 250u /* bytes of a remark, after which groups are counted */

/* "group tp: 2 of 9 members, 1 of 8 entries; ..." */
static void remark_lone(const struct joined *s, const struct tr__comm_view *v)
{
    char text[480] = "";
    size_t n = 0, more = 0;
    for (size_t i = 0; i < s->n_counts; i++) {
        const struct count *c = &s->counts[i];
        struct tr_str name = tr_dict_text_if(v->dict, c->group);
        if (!c->lone_members && !c->lone_entries)
            continue;
        more += n >= ENOUGH;
        if (n < ENOUGH)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s group %.*s: ", n ? ";" : "",
                                  (int)(name.len < 40 ? name.len : 40), name.len ? name.s : "");
        if (!more && c->lone_members)
            n += (size_t)snprintf(text + n, sizeof text - n, "%" PRIu64 " of %" PRIu64 " members", c->lone_members,
                                  c->members);
        if (!more && c->lone_entries)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRIu64 " of %" PRIu64 " entries",
                                  c->lone_members ? ", " : "", c->lone_entries, c->entries);
    }
    if (more)
        snprintf(text + n, sizeof text - n, "; and of %zu more groups", more);
    if (n)
        tr_analysis_remark(v->in, TR_REMARK_RESULT, "", "only in traces (members) or only in logs (entries):%s", text);
}

static void add_left(char *text, size_t size, uint64_t n, const char *what)
{
    size_t at = strlen(text);
    if (n)
        snprintf(text + at, size - at, "%s %" PRIu64 " %s", at ? "," : "", n, what);
}

static void remark(const struct joined *s, const struct tr__comm_view *v)
{
    char left[480] = "";
    remark_lone(s, v);
    if (s->other)
        tr_analysis_remark(v->in, TR_REMARK_WARN, "",
                           "%" PRIu64 " members are not joined, because their entries have another operation: are "
                           "traces and logs of one run?", s->other);
    add_left(left, sizeof left, s->shared, "members with a number that their rank has several times");
    add_left(left, sizeof left, s->p2p_members, "sends and receives in traces");
    add_left(left, sizeof left, s->p2p_entries, "sends and receives in logs");
    add_left(left, sizeof left, s->inspector,
             "collectives of NCCL's inspector, which has other numbers (see --by log)");
    if (*left)
        tr_analysis_remark(v->in, TR_REMARK_RESULT, "", "not joined:%s", left);
}

static enum tr_status rows(const struct tr__comm_view *v, struct tr_error *err)
{
    struct joined *s = v->state;
    enum tr_status st = TR_OK;
    s->n_counts = 0;
    s->p2p_members = s->other = s->shared = 0;
    sort_entries(s, v);
    bool ok = claim(s, v);
    for (size_t i = 0; ok && st == TR_OK && i < v->c->n; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        struct tr_collective_times times;
        if (!tr_collective_picked(v->c, i))
            continue;
        tr_collective_measure(v->dict, v->c, i, v->suspect, &times);
        for (uint32_t k = 0; ok && k < coll->n; k++)
            ok = member_row(s, v, coll, &times, &v->c->members[coll->first + k]);
        st = tr_table_status(v->t, err);
    }
    if (!ok || !count_entries(s))
        return tr_fail_memory(err);
    remark(s, v);
    return st;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, rows, TR__COMM_SAYS_DOUBTS, err);
}

static void release(void *state)
{
    struct joined *s = state;
    tr_args_free(&s->args);
    free(s->entries);
    free(s->counts);
    free(s->ranks.v);
}

const struct tr_analysis tr_analysis_joined = {
    .name = "joined",
    .question = "What do logs say of each collective that traces show?",
    .nothing = "no collective is in the trace of a rank and in the dump of its flight recorder",
    .group = TR_PER_ALL,
    .needs = { .want = { .fixed = TR_FIXED_ALL,
                         .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_TRACK,
                         .keys = tr_coll_keys,
                         .n_keys = TR_COLL_N_KEYS },
               .more = { &(const struct tr_projection){ TR_KEYS(KEYS) } },
               .host = true },
    TR_OPTIONS(NULL, tr__comm_defaults),
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct joined),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = "it joins traces and logs, so give both",
};
