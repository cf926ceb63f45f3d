/* SPDX-License-Identifier: MIT */
/* Stacks of frames and their weights. */
#include "analysis/stacks/tr_stacks_analyses.h"
#include "base/tr_num.h"
#include "engine/tr_rows.h"
#include "model/tr_eventmap.h"
#include "service/tr_enclosing_spans.h"
#include "stream/tr_args.h"
#include "vendor/tr_roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint32_t group, stack; /* node of the paths */
    int64_t total[TR_N_PROFILE_WEIGHTS], self[TR_N_PROFILE_WEIGHTS]; /* TR_TIME_NONE: does not fit */
};

#define OF(member, weight) TR_OF(struct row, member[TR_PROFILE_##weight])

static const struct tr_table_column columns[] = {
    { "stack", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct row, stack), .wide = true,
      .meaning = "the frames, outermost first" },
    { "host", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(total, HOST), .of = "host_self", .main = true,
      .meaning = "time on the host" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, OF(self, HOST), .main = true,
      .meaning = "the same without frames inside" },
    { "device", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(total, DEVICE), .of = "device_self", .quiet = TR_QUIET_0,
      .meaning = "sum of durations of the device work that it launched" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, OF(self, DEVICE), .quiet = TR_QUIET_0,
      .meaning = "the same without frames inside" },
    { "launches", TR_CELL_COUNT, TR_ROLE_INCLUSIVE, OF(total, LAUNCHES), .of = "launches_self", .quiet = TR_QUIET_0,
      .meaning = "number of kernels, copies and memsets that it launched" },
    { "launches_self", TR_CELL_COUNT, TR_ROLE_COUNT, OF(self, LAUNCHES), .quiet = TR_QUIET_0,
      .meaning = "the same without frames inside" },
    { "allocated_bytes", TR_CELL_INT, TR_ROLE_INCLUSIVE, OF(total, BYTES), .of = "allocated_self_bytes",
      .unit = "bytes", .quiet = TR_QUIET_0, .meaning = "bytes that it allocated on devices" },
    { "allocated_self_bytes", TR_CELL_INT, TR_ROLE_SUM, OF(self, BYTES), .unit = "bytes", .quiet = TR_QUIET_0,
      .meaning = "the same without frames inside" },
};

/* ---- texts of stacks ---- */

static bool stack_text(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                       struct tr_str *text)
{
    (void)is;
    room->len = 0;
    bool ok = tr_profile_text(self, ((const struct row *)row)->stack, " > ", room);
    *text = (struct tr_str){ room->len ? (const char *)room->data : "", room->len };
    return ok;
}

static int compare_stacks(void *self, const struct tr_table_column *is, const void *a, const void *b)
{
    (void)is;
    return tr_profile_compare(self, ((const struct row *)a)->stack, ((const struct row *)b)->stack);
}

/* In a partial result, each frame is its kind, the length of its name, a colon and its name. */
static bool save_stack(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                       struct tr_str *text)
{
    const struct tr_profile *p = self;
    uint32_t *path = NULL;
    size_t n = 0, cap = 0;
    bool ok = true;
    (void)is;
    for (uint32_t at = ((const struct row *)row)->stack; ok && at != TR_PROFILE_ROOT; at = tr_profile_at(p, at)->parent)
        if ((ok = tr_grow(&path, &cap, n + 1, sizeof *path)))
            path[n++] = at;
    room->len = 0;
    while (ok && n-- > 0) {
        struct tr_str name = tr_profile_name(p, path[n]);
        ok = tr_buf_print(room, "%u,%zu:", (unsigned)tr_profile_at(p, path[n])->kind, name.len) &&
             tr_buf_add_text(room, name);
    }
    free(path);
    *text = (struct tr_str){ (const char *)room->data, room->len };
    return ok;
}

/* The number at *at, which a character ends; false: there is none. */
static bool read_number(struct tr_str *at, char end, uint64_t below, uint64_t *v)
{
    size_t n = tr_num_digits(at->s, at->len, below, v, NULL);
    if (!n || n >= at->len || at->s[n] != end || *v >= below)
        return false;
    *at = (struct tr_str){ at->s + n + 1, at->len - n - 1 };
    return true;
}

