/* SPDX-License-Identifier: MIT */
/* The public interface: traces, and the selection of their events. */
#include "api/tr_api_int.h"

#include "base/tr_budget.h"
#include "base/tr_mem.h"
#include "io/tr_spill_dir.h"
#include "field/tr_event_field.h"
#include "model/tr_steps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static enum tr_status take_formats(struct tr_trace *t, struct tr_error *err)
{
    const struct tr_trace_options *o = &t->options;
    enum tr_status st = TR_OK;
    t->formats = calloc(o->n_formats + 1, sizeof *t->formats);
    t->list = calloc(o->n_formats + 1, sizeof(struct tr_format *));
    if (!t->formats || !t->list)
        return tr_fail_memory(err);
    for (size_t i = 0; i < o->n_formats && st == TR_OK; i++) {
        st = tr__own_format(&t->formats[i], o->formats[i], err);
        t->list[i] = &t->formats[i].is;
    }
    t->open.formats = t->list;
    t->open.n_formats = o->n_formats;
    return st;
}

/* Both functions of the caller. */
static bool progress(void *ctx, uint64_t done_bytes, uint64_t total_bytes)
{
    struct tr_trace *t = ctx;
    t->done = done_bytes;
    t->total = total_bytes;
    if (t->options.progress)
        t->options.progress(t->options.ctx, done_bytes, total_bytes);
    return !t->options.proceed || t->options.proceed(t->options.ctx, done_bytes, total_bytes);
}

static enum tr_status new_trace(struct tr_trace **out, const struct tr_trace_options *options, struct tr_error *err)
{
    static const struct tr_trace fresh = { .choice = TR_SELECT_ALL, .open = TR_OPEN_OPTS_INIT };
    struct tr_trace *t = *out = malloc(sizeof *t);
    if (!t)
        return tr_fail_memory(err);
    *t = fresh;
    if (options && !tr__api_take(&t->options, sizeof t->options, options))
        return tr_fail(err, TR_USAGE, "the size of struct tr_trace_options is not set");
    const struct tr_trace_options *o = &t->options;
    t->open.n_threads = o->threads ? o->threads : 1;
    t->open.strict = o->flags & TR_TRACE_STRICT;
    t->open.no_sort = o->flags & TR_TRACE_NO_SORT;
    t->open.drop_args = o->flags & TR_TRACE_NO_ARGS;
    t->open.renumber = o->flags & TR_TRACE_RENUMBER;
    if (o->max_memory)
        t->open.max_memory_bytes = o->max_memory < SIZE_MAX ? (size_t)o->max_memory : SIZE_MAX;
    if (o->temp_dir)
        t->open.temp_dir = o->temp_dir;
    t->open.input_format = o->input_format;
    t->open.budget = tr_budget_kept(t->open.max_memory_bytes);
    t->open.spill = tr_spill_dir_new(tr_spill_dir_share(t->open.max_memory_bytes), t->open.temp_dir);
    if (!t->open.budget || !t->open.spill)
        return tr_fail_memory(err);
    t->open.warn = o->warn;
    t->open.progress = o->progress || o->proceed ? progress : NULL;
    t->open.warn_ctx = o->ctx;
    t->open.progress_ctx = t;
    return take_formats(t, err);
}

/* Give a trace to the caller, or release it. */
static enum tr_status give(struct tr_trace **out, struct tr_trace *t, enum tr_status st)
{
    *out = NULL;
    if (st == TR_OK)
        *out = t;
    else
        tr_trace_close(t);
    return st;
}

enum tr_status tr_trace_open(struct tr_trace **out, const char *const *paths, size_t n,
                             const struct tr_trace_options *options, struct tr_error *err)
{
    struct tr_trace *t;
    enum tr_status st = new_trace(&t, options, err);
    if (st == TR_OK && !n)
        st = tr_fail(err, TR_USAGE, "no input is named");
    if (st == TR_OK)
        st = n == 1 ? tr_open(&t->in, paths[0], &t->open, err) : tr_open_many(&t->in, paths, n, &t->open, err);
    return give(out, t, st);
}

