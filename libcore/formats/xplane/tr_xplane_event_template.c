/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: templates of events.
 *
 * Most events of one kind on one line differ in their times and in a few numbers alone.  So the last events are kept as
 * templates: the bytes of their stats, and where among these stand numbers that may differ.  An event whose bytes agree
 * with a template is emitted from that template.  All others are read in full.
 */
#include "formats/xplane/tr_xplane_event_int.h"

#include <stdlib.h>

enum { MAX_STATS = 16, MAX_BYTES = 240 };   /* of an event that becomes a template */
enum { SETS = 512, WAYS = 4 };              /* templates with one kind are in one set; the last few of it are kept */

/* What may differ in a stat. */
enum part_kind { SAME, UINT, INT, REAL, REF };

/* Some stats, if they are the same, or the start of one, up to its number. */
struct part {
    uint8_t at, n;    /* place in bytes, and their number */
    uint8_t kind;     /* enum part_kind */
    uint8_t use;      /* enum tr__xplane_use */
    uint8_t value;    /* of a number: its place among the values */
};

struct template {
    const struct tr__xplane_line *line;
    uint64_t meta_number;
    struct part parts[MAX_STATS];
    size_t n_parts;
    unsigned char bytes[MAX_BYTES];
    bool correlated, work, with_op, flows;
    uint64_t correlation;
    struct tr__xplane_flow flow;
    struct tr__event_template event;
};

struct tr__xplane_event_templates {
    struct template *templates[SETS][WAYS];
    uint8_t next[SETS]; /* the oldest of a set */
};

void tr__xplane_event_templates_free(struct tr__xplane_event_templates *f)
{
    for (size_t i = 0; f && i < SETS; i++)
        for (size_t k = 0; k < WAYS; k++)
            free(f->templates[i][k]);
    free(f);
}

/* ---- an event like one before it ---- */

/* The numbers of a stat that are used for more than an arg. */
static uint64_t *flow_number(struct tr__xplane_flow *f, unsigned use)
{
    switch (use) {
    case TR__STAT_MADE:
        return &f->made;
    case TR__STAT_MADE_TYPE:
        return &f->made_type;
    case TR__STAT_TAKEN:
        return &f->taken;
    case TR__STAT_TAKEN_TYPE:
        return &f->taken_type;
    case TR__STAT_FLOW:
        return &f->flow;
    default:
        return NULL;
    }
}

/* The field of a stat at *p, if it is one of short bytes; its content ends at *end. */
static inline bool short_stat(const unsigned char **p, const unsigned char **end)
{
    const unsigned char *at = *p;
    if (*end - at < 2 || at[0] != TR__PROTO_KEY(EVENT_STAT, TR__WIRE_BYTES) || at[1] > 127 || at[1] > *end - at - 2)
        return false;
    *p = at + 2;
    *end = at + 2 + at[1];
    return true;
}

/* The text that a stat refers to, by its number in the builder.  False: it has none. */
static inline bool take_ref(struct tr__xplane_reader *r, struct tr__xplane *plane, uint64_t ref, unsigned char *to)
{
    uint32_t at = tr__numbers_get(&plane->stat_of, ref);
    uint32_t number = at == UINT32_MAX ? TR_NO_STR
                                       : tr__xplane_number(r, plane->stats[at].name, &plane->stats[at].number);
    memcpy(to, &number, sizeof number);
    return number != TR_NO_STR;
}

/* Are these bytes the same?  They are a few, so there is no call. */
static inline bool same_bytes(const unsigned char *a, const unsigned char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i == n;
}

/* Take the number of a stat that starts like the template's. */
static inline bool take_number(struct tr__xplane_reader *r, struct tr__xplane *plane, struct template *f,
                               const struct part *k, const unsigned char **p, const unsigned char *end)
{
    const unsigned char *at = *p, *stat_end = end;
    uint64_t v, *flow;
    if (!short_stat(&at, &stat_end) || (size_t)(stat_end - at) < k->n || !same_bytes(at, f->bytes + k->at, k->n))
        return false;
    at += k->n;
    if (k->kind == REAL) {
        if (stat_end - at != 8)
            return false;
        v = (uint64_t)tr__proto_fixed32(at + 4) << 32 | tr__proto_fixed32(at);
        if ((v >> 52 & 0x7ff) == 0x7ff) /* it has no form in JSON */
            return false;
        at += 8;
    } else if (!(at = tr__proto_varint(at, stat_end, &v)) || at != stat_end || (k->kind == UINT && v > INT64_MAX)) {
        return false;
    }
    *p = stat_end;
    if (k->kind == REF)
        return take_ref(r, plane, v, f->event.values + k->value);
    memcpy(f->event.values + k->value, &v, 8);
    if (k->use == TR__STAT_CORRELATION) {
        if (f->correlated != (v != 0) || (v && !tr__event_template_plain_link((int64_t)v)))
            return false;
        f->correlation = v;
    } else if (k->use != TR__STAT_ARG && (flow = flow_number(&f->flow, k->use)) != NULL) {
        *flow = v;
    }
    return true;
}

