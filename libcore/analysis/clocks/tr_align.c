/* SPDX-License-Identifier: MIT */
/* One clock for all ranks: offsets and drifts of all clocks of a stream. */
#include "analysis/clocks/tr_align.h"

#include "engine/tr_analysis.h"
#include "model/collectives/tr_collective.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool allocate(struct tr_align *a)
{
    size_t n = a->ranks.n + 1;
    a->offset = calloc(n, sizeof *a->offset);
    a->drift = calloc(n, sizeof *a->drift);
    a->shift = calloc(n, sizeof *a->shift);
    a->left_out = calloc(n, sizeof *a->left_out);
    return a->offset && a->drift && a->shift && a->left_out;
}

/* Find the moment for which offsets are reported: the first event of the reference. */
static void find_origin(struct tr_align *a, const struct tr_input *in)
{
    bool found = false;
    for (size_t s = 0; s < in->summary->n; s++) {
        int64_t first = in->summary->sources[s].first_ts;
        if (a->reference_at >= a->ranks.n || a->ranks.of_source[s] != a->reference_at ||
            first == TR_TIME_NONE || (found && first >= a->origin))
            continue;
        a->origin = first;
        found = true;
    }
}

/* When the ranks are known. */
static enum tr_status choose_reference(struct tr_align *a, struct tr_error *err)
{
    int64_t wanted = a->opts.reference < 0 ? 0 : a->opts.reference;
    if (!allocate(a))
        return tr_fail_memory(err);
    a->reference_at = tr_rank_set_find(&a->ranks, wanted);
    if (a->reference_at == a->ranks.n && a->opts.reference < 0)
        a->reference_at = 0;
    else if (a->reference_at == a->ranks.n && !a->opts.given)
        return tr_fail(err, TR_DAMAGED, "no rank %" PRId64 " to be the reference", wanted);
    return TR_OK;
}

static enum tr_status know_ranks(struct tr_align *a, const struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!in->sorted)
        st = tr_fail(err, TR_DAMAGED, "not in canonical order: cannot be aligned");
    if (st == TR_OK)
        st = tr_rank_set_init(&a->ranks, in->dict, NULL, err);
    if (st == TR_OK)
        st = choose_reference(a, err);
    if (st == TR_OK)
        find_origin(a, in);
    if (st != TR_OK)
        tr_error_input(err, in->name);
    return st;
}

static enum tr_status refuse(const struct tr_align *a, size_t weak, uint64_t anchors,
                             const char *input, struct tr_error *err)
{
    const char *what = a->opts.marked ? "anchors" : "collectives";
    tr_error_input(err, input);
    if (anchors < a->opts.min_anchors)
        return tr_fail(err, TR_NO,
                       "rank %" PRId64 " shares %" PRIu64 " %s with other ranks, at least %" PRIu64 " needed",
                       a->ranks.rank[weak], anchors, what, a->opts.min_anchors);
    return tr_fail(err, TR_NO,
                   "no %s lead from rank %" PRId64 " to rank %" PRId64, what,
                   a->ranks.rank[weak], a->ranks.rank[a->reference_at]);
}

static enum tr_status disagree(const struct tr_align *a, size_t rank, uint64_t anchors, const char *or_else,
                               const char *input, struct tr_error *err)
{
    tr_error_input(err, input);
    return tr_fail(err, TR_NO,
                   "rank %" PRId64 ": fewer than half of its %" PRIu64
                   " %s agree with those of other ranks on one clock%s",
                   a->ranks.rank[rank], anchors, a->opts.marked ? "anchors" : "collectives", or_else);
}

/* A rank with more collectives in doubt than anchors. */
static enum tr_status check_doubts(const struct tr_align *a, const char *input, struct tr_error *err)
{
    for (size_t i = 1; i <= a->ranks.n; i++) { /* the reference comes last: of two ranks, the other one is reported */
        size_t r = (a->reference_at + i) % a->ranks.n;
        uint64_t doubts = tr_anchors_doubts(a->anchors, r), shared = tr_clockfit_anchors(a->fit, r);
        if (doubts > shared)
            return disagree(a, r, doubts + shared, ", or as many on another", input, err);
    }
    return TR_OK;
}

