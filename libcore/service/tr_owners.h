/* SPDX-License-Identifier: MIT */
/*
 * Owners of the events of an input: the operator, module, annotation, and all other spans around each event, as
 * tr_enclosing_spans.h defines them.
 *
 *     tr_owners_watch(in, NULL, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         for (size_t i = 0; i < b->n; i++)
 *             if (tr_owner_text(in->owners, b->frame[i], TR_OWNER_OPERATOR, 0, &text, &room)) ...
 *
 * Device work has the owner of its launch, so the owner of work that comes before its launch is not known yet.  Then
 * the input holds this batch back, and those after it, until the launch has come, or cannot come any more.  Other
 * batches pass through as they are.  Everything that reads the input gets the same batches, in the same order.
 *
 * Memory: that of tr_enclosing_spans, 4 bytes for each event of a batch, and the batches that are held.  One thread at
 * a time.
 *
 * The folder service gives values for each event, which analyses and fields share.  It groups and saves nothing.
 * Central: struct tr_owners (here), struct tr_enclosing_spans.
 */
#ifndef TR_OWNERS_H
#define TR_OWNERS_H

#include "service/tr_enclosing_spans.h"
#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_owner {
    TR_OWNER_OPERATOR,
    TR_OWNER_MODULE,
    TR_OWNER_ANNOTATION,
    TR_OWNER_STACK, /* names of spans, outermost first, " > " between */
    TR_OWNER_GROUP,
};

struct tr_owners;

/*
 * Let an input find the owners of its events: from now on, its batches have frames.  Before the first batch; a second
 * call adds what it asks for.  Of columns that tr_input_want chose before, these must be among them:
 * TR_ENCLOSING_FIXED, TR_ENCLOSING_DERIVED, TR_WORK_ARROWS_KEY and the arg of groups.  The input owns the result,
 * in->owners.
 *
 * group_arg  the arg of records of collectives that names a process group; NULL: groups are not needed
 *
 * Returns TR_OK; TR_DAMAGED: the input is not in canonical order; TR_SYSTEM: out of memory.
 */
enum tr_status tr_owners_watch(struct tr_input *in, const char *group_arg, struct tr_error *err);

/*
 * The name of an owner of an event with this frame; no text: there is none.
 *
 * n     of a stack: only the innermost n spans; 0: all
 * text  in the dictionary, or in room, until the next call with that
 *
 * False: out of memory.
 */
bool tr_owner_text(const struct tr_owners *o, uint32_t frame, enum tr_owner owner, size_t n, struct tr_str *text,
                   struct tr_buf *room);

/*
 * Since the last call: device work whose launch call the input should have, but does not have.  So what is around it is
 * not known.
 */
uint64_t tr_owners_lost(struct tr_owners *o);

/* The number of frames so far: all frames of the current batch are below it, or TR_ENCLOSING_NONE. */
size_t tr_owner_frames(const struct tr_owners *o);

#ifdef __cplusplus
}
#endif
#endif