/* Take the list of inputs, and their names as paths. */
static enum tr_status take_memory(struct tr_trace *t, const struct tr_memory_input *const *inputs, size_t n,
                                  struct tr_error *err)
{
    t->memory = calloc(n + 1, sizeof *t->memory);
    t->names = calloc(n + 1, sizeof(char *));
    if (!t->memory || !t->names)
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        struct tr_memory_input m;
        if (!tr__api_take(&m, sizeof m, inputs[i]))
            return tr_fail(err, TR_USAGE, "the size of struct tr_memory_input is not set");
        if (!m.name || (!m.bytes && m.n))
            return tr_fail(err, TR_USAGE, "an input in memory needs a name and bytes");
        t->n_names = i + 1;
        t->names[i] = strdup(m.name); /* a pointer of its own distinguishes it from others of this name */
        if (!t->names[i])
            return tr_fail_memory(err);
        t->memory[i] = (struct tr_open_memory){ t->names[i], m.bytes, m.n };
    }
    t->open.memory = t->memory;
    return TR_OK;
}

enum tr_status tr_trace_open_memory(struct tr_trace **out, const struct tr_memory_input *const *inputs, size_t n,
                                    const struct tr_trace_options *options, struct tr_error *err)
{
    struct tr_trace *t;
    enum tr_status st = new_trace(&t, options, err);
    if (st == TR_OK && !n)
        st = tr_fail(err, TR_USAGE, "no input is named");
    if (st == TR_OK)
        st = take_memory(t, inputs, n, err);
    if (st == TR_OK)
        st = tr_open_many(&t->in, (const char *const *)t->names, n, &t->open, err);
    return give(out, t, st);
}

static enum tr_status no_bytes(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    (void)ctx;
    (void)buf;
    (void)cap;
    (void)err;
    *got = 0;
    return TR_END;
}

enum tr_status tr_trace_make(struct tr_trace **out, const char *name, const struct tr_format_def *format,
                             const struct tr_trace_options *options, struct tr_error *err)
{
    const struct tr_ingest_bytes none = { .read = no_bytes, .name = name };
    struct tr_trace *t;
    struct tr__own_format *own = NULL;
    enum tr_status st = new_trace(&t, options, err);
    if (st == TR_OK)
        own = &t->formats[t->options.n_formats]; /* there is room for one more than were given */
    if (own)
        st = tr__own_format(own, format, err);
    if (own && st == TR_OK) {
        st = own->is.open(&own->is, &t->in, &none, &t->open, err);
        tr_error_input(err, st == TR_OK ? NULL : name);
    }
    if (st == TR_OK && t->in->sorted)
        tr_open_warn(t->in, &t->open);
    return give(out, t, st);
}

void tr_trace_close(struct tr_trace *t)
{
    if (!t)
        return;
    tr_select_free(t->select);
    for (size_t i = 0; i < t->n_tests; i++) {
        tr_expr_free(t->tests[i]);
        free(t->test_texts[i]);
    }
    free(t->tests);
    free(t->test_texts);
    for (size_t i = 0; i < t->n_keys; i++)
        free(t->keys[i]);
    free(t->keys);
    tr_input_close(t->in);
    tr_budget_free(t->open.budget);
    tr_spill_dir_free(t->open.spill);
    tr_selector_free(t->selector);
    tr_batch_free(t->kept);
    free(t->formats);
    free(t->list);
    free(t->memory);
    for (size_t i = 0; i < t->n_names; i++)
        free(t->names[i]);
    free(t->names);
    free(t);
}

/* ---- selection ---- */

