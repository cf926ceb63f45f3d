/* SPDX-License-Identifier: MIT */
/*
 * Short names of kernels and functions, for people and for comparing builds: without template
 * arguments, parameters, return type and file.
 *
 *     void at::native::vectorized_elementwise_kernel<4, X>(int, X)   at::native::vectorized_elementwise_kernel
 *     at::native::(anonymous namespace)::foo<int>()                  at::native::::foo
 *     std::function<void (int)>::operator()(int) const               std::function::operator()
 *     model.py(12): forward                                          forward
 *     <built-in method run>                                          <built-in method run>
 *     gemm<float>[SIMD32 {64; 1; 1} {256; 1; 1}]                     gemm
 *     zeCommandListAppendMemoryCopy(M2D)[4096]                       zeCommandListAppendMemoryCopy(M2D)
 *
 * What unitrace adds to a name is removed first (vendor/tr_intel_name.h).
 * A name without "<" and "(" does not change, and neither does the name of a copy or memset.  In other names, pairs of
 * <> and () are removed with their contents, except those of "operator()", "operator<" and the like.  A "const" at the
 * end is removed, too.  The last word of the rest is the short name.  If nothing is left, the name does not change.
 */
#ifndef TR_SHORT_NAME_H
#define TR_SHORT_NAME_H

#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Append the short name of a name of len bytes to out.  False: out of memory. */
bool tr_short_name(const char *name, size_t len, struct tr_buf *out);

/*
 * Append the qualified name of a function: "::" and the short name, so "::sum" matches only where a part of the name
 * starts.  For a mangled C++ name, these are the namespaces and the function, as far as they are plain text in it.
 *
 *     void vllm::sum<float>(float*)   ::vllm::sum
 *     _ZN4vllm3sumIfEEvPT_            ::vllm::sum
 *
 * False: out of memory.
 */
bool tr_function_name(const char *name, size_t len, struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
