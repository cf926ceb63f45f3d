/* SPDX-License-Identifier: MIT */
/* A window on the text of an input. */
#include "formats/common/tr_window_int.h"

#include "json/tr_json.h"

#include <stdlib.h>
#include <string.h>

enum tr_status tr__window_fill(struct tr__window *w, struct tr_ingest *g, size_t want, struct tr_error *err)
{
    if (w->p)
        memmove(w->p, w->p + w->at, w->n - w->at);
    w->n -= w->at;
    w->offset += w->at;
    w->at = 0;
    if (want + TR__WINDOW_PAD > w->cap) {
        char *p = realloc(w->p, want + TR__WINDOW_PAD);
        if (!p)
            return tr_fail_memory(err);
        w->p = p;
        w->cap = want + TR__WINDOW_PAD;
    }
    while (w->n < want && !w->last) {
        size_t got;
        enum tr_status st = tr_ingest_read(g, w->p + w->n, want - w->n, &got, err);
        if (st != TR_OK && st != TR_END)
            return st;
        w->n += got;
        w->last = st == TR_END;
    }
    memset(w->p + w->n, 0, TR__WINDOW_PAD);
    return TR_OK;
}

const char *tr__window_skip_blanks(struct tr__window *w)
{
    while (w->at < w->n && tr_json_space(w->p[w->at]))
        w->at++;
    return w->at < w->n ? w->p + w->at : NULL;
}

void tr__window_rewind(struct tr__window *w)
{
    w->n = w->at = 0;
    w->offset = 0;
    w->last = false;
}

void tr__window_free(struct tr__window *w)
{
    free(w->p);
}

void tr__line_lost(struct tr_ingest *g, uint64_t offset)
{
    static const struct tr_ingest_cause cause = { "unknown_line", "line of no known form, left out", true };
    tr_ingest_damaged_by(g, &cause, offset);
}
