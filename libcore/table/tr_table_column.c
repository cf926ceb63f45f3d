/* SPDX-License-Identifier: MIT */
/* Names of roles and types of columns. */
#include "table/tr_table_column.h"

const char *tr_column_role_name(enum tr_column_role role)
{
    static const char *const names[] = { "text", "group",     "key",   "sum",   "count",      "min",    "max",
                                         "inclusive", "share", "ratio", "difference", "change", "variance",
                                         "quantile", "mean", "time", "rank" };
    return names[role];
}

const char *tr_cell_name(enum tr_cell type)
{
    static const char *const names[] = { "text", "integer", "count", "time", "number", "number" };
    return names[type];
}
