/* SPDX-License-Identifier: MIT */
/* The summary of a sorted stream: one row per source, and merging two. */
#include "stream/tr_summary.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

static void free_rows(struct tr_summary *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->sources[i].steps);
        free(s->sources[i].damage);
    }
    free(s->sources);
}

bool tr_summary_reset(struct tr_summary *s, size_t n)
{
    if (n > SIZE_MAX / sizeof(struct tr_source_summary))
        return false;
    struct tr_source_summary *rows = calloc(n ? n : 1, sizeof *rows);
    if (!rows)
        return false;
    for (size_t i = 0; i < n; i++) {
        rows[i].first_ts = rows[i].last_end = TR_TIME_NONE;
        rows[i].lag_min = rows[i].lag_max = TR_TIME_NONE;
    }
    free_rows(s);
    *s = (struct tr_summary){ .sources = rows, .n = n };
    return true;
}

struct tr_summary *tr_summary_new(size_t n)
{
    struct tr_summary *s = calloc(1, sizeof *s);
    if (s && tr_summary_reset(s, n))
        return s;
    free(s);
    return NULL;
}

bool tr_summary_assign(struct tr_summary *to, const struct tr_summary *from)
{
    if (!tr_summary_reset(to, from->n))
        return false;
    to->sorted = from->sorted;
    to->filtered = from->filtered;
    to->redacted = from->redacted;
    for (size_t i = 0; i < from->n; i++)
        if (!tr_summary_copy_source(&to->sources[i], &from->sources[i]))
            return false;
    return true;
}

bool tr_summary_copy_source(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    struct tr_source_summary copy = *from;
    copy.steps = NULL;
    copy.damage = NULL;
    copy.n_steps = copy.cap_steps = copy.n_damage = copy.cap_damage = 0;
    bool ok = true;
    for (size_t i = 0; i < from->n_damage && ok; i++)
        ok = tr_summary_add_damage(&copy, &from->damage[i]);
    for (size_t i = 0; i < from->n_steps && ok; i++)
        ok = tr_summary_add_step(&copy, &from->steps[i]);
    if (ok) {
        *to = copy;
        return true;
    }
    free(copy.steps);
    free(copy.damage);
    return false;
}

struct tr_summary *tr_summary_copy(const struct tr_summary *s)
{
    struct tr_summary *copy = tr_summary_new(0);
    if (copy && tr_summary_assign(copy, s))
        return copy;
    tr_summary_free(copy);
    return NULL;
}

bool tr_summary_add_step(struct tr_source_summary *s, const struct tr_step *step)
{
    if (!tr_grow(&s->steps, &s->cap_steps, s->n_steps + 1, sizeof *s->steps))
        return false;
    s->steps[s->n_steps++] = *step;
    return true;
}

bool tr_summary_infers(const struct tr_source_summary *s)
{
    for (size_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].about.phase || s->steps[i].about.known)
            return true;
    return false;
}

const char *tr_step_phase_name(unsigned phase)
{
    static const char *const names[TR_N_STEP_PHASES] = { NULL, "prefill", "decode", "mixed", "diffusion" };
    return phase < TR_N_STEP_PHASES ? names[phase] : NULL;
}

bool tr_summary_add_damage(struct tr_source_summary *s, const struct tr_damage *d)
{
    if (!tr_grow(&s->damage, &s->cap_damage, s->n_damage + 1, sizeof *s->damage))
        return false;
    s->damage[s->n_damage++] = *d;
    return true;
}

uint64_t tr_summary_damage(const struct tr_source_summary *s, bool loses)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->n_damage; i++)
        n += s->damage[i].loses == loses ? s->damage[i].count : 0;
    return n;
}

static uint64_t digest_of(uint64_t digest, const uint64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        digest = tr_mix64(digest ^ v[i], UINT64_C(0x9e3779b97f4a7c15)) + i;
    return digest;
}

uint64_t tr_summary_digest(const struct tr_source_summary *s)
{
    /* times from the first event: others depend on the base of the stream */
    const uint64_t first = (uint64_t)s->first_ts;
    const uint64_t counts[] = { s->n_events, s->n_device_linked, s->n_launches, s->n_launches_linked, s->n_steps,
                                (uint64_t)s->lag_min, (uint64_t)s->lag_max, (uint64_t)s->last_end - first };
    uint64_t digest = digest_of(0, counts, sizeof counts / sizeof *counts);
    digest = digest_of(digest, s->n_phase, TR_N_PHASES);
    digest = digest_of(digest, s->n_activity, TR_N_ACTIVITIES);
    digest = digest_of(digest, s->n_suspect, TR_N_SUSPECTS);
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct tr_step *step = &s->steps[i];
        const uint64_t of[] = { (uint64_t)step->number, (uint64_t)step->start - first, (uint64_t)step->end - first };
        digest = digest_of(digest, of, sizeof of / sizeof *of);
    }
    return digest;
}

uint64_t tr_summary_events(const struct tr_summary *s)
{
    uint64_t n = 0;
    for (size_t i = 0; s && i < s->n; i++)
        n += s->sources[i].n_events;
    return n;
}

void tr_summary_free(struct tr_summary *s)
{
    if (!s)
        return;
    free_rows(s);
    free(s);
}
