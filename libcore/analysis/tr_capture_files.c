/* SPDX-License-Identifier: MIT */
/* Reads traces of captures of graphs. */
#include "analysis/tr_capture_files.h"

#include "formats/tr_folder.h"
#include "formats/tr_open.h"

#include <string.h>

/* The columns that captures need. */
static const char *const keys[] = { "kernel", "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
static const struct tr_projection columns = {
    .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(NAME) |
             TR_FIXED_BIT(PHASE) | TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(SUSPECT),
    .keys = keys,
    .n_keys = sizeof keys / sizeof *keys,
};

static enum tr_status read_batches(struct tr_input *in, struct tr_graph_calls *g, struct tr_error *err)
{
    const struct tr_batch *b;
    enum tr_status st = tr_input_want(in, &columns) ? TR_OK : tr_fail_memory(err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_graph_calls_batch(g, b, err);
    return st == TR_END ? TR_OK : st;
}

static void close_trace(const struct tr_view_host *host, struct tr_input *in)
{
    if (in && host->close_trace)
        host->close_trace(host->self, in);
    else
        tr_input_close(in);
}

static enum tr_status read_file(const struct tr_view_host *host, const char *path, struct tr_graph_calls *g,
                                struct tr_error *err)
{
    struct tr_input *in = NULL;
    enum tr_status st = host->open_trace ? host->open_trace(host->self, path, &in, err)
                                         : tr_open(&in, path, host->open, err);
    if (st == TR_OK && !in->sorted) {
        st = tr_fail(err, TR_DAMAGED, "captures need an ordered stream");
        tr_error_input(err, in->name);
    }
    if (st == TR_OK && !tr_graph_calls_start(g, in->dict))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = read_batches(in, g, err);
    if (!tr_graph_calls_end(g) && st == TR_OK)
        st = tr_fail_memory(err);
    close_trace(host, in);
    return st;
}

/* vLLM writes a list of its captures beside them. */
static bool is_list(const char *path)
{
    static const char list[] = "execution_details.json";
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, list) == 0;
}

static enum tr_status read_path(const struct tr_view_host *host, const char *path, struct tr_graph_calls *g,
                                struct tr_error *err)
{
    struct tr_folder f = { 0 };
    if (!tr_folder_is(path))
        return read_file(host, path, g, err);
    enum tr_status st = tr_folder_read(&f, path, host->open, err);
    for (size_t i = 0; st == TR_OK && i < f.n_traces; i++)
        if (!is_list(f.traces[i]))
            st = read_file(host, f.traces[i], g, err);
    tr_folder_free(&f);
    return st;
}

enum tr_status tr_capture_files_read(const struct tr_view_host *host, const struct tr_option_list *files,
                                     const struct tr_name_test *also, struct tr_graph_calls **out,
                                     struct tr_error *err)
{
    struct tr_graph_calls *g = *out = tr_graph_calls_new(host->open->budget);
    enum tr_status st = g ? TR_OK : tr_fail_memory(err);
    if (g && also)
        g->also = *also;
    for (size_t i = 0; st == TR_OK && i < files->n; i++)
        st = read_path(host, files->items[i], g, err);
    const char *why = st != TR_OK || !host->say ? NULL
                      : !g->n_captures
                          ? "option --attach-capture: no call begins a capture (StreamBeginCapture)"
                      : !g->named ? "option --attach-capture: the launches do not say their kernels, so nodes are "
                                    "matched by position alone"
                                  : NULL;
    if (why)
        host->say(host->self, why);
    host->open->own_dict = true;
    return st;
}
