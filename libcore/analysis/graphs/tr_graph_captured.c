/* SPDX-License-Identifier: MIT */
/* The operators and modules of graph nodes, as a table. */
#include "analysis/graphs/tr_graph_calls.h"
#include "analysis/graphs/tr_graph_names.h"
#include "base/tr_mem.h"
#include "service/tr_enclosing_spans.h"

#include <inttypes.h>
#include <stdio.h>

/* A cell of a table with tabs between its cells. */
static bool put(struct tr_buf *out, struct tr_str text, char after)
{
    bool ok = true;
    for (size_t i = 0; ok && i < text.len; i++)
        ok = tr_buf_add(out, (unsigned char)text.s[i] < ' ' ? " " : text.s + i, 1);
    return ok && tr_buf_add(out, &after, 1);
}

static struct tr_str text_of(const struct tr_graph_calls *g, uint32_t id)
{
    return id == TR_NO_STR ? tr_str_of(NULL)
                           : (struct tr_str){ tr_strtab_get(g->strings, id), tr_strtab_len(g->strings, id) };
}

static struct tr_str operator_of(const struct tr_graph_calls *g, uint32_t span)
{
    for (; span != TR_GRAPH_NONE; span = g->spans[span].outer)
        if (g->spans[span].activity == TR_ACT_CPU_OP || g->spans[span].activity == TR_ACT_COMM_RECORD)
            return text_of(g, g->spans[span].name);
    return tr_str_of(NULL);
}

static struct tr_str module_of(const struct tr_graph_calls *g, uint32_t span)
{
    struct tr_str module = tr_str_of(NULL);
    for (; span != TR_GRAPH_NONE && !module.len; span = g->spans[span].outer)
        if (g->spans[span].activity == TR_ACT_PYTHON)
            module = tr_module_name(text_of(g, g->spans[span].name));
    return module;
}

static bool make_table(const struct tr_graph_calls *g, struct tr_buf *out)
{
    char position[24];
    bool ok = put(out, tr_str_of("position"), '\t') && (!g->named || put(out, tr_str_of("name"), '\t')) &&
              put(out, tr_str_of("operator"), '\t') && put(out, tr_str_of("module"), '\n');
    for (size_t i = 0; ok && i < g->n_nodes; i++) {
        const struct tr_graph_node *n = &g->nodes[i];
        snprintf(position, sizeof position, "%zu", i - g->captures[n->capture].first);
        struct tr_str kernel = text_of(g, n->kernel < TR_GRAPH_MEMSET ? n->kernel : TR_NO_STR);
        ok = put(out, tr_str_of(position), '\t') && (!g->named || put(out, kernel, '\t')) &&
             put(out, operator_of(g, n->span), '\t') && put(out, module_of(g, n->span), '\n');
    }
    return ok;
}

enum tr_status tr_graph_names_captured(struct tr_graph_names **out, const struct tr_graph_calls *graphs,
                                       struct tr_error *err)
{
    struct tr_buf table = { 0 };
    enum tr_status st = make_table(graphs, &table) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_graph_names_new(out, (const char *)table.data, table.len, err);
    tr_buf_free(&table);
    return st;
}
