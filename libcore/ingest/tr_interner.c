/* SPDX-License-Identifier: MIT */
/* Interning: texts, shapes and tracks get numbers by their content. */
#include "ingest/tr_interner_int.h"

#include "base/tr_num.h"
#include "model/tr_kinds.h"

#include <stdlib.h>

bool tr__interner_init(struct tr__interner *s, tr__decode_fn *decode, struct tr_spill *spill)
{
    memset(s, 0, sizeof *s);
    s->decode = decode;
    s->texts_in.spill = s->text_index.spill = spill;
    s->arena = tr_arena_new_in(1u << 18, spill);
    return s->arena != NULL;
}

void tr__interner_free(struct tr__interner *s)
{
    tr_arena_free(s->arena);
    tr_rules_free(s->kind_rules);
    tr_spilling_free(&s->texts_in, s->texts);
    free(s->shapes);
    free(s->stamped);
    free(s->tracks);
    tr_hash_index_free(&s->text_index);
    tr_hash_index_free(&s->shape_index);
    tr_hash_index_free(&s->track_index);
    tr_buf_free(&s->scratch);
    memset(s, 0, sizeof *s);
}

/* Count n more bytes.  False: this would exceed the limit. */
static bool use(struct tr__interner *s, size_t n)
{
    s->full |= s->max && s->used + n > s->max;
    s->used += s->full ? 0 : n;
    return !s->full;
}

static uint64_t text_hash(const char *raw, size_t len, bool is_json)
{
    uint64_t h = tr_hash(raw, len);
    return is_json ? h * 0x9e3779b97f4a7c15u + 1 : h;
}

/* Does a text have a letter?  Numbers with dots and the like have none. */
static bool has_letter(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (unsigned char)((s[i] | 32) - 'a') > 'z' - 'a')
        i++;
    return i < n;
}

/*
 * Decode and classify a text.  The raw text belongs to the caller.  It is copied only after decoding, because the fast
 * path may pass a text that is not valid.
 */
static bool understand(struct tr__interner *s, struct tr__text *t)
{
    unsigned defects = 0;
    s->scratch.len = 0;
    if (s->decode && !s->decode(t->raw, t->raw_len, t->is_json, &s->scratch, &defects))
        return false;
    bool as_it_is = !s->decode || (s->scratch.len == t->raw_len &&
                                   (!t->raw_len || !memcmp(t->raw, s->scratch.data, t->raw_len)));
    t->defects = (uint16_t)defects;
    t->raw = tr_arena_copy(s->arena, t->raw, t->raw_len);
    t->text = t->raw;
    t->len = t->raw_len;
    for (size_t len = t->raw_len; s->texts_in.spill && len >= 4096; len -= len < 65536 ? len : 65536)
        s->texts_in.spill->touched(s->texts_in.spill); /* its bytes may be in a file before the array of texts is */
    if (!t->raw)
        return false;
    if (!as_it_is) {
        t->text = tr_arena_copy(s->arena, s->scratch.data, s->scratch.len);
        t->len = (uint32_t)s->scratch.len;
    }
    if (t->text && !t->is_json) {
        t->is_int = tr_num_plain(t->text, t->len, &t->value) && t->value != TR_I64_NONE;
        if (!t->is_int)
            t->arrow = (uint8_t)tr_vocab_arrow(t->text, t->len, &t->value, &t->step);
    }
    /* numbers and arrows are no words of any vendor, and all words have letters */
    if (t->text && !t->is_json && !t->is_int && !t->arrow && has_letter(t->text, t->len)) {
        t->category = (uint8_t)tr_vocab_category(t->text, t->len);
        t->name = (uint8_t)tr_vocab_name(t->text, t->len, &t->step);
        t->has_arrows = tr_vocab_has_arrows(t->text, t->len);
    }
    if (t->text && s->names) {
        t->as_category = (uint8_t)(tr_names_of_category(s->names, t->text, t->len) + 1);
        t->as_name = (uint8_t)(tr_names_of_name(s->names, t->text, t->len) + 1);
    }
    return t->text != NULL;
}

static uint32_t add_text(struct tr__interner *s, uint64_t hash, const char *raw, size_t len, bool is_json)
{
    if (s->n_texts >= UINT32_MAX - 1 || len > UINT32_MAX ||
        !(s->texts_in.spill || use(s, sizeof *s->texts + 2 * len + 48)) ||
        !tr_spilling_grow(&s->texts_in, &s->texts, &s->cap_texts, s->n_texts + 1, sizeof *s->texts))
        return TR_NO_STR;
    struct tr__text *t = &s->texts[s->n_texts];
    memset(t, 0, sizeof *t);
    t->raw = raw;
    t->raw_len = (uint32_t)len;
    t->is_json = is_json;
    if (!understand(s, t) || !tr_hash_index_add(&s->text_index, hash, (uint32_t)s->n_texts))
        return TR_NO_STR;
    return (uint32_t)s->n_texts++;
}

