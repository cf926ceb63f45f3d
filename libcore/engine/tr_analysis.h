/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of analyses.  A description has the name of the analysis, its question, the columns of its rows, and the
 * data that it needs of a stream.  The runner (tr_runner.h) runs it.
 *
 *     events in:   start, feed for each batch, finish
 *     rows out:    cells of a struct tr_table, whose columns the analysis declares
 *
 * A new analysis is one file with a constant struct tr_analysis, a line in tr_registry.c, a page and
 * tests.  Programs give it a value of --by; tr-report runs several of them in one pass.
 *
 *     static const struct tr_analysis tr_analysis_copies = {
 *         .name = "copies", .question = "How large were the copies, and how fast?",
 *         .nothing = "no copies are selected",
 *         .groups = TR_PER_ANY, .group = TR_PER_RANK,
 *         .needs = needs, TR_OWN_COLUMNS(columns),
 *         .start = start, .feed = feed, .finish = finish, .free = release,
 *     };
 *
 * One thread at a time.  Analyses of a run that share no service may run at the same time: all that they share, such as
 * the dictionary, is only read.  Functions that are NULL are not needed.
 */
#ifndef TR_ANALYSIS_H
#define TR_ANALYSIS_H

#include "base/tr_go_on.h"
#include "engine/tr_group_by.h"
#include "engine/tr_partial.h"
#include "stream/tr_projection.h"
#include "table/tr_chart.h"
#include "table/tr_option.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Groups that an analysis supports, as a set: TR_PER_BIT(TR_PER_RANK) | ... */
#define TR_PER_BIT(per) (1u << (per))
#define TR_PER_ANY                                                                     \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_DEVICE) | TR_PER_BIT(TR_PER_STREAM) | \
     TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

/* The importance of a remark of an analysis. */
enum tr_remark_kind {
    TR_REMARK_DETAIL,   /* a detail, shown only on request */
    TR_REMARK_RESULT, /* part of the answer; shown once, at the end, unless warnings are switched off */
    TR_REMARK_WARN, /* the rows may mislead without it */
};

typedef void tr_remark_fn(void *self, enum tr_remark_kind how, const char *place, const char *text);

/* Ends of a collective are no farther apart than this on one clock, in ns. */
#define TR_ONE_MOMENT 20000

/* One clock for all ranks, found from collectives while an analysis runs (analysis/clocks/tr_align.h). */
struct tr_one_clock {
    int64_t tolerance; /* ns, set by the caller: clocks that are no farther apart stay */
    bool aligned;
    uint64_t anchors; /* collectives that each rank shares with others, or more */
    int64_t moved_max; /* ns: the largest offset that was taken away */
    double residual_p50, residual_max; /* ns from the mean of their ends, on the worst rank; NaN: none */
    char why[640]; /* not aligned: the reason; empty: nothing compares ranks, or they have one clock */
};

struct tr_kept;
struct tr_input;

/* The input of one run of an analysis. */
struct tr_analysis_in {
    const struct tr_dict *dict;
    const struct tr_summary *summary; /* of the stream, complete from the start if it is sorted */
    const struct tr_side_tables *tables; /* of the stream, complete at its end; NULL: they are not needed */
    bool sorted;
    struct tr_input *input; /* of the run, for expressions; NULL: there is none */
    struct tr_select *select;
    struct tr_group_by_opts work; /* grouping, of the caller or of the analysis; suspect events */
    bool relative;               /* times are those of files, which count from the start (tr_job_start.h) */
    struct tr_one_clock *one_clock; /* put ranks on one clock where they are compared, and say here how well; NULL:
                                       clocks stay */
    enum tr_status *answer;      /* an analysis whose rows are an answer says here whether it is yes (TR_OK), no
                                    (TR_NO) or not decidable (TR_COVERAGE); NULL: nobody asks */
    bool grouped;                /* the caller chose a grouping */
    bool saved;                  /* the state will be saved, so listings are not printed as they come */
    struct tr_kept *kept;        /* rows for that, set by the runner; NULL: rows are printed (tr_analysis_at) */
    size_t distinct;             /* distinct values of a row for exact percentiles; 0: the limit of the analysis */
    const char *selection;       /* the selection of events as text, for partial results; NULL: all events */
    uint64_t top;                /* rows of each group, then one for the others; 0: all.  For an analysis with cuts */
    const char *top_per;         /* for each value of this column; NULL: of the group */
    size_t max_memory;           /* bytes for what it needs (enum tr_memory_need); the rest goes to temporary files */
    size_t rows_memory;          /* bytes for sorting its rows, if they are in files; set by the runner */
    const char *temp_dir;        /* folder for temporary files */
    unsigned threads;            /* that the runner may use; 0 or 1: none of its own */
    struct tr_services *services; /* computations that analyses of one run share */
    tr_remark_fn *remark;        /* may be NULL */
    void *remark_self;
    struct tr_go_on go_on;       /* asked at the end of the run: between analyses, between rows, in long stages */
};

