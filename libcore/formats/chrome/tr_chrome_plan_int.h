/* SPDX-License-Identifier: MIT */
/*
 * How events of one shape become JSON text: a sequence of literal text and values.  Made once per
 * shape, so that writing an event is a walk over a handful of steps.
 */
#ifndef TR_CHROME_PLAN_INT_H
#define TR_CHROME_PLAN_INT_H

#include "base/tr_mem.h"
#include "stream/tr_dict.h"

enum tr_chrome_what {
    TR_CHROME_VALUE, /* the next entry of the column */
    TR_CHROME_SKIP,  /* take the next entry of the column, write nothing */
    TR_CHROME_NAME,
    TR_CHROME_CAT,
    TR_CHROME_IN_CAT, /* the category, with the next entry of the column in place of its first * */
    TR_CHROME_TS, /* from the fixed column; type STRING: in quotes */
    TR_CHROME_DUR,
    TR_CHROME_PID,
    TR_CHROME_TID,
    TR_CHROME_EXACT_TS, /* the text in the column while it agrees with ts, else ts */
    TR_CHROME_EXACT_DUR,
    TR_CHROME_ID,    /* the column's value made unique over sources */
    TR_CHROME_SCOPE, /* the column's value (no column: empty) with the source before it */
    TR_CHROME_END,   /* the B of a joined span is complete, its E starts; writes nothing */
    TR_CHROME_ASYNC, /* the id that start and end of an async event share */
};

struct tr_chrome_step {
    uint32_t text_at, text_len; /* literal text that comes before the value */
    uint32_t column;            /* UINT32_MAX: none */
    uint8_t what, type;
};

/* The plans of all shapes so far; zero-initialise. */
struct tr_chrome_plans {
    struct tr_chrome_step *steps;
    size_t n_steps, cap_steps;
    struct tr_buf text;
    struct tr_chrome_plan {
        size_t first, n;            /* steps */
        uint32_t tail_at, tail_len; /* literal text after the last value */
    } * plans;                      /* by shape */
    bool async; /* spans become a start and an end of an async event */
    size_t n_plans, cap_plans;
};

/*
 * Make plans for the shapes that are new in the dictionary since the last call.  merged: several sources in one file,
 * see tr_chrome_write.h.  False: out of memory.
 */
bool tr__chrome_plan(struct tr_chrome_plans *p, const struct tr_dict *d, bool merged);
void tr__chrome_plans_free(struct tr_chrome_plans *p);

#endif
