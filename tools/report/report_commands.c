/* SPDX-License-Identifier: MIT */
/* tr-report: commands to run next, with the selection and the inputs of the user. */
#include "report/report.h"

#include <stdio.h>

static bool add_option(struct tr_buf *out, const char *name, const char *value)
{
    return tr_buf_add_str(out, " --") && tr_buf_add_str(out, name) && tr_buf_add_str(out, " ") &&
           cli_add_word(out, value);
}

static bool add_files(struct tr_buf *out, const char *const *paths, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        bool like_option = paths[i][0] == '-' && paths[i][1] != '\0';
        ok = tr_buf_add_str(out, " ") && (!like_option || tr_buf_add_str(out, "./")) && cli_add_word(out, paths[i]);
    }
    return ok;
}

static bool add_selection(const struct report *r, const struct report_command *c, const char *rank, struct tr_buf *out)
{
    const struct report_opts *o = r->o;
    rank = rank ? rank : o->rank;
    bool ok = (!rank || add_option(out, "rank", rank)) && (!o->step || add_option(out, "step", o->step)) &&
              (!o->time || add_option(out, "time", o->time));
    for (size_t i = 0; ok && !c->no_where && i < o->a.select.where.n; i++)
        ok = add_option(out, "where", o->a.select.where.items[i]);
    return ok;
}

const char *const *report_inputs(const struct report *r, size_t *n)
{
    static const char *const from_input = "-";
    const char *const *paths = cli_operands(r->cli, n);
    if (r->n_paths) {
        *n = r->n_paths;
        return (const char *const *)r->paths;
    }
    if (*n)
        return paths;
    *n = 1;
    return &from_input;
}

bool report_command(const struct report *r, const struct report_command *c, const char *rank, struct tr_buf *out)
{
    const struct tr_open_opts *open = cli_open_opts(r->cli);
    size_t n;
    const char *const *paths = report_inputs(r, &n);
    bool ok = tr_buf_add_str(out, c->words) && (c->no_select || add_selection(r, c, rank, out));
    if (ok && cli_unit_given(r->cli) && !c->no_unit)
        ok = add_option(out, "unit", tr_unit_name((enum tr_unit)cli_unit(r->cli)));
    if (ok && open->input_format)
        ok = add_option(out, "input-format", open->input_format);
    if (ok && open->renumber)
        ok = tr_buf_add_str(out, " --renumber");
    if (ok && open->strict)
        ok = tr_buf_add_str(out, " --strict");
    if (ok && c->arch && r->o->arch)
        ok = add_option(out, "arch", r->o->arch);
    if (ok && c->how == REPORT_COMPARED)
        ok = tr_buf_add_str(out, " --base") &&
             (r->o->base.n ? add_files(out, r->o->base.items, r->o->base.n) : add_files(out, paths, n)) &&
             tr_buf_add_str(out, " --test");
    return ok && add_files(out, paths, n);
}

/* Put the commands into a cell each for text, else into one. */
static bool put_commands(struct report_page *page, const char *rank, const struct report_command *commands)
{
    struct tr_buf out = { 0 };
    bool text = page->r->o->format == REPORT_TEXT, ok = true;
    for (size_t i = 0; i < REPORT_MAX_COMMANDS && ok; i++) {
        const struct report_command *c = &commands[i];
        ok = !c->words || ((text || !i || tr_buf_add_str(&out, "; ")) &&
                           report_command(page->r, c, c->of_rank ? rank : NULL, &out));
        if (text && !c->words)
            tr_table_absent(page->next);
        else if (text || i + 1 == REPORT_MAX_COMMANDS)
            tr_table_bytes(page->next, (const char *)out.data, out.len);
        out.len = text ? 0 : out.len;
    }
    tr_buf_free(&out);
    return ok;
}

void report_advise(struct report_page *page, struct tr_str what, double rank, const struct report_command *commands)
{
    static const struct tr_table_column columns[] = { { .name = "what", .type = TR_CELL_STRING },
                                                      { .name = "command", .type = TR_CELL_STRING },
                                                      { .name = "more", .type = TR_CELL_STRING } };
    char name[24];
    snprintf(name, sizeof name, "%.0f", rank);
    if (tr_table_empty(page->next))
        tr_table_columns(page->next, columns, page->r->o->format == REPORT_TEXT ? 1 + REPORT_MAX_COMMANDS : 2);
    tr_table_bytes(page->next, what.s, what.len);
    if (!put_commands(page, rank >= 0 && page->r->n_ranks > 1 ? name : NULL, commands))
        page->failed = true;
}
