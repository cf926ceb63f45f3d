/* SPDX-License-Identifier: MIT */
/*
 * Models of operators: how many operations and bytes does a call need, by its arguments?
 *
 * A model is a section of a file of rules; tr-models(5) has its form, lang/tr_formula.h the formulas:
 *
 *     [gemm]
 *     ops = aten::mm, aten::bmm
 *     let a = dims(0)
 *     when len(a) == 2
 *     flops = 2 * a[0] * a[1] * dims(1)[1]
 *     bytes = ...
 *     spec = "matrix_" + precision(types(0))
 *     param = m, n, k
 *
 * If two files have a model for one operator, the later file counts.  A section may be a model of some of a call's
 * kernels (kernels =~), or a reason why there is no model (why =).  A formula may need values of calls of operators
 * inside the call (inside).  When all files are read, threads may share models.
 */
#ifndef TR_MODELS_H
#define TR_MODELS_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "base/tr_str.h"

#define TR_MODELS_MAX 10000u /* sections of all files */

struct tr_models;
struct tr_model;

struct tr_models *tr_models_new(void); /* NULL: out of memory */
void tr_models_free(struct tr_models *m);

/*
 * Add the sections of a file; name and text are copied.  TR_OK; TR_USAGE: err has the name as input and the line as
 * place; TR_SYSTEM.  After a failure only tr_models_free may follow.
 */
enum tr_status tr_models_read(struct tr_models *m, const char *name, const char *text, size_t len,
                              struct tr_error *err);

/*
 * Add the sections of the files that come with the library.  Their formulas are read when tr_model_apply needs them
 * first.  TR_OK or TR_SYSTEM.
 */
enum tr_status tr_models_read_builtin(struct tr_models *m, struct tr_error *err);

/* A number that differs if models do. */
uint64_t tr_models_mark(const struct tr_models *m);

/* The model of an operator; NULL: there is none. */
const struct tr_model *tr_models_find(const struct tr_models *m, struct tr_str op);

/*
 * The models of some of its kernels, the one that counts first before others; *n of them, at most TR_MODELS_PARTS.
 * What they do not take is left for the model of the operator.
 */
#define TR_MODELS_PARTS 8u
const struct tr_model *const *tr_models_parts(const struct tr_models *m, struct tr_str op, size_t *n);
/* The expression of such a model, as written, and whether a kernel is one of its kernels. */
struct tr_str tr_model_kernels(const struct tr_model *part);
bool tr_model_takes(const struct tr_model *part, struct tr_str kernel);

/* The section that says why an operator has no model; NULL: there is none. */
const struct tr_model *tr_models_why(const struct tr_models *m, struct tr_str op);

/*
 * Does a formula of any model need values of calls of an operator inside the call?  And one of the models of an
 * operator; inside NULL: of any?
 */
bool tr_models_asked(const struct tr_models *m, struct tr_str inside);
bool tr_models_ask(const struct tr_models *m, struct tr_str op, struct tr_str inside);

/* Is the model only for what a call launches itself (own =, tr-models(5))? */
bool tr_models_own(const struct tr_models *m, struct tr_str op);

/* The title of its section. */
const char *tr_model_family(const struct tr_model *model);
const char *tr_model_file(const struct tr_model *model); /* name of the file it is from */
/* Does it need the annotation of the step? */
bool tr_model_needs_step(const struct tr_model *model);
/* The lines of its section: the number of the first line in the file, from 1, and the text without its last newline. */
unsigned tr_model_line(const struct tr_model *model);
struct tr_str tr_model_text(const struct tr_model *model);

/* Arguments of a call, as in traces; no text: the trace does not have them. */
struct tr_model_args {
    struct tr_str op, dims, types, strides, concrete;
    struct tr_str step; /* the annotation of its step (tr_step_sums.h) */
    struct tr_str inside; /* calls inside it that formulas ask for, as tr_model_note_inside makes it */
};

/*
 * Append a call inside another to a text; the text of such a list of calls stays one.  False: out of memory.  At most
 * TR_MODELS_INSIDE bytes are noted; calls beyond that are left out.
 */
#define TR_MODELS_INSIDE 16384u
bool tr_model_note_inside(const struct tr_model_args *call, struct tr_buf *text);

struct tr_model_result {
    bool known;          /* the model is valid for these arguments */
    bool has_flops, has_bytes;
    double flops, bytes; /* of one call */
    char spec[32];       /* the peak that limits it: "matrix_bf16"; "": unknown */
};

/*
 * Apply a model.  Parameters are appended to params (NULL: they are dropped) as a JSON object: {"m":128,"n":64}. TR_OK
 * or TR_SYSTEM.
 */
enum tr_status tr_model_apply(const struct tr_model *model, const struct tr_model_args *args,
                              struct tr_model_result *out, struct tr_buf *params, struct tr_error *err);

/* A file that comes with the library. */
struct tr_models_builtin {
    const char *name, *text;
};
extern const struct tr_models_builtin tr_models_builtins[]; /* the last one has no name */

#endif
