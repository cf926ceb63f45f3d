/*
 * Reader of the Trace Event Format ("Chrome JSON") and its dialects: Kineto, rocprof, unitrace, Flex.
 *
 * Reads one or several files into one input in canonical order.  The text is cut into pieces of some
 * megabytes that threads read side by side; each piece gives a sorted run of rows, and runs are merged.
 * What needs all of a file (ranks, time bases, launches, steps, the summary) is known before the first
 * batch.  Memory is bounded by max_memory_bytes plus the distinct strings; beyond it runs go to
 * temporary files.
 *
 * Damage is mended or skipped event by event, counted by cause (tr_summary.h); with strict it is an error.
 */
#ifndef TR_CHROME_H
#define TR_CHROME_H

#include "formats/tr_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One file to read: its text, already decompressed. */
struct tr_text_source {
    /* Like read(2): TR_OK with *got > 0, TR_END, or a failure.  TR_DAMAGED: what came is all there is. */
    enum tr_status (*read)(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err);
    void *ctx;
    const char *name; /* for messages and for the rank */
    size_t place;     /* among the inputs, from 0: the rank if nothing else tells it */
};

/* Opens text source number i, and closes it when it has been read. */
struct tr_text_sources {
    enum tr_status (*open)(void *ctx, size_t i, struct tr_text_source *out, struct tr_error *err);
    void (*close)(void *ctx, size_t i, struct tr_text_source *source);
    void *ctx;
    size_t n;
};

/*
 * Read all sources.  Blocks until they are read; then the input gives batches.
 *
 * Returns TR_OK; TR_DAMAGED: an input holds no trace, or opts->strict and there is damage; TR_SYSTEM.
 */
enum tr_status tr_chrome_open(struct tr_input **out, const struct tr_text_sources *sources,
                              const struct tr_open_opts *opts, struct tr_error *err);

enum tr_status tr_chrome_open_tuned(struct tr_input **out, const struct tr_text_sources *sources,
                                    const struct tr_open_opts *opts, const struct tr_tuning *tuning,
                                    struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
