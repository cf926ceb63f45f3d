/* SPDX-License-Identifier: MIT */
/*
 * The parts of tr-report: sections, the data of the inputs, and the page.
 *
 * A section is a table and the commands that print its figures.  Most sections have the largest rows of an analysis.
 * For several ranks, they have the median, the smallest and the largest value instead.
 */
#ifndef REPORT_H
#define REPORT_H

#include "analysis/compare/tr_run_summary.h"
#include "analysis/findings/tr_findings.h"
#include "analysis/info/tr_info.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_view.h"
#include "formats/tr_model_files.h"

enum report_id {
    REPORT_FINDINGS,
    REPORT_JOB,
    REPORT_TRUST,
    REPORT_HEADLINE,
    REPORT_STEPS,
    REPORT_TYPICAL,
    REPORT_BREAKDOWN,
    REPORT_OUTLIERS, /* of the breakdown */
    REPORT_DEVICES,
    REPORT_TIMELINE,
    REPORT_IDLE,
    REPORT_KERNELS,
    REPORT_SHORT,
    REPORT_OPERATORS,
    REPORT_CATEGORIES,
    REPORT_SHAPES,
    REPORT_PARENTS,
    REPORT_FAMILIES,
    REPORT_ROOFLINE,
    REPORT_COMM,
    REPORT_STRAGGLERS,
    REPORT_INFERENCE,
    REPORT_MEMORY,
    REPORT_LAUNCHES,
    REPORT_COUNTERS,
    REPORT_N_SECTIONS
};

/* How the inputs are passed to a command. */
enum report_how {
    REPORT_FILES,    /* as operands */
    REPORT_COMPARED, /* as the test of a comparison, together with the base */
};

struct report_command {
    const char *words; /* program and options as typed; NULL: no more commands */
    enum report_how how;
    bool of_rank;            /* for the rank of a line alone, if it is about one */
    bool no_where;           /* it shows something that --where does not select */
    bool no_select, no_unit; /* the program does not have these options */
    bool arch, capture;      /* it has the option --arch, --attach-capture */
};

#define REPORT_MAX_COLUMNS  9
#define REPORT_MAX_COMMANDS 2
#define REPORT_FEW_RANKS    4u

struct report_section {
    const char *name, *title;
    const struct report_command commands[REPORT_MAX_COMMANDS];
    const struct tr_analysis *analysis; /* NULL: the section is not made by an analysis */
    const void *options;                /* of the analysis; NULL: its defaults */
    /*
     * Names of those of the analysis, without the rank.  "-name": not in text; "*name": it labels rows of others;
     * "+name": it has names, although that of the analysis has none.  "!name": in text only where it is not 0.
     */
    const char *columns;
    unsigned n_keys;  /* the first of them, which identify the rows of a rank */
    const char *main; /* the column that orders rows, largest first; NULL: their order does not change */
    bool all;         /* all rows are on the page: there are few */
    bool of_job;      /* rows are for all ranks together, or have the rank as a key themselves */
    bool several;     /* only for several ranks */
    bool devices;     /* a row for each device; only if a rank has several */
    bool infers;      /* only if a trace has steps of inference */
    bool detail;      /* only on request */
    bool page;        /* in text only on request by name: it is of little use without its picture */
    bool in_order;    /* rows have the order of the analysis */
    unsigned n_arch;  /* the last so many columns are only there if peaks of the device are known */
};
extern const struct report_section report_sections[REPORT_N_SECTIONS];

enum report_format { REPORT_TEXT, REPORT_MD, REPORT_JSON, REPORT_HTML, REPORT_TSV, REPORT_CSV, REPORT_SVG,
                     REPORT_VEGA, REPORT_SQLITE, REPORT_XLSX };
enum report_per { REPORT_PER_ALL, REPORT_PER_RANK };

struct report_opts {
    struct cli_analysis a;
    struct tr_option_list base;
    const char *sections;           /* names with commas between; NULL: all but details */
    const char *rank, *step, *time; /* as given */
    const char *arch;               /* NULL: no peaks */
    struct tr_option_list limits;   /* of findings */
    struct tr_option_list captures; /* of graphs */
    uint64_t top;                   /* rows of a table; 0: all */
    uint64_t findings;              /* at most so many; 0: all */
    int format, per;
    bool no_align;
};

/* Operators, which are computed once for all sections about them. */
struct report_operators {
    struct tr_operators_shared shared;
    struct tr_operator_options names, shapes, kernels;
    struct tr_roofline_options families, params;
    struct tr_models *models;      /* NULL: not needed */
    struct tr_graph_calls *graphs; /* captures; NULL: none.  Its memory is from the budget of the program. */
    struct tr_peaks peaks;
};

struct report_figures {
    struct tr_step_times steps;
    struct tr_run_summary headline;
    struct tr_run_summary_figure of[TR_N_RUN_SUMMARY];
};