static enum tr_status add_test(struct tr_trace *t, const char *text, struct tr_error *err)
{
    if (!tr_grow(&t->tests, &t->cap_tests, t->n_tests + 1, sizeof *t->tests) ||
        !tr_grow(&t->test_texts, &t->cap_texts, t->n_tests + 1, sizeof *t->test_texts))
        return tr_fail_memory(err);
    enum tr_status st = tr_expr_compile(&t->tests[t->n_tests], text, err);
    if (st != TR_OK)
        return st;
    t->test_texts[t->n_tests] = strdup(text);
    return t->test_texts[t->n_tests++] ? TR_OK : tr_fail_memory(err);
}

static enum tr_status drop_last_step(struct tr_select_opts *o, const char *value, struct tr_error *err)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return tr_fail(err, TR_USAGE, "drop-last-step is 0 or 1, not '%.80s'", value);
    o->drop_last_step = *value == '1';
    return TR_OK;
}

enum tr_status tr_trace_select(struct tr_trace *t, const char *key, const char *value, struct tr_error *err)
{
    static const struct {
        const char *key;
        enum tr_status (*parse)(struct tr_select_opts *o, const char *value, struct tr_error *err);
    } keys[] = { { "rank", tr_select_parse_ranks },
                 { "step", tr_select_parse_steps },
                 { "time", tr_select_parse_time },
                 { "host-time", tr_select_parse_host_time },
                 { "drop-last-step", drop_last_step } };
    if (t->started)
        return tr_fail(err, TR_USAGE, "events have been read: it is too late to select events");
    if (strcmp(key, "suspect") == 0) {
        t->suspect = strcmp(value, "include") == 0;
        return t->suspect ? TR_OK : tr_fail(err, TR_USAGE, "'%.80s' is not include", value);
    }
    t->chosen = true;
    if (strcmp(key, "where") == 0)
        return add_test(t, value, err);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].key) == 0)
            return keys[i].parse(&t->choice, value, err);
    return tr_fail(err, TR_USAGE, "events cannot be selected by '%.80s'", key);
}

/* ---- columns ---- */

bool tr__field_columns(const char *field, struct tr_projection *want, const char **key)
{
    *key = NULL;
    if (strncmp(field, "args.", 5) == 0) {
        *key = field + 5;
        return true;
    }
    enum tr_field_id id = tr_event_field_find(field, strlen(field), TR_FIELD_TO_LIST);
    if (id == TR_N_FIELDS)
        return false;
    want->fixed |= tr_event_fields[id].fixed;
    want->derived |= tr_event_fields[id].derived;
    return true;
}

enum tr_status tr_trace_want(struct tr_trace *t, const char *const *fields, size_t n, struct tr_error *err)
{
    if (t->started)
        return tr_fail(err, TR_USAGE, "events have been read: it is too late to name fields");
    t->whole = false;
    for (size_t i = 0; i < n; i++) {
        const char *key;
        if (!tr__field_columns(fields[i], &t->want, &key))
            return tr_fail(err, TR_USAGE, "there is no field '%.80s' (see tr-expr(7))", fields[i]);
        if (!key)
            continue;
        if (!tr_grow(&t->keys, &t->cap_keys, t->n_keys + 1, sizeof *t->keys) || !(t->keys[t->n_keys] = strdup(key)))
            return tr_fail_memory(err);
        t->n_keys++;
    }
    return TR_OK;
}

