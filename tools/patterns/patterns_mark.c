/* SPDX-License-Identifier: MIT */
/* tr-patterns --mark: the input and an annotation for each occurrence of a pattern. */
#include "patterns/patterns.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_sequences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 32u /* in a mark's list of work: a viewer shows it as one line */

/* The data that all marks of a pattern share. */
struct mark {
    uint32_t name, work;
};

struct marks {
    const struct tr_occurrence *found;
    size_t n_found, at;
    const struct tr_sequences *sequences;
    uint32_t *order; /* of rows */
    const bool *shown;
    struct tr_dict *dict;
    struct mark *of; /* by row */
    uint32_t cat;
    uint32_t shape[2][2]; /* by type of pid and tid: number or string */
    int64_t values[4];
};

/*
 * {"ph": "X", "cat": "pattern", "name": ..., "pid": ..., "tid": ..., "ts": ..., "dur": ...,
 *  "args": {"pattern": number, "count": ..., "length": ..., "work": "NAME|NAME..."}}
 */
static uint32_t make_shape(struct tr_dict *d, uint8_t pid_type, uint8_t tid_type)
{
    const struct tr_inject_member members[] = {
        TR_INJECT_TOP("ph", PHASE, TR_T_STRING),  TR_INJECT_TOP("cat", CAT, TR_T_STRING),
        TR_INJECT_TOP("name", NAME, TR_T_STRING), TR_INJECT_TOP("pid", PID, pid_type),
        TR_INJECT_TOP("tid", TID, tid_type),      TR_INJECT_TOP("ts", TS, TR_T_INT),
        TR_INJECT_TOP("dur", DUR, TR_T_INT),      TR_INJECT_TOP("args", ARGS, TR_T_JSON),
        TR_INJECT_ARG("pattern", TR_T_INT),       TR_INJECT_ARG("count", TR_T_INT),
        TR_INJECT_ARG("length", TR_T_INT),        TR_INJECT_ARG("work", TR_T_STRING),
    };
    return tr_inject_shape(d, 'X', members, sizeof members / sizeof *members);
}

/* Row number i in their order. */
static const struct tr_sequences_row *row_at(const struct marks *m, size_t i)
{
    return tr_rows_get(tr_sequences_rows(m->sequences), m->order[i]);
}

/* The name of a pattern, and of the work in it. */
static bool make_mark(struct marks *m, size_t row, struct tr_buf *text)
{
    const struct tr_sequences_row *r = row_at(m, row);
    uint32_t *names = calloc((size_t)r->n_work + 1, sizeof *names);
    char number[48];
    bool ok = names != NULL;
    if (ok)
        tr_sequences_names(m->sequences, r, names);
    snprintf(number, sizeof number, "pattern %zu: ", row + 1);
    text->len = 0;
    ok = ok && tr_buf_add_str(text, number) && tr_buf_add_text(text, tr_dict_text(m->dict, r->name));
    m->of[row].name = ok ? tr_strtab_add(m->dict->strings, text->data, text->len) : TR_NO_STR;
    text->len = 0;
    for (size_t i = 0; ok && i < r->n_work && i < MAX_NAMES; i++)
        ok = tr_buf_add_str(text, i ? "|" : "") &&
             tr_buf_add_text(text, tr_dict_text(m->dict, names[i]));
    if (ok && r->n_work > MAX_NAMES)
        ok = tr_buf_add_str(text, "|...");
    free(names);
    m->of[row].work = ok ? tr_strtab_add(m->dict->strings, text->data, text->len) : TR_NO_STR;
    return m->of[row].name != TR_NO_STR && m->of[row].work != TR_NO_STR;
}

static bool start_marks(struct marks *m, const struct tr_dict *dict, size_t n)
{
    static const uint8_t types[] = { TR_T_INT, TR_T_STRING };
    struct tr_buf text = { 0 };
    m->dict = tr_dict_copy(dict);
    m->of = calloc(n + 1, sizeof *m->of);
    bool ok = m->dict && m->of && (m->cat = tr_strtab_add(m->dict->strings, "pattern", 7)) != TR_NO_STR;
    for (size_t p = 0; ok && p < 2; p++)
        for (size_t t = 0; ok && t < 2; t++)
            ok = (m->shape[p][t] = make_shape(m->dict, types[p], types[t])) != UINT32_MAX;
    for (size_t i = 0; ok && i < n; i++)
        ok = !m->shown[i] || make_mark(m, i, &text);
    tr_buf_free(&text);
    return ok;
}

