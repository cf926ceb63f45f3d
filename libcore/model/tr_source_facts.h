/* SPDX-License-Identifier: MIT */
/*
 * What a trace says of the job that it is a part of.
 *
 * The profiler of PyTorch writes two members beside the events: deviceProperties, a list of objects with the "name" of
 * each device of the host ("NVIDIA H100 80GB HBM3"), and distributedInfo, an object with the "world_size" of the job.
 * Other formats have neither.
 */
#ifndef TR_SOURCE_FACTS_H
#define TR_SOURCE_FACTS_H

#include "base/tr_str.h"
#include "stream/tr_dict.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first name of a device; empty: there is none.  Borrowed from the dictionary. */
struct tr_str tr_source_device_name(const struct tr_dict *dict, const struct tr_source *source);

/* The number of ranks of the job; 0: not known. */
int64_t tr_source_world_size(const struct tr_dict *dict, const struct tr_source *source);

/*
 * Set the members of a source to those two facts of another one, as they are needed by the functions above.  Their
 * texts are added to the strings of to; room holds the members until the source is added to a dictionary.  False: out
 * of memory.
 */
#define TR_SOURCE_FACTS 2
bool tr_source_facts_keep(struct tr_dict *to, struct tr_source *source, uint32_t room[2 * TR_SOURCE_FACTS],
                          const struct tr_dict *from, const struct tr_source *of);

#ifdef __cplusplus
}
#endif

#endif
