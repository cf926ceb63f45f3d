/* SPDX-License-Identifier: MIT */
/* Events in each format of tr-view; within a budget, they are read and written twice. */
#include "view/view.h"

#include "cli/cli_reread.h"
#include "formats/chrome/tr_chrome_write.h"
#include "formats/common/tr_overlaps.h"
#include "formats/perfetto/tr_perfetto_write.h"
#include "formats/text/tr_text_write.h"
#include "stream/tr_batch_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_FIELDS "rank,device,stream,ts,dur,phase,activity,name"
#define TEXT_FIELDS  "rank,ts,dur,activity,name" /* the width of a line */
#define JSON_FIELDS                                                                                \
    "rank,source,record,phase,activity,kind,ts,dur,pid,tid,device,stream,name,cat,class?,suspect?" \
    ","                                                                                            \
    "members?,args,launch_record?,launch_ts?,launch_dur?,api?,n_device?,graph_id?,graph_node?,"            \
    "ts_ps?,dur_ps?"

/* The writer for the format; the others are NULL. */
struct writer {
    struct tr_chrome_writer *chrome;
    struct tr_perfetto_writer *perfetto;
    struct tr_text_writer *text;
    struct tr_field_columns columns;
    struct tr_selector *selector; /* of some events of a batch */
    struct tr_batch *selected;
    struct tr_overlaps *overlaps; /* NULL: spans do not change */
    struct cli_reread *again;     /* the events will be read again; NULL: no */
};

/* Args are the largest part of a stream, so only those that will be shown are decoded. */
static enum tr_status want_fields(struct tr_input *in, const struct tr_fields *fields,
                                  struct tr_error *err)
{
    struct tr_projection want = { .fixed = TR_FIXED_ALL, .derived = (1u << TR_N_DERIVED) - 1 };
    const char **keys = calloc(fields->n, sizeof *keys);
    if (!keys)
        return tr_fail_memory(err);
    for (size_t k = 0; k < fields->n; k++) {
        const struct tr_field *f = &fields->list[k];
        want.all_packed |= f->id == TR_FIELD_ARGS || f->id == TR_FIELD_MEMBERS;
        if (f->key)
            keys[want.n_keys++] = f->key;
    }
    want.keys = keys;
    bool ok = tr_input_want(in, &want);
    free(keys);
    return ok ? TR_OK : tr_fail_memory(err);
}

static bool is_json(const struct view *v)
{
    return v->format == VIEW_JSONL || v->format == VIEW_JSON;
}

enum tr_status view_fields(struct view *v, const char *columns, struct tr_error *err)
{
    if (!columns)
        return tr_fields_parse(&v->fields,
                               is_json(v)          ? JSON_FIELDS
                               : v->format == VIEW_TEXT ? TEXT_FIELDS
                                                   : TABLE_FIELDS,
                               err);
    enum tr_status st = tr_fields_parse(&v->fields, strcmp(columns, "all") == 0 ? JSON_FIELDS : columns, err);
    if (st == TR_USAGE)
        tr_error_place(err, "option --columns");
    return st;
}

static enum tr_status writer_open(struct writer *w, struct view *v, size_t width, struct tr_input *in,
                                  struct tr_error *err)
{
    static const enum tr_text_format text_formats[] = {
        [VIEW_TEXT] = TR_TEXT_ALIGNED,
        [VIEW_TSV] = TR_TEXT_TSV,
        [VIEW_JSONL] = TR_TEXT_JSONL,
        [VIEW_JSON] = TR_TEXT_JSON,
    };
    bool json = is_json(v);
    w->selector = tr_selector_new();
    w->selected = tr_batch_new();
    if (!w->selector || !w->selected)
        return tr_fail_memory(err);
    enum tr_text_unit unit = v->unit != VIEW_NOT_GIVEN ? (enum tr_text_unit)v->unit
                             : json               ? TR_TEXT_NS
                                                  : TR_TEXT_US;
    if (v->format == VIEW_CHROME) {
        size_t n = in->summary->n;
        w->chrome =
            tr_chrome_writer_new(in->dict, n > in->dict->n_sources ? n : in->dict->n_sources);
        return w->chrome ? TR_OK : tr_fail_memory(err);
    }
    if (v->format == VIEW_PERFETTO) {
        w->perfetto = tr_perfetto_writer_new(in->dict, in->summary);
        if (w->perfetto && v->gpu_stages)
            tr_perfetto_writer_stages(w->perfetto);
        return w->perfetto ? TR_OK : tr_fail_memory(err);
    }
    enum tr_status st = tr_fields_start(&v->fields, &w->columns, in, err);
    if (st != TR_OK)
        return st;
    w->text = tr_text_writer_new(text_formats[v->format], unit, &v->fields, &w->columns);
    if (!w->text)
        return tr_fail_memory(err);
    tr_text_writer_width(w->text, width);
    if (v->relative)
        tr_text_writer_of_files(w->text);
    /* copying events needs all columns */
    return cli_select_any(&v->select) || v->overlap == TR_OVERLAP_DROP ? TR_OK : want_fields(in, &v->fields, err);
}

