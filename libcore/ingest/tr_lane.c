/* SPDX-License-Identifier: MIT */
/* A lane: turns events into rows of a piece, and collects the facts that are needed before the first batch. */
#include "ingest/tr_lane_int.h"

#include "vendor/tr_vocab.h"

#include <stdlib.h>

void tr__count(struct tr__piece *piece, enum tr_damage_cause cause, uint64_t offset)
{
    tr_damage_cause_count(&piece->damage, cause, offset);
    piece->n_counted++;
}

void tr__event_clear(struct tr__event *e)
{
    e->ts = e->dur = TR_TIME_NONE;
    e->device = e->stream = e->real_stream = e->context = e->correlation = e->number = e->work = TR_I64_NONE;
    e->pid = e->tid = 0;
    e->name = e->cat = e->text = TR_NO_STR;
    e->clock = 0;
    e->pid_type = e->tid_type = TR_T_NULL;
    e->ph = 0;
    e->bad_dur = e->ns_time = false;
}

bool tr__lane_launch(struct tr__lane *lane, int64_t correlation, const struct tr_row *row)
{
    struct tr__piece *pc = lane->piece;
    if (!tr_grow(&pc->launches, &pc->cap_launches, pc->n_launches + 1, sizeof *pc->launches))
        return false;
    pc->launches[pc->n_launches++] = (struct tr__launch){
        .correlation = correlation, .ts = row->ts, .dur = row->dur, .record = row->record,
        .track = row->track, .name = row->name, .interner = lane->interner_no,
    };
    return true;
}

static bool add_work(struct tr__lane *lane, int64_t correlation, const struct tr_row *row)
{
    struct tr__piece *pc = lane->piece;
    const uint64_t zero = row->suspect == TR_SUSPECT_ZERO_TIME ? TR__ZERO_TIME : 0;
    if (!tr_grow(&pc->work, &pc->cap_work, pc->n_work + 1, sizeof *pc->work))
        return false;
    pc->work[pc->n_work++] =
        (struct tr__device_work){ correlation, row->ts, row->record | zero, row->track, lane->interner_no };
    return true;
}

int64_t tr__place(int64_t pid, int64_t tid, int64_t ts)
{
    uint64_t thread = tr_mix64((uint64_t)pid ^ 0xa0761d6478bd642fu, (uint64_t)tid ^ 0xe7037ed1a0b428dbu);
    return (int64_t)(tr_mix64(thread ^ (uint64_t)ts, 0x8ebc6af09c88c6e3u) | 1);
}

int64_t tr__place_of_work(int64_t work)
{
    return (int64_t)(tr_mix64((uint64_t)work ^ 0x589965cc75374cc3u, 0x1d8e4e27c47d124fu) | 1);
}

/* Is the event a flow event, and its category that of an arrow from a call to its work? */
static const struct tr__text *arrow_of(const struct tr__lane *lane, const struct tr__event *e, const struct tr_row *row)
{
    bool flow = row->phase == TR_FLOW_START || row->phase == TR_FLOW_STEP || row->phase == TR_FLOW_END;
    if (!flow || e->cat == TR_NO_STR || e->ts == TR_TIME_NONE || e->pid_type != TR_T_INT || e->tid_type != TR_T_INT)
        return NULL;
    const struct tr__text *cat = &lane->interner.texts[e->cat];
    bool known = cat->value != TR_I64_NONE || e->work != TR_I64_NONE;
    return cat->arrow == TR_ARROW_TO_WORK && known ? cat : NULL;
}

bool tr__lane_arrow(struct tr__lane *lane, const struct tr__arrow *arrow)
{
    struct tr__piece *pc = lane->piece;
    if (!tr_grow(&pc->arrows, &pc->cap_arrows, pc->n_arrows + 1, sizeof *pc->arrows))
        return false;
    pc->arrows[pc->n_arrows++] = *arrow;
    return true;
}

static bool add_arrow(struct tr__lane *lane, const struct tr__text *cat, const struct tr__event *e, bool start)
{
    int64_t work = e->work == TR_I64_NONE ? cat->value : e->work;
    return tr__lane_arrow(lane, &(struct tr__arrow){ work, cat->step, tr__place(e->pid, e->tid, e->ts), e->ts, start });
}

static bool add_track_name(struct tr__lane *lane, const struct tr__event *e, enum tr_vocab_name what)
{
    struct tr__piece *pc = lane->piece;
    if (!tr_grow(&pc->names, &pc->cap_names, pc->n_names + 1, sizeof *pc->names))
        return false;
    pc->names[pc->n_names++] = (struct tr__track_name){
        .what = (uint8_t)what, .pid_type = e->pid_type, .tid_type = e->tid_type,
        .has_tid = e->tid_type != TR_T_NULL, .pid = e->pid, .tid = e->tid, .text = e->text,
        .number = e->number, .interner = lane->interner_no,
    };
    return true;
}

