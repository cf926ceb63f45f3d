/* SPDX-License-Identifier: MIT */
/* tr-report: commands to run next, with the selection and the inputs of the user. */
#include "report/report.h"

#include <glob.h>
#include <string.h>

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

#define FEW_FILES 2u /* so many are repeated in each command */

/*
 * Many inputs are said once.  If a pattern of the shell gives them, in their order, that is short; otherwise the page
 * starts with a command that sets the parameters of the shell to them, and commands have "$@".
 */
static bool shorten(struct tr_buf *out, const char *const *paths, size_t n)
{
    size_t start = strlen(paths[0]), end = start;
    for (size_t i = 1; i < n; i++) {
        size_t len = strlen(paths[i]), k = 0;
        while (k < start && paths[i][k] == paths[0][k])
            k++;
        start = k;
        k = 0;
        while (k < end && k < len && paths[i][len - 1 - k] == paths[0][strlen(paths[0]) - 1 - k])
            k++;
        end = k;
    }
    for (size_t i = 0; i < n; i++) /* the same character may be in both */
        if (start + end > strlen(paths[i]))
            end = strlen(paths[i]) - start;
    return tr_buf_print(out, "%.*s*%s", (int)start, paths[0], paths[0] + strlen(paths[0]) - end);
}

/* Does the shell make exactly these paths of a pattern?  Its other characters must need no quotes. */
static bool gives(const char *pattern, const char *const *paths, size_t n)
{
    glob_t g;
    bool same = pattern[0] != '-' &&
                strspn(pattern, "*+,-./0123456789:=@_"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == strlen(pattern) &&
                glob(pattern, 0, NULL, &g) == 0;
    if (!same)
        return false;
    same = g.gl_pathc == n;
    for (size_t i = 0; same && i < n; i++)
        same = strcmp(g.gl_pathv[i], paths[i]) == 0;
    globfree(&g);
    return same;
}

bool report_name_inputs(struct report *r)
{
    size_t n;
    const char *const *paths = report_inputs(r, &n);
    if (n <= FEW_FILES)
        return true;
    if (!shorten(&r->inputs, paths, n))
        return false;
    if (gives(tr_buf_text(&r->inputs), paths, n))
        return true;
    r->inputs.len = 0;
    if (r->o->format == REPORT_JSON) /* each command stands by itself */
        return true;
    return tr_buf_add_str(&r->inputs, "\"$@\"") && tr_buf_add_str(&r->setting, "set --") &&
           add_files(&r->setting, paths, n);
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

static bool add_inputs(const struct report *r, struct tr_buf *out, const char *const *paths, size_t n)
{
    return r->inputs.len ? tr_buf_add_str(out, " ") && tr_buf_add(out, r->inputs.data, r->inputs.len)
                         : add_files(out, paths, n);
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
    if (ok && r->clock.aligned && strncmp(c->words, "tr-comm ", 8) == 0)
        ok = tr_buf_add_str(out, " --align");
    if (ok && c->arch && r->o->arch)
        ok = add_option(out, "arch", r->o->arch);
    for (size_t i = 0; ok && c->capture && i < r->o->captures.n; i++)
        ok = add_option(out, "attach-capture", r->o->captures.items[i]);
    if (ok && c->how == REPORT_COMPARED)
        ok = tr_buf_add_str(out, " --base") &&
             (r->o->base.n ? add_files(out, r->o->base.items, r->o->base.n) : add_inputs(r, out, paths, n)) &&
             tr_buf_add_str(out, " --test");
    return ok && add_inputs(r, out, paths, n);
}
