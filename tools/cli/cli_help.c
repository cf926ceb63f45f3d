/* SPDX-License-Identifier: MIT */
/* The texts that programs print about themselves, made from their option tables. */
#include "base/tr_library.h"
#include "cli/cli_priv.h"

#include <stdarg.h>
#include <string.h>

#define HELP_COLUMN 28 /* the column where descriptions of options start */
#define HELP_WIDTH  80 /* of a line at most */

static bool add_fmt(struct tr_buf *b, const char *fmt, ...) TR_PRINTF(2, 3);

static bool add_fmt(struct tr_buf *b, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return n >= 0 && (size_t)n < sizeof text && tr_buf_add(b, text, (size_t)n);
}

/* A text from a column on, in lines of whole words. */
static bool add_words(struct tr_buf *b, int column, const char *text)
{
    bool ok = true, first = true;
    for (int at = column; ok && *text;) {
        int len = (int)strcspn(text, " ");
        bool fits = first || at + 1 + len <= HELP_WIDTH;
        if (!fits)
            ok = add_fmt(b, "\n%*s", column, "");
        else if (!first)
            ok = add_fmt(b, " ");
        at = (fits ? at + !first : column) + len;
        ok = ok && add_fmt(b, "%.*s", len, text);
        first = false;
        text += len;
        text += strspn(text, " ");
    }
    return ok && add_fmt(b, "\n");
}

/* "  -n, --events N" and the description, from the next line on if there is no room. */
static bool add_option(const struct cli *cli, struct tr_buf *b, const struct tr_option *o)
{
    char help[2048];
    char left[120], letter[] = { '-', o->letter, ',', ' ', '\0' };
    const char *before = !o->arg ? "" : o->if_bare ? "[=" : " ", *after = o->if_bare ? "]" : "";
    int n = snprintf(left, sizeof left, "  %s--%s%s%s%s", o->letter ? letter : "    ", o->name,
                     before, o->arg ? o->arg : "", after);
    if (n < 0 || (size_t)n >= sizeof left)
        return false;
    bool ok =
        n > HELP_COLUMN - 2 ? add_fmt(b, "%s\n%*s", left, HELP_COLUMN, "") : add_fmt(b, "%-*s", HELP_COLUMN, left);
    cli__option_help(cli, o, help, sizeof help);
    return ok && add_words(b, HELP_COLUMN, help);
}

static bool add_examples(struct tr_buf *b, const struct cli_tool *t)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < 2 && t->examples[i]; i++)
        ok = add_fmt(b, "%s  %s\n", i ? "" : "\nExamples:\n", t->examples[i]);
    return ok;
}

/* The options of tables from number first to last. */
static bool add_tables(const struct cli *cli, struct tr_buf *b, int first, int last, const char *title)
{
    bool any = false, ok = true;
    for (int t = first; t <= last; t++)
        for (const struct tr_option *o = cli->tables[t]; o && o->name && ok; o++) {
            if (o->hidden || !cli__opt_used(cli, o))
                continue;
            if (!any)
                ok = add_fmt(b, "\n%s:\n", title);
            any = true;
            ok = ok && add_option(cli, b, o);
        }
    return ok;
}

bool cli__help(const struct cli *cli, struct tr_buf *b)
{
    const struct cli_tool *t = cli->tool;
    return add_fmt(b, "Usage: %s [OPTION]... %s\n", cli->name, t->operands ? t->operands : "") &&
           add_fmt(b, "%c%s.\n", *t->brief >= 'a' && *t->brief <= 'z' ? *t->brief - 32 : *t->brief,
                   t->brief + 1) &&
           add_tables(cli, b, 0, 1, "Options") && add_tables(cli, b, 2, 2, "Common options") &&
           add_fmt(b, "\nSee %s(1), and tr-options(7) for the common options.\n", cli->name) &&
           add_examples(b, t);
}

bool cli__version(const struct cli *cli, struct tr_buf *b)
{
    const char *loads = tr_library_can_load() ? "" : "linked statically, so it loads no libraries: isal, microhttpd\n";
    return add_fmt(b, "%s (%s) %s\nbuilt with %s\n%s", cli->name, PACKAGE_NAME, PACKAGE_VERSION, TR_BUILT_WITH, loads);
}

/*
 * One line per option, fields separated by tabs: own or common, letter or "-", name, whether it
 * takes a value (no, yes, maybe), name of the value or "-", what the value is (file, dir, choice,
 * other), the choices separated by commas or "-", the description.
 */
bool cli__option_table(const struct cli *cli, struct tr_buf *b)
{
    bool ok = true;
    char help[2048];
    for (int t = 0; t < 3; t++) {
        for (const struct tr_option *o = cli->tables[t]; o && o->name && ok; o++) {
            if (o->hidden || !cli__opt_used(cli, o))
                continue;
            const char *takes = o->type == TR_OPTION_FLAG ? "no" : o->if_bare ? "maybe" : "yes";
            const char *what = o->type == TR_OPTION_FILE || o->file ? "file"
                               : o->type == TR_OPTION_DIR    ? "dir"
                               : o->type == TR_OPTION_CHOICE ? "choice"
                                                       : "other";
            ok = add_fmt(b, "%s\t%c\t%s\t%s\t%s\t%s\t", t == 2 ? "common" : "own",
                         o->letter ? o->letter : '-', o->name, takes, o->arg ? o->arg : "-", what);
            for (int i = 0; ok && o->choices && o->choices[i]; i++)
                ok = add_fmt(b, "%s%s", i ? "," : "", o->choices[i]);
            cli__option_help(cli, o, help, sizeof help);
            ok = ok && add_fmt(b, "%s\t%s\n", o->choices ? "" : "-", help);
        }
    }
    return ok;
}
