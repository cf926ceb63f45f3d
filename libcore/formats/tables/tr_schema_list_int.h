/* SPDX-License-Identifier: MIT */
/*
 * The list of databases that are read: each format that is one defines tr__schema_NAME in its folder.  Internal to
 * libcore.
 */
#ifndef TR_SCHEMA_LIST_INT_H
#define TR_SCHEMA_LIST_INT_H

#include "formats/tables/tr_tables_int.h"

#define TR__SCHEMAS(SCHEMA) SCHEMA(nsys) SCHEMA(rocpd) SCHEMA(rpd) SCHEMA(ascend)

#define TR__SCHEMA(name) extern const struct tr__schema tr__schema_##name;
TR__SCHEMAS(TR__SCHEMA)
#undef TR__SCHEMA

#endif
