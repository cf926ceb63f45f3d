/* SPDX-License-Identifier: MIT */
/* Cuts names that are longer than their column, so that no two of them look alike. */
#include "table/tr_text_int.h"

#include "base/tr_elide.h"
#include "base/tr_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4 };

/* Names that look alike. */
struct alike {
    uint32_t first; /* one of them */
    uint32_t n;
    size_t common;  /* bytes that all of them start with */
};

struct cutting {
    struct tr__text_column *c;
    struct tr_strtab *seen; /* forms */
    struct alike *alike;    /* by number of the form */
    uint32_t *form;         /* by number of the text: its form */
    struct tr_buf scratch;
};

static bool is_cut(const struct tr__text_column *c, uint32_t id)
{
    return c->forms[id].s != tr_strtab_get(c->texts, id);
}

/* Make the cut text the form of a text. */
static bool keep_form(struct tr__text_column *c, uint32_t id, struct tr_buf *cut, bool ok)
{
    char *s = ok ? tr_arena_copy(c->cut, cut->data, cut->len) : NULL;
    if (s)
        c->forms[id] = (struct tr__form){ s, cut->len, tr_width(s, cut->len) };
    cut->len = 0;
    return s != NULL;
}

static bool cut_middle(struct cutting *x, uint32_t id, const char *mark)
{
    struct tr__text_column *c = x->c;
    return keep_form(c, id, &x->scratch,
                     tr_elide_middle(&x->scratch, tr_strtab_get(c->texts, id), tr_strtab_len(c->texts, id), c->width,
                                     mark));
}

static bool cut_around(struct cutting *x, uint32_t id, size_t differ)
{
    struct tr__text_column *c = x->c;
    return keep_form(c, id, &x->scratch,
                     tr_elide_around(&x->scratch, tr_strtab_get(c->texts, id), tr_strtab_len(c->texts, id), c->width,
                                     differ));
}

static size_t common(const struct tr_strtab *texts, uint32_t a, uint32_t b)
{
    return tr_elide_common(tr_strtab_get(texts, a), tr_strtab_len(texts, a), tr_strtab_get(texts, b),
                           tr_strtab_len(texts, b));
}

/* Find forms that several texts share; *any: there are some.  False: out of memory. */
static bool find_alike(struct cutting *x, bool *any)
{
    const struct tr__text_column *c = x->c;
    uint32_t n = tr_strtab_count(c->texts);
    tr_strtab_free(x->seen);
    *any = false;
    if (!(x->seen = tr_strtab_new()))
        return false;
    for (uint32_t id = 0; id < n; id++) {
        uint32_t form = tr_strtab_add(x->seen, c->forms[id].s, c->forms[id].len);
        if (form == TR_NO_STR)
            return false;
        x->form[id] = form;
        struct alike *a = &x->alike[form];
        if (a->first == TR_NO_STR) {
            *a = (struct alike){ id, 1, SIZE_MAX };
            continue;
        }
        size_t same = common(c->texts, a->first, id);
        a->common = same < a->common ? same : a->common;
        a->n++;
        *any = true;
    }
    return true;
}

static void forget_alike(struct cutting *x)
{
    for (uint32_t i = 0, n = tr_strtab_count(x->c->texts); i < n; i++)
        x->alike[i].first = TR_NO_STR;
}

/* Give other forms to texts that look alike. */
static bool cut_again(struct cutting *x)
{
    bool ok = true;
    for (uint32_t id = 0, n = tr_strtab_count(x->c->texts); ok && id < n; id++) {
        const struct alike *a = &x->alike[x->form[id]];
        if (a->n > 1 && is_cut(x->c, id))
            ok = cut_around(x, id, a->common);
    }
    return ok;
}

/* The last resort: numbers, in the order of the table. */
static bool number(struct cutting *x)
{
    uint32_t next = 1;
    for (uint32_t id = 0, n = tr_strtab_count(x->c->texts); id < n; id++) {
        if (x->alike[x->form[id]].n < 2 || !is_cut(x->c, id))
            continue;
        const struct tr__form *f = &x->c->forms[id];
        do {
            char mark[16];
            snprintf(mark, sizeof mark, "#%u", (unsigned)next++);
            if (!cut_middle(x, id, mark))
                return false;
        } while (tr_strtab_find(x->seen, f->s, f->len) != TR_NO_STR);
        if (tr_strtab_add(x->seen, f->s, f->len) == TR_NO_STR)
            return false;
    }
    return true;
}

static bool distinguish(struct cutting *x)
{
    bool any = true, ok = true;
    for (int round = 0; ok && any; round++) {
        forget_alike(x);
        ok = find_alike(x, &any);
        if (ok && any && round == ROUNDS)
            return number(x);
        ok = ok && (!any || cut_again(x));
    }
    return ok;
}

/* Cut the texts that are too wide; *any: there is such a text. */
static bool cut_wide(struct cutting *x, bool *any)
{
    struct tr__text_column *c = x->c;
    bool ok = true;
    for (uint32_t id = 0, n = tr_strtab_count(c->texts); ok && id < n; id++) {
        const char *s = tr_strtab_get(c->texts, id);
        size_t len = tr_strtab_len(c->texts, id);
        c->forms[id] = (struct tr__form){ s, len, tr_width(s, len) };
        if (c->forms[id].width <= c->width || c->width < TR_ELIDE_MIN)
            continue;
        *any = true;
        ok = cut_middle(x, id, "");
    }
    return ok;
}

bool tr__text_forms(struct tr__text_column *c)
{
    size_t n = tr_strtab_count(c->texts);
    struct cutting x = { .c = c, .alike = calloc(n + 1, sizeof *x.alike), .form = calloc(n + 1, sizeof *x.form) };
    bool any = false;
    tr__text_forms_free(c);
    c->forms = calloc(n + 1, sizeof *c->forms);
    c->cut = tr_arena_new(4096);
    bool ok = c->forms && c->cut && x.alike && x.form && cut_wide(&x, &any) && (!any || distinguish(&x));
    tr_strtab_free(x.seen);
    tr_buf_free(&x.scratch);
    free(x.alike);
    free(x.form);
    return ok;
}

void tr__text_forms_free(struct tr__text_column *c)
{
    free(c->forms);
    tr_arena_free(c->cut);
    c->forms = NULL;
    c->cut = NULL;
}
