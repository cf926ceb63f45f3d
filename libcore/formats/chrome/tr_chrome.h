/*
 * Reader of the Trace Event Format ("Chrome JSON") and its dialects: Kineto, rocprof, unitrace, Flex.
 *
 * Reads a file into an input in canonical order.  The text is cut into pieces of some
 * megabytes that threads read side by side; each piece gives a sorted run of rows, and runs are merged.
 * What needs all of the file (rank, time base, launches, steps, the summary) is known before the first
 * batch.  Memory is bounded by max_memory_bytes plus the distinct strings; beyond it runs go to
 * temporary files.
 *
 * Damage is mended or skipped event by event, counted by cause (tr_summary.h); with strict it is an error.
 */
#ifndef TR_CHROME_H
#define TR_CHROME_H

#include "ingest/tr_ingest.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Open a trace: blocks until it has been read, or, with opts->no_sort, only until its first piece can be.
 *
 * bytes  copied; closed when it has been read, by tr_input_close, or on failure
 *
 * Returns TR_OK; TR_DAMAGED: it holds no trace, or opts->strict and there is damage; TR_SYSTEM.
 */
enum tr_status tr_chrome_open(struct tr_input **out, const struct tr_ingest_bytes *bytes,
                              const struct tr_open_opts *opts, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
