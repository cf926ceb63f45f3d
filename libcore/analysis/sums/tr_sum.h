/* SPDX-License-Identifier: MIT */
/*
 * The options of sums of groups of events, as in tr-sum(1): the keys of a group, the value of each event, and the
 * statistics that are shown.
 *
 *     struct tr_sum_options o = TR_SUM_DEFAULTS;
 *     tr_sum_parse_by(&o, "name,short(operator),bin(1ms),args.\"External id\"", &err);
 *     tr_sum_parse_value(&o, "args.bytes", &err);
 *     tr_sum_parse_stat(&o, "count,sum,p99.9", &err);
 *
 * Options have pointers to themselves, so do not copy or move them.
 */
#ifndef TR_SUM_H
#define TR_SUM_H

#include "base/tr_status.h"
#include "field/tr_event_field.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_SUM_KEYS  8u  /* at most */
#define TR_SUM_STATS 16u
#define TR_SUM_NAME  128u

/* The source of a key. */
enum tr_sum_from {
    TR_SUM_FIELD,      /* a field of the event */
    TR_SUM_ARG,        /* one of its args */
    TR_SUM_CAPTURE,    /* its recording of the rank */
    TR_SUM_BIN,        /* its start, rounded down to a multiple of a time */
};

struct tr_sum_key {
    enum tr_sum_from from;
    enum tr_field_id field;
    bool shorten;       /* use the short name */
    bool replace;       /* use the name with this text in place of each match of the extended regular expression */
    char regex[TR_SUM_NAME], with[TR_SUM_NAME];
    int64_t bin;        /* ns */
    size_t depth;       /* of a stack; 0: all */
    char name[TR_SUM_NAME]; /* of the column */
    const char *arg;    /* the key of the arg that is its value; NULL: none */
};

enum tr_sum_value {
    TR_SUM_OF_FIELD, /* a time or a whole number */
    TR_SUM_OF_ARG,   /* a number */
    TR_SUM_OF_SELF,  /* own time of a host span (service/tr_enclosing_spans.h), the duration of another event */
    TR_SUM_OF_QUEUE, /* from the end of the call that launched it to its start, if this is not negative */
    TR_SUM_OF_EVENT, /* no value: events are counted */
};

enum tr_sum_what {
    TR_SUM_COUNT,
    TR_SUM_SUM,
    TR_SUM_SHARE, /* percent of the sum of all groups */
    TR_SUM_MEAN,
    TR_SUM_STD, /* of the sample */
    TR_SUM_MIN,
    TR_SUM_QUANTILE,
    TR_SUM_MAX,
    TR_SUM_FIRST, /* the value of the first event, and of the last one */
    TR_SUM_LAST,
};

struct tr_sum_stat {
    enum tr_sum_what what;
    uint32_t num, den;      /* quantile */
    char name[16];          /* of the column */
};

enum tr_sum_hist { TR_SUM_NO_HIST, TR_SUM_HIST_EQUAL, TR_SUM_HIST_LOG };

struct tr_sum_options {
    struct tr_sum_key keys[TR_SUM_KEYS];
    size_t n_keys;
    enum tr_sum_value value;
    enum tr_field_id field; /* TR_SUM_OF_FIELD */
    char arg[TR_SUM_NAME];  /* TR_SUM_OF_ARG */
    struct tr_sum_stat stats[TR_SUM_STATS];
    size_t n_stats; /* 0: the default statistics */
    enum tr_sum_hist hist;
    uint64_t bins; /* TR_SUM_HIST_EQUAL */
    uint64_t hist_groups; /* more groups share one histogram: others */
    const char *args[TR_SUM_KEYS + 2]; /* that are read */
    size_t n_args;
};
#define TR_SUM_DEFAULTS { .value = TR_SUM_OF_FIELD, .field = TR_FIELD_DUR, .hist_groups = 5 }

/*
 * Parse the text of an option.  TR_OK; TR_USAGE: the text is not valid, err has the reason.
 *
 * by     KEY[,KEY]...: a field, args.KEY (quoted where it holds blanks or commas), capture, bin(TIME), stack(N),
 *        short(KEY) and replace(KEY,"REGEX","TEXT") of a name
 * value  dur, self, queue, event, a field that is a time or a whole number, args.KEY
 * stat   count, sum, share, mean, std, min, max, first, last, pNN[.N], with commas between
 * hist   a number of equal bins from 1 to 1000, or log
 */
enum tr_status tr_sum_parse_by(struct tr_sum_options *o, const char *text, struct tr_error *err);
enum tr_status tr_sum_parse_value(struct tr_sum_options *o, const char *text, struct tr_error *err);
enum tr_status tr_sum_parse_stat(struct tr_sum_options *o, const char *text, struct tr_error *err);
enum tr_status tr_sum_parse_hist(struct tr_sum_options *o, const char *text, struct tr_error *err);

/* Is the value a time? */
bool tr_sum_is_time(const struct tr_sum_options *o);

/* Is a key something around the event? */
bool tr_sum_is_above(const struct tr_sum_key *k);

/* Does a key or the value need the spans around an event? */
bool tr_sum_asks_above(const struct tr_sum_options *o);

#ifdef __cplusplus
}
#endif
#endif
