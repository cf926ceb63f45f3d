/* SPDX-License-Identifier: MIT */
/* Names of graph nodes, from a table as text. */
#include "analysis/graphs/tr_graph_names.h"

#include "base/tr_mem.h"
#include "base/tr_strtab.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS (TR_GRAPH_N_KEYS + TR_GRAPH_NAMES_MAX)

struct tr_graph_names {
    char *text; /* a copy, in which cells end in zeros */
    const char *columns[TR_GRAPH_NAMES_MAX];
    size_t n_columns;
    int of[MAX_COLUMNS]; /* of the cells of a line: key -1, -2, ..., or number of a column */
    size_t n_cells;
    bool has[TR_GRAPH_N_KEYS];
    struct tr_strtab *keys; /* of lines, by number */
    struct tr_str *cells;
    size_t n_lines, cap_cells;
    struct tr_buf key;
};

void tr_graph_names_free(struct tr_graph_names *g)
{
    if (!g)
        return;
    free(g->text);
    tr_strtab_free(g->keys);
    free(g->cells);
    tr_buf_free(&g->key);
    free(g);
}

/* The next piece of a text up to a separator, which is replaced by a zero.  NULL: there is no more. */
static char *piece(char **text, char sign)
{
    char *start = *text, *end = start ? strchr(start, sign) : NULL;
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return start;
}

static bool add_key(struct tr_graph_names *g, const struct tr_str keys[TR_GRAPH_N_KEYS])
{
    bool ok = true;
    g->key.len = 0;
    for (size_t k = 0; ok && k < TR_GRAPH_N_KEYS; k++)
        if (g->has[k])
            ok = tr_buf_add_text(&g->key, keys[k]) && tr_buf_add(&g->key, "\t", 1);
    return ok;
}

static enum tr_status read_header(struct tr_graph_names *g, char *line, struct tr_error *err)
{
    static const char *const names[TR_GRAPH_N_KEYS] = { "graph", "node", "position", "name" };
    for (char *cell; (cell = piece(&line, '\t')) != NULL;) {
        int key = -1;
        for (int k = 0; k < TR_GRAPH_N_KEYS; k++)
            key = strcmp(cell, names[k]) == 0 ? k : key;
        if (g->n_cells == MAX_COLUMNS || (key < 0 && (g->n_columns == TR_GRAPH_NAMES_MAX || !*cell)) ||
            (key >= 0 && g->has[key])) {
            tr_error_place(err, "line 1");
            return tr_fail(err, TR_DAMAGED, "column '%.80s' is one too many, there twice, or without a name", cell);
        }
        g->of[g->n_cells++] = key >= 0 ? -1 - key : (int)g->n_columns;
        if (key >= 0)
            g->has[key] = true;
        else
            g->columns[g->n_columns++] = cell;
    }
    if (g->n_columns && (g->has[TR_GRAPH_KEY_NODE] || g->has[TR_GRAPH_KEY_POSITION] || g->has[TR_GRAPH_KEY_NAME]))
        return TR_OK;
    tr_error_place(err, "line 1");
    return tr_fail(err, TR_DAMAGED, "a table of nodes has a column node, position or name, and one to attach");
}

static enum tr_status read_line(struct tr_graph_names *g, char *line, size_t number, struct tr_error *err)
{
    struct tr_str keys[TR_GRAPH_N_KEYS] = { { NULL, 0 } }, cells[TR_GRAPH_NAMES_MAX];
    size_t n = 0;
    for (char *cell; (cell = piece(&line, '\t')) != NULL; n++) {
        if (n < g->n_cells && g->of[n] < 0)
            keys[-1 - g->of[n]] = tr_str_of(cell);
        else if (n < g->n_cells)
            cells[g->of[n]] = tr_str_of(cell);
    }
    if (n != g->n_cells) {
        tr_error_place(err, "line %zu", number);
        return tr_fail(err, TR_DAMAGED, "%zu cells below a header of %zu", n, g->n_cells);
    }
    if (!add_key(g, keys))
        return tr_fail_memory(err);
    uint32_t old = tr_strtab_count(g->keys), line_of = tr_strtab_add(g->keys, g->key.data, g->key.len);
    if (line_of == TR_NO_STR ||
        !tr_grow(&g->cells, &g->cap_cells, (g->n_lines + 1) * g->n_columns, sizeof *g->cells))
        return tr_fail_memory(err);
    if (line_of < old)
        return TR_OK;
    memcpy(g->cells + g->n_lines++ * g->n_columns, cells, g->n_columns * sizeof *cells);
    return TR_OK;
}

enum tr_status tr_graph_names_new(struct tr_graph_names **out, const char *text, size_t len, struct tr_error *err)
{
    struct tr_graph_names *g = *out = calloc(1, sizeof *g);
    enum tr_status st = TR_OK;
    size_t number = 1;
    if (!g || !(g->keys = tr_strtab_new()) || !(g->text = malloc(len + 1)))
        return tr_fail_memory(err);
    if (len)
        memcpy(g->text, text, len);
    g->text[len] = '\0';
    if (strlen(g->text) != len) {
        tr_error_place(err, "byte %zu", strlen(g->text));
        return tr_fail(err, TR_DAMAGED, "a table of nodes is text, and holds no zero bytes");
    }
    char *rest = g->text;
    for (char *line; st == TR_OK && (line = piece(&rest, '\n')) != NULL; number++) {
        size_t n = strlen(line);
        if (n && line[n - 1] == '\r')
            line[n - 1] = '\0';
        if (number == 1)
            st = read_header(g, line, err);
        else if (*line)
            st = read_line(g, line, number, err);
    }
    return st;
}

const char *const *tr_graph_names_columns(const struct tr_graph_names *g, size_t *n)
{
    *n = g->n_columns;
    return g->columns;
}

const struct tr_str *tr_graph_names_find(struct tr_graph_names *g, const struct tr_str keys[TR_GRAPH_N_KEYS])
{
    uint32_t line = add_key(g, keys) ? tr_strtab_find(g->keys, g->key.data, g->key.len) : TR_NO_STR;
    return line == TR_NO_STR ? NULL : g->cells + line * g->n_columns;
}
