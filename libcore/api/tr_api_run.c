/* SPDX-License-Identifier: MIT */
/* The public interface: running the analyses of a report over a trace. */
#include "api/tr_api_report_int.h"

#include "base/tr_mem.h"
#include "stream/merge/tr_merge.h"
#include "table/tr_table_int.h"

#include <string.h>

/* Give the trace a dictionary that takes strings, if an analysis adds some. */
static enum tr_status own_dict(const struct tr_report *r, struct tr_trace *trace, struct tr_error *err)
{
    struct tr_input *in = trace->in;
    if (!r->open.own_dict || !in->sorted)
        return TR_OK;
    trace->in = NULL;
    return tr_merge_open(&trace->in, &in, 1, NULL, err);
}

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    const struct tr_report *r = self;
    (void)place;
    if (how != TR_REMARK_DETAIL)
        r->say(r->say_ctx, text);
}

/* Report that a part of the requested data is missing. */
static void report_doubt(void *self, const char *option, const char *text)
{
    const struct tr_report *r = self;
    (void)option;
    if (r->say)
        r->say(r->say_ctx, text);
}

/* Open the trace for the needs of all analyses. */
static enum tr_status start_trace(struct tr_report *r, struct tr_trace *trace, struct tr_error *err)
{
    struct tr_projection want = { .fixed = TR_GROUP_BY_FIXED, .derived = TR_STEPS_DERIVED };
    const struct tr_input *in = trace->in;
    bool host = false;
    enum tr_status st = tr_runner_needs(r->runner, &want, &host, err);
    if (st == TR_OK && !in->sorted) {
        tr_error_input(err, in->name);
        return tr_fail(err, TR_DAMAGED, "events are not in order of time");
    }
    if (st == TR_OK)
        st = tr__trace_start(trace, &want, err);
    if (st == TR_OK && (st = tr_select_found(trace->select, in->summary, report_doubt, r, err)) != TR_OK)
        tr_error_input(err, in->name);
    return st;
}

static struct tr_analysis_in input_of(struct tr_report *r, struct tr_trace *trace)
{
    return (struct tr_analysis_in){ .input = trace->in,
                                    .dict = trace->in->dict,
                                    .summary = trace->in->summary,
                                    .tables = trace->in->tables,
                                    .sorted = true,
                                    .select = trace->select,
                                    .work.suspect = trace->suspect,
                                    .one_clock = r->align ? &r->clock : NULL,
                                    .max_memory = trace->open.max_memory_bytes / 2,
                                    .temp_dir = trace->open.temp_dir,
                                    .remark = r->say ? remark : NULL,
                                    .remark_self = r,
                                    .go_on = { tr__trace_go_on, trace } };
}

static enum tr_status feed_all(struct tr_report *r, struct tr_trace *trace, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = tr__trace_masked(trace, &b, &keep, err)) == TR_OK)
        if ((st = tr_runner_feed(r->runner, b, keep, err)) != TR_OK)
            return st;
    return st == TR_END ? TR_OK : st;
}

/* Read the trace to its end.  The runner keeps the text of the selection. */
static enum tr_status read_all(struct tr_report *r, struct tr_trace *trace, bool saved, struct tr_buf *selection,
                               struct tr_error *err)
{
    if (r->ran || trace->started)
        return tr_fail(err, TR_USAGE, r->ran ? "the analyses have been run" : "events of the trace have been read");
    r->ran = true;
    r->runner = tr_runner_new();
    enum tr_status st = r->runner ? tr__report_fill(r, r->runner, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = own_dict(r, trace, err);
    if (st == TR_OK)
        st = start_trace(r, trace, err);
    struct tr_analysis_in in = input_of(r, trace);
    if (st == TR_OK)
        st = tr__partial_prepare(r, trace, saved, selection, &in, err);
    if (st == TR_OK)
        st = tr_runner_start(r->runner, &in, err);
    if (st == TR_OK)
        st = feed_all(r, trace, err);
    return st == TR_OK ? tr__partial_add(r, trace, &in, err) : st;
}

/* All rows are complete: sort them, and give the reason if there are none. */
static enum tr_status settle(struct tr_report *r, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct tr_table *t = r->parts[i]->table;
        const struct tr_analysis *is = tr__report_analysis(r->parts[i]);
        const char *why = tr_table_empty(t) ? tr_runner_why(r->runner, i) : NULL;
        if (why && !(why = tr_arena_copy(r->parts[i]->texts, why, strlen(why) + 1)))
            return tr_fail_memory(err);
        if (why && r->say)
            r->say(r->say_ctx, why);
        r->parts[i]->picture = (struct tr_picture){ .chart = is->chart, .title = is->question, .nothing = why };
        tr_table_picture(t, &r->parts[i]->picture);
        tr__table_complete(t);
        st = tr_table_status(t, err);
    }
    return st;
}

static void end_run(struct tr_report *r, struct tr_buf *selection)
{
    tr_runner_free(r->runner);
    r->runner = NULL;
    tr_buf_free(selection);
}

enum tr_status tr_report_run(struct tr_report *r, struct tr_trace *trace, struct tr_error *err)
{
    struct tr_buf selection = { NULL, 0, 0 };
    enum tr_status st = read_all(r, trace, false, &selection, err);
    if (st == TR_OK)
        st = tr_runner_finish(r->runner, err);
    if (st == TR_OK)
        st = settle(r, err);
    if (st == TR_OK && *r->clock.why && r->say)
        r->say(r->say_ctx, r->clock.why);
    r->done |= st == TR_OK; /* a second run is refused, and changes nothing */
    end_run(r, &selection);
    return st;
}

enum tr_status tr_report_save(struct tr_report *r, struct tr_trace *trace,
                              enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                              void *ctx, struct tr_error *err)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct tr_buf selection = { NULL, 0, 0 };
    enum tr_status st =
        r->n ? read_all(r, trace, true, &selection, err) : tr_fail(err, TR_USAGE, "no analysis was added");
    for (size_t i = 0; st == TR_OK && i < r->n; i++)
        if ((st = tr_go_on(&(struct tr_go_on){ tr__trace_go_on, trace }, err)) == TR_OK)
            st = tr_runner_save(r->runner, i, &tables, err);
    if (st == TR_OK)
        st = tr__partial_write(&tables, write, ctx, err);
    tr_side_tables_free(&tables);
    end_run(r, &selection);
    return st;
}
