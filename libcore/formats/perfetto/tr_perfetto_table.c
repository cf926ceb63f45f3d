/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: numbers of the file to entries of ours; texts. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_escape.h"
#include "base/tr_hash.h"

#include <stdlib.h>

#define KEPT 256u /* places that a table keeps when it is cleared */

static size_t slot_of(const struct tr__numbers *t, uint64_t key)
{
    size_t i = (size_t)tr_mix64(key ^ 0x9e3779b97f4a7c15u, 0xe7037ed1a0b428dbu) & (t->cap - 1);
    while (t->at[i].value != UINT32_MAX && t->at[i].key != key)
        i = (i + 1) & (t->cap - 1);
    return i;
}

uint32_t tr__numbers_get(const struct tr__numbers *t, uint64_t key)
{
    return t->cap ? t->at[slot_of(t, key)].value : UINT32_MAX;
}

static bool grow(struct tr__numbers *t)
{
    struct tr__numbers more = { .cap = t->cap ? 2 * t->cap : 16 };
    if (more.cap > SIZE_MAX / sizeof *more.at || !(more.at = malloc(more.cap * sizeof *more.at)))
        return false;
    memset(more.at, 0xff, more.cap * sizeof *more.at);
    for (size_t i = 0; i < t->cap; i++)
        if (t->at[i].value != UINT32_MAX)
            more.at[slot_of(&more, t->at[i].key)] = t->at[i];
    more.n = t->n;
    free(t->at);
    *t = more;
    return true;
}

bool tr__numbers_set(struct tr__numbers *t, uint64_t key, uint32_t value)
{
    if (2 * t->n >= t->cap && !grow(t))
        return false;
    size_t i = slot_of(t, key);
    t->n += t->at[i].value == UINT32_MAX;
    t->at[i].key = key;
    t->at[i].value = value;
    return true;
}

void tr__numbers_clear(struct tr__numbers *t)
{
    if (t->cap > KEPT) { /* else a file could have a large table cleared again and again */
        free(t->at);
        *t = (struct tr__numbers){ 0 };
    } else if (t->n) {
        memset(t->at, 0xff, t->cap * sizeof *t->at);
    }
    t->n = 0;
}

void tr__numbers_free(struct tr__numbers *t)
{
    free(t->at);
}

uint32_t tr__perfetto_string(struct tr__perfetto_reader *r, const unsigned char *p, size_t n)
{
    const char *text = n ? (const char *)p : "";
    uint32_t id = TR_NO_STR;
    if (tr_utf8_valid(text, n)) {
        id = tr_strtab_add(r->strings, text, n);
    } else {
        r->clean.len = 0;
        tr_ingest_damaged(r->g, TR_CAUSE_BAD_UTF8, tr__window_offset(&r->w));
        if (tr_utf8_add(&r->clean, text, n))
            id = tr_strtab_add(r->strings, r->clean.data, r->clean.len);
    }
    if (id == TR_NO_STR)
        tr__perfetto_no_memory(r);
    return id;
}