struct report {
    struct cli *cli;
    const struct report_opts *o;
    const struct tr_input *in; /* the test, read to its end */
    bool shown[REPORT_N_SECTIONS];
    bool own[REPORT_N_SECTIONS];                /* the table is not of findings */
    bool wanted[REPORT_N_SECTIONS];             /* the shown sections, and those that they are made from */
    struct tr_findings *findings;               /* NULL: not needed */
    struct tr_table *tables[REPORT_N_SECTIONS]; /* all rows of the analysis; some are those of findings */
    struct tr_table_column columns[REPORT_N_SECTIONS][REPORT_MAX_COLUMNS]; /* of the page; no name: the end */
    size_t places[REPORT_N_SECTIONS][REPORT_MAX_COLUMNS];                   /* of these in the rows of the analysis */
    struct tr_one_clock clock;    /* of all ranks, from their collectives */
    struct tr_table *groups;      /* sums over the collectives of each process group; NULL: not needed */
    struct tr_info *info;         /* NULL: not needed */
    struct tr_selector *selector; /* for the events that info counts */
    struct tr_batch *part;
    const struct tr_select *selected;
    size_t n_few; /* ranks, if each has a column: there are few, and each was recorded once; else 0 */
    int64_t few[REPORT_FEW_RANKS];
    char few_names[REPORT_FEW_RANKS][24]; /* of the columns */
    struct report_operators operators;
    struct tr_buf inputs, setting; /* how commands name the inputs; a command before them.  Empty: as given; none */
    size_t n_ranks;                /* among the selected sources */
    size_t n_captures;             /* at most so many of each rank */
    bool device;                   /* there is one */
    struct report_figures test, base;
    const struct report *other; /* the run of --base with its sections; NULL: none, or only the headline is compared */
    /* Of partial results. */
    uint8_t *of_partial; /* by source: it has no events, but a partial result; NULL: none has */
    size_t n_of_partial;
    struct tr_partial_about saved; /* what they were saved with */
    char **paths;                  /* the inputs that the page names, owned; none: the operands */
    size_t n_paths, cap_paths;
};

static inline bool report_of_partial(const struct report *r, uint32_t source)
{
    return r->of_partial && r->of_partial[source];
}

/* The inputs that commands of the page name. */
const char *const *report_inputs(const struct report *r, size_t *n);

/* The number of ranks of a capture, or of all for SIZE_MAX; device: of those with device work. */
size_t report_n_ranks(const struct report *r, size_t capture, bool device);

/* ---- report_sections.c ---- */

/* Look up the columns of a section in the table of its analysis, which has them; and the columns. */
void report_columns_of(struct report *r, enum report_id id);
const struct tr_table_column *report_columns(const struct report *r, const struct report_section *s);
/* The number of columns that this page has of those of a section. */
size_t report_n_columns(const struct report *r, const struct report_section *s);

/* ---- report_operators.c ---- */

/* Choose keys and models for the wanted sections, and the options of the analysis of a section. */
enum tr_status report_operators_prepare(struct report *r, struct tr_error *err);
const void *report_options_of(const struct report *r, enum report_id id);

/* ---- report_rows.c: tables of a section ---- */

/* A number in a column of this description; NaN: absent. */
void report_number(struct tr_table *t, const struct tr_table_column *c, double value);

/*
 * The number in a row of an analysis; NaN: absent, or there is no such column.  Loops over rows look up the column
 * once, by tr_table_find.
 */
double report_cell(const struct tr_table *t, size_t row, const char *column);
double report_cell_at(const struct tr_table *t, size_t row, size_t column);

/*
 * Make the rows of the page from those of an analysis: the largest ones, or statistics over ranks.  to: a table without
 * columns.  False: out of memory.
 */
bool report_rows(const struct report *r, enum report_id id, struct tr_table *to);

/* Decide whether each rank has a column, before the rows. */
void report_few_ranks(struct report *r);

/* Ranks whose figures are far from those of the others. */
bool report_outliers(const struct report *r, struct tr_table *to);

/* ---- report_job.c, report_trust.c, report_base.c ---- */

/* What the job is: one row.  False: out of memory. */
bool report_job(const struct report *r, struct tr_table *to);
/* The ranks of the job, as the traces say; 0: not known. */
int64_t report_world_size(const struct report *r);


/* tr_runner_add_observer, for a struct report. */
enum tr_status report_trust_add(void *report, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err);
bool report_trust(const struct report *r, struct tr_table *to); /* false: out of memory */
/* Do the clocks of the ranks agree: after tr-align, or because their collectives end together? */
bool report_one_clock(const struct report *r);
/* Does a rank have several devices?  Only with the table of devices. */
bool report_several_devices(const struct report *r);

/* The tables of tr-diff for both runs, or for one. */
void report_headline(const struct report *r, struct tr_table *to);
void report_steps(const struct report *r, struct tr_table *to);
enum tr_status report_read_base(struct report *r, struct tr_error *err);

/* ---- report_findings.c: false: out of memory ---- */

bool report_findings(const struct report *r, struct tr_buf *out);
/* All of them, or as many as --findings says, as a table: -O tsv, csv. */
enum tr_status report_findings_table(const struct report *r, struct tr_error *err);
bool report_findings_json(const struct report *r, struct tr_buf *out);

/* ---- report_book.c ---- */

/* All sections, each as a table of an output that has several. */
enum tr_status report_book_write(const struct report *r, struct tr_error *err);

/* ---- report_text.c ---- */

/* A sentence on lines that fit, all but the first indented; a command on lines that can be copied.  False: out of
 * memory. */
bool report_sentence(const struct report *r, const char *s, size_t len, struct tr_buf *out);
bool report_command_lines(const struct report *r, const char *s, size_t len, struct tr_buf *out);

/* ---- report_page.c ---- */

/* The rows of a section.  False: out of memory. */
bool report_make_rows(const struct report *r, enum report_id id, struct tr_table *t);
/* Is a section on this page, if it has rows? */
bool report_has_section(const struct report *r, enum report_id id);

/* The page that is being written. */
struct report_page {
    const struct report *r;
    struct tr_buf out;
    size_t n; /* number of sections so far */
};

/* Decide how commands name the inputs, before the first of them.  False: out of memory. */
bool report_name_inputs(struct report *r);
/* Append a command, with the selection and the inputs of the user; rank: for --rank, NULL: as given. */
bool report_command(const struct report *r, const struct report_command *c, const char *rank, struct tr_buf *out);
enum tr_status report_write(const struct report *r, struct tr_error *err);

#endif
