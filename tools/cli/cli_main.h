/* SPDX-License-Identifier: MIT */
/*
 * The frame of all programs.  It checks descriptors and signals, parses options and opens inputs of any format.  It
 * refuses to write binary to terminals, and gives the output its name when it is complete.  It prints the error and
 * returns the exit code.  A program is an option table and a run function:
 *
 *     struct head { uint64_t limit; };
 *     static const struct tr_option head_opts[] = {
 *         { 'n', "events", "N", TR_OPTION_U64, offsetof(struct head, limit), .help = "how many [10]" },
 *         { 0 }
 *     };
 *     static const struct cli_tool head_tool = {
 *         .name = "tr-head", .brief = "pass on the first events", .operands = "[FILE]...",
 *         .uses = CLI_INPUT | CLI_STREAM, .max_operands = CLI_ANY, .opts = head_opts,
 *     };
 *     static enum tr_status head_run(struct cli *cli, void *arg, struct tr_error *err) { ... }
 *
 *     int tr_head_main(int argc, char **argv)
 *     {
 *         return cli_main(argc, argv, &head_tool, &(struct head){ .limit = 10 }, head_run);
 *     }
 *
 * Everything here is for the main thread, except cli_warn.
 */
#ifndef CLI_MAIN_H
#define CLI_MAIN_H

#include "analysis/tr_registry.h"
#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "formats/tr_open.h"
#include "table/tr_option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- a program -------------------------------------------------------------------------------- */

/* The parts of the frame that a program uses; they decide its common options. */
enum {
    CLI_INPUT = 1 << 0,      /* --input-format --strict --depth --renumber -j -M -T --progress */
    CLI_OUTPUT = 1 << 1,     /* -o */
    CLI_BINARY = 1 << 2,     /* -f */
    CLI_PACKED = 1 << 3,     /* -z */
    CLI_PROVENANCE = 1 << 4, /* --no-provenance */
    CLI_TABLE = 1 << 5,      /* --size --bars */
    CLI_UNIT = 1 << 6,       /* --unit */
    CLI_RELATIVE = 1 << 8, /* --relative */
    CLI_ARRANGE = 1 << 7,    /* --columns --sort --top --top-per --short-names --human --csv-safe --help-columns */

    CLI_PARTIAL = 1 << 9,    /* tables of analyses: --save-partial --distinct, CLI_FOLLOW, CLI_RANKS */
    CLI_FOLLOW = 1 << 10,    /* --every --follow */
    CLI_RANKS = 1 << 11,     /* --expect-ranks --min-ranks */
    CLI_FORMAT = 1 << 12,    /* -O */
    CLI_COMMAND = 1 << 13,   /* the first operand is a command: options after it are its own */

    CLI_STREAM = CLI_OUTPUT | CLI_BINARY | CLI_PACKED | CLI_PROVENANCE, /* writes an event stream */
    CLI_REPORT = CLI_OUTPUT | CLI_FORMAT | CLI_TABLE | CLI_UNIT,        /* writes a table */
};

#define CLI_ANY (-1)

struct cli_tool {
    const char *name;               /* "tr-head" */
    const char *brief;              /* one line, for --help and the name section of the page */
    const char *operands;           /* "[FILE]...", "EXPR [FILE]..." */
    unsigned uses;                  /* CLI_INPUT and so on */
    int min_operands, max_operands; /* max_operands CLI_ANY: no limit */
    const struct tr_option *opts;     /* NULL: only common options */
    /*
     * The tables that it prints, of the registry; the options of these are options of the program, too.  NULL: none.
     * Several have the option --by.
     */
    const struct tr_view *views;
    const char *examples[2];        /* for the end of --help; rules/help.sh runs them */
    unsigned dict_copies;           /* that it makes of the dictionaries of its inputs, for -M */
};

struct cli;

/*
 * Do the program's work.  arg is the struct that the options were stored in.
 *
 * TR_OK and TR_END mean done; TR_NO, TR_COVERAGE and TR_MISSING mean done with that answer.  Then the output appears
 * under its name.  With any other status it does not, and err is printed.
 */
typedef enum tr_status cli_run(struct cli *cli, void *arg, struct tr_error *err);

