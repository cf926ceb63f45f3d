/* SPDX-License-Identifier: MIT */
/* Summary blocks: their rows as bytes, and back. */
#include "stream/format/tr_dict_rows_int.h"

#include "stream/tr_wire_int.h"

/* Lists of counts have their length in front, so that a later version may have more counts. */
static void put_counts(struct tr__out *o, const uint64_t *v, unsigned n)
{
    tr__out_varint(o, n);
    for (unsigned i = 0; i < n; i++)
        tr__out_varint(o, v[i]);
}

static void get_counts(struct tr__in *in, uint64_t *v, unsigned n)
{
    uint64_t have = tr__in_max(in, 255);
    for (uint64_t i = 0; i < have; i++) {
        uint64_t x = tr__in_varint(in);
        if (i < n)
            v[i] = x;
    }
}

static void put_text(struct tr__out *o, const char *s)
{
    tr__out_varint(o, strlen(s));
    tr__out_bytes(o, s, strlen(s));
}

/* A text of 1 to size - 1 bytes, none of them 0. */
static void get_text(struct tr__in *in, char *s, size_t size)
{
    size_t len = tr__in_size(in, size - 1);
    const unsigned char *p = tr__in_bytes(in, len);
    in->bad |= len == 0 || !p || memchr(p, 0, len);
    s[0] = '\0';
    if (in->bad)
        return;
    memcpy(s, p, len);
    s[len] = '\0';
}

static void put_damage(struct tr__out *o, const struct tr_damage *d)
{
    put_text(o, d->name);
    put_text(o, d->text);
    tr__out_u8(o, d->loses);
    tr__out_varint(o, d->count);
    tr__out_varint(o, d->first + 1); /* none, which is the largest number, becomes 0 */
}

static void get_damage(struct tr__in *in, struct tr_damage *d)
{
    get_text(in, d->name, sizeof d->name);
    get_text(in, d->text, sizeof d->text);
    uint8_t loses = tr__in_u8(in);
    d->loses = loses;
    d->count = tr__in_varint(in);
    d->first = tr__in_varint(in) - 1;
    in->bad |= loses > 1 || d->count == 0;
}

/* Steps of inference: the length of the list of numbers, then for each step its phase and numbers, 0: unknown. */
static void put_about(struct tr__out *o, const struct tr_source_summary *s)
{
    if (!tr_summary_infers(s))
        return;
    tr__out_varint(o, TR_N_STEP_NUMBERS);
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct tr_step_about *a = &s->steps[i].about;
        tr__out_u8(o, a->phase);
        for (unsigned k = 0; k < TR_N_STEP_NUMBERS; k++)
            tr__out_varint(o, a->known >> k & 1 ? (uint64_t)a->of[k] + 1 : 0);
    }
}

/* A phase or a number that this version does not know is left out. */
static void get_about(struct tr__in *in, struct tr_source_summary *s)
{
    uint64_t n = tr__in_left(in) ? tr__in_max(in, 255) : 0;
    for (size_t i = 0; n && i < s->n_steps && !in->bad; i++) {
        struct tr_step_about *a = &s->steps[i].about;
        uint8_t phase = tr__in_u8(in);
        a->phase = phase < TR_N_STEP_PHASES ? phase : TR_STEP_NO_PHASE;
        for (unsigned k = 0; k < n; k++) {
            uint64_t x = tr__in_varint(in);
            if (k >= TR_N_STEP_NUMBERS || !x || x - 1 > INT64_MAX)
                continue;
            a->of[k] = (int64_t)(x - 1);
            a->known |= (uint16_t)(1u << k);
        }
    }
}

enum { SORTED = 1, FILTERED = 2, REDACTED = 4 };

bool tr__summary_put_head(const struct tr_summary *s, struct tr_buf *out)
{
    struct tr__out o = { out, false };
    tr__out_u8(&o, (uint8_t)((s->sorted ? SORTED : 0) | (s->filtered ? FILTERED : 0) | (s->redacted ? REDACTED : 0)));
    tr__out_varint(&o, s->n);
    return !o.failed;
}

