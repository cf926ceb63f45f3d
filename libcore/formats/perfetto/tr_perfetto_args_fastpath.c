/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: annotations that are as those of an earlier event.
 *
 * Most events have the keys of earlier ones, in the same order, with values of the same types.  These sequences are a
 * tree of steps: a step is a key and the type of its value.  So an annotation is compared with the few that came after
 * the one before it, and the last step knows the shape of the event.
 */
#include "formats/perfetto/tr_perfetto_annotation_int.h"
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "base/tr_escape.h"

#define EXPONENT     INT64_C(0x7ff0000000000000) /* of a double */
#define MAX_STEPS   4096u
#define MAX_NEXT    12u /* steps after one */
#define NO_STEP      UINT32_MAX

/* ---- values ---- */

/* A JSON text that was added before as an array or an object: its number in the builder; TR_NO_STR: it was not. */
static inline uint32_t known_json(const struct tr__perfetto_reader *r, const unsigned char *p, size_t len)
{
    uint32_t near = r->near_values[tr__perfetto_near(p, len)];
    if (!near || tr_strtab_len(r->values, near - 1) != len || memcmp(tr_strtab_get(r->values, near - 1), p, len) != 0)
        return TR_NO_STR;
    return r->value_of[near - 1].number;
}

/* The same for a list or object, by its whole annotation. */
static inline uint32_t known_list(const struct tr__annotations *n, const struct tr__span *annotation, uint32_t key)
{
    struct tr__perfetto_reader *r = n->r;
    size_t of = (size_t)(n->s - r->sequences);
    uint32_t near = r->in_order ? 0 : *tr__near_list(r, annotation->data, annotation->len);
    if (!near || tr_strtab_len(r->values, near - 1) != TR__LIST_AT + annotation->len ||
        r->value_of[near - 1].key != key)
        return TR_NO_STR;
    const char *text = tr_strtab_get(r->values, near - 1);
    bool same =
        !*text && !memcmp(text + 1, &of, sizeof of) && !memcmp(text + TR__LIST_AT, annotation->data, annotation->len);
    return same ? r->value_of[near - 1].number : TR_NO_STR;
}

/* The value of an annotation, if it is complete in its field at p.  False: it is not, or has more to it. */
static inline bool plain_value(const struct tr__perfetto_reader *r, const unsigned char *p, const unsigned char *end,
                               struct tr__proto *value, struct tr__arg *arg)
{
    switch (*p++) {
    case TR__PROTO_KEY(ANNOTATION_INT, TR__WIRE_VARINT):
        value->field = ANNOTATION_INT;
        arg->type = TR_T_INT;
        return tr__proto_take(&p, end, &value->v) && (arg->bits = (int64_t)value->v, p == end);
    case TR__PROTO_KEY(ANNOTATION_UINT, TR__WIRE_VARINT):
        value->field = ANNOTATION_UINT;
        if (!tr__proto_take(&p, end, &value->v))
            return false;
        arg->type = value->v > INT64_MAX ? TR_T_UINT : TR_T_INT;
        arg->bits = (int64_t)value->v;
        return p == end;
    case TR__PROTO_KEY(ANNOTATION_BOOL, TR__WIRE_VARINT):
        value->field = ANNOTATION_BOOL;
        if (!tr__proto_take(&p, end, &value->v))
            return false;
        arg->type = value->v ? TR_T_TRUE : TR_T_FALSE;
        return p == end;
    case TR__PROTO_KEY(ANNOTATION_DOUBLE, TR__WIRE_64):
        value->field = ANNOTATION_DOUBLE;
        arg->type = TR_T_DOUBLE;
        arg->bits = end - p == 8 ? (int64_t)((uint64_t)tr__proto_fixed32(p + 4) << 32 | tr__proto_fixed32(p)) : 0;
        return end - p == 8 && (arg->bits & EXPONENT) != EXPONENT; /* infinities and NaN are texts */
    case TR__PROTO_KEY(ANNOTATION_STRING, TR__WIRE_BYTES):
        value->field = ANNOTATION_STRING;
        if (!tr__proto_take_bytes(&p, end, &value->data, &value->len) || p != end || !value->len ||
            value->len > TR__LONGEST_KEPT || !tr_utf8_valid((const char *)value->data, value->len))
            return false;
        arg->type = TR_T_STRING;
        return true; /* its number is looked up when its key is known */
    case TR__PROTO_KEY(ANNOTATION_JSON, TR__WIRE_BYTES):
        value->field = ANNOTATION_JSON;
        if (!tr__proto_take_bytes(&p, end, &value->data, &value->len) || p != end || !value->len)
            return false;
        arg->type = TR_T_JSON;
        arg->bits = known_json(r, value->data, value->len);
        return arg->bits != TR_NO_STR;
    default:
        return false;
    }
}

