/* SPDX-License-Identifier: MIT */
/*
 * The roles of names: calls of a device's API, copies and waits on the device, parts of a framework.
 *
 * Other modules use roles, and not the names of a vendor.  To add a vendor, add lines to rules/names.rules.
 *
 *     if (tr_roles_of(name, len) & TR_NAMED_EVENT_RECORD)
 *         ...
 */
#ifndef TR_ROLES_H
#define TR_ROLES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits: a name may have several roles. */
enum tr_name_role {
    TR_NAMED_LAUNCH = 1 << 0,       /* a call that launches kernels */
    TR_NAMED_GRAPH_LAUNCH = 1 << 1, /* a call that launches a graph of kernels */
    TR_NAMED_LOCKED = 1 << 2, /* a call that holds a lock of the process, so that such calls wait for each other */
    TR_NAMED_SYNC = 1 << 3,   /* a call that waits for device work, of any vendor */
    TR_NAMED_SYNC_OR_QUERY = 1 << 4, /* CUDA: a call that waits for work, or checks whether it is done */
    TR_NAMED_EVENT_RECORD = 1 << 5,  /* a call that puts an event into a stream */
    TR_NAMED_STEP = 1 << 6,          /* the annotation of a step */
    TR_NAMED_AUTOGRAD = 1 << 7, /* the engine of a framework's backward pass, or a thread of it */
    TR_NAMED_AUTOGRAD_OP = 1 << 8, /* an operator of that engine */
    TR_NAMED_FORWARD = 1 << 9,     /* the forward pass */
    TR_NAMED_BACKWARD = 1 << 10,   /* the annotation of a backward pass */
    TR_NAMED_DATA_LOADING = 1 << 11, /* a span that loads the next batch of data */
    TR_NAMED_HOST_COLLECTIVE = 1 << 12, /* a collective that the host carries out */
    TR_NAMED_PROFILER = 1 << 13,          /* a span of the profiler around the events that it records */
    TR_NAMED_PROFILER_OVERHEAD = 1 << 14, /* an overhead: work of the profiler itself */
    TR_NAMED_RECOMPUTE = 1 << 15, /* its content runs a second time, because the results were not kept */
    TR_NAMED_STREAM_WAIT = 1 << 16, /* a call that makes a stream wait for an event of another */
    TR_NAMED_OPTIMIZER = 1 << 17,   /* the update of the model after a backward pass */
    TR_NAMED_BLOCKING_COPY = 1 << 18, /* a copy for whose end its call waits, or such a call */
};

/* All roles of a name, also by rules of the user (tr_dict.names; NULL: none); 0: none. */
struct tr_names;
unsigned tr_roles_of(const struct tr_names *own, const char *name, size_t len);

/* Waits that a trace shows as events of a stream. */
enum tr_device_wait {
    TR_WAIT_CONTEXT,
    TR_WAIT_STREAM,
    TR_WAIT_EVENT,
    TR_WAIT_STREAM_FOR_EVENT, /* a stream that waits for an event of another */
    TR_WAIT_NONE,
};
enum tr_device_wait tr_device_wait_of(const struct tr_names *own, const char *name, size_t len);

/*
 * The direction of a copy, by rules for its name, also those of the user; for copies of Level Zero, by the places in
 * brackets.  Places are host, device, array and peer.
 */
enum tr_copy_direction {
    TR_COPY_MEMSET,
    TR_COPY_HTOD,
    TR_COPY_DTOH,
    TR_COPY_DTOD,
    TR_COPY_PTOP,
    TR_COPY_HTOH,
    TR_COPY_HTOA,
    TR_COPY_ATOH,
    TR_COPY_ATOA,
    TR_COPY_ATOD,
    TR_COPY_DTOA,
    TR_COPY_UNKNOWN,
    TR_N_COPY_DIRECTIONS
};
unsigned tr_copy_direction(const struct tr_names *own, const char *name, size_t len);
const char *
tr_copy_direction_name(unsigned direction); /* "Memcpy HtoD"; the last: "Memcpy Unknown" */

/* Is this the category of flow events from an operator to the one that computes its gradient? */
bool tr_is_backward_flow(const char *category, size_t len);

/* Is this the name of flow events from an operator to the start of the work that it asked for? */
bool tr_is_work_flow(const char *name, size_t len);

#ifdef __cplusplus
}
#endif
#endif
