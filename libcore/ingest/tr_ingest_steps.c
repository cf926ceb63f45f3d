/* SPDX-License-Identifier: MIT */
/*
 * The steps of a source.
 *
 * ProfilerStep#n are steps if there are any.  They get the requests and tokens of the inference steps that start in
 * them.  Without them, the inference steps of the source are its steps, numbered by start.  Engines annotate a step
 * more than once, so only the most detailed annotations count, and of these none inside another one of its thread.
 */
#include "ingest/tr_ingest_int.h"
#include "base/tr_sort.h"
#include "vendor/tr_step_sums.h"

#include <stdlib.h>

void tr__step(const struct tr_row *row, const struct tr__text *name, struct tr_step *step)
{
    *step = (struct tr_step){ .number = name->step, .start = row->ts, .end = row->ts + row->dur, .track = row->track };
    if (name->name != TR_NAME_INFERENCE_STEP)
        return;
    step->number = TR_I64_NONE;
    (void)tr_step_about_read((struct tr_str){ name->text, name->len }, &step->about);
}

static bool infers(const struct tr_step *s)
{
    return s->number == TR_I64_NONE;
}

/* More than requests and tokens. */
static bool detailed(const struct tr_step *s)
{
    return s->about.known >> TR_STEP_G_KEYS & 1;
}

/* Steps of training before those of inference that start at the same time; enclosing ones before those inside. */
TR_ORDER(by_start, struct tr_step, TR_UP(start), TR_CMP(infers(a), infers(b)), TR_DOWN(end), TR_UP(number),
         TR_UP(track))

/* For each thread by itself. */
TR_ORDER(by_thread, struct tr_step, TR_UP(track), by_start(a, b))

static void sort(struct tr_source_summary *s, int (*compare)(const void *, const void *))
{
    if (s->n_steps)
        qsort(s->steps, s->n_steps, sizeof *s->steps, compare);
}

/* Leave out annotations with fewer details than others, and those inside another one of the thread. */
static void choose(struct tr_source_summary *s)
{
    bool details = false;
    size_t n = 0;
    const struct tr_step *around = NULL;
    for (size_t i = 0; i < s->n_steps; i++)
        details |= infers(&s->steps[i]) && detailed(&s->steps[i]);
    sort(s, by_thread);
    for (size_t i = 0; i < s->n_steps; i++) {
        struct tr_step step = s->steps[i];
        if (infers(&step) && ((details && !detailed(&step)) ||
                              (around && around->track == step.track && step.start < around->end)))
            continue;
        s->steps[n++] = step;
        if (infers(&step))
            around = &s->steps[n - 1];
    }
    s->n_steps = n;
    sort(s, by_start);
}

/* Of two phases: prefill and decode together are mixed. */
static uint8_t both(unsigned x, unsigned y)
{
    return (uint8_t)(x == y || !y ? x : !x ? y : TR_STEP_MIXED);
}

/* A step has the requests and tokens of one more inference step. */
static void absorb(struct tr_step *step, const struct tr_step_about *more)
{
    struct tr_step_about *a = &step->about;
    if (!a->phase && !a->known) {
        *a = *more;
        return;
    }
    a->phase = both(a->phase, more->phase);
    a->known &= more->known;
    for (unsigned k = 0; k < TR_N_STEP_NUMBERS; k++) {
        int64_t sum = tr_time_sum(a->of[k], more->of[k]);
        if (sum == TR_TIME_NONE)
            a->known &= (uint16_t)~(1u << k);
        a->of[k] = sum == TR_TIME_NONE ? 0 : sum;
    }
}

/* Steps of training get what the inference steps in them say; these are not steps then. */
static void join(struct tr_source_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_steps; i++) {
        if (!infers(&s->steps[i]))
            s->steps[n++] = s->steps[i];
        else if (n && s->steps[i].start < s->steps[n - 1].end)
            absorb(&s->steps[n - 1], &s->steps[i].about);
    }
    if (n) {
        s->n_steps = n;
        return;
    }
    for (size_t i = 0; i < s->n_steps; i++)
        s->steps[i].number = (int64_t)i;
}

bool tr__file_steps(const struct tr__file *f, uint32_t group, struct tr_batch_builder *builder,
                    struct tr_source_summary *s)
{
    for (size_t i = 0; i < f->n_steps; i++) {
        struct tr_step step = f->steps[i].step;
        if (tr__group_of(f, f->steps[i].interner, step.track) != group)
            continue;
        step.track = tr_batch_builder_track(builder, f->steps[i].interner, step.track);
        if (step.track == TR_NO_STR || !tr_summary_add_step(s, &step))
            return false;
    }
    choose(s);
    join(s);
    return true;
}
