/* SPDX-License-Identifier: MIT */
/* Which spans of a host thread were open at each moment. */
#include "model/calls/tr_host_history.h"

#include "base/tr_mem.h"
#include "model/tr_open_spans.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

/* An open span, and the state while it is the innermost one. */
struct open {
    int64_t end;
    int64_t min;  /* the smallest end among this span and those before it */
    uint32_t own; /* its name */
    uint32_t name, frame;
    uint8_t doing;
    uint8_t kind; /* see below */
};

/* The properties of a name, found once. */
enum { KNOWN = 1 << 7, STEP = 1 << 6, DOES = 1 << 5, DOING = 3 };
/* The properties of a span: the same bits, and FRAME for steps and Python frames. */
enum { FRAME = STEP };

struct line {
    struct open *open;
    size_t n, cap;
    struct tr_host_moment *moments; /* ascending; those before the first that counts were forgotten */
    size_t first, n_moments, cap_moments;
};

struct tr_host_history {
    const struct tr_dict *dict;
    struct line *lines; /* by track */
    size_t n, cap;
    uint8_t *names; /* by string */
    size_t n_names, cap_names;
};

struct tr_host_history *tr_host_history_new(const struct tr_dict *dict)
{
    struct tr_host_history *h = calloc(1, sizeof *h);
    if (h)
        h->dict = dict;
    return h;
}

void tr_host_history_free(struct tr_host_history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n; i++) {
        free(h->lines[i].open);
        free(h->lines[i].moments);
    }
    free(h->lines);
    free(h->names);
    free(h);
}

static struct line *line_of(struct tr_host_history *h, uint32_t track)
{
    if (!tr_grow(&h->lines, &h->cap, (size_t)track + 1, sizeof *h->lines))
        return NULL;
    for (; h->n <= track; h->n++)
        memset(&h->lines[h->n], 0, sizeof *h->lines);
    return &h->lines[track];
}

/* ---- what spans are ---- */

static uint8_t bits_of(const struct tr_names *own, struct tr_str name)
{
    unsigned roles = tr_roles_of(own, name.s, name.len);
    unsigned step = roles & TR_NAMED_STEP ? STEP : 0;
    if (roles & TR_NAMED_DATA_LOADING)
        return (uint8_t)(KNOWN | step | DOES | TR_HOST_LOADS_DATA);
    if (roles & TR_NAMED_HOST_COLLECTIVE)
        return (uint8_t)(KNOWN | step | DOES | TR_HOST_IN_COLLECTIVE);
    if (roles & TR_NAMED_SYNC)
        return (uint8_t)(KNOWN | step | DOES | TR_HOST_WAITS_FOR_DEVICE);
    return (uint8_t)(KNOWN | step);
}

/* The bits of a name; 0: out of memory. */
static uint8_t name_bits(struct tr_host_history *h, uint32_t name)
{
    if (name == TR_NO_STR)
        return KNOWN;
    if (!tr_grow(&h->names, &h->cap_names, (size_t)name + 1, 1))
        return 0;
    if (h->n_names <= name) {
        memset(h->names + h->n_names, 0, name + 1 - h->n_names);
        h->n_names = (size_t)name + 1;
    }
    if (!h->names[name])
        h->names[name] = bits_of(h->dict->names, tr_dict_text(h->dict, name));
    return h->names[name];
}

/* The properties of a span.  Only calls wait for devices, only annotations are steps, and frames can only load data. */
static uint8_t span_bits(uint8_t of_name, unsigned activity)
{
    bool api = activity == TR_ACT_RUNTIME_API || activity == TR_ACT_DRIVER_API;
    if (activity == TR_ACT_PYTHON)
        return (uint8_t)(FRAME | ((of_name & DOING) == TR_HOST_LOADS_DATA ? of_name & (DOES | DOING) : 0));
    if (activity == TR_ACT_HOST_COMM)
        return DOES | TR_HOST_IN_COLLECTIVE;
    uint8_t bits = of_name & (DOES | DOING);
    if ((bits & DOING) == TR_HOST_WAITS_FOR_DEVICE && !api)
        bits = 0;
    return (uint8_t)(bits | (activity == TR_ACT_ANNOTATION ? of_name & STEP : 0));
}

/* ---- moments ---- */

