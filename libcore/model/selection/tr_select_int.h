/* SPDX-License-Identifier: MIT */
/* The internal state of the selection: tests for each source, and the source that times of users refer to. */
#ifndef TR_SELECT_INT_H
#define TR_SELECT_INT_H

#include "model/selection/tr_select.h"
#include "model/tr_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tests for one source, in times of the stream. */
struct source_tests {
    bool rank_ok;
    bool host_tests;      /* any of the next two can fail */
    struct tr_range time; /* option time */
    struct tr_range host; /* option host_time and drop_last_step together */
    bool host_limited;
    bool steps_limited;
};

struct tr_select {
    struct tr_select_opts opts;
    const struct tr_dict *dict;
    struct tr_steps *steps; /* option steps only */
    int64_t *last_step;     /* drop_last_step: by source, INT64_MAX: keep all */
    size_t n_last_step;
    int64_t *starts; /* by source, ns of the stream: the base of relative times; NULL: there are none */
    size_t n_starts, n_clocks; /* n_clocks: clocks that have their own start */
    int64_t shift;  /* from other times of users to those of the stream */
    bool shift_known;
    struct source_tests *tests;
    size_t n_tests, cap_tests;
    uint8_t *hidden; /* by source: 1 */
    size_t n_hidden, cap_hidden;
    uint8_t *keep, *before; /* before: without the test where */
    uint8_t *alone;         /* only the test where */
    struct tr_step_columns launched;
    size_t cap_keep, cap_before, cap_alone;
};

/* The source that times of users refer to: the first one of the lowest rank.  NULL: there is none. */
const struct tr_source *tr__select_reference(const struct tr_dict *d);

/* The base of relative times of a source, ns of the stream. */
int64_t tr__select_start(const struct tr_select *s, uint32_t source);

#ifdef __cplusplus
}
#endif
#endif
