/* SPDX-License-Identifier: MIT */
/*
 * Arrays that move to files when memory is short, for tables whose size depends only on the trace.
 *
 * A spill (io/tr_spill_dir.h makes one) has a limit of memory, and the files.  Several tables share it.  The data of a
 * file are mapped: they have a fixed address, like memory, and a part of them is in memory.  So tables give the spill
 * that they are in use (tr_spilling_touched).  Then it releases pages that were read back into memory.
 *
 *     struct tr_spilling in = { .spill = spill };   spill NULL: an array like any other
 *     tr_spilling_grow(&in, &rows, &cap, n, sizeof *rows);
 *     tr_spilling_free(&in, rows);
 *
 * The array is for one thread while it grows, the spill for any number.
 */
#ifndef TR_SPILL_H
#define TR_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_spill_file; /* growing bytes, zero at first; either grown and used in place, or read and written */

struct tr_spill {
    bool (*take)(struct tr_spill *s, uint64_t bytes); /* memory; false: use a file */
    void (*give)(struct tr_spill *s, uint64_t bytes);
    struct tr_spill_file *(*open)(struct tr_spill *s);        /* an empty one; NULL: failed */
    void *(*grow)(struct tr_spill_file *f, uint64_t *bytes);  /* to at least *bytes; returns its fixed address */
    bool (*read)(struct tr_spill_file *f, void *to, size_t n, uint64_t at); /* bytes that were not written are 0 */
    bool (*write)(struct tr_spill_file *f, const void *from, size_t n, uint64_t at);
    void (*close)(struct tr_spill_file *f);
    void (*touched)(struct tr_spill *s);
    /* Around a copy of the process (io/tr_copy.h).  In the copy, what is in files is its own from then on.  False:
     * out of memory. */
    void (*hold)(struct tr_spill *s);
    bool (*release)(struct tr_spill *s, bool copied);
};

struct tr_spilling {
    struct tr_spill *spill;
    struct tr_spill_file *file; /* NULL: in memory */
    uint64_t held;              /* bytes taken of the spill's memory */
};

/* As tr_grow, base/tr_mem.h.  New elements are zero in a file, and not set in memory.  False: no memory or disk left.
 * */
bool tr_spilling_grow(struct tr_spilling *x, void *array, size_t *cap, size_t n_needed, size_t elem);
void tr_spilling_free(struct tr_spilling *x, void *data);

/* Call this regularly while the array is used, for example at each access to a row. */
static inline void tr_spilling_touched(const struct tr_spilling *x)
{
    if (x->file)
        x->spill->touched(x->spill);
}

#ifdef __cplusplus
}
#endif
#endif
