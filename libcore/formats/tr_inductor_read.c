/* SPDX-License-Identifier: MIT */
/* Folders of code that inductor generated. */
#include "formats/tr_inductor_read.h"

#include "formats/tr_folder.h"
#include "io/tr_io.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE  ((size_t)64 << 20) /* bytes */
#define MAX_NAMES 1000000u           /* of a folder */
#define MAX_DEPTH 3u                 /* of folders */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder that do not start with a point, in bytewise order. */
static enum tr_status names_of(const char *path, char ***names, size_t *n, struct tr_error *err)
{
    const struct dirent *entry;
    size_t cap = 0;
    DIR *dir = opendir(path);
    bool ok = true;
    if (!dir)
        return tr_fail_sys(err, errno, "cannot open");
    while (ok && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        ok = *n < MAX_NAMES && tr_grow(names, &cap, *n + 1, sizeof **names) &&
             ((*names)[*n] = strdup(entry->d_name)) != NULL;
        *n += ok;
    }
    closedir(dir);
    if (*n)
        qsort(*names, *n, sizeof **names, by_text);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status read_code(struct tr_inductor *c, const char *path, const char *name, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(path, MAX_FILE, &text, err);
    if (st == TR_OK && !tr_inductor_read(c, tr_str_of(name), text.data ? (const char *)text.data : "", text.len))
        st = tr_fail_memory(err);
    tr_buf_free(&text);
    return st;
}

/* root: bytes of path that names of files do not have. */
static enum tr_status read_folder(struct tr_inductor *c, const char *path, size_t root, unsigned depth,
                                  struct tr_error *err)
{
    char **names = NULL;
    size_t n = 0;
    enum tr_status st = names_of(path, &names, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        size_t room = strlen(path) + strlen(names[i]) + 2, len = strlen(names[i]);
        char *inner = malloc(room);
        if (!inner) {
            st = tr_fail_memory(err);
            break;
        }
        snprintf(inner, room, "%s/%s", path, names[i]);
        if (tr_folder_is(inner))
            st = depth < MAX_DEPTH ? read_folder(c, inner, root, depth + 1, err) : TR_OK;
        else if (len > 3 && strcmp(names[i] + len - 3, ".py") == 0)
            st = read_code(c, inner, inner + root + 1, err);
        free(inner);
    }
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return st;
}

enum tr_status tr_inductor_read_folder(struct tr_inductor *c, const char *path, struct tr_error *err)
{
    enum tr_status st = read_folder(c, path, strlen(path), 1, err);
    if (st == TR_OK && !tr_inductor_count(c))
        st = tr_fail(err, TR_NO, "no kernel that inductor generated is in the folder");
    if (st != TR_OK)
        tr_error_input(err, path);
    return st;
}
