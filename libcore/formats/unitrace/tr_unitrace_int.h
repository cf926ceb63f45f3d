/* SPDX-License-Identifier: MIT */
/*
 * The texts that unitrace writes.  Internal to libcore.
 *
 *   tr_unitrace_lines.c   a text as lines
 *   tr_unitrace_text.c    reports: sections, timelines, logs of calls
 *   tr_unitrace_tables.c  the rows of their tables
 *   tr_unitrace_kmd.c     events of the operating system
 */
#ifndef TR_UNITRACE_INT_H
#define TR_UNITRACE_INT_H

#include "base/tr_str.h"
#include "formats/common/tr_window_int.h"

/* ---- lines ---- */

struct tr__lines {
    struct tr__window w;
    bool in_long; /* in a line that is too long */
};

/* A line without its end.  ended: the input has its end; if not, it may be cut, and nothing shows it. */
struct tr__line {
    struct tr_str text;
    uint64_t offset;
    bool ended;
};

/* Use a line.  TR_OK, or a failure. */
typedef enum tr_status tr__line_fn(void *ctx, const struct tr__line *line, struct tr_error *err);

/*
 * Pass on the lines of the next part of the input.  A line that is too long is lost and counted.
 * TR_OK: there is more; TR_END; or a failure.
 */
enum tr_status tr__lines_read(struct tr__lines *l, struct tr_ingest *g, tr__line_fn *use, void *ctx,
                              struct tr_error *err);
void tr__lines_free(struct tr__lines *l);

/* ---- parts of a line: each takes what it finds off the front of s ---- */

void tr__skip_blanks(struct tr_str *s);
bool tr__skip_text(struct tr_str *s, const char *text);
bool tr__take_int(struct tr_str *s, int64_t *v); /* digits, from 0 on */
struct tr_str tr__take_word(struct tr_str *s);    /* up to a blank */
struct tr_str tr__trim(struct tr_str s);

/* Does one of the whole lines at the start of an input fit?  For the detection of a format. */
bool tr__any_line(const unsigned char *p, size_t n, bool (*fits)(struct tr_str line));

/* ---- tables of reports ---- */

enum tr__report_section {
    TR__SECTION_NONE,
    TR__SECTION_HOST,
    TR__SECTION_DEVICE,
    TR__SECTION_CCL,
    TR__SECTION_PROPERTIES,
    TR__SECTION_SUBMISSION,
};
enum tr__report_table { TR__TOTALS, TR__TIMING, TR__PROPERTIES, TR__SUBMISSIONS, TR__N_REPORT_TABLES };

#define TR__MAX_TITLES 16u

struct tr__report_tables {
    struct tr_side_table *v[TR__N_REPORT_TABLES];
    struct tr_str report; /* name of the input */
    enum tr__report_section section;
    struct tr_buf backend, name; /* name: of a row */
    unsigned titles[TR__MAX_TITLES], n_titles; /* fields of the rows that follow; 0 titles: no table */
};

bool tr__report_tables_init(struct tr__report_tables *t); /* false: out of memory */
void tr__report_tables_free(struct tr__report_tables *t);
/* The rows of all tables. */
uint64_t tr__report_tables_rows(const struct tr__report_tables *t);
void tr__report_tables_give(struct tr__report_tables *t, struct tr_ingest *g); /* those with rows, to the source */

/* Is the line one of titles?  Then rows follow. */
bool tr__report_titles(struct tr__report_tables *t, struct tr_str line);

/*
 * A row below titles, and a total.  TR_OK; TR_END: the line has no such form, or the table is full; TR_SYSTEM.
 * ns: TR_I64_NONE: it is masked.
 */
enum tr_status tr__report_row(struct tr__report_tables *t, struct tr_str line, struct tr_error *err);
/* Is it stars, in place of a number that is not to be seen? */
bool tr__is_masked(struct tr_str cell);
enum tr_status tr__report_total(struct tr__report_tables *t, struct tr_str quantity, int64_t ns, struct tr_error *err);

/*
 * The name in a cell, without its quotes; they may start after a tile, as in Tile #1: "gemm".  The name is a part of s,
 * or in buf.  False: out of memory.
 */
bool tr__unquoted(struct tr_str s, struct tr_buf *buf, struct tr_str *name);
/* Is the name without the quotes that it was written in whole?  What was not in quotes has none. */
bool tr__name_is_whole(struct tr_str name, struct tr_str written);

#endif
