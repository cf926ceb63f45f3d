/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files for sums of groups share.
 *
 *   tr_sum_parse.c   options as text
 *   tr_sum_keys.c    keys of the events of a batch, as codes
 *   tr_sum_arg_keys.c   those of them that are args, or stand in an arg or a name
 *   tr_sum_values.c  their values
 *   tr_sum_groups.c  groups and their statistics as rows
 *   tr_by_sum.c      the analysis
 *
 * A code represents the value of a key within one run.  If the key has whole numbers or times, the code is the number
 * itself; TR_I64_NONE: no value.  Otherwise, it is a number shifted left by two, with its type in the two lowest bits.
 */
#ifndef TR_SUM_INT_H
#define TR_SUM_INT_H

#include "analysis/sums/tr_sum.h"
#include "base/tr_regex.h"
#include "base/tr_stats.h"
#include "engine/tr_rows.h"
#include "field/tr_field_columns.h"
#include "service/tr_enclosing_spans.h"
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
    struct tr_regex *re; /* of what is replaced; NULL: nothing is */
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

/* The code of a number in a column that can also hold texts.  False: out of memory. */
bool tr__sum_number_code(struct tr__sum_keys *k, int64_t v, int64_t *code);

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

/* A group: its keys, and the values of its events. */
struct tr__sum_group {
    uint32_t group;    /* of tr_group_by.h: always 0 */
    uint32_t fraction; /* 1: values are millionths */
    int64_t codes[TR_SUM_KEYS];
    struct tr_sample values;
    int64_t first_ts, first, last_ts, last; /* times and values of the first and the last event */
};

/* Rows are of this type, but only the first keys count.  Their owner is struct tr__sum_keys. */
extern const struct tr_row_type tr__sum_type;
extern const struct tr_saved_table tr__sum_saved;

/* The number of keys at the front that are numbers: rows are in the order of these. */
size_t tr__sum_leading(const struct tr_sum_options *o);

/* Add an event to the group with this key.  False: out of memory, here and below. */
bool tr__sum_add(struct tr_rows *rows, const struct tr__sum_group *key, int64_t ts, int64_t value);

/* Rows of groups by a hash of their keys: most events are of a group that came before. */
#define TR__SUM_RECENT 1024u
struct tr__sum_recent {
    uint32_t row[TR__SUM_RECENT]; /* its number + 1; 0: none */
};
/* Add event i of the batch of these keys to its group. */
bool tr__sum_add_event(struct tr_rows *rows, struct tr__sum_recent *recent, const struct tr__sum_keys *k, size_t i,
                       bool fraction, int64_t ts, int64_t value);

/* Add the values of a group to another one, which may be new. */
bool tr__sum_merge(void *to, const void *from, bool is_new);

/* If some groups are in millionths, add the others to them.  *scaled: then those in whole numbers do not count. */
bool tr__sum_scale(struct tr_rows *rows, bool *scaled);

/* Keys and value of struct tr_sum_options, as parts of the options that the state depends on. */
bool tr__sum_say_keys(const void *options, struct tr_buf *text);
bool tr__sum_say_value(const void *options, struct tr_buf *text);
/* Is a key or the value a time of the trace?  It counts from the base of its file. */
bool tr__sum_has_moments(const struct tr_sum_options *o);

#endif
