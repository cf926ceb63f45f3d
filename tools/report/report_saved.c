/* SPDX-License-Identifier: MIT */
/*
 * tr-report: partial results.
 *
 * A page of which a run saves its part is a stream without events.  It has the sources and their summary, the partial
 * results of the analyses of all sections, under names of their own, and these tables:
 *
 *     partial.report         one row: version, the sections
 *     partial.report.inputs  the inputs as given, for the commands of the page
 *     partial.report.counts  of a source: what tr-info counts, in the order of `counted'
 *     partial.report.steps   of a source: number and time of its selected steps
 */
#include "report/report_saved.h"

#include "cli/cli_partial.h"
#include "cli/cli_stream.h"
#include "model/tr_source_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD         "partial." REPORT_PARTIAL
#define INPUTS       HEAD ".inputs"
#define COUNTS       HEAD ".counts"
#define STEPS        HEAD ".steps"
#define FORM_VERSION 1

/* ---- what is counted of a source ---- */

#define COUNTED(member)                                                                            \
    {                                                                                              \
        offsetof(struct tr_info_source, member), sizeof((struct tr_info_source *)NULL)->member / 8 \
    }
static const struct {
    size_t at, n; /* of numbers of 64 bits */
} counted[] = {
    COUNTED(n_events), COUNTED(n_phase),          COUNTED(n_activity), COUNTED(n_suspect), COUNTED(coverage),
    COUNTED(n_comm),   COUNTED(n_comm_described), COUNTED(n_open),     COUNTED(trust),
};

static struct tr_side_table *table_of_int(const char *name, uint32_t source, const char *column)
{
    struct tr_side_table *t = tr_side_table_new(name, source);
    if (t && tr_side_table_column(t, column, TR_T_INT))
        return t;
    tr_side_table_free(t);
    return NULL;
}

static bool add_int(struct tr_side_table *t, int64_t v)
{
    return tr_side_table_add(t, &(struct tr_side_value){ .present = true, .v = v });
}

static bool save_counts(const struct tr_info_source *s, uint32_t source, struct tr_side_tables *tables)
{
    struct tr_side_table *t = table_of_int(COUNTS, source, "count");
    bool ok = t && add_int(t, s->no_work);
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
        for (size_t i = 0; i < counted[k].n && ok; i++) {
            int64_t v;
            memcpy(&v, (const char *)s + counted[k].at + i * sizeof v, sizeof v);
            ok = add_int(t, v);
        }
    if (ok)
        return tr_side_tables_add(tables, t);
    tr_side_table_free(t);
    return false;
}

/* False: there are not as many as there should be. */
static bool load_counts(struct tr_info_source *s, const struct tr_side_table *t)
{
    struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
    size_t at = 0;
    bool ok = t->n_columns == 1 && tr_side_table_row(t, &at, v);
    *s = (struct tr_info_source){ .first_ts = TR_TIME_NONE, .last_end = TR_TIME_NONE };
    if (ok && v[0].v > 0 && v[0].v < TR_N_NO_WORK)
        s->no_work = (enum tr_no_work)v[0].v;
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
        for (size_t i = 0; i < counted[k].n && ok; i++)
            if ((ok = tr_side_table_row(t, &at, v) && v[0].present))
                memcpy((char *)s + counted[k].at + i * sizeof v[0].v, &v[0].v, sizeof v[0].v);
    return ok && !tr_side_table_row(t, &at, v);
}

/* ---- steps ---- */

static bool add_step(struct tr_side_table *t, int64_t number, int64_t dur)
{
    const struct tr_side_value row[] = { { .present = true, .v = number }, { .present = true, .v = dur } };
    return tr_side_table_add(t, row);
}

/* Those of a source, of events or of a partial result. */
static bool save_steps(const struct report_saving *s, uint32_t from, uint32_t source, struct tr_side_tables *tables)
{
    struct tr_side_table *t = table_of_int(STEPS, source, "number");
    size_t n;
    const struct tr_step_span *rows = tr_step_ends_rows(s->ends, &n);
    bool ok = t && tr_side_table_column(t, "time", TR_T_INT);
    for (size_t i = 0; i < n && ok && !report_of_partial(s->r, from); i++)
        if (rows[i].source == from && tr_select_step(s->select, from, &rows[i].at))
            ok = add_step(t, rows[i].at.number, tr_step_span_time(&rows[i]));
    for (size_t i = 0; ok && report_of_partial(s->r, from) && i < s->in->tables->n; i++) {
        const struct tr_side_table *old = s->in->tables->v[i];
        struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
        for (size_t at = 0;
             ok && old->source == from && strcmp(old->name, STEPS) == 0 && tr_side_table_row(old, &at, v);)
            ok = add_step(t, v[0].v, v[1].v);
    }
    if (ok)
        return tr_side_tables_add(tables, t);
    tr_side_table_free(t);
    return false;
}

