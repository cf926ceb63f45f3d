/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files for sums of groups share.
 *
 *   tr_sum_parse.c   options as text
 *   tr_sum_keys.c    keys of the events of a batch, as codes
 *   tr_sum_arg_keys.c   those of them that are args, or stand in an arg or a name
 *   tr_sum_values.c  their values
 *   tr_sum_groups.c  groups and their statistics, in memory or as runs in a file
 *   tr_by_sum.c      the analysis
 *
 * A code represents the value of a key within one run.  If the key has whole numbers or times, the code is the number
 * itself; TR_I64_NONE: no value.  Otherwise, it is a number shifted left by two, with its type in the two lowest bits.
 */
#ifndef TR_SUM_INT_H
#define TR_SUM_INT_H

#include "analysis/sums/tr_sum.h"
#include "base/tr_stats.h"
#include "engine/tr_analysis.h"
#include "field/tr_field_columns.h"
#include "service/tr_enclosing_spans.h"
#include "stream/sort/tr_record_sort.h"
#include "stream/tr_args.h"

/* ---- keys ---- */

/* Types of codes: number of a string of the dictionary, the number itself, number of an entry of texts, no value. */
enum { TR__CODE_STRING, TR__CODE_NUMBER, TR__CODE_TEXT, TR__CODE_NONE };

#define TR__SUM_NO_VALUE ((int64_t)TR__CODE_NONE)

/* Codes by a small number; 0: not known yet. */
struct tr__sum_codes {
    int64_t *v;
    size_t n, cap;
};

struct tr__sum_column {
    const struct tr_sum_key *key;
    bool number;     /* codes are numbers */
    int64_t *code;   /* by event of the batch */
    size_t cap;
    struct tr__sum_codes of;      /* by track, string or frame, which determine them */
    struct tr__sum_codes of_name; /* by name, of a part of it */
    struct tr_arg arg;
};

struct tr__sum_keys {
    const struct tr_sum_options *options;
    const struct tr_dict *dict;
    struct tr_strtab *texts;
    struct tr__sum_column columns[TR_SUM_KEYS];
    size_t n;
    struct tr_sum_key value_key;
    struct tr__sum_column value; /* a field as value, read like a key; its key is NULL if there is none */
    struct tr_field_columns fields;
    struct tr_enclosing_spans *above;    /* NULL: not needed */
    uint32_t reference;        /* the source whose times the user sees; UINT32_MAX: not known yet */
};

enum tr_status tr__sum_keys_init(struct tr__sum_keys *k, const struct tr_sum_options *o,
                                 const struct tr_analysis_in *in, struct tr_error *err);
void tr__sum_keys_free(struct tr__sum_keys *k);

/* All events of the next batch.  TR_OK; TR_DAMAGED: a column is short; TR_SYSTEM. */
enum tr_status tr__sum_keys_batch(struct tr__sum_keys *k, const struct tr_batch *b, struct tr_error *err);

/* The code of a key that depends on the frame around an event; TR_ENCLOSING_NONE: no frame.  False: out of memory. */
bool tr__sum_above_code(struct tr__sum_keys *k, size_t column, uint32_t frame, int64_t *code);

/* The code of a text.  False: out of memory. */
bool tr__sum_text_code(struct tr__sum_keys *k, const char *s, size_t len, int64_t *code);

/* The code of a number in a column that can also hold texts, and of a short name.  False: out of memory. */
bool tr__sum_number_code(struct tr__sum_keys *k, int64_t v, int64_t *code);
bool tr__sum_short_code(struct tr__sum_keys *k, struct tr_str name, int64_t *code);

/* The place for the code of number n.  NULL: out of memory. */
int64_t *tr__sum_known(struct tr__sum_codes *of, size_t n);

/* The codes of a key that is an arg, or a field that stands in an arg or a name; returns the same as
 * tr__sum_keys_batch. */
enum tr_status tr__sum_fill_arg(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                struct tr_error *err);
enum tr_status tr__sum_fill_part(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                 struct tr_error *err);

/* The text of a code, for a key that is not a number.  No text: the code is a number, or there is no value. */
struct tr_str tr__sum_code_text(const struct tr__sum_keys *k, int64_t code);

