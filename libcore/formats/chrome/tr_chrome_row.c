/* The event being read, whichever way its members are found, and the row of a piece that it becomes. */
#include "formats/chrome/tr_chrome_int.h"

#include "vendor/tr_vocab.h"

#include <stdlib.h>

void tr__count(struct tr__piece *piece, enum tr_cause cause, uint64_t offset)
{
    if (piece->sum.n_cause[cause]++ == 0)
        piece->sum.first_offset[cause] = offset;
}

void tr__count_defects(struct tr__piece *piece, unsigned defects, uint64_t offset)
{
    static const struct {
        unsigned bit;
        enum tr_cause cause;
    } of[] = {
        { TR_JSON_BAD_ESCAPE, TR_CAUSE_BAD_ESCAPE },
        { TR_JSON_CONTROL, TR_CAUSE_CONTROL_BYTE },
        { TR_JSON_BAD_UTF8, TR_CAUSE_BAD_UTF8 },
        { TR_JSON_LONE_SURROGATE, TR_CAUSE_LONE_SURROGATE },
        { TR_JSON_INNER_QUOTE, TR_CAUSE_INNER_QUOTE },
        { TR_JSON_NOT_A_NUMBER, TR_CAUSE_NOT_A_NUMBER },
        { TR_JSON_ODD_NUMBER, TR_CAUSE_ODD_NUMBER },
        { TR_JSON_MISSING_COMMA, TR_CAUSE_MISSING_COMMA },
        { TR_JSON_EXTRA_COMMA, TR_CAUSE_EXTRA_COMMA },
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (defects & of[i].bit)
            tr__count(piece, of[i].cause, offset);
}

/* ---- the event being read ---- */

enum tr__use tr__use_of(const struct tr__text *key, unsigned place)
{
    static const struct {
        const char *key;
        unsigned place;
        enum tr__use use;
    } uses[] = {
        { "ph", TR_PLACE_TOP, TR__USE_PH },
        { "name", TR_PLACE_TOP, TR__USE_NAME },
        { "cat", TR_PLACE_TOP, TR__USE_CAT },
        { "ts", TR_PLACE_TOP, TR__USE_TS },
        { "dur", TR_PLACE_TOP, TR__USE_DUR },
        { "pid", TR_PLACE_TOP, TR__USE_PID },
        { "tid", TR_PLACE_TOP, TR__USE_TID },
        { "device", TR_PLACE_ARGS, TR__USE_DEVICE },
        { "stream", TR_PLACE_ARGS, TR__USE_STREAM },
        { "context", TR_PLACE_ARGS, TR__USE_CONTEXT },
        { "correlation", TR_PLACE_ARGS, TR__USE_CORRELATION },
        { "name", TR_PLACE_ARGS, TR__USE_TEXT },
        { "labels", TR_PLACE_ARGS, TR__USE_TEXT },
        { "sort_index", TR_PLACE_ARGS, TR__USE_NUMBER },
    };
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (uses[i].place == place && strlen(uses[i].key) == key->len &&
            !memcmp(uses[i].key, key->text, key->len))
            return uses[i].use;
    return TR__USE_PLAIN;
}

void tr__event_clear(struct tr__event *e)
{
    e->ts = e->dur = e->device = e->stream = e->context = e->correlation = e->number = TR_TIME_NONE;
    e->pid = e->tid = 0;
    e->name = e->cat = e->text = TR_NO_STR;
    e->pid_type = e->tid_type = TR_T_NULL;
    e->ph = 0;
    e->bad_dur = false;
}

void tr__take_integer(struct tr__event *e, enum tr__use use, int64_t v)
{
    switch (use) {
    case TR__USE_PID:
        e->pid = v;
        e->pid_type = TR_T_INT;
        break;
    case TR__USE_TID:
        e->tid = v;
        e->tid_type = TR_T_INT;
        break;
    case TR__USE_DEVICE:
        e->device = v;
        break;
    case TR__USE_STREAM:
        e->stream = v;
        break;
    case TR__USE_CONTEXT:
        e->context = v;
        break;
    case TR__USE_CORRELATION:
        e->correlation = v;
        break;
    case TR__USE_NUMBER:
        e->number = v;
        break;
    default:
        break;
    }
}

void tr__take_string(const struct tr__parser *ps, struct tr__event *e, enum tr__use use, uint32_t id)
{
    const struct tr__text *t = &ps->interner.texts[id];
    switch (use) {
    case TR__USE_NAME:
        e->name = id;
        break;
    case TR__USE_CAT:
        e->cat = id;
        break;
    case TR__USE_TEXT:
        e->text = id;
        break;
    case TR__USE_PID:
        e->pid = id;
        e->pid_type = TR_T_STRING;
        break;
    case TR__USE_TID:
        e->tid = id;
        e->tid_type = TR_T_STRING;
        break;
    default:
        break;
    }
    /* a string that is a plain number means that number: a track must not depend on quotes */
    if (t->is_int)
        tr__take_integer(e, use, t->value);
}

/* ---- the row that it becomes ---- */

static bool add_launch(struct tr__parser *ps, const struct tr__event *e, const struct tr_row *row)
{
    struct tr__piece *pc = ps->piece;
    if (!tr_grow(&pc->launches, &pc->cap_launches, pc->n_launches + 1, sizeof *pc->launches))
        return false;
    pc->launches[pc->n_launches++] = (struct tr__launch){
        .correlation = e->correlation, .ts = e->ts, .dur = e->dur, .record = row->record,
        .track = row->track, .name = row->name, .interner = ps->interner_no,
    };
    return true;
}

static bool add_work(struct tr__piece *pc, const struct tr__event *e)
{
    if (!tr_grow(&pc->work, &pc->cap_work, pc->n_work + 1, sizeof *pc->work))
        return false;
    pc->work[pc->n_work++] = (struct tr__device_work){ e->correlation, e->ts };
    return true;
}

static bool add_track_name(struct tr__parser *ps, const struct tr__event *e, enum tr_vocab_name what)
{
    struct tr__piece *pc = ps->piece;
    if (!tr_grow(&pc->names, &pc->cap_names, pc->n_names + 1, sizeof *pc->names))
        return false;
    pc->names[pc->n_names++] = (struct tr__track_name){
        .what = (uint8_t)what, .pid_type = e->pid_type, .tid_type = e->tid_type,
        .has_tid = e->tid_type != TR_T_NULL, .pid = e->pid, .tid = e->tid, .text = e->text,
        .number = e->number, .interner = ps->interner_no,
    };
    return true;
}

static uint32_t find_track(struct tr__parser *ps, const struct tr__event *e, bool device)
{
    struct tr_track t;
    memset(&t, 0, sizeof t);
    t.source = ps->source;
    t.side = device ? TR_SIDE_DEVICE : TR_SIDE_HOST;
    t.pid_type = e->pid_type;
    t.tid_type = e->tid_type;
    t.pid = e->pid;
    t.tid = e->tid;
    if (t.tid_type == TR_T_NULL) { /* no tid: the process's own track */
        t.tid = t.pid;
    }
    t.device = t.context = t.stream = TR_TIME_NONE;
    if (device) {
        t.device = e->device != TR_TIME_NONE || e->pid_type != TR_T_INT ? e->device : e->pid;
        t.stream = e->stream != TR_TIME_NONE || e->tid_type != TR_T_INT ? e->stream : e->tid;
        t.context = e->context;
    }
    uint32_t *last = &ps->last_track[((uint64_t)t.tid * 7 + (uint64_t)t.stream + t.side) & 63];
    if (*last) {
        const struct tr_track *o = &ps->interner.tracks[*last - 1];
        if (o->pid == t.pid && o->tid == t.tid && o->device == t.device && o->stream == t.stream &&
            o->context == t.context && o->source == t.source && o->side == t.side &&
            o->pid_type == t.pid_type && o->tid_type == t.tid_type)
            return *last - 1;
    }
    uint32_t id = tr__intern_track(&ps->interner, &t);
    *last = id == UINT32_MAX ? 0 : id + 1;
    return id;
}

static enum tr_suspect suspect_of(const struct tr__event *e)
{
    if (e->ts == TR_TIME_NONE || e->dur == TR_TIME_NONE)
        return TR_SUSPECT_NO;
    if (e->dur < 0)
        return TR_SUSPECT_NEGATIVE_DUR;
    if (e->dur > TR_MAX_DUR_NS)
        return TR_SUSPECT_LONG_DUR;
    if (e->ts > INT64_MAX - e->dur)
        return TR_SUSPECT_OVERFLOW;
    return TR_SUSPECT_NO;
}

/* Count the event into its piece's summary. */
static void sum_up(struct tr__piece *pc, const struct tr_row *row)
{
    struct tr_source_summary *s = &pc->sum;
    s->n_events++;
    s->n_phase[row->phase]++;
    s->n_activity[row->activity]++;
    s->n_suspect[row->suspect]++;
    if (row->ts == TR_TIME_NONE || row->suspect != TR_SUSPECT_NO || row->phase == TR_META)
        return;
    int64_t end = row->dur == TR_TIME_NONE ? row->ts : row->ts + row->dur;
    tr__widen(&s->first_ts, &s->last_end, row->ts, end);
    if (row->ts >= 0)
        tr__widen(&pc->first_from_0, &pc->last_from_0, row->ts, end);
}

/* What the rest of the pipeline wants to know of some events before the first is written. */
static bool note_event(struct tr__parser *ps, const struct tr__event *e, const struct tr_row *row,
                       const struct tr__text *name)
{
    struct tr__piece *pc = ps->piece;
    bool correlated = e->correlation != TR_TIME_NONE && e->correlation != 0;
    if (row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API) {
        if (correlated && row->phase == TR_SPAN)
            return add_launch(ps, e, row);
    } else if (tr_is_device_work(row->activity)) {
        if (correlated && row->ts != TR_TIME_NONE && row->phase != TR_SPAN_END)
            return add_work(pc, e);
    } else if (row->activity == TR_ACT_ANNOTATION) {
        if (name && name->name == TR_NAME_STEP && row->suspect == TR_SUSPECT_NO &&
            e->dur != TR_TIME_NONE) {
            struct tr_step step = { name->step, row->ts, row->ts + row->dur, row->track };
            return tr_summary_add_step(&pc->sum, &step);
        }
    } else if (row->phase == TR_META && name && name->name >= TR_NAME_PROCESS_NAME) {
        return add_track_name(ps, e, (enum tr_vocab_name)name->name);
    }
    return true;
}

enum tr__took tr__finish_event(struct tr__parser *ps, struct tr__event *e, struct tr_row *row,
                               uint32_t shape, uint64_t offset)
{
    struct tr__piece *pc = ps->piece;
    const struct tr__text *name = e->name == TR_NO_STR ? NULL : &ps->interner.texts[e->name];
    enum tr_phase phase = tr_vocab_phase(e->ph);
    if (!e->ph) {
        tr__count(pc, TR_CAUSE_BAD_PHASE, offset);
    } else if (e->ts == TR_TIME_NONE && phase != TR_META && phase != TR_PHASE_UNKNOWN) {
        tr__count(pc, TR_CAUSE_BAD_TIME, offset);
        phase = TR_PHASE_UNKNOWN;
    }
    if (e->bad_dur || (phase == TR_SPAN && e->dur == TR_TIME_NONE))
        tr__count(pc, TR_CAUSE_BAD_DUR, offset);
    row->ts = e->ts;
    row->dur = e->dur;
    row->record = pc->n_elements;
    row->source = ps->source;
    row->shape = shape;
    row->name = e->name;
    row->cat = e->cat;
    row->interner = ps->interner_no;
    row->phase = (uint8_t)phase;
    row->activity = (uint8_t)tr_vocab_activity(
        e->cat == TR_NO_STR ? TR_ACT_OTHER : (enum tr_activity)ps->interner.texts[e->cat].category,
        name ? (enum tr_vocab_name)name->name : TR_NAME_PLAIN, phase);
    row->kind = (uint8_t)(row->activity == TR_ACT_KERNEL ? name ? name->kernel_kind : TR_KIND_COMPUTE
                          : tr_is_device_work(row->activity) ? TR_KIND_MEMORY : TR_KIND_NONE);
    row->suspect = (uint8_t)suspect_of(e);
    row->flags = phase == TR_SPAN && e->dur == TR_TIME_NONE ? TR_OPEN : 0;
    row->unused = 0;
    row->track = find_track(ps, e, tr_vocab_on_device(row->activity));
    size_t size = (size_t)(e->out - (unsigned char *)row);
    size = (size + 7) & ~(size_t)7;
    row->size = (uint32_t)size;
    if (row->track == UINT32_MAX || !note_event(ps, e, row, name))
        return TR__NO_MEMORY;
    tr_rows_commit(&pc->rows, size);
    if (pc->pid == TR_TIME_NONE && e->pid_type == TR_T_INT && row->activity >= TR_ACT_CPU_OP &&
        row->activity <= TR_ACT_DRIVER_API)
        pc->pid = e->pid;
    pc->n_negative_ts += e->ts < 0 && e->ts != TR_TIME_NONE && row->suspect == TR_SUSPECT_NO;
    sum_up(pc, row);
    bool end = phase == TR_BEGIN || phase == TR_SPAN_END;
    struct tr_row_ref **refs = end ? &pc->ends : &pc->refs;
    size_t *n = end ? &pc->n_ends : &pc->n_refs, *cap = end ? &pc->cap_ends : &pc->cap_refs;
    if (!tr_grow(refs, cap, *n + 1, sizeof **refs))
        return TR__NO_MEMORY;
    (*refs)[(*n)++] = (struct tr_row_ref){ row->ts, row };
    pc->n_elements++;
    return TR__TOOK;
}

void tr__piece_free(struct tr__piece *pc)
{
    if (pc->rows.pool)
        tr_rows_release(&pc->rows);
    free(pc->refs);
    free(pc->ends);
    free(pc->launches);
    free(pc->work);
    free(pc->names);
    for (size_t i = 0; i < pc->n_header; i++) {
        free(pc->header[i].key);
        free(pc->header[i].value);
    }
    free(pc->header);
    free(pc->sum.steps);
    memset(pc, 0, sizeof *pc);
}