/* Compute the state with the span at a place from the state below it. */
static void derive(struct line *l, size_t at)
{
    struct open *o = &l->open[at];
    const struct open *below = at ? &l->open[at - 1] : NULL;
    o->name = o->kind & FRAME ? (below ? below->name : TR_NO_STR) : o->own;
    o->frame = o->kind & FRAME ? o->own : below ? below->frame : TR_NO_STR;
    o->doing = o->kind & DOES ? o->kind & DOING : below ? below->doing : (uint8_t)TR_HOST_BUSY;
    o->min = below && below->min < o->end ? below->min : o->end;
}

/* Add the state from a time on, which is that of the last open span.  False: out of memory. */
static bool note(struct line *l, int64_t at)
{
    struct tr_host_moment m = { at, TR_NO_STR, TR_NO_STR, TR_HOST_BUSY };
    if (l->n)
        m = (struct tr_host_moment){ at, l->open[l->n - 1].name, l->open[l->n - 1].frame,
                                     (enum tr_host_doing)l->open[l->n - 1].doing };
    if (l->n_moments > l->first) {
        struct tr_host_moment *last = &l->moments[l->n_moments - 1];
        if (last->name == m.name && last->frame == m.frame && last->doing == m.doing)
            return true;
        if (last->at == at) {
            *last = m;
            return true;
        }
    }
    if (!tr_grow(&l->moments, &l->cap_moments, l->n_moments + 1, sizeof *l->moments))
        return false;
    l->moments[l->n_moments++] = m;
    return true;
}

/* Close the spans that have ended by a time.  False: out of memory. */
static bool advance(struct line *l, int64_t to)
{
    while (l->n && l->open[l->n - 1].min <= to) {
        int64_t end = l->open[l->n - 1].min;
        size_t from = l->n;
        while (from && l->open[from - 1].min == end)
            from--; /* the first that has it is the one that ends */
        size_t keep = from;
        for (size_t k = from; k < l->n; k++)
            if (l->open[k].end != end)
                l->open[keep++] = l->open[k];
        l->n = keep;
        for (size_t k = from; k < keep; k++)
            derive(l, k);
        if (!note(l, end))
            return false;
    }
    return true;
}

bool tr_host_history_enter(struct tr_host_history *h, const struct tr_batch *b, size_t i)
{
    struct line *l = line_of(h, b->track[i]);
    int64_t end = tr_span_end(b, i);
    uint8_t bits = name_bits(h, b->name[i]);
    if (!l || !bits || !advance(l, b->ts[i]))
        return false;
    if (end == TR_TIME_NONE || end <= b->ts[i])
        return true;
    if (!tr_grow(&l->open, &l->cap, l->n + 1, sizeof *l->open))
        return false;
    l->open[l->n++] = (struct open){ .end = end, .own = b->name[i], .kind = span_bits(bits, b->activity[i]) };
    derive(l, l->n - 1);
    return note(l, b->ts[i]);
}

/* The last moment that is not after a time; first if all are. */
static size_t moment_at(const struct line *l, int64_t at)
{
    size_t low = l->first, high = l->n_moments;
    while (low + 1 < high) {
        size_t mid = low + (high - low) / 2;
        if (l->moments[mid].at <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

bool tr_host_history_walk(struct tr_host_history *h, uint32_t track, int64_t from, int64_t to, tr_host_see *see,
                          void *self)
{
    const struct tr_host_moment nothing = { INT64_MIN, TR_NO_STR, TR_NO_STR, TR_HOST_BUSY };
    struct line *l = line_of(h, track);
    if (!l || !advance(l, to))
        return false;
    size_t k = moment_at(l, from);
    while (from < to) {
        bool known = k < l->n_moments && l->moments[k].at <= from;
        size_t next = known ? k + 1 : k;
        int64_t until = next < l->n_moments && l->moments[next].at < to ? l->moments[next].at : to;
        if (!see(self, known ? &l->moments[k] : &nothing, until - from))
            return false;
        from = until;
        k = next;
    }
    return true;
}

void tr_host_history_forget(struct tr_host_history *h, uint32_t track, int64_t before)
{
    struct line *l = track < h->n ? &h->lines[track] : NULL;
    if (!l || l->first == l->n_moments)
        return;
    l->first = moment_at(l, before);
    if (l->first < 64 || l->first < l->n_moments / 2)
        return;
    l->n_moments -= l->first;
    memmove(l->moments, l->moments + l->first, l->n_moments * sizeof *l->moments);
    l->first = 0;
}
