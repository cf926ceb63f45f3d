/* SPDX-License-Identifier: MIT */
/* Declarations inside the frame; programs use only cli_main.h. */
#ifndef CLI_PRIV_H
#define CLI_PRIV_H

#include "cli/cli_book.h"
#include "cli/cli_every.h"
#include "cli/cli_main.h"
#include "cli/cli_split_output.h"
#include "io/tr_follow.h"
#include "sink/tr_book.h"
#include "table/tr_chart.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/* Values of the common options; defaults in cli_main.c. */
struct cli_common {
    bool help, version, option_table;
    bool quiet, verbose, force, no_provenance, strict, renumber, relative;
    struct cli_arrange arrange;
    struct cli_partial partial;
    int64_t every; /* ns; 0: not given */
    bool follow;
    const char *output, *temp_dir, *input_format;
    uint64_t threads, max_memory, depth; /* depth 0: default */
    struct cli_size {
        unsigned width, height; /* 0: default */
    } size;
    bool bars;
    int format;                          /* enum cli_format, or -1: by the kind of output */
    bool format_default;                 /* TR_FORMAT said it */
    int format_before;                   /* then: what it was */
    int unit;                            /* enum cli_unit, or -1: us */
    int progress;                        /* enum cli_when */
    struct cli_codec_choice {
        bool given;
        enum cli_codec codec;
        int level;
    } codec;
    bool terminal[3]; /* hidden: take this descriptor for a terminal */
};

enum cli_when { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };

/* A warning that was given; text is the part that repeats. */
struct cli_warning {
    char *input, *what;
    uint64_t n;
};

struct cli_progress {
    bool on, drawn;
    double start, last; /* s, monotonic clock */
};

/* The picture of the table, for sinks that draw (cli_picture.c). */
struct cli_picture {
    struct tr_picture is;
    struct tr_buf inputs, selection;
};

struct cli_out {
    int fd;       /* -1: not open */
    bool asked;   /* the program uses it */
    bool pages;   /* a pager may be started for it */
    bool written; /* some of it */
    char *target; /* with links followed; NULL: written directly */
    char *temp;   /* the file that is renamed to it */
    char *name;   /* for messages */
};

/* The output, if it holds several tables (cli_book.c). */
struct cli_book {
    const struct tr_row_sink *sink;   /* of -O; NULL: it does not */
    struct tr_book *book;             /* NULL: a folder of files */
    struct cli_split_output files;
    struct cli_book_file **tables;    /* that go to files */
    size_t n, cap;
    const char *name;                 /* of the next table; NULL: see cli_name_table */
    char own[CLI_TABLE_NAME];
};

#define CLI_MAX_VIEWS     32
#define CLI_MAX_VIEW_KEYS 32
#define CLI_MAX_VIEW_OPTS 32
#define CLI_MAX_OPTS      128 /* of one program, the common ones included */

/* The views of a program, their options, and the one that was chosen. */
struct cli_views {
    struct tr_option opts[CLI_MAX_VIEW_OPTS + 1]; /* --by, and an option of each name */
    size_t n_opts;
    const char *names[CLI_MAX_VIEWS + 1], *keys[CLI_MAX_VIEW_KEYS + 1]; /* for --by */
    struct tr_option_by by; /* the last --by */
    struct cli_chosen {
        struct tr_option_by by;
        struct tr_view_use use;
        char name[CLI_TABLE_NAME]; /* of its table */
    } chosen[CLI_MAX_VIEWS]; /* by each --by, in this order */
    size_t n_chosen;
    struct cli_value {
        const char *name, *value;
    } * values; /* as given, for the chosen view */
    size_t n_values, cap_values;
};

struct cli {
    const struct cli_tool *tool;
    const char *name;
    struct cli_common common;
    struct cli_views views;
    const struct tr_option *tables[3]; /* options of views, of the program, common options; any may be NULL */
    void *fields[3];                   /* the structs that they fill in */
    const char *given[CLI_MAX_OPTS];   /* names of the options that were given, without the common ones */
    size_t n_given;
    const char *const *operands;
    size_t n_operands;
    char *command_line;
    struct tr_open_opts open_opts;
    struct tr_input **inputs;
    size_t n_inputs, cap_inputs;
    bool stdin_used;
    struct cli_out out;
    pthread_mutex_t lock; /* warnings, progress */
    pthread_t main_thread;
    struct cli_warning *warnings;
    size_t n_warnings, cap_warnings;
    struct cli_progress progress;
    struct cli_picture picture;
    struct cli_book book;
    struct cli_every_state {
        int64_t last; /* ns, when it started or last printed */
        bool printed;
        bool fresh;   /* there is more than what was printed */
        const char *input;
        cli_every_print *print; /* of events that come in; NULL: none have come */
        void *self;
        bool copied;      /* this process is a copy, in which the input ended */
        int copy;         /* for its end */
    } every;
    struct tr_follow follow; /* of the input, with --follow */
    bool anew;               /* it was cut or replaced, so run again */
    struct tr_writer *writer; /* what it has goes out while the input pauses; NULL: nothing */
    struct tr_buf below;                 /* lines for below the message */
    char remarks[CLI_MAX_REMARKS][1024]; /* for the end */
    size_t n_remarks;
    bool ranks_missing; /* some of --expect-ranks, --min-ranks: status 5 */
};

/* cli_opt.c */
enum tr_status cli__parse(struct cli *cli, int argc, char **argv, struct tr_error *err);
void cli__free_options(struct cli *cli);
bool cli__opt_used(const struct cli *cli, const struct tr_option *o); /* does this program have it? */

