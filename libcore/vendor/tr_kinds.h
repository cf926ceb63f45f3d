/*
 * Kinds of device work: compute, communication, memory, other.
 *
 * Copies and fills are memory by their activity; a kernel is judged by its name, first rule that fits.
 * Definition: tr-breakdown(1), "Kinds".
 */
#ifndef TR_KINDS_H
#define TR_KINDS_H

#include "stream/tr_event.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind that a kernel of this name is. */
enum tr_kind tr_kind_of_kernel(const char *name, size_t len);

#ifdef __cplusplus
}
#endif
#endif
