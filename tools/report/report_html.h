/* SPDX-License-Identifier: MIT */
/*
 * tr-report: the page as HTML.  It has the tables of the other forms, with a picture and a sentence for each, and the
 * findings at its top.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

#define REPORT_HTML_TOP 12u /* rows of a table, unless --top is given */
#define REPORT_HTML_PANELS 3u /* ranks that have a panel each */

/* Functions that append return false when memory ran out. */

/* ---- report_html_text.c ---- */

/* A time for people, three digits or so: "6.45 ms"; as HTML, so that number and unit look different. */
bool report_html_time(struct tr_buf *out, double ns);
/* The same as plain text. */
bool report_html_plain_time(struct tr_buf *out, double ns);
/* A sentence as plain text, with its times as people read them: "6.45 ms" for "6445.7 us". */
bool report_html_sentence(struct tr_buf *out, const char *s, size_t len);

/* ---- report_html.c ---- */

enum tr_status report_html_write(const struct report *r, struct tr_error *err);

/* ---- report_html_base.c: both runs in one picture ---- */

/* Are the two runs of a section drawn in one picture? */
bool report_html_compares(const struct report *r, enum report_id id);
enum tr_status report_html_compared(const struct report *r, enum report_id id, struct tr_buf *out,
                                    struct tr_error *err);

/* ---- report_html_ranks.c ---- */

/*
 * Below the picture of a section: by how much each rank is above the median of all in a part of its time; nothing if
 * the ranks are few or alike, or in other sections.
 */
enum tr_status report_html_ranks(const struct report *r, enum report_id id, struct tr_buf *out, struct tr_error *err);

/* ---- report_html_steps.c ---- */

#define REPORT_STEP_PARTS 6u
struct report_step_mean {
    int64_t step;
    double parts[REPORT_STEP_PARTS], n_rows;
};

/*
 * Columns of the table of steps, up to the first that is NULL, as means over the ranks, or of one rank, in the order of
 * the steps.  v: to be freed.
 */
bool report_step_means(const struct report *r, int64_t rank, const char *const *columns, struct report_step_mean **v,
                       size_t *n);
/* The part of each step that a finding is about, as bars; nothing if it is about none, or there are no steps. */
bool report_html_part(const struct report *r, const struct tr_finding *x, struct tr_buf *out);

/* ---- report_html_findings.c ---- */

/* The main thing that the page says, on one line, as plain text. */
bool report_html_headline(const struct report *r, struct tr_buf *out);
/* The section of findings.  The sections that they name are on the page. */
bool report_html_findings(const struct report *r, struct tr_buf *out);

/* ---- report_html_pictures.c: of the table of a section, before it is written ---- */

enum tr_status report_html_picture(const struct report *r, enum report_id id, struct tr_table *t, struct tr_buf *out,
                                   struct tr_error *err);
/* A picture of a table; nothing if it has no rows, or these cannot be drawn. */
enum tr_status report_html_draw(struct tr_table *t, const struct tr_chart *chart, const char *title,
                                struct tr_buf *out, struct tr_error *err);
/* The column whose texts name the rows of a section. */
const struct tr_table_column *report_html_label(const struct report *r, enum report_id id);
/* The sum of a column.  t: NULL is allowed. */
double report_html_sum(const struct tr_table *t, const char *column);
/* What the figures say, in one sentence; nothing if the table says it by itself. */
bool report_html_means(const struct report *r, enum report_id id, const struct tr_table *t, struct tr_buf *out);
/* The question that a section answers. */
const char *report_html_question(enum report_id id);

#endif
