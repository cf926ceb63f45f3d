/* SPDX-License-Identifier: MIT */
/* Files of profilers that are not read: what they are, and what to do instead. */
#include "formats/common/tr_not_read_int.h"

#include "formats/common/tr_json_probe_int.h"

#include <stdbool.h>
#include <string.h>

static bool name_ends(const char *name, const char *end)
{
    size_t n = strlen(name), len = strlen(end);
    return n >= len && !strcmp(name + n - len, end);
}

/* A database is known by its tables, whose definitions are at its start. */
static const struct {
    const char *table, *what;
} databases[] = {
    { "StringTable", "an SQLite database of nvprof, which is not read: record with Nsight Systems, and export that" },
};

const char *tr__not_read_database(const unsigned char *p, size_t n)
{
    const char *what = NULL;
    for (size_t i = 0; !what && i < sizeof databases / sizeof *databases; i++)
        if (tr__probe_holds(p, n, databases[i].table))
            what = databases[i].what;
    return what;
}

/* By the first bytes. */
static const struct {
    const char *start;
    size_t len;
    const char *what;
} starts[] = {
    { "PERFILE2", 8, "a recording of Linux's perf, which is not read: give the text of 'perf script -i FILE'" },
    { "\x17\x08\x44tracing", 10, "a recording of ftrace, which is not read: give the text of 'trace-cmd report FILE'" },
    { "\x7f" "ELF", 4, "a program or a library, and no trace" },
    { "<!DOCTYPE", 9, "a page of HTML or XML, and no trace" },
    { "<html", 5, "a page of HTML, and no trace" },
};

const char *tr__not_read(const char *name, const unsigned char *p, size_t n)
{
    static const char sqlite[] = "SQLite format 3";
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (n >= starts[i].len && !memcmp(p, starts[i].start, starts[i].len))
            return starts[i].what;
    if (n >= sizeof sqlite && !memcmp(p, sqlite, sizeof sqlite))
        return tr__not_read_database(p, n) ? tr__not_read_database(p, n) : "an SQLite database, which is not read";
    if (name_ends(name, ".nsys-rep") || name_ends(name, ".qdrep"))
        return "a report of Nsight Systems, whose form is not public: export it with 'nsys export --type sqlite FILE'";
    if (name_ends(name, ".ncu-rep"))
        return "a report of Nsight Compute, which is not read";
    if (n >= 2 && p[0] == 0x80 && p[1] >= 2 && p[1] <= 5)
        return "a pickle of Python, which is not read";
    return NULL;
}
