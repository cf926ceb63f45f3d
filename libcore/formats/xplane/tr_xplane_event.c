/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: events.
 *
 * What is device work?  On GPUs the events of streams, on TPUs the events of the line "XLA Ops".  A viewer or a
 * profiler derived the other lines of a device from these (steps, modules, operations, name scopes, source).  Their
 * events become annotations, so that no time counts twice.
 */
#include "formats/xplane/tr_xplane_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "io/tr_unpack.h"

#include <stdio.h>

enum { EVENT_META = 1, EVENT_OFFSET = 2, EVENT_DURATION = 3, EVENT_STAT = 4, EVENT_OCCURRENCES = 5 };

#define MAX_UNPACKED ((size_t)1 << 20)

/* An event, and the data in its stats. */
struct event {
    struct tr__xplane *plane;
    const struct tr__xplane_line *line;
    struct tr__xplane_meta *meta; /* NULL: not in the file */
    uint64_t meta_number;
    int64_t ts, dur;              /* ns */
    unsigned ts_ps, dur_ps;
    bool timed;
    struct tr__proto stats; /* the event; its stats are among the fields */
    uint64_t mark;          /* its number, from 1 */
    bool correlated, is_kernel, is_copy, is_fill, is_step;
    bool named_op; /* hlo_op is the name of the event, not a stat */
    uint64_t correlation;
    int64_t step, program;
    struct tr_str hlo_op, hlo_module;
};

static bool begins(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && memcmp(s.s, with, n) == 0;
}

static bool begins_in_any_case(struct tr_str s, const char *with)
{
    size_t n = 0;
    while (with[n] && n < s.len && (s.s[n] | 0x20) == with[n])
        n++;
    return !with[n];
}

static bool is(struct tr_str s, const char *what)
{
    return s.len == strlen(what) && memcmp(s.s, what, s.len) == 0;
}

/* ---- times ---- */

/* Picoseconds after a time in ns.  False: beyond 64 bits. */
static bool add_ps(int64_t ns, int64_t ps, int64_t *to, unsigned *rest)
{
    int64_t whole = ps / 1000, left = ps % 1000;
    if (left < 0) {
        left += 1000;
        whole--;
    }
    if (whole > 0 ? ns > INT64_MAX - whole : ns < INT64_MIN + 1 - whole)
        return false;
    *to = ns + whole;
    *rest = (unsigned)left;
    return true;
}

/* False: it cannot be read. */
static bool read_event(struct tr__proto m, struct event *e)
{
    int64_t offset = 0, dur = 0;
    uint64_t meta = 0;
    bool aggregated = false;
    e->stats = m;
    while (tr__proto_next(&m)) {
        if (m.wire != TR__WIRE_VARINT)
            continue;
        if (m.field == EVENT_META)
            meta = m.v;
        else if (m.field == EVENT_OFFSET)
            offset = tr__proto_int(&m);
        else if (m.field == EVENT_DURATION)
            dur = tr__proto_int(&m);
        else if (m.field == EVENT_OCCURRENCES)
            aggregated = true;
    }
    uint32_t at = tr__numbers_get(&e->plane->meta_of, meta);
    e->meta_number = meta;
    e->meta = at == UINT32_MAX ? NULL : &e->plane->metas[at];
    e->timed = !aggregated;
    return !m.bad && dur >= 0 && add_ps(e->line->start_ns, offset, &e->ts, &e->ts_ps) &&
           add_ps(0, dur, &e->dur, &e->dur_ps);
}

bool tr__xplane_runs_aside(const struct tr__xplane_reader *r, const struct tr__xplane_line *line)
{
    return r->planes[r->n_planes - 1].kind == TR__PLANE_TPU && is(tr__xplane_str(r, line->name), "Async XLA Ops");
}

bool tr__xplane_begun(struct tr__xplane_reader *r, struct tr__proto event)
{
    while (tr__proto_next(&event))
        if (tr__proto_is(&event, EVENT_META, TR__WIRE_VARINT))
            return tr__numbers_set(&r->planes[r->n_planes - 1].begun, event.v, 0) || tr__xplane_no_memory(r);
    return true;
}

/* ---- stats ---- */

