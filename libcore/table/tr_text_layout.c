/* SPDX-License-Identifier: MIT */
/* Chooses the columns that a table of text has on a line of limited width, and their widths. */
#include "table/tr_text_int.h"

#include "io/tr_temp.h"

#include <stdlib.h>

enum {
    MIN_NAME = 24, /* columns of the terminal that a name keeps while there are other columns to leave out */
    MIN_TEXT = 14, /* the same for another text that can be long */
    MIN_WORD = 24, /* the same for any other text */
    BAR_MIN = 10,
    BAR_MAX = 20,
    BAR_BESIDE = 40, /* texts are not cut to less than this to make room for a bar */
    TURNED_ROWS = 40,
};

static const struct tr_table_column *described(const struct tr_table *t, const struct tr__text_column *c)
{
    return &t->cols[c->col].is;
}

/* The smallest width of a column, with its texts cut. */
static size_t min(const struct tr_table *t, const struct tr__text_column *c)
{
    size_t n = tr__natural(c), max = described(t, c)->names ? MIN_NAME : c->last ? MIN_TEXT : MIN_WORD;
    if (c->number || n <= max)
        return n;
    return c->header > max ? c->header : max;
}

/* ---- which columns ---- */

static bool is_shown(const struct tr_table *t, const struct tr__text_column *c)
{
    const struct tr_table_column *is = described(t, c);
    bool says = !is->quiet || c->informative;
    return t->arrange.columns || (c->main && (says || !is->main)) || (!is->extra && says);
}

/* List the columns in the order of the table; unless the user chose the order, columns of long texts come last. */
static void list_columns(const struct tr_table *t, struct tr__layout *l)
{
    bool own = t->arrange.columns && strcmp(t->arrange.columns, "all") != 0;
    l->n_list = 0;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < l->n_columns; i++)
            if (is_shown(t, &l->columns[i]) && (own ? !last : l->columns[i].last == last))
                l->list[l->n_list++] = i;
}

static size_t sum_of(const struct tr_table *t, const struct tr__layout *l, bool cut)
{
    size_t sum = 0;
    for (size_t i = 0; i < l->n_list; i++) {
        const struct tr__text_column *c = &l->columns[l->list[i]];
        sum += (cut ? min(t, c) : tr__natural(c)) + (i ? TR__TEXT_GAP : 0);
    }
    return sum;
}

/*
 * Leave out the last column that is not a key, not main, and not the first column of names, and the column before it if
 * it says little alone.  False: there is none.
 */
static bool leave_out(const struct tr_table *t, struct tr__layout *l)
{
    size_t place = SIZE_MAX, names = SIZE_MAX;
    for (size_t i = 0; i < l->n_list; i++)
        if (described(t, &l->columns[l->list[i]])->names && l->list[i] < names)
            names = l->list[i];
    for (size_t i = 0; i < l->n_list; i++) {
        const struct tr__text_column *c = &l->columns[l->list[i]];
        if (!c->key && !c->main && l->list[i] != names && (place == SIZE_MAX || l->list[i] > l->list[place]))
            place = i;
    }
    if (place == SIZE_MAX || l->n_list < 2)
        return false;
    size_t next = l->list[place];
    memmove(l->list + place, l->list + place + 1, (--l->n_list - place) * sizeof *l->list);
    for (size_t i = 0; i < l->n_list; i++) {
        const struct tr__text_column *c = &l->columns[l->list[i]];
        if (described(t, c)->with_next && l->list[i] + 1 == next && !c->key && !c->main) {
            memmove(l->list + i, l->list + i + 1, (--l->n_list - i) * sizeof *l->list);
            break;
        }
    }
    return true;
}

/* The number of columns at the start that are repeated in each block: keys that leave room for other columns. */
static size_t repeated(const struct tr_table *t, const struct tr__layout *l)
{
    size_t n = 0, sum = 0;
    for (; n < l->n_list; n++) {
        const struct tr__text_column *c = &l->columns[l->list[n]];
        sum += min(t, c) + TR__TEXT_GAP;
        if (sum > t->width / 2 || (t->arranged ? !c->key : n > 0))
            break;
    }
    return n;
}

/* ---- turned ---- */

/* The widest cell of the next row in l->rows; none is cut. */
static size_t row_width(const struct tr__layout *l, size_t *at)
{
    size_t widest = 0;
    for (size_t i = 0; i < l->n_columns; i++) {
        const unsigned char *from = l->rows.data + *at, *tab = memchr(from, '\t', l->rows.len - *at);
        const struct tr__text_column *c = &l->columns[i];
        size_t n = (size_t)(tab - from);
        const unsigned char *point = n ? memchr(from, '.', n) : NULL;
        *at += n + 1;
        bool shown = false;
        for (size_t k = 0; k < l->n_list; k++)
            shown |= l->list[k] == i;
        if (!c->number)
            n = c->forms[tr__text_number(from)].width;
        else if (point && c->is_time)
            n = (size_t)(point - from) + (c->decimals ? c->decimals + 1 : 0);
        widest = shown && n > widest ? n : widest;
    }
    return widest;
}

