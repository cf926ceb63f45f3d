/* SPDX-License-Identifier: MIT */
/* The readings of the input that tr-filter makes. */
#include "filter/filter_passes.h"

#include "cli/cli_expr.h"

#include <string.h>

/* ---- choosing ---- */

static enum tr_status bind_all(struct filter *f, struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = cli_select_bind(&f->select, in, err);
    if (st == TR_OK)
        st = tr_choice_bind(&f->choice, in, err);
    if (st == TR_OK)
        st = tr_choice_bind(&f->windows, in, err);
    tr_error_input(err, st == TR_OK ? NULL : in->name);
    return st;
}

/* Limit the choice to the events that --rank, --step, --time and --where select. */
static enum tr_status narrow(struct filter *f, const struct tr_batch *b, struct tr_error *err)
{
    const uint8_t *keep;
    enum tr_status st = cli_select_mask(&f->select, b, &keep, err);
    for (size_t i = 0; st == TR_OK && keep && i < b->n; i++)
        f->choice.mask[i] &= keep[i];
    return st;
}

/* Set the mask to the events that the expressions choose from the selected events of the batch. */
static enum tr_status choose(struct filter *f, const struct tr_batch *b, struct tr_error *err)
{
    enum tr_status st = tr_choice_eval(&f->choice, b, err);
    f->read |= b->n > 0;
    f->matched = f->matched || (st == TR_OK && b->n && memchr(f->choice.mask, 1, b->n));
    return st == TR_OK ? narrow(f, b, err) : st;
}

static enum tr_status put_selected(struct filter *f, struct filter_out *out,
                                   const struct tr_batch *b, struct tr_error *err)
{
    if (!out || !memchr(f->choice.mask, 1, b->n))
        return TR_OK;
    return filter_out_batch(out, b, memchr(f->choice.mask, 0, b->n) ? f->choice.mask : NULL, err);
}

/* At the end of the last reading: say if an expression of the user selects nothing. */
static enum tr_status end(struct filter *f, const struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = cli_select_end(&f->select, err);
    if (st == TR_OK && f->read && !f->matched && f->choice.n_tests && !f->choice.invert)
        st = cli_expr_remark(f->select.cli, "the expression", f->choice.tests, f->choice.n_tests, in->summary, err);
    return st;
}

/* The tests of --within and --outside that no span matches. */
static enum tr_status name_windows(struct filter *f, struct tr_related_marks *c, const struct tr_input *in,
                                   struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < f->windows.n_tests && st == TR_OK; k++)
        if (!tr_related_window_found(c, k))
            st = cli_expr_remark(f->select.cli, k < f->within.n ? "--within" : "--outside", &f->windows.tests[k], 1,
                                 in->summary, err);
    return st;
}

/* ---- one pass ---- */

/* Does an expression ask what is around an event?  Then all events are needed, else only the selected ones. */
static bool looks_around(const struct filter *f)
{
    bool around = false;
    for (size_t i = 0; i < f->choice.n_tests; i++)
        around |= tr_expr_needs(f->choice.tests[i])->order;
    for (size_t i = 0; i < f->select.n_tests; i++)
        around |= tr_expr_needs(f->select.tests[i])->order;
    return around;
}

/* out is NULL when events are only counted. */
static enum tr_status pass_on(struct filter *f, struct tr_input *in, struct filter_out *out,
                              struct tr_error *err)
{
    const struct tr_batch *b;
    enum tr_status st = bind_all(f, in, err);
    if (st == TR_OK && !looks_around(f))
        st = cli_select_only(&f->select, in, err);
    if (st == TR_OK && out)
        st = filter_out_start(out, in, err);
    while (st == TR_OK && f->n_chosen < f->max && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = choose(f, b, err);
        if (st != TR_OK)
            break;
        f->n_chosen += tr_choice_limit(&f->choice, b->n, f->max - f->n_chosen);
        st = put_selected(f, out, b, err);
    }
    return st == TR_END ? end(f, in, err) : st;
}

static enum tr_status without_context(struct cli *cli, struct filter *f, struct filter_out *out,
                                      struct tr_error *err)
{
    struct tr_input *in;
    enum tr_status st = cli_input_operands(cli, f->first_file, &in, err);
    if (st == TR_OK && !out && !cli_select_any(&f->select)) /* a count is the same in any order */
        st = cli_expr_want(in, &(struct tr_projection){ .any_rank_order = true }, f->choice.tests,
                          f->choice.n_tests, err);
    return st == TR_OK ? pass_on(f, in, out, err) : st;
}

/* ---- several passes: selection with context ---- */

static enum tr_status find_windows(struct filter *f, struct tr_related_marks *c, const struct tr_batch *b,
                                   struct tr_error *err)
{
    enum tr_status st = tr_choice_room(&f->windows, b->n) ? TR_OK : tr_fail_memory(err);
    for (size_t k = 0; k < f->windows.n_tests && st == TR_OK; k++) {
        st = tr_expr_eval(f->windows.tests[k], b, f->windows.mask, err);
        if (st == TR_OK)
            st = tr_related_window(c, k, b, f->windows.mask, err);
    }
    return st;
}

