/* SPDX-License-Identifier: MIT */
/* Names cut to a width. */
#include "base/tr_elide.h"

#include "base/tr_strtab.h"
#include "base/tr_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1, CONTEXT = 8, ROUNDS = 4 };

bool tr_elide_middle(struct tr_buf *out, const char *s, size_t len, size_t width, const char *mark)
{
    size_t n_mark = strlen(mark), room = width > DOTS + n_mark ? width - DOTS - n_mark : 0;
    size_t head = tr_width_head(s, len, room - room / 2), tail = tr_width_tail(s, len, room / 2);
    return tr_buf_add(out, s, head) && tr_buf_add(out, dots, DOTS) && tr_buf_add(out, s + tail, len - tail) &&
           tr_buf_add(out, mark, n_mark);
}

bool tr_elide_around(struct tr_buf *out, const char *s, size_t len, size_t width, size_t differ)
{
    size_t room = width > DOTS ? width - DOTS : 0, head = tr_width_head(s, len, room / 3);
    size_t from = differ > head + CONTEXT ? differ - CONTEXT : head;
    while (from < len && ((unsigned char)s[from] & 0xc0) == 0x80)
        from++;
    room -= tr_width(s, head);
    size_t end = tr_width_tail(s, len, room);
    if (end <= from) /* all that follows has room */
        return tr_buf_add(out, s, head) && tr_buf_add(out, dots, DOTS) && tr_buf_add(out, s + end, len - end);
    size_t more = tr_width_head(s + from, len - from, room > DOTS ? room - DOTS : 0);
    return tr_buf_add(out, s, head) && tr_buf_add(out, dots, from > head ? DOTS : 0) &&
           tr_buf_add(out, s + from, more) && tr_buf_add(out, dots, DOTS);
}

size_t tr_elide_common(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t i = 0;
    while (i < a_len && i < b_len && a[i] == b[i])
        i++;
    return i;
}

/* ---- names that come one by one ---- */

struct tr_elider {
    size_t width;
    struct tr_strtab *names, *forms;
    uint32_t *form; /* by name */
    uint32_t *name; /* by form: the one that looks so */
    size_t cap_form, cap_name;
    struct tr_buf scratch;
    uint32_t n_marks;
};

struct tr_elider *tr_elider_new(size_t width)
{
    struct tr_elider *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->width = width > TR_ELIDE_MIN ? width : TR_ELIDE_MIN;
    c->names = tr_strtab_new();
    c->forms = tr_strtab_new();
    if (c->names && c->forms)
        return c;
    tr_elider_free(c);
    return NULL;
}

void tr_elider_free(struct tr_elider *c)
{
    if (!c)
        return;
    tr_strtab_free(c->names);
    tr_strtab_free(c->forms);
    free(c->form);
    free(c->name);
    tr_buf_free(&c->scratch);
    free(c);
}

size_t tr_elider_width(const struct tr_elider *c)
{
    return c->width;
}

/* The name whose form equals the text in scratch; TR_NO_STR: there is none. */
static uint32_t owner(const struct tr_elider *c)
{
    uint32_t form = tr_strtab_find(c->forms, c->scratch.data ? (const void *)c->scratch.data : "", c->scratch.len);
    return form == TR_NO_STR ? TR_NO_STR : c->name[form];
}

/* Write a form that no other name has to scratch. */
static bool find_form(struct tr_elider *c, const char *s, size_t len)
{
    c->scratch.len = 0;
    bool ok = tr_width(s, len) <= c->width ? tr_buf_add(&c->scratch, s, len)
                                           : tr_elide_middle(&c->scratch, s, len, c->width, "");
    uint32_t other = ok ? owner(c) : TR_NO_STR;
    for (int round = 0; ok && other != TR_NO_STR; round++, other = ok ? owner(c) : TR_NO_STR) {
        const char *o = tr_strtab_get(c->names, other);
        c->scratch.len = 0;
        if (round < ROUNDS) {
            size_t differ = tr_elide_common(s, len, o, tr_strtab_len(c->names, other));
            ok = tr_elide_around(&c->scratch, s, len, c->width, differ);
        } else {
            char mark[16];
            snprintf(mark, sizeof mark, "#%u", (unsigned)++c->n_marks);
            ok = tr_elide_middle(&c->scratch, s, len, c->width, mark);
        }
    }
    return ok;
}

bool tr_elider_form(struct tr_elider *c, const char *s, size_t len, struct tr_str *form)
{
    uint32_t n = tr_strtab_count(c->names), id = tr_strtab_add(c->names, s, len);
    if (id == TR_NO_STR)
        return false;
    if (id == n) {
        if (!tr_grow(&c->form, &c->cap_form, (size_t)n + 1, sizeof *c->form))
            return false;
        c->form[id] = TR_NO_STR;
    }
    if (c->form[id] == TR_NO_STR) {
        bool ok = find_form(c, s, len);
        uint32_t f = ok ? tr_strtab_add(c->forms, c->scratch.data ? (const void *)c->scratch.data : "", c->scratch.len)
                        : TR_NO_STR;
        if (f == TR_NO_STR || !tr_grow(&c->name, &c->cap_name, (size_t)f + 1, sizeof *c->name))
            return false;
        c->name[f] = id;
        c->form[id] = f;
    }
    *form = (struct tr_str){ tr_strtab_get(c->forms, c->form[id]), tr_strtab_len(c->forms, c->form[id]) };
    return true;
}
