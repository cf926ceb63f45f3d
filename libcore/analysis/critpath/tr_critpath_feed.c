/* SPDX-License-Identifier: MIT */
/* Critical paths: which events of the stream are in the window? */
#include "analysis/critpath/tr_critpath_int.h"

#include "engine/tr_group_by.h"
#include "vendor/tr_vocab.h"

#include <string.h>

enum { KEY_CORRELATION, KEY_ON_STREAM, KEY_RECORD_CORR, KEY_NUMBER, KEY_WAITS_FOR, KEY_CAT };
const char *const tr_cp_keys[TR_CP_N_KEYS] = { "correlation", "wait_on_stream", "wait_on_cuda_event_record_corr_id",
                                               "event id", "event wait ids", "cat" };

enum { COL_LAUNCH_TS, COL_LAUNCH_RECORD, COL_LAUNCH_TRACK, N_COLS };

/* ---- names ---- */

static uint16_t name_bits(const struct tr_critpath *c, struct tr_str name)
{
    /* With gaps, work that ends in a wait shows the wait; only names of other vendors are needed. */
    const unsigned waits = c->opts.gaps ? TR_NAMED_SYNC : TR_NAMED_SYNC_OR_QUERY;
    unsigned roles = tr_roles_of(c->dict->names, name.s, name.len);
    uint16_t bits = CP_NAME_KNOWN;
    bits |= roles & TR_NAMED_LOCKED ? CP_NAME_LOCK : 0;
    bits |= roles & waits ? CP_NAME_WAITS : 0;
    bits |= roles & TR_NAMED_EVENT_RECORD ? CP_NAME_RECORD : 0;
    bits |= roles & TR_NAMED_AUTOGRAD ? CP_NAME_AUTOGRAD : 0;
    bits |= roles & TR_NAMED_FORWARD ? CP_NAME_FORWARD : 0;
    bits |= roles & TR_NAMED_STREAM_WAIT ? CP_NAME_STREAM_WAIT : 0;
    bits |= (roles & (TR_NAMED_SYNC | TR_NAMED_SYNC_OR_QUERY)) == TR_NAMED_SYNC_OR_QUERY ? CP_NAME_QUERY : 0;
    bits |= roles & TR_NAMED_BLOCKING_COPY ? CP_NAME_BLOCKS : 0;
    /* The path as others define it has no data loading. */
    if (c->opts.data ? c->opts.data(c->opts.data_self, name) : c->opts.gaps && roles & TR_NAMED_DATA_LOADING)
        bits |= CP_NAME_DATA;
    if (c->opts.annotation && tr_str_has(name, tr_str_of(c->opts.annotation)))
        bits |= CP_NAME_WINDOW;
    return bits;
}

/* Make room for one entry per string, track and source of the dictionary; new entries are 0. */
static bool follow(void *array, size_t *n, size_t *cap, size_t need, size_t elem)
{
    unsigned char **bytes = array;
    if (need <= *n)
        return true;
    if (!tr_grow(array, cap, need, elem))
        return false;
    memset(*bytes + *n * elem, 0, (need - *n) * elem);
    *n = need;
    return true;
}

static uint16_t name_of(struct tr_critpath *c, uint32_t name)
{
    if (name == TR_NO_STR)
        return CP_NAME_KNOWN;
    if (!c->names[name])
        c->names[name] = name_bits(c, tr_dict_text(c->dict, name));
    return c->names[name];
}

/* ---- columns of a batch ---- */

