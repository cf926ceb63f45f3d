/* SPDX-License-Identifier: MIT */
/*
 * The detection of formats.
 * Internal to libcore.
 */
#ifndef TR_FORMATS_INT_H
#define TR_FORMATS_INT_H

#include "formats/common/tr_format_list_int.h"

/*
 * The format of the library or of opts with the highest score for a prefix; *score: that score.  *also: another format
 * with the same score, or NULL.  NULL: no format fits.
 */
const struct tr_format *tr__format_probe(const unsigned char *p, size_t n, const struct tr_open_opts *opts, int *score,
                                         const struct tr_format **also);

/* The format of this name; NULL: there is none. */
const struct tr_format *tr__format_by_name(const char *name, const struct tr_open_opts *opts);

#endif
