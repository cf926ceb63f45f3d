/* SPDX-License-Identifier: MIT */
/* The values of fields, by batch. */
#include "field/tr_field_columns.h"

#include "base/tr_time.h"

#include <stdlib.h>
#include <string.h>

#define BIT(field) (UINT64_C(1) << TR_FIELD_##field)

_Static_assert(TR_N_FIELDS <= 64, "fields are bits of 64");

/* ---- start ---- */

static uint64_t owner_fields(void)
{
    uint64_t bits = 0;
    for (unsigned f = 0; f < TR_N_FIELDS; f++)
        if (tr_event_fields[f].from == TR_FIELD_FROM_OWNER)
            bits |= UINT64_C(1) << f;
    return bits;
}

enum tr_status tr_field_columns_start(struct tr_field_columns *c, struct tr_input *in, uint64_t asks,
                                      struct tr_error *err)
{
    const char *group = asks & BIT(GROUP) ? tr_event_fields[TR_FIELD_GROUP].arg : NULL;
    if (asks & owner_fields()) {
        enum tr_status st = tr_owners_watch(in, group, err);
        if (st != TR_OK)
            return st;
        c->owners = in->owners;
    }
    return tr_field_columns_init(c, in->summary, asks) ? TR_OK : tr_fail_memory(err);
}

bool tr_field_columns_init(struct tr_field_columns *c, const struct tr_summary *summary, uint64_t asks)
{
    bool ok = true;
    if (asks & (BIT(STEP) | BIT(STEP_PHASE)))
        ok = (c->steps = tr_steps_new(summary)) != NULL;
    if (asks & BIT(DEPTH))
        ok = ok && (c->nest = tr_open_spans_new()) != NULL;
    return ok;
}

void tr_field_columns_free(struct tr_field_columns *c)
{
    for (unsigned f = 0; f < TR_N_FIELDS; f++)
        free(c->columns[f].v);
    tr_steps_free(c->steps);
    tr_step_columns_free(&c->launched);
    tr_open_spans_free(c->nest);
    memset(c, 0, sizeof *c);
}

bool tr_field_columns_batch(struct tr_field_columns *c, const struct tr_batch *b)
{
    c->batch = b;
    c->has_launched = false;
    for (unsigned f = 0; f < TR_N_FIELDS; f++)
        c->columns[f].made = false;
    return !c->nest || tr_field_numbers(c, TR_FIELD_DEPTH);
}

/* The memory of a column; *made: it has the values of this batch.  NULL: out of memory. */
static void *column(struct tr_field_columns *c, enum tr_field_id field, size_t size, bool *made)
{
    struct tr_field_column *x = &c->columns[field];
    *made = x->made;
    x->made = true;
    return tr_grow(&x->v, &x->cap, c->batch->n + 1, size) ? x->v : NULL;
}

/* ---- numbers ---- */

static void read_derived(const struct tr_batch *b, uint32_t bits, int64_t *v)
{
    uint32_t column = 0;
    while (!(bits >> column & 1))
        column++;
    tr_batch_expand_i64(b, column, TR_I64_NONE, v);
}

static int64_t end_of(int64_t ts, int64_t dur)
{
    if (ts == TR_TIME_NONE || dur == TR_TIME_NONE || (dur > 0 && ts > INT64_MAX - dur) ||
        (dur < 0 && ts < INT64_MIN + 1 - dur))
        return TR_TIME_NONE;
    return ts + dur;
}

static bool read_launched(struct tr_field_columns *c)
{
    c->has_launched = c->has_launched || tr_step_columns_read(&c->launched, c->batch);
    return c->has_launched;
}

static struct tr_step_moment moment(const struct tr_field_columns *c, size_t i)
{
    return tr_step_columns_moment(&c->launched, c->steps, c->batch, i);
}

static bool read_steps(struct tr_field_columns *c, int64_t *v)
{
    const struct tr_batch *b = c->batch;
    if (c->steps && !read_launched(c))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        v[i] = TR_I64_NONE;
        if (c->steps)
            tr_steps_find(c->steps, b->dict, moment(c, i), &v[i]);
    }
    return true;
}

static bool read_depths(struct tr_field_columns *c, int64_t *v)
{
    const struct tr_batch *b = c->batch;
    for (size_t i = 0; i < b->n; i++) {
        v[i] = TR_I64_NONE;
        if (!c->nest || b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue;
        struct tr_open_spans_track *t = tr_open_spans_at(c->nest, b->track[i], tr_span_inner_start(b, i));
        if (!t)
            return false;
        v[i] = (int64_t)t->n;
        int64_t end = tr_span_inner_end(b, i);
        if (end > b->ts[i] && !tr_open_spans_push(t, b->ts[i], end, 0, false))
            return false;
    }
    return true;
}

/* From the end of the launch call to the start of the work, and 0 if the work started earlier. */
static bool read_waits(struct tr_field_columns *c, int64_t *v)
{
    const struct tr_batch *b = c->batch;
    const int64_t *durs = tr_field_numbers(c, TR_FIELD_LAUNCH_DUR);
    if (!durs)
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, v);
    for (size_t i = 0; i < b->n; i++) {
        int64_t end = v[i] != TR_TIME_NONE && durs[i] > 0 ? end_of(v[i], durs[i]) : v[i];
        v[i] = end == TR_TIME_NONE || b->ts[i] == TR_TIME_NONE ? TR_I64_NONE
               : b->ts[i] > end                                ? tr_time_diff(b->ts[i], end)
                                                               : 0;
    }
    return true;
}

