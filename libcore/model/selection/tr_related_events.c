/* SPDX-License-Identifier: MIT */
/* Selection with context: passes over the input, children, launch links, parents. */
#include "model/selection/tr_related_events.h"

#include "base/tr_mem.h"
#include "model/selection/tr_related_events_int.h"
#include "model/tr_eventmap.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

/* Events without duration on a track at its present ts; a span that starts there encloses them. */
struct moment {
    int64_t ts;
    bool kept;       /* one of them is kept: the span encloses it */
    bool parents;    /* and the parents of one of these are kept */
    uint64_t *loose; /* positions of those that no chosen span encloses yet */
    size_t n, cap;
};

struct tr_related_marks {
    struct tr_related_opts opts;
    enum tr_related_pass pass;
    uint64_t at; /* place in the stream of the next batch's first event */
    uint64_t chosen;
    struct tr__bits keep;
    struct tr__within *within; /* by test */
    struct tr_eventmap wanted;      /* launches to keep because of their device work */
    struct tr_eventmap launches;    /* kept launches whose device work is kept, too */
    struct tr_open_spans *nest;     /* all spans; tag: place, root: chosen, mark: kept as parent */
    struct tr_open_spans *annotations; /* these only; mark: kept */
    struct moment *moments;      /* by track */
    size_t n_moments, cap_moments;
    struct tr__closure closure;
    uint8_t *mask; /* of the current batch */
    int64_t *launch_record;
    size_t cap_mask, cap_launch;
};

/* Is another pass needed, to find the events that belong to linked events? */
static bool marks_later(const struct tr_related_marks *c)
{
    return c->opts.closure || (c->opts.linked && c->opts.parents);
}

static bool uses_links(const struct tr_related_marks *c)
{
    return c->opts.closure || c->opts.linked;
}

static size_t n_tests(const struct tr_related_marks *c)
{
    return c->opts.n_within + c->opts.n_outside;
}

enum tr_status tr_related_new(struct tr_related_marks **out, const struct tr_related_opts *opts, struct tr_error *err)
{
    struct tr_related_marks *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return tr_fail_memory(err);
    c->opts = *opts;
    c->pass = TR_RELATED_WRITE;
    if (opts->children || opts->linked || opts->parents || opts->closure)
        c->pass = TR_RELATED_SELECT;
    if (n_tests(c))
        c->pass = TR_RELATED_WINDOWS;
    c->within = calloc(n_tests(c) + 1, sizeof *c->within);
    if (!c->within) {
        free(c);
        return tr_fail_memory(err);
    }
    *out = c;
    return TR_OK;
}

static void free_spans(struct tr_related_marks *c)
{
    tr_open_spans_free(c->nest);
    tr_open_spans_free(c->annotations);
    c->nest = c->annotations = NULL;
    for (size_t k = 0; k < c->n_moments; k++)
        free(c->moments[k].loose);
    free(c->moments);
    c->moments = NULL;
    c->n_moments = c->cap_moments = 0;
}

void tr_related_free(struct tr_related_marks *c)
{
    if (!c)
        return;
    free_spans(c);
    free(c->keep.words);
    for (size_t k = 0; k < n_tests(c); k++)
        tr__within_free(&c->within[k]);
    free(c->within);
    tr_eventmap_free(&c->wanted);
    tr_eventmap_free(&c->launches);
    tr__closure_free(&c->closure);
    free(c->mask);
    free(c->launch_record);
    free(c);
}

enum tr_related_pass tr_related_pass(const struct tr_related_marks *c)
{
    return c->pass;
}

uint64_t tr_related_chosen(const struct tr_related_marks *c)
{
    return c->chosen;
}

/* --- properties of an event ------------------------------------------------------------------- */

static uint32_t source_of(const struct tr_batch *b, size_t i)
{
    return b->dict->tracks[b->track[i]].source;
}

/* Is it device work whose launch is known?  Waits have a launch, too, but it did not launch them. */
static bool has_launch(const struct tr_batch *b, size_t i)
{
    return (b->flags[i] & TR_HAS_LAUNCH) && tr_is_device_work(b->activity[i]);
}

