/* SPDX-License-Identifier: MIT */
/*
 * Vendor vocabulary: which category string of a trace means which activity.
 *
 * Categories of profilers are in rules/names.rules, and names that need more than a rule in tr_vocab.c.  Everything
 * after the readers uses activities.
 * Source: category names as the profilers write them (Kineto, rocprof).
 *
 * The folder vendor has all names that vendors use.  Central: enum tr_vocab_name (here), struct tr_models, struct
 * tr_peaks, struct tr_schemas, struct tr_ideal.
 */
#ifndef TR_VOCAB_H
#define TR_VOCAB_H

#include "stream/tr_event.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The activity of a category, before names are considered; TR_ACT_OTHER for unknown categories. */
enum tr_activity tr_vocab_category(const char *cat, size_t len);

/* Names that refine the activity of their category. */
enum tr_vocab_name {
    TR_NAME_PLAIN = 0,
    TR_NAME_COMM_RECORD,    /* cpu_op that describes a collective */
    TR_NAME_MEMORY_INSTANT, /* [memory] */
    TR_NAME_STEP,           /* ProfilerStep#n */
    TR_NAME_INFERENCE_STEP, /* tr_step_sums.h */
    TR_NAME_DEVICE_COPY,    /* device work that is a copy, with any category */
    TR_NAME_DEVICE_MEMSET,
    TR_NAME_STAMPED_WAIT, /* "... Cmpt Prep" of IBM's AIU: with cycle stamps, the wait of a request for its turn */
    TR_NAME_STAMPED_COPY, /* "... DmaI", "... DmaO" of IBM's AIU: with cycle stamps, a copy; not those between ranks */
    TR_NAME_INTEL_CALL, /* a call of Level Zero or OpenCL; on a device, a command that waits: a barrier, an event */
    TR_NAME_INTEL_COPY, /* a call that copies, and the copy on the device */
    TR_NAME_INTEL_MEMSET,
    TR_NAME_RUNTIME_CALL, /* a call of SYCL's runtime, or of MPI's management */
    TR_NAME_HOST_COMM,    /* a call of MPI that moves data or waits for others, a task of oneCCL */
    TR_NAME_WAIT_CALL,      /* aiuScheduleWait: a call with the correlation of work it waits for and did not launch */
    TR_NAME_PROCESS_NAME,   /* metadata names */
    TR_NAME_PROCESS_LABELS,
    TR_NAME_PROCESS_SORT,
    TR_NAME_THREAD_NAME,
    TR_NAME_THREAD_SORT,
};

/* Classify a name; *step is set for TR_NAME_STEP. */
enum tr_vocab_name tr_vocab_name(const char *name, size_t len, int64_t *step);

/* The activity of an event from its category's activity, its name's class and its phase. */
enum tr_activity tr_vocab_activity(enum tr_activity of_category, enum tr_vocab_name name,
                                   enum tr_phase phase);

/*
 * The activity of a span without a category whose args have the cycle stamps of a device (IBM's AIU).  It is a kernel,
 * a copy by its name, or TR_ACT_OTHER for the wait of a request, which is not work.
 */
enum tr_activity tr_vocab_stamped(enum tr_vocab_name name);

/* Is the activity on a track of a device? */
static inline int tr_vocab_on_device(unsigned activity)
{
    return (activity >= TR_ACT_KERNEL && activity <= TR_ACT_DEVICE_ANNOTATION);
}

/*
 * The stream of an event on a device that has only a thread number: that number.  Waits for a stream may have a
 * separate thread number, 1,000,000 above it.
 */
int64_t tr_vocab_stream_of_thread(enum tr_activity activity, int64_t tid);

/* Is this the category of flow events from launches to device work? */
bool tr_vocab_launch_flow(const char *cat, size_t len);

/* What an arrow of unitrace joins. */
enum tr_vocab_arrow {
    TR_ARROW_NONE,     /* not such an arrow */
    TR_ARROW_TO_WORK,  /* from the call to its work: "Flow_H2D_1_0" */
    TR_ARROW_FROM_WORK /* from the work to the call that waits for it: "Flow_D2H_1_0" */
};

/*
 * Does this category name one arrow of unitrace: of which sort, and the number of the work and the rank?  Numbers of
 * OpenCL's work are counted apart from those of Level Zero, so that *rank differs.  In the category of several arrows,
 * as in "Flow_H2D_*_0", a * stands in place of the number of the work, and *work is TR_I64_NONE.
 */
enum tr_vocab_arrow tr_vocab_arrow(const char *cat, size_t len, int64_t *work, int64_t *rank);

/*
 * Where the number of the work is in the category of one arrow: *at is its first digit, *n the number of digits.
 * False: it is no such category, or the integer would not give back the same digits.
 */
bool tr_vocab_arrow_digits(const char *cat, size_t len, size_t *at, size_t *n);

/* Is this a category whose calls and work have no correlation, but such arrows between their starts? */
bool tr_vocab_has_arrows(const char *cat, size_t len);

/* Is this name that of work on one tile of a device?  No arrow leads to it. */
bool tr_vocab_of_tile(const char *name, size_t len);

/* Is this name that of a call of MPI that returns when its operation is done, as MPI_Barrier but not MPI_Ibarrier? */
bool tr_vocab_blocking_mpi(const char *name, size_t len);

/* Is this the name of a process or thread as writers of traces name devices and their streams: "GPU 0", "Stream 7"? */
bool tr_vocab_like_device(const char *name, size_t len);

/* The phase that a "ph" letter means. */
enum tr_phase tr_vocab_phase(char ph);
char tr_vocab_letter(enum tr_phase phase); /* the letter for a phase */

#ifdef __cplusplus
}
#endif
#endif