/* A viewer of Perfetto's format gets a track for every lane in any case. */
enum tr_status view_overlaps_open(int how, const struct tr_input *in, struct tr_overlaps **o, struct tr_error *err)
{
    if (how == TR_OVERLAP_KEEP)
        return TR_OK;
    if (!in->sorted)
        return tr_fail(err, TR_DAMAGED, "not in canonical order: sort it with tr-parse or tr-merge first");
    *o = tr_overlaps_new((enum tr_overlap)how);
    return *o ? TR_OK : tr_fail_memory(err);
}

static enum tr_status overlaps_open(struct writer *w, const struct view *v, const struct tr_input *in,
                                    struct tr_error *err)
{
    bool lanes = v->overlap == TR_OVERLAP_LANE || v->overlap == TR_OVERLAP_ASYNC;
    return lanes && v->format == VIEW_PERFETTO ? TR_OK : view_overlaps_open(v->overlap, in, &w->overlaps, err);
}

static void writer_close(struct writer *w)
{
    tr_chrome_writer_free(w->chrome);
    tr_perfetto_writer_free(w->perfetto);
    tr_text_writer_free(w->text);
    tr_field_columns_free(&w->columns);
    tr_selector_free(w->selector);
    tr_batch_free(w->selected);
    tr_overlaps_free(w->overlaps);
}

static enum tr_status flush(const struct view_sink *to, struct tr_buf *out, struct tr_error *err)
{
    size_t n = out->len;
    out->len = 0;
    return n && to ? to->write(to->self, out->data, n, err) : TR_OK;
}

/* The first n events of a batch. */
static enum tr_status write_batch(struct writer *w, const struct tr_batch *b, size_t n, const struct view_sink *to,
                                  struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t at = 0; at < n && st == TR_OK;) {
        st = w->chrome     ? tr_chrome_batch(w->chrome, b, &at, n, out, err)
             : w->perfetto ? tr_perfetto_batch(w->perfetto, b, &at, n, out, err)
                           : tr_text_batch(w->text, b, &at, n, out, err);
        if (st == TR_OK)
            st = flush(to, out, err);
    }
    return st;
}

/* The next batch, with only the selected events. */
static enum tr_status next_selected(struct view *v, struct writer *w, struct tr_input *in, const struct tr_batch **b,
                                    struct tr_error *err)
{
    const uint8_t *keep = NULL;
    enum tr_status st = tr_input_next(in, b, err);
    if (st == TR_OK && w->again)
        st = cli_reread_keep(w->again, *b, err);
    if (!cli_select_any(&v->select))
        return st;
    if (st == TR_OK)
        st = cli_select_mask(&v->select, *b, &keep, err);
    if (st == TR_OK && keep && memchr(keep, 0, (*b)->n)) {
        st = tr_batch_select(w->selector, *b, keep, w->selected, err);
        *b = w->selected;
    }
    if (st == TR_END && cli_select_end(&v->select, err) != TR_OK)
        st = TR_ABSENT;
    return st;
}

/* Handle spans that overlap others in part. */
static enum tr_status resolve(struct writer *w, const struct tr_batch **b, struct tr_error *err)
{
    if (!w->overlaps)
        return TR_OK;
    enum tr_status st = tr_overlaps_batch(w->overlaps, *b, b, err);
    if (w->chrome)
        tr_chrome_writer_lanes(w->chrome, tr_overlaps_lanes(w->overlaps));
    if (w->text)
        tr_text_writer_lanes(w->text, tr_overlaps_lanes(w->overlaps));
    return st;
}

void view_overlaps_warn(struct cli *cli, int how, const struct tr_overlaps *o, const struct tr_input *in)
{
    uint64_t found = o ? tr_overlaps_found(o) : 0;
    uint64_t shifted = found ? tr_overlaps_shifted(o) : 0;
    char what[160];
    if (!found || (how != TR_OVERLAP_DROP && how != TR_OVERLAP_SHIFT))
        return;
    if (how == TR_OVERLAP_DROP)
        snprintf(what, sizeof what, "%" PRIu64 " spans overlap others of their thread in part: left out", found);
    else
        snprintf(what, sizeof what,
                 "%" PRIu64 " spans overlap others of their thread in part: %" PRIu64
                 " begin later by less than %d ns, "
                 "%" PRIu64 " stay",
                 found, shifted, TR_OVERLAP_SHIFT_NS, found - shifted);
    cli_warn(cli, in->name, "", what);
}

