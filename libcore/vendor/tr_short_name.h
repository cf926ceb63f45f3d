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
 *
 * A name without "<" and "(" and the name of a copy or fill stay as they are.  Else pairs of <> and ()
 * go with what they hold, but for those that are part of "operator()", "operator<" and the like, and
 * so does a "const" at the end; of what is left, the last word is the short name.  Where nothing would
 * be left, the name stays whole.
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
 * Append the qualified name of a function: "::" and the short name, so that "::sum" is where a part of it
 * begins.  Of a name that C++ has mangled, namespaces and function as far as they stand there in the clear.
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
