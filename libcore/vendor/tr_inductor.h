/* SPDX-License-Identifier: MIT */
/*
 * Kernels that inductor, the compiler of PyTorch, makes of several operators: what their names say, and the code that
 * it generates.
 *
 *     triton_poi_fused_add_relu_0    kernel 0 of its graph: elementwise (poi), of add and relu
 *
 * The generated code has more: in its comments are the operators, separated, and a kernel is defined in a line of a
 * file.
 *
 *     struct tr_inductor *cache = tr_inductor_new();
 *     tr_inductor_read(cache, tr_str_of("ab/cab.py"), text, len);
 *     const struct tr_inductor_kernel *k = tr_inductor_find(cache, tr_str_of("triton_poi_fused_add_relu_0"));
 *
 * Not shared between threads.
 */
#ifndef TR_INDUCTOR_H
#define TR_INDUCTOR_H

#include "base/tr_mem.h"
#include "base/tr_str.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The names of operators in the name of a kernel, joined by _; no text: it is no such kernel. */
struct tr_str tr_inductor_fused(struct tr_str kernel);

/*
 * Append the operators of joined names, "add, relu".  An operator's name can have _ in it: of the names that start at a
 * word, it is the longest that is known.  self: of known.  False: out of memory.
 */
bool tr_inductor_split(struct tr_str joined, bool (*known)(void *self, struct tr_str name), void *self,
                       struct tr_buf *out);

struct tr_inductor;

struct tr_inductor_kernel {
    struct tr_str ops;     /* "add, relu"; no text: the code does not say */
    struct tr_str sources; /* "ab/cab.py:27", the lines that define it, with "; " between */
};

struct tr_inductor *tr_inductor_new(void); /* NULL: out of memory */
void tr_inductor_free(struct tr_inductor *c);

/* Add the kernels in a file of generated code.  name: what sources call it.  False: out of memory. */
bool tr_inductor_read(struct tr_inductor *c, struct tr_str name, const char *text, size_t len);

/* The number of kernels; a kernel by its name, NULL: the code does not have it. */
size_t tr_inductor_count(const struct tr_inductor *c);
const struct tr_inductor_kernel *tr_inductor_find(const struct tr_inductor *c, struct tr_str kernel);

#ifdef __cplusplus
}
#endif
#endif
