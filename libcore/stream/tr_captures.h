/* SPDX-License-Identifier: MIT */
/*
 * Captures: the recordings of a rank and host.
 *
 * A program is often recorded more than once, each time for some steps.  Sources of one rank and host that do not
 * overlap in time are different captures, numbered from 0 by their start.  So the hours between two captures are not
 * idle time, and their steps of equal number are different steps.  Sources that overlap are one capture, because a
 * process may write several files.  Sources with one job are also one capture.
 *
 * Each source has its number (struct tr_source).  Programs that merge sources set it.
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
