/* SPDX-License-Identifier: MIT */
/* What the preloaded library and the program that uses it have in common. */
#ifndef INJECT_H
#define INJECT_H

enum fault_kind {
    FAULT_NONE, /* as an index: all calls after which a signal can come */
    FAULT_ALLOC,
    FAULT_OPEN,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_CLOSE,
    FAULT_RENAME,
    FAULT_CHMOD,
    FAULT_SYNC,
    FAULT_ALLOCATE,
    FAULT_MAP,
    FAULT_THREAD,
    FAULT_KINDS
};

#define FAULT_NAMES                                                                               \
    {                                                                                             \
        "none", "alloc", "open", "read", "write", "close", "rename", "chmod", "sync", "allocate", \
            "map", "thread"                                                                       \
    }

struct report {
    unsigned long calls[FAULT_KINDS];
    unsigned long fired; /* was a call made to fail? */
};

#endif
