/* SPDX-License-Identifier: MIT */
/* Starts and ends of async events: what an end has in common with its start. */
#include "ingest/tr_ingest_int.h"

#include "base/tr_num.h"

/* The members that name an async event, at the top of it. */
enum named { ID, ID2, SCOPE, N_NAMED };

static enum named member_of(const struct tr__text *key)
{
    static const char *const names[N_NAMED] = { [ID] = "id", [ID2] = "id2", [SCOPE] = "scope" };
    for (unsigned k = 0; k < N_NAMED; k++)
        if (strlen(names[k]) == key->len && !memcmp(names[k], key->text, key->len))
            return (enum named)k;
    return N_NAMED;
}

/* The values of these members in a row; NULL: absent. */
static void find_members(const struct tr__interner *s, const struct tr_row *row, const unsigned char *at[N_NAMED],
                         uint8_t type[N_NAMED])
{
    const struct tr_shape *shape = &s->shapes[row->shape];
    const unsigned char *v = tr_row_values(row) + tr_row_has_size(row->has);
    for (uint32_t i = 0; i < shape->n_slots; i++) {
        const struct tr_slot *slot = &shape->slots[i];
        if (slot->role != TR_ROLE_COLUMN || !tr_type_has_entry(slot->type))
            continue;
        enum named k = slot->place == TR_PLACE_TOP ? member_of(&s->texts[slot->key]) : N_NAMED;
        if (k < N_NAMED) {
            at[k] = v;
            type[k] = slot->type;
        }
        v += tr_type_is_string(slot->type) ? 4 : 8;
    }
}

static const struct tr__text *text_at(const struct tr__interner *s, const unsigned char *v)
{
    uint32_t id;
    memcpy(&id, v, sizeof id);
    return &s->texts[id];
}

static bool add_text(struct tr_buf *key, const struct tr__text *t)
{
    uint32_t len = t ? t->len : 0;
    return tr_buf_add(key, &len, sizeof len) && (!len || tr_buf_add(key, t->text, len));
}

/* An id counts by its value: 31, "31" and "0x1f" are one. */
static bool add_value(const struct tr__interner *s, const unsigned char *v, uint8_t type, struct tr_buf *key)
{
    const struct tr__text *t = tr_type_is_string(type) ? text_at(s, v) : NULL;
    int64_t number = 0;
    bool whole = type == TR_T_INT || (t && (t->is_int || tr_num_plain_hex(t->text, t->len, &number)));
    if (t && t->is_int)
        number = t->value;
    else if (!t)
        memcpy(&number, v, sizeof number);
    unsigned char of = whole ? TR_T_INT : type;
    return tr_buf_add(key, &of, 1) && (t && !whole ? add_text(key, t) : tr_buf_add(key, &number, sizeof number));
}

/* Is this id2 one of its process only?  It is an object with one member, local or global. */
static bool is_local(const struct tr__text *id2)
{
    static const char local[] = "\"local\"";
    for (uint32_t i = 0; i + sizeof local - 1 <= id2->len; i++)
        if (!memcmp(id2->text + i, local, sizeof local - 1))
            return true;
    return false;
}

bool tr__async_key(const struct tr__interner *s, const struct tr_row *row, struct tr_buf *key, enum tr__id *id)
{
    const unsigned char *at[N_NAMED] = { NULL };
    uint8_t type[N_NAMED] = { 0 };
    char ph = s->shapes[row->shape].ph;
    const unsigned char form = ph == 'S' || ph == 'F' ? 2 : 1; /* S and F do not nest, and are apart from b and e */
    find_members(s, row, at, type);
    enum named k = at[ID2] && type[ID2] == TR_T_JSON ? ID2 : ID;
    *id = !at[k] ? TR__ID_NONE : k == ID2 && is_local(text_at(s, at[k])) ? TR__ID_OF_PROCESS : TR__ID_ANYWHERE;
    const unsigned char head[2] = { form, (unsigned char)k };
    return tr_buf_add(key, head, sizeof head) && (!at[k] || add_value(s, at[k], type[k], key)) &&
           add_text(key, at[SCOPE] && tr_type_is_string(type[SCOPE]) ? text_at(s, at[SCOPE]) : NULL) &&
           add_text(key, row->cat == TR_NO_STR ? NULL : &s->texts[row->cat]);
}