/* A number, or a text that is a number. */
static bool number_of(struct tr__xplane_reader *r, const struct tr__xplane_value *v, int64_t *n)
{
    struct tr_str text = v->field == STAT_TEXT && v->value.len
                             ? (struct tr_str){ (const char *)v->value.data, v->value.len }
                             : tr__xplane_str(r, v->field == STAT_REF ? v->ref : TR_NO_STR);
    if (v->field == STAT_UINT || v->field == STAT_INT) {
        *n = tr__proto_int(&v->value);
        return true;
    }
    *n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!tr_num_is_digit(text.s[i]) || i > 17)
            return false;
        *n = 10 * *n + (text.s[i] - '0');
    }
    return text.len > 0;
}

static struct tr_str text_of(const struct tr__xplane_reader *r, const struct tr__xplane_value *v)
{
    if (v->field == STAT_TEXT && v->value.len)
        return (struct tr_str){ (const char *)v->value.data, v->value.len };
    return tr__xplane_str(r, v->field == STAT_REF ? v->ref : TR_NO_STR);
}

/* Take what a stat says about the event; it also becomes an arg. */
static void learn(struct tr__xplane_reader *r, struct event *e, const struct tr__xplane_value *v)
{
    int64_t n = 0;
    switch (v->stat->use) {
    case TR__STAT_CORRELATION:
        e->correlated = number_of(r, v, &n) && n != 0; /* 0 means none */
        e->correlation = (uint64_t)n;
        break;
    case TR__STAT_STEP:
        e->is_step = number_of(r, v, &e->step);
        break;
    case TR__STAT_PROGRAM:
        (void)(number_of(r, v, &n) && (e->program = n));
        break;
    case TR__STAT_KERNEL:
        e->is_kernel = true;
        break;
    case TR__STAT_COPY:
        e->is_copy = true;
        break;
    case TR__STAT_FILL:
        e->is_fill = true;
        break;
    case TR__STAT_HLO_OP:
        e->hlo_op = text_of(r, v);
        break;
    case TR__STAT_HLO_MODULE:
        e->hlo_module = text_of(r, v);
        break;
    default:
        break;
    }
}

/* The next stat of an event (field EVENT_STAT) or of its metadata.  False: there is none. */
static bool next_stat(struct tr__xplane_reader *r, const struct event *e, struct tr__proto *m, bool own,
                      struct tr__xplane_value *v)
{
    while (tr__proto_next(m)) {
        if (m->wire != TR__WIRE_BYTES || (own && m->field != EVENT_STAT))
            continue;
        if (!tr__xplane_value(e->plane, tr__proto_inner(m), v))
            tr__xplane_damaged(r, TR__BAD_STAT);
        else if (!v->stat)
            tr__xplane_damaged(r, TR__LOST_NAME);
        else if (v->field)
            return true;
    }
    return false;
}

static struct tr__proto stats_of_kind(const struct tr__xplane_reader *r, const struct event *e)
{
    return e->meta && e->meta->n_stats
               ? tr__proto_of(r->blob.data + e->meta->stats, e->meta->n_stats)
               : tr__proto_of(NULL, 0);
}

/* Stats of the event, then those of its kind that it does not have itself.  False: out of memory. */
static bool gather(struct tr__xplane_reader *r, struct event *e)
{
    struct tr__xplane_value v;
    r->n_values = 0;
    for (unsigned own = 2; own-- > 0;) {
        struct tr__proto m = own ? e->stats : stats_of_kind(r, e);
        while (m.p && next_stat(r, e, &m, own, &v)) {
            if (v.stat->told == e->mark)
                continue;
            v.stat->told = e->mark;
            if (!tr_grow(&r->values, &r->cap_values, r->n_values + 1, sizeof *r->values))
                return tr__xplane_no_memory(r);
            r->values[r->n_values++] = v;
            if (v.stat->use != TR__STAT_ARG)
                learn(r, e, &v);
        }
    }
    return true;
}

/* ---- args ---- */

static void tell_text(struct tr__xplane_reader *r, const char *text, size_t n)
{
    if (!tr_utf8_valid(text, n)) {
        tr_ingest_damaged(r->g, TR_CAUSE_BAD_UTF8, tr__window_offset(&r->w));
        r->text.len = 0;
        if (!tr_utf8_add(&r->text, text, n))
            return;
        text = (const char *)r->text.data;
        n = r->text.len;
    }
    tr_ingest_arg_text(r->g, NULL, n ? text : "", n);
}

