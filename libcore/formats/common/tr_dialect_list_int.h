/* SPDX-License-Identifier: MIT */
/* The list of dialects: each has a line here, and defines tr_dialect_NAME in its folder.  Internal to libcore. */
#ifndef TR_DIALECT_LIST_INT_H
#define TR_DIALECT_LIST_INT_H

#include "formats/common/tr_dialect.h"

#define TR__DIALECTS(DIALECT) \
    DIALECT(xla)              \
    DIALECT(ascend)           \
    DIALECT(rocprof1)         \
    DIALECT(rpd)              \
    DIALECT(autograd)

#define TR__DIALECT(name) extern const struct tr_dialect tr_dialect_##name;
TR__DIALECTS(TR__DIALECT)
#undef TR__DIALECT

#endif