/* ---- sources ---- */

/* A track for each source, so that clocks are those of its tracks: one that was not aligned, if there is one. */
static bool add_track(struct tr_dict *to, uint32_t source, const struct tr_dict *from, uint32_t old)
{
    const struct tr_track *first = NULL;
    const struct tr_clock *clock = NULL;
    for (uint32_t i = 0; i < from->n_tracks; i++) {
        const struct tr_clock *c = tr_dict_clock(from, i);
        bool aligned = c && !c->domain;
        if (from->tracks[i].source != old || (first && (aligned || !clock)))
            continue;
        first = &from->tracks[i];
        clock = aligned ? c : NULL;
    }
    struct tr_track track = { .source = source,
                              .side = first ? first->side : TR_SIDE_HOST,
                              .pid_type = TR_T_NULL,
                              .tid_type = TR_T_NULL,
                              .device = TR_I64_NONE,
                              .context = TR_I64_NONE,
                              .stream = TR_I64_NONE,
                              .process_name = TR_NO_STR,
                              .thread_name = TR_NO_STR,
                              .labels = TR_NO_STR,
                              .process_sort = TR_I64_NONE,
                              .thread_sort = TR_I64_NONE };
    if (clock) {
        struct tr_clock own = {
            .source = source, .frame = clock->frame, .first_ts = TR_TIME_NONE, .last_end = TR_TIME_NONE
        };
        uint32_t n = tr_dict_add_clock(to, &own);
        if (n == UINT32_MAX)
            return false;
        track.clock = n + 1;
    }
    return tr_dict_add_track(to, &track) != UINT32_MAX;
}

static uint32_t text_in(struct tr_dict *to, const struct tr_dict *from, uint32_t text, bool *ok)
{
    struct tr_str s = tr_dict_text_if(from, text);
    uint32_t id = s.s ? tr_strtab_add(to->strings, s.s, s.len) : TR_NO_STR;
    *ok = *ok && (!s.s || id != TR_NO_STR);
    return id;
}

static bool add_source(struct tr_dict *to, struct tr_summary *summary, const struct tr_input *in, uint32_t old)
{
    struct tr_source s = in->dict->sources[old];
    uint32_t n = (uint32_t)to->n_sources, members[2 * TR_SOURCE_FACTS];
    bool ok = true;
    s.name = text_in(to, in->dict, s.name, &ok);
    s.host = text_in(to, in->dict, s.host, &ok);
    s.mesh = text_in(to, in->dict, s.mesh, &ok);
    s.format = text_in(to, in->dict, s.format, &ok);
    s.job = text_in(to, in->dict, s.job, &ok);
    ok = ok && tr_source_facts_keep(to, &s, members, in->dict, &in->dict->sources[old]);
    s.of_file = s.of_file && n > 0;
    ok = ok && tr_dict_add_source(to, &s) != UINT32_MAX && add_track(to, n, in->dict, old);
    if (ok && old < in->summary->n)
        ok = tr_summary_copy_source(&summary->sources[n], &in->summary->sources[old]);
    for (size_t i = 0; ok && i < summary->sources[n].n_steps; i++)
        summary->sources[n].steps[i].track = n;
    return ok;
}

/* ---- saving ---- */

static bool save_head(const struct report_saving *s, struct tr_side_tables *tables)
{
    struct tr_side_table *t = table_of_int(HEAD, UINT32_MAX, "version");
    struct tr_buf sections = { 0 };
    bool ok = t && tr_side_table_column(t, "sections", TR_T_STRING) && tr_side_table_column(t, "distinct", TR_T_INT) &&
              tr_side_table_column(t, "selection", TR_T_STRING);
    for (int id = 0; id < REPORT_N_SECTIONS && ok; id++)
        if (s->r->wanted[id])
            ok = tr_buf_print(&sections, "%s%s", sections.len ? "," : "", report_sections[id].name);
    const struct tr_side_value row[] = {
        { .present = true, .v = FORM_VERSION },
        { .present = true, .text = tr_buf_text(&sections), .len = sections.len },
        { .present = true, .v = (int64_t)s->about->distinct },
        { .present = true, .text = s->about->selection.s ? s->about->selection.s : "", .len = s->about->selection.len }
    };
    ok = ok && tr_side_table_add(t, row);
    tr_buf_free(&sections);
    if (ok)
        return tr_side_tables_add(tables, t);
    tr_side_table_free(t);
    return false;
}