/* Give a remark; text as by printf, at most 500 bytes. */
void tr_analysis_remark(const struct tr_analysis_in *in, enum tr_remark_kind how, const char *place,
                        const char *fmt, ...) TR_PRINTF(4, 5);

/* Give a remark about a number of something: a # in the text.  Partial results add these numbers up. */
void tr_analysis_remark_sum(const struct tr_analysis_in *in, enum tr_remark_kind how, const char *place, uint64_t n,
                            const char *text);

/*
 * A listing that can be saved says the source and time of the next row, and its duration as by tr_order_dur if it is an
 * event.
 */
void tr__kept_at(struct tr_kept *kept, const struct tr_source *source, int64_t ts, int64_t dur);
static inline void tr_analysis_at(const struct tr_analysis_in *in, uint32_t source, int64_t ts, int64_t dur)
{
    if (in->kept)
        tr__kept_at(in->kept, &in->dict->sources[source], ts, dur);
}

/* What an analysis keeps in memory beside its rows.  The runner shares the memory of the run by that. */
enum tr_memory_need {
    TR_MEMORY_LITTLE, /* little, whatever the length of the trace */
    TR_MEMORY_SORTS,  /* what it sorts, with temporary files */
    TR_MEMORY_GRAPH,  /* a graph of all events, after the input was read and sorted */
};

/* The data that an analysis needs of a stream, with its options. */
struct tr_needs {
    /*
     * Columns of events.  any_rank_order: each result belongs to one rank, so the order between ranks does not matter.
     * For groups over all ranks, the runner still gives the events in order, unless all_in_any_order is set.
     */
    struct tr_projection want;
    bool all_in_any_order; /* results over all ranks do not depend on the order between ranks */
    bool host;           /* it analyses the host, so a trace without device work has results */
    const struct tr_projection *more[2]; /* further columns, NULL: none */
    enum tr_per per;     /* given: the grouping */
    enum tr_memory_need memory;
};

struct tr_rows;
struct tr_rows_cut;

struct tr_analysis {
    const char *name;     /* the value of --by */
    const char *question; /* one line */
    const char *nothing;  /* the reason if there are no rows, one clause; NULL: none */
    unsigned groups;      /* of --per: TR_PER_BIT; 0: it has no groups */
    enum tr_per group;    /* the default grouping */
    bool cuts;            /* it applies in->top itself, because its rows do not have all data of the others */
    bool compares; /* a group over all ranks compares times of ranks, and does not itself notice clocks that differ */
    bool joins;    /* a group over all ranks has rows for moments of all: there are none if times do not compare */
    const struct tr_chart *chart; /* how its rows are drawn; NULL: they have no natural picture */
    /* Its options (tr_option.h), with members in a struct of this size, and that struct with all defaults. */
    const struct tr_option *options; /* NULL: none that a user can set */
    size_t options_size;
    const void *defaults; /* NULL: it has no struct of options */

