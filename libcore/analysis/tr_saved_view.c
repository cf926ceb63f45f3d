/* SPDX-License-Identifier: MIT */
/* Views of partial results. */
#include "analysis/tr_saved_view.h"

#include "engine/tr_partial.h"

#include <stdlib.h>
#include <string.h>

/* The name of the analysis of a table "partial.NAME"; NULL: it is another table. */
static const char *analysis_name(const struct tr_side_table *t)
{
    static const char prefix[] = TR_PARTIAL_TABLES;
    const char *name = t->name + sizeof prefix - 1;
    return strncmp(t->name, prefix, sizeof prefix - 1) == 0 && !strchr(name, '.') ? name : NULL;
}

/* The first option after o whose " NAME=" is in the text, which is set to the place of it; else to the end. */
static const struct tr_option *next_option(const struct tr_option *o, char **text)
{
    char *end = *text + strlen(*text), *first = end;
    const struct tr_option *next = NULL;
    for (o++; o->name; o++) {
        size_t len = strlen(o->name);
        for (char *at = strchr(*text, ' '); at && at < first; at = strchr(at + 1, ' '))
            if (strncmp(at + 1, o->name, len) == 0 && at[1 + len] == '=') {
                first = at;
                next = o;
            }
    }
    *text = first;
    return next;
}

/* Set options from the text of tr_option_state, which is changed; loading compares the result with the text. */
static enum tr_status set_options(const struct tr_option *list, void *options, char *text, struct tr_error *err)
{
    const struct tr_option *o = list;
    enum tr_status st = TR_OK;
    while (o && o->name && (strncmp(text, o->name, strlen(o->name)) != 0 || text[strlen(o->name)] != '='))
        o++;
    while (st == TR_OK && o && o->name && *text) {
        char *value = text + strlen(o->name) + 1, *end = value;
        const struct tr_option *next = next_option(o, &end);
        text = *end ? end + 1 : end;
        *end = '\0';
        if (o->type != TR_OPTION_CALL || o->call) /* others are files; loading compares what is in them */
            st = tr_option_set(o, (char *)options + o->offset, value, err);
        o = next;
    }
    return st;
}

/* Was the name of table i that of a table before it? */
static bool again(const struct tr_side_tables *tables, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(tables->v[k]->name, tables->v[i]->name) == 0)
            return true;
    return false;
}

const char *tr_saved_view_name(const struct tr_side_tables *tables, size_t i)
{
    for (size_t k = 0; tables && k < tables->n; k++)
        if (analysis_name(tables->v[k]) && !again(tables, k) && i-- == 0)
            return analysis_name(tables->v[k]);
    return NULL;
}

/* Is it the partial result of an analysis?  Two programs may have views of one name. */
static bool is_of(const struct tr_analysis *a, const char *name, const struct tr_side_tables *tables,
                  struct tr_partial_about *about)
{
    return a->saving && strcmp(a->saving->name ? a->saving->name : a->name, name) == 0 &&
           tr_partial_describe(tables, a->saving, a->name, about) && about->version == a->saving->version;
}

/* The analysis of a view, or of one of its keys, that the tables are a partial result of.  NULL: there is none. */
static const struct tr_analysis *analysis_of(const struct tr_view *view, const char *name,
                                             const struct tr_side_tables *tables, struct tr_partial_about *about)
{
    const struct tr_analysis *a = view->analysis;
    bool found = is_of(a, name, tables, about);
    for (const struct tr_view_key *k = view->keys; !found && k && k->name; k++) {
        a = k->analysis ? k->analysis : a;
        found = is_of(a, name, tables, about);
    }
    return found ? a : NULL;
}

/* A view with the options of a partial result. */
static enum tr_status take(struct tr_saved_view *v, const struct tr_view *view, const struct tr_analysis *a,
                           const struct tr_partial_about *about, struct tr_error *err)
{
    enum tr_status st = tr_view_open(&v->use, view, err);
    v->use.analysis = a;
    for (int per = 0; per <= TR_PER_ALL; per++)
        if (tr_str_is(about->per, tr_per_name((enum tr_per)per)) && per != (int)a->group)
            v->per = per;
    v->suspect = about->suspect;
    v->texts = calloc(about->options.len + 1, 1);
    if (st == TR_OK && !v->texts)
        st = tr_fail_memory(err);
    if (st != TR_OK || !about->options.len)
        return st;
    memcpy(v->texts, about->options.s, about->options.len);
    return set_options(a->options, v->use.options, v->texts, err);
}

enum tr_status tr_saved_view_open(struct tr_saved_view *v, const struct tr_side_tables *tables, const char *name,
                                  struct tr_error *err)
{
    const struct tr_analysis *of = NULL;
    const struct tr_view *view = NULL;
    struct tr_partial_about about;
    *v = (struct tr_saved_view){ .per = -1 };
    for (size_t i = 0; !of && (view = tr_view_at(i)) != NULL; i++)
        of = analysis_of(view, name, tables, &about);
    if (!of)
        return tr_fail(err, TR_USAGE,
                       "it has a partial result of %.60s, which is no view of this version, or was saved by another",
                       name);
    return take(v, view, of, &about, err);
}

void tr_saved_view_close(struct tr_saved_view *v)
{
    if (v->use.view)
        tr_view_close(&v->use);
    free(v->texts);
    *v = (struct tr_saved_view){ .per = -1 };
}