static void tell_compressed(struct tr__xplane_reader *r, const struct tr__proto *m)
{
    struct tr_error why = TR_ERROR_INIT;
    r->text2.len = 0;
    if (tr_unpack(m->data, m->len, MAX_UNPACKED, &r->text2, &why) != TR_OK)
        tr__xplane_damaged(r, TR__BAD_STAT);
    tell_text(r, (const char *)r->text2.data, r->text2.len);
}

static void tell_arg(struct tr__xplane_reader *r, const struct tr__xplane_value *v)
{
    char text[40];
    int n;
    if (v->field == STAT_REF && v->ref == TR_NO_STR) {
        tr__xplane_damaged(r, TR__LOST_NAME);
        return;
    }
    tr_ingest_key(r->g, tr__xplane_number(r, v->stat->name, &v->stat->number));
    switch (v->field) {
    case STAT_DOUBLE:
        tr_ingest_arg_real(r->g, NULL, tr__proto_real(&v->value));
        break;
    case STAT_UINT:
        tr_ingest_arg_uint(r->g, NULL, v->value.v);
        break;
    case STAT_INT:
        tr_ingest_arg_int(r->g, NULL, tr__proto_int(&v->value));
        break;
    case STAT_TEXT:
        tell_text(r, (const char *)v->value.data, v->value.len);
        break;
    case STAT_BYTES: /* in a form that only its writer knows */
        n = snprintf(text, sizeof text, "%zu bytes", v->value.len);
        tr_ingest_arg_text(r->g, NULL, text, (size_t)n);
        break;
    case STAT_COMPRESSED:
        tell_compressed(r, &v->value);
        break;
    default:
        tr_ingest_arg_number(r->g, NULL, tr__xplane_number(r, v->ref, &v->ref_stat->number));
    }
}

/* The value after "grid:" in " grid:16,1,1 block:512,1,1 ...". */
static struct tr_str detail(struct tr_str s, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = s.s, *end = s.s + s.len, *next; at < end; at = next < end ? next + 1 : end) {
        next = memchr(at, ' ', (size_t)(end - at));
        next = next ? next : end;
        if ((size_t)(next - at) > n + 1 && memcmp(at, key, n) == 0 && at[n] == ':')
            return (struct tr_str){ at + n + 1, (size_t)(next - at) - n - 1 };
    }
    return (struct tr_str){ NULL, 0 };
}

/* At most three whole numbers in the form of JSON, with commas between. */
static bool is_numbers(struct tr_str s)
{
    size_t at = 0;
    for (unsigned k = 0; k < 3; k++) {
        size_t from = at;
        while (at < s.len && tr_num_is_digit(s.s[at]))
            at++;
        if (at == from || at - from > 18 || (s.s[from] == '0' && at - from > 1))
            return false;
        if (at == s.len)
            return true;
        if (s.s[at++] != ',')
            return false;
    }
    return false;
}

/* Pass on the members of a text of details, with the names of Kineto. */
static void tell_details(struct tr__xplane_reader *r, struct tr_str s, uint8_t use)
{
    static const struct {
        uint8_t use;
        bool list;
        const char *of, *as;
    } members[] = {
        { TR__STAT_KERNEL, true, "grid", "grid" },
        { TR__STAT_KERNEL, true, "block", "block" },
        { TR__STAT_KERNEL, false, "regs", "registers per thread" },
        { TR__STAT_COPY, false, "size", "bytes" },
        { TR__STAT_FILL, false, "num_bytes", "bytes" },
    };
    char text[64];
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct tr_str v = members[i].use == use ? detail(s, members[i].of) : (struct tr_str){ NULL, 0 };
        int64_t n = 0;
        if (!is_numbers(v))
            continue;
        if (members[i].list) {
            text[0] = '[';
            memcpy(text + 1, v.s, v.len); /* is_numbers: at most 56 bytes */
            text[1 + v.len] = ']';
            tr_ingest_arg_json(r->g, members[i].as, text, v.len + 2);
        } else if (!memchr(v.s, ',', v.len)) {
            for (size_t k = 0; k < v.len; k++)
                n = 10 * n + (v.s[k] - '0');
            tr_ingest_arg_int(r->g, members[i].as, n);
        }
    }
}

/* The number of participants in the first group of a list: "[[0,1],[2,3]]". */
static int64_t group_size(struct tr_str sets)
{
    int64_t n = 1;
    size_t i = 0;
    for (; i < sets.len && sets.s[i] != ']'; i++)
        n += sets.s[i] == ',';
    return i > 2 ? n : -1;
}

