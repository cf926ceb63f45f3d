/* SPDX-License-Identifier: MIT */
/* Options of views whose values are files. */
#include "analysis/tr_view_files.h"

#include "analysis/graphs/tr_graphs_analyses.h"
#include "analysis/operators/tr_replay.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/sums/tr_sum.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "base/tr_mem.h"
#include "formats/tr_asm_files.h"
#include "formats/tr_ideal_read.h"
#include "formats/tr_model_files.h"
#include "io/tr_io.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ATTACHED ((size_t)256 << 20) /* bytes */

/* ---- graphs ---- */

static enum tr_status load_names(void *options, const char *path, struct tr_error *err)
{
    struct tr_graph_options *o = options;
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(path, MAX_ATTACHED, &text, err);
    tr_graph_names_free(o->names);
    o->names = NULL;
    if (st == TR_OK)
        st = tr_graph_names_new(&o->names, text.data ? (const char *)text.data : "", text.len, err);
    if (st != TR_OK)
        tr_error_input(err, path);
    tr_buf_free(&text);
    return st;
}

const struct tr_option tr_view_graph_files[] = {
    { 0, "attach", "FILE", TR_OPTION_CALL, 0, .call = load_names, .file = true,
      .help = "add columns of FILE to the nodes, such as their modules" },
    { 0 },
};

void tr_view_graph_release(void *options)
{
    tr_graph_names_free(((struct tr_graph_options *)options)->names);
}

/* ---- rules ---- */

static enum tr_status load_rules(void *options, const char *name, struct tr_error *err)
{
    static const struct tr_rules_opts opts = { TR_RULES_BY_CONTENT, false };
    struct tr_rules_options *o = options;
    enum tr_status st = o->rules ? TR_OK : tr_rules_new(&o->rules, err);
    return st == TR_OK ? tr_rules_load(o->rules, name, &opts, err) : st;
}

const struct tr_option tr_view_rules_files[] = {
    { 0, "rules", "FILE|NAME", TR_OPTION_CALL, 0, .call = load_rules,
      .help = "use these rules, a file or one of tr-categorize --list-rules; may be repeated [all of these]" },
    { 0 },
};

enum tr_status tr_view_rules_ready(void *options, struct tr_error *err)
{
    struct tr_rules_options *o = options;
    enum tr_status st = TR_OK;
    if (!o->rules)
        for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
            st = load_rules(o, b->name, err);
    return st;
}

void tr_view_rules_release(void *options)
{
    tr_rules_free(((struct tr_rules_options *)options)->rules);
}

/* ---- models, schemas and peaks ---- */

static enum tr_status load_models(void *options, const char *path, struct tr_error *err)
{
    struct tr_roofline_options *o = options;
    return tr_models_load(&o->models, path, err);
}

/* peaks: the member of the options. */
static enum tr_status load_peaks(void *peaks, const char *arch, struct tr_error *err)
{
    struct tr_peaks **p = peaks;
    if (!*p)
        *p = calloc(1, sizeof **p);
    return *p ? tr_peaks_load(*p, arch, err) : tr_fail_memory(err);
}

#define ARCH(type)                                                                                                   \
    {                                                                                                                \
        0, "arch", "FILE|NAME", TR_OPTION_CALL, offsetof(struct type, peaks),                                        \
            .call = load_peaks,                                                                                      \
            .help =                                                                                                  \
                "peaks of this device: one of --list-archs, a file, or none [that of the trace, if it names one of " \
                "them]"                                                                                              \
    }

const struct tr_option tr_view_roofline_files[] = {
    ARCH(tr_roofline_options),
    { 0, "models", "FILE", TR_OPTION_CALL, 0, .call = load_models, .file = true,
      .help = "more models of operators; they go before those that come with the program" },
    { 0 },
};

enum tr_status tr_view_roofline_ready(void *options, struct tr_error *err)
{
    return load_models(options, NULL, err);
}

void tr_view_roofline_release(void *options)
{
    struct tr_roofline_options *o = options;
    tr_models_free(o->models);
    free(o->peaks);
}

const struct tr_option tr_view_peaks_files[] = { ARCH(tr_kernel_roofline_options), { 0 } };

void tr_view_peaks_release(void *options)
{
    free(((struct tr_kernel_roofline_options *)options)->peaks);
}

static enum tr_status load_schemas(void *options, const char *path, struct tr_error *err)
{
    struct tr_replay_options *o = options;
    return tr_schemas_load(&o->schemas, path, err);
}

const struct tr_option tr_view_replay_files[] = {
    { 0, "schemas", "FILE", TR_OPTION_CALL, 0, .call = load_schemas, .file = true,
      .help = "more schemas of operators; they go before those that come with the program" },
    { 0 },
};

enum tr_status tr_view_replay_ready(void *options, struct tr_error *err)
{
    return load_schemas(options, NULL, err);
}

void tr_view_replay_release(void *options)
{
    tr_schemas_free(((struct tr_replay_options *)options)->schemas);
}

/* ---- instructions ---- */

static enum tr_status load_text(void *self, struct tr_str kernel, struct tr_buf *text, struct tr_error *err)
{
    return tr_asm_files_load(self, kernel, text, err);
}

static enum tr_status load_dumps(void *options, const char *path, struct tr_error *err)
{
    struct tr_stalls_options *o = options;
    if (!o->self)
        o->self = calloc(1, sizeof(struct tr_asm_files));
    if (!o->self)
        return tr_fail_memory(err);
    o->load = load_text;
    return tr_asm_files_add(o->self, path, err);
}

const struct tr_option tr_view_stalls_files[] = {
    { 0, "asm", "FILE", TR_OPTION_CALL, 0, .call = load_dumps, .file = true,
      .help = "dumps of the kernels' instructions: a folder with files *.asm, or a file" },
    { 0 },
};

void tr_view_stalls_release(void *options)
{
    struct tr_stalls_options *o = options;
    if (o->self)
        tr_asm_files_free(o->self);
    free(o->self);
}

/* ---- ideal cycles ---- */

enum tr_status tr_view_ideal_ready(void *options, struct tr_error *err)
{
    struct tr_ideal_options *o = options;
    if (!o->tables)
        o->tables = calloc(1, sizeof *o->tables);
    return o->tables ? TR_OK : tr_fail_memory(err);
}

static enum tr_status load_ideal(void *options, const char *path, struct tr_error *err)
{
    enum tr_status st = tr_view_ideal_ready(options, err);
    return st == TR_OK ? tr_ideal_read(((struct tr_ideal_options *)options)->tables, path, err) : st;
}

const struct tr_option tr_view_ideal_files[] = {
    { 0, "attach", "FILE", TR_OPTION_CALL, 0, .call = load_ideal, .file = true,
      .help = "a compiler's log or folder of ideal cycles; several: one for each rank" },
    { 0 },
};

void tr_view_ideal_release(void *options)
{
    struct tr_ideal_options *o = options;
    if (o->tables)
        tr_ideal_free(o->tables);
    free(o->tables);
}

/* ---- sums ---- */

enum tr_status tr_view_sum_ready(void *options, struct tr_error *err)
{
    struct tr_sum_options *o = options;
    return o->n_keys ? TR_OK : tr_sum_parse_by(o, "name", err);
}