/* The order of two codes of a column: numbers, then texts, then no value. */
int tr__sum_compare_codes(const struct tr__sum_keys *k, size_t column, int64_t a, int64_t b);

/* A time of the stream, converted to the times that users see. */
int64_t tr__sum_file_time(struct tr__sum_keys *k, int64_t ts);

/* ---- values ---- */

#define TR__SUM_FRACTION INT64_C(1000000) /* after the first value that is not a whole number, values are millionths */

struct tr__sum_values {
    const struct tr_sum_options *options;
    const struct tr_dict *dict;
    struct tr_select *select;
    bool suspect;
    bool fraction;  /* values are millionths */
    uint64_t lost;  /* values that do not fit */
    int64_t *value; /* by event of the batch; TR_I64_NONE: it does not take part */
    size_t cap;
    int64_t *launch_ts, *launch_dur;
    size_t cap_ts, cap_launch_dur;
    struct tr_arg arg;
};

void tr__sum_values_free(struct tr__sum_values *v);
/* All events of the next batch; returns the same as tr__sum_keys_batch. */
enum tr_status tr__sum_values_batch(struct tr__sum_values *v, const struct tr_batch *b, const uint8_t *keep,
                                    struct tr_error *err);

/* ---- groups ---- */

/* The first or the last event of a group. */
struct tr__sum_at {
    int64_t ts, value;
};

/* A group, followed by its codes. */
struct tr__sum_group {
    struct tr_stats stats;
    struct tr__sum_at first, last;
    struct tr_hist *values; /* NULL: not needed */
    int64_t fraction;       /* 1: values are millionths */
    int64_t codes[];
};

struct tr__sum_groups;

/* keys are borrowed.  hist: keep the values of each group; distinct: number of distinct values that are kept exactly,
 * 0: all. */
enum tr_status tr__sum_groups_new(struct tr__sum_groups **out, const struct tr__sum_keys *keys, bool hist,
                                  size_t distinct, size_t max_memory, const char *temp_dir, struct tr_error *err);
void tr__sum_groups_free(struct tr__sum_groups *g);

/* Add the events of a group to another one.  False: out of memory. */
bool tr__sum_join(const struct tr__sum_groups *g, struct tr__sum_group *to, const struct tr__sum_group *from);

/* Add an event to the group with these codes.  TR_OK or TR_SYSTEM. */
enum tr_status tr__sum_groups_add(struct tr__sum_groups *g, const int64_t *codes, int64_t ts, int64_t value,
                                  struct tr_error *err);
/* Add all of a group to the group with its codes. */
enum tr_status tr__sum_groups_join(struct tr__sum_groups *g, const struct tr__sum_group *from, struct tr_error *err);

/* Add a group of a partial result, and its values, which the caller still owns; x is changed. */
enum tr_status tr__sum_groups_join_saved(struct tr__sum_groups *g, struct tr__sum_group *x,
                                         const struct tr_hist *values, struct tr_error *err);

/* Values are millionths from now on.  False: out of memory. */
bool tr__sum_groups_scale(struct tr__sum_groups *g);

/*
 * End adding.  Then the function next returns all groups in the order of their keys, each once, and TR_END after the
 * last.  Histograms are not sealed.
 */
enum tr_status tr__sum_groups_end(struct tr__sum_groups *g, struct tr_error *err);
enum tr_status tr__sum_groups_next(struct tr__sum_groups *g, struct tr__sum_group **group, struct tr_error *err);

/* Start again with the first group; only if tr__sum_groups_fit. */
void tr__sum_groups_rewind(struct tr__sum_groups *g);

/* The sum of all values. */
double tr__sum_groups_total(const struct tr__sum_groups *g);

/* Did all groups fit in memory?  If so, a group from next stays valid until the end; otherwise, until the next call. */
bool tr__sum_groups_fit(const struct tr__sum_groups *g);

/*
 * Convert groups to records for tr_record_sort.h, which start with the group itself, and back.  group belongs to the
 * caller, and is zero before the first call; its values must have been freed before each call.  False: out of memory.
 */
bool tr__sum_pack(const struct tr__sum_groups *g, const struct tr__sum_group *group, struct tr_buf *out);
bool tr__sum_unpack(const struct tr__sum_groups *g, const void *record, struct tr__sum_group *group);
size_t tr__sum_group_size(const struct tr__sum_groups *g);

#endif