/* The key of an annotation at *p, which moves past it: its number among texts; UINT32_MAX: it is not there first. */
static inline uint32_t plain_key(const struct tr__annotations *n, const unsigned char **p, const unsigned char *end)
{
    struct tr__span text;
    uint64_t id;
    uint32_t near;
    switch (*(*p)++) {
    case TR__PROTO_KEY(ANNOTATION_KEY_ID, TR__WIRE_VARINT):
        return tr__proto_take(p, end, &id) && id ? tr__numbers_get(&n->s->texts[TR__TEXT_KEY], id) : UINT32_MAX;
    case TR__PROTO_KEY(ANNOTATION_KEY, TR__WIRE_BYTES):
        if (!tr__proto_take_bytes(p, end, &text.data, &text.len))
            return UINT32_MAX;
        near = n->r->near_texts[tr__perfetto_near(text.data, text.len)];
        return near && tr__perfetto_is(n->r, near - 1, text.data, text.len) ? near - 1 : UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

/* Is this the mark of a field that makes a list or an object? */
static inline bool is_list(unsigned char mark)
{
    return mark == TR__PROTO_KEY(ANNOTATION_NESTED, TR__WIRE_BYTES) ||
           mark == TR__PROTO_KEY(ANNOTATION_ENTRIES, TR__WIRE_BYTES) ||
           mark == TR__PROTO_KEY(ANNOTATION_ELEMENTS, TR__WIRE_BYTES);
}

/* ---- steps ---- */

/* A number that takes the rest of an annotation.  False: it does not. */
static inline bool read_number(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
    size_t n = (size_t)(end - p), i = 0;
    uint64_t sum = 0;
    if (!n || n > 10 || end[-1] > 127)
        return false;
    while (p[i] > 127)
        sum |= (uint64_t)(p[i] & 127) << 7 * i, i++;
    *v = sum | (uint64_t)p[i] << 7 * i;
    return i + 1 == n;
}

/* The value of an annotation, from its mark on.  False: it is not plain, or was not there before. */
static bool read_value(const struct tr__annotations *n, const struct tr__span *annotation, size_t at, uint32_t key,
                              struct tr__proto *value, struct tr__arg *arg)
{
    const unsigned char *p = annotation->data + at;
    if (!is_list(*p))
        return plain_value(n->r, p, annotation->data + annotation->len, value, arg);
    arg->type = TR_T_JSON;
    arg->bits = known_list(n, annotation, key);
    return arg->bits != TR_NO_STR;
}

/* The value is that of the arg: what it says of the event, and the number of a text. */
static inline void take_value(struct tr__annotations *n, uint8_t use, const struct tr__proto *value,
                              struct tr__known_args *known_args, struct tr__arg *arg)
{
    if (value->field == ANNOTATION_STRING) /* TR_NO_STR: out of memory, which the builder knows */
        arg->bits = tr_ingest_text(n->r->g, (const char *)value->data, value->len);
    tr__perfetto_use_annotation(known_args, use, value);
}

/* The first step after another one, or of all. */
static inline uint32_t *next_of(struct tr__perfetto_reader *r, uint32_t step)
{
    return step == NO_STEP ? &r->first_step : &r->steps[step].next;
}

/*
 * The first eight bytes of an annotation.  After a shorter one come zeros, or the bytes up to end that stand there:
 * steps are not compared with them.
 */
static inline uint64_t head_of(const struct tr__span *annotation, const unsigned char *end)
{
    uint64_t head = 0;
    if (end - annotation->data >= 8)
        memcpy(&head, annotation->data, 8);
    else
        memcpy(&head, annotation->data, annotation->len < 8 ? annotation->len : 8);
    return head;
}

/* Does an annotation with this head, which is longer than the text of the step, start as it? */
static inline bool starts(uint64_t head, const unsigned char *p, const struct tr__step *s)
{
    if (((head ^ s->head) & s->mask) != 0)
        return false;
    for (size_t i = 8; i + 8 < s->len; i += 8)
        if (tr_load64(p + i) != tr_load64(s->text + i))
            return false;
    return s->len <= 8 || tr_load64(p + s->len - 8) == tr_load64(s->text + s->len - 8);
}

/*
 * Is the annotation a step after another one?  end: of the annotations of the event.  *step: its step, or one with its
 * key; or NO_STEP.
 */
static inline bool find_step(struct tr__annotations *n, const struct tr__span *annotation, const unsigned char *end,
                             struct tr__known_args *known_args, struct tr__arg *arg, uint32_t *step)
{
    const struct tr__perfetto_reader *r = n->r;
    const unsigned char *p = annotation->data;
    const struct tr__step *steps = r->steps, *s;
    uint32_t i = *step == NO_STEP ? r->first_step : steps[*step].next;
    struct tr__proto value;
    *step = NO_STEP;
    if (!annotation->len)
        return false;
    const uint64_t head = head_of(annotation, end);
    for (; i != NO_STEP; i = s->sibling) {
        s = &steps[i];
        if (annotation->len <= s->len || !starts(head, p, s) ||
            (s->writer != NO_STEP && s->writer != (uint32_t)(n->s - r->sequences)))
            continue;
        *step = i;
        if (s->text[s->len - 1] == TR__PROTO_KEY(ANNOTATION_INT, TR__WIRE_VARINT)) {
            if (!read_number(p + s->len, p + annotation->len, &value.v))
                return false;
            *arg = (struct tr__arg){ s->number, TR_T_INT, (int64_t)value.v };
            value.field = ANNOTATION_INT;
            tr__perfetto_use_annotation(known_args, s->use, &value);
            return true;
        }
        value.field = 0;
        if (!read_value(n, annotation, s->len - 1, s->key, &value, arg))
            return false;
        if (arg->type != s->type)
            continue;
        arg->key = s->number;
        take_value(n, s->use, &value, known_args, arg);
        return true;
    }
    return false;
}

/* A new step for an annotation, whose value starts at a place of it.  NO_STEP: there are enough, or no memory. */
static uint32_t add_step(struct tr__annotations *n, uint32_t after, const struct tr__span *annotation, size_t at,
                         const struct tr__step *like)
{
    struct tr__perfetto_reader *r = n->r;
    bool numbered = *annotation->data == TR__PROTO_KEY(ANNOTATION_KEY_ID, TR__WIRE_VARINT);
    unsigned siblings = 0;
    for (uint32_t i = *next_of(r, after); i != NO_STEP; i = r->steps[i].sibling)
        siblings++;
    if (siblings >= MAX_NEXT || r->n_steps >= MAX_STEPS || at >= sizeof like->text || (numbered && r->in_order) ||
        !tr_grow(&r->steps, &r->cap_steps, r->n_steps + 1, sizeof *r->steps))
        return NO_STEP;
    uint32_t *first = next_of(r, after), step = (uint32_t)r->n_steps++;
    struct tr__step *s = &r->steps[step];
    *s = *like;
    s->len = (uint32_t)at + 1;
    memcpy(s->text, annotation->data, s->len);
    s->head = tr_load64(s->text);
    s->mask = s->len >= 8 ? UINT64_MAX : 0;
    memset(&s->mask, 0xff, s->len < 8 ? s->len : 8);
    s->writer = numbered ? (uint32_t)(n->s - r->sequences) : NO_STEP;
    s->next = NO_STEP;
    s->like.shape = UINT32_MAX;
    s->sibling = *first;
    *first = step;
    return step;
}

/*
 * Most annotations have first their key, and then a number, a text, or a value that was there before.  False: this
 * one has more, or its key comes for the first time.  *step: that after which it comes, then its own.
 */
static bool read_plain(struct tr__annotations *n, const struct tr__span *annotation, struct tr__known_args *known_args,
                       struct tr__arg *arg, bool steps, uint32_t *step)
{
    const unsigned char *p = annotation->data, *end = p + annotation->len;
    struct tr__proto value;
    value.field = 0;
    uint32_t key = p < end ? plain_key(n, &p, end) : UINT32_MAX;
    const struct tr__known_text *known = key < n->r->n_known ? &n->r->known[key] : NULL;
    size_t at = (size_t)(p - annotation->data);
    if (!known || known->number == TR_NO_STR || !known->use || p == end ||
        !read_value(n, annotation, at, key, &value, arg))
        return false;
    arg->key = known->number;
    take_value(n, known->use, &value, known_args, arg);
    struct tr__step s = { .use = known->use, .type = arg->type, .key = key, .number = arg->key };
    *step = steps ? add_step(n, *step, annotation, at, &s) : NO_STEP;
    return true;
}

/* Pass on args; of all args of the event, the last step knows the shape. */
static void emit_args(struct tr__annotations *n, const struct tr__arg *args, size_t n_args, uint32_t last)
{
    struct tr__perfetto_reader *r = n->r;
    if (last != NO_STEP && r->steps[last].like.shape != UINT32_MAX)
        tr__ingest_args_like(r->g, args, n_args, &r->steps[last].like);
    else
        tr__ingest_args(r->g, args, n_args);
    r->last_step = last;
}

void tr__perfetto_learn_shape(struct tr__perfetto_reader *r)
{
    r->steps[r->last_step].like = tr__ingest_like(r->g);
}

void tr__perfetto_walk_start(struct tr__walk *w)
{
    w->n = 0;
    w->step = NO_STEP;
    w->known_args =
        (struct tr__known_args){ .correlation = TR_I64_NONE, .device = TR_I64_NONE, .stream = TR_I64_NONE,
                                 .context = TR_I64_NONE, .agent = TR_I64_NONE, .from = TR_I64_NONE,
                                 .to = TR_I64_NONE, .copied = TR_I64_NONE, .bytes = TR_I64_NONE };
}

bool tr__perfetto_walk(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__track_event *e,
                       struct tr__walk *w)
{
    struct tr__annotations n = { .r = r, .s = s, .offset = e->offset };
    uint32_t step = NO_STEP;
    const size_t n_annotations = r->n_annotations;
    size_t i = 0;
    if (!n_annotations || n_annotations > TR__MAX_AT_ONCE)
        return !n_annotations;
    const struct tr__span *annotations = r->annotations, *last = &annotations[n_annotations - 1];
    const unsigned char *end = last->data + last->len;
    for (; i < n_annotations && find_step(&n, &annotations[i], end, &w->known_args, &w->args[i], &step); i++)
        w->step = step;
    w->n = i;
    return i == n_annotations;
}

bool tr__perfetto_annotations(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__track_event *e,
                              struct tr__walk *w)
{
    struct tr__annotations n = { .r = r, .s = s, .offset = e->offset };
    size_t n_args = w->n;
    uint32_t step = w->step;
    bool ok = true, walks = true, whole = r->n_annotations <= TR__MAX_AT_ONCE; /* whole: all are steps */
    r->last_step = NO_STEP;
    for (size_t i = w->n; ok && i < r->n_annotations; i++) {
        struct tr__arg *arg = &w->args[n_args];
        uint32_t after = step;
        bool plain = walks && find_step(&n, &r->annotations[i], r->annotations[i].data + r->annotations[i].len,
                                        &w->known_args, arg, &step);
        if (!plain) {
            uint32_t like = step;
            plain = read_plain(&n, &r->annotations[i], &w->known_args, arg, walks, &after);
            step = plain ? after : like;
            walks = walks && step != NO_STEP;
            whole = whole && plain && walks;
        }
        n_args += plain;
        if (n_args && (!plain || n_args == TR__MAX_AT_ONCE) && !(whole && i + 1 == r->n_annotations)) {
            tr__ingest_args(r->g, w->args, n_args);
            n_args = 0;
        }
        if (!plain)
            ok = tr__perfetto_add_annotation(&n, &r->annotations[i], &w->known_args);
    }
    if (n_args)
        emit_args(&n, w->args, n_args, whole ? step : NO_STEP);
    return ok;
}
