/* SPDX-License-Identifier: MIT */
/* Options of views whose values are files. */
#include "analysis/tr_view_files.h"

#include "analysis/paths/tr_critpath_member.h"
#include "analysis/paths/tr_paths_analyses.h"
#include "analysis/findings/tr_findings.h"
#include "analysis/graphs/tr_graphs_analyses.h"
#include "analysis/nodes/tr_nodes.h"
#include "analysis/nodes/tr_nodes_analyses.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_replay.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/sums/tr_sum.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "formats/tr_asm_files.h"
#include "formats/tr_ideal_read.h"
#include "formats/tr_inductor_read.h"
#include "formats/tr_model_files.h"
#include "formats/tr_open.h"
#include "formats/tr_printed_table.h"
#include "io/tr_io.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ATTACHED ((size_t)256 << 20) /* bytes */

/* ---- graphs, and operators in them ---- */

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

/* Read the captures that a list names, if it names any, in place of those before. */
static enum tr_status read_captures(const struct tr_option_list *files, const struct tr_name_test *also,
                                    struct tr_graph_calls **graphs, const struct tr_view_host *host,
                                    struct tr_error *err)
{
    tr_graph_calls_free(*graphs);
    *graphs = NULL;
    return files->n ? tr_capture_files_read(host, files, also, graphs, err) : TR_OK;
}

#define ATTACH_CAPTURE(type)                                                                                        \
    {                                                                                                               \
        0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct type, captures), .file = true,                 \
            .help = "work of launched graphs is that of the operators in this trace of their capture, or in a "    \
                    "folder of such; may be repeated"                                                               \
    }

const struct tr_option tr_view_operator_files[] = { ATTACH_CAPTURE(tr_operator_options), { 0 } };

enum tr_status tr_view_operator_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_operator_options *o = options;
    return read_captures(&o->captures, NULL, &o->graphs, host, err);
}

void tr_view_operator_release(void *options)
{
    tr_graph_calls_free(((struct tr_operator_options *)options)->graphs);
}

const struct tr_option tr_view_graph_files[] = {
    { 0, "attach", "FILE", TR_OPTION_CALL, 0, .call = load_names, .file = true,
      .help = "add columns of FILE to the nodes, such as their modules" },
    ATTACH_CAPTURE(tr_graph_options),
    { 0 },
};

enum tr_status tr_view_graph_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_graph_options *o = options;
    struct tr_graph_calls *graphs = NULL;
    if (!o->captures.n)
        return TR_OK;
    if (o->names && !o->captured)
        return tr_fail(err, TR_USAGE, "--attach and --attach-capture both give columns: leave one out");
    tr_view_graph_release(o);
    o->names = NULL;
    o->captured = true;
    enum tr_status st = read_captures(&o->captures, NULL, &graphs, host, err);
    if (st == TR_OK)
        st = tr_graph_names_captured(&o->names, graphs, err);
    tr_graph_calls_free(graphs);
    return st;
}

void tr_view_graph_release(void *options)
{
    tr_graph_names_free(((struct tr_graph_options *)options)->names);
}

/* ---- execution traces ---- */

const struct tr_option tr_view_node_files[] = {
    { 0, "attach", "FILE", TR_OPTION_LIST, offsetof(struct tr_node_options, attached), .file = true,
      .help = "execution traces whose nodes are joined to the trace; may be repeated, for several ranks" },
    { 0 },
};

static enum tr_status read_nodes(const struct tr_view_host *host, const char *path, struct tr_nodes *n,
                                 struct tr_error *err)
{
    static const struct tr_projection want = { .fixed = TR_FIXED_BIT(TS) };
    struct tr_input *in = NULL;
    const struct tr_batch *b;
    uint32_t before = n->n_traces;
    enum tr_status st = host->open_trace ? host->open_trace(host->self, path, &in, err)
                                         : tr_open(&in, path, host->open, err);
    if (st == TR_OK && !tr_input_want(in, &want))
        st = tr_fail_memory(err);
    while (st == TR_OK)
        st = tr_input_next(in, &b, err);
    st = st == TR_END ? tr_nodes_add(n, in->dict, in->tables, err) : st;
    if (st == TR_OK && n->n_traces == before) {
        st = tr_fail(err, TR_DAMAGED, "no execution trace");
        tr_error_input(err, path);
    }
    if (in && host->close_trace)
        host->close_trace(host->self, in);
    else
        tr_input_close(in);
    return st;
}

