/* SPDX-License-Identifier: MIT */
/* The parts of tr-filter --split. */
#include "filter/filter_split.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_MEMORY (16u << 20) /* bytes that a part may need while its events wait */
#define MAX_OPEN   64u          /* parts of one reading: each has a temporary file */

enum { NO_PART = UINT32_MAX, EACH_PART = UINT32_MAX - 1 };

struct part {
    struct filter_out out;
    bool started;
    uint64_t n; /* events, without metadata */
};

enum tr_status filter_split_parse(void *field, const char *value, struct tr_error *err)
{
    static const char *const names[] = { [SPLIT_RANK] = "rank", [SPLIT_STEP] = "step", [SPLIT_PHASE] = "phase" };
    struct filter_split_by *by = field;
    for (unsigned i = SPLIT_RANK; i <= SPLIT_PHASE; i++)
        if (strcmp(value, names[i]) == 0) {
            by->what = i;
            return TR_OK;
        }
    if (strncmp(value, "time:", 5) != 0)
        return tr_fail(err, TR_USAGE, "'%.80s' is not one of rank, step, phase, time:TIME", value);
    by->what = SPLIT_TIME;
    return tr_num_time(value + 5, 1, INT64_MAX, &by->length, err);
}

enum tr_status filter_split_names(struct filter_split *s, struct tr_error *err)
{
    s->files.cli = s->cli;
    return cli_split_output_start(&s->files, err);
}

/* ---- the parts of an input ---- */

static bool add_key(struct filter_split *s, int64_t key)
{
    if (!tr_grow(&s->keys, &s->cap_keys, s->n_keys + 1, sizeof *s->keys))
        return false;
    s->keys[s->n_keys++] = key;
    return true;
}

/* Windows from the first time of the selected sources to the last. */
static enum tr_status add_windows(struct filter_split *s, struct tr_error *err)
{
    const struct tr_summary *sum = s->in->summary;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint32_t i = 0; i < sum->n; i++) {
        const struct tr_source_summary *of = &sum->sources[i];
        if (of->first_ts == TR_TIME_NONE || !tr_select_source(s->select, i))
            continue;
        first = of->first_ts < first ? of->first_ts : first;
        last = of->last_end > last ? of->last_end : last;
    }
    s->start = first;
    if (first == INT64_MAX) { /* no event has a time */
        s->start = 0;
        last = 0;
    }
    uint64_t n = ((uint64_t)last - (uint64_t)s->start) / (uint64_t)s->by.length + 1;
    if (n > FILTER_SPLIT_MAX)
        return tr_fail(err, TR_USAGE, "option --split: %" PRIu64 " parts, at most %u are possible", n,
                       FILTER_SPLIT_MAX);
    for (uint64_t i = 0; i < n; i++)
        if (!add_key(s, (int64_t)i))
            return tr_fail_memory(err);
    return TR_OK;
}