static bool load_stack(void *self, const struct tr_table_column *is, struct tr_partial_in *in, struct tr_str text,
                       void *to)
{
    uint32_t node = TR_PROFILE_ROOT;
    uint64_t kind, len;
    (void)is;
    do {
        if (!text.s || !read_number(&text, ',', TR_N_PROFILE_KINDS, &kind) ||
            !read_number(&text, ':', text.len + 1, &len) || len > text.len) {
            tr_partial_wrong(in, "a stack that is no list of frames");
            return false;
        }
        node = tr_profile_child(self, node, (struct tr_str){ text.s, (size_t)len }, (enum tr_profile_kind)kind);
        text = (struct tr_str){ text.s + len, text.len - (size_t)len };
    } while (node != TR_PROFILE_NONE && text.len);
    memcpy(to, &node, sizeof node);
    return node != TR_PROFILE_NONE;
}

static const struct tr_row_own own = { stack_text, compare_stacks, save_stack, load_stack };
static const char *const orders[TR_N_PROFILE_WEIGHTS] = {
    [TR_PROFILE_HOST] = "host,stack",
    [TR_PROFILE_DEVICE] = "device,stack",
    [TR_PROFILE_LAUNCHES] = "launches,stack",
    [TR_PROFILE_BYTES] = "allocated_bytes,stack",
};
static const struct tr_row_type row_type = {
    .name = "stacks",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, total),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "host,stack",
    .own = &own,
};

/* ---- the run ---- */

/* A span, or device work, whose frames or own time are not known yet. */
struct waiting {
    uint32_t group, name;
    int64_t dur; /* of device work; TR_TIME_NONE: a span */
    uint8_t activity;
    bool taken;
};

struct stacks {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_analysis_in in;
    const struct tr_stack_options *options;
    struct tr_group_by groups;
    struct tr_strtab *modules;
    struct tr_enclosing_spans *spans;
    struct tr_profile *paths; /* without weights */
    struct tr_eventmap node_of; /* of frames: (0, frame); of frames inside nodes: (1 + node, name and activity) */
    struct tr_row_type type;
    struct waiting *waiting; /* by ticket */
    size_t cap_waiting;
    uint8_t *roles; /* by name: see roles_of; 0: not looked up yet */
    size_t n_roles, cap_roles;
    struct tr_arg bytes, device_type;
    uint64_t n_lost; /* device work whose call a filter left out */
};

static void release(void *state)
{
    struct stacks *s = state;
    tr_rows_free(s->rows);
    tr_group_by_free(&s->groups);
    tr_enclosing_spans_free(s->spans);
    tr_profile_free(s->paths);
    tr_strtab_free(s->modules);
    tr_eventmap_free(&s->node_of);
    tr_arg_free(&s->bytes);
    tr_arg_free(&s->device_type);
    free(s->roles);
    free(s->waiting);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct stacks *s = state;
    s->in = *in;
    s->options = options;
    s->type = row_type;
    s->type.order = orders[s->options->weight];
    enum tr_status st = tr_group_by_init(&s->groups, &in->work, in->dict, in->summary, in->sorted, in->select, err);
    if (st != TR_OK)
        return st;
    s->modules = tr_strtab_new();
    s->paths = tr_profile_new();
    if (s->modules)
        s->spans = tr_enclosing_spans_new(in->dict, s->modules, in->select, true);
    s->rows = tr_rows_new(&s->type, in, &s->groups, true);
    if (!s->spans || !s->paths || !s->rows)
        return tr_fail_memory(err);
    tr_rows_owner(s->rows, s->paths);
    return TR_OK;
}

/* ---- nodes ---- */

