/* SPDX-License-Identifier: MIT */
/* tr-report: steps as means over ranks, and the part of each step that a finding is about. */
#include "report/report_html.h"

#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TR_ORDER(by_step, struct report_step_mean, TR_UP(step))

/* The rows of one step as one, in order. */
static size_t joined(struct report_step_mean *v, size_t n)
{
    size_t to = 0;
    qsort(v, n, sizeof *v, by_step);
    for (size_t i = 0; i < n; i++) {
        if (!to || v[to - 1].step != v[i].step) {
            v[to++] = v[i];
            continue;
        }
        for (size_t k = 0; k < REPORT_STEP_PARTS; k++)
            v[to - 1].parts[k] += v[i].parts[k];
        v[to - 1].n_rows += v[i].n_rows;
    }
    for (size_t i = 0; i < to; i++)
        for (size_t k = 0; k < REPORT_STEP_PARTS; k++)
            v[i].parts[k] /= v[i].n_rows;
    return to;
}

bool report_step_means(const struct report *r, int64_t rank, const char *const *columns, struct report_step_mean **v,
                       size_t *n)
{
    const struct tr_table *t = r->findings ? tr_findings_table(r->findings, TR_FACT_STEPS) : NULL;
    size_t n_rows = t ? tr_table_rows(t) : 0, ranks = t ? tr_table_find(t, "rank") : SIZE_MAX;
    size_t steps = t ? tr_table_find(t, "step") : SIZE_MAX, parts[REPORT_STEP_PARTS];
    for (size_t k = 0; t && k < REPORT_STEP_PARTS && columns[k]; k++)
        parts[k] = tr_table_find(t, columns[k]);
    *n = 0;
    *v = calloc(n_rows + 1, sizeof **v);
    if (!*v)
        return false;
    for (size_t row = 0; row < n_rows; row++) {
        double step = report_cell_at(t, row, steps), of = report_cell_at(t, row, ranks);
        if (isnan(step) || (rank != TR_I64_NONE && of != (double)rank))
            continue;
        struct report_step_mean *x = &(*v)[(*n)++];
        *x = (struct report_step_mean){ .step = (int64_t)step, .n_rows = 1 };
        for (size_t k = 0; k < REPORT_STEP_PARTS && columns[k]; k++) {
            double part = report_cell_at(t, row, parts[k]);
            x->parts[k] = isnan(part) ? 0 : part;
        }
    }
    *n = joined(*v, *n);
    return true;
}

/* ---- the picture of a finding ---- */

#define MOST_BARS 60u /* of more steps, several in a row are one bar, as a mean */
#define WIDTH     600
#define HEIGHT    100

static bool add_bar(const struct report_step_mean *v, size_t n, double x, double width, double most,
                    struct tr_buf *out)
{
    double part = 0, whole = 0;
    for (size_t i = 0; i < n; i++) {
        part += v[i].parts[0] / (double)n;
        whole += v[i].parts[1] / (double)n;
    }
    double high = HEIGHT * whole / most, cut = HEIGHT * fmin(part, whole) / most;
    return tr_buf_print(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"rest\"><title>", x,
                        HEIGHT - high, width, high - cut) &&
           tr_buf_print(out, n > 1 ? "steps %lld to %lld: " : "step %lld: ", (long long)v[0].step,
                        (long long)v[n - 1].step) &&
           report_html_plain_time(out, part) && tr_buf_add_str(out, " of ") && report_html_plain_time(out, whole) &&
           tr_buf_print(out,
                        "</title></rect><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"cut\"/>",
                        x, HEIGHT - cut, width, cut);
}

static bool add_bars(const struct report_step_mean *v, size_t n, double most, struct tr_buf *out)
{
    size_t each = (n + MOST_BARS - 1) / MOST_BARS, n_bars = (n + each - 1) / each;
    double width = (double)WIDTH / (double)n_bars;
    bool ok = true;
    for (size_t i = 0; ok && i < n_bars; i++)
        ok = add_bar(v + i * each, i * each + each < n ? each : n - i * each, (double)i * width, width * 0.86, most,
                     out);
    return ok;
}

/* What a column of the table of steps says, for people. */
static const char *words_of(const char *column)
{
    static const char *const words[][2] = {
        { "data_loading", "waiting for data" },
        { "exposed_comm", "communication that no compute hides" },
        { "host_busy", "waiting for the host" },
        { "drained", "nothing queued, because the host waited" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], column) == 0)
            return words[i][1];
    return column;
}

static bool add_picture(const struct tr_finding *x, const struct report_step_mean *v, size_t n, double most,
                        struct tr_buf *out)
{
    struct tr_buf words = { 0 };
    bool ok = tr_buf_print(&words, "Steps %lld to %lld: %s", (long long)v[0].step, (long long)v[n - 1].step,
                           words_of(x->part)) &&
              (x->rank == TR_I64_NONE || tr_buf_print(&words, ", on rank %lld", (long long)x->rank)) &&
              tr_buf_print(out,
                           "<div class=\"part\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                           "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s\">",
                           WIDTH, HEIGHT, tr_buf_text(&words)) &&
              add_bars(v, n, most, out) &&
              tr_buf_print(out, "</svg>\n<p class=\"minor\">%s</p></div>\n", tr_buf_text(&words));
    tr_buf_free(&words);
    return ok;
}

bool report_html_part(const struct report *r, const struct tr_finding *x, struct tr_buf *out)
{
    const char *const columns[REPORT_STEP_PARTS] = { x->part, "time" };
    struct report_step_mean *v = NULL;
    double most = 0, sum = 0;
    size_t n;
    if (!x->part || r->n_captures > 1)
        return true;
    bool ok = report_step_means(r, x->rank, columns, &v, &n);
    for (size_t i = 0; ok && i < n; i++) {
        most = fmax(most, v[i].parts[1]);
        sum += v[i].parts[0];
    }
    if (ok && n > 1 && sum > 0 && most > 0)
        ok = add_picture(x, v, n, most, out);
    free(v);
    return ok;
}
