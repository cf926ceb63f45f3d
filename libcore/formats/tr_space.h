/*
 * A number space: the strings, shapes and tracks that one reading thread has met, numbered privately.
 *
 * Threads that read one trace share nothing while they read.  Each interns what it meets into a space of
 * its own, by the raw text as it stands in the file: escapes are decoded, arrays minified and names
 * classified once per distinct text, not once per event.  Rows refer to these numbers; tr_gather maps them
 * to those of the stream when the rows are merged.
 *
 * Internal to libcore.
 */
#ifndef TR_SPACE_H
#define TR_SPACE_H

#include "base/tr_mem.h"
#include "formats/tr_vocab.h"
#include "json/tr_json.h"
#include "stream/tr_dict.h"

/* A distinct raw text. */
struct tr__text {
    const char *raw;  /* inside of a string as in the file; or a whole array, object or number */
    uint32_t raw_len;
    uint32_t len;     /* of the decoded form, which */
    const char *text; /* may be the raw text itself */
    uint16_t defects; /* TR_JSON_*: then only the slow path may use it, which counts them */
    uint8_t is_json;
    uint8_t category; /* enum tr_activity as a category */
    uint8_t name;     /* enum tr_vocab_name */
    uint8_t kernel_kind; /* enum tr_kind if a kernel bears this name */
    uint8_t is_int;   /* a plain decimal integer: value */
    int64_t value;
    int64_t step;     /* for TR_NAME_STEP */
};

struct tr__space {
    struct tr_arena *arena;
    struct tr__text *texts;
    size_t n_texts, cap_texts;
    struct tr__slot *slots; /* hash of texts */
    size_t mask;
    struct tr_shape *shapes; /* keys are text numbers; columns are not set */
    uint32_t *shape_slots; /* hash of shapes: number + 1 */
    size_t n_shapes, cap_shapes, shape_mask;
    struct tr_track *tracks; /* pid, tid: text numbers where strings */
    size_t n_tracks, cap_tracks;
    uint32_t *track_slots;
    size_t track_mask;
    struct tr_buf scratch;
    size_t used, max; /* bytes, roughly: here and in the dictionary made of it; max 0: no limit */
    bool full;        /* something was refused because of max */
};

struct tr__slot {
    uint32_t id; /* number + 1 */
    uint32_t tag;
};

bool tr__space_init(struct tr__space *s); /* without a limit */
void tr__space_free(struct tr__space *s);

/*
 * The number of a text.  is_json: arrays, objects and number texts, kept as JSON text; else the inside
 * of a string.  TR_NO_STR: out of memory, or the space is full.
 */
uint32_t tr__space_text(struct tr__space *s, const char *raw, size_t len, bool is_json);

/* The number of a shape with these slots (copied); UINT32_MAX: out of memory, or full. */
uint32_t tr__space_shape(struct tr__space *s, const struct tr_slot *slots, uint32_t n, char ph);

/* The number of a track equal to t in source, side, pid, tid, device, context, stream; UINT32_MAX: likewise. */
uint32_t tr__space_track(struct tr__space *s, const struct tr_track *t);

#endif