/* A rank whose anchors were matched, by number or by place, but do not fit. */
static enum tr_status check_fit(const struct tr_align *a, const char *input, struct tr_error *err)
{
    for (size_t r = 0; r < a->ranks.n; r++) {
        uint64_t shared = tr_clockfit_anchors(a->fit, r);
        if (2 * tr_clockfit_agreed(a->fit, r) < shared)
            return disagree(a, r, shared, "", input, err);
    }
    return TR_OK;
}

static enum tr_status fit(struct tr_align *a, const char *input, struct tr_error *err)
{
    const struct tr_clockfit_opts opts = { .origin = a->origin, .drift = a->opts.drift };
    uint64_t anchors;
    if (a->ranks.n < 2) /* one clock is one clock */
        return TR_OK;
    enum tr_status st = tr_clockfit_new(&a->fit, a->ranks.n, a->reference_at, err);
    if (st == TR_OK)
        st = tr_anchors_give(a->anchors, a->opts.device ? a->shift : NULL, a->fit, err);
    if (st != TR_OK)
        return st;
    st = check_doubts(a, input, err);
    if (st != TR_OK)
        return st;
    size_t weak = tr_clockfit_weak(a->fit, a->opts.min_anchors, &anchors);
    if (weak < a->ranks.n)
        return refuse(a, weak, anchors, input, err);
    st = tr_clockfit_solve(a->fit, &opts, err);
    for (size_t r = 0; r < a->ranks.n && st == TR_OK; r++) {
        struct tr_clockfit_row row;
        st = tr_clockfit_row(a->fit, r, &row, err);
        if (st != TR_OK) {
            tr_error_place(err, "rank %" PRId64, a->ranks.rank[r]);
            tr_error_input(err, input);
        }
        a->offset[r] = row.offset;
        a->drift[r] = row.drift;
    }
    return st == TR_OK ? check_fit(a, input, err) : st;
}

/* Offsets with drift hold at one moment, the one of the reference. */
static enum tr_status check_given(const struct tr_align *a, const char *input,
                                  struct tr_error *err)
{
    if (a->reference_at < a->ranks.n)
        return TR_OK;
    for (size_t r = 0; r < a->ranks.n; r++)
        if (a->drift[r]) {
            tr_error_input(err, input);
            return tr_fail(err, TR_DAMAGED,
                           "there is no rank %" PRId64 ": offsets refer to its first event",
                           a->opts.reference < 0 ? 0 : a->opts.reference);
        }
    return TR_OK;
}

enum tr_status tr_align_init(struct tr_align *a, const struct tr_align_opts *opts,
                             const struct tr_input *in, struct tr_error *err)
{
    memset(a, 0, sizeof *a);
    a->opts = *opts;
    enum tr_status st = know_ranks(a, in, err);
    if (st == TR_OK && !opts->given)
        st = tr_anchors_new(&a->anchors, &a->ranks, in->dict, opts->marked, err);
    if (st == TR_OK && opts->device)
        st = tr_device_lag_new(&a->devices, &a->ranks, err);
    return st;
}

void tr_align_free(struct tr_align *a)
{
    tr_anchors_free(a->anchors);
    tr_device_lag_free(a->devices);
    tr_rank_set_free(&a->ranks);
    tr_clockfit_free(a->fit);
    free(a->offset);
    free(a->drift);
    free(a->shift);
    free(a->left_out);
    memset(a, 0, sizeof *a);
}

enum tr_status tr_align_feed(struct tr_align *a, const struct tr_batch *b, const uint8_t *marked,
                             struct tr_error *err)
{
    enum tr_status st = a->anchors ? tr_anchors_feed(a->anchors, b, marked, err) : TR_OK;
    return st == TR_OK && a->devices ? tr_device_lag_feed(a->devices, b, err) : st;
}

enum tr_status tr_align_solve(struct tr_align *a, const char *input, struct tr_error *err)
{
    for (size_t r = 0; a->devices && r < a->ranks.n; r++)
        a->shift[r] = tr_device_lag_shift(a->devices, r, &a->left_out[r]);
    enum tr_status st = a->opts.given ? check_given(a, input, err) : fit(a, input, err);
    for (size_t r = 0; r < a->ranks.n && st == TR_OK; r++) {
        int64_t offset = tr_time_diff(a->offset[r], a->devices ? a->shift[r] : 0);
        if (offset == TR_TIME_NONE || tr_time_sum(a->origin, a->offset[r]) == TR_TIME_NONE ||
            tr_time_sum(a->origin, offset) == TR_TIME_NONE) {
            tr_error_input(err, input);
            st = tr_fail(err, TR_DAMAGED, "rank %" PRId64 ": its offset leaves the range of 64 bits", a->ranks.rank[r]);
        }
    }
    return st;
}