static enum tr_profile_kind kind_of(unsigned activity)
{
    switch (activity) {
    case TR_ACT_PYTHON:
        return TR_PROFILE_PYTHON;
    case TR_ACT_ANNOTATION:
        return TR_PROFILE_ANNOTATION;
    case TR_ACT_CPU_OP:
    case TR_ACT_COMM_RECORD:
        return TR_PROFILE_OPERATOR;
    case TR_ACT_RUNTIME_API:
    case TR_ACT_DRIVER_API:
    case TR_ACT_OS_API:
    case TR_ACT_HOST_COMM:
        return TR_PROFILE_CALL;
    default:
        return tr_is_device_work(activity) ? TR_PROFILE_WORK : TR_PROFILE_OTHER;
    }
}

enum { KNOWN = 1, OF_STEP = 2, OF_PROFILER = 4, OF_OVERHEAD = 8 };

/* What a name says of a span, as bits.  0: out of memory. */
static unsigned roles_of(struct stacks *s, uint32_t name)
{
    size_t had = s->n_roles;
    if (name >= had) {
        if (!tr_grow(&s->roles, &s->cap_roles, name + (size_t)1, 1))
            return 0;
        s->n_roles = s->cap_roles;
        memset(s->roles + had, 0, s->n_roles - had);
    }
    if (!s->roles[name]) {
        struct tr_str text = tr_dict_text(s->in.dict, name);
        unsigned roles = tr_roles_of(s->in.dict->names, text.s, text.len);
        s->roles[name] = (uint8_t)(KNOWN | (roles & TR_NAMED_STEP ? OF_STEP : 0) |
                                   (roles & TR_NAMED_PROFILER ? OF_PROFILER : 0) |
                                   (roles & TR_NAMED_PROFILER_OVERHEAD ? OF_OVERHEAD : 0));
    }
    return s->roles[name];
}

/* Is a span one of the profiler's own?  It is no frame, and does not count. */
static bool is_profiler(unsigned roles, unsigned activity)
{
    return (roles & OF_PROFILER) || (activity == TR_ACT_OVERHEAD && (roles & OF_OVERHEAD));
}

/* The name of a frame; no text: it is none of those that are asked for. */
static struct tr_str frame_name(const struct stacks *s, uint32_t name, unsigned activity)
{
    struct tr_str text = tr_dict_text_if(s->in.dict, name);
    bool python = activity == TR_ACT_PYTHON, op = activity == TR_ACT_CPU_OP || activity == TR_ACT_COMM_RECORD;
    if (!text.s)
        text = tr_str_of(name == TR_NO_STR && activity == TR_ACT_ANNOTATION ? "(step)" : "");
    if (tr_is_device_work(activity))
        return text;
    switch (s->options->by & ~(unsigned)TR_STACK_KERNELS) {
    case TR_STACK_OPERATORS:
        return op ? text : tr_str_of(NULL);
    case TR_STACK_MODULES:
        return python ? tr_module_name(text) : tr_str_of(NULL);
    case TR_STACK_PYTHON:
        return python ? text : tr_str_of(NULL);
    default:
        return text;
    }
}

/* The node of an event inside a node; the same node if its frame is not asked for.  TR_PROFILE_NONE: out of memory. */
static uint32_t node_inside(struct stacks *s, uint32_t node, uint32_t name, unsigned activity)
{
    uint64_t key = (uint64_t)name << 8 | activity;
    uint32_t inside = tr_eventmap_get(&s->node_of, node + 1, key);
    if (inside != TR_EVENTMAP_NONE)
        return inside;
    unsigned roles = name == TR_NO_STR ? KNOWN : roles_of(s, name);
    struct tr_str text = is_profiler(roles, activity) ? tr_str_of(NULL) : frame_name(s, name, activity);
    if (!roles)
        return TR_PROFILE_NONE;
    inside = text.s ? tr_profile_child(s->paths, node, text, kind_of(activity)) : node;
    return inside == TR_PROFILE_NONE || tr_eventmap_put(&s->node_of, node + 1, key, inside) ? inside : TR_PROFILE_NONE;
}