/* Is it kept because it is linked with a kept event? */
static bool kept_by_link(const struct tr_related_marks *c, const struct tr_batch *b, size_t i)
{
    if ((b->flags[i] & TR_HAS_DEVICE) && tr_eventmap_has(&c->wanted, source_of(b, i), b->record[i]))
        return true;
    return has_launch(b, i) &&
           tr_eventmap_has(&c->launches, source_of(b, i), (uint64_t)c->launch_record[i]);
}

/* Record the link of a chosen event. */
static bool note_links(struct tr_related_marks *c, const struct tr_batch *b, size_t i)
{
    if (has_launch(b, i) &&
        !tr_eventmap_put(&c->wanted, source_of(b, i), (uint64_t)c->launch_record[i], 0))
        return false;
    return !c->opts.linked || !(b->flags[i] & TR_HAS_DEVICE) ||
           tr_eventmap_put(&c->launches, source_of(b, i), b->record[i], 0);
}

static bool load_links(struct tr_related_marks *c, const struct tr_batch *b)
{
    if (!uses_links(c))
        return true;
    if (!tr_grow(&c->launch_record, &c->cap_launch, b->n, sizeof *c->launch_record))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, -1, c->launch_record);
    return true;
}

static struct moment *moment_at(struct tr_related_marks *c, uint32_t track, int64_t ts)
{
    size_t want = (size_t)track + 1, old = c->n_moments;
    if (want > old) {
        if (!tr_grow(&c->moments, &c->cap_moments, want, sizeof *c->moments))
            return NULL;
        c->n_moments = c->cap_moments;
        memset(c->moments + old, 0, (c->n_moments - old) * sizeof *c->moments);
    }
    struct moment *m = &c->moments[track];
    if (m->ts != ts) {
        m->ts = ts;
        m->kept = m->parents = false;
        m->n = 0;
    }
    return m;
}

/* --- parents and closure: around a kept event ------------------------------------------------- */

/* Keep all open spans from now on; below a span that is already marked, all are marked. */
static void keep_open(struct tr_related_marks *c, struct tr_open_spans_track *t)
{
    for (size_t k = t->len; k-- && !t->spans[k].mark;) {
        t->spans[k].mark = true;
        if (!t->spans[k].closed)
            tr__bits_set(&c->keep, t->spans[k].tag & ~TR__UNDECIDED);
    }
}

static bool keep_around(struct tr_related_marks *c, const struct tr_batch *b, size_t i,
                        struct tr_open_spans_track *open, bool parents)
{
    if (parents)
        keep_open(c, open);
    if (c->opts.closure) {
        struct tr_open_spans_track *t = tr_open_spans_at(c->annotations, b->track[i], tr_span_inner_start(b, i));
        if (!t || !tr__closure_keep_track(&c->closure, b->track[i]))
            return false;
        keep_open(c, t);
    }
    return true;
}

/* --- one event of the passes that follow spans ------------------------------------------------ */

static bool is_annotation(const struct tr_batch *b, size_t i)
{
    return b->activity[i] == TR_ACT_ANNOTATION || b->activity[i] == TR_ACT_DEVICE_ANNOTATION;
}

/* Children: chosen is what the filter chose.  *keep comes as that and leaves with what spans add.
 */
static bool take_in(struct tr_related_marks *c, struct moment *m, const struct tr_open_spans_track *open, int64_t ts,
                    int64_t end, bool *keep, uint64_t at)
{
    bool chosen = *keep;
    *keep |= tr_open_spans_in_root(open);
    if (end == TR_TIME_NONE) {
        if (*keep)
            return true;
        if (!tr_grow(&m->loose, &m->cap, m->n + 1, sizeof *m->loose))
            return false;
        m->loose[m->n++] = at;
    } else if (chosen && end > ts) {
        for (size_t k = 0; k < m->n; k++)
            tr__bits_set(&c->keep, m->loose[k]);
        m->n = 0;
    }
    return true;
}

/* Open a span for what follows. */
static bool open_span(struct tr_related_marks *c, const struct tr_batch *b, size_t i, uint64_t at,
                      struct tr_open_spans_track *open, int64_t end, bool root)
{
    bool annotation = is_annotation(b, i);
    uint64_t tag = at;
    if (c->pass == TR_RELATED_MARK && c->opts.closure) {
        if (c->opts.parents || annotation)
            tag |= TR__UNDECIDED;
        if (!tr__closure_span(&c->closure, b->track[i], tag, &c->keep))
            return false;
    }
    if (end <= b->ts[i])
        return true;
    if (c->annotations && annotation) {
        struct tr_open_spans_track *t = tr_open_spans_at(c->annotations, b->track[i], tr_span_inner_start(b, i));
        if (!t || !tr_open_spans_push(t, b->ts[i], end, tag, false))
            return false;
    }
    return tr_open_spans_push(open, b->ts[i], end, tag, root);
}

