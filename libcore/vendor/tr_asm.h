/* SPDX-License-Identifier: MIT */
/*
 * Dumps of shaders of Intel's graphics compiler: the instructions of a kernel, and which earlier one an instruction
 * waits for.
 *
 *     //.kernel _ZTSZ4mainEUlT_E0_
 *     // B002: Preds:{B001},  Succs:{B003}
 *     // File: /src/util.cpp
 *     // Line 50:  c[i] = a[i] + b[i];
 *             load.ugm.d32.a64 (32|M0)  r18:2  [r10:4]  {I@1,$0}          // $1
 *             add (16|M0)  r31.0<1>:f  r18.0<1;1,0>:f   {Compacted,$0.dst} // $2
 *
 * An instruction is a line that has a remark, and does not start with one.  A line may start with its address,
 * "/ * [00000010] * /" without the blanks.  If some have none, addresses are computed: an instruction has 8 bytes if it
 * is Compacted, else 16.
 *
 * A token $n names an entry of the scoreboard.  In braces, "$n" of a load, store or send sets the entry n; "$n.dst" and
 * "$n.src" wait for it, and so does "$n" of other instructions.
 */
#ifndef TR_ASM_H
#define TR_ASM_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "base/tr_str.h"

struct tr_asm_op {
    uint64_t address;
    struct tr_str text;         /* without address and indentation */
    struct tr_str file, source; /* from the remarks above it; s NULL: none */
    int64_t line;               /* -1: none */
    uint32_t block;
};

/* Operations are first to first + n - 1; preds: numbers of blocks. */
struct tr_asm_block {
    size_t first, n;
    uint32_t *preds;
    size_t n_preds, cap_preds;
};

struct tr_asm {
    struct tr_str kernel; /* as the dump names it; s NULL: it does not */
    struct tr_asm_op *ops;
    struct tr_asm_block *blocks;
    size_t n_ops, cap_ops, n_blocks, cap_blocks;
};

/* The kernel that a dump is about, without reading the rest; s NULL: it does not say. */
struct tr_str tr_asm_kernel(const char *text, size_t len);

/* Read a dump.  text is borrowed, as long as a is used.  False: out of memory.  Free a in any case. */
bool tr_asm_read(struct tr_asm *a, const char *text, size_t len);
void tr_asm_free(struct tr_asm *a);

/* The number of the operation at an address; SIZE_MAX: none. */
size_t tr_asm_at(const struct tr_asm *a, uint64_t address);

/*
 * The operations that set what operation op waits for, on all paths to it, in the order in which they are found.
 * setters: room for n_ops.  *n: how many.  False: out of memory.
 */
bool tr_asm_setters(const struct tr_asm *a, size_t op, size_t *setters, size_t *n);

/* Append a text with each run of blanks as one. */
bool tr_asm_squeeze(struct tr_buf *out, struct tr_str text);

/* Append the dump with an address before each instruction.  False: out of memory. */
bool tr_asm_annotate(struct tr_buf *out, const char *text, size_t len);

#endif
