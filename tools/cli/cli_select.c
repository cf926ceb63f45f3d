/* SPDX-License-Identifier: MIT */
/* The options --rank, --step, --time and --where. */
#include "cli/cli_select.h"

#include "cli/cli_priv.h"
#include "engine/tr_partial.h"

#include <stdlib.h>
#include <string.h>

enum tr_status cli_select_steps(void *field, const char *value, struct tr_error *err)
{
    return tr_select_parse_steps(field, value, err);
}

enum tr_status cli_select_time(void *field, const char *value, struct tr_error *err)
{
    return tr_select_parse_time(field, value, err);
}

enum tr_status cli_select_ranks(void *field, const char *value, struct tr_error *err)
{
    return tr_select_parse_ranks(field, value, err);
}

bool cli_select_any(const struct cli_select *s)
{
    const struct tr_select_opts *o = &s->opts;
    return s->where.n || o->n_ranks || o->has_steps || o->has_time || o->has_host_time || o->drop_last_step;
}

bool cli_select_text(const struct cli_select *s, struct tr_buf *text)
{
    return tr_select_text(&s->opts, s->where.items, s->where.n, text);
}

enum tr_status cli_select_compile(struct cli *cli, struct cli_select *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    s->cli = cli;
    s->tests = calloc(s->where.n + 1, sizeof(struct tr_expr *));
    if (!s->tests)
        return tr_fail_memory(err);
    for (; s->n_tests < s->where.n && st == TR_OK; s->n_tests += st == TR_OK)
        st = cli_expr_compile(cli, s->where.items[s->n_tests], "expression of --where", &s->tests[s->n_tests], err);
    return st;
}

static enum tr_status where(void *self, const struct tr_batch *b, uint8_t *keep, struct tr_error *err)
{
    struct cli_select *s = self;
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < s->n_tests && st == TR_OK; k++)
        st = tr_expr_narrow(s->tests[k], b, keep, err);
    s->where_read |= b->n > 0;
    s->where_found = s->where_found || (b->n && memchr(keep, 1, b->n));
    return st;
}

static void report_doubt(void *self, const char *option, const char *text)
{
    const struct cli_select *s = self;
    cli_warn(s->cli, s->in->name, option, text);
}

/* If no input has the requested ranks, steps or times, this is an error, and not an empty result. */
static enum tr_status check_found(struct cli_select *s, struct tr_error *err)
{
    if (s->found || (!s->in->dict->n_sources && tr_partial_any(s->in->tables)))
        return TR_OK; /* partial results name the selection that they were made with */
    enum tr_status st = tr_select_found(s->selected, s->in->summary, report_doubt, s, err);
    if (st == TR_ABSENT)
        tr_error_input(err, s->in->name);
    if (st == TR_OK && !s->found && !cli_relative(s->cli)) /* --relative has reported it */
        cli__report_starts(s->cli, s->in->name, tr_select_starts(s->selected));
    s->found = st == TR_OK;
    return st;
}

enum tr_status cli_select_bind(struct cli_select *s, struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    s->in = in;
    for (size_t k = 0; k < s->n_tests && st == TR_OK; k++)
        st = tr_expr_bind(s->tests[k], in, err);
    if (s->n_tests) {
        s->opts.where = where;
        s->opts.where_self = s;
    }
    tr_select_free(s->selected);
    s->selected = NULL;
    if (st == TR_OK)
        st = tr_select_new(&s->opts, in->dict, in->summary, in->sorted, &s->selected, err);
    if (st == TR_DAMAGED)
        tr_error_input(err, in->name);
    return st == TR_OK && in->sorted ? check_found(s, err) : st;
}

enum tr_status cli_select_only(struct cli_select *s, struct tr_input *in, struct tr_error *err)
{
    const size_t n = in->dict->n_sources;
    struct tr_needed *needed = in->sorted ? calloc(n + 1, sizeof *needed) : NULL;
    if (!in->sorted)
        return TR_OK;
    if (!needed)
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        needed[i] = tr_select_needed(s->selected, in->summary, (uint32_t)i);
    tr_input_only(in, needed);
    free(needed);
    return TR_OK;
}

void cli_select_want(struct tr_projection *want)
{
    want->fixed |= TR_GROUP_BY_FIXED;
    want->derived |= TR_STEPS_DERIVED; /* steps and host time */
}

enum tr_status cli_select_mask(struct cli_select *s, const struct tr_batch *b, const uint8_t **keep,
                               struct tr_error *err)
{
    return tr_select_mask(s->selected, b, keep, err);
}

enum tr_status cli_select_end(struct cli_select *s, struct tr_error *err)
{
    enum tr_status st = check_found(s, err);
    cli_owners_warn(s->cli, s->in);
    bool say = s->where_read && !s->where_found && !s->where_empty;
    s->where_empty |= say;
    return st == TR_OK && say ? cli_expr_remark(s->cli, "--where", s->tests, s->n_tests, s->in->summary, err) : st;
}

void cli_select_free(struct cli_select *s)
{
    tr_select_free(s->selected);
    s->selected = NULL;
    for (size_t k = 0; k < s->n_tests; k++)
        tr_expr_free(s->tests[k]);
    free(s->tests);
    s->tests = NULL;
    s->n_tests = 0;
}
