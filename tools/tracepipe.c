/* SPDX-License-Identifier: MIT */
/* tracepipe: all programs in one file, by the name of a link to it or by the first operand.  Manual: tracepipe(1). */
#include "base/tr_near.h"
#include "cli/cli_main.h"
#include "programs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "tr-"

static const struct cli_tool tracepipe_tool = {
    .name = "tracepipe",
    .brief = "answer questions about traces of accelerators",
    .operands = "PROGRAM [OPTION]... [FILE]...",
    .max_operands = CLI_ANY,
};

static bool has_prefix(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

/* The part of a name that follows the prefix, if it has one. */
static const char *short_name(const char *name)
{
    return has_prefix(name) ? name + strlen(PREFIX) : name;
}

/* The program of this name, with or without its prefix; NULL: there is none. */
static const struct program *find(const char *name)
{
    const struct program *p = programs;
    while (p->name && strcmp(short_name(p->name), short_name(name)) != 0)
        p++;
    return p->name ? p : NULL;
}

/* The programs by question, on one screen. */
static enum tr_status list(struct cli *cli, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    bool ok = tr_buf_add_str(&text, "Usage: tracepipe PROGRAM [OPTION]... [FILE]...\n");
    for (const struct program *p = programs; ok && p->name; p++)
        ok = tr_buf_print(&text, "  %-12s%s\n", short_name(p->name), p->question);
    ok = ok && tr_buf_add_str(&text, "\nPages: tracepipe help PROGRAM.  Options: tracepipe PROGRAM --help.\n");
    enum tr_status st = ok ? cli_write_report(cli, &text, err) : tr_fail_memory(err);
    tr_buf_free(&text);
    return st;
}

/* Pages that are installed with this file are found, too, where that is no folder that man knows. */
static void show_own_pages(void)
{
    char path[PATH_MAX + 32], value[3 * PATH_MAX];
    const char *others = getenv("MANPATH");
    struct stat sb;
    ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
    if (len <= 0)
        return;
    path[len] = '\0';
    strcpy(strrchr(path, '/'), "/../share/man");
    int n = snprintf(value, sizeof value, "%s:%s", path, others ? others : "");
    if (stat(path, &sb) == 0 && n > 0 && (size_t)n < sizeof value)
        setenv("MANPATH", value, 1);
}

/* Open the page of a program, or one that belongs to several, such as tr-expr(7). */
static enum tr_status open_page(const char *name, struct tr_error *err)
{
    char page[80];
    bool whole = strcmp(name, "tracepipe") == 0 || strcmp(name, "libtrcore") == 0 || has_prefix(name);
    int n = snprintf(page, sizeof page, "%s%s", whole ? "" : PREFIX, name);
    if (n < 0 || (size_t)n >= sizeof page)
        return tr_fail(err, TR_USAGE, "'%.80s' is no page", name);
    show_own_pages();
    execlp("man", "man", page, (char *)NULL);
    return tr_fail_sys(err, errno, "cannot start man");
}

static enum tr_status run(struct cli *cli, void *arg, struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    (void)arg;
    if (n == 0 || (n == 1 && strcmp(operands[0], "help") == 0))
        return list(cli, err);
    if (n == 2 && strcmp(operands[0], "help") == 0)
        return open_page(operands[1], err);
    if (n > 2)
        return tr_fail(err, TR_USAGE, "'help' takes one page; tracepipe lists the programs");

    const char *name = short_name(operands[0]);
    struct tr_near near = { .word = name, .len = strlen(name) };
    char hint[TR_NEAR_TEXT];
    for (const struct program *p = programs; p->name; p++)
        tr_near_try(&near, short_name(p->name));
    return tr_fail(err, TR_USAGE, "'%.80s' is no program%s; tracepipe lists them", operands[0],
                   tr_near_text(&near, hint));
}

int main(int argc, char **argv)
{
    const char *called = argc ? argv[0] : "", *slash = strrchr(called, '/');
    const struct program *p = NULL;
    called = slash ? slash + 1 : called;
    if (has_prefix(called) && (p = find(called)) != NULL)
        return p->run(argc, argv);
    if (argc > 1 && (p = find(argv[1])) != NULL)
        return p->run(argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] != '-' && strcmp(argv[1], "help") != 0)
        argc = 2; /* the others are for a program that does not exist */
    else if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        argc = 1;
    return cli_main(argc, argv, &tracepipe_tool, NULL, run);
}
