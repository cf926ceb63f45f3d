/* SPDX-License-Identifier: MIT */
/* Files that the profiler of Ascend writes beside a trace.  Internal to libcore. */
#ifndef TR_ASCEND_TABLES_INT_H
#define TR_ASCEND_TABLES_INT_H

#include "stream/tr_side_table.h"

/* Add them as tables kernel_details and communication; one that is not there, or is none, is left out.  False: out of
 * memory. */
bool tr__ascend_tables(const char *trace, struct tr_side_tables *tables);

#endif
