/* SPDX-License-Identifier: MIT */
/* Dumps of shaders in files and folders. */
#include "formats/tr_asm_files.h"

#include "formats/tr_folder.h"
#include "io/tr_io.h"
#include "vendor/tr_asm.h"
#include "vendor/tr_demangle.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)256 << 20) /* of a dump */

enum tr_status tr_asm_file_text(const char *path, struct tr_buf *text, struct tr_error *err)
{
    return tr_read_file(path, MAX_BYTES, text, err);
}

/* Add a file if it is about a kernel. */
static enum tr_status add_file(struct tr_asm_files *f, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 }, name = { 0 };
    enum tr_status st = tr_asm_file_text(path, &text, err);
    struct tr_str kernel = { NULL, 0 };
    if (st == TR_OK)
        kernel = tr_asm_kernel(text.data ? (const char *)text.data : "", text.len);
    if (kernel.s) {
        bool ok = (tr_demangle(kernel, &name) || tr_buf_add_text(&name, kernel)) && tr_buf_add(&name, "", 1) &&
                  tr_grow(&f->v, &f->cap, f->n + 1, sizeof *f->v);
        char *copy = ok ? malloc(strlen(path) + 1) : NULL;
        if (copy) {
            memcpy(copy, path, strlen(path) + 1);
            f->v[f->n++] = (struct tr_asm_file){ copy, (char *)name.data };
            name = (struct tr_buf){ 0 };
        } else {
            st = tr_fail_memory(err);
        }
    }
    tr_buf_free(&text);
    tr_buf_free(&name);
    return st;
}

static bool is_dump(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".asm") == 0 && name[0] != '.';
}

static enum tr_status add_folder(struct tr_asm_files *f, const char *path, struct tr_error *err)
{
    struct tr_buf whole = { 0 };
    DIR *dir = opendir(path);
    enum tr_status st = dir ? TR_OK : tr_fail_sys(err, errno, "cannot open");
    while (st == TR_OK) {
        errno = 0;
        const struct dirent *e = readdir(dir);
        if (!e) {
            st = errno ? tr_fail_sys(err, errno, "cannot read") : TR_END;
        } else if (is_dump(e->d_name)) {
            whole.len = 0;
            bool ok = tr_buf_add_str(&whole, path) && tr_buf_add_str(&whole, "/") &&
                      tr_buf_add(&whole, e->d_name, strlen(e->d_name) + 1);
            st = ok ? add_file(f, (const char *)whole.data, err) : tr_fail_memory(err);
        }
    }
    if (dir)
        closedir(dir);
    tr_buf_free(&whole);
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr_asm_files_add(struct tr_asm_files *f, const char *path, struct tr_error *err)
{
    size_t before = f->n;
    enum tr_status st = tr_folder_is(path) ? add_folder(f, path, err) : add_file(f, path, err);
    if (st == TR_OK && f->n == before)
        st = tr_fail(err, TR_NO, "no dump of a kernel: no line begins with //.kernel");
    if (st != TR_OK)
        tr_error_input(err, path);
    return st;
}

void tr_asm_files_free(struct tr_asm_files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->v[i].path);
        free(f->v[i].kernel);
    }
    free(f->v);
    *f = (struct tr_asm_files){ .n = 0 };
}

static bool before(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    return n != m ? n < m : strcmp(a, b) < 0;
}

enum tr_status tr_asm_files_load(const struct tr_asm_files *f, struct tr_str kernel, struct tr_buf *text,
                                 struct tr_error *err)
{
    const char *best = NULL;
    for (size_t i = 0; i < f->n; i++)
        if (tr_str_is(kernel, f->v[i].kernel) && (!best || before(best, f->v[i].path)))
            best = f->v[i].path;
    return best ? tr_asm_file_text(best, text, err) : TR_NO;
}