/* Are these stats like those of a template?  Then its numbers become those of the stats. */
static inline bool agrees(struct tr__xplane_reader *r, struct tr__xplane *plane, struct template *f,
                          const unsigned char *p, const unsigned char *end)
{
    for (size_t i = 0; i < f->n_parts; i++) {
        const struct part *k = &f->parts[i];
        if (k->kind != SAME) {
            if (!take_number(r, plane, f, k, &p, end))
                return false;
        } else if ((size_t)(end - p) < k->n || memcmp(p, f->bytes + k->at, k->n) != 0) {
            return false;
        } else {
            p += k->n;
        }
    }
    return p == end;
}

/* The start of an event, if it is as usual: its kind, offset and duration; its stats follow at *p. */
static inline bool head_of(const unsigned char **at, const unsigned char *end, uint64_t *meta, uint64_t *offset,
                           uint64_t *dur)
{
    const unsigned char *p = *at;
    *offset = *dur = 0;
    if (end - p < 2 || *p++ != TR__PROTO_KEY(EVENT_META, TR__WIRE_VARINT) || !tr__proto_take(&p, end, meta))
        return false;
    if (p < end && *p == TR__PROTO_KEY(EVENT_OFFSET, TR__WIRE_VARINT) && (p++, !tr__proto_take(&p, end, offset)))
        return false;
    if (p < end && *p == TR__PROTO_KEY(EVENT_DURATION, TR__WIRE_VARINT) && (p++, !tr__proto_take(&p, end, dur)))
        return false;
    *at = p;
    return true;
}

static enum tr_status emit(struct tr__xplane_reader *r, struct tr__xplane *p, struct template *f,
                           const struct tr__event_template_times *when)
{
    uint64_t record = r->n_events++;
    r->n_work += f->work;
    r->n_with_op += f->work && f->with_op;
    if (!tr__event_template_add(r->g, &f->event, when, record, (int64_t)f->correlation))
        return tr_fail_memory(r->err);
    if (!f->flows)
        return TR_OK;
    const struct tr__xplane_touched at = { p, f->line, when->ts, when->ts_ps, record };
    return tr__xplane_keep_flows(r, &f->flow, &at);
}

bool tr__xplane_from_template(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                              struct tr__proto event, enum tr_status *st)
{
    const unsigned char *at = event.p;
    uint64_t meta, offset, dur;
    struct tr__event_template_times when;
    if (!r->templates || !head_of(&at, event.end, &meta, &offset, &dur))
        return false;
    struct template *const *set = r->templates->templates[meta % SETS];
    for (size_t i = 0; i < WAYS && set[i]; i++) {
        if (set[i]->meta_number != meta || set[i]->line != line || !agrees(r, p, set[i], at, event.end))
            continue;
        if (!tr__xplane_times(line, (int64_t)offset, (int64_t)dur, &when))
            return false;
        tr__ingest_stands(r->g, tr__window_offset(&r->w));
        *st = emit(r, p, set[i], &when);
        return true;
    }
    return false;
}

/* ---- an event becomes a template ---- */

/* The bytes that a value takes in the row of its event. */
static size_t size_of(const struct tr__xplane_value *v)
{
    double real = v->field == STAT_DOUBLE ? tr__proto_real(&v->value) : 0;
    bool number = v->field == STAT_DOUBLE || v->field == STAT_UINT || v->field == STAT_INT;
    return !number ? 4 : real - real == 0 ? 8 : 0;
}

/*
 * May the number of a stat differ, or the text that it refers to?  Else it is SAME.  used: bytes of its field before
 * the number, which ends at end.
 */
