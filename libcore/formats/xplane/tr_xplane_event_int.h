/* SPDX-License-Identifier: MIT */
/* An event of XPlane, while it is read.  Internal to libcore/formats/xplane. */
#ifndef TR_XPLANE_EVENT_INT_H
#define TR_XPLANE_EVENT_INT_H

#include "formats/xplane/tr_xplane_int.h"
#include "ingest/tr_event_template_int.h"

enum { EVENT_META = 1, EVENT_OFFSET = 2, EVENT_DURATION = 3, EVENT_STAT = 4, EVENT_OCCURRENCES = 5 };

/* The flows that an event is part of, by its stats. */
struct tr__xplane_flow {
    bool has_made, has_taken;
    uint64_t made_type, made, taken_type, taken; /* what it hands on, and what it takes */
    uint64_t flow; /* 0: none */
};

/* An event, and the data in its stats. */
struct tr__xplane_event {
    struct tr__xplane *plane;
    const struct tr__xplane_line *line;
    struct tr__xplane_meta *meta; /* NULL: not in the file */
    uint64_t meta_number;
    struct tr__event_template_times when;
    bool timed;
    uint8_t doubts;         /* of its own fields: enum tr__xplane_doubt */
    struct tr__proto stats; /* the event; its stats are among the fields */
    uint64_t mark;          /* its number among all that this reader has passed on, from 1 */
    uint64_t record;        /* its number, from 0 */
    bool correlated, is_kernel, is_copy, is_memset, is_step;
    bool named_op; /* hlo_op is the name of the event, not a stat */
    uint64_t correlation;
    int64_t step, program;
    struct tr_str hlo_op, hlo_module;
    struct tr__xplane_flow flow;
};

/* The text of a stat; NULL: it is none. */
static inline struct tr_str tr__xplane_text(const struct tr__xplane_reader *r, const struct tr__xplane_value *v)
{
    if (v->field == STAT_TEXT && v->value.len)
        return (struct tr_str){ (const char *)v->value.data, v->value.len };
    return tr__xplane_str(r, v->field == STAT_REF ? v->ref : TR_NO_STR);
}

/* Pass on the args of the event.  False: out of memory. */
bool tr__xplane_args(struct tr__xplane_reader *r, const struct tr__xplane_event *e);

/* Picoseconds after a time in ns.  False: beyond 64 bits. */
static inline bool tr__xplane_add_ps(int64_t ns, int64_t ps, int64_t *to, unsigned *rest)
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

/* Times of an event, from picoseconds.  False: beyond 64 bits, or a negative duration. */
static inline bool tr__xplane_times(const struct tr__xplane_line *line, int64_t offset, int64_t dur,
                                    struct tr__event_template_times *to)
{
    return dur >= 0 && tr__xplane_add_ps(line->start_ns, offset, &to->ts, &to->ts_ps) &&
           tr__xplane_add_ps(0, dur, &to->dur, &to->dur_ps);
}

/* Pass on an event whose bytes agree with a template.  False: there is none, and nothing was done. */
bool tr__xplane_from_template(struct tr__xplane_reader *r, struct tr__xplane *p, const struct tr__xplane_line *line,
                              struct tr__proto event, enum tr_status *st);
/* The last event that was passed on becomes a template, if others may be like it.  work: of a GPU, a kernel */
void tr__xplane_keep_form(struct tr__xplane_reader *r, const struct tr__xplane_event *e, bool work);

struct tr_ingest_track tr__xplane_track(struct tr__xplane_reader *r, struct tr__xplane *p,
                                        const struct tr__xplane_line *line);

/* Where an event stands that flows touch. */
struct tr__xplane_touched {
    const struct tr__xplane *plane;
    const struct tr__xplane_line *line;
    int64_t ts; /* ns */
    unsigned ts_ps;
    uint64_t record; /* as in struct tr__xplane_event */
};

static inline bool tr__xplane_has_flows(const struct tr__xplane_flow *f)
{
    return f->has_made || f->has_taken || f->flow;
}
/* Keep the flows of an event, which has a time, until all events are passed on. */
enum tr_status tr__xplane_keep_flows(struct tr__xplane_reader *r, const struct tr__xplane_flow *f,
                                     const struct tr__xplane_touched *e);

#endif
