/* SPDX-License-Identifier: MIT */
/* What tables of collectives share, also those of other rooms: the matching, its saved form, and values of rows. */
#ifndef TR_COLLECTIVE_TABLE_H
#define TR_COLLECTIVE_TABLE_H

#include "analysis/comm/tr_collective_times.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "base/tr_mem.h"
#include "model/tr_eventmap.h"

#include <math.h>

/* The data from which a table is made. */
struct tr__comm_view {
    const struct tr_analysis_in *in;
    const struct tr_dict *dict;
    const struct tr_colls *c;
    const struct tr_steps *steps; /* stragglers by step, if not NULL */
    void *state; /* of the analysis */
    bool suspect;
    int64_t gpus_per_node; /* 0: unknown */
    int64_t since;         /* ns from the earliest base of partial results to the base of their times here; 0: none */
    struct tr_table *t;
    struct tr_buf *text; /* for a cell */
};

/* Add the rows of a table.  The collectives are already matched. */
typedef enum tr_status tr__comm_rows(const struct tr__comm_view *v, struct tr_error *err);

/* Their options, of those with columns about nodes. */
extern const struct tr_comm_options tr__comm_defaults;
extern const struct tr_option tr__comm_node_options[];

/* The functions of an analysis of collectives; state is a struct tr__comm_state. */
struct tr_stages;
struct tr__comm_state {
    struct tr_analysis_in in;
    const struct tr_comm_options *options; /* NULL: the defaults */
    void *matching; /* the state of the service */
};
enum tr_status tr__comm_start(const struct tr_analysis_in *in, const void *options, void *state,
                              struct tr_error *err);
/* The same of a table of stages; and in its rows, the stages of all steps, finished. */
enum tr_status tr__comm_start_stages(const struct tr_analysis_in *in, const void *options, void *state,
                                     struct tr_error *err);
enum tr_status tr__comm_stages(const struct tr__comm_view *v, struct tr_stages **stages, struct tr_error *err);
/* What a table says about the numbers; of mismatches, the table that lists them says nothing. */
enum tr__comm_says { TR__COMM_SAYS_NOTHING, TR__COMM_SAYS_DOUBTS, TR__COMM_LISTS_MISMATCHES };
enum tr_status tr__comm_finish(void *state, struct tr_table *t, tr__comm_rows *rows, enum tr__comm_says says,
                               struct tr_error *err);

/* The matching that all tables share, and the partial results that it has loaded. */
struct tr__comm_matching {
    struct tr_coll_finder *finder;
    struct tr_colls *colls; /* NULL until rows are needed */
    bool warned; /* the warnings about the numbers were given */
    struct tr_analysis_in in;
    struct tr_stages *stages; /* NULL: nobody asks for them */
    bool staged; /* they are finished */
    struct tr_buf text; /* of a cell */
    /* For partial results: sources of this dictionary by rank and number, tracks by source and number. */
    struct tr_eventmap sources, tracks;
    int64_t base;    /* the earliest of these sources, as of merged streams */
    int64_t *shifts; /* by source: added to its times, so that they count from the base of the first source */
    size_t n_shifts, cap_shifts;
};

/* The state as a partial result, for all tables of collectives: those of the matching, then of stages
 * (tr_stages_int.h), which have rows only if a table of stages asks for them. */
#define TR__COMM_OWN_TABLES 3u
#define TR__COMM_TABLES     7u
extern const struct tr_saved_table tr__comm_saved[TR__COMM_TABLES];
/* The same for the list of another analysis, whose first tables they are. */
#define TR__COMM_SOURCE_COLUMNS 10
#define TR__COMM_GROUP_COLUMNS  18
#define TR__COMM_MEMBER_COLUMNS 27
extern const struct tr_saved_column tr__comm_source_columns[], tr__comm_group_columns[], tr__comm_member_columns[];
#define TR__COMM_SAVED                                                      \
    { "sources", tr__comm_source_columns, TR__COMM_SOURCE_COLUMNS, NULL },  \
        { "groups", tr__comm_group_columns, TR__COMM_GROUP_COLUMNS, NULL }, \
        { "members", tr__comm_member_columns, TR__COMM_MEMBER_COLUMNS, NULL }