/* Pass on which collective the event is part of, with the names of Kineto. */
static void tell_collective(struct tr__xplane_reader *r, const struct event *e, const struct tr__hlo_instruction *i)
{
    struct tr_str name = tr__xplane_str(r, i->collective), sets = tr__xplane_str(r, i->sets);
    struct tr_str element = tr__xplane_str(r, i->element);
    bool begins_only = e->meta && tr__numbers_get(&e->plane->begun, e->meta_number) != UINT32_MAX &&
                       is(tr__xplane_str(r, e->line->name), "XLA Ops");
    if (begins_only || is(name, "wait")) { /* the event on the line of asynchronous operations stands for it */
        tr_ingest_arg_text(r->g, "Collective name", "wait", 4);
        return;
    }
    int64_t n = group_size(sets), in = i->elements, out = in;
    if (is(name, "all-gather"))
        out = n < 0 || in < 0 || in > INT64_MAX / n ? -1 : in * n;
    else if (is(name, "reduce-scatter"))
        out = n < 0 || in < 0 ? -1 : in / n;
    tr_ingest_arg_text(r->g, "Collective name", name.s, name.len);
    if (element.s)
        tr_ingest_arg_text(r->g, "dtype", element.s, element.len);
    if (in >= 0)
        tr_ingest_arg_int(r->g, "In msg nelems", in);
    if (out >= 0)
        tr_ingest_arg_int(r->g, "Out msg nelems", out);
    if (!sets.s)
        return;
    tr_ingest_arg_json(r->g, "Device groups", sets.s, sets.len);
    if (e->plane->chip >= 0)
        tr_ingest_arg_int(r->g, "Global device", e->plane->chip);
    else
        tr_ingest_arg_int(r->g, "Devices per rank", r->n_devices);
}

/* Where the number of a string is kept; NULL: out of memory. */
static uint32_t *number_place(struct tr__xplane_reader *r, uint32_t string, bool json)
{
    size_t n = r->n_numbers[json], want = (size_t)string + 1;
    if (want > n) {
        if (!tr_grow(&r->numbers[json], &r->cap_numbers[json], want, sizeof *r->numbers[json]))
            return NULL;
        memset(r->numbers[json] + n, 0, (want - n) * sizeof *r->numbers[json]);
        r->n_numbers[json] = want;
    }
    return &r->numbers[json][string];
}

/* Pass on a string as an arg; its number and that of the key are looked up once.  False: out of memory. */
static bool tell_string(struct tr__xplane_reader *r, uint32_t *key, const char *name, uint32_t string, bool json)
{
    uint32_t *number = number_place(r, string, json);
    struct tr_str s = tr__xplane_str(r, string);
    if (!number)
        return tr__xplane_no_memory(r);
    if (!*key)
        *key = tr_ingest_text(r->g, name, strlen(name)) + 1;
    if (!*number)
        *number = (json ? tr_ingest_json(r->g, s.s, s.len) : tr_ingest_text(r->g, s.s, s.len)) + 1;
    tr_ingest_key(r->g, *key - 1);
    if (json)
        tr_ingest_arg_json_number(r->g, NULL, *number - 1);
    else
        tr_ingest_arg_number(r->g, NULL, *number - 1);
    return true;
}

/* Pass on the XLA instruction that the event is part of. */
static bool tell_instruction(struct tr__xplane_reader *r, const struct event *e)
{
    const struct tr__hlo_instruction *i =
        e->hlo_op.s ? tr__hlo_find(r, e->program, e->hlo_module, e->hlo_op) : NULL;
    if (!i)
        return true;
    static const struct {
        const char *key;
        bool json;
    } keys[TR__HLO_N_ARGS] = {
        { "hlo_opcode", false },  { "op_name", false },    { "Input Dims", true },
        { "Input type", true },   { "Output Dims", true }, { "Output type", false },
        { "replica_groups", true }, { "hlo_operation", false }, { "Concrete Inputs", true },
    };
    const uint32_t texts[TR__HLO_N_ARGS] = { i->opcode, i->op_name, i->in_dims, i->in_types,  i->dims,
                                             i->type,   i->groups,  i->operation, i->values };
    for (size_t k = 0; k < TR__HLO_N_ARGS; k++)
        if (texts[k] != TR_NO_STR && !tell_string(r, &r->keys[k], keys[k].key, texts[k], keys[k].json))
            return false;
    if (i->collective != TR_NO_STR && tr__xplane_on_device(e->plane))
        tell_collective(r, e, i);
    return true;
}

