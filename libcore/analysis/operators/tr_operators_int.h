/* SPDX-License-Identifier: MIT */
/* What tr_operators.c and tr_operator_calls.c share: calls, and the data about their work. */
#ifndef TR_OPERATORS_INT_H
#define TR_OPERATORS_INT_H

#include "analysis/graphs/tr_graph_calls.h"
#include "analysis/operators/tr_operator_category.h"
#include "analysis/operators/tr_operator_keys_int.h"
#include "analysis/operators/tr_operator_owners_int.h"
#include "base/tr_freelist.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_union_length.h"
#include "model/calls/tr_work_arrows.h"
#include "service/tr_pending.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One kernel, copy or memset: device work. */
struct tr__operator_piece {
    struct tr_group_by_item at;
    uint32_t name;
    int64_t stream;        /* as in struct tr_operator_key */
    uint64_t n;            /* of the pieces that have come */
    uint32_t module;       /* that it names, + 1; 0: that of its call */
    uint32_t api;          /* what launched it, and its node, if work of no operator has them as keys */
    int64_t node;
    uint8_t activity;
    bool counts;           /* it is selected; others are kept to recognise a graph */
};

/* A piece in a list: of a launch that has not come yet, or of a call whose pieces have places. */
struct tr__operator_item {
    struct tr__operator_piece piece;
    uint32_t next;
};

struct tr__operator_list {
    uint32_t first, last; /* UINT32_MAX: empty */
};
#define TR__OPERATOR_LIST_INIT { UINT32_MAX, UINT32_MAX }

struct tr__operator_place {
    uint64_t n;
    uint32_t item;
};

/* Device work of a group, and its durations. */
struct tr__operator_sum {
    uint32_t group;
    uint64_t n;
    int64_t ns;
};

/* The work of a call that one model of some of its kernels is for. */
struct tr__operator_part {
    struct tr_union_length work;
    uint64_t n;
    struct tr_operator_opening opening;
};

/* Work of a call that parts of it, or of calls around it, took: what it launched, and all below it. */
struct tr__operator_taken {
    struct tr_union_length own, all;
    uint64_t n_own, n_all;
};

/* A call of an operator. */
struct tr__operator_call {
    int64_t start, end;   /* clipped; for a call that never ends, both are its start */
    int64_t open_until;   /* not clipped: nothing can be inside it after that */
    int64_t covered;      /* up to here, calls of operators inside it are taken from its own time */
    uint32_t parent, row, source, track;
    uint32_t pending;     /* launches whose work has not all come, and calls inside it that are not done */
    size_t depth;         /* of its span among the open spans */
    struct tr_union_length own, below; /* work that it launched; work of calls inside it that are done */
    struct tr__operator_sum waiting; /* both kinds of work, not yet counted as below a call */
    bool inner;           /* a call of the same row is around it */
    bool counts, live;
    bool launch;          /* it is a launch of an operation of XLA, and its later launches */
    bool follows;         /* the launch before it on its track was of another operation of the same program */
    uint64_t around;      /* record of the span around it; UINT64_MAX: none */
    uint32_t program;     /* a string number or TR_NO_STR */
    uint64_t run;         /* of its program, for a launch below no span; 0: unknown */
    int64_t more;         /* ns, host time of later launches */
    struct tr_operator_key key;
    uint64_t record;
    uint32_t names;          /* of its own work, as a stack of works; NONE: none */
    struct tr_operator_opening opening, opening_below; /* of its own work; of calls inside it that are done */
    uint32_t asker;       /* the innermost call, this one or one around it, whose model asks for calls inside */
    uint32_t parted;      /* a call, this one or one around it, that has models of some kernels; NONE: none */
    uint32_t inside;      /* as in the key: calls inside it so far */
    unsigned n_parts;
    struct tr__operator_part *parts; /* NULL: there is no work yet, or no such model */
    struct tr__operator_taken *taken; /* NULL: nothing */
    uint64_t n_own, n_below; /* device work that it launched; that of calls inside it that are done */
    struct tr__operator_list pieces; /* that it launched, if they have places */
    struct tr__owner_call owner;
    uint32_t forward; /* tr_operator_backward.c: a call whose backward pass counts, this one or one around it */
    uint32_t node;    /* if this one is of a backward pass: such a call */
};

/* A launch whose work has not all come, or that has not come itself. */
struct tr__operator_launch {
    uint32_t call; /* UINT32_MAX: the launch itself has not come, or has no call around it */
    uint32_t graft; /* UINT32_MAX: it does not launch a graph whose calls are wanted */
    struct tr__operator_list early; /* of a graph: all work */
};