/* What was made for loading. */
void tr__comm_matching_free(struct tr__comm_matching *m);
/* The source of the dictionary for one of a rank in the partial results; UINT32_MAX: there is none. */
uint32_t tr__comm_source(const struct tr__comm_matching *m, int64_t rank, uint64_t number);
enum tr_status tr__comm_save(void *state, struct tr_partial_out *out, struct tr_error *err);
/* The same; records: also those of the host, which are members only if no rank has kernels. */
enum tr_status tr__comm_save_members(const struct tr__comm_state *s, bool records, struct tr_partial_out *out,
                                     struct tr_error *err);
enum tr_status tr__comm_load(void *state, struct tr_partial_in *in, struct tr_error *err);
/* The same for the first tables of another analysis. */
enum tr_status tr__comm_load_members(struct tr__comm_matching *m, struct tr_partial_in *in, struct tr_error *err);

/* Numbers of sources and tracks are small; a large one is wrong. */
static inline bool tr__comm_small(struct tr_partial_in *in, uint64_t number)
{
    if (number >= UINT32_MAX - 1)
        tr_partial_wrong(in, "a number of a source or track");
    return number < UINT32_MAX - 1;
}
static inline uint64_t tr__comm_key(int64_t rank)
{
    return rank == TR_I64_NONE ? 0 : (uint64_t)rank + 1;
}

/* While rows are loaded: the number of a source here, and a time that counts from the base of the first source.  False:
 * the row is wrong, and this is remembered. */
static inline bool tr__comm_take_source(const struct tr__comm_matching *m, struct tr_partial_in *in, int64_t rank,
                                        uint64_t number, uint32_t *source)
{
    bool ok = tr__comm_small(in, number);
    *source = ok ? tr_eventmap_get(&m->sources, (uint32_t)number, tr__comm_key(rank)) : TR_EVENTMAP_NONE;
    if (ok && *source == TR_EVENTMAP_NONE)
        tr_partial_wrong(in, "a source that is not listed");
    return *source != TR_EVENTMAP_NONE;
}
static inline bool tr__comm_take_time(const struct tr__comm_matching *m, struct tr_partial_in *in, uint32_t source,
                                      int64_t t, int64_t *to)
{
    *to = tr_time_sum(t, m->shifts[source]);
    if (*to == TR_TIME_NONE)
        tr_partial_wrong(in, "a time beyond 64 bits");
    return *to != TR_TIME_NONE;
}

#define TR__COMM_SAVING(saved_as)                                                                        \
    .saving = &(const struct tr_saving){ .name = (saved_as), .version = 10, .whole_ranks = true,         \
                                         .of_service = true, .no_steps = true, .tables = tr__comm_saved, \
                                         .n_tables = TR__COMM_TABLES, .save = tr__comm_save,             \
                                         .load = tr__comm_load }

/* A table of collectives: its function for rows, its default group, and the rest.  It is saved under its own name. */
#define TR__COMM_TABLE(id, saved_as, rows_of, per, says, ...)                                       \
    static enum tr_status id##_finish(void *state, struct tr_table *t, struct tr_error *err)        \
    {                                                                                               \
        return tr__comm_finish(state, t, rows_of, says, err);                                       \
    }                                                                                               \
    const struct tr_analysis tr_analysis_##id = {                                                   \
        .group = (per),                                                                             \
        .needs = { .want = { .fixed = TR_FIXED_ALL & ~TR_FIXED_BIT(CAT),                            \
                             .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_TRACK,         \
                             .keys = tr_coll_keys,                                                  \
                             .n_keys = TR_COLL_N_KEYS } },                                          \
        .state_size = sizeof(struct tr__comm_state),                                                \
        .start = tr__comm_start,                                                                    \
        .finish = id##_finish,                                                                      \
        TR__COMM_SAVING(saved_as),                                                                  \
        __VA_ARGS__                                                                                 \
    }