static bool expand(struct tr_critpath *c, const struct tr_batch *b)
{
    static const uint32_t derived[] = { TR_COL_LAUNCH_TS, TR_COL_LAUNCH_RECORD,
                                        TR_COL_LAUNCH_TRACK };
    for (size_t k = 0; k < N_COLS; k++)
        if (!tr_grow(&c->batch_i64[k], &c->cap_batch[k], b->n, sizeof **c->batch_i64))
            return false;
    for (size_t k = 0; k < 3; k++)
        tr_batch_expand_i64(b, derived[k], TR_I64_NONE, c->batch_i64[k]);
    bool events = false, work = false, ok = true;
    for (size_t i = 0; i < b->n && !(events && work); i++) {
        work = work || tr_is_device_work(b->activity[i]);
        events = events || b->activity[i] == TR_ACT_SYNC ||
                 ((b->activity[i] == TR_ACT_RUNTIME_API || b->activity[i] == TR_ACT_DRIVER_API) &&
                  name_of(c, b->name[i]) & CP_NAME_RECORD);
    }
    for (size_t k = 0; k < KEY_CAT && ok; k++)
        if (k == KEY_CORRELATION ? events || work : k < KEY_NUMBER ? events : work)
            ok = tr_arg_read(&c->keys[k], b, TR_PLACE_ARGS, tr_cp_keys[k]);
    return ok && tr_arg_read(&c->keys[KEY_CAT], b, TR_PLACE_TOP, tr_cp_keys[KEY_CAT]);
}

/* ---- the window ---- */

static struct cp_window *window_of(struct tr_critpath *c, uint32_t track)
{
    return &c->windows[c->dict->tracks[track].source];
}

static bool all_instances(const struct tr_critpath *c, const struct cp_window *w)
{
    return w->seen > c->opts.last;
}

/*
 * Is host time ts in the window?  It is if it is from the start of the first instance to the end of the last.  While
 * instances are still to come, there is no end.
 */
static bool in_window(struct tr_critpath *c, uint32_t track, int64_t ts)
{
    if (!c->opts.annotation)
        return true;
    const struct cp_window *w = window_of(c, track);
    return w->open && ts >= w->from && (ts <= w->to || !all_instances(c, w));
}

/* Drop host spans that came before the window and do not start at the time ts. */
static void drop_early(struct tr_critpath *c, int64_t ts)
{
    while (c->n && c->flags[c->n - 1] & CP_HOST && c->ts[c->n - 1] < ts &&
           !window_of(c, c->track[c->n - 1])->open)
        c->n--;
}

/* Move the latest moment of the window up to where the stream is now. */
static void later(struct tr_critpath *c, int64_t ts)
{
    if (c->first_kept == TR_TIME_NONE)
        c->first_kept = ts;
    c->last_kept = ts > c->last_kept ? ts : c->last_kept;
}

static void see_instance(struct tr_critpath *c, uint32_t track, int64_t ts, int64_t end)
{
    struct cp_window *w = window_of(c, track);
    uint64_t number = w->seen++;
    if (number < c->opts.first || number > c->opts.last)
        return;
    later(c, ts);
    if (!w->open)
        w->from = ts;
    w->to = !w->open || end > w->to ? end : w->to;
    w->open = true;
}

/* ---- events ---- */

static int64_t end_of(const struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    int64_t dur =
        b->suspect[i] && c->opts.suspect ? tr_group_by_suspect_dur(b, i) : tr_dur_used(b->dur[i], b->suspect[i]);
    return tr_time_sum(b->ts[i], dur);
}

static void see_host(struct tr_critpath *c, uint32_t source)
{
    if (!c->parts[source].host)
        c->parts[source] = (struct cp_part){ .host = true, .to = INT64_MIN, .from = INT64_MIN, .back = CP_NONE,
                                             .forward = CP_NONE };
}