static bool save_inputs(const struct report *r, struct tr_side_tables *tables)
{
    struct tr_side_table *t = tr_side_table_new(INPUTS, UINT32_MAX);
    size_t n;
    const char *const *paths = report_inputs(r, &n);
    bool ok = t && tr_side_table_column(t, "path", TR_T_STRING);
    for (size_t i = 0; i < n && ok; i++)
        ok =
            tr_side_table_add(t, &(struct tr_side_value){ .present = true, .text = paths[i], .len = strlen(paths[i]) });
    if (ok)
        return tr_side_tables_add(tables, t);
    tr_side_table_free(t);
    return false;
}

static bool save_sources(const struct report_saving *s, struct tr_dict *dict, struct tr_summary *summary,
                         struct tr_side_tables *tables)
{
    const struct tr_info_source none = { .n_events = 0 };
    bool ok = true;
    for (uint32_t i = 0; i < s->in->dict->n_sources && ok; i++) {
        uint32_t n = (uint32_t)dict->n_sources;
        if (!tr_select_source(s->select, i))
            continue;
        ok = add_source(dict, summary, s->in, i) &&
             save_counts(s->r->info && i < s->r->info->n_sources ? &s->r->info->sources[i] : &none, n, tables) &&
             save_steps(s, i, n, tables);
    }
    return ok;
}

static enum tr_status save_analyses(const struct report_saving *s, struct tr_side_tables *tables, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < tr_runner_count(s->runner) && st == TR_OK; i++)
        st = tr_runner_save(s->runner, i, tables, err);
    return st;
}

enum tr_status report_save(const struct report_saving *s, struct cli *cli, const char *path, struct tr_error *err)
{
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *summary = tr_summary_new(s->in->dict->n_sources);
    enum tr_status st = save_analyses(s, &tables, err);
    if (st == TR_OK && !(dict && summary && save_head(s, &tables) && save_inputs(s->r, &tables) &&
                         save_sources(s, dict, summary, &tables)))
        st = tr_fail_memory(err);
    if (st == TR_OK) {
        summary->n = dict->n_sources; /* the other rows are empty */
        summary->sorted = true;
        st = cli_output_to(cli, path, err);
    }
    if (st == TR_OK)
        st = cli_partial_write_tables(cli, s->in, dict, summary, &tables, err);
    tr_side_tables_free(&tables);
    tr_summary_free(summary);
    tr_dict_free(dict);
    return st;
}

/* ---- loading ---- */

bool report_saved_any(const struct tr_input *in)
{
    for (size_t i = 0; in->tables && i < in->tables->n; i++)
        if (strcmp(in->tables->v[i]->name, HEAD) == 0)
            return true;
    return false;
}

static enum tr_status refuse(const struct tr_input *in, struct tr_error *err, const char *why)
{
    tr_error_input(err, in->name);
    return tr_fail(err, TR_DAMAGED, "%s", why);
}

static enum tr_status malformed(const struct tr_input *in, struct tr_error *err)
{
    return refuse(in, err, "a partial result of 'report' is malformed");
}

static bool in_list(const char *list, size_t len, const char *name)
{
    for (size_t at = 0; at < len;) {
        const char *comma = memchr(list + at, ',', len - at);
        size_t end = comma ? (size_t)(comma - list) : len;
        if (strlen(name) == end - at && memcmp(list + at, name, end - at) == 0)
            return true;
        at = end + 1;
    }
    return false;
}

/* The sections of all partial results, which must be the same. */
static enum tr_status load_heads(struct report *r, const struct tr_input *in, struct tr_error *err)
{
    struct tr_str sections = { NULL, 0 };
    struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
    for (size_t i = 0; i < in->tables->n; i++) {
        const struct tr_side_table *t = in->tables->v[i];
        for (size_t at = 0; strcmp(t->name, HEAD) == 0 && tr_side_table_row(t, &at, v);) {
            if (v[0].v != FORM_VERSION)
                return refuse(in, err, "a partial result of 'report' was saved by another version");
            if (t->n_columns != 4 || t->columns[1].type != TR_T_STRING || t->columns[3].type != TR_T_STRING)
                return malformed(in, err);
            struct tr_str one = { v[1].text ? v[1].text : "", v[1].len };
            const struct tr_partial_about about = { .distinct = (uint64_t)v[2].v,
                                                    .selection = { v[3].text ? v[3].text : "", v[3].len } };
            if (sections.s && tr_str_cmp(sections, one) != 0)
                return refuse(in, err, "partial results of 'report' have other sections (--sections)");
            if (sections.s && about.distinct != r->saved.distinct)
                return refuse(in, err, "partial results of 'report' have another --distinct");
            if (sections.s && tr_str_cmp(about.selection, r->saved.selection) != 0)
                return refuse(in, err, "partial results of 'report' have other events");
            sections = one;
            r->saved = about;
        }
    }
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        r->wanted[id] = in_list(sections.s, sections.len, report_sections[id].name);
    return TR_OK;
}