static bool tell_args(struct tr__xplane_reader *r, const struct event *e)
{
    struct tr_str details = { NULL, 0 };
    uint8_t use = TR__STAT_ARG;
    if (e->meta && e->meta->whole != TR_NO_STR) {
        struct tr_str whole = tr__xplane_str(r, e->meta->whole);
        tr_ingest_arg_text(r->g, "long_name", whole.s, whole.len);
    }
    for (size_t i = 0; i < r->n_values; i++) {
        const struct tr__xplane_value *v = &r->values[i];
        tell_arg(r, v);
        if (v->stat->use == TR__STAT_KERNEL || v->stat->use == TR__STAT_COPY || v->stat->use == TR__STAT_FILL) {
            details = text_of(r, v);
            use = v->stat->use;
        }
    }
    if (details.s)
        tell_details(r, details, use);
    if (e->named_op)
        tr_ingest_arg_text(r->g, "hlo_op", e->hlo_op.s, e->hlo_op.len);
    return tell_instruction(r, e);
}

/* ---- where it ran ---- */

/* The number in "Stream #17(Kernel)"; TR_I64_NONE: it is not a stream. */
static int64_t stream_of(struct tr_str line)
{
    static const char begin[] = "Stream #";
    int64_t v = 0;
    size_t n = sizeof begin - 1;
    if (!begins(line, begin) || n == line.len || !tr_num_is_digit(line.s[n]))
        return TR_I64_NONE;
    for (; n < line.len && tr_num_is_digit(line.s[n]) && v < INT64_MAX / 20; n++)
        v = 10 * v + (line.s[n] - '0');
    return v;
}

static bool is_step_line(struct tr_str line)
{
    return is(line, "Steps") || is(line, "Sparse Core Steps");
}

/* Does a line of a device have device work? */
static bool ran(const struct tr__xplane *p, struct tr_str line)
{
    if (p->kind == TR__PLANE_GPU)
        return begins(line, "Stream #");
    return is(line, "XLA Ops") || is(line, "Async XLA Ops") || is(line, "Sparse Core Ops");
}

static struct tr_ingest_track track_of(struct tr__xplane_reader *r, struct tr__xplane *p,
                                       const struct tr__xplane_line *line)
{
    struct tr_ingest_track t = TR_INGEST_TRACK_INIT;
    struct tr_str name = tr__xplane_str(r, p->name), of = tr__xplane_str(r, line->name);
    if (name.s) {
        t.pid_text = name.s;
        t.pid_len = name.len;
        t.pid_number = tr__xplane_number(r, p->name, &p->number) + 1;
    }
    t.tid = line->id;
    if (tr__xplane_on_device(p)) {
        t.side = TR_SIDE_DEVICE;
        t.device = p->device;
        t.stream = p->kind == TR__PLANE_GPU ? stream_of(of) : ran(p, of) ? line->id : TR_I64_NONE;
    }
    return t;
}

void tr__xplane_name_line(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line)
{
    struct tr_str plane = tr__xplane_str(r, p->name), name = tr__xplane_str(r, line->name);
    struct tr_ingest_track t = track_of(r, p, line);
    if (!name.s || !name.len)
        name = tr__xplane_str(r, line->display);
    if (plane.s)
        tr_ingest_process_of(r->g, &t, plane.s, plane.len, TR_I64_NONE);
    if (name.s && name.len)
        tr_ingest_thread_of(r->g, &t, name.s, name.len, TR_I64_NONE);
}

/* ---- the activity ---- */

static enum tr_activity device_activity(const struct event *e, struct tr_str name)
{
    if (e->is_kernel)
        return TR_ACT_KERNEL;
    if (e->is_fill || begins_in_any_case(name, "memset"))
        return TR_ACT_MEMSET;
    if (e->is_copy || begins_in_any_case(name, "memcpy") || begins_in_any_case(name, "copy"))
        return TR_ACT_MEMCPY;
    return TR_ACT_KERNEL;
}

