/* What tr_cond.c and tr_cond_parse.c share. */
#ifndef TR_COND_INT_H
#define TR_COND_INT_H

#include "expr/tr_cond.h"

#include <regex.h>
#include <stdint.h>

enum tr__cond_op {
    TR__COND_EQ,
    TR__COND_NE,
    TR__COND_LT,
    TR__COND_LE,
    TR__COND_GT,
    TR__COND_GE,
    TR__COND_MATCH,
    TR__COND_NO_MATCH
};

enum tr__cond_kind { TR__COND_IS_NUMBER, TR__COND_IS_TEXT, TR__COND_IS_REGEX };

struct tr__cond_leaf {
    size_t var;
    enum tr__cond_kind kind;
    enum tr__cond_op op;
    double number;
    char *text; /* owned */
    regex_t re; /* TR__COND_IS_REGEX */
};

enum tr__cond_join { TR__COND_LEAF, TR__COND_NOT, TR__COND_AND, TR__COND_OR };

struct tr__cond_node {
    enum tr__cond_join join;
    uint32_t a, b; /* nodes; of a leaf: its number */
};

struct tr_cond {
    struct tr__cond_leaf *leaves;
    struct tr__cond_node *nodes;
    size_t n_leaves, cap_leaves, n_nodes, cap_nodes;
    uint32_t root;
    bool no_memory;
};

#endif
