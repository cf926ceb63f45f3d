/* SPDX-License-Identifier: MIT */
/* What the files of tr-view share. */
#ifndef VIEW_H
#define VIEW_H

#include "cli/cli_select.h"
#include "formats/common/tr_overlaps.h"
#include "formats/text/tr_fields.h"

enum view_format { VIEW_TEXT, VIEW_TSV, VIEW_JSONL, VIEW_JSON, VIEW_CHROME, VIEW_PERFETTO, VIEW_CSV, VIEW_MD,
                   VIEW_SQLITE, VIEW_XLSX };

#define VIEW_NOT_GIVEN (-1)

struct view {
    int format, unit, overlap;
    struct tr_fields fields; /* none: the default fields of the format */
    uint64_t limit;
    const char *by; /* the name of tables; NULL: events */
    const char *args; /* in outputs of several tables: see view_book.h */
    struct cli_select select;
    bool relative;
    bool gpu_stages;
    uint64_t budget; /* bytes; 0: none */
    bool open, keep; /* serve the output on a port */
    uint64_t port;
};

/* Where the output goes. */
struct view_sink {
    enum tr_status (*write)(void *self, const void *bytes, size_t n, struct tr_error *err);
    void *self;
};

/* Read the fields to show, of the option --columns or the default of the format, before anything is opened. */
enum tr_status view_fields(struct view *v, const char *columns, struct tr_error *err);

/* Write the selected events of the operands. */
enum tr_status view_events(struct cli *cli, struct view *v, const struct view_sink *to, struct tr_error *err);

/* --overlap HOW: *o handles spans that overlap others in part; NULL: they stay.  Then, say how many were changed. */
enum tr_status view_overlaps_open(int how, const struct tr_input *in, struct tr_overlaps **o, struct tr_error *err);
void view_overlaps_warn(struct cli *cli, int how, const struct tr_overlaps *o, const struct tr_input *in);

/* Write them, or the page that the operand is, to a temporary file, and give that to a browser. */
#ifdef HAVE_MICROHTTPD
enum tr_status view_open(struct cli *cli, struct view *v, struct tr_error *err);
#else
static inline enum tr_status view_open(struct cli *cli, struct view *v, struct tr_error *err)
{
    (void)cli;
    (void)v;
    return tr_fail(err, TR_USAGE, "--open needs libmicrohttpd, which this program was built without");
}
#endif

#endif
