/* SPDX-License-Identifier: MIT */
/* A job that is watched by the logs of NCCL's inspector. */
#include "analysis/comm/tr_log_watch.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_strtab.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BEHIND 10u /* that are said */

/* A rank of a communicator.  Texts are numbers in texts. */
struct rank {
    uint32_t comm;
    int64_t rank, last; /* last: number of its last collective */
    uint32_t name, file; /* of that collective, and of the log */
    uint32_t quiet;      /* looks in a row without anything new of it, while others of its communicator had */
    bool moved, stopped; /* moved: since the last look */
};

struct comm {
    uint32_t id, name;
    int64_t newest;  /* number of the last collective of any rank */
    int64_t time;    /* ns in collectives since the last look, of all ranks */
    uint64_t n;      /* of these */
    uint32_t ranks;  /* with such */
    uint32_t quiet;  /* looks in a row without anything new */
    bool said;       /* that it is silent */
};

enum key { COMM, COMM_NAME, COMM_RANK, SEQ, EXEC, PEER, N_KEYS };
static const char *const keys[N_KEYS] = { "comm", "comm_name", "comm_rank", "seq", "exec_ns", "peer" };

struct tr_log_watch {
    struct tr_strtab *texts;
    struct rank *ranks; /* in the order in which they came */
    size_t n_ranks, cap_ranks;
    struct comm *comms;
    size_t n_comms, cap_comms;
    struct tr_args args;
    bool any; /* something is new */
    tr_log_say *say;
    void *self;
};

struct tr_log_watch *tr_log_watch_new(void)
{
    struct tr_log_watch *w = calloc(1, sizeof *w);
    if (w && !(w->texts = tr_strtab_new())) {
        free(w);
        return NULL;
    }
    if (w)
        w->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = keys, .n_keys = N_KEYS };
    return w;
}

void tr_log_watch_free(struct tr_log_watch *w)
{
    if (!w)
        return;
    tr_strtab_free(w->texts);
    tr_args_free(&w->args);
    free(w->ranks);
    free(w->comms);
    free(w);
}

/* ---- events ---- */

static uint32_t text(struct tr_log_watch *w, struct tr_str s)
{
    return tr_strtab_add(w->texts, s.s ? s.s : "", s.s ? s.len : 0);
}

/* The place of a communicator; SIZE_MAX: out of memory. */
static size_t comm_of(struct tr_log_watch *w, struct tr_str id, struct tr_str name)
{
    uint32_t number = text(w, id);
    size_t i = 0;
    while (i < w->n_comms && w->comms[i].id != number)
        i++;
    if (i < w->n_comms)
        return i;
    struct comm c = { .id = number, .name = text(w, name), .newest = -1 };
    if (c.id == TR_NO_STR || c.name == TR_NO_STR || !tr_grow(&w->comms, &w->cap_comms, i + 1, sizeof c))
        return SIZE_MAX;
    w->comms[w->n_comms++] = c;
    return i;
}

/* Ranks come in the order of their logs, so the last one is tried first. */
static struct rank *rank_of(struct tr_log_watch *w, uint32_t comm, int64_t rank)
{
    for (size_t i = w->n_ranks; i-- > 0;)
        if (w->ranks[i].comm == comm && w->ranks[i].rank == rank)
            return &w->ranks[i];
    if (!tr_grow(&w->ranks, &w->cap_ranks, w->n_ranks + 1, sizeof *w->ranks))
        return NULL;
    w->ranks[w->n_ranks] = (struct rank){ .comm = comm, .rank = rank, .last = -1 };
    return &w->ranks[w->n_ranks++];
}

static bool add(struct tr_log_watch *w, const struct tr_batch *b, size_t i, const struct tr_arg_value *v,
                uint32_t file)
{
    int64_t seq = tr_arg_value_int(v[SEQ]), time = tr_arg_value_int(v[EXEC]);
    uint32_t id = tr_arg_value_text(v[COMM]), named = tr_arg_value_text(v[COMM_NAME]);
    if (id == TR_NO_STR || v[PEER].type) /* numbers of sends and receives are those of one rank alone */
        return true;
    size_t at = comm_of(w, tr_dict_text_if(b->dict, id), tr_dict_text_if(b->dict, named));
    struct rank *r = at == SIZE_MAX ? NULL : rank_of(w, (uint32_t)at, tr_arg_value_int(v[COMM_RANK]));
    if (!r)
        return false;
    struct comm *c = &w->comms[at];
    c->ranks += !r->moved;
    r->moved = w->any = true;
    r->file = file;
    if (time != TR_I64_NONE && time > 0 && time < INT64_MAX - c->time) {
        c->time += time;
        c->n++;
    }
    if (seq == TR_I64_NONE || seq <= r->last)
        return true;
    r->last = seq;
    r->name = text(w, tr_dict_text_if(b->dict, b->name[i]));
    c->newest = seq > c->newest ? seq : c->newest;
    return r->name != TR_NO_STR;
}