/* Does the transposed table fit?  Its cells are not cut. */
static bool fits_turned(const struct tr_table *t, const struct tr__layout *l)
{
    size_t sum = 0, at = 0;
    if (l->temp || l->n_rows == 0 || l->n_rows > TURNED_ROWS)
        return false;
    for (size_t i = 0; i < l->n_list; i++)
        sum = l->columns[l->list[i]].header > sum ? l->columns[l->list[i]].header : sum;
    for (uint64_t row = 0; row < l->n_rows; row++)
        sum += row_width(l, &at) + TR__TEXT_GAP;
    return sum <= t->width;
}

/* Use all names without cutting them. */
static bool whole_forms(struct tr__layout *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->n_columns && ok; i++) {
        struct tr__text_column *c = &l->columns[i];
        c->width = tr__natural(c);
        ok = c->number || tr__text_forms(c);
    }
    return ok;
}

bool tr__layout_plan(const struct tr_table *t, struct tr__layout *l)
{
    l->list = calloc(l->n_columns + 1, sizeof *l->list);
    l->block.list = calloc(l->n_columns + 1, sizeof *l->block.list);
    if (!l->list || !l->block.list || !whole_forms(l))
        return false;
    list_columns(t, l);
    l->n_keys = l->n_list;
    l->planned = true;
    if (!t->width || sum_of(t, l, true) <= t->width)
        return true;
    while (t->arranged && !t->arrange.columns && sum_of(t, l, true) > t->width)
        if (!leave_out(t, l))
            break;
    bool fits = sum_of(t, l, true) <= t->width;
    l->turned = !fits && fits_turned(t, l);
    l->n_keys = fits || l->turned ? l->n_list : repeated(t, l);
    return true;
}

/* ---- a block ---- */

/* Give the rest of the line to columns whose texts are cut, the narrowest first. */
static void widen(struct tr__layout *l, size_t left)
{
    while (left) {
        struct tr__text_column *narrow = NULL;
        for (size_t i = 0; i < l->block.n; i++) {
            struct tr__text_column *c = &l->columns[l->block.list[i]];
            if (c->width < tr__natural(c) && (!narrow || c->width < narrow->width))
                narrow = c;
        }
        if (!narrow)
            return;
        narrow->width++;
        left--;
    }
}

/* Choose a bar next to the first column of shares, if there is room. */
static void choose_bar(const struct tr_table *t, struct tr__layout *l)
{
    struct tr__text_block *b = &l->block;
    size_t sum = 0;
    b->share = SIZE_MAX;
    for (size_t i = 0; i < b->n; i++) {
        const struct tr__text_column *c = &l->columns[b->list[i]];
        const struct tr_table_column *is = described(t, c);
        size_t n = tr__natural(c), max = c->header > BAR_BESIDE ? c->header : BAR_BESIDE;
        sum += (c->number || n < max ? n : max) + (i ? TR__TEXT_GAP : 0);
        bool share = is->role == TR_ROLE_SHARE && is->unit && strcmp(is->unit, "%") == 0;
        if (b->share == SIZE_MAX && (share || is->bar))
            b->share = i;
    }
    if (b->share == SIZE_MAX || !t->width || sum + 1 + BAR_MIN > t->width)
        b->share = SIZE_MAX;
    else
        b->bar = t->width - sum - 1 < BAR_MAX ? t->width - sum - 1 : BAR_MAX;
}

bool tr__layout_block(const struct tr_table *t, struct tr__layout *l)
{
    struct tr__text_block *b = &l->block;
    size_t sum = 0;
    bool ok = true;
    b->n = 0;
    for (size_t i = 0; i < l->n_list; i++) {
        struct tr__text_column *c = &l->columns[l->list[i]];
        bool key = i < l->n_keys;
        size_t n = min(t, c) + (b->n ? TR__TEXT_GAP : 0);
        if (!key && i < l->next)
            continue;
        if (!key && b->n > l->n_keys && sum + n > t->width)
            break;
        c->width = t->width && !l->turned ? min(t, c) : tr__natural(c);
        b->list[b->n++] = l->list[i];
        sum += n;
        l->next = i + 1 > l->next ? i + 1 : l->next;
    }
    choose_bar(t, l);
    if (b->share != SIZE_MAX)
        sum += 1 + b->bar;
    if (t->width > sum)
        widen(l, t->width - sum);
    for (size_t i = 0; i < b->n && ok; i++)
        if (!l->columns[b->list[i]].number)
            ok = tr__text_forms(&l->columns[b->list[i]]);
    return ok;
}

void tr__text_free(struct tr_table *t)
{
    struct tr__layout *l = t->layout;
    if (!l)
        return;
    for (size_t i = 0; l->columns && i < l->n_columns; i++) {
        tr__text_forms_free(&l->columns[i]);
        tr_strtab_free(l->columns[i].texts);
    }
    tr_temp_free(l->temp);
    tr_buf_free(&l->rows);
    free(l->columns);
    free(l->list);
    free(l->block.list);
    free(l);
    t->layout = NULL;
}
