/* SPDX-License-Identifier: MIT */
/*
 * The rows of an analysis that groups: found by key, added up, ordered, cut, printed, saved and merged, all from one
 * description of a C struct.
 *
 *     struct row {
 *         uint32_t group;             always the first member: number of the group (tr_group_by.h)
 *         uint32_t name;              further keys, without padding between them
 *         struct tr_sample dur;       figures
 *     };
 *     static const struct tr_table_column columns[] = {
 *         { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, name), .meaning = "the kernel" },
 *         { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, dur), .meaning = "calls" },
 *         { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "sum of durations" },
 *         { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .of = "sum", .unit = "%", .meaning = "share of the group" },
 *     };
 *     static const struct tr_row_type type = {
 *         .name = "names", .size = sizeof(struct row), .key_size = offsetof(struct row, dur),
 *         .columns = columns, .n_columns = 4, .order = "sum,name",
 *     };
 *
 *     struct row *r = tr_rows_at(rows, &(struct row){ .group = item.group, .name = b->name[i] });
 *     if (!r || !tr_sample_add(&r->dur, item.end - item.start))
 *         return tr_fail_memory(err);
 *
 * The analysis then needs a key and an addition; tr_rows_finish and the saved form are the same for all.
 *
 * How rows are combined, in a row "others" and when partial results are merged, follows from member and role:
 * statistics and samples are merged, so all figures of the others are exact; integers of role sum and count are added,
 * of role min and max compared.  A member that is kept with a time comes from the row with the earliest.  Other
 * members that are no keys must be the same in rows with equal keys; they are absent in others.  Real numbers are not
 * saved: the analysis computes them from the other members when it completes.  Times (role time) are saved as absolute
 * ones.
 *
 * Memory: size bytes per row, 16 to 32 bytes for finding and 28 bytes for sorting it; samples as in tr_sample.h.  With
 * a spill, rows go to files, and are sorted there with their texts.  Not shared between threads.
 */
#ifndef TR_ROWS_H
#define TR_ROWS_H

#include "base/tr_spill.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Distinct values of a row for exact percentiles, where nothing limits memory. */
#define TR_ROWS_DISTINCT ((size_t)1 << 17)

/*
 * Texts of members of type TR_MEMBER_OWN, which only the analysis knows: stacks of names, categories.  Those that are
 * no keys are numbers, uint32_t; UINT32_MAX stands for no text.
 */
struct tr_row_own {
    /* The text of a column of a row, in memory of the analysis or in room.  False: out of memory. */
    bool (*text)(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                 struct tr_str *text);
    int (*compare)(void *self, const struct tr_table_column *is, const void *a, const void *b); /* NULL: by texts */
    /* The text in a partial result, as above, NULL: the same; and its member.  False: out of memory, or wrong. */
    bool (*save)(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                 struct tr_str *text);
    bool (*load)(void *self, const struct tr_table_column *is, struct tr_partial_in *in, struct tr_str text, void *to);
};

struct tr_row_type {
    const char *name; /* of the rows in partial results */
    size_t size;      /* of the struct */
    size_t key_size;  /* bytes from its start by which rows differ, at most 96 */
    const struct tr_table_column *columns; /* of all tables of such rows; each has a member, or follows from others */
    size_t n_columns;
    /*
     * The order of rows in a group: names of columns with commas between.  Texts and words ascend, figures descend;
     * ":asc" and ":desc" after a name say otherwise.  A sum that does not fit is the largest.
     */
    const char *order;
    size_t distinct; /* exact values of a sample, unless the run limits them; 0: all */
    const struct tr_row_own *own; /* NULL: there are no such members */
    /* Combine the figures of two rows with equal keys, in place of what roles say.  False: out of memory. */
    bool (*merge)(void *to, const void *from, bool is_new);
};

struct tr_rows;

/* groups: of the rows, borrowed.  sums_only: samples keep no values.  NULL: out of memory. */
struct tr_rows *tr_rows_new(const struct tr_row_type *type, const struct tr_analysis_in *in, struct tr_group_by *groups,
                            bool sums_only);
void tr_rows_free(struct tr_rows *r);
/* For an analysis whose state starts with a pointer to its rows (struct tr_analysis). */
struct tr_rows *tr_rows_first(void *state);