/* Set the columns that the caller reads and the expressions need. */
static enum tr_status choose_columns(struct tr_trace *t, const struct tr_projection *of, struct tr_error *err)
{
    struct tr_projection want = *of;
    const char **keys = NULL;
    size_t n = 0, cap = 0;
    bool ok = tr_grow(&keys, &cap, of->n_keys + 1, sizeof *keys);
    for (; ok && n < of->n_keys; n++)
        keys[n] = of->keys[n];
    for (size_t k = 0; k < t->n_tests && ok; k++) {
        const struct tr_projection *w = &tr_expr_needs(t->tests[k])->want;
        want.fixed |= w->fixed;
        want.derived |= w->derived;
        want.any_rank_order &= !tr_expr_needs(t->tests[k])->all_order;
        ok = tr_grow(&keys, &cap, n + w->n_keys, sizeof *keys);
        for (size_t i = 0; i < w->n_keys && ok; i++)
            keys[n++] = w->keys[i];
    }
    want.keys = keys;
    want.n_keys = n;
    if (t->chosen) {
        want.fixed |= TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(ACTIVITY) |
                      TR_FIXED_BIT(SUSPECT);
        want.derived |= TR_STEPS_DERIVED; /* steps and host time */
    }
    ok = ok && tr_input_want(t->in, &want);
    free(keys);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- reading ---- */

static enum tr_status where(void *self, const struct tr_batch *b, uint8_t *keep, struct tr_error *err)
{
    const struct tr_trace *t = self;
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < t->n_tests && st == TR_OK; k++)
        st = tr_expr_narrow(t->tests[k], b, keep, err);
    return st;
}

static enum tr_status start_selection(struct tr_trace *t, struct tr_error *err)
{
    const struct tr_input *in = t->in;
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < t->n_tests && st == TR_OK; k++)
        st = tr_expr_bind(t->tests[k], t->in, err);
    if (t->n_tests) {
        t->choice.where = where;
        t->choice.where_self = t;
    }
    if (st == TR_OK)
        st = tr_select_new(&t->choice, in->dict, in->summary, in->sorted, &t->select, err);
    if (st != TR_OK)
        tr_error_input(err, in->name);
    return st;
}

enum tr_status tr__trace_start(struct tr_trace *t, const struct tr_projection *want, struct tr_error *err)
{
    bool some = !t->whole && (t->want.fixed || t->want.derived || t->n_keys);
    enum tr_status st = TR_OK;
    if (t->started)
        return TR_OK;
    t->started = true;
    t->want.keys = (const char *const *)t->keys;
    t->want.n_keys = t->n_keys;
    /* selected events are copied with all columns, so all columns are needed then */
    if (want)
        st = choose_columns(t, want, err);
    else if (some && !t->chosen)
        st = choose_columns(t, &t->want, err);
    t->whole = !want && (!some || t->chosen);
    return st == TR_OK ? start_selection(t, err) : st;
}

bool tr__trace_go_on(void *self)
{
    struct tr_trace *t = self;
    return !t->options.proceed || t->options.proceed(t->options.ctx, t->done, t->total);
}

enum tr_status tr__trace_masked(struct tr_trace *t, const struct tr_batch **b, const uint8_t **keep,
                                struct tr_error *err)
{
    bool go_on = !t->in->sorted || tr__trace_go_on(t);
    enum tr_status st = go_on ? tr_input_next(t->in, b, err) : tr_fail_sys(err, ECANCELED, "reading was cancelled");
    *keep = NULL;
    if (st == TR_OK && t->chosen)
        st = tr_select_mask(t->select, *b, keep, err);
    if (st == TR_END && !t->in->sorted && !t->warned) { /* its summary came last */
        tr_open_warn(t->in, &t->open);
        t->warned = true;
    }
    return st;
}

static enum tr_status keep_chosen(struct tr_trace *t, const struct tr_batch **b, const uint8_t *keep,
                                  struct tr_error *err)
{
    if (!t->selector)
        t->selector = tr_selector_new();
    if (!t->kept)
        t->kept = tr_batch_new();
    if (!t->selector || !t->kept)
        return tr_fail_memory(err);
    enum tr_status st = tr_batch_select(t->selector, *b, keep, t->kept, err);
    *b = t->kept;
    return st;
}