static enum tr_status find_keys(struct filter_split *s, struct tr_error *err)
{
    const struct tr_summary *sum = s->in->summary;
    bool ok = true;
    if (s->by.what == SPLIT_TIME)
        return add_windows(s, err);
    for (uint32_t i = 0; ok && i < sum->n; i++) {
        if (!tr_select_source(s->select, i))
            continue;
        if (s->by.what == SPLIT_RANK)
            ok = add_key(s, s->in->dict->sources[i].rank);
        for (size_t k = 0; ok && s->by.what != SPLIT_RANK && k < sum->sources[i].n_steps; k++) {
            const struct tr_step *step = &sum->sources[i].steps[k];
            if (s->by.what == SPLIT_STEP ? tr_select_part_of_step(s->select, i, step) : step->about.phase)
                ok = add_key(s, s->by.what == SPLIT_STEP ? step->number : step->about.phase);
        }
    }
    size_t n = 0;
    if (ok && s->n_keys)
        qsort(s->keys, s->n_keys, sizeof *s->keys, tr_by_i64);
    for (size_t i = 0; i < s->n_keys; i++)
        if (!n || s->keys[n - 1] != s->keys[i])
            s->keys[n++] = s->keys[i];
    s->n_keys = n;
    if (ok && n > FILTER_SPLIT_MAX)
        return tr_fail(err, TR_USAGE, "option --split: %zu parts, at most %u are possible", n, FILTER_SPLIT_MAX);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* The part with a key; NO_PART: there is none. */
static uint32_t find_part(const struct filter_split *s, int64_t key)
{
    const int64_t *at = s->n_keys ? bsearch(&key, s->keys, s->n_keys, sizeof *s->keys, tr_by_i64) : NULL;
    return at ? (uint32_t)(at - s->keys) : NO_PART;
}

static uint32_t part_of_time(const struct filter_split *s, int64_t ts)
{
    if (ts <= s->start)
        return 0;
    uint64_t n = ((uint64_t)ts - (uint64_t)s->start) / (uint64_t)s->by.length;
    return n < s->n_keys ? (uint32_t)n : (uint32_t)s->n_keys - 1; /* an impossible time */
}

/*
 * Metadata events, such as names of threads, belong to each part, or to that of their rank.  Every other event belongs
 * to one part at most; without a time, it is in the first window, but in no step.
 */
static uint32_t part_of(const struct filter_split *s, const struct tr_batch *b, size_t i)
{
    uint32_t source = s->in->dict->tracks[b->track[i]].source;
    int64_t number;
    if (s->by.what == SPLIT_RANK)
        return find_part(s, s->in->dict->sources[source].rank);
    if (b->phase[i] == TR_META)
        return EACH_PART;
    if (s->by.what == SPLIT_TIME)
        return part_of_time(s, b->ts[i]);
    struct tr_step_moment at = tr_step_columns_moment(&s->launched, s->steps, b, i);
    if (s->by.what == SPLIT_PHASE) {
        unsigned phase = tr_steps_phase(s->steps, s->in->dict, at);
        return phase ? find_part(s, phase) : NO_PART;
    }
    return tr_steps_find(s->steps, s->in->dict, at, &number) ? find_part(s, number) : NO_PART;
}

/* ---- one reading ---- */

bool filter_split_more(const struct filter_split *s)
{
    return !s->in || s->to < s->n_keys;
}

static bool keeps_source(void *self, uint32_t source)
{
    const struct filter_split *s = self;
    return tr_select_source(s->select, source);
}

static bool keeps_step(void *self, uint32_t source, const struct tr_step *step)
{
    const struct filter_split *s = self;
    return tr_select_part_of_step(s->select, source, step);
}

enum tr_status filter_split_start(struct filter_split *s, const struct tr_input *in, struct tr_error *err)
{
    bool first = !s->in;
    s->in = in;
    if (!in->sorted) {
        enum tr_status bad = tr_fail(err, TR_DAMAGED, "parts need an ordered stream");
        tr_error_input(err, in->name);
        return bad;
    }
    enum tr_status st = first ? find_keys(s, err) : TR_OK;
    size_t max = cli_max_memory(s->cli) / 2 / PART_MEMORY;
    max = max < 1 ? 1 : max > MAX_OPEN ? MAX_OPEN : max;
    s->from = s->to;
    s->to = s->n_keys - s->from > max ? s->from + max : s->n_keys;
    s->n_parts = s->to - s->from;
    tr_steps_free(s->steps);
    s->steps = tr_steps_new(in->summary);
    s->parts = calloc(s->n_parts + 1, sizeof *s->parts);
    if (st == TR_OK && (!s->steps || !s->parts))
        st = tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < s->n_parts; i++) {
        struct part *p = &s->parts[i];
        p->out = (struct filter_out){ .cli = s->cli, .extracts = true, .keeps = keeps_source, .keeps_step = keeps_step,
                                      .keeps_self = s };
        p->started = true;
        st = filter_out_start(&p->out, in, err);
    }
    return st;
}

