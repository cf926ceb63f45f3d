/* SPDX-License-Identifier: MIT */
/*
 * Dumps of shaders in files and folders, by the kernel that they are about.
 *
 *     struct tr_asm_files files = { 0 };
 *     st = tr_asm_files_add(&files, "dumps", &err);
 *     ...tr_asm_files_load(&files, tr_str_of("main::{lambda(auto:1)#2}"), &text, &err)...
 *     tr_asm_files_free(&files);
 */
#ifndef TR_ASM_FILES_H
#define TR_ASM_FILES_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

struct tr_asm_file {
    char *path;
    char *kernel; /* readable */
};

struct tr_asm_files {
    struct tr_asm_file *v;
    size_t n, cap;
};

/* Add a file, or the files *.asm of a folder.  TR_OK; TR_SYSTEM; TR_NO: there is no dump of a kernel. */
enum tr_status tr_asm_files_add(struct tr_asm_files *f, const char *path, struct tr_error *err);
void tr_asm_files_free(struct tr_asm_files *f);

/*
 * Append the dump of a kernel to text.  Of several, the file with the longest name holds, and of these the last one in
 * order: compilers number the dumps of one kernel.  TR_OK; TR_NO: there is none; TR_SYSTEM.
 */
enum tr_status tr_asm_files_load(const struct tr_asm_files *f, struct tr_str kernel, struct tr_buf *text,
                                 struct tr_error *err);

/* Append a whole file to text.  TR_OK or TR_SYSTEM. */
enum tr_status tr_asm_file_text(const char *path, struct tr_buf *text, struct tr_error *err);

#endif
