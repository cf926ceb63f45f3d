/* SPDX-License-Identifier: MIT */
/* Rules, models, schemas and peaks, built in or from files. */
#include "formats/tr_model_files.h"

#include "formats/tr_peaks_json.h"
#include "formats/tr_rules_json.h"
#include "io/tr_io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX  ((size_t)16 << 20) /* bytes of a file of models, schemas or peaks */
#define RULES_MAX ((size_t)64 << 20) /* bytes of a file of rules */

static const char *text_of(const struct tr_buf *b)
{
    return b->data ? (const char *)b->data : "";
}

enum tr_status tr_models_load(struct tr_models **m, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = TR_OK;
    if (!*m)
        st = (*m = tr_models_new()) != NULL ? tr_models_read_builtin(*m, err) : tr_fail_memory(err);
    if (st != TR_OK || !path)
        return st;
    st = tr_read_file(path, FILE_MAX, &text, err);
    if (st == TR_OK)
        st = tr_models_read(*m, path, text_of(&text), text.len, err);
    tr_buf_free(&text);
    return st;
}

enum tr_status tr_schemas_load(struct tr_schemas **s, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = TR_OK;
    if (!*s)
        st = (*s = tr_schemas_new()) != NULL
                 ? tr_schemas_read(*s, "operators.schemas", tr_schemas_builtin, strlen(tr_schemas_builtin), err)
                 : tr_fail_memory(err);
    if (st != TR_OK || !path)
        return st;
    st = tr_read_file(path, FILE_MAX, &text, err);
    if (st == TR_OK)
        st = tr_schemas_read(*s, path, text_of(&text), text.len, err);
    tr_buf_free(&text);
    return st;
}

enum tr_status tr_peaks_file(struct tr_peaks *p, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(path, FILE_MAX, &text, err);
    if (st == TR_OK)
        st = tr_peaks_read(p, path, text_of(&text), text.len, err);
    tr_buf_free(&text);
    return st;
}

enum tr_status tr_peaks_load(struct tr_peaks *p, const char *arch, struct tr_error *err)
{
    if (strcmp(arch, "none") == 0) {
        *p = (struct tr_peaks){ .n = 0 };
        return TR_OK;
    }
    enum tr_status st = tr_peaks_text(p, arch, "devices.peaks", tr_peaks_builtin, strlen(tr_peaks_builtin), err);
    if (st != TR_NO)
        return st;
    if (!strchr(arch, '/') && access(arch, F_OK) != 0) {
        tr_error_place(err, "option --arch");
        return tr_fail(err, TR_USAGE,
                       "no device '%.100s' comes with the program, and there is no such file: see --list-archs", arch);
    }
    return tr_peaks_file(p, arch, err);
}

const struct tr_rules_builtin *tr_rules_builtin_named(const char *name)
{
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

enum tr_status tr_rules_load(struct tr_rules *r, const char *name, const struct tr_rules_opts *opts,
                             struct tr_error *err)
{
    const struct tr_rules_builtin *b = tr_rules_builtin_named(name);
    struct tr_buf text = { 0 };
    if (b)
        return tr_rules_add_builtin(r, b, TR_RULES_IN_ORDER, err);
    enum tr_status st = access(name, F_OK) == 0
                            ? tr_read_file(name, RULES_MAX, &text, err)
                            : tr_fail_sys(err, errno, "cannot open, and no rules of this name come with the program");
    if (st == TR_OK)
        st = tr_rules_read(r, name, text_of(&text), text.len, opts, err);
    if (st != TR_OK)
        tr_error_input(err, name);
    tr_buf_free(&text);
    return st;
}
