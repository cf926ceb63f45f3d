/* SPDX-License-Identifier: MIT */
/* The text of a report that is being written: lines, and tables with a title.  Used by the sections of info_text.c. */
#ifndef INFO_TABLE_H
#define INFO_TABLE_H

#include "info/info_report.h"

/* After a failure, every function does nothing. */
struct info_text {
    const struct info_report *r;
    const struct tr_dict *d;
    const struct tr_info *info;
    bool with_source; /* several sources have the same rank */
    struct tr_buf *out;
    enum tr_status st;
    struct tr_error *err;
    struct tr_table *table;
};

/* A line of text. */
void info_line(struct info_text *t, const char *fmt, ...) TR_PRINTF(2, 3);

/* A table with a title; by_source: its rows start with info_cell_source. */
void info_table_start(struct info_text *t, const char *title, bool by_source);
void info_table_end(struct info_text *t);

/* Columns, then cells, row by row; absent: TR_I64_NONE, TR_NO_STR, NULL, present false. */
void info_column(struct info_text *t, const char *name, enum tr_cell type);
void info_column_wide(struct info_text *t, const char *name); /* of texts that can be long, at the end of lines */
void info_cell_count(struct info_text *t, uint64_t v);
void info_cell_int(struct info_text *t, int64_t v, bool present);
void info_cell_time(struct info_text *t, int64_t ns);
void info_cell_start(struct info_text *t, size_t source, int64_t ns); /* a time of a source, relative with --relative */
void info_cell_span(struct info_text *t, int64_t first, int64_t last);
void info_cell_str(struct info_text *t, const char *s);
void info_cell_id(struct info_text *t, uint32_t id);
void info_cell_pct(struct info_text *t, uint64_t part, uint64_t whole);
void info_cell_source(struct info_text *t, size_t source);

#endif
