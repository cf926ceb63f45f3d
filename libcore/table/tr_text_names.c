/* Names that are longer than their column: cut so that no two of them look alike. */
#include "table/tr_text_int.h"

#include "base/tr_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1, CONTEXT = 8, ROUNDS = 4 };

/* Names that look alike. */
struct alike {
    uint32_t first; /* one of them */
    uint32_t n;
    size_t common;  /* bytes that all of them begin with */
};

struct cutting {
    struct tr__text_column *c;
    struct tr_strtab *seen; /* forms */
    struct alike *alike;    /* by number of the form */
    uint32_t *form;         /* by number of the text: its form */
};

static bool is_cut(const struct tr__text_column *c, uint32_t id)
{
    return c->forms[id].s != tr_strtab_get(c->texts, id);
}

/* A form of its own: up to three parts of bytes. */
static bool keep_form(struct tr__text_column *c, uint32_t id, const struct tr_str *parts, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        len += parts[i].len;
    char *s = tr_arena_alloc(c->cut, len + 1), *to = s;
    if (!s)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(to, parts[i].s, parts[i].len);
        to += parts[i].len;
    }
    *to = '\0';
    c->forms[id] = (struct tr__form){ s, len, tr_width(s, len) };
    return true;
}

/* Beginning and end, with a mark after the end. */
static bool cut_middle(struct tr__text_column *c, uint32_t id, const char *mark)
{
    const char *s = tr_strtab_get(c->texts, id);
    size_t len = tr_strtab_len(c->texts, id), n_mark = strlen(mark);
    size_t room = c->width > DOTS + n_mark ? c->width - DOTS - n_mark : 0;
    size_t head = tr_width_head(s, len, room - room / 2), tail = tr_width_tail(s, len, room / 2);
    const struct tr_str parts[] = { { s, head }, { dots, DOTS }, { s + tail, len - tail }, { mark, n_mark } };
    return keep_form(c, id, parts, sizeof parts / sizeof *parts);
}

/* Beginning, and what stands about the byte at which names begin to differ. */
static bool cut_around(struct tr__text_column *c, uint32_t id, size_t differ)
{
    const char *s = tr_strtab_get(c->texts, id);
    size_t len = tr_strtab_len(c->texts, id), room = c->width - DOTS;
    size_t head = tr_width_head(s, len, room / 3), from = differ > head + CONTEXT ? differ - CONTEXT : head;
    while (from < len && ((unsigned char)s[from] & 0xc0) == 0x80)
        from++;
    room -= tr_width(s, head);
    size_t end = tr_width_tail(s, len, room);
    if (end <= from) { /* all that follows has room */
        const struct tr_str parts[] = { { s, head }, { dots, DOTS }, { s + end, len - end } };
        return keep_form(c, id, parts, sizeof parts / sizeof *parts);
    }
    size_t more = tr_width_head(s + from, len - from, room > DOTS ? room - DOTS : 0);
    const struct tr_str parts[] = { { s, head }, { dots, from > head ? DOTS : 0 }, { s + from, more }, { dots, DOTS } };
    return keep_form(c, id, parts, sizeof parts / sizeof *parts);
}

static size_t common(const struct tr_strtab *texts, uint32_t a, uint32_t b)
{
    const char *x = tr_strtab_get(texts, a), *y = tr_strtab_get(texts, b);
    size_t n = tr_strtab_len(texts, a), m = tr_strtab_len(texts, b), i = 0;
    while (i < n && i < m && x[i] == y[i])
        i++;
    return i;
}

/* Find the forms that several texts have; *any: there are some.  False: out of memory. */
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

/* Give those that look alike other forms. */
static bool cut_again(struct cutting *x)
{
    bool ok = true;
    for (uint32_t id = 0, n = tr_strtab_count(x->c->texts); ok && id < n; id++) {
        const struct alike *a = &x->alike[x->form[id]];
        if (a->n > 1 && is_cut(x->c, id))
            ok = cut_around(x->c, id, a->common);
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
            if (!cut_middle(x->c, id, mark))
                return false;
        } while (tr_strtab_find(x->seen, f->s, f->len) != TR_NO_STR);
        if (tr_strtab_add(x->seen, f->s, f->len) == TR_NO_STR)
            return false;
    }
    return true;
}

static bool tell_apart(struct cutting *x)
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

bool tr__text_forms(struct tr__text_column *c)
{
    uint32_t n = tr_strtab_count(c->texts);
    bool any = false, ok = true;
    tr__text_forms_free(c);
    c->forms = calloc((size_t)n + 1, sizeof *c->forms);
    c->cut = tr_arena_new(4096);
    if (!c->forms || !c->cut)
        return false;
    for (uint32_t id = 0; ok && id < n; id++) {
        const char *s = tr_strtab_get(c->texts, id);
        size_t len = tr_strtab_len(c->texts, id);
        c->forms[id] = (struct tr__form){ s, len, tr_width(s, len) };
        if (c->forms[id].width <= c->width || c->width <= DOTS + 2)
            continue;
        any = true;
        ok = cut_middle(c, id, "");
    }
    if (!any || !ok)
        return ok;
    struct cutting x = { .c = c, .alike = calloc((size_t)n + 1, sizeof *x.alike),
                         .form = calloc((size_t)n + 1, sizeof *x.form) };
    ok = x.alike && x.form && tell_apart(&x);
    tr_strtab_free(x.seen);
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
