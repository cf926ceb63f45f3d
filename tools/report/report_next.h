/* SPDX-License-Identifier: MIT */
/*
 * What to look at next: rules, and the lines that they make.
 *
 * A rule looks at the tables of the page.  If its condition holds, it adds a line: a sentence with a figure, the size
 * of what it is about in time, and the commands that print the figure.  Lines come by size, the largest first; those
 * about the inputs have no size and come before all others.
 *
 * Sizes compare because all are times of one rank: the mean over the ranks for a line about all of them, else the time
 * of the rank that the line names.
 *
 * A line rests on data of the inputs, its grounds.  If there is reason to doubt one of them, the same sentence says so.
 */
#ifndef REPORT_NEXT_H
#define REPORT_NEXT_H

#include "report/report.h"

/* What a line rests on. */
enum {
    REPORT_ON_WORK = 1,     /* device work is there, and its times are right */
    REPORT_ON_LAUNCHES = 2, /* the launch of device work is known */
    REPORT_ON_CLOCKS = 4,   /* clocks of the ranks agree */
};

#define REPORT_ANY_RANK (-1.0)
#define REPORT_NO_SIZE  INFINITY /* it is about the inputs */

struct report_lines;

struct report_rule {
    unsigned grounds;
    struct report_command commands[REPORT_MAX_COMMANDS];
    void (*look)(struct report_lines *l); /* its condition: adds lines */
};

struct report_line {
    const struct report_rule *rule;
    double size, rank;  /* ns; rank: REPORT_ANY_RANK, it is about all */
    size_t at;          /* in the order in which they were added */
    struct tr_buf what; /* the sentence */
};

struct report_lines {
    const struct report *r;
    const struct report_rule *rule; /* the one that looks */
    struct report_line *v;
    size_t n, cap;
    bool failed; /* out of memory */
};

/* ---- report_next.c: the rules ---- */

extern const struct report_rule report_rules[];
extern const size_t report_n_rules;

/* ---- report_lines.c ---- */

/* Add a line of the rule that looks; and go on with its sentence. */
void report_line(struct report_lines *l, double size, double rank, const char *fmt, ...) TR_PRINTF(4, 5);
void report_more(struct report_lines *l, const char *fmt, ...) TR_PRINTF(2, 3);
void report_more_text(struct report_lines *l, struct tr_str text);

/* A time with one decimal, as in "33.3 ms". */
const char *report_time(double ns, char *text, size_t size);

/* How far apart the ranks end a collective in which all wait: clocks are not known better.  NaN: not known. */
double report_clock_error(const struct report *r);

#endif
