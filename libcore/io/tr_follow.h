/* SPDX-License-Identifier: MIT */
/*
 * Reading a file to which another process still adds, as tail -F does: at its end, wait for more.  A file that has
 * become shorter, or another file of its name, is read from its start.  Pipes are read to their end.
 *
 *     struct tr_follow f = { .look = look, .changed = changed, .ctx = self };
 *     st = tr_follow_read(&f, fd, "trace.json", buf, sizeof buf, &got, &err);
 */
#ifndef TR_FOLLOW_H
#define TR_FOLLOW_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_follow {
    /*
     * Called by the thread that reads: before each read, and, with waits, some twenty times a second while there is
     * nothing to read.  TR_OK: go on; TR_END: the input ends here; or a failure, which the read returns.
     */
    enum tr_status (*look)(void *ctx, bool waits, struct tr_error *err);
    /* The file is not what it was; how: "was cut", "was replaced".  TR_OK: read on, from the start; or as above. */
    enum tr_status (*changed)(void *ctx, const char *path, const char *how, struct tr_error *err);
    void *ctx;
    bool is_stream; /* for these functions: the content, as soon as it is known, is an event stream */
    bool copied;    /* this is a copy of the process (tr_copy.h), in which look has ended the input */
};

/*
 * Read the available bytes, as tr_read_some does, or wait for some.  path: of the file, to see whether it is replaced;
 * NULL: it has none.
 */
enum tr_status tr_follow_read(const struct tr_follow *f, int fd, const char *path, void *buf, size_t cap, size_t *got,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