static bool add_event(struct tr_critpath *c, const struct tr_batch *b, size_t i, int64_t end,
                      uint8_t flags, uint8_t rule)
{
    size_t n = c->n + 1;
    if (!cp_grow(c, &c->ts, &c->cap[0], n, sizeof *c->ts) ||
        !cp_grow(c, &c->end, &c->cap[1], n, sizeof *c->end) ||
        !cp_grow(c, &c->record, &c->cap[2], n, sizeof *c->record) ||
        !cp_grow(c, &c->track, &c->cap[3], n, sizeof *c->track) ||
        !cp_grow(c, &c->name, &c->cap[4], n, sizeof *c->name) ||
        !cp_grow(c, &c->parent, &c->cap[5], n, sizeof *c->parent) ||
        !cp_grow(c, &c->activity, &c->cap[6], n, 1) || !cp_grow(c, &c->kind, &c->cap[7], n, 1) ||
        !cp_grow(c, &c->flags, &c->cap[8], n, 1) || !cp_grow(c, &c->rule, &c->cap[9], n, 1))
        return false;
    int64_t ts = b->ts[i];
    uint32_t source = c->dict->tracks[b->track[i]].source;
    struct tr_range clip;
    if (c->select && tr_select_window(c->select, source, &clip)) {
        ts = ts < clip.from ? clip.from : ts;
        end = end > clip.to ? clip.to : end;
        end = end < ts ? ts : end;
    }
    if (c->opts.part && (flags & (CP_HOST | CP_RANGE)) == CP_HOST)
        see_host(c, source);
    c->ts[c->n] = ts;
    c->end[c->n] = end;
    c->record[c->n] = b->record[i];
    c->track[c->n] = b->track[i];
    c->name[c->n] = b->name[i];
    c->parent[c->n] = CP_NONE;
    c->activity[c->n] = b->activity[i];
    c->kind[c->n] = b->kind[i];
    c->flags[c->n] = flags;
    c->rule[c->n] = rule;
    c->n = n;
    return true;
}

static bool add_record(struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    int64_t corr = tr_arg_int(&c->keys[KEY_CORRELATION], i);
    if (corr == TR_I64_NONE)
        return true;
    if (!cp_grow(c, &c->records, &c->cap_records, c->n_records + 1, sizeof *c->records))
        return false;
    c->records[c->n_records++] = (struct cp_record){
        .source = c->dict->tracks[b->track[i]].source,
        .corr = corr,
        .ts = b->ts[i],
        .stream = CP_NONE,
        .track = CP_NONE,
    };
    return true;
}

static bool is_node(unsigned activity)
{
    return activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD ||
           activity == TR_ACT_RUNTIME_API || activity == TR_ACT_DRIVER_API;
}

static bool remember_annotation(struct tr_critpath *c, uint32_t name)
{
    enum { ENOUGH = 64 }; /* for a message */
    for (size_t k = 0; k < c->n_annotations; k++)
        if (c->annotations[k] == name)
            return true;
    if (c->n_annotations == ENOUGH)
        return true;
    if (!tr_grow(&c->annotations, &c->cap_annotations, c->n_annotations + 1,
                 sizeof *c->annotations))
        return false;
    c->annotations[c->n_annotations++] = name;
    return true;
}

/* The next event makes a stream wait. */
static bool see_stream_wait(struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    c->stream_wait_calls++;
    if (c->opts.gaps) {
        if (!cp_grow(c, &c->stream_waits, &c->cap_stream_waits, c->n_stream_waits + 1, sizeof *c->stream_waits))
            return false;
        c->stream_waits[c->n_stream_waits++] = (struct cp_stream_wait){
            .record = b->record[i], .ts = b->ts[i], .source = c->dict->tracks[b->track[i]].source
        };
    }
    if (!c->opts.n_rules && !c->opts.order)
        return true;
    if (!cp_grow(c, &c->wait_calls, &c->cap_wait_calls, c->n_wait_calls + 1, sizeof *c->wait_calls))
        return false;
    c->wait_calls[c->n_wait_calls++] = (uint32_t)c->n;
    return true;
}

