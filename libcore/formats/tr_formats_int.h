/* SPDX-License-Identifier: MIT */
/*
 * The registry: every format that can be opened has a line here, and defines tr_format_NAME in its folder.
 * Internal to libcore.
 */
#ifndef TR_FORMATS_INT_H
#define TR_FORMATS_INT_H

#include "formats/tr_format.h"

#define TR__FORMATS(FORMAT)   \
    FORMAT(stream)            \
    FORMAT(chrome)            \
    FORMAT(memory_timeline) \
    FORMAT(rocprof_json)    \
    FORMAT(perfetto)        \
    FORMAT(xplane)          \
    FORMAT(unitrace_text)   \
    FORMAT(unitrace_kmd)    \
    FORMAT(unitrace_metrics)

#define TR__FORMAT(name) extern const struct tr_format tr_format_##name;
TR__FORMATS(TR__FORMAT)
#undef TR__FORMAT

/*
 * The format of the library or of opts with the highest score for a prefix; *score: that score.  *also: another format
 * with the same score, or NULL.  NULL: no format fits.
 */
const struct tr_format *tr__format_probe(const unsigned char *p, size_t n, const struct tr_open_opts *opts, int *score,
                                         const struct tr_format **also);

/* The format of this name; NULL: there is none. */
const struct tr_format *tr__format_by_name(const char *name, const struct tr_open_opts *opts);

#endif
