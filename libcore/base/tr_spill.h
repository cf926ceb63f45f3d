/* SPDX-License-Identifier: MIT */
/*
 * Arrays that move to files when memory is short, for tables that a trace may make as large as it likes.
 *
 * A spill (io/tr_spill_dir.h makes one) says whether there is memory and keeps the files.  Several tables share it;
 * what they have in files stays at its address and looks like memory, and a part of it is in memory.  So tables tell
 * the spill when they are used, which is when it sends back what has come in.
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

struct tr_spill_file; /* a growing run of bytes, zero at first; either grown and used in place, or read and written */

struct tr_spill {
    bool (*take)(struct tr_spill *s, uint64_t bytes); /* memory; false: use a file */
    void (*give)(struct tr_spill *s, uint64_t bytes);
    struct tr_spill_file *(*open)(struct tr_spill *s);        /* an empty one; NULL: failed */
    void *(*grow)(struct tr_spill_file *f, uint64_t *bytes);  /* to so many at least; its address, which stays */
    bool (*read)(struct tr_spill_file *f, void *to, size_t n, uint64_t at); /* zeros where nothing was written */
    bool (*write)(struct tr_spill_file *f, const void *from, size_t n, uint64_t at);
    void (*close)(struct tr_spill_file *f);
    void (*touched)(struct tr_spill *s);
};

struct tr_spilling {
    struct tr_spill *spill;
    struct tr_spill_file *file; /* NULL: in memory */
    uint64_t held;              /* bytes taken of the spill's memory */
};

/* As tr_grow, base/tr_mem.h.  New elements of a file are zero, of memory anything.  False: no memory or disk left. */
bool tr_spilling_grow(struct tr_spilling *x, void *array, size_t *cap, size_t n_needed, size_t elem);
void tr_spilling_free(struct tr_spilling *x, void *data);

/* To be called now and then by who uses what is in a file: once for some lines of it. */
static inline void tr_spilling_touched(const struct tr_spilling *x)
{
    if (x->file)
        x->spill->touched(x->spill);
}

#ifdef __cplusplus
}
#endif
#endif