enum tr_status tr_view_node_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_node_options *o = options;
    tr_view_node_release(o);
    o->nodes = NULL;
    if (!o->attached.n)
        return TR_OK;
    o->nodes = tr_nodes_new(host->open ? host->open->max_memory_bytes : SIZE_MAX);
    enum tr_status st = o->nodes ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < o->attached.n; i++)
        st = read_nodes(host, o->attached.items[i], o->nodes, err);
    return st == TR_OK ? tr_nodes_index(o->nodes, err) : st;
}

void tr_view_node_release(void *options)
{
    tr_nodes_free(((struct tr_node_options *)options)->nodes);
}

/* ---- paths ---- */

/* The columns of a path that was saved. */
enum { RANK, PLACE, NAME, NTH, SIDE, EDGE, BOUND, WEIGHT, FROM_RANK, FROM_NAME, FROM_NTH, FROM_SIDE, N_PATH_COLUMNS };
static const char *const path_columns[N_PATH_COLUMNS] = {
    [RANK] = "rank",           [PLACE] = "place",         [NAME] = "name",         [NTH] = "nth",
    [SIDE] = "side",           [EDGE] = "edge",           [BOUND] = "bound",       [WEIGHT] = "weight_ns",
    [FROM_RANK] = "from_rank", [FROM_NAME] = "from_name", [FROM_NTH] = "from_nth", [FROM_SIDE] = "from_side",
};

static bool is_number(struct tr_str cell, int64_t *to)
{
    return cell.s && tr_num_plain(cell.s, cell.len, to);
}

/* The number of a word; false: it is none. */
static bool is_word(struct tr_str cell, const char *name_of(unsigned), unsigned n, uint8_t *to)
{
    for (unsigned i = 0; i < n; i++)
        if (tr_str_is(cell, name_of(i))) {
            *to = (uint8_t)i;
            return true;
        }
    return false;
}

/* False: a cell is wrong; its column is *at. */
static bool read_member(const struct tr_printed_table *t, size_t row, const size_t at_column[N_PATH_COLUMNS],
                        struct tr_cp_member *m, unsigned *at)
{
    struct tr_str cell[N_PATH_COLUMNS];
    int64_t nth = -1, from_nth = -1, place = -1;
    for (unsigned i = 0; i < N_PATH_COLUMNS; i++)
        cell[i] = tr_printed_table_cell(t, row, at_column[i]);
    *m = (struct tr_cp_member){ .to = { .rank = TR_I64_NONE, .name = cell[NAME] },
                                .from = { .rank = TR_I64_NONE, .name = cell[FROM_NAME] } };
    bool right[N_PATH_COLUMNS] = {
        [RANK] = !cell[RANK].len || is_number(cell[RANK], &m->to.rank),
        [PLACE] = is_number(cell[PLACE], &place) && place >= 0,
        [NAME] = true,
        [NTH] = is_number(cell[NTH], &nth) && nth >= 0,
        [SIDE] = is_word(cell[SIDE], tr_cp_side_name, TR_CP_ALL_CAME + 1, &m->to.side),
        [EDGE] = is_word(cell[EDGE], tr_cp_edge_name, TR_CP_N_EDGES, &m->edge),
        [BOUND] = is_word(cell[BOUND], tr_cp_bound_name, TR_CP_N_BOUNDS, &m->bound),
        [WEIGHT] = is_number(cell[WEIGHT], &m->weight) && m->weight >= 0,
        [FROM_RANK] = !cell[FROM_RANK].len || is_number(cell[FROM_RANK], &m->from.rank),
        [FROM_NAME] = true,
        [FROM_NTH] = is_number(cell[FROM_NTH], &from_nth) && from_nth >= 0,
        [FROM_SIDE] = is_word(cell[FROM_SIDE], tr_cp_side_name, TR_CP_ALL_CAME + 1, &m->from.side),
    };
    m->place = (uint64_t)place;
    m->to.nth = (uint64_t)nth;
    m->from.nth = (uint64_t)from_nth;
    for (*at = 0; *at < N_PATH_COLUMNS && right[*at];)
        ++*at;
    return *at == N_PATH_COLUMNS;
}

