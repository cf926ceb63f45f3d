/* SPDX-License-Identifier: MIT */
/* The public interface: reports, which are analyses over one pass of a trace. */
#include "api/tr_api_report_int.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "stream/merge/tr_merge.h"
#include "table/tr_table_int.h"
#include "vendor/tr_short_name.h"

#include <stdlib.h>
#include <string.h>

static void say_option(void *self, const char *text)
{
    const struct tr_report *r = self;
    if (r->say)
        r->say(r->say_ctx, text);
}

struct tr_report *tr_report_new(void)
{
    static const struct tr_open_opts plain = TR_OPEN_OPTS_INIT;
    struct tr_report *r = calloc(1, sizeof *r);
    if (r) {
        r->open = plain;
        r->host = (struct tr_view_host){ .open = &r->open, .say = say_option, .self = r };
    }
    return r;
}

void tr_report_free(struct tr_report *r)
{
    if (!r)
        return;
    tr_runner_free(r->runner);
    for (size_t i = 0; i < r->n; i++) {
        tr_table_free(r->parts[i]->table);
        tr_table_free(r->parts[i]->described);
        tr_view_close(&r->parts[i]->use);
        tr_arena_free(r->parts[i]->texts);
        tr_table_free(r->parts[i]->before);
        free(r->parts[i]->saved);
        free(r->parts[i]);
    }
    free(r->parts);
    free(r);
}

/* ---- adding ---- */

struct tr__part *tr__report_part(struct tr_report *r)
{
    struct tr__part *p = calloc(1, sizeof *p);
    if (!p || !(p->texts = tr_arena_new(256)) || !tr_grow(&r->parts, &r->cap, r->n + 1, sizeof *r->parts)) {
        if (p)
            tr_arena_free(p->texts);
        free(p);
        return NULL;
    }
    p->per = -1;
    p->unit = TR_UNIT_US;
    return r->parts[r->n++] = p;
}

enum tr_status tr_report_add(struct tr_report *r, const char *name, struct tr_error *err)
{
    const struct tr_view *view = tr_view_find(name);
    if (!view)
        return tr_fail(err, TR_USAGE, "there is no analysis '%.80s'", name);
    struct tr__part *p = tr__report_part(r);
    return p ? tr_view_open(&p->use, view, err) : tr_fail_memory(err);
}

/* ---- options ---- */

static char *keep_text(struct tr__part *p, const char *value)
{
    return tr_arena_copy(p->texts, value, strlen(value) + 1);
}

static enum tr_status set_per(struct tr__part *p, const char *value, struct tr_error *err)
{
    for (int per = 0; per <= TR_PER_ALL; per++)
        if (strcmp(value, tr_per_name((enum tr_per)per)) == 0) {
            p->per = per;
            return TR_OK;
        }
    return tr_fail(err, TR_USAGE, "'%.80s' is not one of rank, device, stream, step, capture, all", value);
}

static enum tr_status set_unit(struct tr__part *p, const char *value, struct tr_error *err)
{
    int unit = tr_unit_by_name(value);
    if (unit < 0)
        return tr_fail(err, TR_USAGE, "'%.80s' is not one of ns, us, ms, s", value);
    p->unit = (enum tr_unit)unit;
    return TR_OK;
}

static enum tr_status set_short(struct tr__part *p, const char *value, struct tr_error *err)
{
    uint64_t is = 0;
    enum tr_status st = tr_num_u64(value, 0, 1, &is, err);
    if (st == TR_OK)
        p->how.shorten = is ? tr_short_name : NULL;
    return st;
}

static enum tr_status set_align(struct tr_report *r, const char *value, struct tr_error *err)
{
    uint64_t is = 0;
    enum tr_status st = tr_num_u64(value, 0, 1, &is, err);
    if (st == TR_OK)
        r->align = is;
    return st;
}

/* text: a copy for this report, which is changed. */
static enum tr_status set_keys(struct tr__part *p, char *text, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    tr_view_plain(&p->use);
    for (char *key = text, *next; key && st == TR_OK; key = next) {
        if ((next = strchr(key, ',')) != NULL)
            *next++ = '\0';
        st = tr_view_refine(&p->use, key, err);
    }
    return st;
}

enum tr_status tr_report_set(struct tr_report *r, const char *key, const char *value, struct tr_error *err)
{
    struct tr__part *p = r->n ? r->parts[r->n - 1] : NULL;
    if (!p || r->ran)
        return tr_fail(err, TR_USAGE, p ? "the analyses have been run" : "no analysis has been added");
    char *text = keep_text(p, value);
    if (!text)
        return tr_fail_memory(err);
    if (strcmp(key, "per") == 0)
        return set_per(p, value, err);
    if (strcmp(key, "unit") == 0)
        return set_unit(p, value, err);
    if (strcmp(key, "top") == 0)
        return tr_num_u64(value, 0, UINT64_MAX, &p->how.top, err);
    if (strcmp(key, "sort") == 0) {
        p->how.sort = text;
        return TR_OK;
    }
    if (strcmp(key, "columns") == 0) {
        p->how.columns = text;
        return TR_OK;
    }
    if (strcmp(key, "top-per") == 0) {
        p->how.top_per = text;
        return TR_OK;
    }
    if (strcmp(key, "short-names") == 0)
        return set_short(p, value, err);
    if (strcmp(key, "align") == 0)
        return set_align(r, value, err);
    if (!p->use.view)
        return tr_fail(err, TR_USAGE, "analyses of the caller have no option '%.80s'", key);
    return strcmp(key, "keys") == 0 ? set_keys(p, text, err) : tr_view_set(&p->use, key, text, err);
}