/* Run a program from start to end.  Returns the exit code: tr-options(7), "EXIT STATUS". */
int cli_main(int argc, char **argv, const struct cli_tool *tool, void *arg, cli_run *run);

/* --- options that were given ------------------------------------------------------------------ */

const char *const *cli_operands(const struct cli *cli, size_t *n);
bool cli_given(const struct cli *cli, const char *name); /* was this option of the program's own given? */
bool cli_quiet(const struct cli *cli);
bool cli_verbose(const struct cli *cli);
bool cli_provenance(const struct cli *cli);          /* false with --no-provenance */
const char *cli_command_line(const struct cli *cli); /* quoted for a shell; owned by the frame */
/*
 * Append a word quoted for a shell, so that it can be shown and copied (tr_escape_plain): harmless characters bare,
 * others in single quotes, bytes that cannot be shown as \ooo in $'...'.  False: out of memory.
 */
bool cli_add_word(struct tr_buf *b, const char *word);
unsigned cli_threads(const struct cli *cli);
size_t cli_max_memory(const struct cli *cli); /* bytes */
const char *cli_temp_dir(const struct cli *cli);

/* --- input ------------------------------------------------------------------------------------ */

/*
 * The options for opening inputs, from the command line.  A program with further options for this (tr-parse --rank)
 * changes them before it opens anything.
 */
struct tr_open_opts *cli_open_opts(struct cli *cli);
/* Where tables go when memory is short. */
struct tr_spill *cli_spill(const struct cli *cli);

/*
 * Open n inputs, merged into one.  None or "-" is standard input, which can be used once; a terminal is read only for
 * "-".  A folder means the traces in it (formats/tr_folder.h); a remark says so.  The frame owns the input and closes
 * it after the run.
 */
enum tr_status cli_input_open(struct cli *cli, const char *const *paths, size_t n,
                              struct tr_input **in, struct tr_error *err);
/* The same for a trace in memory that the program made; the text has to stay until the input is closed. */
enum tr_status cli_input_text(struct cli *cli, const char *name, const struct tr_buf *text, struct tr_input **in,
                              struct tr_error *err);
/* Close an input before the end of the run, to release its memory. */
void cli_input_close(struct cli *cli, struct tr_input *in);
/* The same as cli_input_open for the operands from number first on. */
enum tr_status cli_input_operands(struct cli *cli, size_t first, struct tr_input **in,
                                  struct tr_error *err);

/* All bytes of an open file that is a printed table; the file is closed, unless it is standard input. */
enum tr_status cli_read_text(int fd, const char *name, size_t max_bytes, struct tr_buf *text, struct tr_error *err);

/* --- output ----------------------------------------------------------------------------------- */

/*
 * The output, -o or standard output, as a descriptor that the frame owns.  Call it before the work, so that a terminal
 * is refused at once.  Without this call, an existing output file does not change.
 *
 * binary  TR_USAGE if the output is a terminal and -f was not given
 */
enum tr_status cli_output(struct cli *cli, bool binary, int *fd, struct tr_error *err);
/*
 * Write to a file that another option than -o names, in the same way; before cli_output.
 * TR_USAGE: -o is given, too.
 */
enum tr_status cli_output_to(struct cli *cli, const char *path, struct tr_error *err);
bool cli_output_is_file(const struct cli *cli); /* a regular file, not a pipe, device or terminal */
const char *
cli_output_name(const struct cli *cli); /* for messages: "'out.trs'", "standard output" */

/* Write all bytes to the output.  TR_SYSTEM: they could not be written. */
enum tr_status cli_write(struct cli *cli, const void *bytes, size_t n, struct tr_error *err);

/* The same as a function with a context, such as for the writer of streams. */
enum tr_status cli_sink(void *cli, const void *bytes, size_t n, struct tr_error *err);

/* Codec of a stream, -z: default none on a pipe, lz4 in a file.  *level 0: the codec's own. */
enum cli_codec { CLI_CODEC_NONE, CLI_CODEC_LZ4, CLI_CODEC_ZLIB };
enum cli_codec cli_codec(const struct cli *cli, bool is_file, int *level);

