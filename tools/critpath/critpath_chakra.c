/* SPDX-License-Identifier: MIT */
/* tr-critpath -O chakra: the graph of a rank as an execution trace of Chakra, for simulators. */
#include "critpath/critpath.h"

#include "analysis/paths/tr_paths_analyses.h"
#include "cli/cli_view.h"
#include "io/tr_proto_int.h"
#include "model/collectives/tr_collective.h"
#include "model/tr_eventmap.h"
#include "model/tr_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK (256u << 10)

/* Fields of the public schema. */
enum {
    NODE_ID = 1, NODE_NAME = 2, NODE_TYPE = 3, NODE_DATA_DEPS = 5, NODE_START = 6, NODE_DURATION = 7, NODE_ATTR = 10
};
enum { ATTR_NAME = 1, ATTR_INT64 = 9, ATTR_BOOL = 27, ATTR_STRING = 29 };
enum { METADATA_VERSION = 1, METADATA_ATTR = 2 };
enum { COMP_NODE = 4, COMM_SEND_NODE = 5, COMM_RECV_NODE = 6, COMM_COLL_NODE = 7 };
enum { UNKNOWN = -1 };

/* comm_type in the schema, by enum tr_coll_type. */
static const int8_t comm_types[TR_COLL_N_TYPES] = {
    [TR_COLL_UNKNOWN] = UNKNOWN, [TR_COLL_ALLREDUCE] = 0, [TR_COLL_REDUCE] = 1,    [TR_COLL_ALLGATHER] = 2,
    [TR_COLL_GATHER] = 3,        [TR_COLL_SCATTER] = 4,   [TR_COLL_BROADCAST] = 5, [TR_COLL_ALLTOALL] = 6,
    [TR_COLL_ALLTOALLV] = 6,     [TR_COLL_REDUCESCATTER] = 7, [TR_COLL_BARRIER] = 9, [TR_COLL_PERMUTE] = UNKNOWN,
    [TR_COLL_SEND] = UNKNOWN,    [TR_COLL_RECV] = UNKNOWN, [TR_COLL_SENDRECV] = UNKNOWN,
};

struct writer {
    struct cli *cli;
    const struct tr_dict *dict;
    struct tr_coll_finder *finder;
    struct tr_colls *colls;
    struct tr_eventmap members; /* (source, record): index in colls->members */
    struct tr_buf out, message, attr, text;
};

static bool add_attr(struct writer *w, unsigned parent, const char *name)
{
    return tr__proto_message(&w->message, parent, &w->attr) && (w->attr.len = 0, name != NULL);
}

static bool attr_int(struct writer *w, const char *name, int64_t v)
{
    return tr__proto_bytes(&w->attr, ATTR_NAME, name, strlen(name)) &&
           tr__proto_u64(&w->attr, ATTR_INT64, (uint64_t)v) && add_attr(w, NODE_ATTR, name);
}

static bool attr_bool(struct writer *w, const char *name, bool v)
{
    return tr__proto_bytes(&w->attr, ATTR_NAME, name, strlen(name)) && tr__proto_u64(&w->attr, ATTR_BOOL, v) &&
           add_attr(w, NODE_ATTR, name);
}

static bool attr_text(struct writer *w, unsigned parent, const char *name, struct tr_str v)
{
    return tr__proto_bytes(&w->attr, ATTR_NAME, name, strlen(name)) &&
           tr__proto_bytes(&w->attr, ATTR_STRING, v.s, v.len) && add_attr(w, parent, name);
}

/* The message, with its length before it. */
static enum tr_status end_message(struct writer *w, struct tr_error *err)
{
    unsigned char length[TR__PROTO_MAX];
    size_t n = (size_t)(tr__proto_add(length, w->message.len) - length);
    bool ok = tr_buf_add(&w->out, length, n) && tr_buf_add(&w->out, w->message.data, w->message.len);
    w->message.len = 0;
    if (!ok)
        return tr_fail_memory(err);
    if (w->out.len < CHUNK)
        return TR_OK;
    enum tr_status st = cli_sink(w->cli, w->out.data, w->out.len, err);
    w->out.len = 0;
    return st;
}

static const struct tr_coll_member *member_of(const struct writer *w, const struct tr_cp_work *work)
{
    uint32_t i = work->host ? TR_EVENTMAP_NONE
                            : tr_eventmap_get(&w->members, w->dict->tracks[work->event.track].source,
                                              work->event.record);
    return i == TR_EVENTMAP_NONE ? NULL : &w->colls->members[i];
}

static int node_type(const struct tr_cp_work *work, const struct tr_coll_member *m)
{
    if (work->host || (!m && work->kind != TR_KIND_COMM))
        return COMP_NODE;
    return m && m->type == TR_COLL_SEND   ? COMM_SEND_NODE
           : m && m->type == TR_COLL_RECV ? COMM_RECV_NODE
                                          : COMM_COLL_NODE;
}

/* What is known of a collective, a send or a receive. */
static bool add_collective(struct writer *w, const struct tr_cp_work *work, const struct tr_coll_member *m)
{
    const struct tr_coll_call *call = &w->colls->calls[m->call];
    int64_t bytes = tr_coll_call_bytes(w->dict, call, (enum tr_coll_type)m->type);
    int64_t rank = w->dict->sources[w->dict->tracks[work->event.track].source].rank;
    struct tr_str group = tr_dict_text_if(w->dict, w->colls->groups[call->group].name);
    bool send = m->type == TR_COLL_SEND, ok = true;
    if (comm_types[m->type] != UNKNOWN)
        ok = attr_int(w, "comm_type", comm_types[m->type]);
    if (bytes >= 0)
        ok = ok && attr_int(w, "comm_size", bytes);
    if (group.s)
        ok = ok && attr_text(w, NODE_ATTR, "pg_name", group);
    if ((send || m->type == TR_COLL_RECV) && call->peer >= 0 && rank >= 0)
        ok = ok && attr_int(w, "comm_src", send ? rank : call->peer) &&
             attr_int(w, "comm_dst", send ? call->peer : rank);
    return ok;
}

