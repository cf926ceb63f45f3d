/* SPDX-License-Identifier: MIT */
/* Annotations of track events, while they become args.  Internal to libcore/formats/perfetto. */
#ifndef TR_PERFETTO_NOTE_INT_H
#define TR_PERFETTO_NOTE_INT_H

#include "formats/perfetto/tr_perfetto_read_int.h"
#include "json/tr_json_write.h"

/* DebugAnnotation. */
enum {
    NOTE_KEY_ID = 1, NOTE_BOOL = 2, NOTE_UINT = 3, NOTE_INT = 4, NOTE_DOUBLE = 5, NOTE_STRING = 6, NOTE_POINTER = 7,
    NOTE_NESTED = 8, NOTE_JSON = 9, NOTE_KEY = 10, NOTE_ENTRIES = 11, NOTE_ELEMENTS = 12, NOTE_STRING_ID = 17,
};

/* The annotations of an event. */
struct tr__notes {
    struct tr__perfetto_reader *r;
    struct tr__sequence *s;
    uint64_t offset;
    uint32_t last; /* text: the key before the next one, else the name of the event; TR_NO_STR: none */
    struct tr_json_doc doc;
};

/* The part of an annotation that has its value, and its key. */
struct tr__note {
    struct tr__proto value; /* field 0: no value */
    uint32_t key;           /* TR_NO_STR: no key */
};

/* Its value and, if keyed, its key.  False: out of memory. */
bool tr__perfetto_read_note(struct tr__notes *n, struct tr__proto m, bool keyed, struct tr__note *note);
/* Add the value to the document.  False: out of memory. */
bool tr__perfetto_put_note(struct tr__notes *n, struct tr__proto whole, const struct tr__note *note);

#endif
