/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: events.
 *
 * What is device work?  On GPUs the events of streams, on TPUs the events of the line "XLA Ops".  A viewer or a
 * profiler derived the other lines of a device from these (steps, modules, operations, name scopes, source).  Their
 * events become annotations, so that no time counts twice.
 */
#include "formats/xplane/tr_xplane_event_int.h"

#include "base/tr_num.h"
#include "vendor/tr_xla.h"

/* ---- reading ---- */

/* A field of an event that is not written in the usual way.  False: its time cannot be read. */
static bool take_field(struct tr__xplane_event *e, const struct tr__proto *m, uint64_t *numbers, bool *aggregated)
{
    bool number = m->field >= EVENT_META && m->field <= EVENT_OCCURRENCES && m->field != EVENT_STAT;
    if (number && m->wire == TR__WIRE_VARINT) { /* its key has a longer form */
        numbers[m->field] = m->v;
        *aggregated |= m->field == EVENT_OCCURRENCES;
        return true;
    }
    if (!tr__proto_is(m, EVENT_STAT, TR__WIRE_BYTES))
        e->doubts |= m->field <= EVENT_OCCURRENCES ? TR__DOUBT_PART : TR__DOUBT_FIELD;
    return m->field != EVENT_OFFSET && m->field != EVENT_DURATION;
}

/* False: it cannot be read. */
static bool read_event(struct tr__proto m, struct tr__xplane_event *e)
{
    uint64_t numbers[EVENT_OCCURRENCES + 1] = { 0 };
    bool aggregated = false;
    const unsigned char *p = m.p, *end = m.end;
    bool whole = true;
    e->stats = m;
    while (whole && p < end) {
        struct tr__proto stat;
        switch (*p++) { /* most fields are these */
        case TR__PROTO_KEY(EVENT_META, TR__WIRE_VARINT):
            whole = tr__proto_take(&p, end, &numbers[EVENT_META]);
            break;
        case TR__PROTO_KEY(EVENT_OFFSET, TR__WIRE_VARINT):
            whole = tr__proto_take(&p, end, &numbers[EVENT_OFFSET]);
            break;
        case TR__PROTO_KEY(EVENT_DURATION, TR__WIRE_VARINT):
            whole = tr__proto_take(&p, end, &numbers[EVENT_DURATION]);
            break;
        case TR__PROTO_KEY(EVENT_STAT, TR__WIRE_BYTES):
            whole = tr__proto_take_bytes(&p, end, &stat.data, &stat.len);
            break;
        default:
            m = tr__proto_of(p - 1, (size_t)(end - p) + 1);
            whole = tr__proto_next(&m) && take_field(e, &m, numbers, &aggregated);
            p = m.p;
        }
    }
    uint32_t at = tr__numbers_get(&e->plane->meta_of, numbers[EVENT_META]);
    e->meta_number = numbers[EVENT_META];
    e->meta = at == UINT32_MAX ? NULL : &e->plane->metas[at];
    e->timed = !aggregated;
    return whole &&
           tr__xplane_times(e->line, (int64_t)numbers[EVENT_OFFSET], (int64_t)numbers[EVENT_DURATION], &e->when);
}

bool tr__xplane_runs_aside(const struct tr__xplane_reader *r, const struct tr__xplane_line *line)
{
    return r->planes[r->n_planes - 1].kind == TR__PLANE_TPU &&
           tr_str_is(tr__xplane_str(r, line->name), "Async XLA Ops");
}

bool tr__xplane_started(struct tr__xplane_reader *r, struct tr__proto event)
{
    while (tr__proto_next(&event))
        if (tr__proto_is(&event, EVENT_META, TR__WIRE_VARINT))
            return tr__numbers_set(&r->planes[r->n_planes - 1].started, event.v, 0) || tr__xplane_no_memory(r);
    return true;
}

/* ---- stats ---- */

/* A whole number of at most 18 digits. */
static bool is_number(struct tr_str name, int64_t *n)
{
    *n = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!tr_num_is_digit(name.s[i]) || i > 17)
            return false;
        *n = 10 * *n + (name.s[i] - '0');
    }
    return name.len > 0;
}

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
    return is_number(text, n);
}