bool tr__summary_put_row(const struct tr_summary *summary, size_t number, struct tr_buf *row)
{
    const struct tr_source_summary *s = &summary->sources[number];
    struct tr__out o = { row, false };
    tr__out_varint(&o, number);
    tr__out_u8(&o,
               (uint8_t)((s->first_ts != TR_TIME_NONE) | (s->last_end != TR_TIME_NONE) << 1 |
                         (s->lag_min != TR_TIME_NONE) << 2 | (s->lag_max != TR_TIME_NONE) << 3));
    const int64_t times[4] = { s->first_ts, s->last_end, s->lag_min, s->lag_max };
    for (unsigned i = 0; i < 4; i++)
        if (times[i] != TR_TIME_NONE)
            tr__out_signed(&o, times[i]);
    tr__out_varint(&o, s->n_events);
    put_counts(&o, s->n_phase, TR_N_PHASES);
    put_counts(&o, s->n_activity, TR_N_ACTIVITIES);
    put_counts(&o, s->n_suspect, TR_N_SUSPECTS);
    tr__out_varint(&o, s->n_device_linked);
    tr__out_varint(&o, s->n_launches);
    tr__out_varint(&o, s->n_launches_linked);
    tr__out_varint(&o, s->n_damage);
    for (size_t i = 0; i < s->n_damage; i++)
        put_damage(&o, &s->damage[i]);
    tr__out_varint(&o, s->n_steps);
    for (size_t i = 0; i < s->n_steps; i++) {
        tr__out_signed(&o, s->steps[i].number);
        tr__out_signed(&o, s->steps[i].start);
        tr__out_signed(&o, s->steps[i].end);
        tr__out_varint(&o, s->steps[i].track);
    }
    put_about(&o, s);
    return !o.failed;
}

static enum tr_status get_row(struct tr_source_summary *s, const struct tr_dict *dict,
                              struct tr__in *in, struct tr_error *err)
{
    uint8_t present = tr__in_u8(in);
    int64_t *times[4] = { &s->first_ts, &s->last_end, &s->lag_min, &s->lag_max };
    for (unsigned i = 0; i < 4; i++)
        *times[i] = present >> i & 1 ? tr__in_signed(in) : TR_TIME_NONE;
    s->n_events = tr__in_varint(in);
    get_counts(in, s->n_phase, TR_N_PHASES);
    get_counts(in, s->n_activity, TR_N_ACTIVITIES);
    get_counts(in, s->n_suspect, TR_N_SUSPECTS);
    s->n_device_linked = tr__in_varint(in);
    s->n_launches = tr__in_varint(in);
    s->n_launches_linked = tr__in_varint(in);
    size_t n_damage = tr__in_size(in, TR_MAX_CAUSES);
    for (size_t i = 0; i < n_damage && !in->bad; i++) {
        struct tr_damage d;
        get_damage(in, &d);
        for (size_t k = 0; k < i && !in->bad; k++)
            in->bad = strcmp(s->damage[k].name, d.name) == 0;
        if (!in->bad && !tr_summary_add_damage(s, &d))
            return tr_fail_memory(err);
    }
    size_t n_steps = tr__in_size(in, tr__in_left(in) / 4); /* a step has at least 4 bytes */
    for (size_t i = 0; i < n_steps && !in->bad; i++) {
        struct tr_step step = { .number = tr__in_signed(in) };
        step.start = tr__in_signed(in);
        step.end = tr__in_signed(in);
        step.track = (uint32_t)tr__in_max(in, UINT32_MAX);
        if (step.track >= dict->n_tracks)
            in->bad = true;
        else if (!tr_summary_add_step(s, &step))
            return tr_fail_memory(err);
    }
    get_about(in, s);
    if (in->bad || present > 15)
        return tr_fail(err, TR_DAMAGED, "a row of the summary is malformed");
    return TR_OK;
}

enum tr_status tr__summary_get(struct tr_summary *s, size_t *n_have, const struct tr_dict *dict,
                               const unsigned char *payload, size_t len, uint32_t n_items,
                               struct tr_error *err)
{
    struct tr__in in = { payload, payload + len, false };
    uint8_t flags = tr__in_u8(&in);
    size_t n = tr__in_size(&in, dict->n_sources);
    if (in.bad || flags > (SORTED | FILTERED | REDACTED))
        return tr_fail(err, TR_DAMAGED, "the summary is malformed");
    if (*n_have == s->n) { /* the first one, or a new one after a complete one */
        if (!tr_summary_reset(s, n))
            return tr_fail_memory(err);
        *n_have = 0;
    }
    s->sorted = flags & SORTED;
    s->filtered = flags & FILTERED;
    s->redacted = flags & REDACTED;
    if (n != s->n || n_items > n - *n_have || (n_items == 0 && n > 0))
        return tr_fail(err, TR_DAMAGED, "the summary has %u rows for %zu sources", n_items, n);
    for (uint32_t i = 0; i < n_items; i++) {
        size_t row_len = tr__in_size(&in, tr__in_left(&in));
        const unsigned char *p = tr__in_bytes(&in, row_len);
        struct tr__in row = { p, in.bad ? p : p + row_len, false };
        if (in.bad || tr__in_varint(&row) != *n_have)
            return tr_fail(err, TR_DAMAGED, "row %u of the summary is malformed", i);
        enum tr_status st = get_row(&s->sources[*n_have], dict, &row, err);
        if (st != TR_OK)
            return st;
        ++*n_have;
    }
    if (tr__in_left(&in))
        return tr_fail(err, TR_DAMAGED, "%zu bytes after the summary", tr__in_left(&in));
    return TR_OK;
}