static bool host_span(struct tr_critpath *c, const struct tr_batch *b, size_t i, uint8_t rule)
{
    unsigned act = b->activity[i];
    uint16_t bits = name_of(c, b->name[i]);
    uint8_t flags = CP_HOST;
    int64_t end = end_of(c, b, i);
    if (act == TR_ACT_ANNOTATION) {
        if (!remember_annotation(c, b->name[i]))
            return false;
        if (bits & CP_NAME_WINDOW)
            see_instance(c, b->track[i], b->ts[i], end);
    }
    bool early = c->opts.annotation && !window_of(c, b->track[i])->open;
    if (c->opts.annotation)
        drop_early(c, b->ts[i]);
    if (end <= b->ts[i] || (!early && !in_window(c, b->track[i], b->ts[i])))
        return true;
    bool api = act == TR_ACT_RUNTIME_API || act == TR_ACT_DRIVER_API;
    if (api && bits & CP_NAME_RECORD && !add_record(c, b, i))
        return false;
    if (!early && api && bits & CP_NAME_STREAM_WAIT && !see_stream_wait(c, b, i))
        return false;
    if (!is_node(act) && !(bits & CP_NAME_DATA))
        return act != TR_ACT_ANNOTATION || add_event(c, b, i, end, CP_HOST | CP_RANGE, rule);
    flags |= (bits & CP_NAME_DATA ? CP_DATA : 0) | (api && bits & CP_NAME_LOCK ? CP_LOCK : 0) |
             (api && bits & CP_NAME_WAITS ? (c->opts.gaps ? CP_SYNCS : CP_WAITS) : 0);
    if (!early)
        later(c, b->ts[i]);
    return add_event(c, b, i, end, (uint8_t)flags, rule);
}

/* Of work without a number of its own, the correlation is its number. */
static int64_t number_of(const struct tr_critpath *c, size_t i)
{
    struct tr_arg_value own = tr_arg_at(&c->keys[KEY_NUMBER], i);
    return own.type ? tr_arg_value_int(own) : tr_arg_int(&c->keys[KEY_CORRELATION], i);
}

static uint32_t list_of(const struct tr_critpath *c, size_t i)
{
    struct tr_arg_value list = tr_arg_at(&c->keys[KEY_WAITS_FOR], i);
    return list.type == TR_T_JSON + 1 ? (uint32_t)list.v : TR_NO_STR;
}

static struct cp_kernel kernel_of(struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    int64_t launch = c->batch_i64[COL_LAUNCH_TS][i];
    return (struct cp_kernel){
        .launch_ts = launch,
        .start = b->ts[i],
        .launch_record = (uint64_t)c->batch_i64[COL_LAUNCH_RECORD][i],
        .record = b->record[i],
        .event = CP_NONE,
        .launch = CP_NONE,
        .track = b->track[i],
        .launch_track =
            launch == TR_TIME_NONE ? CP_NONE : (uint32_t)c->batch_i64[COL_LAUNCH_TRACK][i],
        .number = number_of(c, i),
        .waits_for = list_of(c, i),
        .blocks = c->opts.gaps && b->activity[i] == TR_ACT_MEMCPY && name_of(c, b->name[i]) & CP_NAME_BLOCKS,
    };
}

static bool add_kernel(struct tr_critpath *c, const struct cp_kernel *k)
{
    if (!cp_grow(c, &c->kernels, &c->cap_kernels, c->n_kernels + 1, sizeof *c->kernels))
        return false;
    c->kernels[c->n_kernels++] = *k;
    return true;
}

/* Work before the window: the last one on each track may have the launch of later work there. */
static bool early_work(struct tr_critpath *c, const struct cp_kernel *k)
{
    if (!follow(&c->early, &c->n_early, &c->cap_early, c->dict->n_tracks, sizeof *c->early))
        return false;
    c->early[k->track] = *k;
    return true;
}

static bool add_early_work(struct tr_critpath *c)
{
    bool ok = true;
    for (size_t t = 0; ok && t < c->n_early; t++)
        ok = c->early[t].event != CP_NONE || add_kernel(c, &c->early[t]);
    c->n_early = 0;
    return ok;
}