/* If the table leaves out collectives, report how many, and why. */
void tr__comm_remark_left(const struct tr__comm_view *v, const struct tr_collective_left *left);

/* ---- rows ---- */

/* What identifies a collective, and what is known of its group. */
struct tr__comm_of {
    struct tr_str group, name; /* group: its name; of a group of devices, these.  Valid until the next one */
    int64_t seq;
    int64_t size;   /* ranks of the group */
    uint32_t ranks; /* a text: which */
    const char *how;  /* it was matched */
    const char *span; /* "intra" or "inter": are its ranks on one node?  NULL: unknown */
};
struct tr__comm_of tr__comm_of(const struct tr__comm_view *v, const struct tr_coll *coll);
#define TR__COMM_OF(type)                                                                                              \
    { "group", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(type, of.group), .meaning = "name of the process group" },           \
    { "seq", TR_CELL_INT, TR_ROLE_KEY, TR_OF(type, of.seq), .meaning = "number of the collective in its group" }
#define TR__COMM_MATCH(type, ...)                                                                                      \
    { "match", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(type, of.how), __VA_ARGS__                                          \
      .meaning = "seq, id, order or alone: how it was matched" }
#define TR__COMM_GROUP_RANKS(type)                                                                                     \
    { "group_ranks", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(type, of.ranks), .wide = true, .extra = true,                 \
      .meaning = "ranks of the group, as the trace lists them" }
#define TR__COMM_SPAN(type)                                                                                            \
    { "span", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(type, of.span), .quiet = TR_QUIET_SAME,                              \
      .meaning = "intra: its ranks are on one node; inter: on several; empty: unknown" }

#define TR__COMM_DIFFER(type, name)                                                                                    \
    { "clocks_differ", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(type, name), .quiet = TR_QUIET_0, .main = true,               \
      .meaning = "1: clocks of its ranks differ by more than what is shown of their starts" }

/* The axes of the mesh along which its group goes: by its name, its description, or the meshes of its ranks. */
unsigned tr__comm_axes(const struct tr__comm_view *v, const struct tr_coll *coll);

/* A value for a cell: of a number that is negative where it is unknown, and of a rate that is then 0. */
static inline int64_t tr__comm_number(int64_t number)
{
    return number < 0 ? TR_I64_NONE : number;
}
static inline double tr__comm_gbps(double bytes_per_s)
{
    return bytes_per_s > 0 ? bytes_per_s / 1e9 : NAN;
}
static inline int64_t tr__comm_rank(const struct tr__comm_view *v, uint32_t party)
{
    return tr__comm_number(v->c->parties[party].rank);
}
/* The start of a member, as in its file. */
int64_t tr__comm_start_of(const struct tr__comm_view *v, const struct tr_coll_member *m);
/* Add a row: a struct that the columns of the table describe. */
void tr__comm_row(const struct tr__comm_view *v, const void *row);

/* ---- ranks and nodes ---- */

#define TR__COMM_MAX_RANKS ((size_t)1 << 20) /* of a group */

/* Remove the next number of a list such as "[0, 1, 2]".  False: there is none, or "..." stands for it. */
bool tr__comm_list_next(struct tr_str *list, int64_t *number);

/* The ranks of the group of a collective, as far as the trace lists them.  False: out of memory. */
struct tr__comm_list {
    int64_t *v;
    size_t n, cap;
};
bool tr__comm_ranks(const struct tr__comm_view *v, const struct tr_coll *coll, struct tr__comm_list *out);

/* The entry of its header in which a source lists the devices of its node; no text: there is none. */
#define TR__COMM_DEVICES "deviceProperties"
struct tr_str tr__comm_devices(const struct tr_dict *dict, const struct tr_source *source);
/* Devices of a node as the traces say; 0: they do not. */
int64_t tr__comm_gpus_per_node(const struct tr_dict *dict);
/* "intra" or "inter": are two ranks on one node?  NULL: unknown. */
const char *tr__comm_span(const struct tr__comm_view *v, int64_t a, int64_t b);

#endif
