/* SPDX-License-Identifier: MIT */
/*
 * The filter language: an expression over the fields of an event, compiled once and then applied to
 * whole batches, column by column (tr-expr(7)).
 *
 *     struct tr_expr *e;
 *     if (tr_expr_compile(&e, "activity == kernel && dur > 50us", &err) != TR_OK)
 *         ...err.what has the reason, err.place the place; tr_expr_caret shows it
 *     tr_expr_bind(e, in, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         if ((st = tr_expr_eval(e, b, mask, &err)) != TR_OK)
 *             break;
 *
 * Only the columns that the expression names are read.  A test on text is made once per distinct string, a test on a
 * track once per track; each result is kept in one byte.
 *
 * An expression has state: these results and, for depth, the open spans.  What is around an event is found by the input
 * (service/tr_owners.h).  So only one thread may use it, for one stream
 * at a time, and it gets each batch of the stream once, in order.
 */
#ifndef TR_EXPR_H
#define TR_EXPR_H

#include "base/tr_mem.h"
#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_EXPR_MAX_LEN   (1u << 20) /* bytes of text */
#define TR_EXPR_MAX_DEPTH 200u       /* parentheses in parentheses */

struct tr_expr;

/*
 * Compile an expression.
 *
 * out   set on TR_OK, NULL otherwise; to be released with tr_expr_free
 * text  the expression; not needed afterwards
 *
 * Returns TR_OK; TR_USAGE if the text is not an expression: err->what has the reason and err->place the place, as
 * "column 7" or "line 2, column 7" (bytes, from 1); TR_SYSTEM when memory ran out.
 */
enum tr_status tr_expr_compile(struct tr_expr **out, const char *text, struct tr_error *err);
void tr_expr_free(struct tr_expr *e);

/*
 * Show the place of an error that tr_expr_compile reported: the line of the expression and below it
 * a caret, each indented by two blanks and ended by a newline, appended to out.  A long line is cut to the part around
 * the place.  Nothing is appended when err has no such place.
 *
 * Returns false: out of memory.
 */
bool tr_expr_caret(const char *text, const struct tr_error *err, struct tr_buf *out);

/*
 * Prepare for a stream, and forget the one before.  Call it before the first tr_expr_eval.
 *
 * in  its summary may be NULL if the expression does not use step; must outlive the use of the expression.  From now
 *     on, it finds the owners of events, if the expression uses them
 *
 * Returns TR_OK; TR_DAMAGED if the expression needs order or summary and the stream is unsorted;
 * TR_SYSTEM when memory ran out.
 */
enum tr_status tr_expr_bind(struct tr_expr *e, struct tr_input *in, struct tr_error *err);

/*
 * Which events of a batch of the bound input satisfy the expression: mask[i] becomes 1 or 0 for each of its b->n
 * events.
 *
 * Returns TR_OK; TR_DAMAGED if a column has fewer entries than the shapes ask for; TR_SYSTEM.
 */
enum tr_status tr_expr_eval(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                            struct tr_error *err);

/* The same, but it only clears: mask has 1 or 0, and an entry stays 1 if the event satisfies the expression. */
enum tr_status tr_expr_narrow(struct tr_expr *e, const struct tr_batch *b, uint8_t *mask,
                              struct tr_error *err);

/* The answer of an expression for all events of a source, if its rank and host decide it. */
enum tr_expr_of_source { TR_EXPR_NO_EVENT, TR_EXPR_SOME_EVENTS, TR_EXPR_EACH_EVENT };

/*
 * Does the rank or host of a source decide that none, or all, of its events satisfy the expression?
 * The ranks of an unsorted stream are known only at its end.
 */
enum tr_expr_of_source tr_expr_source(struct tr_expr *e, uint32_t source);

/*
 * Why does an expression select nothing?  At the end of a stream for which it is bound: the first name or step that it
 * asks for and that no input has is appended to why, as "no input has the name 'x'"; nothing, if there is none.
 *
 * summary  of the stream; NULL: steps are not looked for
 *
 * Returns false: out of memory.
 */
bool tr_expr_absent(const struct tr_expr *e, const struct tr_summary *summary, struct tr_buf *why);

/* The columns that an expression reads; a reader may leave out all others. */
struct tr_expr_needs {
    struct tr_projection want; /* columns; keys is owned by the expression */
    bool order;          /* the stream must be in canonical order: step, depth, owners */
    bool all_order;      /* also between ranks: owners */
    bool summary;        /* the summary is needed: step */
};

/* Valid after the expression was compiled; owned by it. */
const struct tr_expr_needs *tr_expr_needs(const struct tr_expr *e);

#ifdef __cplusplus
}
#endif
#endif