enum tr_status tr_trace_next(struct tr_trace *t, const struct tr_batch **batch, struct tr_error *err)
{
    const uint8_t *keep;
    enum tr_status st = tr__trace_start(t, NULL, err);
    size_t n = 0;
    while (st == TR_OK && n == 0) {
        st = tr__trace_masked(t, batch, &keep, err);
        if (st == TR_OK && keep && memchr(keep, 0, (*batch)->n))
            st = keep_chosen(t, batch, keep, err);
        n = st == TR_OK ? (*batch)->n : 0;
    }
    return st;
}

bool tr__trace_keeps(const struct tr_trace *t, uint32_t source)
{
    if (t->select && !tr_select_source(t->select, source))
        return false;
    for (size_t k = 0; k < t->n_tests; k++)
        if (tr_expr_source(t->tests[k], source) == TR_EXPR_NO_EVENT)
            return false;
    return true;
}

/* ---- properties ---- */

bool tr_trace_sorted(const struct tr_trace *t)
{
    return t->in->sorted;
}

const struct tr_dict *tr_trace_dict(const struct tr_trace *t)
{
    return t->in->dict;
}

bool tr_trace_source(const struct tr_trace *t, size_t source, struct tr_source_info *info)
{
    const struct tr_dict *d = t->in->dict;
    const struct tr_summary *sum = t->in->summary;
    if (source >= d->n_sources)
        return false;
    const struct tr_source *s = &d->sources[source];
    struct tr_source_info own = { .rank = s->rank, .base_ns = s->base_ns, .first_ns = TR_TIME_NONE,
                                  .last_ns = TR_TIME_NONE, .name = tr_dict_string(d, s->name, NULL),
                                  .host = tr_dict_string(d, s->host, NULL),
                                  .format = tr_dict_string(d, s->format, NULL) };
    if (source < sum->n) {
        const struct tr_source_summary *k = &sum->sources[source];
        own.first_ns = k->first_ts;
        own.last_ns = k->last_end;
        own.n_events = k->n_events;
        own.n_steps = k->n_steps;
        own.n_repaired = tr_summary_damage(k, false);
        own.n_lost = tr_summary_damage(k, true);
    }
    tr__api_give(info, &own, sizeof own);
    return true;
}

bool tr_trace_step(const struct tr_trace *t, size_t source, size_t step, struct tr_step_info *info)
{
    const struct tr_summary *sum = t->in->summary;
    if (source >= sum->n || step >= sum->sources[source].n_steps)
        return false;
    const struct tr_step *s = &sum->sources[source].steps[step];
    struct tr_step_info own = { .number = s->number, .start = s->start, .end = s->end };
    tr__api_give(info, &own, sizeof own);
    return true;
}

size_t tr_batch_count(const struct tr_batch *b)
{
    return b->n;
}

const struct tr_dict *tr_batch_dict(const struct tr_batch *b)
{
    return b->dict;
}

#define COLUMN(type, function, member)               \
    const type *function(const struct tr_batch *b)   \
    {                                                \
        return b->member;                            \
    }
COLUMN(int64_t, tr_batch_ts, ts)
COLUMN(int64_t, tr_batch_dur, dur)
COLUMN(uint64_t, tr_batch_record, record)
COLUMN(uint32_t, tr_batch_track, track)
COLUMN(uint32_t, tr_batch_name, name)
COLUMN(uint32_t, tr_batch_category, cat)
COLUMN(uint8_t, tr_batch_phase, phase)
COLUMN(uint8_t, tr_batch_activity, activity)
COLUMN(uint8_t, tr_batch_kind, kind)
COLUMN(uint8_t, tr_batch_suspect, suspect)

bool tr_activity_is_work(unsigned activity)
{
    return tr_is_device_work(activity);
}

/* ---- fields that not every event has ---- */