/* The node of a frame of the service.  TR_PROFILE_NONE: out of memory. */
static uint32_t node_of_frame(struct stacks *s, uint32_t frame)
{
    uint32_t open[64], node = TR_PROFILE_ROOT;
    /* frames around it that have no node yet; of very deep ones, some at a time */
    while (frame != TR_ENCLOSING_NONE) {
        size_t n = 0;
        uint32_t at = frame, known = TR_EVENTMAP_NONE;
        for (; at != TR_ENCLOSING_NONE; at = tr_enclosing_frame(s->spans, at)->outer) {
            known = tr_eventmap_get(&s->node_of, 0, at);
            if (known != TR_EVENTMAP_NONE)
                break;
            open[n++ % 64] = at;
        }
        node = known == TR_EVENTMAP_NONE ? TR_PROFILE_ROOT : known;
        if (!n)
            return node;
        for (size_t i = n, left = n < 64 ? n : 64; left-- > 0;) {
            const struct tr_frame *f = tr_enclosing_frame(s->spans, open[--i % 64]);
            node = node_inside(s, node, f->name, f->activity);
            if (node == TR_PROFILE_NONE || !tr_eventmap_put(&s->node_of, 0, open[i % 64], node))
                return TR_PROFILE_NONE;
        }
    }
    return node;
}

/* ---- adding ---- */

/* The node of what has no frame.  TR_PROFILE_NONE: out of memory. */
static uint32_t node_of_none(struct stacks *s)
{
    return tr_profile_child(s->paths, TR_PROFILE_ROOT, tr_str_of("(none)"), TR_PROFILE_OTHER);
}

static bool add(struct stacks *s, uint32_t group, uint32_t node, enum tr_profile_weight weight, int64_t value)
{
    if (node == TR_PROFILE_ROOT)
        node = node_of_none(s);
    if (node == TR_PROFILE_NONE)
        return false;
    struct row *r = tr_rows_at(s->rows, &(struct row){ .group = group, .stack = node });
    if (r)
        r->self[weight] = tr_time_sum(r->self[weight], value);
    return r != NULL;
}

/* Add an event whose frames are known. */
static bool settle(struct stacks *s, const struct waiting *w, uint32_t frame, int64_t self)
{
    bool span = w->dur == TR_TIME_NONE;
    uint32_t node = node_of_frame(s, frame);
    if (node != TR_PROFILE_NONE && (span || (s->options->by & TR_STACK_KERNELS))) {
        if (node == TR_PROFILE_ROOT && !span)
            node = node_of_none(s);
        if (node != TR_PROFILE_NONE)
            node = node_inside(s, node, w->name, w->activity);
    }
    if (node == TR_PROFILE_NONE)
        return false;
    if (span)
        return self == TR_TIME_NONE || add(s, w->group, node, TR_PROFILE_HOST, self);
    return add(s, w->group, node, TR_PROFILE_DEVICE, w->dur) && add(s, w->group, node, TR_PROFILE_LAUNCHES, 1);
}

static bool take_done(struct stacks *s)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->spans->n_done; i++) {
        const struct tr_enclosing_done *d = &s->spans->done[i];
        struct waiting *w = d->ticket < s->cap_waiting ? &s->waiting[d->ticket] : NULL;
        if (!w || !w->taken)
            continue;
        w->taken = false;
        ok = settle(s, w, d->frame, d->self);
    }
    return ok;
}

static bool wait_for(struct stacks *s, uint32_t ticket, const struct waiting *w)
{
    size_t old = s->cap_waiting;
    if (!tr_grow(&s->waiting, &s->cap_waiting, (size_t)ticket + 1, sizeof *s->waiting))
        return false;
    memset(s->waiting + old, 0, (s->cap_waiting - old) * sizeof *s->waiting);
    s->waiting[ticket] = *w;
    return true;
}

/* The duration of device work in the window. */
static int64_t dur_of(const struct stacks *s, const struct tr_batch *b, size_t i)
{
    int64_t dur = b->suspect[i] ? tr_group_by_suspect_dur(b, i) : tr_dur_used(b->dur[i], TR_SUSPECT_NO);
    uint32_t source = s->in.dict->tracks[b->track[i]].source;
    return tr_select_clip(s->in.select, source, b->ts[i] + dur) - tr_select_clip(s->in.select, source, b->ts[i]);
}

