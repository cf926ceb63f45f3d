/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: where a track event happened. */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "base/tr_num.h"
#include "vendor/tr_vocab.h"

bool tr__perfetto_event_track(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__track_event *e)
{
    struct tr__tree_track *t = tr__perfetto_track_of(r, s, e->has_track, e->track);
    if (!t || !tr__tree_place(r, t, &e->at))
        return false;
    e->source = t->scope;
    e->nest = t->nest;
    if (e->phase == TR_INSTANT && !e->legacy.set)
        e->scope = t->kind == TR__TREE_PROCESS ? 'p' : e->at.pid == TR_I64_NONE && !e->at.pid_text ? 'g' : 0;
    if (e->legacy.has_pid) {
        e->at.pid = e->legacy.pid;
        e->at.pid_text = NULL;
    }
    if (e->legacy.has_tid) {
        e->at.tid = e->legacy.tid;
        e->at.tid_text = NULL;
    }
    return true;
}

/*
 * The device of a copy, by its direction: from the agents of earlier dispatches, else from rocprofv3's numbers of
 * agents.
 */
static int64_t device_of_copy(const struct tr__perfetto_reader *r, const struct tr__track_event *e,
                              const struct tr__known_args *known_args)
{
    static const char back[] = "MEMORY_COPY_DEVICE_TO_HOST";
    uint32_t to = known_args->to == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->agents, (uint64_t)known_args->to);
    uint32_t from =
        known_args->from == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->agents, (uint64_t)known_args->from);
    struct tr_str name = tr__perfetto_str(r, e->name);
    if (to != UINT32_MAX || from != UINT32_MAX)
        return to != UINT32_MAX ? to : from;
    return name.len == sizeof back - 1 && !memcmp(name.s, back, name.len) ? known_args->from : known_args->to;
}

/* The number after a word in the name of a track, as in "COMPUTE AGENT [4] STREAM [2] (GPU)"; TR_I64_NONE: none. */
static int64_t number_after(struct tr_str name, const char *word)
{
    size_t n = strlen(word);
    uint64_t v;
    for (size_t i = 0; i + n < name.len; i++)
        if (!memcmp(name.s + i, word, n))
            return tr_num_digits(name.s + i + n, name.len - i - n, INT64_MAX, &v, NULL) ? (int64_t)v : TR_I64_NONE;
    return TR_I64_NONE;
}

/* The stream in the name of a separate row, else the stream in the args. */
static int64_t stream_of_row(const struct tr__track_event *e, const struct tr__known_args *known_args)
{
    struct tr_str row = { e->at.tid_text, e->at.tid_len };
    int64_t stream = number_after(row, "STREAM [");
    if (stream == TR_I64_NONE)
        stream = known_args->stream;
    return stream == TR_I64_NONE ? number_after(row, "QUEUE [") : stream;
}

bool tr__perfetto_needs_agents(const struct tr__track_event *e, const struct tr__known_args *known_args)
{
    return known_args->device == TR_I64_NONE && (e->at.pid_text || e->at.tid_text) &&
           (known_args->to != TR_I64_NONE || known_args->from != TR_I64_NONE);
}

/* From now on, the device of an agent is known. */
static bool note_agent(struct tr__perfetto_reader *r, uint64_t agent, uint32_t device)
{
    if (tr__numbers_get(&r->agents, agent) == device)
        return true;
    if (!tr__numbers_set(&r->agents, agent, device))
        return tr__perfetto_no_memory(r);
    struct tr__later later = { .what = TR__LATER_AGENT, .id = agent, .ts = device };
    return r->role != TR__HELPER || tr__perfetto_keep_later(r, &later) == TR_OK;
}

bool tr__perfetto_event_track_on_device(struct tr__perfetto_reader *r, struct tr__track_event *e,
                                        const struct tr__known_args *known_args)
{
    bool thread = !e->at.pid_text && !e->at.tid_text; /* a separate row does not give the device */
    e->at.device = known_args->device != TR_I64_NONE ? known_args->device
                   : thread                          ? e->at.pid
                                                     : device_of_copy(r, e, known_args);
    e->at.stream = e->at.tid_text                      ? stream_of_row(e, known_args)
                   : known_args->stream == TR_I64_NONE ? e->at.tid
                                                       : known_args->stream;
    e->at.context = known_args->context;
    e->at.side = tr_vocab_on_device(e->activity) ? TR_SIDE_DEVICE : TR_SIDE_HOST;
    bool knows_agent = known_args->agent != TR_I64_NONE && known_args->device >= 0 && known_args->device < INT32_MAX;
    return !knows_agent || note_agent(r, (uint64_t)known_args->agent, (uint32_t)known_args->device);
}
