/* SPDX-License-Identifier: MIT */
/* A list of fields as users write it, and the value of a field. */
#include "formats/text/tr_fields.h"

#include "base/tr_num.h"
#include "formats/common/tr_overlaps.h"
#include "model/selection/tr_select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STACK 10000

bool tr_field_is_time(const struct tr_field *f)
{
    return tr_event_fields[f->id].type == TR_FIELD_IS_TIME;
}

bool tr_field_is_number(const struct tr_field *f)
{
    return tr_event_field_is_whole(f->id) || f->id == TR_FIELD_PID || f->id == TR_FIELD_TID ||
           f->id == TR_FIELD_CORRELATION || f->id == TR_FIELD_SIMD;
}

void tr_fields_free(struct tr_fields *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->list[i].name);
        free(f->list[i].key);
    }
    free(f->list);
    memset(f, 0, sizeof *f);
}

/*
 * Append one name of the list to out, with quotes resolved.  Returns the text after it, or NULL if a quote has no end.
 */
static const char *read_name(const char *p, struct tr_buf *out, bool *memory)
{
    bool quoted = false;
    while (*p && (quoted || *p != ',')) {
        if (*p == '"') {
            quoted = !quoted;
        } else {
            if (quoted && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
                p++;
            *memory = *memory && tr_buf_add(out, p, 1);
        }
        p++;
    }
    /* Blanks after a name belong to the list, unless they were quoted. */
    while (out->len && out->data[out->len - 1] == ' ' && p[-1] == ' ')
        out->len--;
    return quoted ? NULL : p;
}

static char *copy_text(const char *s, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

/* The message lists the known names. */
static enum tr_status unknown_field(const char *name, size_t len, struct tr_error *err)
{
    char all[800] = "";
    size_t n = 0;
    for (unsigned k = 0; k < TR_N_FIELDS && n < sizeof all; k++)
        if (tr_event_fields[k].where & TR_FIELD_TO_LIST && k != TR_FIELD_ARG)
            n += (size_t)snprintf(all + n, sizeof all - n, "%s ", tr_event_fields[k].name);
    return tr_fail(err, TR_USAGE, "unknown field '%.*s': there are %sargs.KEY", (int)(len < 100 ? len : 100), name,
                   all);
}

/* "stack(3)": the innermost 3 spans. */
static bool read_stack(const char *name, size_t len, struct tr_field *field)
{
    static const char start[] = "stack(";
    size_t n = sizeof start - 1;
    uint64_t count;
    if (len <= n + 1 || memcmp(name, start, n) != 0 || name[len - 1] != ')' ||
        tr_num_digits(name + n, len - n - 1, MAX_STACK, &count, NULL) != len - n - 1 || count == 0)
        return false;
    field->id = TR_FIELD_STACK;
    field->count = (size_t)count;
    return true;
}

/* quoted: the key after args. may be empty, like the keys of counters with one value. */
static enum tr_status add_field(struct tr_fields *f, const char *name, size_t len, bool quoted, struct tr_error *err)
{
    struct tr_field field = { .id = TR_N_FIELDS };
    field.optional = len > 1 && name[len - 1] == '?';
    len -= field.optional;
    if (len >= (quoted ? 5u : 6u) && memcmp(name, "args.", 5) == 0)
        field.id = TR_FIELD_ARG;
    else if (!read_stack(name, len, &field))
        field.id = tr_event_field_find(name, len, TR_FIELD_TO_LIST);
    if (field.id == TR_N_FIELDS)
        return unknown_field(name, len, err);
    if (!tr_grow(&f->list, &f->cap, f->n + 1, sizeof field))
        return tr_fail_memory(err);
    field.name = copy_text(name, len);
    if (field.id == TR_FIELD_ARG)
        field.key = copy_text(name + 5, len - 5);
    const char *arg = tr_event_fields[field.id].arg;
    if (arg)
        field.key = copy_text(arg, strlen(arg));
    bool has_key = field.id == TR_FIELD_ARG || arg;
    f->list[f->n++] = field;
    return field.name && (!has_key || field.key) ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_fields_parse(struct tr_fields *f, const char *list, struct tr_error *err)
{
    struct tr_buf name = { 0 };
    enum tr_status st = TR_OK;
    const char *p = list;
    do {
        bool memory = true;
        name.len = 0;
        p += strspn(p, " ");
        const char *from = p;
        p = read_name(p, &name, &memory);
        if (!memory)
            st = tr_fail_memory(err);
        else if (!p)
            st = tr_fail(err, TR_USAGE, "a quote without end in the list of fields");
        else if (!name.len)
            st = tr_fail(err, TR_USAGE, "an empty name in the list of fields");
        else
            st = add_field(f, (const char *)name.data, name.len, memchr(from, '"', (size_t)(p - from)) != NULL, err);
    } while (st == TR_OK && *p++ == ',');
    tr_buf_free(&name);
    return st;
}

enum tr_status tr_fields_start(const struct tr_fields *f, struct tr_field_columns *c, struct tr_input *in,
                               struct tr_error *err)
{
    const uint64_t steps = UINT64_C(1) << TR_FIELD_STEP | UINT64_C(1) << TR_FIELD_STEP_PHASE;
    uint64_t asks = 0;
    for (size_t k = 0; k < f->n; k++)
        asks |= UINT64_C(1) << f->list[k].id;
    return tr_field_columns_start(c, in, in->sorted ? asks : asks & ~steps, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

/*
 * The slot of a shape that has args.KEY, or UINT32_MAX.  A span that was joined from B and E has the args of both;
 * those of the E have precedence.
 */
static uint32_t find_slot(const struct tr_dict *d, const struct tr_shape *s, const char *key)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < s->n_slots; i++)
        if ((s->slots[i].place == TR_PLACE_ARGS || s->slots[i].place == TR_PLACE_END_ARGS) &&
            s->slots[i].role == TR_ROLE_COLUMN && tr_str_is(tr_dict_text(d, s->slots[i].key), key))
            found = i;
    return found;
}

/*
 * Does slot k belong to the object of a place?  In a joined span, args of the B that the E also has do not.
 */
static bool in_object(const struct tr_dict *d, const struct tr_shape *s, uint32_t k, enum tr_place place, bool joined)
{
    const struct tr_slot *slot = &s->slots[k];
    if (slot->role != TR_ROLE_COLUMN)
        return false;
    if (place == TR_PLACE_ARGS && slot->place == TR_PLACE_END_ARGS)
        return true;
    if (slot->place != place)
        return false;
    if (place == TR_PLACE_TOP &&
        (tr_str_is(tr_dict_text(d, slot->key), "ts") || tr_str_is(tr_dict_text(d, slot->key), "dur")))
        return false; /* the text that ts and dur were made from */
    for (uint32_t i = k + 1; joined && i < s->n_slots && place == TR_PLACE_ARGS; i++)
        if (s->slots[i].place == TR_PLACE_END_ARGS && s->slots[i].key == slot->key)
            return false;
    return true;
}

static bool load_columns(struct tr_field_reader *r, const struct tr_fields *f)
{
    if (!tr_grow(&r->loaded, &r->cap_loaded, f->n, sizeof *r->loaded))
        return false;
    for (size_t k = 0; k < f->n; k++) {
        enum tr_field_id id = f->list[k].id;
        struct tr_field_loaded l = { .from = tr_event_fields[id].from,
                                     .is_time = tr_event_fields[id].type == TR_FIELD_IS_TIME,
                                     .is_moment = tr_event_field_is_moment(id) };
        unsigned n;
        switch (l.from) {
        case TR_FIELD_FROM_NUMBERS:
            if (!(l.numbers = tr_field_numbers(r->columns, id)))
                return false;
            break;
        case TR_FIELD_FROM_WORDS:
            l.word = tr_field_word_list(id, &l.first_word, &n);
            if (!(l.words = tr_field_words(r->columns, id)))
                return false;
            break;
        case TR_FIELD_FROM_STRINGS:
            if (!(l.strings = tr_field_strings(r->columns, id)))
                return false;
            break;
        default:
            break;
        }
        r->loaded[k] = l;
    }
    return true;
}

bool tr_field_reader_start(struct tr_field_reader *r, const struct tr_fields *f, const struct tr_batch *b)
{
    const struct tr_dict *d = b->dict;
    r->fields = f;
    r->members.dict = d;
    if (d->n_shapes > SIZE_MAX / (f->n + 1) ||
        !tr_grow(&r->slot_of, &r->cap_slot_of, d->n_shapes * f->n, sizeof *r->slot_of))
        return false;
    for (; r->n_shapes < d->n_shapes; r->n_shapes++)
        for (size_t k = 0; k < f->n; k++)
            r->slot_of[r->n_shapes * f->n + k] =
                f->list[k].key ? find_slot(d, &d->shapes[r->n_shapes], f->list[k].key) : UINT32_MAX;
    return tr_field_columns_batch(r->columns, b) && load_columns(r, f) && tr_members_start(&r->members, b);
}

void tr_field_reader_next(struct tr_field_reader *r, size_t i)
{
    tr_members_advance(&r->members, i);
}

void tr_field_reader_free(struct tr_field_reader *r)
{
    tr_members_free(&r->members);
    tr_buf_free(&r->object);
    tr_buf_free(&r->owner);
    free(r->slot_of);
    free(r->loaded);
    memset(r, 0, sizeof *r);
}

static void set_int(struct tr_field_value *v, int64_t i, bool present)
{
    v->is = present ? TR_VALUE_TYPED : TR_VALUE_NONE;
    v->type = TR_T_INT;
    v->i = i;
}

static void set_ns(struct tr_field_value *v, int64_t ns)
{
    v->is = ns == TR_TIME_NONE ? TR_VALUE_NONE : TR_VALUE_NS;
    v->i = ns;
}

static void set_str(struct tr_field_value *v, uint32_t id)
{
    v->is = id == TR_NO_STR ? TR_VALUE_NONE : TR_VALUE_STR;
    v->i = id;
}

static void set_text(struct tr_field_value *v, const char *text)
{
    v->is = TR_VALUE_TEXT;
    v->text = text;
    v->len = strlen(text);
}

static void set_id(struct tr_field_value *v, unsigned type, int64_t id)
{
    if (type == TR_T_STRING)
        set_str(v, (uint32_t)id);
    else
        set_int(v, id, type != TR_T_NULL);
    if (type == TR_T_UINT)
        v->type = TR_T_UINT;
}

static void set_slot(struct tr_field_reader *r, const struct tr_slot *s, struct tr_field_value *v)
{
    v->is = TR_VALUE_TYPED;
    v->type = s->type;
    if (tr_type_has_entry(s->type) && !tr_members_peek(&r->members, s->column, &v->i))
        v->is = TR_VALUE_NONE;
    else if (s->type == TR_T_STRING)
        v->is = TR_VALUE_STR;
}

/* A time of event i, as it is shown. */
static int64_t shown(const struct tr_field_reader *r, size_t i, int64_t ns)
{
    const struct tr_batch *b = r->members.batch;
    if (!r->of_files || ns == TR_TIME_NONE)
        return ns;
    return tr_source_to_file(&b->dict->sources[b->dict->tracks[b->track[i]].source], ns);
}

/* The members of one place that are not separate fields, as a JSON object. */
static bool set_object(struct tr_field_reader *r, size_t i, enum tr_place place, struct tr_field_value *v)
{
    static const char *const words[] = { "null", "false", "true" };
    const struct tr_dict *d = r->members.dict;
    const struct tr_shape *s = &d->shapes[r->members.batch->shape[i]];
    bool joined = (r->members.batch->flags[i] & TR_FROM_BE) != 0;
    bool ok = true, first = true, opened = false;
    r->object.len = 0;
    for (uint32_t k = 0; k < s->n_slots && ok; k++) {
        const struct tr_slot *slot = &s->slots[k];
        opened |= slot->role == TR_ROLE_ARGS;
        if (!in_object(d, s, k, place, joined))
            continue;
        int64_t value = 0;
        ok = tr_buf_add(&r->object, first ? "{" : ",", 1) && tr_members_str(&r->members, slot->key, &r->object) &&
             tr_buf_add(&r->object, ":", 1);
        first = false;
        if (!tr_type_has_entry(slot->type))
            ok = ok && tr_buf_add_str(&r->object, words[slot->type]);
        else if (tr_members_peek(&r->members, slot->column, &value))
            ok = ok && tr_members_value(&r->members, slot->type, value, &r->object);
        else
            ok = ok && tr_buf_add_str(&r->object, "null");
    }
    v->is = TR_VALUE_NONE;
    if (first && !(opened && place == TR_PLACE_ARGS))
        return ok;
    ok = ok && tr_buf_add(&r->object, "{}", first ? 2 : 0) && tr_buf_add(&r->object, "}", !first);
    v->is = TR_VALUE_OBJECT;
    v->text = (const char *)r->object.data;
    v->len = r->object.len;
    return ok;
}

bool tr_field_reader_arg(struct tr_field_reader *r, size_t i, uint32_t *at, struct tr_str *key,
                         struct tr_field_value *v)
{
    const struct tr_dict *d = r->members.dict;
    const struct tr_shape *s = &d->shapes[r->members.batch->shape[i]];
    bool joined = (r->members.batch->flags[i] & TR_FROM_BE) != 0;
    while (*at < s->n_slots && !in_object(d, s, *at, TR_PLACE_ARGS, joined))
        ++*at;
    if (*at == s->n_slots)
        return false;
    memset(v, 0, sizeof *v);
    *key = tr_dict_text(d, s->slots[*at].key);
    set_slot(r, &s->slots[(*at)++], v);
    return true;
}

/* The arg that is the value of a field. */
static void set_arg(struct tr_field_reader *r, size_t i, size_t k, struct tr_field_value *v)
{
    const struct tr_batch *b = r->members.batch;
    uint32_t slot = r->slot_of[b->shape[i] * r->fields->n + k];
    if (slot != UINT32_MAX)
        set_slot(r, &b->dict->shapes[b->shape[i]].slots[slot], v);
}

static void set_number(const struct tr_field_reader *r, size_t i, enum tr_field_id id, const struct tr_field_loaded *l,
                       struct tr_field_value *v)
{
    int64_t number = l->numbers[i];
    if (l->is_time)
        set_ns(v, l->is_moment ? shown(r, i, number) : number);
    else
        set_int(v, number, number != TR_I64_NONE || id == TR_FIELD_RECORD);
    if (id == TR_FIELD_RECORD)
        v->type = TR_T_UINT;
}

/* The arg that is the value of the field, if there is one, else its owner. */
static bool set_owner(struct tr_field_reader *r, size_t i, size_t k, struct tr_field_value *v)
{
    const struct tr_field *f = &r->fields->list[k];
    const uint32_t *frames = tr_field_frames(r->columns);
    struct tr_str text;
    if (f->key)
        set_arg(r, i, k, v);
    if (v->is == TR_VALUE_STR || !frames)
        return true;
    v->is = TR_VALUE_NONE;
    if (!tr_field_owner_text(r->columns, f->id, f->count, frames[i], &text, &r->owner))
        return false;
    if (text.s) {
        v->is = TR_VALUE_PART;
        v->text = text.s;
        v->len = text.len;
    }
    return true;
}

/* If v has no value, or null: the part of the name of event i, which points into part. */
static void part_value(const struct tr_batch *b, size_t i, enum tr_field_id field, struct tr_name_part *part,
                       struct tr_field_value *v)
{
    if (v->is != TR_VALUE_NONE && !(v->is == TR_VALUE_TYPED && v->type == TR_T_NULL))
        return;
    v->is = TR_VALUE_NONE;
    if (b->name[i] == TR_NO_STR || !tr_name_has_part(field, b->activity[i]) ||
        !tr_name_part(b->dict->names, field, tr_dict_text(b->dict, b->name[i]), part))
        return;
    if (part->is_number) {
        v->is = TR_VALUE_TYPED;
        v->type = TR_T_INT;
        v->i = part->number;
        return;
    }
    v->is = part->text.s == part->triple ? TR_VALUE_OBJECT : TR_VALUE_PART; /* a list of JSON, or any text */
    v->text = part->text.s;
    v->len = part->text.len;
}

bool tr_field_reader_get(struct tr_field_reader *r, size_t i, size_t k, struct tr_field_value *v)
{
    const struct tr_field *f = &r->fields->list[k];
    const struct tr_batch *b = r->members.batch;
    const struct tr_field_loaded *l = &r->loaded[k];
    enum tr_type type;
    int64_t number;
    memset(v, 0, sizeof *v);
    switch (l->from) {
    case TR_FIELD_FROM_NUMBERS:
        set_number(r, i, f->id, l, v);
        return true;
    case TR_FIELD_FROM_WORDS:
        if (l->words[i] >= l->first_word)
            set_text(v, l->word(l->words[i]));
        return true;
    case TR_FIELD_FROM_STRINGS:
        set_str(v, l->strings[i]);
        return true;
    case TR_FIELD_FROM_TRACK:
        type = tr_field_of_track(b->dict, b->track[i], f->id, &number);
        set_id(v, type, number);
        return true;
    case TR_FIELD_FROM_ARG:
        set_arg(r, i, k, v);
        return true;
    case TR_FIELD_FROM_PART:
        if (f->key)
            set_arg(r, i, k, v);
        part_value(b, i, f->id, &r->part, v);
        return true;
    case TR_FIELD_FROM_OWNER:
        return set_owner(r, i, k, v);
    default:
        break;
    }
    if (f->id != TR_FIELD_LANE)
        return set_object(r, i, f->id == TR_FIELD_ARGS ? TR_PLACE_ARGS : TR_PLACE_TOP, v);
    set_int(v, r->lanes ? r->lanes[i] : 0, r->lanes && r->lanes[i] != TR_LANE_NONE);
    return true;
}
