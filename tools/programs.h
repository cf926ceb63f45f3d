/* SPDX-License-Identifier: MIT */
/* The programs that are in one file; programs.awk makes the table from tools.list. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

struct program {
    const char *name;     /* "tr-parse"; NULL ends the table */
    const char *question; /* that it answers */
    int (*run)(int argc, char **argv);
};
extern const struct program programs[];

#endif