/* A file for Perfetto has no times before 0. */
static void warn_of_shift(struct cli *cli, const struct writer *w, const struct tr_input *in)
{
    int64_t shift = w->perfetto ? tr_perfetto_writer_shift(w->perfetto) : 0;
    char what[120];
    if (shift == 0)
        return;
    snprintf(what, sizeof what, "all times are %" PRId64 " ns later in the output: Perfetto has none before 0", shift);
    cli_warn(cli, in->name, "", what);
}

/* Write all events with the writer.  to: NULL if the output is only measured. */
static enum tr_status write_events(struct cli *cli, struct view *v, struct writer *w, struct tr_input *in,
                                   const struct view_sink *to, struct tr_error *err)
{
    struct tr_buf out = { 0 };
    const struct tr_batch *b;
    enum tr_status st = TR_OK;
    uint64_t left = v->limit;
    while (left && st == TR_OK && (st = next_selected(v, w, in, &b, err)) == TR_OK) {
        st = resolve(w, &b, err);
        if (st != TR_OK)
            break;
        size_t n = b->n < left ? b->n : (size_t)left;
        st = write_batch(w, b, n, to, &out, err);
        left -= n;
    }
    if (to && (st == TR_OK || st == TR_END)) {
        cli_owners_warn(cli, in);
        view_overlaps_warn(cli, v->overlap, w->overlaps, in);
        warn_of_shift(cli, w, in);
    }
    if (st == TR_OK || st == TR_END)
        st = w->chrome     ? tr_chrome_end(w->chrome, &out, err)
             : w->perfetto ? tr_perfetto_end(w->perfetto, &out, err)
                           : tr_text_end(w->text, &out, err);
    if (st == TR_OK)
        st = flush(to, &out, err);
    tr_buf_free(&out);
    return st;
}

/* Write the events of an input that has just been opened. */
static enum tr_status write_input(struct cli *cli, struct view *v, struct tr_input *in, struct cli_reread *again,
                                  struct tr_perfetto_budget *budget, const struct view_sink *to, struct tr_error *err)
{
    struct writer w = { .again = again };
    enum tr_status st = cli_select_bind(&v->select, in, err);
    if (st == TR_OK)
        st = writer_open(&w, v, cli_width(cli), in, err);
    if (st == TR_OK)
        st = overlaps_open(&w, v, in, err);
    if (st == TR_OK && budget)
        tr_perfetto_writer_budget(w.perfetto, budget);
    if (st == TR_OK)
        st = write_events(cli, v, &w, in, to, err);
    if (st == TR_DAMAGED)
        tr_error_input(err, in->name);
    writer_close(&w);
    return st;
}

/* ---- within a budget ---- */

/* Report the spans that were left out. */
static void warn_of_budget(struct cli *cli, const struct tr_perfetto_budget *budget, const struct tr_input *in)
{
    uint64_t n_spans;
    int64_t longest;
    uint64_t n = tr_perfetto_budget_left_out(budget, &n_spans, &longest);
    char what[160];
    if (!n)
        return;
    snprintf(what, sizeof what,
             "%" PRIu64 " of %" PRIu64 " spans are left out to stay within the budget: the shortest of each thread and "
             "stream, none longer than %" PRId64 ".%03d us", n, n_spans, longest / 1000, (int)(longest % 1000));
    cli_warn(cli, in->name, "", what);
}

static enum tr_status within_budget(struct cli *cli, struct view *v, struct cli_reread *again,
                                    struct tr_perfetto_budget *budget, const struct view_sink *to,
                                    struct tr_error *err)
{
    struct tr_input *in;
    enum tr_status st = cli_reread_open(again, &in, err);
    if (st == TR_OK)
        st = write_input(cli, v, in, again, budget, NULL, err);
    if (st == TR_OK)
        st = cli_reread_done(again, err);
    if (st == TR_OK && (st = tr_perfetto_budget_decide(budget, v->budget, err)) != TR_OK)
        tr_error_place(err, "option --budget");
    if (st == TR_OK)
        st = cli_reread_open(again, &in, err);
    if (st == TR_OK)
        st = write_input(cli, v, in, NULL, budget, to, err);
    if (st == TR_OK)
        warn_of_budget(cli, budget, in);
    return st;
}

enum tr_status view_events(struct cli *cli, struct view *v, const struct view_sink *to, struct tr_error *err)
{
    struct cli_reread again = { .cli = cli };
    struct tr_perfetto_budget *budget = v->budget ? tr_perfetto_budget_new() : NULL;
    struct tr_input *in;
    enum tr_status st = v->budget && !budget ? tr_fail_memory(err) : TR_OK;
    if (st == TR_OK && budget)
        st = within_budget(cli, v, &again, budget, to, err);
    else if (st == TR_OK && (st = cli_input_operands(cli, 0, &in, err)) == TR_OK)
        st = write_input(cli, v, in, NULL, NULL, to, err);
    cli_reread_close(&again);
    tr_perfetto_budget_free(budget);
    return st;
}
