/* SPDX-License-Identifier: MIT */
/* The public interface: which analyses there are, and their options. */
#include "api/tr_api_int.h"

#include "analysis/tr_registry.h"
#include "base/tr_mem.h"

#include <string.h>

size_t tr_analysis_count(void)
{
    size_t n = 0;
    while (tr_view_at(n))
        n++;
    return n;
}

const char *tr_analysis_name(size_t number)
{
    const struct tr_view *v = tr_view_at(number);
    return v ? v->full : NULL;
}

const char *tr_analysis_question(size_t number)
{
    const struct tr_view *v = tr_view_at(number);
    return v ? v->analysis->question : NULL;
}

const char *tr_analysis_key(size_t number, size_t i)
{
    const struct tr_view *v = tr_view_at(number);
    for (const struct tr_view_key *k = v ? v->keys : NULL; k && k->name; k++)
        if (i-- == 0)
            return k->name;
    return NULL;
}

/* The default of an option of a view, if it fits; forms of their own are not printed in them. */
static void print_default(const struct tr_view *v, const struct tr_option *o, char *text, size_t size)
{
    struct tr_buf b = { 0 };
    bool plain = o->type != TR_OPTION_CALL;
    if (plain && tr_option_text(o, (const char *)v->analysis->defaults + o->offset, &b) && b.len < size && b.len)
        memcpy(text, b.data, b.len);
    tr_buf_free(&b);
}

bool tr_analysis_option(size_t number, size_t i, struct tr_option_info *info)
{
    const struct tr_view *v = tr_view_at(number);
    const struct tr_option *o = v ? tr_view_option(v, i) : NULL;
    if (!o)
        return false;
    struct tr_option_info own = {
        .name = o->name, .type = o->type, .value = o->arg, .help = o->help, .choices = o->choices
    };
    print_default(v, o, own.standard, sizeof own.standard);
    tr__api_give(info, &own, sizeof own);
    return true;
}