void tr_report_listen(struct tr_report *r, void (*say)(void *ctx, const char *text), void *ctx)
{
    r->say = say;
    r->say_ctx = ctx;
}

/* ---- analyses of the caller ---- */

struct own_state {
    const struct tr__own *own;
    struct tr_selector *selector;
    struct tr_batch *kept;
};

static void own_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr__own *own = options;
    (void)in;
    own->def.columns(own->ctx, t);
}

static enum tr_status own_start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct own_state *s = state;
    (void)in;
    s->own = options;
    s->selector = tr_selector_new();
    s->kept = tr_batch_new();
    return s->selector && s->kept ? TR_OK : tr_fail_memory(err);
}

static enum tr_status own_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                               struct tr_error *err)
{
    struct own_state *s = state;
    enum tr_status st = TR_OK;
    if (keep && memchr(keep, 0, b->n)) {
        st = tr_batch_select(s->selector, b, keep, s->kept, err);
        b = s->kept;
    }
    return st == TR_OK && b->n ? s->own->def.feed(s->own->ctx, b, t, err) : st;
}

static enum tr_status own_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct own_state *s = state;
    return s->own->def.finish ? s->own->def.finish(s->own->ctx, t, err) : TR_OK;
}

static void own_free(void *state)
{
    struct own_state *s = state;
    tr_selector_free(s->selector);
    tr_batch_free(s->kept);
}

enum tr_status tr_report_add_own(struct tr_report *r, const struct tr_analysis_def *def, void *ctx,
                                 struct tr_error *err)
{
    struct tr__own own = { .ctx = ctx };
    if (!tr__api_take(&own.def, sizeof own.def, def))
        return tr_fail(err, TR_USAGE, "the size of struct tr_analysis_def is not set");
    if (!own.def.columns || !own.def.feed)
        return tr_fail(err, TR_USAGE, "an analysis needs functions columns and feed");
    own.is = (struct tr_analysis){ .name = own.def.name ? own.def.name : "own",
                                   .question = own.def.question,
                                   .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true }, .host = true },
                                   .columns = own_columns,
                                   .state_size = sizeof(struct own_state),
                                   .start = own_start,
                                   .feed = own_feed,
                                   .finish = own_finish,
                                   .free = own_free,
                                   .unsaved = "it is an analysis of the caller, who gives no saved form" };
    struct tr__part *p = tr__report_part(r);
    if (!p)
        return tr_fail_memory(err);
    p->own = own;
    return TR_OK;
}

/* ---- tables ---- */

/* What the runner needs of an analysis of either origin. */
const struct tr_analysis *tr__report_analysis(const struct tr__part *p)
{
    return p->use.view ? p->use.analysis : &p->own.is;
}

static const void *options_of(const struct tr__part *p)
{
    return p->use.view ? p->use.options : &p->own;
}

static enum tr_status make_table(struct tr_report *r, struct tr__part *p, struct tr_table **out, struct tr_error *err)
{
    enum tr_status st = p->use.view ? tr_view_ready(&p->use, &r->host, err) : TR_OK;
    if (st == TR_OK && !(*out = tr_table_new(p->unit)))
        st = tr_fail_memory(err);
    return st == TR_OK ? tr_table_arrange(*out, &p->how, err) : st;
}

enum tr_status tr__report_fill(struct tr_report *r, struct tr_runner *runner, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < r->n && st == TR_OK; i++) {
        struct tr__part *p = r->parts[i];
        st = make_table(r, p, &p->table, err);
        if (st == TR_OK)
            st = tr_runner_add(runner, tr__report_analysis(p), options_of(p), p->per, p->table, err);
    }
    return st;
}

enum tr_status tr_report_columns(struct tr_report *r, size_t number, const struct tr_table **out, struct tr_error *err)
{
    *out = NULL;
    if (number >= r->n)
        return tr_fail(err, TR_USAGE, "the report has no analysis number %zu", number);
    struct tr__part *p = r->parts[number];
    struct tr_runner *runner = tr_runner_new();
    tr_table_free(p->described);
    p->described = NULL;
    enum tr_status st = runner ? make_table(r, p, &p->described, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_add(runner, tr__report_analysis(p), options_of(p), p->per, p->described, err);
    if (st == TR_OK && tr__report_analysis(p)->late) {
        const struct tr_analysis_in in = { .work.per = tr__report_analysis(p)->group };
        tr_analysis_columns(tr__report_analysis(p), &in, options_of(p), p->described);
        st = tr_table_ready(p->described, err);
    }
    tr_runner_free(runner);
    if (st == TR_OK)
        *out = p->described;
    return st;
}

struct tr_table *tr_report_table(struct tr_report *r, size_t number)
{
    return r->done && number < r->n ? r->parts[number]->table : NULL;
}

const char *tr_report_name(const struct tr_report *r, size_t number)
{
    const struct tr__part *p = number < r->n ? r->parts[number] : NULL;
    return !p ? NULL : p->use.view ? p->use.view->full : p->own.is.name;
}
