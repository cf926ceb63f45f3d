/* SPDX-License-Identifier: MIT */
/*
 * Captures: which recording of its rank and host a source is.
 *
 * A program is often recorded more than once, each time for some steps.  Sources of one rank and host that do not
 * overlap in time are captures, numbered from 0 by their start; so nothing takes the hours between two of them for
 * time in which a device was idle, or their steps of equal number for one.  Sources that overlap are one capture, in
 * which one process may have several files; so are those that a job joins, whenever they were written.
 *
 * The number stands in each source (struct tr_source), set by whoever puts sources together.
 */
#ifndef TR_CAPTURES_H
#define TR_CAPTURES_H

#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Number the captures of all sources.  Times of the summary count from one base for all of them.  A source of
 * unknown rank, or without times, is capture 0.  False: out of memory.
 */
bool tr_captures_number(struct tr_dict *d, const struct tr_summary *s);

/* Is there a source that is not the first capture of its rank? */
bool tr_captures_several(const struct tr_dict *d);

#ifdef __cplusplus
}
#endif
#endif
