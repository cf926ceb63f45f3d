/* SPDX-License-Identifier: MIT */
/*
 * Inside of the public interface: the folder api is a thin layer of the functions of tracepipe.h over the other
 * folders.  Central: struct tr_trace, struct tr_report, struct tr_output.  Internal to libcore.
 */
#ifndef TR_API_INT_H
#define TR_API_INT_H

#include "expr/tr_expr.h"
#include "formats/common/tr_format.h"
#include "formats/tr_open.h"
#include "model/selection/tr_select.h"
#include "stream/tr_batch_select.h"
#include "tracepipe.h"

struct tr__own_format;

struct tr_trace {
    struct tr_input *in;
    struct tr_trace_options options;
    struct tr_open_opts open;
    struct tr__own_format *formats; /* of the caller */
    const struct tr_format **list;  /* the same, for struct tr_open_opts */
    struct tr_open_memory *memory;  /* inputs that are in memory, */
    char **names;                   /* and their names */
    size_t n_names;
    uint64_t done, total; /* bytes, as progress said last */
    /* Selection and columns to read. */
    struct tr_select_opts choice;
    bool chosen, started, whole, warned;
    bool suspect; /* analyses count events with impossible times, too */
    struct tr_expr **tests;
    size_t n_tests, cap_tests;
    char **test_texts; /* as they were given */
    size_t cap_texts;
    struct tr_select *select;
    struct tr_projection want; /* columns that are needed; whole: all columns are */
    char **keys;               /* of want */
    size_t n_keys, cap_keys;
    struct tr_selector *selector;
    struct tr_batch *kept;
};

/*
 * Copy a struct of the caller, or one of the library to the caller, up to the smaller size.  False: its size is not
 * set.
 */
bool tr__api_take(void *own, size_t own_size, const void *theirs);
void tr__api_give(void *theirs, const void *own, size_t own_size);

/*
 * Start to read with the columns of want; NULL: with the columns that the caller wants.  Later calls do nothing.
 */
enum tr_status tr__trace_start(struct tr_trace *t, const struct tr_projection *want, struct tr_error *err);
/* The next batch with all its events, and which of them are selected; *keep NULL: all. */
enum tr_status tr__trace_masked(struct tr_trace *t, const struct tr_batch **b, const uint8_t **keep,
                                struct tr_error *err);
/* Is the result of a run over the trace still wanted?  self: the trace. */
bool tr__trace_go_on(void *self);
/* Can events of a source be selected, by its rank and host?  Call it after reading has started. */
bool tr__trace_keeps(const struct tr_trace *t, uint32_t source);

/* Add the columns of a field to a projection; *key: the name of an argument, else NULL.  False: no such field. */
bool tr__field_columns(const char *field, struct tr_projection *want, const char **key);

/* A value of a column of numbers (enum tr_type) as a real number. */
double tr__as_real(unsigned type, int64_t value);

/* A format of the caller, as a format of the library. */
struct tr__own_format {
    struct tr_format is; /* first */
    struct tr_format_def def;
    struct tr_ingest_reader reader;
};
enum tr_status tr__own_format(struct tr__own_format *f, const struct tr_format_def *def, struct tr_error *err);

#endif