/* A launch of a graph, whose work goes to calls of its capture when all of it has come. */
struct tr__operator_graft {
    struct tr_operator_key base; /* the key of a call that it makes, before what the capture says */
    int64_t start;               /* clipped */
    uint64_t record;
    int64_t tokens;              /* of its step; -1: unknown */
    uint32_t call, source, track; /* call around it; UINT32_MAX: none */
    bool counts;
};

/* Captures, and room to work on one launch. */
struct tr__operator_grafts {
    struct tr_graph_calls *graphs; /* NULL: none */
    struct tr__operator_graft *of;
    struct tr_freelist places;
    uint32_t *texts;    /* by string of graphs: its number in the dictionary + 1; 0: not known yet */
    uint32_t *names;    /* by string of the dictionary: its number in graphs + 1; 0: not known yet */
    size_t n_texts, cap_texts, n_names, cap_names;
    struct tr__operator_piece *pieces;
    uint32_t *kernels;
    struct tr__graft_span *spans;
    size_t cap_pieces, cap_kernels, cap_spans;
    struct tr_graph_counts counts;
};

/* Calls whose backward pass counts. */
struct tr__backward {
    bool wanted;
    struct tr_arg number; /* of calls and of their backward pass */
    struct tr__forward *calls;
    size_t n, cap;
    struct tr_eventmap of; /* by track and number */
    uint32_t *tracks; /* in that map */
    size_t n_tracks, cap_tracks;
};

/* Kernels of one operation of XLA, one after the other on a stream, without launches. */
#define TR__OPERATOR_RUN_MAX 64u
struct tr__operator_run {
    struct tr_operator_key key;
    uint32_t program;
    size_t n;
    struct tr__operator_piece pieces[TR__OPERATOR_RUN_MAX];
};

/* A run of a program, as a span of the host. */
struct tr__program_span {
    int64_t end;
    uint64_t number; /* from 1 */
    uint32_t line;   /* its track */
    uint32_t program;
};

struct tr__program_spans { /* of a source: those that are open */
    struct tr__program_span *of;
    size_t n, cap;
};

struct tr__operator_runs {
    struct tr__operator_run **of; /* by track of a device; NULL: none */
    size_t n, cap;
    struct tr__program_spans *spans; /* by source */
    size_t n_sources, cap_sources;
    uint64_t n_runs;
    struct tr_eventmap line_of; /* by track of launches: the track with the runs of their programs */
};

struct tr_operators {
    struct tr_group_by work;
    struct tr__operator_keys keys;
    bool where; /* work was tested */
    bool owned; /* if owners of work are requested */
    bool finished;
    struct tr_stacks works; /* names of the work of a call, the first one outermost, if requested */
    struct tr_operator_categories categories;
    struct tr_number_map openings[2]; /* by name: the row with its first kernel + 1; of calls, and of owned work */
    bool opened[2]; /* they are known */
    struct tr__owners owners;
    struct tr__backward backward;
    struct tr__operator_grafts grafts;
    struct tr__operator_runs runs;
    struct tr_call_path *path;
    struct tr__operator_call *calls;
    struct tr__operator_item *items;
    struct tr__operator_place *places; /* pieces of a call, to put them in order */
    size_t cap_places;
    uint64_t n_pieces; /* that have come */
    uint64_t n_linked; /* those whose launch is known */
    uint32_t *launch_name; /* of this batch, if they are keys */
    int64_t *graph_node;
    size_t cap_launch_name, cap_graph_node;
    struct tr_buf room;
    int64_t time, unlinked; /* ns, of those that count; of these, the ones whose launch is not known */
    struct tr_pending launches;
    struct tr_work_arrows arrows; /* of calls */
    struct tr_freelist call_places, item_places;
    size_t sweep_at; /* at this number of calls, look for those that are done */
    int64_t *come_to; /* by source: the start of its latest event */
    size_t n_come, cap_come;
    struct tr_rows *rows;
    struct tr_eventmap launching; /* by track: its latest call that is a launch */
    struct tr_eventmap outermost; /* by row and track: the outermost open call of that row; some that have ended */
};

/* A call comes: event i of the batch.  It is done, with n events of work.  All are done.  False: out of memory. */
bool tr__backward_batch(struct tr_operators *a, const struct tr_batch *b);
bool tr__backward_call(struct tr_operators *a, size_t i, struct tr__operator_call *c);
bool tr__backward_done(struct tr_operators *a, const struct tr__operator_call *c, uint64_t n);
bool tr__backward_finish(struct tr_operators *a);
void tr__backward_free(struct tr__backward *w);