static enum tr_status read_path(struct tr_cp_saved *path, const struct tr_printed_table *t, struct tr_error *err)
{
    size_t at_column[N_PATH_COLUMNS];
    for (unsigned i = 0; i < N_PATH_COLUMNS; i++) {
        size_t at = 0;
        while (at < t->n_cols && !tr_str_is(t->names[at], path_columns[i]))
            at++;
        if (at == t->n_cols)
            return tr_fail(err, TR_DAMAGED, "this is no path that --save-path wrote: it has no column %s",
                           path_columns[i]);
        at_column[i] = at;
    }
    for (size_t row = 0; row < t->n_rows; row++) {
        struct tr_cp_member m;
        unsigned at;
        if (!read_member(t, row, at_column, &m, &at))
            return tr_fail(err, TR_DAMAGED, "row %zu: %s: no such value of a path", row + 1, path_columns[at]);
        if (!tr_cp_saved_add(path, &m))
            return tr_fail_memory(err);
    }
    return TR_OK;
}

static enum tr_status load_path(void *options, const char *path, struct tr_error *err)
{
    struct tr_critpath_options *o = options;
    struct tr_printed_table t = { .n_cols = 0 };
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(path, MAX_ATTACHED, &text, err);
    if (st == TR_OK)
        st = tr_printed_table_read(&t, &text, MAX_ATTACHED, err);
    tr_cp_saved_free(o->base);
    o->base = st == TR_OK ? tr_cp_saved_new() : NULL;
    if (st == TR_OK)
        st = o->base ? read_path(o->base, &t, err) : tr_fail_memory(err);
    if (st != TR_OK)
        tr_error_input(err, path);
    tr_printed_table_free(&t);
    tr_buf_free(&text);
    return st;
}

const struct tr_option tr_view_path_files[] = {
    { 0, "base", "FILE", TR_OPTION_CALL, 0, .call = load_path, .file = true,
      .help = "find the parts of a path that --save-path wrote, and compare their times" },
    { 0 },
};

void tr_view_path_release(void *options)
{
    tr_cp_saved_free(((struct tr_critpath_options *)options)->base);
}

/* ---- what-if rules ---- */

enum tr_status tr_view_what_if_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_critpath_options *o = options;
    tr_what_if_free(o->rules);
    o->rules = NULL;
    return o->what_if.n ? tr_what_if_new(&o->rules, &o->what_if, host->compile, host->self, err) : TR_OK;
}

void tr_view_what_if_release(void *options)
{
    tr_what_if_free(((struct tr_critpath_options *)options)->rules);
}

/* ---- rules ---- */

const struct tr_option tr_view_rules_files[] = {
    { 0, "rules", "FILE|NAME", TR_OPTION_LIST, offsetof(struct tr_rules_options, files), .file = true,
      .help = "use these rules, a file or one of tr-categorize --list-rules; may be repeated [all of these]" },
    { 0, "precedence", "WHICH", TR_OPTION_CHOICE, offsetof(struct tr_rules_options, precedence),
      .choices = tr_rule_order_names,
      .help = "in files, the first rule wins or the longest [first; longest in schemas of unitrace]" },
    { 0, "keep-spaces", NULL, TR_OPTION_FLAG, offsetof(struct tr_rules_options, keep_spaces),
      .help = "in files, do not ignore blanks and tabs" },
    { 0 },
};

enum tr_status tr_view_rules_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_rules_options *o = options;
    const struct tr_rules_opts opts = { (enum tr_rule_order)o->precedence, o->keep_spaces };
    bool files = false;
    (void)host;
    for (size_t i = 0; i < o->files.n; i++)
        files |= tr_rules_builtin_named(o->files.items[i]) == NULL;
    if (!files && (o->precedence != TR_RULES_BY_CONTENT || o->keep_spaces))
        return tr_fail(err, TR_USAGE, "--precedence and --keep-spaces are about files that --rules names");
    tr_rules_free(o->rules);
    o->rules = NULL;
    enum tr_status st = tr_rules_new(&o->rules, err);
    for (size_t i = 0; i < o->files.n && st == TR_OK; i++)
        st = tr_rules_load(o->rules, o->files.items[i], &opts, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; !o->files.n && b->name && st == TR_OK; b++)
        st = tr_rules_load(o->rules, b->name, &opts, err);
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

