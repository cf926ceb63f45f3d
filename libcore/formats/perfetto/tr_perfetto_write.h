/* SPDX-License-Identifier: MIT */
/*
 * Writing events as a trace of Perfetto, in its native protocol buffers: the output of tr-view -O perfetto.
 *
 * It is for viewing, and has only the data that a viewer shows; the output of tr-view -O chrome has all of the input.
 *   spans      slices on the track of their thread or stream, with category and args.  Events of one pid and tid
 *              are on one track.  A viewer draws slices of a track only nested, so one that starts in another
 *              and ends after it goes to a further track beside it, "thread 7 (2)".  Absent and suspect
 *              durations give instants; a start that never ends, a slice without end
 *   instants   in the thread; of scope p in the process, of scope g on a track "whole trace"
 *   async      slices on a separate track per id, with the args of their ends
 *   counters   one counter track per process, name, id and member; numbers in quotes count
 *   flows      belong to the innermost slice of their track then, and are left out if there is none; the end of
 *              a flow without "bp": "e" belongs to the next slice.  Arrows from a launch to each piece of its work
 *              are drawn from the launch links of the stream, not from the flow events that profilers write
 *              for the same.  bind_id with flow_in and flow_out, too
 *   tracks     processes and threads with their names, "rank 3: " before the process if there are several sources.
 *              Every lane is a thread. pid and tid are those of the input if they are 1 to 2^31-1 and free, else
 *              the next from 10^9 on; then a label "pid 0" of the process, or the name of the thread, has the
 *              input's.  Order: ranks, the host before devices, streams by number
 *   args       with their types; tts and tdur, too.  Whole numbers beyond 64 bits are doubles if one says exactly
 *              that, else texts; null, also within arrays and objects, is the text "null": importers stop at a
 *              JSON null
 *   stages     on request, device work is a GpuRenderStageEvent, too, which viewers show in their place for GPUs
 *   left out   metadata events, events without ts, ends without a start
 *   times      Unix ns if the source has a time base; all are shifted by one value if one would be below 0
 *
 * The calls are those of the writer in tr_chrome_write.h.  One thread per writer.  Memory: tracks, open slices,
 * distinct strings; about 50 bytes for each flow that has started, and for each launch with several events of work.
 * Numbers of fields: Perfetto's published trace format (TracePacket, TrackDescriptor, TrackEvent).
 */
#ifndef TR_PERFETTO_WRITE_H
#define TR_PERFETTO_WRITE_H

#include "base/tr_mem.h"
#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_perfetto_writer;

/* Extra data of a render stage that repeats a slice; the reader leaves out such stages. */
#define TR_PERFETTO_COPY_NAME  "tr-view"
#define TR_PERFETTO_COPY_VALUE "also a slice"

/*
 * A writer for the events of a dictionary, which must outlive it.  The summary, which may be NULL, has the number of
 * sources and the start of their times.  NULL: out of memory.
 */
struct tr_perfetto_writer *tr_perfetto_writer_new(const struct tr_dict *dict, const struct tr_summary *summary);
/* How much later in ns times are in the file: none may be before 0. */
int64_t tr_perfetto_writer_shift(const struct tr_perfetto_writer *w);
/* Write device work as render stages, too; before the first event. */
void tr_perfetto_writer_stages(struct tr_perfetto_writer *w);
void tr_perfetto_writer_free(struct tr_perfetto_writer *w);

/*
 * A bound on the size of the output.  Events are written twice, each time by a writer of its own: first only to
 * measure, then to keep to the budget.  Threads and streams with much to show lose their shortest spans, until each
 * takes at most as many bytes as any other.  Everything else is written, except arrows of the spans that are left out.
 *
 *     struct tr_perfetto_budget *b = tr_perfetto_budget_new();
 *     tr_perfetto_writer_budget(first, b);          before the first event; write all events, ignore the output
 *     st = tr_perfetto_budget_decide(b, max_bytes, err);
 *     tr_perfetto_writer_budget(second, b);         write all events again
 *     tr_perfetto_budget_free(b);
 */
struct tr_perfetto_budget;
struct tr_perfetto_budget *tr_perfetto_budget_new(void); /* NULL: out of memory */
void tr_perfetto_budget_free(struct tr_perfetto_budget *b);
void tr_perfetto_writer_budget(struct tr_perfetto_writer *w, struct tr_perfetto_budget *budget);
/* After the first writing.  TR_USAGE: what is not a span takes more. */
enum tr_status tr_perfetto_budget_decide(struct tr_perfetto_budget *b, uint64_t max_bytes, struct tr_error *err);
/* After the second writing: how many spans were left out, of how many; the longest of them in ns. */
uint64_t tr_perfetto_budget_left_out(const struct tr_perfetto_budget *b, uint64_t *n_spans, int64_t *longest);

/*
 * Append the events of a batch from *at on (0 starts a batch), until end or until there is enough output (about
 * TR_TEXT_CHUNK bytes); *at is set past the last one appended.  TR_OK; TR_DAMAGED if a time is out of range; TR_SYSTEM:
 * out of memory.
 */
enum tr_status tr_perfetto_batch(struct tr_perfetto_writer *w, const struct tr_batch *b, size_t *at, size_t end,
                                 struct tr_buf *out, struct tr_error *err);

/* Append the ends of the open slices.  Call it once. */
enum tr_status tr_perfetto_end(struct tr_perfetto_writer *w, struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