/* The number of the row of a key; UINT32_MAX: out of memory. */
uint32_t tr__operators_row_of(struct tr_operators *a, const struct tr_operator_key *key);

static inline struct tr_operator_row *tr__operators_row(const struct tr_operators *a, uint32_t number)
{
    return tr_rows_get(a->rows, number);
}

/* The innermost call of an operator around a span; UINT32_MAX: there is none. */
uint32_t tr__operators_call_around(const struct tr_callpath *path);

/*
 * Call i of an operator comes; does it take part?  run: of its program, if it is a launch; 0: unknown.  False: out of
 * memory, here and below.
 */
bool tr__operators_add_call(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                            bool counts, uint64_t run);

/*
 * The call that launch i of an operation of XLA continues: one operation may launch several kernels, one after the
 * other below one span of the host, or in one run of its program.  If neither is known, an operation alone in its
 * program could have run again, so another one of the program must come before it.  UINT32_MAX: none.
 */
uint32_t tr__operators_continued(struct tr_operators *a, const struct tr_batch *b, size_t i,
                                 const struct tr_callpath *path, bool counts, uint64_t run);

/* Device work that a call launched. */
bool tr__operators_give(struct tr_operators *a, const struct tr__operator_piece *p, uint32_t call);

/* The place of a new piece among items; UINT32_MAX: out of memory. */
uint32_t tr__operators_item(struct tr_operators *a, const struct tr__operator_piece *p);
void tr__operators_append(struct tr_operators *a, struct tr__operator_list *to, struct tr__operator_list from);

/* A piece counts as the own work of calls with this key, which have this row; position: as in the key. */
bool tr__operators_own(struct tr_operators *a, struct tr_operator_key key, uint32_t row,
                       const struct tr__operator_piece *p, int64_t position);

/* A call with a key begins: what models ask of it and of calls around it.  Its parent is set. */
bool tr__operators_begin(struct tr_operators *a, uint32_t number, struct tr__operator_call *c);
/* A call, or one that launches nothing, with this key is inside a call: note it if a model around asks for it. */
bool tr__operators_inside(struct tr_operators *a, uint32_t around, const struct tr_operator_key *key);
void tr__operators_free_parts(struct tr__operator_call *c);

/* Count a call that the replay of a graph makes: it is in the list, has its row, and takes no time. */
void tr__operators_count_captured(struct tr_operators *a, uint32_t call);
/* A call whose work has all come.  False: out of memory. */
bool tr__operators_finish_call(struct tr_operators *a, uint32_t call);

/*
 * Launch i is of a graph: the number of its graft, whose work goes to calls of its capture.  It is inside the call
 * around, UINT32_MAX: none.  UINT32_MAX: out of memory.
 */
uint32_t tr__operators_graft(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                             uint32_t around, bool counts);
/* All work of a graft has come, or no more will: it gets its calls.  False: out of memory. */
bool tr__operators_grafted(struct tr_operators *a, uint32_t graft, struct tr__operator_list work);
void tr__operators_grafts_free(struct tr__operator_grafts *g);
/* Work that no operator launched.  False: out of memory. */
bool tr__operators_give_nobody(struct tr_operators *a, const struct tr__operator_piece *p);

/*
 * Device work without a launch, which names an operation of XLA: it is a part of a run of it on its stream, with
 * this key.  Other work comes on that stream; no more work comes.  False: out of memory.
 */
bool tr__operator_run_add(struct tr_operators *a, uint32_t track, const struct tr_operator_key *key, uint32_t program,
                          const struct tr__operator_piece *p);
bool tr__operator_run_end(struct tr_operators *a, uint32_t track);
bool tr__operator_runs_end(struct tr_operators *a);
void tr__operator_runs_free(struct tr__operator_runs *r);

/* A span of the host names a program that it runs.  False: out of memory. */
bool tr__program_span(struct tr_operators *a, uint32_t track, uint32_t program, int64_t start, int64_t end);
/* The run of a program at a launch of a thread; *run 0: unknown.  False: out of memory. */
bool tr__program_run(struct tr_operators *a, uint32_t track, uint32_t program, int64_t ts, uint64_t *run);

/* Finish the calls that are done, or all, and those around them that are done with that. */
bool tr__operators_finish_calls(struct tr_operators *a, bool all);

#ifdef __cplusplus
}
#endif
#endif
