/* SPDX-License-Identifier: MIT */
/* A view of a program with its options. */
#include "analysis/tr_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tr_option *tr_view_option(const struct tr_view *view, size_t i)
{
    const struct tr_option *lists[] = { view->analysis->options, view->files };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const struct tr_option *o = lists[k]; o && o->name; o++)
            if (!o->hidden && i-- == 0)
                return o;
    return NULL;
}

const struct tr_option *tr_view_option_named(const struct tr_view *view, const char *name)
{
    const struct tr_option *o;
    for (size_t i = 0; (o = tr_view_option(view, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static void set_by(const struct tr_view_use *use, unsigned by)
{
    memcpy((char *)use->options + use->view->by_at, &by, sizeof by);
}

/* Do the options have the member, as far as this view is concerned? */
static bool has_by(const struct tr_view *view)
{
    bool by = view->by != 0;
    for (const struct tr_view_key *k = view->keys; k && k->name; k++)
        by |= k->by != 0;
    return by;
}

void tr_view_plain(struct tr_view_use *use)
{
    use->analysis = use->view->analysis;
    use->refined = false;
    if (has_by(use->view))
        set_by(use, use->view->by);
}

enum tr_status tr_view_open(struct tr_view_use *use, const struct tr_view *view, struct tr_error *err)
{
    const struct tr_analysis *a = view->analysis;
    *use = (struct tr_view_use){ .view = view, .analysis = a };
    if (!a->options_size)
        return TR_OK;
    use->options = malloc(a->options_size);
    if (!use->options)
        return tr_fail_memory(err);
    memcpy(use->options, a->defaults, a->options_size);
    tr_view_plain(use);
    return TR_OK;
}

static enum tr_status refuse_several(const struct tr_view *view, struct tr_error *err)
{
    char all[200] = "";
    for (const struct tr_view_key *k = view->keys; k->name; k++) {
        size_t len = strlen(all);
        snprintf(all + len, sizeof all - len, "%s%s", !len ? "" : k[1].name ? ", " : " and ", k->name);
    }
    return tr_fail(err, TR_USAGE, "one of %s", all);
}

enum tr_status tr_view_refine(struct tr_view_use *use, const char *key, struct tr_error *err)
{
    const struct tr_view *view = use->view;
    const struct tr_view_key *k = view->keys;
    unsigned by;
    while (k && k->name && strcmp(k->name, key) != 0)
        k++;
    if (!k || !k->name)
        return tr_fail(err, TR_USAGE, "the view %s cannot be refined by %.80s", view->name, key);
    if (view->one_key && use->refined)
        return refuse_several(view, err);
    if (k->analysis)
        use->analysis = k->analysis;
    if (k->by) {
        memcpy(&by, (char *)use->options + view->by_at, sizeof by);
        set_by(use, view->one_key ? k->by : by | k->by);
    }
    use->refined = true;
    return TR_OK;
}

enum tr_status tr_view_set(struct tr_view_use *use, const char *name, const char *value, struct tr_error *err)
{
    const struct tr_option *o = tr_view_option_named(use->view, name);
    if (!o)
        return tr_fail(err, TR_USAGE, "the view %s has no option '%.80s'", use->view->name, name);
    use->ready = false;
    return tr_option_set(o, (char *)use->options + o->offset, value, err);
}

enum tr_status tr_view_ready(struct tr_view_use *use, const struct tr_view_host *host, struct tr_error *err)
{
    enum tr_status st = use->view->ready && !use->ready ? use->view->ready(use->options, host, err) : TR_OK;
    use->ready = st == TR_OK;
    return st;
}

void tr_view_close(struct tr_view_use *use)
{
    if (use->options) {
        if (use->view->release)
            use->view->release(use->options);
        tr_option_free(use->view->analysis->options, use->options);
        tr_option_free(use->view->files, use->options);
        free(use->options);
    }
    *use = (struct tr_view_use){ .view = NULL };
}
