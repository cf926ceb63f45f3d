/* SPDX-License-Identifier: MIT */
/* Reader of rocprofv3's JSON: skips text that is not needed, or that is unreadable because of damage. */
#include "formats/rocprof_json/tr_rocprof_int.h"

void tr__rocprof_pass(struct tr__rocprof_pass *p, struct tr__window *w)
{
    for (; w->at < w->n && p->open > 0; w->at++) {
        char c = w->p[w->at];
        if (p->after_slash)
            p->after_slash = false;
        else if (p->in_string)
            p->after_slash = c == '\\', p->in_string = c != '"';
        else if (c == '"')
            p->in_string = true;
        else if (c == '[' || c == '{')
            p->open++;
        else if (c == ']' || c == '}')
            p->open--;
    }
}

void tr__rocprof_find_again(struct tr__window *w)
{
    const char *p = w->p;
    for (size_t i = w->at + 1; i < w->n; i++) {
        size_t at = i + 1;
        if (p[i] != '}')
            continue;
        while (tr_json_space(p[at])) /* zeros follow the text */
            at++;
        char found = p[at];
        size_t next = at + (found == ']');
        while (tr_json_space(p[next]) || p[next] == ',')
            next++;
        if (found == ',' && p[next] == '{' && p[next + 1] == '"') {
            w->at = next;
            return;
        }
        if (found == ']' && p[next] == '"') {
            w->at = at;
            return;
        }
    }
    w->at = w->n;
}