static bool add_event(struct stacks *s, const struct tr_batch *b, size_t i)
{
    const struct tr_enclosing_of *of = &s->spans->of[i];
    bool work = tr_is_device_work(b->activity[i]) && b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE;
    bool memory = b->activity[i] == TR_ACT_MEMORY_INSTANT && b->phase[i] != TR_SPAN;
    struct waiting w = { .name = b->name[i], .dur = TR_TIME_NONE, .activity = b->activity[i], .taken = true };
    if (!work && !memory) {
        if (!tr_is_call(b, i))
            return true;
        unsigned roles = w.name == TR_NO_STR ? KNOWN : roles_of(s, w.name);
        if (w.activity == TR_ACT_ANNOTATION && (roles & OF_STEP))
            w.name = TR_NO_STR; /* as a frame of the service */
        else if (!roles || is_profiler(roles, w.activity))
            return roles != 0;
    }
    if (!tr_group_by_group(&s->groups, i, &w.group))
        return false;
    if (memory) {
        int64_t bytes = tr_arg_int(&s->bytes, i);
        bool counts = bytes > 0 && tr_arg_int(&s->device_type, i) != 0; /* 0: memory of the host */
        return !counts || add(s, w.group, node_of_frame(s, of->frame), TR_PROFILE_BYTES, bytes);
    }
    if (work)
        w.dur = dur_of(s, b, i);
    return of->ticket == TR_ENCLOSING_NONE ? settle(s, &w, of->frame, TR_TIME_NONE) : wait_for(s, of->ticket, &w);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct stacks *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->groups, b, keep, err);
    if (st == TR_OK)
        st = tr_enclosing_batch(s->spans, b, err);
    bool ok = tr_arg_read(&s->bytes, b, TR_PLACE_ARGS, "Bytes") &&
              tr_arg_read(&s->device_type, b, TR_PLACE_ARGS, "Device Type");
    for (size_t i = 0; st == TR_OK && ok && i < b->n; i++)
        if ((!keep || keep[i]) && (!b->suspect[i] || s->in.work.suspect))
            ok = add_event(s, b, i);
    ok = ok && (st != TR_OK || take_done(s));
    return st != TR_OK || ok ? st : tr_fail_memory(err);
}

/* ---- the end ---- */

/* Give each stack the weights of those inside it, for which all stacks around them need rows. */
static bool add_totals(struct stacks *s)
{
    size_t n = tr_rows_count(s->rows);
    for (size_t i = 0; i < n; i++) {
        struct row *r = tr_rows_get(s->rows, i);
        memset(r->total, 0, sizeof r->total);
    }
    for (size_t i = 0; i < n; i++) {
        const struct row from = *(const struct row *)tr_rows_get(s->rows, i);
        for (uint32_t at = from.stack; at != TR_PROFILE_ROOT; at = tr_profile_at(s->paths, at)->parent) {
            struct row *r = tr_rows_at(s->rows, &(struct row){ .group = from.group, .stack = at });
            if (!r)
                return false;
            for (unsigned w = 0; w < TR_N_PROFILE_WEIGHTS; w++)
                r->total[w] = tr_time_sum(r->total[w], from.self[w]);
        }
    }
    return true;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct stacks *s = state;
    enum tr_status st = tr_enclosing_end(s->spans, err);
    s->n_lost = s->spans->n_lost;
    return st != TR_OK || (take_done(s) && add_totals(s)) ? st : tr_fail_memory(err);
}