uint32_t tr__intern_text(struct tr__interner *s, const char *raw, size_t len, bool is_json)
{
    uint64_t hash = text_hash(raw, len, is_json);
    tr_spilling_touched(&s->texts_in);
    struct tr_hash_walk walk = tr_hash_index_walk(&s->text_index, hash);
    for (uint32_t id; (id = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        const struct tr__text *t = &s->texts[id];
        if (t->raw_len == len && t->is_json == is_json && !memcmp(t->raw, raw, len))
            return id;
    }
    return add_text(s, hash, raw, len, is_json);
}

bool tr__intern_kind(struct tr__interner *s, uint32_t id)
{
    struct tr__text *t = &s->texts[id];
    struct tr_error err = TR_ERROR_INIT;
    enum tr_kind kind = TR_KIND_NONE;
    if ((!s->kind_rules && tr_kind_rules(&s->kind_rules, &err) != TR_OK) ||
        tr_kind_of_kernel(s->kind_rules, t->text, t->len, &kind, &err) != TR_OK)
        return false;
    t->kernel_kind = (uint8_t)kind;
    return true;
}

static uint64_t shape_hash(const struct tr_slot *slots, uint32_t n, char ph)
{
    uint64_t h = (uint64_t)(unsigned char)ph + 1;
    for (uint32_t i = 0; i < n; i++)
        h = tr_mix64(h ^ slots[i].key,
                     0x9e3779b97f4a7c15u ^ ((uint64_t)slots[i].place << 16 |
                                            (uint64_t)slots[i].role << 8 | slots[i].type));
    return h;
}

static bool same_shape(const struct tr_shape *a, const struct tr_slot *slots, uint32_t n, char ph)
{
    if (a->n_slots != n || a->ph != ph)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (a->slots[i].key != slots[i].key || a->slots[i].place != slots[i].place ||
            a->slots[i].role != slots[i].role || a->slots[i].type != slots[i].type)
            return false;
    return true;
}

static bool has_stamps(const struct tr__interner *s, const struct tr_slot *slots, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct tr__text *key = &s->texts[slots[i].key];
        if (slots[i].place == TR_PLACE_ARGS && key->len == 3 && !memcmp(key->text, "TS1", 3))
            return true;
    }
    return false;
}

uint32_t tr__intern_shape(struct tr__interner *s, const struct tr_slot *slots, uint32_t n, char ph)
{
    uint32_t *near = &s->near[n ? (slots[n - 1].key + 3 * slots[n / 2].key + 5 * n + slots[n - 1].type) & 63 : 0];
    if (*near && same_shape(&s->shapes[*near - 1], slots, n, ph))
        return *near - 1;
    uint64_t hash = shape_hash(slots, n, ph);
    struct tr_hash_walk walk = tr_hash_index_walk(&s->shape_index, hash);
    for (uint32_t id; (id = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_shape(&s->shapes[id], slots, n, ph)) {
            *near = id + 1;
            return id;
        }
    if (s->n_shapes >= UINT32_MAX - 1 || !use(s, 3 * (sizeof *s->shapes + n * sizeof *slots)) ||
        !tr_grow(&s->shapes, &s->cap_shapes, s->n_shapes + 1, sizeof *s->shapes) ||
        !tr_grow(&s->stamped, &s->cap_stamped, s->n_shapes + 1, sizeof *s->stamped))
        return UINT32_MAX;
    struct tr_shape *o = &s->shapes[s->n_shapes];
    o->slots = tr_arena_alloc(s->arena, (n ? n : 1) * sizeof *slots);
    if (!o->slots || !tr_hash_index_add(&s->shape_index, hash, (uint32_t)s->n_shapes))
        return UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        o->slots[k] = slots[k];
        o->slots[k].column = UINT32_MAX;
    }
    o->n_slots = n;
    o->ph = ph;
    s->stamped[s->n_shapes] = has_stamps(s, slots, n);
    return (uint32_t)s->n_shapes++;
}

static uint64_t track_hash(const struct tr_track *t)
{
    uint64_t h = tr_mix64((uint64_t)t->pid ^ 0xa0761d6478bd642fu,
                          (uint64_t)t->tid ^ 0xe7037ed1a0b428dbu);
    h = tr_mix64(h ^ (uint64_t)t->stream, 0x8ebc6af09c88c6e3u ^ (uint64_t)t->device);
    return tr_mix64(h ^ (uint64_t)t->context, (uint64_t)t->source << 32 ^ (uint64_t)t->side << 16 ^
                    (uint64_t)t->pid_type << 8 ^ t->tid_type ^ 0x589965cc75374cc3u);
}

static bool same_track(const struct tr_track *a, const struct tr_track *b)
{
    return a->pid == b->pid && a->tid == b->tid && a->stream == b->stream && a->device == b->device &&
           a->context == b->context && a->source == b->source && a->side == b->side &&
           a->pid_type == b->pid_type && a->tid_type == b->tid_type && a->clock == b->clock;
}

uint32_t tr__intern_track(struct tr__interner *s, const struct tr_track *t)
{
    uint64_t hash = track_hash(t);
    struct tr_hash_walk walk = tr_hash_index_walk(&s->track_index, hash);
    for (uint32_t id; (id = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_track(&s->tracks[id], t))
            return id;
    if (s->n_tracks >= UINT32_MAX - 1 || !use(s, 4 * sizeof *s->tracks) ||
        !tr_grow(&s->tracks, &s->cap_tracks, s->n_tracks + 1, sizeof *s->tracks) ||
        !tr_hash_index_add(&s->track_index, hash, (uint32_t)s->n_tracks))
        return UINT32_MAX;
    s->tracks[s->n_tracks] = *t;
    return (uint32_t)s->n_tracks++;
}