/* What the state of an analysis starts with whose rows are sums of events: its rows, and the groups of the events. */
struct tr_grouped {
    struct tr_rows *rows;
    struct tr_group_by work;
};
/* activities: of the events; 0: device work. */
enum tr_status tr_grouped_start(struct tr_grouped *g, const struct tr_row_type *type, const struct tr_analysis_in *in,
                                unsigned activities, struct tr_error *err);
void tr_grouped_free(void *state);
/* Give each event that counts and has a duration to a function, which returns false if memory runs out. */
typedef bool tr_grouped_add(void *state, const struct tr_batch *b, size_t i, const struct tr_group_by_item *item);
enum tr_status tr_grouped_feed(void *state, const struct tr_batch *b, const uint8_t *keep, tr_grouped_add *add,
                               struct tr_error *err);

/* The owner of texts, before the first row. */
void tr_rows_owner(struct tr_rows *r, void *self);
/* Rows that are never printed, but counted in wholes of shares. */
void tr_rows_skip(struct tr_rows *r, bool (*skip)(void *self, const void *row), void *self);

/*
 * The row with a key: the first bytes of a struct of the type.  A new row is zero, except for its key, its
 * statistics and samples, integers of role min, max and time, which are TR_I64_NONE, own texts, which there are none,
 * and real numbers, which are NaN.  Valid until the next call.
 * NULL: out of memory.
 */
void *tr_rows_at(struct tr_rows *r, const void *key);

/*
 * Add a whole row, whose key no other row has: of a listing.  It is not found by tr_rows_at.  Samples and statistics in
 * it have been started.  False: out of memory.
 */
bool tr_rows_add(struct tr_rows *r, const void *row);

/* Add the figures of a row of the same type to the row with its key, and return that.  NULL: out of memory. */
void *tr_rows_merge(struct tr_rows *r, const void *row);

/* Their number, row number i in the order of addition, and the number of a row. */
size_t tr_rows_count(const struct tr_rows *r);
struct tr_rows_in_place { /* what struct tr_rows starts with */
    char *rows;
    size_t size; /* of a row */
    struct tr_spilling in;
};
static inline void *tr_rows_get(const struct tr_rows *r, size_t i)
{
    const struct tr_rows_in_place *p = (const struct tr_rows_in_place *)(const void *)r;
    tr_spilling_touched(&p->in);
    return p->rows + i * p->size;
}
size_t tr_rows_number(const struct tr_rows *r, const void *row);
const struct tr_group_key *tr_rows_group(const struct tr_rows *r, const void *row);

/* The numbers of all rows in their order: groups by key, and in each as the type says.  NULL: out of memory. */
uint32_t *tr_rows_order(const struct tr_rows *r);

/*
 * Give all rows to a function in an order like that of a type.  texts: by column of the type, those of its strings and
 * own texts, of columns of one member only that of the first.  Returns the first status other than TR_OK.
 */
typedef enum tr_status tr_rows_take(void *self, const void *row, const struct tr_str *texts, struct tr_error *err);
enum tr_status tr_rows_each(struct tr_rows *r, const char *order, tr_rows_take *take, void *self, struct tr_error *err);

/* Which rows are printed.  Beyond a limit, one row of each group sums up the others. */
struct tr_rows_cut {
    bool (*skip)(void *self, const void *row); /* not printed, but counted in wholes of shares; NULL: none */
    void *self;
    uint64_t top;        /* at most so many; 0: all */
    double ratio;        /* no more than needed to reach this part of the sum of the first column of the order;
                          * 0, or 1 and more: all */
    const char *within;  /* the limit holds for the rows with each value of this column; NULL: for each group */
};

/* Add all rows to a table, in their order.  Its columns are some of those of the type, and of groups. */
enum tr_status tr_rows_finish(struct tr_rows *r, struct tr_table *t, const struct tr_rows_cut *cut,
                              struct tr_error *err);

/* ---- partial results ---- */

/* In a struct tr_saving: the state is rows of this type. */
#define TR_SAVED_ROWS(type) .tables = &(const struct tr_saved_table){ .rows = &(type) }, .n_tables = 1

/* The tables of a partial result that has rows of a type, for struct tr_saving: call it with rows of each. */
enum tr_status tr_rows_save(struct tr_rows *r, struct tr_partial_out *out, size_t table, struct tr_error *err);
enum tr_status tr_rows_load(struct tr_rows *r, struct tr_partial_in *in, size_t table, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
