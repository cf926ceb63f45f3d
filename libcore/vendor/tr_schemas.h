/* SPDX-License-Identifier: MIT */
/*
 * Schemas of operators, and calls that are bound to them.
 *
 * A schema has the names and types of an operator's arguments.  With it, the arguments that a trace shows become a call
 * that can be made again: tensors with shapes, strides and types, and values.  tr-replay(1) has the form of the files:
 *
 *     aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor
 *         index < self[dim]
 *
 * Of several schemas for one operator, the first that fits counts; those of a later file come first.  Not shared
 * between threads.
 */
#ifndef TR_SCHEMAS_H
#define TR_SCHEMAS_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "lang/tr_value.h"
#include "vendor/tr_models.h"

#define TR_SCHEMAS_MAX     20000u /* of all files */
#define TR_SCHEMA_MAX_ARGS 64u

enum tr_schema_kind {
    TR_SCHEMA_TENSOR,
    TR_SCHEMA_TENSORS, /* a list of tensors */
    TR_SCHEMA_NUMBER,  /* whole, real or a truth value */
    TR_SCHEMA_REAL,
    TR_SCHEMA_INT,
    TR_SCHEMA_BOOL,
    TR_SCHEMA_TEXT,
    TR_SCHEMA_DTYPE,  /* numbers of types, layouts and memory formats */
    TR_SCHEMA_LAYOUT,
    TR_SCHEMA_FORMAT,
    TR_SCHEMA_OTHER,  /* devices, generators: never in traces */
};

struct tr_schema_arg {
    struct tr_str name, type; /* type as in the file: "Tensor(a!)", "int[1]?" */
    enum tr_schema_kind kind; /* of an item, if it is a list */
    bool list, optional, keyword, written;
    struct tr_value preset; /* the default; has_preset false: none */
    bool has_preset;
    /* Whole numbers in a tensor are below this; below.s NULL: nothing is known. */
    struct tr_str below, dim; /* an argument; its dimension, a number or an argument (dim.s NULL: its own value) */
};

struct tr_schema {
    struct tr_str op, overload; /* "aten::add", "Tensor"; overload "": it has none */
    struct tr_schema_arg *args;
    size_t n;
    const char *file;
    unsigned line;
    const struct tr_schema *next; /* of the same operator */
};

struct tr_schemas;

struct tr_schemas *tr_schemas_new(void); /* NULL: out of memory */
void tr_schemas_free(struct tr_schemas *s);

/*
 * Add the schemas of a file; name and text are copied.  TR_OK; TR_USAGE: err has the name as input and the line as
 * place; TR_SYSTEM.  After a failure only tr_schemas_free may follow.
 */
enum tr_status tr_schemas_read(struct tr_schemas *s, const char *name, const char *text, size_t len,
                               struct tr_error *err);

/* The first schema of an operator; NULL: there is none. */
const struct tr_schema *tr_schemas_find(const struct tr_schemas *s, struct tr_str op);

/* The file that comes with the library. */
extern const char tr_schemas_builtin[];

/* ---- calls ---- */

/* Why a call cannot be made again. */
enum tr_refusal {
    TR_REFUSED_NOT,
    TR_REFUSED_NO_SCHEMA,
    TR_REFUSED_NO_ARGS,   /* the trace has no types of arguments */
    TR_REFUSED_MISFIT,    /* no schema has such arguments */
    TR_REFUSED_LIST,      /* a list of tensors: traces do not have the types of its items */
    TR_REFUSED_VALUE,     /* a value that traces do not have */
    TR_REFUSED_SHAPE,     /* a shape or strides that are impossible */
    TR_REFUSED_SIZE,      /* larger than any memory, or too many arguments */
    TR_N_REFUSALS
};
const char *tr_refusal_text(enum tr_refusal why);

/* Contents of a tensor. */
enum tr_tensor_init {
    TR_INIT_NONE,   /* it is only written */
    TR_INIT_NORMAL, /* real and complex numbers */
    TR_INIT_ONES,   /* whole numbers */
    TR_INIT_BOOL,   /* true and false */
    TR_INIT_INDEX,  /* whole numbers from 0, less than `below' */
};
const char *tr_tensor_init_name(enum tr_tensor_init init); /* NULL for TR_INIT_NONE */

struct tr_bound_arg {
    const struct tr_schema_arg *arg;
    bool tensor;
    bool assumed;           /* the default: the trace does not have the value */
    struct tr_value value;  /* else; absent: None */
    struct tr_str dtype;    /* as in the trace */
    const char *torch;      /* its name in Python: "bfloat16" */
    struct tr_value shape, strides; /* lists of whole numbers from 0 */
    enum tr_tensor_init init;
    int64_t below; /* of TR_INIT_INDEX */
    bool host;     /* a number that PyTorch made a tensor of: in memory of the host */
};

struct tr_bound {
    enum tr_refusal refused;
    const struct tr_schema *schema; /* NULL: refused */
    struct tr_bound_arg *args;
    size_t n;
    bool assumed; /* one of them is */
};

/* Bind a call.  The result is in the arena, and borrows from the schemas.  TR_OK, also if it is refused; TR_SYSTEM. */
enum tr_status tr_schemas_bind(const struct tr_schemas *s, const struct tr_model_args *call, struct tr_arena *arena,
                               struct tr_bound *out, struct tr_error *err);

#endif