/* Of a span that is in several parts, the name has the number of the part. */
static bool add_name(struct writer *w, const struct tr_cp_work *work)
{
    struct tr_str name = tr_dict_text_if(w->dict, work->event.name);
    w->text.len = 0;
    return (!name.len || tr_buf_add(&w->text, name.s, name.len)) &&
           (work->parts < 2 || tr_buf_print(&w->text, "(%" PRIu32 ")", work->part)) &&
           tr__proto_bytes(&w->message, NODE_NAME, w->text.data, w->text.len);
}

static enum tr_status add_work(void *self, const struct tr_cp_work *work, struct tr_error *err)
{
    struct writer *w = self;
    const struct tr_coll_member *m = member_of(w, work);
    const struct tr_track *track = &w->dict->tracks[work->event.track];
    bool number = track->tid_type == TR_T_INT;
    bool ok = tr__proto_u64(&w->message, NODE_ID, work->id) && add_name(w, work) &&
              tr__proto_u64(&w->message, NODE_TYPE, (uint64_t)node_type(work, m));
    for (size_t i = 0; ok && i < work->n_needs; i++)
        ok = tr__proto_u64(&w->message, NODE_DATA_DEPS, work->needs[i]);
    if (work->start > 0)
        ok = ok && tr__proto_u64(&w->message, NODE_START, (uint64_t)work->start / 1000);
    ok = ok && tr__proto_u64(&w->message, NODE_DURATION, ((uint64_t)work->dur + 500) / 1000) &&
         attr_bool(w, "is_cpu_op", work->host) && (!number || attr_int(w, "tid", track->tid));
    if (!work->host && track->stream != TR_I64_NONE)
        ok = ok && attr_int(w, "stream", track->stream);
    if (m)
        ok = ok && add_collective(w, work, m);
    return ok ? end_message(w, err) : tr_fail_memory(err);
}

static enum tr_status add_metadata(struct writer *w, struct tr_error *err)
{
    static const char version[] = "0.0.4", schema[] = "1.1.1-chakra.0.0.4";
    bool ok = tr__proto_bytes(&w->message, METADATA_VERSION, version, sizeof version - 1) &&
              attr_text(w, METADATA_ATTR, "schema", tr_str_of(schema));
    return ok ? end_message(w, err) : tr_fail_memory(err);
}

static enum tr_status write_graph(struct writer *w, struct tr_critpath *c, struct tr_error *err)
{
    if (tr_critpath_groups(c) > 1)
        return tr_fail(err, TR_USAGE,
                       "-O chakra writes the graph of one rank, and there are %zu: choose one with --rank",
                       tr_critpath_groups(c));
    enum tr_status st = tr_coll_match(w->finder, &w->colls, err);
    for (size_t i = 0; st == TR_OK && !w->colls->host && i < w->colls->n_members; i++)
        if (!tr_eventmap_put(&w->members, w->colls->members[i].source, w->colls->members[i].record, (uint32_t)i))
            st = tr_fail_memory(err);
    if (st == TR_OK)
        st = add_metadata(w, err);
    if (st == TR_OK && tr_critpath_groups(c))
        st = tr_critpath_work(c, 0, add_work, w, err);
    return st == TR_OK ? cli_sink(w->cli, w->out.data, w->out.len, err) : st;
}

static enum tr_status read_all(struct writer *w, struct critpath *o, void *graph, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_critpath_service.feed(graph, b, keep, err)) != TR_OK ||
            (st = tr_coll_feed(w->finder, b, keep, err)) != TR_OK)
            return st;
    return st == TR_END ? tr_critpath_service.finish(graph, err) : st;
}

enum tr_status critpath_chakra(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct writer w = { .cli = cli };
    struct cli_listener listener = { cli, &o->a };
    const struct tr_critpath_key key = { cli_view_options(cli), TR_PER_RANK };
    void *graph = NULL;
    int fd;
    enum tr_status st = cli_output(cli, true, &fd, err);
    o->a.host = true;
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    struct tr_analysis_in in = { 0 };
    if (st == TR_OK) {
        in = cli_view_in(&listener);
        in.max_memory = cli_max_memory(cli);
        w.dict = o->a.in->dict;
        st = tr_critpath_service.start(&in, &key, &graph, err);
    }
    if (st == TR_OK)
        tr_critpath_keep_whole(tr_critpath_of(graph));
    if (st == TR_OK)
        st = tr_coll_finder_new(w.dict, in.select, &w.finder, err);
    if (st == TR_OK)
        st = read_all(&w, o, graph, err);
    if (st == TR_OK)
        st = write_graph(&w, tr_critpath_of(graph), err);
    if (st == TR_ABSENT)
        tr_error_input(err, o->a.in->name);
    if (graph)
        tr_critpath_service.free(graph);
    tr_coll_finder_free(w.finder);
    tr_colls_free(w.colls);
    tr_eventmap_free(&w.members);
    tr_buf_free(&w.out);
    tr_buf_free(&w.message);
    tr_buf_free(&w.attr);
    tr_buf_free(&w.text);
    cli_analysis_close(&o->a);
    return st;
}
