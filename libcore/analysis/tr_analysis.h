/* SPDX-License-Identifier: MIT */
/*
 * Analyses as descriptions: an analysis says what it is called, which question it answers, which columns
 * its rows have and what it needs of a stream; the runner (tr_runner.h) does the rest.
 *
 *     events in:   start, feed for each batch, finish
 *     rows out:    cells of a struct tr_table, whose columns the analysis declares
 *
 * A new analysis is one file with a constant struct tr_analysis, a line in tr_analyses.c, a page and
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
 * One thread at a time.  Functions that are NULL are not needed.
 */
#ifndef TR_ANALYSIS_H
#define TR_ANALYSIS_H

#include "analysis/tr_partial.h"
#include "analysis/tr_group_by.h"
#include "stream/tr_projection.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Groups that an analysis knows, as a set: TR_PER_BIT(TR_PER_RANK) | ... */
#define TR_PER_BIT(per) (1u << (per))
#define TR_PER_ANY                                                                     \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_DEVICE) | TR_PER_BIT(TR_PER_STREAM) | \
     TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

/* How much a reader of the table should care about what an analysis has to tell beside its rows. */
enum tr_tell {
    TR_TELL_NOTE,   /* detail, for those who ask for more */
    TR_TELL_REMARK, /* belongs to the answer; said once, at the end, unless warnings are unwanted */
    TR_TELL_WARN,   /* the rows may mislead without it */
};

/* What one run of an analysis is given. */
struct tr_analysis_in {
    const struct tr_dict *dict;
    const struct tr_summary *summary; /* of the stream, complete from the start if it is sorted */
    bool sorted;
    struct tr_select *select;
    struct tr_group_by_opts work; /* grouping, as asked for or the analysis' own; suspect events */
    bool relative;               /* times are those of files, which count from the begin (tr_begin.h) */
    bool grouped;                /* a grouping was asked for */
    size_t distinct;             /* values of a row that percentiles tell apart, then approximate; 0: its own limit */
    const char *selection;       /* how events were selected, as text, for partial results; NULL: all are */
    uint64_t top;                /* rows of each group, then others; 0: all.  For an analysis that cuts */
    size_t max_memory;           /* bytes, for sorting what may be long */
    const char *temp_dir;        /* for the rest of it */
    struct tr_services *services; /* what analyses of one run share */
    void (*tell)(void *self, enum tr_tell how, const char *place, const char *text); /* NULL: nobody listens */
    void *tell_self;
};

/* Say something; text as by printf, at most 500 bytes. */
void tr_analysis_tell(const struct tr_analysis_in *in, enum tr_tell how, const char *place,
                      const char *fmt, ...) TR_PRINTF(4, 5);

/* What an analysis needs of a stream, given its options. */
struct tr_needs {
    /*
     * Columns of events.  any_rank_order: whatever it computes belongs to one rank each, so that the order
     * between ranks does not matter; the runner sees to it that groups over all ranks have it anyway, unless
     * all_in_any_order.
     */
    struct tr_projection want;
    bool all_in_any_order; /* what it computes of all ranks does not depend on their order either */
    bool host;           /* it is about the host: a trace without device work has something to say */
    const struct tr_projection *more[2]; /* further columns, NULL: none */
    enum tr_per per;     /* given: the grouping */
};

struct tr_analysis {
    const char *name;     /* as users write it after --by */
    const char *question; /* one line */
    const char *nothing;  /* why there may be no rows, one clause; NULL: there is no more to say */
    unsigned groups;      /* of --per: TR_PER_BIT; 0: it has none, its rows are what they are */
    enum tr_per group;    /* the grouping unless another is asked for */
    bool cuts;            /* it keeps to in->top itself, since it knows more of the others than rows tell */
    const void *defaults; /* its struct of options; NULL: it has none */

    enum tr_status (*check)(const void *options, struct tr_error *err); /* TR_USAGE: they contradict */
    void (*needs)(const void *options, struct tr_needs *needs);
    /* Its columns, after those of the group. */
    const struct tr_table_column *own_columns;
    size_t n_columns;
    /*
     * Declares all columns instead, where options decide.  Where the data do (late), finish declares them
     * itself, and this one those that are always there, for --help-columns.
     */
    void (*columns)(const struct tr_analysis_in *in, const void *options, struct tr_table *t);
    bool late;

    /* *state is to be freed in any case, unless it is NULL.  Options stay valid until then. */
    enum tr_status (*start)(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err);
    /* keep as tr_select_mask gives it; listings add rows to t here.  A late one gets t NULL. */
    enum tr_status (*feed)(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err);
    /* After the last batch: add the rows. */
    enum tr_status (*finish)(void *state, struct tr_table *t, struct tr_error *err);
    /* After finish, where there are no rows: why, if that can be told better than by nothing.  NULL: it was told. */
    const char *(*why)(const void *state);
    void (*free)(void *state);

    /* Its state as a partial result; NULL: there is none, and why, one clause. */
    const struct tr_saving *saving;
    const char *unsaved;
};

#define TR_OWN_COLUMNS(array) .own_columns = (array), .n_columns = sizeof(array) / sizeof *(array)

/* Declare the columns of an analysis, by either way. */
void tr_analysis_columns(const struct tr_analysis *a, const struct tr_analysis_in *in, const void *options,
                         struct tr_table *t);

/* All of them, ended by NULL. */
extern const struct tr_analysis *const tr_analyses[];

/* ---- groups as columns ---- */

/* The columns that say which group a row is about, and their cells.  The capture is shown where there are several. */
void tr_group_columns(struct tr_table *t, enum tr_per per);
void tr_group_cells(struct tr_table *t, enum tr_per per, const struct tr_group_key *key);

/* ---- services ---- */

/*
 * A service is a computation that several analyses of one run may ask for, such as the busy time of
 * devices.  It is made once for equal options and sees each batch before the analyses do.
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

/* To be called in start.  Owner of *state: the run. */
enum tr_status tr_service_get(const struct tr_analysis_in *in, const struct tr_service *service,
                              const void *options, void **state, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