/* Enter a flow event; the track that it is for may be another one than its own. */
static bool enter_flow(struct tr_related_marks *c, const struct tr_batch *b, size_t i, uint64_t at)
{
    uint32_t track = tr__closure_flow_track(&c->closure, b->track[i]);
    if (track != b->track[i]) {
        const struct tr_open_spans_track *open = tr_open_spans_peek(c->nest, track);
        if (!open || !tr__closure_move(&c->closure, track, b->ts[i], &c->keep, open) ||
            !tr_open_spans_at(c->nest, track, b->ts[i]))
            return false;
    }
    return tr__closure_flow(&c->closure, b, i, at);
}

/* Follow an event with ts through the spans of its track.  parents: they are wanted if it is kept. */
static bool follow(struct tr_related_marks *c, const struct tr_batch *b, size_t i, uint64_t at, bool keep, bool parents)
{
    bool marking = c->pass == TR_RELATED_MARK || !marks_later(c);
    bool chosen = keep;
    int64_t ts = b->ts[i], end = tr_span_inner_end(b, i);
    struct tr_open_spans_track *open = tr_open_spans_peek(c->nest, b->track[i]);
    struct moment *m = moment_at(c, b->track[i], ts);
    if (!open || !m)
        return false;
    bool closing = c->pass == TR_RELATED_MARK && c->opts.closure;
    if (closing && !tr__closure_move(&c->closure, b->track[i], ts, &c->keep, open))
        return false;
    open = tr_open_spans_at(c->nest, b->track[i], tr_span_inner_start(b, i));
    if (c->pass == TR_RELATED_SELECT) {
        if (c->opts.children && !take_in(c, m, open, ts, end, &keep, at))
            return false;
        if (keep && uses_links(c) && !note_links(c, b, i))
            return false;
    }
    if (keep)
        tr__bits_set(&c->keep, at);
    if (keep && marking && !keep_around(c, b, i, open, parents))
        return false;
    if (end == TR_TIME_NONE) {
        m->kept |= keep;
        m->parents |= keep && parents;
        bool flow = b->phase[i] >= TR_FLOW_START && b->phase[i] <= TR_FLOW_END;
        return !closing || !flow || enter_flow(c, b, i, at);
    }
    if (!open_span(c, b, i, at, open, end, c->pass == TR_RELATED_SELECT && chosen))
        return false;
    /* Kept moments at this ts came first and now have one more span around them. */
    return !marking || !m->kept || end <= ts || keep_around(c, b, i, open, m->parents);
}

/* Keep an event without ts, or any event if the selection does not need spans. */
static bool keep_timeless(struct tr_related_marks *c, const struct tr_batch *b, size_t i, uint64_t at)
{
    tr__bits_set(&c->keep, at);
    if (c->pass == TR_RELATED_SELECT)
        return !uses_links(c) || note_links(c, b, i);
    return !c->opts.closure || tr__closure_keep_track(&c->closure, b->track[i]);
}

static bool scan_events(struct tr_related_marks *c, const struct tr_batch *b, const uint8_t *mask)
{
    bool spans = c->pass == TR_RELATED_MARK || c->opts.children || c->opts.parents;
    bool closing = c->pass == TR_RELATED_MARK && c->opts.closure;
    if (!load_links(c, b) ||
        (c->pass == TR_RELATED_SELECT && c->opts.closure && !tr__closure_note_work(&c->closure, b)) ||
        (closing && ((!c->closure.flow_tracks && !tr__closure_start(&c->closure, b->dict)) ||
                     !tr__closure_batch(&c->closure, b))))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        uint64_t at = c->at + i;
        bool found = c->pass == TR_RELATED_SELECT ? mask[i] : tr__bits_get(&c->keep, at);
        bool keep = found || (c->pass == TR_RELATED_MARK && kept_by_link(c, b, i));
        if (spans && b->ts[i] != TR_TIME_NONE) {
            /* events that only the closure adds come after the parents */
            bool parents = c->opts.parents && (c->pass == TR_RELATED_SELECT || found || c->opts.linked);
            if (!follow(c, b, i, at, keep, parents))
                return false;
        } else if (keep && !keep_timeless(c, b, i, at)) {
            return false;
        }
    }
    c->at += b->n;
    return true;
}

