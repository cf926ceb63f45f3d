/* SPDX-License-Identifier: MIT */
/*
 * The parts of tr-report: sections, what is known of the inputs, and what the page says of it.
 *
 * A section is a table and the commands that print its figures.  Most are the rows of an analysis, cut to the
 * largest; of several ranks, their median, least and most instead.
 */
#ifndef REPORT_H
#define REPORT_H

#include "analysis/tr_analyses.h"
#include "analysis/tr_headline.h"
#include "analysis/tr_info.h"
#include "cli/cli_view.h"

enum report_id {
    REPORT_TRUST,
    REPORT_HEADLINE,
    REPORT_STEPS,
    REPORT_BREAKDOWN,
    REPORT_OUTLIERS, /* of the breakdown */
    REPORT_IDLE,
    REPORT_KERNELS,
    REPORT_OPERATORS,
    REPORT_COMM,
    REPORT_STRAGGLERS,
    REPORT_MEMORY,
    REPORT_LAUNCHES,
    REPORT_COUNTERS,
    REPORT_NEXT,
    REPORT_N_SECTIONS
};

/* How the inputs are handed to a command. */
enum report_how {
    REPORT_FILES,    /* as operands */
    REPORT_COMPARED, /* as the test of a comparison, the base beside it */
};

struct report_command {
    const char *words; /* program and options as typed; NULL: no more commands */
    enum report_how how;
    bool no_where;           /* it is about something that --where does not select */
    bool no_select, no_unit; /* the program does not know these options */
};

#define REPORT_MAX_COLUMNS 7

struct report_section {
    const char *name, *title;
    const struct report_command commands[2];
    const struct tr_analysis *analysis;                       /* NULL: the section is made in its own way */
    const struct tr_table_column columns[REPORT_MAX_COLUMNS]; /* of the analysis, the rank aside; up to no name */
    unsigned n_keys;                                          /* the first of them, which tell rows of a rank apart */
    const char *main; /* the one that orders rows, largest first; NULL: they stay as they are */
    bool of_job;      /* rows are about all ranks together, or tell ranks apart themselves */
    bool several;     /* means something with several ranks only */
};
extern const struct report_section report_sections[REPORT_N_SECTIONS];
size_t report_n_columns(const struct report_section *s);

enum report_format { REPORT_TEXT, REPORT_MD, REPORT_JSON };
enum report_per { REPORT_PER_ALL, REPORT_PER_RANK };

struct report_opts {
    struct cli_analysis a;
    struct cli_list base;
    const char *sections;           /* names with commas between; NULL: all */
    const char *rank, *step, *time; /* as they were given */
    int format, per;
};

struct report_figures {
    struct tr_step_times steps;
    struct tr_headline headline;
    struct tr_headline_figure of[TR_N_HEADLINE];
};

struct report {
    struct cli *cli;
    const struct report_opts *o;
    const struct tr_input *in; /* the test, read to its end */
    bool shown[REPORT_N_SECTIONS];
    bool wanted[REPORT_N_SECTIONS]; /* what is shown, and what this is made of */
    struct tr_table *tables[REPORT_N_SECTIONS]; /* all that an analysis found */
    struct tr_info *info;                       /* NULL: nobody asked */
    struct tr_selector *selector;               /* for the events that are counted there */
    struct tr_batch *part;
    const struct tr_select *selected;
    size_t n_ranks; /* sources that are looked at */
    bool device;    /* one of them has device work */
    struct report_figures test, base;
};

/* ---- report_rows.c: tables of a section ---- */

/* A number in a column of this description; NaN: absent. */
void report_number(struct tr_table *t, const struct tr_table_column *c, double value);

/* The number in a row of what an analysis found; NaN: absent, or there is no such column. */
double report_cell(const struct tr_table *t, size_t row, const char *column);

/*
 * What the page shows of the rows that an analysis found: the largest, or over ranks.  to: without columns.
 * False: out of memory.
 */
bool report_rows(const struct report *r, enum report_id id, struct tr_table *to);

/* Ranks whose figures are far from those of the others. */
bool report_outliers(const struct report *r, struct tr_table *to);

/* ---- report_trust.c, report_base.c ---- */

enum tr_status report_trust_add(struct report *r, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err);
void report_trust(const struct report *r, struct tr_table *to);
/* Were problems found in the inputs? */
bool report_doubt(const struct report *r);

/* What tr-diff says of both runs, or of one. */
void report_headline(const struct report *r, struct tr_table *to);
void report_steps(const struct report *r, struct tr_table *to);
enum tr_status report_read_base(struct report *r, struct tr_error *err);

/* ---- report_next.c: plain rules on what was found ---- */

struct report_page;
void report_next(const struct report *r, struct report_page *page);

/* ---- report_page.c ---- */

/* The page in the making. */
struct report_page {
    const struct report *r;
    struct tr_buf out;
    size_t n;              /* sections so far */
    struct tr_table *next; /* what to look at, and the command */
    bool failed;           /* out of memory */
};

/* Append a command with selection and inputs of the user's. */
bool report_command(const struct report *r, const struct report_command *c, struct tr_buf *out);
/* Add to what to look at next. */
void report_advise(struct report_page *page, const char *what, const struct report_command *c);
enum tr_status report_write(const struct report *r, struct tr_error *err);

#endif