static bool make_numbers(struct tr_field_columns *c, enum tr_field_id field, int64_t *v)
{
    const struct tr_batch *b = c->batch;
    switch (field) {
    case TR_FIELD_END:
        for (size_t i = 0; i < b->n; i++)
            v[i] = end_of(b->ts[i], b->dur[i]);
        return true;
    case TR_FIELD_RECORD:
        for (size_t i = 0; i < b->n; i++)
            v[i] = (int64_t)b->record[i];
        return true;
    case TR_FIELD_STEP:
        return read_steps(c, v);
    case TR_FIELD_DEPTH:
        return read_depths(c, v);
    case TR_FIELD_QUEUE_WAIT:
        return read_waits(c, v);
    case TR_FIELD_DUR_PS:
        read_derived(b, tr_event_fields[field].derived, v);
        for (size_t i = 0; i < b->n; i++)
            v[i] = b->dur[i] == TR_TIME_NONE ? TR_I64_NONE : v[i];
        return true;
    default:
        read_derived(b, tr_event_fields[field].derived, v);
        return true;
    }
}

const int64_t *tr_field_numbers(struct tr_field_columns *c, enum tr_field_id field)
{
    bool made;
    if (field == TR_FIELD_TS || field == TR_FIELD_DUR)
        return field == TR_FIELD_TS ? c->batch->ts : c->batch->dur;
    int64_t *v = column(c, field, sizeof *v, &made);
    return v && (made || make_numbers(c, field, v)) ? v : NULL;
}

/* ---- words ---- */

const uint8_t *tr_field_words(struct tr_field_columns *c, enum tr_field_id field)
{
    const struct tr_batch *b = c->batch;
    bool made;
    switch (field) {
    case TR_FIELD_ACTIVITY:
        return b->activity;
    case TR_FIELD_KIND:
        return b->kind;
    case TR_FIELD_PHASE:
        return b->phase;
    case TR_FIELD_SUSPECT:
        return b->suspect;
    default:
        break;
    }
    uint8_t *v = column(c, field, sizeof *v, &made);
    if (!v || (!made && c->steps && !read_launched(c)))
        return NULL;
    for (size_t i = 0; i < b->n && !made; i++)
        v[i] = c->steps ? (uint8_t)tr_steps_phase(c->steps, b->dict, moment(c, i)) : TR_STEP_NO_PHASE;
    return v;
}

tr_field_word *tr_field_word_list(enum tr_field_id field, unsigned *first, unsigned *n)
{
    *first = 0;
    switch (field) {
    case TR_FIELD_ACTIVITY:
        *n = TR_N_ACTIVITIES;
        return tr_activity_name;
    case TR_FIELD_KIND: /* events that are not device work have none */
        *first = TR_KIND_NONE + 1;
        *n = TR_N_KINDS;
        return tr_kind_name;
    case TR_FIELD_PHASE:
        *n = TR_N_PHASES;
        return tr_phase_name;
    case TR_FIELD_SUSPECT:
        *first = TR_SUSPECT_NO + 1;
        *n = TR_N_SUSPECTS;
        return tr_suspect_name;
    default:
        *first = TR_STEP_NO_PHASE + 1;
        *n = TR_N_STEP_PHASES;
        return tr_step_phase_name;
    }
}

/* ---- strings and owners ---- */

const uint32_t *tr_field_strings(struct tr_field_columns *c, enum tr_field_id field)
{
    bool made;
    if (field == TR_FIELD_NAME || field == TR_FIELD_CAT)
        return field == TR_FIELD_NAME ? c->batch->name : c->batch->cat;
    uint32_t *v = column(c, field, sizeof *v, &made);
    if (v && !made)
        tr_batch_expand_str(c->batch, field == TR_FIELD_CLASS ? TR_COL_CLASS : TR_COL_LAUNCH_NAME, v);
    return v;
}

bool tr_field_owner_text(const struct tr_field_columns *c, enum tr_field_id field, size_t n, uint32_t frame,
                         struct tr_str *text, struct tr_buf *room)
{
    static const enum tr_owner owners[TR_N_FIELDS] = {
        [TR_FIELD_OPERATOR] = TR_OWNER_OPERATOR,     [TR_FIELD_MODULE] = TR_OWNER_MODULE,
        [TR_FIELD_ANNOTATION] = TR_OWNER_ANNOTATION, [TR_FIELD_PARENT] = TR_OWNER_STACK,
        [TR_FIELD_STACK] = TR_OWNER_STACK,           [TR_FIELD_GROUP] = TR_OWNER_GROUP,
    };
    *text = tr_str_of(NULL);
    return !c->owners || tr_owner_text(c->owners, frame, owners[field], field == TR_FIELD_PARENT ? 1 : n, text, room);
}

const uint32_t *tr_field_frames(const struct tr_field_columns *c)
{
    return c->owners ? c->batch->frame : NULL;
}