/* --- passes ----------------------------------------------------------------------------------- */

/* The chosen events up to the limit: those of the filter for which all tests hold. */
static bool choose(struct tr_related_marks *c, const struct tr_batch *b, uint8_t *mask)
{
    for (size_t k = 0; k < n_tests(c); k++)
        if (!tr__within_narrow(&c->within[k], b, k >= c->opts.n_within, mask))
            return false;
    for (size_t i = 0; i < b->n; i++) {
        mask[i] = mask[i] && c->chosen < c->opts.max;
        c->chosen += mask[i];
    }
    return true;
}

static bool room_for(struct tr_related_marks *c, const struct tr_batch *b)
{
    size_t old = c->keep.cap, want = (size_t)((c->at + b->n) / 64) + 1;
    if (!tr_grow(&c->keep.words, &c->keep.cap, want, sizeof *c->keep.words) ||
        !tr_grow(&c->mask, &c->cap_mask, b->n, 1))
        return false;
    memset(c->keep.words + old, 0, (c->keep.cap - old) * sizeof *c->keep.words);
    if (!c->nest)
        c->nest = tr_open_spans_new();
    if (!c->annotations && c->opts.closure)
        c->annotations = tr_open_spans_new();
    return c->nest && (c->annotations || !c->opts.closure);
}

enum tr_status tr_related_window(struct tr_related_marks *c, size_t test, const struct tr_batch *b, const uint8_t *mask,
                                 struct tr_error *err)
{
    return tr__within_add(&c->within[test], b, mask) ? TR_OK : tr_fail_memory(err);
}

bool tr_related_window_found(const struct tr_related_marks *c, size_t test)
{
    return c->within[test].n_groups > 0;
}

enum tr_status tr_related_scan(struct tr_related_marks *c, const struct tr_batch *b, const uint8_t *mask,
                               struct tr_error *err)
{
    bool ok = room_for(c, b);
    if (ok && c->pass == TR_RELATED_SELECT) {
        memcpy(c->mask, mask, b->n);
        ok = choose(c, b, c->mask);
    }
    return ok && scan_events(c, b, c->mask) ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_related_end(struct tr_related_marks *c, const struct tr_dict *dict, struct tr_error *err)
{
    switch (c->pass) {
    case TR_RELATED_WINDOWS:
        c->pass = c->opts.children || c->opts.linked || c->opts.parents || c->opts.closure ? TR_RELATED_SELECT
                                                                                           : TR_RELATED_WRITE;
        break;
    case TR_RELATED_SELECT:
        c->pass = marks_later(c) ? TR_RELATED_MARK : TR_RELATED_WRITE;
        break;
    default:
        if (c->opts.closure && c->nest && !tr__closure_end(&c->closure, dict, c->nest, &c->keep))
            return tr_fail_memory(err);
        c->pass = TR_RELATED_WRITE;
        break;
    }
    free_spans(c);
    c->at = 0;
    return TR_OK;
}

bool tr_related_apply_needs_mask(const struct tr_related_marks *c)
{
    return !(c->opts.children || c->opts.linked || c->opts.parents || c->opts.closure);
}

enum tr_status tr_related_apply(struct tr_related_marks *c, const struct tr_batch *b, uint8_t *mask,
                                struct tr_error *err)
{
    if (tr_related_apply_needs_mask(c))
        return choose(c, b, mask) ? TR_OK : tr_fail_memory(err);
    if (!load_links(c, b))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        uint64_t at = c->at + i;
        mask[i] = at / 64 < c->keep.cap && tr__bits_get(&c->keep, at);
        if (!mask[i] && uses_links(c))
            mask[i] = kept_by_link(c, b, i);
        if (!mask[i] && c->opts.closure)
            mask[i] = tr__closure_wants_meta(&c->closure, b, i);
    }
    c->at += b->n;
    return TR_OK;
}