static enum part_kind kind_of(const struct tr__xplane_value *v, const unsigned char *p, const unsigned char *end,
                              size_t *used)
{
    const unsigned char *from = p;
    uint64_t name, n;
    unsigned key = v->field << 3 | (v->field == STAT_DOUBLE ? TR__WIRE_64 : TR__WIRE_VARINT);
    struct tr__xplane_flow none;
    bool may = v->stat->use == TR__STAT_ARG || v->stat->use == TR__STAT_CORRELATION ||
               flow_number(&none, v->stat->use);
    if (!may || !size_of(v) || !short_stat(&p, &end) || end - p < 2 ||
        *p++ != TR__PROTO_KEY(STAT_NAME, TR__WIRE_VARINT) || !tr__proto_take(&p, end, &name) || p == end ||
        *p++ != key)
        return SAME;
    *used = (size_t)(p - from);
    if (v->field == STAT_DOUBLE)
        return v->stat->use == TR__STAT_ARG && end - p == 8 ? REAL : SAME;
    if (!tr__proto_take(&p, end, &n) || p != end || (v->field == STAT_UINT && n > INT64_MAX))
        return SAME;
    if (v->field == STAT_REF)
        return v->stat->use == TR__STAT_ARG ? REF : SAME;
    return v->field == STAT_UINT ? UINT : v->field == STAT_INT ? INT : SAME;
}

/* Take the stats of an event, whose values the reader has gathered.  False: they cannot all be kept. */
static bool take_stats(const struct tr__xplane_reader *r, const struct tr__xplane_event *e, struct template *f,
                       const unsigned char *p, const unsigned char *end)
{
    size_t value = e->meta->whole == TR_NO_STR ? 0 : 4, i = 0, n_bytes = 0;
    const unsigned char *field = p;
    struct tr__proto m = tr__proto_of(p, (size_t)(end - p));
    if (end - p > MAX_BYTES)
        return false;
    for (; tr__proto_next(&m); field = m.p, i++) {
        size_t used = 0, n = (size_t)(m.p - field);
        struct part *last = f->n_parts ? &f->parts[f->n_parts - 1] : NULL;
        if (!tr__proto_is(&m, EVENT_STAT, TR__WIRE_BYTES) || i >= r->n_own_values || f->n_parts >= MAX_STATS)
            return false;
        const struct tr__xplane_value *v = &r->values[i];
        enum part_kind kind = kind_of(v, field, m.p, &used);
        bool joins = kind == SAME && last && last->kind == SAME;
        const unsigned char *from = kind == SAME ? field : field + 2; /* without the key and the length of the field */
        n = kind == SAME ? n : used - 2;
        memcpy(f->bytes + n_bytes, from, n);
        if (joins)
            last->n = (uint8_t)(last->n + n);
        else
            f->parts[f->n_parts++] = (struct part){ (uint8_t)n_bytes, (uint8_t)n, (uint8_t)kind, v->stat->use,
                                                    (uint8_t)value };
        n_bytes += n;
        value += size_of(v);
        if (value > f->event.n_values)
            return false;
    }
    return !m.bad && i == r->n_own_values;
}

/* The oldest template of a set, to be replaced; NULL: out of memory, and the event is no template. */
static struct template *place_for(struct tr__xplane_reader *r, uint64_t meta)
{
    if (!r->templates && !(r->templates = calloc(1, sizeof *r->templates)))
        return NULL;
    uint8_t *next = &r->templates->next[meta % SETS];
    struct template **f = &r->templates->templates[meta % SETS][*next];
    if (!*f && !(*f = malloc(sizeof **f)))
        return NULL;
    *next = (uint8_t)((*next + 1) % WAYS);
    return *f;
}

void tr__xplane_keep_form(struct tr__xplane_reader *r, const struct tr__xplane_event *e, bool work)
{
    const unsigned char *p = e->stats.p;
    uint64_t meta, offset, dur;
    if (!e->meta || !e->timed || (e->correlated && !tr__event_template_plain_link((int64_t)e->correlation)) ||
        !head_of(&p, e->stats.end, &meta, &offset, &dur))
        return;
    struct template *f = place_for(r, meta);
    if (!f)
        return;
    f->line = NULL;
    f->n_parts = 0;
    if (!tr__event_template_of(r->g, &f->event) || !take_stats(r, e, f, p, e->stats.end))
        return;
    f->meta_number = meta;
    f->work = work;
    f->with_op = e->hlo_op.s != NULL;
    f->correlated = e->correlated;
    f->correlation = e->correlation;
    f->flow = e->flow;
    f->flows = tr__xplane_has_flows(&e->flow);
    f->line = e->line;
}
