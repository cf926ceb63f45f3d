/* SPDX-License-Identifier: MIT */
/*
 * Names of kernels out of mangled ones, as far as compilers of SYCL make them: names of types and of functions by the
 * Itanium C++ ABI, with namespaces, lambdas, templates with types and integers, and functions around them.
 *
 *     _ZTSZ4mainEUlT_E0_     main::{lambda(auto:1)#2}
 *     _ZTS4scanIiLi32EE      scan<int, 32>
 *
 * Types of functions, arrays and members, expressions, and operators other than () are not known: such a name stays as
 * it is.
 */
#ifndef TR_DEMANGLE_H
#define TR_DEMANGLE_H

#include "base/tr_mem.h"
#include "base/tr_str.h"

/*
 * Append the readable form of a name to out: of _ZTS..., the name of the type without "typeinfo name for ".
 * False: it is not mangled, not known, or memory ran out; out is as before.
 */
bool tr_demangle(struct tr_str mangled, struct tr_buf *out);

#endif