/* Take what a stat says about the event; it also becomes an arg. */
static void learn(struct tr__xplane_reader *r, struct tr__xplane_event *e, const struct tr__xplane_value *v)
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
    case TR__STAT_MEMSET:
        e->is_memset = true;
        break;
    case TR__STAT_MADE:
    case TR__STAT_TAKEN:
        if (number_of(r, v, &n))
            *(v->stat->use == TR__STAT_MADE ? &e->flow.made : &e->flow.taken) = (uint64_t)n;
        *(v->stat->use == TR__STAT_MADE ? &e->flow.has_made : &e->flow.has_taken) = true;
        break;
    case TR__STAT_MADE_TYPE:
    case TR__STAT_TAKEN_TYPE:
        if (number_of(r, v, &n))
            *(v->stat->use == TR__STAT_MADE_TYPE ? &e->flow.made_type : &e->flow.taken_type) = (uint64_t)n;
        break;
    case TR__STAT_FLOW:
        e->flow.flow = number_of(r, v, &n) ? (uint64_t)n : 0;
        break;
    case TR__STAT_HLO_OP:
        e->hlo_op = tr__xplane_text(r, v);
        break;
    case TR__STAT_HLO_MODULE:
        e->hlo_module = tr__xplane_text(r, v);
        break;
    default:
        break;
    }
}

/* The next stat of an event (field EVENT_STAT) or of its metadata.  False: there is none. */
static bool next_stat(struct tr__xplane_reader *r, const struct tr__xplane_event *e, struct tr__proto *m, bool own,
                      struct tr__xplane_value *v)
{
    while (tr__proto_next(m)) {
        if (m->wire != TR__WIRE_BYTES || (own && m->field != EVENT_STAT))
            continue;
        unsigned doubts = tr__xplane_value(e->plane, tr__proto_inner(m), v);
        if (own && doubts & TR__DOUBT_FIELD) /* else it is counted once, with the kind */
            tr__xplane_damaged(r, TR__UNKNOWN_FIELD);
        if (doubts & TR__DOUBT_PART)
            tr__xplane_damaged(r, TR__BAD_STAT);
        else if (!v->stat)
            tr__xplane_damaged(r, TR__LOST_NAME);
        else if (v->field)
            return true;
    }
    return false;
}

static struct tr__proto stats_of_kind(const struct tr__xplane_reader *r, const struct tr__xplane_event *e)
{
    return e->meta && e->meta->n_stats
               ? tr__proto_of(r->blob.data + e->meta->stats, e->meta->n_stats)
               : tr__proto_of(NULL, 0);
}

/* Stats of the event, then those of its kind that it does not have itself.  False: out of memory. */
static bool gather(struct tr__xplane_reader *r, struct tr__xplane_event *e)
{
    struct tr__xplane_value v;
    r->n_values = 0;
    for (unsigned own = 2; own-- > 0;) {
        struct tr__proto m = own ? e->stats : stats_of_kind(r, e);
        while (m.p && next_stat(r, e, &m, own, &v)) {
            if (v.stat->last_event == e->mark)
                continue;
            v.stat->last_event = e->mark;
            if (!tr_grow(&r->values, &r->cap_values, r->n_values + 1, sizeof *r->values))
                return tr__xplane_no_memory(r);
            r->values[r->n_values++] = v;
            if (v.stat->use != TR__STAT_ARG)
                learn(r, e, &v);
        }
        if (own)
            r->n_own_values = r->n_values;
    }
    return true;
}

/* ---- the activity ---- */

static enum tr_activity device_activity(const struct tr__xplane_event *e, struct tr_str name)
{
    const enum tr_activity by_name = tr_xla_device_activity(name);
    if (e->is_kernel)
        return TR_ACT_KERNEL;
    if (e->is_memset || by_name == TR_ACT_MEMSET)
        return TR_ACT_MEMSET;
    return e->is_copy ? TR_ACT_MEMCPY : by_name;
}

static enum tr_activity activity_of(const struct tr__xplane_event *e, const struct tr__xplane_place *at,
                                    struct tr_str name)
{
    if (e->plane->kind == TR__PLANE_HOST)
        return tr_xla_host_activity(name, e->correlated, e->hlo_op.s != NULL);
    if (!tr__xplane_on_device(e->plane))
        return TR_ACT_OTHER;
    return at->ran ? device_activity(e, name) : TR_ACT_DEVICE_ANNOTATION;
}

static bool has_step_line(const struct tr__xplane_reader *r, const struct tr__xplane *p,
                          const struct tr__xplane_line *line)
{
    return tr__xplane_on_device(p) && tr_xla_is_step_line(tr__xplane_str(r, line->name));
}

static struct tr_str name_of(const struct tr__xplane_reader *r, const struct tr__xplane_event *e)
{
    return e->meta ? tr__xplane_str(r, e->meta->name) : (struct tr_str){ NULL, 0 };
}