    enum tr_status (*check)(const void *options, struct tr_error *err); /* TR_USAGE: they contradict each other */
    struct tr_needs needs; /* the data that it needs with any options */
    void (*more)(const void *options, struct tr_needs *needs); /* with these options: changes them; NULL: nothing */
    /* Its columns, after those of the group. */
    const struct tr_table_column *own_columns;
    size_t n_columns;
    /*
     * Used instead of the list if options decide the columns: declares all of them.  If the data decide them (late),
     * finish declares them, and this function declares those that always exist, for --help-columns.
     */
    void (*columns)(const struct tr_analysis_in *in, const void *options, struct tr_table *t);
    bool late;

    /* Of its state, which the runner makes, all zeros, and frees. */
    size_t state_size;
    /* Start it.  Options stay valid until free, which is called also after a failure. */
    enum tr_status (*start)(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err);
    /* keep: from tr_select_mask; listings add rows to t here.  t is NULL for a late one. */
    enum tr_status (*feed)(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err);
    /* After the last batch, before rows are printed or saved. */
    enum tr_status (*complete)(void *state, struct tr_error *err);
    /* Its rows, if they are of one type: they are printed, saved and loaded without more functions (tr_rows.h). */
    struct tr_rows *(*rows)(void *state);
    /* Which of them are printed; in->top is set.  Only with rows and cuts. */
    void (*cut)(const void *options, struct tr_rows_cut *cut);
    /* After the last batch: add the rows; with rows, after they have been added. */
    enum tr_status (*finish)(void *state, struct tr_table *t, struct tr_error *err);
    /* After finish, if there are no rows: a better reason than `nothing'.  NULL: the reason was already given. */
    const char *(*why)(const void *state);
    void (*free)(void *state); /* of what the state owns; NULL: nothing */

    /* Its state as a partial result; NULL: not possible, with the reason, one clause.  With rows, it needs no save and
     * load. */
    const struct tr_saving *saving;
    const char *unsaved;
};

/* How its state is saved with a grouping; NULL: it is not. */
static inline const struct tr_saving *tr_saving_of(const struct tr_analysis *a, enum tr_per per)
{
    return a->saving && a->saving->all && per == TR_PER_ALL ? a->saving->all : a->saving;
}

#define TR_OPTIONS(list, all_defaults) \
    .options = (list), .options_size = sizeof(all_defaults), .defaults = &(all_defaults)
#define TR_OWN_COLUMNS(array) .own_columns = (array), .n_columns = sizeof(array) / sizeof *(array)

/* Make the state of an analysis, and start it; free the state, which may be NULL. */
enum tr_status tr_analysis_start(const struct tr_analysis *a, const struct tr_analysis_in *in, const void *options,
                                 void **state, struct tr_error *err);
void tr_analysis_free(const struct tr_analysis *a, void *state);

/* Declare the columns of an analysis, in either way. */
void tr_analysis_columns(const struct tr_analysis *a, const struct tr_analysis_in *in, const void *options,
                         struct tr_table *t);

/* ---- groups as columns ---- */

/* The columns for the group of a row, and their cells.  The capture is shown if there are several. */
void tr_group_columns(struct tr_table *t, enum tr_per per);
void tr_group_cells(struct tr_table *t, enum tr_per per, const struct tr_group_key *key);

/* Say that a rank has several devices, which are taken together; parameters of tr_group_by_devices.  False: out of
 * memory. */
bool tr_group_remark_devices(const struct tr_analysis_in *in, const struct tr_group_by *w, const uint64_t *track_ns);

/* ---- services ---- */

/*
 * A service is a computation for several analyses of one run, such as the busy time of devices.  It runs once for equal
 * options, and gets each batch before the analyses.
 */
struct tr_service {
    const char *name;
    size_t options_size; /* compared byte by byte: fill the struct with zeros first; 0: no options */
    enum tr_status (*start)(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err);
    enum tr_status (*feed)(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_error *err);
    enum tr_status (*finish)(void *state, struct tr_error *err); /* once, before any analysis finishes */
    void (*free)(void *state);
};

/* Call it in start.  The run owns *state. */
enum tr_status tr_service_get(const struct tr_analysis_in *in, const struct tr_service *service,
                              const void *options, void **state, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