/* Which sources are from partial results?  Their events are not there. */
static enum tr_status mark_sources(struct report *r, const struct tr_input *in, struct tr_error *err)
{
    size_t n = 0;
    r->of_partial = calloc(in->dict->n_sources + 1, 1);
    if (!r->of_partial)
        return tr_fail_memory(err);
    for (size_t i = 0; i < in->tables->n; i++)
        if (strcmp(in->tables->v[i]->name, COUNTS) == 0 && in->tables->v[i]->source < in->dict->n_sources)
            r->of_partial[in->tables->v[i]->source] = 1;
    for (uint32_t i = 0; i < in->dict->n_sources; i++)
        n += r->of_partial[i];
    for (uint32_t i = 0; i < in->dict->n_sources && in->dict->n_sources > 1; i++) {
        unsigned rule = in->dict->sources[i].rank_rule;
        if (r->of_partial[i] && (rule == TR_RANK_ORDER || rule == TR_RANK_RENUMBERED))
            return refuse(in, err, "a partial result of 'report' has a source of unknown rank, beside others");
    }
    r->n_of_partial = n;
    return TR_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_path(struct report *r, const char *s, size_t len)
{
    char *path = strndup(s, len);
    if (!path || !tr_grow(&r->paths, &r->cap_paths, r->n_paths + 1, sizeof *r->paths)) {
        free(path);
        return false;
    }
    r->paths[r->n_paths++] = path;
    return true;
}

/* The inputs that the partial results had, and the other inputs of this run, for the commands of the page. */
static enum tr_status load_inputs(struct report *r, const struct tr_input *in, struct tr_error *err)
{
    struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
    size_t n;
    bool ok = true;
    const char *const *operands = cli_operands(r->cli, &n);
    for (size_t i = 0; i < in->tables->n; i++) {
        const struct tr_side_table *t = in->tables->v[i];
        for (size_t at = 0; ok && strcmp(t->name, INPUTS) == 0 && tr_side_table_row(t, &at, v);)
            ok =
                !v[0].present || t->columns[0].type != TR_T_STRING || add_path(r, v[0].text ? v[0].text : "", v[0].len);
    }
    for (size_t i = 0; i < n && ok && r->n_of_partial < in->dict->n_sources; i++) {
        struct tr_input *partial = cli_partial_open(r->cli, operands[i]);
        ok = partial || add_path(r, operands[i], strlen(operands[i]));
        if (partial)
            tr_input_close(partial);
    }
    if (!ok)
        return tr_fail_memory(err);
    if (r->n_paths)
        qsort(r->paths, r->n_paths, sizeof *r->paths, by_text);
    return TR_OK;
}

enum tr_status report_saved_open(struct report *r, const struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = load_heads(r, in, err);
    if (st == TR_OK)
        st = mark_sources(r, in, err);
    return st == TR_OK ? load_inputs(r, in, err) : st;
}

enum tr_status report_saved_hide(const struct report *r, struct tr_select *select, bool hide, struct tr_error *err)
{
    for (uint32_t i = 0; r->of_partial && i < r->in->dict->n_sources; i++)
        if (r->of_partial[i] && !tr_select_hide(select, i, hide))
            return tr_fail_memory(err);
    return TR_OK;
}

enum tr_status report_saved_load(struct report *r, struct tr_runner *runner, struct tr_runner *events,
                                 struct tr_step_times *steps, struct tr_error *err)
{
    const struct tr_side_tables *tables = r->in->tables;
    struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < tr_runner_count(runner) && st == TR_OK; i++)
        st = tr_runner_merge(runner, i, tables, events, i, err);
    for (size_t i = 0; i < tables->n && st == TR_OK; i++) {
        const struct tr_side_table *t = tables->v[i];
        if (t->source >= r->in->dict->n_sources)
            continue;
        if (strcmp(t->name, COUNTS) == 0 && r->info && t->source < r->info->n_sources &&
            !load_counts(&r->info->sources[t->source], t))
            return malformed(r->in, err);
        for (size_t at = 0; strcmp(t->name, STEPS) == 0 && st == TR_OK && tr_side_table_row(t, &at, v);) {
            if (t->n_columns != 2 || !v[0].present || !v[1].present)
                return malformed(r->in, err);
            if (!tr_step_times_add(steps, r->in->dict->sources[t->source].capture, v[0].v, v[1].v))
                st = tr_fail_memory(err);
        }
    }
    if (st != TR_OK)
        tr_error_input(err, r->in->name);
    return st;
}

void report_saved_free(struct report *r)
{
    for (size_t i = 0; i < r->n_paths; i++)
        free(r->paths[i]);
    free(r->paths);
    free(r->of_partial);
}