bool tr__xplane_seeks_steps(const struct tr__xplane_reader *r, const struct tr__xplane *p,
                            const struct tr__xplane_line *line)
{
    return !r->has_steps && !r->step_plane && has_step_line(r, p, line);
}

void tr__xplane_note_steps(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                           struct tr__proto event)
{
    struct tr__xplane_event e = { .plane = p, .line = line };
    if (read_event(event, &e) && is_number(name_of(r, &e), &e.step))
        r->step_plane = (size_t)(p - r->planes) + 1;
}

/* What all events of a line have in common; it is found once. */
static const struct tr__xplane_place *place_of(struct tr__xplane_reader *r, struct tr__xplane *p,
                                               const struct tr__xplane_line *line)
{
    struct tr__xplane_place *at = &r->place;
    if (at->line == line)
        return at;
    at->track = tr__xplane_track(r, p, line);
    at->ran = tr__xplane_on_device(p) && tr__xplane_ran(p, tr__xplane_str(r, line->name));
    at->has_steps = has_step_line(r, p, line);
    at->line = at->track.pid_text && !at->track.pid_number ? NULL : line; /* NULL: its plane's name is too long */
    return at;
}

/* Steps come from the marks of the host, else from the first device with a line of steps. */
static bool is_step(struct tr__xplane_reader *r, struct tr__xplane_event *e, const struct tr__xplane_place *at,
                    struct tr_str name)
{
    size_t place = (size_t)(e->plane - r->planes) + 1;
    if (r->has_steps)
        return e->is_step && e->plane->kind == TR__PLANE_HOST;
    if (!at->has_steps || !is_number(name, &e->step))
        return false;
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

/* Pass on an event that is read in full. */
static enum tr_status emit_event(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                                 struct tr__proto event)
{
    struct tr__xplane_event e = { .plane = p, .line = line, .program = TR_I64_NONE };
    if (!read_event(event, &e))
        return TR_END;
    uint64_t n_damaged = tr__ingest_n_damaged(r->g);
    tr__ingest_stands(r->g, tr__window_offset(&r->w));
    e.mark = ++r->n_marks;
    e.record = r->n_events++;
    tr__xplane_doubted(r, e.doubts);
    if (!gather(r, &e))
        return TR_SYSTEM;
    struct tr_str name = name_of(r, &e);
    const struct tr__xplane_place *at = place_of(r, p, line);
    if (p->kind == TR__PLANE_TPU && !e.hlo_op.s && at->ran) {
        e.hlo_op = instruction_in(name);
        e.named_op = e.hlo_op.s != NULL;
    }
    enum tr_activity activity = activity_of(&e, at, name);
    bool work = activity == TR_ACT_KERNEL || activity == TR_ACT_MEMCPY || activity == TR_ACT_MEMSET;
    tr_ingest_begin(r->g, e.timed ? TR_SPAN : TR_META, e.timed ? e.when.ts : TR_TIME_NONE,
                    e.timed ? e.when.dur : TR_TIME_NONE);
    if (e.timed)
        tr_ingest_picoseconds(r->g, e.when.ts_ps, e.when.dur_ps);
    tr_ingest_record(r->g, e.record);
    if (!e.meta)
        tr__xplane_damaged(r, TR__LOST_NAME);
    else if (name.s)
        tr_ingest_name_number(r->g, tr__xplane_number(r, e.meta->name, &e.meta->number));
    tr_ingest_activity(r->g, activity);
    tr_ingest_track(r->g, &at->track);
    if (e.correlated && (work || p->kind == TR__PLANE_HOST))
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, (int64_t)e.correlation);
    if (is_step(r, &e, at, name))
        tr_ingest_step(r->g, e.step);
    if (!tr__xplane_args(r, &e))
        return TR_SYSTEM;
    bool counts = p->kind == TR__PLANE_GPU && activity == TR_ACT_KERNEL;
    r->n_work += counts;
    r->n_with_op += counts && e.hlo_op.s;
    enum tr_status st = tr_ingest_end(r->g, r->err);
    if (st == TR_OK && !at->has_steps && tr__ingest_n_damaged(r->g) == n_damaged)
        tr__xplane_keep_form(r, &e, counts);
    if (st != TR_OK || !e.timed || !tr__xplane_has_flows(&e.flow))
        return st;
    const struct tr__xplane_touched where = { p, line, e.when.ts, e.when.ts_ps, e.record };
    return tr__xplane_keep_flows(r, &e.flow, &where);
}

enum tr_status tr__xplane_event(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                                struct tr__proto event)
{
    enum tr_status st;
    return tr__xplane_from_template(r, p, line, event, &st) ? st : emit_event(r, p, line, event);
}
