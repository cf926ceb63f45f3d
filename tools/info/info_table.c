/* SPDX-License-Identifier: MIT */
/* Lines and tables of a text report. */
#include "info/info_table.h"

#include "base/tr_escape.h"

#include <stdarg.h>
#include <string.h>

void info_line(struct info_text *t, const char *fmt, ...)
{
    struct tr_buf line = { 0 };
    va_list args;
    va_start(args, fmt);
    bool ok = tr_buf_print_list(&line, fmt, args);
    va_end(args);
    const char *s = tr_buf_text(&line);
    size_t blank = strspn(s, "\n"); /* an empty line before it; names of files may hold anything */
    ok = ok && tr_buf_add(t->out, s, blank) && tr_escape_text(t->out, s + blank, strlen(s + blank), SIZE_MAX, NULL) &&
         tr_buf_add_str(t->out, "\n");
    if (t->st == TR_OK && !ok)
        t->st = tr_fail_memory(t->err);
    tr_buf_free(&line);
}

void info_table_start(struct info_text *t, const char *title, bool by_source)
{
    if (t->st != TR_OK)
        return;
    info_line(t, "\n%s", title);
    t->table = tr_table_new(t->r->unit);
    if (!t->table) {
        t->st = tr_fail_memory(t->err);
        return;
    }
    tr_table_width(t->table, t->r->width);
    tr_table_colour(t->table, t->r->colour);
    if (by_source) {
        tr_table_column(t->table, "rank", TR_CELL_INT, 0);
        if (t->with_source)
            tr_table_column(t->table, "source", TR_CELL_INT, 0);
    }
}

void info_table_end(struct info_text *t)
{
    if (t->st == TR_OK)
        t->st = tr_table_write(t->table, &tr_row_sink_text, t->out, t->err);
    tr_table_free(t->table);
    t->table = NULL;
}

void info_column(struct info_text *t, const char *name, enum tr_cell type)
{
    if (t->st == TR_OK)
        tr_table_column(t->table, name, type, 2);
}

void info_column_wide(struct info_text *t, const char *name)
{
    if (t->st == TR_OK)
        tr_table_columns(t->table, &(struct tr_table_column){ .name = name, .type = TR_CELL_STRING, .wide = true }, 1);
}

void info_cell_count(struct info_text *t, uint64_t v)
{
    if (t->st == TR_OK)
        tr_table_count(t->table, v);
}

void info_cell_int(struct info_text *t, int64_t v, bool present)
{
    if (t->st != TR_OK)
        return;
    if (present)
        tr_table_int(t->table, v);
    else
        tr_table_absent(t->table);
}

void info_cell_time(struct info_text *t, int64_t ns)
{
    if (t->st != TR_OK)
        return;
    tr_table_time(t->table, ns);
}

void info_cell_start(struct info_text *t, size_t source, int64_t ns)
{
    bool of_file = t->r->relative && ns != TR_TIME_NONE;
    info_cell_time(t, of_file ? tr_source_to_file(&t->d->sources[source], ns) : ns);
}

void info_cell_span(struct info_text *t, int64_t first, int64_t last)
{
    info_cell_time(t, tr_time_diff(last, first));
}

void info_cell_str(struct info_text *t, const char *s)
{
    if (t->st == TR_OK)
        tr_table_string(t->table, s);
}

void info_cell_id(struct info_text *t, uint32_t id)
{
    if (t->st == TR_OK)
        tr_table_text(t->table, tr_dict_text_if(t->d, id));
}

void info_cell_pct(struct info_text *t, uint64_t part, uint64_t whole)
{
    if (t->st == TR_OK)
        tr_table_pct(t->table, (int64_t)part, (int64_t)whole);
}

void info_cell_source(struct info_text *t, size_t source)
{
    info_cell_int(t, t->d->sources[source].rank, t->d->sources[source].rank >= 0);
    if (t->with_source)
        info_cell_int(t, (int64_t)source, true);
}
