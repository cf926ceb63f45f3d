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

#include "formats/tr_open.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_text_damage {
    uint64_t n, first; /* parts that could not be decoded, and how much text came before the first of them */
    bool trailing;     /* bytes behind the last part that belong to none */
};

/* A text to read, already decompressed. */
struct tr_text_source {
    /* Like read(2): TR_OK with *got > 0, TR_END, or a failure.  TR_DAMAGED: what came is all there is. */
    enum tr_status (*read)(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err);
    void (*close)(void *ctx); /* NULL: nothing to close */
    /* What was wrong with the bytes that the text came from, asked when read has said TR_END or TR_DAMAGED.
     * NULL: with TR_DAMAGED one thing, at the end. */
    struct tr_text_damage (*damage)(void *ctx);
    void *ctx;
    const char *name; /* for messages and for the rank; valid until it is closed */
    size_t place;     /* among the inputs, from 0: the rank if nothing else tells it */
};

/*
 * Open a trace: blocks until it has been read, or, with opts->no_sort, only until its first piece can be.
 *
 * source  copied; closed when it has been read, by tr_input_close, or on failure
 *
 * Returns TR_OK; TR_DAMAGED: it holds no trace, or opts->strict and there is damage; TR_SYSTEM.
 */
enum tr_status tr_chrome_open(struct tr_input **out, const struct tr_text_source *source,
                              const struct tr_open_opts *opts, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
