/* SPDX-License-Identifier: MIT */
/* Ideal cycles from a log or a folder. */
#include "formats/tr_ideal_read.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "formats/tr_folder.h"
#include "io/tr_io.h"
#include "json/tr_json_tok.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES   ((size_t)256 << 20)
#define MAX_KERNELS ((size_t)1 << 20)
#define MAX_CYCLES  (1ll << 53)

static enum tr_status read_text(const char *path, struct tr_buf *text, struct tr_error *err)
{
    size_t got = 0;
    int fd = tr_open_fd(path, O_RDONLY, 0);
    enum tr_status st = fd < 0 ? tr_fail_sys(err, errno, "cannot open") : TR_OK;
    while (st == TR_OK) {
        st = text->len < MAX_BYTES && tr_buf_reserve(text, 1 << 16) ? TR_OK : tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_read_full(fd, text->data + text->len, 1 << 16, &got, err);
        text->len += got;
    }
    if (fd >= 0)
        close(fd);
    return st == TR_END ? TR_OK : st;
}

/* ---- a folder ---- */

static enum tr_status no_list(struct tr_error *err)
{
    return tr_fail(err, TR_NO, "no list of ideal cycles");
}

/* Add a row for the kernel: the sum of its parts, with the category of the first part.  list: the token of the list. */
static enum tr_status add_kernel(struct tr_ideal *ideal, const char *kernel, const struct tr_json_tokens *t,
                                 const char *text, size_t list, struct tr_error *err)
{
    struct tr_str category = tr_str_of("NotAvailable");
    int64_t sum = 0;
    size_t end = tr_json_next(t, list), n = 0;
    for (size_t i = list + 1; i < end; i = tr_json_next(t, i), n++) {
        size_t cycles = t->tok[i].kind == TR_JSON_OBJECT ? tr_json_member(t, text, i, "ideal_cycles") : 0;
        size_t name = cycles ? tr_json_member(t, text, i, "op_category") : 0;
        uint64_t value = 0;
        size_t len = cycles ? (size_t)(t->tok[cycles].end - t->tok[cycles].start) : 0;
        if (!len || tr_num_digits(text + t->tok[cycles].start, len, MAX_CYCLES, &value, NULL) != len ||
            sum > MAX_CYCLES)
            return no_list(err);
        sum += (int64_t)value;
        if (!n && name)
            category = (struct tr_str){ text + t->tok[name].start, (size_t)(t->tok[name].end - t->tok[name].start) };
    }
    return tr_ideal_add(ideal, tr_str_of(kernel), category, sum) ? TR_OK : tr_fail_memory(err);
}

/* The list of a kernel, as a member of an object. */
static enum tr_status read_kernel(struct tr_ideal *ideal, const char *kernel, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    struct tr_json_tokens tokens = { 0 };
    size_t end = 0;
    unsigned defects = 0;
    enum tr_status st = tr_buf_add_str(&text, "{\"list\":") ? read_text(path, &text, err) : tr_fail_memory(err);
    if (st == TR_OK && !tr_buf_add(&text, "}", 2)) /* and a zero */
        st = tr_fail_memory(err);
    const char *s = (const char *)text.data;
    size_t len = text.len - 1;
    if (st == TR_OK && (len > TR_JSON_TOKENS_MAX || tr_json_scan(s, len, true, NULL, &end, &defects) != TR_JSON_DONE ||
                        end != len || defects))
        st = no_list(err);
    if (st == TR_OK && !tr_json_tokenize(&tokens, s, len))
        st = tokens.no_memory ? tr_fail_memory(err) : no_list(err);
    size_t list = st == TR_OK ? tr_json_member(&tokens, s, 0, "list") : 0;
    if (st == TR_OK && (!list || tokens.tok[list].kind != TR_JSON_ARRAY))
        st = no_list(err);
    if (st == TR_OK)
        st = add_kernel(ideal, kernel, &tokens, s, list, err);
    if (st != TR_OK)
        tr_error_input(err, path);
    tr_json_tokens_free(&tokens);
    tr_buf_free(&text);
    return st;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder that do not start with a point, in bytewise order. */
static enum tr_status names_of(const char *path, char ***names, size_t *n, struct tr_error *err)
{
    struct dirent *entry;
    size_t cap = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT || errno == ENOTDIR ? tr_fail(err, TR_NO, "the folder has no folder inductor-spyre")
                                                   : tr_fail_sys(err, errno, "cannot open");
    bool ok = true;
    while (ok && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        ok = *n < MAX_KERNELS && tr_grow(names, &cap, *n + 1, sizeof **names) &&
             ((*names)[*n] = strdup(entry->d_name)) != NULL;
        *n += ok;
    }
    closedir(dir);
    if (*n)
        qsort(*names, *n, sizeof **names, by_text);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status read_folder(struct tr_ideal *ideal, const char *path, struct tr_error *err)
{
    char **names = NULL, *folder = NULL;
    size_t n = 0, room = strlen(path) + 600;
    char *file = malloc(room);
    folder = malloc(room);
    enum tr_status st = file && folder && tr_ideal_start(ideal, "UNKN", false) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK) {
        snprintf(folder, room, "%s/inductor-spyre", path);
        st = names_of(folder, &names, &n, err);
    }
    size_t found = 0;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        snprintf(file, room, "%s/%s/perf/ideal_cycles.json", folder, names[i]);
        if (access(file, F_OK) == 0) {
            st = read_kernel(ideal, names[i], file, err);
            found++;
        }
    }
    if (st == TR_OK && !found)
        st = tr_fail(err, TR_NO, "the folder has no file inductor-spyre/KERNEL/perf/ideal_cycles.json");
    if (st == TR_OK)
        st = tr_ideal_end(ideal) ? TR_OK : tr_fail_memory(err);
    ideal->n_files += st == TR_OK;
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
    free(file);
    free(folder);
    return st;
}

/* ---- both ---- */

enum tr_status tr_ideal_read(struct tr_ideal *ideal, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st;
    if (tr_folder_is(path)) {
        st = read_folder(ideal, path, err);
    } else {
        st = read_text(path, &text, err);
        if (st == TR_OK)
            st = tr_ideal_log(ideal, (const char *)text.data, text.len, err);
    }
    tr_buf_free(&text);
    if (st != TR_OK)
        tr_error_input(err, path);
    return st;
}