/* The columns of a field: *n of them.  False: there is no such field, or it is not a column. */
static bool find_columns(const struct tr_batch *b, const char *field, uint32_t *columns, size_t *n)
{
    struct tr_projection want = { .fixed = 0 };
    const char *key;
    if (!tr__field_columns(field, &want, &key))
        return false;
    if (key) {
        *n = tr_dict_find_columns(b->dict, TR_PLACE_ARGS, key, columns, TR_N_TYPES);
        return true;
    }
    *n = 1;
    for (uint32_t c = 0; c < TR_N_DERIVED; c++)
        if (want.derived == 1u << c) {
            columns[0] = c;
            return true;
        }
    return false;
}

static enum tr_status no_field(const char *field, struct tr_error *err)
{
    return tr_fail(err, TR_USAGE, "'%.80s' is neither a member of args nor a derived field (see tr-stream(5))", field);
}

static bool is_whole(unsigned type)
{
    return type == TR_T_INT || type == TR_T_QUOTED;
}

enum tr_status tr_batch_int(const struct tr_batch *b, const char *field, int64_t *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = TR_I64_NONE;
    int64_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        if (!is_whole(b->dict->columns[columns[k]].type))
            continue;
        tr_batch_expand_i64(b, columns[k], TR_I64_NONE, one);
        for (size_t i = 0; i < b->n; i++)
            out[i] = one[i] != TR_I64_NONE ? one[i] : out[i];
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

double tr__as_real(unsigned type, int64_t value)
{
    double real;
    switch (type) {
    case TR_T_DOUBLE:
        memcpy(&real, &value, sizeof real);
        return real;
    case TR_T_DECIMAL:
        return tr_decimal_double(value);
    case TR_T_UINT:
        return (double)(uint64_t)value;
    default:
        return (double)value;
    }
}

enum tr_status tr_batch_real(const struct tr_batch *b, const char *field, double *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = NAN;
    int64_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        unsigned type = b->dict->columns[columns[k]].type;
        if (tr_type_is_string(type) || columns[k] >= b->n_cols || !b->cols[columns[k]].n)
            continue;
        tr_batch_expand_i64(b, columns[k], 0, one);
        for (size_t i = 0; i < b->n; i++)
            if (tr_batch_has(b, i, columns[k]))
                out[i] = tr__as_real(type, one[i]);
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_batch_text(const struct tr_batch *b, const char *field, uint32_t *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = TR_NO_STR;
    uint32_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        if (!tr_type_is_string(b->dict->columns[columns[k]].type))
            continue;
        tr_batch_expand_str(b, columns[k], one);
        for (size_t i = 0; i < b->n; i++)
            out[i] = one[i] != TR_NO_STR ? one[i] : out[i];
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

/* ---- the meaning of numbers ---- */

const char *tr_dict_string(const struct tr_dict *d, uint32_t string, size_t *len)
{
    struct tr_str text = { NULL, 0 };
    if (string < tr_strtab_count(d->strings))
        text = tr_dict_text(d, string);
    if (len)
        *len = text.len;
    return text.s;
}

size_t tr_dict_string_count(const struct tr_dict *d)
{
    return tr_strtab_count(d->strings);
}

size_t tr_dict_track_count(const struct tr_dict *d)
{
    return d->n_tracks;
}

bool tr_dict_track(const struct tr_dict *d, uint32_t track, struct tr_track_info *info)
{
    if (track >= d->n_tracks)
        return false;
    const struct tr_track *t = &d->tracks[track];
    struct tr_track_info own = { .source = t->source,
                                 .side = (enum tr_side)t->side,
                                 .rank = t->source < d->n_sources ? d->sources[t->source].rank : -1,
                                 .pid = t->pid_type == TR_T_INT ? t->pid : TR_I64_NONE,
                                 .tid = t->tid_type == TR_T_INT ? t->tid : TR_I64_NONE,
                                 .device = t->device,
                                 .context = t->context,
                                 .stream = t->stream,
                                 .process = tr_dict_string(d, t->process_name, NULL),
                                 .thread = tr_dict_string(d, t->thread_name, NULL) };
    tr__api_give(info, &own, sizeof own);
    return true;
}
