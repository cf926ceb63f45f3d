/* SPDX-License-Identifier: MIT */
/*
 * Names in profiles of XLA (JAX, TensorFlow, PyTorch/XLA): of processes, of their lines, and of what is on these.  The
 * same names are in *.xplane.pb and in *.trace.json.
 *
 *     /device:GPU:0                 a device
 *         Stream #13(Compute)       device work of a GPU
 *         XLA Ops                   device work of a TPU; on a GPU derived from streams, as are Steps, XLA Modules, ...
 *     /host:CPU                     threads of the host
 *
 * Older versions of TensorFlow have a process for each stream, and one that repeats them all:
 * "/job:localhost/replica:0/task:0/device:GPU:0/stream:17", "/device:GPU:0/stream:all Compute".
 */
#ifndef TR_XLA_H
#define TR_XLA_H

#include "base/tr_str.h"
#include "stream/tr_event.h"

enum tr_xla_kind { TR_XLA_OTHER, TR_XLA_HOST, TR_XLA_GPU, TR_XLA_TPU };

struct tr_xla_process {
    enum tr_xla_kind kind;
    int64_t device;  /* TR_I64_NONE: its name does not say */
    int64_t stream;  /* of all its lines; TR_I64_NONE: lines say it */
    bool repeats;    /* it repeats what streams have */
};
/* What a process is, by its name. */
struct tr_xla_process tr_xla_process(struct tr_str name);

/* The number in "Stream #17(Kernel)"; TR_I64_NONE: the line is no stream. */
int64_t tr_xla_stream(struct tr_str line);
/* Does a line of a device have device work? */
bool tr_xla_ran(enum tr_xla_kind kind, struct tr_str line);
bool tr_xla_is_step_line(struct tr_str line);

/* What a span of a host is, and device work, by its name.  correlated, has_op: it has a correlation, an operation. */
enum tr_activity tr_xla_host_activity(struct tr_str name, bool correlated, bool has_op);
enum tr_activity tr_xla_device_activity(struct tr_str name);

#endif
