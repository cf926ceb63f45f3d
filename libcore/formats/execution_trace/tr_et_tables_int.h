/* SPDX-License-Identifier: MIT */
/*
 * The tables of an execution trace, which is a graph of operators without a time line: nodes, dependencies, tensors.
 *
 *     struct tr__et t = { 0 };
 *     tr__et_init(&t, TR__ET_CHAKRA, opts);
 *     tr__et_int(&t, TR__ET_ID, 7);                     a value of the node that comes next
 *     tr__et_values(&t, true, "[[8, 9, 0, 64, 4, 'cuda:0']]", 28, err);
 *     tr__et_depends(&t, 5, "data", err);
 *     tr__et_node(&t, err);                             the node is complete
 *     tr__et_give(&t, g, err);                          at the end
 *
 * The tables stay in memory, so they are refused if they need more than -M.  Internal to libcore.
 */
#ifndef TR_ET_TABLES_INT_H
#define TR_ET_TABLES_INT_H

#include "ingest/tr_ingest.h"

enum { TR__ET_PYTORCH = 1, TR__ET_CHAKRA = 2 }; /* forms, as bits */

/* Columns of the table nodes.  Those from rf_id on have the names of attributes. */
enum tr__et_column {
    TR__ET_ID, TR__ET_NAME, TR__ET_KIND, TR__ET_IS_CPU_OP, TR__ET_PARENT, TR__ET_START, TR__ET_DUR, TR__ET_SELF,
    TR__ET_RF_ID, TR__ET_FW_PARENT, TR__ET_SEQ_ID, TR__ET_SCOPE, TR__ET_TID, TR__ET_FW_TID, TR__ET_OP_SCHEMA,
    TR__ET_STREAM, TR__ET_COLLECTIVE, TR__ET_DTYPE, TR__ET_IN_NELEMS, TR__ET_OUT_NELEMS, TR__ET_IN_SPLIT,
    TR__ET_OUT_SPLIT, TR__ET_PG_NAME, TR__ET_PG_DESC, TR__ET_PG_SIZE, TR__ET_RANK_START, TR__ET_RANK_STRIDE,
    TR__ET_BACKEND, TR__ET_FILE, TR__ET_COMM_TYPE, TR__ET_COMM_SIZE, TR__ET_COMM_SRC, TR__ET_COMM_DST,
    TR__ET_COMM_TAG, TR__ET_COMM_PRIORITY, TR__ET_NUM_OPS, TR__ET_TENSOR_SIZE, TR__ET_INVOLVED_DIM,
    TR__ET_IN_VALUES, TR__ET_IN_SHAPES, TR__ET_IN_TYPES, TR__ET_OUT_VALUES, TR__ET_OUT_SHAPES, TR__ET_OUT_TYPES,
    TR__ET_ATTRS, /* those of other names */
    TR__ET_N_COLUMNS
};
/* The column of an attribute; TR__ET_N_COLUMNS: none has its name. */
enum tr__et_column tr__et_attribute(unsigned form, struct tr_str name);
unsigned tr__et_type(enum tr__et_column c); /* TR_T_INT, TR_T_UINT, TR_T_STRING or TR_SIDE_BOOL */

/* A tensor that a node reads or writes. */
struct tr__et_use {
    uint64_t tensor, storage, node, from; /* from: the node that made it */
    bool out, made;                       /* made: from is known */
};

/* Zero-initialise. */
struct tr__et {
    unsigned form;
    size_t limit; /* bytes of all tables */
    struct tr_side_table *nodes, *dependencies, *tensors;
    struct tr_side_value values[TR__ET_N_COLUMNS]; /* of the node that comes next */
    struct tr_buf texts;                           /* of these */
    size_t text_at[TR__ET_N_COLUMNS];
    struct tr_buf depends;                         /* on what it depends, as rows of numbers and kinds */
    struct tr__et_use *uses;
    size_t n_uses, cap_uses, of_node; /* of_node: the first use of the next node */
};

bool tr__et_init(struct tr__et *t, unsigned form, const struct tr_open_opts *opts); /* false: out of memory */
void tr__et_free(struct tr__et *t);

/* Values of the next node.  False: out of memory. */
void tr__et_int(struct tr__et *t, enum tr__et_column c, int64_t v); /* also of TR_T_UINT and of TR_SIDE_BOOL */
bool tr__et_text(struct tr__et *t, enum tr__et_column c, const char *text, size_t len);
bool tr__et_has(const struct tr__et *t, enum tr__et_column c);
struct tr_str tr__et_text_of(const struct tr__et *t, enum tr__et_column c);

/* It depends on another node; kind: static text. */
bool tr__et_depends(struct tr__et *t, uint64_t on, const char *kind);
/*
 * It reads or writes these values, which are text of JSON or of Python.  Tensors in them are lists of six: five numbers
 * and the name of a device.
 */
bool tr__et_values(struct tr__et *t, bool out, const char *text, size_t len);

/* The node is complete.  TR_OK; TR_SYSTEM: out of memory, or more than -M. */
enum tr_status tr__et_node(struct tr__et *t, struct tr_error *err);
/* Forget the values of a node that cannot be read. */
void tr__et_drop(struct tr__et *t);

/*
 * Find who made the inputs, in the form of PyTorch, and give the tables to the source.  TR_OK; TR_SYSTEM.
 */
enum tr_status tr__et_give(struct tr__et *t, struct tr_ingest *g, struct tr_error *err);

/* The rank in a name such as NAME.3.et, NAME_3.json or rank3.json; -1: none. */
int64_t tr__et_rank(const char *path);

#endif