/* Intern the track and remember it. */
static uint32_t new_track(struct tr__lane *lane, const struct tr__event *e, bool device, int64_t tid, uint32_t *last)
{
    struct tr_track t;
    memset(&t, 0, sizeof t);
    t.source = lane->source;
    t.side = device ? TR_SIDE_DEVICE : TR_SIDE_HOST;
    t.pid_type = e->pid_type;
    t.tid_type = e->tid_type;
    t.pid = e->pid;
    t.tid = tid;
    t.clock = e->clock;
    t.device = device ? e->device : TR_I64_NONE;
    t.stream = device ? e->stream : TR_I64_NONE;
    t.context = device ? e->context : TR_I64_NONE;
    uint32_t id = tr__intern_track(&lane->interner, &t);
    *last = id == UINT32_MAX ? 0 : id + 1;
    return id;
}

/* Most events are on a track of which one came before. */
static inline uint32_t find_track(struct tr__lane *lane, const struct tr__event *e, bool device)
{
    const int64_t tid = e->tid_type == TR_T_NULL ? e->pid : e->tid; /* no tid: the process's own track */
    const uint64_t stream = device ? (uint64_t)e->stream + 1 : 0;
    uint32_t *last = &lane->last_track[((uint64_t)tid * 7 + stream) * 0x9e3779b97f4a7c15u >> 58];
    const struct tr_track *o = *last ? &lane->interner.tracks[*last - 1] : NULL;
    if (o && o->tid == tid && o->pid == e->pid && o->pid_type == e->pid_type && o->tid_type == e->tid_type &&
        o->clock == e->clock && o->source == lane->source &&
        (device ? o->side == TR_SIDE_DEVICE && o->stream == e->stream && o->device == e->device &&
                      o->context == e->context
                : o->side == TR_SIDE_HOST))
        return *last - 1;
    return new_track(lane, e, device, tid, last);
}

