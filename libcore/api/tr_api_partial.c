/* SPDX-License-Identifier: MIT */
/* The public interface: reports that are saved as partial results, and made from them. */
#include "api/tr_api_report_int.h"

#include "analysis/tr_saved_view.h"
#include "base/tr_mem.h"
#include "stream/format/tr_writer.h"

#include <string.h>

/* ---- reading ---- */

static const struct tr_saving *saving_of(const struct tr__part *p)
{
    const struct tr_analysis *a = p->use.analysis;
    return tr_saving_of(a, p->per < 0 ? a->group : (enum tr_per)p->per);
}

static const char *name_of(const struct tr__part *p)
{
    const struct tr_saving *s = saving_of(p);
    return s && s->name ? s->name : p->use.analysis->name;
}

static enum tr_status of_input(const struct tr_trace *trace, enum tr_status st, struct tr_error *err)
{
    if (st != TR_OK)
        tr_error_input(err, trace->in->name);
    return st;
}

/* Sources of a saved page have no events here. */
static enum tr_status hide_saved(const struct tr_trace *trace, struct tr_error *err)
{
    const struct tr_side_tables *all = trace->in->tables;
    for (size_t i = 0; i < all->n; i++)
        if (tr_partial_view(all->v[i]).s && all->v[i]->source < trace->in->dict->n_sources &&
            !tr_select_hide(trace->select, all->v[i]->source, true))
            return tr_fail_memory(err);
    return TR_OK;
}

static enum tr_status check(const struct tr_report *r, const struct tr_trace *trace, bool partials, bool saved,
                            struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n; i++) {
        const struct tr__part *p = r->parts[i];
        if (!p->use.view)
            return tr_fail(err, TR_USAGE, "an analysis of the caller has no partial results");
        if (saved && (p->how.sort || p->how.columns || p->how.top || p->how.shorten))
            return tr_fail(err, TR_USAGE, "sort, columns, top and short-names are about tables: set them for the "
                                          "report that is made from what was saved");
        st = tr_runner_saves(r->runner, i, err);
        if (st == TR_OK && partials && r->n == 1) /* else each finds its own */
            st = of_input(trace, tr_partial_only(trace->in->tables, name_of(p), err), err);
    }
    return st == TR_OK && partials ? hide_saved(trace, err) : st;
}

enum tr_status tr__partial_prepare(const struct tr_report *r, const struct tr_trace *trace, bool saved,
                                   struct tr_buf *text, struct tr_analysis_in *in, struct tr_error *err)
{
    const bool partials = tr_partial_any(trace->in->tables);
    struct tr_partial_about about = { 0 };
    in->saved = saved || partials;
    if (!in->saved)
        return TR_OK;
    enum tr_status st = check(r, trace, partials, saved, err);
    for (size_t i = 0; st == TR_OK && partials && i < r->n && !about.distinct; i++)
        tr_partial_describe(trace->in->tables, saving_of(r->parts[i]), r->parts[i]->use.analysis->name, &about);
    in->distinct = about.distinct ? (size_t)about.distinct : saved ? TR_PARTIAL_DISTINCT : 0;
    bool ok = tr_select_text(&trace->choice, (const char *const *)trace->test_texts, trace->n_tests, text);
    if (ok && !text->len)
        ok = tr_buf_add_text(text, about.selection);
    if (ok && text->len)
        ok = tr_buf_add(text, "", 1);
    in->selection = text->len ? (const char *)text->data : NULL;
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* Are there events, beside partial results? */
static bool has_events(const struct tr_trace *trace)
{
    for (uint32_t i = 0; i < trace->in->dict->n_sources; i++)
        if (tr_select_source(trace->select, i))
            return true;
    return false;
}

enum tr_status tr__partial_add(struct tr_report *r, const struct tr_trace *trace, const struct tr_analysis_in *in,
                               struct tr_error *err)
{
    const bool events = has_events(trace);
    if (!tr_partial_any(trace->in->tables))
        return TR_OK;
    struct tr_runner *before = r->runner, *all = tr_runner_new();
    for (size_t i = 0; i < r->n; i++) {
        r->parts[i]->before = r->parts[i]->table;
        r->parts[i]->table = NULL;
    }
    enum tr_status st = all ? tr__report_fill(r, all, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_start_partials(all, in, err);
    for (size_t i = 0; st == TR_OK && i < r->n; i++)
        st = of_input(trace, tr_runner_merge(all, i, trace->in->tables, events ? before : NULL, i, err), err);
    tr_runner_free(before);
    r->runner = all;
    return st;
}

/* ---- writing ---- */

enum tr_status tr__partial_write(const struct tr_side_tables *tables, tr__write *write, void *ctx, struct tr_error *err)
{
    const struct tr_sink to = { write, ctx };
    const struct tr_writer_opts how = { .codec = TR_CODEC_ZLIB, .level = 9 };
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *summary = tr_summary_new(0);
    struct tr_writer *w = NULL;
    enum tr_status st = dict && summary ? tr_writer_new(&w, &to, &how, err) : tr_fail_memory(err);
    if (st == TR_OK) {
        tr_writer_tables(w, tables);
        st = tr_writer_start(w, dict, summary, NULL, true, err);
        if (st == TR_OK)
            st = tr_writer_finish(w, err);
        else
            tr_writer_abandon(w);
    }
    tr_summary_free(summary);
    tr_dict_free(dict);
    return st;
}

/* ---- analyses of partial results ---- */

static enum tr_status add_saved(struct tr_report *r, const struct tr_trace *trace, const char *name,
                                struct tr_error *err)
{
    struct tr_saved_view v;
    struct tr__part *p = tr__report_part(r);
    if (!p)
        return tr_fail_memory(err);
    enum tr_status st = tr_saved_view_open(&v, trace->in->tables, name, err);
    p->use = v.use;
    p->per = v.per;
    p->saved = v.texts;
    return st;
}

enum tr_status tr_report_add_saved(struct tr_report *r, const struct tr_trace *trace, struct tr_error *err)
{
    const char *name;
    enum tr_status st = TR_OK;
    if (r->ran)
        return tr_fail(err, TR_USAGE, "the analyses have been run");
    for (size_t i = 0; st == TR_OK && (name = tr_saved_view_name(trace->in->tables, i)) != NULL; i++)
        st = add_saved(r, trace, name, err);
    if (st == TR_OK && !tr_saved_view_name(trace->in->tables, 0))
        st = tr_fail(err, TR_USAGE, "there is no partial result");
    return of_input(trace, st, err);
}
