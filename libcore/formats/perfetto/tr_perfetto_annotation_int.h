/* SPDX-License-Identifier: MIT */
/* Annotations of track events, while they become args.  Internal to libcore/formats/perfetto. */
#ifndef TR_PERFETTO_ANNOTATION_INT_H
#define TR_PERFETTO_ANNOTATION_INT_H

#include "formats/perfetto/tr_perfetto_read_int.h"
#include "json/tr_json_write.h"

/* DebugAnnotation. */
enum {
    ANNOTATION_KEY_ID = 1,
    ANNOTATION_BOOL = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_STRING = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_NESTED = 8,
    ANNOTATION_JSON = 9,
    ANNOTATION_KEY = 10,
    ANNOTATION_ENTRIES = 11,
    ANNOTATION_ELEMENTS = 12,
    ANNOTATION_STRING_ID = 17,
};

/* The annotations of an event. */
struct tr__annotations {
    struct tr__perfetto_reader *r;
    struct tr__sequence *s;
    uint64_t offset;
    struct tr_json_doc doc;
};

/* The part of an annotation that has its value, and its key. */
struct tr__annotation {
    struct tr__proto value; /* field 0: no value */
    uint32_t key;           /* TR_NO_STR: no key */
};

/* Its value and, if keyed, its key.  False: out of memory. */
bool tr__perfetto_read_annotation(struct tr__annotations *n, struct tr__proto m, bool keyed,
                                  struct tr__annotation *annotation);
/* Add the value to the document.  False: out of memory. */
bool tr__perfetto_put_annotation(struct tr__annotations *n, struct tr__proto whole,
                                 const struct tr__annotation *annotation);

/* Add any annotation.  False: out of memory. */
bool tr__perfetto_add_annotation(struct tr__annotations *n, const struct tr__span *span,
                                 struct tr__known_args *known_args);

/* What an annotation says of its event, by the use of its key. */
void tr__perfetto_use_value(struct tr__known_args *t, uint8_t use, const struct tr__proto *v);
static inline void tr__perfetto_use_annotation(struct tr__known_args *t, uint8_t use, const struct tr__proto *v)
{
    t->uses |= 1u << use;
    if (use >= TR__USE_VALUE)
        tr__perfetto_use_value(t, use, v);
}

/* An annotation of earlier events. */
struct tr__step {
    uint64_t head, mask;    /* its first bytes, as far as they are of text */
    uint32_t len;           /* of text: the key with its field, and the field of the value */
    uint32_t next, sibling; /* the first step after it; another one in its place; UINT32_MAX: none */
    uint8_t type, use;      /* enum tr_type; as in tr__known_text */
    uint32_t key, number;   /* text; as the builder numbered it */
    uint32_t writer;        /* whose number the key is; UINT32_MAX: it is a text */
    struct tr__like like;   /* events that end with it */
    unsigned char text[48];
};

#define TR__LONGEST_KEPT 512u
#define TR__LIST_AT (1 + sizeof(size_t)) /* where the annotation starts in the bytes that identify a list or object */

/* The place of an annotation that is a list or an object in the table of recent values. */
static inline uint32_t *tr__near_list(struct tr__perfetto_reader *r, const unsigned char *p, size_t len)
{
    return &r->near_values[tr_hash(p, len) % TR__NEAR_TEXTS];
}

#endif
