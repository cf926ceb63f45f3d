/* SPDX-License-Identifier: MIT */
/* Models of operators and peaks of devices, of the program and of files. */
#include "cli/cli_models.h"

#include "formats/tr_peaks_json.h"

#include <string.h>
#include <unistd.h>

#define FILE_MAX ((size_t)16 << 20) /* bytes of a file of models or peaks */

enum tr_status cli_models_read(const struct tr_option_list *files, struct tr_models **out, struct tr_error *err)
{
    struct tr_models *m = *out = tr_models_new();
    enum tr_status st = m ? TR_OK : tr_fail_memory(err);
    for (const struct tr_models_builtin *b = tr_models_builtins; b->name && st == TR_OK; b++)
        st = tr_models_read(m, b->name, b->text, strlen(b->text), err);
    for (size_t i = 0; i < files->n && st == TR_OK; i++) {
        struct tr_buf text = { 0 };
        st = cli_read_file(files->items[i], FILE_MAX, &text, err);
        if (st == TR_OK)
            st = tr_models_read(m, files->items[i], text.data ? (const char *)text.data : "", text.len, err);
        tr_buf_free(&text);
    }
    return st;
}

enum tr_status cli_peaks_read(const char *arch, struct tr_peaks *p, struct tr_error *err)
{
    struct tr_buf text = { 0 };
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
    st = cli_read_file(arch, FILE_MAX, &text, err);
    if (st == TR_OK)
        st = tr_peaks_read(p, arch, text.data ? (const char *)text.data : "", text.len, err);
    tr_buf_free(&text);
    return st;
}
