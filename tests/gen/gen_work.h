/* SPDX-License-Identifier: MIT */
/*
 * Inside the simulation: what a step is made of.  All functions advance the thread's time and draw
 * from the rank's random numbers, the same draws whether or not the run is only planning.
 */
#ifndef GEN_WORK_H
#define GEN_WORK_H

#include "gen.h"

/* An event at the end of a list; open and close: a span on a thread, from now to then.  The
 * pointers hold until the next event is listed. */
struct gen_ev *gen_work_add(struct gen_job *j, int list, enum gen_type type, int lane, int64_t ts);
struct gen_ev *gen_work_open(struct gen_job *j, struct gen_thread *t, enum gen_type type,
                             const char *name);
struct gen_ev *gen_work_close(struct gen_job *j, struct gen_thread *t);

/* The External id of the span that is open on the thread, 0: none. */
uint64_t gen_work_ext(const struct gen_job *j, const struct gen_thread *t);

/* A Python frame on the main thread; num: a module's number, -1: none. */
void gen_work_frame(struct gen_job *j, struct gen_rank *r, const char *name, int num);
void gen_work_frame_end(struct gen_job *j, struct gen_rank *r);

/* A user annotation; on_device: repeated on each stream that got work under it. */
void gen_work_annot(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name);
void gen_work_annot_end(struct gen_job *j, struct gen_rank *r, struct gen_thread *t,
                        bool on_device);

/* Device work, its flow, and the call that launched it, listed in this order as Kineto does. */
struct gen_ev *gen_work_device(struct gen_job *j, enum gen_type type, int lane, int64_t ts,
                               int64_t dur, uint64_t link, uint64_t ext);
void gen_work_flow(struct gen_job *j, int list, int lane, int64_t ts, char ph, uint64_t id,
                   uint64_t link, int flags);
void gen_work_call(struct gen_job *j, struct gen_thread *t, const char *name, int cb, int64_t ts,
                   int64_t dur, uint64_t id, bool launch, const struct gen_kernel *k);

/* A runtime call without device work. */
void gen_work_misc(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name,
                   int cb);
/* A launch with n kernels; n > 1: of a graph. */
void gen_work_launch(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane,
                     int kernel, int n);
/* A copy (kind 0 HtoD, 1 DtoH, 2 DtoD) or a memset (3); returns when it ends on the device. */
int64_t gen_work_copy(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane,
                      int kind, int64_t bytes);
/* Run a tree of operators. */
void gen_work_tree(struct gen_job *j, struct gen_rank *r, struct gen_thread *t,
                   const struct gen_tree *tree, int layer);

#endif