/*
 * Device work belongs to the window of its launch.  If the clocks of host and device disagree, it may come before its
 * launch.  Then it is kept and judged at the end.  Work of unknown launch belongs to the window of its own start.
 * Other work counts only if it is in a queue while work of the window is launched or starts.
 */
static bool device_work(struct tr_critpath *c, const struct tr_batch *b, size_t i, bool keep,
                        uint8_t rule)
{
    struct cp_kernel k = kernel_of(c, b, i);
    int64_t ts = b->ts[i], launch = k.launch_ts;
    int64_t host = launch == TR_TIME_NONE ? ts : launch;
    bool mine = keep && ((launch != TR_TIME_NONE && host >= ts) || in_window(c, b->track[i], host));
    if (!mine && launch != TR_TIME_NONE && c->first_kept == TR_TIME_NONE)
        return early_work(c, &k);
    if (!mine && (launch == TR_TIME_NONE || (launch > c->last_kept && launch < ts)))
        return true;
    if (c->opts.part && launch != TR_TIME_NONE &&
        !tr__cp_watch_launch(c, c->dict->tracks[k.track].source, launch))
        return false;
    if (mine && !add_event(c, b, i, end_of(c, b, i), 0, rule))
        return false;
    if (mine) {
        k.event = (uint32_t)c->n - 1;
        c->n_lists += k.waits_for != TR_NO_STR;
        later(c, ts);
        later(c, host);
    }
    return add_kernel(c, &k);
}

static bool wait_bar(struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    struct tr_str name = tr_dict_text(c->dict, b->name[i]);
    enum tr_device_wait kind = tr_device_wait_of(c->dict->names, name.s, name.len);
    int64_t launch = c->batch_i64[COL_LAUNCH_TS][i];
    if (kind == TR_WAIT_NONE || launch == TR_TIME_NONE || !in_window(c, b->track[i], launch))
        return true;
    uint32_t source = c->dict->tracks[b->track[i]].source;
    if (c->opts.part && !tr__cp_watch_launch(c, source, launch))
        return false;
    if (!cp_grow(c, &c->waits, &c->cap_waits, c->n_waits + 1, sizeof *c->waits))
        return false;
    c->waits[c->n_waits++] = (struct cp_wait){
        .end = end_of(c, b, i),
        .launch_ts = launch,
        .launch_record = (uint64_t)c->batch_i64[COL_LAUNCH_RECORD][i],
        .record_corr = tr_arg_int(&c->keys[KEY_RECORD_CORR], i),
        .on_stream = tr_arg_int(&c->keys[KEY_ON_STREAM], i),
        .track = b->track[i],
        .launch_track = (uint32_t)c->batch_i64[COL_LAUNCH_TRACK][i],
        .kind = (uint8_t)kind,
    };
    return true;
}

static bool is_arrow(const struct tr_batch *b, size_t i)
{
    return (b->phase[i] == TR_FLOW_START || b->phase[i] == TR_FLOW_STEP || b->phase[i] == TR_FLOW_END) &&
           b->cat[i] != TR_NO_STR && !tr_time_far(b->ts[i]);
}

static bool see_arrow(struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    struct tr_str cat = tr_dict_text(c->dict, b->cat[i]);
    struct cp_arrow a = {
        .ts = b->ts[i], .track = b->track[i], .event = CP_NONE, .from_work = b->phase[i] == TR_FLOW_START
    };
    const struct tr_arg_value number = tr_arg_at(&c->keys[KEY_CAT], i);
    if (tr_vocab_arrow(cat.s, cat.len, &a.work, &a.rank) != TR_ARROW_FROM_WORK)
        return true;
    if (number.type == TR_T_IN_CAT + 1)
        a.work = number.v;
    if (a.work == TR_I64_NONE)
        return true;
    if (!cp_grow(c, &c->arrows, &c->cap_arrows, c->n_arrows + 1, sizeof *c->arrows))
        return false;
    c->arrows[c->n_arrows++] = a;
    return true;
}