/* The mark of the next occurrence that is shown; spans without end cannot be marked. */
static enum tr_status next_mark(void *ctx, struct tr_inject_event *e, struct tr_error *err)
{
    struct marks *m = ctx;
    (void)err;
    while (m->at < m->n_found &&
           (!m->shown[m->found[m->at].row] || m->found[m->at].dur == INT64_MAX))
        m->at++;
    if (m->at == m->n_found)
        return TR_END;
    const struct tr_occurrence *o = &m->found[m->at++];
    const struct tr_sequences_row *r = row_at(m, o->row);
    const struct tr_track *t = &m->dict->tracks[o->track];
    m->values[0] = (int64_t)o->row + 1;
    m->values[1] = (int64_t)r->count;
    m->values[2] = (int64_t)r->n_work;
    m->values[3] = m->of[o->row].work;
    *e = (struct tr_inject_event){
        .ts = o->ts,
        .dur = o->dur,
        .track = o->track,
        .shape = m->shape[t->pid_type == TR_T_STRING][t->tid_type == TR_T_STRING],
        .name = m->of[o->row].name,
        .cat = m->cat,
        .phase = TR_SPAN,
        .activity = TR_ACT_ANNOTATION,
        .values = m->values,
    };
    return TR_OK;
}

static enum tr_status write_marks(struct cli *cli, const struct patterns *o, struct marks *m, size_t n,
                                  struct tr_error *err)
{
    enum tr_status st = start_marks(m, o->a.in->dict, n) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_overlay_write(cli, o->a.twice, m->dict, next_mark, m, err);
    tr_dict_free(m->dict);
    free(m->of);
    return st;
}

/* Which rows are among the first of their group that --top leaves? */
static bool *among_top(const struct marks *m, size_t n, uint64_t top)
{
    bool *shown = calloc(n + 1, sizeof *shown);
    for (size_t i = 0, first = 0; shown && i < n; i++) {
        if (row_at(m, i)->group != row_at(m, first)->group)
            first = i;
        shown[i] = !top || i - first < top;
    }
    return shown;
}

static enum tr_status find(struct cli *cli, struct patterns *o, struct tr_sequences **s, struct tr_error *err)
{
    struct cli_listener listener = { cli, &o->a };
    const struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_group_by_opts work = cli_analysis_work(&o->a, tr_analysis_pattern.group);
    struct tr_sequences_opts opts = tr_pattern_sequences(cli_view_options(cli), &work);
    const struct tr_batch *b;
    const uint8_t *keep;
    opts.occurrences = true;
    enum tr_status st = tr_sequences_new(&opts, &in, s, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_sequences_feed(*s, b, keep, err);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status mark_all(struct cli *cli, struct patterns *o, struct tr_error *err)
{
    struct tr_sequences *s = NULL;
    struct marks m = { .found = NULL };
    bool *shown = NULL;
    char chosen[400];
    enum tr_status st = find(cli, o, &s, err);
    if (st == TR_OK)
        st = tr_sequences_complete(s, err);
    size_t n = st == TR_OK ? tr_rows_count(tr_sequences_rows(s)) : 0;
    m.sequences = s;
    if (st == TR_OK && (!(m.order = tr_rows_order(tr_sequences_rows(s))) ||
                        !(m.shown = shown = among_top(&m, n, cli_arrange(cli)->top)) ||
                        !(m.found = tr_sequences_occurrences(s, m.order, &m.n_found))))
        st = tr_fail_memory(err);
    if (st == TR_OK && !((const struct tr_pattern_options *)cli_view_options(cli))->op.match && !cli_quiet(cli)) {
        if (tr_pattern_chosen(s, o->a.in->dict, chosen, sizeof chosen))
            cli_remark(cli, "%s", chosen);
        else
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = write_marks(cli, o, &m, n, err);
    free(m.order);
    free(shown);
    tr_sequences_free(s);
    return st;
}

enum tr_status patterns_mark(struct cli *cli, struct patterns *o, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    int fd;
    o->a.twice = &twice;
    enum tr_status st = o->a.per >= TR_PER_SPREAD ? tr_fail(err, TR_USAGE, "--per %s is about tables",
                                                            cli_analysis_per[o->a.per])
                                                  : cli_output(cli, true, &fd, err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = mark_all(cli, o, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}