static enum tr_activity host_activity(const struct event *e, struct tr_str name)
{
    if (name.len && name.s[0] == '$') /* the Python tracer marks its frames so */
        return TR_ACT_PYTHON;
    if (begins(name, "cuda") || begins(name, "hip"))
        return TR_ACT_RUNTIME_API;
    if (e->correlated || (begins(name, "cu") && name.len > 2 && name.s[2] >= 'A' && name.s[2] <= 'Z'))
        return TR_ACT_DRIVER_API;
    return e->hlo_op.s ? TR_ACT_CPU_OP : TR_ACT_ANNOTATION;
}

static enum tr_activity activity_of(struct tr__xplane_reader *r, const struct event *e, struct tr_str name)
{
    if (e->plane->kind == TR__PLANE_HOST)
        return host_activity(e, name);
    if (!tr__xplane_on_device(e->plane))
        return TR_ACT_OTHER;
    return ran(e->plane, tr__xplane_str(r, e->line->name)) ? device_activity(e, name) : TR_ACT_DEVICE_ANNOTATION;
}

/* Steps come from the marks of the host, else from the first device with a line of steps. */
static bool is_step(struct tr__xplane_reader *r, struct event *e, struct tr_str name)
{
    size_t place = (size_t)(e->plane - r->planes) + 1;
    if (r->has_steps)
        return e->is_step && e->plane->kind == TR__PLANE_HOST;
    if (!tr__xplane_on_device(e->plane) || !is_step_line(tr__xplane_str(r, e->line->name)) || !name.len ||
        name.len > 18)
        return false;
    e->step = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!tr_num_is_digit(name.s[i]))
            return false;
        e->step = 10 * e->step + (name.s[i] - '0');
    }
    if (!r->step_plane)
        r->step_plane = place;
    return r->step_plane == place;
}

/* The operation of XLA in the name of a TPU's event: "fusion.7", or "%fusion.7 = bf16[8,128] fusion()". */
static struct tr_str instruction_in(struct tr_str name)
{
    size_t n = 0;
    if (!name.len || name.s[0] != '%')
        return name.len ? name : (struct tr_str){ NULL, 0 };
    while (n < name.len && name.s[n] != ' ')
        n++;
    return (struct tr_str){ name.s + 1, n - 1 };
}

enum tr_status tr__xplane_event(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                                struct tr__proto event)
{
    struct event e = { .plane = p, .line = line, .program = TR_I64_NONE };
    if (!read_event(event, &e))
        return TR_END;
    e.mark = ++r->n_events;
    if (!gather(r, &e))
        return TR_SYSTEM;
    struct tr_str name = e.meta ? tr__xplane_str(r, e.meta->name) : (struct tr_str){ NULL, 0 };
    if (p->kind == TR__PLANE_TPU && !e.hlo_op.s && ran(p, tr__xplane_str(r, line->name))) {
        e.hlo_op = instruction_in(name);
        e.named_op = e.hlo_op.s != NULL;
    }
    struct tr_ingest_track track = track_of(r, p, line);
    enum tr_activity activity = activity_of(r, &e, name);
    bool work = activity == TR_ACT_KERNEL || activity == TR_ACT_MEMCPY || activity == TR_ACT_MEMSET;
    tr_ingest_begin(r->g, e.timed ? TR_SPAN : TR_META, e.timed ? e.ts : TR_TIME_NONE, e.timed ? e.dur : TR_TIME_NONE);
    if (e.timed)
        tr_ingest_picoseconds(r->g, e.ts_ps, e.dur_ps);
    tr_ingest_record(r->g, e.mark - 1);
    if (!e.meta)
        tr__xplane_damaged(r, TR__LOST_NAME);
    else if (name.s)
        tr_ingest_name_number(r->g, tr__xplane_number(r, e.meta->name, &e.meta->number));
    tr_ingest_activity(r->g, activity);
    tr_ingest_track(r->g, &track);
    if (e.correlated && (work || p->kind == TR__PLANE_HOST))
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, (int64_t)e.correlation);
    if (is_step(r, &e, name))
        tr_ingest_step(r->g, e.step);
    if (!tell_args(r, &e))
        return TR_SYSTEM;
    if (work && p->kind == TR__PLANE_GPU && activity == TR_ACT_KERNEL) {
        r->n_work++;
        r->n_with_op += e.hlo_op.s != NULL;
    }
    return tr_ingest_end(r->g, r->err);
}
