/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: texts. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_escape.h"

struct tr__known_text *tr__perfetto_learn_text(struct tr__perfetto_reader *r, uint32_t id)
{
    if (id >= r->n_known) {
        if (!tr_grow(&r->known, &r->cap_known, id + (size_t)1, sizeof *r->known)) {
            tr__perfetto_no_memory(r);
            return NULL;
        }
        while (r->n_known < r->cap_known)
            r->known[r->n_known++] = (struct tr__known_text){ .number = TR_NO_STR, .activity = TR_N_ACTIVITIES };
    }
    struct tr__known_text *k = &r->known[id];
    struct tr_str text = tr__perfetto_str(r, id);
    k->text = text.s;
    k->len = (uint32_t)text.len;
    k->empty = text.len == 0;
    if (k->number == TR_NO_STR)
        k->number = tr_ingest_text(r->g, text.s, text.len);
    return k;
}

/* Writers that do not number texts repeat the same few thousand texts. */
uint32_t tr__perfetto_string(struct tr__perfetto_reader *r, const unsigned char *p, size_t n)
{
    const char *text = n ? (const char *)p : "";
    uint32_t id = TR_NO_STR, *near = &r->near_texts[tr__perfetto_near((const unsigned char *)text, n)];
    if (*near && *near <= r->n_known && n && r->known[*near - 1].len == n &&
        tr_same_bytes(r->known[*near - 1].text, text, n))
        return *near - 1;
    if (*near && tr__perfetto_is(r, *near - 1, (const unsigned char *)text, n))
        return *near - 1;
    if (tr_utf8_valid(text, n)) {
        id = tr_strtab_add(r->strings, text, n);
        *near = id == TR_NO_STR ? 0 : id + r->n_shared + 1;
    } else {
        r->clean.len = 0;
        r->n_damaged++;
        if (r->role != TR__EMITTER)
            tr_ingest_damaged(r->g, TR_DAMAGE_BAD_UTF8, r->at);
        if (tr_utf8_add(&r->clean, text, n))
            id = tr_strtab_add(r->strings, r->clean.data, r->clean.len);
    }
    if (id == TR_NO_STR)
        tr__perfetto_no_memory(r);
    else
        id += r->n_shared;
    return id;
}