static enum tr_status look_at(struct filter *f, struct tr_related_marks *c, const struct tr_batch *b,
                              struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (tr_related_pass(c) == TR_RELATED_WINDOWS)
        return find_windows(f, c, b, err);
    if (tr_related_pass(c) == TR_RELATED_SELECT)
        st = choose(f, b, err);
    return st == TR_OK ? tr_related_scan(c, b, f->choice.mask, err) : st;
}

/* A pass that only marks events.  The first pass may have to make a copy of the input for the later ones. */
static enum tr_status mark(struct filter *f, struct tr_related_marks *c, struct cli_reread *reread,
                           struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = cli_reread_open(reread, &in, err);
    if (st == TR_OK && !in->sorted) {
        st = tr_fail(err, TR_DAMAGED, "selection with context needs an ordered stream");
        tr_error_input(err, in->name);
    }
    if (st == TR_OK)
        st = bind_all(f, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = cli_reread_keep(reread, b, err);
        if (st == TR_OK)
            st = look_at(f, c, b, err);
    }
    bool windows = tr_related_pass(c) == TR_RELATED_WINDOWS;
    if (st == TR_END)
        st = tr_related_end(c, in->dict, err);
    if (st == TR_OK && windows)
        st = name_windows(f, c, in, err);
    if (st == TR_OK)
        st = cli_reread_done(reread, err);
    return st;
}

static enum tr_status pass_on_marked(struct filter *f, struct tr_related_marks *c, struct cli_reread *reread,
                                     struct filter_out *out, struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = cli_reread_open(reread, &in, err);
    if (st == TR_OK)
        st = bind_all(f, in, err);
    if (st == TR_OK && out)
        st = filter_out_start(out, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_related_apply_needs_mask(c) ? choose(f, b, err)
                                            : (tr_choice_room(&f->choice, b->n) ? TR_OK : tr_fail_memory(err));
        if (st == TR_OK)
            st = tr_related_apply(c, b, f->choice.mask, err);
        if (st == TR_OK)
            st = put_selected(f, out, b, err);
    }
    f->n_chosen = tr_related_chosen(c);
    return st == TR_END ? end(f, in, err) : st;
}

static enum tr_status with_context(struct filter *f, struct cli_reread *reread, struct filter_out *out,
                                   struct tr_error *err)
{
    struct tr_related_marks *c = NULL;
    if (f->count) /* context is not counted */
        f->context = (struct tr_related_opts){ 0 };
    f->context.n_within = f->within.n;
    f->context.n_outside = f->outside.n;
    f->context.max = f->max;
    enum tr_status st = tr_related_new(&c, &f->context, err);
    while (st == TR_OK && tr_related_pass(c) != TR_RELATED_WRITE)
        st = mark(f, c, reread, err);
    if (st == TR_OK)
        st = pass_on_marked(f, c, reread, out, err);
    tr_related_free(c);
    return st;
}

static bool has_context(const struct filter *f)
{
    const struct tr_related_opts *o = &f->context;
    return f->windows.n_tests || (!f->count && (o->parents || o->children || o->linked || o->closure));
}

enum tr_status filter_pass_on(struct cli *cli, struct filter *f, struct cli_reread *reread, struct filter_out *out,
                              struct tr_error *err)
{
    return has_context(f) ? with_context(f, reread, out, err) : without_context(cli, f, out, err);
}

/* ---- parts ---- */

/* One reading of the input, which makes some of the parts. */
static enum tr_status split_once(struct filter *f, struct cli_reread *reread, struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    bool first = !f->split.in;
    enum tr_status st = cli_reread_open(reread, &in, err);
    if (st == TR_OK)
        st = bind_all(f, in, err);
    f->split.select = f->select.selected;
    if (st == TR_OK)
        st = filter_split_start(&f->split, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = cli_reread_keep(reread, b, err);
        if (st == TR_OK)
            st = choose(f, b, err);
        if (st == TR_OK && first)
            f->n_chosen += tr_choice_limit(&f->choice, b->n, UINT64_MAX);
        if (st == TR_OK)
            st = filter_split_batch(&f->split, b, f->choice.mask, err);
    }
    st = st == TR_END ? end(f, in, err) : st;
    if (st == TR_OK)
        st = cli_reread_done(reread, err);
    return filter_split_write(&f->split, st, err);
}

enum tr_status filter_split_all(struct cli *cli, struct filter *f, struct cli_reread *reread, struct tr_error *err)
{
    f->split.cli = cli;
    enum tr_status st = filter_split_names(&f->split, err);
    while (st == TR_OK && filter_split_more(&f->split))
        st = split_once(f, reread, err);
    return filter_split_end(&f->split, st, err);
}