/* measured: the member of the options. */
static enum tr_status load_measured(void *measured, const char *path, struct tr_error *err)
{
    struct tr_peaks **p = measured;
    if (!*p)
        *p = calloc(1, sizeof **p);
    return *p ? tr_peaks_file(*p, path, err) : tr_fail_memory(err);
}

#define MEASURED(type)                                                                                             \
    {                                                                                                              \
        0, "measured", "FILE", TR_OPTION_CALL, offsetof(struct type, measured), .call = load_measured,             \
            .file = true,                                                                                          \
            .help = "what the device reached in benchmarks, in the form of --arch FILE: roofs in place of its peaks" \
    }

/* Read the code that inductor generated, in addition to that of folders before. */
static enum tr_status load_code(void *options, const char *path, struct tr_error *err)
{
    struct tr_roofline_options *o = options;
    if (!o->inductor && !(o->inductor = tr_inductor_new()))
        return tr_fail_memory(err);
    return tr_inductor_read_folder(o->inductor, path, err);
}

const struct tr_option tr_view_roofline_files[] = {
    { 0, "inductor-cache", "DIR", TR_OPTION_CALL, 0, .call = load_code, .file = true,
      .help = "columns fused and source, of the code that torch.compile generated in DIR; may be repeated" },
    /* From here on also for families. */
    ARCH(tr_roofline_options),
    MEASURED(tr_roofline_options),
    { 0, "models", "FILE", TR_OPTION_CALL, 0, .call = load_models, .file = true,
      .help = "more models of operators; they go before those that come with the program" },
    ATTACH_CAPTURE(tr_roofline_options),
    { 0 },
};

/* Models need values of these operators, also where they launch nothing. */
static bool is_asked(void *models, struct tr_str name)
{
    return tr_models_asked(models, name);
}

enum tr_status tr_view_roofline_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_roofline_options *o = options;
    enum tr_status st = load_models(options, NULL, err);
    const struct tr_name_test asked = { .match = is_asked, .self = o->models };
    return st == TR_OK ? read_captures(&o->captures, &asked, &o->graphs, host, err) : st;
}

void tr_view_roofline_release(void *options)
{
    struct tr_roofline_options *o = options;
    tr_models_free(o->models);
    tr_graph_calls_free(o->graphs);
    tr_inductor_free(o->inductor);
    free(o->peaks);
    free(o->measured);
}

const struct tr_option tr_view_findings_files[] = {
    ARCH(tr_findings_options),
    ATTACH_CAPTURE(tr_findings_options),
    { 0 },
};

enum tr_status tr_view_findings_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    struct tr_findings_options *o = options;
    enum tr_status st = read_captures(&o->captures, NULL, &o->graphs, host, err);
    return st == TR_OK && !o->models ? tr_models_load(&o->models, NULL, err) : st;
}

void tr_view_findings_release(void *options)
{
    struct tr_findings_options *o = options;
    tr_models_free(o->models);
    tr_graph_calls_free(o->graphs);
    free(o->peaks);
}

const struct tr_option tr_view_peaks_files[] = { ARCH(tr_kernel_roofline_options),
                                                 MEASURED(tr_kernel_roofline_options), { 0 } };

void tr_view_peaks_release(void *options)
{
    struct tr_kernel_roofline_options *o = options;
    free(o->peaks);
    free(o->measured);
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

enum tr_status tr_view_replay_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    (void)host;
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

static enum tr_status make_tables(void *options, struct tr_error *err)
{
    struct tr_ideal_options *o = options;
    if (!o->tables)
        o->tables = calloc(1, sizeof *o->tables);
    return o->tables ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_view_ideal_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    (void)host;
    return make_tables(options, err);
}

static enum tr_status load_ideal(void *options, const char *path, struct tr_error *err)
{
    enum tr_status st = make_tables(options, err);
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

enum tr_status tr_view_sum_ready(void *options, const struct tr_view_host *host, struct tr_error *err)
{
    (void)host;
    struct tr_sum_options *o = options;
    return o->n_keys ? TR_OK : tr_sum_parse_by(o, "name", err);
}