enum tr_status tr_log_watch_feed(struct tr_log_watch *w, const struct tr_batch *b, const char *file,
                                 struct tr_error *err)
{
    struct tr_arg_value v[N_KEYS];
    uint32_t name = text(w, tr_str_of(file));
    bool ok = name != TR_NO_STR && tr_args_start(&w->args, b);
    for (size_t i = 0; ok && i < b->n; i++) {
        tr_args_take(&w->args, b, i, v);
        if (tr_str_is(tr_dict_text_if(b->dict, b->cat[i]), "nccl_inspector"))
            ok = add(w, b, i, v, name);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- what is said ---- */

static const char *get(const struct tr_log_watch *w, uint32_t id)
{
    return tr_strtab_get(w->texts, id);
}

/* "tp (0x7f8c)", or the id alone. */
static const char *name_of(const struct tr_log_watch *w, const struct comm *c, char out[160])
{
    bool named = *get(w, c->name) && strcmp(get(w, c->name), "unknown") != 0;
    snprintf(out, 160, named ? "%.60s (%.80s)" : "%.0s%.80s", get(w, c->name), get(w, c->id));
    return out;
}

static enum tr_status say_slowest(struct tr_log_watch *w, struct tr_error *err)
{
    const struct comm *most = NULL;
    char line[400], name[160];
    for (size_t i = 0; i < w->n_comms; i++) {
        const struct comm *c = &w->comms[i];
        if (c->ranks && c->n && (!most || c->time / c->ranks > most->time / most->ranks))
            most = c;
    }
    if (!most)
        return TR_OK;
    snprintf(line, sizeof line,
             "slowest: %s: %.3f ms in collectives on each of %" PRIu32 " ranks, %.3f us each, in the mean",
             name_of(w, most, name), (double)most->time / most->ranks / 1e6, most->ranks,
             (double)most->time / (double)most->n / 1e3);
    return w->say(w->self, line, err);
}

struct lag {
    int64_t lag;
    size_t rank;
};
TR_ORDER(by_lag, struct lag, TR_DOWN(lag), TR_UP(rank))

static enum tr_status say_behind(struct tr_log_watch *w, struct tr_error *err)
{
    struct lag *lags = malloc((w->n_ranks + 1) * sizeof *lags);
    size_t n = 0;
    enum tr_status st = lags ? TR_OK : tr_fail_memory(err);
    char line[900], name[160];
    for (size_t i = 0; st == TR_OK && i < w->n_ranks; i++) {
        int64_t lag = w->comms[w->ranks[i].comm].newest - w->ranks[i].last;
        if (lag > 0 && !w->ranks[i].stopped)
            lags[n++] = (struct lag){ lag, i };
    }
    if (n)
        qsort(lags, n, sizeof *lags, by_lag);
    for (size_t k = 0; st == TR_OK && k < n && k < MAX_BEHIND; k++) {
        const struct rank *r = &w->ranks[lags[k].rank];
        snprintf(line, sizeof line, "behind: rank %" PRId64 " of %s by %" PRId64 " collectives (%.500s)", r->rank,
                 name_of(w, &w->comms[r->comm], name), lags[k].lag, get(w, r->file));
        st = w->say(w->self, line, err);
    }
    free(lags);
    return st;
}

static enum tr_status say_rank(struct tr_log_watch *w, const struct rank *r, const char *what, struct tr_error *err)
{
    char line[1000], name[160];
    snprintf(line, sizeof line,
             "%s: rank %" PRId64 " of %s, at collective %" PRId64 " (%.80s); the newest of others is %" PRId64
             " (%.500s)",
             what, r->rank, name_of(w, &w->comms[r->comm], name), r->last, get(w, r->name),
             w->comms[r->comm].newest, get(w, r->file));
    return w->say(w->self, line, err);
}

static enum tr_status look_at_rank(struct tr_log_watch *w, struct rank *r, struct tr_error *err)
{
    const struct comm *c = &w->comms[r->comm];
    bool goes_on = r->moved && r->stopped;
    r->quiet = r->moved || r->last >= c->newest ? 0 : r->quiet + (c->ranks > 0);
    r->moved = false;
    if (goes_on)
        r->stopped = false;
    if (goes_on)
        return say_rank(w, r, "goes on", err);
    if (r->stopped || r->quiet < TR_LOG_LOOKS)
        return TR_OK;
    r->stopped = true;
    return say_rank(w, r, "stopped", err);
}

static enum tr_status look_at_comm(struct tr_log_watch *w, struct comm *c, struct tr_error *err)
{
    char line[400], name[160];
    c->quiet = c->ranks ? 0 : c->quiet + 1;
    c->said &= !c->ranks;
    c->time = 0;
    c->n = c->ranks = 0;
    if (c->said || c->quiet < TR_LOG_LOOKS)
        return TR_OK;
    c->said = true;
    snprintf(line, sizeof line, "silent: %s: nothing new of any rank; the newest collective is %" PRId64,
             name_of(w, c, name), c->newest);
    return w->say(w->self, line, err);
}

enum tr_status tr_log_watch_look(struct tr_log_watch *w, tr_log_say *say, void *self, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    w->say = say;
    w->self = self;
    if (w->any)
        st = say_slowest(w, err);
    if (st == TR_OK && w->any)
        st = say_behind(w, err);
    for (size_t i = 0; st == TR_OK && i < w->n_ranks; i++)
        st = look_at_rank(w, &w->ranks[i], err);
    for (size_t i = 0; st == TR_OK && i < w->n_comms; i++)
        st = look_at_comm(w, &w->comms[i], err);
    w->any = false;
    return st;
}