/* Pass the events of a batch to one part of this reading. */
static enum tr_status give(struct filter_split *s, uint32_t part, const struct tr_batch *b, struct tr_error *err)
{
    struct part *p = &s->parts[part - s->from];
    bool any = false;
    for (size_t i = 0; i < b->n; i++) {
        s->mask[i] = s->of[i] == part || s->of[i] == EACH_PART;
        p->n += s->mask[i] && b->phase[i] != TR_META;
        any |= s->mask[i];
    }
    return any ? filter_out_batch(&p->out, b, s->mask, err) : TR_OK;
}

enum tr_status filter_split_batch(struct filter_split *s, const struct tr_batch *b, const uint8_t *mask,
                                  struct tr_error *err)
{
    enum tr_status st = TR_OK;
    bool each;
    if (!tr_step_columns_read(&s->launched, b) || !tr_grow(&s->of, &s->cap_of, b->n, sizeof *s->of) ||
        !tr_grow(&s->mask, &s->cap_mask, b->n, 1))
        return tr_fail_memory(err);
    uint32_t low = UINT32_MAX, high = 0;
    each = false;
    for (size_t i = 0; i < b->n; i++) {
        s->of[i] = mask && !mask[i] ? NO_PART : part_of(s, b, i);
        s->n_outside += s->of[i] == NO_PART && (!mask || mask[i]) && !s->from;
        each |= s->of[i] == EACH_PART;
        if (s->of[i] < EACH_PART) {
            low = s->of[i] < low ? s->of[i] : low;
            high = s->of[i] > high ? s->of[i] : high;
        }
    }
    if (!s->n_parts)
        return TR_OK;
    if (each || low < s->from)
        low = (uint32_t)s->from;
    if (each || high >= s->to)
        high = (uint32_t)s->to - 1;
    for (uint32_t part = low; st == TR_OK && part < s->to && part <= high; part++)
        st = give(s, part, b, err);
    return st;
}

static void name_of(const struct filter_split *s, size_t part, char name[32])
{
    int64_t key = s->keys[part];
    if (s->by.what == SPLIT_PHASE)
        snprintf(name, 32, "%s", tr_step_phase_name((unsigned)key));
    else if (s->by.what == SPLIT_RANK && key < 0)
        snprintf(name, 32, "unknown");
    else
        snprintf(name, 32, "%" PRId64, key);
}

enum tr_status filter_split_write(struct filter_split *s, enum tr_status st, struct tr_error *err)
{
    struct tr_sink sink = { cli_split_output_sink, NULL };
    struct cli_part *file = NULL;
    char name[32];
    for (size_t i = 0; i < s->n_parts && s->parts; i++) {
        struct part *p = &s->parts[i];
        bool wanted = st == TR_OK && p->n > 0;
        s->n_empty += st == TR_OK && !p->n;
        name_of(s, s->from + i, name);
        if (wanted)
            st = cli_split_output_open(&s->files, name, &file, err);
        sink.ctx = file;
        p->out.sink = &sink;
        p->out.leave = !wanted;
        if (p->started)
            st = filter_out_end(&p->out, st, err);
        if (wanted && st == TR_OK)
            st = cli_split_output_close(file, err);
        s->n_written += wanted;
    }
    free(s->parts);
    s->parts = NULL;
    return st;
}

enum tr_status filter_split_end(struct filter_split *s, enum tr_status st, struct tr_error *err)
{
    static const char *const nothing[] = { [SPLIT_RANK] = "rank", [SPLIT_STEP] = "step",
                                           [SPLIT_PHASE] = "step with a phase", [SPLIT_TIME] = "window" };
    if (s->files.started)
        st = cli_split_output_end(&s->files, st, err);
    else
        free(s->files.before);
    if (st == TR_OK && s->n_outside)
        cli_remark(s->cli, "%" PRIu64 " events belong to no part", s->n_outside);
    if (st == TR_OK && !s->n_written)
        cli_remark(s->cli, "no part was written: no %s has an event", nothing[s->by.what]);
    tr_steps_free(s->steps);
    free(s->keys);
    tr_step_columns_free(&s->launched);
    free(s->of);
    free(s->mask);
    return st;
}