/* --- reports ---------------------------------------------------------------------------------- */

enum cli_format { CLI_TEXT, CLI_TSV, CLI_CSV, CLI_JSON, CLI_MD, CLI_SVG, CLI_VEGA, CLI_HTML, CLI_SQLITE, CLI_XLSX };
enum cli_unit { CLI_NS, CLI_US, CLI_MS, CLI_S };

/* The format with this name, for a program that defines -O itself. */
void cli_report_as(struct cli *cli, const char *format);
enum cli_format cli_report_format(const struct cli *cli); /* -O or TR_FORMAT; text on a terminal, else tsv */
enum cli_unit cli_unit(const struct cli *cli);            /* --unit */

/* The options for the form of a table. */
struct cli_arrange {
    const char *columns, *sort; /* NULL: not given */
    uint64_t top;
    const char *top_per;
    bool short_names, help_columns, human, csv_safe;
    const struct tr_table_heading *headings; /* NULL: none */
};
/* Use these columns, or this unit, unless the user chose others. */
void cli_columns_default(struct cli *cli, const char *columns);
void cli_unit_default(struct cli *cli, enum cli_unit unit);
void cli_headings(struct cli *cli, const struct tr_table_heading *headings); /* of columns; borrowed */
bool cli_relative(const struct cli *cli); /* times count from the start: tr_source_to_file knows */
bool cli_unit_given(const struct cli *cli);
bool cli_format_given(const struct cli *cli); /* common option -O, and not TR_FORMAT */
bool cli_format_chosen(const struct cli *cli); /* either of them */
/* The format does not fit: if TR_FORMAT said it, it counts no longer.  False: it is the user's. */
bool cli_format_forget(struct cli *cli);
const struct cli_arrange *cli_arrange(const struct cli *cli);
bool cli_bars(const struct cli *cli);  /* --bars */
bool cli_sized(const struct cli *cli); /* --size */
/* --top, for a program that counts something else than rows with it; the table ignores it then.  0: not given. */
uint64_t cli_take_top(struct cli *cli);

/* Options for partial results: cli_partial.h. */
struct cli_partial {
    const char *save;   /* NULL: the table is printed */
    uint64_t distinct;  /* 0: not given */
    const char *expect; /* ranks that there must be; NULL: any */
    uint64_t min_ranks; /* 0: any number */
};
const struct cli_partial *cli_partial(const struct cli *cli);
bool cli_every_given(const struct cli *cli); /* --every: cli_every.h */
bool cli_follow_given(const struct cli *cli);
int64_t cli_every_time(const struct cli *cli); /* ns; 0: it was not given */
/* Wait for so many ns.  False: a signal asks the program to end, with --follow. */
bool cli_pause(int64_t ns);

/* The length of a line of text, in columns: that of the terminal, else COLUMNS, else 80. */
size_t cli_width(const struct cli *cli);
/* May text have colours?  Only on a terminal that has them, unless NO_COLOR is set. */
bool cli_colour(const struct cli *cli);

/* Write a complete report. */
enum tr_status cli_write_report(struct cli *cli, const struct tr_buf *text, struct tr_error *err);

/* --- messages --------------------------------------------------------------------------------- */

/*
 * A warning about an input; input and place may be "".  Any thread.  After five with the same text
 * the rest is counted, and the count printed at the end.
 */
void cli_warn(struct cli *cli, const char *input, const char *place, const char *what);

/* A remark on standard error, printed with --verbose only. */
void cli_note(struct cli *cli, const char *fmt, ...) TR_PRINTF(2, 3);
/*
 * A remark for the end, also without --verbose.  It is printed when the output is complete: a program that fails prints
 * only its error.  The first CLI_MAX_REMARKS of a run are kept.
 */
#define CLI_MAX_REMARKS 4
void cli_remark(struct cli *cli, const char *fmt, ...) TR_PRINTF(2, 3);

/*
 * Lines below the message if the program fails, such as the place of an error.  Takes the text over; an empty text
 * removes the lines that were set before.
 */
void cli_show_below(struct cli *cli, struct tr_buf *lines);

/* Is standard error a terminal? */
bool cli_is_interactive(const struct cli *cli);

#endif