static bool is_host(unsigned activity)
{
    return !tr_is_device_work(activity) && activity != TR_ACT_SYNC &&
           activity != TR_ACT_DEVICE_ANNOTATION;
}

static bool usable(const struct tr_critpath *c, const struct tr_batch *b, size_t i)
{
    return b->phase[i] == TR_SPAN && !tr_time_far(b->ts[i]) && !tr_time_far(end_of(c, b, i)) &&
           (b->suspect[i] == TR_SUSPECT_NO || c->opts.suspect) &&
           (!c->select || tr_select_source(c->select, c->dict->tracks[b->track[i]].source));
}

static bool follow_dict(struct tr_critpath *c)
{
    const struct tr_dict *d = c->dict;
    return follow(&c->names, &c->n_names, &c->cap_names, tr_strtab_count(d->strings), sizeof *c->names) &&
           follow(&c->windows, &c->n_windows, &c->cap_windows, d->n_sources, sizeof *c->windows) &&
           (!c->opts.part || follow(&c->parts, &c->n_parts, &c->cap_parts, d->n_sources, sizeof *c->parts));
}

static bool is_inside(const struct tr_critpath *c, const struct cp_window *w, size_t e)
{
    return c->ts[e] >= w->from && c->ts[e] <= w->to;
}

/*
 * Decide which events are in the window, now that it is known.  Sources with fewer instances than requested have none.
 */
static void judge(struct tr_critpath *c)
{
    for (size_t e = 0; c->opts.annotation && e < c->n; e++) {
        const struct cp_window *w = window_of(c, c->track[e]);
        if (!w->open || !all_instances(c, w) || (c->flags[e] & CP_HOST && !is_inside(c, w, e)))
            c->flags[e] |= CP_DEAD;
    }
    for (size_t i = 0; c->opts.annotation && i < c->n_kernels; i++) {
        struct cp_kernel *k = &c->kernels[i];
        if (k->launch_ts != TR_TIME_NONE || k->event == CP_NONE || is_inside(c, window_of(c, k->track), k->event))
            continue;
        c->flags[k->event] |= CP_DEAD;
        k->event = CP_NONE;
    }
}

bool tr__cp_end_reading(struct tr_critpath *c)
{
    if (!follow_dict(c) ||
        !follow(&c->thread_names, &c->n_thread_names, &c->cap_thread_names, c->dict->n_tracks + 1, 1) ||
        !add_early_work(c))
        return false;
    judge(c);
    for (size_t e = 0; e < c->n; e++) {
        unsigned act = c->activity[e];
        if (c->flags[e] & CP_DEAD ||
            (act != TR_ACT_ANNOTATION && act != TR_ACT_CPU_OP && act != TR_ACT_COMM_RECORD))
            continue;
        c->thread_names[c->track[e]] |=
            name_of(c, c->name[e]) & (CP_NAME_AUTOGRAD | CP_NAME_FORWARD);
    }
    return true;
}

bool tr__cp_read(struct tr_critpath *c, const struct tr_batch *b, const uint8_t *keep, const uint8_t *rules)
{
    bool ok = follow_dict(c) && expand(c, b);
    for (size_t i = 0; i < b->n && ok; i++) {
        bool kept = !keep || keep[i];
        uint8_t rule = rules ? rules[i] : TR_CP_NO_RULE;
        if (is_arrow(b, i))
            ok = see_arrow(c, b, i);
        if (!usable(c, b, i))
            continue;
        if (tr_is_device_work(b->activity[i]))
            ok = device_work(c, b, i, kept, rule);
        else if (b->activity[i] == TR_ACT_SYNC)
            ok = !kept || wait_bar(c, b, i);
        else if (is_host(b->activity[i]))
            ok = !kept || host_span(c, b, i, rule);
    }
    return ok;
}