enum tr_suspect tr__suspect_of(const struct tr_row *row)
{
    const int64_t ts = row->ts, dur = row->dur;
    if (ts == TR_TIME_NONE)
        return TR_SUSPECT_NO;
    if (ts == 0 && dur == 0 && row->phase == TR_SPAN && tr_is_device_work(row->activity))
        return TR_SUSPECT_ZERO_TIME;
    if (dur != TR_TIME_NONE && dur < 0)
        return TR_SUSPECT_NEGATIVE_DUR;
    if (dur > TR_MAX_DUR_NS)
        return TR_SUSPECT_LONG_DUR;
    bool far = tr_time_far(ts) || (dur != TR_TIME_NONE && tr_time_far(tr_time_sum(ts, dur)));
    return far ? TR_SUSPECT_OVERFLOW : TR_SUSPECT_NO;
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

static const struct tr__text *name_of(const struct tr__lane *lane, const struct tr_row *row)
{
    return row->name == TR_NO_STR ? NULL : &lane->interner.texts[row->name];
}

enum tr__lane_note tr__lane_note_of(const struct tr__lane *lane, const struct tr__event *e, const struct tr_row *row)
{
    const struct tr__text *name = name_of(lane, row);
    bool correlated = e->correlation != TR_I64_NONE && e->correlation != 0;
    if (row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API)
        return correlated && row->phase == TR_SPAN && !(name && name->name == TR_NAME_WAIT_CALL) ? TR__NOTE_LAUNCH
                                                                                                 : TR__NOTE_NONE;
    if (tr_is_device_work(row->activity))
        return correlated && row->ts != TR_TIME_NONE && row->phase != TR_SPAN_END ? TR__NOTE_WORK : TR__NOTE_NONE;
    if (row->activity == TR_ACT_ANNOTATION)
        return name && tr__is_step(name) && row->suspect == TR_SUSPECT_NO && e->dur != TR_TIME_NONE ? TR__NOTE_STEP
                                                                                                    : TR__NOTE_NONE;
    if (row->phase == TR_META && name && name->name >= TR_NAME_PROCESS_NAME)
        return TR__NOTE_TRACK_NAME;
    return arrow_of(lane, e, row) ? TR__NOTE_ARROW : TR__NOTE_NONE;
}

/* Collect the facts that are needed before the first batch: launches, device work, steps, names of tracks. */
static bool note_event(struct tr__lane *lane, const struct tr__event *e, const struct tr_row *row)
{
    struct tr__piece *pc = lane->piece;
    struct tr_step step;
    switch (tr__lane_note_of(lane, e, row)) {
    case TR__NOTE_LAUNCH:
        return tr__lane_launch(lane, e->correlation, row);
    case TR__NOTE_WORK:
        return add_work(lane, e->correlation, row);
    case TR__NOTE_STEP:
        tr__step(row, name_of(lane, row), &step);
        return tr_summary_add_step(&pc->sum, &step);
    case TR__NOTE_TRACK_NAME:
        return add_track_name(lane, e, (enum tr_vocab_name)name_of(lane, row)->name);
    case TR__NOTE_ARROW:
        return add_arrow(lane, arrow_of(lane, e, row), e, row->phase == TR_FLOW_START);
    default:
        return true;
    }
}

int64_t tr__lane_pid_of(const struct tr__event *e, const struct tr_row *row)
{
    bool host = row->activity >= TR_ACT_CPU_OP && row->activity <= TR_ACT_DRIVER_API;
    bool other = row->activity == TR_ACT_OTHER && row->phase != TR_META;
    return e->pid_type == TR_T_INT && (host || other) ? e->pid : TR_I64_NONE;
}

/* The row is complete: it and what it adds to the sums belong to the piece. */
static inline bool add_row(struct tr__piece *pc, struct tr_row *row, int64_t pid)
{
    tr_row_arena_commit(&pc->rows, row->size);
    int64_t *first = row->activity == TR_ACT_OTHER ? &pc->other_pid : &pc->pid;
    if (*first == TR_I64_NONE)
        *first = pid;
    pc->n_negative_ts += row->ts < 0 && row->ts != TR_TIME_NONE && row->suspect == TR_SUSPECT_NO;
    sum_up(pc, row);
    bool end = row->phase == TR_BEGIN || row->phase == TR_SPAN_END || row->phase == TR_ASYNC_BEGIN ||
               row->phase == TR_ASYNC_END;
    struct tr_row_ref **refs = end ? &pc->ends : &pc->refs;
    size_t *n = end ? &pc->n_ends : &pc->n_refs, *cap = end ? &pc->cap_ends : &pc->cap_refs;
    if (!tr_grow(refs, cap, *n + 1, sizeof **refs))
        return false;
    (*refs)[(*n)++] = (struct tr_row_ref){ row->ts, row };
    return true;
}

bool tr__lane_add(struct tr__lane *lane, const struct tr__event *e, struct tr_row *row)
{
    row->ts = e->ts;
    row->dur = e->dur;
    row->source = lane->source;
    row->name = e->name;
    row->cat = e->cat;
    row->interner = lane->interner_no;
    row->suspect = (uint8_t)tr__suspect_of(row);
    row->flags = row->phase == TR_SPAN && e->dur == TR_TIME_NONE ? TR_OPEN : 0;
    row->track = find_track(lane, e, tr_vocab_on_device(row->activity));
    size_t size = (size_t)(e->out - (unsigned char *)row);
    row->size = (uint32_t)((size + 7) & ~(size_t)7);
    return row->track != UINT32_MAX && note_event(lane, e, row) && add_row(lane->piece, row, tr__lane_pid_of(e, row));
}

bool tr__lane_again(struct tr__lane *lane, struct tr_row *row, enum tr__lane_note note, int64_t pid,
                    int64_t correlation)
{
    row->suspect = (uint8_t)tr__suspect_of(row);
    if ((note == TR__NOTE_LAUNCH && !tr__lane_launch(lane, correlation, row)) ||
        (note == TR__NOTE_WORK && !add_work(lane, correlation, row)))
        return false;
    return add_row(lane->piece, row, pid);
}

/* Free what has no fixed size. */
static void free_some(struct tr__piece *pc)
{
    if (pc->rows.pool)
        tr_row_arena_release(&pc->rows);
    for (size_t i = 0; i < pc->n_header; i++) {
        free(pc->header[i].key);
        free(pc->header[i].value);
    }
    free(pc->header);
    free(pc->sum.steps);
}

/* The arrays are used again if there is memory, because pieces of a source are alike. */
void tr__piece_reset(struct tr__lane *lane, struct tr__piece *pc, struct tr_block_pool *pool)
{
    if (!tr_block_pool_roomy(pool))
        tr__piece_free(pc);
    const struct tr__piece old = *pc;
    free_some(pc);
    *pc = (struct tr__piece){
        .refs = old.refs, .cap_refs = old.cap_refs, .ends = old.ends, .cap_ends = old.cap_ends,
        .launches = old.launches, .cap_launches = old.cap_launches, .work = old.work, .cap_work = old.cap_work,
        .arrows = old.arrows, .cap_arrows = old.cap_arrows, .names = old.names, .cap_names = old.cap_names,
    };
    pc->rows.pool = pool;
    pc->events_at = SIZE_MAX;
    pc->sum.first_ts = pc->sum.last_end = pc->first_from_0 = pc->last_from_0 = TR_TIME_NONE;
    pc->pid = pc->other_pid = TR_I64_NONE;
    lane->piece = pc;
}

void tr__piece_free(struct tr__piece *pc)
{
    free_some(pc);
    free(pc->refs);
    free(pc->ends);
    free(pc->launches);
    free(pc->work);
    free(pc->arrows);
    free(pc->names);
    memset(pc, 0, sizeof *pc);
}