/*
 * The device's clock shows `shift` less than the host's.  The device's correction adds this shift and then corrects
 * like the host's, in one step.
 */
bool tr_align_clocks(const struct tr_align *a, uint32_t source, struct tr_clock *host,
                     struct tr_clock *device)
{
    size_t at = a->reference_at, r = a->ranks.of_source[source];
    int64_t frame = at < a->ranks.n ? a->ranks.rank[at] : -1;
    if (a->opts.given && frame >= 0 && (a->offset[at] || a->drift[at]))
        frame = -1;
    *host = *device = tr_clockfit_clock(a->offset[r], a->drift[r], a->origin, frame);
    device->origin -= a->shift[r];
    device->offset -= a->shift[r];
    return a->shift[r] != 0;
}

/* ---- collectives that are matched already ---- */

/* The ranks of their members. */
static enum tr_status know_members(struct tr_align *a, const struct tr_colls *c, const struct tr_dict *dict,
                                   struct tr_error *err)
{
    uint8_t *there = calloc((size_t)dict->n_sources + 1, 1);
    if (!there)
        return tr_fail_memory(err);
    for (size_t i = 0; i < c->n_members; i++)
        there[c->members[i].source] = 1;
    enum tr_status st = tr_rank_set_init(&a->ranks, dict, there, err);
    free(there);
    if (st == TR_OK)
        st = choose_reference(a, err);
    a->origin = c->n ? c->colls[0].at : 0;
    return st == TR_OK ? tr_anchors_of(&a->anchors, &a->ranks, dict, c, err) : st;
}

/* How well the ends agree. */
static enum tr_status rate(const struct tr_align *a, struct tr_one_clock *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    out->anchors = UINT64_MAX;
    for (size_t r = 0; r < a->ranks.n && st == TR_OK; r++) {
        struct tr_clockfit_row row;
        st = tr_clockfit_row(a->fit, r, &row, err);
        out->anchors = row.anchors < out->anchors ? row.anchors : out->anchors;
        out->residual_p50 = fmax(out->residual_p50, row.residual_p50); /* of NaN and a number, this one */
        out->residual_max = fmax(out->residual_max, row.residual_max);
    }
    return st;
}

static enum tr_status move(const struct tr_align *a, struct tr_colls *c, const struct tr_dict *dict,
                           struct tr_one_clock *out, struct tr_error *err)
{
    int64_t *by = calloc((size_t)dict->n_sources + 1, sizeof *by);
    for (size_t i = 0; by && i < c->n_members; i++)
        by[c->members[i].source] = -a->offset[a->ranks.of_source[c->members[i].source]];
    for (uint32_t i = 0; by && i < dict->n_sources; i++)
        out->moved_max = llabs(by[i]) > out->moved_max ? llabs(by[i]) : out->moved_max;
    out->aligned = out->moved_max > out->tolerance;
    bool ok = by && (!out->aligned || tr_colls_move(c, by));
    free(by);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_align_matched(struct tr_colls *c, const struct tr_dict *dict, struct tr_one_clock *out,
                                struct tr_error *err)
{
    struct tr_align a = { .opts = { .reference = -1, .min_anchors = TR_ALIGN_ANCHORS } };
    struct tr_error why = TR_ERROR_INIT;
    *out = (struct tr_one_clock){ .tolerance = out->tolerance, .residual_p50 = NAN, .residual_max = NAN };
    enum tr_status st = know_members(&a, c, dict, &why);
    bool several = st == TR_OK && a.ranks.n > 1;
    if (several)
        st = tr_align_solve(&a, "", &why);
    if (several && st == TR_OK)
        st = rate(&a, out, &why);
    if (several && st == TR_OK)
        st = move(&a, c, dict, out, &why);
    tr_align_free(&a);
    if (st == TR_OK)
        return st;
    out->aligned = false;
    snprintf(out->why, sizeof out->why, "%s", why.what);
    return st == TR_SYSTEM ? tr_fail_memory(err) : TR_OK;
}