/* cli_views.c */
void cli__views_start(struct cli *cli); /* make the options */
void cli__views_free(struct cli *cli);
bool cli__of_views(const struct cli *cli, const struct tr_option *o);
/* Check a value, and keep it until the view is known. */
enum tr_status cli__views_keep(struct cli *cli, const struct tr_option *o, const char *value, struct tr_error *err);
/* An option of the views was read: if it is --by, one more view is asked for.  TR_USAGE: it was before. */
enum tr_status cli__views_add(struct cli *cli, const struct tr_option *o, struct tr_error *err);
/* The name of the table of a view with its keys: "operator_shape". */
void cli__name_of_view(const char *view, const char *const *keys, unsigned chosen, char name[CLI_TABLE_NAME]);
void cli__note_given(struct cli *cli, const struct tr_option *o);
/* The help of an option, with the views that have it. */
void cli__option_help(const struct cli *cli, const struct tr_option *o, char *text, size_t size);

/* cli_common.c */
const struct tr_option *cli__common_opts(void);

/* cli_help.c: into a buffer; false: out of memory */
bool cli__help(const struct cli *cli, struct tr_buf *b);
bool cli__version(const struct cli *cli, struct tr_buf *b);
bool cli__option_table(const struct cli *cli, struct tr_buf *b);

/* cli_input.c */
void cli__inputs_close(struct cli *cli);
/* Was a file that is followed cut or replaced?  Then inputs are closed, and the run starts again. */
bool cli__inputs_anew(struct cli *cli, struct tr_error *err);
void cli__report_starts(struct cli *cli, const char *name, size_t n); /* a remark if times count from several starts */

/* cli_format.c */
/* If -O is not given, take the format from TR_FORMAT.  TR_USAGE: the program cannot write it. */
enum tr_status cli__format_default(struct cli *cli, struct tr_error *err);
const char *cli__format_name(const struct cli *cli); /* -O or TR_FORMAT; NULL: neither */

bool cli__format_is_text(const struct cli *cli);     /* of tables; false: the program prints none */

/* cli_pager.c */
/* Where the output goes: to a pager, which is started if the output is text on a terminal, or where it went before. */
int cli__pager(struct cli *cli);
void cli__pager_end(void); /* wait for its end */

/* cli_output.c */
enum tr_status cli__output_open(struct cli *cli, struct tr_error *err);
/* In a copy of the process: an output of its own, for the same target. */
enum tr_status cli__output_again(struct cli *cli, struct tr_error *err);
enum tr_status cli__output_commit(struct cli *cli, struct tr_error *err);
void cli__output_abandon(struct cli *cli);
bool cli__is_terminal(const struct cli *cli, int fd);
/* From now on, signals that end the program call this function first; it may only call what a handler may. */
void cli__watch_signals(void (*cleaner)(void));
void cli__hold_signals(sigset_t *before); /* let them wait */
/* From now on, the first signal of this number does not end the program, but is remembered.  Unless it is ignored. */
void cli__ask_on_signal(int signo);
bool cli__end_asked(void);

/* cli_every.c */
/*
 * For an input that is read to its end before there are events: if it is time, return TR_END in a copy of the process,
 * where the program then goes on to its end; here, TR_OK or a failure, as cli_every does.
 */
enum tr_status cli__every_ends_here(struct cli *cli, struct tr_error *err);
enum tr_status cli__every_idle(struct cli *cli, struct tr_error *err); /* while events are waited for */
/* End such a copy; here: nothing. */
void cli__every_leave(struct cli *cli, enum tr_status st, const struct tr_error *err);

/* cli_follow.c */
struct tr_follow *cli__follow(struct cli *cli); /* for struct tr_open_opts; NULL: --follow was not given */
enum tr_status cli__idle(void *cli, struct tr_error *err); /* for struct tr_open_opts */

/* cli_book.c */
bool cli__is_book(struct cli *cli); /* do -O and -o say that the output holds several tables? */
enum tr_status cli__book_open(struct cli *cli, struct tr_error *err);
/* Complete it, or leave everything as it was.  Releases everything. */
enum tr_status cli__book_end(struct cli *cli, bool done, struct tr_error *err);

/* cli_split_output.c */
void cli__parts_remove(void); /* from a signal handler */

/* cli_msg.c */
void cli__print_error(struct cli *cli, const struct tr_error *err);
void cli__remarks_end(struct cli *cli);  /* prints them */
void cli__warnings_end(struct cli *cli); /* prints counts, releases */

/* cli_progress.c */
void cli__progress_start(struct cli *cli);
bool cli__progress(void *cli, uint64_t done_bytes, uint64_t total_bytes);
void cli__progress_clear(struct cli *cli); /* with the lock held */
void cli__progress_stop(struct cli *cli);

/* cli_limits.c */
unsigned cli__default_threads(void);
uint64_t cli__default_memory(void); /* bytes */
/*
 * Call it before threads start.  glibc gives each thread an arena, and reserves 64 MiB of addresses for it, if
 * possible.  Under ulimit -v, these would be missing elsewhere, so a program could fail with a higher limit and not
 * with a lower one.
 */
void cli__fit_address_space(void);
const char *cli__default_temp_dir(void);
/*
 * The memory limit of the control group of this process, UINT64_MAX: none.  groups is the file
 * /proc/self/cgroup, root the folder /sys/fs/cgroup; parameters so that tests can bring their own.
 */
uint64_t cli__cgroup_limit(const char *groups, const char *root);

#endif