/* The frame that a group is, around its stacks. */
static uint32_t frame_of_group(const struct stacks *s, const struct row *r, struct tr_profile *p)
{
    const struct tr_group_key *key = tr_rows_group(s->rows, r);
    char name[80];
    if (s->in.work.per == TR_PER_ALL)
        return TR_PROFILE_ROOT;
    if (key->rank == TR_GROUP_NONE)
        strcpy(name, "rank -");
    else
        snprintf(name, sizeof name, "rank %" PRId64, key->rank);
    if (key->capture)
        snprintf(name + strlen(name), sizeof name - strlen(name), ", capture %" PRId64, key->capture);
    return tr_profile_child(p, TR_PROFILE_ROOT, tr_str_of(name), TR_PROFILE_OTHER);
}

/* Add a row to a profile.  path: room for the nodes of a stack. */
static bool put_row(const struct stacks *s, const struct row *r, struct tr_profile *p, uint32_t **path, size_t *cap)
{
    size_t n = 0;
    uint32_t node = frame_of_group(s, r, p);
    bool ok = node != TR_PROFILE_NONE;
    for (uint32_t at = r->stack; ok && at != TR_PROFILE_ROOT; at = tr_profile_at(s->paths, at)->parent)
        if ((ok = tr_grow(path, cap, n + 1, sizeof **path)))
            (*path)[n++] = at;
    while (ok && n-- > 0) {
        enum tr_profile_kind kind = (enum tr_profile_kind)tr_profile_at(s->paths, (*path)[n])->kind;
        node = tr_profile_child(p, node, tr_profile_name(s->paths, (*path)[n]), kind);
        ok = node != TR_PROFILE_NONE;
    }
    for (unsigned w = 0; ok && w < TR_N_PROFILE_WEIGHTS; w++)
        ok = tr_profile_add(p, node, TR_PROFILE_TEST, (enum tr_profile_weight)w,
                            r->self[w] == TR_TIME_NONE ? INT64_MAX : r->self[w]);
    return ok;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct stacks *s = state;
    (void)t;
    if (s->n_lost)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "what is around %" PRIu64 " kernels, copies and memsets is not known: a filter left out the "
                           "calls that launched them", s->n_lost);
    if (!s->options->take)
        return TR_OK;
    struct tr_profile *p = tr_profile_new();
    uint32_t *path = NULL;
    size_t cap = 0;
    bool ok = p != NULL;
    for (size_t i = 0; ok && i < tr_rows_count(s->rows); i++)
        ok = put_row(s, tr_rows_get(s->rows, i), p, &path, &cap);
    enum tr_status st = ok ? s->options->take(s->options->self, p, err) : tr_fail_memory(err);
    free(path);
    tr_profile_free(p);
    return st;
}

/* ---- the description ---- */

/* What is around device work may come from another file of its rank. */
static const struct tr_saved_table saved = { .rows = &row_type };
static const struct tr_saving saving = { .version = 1, .whole_ranks = true, .tables = &saved, .n_tables = 1 };

static const struct tr_stack_options defaults = TR_STACK_DEFAULTS;
static const char *const frame_names[] = { "spans", "operators", "modules", "python", "kernels", NULL };
static const struct tr_option settings[] = {
    { 0, "weight", "WEIGHT", TR_OPTION_CHOICE, offsetof(struct tr_stack_options, weight),
      .choices = tr_profile_weight_names, .shown = true,
      .help = "what counts: host, device: time; launches: kernels, copies and memsets; bytes: allocated on devices "
              "[host]" },
    { 0, "frames", "LIST", TR_OPTION_BITS, offsetof(struct tr_stack_options, by), .choices = frame_names,
      .hidden = true },
    { 0 },
};

const struct tr_analysis tr_analysis_stack = {
    .name = "stack",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "stack", .y = { "host_self", "device_self" } },
    .question = "Which stacks of calls cost the time?",
    .nothing = "no spans of the host and no device work are selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_ALL,
    TR_OPTIONS(settings, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_ENCLOSING_FIXED,
                         .derived = TR_ENCLOSING_DERIVED,
                         TR_KEYS("Bytes", "Device Type", TR_WORK_ARROWS_KEY),
                         .any_rank_order = true },
               .all_in_any_order = true,
               .host = true },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct stacks),
    .start = start,
    .feed = feed,
    .complete = complete,
    .rows = tr_rows_first,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
